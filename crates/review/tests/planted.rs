//! Planted blunders: the mark, and the right words.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_review::{Fact, MoveMark, review};
use tablut_rules::{BuiltIn, Game, Setup, text::Lang};

/// What a stanza of the file plants.
struct Planted<'a> {
    game: Game,
    /// The sign of the mark; `-` for none.
    mark: &'a str,
    /// What has to be said.
    said: Vec<&'a str>,
}

/// Stanzas of `planted.txt`: rule set and position, the moves of which the last is judged, the mark, and
/// a line for each thing that has to be said.
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
                mark,
                said: said.to_vec(),
            }
        })
        .collect()
}

#[test]
fn planted_blunders_are_marked_with_the_right_words() {
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 8,
        threads: 1,
    });
    let mut faults = Vec::new();
    for planted in planted() {
        let limits = SearchLimits::nodes(40_000);
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
        let mark = judged.mark.map_or("-", MoveMark::sign);
        let all: Vec<String> = judged.facts.iter().map(|f| f.sentence(Lang::En)).collect();
        let is_said = |words: &&str| comment.contains(words) || all.iter().any(|s| s == words);
        if mark != planted.mark || !planted.said.iter().all(is_said) {
            let step = judged.step;
            let said = planted.said.join(" | ");
            faults.push(format!(
                "{step} to {place}\n  wanted {} {said}\n  said   {mark} {comment}\n  facts  {}",
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
fn where_one_move_stops_the_king_it_is_the_only_one() {
    let rules = BuiltIn::Ashton.rules();
    let setup: Setup = "9/9/1b1K5/9/9/9/9/9/b5b2 b".parse().unwrap();
    let position = rules.position(&setup).unwrap();
    let mut game = Game::from_position(rules.clone(), position, rules.laws());
    let stops = |&&step: &&tablut_rules::Move| {
        let after = rules.apply_unchecked(&position, step).position;
        rules.calls(&after).count() == 0
    };
    let moves = rules.moves(&position);
    let stopping: Vec<_> = moves.iter().filter(stops).collect();
    assert_eq!(stopping.len(), 1, "made by hand so that all others lose");
    game.play(*stopping[0]).unwrap();
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 4,
        threads: 1,
    });
    let limits = SearchLimits::nodes(20_000);
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
