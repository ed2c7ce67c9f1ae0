//! The browser's driver, and how both start and end.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::{
    harness::{Browser, PATIENCE, Server},
    server::mortal,
};

/// The shape of a window.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Window {
    Desk,
    Phone,
}

/// A driver, which starts a browser and moves it. It ends with the test, even one that is killed, and the browser
/// ends with it.
pub(crate) struct Driver {
    child: Child,
    port: u16,
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Driver {
    pub(crate) fn start() -> Self {
        let port = free_port();
        let child = mortal("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, port }
    }

    /// Starts a browser, as soon as the driver has started.
    pub(crate) async fn connect(&self, profile: &TempDir, window: Window, lang: &str) -> Client {
        let begin = Instant::now();
        loop {
            let client = ClientBuilder::new(HttpConnector::new())
                .capabilities(capabilities(profile, window, lang))
                .connect(&format!("http://127.0.0.1:{}", self.port))
                .await;
            match client {
                Ok(client) => return client,
                Err(error) if begin.elapsed() > PATIENCE => {
                    panic!("no browser (apt-get install chromium chromium-driver): {error}")
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Sends an order of the driver's own, which WebDriver does not have.
    pub(crate) fn order(&self, path: &str, body: &str) {
        let address = format!("127.0.0.1:{}", self.port);
        let mut driver = TcpStream::connect(&address).unwrap();
        let length = body.len();
        write!(
            driver,
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
        .unwrap();
        // The driver keeps connections open, so its answer ends where it says.
        let mut answer = BufReader::new(driver);
        let mut status = String::new();
        answer.read_line(&mut status).unwrap();
        assert!(status.starts_with("HTTP/1.1 200"), "{path}: {status}");
    }

    /// Its own process and those of the browser.
    fn processes(&self) -> Vec<u32> {
        let mut found = vec![self.child.id()];
        let mut seen = 0;
        while let Some(parent) = found.get(seen).copied() {
            seen += 1;
            // Every thread of a process has children of its own.
            for thread in fs::read_dir(format!("/proc/{parent}/task")).unwrap() {
                let children = fs::read_to_string(thread.unwrap().path().join("children"));
                let children = children.unwrap_or_default();
                found.extend(
                    children
                        .split_whitespace()
                        .map(|id| id.parse::<u32>().unwrap()),
                );
            }
        }
        found
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn capabilities(profile: &TempDir, window: Window, lang: &str) -> Map<String, Value> {
    let (width, height, ratio) = match window {
        Window::Desk => (1280, 900, 1),
        Window::Phone => (390, 844, 2),
    };
    let is_phone = window == Window::Phone;
    let args = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        // Over a pipe to its driver, with whose end it ends too; at a port it would wait for another.
        "--remote-debugging-pipe",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--window-size=1300,1000",
        &format!("--lang={lang}"),
        &format!("--user-data-dir={}", profile.path().display()),
    ];
    let options = json!({
        "args": args,
        "prefs": { "intl.accept_languages": lang },
        "mobileEmulation": { "deviceMetrics": {
            "width": width, "height": height, "pixelRatio": ratio, "mobile": is_phone, "touch": is_phone,
        } },
    });
    let all = json!({ "goog:chromeOptions": options });
    all.as_object().unwrap().clone()
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_browser_that_nobody_closes_ends_with_its_driver() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    let processes = browser.driver.processes();
    assert!(processes.len() > 3, "{processes:?}");
    drop(browser);
    let begin = Instant::now();
    for process in processes {
        let process = format!("/proc/{process}");
        while Path::new(&process).exists() {
            assert!(begin.elapsed() < PATIENCE, "{process}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
