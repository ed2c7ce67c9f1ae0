//! English.

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
    quotes: ["“", "”"],
    change,
    notice,
    misfit,
    needed_by: |by, why| format!("correction {by} depends on it ({why}); undo that one first"),
    no_rules: |id| format!("there is no rule set “{id}” here"),
    no_sandbox: |why| {
        format!(
            "this system cannot run programs in a sandbox: {why}; to trust them, start the server \
             with --trust-programs"
        )
    },
};

const fn phrase(phrase: Phrase) -> &'static str {
    match phrase {
        Phrase::BadMessage => "the page sent something this server does not understand; reload it",
        Phrase::TooFast => "too many requests; wait a moment",
        Phrase::NoSuchRules => "there is no such rule set here",
        Phrase::NoPosition => "this is not a position",
        Phrase::NoMove => "a move is two squares, as in e3e7",
        Phrase::BadName => "a name has at most 40 letters, and no invisible characters",
        Phrase::BadTitle => {
            "the name of a position has 1 to 80 letters, and no invisible characters"
        }
        Phrase::BadSetting => "there is no such setting",
        Phrase::NotLocal => "only a visitor on the server's own machine may change this",
        Phrase::NotOrganiser => {
            "only the organiser may do this: from the server's own machine, or with the organiser's token"
        }
        Phrase::BadToken => "this is not the organiser's token",
        Phrase::BadAdminToken => "this is not the administrator's token, or the server has none",
        Phrase::NoProcess => "this process has ended already",
        Phrase::ProgramsFromHere => {
            "programs for the server to start can be named only from its own machine"
        }
        Phrase::NoSlot => "the slots are 0 to 9",
        Phrase::LibraryFull => "your library is full; delete a position first",
        Phrase::BadTerms => "this game cannot be played: check time and engine",
        Phrase::NoGame => "you are not looking at a game",
        Phrase::Behind => "the game has moved on; look again",
        Phrase::NoSuchGame => "there is no such game here",
        Phrase::NoSuchPosition => "you have no such position",
        Phrase::NoSuchLesson => "there is no such lesson here",
        Phrase::NoSuchPuzzle => "there is no such puzzle here",
        Phrase::NotThatLine => "the board shows something else; begin this one again",
        Phrase::RunOver => "this run is over; begin another one",
        Phrase::NoSuchTournament => "there is no such tournament here",
        Phrase::TooLong => "this text is too long: at most 1 MiB is read at a time",
        Phrase::TooManyMoves => "this game is too long: at most 1000 moves are shown here",
        Phrase::NotStarted => "the game has not started: the other player is not here yet",
        Phrase::NotYourTurn => "it is not your turn",
        Phrase::Over => "the game is over",
        Phrase::NoOffer => "nothing was offered",
        Phrase::NothingToTakeBack => "there is no move to take back",
        Phrase::Watching => "you are watching this game",
        Phrase::NoTakeBacks => "moves are not taken back in this game",
        Phrase::Lost => "the connection to the game was lost",
        Phrase::Store => "it could not be stored, so nothing was changed",
        Phrase::Full => "this server has no room for another game now",
        Phrase::TooManyGames => "you have too many open games; finish or resign one first",
        Phrase::TooManyKept => "this server keeps no more games for you; ask whoever runs it",
        Phrase::TooManyVisitors => {
            "too many new visitors have come from your address; try again later"
        }
        Phrase::TooManyGuesses => {
            "too many wrong invitations were tried from your address; try again later"
        }
        Phrase::StoreFull => {
            "this server's store is full, so nothing new can be saved; tell whoever runs it"
        }
        Phrase::OwnInvitation => {
            "this is your own invitation: send the link to the person who should play against you; to play both sides, start a game on one screen"
        }
        Phrase::Begun => {
            "the other player is here already; the game can be resigned, but not cancelled"
        }
        Phrase::Busy => "the engines are busy; try again in a moment",
        Phrase::NotAllowed => "not allowed",
        Phrase::NoHint => "there is no hint: nobody can move here",
        Phrase::NotOver => "the game is not over",
        Phrase::NoSuchVisitor => "this browser is no longer known here; reload the page",
        Phrase::Archived => "the tournament is archived; bring it back first",
        Phrase::NotArchived => {
            "the tournament is not archived; only an archived tournament can be deleted"
        }
        Phrase::NoGameInText => "the text contains no game",
        Phrase::NotAGame => "this is a position, not a game",
        Phrase::Unfinished => "the game has no result; open it in Analysis instead",
        Phrase::KnownGame => "this game is in your library already",
        Phrase::TooManyInText => "a file may hold 2000 games; put the others into another one",
        Phrase::BadSearch => "games cannot be looked for like this",
        Phrase::BadTag => "a tag has 1 to 30 letters, and no invisible characters",
        Phrase::NoReview => "this game has no finished review; review it first",
        Phrase::NoSuchStudy => "there is no such study here",
        Phrase::NoSuchNode => "this move is not there any more; look again",
        Phrase::TooManyStudies => "you have too many studies; delete one first",
        Phrase::NotYourStudy => "this study is somebody else's; copy it to your board to change it",
        Phrase::BadStudyName => {
            "the name of a study has 1 to 80 letters, and no invisible characters"
        }
        Phrase::OtherBoard => "this position does not fit on the board of this rule set",
        Phrase::StudyTooLong => {
            "this is too much for one board: at most 5000 moves, and 1000 in a line"
        }
        Phrase::StudyTooLarge => {
            "there is too much text on this board: a comment has at most 4000 letters, all of them \
             together about 200,000"
        }
        Phrase::TooManyMarks => "there are too many marks or drawings here",
    }
}

fn change(team: &str, change: &Change) -> String {
    match change {
        Change::AddTeam { .. } => format!("{team} joins late"),
        Change::Withdraw { annul: true, .. } => {
            format!("{team} withdraws; its games are annulled")
        }
        Change::Withdraw { annul: false, .. } => {
            format!("{team} withdraws; the games it played count")
        }
        Change::ChangeTeam { to, .. } => {
            let parts = to.iter().map(|(key, value)| match key.as_str() {
                "plays" => "another program".into(),
                "secret" => "another secret".into(),
                "members" => format!("members: {}", text(value)),
                _ => format!("now called {}", text(value)),
            });
            format!("{team}: {}", parts.collect::<Vec<String>>().join("; "))
        }
        Change::Set { to } => format!("for games that have not begun: {}", settings(to)),
        Change::Replay { game } => format!("game {} is played again", game + 1),
        Change::Result { game, winner } => {
            let end = match winner {
                Winner::White => "white wins",
                Winner::Black => "black wins",
                Winner::Draw => "a draw",
            };
            format!("game {} by decision: {end}", game + 1)
        }
        Change::Archive => "the tournament is archived".into(),
    }
}

fn notice(notice: Notice) -> String {
    match notice {
        Notice::Dropped(1) => "a game in progress is abandoned".into(),
        Notice::Dropped(games) => format!("{games} games in progress are abandoned"),
        Notice::FinalAnew => {
            "the final no longer follows from the tables and is drawn up again".into()
        }
        Notice::FinalPlayed => "the final no longer follows from the tables, but has been \
             played: it stays as it is"
            .into(),
    }
}

fn misfit(misfit: &Misfit) -> String {
    misfit.to_string()
}
