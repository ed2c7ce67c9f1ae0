//! Makes `tests/wins.txt`: `wins RECORDS > wins.txt`.
//!
//! Positions come from the won games of a file of records and from games of the engine against
//! itself, under every listed rule set. Going back from the end of a game, the first positions
//! whose win is of a length still wanted are kept, if solver and engine find them quickly.

use std::{collections::HashMap, error::Error, sync::Arc};

use tablut_engine::{
    Control, Engine, Limits, Options, Score,
    solve::{Answer, SolveLimits, Solver},
};
use tablut_rules::{Game, Random, RuleSet, Rules, Setup, Side, record};

/// Games of the engine against itself for each rule set.
const GAMES: u64 = 80;

/// What the solver may use, so that the tests stay fast.
const SOLVE: SolveLimits = SolveLimits {
    plies: 17,
    nodes: 500_000,
};

/// The most nodes the engine may need.
const NEEDED: u64 = 40_000;

/// Budgets are so many times what is needed today.
const ROOM: u64 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of records")?;
    let mut wins = Wins {
        engine: Engine::new(Options {
            hash_mb: 16,
            threads: 1,
        }),
        kept: HashMap::new(),
    };
    println!(
        "# Rule set, plies of the shortest win of the side to move, nodes the engine may use, position."
    );
    println!("# Made by `cargo run --release -p tablut-engine --example wins -- {file}`.");
    for set in RuleSet::listed() {
        let rules = Arc::new(set.compile()?);
        for record in record::read_all(&std::fs::read_to_string(&file)?) {
            let record = record?;
            if record.rules == set.id {
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
            let best = self.search(&game, 2_000, &mut |_, _| {});
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
            let mut solver = Solver::new(&fresh, winner, 16, Control::new());
            let Answer::Won { plies, .. } = solver.solve(SOLVE, &mut |_| {}) else {
                return;
            };
            let set = rules.set().id.clone();
            let wanted = match (set.as_str(), plies) {
                (_, 1) => 0,
                ("ashton" | "berkeley", 5 | 7) => 3,
                _ => 2,
            };
            let kept = self.kept.entry((set.clone(), winner, plies)).or_insert(0);
            if *kept >= wanted {
                continue;
            }
            let Some(nodes) = self.needed(&fresh) else {
                continue;
            };
            *self.kept.entry((set.clone(), winner, plies)).or_insert(0) += 1;
            let budget = (nodes * ROOM).div_ceil(1_000).max(2) * 1_000;
            println!("{set} {plies} {budget} {position}");
        }
    }

    /// How many nodes the engine needs until it says that the side to move wins.
    fn needed(&mut self, game: &Game) -> Option<u64> {
        let mut needed = None;
        self.engine.clear();
        self.search(game, NEEDED, &mut |score, nodes| {
            if matches!(score, Score::Win(_)) {
                needed.get_or_insert(nodes);
            } else {
                needed = None;
            }
        });
        needed
    }

    fn search(
        &mut self,
        game: &Game,
        nodes: u64,
        news: &mut dyn FnMut(Score, u64),
    ) -> Option<tablut_rules::Move> {
        let limits = Limits::nodes(nodes);
        let report = self
            .engine
            .search(game, &limits, &Control::new(), &mut |info| {
                news(info.line.score, info.nodes);
            });
        report.best
    }
}
