//! Several servers on one PostgreSQL: pages move from one to another, and the game goes on.

use std::{
    process::{Child, Command},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

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

/// Notes in a page when it sends which move, when it first shows how many, and when it says that it is connected
/// again; and with each move how long a request takes that asks for nothing. All pages of a machine have one clock.
const NOTE: &str = r#"
    const now = () => performance.timeOrigin + performance.now();
    const noted = { sent: {}, seen: {}, back: [], idle: [] };
    window.noted = noted;
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        const message = JSON.parse(text);
        if (message.do === 'move') {
            noted.sent[message.ply + 1] ??= now();
            const begin = now();
            fetch('/healthz').then(() => noted.idle.push(now() - begin), () => {});
        }
        return send.call(this, text);
    };
    let wasBack = false;
    new MutationObserver(() => {
        noted.seen[document.querySelectorAll('.move').length] ??= now();
        const isBack = document.querySelector('#toast')?.textContent.includes('Connected again.');
        if (isBack && !wasBack) noted.back.push(now());
        wasBack = isBack;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return true"#;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// What a page has noted.
async fn noted(page: &Browser) -> Value {
    let noted = page.client.execute("return window.noted", Vec::new());
    noted.await.unwrap()
}

/// Twelve moves of each side, none of which comes back to a position.
const STEPS: [&str; 24] = [
    "e4d4", "d1c1", "d4e4", "c1c2", "e4f4", "c2c3", "f4e4", "c3b3", // white, black, …
    "e4d4", "b3b2", "d4e4", "b2b1", "e4f4", "b1a1", "f4e4", "a1a2", //
    "e4d4", "a2a3", "d4e4", "a3c3", "e4f4", "c3c4", "f4e4", "c4b4",
];

/// Times are asserted in no other story. These two are promised (docs/hosting.md), so they are measured where people
/// would notice them: by the clocks of the pages, without the time that a test needs to ask. A machine that is
/// busy with other browsers and builds must not decide it: of the moves the median counts, less what a request takes
/// at the same moments that asks for nothing (a few milliseconds on a quiet machine); and ten times as long as a page
/// takes to come back is still in time.
const MOVE_MS: f64 = 100.0;
const TAKEOVER_MS: f64 = 5000.0;

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_game_goes_on_though_each_of_its_servers_is_killed() {
    let mut servers = Replicas::start();
    let ([ann, bob, eve], _lines) = three(&servers).await;
    for page in [&ann, &bob, &eve] {
        page.client.execute(NOTE, Vec::new()).await.unwrap();
    }
    let mut takeovers = Vec::new();
    for (ply, step) in STEPS.into_iter().enumerate() {
        let [mover, other] = match ply % 2 {
            0 => [&ann, &bob],
            _ => [&bob, &ann],
        };
        mover.says(".turn", "Your turn").await;
        mover.command(step).await;
        for page in [other, &eve, mover] {
            page.moves(ply + 1).await;
        }
        // After each eighth move another server dies; the one before it is back.
        if ply % 8 == 7 {
            let dies = ply / 8;
            servers.kill(dies);
            let killed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            // Whoever was there has lost the connection, and has one again.
            let page = [&ann, &bob, &eve][dies];
            page.says("#toast", "Connected again.").await;
            let back = noted(page).await["back"]
                .as_array()
                .unwrap()
                .last()
                .cloned();
            takeovers.push(back.unwrap().as_f64().unwrap() - killed.as_secs_f64() * 1000.0);
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
        browser.piece("b4", Some("b")).await;
        browser.piece("e4", Some("w")).await;
        browser.says("[data-outcome]", "Black wins").await;
        browser.moves(STEPS.len()).await;
    }
    let (ann, bob) = (noted(&ann).await, noted(&bob).await);
    let late = |ply: usize| {
        let [mover, other] = match ply % 2 {
            1 => [&ann, &bob],
            _ => [&bob, &ann],
        };
        let at = |times: &Value| times[ply.to_string()].as_f64().unwrap();
        at(&other["seen"]) - at(&mover["sent"])
    };
    let late: Vec<f64> = (1..=STEPS.len()).map(late).collect();
    let idle = [&ann, &bob].map(|page| page["idle"].as_array().unwrap().iter());
    let idle: Vec<f64> = idle
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect();
    let (late, idle) = (median(late), median(idle));
    println!("the other side saw moves after {late:.1} ms, nothing took {idle:.1} ms (medians)");
    println!("pages whose server was killed were back after {takeovers:.0?} ms");
    assert!(late - idle < MOVE_MS, "half the moves came after {late} ms");
    for took in takeovers {
        assert!(took < TAKEOVER_MS, "a page was back only after {took} ms");
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
