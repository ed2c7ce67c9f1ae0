//! How the network sees a board: turned and mirrored so that the king stands in one eighth of it, and with other
//! inputs for each region of the board that he may stand in.
//!
//! Seven of eight orientations never have to be learnt, so the same number of units learns more; and what a man on
//! a square is worth depends on where the king is. Both depend on the king's square alone. Where a board could be turned
//! in several ways, as for a king in the centre, it is the first.

use tablut_rules::{BoardSize, Piece, Square, Symmetry};

/// Pieces on squares: attackers, defenders, king, each by square.
pub const PLACES: usize = 3 * Square::COUNT;

/// Regions of the king: the centre, and rings around it, of which the two at the edge are one.
pub const REGIONS: usize = 4;

/// There is an input for each region and each place of the board as it is seen.
pub const INPUTS: usize = REGIONS * PLACES;

/// The number of the place of a piece on a square.
#[must_use]
#[inline(always)]
pub const fn place(piece: Piece, square: Square) -> usize {
    let first = match piece {
        Piece::Attacker => 0,
        Piece::Defender => Square::COUNT,
        Piece::King => 2 * Square::COUNT,
    };
    first + square.index()
}

const TURNS: usize = Symmetry::ALL.len();

/// Per turn: where it takes each place.
static TURNED: [[u8; PLACES]; TURNS] = turned();

/// Per square of the king: how the board is seen.
static VIEWS: [View; Square::COUNT] = views();

const fn turned() -> [[u8; PLACES]; TURNS] {
    let mut table = [[0; PLACES]; TURNS];
    let mut turn = 0;
    while turn < TURNS {
        let mut from = 0;
        while from < PLACES {
            let square = Square::from_index(from % Square::COUNT).expect("it is on the board");
            let to = Symmetry::ALL[turn].square(BoardSize::Nine, square);
            table[turn][from] = (from - from % Square::COUNT + to.index()) as u8;
            from += 1;
        }
        turn += 1;
    }
    table
}

const fn views() -> [View; Square::COUNT] {
    let turned = turned();
    let mut views = [View { turn: 0, region: 0 }; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let view = &mut views[king];
        while !is_in_the_eighth(turned[view.turn as usize][king]) {
            view.turn += 1;
        }
        // Rather right than below: so many squares from the centre.
        let ring = turned[view.turn as usize][king] % 9 - 4;
        view.region = if ring < REGIONS as u8 {
            ring
        } else {
            REGIONS as u8 - 1
        };
        king += 1;
    }
    views
}

/// Whether a square is right of the centre and below it, and rather right than below.
const fn is_in_the_eighth(square: u8) -> bool {
    let (right, below) = (square as i8 % 9 - 4, square as i8 / 9 - 4);
    right >= below && below >= 0
}

/// How a board is seen.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct View {
    /// The number of the turn.
    turn: u8,
    /// Where the king stands.
    region: u8,
}

impl View {
    /// All of them, in the order of their numbers.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let of = |region| (0..TURNS as u8).map(move |turn| Self { turn, region });
        (0..REGIONS as u8).flat_map(of)
    }

    /// How a board is seen whose king stands here.
    #[must_use]
    #[inline(always)]
    pub fn of(king: Square) -> Self {
        VIEWS[king.index()]
    }

    /// Its number.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        usize::from(self.region) * TURNS + usize::from(self.turn)
    }

    /// Where a place is seen: the number of the input.
    #[must_use]
    #[inline(always)]
    pub fn input(self, place: usize) -> usize {
        usize::from(self.region) * PLACES + usize::from(TURNED[usize::from(self.turn)][place])
    }
}
