//! Who is here, and from where: so that nobody takes all the room.
//!
//! What one address may hold shrinks as the whole fills up, to a sixteenth of what is still free: a hundred
//! addresses that take all they can leave room for the next. And strangers never get the last places,
//! which are kept for the people at this machine.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tablut_guest::throttle::{Pace, Source, Throttle};
use tablut_host::PageCount;
use tokio::sync::Notify;

/// How many may come, from everywhere and from one address, and how long they may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Connections that are open at once and no page's socket: requests, half requests, idle ones.
    pub connections: usize,
    /// Of these, from one address.
    pub connections_per_address: usize,
    /// Pages that are open at once, each with a socket.
    pub pages: usize,
    /// Pages that are open at once from one address, in all processes on one store.
    pub pages_per_address: usize,
    /// Pages that are open at once in all processes on one store; nothing if only each is limited.
    pub all_pages: Option<usize>,
    /// Connections, and as many pages, that only visitors from this machine get; a quarter at most.
    pub reserve: usize,
    /// How long the head of a request may take, and how long an idle connection is kept.
    pub header_time: Duration,
    /// How long a peer may take none of what is sent to it.
    pub stall_time: Duration,
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            connections: 4000,
            connections_per_address: 256,
            pages: 4000,
            pages_per_address: 200,
            all_pages: None,
            reserve: 64,
            header_time: Duration::from_secs(10),
            stall_time: Duration::from_secs(10),
        }
    }
}

/// From which part of what an address may hold on other processes are told of it. Most addresses have a page
/// or two, and nobody has to know of them.
const TOLD: usize = 16;

/// Which part of what is free one address may hold.
const SHARE: usize = 16;

/// Descriptors for other things than visitors: the store, engines, programs, the contest's ports.
const OTHER_DESCRIPTORS: u64 = 256;

impl Traffic {
    /// How many files and connections a process has to be able to open for all this.
    #[must_use]
    pub fn descriptors(&self) -> u64 {
        let room = self.connections.saturating_add(self.pages);
        let room = u64::try_from(room).unwrap_or(u64::MAX);
        room.saturating_add(OTHER_DESCRIPTORS)
    }

    /// No more than a process with this limit of open files can have open.
    #[must_use]
    pub fn within(mut self, descriptors: u64) -> Self {
        let room = descriptors.saturating_sub(OTHER_DESCRIPTORS).max(64);
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        if self.connections.saturating_add(self.pages) > room {
            // A connection serves many pages, one after another.
            self.connections = self.connections.min(room / 4);
            self.pages = self.pages.min(room - self.connections);
        }
        self
    }
}

/// Where a visitor comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Origin {
    /// The address, or the network it belongs to.
    pub(crate) source: Source,
    /// Whether the visitor is at this machine, and not only brought here by a proxy on it.
    pub(crate) is_local: bool,
}

impl Origin {
    /// The address as other processes know it.
    pub(crate) fn address(&self) -> String {
        self.source.to_string()
    }
}

/// What a visitor holds for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holding {
    /// A connection that is no page's socket.
    Connection,
    /// An open page.
    Page,
}

/// What strangers may not do too often. The people at this machine may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    /// Opening a page, with whatever token.
    Visit,
    /// Leaving something for the first time, which makes a visitor to be remembered.
    Settle,
    /// Making a game.
    Game,
    /// Naming a secret that is wrong.
    Guess,
    /// Asking for anything that a shared link shows.
    Look,
    /// Asking for a picture that has to be made.
    Picture,
    /// Asking for a game as a film that has to be made.
    Film,
}

impl Deed {
    const ALL: [Self; 7] = [
        Self::Visit,
        Self::Settle,
        Self::Game,
        Self::Guess,
        Self::Look,
        Self::Picture,
        Self::Film,
    ];

