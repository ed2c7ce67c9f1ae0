//! The puzzles that ship: all can be read and played, a sample is proved each time, and what is wrong is
//! noticed. `tablut puzzles check` proves all of them.

use std::collections::HashSet;

use tablut_review::puzzle::{
    Effort, Judgement, Motif, Puzzle, PuzzleFault, PuzzleGoal, Refuted, built_in_puzzles, judge,
    puzzle, read_puzzles, refute,
};
use tablut_rules::{BuiltIn, Move, Side, text::Lang};

/// How many puzzles of each set are proved here, besides those with long solutions.
const SAMPLE: usize = 6;

#[test]
fn every_puzzle_can_be_played_to_its_end_and_stands_only_once() {
    for &set in BuiltIn::LISTED {
        let rules = set.rules();
        let (mut shapes, mut last) = (HashSet::new(), 0);
        for one in built_in_puzzles(set) {
            let name = format!("{set} {}", one.number);
            assert!(one.number > last, "{name} is out of order");
            last = one.number;
            let mut game = one.game(&rules).unwrap();
            assert_eq!(game.position().side(), one.side());
            assert!(
                shapes.insert(one.shape(&rules, &game)),
                "{name} is there twice"
            );
            for &step in &one.solution {
                game.play(step).unwrap();
            }
            let winner = game.outcome().and_then(|outcome| outcome.winner);
            match one.goal {
                PuzzleGoal::Win => assert_eq!(winner, Some(one.side()), "{name}"),
                PuzzleGoal::Save => assert_eq!(winner, None, "{name}"),
            }
            let again: Puzzle = one.to_string().parse().unwrap();
            assert_eq!(&again, one);
            for &lang in Lang::ALL {
                assert!(one.task(lang).len() > 10);
            }
        }
    }
}

#[test]
fn there_are_as_many_as_was_promised_for_both_sides_and_of_every_length() {
    let count = |set, wanted: &dyn Fn(&Puzzle) -> bool| {
        let all = built_in_puzzles(set).iter();
        all.filter(|one| wanted(one)).count()
    };
    for &set in BuiltIn::LISTED {
        let least = match set {
            BuiltIn::Ashton => 1000,
            _ => 100,
        };
        assert!(count(set, &|_| true) >= least, "{set}");
        for side in [Side::Attackers, Side::Defenders] {
            assert!(
                count(set, &|one| one.side() == side) >= 10,
                "{set} {side:?}"
            );
        }
        assert_eq!(count(set, &|one| one.motifs.is_empty()), 0, "{set}");
    }
    let ashton = BuiltIn::Ashton;
    let wins = |one: &Puzzle| one.goal == PuzzleGoal::Win;
    assert!(count(ashton, &wins) >= 1000);
    for side in [Side::Attackers, Side::Defenders] {
        for plies in [3, 5, 7, 9] {
            let of = |one: &Puzzle| wins(one) && one.side() == side && one.plies() == plies;
            assert!(count(ashton, &of) > 0, "{side:?} {plies}");
        }
    }
    for motif in [
        Motif::TwoLanes,
        Motif::BlockedInTime,
        Motif::CampAnvil,
        Motif::Siege,
        Motif::DoubleCapture,
        Motif::QuietMove,
        Motif::Sacrifice,
        Motif::OnlyDefence,
    ] {
        assert!(
            count(ashton, &|one| one.motifs.contains(&motif)) > 0,
            "{motif:?}"
        );
    }
}

#[test]
fn who_begins_with_1500_begins_with_middling_puzzles() {
    for &set in BuiltIn::LISTED {
        let all = built_in_puzzles(set).iter();
        let mut ratings: Vec<f64> = all.map(Puzzle::first_rating).collect();
        ratings.sort_by(f64::total_cmp);
        let middle = ratings[ratings.len() / 2];
        assert!((1350.0..1550.0).contains(&middle), "{set}: {middle}");
        let (easier, harder) = (ratings[0], ratings[ratings.len() - 1]);
        assert!(
            easier < 1400.0 && harder > 1600.0,
            "{set}: {easier}, {harder}"
        );
    }
}

