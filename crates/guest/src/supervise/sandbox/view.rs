//! Which files a program sees.

use std::{
    env,
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use super::super::inside::InsideTask;

/// Folders of the system, which are the same for all users.
pub(super) const SYSTEM: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];

/// Interpreters that scripts start by name, wherever they were installed.
const INTERPRETERS: [&str; 14] = [
    "java", "javac", "python", "python3", "node", "ruby", "perl", "julia", "dotnet", "mono", "lua",
    "php", "racket", "ghc",
];

/// How many links are followed from one file.
const LINKS: usize = 16;

/// A file or folder that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shown {
    /// What it is, without links.
    pub(super) source: PathBuf,
    /// Where it is seen.
    pub(super) target: PathBuf,
    /// Whether it may be written to.
    pub(super) writable: bool,
}

/// What a program sees besides the system.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct View {
    /// Files and folders, outer ones first.
    pub(super) shown: Vec<Shown>,
    /// Files that are covered.
    pub(super) hidden: Vec<PathBuf>,
    /// The folder it starts in.
    pub(super) current: PathBuf,
    /// Folders that are there, but empty unless they are shown.
    pub(super) passed: Vec<PathBuf>,
    /// Its home.
    pub(super) home: PathBuf,
    /// Whether the program's file was found outside.
    is_there: bool,
}

impl View {
    /// What the program of a task is to see.
    ///
    /// Its own folder is that of each file its command line names, or the current folder if it names
    /// none. Folders with much else in them, as a home, are never shown for a file in them.
    pub(super) fn of(task: &InsideTask) -> Result<Self, String> {
        let current = env::current_dir().map_err(|error| format!("no current folder: {error}"))?;
        let home = env::var_os("HOME").map(PathBuf::from);
        let home = home.filter(|home| home.is_absolute() && home != Path::new("/"));
        let mut view = Self {
            home: home.unwrap_or_else(|| "/home/player".into()),
            current,
            ..Self::default()
        };
        let confinement = &task.confinement;
        let (program, arguments) = task.words.split_first().ok_or("there is no program")?;
        let found = view.find(program);
        let words = task.words.iter().flat_map(|word| word.split(['=', ':']));
        view.passed = words.flat_map(|word| view.passed(word)).collect();
        view.is_there = found.is_some();
        let mut own = view.named(arguments);
        match found {
            Some(path) if !view.is_in_path(program) => own.push(path),
            Some(path) => view.show_installed(&path),
            None => {}
        }
        for path in &own {
            view.show_interpreter_of(path);
        }
        own.retain(|path| !is_system(path));
        if own.is_empty() {
            own.push(view.current.clone());
        }
        for path in own {
            view.show_own(&path, confinement.writable);
        }
        for name in INTERPRETERS {
            if let Some(path) = search(name) {
                view.show_installed(&path);
            }
        }
        if let Ok(ourselves) = env::current_exe() {
            // Our own player is a client too.
            view.show(&ourselves, false);
        }
        for path in &confinement.read {
            let path = view.absolute(path);
            if !path.exists() {
                return Err(format!("there is no {} to read", path.display()));
            }
            if path == Path::new("/") {
                return Err(
                    "a program that sees everything has to be trusted: --trust-programs".into(),
                );
            }
            view.show(&path, false);
        }
        view.keep_outermost();
        view.hide(&confinement.hidden)?;
        Ok(view)
    }

