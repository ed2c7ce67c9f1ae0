//! The Berkeley console as graders meet it: scripts with the transcripts they must produce, forced
//! wins, and two processes that play each other.
//!
//! `CONSOLE=overwrite cargo test --release -p tablut --test program console` writes the transcripts anew;
//! then read the diff.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

fn console(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablut"));
    command.arg("console").args(arguments);
    command
}

/// What a script makes the console print: standard output and standard error.
fn run(arguments: &[&str], script: &str) -> (String, String) {
    let mut child = console(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A console that has left does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the exit code is always 0");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn scripts_produce_their_transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/console");
    let mut scripts = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        scripts += 1;
        let rules = match path.file_stem().unwrap().to_str().unwrap() {
            "ashton" => "ashton",
            _ => "berkeley",
        };
        let (out, errors) = run(&["--rules", rules], &fs::read_to_string(&path).unwrap());
        for (extension, text) in [("out", out), ("err", errors)] {
            let transcript = path.with_extension(extension);
            if env::var_os("CONSOLE").is_some_and(|wish| wish == "overwrite") {
                fs::write(&transcript, &text).unwrap();
            }
            let expected = fs::read_to_string(&transcript).unwrap();
            assert_eq!(text, expected, "{}", transcript.display());
        }
        let name = path.to_str().unwrap();
        let from_file = run(&["--rules", rules, name], "");
        let expected = fs::read_to_string(path.with_extension("out")).unwrap();
        assert_eq!(from_file.0, expected, "{name} as a file");
    }
    assert!(scripts >= 8, "only {scripts} scripts were found");
}

/// The letters of a board given by rows from the top, one for each square.
fn squares(board: &str) -> Vec<char> {
    let mut letters = Vec::new();
    for letter in board.chars().filter(|&letter| letter != '/') {
        match letter.to_digit(10) {
            Some(empty) => letters.extend((0..empty).map(|_| '-')),
            None => letters.push(letter.to_ascii_uppercase()),
        }
    }
    letters
}

/// Commands that turn one board into another.
fn toggles(from: &str, to: &str) -> String {
    let cycle = |letter| "-WKB".find(letter).unwrap();
    let mut script = String::new();
    for (n, (old, new)) in squares(from).into_iter().zip(squares(to)).enumerate() {
        let square = format!("{}{}", char::from(b'a' + (n % 9) as u8), 9 - n / 9);
        let times = (cycle(new) + 4 - cycle(old)) % 4;
        script += &format!("toggle {square}\n").repeat(times);
    }
    script
}

const START: &str = "3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3";
const AFTER_D9_C: &str = "2b1bb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3";

#[test]
fn wins_at_most_four_own_moves_away_are_found_in_time() {
    for line in include_str!("console/wins.list").lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let &[plies, board, side] = &words[..] else {
            continue;
        };
        if line.starts_with('#') {
            continue;
        }
        let own_moves = plies.parse::<usize>().unwrap().div_ceil(2);
        let (start, who) = match side {
            "b" => (format!("manual white\n{}", toggles(START, board)), "Black"),
            _ => {
                let set = toggles(AFTER_D9_C, board);
                (format!("manual white\nd9-c\n{set}"), "White")
            }
        };
        let other = if side == "b" { "white" } else { "black" };
        let own = who.to_lowercase();
        // With the limit that just allows the win, and with one that is far away.
        for limit in [own_moves, 50] {
            let script = format!("{start}limit {limit}\nauto {other}\nauto {own}\n");
            let (out, errors) = run(&[], &script);
            assert_eq!(errors, "", "{line}");
            assert!(out.ends_with(&format!("* {who} wins.\n")), "{line}: {out}");
            let moves = out.lines().count() - 1;
            assert!(
                moves.div_ceil(2) <= own_moves,
                "{line}, limit {limit}: {out}"
            );
        }
    }
}

/// A console process with its pipes.
struct Player {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn new(script: &str) -> Self {
        let mut child = console(&[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(script.as_bytes()).unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            input,
            output,
        }
    }

    /// The next line, without its star.
    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.strip_prefix("* ").unwrap().trim_end().to_string()
    }

    fn tell(&mut self, step: &str) {
        writeln!(self.input, "{step}").unwrap();
    }

    fn leave(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn two_processes_play_each_other_to_the_result_of_one_that_plays_both() {
    let seed = "seed 11\n";
    let mut black = Player::new(&format!("{seed}manual white\nauto black\n"));
    let mut white = Player::new(seed);
    let mut heard = String::new();
    let result = loop {
        let step = black.hear();
        heard += &format!("* {step}\n");
        if step.ends_with("wins.") {
            break step;
        }
        white.tell(&step);
        let answer = white.hear();
        heard += &format!("* {answer}\n");
        if answer.ends_with("wins.") {
            break answer;
        }
        black.tell(&answer);
    };
    assert!(result == "White wins." || result == "Black wins.");
    black.leave();
    white.leave();
    let (alone, errors) = run(&[], &format!("{seed}auto black\n"));
    assert_eq!(errors, "");
    assert_eq!(heard, alone);
}

#[test]
fn the_same_seed_gives_the_same_game_also_after_new() {
    let (once, _) = run(&["--seed", "4"], "auto black\n");
    let (twice, _) = run(&[], "seed 4\nauto black\nnew\n");
    assert_eq!(twice, once.repeat(2));
    let others = (5..9).map(|seed| run(&[], &format!("seed {seed}\nauto black\n")).0);
    assert!(others.into_iter().any(|other| other != once));
}

#[test]
fn only_moves_results_and_boards_are_on_standard_output() {
    let (out, _) = run(&[], "nonsense\nd9-c\ndump\ntoggle x\n");
    let stars = out.lines().filter(|line| line.contains('*'));
    assert!(stars.clone().all(|line| line.starts_with("* ")));
    assert_eq!(stars.count(), 1);
    assert_eq!(out.matches("===").count(), 2);
}

#[test]
fn the_flags_of_the_original_do_what_they_did_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let script = "manual white # both\nd9-c\ndump\nauto white\nquit\nnever read\n";
    fs::write(path("in"), script).unwrap();
    let log = format!("--log={}", path("log"));
    let output = console(&["--strict", &log, "--display", &path("in"), &path("out")])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout, b"", "everything is in the file");
    let out = fs::read_to_string(path("out")).unwrap();
    assert!(out.starts_with("===\n 9 - - B - B B - - -\n"), "{out}");
    let automatic = out
        .lines()
        .find_map(|line| line.strip_prefix("* "))
        .unwrap();
    let expected = format!("manual white # both\nd9-c\ndump\nauto white\n{automatic}\nquit\n");
    assert_eq!(fs::read_to_string(path("log")).unwrap(), expected);
    // At the start, after a manual move and after an automatic one.
    let shown = String::from_utf8(output.stderr).unwrap();
    assert_eq!(shown.matches("===").count(), 6, "{shown}");

    let mut child = console(&["--strict"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"seed -5\ndump\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "the first error is the last");
    assert_eq!(output.stdout, b"");
}
