//! Accuracy: how near moves came to the best, as a number from 0 to 100.

/// The accuracy of a move that lost winning chances (0 to 1): 100 for nothing lost, 0 for all.
///
/// The curve is the one that lichess uses: 103.1668 · exp(−0.04354 · loss in per cent) − 3.1669.
#[must_use]
pub fn move_accuracy(loss: f64) -> f64 {
    let percent = loss.clamp(0.0, 1.0) * 100.0;
    (103.1668 * (-0.04354 * percent).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The least that a move counts in the harmonic mean, so that one blunder does not erase a game.
const LEAST: f64 = 5.0;

/// The accuracy of a side: half-way between the arithmetic and the harmonic mean of its moves', which
/// weighs blunders more. Nothing if there is no move.
#[must_use]
pub fn side_accuracy(moves: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = moves.clone().count();
    if count == 0 {
        return None;
    }
    let count = count as f64;
    let mean = moves.clone().sum::<f64>() / count;
    let harmonic = count / moves.map(|accuracy| 1.0 / accuracy.max(LEAST)).sum::<f64>();
    Some((mean + harmonic) / 2.0)
}
