//! The contest's server against recordings of the reference server: every byte on the wire, and the
//! game logs.
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

use std::{fs, io::Read, path::Path, sync::Arc};

use flate2::read::GzDecoder;
use jiff::civil::date;
use serde_json::Value;
use tablut_challenge::{
    Effect, Farewell, Heard, Manner, Options, Referee,
    frame::{Frame, frame},
    log::{self, Entry, Log, Writer},
    message::{Action, State, name_payload},
};
use tablut_rules::{BySide, Outcome, Reason, Rules, Side};

fn unpack(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/challenge");
    let bytes = fs::read(path.join(name)).unwrap();
    let mut text = String::new();
    GzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap();
    text
}

fn names(ending: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/challenge");
    let files = fs::read_dir(path).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort();
    names
}

/// Something on the wire: who sent it, to whom, and what.
type Sent = (String, String, String);

/// A recorded game.
struct Transcript {
    head: Value,
    frames: Vec<(u64, Sent)>,
}

impl Transcript {
    fn load(name: &str) -> Self {
        let text = unpack(name);
        let mut lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let head = lines.next().unwrap();
        let frames = lines.map(|line: Value| {
            let word = |key: &str| line[key].as_str().unwrap().to_string();
            let time = (line["t"].as_f64().unwrap() * 1000.0) as u64;
            let payload = word("payload");
            assert_eq!(payload.len() as u64, line["len"].as_u64().unwrap());
            (time, (word("from"), word("to"), payload))
        });
        Self {
            frames: frames.collect(),
            head,
        }
    }

    /// The number behind an option of the server.
    fn option(&self, flag: &str) -> Option<u64> {
        let words = self.head["server_options"].as_array().unwrap();
        let at = words.iter().position(|word| word == flag)?;
        words[at + 1].as_str().unwrap().parse().ok()
    }

    fn options(&self, options: Options) -> Options {
        Options {
            time_ms: self.option("-t").unwrap_or(60) * 1000,
            errors: self.option("-e").unwrap_or(0) as u32,
            ..options
        }
    }

    /// Plays the clients' part. Gives what was on the wire, the log, and the referee.
    fn play(&self, options: Options) -> (Vec<Sent>, String, Referee) {
        let mut referee = Referee::new(self.options(options));
        let mut wire = Vec::new();
        let mut log: Option<Writer> = None;
        let mut text = String::new();
        let time = date(2026, 11, 15).at(19, 53, 26, 0);
        let mut follow = |referee: &Referee, effects: Vec<Effect>, wire: &mut Vec<Sent>| {
            for effect in effects {
                if let Effect::Send { side, frame } = &effect {
                    let payload = String::from_utf8(frame[4..].to_vec()).unwrap();
                    wire.push(("server".into(), side.colour().into(), payload));
                }
                if effect == Effect::Started {
                    let names = BySide::from_fn(|side| referee.name(side));
                    log = Some(Writer::new(time, names, referee.contest().game()));
                }
                if let Some(log) = &mut log {
                    log.follow(time, referee, &effect);
                    text += &log.take();
                }
            }
        };
        for side in Side::ALL {
            assert_eq!(referee.tell(0, side, Heard::Connected), []);
        }
        for (time, sent) in &self.frames {
            let side = match sent.0.as_str() {
                "white" => Side::Defenders,
                "black" => Side::Attackers,
                _ => continue,
            };
            wire.push(sent.clone());
            let payload = Frame::Payload(sent.2.clone().into());
            let effects = referee.tell(*time, side, Heard::Frame(payload));
            follow(&referee, effects, &mut wire);
        }
        let end = self.head["end"].as_str().unwrap();
        if end.starts_with("time-out") {
            let at = referee.deadline().unwrap();
            let early = referee.pass(at - 1);
            assert_eq!(early, []);
            let effects = referee.pass(at);
            follow(&referee, effects, &mut wire);
        } else if end.starts_with("Black closes") {
            let effects = referee.tell(3140, Side::Attackers, Heard::Closed);
            follow(&referee, effects, &mut wire);
        }
        (wire, text, referee)
    }

    fn wire(&self) -> Vec<Sent> {
        self.frames.iter().map(|(_, sent)| sent.clone()).collect()
    }
}

fn ashton() -> Arc<Rules> {
    Rules::ashton()
}

