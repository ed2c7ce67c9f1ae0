//! Windows over the page, questions, offers, and whatever else is there only at times: nobody is kept from
//! them on a phone or at a desk, light or dark, as axe-core judges. The screens under them are in [`looks`].

use std::fs;

use serde_json::json;

use crate::{
    harness::{Browser, Server},
    link_game::link,
    looks::{SIZES, check, judge, set_theme},
    tournament::tablut,
};

/// What of the board, the clocks, the moves, the rows of icons and the bar lies under a message.
const COVERED: &str = "const over = document.querySelector('.toast').getBoundingClientRect();
    return [...document.querySelectorAll('.board, .player, .moves-place, .icon-row, #bar nav a, #bar .icon-button, .bar-right > *')]
        .filter((one) => one.checkVisibility())
        .map((one) => [one, one.getBoundingClientRect()])
        .filter(([, box]) => box.left < over.right && over.left < box.right && box.top < over.bottom && over.top < box.bottom)
        .map(([one, box]) => `${one.outerHTML.slice(0, 60)}: ${JSON.stringify(box)} under ${JSON.stringify(over)}`)";

/// Lets a key say something at every size, and sees that it covers nothing that one needs.
async fn covers_nothing(browser: &Browser, name: &str, key: char) {
    for (width, height) in SIZES {
        browser.resize(width, height).await;
        browser.keys(&[key]).await;
        browser.find(".toast").await;
        if name == "game" {
            // One of the longer messages.
            let longer = "document.querySelector('.toast').firstChild.textContent = 'The connection broke. Check whether it was done.'";
            browser.client.execute(longer, Vec::new()).await.unwrap();
        }
        let covered = browser.client.execute(COVERED, Vec::new()).await.unwrap();
        assert_eq!(covered, json!([]), "{name} at {width}x{height}");
        let name = format!("message-{name}-{width}x{height}");
        browser.picture(&name).await;
    }
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_message_covers_nothing_that_is_pressed_or_watched() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.choose("control", "total:900000+0").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    covers_nothing(&browser, "game", 'm').await;
    browser.resize(1280, 900).await;
    browser.go("#analysis").await;
    browser.find("[data-act=\"comment\"]").await;
    // With a button that undoes it.
    covers_nothing(&browser, "analysis", '1').await;
    browser.close().await;
}

/// Looks at what is there now on a phone and at a desk, in both themes.
async fn glance(browser: &Browser, name: &str) {
    for theme in ["light", "dark"] {
        set_theme(browser, theme).await;
        for (width, height) in [(390, 844), (1280, 900)] {
            browser.resize(width, height).await;
            check(browser, name, (width, height), theme).await;
            judge(browser, &format!("{name} at {width}x{height}, {theme}")).await;
        }
    }
}

