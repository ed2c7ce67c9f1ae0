//! Planted faults: one wrong entry in any table, and the oracle must notice.
//!
//! A comparison that finds nothing proves little unless it would have found something. Each fault
//! here spoils one entry of one table of a sound set; the same comparisons that `tests/oracle.rs`
//! uses must report it within a bounded number of random positions, and must report nothing on the
//! same positions without it.

use std::{format, string::String};

use super::{Hostile, IMPOSSIBLE, KingTables, Rules, Slide};
use crate::{
    Bitboard, BuiltIn, Laws, NoMove, Piece, Repetition, RepetitionResult, RuleSet, Side, Square,
    StartCounts,
};

#[path = "../../tests/oracle/mod.rs"]
mod oracle;

use oracle::{
    Dice, compare_game, compare_position, compare_setup, compare_start, random_laws, random_set,
    random_setup,
};

/// Random positions that are tried before a fault counts as overlooked. Most faults take fewer than
/// a hundred; a king between two on two certain squares takes 1,609.
const ROUNDS: u64 = 6000;

/// One wrong entry.
struct PlantedFault {
    /// The table, as the code names it, and what is wrong.
    name: &'static str,
    /// The built-in set whose tables are spoilt.
    set: &'static str,
    spoil: fn(&mut Rules),
}

/// A fault in the tables of a set.
const fn fault(name: &'static str, set: &'static str, spoil: fn(&mut Rules)) -> PlantedFault {
    PlantedFault { name, set, spoil }
}

/// The square with a name.
fn square(name: &str) -> Square {
    name.parse().expect("a square's name")
}

/// The slide of a kind of piece from a square.
fn slide<'a>(rules: &'a mut Rules, piece: Piece, from: &str) -> &'a mut Slide {
    &mut rules.slides[piece.index()][square(from).index()]
}

/// What is hostile to a side's men.
fn hostile(rules: &mut Rules, side: Side) -> &mut Hostile {
    &mut rules.hostile[side]
}

/// What makes a move to a square worth a look.
fn touch<'a>(rules: &'a mut Rules, to: &str) -> &'a mut Bitboard {
    &mut rules.touch[square(to).index()]
}

/// An entry of a table with one entry per square.
fn entry<'a>(table: &'a mut [Bitboard; Square::COUNT], name: &str) -> &'a mut Bitboard {
    &mut table[square(name).index()]
}

/// The law of repetition, in a set that has one.
fn repetition(rules: &mut Rules) -> &mut Repetition {
    let law = rules.laws.repetition.as_mut();
    law.expect("the set ends games by repetition")
}

/// Two open lanes win in this variation of a set, whose text says so.
const LANES: &str = "linnaeus with two_lanes = wins";

/// A rule set that faults are planted in.
fn set(id: &str) -> RuleSet {
    if id == LANES {
        let mut set = BuiltIn::Linnaeus.set().clone();
        set.two_lanes = crate::TwoLanes::Wins;
        return set;
    }
    let set: BuiltIn = id.parse().expect("it ships");
    set.set().clone()
}

/// Faults in the tables of movement. In a line, bit *n* is column or row *n* from zero.
const MOVEMENT: &[PlantedFault] = &[
    fault("row_barrier: the camp is open from c5", "ashton", |rules| {
        slide(rules, Piece::Defender, "c5").row_barrier &= !(1 << 1);
    }),
    fault("row_barrier: g3 is closed from c3", "modern", |rules| {
        slide(rules, Piece::Attacker, "c3").row_barrier |= 1 << 6;
    }),
    fault("column_barrier: e7 to e4 is open", "ashton", |rules| {
        slide(rules, Piece::Attacker, "e7").column_barrier &= !(1 << 4);
    }),
    fault("column_barrier: d6 is closed", "berkeley", |rules| {
        slide(rules, Piece::King, "d2").column_barrier |= 1 << 5;
    }),
    fault("row_stop: no return to the castle", "berkeley", |rules| {
        slide(rules, Piece::King, "g5").row_stop &= !(1 << 4);
    }),
    fault("column_stop: a man stops on e5", "classic", |rules| {
        slide(rules, Piece::Attacker, "e3").column_stop |= 1 << 4;
    }),
];

