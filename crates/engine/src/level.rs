//! Ten levels for people: shallow search, and a choice among moves that look nearly as good.
//!
//! The choice comes from a seed. A win that is seen is always taken, and no level is blind to one
//! that is a single move away.

use std::{fmt, str::FromStr};

use tablut_rules::{Game, Random};

use crate::{Control, Engine, SearchLimits, SearchReport};

/// How well to play, from 1 to 10.
///
/// ```
/// use tablut_engine::Level;
/// let level: Level = "5".parse()?;
/// assert_eq!(level.to_string(), "5");
/// assert!("11".parse::<Level>().is_err());
/// # Ok::<(), tablut_engine::ParseLevelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

/// How a level plays.
struct LevelSettings {
    depth: Option<u32>,
    nodes: u64,
    /// Among how many moves it chooses.
    lines: usize,
    /// How much worse than the best a chosen move may look, in hundredths.
    margin: i32,
}

const fn settings(depth: u32, nodes: u64, lines: usize, margin: i32) -> LevelSettings {
    LevelSettings {
        depth: if depth == 0 { None } else { Some(depth) },
        nodes,
        lines,
        margin,
    }
}

/// Level 1 first.
const SETTINGS: [LevelSettings; 10] = [
    settings(1, 5_000, 16, 200),
    settings(1, 5_000, 8, 60),
    settings(2, 10_000, 12, 115),
    settings(2, 10_000, 4, 20),
    settings(3, 20_000, 4, 25),
    settings(4, 40_000, 3, 20),
    settings(5, 60_000, 3, 12),
    settings(6, 100_000, 2, 5),
    settings(0, 50_000, 1, 0),
    settings(0, 300_000, 1, 0),
];

impl Level {
    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=SETTINGS.len() as u8).map(Self)
    }

    /// The level with a number from 1 to 10.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number as usize <= SETTINGS.len() {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether it is the full engine, with its book and all.
    #[must_use]
    pub const fn is_best(self) -> bool {
        self.0 as usize == SETTINGS.len()
    }

    /// Chooses a move; the first line of the report is the one chosen.
    pub fn choose(
        &self,
        engine: &mut Engine,
        game: &Game,
        seed: u64,
        control: &Control,
    ) -> SearchReport {
        let settings = &SETTINGS[usize::from(self.0) - 1];
        let limits = SearchLimits {
            nodes: Some(settings.nodes),
            depth: settings.depth,
            lines: settings.lines,
            ..SearchLimits::default()
        };
        let mut report = engine.search(game, &limits, control, &mut |_| {});
        // Each position of a game has its own stream.
        let mut random = Random::new(seed ^ game.position().key());
        let chosen = pick(&report, settings.margin, &mut random);
        if chosen < report.lines.len() {
            let line = report.lines.remove(chosen);
            report.best = line.moves.first().copied();
            report.lines.insert(0, line);
        }
        report
    }
}

/// The number of a line near the best; nearer ones are likelier.
fn pick(report: &SearchReport, margin: i32, random: &mut Random) -> usize {
    use crate::Score::Units;
    let Some(Units(best)) = report.lines.first().map(|line| line.score) else {
        return 0;
    };
    if margin == 0 || best.abs() >= crate::Score::DECIDED {
        return 0;
    }
    let weights: Vec<usize> = report
        .lines
        .iter()
        .map(|line| match line.score {
            Units(units) => (margin - (best - units)).max(0) as usize,
            _ => 0,
        })
        .collect();
    let mut place = random.below(weights.iter().sum());
    for (index, weight) in weights.iter().enumerate() {
        if place < *weight {
            return index;
        }
        place -= weight;
    }
    0
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        let number = text.parse().map_err(|_| ParseLevelError)?;
        Self::new(number).ok_or(ParseLevelError)
    }
}

/// A text that is no level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLevelError;

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is a number from 1 to 10")
    }
}

impl std::error::Error for ParseLevelError {}
