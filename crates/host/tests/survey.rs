//! What a set-up board is told, also of positions that no game can reach.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use tablut_host::{Survey, SurveyError, survey};
use tablut_rules::{Bitboard, End, Move, Rules, Setup, Side, Square};

fn look(board: &str, moves: &[&str]) -> Result<Survey, SurveyError> {
    let rules = Rules::ashton();
    let setup: Setup = board.parse().unwrap();
    let moves: Vec<Move> = moves.iter().map(|step| step.parse().unwrap()).collect();
    survey(&rules, &setup, &moves)
}

fn squares(names: &str) -> Bitboard {
    names
        .split_whitespace()
        .map(|name| name.parse::<Square>().unwrap())
        .collect()
}

#[test]
fn both_sides_show_their_targets_without_a_king_and_out_of_turn() {
    let survey = look("9/9/2bw1b3/9/9/9/9/9/9 w", &[]).unwrap();
    let capture = survey
        .targets
        .iter()
        .find(|target| !target.captured.is_empty());
    let capture = capture.unwrap();
    assert_eq!(
        (capture.from.to_string(), capture.to.to_string()),
        ("f3".into(), "e3".into())
    );
    assert_eq!(capture.captured, squares("d3"));
    assert_eq!(survey.capturable[Side::Defenders], squares("d3"));
    assert!(survey.calls.is_empty());
    assert_eq!(survey.faults.len(), 1);
}

#[test]
fn every_king_has_his_ways_out_and_his_wins() {
    let survey = look("9/9/1b1K5/9/9/2K6/9/9/9 b", &[]).unwrap();
    assert_eq!(survey.calls.len(), 2);
    let wins = survey
        .targets
        .iter()
        .filter(|target| target.end == Some(End::KingEscaped));
    assert!(wins.count() > 2);
}

#[test]
fn a_line_of_moves_is_played_by_the_rules_and_ends() {
    let board = "9/9/2bw1b3/9/4K4/9/9/9/9 b";
    let survey = look(board, &["f3e3", "e5f5"]).unwrap();
    assert_eq!(survey.captures, [squares("d3"), Bitboard::EMPTY]);
    assert_eq!(survey.outcome, None);
    let survey = look(board, &["f3e3", "e5f5", "e3d3", "f5f9"]);
    assert!(matches!(survey, Err(SurveyError::Illegal(_))));
    let survey = look("9/9/9/9/9/1b1K5/9/9/9 w", &["d6d1"]);
    assert!(
        matches!(survey, Err(SurveyError::Illegal(_))),
        "d1 is a camp"
    );
    let survey = look("9/9/9/9/9/1b1K5/9/9/9 w", &["d6i6"]);
    assert!(survey.is_err(), "i6 is a camp");
    let survey = look("9/9/9/9/9/9/1b1K5/9/9 w", &["d7i7"]).unwrap();
    assert!(survey.outcome.is_some());
    assert!(matches!(
        look("9/9/9/9/9/9/1b1K5/9/9 w", &["d7i7", "b7b6"]),
        Err(SurveyError::Over(_))
    ));
    assert!(matches!(
        look("9/9/9/9/9/9/9/9/9 w", &["d7i7"]),
        Err(SurveyError::Setup(_))
    ));
}
