//! A rule set in words: what a person can read, write and compare.
//!
//! [`RuleSet::compile`] turns it into the tables of [`Rules`](crate::Rules). Nothing here is on a
//! hot path. Single parameters are asked for where a rule needs its words: by the compiler, by the
//! sentences in `text/`, by the symmetries of a board and by rare laws.
//!
//! Every parameter is one row of `parameters!` below and one row of the table in `field.rs`: its key,
//! how it is written and read. The text form and the comparison of sets work from that table; a test
//! there names a parameter that has no row.

#[cfg(feature = "toml")]
mod builtin;
mod check;
mod compare;
pub(crate) mod fault;
mod field;
mod name;
#[cfg(feature = "toml")]
mod text;
mod value;

use alloc::{string::String, vec::Vec};
use core::num::NonZero;

#[cfg(feature = "toml")]
pub use builtin::{BuiltIn, ParseBuiltInError};
pub use compare::{Parameter, Witness, WitnessSearch};
pub use fault::{RuleSetError, RuleSetFault, RuleSetProblem};
pub use name::Name;

use crate::{Bitboard, BoardSize, Piece, Setup, Side, Square};

/// Defines an enumeration whose values have words in the text form.
///
/// Rules are what grows here, so a new value is no breaking change. Inside this crate, where tables
/// and sentences are made, the compiler still asks for every value.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word in the text form.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
    };
}

words! {
    /// Who may stop on the empty castle.
    CastleStop {
        /// Nobody: once the king has left, the castle stays empty.
        Nobody = "nobody",
        /// The king may return.
        King = "king",
    }
}

words! {
    /// Who may cross the empty castle.
    CastleCross {
        /// Nobody.
        Nobody = "nobody",
        /// Every piece.
        Everyone = "everyone",
    }
}

words! {
    /// For whom camp squares are closed, to stop on and to cross.
    CampClosed {
        /// For nobody: camps are ordinary squares to move on.
        Nobody = "nobody",
        /// For the king.
        King = "king",
        /// For every piece that does not start its move in that same camp.
        Outsiders = "outsiders",
    }
}

words! {
    /// When the castle with the king on it helps to capture his own men.
    CastleKing {
        /// Never.
        Never = "never",
        /// Always.
        Always = "always",
        /// When attackers stand on the other three squares beside it.
        Besieged = "besieged",
    }
}

words! {
    /// How the king is captured away from the castle and the squares beside it.
    KingFall {
        /// Between two opposite hostile squares, like a man.
        Custodial = "custodial",
        /// When all four sides are closed.
        Siege = "siege",
    }
}

words! {
    /// What happens when a position occurs too often.
    RepetitionResult {
        /// The game is drawn.
        Draw = "draw",
        /// The side whose move repeats the position loses.
        MoverLoses = "mover-loses",
    }
}

words! {
    /// What happens to a side that has no legal move.
    NoMove {
        /// It loses.
        Loses = "loses",
        /// The game is drawn.
        Draws = "draws",
        /// Nothing, as in the reference referee: its clock decides.
        Ignored = "ignored",
    }
}

words! {
    /// What two open lanes of the king (tuichu) mean.
    TwoLanes {
        /// A call; the game goes on.
        Call = "call",
        /// The defenders win at once, unless the king can be captured by the next move.
        Wins = "wins",
    }
}

/// Kinds of piece: what a square is hostile to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PieceSet(u8);

impl PieceSet {
    /// No kind.
    pub const NONE: Self = Self(0);

    /// Whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, piece: Piece) -> bool {
        self.0 & 1 << piece.index() != 0
    }

    /// This set with one more kind.
    #[must_use]
    pub const fn with(self, piece: Piece) -> Self {
        Self(self.0 | 1 << piece.index())
    }

    /// The kinds in the set.
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        Piece::ALL.into_iter().filter(move |&p| self.contains(p))
    }
}

impl FromIterator<Piece> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        pieces.into_iter().fold(Self::NONE, Self::with)
    }
}

/// The squares on which the king wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Goals {
    /// Every square of the edge.
    Edge,
    /// The four corners.
    Corners,
    /// These squares.
    Squares(Bitboard),
}

impl Goals {
    /// The goal squares of a board.
    #[must_use]
    pub fn squares(self, size: BoardSize) -> Bitboard {
        match self {
            Self::Edge => size.edge(),
            Self::Corners => size.corners(),
            Self::Squares(squares) => squares,
        }
    }
}

/// When a repeated position ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Repetition {
    /// The occurrence that ends it: 2 is the first return.
    pub occurrence: u32,
    /// How it ends.
    pub result: RepetitionResult,
}

/// Mistakes of the reference referee that its recorded variants need. Not offered to users.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Quirk {
    /// The empty castle is crossed along its column only.
    pub castle_column_only: bool,
    /// A king is caught between two attackers on the castle too, but never by a man that arrives
    /// on the castle's row.
    pub middle_row: bool,
    /// A besieged king on the castle falls to any move of the attackers, wherever it ends.
    pub idle_siege: bool,
}

