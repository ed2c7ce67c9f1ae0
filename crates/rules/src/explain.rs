//! Why a move is illegal, and why a man falls: which rule, which squares.
//!
//! Every reason is data; [`crate::text`] has the sentences. Whether a move is legal and what it
//! captures comes from the tables that make moves; what is to blame comes from what these tables are
//! made of (`Barriers`), so explanations cannot disagree with moves.

use alloc::vec::Vec;

use crate::{
    CampClosed, Direction, End, Move, Piece, Position, Rules, Setup, Side, Square, rules::Barriers,
};

/// Why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum IllegalMove {
    /// A square that this board does not have.
    OutsideBoard(Square),
    /// Nothing stands on the first square.
    NoPiece(Square),
    /// The piece on the first square belongs to the other side.
    NotYours {
        /// The first square.
        square: Square,
        /// What stands there.
        piece: Piece,
    },
    /// Both squares are the same.
    NoStep(Square),
    /// The squares share neither row nor column.
    NotStraight {
        /// Where the piece starts.
        from: Square,
        /// Where it should go.
        to: Square,
    },
    /// Another piece stands on the last square.
    Occupied {
        /// The last square.
        square: Square,
        /// What stands there.
        piece: Piece,
    },
    /// Another piece stands in the way.
    PieceInTheWay {
        /// Where it stands.
        square: Square,
        /// What stands there.
        piece: Piece,
    },
    /// The piece may not stop on the castle.
    CastleStop(Square),
    /// The castle may not be crossed.
    CastleInTheWay(Square),
    /// The last square is a camp square that is closed.
    CampStop {
        /// The camp square.
        square: Square,
        /// For whom camps are closed.
        closed_to: CampClosed,
    },
    /// A camp square that is closed lies in the way.
    CampInTheWay {
        /// The first camp square in the way.
        square: Square,
        /// For whom camps are closed.
        closed_to: CampClosed,
    },
}

impl IllegalMove {
    /// The square that causes it, for a board to mark.
    #[must_use]
    pub const fn square(&self) -> Square {
        match *self {
            Self::OutsideBoard(square)
            | Self::NoPiece(square)
            | Self::NotYours { square, .. }
            | Self::NoStep(square)
            | Self::NotStraight { to: square, .. }
            | Self::Occupied { square, .. }
            | Self::PieceInTheWay { square, .. }
            | Self::CastleStop(square)
            | Self::CastleInTheWay(square)
            | Self::CampStop { square, .. }
            | Self::CampInTheWay { square, .. } => square,
        }
    }
}

impl core::error::Error for IllegalMove {}

/// Why one piece was captured.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Capture {
    /// Where it stood.
    pub square: Square,
    /// What it was.
    pub piece: Piece,
    /// The rule that took it.
    pub cause: CaptureCause,
}

/// The rule by which a piece was captured.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub enum CaptureCause {
    /// It stood between the moved piece and a hostile square straight beyond.
    Between {
        /// Where the moved piece arrived.
        hammer: Square,
        /// The hostile square.
        anvil: Square,
        /// Why that square is hostile.
        kind: Anvil,
    },
    /// Every side of the king was closed.
    Siege(Vec<(Square, Anvil)>),
}

/// Why a square is hostile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
#[non_exhaustive]
pub enum Anvil {
    /// A man of the capturing side stands on it.
    Man,
    /// The king stands on it.
    King,
    /// It is the empty castle.
    EmptyCastle,
    /// It is the castle with the king on it, which is hostile to his own men.
    CastleWithKing,
    /// It is the castle with the king on it and attackers on the other three sides.
    BesiegedCastle,
    /// It is a camp square, occupied or not.
    Camp,
}

/// What a move does under a rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is not allowed.
    Illegal(IllegalMove),
    /// It is made.
    Made {
        /// What it captures, and why.
        captures: Vec<Capture>,
        /// How it ends the game.
        end: Option<End>,
    },
}

impl Rules {
    /// What a move of the side to move does, with every reason.
    #[must_use]
    pub fn verdict(&self, position: &Position, step: Move) -> Verdict {
        match self.explain_captures(position, step) {
            Err(reason) => Verdict::Illegal(reason),
            Ok(captures) => Verdict::Made {
                captures,
                end: self.apply_unchecked(position, step).end,
            },
        }
    }

    /// Why a move of the side to move is illegal.
    ///
    /// ```
    /// # #[cfg(feature = "toml")] {
    /// use tablut_rules::{IllegalMove, Rules};
    /// let rules = Rules::ashton();
    /// let reason = rules.explain(&rules.start(), "c5-a5".parse().expect("a move"));
    /// assert_eq!(
    ///     reason.unwrap_err().to_string(),
    ///     "a black man on b5 is in the way"
    /// );
    /// # }
    /// ```
    ///
    /// # Errors
    /// The reason, if the move is illegal.
    pub fn explain(&self, position: &Position, step: Move) -> Result<(), IllegalMove> {
        if self.is_legal(position, step) {
            return Ok(());
        }
        let from = step.from();
        match position.piece_at(from) {
            Some(piece) if piece.side() != position.side() => Err(IllegalMove::NotYours {
                square: from,
                piece,
            }),
            _ => self.explain_slide(&Setup::from(position), step),
        }
    }

