//! The document of the protocol says what the code does: its example is played.
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

use tablut_arena::protocol::{Action, Command, Info, Reply, Session};

const DOCUMENT: &str = include_str!("../../../docs/engine-protocol.md");

#[test]
fn the_example_is_read_and_written_as_it_stands_and_goes_as_it_says() {
    let example = DOCUMENT.split("```text\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let hash = "Hash number 64 1 65536".parse().unwrap();
    let mut session = Session::new("Tablut 0.1", "the Tablut project", vec![hash]);
    let mut said: Vec<String> = Vec::new();
    for line in example.lines() {
        if let Some(line) = line.strip_prefix("> ") {
            assert!(said.is_empty(), "{said:?} is missing before {line}");
            let command: Command = line.parse().unwrap();
            assert_eq!(command.to_string(), line);
            said.extend(session.told(line).iter().filter_map(reply));
            continue;
        }
        let line = line.strip_prefix("< ").unwrap();
        let parsed: Reply = line.parse().unwrap();
        assert_eq!(parsed.to_string(), line);
        match parsed {
            Reply::Info(info) => {
                assert_ne!(info, Info::default());
                assert!(session.info(info).is_some(), "no search runs at {line}");
            }
            Reply::BestMove(best) => {
                let words: Vec<String> = session.found(best).iter().filter_map(reply).collect();
                assert_eq!(words, [line]);
            }
            _ => assert_eq!(said.remove(0), line),
        }
    }
}

fn reply(action: &Action) -> Option<String> {
    match action {
        Action::Say(reply) => Some(reply.to_string()),
        _ => None,
    }
}

#[test]
fn every_command_and_reply_is_in_the_document() {
    for word in [
        "tablut 1",
        "option",
        "newgame",
        "isready",
        "position",
        "go",
        "ponderhit",
        "stop",
        "quit",
        "id name",
        "id author",
        "tablutok",
        "readyok",
        "info",
        "bestmove",
        "error",
    ] {
        assert!(DOCUMENT.contains(&format!("`{word}")), "{word}");
    }
}
