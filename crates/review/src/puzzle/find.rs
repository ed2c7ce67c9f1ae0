//! Finding puzzles in games, and proving them.

use std::{fmt, sync::Arc};

use tablut_engine::{
    Control, Engine, SearchLimits,
    solve::{MoveProof, Solution, SolveLimits, Solver},
};
use tablut_rules::{Game, Move, Rules, Setup};

use super::{Puzzle, PuzzleGameError, PuzzleGoal, SLACK, motif};

/// How far a losing move of a save puzzle is looked at, and how much further the saving one.
const SAVE_PLIES: u32 = 6;

/// The most defences that are tried as the opponent's move of a solution.
const MOST_DEFENCES: usize = 6;

/// Other first moves are looked at this far at most, unless the solution is as long.
const LONGEST_HORIZON: u32 = 9;

/// Memory of a solver, in megabytes.
const HASH_MB: usize = 8;

/// What finding or proving a puzzle may cost.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The longest win, in plies.
    pub plies: u32,
    /// The most positions for each question to the solver.
    pub nodes: u64,
    /// Ends it: what is said after that means nothing.
    pub control: Control,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            plies: 9,
            nodes: 2_000_000,
            control: Control::new(),
        }
    }
}

/// Why something is not a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PuzzleFault {
    /// Its moves cannot be played.
    Game(PuzzleGameError),
    /// The right move does not win, or not in as many plies as the solution has.
    NoWin(Move),
    /// Another move wins too, or may do so.
    Another {
        /// The right move.
        right: Move,
        /// The other one.
        other: Move,
    },
    /// The opponent could hold out longer.
    ShortDefence(Move),
    /// The motifs are others.
    Motifs,
    /// The saving move loses, or may do so.
    NoSave(Move),
    /// Another move does not lose, or may not.
    AnotherSaves(Move),
}

impl fmt::Display for PuzzleFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(error) => write!(f, "{error}"),
            Self::NoWin(step) => write!(f, "{step} does not win in the plies of the solution"),
            Self::Another { right, other } => {
                write!(f, "besides {right}, {other} wins too, or may do so")
            }
            Self::ShortDefence(step) => write!(f, "{step} is not the longest defence"),
            Self::Motifs => f.write_str("its motifs are others"),
            Self::NoSave(step) => write!(f, "{step} loses, or may do so"),
            Self::AnotherSaves(step) => write!(f, "{step} need not lose"),
        }
    }
}

impl std::error::Error for PuzzleFault {}

/// A solver for the side to move in a game, whose refutations are proofs.
fn solver<'a>(game: &'a Game, effort: &Effort) -> Solver<'a> {
    let side = game.position().side();
    Solver::new(game, side, HASH_MB, effort.control.clone()).thorough()
}

/// A move besides the right one that wins within a number of plies, or may do so.
fn other_win(
    solver: &mut Solver<'_>,
    game: &Game,
    right: Move,
    plies: u32,
    nodes: u64,
) -> Option<Move> {
    let moves = game.legal_moves();
    let others = moves.iter().copied().filter(|&step| step != right);
    let mut suspects =
        others.filter(|&step| solver.judge_move(step, plies, nodes) != MoveProof::NotWithin);
    suspects.next()
}

/// How far the other first moves of a win in this many plies are looked at.
const fn horizon(plies: u32) -> u32 {
    if plies + SLACK < LONGEST_HORIZON {
        plies + SLACK
    } else if plies < LONGEST_HORIZON {
        LONGEST_HORIZON
    } else {
        plies
    }
}

/// In how few plies the side to move wins by force, if the effort is enough to prove it.
#[must_use]
pub fn distance(game: &Game, effort: &Effort) -> Option<u32> {
    if game.outcome().is_some() {
        return None;
    }
    let limits = SolveLimits {
        plies: effort.plies,
        nodes: effort.nodes,
    };
    match solver(game, effort).solve(limits, &mut |_| {}) {
        Solution::Won {
            plies,
            shortest: true,
            ..
        } => Some(plies),
        _ => None,
    }
}

