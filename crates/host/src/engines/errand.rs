//! What a job says and what comes back, as text in the store.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use tablut_arena::{Budget, Choice, Player};
use tablut_rules::{BuiltIn, Move, Rules};
use tablut_store::JobKind;

use crate::{
    InquiryOrder, InquiryTask, Order, PlayLine, PuzzleOrder, exchange, mining::PuzzleTask,
};

/// How long a move may take whose player has no time of its own, and how much longer than it should any may.
const LONGEST_MOVE: Duration = Duration::from_secs(120);
const GRACE: Duration = Duration::from_secs(5);

/// How long an inquiry may take. Lines end by themselves before that.
const LONGEST_INQUIRY: Duration = Duration::from_secs(900);

/// How long puzzles of one order may take, and how long they let everybody else go first.
const LONGEST_MINING: Duration = Duration::from_secs(1800);
const MINING_WAITS_MS: u64 = 60_000;

/// What a worker is to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(super) enum Errand {
    /// A move.
    Move {
        /// The id of the game.
        game: String,
        /// The game to find a move in.
        line: PlayLine,
        /// Who plays.
        player: String,
        /// Makes the choices of a level.
        seed: u64,
        /// What its clock allows, counted from the order, in milliseconds.
        time_ms: Option<u64>,
        /// The same with a reason to stop earlier.
        soft_ms: Option<u64>,
    },
    /// An inquiry.
    Inquiry {
        /// What the engine is asked.
        order: InquiryOrder,
    },
    /// Puzzles.
    Puzzles {
        /// What is to be done about them.
        order: PuzzleOrder,
    },
}

/// An errand that can be begun.
pub(super) enum Work {
    /// A move.
    Move(Box<Order>),
    /// An inquiry.
    Inquiry(Box<InquiryTask>),
    /// Puzzles.
    Puzzles(Box<PuzzleTask>),
}

impl Errand {
    pub(super) fn of_move(order: &Order) -> Self {
        Self::Move {
            game: order.id.clone(),
            line: PlayLine::from(&order.game),
            player: order.player.to_string(),
            seed: order.seed,
            time_ms: order.clock.time_ms,
            soft_ms: order.clock.soft_ms,
        }
    }

    /// What a worker can begin, for an owner, after it has waited for a while.
    pub(super) fn prepare(self, owner: &str, waited_ms: u64) -> Result<Work, String> {
        match self {
            Self::Move {
                game: id,
                line,
                player,
                seed,
                time_ms,
                soft_ms,
            } => {
                let player: Player = player.parse().map_err(|_| format!("{player:?}"))?;
                let game = exchange::play(&rules(&line.rules)?, &line.setup, &line.moves);
                Ok(Work::Move(Box::new(Order {
                    owner: owner.into(),
                    address: String::new(),
                    id,
                    game: game.map_err(|error| error.to_string())?,
                    player,
                    seed,
                    clock: Budget {
                        // Its clock has run meanwhile.
                        time_ms: time_ms.map(|ms| ms.saturating_sub(waited_ms)),
                        soft_ms,
                        ..Budget::default()
                    },
                })))
            }
            Self::Inquiry { order } => {
                let rules = rules(&order.line().rules)?;
                let task = InquiryTask::new(order, &rules);
                let task = task.map_err(|error| error.to_string())?;
                Ok(Work::Inquiry(Box::new(task)))
            }
            Self::Puzzles { order } => Ok(Work::Puzzles(Box::new(PuzzleTask::new(order)?))),
        }
    }

    pub(super) const fn kind(&self) -> JobKind {
        match self {
            Self::Move { .. } => JobKind::Games,
            Self::Inquiry { .. } => JobKind::Analysis,
            Self::Puzzles { .. } => JobKind::Puzzles,
        }
    }

    /// By how much it lets others go first: the longer it takes, the more.
    pub(super) fn priority(&self) -> Duration {
        Duration::from_millis(match self {
            Self::Move { player, .. } => {
                let player: Option<Player> = player.parse().ok();
                let time = player.and_then(|player| player.budget(None).time_ms);
                time.unwrap_or(0).min(2000)
            }
            Self::Inquiry { order } => match order {
                InquiryOrder::Retry { .. } => 500,
                InquiryOrder::Lines { .. } => 1000,
                InquiryOrder::Proof { .. } => 3000,
                InquiryOrder::Review { .. } => 5000,
            },
            Self::Puzzles { .. } => MINING_WAITS_MS,
        })
    }

    /// How long it may take.
    pub(super) fn limit(&self) -> Duration {
        match self {
            Self::Move {
                player, time_ms, ..
            } => {
                let player: Option<Player> = player.parse().ok();
                let own = player.and_then(|player| player.budget(None).time_ms);
                let time = own.into_iter().chain(*time_ms).min();
                time.map_or(LONGEST_MOVE, Duration::from_millis) + GRACE
            }
            Self::Inquiry { .. } => LONGEST_INQUIRY,
            Self::Puzzles { .. } => LONGEST_MINING,
        }
    }
}

fn rules(id: &str) -> Result<Arc<Rules>, String> {
    let sets = BuiltIn::LISTED.iter().map(|set| set.rules());
    let mut known = sets.filter(|rules| rules.set().id() == id);
    known
        .next()
        .ok_or_else(|| format!("there is no rule set {id:?} here"))
}

/// A move that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct MoveFound {
    step: Move,
    score: Option<String>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time_ms: Option<u64>,
    line: Vec<Move>,
}

impl From<Choice> for MoveFound {
    fn from(choice: Choice) -> Self {
        let time = choice.time.map(|time| time.as_millis());
        Self {
            step: choice.step,
            score: choice.score.map(|score| score.to_string()),
            nodes: choice.nodes,
            depth: choice.depth,
            time_ms: time.map(|ms| u64::try_from(ms).unwrap_or(u64::MAX)),
            line: choice.line,
        }
    }
}

impl From<MoveFound> for Choice {
    fn from(found: MoveFound) -> Self {
        Self {
            step: found.step,
            score: found.score.and_then(|score| score.parse().ok()),
            nodes: found.nodes,
            depth: found.depth,
            time: found.time_ms.map(Duration::from_millis),
            line: found.line,
        }
    }
}