/// Faults in the tables of captures.
const CAPTURE: &[PlantedFault] = &[
    fault("touch: nothing on c4", "ashton", |rules| {
        *touch(rules, "c4") = Bitboard::EMPTY;
    }),
    fault("touch: g5 without g6", "referee-modern", |rules| {
        touch(rules, "g5").remove(square("g6"));
    }),
    fault("hostile.always to black: not b5", "ashton", |rules| {
        hostile(rules, Side::Attackers).always.remove(square("b5"));
    }),
    fault("hostile.always to black: a5 too", "ashton", |rules| {
        hostile(rules, Side::Attackers).always.insert(square("a5"));
    }),
    fault("hostile.always to white: not e8", "ashton", |rules| {
        hostile(rules, Side::Defenders).always.remove(square("e8"));
    }),
    fault("hostile.when_empty to black", "classic", |rules| {
        hostile(rules, Side::Attackers).when_empty = Bitboard::EMPTY;
    }),
    fault("hostile.when_empty to white", "ashton-split", |rules| {
        hostile(rules, Side::Defenders)
            .when_empty
            .insert(square("e5"));
    }),
];

/// Faults in the tables of the king and of what wins.
const KING: &[PlantedFault] = &[
    fault("siege_from: e4 does not take e5", "ashton", |rules| {
        entry(&mut rules.king.siege_from, "e4").remove(square("e5"));
    }),
    fault("siege_from: g3 does not take f3", "linnaeus", |rules| {
        entry(&mut rules.king.siege_from, "g3").remove(square("f3"));
    }),
    fault("siege_from: idle siege from c3", "ashton-siege", |rules| {
        entry(&mut rules.king.siege_from, "c3").insert(square("e5"));
    }),
    fault("custodial_from: c3 spares d3", "ashton", |rules| {
        entry(&mut rules.king.custodial_from, "c3").remove(square("d3"));
    }),
    fault("custodial_from: e3 takes e4", "berkeley", |rules| {
        entry(&mut rules.king.custodial_from, "e3").insert(square("e4"));
    }),
    fault("siege: e4 with e3 open", "ashton", |rules| {
        entry(&mut rules.king.siege, "e4").remove(square("e3"));
    }),
    fault("siege: never on e5", "modern", |rules| {
        *entry(&mut rules.king.siege, "e5") = IMPOSSIBLE;
    }),
    fault("anvils: not b5", "ashton", |rules| {
        rules.king.anvils.remove(square("b5"));
    }),
    fault("closes.always: not b5", "ashton-siege", |rules| {
        rules.king.closes.always.remove(square("b5"));
    }),
    fault("closes.when_empty: not the castle", "linnaeus", |rules| {
        rules.king.closes.when_empty = Bitboard::EMPTY;
    }),
    fault("castle_guard: safe from e3", "ashton", |rules| {
        *entry(&mut rules.king.castle_guard, "e3") = IMPOSSIBLE;
    }),
    fault("castle_guard: c5 needs no siege", "berkeley", |rules| {
        *entry(&mut rules.king.castle_guard, "c5") = Bitboard::EMPTY;
    }),
    fault("goals: not a2", "ashton", |rules| {
        rules.goals.remove(square("a2"));
    }),
    fault("goals: e2 too", "modern", |rules| {
        rules.goals.insert(square("e2"));
    }),
    fault("castle: e4", "ashton", |rules| {
        rules.castle = square("e4");
    }),
    fault("rare_when: no look at lanes", LANES, |rules| {
        rules.rare_when = IMPOSSIBLE;
    }),
    fault("rare_when: no idle siege", "referee-classic", |rules| {
        rules.rare_when = IMPOSSIBLE;
    }),
];

/// Faults in the laws and in the start.
const LAWS: &[PlantedFault] = &[
    fault("laws.repetition: none", "ashton", |rules| {
        rules.laws.repetition = None;
    }),
    fault("laws.repetition: one more", "linnaeus", |rules| {
        repetition(rules).occurrence += 1;
    }),
    fault("laws.repetition: a draw", "berkeley", |rules| {
        repetition(rules).result = RepetitionResult::Draw;
    }),
    fault("laws.start_counts: no", "berkeley", |rules| {
        rules.laws.start_counts = StartCounts::No;
    }),
    fault("laws.memory: two positions", "ashton", |rules| {
        rules.laws.memory = Some(1);
    }),
    fault("laws.no_move: a draw", "ashton", |rules| {
        rules.laws.no_move = NoMove::Draws;
    }),
    fault("laws.captureless_limit: nine", "modern", |rules| {
        rules.laws.captureless_limit = Some(9);
    }),
    fault("laws.move_limit: five", "ashton", |rules| {
        rules.laws.move_limit = Some(5);
    }),
    fault("start: the other side", "ashton", |rules| {
        rules.start = rules.start.pass();
    }),
];

