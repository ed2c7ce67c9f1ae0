//! How often something may be done: by one address, and by all together.

use std::{
    collections::HashMap,
    fmt,
    net::{IpAddr, Ipv6Addr},
    time::{Duration, Instant},
};

/// A token bucket: each action takes a drop, and it fills again with time.
#[derive(Clone, Debug)]
pub struct Bucket {
    pace: Pace,
    drops: f64,
    at: Instant,
    /// How many drops were taken in all.
    taken: u64,
}

/// How many at once, and how many in each second that follows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// At once.
    pub burst: u32,
    /// In a second.
    pub per_second: f64,
}

impl Bucket {
    /// A full bucket.
    #[must_use]
    pub fn new(burst: u32, per_second: f64, now: Instant) -> Self {
        Self {
            pace: Pace { burst, per_second },
            drops: f64::from(burst),
            at: now,
            taken: 0,
        }
    }

    /// Takes a drop; false if there is none.
    pub fn take(&mut self, now: Instant) -> bool {
        self.take_many(1, now)
    }

    /// Takes some drops at once; false if there are too few.
    pub fn take_many(&mut self, count: u32, now: Instant) -> bool {
        self.fill(now);
        let is_there = self.drops >= f64::from(count);
        if is_there {
            self.drops -= f64::from(count);
            self.taken += u64::from(count);
        }
        is_there
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = self.at.max(now);
        self.drops += passed * self.pace.per_second;
        self.drops = self.drops.min(f64::from(self.pace.burst));
    }

    /// Loses what was taken from its twin elsewhere.
    fn lose(&mut self, count: u64, now: Instant) {
        self.fill(now);
        self.drops = (self.drops - count as f64).max(0.0);
    }

    /// How many drops were taken, if it is less than half full.
    fn tally(&self, now: Instant) -> Option<u64> {
        let mut filled = self.clone();
        filled.fill(now);
        (filled.drops * 2.0 < f64::from(self.pace.burst)).then_some(self.taken)
    }

    /// Gives a drop back that was taken for nothing.
    fn give_back(&mut self) {
        self.drops = (self.drops + 1.0).min(f64::from(self.pace.burst));
        self.taken = self.taken.saturating_sub(1);
    }

    /// Whether it has filled again, as if nothing had ever been taken.
    fn is_full(&self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.drops + passed * self.pace.per_second >= f64::from(self.pace.burst)
    }
}

/// Where a request comes from: an address, or with IPv6 the 64-bit network that one customer of a
/// provider gets, who may use any address in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source(IpAddr);

impl Source {
    /// Everybody for whom no record can be kept any more.
    const REST: Self = Self(IpAddr::V6(Ipv6Addr::UNSPECIFIED));

