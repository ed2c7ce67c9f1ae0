//! Lists and tables that have something to show, runs of puzzles, and boards on other sites: as large and as small
//! as people have them, light and dark, like the screens of [`looks`].

use std::fs;

use serde_json::json;

use crate::{
    harness::{Browser, Server},
    looks::{SIZES, calm, look, set_theme},
    tournament::tablut,
};

/// Games of people with short and long names.
const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Rules \"ashton\"]\n[Reason \"resignation\"]\n\n1. e4-d4 d1-c1 2. d4-e4 1-0\n\n\
    [White \"Maximiliane Freifrau von Hohenstein-Tafelberg\"]\n[Black \"Ann\"]\n[Rules \"ashton\"]\n[Reason \"resignation\"]\n\n1. e4-f4 f1-g1 0-1\n\n\
    [White \"Dora\"]\n[Black \"Emil\"]\n[Rules \"ashton\"]\n[Reason \"agreement\"]\n\n1. e3-d3 1/2-1/2\n";

/// A tournament that is over soon.
const CUP: &str = r#"
name = "Midsummer Cup"
seconds = 1
max_plies = 4
[[team]]
name = "Quick"
members = ["Ada"]
plays = "level:1"
[[team]]
name = "Calm"
members = ["Cleo"]
plays = "level:2"
[[team]]
name = "The Third One with a Long Name"
members = ["Dan"]
plays = "level:1"
"#;

/// What is wrong with the explorer: a table that scrolls sideways, words that do not fit their button, a card that
/// scrolls for nothing, or a place of engine or moves that is gone while it is open.
const EXPLORED: &str = "const lacks = (css, height) => {
        const box = document.querySelector(css).getBoundingClientRect();
        const place = document.querySelector(css).closest('.card').getBoundingClientRect();
        return Math.min(box.bottom, place.bottom) - Math.max(box.top, place.top) < height;
    };
    const isCut = (one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight;
    const card = document.querySelector('.part-main');
    return [...(card.scrollHeight > card.clientHeight ? [card] : []), ...[...document.querySelectorAll('.explorer .scroll')].filter((one) => one.scrollWidth > one.clientWidth),
        ...[...document.querySelectorAll('.explorer .choices button')].filter(isCut)].map((one) => one.outerHTML.slice(0, 60))
        .concat([['.engine-head', 44], ...(document.querySelector('.tree') ? [['.tree-place', 44]] : []), ['.explorer tbody tr', 36]].filter(([css, height]) => lacks(css, height)).map(([css]) => css))";

/// The explorer leaves what it should in every window.
async fn explored(browser: &Browser) {
    for (width, height) in SIZES {
        browser.resize(width, height).await;
        let wrong = browser.client.execute(EXPLORED, Vec::new()).await.unwrap();
        assert_eq!(wrong, json!([]), "{width}x{height}");
    }
}

/// All filled screens in a theme.
async fn tour(theme: &str) {
    let server = Server::start();
    let at = |name: &str| server.folder().join(name);
    fs::write(at("cup.toml"), CUP).unwrap();
    tablut(&server, &["tournament", "add", "cup.toml"]);
    tablut(&server, &["tournament", "run", "cup.toml"]);
    let browser = Browser::open(&server, "#library").await;
    fs::write(at("games.tablut"), GAMES).unwrap();
    let field = browser.find("[data-field=\"import\"]").await;
    field
        .send_keys(at("games.tablut").to_str().unwrap())
        .await
        .unwrap();
    browser.find("[data-part=\"import-report\"]").await;
    let games = "return document.querySelectorAll('[data-part=\"found\"] .found').length >= 3";
    browser.until(games, &json!(true)).await;
    for (name, path, found) in [
        ("watch-over", "#watch", "[data-part=\"recent\"] .found"),
        ("library-full", "#library", "[data-part=\"found\"] .found"),
        ("cups", "#tournaments", "[data-tournament]"),
        ("cup", "#tournament/midsummer-cup", "[data-fixture]"),
        ("ratings-full", "#ratings", "[data-table=\"ratings\"]"),
        ("plan", "#lesson/ashton/plans/1", "[data-part=\"lesson\"]"),
        ("streak", "#puzzle/ashton/streak", "[data-part=\"run\"]"),
        ("rush", "#puzzle/ashton/rush", "[data-part=\"run\"]"),
        ("rules-own", "#rules/ashton", "[data-part=\"diagram\"]"),
    ] {
        // As on a phone at first: the search is folded there.
        browser.resize(390, 844).await;
        browser.go(path).await;
        browser.find(found).await;
        set_theme(&browser, theme).await;
        look(&browser, name, theme).await;
    }
    browser.resize(1280, 900).await;
    browser.go("#analysis").await;
    browser.act("explorer").await;
    browser.find("[data-table=\"explorer\"] tbody tr").await;
    // The shares of both sides and the draws fill their bar.
    let filled = "return [...document.querySelectorAll('.shares')].every((bar) =>
        Math.abs([...bar.children].reduce((sum, part) => sum + part.offsetWidth, 0) - bar.clientWidth) < 3)";
    browser.until(filled, &json!(true)).await;
    calm(&browser).await;
    set_theme(&browser, theme).await;
    look(&browser, "explorer", theme).await;
    browser.click("[data-source=\"book\"]").await;
    browser.find("[data-table=\"book\"] tbody tr").await;
    explored(&browser).await;
    look(&browser, "explorer-book", theme).await;
    browser.click("[data-source=\"self-play\"]").await;
    explored(&browser).await;
    browser.resize(1280, 900).await;
    browser.command("e4d4").await;
    browser.find(".tree").await;
    browser.find("[data-table=\"explorer\"] tbody tr").await;
    calm(&browser).await;
    look(&browser, "explorer-moves", theme).await;
    explored(&browser).await;

    let board = format!(
        "{}embed/analysis/ashton/start/e4d4.d1c1?theme={theme}",
        server.url
    );
    browser.client.goto(&board).await.unwrap();
    browser.find(".board img").await;
    look(&browser, "embed", theme).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn every_filled_screen_fits_every_window_in_light() {
    tour("light").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn every_filled_screen_fits_every_window_in_dark() {
    tour("dark").await;
}
