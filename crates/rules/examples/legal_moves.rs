//! Lists the legal moves of a position, and what each of them does.
//!
//! `cargo run --example legal_moves -- "9/9/4K4/3bw4/9/9/9/9/9 b"`

use std::{
    env,
    error::Error,
    io::{self, Write},
};

use tablut_rules::{Rules, Setup, SetupError};

fn main() -> Result<(), Box<dyn Error>> {
    run(env::args().nth(1).as_deref(), &mut io::stdout())
}

/// Writes the moves of a position; of the start if there is none.
pub(crate) fn run(position: Option<&str>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let rules = Rules::ashton();
    let position = match position {
        None => rules.start(),
        Some(text) => {
            let setup: Setup = text.parse()?;
            // A position with, say, too many men can be played all the same.
            rules.position(&setup).or_else(SetupError::playable)?
        }
    };
    let moves = rules.moves(&position);
    writeln!(out, "{} has {} moves", position.side(), moves.len())?;
    for &step in &moves {
        let applied = rules.apply_unchecked(&position, step);
        write!(out, "{step}")?;
        for captured in applied.captured {
            write!(out, " takes {captured}")?;
        }
        if let Some(end) = applied.end {
            write!(out, " wins for {}", end.winner())?;
        }
        writeln!(out)?;
    }
    Ok(())
}
