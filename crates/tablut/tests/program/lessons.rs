//! Lessons at the command line, of a set of one's own too.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use tablut_learn::{Lesson, Step};
use tablut_rules::{Rules, text::Lang};

/// A set that no program has: the king goes to the corners, and repetition loses.
const MINE: &str = "base = \"ashton\"\nid = \"mine\"\nname = \"My own rules\"\n[end]\ngoals = \"corners\"\n\
    repetition = { occurrence = 3, result = \"mover-loses\" }\n";

fn lessons(folder: &Path, arguments: &[&str], typed: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(["lessons", "--rules", "mine.toml", "--store", "lessons.db"])
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "en_GB.UTF-8")
        .env("USER", "tester")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that has seen enough need not read everything.
    let _ = stdin.write_all(typed.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(output.status.success(), "{said}");
    said
}

/// What is typed to do a step: a move that cannot be played, then its solution.
fn typed(step: &Step, rules: &std::sync::Arc<Rules>) -> String {
    let solution = step.solution(rules).unwrap();
    let own: Vec<String> = solution
        .iter()
        .step_by(2)
        .map(ToString::to_string)
        .collect();
    format!("a1a1\n{}\n", own.join("\n"))
}

#[test]
fn a_set_of_ones_own_is_learnt_from_the_first_step_to_the_last() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), MINE).unwrap();
    let rules = MINE.parse::<tablut_rules::RuleSet>().unwrap();
    let rules = std::sync::Arc::new(rules.compile().unwrap());
    let steps = Lesson::of_rules(&rules).steps;
    let all = steps.len();
    assert!(all >= 10);
    // Two steps, then a rest: what was done is kept.
    let first: String = steps[..2].iter().map(|step| typed(step, &rules)).collect();
    let said = text(&lessons(folder.path(), &[], &format!("{first}q\n")));
    assert!(said.contains(&format!("Step 1 of {all}: ")), "{said}");
    assert!(said.contains(&format!("Step 3 of {all}: ")), "{said}");
    let rest: String = steps[2..].iter().map(|step| typed(step, &rules)).collect();
    let said = text(&lessons(folder.path(), &[], &rest));
    assert!(!said.contains("Step 2 of"), "{said}");
    assert!(said.contains(&format!("Step {all} of {all}: ")), "{said}");
    assert!(said.contains("That was the last step."), "{said}");
    assert_eq!(said.matches("Right.").count(), all - 2, "{said}");
}

#[test]
fn the_whole_lesson_is_printed_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), MINE).unwrap();
    let set: tablut_rules::RuleSet = MINE.parse().unwrap();
    for &lang in Lang::ALL {
        let said = text(&lessons(
            folder.path(),
            &["--print", "--lang", &lang.to_string()],
            "",
        ));
        for section in set.describe(lang) {
            for sentence in section.sentences {
                assert!(said.contains(&sentence), "{lang}: {sentence}");
            }
        }
    }
    assert!(
        !folder.path().join("lessons.db").exists(),
        "nothing is kept"
    );
}

#[test]
fn what_is_typed_wrongly_is_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), MINE).unwrap();
    let said = text(&lessons(
        folder.path(),
        &["--step", "2"],
        "b\nhello\nh\nn\nq\n",
    ));
    assert!(
        said.contains("Step 2 of") && said.contains("Step 1 of"),
        "{said}"
    );
    assert!(
        said.contains("Type a move such as") && said.contains("A right move: "),
        "{said}"
    );
    let output = lessons(folder.path(), &["--step", "99"], "");
    assert_eq!(output.status.code(), Some(2));
}
