//! Inquiries, worked on in a pool as visitors' are.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use tablut_review::{MoveMark, RetryRating};
use tablut_rules::BuiltIn;
use tablut_store::{Location, Store, Visitor};
use tokio::time::timeout;

use super::*;
use crate::{EnginePool, Host, Inquiry, InquiryNews, Limits};

/// White wins in a few moves, whatever Black does.
const WON: &str = "9/9/3b5/9/1b1K4b/9/9/9/b8 w";

/// A game in which Black opens a lane behind a man that it moves away.
const BLUNDER: (&str, &str) = ("3bbb3/9/2b1K1b2/4w3b/bb1w1w1bb/b3w3b/9/4b4/3bbb3 b", "g3g2");

fn line(setup: &str, moves: &str) -> PlayLine {
    PlayLine {
        rules: "ashton".into(),
        setup: match setup {
            "start" => Setup::from(&Rules::ashton().start()),
            text => text.parse().unwrap(),
        },
        moves: moves
            .split_whitespace()
            .map(|step| step.parse().unwrap())
            .collect(),
    }
}

fn task(order: InquiryOrder) -> Result<InquiryTask, InquiryError> {
    InquiryTask::new(order, &Rules::ashton())
}

fn lines(line: PlayLine, count: usize, pass: bool) -> InquiryOrder {
    InquiryOrder::Lines { line, count, pass }
}

fn pool() -> EnginePool {
    EnginePool::new(1, 1, None)
}

/// Waits for news, but not for ever.
async fn news(inquiry: &mut Inquiry) -> InquiryNews {
    let news = timeout(Duration::from_secs(60), inquiry.news());
    news.await.expect("news")
}

/// What is found in the end.
async fn found(mut inquiry: Inquiry) -> Finding {
    loop {
        let news = news(&mut inquiry).await;
        if news.is_done {
            return news.finding.as_deref().unwrap().clone();
        }
    }
}

async fn ask(order: InquiryOrder) -> Finding {
    let pool = pool();
    let inquiry = pool.inquire("ann", task(order).unwrap(), |_| {});
    found(inquiry.unwrap()).await
}

