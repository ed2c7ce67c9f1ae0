//! A server and a worker as those who run them see them: whether they live, figures, ids of requests, logs.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use sqlx::{AnyConnection, Connection as _, Executor as _};
use tablut_web::client::Client;

use crate::{
    patience::{PATIENCE, until},
    postgres, server,
};

/// A server that logs into a file and ends with the test.
struct Server {
    child: Child,
    /// Where it is, without `http://`.
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(store: &str, log: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tablut"))
            .args(["serve", "--no-open", "--port", "0", "--store", store])
            .args(["--log", "info", "--log-json"])
            .stdout(Stdio::piped())
            .stderr(File::create(log).unwrap())
            .spawn()
            .unwrap();
        let address = server::address(&mut child);
        let address = address.trim_start_matches("http://");
        let address = address.trim_end_matches('/').to_string();
        Self { child, address }
    }

    /// What it answers at a path, with one more header.
    fn get(&self, path: &str, header: &str) -> Response {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = &self.address;
        let ask =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{header}\r\n");
        stream.write_all(ask.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse();
        let headers = lines.filter_map(|line| line.split_once(": "));
        Response {
            status: status.unwrap(),
            headers: headers
                .map(|(name, value)| (name.to_lowercase(), value.to_string()))
                .collect(),
            body: body.to_string(),
        }
    }
}

struct Response {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Response {
    fn header(&self, name: &str) -> &str {
        let mut values = self.headers.iter().filter(|(of, _)| of == name);
        let (_, value) = values
            .next()
            .unwrap_or_else(|| panic!("there is no {name}"));
        assert!(values.next().is_none(), "{name} is there once");
        value
    }

