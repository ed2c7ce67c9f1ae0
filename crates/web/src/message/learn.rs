//! Lessons and puzzles, as messages.

use serde::{Deserialize, Serialize};
use tablut_rules::Side;

use super::{LaneInfo, TargetInfo};

/// A board on which something is to be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TaskBoard {
    /// The position.
    pub setup: String,
    /// Who is to move.
    #[cfg_attr(test, ts(as = "super::declaration::SideName"))]
    pub turn: Side,
    /// Where the side to move can go; nowhere when there is nothing to do.
    pub targets: Vec<TargetInfo>,
    /// The king's ways out.
    pub lanes: Vec<LaneInfo>,
    /// The last move.
    pub last: Option<String>,
}

/// The name of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LessonName {
    /// Learn the rules.
    Rules,
    /// First plans.
    Plans,
}

impl LessonName {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Plans => "plans",
        }
    }
}

/// A lesson in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LessonEntry {
    /// Which.
    pub lesson: LessonName,
    /// The titles of its steps, and whether the visitor has done them.
    pub steps: Vec<(String, bool)>,
}

/// A step of a lesson.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LessonStepInfo {
    /// What it is about.
    pub title: String,
    /// What is to be known.
    pub sentences: Vec<String>,
    /// What is to be done.
    pub task: String,
    /// The squares that the task is about.
    pub marks: Vec<String>,
    /// The position.
    pub board: TaskBoard,
}

/// What became of a move that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum TrialResult {
    /// It is right, and there is more to do.
    Right,
    /// It is right, and all is done.
    Done,
    /// It is wrong.
    Wrong,
    /// It is good, but something else is asked for.
    Slower,
}

/// What is said of a move that was tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrialInfo {
    /// What became of it.
    pub result: TrialResult,
    /// In words.
    pub text: String,
    /// The other side's answer.
    pub reply: Option<String>,
    /// The board after both.
    pub board: TaskBoard,
}

/// A puzzle in a list of those that were tried.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PuzzleTryEntry {
    /// Its number.
    pub number: u32,
    /// `solved`, `failed` or `helped`.
    pub result: String,
    /// The visitor's rating after it.
    pub rating: i64,
    /// What it changed.
    pub gain: i64,
    /// When.
    pub tried_ms: i64,
}

/// The puzzles for one side with solutions of one length, as far as they have a motif.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PuzzleGroup {
    /// Who solves them.
    #[cfg_attr(test, ts(as = "super::declaration::SideName"))]
    pub side: Side,
    /// How many plies their solutions have.
    pub plies: u32,
    /// The word of their motif; nothing for all of them, whatever they are about.
    pub motif: Option<String>,
    /// How many there are.
    pub count: usize,
    /// How many of them the visitor has solved.
    pub solved: usize,
}

/// The puzzles of a rule set, and how the visitor stands.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PuzzlesInfo {
    /// How many there are.
    pub count: usize,
    /// The motifs: word and name.
    pub motifs: Vec<(String, String)>,
    /// How many there are for each side and length, of each motif and of all.
    pub groups: Vec<PuzzleGroup>,
    /// The visitor's rating.
    pub rating: i64,
    /// By how much it may be wrong.
    pub error: i64,
    /// How many they have solved at the first try.
    pub solved: usize,
    /// The number of today's puzzle, and what the visitor made of it.
    pub daily: Option<(u32, Option<String>)>,
    /// Their best streak.
    pub streak: u64,
    /// Their best rush.
    pub rush: u64,
    /// Their last tries, the newest first.
    pub history: Vec<PuzzleTryEntry>,
}

/// Which puzzle is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum PuzzleChoice {
    /// The one with a number.
    Number {
        /// The number.
        number: u32,
    },
    /// A new one near the visitor's rating.
    Next {
        /// About this.
        motif: Option<String>,
        /// For this side.
        #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
        side: Option<Side>,
        /// With a solution of this many plies.
        plies: Option<u32>,
        /// Not the one with this number, which is on the board.
        after: Option<u32>,
    },
    /// Today's.
    Daily,
    /// The first one of a new run.
    Begin {
        /// `streak` or `rush`.
        run: String,
    },
    /// The next one of a run.
    Run {
        /// The id of the run.
        run: String,
    },
}

/// A run of puzzles as it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct RunInfo {
    /// Its id.
    pub id: String,
    /// `streak` or `rush`.
    pub kind: String,
    /// Puzzles solved.
    pub score: u32,
    /// Puzzles missed.
    pub misses: u32,
    /// How much time is left, against the clock.
    pub left_ms: Option<i64>,
    /// Whether it is over.
    pub over: bool,
}

/// A puzzle to be solved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PuzzleInfo {
    /// Its number.
    pub number: u32,
    /// What is to be done.
    pub task: String,
    /// The names of its motifs; they say a little, so the page shows them when asked.
    pub motifs: Vec<String>,
    /// Its rating.
    pub rating: i64,
    /// What the visitor made of it before.
    pub tried: Option<String>,
    /// The run it belongs to.
    pub run: Option<RunInfo>,
    /// The position.
    pub board: TaskBoard,
}

/// What is said of a move that was tried in a puzzle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PuzzleTrialInfo {
    /// What is said.
    pub trial: TrialInfo,
    /// The visitor's rating before and after, if this was what counts.
    pub rating: Option<(i64, i64)>,
    /// The run as it stands.
    pub run: Option<RunInfo>,
}

/// Help with a puzzle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PuzzleHelp {
    /// In words.
    pub text: String,
    /// The squares it is about.
    pub squares: Vec<String>,
    /// All moves that are left, if the solution was asked for.
    pub moves: Vec<String>,
    /// The visitor's rating before and after, if this was what counts.
    pub rating: Option<(i64, i64)>,
}

/// How much help is wanted with a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum HelpName {
    /// What it is about.
    Motif,
    /// Which piece moves.
    Piece,
    /// Where it goes.
    Move,
    /// Everything: the puzzle is given up.
    Solution,
}
