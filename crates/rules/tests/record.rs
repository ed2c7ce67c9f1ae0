//! Records as a whole: what is written is read back, no text does harm, and games come back.
#![cfg(feature = "toml")]

use std::{sync::Arc, thread};

use proptest::{collection::vec, option, prelude::*, sample::select};
use tablut_rules::{
    BoardSize, BuiltIn, Game, Move, Outcome, Piece, PlayError, Reason, Rules, Setup, Side, Square,
    record::{self, Notes, Record, ReplayError, Score, Tree},
};

/// The example of `docs/notation.md`.
const EXAMPLE: &str = include_str!("records/example.tablut");

fn ashton() -> Arc<Rules> {
    Rules::ashton()
}

/// Any text, most of it made of what means something in a record.
fn nasty() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "\\",
        "\\\\",
        "\"",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        "$1",
        "*",
        "[%clk",
        "[%clk 0:00:01]",
        "\\[%emt 1]",
        "[%eval #3]",
        "%",
        "1. ",
        "1...",
        "e4-d4",
        "1-0",
        "[Rules \"x\"]",
        "\n\n[A \"b\"]\n",
        "\\n",
        "\\u{41}",
        "\0",
        "\u{85}",
        "\u{2028}",
        "\u{a0}",
        "é",
        "王",
        "🏰",
        "\u{feff}",
        "a",
        "word",
    ];
    let piece = prop_oneof![
        8 => select(PIECES).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn square() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(|index| Square::from_index(index).expect("it is on the board"))
}

fn step() -> impl Strategy<Value = Move> {
    (square(), square()).prop_map(|(from, to)| Move::new(from, to))
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        any::<i32>().prop_map(Score::Hundredths),
        (-300..300).prop_map(Score::Hundredths),
        any::<u32>().prop_map(Score::Win),
        (0..3_u32).prop_map(Score::Loss),
    ]
}

fn milliseconds() -> impl Strategy<Value = Option<u64>> {
    option::of(prop_oneof![0..200_000_u64, any::<u64>(), Just(u64::MAX)])
}

fn notes() -> impl Strategy<Value = Notes> {
    let some = (
        milliseconds(),
        milliseconds(),
        option::of(score()),
        vec(any::<u8>(), 0..3),
        nasty(),
    )
        .prop_map(|(clock_ms, spent_ms, score, nags, comment)| Notes {
            clock_ms,
            spent_ms,
            score,
            nags,
            comment,
        });
    prop_oneof![2 => Just(Notes::default()), 1 => some]
}

