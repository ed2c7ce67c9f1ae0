//! What the server says to people besides the rules: refusals, in every language.

use tablut_arena::Refusal;
use tablut_host::{HostError, Refused, StudyError, TermsError};
use tablut_rules::text::Lang;
use tablut_store::StoreError;

use crate::message::Problem;

/// Everything that may have to be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    BadMessage,
    TooFast,
    NoSuchRules,
    NoPosition,
    NoMove,
    BadName,
    BadTitle,
    BadSetting,
    NotLocal,
    NotOrganiser,
    BadToken,
    ProgramsFromHere,
    NoSlot,
    LibraryFull,
    BadTerms,
    NoGame,
    NotSeated,
    Behind,
    NoSuchGame,
    NoSuchPosition,
    NoSuchTournament,
    TooLong,
    TooManyMoves,
    NotStarted,
    NotYourTurn,
    Over,
    NoOffer,
    NothingToTakeBack,
    Watching,
    NoTakeBacks,
    Lost,
    Store,
    Full,
    TooManyGames,
    TooManyKept,
    TooManyVisitors,
    TooManyGuesses,
    StoreFull,
    OwnInvitation,
    Busy,
    NotAllowed,
    NoHint,
    NotOver,
}

/// A sentence without capital and full stop.
pub(crate) const fn line(lang: Lang, line: Line) -> &'static str {
    match lang {
        Lang::En => english(line),
        Lang::It => italian(line),
    }
}

const fn english(line: Line) -> &'static str {
    match line {
        Line::BadMessage => "the page sent something this server does not understand; reload it",
        Line::TooFast => "too many requests; wait a moment",
        Line::NoSuchRules => "there is no such rule set here",
        Line::NoPosition => "this is no position",
        Line::NoMove => "a move is two squares, as in e3e7",
        Line::BadName => "a name has at most 40 letters, and nothing that cannot be seen",
        Line::BadTitle => {
            "the name of a position has 1 to 80 letters, and nothing that cannot be seen"
        }
        Line::BadSetting => "there is no such setting",
        Line::NotLocal => "only a visitor from the server's own machine may change this",
        Line::NotOrganiser => {
            "only the organiser may do this: from the server's own machine, or with the organiser's token"
        }
        Line::BadToken => "this is not the organiser's token",
        Line::ProgramsFromHere => {
            "which programs are started can only be said from the server's own machine"
        }
        Line::NoSlot => "the slots are 0 to 9",
        Line::LibraryFull => "your library is full; delete a position first",
        Line::BadTerms => "this game cannot be played: check time and engine",
        Line::NoGame => "you are not looking at a game",
        Line::NotSeated => "you are watching this game",
        Line::Behind => "the game has gone on; look again",
        Line::NoSuchGame => "there is no such game here",
        Line::NoSuchPosition => "you have no such position",
        Line::NoSuchTournament => "there is no such tournament here",
        Line::TooLong => "this text is too long: at most 1 MiB is read at a time",
        Line::TooManyMoves => "this game is too long: at most 1000 moves are shown here",
        Line::NotStarted => "the game has not started: the other player is not here yet",
        Line::NotYourTurn => "it is not your turn",
        Line::Over => "the game is over",
        Line::NoOffer => "nothing was offered",
        Line::NothingToTakeBack => "there is no move to take back",
        Line::Watching => "you are watching this game",
        Line::NoTakeBacks => "moves are not taken back in this game",
        Line::Lost => "the connection to the game was lost",
        Line::Store => "it could not be stored, so nothing was changed",
        Line::Full => "this server has no room for another game now",
        Line::TooManyGames => "you have too many open games; finish or resign one first",
        Line::TooManyKept => "this server keeps no more games for you; ask whoever runs it",
        Line::TooManyVisitors => {
            "too many new visitors have come from your address; try again later"
        }
        Line::TooManyGuesses => {
            "too many wrong invitations were tried from your address; try again later"
        }
        Line::StoreFull => {
            "this server's store is full, so nothing new is kept; tell whoever runs it"
        }
        Line::OwnInvitation => {
            "this is your own invitation: send the link to whoever is to play against you; to play both sides, make a game on one screen"
        }
        Line::Busy => "the engines are busy; try again in a moment",
        Line::NotAllowed => "not allowed",
        Line::NoHint => "there is no hint: nobody can move here",
        Line::NotOver => "the game is not over",
    }
}

