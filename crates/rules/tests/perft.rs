//! Counts of move sequences for every rule set, from the files in `perft/`.
//!
//! A file holds one rule set. Its lines: `position TEXT` (or `position start`), then
//! `perft DEPTH NODES CAPTURING-MOVES MEN WHITE-WINS BLACK-WINS`; `#` starts a comment.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{fs, path::Path};

use tablut_rules::{BuiltIn, Perft};

/// Counts above this many nodes are left to the test that is run on request.
const QUICK: u64 = 25_000_000;

fn check(wanted: impl Fn(u64) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut checked = 0;
    for set in BuiltIn::ALL {
        let file = folder.join(format!("{}.perft", set.id()));
        assert!(file.is_file(), "{} is missing", file.display());
    }
    for entry in folder.read_dir().unwrap() {
        let file = entry.unwrap().path();
        let rules = file.file_stem().unwrap().to_str().unwrap();
        let rules = rules.parse::<BuiltIn>().unwrap().rules();
        let mut position = rules.start();
        for line in fs::read_to_string(&file).unwrap().lines() {
            let line = line.split('#').next().unwrap().trim();
            match line.split_once(' ') {
                None => {}
                Some(("position", "start")) => position = rules.start(),
                Some(("position", text)) => {
                    position = rules.position(&text.parse().unwrap()).unwrap();
                }
                Some(("perft", numbers)) => {
                    let numbers: Vec<u64> = numbers
                        .split_whitespace()
                        .map(|number| number.parse().unwrap())
                        .collect();
                    let [
                        depth,
                        nodes,
                        capture_moves,
                        captured_men,
                        defender_wins,
                        attacker_wins,
                    ] = numbers[..]
                    else {
                        panic!("{}: {line}", file.display());
                    };
                    if !wanted(nodes) {
                        continue;
                    }
                    let expected = Perft {
                        nodes,
                        capture_moves,
                        captured_men,
                        defender_wins,
                        attacker_wins,
                    };
                    let depth = u32::try_from(depth).unwrap();
                    let made = rules.perft_made(&position, depth);
                    assert_eq!(made, expected, "{}: {line}", file.display());
                    assert_eq!(rules.perft(&position, depth), nodes);
                    if nodes < 1_000_000 {
                        let parts = rules.divide(&position, depth);
                        assert_eq!(parts.map(|(_, part)| part.nodes).sum::<u64>(), nodes);
                    }
                    checked += 1;
                }
                Some(_) => panic!("{}: {line}", file.display()),
            }
        }
    }
    assert!(checked > 0, "there were no counts to check");
}

#[test]
fn counts_of_quick_depths_are_right() {
    check(|nodes| nodes <= QUICK);
}

#[test]
#[ignore = "takes a minute: cargo test --release -p tablut-rules --test perft -- --ignored"]
fn counts_of_deep_depths_are_right() {
    check(|nodes| nodes > QUICK);
}
