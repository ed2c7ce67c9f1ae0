//! Winning chances: what a score is worth as a probability.

use tablut_engine::{Score, network};

/// The chance that a side with a score wins, from 0 to 1; a draw counts as half.
///
/// A logistic curve: 350 units are worth e : 1, the scale by which networks learn scores. A proved
/// win is 1, and a decided position almost.
///
/// ```
/// use tablut_engine::Score;
/// use tablut_review::winning_chance;
/// assert_eq!(winning_chance(Score::Units(0)), 0.5);
/// assert_eq!(winning_chance(Score::Win(9)), 1.0);
/// assert!(winning_chance(Score::Units(-350)) < 0.27);
/// ```
#[must_use]
pub fn winning_chance(score: Score) -> f64 {
    match score {
        Score::Win(_) => 1.0,
        Score::Loss(_) => 0.0,
        Score::Units(units) => {
            let scale = f64::from(network::SCALE);
            1.0 / (1.0 + (-f64::from(units) / scale).exp())
        }
    }
}
