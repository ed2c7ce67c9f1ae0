//! Games that are over, what was played in a position, rules that can be played, and the watch page.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::json;

use crate::harness::{Browser, PATIENCE, Server};

/// Two games with the same opening but for a mirror, and one with another.
const PLANTED: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Rules \"ashton\"]\n[Reason \"resignation\"]\n\n1. e4-d4 d1-c1 2. d4-e4 1-0\n\n\
    [White \"Carl\"]\n[Black \"Ann\"]\n[Rules \"ashton\"]\n[Reason \"resignation\"]\n\n1. e4-f4 f1-g1 0-1\n\n\
    [White \"Dora\"]\n[Black \"Emil\"]\n[Rules \"ashton\"]\n[Reason \"agreement\"]\n\n1. e3-d3 1/2-1/2\n";

/// A file whose second game has a move that the rules do not allow.
const BROKEN: &str = "[White \"Fay\"]\n[Rules \"ashton\"]\n[Reason \"resignation\"]\n\n1. e4-g4 1-0\n\n\
    [White \"Gus\"]\n[Rules \"ashton\"]\n[Reason \"resignation\"]\n\n1. e4-e3 1-0\n";

/// The players of the games in the list.
const WHITES: &str = "return [...document.querySelectorAll('[data-part=\"found\"] .found-player:first-child')].map((one) => one.textContent.trim()).sort().join(' ')";

