#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use tablut_rules::{
    Random,
    record::{Record, Score},
};

use super::*;

fn ashton() -> Arc<Rules> {
    Rules::ashton()
}

fn steps(text: &str) -> Vec<Move> {
    text.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

fn key_of(study: &Study, line: &str) -> NodeKey {
    let mut node = NodeKey::ROOT;
    for step in steps(line) {
        node = study.tree().child(node, step).unwrap();
    }
    node
}

/// Men that go there and back many times, four moves each time and four before.
fn shuttle(times: usize) -> String {
    let again = "e4d4 b1c1 d4e4 c1b1 ".repeat(times);
    format!("e4d4 d1c1 d4e4 c1b1 {again}")
}

/// Obeys or says what is wrong.
fn play(study: &mut Study, from: &str, line: &str) {
    let command = StudyCommand::Play {
        node: key_of(study, from),
        moves: steps(line),
    };
    study.obey(&ashton(), command).unwrap();
}

/// The moves of the main line.
fn main_line(study: &Study) -> Vec<Move> {
    study.tree().path(study.body().after(usize::MAX))
}

#[test]
fn moves_continue_lines_and_branch_off() {
    let mut study = Study::new(&ashton());
    play(&mut study, "", "e4d4 d1c1 d5d6");
    play(&mut study, "e4d4", "e2d2");
    assert_eq!(study.cursor(), key_of(&study, "e4d4 e2d2"));
    // What is there already is not added again, and is no change.
    let before = study.clone();
    play(&mut study, "", "e4d4 d1c1");
    assert_eq!(study.scene, before.scene);
    assert_eq!(study.journal, before.journal);
    assert_eq!(study.tree().len(), 4);
    assert_eq!(main_line(&study), steps("e4d4 d1c1 d5d6"));
    let views = study.view(&ashton());
    assert_eq!(views.len(), 5);
}

#[test]
fn illegal_moves_change_nothing_and_say_why() {
    let rules = ashton();
    let mut study = Study::new(&rules);
    play(&mut study, "", "e4d4");
    let before = study.clone();
    for line in ["e4d4 d1c1 a1a2", "e4d4 e3e4", "d1c1"] {
        let command = StudyCommand::Play {
            node: NodeKey::ROOT,
            moves: steps(line),
        };
        let error = study.obey(&rules, command).unwrap_err();
        assert!(matches!(error, StudyError::Illegal(..)), "{line}");
        assert_eq!(study, before, "{line}");
    }
    // The board ends a game; there is no move behind it.
    let setup = "9/9/9/3K5/9/9/8b/9/9 w".parse().unwrap();
    let command = StudyCommand::SetUp {
        rules: Arc::clone(&rules),
        setup,
    };
    study.obey(&rules, command).unwrap();
    play(&mut study, "", "d4d2");
    play(&mut study, "", "d4b4");
    let over = StudyCommand::Play {
        node: NodeKey::ROOT,
        moves: steps("d4d3 i7i8 d3a3 i8i7"),
    };
    assert!(matches!(study.obey(&rules, over), Err(StudyError::Over(_))));
    let missing = StudyCommand::Delete { node: NodeKey(999) };
    assert_eq!(study.obey(&rules, missing), Err(StudyError::NoNode));
    let root = StudyCommand::Delete {
        node: NodeKey::ROOT,
    };
    assert_eq!(study.obey(&rules, root), Err(StudyError::NoNode));
}

#[test]
fn a_line_goes_on_where_only_a_law_ended_the_game() {
    let rules = ashton();
    let mut study = Study::new(&rules);
    // A position occurs again, which the Challenge calls a draw.
    play(
        &mut study,
        "",
        "e4d4 d1c1 d4e4 c1b1 e4d4 b1c1 d4e4 c1b1 e4d4",
    );
    assert_eq!(study.tree().len(), 9);
    let texts = crate::exchange::write_study(&rules, &study, study.cursor()).unwrap();
    assert!(texts.iter().any(|(name, _)| name == "record"));
}

#[test]
fn a_new_root_loses_nothing() {
    let rules = ashton();
    let mut study = Study::new(&rules);
    play(&mut study, "", "e4d4 d1c1");
    let before = study.clone();
    let setup = "9/9/9/3K5/9/9/8b/9/9 w".parse().unwrap();
    let command = StudyCommand::SetUp {
        rules: Arc::clone(&rules),
        setup,
    };
    study.obey(&rules, command).unwrap();
    assert!(study.tree().is_empty());
    study.obey(&rules, StudyCommand::Undo).unwrap();
    assert!(study.tree().is_like(before.tree()));
    assert_eq!(study.cursor(), before.cursor());
    // A name is never given again: whoever still holds one means its node.
    study.obey(&rules, StudyCommand::Redo).unwrap();
    play(&mut study, "", "d4d3");
    assert!(before.tree().get(study.cursor()).is_none());
}

#[test]
fn promote_delete_and_undo_keep_order_and_cursor() {
    let rules = ashton();
    let mut study = Study::new(&rules);
    play(&mut study, "", "e4d4 d1c1 d5d6");
    play(&mut study, "", "e4f4 d1c1");
    play(&mut study, "", "e3f3");
    let deep = key_of(&study, "e4f4 d1c1");
    study
        .obey(&rules, StudyCommand::Promote { node: deep })
        .unwrap();
    assert_eq!(main_line(&study), steps("e4f4 d1c1"));
    study.obey(&rules, StudyCommand::Undo).unwrap();
    assert_eq!(main_line(&study), steps("e4d4 d1c1 d5d6"));
    study.go(key_of(&study, "e4d4 d1c1 d5d6")).unwrap();
    let node = key_of(&study, "e4d4");
    study.obey(&rules, StudyCommand::Delete { node }).unwrap();
    assert_eq!(study.cursor(), NodeKey::ROOT);
    assert_eq!(main_line(&study), steps("e4f4 d1c1"));
    study.obey(&rules, StudyCommand::Undo).unwrap();
    assert_eq!(main_line(&study), steps("e4d4 d1c1 d5d6"));
    assert_eq!(study.cursor(), key_of(&study, "e4d4 d1c1 d5d6"));
    // Stepping is no change.
    study.go(NodeKey::ROOT).unwrap();
    study.obey(&rules, StudyCommand::Redo).unwrap();
    assert_eq!(study.tree().len(), 3);
}

/// Any command, for a node or a move that may or may not be there.
fn any_command(random: &mut Random, study: &Study, rules: &Arc<Rules>) -> StudyCommand {
    let keys: Vec<NodeKey> = study.tree().walk().collect();
    let node = keys[random.below(keys.len())];
    let moves = match study.position(rules, node) {
        Ok((position, None)) => {
            let all = rules.moves(&position);
            let all: Vec<Move> = all.iter().copied().collect();
            vec![all[random.below(all.len().min(3))]]
        }
        _ => Vec::new(),
    };
    match random.below(12) {
        0..=3 => StudyCommand::Play { node, moves },
        4 => StudyCommand::Comment {
            node,
            text: format!("text {}", random.below(3)),
        },
        5 => StudyCommand::Mark {
            node,
            nags: vec![random.below(6) as u8],
        },
        6 => StudyCommand::Draw {
            node,
            drawings: vec![Drawing {
                from: "e5".parse().unwrap(),
                to: (random.below(2) == 0).then(|| "e9".parse().unwrap()),
            }],
        },
        7 => StudyCommand::Promote { node },
        8 => StudyCommand::Delete { node },
        9 => StudyCommand::ByRules(random.below(2) == 0),
        10 => StudyCommand::Annotate(vec![Annotation {
            node,
            comment: Some("better".into()),
            nags: Some(vec![4]),
            score: Some(Score::Win(5)),
            lines: vec![moves],
        }]),
        _ => StudyCommand::SetUp {
            rules: Arc::clone(rules),
            setup: Setup::from(&rules.start()),
        },
    }
}

/// What can be seen of a study.
fn sight(study: &Study) -> (String, String, bool, String, Vec<Move>) {
    let record = study.body().record(&ashton()).to_string();
    let drawings = format!(
        "{:?}",
        study
            .tree()
            .walk()
            .map(|key| study.tree().get(key).unwrap().remarks.drawings.clone())
            .collect::<Vec<_>>()
    );
    (
        record,
        drawings,
        study.by_rules(),
        study.body().setup.to_string(),
        study.tree().path(study.cursor()),
    )
}

/// The slow twin of undo: a study that is made from nothing, by all commands that are in force.
#[test]
fn undone_and_redone_it_is_as_if_played_from_nothing() {
    let rules = ashton();
    let mut random = Random::new(14);
    for _ in 0..30 {
        let mut study = Study::new(&rules);
        // What can be seen after each command that is in force, and those that were undone.
        let (mut seen, mut undone) = (vec![sight(&study)], Vec::new());
        for _ in 0..60 {
            match random.below(4) {
                0 if seen.len() > 1 => {
                    study.obey(&rules, StudyCommand::Undo).unwrap();
                    undone.push(seen.pop().unwrap());
                }
                1 if !undone.is_empty() => {
                    study.obey(&rules, StudyCommand::Redo).unwrap();
                    seen.push(undone.pop().unwrap());
                }
                _ => {
                    let command = any_command(&mut random, &study, &rules);
                    let before = study.clone();
                    if study.obey(&rules, command).is_err() || study.scene == before.scene {
                        study = before;
                        continue;
                    }
                    seen.push(sight(&study));
                    undone.clear();
                }
            }
            assert_eq!(Some(&sight(&study)), seen.last());
            // What is kept comes back with all that can be undone.
            let (body, journal) = study.text().unwrap();
            let read = Study::read(&body, &journal, study.cursor()).unwrap();
            assert_eq!(read, study);
        }
    }
}

#[test]
fn a_record_with_variations_comments_marks_and_drawings_survives() {
    let rules = ashton();
    let text = "[White \"ann\"]\n[Rules \"ashton\"]\n[Result \"1-0\"]\n[Reason \"resignation\"]\n\n\
        {A short one.} 1. e4-d4 $1 {[%clk 0:00:59.500] [%eval 0.25] [%cal Be4d4] sound} 1... d1-c1 \
        (1... e2-d2 {or this} 2. e3-f3 (2. e3-g3)) 2. d5-d6 $1 $18 1-0\n";
    let record: Record = text.parse().unwrap();
    let body = Body::of_record(&rules, &record).unwrap();
    assert_eq!(body.tree.len(), 6);
    let root = body.tree.root();
    assert_eq!(root.remarks.comment, "A short one.");
    let first = body.tree.get(body.after(1)).unwrap();
    assert_eq!(first.remarks.comment, "sound");
    assert_eq!(first.remarks.drawings.len(), 1);
    assert_eq!(body.record(&rules), record);
    // Who changes the line has not resigned any more.
    let mut study = Study::of_body(body);
    play(&mut study, "e4d4 d1c1 d5d6", "c1c2");
    let changed = study.body().record(&rules);
    assert_eq!(changed.outcome, None);
    assert_eq!(changed.header("White"), Some("ann"));
    assert!(changed.replay(&rules).is_ok());
}

#[test]
fn a_review_is_merged_into_the_tree_and_undone_at_once() {
    let rules = ashton();
    let mut study = Study::new(&rules);
    play(&mut study, "", "e4d4 d1c1");
    let comment = StudyCommand::Comment {
        node: key_of(&study, "e4d4"),
        text: "mine".into(),
    };
    study.obey(&rules, comment).unwrap();
    let before = sight(&study);
    let record = "1. e4-d4 {[%eval 0.50]} 1... d1-c1 $4 {[%eval #3] a blunder} (1... e2-d2) *";
    let record: Record = format!("[Rules \"ashton\"]\n\n{record}").parse().unwrap();
    let merge = StudyCommand::Merge(Box::new(record));
    study.obey(&rules, merge.clone()).unwrap();
    let blunder = study.tree().get(key_of(&study, "e4d4 d1c1")).unwrap();
    assert_eq!(blunder.remarks.nags, [4]);
    assert_eq!(study.tree().len(), 3);
    // Twice is the same as once.
    let once = sight(&study);
    study.obey(&rules, merge).unwrap();
    assert_eq!(sight(&study), once);
    study.obey(&rules, StudyCommand::Undo).unwrap();
    assert_eq!(sight(&study), before);
}

#[test]
fn there_is_an_end_to_what_a_study_takes() {
    let rules = ashton();
    let mut study = Study::new(&rules);
    let node = NodeKey::ROOT;
    let text = "x".repeat(LONGEST_COMMENT + 1);
    let long = StudyCommand::Comment { node, text };
    assert_eq!(study.obey(&rules, long), Err(StudyError::TooLong));
    let nags = vec![1; 9];
    let marks = StudyCommand::Mark { node, nags };
    assert_eq!(study.obey(&rules, marks), Err(StudyError::TooManyMarks));
    let there_and_back = shuttle(LONGEST_LINE / 4);
    let line = StudyCommand::Play {
        node,
        moves: steps(&there_and_back),
    };
    assert_eq!(study.obey(&rules, line), Err(StudyError::TooManyMoves));
    let setup = "7/7/7/3K3/7/7/7 w".parse();
    if let Ok(setup) = setup {
        let other = StudyCommand::SetUp {
            rules: Arc::clone(&rules),
            setup,
        };
        assert_eq!(study.obey(&rules, other), Err(StudyError::OtherBoard));
    }
    // Many long comments are too much together.
    play(&mut study, "", &shuttle(25));
    let keys: Vec<NodeKey> = study.tree().walk().collect();
    for node in keys {
        let text = "y".repeat(LONGEST_COMMENT);
        let comment = StudyCommand::Comment { node, text };
        study.obey(&rules, comment).unwrap();
    }
    assert_eq!(study.text(), Err(StudyError::TooLarge));
}

#[test]
fn what_is_no_study_is_not_read_and_a_bad_journal_is_an_empty_one() {
    assert!(matches!(
        Study::read("{}", "", NodeKey::ROOT),
        Err(StudyError::Unreadable(_))
    ));
    let mut study = Study::new(&ashton());
    play(&mut study, "", "e4d4");
    let (body, journal) = study.text().unwrap();
    let read = Study::read(&body, "nonsense", NodeKey(77)).unwrap();
    assert_eq!(read.can_undo_redo(), (false, false));
    assert_eq!(read.cursor(), NodeKey::ROOT);
    // A journal of another study: what does not fit is given up, and nothing breaks.
    let other = Study::new(&ashton()).text().unwrap().0;
    let mut mixed = Study::read(&other, &journal, NodeKey::ROOT).unwrap();
    let before = sight(&mixed);
    mixed.obey(&ashton(), StudyCommand::Undo).unwrap();
    assert_eq!(sight(&mixed), before);
    assert_eq!(mixed.can_undo_redo(), (false, false));
}
