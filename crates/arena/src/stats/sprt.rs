//! The sequential probability ratio test: play until the pairs say which of two claims is true.
//!
//! The ratio is that of the two most likely distributions of pair results that fit one claim each
//! (a generalized test). Formulas: M. Van den Bergh, *The generalized maximum likelihood ratio for
//! multinomial distributions* and *Normalized Elo* (<http://hardy.uhasselt.be/Fishtest/>).

use std::{fmt, str::FromStr};

use super::{Pairs, elo::PER_UNIT, moments, score_of_elo};

/// What the Elo numbers of a test mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Model {
    /// The mean of a pair over its deviation: how easily the difference shows. Tests take equally
    /// long whatever the openings and the share of draws are.
    #[default]
    Normalized,
    /// The expected score: what rating lists show.
    Logistic,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

/// A test of two claims: "not better than `elo0`" and "at least `elo1` better".
///
/// Its text form is `elo0,elo1` or `elo0,elo1,alpha,beta`; the model is set apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SprtVerdict {
    /// The first claim: the difference is `elo0` or less.
    NotBetter,
    /// The second claim: the difference is `elo1` or more.
    Better,
    /// Nothing yet.
    Open,
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotBetter => "not better",
            Self::Better => "better",
            Self::Open => "undecided",
        })
    }
}

impl Sprt {
    /// The default probability of each error.
    pub const RISK: f64 = 0.05;

    /// A test with a chance `alpha` of a false "better" and `beta` of a false "not better".
    ///
    /// # Errors
    /// Says what is not sound about the numbers.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, ParseSprtError> {
        let is_risk = |risk: f64| risk > 0.0 && risk < 0.5;
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(ParseSprtError::Order);
        }
        if !(is_risk(alpha) && is_risk(beta)) {
            return Err(ParseSprtError::Risk);
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
            model: Model::default(),
        })
    }

    /// The same test with another meaning of Elo.
    #[must_use]
    pub const fn with_model(mut self, model: Model) -> Self {
        self.model = model;
        self
    }

    /// What Elo means in this test.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.model
    }

    /// The two claims.
    #[must_use]
    pub const fn claims(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The chances of a false "better" and of a false "not better".
    #[must_use]
    pub const fn risks(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The ratios at which the first and the second claim are accepted (Wald's bounds).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The logarithm of the likelihood ratio; above zero speaks for the second claim.
    #[must_use]
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        // A class that has not occurred yet may still; without it no other mean could be likely.
        let counts = pairs.0.map(|count| (count as f64).max(1e-3));
        let shares = pairs.shares(counts);
        let fitted = |elo: f64| match self.model {
            Model::Logistic => likeliest_with_mean(shares, score_of_elo(elo)),
            Model::Normalized => {
                let signal = elo / PER_UNIT * std::f64::consts::SQRT_2;
                likeliest_with_signal(shares, 0.5, signal)
            }
        };
        let (first, second) = (fitted(self.elo0), fitted(self.elo1));
        let terms = (0..5).map(|n| shares[n].1 * (second[n] / first[n]).ln());
        counts.iter().sum::<f64>() * terms.sum::<f64>()
    }

    /// What the pairs say so far.
    #[must_use]
    pub fn verdict(&self, pairs: &Pairs) -> SprtVerdict {
        let (ratio, (lower, upper)) = (self.ratio(pairs), self.bounds());
        if ratio >= upper {
            SprtVerdict::Better
        } else if ratio <= lower {
            SprtVerdict::NotBetter
        } else {
            SprtVerdict::Open
        }
    }
}

/// The most likely distribution with a given mean, when one was observed.
///
/// The shares become p / (1 + x (a − mean)), where x makes the mean right; the left side falls with
/// x, so halving finds it.
fn likeliest_with_mean(shares: [(f64, f64); 5], mean: f64) -> [f64; 5] {
    let values = shares.map(|(value, _)| value - mean);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // No distribution over these values has the mean.
        return shares.map(|(_, share)| share);
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let excess = |x: f64| -> f64 {
        let terms = values.iter().zip(shares);
        terms.map(|(a, (_, p))| p * a / (1.0 + x * a)).sum()
    };
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if excess(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|n| shares[n].1 / (1.0 + x * values[n]))
}

/// The most likely distribution whose mean is a given number of deviations away from a reference.
///
/// The condition is made linear at the last guess and solved again until it stands still.
fn likeliest_with_signal(shares: [(f64, f64); 5], reference: f64, signal: f64) -> [f64; 5] {
    let (_, variance) = moments(&shares);
    // From the observed deviation: even a distribution far from uniform then converges.
    let mean = reference + signal * variance.sqrt();
    let mut found = if (0.01..0.99).contains(&mean) {
        likeliest_with_mean(shares, mean)
    } else {
        guess_with_signal(shares, reference, signal)
    };
    for _ in 0..40 {
        let guess: [(f64, f64); 5] = std::array::from_fn(|n| (shares[n].0, found[n]));
        let (mean, variance) = moments(&guess);
        let deviation = variance.sqrt();
        let linear = shares.map(|(value, share)| {
            let distance = (mean - value) / deviation;
            let value = value - reference - signal * deviation * (1.0 + distance * distance) / 2.0;
            (value, share)
        });
        let next = likeliest_with_mean(linear, 0.0);
        let change = (0..5).map(|n| (next[n] - found[n]).abs());
        let stands = change.fold(0.0, f64::max) < 1e-9;
        found = next;
        if stands {
            break;
        }
    }
    found
}

/// A distribution whose mean is a given number of deviations away from a reference, when that is far
/// from what was observed: among those with a given mean, found by halving.
fn guess_with_signal(shares: [(f64, f64); 5], reference: f64, signal: f64) -> [f64; 5] {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        let found = likeliest_with_mean(shares, middle);
        let found: [(f64, f64); 5] = std::array::from_fn(|n| (shares[n].0, found[n]));
        let (mean, variance) = moments(&found);
        if (mean - reference) / variance.sqrt() < signal {
            low = middle;
        } else {
            high = middle;
        }
    }
    likeliest_with_mean(shares, (low + high) / 2.0)
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)?;
        if (self.alpha, self.beta) != (Self::RISK, Self::RISK) {
            write!(f, ",{},{}", self.alpha, self.beta)?;
        }
        Ok(())
    }
}

impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Self, ParseSprtError> {
        let numbers: Result<Vec<f64>, _> =
            text.split(',').map(|part| part.trim().parse()).collect();
        match numbers.map_err(|_| ParseSprtError::Form)?[..] {
            [elo0, elo1] => Self::new(elo0, elo1, Self::RISK, Self::RISK),
            [elo0, elo1, alpha, beta] => Self::new(elo0, elo1, alpha, beta),
            _ => Err(ParseSprtError::Form),
        }
    }
}

/// A text that is not a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSprtError {
    /// It is not two or four numbers.
    #[error("a test is elo0,elo1 or elo0,elo1,alpha,beta, as in 0,10 or 0,10,0.05,0.05")]
    Form,
    /// The first claim is not below the second.
    #[error("elo0 has to be less than elo1, as in 0,10")]
    Order,
    /// A probability out of range.
    #[error("alpha and beta are error probabilities, above 0 and below 0.5")]
    Risk,
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablut_rules::Random;

    fn test(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (lower, upper) = test("0,5").bounds();
        assert!((lower + 2.944_438_979).abs() < 1e-9 && (upper - 2.944_438_979).abs() < 1e-9);
        let (lower, upper) = test("0,3,0.05,0.1").bounds();
        assert!((lower + 2.251_3).abs() < 1e-4 && (upper - 2.890_4).abs() < 1e-4);
    }

    /// Ratios that fastchess published for these pairs (normalized Elo).
    #[test]
    fn published_tests_give_the_published_ratios() {
        for (claims, pairs, ratio) in [
            ("0,5", [50, 287, 610, 387, 73], 2.97),
            ("0,3,0.05,0.1", [835, 6884, 13116, 7201, 852], 2.89),
            ("0,3,0.05,0.1", [1447, 13972, 26437, 14412, 1441], 1.98),
            ("-3,1,0.05,0.1", [115, 1156, 2443, 1233, 141], 2.90),
            ("9,16,0.01,0.01", [352, 579, 1264, 743, 464], 4.60),
            ("0,50", [0, 0, 1, 8, 1], 1.24),
            ("-1000,-500", [72, 10, 0, 0, 0], -2.97),
            ("-1000,-500", [77, 1, 0, 0, 0], -2.95),
        ] {
            let found = test(claims).ratio(&Pairs(pairs));
            assert!(
                (found - ratio).abs() < 0.0051,
                "{claims} {pairs:?}: {found}"
            );
        }
    }

    #[test]
    fn without_pairs_nothing_is_known() {
        for model in [Model::Normalized, Model::Logistic] {
            let test = test("0,10").with_model(model);
            assert_eq!(test.ratio(&Pairs::default()), 0.0);
            assert_eq!(test.verdict(&Pairs::default()), SprtVerdict::Open);
        }
    }

    #[test]
    fn one_sided_results_decide_in_either_model() {
        for model in [Model::Normalized, Model::Logistic] {
            let test = test("0,50").with_model(model);
            assert_eq!(test.verdict(&Pairs([0, 0, 0, 0, 200])), SprtVerdict::Better);
            assert_eq!(
                test.verdict(&Pairs([200, 0, 0, 0, 0])),
                SprtVerdict::NotBetter
            );
        }
    }

    #[test]
    fn claims_far_from_what_happened_are_judged_too() {
        for model in [Model::Normalized, Model::Logistic] {
            for (claims, verdict) in [
                ("-900,-800", SprtVerdict::Better),
                ("-3000,-2000", SprtVerdict::Better),
                ("800,900", SprtVerdict::NotBetter),
                ("2000,3000", SprtVerdict::NotBetter),
            ] {
                let test = test(claims).with_model(model);
                let pairs = Pairs([80, 10, 50, 0, 60]);
                let ratio = test.ratio(&pairs);
                assert_eq!(test.verdict(&pairs), verdict, "{claims} {model}: {ratio}");
            }
        }
    }

    #[test]
    fn mirrored_claims_and_results_mirror_the_ratio() {
        for model in [Model::Normalized, Model::Logistic] {
            let ratio = test("-5,10")
                .with_model(model)
                .ratio(&Pairs([3, 20, 40, 31, 9]));
            let mirrored = test("-10,5")
                .with_model(model)
                .ratio(&Pairs([9, 31, 40, 20, 3]));
            assert!((ratio + mirrored).abs() < 1e-6, "{ratio} {mirrored}");
        }
    }

    #[test]
    fn fitted_distributions_have_what_was_asked_for() {
        let shares = Pairs::default().shares([3.0, 20.0, 40.0, 31.0, 9.0]);
        let fitted = |found: [f64; 5]| -> [(f64, f64); 5] {
            std::array::from_fn(|n| (shares[n].0, found[n]))
        };
        let (mean, _) = moments(&fitted(likeliest_with_mean(shares, 0.6)));
        assert!((mean - 0.6).abs() < 1e-9);
        let found = fitted(likeliest_with_signal(shares, 0.5, 0.3));
        assert!((found.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-6);
        let (mean, variance) = moments(&found);
        assert!(((mean - 0.5) / variance.sqrt() - 0.3).abs() < 1e-6);
    }

    /// Simulated pairs from a distribution in which the claim to be found is true.
    #[test]
    fn simulated_tests_err_as_seldom_as_they_promise() {
        const RUNS: usize = 200;
        let observed = Pairs::default().shares([10.0, 20.0, 40.0, 20.0, 10.0]);
        for (model, seed) in [(Model::Logistic, 1), (Model::Normalized, 2)] {
            let test = test("0,60,0.1,0.1").with_model(model);
            let truth = |elo: f64| match model {
                Model::Logistic => likeliest_with_mean(observed, score_of_elo(elo)),
                Model::Normalized => {
                    let signal = elo / PER_UNIT * std::f64::consts::SQRT_2;
                    likeliest_with_signal(observed, 0.5, signal)
                }
            };
            let mut random = Random::new(seed);
            for (elo, wrong) in [(0.0, SprtVerdict::Better), (60.0, SprtVerdict::NotBetter)] {
                let shares = truth(elo);
                let mut errors = 0;
                for _ in 0..RUNS {
                    let mut pairs = Pairs::default();
                    let verdict = loop {
                        let mut left = random.fraction();
                        let class = shares.iter().position(|share| {
                            left -= share;
                            left < 0.0
                        });
                        pairs.0[class.unwrap_or(4)] += 1;
                        match test.verdict(&pairs) {
                            SprtVerdict::Open => {}
                            verdict => break verdict,
                        }
                    };
                    errors += usize::from(verdict == wrong);
                }
                // One run in ten may err: 20 of 200, give or take three deviations of 4.3.
                assert!(
                    (4..=33).contains(&errors),
                    "{model} at {elo}: {errors} errors"
                );
            }
        }
    }

    #[test]
    fn tests_are_read_as_they_are_written() {
        for text in ["0,10", "-3,1,0.05,0.1", "0.5,2.5"] {
            assert_eq!(test(text).to_string(), text);
        }
        for (text, error) in [
            ("", ParseSprtError::Form),
            ("0", ParseSprtError::Form),
            ("0,1,2", ParseSprtError::Form),
            ("a,b", ParseSprtError::Form),
            ("5,0", ParseSprtError::Order),
            ("nan,0", ParseSprtError::Order),
            ("0,5,0,0.05", ParseSprtError::Risk),
            ("0,5,0.05,0.5", ParseSprtError::Risk),
        ] {
            assert_eq!(text.parse::<Sprt>(), Err(error), "{text}");
        }
    }
}
