//! Pictures, boards for other sites and previews, as strangers ask for them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use tablut_host::{Host, Limits};
use tablut_rules::Side;
use tablut_store::{Location, Store};
use tablut_web::{
    Config, HeaderName, Proxy, Running,
    client::Client,
    message::{Answer, Ask, NewGame, OpponentName, WishName},
    serve,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

async fn start(config: Config) -> Running {
    let store = Store::open(&Location::Memory).await.unwrap();
    let limits = Limits {
        engine_threads: 1,
        engine_hash_mb: 1,
        ..Limits::default()
    };
    serve(config, Host::new(store, limits)).await.unwrap()
}

/// An answer: its status, headers and body.
struct Reply {
    status: u16,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

impl Reply {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

async fn get(server: &Running, path: &str, more: &str) -> Reply {
    let here = server.address();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {here}\r\n{more}Connection: close\r\n\r\n");
    let mut stream = TcpStream::connect(here).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_string()));
    Reply {
        status: status.parse().unwrap(),
        headers: headers.collect(),
        body: bytes[end + 4..].to_vec(),
    }
}

/// Makes a game on one screen and plays two moves.
async fn game(server: &Running, name: &str) -> String {
    seated(server, name).await.1
}

/// The same, with whoever made it.
async fn seated(server: &Running, name: &str) -> (Client, String) {
    let token = format!("{name:a<24}");
    let mut client = Client::connect(server.address(), &token).await.unwrap();
    let name = "<b>\"Ann\"</b>".to_string();
    client.ask(Ask::Name { name }).await.unwrap();
    let made = client.ask(Ask::NewGame(NewGame {
        rules: "ashton".into(),
        setup: None,
        opponent: OpponentName::Screen,
        side: Side::Defenders,
        engine: String::new(),
        white_engine: String::new(),
        control: "none".into(),
        take_backs: true,
    }));
    let Answer::Game { game } = made.await.unwrap() else {
        panic!("no game");
    };
    let id = game.clone();
    client.ask(Ask::Join { game, secret: None }).await.unwrap();
    for (ply, step) in ["e4d4", "d1c1"].into_iter().enumerate() {
        let step = step.to_string();
        client.ask(Ask::Move { ply, step }).await.unwrap();
    }
    (client, id)
}

#[tokio::test]
async fn a_picture_shows_what_is_played_after_a_move_was_taken_back() {
    let server = start(Config::default()).await;
    let (mut client, id) = seated(&server, "eve").await;
    let path = format!("/image/game/{id}.svg");
    let before = get(&server, &path, "").await.text();
    let wish = WishName::TakeBack;
    client.ask(Ask::Wish { wish }).await.unwrap();
    let (ply, step) = (1, "f1g1".to_string());
    client.ask(Ask::Move { ply, step }).await.unwrap();
    let after = get(&server, &path, "").await.text();
    assert_ne!(before, after);
    let line = "/image/analysis/ashton/start/e4d4.f1g1.svg";
    assert_eq!(after, get(&server, line, "").await.text());
}

#[tokio::test]
async fn pictures_of_positions_and_games_decode() {
    let server = start(Config::default()).await;
    let id = game(&server, "ann").await;
    let line = "/image/analysis/ashton/9.9.1b1K5.9.9.9.9.9.9_b/b3c3.d3d2";
    let many = "?size=200&turn=2&theme=dark&arrows=red:e4e3,a1a2&marks=e5&coordinates=no&ply=1";
    for path in [
        format!("/image/game/{id}.png?size=200"),
        format!("{line}.png{many}"),
        "/image/analysis/berkeley.png?size=200".into(),
        "/image/analysis/ashton/9.9.9.9.9.9.9.9.9.png?size=200".into(),
        format!("/image/analysis/game/{id}.png?size=200&ply=0"),
    ] {
        let reply = get(&server, &path, "").await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert_eq!(reply.header("content-type"), "image/png");
        let decoder = png::Decoder::new(std::io::Cursor::new(&reply.body[..]));
        let reader = decoder.read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (200, 200));
    }
    let svg = get(&server, &format!("{line}.svg{many}"), "").await;
    assert_eq!(svg.header("content-type"), "image/svg+xml");
    assert!(svg.text().starts_with("<svg") && !svg.text().contains("script"));
    assert!(svg.header("cache-control").contains("max-age"));
    let gif = get(&server, &format!("/image/game/{id}.gif?size=120"), "").await;
    assert_eq!(gif.header("content-type"), "image/gif");
    // The game goes on, so its picture may change.
    assert_eq!(gif.header("cache-control"), "no-cache");
    let mut decoder = gif::DecodeOptions::new().read_info(&gif.body[..]).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (120, 120));
    let mut frames = 0;
    while decoder.read_next_frame().unwrap().is_some() {
        frames += 1;
    }
    assert_eq!(frames, 3);
    let tag = gif.header("etag");
    let again = format!("If-None-Match: {tag}\r\n");
    let again = get(&server, &format!("/image/game/{id}.gif?size=120"), &again).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[tokio::test]
