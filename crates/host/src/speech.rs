//! What is said to people besides the rules, in every language: refusals, corrections of tournaments.
//!
//! The page and the terminal both speak from here. Each language is a module with one `Words`, and one
//! `FaultWords` for what is wrong with texts; faults of tournament files are English, as they are found.

mod correction;
mod de;
mod en;
mod fault;
mod it;

use tablut_arena::{
    Refusal,
    tournament::{Change, ChangeError, Misfit},
};
use tablut_rules::{IllegalMove, PlayError, SetupError, Square, in_language, text::Lang};
use tablut_store::{Entity, StoreError};

pub use correction::{change, notice};

use crate::{
    Absent, Denied, HostError, ImportProblem, InquiryError, Refused, StudyError, SurveyError,
    TermsError,
    exchange::ExchangeError,
    tournament::{ContestError, Notice},
};

/// Everything that is said in the same words each time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phrase {
    /// What the page sent means nothing.
    BadMessage,
    /// Requests come too fast.
    TooFast,
    /// There is no such rule set.
    NoSuchRules,
    /// A text is no position.
    NoPosition,
    /// A text is no move.
    NoMove,
    /// A visitor cannot be called so.
    BadName,
    /// A position cannot be called so.
    BadTitle,
    /// There is no such setting.
    BadSetting,
    /// Only for visitors from the server's machine.
    NotLocal,
    /// Only for organisers.
    NotOrganiser,
    /// The token is wrong.
    BadToken,
    /// The administrator's token is wrong, or there is none.
    BadAdminToken,
    /// The process is not there any more.
    NoProcess,
    /// Programs are named only from the server's machine.
    ProgramsFromHere,
    /// There is no slot with this number.
    NoSlot,
    /// A library is full.
    LibraryFull,
    /// A game cannot be played on these terms.
    BadTerms,
    /// No game is looked at.
    NoGame,
    /// The game has gone on.
    Behind,
    /// There is no such game.
    NoSuchGame,
    /// There is no such position.
    NoSuchPosition,
    /// There is no such lesson, or no such step.
    NoSuchLesson,
    /// There is no such puzzle, or none is left of a kind.
    NoSuchPuzzle,
    /// The moves before are not those of the puzzle or the lesson.
    NotThatLine,
    /// A run of puzzles is over.
    RunOver,
    /// There is no such tournament.
    NoSuchTournament,
    /// The visitor is not known any more.
    NoSuchVisitor,
    /// A text is too long.
    TooLong,
    /// A game is too long.
    TooManyMoves,
    /// The game has not started.
    NotStarted,
    /// It is the other side's turn.
    NotYourTurn,
    /// The game is over.
    Over,
    /// There is no offer to answer.
    NoOffer,
    /// There is no move to take back.
    NothingToTakeBack,
    /// Whoever asks only watches.
    Watching,
    /// The game is without take-backs.
    NoTakeBacks,
    /// The session of the game is lost.
    Lost,
    /// The store failed.
    Store,
    /// The server has no room for another game.
    Full,
    /// A visitor has too many open games.
    TooManyGames,
    /// A visitor has too many games.
    TooManyKept,
    /// Too many new visitors from an address.
    TooManyVisitors,
    /// Too many wrong secrets from an address.
    TooManyGuesses,
    /// The store has reached its limit.
    StoreFull,
    /// A visitor has opened their own invitation.
    OwnInvitation,
    /// The game has its players and cannot be cancelled.
    Begun,
    /// All engines are at work.
    Busy,
    /// The rules forbid it.
    NotAllowed,
    /// There is no move to suggest.
    NoHint,
    /// The game is not over.
    NotOver,
    /// The tournament is archived.
    Archived,
    /// The tournament is not archived.
    NotArchived,
    /// A text holds no game.
    NoGameInText,
    /// A text holds a position and no game.
    NotAGame,
    /// A game has no result.
    Unfinished,
    /// A game was imported before.
    KnownGame,
    /// A text holds too many games.
    TooManyInText,
    /// Games cannot be looked for like this.
    BadSearch,
    /// A game cannot be called so.
    BadTag,
    /// There is no review of the game, or no such move in it.
    NoReview,
    /// There is no such study.
    NoSuchStudy,
    /// A node of a study is gone.
    NoSuchNode,
    /// A visitor has too many studies.
    TooManyStudies,
    /// A study is somebody else's.
    NotYourStudy,
    /// The name of a study is none.
    BadStudyName,
    /// A position is of another board than the rules.
    OtherBoard,
    /// A study has too many moves.
    StudyTooLong,
    /// A study has too much text.
    StudyTooLarge,
    /// There are too many marks or drawings.
    TooManyMarks,
}

