//! What a puzzle is about, found by the rules along its solution.

use tablut_rules::{Anvil, CaptureCause, Game, Move, Piece, Rules, Side};

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
}

impl Motif {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::TwoLanes,
        Self::BlockedInTime,
        Self::CampAnvil,
        Self::Siege,
        Self::DoubleCapture,
        Self::QuietMove,
        Self::Sacrifice,
        Self::OnlyDefence,
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
    for &step in solution {
        let turn = game.position().side();
        let before = game.clone();
        let Ok(applied) = game.play(step) else {
            break;
        };
        if turn == solver {
            found.extend(of_move(&before, step, applied.captured.len()));
        } else if !applied.captured.is_empty() {
            found.push(Motif::Sacrifice);
        }
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
    let is_block = |deed: &Deed| matches!(deed, Deed::ClosesLanes { .. });
    if deeds(rules, before, step).iter().any(is_block) {
        found.push(Motif::BlockedInTime);
    }
    if captured == 0 && rules.scan(after).winning_move(side).is_none() {
        found.push(Motif::QuietMove);
    }
    found
}
