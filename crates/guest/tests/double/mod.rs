//! Programs to play against, good and bad.
//!
//! The test binary plays them itself: started with the name of its one test `double` and
//! `kind=NAME` behind it, it speaks the line protocol instead of testing anything. So they need no
//! shell, and are there wherever the tests are.

use std::{
    env, fs,
    io::{self, BufRead, Write},
    path::Path,
    process::{Command, exit},
    thread,
};

use tablut_arena::{
    Budget, Mover,
    protocol::{EngineAction, EngineSession},
};
use tablut_guest::RandomMover;
use tablut_rules::Side;

/// What a bad program does when it is asked for a move; `random` is the good one.
pub(crate) const BAD: [(&str, &str); 7] = [
    ("silent", "connection lost"),
    ("mute", "time-out"),
    ("garbage", "time-out"),
    ("endless", "connection lost"),
    ("illegal", "illegal move"),
    ("nonsense", "illegal move"),
    ("crash", "connection lost"),
];

/// The command line of a double; process ids are added to a file.
pub(crate) fn command(kind: &str, pids: &Path) -> String {
    let program = env::current_exe().unwrap();
    format!(
        "'{}' --exact double kind={kind} 'pids={}'",
        program.display(),
        pids.display()
    )
}

/// Plays the program that the command line asks for, if it does, and ends the process.
#[expect(
    clippy::zombie_processes,
    reason = "a program that leaves something behind is what is played"
)]
pub(crate) fn play() {
    let value = |key: &str| env::args().find_map(|word| Some(word.strip_prefix(key)?.to_string()));
    let Some(kind) = value("kind=") else {
        return;
    };
    if let Some(path) = value("pids=") {
        let mut ids = format!("{}\n", std::process::id());
        if kind == "mute" && cfg!(unix) {
            // Something that would go on, with our output in its hands, if only we were killed.
            let child = Command::new("sleep").arg("1000").spawn().unwrap();
            ids += &format!("{}\n", child.id());
        }
        let mut file = fs::File::options().create(true).append(true).open(path);
        file.as_mut().unwrap().write_all(ids.as_bytes()).unwrap();
    }
    // What the test harness has written so far ends here.
    say("");
    if kind == "silent" {
        hang();
    }
    obey(&kind);
    if kind == "mute" {
        hang();
    }
    exit(0);
}

/// Writes a line past the test harness; nobody there to read it is no reason to go on.
fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(1);
    }
}

fn hang() -> ! {
    loop {
        thread::park();
    }
}

fn obey(kind: &str) {
    let offers = vec!["Seed number 0 0 4294967295".parse().unwrap()];
    let mut session = EngineSession::new("Double", "the tests", offers);
    let mut mover = RandomMover::default();
    let mut seed = 0;
    for line in io::stdin().lock().lines() {
        let mut actions = session.told(&line.unwrap());
        while !actions.is_empty() {
            match actions.remove(0) {
                EngineAction::Say(reply) => say(&reply.to_string()),
                EngineAction::SetOption { value, .. } => seed = value.parse().unwrap(),
                EngineAction::NewGame(rules) => {
                    mover.new_game(&rules, Side::Attackers, seed).unwrap();
                }
                EngineAction::Search { game, .. } => {
                    misbehave(kind);
                    let choice = mover.choose(&game, Budget::default().into()).unwrap();
                    say("info depth 1 score 0.10 nodes 1 time 0");
                    actions.extend(session.found(Some(choice.step)));
                }
                EngineAction::Quit => return,
                EngineAction::StartClock | EngineAction::Stop => {}
            }
        }
    }
}

/// What a bad program does instead of moving.
fn misbehave(kind: &str) {
    match kind {
        "random" => {}
        "mute" => hang(),
        "garbage" => loop {
            say("\u{1b}[1m garbage garbage \u{0} garbage");
        },
        "endless" => loop {
            let mut out = io::stdout().lock();
            if out.write_all(&[b'x'; 4096]).is_err() {
                exit(1);
            }
        },
        "illegal" => say("bestmove a1a1"),
        "nonsense" => say("bestmove xyzzy"),
        "crash" => exit(3),
        kind => panic!("there is no double {kind}"),
    }
}

/// Asserts that none of the processes in a file lives any more.
pub(crate) fn assert_gone(pids: &Path) {
    if !cfg!(target_os = "linux") {
        return;
    }
    let ids = fs::read_to_string(pids).unwrap();
    assert!(!ids.is_empty());
    for id in ids.lines() {
        // A killed process takes a moment to be gone; waiting for it is no part of what is tested.
        for turn in 0.. {
            let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let state = stat.rsplit(") ").next().unwrap_or_default().chars().next();
            if matches!(state, None | Some('Z' | 'X')) {
                break;
            }
            assert!(turn < 1_000_000, "process {id} lives: {stat}");
            thread::yield_now();
        }
    }
}
