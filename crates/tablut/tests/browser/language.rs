//! Every language of the page.

use crate::harness::{Browser, Button, Server, Window};

/// What a German page says before, during and after a game, in the rules and in the help.
#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_german_browser_gets_a_german_page() {
    let server = Server::start();
    let browser = Browser::with(&server, "#play", Window::Phone, "de").await;
    browser.says("[data-tab=\"play\"]", "Spielen").await;
    browser.choose("engine", "level:1").await;
    browser.picture("phone-german-new-game").await;
    browser.act("start").await;
    browser.says(".turn", "Du bist am Zug").await;
    browser.drag(Button::Left, &["d5", "a5"]).await;
    browser
        .says(
            ".board-note",
            "Nicht erlaubt: ein weißer Stein auf c5 steht im Weg.",
        )
        .await;
    browser.picture("phone-german-game").await;
    browser.act("resign").await;
    browser.act("resign").await;
    browser
        .says("[data-outcome]", "Schwarz gewinnt: Weiß hat aufgegeben.")
        .await;
    browser.go("#rules").await;
    browser.says(".page", "Das Feld e5 ist der Thron.").await;
    browser.act("help").await;
    // A finger has no keys.
    browser.says("dialog", "Vorauszüge").await;
    browser.act("close").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_language_comes_from_the_browser_and_can_be_changed() {
    let server = Server::start();
    let browser = Browser::with(&server, "#play", Window::Desk, "it").await;
    browser.says("[data-tab=\"play\"]", "Gioca").await;
    browser.choose("engine", "level:1").await;
    browser.act("start").await;
    browser.says(".turn", "Tocca a te").await;
    browser.act("resign").await;
    browser.act("resign").await;
    // Whatever is on the screen is said again in the new language: page, server and rules.
    for (lang, tab, outcome, rules) in [
        ("en", "Play", "Black wins: white resigned.", "square"),
        (
            "de",
            "Spielen",
            "Schwarz gewinnt: Weiß hat aufgegeben.",
            "Feld",
        ),
        (
            "it",
            "Gioca",
            "Vince il nero: il bianco ha abbandonato.",
            "casell",
        ),
    ] {
        browser.choose("language", lang).await;
        browser.says("[data-tab=\"play\"]", tab).await;
        browser.says("[data-outcome]", outcome).await;
        let game = browser.client.current_url().await.unwrap();
        browser.go("#rules").await;
        browser.says(".page", rules).await;
        browser.picture(&format!("desk-rules-{lang}")).await;
        browser.client.goto(game.as_str()).await.unwrap();
    }

    // The choice is kept, though the browser says otherwise.
    browser.choose("language", "de").await;
    browser.says("[data-tab=\"play\"]", "Spielen").await;
    browser.client.refresh().await.unwrap();
    browser.says("[data-tab=\"play\"]", "Spielen").await;
    browser.close().await;
}
