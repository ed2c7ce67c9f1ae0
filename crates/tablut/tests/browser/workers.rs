//! A server that does not think itself, workers that do, and the administrator who looks at both.

use std::process::{Child, Stdio};

use crate::{
    harness::{Browser, Window},
    looks::{calm, look, set_theme},
    postgres,
    server::{launch_with, mortal},
};

const TOKEN: &str = "known-to-the-administrator";

/// How many moves are being thought about, as the administrator's page says.
const UNDER_WAY: &str =
    "return Number(document.querySelector('[data-queue=\"games\"] td:nth-child(3)')?.innerText)";

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn worker(store: &str) -> Self {
        let worker = mortal(env!("CARGO_BIN_EXE_tablut"))
            .args(["worker", "--jobs", "games,analysis", "--store", store])
            .stderr(Stdio::null())
            .spawn();
        Self(worker.unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_move_comes_from_another_worker_when_one_is_killed_and_the_administrator_sees_it() {
    let database = postgres::Server::start();
    let store = database.database("games");
    let flags = ["--engines", "none", "--admin-token", TOKEN];
    let (server, url) = launch_with(&store, "0", &flags);
    let _server = Process(server);
    let mut first = Process::worker(&store);
    let at = async |path: &str| Browser::at(&url, path, Window::Desk, "en").await;

    let admin = at("#admin").await;
    admin.find("[data-field=\"admin-token\"]").await;
    for theme in ["light", "dark"] {
        set_theme(&admin, theme).await;
        look(&admin, "admin-door", theme).await;
    }
    admin.fill("admin-token", "a guess").await;
    admin.act("administer").await;
    // A refusal asks again, in a new field.
    let asked = "return document.querySelector('[data-field=\"admin-token\"]')?.value";
    admin.until(asked, &"".into()).await;
    assert!(!admin.has("[data-process]").await);
    admin.fill("admin-token", TOKEN).await;
    admin.act("administer").await;
    let both = "return document.querySelectorAll('[data-process]').length";
    admin.until(both, &2.into()).await;

    let visitor = at("#play").await;
    visitor.click("[data-choice=\"engine\"]").await;
    visitor.click("[data-choice=\"white\"]").await;
    visitor.choose("engine", "time:5").await;
    // These have no book: the engine thinks.
    visitor.choose("rules", "ashton-siege").await;
    visitor.act("start").await;
    visitor.says(".turn", "Your turn").await;
    visitor.command("e4d4").await;
    admin.until(UNDER_WAY, &1.into()).await;
    first.0.kill().unwrap();
    first.0.wait().unwrap();
    assert_eq!(visitor.count(".move").await, 1);
    let mut second = Process::worker(&store);
    visitor.moves(2).await;

    for theme in ["light", "dark"] {
        set_theme(&admin, theme).await;
        calm(&admin).await;
        look(&admin, "admin", theme).await;
    }
    let worker = "const rows = [...document.querySelectorAll('[data-process]')];
        rows.find((row) => row.innerText.includes('games')).querySelector('[data-act=\"drain\"]').click()";
    admin.client.execute(worker, Vec::new()).await.unwrap();
    for theme in ["light", "dark"] {
        set_theme(&admin, theme).await;
        look(&admin, "drain", theme).await;
    }
    admin.act("drain-now").await;
    assert!(second.0.wait().unwrap().success());
}
