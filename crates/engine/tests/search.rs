//! What a search must always do: find forced wins, stay legal, stop, repeat itself, know the laws.

use std::time::{Duration, Instant};

use tablut_engine::{
    Control, Engine, EngineOptions, Evaluation, Level, Network, Score, SearchLimits, SearchReport,
    baseline, bench,
    network::{HIDDEN, INPUTS, RealNetwork, SCALE},
};
use tablut_rules::{BuiltIn, BySide, Game, Move, Random, Rules, Setup, Side};

fn engine() -> Engine {
    Engine::new(EngineOptions {
        hash_mb: 4,
        threads: 1,
    })
}

fn search(game: &Game, limits: &SearchLimits) -> SearchReport {
    engine().search(game, limits, &Control::new(), &mut |_| {})
}

fn game(set: &str, position: &str) -> Game {
    let rules = set.parse::<BuiltIn>().expect("the set ships").rules();
    let setup: Setup = position.parse().expect("a position");
    let position = rules.position(&setup).expect("a sound position");
    let laws = rules.laws();
    Game::from_position(rules, position, laws)
}

fn step(text: &str) -> Move {
    text.parse().expect("a move")
}

/// Whether the side to move wins within a number of plies, found by trying everything in real games.
fn wins(game: &Game, plies: u32) -> bool {
    let side = game.position().side();
    if plies == 0 {
        return false;
    }
    game.rules().moves(game.position()).iter().any(|&step| {
        let mut next = game.clone();
        next.play(step).expect("legal");
        match next.outcome() {
            Some(outcome) => outcome.winner == Some(side),
            None => plies >= 3 && all_lose(&next, plies - 1),
        }
    })
}

fn all_lose(game: &Game, plies: u32) -> bool {
    let loser = game.position().side();
    game.rules().moves(game.position()).iter().all(|&step| {
        let mut next = game.clone();
        next.play(step).expect("legal");
        match next.outcome() {
            Some(outcome) => outcome.winner == Some(loser.opponent()),
            None => wins(&next, plies - 1),
        }
    })
}

#[test]
fn wins_at_once_are_played_and_claimed() {
    for (set, position) in [
        ("ashton", "9/9/1b1K5/9/9/9/9/9/9 w"),
        ("berkeley", "9/9/1b1K5/9/9/9/9/9/9 w"),
        ("ashton", "9/9/3b5/3K5/9/3b5/9/9/9 b"),
        ("modern", "1K7/9/9/4b4/9/9/9/9/9 w"),
        (
            "ashton",
            "3bbb3/w6b1/2w1Kw3/b4wb1b/b2w1b3/7wb/4w3b/2bb1w3/4b3b b",
        ),
    ] {
        let game = game(set, position);
        let report = search(&game, &SearchLimits::nodes(1));
        assert_eq!(report.lines[0].score, Score::Win(1), "{set} {position}");
        let mut after = game.clone();
        after.play(report.best.unwrap()).unwrap();
        let winner = after.outcome().unwrap().winner;
        assert_eq!(winner, Some(game.position().side()));
    }
}

