//! The evaluation is the same for mirrored positions, and its parts add up.

use tablut_engine::{Term, evaluate};
use tablut_rules::{BuiltIn, Random, Setup, Side};

#[test]
fn mirrored_positions_are_worth_the_same() {
    for set in BuiltIn::LISTED {
        let rules = set.rules();
        let symmetries = set.set().symmetries();
        let mut random = Random::new(3);
        for _ in 0..6 {
            let mut position = rules.start();
            for _ in 0..40 {
                let moves = rules.moves(&position);
                if moves.is_empty() {
                    break;
                }
                let applied = rules.apply_unchecked(&position, moves[random.below(moves.len())]);
                if applied.end.is_some() {
                    break;
                }
                position = applied.position;
                let expected = evaluate(&rules, &position);
                for symmetry in &symmetries {
                    let turned = symmetry.setup(&Setup::from(&position));
                    let turned = rules.position(&turned).unwrap();
                    assert_eq!(evaluate(&rules, &turned), expected, "{position}");
                }
            }
        }
    }
}

#[test]
fn the_parts_add_up_and_are_named() {
    let rules = tablut_rules::Rules::ashton();
    let breakdown = evaluate(&rules, &rules.start());
    for side in Side::ALL {
        let sum: i32 = Term::ALL
            .iter()
            .map(|&term| breakdown.points(term, side))
            .sum();
        assert_eq!(sum, breakdown.sum(side));
    }
    let text = breakdown.to_string();
    for term in Term::ALL {
        assert!(text.contains(&term.to_string()), "{text}");
    }
}

#[test]
fn a_closed_corner_is_good_for_the_attackers() {
    let rules = tablut_rules::Rules::ashton();
    let worth = |text: &str| {
        let setup: Setup = text.parse().unwrap();
        let breakdown = evaluate(&rules, &rules.position(&setup).unwrap());
        breakdown.sum(Side::Attackers) - breakdown.sum(Side::Defenders)
    };
    let closed = worth("9/2b6/1b7/9/3K5/9/9/9/9 w");
    let open = worth("9/9/9/9/3K5/9/2b6/1b7/9 w");
    assert!(closed > open);
}
