//! What one visitor, one address and all together may take, as they meet it at a real socket.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tablut_host::{Host, Limits};
use tablut_rules::{Side, text::Lang};
use tablut_store::{Kept, Location, Store};
use tablut_web::{
    Config, HeaderName, Proxy, Running, Traffic,
    client::{Client, ClientError},
    message::{Answer, Ask, LangName, NewGame, OpponentName, PositionInfo, WishName},
    serve,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

/// Long enough for anything on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn host(store: &Store, limits: Limits) -> Host {
    let limits = Limits {
        engine_threads: 1,
        engine_hash_mb: 1,
        ..limits
    };
    Host::new(store.clone(), limits)
}

/// A server behind a proxy on the same machine, so that visitors can come from anywhere.
async fn start(limits: Limits, traffic: Traffic) -> (Running, Store) {
    let store = Store::open(&Location::Memory).await.unwrap();
    let config = Config {
        proxy: Some(Proxy {
            header: HeaderName::from_static("x-forwarded-for"),
            from: Vec::new(),
        }),
        traffic,
        ..Config::default()
    };
    let server = serve(config, host(&store, limits)).await;
    (server.unwrap(), store)
}

/// A server for people at its own machine, on the same store.
async fn at_home(store: &Store, limits: Limits) -> Running {
    serve(Config::default(), host(store, limits)).await.unwrap()
}

fn token(name: &str) -> String {
    format!("{name:z<24}")
}

/// A visitor of whom nobody says where they are: at the server's own machine, if it has no proxy.
async fn local(server: &Running, name: &str) -> Client {
    let client = Client::connect(server.address(), &token(name)).await;
    client.unwrap()
}

/// A visitor from elsewhere.
async fn stranger(server: &Running, name: &str, address: &str) -> Result<Client, ClientError> {
    let server = server.address().to_string();
    Client::call_with(&server, &token(name), &[("x-forwarded-for", address)]).await
}

fn refusal<T: std::fmt::Debug>(result: Result<T, ClientError>) -> String {
    match result {
        Err(ClientError::Refused(problem)) => problem.text,
        other => panic!("{other:?}"),
    }
}

fn king() -> PositionInfo {
    PositionInfo {
        rules: "ashton".into(),
        setup: "9/9/9/9/4K4/9/9/9/9 w".into(),
    }
}

fn save(position: Option<&str>, name: &str) -> Ask {
    Ask::SavePosition {
        position: position.map(Into::into),
        name: name.into(),
        place: king(),
    }
}

fn new_game(opponent: OpponentName) -> Ask {
    Ask::NewGame(NewGame {
        rules: "ashton".into(),
        setup: None,
        opponent,
        side: Side::Defenders,
        engine: "level:1".into(),
        white_engine: "level:1".into(),
        control: "none".into(),
        take_backs: true,
    })
}

async fn make(client: &mut Client, opponent: OpponentName) -> String {
    match client.ask(new_game(opponent)).await.unwrap() {
        Answer::Game { game } => game,
        other => panic!("{other:?}"),
    }
}

fn join(game: &str, secret: Option<&str>) -> Ask {
    Ask::Join {
        game: game.into(),
        secret: secret.map(Into::into),
    }
}

#[tokio::test]
async fn ids_are_the_servers_to_give() {
    let (server, store) = start(Limits::default(), Traffic::default()).await;
    let mut ann = local(&server, "ann").await;
    for id in ["mine", &"x".repeat(50_000), "../..", ""] {
        let refused = ann.ask(save(Some(id), "a fork")).await;
        assert_eq!(refusal(refused), "You have no such position.");
    }
    assert_eq!(store.count_kept(Kept::Positions).await.unwrap(), 0);
    ann.ask(save(None, "a fork")).await.unwrap();
    let search = String::new();
    let Answer::Library(library) = ann.ask(Ask::Library { search }).await.unwrap() else {
        panic!("no library");
    };
    let id = &library[0].id;
    ann.ask(save(Some(id), "renamed")).await.unwrap();
    assert_eq!(store.count_kept(Kept::Positions).await.unwrap(), 1);
    let mut bob = local(&server, "bob").await;
    let refused = bob.ask(save(Some(id), "stolen")).await;
    assert_eq!(refusal(refused), "You have no such position.");
}

