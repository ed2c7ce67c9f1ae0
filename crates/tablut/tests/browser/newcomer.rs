//! Somebody who has never heard of the game, and one whose server is away.

use serde_json::json;

use crate::harness::{Browser, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_start_page_shows_the_game_and_lets_one_try_it() {
    let server = Server::start();
    let browser = Browser::open(&server, "").await;
    browser.says("h1", "Bring the king to the edge").await;
    // The picture moves by itself and ends with the king at the edge.
    browser
        .until(
            "return document.querySelector('.pieces [data-piece=K]').dataset.on",
            &json!("a3"),
        )
        .await;
    // Whoever presses a piece has the board: it stands at the start, and the piece shows its ways.
    browser.square("e4").await;
    browser.piece("e5", Some("K")).await;
    browser.find("[data-target=\"d4\"]").await;
    browser.says(".home-words", "A defender").await;
    browser.square("d4").await;
    browser.piece("d4", Some("w")).await;
    browser.says(".home-words", "Black to move").await;
    for (act, found) in [
        ("home-play", "[data-act=\"start\"]"),
        ("home-learn", "[data-part=\"lesson-rules\"]"),
        ("home-analyse", "[data-field=\"command\"]"),
    ] {
        browser.go("").await;
        browser.act(act).await;
        browser.find(found).await;
    }
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_page_opens_while_the_server_is_away_and_says_so() {
    let mut server = Server::start();
    let browser = Browser::open(&server, "").await;
    let controlled = "const done = arguments[0];
        navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ? done(true)
            : navigator.serviceWorker.addEventListener('controllerchange', () => done(true)));";
    browser
        .client
        .execute_async(controlled, Vec::new())
        .await
        .unwrap();
    // What comes through the worker is kept from now on. (A reload by the driver would pass it by.)
    browser.client.goto("about:blank").await.unwrap();
    browser.go("").await;
    browser.says("h1", "Bring the king").await;
    server.kill();
    browser.client.goto("about:blank").await.unwrap();
    browser.go("").await;
    browser
        .says("[data-part=\"away\"]", "The server is away.")
        .await;
    server.revive();
    browser.says("h1", "Bring the king").await;
    let manifest = "const done = arguments[0];
        fetch(document.querySelector('link[rel=manifest]').href).then((one) => one.json()).then((one) =>
            Promise.all(one.icons.map((icon) => fetch(icon.src).then((got) => got.ok && got.headers.get('content-type') === icon.type))))
            .then(done)";
    let icons = browser.client.execute_async(manifest, Vec::new()).await;
    assert_eq!(icons.unwrap(), json!([true, true, true, true]));
    browser.close().await;
}
