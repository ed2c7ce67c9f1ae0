//! What a move does on the board. Everything is asked of the rules; nothing is estimated.

use tablut_rules::{
    Applied, Bitboard, Capture, End, Move, Outcome, Piece, Position, Rules, Setup, Side, Square,
};

use super::{BoardLine, Deed, Fact};

/// What a legal move of the side to move does on the board, the most important first.
#[must_use]
pub fn deeds(rules: &Rules, before: &Position, step: Move) -> Vec<Deed> {
    let applied = rules.apply_unchecked(before, step);
    let mut deeds = Vec::new();
    if let Some(end) = applied.end {
        let outcome = Outcome::from(end);
        deeds.push(Deed::Ends { outcome });
    }
    if !applied.captured.is_empty() {
        let squares = applied.captured.iter().collect();
        deeds.push(Deed::Captures { squares });
    }
    if applied.end.is_none() {
        match before.side() {
            Side::Attackers => hunt(rules, before, &applied, &mut deeds),
            Side::Defenders => flight(rules, before, &applied, &mut deeds),
        }
    }
    deeds
}

/// What the attackers do to the king.
fn hunt(rules: &Rules, before: &Position, applied: &Applied, deeds: &mut Vec<Deed>) {
    let after = &applied.position;
    let seen = seen_goals(rules, before);
    if !seen.is_empty() && seen_goals(rules, after).is_empty() {
        deeds.push(Deed::ClosesLanes { goals: seen });
    }
    if let Some(by) = new_threat(rules, before, after) {
        deeds.push(Deed::ThreatensKing { by });
    }
    let targets = |position| rules.scan(position).king_targets();
    if targets(after).is_empty() && !targets(before).is_empty() {
        // That he gets nowhere goes without saying.
        deeds.push(Deed::BlocksKing);
        return;
    }
    let (could_reach, reach) = (king_reach(rules, before), king_reach(rules, after));
    let corners = corners_between(rules, could_reach, reach);
    if !corners.is_empty() {
        let is_last = reach.is_disjoint(rules.goals());
        deeds.push(Deed::ClosesCorners { corners, is_last });
    }
}

/// What the defenders do for the king.
fn flight(rules: &Rules, before: &Position, applied: &Applied, deeds: &mut Vec<Deed>) {
    let after = &applied.position;
    let seen = seen_goals(rules, before);
    let mut goals = seen_goals(rules, after);
    goals.retain(|goal| !seen.contains(goal));
    if !goals.is_empty() {
        deeds.push(Deed::OpensLanes { goals });
    }
    let (could_reach, reach) = (king_reach(rules, before), king_reach(rules, after));
    let corners = corners_between(rules, reach, could_reach);
    if !corners.is_empty() {
        deeds.push(Deed::OpensCorners { corners });
    }
}

/// The goals that the king sees, the nearest one in each direction.
pub(super) fn seen_goals(rules: &Rules, position: &Position) -> Vec<Square> {
    rules
        .calls(position)
        .lanes()
        .map(|lane| lane.goal)
        .collect()
}

/// How the attackers could capture the king if it were their turn, unless they could do so before.
fn new_threat(rules: &Rules, before: &Position, after: &Position) -> Option<Move> {
    if rules.scan(before).winning_move(Side::Attackers).is_some() {
        return None;
    }
    let by = rules.scan(after).winning_move(Side::Attackers)?;
    let end = rules.apply_unchecked(&after.pass(), by).end;
    (end == Some(End::KingCaptured)).then_some(by)
}

/// The squares that any number of the king's moves can bring him to, as the pieces stand. He goes no
/// further from a goal.
fn king_reach(rules: &Rules, position: &Position) -> Bitboard {
    let mut setup = Setup::from(position);
    setup.put(position.king(), None);
    let (mut seen, mut next) = (Bitboard::EMPTY, Bitboard::from(position.king()));
    while let Some(from) = (next & !seen).first() {
        seen.insert(from);
        if rules.goals().contains(from) {
            continue;
        }
        setup.put(from, Some(Piece::King));
        next |= rules.view(&setup).targets(from);
        setup.put(from, None);
    }
    seen
}

