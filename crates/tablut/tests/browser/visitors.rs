//! Two visitors, two worlds.

use serde_json::json;

use crate::harness::{Browser, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn slots_and_games_of_two_visitors_do_not_mix() {
    let mut server = Server::start();
    let ann = Browser::open(&server, "#analysis").await;
    let bob = Browser::open(&server, "#analysis").await;
    for browser in [&ann, &bob] {
        browser.drawer("keep").await;
        browser.find("[data-slot=\"3\"]").await;
    }
    ann.keys(&['3']).await;
    ann.find("[data-slot=\"3\"][data-filled]").await;
    bob.command("clear").await;
    bob.until(
        "return document.querySelectorAll('.pieces > *').length",
        &json!(0),
    )
    .await;
    bob.blur().await;
    bob.keys(&['7']).await;
    bob.find("[data-slot=\"7\"][data-filled]").await;

    server.restart();
    for (browser, own, other) in [(&ann, "3", "7"), (&bob, "7", "3")] {
        browser.client.refresh().await.unwrap();
        browser.drawer("keep").await;
        browser
            .find(&format!("[data-slot=\"{own}\"][data-filled]"))
            .await;
        assert!(
            !browser
                .has(&format!("[data-slot=\"{other}\"][data-filled]"))
                .await
        );
    }
    bob.go("#games").await;
    bob.says(".page", "You have no games yet.").await;
    ann.close().await;
    bob.close().await;
}
