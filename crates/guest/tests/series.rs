//! Series of games between players that are made up: no engine, no waiting.
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

use std::{num::NonZeroUsize, sync::Arc};

use tablut_arena::{
    Budget, Choice, Mover, MoverError, Player, Question, Stop,
    opening::{self, Opening},
    series::{Ended, Entrant, PlayedGame, Series, SeriesEvent, SeriesReport},
    stats::{Points, SprtVerdict},
};
use tablut_guest::{MoverOptions, mover};
use tablut_rules::{Game, Random, Reason, Rules, Side};

fn entrant(text: &str) -> Entrant {
    let player: Player = text.parse().unwrap();
    let budget = player.budget(Some(1000));
    Entrant { player, budget }
}

/// Random play of a few pairs from random openings.
fn series(pairs: usize, concurrency: usize) -> Series {
    let rules = Rules::ashton();
    Series {
        openings: opening::random(&rules, 4, 3, 1),
        rules,
        entrants: [entrant("random"), entrant("random")],
        pairs,
        concurrency: NonZeroUsize::new(concurrency).unwrap(),
        seed: 7,
        max_plies: Some(200),
        grace_ms: 100,
        sprt: None,
        is_live: false,
    }
}

/// What plays when nothing special is asked for.
fn usual(player: &Player) -> Result<Box<dyn Mover>, MoverError> {
    mover(player, &MoverOptions::default())
}

fn run(series: &Series) -> SeriesReport {
    let stop = Stop::default();
    series.run(&usual, &stop, &mut |_| {}).unwrap()
}

/// Games without the times, which no seed decides.
fn moves(report: &SeriesReport) -> Vec<(usize, Vec<String>, Points)> {
    let line = |game: &PlayedGame| {
        let tree = game.record.tree();
        let steps = tree.main_line().filter_map(|node| tree.step(node));
        let steps = steps.map(|step| step.to_string()).collect();
        (game.number, steps, game.points)
    };
    report.games.iter().map(line).collect()
}

#[test]
fn every_opening_is_played_twice_with_sides_swapped() {
    let series = series(4, 1);
    let report = run(&series);
    assert_eq!(report.ended, Ended::Complete);
    assert_eq!(report.games.len(), 8);
    for (pair, games) in report.games.chunks(2).enumerate() {
        let opening: &Opening = &series.openings[pair % 3];
        for (game, side) in games.iter().zip(Side::ALL) {
            assert_eq!(game.side, side);
            let tree = game.record.tree();
            let first = tree.main_line().filter_map(|node| tree.step(node));
            assert_eq!(first.take(4).collect::<Vec<_>>(), opening.moves);
            assert_eq!(game.fault, None);
            game.record.replay(&series.rules).unwrap();
        }
    }
    let standing = &report.standing;
    assert_eq!(standing.pairs().count(), 4);
    assert_eq!(standing.total().games(), 8);
    assert_eq!(standing.side(Side::Attackers).games(), 4);
    assert_eq!(standing.ends().map(|(_, _, count)| count).sum::<u64>(), 8);
}

#[test]
fn the_seed_decides_and_not_how_many_games_are_played_at_once() {
    let one = moves(&run(&series(6, 1)));
    assert_eq!(one, moves(&run(&series(6, 3))));
    let other = Series {
        seed: 8,
        ..series(6, 1)
    };
    assert_ne!(one, moves(&run(&other)));
}

#[test]
fn a_game_without_an_end_is_drawn_at_the_limit() {
    let mut series = series(1, 1);
    series.max_plies = Some(5);
    for game in run(&series).games {
        assert_eq!(game.points, Points::Draw);
        assert_eq!(game.record.tree().len(), 5);
        let outcome = game.record.outcome.unwrap();
        assert_eq!(outcome.reason, Reason::MoveLimit);
    }
}

/// A player that fails in a given way at its second move.
struct Failing(&'static str, u32);

impl Mover for Failing {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, _: u64) -> Result<(), MoverError> {
        self.1 = 0;
        match self.0 {
            "absent" => Err(MoverError::Gone("never came".into())),
            _ => Ok(()),
        }
    }

    fn choose(&mut self, game: &Game, _: Question<'_>) -> Result<Choice, MoverError> {
        self.1 += 1;
        let moves = game.rules().moves(game.position());
        match (self.1, self.0) {
            (2, "late") => Err(MoverError::Late),
            (2, "gone") => Err(MoverError::Gone("left".into())),
            (2, "silly") => Err(MoverError::Illegal("said hello".into())),
            (2, "illegal") => Ok("a1a1".parse::<tablut_rules::Move>().unwrap().into()),
            _ => Ok(moves[0].into()),
        }
    }
}

