//! A compiled rule set: the tables that answer what is legal.
//!
//! Code here never asks which rule set it serves. What differs between sets is in the tables, which
//! `compile.rs` fills; `generate.rs` and `apply.rs` are the hot paths and only load from them.

mod apply;
mod compile;
mod generate;
#[cfg(all(test, feature = "toml"))]
mod planted;
mod scan;
mod setup_view;

#[cfg(feature = "toml")]
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use apply::{Applied, End};
pub use scan::Scan;
pub use setup_view::{Preview, SetupView};

use crate::{
    Bitboard, BoardSize, BySide, Laws, Piece, Position, RuleSet, Setup, SetupError, SetupFault,
    Side, Square, line::LineBits,
};

/// What closes squares to one kind of piece that starts on one square, besides other pieces.
///
/// A new kind of barrier is a new field: neither the tables nor the explanations of illegal moves
/// compile until they know it.
pub(crate) struct Barriers {
    /// Squares that a smaller board does not have.
    pub(crate) outside: Bitboard,
    /// Camp squares it can neither stop on nor cross.
    pub(crate) camps: Bitboard,
    /// Where it is stopped by the castle when it moves along a row: the castle itself, or the square
    /// behind it for a king that may stop on it.
    pub(crate) castle_in_row: Bitboard,
    /// The same along a column.
    pub(crate) castle_in_column: Bitboard,
    /// The castle, if it may not stop there.
    pub(crate) castle_stop: Bitboard,
}

/// What stops one kind of piece on its way from one square, as lines of its row and column.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Slide {
    /// Squares it cannot enter or cross, besides occupied ones.
    row_barrier: LineBits,
    column_barrier: LineBits,
    /// Squares it may stop on.
    row_stop: LineBits,
    column_stop: LineBits,
}

/// Squares that are hostile to one side's men, besides those of enemy pieces.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Hostile {
    always: Bitboard,
    when_empty: Bitboard,
}

/// How the king falls. Squares `to` are where the attackers' last move ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KingTables {
    /// Per `to`: the king's squares on which that move can complete a siege.
    siege_from: [Bitboard; Square::COUNT],
    /// Per `to`: the king's squares on which that move and the square beyond can take him.
    custodial_from: [Bitboard; Square::COUNT],
    /// Per king's square: what must be closed. A bit beyond the board never is.
    siege: [Bitboard; Square::COUNT],
    /// Squares hostile to a king between two, besides attackers.
    anvils: Bitboard,
    /// Squares that close a side of a besieged king, besides attackers.
    closes: Hostile,
    /// Per `to`: what must be attackers for the castle with the king on it to be hostile to a man
    /// between `to` and the castle. A bit beyond the board never is.
    castle_guard: [Bitboard; Square::COUNT],
}

/// A bit that no set of squares holds: "this never happens here".
pub(crate) const IMPOSSIBLE: Bitboard = Bitboard(1 << 127);

/// A rule set compiled into tables: the one judge of what is legal.
///
/// Made by [`RuleSet::compile`]; immutable, to be shared.
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use tablut_rules::Rules;
/// let rules = Rules::ashton();
/// let position = rules.start();
/// let step = "e3-h3".parse().expect("a move");
/// let applied = rules.apply(&position, step).expect("it is legal");
/// assert!(applied.captured.is_empty() && applied.end.is_none());
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Per kind of piece and square; 128 squares, so that a masked index needs no check.
    slides: [[Slide; 128]; 3],
    /// Per kind of piece and square: from where a piece could move there if it were alone. Other
    /// pieces only take away what they stand between.
    into: [[Bitboard; 128]; 3],
    /// Per square a move ends on: the squares beside it. Most moves touch no enemy there.
    touch: [Bitboard; 128],
    /// What is hostile to a side's men.
    hostile: BySide<Hostile>,
    king: KingTables,
    goals: Bitboard,
    castle: Square,
    /// With attackers on all of these squares, a move may have ended the game in a way that its
    /// neighbours do not show. No square: look after every move. A bit beyond the board: never.
    rare_when: Bitboard,
    laws: Laws,
    start: Position,
    set: RuleSet,
}

impl Rules {
    /// The rules of the Tablut Challenge, short for `BuiltIn::Ashton.rules()`.
    #[cfg(feature = "toml")]
    #[must_use]
    pub fn ashton() -> Arc<Self> {
        crate::BuiltIn::Ashton.rules()
    }

    /// The rule set in words.
    #[must_use]
    pub const fn set(&self) -> &RuleSet {
        &self.set
    }

