//! What the page may not do.

use serde_json::json;

use crate::harness::{Browser, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_page_runs_no_foreign_script_and_asks_nobody_else() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.find("[data-act=\"start\"]").await;
    let script = "
        const script = document.createElement('script');
        script.textContent = 'window.foreign = true';
        document.body.append(script);
        const names = performance.getEntriesByType('resource').map((entry) => new URL(entry.name).host);
        return [window.foreign ?? false, names.every((name) => name === location.host), document.cookie]";
    let found = browser.client.execute(script, Vec::new()).await.unwrap();
    assert_eq!(found, json!([false, true, ""]));
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn names_are_text_and_never_markup() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.act("name").await;
    browser.fill("name", "<img src=x id=evil>").await;
    browser.act("save-name").await;
    browser
        .says("[data-act=\"name\"]", "<img src=x id=evil>")
        .await;
    assert!(!browser.has("#evil").await);
    browser.close().await;
}
