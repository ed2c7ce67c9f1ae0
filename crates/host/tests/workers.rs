//! Engine work that workers do, for servers that have no engines or too few. The same stories for a store in
//! memory, for a file, and for PostgreSQL (`./test --only database`). A worker that is killed is a task that
//! is aborted: the store hears as little of it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod several;

use std::{future::pending, sync::Arc, time::Duration};

use tablut_arena::{Player, TimeControl};
use tablut_host::{
    Attendance, EngineSource, Finding, Host, Inquiry, InquiryError, InquiryNews, InquiryOrder,
    Limits, Opponent, PlayLine, PuzzleFinding, PuzzleOrder, Terms, Ticket, Tidings, View, Worker,
};
use tablut_review::puzzle::{Effort, Puzzle, PuzzleGoal, built_in_puzzles, mine};
use tablut_rules::{BuiltIn, Game, Rules, Setup, Side};
use tablut_store::{JobCount, JobKind, JobLimits, NewJob, ProcessReport, Store, Visitor};
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
    what_the_queue_refuses_no_server_does_itself
    what_a_server_does_itself_counts_for_its_visitor
    a_worker_that_is_told_to_end_gives_back_what_it_has
    puzzles_are_found_by_the_worker_after_one_that_died
    puzzles_are_proved_and_what_is_none_is_named
    puzzles_that_nobody_waits_for_are_given_up
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
        // They have no book, so that an engine thinks.
        rules: Arc::clone(host.rules("ashton-siege").unwrap()),
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
            if counts.iter().any(|of| of.kind == kind.word() && wanted(of)) {
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

/// A game whose review takes longer than it takes to hear of its beginning.
const LONG_GAME: &str = "g5g6 i4g4 f5f3 f9f6 e6d6 h5h6 e7h7 g4g7 c5c4 i6i7 d5d2 e2f2 f3f4 f2f3 f4g4 f3g3 \
    g4f4 d1c1 d2d4 c1c3 e5c5 g7c7 d4d2 e1d1 d2d3 a6c6 e4d4 c7d7 d6d5 f1f3 d4e4 d7d6 e4d4 i5f5 d4f4 d1d2 \
    f4d4 f5f4 d4e4 a4b4 e4d4 f4e4 d3e3 d2d3 d4e4 d3d4 c5c4";

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
    let order = InquiryOrder::Review {
        line: line(LONG_GAME),
    };
    let mut inquiry = host.inquire(&ann(), order.clone()).await.unwrap();
    // It is in the middle once a part of it is told.
    let part = loop {
        let news = news(&mut inquiry).await;
        if news.finding.is_some() {
            break news;
        }
    };
    assert!(!part.is_done, "the game is too short to be in the middle");
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
    let mut inquiry = host.inquire(&ann(), lines()).await.unwrap();
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

/// A look at the start, which goes on until nobody looks.
fn lines() -> InquiryOrder {
    InquiryOrder::Lines {
        line: line(""),
        count: 2,
        pass: false,
    }
}

async fn what_the_queue_refuses_no_server_does_itself([one, two]: [Store; 2]) {
    // Ann has as much under way at another server as she may.
    let report = ProcessReport::default();
    two.beat("elsewhere", &report).await.unwrap();
    for n in 0..8 {
        let job = NewJob {
            id: n.to_string(),
            kind: JobKind::Games,
            priority_ms: 0,
            owner: "ann".into(),
            address: String::new(),
            process: "elsewhere".into(),
            parameters: String::new(),
            limit_ms: 1000,
        };
        let limits = JobLimits {
            of_kind: 8,
            of_one: 8,
            of_all: 8,
        };
        assert!(two.order_job(&job, limits).await.unwrap());
    }
    let host = host(&one, EngineSource::Queue);
    let refused = host.inquire(&ann(), lines()).await.unwrap_err();
    assert!(matches!(refused, InquiryError::Busy(_)), "{refused:?}");
    let mut at = Attendance::new(host);
    at.ask_hint(&ann(), Game::new(Rules::ashton())).unwrap();
    let told = timeout(PATIENCE, at.news()).await.expect("it is told");
    assert!(matches!(told, Tidings::Unserved), "{told:?}");
}

async fn what_a_server_does_itself_counts_for_its_visitor([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Queue);
    let mut looks = Vec::new();
    for _ in 0..5 {
        looks.push(host.inquire(&ann(), lines()).await.unwrap());
    }
    queue(&two, JobKind::Analysis, |of| of.under_way == 5).await;
    let refused = host.inquire(&ann(), lines()).await.unwrap_err();
    assert!(matches!(refused, InquiryError::Busy(_)), "{refused:?}");
    // Her games still get moves, and others their lines.
    let mut game = begun(&host, Player::Level(1)).await;
    until(&mut game, |view| plies(view) == 2).await;
    let bob = Visitor {
        id: "bob".into(),
        name: None,
    };
    assert!(host.inquire(&bob, lines()).await.is_ok());
    drop(looks);
    queue(&two, JobKind::Analysis, |of| {
        (of.waiting, of.under_way) == (0, 0)
    })
    .await;
    assert!(host.inquire(&ann(), lines()).await.is_ok());
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

/// A puzzle that ships, and the game in which it is solved.
fn solved() -> (&'static Puzzle, Game) {
    let mut all = built_in_puzzles(BuiltIn::Ashton).iter();
    let puzzle = all.find(|one| one.goal == PuzzleGoal::Win && one.plies() == 3);
    let puzzle = puzzle.unwrap();
    let mut game = puzzle.game(&BuiltIn::Ashton.rules()).unwrap();
    for &step in &puzzle.solution {
        game.play(step).unwrap();
    }
    (puzzle, game)
}

/// An order to look at a game, and what is found there.
fn mining() -> (PuzzleOrder, PuzzleFinding) {
    let (_, game) = solved();
    let effort = Effort {
        plies: 5,
        nodes: 5000,
        ..Effort::default()
    };
    let order = PuzzleOrder::Mine {
        line: PlayLine::from(&game),
        plies: effort.plies,
        nodes: effort.nodes,
    };
    let found: Vec<String> = mine(&game, &effort).iter().map(Puzzle::to_string).collect();
    assert!(!found.is_empty());
    (order, PuzzleFinding::Mined(found))
}

async fn puzzles_are_found_by_the_worker_after_one_that_died([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let (order, wanted) = mining();
    let found = tokio::spawn(async move { host.mine(order, || {}).await });
    queue(&two, JobKind::Puzzles, |of| of.waiting == 1).await;
    let dead = two.claim_job(&[JobKind::Puzzles], "dead", 0).await.unwrap();
    assert_eq!(dead.unwrap().attempt, 1);
    let worker = worker(&two);
    let found = timeout(PATIENCE, found).await.expect("it is found");
    assert_eq!(found.unwrap(), Ok(wanted));
    worker.abort();
}

async fn puzzles_are_proved_and_what_is_none_is_named([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let worker = worker(&two);
    let (good, _) = solved();
    let wrong = Puzzle {
        solution: vec![good.solution[0]],
        ..good.clone()
    };
    let order = |puzzles: Vec<String>| PuzzleOrder::Prove {
        rules: "ashton".into(),
        puzzles,
    };
    let both = order(vec![good.to_string(), wrong.to_string()]);
    let found = timeout(PATIENCE, host.mine(both, || {})).await;
    let Ok(PuzzleFinding::Proved(faults)) = found.expect("they are proved") else {
        panic!("something else was found");
    };
    assert_eq!(faults.len(), 2);
    assert!(faults[0].is_none() && faults[1].is_some(), "{faults:?}");
    // What cannot be read is not ordered.
    let unreadable = order(vec!["nonsense".into()]);
    assert!(host.mine(unreadable, || {}).await.is_err());
    worker.abort();
}

async fn puzzles_that_nobody_waits_for_are_given_up([one, two]: [Store; 2]) {
    let host = host(&one, EngineSource::Workers);
    let (order, _) = mining();
    let (tell, mut told) = tokio::sync::watch::channel(false);
    let waits = tokio::spawn(async move {
        let on_unserved = || {
            tell.send_replace(true);
        };
        host.mine(order, on_unserved).await
    });
    let wait = timeout(PATIENCE, told.wait_for(|told| *told)).await;
    wait.expect("it is told that nobody works on it").unwrap();
    waits.abort();
    queue(&two, JobKind::Puzzles, |of| of.waiting == 0).await;
}