    /// How other processes know it.
    const fn word(self) -> &'static str {
        match self {
            Self::Visit => "visit",
            Self::Settle => "settle",
            Self::Game => "game",
            Self::Guess => "guess",
            Self::Look => "look",
            Self::Picture => "picture",
            Self::Film => "film",
        }
    }

    /// How often one address may do it, and how often all may.
    const fn paces(self) -> (Pace, Pace) {
        const fn pace(burst: u32, per_second: f64) -> Pace {
            Pace { burst, per_second }
        }
        match self {
            Self::Visit => (pace(300, 5.0), pace(4000, 200.0)),
            Self::Settle => (pace(100, 0.1), pace(2000, 5.0)),
            Self::Game => (pace(120, 0.5), pace(2000, 20.0)),
            Self::Guess => (pace(20, 0.1), pace(1000, 10.0)),
            Self::Look => (pace(400, 20.0), pace(4000, 400.0)),
            Self::Picture => (pace(120, 4.0), pace(1000, 40.0)),
            Self::Film => (pace(10, 0.2), pace(60, 1.0)),
        }
    }
}

/// How other processes are told what an address, or all together, did. A process of the version before, which
/// knows only how many pages an address has, takes it for an address that nobody has.
fn tally_name(deed: Deed, source: Option<Source>) -> String {
    let source = source.map_or_else(|| "all".into(), |source| source.to_string());
    format!("{source} {}", deed.word())
}

/// The reverse; nothing for what is an address and its pages.
fn read_tally(name: &str) -> Option<(Deed, Option<Source>)> {
    let (source, word) = name.split_once(' ')?;
    let deed = Deed::ALL.into_iter().find(|deed| deed.word() == word)?;
    let source = match source {
        "all" => None,
        address => Some(Source::of(address.parse().ok()?)),
    };
    Some((deed, source))
}

/// Everybody who is here. Clones are the same crowd.
#[derive(Clone)]
pub(crate) struct Crowd {
    inner: Arc<CrowdShared>,
}

struct CrowdShared {
    traffic: Traffic,
    state: Mutex<CrowdState>,
    left: Notify,
}

struct CrowdState {
    /// How many hold something, by [`Holding`].
    all: [usize; 2],
    of: HashMap<Origin, [usize; 2]>,
    /// Pages that are open in other processes: in all, and by address as far as that is told.
    elsewhere: (usize, HashMap<String, usize>),
    /// By [`Deed`].
    throttles: [Throttle; Deed::ALL.len()],
    /// What was done elsewhere, as it was last told; see [`tally_name`].
    charged: HashMap<String, u64>,
}

