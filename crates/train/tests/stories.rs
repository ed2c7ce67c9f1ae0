//! From games to a network, small enough for a test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, path::Path, sync::Arc};

use tablut_arena::{Stop, opening};
use tablut_engine::{Evaluation, Network};
use tablut_rules::{BuiltIn, Side};
use tablut_train::{
    cycle::{BALANCE, BALANCING_PLIES, PlayTerms, header},
    data::Piece,
    fit::{Course, fit, loss_of},
    inspect::inspect,
    play::{SelfPlayPlan, play},
    sample::SampleSet,
};

fn plan(games: usize, threads: usize) -> SelfPlayPlan {
    let rules = BuiltIn::Ashton.rules();
    let terms = PlayTerms {
        nodes: 60,
        balance: BALANCE,
        balancing_plies: BALANCING_PLIES,
        side: None,
        seed: 5,
        piece: 3,
    };
    SelfPlayPlan {
        header: header(&rules, &Evaluation::Hand, None, &terms, &[]),
        rules,
        evaluation: Evaluation::Hand,
        opponent: None,
        openings: Vec::new(),
        games,
        threads,
    }
}

fn make(path: &Path, games: usize, threads: usize) {
    play(&plan(games, threads), path, &Stop::default(), &mut |_| {}).unwrap();
}

#[test]
fn a_piece_depends_on_its_header_alone_however_it_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let at_once = folder.path().join("at-once.games");
    make(&at_once, 12, 1);
    let in_two = folder.path().join("in-two.games");
    make(&in_two, 5, 2);
    make(&in_two, 12, 2);
    assert_eq!(fs::read(&at_once).unwrap(), fs::read(&in_two).unwrap());
}

#[test]
fn openings_may_be_taken_as_they_come() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    let mut plan = plan(8, 2);
    plan.header.balance = 0;
    plan.openings = opening::random(&plan.rules, 9, 3, 1);
    play(&plan, &path, &Stop::default(), &mut |_| {}).unwrap();
    for game in Piece::open(&path).unwrap() {
        let moves: Vec<_> = game.unwrap().moves.iter().map(|&(step, _)| step).collect();
        let mut known = plan.openings.iter().map(|opening| &opening.moves);
        assert!(known.any(|opening| moves.starts_with(opening)), "{moves:?}");
    }
}

#[test]
fn what_an_opponent_thinks_is_not_learnt() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    let mut plan = plan(8, 2);
    plan.opponent = Some(Evaluation::BuiltIn);
    play(&plan, &path, &Stop::default(), &mut |_| {}).unwrap();
    let sides = sides_with_scores(&path);
    assert!(sides.contains(&Side::Attackers) && sides.contains(&Side::Defenders));
}

#[test]
fn one_side_may_always_be_had_against_an_opponent() {
    let folder = tempfile::tempdir().unwrap();
    for side in Side::ALL {
        let path = folder.path().join(side.to_string());
        let mut plan = plan(8, 2);
        plan.opponent = Some(Evaluation::BuiltIn);
        plan.header.side = Some(side);
        play(&plan, &path, &Stop::default(), &mut |_| {}).unwrap();
        assert_eq!(sides_with_scores(&path), [side; 8]);
    }
}

#[test]
fn a_position_of_the_opponent_is_worth_what_was_thought_of_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    let mut plan = plan(20, 2);
    plan.opponent = Some(Evaluation::Hand);
    plan.header.side = Some(Side::Defenders);
    play(&plan, &path, &Stop::default(), &mut |_| {}).unwrap();
    let next_scores: Vec<i16> = Piece::open(&path)
        .unwrap()
        .flat_map(|game| game.unwrap().moves)
        .filter_map(|(_, score)| score)
        .collect();
    let samples = SampleSet::read(&[&path]).unwrap().learn;
    let mut of_opponent = samples.iter().filter(|s| s.side == Side::Attackers);
    assert!(of_opponent.clone().count() > 20);
    assert!(of_opponent.all(|sample| next_scores.contains(&-sample.score)));
}

