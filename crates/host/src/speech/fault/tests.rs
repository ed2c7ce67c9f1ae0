#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use tablut_challenge::document::Document;
use tablut_rules::Side;
use tablut_store::{Location, Store, Visitor};

use super::*;
use crate::{
    Host, Limits, exchange,
    speech::{self, sentence},
};

/// Texts with faults: a line `--- ` and what is wrong, then the text.
const FAULTY: &str = include_str!("faulty.txt");

fn faulty() -> Vec<(&'static str, &'static str)> {
    let blocks = FAULTY.split("\n--- ").skip(1);
    let blocks = blocks.map(|block| block.split_once('\n').unwrap_or((block, "")));
    blocks.collect()
}

async fn host() -> Host {
    Host::new(
        Store::open(&Location::Memory).await.unwrap(),
        Limits::default(),
    )
}

/// The numbers in a text: lines, columns, moves, squares, examples.
fn numbers(text: &str) -> BTreeSet<&str> {
    let parts = text.split(|letter: char| !letter.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).collect()
}

/// Whether something English is left in a sentence: three words in a row that are letters only.
fn is_partly(text: &str, english: &str) -> bool {
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words: Vec<&str> = english.split(' ').collect();
    let mut runs = words.windows(3).filter(|run| run.iter().all(is_word));
    runs.any(|run| text.contains(&run.join(" ")))
}

/// Asks for a sentence of its own in every language, with all that is named in English.
fn judge(what: &str, say: impl Fn(Lang) -> String) {
    let english = say(Lang::En);
    assert!(
        english.len() > 10 && english.ends_with('.'),
        "{what}: {english}"
    );
    let mut said = vec![english.clone()];
    for &lang in Lang::ALL.iter().filter(|&&lang| lang != Lang::En) {
        let text = say(lang);
        assert!(!said.contains(&text), "{what}, {lang}: {text}");
        assert!(!is_partly(&text, &english), "{what}, {lang}: {text}");
        let missing: Vec<_> = numbers(&english)
            .difference(&numbers(&text))
            .copied()
            .collect();
        assert!(
            missing.is_empty(),
            "{what}, {lang}: {missing:?} not in {text}\n{english}"
        );
        said.push(text);
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_text_is_said_in_every_language() {
    let host = host().await;
    let rules = host.rules("ashton").unwrap();
    let mut formats = BTreeSet::new();
    for (what, text) in faulty() {
        let error = exchange::read(&host, rules, text).map(|_| ()).unwrap_err();
        judge(what, |lang| speech::exchange(lang, &error).text);
        assert_eq!(
            speech::exchange(Lang::En, &error).text,
            sentence(&error.to_string()),
            "{what}: the page and the command line differ"
        );
        formats.extend(TextFormat::of(text).map(|format| format.word().0));
    }
    // A position in one line is one format, however it is written.
    let all = TextFormat::ALL.into_iter().map(|format| format.word().0);
    let all = all.filter(|word| *word != "board");
    assert_eq!(formats, all.collect(), "a format is not tried");
}

#[tokio::test]
async fn what_is_wrong_with_an_import_is_said_in_every_language() {
    let host = host().await;
    let rules = host.rules("ashton").unwrap().clone();
    let ann = Visitor::new("ann");
    for (what, text) in faulty() {
        let report = host.import(&ann, &rules, text.into()).await;
        assert_eq!(report.imported, usize::from(what.contains("second game")));
        assert!(!report.faults.is_empty(), "{what}");
        for fault in &report.faults {
            judge(what, |lang| speech::import(lang, &fault.problem).text);
        }
    }
}

#[test]
fn every_disagreement_of_a_log_is_said_in_every_language() {
    let step: Move = "e4d4".parse().unwrap();
    let square = step.from();
    let rules = tablut_rules::Rules::ashton();
    let none = tablut_rules::Setup::empty(tablut_rules::BoardSize::Nine, Side::Defenders);
    let line = 40;
    for found in [
        Disagreement::Forbidden {
            line,
            step: "e4-null".into(),
            why: Forbidden::NoSquares,
        },
        Disagreement::Allowed { line, step },
        Disagreement::Removed {
            line,
            logged: Vec::new(),
            expected: vec![square],
        },
        Disagreement::Board {
            line,
            squares: vec![square],
        },
        Disagreement::Board {
            line,
            squares: Vec::new(),
        },
        Disagreement::Turn {
            line,
            logged: "WHITE",
            expected: "BLACKWIN",
        },
        Disagreement::Start {
            line,
            why: rules.position(&none).unwrap_err(),
        },
    ] {
        let text = found.to_string();
        let fault = GameFault::Log(found);
        judge(&text, |lang| sentence(&game(lang, &fault)));
        let english = format!("the game cannot be replayed: {text}");
        assert_eq!(game(Lang::En, &fault), english);
    }
}

#[test]
fn what_others_wrote_does_nothing_to_a_page_or_terminal() {
    let text = "\u{1b}[31mred";
    let error = Document::read(text, Side::Defenders).unwrap_err();
    for &lang in Lang::ALL {
        assert!(!read(lang, &error).contains('\u{1b}'), "{lang}");
    }
}

#[test]
fn a_record_of_other_rules_is_told_by_both_names() {
    let error = ReplayError::OtherRules {
        recorded: "classic".into(),
        given: "ashton".into(),
    };
    for &lang in Lang::ALL {
        let text = replay(lang, &error);
        assert!(
            text.contains("classic") && text.contains("ashton"),
            "{text}"
        );
    }
}
