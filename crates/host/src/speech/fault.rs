//! What is wrong with a text or a game that somebody gave us, in every language.
//!
//! This file says what belongs together, the languages have a field for each sentence. Faults that
//! `tablut-rules` may add one day ([`RecordFault`] and others are `non_exhaustive`) are told in their
//! own English until they have a field here.

use tablut_challenge::{
    document::{GameFault, ReadError, TextFault, TextFormat, WordFault},
    log::{Disagreement, Forbidden, ParseLogError},
    message::{JsonFault, StateError},
};
use tablut_rules::{
    Move, ParseBoardError, ParseMoveError, Reason, in_language,
    record::{ParseRecordError, RecordFault, ReplayError},
    text::{Lang, harmless},
};

use super::{de, en, it, setup_faults, unplayed};

/// What each language says of faulty texts and games, without capital and full stop.
///
/// Parameters called `text`, `word` and `letter` come in the signs of [`FaultWords::quote`] and
/// [`FaultWords::letter`]; `why` is a sentence of the same language.
pub(super) struct FaultWords {
    /// Text of others, in quotation marks.
    pub(super) quote: fn(text: &str) -> String,
    /// A letter of others, in quotation marks.
    pub(super) letter: fn(letter: char) -> String,

    /// What a text looks like.
    pub(super) format: fn(TextFormat) -> &'static str,
    /// There is no text.
    pub(super) empty: &'static str,
    /// A text with this beginning looks like nothing known.
    pub(super) unknown: fn(word: &str) -> String,
    /// A text looks like a format, but has a fault.
    pub(super) looks_like: fn(format: &str, why: &str) -> String,
    /// A fault of a game of several, by its number.
    pub(super) its_game: fn(game: usize, why: &str) -> String,
    /// A fault in a line.
    pub(super) in_line: fn(line: usize, why: &str) -> String,
    /// A fault in a line and a column.
    pub(super) in_column: fn(line: usize, column: usize, why: &str) -> String,
    /// A text has no game.
    pub(super) no_game: &'static str,
    /// A text has no move.
    pub(super) no_move: &'static str,
    /// A word of a list is no move.
    pub(super) listed_word: fn(word: &str, why: &str) -> String,

    /// What a move is.
    pub(super) move_form: &'static str,
    /// What a move in the Berkeley form is.
    pub(super) berkeley_form: &'static str,
    /// The first square of a move is wrong.
    pub(super) first_square: fn(why: &str) -> String,
    /// The second square of a move is wrong.
    pub(super) second_square: fn(why: &str) -> String,
    /// What a square is.
    pub(super) square_form: &'static str,

    /// A board has a wrong number of rows.
    pub(super) rows: fn(rows: usize) -> String,
    /// A row has a wrong number of squares.
    pub(super) squares: fn(row: u8, found: u32, expected: u8) -> String,
    /// A letter is no piece.
    pub(super) no_piece: fn(letter: &str, row: u8, column: u32) -> String,
    /// A row has the number of another.
    pub(super) row_number: fn(number: u8, row: u8) -> String,
    /// Nobody is to move.
    pub(super) no_side: &'static str,
    /// The side to move is none.
    pub(super) side: fn(text: &str) -> String,
    /// The count of moves without a capture is none.
    pub(super) quiet: fn(text: &str) -> String,
    /// Something follows a position.
    pub(super) after_position: fn(text: &str) -> String,

    /// A state is not JSON, or not such JSON.
    pub(super) state_json: fn(&JsonFault) -> String,
    /// A state has an unknown turn.
    pub(super) state_turn: fn(text: &str) -> String,
    /// A state has a board of another size.
    pub(super) state_size: &'static str,
    /// A state has an unknown content of a square.
    pub(super) state_cell: fn(text: &str) -> String,

    /// A log has no state.
    pub(super) log_without_state: &'static str,
    /// A line is no part of a state.
    pub(super) no_state: fn(text: &str) -> String,
    /// A state ends too early.
    pub(super) state_cut: &'static str,
    /// A state has a wrong number of rows.
    pub(super) state_rows: fn(rows: usize) -> String,