async fn hostile_addresses_of_pictures_are_refused_in_words() {
    let server = start(Config::default()).await;
    let id = game(&server, "bob").await;
    let line = "e4e3.e3e4.".repeat(600);
    for (path, status, words) in [
        ("/image/".into(), 404, "nothing"),
        ("/image/x".into(), 400, ".svg, .png or .gif"),
        ("/image/game/none.png".into(), 404, "no such game"),
        (format!("/image/game/{id}.exe"), 400, ".svg"),
        (format!("/image/game/{id}.png?size=100000"), 400, "1200"),
        (format!("/image/game/{id}.png?ply=3"), 400, "at most 2"),
        (
            format!("/image/game/{id}.gif?size=1200&ply=2&arrows=e4e3"),
            400,
            "arrows",
        ),
        ("/image/analysis/none.png".into(), 404, "no rule set"),
        (
            "/image/analysis/ashton/x.png".into(),
            400,
            "is not a position",
        ),
        (
            "/image/analysis/ashton/7.7.7.7.7.7.7.png".into(),
            400,
            "7 rows",
        ),
        (
            "/image/analysis/ashton/start/a1a9.png".into(),
            400,
            "cannot be played",
        ),
        (
            "/image/analysis/ashton/start/zz.png".into(),
            400,
            "is not a move",
        ),
        (
            format!("/image/analysis/ashton/start/{line}.gif"),
            400,
            "at most 1000",
        ),
        (
            "/image/analysis/ashton/9.9.9.9.9.9.9.9.9_w.gif".into(),
            400,
            "no game can start",
        ),
        ("/image/analysis/ashton/%ff.png".into(), 400, "not text"),
        ("/embed/game/none".into(), 404, "no such game"),
        (format!("/embed/game/{id}?turn=9"), 400, "turn"),
    ] {
        let reply = get(&server, &path, "").await;
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        assert!(reply.text().contains(words), "{path}: {}", reply.text());
        assert!(
            reply
                .header("content-security-policy")
                .contains("frame-ancestors 'none'")
        );
    }
}

