//! A visitor's stay at a game, which outlives the sessions of the game.
//!
//! A session can end under whoever looks at it, as when the game was cancelled. The way
//! back to it is kept here until it is at its end: whatever else is done meanwhile, no game gets lost.
//! The page and the terminal wait for [`Attendance::news`] and give up waiting whenever something else
//! comes first.

use std::{future::pending, sync::Arc};

use tablut_arena::{Budget, Choice, Notice, Player};
use tablut_rules::{BySide, Game, Move, Side};
use tablut_store::Visitor;
use tokio::task::{JoinError, JoinHandle};

use crate::{
    Busy, Host, HostError, Job, Order, Refused, Ticket, Unanswered, View, Wish, pool::JobNews,
};

/// How long an engine thinks about a hint, in milliseconds.
const HINT_MS: u64 = 700;

/// A visitor's stay at one game at a time, and the hint they wait for.
pub struct Attendance {
    host: Host,
    at: Whereabouts,
    hint: Option<Job>,
}

/// Where a visitor is.
enum Whereabouts {
    /// At no game.
    Away,
    /// At a game.
    Here(Visitor, Ticket),
    /// On the way back to a game whose session has ended.
    Returning(Visitor, String, JoinTask),
    /// The way back to a game has failed.
    Lost {
        visitor: Visitor,
        game: String,
        error: Arc<HostError>,
        /// Whether there is news of it.
        is_news: bool,
    },
}

/// A task of its own: it does not stop when nobody waits for it.
type JoinTask = JoinHandle<Result<Ticket, HostError>>;

/// What there is to tell.
#[derive(Debug)]
pub enum Tidings {
    /// The game has changed, or was joined again.
    Game(Sight),
    /// The game with an id could not be joined again. The next wish tries once more.
    Lost(String, Arc<HostError>),
    /// What the engine suggests, if it found a move.
    Hint(Option<Choice>),
    /// No engine is free to find a hint.
    Unserved,
}

/// A game as it is seen from a place.
#[derive(Clone, Debug)]
pub struct Sight {
    /// How the game stands.
    pub view: Arc<View>,
    /// Which sides are played from the place.
    pub seats: BySide<bool>,
}

impl Sight {
    fn new(ticket: &mut Ticket) -> Self {
        let seats = BySide::from_fn(|side| ticket.holds(side));
        let view = Arc::clone(&ticket.views.borrow_and_update());
        Self { view, seats }
    }
}

/// Why there is no game to do something in.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Absent {
    /// None was joined.
    #[error("no game was joined")]
    NoGame,
    /// It could not be joined again.
    #[error("the connection to the game was lost: {0}")]
    Lost(Arc<HostError>),
}