/// A puzzle whose first move is to be found in the present position of a game, which is won in a
/// number of plies ([`distance`]), at least three: by one move at each turn.
#[must_use]
pub fn find_win(game: &Game, plies: u32, effort: &Effort) -> Option<Puzzle> {
    if plies < 3 || plies.is_multiple_of(2) {
        return None;
    }
    let solution = line(game, plies, effort)?;
    // Last, because it takes longest.
    let first = other_win(
        &mut solver(game, effort),
        game,
        solution[0],
        horizon(plies),
        effort.nodes,
    );
    if first.is_some() {
        return None;
    }
    short(game, PuzzleGoal::Win, solution, effort)
}

/// The solution from here, if the win in this many plies is the only one at each turn.
fn line(game: &Game, plies: u32, effort: &Effort) -> Option<Vec<Move>> {
    let mut solver = solver(game, effort);
    let right = solver.winning_move(plies)?;
    if other_win(&mut solver, game, right, plies, effort.nodes).is_some() {
        return None;
    }
    let mut after = game.clone();
    after.play(right).ok()?;
    if plies == 1 {
        return Some(vec![right]);
    }
    solver.play(right);
    // The defences that last longest: two plies less than now.
    let mut longest = Vec::new();
    for &defence in &after.legal_moves() {
        let is_over = solver.play(defence);
        if !is_over && solver.distance(plies - 2) == Some(plies - 2) {
            longest.push(defence);
        }
        solver.take_back();
    }
    drop(solver);
    longest.into_iter().take(MOST_DEFENCES).find_map(|defence| {
        let mut next = after.clone();
        next.play(defence).ok()?;
        let rest = line(&next, plies - 2, effort)?;
        Some([vec![right, defence], rest].concat())
    })
}

/// A puzzle whose only move is to be found in the present position of a game: every other one loses
/// by force, soon, and this one does not.
#[must_use]
pub fn find_save(game: &Game, effort: &Effort) -> Option<Puzzle> {
    if game.outcome().is_some() {
        return None;
    }
    let saves = saving_moves(game, effort)?;
    let &[right] = &saves[..] else {
        return None;
    };
    // A move that wins at once saves too, but it is no defence; one that draws is.
    let mut after = game.clone();
    after.play(right).ok()?;
    if after
        .outcome()
        .is_some_and(|outcome| outcome.winner.is_some())
    {
        return None;
    }
    short(game, PuzzleGoal::Save, vec![right], effort)
}

/// The moves that do not lose soon; nothing if there are several, or if that cannot be proved.
fn saving_moves(game: &Game, effort: &Effort) -> Option<Vec<Move>> {
    let (opponent, nodes) = (game.position().side().opponent(), effort.nodes);
    let mut solver = Solver::new(game, opponent, HASH_MB, effort.control.clone()).thorough();
    let moves = game.legal_moves();
    if moves.len() < 2 {
        return None;
    }
    let mut saves = Vec::new();
    // Few positions are lost but for one move; most show it within few plies.
    for &step in &moves {
        if solver.judge_move(step, SAVE_PLIES, nodes) != MoveProof::Won {
            saves.push(step);
            if saves.len() > 1 {
                return None;
            }
        }
    }
    let &[right] = &saves[..] else {
        return None;
    };
    let is_safe = solver.judge_move(right, SAVE_PLIES + SLACK, nodes) == MoveProof::NotWithin;
    is_safe.then_some(saves)
}

