//! The rules at hand.

use serde_json::json;
use tablut_rules::{BuiltIn, Move, Square};

use crate::harness::{Browser, Server};

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_rules_of_each_set_are_told_beside_another() {
    let server = Server::start();
    let browser = Browser::open(&server, "#rules").await;
    browser.choose("rules", "ashton-siege").await;
    browser.choose("compare", "ashton").await;
    // What differs is said in sentences, and shown by a move that has two results.
    browser
        .says("[data-part=\"comparison\"] .halves", "king")
        .await;
    browser.says("[data-part=\"two-boards\"]", "Ashton").await;
    let text = browser.text(".page").await;
    assert!(!text.contains("king.elsewhere"), "raw keys are for files");
    // This browser is on the server's own machine.
    browser.act("server-default").await;
    browser.says("#toast", "New boards use it now.").await;
    browser.close().await;
}

/// What the first diagram of captures says, and how many pieces are on it.
const FIRST: &str = "const one = document.querySelector('.diagrams [data-part=\"diagram\"]');
    return [one.dataset.state, one.querySelectorAll('.man:not(.captured)').length]";

/// Presses a square of that diagram.
async fn press(browser: &Browser, square: Square) {
    let cell = format!(".diagrams [data-part=\"diagram\"] [data-square=\"{square}\"]");
    browser.click(&cell).await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_diagram_of_the_rules_is_played() {
    let server = Server::start();
    let browser = Browser::open(&server, "#rules/ashton").await;
    browser.find(".diagrams [data-part=\"diagram\"]").await;
    browser.says(".diagrams", "captured").await;
    let pieces = "return document.querySelector('.diagrams [data-part=\"diagram\"]').querySelectorAll('.man:not(.captured)').length";
    let before = browser.client.execute(pieces, Vec::new()).await.unwrap();
    let before = before.as_u64().unwrap();
    browser.click(".diagrams [data-act=\"diagram-show\"]").await;
    browser.until(FIRST, &json!(["played", before - 1])).await;
    browser
        .click(".diagrams [data-act=\"diagram-again\"]")
        .await;
    browser.until(FIRST, &json!(["start", before])).await;
    let arrow = ".diagrams [data-part=\"diagram\"] .arrow.hint";
    browser.find(arrow).await;

    // By hand: the piece of the arrow, then its square.
    let rules = BuiltIn::Ashton.rules();
    let shown = &rules.demonstrations()[0];
    let (from, to) = (shown.moves[0].from(), shown.moves[0].to());
    press(&browser, from).await;
    let dots = "return document.querySelectorAll('.diagrams [data-part=\"diagram\"] :is(.dot, .capture)').length > 0";
    browser.until(dots, &json!(true)).await;
    press(&browser, to).await;
    browser.until(FIRST, &json!(["played", before - 1])).await;
    browser
        .click(".diagrams [data-act=\"diagram-again\"]")
        .await;
    browser.until(FIRST, &json!(["start", before])).await;

    // A move that is not allowed is refused with its reason, and the piece stays; another says what came of it.
    let position = rules.position(&shown.setup).unwrap();
    let moves = rules.moves(&position);
    let targets = moves.iter().filter(|step| step.from() == from);
    let targets: Vec<Square> = targets.map(|step| step.to()).collect();
    let mut free = Square::all().filter(|&square| position.piece_at(square).is_none());
    let refused = free.find(|square| !targets.contains(square));
    press(&browser, from).await;
    press(&browser, refused.unwrap()).await;
    browser.find(".toast.bad").await;
    browser.until(FIRST, &json!(["start", before])).await;
    let is_quiet = |&to: &Square| {
        let applied = rules.apply(&position, Move::new(from, to)).unwrap();
        applied.captured.is_empty() && applied.end.is_none()
    };
    let other = targets.iter().copied().find(is_quiet).unwrap();
    press(&browser, from).await;
    press(&browser, other).await;
    browser.until(FIRST, &json!(["played", before])).await;
    browser
        .says(".diagrams [data-part=\"diagram\"]", "Nothing is taken.")
        .await;
    browser.close().await;
}