/// Why a wish came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    /// There is no game.
    #[error(transparent)]
    Absent(#[from] Absent),
    /// The game does not grant it.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// What became of the game that is attended.
enum StayNews {
    /// Its session has something new.
    News,
    /// Its session has ended.
    End,
    /// It was joined again, or not.
    Joined(Result<Result<Ticket, HostError>, JoinError>),
}

impl Attendance {
    /// At no game yet.
    #[must_use]
    pub const fn new(host: Host) -> Self {
        Self {
            host,
            at: Whereabouts::Away,
            hint: None,
        }
    }

    /// Leaves the game there was and joins another; how that stands is news. Says which sides
    /// are played from here.
    ///
    /// # Errors
    /// Says why it cannot be joined.
    pub async fn join(
        &mut self,
        visitor: &Visitor,
        game: &str,
        secret: Option<&str>,
    ) -> Result<BySide<bool>, HostError> {
        self.leave();
        let ticket = self.host.join(game, visitor, secret).await?;
        let seats = BySide::from_fn(|side| ticket.holds(side));
        self.sit(visitor.clone(), ticket);
        Ok(seats)
    }

    /// Whether a side of a game is played from here.
    #[must_use]
    pub fn plays(&self) -> bool {
        match &self.at {
            Whereabouts::Here(_, ticket) => Side::ALL.into_iter().any(|side| ticket.holds(side)),
            _ => false,
        }
    }

    /// Leaves the game.
    pub fn leave(&mut self) {
        self.at = Whereabouts::Away;
    }

    fn sit(&mut self, visitor: Visitor, mut ticket: Ticket) {
        // The first view is news, whatever the channel thinks.
        ticket.views.mark_changed();
        self.at = Whereabouts::Here(visitor, ticket);
    }

    /// The game as it stands, if one is attended; it is no news any more.
    pub fn look(&mut self) -> Option<Sight> {
        match &mut self.at {
            Whereabouts::Here(_, ticket) => Some(Sight::new(ticket)),
            _ => None,
        }
    }

    /// Comes back to the game if its session has ended, and says whether that was so. A way back that
    /// has failed is tried again.
    pub async fn come_back(&mut self) -> bool {
        if matches!(self.at, Whereabouts::Lost { .. }) {
            self.turn_back();
        }
        let Whereabouts::Returning(_, _, joining) = &mut self.at else {
            return false;
        };
        let joined = joining.await;
        self.arrive(joined);
        true
    }

    /// The place at the game, once the visitor is back there.
    ///
    /// # Errors
    /// There is no game, or no way back to it.
    pub async fn ticket(&mut self) -> Result<&Ticket, Absent> {
        self.come_back().await;
        match &self.at {
            Whereabouts::Here(_, ticket) => Ok(ticket),
            Whereabouts::Lost { error, .. } => Err(Absent::Lost(Arc::clone(error))),
            Whereabouts::Away | Whereabouts::Returning(..) => Err(Absent::NoGame),
        }
    }

    /// Asks for something in the game.
    ///
    /// # Errors
    /// Says why not.
    pub async fn wish(&mut self, wish: Wish) -> Result<Vec<Notice>, Denied> {
        Ok(self.ticket().await?.wish(wish).await?)
    }

    /// Makes the move that follows a number of plies; one that was made already is not made again.
    ///
    /// # Errors
    /// Says why not.
    pub async fn play(&mut self, ply: usize, step: Move) -> Result<Vec<Notice>, Denied> {
        let mut played = self.ticket().await?.play(ply, step).await;
        if matches!(played, Err(Refused::Gone)) {
            // The session has just ended; the next one knows whether the move was made.
            self.turn_back();
            played = self.ticket().await?.play(ply, step).await;
        }
        Ok(played?)
    }

    /// Lets the engine think about a game; [`Attendance::news`] has what it finds. A hint that was asked
    /// for before is given up.
    ///
    /// # Errors
    /// The engines have too much to do for this visitor.
    pub fn ask_hint(&mut self, visitor: &Visitor, game: Game) -> Result<(), Busy> {
        self.hint = Some(self.host.engines().order(Order {
            owner: visitor.id.clone(),
            address: self.host.address().into(),
            id: String::new(),
            game,
            player: Player::Time(HINT_MS),
            seed: 0,
            clock: Budget::default(),
        })?);
        Ok(())
    }

    /// Whether a hint is on its way.
    #[must_use]
    pub const fn awaits_hint(&self) -> bool {
        self.hint.is_some()
    }

    /// Gives up the hint.
    pub fn drop_hint(&mut self) {
        self.hint = None;
    }

    /// Waits for something to tell. Whoever gives up waiting loses nothing and may wait again.
    pub async fn news(&mut self) -> Tidings {
        loop {
            if let Whereabouts::Lost {
                game,
                error,
                is_news: is_news @ true,
                ..
            } = &mut self.at
            {
                *is_news = false;
                return Tidings::Lost(game.clone(), Arc::clone(error));
            }
            let hint = async {
                match &mut self.hint {
                    Some(job) => job.news().await,
                    None => pending().await,
                }
            };
            let turn = async {
                match &mut self.at {
                    Whereabouts::Here(_, ticket) => match ticket.views.changed().await {
                        Ok(()) => StayNews::News,
                        Err(_) => StayNews::End,
                    },
                    Whereabouts::Returning(_, _, joining) => StayNews::Joined(joining.await),
                    Whereabouts::Away | Whereabouts::Lost { .. } => pending().await,
                }
            };
            let turn = tokio::select! {
                heard = hint => {
                    // Nobody waits for a worker that may come tomorrow.
                    let tidings = match heard {
                        JobNews::Found(Err(Unanswered::Busy(_))) | JobNews::Unserved(true) => {
                            Tidings::Unserved
                        }
                        JobNews::Found(found) => Tidings::Hint(found.ok()),
                        JobNews::Unserved(false) => continue,
                    };
                    self.hint = None;
                    return tidings;
                }
                turn = turn => turn,
            };
            match turn {
                StayNews::News => {}
                StayNews::End => self.turn_back(),
                StayNews::Joined(joined) => self.arrive(joined),
            }
            if let Some(sight) = self.look() {
                return Tidings::Game(sight);
            }
        }
    }

    /// Begins to join the game again.
    fn turn_back(&mut self) {
        let (visitor, game) = match std::mem::replace(&mut self.at, Whereabouts::Away) {
            Whereabouts::Here(visitor, ticket) => {
                let game = ticket.views.borrow().game.id.clone();
                (visitor, game)
            }
            Whereabouts::Lost { visitor, game, .. } => (visitor, game),
            at => {
                self.at = at;
                return;
            }
        };
        let (host, who, id) = (self.host.clone(), visitor.clone(), game.clone());
        // Seats are the visitor's own by now.
        let joining = tokio::spawn(async move { host.join(&id, &who, None).await });
        self.at = Whereabouts::Returning(visitor, game, joining);
    }

    fn arrive(&mut self, joined: Result<Result<Ticket, HostError>, JoinError>) {
        let Whereabouts::Returning(visitor, game, _) =
            std::mem::replace(&mut self.at, Whereabouts::Away)
        else {
            return;
        };
        let joined = joined.unwrap_or_else(|error| Err(HostError::Unknown(error.to_string())));
        match joined {
            Ok(ticket) => self.sit(visitor, ticket),
            Err(error) => {
                self.at = Whereabouts::Lost {
                    visitor,
                    game,
                    error: Arc::new(error),
                    is_news: true,
                };
            }
        }
    }
}
