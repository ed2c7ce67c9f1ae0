//! Where clients wait that have connected but not sent their name.
//!
//! They are read concurrently, so a silent one blocks nobody.

use std::{
    collections::VecDeque,
    future::poll_fn,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    net::TcpListener,
    time::{Instant, sleep_until},
};

use super::{
    super::{Dismissal, frame::Frame, pause_after},
    connection::Connection,
};

/// How many may wait at a port. When another comes, the one that has said nothing for the longest
/// time has to go: who means to play says its name at once.
const MOST: usize = 64;

/// Those who wait, the first to come first, each with the time it came.
pub(super) type Queue = VecDeque<(Instant, Connection)>;

/// A port's clients without a name.
pub(super) struct Door<'a> {
    listener: &'a TcpListener,
    patience: Duration,
    waiting: Queue,
    /// When clients are let in again, after the system could not give out connections.
    reopens: Option<Instant>,
}

/// What happened at a door.
pub(super) enum Arrival {
    /// A client said its name.
    Named(Connection, Frame),
    /// A client had to go, or has gone.
    Dismissed(Dismissal),
}

impl<'a> Door<'a> {
    /// A door with those who have waited through the last game: their time starts again.
    pub(super) fn new(listener: &'a TcpListener, patience: Duration, mut waiting: Queue) -> Self {
        let now = Instant::now();
        waiting.iter_mut().for_each(|(since, _)| *since = now);
        Self {
            listener,
            patience,
            waiting,
            reopens: None,
        }
    }

    /// Those who still wait.
    pub(super) fn close(self) -> Queue {
        self.waiting
    }

    /// Waits until a client sends its name or leaves. Cancelling the wait loses nothing.
    pub(super) async fn greet(&mut self) -> Arrival {
        loop {
            let first = self.waiting.front().map(|(since, _)| *since);
            let deadline = first.and_then(|since| since.checked_add(self.patience));
            let (late, reopening) = (until(deadline), until(self.reopens));
            tokio::select! {
                // Who has said its name in time is not late, however busy this machine is.
                biased;
                arrival = poll_fn(|context| self.poll(context)) => match arrival {
                    Some(arrival) => return arrival,
                    // Another connection waits, perhaps the first.
                    None => continue,
                },
                () = late => {}
                () = reopening => {
                    self.reopens = None;
                    continue;
                }
            }
            if let Some(_nameless) = self.waiting.pop_front() {
                return Arrival::Dismissed(Dismissal::Nameless);
            }
        }
    }

    /// What has happened; `None` if a client was let in.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Arrival>> {
        for n in 0..self.waiting.len() {
            let Poll::Ready(frame) = self.waiting[n].1.poll_name(context) else {
                continue;
            };
            let Some((_, connection)) = self.waiting.remove(n) else {
                continue;
            };
            return Poll::Ready(Some(match frame {
                Some(frame) => Arrival::Named(connection, frame),
                None => Arrival::Dismissed(Dismissal::Left),
            }));
        }
        if self.reopens.is_some() {
            return Poll::Pending;
        }
        let (stream, _) = match ready!(self.listener.poll_accept(context)) {
            Ok(accepted) => accepted,
            Err(error) => {
                let pause = pause_after(&error);
                self.reopens = (!pause.is_zero()).then(|| Instant::now() + pause);
                return Poll::Ready(None);
            }
        };
        let connection = Connection::new(stream);
        self.waiting.push_back((Instant::now(), connection));
        if self.waiting.len() > MOST {
            self.waiting.pop_front();
            let crowded = Arrival::Dismissed(Dismissal::Crowded);
            return Poll::Ready(Some(crowded));
        }
        Poll::Ready(None)
    }
}

/// Waits until a moment, if there is one.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