    /// The position a game starts from.
    #[must_use]
    pub const fn start(&self) -> Position {
        self.start
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> BoardSize {
        self.set.size
    }

    /// The castle.
    #[must_use]
    pub const fn castle(&self) -> Square {
        self.castle
    }

    /// The squares on which the king wins.
    #[must_use]
    pub const fn goals(&self) -> Bitboard {
        self.goals
    }

    /// How games under this set end besides by the king's fate.
    #[must_use]
    pub const fn laws(&self) -> Laws {
        self.laws
    }

    /// Whether a move can end the game in a way that [`Scan::winning_move`](crate::Scan::winning_move)
    /// does not look for.
    #[must_use]
    pub fn has_rare_laws(&self) -> bool {
        self.rare_when != IMPOSSIBLE
    }

    /// All camp squares.
    #[must_use]
    pub fn camps(&self) -> Bitboard {
        self.set.camp_squares()
    }

    /// The goals a king can ever arrive on: what a board marks as escape squares.
    ///
    /// With camps and the whole edge as goals, these are the edge squares that are neither camp nor
    /// corner.
    #[must_use]
    pub fn escapes(&self) -> Bitboard {
        self.reachable_from_start(Piece::King) & self.goals
    }

    /// The squares that any number of moves can bring a kind of piece to from its start on an
    /// otherwise empty board: other pieces can only take squares away. The king goes no further from
    /// a goal.
    #[must_use]
    pub fn reachable_from_start(&self, piece: Piece) -> Bitboard {
        let (mut seen, mut next) = (Bitboard::EMPTY, self.set.start.pieces(piece));
        while let Some(from) = (next & !seen).first() {
            seen.insert(from);
            if piece != Piece::King || !self.goals.contains(from) {
                next |= self.slide_targets(piece, from, Bitboard::EMPTY);
            }
        }
        seen
    }

    /// The squares that one move can bring a kind of piece to from anywhere outside the camps.
    #[must_use]
    pub fn ground(&self, piece: Piece) -> Bitboard {
        let outside = self.size().squares() - self.camps();
        outside.iter().fold(Bitboard::EMPTY, |all, from| {
            all | self.slide_targets(piece, from, Bitboard::EMPTY)
        })
    }

    /// Checks a set-up and makes a position of it.
    ///
    /// # Errors
    /// Reports *all* faults; [`SetupError::playable`] gives the position if play is possible.
    pub fn position(&self, setup: &Setup) -> Result<Position, SetupError> {
        let faults = self.faults(setup);
        let position = (!faults.iter().any(SetupFault::is_grave)).then(|| self.place(setup));
        match position {
            Some(position) if faults.is_empty() => Ok(position),
            position => Err(SetupError { faults, position }),
        }
    }

    /// Everything that is wrong with a set-up under these rules.
    #[must_use]
    pub fn faults(&self, setup: &Setup) -> Vec<SetupFault> {
        let mut faults = Vec::new();
        let board = self.size().squares();
        if setup.size() != self.size() {
            faults.push(SetupFault::WrongSize {
                expected: self.size(),
                found: setup.size(),
            });
        }
        let outside = setup.occupied() & !board;
        if !outside.is_empty() {
            faults.push(SetupFault::OutsideBoard(outside));
        }
        let kings = setup.pieces(Piece::King);
        match kings.len() {
            0 => faults.push(SetupFault::NoKing),
            1 => {}
            _ => faults.push(SetupFault::SeveralKings(kings)),
        }
        let men = setup.pieces(Piece::Attacker) | setup.pieces(Piece::Defender);
        if men.contains(self.castle) {
            faults.push(SetupFault::ManOnCastle(self.castle));
        }
        let stray = self.strays(setup);
        if !stray.is_empty() {
            faults.push(SetupFault::StrayInCamp(stray));
        }
        let attackers = setup.of_side(Side::Attackers);
        for king in kings & board {
            if self.goals.contains(king) {
                faults.push(SetupFault::KingEscaped(king));
            } else if self.is_besieged(king, attackers, setup.occupied()) {
                faults.push(SetupFault::KingCaptured(king));
            }
        }
        for side in Side::ALL {
            let piece = Piece::man(side);
            let count = setup.pieces(piece).len();
            let most = self.set.start.pieces(piece).len();
            if count > most {
                faults.push(SetupFault::TooManyMen { side, count, most });
            }
        }
        faults
    }

    /// Pieces on camp squares they can never have reached.
    fn strays(&self, setup: &Setup) -> Bitboard {
        use crate::CampClosed;
        let mut strays = Bitboard::EMPTY;
        for &camp in &self.set.camps {
            for piece in [Piece::Attacker, Piece::Defender, Piece::King] {
                let closed = match self.set.camp_closed_to {
                    CampClosed::Nobody => false,
                    CampClosed::King => piece == Piece::King,
                    CampClosed::Outsiders => true,
                };
                let native = !self.set.start.pieces(piece).is_disjoint(camp);
                if closed && !native {
                    strays |= setup.pieces(piece) & camp;
                }
            }
        }
        strays
    }

    /// The position of a set-up with one king on the right board.
    fn place(&self, setup: &Setup) -> Position {
        let king = setup.pieces(Piece::King).first();
        let mut position = Position {
            pieces: BySide::from_fn(|side| setup.of_side(side)),
            key: 0,
            king: king.expect("a set-up without grave faults has a king"),
            side: setup.side(),
            size: setup.size(),
            quiet: setup.quiet(),
        };
        position.key = position.fresh_key();
        position
    }

    /// Whether every single move has the same result under both, whatever the laws above the board.
    pub(crate) fn moves_alike(&self, other: &Self) -> bool {
        self.slides == other.slides
            && self.hostile == other.hostile
            && self.king == other.king
            && self.goals == other.goals
            && self.castle == other.castle
            && self.rare_when == other.rare_when
    }
}
