//! The program in a shell: completions, colours, the doctor.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]

use std::process::{Command, Output};

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
    let script = text(&tablut(&["completions", "bash"]).stdout);
    for (words, expected) in [
        ("tablut con", "console"),
        ("tablut console --ru", "--rules"),
        ("tablut completions z", "zsh"),
    ] {
        let last = words.split(' ').count() - 1;
        let ask = format!(
            "{script}\nCOMP_WORDS=({words})\nCOMP_CWORD={last}\n\
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
    assert!(found.contains("is not there yet"), "{found}");
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
