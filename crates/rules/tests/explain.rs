//! Why moves are illegal: each reason with the square that causes it.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tablut_rules::{BuiltIn, RuleSet, Rules, Setup, SetupError, Side};

/// Rule set, position, move, and the sentence that refuses it.
const REFUSALS: &[(&str, &str, &str, &str)] = &[
    (
        "ashton",
        "9/9/9/9/4K4/9/9/9/4b4 w",
        "c3c4",
        "there is no piece on c3",
    ),
    (
        "ashton",
        "9/9/9/9/4K4/9/9/9/4b4 w",
        "e9d9",
        "a black man stands on e9, but it is white's turn",
    ),
    (
        "ashton",
        "9/9/9/9/4K4/9/9/9/4b4 w",
        "e5e5",
        "the piece would stay on e5",
    ),
    (
        "ashton",
        "9/9/9/3K5/9/9/9/9/4b4 w",
        "d4e5",
        "pieces move along a row or a column, and d4 and e5 share neither",
    ),
    (
        "ashton",
        "9/9/4w4/9/4K4/9/9/9/4b4 w",
        "e5e3",
        "a white man already stands on e3",
    ),
    (
        "ashton",
        "9/9/4w4/9/4K4/9/9/9/4b4 w",
        "e5e2",
        "a white man on e3 is in the way",
    ),
    (
        "ashton",
        "9/9/9/4K4/9/9/9/9/4b4 w",
        "e4e5",
        "this piece may not stop on the castle e5",
    ),
    (
        "ashton",
        "9/9/9/4K4/9/9/9/9/4b4 w",
        "e4e6",
        "the castle e5 is in the way",
    ),
    (
        "ashton",
        "9/9/9/3K5/9/9/9/9/4b4 w",
        "d4d1",
        "the camp square d1 is closed to pieces from outside",
    ),
    (
        "ashton",
        "9/2K6/9/9/9/9/9/9/4b4 w",
        "c2g2",
        "the camp square e2 is in the way: it is closed to pieces from outside",
    ),
    (
        "linnaeus",
        "9/9/9/3K5/9/9/9/9/4b4 w",
        "d4d1",
        "the camp square d1 is closed to the king",
    ),
    (
        "berkeley",
        "9/9/9/4w4/9/9/9/3K5/4b4 w",
        "e4e5",
        "this piece may not stop on the castle e5",
    ),
    (
        "referee-classic",
        "9/9/9/9/3w5/9/9/2K6/4b4 w",
        "d5f5",
        "the castle e5 is in the way",
    ),
    (
        "referee-brandub",
        "7/7/7/3K3/7/7/3b3 w",
        "d4h4",
        "this board has no square h4",
    ),
];

#[test]
fn every_reason_names_its_square() {
    for (id, position, step, sentence) in REFUSALS {
        let rules = id.parse::<BuiltIn>().unwrap().rules();
        let position = rules.position(&position.parse().unwrap());
        let position = position.or_else(SetupError::playable).unwrap();
        let refused = rules.explain(&position, step.parse().unwrap());
        assert_eq!(refused.unwrap_err().to_string(), *sentence, "{id}: {step}");
    }
}

#[test]
fn the_castle_is_named_even_if_a_square_of_the_own_camp_lies_behind_it() {
    let text = "base = \"ashton\"\nid = \"odd\"\nname = \"Odd\"\ncamps = [[\"d5\", \"f5\", \"e3\"]]\n\
                start = [\"...bbb...\", \"....b....\", \".........\", \"b...w...b\", \"bb.bKb.bb\", \
                \"b...w...b\", \"....w....\", \"....b....\", \"...bbb...\"]\n\
                [hostile]\ncamp_not_to_attackers = []\n";
    let rules = text.parse::<RuleSet>().unwrap().compile().unwrap();
    let setup = "9/9/9/9/3b5/9/9/1K7/9 b".parse().unwrap();
    let refused = rules.view(&setup).explain("d5f5".parse().unwrap());
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the castle e5 is in the way"
    );
}

#[test]
fn hostile_squares_are_enemies_camps_and_the_castle_as_the_set_says() {
    let rules = Rules::ashton();
    let hostile = |board: &str, side| {
        let setup: Setup = board.parse().unwrap();
        rules.view(&setup).hostile_to(side)
    };
    let square = |name: &str| name.parse().unwrap();
    let to_white = rules.camps().with(rules.castle());
    // The middle of each camp does not help to capture black men.
    let to_black = to_white & !rules.set().camp_not_to_attackers();
    let empty = "9/9/9/9/9/9/9/9/9 w";
    assert_eq!(hostile(empty, Side::Defenders), to_white);
    assert_eq!(hostile(empty, Side::Attackers), to_black);
    // The castle with the king on it is hostile to his own men; the king himself to black.
    let held = "9/9/2b6/9/4K4/9/9/9/9 w";
    assert_eq!(hostile(held, Side::Defenders), to_white.with(square("c3")));
    assert_eq!(hostile(held, Side::Attackers), to_black);
}
