//! Italian.

use tablut_rules::{
    Move, Side,
    text::{Lang, Topic},
};

use super::{Words, whole};
use crate::{KingNeed, Refusal, Task, Theme};

pub(super) const WORDS: Words = Words {
    topic,
    first_win: "Una prima vittoria",
    theme,
    plan,
    win: "Ora vinci tu una partita. Bastano due mosse, qualunque cosa faccia nel frattempo l'altro.",
    task,
    back,
    refusal,
    right: "Giusto.",
    go_on: "Giusto fin qui. L'altro ha risposto: continua.",
    deed: |deed| format!("La mossa {deed}."),
    left_camp: "È uscita dal suo campo e non può più rientrarvi.",
    crossed: "Il castello è vuoto e ogni pezzo può attraversarlo.",
    way: "Ogni casella sulla strada è vuota, quindi può arrivare fin lì.",
};

const fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::Aims => "Lo scopo del gioco",
        Topic::Moves => "Come si muovono i pezzi",
        Topic::Castle => "Il castello",
        Topic::Camps => "I campi",
        Topic::Men => "Catturare le pedine",
        Topic::Hostile => "Caselle che aiutano a catturare",
        Topic::King => "Catturare il re",
        Topic::Escapes => "Il re fugge",
        Topic::Calls => "Raichi e tuichu",
        Topic::Ends => "Patta e altri finali",
    }
}

const fn theme(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => "Due vie insieme",
        Theme::Diagonal => "La diagonale che chiude un angolo",
        Theme::CampAnvil => "Il campo come incudine",
        Theme::Siege => "Come si assedia il re",
        Theme::Repeat => "Quando ripetere",
    }
}

const fn plan(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => {
            "Con una mossa il nero può chiudere una via, ma non due. Perciò il bianco cerca una casella da \
             cui il re ha vie aperte verso due mete, o toglie di mezzo la pedina che ne chiude una."
        }
        Theme::Diagonal => {
            "I pezzi si muovono solo lungo righe e colonne: pedine che si toccano con gli angoli sono un \
             muro, e il re non passa tra loro. Poche pedine in diagonale chiudono un intero angolo, e non \
             hanno bisogno di difesa perché è difficile catturarle. Il nero chiude prima i quattro angoli \
             e poi dà la caccia."
        }
        Theme::CampAnvil => {
            "Una casella che aiuta a catturare è come un'incudine: c'è sempre, e nessuno può toglierla. Un pezzo \
             accanto a una di esse può essere catturato da un solo nemico. Spingi lì i pezzi avversari e tieni \
             lontani i tuoi."
        }
        Theme::Siege => {
            "Chiudi prima le vie del re, poi i suoi lati. Quando può muoversi appena non c'è fretta: porta una a \
             una le pedine che mancano, e lascia al loro posto quelle che gli stanno già accanto."
        }
        Theme::Repeat => {
            "Dove una posizione ripetuta è patta, ripetere salva chi altrimenti perderebbe. Chi sta vincendo deve \
             giocare in tempo qualcos'altro."
        }
    }
}

const fn colour(side: Side) -> &'static str {
    match side {
        Side::Attackers => "Il nero",
        Side::Defenders => "Il bianco",
    }
}

fn task(task: &Task, side: Side) -> String {
    let colour = colour(side);
    match task {
        Task::Any => format!("{colour} muove: fai una mossa qualsiasi."),
        Task::Go { from, to } => format!("Muovi la pedina da {from} a {to}."),
        Task::GoFar { from, towards, .. } => {
            format!("Muovi la pedina su {from} verso {towards}, il più lontano possibile.")
        }
        Task::Capture { square } => format!("{colour} muove: cattura la pedina su {square}."),
        Task::CaptureKing => "Il nero muove: cattura il re.".into(),
        Task::Escape => "Il bianco muove: porta il re su una meta.".into(),
        Task::OpenLanes { .. } => {
            "Il bianco muove: fai una mossa dopo la quale il re ha almeno due vie aperte (tuichu)."
                .into()
        }
        Task::CloseLanes => "Il nero muove: il re ha una via aperta. Chiudila.".into(),
        Task::Repeat => format!("{colour} muove: salva la patta ripetendo la posizione."),
        Task::Vary => format!(
            "{colour} muove: fai una mossa che non ripeta la posizione, perché così si perde."
        ),
        Task::Win { plies } => {
            let moves = plies.div_ceil(2);
            format!("{colour} muove: vinci con {moves} mosse tue, qualunque cosa giochi l'altro.")
        }
        Task::CloseCorner { corner } => {
            format!("Il nero muove: taglia fuori il re dall'angolo {corner}.")
        }
    }
}

