//! The page's types of all messages, and the samples: both follow from the types here, and tests say what
//! was forgotten.
//!
//! `protocol/message.d.ts` is written anew with
//! `TABLUT_WRITE_TYPES=1 cargo test --release -p tablut-web --lib declaration`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    any::TypeId,
    collections::{BTreeMap, BTreeSet, HashSet},
    env, fs,
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tablut_rules::BySide;
use ts_rs::{Config, TS, TypeVisitor};

use super::{Answer, Ask, Request, ServerEvent, ServerMessage};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol/message.d.ts");

const HEADER: &str = "\
/* The messages between page and server. Generated from crates/web/src/message by the test
   `the_pages_types_are_those_of_the_messages`, which says how to write this file anew. */
";

/// A side.
#[derive(TS)]
#[ts(rename_all = "lowercase")]
#[allow(dead_code, reason = "declares what `Side` is to the page")]
pub(super) enum SideName {
    White,
    Black,
}

/// Something for each side.
#[derive(TS)]
#[ts(rename = "BySide")]
#[allow(dead_code, reason = "declares what `BySide` is to the page")]
pub(super) struct SidePair<T> {
    white: T,
    black: T,
}

/// The name of the answer that a request gets if it is done. A new request does not compile without a
/// line here; whether the line is true, `every_request_gets_the_answer_that_the_page_expects` checks.
pub(crate) const fn answer_of(ask: &Ask) -> &'static str {
    match ask {
        Ask::Ping
        | Ask::Name { .. }
        | Ask::Setting { .. }
        | Ask::ServerSetting { .. }
        | Ask::Explain { .. }
        | Ask::SavePosition { .. }
        | Ask::DeletePosition { .. }
        | Ask::StepStudy { .. }
        | Ask::DeleteStudy { .. }
        | Ask::Join { .. }
        | Ask::Leave
        | Ask::Move { .. }
        | Ask::Wish { .. }
        | Ask::CancelGame
        | Ask::RunTournament { .. }
        | Ask::TagGame { .. }
        | Ask::Organise { .. }
        | Ask::Drain { .. }
        | Ask::Inquire { .. }
        | Ask::Dismiss { .. } => "done",
        Ask::Hello { .. } => "welcome",
        Ask::Rules { .. } => "rules",
        Ask::Survey { .. } => "survey",
        Ask::OpenStudy { .. }
        | Ask::EditStudy { .. }
        | Ask::CopyStudy { .. }
        | Ask::StudyGame { .. }
        | Ask::NameStudy { .. }
        | Ask::Read { .. } => "study",
        Ask::Studies => "studies",
        Ask::Write { .. } => "texts",
        Ask::Slots => "slots",
        Ask::SaveSlot { .. } => "before",
        Ask::Library { .. } => "library",
        Ask::NewGame(_) | Ask::Rematch => "game",
        Ask::Games => "games",
        Ask::Record | Ask::ExportGames(_) => "text",
        Ask::Search(_) | Ask::ExploreGames { .. } => "found",
        Ask::Players { .. } | Ask::Tags => "names",
        Ask::Import { .. } => "imported",
        Ask::Explore { .. } => "explored",
        Ask::Watch => "watch",
        Ask::Demonstrate { .. } => "demonstrations",
        Ask::CompareRules { .. } => "comparison",
        Ask::Tournaments => "tournaments",
        Ask::Tournament { .. } => "tournament",
        Ask::CorrectTournament { .. } => "corrected",
        Ask::Admin { .. } => "admin",
        Ask::Ratings => "ratings",
        Ask::Weigh { .. } => "weights",
        Ask::Lessons { .. } => "lessons",
        Ask::LessonStep { .. } => "lessonStep",
        Ask::TryLesson { .. } => "trial",
        Ask::Puzzles { .. } => "puzzles",
        Ask::Puzzle { .. } => "puzzle",
        Ask::TryPuzzle { .. } => "puzzleTrial",
        Ask::PuzzleHelp { .. } => "puzzleHelp",
        Ask::Hint { .. } => "hint",
    }
}

/// The name of a request as it is sent.
pub(crate) fn ask_name(ask: &Ask) -> String {
    tag(&serde_json::to_value(ask).unwrap()["do"])
}

/// The name of an answer as it is sent.
pub(crate) fn answer_name(answer: &Answer) -> String {
    tag(&serde_json::to_value(answer).unwrap())
}

