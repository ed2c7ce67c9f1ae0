//! Where we and the reference server differ, each as a named choice.
//!
//! The rules of the game have choices of their own ([`Laws::challenge`](tablut_rules::Laws::challenge)).

/// Whether the players are told how the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Farewell {
    /// Both get a final state.
    #[default]
    Told,
    /// The connections close without a word.
    Silent,
}

/// How rubbish is treated: text that is not JSON or of the wrong kind, an empty frame, a length beyond the
/// limit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rubbish {
    /// An error like an illegal move.
    #[default]
    Error,
    /// The end of the game without a word; of a length beyond the limit, a wait until the time is
    /// over.
    End,
}

/// What follows when a player's connection is lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lost {
    /// The other wins and is told at once.
    #[default]
    AtOnce,
    /// It is noticed when the player is to move, as an illegal move, or when a state cannot be sent,
    /// which ends everything; White is sent to first.
    WhenUsed,
}

/// What happens to frames that come before their turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Early {
    /// One is kept for its turn, more lose the game.
    #[default]
    One,
    /// They wait unread.
    Unread,
}

/// What is kept of a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Names {
    /// Letters, digits and underscores of the first thirty characters.
    #[default]
    Long,
    /// Letters and digits of the first ten characters.
    Short,
}

impl Names {
    /// What is kept of a name.
    #[must_use]
    pub fn keep(self, name: &str) -> String {
        let (most, underscore) = match self {
            Self::Long => (30, true),
            Self::Short => (10, false),
        };
        let letters = name.chars().take(most);
        letters
            .filter(|letter| letter.is_alphanumeric() || underscore && *letter == '_')
            .collect()
    }
}

/// How the referee behaves where the reference server could be better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Manner {
    /// After a time-out.
    pub late: Farewell,
    /// For rubbish.
    pub rubbish: Rubbish,
    /// For lost connections.
    pub lost: Lost,
    /// For frames that come too early.
    pub early: Early,
    /// For names.
    pub names: Names,
}

impl Manner {
    /// As the Java server behaves, as far as a peer can see.
    pub const REFERENCE: Self = Self {
        late: Farewell::Silent,
        rubbish: Rubbish::End,
        lost: Lost::WhenUsed,
        early: Early::Unread,
        names: Names::Short,
    };
}
