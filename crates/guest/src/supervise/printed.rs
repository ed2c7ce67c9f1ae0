//! What a started program prints, kept until its end has been reported.

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use tablut_arena::Absence;
use tablut_rules::text::harmless;

/// How many lines tell of an end.
const LINES: usize = 5;

/// How long they may be, in letters.
const LONGEST: usize = 160;

/// How much of the end of a file is read.
const TAIL: u64 = 8 * 1024;

/// A file with what a program prints. Dropping it removes the file unless it is to be kept, and the
/// folder with the last of them.
#[derive(Debug)]
pub(crate) struct Printed {
    path: PathBuf,
    is_kept: bool,
}

impl Printed {
    /// A new file in a folder, which is made if need be.
    pub(crate) fn create(folder: &Path, is_kept: bool) -> io::Result<(Self, File)> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        loop {
            fs::create_dir_all(folder)?;
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("client-{number}.txt"));
            match File::create_new(&path) {
                Ok(file) => return Ok((Self { path, is_kept }, file)),
                // Another game may have removed the folder with its last file just now.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound
                    ) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// What to report of a program that ended: the last lines it printed, and where all of them are.
    /// Both are private: they may name places on this machine.
    pub(crate) fn describe(&self, text: &str) -> Absence {
        let mut private = Vec::new();
        let lines = self.last_lines();
        if !lines.is_empty() {
            private.push(format!("the last lines it printed: {}", lines.join(" | ")));
        }
        if self.is_kept {
            private.push(format!("its output is in {}", self.path.display()));
        }
        Absence {
            what: text.to_string(),
            private: (!private.is_empty()).then(|| private.join("; ")),
        }
    }

    /// The last lines that are not empty, made harmless for a terminal.
    fn last_lines(&self) -> Vec<String> {
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
            file.take(TAIL).read_to_end(&mut bytes)
        });
        if read.is_err() {
            return Vec::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines = text
            .lines()
            .map(shortened)
            .filter(|line| !line.trim().is_empty());
        let lines: Vec<String> = lines.collect();
        lines[lines.len().saturating_sub(LINES)..].to_vec()
    }
}

impl Drop for Printed {
    fn drop(&mut self) {
        let is_empty = fs::metadata(&self.path).is_ok_and(|file| file.len() == 0);
        if self.is_kept && !is_empty {
            return;
        }
        // If it cannot be removed, it stays.
        let _ = fs::remove_file(&self.path);
        if let Some(folder) = self.path.parent() {
            // It has others in it, or it is gone.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// A line that a terminal can show, and not too long.
fn shortened(line: &str) -> String {
    let line = line.trim_end().replace('\t', " ");
    let line = harmless(&line).into_owned();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_last_lines_are_told_without_what_commands_a_terminal() {
        let folder = std::env::temp_dir().join(format!("tablut-printed-{}", std::process::id()));
        let (printed, mut file) = Printed::create(&folder, false).unwrap();
        assert_eq!(printed.describe("gone"), "gone".into());
        let long = "x".repeat(10_000);
        write!(file, "{long}\none\n\n\u{1b}[2Jtwo\nthree\tx\nfour\nfive").unwrap();
        let said = printed.describe("gone").to_string();
        let expected = "; the last lines it printed: one | \u{fffd}[2Jtwo | three x | four | five";
        assert_eq!(said, format!("gone{expected}"));
        drop(printed);
        assert!(!folder.exists());
        let (kept, mut file) = Printed::create(&folder, true).unwrap();
        let (empty, _) = Printed::create(&folder, true).unwrap();
        write!(file, "something").unwrap();
        let said = kept.describe("gone");
        assert!(said.to_string().contains("; its output is in "));
        assert_eq!(said.public().to_string(), "gone");
        drop((kept, empty));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
