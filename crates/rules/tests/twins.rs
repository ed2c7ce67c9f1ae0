//! The corrected sets differ from the referee's variants only where a mistake was corrected.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
    sync::Arc,
};

use flate2::read::GzDecoder;
use tablut_rules::{
    Bitboard, BuiltIn, End, Move, Position, Rules, Setup, Side, conformance::Case,
    notation::Diagram,
};

/// The rules of a built-in set.
fn rules(id: &str) -> Arc<Rules> {
    id.parse::<BuiltIn>().unwrap().rules()
}

/// The positions recorded for a variant.
fn positions(variant: &str, rules: &Rules) -> Vec<Position> {
    let file = format!("tests/conformance/{variant}.jsonl.gz");
    let file = File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| {
            let Case::Position(case) = serde_json::from_str(&line.unwrap()).unwrap() else {
                panic!("not a position");
            };
            case.position(rules).unwrap()
        })
        .collect()
}

/// The correction that explains why a move has another result, if one does.
fn correction(rules: &Rules, position: &Position, step: Move) -> Option<&'static str> {
    let (from, to, king) = (step.from(), step.to(), position.king());
    let castle = rules.castle();
    let crosses = from.between(to).any(|square| square == castle);
    if crosses && from.row() == castle.row() {
        return Some("row-5 crossing of the empty castle");
    }
    if position.side() == Side::Attackers {
        let beside_king = Bitboard::beside(king).contains(to);
        if beside_king && (to.row() == castle.row() || king == castle) {
            return Some("king captured or spared by the middle-row test");
        }
        if king == castle && Bitboard::beside(castle).is_subset(position.pieces(Side::Attackers)) {
            return Some("a king already besieged on the castle falls to any move");
        }
    }
    None
}

/// Every difference between a set and its twin, counted by the correction that explains it.
fn differences(id: &str, variant: &str) -> BTreeMap<&'static str, u32> {
    let corrected = rules(id);
    let twin = rules(&format!("referee-{variant}"));
    let mut counts = BTreeMap::new();
    for position in positions(variant, &twin) {
        for from in position.pieces(position.side()) {
            let setup = Setup::from(&position);
            for to in corrected.view(&setup).targets(from) | twin.view(&setup).targets(from) {
                let step = Move::new(from, to);
                let result = |rules: &Rules| {
                    rules.is_legal(&position, step).then(|| {
                        let applied = rules.apply_unchecked(&position, step);
                        (applied.captured, applied.end)
                    })
                };
                if result(&corrected) != result(&twin) {
                    let diagram = Diagram::from(&position);
                    let reason = correction(&corrected, &position, step)
                        .unwrap_or_else(|| panic!("{step} differs without a reason:\n{diagram}"));
                    *counts.entry(reason).or_default() += 1;
                }
            }
        }
    }
    counts
}

#[test]
fn classic_differs_from_its_twin_only_by_corrections() {
    let counts = differences("classic", "classic");
    assert_eq!(counts.len(), 3, "every correction is seen: {counts:?}");
}

#[test]
fn modern_plays_as_its_twin_but_for_the_moves_on_which_the_referee_fails() {
    assert_eq!(differences("modern", "modern"), BTreeMap::new());
}

#[test]
fn a_king_on_the_castle_falls_to_two_men_only_under_the_twin() {
    let text = "9/9/9/4b4/4K4/9/9/4b4/9 b";
    for (id, end) in [
        ("classic", None),
        ("referee-classic", Some(End::KingCaptured)),
    ] {
        let rules = rules(id);
        let position = rules.position(&text.parse().unwrap()).unwrap();
        assert_eq!(
            rules
                .apply_unchecked(&position, "e8e6".parse().unwrap())
                .end,
            end,
            "{id}"
        );
    }
}
