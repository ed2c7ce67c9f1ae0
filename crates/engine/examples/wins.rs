//! Makes `tests/wins.txt`: `wins RECORDS > wins.txt`.
//!
//! Positions come from the won games of a file of records and from games of the engine against
//! itself, under every listed rule set. Going back from the end of a game, the first positions
//! whose win is of a length still wanted are kept, if solver and engine find them quickly.

use std::{collections::HashMap, error::Error, sync::Arc};

use tablut_engine::{
    Control, Engine, EngineOptions, Score, SearchLimits, SearchReport,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{BuiltIn, Game, Random, Rules, Setup, Side, record};

/// Games of the engine against itself for each rule set.
const GAMES: u64 = 50;

/// What the solver may use, so that the tests stay fast.
const SOLVE: SolveLimits = SolveLimits {
    plies: 17,
    nodes: 250_000,
};

/// The most nodes the engine may need.
const NEEDED: u64 = 40_000;

/// Budgets are this many times what is needed today, and never less than 10,000.
const ROOM: u64 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of records")?;
    let mut wins = Wins {
        engine: Engine::new(EngineOptions {
            hash_mb: 16,
            threads: 1,
        }),
        kept: HashMap::new(),
    };
    println!(
        "# Rule set, plies of the shortest win of the side to move, nodes the engine may use, position."
    );
    println!("# Made by `cargo run --release -p tablut-engine --example wins -- {file}`.");
    for set in BuiltIn::LISTED {
        let rules = set.rules();
        for record in record::read_all(&std::fs::read_to_string(&file)?) {
            let record = record?;
            if record.rules == set.id() {
                wins.collect(record.replay(&rules)?);
            }
        }
        for seed in 0..GAMES {
            let game = wins.play(&rules, seed);
            wins.collect(game);
        }
    }
    Ok(())
}

struct Wins {
    engine: Engine,
    /// How many wins of each set, side and length there are.
    kept: HashMap<(String, Side, u32), u32>,
}

impl Wins {
    /// A game of the engine against itself, with random moves in between.
    fn play(&mut self, rules: &Arc<Rules>, seed: u64) -> Game {
        let mut random = Random::new(seed);
        let mut game = Game::new(rules.clone());
        while game.outcome().is_none() && game.plies().len() < 150 {
            let best = self.search(&game, 1_500, &mut |_, _| {}).best;
            let moves = rules.moves(game.position());
            let (Some(best), false) = (best, moves.is_empty()) else {
                break;
            };
            let blunder = game.plies().len() < 4 || random.below(8) == 0;
            let step = if blunder { random.pick(&moves) } else { best };
            game.play(step).expect("the move is legal");
        }
        game
    }

    /// Prints the wins of a game that are wanted.
    fn collect(&mut self, mut game: Game) {
        let Some(winner) = game.outcome().and_then(|outcome| outcome.winner) else {
            return;
        };
        for _ in 0..20 {
            if !game.undo() {
                return;
            }
            if game.position().side() != winner {
                continue;
            }
            let position = Setup::from(game.position()).with_quiet(0);
            let rules = game.rules();
            let Ok(start) = rules.position(&position) else {
                return;
            };
            let fresh = Game::from_position(rules.clone(), start, rules.laws());
            let Some(plies) = solve(&fresh, winner, SOLVE.plies) else {
                return;
            };
            let set = rules.set().id().to_string();
            let key = (set.clone(), winner, plies);
            if self.kept.get(&key).copied().unwrap_or(0) >= wanted(&set, plies) {
                continue;
            }
            let Some(nodes) = self.needed(&fresh) else {
                continue;
            };
            let budget = (nodes * ROOM).div_ceil(1_000).max(10) * 1_000;
            println!("{set} {plies} {budget} {position}");
            *self.kept.entry(key).or_insert(0) += 1;
        }
    }

    /// How many nodes the engine needs until it claims the win, if its move wins.
    fn needed(&mut self, game: &Game) -> Option<u64> {
        let mut needed = None;
        self.engine.clear();
        let report = self.search(game, NEEDED, &mut |score, nodes| match score {
            Score::Win(_) => needed = needed.or(Some(nodes)),
            _ => needed = None,
        });
        let Score::Win(claimed) = report.lines.first()?.score else {
            return None;
        };
        let mut after = game.clone();
        after.play(report.best?).ok()?;
        solve(&after, game.position().side(), claimed - 1)?;
        needed
    }

    fn search(
        &mut self,
        game: &Game,
        nodes: u64,
        news: &mut dyn FnMut(Score, u64),
    ) -> SearchReport {
        let limits = SearchLimits::nodes(nodes);
        self.engine
            .search(game, &limits, &Control::new(), &mut |info| {
                news(info.line.score, info.nodes);
            })
    }
}

/// How many wins of a length are wanted for each side.
fn wanted(set: &str, plies: u32) -> u32 {
    match (set, plies) {
        (_, 1) => 0,
        ("ashton" | "berkeley", 5..) => 3,
        _ => 2,
    }
}

/// The length of the shortest win, if it is found quickly.
fn solve(game: &Game, winner: Side, plies: u32) -> Option<u32> {
    let limits = SolveLimits { plies, ..SOLVE };
    let mut solver = Solver::new(game, winner, 16, Control::new());
    match solver.solve(limits, &mut |_| {}) {
        Solution::Won { plies, .. } => Some(plies),
        _ => None,
    }
}