/// The corners with goals among some squares, and none among others.
fn corners_between(rules: &Rules, with: Bitboard, without: Bitboard) -> Vec<Square> {
    corners(rules)
        .filter(|(_, goals)| !with.is_disjoint(*goals) && without.is_disjoint(*goals))
        .map(|(corner, _)| corner)
        .collect()
}

/// The corners of the board, each with the goals in its quarter; goals on the middle row and column
/// belong to none.
fn corners(rules: &Rules) -> impl Iterator<Item = (Square, Bitboard)> {
    let last = rules.size().rows() - 1;
    let goals = rules.goals();
    let places = [(0, 0), (last, 0), (0, last), (last, last)];
    places.into_iter().filter_map(move |(column, row)| {
        let is_near = |place: u8, edge: u8| place.abs_diff(edge) * 2 < last;
        let own = goals
            .iter()
            .filter(|goal| is_near(goal.column(), column) && is_near(goal.row(), row));
        Some((Square::new(column, row)?, own.collect()))
    })
}

/// What a move leaves undone on the board; `reply` is the opponent's best answer.
pub(super) fn omissions(
    rules: &Rules,
    before: &Position,
    step: Move,
    reply: Option<Move>,
) -> Vec<Fact> {
    let after = rules.apply_unchecked(before, step).position;
    let mut facts = Vec::new();
    if before.side() == Side::Attackers {
        facts.extend(lanes_left(rules, &after, step));
        facts.extend(king_left(rules, before, &after, step));
    }
    facts.extend(exposed(rules, before, &after, step, reply));
    facts
}

/// Lanes that are open after an attacker's move.
fn lanes_left(rules: &Rules, after: &Position, step: Move) -> Option<Fact> {
    let goals = seen_goals(rules, after);
    let calls = rules.calls(after);
    let mut lanes = calls.lanes();
    if let Some(lane) = lanes.find(|lane| lane.path.contains(step.from())) {
        let line = BoardLine::of(after.king(), lane.goal);
        return Some(Fact::LeavesLine { line, goals });
    }
    (!goals.is_empty()).then_some(Fact::LeavesLanes { goals })
}

/// A side of the king that an attacker's move opens.
fn king_left(rules: &Rules, before: &Position, after: &Position, step: Move) -> Option<Fact> {
    let square = step.from();
    let closed = |position| rules.scan(position).closed_sides();
    let is_left =
        Bitboard::beside(before.king()).contains(square) && closed(after) < closed(before);
    is_left.then_some(Fact::LeavesKing { square })
}

/// The pieces that the opponent can capture after a move.
fn exposed(
    rules: &Rules,
    before: &Position,
    after: &Position,
    step: Move,
    reply: Option<Move>,
) -> Vec<Fact> {
    let threatened: Bitboard = captures(rules, &before.pass(), None)
        .into_iter()
        .map(|(_, capture)| capture.square)
        .collect();
    let facts = captures(rules, after, reply)
        .into_iter()
        .map(|(by, capture)| {
            // Where the piece stood before the move.
            let stood = match capture.square == step.to() {
                true => step.from(),
                false => capture.square,
            };
            match threatened.contains(stood) {
                true => Fact::LeavesBetween { by, capture },
                false => Fact::Exposes { by, capture },
            }
        });
    facts.collect()
}

/// One capture of each piece that the side to move can capture: by the preferred move, if that
/// captures it. The king comes first, then what the preferred move captures.
fn captures(rules: &Rules, position: &Position, preferred: Option<Move>) -> Vec<(Move, Capture)> {
    let moves = rules.moves(position);
    let mut moves: Vec<Move> = moves.iter().copied().collect();
    moves.sort_by_key(|&step| Some(step) != preferred);
    let mut found: Vec<(Move, Capture)> = Vec::new();
    for step in moves {
        let applied = rules.apply_unchecked(position, step);
        if applied.captured.is_empty() && applied.end != Some(End::KingCaptured) {
            continue;
        }
        let captures = rules.explain_captures(position, step).unwrap_or_default();
        for capture in captures {
            if found
                .iter()
                .all(|(_, known)| known.square != capture.square)
            {
                found.push((step, capture));
            }
        }
    }
    found.sort_by_key(|(_, capture)| capture.piece != Piece::King);
    found
}
