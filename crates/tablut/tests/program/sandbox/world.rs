//! Folders for programs one does not trust, and what can be asked about them.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::patience::until;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_tablut");

/// A folder of a program, and one of the user with everything that is not the program's business.
pub(crate) struct World {
    pub(crate) program: TempDir,
    pub(crate) user: TempDir,
    /// A word that only processes of this test have.
    pub(crate) mark: String,
}

impl World {
    pub(crate) fn new() -> Self {
        let (program, user) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(user.path().join("precious.txt"), "precious").unwrap();
        fs::create_dir(user.path().join("temporary")).unwrap();
        let mark = user.path().file_name().unwrap().to_str().unwrap();
        let mark = format!(
            "9{}",
            mark.bytes()
                .map(|byte| byte.to_string())
                .collect::<String>()
        );
        Self {
            program,
            user,
            mark,
        }
    }

    /// A program in the folder of programs.
    pub(crate) fn script(&self, name: &str, body: &str) -> String {
        let path = self.program.path().join(name);
        fs::write(&path, format!("#!/bin/bash\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }

    /// A client that connects, says a name, does something, and never moves.
    pub(crate) fn rogue(&self, name: &str, deed: &str) -> String {
        let body = format!(
            "case $1 in white) port=5800;; *) port=5801;; esac\nexec 3<>/dev/tcp/$3/$port\n\
             printf '\\000\\000\\000\\007\"rogue\"' >&3\n{deed}"
        );
        format!("client:{}", self.script(name, &body))
    }

    pub(crate) fn precious(&self) -> PathBuf {
        self.user.path().join("precious.txt")
    }

    pub(crate) fn output(&self) -> PathBuf {
        self.user.path().join("output")
    }

    pub(crate) fn tablut(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(words).current_dir(self.user.path());
        command.env("TMPDIR", self.user.path().join("temporary"));
        command.env("SECRET_TOKEN", "open-sesame");
        command
    }

    /// Lets a program play two short games against another; gives what is told as JSON.
    pub(crate) fn play(&self, program: &str, seconds: &str, more: &[&str]) -> Value {
        let output = self.output().display().to_string();
        let played = self
            .tablut(&[
                "match", program, "random", "-n", "2", "-t", seconds, "--json",
            ])
            .args(["--grace", "60", "--max-plies", "4", "--random-plies", "0"])
            .args(["--client-output", &output])
            .args(more)
            .output()
            .unwrap();
        assert!(played.status.success(), "{}", text(&played));
        serde_json::from_slice(&played.stdout).unwrap()
    }

    /// What programs have printed in all games.
    pub(crate) fn printed(&self) -> String {
        let files = fs::read_dir(self.output()).into_iter().flatten();
        let read = |file: std::io::Result<fs::DirEntry>| fs::read(file.unwrap().path()).unwrap();
        let texts = files
            .map(read)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        texts.collect()
    }

    /// The processes of this machine that have the mark, besides those we look for them with.
    pub(crate) fn marked(&self) -> Vec<i32> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let is_marked = |pid: &i32| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&self.mark)
        };
        pids.filter(is_marked).collect()
    }

    /// Waits until something marked runs, or nothing does.
    pub(crate) fn wait_for_marked(&self, is_wanted: bool) {
        until("marked processes", || self.marked().is_empty() != is_wanted);
    }
}

pub(crate) fn text(output: &Output) -> String {
    let [said, talk] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{said}{talk}")
}

/// What was wrong in each game of a match.
pub(crate) fn faults(summary: &Value) -> Vec<String> {
    let games = summary["games"].as_array().unwrap();
    games
        .iter()
        .map(|game| game["fault"].as_str().unwrap_or_default().to_string())
        .collect()
}

/// Whether this system has something.
pub(crate) fn has(tool: &str) -> bool {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .output();
    let is_there = found.unwrap().status.success();
    if !is_there {
        eprintln!("{tool} is not installed here: not tested");
    }
    is_there
}