#[tokio::test]
async fn texts_that_act_or_are_too_long_are_refused() {
    let (server, store) = start(Limits::default(), Traffic::default()).await;
    let mut ann = local(&server, "ann").await;
    for text in [
        "\u{1b}[2J",
        "a\u{202e}b",
        "a\u{0}b",
        "\u{2066}x",
        &"x".repeat(81),
    ] {
        let name = text.to_string();
        assert!(refusal(ann.ask(Ask::Name { name }).await).starts_with("A name has"));
        assert!(refusal(ann.ask(save(None, text)).await).contains("1 to 80 letters"));
    }
    let search = "x".repeat(60_000);
    assert!(refusal(ann.ask(Ask::Library { search }).await).contains("80 letters"));
    assert_eq!(store.count_kept(Kept::Visitors).await.unwrap(), 0);
    let name = "Ann È 王".to_string();
    ann.ask(Ask::Name { name }).await.unwrap();
    assert_eq!(store.count_kept(Kept::Visitors).await.unwrap(), 1);
}

#[tokio::test]
async fn who_only_looks_or_guesses_leaves_nothing_in_the_store() {
    let (server, store) = start(Limits::default(), Traffic::default()).await;
    let mut ann = local(&server, "ann").await;
    let game = make(&mut ann, OpponentName::Link).await;
    let before = store.count_kept(Kept::Visitors).await.unwrap();
    let mut eve = stranger(&server, "eve", "192.0.2.66").await.unwrap();
    eve.ask(join(&game, Some("a wrong secret"))).await.unwrap();
    assert_eq!(store.count_kept(Kept::Visitors).await.unwrap(), before);
    for n in 0..50 {
        let mut one = local(&server, &format!("v{n}")).await;
        let lang = LangName(Lang::En);
        one.ask(Ask::Hello { lang }).await.unwrap();
        one.ask(Ask::Slots).await.unwrap();
        one.ask(Ask::Games).await.unwrap();
    }
    assert_eq!(store.count_kept(Kept::Visitors).await.unwrap(), before);
}

#[tokio::test]
async fn a_full_store_says_so_and_the_people_at_home_go_on() {
    let limits = Limits {
        visitors: 10,
        all_games: 10,
        all_positions: 10,
        positions: 4,
        ..Limits::default()
    };
    let (server, store) = start(limits, Traffic::default()).await;
    let mut refused = Vec::new();
    for n in 0..12 {
        let address = format!("192.0.2.{n}");
        let mut one = stranger(&server, &format!("v{n}"), &address).await.unwrap();
        let lang = LangName(Lang::It);
        one.ask(Ask::Hello { lang }).await.unwrap();
        let value = "dark".to_string();
        let name = "theme".to_string();
        let set = one.ask(Ask::Setting { name, value }).await;
        if n >= 9 {
            refused.push(refusal(set));
            continue;
        }
        set.unwrap();
        make(&mut one, OpponentName::Screen).await;
        one.ask(save(None, "a fork")).await.unwrap();
    }
    assert_eq!(refused.len(), 3);
    assert!(
        refused[0].starts_with("L'archivio del server è pieno"),
        "{}",
        refused[0]
    );
    let mut old = stranger(&server, "v0", "192.0.2.0").await.unwrap();
    let full = "This server's store is full, so nothing new can be saved; tell whoever runs it.";
    assert_eq!(refusal(old.ask(save(None, "another")).await), full);
    assert_eq!(refusal(old.ask(new_game(OpponentName::Screen)).await), full);
    let home = at_home(&store, limits).await;
    let mut ann = local(&home, "ann").await;
    ann.ask(save(None, "mine")).await.unwrap();
    make(&mut ann, OpponentName::Screen).await;
    for what in [Kept::Visitors, Kept::Games, Kept::Positions] {
        assert_eq!(store.count_kept(what).await.unwrap(), 10, "{what:?}");
    }
}

