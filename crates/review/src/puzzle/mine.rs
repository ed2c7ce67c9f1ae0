//! Looking for puzzles in a whole game.

use std::collections::BTreeMap;

use tablut_engine::{Engine, EngineOptions};
use tablut_rules::{Game, Side};

use super::{Effort, Puzzle, difficulty, distance, find_save, find_win};

/// The most positions the engine looks at to find out how hard a puzzle is, and its memory in megabytes.
const DIFFICULTY_NODES: u64 = 100_000;
const HASH_MB: usize = 8;

/// The puzzles of a game that has ended: at most one win and one save, without numbers. Always the same for
/// the same game and effort.
#[must_use]
pub fn mine(game: &Game, effort: &Effort) -> Vec<Puzzle> {
    let mut found = Vec::new();
    let mut game = game.clone();
    match game.outcome().map(|outcome| outcome.winner) {
        Some(Some(winner)) => mine_win(&mut game, winner, effort, &mut found),
        // Who drew by repetition may have had nothing else.
        Some(None) => {
            game.undo();
            mine_save(&game, effort, &mut found);
        }
        None => {}
    }
    found
}

/// Looks at a game that a side won: back from the end, as far as the win is proved.
fn mine_win(game: &mut Game, winner: Side, effort: &Effort, found: &mut Vec<Puzzle>) {
    // For each length the win that came first: it has most pieces to look at.
    let mut won = BTreeMap::new();
    while game.undo() {
        if game.position().side() != winner {
            continue;
        }
        match distance(game, effort) {
            Some(plies) => won.insert(plies, game.clone()),
            None => break,
        };
    }
    // The longest wins first: the others are parts of them most often.
    let mut wins = won.iter().rev();
    let win = wins.find_map(|(&plies, game)| Some((find_win(game, plies, effort)?, game)));
    if let Some((puzzle, game)) = win {
        found.push(judged(puzzle, game, effort));
    }
    // Where the loser had the last chance.
    for _ in 0..2 {
        if game.position().side() != winner {
            mine_save(game, effort, found);
            break;
        }
        if !game.undo() {
            break;
        }
    }
}

fn mine_save(game: &Game, effort: &Effort, found: &mut Vec<Puzzle>) {
    let effort = Effort {
        nodes: effort.nodes / 4,
        ..effort.clone()
    };
    if let Some(puzzle) = find_save(game, &effort) {
        found.push(judged(puzzle, game, &effort));
    }
}

/// The puzzle with how hard it is.
fn judged(mut puzzle: Puzzle, game: &Game, effort: &Effort) -> Puzzle {
    let mut engine = Engine::new(EngineOptions {
        hash_mb: HASH_MB,
        threads: 1,
    });
    let most = DIFFICULTY_NODES;
    puzzle.nodes = difficulty(&mut engine, game, &puzzle, most, &effort.control);
    puzzle
}
