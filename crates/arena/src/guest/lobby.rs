//! Where programs wait that connect from elsewhere, until a game is theirs.

use std::{
    collections::HashMap,
    fmt, io,
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tablut_rules::Side;

use super::client::{Guest, LOOK};
use crate::{
    MoverError, Stop,
    challenge::{
        WHITE_FIRST,
        client::{Heard, Incoming},
        frame::Frame,
        message::read_name,
    },
    tournament::known_secret,
};

/// How long a program may take to say who it is.
const GREETING: Duration = Duration::from_secs(10);

/// How many connections may wait at a time.
const MOST: usize = 256;

/// Two open ports, White's and Black's. A program says its team's secret where a player says its name,
/// and waits for its next game. Clones are the same lobby.
#[derive(Clone)]
pub struct Lobby {
    waiting: Arc<Waiting>,
    addresses: [SocketAddr; 2],
}

#[derive(Default)]
struct Waiting {
    guests: Mutex<HashMap<(String, Side), Guest>>,
    came: Condvar,
    connections: AtomicUsize,
}

impl fmt::Debug for Lobby {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lobby({:?})", self.addresses)
    }
}

impl Lobby {
    /// Opens the ports of White and Black for programs that know one of the secrets.
    ///
    /// # Errors
    /// A port cannot be opened.
    pub fn open(bind: IpAddr, ports: [u16; 2], secrets: Vec<String>) -> io::Result<Self> {
        let waiting = Arc::new(Waiting::default());
        let secrets = Arc::new(secrets);
        let mut addresses = Vec::new();
        for (side, port) in WHITE_FIRST.into_iter().zip(ports) {
            let address = SocketAddr::new(bind, port);
            let listener = TcpListener::bind(address)
                .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
            addresses.push(listener.local_addr()?);
            let (waiting, secrets) = (Arc::clone(&waiting), Arc::clone(&secrets));
            thread::Builder::new()
                .name("lobby".into())
                .spawn(move || welcome(&listener, side, &waiting, &secrets))?;
        }
        Ok(Self {
            waiting,
            addresses: [addresses[0], addresses[1]],
        })
    }

    /// The addresses of White and Black.
    #[must_use]
    pub const fn addresses(&self) -> [SocketAddr; 2] {
        self.addresses
    }

    /// Takes the program that knows a secret, or waits for it.
    pub(super) fn take(
        &self,
        secret: &str,
        side: Side,
        patience: Duration,
        stop: &Stop,
    ) -> Result<Guest, MoverError> {
        let end = Instant::now() + patience;
        let key = (secret.to_string(), side);
        let lock = self.waiting.guests.lock();
        let mut guests = lock.unwrap_or_else(PoisonError::into_inner);
        loop {
            // Who has gone again meanwhile may come back.
            if let Some(guest) = guests.remove(&key)
                && guest.is_there()
            {
                return Ok(guest);
            }
            if stop.is_abandoned() {
                return Err(MoverError::Stopped);
            }
            if Instant::now() > end {
                return Err(MoverError::Gone(
                    "its program did not connect in time".into(),
                ));
            }
            let waited = self.waiting.came.wait_timeout(guests, LOOK);
            guests = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// One of the connections that are being greeted; free again when it is dropped.
struct Place(Arc<Waiting>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Lets programs in, each greeted by a thread of its own.
fn welcome(listener: &TcpListener, side: Side, waiting: &Arc<Waiting>, secrets: &Arc<Vec<String>>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Too many open files, perhaps: not for long.
            thread::sleep(LOOK);
            continue;
        };
        if waiting.connections.fetch_add(1, Ordering::Relaxed) >= MOST {
            waiting.connections.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let place = Place(Arc::clone(waiting));
        let secrets = Arc::clone(secrets);
        let greeting = move || {
            if let Some((secret, guest)) = greet(stream, &secrets) {
                let guests = place.0.guests.lock();
                // Who comes again takes the place of who waited.
                guests
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert((secret, side), guest);
                place.0.came.notify_all();
            }
        };
        // Without a thread, the connection is closed.
        drop(
            thread::Builder::new()
                .name("greeting".into())
                .spawn(greeting),
        );
    }
}

/// Hears who has connected; nothing if it is nobody we know.
fn greet(stream: TcpStream, secrets: &[String]) -> Option<(String, Guest)> {
    stream.set_nodelay(true).ok()?;
    let incoming = Incoming::new(&stream).ok()?;
    let Heard::Frame(_, Frame::Payload(payload)) = incoming.next(GREETING) else {
        return None;
    };
    let name = read_name(&payload).ok()?;
    let secret = known_secret(secrets, &name)?;
    Some((secret.clone(), Guest::connected(incoming, stream)))
}