const fn italian(line: Line) -> &'static str {
    match line {
        Line::BadMessage => "la pagina ha inviato qualcosa che il server non capisce; ricaricala",
        Line::TooFast => "troppe richieste; attendi un momento",
        Line::NoSuchRules => "qui non c'è questo regolamento",
        Line::NoPosition => "questa non è una posizione",
        Line::NoMove => "una mossa è di due caselle, come e3e7",
        Line::BadName => "un nome ha al massimo 40 lettere, e nulla che non si veda",
        Line::BadTitle => "il nome di una posizione ha da 1 a 80 lettere, e nulla che non si veda",
        Line::BadSetting => "questa impostazione non esiste",
        Line::NotLocal => "solo chi è sulla macchina del server può cambiarlo",
        Line::NotOrganiser => {
            "può farlo solo l'organizzatore: dalla macchina del server, o con il suo codice"
        }
        Line::BadToken => "questo non è il codice dell'organizzatore",
        Line::ProgramsFromHere => {
            "quali programmi si avviano si può dire solo dalla macchina del server"
        }
        Line::NoSlot => "gli spazi vanno da 0 a 9",
        Line::LibraryFull => "la raccolta è piena; elimina prima una posizione",
        Line::BadTerms => "questa partita non si può giocare: controlla tempo e motore",
        Line::NoGame => "non stai guardando una partita",
        Line::NotSeated => "stai guardando questa partita",
        Line::Behind => "la partita è andata avanti; guarda di nuovo",
        Line::NoSuchGame => "qui non c'è questa partita",
        Line::NoSuchPosition => "non hai questa posizione",
        Line::NoSuchTournament => "qui non c'è questo torneo",
        Line::TooLong => "questo testo è troppo lungo: se ne legge al massimo 1 MiB alla volta",
        Line::TooManyMoves => {
            "questa partita è troppo lunga: qui si mostrano al massimo 1000 mosse"
        }
        Line::NotStarted => "la partita non è cominciata: l'altro giocatore non è ancora qui",
        Line::NotYourTurn => "non tocca a te",
        Line::Over => "la partita è finita",
        Line::NoOffer => "non è stato offerto nulla",
        Line::NothingToTakeBack => "non c'è una mossa da ritirare",
        Line::Watching => "stai guardando questa partita",
        Line::NoTakeBacks => "in questa partita le mosse non si ritirano",
        Line::Lost => "il collegamento con la partita è caduto",
        Line::Store => "non è stato possibile salvare, quindi non è cambiato nulla",
        Line::Full => "il server non ha posto per un'altra partita",
        Line::TooManyGames => "hai troppe partite aperte; finiscine o abbandonane una",
        Line::TooManyKept => "il server non conserva altre tue partite; chiedi a chi lo gestisce",
        Line::TooManyVisitors => "troppi nuovi visitatori dal tuo indirizzo; riprova più tardi",
        Line::TooManyGuesses => {
            "dal tuo indirizzo sono stati provati troppi inviti sbagliati; riprova più tardi"
        }
        Line::StoreFull => {
            "l'archivio del server è pieno, quindi non si salva altro; avvisa chi lo gestisce"
        }
        Line::OwnInvitation => {
            "questo è il tuo invito: manda il link a chi deve giocare contro di te; per giocare da entrambe le parti, crea una partita sullo stesso schermo"
        }
        Line::Busy => "i motori sono occupati; riprova tra un momento",
        Line::NotAllowed => "non ammessa",
        Line::NoHint => "nessun suggerimento: qui nessuno può muovere",
        Line::NotOver => "la partita non è finita",
    }
}

