//! What a page is told without having asked just now.

use tablut_host::{
    Tidings,
    speech::{self, Phrase},
};

use super::{Answered, Visit};
use crate::{
    message::{Answer, GameState, Problem, ServerEvent},
    state,
};

impl Visit {
    /// Waits for something to tell the page: a hint it asked for, a change of its game, or what an
    /// inquiry has found. Whoever gives up waiting loses nothing and may wait again.
    pub(crate) async fn news(&mut self) -> PageNews {
        let tidings = tokio::select! {
            tidings = self.attendance.news() => tidings,
            (number, news) = self.inquiries.news() => {
                return PageNews::Found(Box::new(self.found(number, news)));
            }
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
    /// The game has changed.
    State(Box<GameState>),
    /// The game with an id cannot be looked at any more.
    Lost(String, Problem),
}
