//! What a review as a whole promises: the same every time, growing, kept, written into records.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tablut_engine::{Control, Engine, EngineOptions, Score, SearchLimits};
use tablut_review::{
    MoveMark, RetryRating, Review, Reviewer, annotate, move_accuracy, retry, review, side_accuracy,
    winning_chance,
};
use tablut_rules::{Game, Move, Outcome, Reason, Rules, Side, record::Record, text::Lang};

fn engine() -> Engine {
    Engine::new(EngineOptions {
        hash_mb: 4,
        threads: 1,
    })
}

/// A short game that black loses by its sixth move.
fn lost_game() -> Game {
    let mut game = Game::new(Rules::ashton());
    for step in ["e4f4", "d9c9", "e5e4", "c9c8", "e4b4", "c8c7", "b4b1"] {
        game.play(step.parse().unwrap()).unwrap();
    }
    game
}

fn reviewed(game: &Game, nodes: u64) -> Review {
    let limits = SearchLimits::nodes(nodes);
    review(game, &mut engine(), &limits, &Control::new(), &mut |_| {})
}

fn before(game: &Game, ply: usize) -> Game {
    let mut game = game.clone();
    while game.plies().len() >= ply {
        game.undo();
    }
    game
}

#[test]
fn chances_grow_with_scores_from_none_to_certainty() {
    let scores = [
        Score::Loss(3),
        Score::Units(-20_000),
        Score::Units(-100),
        Score::Units(0),
        Score::Units(70),
        Score::Units(9_000),
        Score::Win(8),
    ];
    let chances = scores.map(winning_chance);
    assert!(chances.is_sorted(), "{chances:?}");
    assert_eq!((chances[0], chances[3], chances[6]), (0.0, 0.5, 1.0));
    for score in scores {
        let sum = winning_chance(score) + winning_chance(-score);
        assert!((sum - 1.0).abs() < 1e-9);
    }
}

#[test]
fn marks_begin_at_their_thresholds() {
    for (loss, mark) in [
        (0.0, None),
        (0.049, None),
        (0.05, Some(MoveMark::Inaccuracy)),
        (0.099, Some(MoveMark::Inaccuracy)),
        (0.10, Some(MoveMark::Mistake)),
        (0.15, Some(MoveMark::Blunder)),
        (1.0, Some(MoveMark::Blunder)),
    ] {
        assert_eq!(MoveMark::of_loss(loss), mark, "{loss}");
    }
}

#[test]
fn accuracy_is_a_hundred_for_best_play_and_stays_within_bounds() {
    assert!((move_accuracy(0.0) - 100.0).abs() < 0.01);
    assert!(move_accuracy(1.0) < 1.0);
    let curve: Vec<f64> = (0..=100)
        .map(|n| move_accuracy(f64::from(n) / 100.0))
        .collect();
    assert!(
        curve
            .iter()
            .all(|accuracy| (0.0..=100.0).contains(accuracy))
    );
    assert!(curve.is_sorted_by(|a, b| a >= b));
    assert_eq!(side_accuracy([].into_iter()), None);
    let one = side_accuracy([100.0, 100.0, 0.0].into_iter()).unwrap();
    let mean = 200.0 / 3.0;
    assert!(
        one < mean && one > 0.0,
        "a blunder weighs more than its share: {one}"
    );
}

#[test]
fn the_same_nodes_give_the_same_review() {
    let game = lost_game();
    let mut used = engine();
    let limits = SearchLimits::nodes(2_000);
    let other = Game::new(Rules::ashton());
    used.search(
        &other,
        &SearchLimits::nodes(30_000),
        &Control::new(),
        &mut |_| {},
    );
    let again = review(&game, &mut used, &limits, &Control::new(), &mut |_| {});
    assert_eq!(reviewed(&game, 2_000), again);
}

#[test]
fn a_review_grows_from_the_end_and_can_be_stopped_and_continued() {
    let game = lost_game();
    let limits = SearchLimits::nodes(1_000);
    let mut plies = Vec::new();
    review(
        &game,
        &mut engine(),
        &limits,
        &Control::new(),
        &mut |review| {
            plies.push(review.moves()[0].ply);
            assert_eq!(review.plies(), 7);
        },
    );
    assert_eq!(plies, [7, 6, 5, 4, 3, 2, 1]);

    let stopped = Control::new();
    let mut reviewer = Reviewer::new(&game, limits);
    let mut engine = engine();
    assert!(reviewer.advance(&mut engine, &Control::new()));
    stopped.stop();
    assert!(!reviewer.advance(&mut engine, &stopped));
    assert_eq!(reviewer.review().moves().len(), 1);
    assert!(reviewer.advance(&mut engine, &Control::new()));
    assert_eq!(reviewer.review().moves().len(), 2);
}

