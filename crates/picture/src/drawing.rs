//! A drawing: figures with their inks, from the bottom up, in tenths of a square.

use std::borrow::Cow;

use crate::colour::Colour;

/// How an area is filled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Fill {
    /// Not at all.
    Nothing,
    /// With one colour.
    Flat(Colour),
    /// From one colour near the top left to another, as if lit from there.
    Lit {
        /// What the gradient is called in an SVG.
        name: &'static str,
        light: Colour,
        dark: Colour,
    },
}

/// Where the light of [`Fill::Lit`] is and how far it reaches, as parts of the figure's width.
pub(crate) const LIGHT_X: f32 = 0.35;
pub(crate) const LIGHT_Y: f32 = 0.3;
pub(crate) const LIGHT_REACH: f32 = 0.85;

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Line {
    pub(crate) colour: Colour,
    pub(crate) width: f32,
    /// Whether its ends and corners are round.
    pub(crate) is_round: bool,
}

/// How a figure is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Ink {
    pub(crate) fill: Fill,
    pub(crate) line: Option<Line>,
    /// How much of what is below it covers.
    pub(crate) opacity: f32,
}

impl Ink {
    pub(crate) const fn filled(colour: Colour) -> Self {
        Self {
            fill: Fill::Flat(colour),
            line: None,
            opacity: colour.cover,
        }
    }

    pub(crate) const fn lined(colour: Colour, width: f32) -> Self {
        Self {
            fill: Fill::Nothing,
            line: None,
            opacity: 1.0,
        }
        .with_line(colour, width)
    }

    pub(crate) const fn with_line(mut self, colour: Colour, width: f32) -> Self {
        self.line = Some(Line {
            colour,
            width,
            is_round: false,
        });
        self
    }

    /// The same with round ends and corners.
    pub(crate) const fn round(mut self) -> Self {
        if let Some(line) = &mut self.line {
            line.is_round = true;
        }
        self
    }

    pub(crate) const fn faint(mut self, opacity: f32) -> Self {
        self.opacity = opacity;
        self
    }
}

/// Where a path's origin is, how it is turned and how large it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spot {
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// Degrees, clockwise.
    pub(crate) angle: u16,
    pub(crate) scale: f32,
}

impl Spot {
    pub(crate) const fn new(x: f32, y: f32) -> Self {
        Self {
            x,
            y,
            angle: 0,
            scale: 1.0,
        }
    }
}

/// What is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Figure {
    Rect {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        /// Of the corners.
        radius: f32,
    },
    Disc {
        x: f32,
        y: f32,
        radius: f32,
    },
    /// A path as in SVG, with the commands M, L, H, V, C and Z only.
    Path {
        data: Cow<'static, str>,
        at: Spot,
    },
}

impl Figure {
    pub(crate) const fn disc(x: f32, y: f32, radius: f32) -> Self {
        Self::Disc { x, y, radius }
    }

    pub(crate) const fn path(data: &'static str, x: f32, y: f32) -> Self {
        Self::Path {
            data: Cow::Borrowed(data),
            at: Spot::new(x, y),
        }
    }
}

/// Figures from the bottom up, and the part of the plane they are in: a square.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Drawing {
    /// The left edge of the square.
    pub(crate) left: f32,
    /// Its top.
    pub(crate) top: f32,
    /// Its width and height.
    pub(crate) side: f32,
    pub(crate) figures: Vec<(Figure, Ink)>,
}

impl Drawing {
    pub(crate) fn add(&mut self, figure: Figure, ink: Ink) {
        self.figures.push((figure, ink));
    }
}
