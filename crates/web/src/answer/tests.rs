//! A page whose game goes on without it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use futures_util::FutureExt;
use tablut_guest::throttle::Source;
use tablut_host::Limits;
use tablut_store::{Place as Where, Store};

use super::*;
use crate::crowd::Traffic;

impl Visit {
    /// Ann at this machine, who has done nothing yet.
    pub(crate) fn of_ann(host: &Host) -> Self {
        Self {
            host: host.clone(),
            visitor: Visitor::new("ann"),
            is_known: false,
            lang: Lang::En,
            origin: Origin {
                source: Source::of([127, 0, 0, 1].into()),
                is_local: true,
            },
            crowd: Crowd::new(Traffic::default()),
            token: Some("the organiser's token".into()),
            knows_token: false,
            public: None,
            game: None,
            back: None,
            hint: None,
            games: Bucket::new(1000, 0.0, Instant::now()),
        }
    }
}

/// A visit at a game that another process changes, so that its session ends with the next move.
async fn overtaken() -> (Visit, String, Store) {
    let store = Store::open(&Where::Memory).await.unwrap();
    let [here, there] = [(); 2].map(|()| Host::new(store.clone(), Limits::default()));
    let mut visit = Visit::of_ann(&here);
    let new = NewGame {
        opponent: OpponentName::Screen,
        ..NewGame::by_link("none")
    };
    let Answer::Game { game } = visit.answer(Ask::NewGame(new)).await.unwrap() else {
        panic!("no game");
    };
    let join = Ask::Join {
        game: game.clone(),
        secret: None,
    };
    visit.answer(join).await.unwrap();
    assert!(matches!(visit.news().await, News::State(_)));
    let other = there.join(&game, &visit.visitor, None).await.unwrap();
    other.play(0, "e4d4".parse().unwrap()).await.unwrap();
    let (ply, step) = (0, "e4f4".to_string());
    visit.answer(Ask::Move { ply, step }).await.unwrap_err();
    (visit, game, store)
}

/// Waits for news as a busy connection does: any message ends each wait at once.
async fn news_between_messages(visit: &mut Visit) -> News {
    let begin = Instant::now();
    loop {
        if let Some(news) = visit.news().now_or_never() {
            return news;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "no news");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_game_is_joined_again_however_busy_the_page_is() {
    let (mut visit, game, _store) = overtaken().await;
    loop {
        match news_between_messages(&mut visit).await {
            News::State(state) if state.plies.len() == 1 => {
                assert_eq!(state.game, game);
                break;
            }
            News::State(_) => {}
            _ => panic!("the game is lost"),
        }
    }
    let (ply, step) = (1, "d1c1".to_string());
    visit.answer(Ask::Move { ply, step }).await.unwrap();
}

#[tokio::test]
async fn a_move_waits_for_the_way_back() {
    let (mut visit, _, _store) = overtaken().await;
    // The first look finds that the session has ended; nobody waits for what follows.
    while visit.back.is_none() {
        let _ = visit.news().now_or_never();
        tokio::task::yield_now().await;
    }
    let (ply, step) = (1, "d1c1".to_string());
    visit.answer(Ask::Move { ply, step }).await.unwrap();
}

#[tokio::test]
async fn a_game_that_cannot_be_joined_again_is_said_to_be_lost() {
    let (mut visit, game, store) = overtaken().await;
    store.close().await;
    loop {
        match news_between_messages(&mut visit).await {
            News::State(_) => {}
            News::Lost(lost, problem) => {
                assert_eq!(lost, game);
                let text = problem.text;
                assert!(
                    text.starts_with("The connection to the game was lost."),
                    "{text}"
                );
                break;
            }
            News::Hint(..) => panic!("nobody asked"),
        }
    }
    let (ply, step) = (1, "d1c1".to_string());
    visit.answer(Ask::Move { ply, step }).await.unwrap_err();
}
