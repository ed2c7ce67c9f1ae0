//! A board as an array of squares, and the way into and out of the crate's own types.

use std::{fmt, vec::Vec};

use tablut_rules::{Bitboard, Move, Piece, Position, Setup, Side, Square};

/// What stands on a square. Attackers are black, defenders white.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    Empty,
    Black,
    White,
    King,
}

impl Cell {
    /// The side a piece belongs to; the king is a white piece.
    pub(crate) const fn side(self) -> Option<Side> {
        match self {
            Self::Empty => None,
            Self::Black => Some(Side::Attackers),
            Self::White | Self::King => Some(Side::Defenders),
        }
    }
}

impl From<Option<Piece>> for Cell {
    fn from(piece: Option<Piece>) -> Self {
        match piece {
            None => Self::Empty,
            Some(Piece::Attacker) => Self::Black,
            Some(Piece::Defender) => Self::White,
            Some(Piece::King) => Self::King,
        }
    }
}

/// One step to a neighbouring square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    pub(crate) down: i32,
    pub(crate) right: i32,
}

/// Up, down, left, right.
pub(crate) const WAYS: [Way; 4] = [
    Way { down: -1, right: 0 },
    Way { down: 1, right: 0 },
    Way { down: 0, right: -1 },
    Way { down: 0, right: 1 },
];

/// A row and a column, from zero at the top left; possibly beyond the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) row: i32,
    pub(crate) column: i32,
}

impl Place {
    /// The next square on a way.
    pub(crate) const fn step(self, way: Way) -> Self {
        Self {
            row: self.row + way.down,
            column: self.column + way.right,
        }
    }

    /// The four squares beside this one, some of them possibly beyond the board.
    pub(crate) fn sides(self) -> [Self; 4] {
        WAYS.map(|way| self.step(way))
    }

    /// Whether a square is in a set of the crate.
    pub(crate) fn is_in(self, set: Bitboard) -> bool {
        let on_large_board = (0..9).contains(&self.row) && (0..9).contains(&self.column);
        on_large_board && set.contains(self.square())
    }

    /// The crate's square.
    pub(crate) fn square(self) -> Square {
        let column = u8::try_from(self.column).expect("a column of the board");
        let row = u8::try_from(self.row).expect("a row of the board");
        Square::new(column, row).expect("a square of the board")
    }
}

impl From<Square> for Place {
    fn from(square: Square) -> Self {
        Self {
            row: i32::from(square.row()),
            column: i32::from(square.column()),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.square())
    }
}

/// The places of a move of the crate: from, to.
pub(crate) fn places(step: Move) -> (Place, Place) {
    (Place::from(step.from()), Place::from(step.to()))
}

/// The places of a set of squares, in order.
pub(crate) fn places_in(set: Bitboard) -> Vec<Place> {
    let all = (0..9).flat_map(|row| (0..9).map(move |column| Place { row, column }));
    all.filter(|place| place.is_in(set)).collect()
}

/// The pieces on their squares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Board {
    rows: usize,
    cells: [[Cell; 9]; 9],
}

impl Board {
    /// What stands on a square, or nothing beyond the board.
    pub(crate) fn at(&self, place: Place) -> Option<Cell> {
        let row = usize::try_from(place.row).ok()?;
        let column = usize::try_from(place.column).ok()?;
        (row < self.rows && column < self.rows).then(|| self.cells[row][column])
    }

    /// Whether a certain piece stands on a square.
    pub(crate) fn has(&self, place: Place, cell: Cell) -> bool {
        self.at(place) == Some(cell)
    }

    /// Puts a piece on a square of the board.
    pub(crate) fn put(&mut self, place: Place, cell: Cell) {
        assert!(self.at(place).is_some(), "pieces stand on the board");
        self.cells[place.row as usize][place.column as usize] = cell;
    }

    /// All squares of the board, row by row.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let rows = self.rows as i32;
        (0..rows).flat_map(move |row| (0..rows).map(move |column| Place { row, column }))
    }

    /// Where the kings stand.
    pub(crate) fn kings(&self) -> Vec<Place> {
        let all = self.places();
        all.filter(|&place| self.has(place, Cell::King)).collect()
    }

    /// A board with what `piece_at` says of each square.
    fn read(rows: u8, piece_at: impl Fn(Square) -> Option<Piece>) -> Self {
        let mut board = Self {
            rows: usize::from(rows),
            cells: [[Cell::Empty; 9]; 9],
        };
        for place in board.places() {
            board.put(place, Cell::from(piece_at(place.square())));
        }
        board
    }
}

impl fmt::Debug for Board {
    /// The rows from the top, one letter for each square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in self.places() {
            if place.column == 0 && place.row > 0 {
                f.write_str("/")?;
            }
            f.write_str(match self.at(place) {
                Some(Cell::Black) => "b",
                Some(Cell::White) => "w",
                Some(Cell::King) => "K",
                Some(Cell::Empty) | None => ".",
            })?;
        }
        Ok(())
    }
}

impl From<&Setup> for Board {
    fn from(setup: &Setup) -> Self {
        Self::read(setup.size().rows(), |square| setup.piece_at(square))
    }
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Self {
        Self::read(position.size().rows(), |square| position.piece_at(square))
    }
}
