//! Texts as people have them: every format is found out and read, and faults are told with their line.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]

use std::{io::Read, sync::Arc};

use flate2::read::GzDecoder;
use jiff::civil::date;
use tablut_challenge::{
    document::{Document, Played, RuleSets, Source, TextFormat},
    log,
    message::{State, Turn},
};
use tablut_rules::{
    BuiltIn, BySide, Game, Rules, Setup, Side,
    notation::{Diagram, berkeley::BerkeleyMove},
};

/// The logs that the Java server wrote on machines of several languages.
const LOGS: [&[u8]; 5] = [
    include_bytes!("challenge/english-white-win.txt.gz"),
    include_bytes!("challenge/illegal-moves.txt.gz"),
    include_bytes!("challenge/italian-black-win.txt.gz"),
    include_bytes!("challenge/old-jar-draw.txt.gz"),
    include_bytes!("challenge/timeout.txt.gz"),
];

fn logs() -> impl Iterator<Item = String> {
    LOGS.into_iter().map(|packed| {
        let mut text = String::new();
        GzDecoder::new(packed).read_to_string(&mut text).unwrap();
        text
    })
}

fn sets() -> RuleSets<'static> {
    RuleSets {
        asked: None,
        usual: None,
        find: &|id| id.parse::<BuiltIn>().ok().map(BuiltIn::rules),
    }
}

fn source(text: &str) -> Source {
    match Document::read(text, Side::Defenders) {
        Ok(Document::Games(mut games)) => games.remove(0),
        other => panic!("{other:?}"),
    }
}

fn played(text: &str) -> Played {
    source(text).play_whole(&sets()).unwrap()
}

#[test]
fn a_recorded_log_is_the_same_game_in_every_format() {
    for text in logs() {
        assert_eq!(TextFormat::of(&text), Some(TextFormat::Log));
        let first = played(&text);
        let steps = |played: &Played| -> Vec<_> {
            let plies = played.game.plies();
            plies.iter().map(|ply| ply.step).collect()
        };
        let moves = steps(&first);
        assert!(moves.len() > 2);
        let time = date(2026, 11, 16).at(9, 0, 0, 0);
        let word = |step: &tablut_rules::Move| format!("{step}\n");
        let words: String = moves.iter().map(word).collect();
        for (format, text) in [
            (TextFormat::Record, first.record.to_string()),
            (
                TextFormat::Log,
                log::whole(time, BySide::both("a"), &first.game),
            ),
            (TextFormat::Moves, words),
        ] {
            assert_eq!(TextFormat::of(&text), Some(format));
            if format == TextFormat::Moves && first.game.start() != &first.game.rules().start() {
                continue;
            }
            assert_eq!(steps(&played(&text)), moves, "{format}");
        }
        // The page plays them again by the laws of the set.
        let rules = Arc::clone(first.game.rules());
        let laws = rules.laws();
        let mut game = Game::from_position(rules, *first.game.start(), laws);
        assert!(moves.iter().all(|&step| game.play(step).is_ok()));
    }
}

#[test]
fn a_position_is_the_same_in_every_format() {
    let rules = Rules::ashton();
    let setup: Setup = "9/9/1b1K5/4w4/9/9/9/9/9 b".parse().unwrap();
    let state = State {
        setup,
        turn: Turn::Of(Side::Attackers),
    };
    let diagram = Diagram::from(setup).marked(&rules);
    for (format, text) in [
        (TextFormat::Line, setup.to_string()),
        (TextFormat::Line, diagram.board()),
        (TextFormat::Diagram, diagram.to_string()),
        (TextFormat::Json, state.payload(&rules)),
        (
            TextFormat::Json,
            state.payload(&rules).replace("],", "],\n  "),
        ),
        (TextFormat::Java, state.letters()),
        (TextFormat::Java, state.letters().replace('\n', "\r\n")),
    ] {
        for text in [text.clone(), format!("\u{feff}\n {text}\n\n")] {
            assert_eq!(TextFormat::of(&text), Some(format), "{text}");
            let read = Document::read(&text, Side::Attackers);
            assert!(
                matches!(read, Ok(Document::Position(found)) if found == setup),
                "{text}: {read:?}"
            );
        }
    }
}