/// Imports files and waits until their games are in the library.
async fn import(server: &Server, browser: &Browser, files: &[(&str, &str)], games: usize) {
    let paths: Vec<String> = files
        .iter()
        .map(|(name, text)| {
            let path = server.folder().join(name);
            fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_string()
        })
        .collect();
    let field = browser.find("[data-field=\"import\"]").await;
    field.send_keys(&paths.join("\n")).await.unwrap();
    browser.find("[data-part=\"import-report\"]").await;
    let count = "return document.querySelectorAll('[data-part=\"found\"] .found').length";
    browser.until(count, &json!(games)).await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn an_import_reports_what_was_wrong_and_a_search_by_position_finds_the_rest() {
    let server = Server::start();
    let browser = Browser::open(&server, "#library").await;
    browser
        .says("[data-part=\"foot\"]", "No game has ended here yet")
        .await;
    let field = browser.find("[data-field=\"import\"]").await;
    let broken = server.folder().join("broken.tablut");
    fs::write(&broken, BROKEN).unwrap();
    let nonsense = server.folder().join("notes.txt");
    fs::write(&nonsense, "shopping list").unwrap();
    field
        .send_keys(&format!("{}\n{}", broken.display(), nonsense.display()))
        .await
        .unwrap();
    browser
        .says("[data-part=\"import-report\"]", "1 game was imported.")
        .await;
    browser
        .says("[data-part=\"import-report\"]", "broken.tablut: 1 problem")
        .await;
    browser
        .says("[data-part=\"import-report\"]", "Game 2")
        .await;
    browser
        .says("[data-part=\"import-report\"]", "notes.txt: 1 problem")
        .await;
    import(&server, &browser, &[("games.tablut", PLANTED)], 4).await;

    // An opening finds its games and those of its mirror image.
    browser.go("#library?line=e4f4").await;
    browser.until(WHITES, &json!("Ann Carl")).await;
    // So does a position, whichever way it is turned.
    for setup in [
        "3bbb3.4b4.4w4.b2w4b.bbwwKwwbb.b3w3b.4w4.4b4.3bbb3_b",
        "3bbb3.4b4.4w4.b4w2b.bbwwKwwbb.b3w3b.4w4.4b4.3bbb3_b",
        "3bbb3.4b4.4w4.b3w3b.bbwwKwwbb.b2w4b.4w4.4b4.3bbb3_b",
    ] {
        browser
            .go(&format!("#library?rules=ashton&setup={setup}"))
            .await;
        browser
            .find("[data-part=\"search-place\"] .miniature")
            .await;
        browser.until(WHITES, &json!("Ann Carl")).await;
    }
    browser.act("no-position").await;
    browser.until(WHITES, &json!("Ann Carl Dora Fay")).await;

    // By who played, with which side, and how it ended.
    browser.fill("search-player", "ann\u{e007}").await;
    browser.until(WHITES, &json!("Ann Carl")).await;
    browser.choose("search-side", "black").await;
    browser.until(WHITES, &json!("Carl")).await;
    browser.act("clear-search").await;
    browser.choose("search-reason", "agreement").await;
    browser.until(WHITES, &json!("Dora")).await;

    // A word of one's own is found again.
    browser.fill("tag", "calm\u{e007}").await;
    browser.says(".tags", "calm").await;
    browser.go("#library?tag=calm").await;
    browser.until(WHITES, &json!("Dora")).await;
    browser.click(".found-link").await;
    browser.find("[data-outcome]").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn found_games_are_saved_as_records_that_another_library_reads() {
    let server = Server::start();
    let browser = Browser::open(&server, "#library").await;
    import(&server, &browser, &[("games.tablut", PLANTED)], 3).await;
    browser.fill("search-player", "ann\u{e007}").await;
    browser.until(WHITES, &json!("Ann Carl")).await;
    let folder = tempfile::tempdir().unwrap();
    let allowed = json!({ "behavior": "allow", "downloadPath": folder.path() });
    browser.tell("Browser.setDownloadBehavior", &allowed).await;
    browser.act("export").await;
    let saved = saved(&folder.path().join("games.tablut")).await;
    for (record, is_found) in [
        ("[White \"Ann\"]", true),
        ("[White \"Carl\"]", true),
        ("1. e4-d4 d1-c1 2. d4-e4 1-0", true),
        ("Dora", false),
    ] {
        assert_eq!(saved.contains(record), is_found, "{record}: {saved}");
    }
    browser.close().await;

    let elsewhere = Server::start();
    let browser = Browser::open(&elsewhere, "#library").await;
    import(&elsewhere, &browser, &[("found.tablut", &saved)], 2).await;
    browser.until(WHITES, &json!("Ann Carl")).await;
    browser.close().await;
}

/// Waits for a file that the browser saves, and reads it.
async fn saved(file: &Path) -> String {
    let begin = Instant::now();
    // The browser gives it its name when all of it is there.
    while !file.exists() {
        assert!(begin.elapsed() < PATIENCE, "{}", file.display());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    fs::read_to_string(file).unwrap()
}

/// The moves of the explorer with their games.
const TABLE: &str = "return [...document.querySelectorAll('[data-table=\"explorer\"] tbody tr')].map((row) => `${row.dataset.step} ${row.cells[1].textContent}`).join(', ')";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_explorer_follows_the_board_and_its_mirror_image() {
    let server = Server::start();
    let browser = Browser::open(&server, "#library").await;
    import(&server, &browser, &[("games.tablut", PLANTED)], 3).await;
    browser.go("#analysis").await;
    browser.act("explorer").await;
    browser.click("[data-source=\"store\"]").await;
    // Two games made the same first move but for a mirror; the other one stands behind it.
    let first =
        "return document.querySelector('[data-table=\"explorer\"] tbody tr')?.cells[1].textContent";
    browser.until(first, &json!("2")).await;
    browser.command("e4d4").await;
    browser.until(TABLE, &json!("d1c1 2")).await;
    browser.act("games-behind").await;
    browser.says("[data-part=\"explorer-games\"]", "Ann").await;
    browser.says("[data-part=\"explorer-games\"]", "Carl").await;
    // The mirror image has the mirrored move and the same games.
    browser.blur().await;
    browser.click("[data-step=\"first\"]").await;
    browser.until(first, &json!("2")).await;
    browser.command("e4f4").await;
    browser.until(TABLE, &json!("f1g1 2")).await;
    // A press plays the move.
    browser.click("[data-table=\"explorer\"] .move").await;
    browser.piece("g1", Some("b")).await;
    browser.until(TABLE, &json!("f4e4 1")).await;
    // Games that ship answer too.
    browser.click("[data-step=\"first\"]").await;
    let asked = "return document.querySelector('.explorer').dataset.asked.split(' ').filter(Boolean).length";
    browser.until(asked, &json!(0)).await;
    browser.click("[data-source=\"self-play\"]").await;
    let many = "return Number(document.querySelector('[data-table=\"explorer\"] tbody tr')?.cells[1].textContent.replace(/\\D/g, '')) > 100";
    browser.until(many, &json!(true)).await;
    // And so does the book.
    browser.click("[data-source=\"book\"]").await;
    browser.click("[data-table=\"book\"] .move").await;
    browser.until(asked, &json!(1)).await;
    browser.click("[data-step=\"first\"]").await;
    browser.until(asked, &json!(0)).await;
    browser.act("find-games").await;
    browser.until(WHITES, &json!("Ann Carl Dora")).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_live_game_is_on_the_board_of_the_watch_page() {
    let server = Server::start();
    let player = Browser::open(&server, "#play").await;
    player.click("[data-choice=\"screen\"]").await;
    player.act("start").await;
    player.find(".board").await;
    player.command("e4d4").await;
    player.piece("d4", Some("w")).await;
    let watcher = Browser::open(&server, "#watch").await;
    watcher.says("[data-part=\"tv\"]", "Black to move").await;
    player.command("d1c1").await;
    watcher.says("[data-part=\"tv\"]", "White to move").await;
    watcher.says("[data-part=\"tv\"]", "1 spectator").await;
    // When it is over, it stands under the games that have just ended.
    player.act("resign").await;
    player.act("resign").await;
    watcher
        .says("[data-part=\"tv\"] .outcome", "resigned")
        .await;
    watcher.find("[data-part=\"recent\"] .found").await;
    player.close().await;
    watcher.close().await;
}
