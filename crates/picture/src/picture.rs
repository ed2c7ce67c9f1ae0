//! The picture of a position: the board as the page draws it.

use tablut_rules::{BoardSize, Move, Rules, Setup, Side, Square};

use crate::{
    brush::{Arrow, Ring},
    colour::{Brightness, Palette},
    drawing::{Drawing, Figure, Ink, Spot},
    glyph,
    paint::Canvas,
    shape,
    svg::{self, Standing},
};

/// The side of a square.
const UNIT: f32 = 10.0;

/// What is left around the board, and at the sides with coordinates.
const MARGIN: f32 = 1.2;
const LETTERED_MARGIN: f32 = 4.6;

/// How high digits and tall letters are, and how thick their lines are before that scaling.
const TEXT_HEIGHT: f32 = 1.7;
const TEXT_LINE: f32 = 1.3;

/// How wide pictures may be, in pixels.
pub const WIDTHS: std::ops::RangeInclusive<u16> = 32..=4096;

/// Why there is no picture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The position is of another board than the rules.
    #[error("a position of {0}×{0} squares cannot be drawn on the {1}×{1} board of these rules")]
    Board(u8, u8),
    /// An arrow or a ring is beside the board.
    #[error("{0} is not on the board")]
    Beside(Square),
    /// The picture would be too small to see or too large to make.
    #[error(
        "a picture cannot be {0} pixels wide: from {least} to {most} are possible",
        least = WIDTHS.start(),
        most = WIDTHS.end()
    )]
    Width(u16),
    /// The bytes could not be made.
    #[error("the picture could not be written: {0}")]
    Encoding(String),
}

/// By how many quarters the board is turned, clockwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quarters(u8);

impl Quarters {
    /// The board upside down, as the player at its top sees it.
    pub const HALF: Self = Self(2);

    /// That number of quarters; four are none.
    #[must_use]
    pub const fn new(quarters: u8) -> Self {
        Self(quarters % 4)
    }

    /// From 0 to 3.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Where a square is drawn: column and row from the top left.
    fn place(self, square: Square, size: BoardSize) -> (u8, u8) {
        let (column, row, last) = (square.column(), square.row(), size.rows() - 1);
        // Of a square beside the board nobody asks.
        let (right, below) = (last.saturating_sub(column), last.saturating_sub(row));
        match self.0 {
            1 => (below, column),
            2 => (right, below),
            3 => (row, right),
            _ => (column, row),
        }
    }
}

/// How boards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Style {
    /// For a bright or a dark room.
    pub brightness: Brightness,
    /// How the board is turned.
    pub quarters: Quarters,
    /// Whether letters and digits stand beside it.
    pub has_coordinates: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            brightness: Brightness::Light,
            quarters: Quarters::default(),
            has_coordinates: true,
        }
    }
}

/// A picture of a position.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    rules: &'a Rules,
    setup: Setup,
    last: Option<Move>,
    arrows: Vec<Arrow>,
    rings: Vec<Ring>,
    style: Style,
}

impl<'a> Picture<'a> {
    /// A picture of a set-up, sound or not, on the board of some rules.
    ///
    /// # Errors
    /// It is of a board of another size.
    pub fn new(rules: &'a Rules, setup: Setup) -> Result<Self, PictureError> {
        if setup.size() != rules.size() {
            let sizes = (setup.size().rows(), rules.size().rows());
            return Err(PictureError::Board(sizes.0, sizes.1));
        }
        Ok(Self {
            rules,
            setup,
            last: None,
            arrows: Vec::new(),
            rings: Vec::new(),
            style: Style::default(),
        })
    }

    /// The same in another style.
    #[must_use]
    pub fn with_style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The same with the move that led here marked.
    #[must_use]
    pub fn with_last(mut self, last: Option<Move>) -> Self {
        self.last = last;
        self
    }

    /// The same with arrows.
    #[must_use]
    pub fn with_arrows(mut self, arrows: Vec<Arrow>) -> Self {
        self.arrows = arrows;
        self
    }

    /// The same with rings around squares.
    #[must_use]
    pub fn with_rings(mut self, rings: Vec<Ring>) -> Self {
        self.rings = rings;
        self
    }

