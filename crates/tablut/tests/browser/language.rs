//! English and Italian.

use crate::harness::{Browser, Server, Window};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_language_comes_from_the_browser_and_can_be_switched() {
    let server = Server::start();
    let browser = Browser::with(&server, "", Window::Desk, "it").await;
    browser.says("[data-tab=\"play\"]", "Gioca").await;
    browser.choose("engine", "level:1").await;
    browser.act("start").await;
    browser.says(".turn", "Tocca a te").await;
    browser.command("d5a5").await;
    browser
        .says("#toast", "Non ammessa: una pedina bianca")
        .await;
    browser.act("resign").await;
    browser.act("resign").await;
    browser.says("[data-outcome]", "il bianco").await;
    browser.act("language").await;
    browser.says("[data-tab=\"play\"]", "Play").await;
    browser
        .says("[data-outcome]", "Black wins: white resigned.")
        .await;
    browser.go("#rules").await;
    browser.says(".page", "square").await;
    browser.act("language").await;
    browser.says(".page", "casell").await;

    // The choice is kept, though the browser says otherwise.
    browser.act("language").await;
    browser.says("[data-tab=\"play\"]", "Play").await;
    browser.client.refresh().await.unwrap();
    browser.says("[data-tab=\"play\"]", "Play").await;
    browser.close().await;
}
