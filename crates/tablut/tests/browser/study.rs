//! The tree of moves: stepped through, branched, written at, kept and shared.

use fantoccini::wd::WindowHandle;
use serde_json::json;

use crate::harness::{Browser, DOWN, LEFT, RIGHT, Server, UP};

/// A game with comments, marks, a variation and a player's name.
const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Rules \"ashton\"]\n\n\
    {A short one.} 1. e4-d4 $1 {sound} 1... d1-c1 (1... e2-d2 {or this} 2. e3-f3) 2. d5-d6 *\n";

/// The moves as they stand in the tree, the current one in brackets.
const TREE: &str = "return [...document.querySelectorAll('.tree [data-node]')]
    .map((one) => one.getAttribute('aria-current') ? `[${one.firstChild.data}]` : one.firstChild.data).join(' ')";

async fn tree(browser: &Browser, moves: &str) {
    browser.until(TREE, &json!(moves)).await;
}

async fn loaded(server: &Server) -> Browser {
    let browser = Browser::open(server, "#analysis").await;
    browser.find("[data-part=\"no-moves\"]").await;
    browser.read(GAME).await;
    browser.piece("d6", Some("w")).await;
    browser.act("drawer-text").await;
    browser.blur().await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 [d5–d6]").await;
    browser
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_loaded_game_is_stepped_through_and_branched() {
    let server = Server::start();
    let browser = loaded(&server).await;
    browser
        .says("[data-part=\"study-name\"]", "Ann – Bob")
        .await;
    browser.says(".tree", "A short one.").await;
    browser.says(".tree", "sound").await;
    browser.find(".tree .nag-1").await;
    // Keys, the wheel, clicks and icons step; nothing is lost by stepping.
    browser.keys(&[LEFT]).await;
    browser.piece("d5", Some("w")).await;
    tree(&browser, "e4–d4 [d1–c1] e2–d2 e3–f3 d5–d6").await;
    browser.wheel(-1).await;
    tree(&browser, "[e4–d4] d1–c1 e2–d2 e3–f3 d5–d6").await;
    browser.wheel(1).await;
    browser.keys(&[RIGHT]).await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 [d5–d6]").await;
    browser.click("[data-step=\"first\"]").await;
    browser.piece("e4", Some("w")).await;
    browser.click("[data-step=\"last\"]").await;
    browser.click(".tree [data-node=\"1\"]").await;
    browser.piece("d4", Some("w")).await;
    tree(&browser, "[e4–d4] d1–c1 e2–d2 e3–f3 d5–d6").await;

    // A move that is there leads along it; another one branches off.
    browser.command("d1c1").await;
    tree(&browser, "e4–d4 [d1–c1] e2–d2 e3–f3 d5–d6").await;
    browser.blur().await;
    browser.keys(&[LEFT]).await;
    browser.square("f1").await;
    browser.square("g1").await;
    browser.piece("g1", Some("b")).await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 [f1–g1] d5–d6").await;
    // Up and down go through the variations.
    browser.keys(&[UP]).await;
    tree(&browser, "e4–d4 d1–c1 [e2–d2] e3–f3 f1–g1 d5–d6").await;
    browser.keys(&[UP]).await;
    tree(&browser, "e4–d4 [d1–c1] e2–d2 e3–f3 f1–g1 d5–d6").await;
    browser.keys(&[DOWN, DOWN]).await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 [f1–g1] d5–d6").await;
    // Promoted, deleted, and all of it undone.
    browser.keys(&['p']).await;
    tree(&browser, "e4–d4 [f1–g1] d1–c1 d5–d6 e2–d2 e3–f3").await;
    browser.act("delete").await;
    tree(&browser, "[e4–d4] d1–c1 e2–d2 e3–f3 d5–d6").await;
    browser.says("#toast", "The line was deleted.").await;
    browser.ctrl('z').await;
    browser.ctrl('z').await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 [f1–g1] d5–d6").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_line_is_copied_up_to_the_move_on_the_board() {
    let server = Server::start();
    let browser = loaded(&server).await;
    let allowed = json!({ "permissions": ["clipboardReadWrite"] });
    browser.tell("Browser.grantPermissions", &allowed).await;
    let read = "const done = arguments[0]; navigator.clipboard.readText().then(done, (problem) => done(String(problem)))";
    // The main line by the icon, a variation by the key.
    browser.act("copy-line").await;
    browser.says("#toast", "Copied.").await;
    let copied = browser.client.execute_async(read, Vec::new()).await;
    assert_eq!(
        copied.unwrap(),
        json!("[Rules \"ashton\"]\n\n1. e4-d4 d1-c1 2. d5-d6 *\n")
    );
    browser
        .click(".tree .variation [data-node]:last-child")
        .await;
    tree(&browser, "e4–d4 d1–c1 [e2–d2] e3–f3 d5–d6").await;
    browser.keys(&['y']).await;
    let copied = "const done = arguments[0];
        const look = () => navigator.clipboard.readText().then((text) => text.includes('e2') ? done(text) : requestAnimationFrame(look));
        look();";
    let copied = browser.client.execute_async(copied, Vec::new()).await;
    let copied = copied.unwrap();
    assert_eq!(copied, json!("[Rules \"ashton\"]\n\n1. e4-d4 e2-d2 *\n"));
    // It reads as the same moves.
    browser.read(copied.as_str().unwrap()).await;
    tree(&browser, "e4–d4 [e2–d2]").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn comments_and_marks_survive_export_and_import() {
    let server = Server::start();
    let browser = loaded(&server).await;
    browser.act("comment").await;
    browser
        .fill("comment", "A plan: {e5} goes [there].\nThen we see.")
        .await;
    browser.blur().await;
    browser.says(".tree", "A plan: {e5} goes [there].").await;
    browser.act("comment").await;
    browser.act("mark").await;
    browser.click("[data-nag=\"5\"]").await;
    browser.find(".tree .nag-5").await;
    browser.click("[data-nag=\"18\"]").await;
    browser.find(".tree .nag-18").await;
    browser.click("[data-nag=\"4\"]").await;
    browser.find(".tree .nag-4").await;
    assert!(!browser.has(".tree .nag-5").await);
    browser.drawer("text").await;
    let area = "return document.querySelector('[data-field=text]').value";
    let is_written = "return document.querySelector('[data-field=text]').value.includes('plan')";
    browser.until(is_written, &json!(true)).await;
    let text = browser.client.execute(area, Vec::new()).await.unwrap();
    let text = text.as_str().unwrap().to_string();
    assert!(text.contains("$18 $4"), "{text}");
    assert!(text.contains("{or this}"), "{text}");
    // Somebody else reads it.
    let other = Browser::open(&server, "#analysis").await;
    other.find("[data-part=\"no-moves\"]").await;
    other.drawer("text").await;
    let fill = format!(
        "document.querySelector('[data-field=text]').value = {}",
        json!(text)
    );
    other.client.execute(&fill, Vec::new()).await.unwrap();
    other.act("read-text").await;
    other.piece("d6", Some("w")).await;
    other.act("drawer-text").await;
    other.says(".tree", "A plan: {e5} goes [there].").await;
    other.says(".tree", "Then we see.").await;
    other.says(".tree", "or this").await;
    other.find(".tree .nag-4").await;
    tree(&other, "e4–d4 d1–c1 e2–d2 e3–f3 [d5–d6]").await;
    other.close().await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn leaving_reloading_and_a_restarted_server_find_everything_as_it_was() {
    let mut server = Server::start();
    let browser = loaded(&server).await;
    browser.keys(&[LEFT, LEFT]).await;
    tree(&browser, "[e4–d4] d1–c1 e2–d2 e3–f3 d5–d6").await;
    browser.command("f1g1").await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 [f1–g1] d5–d6").await;
    // Free moves stay free, and what is undone can still be redone.
    browser.blur().await;
    browser.keys(&['g']).await;
    browser.says("[data-part=\"words\"]", "free moves").await;
    let here = "e4–d4 d1–c1 e2–d2 e3–f3 [f1–g1] d5–d6";
    browser.go("#play").await;
    browser.find("[data-act=\"start\"]").await;
    browser.go("#analysis").await;
    tree(&browser, here).await;
    browser.says("[data-part=\"words\"]", "free moves").await;
    browser.client.refresh().await.unwrap();
    tree(&browser, here).await;
    server.restart();
    browser.client.refresh().await.unwrap();
    tree(&browser, here).await;
    browser.piece("g1", Some("b")).await;
    browser.ctrl('z').await;
    browser
        .until(
            "return document.querySelector('[data-part=words]').innerText.includes('free')",
            &json!(false),
        )
        .await;
    browser.ctrl('z').await;
    tree(&browser, "[e4–d4] d1–c1 e2–d2 e3–f3 d5–d6").await;
    browser.ctrl('y').await;
    tree(&browser, here).await;
    // Where one looks is kept, too.
    browser.keys(&[LEFT]).await;
    tree(&browser, "[e4–d4] d1–c1 e2–d2 e3–f3 f1–g1 d5–d6").await;
    browser.go("#play").await;
    browser.find("[data-act=\"start\"]").await;
    browser.go("#analysis").await;
    tree(&browser, "[e4–d4] d1–c1 e2–d2 e3–f3 f1–g1 d5–d6").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_study_gets_a_name_is_listed_shared_and_copied() {
    let server = Server::start();
    let ann = loaded(&server).await;
    ann.drawer("keep").await;
    ann.fill("study-name", "The fork").await;
    ann.act("save-study").await;
    ann.says("[data-part=\"study-name\"]", "The fork").await;
    ann.find("[data-study=\"The fork\"]").await;
    let hash = "return location.hash";
    let hash = ann.client.execute(hash, Vec::new()).await.unwrap();
    let id = hash
        .as_str()
        .unwrap()
        .trim_start_matches("#study/")
        .to_string();
    // Every change is kept under its name, and it is what opens next time.
    ann.command("c1c2").await;
    ann.piece("c2", Some("b")).await;
    ann.go("#analysis").await;
    ann.says("[data-part=\"study-name\"]", "The fork").await;
    ann.piece("c2", Some("b")).await;
    // What is read next goes onto the board without a name.
    ann.read("9/9/9/9/4K4/9/9/9/b8 w").await;
    ann.until(
        "return document.querySelector('[data-part=study-name]')",
        &json!(null),
    )
    .await;
    ann.act("toast-act").await;
    ann.says("[data-part=\"study-name\"]", "The fork").await;
    ann.piece("c2", Some("b")).await;

    // Whoever has the link sees it; what they change is a copy.
    let bob = Browser::open(&server, &format!("study/{id}")).await;
    bob.says("[data-part=\"study-name\"]", "The fork").await;
    bob.piece("c2", Some("b")).await;
    bob.command("e3f3").await;
    bob.piece("f3", Some("w")).await;
    bob.says("#toast", "your own copy").await;
    ann.client.refresh().await.unwrap();
    ann.piece("c2", Some("b")).await;
    ann.piece("f3", None).await;
    // The link has a picture and a title.
    let decode = "const done = arguments[arguments.length - 1];
        const image = new Image();
        image.src = arguments[0];
        image.decode().then(() => done(image.naturalWidth), (error) => done(String(error)))";
    let path = json!(format!("/image/study/{id}.png?size=300"));
    let width = bob.client.execute_async(decode, vec![path]).await.unwrap();
    assert_eq!(width, json!(300));

    ann.drawer("keep").await;
    ann.act("delete-study").await;
    ann.act("really-delete").await;
    ann.says("[data-part=\"studies\"]", "No study has a name yet.")
        .await;
    bob.client.goto("about:blank").await.unwrap();
    bob.go(&format!("#study/{id}")).await;
    bob.says("[data-part=\"dead-end\"]", "There is no such study here")
        .await;
    ann.close().await;
    bob.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_finished_game_opens_as_a_tree_and_nothing_of_it_can_be_lost() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    for (count, step) in ["e4d4", "d1c1", "d4d3", "c1c2"].into_iter().enumerate() {
        browser.command(step).await;
        browser.moves(count + 1).await;
    }
    browser.act("resign").await;
    browser.act("resign").await;
    browser.find("[data-outcome]").await;
    browser.click("[data-ply=\"3\"]").await;
    browser.act("analyse").await;
    tree(&browser, "e4–d4 d1–c1 [d4–d3] c1–c2").await;
    browser.blur().await;
    // A click on a move is a step, whatever it was once.
    browser.click(".tree [data-node=\"1\"]").await;
    tree(&browser, "[e4–d4] d1–c1 d4–d3 c1–c2").await;
    browser.command("f1g1").await;
    tree(&browser, "e4–d4 d1–c1 [f1–g1] d4–d3 c1–c2").await;
    browser.drawer("text").await;
    browser
        .until(
            "return document.querySelector('[data-field=text]').value.includes('[Reason \"resignation\"]')",
            &json!(true),
        )
        .await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn two_tabs_on_one_study_see_each_others_changes() {
    let server = Server::start();
    let browser = loaded(&server).await;
    let first = browser.client.window().await.unwrap();
    let second = browser.client.new_window(true).await.unwrap().handle;
    let to = async |tab: &WindowHandle| {
        let tab = tab.clone();
        browser.client.switch_to_window(tab).await.unwrap();
    };
    to(&second).await;
    browser.go("#analysis").await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 [d5–d6]").await;
    browser.click("[data-step=\"first\"]").await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 d5–d6").await;
    browser.command("e4f4").await;
    tree(&browser, "e4–d4 [e4–f4] d1–c1 e2–d2 e3–f3 d5–d6").await;

    // The first tab has the new move and still looks where it looked.
    to(&first).await;
    tree(&browser, "e4–d4 e4–f4 d1–c1 e2–d2 e3–f3 [d5–d6]").await;
    browser.piece("d6", Some("w")).await;
    // What is undone here is gone there, too. Who undoes is led to where the change was made.
    browser.ctrl('z').await;
    tree(&browser, "e4–d4 d1–c1 e2–d2 e3–f3 d5–d6").await;
    to(&second).await;
    browser
        .until(
            "return document.querySelectorAll('.tree [data-node]').length",
            &json!(5),
        )
        .await;
    browser.piece("f4", None).await;
    browser.close().await;
}
