//! Several processes on one store: none owns a game, and each shows what the others do. The same stories
//! for stores opened by one process, for a file opened by two, and for PostgreSQL (`./test --only database`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod several;

use std::{sync::Arc, time::Duration};

use tablut_arena::{Player, TimeControl};
use tablut_host::{Host, HostError, Limits, Opponent, Refused, Terms, Ticket, View, Wish};
use tablut_rules::{Reason, Side};
use tablut_store::{Game, Store, Viewer, Visitor};

/// The stores of three processes.
type Stores = [Store; 3];

stories! {
    two_play_by_two_processes_and_a_third_shows_it
    offers_reach_the_other_process
    an_engine_answers_once_whoever_looks_on
    of_two_moves_at_once_one_is_made_and_the_other_judged_again
    a_game_that_is_cancelled_is_gone_everywhere
    time_runs_out_once
    spectators_are_counted_wherever_they_are
    a_process_that_leaves_charges_nobody
}

fn hosts(stores: &Stores) -> [Host; 3] {
    let limits = Limits {
        engine_threads: 1,
        engine_hash_mb: 1,
        ..Limits::default()
    };
    stores
        .each_ref()
        .map(|store| Host::new(store.clone(), limits))
}

fn visitor(name: &str) -> Visitor {
    Visitor {
        id: name.into(),
        name: Some(name.into()),
    }
}

fn terms(host: &Host, opponent: Opponent, control: TimeControl) -> Terms {
    Terms {
        rules: Arc::clone(host.rules("ashton").unwrap()),
        setup: None,
        opponent,
        control,
        take_backs: true,
    }
}

const MINUTES: TimeControl = TimeControl::Total {
    ms: 600_000,
    increment_ms: 0,
};

/// A game between Ann, who made it and plays white, and whoever has the secret.
async fn by_link(host: &Host, control: TimeControl) -> (Game, String) {
    let side = Side::Defenders;
    let terms = terms(host, Opponent::Link { side }, control);
    let game = host.create(&visitor("ann"), &terms).await.unwrap();
    let secret = game.seats[Side::Attackers].secret.clone();
    (game, secret)
}

async fn join(host: &Host, game: &Game, name: &str, secret: Option<&str>) -> Ticket {
    host.join(&game.id, &visitor(name), secret).await.unwrap()
}

async fn until(ticket: &mut Ticket, wanted: impl Fn(&View) -> bool) -> Arc<View> {
    let view = ticket.views.wait_for(|view| wanted(view));
    let view = tokio::time::timeout(Duration::from_secs(30), view).await;
    Arc::clone(&view.expect("it comes in time").unwrap())
}

fn plies(view: &View) -> usize {
    view.play.game().plies().len()
}

async fn play(ticket: &Ticket, ply: usize, step: &str) {
    ticket.play(ply, step.parse().unwrap()).await.unwrap();
}

async fn two_play_by_two_processes_and_a_third_shows_it(stores: Stores) {
    let [one, two, three] = hosts(&stores);
    let (game, secret) = by_link(&one, MINUTES).await;
    let mut white = join(&one, &game, "ann", None).await;
    let mut watcher = join(&three, &game, "eve", None).await;
    let mut black = join(&two, &game, "bob", Some(&secret)).await;
    // The maker learns that the guest sat down elsewhere.
    let view = until(&mut white, |view| view.seats.attackers.present).await;
    assert_eq!(view.seats.attackers.name.as_deref(), Some("bob"));
    until(&mut white, |view| view.play.has_started()).await;
    for (ply, step) in ["e4d4", "d1c1", "d4e4", "c1c2"].into_iter().enumerate() {
        let [mover, other] = match ply % 2 {
            0 => [&mut white, &mut black],
            _ => [&mut black, &mut white],
        };
        until(mover, |view| plies(view) == ply && view.play.has_started()).await;
        play(mover, ply, step).await;
        let clock = |view: &View| view.play.notes().last().and_then(|note| note.clock_ms);
        let seen = until(other, |view| plies(view) == ply + 1).await;
        let watched = until(&mut watcher, |view| plies(view) == ply + 1).await;
        assert_eq!(clock(&seen), clock(&watched));
        assert!(seen.runs(seen.play.game().position().side()));
    }
    drop(black);
    let gone = until(&mut watcher, |view| !view.seats.attackers.present).await;
    assert!(gone.seats.attackers.taken && gone.seats.defenders.present);
    white.wish(Wish::Resign).await.unwrap();
    until(&mut watcher, |view| view.play.outcome().is_some()).await;
    let over = stores[1].game(&game.id).await.unwrap();
    let next = two.rematch(&visitor("bob"), &over).await.unwrap();
    let seen = until(&mut white, |view| view.game.rematch.is_some()).await;
    assert_eq!(seen.game.rematch, Some(next));
}

