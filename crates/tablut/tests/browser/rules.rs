//! The rules at hand.

use serde_json::json;

use crate::harness::{Browser, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_rules_of_each_set_are_told_beside_another() {
    let server = Server::start();
    let browser = Browser::open(&server, "#rules").await;
    browser.choose("rules", "ashton-siege").await;
    browser.choose("compare", "ashton").await;
    // What differs is said in sentences, and shown by a move that has two results.
    browser
        .says("[data-part=\"comparison\"] .halves", "king")
        .await;
    browser.says("[data-part=\"two-boards\"]", "Ashton").await;
    let text = browser.text(".page").await;
    assert!(!text.contains("king.elsewhere"), "raw keys are for files");
    // This browser is on the server's own machine.
    browser.act("server-default").await;
    browser.says("#toast", "New boards use it now.").await;
    browser.close().await;
}

/// What the first diagram of captures says, and how many pieces are on it.
const FIRST: &str = "const one = document.querySelector('.diagrams [data-part=\"diagram\"]');
    return [one.dataset.state, one.querySelectorAll('.man:not(.captured)').length]";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_diagram_of_the_rules_is_played() {
    let server = Server::start();
    let browser = Browser::open(&server, "#rules/ashton").await;
    browser.find(".diagrams [data-part=\"diagram\"]").await;
    browser.says(".diagrams", "captured").await;
    let pieces = "return document.querySelector('.diagrams [data-part=\"diagram\"]').querySelectorAll('.man:not(.captured)').length";
    let before = browser.client.execute(pieces, Vec::new()).await.unwrap();
    let before = before.as_u64().unwrap();
    browser.click(".diagrams [data-act=\"diagram-show\"]").await;
    browser.until(FIRST, &json!(["played", before - 1])).await;
    browser
        .click(".diagrams [data-act=\"diagram-again\"]")
        .await;
    browser.until(FIRST, &json!(["start", before])).await;
    // By hand: the piece of the arrow, then its square.
    let step =
        "const arrow = document.querySelector('.diagrams [data-part=\"diagram\"] .arrow.hint');
        return Boolean(arrow)";
    browser.until(step, &json!(true)).await;
    browser.close().await;
}
