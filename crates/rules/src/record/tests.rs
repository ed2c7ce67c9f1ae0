//! Single texts: what they mean, how they are written, and what is wrong with them.

use alloc::{format, string::String, string::ToString, vec::Vec};

use super::*;
use crate::Reason;

/// A record of moves and notes.
fn read(moves: &str) -> Record {
    format!("[Rules \"ashton\"]\n{moves}")
        .parse()
        .unwrap_or_else(|error| panic!("{moves}: {error}"))
}

/// The moves of a record as they are written, without headers and the result.
fn written(record: &Record) -> String {
    let text = record.to_string();
    let (_, moves) = text.split_once("\n\n").unwrap();
    moves
        .trim_end()
        .strip_suffix('*')
        .unwrap()
        .trim_end()
        .into()
}

#[test]
fn moves_are_read_in_every_form_and_written_in_one() {
    for (text, expected) in [
        ("", ""),
        ("*", ""),
        ("1. e4-d4", "1. e4-d4"),
        ("1.e4-d4 1...d1c1 2.E3E2", "1. e4-d4 d1-c1 2. e3-e2"),
        ("e4d4\r\n\td1c1\n\ne3e2*", "1. e4-d4 d1-c1 2. e3-e2"),
        ("1 e4d4 ... d1c1 7. e3e2", "1. e4-d4 d1-c1 2. e3-e2"),
        ("e4d4! d1c1 ?! $7", "1. e4-d4 $1 d1-c1 $6 $7"),
        ("$3 e4d4", "$3 1. e4-d4"),
        // Variations and comments make the number of the second side's move necessary.
        ("e4d4 (e4c4) d1c1", "1. e4-d4 (1. e4-c4) 1... d1-c1"),
        ("e4d4 {x} d1c1", "1. e4-d4 {x} 1... d1-c1"),
        (
            "e4d4 d1c1 (e1c1 e3e2)",
            "1. e4-d4 d1-c1 (1... e1-c1 2. e3-e2)",
        ),
        // A variation of a variation replaces the same move.
        (
            "e4d4(e4c4(e4b4))d1c1",
            "1. e4-d4 (1. e4-c4) (1. e4-b4) 1... d1-c1",
        ),
        // What a variation repeats is no second move, and does not become the main line.
        ("e4d4 (e4d4 d1c1) d1b1", "1. e4-d4 d1-b1 (1... d1-c1)"),
        (
            "e4d4 (e4d4 d1c1 e3e2) d1b1 (d1c1 e3f3)",
            "1. e4-d4 d1-b1 (1... d1-c1 2. e3-e2 (2. e3-f3))",
        ),
    ] {
        let record = read(text);
        assert_eq!(written(&record), expected, "{text}");
        assert_eq!(record.to_string().parse(), Ok(record), "{text}");
    }
}

#[test]
fn comments_belong_to_the_move_before_them() {
    for (text, expected) in [
        ("{a} e4d4", "{a} 1. e4-d4"),
        ("{a} {b} e4d4 {c}", "{a\\nb} 1. e4-d4 {c}"),
        (
            "; a { ( \\x \n ; b\r\n e4d4 ;c",
            "{a \\{ ( \\\\x\\nb} 1. e4-d4 {c}",
        ),
        ("e4d4 (e4c4 {x}) {y}", "1. e4-d4 {y} (1. e4-c4 {x})"),
        ("e4d4 ({x} $1 e4c4 {y})", "1. e4-d4 (1. e4-c4 $1 {x\\ny})"),
        ("e4d4 {}", "1. e4-d4"),
        ("e4d4 {  a \n\t b  }", "1. e4-d4 {a b}"),
        (
            r"{\s\sa\s \\ \{\} \n\t\u{1b}\u{e9}}",
            "{\\s a \\s\\\\ \\{\\} \\n\\t\\u{1b}é}",
        ),
        (r"{a\s}", "{a\\s}"),
        (
            r"{\[%clk 1] [%foo 1] [%clks]}",
            "{\\[%clk 1] [%foo 1] \\[%clks]}",
        ),
        (
            "{a[%emt\n0:00:01]b[%eval +0.5]}",
            "{[%emt 0:00:01] [%eval 0.50] a b}",
        ),
        (
            "e4d4 {[%clk 0:00:02]} {[%clk 0:00:01.5]}",
            "1. e4-d4 {[%clk 0:00:01.500]}",
        ),
    ] {
        let record = read(text);
        assert_eq!(written(&record), expected, "{text}");
        assert_eq!(record.to_string().parse(), Ok(record), "{text}");
    }
}

#[test]
fn notes_are_values() {
    let record = read("e4d4 $1 {[%clk 0:00:59.5][%emt 0:01:00] text [%eval #-3] goes on}");
    let tree = record.tree();
    let node = tree.first_child(tree.root()).unwrap();
    let expected = Notes {
        clock_ms: Some(59_500),
        spent_ms: Some(60_000),
        score: Some(Score::Loss(3)),
        nags: [1].into(),
        comment: "text goes on".into(),
    };
    assert_eq!(tree.notes(node), &expected);
}

