//! Studies, as messages.

use serde::{Deserialize, Serialize};

use super::PositionInfo;

/// A study: a root, the moves from there on, and where one looks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StudyState {
    /// Its id; nothing for a board that is not kept yet.
    pub study: Option<String>,
    /// Its name; nothing for the visitor's board.
    pub name: Option<String>,
    /// How often it was changed since it is kept.
    pub version: u64,
    /// Whether it is the visitor's own, to be changed.
    pub own: bool,
    /// The root, with its rules.
    #[serde(flatten)]
    pub place: PositionInfo,
    /// Whether moves follow the rules.
    pub by_rules: bool,
    /// The node that is looked at.
    pub cursor: u32,
    /// All nodes: the root first, each before its children, the line before its variations.
    pub nodes: Vec<NodeInfo>,
    /// Whether something can be undone.
    pub undo: bool,
    /// Whether something can be redone.
    pub redo: bool,
    /// What was written about the game that was read: key and value.
    pub headers: Vec<(String, String)>,
}

/// A node of a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeInfo {
    /// Its name.
    pub node: u32,
    /// The node before; the root is its own.
    pub parent: u32,
    /// The move that leads here; nothing for the root.
    pub step: Option<String>,
    /// What it captures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
    /// Whether it ends the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
    /// Marks, as numbers of PGN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// What is written here.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// What the position was thought to be worth for white, as records write it: `1.25`, `#5`, `#-3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// What the mover had left, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<u64>,
    /// Arrows and circles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drawings: Vec<DrawingInfo>,
}

/// An arrow, or a circle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DrawingInfo {
    /// Where it begins.
    pub from: String,
    /// Where the arrow points; nothing for a circle.
    pub to: Option<String>,
}

/// A study in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StudyEntry {
    /// Its id.
    pub study: String,
    /// Its name.
    pub name: String,
    /// Its root, with its rules.
    #[serde(flatten)]
    pub place: PositionInfo,
    /// How many moves it has.
    pub moves: u64,
    /// When it was changed last.
    pub changed_ms: i64,
}

/// What is to be changed in a study.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum StudyEdit {
    /// Moves by the rules from a node on.
    Play {
        /// From where.
        node: u32,
        /// The moves.
        moves: Vec<String>,
    },
    /// Another root, without moves.
    SetUp {
        /// The root, with its rules.
        #[serde(flatten)]
        place: PositionInfo,
    },
    /// A comment.
    Comment {
        /// Where.
        node: u32,
        /// The text; empty for none.
        text: String,
    },
    /// The marks of a move.
    Mark {
        /// The node it leads to.
        node: u32,
        /// All its marks.
        nags: Vec<u8>,
    },
    /// What is drawn at a node.
    Draw {
        /// Where.
        node: u32,
        /// All that is drawn there.
        drawings: Vec<DrawingInfo>,
    },
    /// The line of a node becomes the main one where it branches off.
    Promote {
        /// The node.
        node: u32,
    },
    /// A node goes, with all behind it.
    Delete {
        /// The node.
        node: u32,
    },
    /// Moves follow the rules, or do not.
    ByRules {
        /// Whether they do.
        on: bool,
    },
    /// Something is written at many nodes at once.
    Annotate {
        /// What, and where.
        notes: Vec<AnnotationInfo>,
    },
    /// The last change is undone.
    Undo,
    /// What was undone last is done again.
    Redo,
}

/// What is written at one of many nodes; what is nothing stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnnotationInfo {
    /// Where.
    pub node: u32,
    /// A comment.
    #[serde(default)]
    pub comment: Option<String>,
    /// Marks.
    #[serde(default)]
    pub nags: Option<Vec<u8>>,
    /// What the position is worth for white, as records write it.
    #[serde(default)]
    pub score: Option<String>,
    /// Lines that start here.
    #[serde(default)]
    pub lines: Vec<Vec<String>>,
}
