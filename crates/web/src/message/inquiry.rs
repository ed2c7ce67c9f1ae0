//! What the engine is asked on the page, and what it finds, as messages.

use serde::{Deserialize, Serialize};
use tablut_rules::{BySide, Side};

use super::PositionInfo;

/// What the engine is asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum InquiryAsk {
    /// What are the best lines?
    Lines {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on; repetition counts.
        moves: Vec<String>,
        /// How many, from 1 to 5.
        lines: usize,
        /// Whether the side to move passes: what would the opponent do?
        pass: bool,
    },
    /// Can a side force a win?
    Proof {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on.
        moves: Vec<String>,
        /// A win that is known and is walked through.
        known: Option<KnownWinInfo>,
    },
    /// What does this game mean?
    Review {
        /// Where it starts.
        #[serde(flatten)]
        place: PositionInfo,
        /// Its moves.
        moves: Vec<String>,
        /// Whether only a review that is kept is wanted, and none is to be made.
        kept: bool,
    },
    /// Is this move better than the one that was played?
    Retry {
        /// Where the reviewed game starts.
        #[serde(flatten)]
        place: PositionInfo,
        /// All its moves.
        moves: Vec<String>,
        /// The number of the move that was played, from 1.
        ply: usize,
        /// The move that is tried.
        step: String,
    },
}

/// A forced win that was proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KnownWinInfo {
    /// Who wins.
    #[cfg_attr(test, ts(as = "super::declaration::SideName"))]
    pub winner: Side,
    /// In at most this many plies.
    pub plies: u32,
}

/// What the engine has found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum FoundInfo {
    /// Lines.
    Lines(LinesInfo),
    /// A proof, or how far the search for one has come.
    Proof(ProofInfo),
    /// A review, whole or in the making.
    Review(ReviewInfo),
    /// What is known of a move that was tried.
    Retry(RetryInfo),
    /// Nothing yet: no engine is there to begin.
    Waiting,
    /// Nothing: the work has ended without a result.
    Nothing,
}

/// What a position is worth to White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoreInfo {
    /// White's winning chance in thousandths.
    pub chance: u16,
    /// Hundredths of an attacking man; nothing if a side wins.
    pub units: Option<i32>,
    /// Who wins.
    #[cfg_attr(test, ts(as = "Option<super::declaration::SideName>"))]
    pub winner: Option<Side>,
    /// In at most this many plies, if that is proved.
    pub plies: Option<u32>,
}

/// The best lines at a depth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LinesInfo {
    /// The depth in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The time that took.
    pub time_ms: u64,
    /// The lines, the best first.
    pub lines: Vec<LineInfo>,
}

/// A line with its score.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineInfo {
    /// The score.
    pub score: ScoreInfo,
    /// The moves.
    pub moves: Vec<String>,
}

/// What is known about forced wins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProofInfo {
    /// Positions looked at.
    pub nodes: u64,
    /// Neither side has a forced win within this many plies.
    pub none_within: u32,
    /// Whether that is proved.
    pub proved: bool,
    /// A forced win.
    pub win: Option<WinInfo>,
}

/// A forced win: how, and every answer to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WinInfo {
    /// Who wins.
    #[cfg_attr(test, ts(as = "super::declaration::SideName"))]
    pub winner: Side,
    /// In at most this many plies.
    pub plies: u32,
    /// Whether there is no shorter one.
    pub shortest: bool,
    /// The winner's moves and a longest defence.
    pub line: Vec<String>,
    /// The winner's move, if it is the winner's turn.
    pub step: Option<String>,
    /// Every answer of the loser after that, with the plies that the win takes then; the longest first.
    pub answers: Vec<(String, u32)>,
}

/// What was found about a game so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewInfo {
    /// How many moves the game has.
    pub plies: usize,
    /// Moves that were looked at and have not been sent before.
    pub moves: Vec<ReviewedMoveInfo>,
    /// How each side played, as far as is known.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<SideReviewInfo>"))]
    pub sides: BySide<SideReviewInfo>,
}

/// What was found about one move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewedMoveInfo {
    /// Its number, from 1.
    pub ply: usize,
    /// The move.
    pub step: String,
    /// What the position before it is worth with best play.
    pub before: ScoreInfo,
    /// What the position after it is worth.
    pub after: ScoreInfo,
    /// How bad it was, if it was.
    pub mark: Option<MarkName>,
    /// Whether all other moves were much worse.
    pub only: bool,
    /// Whether it is worth trying again.
    pub critical: bool,
    /// A better line; empty if there is none.
    pub better: Vec<String>,
    /// What is said about it; empty if there is nothing to say.
    pub comment: String,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum MarkName {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// How one side played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SideReviewInfo {
    /// From 0 to 100; nothing if the side had no choice.
    pub accuracy: Option<u8>,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
}

/// What is known of a move that was tried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RetryInfo {
    /// The move.
    pub step: String,
    /// How good it is.
    pub rating: RetryName,
    /// What the position after it is worth.
    pub score: ScoreInfo,
    /// What is said about it.
    pub text: String,
    /// What the engine answers.
    pub reply: Vec<String>,
}

/// How good a move is that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum RetryName {
    /// As good as the best.
    AsGood,
    /// Better than the one played, though not good.
    Better,
    /// No better.
    NotBetter,
}

/// What a position is worth without search, in hundredths of an attacking man.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WeightsInfo {
    /// Each term with the points of both sides.
    pub terms: Vec<TermInfo>,
    /// White's points less black's.
    pub hand: i32,
    /// What the network says for white, if there is one.
    pub network: Option<i32>,
    /// What each man is worth to its own side.
    pub men: Vec<(String, i32)>,
}

/// A term of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TermInfo {
    /// Its name.
    pub term: TermName,
    /// Each side's points.
    #[cfg_attr(test, ts(as = "super::declaration::SidePair<i32>"))]
    pub points: BySide<i32>,
}

/// The terms of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "`tablut_engine::Term` says what they are")]
pub enum TermName {
    Material,
    Walls,
    Chains,
    Lanes,
    Blockers,
    Distance,
    Freedom,
    Safety,
    Mobility,
    Camps,
    Tempo,
}
