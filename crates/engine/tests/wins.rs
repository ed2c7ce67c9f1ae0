//! Known forced wins: the solver proves each, the engine finds and claims it within its budget, and
//! both do so however the board is turned.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use tablut_engine::{
    Control, Engine, EngineOptions, Score, SearchLimits, evaluate,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{BuiltIn, Game, Rules, Setup, Side};

/// One line of the file.
struct Win {
    rules: Arc<Rules>,
    plies: u32,
    nodes: u64,
    setup: Setup,
}

impl Win {
    fn game(&self) -> Game {
        self.turned(&self.setup)
    }

    fn turned(&self, setup: &Setup) -> Game {
        let position = self.rules.position(setup).unwrap();
        Game::from_position(self.rules.clone(), position, self.rules.laws())
    }

    fn name(&self) -> String {
        format!("{} {}", self.rules.set().id(), self.setup)
    }
}

fn wins() -> Vec<Win> {
    let mut rules: BTreeMap<&str, Arc<Rules>> = BTreeMap::new();
    include_str!("wins.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut words = line.splitn(4, ' ');
            let mut word = || words.next().unwrap();
            let id = word();
            let known = rules
                .entry(id)
                .or_insert_with(|| id.parse::<BuiltIn>().unwrap().rules());
            Win {
                rules: known.clone(),
                plies: word().parse().unwrap(),
                nodes: word().parse().unwrap(),
                setup: word().parse().unwrap(),
            }
        })
        .collect()
}

fn solve(game: &Game, winner: Side, plies: u32) -> Solution {
    let limits = SolveLimits {
        plies,
        nodes: 2_000_000,
    };
    Solver::new(game, winner, 4, Control::new()).solve(limits, &mut |_| {})
}

#[test]
fn the_file_has_wins_of_both_sides_of_many_lengths_and_rule_sets() {
    let wins = wins();
    assert!(wins.len() >= 60, "{}", wins.len());
    for side in Side::ALL {
        let of_side = || wins.iter().filter(|win| win.setup.side() == side);
        assert!(of_side().count() >= 25, "{side:?}");
        let sets: BTreeSet<&str> = of_side().map(|win| win.rules.set().id()).collect();
        assert!(sets.len() >= 5, "{side:?}: {sets:?}");
        for (plies, least) in [(3, 8), (5, 8), (7, 8), (9, 1)] {
            let long = of_side().filter(|win| win.plies == plies).count();
            assert!(long >= least, "{side:?}: {long} of {plies} plies");
        }
    }
}

#[test]
fn known_wins_are_proved_found_and_claimed() {
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 8,
        threads: 1,
    });
    let mut missed = Vec::new();
    for win in wins() {
        let name = win.name();
        let mut game = win.game();
        let side = game.position().side();
        let Solution::Won {
            plies, shortest, ..
        } = solve(&game, side, win.plies)
        else {
            panic!("{name} is not won");
        };
        assert_eq!(plies, win.plies, "{name}");
        engine.clear();
        let limits = SearchLimits::nodes(win.nodes);
        let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
        let score = report.lines[0].score;
        let Score::Win(claimed) = score else {
            missed.push(format!("{name}: {score} after {} nodes", win.nodes));
            continue;
        };
        // Where the repeater loses, the engine may see a shorter win than the solver looks for.
        assert!(claimed >= plies || !shortest, "{name}: {claimed}");
        game.play(report.best.unwrap()).unwrap();
        match game.outcome() {
            Some(outcome) => assert_eq!(outcome.winner, Some(side), "{name}"),
            None => {
                let answer = solve(&game, side, claimed.max(plies) - 1);
                assert!(matches!(answer, Solution::Won { .. }), "{name}: {answer:?}");
            }
        }
    }
    assert_eq!(missed, [""; 0]);
}

#[test]
fn wins_within_four_own_moves_under_berkeley_cost_little() {
    // At two million nodes a second this is a twenty-fifth of a second.
    let most = 80_000;
    let wins = wins();
    let short = wins
        .iter()
        .filter(|win| win.rules.set().id() == "berkeley" && win.plies <= 7);
    let dear = short.clone().filter(|win| win.nodes > most);
    assert_eq!(dear.map(Win::name).collect::<Vec<_>>(), [""; 0]);
    assert!(short.count() >= 12);
}

#[test]
fn turned_positions_are_worth_the_same_and_won_in_as_many_plies() {
    for win in wins() {
        let (game, side) = (win.game(), win.setup.side());
        let worth = evaluate(&win.rules, game.position());
        for symmetry in win.rules.set().symmetries() {
            let turned = win.turned(&symmetry.setup(&win.setup));
            let name = format!("{}: {symmetry:?}", win.name());
            assert_eq!(evaluate(&win.rules, turned.position()), worth, "{name}");
            if win.plies > 5 {
                // Long proofs take long; eight of each would say no more.
                continue;
            }
            let Solution::Won { plies, line, .. } = solve(&turned, side, win.plies) else {
                panic!("{name} is not won");
            };
            assert_eq!(plies, win.plies, "{name}");
            // The line, turned back, wins the position it came from.
            let mut back = game.clone();
            for step in line {
                let step = symmetry.inverse().step(win.rules.size(), step);
                back.play(step).unwrap();
            }
            assert_eq!(back.outcome().unwrap().winner, Some(side), "{name}");
        }
    }
}
