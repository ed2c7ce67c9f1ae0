//! Lessons from the first step to the last, and puzzles: solved, failed, refuted, rated, and in runs.

use std::{fs, sync::Arc};

use serde_json::json;
use tablut_learn::{Lesson, Task};
use tablut_review::puzzle::{Motif, Puzzle, PuzzleGoal, Refuted, built_in_puzzles, refute};
use tablut_rules::{BuiltIn, Move, RuleSet, Side};

use crate::harness::{Browser, Server};

/// Presses a piece and where it goes.
async fn play(browser: &Browser, step: Move) {
    browser.square(&step.from().to_string()).await;
    browser.square(&step.to().to_string()).await;
}

/// Waits until the board has come to rest after a move, so that it can be pressed again.
async fn rest(browser: &Browser, square: &str) {
    let there = format!("return !!document.querySelector('.pieces [data-on=\"{square}\"]')");
    browser.until(&there, &json!(true)).await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_lesson_is_done_from_its_first_step_to_its_last() {
    let server = Server::start();
    let browser = Browser::open(&server, "#learn").await;
    browser.says("[data-part=\"lesson-rules\"]", "0 of").await;
    browser.act("begin-rules").await;
    let rules = BuiltIn::Ashton.rules();
    let steps = Lesson::of_rules(&rules).steps;
    for (number, step) in steps.iter().enumerate() {
        browser
            .find(&format!(
                "[data-part=\"lesson\"][data-step=\"{}\"]",
                number + 1
            ))
            .await;
        let solution = step.solution(&rules).unwrap();
        if let Task::Go { from, .. } = step.task {
            // What is allowed but not asked for is refused with words, and the piece goes back.
            let game = step.game(&rules).unwrap();
            let other = *game
                .legal_moves()
                .iter()
                .find(|other| other.from() == from && **other != solution[0])
                .unwrap();
            play(&browser, other).await;
            browser
                .says("[data-kind=\"bad\"]", "not what is asked for")
                .await;
            rest(&browser, &from.to_string()).await;
        }
        for turn in solution.chunks(2) {
            play(&browser, turn[0]).await;
            browser.says("[data-kind=\"good\"]", "Right").await;
            if let &[_, reply] = turn {
                rest(&browser, &reply.to().to_string()).await;
            }
        }
        browser.find("button.main[data-act=\"next-step\"]").await;
        browser.act("next-step").await;
    }
    // All of it is kept, also for the next visit.
    let all = steps.len();
    let done = format!("{all} of {all} done");
    browser.says("[data-part=\"lesson-rules\"]", &done).await;
    browser.go("#learn").await;
    browser.says("[data-part=\"lesson-rules\"]", &done).await;
    browser.close().await;
}

/// The first short win of the collection after a number.
pub(crate) fn win(after: u32) -> &'static Puzzle {
    built_in_puzzles(BuiltIn::Ashton)
        .iter()
        .find(|one| one.goal == PuzzleGoal::Win && one.plies() == 3 && one.number > after)
        .unwrap()
}

