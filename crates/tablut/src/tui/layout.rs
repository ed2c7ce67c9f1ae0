//! Where things are on the screen, for those who draw and for the mouse alike.

use ratatui::layout::Rect;
use tablut_rules::{BoardSize, Square};

/// Lines below the board: what is said, and the keys.
const FOOT: u16 = 2;

/// Columns left of the board, for the numbers of its rows.
const MARGIN: u16 = 3;

/// How large the squares are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scale {
    /// One line for each row, without a grid.
    Small,
    /// One line and a line of the grid for each row.
    Middle,
    /// Three lines and a line of the grid for each row.
    Large,
}

impl Scale {
    /// The largest first.
    const ALL: [Self; 3] = [Self::Large, Self::Middle, Self::Small];

    /// Columns and lines from one square to the next.
    const fn pitch(self) -> (u16, u16) {
        match self {
            Self::Small => (3, 1),
            Self::Middle => (4, 2),
            Self::Large => (8, 4),
        }
    }

    /// The width of the grid's lines.
    pub(crate) const fn line(self) -> u16 {
        match self {
            Self::Small => 0,
            Self::Middle | Self::Large => 1,
        }
    }

    /// The columns that the panel needs beside a board of this size.
    const fn panel(self) -> u16 {
        match self {
            Self::Small => 26,
            Self::Middle | Self::Large => 36,
        }
    }

    /// Columns and lines that a board of some rows takes, with its numbers and letters.
    fn extent(self, rows: u16) -> (u16, u16) {
        let (wide, high) = self.pitch();
        let line = self.line();
        (MARGIN + rows * wide + line, 1 + rows * high + line)
    }
}

/// Where things are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// How large the squares are.
    pub(crate) scale: Scale,
    /// The rows of the board.
    pub(crate) rows: u16,
    /// The squares with their grid, without numbers and letters.
    pub(crate) board: Rect,
    /// What stands beside the board.
    pub(crate) panel: Rect,
    /// The lines for what is said.
    pub(crate) note: Rect,
    /// The line for keys.
    pub(crate) keys: Rect,
    /// Whether the board is seen from the other side.
    flipped: bool,
}

impl Layout {
    /// The smallest screen that has room: columns and lines.
    pub(crate) fn least(size: BoardSize) -> (u16, u16) {
        let (wide, high) = Scale::Small.extent(size.rows().into());
        (wide + Scale::Small.panel(), high + FOOT)
    }

    /// The layout of a screen; nothing if it is too small.
    pub(crate) fn of(area: Rect, size: BoardSize, flipped: bool) -> Option<Self> {
        let rows = u16::from(size.rows());
        let scale = Scale::ALL.into_iter().find(|scale| {
            let (wide, high) = scale.extent(rows);
            wide + scale.panel() <= area.width && high + FOOT <= area.height
        })?;
        let (wide, high) = scale.extent(rows);
        // What is said gets a second line where there is one.
        let note = 1 + (area.height - high - FOOT).min(1);
        let keys = area.bottom() - 1;
        Some(Self {
            scale,
            rows,
            board: Rect::new(area.x + MARGIN, area.y + 1, wide - MARGIN, high - 1),
            panel: Rect::new(
                area.x + wide + 1,
                area.y,
                area.width - wide - 1,
                area.height - 1 - note,
            ),
            note: Rect::new(area.x, keys - note, area.width, note),
            keys: Rect::new(area.x, keys, area.width, 1),
            flipped,
        })
    }

    /// Where a square is drawn, without the grid.
    pub(crate) fn cell(&self, square: Square) -> Rect {
        let (wide, high) = self.scale.pitch();
        let line = self.scale.line();
        let turn = |n: u8| match self.flipped {
            true => self.rows - 1 - u16::from(n),
            false => u16::from(n),
        };
        Rect::new(
            self.board.x + turn(square.column()) * wide + line,
            self.board.y + turn(square.row()) * high + line,
            wide - line,
            high - line,
        )
    }

    /// The square at a place of the screen.
    pub(crate) fn square_at(&self, column: u16, line: u16) -> Option<Square> {
        let place = ratatui::layout::Position::new(column, line);
        let on_board = |square: &Square| {
            u16::from(square.column()) < self.rows && u16::from(square.row()) < self.rows
        };
        Square::all()
            .filter(on_board)
            .find(|&square| self.cell(square).contains(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(wide: u16, high: u16, flipped: bool) -> Option<Layout> {
        Layout::of(Rect::new(0, 0, wide, high), BoardSize::Nine, flipped)
    }

    #[test]
    fn the_board_is_as_large_as_the_screen_allows() {
        let (wide, high) = Layout::least(BoardSize::Nine);
        for (wide, high, scale) in [
            (80, 24, Some(Scale::Middle)),
            (120, 40, Some(Scale::Large)),
            (120, 39, Some(Scale::Middle)),
            (60, 20, Some(Scale::Small)),
            (wide, high, Some(Scale::Small)),
            (wide - 1, high, None),
            (wide, high - 1, None),
            (0, 0, None),
        ] {
            let found = layout(wide, high, false).map(|layout| layout.scale);
            assert_eq!(found, scale, "{wide} x {high}");
        }
    }

    #[test]
    fn every_place_of_a_square_is_that_square() {
        for (wide, high, flipped) in [(80, 24, false), (120, 40, true), (60, 20, false)] {
            let layout = layout(wide, high, flipped).expect("enough room");
            for square in Square::all() {
                for place in layout.cell(square).positions() {
                    assert_eq!(layout.square_at(place.x, place.y), Some(square));
                }
            }
            assert_eq!(layout.square_at(0, 0), None);
        }
    }
}
