//! Where programs wait that connect from elsewhere, until a game is theirs.

use std::{
    collections::{HashMap, VecDeque},
    fmt, io,
    net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock},
    thread,
    time::{Duration, Instant},
};

use tablut_arena::{MoverError, Stop, tournament::known_secret};
use tablut_challenge::{
    client::{Heard, Incoming},
    frame::Frame,
    message::read_name,
    pause_after,
};
use tablut_rules::{BySide, Side};

use crate::{
    client::{Guest, LOOK},
    throttle::{Pace, Source, Throttle},
};

/// How long a program may take to say who it is.
const GREETING: Duration = Duration::from_secs(10);

/// How many connections may be greeted at a time, and how many of these from one address, if it is not
/// this machine's own. When another comes, the one that has said nothing for the longest time has to
/// go: a real player sends its secret at once.
const MOST: usize = 256;
const MOST_OF_ONE: usize = 32;

/// How many wrong secrets one address may send before it is ignored for a while. All together are
/// slowed down by the time each wrong one takes, during which its slot is occupied.
const GUESSES: Pace = Pace {
    burst: 20,
    per_second: 0.05,
};
const PENALTY: Duration = Duration::from_secs(1);

/// Two open ports, one for each side. A program says its team's secret where a player says its name,
/// and waits for its next game. Clones are the same lobby.
#[derive(Clone)]
pub struct Lobby {
    waiting: Arc<Waiting>,
    secrets: Arc<RwLock<Vec<String>>>,
    addresses: BySide<SocketAddr>,
}

struct Waiting {
    guests: Mutex<HashMap<(String, Side), Guest>>,
    came: Condvar,
    greeted: Mutex<Greeted>,
}

/// Who is being greeted, and who has guessed.
struct Greeted {
    /// The first to come first.
    strangers: VecDeque<Stranger>,
    /// The number of the next one.
    next: u64,
    guesses: Throttle,
}

/// A stranger who is being greeted.
struct Stranger {
    number: u64,
    source: Source,
    /// Nothing once it has said something.
    silent: Option<TcpStream>,
}

impl Greeted {
    /// Sends the first stranger away that has said nothing and is of a kind; whether there is one.
    fn send_away(&mut self, is_meant: impl Fn(&Stranger) -> bool) -> bool {
        let is_silent = |stranger: &Stranger| stranger.silent.is_some() && is_meant(stranger);
        let Some(at) = self.strangers.iter().position(is_silent) else {
            return false;
        };
        if let Some(stream) = self.strangers.remove(at).and_then(|gone| gone.silent) {
            // Its thread hears the end.
            drop(stream.shutdown(Shutdown::Both));
        }
        true
    }
}

impl Waiting {
    fn new() -> Self {
        let everybody = Pace {
            burst: u32::MAX,
            per_second: 0.0,
        };
        Self {
            guests: Mutex::default(),
            came: Condvar::new(),
            greeted: Mutex::new(Greeted {
                strangers: VecDeque::new(),
                next: 0,
                guesses: Throttle::new(GUESSES, everybody, Instant::now()),
            }),
        }
    }

    fn greeted(&self) -> MutexGuard<'_, Greeted> {
        self.greeted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Lobby {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lobby({:?})", self.addresses)
    }
}

impl Lobby {
    /// Opens the ports of both sides for programs that know one of the secrets.
    ///
    /// # Errors
    /// A port cannot be opened.
    pub fn open(bind: IpAddr, ports: BySide<u16>, secrets: Vec<String>) -> io::Result<Self> {
        let waiting = Arc::new(Waiting::new());
        let secrets = Arc::new(RwLock::new(secrets));
        let listen = |side: Side| {
            let address = SocketAddr::new(bind, ports[side]);
            let listener = TcpListener::bind(address)
                .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
            let address = listener.local_addr()?;
            let (waiting, secrets) = (Arc::clone(&waiting), Arc::clone(&secrets));
            thread::Builder::new()
                .name("lobby".into())
                .spawn(move || welcome(&listener, side, &waiting, &secrets))?;
            io::Result::Ok(address)
        };
        let addresses = BySide {
            defenders: listen(Side::Defenders)?,
            attackers: listen(Side::Attackers)?,
        };
        Ok(Self {
            waiting,
            secrets,
            addresses,
        })
    }

