//! The analysis board: everything that is set up, painted, drawn, saved and loaded.

use serde_json::json;

use crate::harness::{Browser, Button, ESCAPE, Server};

const COUNT: &str = "return document.querySelectorAll('.pieces > :not(.captured)').length";

async fn open(server: &Server) -> Browser {
    let browser = Browser::open(server, "#analysis").await;
    browser.until(COUNT, &json!(25)).await;
    browser.find("[data-part=\"no-moves\"]").await;
    browser
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn pieces_move_freely_by_click_drag_and_word() {
    let server = Server::start();
    let browser = open(&server).await;
    browser.keys(&['g']).await;
    browser.says("[data-part=\"words\"]", "free moves").await;
    // Any piece, anywhere, whoever is to move.
    browser.square("a4").await;
    browser
        .find("[data-square=\"a4\"][aria-selected=\"true\"]")
        .await;
    browser.square("g7").await;
    browser.piece("g7", Some("b")).await;
    browser.piece("a4", None).await;
    browser.drag(Button::Left, &["e5", "b2"]).await;
    browser.piece("b2", Some("K")).await;
    browser.command("e3h8").await;
    browser.piece("h8", Some("w")).await;
    browser.says(".board-note", "Not allowed").await;
    browser.command("a1=king").await;
    browser.piece("a1", Some("K")).await;
    // What is wrong is said under the board, and in full where things are set up.
    browser.says("[data-act=\"faults\"]", "2 faults").await;
    browser.act("faults").await;
    browser
        .says(".faults", "There are several kings: a1 b2.")
        .await;
    browser.command("a1 empty").await;
    browser.piece("a1", None).await;

    // Everything can be undone, and done again.
    browser.blur().await;
    for (square, piece) in [("a1", Some("K")), ("a1", None), ("h8", None), ("b2", None)] {
        browser.ctrl('z').await;
        browser.piece(square, piece).await;
    }
    browser.act("undo").await;
    browser.piece("e5", Some("K")).await;
    browser.piece("a4", Some("b")).await;
    browser.ctrl('y').await;
    browser.piece("g7", Some("b")).await;
    browser.act("redo").await;
    browser.piece("b2", Some("K")).await;
    browser.keys(&['r']).await;
    browser.piece("e5", Some("K")).await;
    browser.until(COUNT, &json!(25)).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_right_button_paints_and_the_wheel_turns_the_brush() {
    let server = Server::start();
    let browser = open(&server).await;
    browser.drawer("setup").await;
    browser
        .find("[data-brush=\"empty\"][aria-pressed=\"true\"]")
        .await;
    browser.drag(Button::Right, &["d1", "e1", "f1"]).await;
    browser.until(COUNT, &json!(22)).await;
    // A stroke is one change.
    browser.find("body[data-kept=\"true\"]").await;
    browser.ctrl('z').await;
    browser.until(COUNT, &json!(25)).await;
    for (notches, brush) in [(1, "b"), (5, "K"), (-1, "w")] {
        browser.wheel(notches).await;
        browser
            .find(&format!("[data-brush=\"{brush}\"][aria-pressed=\"true\"]"))
            .await;
    }
    browser.drag(Button::Right, &["b2"]).await;
    browser.piece("b2", Some("w")).await;
    for (key, brush) in [('b', "b"), ('k', "K"), ('e', "empty"), ('w', "w")] {
        browser.keys(&[key]).await;
        browser
            .find(&format!("[data-brush=\"{brush}\"][aria-pressed=\"true\"]"))
            .await;
    }
    // With the tool, the left button paints: for touch.
    browser.click("[data-brush=\"K\"]").await;
    browser.square("c3").await;
    browser.piece("c3", Some("K")).await;
    browser.click("[data-tool=\"move\"]").await;
    browser.click("[data-tick=\"mechanics\"]").await;
    browser.says("[data-part=\"words\"]", "free moves").await;
    browser.square("c3").await;
    browser.square("c4").await;
    browser.piece("c4", Some("K")).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_picked_piece_shows_its_targets_captures_and_wins_without_a_king_too() {
    let server = Server::start();
    let browser = open(&server).await;
    browser.read("9/9/2bw1b3/9/9/9/9/9/9 w").await;
    browser.drawer("setup").await;
    browser.says(".faults", "There is no king.").await;
    // Black is not to move, but shows where it could go and what it would take.
    browser.square("f3").await;
    browser.find("[data-target=\"e3\"] .capture").await;
    assert!(browser.has(".falls").await);
    assert!(browser.has("[data-target=\"f8\"]").await);
    assert!(!browser.has("[data-target=\"f9\"]").await, "a camp");
    browser.keys(&[ESCAPE]).await;
    browser
        .until(
            "return document.querySelector('[data-target]')",
            &json!(null),
        )
        .await;
    browser.command("d7=k").await;
    browser.piece("d7", Some("K")).await;
    browser.square("d7").await;
    browser.find("[data-target=\"a7\"] .star").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn slots_are_saved_loaded_and_have_an_undo_of_their_own() {
    let server = Server::start();
    let browser = open(&server).await;
    browser.drawer("keep").await;
    browser.keys(&['2']).await;
    browser.says("#toast", "Saved into slot 2.").await;
    browser.command("clear").await;
    browser.until(COUNT, &json!(0)).await;
    browser.blur().await;
    browser.keys(&['5']).await;
    browser.find("[data-slot=\"5\"][data-filled]").await;
    browser.keys(&['[']).await;
    browser.until(COUNT, &json!(0)).await;
    browser.keys(&['[']).await;
    browser.until(COUNT, &json!(25)).await;
    browser.keys(&[']']).await;
    browser.until(COUNT, &json!(0)).await;
    // Saving over something loses nothing.
    browser.keys(&['2']).await;
    browser.says("#toast", "Saved into slot 2.").await;
    browser.act("toast-undo").await;
    browser.click("[data-slot=\"2\"]").await;
    browser.until(COUNT, &json!(25)).await;

    // Undo of the board never touches a slot, also right after one was filled.
    browser.command("e4d4").await;
    browser.piece("d4", Some("w")).await;
    browser.blur().await;
    browser.keys(&['7']).await;
    browser.find("[data-slot=\"7\"][data-filled]").await;
    browser.ctrl('z').await;
    browser.piece("e4", Some("w")).await;
    assert!(browser.has("[data-slot=\"7\"][data-filled]").await);
    browser.ctrl('y').await;
    browser.piece("d4", Some("w")).await;
    // And undo of a slot never touches the board.
    browser.keys(&['7']).await;
    browser.says("#toast", "Saved into slot 7.").await;
    browser.act("toast-undo").await;
    browser.piece("d4", Some("w")).await;

    // A click saves, too.
    browser.act("save-into").await;
    browser.click("[data-slot=\"6\"]").await;
    browser.says("#toast", "Saved into slot 6.").await;
    browser.client.refresh().await.unwrap();
    browser.drawer("keep").await;
    for slot in ["2", "5", "6", "7"] {
        browser
            .find(&format!("[data-slot=\"{slot}\"][data-filled]"))
            .await;
    }
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn g_switches_the_rules_on_and_off() {
    let server = Server::start();
    let browser = open(&server).await;
    browser.read("9/9/2bw1b3/9/4K4/9/9/9/9 b").await;
    browser.piece("e5", Some("K")).await;
    browser.drawer("text").await;
    browser.act("drawer-text").await;
    browser.says(".turn", "Black to move").await;
    browser.command("d3d4").await;
    browser.says(".board-note", "but it is black’s turn").await;
    browser.square("f3").await;
    browser.square("e3").await;
    browser.piece("e3", Some("b")).await;
    browser.piece("d3", None).await;
    browser.says(".tree", "f3–e3×").await;
    browser.says(".turn", "White to move").await;
    browser.command("e5e9").await;
    browser.says(".board-note", "Not allowed").await;
    browser.command("e5h5").await;
    browser
        .says(".board-note", "Not allowed: the camp square h5")
        .await;
    browser.command("e5g5").await;
    browser.piece("g5", Some("K")).await;
    browser.blur().await;
    browser.ctrl('z').await;
    browser.piece("e5", Some("K")).await;
    browser.command("game").await;
    browser.says("[data-part=\"words\"]", "free moves").await;
    // The moves are still there; a free move makes a new position, and nothing is lost.
    browser.says(".tree", "f3–e3×").await;
    browser.command("e5a1").await;
    browser.piece("a1", Some("K")).await;
    browser.says("#toast", "one undo away").await;
    browser.act("toast-undo").await;
    browser.piece("e5", Some("K")).await;
    browser.says(".tree", "f3–e3×").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn overlays_arrows_and_turns_of_the_board_can_be_switched() {
    let server = Server::start();
    let browser = open(&server).await;
    browser.read("9/9/2bw1b3/9/2K6/9/9/9/9 b").await;
    browser.find(".lane").await;
    browser.drawer("show").await;
    for (tick, mark) in [
        ("capturable", ".threat"),
        ("hostileWhite", ".hostile-white"),
        ("hostileBlack", ".hostile-black"),
        ("reachWhite", ".reach-white"),
        ("reachBlack", ".reach-black"),
    ] {
        assert!(!browser.has(mark).await, "{mark}");
        browser.click(&format!("[data-tick=\"{tick}\"]")).await;
        browser.find(mark).await;
    }
    browser.click("[data-tick=\"lanes\"]").await;
    browser
        .until("return document.querySelector('.lane')", &json!(null))
        .await;
    assert!(browser.has(".start-mark").await && browser.has(".coordinate").await);
    browser.click("[data-tick=\"startMarks\"]").await;
    browser.click("[data-tick=\"coordinates\"]").await;
    assert!(!browser.has(".start-mark").await && !browser.has(".coordinate").await);

    browser.drag(Button::ShiftRight, &["c5", "c1"]).await;
    browser.find("[data-line=\"c5c1\"]").await;
    browser.drag(Button::ShiftRight, &["e5"]).await;
    browser.find(".circle").await;
    browser.drawer("setup").await;
    browser.click("[data-tool=\"draw\"]").await;
    browser.drag(Button::Left, &["a1", "i1"]).await;
    browser.find("[data-line=\"a1i1\"]").await;
    browser.act("clear-drawings").await;
    browser
        .until(
            "return document.querySelectorAll('.arrow, .circle').length",
            &json!(0),
        )
        .await;
    browser.ctrl('z').await;
    browser.find("[data-line=\"a1i1\"]").await;

    let corner = "return document.querySelector('[data-square=a1]').getAttribute('x')
        + ' ' + document.querySelector('[data-square=a1]').getAttribute('y')";
    browser.until(corner, &json!("0 0")).await;
    browser.act("rotate").await;
    browser.until(corner, &json!("80 0")).await;
    browser.act("flip").await;
    browser.until(corner, &json!("0 80")).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn positions_go_in_and_out_as_text_and_into_the_library() {
    let server = Server::start();
    let browser = open(&server).await;
    let area = "return document.querySelector('[data-field=text]').value";
    browser.drawer("text").await;
    browser.choose("format", "json").await;
    let value = "return document.querySelector('[data-field=text]').value.startsWith('{\"board\":[[\"EMPTY\"')";
    browser.until(value, &json!(true)).await;
    let text = browser.client.execute(area, Vec::new()).await.unwrap();
    browser.command("clear").await;
    browser.until(COUNT, &json!(0)).await;
    browser.read(text.as_str().unwrap()).await;
    browser.until(COUNT, &json!(25)).await;
    browser.read("nonsense").await;
    let fault = "return document.querySelector('[data-part=read-fault]').textContent.length > 10";
    browser.until(fault, &json!(true)).await;

    // Files: what is saved is a record; what is loaded may be anything.
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "[Rules \"ashton\"]\n\n1. e4-d4 d1-c1 *\n").unwrap();
    let field = browser.find("[data-field=\"file\"]").await;
    field
        .send_keys(file.path().to_str().unwrap())
        .await
        .unwrap();
    browser.piece("c1", Some("b")).await;

    browser.drawer("keep").await;
    for name in ["Opening one", "Ending"] {
        browser.fill("position-name", name).await;
        browser.act("save-position").await;
        browser
            .says("#toast", &format!("“{name}” is in your library."))
            .await;
    }
    browser.fill("search", "open").await;
    browser.until("return [...document.querySelectorAll('[data-position]')].map((entry) => entry.dataset.position).join()", &json!("Opening one")).await;
    browser.command("clear").await;
    browser.until(COUNT, &json!(0)).await;
    browser.click("[data-position=\"Opening one\"]").await;
    browser.until(COUNT, &json!(25)).await;
    browser.act("delete-position").await;
    browser
        .says("[data-part=\"positions\"]", "Nothing found.")
        .await;
    browser.act("toast-undo").await;
    browser.find("[data-position=\"Opening one\"]").await;

    // A link names a position; old ones work.
    for link in [
        "#tactics/linnaeus/9%2F9%2F9%2F9%2F4K4%2F9%2F9%2F9%2F9%20b",
        "#analysis/linnaeus/9.9.9.9.4K4.9.9.9.9_b",
    ] {
        browser.go(link).await;
        browser.until(COUNT, &json!(1)).await;
        browser.says(".turn", "Black to move").await;
        browser.blur().await;
        browser.keys(&['r']).await;
        browser.until(COUNT, &json!(25)).await;
    }
    browser.go("#analysis/ashton/start/e4d4.d1c1?turn=2").await;
    browser.piece("c1", Some("b")).await;
    browser.says(".tree", "d1–c1").await;

    // The rule set and the side to move belong to a set-up.
    browser.drawer("setup").await;
    browser.choose("rules", "linnaeus").await;
    browser.click("[data-side=\"black\"]").await;
    browser
        .find("[data-side=\"black\"][aria-pressed=\"true\"]")
        .await;
    browser.find("body[data-kept=\"true\"]").await;
    browser.client.refresh().await.unwrap();
    browser.drawer("setup").await;
    browser
        .find("[data-side=\"black\"][aria-pressed=\"true\"]")
        .await;
    browser.close().await;
}