impl Crowd {
    pub(crate) fn new(traffic: Traffic) -> Self {
        let now = Instant::now();
        let throttles = Deed::ALL.map(|deed| {
            let (each, all) = deed.paces();
            Throttle::new(each, all, now)
        });
        let state = CrowdState {
            all: [0; 2],
            of: HashMap::new(),
            elsewhere: Default::default(),
            throttles,
            charged: HashMap::new(),
        };
        Self {
            inner: Arc::new(CrowdShared {
                traffic,
                state: Mutex::new(state),
                left: Notify::new(),
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, CrowdState> {
        // Counts are changed in one step each; a thread that panicked left them whole.
        let lock = self.inner.state.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn traffic(&self) -> &Traffic {
        &self.inner.traffic
    }

    /// How many are held now.
    pub(crate) fn count(&self, what: Holding) -> usize {
        self.state().all[what as usize]
    }

    /// How many pages are open in other processes.
    pub(crate) fn elsewhere(&self) -> usize {
        self.state().elsewhere.0
    }

    /// Gives a visitor something to hold until it is dropped; nothing if there is no room.
    pub(crate) fn hold(&self, origin: Origin, what: Holding) -> Option<Held> {
        let traffic = self.traffic();
        let (most, per_address) = match what {
            Holding::Connection => (traffic.connections, traffic.connections_per_address),
            Holding::Page => (traffic.pages, traffic.pages_per_address),
        };
        let n = what as usize;
        let mut state = self.state();
        let is_room = if origin.is_local {
            state.all[n] < most
        } else {
            // Where there is little, strangers get most of it all the same.
            let reserve = traffic.reserve.min(most / 4);
            let mut free = (most - reserve).saturating_sub(state.all[n]);
            let mut own = state.of.get(&origin).map_or(0, |held| held[n]);
            if what == Holding::Page {
                let (pages, by_address) = &state.elsewhere;
                own += by_address.get(&origin.address()).copied().unwrap_or(0);
                if let Some(most) = traffic.all_pages {
                    free = free.min(most.saturating_sub(state.all[n] + pages));
                }
            }
            free > 0 && own < per_address.min((free / SHARE).max(1))
        };
        if !is_room {
            return None;
        }
        state.all[n] += 1;
        state.of.entry(origin).or_default()[n] += 1;
        drop(state);
        Some(Held {
            crowd: self.clone(),
            origin,
            what,
        })
    }

    /// Whether a visitor may do something now; if so, it counts as done.
    pub(crate) fn allows(&self, origin: Origin, deed: Deed) -> bool {
        let mut state = self.state();
        let throttle = &mut state.throttles[deed as usize];
        origin.is_local || throttle.take(origin.source, Instant::now())
    }

    /// What was allowed does not count after all.
    pub(crate) fn forgive(&self, origin: Origin, deed: Deed) {
        if !origin.is_local {
            let mut state = self.state();
            let throttle = &mut state.throttles[deed as usize];
            throttle.give_back(origin.source, Instant::now());
        }
    }

    /// Waits until nobody is here any more.
    pub(crate) async fn gone(&self) {
        loop {
            let left = self.inner.left.notified();
            if self.state().all == [0; 2] {
                return;
            }
            left.await;
        }
    }
}

impl PageCount for Crowd {
    fn pages(&self) -> u64 {
        self.count(Holding::Page) as u64
    }

    fn addresses(&self) -> Vec<(String, u64)> {
        let least = (self.traffic().pages_per_address / TOLD).max(1);
        let state = self.state();
        let strangers = state.of.iter().filter(|(origin, _)| !origin.is_local);
        let pages = strangers
            .map(|(origin, held)| (origin.address(), held[Holding::Page as usize]))
            .filter(|&(_, pages)| pages >= least)
            .map(|(address, pages)| (address, pages as u64));
        let now = Instant::now();
        let deeds = Deed::ALL.into_iter().zip(&state.throttles);
        let deeds = deeds.flat_map(|(deed, throttle)| {
            let tallies = throttle.tallies(now);
            tallies.map(move |(source, count)| (tally_name(deed, source), count))
        });
        pages.chain(deeds).collect()
    }

    fn elsewhere(&self, pages: u64, addresses: Vec<(String, u64)>) {
        let whole = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        let now = Instant::now();
        let mut state = self.state();
        let mut by_address = HashMap::new();
        let mut charged = HashMap::new();
        for (name, count) in addresses {
            let Some((deed, source)) = read_tally(&name) else {
                by_address.insert(name, whole(count));
                continue;
            };
            // Who begins to count anew counts from nothing.
            let before = state.charged.get(&name).copied().unwrap_or(0);
            let new = count.checked_sub(before).unwrap_or(count);
            state.throttles[deed as usize].charge(source, new, now);
            charged.insert(name, count);
        }
        state.charged = charged;
        state.elsewhere = (whole(pages), by_address);
    }
}

/// Something that a visitor holds, given back when it is dropped.
pub(crate) struct Held {
    crowd: Crowd,
    origin: Origin,
    what: Holding,
}

impl Held {
    pub(crate) fn traffic(&self) -> &Traffic {
        self.crowd.traffic()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let n = self.what as usize;
        let mut state = self.crowd.state();
        state.all[n] = state.all[n].saturating_sub(1);
        if let Some(held) = state.of.get_mut(&self.origin) {
            held[n] = held[n].saturating_sub(1);
            if *held == [0; 2] {
                state.of.remove(&self.origin);
            }
        }
        drop(state);
        self.crowd.inner.left.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stranger(n: u32) -> Origin {
        Origin {
            source: Source::of(std::net::IpAddr::from((0x0a00_0000 + n).to_be_bytes())),
            is_local: false,
        }
    }

    fn local() -> Origin {
        Origin {
            source: Source::of(std::net::IpAddr::from([127, 0, 0, 1])),
            is_local: true,
        }
    }

    #[test]
    fn however_many_are_greedy_the_next_one_and_the_people_at_home_get_in() {
        let crowd = Crowd::new(Traffic::default());
        let mut held = Vec::new();
        for n in 0..100 {
            let before = held.len();
            while let Some(page) = crowd.hold(stranger(n), Holding::Page) {
                held.push(page);
            }
            let own = held.len() - before;
            assert!((1..=200).contains(&own), "number {n} got {own}");
        }
        let at_home: Vec<_> = (0..64)
            .map_while(|_| crowd.hold(local(), Holding::Page))
            .collect();
        assert_eq!(at_home.len(), 64);
        // What is given back is there for others.
        let most = held.len();
        drop(held);
        assert!(most < 4000 - 64 && crowd.hold(stranger(0), Holding::Page).is_some());
    }

    #[test]
    fn pages_of_other_processes_count() {
        let traffic = Traffic {
            pages_per_address: 3,
            all_pages: Some(1000),
            ..Traffic::default()
        };
        let crowd = Crowd::new(traffic);
        let _page = crowd.hold(stranger(1), Holding::Page).expect("room");
        assert_eq!(crowd.addresses(), [("10.0.0.1".to_string(), 1)]);
        PageCount::elsewhere(&crowd, 2, vec![("10.0.0.1".into(), 2)]);
        assert!(crowd.hold(stranger(1), Holding::Page).is_none());
        assert!(crowd.hold(stranger(1), Holding::Connection).is_some());
        assert!(crowd.hold(stranger(2), Holding::Page).is_some());
        // Everywhere together there is no room, except for the people at this machine.
        PageCount::elsewhere(&crowd, 999, Vec::new());
        assert!(crowd.hold(stranger(3), Holding::Page).is_none());
        assert!(crowd.hold(local(), Holding::Page).is_some());
    }

    #[test]
    fn guesses_at_all_processes_count_together_and_once() {
        let [here, there] = [0; 2].map(|_| Crowd::new(Traffic::default()));
        let guesses = |crowd: &Crowd, most| {
            (0..most)
                .filter(|_| crowd.allows(stranger(1), Deed::Guess))
                .count()
        };
        assert_eq!(guesses(&here, 12), 12);
        let told = here.addresses();
        assert_eq!(told, [("10.0.0.1 guess".to_string(), 12)]);
        for _ in 0..3 {
            PageCount::elsewhere(&there, 0, told.clone());
        }
        assert_eq!(guesses(&there, 100), 8);
        // Other things may still be done.
        assert!(there.allows(stranger(1), Deed::Visit));
    }

    #[test]
    fn a_small_server_lets_strangers_in_too() {
        let traffic = Traffic {
            pages: 4,
            ..Traffic::default()
        };
        let crowd = Crowd::new(traffic);
        let pages = |origin: fn(u32) -> Origin| {
            let pages = (0..9).map_while(|n| crowd.hold(origin(n), Holding::Page));
            pages.collect::<Vec<_>>()
        };
        let strangers = pages(stranger);
        let at_home = pages(|_| local());
        assert_eq!((strangers.len(), at_home.len()), (3, 1));
    }

    #[test]
    fn what_is_not_held_any_more_is_forgotten() {
        let crowd = Crowd::new(Traffic::default());
        let one = crowd.hold(stranger(1), Holding::Page).expect("room");
        let other = crowd.hold(stranger(1), Holding::Connection).expect("room");
        drop((one, other));
        assert!(crowd.state().of.is_empty());
        assert_eq!(crowd.state().all, [0; 2]);
    }

    #[test]
    fn the_limits_fit_what_the_system_allows() {
        let usual = Traffic::default();
        assert_eq!(usual.within(usual.descriptors()), usual);
        assert_ne!(usual.within(usual.descriptors() - 10), usual);
        let small = usual.within(1024);
        assert!(small.connections + small.pages <= 1024 - 256);
        assert!(small.connections > small.reserve && small.pages > small.reserve);
    }

    #[test]
    fn strangers_guess_slowly_and_the_people_at_home_are_trusted() {
        let crowd = Crowd::new(Traffic::default());
        let guesses = |origin| {
            (0..100)
                .filter(|_| crowd.allows(origin, Deed::Guess))
                .count()
        };
        assert_eq!(guesses(stranger(1)), 20);
        assert_eq!(guesses(stranger(2)), 20);
        assert_eq!(guesses(local()), 100);
        crowd.forgive(stranger(1), Deed::Guess);
        assert_eq!(guesses(stranger(1)), 1);
    }
}