#[test]
fn a_player_who_fails_loses_for_the_right_reason() {
    for (kind, budget, reason) in [
        ("late", Budget::time(60_000), Reason::TimeOut),
        ("late", Budget::default(), Reason::ConnectionLost),
        ("gone", Budget::default(), Reason::ConnectionLost),
        ("absent", Budget::time(5), Reason::ConnectionLost),
        ("silly", Budget::default(), Reason::IllegalMove),
        ("illegal", Budget::default(), Reason::IllegalMove),
    ] {
        let mut series = series(1, 1);
        series.entrants[1] = Entrant {
            player: Player::Engine(kind.into()),
            budget,
        };
        let factory = |player: &Player| match player {
            Player::Engine(_) => Ok(Box::new(Failing(kind, 0)) as Box<dyn Mover>),
            player => usual(player),
        };
        let stop = Stop::default();
        let report = series.run(&factory, &stop, &mut |_| {}).unwrap();
        for game in &report.games {
            assert_eq!(game.points, Points::Win, "{kind}");
            assert_eq!(game.record.outcome.unwrap().reason, reason, "{kind}");
            let fault = game.fault.as_deref().unwrap();
            assert!(fault.starts_with(&format!("engine:{kind}: ")), "{fault}");
            game.record.replay(&series.rules).unwrap();
        }
        assert_eq!(report.standing.pairs().0, [0, 0, 0, 0, 1]);
    }
}

/// A player whose games are decided by a seeded coin: it resigns by an illegal move, or waits for
/// the other to do so.
struct Coin(bool, f64);

impl Mover for Coin {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        self.0 = Random::new(seed).fraction() < self.1;
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: Question<'_>) -> Result<Choice, MoverError> {
        match self.0 {
            true => Err(MoverError::Illegal("gives up".into())),
            false => Ok(game.rules().moves(game.position())[0].into()),
        }
    }
}

#[test]
fn a_decided_test_ends_the_series_at_the_same_game_however_many_are_played_at_once() {
    let result = |concurrency: usize| {
        let mut series = series(500, concurrency);
        series.max_plies = Some(8);
        series.sprt = Some("0,50".parse().unwrap());
        series.entrants[1] = entrant("engine:weak");
        let factory = |player: &Player| {
            let chance = if *player == Player::Random { 0.1 } else { 0.5 };
            Ok(Box::new(Coin(false, chance)) as Box<dyn Mover>)
        };
        let stop = Stop::default();
        series.run(&factory, &stop, &mut |_| {}).unwrap()
    };
    let report = result(1);
    assert_eq!(report.ended, Ended::Decided(SprtVerdict::Better));
    assert!(report.games.len() < 1000 && report.games.len() % 2 == 0);
    assert_eq!(report.standing.games(), report.games.len());
    let many = result(4);
    assert_eq!(moves(&report), moves(&many));
    assert_eq!(report.standing, many.standing);
}

#[test]
fn a_series_that_is_asked_to_finish_ends_with_the_games_under_way() {
    let stop = Stop::default();
    let mut started = 0;
    let report = series(50, 1)
        .run(&usual, &stop, &mut |event| match event {
            SeriesEvent::Started { .. } => started += 1,
            SeriesEvent::Finished { standing, .. } if standing.games() == 3 => stop.finish(),
            SeriesEvent::Finished { .. } => {}
            SeriesEvent::Moved { .. } => panic!("nobody asked for moves"),
        })
        .unwrap();
    assert_eq!(report.ended, Ended::Stopped);
    // The worker may have begun another game before it heard of the wish.
    assert_eq!(report.games.len(), started);
    assert!((3..100).contains(&report.games.len()));
}

#[test]
fn a_live_series_tells_every_move() {
    let mut series = series(1, 1);
    series.is_live = true;
    let mut told = Vec::new();
    let stop = Stop::default();
    let report = series.run(&usual, &stop, &mut |event| {
        if let SeriesEvent::Moved { record, game } = event {
            assert!(record.header("White").is_some());
            told.push(game.plies().len());
        }
    });
    // From the opening of four plies to the end, for each game.
    let games = report.unwrap().games;
    let plies = games.iter().map(|game| game.record.tree().len());
    let expected: Vec<usize> = plies.flat_map(|last| 4..=last).collect();
    assert_eq!(told, expected);
}

#[test]
fn an_abandoned_series_keeps_what_was_finished() {
    let stop = Stop::default();
    stop.abandon();
    let report = series(5, 2).run(&usual, &stop, &mut |_| {}).unwrap();
    assert_eq!((report.ended, report.games.len()), (Ended::Stopped, 0));
}

#[test]
fn what_cannot_be_played_is_an_error_and_no_result() {
    let mut unfit = series(2, 2);
    unfit.entrants[0] = entrant("person");
    let error = unfit.run(&usual, &Stop::default(), &mut |_| {});
    assert!(error.unwrap_err().to_string().contains("person"));

    let mut wrong = series(2, 2);
    wrong.openings.push("berkeley d1c1".parse().unwrap());
    let error = wrong.run(&usual, &Stop::default(), &mut |_| {});
    assert!(error.unwrap_err().to_string().contains("berkeley"));

    let missing = Series {
        entrants: [entrant("random"), entrant("engine:/no/such/program")],
        ..series(2, 1)
    };
    let error = missing.run(&usual, &Stop::default(), &mut |_| {});
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("/no/such/program: the program cannot be started"),
        "{error}"
    );
}