/// What reads a parameter from outside this crate, by the way it is handed out.
macro_rules! getter {
    ($(#[$doc:meta])* value $field:ident: $type:ty) => {
        $(#[$doc])*
        #[must_use]
        pub const fn $field(&self) -> $type {
            self.$field
        }
    };
    ($(#[$doc:meta])* text $field:ident: $type:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $field(&self) -> &str {
            &self.$field
        }
    };
    ($(#[$doc:meta])* list $field:ident: $type:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $field(&self) -> &[Bitboard] {
            &self.$field
        }
    };
    ($(#[$doc:meta])* reference $field:ident: $type:ty) => {
        $(#[$doc])*
        #[must_use]
        pub const fn $field(&self) -> &$type {
            &self.$field
        }
    };
}

/// Defines the rule set: its parameters, each with what a blank set says, a getter and a setter.
macro_rules! parameters {
    ($($(#[$doc:meta])* $kind:ident $field:ident, $with:ident: $type:ty = $blank:expr;)+) => {
        /// A rule set: every rule that can differ, as data.
        ///
        /// With the feature `toml` it is read from text (`FromStr`) and all sets that ship are at
        /// hand (`BuiltIn`). `Display` writes the text form. A set of one's own is another set with
        /// some parameters changed, or [`RuleSet::new`] with all of them given:
        ///
        /// ```
        /// # #[cfg(feature = "toml")] {
        /// use tablut_rules::{BuiltIn, Side};
        /// let mine = BuiltIn::Ashton.set().clone().with_id("mine").with_first(Side::Attackers);
        /// let rules = mine.compile().expect("it is sound");
        /// assert_eq!(rules.moves(&rules.start()).len(), 80);
        /// # }
        /// ```
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        pub struct RuleSet {
            $($(#[$doc])* pub(crate) $field: $type,)+
        }

        impl RuleSet {
            $(
                getter! { $(#[$doc])* $kind $field: $type }

                /// The same set with another value of this parameter.
                #[must_use]
                pub fn $with(mut self, $field: impl Into<$type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )+

            /// A set that says nothing yet: an empty board of 9×9 without camps.
            fn blank() -> Self {
                Self { $($field: $blank,)+ }
            }

            /// The names of the parameters, as the code has them.
            #[cfg(test)]
            const NAMES: &[&str] = &[$(stringify!($field)),+];
        }
    };
}

parameters! {
    /// What commands and files call it.
    text id, with_id: String = String::new();
    /// What people call it.
    reference name, with_name: Name = Name::default();
    /// Where the rules come from.
    text source, with_source: String = String::new();
    /// The size of the board.
    value size, with_size: BoardSize = BoardSize::Nine;
    /// The side that moves first.
    value first, with_first: Side = Side::Attackers;
    /// The pieces at the start; its side to move is not used.
    value start, with_start: Setup = Setup::empty(BoardSize::Nine, Side::Attackers);
    /// The castle.
    value castle, with_castle: Square = Square::from_index_unchecked(40);
    /// The camps, each a group of squares.
    list camps, with_camps: Vec<Bitboard> = Vec::new();
    /// Who may stop on the empty castle.
    value castle_stop, with_castle_stop: CastleStop = CastleStop::Nobody;
    /// Who may cross the empty castle.
    value castle_cross, with_castle_cross: CastleCross = CastleCross::Nobody;
    /// For whom camps are closed.
    value camp_closed_to, with_camp_closed_to: CampClosed = CampClosed::Nobody;
    /// Whose men the empty castle is hostile to.
    value castle_empty_to, with_castle_empty_to: PieceSet = PieceSet::NONE;
    /// When the castle with the king on it is hostile to defenders.
    value castle_king_to_defenders, with_castle_king_to_defenders: CastleKing = CastleKing::Never;
    /// What camp squares are hostile to, occupied or not.
    value camp_to, with_camp_to: PieceSet = PieceSet::NONE;
    /// Camp squares that are not hostile to attackers.
    value camp_not_to_attackers, with_camp_not_to_attackers: Bitboard = Bitboard::EMPTY;
    /// How the king is captured away from the castle.
    value king_elsewhere, with_king_elsewhere: KingFall = KingFall::Custodial;
    /// Whether a camp square closes a side of a besieged king.
    value camp_closes, with_camp_closes: bool = false;
    /// Where the king wins.
    value goals, with_goals: Goals = Goals::Edge;
    /// When repetition ends the game, if ever.
    value repetition, with_repetition: Option<Repetition> = None;
    /// What happens to a side without a legal move.
    value no_move, with_no_move: NoMove = NoMove::Loses;
    /// What two open lanes mean.
    value two_lanes, with_two_lanes: TwoLanes = TwoLanes::Call;
    /// After how many moves in a row without a capture the game is drawn, if ever.
    value captureless_limit, with_captureless_limit: Option<NonZero<u16>> = None;
    /// The reference referee's mistakes.
    value quirk, with_quirk: Quirk = Quirk::default();
}

impl RuleSet {
    /// A set that has an id and says nothing else yet: an empty board of 9×9 without camps, its
    /// castle in the middle, where the king wins on the edge.
    ///
    /// [`RuleSet::compile`] lists what is still missing.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self::blank().with_id(id)
    }

    /// All camp squares.
    #[must_use]
    pub fn camp_squares(&self) -> Bitboard {
        self.camps.iter().fold(Bitboard::EMPTY, |all, &c| all | c)
    }
}

impl core::fmt::Display for RuleSet {
    /// Writes the text form, a TOML document.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut section = "";
        for field in field::FIELDS {
            let Some(value) = (field.write)(self) else {
                continue;
            };
            let (this, key) = field.key.split_once('.').unwrap_or(("", field.key));
            if this != section {
                section = this;
                write!(f, "\n[{section}]\n")?;
            }
            writeln!(f, "{key} = {value}")?;
        }
        Ok(())
    }
}
