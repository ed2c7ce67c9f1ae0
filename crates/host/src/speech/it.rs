//! Italian.

mod fault;

use tablut_arena::tournament::{Change, Misfit, Winner};

use super::{
    Phrase, Words,
    correction::{settings, text},
};
use crate::tournament::Notice;

pub(super) use fault::FAULTS;

/// What is said.
pub(super) const WORDS: Words = Words {
    phrase,
    quotes: ["«", "»"],
    change,
    notice,
    misfit,
    needed_by: |by, why| format!("vi si basa la correzione {by} ({why}); annulla prima quella"),
    no_rules: |id| format!("qui non c'è un regolamento «{id}»"),
    no_sandbox: |why| {
        format!(
            "su questo sistema i programmi non si possono isolare: {why}; per fidartene, avvia il \
             server con --trust-programs"
        )
    },
};

const fn phrase(phrase: Phrase) -> &'static str {
    match phrase {
        Phrase::BadMessage => "la pagina ha inviato qualcosa che il server non capisce; ricaricala",
        Phrase::TooFast => "troppe richieste; attendi un momento",
        Phrase::NoSuchRules => "qui non c'è questo regolamento",
        Phrase::NoPosition => "questa non è una posizione",
        Phrase::NoMove => "una mossa è di due caselle, come e3e7",
        Phrase::BadName => "un nome ha al massimo 40 lettere, e nulla che non si veda",
        Phrase::BadTitle => {
            "il nome di una posizione ha da 1 a 80 lettere, e nulla che non si veda"
        }
        Phrase::BadSetting => "questa impostazione non esiste",
        Phrase::NotLocal => "solo chi è sulla macchina del server può cambiarlo",
        Phrase::NotOrganiser => {
            "può farlo solo l'organizzatore: dalla macchina del server, o con il suo codice"
        }
        Phrase::BadToken => "questo non è il codice dell'organizzatore",
        Phrase::BadAdminToken => {
            "questo non è il codice dell'amministratore, o il server non ne ha"
        }
        Phrase::NoProcess => "questo processo è già terminato",
        Phrase::ProgramsFromHere => {
            "quali programmi si avviano si può dire solo dalla macchina del server"
        }
        Phrase::NoSlot => "gli spazi vanno da 0 a 9",
        Phrase::LibraryFull => "la raccolta è piena; elimina prima una posizione",
        Phrase::BadTerms => "questa partita non si può giocare: controlla tempo e motore",
        Phrase::NoGame => "non stai guardando una partita",
        Phrase::Behind => "la partita è andata avanti; guarda di nuovo",
        Phrase::NoSuchGame => "qui non c'è questa partita",
        Phrase::NoSuchPosition => "non hai questa posizione",
        Phrase::NoSuchLesson => "qui non c'è una lezione così",
        Phrase::NoSuchPuzzle => "qui non c'è un problema così",
        Phrase::NotThatLine => "la scacchiera mostra altro; ricomincia da capo",
        Phrase::RunOver => "questa serie è finita; cominciane un'altra",
        Phrase::NoSuchTournament => "qui non c'è questo torneo",
        Phrase::TooLong => "questo testo è troppo lungo: se ne legge al massimo 1 MiB alla volta",
        Phrase::TooManyMoves => {
            "questa partita è troppo lunga: qui si mostrano al massimo 1000 mosse"
        }
        Phrase::NotStarted => "la partita non è cominciata: l'altro giocatore non è ancora qui",
        Phrase::NotYourTurn => "non tocca a te",
        Phrase::Over => "la partita è finita",
        Phrase::NoOffer => "non è stato offerto nulla",
        Phrase::NothingToTakeBack => "non c'è una mossa da ritirare",
        Phrase::Watching => "stai guardando questa partita",
        Phrase::NoTakeBacks => "in questa partita le mosse non si ritirano",
        Phrase::Lost => "il collegamento con la partita è caduto",
        Phrase::Store => "non è stato possibile salvare, quindi non è cambiato nulla",
        Phrase::Full => "il server non ha posto per un'altra partita",
        Phrase::TooManyGames => "hai troppe partite aperte; finiscine o abbandonane una",
        Phrase::TooManyKept => "il server non conserva altre tue partite; chiedi a chi lo gestisce",
        Phrase::TooManyVisitors => "troppi nuovi visitatori dal tuo indirizzo; riprova più tardi",
        Phrase::TooManyGuesses => {
            "dal tuo indirizzo sono stati provati troppi inviti sbagliati; riprova più tardi"
        }
        Phrase::StoreFull => {
            "l'archivio del server è pieno, quindi non si salva altro; avvisa chi lo gestisce"
        }
        Phrase::OwnInvitation => {
            "questo è il tuo invito: manda il link a chi deve giocare contro di te; per giocare da entrambe le parti, crea una partita sullo stesso schermo"
        }
        Phrase::Begun => {
            "l'altro giocatore c'è già; puoi abbandonare la partita, ma non annullarla"
        }
        Phrase::Busy => "i motori sono occupati; riprova tra un momento",
        Phrase::NotAllowed => "non ammessa",
        Phrase::NoHint => "nessun suggerimento: qui nessuno può muovere",
        Phrase::NotOver => "la partita non è finita",
        Phrase::NoSuchVisitor => "questo browser qui non è più conosciuto; ricarica la pagina",
        Phrase::Archived => "il torneo è archiviato; prima riprendilo",
        Phrase::NotArchived => {
            "il torneo non è archiviato; si elimina solo ciò che è stato archiviato"
        }
        Phrase::NoSuchStudy => "qui non c'è questo studio",
        Phrase::NoSuchNode => "questa mossa non c'è più; guarda di nuovo",
        Phrase::TooManyStudies => "hai troppi studi; eliminane prima uno",
        Phrase::NotYourStudy => {
            "questo studio è di un'altra persona; copialo sulla tua scacchiera per modificarlo"
        }
        Phrase::BadStudyName => {
            "il nome di uno studio ha da 1 a 80 lettere, senza caratteri invisibili"
        }
        Phrase::OtherBoard => "questa posizione non sta sulla scacchiera di questo regolamento",
        Phrase::StudyTooLong => {
            "è troppo per una sola scacchiera: al massimo 5000 mosse, e 1000 in una linea"
        }
        Phrase::StudyTooLarge => {
            "c'è troppo testo su questa scacchiera: un commento ha al massimo 4000 lettere, tutti \
             insieme circa 200.000"
        }
        Phrase::TooManyMarks => "qui ci sono troppi segni o disegni",
        Phrase::NoGameInText => "nel testo non c'è una partita",
        Phrase::NotAGame => "questa è una posizione, non una partita",
        Phrase::Unfinished => "la partita non ha un risultato; aprila in Analisi",
        Phrase::KnownGame => "questa partita è già nella tua biblioteca",
        Phrase::TooManyInText => {
            "un file può contenere 2000 partite; metti le altre in un altro file"
        }
        Phrase::BadSearch => "non si possono cercare partite in questo modo",
        Phrase::BadTag => "un’etichetta ha da 1 a 30 lettere, senza caratteri invisibili",
        Phrase::NoReview => {
            "questa partita non ha ancora un'analisi completa; falla analizzare prima"
        }
    }
}

