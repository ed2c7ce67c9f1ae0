//! Every fact of the reviews of random games is checked by a slow twin that makes moves and looks.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::collections::BTreeMap;

use tablut_engine::{
    Control, Engine, EngineOptions, SearchLimits,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_review::{Deed, Fact, ReviewedMove, review};
use tablut_rules::{
    Bitboard, BuiltIn, End, Game, Move, Piece, Position, Random, Reason, Rules, Setup, Side, Square,
};

/// A random game that ends or has this many moves.
fn random_game(set: BuiltIn, random: &mut Random, plies: usize) -> Game {
    let mut game = Game::new(set.rules());
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(random.pick(&moves)).unwrap();
    }
    game
}

/// The game before and after one of its moves.
fn around(game: &Game, reviewed: &ReviewedMove) -> (Game, Game) {
    let mut after = game.clone();
    while after.plies().len() > reviewed.ply {
        after.undo();
    }
    let mut before = after.clone();
    before.undo();
    (before, after)
}

/// A position with a side to move.
fn turn(position: &Position, side: Side) -> Position {
    match position.side() == side {
        true => *position,
        false => position.pass(),
    }
}

/// The nearest goal in each direction that a move of the king reaches.
fn goals(rules: &Rules, position: &Position) -> Vec<Square> {
    let position = turn(position, Side::Defenders);
    let king = position.king();
    let distance = |to: Square| king.column().abs_diff(to.column()) + king.row().abs_diff(to.row());
    let mut nearest: BTreeMap<_, Square> = BTreeMap::new();
    for step in &rules.moves(&position) {
        if step.from() == king && rules.goals().contains(step.to()) {
            let slot = nearest.entry(king.direction_to(step.to()));
            let known = slot.or_insert(step.to());
            if distance(step.to()) < distance(*known) {
                *known = step.to();
            }
        }
    }
    sorted(nearest.into_values().collect())
}

fn sorted(mut squares: Vec<Square>) -> Vec<Square> {
    squares.sort();
    squares
}

/// Squares where a piece of a side stood and none stands now.
fn vanished(before: &Position, after: &Position, side: Side) -> Vec<Square> {
    let is = |position: &Position, square| {
        position
            .piece_at(square)
            .is_some_and(|piece| piece.side() == side)
    };
    Square::all()
        .filter(|&square| is(before, square) && !is(after, square))
        .collect()
}

/// Whether a move of the side to move takes the piece on a square.
fn takes(rules: &Rules, position: &Position, step: Move, square: Square) -> bool {
    let applied = rules.apply_unchecked(position, step);
    let king_falls = applied.end == Some(End::KingCaptured) && position.king() == square;
    king_falls || applied.captured.contains(square)
}

fn can_be_taken(rules: &Rules, position: &Position, square: Square) -> bool {
    let moves = rules.moves(position);
    moves
        .iter()
        .any(|&step| takes(rules, position, step, square))
}

/// The squares that the king gets to by single steps over free ground, which is where he gets in the
/// Challenge, whose king crosses nothing.
fn flooded(rules: &Rules, position: &Position) -> Bitboard {
    let king = Bitboard::from(position.king());
    let open = rules.ground(Piece::King) & !position.occupied() | king;
    king.flood(open)
}

