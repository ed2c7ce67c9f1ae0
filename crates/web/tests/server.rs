//! The server as strangers, visitors and players meet it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use tablut_host::{Host, Limits};
use tablut_rules::{Side, text::Lang};
use tablut_store::{Location, Store};
use tablut_web::{
    Config, Running,
    client::{Client, ClientError},
    message::{
        AnnotationInfo, Answer, Ask, DrawingInfo, GameEntry, LangName, NewGame, OpponentName,
        PositionInfo, StudyEdit, WishName,
    },
    serve,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

async fn start() -> Running {
    let store = Store::open(&Location::Memory).await.unwrap();
    let limits = Limits {
        engine_threads: 1,
        engine_hash_mb: 1,
        open_games: 3,
        ..Limits::default()
    };
    serve(Config::default(), Host::new(store, limits))
        .await
        .unwrap()
}

async fn visitor(server: &Running, name: &str) -> Client {
    let token = format!("{name:0<24}");
    Client::connect(server.address(), &token).await.unwrap()
}

/// Sends a request by hand and gives the whole answer.
async fn http(server: &Running, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![0; 64 * 1024];
    let mut length = 0;
    loop {
        let read = stream.read(&mut answer[length..]).await.unwrap();
        length += read;
        let text = String::from_utf8_lossy(&answer[..length]);
        if read == 0 || text.contains("\r\n\r\n") {
            return text.into_owned();
        }
    }
}

fn get(path: &str, host: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n")
}

const UPGRADE: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

fn upgrade(host: &str, origin: &str, cookie: &str) -> String {
    format!(
        "GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nCookie: {cookie}\r\n{UPGRADE}\r\n"
    )
}

#[tokio::test]
async fn strangers_are_refused() {
    let server = start().await;
    let here = server.address().to_string();
    let origin = format!("http://{here}");
    let cookie = "tablut_visitor=aaaaaaaaaaaaaaaaaaaaaaaa";
    for (request, status) in [
        (get("/", &here, ""), "200"),
        (get("/", "evil.example", ""), "403"),
        (get("/", &here, "Origin: http://evil.example\r\n"), "403"),
        (get("/", &here, "Origin: null\r\n"), "403"),
        (get("/app.js", "evil.example", ""), "403"),
        (get("/nothing", &here, ""), "404"),
        (get("/../Cargo.toml", &here, ""), "404"),
        (get("/%2e%2e/Cargo.toml", &here, ""), "404"),
        (upgrade(&here, &origin, cookie), "101"),
        (upgrade(&here, "http://evil.example", cookie), "403"),
        (
            upgrade("evil.example", "http://evil.example", cookie),
            "403",
        ),
        (upgrade(&here, &origin, "tablut_visitor=short"), "401"),
        (get("/socket", &here, UPGRADE), "403"),
    ] {
        let answer = http(&server, &request).await;
        let found = answer.split_whitespace().nth(1).unwrap_or_default();
        assert_eq!(found, status, "{request}{answer}");
        assert!(
            answer.contains("default-src 'none'") || status == "101",
            "{answer}"
        );
    }
}

#[tokio::test]
async fn the_page_sets_a_cookie_once_and_is_not_sent_twice() {
    let server = start().await;
    let here = server.address().to_string();
    let answer = http(&server, &get("/", &here, "")).await.to_lowercase();
    assert!(answer.contains("set-cookie: tablut_visitor="), "{answer}");
    assert!(answer.contains("httponly") && answer.contains("nosniff"));
    let cookie = "Cookie: tablut_visitor=aaaaaaaaaaaaaaaaaaaaaaaa\r\n";
    let again = http(&server, &get("/", &here, cookie)).await;
    assert!(!again.to_lowercase().contains("set-cookie"), "{again}");
    let tag = answer
        .split("etag: ")
        .nth(1)
        .unwrap()
        .split("\r\n")
        .next()
        .unwrap();
    let same = http(
        &server,
        &get("/", &here, &format!("If-None-Match: {tag}\r\n")),
    )
    .await;
    assert!(same.starts_with("HTTP/1.1 304"), "{same}");
}

/// A game against an engine that thinks for a minute from the first move on: under rules without a book.
fn thinker() -> NewGame {
    NewGame {
        rules: "ashton-siege".into(),
        ..new_game(OpponentName::Engine, "time:60")
    }
}

fn new_game(opponent: OpponentName, engine: &str) -> NewGame {
    NewGame {
        rules: "ashton".into(),
        setup: None,
        opponent,
        side: Side::Defenders,
        engine: engine.into(),
        white_engine: "level:1".into(),
        control: "none".into(),
        take_backs: true,
    }
}

async fn make(client: &mut Client, new: NewGame) -> Result<String, ClientError> {
    match client.ask(Ask::NewGame(new)).await? {
        Answer::Game { game } => Ok(game),
        other => panic!("{other:?}"),
    }
}

async fn join(client: &mut Client, game: &str, secret: Option<String>) {
    let game = game.to_string();
    client.ask(Ask::Join { game, secret }).await.unwrap();
    client.next_state().await.unwrap();
}

async fn listed(client: &mut Client) -> Vec<GameEntry> {
    match client.ask(Ask::Games).await.unwrap() {
        Answer::Games(games) => games,
        other => panic!("{other:?}"),
    }
}

fn refusal<T: std::fmt::Debug>(result: Result<T, ClientError>) -> String {
    match result {
        Err(ClientError::Refused(problem)) => problem.text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_seat_belongs_to_whoever_has_its_secret() {
    let server = start().await;
    let [mut ann, mut bob, mut eve] = [
        visitor(&server, "ann").await,
        visitor(&server, "bob").await,
        visitor(&server, "eve").await,
    ];
    let game = make(&mut ann, new_game(OpponentName::Link, ""))
        .await
        .unwrap();
    join(&mut ann, &game, None).await;
    let state = ann.state.clone().unwrap();
    let secret = state.invitation.unwrap();
    assert!(!state.started && state.targets.is_empty());
    join(&mut eve, &game, Some("a wrong secret".into())).await;
    assert!(eve.state.as_ref().unwrap().yours.is_empty());
    assert_eq!(eve.state.as_ref().unwrap().invitation, None);
    let step = || "e4d4".to_string();
    let early = ann
        .ask(Ask::Move {
            ply: 0,
            step: step(),
        })
        .await;
    assert!(refusal(early).contains("not started"));
    join(&mut bob, &game, Some(secret)).await;
    assert_eq!(bob.state.as_ref().unwrap().yours, [Side::Attackers]);

    let turn = bob
        .ask(Ask::Move {
            ply: 0,
            step: step(),
        })
        .await;
    assert_eq!(refusal(turn), "It is not your turn.");
    let watcher = eve
        .ask(Ask::Move {
            ply: 0,
            step: step(),
        })
        .await;
    assert_eq!(refusal(watcher), "You are watching this game.");
    let old = ann
        .ask(Ask::Move {
            ply: 7,
            step: step(),
        })
        .await;
    assert_eq!(refusal(old), "The game has moved on; look again.");
    ann.ask(Ask::Move {
        ply: 0,
        step: step(),
    })
    .await
    .unwrap();
    assert_eq!(bob.until_ply(1).await.unwrap().plies[0].0, "e4d4");
    assert_eq!(eve.until_ply(1).await.unwrap().turn, Side::Attackers);

    // Bob comes back without the secret; Ann in another window.
    let mut bob = visitor(&server, "bob").await;
    join(&mut bob, &game, None).await;
    assert_eq!(bob.state.as_ref().unwrap().yours, [Side::Attackers]);
    bob.ask(Ask::Wish {
        wish: WishName::Resign,
    })
    .await
    .unwrap();
    let outcome = ann.until_ply(9).await.unwrap().outcome.clone().unwrap();
    assert_eq!(outcome.text, "White wins: black resigned.");
}

#[tokio::test]
async fn an_illegal_move_names_the_rule_and_the_square_in_the_visitors_language() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    let game = make(&mut ann, new_game(OpponentName::Screen, ""))
        .await
        .unwrap();
    for (lang, text) in [
        (
            LangName(Lang::En),
            "Not allowed: a white man on e4 is in the way.",
        ),
        (
            LangName(Lang::It),
            "Non ammessa: una pedina bianca su e4 sbarra la strada.",
        ),
        (
            LangName(Lang::De),
            "Nicht erlaubt: ein weißer Stein auf e4 steht im Weg.",
        ),
    ] {
        ann.ask(Ask::Hello { lang }).await.unwrap();
        join(&mut ann, &game, None).await;
        let step = "e5e3".to_string();
        match ann.ask(Ask::Move { ply: 0, step }).await {
            Err(ClientError::Refused(problem)) => {
                assert!(problem.text.starts_with(text), "{}", problem.text);
                assert_eq!(problem.square.as_deref(), Some("e4"));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn what_is_asked_wrongly_is_refused_with_a_sentence() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    let board = |rules: &str, setup: &str| PositionInfo {
        rules: rules.into(),
        setup: setup.into(),
    };
    let king = "9/9/9/9/4K4/9/9/9/9 w";
    let with = |change: fn(&mut NewGame)| {
        let mut new = new_game(OpponentName::Engine, "level:1");
        change(&mut new);
        Ask::NewGame(new)
    };
    let edit = |edit| Ask::EditStudy {
        study: None,
        rules: "ashton".into(),
        cursor: 0,
        edit,
    };
    for ask in [
        Ask::Name {
            name: "x".repeat(41),
        },
        Ask::Name {
            name: "a\nb".into(),
        },
        Ask::Setting {
            name: "other".into(),
            value: String::new(),
        },
        Ask::Setting {
            name: "theme".into(),
            value: "x".repeat(501),
        },
        Ask::ServerSetting {
            name: "rules".into(),
            value: "nothing".into(),
        },
        Ask::Rules {
            rules: "nothing".into(),
        },
        Ask::Survey {
            place: board("ashton", "nonsense"),
            moves: vec![],
        },
        Ask::Survey {
            place: board("ashton", king),
            moves: vec!["e5e5".into()],
        },
        Ask::Survey {
            place: board("ashton", king),
            moves: vec!["zz".into()],
        },
        Ask::Survey {
            place: board("ashton", king),
            moves: vec!["e5e6".into(); 1001],
        },
        Ask::SaveSlot {
            number: 10,
            place: None,
        },
        Ask::SaveSlot {
            number: 1,
            place: Some(board("nothing", king)),
        },
        Ask::SavePosition {
            position: None,
            name: " ".into(),
            place: board("ashton", king),
        },
        Ask::SavePosition {
            position: None,
            name: "x".repeat(81),
            place: board("ashton", king),
        },
        Ask::DeletePosition {
            position: "nothing".into(),
        },
        Ask::Join {
            game: "nothing".into(),
            secret: None,
        },
        Ask::Move {
            ply: 0,
            step: "e4d4".into(),
        },
        Ask::Wish {
            wish: WishName::Resign,
        },
        Ask::Rematch,
        Ask::Record,
        Ask::Read {
            text: "nonsense".into(),
            rules: "ashton".into(),
        },
        Ask::Read {
            text: "[Rules \"ashton\"]\n\n1. e4-d4 (1. e4-e9) *".into(),
            rules: "ashton".into(),
        },
        Ask::OpenStudy {
            study: Some("nothing".into()),
            rules: "ashton".into(),
        },
        Ask::CopyStudy {
            study: "nothing".into(),
        },
        Ask::DeleteStudy {
            study: "nothing".into(),
        },
        Ask::StepStudy {
            study: "nothing".into(),
            node: 0,
        },
        Ask::StudyGame {
            game: "nothing".into(),
            ply: 0,
        },
        Ask::NameStudy {
            study: None,
            rules: "ashton".into(),
            name: " ".into(),
        },
        Ask::Write {
            study: None,
            rules: "ashton".into(),
            node: 99,
        },
        edit(StudyEdit::Play {
            node: 0,
            moves: vec!["e4e9".into()],
        }),
        edit(StudyEdit::Play {
            node: 99,
            moves: vec![],
        }),
        edit(StudyEdit::SetUp {
            place: board("ashton", "nonsense"),
        }),
        edit(StudyEdit::Comment {
            node: 0,
            text: "x".repeat(4001),
        }),
        edit(StudyEdit::Mark {
            node: 0,
            nags: vec![1; 9],
        }),
        edit(StudyEdit::Draw {
            node: 0,
            drawings: vec![DrawingInfo {
                from: "z9".into(),
                to: None,
            }],
        }),
        edit(StudyEdit::Delete { node: 0 }),
        edit(StudyEdit::Promote { node: 99 }),
        edit(StudyEdit::Annotate {
            notes: vec![AnnotationInfo {
                score: Some("much".into()),
                ..AnnotationInfo::default()
            }],
        }),
        Ask::Hint {
            place: board("ashton", "9/9/9/9/9/9/9/9/9 w"),
            moves: vec![],
        },
        with(|new| new.engine = "engine:rm -rf /".into()),
        with(|new| new.engine = "time:61".into()),
        with(|new| new.engine = "level:11".into()),
        with(|new| new.control = "move:1".into()),
        with(|new| new.rules = "nothing".into()),
        with(|new| new.setup = Some("9/9/9/9/9/9/9/9/9 w".into())),
        with(|new| new.setup = Some("K8/9/9/9/9/9/9/9/9 w".into())),
    ] {
        let name = format!("{ask:?}");
        let text = refusal(ann.ask(ask).await);
        assert!(text.ends_with('.') && text.len() > 10, "{name}: {text}");
    }
    // The server is as well as before.
    ann.ask(Ask::Slots).await.unwrap();
}

#[tokio::test]
async fn limits_hold() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    for _ in 0..3 {
        make(&mut ann, new_game(OpponentName::Screen, ""))
            .await
            .unwrap();
    }
    let fourth = make(&mut ann, new_game(OpponentName::Screen, "")).await;
    assert!(refusal(fourth).contains("too many open games"));
    let mut refused = 0;
    for _ in 0..200 {
        if ann.ask(Ask::Slots).await.is_err() {
            refused += 1;
        }
    }
    assert!(refused > 20, "{refused}");
}

#[tokio::test]
async fn the_engine_stops_for_those_who_have_left() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    let mut new = thinker();
    new.side = Side::Attackers;
    let game = make(&mut ann, new).await.unwrap();
    join(&mut ann, &game, None).await;
    drop(ann);
    // There is one engine thread; a minute of thought for Ann would keep Bob waiting.
    let mut bob = visitor(&server, "bob").await;
    let place = PositionInfo {
        rules: "ashton".into(),
        setup: "9/9/1b1K5/9/9/9/9/9/9 w".into(),
    };
    let hint = bob.ask(Ask::Hint {
        place,
        moves: vec![],
    });
    let hint = tokio::time::timeout(std::time::Duration::from_secs(20), hint).await;
    let Ok(Ok(Answer::Hint { step, .. })) = hint else {
        panic!("{hint:?}");
    };
    assert!(step.starts_with("d3"), "{step}");
}

#[tokio::test]
async fn a_taken_port_is_said_or_the_next_is_chosen() {
    let server = start().await;
    let config = |more_ports| Config {
        address: server.address(),
        more_ports,
        ..Config::default()
    };
    let host = async || {
        let store = Store::open(&Location::Memory).await.unwrap();
        Host::new(store, Limits::default())
    };
    let error = serve(config(0), host().await).await.unwrap_err();
    assert!(error.to_string().contains(&server.address().to_string()));
    let next = serve(config(50), host().await).await.unwrap();
    assert_ne!(next.address().port(), server.address().port());
    next.stop().await;
    server.stop().await;
}

#[tokio::test]
async fn a_move_asked_for_twice_is_made_once() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    let mut bob = visitor(&server, "bob").await;
    let game = make(&mut ann, new_game(OpponentName::Link, ""))
        .await
        .unwrap();
    join(&mut ann, &game, None).await;
    let secret = ann.state.as_ref().unwrap().invitation.clone();
    join(&mut bob, &game, secret).await;
    let step = |ply, step: &str| Ask::Move {
        ply,
        step: step.into(),
    };
    // As after a broken connection: the same from another one, and once more after the answer.
    let mut again = visitor(&server, "ann").await;
    join(&mut again, &game, None).await;
    for client in [&mut ann, &mut again] {
        client.ask(step(0, "e4d4")).await.unwrap();
    }
    bob.ask(step(1, "d1c1")).await.unwrap();
    again.ask(step(0, "e4d4")).await.unwrap();
    assert_eq!(again.until_ply(2).await.unwrap().plies.len(), 2);
    // Another move for that position is none, and nobody claims the other's.
    for (client, step) in [(&mut again, step(0, "e4f4")), (&mut bob, step(0, "e4d4"))] {
        let late = refusal(client.ask(step).await);
        assert_eq!(late, "The game has moved on; look again.");
    }
    again.ask(step(2, "d4e4")).await.unwrap();
    assert_eq!(bob.until_ply(3).await.unwrap().plies.len(), 3);
}

#[tokio::test]
async fn long_texts_are_read_and_longer_ones_refused_without_hanging_up() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    let read = |length: usize| Ask::Read {
        text: format!("e4d4{}d1c1", " ".repeat(length)),
        rules: "ashton".into(),
    };
    for length in [100, 200_000, 1_000_000] {
        let answer = ann.ask(read(length)).await.unwrap();
        let Answer::Study(study) = answer else {
            panic!("{answer:?}");
        };
        let moves: Vec<_> = study
            .nodes
            .into_iter()
            .filter_map(|node| node.step)
            .collect();
        assert_eq!(moves, ["e4d4", "d1c1"]);
    }
    // Long messages count for many; a second visitor has not asked for anything yet.
    let mut ann = visitor(&server, "bob").await;
    let long = refusal(ann.ask(read(1_100_000)).await);
    assert!(long.contains("at most 1 MiB"), "{long}");
    let name = "x".repeat(100_000);
    let long = refusal(ann.ask(Ask::Name { name }).await);
    assert!(long.contains("too long"), "{long}");
    ann.ask(Ask::Slots).await.unwrap();
}

#[tokio::test]
async fn whoever_falls_silent_is_soon_away_and_keeps_the_seat() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    let mut bob = visitor(&server, "bob").await;
    let game = make(&mut ann, new_game(OpponentName::Link, ""))
        .await
        .unwrap();
    join(&mut ann, &game, None).await;
    let secret = ann.state.as_ref().unwrap().invitation.clone();
    join(&mut bob, &game, secret).await;
    // Bob's connection stays open, but nobody is at its other end.
    let away = async { while ann.next_state().await.unwrap().seats.attackers.present {} };
    let away = tokio::time::timeout(Duration::from_secs(40), away).await;
    away.expect("it is noticed, after some 8 s");
    let mut back = visitor(&server, "bob").await;
    join(&mut back, &game, None).await;
    assert_eq!(back.state.as_ref().unwrap().yours, [Side::Attackers]);
    drop(bob);
}