    /// There is no record.
    pub(super) no_record: &'static str,
    /// Something follows a record.
    pub(super) after_record: &'static str,
    /// What a header is.
    pub(super) header_form: &'static str,
    /// A header is there twice.
    pub(super) header_repeated: fn(key: &str) -> String,
    /// No header names the rules.
    pub(super) no_rules_header: &'static str,
    /// The set-up in a header is none.
    pub(super) header_setup: fn(why: &str) -> String,
    /// The result in a header is none.
    pub(super) no_result: fn(text: &str) -> String,
    /// The reason in a header is none of those that are known, which are named.
    pub(super) no_reason: fn(text: &str, known: &str) -> String,
    /// There are two results.
    pub(super) result_differs: fn(header: &str, moves: &str) -> String,
    /// A result has no reason.
    pub(super) result_without_reason: fn(result: &str) -> String,
    /// A reason has no result.
    pub(super) reason_without_result: &'static str,
    /// A result stands in a variation.
    pub(super) result_in_variation: &'static str,
    /// A letter behind a backslash means nothing.
    pub(super) escape: fn(letter: &str) -> String,
    /// Nothing follows a backslash.
    pub(super) escape_nothing: &'static str,
    /// A value is not closed.
    pub(super) unclosed_value: &'static str,
    /// A comment is not closed.
    pub(super) unclosed_comment: &'static str,
    /// A variation is not closed.
    pub(super) unclosed_variation: &'static str,
    /// A bracket closes nothing.
    pub(super) unopened: fn(bracket: char) -> String,
    /// A variation has no move to replace.
    pub(super) variation_before_move: &'static str,
    /// A variation has no move.
    pub(super) empty_variation: &'static str,
    /// A time is none.
    pub(super) time: fn(text: &str) -> String,
    /// A score is none.
    pub(super) score: fn(text: &str) -> String,
    /// A glyph is none.
    pub(super) glyph: fn(text: &str) -> String,
    /// A word of a record is no move.
    pub(super) recorded_word: fn(word: &str, why: &str) -> String,

    /// A game cannot be played again.
    pub(super) not_replayed: fn(why: &str) -> String,
    /// A record is of another rule set.
    pub(super) other_rules: fn(recorded: &str, given: &str) -> String,
    /// No game can start from the set-up of a record.
    pub(super) unplayable: fn(why: &str) -> String,
    /// A move of a record, with its number as in `3...`, cannot be made.
    pub(super) recorded_move: fn(number: &str, step: &str, ply: usize, why: &str) -> String,
    /// A record has another outcome than the rules, which may have none.
    pub(super) other_outcome: fn(recorded: &str, found: Option<&str>) -> String,
    /// A move of a list cannot be made.
    pub(super) listed_move: fn(ply: usize, step: Move, why: &str) -> String,

    /// A log makes a move that is forbidden.
    pub(super) log_plays: fn(step: &str, why: &str) -> String,
    /// A move of a log has no two squares.
    pub(super) no_squares: &'static str,
    /// A log refuses a move that is allowed.
    pub(super) log_refuses: fn(step: Move) -> String,
    /// A log removes other men than the rules.
    pub(super) log_removes: fn(logged: &str, expected: &str) -> String,
    /// No men, as what is removed.
    pub(super) nothing: &'static str,
    /// A log shows another board.
    pub(super) log_board: fn(squares: &str) -> String,
    /// All squares of a board.
    pub(super) all_squares: &'static str,
    /// A log shows another turn or result, in the words of the wire.
    pub(super) log_turn: fn(logged: &str, expected: &str) -> String,
    /// No game can go on from a state of a log.
    pub(super) log_start: fn(why: &str) -> String,
}

const fn words(lang: Lang) -> &'static FaultWords {
    in_language!(lang, FAULTS)
}

/// Why a text is neither a position nor a game.
pub(super) fn read(lang: Lang, error: &ReadError) -> String {
    let words = words(lang);
    match error {
        ReadError::Empty => words.empty.into(),
        ReadError::Unknown(word) => (words.unknown)(&(words.quote)(word)),
        ReadError::Fault { format, fault } => {
            (words.looks_like)((words.format)(*format), &text(lang, fault))
        }
    }
}

