//! Several servers on one PostgreSQL: pages move from one to another, and the game goes on.

use std::{
    process::{Child, Command},
    time::{Duration, Instant},
};

use serde_json::json;

use crate::{
    harness::{Browser, Window},
    link_game::link,
    postgres,
    proxy::Proxy,
    server::launch_with,
};

/// Three servers on one database.
struct Replicas {
    children: Vec<Child>,
    urls: Vec<String>,
    store: String,
    // Dropped last.
    _database: postgres::Server,
}

impl Replicas {
    fn start() -> Self {
        let database = postgres::Server::start();
        let store = database.database("games");
        let started = (0..3).map(|_| launch_with(&store, "0", &[]));
        let (children, urls) = started.unzip();
        Self {
            children,
            urls,
            store,
            _database: database,
        }
    }

    /// A way to the servers for those who come to one of them first, and to the next ones after it.
    fn line(&self, first: usize) -> Proxy {
        let servers: Vec<&str> = (0..3)
            .map(|n| self.urls[(first + n) % 3].as_str())
            .collect();
        Proxy::to_any(&servers)
    }

    /// Kills a server as hard as possible.
    fn kill(&mut self, number: usize) {
        self.children[number].kill().unwrap();
        self.children[number].wait().unwrap();
    }

    /// Asks a server to end, and waits until it has.
    fn stop(&mut self, number: usize) {
        let id = self.children[number].id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        assert!(asked.unwrap().success());
        self.children[number].wait().unwrap();
    }

    /// Starts a server again at its old address.
    fn revive(&mut self, number: usize) {
        let url = &self.urls[number];
        let port = url.trim_end_matches('/').rsplit(':').next().unwrap();
        self.children[number] = launch_with(&self.store, port, &[]).0;
    }
}

impl Drop for Replicas {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

async fn open(line: &Proxy, path: &str) -> Browser {
    Browser::at(&line.url, path, Window::Desk, "en").await
}

/// Ann at the first server, Bob at the second, Eve who watches at the third; and their lines.
async fn three(servers: &Replicas) -> ([Browser; 3], [Proxy; 3]) {
    let lines = [0, 1, 2].map(|number| servers.line(number));
    let ann = open(&lines[0], "#play").await;
    ann.click("[data-choice=\"link\"]").await;
    ann.click("[data-choice=\"white\"]").await;
    ann.choose("control", "total:600000+5000").await;
    ann.act("start").await;
    let (play, watch) = (link(&ann, "play").await, link(&ann, "watch").await);
    let bob = open(&lines[1], &play).await;
    ann.says(".turn", "Your turn").await;
    let eve = open(&lines[2], &watch).await;
    eve.says(".cards", "You are watching.").await;
    ([ann, bob, eve], lines)
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_game_goes_on_though_each_of_its_servers_is_killed() {
    let mut servers = Replicas::start();
    let ([ann, bob, eve], _lines) = three(&servers).await;
    let steps = [
        "e4d4", "d1c1", "d4e4", "c1c2", "e4f4", "c2c3", "f4e4", "c3c4",
    ];
    for (ply, step) in steps.into_iter().enumerate() {
        let [mover, other] = match ply % 2 {
            0 => [&ann, &bob],
            _ => [&bob, &ann],
        };
        mover.says(".turn", "Your turn").await;
        let begin = Instant::now();
        mover.command(step).await;
        for browser in [other, &eve, mover] {
            browser
                .piece(&step[2..], Some(if ply % 2 == 0 { "w" } else { "b" }))
                .await;
            browser.moves(ply + 1).await;
        }
        println!("move {}: seen by all after {:?}", ply + 1, begin.elapsed());
        // After each second move another server dies; the one before it is back.
        if ply % 2 == 1 && ply < 6 {
            let dies = ply / 2;
            servers.kill(dies);
            let begin = Instant::now();
            // Whoever was there has lost the connection, and has one again.
            [&ann, &bob, &eve][dies]
                .says("#toast", "Connected again.")
                .await;
            println!(
                "server {dies} was killed; its page is back after {:?}",
                begin.elapsed()
            );
            for (browser, player) in [(&ann, "black"), (&bob, "white")] {
                let css = format!("[data-player=\"{player}\"]");
                let script =
                    format!("return document.querySelector('{css}').innerText.includes('away')");
                browser.until(&script, &json!(false)).await;
            }
            servers.revive(dies);
        }
    }
    ann.act("resign").await;
    ann.act("resign").await;
    for browser in [&ann, &bob, &eve] {
        browser.says("[data-outcome]", "Black wins").await;
        browser.moves(steps.len()).await;
    }
}

/// Notes whether the page ever says that it is offline.
const WATCH: &str = "window.wasOffline = false;
    new MutationObserver(() => { window.wasOffline ||= document.body.classList.contains('offline'); })
        .observe(document.body, { attributes: true });
    return true";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_server_that_is_told_to_stop_hands_its_pages_over() {
    let mut servers = Replicas::start();
    let ([ann, bob, eve], _lines) = three(&servers).await;
    ann.command("e4d4").await;
    bob.says(".turn", "Your turn").await;
    for browser in [&ann, &bob, &eve] {
        browser.client.execute(WATCH, Vec::new()).await.unwrap();
    }
    for number in 0..2 {
        servers.stop(number);
        servers.revive(number);
    }
    bob.command("d1c1").await;
    for browser in [&ann, &bob, &eve] {
        browser.piece("c1", Some("b")).await;
        browser
            .until("return window.wasOffline", &json!(false))
            .await;
    }
    ann.says(".turn", "Your turn").await;
    // The clock of whoever is to move runs.
    let clock = "return document.querySelector('[data-player=\"white\"] .clock')?.innerText";
    let before = ann.client.execute(clock, Vec::new()).await.unwrap();
    let begin = Instant::now();
    while ann.client.execute(clock, Vec::new()).await.unwrap() == before {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "{before} stands still"
        );
    }
}