/// The names of all requests.
pub(crate) fn ask_names() -> BTreeSet<String> {
    variants::<Ask>("do")
}

/// The word that says which variant of an enum a value is.
fn tag(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Object(fields) => fields.keys().next().unwrap().clone(),
        _ => panic!("no variant: {value}"),
    }
}

/// The declarations of types and of all they are made of, by name.
#[derive(Default)]
struct Declarations {
    seen: HashSet<TypeId>,
    texts: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Numbers, texts and lists have no declaration of their own.
        if T::output_path().is_none() || !self.seen.insert(TypeId::of::<T::WithoutGenerics>()) {
            return;
        }
        let config = config();
        let text = format!(
            "{}export {}\n",
            T::docs().unwrap_or_default(),
            T::decl(&config)
        );
        self.texts.insert(T::ident(&config), text);
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn config() -> Config {
    // No number here is larger than JavaScript's own can be.
    Config::new().with_large_int("number")
}

/// The variants of an enum that are told apart by a field.
fn variants<T: TS>(field: &str) -> BTreeSet<String> {
    let text = T::inline(&config());
    let before = format!("\"{field}\": \"");
    let words = text.split(&before).skip(1);
    words
        .map(|rest| rest.split('"').next().unwrap().to_string())
        .collect()
}

fn samples<T: DeserializeOwned + Serialize>(text: &str) -> Vec<T> {
    let samples: Vec<Value> = serde_json::from_str(text).unwrap();
    let read = |sample: Value| {
        let message: T = serde_json::from_value(sample.clone()).unwrap();
        assert_eq!(serde_json::to_value(&message).unwrap(), sample);
        message
    };
    samples.into_iter().map(read).collect()
}

fn requests() -> Vec<Request> {
    samples(include_str!("../../protocol/requests.json"))
}

fn messages() -> Vec<ServerMessage> {
    samples(include_str!("../../protocol/messages.json"))
}

#[test]
fn the_pages_types_are_those_of_the_messages() {
    let mut declarations = Declarations::default();
    declarations.visit::<Request>();
    declarations.visit::<Ask>();
    declarations.visit::<ServerMessage>();
    let mut text = HEADER.to_string();
    for declaration in declarations.texts.values() {
        text.push('\n');
        for line in declaration.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text.push_str("\n/** The name of the answer to each request. */\nexport type AnswerOf = {\n");
    let names = requests().into_iter().map(|request| request.ask);
    let names: BTreeMap<_, _> = names.map(|ask| (ask_name(&ask), answer_of(&ask))).collect();
    for (ask, answer) in names {
        text.push_str(&format!("  {ask}: \"{answer}\",\n"));
    }
    text.push_str("};\n");
    if env::var_os("TABLUT_WRITE_TYPES").is_some() {
        fs::write(FILE, &text).unwrap();
    }
    let kept = fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        kept == text,
        "the page's types are not those of the messages; write them anew: \
         TABLUT_WRITE_TYPES=1 cargo test --release -p tablut-web --lib declaration"
    );
}

#[test]
fn sides_are_what_the_rules_call_them() {
    let sides = BySide::from_fn(|side| side);
    let text = serde_json::to_value(sides).unwrap();
    assert_eq!(
        text,
        serde_json::json!({ "white": "white", "black": "black" })
    );
}

#[test]
fn every_request_has_a_sample() {
    let seen: BTreeSet<_> = requests().iter().map(|one| ask_name(&one.ask)).collect();
    assert_eq!(seen, ask_names());
}

#[test]
fn every_answer_and_every_event_has_a_sample() {
    let (mut answers, mut events) = (BTreeSet::new(), BTreeSet::new());
    for message in messages() {
        match serde_json::to_value(&message).unwrap() {
            Value::Object(fields) if fields.contains_key("event") => {
                events.insert(tag(&fields["event"]));
            }
            Value::Object(fields) => answers.extend(fields.get("ok").map(tag)),
            other => panic!("no message: {other}"),
        }
    }
    let wanted = requests();
    let wanted: BTreeSet<_> = wanted
        .iter()
        .map(|one| answer_of(&one.ask).into())
        .collect();
    assert_eq!(answers, wanted);
    assert_eq!(events, variants::<ServerEvent>("event"));
}