/// Checks what a move does on the board; `game` stands before it.
fn check_deed(game: &Game, step: Move, deed: &Deed) {
    let (rules, before) = (game.rules(), game.position());
    let mut next = game.clone();
    next.play(step).unwrap();
    let after = next.position();
    let saw = goals(rules, before);
    let sees = goals(rules, after);
    match deed {
        Deed::Ends { outcome } => assert_eq!(next.outcome(), Some(*outcome)),
        Deed::Captures { squares } => {
            let gone = vanished(before, after, before.side().opponent());
            assert_eq!(sorted(squares.clone()), gone);
        }
        Deed::OpensLanes { goals } => {
            assert_eq!(before.side(), Side::Defenders);
            let mut new = sees;
            new.retain(|goal| !saw.contains(goal));
            assert_eq!(sorted(goals.clone()), new);
        }
        Deed::ClosesLanes { goals } => {
            assert_eq!(before.side(), Side::Attackers);
            assert!(sees.is_empty());
            assert_eq!(sorted(goals.clone()), saw);
        }
        Deed::ClosesCorners { corners, is_last } if rules.set().id() == "ashton" => {
            for &corner in corners {
                let near = near(rules, corner);
                assert!(!flooded(rules, before).is_disjoint(near));
                assert!(flooded(rules, after).is_disjoint(near));
            }
            let is_out = !flooded(rules, after).is_disjoint(rules.goals());
            assert_eq!(*is_last, !is_out);
        }
        Deed::OpensCorners { corners } if rules.set().id() == "ashton" => {
            for &corner in corners {
                let near = near(rules, corner);
                assert!(flooded(rules, before).is_disjoint(near));
                assert!(!flooded(rules, after).is_disjoint(near));
            }
        }
        Deed::ClosesCorners { .. } | Deed::OpensCorners { .. } => {}
        Deed::BlocksKing => {
            let moves = |position| {
                let position = turn(position, Side::Defenders);
                let moves = rules.moves(&position);
                moves.iter().filter(|m| m.from() == position.king()).count()
            };
            assert!(moves(before) > 0 && moves(after) == 0);
        }
        Deed::ThreatensKing { by } => {
            let ready = after.pass();
            assert!(rules.is_legal(&ready, *by));
            assert!(takes(rules, &ready, *by, after.king()));
            assert!(!can_be_taken(rules, before, before.king()));
        }
    }
}

/// The goals in the quarter of a corner, counted on fingers.
fn near(rules: &Rules, corner: Square) -> Bitboard {
    let goals = rules.goals();
    let is_near = |goal: &Square| {
        goal.column().abs_diff(corner.column()) < 4 && goal.row().abs_diff(corner.row()) < 4
    };
    goals.iter().filter(is_near).collect()
}

/// Whether a side forces a win within some plies, as the solver proves it.
fn wins(game: &Game, side: Side, plies: u32) -> bool {
    let mut solver = Solver::new(game, side, 4, Control::new());
    let limits = SolveLimits {
        plies,
        nodes: 3_000_000,
    };
    matches!(solver.solve(limits, &mut |_| {}), Solution::Won { .. })
}

