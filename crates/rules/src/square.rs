//! One square of the board, and the four directions.
//!
//! Squares are numbered row by row from the top left, `a1` = 0, `i1` = 8, `a2` = 9, … `i9` = 80.
//! Smaller boards use the same numbers: a 7×7 board is the squares `a1`–`g7` of the large one.

use core::{fmt, str::FromStr};

/// A square of the board: column letter `a`–`i` from the left, row digit `1`–`9` from the top.
///
/// ```
/// use tablut_rules::Square;
/// let castle: Square = "e5".parse()?;
/// assert_eq!((castle.column(), castle.row()), (4, 4));
/// assert_eq!(castle.to_string(), "e5");
/// # Ok::<(), tablut_rules::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares the largest board has.
    pub const COUNT: usize = 81;

    /// The square in a column and row, both counted from zero.
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < 9 && row < 9 {
            Some(Self(row * 9 + column))
        } else {
            None
        }
    }

    /// The square with a number below 81.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The square with a number that is known to be below 81.
    #[inline(always)]
    pub(crate) const fn from_index_unchecked(index: u8) -> Self {
        debug_assert!(index < Self::COUNT as u8);
        Self(index)
    }

    /// The square's number, below 81.
    #[must_use]
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, from zero at the left.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % 9
    }

    /// The row, from zero at the top.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / 9
    }

    /// The next square in a direction, if the board does not end here.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        let (column, row) = (self.column(), self.row());
        match direction {
            Direction::Up if row > 0 => Self::new(column, row - 1),
            Direction::Down => Self::new(column, row + 1),
            Direction::Left if column > 0 => Self::new(column - 1, row),
            Direction::Right => Self::new(column + 1, row),
            _ => None,
        }
    }

    /// Every square of the 9×9 board, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The squares strictly between two squares of one row or column, nearest to `self` first.
    ///
    /// Empty when the squares share neither row nor column.
    pub fn between(self, other: Self) -> impl Iterator<Item = Self> + Clone {
        let direction = self.direction_to(other);
        core::iter::successors(direction.and_then(|d| self.step(d)), move |square| {
            direction.and_then(|d| square.step(d))
        })
        .take_while(move |&square| square != other)
    }

    /// The direction in which `other` lies, if it shares the row or the column.
    #[must_use]
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        use core::cmp::Ordering::{Equal, Greater, Less};
        match (
            self.column().cmp(&other.column()),
            self.row().cmp(&other.row()),
        ) {
            (Equal, Less) => Some(Direction::Down),
            (Equal, Greater) => Some(Direction::Up),
            (Less, Equal) => Some(Direction::Right),
            (Greater, Equal) => Some(Direction::Left),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column());
        write!(f, "{column}{}", self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads `e5` or `E5`.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let [column, row] = text.as_bytes() else {
            return Err(ParseSquareError);
        };
        let column = column.to_ascii_lowercase().wrapping_sub(b'a');
        Self::new(column, row.wrapping_sub(b'1')).ok_or(ParseSquareError)
    }
}

/// A text that names no square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter a to i and a digit 1 to 9, as in e5")
    }
}

impl core::error::Error for ParseSquareError {}

/// One of the four ways a piece can move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards row 1.
    Up,
    /// Towards the last row.
    Down,
    /// Towards column a.
    Left,
    /// Towards the last column.
    Right,
}

impl Direction {
    /// All four, in the order up, down, left, right.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The direction that leads back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}
