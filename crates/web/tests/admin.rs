//! What the administrator sees of all servers, and limits that all servers keep together.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tablut_host::{Host, Limits};
use tablut_store::{Location, Store};
use tablut_web::{Config, Running, Traffic, serve};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest, http::HeaderValue},
};

const TOKEN: &str = "a token that nobody guesses";

/// How long anything may take that should happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a store, and its host.
async fn start(store: &Store, name: &str, traffic: Traffic) -> (Running, Host) {
    let config = Config {
        admin: Some(TOKEN.into()),
        traffic,
        ..Config::default()
    };
    let host = Host::new(store.clone(), Limits::default());
    let running = serve(config, host.clone()).await.unwrap();
    host.appear(name.into()).await.unwrap();
    (running, host)
}

/// A page of somebody who is not at this machine.
struct Page(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Page {
    /// Nothing if the server does not let it in.
    async fn open(server: &Running) -> Option<Self> {
        let address = server.address();
        let url = format!("ws://{address}/socket");
        let mut request = url.into_client_request().unwrap();
        for (name, value) in [
            ("origin", format!("http://{address}")),
            ("cookie", format!("tablut_visitor={}", "v".repeat(24))),
            ("x-forwarded-for", "192.0.2.7".into()),
        ] {
            let value = HeaderValue::from_str(&value).unwrap();
            request.headers_mut().insert(name, value);
        }
        Some(Self(connect_async(request).await.ok()?.0))
    }

    async fn ask(&mut self, mut question: Value) -> Value {
        question["id"] = 1.into();
        let text = question.to_string();
        self.0.send(Message::text(text)).await.unwrap();
        loop {
            if let Message::Text(text) = self.0.next().await.unwrap().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }
}

#[tokio::test]
async fn the_administrator_sees_every_process_and_drains_one() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let (one, _host) = start(&store, "board:1", Traffic::default()).await;
    let (two, other) = start(&store, "board:2", Traffic::default()).await;
    let mut page = Page::open(&one).await.unwrap();
    let seen = page.ask(json!({ "do": "admin", "token": TOKEN })).await;
    let seen = &seen["ok"]["admin"];
    let processes = seen["processes"].as_array().unwrap();
    let names: Vec<_> = processes.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["board:1", "board:2"]);
    assert_eq!(processes[0]["here"], true);
    assert_eq!(seen["queues"].as_array().unwrap().len(), 3);
    let limits = seen["limits"].as_array().unwrap();
    assert!(
        limits
            .iter()
            .any(|one| one["limit"] == "pages" && one["used"] == 1)
    );
    // One process is told to end, and hears it; the other is not.
    let drain = |process: &str| json!({ "do": "drain", "token": TOKEN, "process": process });
    let drained = page.ask(drain(&other.process())).await;
    assert_eq!(drained["ok"], "done");
    timeout(PATIENCE, other.drained()).await.expect("it hears");
    let told = store.processes().await.unwrap();
    assert_eq!(told.iter().filter(|process| process.drains).count(), 1);
    let gone = page.ask(drain("nobody")).await;
    assert!(gone["error"]["text"].as_str().unwrap().contains("ended"));
    two.stop().await;
}

#[tokio::test]
async fn nobody_else_does_and_nobody_finds_the_token_by_trying() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let (server, host) = start(&store, "board:1", Traffic::default()).await;
    let mut page = Page::open(&server).await.unwrap();
    let process = host.process().to_string();
    for token in ["", "a token"] {
        for question in [
            json!({ "do": "admin", "token": token }),
            json!({ "do": "drain", "token": token, "process": process }),
        ] {
            let refused = page.ask(question).await;
            let text = refused["error"]["text"].as_str().unwrap();
            assert!(text.contains("not the administrator's token"), "{text}");
        }
    }
    let mut text = String::new();
    for n in 0..30 {
        let refused = page
            .ask(json!({ "do": "admin", "token": n.to_string() }))
            .await;
        text = refused["error"]["text"].to_string();
    }
    assert!(text.contains("Too many"), "{text}");
    // By then the right one is not heard either.
    let late = page.ask(json!({ "do": "admin", "token": TOKEN })).await;
    assert!(late["error"]["text"].is_string());
    assert!(!store.processes().await.unwrap()[0].drains);
}

#[tokio::test]
async fn an_address_has_so_many_pages_at_all_servers_together() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let traffic = Traffic {
        pages_per_address: 2,
        ..Traffic::default()
    };
    let (one, _host) = start(&store, "board:1", traffic).await;
    let (two, _other) = start(&store, "board:2", traffic).await;
    let pages = [Page::open(&one).await, Page::open(&one).await];
    assert!(pages.iter().all(Option::is_some));
    assert!(Page::open(&one).await.is_none());
    // The other server hears of them with the heartbeats.
    let heard = async {
        while Page::open(&two).await.is_some() {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(PATIENCE, heard).await.expect("it is refused");
    // What is closed at one is free at the other.
    drop(pages);
    let free = async {
        while Page::open(&two).await.is_none() {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(PATIENCE, free).await.expect("it is let in");
}
