//! Positions of recorded games with what became of them.

use std::sync::Arc;

use anyhow::{Context, Result};
use tablut_engine::{Parameters, Weigher};
use tablut_rules::{
    Rules, Side,
    record::{Record, Score},
};

/// How far a number is moved to see what it does.
const NUDGE: i32 = 20;

/// A quiet position, seen by the defenders.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// What the evaluation says with the numbers as they are.
    pub worth: f32,
    /// By how much it changes with each number, in the order of the names.
    pub slopes: Vec<f32>,
    /// What the game gave the defenders: 0, ½ or 1.
    pub result: f32,
    /// What the search thought of it, in hundredths.
    pub score: f32,
}

/// Reads the quiet positions of a record's main line: no capture follows, and nothing is decided.
///
/// # Errors
/// Says why the record cannot be replayed.
pub fn of_record(
    record: &Record,
    rules: &Arc<Rules>,
    parameters: &Parameters,
    weigher: &mut Weigher,
) -> Result<Vec<Sample>> {
    let game = record
        .replay(rules)
        .context("a game does not follow the rules")?;
    let Some(outcome) = game.outcome() else {
        return Ok(Vec::new());
    };
    let result = match outcome.winner {
        None => 0.5,
        Some(Side::Defenders) => 1.0,
        Some(Side::Attackers) => 0.0,
    };
    let scores: Vec<_> = record
        .tree()
        .main_line()
        .map(|node| record.tree().notes(node).score)
        .collect();
    let plies = game.plies();
    let mut samples = Vec::new();
    for index in 1..plies.len() {
        // A position is the one after a ply; the next ply says what was thought of it.
        let position = &plies[index - 1].position;
        let (next, score) = (&plies[index], scores.get(index));
        let Some(Some(Score::Hundredths(score))) = score else {
            continue;
        };
        if !next.captured.is_empty() || score.abs() > 800 {
            continue;
        }
        let mut value = |parameters: &Parameters| {
            let breakdown = weigher.weigh(parameters, position);
            breakdown.sum(Side::Defenders) - breakdown.sum(Side::Attackers)
        };
        let worth = value(parameters);
        let slopes = parameters.list().into_iter().map(|(name, number)| {
            let mut nudged = parameters.clone();
            let _ = nudged.set(name, number + NUDGE);
            (value(&nudged) - worth) as f32 / NUDGE as f32
        });
        samples.push(Sample {
            slopes: slopes.collect(),
            worth: worth as f32,
            result,
            score: *score as f32,
        });
    }
    Ok(samples)
}
