//! A small disk in memory that can be full or read-only, which only this bench and its children see.

use std::{
    ffi::CString,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use nix::sched::{CloneFlags, unshare};
use rustix::{
    mount::{
        MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_change, mount_remount,
        unmount,
    },
    process::{getegid, geteuid},
};

/// Moves this process, which must have one thread, to a place where it can mount what nobody else
/// sees: as root a mount namespace will do, for others it takes a user namespace too.
///
/// # Errors
/// The system does not allow it.
pub(super) fn isolate() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    if unshare(CloneFlags::CLONE_NEWNS).is_err() {
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private)?;
    // What killed processes leave in shared memory goes with the namespace.
    let all = c"size=64m,mode=1777";
    mount("tmpfs", "/dev/shm", "tmpfs", MountFlags::empty(), all)?;
    Ok(())
}

/// The file that takes all space.
const FILLER: &str = "filler";

/// A disk, gone when it is dropped.
pub(super) struct Disk {
    pub(super) folder: PathBuf,
}

impl Disk {
    /// Mounts a disk of this many megabytes.
    pub(super) fn mount(folder: &Path, megabytes: u32) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let size = CString::new(format!("size={megabytes}m,mode=0755"))?;
        mount(
            "tmpfs",
            folder,
            "tmpfs",
            MountFlags::empty(),
            size.as_c_str(),
        )
        .with_context(|| format!("cannot mount a disk at {}", folder.display()))?;
        Ok(Self {
            folder: folder.into(),
        })
    }

    /// Writes until nothing fits any more.
    pub(super) fn fill(&self) -> Result<()> {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join(FILLER));
        let mut file = file.context("cannot fill the disk")?;
        // Large pieces first, then what is left.
        for piece in [1 << 20, 4096, 1] {
            let bytes = vec![0; piece];
            while file.write(&bytes).is_ok_and(|count| count > 0) {}
        }
        Ok(())
    }

    pub(super) fn free(&self) -> Result<()> {
        fs::remove_file(self.folder.join(FILLER)).context("cannot free the disk")
    }

    /// Makes the disk read-only, which fails while a file is open for writing, or writable again.
    pub(super) fn set_read_only(&self, read_only: bool) -> Result<()> {
        let flags = match read_only {
            true => MountFlags::RDONLY,
            false => MountFlags::empty(),
        };
        mount_remount(&self.folder, flags, "").context("cannot remount the disk")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // A process that is about to end may still have a file open.
        let _ = unmount(&self.folder, UnmountFlags::DETACH);
        let _ = fs::remove_dir(&self.folder);
    }
}