/// What each language has to say. Sentences come without capital and full stop.
struct Words {
    /// What is said in the same words each time.
    phrase: fn(Phrase) -> &'static str,
    /// The signs around a name.
    quotes: [&'static str; 2],
    /// A correction of a tournament, about a team in quotes.
    change: fn(&str, &Change) -> String,
    /// What follows from a correction.
    notice: fn(Notice) -> String,
    /// Why a correction does not fit.
    misfit: fn(&Misfit) -> String,
    /// That a correction with a number rests on the one that was to be undone, and why.
    needed_by: fn(u64, &str) -> String,
    /// That there is no rule set with an id.
    no_rules: fn(&str) -> String,
    /// That programs cannot be shut in, for a reason that is English.
    no_sandbox: fn(&str) -> String,
}

const fn words(lang: Lang) -> &'static Words {
    in_language!(lang, WORDS)
}

/// A sentence for a visitor, and the square that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The sentence, with capital and full stop.
    pub text: String,
    /// The square.
    pub square: Option<Square>,
}

/// Something that is said in the same words each time.
#[must_use]
pub fn say(lang: Lang, phrase: Phrase) -> Remark {
    plain((words(lang).phrase)(phrase))
}

/// A sentence with its capital and full stop.
#[must_use]
pub fn plain(text: &str) -> Remark {
    Remark {
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
#[must_use]
pub fn illegal(lang: Lang, reason: &IllegalMove) -> Remark {
    Remark {
        text: sentence(&format!(
            "{}: {}",
            (words(lang).phrase)(Phrase::NotAllowed),
            reason.sentence(lang)
        )),
        square: Some(reason.square()),
    }
}

/// Why a wish in a game was not granted.
#[must_use]
pub fn refused(lang: Lang, refused: &Refused) -> Remark {
    let phrase = match refused {
        Refused::Rules(refusal) => return refusal_of(lang, refusal),
        Refused::Watching => Phrase::Watching,
        Refused::NoTakeBacks => Phrase::NoTakeBacks,
        Refused::Store(_) => Phrase::Store,
        Refused::Behind => Phrase::Behind,
        Refused::Gone => Phrase::Lost,
    };
    say(lang, phrase)
}

fn refusal_of(lang: Lang, refusal: &Refusal) -> Remark {
    let phrase = match refusal {
        Refusal::Illegal(reason) => return illegal(lang, reason),
        Refusal::Over(_) => Phrase::Over,
        Refusal::NotStarted => Phrase::NotStarted,
        Refusal::NotYourTurn => Phrase::NotYourTurn,
        Refusal::NoMove => Phrase::NoMove,
        Refusal::NoOffer => Phrase::NoOffer,
        Refusal::NothingToTakeBack => Phrase::NothingToTakeBack,
        _ => Phrase::NotAllowed,
    };
    say(lang, phrase)
}

/// Why a wish came to nothing.
#[must_use]
pub fn denied(lang: Lang, denied: &Denied) -> Remark {
    match denied {
        Denied::Absent(cause) => absent(lang, cause),
        Denied::Refused(cause) => refused(lang, cause),
    }
}

/// Why there is no game to do something in.
#[must_use]
pub fn absent(lang: Lang, absent: &Absent) -> Remark {
    match absent {
        Absent::NoGame => say(lang, Phrase::NoGame),
        Absent::Lost(error) => lost(lang, error),
    }
}

/// That a game is lost, and why.
#[must_use]
pub fn lost(lang: Lang, error: &HostError) -> Remark {
    let lost = say(lang, Phrase::Lost).text;
    plain(&format!("{lost} {}", host(lang, error).text))
}

/// Why a game was not made or joined.
#[must_use]
pub fn host(lang: Lang, error: &HostError) -> Remark {
    let phrase = match error {
        HostError::Store(error) => return store(lang, error),
        HostError::Terms(TermsError::Setup(error)) => return setup(lang, error),
        HostError::Terms(TermsError::Over(outcome)) => return plain(&outcome.sentence(lang)),
        HostError::Terms(_) => Phrase::BadTerms,
        HostError::TooManyGames(_) => Phrase::TooManyGames,
        HostError::TooManyKept(_) => Phrase::TooManyKept,
        HostError::StoreFull(_) => Phrase::StoreFull,
        HostError::LibraryFull => Phrase::LibraryFull,
        HostError::TooManyStudies(_) => Phrase::TooManyStudies,
        HostError::NotYourStudy => Phrase::NotYourStudy,
        HostError::Study(error) => return study(lang, error),
        HostError::OwnInvitation => Phrase::OwnInvitation,
        HostError::Begun => Phrase::Begun,
        HostError::Full => Phrase::Full,
        HostError::Restore(_) | HostError::Unknown(_) => Phrase::NoSuchGame,
    };
    say(lang, phrase)
}

/// Why something was not kept or found.
#[must_use]
pub fn store(lang: Lang, error: &StoreError) -> Remark {
    let phrase = match error {
        StoreError::Missing(Entity::Game) => Phrase::NoSuchGame,
        StoreError::Missing(Entity::Position) => Phrase::NoSuchPosition,
        StoreError::Missing(Entity::Study) => Phrase::NoSuchStudy,
        StoreError::Missing(Entity::Run) => Phrase::NoSuchPuzzle,
        StoreError::Missing(Entity::Tournament) => Phrase::NoSuchTournament,
        StoreError::Missing(Entity::Visitor) => Phrase::NoSuchVisitor,
        _ => Phrase::Store,
    };
    say(lang, phrase)
}

/// Why a position cannot be surveyed.
#[must_use]
pub fn survey(lang: Lang, error: &SurveyError) -> Remark {
    match error {
        SurveyError::Illegal(reason) => illegal(lang, reason),
        SurveyError::Over(outcome) => plain(&outcome.sentence(lang)),
        SurveyError::Setup(error) => setup(lang, error),
    }
}

/// Why something cannot be done to a study.
#[must_use]
pub fn study(lang: Lang, error: &StudyError) -> Remark {
    match error {
        StudyError::Illegal(_, reason) => illegal(lang, reason),
        StudyError::Over(outcome) => plain(&outcome.sentence(lang)),
        StudyError::Setup(error) => setup(lang, error),
        StudyError::NoNode => say(lang, Phrase::NoSuchNode),
        StudyError::OtherBoard => say(lang, Phrase::OtherBoard),
        StudyError::TooManyMoves => say(lang, Phrase::StudyTooLong),
        StudyError::TooLong | StudyError::TooLarge => say(lang, Phrase::StudyTooLarge),
        StudyError::TooManyMarks => say(lang, Phrase::TooManyMarks),
        StudyError::Unreadable(_) => say(lang, Phrase::NoSuchStudy),
    }
}

/// All that is wrong with a set-up.
fn setup(lang: Lang, error: &SetupError) -> Remark {
    plain(&setup_faults(lang, error))
}

/// All that is wrong with a set-up, without capital and full stop.
fn setup_faults(lang: Lang, error: &SetupError) -> String {
    let faults = error.faults().iter().map(|fault| fault.sentence(lang));
    faults.collect::<Vec<_>>().join("; ")
}

/// Why a text was not read, or a line of moves not played.
#[must_use]
pub fn exchange(lang: Lang, error: &ExchangeError) -> Remark {
    match error {
        ExchangeError::Read(error) => plain(&fault::read(lang, error)),
        ExchangeError::Game(error) => plain(&fault::game(lang, error)),
        ExchangeError::NoGame => say(lang, Phrase::NoGameInText),
        ExchangeError::Rules(id) => plain(&(words(lang).no_rules)(id)),
        ExchangeError::Setup(error) => setup(lang, error),
        ExchangeError::Study(error) => study(lang, error),
        ExchangeError::Move(step, error) => {
            let why = unplayed(lang, error);
            Remark {
                text: format!("{step}: {}", sentence(&why)),
                square: None,
            }
        }
    }
}

/// Why a move could not be made, without capital and full stop.
fn unplayed(lang: Lang, error: &PlayError) -> String {
    match error {
        PlayError::Illegal(reason) => reason.sentence(lang),
        PlayError::Over(outcome) => {
            let over = (words(lang).phrase)(Phrase::Over);
            format!("{over}: {}", outcome.sentence(lang))
        }
    }
}

/// Why a game was not imported.
#[must_use]
pub fn import(lang: Lang, problem: &ImportProblem) -> Remark {
    match problem {
        ImportProblem::Unreadable(error) => plain(&fault::read(lang, error)),
        ImportProblem::Record(error) => plain(&fault::record(lang, error)),
        ImportProblem::Illegal(error) => plain(&fault::game(lang, error)),
        ImportProblem::NotAGame => say(lang, Phrase::NotAGame),
        ImportProblem::NoRules(id) => plain(&(words(lang).no_rules)(id)),
        ImportProblem::Unfinished => say(lang, Phrase::Unfinished),
        ImportProblem::Known => say(lang, Phrase::KnownGame),
        ImportProblem::TooMany(_) => say(lang, Phrase::TooManyInText),
        ImportProblem::Kept(error) => host(lang, error),
    }
}

/// Why the engine finds nothing.
#[must_use]
pub fn inquiry(lang: Lang, error: &InquiryError) -> Remark {
    match error {
        InquiryError::Rules(id) => plain(&(words(lang).no_rules)(id)),
        InquiryError::Line(error) => exchange(lang, error),
        InquiryError::Over(outcome) => plain(&outcome.sentence(lang)),
        InquiryError::NoMoves => say(lang, Phrase::NoGameInText),
        InquiryError::Busy(_) => say(lang, Phrase::Busy),
        InquiryError::NoReview => say(lang, Phrase::NoReview),
    }
}

/// Why something cannot be done to a tournament.
#[must_use]
pub fn contest(lang: Lang, error: &ContestError) -> Remark {
    let words = words(lang);
    match error {
        ContestError::Store(error) => store(lang, error),
        ContestError::Change(ChangeError::Unfit(misfit)) => plain(&(words.misfit)(misfit)),
        ContestError::Change(ChangeError::NeededBy { by, why }) => {
            plain(&(words.needed_by)(*by, &(words.misfit)(why)))
        }
        ContestError::Archived(_) => say(lang, Phrase::Archived),
        ContestError::NotArchived(_) => say(lang, Phrase::NotArchived),
        ContestError::Programs(why) => plain(&(words.no_sandbox)(why)),
        // What is wrong with a file is said in the file's own words, which are English.
        error => plain(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_called_by_its_kind() {
        for (entity, text) in [
            (Entity::Game, "There is no such game here."),
            (Entity::Position, "You have no such position."),
            (Entity::Tournament, "There is no such tournament here."),
            (
                Entity::Visitor,
                "This browser is no longer known here; reload the page.",
            ),
        ] {
            assert_eq!(store(Lang::En, &StoreError::Missing(entity)).text, text);
        }
    }

    #[test]
    fn why_a_correction_does_not_fit_is_said_in_every_language() {
        let why = Misfit::AboutGame(7);
        let error = ContestError::Change(ChangeError::NeededBy { by: 3, why });
        let said = [
            (
                Lang::En,
                "Correction 3 depends on it (it is about game 7); undo that one first.",
            ),
            (
                Lang::It,
                "Vi si basa la correzione 3 (riguarda la partita 7); annulla prima quella.",
            ),
            (
                Lang::De,
                "Korrektur 3 baut darauf auf (sie betrifft Partie 7); nimm zuerst jene zurück.",
            ),
        ];
        assert_eq!(said.len(), Lang::ALL.len(), "a language is not tried");
        for (lang, text) in said {
            assert_eq!(contest(lang, &error).text, text);
        }
    }

    #[test]
    fn a_move_that_a_text_holds_is_refused_in_every_language() {
        let step = "e4e5".parse().expect("a move");
        let reason = IllegalMove::CastleStop("e5".parse().expect("a square"));
        let error = ExchangeError::Move(step, PlayError::Illegal(reason));
        let mut said: Vec<String> = Vec::new();
        for &lang in Lang::ALL {
            let text = exchange(lang, &error).text;
            assert!(text.starts_with("e4e5: "), "{text}");
            assert!(!said.contains(&text), "{text}");
            said.push(text);
        }
    }
}
