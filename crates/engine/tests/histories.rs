//! The same board with two histories: what it is worth depends on what has been there before.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::sync::Arc;

use tablut_engine::{
    Control, Engine, EngineOptions, Score, SearchLimits,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{BuiltIn, Game, Laws, Rules, Side};

/// What the side to move can expect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Worth {
    Won(u32),
    Drawn,
    Lost(u32),
}

/// A game that leads to the board, and what the board is then worth.
struct Way {
    game: Game,
    worth: Worth,
}

/// The blocks of the file: a line of rules and limits, then a line for each of two ways.
fn boards() -> Vec<[Way; 2]> {
    let text: Vec<&str> = include_str!("histories.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    let blocks = text.split(|line| line.is_empty());
    blocks
        .filter(|lines| !lines.is_empty())
        .map(|lines| {
            let [head, ways @ ..] = lines else {
                panic!("an empty block");
            };
            let (rules, laws) = rules(head);
            let ways: Vec<Way> = ways.iter().map(|line| way(line, &rules, laws)).collect();
            ways.try_into().ok().unwrap()
        })
        .collect()
}

fn rules(head: &str) -> (Arc<Rules>, Laws) {
    let mut words = head.split(' ');
    let rules = words.next().unwrap().parse::<BuiltIn>().unwrap().rules();
    let mut laws = rules.laws();
    for word in words {
        match word.split_once('=').unwrap() {
            ("captureless", limit) => laws.captureless_limit = Some(limit.parse().unwrap()),
            ("moves", limit) => laws.move_limit = Some(limit.parse().unwrap()),
            (name, _) => panic!("there is no limit {name}"),
        }
    }
    (rules, laws)
}

/// `won 3 POSITION : MOVES`
fn way(line: &str, rules: &Arc<Rules>, laws: Laws) -> Way {
    let (worth, rest) = match line.split_once(' ').unwrap() {
        ("drawn", rest) => (Worth::Drawn, rest),
        (word, rest) => {
            let (plies, rest) = rest.split_once(' ').unwrap();
            let plies = plies.parse().unwrap();
            match word {
                "won" => (Worth::Won(plies), rest),
                "lost" => (Worth::Lost(plies), rest),
                word => panic!("{word:?} is no worth"),
            }
        }
    };
    let (start, moves) = rest.split_once(" :").unwrap();
    let start = rules.position(&start.parse().unwrap()).unwrap();
    let mut game = Game::from_position(rules.clone(), start, laws);
    for step in moves.split_whitespace() {
        game.play(step.parse().unwrap()).unwrap();
    }
    Way { game, worth }
}

fn shortest_win(game: &Game, winner: Side, plies: u32) -> Option<u32> {
    let limits = SolveLimits {
        plies,
        nodes: 1_000_000,
    };
    let mut solver = Solver::new(game, winner, 4, Control::new());
    match solver.solve(limits, &mut |_| {}) {
        Solution::Won { plies, .. } => Some(plies),
        Solution::NotWithin(_) => None,
        // Only where the repeater loses is a refutation not claimed.
        Solution::Unknown(looked) => {
            assert!(looked >= plies, "the solver's limit is too low");
            None
        }
    }
}

#[test]
fn each_board_is_the_same_and_its_worth_is_not() {
    let boards = boards();
    assert!(boards.len() >= 10, "{}", boards.len());
    for [one, two] in boards {
        let [first, second] = [&one, &two].map(|way| way.game.position());
        assert!(first.repeats(second), "{first} {second}");
        assert_ne!(one.worth, two.worth, "{first}");
    }
}

#[test]
fn the_solver_knows_what_each_history_makes_of_a_board() {
    for way in boards().iter().flatten() {
        let side = way.game.position().side();
        let plies = match way.worth {
            Worth::Won(plies) | Worth::Lost(plies) => plies,
            Worth::Drawn => 5,
        };
        let [own, other] = [side, side.opponent()].map(|side| shortest_win(&way.game, side, plies));
        let expected = match way.worth {
            Worth::Won(plies) => (Some(plies), None),
            Worth::Drawn => (None, None),
            Worth::Lost(plies) => (None, Some(plies)),
        };
        assert_eq!((own, other), expected, "{}", name(way));
    }
}

#[test]
fn the_engine_knows_it_too_and_forgets_it_for_the_other_history() {
    for mut ways in boards() {
        // The table is kept between both, in either order.
        for _ in 0..2 {
            let mut engine = Engine::new(EngineOptions {
                hash_mb: 4,
                threads: 1,
            });
            for way in &ways {
                let limits = SearchLimits::nodes(20_000);
                let report = engine.search(&way.game, &limits, &Control::new(), &mut |_| {});
                let score = report.lines[0].score;
                let name = format!("{}: {score}", name(way));
                match way.worth {
                    Worth::Won(plies) => {
                        assert!(matches!(score, Score::Win(n) if n >= plies), "{name}");
                    }
                    Worth::Drawn => assert_eq!(score, Score::Units(0), "{name}"),
                    Worth::Lost(plies) => {
                        assert!(matches!(score, Score::Loss(n) if n >= plies), "{name}");
                    }
                }
            }
            ways.reverse();
        }
    }
}

fn name(way: &Way) -> String {
    let moves: Vec<String> = way
        .game
        .plies()
        .iter()
        .map(|ply| ply.step.to_string())
        .collect();
    let set = way.game.rules().set().id();
    format!("{set} {} : {}", way.game.start(), moves.join(" "))
}
