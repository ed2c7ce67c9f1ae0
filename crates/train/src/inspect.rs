//! What a network has learnt, as pictures of the board.

use std::{fmt::Write, sync::Arc};

use tablut_engine::{Control, Engine, EngineOptions, Evaluation, Network, SearchLimits};
use tablut_rules::{BuiltIn, BySide, Game, ParseBuiltInError, Random, Rules, Side, Square};

/// Games that the pictures are made of, and positions for a move in them.
const GAMES: u64 = 60;
const NODES: u64 = 300;

/// The mean worth of a man on each square to its own side, per side to move and owner, in hundredths;
/// nothing where no man stood.
struct Worth(BySide<BySide<[(i64, i64); Square::COUNT]>>);

/// Pictures of what men are worth to a network, measured over some quick games with it.
///
/// # Errors
/// Its rule set does not ship.
pub fn inspect(network: &Arc<Network>) -> Result<String, ParseBuiltInError> {
    let rules = network.rules().parse::<BuiltIn>()?.rules();
    let mut worth = Worth(BySide::both(BySide::both([(0, 0); Square::COUNT])));
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 1,
        threads: 1,
    })
    .with_evaluation(Evaluation::Network(Arc::clone(network)));
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        let mut game = Game::new(Arc::clone(&rules));
        engine.clear();
        while game.outcome().is_none() && game.plies().len() < 120 {
            let step = if game.plies().len() < 6 {
                random.pick(&rules.moves(game.position()))
            } else {
                let limits = SearchLimits::nodes(NODES);
                let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
                if report.lines[0].score.is_winning() || report.lines[0].score.is_losing() {
                    break;
                }
                report.best.expect("the game is not over")
            };
            game.play(step).expect("it is legal");
            worth.add(network, &game);
        }
    }
    Ok(worth.draw(&rules))
}

impl Worth {
    fn add(&mut self, network: &Network, game: &Game) {
        let position = game.position();
        let to_move = position.side();
        for (square, value) in network.worth(position) {
            let is_attacker = position.men(Side::Attackers).contains(square);
            let owner = if is_attacker {
                Side::Attackers
            } else {
                Side::Defenders
            };
            let own = if owner == to_move { value } else { -value };
            let (sum, count) = &mut self.0[to_move][owner][square.index()];
            *sum += i64::from(own);
            *count += 1;
        }
    }

    fn draw(&self, rules: &Rules) -> String {
        let mut text = String::new();
        let name = |side| match side {
            Side::Attackers => "black",
            Side::Defenders => "white",
        };
        for (to_move, owners) in self.0.iter() {
            for (owner, squares) in owners.iter() {
                let total = squares.iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
                let mean = total.0 as f64 / (total.1.max(1) * 100) as f64;
                let _ = writeln!(
                    text,
                    "{} to move: worth of {} men to {}, {mean:.2} on average",
                    name(to_move),
                    name(owner),
                    name(owner)
                );
                for row in 0..rules.size().rows() {
                    for column in 0..rules.size().rows() {
                        let square = Square::new(column, row).expect("it is on the board");
                        match squares[square.index()] {
                            // Too few to say.
                            (_, count) if count < 10 => text.push_str("     ."),
                            (sum, count) => {
                                let _ = write!(text, "{:6.2}", sum as f64 / (count * 100) as f64);
                            }
                        }
                    }
                    let _ = writeln!(text, "   {}", row + 1);
                }
                for column in 0..rules.size().rows() {
                    let _ = write!(text, "{:>6}", char::from(b'a' + column));
                }
                text.push_str("\n\n");
            }
        }
        text
    }
}
