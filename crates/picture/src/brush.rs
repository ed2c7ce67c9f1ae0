//! What is drawn on a board to point something out: arrows and rings in a few colours.

use std::{fmt, str::FromStr};

use tablut_rules::{Move, ParseMoveError, ParseSquareError, Square};

use crate::colour::{Colour, Palette};

/// The colour of an arrow or a ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Brush {
    /// What people draw on the page.
    #[default]
    Blue,
    /// A good move.
    Green,
    /// A bad move or a danger.
    Red,
    /// Anything else.
    Yellow,
}

impl Brush {
    /// All of them, the usual one first.
    pub const ALL: [Self; 4] = [Self::Blue, Self::Green, Self::Red, Self::Yellow];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Green => "green",
            Self::Red => "red",
            Self::Yellow => "yellow",
        }
    }

    pub(crate) const fn colour(self, palette: &Palette) -> Colour {
        match self {
            Self::Blue => palette.draw,
            Self::Green => palette.accent,
            Self::Red => palette.warning,
            Self::Yellow => palette.gold,
        }
    }

    /// The brush that is named before a colon, and what follows.
    fn split(text: &str) -> Option<(Self, &str)> {
        let Some((word, rest)) = text.split_once(':') else {
            return Some((Self::default(), text));
        };
        let brush = Self::ALL.into_iter().find(|brush| brush.word() == word)?;
        Some((brush, rest))
    }

    /// The words of all brushes, for messages.
    fn words() -> String {
        Self::ALL.map(Self::word).join(", ")
    }
}

/// An arrow between two squares, written `e4e3` or `red:e4e3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// From where to where.
    pub step: Move,
    /// Its colour.
    pub brush: Brush,
}

/// A ring around a square, written `e5` or `green:e5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ring {
    /// Where.
    pub square: Square,
    /// Its colour.
    pub brush: Brush,
}

/// Why a text is not an arrow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseArrowError {
    /// The word before the colon is no colour.
    #[error("{0:?} is not an arrow: its colour must be one of {words}", words = Brush::words())]
    Brush(String),
    /// The rest is not two squares.
    #[error("{0:?} is not an arrow such as e4e3 or red:e4e3: {1}")]
    Step(String, ParseMoveError),
}

/// Why a text is not a ring.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRingError {
    /// The word before the colon is no colour.
    #[error("{0:?} is not a mark: its colour must be one of {words}", words = Brush::words())]
    Brush(String),
    /// The rest is not a square.
    #[error("{0:?} is not a mark such as e5 or red:e5: {1}")]
    Square(String, ParseSquareError),
}

/// As much of a text as an error repeats.
fn beginning(text: &str) -> String {
    text.chars().take(40).collect()
}

impl FromStr for Arrow {
    type Err = ParseArrowError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let split = Brush::split(text);
        let (brush, rest) = split.ok_or_else(|| ParseArrowError::Brush(beginning(text)))?;
        let step = rest.parse();
        let step = step.map_err(|error| ParseArrowError::Step(beginning(text), error))?;
        Ok(Self { step, brush })
    }
}

impl FromStr for Ring {
    type Err = ParseRingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let split = Brush::split(text);
        let (brush, rest) = split.ok_or_else(|| ParseRingError::Brush(beginning(text)))?;
        let square = rest.parse();
        let square = square.map_err(|error| ParseRingError::Square(beginning(text), error))?;
        Ok(Self { square, brush })
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.brush {
            Brush::Blue => write!(f, "{}", self.step),
            brush => write!(f, "{}:{}", brush.word(), self.step),
        }
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.brush {
            Brush::Blue => write!(f, "{}", self.square),
            brush => write!(f, "{}:{}", brush.word(), self.square),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_rings_are_read_as_they_are_written() {
        for text in ["e4e3", "red:d1d4", "green:a5c5"] {
            assert_eq!(text.parse::<Arrow>().expect(text).to_string(), text);
        }
        for text in ["e5", "yellow:a1"] {
            assert_eq!(text.parse::<Ring>().expect(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_neither_is_refused_in_words() {
        for text in [
            "",
            "e4",
            "pink:e4e3",
            "e4e3e2",
            "red:",
            ":e4e3",
            "e4e99",
            "é4e3",
        ] {
            let error = text.parse::<Arrow>().expect_err(text).to_string();
            assert!(error.contains("is not an arrow"), "{error}");
        }
        for text in ["", "z9", "pink:e4", "e4e3"] {
            let error = text.parse::<Ring>().expect_err(text).to_string();
            assert!(error.contains("is not a mark"), "{error}");
        }
    }
}
