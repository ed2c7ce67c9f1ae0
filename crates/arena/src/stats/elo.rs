//! Elo from pairs of games.

use std::f64::consts::LN_10;

use super::{Pairs, moments};

/// Elo units in one unit of normalized strength: 800 / ln 10.
///
/// With it, normalized and logistic Elo agree for small differences, balanced openings and no draws
/// (M. Van den Bergh, *Normalized Elo*, <http://hardy.uhasselt.be/Fishtest/normalized_elo.pdf>).
pub(super) const PER_UNIT: f64 = 800.0 / LN_10;

/// How many standard errors are on each side of a 95 % interval.
const WIDTH_95: f64 = 1.959_963_984_540_054;

/// The logistic Elo difference of a score per game; infinite for 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score per game of a logistic Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// A difference in strength with its uncertainty; margins are half a 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// Points per game.
    pub score: f64,
    /// The standard error of the score.
    pub score_error: f64,
    /// The logistic Elo difference; infinite if every game was won, or lost.
    pub logistic: f64,
    /// Its margin; nothing if the interval of the score reaches 0 or 1, or if all pairs were equal.
    pub logistic_margin: Option<f64>,
    /// The normalized Elo difference: the mean over the deviation. Nothing if all pairs were equal.
    pub normalized: Option<f64>,
    /// Its margin, taken from the number of games alone.
    pub normalized_margin: f64,
    /// The likelihood that the first player is the stronger one.
    pub superiority: f64,
}

impl Elo {
    /// What at least one pair says.
    pub(super) fn of_pairs(pairs: &Pairs) -> Self {
        let counts = pairs.0.map(|count| count as f64);
        let count = pairs.count() as f64;
        let (score, variance) = moments(&pairs.shares(counts));
        let score_error = (variance / count).sqrt();
        // A game's deviation is √2 times that of the mean of two.
        let deviation = (2.0 * variance).sqrt();
        Self {
            score,
            score_error,
            logistic: elo_of_score(score),
            logistic_margin: margin(score, score_error),
            normalized: (deviation > 0.0).then(|| (score - 0.5) / deviation * PER_UNIT),
            normalized_margin: WIDTH_95 * PER_UNIT / (2.0 * count).sqrt(),
            superiority: superiority(score, score_error),
        }
    }
}

/// Half the width of the 95 % interval of a logistic Elo difference; nothing if it has no end, or if
/// all results were the same, which says nothing about their spread.
pub(super) fn margin(score: f64, error: f64) -> Option<f64> {
    let (low, high) = (score - WIDTH_95 * error, score + WIDTH_95 * error);
    let is_inside = error > 0.0 && low > 0.0 && high < 1.0;
    is_inside.then(|| (elo_of_score(high) - elo_of_score(low)) / 2.0)
}

/// The likelihood that the true score is above one half.
fn superiority(score: f64, error: f64) -> f64 {
    let lead = score - 0.5;
    if lead == 0.0 {
        0.5
    } else {
        normal(lead / error)
    }
}

/// The cumulative standard normal distribution, to seven digits.
///
/// Abramowitz and Stegun, *Handbook of Mathematical Functions*, 26.2.17.
fn normal(x: f64) -> f64 {
    const FACTORS: [f64; 5] = [
        0.319_381_530,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let sum = FACTORS.iter().rev().fold(0.0, |sum, f| (sum + f) * t);
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let tail = density * sum;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, tolerance: f64) -> bool {
        (found - expected).abs() <= tolerance
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for (score, elo) in [
            (0.5, 0.0),
            (0.64, 99.95),
            (0.76, 200.24),
            (10.0 / 11.0, 400.0),
        ] {
            assert!(near(elo_of_score(score), elo, 0.1), "{score}");
            assert!(near(score_of_elo(elo_of_score(score)), score, 1e-12));
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn the_normal_distribution_has_its_textbook_values() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (-1.0, 0.158_655_254),
            (1.959_963_985, 0.975),
            (-2.575_829_304, 0.005),
        ] {
            assert!(near(normal(x), p, 1e-7), "{x}: {}", normal(x));
        }
    }

    /// Figures that fastchess published for these pairs.
    #[test]
    fn published_matches_give_the_published_figures() {
        for (pairs, elo, margin, normalized, normalized_margin, superiority) in [
            ([1, 10, 78, 48, 13], 72.85, 22.33, 132.30, 39.32, 1.0),
            ([352, 579, 1264, 743, 464], 19.83, 6.77, 24.25, 8.26, 1.0),
            ([30, 6, 18, 0, 6], -168.40, 73.37, -170.08, 62.16, 0.0),
            (
                [835, 6884, 13116, 7201, 852],
                2.11,
                1.70,
                3.52,
                2.83,
                0.9925,
            ),
            ([50, 287, 610, 387, 73], 18.04, 8.23, 28.19, 12.84, 1.0),
            ([115, 1156, 2443, 1233, 141], 4.40, 3.91, 7.61, 6.75, 0.9864),
            ([0, 0, 1, 8, 1], 190.85, 65.54, 549.34, 152.27, 1.0),
            ([0, 1, 0, 1, 0], 0.0, 296.58, 0.0, 340.48, 0.5),
        ] {
            let found = Pairs(pairs).elo().unwrap();
            assert!(near(found.logistic, elo, 0.006), "{pairs:?} {found:?}");
            let (m, n) = (found.logistic_margin.unwrap(), found.normalized.unwrap());
            assert!(near(m, margin, 0.006), "{pairs:?} {found:?}");
            assert!(near(n, normalized, 0.006), "{pairs:?} {found:?}");
            let m = found.normalized_margin;
            assert!(near(m, normalized_margin, 0.006), "{pairs:?} {found:?}");
            assert!(near(found.superiority, superiority, 0.000_06), "{found:?}");
        }
    }

    #[test]
    fn one_sided_results_have_no_finite_elo_and_do_no_harm() {
        let found = Pairs([0, 0, 0, 0, 10]).elo().unwrap();
        assert_eq!(found.logistic, f64::INFINITY);
        assert_eq!((found.logistic_margin, found.normalized), (None, None));
        assert_eq!(found.superiority, 1.0);
        let found = Pairs([10, 0, 0, 0, 0]).elo().unwrap();
        assert_eq!(
            (found.logistic, found.superiority),
            (f64::NEG_INFINITY, 0.0)
        );
        let found = Pairs([0, 0, 10, 0, 0]).elo().unwrap();
        assert_eq!((found.logistic, found.superiority), (0.0, 0.5));
        assert_eq!(found.logistic_margin, None);
        // After one pair nobody knows how much the next one differs.
        let found = Pairs([0, 1, 0, 0, 0]).elo().unwrap();
        assert_eq!((found.logistic_margin, found.normalized), (None, None));
        assert_eq!(Pairs::default().elo(), None);
    }
}