async fn offers_reach_the_other_process(stores: Stores) {
    let [one, two, three] = hosts(&stores);
    let (game, secret) = by_link(&one, TimeControl::Unlimited).await;
    let mut white = join(&one, &game, "ann", None).await;
    let mut black = join(&two, &game, "bob", Some(&secret)).await;
    until(&mut white, |view| view.play.has_started()).await;
    white.wish(Wish::OfferDraw).await.unwrap();
    until(&mut black, |view| {
        view.play.draw_offer() == Some(Side::Defenders)
    })
    .await;
    black.wish(Wish::DeclineDraw).await.unwrap();
    until(&mut white, |view| {
        view.declined.draw == Some(Side::Attackers)
    })
    .await;
    play(&white, 0, "e4d4").await;
    until(&mut black, |view| plies(view) == 1).await;
    white.wish(Wish::TakeBack).await.unwrap();
    until(&mut black, |view| view.play.take_back().is_some()).await;
    black.wish(Wish::DeclineTakeBack).await.unwrap();
    until(&mut white, |view| {
        view.declined.take_back == Some(Side::Attackers)
    })
    .await;
    // Who asks again has not been answered yet.
    white.wish(Wish::TakeBack).await.unwrap();
    until(&mut black, |view| {
        view.play.take_back().is_some() && view.declined.take_back.is_none()
    })
    .await;
    black.wish(Wish::TakeBack).await.unwrap();
    until(&mut white, |view| plies(view) == 0).await;
    play(&white, 0, "e4f4").await;
    black.wish(Wish::OfferDraw).await.unwrap();
    // An offer is there also for whoever comes by yet another process.
    drop(white);
    let mut white = join(&three, &game, "ann", None).await;
    until(&mut white, |view| view.play.draw_offer().is_some()).await;
    white.wish(Wish::OfferDraw).await.unwrap();
    let view = until(&mut black, |view| view.play.outcome().is_some()).await;
    assert_eq!(view.play.outcome().unwrap().reason, Reason::Agreement);
    assert_eq!(view.play.game().plies()[0].step.to_string(), "e4f4");
}

async fn an_engine_answers_once_whoever_looks_on(stores: Stores) {
    let [one, two, _] = hosts(&stores);
    let engine = Opponent::Engine {
        side: Side::Defenders,
        engine: Player::Level(1),
    };
    let terms = terms(&one, engine, MINUTES);
    let game = one.create(&visitor("ann"), &terms).await.unwrap();
    let mut ann = join(&one, &game, "ann", None).await;
    let mut eve = join(&two, &game, "eve", None).await;
    play(&ann, 0, "e4d4").await;
    until(&mut eve, |view| plies(view) == 2).await;
    // Ann goes on by another process; there the engine answers too.
    until(&mut ann, |view| plies(view) == 2).await;
    drop(ann);
    let mut ann = join(&two, &game, "ann", None).await;
    until(&mut ann, |view| view.runs(Side::Defenders)).await;
    // Whatever the engine has done, one of these is legal.
    for step in ["d4e4", "e3d3", "e6f6", "e7d7", "g5g4"] {
        if ann.play(2, step.parse().unwrap()).await.is_ok() {
            break;
        }
    }
    until(&mut eve, |view| plies(view) == 4).await;
    assert_eq!(stores[0].moves(&game.id).await.unwrap().len(), 4);
}

async fn of_two_moves_at_once_one_is_made_and_the_other_judged_again(stores: Stores) {
    let [one, two, _] = hosts(&stores);
    let terms = terms(&one, Opponent::SameScreen, TimeControl::Unlimited);
    let game = one.create(&visitor("ann"), &terms).await.unwrap();
    let here = join(&one, &game, "ann", None).await;
    let there = join(&two, &game, "ann", None).await;
    let steps = [("e4d4", "e4f4"), ("d1c1", "f1g1"), ("e3d3", "e3f3")];
    for (ply, (first, second)) in steps.into_iter().enumerate() {
        let [first, second] = [first, second].map(|step| step.parse().unwrap());
        let (made, late) = tokio::join!(here.play(ply, first), there.play(ply, second));
        let refused = match (made, late) {
            (Ok(_), Err(refused)) | (Err(refused), Ok(_)) => refused,
            both => panic!("{both:?}"),
        };
        assert!(matches!(refused, Refused::Behind), "{refused}");
        assert_eq!(stores[0].moves(&game.id).await.unwrap().len(), ply + 1);
    }
    // The same move from two places is made once.
    let step = "d9c9".parse().unwrap();
    let (one, two) = tokio::join!(here.play(3, step), there.play(3, step));
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(stores[0].moves(&game.id).await.unwrap().len(), 4);
}

