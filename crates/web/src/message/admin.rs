//! What the administrator sees: processes, queues, limits.

use serde::{Deserialize, Serialize};

/// A process that serves the store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ProcessInfo {
    /// Its name in the store.
    pub process: String,
    /// Its machine and number there.
    pub name: String,
    /// Whether it only works, and serves no pages.
    pub worker: bool,
    /// Whether it is the one that answers.
    pub here: bool,
    /// The kinds of jobs a worker does, as the command line names them.
    pub jobs: String,
    /// How many engines may think at once.
    pub engines: u64,
    /// Engine work under way or waited for.
    pub orders: u64,
    /// Open pages.
    pub pages: u64,
    /// Games that are shown.
    pub games: u64,
    /// How long it has been there, in milliseconds.
    pub age_ms: u64,
    /// How long nothing was heard of it, in milliseconds.
    pub silent_ms: u64,
    /// Whether it was told to end.
    pub draining: bool,
}

/// Engine work of a kind that waits for workers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct QueueInfo {
    /// The kind, as the command line names it.
    pub kind: String,
    /// Jobs that nobody works on.
    pub waiting: u64,
    /// Jobs under way.
    pub under_way: u64,
    /// Jobs that ended within the last minute.
    pub ended: u64,
    /// How long the oldest that nobody works on has waited, in milliseconds.
    pub longest_ms: u64,
}

/// What is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum LimitName {
    /// Visitors that are kept.
    Visitors,
    /// Games that are kept.
    Games,
    /// Positions in libraries.
    Positions,
    /// Studies.
    Studies,
    /// Open pages of the process that answers.
    Pages,
    /// Open pages of all processes.
    AllPages,
}

/// How much of something there is, and how much there may be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LimitInfo {
    /// What.
    pub limit: LimitName,
    /// How much there is.
    pub used: u64,
    /// How much there may be; nothing if that is not limited.
    pub most: Option<u64>,
}

/// How everything is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AdminInfo {
    /// The processes, the oldest first.
    pub processes: Vec<ProcessInfo>,
    /// The queues.
    pub queues: Vec<QueueInfo>,
    /// The limits.
    pub limits: Vec<LimitInfo>,
}