    /// A figure of Prometheus.
    fn figure(&self, name: &str) -> f64 {
        let mut lines = self.body.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let value = value.unwrap_or_else(|| panic!("there is no {name} in {}", self.body));
        value.parse().unwrap()
    }
}

/// Waits for a line of a log, all of whose lines are JSON objects but for those that tell people what was started.
fn logged(log: &Path, wanted: impl Fn(&Value) -> bool) -> Value {
    let found = || {
        let text = fs::read_to_string(log).unwrap();
        let objects = text.lines().filter(|line| line.starts_with('{'));
        let mut objects = objects.filter_map(|line| serde_json::from_str(line).ok());
        objects.find(&wanted)
    };
    until("a line of the log", || found().is_some());
    found().expect("a log only grows")
}

#[tokio::test]
async fn a_server_says_that_it_lives_and_counts_what_it_does() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let server = Server::start(store.to_str().unwrap(), &folder.path().join("log"));
    for (path, body) in [("/healthz", "alive\n"), ("/readyz", "ready\n")] {
        let answer = server.get(path, "");
        assert_eq!((answer.status, answer.body.as_str()), (200, body));
    }
    let before = server.get("/metrics", "");
    assert_eq!(before.status, 200);
    let form = before.header("content-type");
    assert!(form.starts_with("application/openmetrics-text"), "{form}");
    assert!(before.body.ends_with("# EOF\n"), "{}", before.body);
    assert_eq!(before.figure("tablut_pages"), 0.0);
    let _page = Client::call(&server.address, &"a".repeat(24))
        .await
        .unwrap();
    let after = server.get("/metrics", "");
    assert_eq!(after.figure("tablut_pages"), 1.0);
    for figure in [
        "tablut_requests_total",
        "tablut_connections",
        "tablut_games",
        "tablut_engine_orders",
        "tablut_answer_seconds_count",
    ] {
        assert!(after.figure(figure) >= 0.0, "{figure}");
    }
    assert!(after.figure("tablut_store_questions") > 0.0);
    assert!(after.figure("tablut_store_seconds") > 0.0);
    // Whoever comes through a proxy is not at this machine.
    let far = server.get("/metrics", "X-Forwarded-For: 192.0.2.1\r\n");
    assert_eq!(far.status, 403);
}

#[test]
fn every_request_has_an_id_in_its_answer_and_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let (store, log) = (folder.path().join("games.db"), folder.path().join("log"));
    let server = Server::start(store.to_str().unwrap(), &log);
    // Of a proxy, or a new one; what would spoil a log is not taken over.
    let given = server.get("/healthz", "X-Request-Id: proxy-17.a_b\r\n");
    assert_eq!(given.header("x-request-id"), "proxy-17.a_b");
    let mut ids = vec!["proxy-17.a_b".to_string()];
    let long = format!("X-Request-Id: {}\r\n", "a".repeat(65));
    for header in ["", "X-Request-Id: a b\r\n", "X-Request-Id: \"}\r\n", &long] {
        let answer = server.get("/readyz", header);
        let id = answer.header("x-request-id").to_string();
        assert!(!header.contains(&id), "{header:?} was taken over");
        assert!(!ids.contains(&id), "{id} is there twice");
        ids.push(id);
    }
    // Also of what is refused.
    let refused = server.get("/healthz", "Origin: https://example.com\r\n");
    assert_eq!(refused.status, 403);
    ids.push(refused.header("x-request-id").to_string());
    for id in ids {
        let line = logged(&log, |line| line["span"]["id"] == id.as_str());
        assert_eq!(line["message"], "answered");
        assert_eq!(line["method"], "GET");
        let path = if line["path"] == "/readyz" {
            "/readyz"
        } else {
            "/healthz"
        };
        assert_eq!(line["path"], path);
        assert!(line["status"].is_u64() && line["ms"].is_u64(), "{line}");
        assert!(line["timestamp"].is_string() && line["level"] == "INFO");
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test --only database"]
fn a_server_without_its_database_lives_but_is_not_ready() {
    let database = postgres::Server::start();
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&database.database("games"), &folder.path().join("log"));
    let ready = |wanted: u16| {
        until(&format!("{wanted} from /readyz"), || {
            server.get("/readyz", "").status == wanted
        });
    };
    ready(200);
    assert!(database.stop());
    ready(503);
    assert_eq!(server.get("/healthz", "").status, 200);
    database.resume();
    ready(200);
}

/// Takes all tables away under a server, which says why it is not ready until they are back.
async fn tables_come_and_go(store: &str, folder: &Path, away: &[&'static str], back: &'static str) {
    let server = Server::start(store, &folder.join("log"));
    let says = |wanted: &str| {
        until(&format!("{wanted:?} from /readyz"), || {
            server.get("/readyz", "").body.starts_with(wanted)
        });
    };
    says("ready");
    sqlx::any::install_default_drivers();
    let url = match store.contains("://") {
        true => store.into(),
        false => format!("sqlite://{store}"),
    };
    let mut other = AnyConnection::connect(&url).await.unwrap();
    for sql in away {
        other.execute(*sql).await.unwrap();
    }
    says("the store has no tables");
    assert_eq!(server.get("/readyz", "").status, 503);
    assert_eq!(server.get("/healthz", "").status, 200);
    assert_eq!(server.get("/", "").status, 200);
    other.execute(back).await.unwrap();
    says("ready");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_file_lost_its_tables_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let away = ["ALTER TABLE setting RENAME TO elsewhere"];
    let back = "ALTER TABLE elsewhere RENAME TO setting";
    tables_come_and_go(store.to_str().unwrap(), folder.path(), &away, back).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn a_server_whose_database_lost_its_tables_says_so() {
    let database = postgres::Server::start();
    let folder = tempfile::tempdir().unwrap();
    let away = [
        "ALTER SCHEMA public RENAME TO elsewhere",
        "CREATE SCHEMA public",
    ];
    let back = "DROP SCHEMA public; ALTER SCHEMA elsewhere RENAME TO public";
    tables_come_and_go(&database.database("games"), folder.path(), &away, back).await;
}
