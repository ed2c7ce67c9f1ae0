//! The examples, run: each is a module here, so what a reader copies is what was tested.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
#![cfg(feature = "toml")]

use std::error::Error;

/// Includes an example; its `main` only calls `run` with arguments.
macro_rules! example {
    ($name:ident, $file:literal) => {
        #[path = $file]
        #[allow(dead_code, reason = "`main` is called by the example itself")]
        mod $name;
    };
}

example!(legal_moves, "../examples/legal_moves.rs");
example!(own_rule_set, "../examples/own_rule_set.rs");
example!(perft, "../examples/perft.rs");
example!(play_game, "../examples/play_game.rs");
example!(write_record, "../examples/write_record.rs");

/// What an example writes.
fn output(run: impl FnOnce(&mut Vec<u8>) -> Result<(), Box<dyn Error>>) -> String {
    let mut out = Vec::new();
    run(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn legal_moves_are_listed_with_what_they_do() {
    let start = output(|out| legal_moves::run(None, out));
    assert!(start.starts_with("white has 56 moves\n"), "{start}");
    let position = "9/9/9/9/9/2wb5/4w4/9/1K7 w";
    let capture = output(|out| legal_moves::run(Some(position), out));
    assert!(capture.contains("e7e6 takes d6\n"), "{capture}");
    assert!(legal_moves::run(Some("nothing"), &mut Vec::new()).is_err());
}

#[test]
fn a_game_at_random_comes_to_its_end() {
    let game = output(|out| play_game::run(1732, out));
    assert_eq!(game, output(|out| play_game::run(1732, out)));
    let last = game.lines().last().unwrap();
    assert!(last.ends_with(" moves"), "{last}");
    assert!(last.contains("wins") || last.contains("draw"), "{last}");
}

#[test]
fn a_record_is_written_read_and_replayed() {
    let record = output(write_record::run);
    assert!(record.contains("[White \"Linnaeus\"]"), "{record}");
    let end = "replayed: white wins: the king escaped\n";
    assert!(record.ends_with(end), "{record}");
}

#[test]
fn a_rule_set_of_ones_own_differs_where_it_says() {
    let text = "base = \"ashton\"\nid = \"mine\"\nname = \"Mine\"\n[king]\nelsewhere = \"siege\"\n";
    let compared = output(|out| own_rule_set::run(text, out));
    let difference = "king.elsewhere: \"siege\" instead of \"custodial\"";
    assert!(compared.contains(difference), "{compared}");
    assert!(compared.contains("king.elsewhere: play "), "{compared}");
    assert!(own_rule_set::run("base = 1", &mut Vec::new()).is_err());
}

#[test]
fn sequences_are_counted_by_their_first_move() {
    let counts = output(|out| perft::run(tablut_rules::BuiltIn::Berkeley, 2, out));
    assert!(
        counts.contains("berkeley, depth 2: 4400 sequences"),
        "{counts}"
    );
}
