//! Boards, rule sets and positions, as messages.

use serde::{Deserialize, Serialize};
use tablut_rules::BySide;

/// A position with its rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PositionInfo {
    /// The id of the rule set.
    pub rules: String,
    /// The position in one line.
    pub setup: String,
}

/// A rule set, and what its board looks like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SetInfo {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// Rows of the board.
    pub size: u8,
    /// The start position.
    pub start: String,
    /// The castle.
    pub castle: String,
    /// Camp squares.
    pub camps: Vec<String>,
    /// Squares where the king escapes.
    pub escapes: Vec<String>,
}

/// A titled group of sentences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SectionInfo {
    /// The title.
    pub title: String,
    /// The sentences.
    pub sentences: Vec<String>,
}

/// The rules of a set in sentences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulesInfo {
    /// Groups of sentences.
    pub sections: Vec<SectionInfo>,
}

/// Where a piece can go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TargetInfo {
    /// Its square.
    pub from: String,
    /// Where to.
    pub to: String,
    /// What it would capture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
    /// Whether it would win.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wins: bool,
}

/// A king's way out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LaneInfo {
    /// Where the king stands.
    pub king: String,
    /// The nearest goal.
    pub goal: String,
}

/// What can be said of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SurveyInfo {
    /// The position.
    pub setup: String,
    /// What is wrong with it, as sentences.
    pub faults: Vec<String>,
    /// Where each piece can go.
    pub targets: Vec<TargetInfo>,
    /// `raichi`, `tuichu` or nothing.
    pub call: Option<String>,
    /// The ways out.
    pub lanes: Vec<LaneInfo>,
    /// Pieces that could be captured next.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<Vec<String>>"))]
    pub capturable: BySide<Vec<String>>,
    /// Squares that help to capture a side's men.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<Vec<String>>"))]
    pub hostile: BySide<Vec<String>>,
    /// How the moves ended the game, as a sentence.
    pub outcome: Option<String>,
    /// What each of the moves captured.
    pub captures: Vec<Vec<String>>,
}

/// A position of a library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LibraryEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The position.
    #[serde(flatten)]
    pub place: PositionInfo,
    /// When it was saved.
    pub saved_ms: i64,
}