    /// Where an address belongs.
    #[must_use]
    pub fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) if !v6.is_loopback() => {
                let network = u128::from(v6) >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from(network))
            }
            other => other,
        })
    }

    /// Whether it is this machine itself.
    #[must_use]
    pub const fn is_here(&self) -> bool {
        self.0.is_loopback()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many sources are remembered at most. One that has done nothing for long is forgotten.
const MOST_SOURCES: usize = 20_000;

/// How often forgetting is tried at most, since it looks at all of them.
const FORGETTING: Duration = Duration::from_secs(1);

/// A bucket for each source, and one for all.
#[derive(Clone, Debug)]
pub struct Throttle {
    each: Pace,
    all: Bucket,
    of: HashMap<Source, Bucket>,
    forgot: Option<Instant>,
}

impl Throttle {
    /// Nobody has done anything yet.
    #[must_use]
    pub fn new(each: Pace, all: Pace, now: Instant) -> Self {
        Self {
            each,
            all: Bucket::new(all.burst, all.per_second, now),
            of: HashMap::new(),
            forgot: None,
        }
    }

    /// Lets a source do it once; false if it, or all together, have done it too often.
    pub fn take(&mut self, source: Source, now: Instant) -> bool {
        let own = self.bucket(source, now);
        if !own.take(now) {
            return false;
        }
        let is_left = self.all.take(now);
        if !is_left {
            self.bucket(source, now).give_back();
        }
        is_left
    }

    /// What a source was let do does not count after all.
    pub fn give_back(&mut self, source: Source, now: Instant) {
        self.bucket(source, now).give_back();
        self.all.give_back();
    }

    /// The sources that have used up half of their share, and how often each did it here; nobody for all together.
    /// Whoever counts elsewhere wants to know.
    pub fn tallies(&self, now: Instant) -> impl Iterator<Item = (Option<Source>, u64)> + '_ {
        let of = self
            .of
            .iter()
            .map(|(source, bucket)| (Some(*source), bucket));
        let all = of.chain([(None, &self.all)]);
        all.filter_map(move |(source, bucket)| Some((source, bucket.tally(now)?)))
    }

    /// A source, or all together, did it so often elsewhere.
    pub fn charge(&mut self, source: Option<Source>, count: u64, now: Instant) {
        match source {
            Some(source) => self.bucket(source, now).lose(count, now),
            None => self.all.lose(count, now),
        }
    }

    fn bucket(&mut self, source: Source, now: Instant) -> &mut Bucket {
        let is_crowded = self.of.len() >= MOST_SOURCES && !self.of.contains_key(&source);
        if is_crowded && self.forgot.is_none_or(|at| now >= at + FORGETTING) {
            self.forgot = Some(now);
            self.of.retain(|_, bucket| !bucket.is_full(now));
        }
        let is_crowded = is_crowded && self.of.len() >= MOST_SOURCES;
        let source = if is_crowded { Source::REST } else { source };
        let new = || Bucket::new(self.each.burst, self.each.per_second, now);
        self.of.entry(source).or_insert_with(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let start = Instant::now();
        let mut bucket = Bucket::new(3, 2.0, start);
        let mut taken = |now| (0..10).filter(|_| bucket.take(now)).count();
        assert_eq!(taken(start), 3);
        assert_eq!(taken(start + Duration::from_secs(1)), 2);
        assert_eq!(taken(start + Duration::from_secs(60)), 3);
        assert_eq!(taken(start), 0);
    }

    fn source(text: &str) -> Source {
        Source::of(text.parse().expect("an address"))
    }

    /// So many at once, and one in a second.
    fn pace(burst: u32) -> Pace {
        Pace {
            burst,
            per_second: 1.0,
        }
    }

    #[test]
    fn one_customer_is_one_source_whatever_address_they_use() {
        for (one, other, same) in [
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("::1", "::2", false),
        ] {
            assert_eq!(source(one) == source(other), same, "{one} {other}");
        }
        assert!(source("::1").is_here() && source("::ffff:127.0.0.1").is_here());
        assert!(!source("::2").is_here() && !source("10.0.0.1").is_here());
    }

    #[test]
    fn each_source_has_its_own_share_and_all_have_one_together() {
        let now = Instant::now();
        let mut throttle = Throttle::new(pace(3), pace(5), now);
        let mut taken = |address, now| {
            let address = source(address);
            (0..10).filter(|_| throttle.take(address, now)).count()
        };
        assert_eq!(taken("192.0.2.1", now), 3);
        assert_eq!(taken("192.0.2.2", now), 2);
        assert_eq!(taken("192.0.2.3", now), 0);
        let later = now + Duration::from_secs(2);
        assert_eq!(taken("192.0.2.1", later), 2);
        throttle.give_back(source("192.0.2.1"), later);
        assert!(throttle.take(source("192.0.2.1"), later));
        assert!(!throttle.take(source("192.0.2.1"), later));
    }

    #[test]
    fn what_is_done_elsewhere_counts() {
        let now = Instant::now();
        let [mut here, mut there] = [0; 2].map(|_| Throttle::new(pace(10), pace(100), now));
        let ann = source("192.0.2.1");
        for _ in 0..5 {
            assert!(here.take(ann, now) && here.tallies(now).next().is_none());
        }
        assert!(here.take(ann, now));
        let told: Vec<_> = here.tallies(now).collect();
        assert_eq!(told, [(Some(ann), 6)]);
        for (source, count) in told {
            there.charge(source, count, now);
        }
        assert_eq!((0..10).filter(|_| there.take(ann, now)).count(), 4);
        there.charge(None, 1000, now);
        assert!(!there.take(source("192.0.2.2"), now));
        assert!(there.take(source("192.0.2.2"), now + Duration::from_secs(1)));
    }

    #[test]
    fn the_memory_for_sources_is_bounded() {
        let now = Instant::now();
        let mut throttle = Throttle::new(pace(2), pace(u32::MAX), now);
        let nth = |n: u32| Source::of(IpAddr::from(n.to_be_bytes()));
        let most = u32::try_from(MOST_SOURCES).expect("a small number");
        for n in 0..most * 2 {
            throttle.take(nth(n), now);
        }
        assert!(throttle.of.len() <= MOST_SOURCES + 1);
        // The rest has one share; who is known has their own.
        assert!(!throttle.take(nth(most * 3), now) && throttle.take(nth(1), now));
        // Who has been quiet is forgotten.
        let later = now + Duration::from_secs(10);
        assert!(throttle.take(nth(most * 3), later));
        assert!(throttle.of.len() < 10);
    }
}
