//! Simultaneous perturbation: all numbers are moved at once in random directions, two opposite
//! players play a pair of games, and all numbers go a little towards the winner.

use std::{fmt, str::FromStr};

use tablut_rules::Random;

/// A number to adjust.
#[derive(Clone, PartialEq, Debug)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Where it is now.
    pub value: f64,
    /// How far from it the players differ.
    pub reach: f64,
}

impl FromStr for Number {
    type Err = String;

    /// Reads `name=value~reach`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not NAME=VALUE~REACH, as in reverse_margin=60~12");
        let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
        let (value, reach) = rest.split_once('~').ok_or_else(wrong)?;
        let value: i32 = value.parse().map_err(|_| wrong())?;
        let reach: u16 = reach.parse().map_err(|_| wrong())?;
        if reach == 0 || !tablut_engine::Parameters::default().set(name, value) {
            return Err(wrong());
        }
        Ok(Self {
            name: name.to_string(),
            value: f64::from(value),
            reach: f64::from(reach),
        })
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}~{}", self.name, self.value.round(), self.reach)
    }
}

/// The state of an adjustment.
pub struct Spsa {
    /// The numbers.
    pub numbers: Vec<Number>,
    random: Random,
    step: u32,
    steps: u32,
}

/// Two opposite proposals.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// What both players differ in: name and value.
    pub players: [Vec<(String, i32)>; 2],
    signs: Vec<f64>,
    reach: f64,
}

impl Spsa {
    /// Begins with numbers, for a number of steps.
    #[must_use]
    pub fn new(numbers: Vec<Number>, steps: u32, seed: u64) -> Self {
        Self {
            numbers,
            random: Random::new(seed),
            step: 0,
            steps,
        }
    }

    /// The next two players, if there is a next step.
    pub fn propose(&mut self) -> Option<Trial> {
        if self.step >= self.steps {
            return None;
        }
        let signs: Vec<f64> = self
            .numbers
            .iter()
            .map(|_| if self.random.below(2) == 0 { 1.0 } else { -1.0 })
            .collect();
        // The usual exponent: reach shrinks slowly.
        let reach = f64::from(self.step + 1).powf(-0.101);
        let player = |direction: f64| {
            let pairs = self.numbers.iter().zip(&signs);
            pairs
                .map(|(number, sign)| {
                    let value = number.value + direction * sign * number.reach * reach;
                    (number.name.clone(), value.round() as i32)
                })
                .collect()
        };
        Some(Trial {
            players: [player(1.0), player(-1.0)],
            signs,
            reach,
        })
    }

    /// Learns from a trial: `points` from −1 (the second won both games) to 1.
    pub fn learn(&mut self, trial: &Trial, points: f64) {
        let stability = 0.1 * f64::from(self.steps);
        let gain = ((1.0 + stability) / (1.0 + stability + f64::from(self.step))).powf(0.602);
        for (number, sign) in self.numbers.iter_mut().zip(&trial.signs) {
            number.value += 0.15 * gain * points * sign * number.reach / trial.reach;
        }
        self.step += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_walk_to_where_the_stronger_player_is() {
        let start = "tempo=10~8".parse().unwrap();
        let mut spsa = Spsa::new(vec![start], 3000, 1);
        let mut dice = Random::new(2);
        while let Some(trial) = spsa.propose() {
            // The nearer to 40, the stronger; results are noisy.
            let [a, b] = [0, 1].map(|n| f64::from((trial.players[n][0].1 - 40).abs()));
            let noise = 40.0 * (dice.fraction() - 0.5);
            let points = if a + noise < b { 1.0 } else { -1.0 };
            spsa.learn(&trial, points);
        }
        let value = spsa.numbers[0].value;
        assert!((value - 40.0).abs() < 6.0, "{value}");
    }

    #[test]
    fn what_is_no_number_to_adjust_is_refused() {
        for text in ["tempo", "tempo=3", "tempo=x~3", "nothing=3~1", "tempo=3~0"] {
            assert!(text.parse::<Number>().is_err(), "{text}");
        }
        let number: Number = "tempo=-3~2".parse().unwrap();
        assert_eq!(number.to_string(), "tempo=-3~2");
    }
}
