//! How a game stands, for those who look at it.

use std::sync::{Arc, Mutex, PoisonError};

use tablut_arena::Player;
use tablut_rules::{BySide, Outcome, Reason, Rules, Side, text::Lang};
use tablut_store::{Declined, Game};

use crate::Sleeper;

/// One side's player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// Who plays.
    pub player: Player,
    /// The name of the person, if one was chosen.
    pub name: Option<String>,
    /// Whether a person has ever sat here; engines always have.
    pub taken: bool,
    /// Whether the player is there now.
    pub present: bool,
}

/// How a game stands at some moment.
#[derive(Clone, Debug)]
pub struct View {
    /// What was agreed, as it is kept.
    pub game: Arc<Game>,
    /// The players.
    pub seats: BySide<SeatView>,
    /// The course of the game, shared with the session until it goes on.
    pub play: Sleeper,
    /// The time on the match's clock, in milliseconds, when this was true.
    pub now_ms: u64,
    /// Whether the clock stands still until players are back who left through no fault of theirs.
    pub is_stopped: bool,
    /// What went wrong with a program that plays, for those who let it play.
    pub trouble: Option<String>,
    /// Whether an engine is to move and none is there to think for it.
    pub is_unserved: bool,
    /// Who has said no just now.
    pub declined: Declined,
    /// What those who only look are told of it.
    pub onlookers: Onlookers,
}

/// A view in words for those who only look, who are all told the same in their language: it is put into words
/// once, however many they are.
#[derive(Clone, Default, Debug)]
pub struct Onlookers(Arc<Mutex<Told>>);

/// What was told in each language.
type Told = Vec<(Lang, Arc<str>)>;

impl Onlookers {
    /// What is told in a language, made if nobody was told yet and it can be.
    pub fn told(&self, lang: Lang, tell: impl FnOnce() -> Option<String>) -> Option<Arc<str>> {
        // It is whole between any two statements.
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = texts.iter().find(|&&(other, _)| other == lang) {
            return Some(Arc::clone(text));
        }
        let text: Arc<str> = tell()?.into();
        texts.push((lang, Arc::clone(&text)));
        Some(text)
    }
}

impl View {
    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.play.game().rules()
    }

    /// Whether a side's clock runs.
    #[must_use]
    pub fn runs(&self, side: Side) -> bool {
        self.play.outcome().is_none()
            && !self.is_stopped
            && self.play.has_started()
            && self.play.game().position().side() == side
    }

    /// What a side has left, in milliseconds; nothing without a limit. Who lost on time has none, though the
    /// clock for a move starts anew with each.
    #[must_use]
    pub fn left_ms(&self, side: Side) -> Option<u64> {
        let late = Outcome::win(side.opponent(), Reason::TimeOut);
        if self.play.outcome() == Some(late) {
            return Some(0);
        }
        self.play.left_ms(side, self.now_ms)
    }
}
