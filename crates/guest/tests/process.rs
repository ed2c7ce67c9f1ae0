//! Programs as players: the good one plays, the bad ones lose, and all are gone afterwards.
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

mod double;

use std::{env, fs, path::PathBuf, sync::Arc};

use tablut_arena::{Budget, Mover, MoverError, Stop};
use tablut_guest::{MoverOptions, process::ProcessMover};
use tablut_rules::{Game, Rules, Side, record::Score};

/// Plays a program when the tests start themselves as one; see `double`.
#[test]
fn double() {
    double::play();
}

/// A file for process ids that no other test has.
fn pids(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}-{}.pids", std::process::id()));
    drop(fs::remove_file(&path));
    path
}

fn ashton() -> Arc<Rules> {
    Rules::ashton()
}

/// As much time as a busy machine may need, and little where nothing will come.
fn patience(is_in_vain: bool) -> u64 {
    if is_in_vain { 100 } else { 20_000 }
}

#[test]
fn a_good_program_plays_legal_moves_that_depend_on_the_seed() {
    let pids = pids("good");
    let command = double::command("random", &pids);
    let mut mover = ProcessMover::new(&command, &MoverOptions::default()).unwrap();
    assert_eq!(mover.id(), None);
    let rules = ashton();
    let mut play = |seed| {
        mover.new_game(&rules, Side::Defenders, seed).unwrap();
        let mut game = Game::new(Arc::clone(&rules));
        while game.outcome().is_none() && game.plies().len() < 20 {
            let choice = mover.choose(&game, Budget::time(10_000).into()).unwrap();
            assert_eq!(choice.score, Some(Score::Hundredths(10)));
            assert_eq!((choice.depth, choice.nodes), (Some(1), Some(1)));
            game.play(choice.step).unwrap();
        }
        let moves: Vec<_> = game.plies().iter().map(|ply| ply.step).collect();
        moves
    };
    let first = play(1);
    assert_ne!(first, play(2));
    assert_eq!(first, play(1));
    assert_eq!(mover.name(), Some("Double"));
    assert!(mover.id().is_some());
    drop(mover);
    // One process for three games.
    assert_eq!(fs::read_to_string(&pids).unwrap().lines().count(), 1);
    double::assert_gone(&pids);
}

#[test]
fn bad_programs_fail_in_their_own_way_and_leave_nothing_behind() {
    for (kind, reason) in double::BAD {
        let pids = pids(kind);
        let command = double::command(kind, &pids);
        let options = MoverOptions {
            startup_ms: patience(kind == "silent"),
            ..MoverOptions::default()
        };
        let mut mover = ProcessMover::new(&command, &options).unwrap();
        let rules = ashton();
        let ready = mover.new_game(&rules, Side::Defenders, 1);
        let game = Game::new(rules);
        let choice = match ready {
            Ok(()) => mover.choose(&game, Budget::time(patience(reason == "time-out")).into()),
            Err(error) => Err(error),
        };
        let found = match choice {
            Err(MoverError::Late) => "time-out",
            Err(MoverError::Gone(_)) => "connection lost",
            Err(MoverError::Illegal(_)) => "illegal move",
            Ok(choice) if game.clone().play(choice.step).is_err() => "illegal move",
            other => panic!("{kind}: {other:?}"),
        };
        assert_eq!(found, reason, "{kind}");
        drop(mover);
        double::assert_gone(&pids);
    }
}

#[test]
fn a_program_that_failed_is_started_again_for_the_next_game() {
    let pids = pids("again");
    let command = double::command("crash", &pids);
    let mut mover = ProcessMover::new(&command, &MoverOptions::default()).unwrap();
    let rules = ashton();
    let game = Game::new(Arc::clone(&rules));
    for _ in 0..2 {
        mover.new_game(&rules, Side::Defenders, 1).unwrap();
        let lost = mover.choose(&game, Budget::time(10_000).into());
        assert!(matches!(lost, Err(MoverError::Gone(_))));
        assert_eq!(mover.id(), None);
    }
    assert_eq!(fs::read_to_string(&pids).unwrap().lines().count(), 2);
}

#[test]
fn a_program_that_does_not_know_the_rules_cannot_play() {
    let command = double::command("random", &pids("rules"));
    let mut mover = ProcessMover::new(&command, &MoverOptions::default()).unwrap();
    let text = Rules::ashton().set().to_string();
    let text = text.replace("id = \"ashton\"", "id = \"mine\"");
    let mine: tablut_rules::RuleSet = text.parse().unwrap();
    let rules = Arc::new(mine.compile().unwrap());
    let refused = mover.new_game(&rules, Side::Defenders, 1).unwrap_err();
    let refused = refused.to_string();
    assert!(
        refused.contains("refused the game: unknown rule set \"mine\""),
        "{refused}"
    );
}

#[test]
fn a_wait_ends_when_everything_is_abandoned() {
    let pids = pids("abandoned");
    let stop = Stop::default();
    let options = MoverOptions {
        stop: stop.clone(),
        ..MoverOptions::default()
    };
    let mut mover = ProcessMover::new(&double::command("mute", &pids), &options).unwrap();
    let rules = ashton();
    mover.new_game(&rules, Side::Defenders, 1).unwrap();
    stop.abandon();
    let stopped = mover.choose(&Game::new(rules), Budget::default().into());
    assert!(matches!(stopped, Err(MoverError::Stopped)));
    double::assert_gone(&pids);
}
