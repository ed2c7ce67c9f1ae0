//! What a description of rules can say, without words of any language.
//!
//! `describe.rs` chooses the clauses of a rule set; each language turns a clause into a sentence.
//! A language without a sentence for some clause does not compile.

use alloc::{string::String, vec::Vec};
use core::num::NonZero;

use super::Section;
use crate::{
    Bitboard, BoardSize, CampClosed, CastleCross, CastleKing, CastleStop, Goals, NoMove, Piece,
    PieceSet, Repetition, Side, Square, TwoLanes,
};

/// The clauses of a rule set, by section. Examples are true under the rule set they were made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clauses {
    pub(super) board: Vec<BoardClause>,
    pub(super) moves: Vec<MoveClause>,
    pub(super) men: Vec<ManClause>,
    pub(super) king: Vec<KingClause>,
    pub(super) end: Vec<EndClause>,
    pub(super) calls: Vec<CallClause>,
}

/// The board, the pieces, the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BoardClause {
    Board(BoardSize),
    /// How many men each side has at the start.
    Sides {
        white: u32,
        black: u32,
    },
    Aims,
    Castle(Square),
    /// The camps, none of them empty; at least one.
    Camps(Vec<Bitboard>),
    NoCamps,
    Goals {
        goals: Goals,
        squares: Bitboard,
    },
    /// The goals the king can arrive on, where these are not all.
    Escapes(Bitboard),
    /// That goals and corners are ordinary otherwise; whether some are in camps.
    PlainGoals {
        in_camps: bool,
    },
    /// Where pieces of a kind start; at least one.
    Start {
        piece: Piece,
        squares: Bitboard,
    },
    First(Side),
}

/// How pieces move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MoveClause {
    Straight,
    NoJump,
    /// Who stops on and crosses the castle; `home` if the king starts on it.
    CastleMoves {
        castle: Square,
        stop: CastleStop,
        cross: CastleCross,
        home: bool,
    },
    /// The castle bars the way along its row, though it may be crossed.
    CastleColumnOnly {
        castle: Square,
        stop: CastleStop,
    },
    CrossExample {
        from: Square,
        to: Square,
        allowed: bool,
    },
    CampMoves(CampClosed),
    /// What a piece may do that starts its move in a camp, where camps are closed to others.
    OwnCamp,
    /// From a camp square a man may go to `within` and `out`, and not back from `out`.
    OwnCampExample {
        from: Square,
        within: Option<Square>,
        out: Square,
    },
    /// From a camp square a man may go as far as `to`, not to `barred` in another camp.
    OtherCampExample {
        from: Square,
        to: Square,
        barred: Square,
    },
    NoWhiteInCamps,
}

/// How men are captured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ManClause {
    Custodial,
    EnemyHostile,
    /// A black man on `man` between `one` and `other`.
    BetweenExample {
        man: Square,
        one: Square,
        other: Square,
    },
    Active,
    /// The same, and a third square beside it.
    SideExample {
        man: Square,
        one: Square,
        other: Square,
        side: Square,
    },
    SafeBetween,
    Several,
    Edge,
    CastleEmpty {
        castle: Square,
        to: PieceSet,
    },
    /// Which men on `man` fall to an enemy's move to `to`, the castle being empty beyond.
    CastleEmptyExample {
        man: Square,
        to: Square,
        falls: PieceSet,
    },
    CastleKing {
        castle: Square,
        when: CastleKing,
    },
    /// A white man on `man`, a black one that moves to `to`, the king on the castle beyond.
    CastleKingExample {
        castle: Square,
        when: CastleKing,
        man: Square,
        to: Square,
        /// The other three squares beside the castle.
        guards: Bitboard,
    },
    /// To whose men camp squares are hostile.
    CampHostile {
        to: PieceSet,
        /// Whether a white piece can ever stand on one.
        white_inside: bool,
    },
    /// Camp squares that are not hostile to black men.
    CampExempt {
        squares: Bitboard,
        white_inside: bool,
    },
    /// A man that falls to an enemy's move to `to` because `camp` is beyond.
    CampHostileExample {
        piece: Piece,
        man: Square,
        to: Square,
        camp: Square,
    },
    /// Camp squares on which a black man can never be captured.
    ShieldedAlways(Bitboard),
    /// Camp squares on which a black man can be captured only between two squares, with a white
    /// piece on each of them.
    ShieldedButBetween(Vec<(Square, Square, Square)>),
}

/// How the king is captured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum KingClause {
    KingActive {
        /// Whether a besieged king on the castle falls to any move.
        idle: bool,
    },
    OpenSides,
    KingOnCastle {
        castle: Square,
        /// Whether he falls there in no other way.
        only: bool,
        sides: Bitboard,
        /// Camp squares among the sides that are closed by themselves.
        camps: Bitboard,
    },
    IdleSiege(Square),
    KingBesideCastle {
        squares: Bitboard,
        /// Camp squares that close a side of such a king by themselves.
        camps: Bitboard,
        /// Those of the squares that are on the edge, where the king is safe.
        open: Bitboard,
    },
    /// A king on `king` falls when these are black men and one has just moved there; `closed` is
    /// the side that the castle or a camp closes.
    SiegeExample {
        king: Square,
        black: Bitboard,
        closed: Option<Closed>,
    },
    /// Whether camp squares count, if there are camps.
    KingBetween {
        camps: Option<bool>,
    },
    KingBetweenExample {
        king: Square,
        to: Square,
        beyond: Square,
        /// Whether `beyond` is a camp square, empty or not.
        camp: bool,
    },
    /// Whether camp squares close a side, if there are camps.
    KingSiege {
        camps: Option<bool>,
    },
    /// Squares of the edge where the king can stand without having won; how he falls there.
    KingOnEdge {
        between: bool,
    },
    MiddleRow(Square),
    KingAndMen,
}

/// How games end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EndClause {
    GoalWins {
        /// Whether the king can cross a goal.
        crossing: bool,
    },
    CaptureWins,
    TwoLanesWin,
    NoMove(NoMove),
    SamePosition,
    Repetition(Repetition),
    NoRepetition,
    CapturelessLimit(Option<NonZero<u16>>),
    NoDraw,
    /// Which rule comes first.
    Order(Vec<Law>),
    Options,
}

/// What is called out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CallClause {
    Lane,
    CallWords,
    CallEffect(TwoLanes),
}

/// A square that closes a side of the king without a black man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closed {
    Castle(Square),
    Camp(Square),
}

/// A rule that ends games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Law {
    King,
    TwoLanes,
    NoMove,
    Repetition,
    CapturelessLimit,
}

/// A section whose sentences a language makes from clauses.
pub(super) fn section<T>(title: &'static str, clauses: &[T], say: fn(&T) -> String) -> Section {
    Section {
        title,
        sentences: clauses.iter().map(say).collect(),
    }
}

/// Which men among black and white are in a set.
pub(super) fn both(pieces: PieceSet) -> (bool, bool) {
    let has = |piece| pieces.contains(piece);
    (has(Piece::Attacker), has(Piece::Defender))
}

/// Joins parts with commas, the last one with a word of its own.
pub(super) fn list(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., end] => alloc::format!("{} {last} {end}", init.join(", ")),
    }
}

/// The names of squares, column by column, the last one after a word of its own.
pub(super) fn names(squares: Bitboard, last: &str) -> String {
    let mut squares: Vec<Square> = squares.iter().collect();
    squares.sort_by_key(|square| (square.column(), square.row()));
    let parts: Vec<String> = squares.iter().map(|s| alloc::format!("{s}")).collect();
    list(&parts, last)
}