#[test]
fn headers_are_fields_or_kept_in_order() {
    let text = "\u{feff}{first} [ B \"x\\\"\\\\\\n\\u{0}\" ][Rules\"modern\"]\n; second\n[A \"é\"]
        [Setup \"3/3\"]"
        .replace("3/3", "4K4/9/9/9/9/9/9/9/9 b 7")
        + "[Result \"1/2-1/2\"] [Reason \"agreement\"] a1a2 1/2-1/2 ; nobody's";
    let record: Record = text.parse().unwrap();
    assert_eq!(record.rules, "modern");
    assert_eq!(record.setup.unwrap().quiet(), 7);
    assert_eq!(record.outcome, Some(Outcome::draw(Reason::Agreement)));
    let headers: Vec<_> = record.headers().collect();
    assert_eq!(headers, [("B", "x\"\\\n\0"), ("A", "é")]);
    assert_eq!(record.header("A"), Some("é"));
    assert_eq!(record.header("Rules"), None);
    let tree = record.tree();
    assert_eq!(tree.notes(tree.root()).comment, "first\nsecond");
    assert_eq!(record.to_string().parse(), Ok(record));
}

#[test]
fn headers_are_set_at_their_place_or_refused() {
    let mut record = Record::new("ashton");
    assert_eq!(record.set_header("White", "a"), Ok(()));
    assert_eq!(record.set_header("Black", "b"), Ok(()));
    assert_eq!(record.set_header("White", "c"), Ok(()));
    let headers: Vec<_> = record.headers().collect();
    assert_eq!(headers, [("White", "c"), ("Black", "b")]);
    assert_eq!(record.remove_header("White"), Some("c".into()));
    assert_eq!(record.remove_header("White"), None);
    for key in ["", "a b", "é", "\""] {
        let error = HeaderError::Key(key.into());
        assert_eq!(record.set_header(key, ""), Err(error));
    }
    for key in TYPED {
        let error = HeaderError::Field(key.into());
        assert_eq!(record.set_header(key, ""), Err(error));
    }
}

#[test]
fn faults_are_named_with_their_place() {
    let rules = "[Rules \"ashton\"]\n";
    for (text, place, sentence) in [
        ("", (1, 1), "there is no record"),
        ("; only\n{comments}", (2, 11), "there is no record"),
        (
            "{x}\ne4d4",
            (2, 1),
            "the header Rules is missing, as in [Rules \"ashton\"]",
        ),
        (
            "[Rules ashton]",
            (1, 1),
            "a header has the form [Key \"value\"]",
        ),
        (
            "[Rules \"ashton\"",
            (1, 1),
            "a header has the form [Key \"value\"]",
        ),
        (
            "[\"ashton\"]",
            (1, 1),
            "a header has the form [Key \"value\"]",
        ),
        (
            "[Rules \"ash\nton\"]",
            (1, 8),
            "the value has no closing quotation mark",
        ),
        (
            "[Rules \"\\x\"]",
            (1, 9),
            "'x' behind a backslash means nothing; a backslash itself is \\\\",
        ),
        (
            "R * [A \"\"] *",
            (2, 5),
            "the record has ended, but something follows",
        ),
        (
            "R * {x} {y",
            (2, 9),
            "the record has ended, but something follows",
        ),
        ("R [A \"\"] [A \"\"]", (2, 11), "there are two headers A"),
        (
            "R [Setup \"8\"]",
            (2, 10),
            "the set-up is no position: a board has 9 rows (or 7) separated by '/', this has 1",
        ),
        (
            "R [Result \"2-0\"]",
            (2, 11),
            "a result is 1-0, 0-1, 1/2-1/2 or *, not \"2-0\"",
        ),
        (
            "R [Reason \"luck\"]",
            (2, 11),
            "\"luck\" is not a reason for the end of a game; known are: king escaped, king captured, two open lanes, no legal move, repetition, captureless limit, move limit, time-out, illegal move, resignation, agreement, connection lost, decision",
        ),
        (
            "R [Result \"*\"] 1-0",
            (2, 16),
            "the result behind the moves is 1-0, but * in the header",
        ),
        (
            "R e4d4 1-0",
            (2, 8),
            "the result 1-0 needs a header Reason, as in [Reason \"king escaped\"]",
        ),
        (
            "R [Result \"0-1\"]",
            (2, 11),
            "the result 0-1 needs a header Reason, as in [Reason \"king escaped\"]",
        ),
        (
            "R [Reason \"agreement\"] *",
            (2, 11),
            "there is a reason for the end of the game, but no result",
        ),
        (
            "R e4d4 (e4c4 *)",
            (2, 14),
            "a result cannot stand in a variation",
        ),
        (
            "R é {\\",
            (2, 3),
            "\"é\" is no move: a move is two squares, as in e3e7 or e3-e7",
        ),
        ("R {\\", (2, 4), "nothing follows the backslash"),
        (
            "R {é\\u{110000}}",
            (2, 5),
            "'u' behind a backslash means nothing; a backslash itself is \\\\",
        ),
        ("R {\n{\\{", (2, 3), "the comment is never closed"),
        (
            "R e4d4 (e4c4 (e4b4)",
            (2, 8),
            "the variation is never closed",
        ),
        (
            "R e4d4 (e4c4 [A \"\"]",
            (2, 8),
            "the variation is never closed",
        ),
        ("R )", (2, 3), ") closes nothing"),
        ("R }", (2, 3), "} closes nothing"),
        ("R ]", (2, 3), "] closes nothing"),
        (
            "R {x} (e4d4)",
            (2, 7),
            "a variation stands behind the move it replaces, and there is none yet",
        ),
        (
            "R e4d4 ((e4c4))",
            (2, 9),
            "a variation stands behind the move it replaces, and there is none yet",
        ),
        ("R e4d4 ( )", (2, 8), "the variation has no move"),
        (
            "R {[%clk 1:00]}",
            (2, 4),
            "a time is hours, minutes and seconds as in 0:00:59.500, not \"1:00\"",
        ),
        (
            "R {[%emt]}",
            (2, 4),
            "a time is hours, minutes and seconds as in 0:00:59.500, not \"\"",
        ),
        (
            "R {[%eval x]}",
            (2, 4),
            "\"x\" is no score: a score is a number with up to two decimals, or # and the plies to a win, as in 1.25, #5 or #-3",
        ),
        (
            "R $256",
            (2, 3),
            "\"$256\" is no glyph: one of ! ? !! ?? !? ?!, or $ and a number up to 255",
        ),
        (
            "R e4d4!!!",
            (2, 3),
            "\"!!!\" is no glyph: one of ! ? !! ?? !? ?!, or $ and a number up to 255",
        ),
        (
            "R 1. e4d0",
            (2, 6),
            "\"e4d0\" is no move: the second square is wrong: a square is a letter a to i and a digit 1 to 9, as in e5",
        ),
        (
            "R 1e4d4",
            (2, 3),
            "\"1e4d4\" is no move: a move is two squares, as in e3e7 or e3-e7",
        ),
    ] {
        // R stands for a first line with the rules, so that columns count the letter and a blank.
        let text = match text.strip_prefix('R') {
            Some(rest) => format!("{rules} {rest}"),
            None => text.to_string(),
        };
        let error = text.parse::<Record>().unwrap_err();
        let found = (error.line, error.column, error.fault.to_string());
        assert_eq!(found, (place.0, place.1, sentence.into()), "{text}");
    }
}

#[test]
fn an_error_is_a_sentence_with_its_place() {
    let error = "[Rules \"\"]\n 1. e4\n".parse::<Record>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 5: \"e4\" is no move: a move is two squares, as in e3e7 or e3-e7"
    );
    let long = format!("[Rules \"\"] {}", "x".repeat(1000));
    let error = long.parse::<Record>().unwrap_err();
    assert!(error.to_string().len() < 200, "{error}");
}