#[test]
fn a_sample_of_each_set_is_proved() {
    for &set in BuiltIn::LISTED {
        let all = built_in_puzzles(set);
        let every = (all.len() / SAMPLE).max(1);
        // The longest solutions are few, and the easiest to get wrong.
        let is_long = |one: &&Puzzle| one.plies() >= 7;
        let sample = all.iter().step_by(every).take(SAMPLE);
        for one in sample.chain(all.iter().filter(is_long)) {
            let proof = one.prove(&set.rules(), &Effort::default());
            assert_eq!(proof, Ok(()), "{set}: {one}");
        }
    }
}

#[test]
fn a_wrong_solution_does_not_pass() {
    let set = BuiltIn::Ashton;
    let rules = set.rules();
    let is_short = |one: &&Puzzle| one.goal == PuzzleGoal::Win && one.plies() == 3;
    let good = built_in_puzzles(set).iter().find(is_short).unwrap();
    let game = good.game(&rules).unwrap();
    let other = *game
        .legal_moves()
        .iter()
        .find(|&&step| step != good.solution[0])
        .unwrap();
    let mut wrong = good.clone();
    wrong.solution[0] = other;
    assert!(wrong.prove(&rules, &Effort::default()).is_err());
    let mut wrong = good.clone();
    wrong.motifs = match good.motifs.is_empty() {
        true => vec![Motif::Sacrifice],
        false => Vec::new(),
    };
    let proof = wrong.prove(&rules, &Effort::default());
    assert_eq!(proof, Err(PuzzleFault::Motifs));
    // With too little effort nothing is proved.
    let effort = Effort {
        nodes: 5,
        ..Effort::default()
    };
    assert!(good.prove(&rules, &effort).is_err());
}

#[test]
fn texts_that_are_no_puzzles_are_refused_with_their_line() {
    for (text, part) in [
        ("1; win", "seven fields"),
        ("x; win; 9/9/9/9/4K4/9/9/9/9 w; ; e5e1; ; 1", "not a number"),
        (
            "1; loss; 9/9/9/9/4K4/9/9/9/9 w; ; e5e1; ; 1",
            "neither `win`",
        ),
        ("1; win; nothing; ; e5e1; ; 1", "not a position"),
        ("1; win; 9/9/9/9/4K4/9/9/9/9 w; ; e5x1; ; 1", "not a move"),
        (
            "1; win; 9/9/9/9/4K4/9/9/9/9 w; ; e5e1; magic; 1",
            "no motif",
        ),
        ("1; win; 9/9/9/9/4K4/9/9/9/9 w; ; ; ; 1", "begins and ends"),
    ] {
        let text = format!("# A comment.\n\n{text}\n");
        let (line, error) = read_puzzles(&text).unwrap_err();
        assert_eq!(line, 3);
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn wrong_moves_are_refuted_on_the_board() {
    let set = BuiltIn::Ashton;
    let rules = set.rules();
    for one in built_in_puzzles(set)
        .iter()
        .filter(|one| one.plies() == 3)
        .take(4)
    {
        let game = one.game(&rules).unwrap();
        for &tried in &game.legal_moves() {
            match judge(one, &game, 0, tried).unwrap() {
                Judgement::Right { reply } => {
                    assert_eq!((tried, reply), (one.solution[0], Some(one.solution[1])));
                }
                Judgement::Wrong => match refute(one, &game, 0, tried).unwrap() {
                    Refuted::By(reply) => {
                        let mut after = game.clone();
                        after.play(tried).unwrap();
                        after.play(reply).unwrap();
                    }
                    Refuted::AtOnce => {}
                    Refuted::Slower => panic!("{}: {tried} is said to win", one.number),
                },
                Judgement::Illegal(reason) => panic!("{reason}"),
            }
        }
        let nonsense: Move = "a1a1".parse().unwrap_or(one.solution[1]);
        assert!(matches!(
            judge(one, &game, 0, nonsense),
            Ok(Judgement::Illegal(_))
        ));
        assert!(judge(one, &game, 1, one.solution[0]).is_err());
    }
    assert_eq!(puzzle(set, 0), None);
}