    /// The picture as an SVG document that needs nothing else.
    ///
    /// # Errors
    /// It would be too small or too large, or something is drawn beside the board.
    pub fn svg(&self, width: u16) -> Result<String, PictureError> {
        self.write_svg(width, Standing::Alone(width))
    }

    /// The picture as SVG for our own page, whose style has the colours: it fits whatever theme the reader has.
    ///
    /// # Errors
    /// Something is drawn beside the board.
    pub fn page_svg(&self) -> Result<String, PictureError> {
        self.write_svg(*WIDTHS.start(), Standing::InPage)
    }

    fn write_svg(&self, width: u16, standing: Standing) -> Result<String, PictureError> {
        self.check(width)?;
        let mut drawing = self.ground();
        self.draw_position(&mut drawing);
        let title = format!("Tablut ({}): {}", self.rules.set().id(), self.setup);
        Ok(svg::write(&drawing, standing, &title))
    }

    /// The picture as PNG.
    ///
    /// # Errors
    /// It would be too small or too large, or something is drawn beside the board.
    pub fn png(&self, width: u16) -> Result<Vec<u8>, PictureError> {
        let mut drawing = self.ground();
        self.draw_position(&mut drawing);
        self.check(width)?;
        let mut canvas = Canvas::new(&drawing, width)?;
        canvas.paint(&drawing);
        canvas.png()
    }

    pub(crate) fn check(&self, width: u16) -> Result<(), PictureError> {
        if !WIDTHS.contains(&width) {
            return Err(PictureError::Width(width));
        }
        let arrows = self.arrows.iter().map(|arrow| arrow.step);
        let ends = arrows.chain(self.last);
        let named = ends.flat_map(|step| [step.from(), step.to()]);
        let mut named = named.chain(self.rings.iter().map(|ring| ring.square));
        let board = self.rules.size().squares();
        match named.find(|square| !board.contains(*square)) {
            Some(square) => Err(PictureError::Beside(square)),
            None => Ok(()),
        }
    }