    /// Lets in from now on who knows one of these secrets, and nobody else.
    pub fn expect(&self, secrets: Vec<String>) {
        let mut known = self.secrets.write().unwrap_or_else(PoisonError::into_inner);
        if *known != secrets {
            let guests = self.waiting.guests.lock();
            let mut guests = guests.unwrap_or_else(PoisonError::into_inner);
            guests.retain(|(secret, _), _| secrets.contains(secret));
            *known = secrets;
        }
    }

    /// The addresses of both sides.
    #[must_use]
    pub const fn addresses(&self) -> BySide<SocketAddr> {
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
struct GreetingSlot {
    waiting: Arc<Waiting>,
    source: Source,
    number: u64,
}

impl GreetingSlot {
    /// A slot for a newcomer, unless all are taken by those who have sent something wrong.
    fn take(waiting: &Arc<Waiting>, source: Source, stream: &TcpStream) -> Option<Self> {
        let silent = Some(stream.try_clone().ok()?);
        let mut greeted = waiting.greeted();
        let is_own = |stranger: &Stranger| stranger.source == source;
        let own = greeted.strangers.iter().filter(|s| is_own(s)).count();
        if own >= MOST_OF_ONE && !source.is_here() && !greeted.send_away(is_own) {
            return None;
        }
        if greeted.strangers.len() >= MOST && !greeted.send_away(|_| true) {
            return None;
        }
        let number = greeted.next;
        greeted.next += 1;
        greeted.strangers.push_back(Stranger {
            number,
            source,
            silent,
        });
        Some(Self {
            waiting: Arc::clone(waiting),
            source,
            number,
        })
    }

    /// Notes that something was sent, and whether to look at it: whoever has guessed too often is
    /// ignored. Each counts as a guess, which is given back to those who know a secret.
    fn may_guess(&self) -> bool {
        let mut greeted = self.waiting.greeted();
        let mut strangers = greeted.strangers.iter_mut();
        if let Some(own) = strangers.find(|stranger| stranger.number == self.number) {
            own.silent = None;
        }
        greeted.guesses.take(self.source, Instant::now())
    }

    /// What came was no guess.
    fn forgive(&self) {
        let mut greeted = self.waiting.greeted();
        greeted.guesses.give_back(self.source, Instant::now());
    }
}

impl Drop for GreetingSlot {
    fn drop(&mut self) {
        let mut greeted = self.waiting.greeted();
        greeted
            .strangers
            .retain(|stranger| stranger.number != self.number);
    }
}

/// Lets programs in, each greeted by a thread of its own.
fn welcome(
    listener: &TcpListener,
    side: Side,
    waiting: &Arc<Waiting>,
    secrets: &Arc<RwLock<Vec<String>>>,
) {
    for stream in listener.incoming() {
        let stream = match stream {
            Ok(stream) => stream,
            Err(error) => {
                thread::sleep(pause_after(&error));
                continue;
            }
        };
        let Ok(peer) = stream.peer_addr() else {
            continue;
        };
        let Some(place) = GreetingSlot::take(waiting, Source::of(peer.ip()), &stream) else {
            continue;
        };
        let secrets = Arc::clone(secrets);
        let greeting = move || match greet(stream, &secrets, &place) {
            Greeting::Known(secret, guest) => {
                place.forgive();
                let guests = place.waiting.guests.lock();
                // Who comes again takes the place of who waited.
                guests
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert((secret, side), *guest);
                place.waiting.came.notify_all();
            }
            Greeting::Silence => {}
            // The place is kept meanwhile.
            Greeting::Wrong => thread::sleep(PENALTY),
        };
        // Without a thread, the connection is closed.
        drop(
            thread::Builder::new()
                .name("greeting".into())
                .spawn(greeting),
        );
    }
}

/// What a connection said.
enum Greeting {
    /// A secret that we know.
    Known(String, Box<Guest>),
    /// Something else.
    Wrong,
    /// Nothing.
    Silence,
}

/// Hears who has connected.
fn greet(stream: TcpStream, secrets: &RwLock<Vec<String>>, place: &GreetingSlot) -> Greeting {
    let incoming = stream
        .set_nodelay(true)
        .and_then(|()| Incoming::new(&stream));
    let Ok(incoming) = incoming else {
        return Greeting::Silence;
    };
    let payload = match incoming.next(GREETING) {
        Heard::Frame(_, Frame::Payload(payload)) => payload,
        Heard::Frame(..) => {
            place.may_guess();
            return Greeting::Wrong;
        }
        _ => return Greeting::Silence,
    };
    let name = read_name(&payload).unwrap_or_default();
    if !place.may_guess() {
        return Greeting::Wrong;
    }
    // They are copied: to check one takes a while.
    let secrets = secrets
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    match known_secret(&secrets, &name) {
        Some(secret) => {
            let guest = Guest::connected(incoming, stream);
            Greeting::Known(secret.clone(), Box::new(guest))
        }
        None => Greeting::Wrong,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::{Read, Write};

    use super::*;
    use tablut_challenge::{frame::frame, message::name_payload};

    /// Sends a secret; whether the lobby cuts the connection without reading it.
    fn say(lobby: &Lobby, secret: &str) -> TcpStream {
        let mut stream = TcpStream::connect(lobby.addresses().defenders).unwrap();
        // A connection that was not let in may be gone already.
        let _ = stream.write_all(&frame(name_payload(secret).as_bytes()));
        stream
    }

    #[test]
    fn who_guesses_secrets_is_not_heard_any_more() {
        let here = IpAddr::from([127, 0, 0, 1]);
        let lobby = Lobby::open(here, BySide::both(0), vec!["the secret".into()]).unwrap();
        let stop = Stop::default();
        let take = |patience| lobby.take("the secret", Side::Defenders, patience, &stop);
        // Who knows it comes as often as they like.
        for _ in 0..50 {
            let stream = say(&lobby, "the secret");
            take(Duration::from_secs(60)).unwrap();
            drop(stream);
        }
        let mut wrong: Vec<TcpStream> = (0..GUESSES.burst + 10)
            .map(|_| say(&lobby, "a guess"))
            .collect();
        for stream in &mut wrong {
            stream
                .set_read_timeout(Some(Duration::from_secs(60)))
                .unwrap();
            // Closed, or cut.
            let ended = stream.read(&mut [0]);
            assert!(
                ended.as_ref().is_ok_and(|&n| n == 0)
                    || ended.is_err_and(|error| error.kind() == io::ErrorKind::ConnectionReset)
            );
        }
        let mut late = say(&lobby, "the secret");
        late.set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        assert!(matches!(late.read(&mut [0]), Ok(0) | Err(_)));
        assert!(take(Duration::ZERO).is_err());
    }

    #[test]
    fn silent_programs_keep_nobody_out_of_the_lobby() {
        let here = IpAddr::from([127, 0, 0, 1]);
        let lobby = Lobby::open(here, BySide::both(0), vec!["the secret".into()]).unwrap();
        let connect = |_| TcpStream::connect(lobby.addresses().defenders).unwrap();
        let mut silent: Vec<TcpStream> = (0..MOST + 20).map(connect).collect();
        let _honest = say(&lobby, "the secret");
        let patience = Duration::from_secs(60);
        let guest = lobby.take("the secret", Side::Defenders, patience, &Stop::default());
        assert!(guest.is_ok(), "{guest:?}");
        // Those who came first have been sent away to make room.
        silent[0].set_read_timeout(Some(patience)).unwrap();
        assert_eq!(silent[0].read(&mut [0]).unwrap(), 0);
        assert!(lobby.waiting.greeted().strangers.len() <= MOST);
    }
}
