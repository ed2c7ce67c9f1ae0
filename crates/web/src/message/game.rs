//! Games, as messages.

use serde::{Deserialize, Serialize};

use super::{Both, LaneInfo, SideName, TargetInfo};

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameEntry {
    /// The id.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Who plays.
    pub seats: Both<SeatInfo>,
    /// The sides the visitor plays.
    pub yours: Vec<SideName>,
    /// How many moves were made.
    pub plies: usize,
    /// How it ended.
    pub outcome: Option<OutcomeInfo>,
    /// When something last happened.
    pub changed_ms: i64,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatInfo {
    /// `person`, `level:3`, `time:1`, `random`.
    pub player: String,
    /// The name of a person.
    pub name: Option<String>,
    /// Whether anybody has sat here.
    pub taken: bool,
    /// Whether the player is there.
    pub present: bool,
    /// How many pieces are left.
    pub men: u32,
    /// What is left on the clock.
    pub left: Option<u64>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OutcomeInfo {
    /// Who won; nobody in a draw.
    pub winner: Option<SideName>,
    /// Who and why, as a sentence.
    pub text: String,
}

/// A game as a visitor sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameState {
    /// The id.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Where it started.
    pub start: String,
    /// The moves made, each with what it captured.
    pub plies: Vec<(String, Vec<String>)>,
    /// The position now.
    pub setup: String,
    /// Who is to move.
    pub turn: SideName,
    /// The sides the visitor plays.
    pub yours: Vec<SideName>,
    /// Who plays.
    pub seats: Both<SeatInfo>,
    /// Whose clock runs.
    pub running: Option<SideName>,
    /// How time is counted.
    pub control: String,
    /// Whether moves can be made: both have been there.
    pub started: bool,
    /// Where the visitor's pieces can go now.
    pub targets: Vec<TargetInfo>,
    /// `raichi`, `tuichu` or nothing.
    pub call: Option<String>,
    /// The king's ways out.
    pub lanes: Vec<LaneInfo>,
    /// Who offers a draw.
    pub draw_offer: Option<SideName>,
    /// Who asks to take a move back.
    pub take_back: Option<SideName>,
    /// Whether moves may be taken back.
    pub take_backs: bool,
    /// How it ended.
    pub outcome: Option<OutcomeInfo>,
    /// The game that follows.
    pub rematch: Option<String>,
    /// The secret of a seat nobody has taken, for the one who made the game.
    pub invitation: Option<String>,
}
