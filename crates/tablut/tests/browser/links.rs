//! Links that lead nowhere, and texts that cannot be read: clear words, and a way on.

use serde_json::json;

use crate::harness::{Browser, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn links_that_lead_nowhere_say_so_and_show_a_way_back() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    for (path, words, back) in [
        ("#tactics/ashton/%", "There is nothing at this address", ""),
        ("#nonsense", "There is nothing at this address", ""),
        ("#game/none", "There is no such game here.", "#play"),
        ("#game/%zz/x", "There is nothing at this address", ""),
        (
            "#tournament/none",
            "There is no such tournament here.",
            "#tournaments",
        ),
        ("#rules/none", "There is no such rule set here.", "#rules"),
    ] {
        browser.client.goto("about:blank").await.unwrap();
        browser.go(path).await;
        browser.says("[data-part=\"dead-end\"]", words).await;
        browser.click("[data-part=\"dead-end\"] a").await;
        let script = "return location.hash";
        browser.until(script, &json!(back)).await;
        assert!(!browser.has("[data-part=\"dead-end\"]").await, "{path}");
    }
    // Good addresses of a bad position show a board and say what is wrong.
    browser.go("#tactics/ashton/nonsense").await;
    browser.find(".pieces").await;
    browser.says("#toast.bad, .toast.bad", "nonsense").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_text_that_cannot_be_read_says_why_until_the_next_one() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.drawer("text").await;
    let read = async |script: &str| {
        let fill = format!("document.querySelector('[data-field=\"text\"]').value = {script}");
        browser.client.execute(&fill, Vec::new()).await.unwrap();
        browser.act("read-text").await;
    };
    let fault = "[data-part=\"read-fault\"]";
    read("'e4d4 d1d9'").await;
    let is_told = format!("return document.querySelector('{fault}').innerText.length > 10");
    browser.until(&is_told, &json!(true)).await;
    assert!(!browser.has(".toast.bad").await, "it is told once");
    browser.piece("e4", Some("w")).await;

    // Longer than what a message may have otherwise.
    read("`e4d4${' '.repeat(300000)}d1c1`").await;
    browser.piece("d4", Some("w")).await;
    browser.says("#toast", "Opened on your board.").await;
    browser.says(fault, "").await;
    read("'x'.repeat(1100000)").await;
    browser.says(fault, "at most 1 MiB").await;
    read("'e4f4'").await;
    browser.piece("f4", Some("w")).await;
    browser
        .until(
            &format!("return document.querySelector('{fault}').innerText"),
            &json!(""),
        )
        .await;
    browser.close().await;
}
