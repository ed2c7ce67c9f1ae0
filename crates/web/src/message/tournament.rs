//! Tournaments and ratings, as messages.

use serde::{Deserialize, Serialize};
use tablut_rules::{BySide, Side};

use super::OutcomeInfo;

/// What the owner wants of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum TournamentWish {
    /// That its games are played, here too.
    Start,
    /// That no more games begin.
    Pause,
    /// That it is deleted for good; it must have been archived.
    Delete,
}

/// What an organiser corrects.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum CorrectionAsk {
    /// A team comes late.
    AddTeam(TeamText),
    /// A team withdraws.
    Withdraw {
        /// Its number.
        team: usize,
        /// Whether its games do not count.
        annul: bool,
    },
    /// A team changes.
    ChangeTeam {
        /// Its number.
        team: usize,
        /// What is new.
        to: TeamText,
    },
    /// Games that have not begun have another time or limit.
    Set {
        /// Seconds for a move.
        #[serde(default)]
        seconds: Option<f64>,
        /// How many moves a game has at most; 0 for any number.
        #[serde(default)]
        max_plies: Option<u64>,
        /// Memory of each program, in mebibytes; 0 for any amount.
        #[serde(default)]
        memory_mb: Option<u64>,
    },
    /// A game is played again.
    Replay {
        /// Its number, from 1.
        game: usize,
    },
    /// A game is decided.
    Result {
        /// Its number, from 1.
        game: usize,
        /// Who wins; nobody in a draw.
        #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
        winner: Option<Side>,
    },
    /// The tournament is put away.
    Archive,
    /// It is brought back.
    Restore,
    /// A correction is undone.
    Undo {
        /// Its number.
        number: u64,
    },
}

/// What is said of a team; what is not said stays.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct TeamText {
    /// Its name.
    pub name: Option<String>,
    /// Who is in it.
    pub members: Option<Vec<String>>,
    /// Its group.
    pub group: Option<String>,
    /// What it plays with.
    pub plays: Option<String>,
    /// The secret of a remote team.
    pub secret: Option<String>,
}

/// A team of a tournament; teams go by their places in the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TeamInfo {
    /// Its name.
    pub name: String,
    /// Who is in it.
    pub members: Vec<String>,
    /// Its group.
    pub group: String,
    /// Whether it has withdrawn.
    pub withdrawn: bool,
}

/// A correction that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CorrectionInfo {
    /// Its number, from 1.
    pub number: u64,
    /// What it says, as a sentence.
    pub text: String,
    /// When, why and by whom.
    pub made: NoteInfo,
    /// When, why and by whom it was undone.
    pub undone: Option<NoteInfo>,
}

/// When something was done, why, and by whom.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NoteInfo {
    /// When.
    pub at: i64,
    /// Why.
    pub why: String,
    /// Who, and from where; told to organisers only.
    pub by: Option<String>,
}

/// What a correction says of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RulingName {
    /// The organiser said how it ended.
    Decided,
    /// It was played and does not count.
    Annulled,
    /// It is not played any more.
    NotPlayed,
}

/// How far a tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum TournamentState {
    /// Games are played.
    Running,
    /// No game begins.
    Paused,
    /// All games have been played.
    Over,
    /// It was put away.
    Archived,
}

/// A tournament in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TournamentEntry {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// How far it is.
    pub state: TournamentState,
    /// How many teams it has.
    pub teams: usize,
    /// How many games have been played.
    pub played: usize,
    /// Of how many.
    pub games: usize,
}

/// A tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TournamentInfo {
    /// As in the list.
    #[serde(flatten)]
    pub entry: TournamentEntry,
    /// The id of the rule set.
    pub rules: String,
    /// The groups, and the final.
    pub groups: Vec<GroupInfo>,
    /// All games, in their order.
    pub fixtures: Vec<FixtureInfo>,
    /// The games that are being played.
    pub boards: Vec<LiveBoardInfo>,
    /// Whether the one who asks is its organiser.
    pub control: bool,
    /// Whether one can become that with a token.
    #[serde(default)]
    pub token: bool,
    /// Its teams.
    #[serde(default)]
    pub entrants: Vec<TeamInfo>,
    /// Seconds for a move.
    #[serde(default)]
    pub seconds: f64,
    /// How many moves a game has at most.
    #[serde(default)]
    pub plies: Option<u32>,
    /// When it will be over, if games go on as they did.
    #[serde(default)]
    pub ends: Option<i64>,
    /// What was corrected.
    #[serde(default)]
    pub corrections: Vec<CorrectionInfo>,
}

/// A group with its tables.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GroupInfo {
    /// Its name; nothing for the final.
    pub name: Option<String>,
    /// The teams, the best first.
    pub rows: Vec<RowInfo>,
    /// For each team with white, what it got against each team with black: `1`, `0`, `½`, with a `*` by
    /// decision; `.` for not yet, `×` for what does not count, nothing for never.
    pub cross: Vec<Vec<String>>,
}

/// A team's line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RowInfo {
    /// The place.
    pub place: usize,
    /// The team.
    pub team: String,
    /// Who is in it.
    pub members: Vec<String>,
    /// Whether it has withdrawn.
    #[serde(default)]
    pub withdrawn: bool,
    /// Its points.
    pub points: u32,
    /// Games won, drawn and lost with each side.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<[u32; 3]>"))]
    pub sides: BySide<[u32; 3]>,
    /// Men captured, and men lost.
    pub men: [u32; 2],
    /// The mean number of moves of its games.
    pub mean_moves: f64,
    /// The mean length of losses less that of wins.
    pub move_points: f64,
}

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FixtureInfo {
    /// Its number, from 1.
    pub number: usize,
    /// The group; nothing for the final.
    pub group: Option<String>,
    /// The round.
    pub round: usize,
    /// The team with white.
    pub white: String,
    /// The team with black.
    pub black: String,
    /// The id of its game, to watch or to replay.
    pub game: Option<String>,
    /// Whether it is being played.
    pub live: bool,
    /// How it ended.
    pub outcome: Option<OutcomeInfo>,
    /// How many moves it had.
    pub plies: Option<u32>,
    /// What a player did wrong, if that ended it.
    pub fault: Option<String>,
    /// What a correction says of it.
    #[serde(default)]
    pub ruling: Option<RulingName>,
}

/// A game that is being played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveBoardInfo {
    /// The number of the game, from 1.
    pub number: usize,
    /// The id of the game.
    pub game: String,
    /// The team with white.
    pub white: String,
    /// The team with black.
    pub black: String,
    /// The position.
    pub setup: String,
    /// The last move.
    pub last: Option<String>,
    /// How many moves were made.
    pub plies: usize,
    /// What the side to move has left.
    pub left: u64,
}

/// Who is how strong, and how fair the rule sets are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingsInfo {
    /// Players, the strongest first.
    pub players: Vec<RatedPlayer>,
    /// Rule sets.
    pub sets: Vec<BalanceInfo>,
}

/// A player's ratings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatedPlayer {
    /// The name.
    pub name: String,
    /// With each side: rating, error, games.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<Option<(f64, f64, u32)>>"))]
    pub sides: BySide<Option<(f64, f64, u32)>>,
}

/// How games under a rule set end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BalanceInfo {
    /// The id of the rule set.
    pub rules: String,
    /// How many games there are.
    pub games: u64,
    /// White wins, black wins, draws: the share, and the ends of its interval.
    pub shares: [(f64, f64, f64); 3],
}
