//! The program in a shell: completions, colours, the doctor, the manual, its language, its end.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]

use std::{
    io::{Read, Write},
    process::{Command, Output, Stdio},
};

use tempfile::NamedTempFile;

fn tablut(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(arguments)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn bash_completes_commands_and_flags() {
    // The script is longer than an argument may be.
    let mut script = NamedTempFile::new().unwrap();
    let written = tablut(&["completions", "bash"]).stdout;
    script.write_all(&written).unwrap();
    let path = script.path().display();
    for (words, expected) in [
        ("tablut con", "console"),
        ("tablut console --ru", "--rules"),
        ("tablut completions z", "zsh"),
    ] {
        let last = words.split(' ').count() - 1;
        let ask = format!(
            "source {path}\nCOMP_WORDS=({words})\nCOMP_CWORD={last}\n\
             _tablut tablut \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last}-1]}}\"\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let bash = Command::new("bash").args(["-c", &ask]).output().unwrap();
        let offered = text(&bash.stdout);
        let found = offered.lines().any(|line| line == expected);
        assert!(found, "{words}: {offered} {}", text(&bash.stderr));
    }
}

#[test]
fn every_shell_is_told_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = text(&tablut(&["completions", shell]).stdout);
        for command in [
            "serve", "play", "watch", "console", "analyse", "doctor", "match",
        ] {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
    }
}

#[test]
fn no_colours_without_a_terminal() {
    for arguments in [&["--help"][..], &["nonsense"], &["doctor", "--nonsense"]] {
        let output = tablut(arguments);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(!all.contains('\u{1b}'), "{all:?}");
    }
}

#[test]
fn the_first_screen_of_help_shows_what_people_come_for() {
    let help = text(&tablut(&["--help"]).stdout);
    let first: Vec<&str> = help.lines().take(8).collect();
    for wanted in ["browser", "tablut play", "analyse", "rules", "referee"] {
        let is_there = first.iter().any(|line| line.contains(wanted));
        assert!(is_there, "{wanted} is not in {first:#?}");
    }
}

#[test]
fn the_doctor_finds_a_good_store_good() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("new/tablut.db");
    let store_name = store.to_str().unwrap();
    let found = text(&tablut(&["doctor", "--store", store_name]).stdout);
    assert!(found.contains("does not exist yet"), "{found}");
    assert!(!store.parent().unwrap().exists(), "looking makes nothing");
    let cup = folder.path().join("cup.toml");
    let team = |name| format!("[[team]]\nname = \"{name}\"\ngroup = \"all\"\nplays = \"random\"\n");
    let text_of_cup = format!("name = \"Cup\"\n{}{}", team("A"), team("B"));
    std::fs::write(&cup, text_of_cup).unwrap();
    let cup = cup.to_str().unwrap();
    let made = tablut(&["tournament", "add", cup, "--store", store_name]);
    assert!(made.status.success(), "{made:?}");
    let output = tablut(&["doctor", "--store", store_name]);
    let found = text(&output.stdout);
    for what in ["ports", "data folder", "database", "browser", "sandbox"] {
        let line = found.lines().find(|line| line.contains(what));
        assert!(line.is_some(), "nothing on {what}: {found}");
    }
    for needed in ["data folder", "database"] {
        let line = found.lines().find(|line| line[6..].starts_with(needed));
        assert!(line.unwrap().starts_with("ok"), "{found}");
    }
    let left: Vec<_> = store.parent().unwrap().read_dir().unwrap().collect();
    let stray = left
        .iter()
        .any(|entry| format!("{entry:?}").contains("doctor"));
    assert!(!stray, "the probe is removed");
}

