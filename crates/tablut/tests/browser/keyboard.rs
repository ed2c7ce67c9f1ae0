//! The board without a mouse.

use serde_json::json;

use crate::harness::{Browser, DOWN, ENTER, ESCAPE, LEFT, RIGHT, SHIFT, Server, TAB, UP};

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

/// Buttons in sight with the keys they say they have; those of the help; and icons of the rows without one.
const TOLD: &str = "return [...document.querySelectorAll('[aria-keyshortcuts]')].filter((one) => one.checkVisibility())
    .map((one) => /\\((\\S+)\\)$/.exec(one.title)?.[1] ?? `no key: ${one.title}`)";
const LISTED: &str = "return [...document.querySelectorAll('dialog kbd')].flatMap((one) => one.textContent.split(' '))";
const KEYLESS: &str = "return [...document.querySelectorAll('.icon-row button, .engine-head button, #bar .icon-button')]
    .filter((one) => one.checkVisibility() && !one.hasAttribute('aria-keyshortcuts')).map((one) => one.outerHTML)";

/// Every icon of the rows has a key, says it, and finds it in the help.
async fn keys_are_told(browser: &Browser) {
    let all = async |script| browser.client.execute(script, Vec::new()).await.unwrap();
    assert_eq!(all(KEYLESS).await, json!([]));
    let told = all(TOLD).await;
    browser.keys(&['?']).await;
    browser.find("dialog kbd").await;
    let listed = all(LISTED).await;
    for key in told.as_array().unwrap() {
        assert!(listed.as_array().unwrap().contains(key), "{key}");
    }
    browser.keys(&[ESCAPE]).await;
    browser
        .until("return document.querySelector('dialog')", &json!(null))
        .await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn every_icon_of_the_rows_has_a_key_that_it_tells_and_the_help_lists() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.find("[data-act=\"comment\"]").await;
    keys_are_told(&browser).await;
    for (key, drawer) in [('d', "setup"), (',', "show"), ('n', "keep"), ('.', "text")] {
        browser.keys(&[key]).await;
        browser
            .find(&format!(
                "[data-act=\"drawer-{drawer}\"][aria-pressed=\"true\"]"
            ))
            .await;
    }
    browser.keys(&['.']).await;
    let theme = "return document.documentElement.dataset.theme";
    browser.chord(SHIFT, 'T').await;
    browser.until(theme, &json!("dark")).await;
    browser.chord(SHIFT, 'T').await;
    browser.until(theme, &json!("light")).await;
    browser.chord(SHIFT, 'S').await;
    browser.says("dialog", "Settings").await;
    browser.keys(&[ESCAPE]).await;
    browser.command("e4d4").await;
    browser.moves(1).await;
    browser.keys(&[ESCAPE, '!']).await;
    browser.find(".marks").await;

    browser.go("#play").await;
    browser.choose("engine", "level:1").await;
    browser.act("start").await;
    browser.says(".turn", "Your turn").await;
    keys_are_told(&browser).await;
    browser.keys(&['h']).await;
    browser.find(".arrow").await;
    browser.keys(&['.']).await;
    browser.find("dialog .items").await;
    browser.keys(&[ESCAPE]).await;
    browser.command("e4d4").await;
    browser.moves(2).await;
    browser.blur().await;
    browser.keys(&['u']).await;
    browser.moves(0).await;
    browser.keys(&['d']).await;
    browser
        .says("[data-part=\"draw-declined\"]", "Black declines the draw.")
        .await;
    // Resigning asks once more, also by its key.
    browser.keys(&['r']).await;
    browser.find(".question").await;
    browser.keys(&[ESCAPE]).await;
    browser.act("resign").await;
    browser.act("resign").await;
    browser.find("[data-outcome]").await;
    keys_are_told(&browser).await;
    browser.keys(&['n']).await;
    let is_new = "return document.querySelector('[data-outcome]') === null && document.querySelector('.turn') !== null";
    browser.until(is_new, &json!(true)).await;

    browser.go("#lesson/ashton/rules/1").await;
    browser.find("[data-part=\"lesson\"]").await;
    for (key, step) in [('n', 2), ('p', 1), ('n', 2)] {
        browser.keys(&[key]).await;
        browser.find(&format!("[data-step=\"{step}\"]")).await;
    }
    keys_are_told(&browser).await;
    browser.close().await;
}
