//! Plays a game at random and shows how it ended.
//!
//! `cargo run --example play_game -- 1732`

use std::{
    env,
    error::Error,
    io::{self, Write},
};

use tablut_rules::{BuiltIn, Game, Random, notation::Diagram};

fn main() -> Result<(), Box<dyn Error>> {
    let seed = env::args().nth(1).map_or(Ok(1732), |seed| seed.parse())?;
    run(seed, &mut io::stdout())
}

/// Plays the game of a seed.
pub(crate) fn run(seed: u64, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut game = Game::new(BuiltIn::Ashton.rules());
    let mut random = Random::new(seed);
    while game.outcome().is_none() {
        let mover = game.position().side();
        let step = random.pick(&game.legal_moves());
        let applied = game.play(step)?;
        if !applied.captured.is_empty() {
            writeln!(out, "{mover} plays {step} and takes {:?}", applied.captured)?;
        }
    }
    writeln!(out, "{}", Diagram::from(game.position()))?;
    if let Some(outcome) = game.outcome() {
        writeln!(out, "{outcome}, after {} moves", game.plies().len())?;
    }
    Ok(())
}
