//! What a page is told without having asked just now.

use std::future::pending;

use tablut_host::{
    Tidings,
    speech::{self, Phrase},
};

use super::{Answered, ShownStudy, Visit};
use crate::{
    message::{Answer, GameState, Problem, ServerEvent, StudyState},
    state,
};

impl Visit {
    /// Waits for something to tell the page: a hint it asked for, a change of its game or study, or what an
    /// inquiry has found. Whoever gives up waiting loses nothing and may wait again.
    pub(crate) async fn news(&mut self) -> PageNews {
        let study = async {
            match &mut self.study {
                Some(study) => ShownStudy::news(study, &self.host, &self.visitor).await,
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
            Tidings::Game(sight) => {
                let state =
                    state::game_state(&sight.view, sight.seats, &self.visitor.id, self.lang);
                PageNews::State(Box::new(state))
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
    /// The game has changed.
    State(Box<GameState>),
    /// The game with an id cannot be looked at any more.
    Lost(String, Problem),
}
