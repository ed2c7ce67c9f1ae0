//! The board without a mouse.

use serde_json::json;

use crate::harness::{Browser, DOWN, ENTER, ESCAPE, LEFT, RIGHT, Server, TAB, UP};

/// Presses Tab until a square of the board has the focus.
async fn tab_to_board(browser: &Browser) {
    let script = "return document.activeElement?.dataset?.square ?? null";
    for _ in 0..40 {
        let focus = browser.client.execute(script, Vec::new()).await.unwrap();
        if !focus.is_null() {
            return;
        }
        browser.keys(&[TAB]).await;
    }
    panic!("Tab does not reach the board");
}

const FOCUS: &str = "return document.activeElement?.dataset?.square ?? null";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn several_moves_are_played_with_the_keyboard_alone() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    tab_to_board(&browser).await;
    browser.until(FOCUS, &json!("e5")).await;
    browser.keys(&[UP]).await;
    browser.until(FOCUS, &json!("e4")).await;
    browser.keys(&[ENTER, LEFT, ENTER]).await;
    browser.piece("d4", Some("w")).await;
    browser
        .until(
            "return document.getElementById('speaker').textContent",
            &json!("White: e4 to d4."),
        )
        .await;
    let label = browser
        .find("[data-square=\"d4\"]")
        .await
        .attr("aria-label")
        .await;
    assert_eq!(label.unwrap().as_deref(), Some("d4, white man"));
    browser.keys(&[UP, UP, UP, ENTER, LEFT, ENTER]).await;
    browser.piece("c1", Some("b")).await;
    browser
        .keys(&[DOWN, DOWN, DOWN, RIGHT, ENTER, ESCAPE])
        .await;
    browser
        .until("return document.querySelector('.picked')", &json!(null))
        .await;
    browser.keys(&['/']).await;
    browser
        .until(
            "return document.activeElement.dataset.field",
            &json!("command"),
        )
        .await;
    browser.keys(&['d', '4', 'e', '4', ENTER]).await;
    browser.piece("e4", Some("w")).await;
    browser.moves(3).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn help_lists_the_keys_and_closes() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.find("[data-act=\"comment\"]").await;
    browser.keys(&['?']).await;
    browser.says("dialog", "Ctrl+Z").await;
    browser.keys(&[ESCAPE]).await;
    browser
        .until("return document.querySelector('dialog')", &json!(null))
        .await;
    browser.close().await;
}
