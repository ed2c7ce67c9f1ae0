//! Logistic regression of the evaluation's weights on results.
//!
//! The chance of the defenders is taken to be `1 / (1 + exp(-worth / scale))`. The scale is fitted
//! first and then held, and one weight can be held too, so that all numbers keep their unit and the
//! margins of the search keep their meaning. A constant takes up what one side wins more often than
//! the evaluation knows; it is no number of the engine, and is dropped.

use crate::sample::Sample;

/// What to aim at, and how carefully.
#[derive(Clone, PartialEq, Debug)]
pub struct Aim {
    /// How much the search's own score counts beside the result, from 0 to 1.
    pub blend: f32,
    /// How strongly weights are held to what they are.
    pub hold: f32,
    /// Steps of the descent.
    pub steps: u32,
}

impl Default for Aim {
    fn default() -> Self {
        Self {
            blend: 0.3,
            hold: 0.000_000_2,
            steps: 600,
        }
    }
}

/// What a fit found.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// What each number changes by.
    pub changes: Vec<f32>,
    /// Hundredths in which the odds grow by a factor of e.
    pub scale: f32,
    /// The mean loss on samples that were not learnt from, before and after.
    pub losses: [f32; 2],
}

fn chance(worth: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-worth / scale).exp())
}

fn target(sample: &Sample, aim: &Aim, scale: f32) -> f32 {
    (1.0 - aim.blend) * sample.result + aim.blend * chance(sample.score, scale)
}

fn loss(samples: &[&Sample], changes: &[f32], aim: &Aim, scale: f32) -> f32 {
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            let p = chance(worth(sample, changes), scale).clamp(1e-6, 1.0 - 1e-6);
            let t = target(sample, aim, scale);
            f64::from(-(t * p.ln() + (1.0 - t) * (1.0 - p).ln()))
        })
        .sum();
    (sum / samples.len().max(1) as f64) as f32
}

fn worth(sample: &Sample, changes: &[f32]) -> f32 {
    let slopes = sample.slopes.iter().zip(changes);
    // The constant stands behind the numbers.
    let constant = changes.last().copied().unwrap_or_default();
    sample.worth + constant + slopes.map(|(slope, change)| slope * change).sum::<f32>()
}

/// The scale under which the evaluation as it is tells results best.
#[must_use]
pub fn scale(samples: &[Sample]) -> f32 {
    let results = Aim {
        blend: 0.0,
        ..Aim::default()
    };
    let all: Vec<&Sample> = samples.iter().collect();
    let none = vec![0.0; samples.first().map_or(0, |sample| sample.slopes.len()) + 1];
    let (mut low, mut high) = (20.0_f32, 2000.0_f32);
    // The loss has one minimum: thirds are cut off until it is found.
    while high - low > 1.0 {
        let third = (high - low) / 3.0;
        let (a, b) = (low + third, high - third);
        if loss(&all, &none, &results, a) < loss(&all, &none, &results, b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

/// Finds changes of the numbers that are not held; numbers without influence stay.
///
/// Every tenth sample is kept for the test.
#[must_use]
pub fn fit(samples: &[Sample], held: &[bool], aim: &Aim) -> Fit {
    let count = held.len();
    let scale = scale(samples);
    let mut learn = Vec::new();
    let mut test = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        if index % 10 == 9 {
            test.push(sample);
        } else {
            learn.push(sample);
        }
    }
    let mut changes = vec![0.0; count + 1];
    let before = loss(&test, &changes, aim, scale);
    // Adam: steps that adapt to each number.
    let (mut mean, mut spread) = (vec![0.0_f32; count + 1], vec![0.0_f32; count + 1]);
    for step in 1..=aim.steps {
        let mut slope = vec![0.0_f64; count + 1];
        for sample in &learn {
            let error = chance(worth(sample, &changes), scale) - target(sample, aim, scale);
            for (sum, by) in slope.iter_mut().zip(&sample.slopes) {
                *sum += f64::from(error * by);
            }
            slope[count] += f64::from(error);
        }
        for index in (0..=count).filter(|&index| index == count || !held[index]) {
            let pull = if index < count {
                2.0 * aim.hold * changes[index]
            } else {
                0.0
            };
            let g = (slope[index] / (learn.len().max(1) as f64)) as f32 / scale + pull;
            mean[index] = 0.9 * mean[index] + 0.1 * g;
            spread[index] = 0.999 * spread[index] + 0.001 * g * g;
            let m = mean[index] / (1.0 - 0.9_f32.powi(step as i32));
            let s = spread[index] / (1.0 - 0.999_f32.powi(step as i32));
            changes[index] -= 0.5 * m / (s.sqrt() + 1e-8);
        }
    }
    let after = loss(&test, &changes, aim, scale);
    changes.truncate(count);
    Fit {
        losses: [before, after],
        changes,
        scale,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablut_rules::Random;

    #[test]
    fn a_weight_that_was_wrong_is_found() {
        // Results follow 200 · x − 60 · y, but the evaluation says 100 · x.
        let mut random = Random::new(5);
        let samples: Vec<Sample> = (0..20_000)
            .map(|_| {
                let x = random.below(7) as f32 - 3.0;
                let y = random.below(7) as f32 - 3.0;
                let p = chance(200.0 * x - 60.0 * y, 200.0);
                Sample {
                    worth: 100.0 * x,
                    slopes: vec![x, y, 0.0],
                    result: f32::from(u8::from((random.fraction() as f32) < p)),
                    score: 0.0,
                }
            })
            .collect();
        let aim = Aim {
            blend: 0.0,
            hold: 0.0,
            steps: 400,
        };
        let fit = fit(&samples, &[true, false, false], &aim);
        // The first is held, so only the ratio can be right.
        let ratio = fit.changes[1] / 100.0;
        assert!((ratio + 0.3).abs() < 0.05, "{fit:?}");
        assert!(fit.losses[1] < fit.losses[0]);
        assert_eq!((fit.changes[0], fit.changes[2]), (0.0, 0.0));
    }
}
