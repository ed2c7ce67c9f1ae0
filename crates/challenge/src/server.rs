//! The referee's driver: two listeners, two connections, one clock.
//!
//! A game is one task and no thread. What it holds for a connection is bounded: one frame and what
//! came with it, and a queue of states that are not taken. So is the number of connections.

mod connection;
mod door;

use std::{
    io, mem,
    net::{IpAddr, SocketAddr},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tablut_rules::{BySide, Side};
use tokio::{
    net::TcpListener,
    time::{Instant, sleep_until},
};

use super::{Dismissal, Effect, Heard, Options, Referee, frame::Frame};
use connection::Connection;
use door::{Arrival, Door, Queue};

/// Listeners for one game after another, and who waits there.
#[derive(Debug)]
pub struct RefereePorts {
    listeners: BySide<TcpListener>,
    /// Who was let in and had said no name when a game began.
    waiting: Mutex<BySide<Queue>>,
}

impl RefereePorts {
    /// A table with listeners for both sides.
    #[must_use]
    pub fn new(listeners: BySide<TcpListener>) -> Self {
        Self {
            listeners,
            waiting: Mutex::default(),
        }
    }

    /// Listens on the ports of both sides.
    ///
    /// # Errors
    /// Says which address cannot be listened on, and why.
    pub async fn bind(ip: IpAddr, ports: BySide<u16>) -> io::Result<Self> {
        let bind = async |port: u16| {
            let address = SocketAddr::new(ip, port);
            let bound = TcpListener::bind(address).await;
            bound.map_err(|error| {
                io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
            })
        };
        Ok(Self::new(BySide {
            defenders: bind(ports.defenders).await?,
            attackers: bind(ports.attackers).await?,
        }))
    }

    /// The ports of both sides, also where any free ones were asked for.
    #[must_use]
    pub fn ports(&self) -> BySide<u16> {
        self.listeners.as_ref().map(|listener| {
            let address = listener.local_addr();
            address.map_or(0, |address| address.port())
        })
    }
}

impl RefereePorts {
    fn lock(&self) -> MutexGuard<'_, BySide<Queue>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps those who wait for the next game.
    fn keep(&self, waiting: BySide<Queue>) {
        *self.lock() = waiting;
    }
}

/// When something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Milliseconds since the wait for the players began, as the referee counts.
    pub ms: u64,
    /// When what caused it had been read.
    pub heard: Instant,
}

/// Plays one game to its end. Everything that happens is reported to `watch`, with its time and the
/// referee as it stands after it.
///
/// A client that connects while its place is taken waits for the next game. When the system gives out no
/// connections, those who come wait until it does. Dropping the future
/// closes the connections.
pub async fn play(
    table: &RefereePorts,
    options: Options,
    watch: &mut (dyn FnMut(Moment, &Referee, &Effect) + Send),
) -> Referee {
    let mut clock = Clock::start();
    let mut referee = Referee::new(options);
    let mut places = PlayerPort::by_side(table, referee.options());
    let mut heard = clock.start;
    let mut effects = referee.pass(0);
    loop {
        for effect in effects {
            match &effect {
                Effect::Send { side, frame } => places[*side].send(frame, &mut clock).await,
                Effect::Dismissed { side, .. } => places[*side].leave(),
                _ => {}
            }
            let ms = clock.now();
            watch(Moment { ms, heard }, &referee, &effect);
        }
        if referee.is_over() {
            // The clients have a moment to read the last state and close.
            let (attackers, defenders) =
                tokio::join!(places.attackers.farewell(), places.defenders.farewell());
            table.keep(BySide {
                attackers,
                defenders,
            });
            return referee;
        }
        let deadline = referee.deadline();
        let wants = BySide::from_fn(|side| referee.wants(side));
        let (side, came) = tokio::select! {
            came = places.defenders.hear(wants.defenders) => (Side::Defenders, Some(came)),
            came = places.attackers.hear(wants.attackers) => (Side::Attackers, Some(came)),
            () = clock.until(deadline) => (Side::Defenders, None),
        };
        heard = Instant::now();
        let now = clock.now();
        effects = match came {
            None => referee.pass(now),
            Some(Came::Said(said)) => referee.tell(now, side, said),
            Some(Came::Named(name)) => {
                let mut effects = referee.tell(now, side, Heard::Connected);
                effects.extend(referee.tell(now, side, Heard::Frame(name)));
                effects
            }
            Some(Came::Dismissed(why)) => {
                // It had no place yet, so it is the referee's business no more than that.
                let dismissed = Effect::Dismissed { side, why };
                watch(Moment { ms: now, heard }, &referee, &dismissed);
                Vec::new()
            }
        };
    }
}

