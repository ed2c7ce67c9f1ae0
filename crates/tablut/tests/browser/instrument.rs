//! The engine at the analysis board: lines, threats, proofs, explanations, reviews and exercises.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    harness::{Browser, HOME, LEFT, RIGHT, Server},
    looks,
};

/// White wins in a few moves, whatever Black does.
const WON: &str = "#tactics/ashton/9/9/3b5/9/1b1K4b/9/9/9/b8%20w";

/// A game in which Black opens a lane behind the man that it moves away, and the king takes it.
const BLUNDER: &str = "[Rules \"ashton\"]
[Setup \"3bbb3/9/2b1K1b2/4w3b/bb1w1w1bb/b3w3b/9/4b4/3bbb3 b\"]
[Result \"1-0\"]
[Reason \"king escaped\"]

1. g3-g2 e3-i3 1-0";

/// A board on which a game was put as text.
pub(crate) async fn read(server: &Server, text: &str) -> Browser {
    let browser = Browser::open(server, "#analysis").await;
    browser.find("[data-act=\"engine\"]").await;
    paste(&browser, text).await;
    browser
}

/// Pastes a text onto the board.
async fn paste(browser: &Browser, text: &str) {
    let script = "const data = new DataTransfer();
        data.setData('text/plain', arguments[0]);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));";
    let text = vec![json!(text)];
    browser.client.execute(script, text).await.unwrap();
}

/// Waits until the server works, or rests. How soon that is depends on what else the machine does; that a
/// page asks at once, and that a search ends at its next look, is told by tests of their own.
async fn works(server: &Server, wanted: bool) {
    let begin = Instant::now();
    loop {
        let before = server.ticks();
        tokio::time::sleep(Duration::from_millis(400)).await;
        // A core that thinks makes forty; on a busy machine fewer.
        let ticks = server.ticks() - before;
        if wanted == (ticks >= 6) {
            let state = if wanted { "works" } else { "rests" };
            println!("the engine {state} after less than {:?}", begin.elapsed());
            return;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "{ticks} ticks, wanted: {wanted}"
        );
    }
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn lines_stream_and_follow_the_board() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.act("engine").await;
    let lines = "return document.querySelectorAll('[data-part=\"lines\"] [data-line]').length";
    browser.until(lines, &json!(3)).await;
    // They deepen while one looks.
    for depth in [2, 4, 6] {
        let deep = format!(
            "return Number(document.querySelector('[data-part=\"depth\"]').dataset.depth) >= {depth}"
        );
        browser.until(&deep, &json!(true)).await;
    }
    browser.find(".arrow.best-way").await;
    let others = "return document.querySelectorAll('.arrow.other-way').length";
    browser.until(others, &json!(2)).await;
    browser.find(".evalbar:not(.unknown)").await;
    browser.says("[data-part=\"depth\"]", " plies").await;

    // More and fewer lines.
    browser.drawer("show").await;
    browser.act("more-lines").await;
    browser.until(lines, &json!(4)).await;
    browser.act("close-drawer").await;
    browser.keys(&['-', '-', '-']).await;
    browser.until(lines, &json!(1)).await;

    // A move is followed at once: the next lines are Black's.
    browser.square("e4").await;
    browser.square("f4").await;
    browser.piece("f4", Some("w")).await;
    let is_black = "const from = document.querySelector('[data-part=\"lines\"] [data-line]')?.dataset.line.slice(0, 2);
        return document.querySelector(`.pieces > [data-on=\"${from}\"]`)?.dataset.piece ?? null";
    browser.until(is_black, &json!("b")).await;
    browser.keys(&[LEFT]).await;
    browser.until(is_black, &json!("w")).await;
    browser.keys(&[RIGHT]).await;
    browser.until(is_black, &json!("b")).await;

    // A line under the pointer is seen on a small board, and a press plays it into the tree.
    let second = "const moves = document.querySelectorAll('[data-part=\"lines\"] [data-line] .line-move');
        const rect = moves[1]?.getBoundingClientRect();
        moves[1]?.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse', clientX: rect.x, clientY: rect.y }));
        return document.querySelector('[data-part=\"preview\"]:not([hidden]) .miniature') !== null";
    browser.until(second, &json!(true)).await;
    browser
        .click("[data-part=\"lines\"] [data-line] .line-move:nth-child(2)")
        .await;
    let nodes = "return document.querySelectorAll('.tree .move').length";
    browser.until(nodes, &json!(3)).await;

    // What the opponent would do.
    browser.keys(&['x']).await;
    browser.find(".arrow.threat-way").await;
    browser.picture("engine").await;

    // The switch is remembered.
    browser.go("#rules").await;
    browser.go("#analysis").await;
    browser.until(lines, &json!(1)).await;
    browser.keys(&['a']).await;
    browser.until(lines, &json!(0)).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_engine_rests_when_nobody_looks() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.act("engine").await;
    works(&server, true).await;
    // Another screen.
    browser.click("#bar nav a[href=\"#play\"]").await;
    works(&server, false).await;
    browser.click("#bar nav a[href=\"#analysis\"]").await;
    works(&server, true).await;
    // Another tab over the page, and back.
    let page = browser.client.window().await.unwrap();
    let tab = browser.client.new_window(true).await.unwrap();
    browser.client.switch_to_window(tab.handle).await.unwrap();
    works(&server, false).await;
    browser.client.switch_to_window(page).await.unwrap();
    works(&server, true).await;
    // The switch, and a closed page.
    browser.act("engine").await;
    works(&server, false).await;
    browser.act("engine").await;
    works(&server, true).await;
    browser.close().await;
    works(&server, false).await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_proof_is_walked_to_its_end() {
    let server = Server::start();
    let browser = Browser::open(&server, WON).await;
    browser.piece("d5", Some("K")).await;
    browser.keys(&['q']).await;
    browser
        .says("[data-part=\"verdict\"]", "White wins in ")
        .await;
    browser.says("[data-part=\"verdict\"]", "shortest").await;
    browser.act("walk").await;
    // The winner's move is made; every answer is listed, and shown on the board.
    let (mut plies, mut steps) = (u64::MAX, 0);
    loop {
        browser
            .until(
                "return document.querySelector('[data-answer]') !== null
                    || document.querySelector('[data-part=\"walk\"]')?.textContent.includes('ends here') === true",
                &json!(true),
            )
            .await;
        if !browser.has("[data-answer]").await {
            break;
        }
        let script = "const all = [...document.querySelectorAll('[data-answer]')];
            return [all.length, document.querySelectorAll('.arrow.answer-way').length, Number(all[0].textContent.split('#')[1] ?? 0)]";
        let found = browser.client.execute(script, Vec::new()).await.unwrap();
        assert_eq!(found[0], found[1], "an arrow for each answer");
        let left = found[2].as_u64().unwrap();
        assert!(left < plies, "{left} after {plies}");
        plies = left;
        if steps == 0 {
            browser.picture("proof").await;
        }
        let before = browser.count(".tree .move").await;
        browser.click("[data-answer]").await;
        let nodes = format!("return document.querySelectorAll('.tree .move').length > {before}");
        browser.until(&nodes, &json!(true)).await;
        // The list is of the next position, or there is none any more.
        let next = format!(
            "return document.querySelectorAll('.tree .move').length >= {before} + 2
                && !document.querySelector('[data-part=\"walk\"]')?.textContent.includes('searching')"
        );
        browser.until(&next, &json!(true)).await;
        steps += 1;
    }
    assert!(steps > 0);
    browser.says(".outcome", "White wins").await;
    browser.act("close-proof").await;
    assert!(!browser.has(".arrow.answer-way").await);

    // At the start nobody can force anything soon; the search can be ended.
    browser.keys(&['r']).await;
    browser.piece("e5", Some("K")).await;
    browser.keys(&['q']).await;
    browser
        .says("[data-part=\"verdict\"]", "no forced win within")
        .await;
    browser.act("close-proof").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_evaluation_is_explained_term_by_term_and_man_by_man() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.piece("e5", Some("K")).await;
    browser.keys(&['i']).await;
    browser.find("[data-term=\"material\"]").await;
    browser
        .says("[data-part=\"network\"]", "The network says")
        .await;
    // All men but the king have a figure.
    let figures = "return document.querySelectorAll('[data-worth]').length";
    browser.until(figures, &json!(24)).await;
    browser.picture("explain").await;
    browser.square("e4").await;
    browser.square("d4").await;
    browser.find("[data-worth=\"d4\"]").await;
    browser.act("close-weights").await;
    browser.until(figures, &json!(0)).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_review_finds_the_blunder_and_the_exercise_wants_a_better_move() {
    let mut server = Server::start();
    let browser = read(&server, BLUNDER).await;
    browser.act("review").await;
    browser.says("[data-part=\"summary\"]", "1 ??").await;
    // The words are facts, in the tree; so is what would have been better.
    browser
        .says(
            ".tree .comment",
            "Leaves row 3: the king now has a lane to i3",
        )
        .await;
    browser.says(".tree .comment", "Best was ").await;
    browser.find(".tree .variation .move").await;
    browser.says(".tree .nag-4", "??").await;
    browser.find("[data-mark=\"1\"].blunder").await;
    browser.picture("review").await;

    // The graph leads through the game.
    browser.keys(&[HOME]).await;
    browser.piece("g3", Some("b")).await;
    let press = "const graph = document.querySelector('[data-part=\"graph\"]');
        const { right, top } = graph.getBoundingClientRect();
        graph.dispatchEvent(new PointerEvent('pointerdown', { clientX: right - 1, clientY: top + 5 }));";
    browser.client.execute(press, Vec::new()).await.unwrap();
    browser.piece("i3", Some("K")).await;

    // Trying again: the same move is no better, the engine's is accepted.
    browser.act("retry").await;
    browser
        .says("[data-part=\"question\"]", "Black played g3–g2")
        .await;
    browser.piece("g3", Some("b")).await;
    browser.square("g3").await;
    browser.square("g2").await;
    browser.find("[data-rating=\"notBetter\"]").await;
    browser.piece("g3", Some("b")).await;
    let best = "return document.querySelector('.tree .variation .move').textContent.slice(0, 5)";
    let best = browser.client.execute(best, Vec::new()).await.unwrap();
    let (from, to) = best.as_str().unwrap().split_once('–').unwrap();
    browser.square(from).await;
    browser.square(to).await;
    browser.find("[data-rating=\"asGood\"]").await;
    browser.piece(to, Some("b")).await;
    browser.picture("retry").await;
    browser.act("retry-next").await;
    browser.find("[data-part=\"retry\"][hidden]").await;

    // It is kept: whoever comes back has it without asking, also after the server has started anew.
    server.restart();
    browser.client.refresh().await.unwrap();
    browser.says("[data-part=\"summary\"]", "1 ??").await;
    browser.close().await;
}

/// Whether every row of the explanation, its sum included, is in sight over the rows of icons, and those are where they
/// always are, at the bottom of their card.
const IS_SUMMED: &str =
    "const sum = document.querySelector('.weights tfoot').getBoundingClientRect();
    const rows = [...document.querySelectorAll('.icon-row')].filter((row) => row.checkVisibility());
    const foot = document.querySelector('.part-main').getBoundingClientRect().bottom;
    return sum.height > 0 && foot - rows.at(-1).getBoundingClientRect().bottom < 2 && rows.every((row) => sum.bottom <= row.getBoundingClientRect().top)";

/// How large the board is in each window: what else is shown never makes it grow or shrink.
async fn boards(browser: &Browser) -> Vec<Value> {
    let mut sizes = Vec::new();
    for (width, height) in looks::SIZES {
        browser.resize(width, height).await;
        let board = "return document.querySelector('.board-frame').getBoundingClientRect().width";
        sizes.push(browser.client.execute(board, Vec::new()).await.unwrap());
    }
    sizes
}

/// The instrument in use, as large and as small as people have it: lines, a review and its graph, a proof.
async fn tour(theme: &str) {
    let server = Server::start();
    let browser = read(&server, BLUNDER).await;
    browser.act("review").await;
    browser.find(".tree .comment").await;
    browser.act("engine").await;
    browser.keys(&[HOME, 'x']).await;
    let deep = "return Number(document.querySelector('[data-part=\"depth\"]').dataset.depth) >= 5";
    browser.until(deep, &json!(true)).await;
    looks::set_theme(&browser, theme).await;
    looks::look(&browser, "reviewed", theme).await;
    let sizes = boards(&browser).await;
    browser.act("retry").await;
    browser.find("[data-part=\"question\"]").await;
    looks::look(&browser, "exercise", theme).await;
    assert_eq!(boards(&browser).await, sizes, "an exercise");
    browser.act("retry-next").await;
    browser.act("explain").await;
    browser.find("[data-worth]").await;
    looks::look(&browser, "explained", theme).await;
    assert_eq!(boards(&browser).await, sizes, "an explanation");
    for (width, height) in looks::SIZES {
        browser.resize(width, height).await;
        browser.until(IS_SUMMED, &json!(true)).await;
    }
    browser.act("explain").await;
    paste(&browser, "9/9/3b5/9/1b1K4b/9/9/9/b8 w").await;
    browser.piece("d5", Some("K")).await;
    browser.act("prove").await;
    browser.act("walk").await;
    browser.find("[data-answer]").await;
    looks::look(&browser, "proved", theme).await;
    assert_eq!(boards(&browser).await, sizes, "a proof");
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_instrument_fits_its_window_in_the_light() {
    tour("light").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_instrument_fits_its_window_in_the_dark() {
    tour("dark").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_log_of_the_java_server_is_reviewed() {
    let server = Server::start();
    let log = include_str!("../cmd/data/log.txt");
    let browser = read(&server, log).await;
    browser.act("review").await;
    browser.find("[data-part=\"graph\"]").await;
    browser.find("[data-act=\"retry\"], .tree .comment, [data-part=\"summary\"]:not(:has([data-part=\"progress\"]))").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_finished_game_offers_its_review() {
    let server = Server::start();
    let browser = Browser::open(&server, "#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    for (step, piece) in [("e4f4", "w"), ("e2f2", "b"), ("d5d2", "w")] {
        browser.command(step).await;
        browser.piece(&step[2..], Some(piece)).await;
    }
    browser.act("resign").await;
    browser.act("resign").await;
    browser.find("[data-outcome]").await;
    browser.act("review-game").await;
    browser.find("[data-part=\"graph\"]").await;
    browser.says("[data-part=\"summary\"]", "%").await;
    browser.close().await;
}