fn text(lang: Lang, fault: &TextFault) -> String {
    let words = words(lang);
    match fault {
        TextFault::Board(error) => board(lang, error),
        TextFault::State(error) => state(lang, error),
        TextFault::Log(error) => log(lang, error),
        TextFault::Record { game: 1, error } => record(lang, error),
        TextFault::Record { game, error } => (words.its_game)(*game, &record(lang, error)),
        TextFault::NoGame => words.no_game.into(),
        TextFault::NoMove => words.no_move.into(),
        TextFault::Word { line, word, error } => {
            let why = match error {
                WordFault::Move(error) => step(lang, error),
                WordFault::Berkeley(_) => words.berkeley_form.into(),
            };
            let what = (words.listed_word)(&(words.quote)(word), &why);
            (words.in_line)(*line, &what)
        }
    }
}

/// Why a text is no move.
fn step(lang: Lang, error: &ParseMoveError) -> String {
    let words = words(lang);
    match error {
        ParseMoveError::Form => words.move_form.into(),
        ParseMoveError::From(_) => (words.first_square)(words.square_form),
        ParseMoveError::To(_) => (words.second_square)(words.square_form),
        error => error.to_string(),
    }
}

/// Why a text is no board or position.
fn board(lang: Lang, error: &ParseBoardError) -> String {
    let words = words(lang);
    match error {
        ParseBoardError::Rows(rows) => (words.rows)(*rows),
        ParseBoardError::Squares {
            row,
            found,
            expected,
        } => (words.squares)(*row, *found, *expected),
        ParseBoardError::Letter {
            letter,
            row,
            column,
        } => (words.no_piece)(&(words.letter)(*letter), *row, *column),
        ParseBoardError::RowNumber { number, row } => (words.row_number)(*number, *row),
        ParseBoardError::NoSide => words.no_side.into(),
        ParseBoardError::Side(text) => (words.side)(&(words.quote)(text)),
        ParseBoardError::Quiet(text) => (words.quiet)(&(words.quote)(text)),
        ParseBoardError::TooLong(text) => (words.after_position)(&(words.quote)(text)),
        error => error.to_string(),
    }
}

/// Why a text is no state in JSON.
fn state(lang: Lang, error: &StateError) -> String {
    let words = words(lang);
    match error {
        StateError::Json(fault) => (words.state_json)(fault),
        StateError::Turn(text) => (words.state_turn)(&(words.quote)(text)),
        StateError::Size => words.state_size.into(),
        StateError::Cell(text) => (words.state_cell)(&(words.quote)(text)),
    }
}

/// Why a text is no log, or no state as the Java server prints it.
fn log(lang: Lang, error: &ParseLogError) -> String {
    let words = words(lang);
    match error {
        ParseLogError::NoState => words.log_without_state.into(),
        ParseLogError::State { line, text } => {
            (words.in_line)(*line, &(words.no_state)(&(words.quote)(text)))
        }
        ParseLogError::Cut => words.state_cut.into(),
        ParseLogError::Rows { line, rows } => (words.in_line)(*line, &(words.state_rows)(*rows)),
    }
}