/// Where the last move came from, and how often the position occurs if it is taken back.
fn back(there: Move, times: usize) -> String {
    let nth = match times {
        2 => "seconda".into(),
        3 => "terza".into(),
        n => format!("{n}ª"),
    };
    let (from, to) = (there.from(), there.to());
    format!(
        "Con la tua ultima mossa la pedina è andata da {from} a {to}: se torna indietro, la posizione si presenta \
         per la {nth} volta."
    )
}

fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Elsewhere { from, to } => {
            format!("È permesso, ma non è quello che si chiede: muovi da {from} a {to}.")
        }
        Refusal::OtherWay { from, towards } => format!(
            "È permesso, ma non è quello che si chiede: muovi la pedina su {from} verso {towards}."
        ),
        Refusal::Further => "Può andare più lontano.".into(),
        Refusal::NotCaptured { square, by } => {
            // The king captures, too.
            let own = match by {
                Side::Attackers => "la tua pedina",
                Side::Defenders => "il tuo pezzo",
            };
            format!(
                "La pedina su {square} è ancora lì. Cade tra {own} che muove e una casella ostile dal lato \
                 opposto."
            )
        }
        Refusal::KingFree { need: None } => "Il re è ancora libero.".into(),
        Refusal::KingFree { need: Some(it) } => format!("Il re è ancora libero. {}", need(*it)),
        Refusal::NoGoal => "Il re non ha raggiunto una meta.".into(),
        Refusal::FewLanes { found: 0, .. } => "Dopo questa mossa il re non ha vie aperte.".into(),
        Refusal::FewLanes { .. } => "Così si apre una sola via, e una si può chiudere.".into(),
        Refusal::LaneOpen { goal } => format!("Il re può ancora andare su {goal}."),
        Refusal::NewPosition => {
            "Questa posizione è nuova, quindi la partita continua. Torna là da dove è venuta la tua pedina.".into()
        }
        Refusal::Repeats => "Così si ripete la posizione, e chi ripete perde.".into(),
        Refusal::NoWin => "A questa l'altro ha una risposta: così non vinci in tempo.".into(),
        Refusal::CornerOpen { corner } => {
            format!("Il re trova ancora una strada verso le mete dell'angolo {corner}.")
        }
        Refusal::WhiteWall { corner } => format!(
            "Così l'angolo {corner} è chiuso solo grazie alle pedine del bianco, che possono andarsene. \
             Chiudilo con pedine nere."
        ),
        Refusal::WinsUncaptured { square } => {
            format!("Così vinci la partita, ma il compito è catturare la pedina su {square}.")
        }
        Refusal::WinsOtherwise => "Così vinci la partita, ma il compito è un altro.".into(),
        Refusal::Ended { outcome } => whole(&outcome.sentence(Lang::It)),
    }
}

const fn need(need: KingNeed) -> &'static str {
    match need {
        KingNeed::AllSides { on_castle: true } => {
            "Sul castello servono pedine nere su tutti e quattro i lati."
        }
        KingNeed::AllSides { on_castle: false } => {
            "Qui servono pedine nere su tutti e quattro i lati."
        }
        KingNeed::OtherSides => "Accanto al castello servono pedine nere sugli altri tre lati.",
        KingNeed::CampSides { castle: false } => {
            "Qui servono pedine nere su ogni lato che un campo non chiude."
        }
        KingNeed::CampSides { castle: true } => {
            "Qui servono pedine nere su ogni lato che né il castello né un campo chiudono."
        }
        KingNeed::Between { camps: true } => {
            "Qui: porta una pedina accanto a lui, con una pedina nera o una casella di un campo dalla parte \
             opposta."
        }
        KingNeed::Between { camps: false } => {
            "Qui: porta una pedina accanto a lui, con una pedina nera dalla parte opposta."
        }
    }
}
