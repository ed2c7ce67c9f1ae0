//! Engine work that workers do, for servers that have no engines or too few. The same stories for a store in
//! memory, for a file, and for PostgreSQL (`./test --only database`). A worker that is killed is a task that
//! is aborted: the store hears as little of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod several;

use std::{future::pending, sync::Arc, time::Duration};

use tablut_arena::{Player, TimeControl};
use tablut_host::{
    Attendance, EngineSource, Finding, Host, Inquiry, InquiryNews, InquiryOrder, Limits, Opponent,
    PlayLine, Terms, Ticket, Tidings, View, Worker,
};
use tablut_rules::{Game, Rules, Setup, Side};
use tablut_store::{JobCount, JobKind, Store, Visitor};
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};

/// How long anything may take that should happen.
const PATIENCE: Duration = Duration::from_secs(60);

stories! {
    a_server_without_engines_says_so_until_a_worker_comes
    who_asks_for_a_hint_is_told_that_no_engine_is_there
    a_move_survives_the_worker_that_was_at_it
    a_review_survives_the_worker_that_was_at_it_and_is_kept
    lines_are_told_while_they_grow_and_end_when_nobody_looks
    what_no_worker_begins_is_done_by_a_server_with_engines
    a_worker_that_is_told_to_end_gives_back_what_it_has
}

fn host(store: &Store, engines: EngineSource) -> Host {
    let limits = Limits {
        engines,
        engine_threads: 1,
        engine_hash_mb: 1,
        ..Limits::default()
    };
    Host::new(store.clone(), limits)
}

fn worker(store: &Store) -> JoinHandle<()> {
    let worker = Worker::new(store.clone(), JobKind::ALL.into(), 1, 1, "worker".into());
    tokio::spawn(async move { worker.run(pending()).await })
}

fn ann() -> Visitor {
    Visitor {
        id: "ann".into(),
        name: None,
    }
}

/// Ann's game against an engine, after her first move.
async fn begun(host: &Host, engine: Player) -> Ticket {
    let side = Side::Defenders;
    let terms = Terms {
        rules: Arc::clone(host.rules("ashton").unwrap()),
        setup: None,
        opponent: Opponent::Engine { side, engine },
        control: TimeControl::Unlimited,
        take_backs: true,
    };
    let game = host.create(&ann(), &terms).await.unwrap();
    let ticket = host.join(&game.id, &ann(), None).await.unwrap();
    ticket.play(0, "e4d4".parse().unwrap()).await.unwrap();
    ticket
}

async fn until(ticket: &mut Ticket, wanted: impl Fn(&View) -> bool) -> Arc<View> {
    let view = timeout(PATIENCE, ticket.views.wait_for(|view| wanted(view)));
    let view = view.await.expect("it comes in time");
    Arc::clone(&view.unwrap())
}

fn plies(view: &View) -> usize {
    view.play.game().plies().len()
}

