//! The referee's driver: two listeners, two connections, one clock.
//!
//! A game is one task and no thread. What it holds for a connection is bounded: one frame and what
//! came with it, and a queue of states that are not taken.

mod connection;

use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use tablut_rules::Side;
use tokio::{
    net::TcpListener,
    time::{Instant, sleep_until},
};

use super::{Effect, Heard, Options, Referee};
use connection::Connection;

/// Listeners for a game, White's first, as in [`WHITE_FIRST`](super::WHITE_FIRST).
#[derive(Debug)]
pub struct Table {
    /// White's.
    pub white: TcpListener,
    /// Black's.
    pub black: TcpListener,
}

impl Table {
    /// Listens on the ports of White and Black.
    ///
    /// # Errors
    /// Says which address cannot be listened on, and why.
    pub async fn bind(ip: IpAddr, ports: [u16; 2]) -> io::Result<Self> {
        let bind = async |port: u16| {
            let address = SocketAddr::new(ip, port);
            let bound = TcpListener::bind(address).await;
            bound.map_err(|error| {
                io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
            })
        };
        Ok(Self {
            white: bind(ports[0]).await?,
            black: bind(ports[1]).await?,
        })
    }

    /// The ports of White and Black, also where any free ones were asked for.
    #[must_use]
    pub fn ports(&self) -> [u16; 2] {
        [&self.white, &self.black].map(|listener| {
            let address = listener.local_addr();
            address.map_or(0, |address| address.port())
        })
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

/// Plays one game to its end. Everything that happens is told to `watch`, with its time and the
/// referee as it stands after it.
///
/// A client that connects while its place is taken waits for the next game. Dropping the future
/// closes the connections.
///
/// # Errors
/// A listener does not accept connections any more.
pub async fn play(
    table: &Table,
    options: Options,
    watch: &mut (dyn FnMut(Moment, &Referee, &Effect) + Send),
) -> io::Result<Referee> {
    let start = Instant::now();
    let mut referee = Referee::new(options);
    let mut white = Place::new(&table.white, Side::Defenders);
    let mut black = Place::new(&table.black, Side::Attackers);
    let mut heard = start;
    let mut effects = referee.pass(0);
    loop {
        let moment = Moment {
            ms: elapsed(start),
            heard,
        };
        for effect in effects {
            let place = |side: Side| match side {
                Side::Defenders => 0,
                Side::Attackers => 1,
            };
            let places = [&mut white, &mut black];
            match &effect {
                Effect::Send { side, frame } => places[place(*side)].send(frame),
                Effect::Dismissed { side, .. } => places[place(*side)].leave(),
                _ => {}
            }
            watch(moment, &referee, &effect);
        }
        if referee.is_over() {
            // The clients have a moment to read the last state and close.
            tokio::join!(white.farewell(), black.farewell());
            return Ok(referee);
        }
        let deadline = referee.deadline();
        let wants = [Side::Defenders, Side::Attackers].map(|side| referee.wants(side));
        let (from, said) = tokio::select! {
            heard = white.hear(wants[0]) => (white.side, Some(heard?)),
            heard = black.hear(wants[1]) => (black.side, Some(heard?)),
            () = until(start, deadline) => (white.side, None),
        };
        heard = Instant::now();
        let now = elapsed(start);
        effects = match said {
            Some(said) => referee.tell(now, from, said),
            None => referee.pass(now),
        };
    }
}

fn elapsed(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

async fn until(start: Instant, deadline: Option<u64>) {
    match deadline.and_then(|ms| start.checked_add(Duration::from_millis(ms))) {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// A player's place: a listener, and a connection once there is one.
struct Place<'a> {
    listener: &'a TcpListener,
    side: Side,
    connection: Option<Connection>,
}

impl<'a> Place<'a> {
    const fn new(listener: &'a TcpListener, side: Side) -> Self {
        Self {
            listener,
            side,
            connection: None,
        }
    }

    /// Waits for what comes. Nothing is lost when the wait is given up.
    async fn hear(&mut self, wants: bool) -> io::Result<Heard> {
        let Some(connection) = &mut self.connection else {
            let stream = loop {
                match self.listener.accept().await {
                    Ok((stream, _)) => break stream,
                    // Who has gone again before being let in does not matter.
                    Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                    Err(error) => return Err(error),
                }
            };
            self.connection = Some(Connection::new(stream));
            return Ok(Heard::Connected);
        };
        Ok(connection.hear(wants).await)
    }

    fn send(&mut self, frame: &[u8]) {
        if let Some(connection) = &mut self.connection {
            connection.send(frame);
        }
    }

    /// Sends the client away and frees the place.
    fn leave(&mut self) {
        self.connection = None;
    }

    /// Ends the connection when what was to be sent is sent.
    async fn farewell(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.leave().await;
        }
    }
}
