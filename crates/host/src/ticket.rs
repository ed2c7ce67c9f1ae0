//! A visitor's place at a game: what they see, and what they may want.

use std::sync::Arc;

use tablut_arena::Notice;
use tablut_rules::{Move, Side};
use tokio::sync::{mpsc, oneshot, watch};

use crate::{Refused, View, session::Command};

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

/// A place at a game, kept until it is dropped.
#[derive(Debug)]
pub struct Ticket {
    pub(crate) seats: [bool; 2],
    pub(crate) session: mpsc::UnboundedSender<Command>,
    /// How the game stands; the newest view replaces older ones.
    pub views: watch::Receiver<Arc<View>>,
}

impl Ticket {
    /// Whether a side is played from this place.
    #[must_use]
    pub const fn holds(&self, side: Side) -> bool {
        self.seats[side.index()]
    }

    /// Asks for something, and gives what came of it once it is kept.
    ///
    /// # Errors
    /// Says why not.
    pub async fn wish(&self, wish: Wish) -> Result<Vec<Notice>, Refused> {
        if self.seats == [false; 2] {
            return Err(Refused::Watching);
        }
        let (reply, answer) = oneshot::channel();
        let command = Command::Wish {
            seats: self.seats,
            wish,
            reply,
        };
        self.session.send(command).map_err(|_| Refused::Gone)?;
        answer.await.map_err(|_| Refused::Gone)?
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // A session that has ended does not mind.
        let _ = self.session.send(Command::Leave { seats: self.seats });
    }
}