    const fn palette(&self) -> &'static Palette {
        self.style.brightness.palette()
    }

    /// The corner of a square at the top left.
    fn corner(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.style.quarters.place(square, self.rules.size());
        (f32::from(x) * UNIT, f32::from(y) * UNIT)
    }

    fn middle(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.corner(square);
        (x + UNIT / 2.0, y + UNIT / 2.0)
    }

    fn field(&self, square: Square) -> Figure {
        let (x, y) = self.corner(square);
        Figure::Rect {
            x,
            y,
            width: UNIT,
            height: UNIT,
            radius: 0.0,
        }
    }

    /// What is the same for all positions: the board.
    pub(crate) fn ground(&self) -> Drawing {
        let palette = self.palette();
        let side = f32::from(self.rules.size().rows()) * UNIT;
        let margin = match self.style.has_coordinates {
            true => LETTERED_MARGIN,
            false => MARGIN,
        };
        let mut drawing = Drawing {
            left: -margin,
            top: -MARGIN,
            side: side + margin + MARGIN,
            figures: Vec::new(),
        };
        let background = Figure::Rect {
            x: drawing.left,
            y: drawing.top,
            width: drawing.side,
            height: drawing.side,
            radius: 0.0,
        };
        drawing.add(background, Ink::filled(palette.page));
        let frame = Figure::Rect {
            x: -0.9,
            y: -0.9,
            width: side + 1.8,
            height: side + 1.8,
            radius: 1.0,
        };
        drawing.add(frame, Ink::filled(palette.frame));
        self.draw_squares(&mut drawing);
        if self.style.has_coordinates {
            self.draw_coordinates(&mut drawing);
        }
        drawing
    }

    fn draw_squares(&self, drawing: &mut Drawing) {
        let (palette, rules) = (self.palette(), self.rules);
        let board = rules.size().squares();
        let (castle, camps, escapes) = (rules.castle(), rules.camps(), rules.escapes());
        let is_special =
            |square| square == castle || camps.contains(square) || escapes.contains(square);
        let plain = |parity| {
            let plain = board.iter().filter(move |square| !is_special(*square));
            plain.filter(move |square| (square.column() + square.row()) % 2 == parity)
        };
        let mut fill = |squares: &mut dyn Iterator<Item = Square>, colour| {
            let ink = Ink::filled(colour).with_line(palette.grid, 0.12);
            for square in squares {
                drawing.add(self.field(square), ink);
            }
        };
        fill(&mut plain(0), palette.square);
        fill(&mut plain(1), palette.square_odd);
        fill(&mut camps.iter(), palette.camp);
        let ends = escapes.iter().filter(|square| !camps.contains(*square));
        fill(&mut ends.clone(), palette.escape);
        fill(&mut [castle].into_iter(), palette.castle);
        for square in camps.iter() {
            shape::camp(drawing, palette, self.middle(square));
        }
        for square in ends {
            let angle = self.outwards(square);
            shape::escape(drawing, palette, self.middle(square), angle);
        }
        shape::castle(drawing, palette, self.middle(castle));
        let starts = rules.start().men(Side::Defenders);
        for square in starts.iter().filter(|square| !is_special(*square)) {
            shape::start(drawing, palette, self.middle(square));
        }
    }

    /// The way from a square at the edge off the board, in degrees from the top.
    fn outwards(&self, square: Square) -> u16 {
        let last = self.rules.size().rows() - 1;
        match self.style.quarters.place(square, self.rules.size()) {
            (_, 0) => 0,
            (_, row) if row == last => 180,
            (0, _) => 270,
            _ => 90,
        }
    }

    fn draw_coordinates(&self, drawing: &mut Drawing) {
        let ink = Ink::lined(self.palette().muted, TEXT_LINE).round();
        let size = self.rules.size();
        let bottom = f32::from(size.rows()) * UNIT;
        for square in size.squares().iter() {
            let (column, row) = self.style.quarters.place(square, size);
            let name = square.to_string();
            let (letter, digit) = name.split_at(1);
            // A board on its side has its digits below and its letters at the left.
            let (below, beside) = match self.style.quarters.0 % 2 {
                0 => (letter, digit),
                _ => (digit, letter),
            };
            let at = f32::from(column) * UNIT + UNIT / 2.0;
            if row + 1 == size.rows() {
                write_text(drawing, below, (at, bottom + 3.1), ink);
            }
            if column == 0 {
                let middle = f32::from(row) * UNIT + UNIT / 2.0;
                let height = match beside.starts_with(|first: char| first.is_ascii_digit()) {
                    true => glyph::DIGIT_HEIGHT,
                    false => glyph::LETTER_HEIGHT,
                };
                let line = middle + height * TEXT_HEIGHT / glyph::DIGIT_HEIGHT / 2.0;
                write_text(drawing, beside, (-2.6, line), ink);
            }
        }
    }

    /// What differs from position to position: last move, pieces, arrows, rings.
    pub(crate) fn draw_position(&self, drawing: &mut Drawing) {
        let palette = self.palette();
        if let Some(last) = self.last {
            for square in [last.from(), last.to()] {
                let ink = Ink::filled(palette.last).faint(0.62);
                drawing.add(self.field(square), ink);
            }
        }
        for square in self.setup.occupied().iter() {
            if let Some(piece) = self.setup.piece_at(square) {
                shape::piece(drawing, palette, piece, self.middle(square));
            }
        }
        for ring in &self.rings {
            let colour = ring.brush.colour(palette);
            shape::ring(drawing, colour, self.middle(ring.square));
        }
        for arrow in &self.arrows {
            let (from, to) = (arrow.step.from(), arrow.step.to());
            let colour = arrow.brush.colour(palette);
            shape::arrow(drawing, colour, self.middle(from), self.middle(to));
        }
    }
}

/// Writes one character with its foot on a line.
fn write_text(drawing: &mut Drawing, text: &str, (x, y): (f32, f32), ink: Ink) {
    for character in text.chars() {
        let at = Spot {
            scale: TEXT_HEIGHT / glyph::DIGIT_HEIGHT,
            ..Spot::new(x, y)
        };
        let data = glyph::outline(character).into();
        drawing.add(Figure::Path { data, at }, ink);
    }
}
