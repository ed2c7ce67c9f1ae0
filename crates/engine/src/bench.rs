//! A fixed piece of work: the same positions, depth and thread every time.
//!
//! The sum of the nodes is a signature of the search: a change that keeps it changed no decision; the
//! time tells the speed. The openings come from games of Challenge programs.

use std::time::Duration;

use tablut_rules::{BuiltIn, Game};

use crate::{Control, Engine, EngineOptions, SearchLimits};

/// The depth of a plain run.
pub const DEPTH: u32 = 9;

/// Rule set and moves of each position.
const POSITIONS: &[(&str, &str)] = &[
    ("ashton", ""),
    (
        "ashton",
        "c5c4 a6c6 d5d3 d9d7 e7f7 e8e7 e5e6 i6f6 g5g6 i4g4 f5f4 b5d5 c4c5 f1f3 c5c4 h5f5 g6g5 e2c2",
    ),
    (
        "ashton",
        "f5f4 h5h7 e5f5 e2g2 f4g4 b5b7 g5g6 g2g3 g4g5 f1f3 d5d3 h7g7 e6d6 f9f7 e7d7 d1b1",
    ),
    (
        "ashton",
        "c5c4 a6c6 e6f6 d1d4 e3d3 e2e3 f5f3 b5c5 d3d5 a4a3 d5d6 d9d7",
    ),
    (
        "ashton",
        "e3d3 e2e3 e5e4 b5b3 e4c4 b3c3 c4g4 f1g1 g4g3 h5h3 g3g4 a4d4 g5g8 i5g5",
    ),
    (
        "ashton",
        "c5c6 a4c4 d5d6 d1d3 e3h3 b5b7 e4f4 h5h7 f5f6 e8g8 g5g6 d9c9 g6g5 c9c8 g5g6 i4g4",
    ),
    (
        "ashton",
        "e3d3 f1f3 d5d6 e2e3 e5e4 i4g4 e6g6 f9f6 e7f7 a4d4 c5c4 a6c6 f7e7 d1c1 d3c3 h5h7",
    ),
    ("berkeley", ""),
    ("linnaeus", ""),
    ("modern", ""),
];

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// Positions visited: the signature.
    pub nodes: u64,
    /// Time used by the searches.
    pub time: Duration,
}

/// Searches every position to a depth with one thread and a fresh table.
#[must_use]
pub fn run(depth: u32) -> Bench {
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 16,
        threads: 1,
    });
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (set, moves) in POSITIONS {
        engine.clear();
        let game = game(set, moves);
        let limits = SearchLimits::depth(depth);
        let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
        nodes += report.nodes;
        time += report.time;
    }
    Bench { nodes, time }
}

/// The games whose last positions are searched.
#[must_use]
pub fn games() -> Vec<Game> {
    POSITIONS
        .iter()
        .map(|(set, moves)| game(set, moves))
        .collect()
}

fn game(set: &str, moves: &str) -> Game {
    let rules = set.parse::<BuiltIn>().expect("the set ships").rules();
    let mut game = Game::new(rules);
    for step in moves.split_whitespace() {
        let step = step.parse().expect("the move is well written");
        game.play(step).expect("the move is legal");
    }
    game
}
