//! Connections that freeze or break: noticed, told, healed, and nothing is lost.

use std::time::Instant;

use crate::{
    harness::{Browser, Server, Window},
    link_game::link,
    proxy::Proxy,
};

const LOST: &str = "The connection is lost";

/// A game by link: Ann, who comes through a line that may freeze, has white; Bob has black.
async fn two(server: &Server, line: &Proxy) -> (Browser, Browser) {
    let ann = Browser::at(&line.url, "#play", Window::Desk, "en").await;
    ann.click("[data-choice=\"link\"]").await;
    ann.click("[data-choice=\"white\"]").await;
    ann.act("start").await;
    let bob = Browser::open(server, &link(&ann, "play").await).await;
    ann.says(".turn", "Your turn").await;
    (ann, bob)
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_frozen_connection_is_noticed_and_the_move_made_meanwhile_arrives_once() {
    let server = Server::start();
    let line = Proxy::to(&server.url);
    let (ann, bob) = two(&server, &line).await;
    line.freeze();
    let frozen = Instant::now();
    ann.command("e4d4").await;
    ann.says("[data-part=\"pending\"]", "e4d4").await;
    ann.says("#toast", LOST).await;
    let noticed = frozen.elapsed();
    bob.says("[data-player=\"white\"]", "away").await;
    let away = frozen.elapsed();
    // How many beats of a page's heart that may be is told by crates/web/tests/page/socket.test.js: real
    // seconds depend on what else the machine does.
    println!("noticed by the page after {noticed:?}, by the opponent after {away:?}");
    bob.piece("d4", None).await;

    line.thaw();
    ann.says("#toast", "Connected again.").await;
    bob.piece("d4", Some("w")).await;
    ann.moves(1).await;
    assert!(!ann.has("[data-part=\"pending\"]").await);
    bob.says("[data-player=\"white\"]", "king").await;
    bob.command("d1c1").await;
    ann.piece("c1", Some("b")).await;
    ann.moves(2).await;
    bob.moves(2).await;

    // A move that cannot be made any more is given back with a word.
    line.freeze();
    ann.command("d4e4").await;
    ann.says("[data-part=\"pending\"]", "d4e4").await;
    bob.act("resign").await;
    bob.act("resign").await;
    bob.says("[data-outcome]", "White wins").await;
    line.thaw();
    ann.says("[data-outcome]", "White wins").await;
    ann.says("#toast", "Your move d4e4 was not made").await;
    ann.moves(2).await;
    ann.act("toast-close").await;
    ann.close().await;
    bob.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_move_made_while_the_server_is_down_is_made_when_it_is_back() {
    let mut server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    server.kill();
    browser.says("#toast", LOST).await;
    browser.command("e4d4").await;
    browser.says("[data-part=\"pending\"]", "e4d4").await;
    // What is not kept for later is given back with a word.
    browser.act("offer-draw").await;
    browser.act("offer-draw").await;
    browser.says("#toast", "Check whether it was done").await;
    server.revive();
    browser.piece("d4", Some("w")).await;
    browser.moves(1).await;
    browser.says(".turn", "Black to move").await;
    browser.close().await;
}
