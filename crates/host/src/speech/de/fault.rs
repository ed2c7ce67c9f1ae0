//! Faulty texts and games, in German.

use tablut_challenge::{
    document::TextFormat,
    message::{JsonFault, JsonFaultKind},
};
use tablut_rules::text::harmless;

use super::super::fault::FaultWords;

/// What is said of faults.
pub(in crate::speech) const FAULTS: FaultWords = FaultWords {
    quote: |text| format!("„{}“", harmless(text)),
    letter: |letter| format!("„{}“", harmless(letter.encode_utf8(&mut [0; 4]))),

    format,
    empty: "der Text ist leer",
    unknown: |word| {
        format!(
            "{word} lässt sich nicht lesen: So beginnt weder eine Stellung (eine Zeile, Diagramm, JSON \
             des Schiedsrichters, Buchstaben des Java-Servers) noch eine Partie (Partieprotokoll, Log \
             des Java-Servers, Liste von Zügen)"
        )
    },
    looks_like: |format, why| format!("das sieht nach {format} aus, aber {why}"),
    its_game: |game, why| format!("in Partie {game}, {why}"),
    in_line: |line, why| format!("in Zeile {line}: {}", capital(why)),
    in_column: |line, column, why| format!("in Zeile {line}, Spalte {column}: {}", capital(why)),
    no_game: "es enthält keine Partie",
    no_move: "es enthält keinen Zug",
    listed_word: |word, why| format!("{word} ist kein Zug: {}", capital(why)),

    move_form: "ein Zug besteht aus zwei Feldern, zum Beispiel e3e7 oder e3-e7",
    berkeley_form: "ein Zug ist ein Feld, ein Bindestrich und die Spalte oder Reihe, in die er führt, \
        zum Beispiel b3-6 oder b3-f",
    first_square: |why| format!("das erste Feld ist falsch: {}", capital(why)),
    second_square: |why| format!("das zweite Feld ist falsch: {}", capital(why)),
    square_form: "ein Feld ist ein Buchstabe von a bis i und eine Ziffer von 1 bis 9, zum Beispiel e5",

    rows: |rows| {
        format!(
            "ein Brett hat 9 Reihen (oder 7), getrennt durch „/“; die Zahl der Reihen ist hier {rows}"
        )
    },
    squares: |row, found, expected| {
        format!("die Zahl der Felder in Reihe {row} ist {found} statt {expected}")
    },
    no_piece: |letter, row, column| {
        format!(
            "{letter} in Reihe {row}, Spalte {column} ist keine Figur: Verwende b, w, K und für leere \
             Felder . oder eine Ziffer"
        )
    },
    row_number: |number, row| {
        format!(
            "die Reihe {row} von oben hat die Nummer {number}; hier werden die Reihen von oben gezählt"
        )
    },
    no_side: "die Seite am Zug fehlt: Schreibe w oder b hinter das Brett",
    side: |text| format!("die Seite am Zug ist w oder b, nicht {text}"),
    quiet: |text| format!("die Züge ohne Schlagen sind eine Zahl bis 65535, nicht {text}"),
    after_position: |text| {
        format!("hinter einer Stellung darf nichts mehr stehen, hier steht aber {text}")
    },

    state_json,
    state_turn: |text| format!("der Zustand nennt unter „turn“ etwas Unbekanntes: {text}"),
    state_size: "der Zustand hat ein Brett, das weder 7×7 noch 9×9 Felder hat",
    state_cell: |text| format!("der Zustand hat ein Feld mit unbekanntem Inhalt: {text}"),

    log_without_state: "es ist kein Log einer Partie der Challenge: Es enthält keinen Zustand \
        („Stato:“)",
    no_state: |text| {
        format!(
            "{text} gehört zu keinem Zustand: Reihen haben die Buchstaben O W B K T, danach folgen - \
             und W, B, WW, BW oder D"
        )
    },
    state_cut: "der Zustand endet zu früh: Auf seine Reihen müssen eine Zeile mit - und eine mit W, B, \
        WW, BW oder D folgen",
    state_rows: |rows| {
        format!("die Zahl der Reihen dieses Zustands ist {rows}; ein Brett hat 7 oder 9")
    },

    no_record: "da ist kein Partieprotokoll",
    after_record: "das Partieprotokoll ist zu Ende, aber es folgt noch etwas",
    header_form: "eine Kopfzeile hat die Form [Schlüssel \"Wert\"]",
    header_repeated: |key| format!("die Kopfzeile {key} gibt es zweimal"),
    no_rules_header: "die Kopfzeile Rules fehlt, zum Beispiel [Rules \"ashton\"]",
    header_setup: |why| {
        format!(
            "die Kopfzeile Setup enthält keine Stellung: {}",
            capital(why)
        )
    },
    no_result: |text| format!("ein Ergebnis ist 1-0, 0-1, 1/2-1/2 oder *, nicht {text}"),
    no_reason: |text, known| {
        format!("{text} ist kein Grund für das Ende einer Partie; bekannt sind: {known}")
    },
    result_differs: |header, moves| {
        format!("das Ergebnis hinter den Zügen ist {moves}, in der Kopfzeile aber {header}")
    },
    result_without_reason: |result| {
        format!(
            "zum Ergebnis {result} gehört eine Kopfzeile Reason, zum Beispiel [Reason \"king \
             escaped\"]"
        )
    },
    reason_without_result: "es gibt einen Grund für das Ende der Partie, aber kein Ergebnis",
    result_in_variation: "ein Ergebnis kann nicht in einer Variante stehen",
    escape: |letter| {
        format!(
            "{letter} hinter einem Rückstrich bedeutet nichts; ein Rückstrich selbst wird als \\\\ \
             geschrieben"
        )
    },
    escape_nothing: "hinter dem Rückstrich steht nichts",
    unclosed_value: "dem Wert fehlt das schließende Anführungszeichen",
    unclosed_comment: "der Kommentar wird nirgends geschlossen",
    unclosed_variation: "die Variante wird nirgends geschlossen",
    unopened: |bracket| format!("{bracket} schließt nichts"),
    variation_before_move: "eine Variante steht hinter dem Zug, den sie ersetzt, und hier gibt es noch \
        keinen",
    empty_variation: "die Variante hat keinen Zug",
    time: |text| {
        format!("eine Zeit besteht aus Stunden, Minuten und Sekunden wie 0:00:59.500, nicht {text}")
    },
    score: |text| {
        format!(
            "{text} ist keine Bewertung: Eine Bewertung ist eine Zahl mit höchstens zwei \
             Dezimalstellen oder # und die Zahl der Züge bis zum Gewinn, zum Beispiel 1.25, #5 oder \
             #-3"
        )
    },
    glyph: |text| {
        format!(
            "{text} ist kein Zeichen für einen Zug: Es gibt ! ? !! ?? !? ?! sowie $ mit einer Zahl bis \
             255"
        )
    },
    recorded_word: |word, why| format!("{word} ist kein Zug: {}", capital(why)),

    not_replayed: |why| format!("die Partie lässt sich nicht nachspielen: {}", capital(why)),
    other_rules: |recorded, given| {
        format!("die Partie gehört zum Regelwerk {recorded}, nicht zu {given}")
    },
    unplayable: |why| {
        format!(
            "von der Anfangsstellung aus lässt sich nicht spielen: {}",
            capital(why)
        )
    },
    recorded_move: |number, step, ply, why| {
        format!(
            "der Zug {number} {step} (Halbzug {ply}) ist nicht möglich: {}",
            capital(why)
        )
    },
    other_outcome: |recorded, found| match found {
        Some(found) => {
            format!("im Partieprotokoll steht „{recorded}“, nach den Regeln aber gilt „{found}“")
        }
        None => format!(
            "im Partieprotokoll steht „{recorded}“, nach den Regeln aber ist die Partie nicht zu Ende"
        ),
    },
    listed_move: |ply, step, why| format!("Zug {ply} ({step}) ist nicht möglich: {}", capital(why)),

    log_plays: |step, why| {
        format!(
            "das Log spielt {step}, was nicht erlaubt ist: {}",
            capital(why)
        )
    },
    no_squares: "das sind keine zwei Felder",
    log_refuses: |step| format!("das Log lehnt {step} ab, obwohl der Zug erlaubt ist"),
    log_removes: |logged, expected| {
        format!("entfernte Figuren laut Log: {logged}; nach den Regeln: {expected}")
    },
    nothing: "keine",
    log_board: |squares| format!("Log und Regeln zeigen verschiedene Bretter: {squares}"),
    all_squares: "alle Felder",
    log_turn: |logged, expected| format!("im Log steht {logged}, nach den Regeln gilt {expected}"),
    log_start: |why| {
        format!(
            "von diesem Zustand aus kann keine Partie weitergehen: {}",
            capital(why)
        )
    },
};