/// Looks at a window, and closes it.
async fn window(browser: &Browser, name: &str) {
    browser.find("dialog").await;
    glance(browser, name).await;
    browser.act("close").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn everybody_can_use_what_two_players_ask_and_answer() {
    let mut server = Server::start();
    let ann = Browser::open(&server, "#play").await;
    ann.act("name").await;
    window(&ann, "name").await;
    ann.choose("control", "other").await;
    window(&ann, "clock").await;
    ann.click("[data-choice=\"link\"]").await;
    ann.click("[data-choice=\"white\"]").await;
    ann.act("start").await;
    ann.find("[data-part=\"invitation\"]").await;
    glance(&ann, "invitation").await;
    let (play, watch) = (link(&ann, "play").await, link(&ann, "watch").await);
    let bob = Browser::open(&server, &play).await;
    ann.says(".turn", "Your turn").await;
    ann.command("e4d4").await;
    bob.piece("d4", Some("w")).await;
    glance(&bob, "against-a-person").await;

    for (act, name) in [("offer-draw", "draw"), ("take-back", "take-back")] {
        ann.act(act).await;
        bob.find(".offer [data-act=\"accept\"]").await;
        glance(&bob, &format!("{name}-offered")).await;
        ann.find(&format!("[data-part=\"{name}-waiting\"]")).await;
        glance(&ann, &format!("{name}-waiting")).await;
        bob.act("decline").await;
        ann.find(&format!("[data-part=\"{name}-declined\"]")).await;
        glance(&ann, &format!("{name}-declined")).await;
    }
    ann.act("resign").await;
    ann.find(".question").await;
    glance(&ann, "resign").await;
    ann.act("keep-playing").await;
    for act in ["share", "rules"] {
        ann.act("more").await;
        ann.click(&format!("dialog [data-act=\"{act}\"]")).await;
        ann.find("dialog .share-picture, dialog.wide").await;
        window(&ann, &format!("game-{act}")).await;
    }

    bob.close().await;
    ann.says("[data-player=\"black\"]", "away").await;
    glance(&ann, "opponent-away").await;
    let eve = Browser::open(&server, &watch).await;
    eve.says(".cards", "You are watching.").await;
    glance(&eve, "watching").await;
    eve.go("#").await;
    eve.square("e5").await;
    ann.go("#").await;
    ann.find("a.tile[href^=\"#game/\"]").await;
    ann.square("e5").await;
    glance(&ann, "home-with-a-game").await;
    server.kill();
    ann.says("#toast", "The connection is lost").await;
    // It stays, and finds its place anew in every window.
    for (width, height) in SIZES.into_iter().filter(|(width, _)| *width > 900) {
        ann.resize(width, height).await;
        ann.until(COVERED, &json!([])).await;
    }
    glance(&ann, "connection-lost").await;
    ann.close().await;
    eve.close().await;
}

/// The buttons of the text's drawer that are not wholly in sight.
const UNREACHED: &str = "const place = document.querySelector('.drawer').getBoundingClientRect();
    return [...document.querySelectorAll('.drawer .actions button')].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.height < 30 || box.bottom > place.bottom || !one.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 2));
    }).map((one) => one.textContent)";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn everybody_can_use_what_opens_at_the_analysis_board() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.read("no game at all").await;
    browser.find("[data-part=\"read-fault\"]:not(:empty)").await;
    for (width, height) in SIZES {
        browser.resize(width, height).await;
        let hidden = browser.client.execute(UNREACHED, Vec::new()).await.unwrap();
        assert_eq!(hidden, json!([]), "{width}x{height}");
    }
    glance(&browser, "read-fault").await;
    browser
        .read("[Rules \"ashton\"]\n\n1. e4-d4 d1-c1 (1... e2-d2 2. e3-f3) 2. d5-d6 *\n")
        .await;
    browser.piece("d6", Some("w")).await;
    browser.act("share").await;
    window(&browser, "position-share").await;
    browser.act("drawer-text").await;
    browser.act("comment").await;
    browser.fill("comment", "A plan.").await;
    glance(&browser, "comment").await;
    browser.act("comment").await;
    browser.act("delete").await;
    browser.says("#toast", "The line was deleted.").await;
    glance(&browser, "deleted").await;

    browser.drawer("setup").await;
    browser.act("rules").await;
    window(&browser, "position-rules").await;
    browser.act("clear").await;
    browser.find("[data-part=\"faults\"] li").await;
    browser.says("#toast", "one undo away").await;
    browser.until(COVERED, &json!([])).await;
    // Nothing begins from there.
    browser.find("[data-act=\"play-here\"]:disabled").await;
    glance(&browser, "faults").await;
    browser.drawer("keep").await;
    for hook in ["position", "study"] {
        browser.fill(&format!("{hook}-name"), "The fork").await;
        browser.act(&format!("save-{hook}")).await;
    }
    browser.find("[data-act=\"delete-study\"]").await;
    browser.find("[data-act=\"delete-position\"]").await;
    glance(&browser, "kept").await;
    browser.act("delete-study").await;
    window(&browser, "delete-study").await;
    browser.close().await;
}

/// A tournament that is over at once.
const CUP: &str = r#"
name = "Page Cup"
seconds = 1
max_plies = 2
[[team]]
name = "Quick"
members = ["Ada"]
plays = "level:1"
[[team]]
name = "Calm"
members = ["Bea"]
plays = "random"
"#;

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn everybody_can_use_what_an_organiser_is_asked() {
    let server = Server::start();
    fs::write(server.folder().join("cup.toml"), CUP).unwrap();
    tablut(&server, &["tournament", "run", "cup.toml"]);
    tablut(&server, &["tournament", "export", "--to", "out"]);
    let browser = Browser::open(&server, "#tournament/page-cup").await;
    browser.says("[data-part=\"progress\"]", "2 of 2").await;
    let desk = |act: &str| format!("[data-part=\"organiser\"] [data-act=\"{act}\"]");
    for act in ["withdraw", "change-team", "add-team", "settings", "archive"] {
        browser.click(&desk(act)).await;
        window(&browser, &format!("desk-{act}")).await;
    }
    browser.act("game-1").await;
    browser.act("result-black").await;
    browser.find("dialog .bad-text").await;
    glance(&browser, "no-reason").await;
    browser.fill("why", "white was ill").await;
    browser.act("result-black").await;
    browser.act("undo-1").await;
    window(&browser, "undo").await;
    glance(&browser, "corrected").await;
    browser.go("#tournament/page-cup/public").await;
    browser.says("[data-table=\"standings\"]", "Quick").await;
    glance(&browser, "public").await;

    browser.go("#tournament/page-cup").await;
    browser.click(&desk("archive")).await;
    browser.fill("why", "it is over").await;
    browser.act("do").await;
    browser.find(&desk("restore")).await;
    glance(&browser, "archived").await;
    browser.click(&desk("delete")).await;
    window(&browser, "delete-cup").await;
    browser.go("#tournaments").await;
    browser.find("[data-tournament=\"page-cup\"]").await;
    glance(&browser, "archive").await;

    let report = server.folder().join("out/report.html");
    let report = format!("file://{}", report.display());
    browser.client.goto(&report).await.unwrap();
    browser.click("#games tr[data-number=\"2\"]").await;
    judge(&browser, "the report").await;
    browser.close().await;
}