#[tokio::test]
async fn the_maker_of_a_game_cannot_play_for_the_guest() {
    let (server, store) = start(Limits::default(), Traffic::default()).await;
    let [mut ann, mut bob] = [local(&server, "ann").await, local(&server, "bob").await];
    let game = make(&mut ann, OpponentName::Link).await;
    ann.ask(join(&game, None)).await.unwrap();
    let secret = ann.next_state().await.unwrap().invitation.clone().unwrap();
    let own = ann.ask(join(&game, Some(&secret))).await;
    assert!(refusal(own).starts_with("This is your own invitation: send the link"));
    bob.ask(join(&game, Some(&secret))).await.unwrap();
    assert_eq!(bob.next_state().await.unwrap().yours, [Side::Attackers]);
    // With the invitation, after the guest sat down, in a new window.
    let mut ann = local(&server, "ann").await;
    ann.ask(join(&game, Some(&secret))).await.unwrap();
    assert_eq!(ann.next_state().await.unwrap().yours, [Side::Defenders]);
    let wish = WishName::Resign;
    ann.ask(Ask::Wish { wish }).await.unwrap();
    let outcome = store.game(&game).await.unwrap().outcome.unwrap();
    assert_eq!(outcome.winner, Some(tablut_rules::Side::Attackers));
}

#[tokio::test]
async fn of_many_who_open_an_invitation_at_once_one_plays() {
    let (server, _) = start(Limits::default(), Traffic::default()).await;
    let mut ann = local(&server, "ann").await;
    let game = make(&mut ann, OpponentName::Link).await;
    ann.ask(join(&game, None)).await.unwrap();
    let secret = ann.next_state().await.unwrap().invitation.clone().unwrap();
    let mut guests = tokio::task::JoinSet::new();
    for n in 0..20 {
        let name = format!("guest{n}x");
        let guest = stranger(&server, &name, &format!("192.0.2.{n}")).await;
        let mut guest = guest.unwrap();
        let ask = join(&game, Some(&secret));
        guests.spawn(async move {
            guest.ask(ask).await.unwrap();
            guest.next_state().await.unwrap().yours.len()
        });
    }
    assert_eq!(guests.join_all().await.iter().sum::<usize>(), 1);
}

#[tokio::test]
async fn secrets_are_not_guessed_in_a_hurry() {
    let (server, _) = start(Limits::default(), Traffic::default()).await;
    let mut ann = local(&server, "ann").await;
    let game = make(&mut ann, OpponentName::Link).await;
    ann.ask(join(&game, None)).await.unwrap();
    let secret = ann.next_state().await.unwrap().invitation.clone().unwrap();
    let mut eve = stranger(&server, "eve", "192.0.2.66").await.unwrap();
    let mut tried = 0;
    let told = loop {
        match eve.ask(join(&game, Some("a wrong secret"))).await {
            Ok(_) => tried += 1,
            refused => break refusal(refused),
        }
        assert!(tried < 100);
    };
    assert!(told.starts_with("Too many wrong invitations"), "{told}");
    // Not with the right one either, not from another page, not as another visitor.
    let mut mallory = stranger(&server, "mallory", "192.0.2.66").await.unwrap();
    assert_eq!(refusal(mallory.ask(join(&game, Some(&secret))).await), told);
    // Watching needs none.
    mallory.ask(join(&game, None)).await.unwrap();
    let mut bob = stranger(&server, "bob", "192.0.2.7").await.unwrap();
    bob.ask(join(&game, Some(&secret))).await.unwrap();
    assert_eq!(bob.next_state().await.unwrap().yours, [Side::Attackers]);
    // What is right does not count.
    for _ in 0..50 {
        bob.ask(join(&game, None)).await.unwrap();
    }
}

#[tokio::test]
async fn one_address_does_not_shut_others_out() {
    let traffic = Traffic {
        pages: 100,
        pages_per_address: 40,
        reserve: 10,
        ..Traffic::default()
    };
    let (server, _) = start(Limits::default(), traffic).await;
    let mut open = Vec::new();
    // Ten addresses take what they can; each gets something, however many came before.
    for n in 0..10 {
        let address = format!("192.0.2.{n}");
        let before = open.len();
        while let Ok(page) = stranger(&server, &format!("v{}", open.len()), &address).await {
            open.push(page);
        }
        let own = open.len() - before;
        assert!((1..=40).contains(&own), "{n}: {own}");
    }
    assert!(open.len() < 90, "{}", open.len());
    // One customer is one address, however many they have.
    let mut pages = 0;
    for n in 0..30 {
        let page = stranger(&server, &format!("w{n}"), &format!("2001:db8::{n:x}")).await;
        pages += usize::from(page.is_ok());
        open.extend(page);
    }
    assert!((1..10).contains(&pages), "{pages}");
    // Places are free again when pages close.
    drop(open);
    let again = async {
        while stranger(&server, "again", "192.0.2.1").await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, again).await.unwrap();
}

