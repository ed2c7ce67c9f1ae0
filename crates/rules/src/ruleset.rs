//! A rule set in words: what a person can read, write and compare.
//!
//! [`RuleSet::compile`] turns it into the tables of [`Rules`](crate::Rules). Nothing here is on a
//! hot path, and nothing outside this folder and the compiler looks at single parameters.
//!
//! Every parameter is one row of the table in `field.rs`: its key, how it is written and read.
//! The text form, the comparison of sets and the checks all work from that table.

#[cfg(feature = "toml")]
mod builtin;
pub(crate) mod check;
mod compare;
mod field;
#[cfg(feature = "toml")]
mod text;
mod value;

use alloc::{string::String, vec::Vec};

pub use check::{RuleSetError, RuleSetFault};
pub use compare::{Parameter, Witness, WitnessSearch};

use crate::{Bitboard, BoardSize, Piece, Setup, Side, Square};

/// Defines an enumeration whose values have words in the text form.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
pub struct Quirk {
    /// The empty castle is crossed along its column only.
    pub castle_column_only: bool,
    /// A king is caught between two attackers on the castle too, but never by a man that arrives
    /// on the castle's row.
    pub middle_row: bool,
    /// A besieged king on the castle falls to any move of the attackers, wherever it ends.
    pub idle_siege: bool,
}

/// The name of a rule set in each language.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Name {
    /// In English.
    pub en: String,
    /// In Italian.
    pub it: String,
}

/// A rule set: every rule that can differ, as data.
///
/// With the feature `toml` it is read from text (`FromStr`) and all sets that ship are at hand
/// ([`RuleSet::builtin`]). `Display` writes the text form.
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use tablut_rules::RuleSet;
/// let mut mine = RuleSet::builtin("ashton").expect("it ships");
/// mine.id = "mine".into();
/// mine.first = tablut_rules::Side::Attackers;
/// let rules = mine.compile().expect("it is sound");
/// assert_eq!(rules.moves(&rules.start()).len(), 80);
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuleSet {
    /// What commands and files call it.
    pub id: String,
    /// What people call it.
    pub name: Name,
    /// Where the rules come from.
    pub source: String,
    /// The size of the board.
    pub size: BoardSize,
    /// The side that moves first.
    pub first: Side,
    /// The pieces at the start; its side to move is not used.
    pub start: Setup,
    /// The castle.
    pub castle: Square,
    /// The camps, each a group of squares.
    pub camps: Vec<Bitboard>,
    /// Who may stop on the empty castle.
    pub castle_stop: CastleStop,
    /// Who may cross the empty castle.
    pub castle_cross: CastleCross,
    /// For whom camps are closed.
    pub camp_closed_to: CampClosed,
    /// Whose men the empty castle is hostile to.
    pub castle_empty_to: PieceSet,
    /// When the castle with the king on it is hostile to defenders.
    pub castle_king_to_defenders: CastleKing,
    /// What camp squares are hostile to, occupied or not.
    pub camp_to: PieceSet,
    /// Camp squares that are not hostile to attackers.
    pub camp_not_to_attackers: Bitboard,
    /// How the king is captured away from the castle.
    pub king_elsewhere: KingFall,
    /// Whether a camp square closes a side of a besieged king.
    pub camp_closes: bool,
    /// Where the king wins.
    pub goals: Goals,
    /// When repetition ends the game, if ever.
    pub repetition: Option<Repetition>,
    /// What happens to a side without a legal move.
    pub no_move: NoMove,
    /// What two open lanes mean.
    pub two_lanes: TwoLanes,
    /// After how many moves in a row without a capture the game is drawn; 0 for never.
    pub captureless_limit: u32,
    /// The reference referee's mistakes.
    pub quirk: Quirk,
}

impl RuleSet {
    /// All camp squares.
    #[must_use]
    pub fn camp_squares(&self) -> Bitboard {
        self.camps.iter().fold(Bitboard::EMPTY, |all, &c| all | c)
    }

    /// A set with nothing in it, for the reader to fill.
    #[cfg(feature = "toml")]
    fn blank() -> Self {
        Self {
            id: String::new(),
            name: Name::default(),
            source: String::new(),
            size: BoardSize::Nine,
            first: Side::Attackers,
            start: Setup::empty(BoardSize::Nine, Side::Attackers),
            castle: Square::from_index_unchecked(40),
            camps: Vec::new(),
            castle_stop: CastleStop::Nobody,
            castle_cross: CastleCross::Nobody,
            camp_closed_to: CampClosed::Nobody,
            castle_empty_to: PieceSet::NONE,
            castle_king_to_defenders: CastleKing::Never,
            camp_to: PieceSet::NONE,
            camp_not_to_attackers: Bitboard::EMPTY,
            king_elsewhere: KingFall::Custodial,
            camp_closes: false,
            goals: Goals::Edge,
            repetition: None,
            no_move: NoMove::Loses,
            two_lanes: TwoLanes::Call,
            captureless_limit: 0,
            quirk: Quirk::default(),
        }
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
