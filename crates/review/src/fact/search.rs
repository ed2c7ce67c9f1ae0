//! What the game's history and the search add to what the board shows.

use tablut_engine::Score;
use tablut_rules::{Game, Move, Piece, Reason, Side};

use super::{
    BoardLine, Deed, Fact, Prospect,
    board::{deeds, omissions, seen_goals},
};
use crate::{MoveMark, winning_chance};

/// A move of a game, and what a search said of the positions before and after it. Scores are the
/// mover's.
pub(crate) struct MoveView<'a> {
    /// The game before the move.
    pub(crate) game: &'a Game,
    /// The game after it.
    pub(crate) next: &'a Game,
    pub(crate) step: Move,
    pub(crate) before: Score,
    pub(crate) after: Score,
    /// The opponent's best answer.
    pub(crate) reply: Option<Move>,
    /// If the move is the best: the scores of it and of the second-best, from one search.
    pub(crate) rivals: Option<(Score, Score)>,
}

/// Everything that is known to be true about a move, the most important first.
pub(crate) fn facts(view: &MoveView<'_>) -> Vec<Fact> {
    let (rules, position) = (view.game.rules(), view.game.position());
    let own = deeds(rules, position, view.step);
    let mut facts: Vec<Fact> = ending(view).into_iter().collect();
    facts.extend(only_move(view));
    if view.next.outcome().is_none() {
        facts.extend(decided(view));
        facts.extend(allowed_repetition(view));
        facts.extend(omissions(rules, position, view.step, view.reply));
        facts.extend(answer(view));
    } else {
        facts.extend(missed(view));
    }
    // How it ends the game has been said.
    let own = own
        .into_iter()
        .filter(|deed| !matches!(deed, Deed::Ends { .. }));
    facts.extend(own.map(|deed| Fact::Does { deed }));
    facts.sort_by_key(|fact| importance(fact, view.reply));
    facts
}

/// Facts are said in this order.
fn importance(fact: &Fact, reply: Option<Move>) -> u8 {
    match fact {
        Fact::Does {
            deed: Deed::Ends { .. },
        }
        | Fact::Repeats { .. }
        | Fact::OnlyMove { .. } => 0,
        Fact::MissesWin { .. } => 1,
        Fact::LeavesLanes { .. } | Fact::LeavesLine { .. } => 2,
        Fact::Exposes { capture, .. } | Fact::LeavesBetween { capture, .. }
            if capture.piece == Piece::King =>
        {
            2
        }
        Fact::NeededOn { .. } => 3,
        Fact::Reply { .. } | Fact::AllowsRepetition { .. } => 4,
        Fact::Exposes { by, .. } | Fact::LeavesBetween { by, .. } if Some(*by) == reply => 5,
        Fact::AllowsWin { .. } => 6,
        Fact::GivesUp { .. } => 7,
        Fact::LeavesKing { .. } => 8,
        Fact::Does { .. } => 9,
        Fact::Exposes { .. } => 10,
        Fact::LeavesBetween { .. } => 11,
    }
}

/// How the move ends the game.
fn ending(view: &MoveView<'_>) -> Option<Fact> {
    let outcome = view.next.outcome()?;
    Some(match outcome.reason {
        Reason::Repetition => Fact::Repeats {
            outcome,
            prospect: Prospect::of_chance(winning_chance(view.before)),
        },
        _ => Fact::Does {
            deed: Deed::Ends { outcome },
        },
    })
}

/// Wins that the move gives away, proved by the search.
fn decided(view: &MoveView<'_>) -> Vec<Fact> {
    let mut facts: Vec<Fact> = missed(view).into_iter().collect();
    if let Score::Loss(plies) = view.after
        && !view.before.is_losing()
    {
        facts.push(Fact::AllowsWin { plies });
    }
    facts
}

/// A win that the side had.
fn missed(view: &MoveView<'_>) -> Option<Fact> {
    match view.before {
        Score::Win(plies) if !view.after.is_winning() => Some(Fact::MissesWin { plies }),
        _ => None,
    }
}

/// A repetition by which the opponent escapes.
fn allowed_repetition(view: &MoveView<'_>) -> Option<Fact> {
    let reply = view.reply?;
    let mover = view.game.position().side();
    let mut answered = view.next.clone();
    answered.play(reply).ok()?;
    let outcome = answered.outcome()?;
    let stood = Prospect::of_chance(winning_chance(view.before));
    let is_allowed = outcome.reason == Reason::Repetition
        && outcome.winner != Some(mover)
        && stood == Prospect::Winning;
    is_allowed.then_some(Fact::AllowsRepetition { reply })
}

/// What the opponent's best answer does, and how the move made it possible.
fn answer(view: &MoveView<'_>) -> Vec<Fact> {
    let Some(reply) = view.reply else {
        return Vec::new();
    };
    let (rules, after) = (view.next.rules(), view.next.position());
    let left = view.step.from();
    let mut facts = Vec::new();
    let mut deeds = deeds(rules, after, reply);
    // Where the king runs, and what can be captured, is said in other words.
    deeds.retain(|deed| !matches!(deed, Deed::Ends { .. } | Deed::Captures { .. }));
    if !deeds.is_empty() {
        facts.push(Fact::Reply { reply, deeds });
    }
    let answered = rules.apply_unchecked(after, reply);
    if answered.end.is_none() && after.side() == Side::Defenders {
        let known = seen_goals(rules, after);
        let calls = rules.calls(&answered.position);
        let mut lanes = calls.lanes().filter(|lane| !known.contains(&lane.goal));
        if let Some(lane) = lanes.find(|lane| lane.path.contains(left)) {
            let line = BoardLine::of(answered.position.king(), lane.goal);
            facts.push(Fact::NeededOn { line });
        }
    }
    let crosses = reply.to() == left || reply.from().between(reply.to()).any(|s| s == left);
    if crosses && answered.end.is_none() {
        let square = left;
        facts.push(Fact::GivesUp { square, reply });
    }
    facts
}

/// That every other move is much worse.
fn only_move(view: &MoveView<'_>) -> Option<Fact> {
    let (best, second) = view.rivals?;
    let gap = winning_chance(best) - winning_chance(second);
    (gap >= MoveMark::Mistake.threshold()).then_some(Fact::OnlyMove {
        others_lose: second.is_losing() && !best.is_losing(),
    })
}
