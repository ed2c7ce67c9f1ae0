//! Every screen, as large and as small as people have it, light and dark.
//!
//! Nothing here judges beauty: `TABLUT_PICTURES=FOLDER ./test --only browser` keeps the pictures to be
//! looked at. What is checked is that no screen is wider than its window, that fingers find
//! what they press, that both clocks stay in sight, and what axe-core has to say about each screen.

use std::{env, fs, path::PathBuf};

use serde_json::{Value, json};

use crate::harness::{Browser, Server};

/// The windows that people have.
pub(crate) const SIZES: [(u32, u32); 7] = [
    (390, 844),
    (844, 390),
    (768, 1024),
    (1280, 720),
    (1366, 768),
    (1280, 900),
    (2560, 1440),
];

pub(crate) const FITS: &str = "return document.documentElement.scrollWidth <= innerWidth";

/// What can be pressed, is in sight and is smaller than a finger; links within sentences and the squares of a
/// board are as large as they are.
const SMALL: &str = "return [...document.querySelectorAll('button, select, textarea, input:not([type=checkbox]), summary, label.tick, a[href], [role=button], [role=switch]')]
    .filter((one) => one.checkVisibility() && !one.closest('.unseen') && !(one.matches('a') && getComputedStyle(one).display === 'inline'))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && (box.height < 43.5 || box.width < 43.5))
    .map(([one, box]) => `${one.outerHTML.slice(0, 80)}: ${box.width} x ${box.height}`)";

/// What of the board and of both players' cards is not inside the window, or lies under something else.
/// The row of icons for editing a move is there on demand.
const HIDDEN: &str = "return [...document.querySelectorAll('.board, .player, .clock, .icon-row')]
    .filter((one) => one.checkVisibility() || !one.closest('.edit-row'))
    .filter((one) => {
        const box = one.getBoundingClientRect();
        const isInside = box.left >= -0.5 && box.top >= -0.5 && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        return !isInside || !one.contains(document.elementFromPoint(x, y));
    })
    .map((one) => `${one.className}: ${JSON.stringify(one.getBoundingClientRect())}`)";

/// Where things are that must not wander while the list of moves grows.
const PLACES: &str = "return JSON.stringify([...document.querySelectorAll('.board, .player, .icon-row')]
    .map((one) => { const box = one.getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; }))";

/// A game as people write about it.
const STUDY: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Rules \"ashton\"]\n\n\
    {A short one.} 1. e4-d4 $1 {sound} 1... d1-c1 $6 (1... e2-d2 {or this} 2. e3-f3 $5 (2. e3-g3 d2-d3) \
    2... f1-g1) 2. d4-d3 c1-c2 $4 {It was needed on row 1: now the king has a way.} \
    (2... f1-g1 $3 3. e5-e4) 3. d5-d6 $18 *\n";

/// Shows a screen at all sizes.
pub(crate) async fn look(browser: &Browser, name: &str, theme: &str) {
    for (width, height) in SIZES {
        browser.resize(width, height).await;
        check(browser, name, (width, height), theme).await;
        if name == "game" || name == "end" || name.starts_with("analysis") {
            let hidden = browser.client.execute(HIDDEN, Vec::new()).await.unwrap();
            assert_eq!(hidden, json!([]), "{name} at {width}x{height}");
        }
    }
    for (width, height) in [(390, 844), (1280, 900)] {
        browser.resize(width, height).await;
        judge(browser, &format!("{name} at {width}x{height}, {theme}")).await;
    }
}

/// A screen fits a window that has just got its size, and fingers find what they press.
pub(crate) async fn check(browser: &Browser, name: &str, (width, height): (u32, u32), theme: &str) {
    browser.until(FITS, &json!(true)).await;
    if width < 900 {
        let small = browser.client.execute(SMALL, Vec::new()).await.unwrap();
        assert_eq!(small, json!([]), "{name} at {width}x{height}");
    }
    browser
        .picture(&format!("{name}-{width}x{height}-{theme}"))
        .await;
}

/// Lets axe-core look at a screen.
pub(crate) async fn judge(browser: &Browser, screen: &str) {
    let has_axe = "return typeof window.axe === 'object'";
    let known = browser.client.execute(has_axe, Vec::new()).await.unwrap();
    if known != json!(true) {
        browser.client.execute(&axe(), Vec::new()).await.unwrap();
    }
    // Text in the colour of its ground is only a doubt to axe-core.
    let run = "const done = arguments[0];
        const told = (one, nodes) => nodes.map((node) => `${one.id}: ${node.html.slice(0, 120)} ${node.any.map((check) => check.message).join(' ').slice(0, 200)}`);
        const isBlank = (node) => node.any.some((check) => check.data?.messageKey === 'equalRatio');
        axe.run(document, { resultTypes: ['violations', 'incomplete'] }).then(({ violations, incomplete }) => done([
            ...violations.flatMap((one) => told(one, one.nodes)),
            ...incomplete.filter((one) => one.id === 'color-contrast').flatMap((one) => told(one, one.nodes.filter(isBlank)))]));";
    let found = browser.client.execute_async(run, Vec::new()).await.unwrap();
    assert_eq!(found, json!([]), "{screen}");
}

/// The text of axe-core, which `./test` fetches.
fn axe() -> String {
    let target = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/axe/axe.min.js");
    let file = env::var_os("TABLUT_AXE").map_or_else(|| PathBuf::from(target), PathBuf::from);
    fs::read_to_string(&file).unwrap_or_else(|error| {
        panic!(
            "axe-core is missing ({}: {error}); ./test --only browser fetches it, or set TABLUT_AXE",
            file.display()
        )
    })
}

