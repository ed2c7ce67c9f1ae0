//! The automatic player: the same game and seed give the same move on every machine.

use tablut_engine::{Control, Engine, EngineOptions, Score, SearchLimits};
use tablut_rules::{Game, Move, Random};

/// Positions for a move: enough for wins in four own moves, little enough for a game in a minute.
const NODES: u64 = 100_000;

/// In the first moves of a game the seed chooses among so many, …
const CHOICES: usize = 4;

/// … which look at most so much worse than the best, in hundredths.
const MARGIN: i32 = 12;

/// How many plies the first moves are.
const OPENING: usize = 8;

/// Chooses moves.
pub(super) struct Automaton {
    engine: Engine,
}

impl Automaton {
    pub(super) fn new() -> Self {
        Self {
            engine: Engine::new(EngineOptions {
                hash_mb: 8,
                threads: 1,
            }),
        }
    }

    /// A move in a game that is not over.
    pub(super) fn choose(&mut self, game: &Game, seed: i64) -> Option<Move> {
        // What was thought before must not matter: moves may have been taken back since.
        self.engine.clear();
        let is_opening = game.plies().len() < OPENING;
        let lines = if is_opening { CHOICES } else { 1 };
        let limits = SearchLimits::nodes(NODES).with_lines(lines);
        let search = &mut |_: &_| {};
        let report = self.engine.search(game, &limits, &Control::new(), search);
        let Some(Score::Units(best)) = report.lines.first().map(|line| line.score) else {
            return report.best;
        };
        let near = report.lines.iter().filter(|line| match line.score {
            Score::Units(units) => best < Score::DECIDED && units >= best - MARGIN,
            _ => false,
        });
        let near: Vec<Move> = near
            .filter_map(|line| line.moves.first().copied())
            .collect();
        if near.is_empty() {
            return report.best;
        }
        let mut random = Random::new(seed.cast_unsigned() ^ game.position().key());
        // The first number of near seeds is far apart: the generator mixes well.
        Some(random.pick(&near))
    }
}
