//! What requests are answered, and a page whose game goes on without it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use tablut_guest::throttle::Source;
use tablut_host::{Limits, tournament::Contest};
use tablut_store::{Location, State, Store};

use super::*;
use crate::{
    crowd::Traffic,
    message::{
        CorrectionAsk, LangName, NewGame, OpponentName, TournamentWish, WishName,
        declaration::{answer_name, answer_of, ask_name, ask_names},
    },
};

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
            attendance: Attendance::new(host.clone()),
            hint: 0,
            game_pace: Bucket::new(1000, 0.0, Instant::now()),
        }
    }

    /// What a request gets, now or later.
    async fn ask(&mut self, ask: Ask) -> Answered {
        if let Some(answered) = self.answer(Request { id: 7, ask }).await {
            return answered;
        }
        loop {
            if let PageNews::Hint(7, answered) = self.news().await {
                return *answered;
            }
        }
    }
}

/// A game of two people on one screen.
fn on_one_screen() -> Ask {
    Ask::NewGame(NewGame {
        opponent: OpponentName::Screen,
        ..NewGame::by_link("none")
    })
}

/// A visit at a game that another process changes, so that its session ends with the next move.
async fn overtaken() -> (Visit, String, Store) {
    let store = Store::open(&Location::Memory).await.unwrap();
    let [here, there] = [(); 2].map(|()| Host::new(store.clone(), Limits::default()));
    let mut visit = Visit::of_ann(&here);
    let Answer::Game { game } = visit.ask(on_one_screen()).await.unwrap() else {
        panic!("no game");
    };
    let join = Ask::Join {
        game: game.clone(),
        secret: None,
    };
    visit.ask(join).await.unwrap();
    assert!(matches!(visit.news().await, PageNews::State(_)));
    let other = there.join(&game, &visit.visitor, None).await.unwrap();
    other.play(0, "e4d4".parse().unwrap()).await.unwrap();
    let (ply, step) = (0, "e4f4".to_string());
    visit.ask(Ask::Move { ply, step }).await.unwrap_err();
    (visit, game, store)
}

/// Waits for news as a busy connection does: any message ends each wait at once.
async fn news_between_messages(visit: &mut Visit) -> PageNews {
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
            PageNews::State(state) if state.plies.len() == 1 => {
                assert_eq!(state.game, game);
                break;
            }
            PageNews::State(_) => {}
            _ => panic!("the game is lost"),
        }
    }
    let (ply, step) = (1, "d1c1".to_string());
    visit.ask(Ask::Move { ply, step }).await.unwrap();
}

#[tokio::test]
async fn a_move_waits_for_the_way_back() {
    let (mut visit, _, _store) = overtaken().await;
    // The first look finds that the session has ended; nobody waits for what follows.
    while !visit.attendance.is_returning() {
        let _ = visit.news().now_or_never();
        tokio::task::yield_now().await;
    }
    let (ply, step) = (1, "d1c1".to_string());
    visit.ask(Ask::Move { ply, step }).await.unwrap();
}

#[tokio::test]
async fn a_game_that_cannot_be_joined_again_is_said_to_be_lost() {
    let (mut visit, game, store) = overtaken().await;
    store.close().await;
    loop {
        match news_between_messages(&mut visit).await {
            PageNews::State(_) => {}
            PageNews::Lost(lost, problem) => {
                assert_eq!(lost, game);
                let text = problem.text;
                assert!(
                    text.starts_with("The connection to the game was lost."),
                    "{text}"
                );
                break;
            }
            PageNews::Hint(..) => panic!("nobody asked"),
        }
    }
    let (ply, step) = (1, "d1c1".to_string());
    visit.ask(Ask::Move { ply, step }).await.unwrap_err();
}

const PLAN: &str = r#"
name = "Cup"
[[team]]
name = "Alpha"
members = ["Ada"]
plays = "random"
[[team]]
name = "Beta"
members = ["Bea"]
plays = "random"
"#;

/// A visit whose requests are all granted, with the names of those it has made.
struct Granted {
    visit: Visit,
    asked: BTreeSet<String>,
}

