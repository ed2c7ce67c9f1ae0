//! `tablut serve` as a child of a test.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// Starts a server and waits for its address; port 0 is any that is free.
pub(crate) fn launch(store: &Path, port: &str) -> (Child, String) {
    launch_with(store.to_str().unwrap(), port, &[])
}

/// The same with a store that is a file or a URL, and with more flags.
pub(crate) fn launch_with(store: &str, port: &str, flags: &[&str]) -> (Child, String) {
    let mut child = mortal(env!("CARGO_BIN_EXE_tablut"))
        .args(["serve", "--no-open", "--port", port, "--store"])
        .arg(store)
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let address = address(&mut child);
    (child, address)
}

/// A program that the kernel ends with the thread that starts it, however that ends: a test that is killed drops nothing.
pub(crate) fn mortal(program: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", program]);
    command
}

/// Waits for the address that a server says first.
pub(crate) fn address(child: &mut Child) -> String {
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    assert!(line.starts_with("http://"), "the server said {line:?}");
    line.trim().to_string()
}