#[tokio::test]
async fn one_address_makes_so_many_games_and_visitors_at_once() {
    let (server, store) = start(Limits::default(), Traffic::default()).await;
    let mut refused = (0, 0);
    let mut open = Vec::new();
    for n in 0..110 {
        let mut one = stranger(&server, &format!("v{n}"), "192.0.2.1")
            .await
            .unwrap();
        let name = format!("Visitor {n}");
        refused.0 += usize::from(one.ask(Ask::Name { name }).await.is_err());
        for _ in 0..2 {
            refused.1 += usize::from(one.ask(new_game(OpponentName::Screen)).await.is_err());
        }
        open.push(one);
    }
    assert!(refused.0 >= 5 && refused.1 >= 80, "{refused:?}");
    assert!(store.count_kept(Kept::Games).await.unwrap() < 140);
    let mut bob = stranger(&server, "bob", "192.0.2.2").await.unwrap();
    make(&mut bob, OpponentName::Screen).await;
}

#[tokio::test]
async fn whoever_comes_through_a_proxy_changes_nothing_of_the_server() {
    let (fronted, store) = start(Limits::default(), Traffic::default()).await;
    let home = at_home(&store, Limits::default()).await;
    let named = Config {
        names: vec!["tablut.example".into()],
        ..Config::default()
    };
    let named = serve(named, host(&store, Limits::default())).await.unwrap();
    for (server, header, value, is_local) in [
        (&home, "accept", "*/*", true),
        (&home, "x-real-ip", "198.51.100.1", false),
        (&home, "x-forwarded-for", "198.51.100.1", false),
        (&home, "x-forwarded-host", "tablut.example", false),
        (&home, "forwarded", "for=198.51.100.1", false),
        (&home, "via", "1.1 proxy", false),
        (&home, "cf-connecting-ip", "198.51.100.1", false),
        (&fronted, "x-forwarded-for", "198.51.100.1", false),
        // As it comes from what forwards connections and adds nothing.
        (&fronted, "accept", "*/*", false),
        (&named, "accept", "*/*", false),
    ] {
        let here = server.address().to_string();
        let mut one = Client::call_with(&here, &token("one"), &[(header, value)])
            .await
            .unwrap();
        let lang = LangName(Lang::En);
        let Answer::Welcome(welcome) = one.ask(Ask::Hello { lang }).await.unwrap() else {
            panic!("no welcome");
        };
        assert_eq!(welcome.local, is_local, "{header}");
        let (name, value) = ("rules".to_string(), "ashton".to_string());
        let set = one.ask(Ask::ServerSetting { name, value }).await;
        assert_eq!(set.is_ok(), is_local, "{header}");
    }
}

/// A page's socket without a page.
async fn socket(
    server: &Running,
) -> tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<TcpStream>> {
    let here = server.address();
    let url = format!("ws://{here}/socket");
    let mut request = url.into_client_request().unwrap();
    let headers = request.headers_mut();
    headers.insert("origin", format!("http://{here}").parse().unwrap());
    let cookie = format!("tablut_visitor={}", token("ann"));
    headers.insert("cookie", cookie.parse().unwrap());
    tokio_tungstenite::connect_async(request).await.unwrap().0
}

#[tokio::test]
async fn a_flood_of_pings_ends_the_connection() {
    let (server, _) = start(Limits::default(), Traffic::default()).await;
    let (mut write, mut read) = socket(&server).await.split();
    let flood = async {
        for n in 0..1_000_000_u32 {
            let ping = Message::Ping(n.to_be_bytes().to_vec().into());
            if write.send(ping).await.is_err() {
                return n;
            }
        }
        u32::MAX
    };
    let hearing = async { while let Some(Ok(_)) = read.next().await {} };
    let (sent, ()) = timeout(LONG, async { tokio::join!(flood, hearing) })
        .await
        .unwrap();
    assert!(sent < 1_000_000, "{sent}");
    // One that asks now and then is answered.
    let mut calm = socket(&server).await;
    for _ in 0..50 {
        calm.send(Message::Ping(Vec::new().into())).await.unwrap();
        assert!(matches!(calm.next().await, Some(Ok(Message::Pong(_)))));
    }
}