#[test]
fn a_strict_server_sends_the_recorded_bytes() {
    let names = names(".jsonl.gz");
    assert_eq!(names.len(), 10);
    for name in names {
        let transcript = Transcript::load(&name);
        let (wire, _, referee) = transcript.play(Options::reference(ashton()));
        assert_eq!(wire, transcript.wire(), "{name}");
        // A game that was cut off goes on; all others are over, as recorded.
        let was_cut = transcript.head["end"].as_str().unwrap().starts_with("cut");
        assert_eq!(referee.is_over(), !was_cut, "{name}");
        if let Some(result) = transcript.head["result"].as_str() {
            let winner = referee.contest().outcome().unwrap().winner;
            let word = match winner {
                Some(Side::Defenders) => "WHITEWIN",
                Some(Side::Attackers) => "BLACKWIN",
                None => "DRAW",
            };
            assert_eq!(word, result, "{name}");
        }
    }
}

#[test]
fn without_strict_mode_only_the_improvements_differ() {
    for name in names(".jsonl.gz") {
        let transcript = Transcript::load(&name);
        let (wire, _, referee) = transcript.play(Options::new(ashton()));
        let recorded = transcript.wire();
        let (same, more) = wire.split_at(recorded.len());
        assert_eq!(same, recorded, "{name}");
        let more: Vec<_> = more
            .iter()
            .map(|(from, to, payload)| {
                assert_eq!(from, "server");
                let turn = State::read(payload.as_bytes()).unwrap().turn;
                (to.as_str(), turn.word())
            })
            .collect();
        let reason = referee.contest().outcome().map(|outcome| outcome.reason);
        match name.trim_end_matches(".jsonl.gz") {
            // Both are told the result of a time-out.
            "timeout-white" => {
                assert_eq!(more, [("white", "BLACKWIN"), ("black", "BLACKWIN")]);
                assert_eq!(reason, Some(Reason::TimeOut));
            }
            "timeout-black" => {
                assert_eq!(more, [("white", "WHITEWIN"), ("black", "WHITEWIN")]);
                assert_eq!(reason, Some(Reason::TimeOut));
            }
            // Who seems to be gone may still listen.
            "black-disconnects" => {
                assert_eq!(more, [("black", "WHITEWIN")]);
                assert_eq!(reason, Some(Reason::ConnectionLost));
            }
            _ => assert_eq!(more, []),
        }
    }
}

#[test]
fn our_clients_frames_have_the_form_of_the_java_client() {
    let transcript = Transcript::load("sample-client.jsonl.gz");
    let mut moves = 0;
    for (_, (from, _, payload)) in &transcript.frames {
        let side = match from.as_str() {
            "white" => Side::Defenders,
            "black" => Side::Attackers,
            _ => continue,
        };
        if payload.starts_with('{') {
            let step = Action::read(payload.as_bytes()).unwrap().step().unwrap();
            assert_eq!(Action::payload(step, side), *payload);
            moves += 1;
        } else {
            assert_eq!(name_payload("random"), *payload);
        }
        assert_eq!(
            frame(payload.as_bytes())[..4],
            (payload.len() as u32).to_be_bytes()
        );
    }
    assert_eq!(moves, 6);
}

/// A log without its dates, and in English.
fn undated(text: &str) -> String {
    let mut undated = String::new();
    for line in text.lines() {
        let line = match line.split_once(" it.unibo.") {
            Some((_, rest)) => format!("it.unibo.{rest}"),
            None => line
                .replace("BUONO: ", "FINE: ")
                .replace("AVVERTENZA: ", "WARNING: "),
        };
        undated += &line;
        undated.push('\n');
    }
    undated
}

/// A log and the transcript of the same game.
const SAME_GAME: [(&str, &str); 5] = [
    ("english-white-win.txt.gz", "white-win.jsonl.gz"),
    ("italian-black-win.txt.gz", "black-win.jsonl.gz"),
    ("old-jar-draw.txt.gz", "draw-repetition.jsonl.gz"),
    ("timeout.txt.gz", "timeout-black.jsonl.gz"),
    ("illegal-moves.txt.gz", "errors-allowed.jsonl.gz"),
];

#[test]
fn the_log_of_a_game_differs_from_the_recorded_one_only_in_dates() {
    assert_eq!(names(".txt.gz").len(), SAME_GAME.len());
    for (recorded, transcript) in SAME_GAME {
        let transcript = Transcript::load(transcript);
        let (_, text, _) = transcript.play(Options::reference(ashton()));
        assert_eq!(undated(&text), undated(&unpack(recorded)), "{recorded}");
        assert!(text.starts_with("Nov 15, 2026 7:53:26 PM it.unibo."));
    }
}