/// The number that an element carries.
async fn number(browser: &Browser, css: &str, name: &str) -> i64 {
    let value = browser.find(css).await.attr(name).await.unwrap().unwrap();
    value.parse().unwrap()
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_puzzle_is_solved_and_one_is_failed_and_refuted() {
    let server = Server::start();
    let browser = Browser::open(&server, "#learn").await;
    browser.says("[data-part=\"puzzle-rating\"]", "1500").await;
    let solved = win(0);
    browser
        .go(&format!("#puzzle/ashton/{}", solved.number))
        .await;
    browser.says("[data-part=\"task\"]", "in 2 moves").await;
    play(&browser, solved.solution[0]).await;
    browser.says("[data-kind=\"good\"]", "Right").await;
    rest(&browser, &solved.solution[1].to().to_string()).await;
    play(&browser, solved.solution[2]).await;
    browser
        .find("[data-part=\"puzzle\"][data-state=\"done\"]")
        .await;
    let risen = number(&browser, "[data-part=\"rating\"]", "data-rating").await;
    assert!(risen > 1500);

    // The other one is tried wrongly: the answer is played on the board.
    let failed = win(solved.number);
    browser
        .go(&format!("#puzzle/ashton/{}", failed.number))
        .await;
    browser
        .says("[data-part=\"puzzle\"]", &failed.number.to_string())
        .await;
    browser
        .find("[data-part=\"puzzle\"][data-state=\"open\"]")
        .await;
    let game = failed.game(&BuiltIn::Ashton.rules()).unwrap();
    let wrong = *game
        .legal_moves()
        .iter()
        .find(|&&step| step != failed.solution[0])
        .unwrap();
    play(&browser, wrong).await;
    browser.says("[data-kind=\"bad\"]", "No:").await;
    browser
        .find("[data-part=\"puzzle\"][data-state=\"wrong\"]")
        .await;
    let fallen = number(&browser, "[data-part=\"rating\"]", "data-rating").await;
    assert!(fallen < risen);
    // The opponent has moved: a man of the other side has left its place, or one of ours is gone.
    let start = game.position().occupied().len();
    let script = format!(
        "const on = [...document.querySelectorAll('.pieces [data-on]')].map((one) => one.dataset.on);
         return on.length < {start} || !on.includes('{}') && document.querySelectorAll('.last').length === 2",
        wrong.from()
    );
    browser.until(&script, &json!(true)).await;

    // Once more, with hints in steps; it does not count again.
    browser.act("again").await;
    browser.act("puzzle-hint").await;
    browser.find("[data-kind=\"plain\"]").await;
    browser.act("puzzle-hint").await;
    let piece = format!("on {}", failed.solution[0].from());
    browser.says("[data-kind=\"plain\"]", &piece).await;
    browser.act("solution").await;
    browser.says("[data-kind=\"plain\"]", "The solution").await;

    // History and rating are kept.
    browser.go("#learn").await;
    browser
        .says("[data-part=\"puzzle-rating\"]", &fallen.to_string())
        .await;
    browser.says(".tries", "failed").await;
    browser.says(".tries", "solved").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn puzzles_are_chosen_by_side_and_length() {
    let server = Server::start();
    let browser = Browser::open(&server, "#learn").await;
    let fits = |one: &&Puzzle| one.side() == Side::Attackers && one.plies() == 5;
    let count = built_in_puzzles(BuiltIn::Ashton)
        .iter()
        .filter(fits)
        .count();
    browser.choose("puzzle-side", "black").await;
    browser.choose("puzzle-length", "5").await;
    let any = "[data-motif=\"any\"]";
    browser.says(any, &format!("0/{count}")).await;
    browser.click(any).await;
    let task = "Black to move: capture the king in 3 moves";
    browser.says("[data-part=\"task\"]", task).await;
    // The one that follows is of the same kind, and so is the choice when one comes back.
    let first = number(&browser, "[data-part=\"puzzle\"]", "data-number").await;
    browser.act("next-puzzle").await;
    let other = format!("[data-part=\"puzzle\"]:not([data-number=\"{first}\"])");
    browser.says(&other, task).await;
    browser.go("#learn").await;
    browser.says(any, &format!("0/{count}")).await;
    browser.close().await;
}

/// The puzzle of a run that is on the board, once another one than before is there.
async fn next_of_run(browser: &Browser, before: Option<u32>) -> &'static Puzzle {
    let not = before.map_or(String::new(), |before| {
        format!(":not([data-number=\"{before}\"])")
    });
    let open = format!("[data-part=\"puzzle\"][data-state=\"open\"]{not}");
    let shown = number(browser, &open, "data-number").await;
    built_in_puzzles(BuiltIn::Ashton)
        .iter()
        .find(|one| i64::from(one.number) == shown)
        .unwrap()
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn puzzles_are_chosen_by_motif() {
    let server = Server::start();
    let browser = Browser::open(&server, "#learn").await;
    // Only the attackers besiege a king.
    let fits = |one: &Puzzle| one.motifs.contains(&Motif::Siege);
    let all = built_in_puzzles(BuiltIn::Ashton).iter();
    let count = all.filter(|one| fits(one)).count();
    let siege = "[data-motif=\"siege\"]";
    browser.says(siege, &format!("0/{count}")).await;
    browser.choose("puzzle-side", "white").await;
    browser
        .until(
            "return document.querySelector('[data-motif=\"siege\"]')",
            &json!(null),
        )
        .await;
    browser.choose("puzzle-side", "").await;
    browser.click(siege).await;
    let first = next_of_run(&browser, None).await;
    assert!(fits(first), "{}", first.number);
    solve(&browser, first).await;
    browser
        .find("[data-part=\"puzzle\"][data-state=\"done\"]")
        .await;
    browser.says("[data-part=\"puzzle\"]", "siege").await;
    // The one that follows has the same motif, and what was solved is counted.
    browser.act("next-puzzle").await;
    let second = next_of_run(&browser, Some(first.number)).await;
    assert!(fits(second), "{}", second.number);
    browser.go("#learn").await;
    browser.says(siege, &format!("1/{count}")).await;
    browser.close().await;
}

/// Solves the puzzle on the board.
async fn solve(browser: &Browser, puzzle: &Puzzle) {
    for turn in puzzle.solution.chunks(2) {
        play(browser, turn[0]).await;
        if let &[_, reply] = turn {
            // Men that were captured fade where they stood.
            let there = format!(
                "const on = (square) => document.querySelector(`.pieces > [data-on=\"${{square}}\"]:not(.captured)`) !== null;
                 return on('{}') && !on('{}') && document.querySelector('[data-kind=\"good\"]') !== null",
                reply.to(),
                reply.from()
            );
            browser.until(&there, &json!(true)).await;
        }
    }
}

/// A move that misses a puzzle: not one that only wins more slowly.
fn miss(puzzle: &Puzzle) -> Move {
    let game = puzzle.game(&BuiltIn::Ashton.rules()).unwrap();
    let is_missed = |step: Move| {
        step != puzzle.solution[0]
            && !matches!(refute(puzzle, &game, 0, step), Ok(Refuted::Slower) | Err(_))
    };
    let moves = game.legal_moves();
    *moves.iter().find(|&&step| is_missed(step)).unwrap()
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_streak_lasts_until_its_first_miss() {
    let server = Server::start();
    let browser = Browser::open(&server, "#learn").await;
    browser.act("puzzle-streak").await;
    browser.says("[data-part=\"run\"]", "0 solved").await;
    let first = next_of_run(&browser, None).await;
    // Nobody helps in a run.
    assert!(
        !browser
            .has("[data-act=\"puzzle-hint\"], [data-act=\"solution\"]")
            .await
    );
    solve(&browser, first).await;
    browser.says("[data-part=\"run\"]", "1 solved").await;
    // The next one comes by itself.
    let second = next_of_run(&browser, Some(first.number)).await;
    play(&browser, miss(second)).await;
    browser
        .says(
            "[data-part=\"puzzle\"]",
            "The run is over: 1 puzzle solved.",
        )
        .await;
    // The best streak is kept; neither the rating nor the list of tries knows of it.
    browser.act("next-puzzle").await;
    browser
        .says("[data-act=\"puzzle-streak\"]", "Your best: 1")
        .await;
    browser.says("[data-part=\"puzzle-rating\"]", "1500").await;
    assert!(!browser.has(".tries").await);
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_rush_forgives_a_miss_and_ends_with_its_clock() {
    let server = Server::start();
    let browser = Browser::open(&server, "#learn").await;
    browser.act("puzzle-rush").await;
    browser.says(".run-clock", ":").await;
    let first = next_of_run(&browser, None).await;
    play(&browser, miss(first)).await;
    browser.says("[data-part=\"run\"]", "1 missed").await;
    let second = next_of_run(&browser, Some(first.number)).await;
    solve(&browser, second).await;
    browser.says("[data-part=\"run\"]", "1 solved").await;
    next_of_run(&browser, Some(second.number)).await;
    // Three minutes pass, as far as the page can tell.
    let later = "const now = performance.now.bind(performance);
        performance.now = () => now() + 180_000;";
    browser.client.execute(later, Vec::new()).await.unwrap();
    browser
        .says(
            "[data-part=\"puzzle\"]",
            "The run is over: 1 puzzle solved.",
        )
        .await;
    browser.says(".run-clock", "0:00").await;
    browser.act("next-puzzle").await;
    browser
        .says("[data-act=\"puzzle-rush\"]", "Your best: 1")
        .await;
    browser.says("[data-part=\"puzzle-rating\"]", "1500").await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_set_of_ones_own_has_lessons_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let set =
        "base = \"ashton\"\nid = \"mine\"\nname = \"My own rules\"\n[end]\ngoals = \"corners\"\n";
    fs::write(&file, set).unwrap();
    let server = Server::start_with(&["--rules", file.to_str().unwrap()]);
    let browser = Browser::open(&server, "#lesson/mine/rules/1").await;
    browser.says("[data-part=\"lesson\"]", "corner").await;
    let rules = set.parse::<RuleSet>().unwrap().compile().unwrap();
    let rules = Arc::new(rules);
    let first = &Lesson::of_rules(&rules).steps[0];
    play(&browser, first.solution(&rules).unwrap()[0]).await;
    browser.says("[data-kind=\"good\"]", "Right").await;
    // Its rules are on boards too.
    browser.go("#rules/mine").await;
    browser.says(".page", "My own rules").await;
    browser.find(".diagrams [data-part=\"diagram\"]").await;
    // Nobody has made puzzles for it, and the page says so.
    browser.go("#learn").await;
    browser.choose("my-rules", "mine").await;
    browser.says("[data-part=\"no-puzzles\"]", "none").await;
    browser.close().await;
}