#[tokio::test]
async fn a_quick_move_does_not_wait_for_twenty_who_want_a_minute_each() {
    let server = start().await;
    let mut others = Vec::new();
    for n in 0..20 {
        let mut other = visitor(&server, &format!("other{n}x")).await;
        let mut new = thinker();
        new.side = Side::Attackers;
        let game = make(&mut other, new).await.unwrap();
        join(&mut other, &game, None).await;
        others.push(tokio::spawn(async move {
            // Stays, and sees the move if it comes.
            other.until_ply(1).await.map(|state| state.plies.len())
        }));
    }
    let mut ann = visitor(&server, "ann").await;
    let mut new = new_game(OpponentName::Engine, "level:1");
    new.side = Side::Attackers;
    let game = make(&mut ann, new).await.unwrap();
    let begin = Instant::now();
    join(&mut ann, &game, None).await;
    let moved = tokio::time::timeout(Duration::from_secs(10), ann.until_ply(1)).await;
    moved.expect("less than a second is meant").unwrap();
    println!("the engine moved after {:?}", begin.elapsed());
    assert!(others.iter().all(|other| !other.is_finished()));
    others.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn a_list_shows_what_is_on_the_boards_of_games_that_go_on() {
    let server = start().await;
    let mut ann = visitor(&server, "ann").await;
    let game = make(&mut ann, new_game(OpponentName::Screen, ""))
        .await
        .unwrap();
    join(&mut ann, &game, None).await;
    let start = listed(&mut ann).await.remove(0).setup.unwrap();
    assert_eq!(Some(start), ann.state.as_ref().map(|one| one.setup.clone()));
    let step = "e4d4".to_string();
    ann.ask(Ask::Move { ply: 0, step }).await.unwrap();
    let entry = listed(&mut ann).await.remove(0);
    let setup = entry.setup.unwrap();
    assert!(setup.starts_with("3bbb3/4b4/4w4/b2w4b/"), "{setup}");
    let wish = WishName::Resign;
    ann.ask(Ask::Wish { wish }).await.unwrap();
    let over = listed(&mut ann).await.remove(0);
    assert!(over.outcome.is_some() && over.setup.is_none());
}
