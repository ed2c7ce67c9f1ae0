//! The engine never makes an illegal move, whatever the rule set and however little it may think.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{sync::Arc, thread};

use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_rules::{BuiltIn, Game, Random, Rules, Side};

/// Games for each rule set.
const GAMES: u64 = 1_000;

/// A game is left after this many plies.
const LONGEST: usize = 40;

#[test]
fn moves_are_legal_in_a_thousand_random_games_under_every_set() {
    thread::scope(|scope| {
        for set in BuiltIn::ALL {
            scope.spawn(move || {
                let rules = set.rules();
                // One engine for all games of a set: what it knew of the others stays in its table.
                let mut engine = Engine::new(EngineOptions {
                    hash_mb: 1,
                    threads: 1,
                });
                for seed in 0..GAMES {
                    play(&rules, &mut engine, seed);
                }
            });
        }
    });
}

/// The engine against random moves; every line it tells is played out too.
fn play(rules: &Arc<Rules>, engine: &mut Engine, seed: u64) {
    let mut random = Random::new(seed);
    let side = Side::ALL[random.below(2)];
    let mut game = Game::new(rules.clone());
    while game.outcome().is_none() && game.plies().len() < LONGEST {
        let moves = rules.moves(game.position());
        if moves.is_empty() {
            // The referee's twins do not notice a side without moves.
            break;
        }
        // Random moves of its own lead the engine where it would not go.
        let thinks = game.position().side() == side && random.below(4) > 0;
        let step = if thinks {
            let limits = SearchLimits::nodes(1 + random.below(40) as u64);
            let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
            for line in &report.lines {
                let mut copy = game.clone();
                for &step in &line.moves {
                    let name = format!("{} {seed} {} {step}", rules.set().id(), copy.position());
                    assert!(copy.play(step).is_ok(), "{name}");
                }
            }
            report.best.unwrap()
        } else {
            random.pick(&moves)
        };
        game.play(step).unwrap();
    }
}