fn check(before: &Game, after: &Game, reviewed: &ReviewedMove, fact: &Fact) {
    let rules = before.rules();
    let (was, is) = (before.position(), after.position());
    let (side, step) = (reviewed.side, reviewed.step);
    match fact {
        Fact::Does { deed } => check_deed(before, step, deed),
        Fact::MissesWin { plies } => assert!(wins(before, side, *plies)),
        Fact::AllowsWin { plies } => assert!(wins(after, side.opponent(), *plies)),
        Fact::Repeats { outcome, .. } => {
            assert_eq!(after.outcome(), Some(*outcome));
            assert_eq!(outcome.reason, Reason::Repetition);
            assert!(after.occurrences() > 1);
        }
        Fact::AllowsRepetition { reply } => {
            let mut answered = after.clone();
            answered.play(*reply).unwrap();
            let outcome = answered.outcome().unwrap();
            assert_eq!(outcome.reason, Reason::Repetition);
            assert_ne!(outcome.winner, Some(side));
        }
        Fact::LeavesLine { goals: seen, .. } | Fact::LeavesLanes { goals: seen } => {
            assert_eq!(side, Side::Attackers);
            assert_eq!(sorted(seen.clone()), goals(rules, is));
            let blocked = with_man(is, step.from(), side);
            let without = rules.view(&blocked).calls(is.king()).count();
            let is_left = matches!(fact, Fact::LeavesLine { .. });
            assert_eq!(is_left, without < seen.len());
        }
        Fact::NeededOn { .. } => {
            let answered = rules.apply(is, reviewed.reply[0]).unwrap().position;
            let blocked = with_man(&answered, step.from(), side);
            let lanes = goals(rules, &answered).len();
            assert!(rules.view(&blocked).calls(answered.king()).count() < lanes);
        }
        Fact::Reply { reply, deeds } => {
            assert!(!deeds.is_empty());
            deeds
                .iter()
                .for_each(|deed| check_deed(after, *reply, deed));
        }
        Fact::Exposes { by, capture } | Fact::LeavesBetween { by, capture } => {
            assert!(takes(rules, is, *by, capture.square));
            let stood = match capture.square == step.to() {
                true => step.from(),
                false => capture.square,
            };
            let could = can_be_taken(rules, &was.pass(), stood);
            assert_eq!(could, matches!(fact, Fact::LeavesBetween { .. }));
        }
        Fact::GivesUp { square, reply } => {
            assert_eq!(*square, step.from());
            assert!(!rules.is_legal(&was.pass(), *reply) && rules.is_legal(is, *reply));
        }
        Fact::LeavesKing { square } => {
            assert_eq!(*square, step.from());
            let apart = square.column().abs_diff(is.king().column())
                + square.row().abs_diff(is.king().row());
            assert_eq!((side, apart), (Side::Attackers, 1));
            assert_eq!(is.piece_at(*square), None);
        }
        // What the search says of all other moves has no twin that is not a search.
        Fact::OnlyMove { .. } => {}
    }
}

/// A position with a man more.
fn with_man(position: &Position, square: Square, side: Side) -> Setup {
    let mut setup = Setup::from(position);
    setup.put(square, Some(Piece::man(side)));
    setup
}

/// A name for each kind of fact, so that none goes untested.
fn kind(fact: &Fact) -> String {
    let text = match fact {
        Fact::Does { deed } => format!("{deed:?}"),
        Fact::Reply { deeds, .. } => format!("Reply {:?}", deeds[0]),
        fact => format!("{fact:?}"),
    };
    let end = text.find(" {").unwrap_or(text.len());
    match text.strip_prefix("Reply ") {
        Some(rest) => format!("Reply {}", rest.split(" {").next().unwrap()),
        None => text[..end].into(),
    }
}

#[test]
fn every_fact_about_random_games_is_true() {
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 4,
        threads: 1,
    });
    let mut random = Random::new(14);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for &set in BuiltIn::ALL {
        for _ in 0..4 {
            let game = random_game(set, &mut random, 50);
            let limits = SearchLimits::nodes(600);
            let review = review(&game, &mut engine, &limits, &Control::new(), &mut |_| {});
            assert!(review.is_complete());
            for reviewed in review.moves() {
                let (before, after) = around(&game, reviewed);
                for fact in &reviewed.facts {
                    *kinds.entry(kind(fact)).or_default() += 1;
                    check(&before, &after, reviewed, fact);
                }
                if let Some(better) = &reviewed.better {
                    let step = better.step().unwrap();
                    assert_ne!(step, reviewed.step);
                    better
                        .deeds
                        .iter()
                        .for_each(|deed| check_deed(&before, step, deed));
                }
            }
        }
    }
    for wanted in [
        "AllowsWin",
        "BlocksKing",
        "Captures",
        "ClosesCorners",
        "ClosesLanes",
        "Ends",
        "Exposes",
        "GivesUp",
        "LeavesBetween",
        "LeavesKing",
        "LeavesLanes",
        "LeavesLine",
        "MissesWin",
        "NeededOn",
        "OnlyMove",
        "OpensCorners",
        "OpensLanes",
        "Reply OpensLanes",
        "Reply ThreatensKing",
    ] {
        assert!(
            kinds.contains_key(wanted),
            "{wanted} does not occur: {kinds:?}"
        );
    }
}