/// Trees whose moves hang on any earlier node, now and then on the last one.
fn tree() -> impl Strategy<Value = Tree> {
    let moves = vec((any::<u16>(), any::<bool>(), step(), notes()), 0..40);
    (moves, notes()).prop_map(|(moves, first)| {
        let mut tree = Tree::new();
        *tree.notes_mut(tree.root()) = first;
        let mut nodes = vec![tree.root()];
        for (at, goes_on, step, notes) in moves {
            let at = if goes_on {
                nodes.len() - 1
            } else {
                usize::from(at) % nodes.len()
            };
            let node = tree.add_move(nodes[at], step);
            *tree.notes_mut(node) = notes;
            if at % 3 == 2 {
                tree.promote(node);
            }
            nodes.push(node);
        }
        tree
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let winner = select(&[None, Some(Side::Attackers), Some(Side::Defenders)][..]);
    (winner, select(&Reason::ALL[..])).prop_map(|(winner, reason)| Outcome { winner, reason })
}

fn setup() -> impl Strategy<Value = Setup> {
    let pieces = vec((square(), select(&Piece::ALL[..])), 0..30);
    let size = select(&[BoardSize::Seven, BoardSize::Nine][..]);
    (size, select(&Side::ALL[..]), any::<u16>(), pieces).prop_map(|(size, side, quiet, pieces)| {
        let mut setup = Setup::empty(size, side).with_quiet(quiet);
        for (square, piece) in pieces {
            if size.squares().contains(square) {
                setup.put(square, Some(piece));
            }
        }
        setup
    })
}

fn any_record() -> impl Strategy<Value = Record> {
    (
        nasty(),
        option::of(setup()),
        option::of(outcome()),
        vec(("[A-Za-z0-9_-]{1,4}", nasty()), 0..4),
        tree(),
    )
        .prop_map(|(rules, setup, outcome, headers, tree)| {
            let mut record = Record::new(rules);
            record.setup = setup;
            record.outcome = outcome;
            for (key, value) in headers {
                let set = record.set_header(&key, value);
                set.expect("the key is made of letters");
            }
            *record.tree_mut() = tree;
            record
        })
}

/// Plays moves chosen by numbers until the game is over or there are no more numbers.
fn play(game: &mut Game, choices: &[u16]) {
    for &choice in choices {
        if game.outcome().is_some() {
            return;
        }
        let moves = game.rules().moves(game.position());
        if moves.is_empty() {
            return;
        }
        let step = moves[usize::from(choice) % moves.len()];
        game.play(step).expect("the move is in the list");
    }
}

fn same(a: &Game, b: &Game) -> bool {
    a.plies() == b.plies() && a.start() == b.start() && a.outcome() == b.outcome()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn what_is_written_is_read_back_equal(record in any_record()) {
        let text = record.to_string();
        prop_assert_eq!(text.parse(), Ok(record), "{}", text);
    }

    #[test]
    fn records_one_after_the_other_are_read_back(records in vec(any_record(), 0..4), line in select(&["", "\n"][..])) {
        let text: String = records.iter().map(|record| format!("{record}{line}")).collect();
        let read: Result<Vec<_>, _> = record::read_all(&text).collect();
        prop_assert_eq!(read, Ok(records));
    }

    #[test]
    fn no_text_makes_the_reader_panic_and_what_it_reads_can_be_written(text in vec(nasty(), 0..8)) {
        let text = text.concat();
        for text in [format!("[Rules \"\"] {text}"), text] {
            let read: Vec<_> = record::read_all(&text).collect();
            prop_assert!(read.len() <= text.len());
            for record in read.into_iter().flatten() {
                prop_assert_eq!(record.to_string().parse(), Ok(record));
            }
        }
    }

    #[test]
    fn damaged_records_do_no_harm(record in any_record(), at in any::<u16>(), piece in nasty(), cut in 0..20_usize) {
        let mut letters: Vec<char> = record.to_string().chars().collect();
        let start = usize::from(at) % letters.len();
        let end = (start + cut).min(letters.len());
        letters.splice(start..end, piece.chars());
        let text: String = letters.into_iter().collect();
        for record in record::read_all(&text).flatten() {
            prop_assert_eq!(record.to_string().parse(), Ok(record));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_games_come_back_from_their_records(
        id in select(&["ashton", "berkeley", "linnaeus", "modern", "referee-brandub"][..]),
        before in vec(any::<u16>(), 0..20),
        after in vec(any::<u16>(), 0..200),
        end in outcome(),
    ) {
        let rules = id.parse::<BuiltIn>().unwrap().rules();
        let mut game = Game::new(Arc::clone(&rules));
        play(&mut game, &before);
        // The second game starts where the first one stands, most often from no usual start.
        if game.outcome().is_none() {
            game = Game::from_position(Arc::clone(&rules), *game.position(), rules.laws());
            play(&mut game, &after);
        }
        let record = Record::from_game(&game);
        prop_assert_eq!(record.setup.is_none(), *game.start() == rules.start());
        let read: Record = record.to_string().parse().unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert!(same(&read.replay(&rules).unwrap(), &game));

        let mut other = record;
        other.outcome = Some(end);
        let on_the_board = game.outcome().is_some();
        let unseen = [Reason::MoveLimit, Reason::TimeOut, Reason::IllegalMove, Reason::Resignation,
            Reason::Agreement, Reason::ConnectionLost, Reason::Decision];
        let fits = if on_the_board { game.outcome() == Some(end) } else { unseen.contains(&end.reason) };
        match other.replay(&rules) {
            Ok(game) => prop_assert!(fits && game.outcome() == Some(end)),
            Err(error) => prop_assert!(!fits, "{}", error),
        }
    }
}

#[test]
fn the_example_of_the_documentation_is_a_game_in_the_written_form() {
    let record: Record = EXAMPLE.parse().unwrap();
    assert_eq!(record.to_string(), EXAMPLE);
    let game = record.replay(&ashton()).unwrap();
    assert_eq!(game.plies().len(), 7);
    let expected = Outcome::win(Side::Defenders, Reason::KingEscaped);
    assert_eq!(game.outcome(), Some(expected));
    assert_eq!(record.header("Black"), Some("beta \"the wall\""));
    let tree = record.tree();
    for node in tree.nodes() {
        let mut game = Game::new(ashton());
        for step in tree.path(node) {
            game.play(step).unwrap();
        }
    }
    let document = include_str!("../../../docs/notation.md");
    assert!(
        document.contains(EXAMPLE),
        "the document has another example"
    );
}

#[test]
fn a_replay_says_what_the_rules_do_not_allow() {
    let rules = ashton();
    let classic = BuiltIn::Classic.rules();
    let record: Record = EXAMPLE.parse().unwrap();
    for (text, sentence) in [
        (
            EXAMPLE.replace("c9-c8", "c9-c9"),
            "move 2... c9-c9 (ply 4) cannot be made: the piece would stay on c9",
        ),
        (
            EXAMPLE.replace("b4-b1", "b4-b1 c7-c6"),
            "move 4... c7-c6 (ply 8) cannot be made: the game is over: white wins: the king escaped",
        ),
        (
            EXAMPLE.replace("king escaped", "king captured"),
            "the record says white wins: the king was captured, but under the rules it is white \
             wins: the king escaped",
        ),
        (
            EXAMPLE.replace("4. b4-b1 ", ""),
            "the record says white wins: the king escaped, but under the rules the game is not over",
        ),
        (
            EXAMPLE.replace("[Rules", "[Setup \"9/9/9/9/9/9/9/9/9 w\"]\n[Rules"),
            "the set-up cannot be played: there is no king",
        ),
    ] {
        let record: Record = text.parse().unwrap();
        assert_eq!(record.replay(&rules).unwrap_err().to_string(), sentence);
    }
    assert!(matches!(
        record.replay(&classic),
        Err(ReplayError::OtherRules { .. })
    ));
    // A record without an outcome claims nothing.
    let mut open = record.clone();
    open.outcome = None;
    assert!(same(
        &open.replay(&rules).unwrap(),
        &record.replay(&rules).unwrap()
    ));
}

#[test]
fn a_replay_can_be_under_other_laws() {
    let rules = ashton();
    let record: Record = EXAMPLE.parse().unwrap();
    let mut laws = rules.laws();
    laws.move_limit = Some(2);
    let error = record.replay_under(&rules, laws).unwrap_err();
    let limit = Outcome::win(Side::Attackers, Reason::MoveLimit);
    let step = "e4b4".parse().unwrap();
    let reason = PlayError::Over(limit);
    assert_eq!(
        error,
        ReplayError::Move {
            ply: 5,
            step,
            reason
        }
    );
    // A limit that the laws do not have is believed, one that they have is not.
    let mut limited = Record::new("ashton");
    limited.outcome = Some(limit);
    assert_eq!(limited.replay(&rules).unwrap().outcome(), Some(limit));
    assert!(limited.replay_under(&rules, laws).is_err());
}

/// Runs with little stack, so that a recursion as deep as the input could not end well.
fn with_little_stack(run: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(128 * 1024);
    let run = thread.spawn(run).expect("a thread starts");
    assert!(run.join().is_ok());
}

#[test]
fn variations_nested_as_deep_as_you_like_are_read_and_written() {
    with_little_stack(|| {
        const DEPTH: usize = 100_000;
        let rules = "[Rules \"\"]";
        let down = "a1a2 (a1a3 b1b2 ".repeat(DEPTH);
        let flat = "a1a2 (".repeat(DEPTH);
        for text in [
            format!("{rules}{down}{}", ")".repeat(DEPTH)),
            format!("{rules}{flat}a1a2{}", ")".repeat(DEPTH)),
        ] {
            let record: Record = text.parse().unwrap();
            let copy = record.clone();
            let written = record.to_string();
            assert_eq!(written.parse(), Ok(copy));
            assert!(written.lines().all(|line| line.len() <= 102));
            drop(record);
        }
        assert!(format!("{rules}{down}").parse::<Record>().is_err());
        let open = format!("{rules}a1a2{}", "(".repeat(DEPTH));
        assert!(open.parse::<Record>().is_err());
        assert!(
            format!("{rules}{}", ")".repeat(DEPTH))
                .parse::<Record>()
                .is_err()
        );
    });
}

#[test]
fn a_wide_node_has_every_move_once() {
    let mut text = String::from("[Rules \"\"] a1a1");
    for _ in 0..20 {
        for from in Square::all() {
            for to in Square::all() {
                text.push_str(&format!("({from}{to})"));
            }
        }
    }
    let record: Record = text.parse().unwrap();
    assert_eq!(record.tree().len(), 81 * 81);
}

/// Texts for which a reader whose time grows with the square of their length would need hours.
#[test]
fn time_is_in_proportion_to_length() {
    for piece in [
        "[A \"b\"]\n\n{x\n\n",
        "[A \"b\"]\n\n{[%clk \n\n",
        "[A \"b\"]\n\n{\\u{41} \\q \n\n",
        "[A \"b\"]\n\na1a2 (a1a3 {\n\n",
        "[A \"b\"]\n\na1a2 (a1a3 ;\n\n",
        "[Rules \"b\"]\n[Rules \"b\"]\n\n",
        "a1a2 {x} (a1a3 {y} b1b2) ",
        "a1a2 (a1a2 b1b2) b1b3 ",
        "[",
        "\n\n[A",
        "{a} ",
        ";a\n",
        "$1 ",
        "\\",
        "]",
    ] {
        for rules in ["", "[Rules \"\"] "] {
            let text = format!("{rules}{}", piece.repeat(1_000_000 / piece.len()));
            assert!(record::read_all(&text).count() <= text.len());
        }
    }
    let headers: String = (0..100_000).map(|n| format!("[H{n} \"\"]")).collect();
    assert!(format!("[Rules \"\"]{headers}").parse::<Record>().is_ok());
}