/// The puzzle of a solution, with as little history as it needs.
fn short(game: &Game, goal: PuzzleGoal, solution: Vec<Move>, effort: &Effort) -> Option<Puzzle> {
    let motifs = motif::motifs(game, goal, &solution);
    let rules = game.rules().clone();
    let with_history = |plies: usize| {
        let all = game.plies();
        let first = all.len() - plies.min(all.len());
        let start = match first {
            0 => game.start(),
            n => &all[n - 1].position,
        };
        let start = Setup::from(start);
        Puzzle {
            number: 0,
            goal,
            start,
            history: all[first..].iter().map(|ply| ply.step).collect(),
            solution: solution.clone(),
            motifs: motifs.clone(),
            nodes: 0,
        }
    };
    let brief = with_history(1);
    if brief.prove(&rules, effort).is_ok() {
        return Some(brief);
    }
    let quiet = game.plies().iter().rev();
    let quiet = quiet.take_while(|ply| ply.captured.is_empty()).count();
    let long = with_history(quiet + 1);
    long.prove(&rules, effort).is_ok().then_some(long)
}

/// How many positions the engine looks at until it keeps to the right first move of a puzzle and, if it is
/// one to win, sees the win; at most a number of them.
#[must_use]
pub fn difficulty(
    engine: &mut Engine,
    game: &Game,
    puzzle: &Puzzle,
    most: u64,
    control: &Control,
) -> u64 {
    let right = puzzle.solution[0];
    let is_win = puzzle.goal == PuzzleGoal::Win;
    engine.clear();
    let mut since = None;
    let limits = SearchLimits::nodes(most);
    let report = engine.search(game, &limits, control, &mut |info| {
        if info.index == 0 {
            let is_right = info.line.moves.first() == Some(&right);
            match is_right && (!is_win || info.line.score.is_winning()) {
                true => since = since.or(Some(info.nodes)),
                false => since = None,
            }
        }
    });
    match report.best == Some(right) {
        true => since.unwrap_or(most),
        false => most,
    }
}

impl Puzzle {
    /// Proves that the puzzle is one: under these rules, with its history.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn prove(&self, rules: &Arc<Rules>, effort: &Effort) -> Result<(), PuzzleFault> {
        let game = self.game(rules).map_err(PuzzleFault::Game)?;
        match self.goal {
            PuzzleGoal::Win => self.prove_win(game.clone(), effort)?,
            PuzzleGoal::Save => self.prove_save(&game, effort)?,
        }
        match motif::motifs(&game, self.goal, &self.solution) == self.motifs {
            true => Ok(()),
            false => Err(PuzzleFault::Motifs),
        }
    }

    fn prove_win(&self, mut game: Game, effort: &Effort) -> Result<(), PuzzleFault> {
        let nodes = effort.nodes;
        let mut plies = self.plies();
        let right = self.solution[0];
        let mut first = solver(&game, effort);
        if let Some(other) = other_win(&mut first, &game, right, horizon(plies), nodes) {
            return Err(PuzzleFault::Another { right, other });
        }
        drop(first);
        for turn in self.solution.chunks(2) {
            let right = turn[0];
            let mut solver = solver(&game, effort);
            if !game.legal_moves().contains(&right)
                || solver.judge_move(right, plies, nodes) != MoveProof::Won
            {
                return Err(PuzzleFault::NoWin(right));
            }
            if plies > 1 && solver.judge_move(right, plies - 2, nodes) != MoveProof::NotWithin {
                return Err(PuzzleFault::NoWin(right));
            }
            if let Some(other) = other_win(&mut solver, &game, right, plies, nodes) {
                return Err(PuzzleFault::Another { right, other });
            }
            drop(solver);
            for &step in turn {
                game.play(step)
                    .map_err(|_| PuzzleFault::Game(PuzzleGameError::Move(step)))?;
            }
            if let &[_, defence] = turn {
                plies -= 2;
                if game.outcome().is_some() {
                    return Err(PuzzleFault::ShortDefence(defence));
                }
            }
        }
        Ok(())
    }

    fn prove_save(&self, game: &Game, effort: &Effort) -> Result<(), PuzzleFault> {
        let right = self.solution[0];
        match saving_moves(game, effort) {
            Some(saves) if saves[..] == self.solution[..] => Ok(()),
            Some(saves) => Err(PuzzleFault::AnotherSaves(saves[0])),
            None => Err(PuzzleFault::NoSave(right)),
        }
    }
}
