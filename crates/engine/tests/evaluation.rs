//! The evaluation is the same for mirrored positions, its terms mean what they say, and add up.

use tablut_engine::{Score, Term, evaluate};
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

/// The king on d5 between his own men and the castle.
const SHUT_IN: &str = "9/9/9/3w5/2wK5/3w5/9/9/9 w";
/// The king on d5 alone.
const FREE: &str = "9/9/9/9/3K5/9/9/9/9 w";

/// For each term: a side, a position that is good for it, and one that is not.
const EXAMPLES: [(Term, Side, &str, &str); 11] = [
    (
        Term::Material,
        Side::Attackers,
        "9/9/9/9/3K5/9/2b6/9/9 w",
        FREE,
    ),
    // b3 and c2 cut a corner off and are its chain; c7 and b8 are not.
    (
        Term::Walls,
        Side::Attackers,
        "9/2b6/1b7/9/3K5/9/9/9/9 w",
        "9/9/9/9/3K5/9/2b6/1b7/9 w",
    ),
    (
        Term::Chains,
        Side::Attackers,
        "9/2b6/1b7/9/3K5/9/9/9/9 w",
        "9/9/9/9/3K5/9/2b6/1b7/9 w",
    ),
    (Term::Lanes, Side::Defenders, FREE, SHUT_IN),
    (Term::Blockers, Side::Defenders, FREE, SHUT_IN),
    (Term::Distance, Side::Defenders, FREE, SHUT_IN),
    (Term::Freedom, Side::Defenders, FREE, SHUT_IN),
    (
        Term::Safety,
        Side::Attackers,
        "9/9/9/9/9/3b5/3Kb4/9/9 w",
        "9/2b1b4/9/9/9/9/3K5/9/9 w",
    ),
    (
        Term::Mobility,
        Side::Attackers,
        "9/9/9/9/3K5/9/2b1b4/9/9 w",
        "9/9/9/9/3K5/9/2bb5/9/9 w",
    ),
    (
        Term::Camps,
        Side::Attackers,
        "9/9/9/9/3K5/9/2b6/9/9 w",
        "3b5/9/9/9/3K5/9/9/9/9 w",
    ),
    (Term::Tempo, Side::Defenders, FREE, "9/9/9/9/3K5/9/9/9/9 b"),
];

#[test]
fn every_term_gives_points_for_what_it_names() {
    let rules = tablut_rules::Rules::ashton();
    let points = |term: Term, side: Side, text: &str| {
        let position = rules.position(&text.parse().unwrap()).unwrap();
        evaluate(&rules, &position).points(term, side)
    };
    for (term, side, good, bad) in EXAMPLES {
        let [good, bad] = [good, bad].map(|text| points(term, side, text));
        assert!(good > bad, "{term}: {good} and {bad}");
    }
    for term in Term::ALL {
        assert!(EXAMPLES.iter().any(|example| example.0 == term), "{term}");
    }
}

#[test]
fn every_term_is_explained_in_the_documentation() {
    let document = include_str!("../../../docs/engine.md");
    let (_, known) = document
        .split_once("`tablut eval` prints the terms:")
        .unwrap();
    let (known, _) = known.split_once("\n\n").unwrap();
    let explained: Vec<&str> = known
        .split(';')
        .filter_map(|item| item.split_whitespace().next())
        .map(|word| word.trim_end_matches('.'))
        .collect();
    for term in Term::ALL {
        let name = term.to_string();
        assert!(explained.contains(&name.as_str()), "{name} is missing");
    }
}

#[test]
fn the_printed_points_add_up_to_the_printed_score() {
    let rules = tablut_rules::Rules::ashton();
    let setup: Setup = "3bbb3/w6b1/2w1Kw3/b4wb1b/b2w1b3/7wb/4w3b/2bb1w3/4b3b b"
        .parse()
        .unwrap();
    let breakdown = evaluate(&rules, &rules.position(&setup).unwrap());
    let text = breakdown.to_string();
    // Name, black's points, white's, and the difference.
    let row = |line: &str| -> Vec<i32> {
        let numbers = line.split_whitespace().skip(1);
        numbers
            .map(|n| n.replace('.', "").parse().unwrap())
            .collect()
    };
    let mut lines = text.lines();
    let mut sum = vec![0; 3];
    for term in Term::ALL {
        let line = lines.next().unwrap();
        assert!(line.starts_with(&term.to_string()), "{line}");
        let points = row(line);
        assert_eq!(points[2], points[1] - points[0], "{line}");
        sum.iter_mut()
            .zip(points)
            .for_each(|(sum, points)| *sum += points);
    }
    assert_eq!(row(lines.next().unwrap()), sum);
    // It is black's turn.
    assert_eq!(breakdown.score(), Score::Units(-sum[2]));
    assert!(
        lines
            .next()
            .unwrap()
            .ends_with(&breakdown.score().to_string())
    );
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