/// Why a text is no record.
pub(super) fn record(lang: Lang, error: &ParseRecordError) -> String {
    let words = words(lang);
    let what = match &error.fault {
        RecordFault::NoRecord => words.no_record.into(),
        RecordFault::Follows => words.after_record.into(),
        RecordFault::HeaderForm => words.header_form.into(),
        RecordFault::HeaderRepeated(key) => (words.header_repeated)(&harmless(key)),
        RecordFault::NoRules => words.no_rules_header.into(),
        RecordFault::Setup(error) => (words.header_setup)(&board(lang, error)),
        RecordFault::Result(text) => (words.no_result)(&(words.quote)(text)),
        RecordFault::Reason(text) => {
            let known = Reason::ALL.map(Reason::name).join(", ");
            (words.no_reason)(&(words.quote)(text), &known)
        }
        RecordFault::ResultDiffers { header, moves } => (words.result_differs)(header, moves),
        RecordFault::ResultWithoutReason(result) => (words.result_without_reason)(result),
        RecordFault::ReasonWithoutResult => words.reason_without_result.into(),
        RecordFault::ResultInVariation => words.result_in_variation.into(),
        RecordFault::Escape(Some(letter)) => (words.escape)(&(words.letter)(*letter)),
        RecordFault::Escape(None) => words.escape_nothing.into(),
        RecordFault::UnclosedValue => words.unclosed_value.into(),
        RecordFault::UnclosedComment => words.unclosed_comment.into(),
        RecordFault::UnclosedVariation => words.unclosed_variation.into(),
        RecordFault::Unopened(bracket) => (words.unopened)(*bracket),
        RecordFault::VariationBeforeMove => words.variation_before_move.into(),
        RecordFault::EmptyVariation => words.empty_variation.into(),
        RecordFault::Time(text) => (words.time)(&(words.quote)(text)),
        RecordFault::Score(text) => (words.score)(&(words.quote)(text)),
        RecordFault::Nag(text) => (words.glyph)(&(words.quote)(text)),
        RecordFault::Move { text, error } => {
            (words.recorded_word)(&(words.quote)(text), &step(lang, error))
        }
        fault => fault.to_string(),
    };
    (words.in_column)(error.line, error.column, &what)
}

/// Why the rules do not allow a game.
pub(super) fn game(lang: Lang, fault: &GameFault) -> String {
    let words = words(lang);
    let why = match fault {
        GameFault::Record(error) => replay(lang, error),
        GameFault::Log(found) => disagreement(lang, found),
        GameFault::Move {
            line,
            ply,
            step,
            error,
        } => {
            let what = (words.listed_move)(*ply, *step, &unplayed(lang, error));
            (words.in_line)(*line, &what)
        }
    };
    (words.not_replayed)(&why)
}

fn replay(lang: Lang, error: &ReplayError) -> String {
    let words = words(lang);
    match error {
        ReplayError::OtherRules { recorded, given } => {
            (words.other_rules)(&(words.quote)(recorded), &(words.quote)(given))
        }
        ReplayError::Setup(error) => (words.unplayable)(&setup_faults(lang, error)),
        ReplayError::Move { ply, step, reason } => {
            let dots = if ply % 2 == 1 { "." } else { "..." };
            let number = format!("{}{dots}", ply.div_ceil(2));
            let step = format!("{}-{}", step.from(), step.to());
            (words.recorded_move)(&number, &step, *ply, &unplayed(lang, reason))
        }
        ReplayError::Outcome { recorded, found } => {
            let found = found.map(|found| found.sentence(lang));
            (words.other_outcome)(&recorded.sentence(lang), found.as_deref())
        }
        error => error.to_string(),
    }
}

fn disagreement(lang: Lang, found: &Disagreement) -> String {
    let words = words(lang);
    let list = |names: Vec<String>, none: &str| match names.is_empty() {
        true => none.to_string(),
        false => harmless(&names.join(", ")).into_owned(),
    };
    let (line, what) = match found {
        Disagreement::Forbidden { line, step, why } => {
            let why = match why {
                Forbidden::NoSquares => words.no_squares.into(),
                Forbidden::Rules(error) => unplayed(lang, error),
            };
            (line, (words.log_plays)(&harmless(step), &why))
        }
        Disagreement::Allowed { line, step } => (line, (words.log_refuses)(*step)),
        Disagreement::Removed {
            line,
            logged,
            expected,
        } => {
            let expected = expected.iter().map(ToString::to_string).collect();
            let logged = list(logged.clone(), words.nothing);
            let expected = list(expected, words.nothing);
            (line, (words.log_removes)(&logged, &expected))
        }
        Disagreement::Board { line, squares } => {
            let squares = squares.iter().map(ToString::to_string).collect();
            let squares = list(squares, words.all_squares);
            (line, (words.log_board)(&squares))
        }
        Disagreement::Turn {
            line,
            logged,
            expected,
        } => (line, (words.log_turn)(logged, expected)),
        Disagreement::Start { line, why } => (line, (words.log_start)(&setup_faults(lang, why))),
    };
    (words.in_line)(*line, &what)
}

#[cfg(test)]
mod tests;
