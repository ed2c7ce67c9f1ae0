//! What a puzzle is about, found by the rules along its solution.

use tablut_rules::{Anvil, CaptureCause, Game, Move, Piece, Position, Rules, Side, Square};

use super::PuzzleGoal;
use crate::{Deed, deeds};

/// What a puzzle is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Motif {
    /// The king opens two lanes at once.
    TwoLanes,
    /// The attackers close the king's open lanes on the way to their win.
    BlockedInTime,
    /// A camp square helps to capture.
    CampAnvil,
    /// The king falls because all his sides are closed.
    Siege,
    /// One move captures two men or more.
    DoubleCapture,
    /// A move that neither captures nor threatens to win at once.
    QuietMove,
    /// The opponent takes a man of the solver, and loses all the same.
    Sacrifice,
    /// All other moves lose.
    OnlyDefence,
    /// A man steps aside and so opens a lane for the king.
    Discovery,
    /// The attackers cut the king off from the goals at a corner.
    CutOff,
    /// A man is captured on the way to the win.
    Capture,
    /// The attackers threaten to capture the king on two squares at once.
    TwoThreats,
    /// Before the end there is one threat that men of the opponent can stop, but whoever does so allows
    /// another win.
    Deflection,
    /// Before the end there is one threat, and no man of the opponent can stop it; told where nothing else is.
    Unstoppable,
}

impl Motif {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::TwoLanes,
        Self::BlockedInTime,
        Self::CampAnvil,
        Self::Siege,
        Self::DoubleCapture,
        Self::QuietMove,
        Self::Sacrifice,
        Self::OnlyDefence,
        Self::Discovery,
        Self::CutOff,
        Self::Capture,
        Self::TwoThreats,
        Self::Deflection,
        Self::Unstoppable,
    ];

    /// The word in texts and commands.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::TwoLanes => "two-lanes",
            Self::BlockedInTime => "blocked-in-time",
            Self::CampAnvil => "camp-anvil",
            Self::Siege => "siege",
            Self::DoubleCapture => "double-capture",
            Self::QuietMove => "quiet-move",
            Self::Sacrifice => "sacrifice",
            Self::OnlyDefence => "only-defence",
            Self::Discovery => "discovery",
            Self::CutOff => "cut-off",
            Self::Capture => "capture",
            Self::TwoThreats => "two-threats",
            Self::Deflection => "deflection",
            Self::Unstoppable => "unstoppable",
        }
    }

    /// The motif with a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|motif| motif.word() == word)
    }
}

