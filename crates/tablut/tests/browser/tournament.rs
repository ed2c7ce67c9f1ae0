//! A tournament on the page: started, watched while it is played, replayed, and shown to the public.

use std::{fs, process::Command};

use serde_json::json;

use crate::harness::{Browser, Server, Window};

const FILE: &str = r#"
name = "Page Cup"
seconds = 1
max_plies = 14
[[team]]
name = "Quick"
members = ["Ada"]
plays = "time:0.3"
[[team]]
name = "Calm"
members = ["Bea"]
plays = "time:0.4"
"#;

pub(crate) fn tablut(server: &Server, words: &[&str]) {
    let done = Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(words)
        .args(["--store", "games.db"])
        .current_dir(server.folder())
        .status()
        .unwrap();
    assert!(done.success(), "{words:?}");
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_tournament_is_started_watched_and_replayed() {
    let server = Server::start();
    fs::write(server.folder().join("cup.toml"), FILE).unwrap();
    tablut(&server, &["tournament", "add", "cup.toml"]);
    let browser = Browser::open(&server, "#tournaments").await;
    browser.click("[data-tournament=\"page-cup\"]").await;
    browser.says("[data-part=\"progress\"]", "0 of 2").await;
    browser.act("start").await;

    // A board shows moves as they are made, without a hand on the page.
    browser.find(".live-boards [data-game]").await;
    let plies = "return document.querySelector('.live-boards [data-part=\"plies\"]')?.innerText";
    let before = browser.client.execute(plies, Vec::new()).await.unwrap();
    let moved = format!(
        "const now = document.querySelector('.live-boards [data-part=\"plies\"]')?.innerText;
         return Boolean(now) && now !== {before}"
    );
    browser.until(&moved, &json!(true)).await;
    browser.picture("tournament-live").await;
    // So do the standings.
    browser.says("[data-part=\"progress\"]", "2 of 2").await;
    browser.says("[data-table=\"standings\"]", "Quick").await;
    let points = "return [...document.querySelectorAll('[data-table=\"standings\"] strong')]
        .reduce((sum, cell) => sum + Number(cell.innerText), 0)";
    browser
        .until(
            &format!("const sum = (() => {{ {points} }})(); return sum >= 4 && sum <= 6"),
            &json!(true),
        )
        .await;
    assert!(!browser.has("[data-act=\"pause\"]").await);
    browser.picture("tournament-over").await;

    // A game is stepped through.
    browser.click("[data-fixture=\"1\"] a").await;
    browser.find("[data-outcome]").await;
    browser.click("[data-step=\"first\"]").await;
    browser.piece("e4", Some("w")).await;
    let at_start = browser.pieces().await;
    browser.click("[data-step=\"forward\"]").await;
    browser
        .until(
            "return document.querySelectorAll('.under .last').length > 0",
            &json!(true),
        )
        .await;
    assert_ne!(browser.pieces().await, at_start);

    browser.go("#ratings").await;
    browser.says("[data-table=\"ratings\"]", "Calm").await;
    browser.says("[data-table=\"balance\"]", "Ashton").await;
    browser.picture("ratings").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_public_view_shows_no_control_and_the_report_needs_no_server() {
    let server = Server::start();
    let file = FILE.replace("max_plies = 14", "max_plies = 2");
    fs::write(server.folder().join("cup.toml"), file).unwrap();
    tablut(&server, &["tournament", "add", "cup.toml"]);
    let browser = Browser::open(&server, "#tournament/page-cup").await;
    browser.find("[data-act=\"start\"]").await;
    browser.go("#tournament/page-cup/public").await;
    browser.says("[data-table=\"standings\"]", "Quick").await;
    assert_eq!(
        browser.count("main button, main input, main select").await,
        0
    );
    browser.picture("tournament-public").await;

    tablut(&server, &["tournament", "run", "cup.toml"]);
    tablut(&server, &["tournament", "export", "--to", "out"]);
    browser.says("[data-part=\"progress\"]", "2 of 2").await;
    let report = format!(
        "file://{}",
        server.folder().join("out/report.html").display()
    );
    browser.client.goto(&report).await.unwrap();
    assert_eq!(browser.count("#games tr").await, 3);
    browser.click("#games tr[data-number=\"2\"]").await;
    browser.says("#ply", "0 of 2").await;
    browser.click("#next").await;
    browser.says("#ply", "1 of 2").await;
    assert_eq!(browser.count("#board circle").await, 25);
    browser.picture("tournament-report").await;
    browser.close().await;

    // On a phone, in the dark, and in Italian, nothing is wider than the window.
    let phone = Browser::with(&server, "#tournament/page-cup", Window::Phone, "it").await;
    phone.says("[data-table=\"standings\"]", "Calm").await;
    phone.darken().await;
    let fits = "return document.documentElement.scrollWidth <= innerWidth";
    phone.until(fits, &json!(true)).await;
    phone.picture("tournament-phone-dark").await;
    phone.go("#ratings").await;
    phone.says("[data-table=\"ratings\"]", "Calm").await;
    phone.until(fits, &json!(true)).await;
    phone.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn games_with_a_few_milliseconds_a_move_open_too() {
    let server = Server::start();
    let file = FILE
        .replace("seconds = 1", "seconds = 0.05")
        .replace("time:0.3", "level:1")
        .replace("time:0.4", "random");
    fs::write(server.folder().join("cup.toml"), file).unwrap();
    tablut(&server, &["tournament", "run", "cup.toml"]);
    let browser = Browser::open(&server, "#tournament/page-cup").await;
    browser.says("[data-part=\"progress\"]", "2 of 2").await;
    browser.click("[data-fixture=\"1\"] a").await;
    browser.find("[data-outcome]").await;
    browser.find(".move").await;
    browser.close().await;
}

/// The points of a team in the table.
fn points(team: &str) -> String {
    format!(
        "return [...document.querySelectorAll('[data-table=\"standings\"] tbody tr')]
         .find((row) => row.innerText.includes({team:?}))?.querySelector('strong')?.innerText"
    )
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn an_organiser_corrects_a_tournament_and_undoes_it() {
    let server = Server::start();
    let third = "[[team]]\nname = \"Third\"\nmembers = [\"Cid\"]\nplays = \"random\"\n";
    let file = FILE.replace("max_plies = 14", "max_plies = 2") + third;
    fs::write(server.folder().join("cup.toml"), file).unwrap();
    tablut(&server, &["tournament", "run", "cup.toml"]);
    let browser = Browser::open(&server, "#tournament/page-cup").await;
    browser.says("[data-part=\"progress\"]", "6 of 6").await;
    // Six draws: four points for each.
    browser.until(&points("Quick"), &json!("4")).await;

    // Without a reason nothing is done.
    browser.choose("team", "2").await;
    browser.act("withdraw").await;
    browser.act("withdraw-annul").await;
    browser.find("dialog .bad-text").await;
    browser.picture("organiser-withdraw").await;
    browser.fill("why", "two programs at once").await;
    browser.act("withdraw-annul").await;
    browser.until(&points("Quick"), &json!("2")).await;
    browser.until(&points("Third"), &json!("0")).await;
    browser.says("[data-part=\"progress\"]", "2 of 2").await;
    browser.says("[data-table=\"schedule\"]", "Annulled").await;
    browser
        .says("[data-correction=\"1\"]", "two programs at once")
        .await;

    // A game is decided.
    let number = "return [...document.querySelectorAll('[data-table=\"schedule\"] tbody tr')]
        .find((row) => row.cells[2].innerText === 'Quick' && row.cells[3].innerText === 'Calm').dataset.fixture";
    let number = browser.client.execute(number, Vec::new()).await.unwrap();
    let number = number.as_str().unwrap();
    browser.act(&format!("game-{number}")).await;
    browser.fill("why", "white was ill").await;
    browser.picture("organiser-game").await;
    browser.act("result-black").await;
    browser.until(&points("Calm"), &json!("4")).await;
    browser.until(&points("Quick"), &json!("1")).await;
    browser.says("[data-table=\"cross\"]", "0*").await;
    browser
        .says(
            &format!("[data-fixture=\"{number}\"]"),
            "the organiser decided",
        )
        .await;
    browser.picture("organiser-desk").await;

    // Both are undone, the earlier one first.
    for correction in [1, 2] {
        browser.act(&format!("undo-{correction}")).await;
        browser.fill("why", "a mistake").await;
        browser.act("do").await;
        browser
            .find(&format!("[data-correction=\"{correction}\"].undone"))
            .await;
    }
    browser.until(&points("Quick"), &json!("4")).await;
    browser.says("[data-part=\"progress\"]", "6 of 6").await;

    // A late team, and another name.
    browser.act("add-team").await;
    browser.fill("team-name", "Late").await;
    browser.fill("plays", "random").await;
    browser.fill("why", "the bus was late").await;
    browser.picture("organiser-late").await;
    browser.act("do").await;
    browser.says("[data-part=\"progress\"]", "6 of 12").await;
    browser.choose("team", "0").await;
    browser.act("change-team").await;
    browser.fill("team-name", "Quickest").await;
    browser.fill("why", "misspelt").await;
    browser.act("do").await;
    browser.until(&points("Quickest"), &json!("4")).await;

    // The public view has none of it.
    browser.go("#tournament/page-cup/public").await;
    browser.says("[data-table=\"standings\"]", "Quickest").await;
    let controls = "main button, main input, main select, [data-correction]";
    assert_eq!(browser.count(controls).await, 0);
    browser.close().await;

    let phone = Browser::with(&server, "#tournament/page-cup", Window::Phone, "it").await;
    phone
        .says("[data-part=\"organiser\"]", "Modifica la squadra")
        .await;
    let fits = "return document.documentElement.scrollWidth <= innerWidth";
    phone.until(fits, &json!(true)).await;
    let down = "document.querySelector('[data-part=\"organiser\"]').scrollIntoView()";
    phone.client.execute(down, Vec::new()).await.unwrap();
    phone.picture("organiser-phone").await;
    phone.darken().await;
    phone.client.execute(down, Vec::new()).await.unwrap();
    phone.picture("organiser-phone-dark").await;
    phone.act("settings").await;
    phone.until(fits, &json!(true)).await;
    phone.picture("organiser-phone-settings").await;
    phone.act("close").await;

    // It is put away and brought back.
    phone.act("archive").await;
    phone.fill("why", "finito").await;
    phone.act("do").await;
    phone.find("[data-act=\"restore\"]").await;
    phone.go("#tournaments").await;
    phone
        .says("[data-tournament=\"page-cup\"]", "Archiviato")
        .await;
    phone.go("#tournament/page-cup").await;
    phone.act("restore").await;
    phone.fill("why", "serve ancora").await;
    phone.act("do").await;
    phone.find("[data-act=\"withdraw\"]").await;
    phone.close().await;
}