impl Granted {
    /// Asks for something, and checks that the answer is the one that the page expects.
    async fn ask(&mut self, ask: Ask) -> Answer {
        let (name, expected) = (ask_name(&ask), answer_of(&ask));
        let answer = self.visit.ask(ask).await;
        let answer = answer.unwrap_or_else(|problem| panic!("{name}: {problem:?}"));
        assert_eq!(answer_name(&answer), expected, "{name}");
        self.asked.insert(name);
        answer
    }
}

#[tokio::test]
async fn every_request_gets_the_answer_that_the_page_expects() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let cup = Contest::prepare(&store, PLAN, "ashton", State::Running).await;
    assert!(cup.unwrap().is_new);
    let host = Host::new(store, Limits::default());
    let mut page = Granted {
        visit: Visit::of_ann(&host),
        asked: BTreeSet::new(),
    };
    let text = |text: &str| text.to_string();
    let (moves, rules) = (Vec::new(), text("ashton"));
    let place = PositionInfo {
        rules: rules.clone(),
        setup: text("3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w"),
    };
    let line = || (place.clone(), moves.clone());

    page.ask(Ask::Ping).await;
    page.ask(Ask::Hello {
        lang: LangName(Lang::It),
    })
    .await;
    page.ask(Ask::Name { name: text("Ann") }).await;
    let (name, value) = (text("theme"), text("dark"));
    page.ask(Ask::Setting { name, value }).await;
    let (name, value) = (text("rules"), rules.clone());
    page.ask(Ask::ServerSetting { name, value }).await;

    page.ask(Ask::Rules {
        rules: rules.clone(),
    })
    .await;
    let (place, moves) = line();
    page.ask(Ask::Study { place, moves }).await;
    let (place, moves) = line();
    page.ask(Ask::Explain {
        place,
        moves,
        step: text("e4d4"),
        turns: true,
    })
    .await;
    page.ask(Ask::Read {
        text: text("[Rules \"ashton\"]\n\n1. e4-d4 *"),
        rules,
    })
    .await;
    let (place, moves) = line();
    page.ask(Ask::Write { place, moves }).await;
    let (place, moves) = line();
    page.ask(Ask::Hint { place, moves }).await;

    page.ask(Ask::Slots).await;
    let (number, place) = (3, Some(line().0));
    page.ask(Ask::SaveSlot { number, place }).await;
    page.ask(Ask::SavePosition {
        position: None,
        name: text("the start"),
        place: line().0,
    })
    .await;
    let search = String::new();
    let Answer::Library(library) = page.ask(Ask::Library { search }).await else {
        unreachable!("checked");
    };
    let position = library[0].id.clone();
    page.ask(Ask::DeletePosition { position }).await;

    let Answer::Game { game } = page.ask(on_one_screen()).await else {
        unreachable!("checked");
    };
    page.ask(Ask::Games).await;
    page.ask(Ask::Join { game, secret: None }).await;
    let (ply, step) = (0, text("e4d4"));
    page.ask(Ask::Move { ply, step }).await;
    let wish = WishName::Resign;
    page.ask(Ask::Wish { wish }).await;
    page.ask(Ask::Record).await;
    page.ask(Ask::Rematch).await;
    page.ask(Ask::Leave).await;
    let by_link = Ask::NewGame(NewGame::by_link("none"));
    let Answer::Game { game } = page.ask(by_link).await else {
        unreachable!("checked");
    };
    page.ask(Ask::Join { game, secret: None }).await;
    page.ask(Ask::CancelGame).await;

    let tournament = text("cup");
    page.ask(Ask::Tournaments).await;
    page.ask(Ask::Tournament {
        tournament: tournament.clone(),
    })
    .await;
    page.ask(Ask::RunTournament {
        tournament: tournament.clone(),
        wish: TournamentWish::Pause,
    })
    .await;
    page.ask(Ask::Organise {
        token: text("the organiser's token"),
    })
    .await;
    page.ask(Ask::CorrectTournament {
        tournament,
        correction: CorrectionAsk::Withdraw {
            team: 1,
            annul: true,
        },
        why: text("illness"),
    })
    .await;
    page.ask(Ask::Ratings).await;
    assert_eq!(page.asked, ask_names(), "requests that nothing here makes");
}