#[test]
fn the_last_position_of_a_resigned_game_counts_too() {
    let mut game = Game::new(Rules::ashton());
    game.play("e4d4".parse().unwrap()).unwrap();
    game.finish(Outcome::win(Side::Defenders, Reason::Resignation));
    let review = reviewed(&game, 500);
    assert!(matches!(review.moves()[0].after, Score::Units(_)));
    assert!(!review.moves()[0].reply.is_empty());
}

#[test]
fn a_graph_has_a_point_for_every_position() {
    let review = reviewed(&lost_game(), 1_000);
    let graph = review.graph();
    let plies: Vec<usize> = graph.iter().map(|point| point.ply).collect();
    assert_eq!(plies, (0..=7).collect::<Vec<_>>());
    assert!(
        graph
            .iter()
            .all(|point| (0.0..=1.0).contains(&point.chance))
    );
    assert_eq!(graph[7].score, Score::Win(0));
    let summary = review.summary();
    assert!(summary.attackers.blunders >= 1);
    assert!(summary.attackers.accuracy < summary.defenders.accuracy);
    for accuracy in summary.values().filter_map(|side| side.accuracy) {
        assert!((0.0..=100.0).contains(&accuracy));
    }
}

#[test]
fn a_record_with_a_review_is_read_as_it_was_written() {
    let game = lost_game();
    let review = reviewed(&game, 2_000);
    for &lang in Lang::ALL {
        let mut record = Record::from_game(&game);
        let sixth = record.tree().main_line().nth(5).unwrap();
        record.tree_mut().notes_mut(sixth).comment = "my own words".into();
        annotate(&mut record, &review, lang);
        assert_eq!(record.to_string().parse(), Ok(record.clone()));
        let tree = record.tree();
        let notes = tree.notes(sixth);
        assert!(notes.nags.contains(&MoveMark::Blunder.nag()));
        assert!(
            notes.comment.starts_with("my own words\n"),
            "{}",
            notes.comment
        );
        let better = review.at(6).unwrap().better.as_ref().unwrap();
        let parent = tree.parent(sixth).unwrap();
        assert!(tree.child(parent, better.step().unwrap()).is_some());
        assert_eq!(
            tree.first_child(parent),
            Some(sixth),
            "the game stays the main line"
        );
        assert!(
            tree.main_line()
                .all(|node| tree.notes(node).score.is_some())
        );

        let once = record.clone();
        annotate(&mut record, &review, lang);
        assert_eq!(record, once, "twice is the same as once");
    }
}

#[test]
fn at_a_critical_moment_the_better_move_is_accepted_and_others_are_not() {
    let game = lost_game();
    let review = reviewed(&game, 5_000);
    let critical = review.critical().last().unwrap();
    assert_eq!(critical.ply, 6);
    let game = before(&game, 6);
    let limits = SearchLimits::nodes(5_000);
    let try_move = |step: Move| {
        retry(
            &game,
            critical,
            step,
            &mut engine(),
            &limits,
            &Control::new(),
        )
        .unwrap()
    };
    let best = critical.better.as_ref().unwrap().step().unwrap();
    let good = try_move(best);
    assert_eq!(good.rating, RetryRating::AsGood);
    assert!(!good.reply.is_empty(), "the engine answers");
    let same = try_move(critical.step);
    assert_eq!(same.rating, RetryRating::NotBetter);
    let other = try_move("i4h4".parse().unwrap());
    assert_eq!(other.rating, RetryRating::NotBetter, "the lanes stay open");
    assert!(
        other.comment(Lang::En).starts_with("No. "),
        "{}",
        other.comment(Lang::En)
    );
    let wrong = retry(
        &game,
        critical,
        "e1e1".parse().unwrap_or(Move::new(best.to(), best.from())),
        &mut engine(),
        &limits,
        &Control::new(),
    );
    assert!(wrong.is_err());
}

#[cfg(feature = "serde")]
#[test]
fn a_review_is_kept_as_json_and_comes_back() {
    let review = reviewed(&lost_game(), 1_000);
    let json = serde_json::to_string(&review).unwrap();
    assert_eq!(serde_json::from_str::<Review>(&json).unwrap(), review);
}