#[test]
fn a_rescue_learns_results_and_leaves_the_hidden_layer_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    make(&path, 40, 2);
    let samples = SampleSet::read(&[&path]).unwrap();
    let plain = Network::built_in(&samples.rules).unwrap();
    let course = Course {
        passes: Some(3),
        batch: 256,
        ..Course::default()
    };
    let course = course.for_rescue();
    let learnt = fit(&samples, &course, Some(&plain), &mut |_| true);
    assert!(loss_of(&learnt, &samples, &course) < loss_of(&plain, &samples, &course));
    let both = Network::clone(&plain).with_rescue(Side::Defenders, &learnt);
    let both = both.expect("the hidden layer is the same");
    let start = samples.rules.start();
    assert_eq!(both.evaluate(&start), plain.evaluate(&start));
    let rescuing = both.rescuing().expect("it was just added");
    assert_eq!(rescuing.evaluate(&start), learnt.evaluate(&start));
}

/// Per game of a file: the side whose moves, and only whose moves, have scores.
fn sides_with_scores(path: &Path) -> Vec<Side> {
    let mut sides = Vec::new();
    for game in Piece::open(path).unwrap() {
        let game = game.unwrap();
        let opening = usize::from(game.opening);
        let is_own: Vec<bool> = game.moves[opening..]
            .iter()
            .map(|m| m.1.is_some())
            .collect();
        assert!(is_own.windows(2).all(|two| two[0] != two[1]), "{is_own:?}");
        let is_white = is_own[0] == (opening % 2 == 0);
        sides.push(if is_white {
            Side::Defenders
        } else {
            Side::Attackers
        });
    }
    sides
}

#[test]
fn openings_are_not_learnt_and_favour_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    make(&path, 40, 2);
    let mut better = [0, 0];
    for game in Piece::open(&path).unwrap() {
        let game = game.unwrap();
        let opening = usize::from(game.opening);
        // Random plies, and those that balance.
        assert!((4..=22).contains(&opening), "{opening}");
        assert!(
            game.moves[..opening]
                .iter()
                .all(|(_, score)| score.is_none())
        );
        let (_, score) = game.moves[opening];
        let score = score.unwrap();
        assert!(score.abs() < 2_000, "{score}");
        let is_white = (opening % 2 == 0) == (plan(1, 1).rules.start().side() == Side::Defenders);
        better[usize::from((score > 0) == is_white)] += 1;
    }
    // The first search of the game differs a little from the one that judged the opening.
    assert!(better[0] >= 14 && better[1] >= 14, "{better:?}");
}

#[test]
fn the_same_games_and_seed_give_the_same_network_on_any_number_of_cores() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.games");
    make(&path, 40, 2);
    let samples = SampleSet::read(&[&path]).unwrap();
    let learn = |threads: usize, seed: u64| {
        let course = Course {
            passes: Some(3),
            batch: 256,
            threads,
            seed,
            ..Course::default()
        };
        let mut losses = Vec::new();
        let network = fit(&samples, &course, None, &mut |progress| {
            losses.push(progress.test);
            true
        });
        (network, losses)
    };
    let (network, losses) = learn(1, 1);
    assert_eq!(learn(3, 1).0, network);
    assert_ne!(learn(1, 2).0, network);
    assert!(losses[2] < losses[0], "{losses:?}");
    // Rounding to integers costs next to nothing.
    let rounded = loss_of(&network, &samples, &Course::default());
    assert!((rounded - losses[2]).abs() < 0.002, "{rounded} {losses:?}");
    let pictures = inspect(&Arc::new(network)).unwrap();
    assert_eq!(
        pictures
            .lines()
            .filter(|line| line.ends_with("   9"))
            .count(),
        4
    );
}

#[test]
fn files_of_other_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["a.games", "b.games"].map(|name| folder.path().join(name));
    make(&one, 1, 1);
    let mut plan = plan(1, 1);
    plan.rules = BuiltIn::Berkeley.rules();
    plan.header.rules = "berkeley".into();
    play(&plan, &other, &Stop::default(), &mut |_| {}).unwrap();
    let error = SampleSet::read(&[&one, &other]).err().unwrap();
    assert!(error.to_string().contains("under berkeley"), "{error}");
}
