//! `tablut match` as a whole: the real program, real games, real programs as players.
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

#[path = "../../guest/tests/double/mod.rs"]
mod double;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use serde_json::Value;
use tablut_rules::{BuiltIn, record};

/// Plays a program when the tests start themselves as one; see `double`.
#[test]
fn double() {
    double::play();
}

fn tablut(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablut"));
    command.arg("match").args(words);
    command
}

fn run(words: &[&str]) -> Output {
    tablut(words).output().unwrap()
}

fn json(words: &[&str]) -> Value {
    let output = run(&[words, &["--json"]].concat());
    let errors = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(output.status.success(), "{words:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A file that is not there yet and no other test has.
fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{}-{name}", std::process::id()));
    drop(fs::remove_file(&path));
    path
}

#[test]
fn games_of_random_players_give_valid_records() {
    let path = fresh("valid.tablut");
    let name = path.to_str().unwrap();
    for rules in ["ashton", "berkeley"] {
        let summary = json(&[
            "random",
            "random",
            "-n",
            "6",
            "-r",
            rules,
            "--records",
            name,
        ]);
        assert_eq!(summary["total"]["games"], 6);
        assert_eq!(summary["ended"], "complete");
        assert_eq!(summary["games"].as_array().unwrap().len(), 6);
    }
    // The second series was added behind the first.
    let text = fs::read_to_string(&path).unwrap();
    let records: Vec<_> = record::read_all(&text).map(Result::unwrap).collect();
    assert_eq!(records.len(), 12);
    for (n, record) in records.iter().enumerate() {
        let rules = record.rules.parse::<BuiltIn>().unwrap().rules();
        record.replay(&rules).unwrap();
        assert!(record.outcome.is_some());
        let round = (n % 6 + 1).to_string();
        assert_eq!(record.header("Round"), Some(round.as_str()));
    }
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let play = |seed, concurrency| {
        let words = [
            "random",
            "random",
            "-n",
            "20",
            "--seed",
            seed,
            "-c",
            concurrency,
        ];
        json(&words)
    };
    let one = play("5", "1");
    assert_eq!(one, play("5", "1"));
    assert_eq!(one, play("5", "3"));
    assert_ne!(one["games"], play("6", "1")["games"]);
}

#[test]
fn the_table_is_per_colour_with_elo_and_a_verdict() {
    let output = run(&["random", "random", "-n", "400", "--sprt", "-900,-800"]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "random against random, ashton",
        "\nwhite ",
        "\nblack ",
        "\nboth ",
        " ± ",
        "with 0, ½, 1, 1½, 2 points",
        "SPRT      -900 or -800 normalized Elo",
        "random is better",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(output.stderr.is_empty());
}

#[test]
fn a_program_that_plays_well_finishes_its_games() {
    let pids = fresh("good.pids");
    let engine = format!("engine:{}", double::command("random", &pids));
    let words = [
        "random",
        &engine,
        "-n",
        "4",
        "-t",
        "20",
        "--max-plies",
        "30",
        // So that it can write its process down.
        "--trust-programs",
    ];
    let summary = json(&words);
    assert_eq!(summary["total"]["games"], 4);
    for game in summary["games"].as_array().unwrap() {
        assert_eq!(game["fault"], Value::Null);
    }
    assert_eq!(summary, json(&words), "the program was given the seed");
    double::assert_gone(&pids);
}

#[test]
fn a_program_that_misbehaves_loses_and_leaves_nothing_behind() {
    for (kind, reason) in double::BAD {
        let pids = fresh(kind);
        let engine = format!("engine:{}", double::command(kind, &pids));
        // Little time where nothing will come, much where a busy machine may need it.
        let time = if reason == "time-out" { "0.1" } else { "20" };
        let startup = if kind == "silent" { "0.1" } else { "20" };
        let summary = json(&[
            &engine,
            "random",
            "-n",
            "2",
            "-t",
            time,
            "--startup",
            startup,
            "--trust-programs",
        ]);
        assert_eq!(summary["total"]["lost"], 2, "{kind}");
        for game in summary["games"].as_array().unwrap() {
            assert_eq!(game["reason"], reason, "{kind}");
            assert!(game["fault"].is_string());
        }
        double::assert_gone(&pids);
    }
}

#[test]
fn openings_come_from_a_file() {
    let path = fresh("openings.txt");
    let name = path.to_str().unwrap();
    fs::write(&path, "# two\nashton e4d4 d1c1\nberkeley d1c1\n").unwrap();
    let records = fresh("openings.tablut");
    json(&[
        "random",
        "random",
        "-n",
        "4",
        "--openings",
        name,
        "--records",
        records.to_str().unwrap(),
    ]);
    let text = fs::read_to_string(&records).unwrap();
    for record in record::read_all(&text) {
        let record = record.unwrap();
        let tree = record.tree();
        let steps = tree.main_line().filter_map(|node| tree.step(node));
        let steps: Vec<String> = steps.take(2).map(|step| step.to_string()).collect();
        assert_eq!(steps, ["e4d4", "d1c1"]);
    }
    fs::write(&path, "ashton e4d4 d1d9\n").unwrap();
    let output = run(&["random", "random", "--openings", name]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("line 1: move 2 (d1d9) cannot be made"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    for (words, part) in [
        (&["random", "human"][..], "there are level:1"),
        (&["random", "engine:/no/such/program"], "cannot be started"),
        (&["random", "person"], "`tablut play`"),
        (&["random", "random", "-n", "0"], "as in -n 2"),
        (
            &["random", "random", "--sprt", "5,0"],
            "elo0 has to be less",
        ),
        (&["random", "random", "-t", "never"], "number of seconds"),
        (
            &["random", "random", "--openings", "/no/such/file"],
            "cannot read /no/such/file",
        ),
        (
            &["random", "random", "--records", "/no/such/folder/x"],
            "cannot write to",
        ),
    ] {
        let output = run(words);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(part), "{words:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

#[cfg(unix)]
mod signals {
    use std::{
        io::{BufRead, BufReader, Read},
        process::{Child, Stdio},
        thread,
    };

    use rustix::process::{Pid, Signal, kill_process};

    use super::*;

    fn start(words: &[&str]) -> Child {
        let mut command = tablut(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    fn interrupt(child: &Child) {
        kill_process(Pid::from_child(child), Signal::INT).unwrap();
    }

    /// Waits until a file has something in it.
    fn wait_for(path: &PathBuf) {
        while fs::metadata(path).map_or(0, |file| file.len()) == 0 {
            thread::yield_now();
        }
    }

    #[test]
    fn the_first_interrupt_finishes_and_prints_the_table() {
        let records = fresh("interrupted.tablut");
        let name = records.to_str().unwrap();
        let child = start(&[
            "random",
            "random",
            "-n",
            "10000000",
            "--random-plies",
            "0",
            "--records",
            name,
        ]);
        wait_for(&records);
        interrupt(&child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.contains("stopped before all 10000000 games were played"),
            "{text}"
        );
        let text = fs::read_to_string(&records).unwrap();
        assert!(record::read_all(&text).all(|record| record.is_ok()));
    }

    #[test]
    fn the_second_interrupt_stops_at_once_and_ends_programs() {
        let pids = fresh("stopped.pids");
        let engine = format!("engine:{}", double::command("mute", &pids));
        let mut child = start(&[
            &engine,
            "random",
            "-t",
            "3600",
            "-n",
            "2",
            "--trust-programs",
        ]);
        wait_for(&pids);
        interrupt(&child);
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("finishing the games in progress") {
            line.clear();
            assert!(errors.read_line(&mut line).unwrap() > 0);
        }
        interrupt(&child);
        let mut text = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert!(text.contains("stopped before all 2 games"), "{text}");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        double::assert_gone(&pids);
    }
}