/// The referee's clock, which stands still while a client is given its pause between states.
struct Clock {
    start: Instant,
    /// How long it has stood still.
    aside: Duration,
}

impl Clock {
    fn start() -> Self {
        Self {
            start: Instant::now(),
            aside: Duration::ZERO,
        }
    }

    /// Milliseconds since the start.
    fn now(&self) -> u64 {
        let elapsed = self.start.elapsed().saturating_sub(self.aside);
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    async fn until(&self, deadline: Option<u64>) {
        let at = |ms: u64| {
            let since = Duration::from_millis(ms).checked_add(self.aside)?;
            self.start.checked_add(since)
        };
        match deadline.and_then(at) {
            Some(at) => sleep_until(at).await,
            None => std::future::pending().await,
        }
    }

    /// Stands still until a moment.
    async fn pause(&mut self, until: Instant) {
        let begin = Instant::now();
        if until > begin {
            sleep_until(until).await;
            self.aside += begin.elapsed();
        }
    }
}

/// What came to a place.
enum Came {
    /// From the client that has it.
    Said(Heard),
    /// A client that takes it, with its name.
    Named(Frame),
    /// A client that had said no name has gone.
    Dismissed(Dismissal),
}

/// A player's place: a door, and a connection once a client has sent its name.
struct PlayerPort<'a> {
    door: Door<'a>,
    connection: Option<Connection>,
    /// When the last state was sent.
    sent: Option<Instant>,
    pace: Duration,
}

impl<'a> PlayerPort<'a> {
    /// The places of both sides.
    fn by_side(table: &'a RefereePorts, options: &Options) -> BySide<Self> {
        let patience = Duration::from_millis(options.name_ms());
        let queues = mem::take(&mut *table.lock());
        let doors = table.listeners.as_ref().zip(queues);
        doors.map(|(listener, queue)| Self {
            door: Door::new(listener, patience, queue),
            connection: None,
            sent: None,
            pace: Duration::from_millis(options.pace_ms),
        })
    }

    /// Waits for what comes. Nothing is lost when the wait is given up.
    async fn hear(&mut self, wants: bool) -> Came {
        if let Some(connection) = &mut self.connection {
            return Came::Said(connection.hear(wants).await);
        }
        match self.door.greet().await {
            Arrival::Dismissed(why) => Came::Dismissed(why),
            Arrival::Named(connection, name) => {
                self.connection = Some(connection);
                Came::Named(name)
            }
        }
    }

    /// Sends a state, but not sooner after the last one than the pace allows.
    async fn send(&mut self, frame: &[u8], clock: &mut Clock) {
        let Some(connection) = &mut self.connection else {
            return;
        };
        if let Some(at) = self.sent.and_then(|sent| sent.checked_add(self.pace)) {
            clock.pause(at).await;
        }
        connection.send(frame);
        self.sent = Some(Instant::now());
    }

    /// Sends the client away and frees the place.
    fn leave(&mut self) {
        self.connection = None;
    }

    /// Ends the connection when what was to be sent is sent; who waits for the next game.
    async fn farewell(self) -> Queue {
        if let Some(connection) = self.connection {
            connection.leave().await;
        }
        self.door.close()
    }
}
