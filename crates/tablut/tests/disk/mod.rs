//! A small disk of the test's own, which can be full or read-only: a file system in memory, in a mount
//! namespace that lives as long as this value.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

/// How large it is: room for a store, its log and a report.
const SIZE: &str = "16m";

pub(crate) struct Disk {
    holder: Child,
    folder: TempDir,
}

impl Disk {
    /// A disk, or nothing where the system gives no namespaces to this user.
    pub(crate) fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut holder = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
            .arg(r#"mount -t tmpfs -o size="$1",mode=700 tmpfs "$0" && echo ready && exec cat"#)
            .arg(folder.path())
            .arg(SIZE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(holder.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        if line != "ready\n" {
            holder.wait().unwrap();
            eprintln!("not tested: this system gives no mount namespaces to this user");
            return None;
        }
        Some(Self { holder, folder })
    }

    /// A path as programs on the disk see it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The same path as this process sees it.
    pub(crate) fn seen(&self, name: &str) -> PathBuf {
        let root = format!("/proc/{}/root", self.holder.id());
        let path = self.path(name);
        Path::new(&root).join(path.strip_prefix("/").unwrap())
    }

    /// A program that sees the disk.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command
            .args(["--user", "--mount", "--preserve-credentials", "--target"])
            .arg(self.holder.id().to_string())
            .arg("--")
            .arg(program);
        command
    }

    /// Leaves no room.
    pub(crate) fn fill(&self) {
        let mut file = fs::File::create(self.seen("filler")).unwrap();
        for size in [65_536, 512, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    /// Makes room again.
    pub(crate) fn free(&self) {
        fs::remove_file(self.seen("filler")).unwrap();
    }

    /// Lets nobody write, or everybody again.
    pub(crate) fn remount(&self, how: &str) -> bool {
        let mut mount = self.command("mount");
        mount.args(["-o", &format!("remount,{how}")]);
        let status = mount.arg(self.folder.path()).status();
        status.unwrap().success()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The holder ends when its input does.
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}

/// What a program said, in lines, and what it said at last.
pub(crate) fn lines(from: impl Read) -> impl Iterator<Item = String> {
    BufReader::new(from).lines().map_while(Result::ok)
}
