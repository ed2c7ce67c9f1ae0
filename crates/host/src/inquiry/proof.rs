//! Forced wins of either side: the shortest first, and every answer of the loser.

use tablut_engine::{
    Control,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{Game, Move};

use super::{Finding, KnownWin, ProofFound, Win, WinAnswer};

/// The memory of each solver, in megabytes.
const HASH_MB: usize = 16;

/// The longest win that is looked for, in plies.
const LONGEST: u32 = 31;

/// How many positions are looked at for both sides together.
const NODES: u64 = 40_000_000;

pub(super) fn find(
    game: &Game,
    known: Option<KnownWin>,
    control: &Control,
    on_finding: &mut dyn FnMut(Finding),
) -> Option<Finding> {
    let side = game.position().side();
    let sides = match known {
        Some(KnownWin { winner, .. }) => vec![winner],
        None => vec![side, side.opponent()],
    };
    let longest = known.map_or(LONGEST, |known| known.plies.min(LONGEST));
    let first = known.map_or(2, |known| known.plies.clamp(1, LONGEST));
    let mut solvers: Vec<(_, Solver<'_>)> = sides
        .into_iter()
        .map(|winner| {
            let solver = Solver::new(game, winner, HASH_MB, control.clone());
            (winner, solver)
        })
        .collect();
    let mut found = ProofFound {
        nodes: 0,
        none_within: 0,
        is_proved: true,
        win: None,
    };
    // Both sides in turn, a move further each time, so that the shorter win is found first. What a
    // solver has refuted it remembers.
    for plies in (first..=longest).step_by(2) {
        for (winner, solver) in &mut solvers {
            let limits = SolveLimits {
                plies,
                nodes: NODES.saturating_sub(found.nodes),
            };
            let before = solver.nodes();
            let solution = solver.solve(limits, &mut |_| {});
            found.nodes += solver.nodes() - before;
            match solution {
                Solution::Won {
                    plies,
                    shortest,
                    line,
                } => {
                    let (step, answers) = answers(
                        game,
                        solver,
                        line.first().filter(|_| *winner == side),
                        plies,
                    )?;
                    found.win = Some(Win {
                        winner: *winner,
                        plies,
                        is_shortest: shortest,
                        line,
                        step,
                        answers,
                    });
                    return Some(Finding::Proof(found));
                }
                Solution::NotWithin(_) => {}
                Solution::Unknown(looked) => {
                    found.is_proved = false;
                    if control.is_stopped() {
                        return None;
                    }
                    if looked < plies {
                        return Some(Finding::Proof(found));
                    }
                }
            }
        }
        found.none_within = plies;
        on_finding(Finding::Proof(found.clone()));
    }
    Some(Finding::Proof(found))
}

/// The winner's move, if it is the winner's turn, and how long the win takes after each answer, the
/// longest first. Nothing if the solver is stopped.
fn answers(
    game: &Game,
    solver: &mut Solver<'_>,
    step: Option<&Move>,
    plies: u32,
) -> Option<(Option<Move>, Vec<WinAnswer>)> {
    let step = step.copied();
    let is_over = step.is_some_and(|step| solver.play(step));
    let left = plies - u32::from(step.is_some());
    let mut answers = Vec::new();
    if !is_over {
        for &answer in &game.rules().moves(solver.position()) {
            let plies = match solver.play(answer) {
                true => Some(0),
                false => solver.distance(left.saturating_sub(1)),
            };
            solver.take_back();
            answers.push(WinAnswer {
                step: answer,
                plies: plies?,
            });
        }
    }
    if step.is_some() {
        solver.take_back();
    }
    answers.sort_by_key(|answer| std::cmp::Reverse(answer.plies));
    Some((step, answers))
}
