//! The files of docs/hosting that start the program: every flag in them is one, and they do what they say. (The
//! proxies are started by `hosting`.)

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::server;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tablut");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> String {
    fs::read_to_string(root().join("docs/hosting").join(name)).unwrap()
}

/// What a command says about itself.
fn help(command: &str) -> String {
    let output = Command::new(PROGRAM).args([command, "--help"]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "there is no {command}");
    String::from_utf8(output.stdout).unwrap()
}

/// Whether a help text has a flag, which it names before its value or at the end of a line.
fn has_flag(help: &str, flag: &str) -> bool {
    let mut words = help.split([' ', '\n', ',']);
    words.any(|word| word == flag)
}

/// The flags in a text, as they stand there.
fn flags(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| c.is_whitespace() || "`\"[],=".contains(c));
    words.filter(|word| word.starts_with("--")).collect()
}

#[test]
fn the_units_name_commands_and_flags_that_there_are() {
    for (unit, command) in [
        ("tablut.service", "serve"),
        ("tablut-worker.service", "worker"),
    ] {
        let text = example(unit);
        let start = format!("\nExecStart=/usr/local/bin/tablut {command}");
        assert!(text.contains(&start), "{unit} does not start {command}");
        let help = help(command);
        // In what it says beside, too.
        for flag in flags(&text) {
            assert!(has_flag(&help, flag), "{unit}: there is no {flag}");
        }
    }
}

#[test]
fn systemd_understands_the_units() {
    let folder = tempfile::tempdir().unwrap();
    for unit in ["tablut.service", "tablut-worker.service"] {
        let path = folder.path().join(unit);
        fs::write(
            &path,
            example(unit).replace("/usr/local/bin/tablut", PROGRAM),
        )
        .unwrap();
        let verified = Command::new("systemd-analyze")
            .arg("verify")
            .arg(&path)
            .output();
        let Ok(output) = verified else {
            println!("systemd-analyze is not at hand, so {unit} was only read by us");
            continue;
        };
        // A key that it does not know is a warning only.
        let said = String::from_utf8_lossy(&output.stderr);
        let about_it: Vec<&str> = said.lines().filter(|line| line.contains(unit)).collect();
        assert!(about_it.is_empty(), "{about_it:?}");
    }
}

#[test]
fn every_key_of_the_configuration_is_a_flag_also_those_that_are_only_suggested() {
    for (file, command, least) in [
        ("tablut.toml", "serve", 9),
        ("tablut-worker.toml", "worker", 2),
    ] {
        let (text, help) = (example(file), help(command));
        let mut keys = 0;
        for line in text.lines() {
            let line = line.trim_start_matches("# ");
            let Some((key, _)) = line.split_once(" = ") else {
                continue;
            };
            assert!(has_flag(&help, &format!("--{key}")), "{key} is no flag");
            keys += 1;
        }
        assert!(keys >= least, "{file}: only {keys} keys were found");
        assert!(text.parse::<toml::Table>().is_ok(), "{file} is not TOML");
    }
}

/// The instructions of the container file, each with what follows it.
fn instructions() -> Vec<(String, String)> {
    let text = example("Containerfile").replace("\\\n", " ");
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let split = lines.map(|line| line.split_once(' ').unwrap());
    split
        .map(|(word, rest)| (word.into(), rest.into()))
        .collect()
}

/// What an instruction says each time it is there.
fn all<'a>(of: &'a [(String, String)], word: &str) -> Vec<&'a str> {
    let found = of.iter().filter(|(of, _)| of == word);
    found.map(|(_, rest)| rest.as_str()).collect()
}

/// There is no registry in a test, so no image is made: its parts are checked one by one, and what the image
/// would run is run.
#[test]
fn the_container_file_builds_copies_and_starts_what_there_is() {
    let steps = instructions();
    for (word, _) in &steps {
        let known = [
            "FROM",
            "WORKDIR",
            "COPY",
            "RUN",
            "USER",
            "EXPOSE",
            "VOLUME",
            "STOPSIGNAL",
            "ENTRYPOINT",
            "CMD",
        ];
        assert!(known.contains(&word.as_str()), "{word} is no instruction");
    }
    // Both images are of one release of Debian, so that the program finds its C library.
    let images = all(&steps, "FROM");
    assert_eq!(images.len(), 2);
    for image in &images {
        assert!(image.contains("bookworm"), "{image}");
    }
    // What is built is what is copied, and the context leaves out what is large.
    let runs = all(&steps, "RUN");
    assert_eq!(runs[0], "cargo build --release --locked -p tablut");
    let built = "/src/target/release/tablut /usr/local/bin/tablut";
    assert_eq!(
        all(&steps, "COPY"),
        [". .", &format!("--from=build {built}")]
    );
    assert!(root().join("Cargo.lock").exists() && root().join("crates/tablut").exists());
    let ignored = fs::read_to_string(root().join(".dockerignore")).unwrap();
    assert!(ignored.lines().any(|line| line == "target"));
    // Words between quotes, as JSON.
    let words = |word: &str| -> Vec<String> {
        let all = all(&steps, word);
        assert_eq!(all.len(), 1, "{word} is there once");
        serde_json::from_str(all[0]).unwrap()
    };
    assert_eq!(words("ENTRYPOINT"), ["tablut"]);
    let command = words("CMD");
    let help = help(&command[0]);
    for flag in command.iter().filter(|word| word.starts_with("--")) {
        assert!(has_flag(&help, flag), "there is no {flag}");
    }
    let port = command.iter().position(|word| word == "--port").unwrap() + 1;
    assert_eq!(all(&steps, "EXPOSE"), [command[port].as_str()]);
    // A volume belongs to root unless its folder was made by whoever writes there.
    let volume = all(&steps, "VOLUME")[0];
    let place = |wanted: &(&str, String)| {
        let mut at = steps.iter();
        at.position(|(word, rest)| word == wanted.0 && *rest == wanted.1)
            .unwrap_or_else(|| panic!("{wanted:?} is missing"))
    };
    let order = [
        ("USER", "tablut".to_string()),
        ("RUN", format!("mkdir -p {volume}")),
        ("VOLUME", volume.to_string()),
    ];
    assert!(order.iter().map(place).is_sorted(), "{order:?}");
    // What it runs, at another port, keeps its games there and ends by its signal.
    let home = tempfile::tempdir().unwrap();
    let mut arguments = command;
    arguments[port] = "0".into();
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .env_clear()
        .env("HOME", home.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    server::address(&mut child);
    let inside = volume.strip_prefix("/home/tablut/").unwrap();
    let kept = fs::read_dir(home.path().join(inside)).unwrap();
    assert!(kept.count() > 0, "nothing is kept in {volume}");
    let signal = all(&steps, "STOPSIGNAL")[0].trim_start_matches("SIG");
    let id = child.id().to_string();
    let asked = Command::new("kill")
        .args([&format!("-{signal}"), &id])
        .status();
    assert!(asked.unwrap().success());
    assert!(child.wait().unwrap().success());
}
