//! Who may correct a tournament on the page, and what is told to whom.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tablut_host::{Host, Limits, tournament::Contest};
use tablut_store::{Location, State, Store};
use tablut_web::{Config, Running, serve};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest, http::HeaderValue},
};

const TOKEN: &str = "a token that nobody guesses";

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

async fn start(organiser: Option<&str>) -> Running {
    let store = Store::open(&Location::Memory).await.unwrap();
    let prepared = Contest::prepare(&store, PLAN, "ashton", State::Paused).await;
    assert!(prepared.unwrap().is_new);
    let config = Config {
        organiser: organiser.map(Into::into),
        ..Config::default()
    };
    let host = Host::new(store, Limits::default());
    serve(config, host).await.unwrap()
}

/// A page, from this machine or from elsewhere.
struct Page(WebSocketStream<MaybeTlsStream<TcpStream>>, u32);

impl Page {
    async fn open(server: &Running, is_local: bool) -> Self {
        let address = server.address();
        let url = format!("ws://{address}/socket");
        let mut request = url.into_client_request().unwrap();
        let mut set = |name: &'static str, value: String| {
            let value = HeaderValue::from_str(&value).unwrap();
            request.headers_mut().insert(name, value);
        };
        set("origin", format!("http://{address}"));
        set("cookie", format!("tablut_visitor={}", "v".repeat(24)));
        if !is_local {
            set("x-forwarded-for", "192.0.2.7".into());
        }
        Self(connect_async(request).await.unwrap().0, 0)
    }

    async fn ask(&mut self, mut question: Value) -> Value {
        self.1 += 1;
        question["id"] = self.1.into();
        let text = question.to_string();
        self.0.send(Message::text(text)).await.unwrap();
        loop {
            if let Message::Text(text) = self.0.next().await.unwrap().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    async fn correct(&mut self, correction: Value) -> Value {
        self.ask(json!({
            "do": "correctTournament", "tournament": "cup", "correction": correction, "why": "a test",
        }))
        .await
    }

    async fn tournament(&mut self) -> Value {
        let answer = self
            .ask(json!({"do": "tournament", "tournament": "cup"}))
            .await;
        answer["ok"]["tournament"].clone()
    }

    /// Why something is refused.
    async fn refused(&mut self, question: Value) -> String {
        let answer = self.ask(question).await;
        answer["error"]["text"].as_str().unwrap().to_string()
    }
}

fn decide() -> Value {
    json!({"kind": "result", "game": 1, "winner": "black"})
}

#[tokio::test]
async fn only_the_organiser_corrects_a_tournament() {
    let server = start(Some(TOKEN)).await;
    let mut stranger = Page::open(&server, false).await;
    let seen = stranger.tournament().await;
    assert_eq!(
        (&seen["control"], &seen["token"]),
        (&json!(false), &json!(true))
    );
    let refused = stranger.correct(decide()).await;
    assert!(
        refused["error"]["text"]
            .as_str()
            .unwrap()
            .contains("organiser"),
        "{refused}"
    );
    for wish in ["start", "pause", "delete"] {
        let ask = json!({"do": "runTournament", "tournament": "cup", "wish": wish});
        assert!(stranger.refused(ask).await.contains("organiser"));
    }
    // With the token it is another matter.
    let right = json!({"do": "organise", "token": TOKEN});
    assert_eq!(stranger.ask(right).await["ok"], "done");
    let done = stranger.correct(decide()).await;
    assert_eq!(done["ok"]["corrected"]["number"], 1, "{done}");
    let seen = stranger.tournament().await;
    assert_eq!(seen["control"], true);
    assert_eq!(seen["fixtures"][0]["ruling"], "decided");
    let by = seen["corrections"][0]["made"]["by"].as_str().unwrap();
    assert!(by.contains("token"), "{by}");
    // But nobody from elsewhere has programs started here.
    let change = json!({"kind": "changeTeam", "team": 0, "to": {"plays": "client:./evil"}});
    let refused = stranger.correct(change.clone()).await;
    assert!(
        refused["error"]["text"]
            .as_str()
            .unwrap()
            .contains("own machine"),
        "{refused}"
    );
    let mut local = Page::open(&server, true).await;
    assert_eq!(local.correct(change).await["ok"]["corrected"]["number"], 2);
    // Who watches sees what was corrected and why, not by whom or with which program.
    let mut other = Page::open(&server, false).await;
    let seen = other.tournament().await;
    assert_eq!(seen["corrections"][0]["made"]["why"], "a test");
    assert_eq!(seen["corrections"][0]["made"]["by"], Value::Null);
    assert!(!seen.to_string().contains("evil"), "{seen}");
    server.stop().await;
}

#[tokio::test]
async fn a_token_is_not_guessed_and_none_is_none() {
    let server = start(Some(TOKEN)).await;
    let mut page = Page::open(&server, false).await;
    let wrong = json!({"do": "organise", "token": "a guess"});
    assert!(
        page.refused(wrong.clone())
            .await
            .contains("not the organiser's token")
    );
    for _ in 0..40 {
        page.refused(wrong.clone()).await;
    }
    // Another connection does not help.
    let mut again = Page::open(&server, false).await;
    let said = again.refused(wrong.clone()).await;
    assert!(said.contains("Too many"), "{said}");
    assert_eq!(again.tournament().await["control"], false);
    server.stop().await;

    let server = start(None).await;
    let mut page = Page::open(&server, false).await;
    assert_eq!(page.tournament().await["token"], false);
    let empty = json!({"do": "organise", "token": ""});
    assert!(
        page.refused(empty)
            .await
            .contains("not the organiser's token")
    );
    server.stop().await;
}

#[tokio::test]
async fn what_cannot_be_corrected_is_refused_in_words() {
    let server = start(None).await;
    let mut page = Page::open(&server, true).await;
    for (correction, part) in [
        (
            json!({"kind": "withdraw", "team": 7, "annul": true}),
            "no such team",
        ),
        (json!({"kind": "replay", "game": 1}), "no result yet"),
        (json!({"kind": "replay", "game": 0}), "reload"),
        (json!({"kind": "undo", "number": 3}), "no correction 3"),
        (json!({"kind": "set", "seconds": -1.0}), "expected a time"),
        (
            json!({"kind": "set", "seconds": 1.0, "maxPlies": u64::MAX}),
            "reload",
        ),
        (
            json!({"kind": "addTeam", "name": "a\u{7}b", "plays": "random"}),
            "reload",
        ),
        (
            json!({"kind": "addTeam", "name": "Alpha", "plays": "random", "group": "1"}),
            "another team",
        ),
        (json!({"kind": "restore"}), "not archived"),
        (json!({"kind": "burn"}), "reload"),
    ] {
        let answer = page.correct(correction.clone()).await;
        let said = answer["error"]["text"].as_str().unwrap_or_default();
        assert!(said.contains(part), "{correction}: {answer}");
    }
    let ask = json!({"do": "runTournament", "tournament": "cup", "wish": "delete"});
    assert!(page.refused(ask.clone()).await.contains("not archived"));
    let none =
        json!({"do": "correctTournament", "tournament": "cup", "correction": decide(), "why": " "});
    assert!(page.refused(none).await.contains("Give a reason"));
    assert_eq!(
        page.correct(json!({"kind": "archive"})).await["ok"]["corrected"]["number"],
        1
    );
    assert_eq!(page.ask(ask).await["ok"], "done");
    let gone = page
        .refused(json!({"do": "tournament", "tournament": "cup"}))
        .await;
    assert_eq!(gone, "There is no such tournament here.");
    server.stop().await;
}
