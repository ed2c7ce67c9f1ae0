//! The opening file that ships: sound, distinct, long enough.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tablut_arena::opening;
use tablut_rules::Rules;

#[test]
fn the_file_has_two_hundred_different_starts_of_four_to_eight_plies() {
    let rules = Rules::ashton();
    let text = include_str!("../../../openings/ashton.txt");
    let openings = opening::read(text, &rules).unwrap();
    assert!(openings.len() >= 200);
    assert!(
        openings
            .iter()
            .all(|opening| (4..=8).contains(&opening.moves.len()))
    );
    let count = openings.len();
    assert_eq!(opening::distinct(openings, &rules).unwrap().len(), count);
}
