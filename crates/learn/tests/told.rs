//! What learners are told: enough to find the answer, not the answer itself, and nothing that the board
//! contradicts.

use std::sync::Arc;

use tablut_learn::{
    Judgement, KingNeed, Lesson, Refusal, Step, StepTopic, Task, Theme, plans, text::praise,
};
use tablut_review::puzzle::built_in_puzzles;
use tablut_rules::{Bitboard, BuiltIn, Move, Piece, Rules, Setup, Side, Square, text::Lang};

/// Every first move of a step with what is said of it.
fn judged(rules: &Arc<Rules>, step: &Step) -> Vec<(Move, Judgement)> {
    let moves = step.game(rules).expect("a step has a game").legal_moves();
    let judge = |one| step.judge(rules, &[], one).expect("every move is judged");
    moves.iter().map(|&one| (one, judge(one))).collect()
}

#[test]
fn where_a_man_is_to_be_captured_nobody_wins_instead_or_it_is_told_so() {
    for &set in BuiltIn::ALL {
        let rules = set.rules();
        let steps = Lesson::of_rules(&rules).steps;
        for step in &steps {
            let Task::Capture { square } = step.task else {
                continue;
            };
            for (one, judgement) in judged(&rules, step) {
                let mut game = step.game(&rules).unwrap();
                let side = game.position().side();
                game.play(one).unwrap();
                let is_won = game.outcome().is_some_and(|end| end.winner == Some(side));
                let told = Judgement::Wrong(Refusal::WinsUncaptured { square });
                assert_eq!(judgement == told, is_won, "{set}: {one} in {step:?}");
                // Camps shelter the king from the edge there.
                assert!(!is_won || set != BuiltIn::Ashton, "{one} in {step:?}");
            }
        }
    }
}

#[test]
fn white_is_told_that_any_piece_captures_because_the_king_does_too() {
    let square: Square = "e4".parse().unwrap();
    let told = |by| Refusal::NotCaptured { square, by }.sentence(Lang::En);
    assert!(told(Side::Defenders).contains("your piece that moves"));
    assert!(told(Side::Attackers).contains("your man that moves"));
}

#[test]
fn a_free_king_is_told_what_it_takes_to_capture_him_where_he_stands() {
    let needs = |set: BuiltIn| {
        let rules = set.rules();
        let mut needs = Vec::new();
        for step in Lesson::of_rules(&rules).steps {
            for (_, judgement) in judged(&rules, &step) {
                if let Judgement::Wrong(Refusal::KingFree { need }) = judgement {
                    needs.push(need.expect("he can be captured there"));
                }
            }
        }
        needs.dedup();
        needs
    };
    let on_castle = KingNeed::AllSides { on_castle: true };
    let in_the_open = KingNeed::AllSides { on_castle: false };
    let between = |camps| KingNeed::Between { camps };
    let others = KingNeed::OtherSides;
    assert_eq!(needs(BuiltIn::Ashton), [on_castle, others, between(true)]);
    assert_eq!(needs(BuiltIn::Classic), [on_castle, others, between(false)]);
    assert_eq!(needs(BuiltIn::Modern), [on_castle, others, in_the_open]);
    let camp = KingNeed::CampSides { castle: false };
    let siege = [on_castle, others, in_the_open, camp];
    assert_eq!(needs(BuiltIn::AshtonSiege), siege);
}

#[test]
fn how_far_a_man_may_go_is_not_given_away() {
    for set in BuiltIn::ALL {
        let rules = set.rules();
        for step in Lesson::of_rules(&rules).steps {
            if !matches!(step.task, Task::GoFar { .. }) {
                continue;
            }
            for (one, judgement) in judged(&rules, &step) {
                let is_told = matches!(judgement, Judgement::Wrong(Refusal::Elsewhere { .. }));
                assert!(!is_told, "{set}: {one} in {step:?}");
            }
        }
    }
}

#[test]
fn a_man_leaves_its_camp_where_there_is_no_way_back() {
    let leaves = |set: BuiltIn| {
        let rules = set.rules();
        let camps = rules.camps();
        let steps = Lesson::of_rules(&rules).steps;
        steps.iter().any(|step| {
            matches!(step.task, Task::GoFar { from, to, .. } if camps.contains(from) && !camps.contains(to))
        })
    };
    assert!(leaves(BuiltIn::Ashton));
    // Camps are open to men there.
    assert!(!leaves(BuiltIn::Linnaeus));
}

