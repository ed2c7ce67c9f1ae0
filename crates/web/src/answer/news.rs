//! What a page is told without having asked just now, and its way back to a game whose session has ended.

use std::{future::pending, sync::Arc};

use tablut_host::{HostError, Ticket};
use tablut_rules::BySide;
use tokio::task::{JoinError, JoinHandle};

use super::{Answered, Visit};
use crate::{
    message::{Answer, GameState, Problem},
    speech::{self, Line, problem},
    state,
};

/// The way back to a game whose session has ended, as when another process has changed it. It is kept
/// here until it is at its end: whatever else the page is told meanwhile, no game gets lost.
pub(crate) enum Back {
    /// The game is joined again.
    Joining { game: String, joining: JoinTask },
    /// That failed, which the page has to be told.
    Failed { game: String, problem: Problem },
}

/// A task of its own: it does not stop when nobody waits for it.
type JoinTask = JoinHandle<Result<Ticket, HostError>>;

impl Visit {
    /// Waits for something to tell the page: a hint it asked for, or a change of its game. Whoever
    /// gives up waiting loses nothing and may wait again.
    pub(crate) async fn news(&mut self) -> PageNews {
        loop {
            if let Some(Back::Failed { game, problem }) = self
                .back
                .take_if(|back| matches!(back, Back::Failed { .. }))
            {
                return PageNews::Lost(game, problem);
            }
            let hint = async {
                match &mut self.hint {
                    Some((id, job)) => (*id, job.found().await.ok()),
                    None => pending().await,
                }
            };
            let change = async {
                match (&mut self.game, &mut self.back) {
                    (Some(ticket), _) => GameChange::View(ticket.views.changed().await.is_ok()),
                    (None, Some(Back::Joining { joining, .. })) => {
                        GameChange::Joined(joining.await)
                    }
                    (None, _) => pending().await,
                }
            };
            let change = tokio::select! {
                (id, found) = hint => {
                    self.hint = None;
                    let answer = match found {
                        Some(found) => Ok(Answer::Hint {
                            step: found.step.to_string(),
                            score: found.score.map(|score| score.to_string()),
                        }),
                        None => self.problem(Line::NoHint),
                    };
                    return PageNews::Hint(id, Box::new(answer));
                }
                change = change => change,
            };
            match change {
                GameChange::View(true) => {}
                GameChange::View(false) => self.turn_back(),
                GameChange::Joined(joined) => self.arrive(joined),
            }
            if let Some(state) = self.state() {
                return state;
            }
        }
    }

    /// The game that is looked at, as it stands.
    fn state(&mut self) -> Option<PageNews> {
        let ticket = self.game.as_mut()?;
        let view = Arc::clone(&ticket.views.borrow_and_update());
        let seats = BySide::from_fn(|side| ticket.holds(side));
        let state = state::game_state(&view, seats, &self.visitor.id, self.lang);
        Some(PageNews::State(Box::new(state)))
    }

    /// Begins to join the game again, whose session has ended.
    pub(super) fn turn_back(&mut self) {
        let Some(ticket) = self.game.take() else {
            return;
        };
        let id = ticket.views.borrow().game.id.clone();
        let (host, visitor, game) = (self.host.clone(), self.visitor.clone(), id.clone());
        // Seats are the visitor's own by now.
        let joining = async move { host.join(&id, &visitor, None).await };
        self.back = Some(Back::Joining {
            game,
            joining: tokio::spawn(joining),
        });
    }

    /// Waits until the way back is at its end, if there is one.
    pub(super) async fn come_back(&mut self) {
        if let Some(Back::Joining { joining, .. }) = &mut self.back {
            let joined = joining.await;
            self.arrive(joined);
        }
    }

    fn arrive(&mut self, joined: Result<Result<Ticket, HostError>, JoinError>) {
        let Some(Back::Joining { game, .. }) = self.back.take() else {
            return;
        };
        let joined = joined.unwrap_or_else(|error| Err(HostError::Unknown(error.to_string())));
        match joined {
            Ok(mut ticket) => {
                ticket.views.mark_changed();
                self.game = Some(ticket);
            }
            Err(error) => {
                let cause = speech::host(self.lang, &error).text;
                let lost = problem(self.lang, Line::Lost).text;
                self.back = Some(Back::Failed {
                    game,
                    problem: speech::plain(&format!("{lost} {cause}")),
                });
            }
        }
    }
}

/// What became of the game that is looked at.
enum GameChange {
    /// Its session has something new, or has ended.
    View(bool),
    /// It was joined again, or not.
    Joined(Result<Result<Ticket, HostError>, JoinError>),
}

/// Something to tell a page that it did not ask for just now.
pub(crate) enum PageNews {
    /// The answer to an earlier request for a hint.
    Hint(u32, Box<Answered>),
    /// The game has changed.
    State(Box<GameState>),
    /// The game with an id cannot be looked at any more.
    Lost(String, Problem),
}
