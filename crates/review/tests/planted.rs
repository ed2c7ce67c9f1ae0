//! Planted blunders: the mark, and the right words.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tablut_engine::{
    Control, Engine, EngineOptions, Evaluation, SearchLimits,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_review::{Fact, MoveMark, review};
use tablut_rules::{BuiltIn, Game, Move, Setup, Side, text::Lang};

/// An engine whose judgement does not change with the networks that ship.
fn engine() -> Engine {
    let options = EngineOptions {
        hash_mb: 8,
        threads: 1,
    };
    Engine::new(options).with_evaluation(Evaluation::Hand)
}

/// What a stanza of the file plants.
struct Planted<'a> {
    game: Game,
    /// The mildest mark that will do.
    mark: Option<MoveMark>,
    /// What has to be said.
    said: Vec<&'a str>,
}

/// Stanzas of `planted.txt`: rule set and position, the moves of which the last is judged, the mildest
/// mark that will do (`-` for no mark), and a line for each thing that has to be said.
fn planted() -> Vec<Planted<'static>> {
    let text = include_str!("planted.txt");
    let stanzas = text.split("\n\n").map(|stanza| {
        let lines = stanza.lines().filter(|line| !line.starts_with('#'));
        lines.collect::<Vec<&str>>()
    });
    stanzas
        .filter(|lines| !lines.is_empty())
        .map(|lines| {
            let [place, moves, mark, said @ ..] = &lines[..] else {
                panic!("{lines:?} is no stanza");
            };
            let (id, position) = place.split_once(' ').unwrap();
            let rules = id.parse::<BuiltIn>().unwrap().rules();
            let position = match position {
                "start" => rules.start(),
                line => rules.position(&line.parse::<Setup>().unwrap()).unwrap(),
            };
            let laws = rules.laws();
            let mut game = Game::from_position(rules, position, laws);
            for step in moves.split(' ') {
                game.play(step.parse().unwrap()).unwrap();
            }
            Planted {
                game,
                mark: MoveMark::ALL
                    .into_iter()
                    .find(|known| known.sign() == *mark),
                said: said.to_vec(),
            }
        })
        .collect()
}

#[test]
fn planted_blunders_are_marked_with_the_right_words() {
    let mut engine = engine();
    let mut faults = Vec::new();
    for planted in planted() {
        let limits = SearchLimits::nodes(80_000);
        let review = review(
            &planted.game,
            &mut engine,
            &limits,
            &Control::new(),
            &mut |_| {},
        );
        let judged = review.moves().last().unwrap();
        let place = Setup::from(planted.game.position());
        let comment = judged.comment(Lang::En);
        let is_marked = match planted.mark {
            None => judged.mark.is_none(),
            mark => judged.mark >= mark,
        };
        let all: Vec<String> = judged.facts.iter().map(|f| f.sentence(Lang::En)).collect();
        let is_said = |words: &&str| comment.contains(words) || all.iter().any(|s| s == words);
        if !is_marked || !planted.said.iter().all(is_said) {
            let step = judged.step;
            let said = planted.said.join(" | ");
            faults.push(format!(
                "{step} to {place}\n  wanted {:?} {said}\n  said   {comment}\n  facts  {}",
                planted.mark,
                all.join(" | ")
            ));
        }
        // Who hears another language hears as much.
        for &lang in Lang::ALL {
            assert_eq!(judged.comment(lang).is_empty(), comment.is_empty());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn where_all_other_moves_provably_lose_a_move_is_the_only_one() {
    let rules = BuiltIn::Ashton.rules();
    let setup: Setup = "9/2w6/4b4/2K6/8b/6b2/1b5b1/w5b1b/2b6 b".parse().unwrap();
    let position = rules.position(&setup).unwrap();
    let mut game = Game::from_position(rules.clone(), position, rules.laws());
    let holds = |step: &Move| {
        let mut game = game.clone();
        game.play(*step).unwrap();
        let mut solver = Solver::new(&game, Side::Defenders, 4, Control::new());
        let limits = SolveLimits {
            plies: 9,
            nodes: 2_000_000,
        };
        !matches!(solver.solve(limits, &mut |_| {}), Solution::Won { .. })
    };
    let moves = game.legal_moves();
    let holding: Vec<Move> = moves.iter().copied().filter(holds).collect();
    assert_eq!(holding.len(), 1, "all others lose within nine plies");
    game.play(holding[0]).unwrap();
    let mut engine = engine();
    let limits = SearchLimits::nodes(300_000);
    let review = review(&game, &mut engine, &limits, &Control::new(), &mut |_| {});
    let only = Fact::OnlyMove { others_lose: true };
    assert!(
        review.moves()[0].facts.contains(&only),
        "{:?}",
        review.moves()[0]
    );
    assert_eq!(
        review.moves()[0].comment(Lang::En),
        "The only move that does not lose."
    );
}