    /// What to say if the program does not start.
    pub(in super::super) fn cannot_start(&self, program: &str, error: &io::Error) -> String {
        let hint = match (self.is_there, error.kind()) {
            (true, io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => {
                "; it, or its interpreter, is not visible in its sandbox: add the folder with \
                 --allow-read FOLDER"
            }
            _ => "",
        };
        format!("cannot start {program}: {error}{hint}")
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        let mut absolute = PathBuf::new();
        for part in self.current.join(path).components() {
            match part {
                Component::ParentDir => drop(absolute.pop()),
                Component::CurDir => {}
                part => absolute.push(part),
            }
        }
        absolute
    }

    fn is_in_path(&self, program: &str) -> bool {
        !program.contains('/')
    }

    /// The file of a program.
    fn find(&self, program: &str) -> Option<PathBuf> {
        if self.is_in_path(program) {
            return search(program);
        }
        let path = self.absolute(Path::new(program));
        path.is_file().then_some(path)
    }

    /// Files and folders that arguments name, also in the manner of `--file=x` and `x.jar:y.jar`.
    fn named(&self, arguments: &[String]) -> Vec<PathBuf> {
        let parts = arguments.iter().flat_map(|word| word.split(['=', ':']));
        let parts = parts.filter(|part| !part.is_empty() && !part.starts_with('-'));
        let paths = parts.map(|part| self.absolute(Path::new(part.trim_end_matches("/*"))));
        paths.filter(|path| path.exists()).collect()
    }

    /// Shows the folder of a file, or a folder; only the file where the folder is not the program's.
    fn show_own(&mut self, path: &Path, writable: bool) {
        let folder = match (path.is_dir(), path.parent()) {
            (true, _) => path,
            (false, Some(folder)) => folder,
            (false, None) => return,
        };
        if !self.is_broad(folder) {
            self.show(folder, writable);
        } else if path.is_file() {
            self.show(path, false);
        }
        // What a link leads to is in another folder.
        if let (true, Ok(real)) = (path.is_file(), path.canonicalize())
            && real != path
        {
            match real.parent() {
                Some(folder) if !self.is_broad(folder) => self.show(folder, writable),
                _ => self.show(&real, false),
            }
        }
    }

    /// Shows what a program that was found by its name was installed with.
    fn show_installed(&mut self, program: &Path) {
        let mut path = program.to_path_buf();
        for _ in 0..LINKS {
            if !is_system(&path) {
                self.show_prefix(&path);
            }
            match fs::read_link(&path) {
                Ok(next) => {
                    let folder = path.parent().unwrap_or(Path::new("/"));
                    path = self.absolute(&folder.join(next));
                }
                Err(_) => break,
            }
        }
        if let Ok(real) = path.canonicalize()
            && !is_system(&real)
        {
            self.show_prefix(&real);
        }
    }

    /// Shows the folder above `bin` if something was installed there, or else only `bin`.
    fn show_prefix(&mut self, program: &Path) {
        let Some(folder) = program.parent() else {
            return;
        };
        let is_bin = |name: &OsStr| {
            ["bin", "sbin", "shims", "libexec"]
                .iter()
                .any(|bin| name == *bin)
        };
        // A folder with anything in it may have a `bin`; what was installed has libraries too.
        let is_prefix = |prefix: &&Path| {
            let parts = ["lib", "lib64", "libexec", "jre", "versions"];
            parts.iter().any(|part| prefix.join(part).is_dir())
        };
        let prefix = folder
            .parent()
            .filter(|_| folder.file_name().is_some_and(is_bin))
            .filter(is_prefix);
        match prefix {
            Some(prefix) if !self.is_broad(prefix) => self.show(prefix, false),
            _ if !self.is_broad(folder) => self.show(folder, false),
            _ => self.show(program, false),
        }
    }

    /// Shows what runs a script, if the file is one.
    fn show_interpreter_of(&mut self, script: &Path) {
        let mut start = Vec::new();
        let read = File::open(script).and_then(|file| file.take(256).read_to_end(&mut start));
        let text = String::from_utf8_lossy(&start);
        let Some(line) = text.strip_prefix("#!").filter(|_| read.is_ok()) else {
            return;
        };
        let words = line.lines().next().unwrap_or_default().split_whitespace();
        for word in words.filter(|word| !word.starts_with('-')) {
            let found = match word.contains('/') {
                true => Some(PathBuf::from(word)).filter(|path| path.is_file()),
                false => search(word),
            };
            if let Some(path) = found {
                self.show_installed(&path);
            }
        }
    }

    /// Shows a file or folder where it is, and where it is without links.
    fn show(&mut self, path: &Path, writable: bool) {
        let Ok(source) = path.canonicalize() else {
            return;
        };
        if is_system(&source) {
            return;
        }
        for target in [path, &source] {
            if is_system(target) {
                continue;
            }
            let shown = Shown {
                source: source.clone(),
                target: target.to_path_buf(),
                writable,
            };
            match self.shown.iter_mut().find(|known| known.target == target) {
                Some(known) => known.writable |= writable,
                None => self.shown.push(shown),
            }
        }
    }

    /// Leaves out what is seen in a folder anyway, outer folders first. A link in such a folder is seen as
    /// a link, and what it leads to was shown on its own.
    fn keep_outermost(&mut self) {
        self.shown
            .sort_by_key(|shown| shown.target.components().count());
        let all = std::mem::take(&mut self.shown);
        for shown in all {
            let is_seen = |outer: &Shown| {
                shown.target.starts_with(&outer.target) && (outer.writable || !shown.writable)
            };
            if !self.shown.iter().any(is_seen) {
                self.shown.push(shown);
            }
        }
    }

    /// Folders that a word passes through and leaves again, as `a` in `a/../b`.
    fn passed(&self, word: &str) -> Vec<PathBuf> {
        let mut passed = Vec::new();
        let mut prefix = PathBuf::new();
        for part in Path::new(word).components() {
            if part == Component::ParentDir {
                passed.push(self.absolute(&prefix));
            }
            prefix.push(part);
        }
        passed.retain(|folder| folder.is_dir() && !is_system(folder));
        passed
    }

    /// Whether a folder has too much else in it to be one program's own.
    fn is_broad(&self, folder: &Path) -> bool {
        const SHARED: [&str; 10] = [
            "/tmp", "/var/tmp", "/dev", "/etc", "/run", "/var/run", "/proc", "/sys", "/srv", "/opt",
        ];
        let of_home = [
            ".local",
            ".local/share",
            ".config",
            ".cache",
            "Documents",
            "Downloads",
        ];
        let of_home = of_home.map(|name| self.home.join(name));
        let real = folder.canonicalize().unwrap_or_else(|_| folder.into());
        [folder, &real].into_iter().any(|folder| {
            self.home.starts_with(folder)
                || env::temp_dir() == folder
                || SHARED
                    .iter()
                    .any(|shared| Path::new(shared).starts_with(folder))
                || of_home.iter().any(|shared| shared == folder)
        })
    }

    /// Covers files with the others that a database has beside them.
    fn hide(&mut self, hidden: &[PathBuf]) -> Result<(), String> {
        for file in hidden {
            let Ok(file) = self.absolute(file).canonicalize() else {
                continue;
            };
            for shown in &self.shown {
                let Ok(rest) = file.strip_prefix(&shown.source) else {
                    continue;
                };
                if shown.writable {
                    return Err(format!(
                        "the program may write to its folder {}, which contains the store: keep the \
                         store elsewhere",
                        shown.source.display()
                    ));
                }
                for end in ["", "-wal", "-shm", "-journal"] {
                    let with = |path: &Path| {
                        let mut path = path.as_os_str().to_owned();
                        path.push(end);
                        PathBuf::from(path)
                    };
                    if with(&file).exists() {
                        self.hidden.push(with(&shown.target.join(rest)));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether a path is in one of the system's folders.
fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// The file of a program by its name.
fn search(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    let files = env::split_paths(&folders).map(|folder| folder.join(name));
    files
        .filter(|file| file.is_absolute())
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        View {
            home: "/home/ada".into(),
            current: "/home/ada/team".into(),
            ..View::default()
        }
    }

    #[test]
    fn folders_of_everything_are_not_a_programs_own() {
        for broad in [
            "/",
            "/home",
            "/home/ada",
            "/tmp",
            "/var",
            "/home/ada/.local",
            "/etc",
            "/run",
        ] {
            assert!(view().is_broad(Path::new(broad)), "{broad}");
        }
        for own in [
            "/home/ada/team",
            "/home/ada/.pyenv",
            "/tmp/cup",
            "/srv/cup",
            "/opt/jdk",
        ] {
            assert!(!view().is_broad(Path::new(own)), "{own}");
        }
    }

    #[test]
    fn paths_are_seen_from_the_current_folder() {
        for (path, absolute) in [
            ("./run.sh", "/home/ada/team/run.sh"),
            ("../bob/./run.sh", "/home/ada/bob/run.sh"),
            ("/x/../y", "/y"),
        ] {
            assert_eq!(view().absolute(Path::new(path)), Path::new(absolute));
        }
    }

    #[test]
    fn what_is_in_a_shown_folder_is_not_shown_again() {
        let shown = |target: &str| Shown {
            source: "/x".into(),
            target: target.into(),
            writable: false,
        };
        let mut view = View {
            shown: ["/a/b/c", "/a/b", "/a/bc", "/d"].map(shown).into(),
            ..view()
        };
        view.keep_outermost();
        assert_eq!(view.shown, ["/d", "/a/b", "/a/bc"].map(shown));
    }

    #[test]
    fn a_folder_that_may_be_written_is_kept_in_one_that_may_not() {
        let shown = |(target, writable): (&str, bool)| Shown {
            source: "/x".into(),
            target: target.into(),
            writable,
        };
        let all = [
            ("/a", false),
            ("/a/own", true),
            ("/a/own/x", true),
            ("/a/y", false),
        ];
        let mut view = View {
            shown: all.map(shown).into(),
            ..view()
        };
        view.keep_outermost();
        assert_eq!(view.shown, [("/a", false), ("/a/own", true)].map(shown));
    }

    #[test]
    fn only_a_folder_where_something_was_installed_is_shown_with_its_programs() {
        let folder = env::temp_dir().join(format!("tablut-view-{}", std::process::id()));
        let (work, installed) = (folder.join("work"), folder.join("jdk"));
        for path in [
            work.join("bin"),
            installed.join("bin"),
            installed.join("lib"),
        ] {
            fs::create_dir_all(path).unwrap();
        }
        let mut view = view();
        for prefix in [&work, &installed] {
            view.show_prefix(&prefix.join("bin/python3"));
        }
        let shown: Vec<_> = view
            .shown
            .iter()
            .map(|shown| shown.source.clone())
            .collect();
        let real = folder.canonicalize().unwrap();
        assert_eq!(shown[0], real.join("work/bin"));
        assert_eq!(shown[shown.len() - 1], real.join("jdk"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_word_may_name_several_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let view = View {
            current: folder.into(),
            ..view()
        };
        let words = ["-cp", "src:nothing:tests", "--file=Cargo.toml", "white"].map(String::from);
        let expected = ["src", "tests", "Cargo.toml"].map(|name| folder.join(name));
        assert_eq!(view.named(&words), expected);
    }
}
