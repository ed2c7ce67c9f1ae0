//! A root folder of a program's own.

use std::{
    ffi::CString,
    fs::{self, File},
    io,
    os::{
        fd::OwnedFd,
        unix::{
            ffi::OsStringExt,
            fs::{MetadataExt, symlink},
        },
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Mode, OFlags, open},
    mount::{
        MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive,
        mount_change, mount_remount, unmount,
    },
    process::{chdir, pivot_root},
};

use super::view::{SYSTEM, View};

/// What a user is called in a sandbox.
pub(super) const USER: &str = "player";

/// Parts of the system's settings that programs look up and that tell nothing about this machine's
/// users: libraries, chosen versions, certificates, languages, time.
const SETTINGS: [&str; 26] = [
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ld.so.preload",
    "alternatives",
    "ssl",
    "pki",
    "ca-certificates",
    "ca-certificates.conf",
    "java",
    "java-8-openjdk",
    "java-11-openjdk",
    "java-17-openjdk",
    "java-21-openjdk",
    "java-25-openjdk",
    "mono",
    "dotnet",
    "fonts",
    "localtime",
    "timezone",
    "locale.alias",
    "locale.conf",
    "os-release",
    "protocols",
    "services",
    "mime.types",
];

const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Where the old and the new root are while the new one is made.
const OLD: &str = "/old";
const NEW: &str = "/new";
const SCRATCH: &str = "/scratch";

/// Moves this process, the first of its namespaces, to a root folder of its own. Gives the process file
/// system of the world outside, which only this process can reach.
pub(super) fn enter(view: &View, disk_mb: u64, ids: [u32; 2]) -> Result<OwnedFd, String> {
    let at = |what: &str| {
        let what = what.to_string();
        move |error: io::Error| format!("cannot set up its file system ({what}): {error}")
    };
    open_workshop().map_err(at("start"))?;
    tmpfs(NEW, "size=4m").map_err(at("root"))?;
    tmpfs(SCRATCH, &format!("size={disk_mb}m,nr_inodes=65536")).map_err(at("scratch"))?;
    system().map_err(at("system"))?;
    settings(view, ids).map_err(at("settings"))?;
    devices().map_err(at("devices"))?;
    scratch(view).map_err(at("home"))?;
    for shown in &view.shown {
        let what = shown.target.display().to_string();
        let show = match shown.writable {
            // Also where it is seen already: there it could only be read.
            true => bind,
            false => show,
        };
        show(&shown.source, &shown.target).map_err(at(&what))?;
    }
    for folder in view.passed.iter().chain([&view.current]) {
        fs::create_dir_all(inside(folder)).map_err(at("folders"))?;
    }
    for hidden in &view.hidden {
        let what = hidden.display().to_string();
        mount_bind(format!("{OLD}/dev/null"), inside(hidden))
            .map_err(|error| at(&what)(error.into()))?;
    }
    fs::create_dir_all(format!("{NEW}/proc")).map_err(at("proc"))?;
    let quiet = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", format!("{NEW}/proc"), "proc", quiet, None)
        .map_err(|error| at("proc")(error.into()))?;
    close(view).map_err(at("read-only"))
}

/// Makes a root folder that has the old one in it.
fn open_workshop() -> io::Result<()> {
    mount_change(
        "/",
        MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
    )?;
    tmpfs("/tmp", "size=1m")?;
    for name in [OLD, NEW, SCRATCH] {
        fs::create_dir(format!("/tmp{name}"))?;
    }
    pivot_root("/tmp", format!("/tmp{OLD}"))?;
    chdir("/")?;
    Ok(())
}

fn tmpfs(target: &str, options: &str) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    let options = CString::new(format!("mode=0755,{options}"))?;
    Ok(mount("tmpfs", target, "tmpfs", flags, options.as_c_str())?)
}

/// Where a path of the program is while its root is made.
fn inside(path: &Path) -> PathBuf {
    Path::new(NEW).join(path.strip_prefix("/").unwrap_or(path))
}

/// Where a path of the world outside is meanwhile.
fn outside(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

/// Makes a file or folder visible at a place.
fn show(source: &Path, target: &Path) -> io::Result<()> {
    let (there, here) = (outside(source), inside(target));
    if here.exists() && same(&there, &here) {
        return Ok(());
    }
    bind(source, target)
}

/// Puts a file or folder at a place.
fn bind(source: &Path, target: &Path) -> io::Result<()> {
    let (source, target) = (outside(source), inside(target));
    if source.is_dir() {
        fs::create_dir_all(&target)?;
    } else if !target.exists() {
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        File::create(&target)?;
    }
    Ok(mount_bind_recursive(source, target)?)
}

/// Whether two paths lead to the same file: it is seen there already, as a part of its folder.
fn same(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino()));
    matches!((id(one), id(other)), (Ok(one), Ok(other)) if one == other)
}