    /// Why the piece on a square cannot go to another, whoever is to move.
    pub(crate) fn explain_slide(&self, setup: &Setup, step: Move) -> Result<(), IllegalMove> {
        let (from, to) = (step.from(), step.to());
        let board = self.size().squares();
        if let Some(outside) = [from, to].into_iter().find(|&s| !board.contains(s)) {
            return Err(IllegalMove::OutsideBoard(outside));
        }
        let Some(piece) = setup.piece_at(from) else {
            return Err(IllegalMove::NoPiece(from));
        };
        if from == to {
            return Err(IllegalMove::NoStep(from));
        }
        if from.direction_to(to).is_none() {
            return Err(IllegalMove::NotStraight { from, to });
        }
        if self.view(setup).targets(from).contains(to) {
            return Ok(());
        }
        Err(self.obstacle(setup, piece, step))
    }

    /// What stops a piece on a straight way that it cannot go.
    fn obstacle(&self, setup: &Setup, piece: Piece, step: Move) -> IllegalMove {
        let (from, to) = (step.from(), step.to());
        let Barriers {
            // The way does not leave the board: both its ends are on it.
            outside: _,
            camps,
            castle_in_row,
            castle_in_column,
            castle_stop,
        } = self.set().barriers(piece, from);
        let castle = if from.row() == to.row() {
            castle_in_row
        } else {
            castle_in_column
        };
        let closed_to = self.set().camp_closed_to;
        for square in from.between(to).chain([to]) {
            let is_last = square == to;
            if castle.contains(square) && square != self.castle() {
                return IllegalMove::CastleInTheWay(self.castle());
            }
            match setup.piece_at(square) {
                Some(piece) if is_last => return IllegalMove::Occupied { square, piece },
                Some(piece) => return IllegalMove::PieceInTheWay { square, piece },
                None => {}
            }
            if camps.contains(square) {
                return if is_last {
                    IllegalMove::CampStop { square, closed_to }
                } else {
                    IllegalMove::CampInTheWay { square, closed_to }
                };
            }
            if castle.contains(square) && !is_last {
                return IllegalMove::CastleInTheWay(square);
            }
        }
        debug_assert!(castle_stop.contains(to), "only the castle is left to blame");
        IllegalMove::CastleStop(to)
    }

    /// Which pieces a move of the side to move captures, and by which rule.
    ///
    /// # Errors
    /// Why the move is illegal.
    pub fn explain_captures(
        &self,
        position: &Position,
        step: Move,
    ) -> Result<Vec<Capture>, IllegalMove> {
        let applied = self.apply(position, step)?;
        let (to, side) = (step.to(), position.side());
        let mut after = Setup::from(position);
        after.shift(step);
        let mut captures: Vec<Capture> = applied
            .captured
            .iter()
            .filter_map(|square| {
                let anvil = square.step(to.direction_to(square)?)?;
                Some(Capture {
                    square,
                    piece: Piece::man(side.opponent()),
                    cause: CaptureCause::Between {
                        hammer: to,
                        anvil,
                        kind: self.anvil(&after, side, to, anvil),
                    },
                })
            })
            .collect();
        if applied.end == Some(End::KingCaptured) {
            captures.push(self.explain_fall(&after, position.king(), to));
        }
        Ok(captures)
    }

    /// Why the king fell to an attacker that arrived on `to`.
    fn explain_fall(&self, after: &Setup, king: Square, to: Square) -> Capture {
        let attackers = after.of_side(Side::Attackers);
        let cause = if self.is_besieged(king, attackers, after.occupied()) {
            let sides = Direction::ALL.into_iter().filter_map(|d| king.step(d));
            let closed = sides.map(|s| (s, self.anvil(after, Side::Attackers, to, s)));
            CaptureCause::Siege(closed.collect())
        } else {
            let anvil = to.direction_to(king).and_then(|d| king.step(d));
            let anvil = anvil.expect("a king between two has a square beyond");
            CaptureCause::Between {
                hammer: to,
                anvil,
                kind: self.anvil(after, Side::Attackers, to, anvil),
            }
        };
        Capture {
            square: king,
            piece: Piece::King,
            cause,
        }
    }

    /// Why a square helped a side to capture with a move that ended on `to`.
    fn anvil(&self, after: &Setup, side: Side, to: Square, square: Square) -> Anvil {
        match after.piece_at(square) {
            Some(piece) if piece == Piece::man(side) => Anvil::Man,
            Some(Piece::King) if side == Side::Defenders => Anvil::King,
            Some(Piece::King) if square == self.castle() => {
                if self.castle_needs_no_guard(to) {
                    Anvil::CastleWithKing
                } else {
                    Anvil::BesiegedCastle
                }
            }
            _ if square == self.castle() => Anvil::EmptyCastle,
            _ => {
                debug_assert!(self.camps().contains(square), "only camps are left");
                Anvil::Camp
            }
        }
    }
}