#[tokio::test]
async fn an_address_cannot_make_the_server_draw_all_day() {
    let proxy = Proxy {
        header: HeaderName::from_static("x-real-ip"),
        from: Vec::new(),
    };
    let config = Config {
        proxy: Some(proxy),
        ..Config::default()
    };
    let server = start(config).await;
    let ask = async |address: &str, n: usize, ending: &str| {
        let path = format!("/image/analysis/ashton/start/e4d4.{ending}?size=64&delay={n}");
        get(&server, &path, &format!("X-Real-IP: {address}\r\n")).await
    };
    let mut refused = None;
    for n in 100..130 {
        let reply = ask("192.0.2.1", n, "gif").await;
        if reply.status != 200 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("a limit");
    assert_eq!(refused.status, 429);
    assert!(refused.text().contains("too many pictures"));
    // What was made before is there for everybody, and others may still ask.
    assert_eq!(ask("192.0.2.1", 100, "gif").await.status, 200);
    assert_eq!(ask("192.0.2.2", 200, "gif").await.status, 200);
}

#[tokio::test]
async fn only_boards_for_other_sites_may_be_framed() {
    let server = start(Config::default()).await;
    let id = game(&server, "eve").await;
    let board = get(&server, &format!("/embed/game/{id}?turn=2"), "").await;
    assert_eq!(board.status, 200, "{}", board.text());
    let policy = board.header("content-security-policy");
    assert!(policy.contains("frame-ancestors *") && policy.contains("default-src 'none'"));
    assert!(!policy.contains("script-src"));
    let text = board.text();
    assert!(!text.contains("<script") && !text.contains("<b>"), "{text}");
    assert!(text.contains("&lt;b&gt;&quot;Ann&quot;"), "{text}");
    assert!(text.contains(">2 / 2<") && text.contains("href=\"?ply=1&amp;turn=2\""));
    assert_eq!(board.header("refresh"), "5");
    assert_eq!(board.header("set-cookie"), "");
    let italian = "Accept-Language: it\r\n";
    let back = get(
        &server,
        &format!("/embed/game/{id}?ply=0&theme=dark"),
        italian,
    )
    .await;
    assert_eq!(back.header("refresh"), "");
    assert!(back.text().contains("Apri in Tablut") && back.text().contains("class=\"dark\""));
    // What the board shows is there.
    for part in text
        .split('"')
        .filter(|part| part.starts_with("/image/") || part.starts_with("/a/"))
    {
        let path = part.replace("&amp;", "&");
        assert_eq!(get(&server, &path, "").await.status, 200, "{path}");
    }
    for path in [
        "/",
        "/game/x",
        "/style/page.css",
        "/image/analysis/ashton.svg",
        "/nothing",
    ] {
        let policy = get(&server, path, "").await;
        let policy = policy.header("content-security-policy").to_string();
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
    }
}

#[tokio::test]
async fn links_have_a_preview_of_what_everybody_may_see() {
    let server = start(Config::default()).await;
    let id = game(&server, "kim").await;
    let page = get(&server, &format!("/game/{id}?turn=2"), "").await;
    assert!(page.header("set-cookie").contains("tablut_visitor="));
    let text = page.text();
    assert!(text.contains("og:title\" content=\"○ &lt;b&gt;"), "{text}");
    let image = text.split("og:image\" content=\"").nth(1).unwrap();
    let image = image.split('"').next().unwrap().replace("&amp;", "&");
    let site = format!("http://{}", server.address());
    let path = image.strip_prefix(&site).unwrap();
    let picture = get(&server, path, "").await;
    assert_eq!(picture.header("content-type"), "image/png", "{path}");
    let line = get(&server, "/analysis/ashton/start/e4d4.d1c1", "").await;
    assert!(line.text().contains("e4d4 d1c1"), "{}", line.text());
    for path in [
        "/game/none",
        "/",
        "/rules/ashton",
        "/analysis/ashton/nonsense",
    ] {
        let page = get(&server, path, "").await;
        assert_eq!(page.status, 200, "{path}");
        assert!(!page.text().contains("\"og:"), "{path}");
    }
    for path in ["/gameX/none", "/a/app.js", "/views"] {
        assert_eq!(get(&server, path, "").await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_page_and_its_script_come_compressed_and_small() {
    let server = start(Config::default()).await;
    let browser = "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: de\r\n";
    let page = get(&server, "/", browser).await;
    assert_eq!(page.header("content-encoding"), "br");
    let plain = get(&server, "/", "Accept-Language: de\r\n").await;
    assert!(page.body.len() * 2 < plain.body.len());
    let text = plain.text();
    let mut sent = page.body.len();
    let scripts = text.split('"').filter(|part| part.starts_with("/a/"));
    for path in scripts {
        let file = get(&server, path, browser).await;
        assert_eq!(file.status, 200, "{path}");
        assert!(file.header("cache-control").contains("immutable"), "{path}");
        sent += file.body.len();
    }
    assert!(sent < 150_000, "the first visit takes {sent} bytes");
}