#[test]
fn who_can_repeat_a_position_is_told_where_the_man_came_from_and_how_often_it_occurs_then() {
    for (set, times) in [
        (BuiltIn::Ashton, "second"),
        (BuiltIn::Berkeley, "second"),
        (BuiltIn::Linnaeus, "third"),
    ] {
        let rules = set.rules();
        let steps = Lesson::of_rules(&rules).steps;
        let mut repeats = steps.iter().filter(|step| !step.history.is_empty());
        let step = repeats.next().expect("a step about repetition");
        let game = step.game(&rules).unwrap();
        let (there, side) = (step.history[step.history.len() - 2], game.position().side());
        let mut after = game.clone();
        after.play(Move::new(there.to(), there.from())).unwrap();
        assert!(after.outcome().is_some(), "{set}");
        for &lang in Lang::ALL {
            let text = step.task_sentence(side, lang);
            let squares = [there.from().to_string(), there.to().to_string()];
            assert!(squares.iter().all(|square| text.contains(square)), "{text}");
        }
        assert!(step.task_sentence(side, Lang::En).contains(times), "{set}");
    }
}

#[test]
fn a_right_move_is_told_why_it_is_right() {
    let rules = BuiltIn::Ashton.rules();
    for step in Lesson::of_rules(&rules).steps {
        let mut game = step.game(&rules).unwrap();
        let solution = step.solution(&rules).unwrap();
        let (&last, line) = solution.split_last().unwrap();
        for &one in line {
            game.play(one).unwrap();
        }
        let before = *game.position();
        game.play(last).unwrap();
        for &lang in Lang::ALL {
            let text = praise(&rules, &before, last, game.outcome(), true, lang);
            assert!(
                text.contains(". ") || step.task == Task::Any,
                "{text} {step:?}"
            );
        }
    }
}

/// Where the king gets to with any number of moves while nobody else moves.
fn king_reach(rules: &Rules, setup: &Setup, from: Square, seen: &mut Bitboard) {
    if seen.contains(from) {
        return;
    }
    seen.insert(from);
    if rules.goals().contains(from) {
        return;
    }
    let mut there = *setup;
    there.put(from, Some(Piece::King));
    for to in rules.view(&there).targets(from) {
        king_reach(rules, setup, to, seen);
    }
}

#[test]
fn a_wall_that_closes_a_corner_is_a_diagonal_and_holds_without_white_men() {
    for &set in BuiltIn::LISTED {
        let rules = set.rules();
        let steps = plans(&rules, built_in_puzzles(set));
        let diagonal = StepTopic::Plan(Theme::Diagonal);
        let step = steps.iter().find(|step| step.topic == diagonal);
        let step = step.unwrap_or_else(|| panic!("{set} has no diagonal"));
        let Task::CloseCorner { corner } = step.task else {
            panic!("{step:?}");
        };
        let middle = rules.size().rows() / 2;
        let is_near = |goal: &Square| {
            let near = |place: u8, edge: u8| place.abs_diff(edge) < middle;
            near(goal.column(), corner.column()) && near(goal.row(), corner.row())
        };
        let goals: Bitboard = rules.goals().iter().filter(is_near).collect();
        for (one, judgement) in judged(&rules, step) {
            if !judgement.is_right() {
                continue;
            }
            let mut game = step.game(&rules).unwrap();
            game.play(one).unwrap();
            let king = game.position().king();
            let men = game.position().men(Side::Attackers);
            let mut bare = Setup::empty(rules.size(), Side::Defenders);
            for man in men {
                bare.put(man, Some(Piece::Attacker));
            }
            let mut seen = Bitboard::EMPTY;
            king_reach(&rules, &bare, king, &mut seen);
            assert!(seen.is_disjoint(goals), "{set}: {one} in {step:?}");
            let touches = |man: Square| {
                let to = one.to();
                man.column().abs_diff(to.column()) == 1 && man.row().abs_diff(to.row()) == 1
            };
            assert!(men.iter().any(touches), "{set}: {one} in {step:?}");
        }
    }
}