/// Shows a file or folder of the system as it is, a link as a link.
fn copy(path: &Path) -> io::Result<()> {
    let Ok(kind) = outside(path).symlink_metadata() else {
        return Ok(());
    };
    if kind.is_symlink() {
        let target = inside(path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        return symlink(fs::read_link(outside(path))?, target);
    }
    show(path, path)
}

fn system() -> io::Result<()> {
    SYSTEM.iter().try_for_each(|folder| copy(Path::new(folder)))
}

fn settings(view: &View, [user, group]: [u32; 2]) -> io::Result<()> {
    let etc = Path::new("/etc");
    fs::create_dir_all(inside(etc))?;
    let names = SETTINGS.map(Into::into).into_iter();
    // Interpreters keep settings under names with their versions.
    let found = fs::read_dir(outside(etc)).into_iter().flatten().flatten();
    let found = found.map(|entry| entry.file_name());
    let found = found.filter(|name| name.to_string_lossy().starts_with("python"));
    names
        .chain(found)
        .try_for_each(|name| copy(&etc.join(name)))?;
    let home = view.home.display();
    let host = fs::read_to_string(outside(Path::new("/etc/hostname"))).unwrap_or_default();
    for (name, text) in [
        (
            "passwd",
            format!("root:x:0:0::/:/bin/false\n{USER}:x:{user}:{group}::{home}:/bin/sh\n"),
        ),
        ("group", format!("root:x:0:\n{USER}:x:{group}:\n")),
        (
            "hosts",
            format!("127.0.0.1 localhost {}\n::1 localhost\n", host.trim()),
        ),
        (
            "nsswitch.conf",
            "passwd: files\ngroup: files\nhosts: files\n".into(),
        ),
    ] {
        fs::write(inside(&etc.join(name)), text)?;
    }
    Ok(())
}

fn devices() -> io::Result<()> {
    let dev = Path::new("/dev");
    fs::create_dir_all(inside(dev))?;
    for name in DEVICES {
        if !outside(&dev.join(name)).exists() {
            continue;
        }
        show(&dev.join(name), &dev.join(name))?;
    }
    for (name, target) in [
        ("fd", ""),
        ("stdin", "/0"),
        ("stdout", "/1"),
        ("stderr", "/2"),
    ] {
        symlink(format!("/proc/self/fd{target}"), inside(&dev.join(name)))?;
    }
    Ok(())
}

/// The places a program may write to.
fn scratch_places(view: &View) -> [(&'static str, &Path); 4] {
    [
        ("tmp", Path::new("/tmp")),
        ("var-tmp", Path::new("/var/tmp")),
        ("shm", Path::new("/dev/shm")),
        ("home", &view.home),
    ]
}

fn scratch(view: &View) -> io::Result<()> {
    for (name, place) in scratch_places(view) {
        let source = Path::new(SCRATCH).join(name);
        fs::create_dir(&source)?;
        fs::create_dir_all(inside(place))?;
        mount_bind(source, inside(place))?;
    }
    Ok(())
}

/// Makes everything read-only that is not to be written to, and leaves the old root for good.
fn close(view: &View) -> io::Result<OwnedFd> {
    let text = fs::read(format!("{OLD}/proc/self/mountinfo"))?;
    let text = String::from_utf8_lossy(&text);
    let mut writable: Vec<PathBuf> = scratch_places(view).map(|(_, place)| inside(place)).into();
    let own = view.shown.iter().filter(|shown| shown.writable);
    writable.extend(own.map(|shown| inside(&shown.target)));
    // Something is still to be written there.
    writable.push(inside(Path::new("/proc")));
    for line in text.lines() {
        let mut words = line.split(' ').skip(4);
        let (Some(place), Some(options)) = (words.next(), words.next()) else {
            continue;
        };
        let place = unescape(place);
        if !place.starts_with(NEW) || writable.contains(&place) {
            continue;
        }
        let flags = MountFlags::BIND | MountFlags::RDONLY | flags(options);
        mount_remount(&place, flags, "").or_else(|error| match error {
            // Something of its own is mounted there by now.
            rustix::io::Errno::INVAL => Ok(()),
            error => Err(error),
        })?;
    }
    let outer = open(
        format!("{OLD}/proc"),
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    unmount(OLD, UnmountFlags::DETACH)?;
    chdir(NEW)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    chdir("/")?;
    Ok(outer)
}

/// Makes the process file system read-only: to the user root it would offer settings of the kernel.
pub(super) fn close_proc() -> Result<(), String> {
    let flags = MountFlags::BIND | MountFlags::RDONLY | flags("nodev,noexec,relatime");
    mount_remount("/proc", flags, "").map_err(|error| format!("cannot protect /proc: {error}"))
}

/// What a mount already refuses, which a user may not take back.
fn flags(options: &str) -> MountFlags {
    options
        .split(',')
        .map(|option| match option {
            "nosuid" => MountFlags::NOSUID,
            "nodev" => MountFlags::NODEV,
            "noexec" => MountFlags::NOEXEC,
            "noatime" => MountFlags::NOATIME,
            "nodiratime" => MountFlags::NODIRATIME,
            "relatime" => MountFlags::RELATIME,
            "nosymfollow" => MountFlags::NOSYMFOLLOW,
            _ => MountFlags::empty(),
        })
        .fold(MountFlags::NOSUID, |all, flag| all | flag)
}

/// A path as the kernel writes it, with blanks and the like as octal numbers.
fn unescape(text: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let octal = after.get(..3).filter(|_| *first == b'\\');
        let octal = octal.and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_blanks_are_read_as_the_kernel_writes_them() {
        assert_eq!(unescape("/a\\040b\\134c"), Path::new("/a b\\c"));
        assert_eq!(unescape("/plain\\x"), Path::new("/plain\\x"));
    }
}
