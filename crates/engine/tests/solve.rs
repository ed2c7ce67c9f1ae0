//! The solver against a slow twin that plays every game out with its whole history.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::sync::Arc;

use tablut_engine::{
    Control,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{
    BoardSize, BuiltIn, Game, Piece, Random, Reason, Rules, Setup, SetupError, Side, Square,
    TwoLanes,
};

/// Whether a side can force a win within a number of plies: every move is played in a real game.
fn wins(game: &Game, winner: Side, plies: u32) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner == Some(winner);
    }
    if plies == 0 {
        return false;
    }
    let position = *game.position();
    let moves = game.rules().moves(&position).to_vec();
    let mut after = moves.into_iter().map(|step| {
        let mut game = game.clone();
        game.play(step).unwrap();
        wins(&game, winner, plies - 1)
    });
    if position.side() == winner {
        after.any(|won| won)
    } else {
        // Laws under which a side without moves is ignored know no win here.
        let mut some = false;
        after.all(|won| {
            some = true;
            won
        }) && some
    }
}

/// A few pieces around a king, so that every line can be played out.
fn sparse_setup(rules: &Rules, random: &mut Random) -> Setup {
    let board: Vec<Square> = rules.size().squares().iter().collect();
    let side = [Side::Attackers, Side::Defenders][random.below(2)];
    let mut setup = Setup::empty(rules.size(), side);
    for piece in [
        Piece::King,
        Piece::Attacker,
        Piece::Attacker,
        Piece::Attacker,
        Piece::Defender,
    ] {
        let square = board[random.below(board.len())];
        if setup.piece_at(square).is_none() {
            setup.put(square, Some(piece));
        }
    }
    setup
}

/// A game from a sparse set-up with a little history, not over yet.
fn game(rules: &Arc<Rules>, random: &mut Random) -> Option<Game> {
    let setup = sparse_setup(rules, random);
    let position = rules.position(&setup).or_else(SetupError::playable).ok()?;
    let mut game = Game::from_position(rules.clone(), position, rules.laws());
    for _ in 0..random.below(4) {
        let moves = rules.moves(game.position());
        if game.outcome().is_some() || moves.is_empty() {
            return None;
        }
        game.play(moves[random.below(moves.len())]).unwrap();
    }
    game.outcome().is_none().then_some(game)
}

/// The sets that ship, and one in which two open lanes end a game.
fn rule_sets() -> Vec<Arc<Rules>> {
    let lanes = BuiltIn::Ashton.set().clone();
    let lanes = lanes.with_two_lanes(TwoLanes::Wins).compile().unwrap();
    let shipped = BuiltIn::ALL.iter().map(|set| set.rules());
    shipped.chain([Arc::new(lanes)]).collect()
}

#[test]
fn the_solver_answers_as_games_played_out() {
    let mut random = Random::new(11);
    let (mut won, mut refuted, mut by_lanes) = (0, 0, 0);
    for rules in rule_sets() {
        let set = rules.set();
        // A small board has few enough moves to look one ply further.
        let most = if rules.size() == BoardSize::Seven {
            4
        } else {
            3
        };
        let mut tried = 0;
        while tried < 25 {
            let Some(game) = game(&rules, &mut random) else {
                continue;
            };
            tried += 1;
            for winner in Side::ALL {
                let mut solver = Solver::new(&game, winner, 1, Control::new());
                let limits = SolveLimits {
                    plies: most,
                    ..SolveLimits::default()
                };
                let two_lanes = set.two_lanes();
                let context = format!(
                    "{} with {two_lanes:?}: {} for {winner:?}",
                    set.id(),
                    game.position()
                );
                match solver.solve(limits, &mut |_| {}) {
                    Solution::Won { plies, line, .. } => {
                        won += 1;
                        assert!(wins(&game, winner, plies), "{context}");
                        assert!(!wins(&game, winner, plies - 1), "{context}: shorter");
                        let mut game = game.clone();
                        for step in line {
                            game.play(step).unwrap();
                        }
                        let outcome = game.outcome().unwrap();
                        assert_eq!(outcome.winner, Some(winner), "{context}");
                        by_lanes += u32::from(outcome.reason == Reason::TwoLanes);
                    }
                    Solution::NotWithin(plies) | Solution::Unknown(plies) => {
                        refuted += 1;
                        assert!(!wins(&game, winner, plies), "{context}");
                    }
                }
            }
        }
    }
    assert!(won > 50 && refuted > 100, "{won} won, {refuted} not");
    assert!(by_lanes > 5, "{by_lanes} won by two open lanes");
}

#[test]
fn a_win_that_leads_through_an_old_position_is_no_win_where_that_draws() {
    // Black can only wait while the king walks d4-d5 and then has two ways out.
    let rules = Rules::ashton();
    let setup: Setup = "9/9/3b5/9/1b1K4b/9/9/9/b8 w".parse().unwrap();
    let position = rules.position(&setup).unwrap();
    let fresh = Game::from_position(rules.clone(), position, rules.laws());
    let mut solver = Solver::new(&fresh, Side::Defenders, 1, Control::new());
    let answer = solver.solve(SolveLimits::default(), &mut |_| {});
    let Solution::Won { plies: 3, line, .. } = answer else {
        panic!("{answer:?}");
    };
    // The position after the winning first move has been there before.
    let mut game = fresh.clone();
    game.play(line[0]).unwrap();
    let seen = *game.position();
    let mut game = Game::from_position(rules.clone(), seen, rules.laws());
    for step in ["a9a8", "d7d5", "a8a9"] {
        game.play(step.parse().unwrap()).unwrap();
    }
    assert_eq!(Setup::from(game.position()).with_quiet(0), setup);
    let mut solver = Solver::new(&game, Side::Defenders, 1, Control::new());
    match solver.solve(
        SolveLimits {
            plies: 3,
            ..SolveLimits::default()
        },
        &mut |_| {},
    ) {
        Solution::Won { line: other, .. } => assert_ne!(other[0], line[0]),
        Solution::NotWithin(3) => {}
        answer => panic!("{answer:?}"),
    }
}

#[test]
fn a_side_that_has_to_move_beyond_the_limit_of_moves_has_lost() {
    let rules = Rules::ashton();
    let mut laws = rules.laws();
    laws.move_limit = Some(1);
    let start = rules.start();
    let game = Game::from_position(rules, start, laws);
    // Each side makes its one move; then the side that began would have to make a second one.
    let winner = game.position().side().opponent();
    let mut solver = Solver::new(&game, winner, 1, Control::new());
    let solution = solver.solve(SolveLimits::default(), &mut |_| {});
    assert!(
        matches!(solution, Solution::Won { plies: 2, .. }),
        "{solution:?}"
    );
}

#[test]
fn limits_end_a_search_without_a_claim() {
    let game = Game::new(Rules::ashton());
    let mut solver = Solver::new(&game, Side::Defenders, 1, Control::new());
    let limits = SolveLimits {
        plies: 9,
        nodes: 50,
    };
    assert!(matches!(
        solver.solve(limits, &mut |_| {}),
        Solution::Unknown(_)
    ));
    let stopped = Control::new();
    stopped.stop();
    let mut solver = Solver::new(&game, Side::Defenders, 1, stopped);
    let limits = SolveLimits {
        plies: 9,
        nodes: u64::MAX,
    };
    assert!(matches!(
        solver.solve(limits, &mut |_| {}),
        Solution::Unknown(_)
    ));
}
