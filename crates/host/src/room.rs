//! The games that live in a process, and the way to their sessions.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex as SyncMutex, MutexGuard, PoisonError},
};

use tablut_rules::BySide;
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::{Ticket, session::SessionCommand, ticket::Presence};

/// Where the session of a game is told something. Boxed, since a channel has room for dozens from its first day on.
pub(crate) type SessionSender = mpsc::UnboundedSender<Box<SessionCommand>>;

/// Where it hears of it.
pub(crate) type SessionReceiver = mpsc::UnboundedReceiver<Box<SessionCommand>>;

/// A game that is being watched or played, or is about to be.
#[derive(Default)]
pub(crate) struct Room {
    /// Locked by whoever joins.
    pub(crate) gate: Mutex<()>,
    /// Only locked for a moment.
    session: SyncMutex<Option<SessionSender>>,
}

impl Room {
    fn slot(&self) -> MutexGuard<'_, Option<SessionSender>> {
        // It is whole between any two statements.
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, if it lives.
    pub(crate) fn session(&self) -> Option<SessionSender> {
        self.slot().clone().filter(|session| !session.is_closed())
    }

    pub(crate) fn set(&self, session: Option<SessionSender>) {
        *self.slot() = session;
    }
}

/// The games that are being watched or played, or are about to be.
#[derive(Default)]
pub(crate) struct Sessions {
    /// Only locked for a moment; what takes time is done behind the gate of a room.
    rooms: SyncMutex<HashMap<String, Arc<Room>>>,
}

impl Sessions {
    pub(crate) fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        // The map is whole between any two statements.
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room of a game.
    pub(crate) fn room(&self, id: &str) -> Arc<Room> {
        Arc::clone(self.rooms().entry(id.into()).or_default())
    }

    /// The games that live here.
    pub(crate) fn ids(&self) -> Vec<String> {
        let rooms = self.rooms();
        let live = rooms.iter().filter(|(_, room)| room.session().is_some());
        live.map(|(id, _)| id.clone()).collect()
    }

    /// Tells the session of a game something, if there is one.
    pub(crate) fn tell(&self, id: &str, command: SessionCommand) {
        let session = self.rooms().get(id).and_then(|room| room.session());
        if let Some(session) = session {
            // One that has just ended does not mind.
            let _ = session.send(Box::new(command));
        }
    }

    /// Tells all sessions something.
    pub(crate) fn tell_all(&self, command: impl Fn() -> SessionCommand) {
        for session in self.rooms().values().filter_map(|room| room.session()) {
            let _ = session.send(Box::new(command()));
        }
    }

    /// How many games live or are about to. Rooms that nobody uses any more are given up.
    pub(crate) fn count(&self) -> usize {
        let mut rooms = self.rooms();
        let mut live = 0;
        rooms.retain(|_, room| {
            // One that is locked is being joined right now.
            let is_live = room.session().is_some() || room.gate.try_lock().is_err();
            live += usize::from(is_live);
            is_live || Arc::strong_count(room) > 1
        });
        live
    }
}

/// Asks a session for a place; nothing if it has ended.
pub(crate) async fn ask(
    session: &SessionSender,
    seats: BySide<bool>,
    address: &Arc<str>,
) -> Option<Ticket> {
    let (reply, views) = oneshot::channel();
    let command = SessionCommand::Join {
        seats,
        address: Arc::clone(address),
        reply,
    };
    session.send(Box::new(command)).ok()?;
    // From here on whoever gives up waiting leaves.
    let presence = Presence::new(seats, session.clone());
    let views = views.await.ok()?;
    Some(Ticket {
        presence,
        spectating: None,
        views,
    })
}
