//! Every task of every lesson can be done, and what does not do it is refused with words: under all sets
//! that ship and under random ones.

// The part of the oracle that makes random sets; the rest of it is not used here.
#[allow(dead_code, unused_imports, clippy::manual_is_multiple_of)]
#[path = "../../rules/tests/oracle/mod.rs"]
mod oracle;

use std::sync::Arc;

use tablut_learn::{Judgement, Lesson, Step, StepTopic, Task, Theme, plans};
use tablut_review::puzzle::built_in_puzzles;
use tablut_rules::{Bitboard, BuiltIn, Move, Piece, Rules, Side, Square, text::Lang};

use oracle::{Dice, random_set};

/// Checks a step: its solution is accepted to the end, every other first move is judged, and every refusal
/// has words in every language.
fn check(rules: &Arc<Rules>, step: &Step) {
    let name = rules.set().id();
    let solution = step.solution(rules);
    let solution = solution.unwrap_or_else(|| panic!("{name}: {step:?} cannot be done"));
    for (n, &right) in solution.iter().enumerate().step_by(2) {
        let judged = step
            .judge(rules, &solution[..n], right)
            .expect("its own moves are legal");
        match solution.get(n + 1) {
            Some(&reply) => assert_eq!(judged, Judgement::GoOn { reply }),
            None => assert_eq!(judged, Judgement::Done),
        }
    }
    let game = step.game(rules).expect("a step has a game");
    let (mut right, mut wrong, mut illegal) = (0, 0, 0);
    for from in Square::all() {
        for to in Square::all() {
            let tried = Move::new(from, to);
            let judged = step.judge(rules, &[], tried).expect("every move is judged");
            for &lang in Lang::ALL {
                match &judged {
                    Judgement::Wrong(refusal) => assert!(refusal.sentence(lang).len() > 8),
                    Judgement::Illegal(reason) => assert!(reason.sentence(lang).len() > 4),
                    Judgement::Done | Judgement::GoOn { .. } => {}
                }
            }
            match judged {
                Judgement::Wrong(_) => wrong += 1,
                Judgement::Illegal(_) => illegal += 1,
                _ => right += 1,
            }
        }
    }
    assert_eq!(right + wrong, game.legal_moves().len(), "{name}: {step:?}");
    assert!(right > 0 && illegal > 0, "{name}: {step:?}");
    if step.task != Task::Any {
        assert!(wrong > 0, "{name}: nothing is wrong in {step:?}");
    }
    for &lang in Lang::ALL {
        let side = game.position().side();
        assert!(step.task_sentence(side, lang).len() > 8);
        assert!(!step.topic.title(lang).is_empty());
    }
}

#[test]
fn every_task_of_the_sets_that_ship_can_be_done_and_wrong_moves_are_refused_with_words() {
    for set in BuiltIn::ALL {
        let rules = set.rules();
        let lesson = Lesson::of_rules(&rules);
        lesson.steps.iter().for_each(|step| check(&rules, step));
        if BuiltIn::LISTED.contains(set) {
            assert!(lesson.steps.len() >= 10, "{set} has {}", lesson.steps.len());
        }
    }
}

#[test]
fn a_lesson_says_every_rule_of_its_set() {
    for set in BuiltIn::LISTED {
        let lesson = Lesson::of_rules(&set.rules());
        let said: Vec<String> = lesson
            .steps
            .iter()
            .flat_map(|step| step.sentences(set.set(), Lang::En))
            .collect();
        for sentence in set
            .set()
            .describe(Lang::En)
            .into_iter()
            .flat_map(|one| one.sentences)
        {
            assert!(said.contains(&sentence), "{set}: {sentence}");
        }
    }
}

/// How many black men stand beside the king where he is to be captured, step by step.
fn besiegers(rules: &Arc<Rules>) -> Vec<u32> {
    let steps = Lesson::of_rules(rules).steps;
    let falls = steps.iter().filter(|step| step.task == Task::CaptureKing);
    falls
        .map(|step| {
            let kings = step.start.pieces(Piece::King);
            let king = kings.iter().next().expect("a king");
            (step.start.pieces(Piece::Attacker) & Bitboard::beside(king)).len()
        })
        .collect()
}

#[test]
fn the_king_falls_on_the_castle_beside_it_in_the_open_and_against_a_camp_that_helps() {
    assert_eq!(besiegers(&BuiltIn::Ashton.rules()), [3, 2, 1, 0]);
    // Here camps do not help.
    assert_eq!(besiegers(&BuiltIn::Linnaeus.rules()).len(), 3);
}

#[test]
fn ten_random_sets_have_lessons_whose_tasks_can_be_done() {
    let mut dice = Dice::new(15);
    let mut sets = 0;
    while sets < 10 {
        let Ok(rules) = random_set(&mut dice).compile() else {
            continue;
        };
        sets += 1;
        let rules = Arc::new(rules);
        let lesson = Lesson::of_rules(&rules);
        assert!(!lesson.steps.is_empty(), "{}", rules.set());
        lesson.steps.iter().for_each(|step| check(&rules, step));
    }
}

#[test]
fn a_lesson_is_always_the_same() {
    let rules = BuiltIn::Linnaeus.rules();
    assert_eq!(Lesson::of_rules(&rules), Lesson::of_rules(&rules));
}

#[test]
fn plans_can_be_done_and_are_what_the_engine_would_do() {
    let mut themes = Vec::new();
    for &set in BuiltIn::LISTED {
        let rules = set.rules();
        for step in plans(&rules, built_in_puzzles(set)) {
            check(&rules, &step);
            if set == BuiltIn::Ashton {
                themes.push(step.topic);
            }
        }
    }
    for theme in [
        Theme::Fork,
        Theme::Diagonal,
        Theme::Siege,
        Theme::CampAnvil,
        Theme::Repeat,
    ] {
        assert!(themes.contains(&StepTopic::Plan(theme)), "{theme:?}");
    }
}

#[test]
fn moves_that_a_step_did_not_lead_to_are_refused() {
    let rules = BuiltIn::Ashton.rules();
    let lesson = Lesson::of_rules(&rules);
    let is_win = |step: &&Step| step.topic == StepTopic::FirstWin(Side::Defenders);
    let step = lesson.steps.iter().find(is_win).unwrap();
    let solution = step.solution(&rules).unwrap();
    let other: Move = "a1a2".parse().unwrap();
    assert!(
        step.judge(&rules, &[solution[0], other], solution[2])
            .is_err()
    );
    assert!(step.judge(&rules, &[other], solution[0]).is_err());
}