/// Waits until there is this much of a kind of work.
async fn queue(store: &Store, kind: JobKind, wanted: impl Fn(&JobCount) -> bool) {
    let wait = async {
        loop {
            let counts = store.count_jobs().await.unwrap();
            if counts.iter().any(|of| of.kind == kind && wanted(of)) {
                break;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, wait).await.expect("it comes in time");
}

async fn news(inquiry: &mut Inquiry) -> InquiryNews {
    let news = timeout(PATIENCE, inquiry.news()).await;
    news.expect("there is news")
}

fn line(moves: &str) -> PlayLine {
    PlayLine {
        rules: "ashton".into(),
        setup: Setup::from(&Rules::ashton().start()),
        moves: moves
            .split_whitespace()
            .map(|step| step.parse().unwrap())
            .collect(),
    }
}

async fn a_server_without_engines_says_so_until_a_worker_comes([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let mut ann = begun(&host, Player::Level(1)).await;
    let waits = until(&mut ann, |view| view.is_unserved).await;
    assert_eq!(plies(&waits), 1);
    let worker = worker(&two);
    let served = until(&mut ann, |view| plies(view) == 2).await;
    assert!(!served.is_unserved);
    queue(&two, JobKind::Games, |of| {
        (of.waiting, of.under_way) == (0, 0)
    })
    .await;
    worker.abort();
}

async fn who_asks_for_a_hint_is_told_that_no_engine_is_there([one, two]: [Store; 2]) {
    let mut at = Attendance::new(host(&one, EngineSource::Workers));
    let game = || Game::new(Rules::ashton());
    at.ask_hint(&ann(), game()).unwrap();
    let told = timeout(PATIENCE, at.news()).await.expect("it is told");
    assert!(matches!(told, Tidings::Unserved), "{told:?}");
    assert!(!at.awaits_hint());
    let worker = worker(&two);
    at.ask_hint(&ann(), game()).unwrap();
    let told = timeout(PATIENCE, at.news()).await.expect("it is told");
    assert!(matches!(told, Tidings::Hint(Some(_))), "{told:?}");
    worker.abort();
}

async fn a_move_survives_the_worker_that_was_at_it([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let killed = worker(&two);
    let mut ann = begun(&host, Player::Time(1500)).await;
    queue(&two, JobKind::Games, |of| of.under_way == 1).await;
    killed.abort();
    let other = worker(&two);
    until(&mut ann, |view| plies(view) == 2).await;
    let game = ann.views.borrow().game.id.clone();
    assert_eq!(one.moves(&game).await.unwrap().len(), 2);
    other.abort();
}

async fn a_review_survives_the_worker_that_was_at_it_and_is_kept([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let killed = worker(&two);
    let game = line("e4d4 d1c1 e3d3 c1b1 e6d6 b1c1 e7d7");
    let order = InquiryOrder::Review { line: game };
    let mut inquiry = host.inquire(&ann(), order.clone()).await.unwrap();
    // It is in the middle once a part of it is told.
    while news(&mut inquiry).await.finding.is_none() {}
    killed.abort();
    let other = worker(&two);
    let review = loop {
        let news = news(&mut inquiry).await;
        if news.is_done {
            break news.finding.expect("a review");
        }
    };
    assert!(matches!(&*review, Finding::Review(review) if review.is_complete()));
    // Whoever asks again has it at once.
    let mut again = host.recall(order).await.unwrap();
    assert_eq!(news(&mut again).await.finding.as_deref(), Some(&*review));
    other.abort();
}

async fn lines_are_told_while_they_grow_and_end_when_nobody_looks([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let worker = worker(&two);
    let order = InquiryOrder::Lines {
        line: line(""),
        count: 2,
        pass: false,
    };
    let mut inquiry = host.inquire(&ann(), order).await.unwrap();
    let mut depths = Vec::new();
    while depths.len() < 2 {
        let news = news(&mut inquiry).await;
        if let Some(Finding::Lines(found)) = news.finding.as_deref() {
            assert_eq!(found.lines.len(), 2);
            depths.push(found.depth);
        }
    }
    assert!(depths.is_sorted(), "{depths:?}");
    drop(inquiry);
    queue(&two, JobKind::Analysis, |of| {
        (of.waiting, of.under_way) == (0, 0)
    })
    .await;
    worker.abort();
}

async fn what_no_worker_begins_is_done_by_a_server_with_engines([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Queue);
    let mut ann = begun(&host, Player::Level(1)).await;
    until(&mut ann, |view| plies(view) == 2).await;
    let counts = two.count_jobs().await.unwrap();
    assert!(counts.iter().all(|of| (of.waiting, of.under_way) == (0, 0)));
}

async fn a_worker_that_is_told_to_end_gives_back_what_it_has([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let ending = worker(&two);
    let mut ann = begun(&host, Player::Time(3000)).await;
    queue(&two, JobKind::Games, |of| of.under_way == 1).await;
    let processes = two.processes().await.unwrap();
    let told = processes.iter().find(|process| process.report.is_worker);
    let told = &told.expect("the worker is known").id;
    assert!(one.drain(told).await.unwrap());
    timeout(PATIENCE, ending).await.expect("it ends").unwrap();
    let left = two.processes().await.unwrap();
    assert!(left.iter().all(|process| process.id != *told));
    let other = worker(&two);
    until(&mut ann, |view| plies(view) == 2).await;
    other.abort();
}
