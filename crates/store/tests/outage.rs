//! A PostgreSQL server that cuts connections, crashes or falls silent: nothing acknowledged is missing,
//! nobody waits long, and everything works when it is back (`./test --only database`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod postgres;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use postgres::Server;
use tablut_arena::TimeControl;
use tablut_rules::{BySide, Move};
use tablut_store::{
    Game, GameOwner, Location, OpenError, Progress, Seat, SeatPlayer, Store, StoreError, StoredMove,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy},
    net::{TcpListener, TcpStream},
    runtime::Handle,
    task::JoinHandle,
};

const WRITERS: usize = 6;

fn game(id: &str) -> Game {
    let seat = || Seat {
        player: SeatPlayer::Person,
        secret: "s".into(),
        holder: None,
        name: None,
        left_ms: None,
    };
    Game {
        id: id.into(),
        owner: GameOwner::Visitor("ann".into()),
        rules: "ashton".into(),
        setup: None,
        control: TimeControl::Unlimited,
        take_backs: false,
        seats: BySide::both(seat()),
        plies: 0,
        outcome: None,
        rematch: None,
        created_ms: 1,
        changed_ms: 1,
    }
}

/// The move of a ply: no two that follow each other are the same.
fn step(ply: usize) -> Move {
    ["e4f4", "d1c1", "f4e4", "c1d1"][ply % 4].parse().unwrap()
}

/// Adds moves to a game until it is told to stop; gives how many were acknowledged.
async fn write(
    store: Store,
    id: String,
    stop: Arc<AtomicBool>,
    written: Arc<AtomicUsize>,
) -> usize {
    let mut acknowledged = 0;
    while !stop.load(Ordering::Relaxed) {
        let progress = Progress {
            before: acknowledged,
            keep: acknowledged,
            moves: vec![StoredMove {
                step: step(acknowledged),
                spent_ms: None,
                clock_ms: None,
                score: None,
            }],
            left_ms: BySide::default(),
            outcome: None,
            course: None,
        };
        match store.advance(&id, &progress, 2).await {
            Ok(_) => {
                acknowledged += 1;
                written.fetch_add(1, Ordering::Relaxed);
            }
            // It was kept, although nobody said so: this is how callers find out.
            Err(StoreError::Stale) => {
                let kept = store.game(&id).await;
                if let Ok(kept) = kept {
                    assert_eq!(kept.plies, acknowledged + 1, "{id} was doubled or lost");
                    acknowledged = kept.plies;
                }
            }
            Err(error) => assert!(error.may_pass(), "{error}"),
        }
    }
    acknowledged
}

struct Writing {
    tasks: Vec<JoinHandle<usize>>,
    stop: Arc<AtomicBool>,
    written: Arc<AtomicUsize>,
}

impl Writing {
    async fn start(store: &Store) -> Self {
        let (stop, written) = (Arc::default(), Arc::default());
        let mut tasks = Vec::new();
        for n in 0..WRITERS {
            let id = format!("g{n}");
            store.create_game(&game(&id)).await.unwrap();
            let task = write(store.clone(), id, Arc::clone(&stop), Arc::clone(&written));
            tasks.push(tokio::spawn(task));
        }
        Self {
            tasks,
            stop,
            written,
        }
    }