#[tokio::test]
async fn who_does_not_read_is_dropped() {
    let traffic = Traffic {
        stall_time: Duration::from_millis(300),
        ..Traffic::default()
    };
    let (server, _) = start(Limits::default(), traffic).await;
    // Of the page: more is asked for than the system keeps in between.
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let ask = format!("GET /app.js HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
    let flood = async { while stream.write_all(ask.as_bytes()).await.is_ok() {} };
    timeout(LONG, flood).await.unwrap();
    // Of a page's socket: answers that nobody takes.
    let mut socket = socket(&server).await;
    let flood = async {
        for id in 0.. {
            let ask = format!(r#"{{"id":{id},"do":"hello","lang":"en"}}"#);
            if socket.feed(Message::text(ask)).await.is_err() || socket.flush().await.is_err() {
                break;
            }
        }
    };
    timeout(LONG, flood).await.unwrap();
}

#[tokio::test]
async fn half_requests_and_idle_connections_are_closed_and_keep_nobody_out() {
    let traffic = Traffic {
        header_time: Duration::from_millis(500),
        connections: 300,
        connections_per_address: 100,
        ..Traffic::default()
    };
    let (server, _) = start(Limits::default(), traffic).await;
    let here = server.address();
    let half = [
        String::new(),
        "GET / HTTP/1.1\r\nHost: ".into(),
        format!(
            "GET /socket HTTP/1.1\r\nHost: {here}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        ),
        // Answered, and then idle.
        format!("GET /icon.svg HTTP/1.1\r\nHost: {here}\r\n\r\n"),
    ];
    let begin = Instant::now();
    let mut streams = Vec::new();
    for n in 0..400 {
        let mut stream = TcpStream::connect(here).await.unwrap();
        // Those for whom there is no room any more may be closed already.
        let _ = stream.write_all(half[n % half.len()].as_bytes()).await;
        streams.push(stream);
    }
    // Byte by byte, without end.
    let trickle = tokio::spawn(async move {
        let mut stream = TcpStream::connect(here).await?;
        let head = b"GET / HTTP/1.1\r\nX: "
            .iter()
            .chain(std::iter::repeat(&b'x'));
        for byte in head {
            stream.write_all(&[*byte]).await?;
            let mut answer = [0; 1];
            let answered = timeout(Duration::from_millis(5), stream.read(&mut answer)).await;
            if answered.is_ok() {
                break;
            }
        }
        Ok::<(), std::io::Error>(())
    });
    for mut stream in streams {
        let mut rest = Vec::new();
        // Closed, or cut.
        let ended = timeout(LONG, stream.read_to_end(&mut rest)).await;
        let _ = ended.expect("it ends in time");
    }
    let _ = timeout(LONG, trickle)
        .await
        .expect("it ends in time")
        .unwrap();
    assert!(begin.elapsed() < LONG);
    let mut ann = local(&server, "ann").await;
    make(&mut ann, OpponentName::Screen).await;
}

#[tokio::test]
async fn who_finds_no_room_is_told_so() {
    let traffic = Traffic {
        connections: 8,
        header_time: LONG,
        ..Traffic::default()
    };
    let (server, _) = start(Limits::default(), traffic).await;
    let mut idle = Vec::new();
    for _ in 0..8 {
        idle.push(TcpStream::connect(server.address()).await.unwrap());
    }
    let ask = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(ask.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let read = timeout(LONG, stream.read_to_string(&mut answer)).await;
    read.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("too many connections"));
    // And served once there is.
    drop(idle);
    let served = async {
        loop {
            let mut stream = TcpStream::connect(server.address()).await.unwrap();
            stream.write_all(ask.as_bytes()).await.unwrap();
            let mut start = [0; 12];
            if stream.read_exact(&mut start).await.is_ok() && start == *b"HTTP/1.1 200" {
                break;
            }
        }
    };
    timeout(LONG, served).await.unwrap();
}

#[tokio::test]
async fn goodbye_is_said_to_pages_and_idle_connections_do_not_hold_it_up() {
    let (server, _) = start(Limits::default(), Traffic::default()).await;
    let address = server.address();
    let mut page = socket(&server).await;
    let _idle = TcpStream::connect(address).await.unwrap();
    let stopping = tokio::spawn(server.stop());
    let mut told = String::new();
    while let Some(Ok(message)) = timeout(LONG, page.next()).await.unwrap() {
        told += message.to_text().unwrap_or_default();
    }
    assert!(told.contains("closing"), "{told}");
    drop(page);
    timeout(LONG, stopping).await.unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err());
}
