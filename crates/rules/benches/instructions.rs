//! Instruction counts of the hot paths, by callgrind: the same on every run, so limits can be held.
//!
//! `cargo bench -p tablut-rules --bench instructions` runs each workload of `instructions.limits`
//! under valgrind and fails if one costs more than its limit. The program starts itself again for
//! each workload; only what happens inside [`measured`] is counted.

use std::{
    env,
    hint::black_box,
    process::{Command, ExitCode},
};

use tablut_rules::{BuiltIn, Game, Move, Position, Rules};

/// Workloads with their limits: name, rule set, instructions.
const LIMITS: &str = include_str!("instructions.limits");

/// How much more than under `ashton` a made move may cost under another set, in per cent.
const SPREAD: u64 = 15;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().collect();
    if let Some(place) = arguments.iter().position(|a| a == "--measure") {
        let rules = arguments[place + 2]
            .parse::<BuiltIn>()
            .expect("a built-in set")
            .rules();
        println!("{}", run(&arguments[place + 1], &rules));
        return ExitCode::SUCCESS;
    }
    let mut failures = 0;
    println!(
        "{:<12} {:<16} {:>13} {:>13}  {:>8}",
        "workload", "rules", "instructions", "limit", "per unit"
    );
    for line in LIMITS.lines().filter(|line| !line.starts_with('#')) {
        let [workload, rules, limit] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("a limit is a workload, a rule set and a number: {line}");
        };
        let limit: u64 = limit.replace('_', "").parse().expect("a number");
        let (count, units) = count(workload, rules);
        let verdict = if count > limit {
            "  over the limit"
        } else {
            ""
        };
        failures += u32::from(count > limit);
        let per_unit = count as f64 / units as f64;
        println!("{workload:<12} {rules:<16} {count:>13} {limit:>13}  {per_unit:>8.1}{verdict}");
    }
    failures += spread();
    if failures == 0 {
        ExitCode::SUCCESS
    } else {
        println!("{failures} over the limit");
        ExitCode::FAILURE
    }
}

/// Compares the cost of a made move under every set with that under the default one.
fn spread() -> u32 {
    let mut failures = 0;
    let mut first = None;
    println!("\na made move, in instructions (at most {SPREAD} % more than under the first set)");
    for set in BuiltIn::ALL {
        let (count, units) = count("perft-made", set.id());
        let base = *first.get_or_insert(count as f64 / units as f64);
        let percent = 100.0 * (count as f64 / units as f64 / base - 1.0);
        let over = percent > SPREAD as f64;
        failures += u32::from(over);
        let verdict = if over { "  over the limit" } else { "" };
        println!(
            "{:<16} {:>8.1} {percent:>+7.1} %{verdict}",
            set.id(),
            count as f64 / units as f64
        );
    }
    failures
}

/// Runs a workload under callgrind: its instructions, and how many units of work it did.
fn count(workload: &str, rules: &str) -> (u64, u64) {
    let valgrind = env::var("VALGRIND").unwrap_or_else(|_| "valgrind".into());
    let output = Command::new(valgrind)
        .args(["--tool=callgrind", "--toggle-collect=*measured*"])
        .arg("--callgrind-out-file=/dev/null")
        .arg(env::current_exe().expect("the path of this program"))
        .args(["--measure", workload, rules])
        .output()
        .expect("valgrind runs (Debian package valgrind)");
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log
        .lines()
        .find_map(|line| line.split("Collected :").nth(1));
    let Some(count) = collected.and_then(|count| count.trim().parse().ok()) else {
        panic!("valgrind did not count:\n{log}");
    };
    let units = String::from_utf8_lossy(&output.stdout);
    let units = units.trim().parse();
    let units = units.expect("the workload prints its units");
    assert!(count >= units, "nothing was counted inside `measured`");
    (count, units)
}

/// The only function callgrind counts.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// Does a workload and says how many units it had.
fn run(workload: &str, rules: &Rules) -> u64 {
    let start = black_box(rules.start());
    let positions = positions(rules);
    match workload {
        "moves" => measured(|| {
            let lists = positions.iter().map(|(position, _)| rules.moves(position));
            lists.map(|list| black_box(list).len() as u64).sum()
        }),
        "count" => measured(|| {
            let counts = positions
                .iter()
                .map(|(position, _)| rules.count_moves(position));
            counts.map(|count| count as u64).sum()
        }),
        "apply" => measured(|| {
            for (position, step) in &positions {
                black_box(rules.apply_unchecked(position, *step));
            }
            positions.len() as u64
        }),
        "perft-bulk" => measured(|| rules.perft(&start, 3)),
        "perft-made" => {
            measured(|| rules.perft_made(&start, 3));
            // Every move of all three depths was made.
            (1..=3).map(|depth| rules.perft(&start, depth)).sum()
        }
        _ => panic!("there is no workload {workload}"),
    }
}

/// Positions of random games, each with a move to make.
fn positions(rules: &Rules) -> Vec<(Position, Move)> {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let rules = std::sync::Arc::new(rules.clone());
    let mut positions = Vec::new();
    while positions.len() < 2_000 {
        let mut game = Game::new(rules.clone());
        while game.outcome().is_none() && game.plies().len() < 60 {
            let position = *game.position();
            let moves = rules.moves(&position);
            if moves.is_empty() {
                break;
            }
            let step = moves[random(moves.len())];
            positions.push((position, step));
            game.play(step).expect("a listed move is legal");
        }
    }
    positions
}