#[test]
fn reading_goes_on_with_the_next_record_after_a_fault() {
    let rules = |text: &str| -> Vec<_> {
        let rules = |record: Result<Record, _>| record.map_or("?".into(), |record| record.rules);
        read_all(text).map(rules).collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(rules(" ; nothing"), none);
    for bad in [
        "[Rules \"b\"",
        "[Rules \"b\\?\"]\n[A \"\"]\n\ne4d4 *",
        "[Rules \"b\"]\n\ne4d4 x {\n} *",
        "[Rules \"b\"]\n\ne4d4 1-0",
        "[Rules \"b\"]\n\ne4d4 (e4c4 *",
        "[Rules \"b\"]\n\ne4d4 (e4c4 e4d4",
        "[Rules \"b\"]\n\ne4d4 {unclosed *",
        "e4d4 *",
    ] {
        let text = format!("[Rules \"a\"] *\n{bad}\n\n[Rules \"c\"]\n[B \"\"]\n\n*\n");
        assert_eq!(rules(&text), ["a", "?", "c"], "{text}");
    }
    // A result is not needed where the next headers show the end.
    assert_eq!(
        rules("[Rules \"a\"] e4d4 [Rules \"b\"] e4d4 d1c1"),
        ["a", "b"]
    );
}

#[test]
fn lines_are_broken_before_column_100() {
    let mut record = Record::new("ashton");
    let mut node = record.tree.root();
    for n in 0..200 {
        let step = if n % 2 == 0 { "a1a2" } else { "b1b2" };
        node = record.tree.add_move(node, step.parse().unwrap());
        if n % 7 == 0 {
            record.tree.notes_mut(node).comment = "words of a comment ".repeat(n / 7);
        }
    }
    let text = record.to_string();
    assert!(
        text.lines().all(|line| line.chars().count() <= 101),
        "{text}"
    );
    assert!(text.lines().count() > 40);
    assert_eq!(text.parse(), Ok(record));
}