#[test]
fn every_recorded_log_is_read_and_agrees_with_the_rules() {
    let rules = ashton();
    for (name, plies, refused, outcome) in [
        (
            "english-white-win.txt.gz",
            13,
            0,
            Some(Outcome::win(Side::Defenders, Reason::KingEscaped)),
        ),
        (
            "italian-black-win.txt.gz",
            18,
            0,
            Some(Outcome::win(Side::Attackers, Reason::KingCaptured)),
        ),
        (
            "old-jar-draw.txt.gz",
            23,
            0,
            Some(Outcome::draw(Reason::Repetition)),
        ),
        ("timeout.txt.gz", 3, 0, None),
        (
            "illegal-moves.txt.gz",
            4,
            5,
            Some(Outcome::win(Side::Attackers, Reason::IllegalMove)),
        ),
    ] {
        let log: Log = unpack(name).parse().unwrap();
        assert_eq!(log.names.defenders, "alpha");
        assert_eq!(log.names.attackers, "beta");
        assert_eq!((log.allowed, log.cache), (Some(0), Some(-1)));
        let replayed = log.replay(&rules).unwrap();
        assert_eq!(replayed.disagreements, [], "{name}");
        assert!(replayed.is_whole);
        assert_eq!(replayed.game.plies().len(), plies, "{name}");
        assert_eq!(replayed.game.outcome(), outcome, "{name}");
        let warned = log.entries.iter().filter(|entry| match entry {
            Entry::Attempt(attempt) => !attempt.is_made && attempt.warning.is_some(),
            Entry::State(_) => false,
        });
        assert_eq!(warned.count(), refused, "{name}");
        let record = log.record(&replayed);
        assert_eq!(record.header("White"), Some("alpha"));
        assert!(record.replay_under(&rules, log.laws(&rules)).is_ok());
        // A log made from the game says the same, if everything in it is on the board.
        if refused == 0 && outcome.is_some() {
            let time = date(2026, 11, 15).at(0, 0, 0, 0);
            let whole = log::whole(time, log.names.as_ref().map(String::as_str), &replayed.game);
            assert_eq!(undated(&whole), undated(&unpack(name)), "{name}");
        }
    }
}

#[test]
fn a_log_that_was_tampered_with_is_caught() {
    let rules = ashton();
    let text = unpack("english-white-win.txt.gz");
    for (old, new, part) in [
        (
            "Pawn from e4 to d4",
            "Pawn from e4 to d3",
            "which is not allowed",
        ),
        (
            "rimossa in: e3",
            "rimossa in: e2",
            "the log removes e2, the rules e3",
        ),
        ("BOOWOOOOB", "BOOOOOOOB", "disagree about the board, on d4"),
        (
            "-\nWW",
            "-\nBW",
            "the log says BLACKWIN, the rules WHITEWIN",
        ),
    ] {
        let changed = text.replacen(old, new, 1);
        assert_ne!(changed, text, "{old}");
        let log: Log = changed.parse().unwrap();
        let found = log.replay(&rules).unwrap().disagreements;
        assert!(!found.is_empty(), "{old}");
        assert!(found[0].to_string().contains(part), "{}", found[0]);
    }
    // A log that was cut off while a state was written ends before it.
    let cut: Log = text[..text.rfind("-\nWW").unwrap()].parse().unwrap();
    assert_eq!(cut.replay(&rules).unwrap().disagreements, []);
    for (changed, part) in [
        ("".to_string(), "no state"),
        (text.replacen("OOOBBBOOO", "OOOBBBOOX", 1), "line 9"),
        (text.replacen("OOOBBBOOO\n", "", 1), "8 rows"),
        (
            text[..text.find("Stato:").unwrap() + 40].to_string(),
            "no state",
        ),
    ] {
        let error = changed.parse::<Log>().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn the_reference_manner_sets_every_choice() {
    let strict = Options::reference(ashton());
    assert_eq!(strict.manner, Manner::REFERENCE);
    assert_eq!(strict.laws, ashton().laws().challenge());
    let (ours, theirs) = (Manner::default(), Manner::REFERENCE);
    assert_ne!(ours.late, theirs.late);
    assert_eq!(theirs.late, Farewell::Silent);
    assert_ne!(ours.rubbish, theirs.rubbish);
    assert_ne!(ours.lost, theirs.lost);
    assert_ne!(ours.early, theirs.early);
    assert_ne!(ours.names, theirs.names);
}
