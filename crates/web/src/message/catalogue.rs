//! Games that are over, what was played in a position, and what is worth watching, as messages.

use serde::{Deserialize, Serialize};
use tablut_rules::{BySide, Side};

use super::{OutcomeInfo, PositionInfo, SeatInfo};

/// Which games are wanted; what is not said does not matter.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct SearchAsk {
    /// Only games that I made or played.
    pub mine: bool,
    /// Someone who played, by name.
    pub player: Option<String>,
    /// Which side they had.
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub side: Option<Side>,
    /// Someone else who played.
    pub opponent: Option<String>,
    /// The id of the rule set.
    pub rules: Option<String>,
    /// `white`, `black` or `draw`.
    pub result: Option<String>,
    /// Why it ended, as in `king escaped`.
    pub reason: Option<String>,
    /// The least number of moves.
    pub least: Option<u64>,
    /// The largest number of moves.
    pub most: Option<u64>,
    /// Ended at this time or later.
    pub from_ms: Option<i64>,
    /// Ended at this time or earlier.
    pub until_ms: Option<i64>,
    /// A position that was on the board, or an image of it.
    pub place: Option<PositionInfo>,
    /// Moves from there on; without a position, from the start of the rule set.
    pub moves: Vec<String>,
    /// A word of mine.
    pub tag: Option<String>,
    /// `newest`, `oldest`, `longest` or `shortest`.
    pub sort: Option<String>,
    /// Where to go on, as the last answer said.
    pub cursor: Option<String>,
}

/// A player of a game that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerInfo {
    /// The name of a person, or what chooses the moves: `level:3`. Empty for a person without a name.
    pub name: String,
    /// How strong they were before it.
    pub rating: Option<u64>,
}

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FoundGame {
    /// Its number in the library, as text; larger than numbers of JavaScript are exact. Empty for a game that ships.
    pub number: String,
    /// Its id; empty for a game that ships.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Who played.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<PlayerInfo>"))]
    pub players: BySide<PlayerInfo>,
    /// How it ended.
    pub outcome: OutcomeInfo,
    /// How many moves it had.
    pub plies: u64,
    /// When it ended, if that is known.
    pub ended_ms: Option<i64>,
    /// What was on the board at the end.
    pub last: String,
    /// The moves of a game that ships; others are opened by their id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// What the visitor calls it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// What a text that was imported came to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportInfo {
    /// How many games are in the library now.
    pub imported: usize,
    /// The number of a game in the text, if one is meant, and what is wrong with it.
    pub faults: Vec<(Option<usize>, String)>,
}

/// What games of one source made of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExploredMove {
    /// The move as it stands on the board.
    pub step: String,
    /// Games that white won.
    pub white: u64,
    /// Games that black won.
    pub black: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// The mean rating of those who played it.
    pub rating: Option<u64>,
}

/// The moves that games of one source made in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExploredSource {
    /// `store`, `self-play` or `rivals`.
    pub id: String,
    /// The moves, the most played first.
    pub moves: Vec<ExploredMove>,
}

/// What is known of the moves in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExploredInfo {
    /// The moves of the book with their scores for white in hundredths, the best first.
    pub book: Vec<(String, i32)>,
    /// How deep the book was searched.
    pub depth: u32,
    /// What games did.
    pub sources: Vec<ExploredSource>,
}

/// A game that is being played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveGameInfo {
    /// The id.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Who plays.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<SeatInfo>"))]
    pub seats: BySide<SeatInfo>,
    /// How strong they are.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<Option<u64>>"))]
    pub ratings: BySide<Option<u64>>,
    /// What is on the board.
    pub setup: String,
    /// The last move.
    pub last: Option<String>,
    /// How many moves were made.
    pub plies: usize,
    /// How many watch it.
    pub spectators: u64,
}

/// A player, and how strong with one side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TopPlayerInfo {
    /// The name, or what chooses the moves.
    pub name: String,
    /// The rating.
    pub rating: u64,
    /// By how much it may be wrong.
    pub error: u64,
    /// How many games it rests on.
    pub games: u32,
}

/// The best players of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TopListInfo {
    /// The id of the rule set.
    pub rules: String,
    /// The best first.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<Vec<TopPlayerInfo>>"))]
    pub players: BySide<Vec<TopPlayerInfo>>,
}

/// What is worth watching now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WatchInfo {
    /// Games that are being played, the best first.
    pub live: Vec<LiveGameInfo>,
    /// Games that have just ended.
    pub recent: Vec<FoundGame>,
    /// Who plays best, by rule set.
    pub tops: Vec<TopListInfo>,
}

/// A position with moves that show a rule.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DemonstrationInfo {
    /// What stands above it and others that show the like.
    pub topic: String,
    /// The position.
    pub setup: String,
    /// The moves; the last one shows it.
    pub moves: Vec<String>,
    /// What happens, as a sentence.
    pub text: String,
}

/// A move that has different results under two rule sets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContrastInfo {
    /// The position.
    pub setup: String,
    /// The move.
    pub step: String,
    /// What happens under the first set, as a sentence.
    pub first: String,
    /// And under the second.
    pub second: String,
}

/// Where two rule sets differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ComparisonInfo {
    /// Sentences that hold under the first set only.
    pub first: Vec<String>,
    /// Sentences that hold under the second set only.
    pub second: Vec<String>,
    /// Positions that prove it.
    pub proofs: Vec<ContrastInfo>,
}
