//! Faulty texts and games, in Italian.

use tablut_challenge::{
    document::TextFormat,
    message::{JsonFault, JsonFaultKind},
};
use tablut_rules::text::harmless;

use super::super::fault::FaultWords;

/// What is said of faults.
pub(in crate::speech) const FAULTS: FaultWords = FaultWords {
    quote: |text| format!("«{}»", harmless(text)),
    letter: |letter| format!("«{}»", harmless(letter.encode_utf8(&mut [0; 4]))),

    format,
    empty: "il testo è vuoto",
    unknown: |word| {
        format!(
            "{word} non si può leggere: non è l'inizio né di una posizione (una riga, diagramma, JSON \
             dell'arbitro, lettere del server Java) né di una partita (formato completo, log del \
             server Java, elenco di mosse)"
        )
    },
    looks_like: |format, why| format!("questo testo sembra {format}, ma {why}"),
    its_game: |game, why| format!("nella partita {game}, {why}"),
    in_line: |line, why| format!("alla riga {line}: {why}"),
    in_column: |line, column, why| format!("alla riga {line}, colonna {column}: {why}"),
    no_game: "non contiene nessuna partita",
    no_move: "non contiene nessuna mossa",
    listed_word: |word, why| format!("{word} non è una mossa: {why}"),

    move_form: "una mossa è di due caselle, come e3e7 o e3-e7",
    berkeley_form: "una mossa è una casella, un trattino e la colonna o la riga di arrivo, come b3-6 \
        o b3-f",
    first_square: |why| format!("la prima casella è sbagliata: {why}"),
    second_square: |why| format!("la seconda casella è sbagliata: {why}"),
    square_form: "una casella è una lettera dalla a alla i e una cifra da 1 a 9, come e5",

    rows: |rows| {
        format!("una scacchiera ha 9 righe (o 7) separate da «/», qui il numero di righe è {rows}")
    },
    squares: |row, found, expected| {
        format!(
            "nella riga {row} della scacchiera il numero di caselle è {found} invece di {expected}"
        )
    },
    no_piece: |letter, row, column| {
        format!(
            "{letter} nella riga {row}, colonna {column} della scacchiera, non è un pezzo: usa b, w, \
             K, e . o una cifra per le caselle vuote"
        )
    },
    row_number: |number, row| {
        format!("la riga {row} dall'alto ha il numero {number}; qui le righe si contano dall'alto")
    },
    no_side: "non è detto a chi tocca: aggiungi w o b dopo la scacchiera",
    side: |text| format!("a chi tocca si indica con w o b, non con {text}"),
    quiet: |text| format!("le mosse senza cattura sono un numero fino a 65535, non {text}"),
    after_position: |text| format!("dopo una posizione non può seguire nulla, invece c'è {text}"),

    state_json,
    state_turn: |text| format!("lo stato ha un turno sconosciuto: {text}"),
    state_size: "lo stato ha una scacchiera che non è né 7×7 né 9×9",
    state_cell: |text| format!("lo stato ha una casella dal contenuto sconosciuto: {text}"),

    log_without_state: "non è il log di una partita della Challenge: non contiene nessuno stato \
        («Stato:»)",
    no_state: |text| {
        format!(
            "{text} non fa parte di uno stato: le righe hanno le lettere O W B K T, poi seguono - e W, \
             B, WW, BW o D"
        )
    },
    state_cut: "lo stato finisce troppo presto: dopo le sue righe devono seguire una riga con - e una \
        con W, B, WW, BW o D",
    state_rows: |rows| {
        format!("il numero di righe di questo stato è {rows}; una scacchiera ne ha 7 o 9")
    },

    no_record: "non c'è nessuna partita",
    after_record: "la partita è terminata, ma segue ancora qualcosa",
    header_form: "un'intestazione ha la forma [Chiave \"valore\"]",
    header_repeated: |key| format!("l'intestazione {key} compare due volte"),
    no_rules_header: "manca l'intestazione Rules, come in [Rules \"ashton\"]",
    header_setup: |why| format!("l'intestazione Setup non contiene una posizione: {why}"),
    no_result: |text| format!("un risultato è 1-0, 0-1, 1/2-1/2 o *, non {text}"),
    no_reason: |text, known| {
        format!("{text} non è un motivo per la fine di una partita; quelli noti sono: {known}")
    },
    result_differs: |header, moves| {
        format!("il risultato dopo le mosse è {moves}, ma nell'intestazione è {header}")
    },
    result_without_reason: |result| {
        format!(
            "al risultato {result} serve un'intestazione Reason, come in [Reason \"king escaped\"]"
        )
    },
    reason_without_result: "c'è un motivo per la fine della partita, ma nessun risultato",
    result_in_variation: "un risultato non può stare in una variante",
    escape: |letter| {
        format!(
            "{letter} dopo una barra rovesciata non significa nulla; la barra rovesciata stessa si \
             scrive \\\\"
        )
    },
    escape_nothing: "dopo la barra rovesciata non segue nulla",
    unclosed_value: "al valore mancano le virgolette di chiusura",
    unclosed_comment: "il commento non viene mai chiuso",
    unclosed_variation: "la variante non viene mai chiusa",
    unopened: |bracket| format!("{bracket} non chiude nulla"),
    variation_before_move: "una variante sta dopo la mossa che sostituisce, e qui non c'è ancora \
        nessuna mossa",
    empty_variation: "la variante non ha mosse",
    time: |text| format!("un tempo è di ore, minuti e secondi, come 0:00:59.500, non {text}"),
    score: |text| {
        format!(
            "{text} non è una valutazione: una valutazione è un numero con al massimo due decimali, \
             oppure # e le mosse che mancano alla vittoria, come 1.25, #5 o #-3"
        )
    },
    glyph: |text| {
        format!(
            "{text} non è un simbolo: i simboli sono ! ? !! ?? !? ?!, oppure $ e un numero fino a 255"
        )
    },
    recorded_word: |word, why| format!("{word} non è una mossa: {why}"),

    not_replayed: |why| format!("la partita non si può rigiocare: {why}"),
    other_rules: |recorded, given| {
        format!("la partita è del regolamento {recorded}, non di {given}")
    },
    unplayable: |why| format!("dalla posizione iniziale non si può giocare: {why}"),
    recorded_move: |number, step, ply, why| {
        format!("la mossa {number} {step} (la numero {ply} della partita) non si può fare: {why}")
    },
    other_outcome: |recorded, found| match found {
        Some(found) => format!("il testo dice «{recorded}», ma secondo le regole è «{found}»"),
        None => format!("il testo dice «{recorded}», ma secondo le regole la partita non è finita"),
    },
    listed_move: |ply, step, why| format!("la mossa {ply} ({step}) non si può fare: {why}"),

    log_plays: |step, why| format!("il log gioca {step}, che non è ammessa: {why}"),
    no_squares: "queste non sono due caselle",
    log_refuses: |step| format!("il log rifiuta {step}, che è ammessa"),
    log_removes: |logged, expected| {
        format!("pezzi tolti secondo il log: {logged}; secondo le regole: {expected}")
    },
    nothing: "nessuno",
    log_board: |squares| {
        format!("il log e le regole non concordano sulla scacchiera, in {squares}")
    },
    all_squares: "tutte le caselle",
    log_turn: |logged, expected| format!("il log dice {logged}, le regole {expected}"),
    log_start: |why| format!("da questo stato la partita non può continuare: {why}"),
};

fn format(format: TextFormat) -> &'static str {
    match format {
        TextFormat::Line | TextFormat::Board => "una posizione in una riga",
        TextFormat::Diagram => "un diagramma",
        TextFormat::Json => "uno stato nel JSON dell'arbitro",
        TextFormat::Java => "uno stato come lo scrive il server Java",
        TextFormat::Record => "una partita nel formato completo",
        TextFormat::Log => "il log di una partita del server Java",
        TextFormat::Moves => "un elenco di mosse",
        TextFormat::Berkeley => "un elenco di mosse di Berkeley",
    }
}

fn state_json(fault: &JsonFault) -> String {
    let JsonFault { line, column, .. } = fault;
    let what = match fault.kind {
        JsonFaultKind::Cut => "il testo finisce troppo presto",
        JsonFaultKind::Syntax => "c'è qualcosa che non è JSON",
        JsonFaultKind::Form => {
            "qualcosa manca o non va bene; servono \"board\", un elenco di righe fatte di parole, e \"turn\", una parola"
        }
    };
    format!(
        "lo stato non è JSON con una scacchiera e un turno: alla riga {line}, colonna {column}, {what}"
    )
}
