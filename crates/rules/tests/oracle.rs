//! Random play, compared move by move with a slow second implementation of the rules.
//!
//! The oracle and the comparisons are in `oracle/`; that they notice a fault in any table is shown
//! in `src/rules/planted.rs`. All dice are seeded: a failure comes back on every run.
#![cfg(feature = "toml")]

#[path = "oracle/mod.rs"]
mod oracle;

use std::{collections::HashMap, sync::Arc};

use oracle::{
    Dice, compare_game, compare_position, compare_setup, compare_start, comparison::Seen,
    random_laws, random_set, random_setup,
};
use tablut_rules::{BuiltIn, Position, Reason, RuleSet, Rules, Setup};

/// Every set that ships, the referee's twins included.
fn shipped() -> impl Iterator<Item = Arc<Rules>> {
    BuiltIn::ALL.iter().map(|set| set.rules())
}

/// As many random rule sets, without those that do not compile.
fn invented(count: usize, dice: &mut Dice) -> Vec<Arc<Rules>> {
    let sets = (0..count).map(|_| random_set(dice));
    sets.filter_map(|set| set.compile().ok().map(Arc::new))
        .collect()
}

/// What went wrong, under which rules.
fn must<T>(rules: &Rules, compared: Result<T, String>) -> T {
    compared.unwrap_or_else(|difference| panic!("{difference}\nunder\n{}", rules.set()))
}

/// A random position: one king, everything else anywhere.
fn random_position(rules: &Rules, dice: &mut Dice) -> Position {
    let setup = random_setup(rules.set(), 1, dice);
    rules
        .position(&setup)
        .or_else(|faults| faults.playable())
        .expect("one king is enough to play")
}

/// Plays at random and compares every position on the way.
fn play(rules: &Rules, start: Position, plies: usize, dice: &mut Dice) -> Seen {
    let mut seen = Seen::default();
    let mut position = start;
    for ply in 0..plies {
        seen += must(rules, compare_position(rules, &position));
        if ply % 8 == 0 {
            must(rules, compare_setup(rules, &Setup::from(&position)));
        }
        let moves = rules.moves(&position);
        if moves.is_empty() {
            break;
        }
        let applied = rules.apply_unchecked(&position, dice.pick(&moves));
        if applied.end.is_some() {
            break;
        }
        position = applied.position;
    }
    seen
}

/// Compares random set-ups: positions, boards with any number of kings, short games from them.
fn scatter(rules: &Rules, count: usize, dice: &mut Dice) -> Seen {
    let mut seen = Seen::default();
    for _ in 0..count {
        let position = random_position(rules, dice);
        seen += play(rules, position, 3, dice);
        let kings = dice.pick(&[0, 1, 2, 3]);
        let setup = random_setup(rules.set(), kings, dice);
        must(rules, compare_setup(rules, &setup));
    }
    seen
}

#[test]
fn shipped_sets_play_as_the_oracle_says() {
    let mut dice = Dice::new(1732);
    for rules in shipped() {
        let mut seen = Seen::default();
        for _ in 0..12 {
            seen += play(&rules, rules.start(), 120, &mut dice);
        }
        seen += scatter(&rules, 400, &mut dice);
        let enough = seen.capturing > 1000 && seen.captured > 50 && seen.escaped > 50;
        assert!(enough && seen.calls > 50, "{}: {seen:?}", rules.set().id());
    }
}

#[test]
fn invented_sets_play_as_the_oracle_says() {
    let mut dice = Dice::new(1884);
    let sets = invented(1000, &mut dice);
    assert!(sets.len() > 900, "only {} sets compile", sets.len());
    let mut seen = Seen::default();
    for rules in &sets {
        seen += play(rules, rules.start(), 12, &mut dice);
        seen += scatter(rules, 6, &mut dice);
    }
    let ends = [seen.captured, seen.escaped, seen.two_lanes];
    assert!(ends.into_iter().all(|end| end > 1000), "{seen:?}");
}

#[test]
fn invented_sets_vary_every_parameter() {
    let mut dice = Dice::new(1732);
    let first = random_set(&mut dice);
    let others: Vec<_> = (0..100).map(|_| random_set(&mut dice)).collect();
    for key in RuleSet::keys() {
        let varies = others.iter().any(|set| {
            let differences = first.differences(set);
            differences.iter().any(|parameter| parameter.key == key)
        });
        assert!(
            varies,
            "{key} is the same in all sets: add it to `random_set`"
        );
    }
}

#[test]
fn shipped_and_invented_sets_start_from_the_position_they_name() {
    let mut dice = Dice::new(1905);
    for rules in shipped().chain(invented(50, &mut dice)) {
        must(&rules, compare_start(&rules));
    }
}

#[test]
fn games_end_as_the_oracle_says() {
    let mut dice = Dice::new(1963);
    let mut ends: HashMap<Option<Reason>, u32> = HashMap::new();
    let sets: Vec<Arc<Rules>> = shipped().chain(invented(200, &mut dice)).collect();
    for rules in &sets {
        for round in 0..12 {
            let start = match round % 3 {
                0 => rules.start(),
                _ => random_position(rules, &mut dice),
            };
            let laws = (round % 4 > 0).then(|| random_laws(&mut dice));
            let compared = compare_game(rules, &start, laws, 60, &mut dice);
            let outcome = must(rules, compared);
            *ends.entry(outcome.map(|end| end.reason)).or_default() += 1;
        }
    }
    for reason in [
        None,
        Some(Reason::KingEscaped),
        Some(Reason::KingCaptured),
        Some(Reason::TwoLanes),
        Some(Reason::NoMove),
        Some(Reason::Repetition),
        Some(Reason::CapturelessLimit),
        Some(Reason::MoveLimit),
    ] {
        let count = ends.get(&reason).copied().unwrap_or_default();
        assert!(count >= 10, "{reason:?} {count} times: {ends:?}");
    }
}
