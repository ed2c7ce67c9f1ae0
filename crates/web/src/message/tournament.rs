//! Tournaments and ratings, as messages.

use serde::{Deserialize, Serialize};

use super::{Both, OutcomeInfo};

/// What the owner wants of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TournamentWish {
    /// That its games are played, here too.
    Start,
    /// That no more games begin.
    Pause,
}

/// How far a tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TournamentState {
    /// Games are played.
    Running,
    /// No game begins.
    Paused,
    /// All games have been played.
    Over,
}

/// A tournament in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    /// Whether the one who asks may start and pause it.
    pub control: bool,
}

/// A group with its tables.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupInfo {
    /// Its name; nothing for the final.
    pub name: Option<String>,
    /// The teams, the best first.
    pub rows: Vec<RowInfo>,
    /// For each team with white, what it got against each team with black: `1`, `0`, `½`, `.` for not
    /// yet, nothing for never.
    pub cross: Vec<Vec<String>>,
}

/// A team's line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RowInfo {
    /// The place.
    pub place: usize,
    /// The team.
    pub team: String,
    /// Who is in it.
    pub members: Vec<String>,
    /// Its points.
    pub points: u32,
    /// Games won, drawn and lost with each side.
    pub sides: Both<[u32; 3]>,
    /// Men captured, and men lost.
    pub men: [u32; 2],
    /// The mean number of moves of its games.
    pub mean_moves: f64,
    /// The mean length of losses less that of wins.
    pub move_points: f64,
}

/// A game of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
}

/// A game that is being played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
pub struct RatingsInfo {
    /// Players, the strongest first.
    pub players: Vec<RatedPlayer>,
    /// Rule sets.
    pub sets: Vec<BalanceInfo>,
}

/// A player's ratings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RatedPlayer {
    /// The name.
    pub name: String,
    /// With each side: rating, error, games.
    pub sides: Both<Option<(f64, f64, u32)>>,
}

/// How games under a rule set end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BalanceInfo {
    /// The id of the rule set.
    pub rules: String,
    /// How many games there are.
    pub games: u64,
    /// White wins, black wins, draws: the share, and the ends of its interval.
    pub shares: [(f64, f64, f64); 3],
}
