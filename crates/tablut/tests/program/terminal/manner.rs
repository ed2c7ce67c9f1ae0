//! How the program treats the terminal it was lent.

use rustix::process::Signal;

use super::harness::{Terminal, tablut};

/// The numbers of all sequences that set colours or letters.
fn styles(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let parts = text.split("\x1b[").skip(1);
    parts
        .filter_map(|part| {
            let end = part.find(|letter: char| letter.is_ascii_alphabetic())?;
            (part.as_bytes()[end] == b'm').then(|| part[..end].to_string())
        })
        .collect()
}

/// Whether a sequence sets a colour; 39 and 49 set none.
fn is_colour(style: &str) -> bool {
    style.split(';').any(|number| {
        let number = number.parse::<u32>().unwrap_or(0);
        matches!(number, 30..=38 | 40..=48 | 90..=97 | 100..=107)
    })
}

#[test]
fn the_terminal_is_left_clean_by_keys_and_signals() {
    let folder = tempfile::tempdir().unwrap();
    let ends: [(&str, Option<Signal>); 4] = [
        ("q", None),
        ("\x03", None),
        ("", Some(Signal::TERM)),
        ("", Some(Signal::INT)),
    ];
    for (keys, signal) in ends {
        let arguments = ["play", "--against", "level:1", "--store", "games.db"];
        let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
        terminal.see("Your turn");
        terminal.press(keys);
        if let Some(signal) = signal {
            terminal.signal(signal);
        }
        assert!(terminal.end().success(), "{keys:?} {signal:?}");
        terminal.assert_clean();
    }
}

#[test]
fn no_color_means_no_colour() {
    let folder = tempfile::tempdir().unwrap();
    for (value, expected) in [("", true), ("1", false)] {
        let arguments = ["play", "--against", "level:1", "--store", "games.db"];
        let command = tablut(folder.path(), &arguments).env("NO_COLOR", value);
        let mut terminal = Terminal::start(command);
        terminal.see("Your turn");
        terminal.press("\x1b[A\r\x1b[D");
        terminal.see("‹");
        terminal.press("?");
        terminal.see("key closes this");
        terminal.press("qq");
        assert!(terminal.end().success());
        let styles = styles(&terminal.raw);
        let has_colours = styles.iter().any(|style| is_colour(style));
        assert_eq!(has_colours, expected, "{styles:?}");
    }
}

#[test]
fn a_plain_locale_gets_ascii_and_italians_italian() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "--store", "games.db"];
    let command = tablut(folder.path(), &arguments).env("LC_ALL", "it_IT.ISO-8859-1");
    let mut terminal = Terminal::start(command);
    terminal.see("Comincia la partita");
    terminal.press("\r");
    let screen = terminal.see("Tocca a te");
    assert!(screen.is_ascii(), "{screen}");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn without_a_terminal_it_is_said_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(["play", "--store"])
        .arg(folder.path().join("games.db"))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("tablut console"), "{said}");
}
