//! What may come from a client, row by row, with told times. `tests/referee.rs` of this crate plays
//! the same rows with sockets.

use tablut_rules::{Outcome, Rules};

use super::*;
use crate::frame::Frames;

const WHITE: Side = Side::Defenders;
const BLACK: Side = Side::Attackers;

/// A legal first move of White, and an answer.
const MOVE: &str = r#"{"from":"e4","to":"d4","turn":"WHITE"}"#;
const ANSWER: &str = r#"{"from":"d1","to":"c1","turn":"BLACK"}"#;

fn options() -> Options {
    Options {
        time_ms: 1000,
        ..Options::new(Rules::ashton())
    }
}

fn strict() -> Options {
    Options {
        time_ms: 1000,
        ..Options::reference(Rules::ashton())
    }
}

fn say(text: &str) -> Heard {
    Heard::Frame(Frame::Payload(text.into()))
}

/// A game at time 0 in which White is to move.
fn started(options: Options) -> Referee {
    let mut referee = Referee::new(options);
    for side in Side::WHITE_FIRST {
        referee.tell(0, side, Heard::Connected);
    }
    referee.tell(0, BLACK, say("beta"));
    let effects = referee.tell(0, WHITE, say("\"alpha\""));
    assert!(effects.contains(&Effect::Started));
    assert_eq!(told(&effects), [(WHITE, "WHITE"), (BLACK, "WHITE")]);
    referee
}

/// What was sent to whom, by its turn.
fn told(effects: &[Effect]) -> Vec<(Side, &'static str)> {
    let sent = effects.iter().filter_map(|effect| match effect {
        Effect::Send { side, frame } => {
            let mut frames = Frames::default();
            frames.push(frame);
            let Some(Frame::Payload(payload)) = frames.pull() else {
                panic!("not a frame");
            };
            Some((*side, State::read(&payload).unwrap().turn.word()))
        }
        _ => None,
    });
    sent.collect()
}

fn both(word: &'static str) -> Vec<(Side, &'static str)> {
    vec![(WHITE, word), (BLACK, word)]
}

/// Checks how a game ended and who was told.
fn ends(referee: &Referee, effects: &[Effect], winner: Side, reason: Reason, to: &[(Side, &str)]) {
    let outcome = Outcome::win(winner, reason);
    assert_eq!(referee.contest().outcome(), Some(outcome));
    assert!(referee.is_over());
    assert_eq!(referee.deadline(), None);
    assert_eq!(told(effects), to);
    let last = effects.last();
    assert!(matches!(last, Some(Effect::Over { outcome: found, .. }) if *found == outcome));
}

/// Whatever the side to move sends that is wrong loses at once, and both are told.
fn loses(heard: Heard) {
    let mut referee = started(options());
    let effects = referee.tell(500, WHITE, heard.clone());
    ends(
        &referee,
        &effects,
        BLACK,
        Reason::IllegalMove,
        &both("BLACKWIN"),
    );
    let mut referee = started(options());
    referee.tell(500, WHITE, say(MOVE));
    let effects = referee.tell(600, BLACK, heard);
    ends(
        &referee,
        &effects,
        WHITE,
        Reason::IllegalMove,
        &both("WHITEWIN"),
    );
}

/// White says this in a strict game and loses; both are told.
fn loses_if_strict(heard: Heard) {
    let mut referee = started(strict());
    let effects = referee.tell(500, WHITE, heard);
    let told = both("BLACKWIN");
    ends(&referee, &effects, BLACK, Reason::IllegalMove, &told);
}

/// The reference server dies of it: nobody is told.
fn loses_in_silence_if_strict(heard: Heard) {
    let mut referee = started(strict());
    let effects = referee.tell(500, WHITE, heard);
    ends(&referee, &effects, BLACK, Reason::IllegalMove, &[]);
}

