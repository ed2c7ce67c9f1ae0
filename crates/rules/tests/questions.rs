//! The questions of `questions.txt`, put to the engine.
//!
//! A reader who had only the text of `rules show ashton` answered them; see docs/testing.md.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{collections::HashMap, sync::Arc};

use tablut_rules::{Game, Move, Outcome, Rules, Side};

const QUESTIONS: &str = include_str!("questions.txt");

/// What the engine answers.
fn answer(rules: &Arc<Rules>, position: &str, ask: &str) -> String {
    let position = rules.position(&position.parse().unwrap()).unwrap();
    let (what, rest) = ask.split_once(' ').unwrap_or((ask, ""));
    let step = || rest.parse::<Move>().unwrap();
    match what {
        "legal" if rules.is_legal(&position, step()) => "yes".into(),
        "legal" => "no".into(),
        "captures" => {
            assert!(rules.is_legal(&position, step()), "{rest} is illegal");
            let captured = rules.apply_unchecked(&position, step()).captured;
            let mut names: Vec<String> = captured.iter().map(|s| s.to_string()).collect();
            names.sort();
            if names.is_empty() {
                return "none".into();
            }
            names.join(" ")
        }
        "end" => {
            assert!(rules.is_legal(&position, step()), "{rest} is illegal");
            winner(
                rules
                    .apply_unchecked(&position, step())
                    .end
                    .map(Outcome::from),
            )
        }
        "call" => rules.calls(&position).word().unwrap_or("none").into(),
        "play" => {
            let mut game = Game::from_position(rules.clone(), position, rules.laws());
            for step in rest.split(' ') {
                game.play(step.parse().unwrap()).unwrap();
            }
            match game.outcome() {
                Some(outcome) if outcome.winner.is_none() => "draw".into(),
                outcome => winner(outcome),
            }
        }
        _ => panic!("nobody can ask {ask}"),
    }
}

fn winner(outcome: Option<Outcome>) -> String {
    match outcome.and_then(|outcome| outcome.winner) {
        Some(Side::Defenders) => "white",
        Some(Side::Attackers) => "black",
        None => "nobody",
    }
    .into()
}

#[test]
fn the_engine_gives_the_answers_that_follow_from_the_text() {
    let rules = Rules::ashton();
    let blocks = QUESTIONS.split("\n\n").skip(1);
    for block in blocks.clone() {
        let fields: HashMap<&str, &str> = block
            .lines()
            .filter_map(|line| line.split_once(' '))
            .collect();
        let found = answer(&rules, fields["position"], fields["ask"]);
        assert_eq!(found, fields["answer"], "{block}");
    }
    assert_eq!(blocks.count(), 30);
}