/// The motifs of a solution that begins in the present position of a game.
pub(super) fn motifs(game: &Game, goal: PuzzleGoal, solution: &[Move]) -> Vec<Motif> {
    let mut found = match goal {
        PuzzleGoal::Save => vec![Motif::OnlyDefence],
        PuzzleGoal::Win => Vec::new(),
    };
    let mut game = game.clone();
    let solver = game.position().side();
    for (n, &step) in solution.iter().enumerate() {
        let turn = game.position().side();
        let before = game.clone();
        let Ok(applied) = game.play(step) else {
            break;
        };
        if turn == solver {
            found.extend(of_move(&before, step, applied.captured.len()));
            // Whoever only saves a game wins nothing, and has no last move but one.
            if n + 1 < solution.len() && !applied.captured.is_empty() {
                found.push(Motif::Capture);
            }
            if n + 3 == solution.len() {
                found.extend(of_threats(&game, solver));
            }
        } else if !applied.captured.is_empty() {
            found.push(Motif::Sacrifice);
        }
    }
    // Most wins end so: it is worth a word where there is nothing else to say.
    if found.iter().any(|&motif| motif != Motif::Unstoppable) {
        found.retain(|&motif| motif != Motif::Unstoppable);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What a move of the solver shows.
fn of_move(game: &Game, step: Move, captured: u32) -> Vec<Motif> {
    let (rules, before): (&Rules, _) = (game.rules(), game.position());
    let side = before.side();
    let applied = rules.apply_unchecked(before, step);
    let mut found = Vec::new();
    if captured >= 2 {
        found.push(Motif::DoubleCapture);
    }
    let captures = rules.explain_captures(before, step).unwrap_or_default();
    for capture in captures {
        match capture.cause {
            CaptureCause::Between {
                kind: Anvil::Camp, ..
            } => found.push(Motif::CampAnvil),
            CaptureCause::Siege(_) if capture.piece == Piece::King => found.push(Motif::Siege),
            _ => {}
        }
    }
    if applied.end.is_some() {
        return found;
    }
    let after = &applied.position;
    if side == Side::Defenders && rules.calls(after).is_tuichu() && !rules.calls(before).is_tuichu()
    {
        found.push(Motif::TwoLanes);
    }
    for deed in deeds(rules, before, step) {
        match deed {
            Deed::ClosesLanes { .. } => found.push(Motif::BlockedInTime),
            Deed::ClosesCorners { .. } => found.push(Motif::CutOff),
            Deed::OpensLanes { .. } if captured == 0 && step.from() != before.king() => {
                found.push(Motif::Discovery);
            }
            _ => {}
        }
    }
    if captured == 0 && rules.scan(after).winning_move(side).is_none() {
        found.push(Motif::QuietMove);
    }
    found
}

/// Where a side would win at once if it were its turn: goals, one for each lane, or the squares from which the
/// king is captured.
fn threats(rules: &Rules, position: &Position, side: Side) -> Vec<Square> {
    let scan = rules.scan(position);
    match side {
        Side::Defenders => rules
            .calls(position)
            .lanes()
            .map(|lane| lane.goal)
            .collect(),
        Side::Attackers => {
            let can_come = |to: &Square| !scan.movers_to(side, *to).is_empty();
            scan.king_threats().iter().filter(can_come).collect()
        }
    }
}

/// What the solver threatens before the opponent's last move, and whether that could be stopped: a king who
/// flees from one capture into another has stopped nothing.
fn of_threats(game: &Game, solver: Side) -> Option<Motif> {
    let (rules, position): (&Rules, _) = (game.rules(), game.position());
    let found = threats(rules, position, solver);
    let threat = match (&found[..], solver) {
        (&[threat], _) => threat,
        // Two lanes have their own name.
        (&[], _) | (_, Side::Defenders) => return None,
        (_, Side::Attackers) => return Some(Motif::TwoThreats),
    };
    let king = position.king();
    // Who closes a lane and loses by repetition has not stopped anything.
    let is_stopped = |step: Move| {
        let mut after = game.clone();
        after.play(step).is_ok()
            && after.outcome().is_none()
            && !threats(rules, after.position(), solver).contains(&threat)
    };
    let moves = game.legal_moves();
    let mut men = moves.iter().filter(|step| step.from() != king);
    Some(match men.any(|&step| is_stopped(step)) {
        true => Motif::Deflection,
        false => Motif::Unstoppable,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_rules::BuiltIn;

    use super::*;
    use crate::puzzle::built_in_puzzles;

    /// What a motif about the last threat says, found by playing every answer out.
    #[test]
    fn what_is_called_unstoppable_is_not_stopped_and_a_deflection_allows_another_win() {
        for &set in BuiltIn::LISTED {
            for puzzle in built_in_puzzles(set) {
                let is = |motif| puzzle.motifs.contains(&motif);
                if !is(Motif::Unstoppable) && !is(Motif::Deflection) {
                    continue;
                }
                let mut game = puzzle.game(&set.rules()).unwrap();
                let (solver, last) = (puzzle.side(), puzzle.solution.len() - 2);
                for &step in &puzzle.solution[..last] {
                    game.play(step).unwrap();
                }
                let wins = |game: &Game| -> Vec<Move> {
                    let steps = game.legal_moves();
                    let wins = steps.iter().copied().filter(|&step| {
                        let mut game = game.clone();
                        game.play(step).unwrap();
                        game.outcome().is_some_and(|end| end.winner == Some(solver))
                    });
                    wins.collect()
                };
                // As if the opponent passed.
                let passed = game.position().pass();
                let idle = Game::from_position(set.rules(), passed, set.rules().laws());
                let threatened: Vec<Square> = wins(&idle).iter().map(|step| step.to()).collect();
                let mut stopped = false;
                for &answer in &game.legal_moves() {
                    let by_king = answer.from() == game.position().king();
                    let mut next = game.clone();
                    next.play(answer).unwrap();
                    if let Some(end) = next.outcome() {
                        assert_eq!(end.winner, Some(solver), "{set} {}", puzzle.number);
                        continue;
                    }
                    let left = wins(&next);
                    assert!(!left.is_empty(), "{set} {}: {answer}", puzzle.number);
                    let is_met = !left.iter().any(|step| threatened.contains(&step.to()));
                    stopped |= !by_king && is_met;
                }
                assert!(
                    !(stopped && is(Motif::Unstoppable)),
                    "{set} {}",
                    puzzle.number
                );
                assert!(stopped || !is(Motif::Deflection), "{set} {}", puzzle.number);
            }
        }
    }

    #[test]
    fn every_puzzle_that_ships_is_about_something() {
        for &set in BuiltIn::LISTED {
            let mut puzzles = built_in_puzzles(set).iter();
            let without = puzzles.find(|puzzle| puzzle.motifs.is_empty());
            assert!(without.is_none(), "{set}: {without:?}");
        }
    }
}