#[test]
fn claims_of_short_wins_are_true_and_short_wins_are_found() {
    let mut claims = 0;
    for set in ["ashton", "berkeley", "classic"] {
        let rules = set.parse::<BuiltIn>().unwrap().rules();
        let mut random = Random::new(11);
        let mut engine = engine();
        for _ in 0..14 {
            let mut game = Game::new(rules.clone());
            while game.outcome().is_none() && game.plies().len() < 50 {
                let moves = rules.moves(game.position());
                game.play(moves[random.below(moves.len())]).unwrap();
                if game.outcome().is_some() || game.plies().len() < 6 {
                    continue;
                }
                let limits = SearchLimits::nodes(3_000);
                let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
                match report.lines[0].score {
                    Score::Win(plies @ 1..=3) => {
                        assert!(wins(&game, plies), "{set} {}", game.position());
                        claims += 1;
                    }
                    Score::Loss(2) => {
                        assert!(all_lose(&game, 2), "{set} {}", game.position());
                        claims += 1;
                    }
                    Score::Units(_) if claims % 8 == 0 => {
                        assert!(!wins(&game, 1), "{set} {}", game.position());
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(claims > 60, "{claims}");
}

#[test]
fn a_search_is_the_same_every_time() {
    let first = bench::run(6);
    assert_eq!(first.nodes, bench::run(6).nodes);
    let game = Game::new(Rules::ashton());
    for limits in [
        SearchLimits::nodes(20_000),
        SearchLimits::nodes(7).with_lines(3),
    ] {
        let (one, two) = (search(&game, &limits), search(&game, &limits));
        assert_eq!(
            (one.best, one.lines, one.nodes),
            (two.best, two.lines, two.nodes)
        );
    }
    let report = search(&game, &SearchLimits::nodes(20_000));
    assert!(report.nodes <= 20_000, "{}", report.nodes);
}

#[test]
fn several_lines_are_different_and_in_order() {
    let game = Game::new(Rules::ashton());
    let report = search(&game, &SearchLimits::depth(4).with_lines(5));
    assert_eq!(report.lines.len(), 5);
    assert!(report.lines.is_sorted_by(|a, b| a.score >= b.score));
    let mut firsts: Vec<Move> = report.lines.iter().map(|line| line.moves[0]).collect();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 5);
}

/// The score of one move among all of a shallow search.
fn score_of(game: &Game, wanted: Move) -> Score {
    let report = search(game, &SearchLimits::depth(2).with_lines(100));
    let line = report.lines.iter().find(|line| line.moves[0] == wanted);
    line.expect("every move has a line").score
}

#[test]
fn the_same_board_is_judged_by_its_history() {
    // White and black shuffle; the last step back repeats a position.
    for (set, shuffle, last, expected) in [
        (
            "ashton",
            "e4d4 d1c1 d4e4 c1b1 e4d4",
            "b1c1",
            Score::Units(0),
        ),
        ("berkeley", "d1c1 e4d4 c1d1", "d4e4", Score::Loss(1)),
    ] {
        let mut game = Game::new(set.parse::<BuiltIn>().unwrap().rules());
        for text in shuffle.split(' ') {
            game.play(step(text)).unwrap();
        }
        assert_eq!(score_of(&game, step(last)), expected, "{set}");
        let (rules, laws) = (game.rules().clone(), *game.laws());
        let fresh = Game::from_position(rules, *game.position(), laws);
        assert_ne!(
            score_of(&fresh, step(last)),
            expected,
            "{set} without history"
        );
    }
}

#[test]
fn limits_of_moves_are_known() {
    let rules = BuiltIn::Berkeley.rules();
    let mut laws = rules.laws();
    laws.move_limit = Some(1);
    let start = rules.start();
    let game = Game::from_position(rules, start, laws);
    // Both have one move; the side that began must then make a second one and loses.
    let report = search(&game, &SearchLimits::depth(3));
    assert_eq!(report.lines[0].score, Score::Loss(2));
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let game = Game::new(Rules::ashton());
    let control = Control::new();
    let handle = control.clone();
    let mut told_at = None;
    let report = engine().search(&game, &SearchLimits::default(), &control, &mut |info| {
        if info.depth == 8 && told_at.is_none() {
            handle.stop();
            told_at = Some(info.nodes);
        }
    });
    assert!(report.depth >= 8 && report.best.is_some() && control.is_stopped());
    // It makes no more nodes than it does between two looks, which take it a few milliseconds.
    let more = report.nodes - told_at.expect("it came so far");
    assert!(more <= 1_024, "{more}");
    // A deadline set while it runs.
    let control = Control::new();
    let handle = control.clone();
    let report = engine().search(&game, &SearchLimits::default(), &control, &mut |info| {
        if info.depth == 3 {
            handle.set_deadline(Instant::now());
        }
    });
    assert!(report.depth >= 3 && report.best.is_some());
    // Stopped before it began, it still has a move.
    let report = engine().search(&game, &SearchLimits::default(), &control, &mut |_| {});
    assert!(report.best.is_some());
}

#[test]
fn a_search_whose_time_is_over_ends_at_its_first_look_at_the_clock() {
    let game = Game::new(Rules::ashton());
    let report = search(&game, &SearchLimits::time(Duration::ZERO));
    assert!(report.best.is_some());
    assert!(report.nodes <= 1_024, "{}", report.nodes);
    // The same with a deadline from outside.
    let control = Control::new();
    control.set_deadline(Instant::now());
    let report = engine().search(&game, &SearchLimits::default(), &control, &mut |_| {});
    assert!(report.best.is_some());
    assert!(report.nodes <= 1_024, "{}", report.nodes);
}

#[test]
fn the_budget_leaves_a_margin_but_at_least_half_of_the_time() {
    let budget = |ms| SearchLimits::time(Duration::from_millis(ms)).budget();
    assert_eq!(budget(100), Some(Duration::from_millis(92)));
    assert_eq!(budget(10), Some(Duration::from_millis(5)));
    assert_eq!(SearchLimits::nodes(5).budget(), None);
}

#[test]
fn many_threads_find_a_move_too() {
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 4,
        threads: 3,
    });
    let game = Game::new(Rules::ashton());
    let report = engine.search(
        &game,
        &SearchLimits::nodes(60_000),
        &Control::new(),
        &mut |_| {},
    );
    assert!(game.rules().is_legal(game.position(), report.best.unwrap()));
    assert!(report.nodes < 90_000);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut game = game("ashton", "9/9/1b1K5/9/9/9/9/9/9 w");
    game.play(step("d3i3")).unwrap();
    assert!(game.outcome().is_some());
    assert_eq!(search(&game, &SearchLimits::nodes(100)).best, None);
    assert_eq!(baseline::choose(&game, 2, 1, None), None);
}

#[test]
fn no_level_is_blind_to_a_win_at_once() {
    for level in Level::all() {
        for position in ["9/9/1b1K5/9/9/9/9/9/9 w", "9/9/3b5/3K5/9/3b5/9/9/9 b"] {
            let game = game("ashton", position);
            let report = level.choose(&mut engine(), &game, 5, &Control::new());
            assert_eq!(report.lines[0].score, Score::Win(1), "level {level}");
        }
    }
    let game = Game::new(Rules::ashton());
    let level = Level::new(2).unwrap();
    let choice = |seed| {
        level
            .choose(&mut engine(), &game, seed, &Control::new())
            .best
    };
    assert_eq!(choice(3), choice(3), "the same seed, the same move");
    assert!((0..20).any(|seed| choice(seed) != choice(3)));
}

#[test]
fn the_baseline_takes_wins_and_keeps_its_time() {
    let won = game("ashton", "9/9/1b1K5/9/9/9/9/9/9 w");
    let choice = baseline::choose(&won, 3, 1, None).unwrap();
    let mut after = won;
    after.play(choice).unwrap();
    assert!(after.outcome().is_some());
    let start = Game::new(Rules::ashton());
    let time = Some(Duration::from_millis(30));
    assert!(baseline::choose(&start, 30, 1, time).is_some());
}

/// A network for which defenders stand worse by a number of men, and well in games against somebody weaker.
fn network_with_hope(behind: f32) -> Network {
    let network = |worth: f32| {
        let real = RealNetwork {
            rows: vec![0.0; INPUTS * HIDDEN],
            bias: vec![0.0; HIDDEN],
            heads: BySide::from_fn(|_| vec![0.0; HIDDEN]),
            head_bias: BySide {
                attackers: -worth,
                defenders: worth,
            },
        };
        Network::round("ashton", &real)
    };
    let hope = network(2.0);
    let network = network(-behind * 100.0 / SCALE as f32);
    network
        .with_rescue(Side::Defenders, &hope)
        .expect("the same hidden layer")
}

#[test]
fn the_side_that_an_engine_plays_hopes_for_mistakes_when_it_stands_worse() {
    let start = Game::new(Rules::ashton());
    let mut answered = start.clone();
    answered.play(step("e4f4")).expect("legal");
    for (behind, plays, hopes) in [
        (3.0, Some(Side::Defenders), true),
        (0.5, Some(Side::Defenders), false),
        (3.0, Some(Side::Attackers), false),
        (3.0, None, false),
    ] {
        let evaluation = Evaluation::Network(network_with_hope(behind).into());
        let mut engine = engine().with_evaluation(evaluation);
        engine.play_side(plays);
        // It also thinks in its opponent's time.
        for (game, sign) in [(&start, 1), (&answered, -1)] {
            let report = engine.search(game, &SearchLimits::depth(2), &Control::new(), &mut |_| {});
            let Score::Units(units) = report.lines[0].score else {
                panic!("nothing is decided");
            };
            assert_eq!(units * sign > 0, hopes, "{behind} {plays:?} {units}");
        }
    }
}
