//! Joining games: who waits for whom, and what is left behind.

use std::time::Duration;

use tablut_arena::{Player, TimeControl};

use super::*;
use crate::Opponent;

/// A host with nothing in it, and a visitor.
async fn host() -> (Host, Visitor) {
    let store = Store::open(&tablut_store::Location::Memory).await.unwrap();
    let ann = Visitor {
        id: "ann".into(),
        name: None,
    };
    (Host::new(store, Limits::default()), ann)
}

fn terms(host: &Host, opponent: Opponent) -> Terms {
    Terms {
        rules: Arc::clone(host.rules("ashton").unwrap()),
        setup: None,
        opponent,
        control: TimeControl::Unlimited,
        take_backs: true,
    }
}

/// A game that takes for ever to load keeps nobody from another; and joining it by many at once
/// makes one session.
#[tokio::test]
async fn a_game_that_is_slow_to_load_keeps_no_other_waiting() {
    let (host, ann) = host().await;
    let terms = terms(&host, Opponent::SameScreen);
    let slow = host.create(&ann, &terms).await.unwrap().id;
    let quick = host.create(&ann, &terms).await.unwrap().id;
    // As whoever loads it would.
    let room = host.inner.sessions.room(&slow);
    let loading = room.gate.lock().await;
    let joins = (0..3).map(|_| {
        let (host, ann, slow) = (host.clone(), ann.clone(), slow.clone());
        tokio::spawn(async move { host.join(&slow, &ann, None).await })
    });
    let joins: Vec<_> = joins.collect();
    let patience = Duration::from_secs(30);
    let other = tokio::time::timeout(patience, host.join(&quick, &ann, None)).await;
    let _other = other.expect("it does not wait").unwrap();
    drop(loading);
    let mut tickets = Vec::new();
    for join in joins {
        tickets.push(join.await.unwrap().unwrap());
    }
    assert_eq!(host.live_games().await, 2);
    let step = "e4d4".parse().unwrap();
    tickets[0].wish(crate::Wish::Move(step)).await.unwrap();
    for ticket in &mut tickets {
        let seen = ticket.views.wait_for(|view| view.game.plies == 1);
        assert!(seen.await.is_ok(), "all look at one session");
    }
}

/// Whoever gives up a join at any moment leaves nothing behind.
#[tokio::test]
async fn a_join_that_is_given_up_keeps_no_session_alive() {
    let (host, ann) = host().await;
    let engine = Opponent::Engine {
        side: Side::Defenders,
        engine: Player::Level(1),
    };
    let terms = terms(&host, engine);
    let id = host.create(&ann, &terms).await.unwrap().id;
    for polls in 0..60 {
        let mut join = Box::pin(host.join(&id, &ann, None));
        for _ in 0..polls {
            let polled = std::future::poll_fn(|context| {
                let polled = join.as_mut().poll(context);
                std::task::Poll::Ready(polled.is_ready())
            });
            if polled.await {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(join);
    }
    assert!(host.join("nothing", &ann, None).await.is_err());
    let idle = async {
        while host.live_games().await > 0 {
            tokio::task::yield_now().await;
        }
    };
    let idle = tokio::time::timeout(Duration::from_secs(30), idle).await;
    idle.expect("the session ends");
    assert!(host.inner.sessions.rooms().is_empty());
}

/// Word of a change may reach a session before whoever made it has joined, and that keeps nobody out.
#[tokio::test]
async fn a_session_that_hears_of_a_change_first_waits_for_its_visitor() {
    let (host, ann) = host().await;
    // Its session ends as soon as nobody is there.
    let engine = Opponent::Engine {
        side: Side::Defenders,
        engine: Player::Level(1),
    };
    let terms = terms(&host, engine);
    let game = host.create(&ann, &terms).await.unwrap();
    let rules = Arc::clone(host.rules("ashton").unwrap());
    let look = || SessionCommand::Look {
        version: u64::MAX,
        plies: None,
    };
    for is_foreign in [true, false] {
        let (sender, commands) = mpsc::unbounded_channel();
        let store = host.store().clone();
        sender.send(Box::new(look())).unwrap();
        if is_foreign {
            let spectator = Spectator::load(store, game.clone(), &rules).await.unwrap();
            spectator.start(commands);
        } else {
            let here = (store, host.inner.replica.id());
            let engines = Arc::clone(&host.inner.engines);
            let session = Session::load(here, engines, &game.id, &rules, 100).await;
            session.unwrap().start(commands);
        }
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let ticket = ask(&sender, BySide::both(false), &"".into()).await;
        assert!(ticket.is_some(), "foreign: {is_foreign}");
    }
}