fn change(team: &str, change: &Change) -> String {
    match change {
        Change::AddTeam { .. } => format!("{team} si aggiunge"),
        Change::Withdraw { annul: true, .. } => {
            format!("{team} si ritira; le sue partite sono annullate")
        }
        Change::Withdraw { annul: false, .. } => {
            format!("{team} si ritira; le partite giocate valgono")
        }
        Change::ChangeTeam { to, .. } => {
            let parts = to.iter().map(|(key, value)| match key.as_str() {
                "plays" => "un altro programma".into(),
                "secret" => "un altro segreto".into(),
                "members" => format!("membri: {}", text(value)),
                _ => format!("ora si chiama {}", text(value)),
            });
            format!("{team}: {}", parts.collect::<Vec<String>>().join("; "))
        }
        Change::Set { to } => format!("per le partite non ancora iniziate: {}", settings(to)),
        Change::Replay { game } => format!("la partita {} si rigioca", game + 1),
        Change::Result { game, winner } => {
            let end = match winner {
                Winner::White => "vince il bianco",
                Winner::Black => "vince il nero",
                Winner::Draw => "patta",
            };
            format!("partita {} per decisione: {end}", game + 1)
        }
        Change::Archive => "il torneo è archiviato".into(),
    }
}

fn notice(notice: Notice) -> String {
    match notice {
        Notice::Dropped(1) => "una partita in corso è interrotta".into(),
        Notice::Dropped(games) => format!("{games} partite in corso sono interrotte"),
        Notice::FinalAnew => "la finale non segue più dalle classifiche e viene rifatta".into(),
        Notice::FinalPlayed => "la finale non segue più dalle classifiche, ma è stata giocata: \
             resta com'è"
            .into(),
    }
}

fn misfit(misfit: &Misfit) -> String {
    match misfit {
        Misfit::NoReason => "di' perché: il motivo si vede accanto alla correzione".into(),
        Misfit::LongReason(most) => format!("un motivo è una riga di al massimo {most} caratteri"),
        Misfit::OtherNumber => "la squadra avrebbe un altro numero".into(),
        Misfit::WithdrawnAlready => "la squadra si è già ritirata".into(),
        Misfit::ArchivedAlready => "è già archiviato".into(),
        Misfit::NotArchived => "non è archiviato".into(),
        Misfit::NoTeams => "il torneo non ha squadre".into(),
        Misfit::NoTeam => "non c'è questa squadra".into(),
        Misfit::FixedTeamKey(key) => format!("{key} non si può cambiare"),
        Misfit::FixedKey(key) => format!(
            "{key} non si può cambiare; si possono cambiare name, seconds, max_plies e limits"
        ),
        Misfit::NoLimits => "i limiti del torneo non sono validi".into(),
        Misfit::NoGame(game) => format!("non c'è una partita {game}"),
        Misfit::Annulled => "le partite di una delle due squadre sono annullate".into(),
        Misfit::Withdrawn => "una delle due squadre si è ritirata".into(),
        Misfit::NoResult(game) => format!("la partita {game} non ha ancora un risultato"),
        Misfit::LatePlayed(game) => format!(
            "la partita {game} della squadra in ritardo è già stata giocata; ritira piuttosto la \
             squadra"
        ),
        Misfit::UndoneAlready(number) => format!("la correzione {number} è già stata annullata"),
        Misfit::NoCorrection(number) => format!("non c'è una correzione {number}"),
        Misfit::NothingToUndo => "non c'è nessuna correzione da annullare".into(),
        Misfit::SameGame => "fa rigiocare la stessa partita".into(),
        Misfit::AboutGame(game) => format!("riguarda la partita {game}"),
    }
}
