//! Faulty texts and games, in English. The words are those of the errors themselves, which the command
//! line prints.

use tablut_challenge::document::TextFormat;

use super::super::fault::FaultWords;

/// What is said of faults.
pub(in crate::speech) const FAULTS: FaultWords = FaultWords {
    quote: |text| format!("{text:?}"),
    letter: |letter| format!("{letter:?}"),

    format,
    empty: "the text is empty",
    unknown: |word| {
        format!(
            "{word} cannot be read: it begins neither a position (one line, diagram, the referee's \
             JSON, the Java server's letters) nor a game (record, log of the Java server, list of \
             moves)"
        )
    },
    looks_like: |format, why| format!("this looks like {format}, but {why}"),
    its_game: |game, why| format!("its game {game}: {why}"),
    in_line: |line, why| format!("line {line}: {why}"),
    in_column: |line, column, why| format!("line {line}, column {column}: {why}"),
    no_game: "it contains no game",
    no_move: "it contains no move",
    listed_word: |word, why| format!("{word} is not a move: {why}"),

    move_form: "a move is two squares, as in e3e7 or e3-e7",
    berkeley_form: "a move is a square, a hyphen, and the column or row it goes to, as in b3-6 or b3-f",
    first_square: |why| format!("the first square is wrong: {why}"),
    second_square: |why| format!("the second square is wrong: {why}"),
    square_form: "a square is a letter a to i and a digit 1 to 9, as in e5",

    rows: |rows| format!("a board has 9 rows (or 7) separated by '/', this has {rows}"),
    squares: |row, found, expected| format!("row {row} has {found} squares instead of {expected}"),
    no_piece: |letter, row, column| {
        format!(
            "{letter} in row {row}, column {column}, is no piece: use b, w, K, and . or a digit for \
             empty squares"
        )
    },
    row_number: |number, row| {
        format!("row {row} from the top is called {number}; rows are counted from the top here")
    },
    no_side: "the side to move is missing: add w or b behind the board",
    side: |text| format!("the side to move is w or b, not {text}"),
    quiet: |text| format!("the moves without a capture are a number up to 65535, not {text}"),
    after_position: |text| format!("nothing may follow a position, but {text} does"),

    state_json: |fault| format!("the state is not JSON with a board and a turn: {fault}"),
    state_turn: |text| format!("the state has the unknown turn {text}"),
    state_size: "the state has a board that is neither 7×7 nor 9×9",
    state_cell: |text| format!("the state has a square with the unknown content {text}"),

    log_without_state: "this is not a game log of the contest: there is no state (\"Stato:\") in it",
    no_state: |text| {
        format!(
            "{text} is not part of a state: rows have the letters O W B K T, followed by - and W, B, \
             WW, BW or D"
        )
    },
    state_cut: "the state ends too early: its rows must be followed by a line with - and one with W, \
        B, WW, BW or D",
    state_rows: |rows| format!("a state with {rows} rows; boards have 7 or 9"),

    no_record: "there is no record",
    after_record: "the record has ended, but something follows",
    header_form: "a header has the form [Key \"value\"]",
    header_repeated: |key| format!("there are two headers {key}"),
    no_rules_header: "the header Rules is missing, as in [Rules \"ashton\"]",
    header_setup: |why| format!("the set-up is no position: {why}"),
    no_result: |text| format!("a result is 1-0, 0-1, 1/2-1/2 or *, not {text}"),
    no_reason: |text, known| {
        format!("{text} is not a reason for the end of a game; known are: {known}")
    },
    result_differs: |header, moves| {
        format!("the result behind the moves is {moves}, but {header} in the header")
    },
    result_without_reason: |result| {
        format!("the result {result} needs a header Reason, as in [Reason \"king escaped\"]")
    },
    reason_without_result: "there is a reason for the end of the game, but no result",
    result_in_variation: "a result cannot stand in a variation",
    escape: |letter| {
        format!("{letter} behind a backslash means nothing; a backslash itself is \\\\")
    },
    escape_nothing: "nothing follows the backslash",
    unclosed_value: "the value has no closing quotation mark",
    unclosed_comment: "the comment is never closed",
    unclosed_variation: "the variation is never closed",
    unopened: |bracket| format!("{bracket} closes nothing"),
    variation_before_move: "a variation stands behind the move it replaces, and there is none yet",
    empty_variation: "the variation has no move",
    time: |text| format!("a time is hours, minutes and seconds as in 0:00:59.500, not {text}"),
    score: |text| {
        format!(
            "{text} is no score: a score is a number with up to two decimals, or # and the plies to \
             a win, as in 1.25, #5 or #-3"
        )
    },
    glyph: |text| {
        format!("{text} is no glyph: one of ! ? !! ?? !? ?!, or $ and a number up to 255")
    },
    recorded_word: |word, why| format!("{word} is no move: {why}"),

    not_replayed: |why| format!("the game cannot be replayed: {why}"),
    other_rules: |recorded, given| {
        format!("the record is of a game under the rule set {recorded}, not {given}")
    },
    unplayable: |why| format!("the set-up cannot be played: {why}"),
    recorded_move: |number, step, ply, why| {
        format!("move {number} {step} (ply {ply}) cannot be made: {why}")
    },
    other_outcome: |recorded, found| match found {
        Some(found) => format!("the record says {recorded}, but under the rules it is {found}"),
        None => format!("the record says {recorded}, but under the rules the game is not over"),
    },
    listed_move: |ply, step, why| format!("move {ply} ({step}) cannot be made: {why}"),

    log_plays: |step, why| format!("the log plays {step}, which is not allowed: {why}"),
    no_squares: "these are not two squares",
    log_refuses: |step| format!("the log refuses {step}, which is allowed"),
    log_removes: |logged, expected| format!("the log removes {logged}, the rules {expected}"),
    nothing: "nothing",
    log_board: |squares| format!("the log and the rules disagree about the board, on {squares}"),
    all_squares: "all squares",
    log_turn: |logged, expected| format!("the log says {logged}, the rules {expected}"),
    log_start: |why| format!("no game can continue from this state: {why}"),
};

fn format(format: TextFormat) -> &'static str {
    match format {
        TextFormat::Line | TextFormat::Board => "a position in one line",
        TextFormat::Diagram => "a diagram",
        TextFormat::Json => "a state in the referee's JSON",
        TextFormat::Java => "a state as the Java server prints it",
        TextFormat::Record => "a record",
        TextFormat::Log => "a game log of the Java server",
        TextFormat::Moves => "a list of moves",
        TextFormat::Berkeley => "a list of Berkeley moves",
    }
}
