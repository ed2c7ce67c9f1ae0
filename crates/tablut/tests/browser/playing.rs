//! Playing: premoves, moves that are shown at once, what the tab says, clocks that ran out, games that are cancelled.

use std::time::Duration;

use serde_json::json;

use crate::{
    harness::{Browser, Button, ESCAPE, Server, Window},
    learning::win,
    link_game::link,
    proxy::Proxy,
};

/// A game by link: Ann has white, Bob black.
async fn two(server: &Server) -> (Browser, Browser) {
    let ann = Browser::open(server, "#play").await;
    ann.click("[data-choice=\"link\"]").await;
    ann.click("[data-choice=\"white\"]").await;
    ann.act("start").await;
    let bob = Browser::open(server, &link(&ann, "play").await).await;
    ann.says(".turn", "Your turn").await;
    (ann, bob)
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_premove_is_played_as_soon_as_it_is_ones_turn() {
    let server = Server::start();
    let (ann, bob) = two(&server).await;
    ann.until("return document.title", &json!("● Your turn · Tablut"))
        .await;
    // The icon says so too, whatever the page's address is.
    let icon = "return new URL(document.querySelector('link[rel=icon]').href).pathname";
    ann.until(icon, &json!("/icon-turn.svg")).await;
    ann.command("e4d4").await;
    ann.says(".turn", "Black to move").await;
    ann.until("return document.title", &json!("Black to move · Tablut"))
        .await;
    let is_calm = "return !document.querySelector('link[rel=icon]').href.includes('turn')";
    ann.until(is_calm, &json!(true)).await;
    // It is planned by hand, shown on the board, and nothing is played yet.
    ann.drag(Button::Left, &["d4", "d3"]).await;
    let planned = "return document.querySelectorAll('.planned').length";
    ann.until(planned, &json!(2)).await;
    ann.moves(1).await;
    ann.piece("d4", Some("w")).await;
    bob.says(".turn", "Your turn").await;
    bob.command("d1c1").await;
    // Ann's move follows by itself.
    bob.piece("d3", Some("w")).await;
    bob.moves(3).await;
    ann.moves(3).await;
    ann.until(planned, &json!(0)).await;

    // Escape takes a plan back, and so does a press.
    for give_up in [true, false] {
        ann.square("d3").await;
        ann.find("[data-target=\"d4\"]").await;
        ann.square("d4").await;
        ann.until(planned, &json!(2)).await;
        if give_up {
            ann.keys(&[ESCAPE]).await;
        } else {
            ann.square("a1").await;
        }
        ann.until(planned, &json!(0)).await;
    }
    bob.command("c1c2").await;
    ann.says(".turn", "Your turn").await;
    ann.moves(4).await;

    // A plan that the opponent has thwarted says why it was not played.
    ann.command("d3d4").await;
    ann.says(".turn", "Black to move").await;
    ann.command("c5c3").await;
    ann.until(planned, &json!(2)).await;
    bob.command("a4c4").await;
    ann.says(
        ".board-note",
        "Not allowed: a black man on c4 is in the way.",
    )
    .await;
    ann.moves(6).await;
    ann.close().await;
    bob.close().await;
}

/// Notes how far from its goal a man is in each frame after it was dropped, as a part of its way.
const TRACE: &str = "
    const [from, to] = arguments;
    const middle = (one) => {
        const box = one.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const cell = (square) => middle(document.querySelector(`.cell[data-square=\"${square}\"]`));
    const apart = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);
    const man = document.querySelector(`.pieces > [data-on=\"${from}\"]`);
    const [old, goal] = [cell(from), cell(to)];
    window.trace = [];
    window.early = null;
    window.traced = false;
    document.querySelector('.board').addEventListener('pointerup', () => {
        const begin = performance.now();
        const look = () => {
            window.trace.push(apart(middle(man), goal) / apart(old, goal));
            window.early ??= document.querySelectorAll('.move, .remark').length;
            if (performance.now() - begin < 900) requestAnimationFrame(look);
            else window.traced = true;
        };
        requestAnimationFrame(look);
    }, { once: true });";

/// Drags a man and sees that it is never nearer to its old square; gives how much the server had answered when it was
/// dropped.
async fn fly(browser: &Browser, from: &str, to: &str) -> u64 {
    let way = vec![json!(from), json!(to)];
    browser.client.execute(TRACE, way).await.unwrap();
    browser.drag(Button::Left, &[from, to]).await;
    browser
        .until("return window.traced === true", &json!(true))
        .await;
    let script = "return [window.early, window.trace.length, Math.max(...window.trace)]";
    let seen = browser.client.execute(script, Vec::new()).await.unwrap();
    assert!(seen[1].as_u64().unwrap() > 1, "{seen}");
    assert!(seen[2].as_f64().unwrap() < 0.34, "{seen}");
    seen[0].as_u64().unwrap()
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_dragged_piece_never_flies_back_on_a_slow_line() {
    let server = Server::start();
    let line = Proxy::slow(&server.url, Duration::from_millis(150));
    let browser = Browser::at(&line.url, "#play", Window::Desk, "en").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    // When it was dropped the server knew nothing.
    assert_eq!(fly(&browser, "e4", "b4").await, 0);
    browser.moves(1).await;
    browser.piece("b4", Some("w")).await;

    // A move that is refused returns, with its reason at the board.
    browser.drag(Button::Left, &["d1", "d9"]).await;
    browser.says(".board-note", "Not allowed").await;
    browser.piece("d1", Some("b")).await;
    // The next move takes the words away.
    browser.drag(Button::Left, &["d1", "c1"]).await;
    browser.says(".board-note", "").await;
    browser.moves(2).await;
    browser
        .until(
            "return document.querySelector('.board-note').innerText",
            &json!(""),
        )
        .await;

    // A puzzle is judged by the server, and the move is there before.
    let puzzle = win(0);
    browser
        .go(&format!("#puzzle/ashton/{}", puzzle.number))
        .await;
    browser.says("[data-part=\"task\"]", "in 2 moves").await;
    let [from, to] = [puzzle.solution[0].from(), puzzle.solution[0].to()].map(|it| it.to_string());
    assert_eq!(fly(&browser, &from, &to).await, 0);
    browser.says("[data-kind=\"good\"]", "Right").await;

    // On the analysis board a second move may follow before the first is answered.
    browser.go("#analysis").await;
    browser.find("[data-part=\"no-moves\"]").await;
    browser.piece("e4", Some("w")).await;
    browser.drag(Button::Left, &["e4", "d4"]).await;
    fly(&browser, "d1", "c1").await;
    browser.moves(2).await;
    browser.piece("d4", Some("w")).await;
    browser.piece("c1", Some("b")).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_game_that_nobody_has_joined_can_be_cancelled() {
    let server = Server::start();
    let ann = Browser::open(&server, "#play").await;
    ann.click("[data-choice=\"link\"]").await;
    ann.act("start").await;
    let play = link(&ann, "play").await;
    ann.act("cancel-game").await;
    ann.find("[data-act=\"start\"]").await;
    ann.go("#games").await;
    ann.says("[data-part=\"next-step\"]", "You have no games yet")
        .await;
    let bob = Browser::open(&server, &play).await;
    bob.says("[data-part=\"dead-end\"]", "no such game").await;
    ann.close().await;
    bob.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_engine_answers_a_draw_offer_in_words_and_a_lost_clock_shows_nothing() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.choose("engine", "level:1").await;
    browser.choose("control", "other").await;
    browser.fill("move-seconds", "2").await;
    browser.act("choose").await;
    browser.act("start").await;
    browser.says(".turn", "Your turn").await;
    browser.act("offer-draw").await;
    browser
        .says("[data-part=\"draw-declined\"]", "Black declines the draw.")
        .await;
    // Nobody moves: the clock runs out, and stays at nothing.
    browser.says("[data-outcome]", "Black wins").await;
    browser.says("[data-clock=\"white\"]", "0.0").await;
    browser.client.refresh().await.unwrap();
    browser.find("[data-outcome]").await;
    browser.says("[data-clock=\"white\"]", "0.0").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn looks_and_sounds_are_chosen_and_kept() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    browser.act("settings").await;
    browser.choose("boardTheme", "slate").await;
    browser.choose("pieces", "carved").await;
    browser.click("[data-tick=\"coordinates\"]").await;
    browser.act("close").await;
    let looks = "const { boardTheme, pieces } = document.documentElement.dataset;
        return [boardTheme, pieces, document.querySelectorAll('.coordinate').length,
            document.querySelectorAll('.king circle').length]";
    browser
        .until(looks, &json!(["slate", "carved", 0, 0]))
        .await;
    // Sounds are heard once the page was pressed, and not after the key.
    browser.drag(Button::Left, &["e4", "d4"]).await;
    browser
        .until(
            "return document.documentElement.dataset.sounded",
            &json!("move"),
        )
        .await;
    browser.keys(&['m']).await;
    browser.says("#toast", "Sounds are off.").await;
    // Zen leaves the board and the clocks.
    browser.keys(&['z']).await;
    let bare = "return [...document.querySelectorAll('#bar, .icon-row, .moves-place')].every((one) => !one.checkVisibility())
        && [...document.querySelectorAll('.player, .board')].every((one) => one.checkVisibility())";
    browser.until(bare, &json!(true)).await;
    browser.keys(&[ESCAPE]).await;
    browser.until(bare, &json!(false)).await;
    browser.client.refresh().await.unwrap();
    browser.find(".board").await;
    browser
        .until(looks, &json!(["slate", "carved", 0, 0]))
        .await;
    browser.act("settings").await;
    let off = "return document.querySelector('[data-tick=sound]').checked";
    browser.until(off, &json!(false)).await;
    browser.close().await;
}

/// Which sound was heard last, once one that is due has had its time.
const HEARD: &str = "const done = arguments[0];
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(document.documentElement.dataset.sounded ?? null))));";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_system_that_asks_for_less_motion_is_silent_until_somebody_wants_sounds() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    let less = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
    browser.tell("Emulation.setEmulatedMedia", &less).await;
    browser.client.refresh().await.unwrap();
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    browser.drag(Button::Left, &["e4", "d4"]).await;
    browser.moves(1).await;
    let heard = browser.client.execute_async(HEARD, Vec::new()).await;
    assert_eq!(heard.unwrap(), json!(null));
    browser.act("settings").await;
    let tick = "return document.querySelector('[data-tick=sound]').checked";
    browser.until(tick, &json!(false)).await;
    browser.act("close").await;
    browser.keys(&['m']).await;
    browser.says("#toast", "Sounds are on.").await;
    browser.drag(Button::Left, &["d1", "c1"]).await;
    let heard = "return document.documentElement.dataset.sounded ?? null";
    browser.until(heard, &json!("move")).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_screen_is_filled_and_given_back_with_a_key_also_in_zen() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    let state =
        "return [document.fullscreenElement !== null, document.body.classList.contains('zen')]";
    browser.keys(&['f']).await;
    browser.until(state, &json!([true, false])).await;
    browser.keys(&['z']).await;
    browser.until(state, &json!([true, true])).await;
    // One plays on.
    browser.drag(Button::Left, &["e4", "d4"]).await;
    browser.piece("d4", Some("w")).await;
    browser.keys(&['z']).await;
    browser.until(state, &json!([true, false])).await;
    browser.moves(1).await;
    browser.keys(&['f']).await;
    browser.until(state, &json!([false, false])).await;
    // Both are also in the window of everything else, for those who have no keys.
    for act in ["zen", "full"] {
        browser.act("more").await;
        browser.click(&format!("dialog [data-act=\"{act}\"]")).await;
        if act == "zen" {
            browser.until(state, &json!([false, true])).await;
            browser.keys(&[ESCAPE]).await;
        }
    }
    browser.until(state, &json!([true, false])).await;
    browser.close().await;
}
