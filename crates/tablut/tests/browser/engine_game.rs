//! A game against the engine, from the first click to its end.

use serde_json::json;

use crate::harness::{Browser, Button, Server};

/// Plays for white until the game is over: the first move that wins, captures, or is there at all.
const PLAY: &str = "
    const board = document.querySelector('.board');
    const done = arguments[arguments.length - 1];
    const seen = new Set();
    const click = (square) => {
      const cell = document.querySelector(`.cell[data-square=\"${square}\"]`);
      const box = cell.getBoundingClientRect();
      const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, button: 0, pointerId: 1, bubbles: true };
      board.dispatchEvent(new PointerEvent('pointerdown', at));
      board.dispatchEvent(new PointerEvent('pointerup', at));
    };
    board.setPointerCapture = () => {};
    const turn = () => {
      if (document.querySelector('[data-outcome]')) return done(seen.size);
      if (!document.querySelector('.turn')?.innerText.includes('Your turn')) return setTimeout(turn, 20);
      const count = document.querySelectorAll('.move').length;
      if (seen.has(count)) return setTimeout(turn, 20);
      const men = [...document.querySelectorAll('.pieces [data-piece=K], .pieces [data-piece=w]')].map((man) => man.dataset.on);
      let best = null;
      for (const from of men) {
        click(from);
        for (const mark of document.querySelectorAll('[data-target]')) {
          const worth = (mark.querySelector('.star') ? 9 : 0) + (mark.querySelector('.capture') ? 3 : 0) + ((from.charCodeAt(0) * 7 + count * 13 + mark.dataset.target.charCodeAt(1)) % 5) / 5;
          if (!best || worth > best.worth) best = { from, to: mark.dataset.target, worth };
        }
        click(from);
      }
      seen.add(count);
      click(best.from);
      click(best.to);
      setTimeout(turn, 20);
    };
    turn();";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_whole_game_against_level_1_is_played_to_its_end() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"engine\"]").await;
    browser.click("[data-choice=\"white\"]").await;
    browser.choose("engine", "level:1").await;
    browser.act("start").await;
    browser.says(".turn", "Your turn").await;
    browser.square("e4").await;
    browser.find("[data-target=\"d4\"]").await;
    browser.square("d4").await;
    browser.piece("d4", Some("w")).await;
    browser.says(".moves", "e4–d4").await;
    browser.says(".turn", "Your turn").await;
    assert_eq!(browser.count(".move").await, 2);

    let timeouts = fantoccini::wd::TimeoutConfiguration::new(
        Some(std::time::Duration::from_secs(240)),
        None,
        None,
    );
    browser.client.update_timeouts(timeouts).await.unwrap();
    let moves = browser.client.execute_async(PLAY, Vec::new()).await;
    let moves = moves.unwrap();
    assert!(moves.as_u64().unwrap() > 2, "{moves}");
    let outcome = browser.text("[data-outcome]").await;
    assert!(
        outcome.contains("wins: ") || outcome.contains("Draw: "),
        "{outcome}"
    );

    // The end lets one step through the game.
    let last = browser.pieces().await;
    browser.click("[data-step=\"first\"]").await;
    browser.piece("e4", Some("w")).await;
    browser.piece("e5", Some("K")).await;
    browser.click("[data-step=\"forward\"]").await;
    browser.piece("d4", Some("w")).await;
    browser.click("[data-step=\"last\"]").await;
    browser
        .until(
            "return document.querySelector('[data-step=last]').disabled",
            &json!(true),
        )
        .await;
    assert_eq!(browser.pieces().await, last);

    // Any of its positions opens in analysis, with the whole game around it.
    browser.click("[data-ply=\"1\"]").await;
    browser.act("analyse").await;
    browser.find(".tree [data-node=\"2\"]").await;
    browser.piece("d4", Some("w")).await;
    browser.says(".turn", "Black to move").await;

    // The game is in the list, and opens again.
    browser.go("#games").await;
    browser.says(".game-list", "Engine, level 1").await;
    browser.click("[data-game]").await;
    browser.find("[data-outcome]").await;

    // A rematch has the sides swapped.
    browser.act("rematch").await;
    browser.says("[data-player=\"black\"]", "You").await;
    browser
        .says("[data-player=\"white\"]", "Engine, level 1")
        .await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_move_that_is_not_allowed_is_explained_with_its_square() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.choose("engine", "level:1").await;
    browser.act("start").await;
    browser.says(".turn", "Your turn").await;
    // The king is held by his own men; a drag across the castle, a drag into a camp.
    browser.drag(Button::Left, &["d5", "a5"]).await;
    browser
        .says(
            ".board-note",
            "Not allowed: a white man on c5 is in the way.",
        )
        .await;
    browser.find(".wrong").await;
    browser.command("e3 e1").await;
    browser
        .says(
            ".board-note",
            "Not allowed: a black man on e2 is in the way.",
        )
        .await;
    browser.command("e4 f5").await;
    browser.says(".board-note", "share neither").await;
    browser.square("a4").await;
    assert_eq!(browser.count(".move").await, 0);
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn moves_can_be_taken_back_and_hinted_and_the_game_resigned() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.choose("engine", "level:1").await;
    browser.act("start").await;
    browser.says(".turn", "Your turn").await;
    browser.act("hint").await;
    browser.find(".arrow.hint").await;
    browser.command("e4d4").await;
    browser.moves(2).await;
    browser.act("take-back").await;
    browser.moves(0).await;
    browser.piece("e4", Some("w")).await;
    browser.act("resign").await;
    browser.says(".question", "Really resign?").await;
    browser.act("resign").await;
    browser
        .says("[data-outcome]", "Black wins: white resigned.")
        .await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn two_engines_play_while_one_watches() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"engines\"]").await;
    browser.choose("whiteEngine", "level:1").await;
    browser.choose("engine", "level:2").await;
    browser.act("start").await;
    browser.says(".cards", "You are watching.").await;
    browser.find("[data-ply=\"3\"]").await;
    browser.close().await;
}
