//! Tasks, and how the rules judge what is tried.

use tablut_engine::{
    Control,
    solve::{MoveProof, Solver},
};
use tablut_review::{Deed, deeds};
use tablut_rules::{
    End, Game, IllegalMove, Move, Outcome, Position, Reason, Rules, Setup, Side, Square,
};

use crate::{KingNeed, Refusal};

/// Memory of a solver, in megabytes, and the most positions for a question.
const HASH_MB: usize = 1;
const NODES: u64 = 2_000_000;

/// What is to be done in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Task {
    /// Make any legal move.
    Any,
    /// Move a piece to a square.
    Go {
        /// Where it stands.
        from: Square,
        /// Where it should go.
        to: Square,
    },
    /// Move a piece as far towards a square as it may.
    GoFar {
        /// Where it stands.
        from: Square,
        /// The square it goes towards.
        towards: Square,
        /// How far it may go.
        to: Square,
    },
    /// Capture the man on a square.
    Capture {
        /// Where it stands.
        square: Square,
    },
    /// Capture the king.
    CaptureKing,
    /// Bring the king to a goal.
    Escape,
    /// Let the king see goals in this many directions, at least.
    OpenLanes {
        /// How many.
        lanes: usize,
    },
    /// Let the king see no goal any more.
    CloseLanes,
    /// Draw by repetition.
    Repeat,
    /// Do not repeat the position, which would lose.
    Vary,
    /// Win by force.
    Win {
        /// In this many plies.
        plies: u32,
    },
    /// Cut the king off from the goals at a corner.
    CloseCorner {
        /// The corner.
        corner: Square,
    },
}

/// What is said of a move that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The task is done.
    Done,
    /// It is right so far; the opponent answers.
    GoOn {
        /// The answer.
        reply: Move,
    },
    /// It can be played, but does not do the task.
    Wrong(Refusal),
    /// It cannot be played.
    Illegal(IllegalMove),
}

impl Judgement {
    /// Whether the move is right.
    #[must_use]
    pub const fn is_right(&self) -> bool {
        matches!(self, Self::Done | Self::GoOn { .. })
    }
}

/// The moves that were said to be made in a step are not what it led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MadeError;

impl std::fmt::Display for MadeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("these moves are not those of the step")
    }
}

impl std::error::Error for MadeError {}

impl Task {
    /// Judges a move in the present position of a game, after some turns of the task.
    pub(crate) fn judge(self, game: &Game, turns: usize, step: Move) -> Judgement {
        let rules: &Rules = game.rules();
        let before = game.position();
        if let Err(reason) = rules.explain(before, step) {
            return Judgement::Illegal(reason);
        }
        if let Self::Win { plies } = self {
            return judge_win(game, plies.saturating_sub(2 * turns as u32), step);
        }
        let mut after = game.clone();
        let Ok(applied) = after.play(step) else {
            return Judgement::Wrong(Refusal::NewPosition);
        };
        let refusal = match self {
            Self::Any => None,
            Self::Go { from, to } => {
                (step != Move::new(from, to)).then_some(Refusal::Elsewhere { from, to })
            }
            Self::GoFar { from, towards, to } => far(step, from, towards, to),
            Self::Capture { square } => {
                let is_captured = applied.captured.contains(square);
                let by = before.side();
                (!is_captured).then_some(Refusal::NotCaptured { square, by })
            }
            Self::CaptureKing => {
                let is_free = applied.end != Some(End::KingCaptured);
                is_free.then(|| Refusal::KingFree {
                    need: KingNeed::of(rules, before),
                })
            }
            Self::Escape => (applied.end != Some(End::KingEscaped)).then_some(Refusal::NoGoal),
            Self::OpenLanes { lanes } => {
                let found = rules.calls(&applied.position).count();
                (found < lanes).then_some(Refusal::FewLanes {
                    found,
                    wanted: lanes,
                })
            }
            Self::CloseLanes => {
                let mut goals = rules
                    .calls(&applied.position)
                    .lanes()
                    .map(|lane| lane.goal)
                    .collect::<Vec<_>>();
                goals.pop().map(|goal| Refusal::LaneOpen { goal })
            }
            Self::Repeat => match after.outcome() {
                Some(outcome) if repeated(outcome) => None,
                Some(outcome) => Some(Refusal::Ended { outcome }),
                None => Some(Refusal::NewPosition),
            },
            Self::Vary => match after.outcome() {
                Some(outcome) if repeated(outcome) => Some(Refusal::Repeats),
                _ => None,
            },
            Self::Win { .. } => Some(Refusal::NoWin),
            Self::CloseCorner { corner } => corner_left(rules, before, step, corner),
        };
        // Who wins has not played badly, whatever was asked for.
        let is_won = after
            .outcome()
            .is_some_and(|outcome| outcome.winner == Some(before.side()));
        match (refusal, self) {
            (None, _) => Judgement::Done,
            (Some(_), Self::Capture { square }) if is_won => {
                Judgement::Wrong(Refusal::WinsUncaptured { square })
            }
            (Some(_), _) if is_won => Judgement::Wrong(Refusal::WinsOtherwise),
            (Some(refusal), _) => Judgement::Wrong(refusal),
        }
    }
}

