//! The rules at hand.

use crate::harness::{Browser, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_rules_of_each_set_are_told_with_what_differs() {
    let server = Server::start();
    let browser = Browser::open(&server, "#rules").await;
    browser.says(".page", "This is the default set.").await;
    browser.choose("rules", "ashton-siege").await;
    // What differs is said in sentences, and for those who want it as parameters.
    browser.says(".card:last-of-type .sentences", "king").await;
    browser.click("summary").await;
    browser.says("table", "king.elsewhere").await;
    browser.says("table", "siege").await;
    // Captures and the way out have pictures, with the words of the referee.
    browser.says(".diagrams", "The man on c3 is taken.").await;
    browser
        .says(".diagrams", "White wins: the king escaped.")
        .await;
    // This browser is on the server's own machine.
    browser.act("server-default").await;
    browser.says("#toast", "New boards use it now.").await;
    browser.go("#tactics").await;
    let chosen = browser.find("select[data-field=\"rules\"]").await;
    assert_eq!(
        chosen.prop("value").await.unwrap().as_deref(),
        Some("ashton-siege")
    );
    browser.close().await;
}
