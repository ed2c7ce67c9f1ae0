//! A game by link: two windows, a reload, a killed server, a watcher.

use crate::harness::{Browser, Server};

/// A link that the page offers, without the server's address.
pub(crate) async fn link(browser: &Browser, hook: &str) -> String {
    let field = browser.find(&format!("[data-link=\"{hook}\"]")).await;
    let link = field.prop("value").await.unwrap().unwrap();
    link.splitn(4, '/').nth(3).unwrap().to_string()
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_game_by_link_survives_a_reload_and_a_killed_server() {
    let mut server = Server::start();
    let ann = Browser::open(&server, "#play").await;
    ann.act("name").await;
    ann.fill("name", "Ann").await;
    ann.act("save-name").await;
    ann.says("[data-act=\"name\"]", "Ann").await;
    ann.click("[data-choice=\"link\"]").await;
    ann.click("[data-choice=\"white\"]").await;
    ann.choose("control", "move:60000").await;
    ann.act("start").await;
    ann.says(".cards", "Waiting for the other player").await;
    let (play, watch) = (link(&ann, "play").await, link(&ann, "watch").await);
    assert!(play.starts_with(&watch) && play.len() > watch.len());

    let bob = Browser::open(&server, &play).await;
    bob.says("[data-player=\"white\"]", "Ann").await;
    ann.says(".turn", "Your turn").await;
    ann.command("e4d4").await;
    bob.piece("d4", Some("w")).await;
    bob.says(".turn", "Your turn").await;
    bob.command("d1c1").await;
    ann.piece("c1", Some("b")).await;

    // A reload keeps the seat; so does coming back without the secret.
    ann.client.refresh().await.unwrap();
    ann.says(".turn", "Your turn").await;
    bob.go(&watch).await;
    bob.says("[data-player=\"black\"]", "You").await;
    ann.command("d4e4").await;
    bob.piece("e4", Some("w")).await;

    // The server dies; everything goes on where it was.
    server.restart();
    bob.says("#toast", "Connected again.").await;
    bob.says(".turn", "Your turn").await;
    bob.moves(3).await;
    ann.says(".cards", "Black to move").await;
    bob.command("c1c2").await;
    ann.piece("c2", Some("b")).await;

    // Whoever has the other link only watches.
    let eve = Browser::open(&server, &watch).await;
    eve.says(".cards", "You are watching.").await;
    eve.moves(4).await;
    eve.command("e4d4").await;
    eve.says(".board-note", "You are watching this game.").await;
    assert!(!eve.has("[data-act=\"resign\"]").await);

    // Take back and draw need both.
    bob.act("take-back").await;
    ann.says(".offer", "Black wants to take a move back.").await;
    ann.act("decline").await;
    bob.says(
        "[data-part=\"take-back-declined\"]",
        "White does not let you take the move back.",
    )
    .await;
    bob.act("take-back").await;
    ann.act("accept").await;
    eve.moves(3).await;
    bob.says(".turn", "Your turn").await;
    bob.act("offer-draw").await;
    ann.says(".offer", "Black offers a draw.").await;
    ann.act("decline").await;
    bob.says("[data-part=\"draw-declined\"]", "White declines the draw.")
        .await;
    bob.act("offer-draw").await;
    ann.act("accept").await;
    for browser in [&ann, &bob, &eve] {
        browser
            .says("[data-outcome]", "Draw: the players agreed.")
            .await;
    }

    // A rematch, asked by one and joined by the other, has the sides swapped.
    ann.act("rematch").await;
    ann.says("[data-player=\"black\"]", "Ann (You)").await;
    bob.act("join-rematch").await;
    bob.says("[data-player=\"white\"]", "You").await;
    bob.says(".turn", "Your turn").await;
    bob.command("e4d4").await;
    ann.piece("d4", Some("w")).await;
    for browser in [ann, bob, eve] {
        browser.close().await;
    }
}
