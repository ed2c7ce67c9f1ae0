//! Every screen, as large and as small as people have it, light and dark.
//!
//! Nothing here judges beauty: `TABLUT_PICTURES=FOLDER ./test --only browser` keeps the pictures for
//! somebody to look at. What is checked is that no screen is wider than its window.

use serde_json::json;

use crate::harness::{Browser, Server, Window};

const FITS: &str = "return document.documentElement.scrollWidth <= innerWidth";

/// Shows one screen after another and takes their pictures.
async fn tour(browser: &Browser, prefix: &str) {
    let look = async |name: &str| {
        browser.until(FITS, &json!(true)).await;
        browser.picture(&format!("{prefix}-{name}")).await;
    };
    browser.go("#play").await;
    browser.find("[data-act=\"start\"]").await;
    look("new-game").await;

    browser.go("#tactics").await;
    browser.find("[data-brush]").await;
    browser
        .fill(
            "text",
            "3bbb3/9/2b1w4/b3w3b/bbw2w1bb/b3w1K1b/4w4/4b4/3b1b3 w",
        )
        .await;
    browser.act("read-text").await;
    browser.piece("g6", Some("K")).await;
    browser
        .client
        .execute("document.activeElement.blur(); scrollTo(0, 0)", Vec::new())
        .await
        .unwrap();
    browser.keys(&['1']).await;
    browser.find("[data-slot=\"1\"][data-filled]").await;
    browser.square("g6").await;
    browser.find(".star").await;
    look("tactics").await;

    browser.act("play-here").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.choose("control", "total:180000+2000").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    for step in ["e3d3", "e1e2", "g6g3"] {
        browser.command(step).await;
        browser
            .piece(
                &step[2..],
                Some(if step == "g6g3" {
                    "K"
                } else if step == "e1e2" {
                    "b"
                } else {
                    "w"
                }),
            )
            .await;
    }
    browser
        .client
        .execute("document.activeElement.blur(); scrollTo(0, 0)", Vec::new())
        .await
        .unwrap();
    look("game").await;
    browser.act("resign").await;
    browser.act("resign").await;
    browser.find("[data-outcome]").await;
    browser
        .client
        .execute("scrollTo(0, 0)", Vec::new())
        .await
        .unwrap();
    look("end").await;

    browser.go("#games").await;
    browser.find("[data-game]").await;
    look("games").await;
    browser.go("#rules/linnaeus").await;
    browser.find("table").await;
    look("rules").await;
    browser.go("#tactics").await;
    browser.find("[data-brush]").await;
    browser.act("help").await;
    browser.find("dialog").await;
    look("help").await;
    browser.act("close").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn every_screen_fits_a_desk_in_light_and_dark() {
    let server = Server::start();
    let browser = Browser::open(&server, "").await;
    tour(&browser, "desk-light").await;
    browser.act("theme").await;
    tour(&browser, "desk-dark").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn every_screen_fits_a_phone_in_light_and_dark() {
    let server = Server::start();
    let browser = Browser::with(&server, "", Window::Phone, "it").await;
    browser.choose("language", "en").await;
    browser.says("[data-tab=\"play\"]", "Play").await;
    tour(&browser, "phone-light").await;
    browser.act("theme").await;
    tour(&browser, "phone-dark").await;
    browser.close().await;
}