    /// Waits until this many more moves were acknowledged.
    async fn go_on(&self, more: usize) {
        let goal = self.written.load(Ordering::Relaxed) + more;
        let end = Instant::now() + Duration::from_secs(60);
        while self.written.load(Ordering::Relaxed) < goal {
            assert!(Instant::now() < end, "writing does not go on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Everything that was acknowledged is there.
    async fn check(self, store: &Store) {
        self.stop.store(true, Ordering::Relaxed);
        for (n, task) in self.tasks.into_iter().enumerate() {
            let acknowledged = task.await.unwrap();
            let id = format!("g{n}");
            let moves = store.moves(&id).await.unwrap();
            let kept = store.game(&id).await.unwrap();
            assert_eq!(kept.plies, moves.len());
            // The last one may have been kept without an answer.
            assert!((acknowledged..=acknowledged + 1).contains(&moves.len()));
            for (ply, one) in moves.iter().enumerate() {
                assert_eq!(one.step, step(ply), "{id}");
            }
        }
    }
}

async fn open(server: &Server, name: &str) -> (String, Store) {
    let url = server.database(name);
    let store = Store::open(&Location::Postgres(url.clone())).await.unwrap();
    (url, store)
}

fn blocking<T>(act: impl FnOnce() -> T) -> T {
    tokio::task::block_in_place(|| Handle::current().block_on(async { act() }))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn nothing_acknowledged_is_missing_after_cut_connections() {
    let server = Server::start();
    let (url, store) = open(&server, "cut").await;
    let writing = Writing::start(&store).await;
    for _ in 0..20 {
        writing.go_on(20).await;
        blocking(|| server.cut(&url));
    }
    writing.go_on(20).await;
    writing.check(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn nothing_acknowledged_is_missing_after_crashes() {
    let server = Server::start();
    let (_, store) = open(&server, "crash").await;
    let writing = Writing::start(&store).await;
    for _ in 0..3 {
        writing.go_on(20).await;
        assert!(blocking(|| server.stop()));
        blocking(|| server.resume());
    }
    writing.go_on(20).await;
    writing.check(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn a_silent_server_is_given_up_soon_and_used_again_at_once() {
    let server = Server::start();
    let (_, store) = open(&server, "silence").await;
    let writing = Writing::start(&store).await;
    writing.go_on(20).await;
    server.signal("STOP");
    let begin = Instant::now();
    // Many ask at once; nobody waits for all the others.
    let asked: Vec<_> = (0..20)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { store.game("g0").await.map(drop) })
        })
        .collect();
    for one in asked {
        one.await.unwrap().unwrap_err();
    }
    let told = begin.elapsed();
    server.signal("CONT");
    let begin = Instant::now();
    writing.go_on(1).await;
    let back = begin.elapsed();
    println!("silence is told after {told:?}, writing goes on {back:?} after it");
    assert!(told < Duration::from_secs(60), "{told:?}");
    assert!(back < Duration::from_secs(20), "{back:?}");
    writing.go_on(20).await;
    writing.check(&store).await;
}

/// A way to a server that lets nothing more through once a client has said a word; gives its URL.
async fn silenced(url: &str, word: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let here = listener.local_addr().unwrap().to_string();
    let (_, rest) = url.split_once("127.0.0.1:").unwrap();
    let (port, database) = rest.split_once('/').unwrap();
    let (server, through) = (
        format!("127.0.0.1:{port}"),
        url.replace(&format!("127.0.0.1:{port}"), &here),
    );
    assert!(through.ends_with(database));
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(&server).await.unwrap();
            let (mut said, mut to_client) = client.into_split();
            let (mut answered, mut to_server) = server.into_split();
            tokio::spawn(async move { copy(&mut answered, &mut to_client).await });
            tokio::spawn(async move {
                let mut part = vec![0; 64 * 1024];
                while let Ok(length @ 1..) = said.read(&mut part).await {
                    if String::from_utf8_lossy(&part[..length]).contains(word) {
                        std::future::pending::<()>().await;
                    }
                    to_server.write_all(&part[..length]).await.unwrap();
                }
            });
        }
    });
    through
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn a_server_that_greets_and_then_falls_silent_opens_no_store_and_holds_up_nobody() {
    let server = Server::start();
    let (url, store) = open(&server, "greeting").await;
    store.close().await;
    for word in ["pg_tables", "UPDATE setting"] {
        let place = Location::Postgres(silenced(&url, word).await);
        let opened = tokio::time::timeout(Duration::from_secs(60), Store::open(&place)).await;
        let opened = opened.unwrap_or_else(|_| panic!("{word}: it is waited for for ever"));
        assert!(
            matches!(opened, Err(OpenError::Unreachable { .. })),
            "{word}: {opened:?}"
        );
    }
}