#[test]
fn the_doctor_says_what_to_fix() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no-database");
    std::fs::write(
        &file,
        "This is a letter, and no database at all.".repeat(100),
    )
    .unwrap();
    let output = tablut(&["doctor", "--store", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let found = text(&output.stdout);
    let line = found
        .lines()
        .find(|line| line.contains("database "))
        .unwrap();
    assert!(
        line.starts_with("FIX") && line.contains("--store"),
        "{found}"
    );
}

#[test]
fn the_doctor_speaks_json() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("tablut.db");
    let output = tablut(&["doctor", "--json", "--store", store.to_str().unwrap()]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = found.as_array().unwrap();
    let database = checks.iter().find(|one| one["check"] == "database");
    assert_eq!(database.unwrap()["verdict"], "ok");
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let page = text(&tablut(&["man"]).stdout);
    assert!(page.contains(".TH") && page.contains("analyse"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("man1");
    assert!(
        tablut(&["man", "--to", to.to_str().unwrap()])
            .status
            .success()
    );
    for name in [
        "tablut",
        "tablut-play",
        "tablut-rules-show",
        "tablut-tournament-run",
    ] {
        let page = std::fs::read_to_string(to.join(format!("{name}.1"))).unwrap();
        assert!(page.contains("SYNOPSIS"), "{name}");
    }
    assert!(!to.join("tablut-supervise.1").exists());
}

#[test]
fn rules_are_told_in_the_language_of_the_surroundings() {
    let ask = |variables: &[(&str, &str)], more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tablut"));
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        command.args(["rules", "show", "ashton"]).args(more);
        text(&command.output().unwrap().stdout).contains("Il tavoliere")
    };
    let italian = ("LANG", "it_IT.UTF-8");
    assert!(ask(&[italian], &[]));
    assert!(ask(&[("LANG", "C"), ("LC_MESSAGES", "it")], &[]));
    assert!(!ask(&[italian, ("LC_ALL", "en_GB.UTF-8")], &[]));
    assert!(!ask(&[italian], &["--lang", "en"]));
    assert!(!ask(&[("LANG", "italiano")], &[]) && !ask(&[], &[]));
}

/// The end of a program's input ends its search, however endless.
#[test]
fn the_engine_ends_with_its_input() {
    for go in ["go infinite", "go ponder", "go", "go infinite nodes 10"] {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_tablut"))
            .args(["engine", "--hash", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = engine.stdin.take().unwrap();
        write!(input, "tablut 1\nposition start\n{go}\n").unwrap();
        drop(input);
        // Without the end, this waits for ever.
        let mut said = String::new();
        let mut output = engine.stdout.take().unwrap();
        output.read_to_string(&mut said).unwrap();
        assert!(engine.wait().unwrap().success());
        assert!(
            said.contains("bestmove ") || said.contains("error "),
            "{go}: {said}"
        );
    }
}

/// What is asked for and cannot be had is an error, not a crash.
#[cfg(unix)]
#[test]
fn a_table_that_does_not_fit_memory_is_refused() {
    let limited = |arguments: &str| {
        let program = env!("CARGO_BIN_EXE_tablut");
        let script = format!("ulimit -v 8000000 && exec {program} {arguments}");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script]).stdin(Stdio::null());
        shell.output().unwrap()
    };
    for arguments in [
        "analyse start --depth 1 --hash 65536",
        "solve start --max-plies 1 --hash 65536",
        "engine --hash 65536",
        "player WHITE --port 1 --hash 65536",
    ] {
        let output = limited(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(
            said.contains("no memory for a table of 65536 megabytes"),
            "{arguments}: {said}"
        );
    }
    let set = "printf 'tablut 1\\noption Hash 65536\\nposition start\\ngo nodes 50\\n'";
    let program = env!("CARGO_BIN_EXE_tablut");
    let script = format!("ulimit -v 8000000; {set} | {program} engine");
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let said = text(&output.stdout);
    assert!(said.contains("error there is no memory"), "{said}");
    assert!(said.contains("bestmove "), "{said}");
}

#[test]
fn an_address_of_another_machine_is_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("tablut.db");
    // An address for documentation, which no machine has.
    let output = tablut(&[
        "serve",
        "--no-open",
        "--bind",
        "192.0.2.7",
        "--store",
        store.to_str().unwrap(),
    ]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("192.0.2.7 is not an address of this machine"),
        "{said}"
    );
    assert!(!said.contains("--port"), "{said}");
}
