//! Puzzles that are looked for in games and proved, by the engines of this process or by workers.
//!
//! What is ordered is data, and so is what is found: an order may be done anywhere, and by another worker
//! anew. What it finds is always the same.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use tablut_engine::Control;
use tablut_review::puzzle::{Effort, Puzzle, mine};
use tablut_rules::{BuiltIn, Game, Rules};
use tokio::time::sleep;

use crate::{Host, PlayLine, Unanswered, exchange, pool::JobNews};

/// How many orders of one process may be under way.
pub const MOST_PUZZLE_ORDERS: usize = 64;

/// How long to wait before an order that came to nothing is given again.
const AGAIN: Duration = Duration::from_secs(1);

/// What is to be done about puzzles.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum PuzzleOrder {
    /// To look for puzzles in a game.
    Mine {
        /// The game.
        line: PlayLine,
        /// The longest win, in plies.
        plies: u32,
        /// The most positions for each question to the solver.
        nodes: u64,
    },
    /// To prove puzzles.
    Prove {
        /// The id of the rule set.
        rules: String,
        /// The puzzles as text, one each.
        puzzles: Vec<String>,
    },
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PuzzleFinding {
    /// The puzzles of a game as text, without numbers.
    Mined(Vec<String>),
    /// What is wrong with each puzzle, if anything is.
    Proved(Vec<Option<String>>),
}

/// An order that was read: it can begin.
pub(crate) struct PuzzleTask {
    order: PuzzleOrder,
    work: PuzzleWork,
}

enum PuzzleWork {
    Mine(Game, Effort),
    Prove(Arc<Rules>, Vec<Puzzle>),
}

impl PuzzleTask {
    /// Reads an order.
    ///
    /// # Errors
    /// Says what cannot be read in it.
    pub(crate) fn new(order: PuzzleOrder) -> Result<Self, String> {
        let rules = |id: &str| {
            let set = id.parse::<BuiltIn>();
            set.map(BuiltIn::rules).map_err(|error| error.to_string())
        };
        let work = match &order {
            PuzzleOrder::Mine { line, plies, nodes } => {
                let game = exchange::play(&rules(&line.rules)?, &line.setup, &line.moves);
                let effort = Effort {
                    plies: *plies,
                    nodes: *nodes,
                    ..Effort::default()
                };
                PuzzleWork::Mine(game.map_err(|error| error.to_string())?, effort)
            }
            PuzzleOrder::Prove { rules: id, puzzles } => {
                let puzzles = puzzles.iter().map(|text| text.parse::<Puzzle>());
                let puzzles = puzzles.collect::<Result<_, _>>();
                PuzzleWork::Prove(rules(id)?, puzzles.map_err(|error| error.to_string())?)
            }
        };
        Ok(Self { order, work })
    }

    pub(crate) const fn order(&self) -> &PuzzleOrder {
        &self.order
    }

    /// Does the work, until it is stopped; then what it gives means nothing.
    pub(crate) fn perform(&self, control: &Control) -> PuzzleFinding {
        let stopping = |effort: &Effort| Effort {
            control: control.clone(),
            ..effort.clone()
        };
        match &self.work {
            PuzzleWork::Mine(game, effort) => {
                let found = mine(game, &stopping(effort));
                PuzzleFinding::Mined(found.iter().map(Puzzle::to_string).collect())
            }
            PuzzleWork::Prove(rules, puzzles) => {
                let effort = stopping(&Effort::default());
                let faults = puzzles.iter().map(|puzzle| {
                    let fault = puzzle.prove(rules, &effort).err()?;
                    Some(fault.to_string())
                });
                PuzzleFinding::Proved(faults.collect())
            }
        }
    }
}

impl Host {
    /// Has puzzles looked for or proved, by whoever takes the order. One that is lost or refused is given
    /// again; `on_unserved` is told when nobody works on it.
    ///
    /// # Errors
    /// Says why it cannot be done by anybody.
    pub async fn mine(
        &self,
        order: PuzzleOrder,
        on_unserved: impl Fn(),
    ) -> Result<PuzzleFinding, String> {
        // What is ordered here is this process's own.
        let owner = self.process();
        loop {
            let task = PuzzleTask::new(order.clone())?;
            if let Ok(mut job) = self.engines().mine(&owner, task) {
                let found = loop {
                    match job.news().await {
                        JobNews::Found(found) => break found,
                        JobNews::Unserved(true) => on_unserved(),
                        JobNews::Unserved(false) => {}
                    }
                };
                match found {
                    Ok(found) => return Ok(found),
                    Err(Unanswered::Broken(fault)) => return Err(fault),
                    Err(Unanswered::Stopped | Unanswered::Busy(_)) => {}
                }
            }
            sleep(AGAIN).await;
        }
    }
}
