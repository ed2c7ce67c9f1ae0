//! Judging what somebody tries in a puzzle, and refuting what is wrong.

use tablut_engine::{
    Control, Engine, EngineOptions, SearchLimits,
    solve::{MoveProof, Solver},
};
use tablut_rules::{Game, IllegalMove, Move, PlayError};

use super::{Puzzle, PuzzleGoal, SLACK};

/// Memory of a solver and of an engine, in megabytes.
const HASH_MB: usize = 4;

/// What a refutation may cost: positions for the engine's reply, and for each proof.
const REPLY_NODES: u64 = 4_000;
const PROOF_NODES: u64 = 200_000;

/// What is said of a move that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It is right; the opponent's answer, unless the puzzle is solved.
    Right {
        /// The opponent's move of the solution.
        reply: Option<Move>,
    },
    /// It is wrong.
    Wrong,
    /// It cannot be played.
    Illegal(IllegalMove),
}

/// Judges a move after the first moves of a solution, of both sides.
///
/// # Errors
/// Those moves are not the beginning of the solution, or the solver is not to move after them.
pub fn judge(
    puzzle: &Puzzle,
    game: &Game,
    made: usize,
    step: Move,
) -> Result<Judgement, MadeError> {
    let Some((&right, rest)) = puzzle
        .solution
        .get(made..)
        .filter(|_| made.is_multiple_of(2))
        .and_then(<[Move]>::split_first)
    else {
        return Err(MadeError);
    };
    if let Err(reason) = game.rules().explain(game.position(), step) {
        return Ok(Judgement::Illegal(reason));
    }
    Ok(match step == right {
        true => Judgement::Right {
            reply: rest.first().copied(),
        },
        false => Judgement::Wrong,
    })
}

/// The moves that were said to be made are not the beginning of the solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MadeError;

impl std::fmt::Display for MadeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("these moves are not the beginning of the solution")
    }
}

impl std::error::Error for MadeError {}

/// What became of a wrong move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refuted {
    /// This answer refutes it: after it the solver has no win in the plies that were left, or, in a save,
    /// the opponent wins.
    By(Move),
    /// It ends the game itself.
    AtOnce,
    /// It wins too, but later than the right one, so there is no answer.
    Slower,
}

/// The opponent's answer to a wrong move, which is not made in the game yet.
///
/// It is the engine's reply if the solver confirms it, else the first that the solver finds.
///
/// # Errors
/// The wrong move cannot be played.
pub fn refute(
    puzzle: &Puzzle,
    game: &Game,
    made: usize,
    wrong: Move,
) -> Result<Refuted, PlayError> {
    let side = game.position().side();
    let mut game = game.clone();
    game.play(wrong)?;
    if game.outcome().is_some() {
        return Ok(Refuted::AtOnce);
    }
    let options = EngineOptions {
        hash_mb: HASH_MB,
        threads: 1,
    };
    let limits = SearchLimits::nodes(REPLY_NODES);
    let report = Engine::new(options).search(&game, &limits, &Control::new(), &mut |_| {});
    let reply = |step: Option<Move>| {
        let step = step.or(report.best);
        step.map_or(Refuted::Slower, Refuted::By)
    };
    if puzzle.goal == PuzzleGoal::Save {
        let mut solver = Solver::new(&game, side.opponent(), HASH_MB, Control::new());
        // All wrong moves of a save lose within a few plies.
        let mut lengths = (1..=9).step_by(2);
        return Ok(reply(lengths.find_map(|plies| solver.winning_move(plies))));
    }
    // The answer is one of the plies that are left after the wrong move.
    let left = (puzzle.solution.len() - made) as u32 - 1 + SLACK;
    let mut solver = Solver::new(&game, side, HASH_MB, Control::new());
    if let Some(best) = report.best
        && solver.judge_move(best, left, PROOF_NODES) != MoveProof::Won
    {
        return Ok(Refuted::By(best));
    }
    Ok(match solver.refutation(left, PROOF_NODES) {
        Some(step) => Refuted::By(step),
        None => Refuted::Slower,
    })
}