/// A sentence behind a colon, which begins with a capital.
fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// What a text looks like, in the dative, after "nach".
fn format(format: TextFormat) -> &'static str {
    match format {
        TextFormat::Line | TextFormat::Board => "einer Stellung in einer Zeile",
        TextFormat::Diagram => "einem Diagramm",
        TextFormat::Json => "einem Zustand im JSON des Schiedsrichters",
        TextFormat::Java => "einem Zustand des Java-Servers",
        TextFormat::Record => "einem Partieprotokoll",
        TextFormat::Log => "dem Log einer Partie des Java-Servers",
        TextFormat::Moves => "einer Liste von Zügen",
        TextFormat::Berkeley => "einer Liste von Zügen nach Berkeley",
    }
}

fn state_json(fault: &JsonFault) -> String {
    let JsonFault { line, column, .. } = fault;
    let what = match fault.kind {
        JsonFaultKind::Cut => "endet der Text zu früh",
        JsonFaultKind::Syntax => "steht etwas, das kein JSON ist",
        JsonFaultKind::Form => {
            "fehlt etwas oder passt nicht; nötig sind \"board\", eine Liste von Reihen aus Wörtern, und \"turn\", ein Wort"
        }
    };
    format!(
        "der Zustand ist kein JSON mit einem Brett und einem „turn“: In Zeile {line}, Spalte \
         {column} {what}"
    )
}