async fn first_lines(order: InquiryOrder) -> LinesFound {
    let pool = pool();
    let mut inquiry = pool.inquire("ann", task(order).unwrap(), |_| {}).unwrap();
    match news(&mut inquiry).await.finding.as_deref().unwrap() {
        Finding::Lines(found) => found.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn lines_come_while_they_deepen_and_as_many_as_wanted() {
    let pool = pool();
    let order = lines(line("start", "e4d4"), 3, false);
    let mut inquiry = pool.inquire("ann", task(order).unwrap(), |_| {}).unwrap();
    let mut depths = Vec::new();
    while depths.len() < 3 {
        let news = news(&mut inquiry).await;
        let Some(Finding::Lines(found)) = news.finding.as_deref() else {
            panic!("{news:?}");
        };
        assert_eq!(found.lines.len(), 3);
        // Nothing is told twice, and a line begins with a move that no other begins with.
        let firsts: std::collections::BTreeSet<_> =
            found.lines.iter().map(|line| line.moves[0]).collect();
        assert_eq!(firsts.len(), 3);
        depths.push(found.depth);
    }
    assert!(depths.is_sorted_by(|a, b| a < b), "{depths:?}");
}

#[tokio::test]
async fn a_new_inquiry_gets_its_turn_though_others_think_for_long() {
    let pool = pool();
    let order = || task(lines(line("start", ""), 1, false)).unwrap();
    let others: Vec<Inquiry> = (0..20)
        .map(|n| pool.inquire(&n.to_string(), order(), |_| {}).unwrap())
        .collect();
    let mut own = pool.inquire("ann", order(), |_| {}).unwrap();
    assert!(news(&mut own).await.finding.is_some());
    drop(others);
}

#[tokio::test]
async fn a_dropped_inquiry_ends_and_its_place_is_free() {
    let pool = pool();
    for _ in 0..40 {
        let order = lines(line("start", ""), 5, false);
        // Eight at once would be too many, if they did not end.
        drop(pool.inquire("ann", task(order).unwrap(), |_| {}).unwrap());
    }
    let order = lines(line("start", ""), 1, false);
    let mut last = pool.inquire("ann", task(order).unwrap(), |_| {}).unwrap();
    assert!(news(&mut last).await.finding.is_some());
}

#[tokio::test]
async fn a_threat_is_what_the_opponent_would_do() {
    // The king sees goals; it is Black's turn.
    let setup = "9/9/1b1K5/9/9/9/9/9/b8 b";
    let threat = first_lines(lines(line(setup, ""), 1, true)).await;
    let best = &threat.lines[0];
    assert_eq!(best.score, Score::Win(1));
    assert_eq!(best.moves[0].from().to_string(), "d3");
}

/// White's score of the best line at a depth.
async fn score_at(line: PlayLine, depth: u32) -> Score {
    let pool = pool();
    let task = task(lines(line, 1, false)).unwrap();
    let mut inquiry = pool.inquire("ann", task, |_| {}).unwrap();
    loop {
        let news = news(&mut inquiry).await;
        let Some(Finding::Lines(found)) = news.finding.as_deref() else {
            panic!("{news:?}");
        };
        if found.depth >= depth || news.is_done {
            return found.lines[0].score;
        }
    }
}

#[tokio::test]
async fn repetition_counts_in_what_is_found() {
    // The same board twice, Black to move. One move wins; in the second game it repeats a position.
    let moves = ["c9a9 a3g3 a9c9", "c9a9 b8b7 a9c9"];
    let won = line("9/9/b8/9/9/8b/1bbb5/2K1b1b2/2w3b2 w", moves[0]);
    let drawn = line("9/9/6b2/9/9/8b/2bb5/1bK1b1b2/2w3b2 w", moves[1]);
    assert_eq!(score_at(won, 5).await, Score::Loss(3));
    assert_eq!(score_at(drawn, 5).await, Score::Units(0));
}

#[tokio::test]
async fn a_proof_has_every_answer_and_can_be_walked_to_the_end() {
    let rules = Rules::ashton();
    let mut path = line(WON, "");
    let mut known = None;
    let mut walked = 0;
    loop {
        let order = InquiryOrder::Proof {
            line: path.clone(),
            known,
        };
        let Finding::Proof(proof) = ask(order).await else {
            panic!("no proof");
        };
        let win = proof.win.expect("white wins");
        assert_eq!(win.winner, Side::Defenders);
        assert!(win.is_shortest || known.is_some());
        let step = win.step.expect("white is to move");
        path.moves.push(step);
        let game = exchange::play(&rules, &path.setup, &path.moves).unwrap();
        if let Some(outcome) = game.outcome() {
            assert_eq!(outcome.winner, Some(Side::Defenders));
            assert!(win.answers.is_empty());
            break;
        }
        // Every legal move is among the answers, and after each the win is nearer.
        assert_eq!(win.answers.len(), game.legal_moves().len());
        assert!(win.answers.iter().all(|answer| answer.plies < win.plies));
        assert_eq!(win.answers[0].plies, win.plies - 2);
        path.moves.push(win.answers[0].step);
        known = Some(KnownWin {
            winner: win.winner,
            plies: win.answers[0].plies,
        });
        walked += 1;
    }
    assert!(walked > 0);
}

#[tokio::test]
async fn the_side_that_is_not_to_move_can_be_the_one_that_wins() {
    // Two lanes are open, and Black can close one.
    let order = InquiryOrder::Proof {
        line: line("9/9/1b1K5/9/9/9/9/9/b8 b", ""),
        known: None,
    };
    let Finding::Proof(proof) = ask(order).await else {
        panic!("no proof");
    };
    let win = proof.win.unwrap();
    assert_eq!((win.winner, win.plies), (Side::Defenders, 2));
    assert_eq!(win.step, None);
    assert!(win.answers.iter().all(|answer| answer.plies == 1));
}

#[test]
fn what_cannot_be_worked_on_is_said_at_once() {
    let over = line("9/9/3K5/9/9/9/9/9/b8 w", "d3a3");
    assert!(matches!(
        task(lines(over.clone(), 1, false)),
        Err(InquiryError::Over(_))
    ));
    let illegal = line("start", "e5e6");
    assert!(matches!(
        task(lines(illegal, 1, false)),
        Err(InquiryError::Line(_))
    ));
    let nothing = InquiryOrder::Review {
        line: line("start", ""),
    };
    assert!(matches!(task(nothing), Err(InquiryError::NoMoves)));
    // A game that is over can be reviewed.
    assert!(task(InquiryOrder::Review { line: over }).is_ok());
}

#[tokio::test]
async fn a_review_is_kept_and_a_better_move_is_accepted() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let host = Host::new(store, Limits::default());
    let (ann, bob) = (Visitor::new("ann"), Visitor::new("bob"));
    let game = line(BLUNDER.0, BLUNDER.1);
    let order = InquiryOrder::Review { line: game.clone() };
    let step = "g3h3".parse().unwrap();
    let early = host.retry_order(game.clone(), 1, step).await;
    assert!(matches!(early, Err(InquiryError::NoReview)));
    let made = found(host.inquire(&ann, order.clone()).await.unwrap()).await;
    let Finding::Review(review) = &made else {
        panic!("{made:?}");
    };
    let played = review.at(1).unwrap();
    assert_eq!(played.mark, Some(MoveMark::Blunder));
    // Whoever asks next has it at once.
    let mut kept = host.inquire(&bob, order).await.unwrap();
    let kept = news(&mut kept).await;
    assert!(kept.is_done);
    assert_eq!(kept.finding.as_deref(), Some(&made));
    let better = played.better.as_ref().and_then(|line| line.step()).unwrap();
    for (step, expected) in [
        (better, RetryRating::AsGood),
        (played.step, RetryRating::NotBetter),
    ] {
        let order = host.retry_order(game.clone(), 1, step).await.unwrap();
        let tried = found(host.inquire(&ann, order).await.unwrap()).await;
        let Finding::Retry { side, retry } = tried else {
            panic!("{tried:?}");
        };
        assert_eq!((side, retry.rating), (Side::Attackers, expected));
    }
}

#[tokio::test]
async fn orders_and_findings_are_plain_data() {
    let orders = [
        lines(line("start", "e4d4"), 3, true),
        InquiryOrder::Proof {
            line: line(WON, ""),
            known: Some(KnownWin {
                winner: Side::Defenders,
                plies: 5,
            }),
        },
        InquiryOrder::Review {
            line: line(BLUNDER.0, BLUNDER.1),
        },
    ];
    for order in orders {
        let text = serde_json::to_string(&order).unwrap();
        let read: InquiryOrder = serde_json::from_str(&text).unwrap();
        assert_eq!(read, order, "{text}");
        if matches!(order, InquiryOrder::Lines { .. }) {
            continue;
        }
        let finding = ask(order).await;
        let text = serde_json::to_string(&finding).unwrap();
        let read: Finding = serde_json::from_str(&text).unwrap();
        assert_eq!(read, finding, "{text}");
    }
}

#[test]
fn every_rule_set_weighs_every_man() {
    for set in BuiltIn::LISTED {
        let rules = set.rules();
        let start = Setup::from(&rules.start());
        let weights = crate::weigh(&rules, &start, &[]).unwrap();
        let men = start.occupied().len() - start.pieces(tablut_rules::Piece::King).len();
        assert_eq!(weights.men.len(), men as usize, "{set}");
        assert_eq!(weights.terms.len(), tablut_engine::Term::ALL.len());
        // The men of a side are worth something to it, all in all.
        for side in [Side::Attackers, Side::Defenders] {
            let own = weights.men.iter().filter(|man| man.side == side);
            assert!(own.map(|man| man.worth).sum::<i32>() > 0, "{set} {side}");
        }
    }
}
