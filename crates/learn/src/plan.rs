//! First plans: what both sides should try to do, each as a position with a task.
//!
//! Forks, anvils and sieges are the easiest proven puzzles of their kind; the others are looked for, and
//! kept where the engine, too, thinks that the plan is best.

use std::sync::Arc;

use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_review::{
    Deed, deeds,
    puzzle::{Motif, Puzzle, PuzzleGoal},
};
use tablut_rules::{Bitboard, Move, Position, Rules, Side, Square};

use crate::{Step, StepTopic, Task, compose, scene::Scenes};

/// Positions for the engine to say what is best.
const NODES: u64 = 3_000;

/// How many positions are tried: where no camp helps, walls that one move completes are rare.
const TRIES: usize = 200_000;

/// A plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Theme {
    /// The king opens two lanes at once.
    Fork,
    /// Men on a diagonal cut the king off from a corner.
    Diagonal,
    /// A camp helps to capture.
    CampAnvil,
    /// All sides of the king are closed.
    Siege,
    /// Who stands worse repeats.
    Repeat,
}

/// The plans that can be shown under some rules, given puzzles of them.
///
/// They take seconds to find: keep them.
#[must_use]
pub fn plans(rules: &Arc<Rules>, puzzles: &[Puzzle]) -> Vec<Step> {
    let easiest = |theme, motif, side| easiest(puzzles, theme, motif, side);
    let mut steps = Vec::new();
    steps.extend(easiest(Theme::Fork, Motif::TwoLanes, Side::Defenders));
    steps.extend(diagonal(rules));
    steps.extend(easiest(Theme::CampAnvil, Motif::CampAnvil, Side::Defenders));
    steps.extend(easiest(Theme::CampAnvil, Motif::CampAnvil, Side::Attackers));
    steps.extend(easiest(Theme::Siege, Motif::Siege, Side::Attackers));
    steps.extend(repeat(rules));
    steps
}

/// The easiest short puzzle about something.
fn easiest(puzzles: &[Puzzle], theme: Theme, motif: Motif, side: Side) -> Option<Step> {
    let fits = |puzzle: &&Puzzle| {
        puzzle.goal == PuzzleGoal::Win
            && puzzle.side() == side
            && puzzle.plies() <= 5
            && puzzle.motifs.contains(&motif)
    };
    let puzzle = puzzles
        .iter()
        .filter(fits)
        .min_by_key(|puzzle| (puzzle.plies(), puzzle.nodes, puzzle.number))?;
    Some(Step {
        topic: StepTopic::Plan(theme),
        start: puzzle.start,
        history: puzzle.history.clone(),
        task: Task::Win {
            plies: puzzle.plies(),
        },
        told: Vec::new(),
    })
}

/// Whether the engine would do a step's task.
fn is_best(rules: &Arc<Rules>, step: &Step) -> bool {
    let Some(game) = step.game(rules) else {
        return false;
    };
    let options = EngineOptions {
        hash_mb: 1,
        threads: 1,
    };
    let limits = SearchLimits::nodes(NODES);
    let report = Engine::new(options).search(&game, &limits, &Control::new(), &mut |_| {});
    let judged = report.best.map(|best| step.task.judge(&game, 0, best));
    judged.is_some_and(|judgement| judgement.is_right())
}

/// The corners that some move cuts the king off from.
fn closable(rules: &Rules, position: &Position) -> Bitboard {
    let moves = rules.moves(position);
    let all = moves.iter().flat_map(|&one| deeds(rules, position, one));
    let corners = all.flat_map(|deed| match deed {
        Deed::ClosesCorners { corners, .. } => corners,
        _ => Vec::new(),
    });
    corners.collect()
}

/// A diagonal to be completed.
fn diagonal(rules: &Arc<Rules>) -> Option<Step> {
    let scenes = Scenes::new(rules);
    let topic = StepTopic::Plan(Theme::Diagonal);
    scenes
        .random(5, Side::Attackers)
        .take(TRIES)
        .find_map(|setup| {
            // The king can be cut off only if he is not at a goal already.
            let position = rules.position(&setup).ok()?;
            if rules.calls(&position).count() > 0 {
                return None;
            }
            closable(rules, &position).iter().find_map(|corner| {
                let task = Task::CloseCorner { corner };
                let step = scenes.good(topic, setup, Vec::new(), task)?;
                let fits = touches(rules, &step) && is_best(rules, &step);
                fits.then_some(step)
            })
        })
}

/// Whether every move that does a step's task leads a man to where it touches another one at a corner: that
/// is what the plan tells about walls.
fn touches(rules: &Arc<Rules>, step: &Step) -> bool {
    let Some(game) = step.game(rules) else {
        return false;
    };
    let men = game.position().men(Side::Attackers);
    let is_right = |one: Move| step.task.judge(&game, 0, one).is_right();
    let moves = game.legal_moves();
    let mut right = moves.iter().copied().filter(|&one| is_right(one));
    right.all(|one| {
        let others = men.without(one.from());
        let is_corner = |square: Square| {
            let apart = |a: u8, b: u8| a.abs_diff(b) == 1;
            apart(square.column(), one.to().column()) && apart(square.row(), one.to().row())
        };
        others.iter().any(is_corner)
    })
}

/// A position to be repeated, because nothing else is as good.
fn repeat(rules: &Arc<Rules>) -> Option<Step> {
    let scenes = Scenes::new(rules);
    let topic = StepTopic::Plan(Theme::Repeat);
    let found = compose::repetitions(&scenes, topic).filter(|step| step.task == Task::Repeat);
    found.take(200).find(|step| is_best(rules, step))
}
