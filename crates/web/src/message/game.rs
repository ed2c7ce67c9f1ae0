//! Games, as messages.

use serde::{Deserialize, Serialize};
use tablut_rules::{BySide, Side};

use super::{LaneInfo, TargetInfo};

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
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<SeatInfo>"))]
    pub seats: BySide<SeatInfo>,
    /// The sides the visitor plays.
    #[cfg_attr(test, ts(as = "Vec<super::declaration::SideName>"))]
    pub yours: Vec<Side>,
    /// How many moves were made.
    pub plies: usize,
    /// What is on the board of a game that is not over.
    pub setup: Option<String>,
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
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub winner: Option<Side>,
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
    #[cfg_attr(test, ts(as = "super::declaration::SideName"))]
    pub turn: Side,
    /// The sides the visitor plays.
    #[cfg_attr(test, ts(as = "Vec<super::declaration::SideName>"))]
    pub yours: Vec<Side>,
    /// Who plays.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<SeatInfo>"))]
    pub seats: BySide<SeatInfo>,
    /// Whose clock runs.
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub running: Option<Side>,
    /// How time is counted.
    pub control: String,
    /// Whether moves can be made: both have been there.
    pub started: bool,
    /// Where the visitor's pieces can go now: for each its square, and where it can go. Behind an `x` each stands
    /// what that captures, and `!` if it wins: `e2 d2xd3! e1`.
    #[serde(with = "super::reach")]
    #[cfg_attr(test, ts(as = "Vec<String>"))]
    pub targets: Vec<TargetInfo>,
    /// `raichi`, `tuichu` or nothing.
    pub call: Option<String>,
    /// The king's ways out.
    pub lanes: Vec<LaneInfo>,
    /// Who offers a draw.
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub draw_offer: Option<Side>,
    /// Whether an engine is to move and none is there to think for it.
    pub unserved: bool,
    /// Who has declined a draw just now.
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub draw_declined: Option<Side>,
    /// Who asks to take a move back.
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub take_back: Option<Side>,
    /// Who has declined to let a move be taken back just now.
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub take_back_declined: Option<Side>,
    /// Whether moves may be taken back.
    pub take_backs: bool,
    /// How it ended.
    pub outcome: Option<OutcomeInfo>,
    /// The game that follows.
    pub rematch: Option<String>,
    /// The secret of a seat nobody has taken, for the one who made the game.
    pub invitation: Option<String>,
}
