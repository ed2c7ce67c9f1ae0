//! A visitor's place at a game: what they see, and what they may want.

use std::sync::Arc;

use tablut_arena::Notice;
use tablut_rules::{BySide, Move, Side};
use tokio::sync::{oneshot, watch};

use crate::{Refused, View, audience::Spectating, room::SessionSender, session::SessionCommand};

/// What a player wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// To make a move.
    Move(Move),
    /// To offer a draw, or to accept one.
    OfferDraw,
    /// To decline a draw.
    DeclineDraw,
    /// To take the last move back, or to let the other do so.
    TakeBack,
    /// To refuse to let the other take a move back.
    DeclineTakeBack,
    /// To give up.
    Resign,
}

/// A visitor's presence at a game, of which its session knows until this is dropped.
#[derive(Debug)]
pub(crate) struct Presence {
    seats: BySide<bool>,
    session: SessionSender,
}

impl Presence {
    pub(crate) const fn new(seats: BySide<bool>, session: SessionSender) -> Self {
        Self { seats, session }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        // A session that has ended does not mind.
        let command = SessionCommand::Leave { seats: self.seats };
        let _ = self.session.send(Box::new(command));
    }
}

/// A place at a game, kept until it is dropped.
#[derive(Debug)]
pub struct Ticket {
    pub(crate) presence: Presence,
    /// Of who only watches: counted until they leave.
    pub(crate) spectating: Option<Spectating>,
    /// How the game stands; the newest view replaces older ones.
    pub views: watch::Receiver<Arc<View>>,
}

impl Ticket {
    /// Whether a side is played from this place.
    #[must_use]
    pub const fn holds(&self, side: Side) -> bool {
        *self.presence.seats.get(side)
    }

    /// Asks for something, and gives what came of it once it is kept.
    ///
    /// # Errors
    /// Says why not.
    pub async fn wish(&self, wish: Wish) -> Result<Vec<Notice>, Refused> {
        self.ask(wish, None).await
    }

    /// Makes the move that follows this many plies. It is made once however often it is asked for, so
    /// that whoever has had no answer can ask again.
    ///
    /// # Errors
    /// Says why not, as when the game has gone on by another move.
    pub async fn play(&self, ply: usize, step: Move) -> Result<Vec<Notice>, Refused> {
        self.ask(Wish::Move(step), Some(ply)).await
    }

    async fn ask(&self, wish: Wish, ply: Option<usize>) -> Result<Vec<Notice>, Refused> {
        let seats = self.presence.seats;
        if seats == BySide::both(false) {
            return Err(Refused::Watching);
        }
        let (reply, answer) = oneshot::channel();
        let command = SessionCommand::Wish {
            seats,
            wish,
            ply,
            reply,
        };
        let sent = self.presence.session.send(Box::new(command));
        sent.map_err(|_| Refused::Gone)?;
        answer.await.map_err(|_| Refused::Gone)?
    }
}