#[test]
fn an_illegal_move_loses() {
    loses(say(r#"{"from":"e4","to":"e2"}"#));
    loses(say(r#"{"from":"a1","to":"a2"}"#));
}

#[test]
fn squares_of_wrong_length_or_none_lose() {
    for text in [
        r#"{"from":"e44","to":"d4"}"#,
        r#"{"from":"","to":""}"#,
        "{}",
        r#"{"from":"e4"}"#,
        r#"{"from":null,"to":"d4"}"#,
        r#"{"from":"zz","to":"99"}"#,
    ] {
        loses(say(text));
        loses_if_strict(say(text));
    }
}

#[test]
fn text_that_is_no_json_an_array_or_more_than_an_object_loses() {
    for text in [
        "hello world",
        "[1,2]",
        &format!("{MOVE} x"),
        "{\"from\":[]}",
    ] {
        loses(say(text));
        loses_in_silence_if_strict(say(text));
    }
}

#[test]
fn null_or_an_empty_frame_loses() {
    for text in ["null", "", "  "] {
        loses(say(text));
        loses_in_silence_if_strict(say(text));
    }
}

#[test]
fn a_negative_length_loses() {
    loses(Heard::Frame(Frame::Negative));
    loses_if_strict(Heard::Frame(Frame::Negative));
}

#[test]
fn a_huge_length_loses_or_is_waited_for_if_strict() {
    let huge = || Heard::Frame(Frame::TooLong(1 << 30));
    loses(huge());
    let mut referee = started(strict());
    assert_eq!(referee.tell(500, WHITE, huge()), []);
    let effects = referee.pass(1000);
    ends(&referee, &effects, BLACK, Reason::TimeOut, &[]);
}

#[test]
fn an_incomplete_frame_is_a_time_out() {
    let mut referee = started(options());
    assert_eq!(referee.deadline(), Some(1000));
    assert_eq!(referee.pass(999), []);
    let effects = referee.pass(1000);
    ends(
        &referee,
        &effects,
        BLACK,
        Reason::TimeOut,
        &both("BLACKWIN"),
    );
    let mut referee = started(strict());
    let effects = referee.pass(1000);
    ends(&referee, &effects, BLACK, Reason::TimeOut, &[]);
}

#[test]
fn the_time_comes_before_the_move() {
    let mut referee = started(options());
    let effects = referee.tell(1000, WHITE, say(MOVE));
    assert_eq!(
        told(&effects),
        both("BLACK"),
        "in the last moment is in time"
    );
    assert_eq!(referee.deadline(), Some(2000));
    let effects = referee.tell(2001, BLACK, say(ANSWER));
    ends(
        &referee,
        &effects,
        WHITE,
        Reason::TimeOut,
        &both("WHITEWIN"),
    );
    let mut referee = started(options());
    let effects = referee.tell(1001, WHITE, say("rubbish rubbish"));
    ends(
        &referee,
        &effects,
        BLACK,
        Reason::TimeOut,
        &both("BLACKWIN"),
    );
}

#[test]
fn white_closing_on_its_turn_loses() {
    let mut referee = started(options());
    let effects = referee.tell(500, WHITE, Heard::Closed);
    ends(
        &referee,
        &effects,
        BLACK,
        Reason::ConnectionLost,
        &both("BLACKWIN"),
    );
    let mut referee = started(strict());
    let effects = referee.tell(500, WHITE, Heard::Closed);
    ends(&referee, &effects, BLACK, Reason::ConnectionLost, &[]);
}

#[test]
fn black_closing_on_its_turn_loses() {
    for (options, to) in [
        (options(), both("WHITEWIN")),
        (strict(), vec![(WHITE, "WHITEWIN")]),
    ] {
        let mut referee = started(options);
        referee.tell(500, WHITE, say(MOVE));
        let effects = referee.tell(600, BLACK, Heard::Closed);
        ends(&referee, &effects, WHITE, Reason::ConnectionLost, &to);
    }
}

#[test]
fn closing_while_the_other_thinks_loses_at_once() {
    let mut referee = started(options());
    let effects = referee.tell(500, BLACK, Heard::Closed);
    ends(
        &referee,
        &effects,
        WHITE,
        Reason::ConnectionLost,
        &both("WHITEWIN"),
    );
    let mut referee = started(options());
    referee.tell(500, WHITE, say(MOVE));
    let effects = referee.tell(600, WHITE, Heard::Closed);
    ends(
        &referee,
        &effects,
        BLACK,
        Reason::ConnectionLost,
        &both("BLACKWIN"),
    );
}

#[test]
fn if_strict_closing_while_the_other_thinks_is_noticed_with_the_next_state() {
    let mut referee = started(strict());
    assert_eq!(referee.tell(500, BLACK, Heard::Closed), []);
    let effects = referee.tell(600, WHITE, say(MOVE));
    ends(
        &referee,
        &effects,
        WHITE,
        Reason::ConnectionLost,
        &[(WHITE, "BLACK")],
    );
    let mut referee = started(strict());
    referee.tell(500, WHITE, say(MOVE));
    assert_eq!(referee.tell(600, WHITE, Heard::Closed), []);
    let effects = referee.tell(700, BLACK, say(ANSWER));
    ends(&referee, &effects, BLACK, Reason::ConnectionLost, &[]);
}

#[test]
fn one_early_frame_is_judged_on_its_turn() {
    let mut referee = started(options());
    assert_eq!(referee.tell(100, BLACK, say(ANSWER)), []);
    let effects = referee.tell(200, WHITE, say(MOVE));
    assert_eq!(told(&effects), [both("BLACK"), both("WHITE")].concat());
    assert_eq!(referee.contest().game().plies().len(), 2);
    // A second move right behind the first is early too.
    let mut referee = started(options());
    referee.tell(100, WHITE, say(MOVE));
    assert_eq!(
        referee.tell(100, WHITE, say(r#"{"from":"e6","to":"f6"}"#)),
        []
    );
    let effects = referee.tell(200, BLACK, say(ANSWER));
    assert_eq!(told(&effects), [both("WHITE"), both("BLACK")].concat());
    // One that is illegal then, is illegal.
    let mut referee = started(options());
    referee.tell(100, BLACK, say("{}"));
    let effects = referee.tell(200, WHITE, say(MOVE));
    let all = [both("BLACK"), both("WHITEWIN")].concat();
    ends(&referee, &effects, WHITE, Reason::IllegalMove, &all);
}

#[test]
fn more_than_one_early_frame_loses() {
    let mut referee = started(options());
    referee.tell(100, BLACK, say(ANSWER));
    let effects = referee.tell(101, BLACK, say(ANSWER));
    ends(
        &referee,
        &effects,
        WHITE,
        Reason::IllegalMove,
        &both("WHITEWIN"),
    );
    let flood = |effect: &Effect| {
        matches!(
            effect,
            Effect::Refused {
                fault: Fault::Flood,
                ..
            }
        )
    };
    assert!(effects.iter().any(flood));
}

#[test]
fn if_strict_what_comes_early_is_left_unread() {
    let mut referee = started(strict());
    assert!(referee.wants(WHITE));
    assert!(!referee.wants(BLACK));
    referee.tell(100, WHITE, say(MOVE));
    assert!(!referee.wants(WHITE));
    assert!(referee.wants(BLACK));
    assert!(started(options()).wants(BLACK));
}

#[test]
fn who_closes_before_its_name_leaves_the_place_free() {
    for side in Side::WHITE_FIRST {
        let mut referee = Referee::new(options());
        referee.tell(0, side, Heard::Connected);
        let effects = referee.tell(10, side, Heard::Closed);
        let why = Dismissal::Left;
        assert_eq!(effects, [Effect::Dismissed { side, why }]);
        assert_eq!(referee.deadline(), None);
        for side in Side::WHITE_FIRST {
            referee.tell(20, side, Heard::Connected);
            referee.tell(20, side, say("x"));
        }
        assert_eq!(referee.deadline(), Some(1020));
    }
}

#[test]
fn who_closes_after_its_name_but_before_the_game_leaves_the_place_free() {
    let mut referee = Referee::new(options());
    referee.tell(0, WHITE, Heard::Connected);
    referee.tell(0, WHITE, say("x"));
    let effects = referee.tell(10, WHITE, Heard::Closed);
    assert!(matches!(effects[..], [Effect::Dismissed { .. }]));
    assert_eq!(referee.name(WHITE), "");
}

#[test]
fn who_says_no_name_in_time_is_sent_away() {
    // The name has a limit of its own; in the reference server it is that of a move.
    for (options, limit) in [(options(), Options::NAME_MS), (strict(), 1000)] {
        let mut referee = Referee::new(options);
        referee.tell(0, BLACK, Heard::Connected);
        assert_eq!(referee.deadline(), Some(limit));
        let effects = referee.pass(limit);
        let (side, why) = (BLACK, Dismissal::Nameless);
        assert_eq!(effects, [Effect::Dismissed { side, why }]);
        assert!(!referee.is_over());
    }
}

#[test]
fn who_floods_before_the_game_is_sent_away() {
    let mut referee = Referee::new(options());
    referee.tell(0, WHITE, Heard::Connected);
    referee.tell(0, WHITE, say("x"));
    assert_eq!(referee.tell(1, WHITE, say(MOVE)), []);
    let effects = referee.tell(2, WHITE, say(MOVE));
    let (side, why) = (WHITE, Dismissal::Flood);
    assert_eq!(effects, [Effect::Dismissed { side, why }]);
}

#[test]
fn a_wait_for_players_can_have_an_end() {
    let mut referee = Referee::new(Options {
        wait_ms: Some(5000),
        ..options()
    });
    assert_eq!(referee.pass(100), []);
    assert_eq!(referee.deadline(), Some(5100));
    assert_eq!(referee.pass(5100), [Effect::Abandoned]);
    assert!(referee.is_over());
}

#[test]
fn deep_json_and_bad_utf8_are_what_they_are() {
    loses(say(&"[".repeat(60_000)));
    loses(say(&format!(
        "{}1{}",
        "{\"a\":".repeat(9_000),
        "}".repeat(9_000)
    )));
    loses(Heard::Frame(Frame::Payload(
        b"{\"from\":\"e\xff\",\"to\":\"d4\"}".to_vec(),
    )));
    // Somewhere else in a good move it does no harm.
    let mut referee = started(options());
    let payload = b"{\"from\":\"e4\",\"to\":\"d4\",\"note\":\"\xff\xfe\"}".to_vec();
    let effects = referee.tell(1, WHITE, Heard::Frame(Frame::Payload(payload)));
    assert_eq!(told(&effects), both("BLACK"));
}

#[test]
fn names_are_taken_as_they_come() {
    for (sent, ours, theirs) in [
        ("\"alpha\"", "alpha", "alpha"),
        ("'be ta'", "beta", "beta"),
        ("my_team_of_the_year", "my_team_of_the_year", "myteamof"),
        ("two words", "twowords", "twowords"),
        ("42", "42", "42"),
        ("\"../..\"", "white", "white"),
        ("", "white", "white"),
        ("null", "null", "null"),
        ("\"Città\"", "Città", "Città"),
    ] {
        for (options, expected) in [(options(), ours), (strict(), theirs)] {
            let mut referee = Referee::new(options);
            referee.tell(0, WHITE, say(sent));
            assert_eq!(referee.name(WHITE), expected, "{sent}");
        }
    }
    let mut referee = Referee::new(options());
    referee.tell(0, BLACK, Heard::Frame(Frame::Negative));
    assert_eq!(referee.name(BLACK), "black");
}

#[test]
fn tolerated_errors_are_counted_for_each_player_and_give_the_time_anew() {
    let mut referee = started(Options {
        errors: 1,
        ..options()
    });
    let effects = referee.tell(900, WHITE, say("{}"));
    assert_eq!(told(&effects), both("WHITE"));
    assert_eq!(referee.deadline(), Some(1900));
    referee.tell(1800, WHITE, say(MOVE));
    let effects = referee.tell(1900, BLACK, say("rubbish rubbish"));
    assert_eq!(told(&effects), both("BLACK"));
    referee.tell(2000, BLACK, say(ANSWER));
    let effects = referee.tell(2100, WHITE, say("{}"));
    ends(
        &referee,
        &effects,
        BLACK,
        Reason::IllegalMove,
        &both("BLACKWIN"),
    );
    assert_eq!(referee.tally(WHITE).errors, 2);
    assert_eq!(referee.tally(BLACK).errors, 1);
    assert_eq!(referee.tally(WHITE).moves, 1);
    assert_eq!(referee.tally(WHITE).spent_ms, 900);
}

#[test]
fn after_the_end_nothing_happens() {
    let mut referee = started(options());
    referee.tell(1, WHITE, Heard::Closed);
    for heard in [say(MOVE), Heard::Closed, Heard::Connected] {
        for side in Side::WHITE_FIRST {
            assert_eq!(referee.tell(5, side, heard.clone()), []);
        }
    }
    assert_eq!(referee.pass(10_000), []);
}

#[test]
fn no_sequence_of_words_does_harm() {
    let mut random = tablut_rules::Random::new(4);
    for round in 0..500 {
        let mut options = if round % 2 == 0 { options() } else { strict() };
        options.errors = random.below(3) as u32;
        let mut referee = Referee::new(options);
        let (mut now, mut ends) = (0, 0);
        for _ in 0..80 {
            now += random.below(60) as u64;
            let side = Side::ALL[random.below(2)];
            let game = referee.contest().game();
            let moves = game.rules().moves(game.position());
            let heard = match random.below(24) {
                0 => Heard::Closed,
                1 => Heard::Frame(Frame::Negative),
                2 => Heard::Frame(Frame::TooLong(u32::MAX)),
                3 => say("{"),
                4 => say("{}"),
                5..8 => Heard::Connected,
                _ if moves.is_empty() => say("null"),
                _ => say(&Action::payload(moves[random.below(moves.len())], side)),
            };
            let mut effects = referee.tell(now, side, heard);
            if random.below(4) == 0 {
                effects.extend(referee.pass(now));
            }
            let is_end = |effect: &&Effect| matches!(effect, Effect::Over { .. });
            ends += effects.iter().filter(is_end).count();
            assert_eq!(ends, usize::from(referee.contest().outcome().is_some()));
            assert!(referee.deadline().is_none_or(|at| at >= now));
        }
    }
}