/// A refusal in words.
pub(crate) fn problem(lang: Lang, what: Line) -> Problem {
    plain(line(lang, what))
}

/// A sentence with its capital and full stop.
pub(crate) fn plain(text: &str) -> Problem {
    Problem {
        text: sentence(text),
        square: None,
    }
}

/// Gives a sentence its capital and full stop.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let rest = letters.as_str();
    let end = if rest.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    first.unwrap_or_default() + rest + end
}

/// Why a move is illegal.
pub(crate) fn illegal(lang: Lang, reason: &tablut_rules::IllegalMove) -> Problem {
    let refused = line(lang, Line::NotAllowed);
    Problem {
        text: sentence(&format!("{refused}: {}", reason.sentence(lang))),
        square: Some(reason.square().to_string()),
    }
}

/// Why a wish in a game was not granted.
#[must_use]
pub fn refused(lang: Lang, refused: &Refused) -> Problem {
    let what = match refused {
        Refused::Rules(refusal) => return refusal_of(lang, refusal),
        Refused::Watching => Line::Watching,
        Refused::NoTakeBacks => Line::NoTakeBacks,
        Refused::Store(_) => Line::Store,
        Refused::Behind => Line::Behind,
        _ => Line::Lost,
    };
    problem(lang, what)
}

fn refusal_of(lang: Lang, refusal: &Refusal) -> Problem {
    let what = match refusal {
        Refusal::Illegal(reason) => return illegal(lang, reason),
        Refusal::Over(_) => Line::Over,
        Refusal::NotStarted => Line::NotStarted,
        Refusal::NotYourTurn => Line::NotYourTurn,
        Refusal::NoMove => Line::NoMove,
        Refusal::NoOffer => Line::NoOffer,
        Refusal::NothingToTakeBack => Line::NothingToTakeBack,
        _ => Line::NotAllowed,
    };
    problem(lang, what)
}

/// Why a game was not made or joined.
#[must_use]
pub fn host(lang: Lang, error: &HostError) -> Problem {
    let what = match error {
        HostError::Store(error) => return store(lang, error),
        HostError::Terms(TermsError::Setup(error)) => {
            let faults = error.faults().iter().map(|fault| fault.sentence(lang));
            return plain(&faults.collect::<Vec<_>>().join("; "));
        }
        HostError::Terms(TermsError::Over(outcome)) => return plain(&outcome.sentence(lang)),
        HostError::Terms(_) => Line::BadTerms,
        HostError::TooManyGames(_) => Line::TooManyGames,
        HostError::TooManyKept(_) => Line::TooManyKept,
        HostError::StoreFull(_) => Line::StoreFull,
        HostError::LibraryFull => Line::LibraryFull,
        HostError::OwnInvitation => Line::OwnInvitation,
        HostError::Full => Line::Full,
        _ => Line::NoSuchGame,
    };
    problem(lang, what)
}

/// Why something was not kept or found.
#[must_use]
pub fn store(lang: Lang, error: &StoreError) -> Problem {
    let what = match error {
        StoreError::Missing("position") => Line::NoSuchPosition,
        StoreError::Missing("tournament") => Line::NoSuchTournament,
        StoreError::Missing(_) => Line::NoSuchGame,
        _ => Line::Store,
    };
    problem(lang, what)
}

/// Why a position cannot be studied.
pub(crate) fn study(lang: Lang, error: &StudyError) -> Problem {
    match error {
        StudyError::Illegal(reason) => illegal(lang, reason),
        StudyError::Over(outcome) => plain(&outcome.sentence(lang)),
        StudyError::Setup(error) => {
            let faults = error.faults().iter().map(|fault| fault.sentence(lang));
            plain(&faults.collect::<Vec<_>>().join("; "))
        }
        _ => problem(lang, Line::NoPosition),
    }
}
