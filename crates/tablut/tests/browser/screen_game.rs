//! Two people on one screen, with clocks.

use serde_json::json;

use crate::harness::{Browser, Button, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn two_people_play_on_one_screen_by_click_and_by_drag() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.choose("control", "total:180000+2000").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    browser.drag(Button::Left, &["e4", "d4"]).await;
    browser.piece("d4", Some("w")).await;
    browser.says(".turn", "Black to move").await;
    browser.square("d1").await;
    browser.square("c1").await;
    browser.piece("c1", Some("b")).await;
    browser.says("[data-clock=\"black\"]", "3:0").await;
    browser.find("[data-clock=\"white\"].running").await;
    // The start page shows the game as it stands, and leads back to it.
    browser.go("#").await;
    let there = "a.tile[href^=\"#game/\"]";
    browser
        .find(&format!(
            "{there} .miniature .attacker[cx=\"2.5\"][cy=\"0.5\"]"
        ))
        .await;
    assert!(
        !browser
            .has(&format!(
                "{there} .miniature .attacker[cx=\"3.5\"][cy=\"0.5\"]"
            ))
            .await
    );
    browser.click(there).await;
    browser.says(".turn", "White to move").await;
    // One press does not end a game on one screen.
    browser.act("offer-draw").await;
    browser.says(".question", "Agree on a draw?").await;
    browser.act("keep-playing").await;
    assert!(!browser.has("[data-outcome]").await);
    browser.act("offer-draw").await;
    browser.act("offer-draw").await;
    browser
        .says("[data-outcome]", "Draw: the players agreed.")
        .await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_king_who_sees_two_ways_out_calls_tuichu_and_escapes() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.read("9/9/2b6/9/1b1K4b/9/9/9/b8 w").await;
    browser.piece("d5", Some("K")).await;
    browser.drawer("setup").await;
    browser.act("play-here").await;
    browser.says(".note", "Starts from your set-up").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.command("d5d3").await;
    browser.says(".call", "Raichi!").await;
    assert!(browser.has(".lane").await);
    browser.command("c3c2").await;
    browser.says(".call", "Tuichu!").await;
    browser.square("d3").await;
    browser.find("[data-target=\"a3\"] .star").await;
    browser.square("a3").await;
    browser
        .says("[data-outcome]", "White wins: the king escaped.")
        .await;
    browser.moves(3).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_clock_of_ones_own_is_said_in_numbers() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.choose("control", "other").await;
    browser.fill("minutes", "7").await;
    browser.fill("plus", "900").await;
    browser.act("choose").await;
    // What does not fit is not taken.
    browser.find("dialog [data-field=\"plus\"]:invalid").await;
    browser.fill("plus", "4").await;
    browser.act("choose").await;
    let chosen = "return document.querySelector('select[data-field=\"control\"]')?.value";
    browser.until(chosen, &json!("total:420000+4000")).await;
    browser.act("start").await;
    browser.says("[data-clock=\"black\"]", "7:00").await;
    browser.close().await;
}
