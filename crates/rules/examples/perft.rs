//! Counts the sequences of moves from the start, by their first move: the check of a move generator.
//!
//! `cargo run --release --example perft -- berkeley 4`

use std::{
    env,
    error::Error,
    io::{self, Write},
};

use tablut_rules::{BuiltIn, Perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let set = words.next().unwrap_or_else(|| "ashton".into());
    let depth = words.next().map_or(Ok(3), |depth| depth.parse())?;
    run(set.parse()?, depth, &mut io::stdout())
}

/// Writes the counts of a depth under a rule set.
pub(crate) fn run(set: BuiltIn, depth: u32, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let rules = set.rules();
    let mut sum = Perft::default();
    for (step, counts) in rules.divide(&rules.start(), depth) {
        writeln!(out, "{step} {}", counts.nodes)?;
        sum += counts;
    }
    writeln!(
        out,
        "{set}, depth {depth}: {} sequences, {} with a capture at their end",
        sum.nodes, sum.capture_moves
    )?;
    Ok(())
}