/// Why a move does not cut the king off from a corner, if so. White's men are no wall: they can move away.
fn corner_left(rules: &Rules, before: &Position, step: Move, corner: Square) -> Option<Refusal> {
    let closes = |before: &Position| {
        deeds(rules, before, step).iter().any(
            |deed| matches!(deed, Deed::ClosesCorners { corners, .. } if corners.contains(&corner)),
        )
    };
    if !closes(before) {
        return Some(Refusal::CornerOpen { corner });
    }
    let mut bare = Setup::from(before);
    for square in before.men(Side::Defenders) {
        bare.put(square, None);
    }
    let holds = rules.position(&bare).is_ok_and(|bare| closes(&bare));
    (!holds).then_some(Refusal::WhiteWall { corner })
}

fn repeated(outcome: Outcome) -> bool {
    outcome.reason == Reason::Repetition
}

fn far(step: Move, from: Square, towards: Square, to: Square) -> Option<Refusal> {
    if step == Move::new(from, to) {
        return None;
    }
    let same_way =
        step.from() == from && from.direction_to(step.to()) == from.direction_to(towards);
    Some(match same_way {
        true => Refusal::Further,
        false => Refusal::OtherWay { from, towards },
    })
}

/// Judges a move that should win within some plies.
fn judge_win(game: &Game, plies: u32, step: Move) -> Judgement {
    let winner = game.position().side();
    let mut after = game.clone();
    if after.play(step).is_err() {
        return Judgement::Wrong(Refusal::NoWin);
    }
    match after.outcome() {
        Some(outcome) if outcome.winner == Some(winner) => return Judgement::Done,
        Some(outcome) => return Judgement::Wrong(Refusal::Ended { outcome }),
        None => {}
    }
    if plies < 3 {
        return Judgement::Wrong(Refusal::NoWin);
    }
    let mut solver = Solver::new(game, winner, HASH_MB, Control::new());
    if solver.judge_move(step, plies, NODES) != MoveProof::Won {
        return Judgement::Wrong(Refusal::NoWin);
    }
    match longest_defence(&after, winner, plies - 1) {
        Some(reply) => Judgement::GoOn { reply },
        None => Judgement::Wrong(Refusal::NoWin),
    }
}

/// The defence against a win that lasts longest.
fn longest_defence(game: &Game, winner: Side, plies: u32) -> Option<Move> {
    let mut solver = Solver::new(game, winner, HASH_MB, Control::new());
    let mut best = None;
    for &step in &game.legal_moves() {
        let lasts = match solver.play(step) {
            true => Some(0),
            false => solver.distance(plies),
        };
        solver.take_back();
        let lasts = lasts?;
        if best.is_none_or(|(longest, _)| lasts > longest) {
            best = Some((lasts, step));
        }
    }
    // A defence that ends the game at once is no answer.
    best.filter(|&(lasts, _)| lasts > 0).map(|(_, step)| step)
}
