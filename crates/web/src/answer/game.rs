//! Games: made, joined and played.

use std::{sync::Arc, time::Instant};

use tablut_arena::Player;
use tablut_host::{
    HostError, Opponent, Terms, Ticket,
    speech::{self, Phrase},
};
use tablut_rules::{BySide, Setup, Side};
use tablut_store::{Game, GameFilter, StoreError};

use super::{Answered, LIST, Visit};
use crate::{
    crowd::Deed,
    message::{Answer, GameEntry, NewGame, OpponentName, Problem, WishName},
    state,
};

impl Visit {
    pub(super) async fn games(&self) -> Answered {
        let store = self.host.store();
        let games = store.games_of(&self.visitor.id, GameFilter::All, LIST);
        let games = self.kept(games.await)?;
        Ok(Answer::Games(self.entries(&games).await?))
    }

    /// Games for a list. Only the boards of those that are not over are shown there, and only these are
    /// played again.
    pub(super) async fn entries(&self, games: &[Game]) -> Result<Vec<GameEntry>, Problem> {
        let open: Vec<&Game> = games.iter().filter(|game| game.outcome.is_none()).collect();
        let mut played = self.kept(self.host.replay(&open).await)?.into_iter();
        let entry = |game: &Game| {
            let is_open = game.outcome.is_none();
            let played = is_open.then(|| played.next()).flatten().flatten();
            let board = played.map(|played| Setup::from(played.position()));
            state::game_entry(game, board, &self.visitor.id, self.lang)
        };
        Ok(games.iter().map(entry).collect())
    }

    pub(super) async fn join(&mut self, game: &str, secret: Option<&str>) -> Answered {
        self.attendance.leave();
        self.sit_down(game, secret).await?;
        Ok(Answer::Done)
    }

    pub(super) fn leave(&mut self) -> Answered {
        self.attendance.leave();
        Ok(Answer::Done)
    }

    pub(super) async fn wish(&mut self, wish: WishName) -> Answered {
        let wished = self.attendance.wish(wish.into()).await;
        wished.map_err(|denied| speech::denied(self.lang, &denied))?;
        Ok(Answer::Done)
    }

    pub(super) async fn record(&mut self) -> Answered {
        let game = self.ticket().await?.views.borrow().game.clone();
        let record = self.kept(self.host.store().record(&game).await)?;
        Ok(Answer::Text(record.to_string()))
    }

    async fn ticket(&mut self) -> Result<&Ticket, Problem> {
        let ticket = self.attendance.ticket().await;
        ticket.map_err(|absent| speech::absent(self.lang, &absent).into())
    }

    /// Whether the visitor may make another game now.
    async fn check_pace(&mut self) -> Result<(), Problem> {
        let is_calm = self.game_pace.take(Instant::now());
        if !is_calm || !self.crowd.allows(self.origin, Deed::Game) {
            return self.problem(Phrase::TooFast);
        }
        self.settle().await
    }

    pub(super) async fn new_game(&mut self, new: &NewGame) -> Answered {
        let terms = self.terms(new)?;
        self.check_pace().await?;
        let game = self.host.create(&self.visitor, &terms).await;
        Ok(Answer::Game {
            game: self.hosted(game)?.id,
        })
    }

    fn terms(&self, new: &NewGame) -> Result<Terms, Problem> {
        let side = new.side;
        let engine = |text: &str| {
            let player = text.parse::<Player>();
            player.map_err(|_| speech::say(self.lang, Phrase::BadTerms))
        };
        let opponent = match new.opponent {
            OpponentName::Engine => Opponent::Engine {
                side,
                engine: engine(&new.engine)?,
            },
            OpponentName::Screen => Opponent::SameScreen,
            OpponentName::Link => Opponent::Link { side },
            OpponentName::Engines => Opponent::Engines(BySide {
                attackers: engine(&new.engine)?,
                defenders: engine(&new.white_engine)?,
            }),
        };
        Ok(Terms {
            rules: Arc::clone(self.rules(&new.rules)?),
            setup: match &new.setup {
                Some(setup) => Some(self.setup(setup)?),
                None => None,
            },
            opponent,
            control: match new.control.parse() {
                Ok(control) => control,
                Err(_) => return self.problem(Phrase::BadTerms),
            },
            take_backs: new.take_backs,
        })
    }

    /// Joins a game. Secrets are found out by no one who tries many; who needs none is not held up by
    /// those who try.
    async fn sit_down(&mut self, game: &str, secret: Option<&str>) -> Result<(), Problem> {
        if let Some(secret) = secret {
            if !self.crowd.allows(self.origin, Deed::Guess) {
                return self.problem(Phrase::TooManyGuesses);
            }
            // Whoever is invited gets a seat, which is kept; who guesses leaves nothing behind.
            let is_invited = self.host.is_invited(game, secret).await;
            if self.hosted(is_invited)? {
                self.settle().await?;
            }
        }
        let joined = self.attendance.join(&self.visitor, game, secret).await;
        let is_wrong = match &joined {
            Ok(seats) => *seats == BySide::both(false),
            Err(error) => matches!(error, HostError::Store(StoreError::Missing(_))),
        };
        if secret.is_some() && !is_wrong {
            self.crowd.forgive(self.origin, Deed::Guess);
        }
        self.hosted(joined.map(|_| ()))
    }

    /// Makes a move; one that was made already is not made again.
    pub(super) async fn play(&mut self, ply: usize, step: &str) -> Answered {
        let step = self.step(step)?;
        let played = self.attendance.play(ply, step).await;
        played.map_err(|denied| speech::denied(self.lang, &denied))?;
        Ok(Answer::Done)
    }

    pub(super) async fn cancel_game(&mut self) -> Answered {
        let game = self.ticket().await?.views.borrow().game.id.clone();
        let cancelled = self.host.cancel(&self.visitor, &game).await;
        self.hosted(cancelled)?;
        self.attendance.leave();
        Ok(Answer::Done)
    }

    pub(super) async fn rematch(&mut self) -> Answered {
        self.check_pace().await?;
        let ticket = self.ticket().await?;
        if !Side::ALL.into_iter().any(|side| ticket.holds(side)) {
            return self.problem(Phrase::Watching);
        }
        let game = ticket.views.borrow().game.clone();
        if game.outcome.is_none() {
            return self.problem(Phrase::NotOver);
        }
        let next = self.host.rematch(&self.visitor, &game).await;
        Ok(Answer::Game {
            game: self.hosted(next)?,
        })
    }
}