/// Takes the focus away and goes to the top.
pub(crate) async fn calm(browser: &Browser) {
    let script = "document.activeElement.blur(); scrollTo(0, 0)";
    browser.client.execute(script, Vec::new()).await.unwrap();
}

/// A game of two people on one screen, after some moves; gives its address.
async fn play(browser: &Browser) -> String {
    browser.go("#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.choose("control", "total:900000+0").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    for (number, (step, piece)) in [("e4f4", "w"), ("e2f2", "b"), ("d5d2", "w"), ("d1c1", "b")]
        .into_iter()
        .enumerate()
    {
        browser.command(step).await;
        browser.piece(&step[2..], Some(piece)).await;
        browser.moves(number + 1).await;
    }
    let hash = "return location.hash";
    let hash = browser.client.execute(hash, Vec::new()).await.unwrap();
    hash.as_str().unwrap().to_string()
}

pub(crate) async fn set_theme(browser: &Browser, theme: &str) {
    let script = format!("document.documentElement.dataset.theme = '{theme}'");
    browser.client.execute(&script, Vec::new()).await.unwrap();
    // Nothing fades any more.
    let still = "return document.getAnimations().length";
    browser.until(still, &json!(0)).await;
}

/// All screens in a theme.
async fn tour(theme: &str) {
    let server = Server::start();
    let browser = Browser::open(&server, "#games").await;
    browser.find("[data-part=\"next-step\"]").await;
    set_theme(&browser, theme).await;
    look(&browser, "empty", theme).await;
    browser.resize(1280, 900).await;
    let game = play(&browser).await;
    calm(&browser).await;
    set_theme(&browser, theme).await;
    look(&browser, "game", theme).await;
    browser.resize(1280, 900).await;
    browser.act("more").await;
    browser.find("dialog").await;
    look(&browser, "more", theme).await;
    browser.act("close").await;

    for (name, path, found) in [
        ("home", "#", "[data-act=\"home-play\"]"),
        ("new-game", "#play", "[data-act=\"start\"]"),
        ("games", "#games", "[data-game]"),
        ("learn", "#learn", "[data-act=\"begin-rules\"]"),
        ("lesson", "#lesson/ashton/rules/2", "[data-part=\"lesson\"]"),
        ("puzzle", "#puzzle/ashton/1", "[data-part=\"puzzle\"]"),
        ("rules", "#rules/linnaeus", "[data-part=\"two-boards\"]"),
        ("library", "#library", "[data-part=\"foot\"]"),
        ("watch", "#watch", "[data-part=\"tv\"] .board"),
        ("tournaments", "#tournaments", "[data-part=\"next-step\"]"),
        ("ratings", "#ratings", "[data-part=\"next-step\"]"),
        ("nowhere", "#nonsense", "[data-part=\"dead-end\"]"),
    ] {
        browser.go(path).await;
        browser.find(found).await;
        if name == "home" {
            // The picture stands still for the picture.
            browser.square("e5").await;
        }
        set_theme(&browser, theme).await;
        look(&browser, name, theme).await;
    }
    browser.resize(1280, 900).await;
    for act in ["help", "settings"] {
        browser.act(act).await;
        browser.find("dialog").await;
        look(&browser, act, theme).await;
        browser.act("close").await;
    }

    browser.go("#analysis").await;
    browser.read(STUDY).await;
    browser.piece("d6", Some("w")).await;
    for (name, drawer) in [
        ("analysis-text", "text"),
        ("analysis-setup", "setup"),
        ("analysis-show", "show"),
        ("analysis-keep", "keep"),
    ] {
        browser.drawer(drawer).await;
        calm(&browser).await;
        set_theme(&browser, theme).await;
        look(&browser, name, theme).await;
        browser.resize(1280, 900).await;
    }
    browser.act("drawer-keep").await;
    browser.act("mark").await;
    browser.find(".tree").await;
    look(&browser, "analysis-mark", theme).await;
    browser.resize(1280, 900).await;
    browser.act("mark").await;
    calm(&browser).await;
    look(&browser, "analysis", theme).await;
    browser.resize(1280, 900).await;

    browser.go(&game).await;
    browser.find("[data-act=\"resign\"]").await;
    browser.act("resign").await;
    browser.act("resign").await;
    browser.find("[data-outcome]").await;
    calm(&browser).await;
    set_theme(&browser, theme).await;
    look(&browser, "end", theme).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn every_screen_fits_every_window_in_light() {
    tour("light").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn every_screen_fits_every_window_in_dark() {
    tour("dark").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn nothing_wanders_while_the_list_of_moves_grows() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    play(&browser).await;
    for (width, height) in SIZES {
        browser.resize(width, height).await;
        let before = browser.client.execute(PLACES, Vec::new()).await.unwrap();
        // Thirty moves more, as far as the eye can tell.
        let grow = "const list = document.querySelector('.moves');
            for (let n = 0; n < 30; n += 1) list.append(list.lastElementChild.cloneNode(true));";
        browser.client.execute(grow, Vec::new()).await.unwrap();
        let after: Value = browser.client.execute(PLACES, Vec::new()).await.unwrap();
        assert_eq!(before, after, "{width}x{height}");
    }
    browser.close().await;
}
