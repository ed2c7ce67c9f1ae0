//! What does not fit about a correction, as data; `Display` is the English sentence.

/// Why a correction does not fit the tournament that there is. Games are numbered from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// No reason was given.
    #[error("give a reason: it is shown with the correction")]
    NoReason,
    /// The reason is longer than this, or has several lines.
    #[error("a reason is one line of at most {0} characters")]
    LongReason(usize),
    /// A late team would get another number than it has in the log.
    #[error("the team would get another number")]
    OtherNumber,
    /// The team has withdrawn before.
    #[error("the team has already withdrawn")]
    WithdrawnAlready,
    /// The tournament was archived before.
    #[error("it is already archived")]
    ArchivedAlready,
    /// Only what is archived can be brought back.
    #[error("it is not archived")]
    NotArchived,
    /// The plan has no teams.
    #[error("the plan has no teams")]
    NoTeams,
    /// There is no team with this number.
    #[error("there is no such team")]
    NoTeam,
    /// This key of a team stays as it is.
    #[error("{0} cannot be changed")]
    FixedTeamKey(String),
    /// This key of the file stays as it is.
    #[error("{0} cannot be changed; name, seconds, max_plies and limits can")]
    FixedKey(String),
    /// The plan's limits are no table.
    #[error("the plan's limits are none")]
    NoLimits,
    /// There is no game with this number.
    #[error("there is no game {0}")]
    NoGame(usize),
    /// The games of one of the two teams are annulled.
    #[error("the games of a team that plays it are annulled")]
    Annulled,
    /// One of the two teams has withdrawn.
    #[error("a team that plays it has withdrawn")]
    Withdrawn,
    /// The game has not been played yet, so it cannot be played again.
    #[error("game {0} has no result yet")]
    NoResult(usize),
    /// A late team has played this game, so it cannot be taken out.
    #[error("game {0} of the late team has been played; withdraw the team instead")]
    LatePlayed(usize),
    /// The correction was undone before.
    #[error("correction {0} has already been undone")]
    UndoneAlready(u64),
    /// There is no correction with this number.
    #[error("there is no correction {0}")]
    NoCorrection(u64),
    /// No correction stands.
    #[error("there is no correction to undo")]
    NothingToUndo,
    /// Of a later correction: it replays the same game.
    #[error("it replays the same game")]
    SameGame,
    /// Of a later correction: it is about this game.
    #[error("it is about game {0}")]
    AboutGame(usize),
}