#[test]
fn berkeley_moves_are_played_by_berkeleys_rules_unless_others_are_asked_for() {
    let moves = ["d1c1", "e4d4"].map(|step| BerkeleyMove(step.parse().unwrap()).to_string());
    let text = format!("# two moves\n{}  {}\n", moves[0], moves[1]);
    assert_eq!(TextFormat::of(&text), Some(TextFormat::Berkeley));
    let found = played(&text);
    assert_eq!(found.game.rules().set().id(), "berkeley");
    assert_eq!(found.game.plies().len(), 2);
    let sets = RuleSets {
        asked: Some(Rules::ashton()),
        ..sets()
    };
    // Under these rules white moves first.
    let error = source(&text).play_whole(&sets).unwrap_err().to_string();
    assert!(error.contains("line 2: move 1 (d1c1)"), "{error}");
}

#[test]
fn a_comment_of_a_record_makes_no_diagram_of_it() {
    let text = "[Rules \"ashton\"]\n\n{White to move and win} 1. e4-f4 *\n";
    assert_eq!(TextFormat::of(text), Some(TextFormat::Record));
    assert_eq!(played(text).game.plies().len(), 1);
}

#[test]
fn a_faulty_text_is_told_with_its_likely_format_and_line() {
    let log = logs().next().unwrap();
    let cut = log.replacen("OOOBBBOOO", "OOOBXBOOO", 1);
    let record = "[Rules \"ashton\"]\n\n1. e4-f4 d9-c9 2. e5-z9 *\n";
    let two = format!("[Rules \"ashton\"]\n\n1. e4-f4 *\n\n{record}");
    for (text, parts) in [
        (cut.as_str(), vec!["a game log", "line ", "OOOBXBOOO"]),
        (
            "x it.unibo.ai.didattica.competition.tablut.domain.A b\nFINE: Players:\ta\tvs\tb\n",
            vec!["a game log", "no state"],
        ),
        (record, vec!["a record", "line 3, column", "e5-z9"]),
        (&two, vec!["a record", "its game 2", "line 7"]),
        ("1. e4-f4 *", vec!["a record", "Rules is missing"]),
        (
            "e4f4\nd9c9\nhello\n",
            vec!["a list of moves", "line 3", "hello"],
        ),
        ("OOOBBBOOO\nOOOOBOOOO\n-\nW", vec!["Java server", "2 rows"]),
        (
            "OOOBBBOOO\nOOOOBOXOO\n",
            vec!["Java server", "line 2", "OOOOBOXOO"],
        ),
        ("OOOBBBOOO\nOOOOBOOOO\n", vec!["Java server", "too early"]),
        ("{\"board\":1}", vec!["referee's JSON", "line 1"]),
        (
            "{\"board\":[],\"turn\":\"WHITE\"}",
            vec!["referee's JSON", "neither 7×7"],
        ),
        ("9/9/9 w", vec!["one line", "9 rows"]),
        ("  a b c d e f g h i\n1 . . .\n", vec!["a diagram"]),
        (
            "hello",
            vec![
                "\"hello\"",
                "record",
                "log of the Java server",
                "list of moves",
                "JSON",
            ],
        ),
        (" \n", vec!["the text is empty"]),
    ] {
        let error = Document::read(text, Side::Defenders)
            .unwrap_err()
            .to_string();
        for part in parts {
            assert!(error.contains(part), "{text}\n{error} lacks {part}");
        }
    }
}

#[test]
fn a_log_that_the_rules_forbid_is_not_read_as_a_whole_game() {
    let log = logs().next().unwrap();
    let first = log.lines().find(|line| line.contains("Pawn from")).unwrap();
    let squares = first.rsplit(' ').next().unwrap();
    let changed = log.replacen(&format!("to {squares}"), "to i9", 1);
    let error = source(&changed).play_whole(&sets()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("cannot be replayed: line "), "{error}");
    let part = source(&changed).play(&sets()).unwrap();
    assert!(!part.is_whole && part.disagreements.len() > 1);
}