/// One random position, one set-up and now and then one game, compared.
fn compare(rules: &Rules, round: u64) -> Result<(), String> {
    let dice = &mut Dice::new(round);
    compare_start(rules)?;
    let position = rules.place(&random_setup(rules.set(), 1, dice));
    compare_position(rules, &position)?;
    if round % 8 == 0 {
        let kings = dice.below(4);
        compare_setup(rules, &random_setup(rules.set(), kings, dice))?;
        compare_game(rules, &position, None, 16, dice)?;
    }
    Ok(())
}

/// The first round in which a fault shows, if one does.
fn found(rules: &Rules) -> Option<u64> {
    (0..ROUNDS).find(|&round| compare(rules, round).is_err())
}

/// Plants faults one at a time; each must be found, and nothing on the way to it without it.
fn plant(faults: &[PlantedFault]) {
    for fault in faults {
        let sound = set(fault.set).compile().expect("a sound set");
        let mut spoilt = sound.clone();
        (fault.spoil)(&mut spoilt);
        let name = format!("{}: {}", fault.set, fault.name);
        assert_ne!(spoilt, sound, "{name} changes nothing");
        let Some(round) = found(&spoilt) else {
            panic!("{name} was overlooked");
        };
        for round in 0..=round {
            assert_eq!(compare(&sound, round), Ok(()), "without {name}");
        }
    }
}

#[test]
fn a_fault_in_any_table_of_movement_is_noticed() {
    plant(MOVEMENT);
}

#[test]
fn a_fault_in_any_table_of_captures_is_noticed() {
    plant(CAPTURE);
}

#[test]
fn a_fault_in_any_table_of_the_king_is_noticed() {
    plant(KING);
}

#[test]
fn a_fault_in_any_law_is_noticed() {
    plant(LAWS);
}

#[test]
fn sound_tables_of_invented_sets_are_not_suspected() {
    let mut dice = Dice::new(7);
    for round in 0..100 {
        let Ok(rules) = random_set(&mut dice).compile() else {
            continue;
        };
        assert_eq!(compare(&rules, round), Ok(()), "{}", rules.set());
        let laws = random_laws(&mut dice);
        let game = compare_game(&rules, &rules.start(), Some(laws), 16, &mut dice);
        assert!(game.is_ok(), "{game:?} under {}", rules.set());
    }
}

/// Every part of a compiled rule set has a fault above that names it. A new part does not compile
/// here until someone has thought of its fault.
#[test]
fn every_table_has_a_fault() {
    let Rules {
        slides,
        // What it says twice is compared with the moves in `sight`.
        into: _,
        touch: _,
        hostile,
        king,
        goals: _,
        castle: _,
        rare_when: _,
        laws,
        start: _,
        set: _,
    } = Rules::clone(&Rules::ashton());
    let Hostile {
        always: _,
        when_empty: _,
    } = hostile.attackers;
    let Slide {
        row_barrier: _,
        column_barrier: _,
        row_stop: _,
        column_stop: _,
    } = slides[0][0];
    let KingTables {
        siege_from: _,
        custodial_from: _,
        siege: _,
        anvils: _,
        closes: _,
        castle_guard: _,
    } = king;
    let Laws {
        repetition: _,
        start_counts: _,
        memory: _,
        no_move: _,
        captureless_limit: _,
        move_limit: _,
    } = laws;
    for table in [
        "row_barrier",
        "column_barrier",
        "row_stop",
        "column_stop",
        "touch",
        "hostile.always",
        "hostile.when_empty",
        "siege_from",
        "custodial_from",
        "siege",
        "anvils",
        "closes.always",
        "closes.when_empty",
        "castle_guard",
        "goals",
        "castle",
        "rare_when",
        "laws.repetition",
        "laws.start_counts",
        "laws.memory",
        "laws.no_move",
        "laws.captureless_limit",
        "laws.move_limit",
        "start",
    ] {
        let mut faults = [MOVEMENT, CAPTURE, KING, LAWS].into_iter().flatten();
        let named = faults.any(|fault| {
            let rest = fault.name.strip_prefix(table);
            rest.is_some_and(|rest| rest.starts_with([':', ' ']))
        });
        assert!(named, "{table} has no fault");
    }
}
