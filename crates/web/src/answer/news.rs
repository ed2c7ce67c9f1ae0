//! What a page is told without having asked just now.

use std::{future::pending, sync::Arc};

use tablut_host::{
    Sight, Tidings,
    speech::{self, Phrase},
};
use tablut_rules::BySide;

use super::{Answered, ShownStudy, Visit};
use crate::{
    message::{Answer, GameState, Problem, ServerEvent, ServerMessage, StudyState},
    state,
};

impl Visit {
    /// Waits for something to tell the page: a hint it asked for, a change of its game or study, or what an
    /// inquiry has found. Whoever gives up waiting loses nothing and may wait again.
    pub(crate) async fn news(&mut self) -> PageNews {
        let study = async {
            match &mut self.study {
                Some(study) => Box::pin(ShownStudy::news(study, &self.host, &self.visitor)).await,
                None => pending().await,
            }
        };
        let tidings = tokio::select! {
            tidings = self.attendance.news() => tidings,
            (number, news) = self.inquiries.news() => {
                return PageNews::Found(Box::new(self.found(number, news)));
            }
            opened = study => return PageNews::Study(Box::new(state::study_state(&opened))),
        };
        match tidings {
            Tidings::Game(Sight { view, seats }) => {
                let tell = || state::game_state(&view, seats, &self.visitor.id, self.lang);
                let write = || {
                    let event = ServerEvent::State(Box::new(tell()));
                    serde_json::to_string(&ServerMessage::Event(event)).ok()
                };
                // Whoever made the game is told how others come to it.
                let is_onlooker =
                    seats == BySide::both(false) && !view.game.owner.is_visitor(&self.visitor.id);
                let told = is_onlooker.then(|| view.onlookers.told(self.lang, write));
                match told.flatten() {
                    Some(text) => PageNews::Onlooker(text),
                    None => PageNews::State(Box::new(tell())),
                }
            }
            Tidings::Lost(game, error) => {
                PageNews::Lost(game, speech::lost(self.lang, &error).into())
            }
            Tidings::Hint(Some(found)) => {
                let answer = Answer::Hint {
                    step: found.step.to_string(),
                    score: found.score.map(|score| score.to_string()),
                };
                PageNews::Hint(self.hint, Box::new(Ok(answer)))
            }
            Tidings::Unserved => PageNews::Hint(self.hint, Box::new(self.problem(Phrase::Busy))),
            Tidings::Hint(None) => {
                PageNews::Hint(self.hint, Box::new(self.problem(Phrase::NoHint)))
            }
        }
    }
}

/// Something to tell a page that it did not ask for just now.
pub(crate) enum PageNews {
    /// The answer to an earlier request for a hint.
    Hint(u32, Box<Answered>),
    /// An inquiry has found something.
    Found(Box<ServerEvent>),
    /// The study was changed on another page.
    Study(Box<StudyState>),
    /// The game has changed, for whoever plays it.
    State(Box<GameState>),
    /// The message that tells all who only look that it has changed.
    Onlooker(Arc<str>),
    /// The game with an id cannot be looked at any more.
    Lost(String, Problem),
}