async fn a_game_that_is_cancelled_is_gone_everywhere(stores: Stores) {
    let [one, two, _] = hosts(&stores);
    let (game, _) = by_link(&one, MINUTES).await;
    let mut watcher = join(&two, &game, "eve", None).await;
    let mut white = join(&one, &game, "ann", None).await;
    one.cancel(&visitor("ann"), &game.id).await.unwrap();
    for ticket in [&mut white, &mut watcher] {
        let ended = async { while ticket.views.changed().await.is_ok() {} };
        let ended = tokio::time::timeout(Duration::from_secs(30), ended).await;
        ended.expect("the session ends");
    }
    let gone = two.join(&game.id, &visitor("eve"), None).await.unwrap_err();
    assert!(matches!(gone, HostError::Store(_)), "{gone}");
}

async fn time_runs_out_once(stores: Stores) {
    let [one, two, three] = hosts(&stores);
    let (game, secret) = by_link(&one, TimeControl::PerMove { ms: 1500 }).await;
    let mut white = join(&one, &game, "ann", None).await;
    let mut black = join(&two, &game, "bob", Some(&secret)).await;
    let mut watcher = join(&three, &game, "eve", None).await;
    for ticket in [&mut white, &mut black, &mut watcher] {
        let view = until(ticket, |view| view.play.outcome().is_some()).await;
        let outcome = view.play.outcome().unwrap();
        assert_eq!(
            (outcome.winner, outcome.reason),
            (Some(Side::Attackers), Reason::TimeOut)
        );
        assert_eq!(view.left_ms(Side::Defenders), Some(0));
    }
}

async fn a_process_that_leaves_charges_nobody(stores: Stores) {
    let [one, two, three] = hosts(&stores);
    let (game, secret) = by_link(&one, MINUTES).await;
    let white = join(&one, &game, "ann", None).await;
    let mut black = join(&two, &game, "bob", Some(&secret)).await;
    until(&mut black, |view| view.runs(Side::Defenders)).await;
    play(&white, 0, "e4d4").await;
    until(&mut black, |view| view.runs(Side::Attackers)).await;
    one.retire().await;
    // It is Bob's turn, and Ann has lost her place: his clock stands still, and he may move all the same.
    let stopped = until(&mut black, |view| view.is_stopped).await;
    assert!(!stopped.runs(Side::Attackers) && !stopped.seats.defenders.present);
    play(&black, 1, "d1c1").await;
    let left = until(&mut black, |view| plies(view) == 2)
        .await
        .left_ms(Side::Defenders);
    drop(white);
    let mut white = join(&three, &game, "ann", None).await;
    let view = until(&mut white, |view| view.runs(Side::Defenders)).await;
    // She begins with what she had.
    let [before, after] = [left, view.left_ms(Side::Defenders)].map(Option::unwrap);
    assert!(after <= before && view.play.notes()[1].spent_ms.unwrap_or(0) <= 600_000);
    play(&white, 2, "d4e4").await;
    until(&mut black, |view| {
        plies(view) == 3 && view.runs(Side::Attackers)
    })
    .await;
}

async fn spectators_are_counted_wherever_they_are(stores: Stores) {
    let [one, two, three] = hosts(&stores);
    let (game, secret) = by_link(&one, MINUTES).await;
    let mut white = join(&one, &game, "ann", None).await;
    let _black = join(&two, &game, "bob", Some(&secret)).await;
    until(&mut white, |view| view.runs(Side::Defenders)).await;
    play(&white, 0, "e4d4").await;
    let _watchers = [
        join(&three, &game, "eve", None).await,
        join(&three, &game, "kim", None).await,
        join(&two, &game, "lou", None).await,
    ];
    let spectators = async |host: &Host| {
        let spotlight = host.spotlight(&Viewer::Everything).await.unwrap();
        let live = spotlight.live.iter().find(|live| live.game.id == game.id);
        live.unwrap().spectators
    };
    // Each tells its own when it is asked, or with its next heartbeat; players are no spectators.
    assert_eq!(spectators(&three).await, 2);
    assert_eq!(spectators(&two).await, 3);
    assert_eq!(spectators(&one).await, 3);
}
