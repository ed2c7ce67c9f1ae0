//! Whose turn it is to think: a few places, given for a moment at a time.
//!
//! Work that has just begun goes first, so that short answers never wait for long ones; among equals
//! the owner who has used least lately. Nothing here looks at a clock or waits: that is up to the pool.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Condvar},
    time::{Duration, Instant},
};

use tablut_arena::Stop;
use tablut_engine::Control;

use super::Busy;

/// How much may be under way: of one owner, and of all.
pub(crate) const MOST_OF_ONE: usize = 8;
const MOST_OF_ALL: usize = 512;

/// How many inquiries of one owner may be under way, so that their games still get moves.
pub(crate) const MOST_INQUIRIES: usize = 5;

/// How many searches with a large table may have begun.
const MOST_LARGE: usize = 48;

/// How long one order is thought about before others that wait get the place.
const SLICE: Duration = Duration::from_millis(40);

/// Work that has used less than this goes before work that has used more.
const CLASSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(1)];

/// After this time half of what an owner has used is forgotten.
const HALF_LIFE: f64 = 10.0;

/// Whoever has used more than this lately goes one class down.
const MUCH: Duration = Duration::from_secs(5);

/// What work is for. Of one owner's long work, what stands first here goes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Purpose {
    /// A move of a game.
    Move,
    /// An inquiry that has an end: a proof, a review.
    Answer,
    /// An inquiry that goes on for as long as somebody looks: lines.
    Lines,
}

/// Work under way.
pub(super) struct EngineTask {
    owner: String,
    purpose: Purpose,
    /// Whether it needs a large table.
    is_large: bool,
    has_begun: bool,
    /// How long it has thought.
    used: Duration,
    /// How long of that since it got its place.
    slice: Duration,
    state: TaskState,
    /// Nobody waits for it any more.
    pub(super) is_given_up: bool,
    /// Rung when something of the above changes.
    pub(super) bell: Arc<Condvar>,
    /// Ends its search.
    pub(super) control: Option<Control>,
    /// Ends its program.
    pub(super) program: Option<Stop>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TaskState {
    /// Wants a place.
    Waiting,
    /// Has one, and has been charged up to this time.
    Thinking(Instant),
    /// Needs none.
    Aside,
}

impl EngineTask {
    pub(super) fn is_thinking(&self) -> bool {
        matches!(self.state, TaskState::Thinking(_))
    }

    fn give_up(&mut self) {
        self.is_given_up = true;
        if let Some(control) = &self.control {
            control.stop();
        }
        if let Some(program) = &self.program {
            program.abandon();
        }
        self.bell.notify_all();
    }
}

/// The order in which work gets places.
type Rank = (usize, Duration, Purpose, u64);

/// What an owner had used at a time, in seconds.
struct Use {
    seconds: f64,
    at: Instant,
}

impl Use {
    fn lately(&self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.seconds * (-passed / HALF_LIFE).exp2()
    }
}

/// Everything under way. A task is known by its number; later ones have higher numbers.
pub(super) struct Turns {
    places: usize,
    /// Whether nothing is refused: whoever gives the work counts it.
    pub(super) takes_all: bool,
    tasks: BTreeMap<u64, EngineTask>,
    uses: HashMap<String, Use>,
    last: u64,
}

impl Turns {
    pub(super) fn new(places: usize) -> Self {
        Self {
            places: places.max(1),
            takes_all: false,
            tasks: BTreeMap::new(),
            uses: HashMap::new(),
            last: 0,
        }
    }

    /// How much is under way.
    pub(super) fn count(&self) -> usize {
        self.tasks.len()
    }

    pub(super) fn task(&mut self, number: u64) -> Option<&mut EngineTask> {
        self.tasks.get_mut(&number)
    }

    /// Takes work on, which waits for its first place; gives its number.
    pub(super) fn add(
        &mut self,
        owner: &str,
        purpose: Purpose,
        is_large: bool,
    ) -> Result<u64, Busy> {
        let wanted = || self.tasks.values().filter(|task| !task.is_given_up);
        let own = || wanted().filter(|task| task.owner == owner);
        let inquiries = own().filter(|task| task.purpose != Purpose::Move).count();
        let is_inquiry = purpose != Purpose::Move;
        let is_much = own().count() >= MOST_OF_ONE
            || is_inquiry && inquiries >= MOST_INQUIRIES
            || wanted().count() >= MOST_OF_ALL;
        if is_much && !self.takes_all {
            return Err(Busy);
        }
        self.last += 1;
        let task = EngineTask {
            owner: owner.into(),
            purpose,
            is_large,
            has_begun: false,
            used: Duration::ZERO,
            slice: Duration::ZERO,
            state: TaskState::Waiting,
            is_given_up: false,
            bell: Arc::default(),
            control: None,
            program: None,
        };
        self.tasks.insert(self.last, task);
        Ok(self.last)
    }

    /// Ends work; its place is free.
    pub(super) fn remove(&mut self, number: u64, now: Instant) {
        self.charge(number, now);
        self.tasks.remove(&number);
        self.uses.retain(|_, used| used.lately(now) > 0.001);
    }

    /// Lets work go on without a place: what is left of it costs nothing.
    pub(super) fn set_aside(&mut self, number: u64, now: Instant) {
        self.charge(number, now);
        if let Some(task) = self.tasks.get_mut(&number) {
            task.state = TaskState::Aside;
        }
    }

    /// Nobody waits for work any more.
    pub(super) fn give_up(&mut self, number: u64) {
        if let Some(task) = self.tasks.get_mut(&number) {
            task.give_up();
        }
    }

    /// Nobody waits for anything any more.
    pub(super) fn give_all_up(&mut self) {
        self.tasks.values_mut().for_each(EngineTask::give_up);
    }

    /// Gives free places to those who come next.
    pub(super) fn deal(&mut self, now: Instant) {
        while self
            .tasks
            .values()
            .filter(|task| task.is_thinking())
            .count()
            < self.places
        {
            let Some(next) = self.next(now) else {
                return;
            };
            if let Some(task) = self.tasks.get_mut(&next) {
                task.state = TaskState::Thinking(now);
                task.has_begun = true;
                task.slice = Duration::ZERO;
                task.bell.notify_all();
            }
        }
    }

    /// Whether a thinker has to make room for another; if so it waits from now on.
    pub(super) fn makes_room(&mut self, number: u64, now: Instant) -> bool {
        self.charge(number, now);
        let Some(next) = self.next(now) else {
            return false;
        };
        let Some(task) = self.tasks.get(&number).filter(|task| task.is_thinking()) else {
            return false;
        };
        let (own, other) = (self.rank(number, task, now), self.rank_of(next, now));
        let is_next = other.is_some_and(|other| {
            // Short work does not wait for the end of a slice.
            other.0 < own.0 || task.slice >= SLICE && other < own
        });
        if is_next && let Some(task) = self.tasks.get_mut(&number) {
            task.state = TaskState::Waiting;
        }
        is_next
    }

    /// Puts the time since the last look on the bill of a thinker and of its owner.
    fn charge(&mut self, number: u64, now: Instant) {
        let Some(task) = self.tasks.get_mut(&number) else {
            return;
        };
        let TaskState::Thinking(since) = task.state else {
            return;
        };
        let passed = now.saturating_duration_since(since);
        task.state = TaskState::Thinking(now);
        task.used += passed;
        task.slice += passed;
        let owner = self.uses.entry(task.owner.clone()).or_insert(Use {
            seconds: 0.0,
            at: now,
        });
        *owner = Use {
            seconds: owner.lately(now) + passed.as_secs_f64(),
            at: now,
        };
    }

    /// The one who waits and comes next.
    fn next(&self, now: Instant) -> Option<u64> {
        let large = |task: &&EngineTask| task.is_large && task.has_begun;
        let has_room = self.tasks.values().filter(large).count() < MOST_LARGE;
        let may_think = |task: &EngineTask| {
            let fits = !task.is_large || task.has_begun || has_room;
            task.state == TaskState::Waiting && !task.is_given_up && fits
        };
        self.tasks
            .iter()
            .filter(|(_, task)| may_think(task))
            .min_by_key(|(number, task)| self.rank(**number, task, now))
            .map(|(number, _)| *number)
    }

    fn rank_of(&self, number: u64, now: Instant) -> Option<Rank> {
        let task = self.tasks.get(&number)?;
        Some(self.rank(number, task, now))
    }

    /// The lower, the sooner: by class, then by what the owner has used, then by purpose and age.
    fn rank(&self, number: u64, task: &EngineTask, now: Instant) -> Rank {
        let lately = self
            .uses
            .get(&task.owner)
            .map_or(0.0, |used| used.lately(now));
        let lately = Duration::from_secs_f64(lately);
        let class = CLASSES.iter().filter(|most| task.used >= **most).count();
        let class = (class + usize::from(lately > MUCH)).min(CLASSES.len());
        // What is known to be short goes before what has only just begun.
        (
            2 * class + usize::from(task.is_large),
            lately,
            task.purpose,
            number,
        )
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Lets those who have a place think for a millisecond at a time, as often as said.
    fn play(turns: &mut Turns, ms: u32, now: &mut Instant) {
        for _ in 0..ms {
            turns.deal(*now);
            *now += MS;
            let thinking: Vec<u64> = turns
                .tasks
                .iter()
                .filter(|(_, task)| task.is_thinking())
                .map(|(number, _)| *number)
                .collect();
            for number in thinking {
                turns.makes_room(number, *now);
            }
        }
    }

    #[test]
    fn short_work_goes_before_the_long_work_of_twenty_others() {
        let mut turns = Turns::new(1);
        let mut now = Instant::now();
        for n in 0..20 {
            turns.add(&n.to_string(), Purpose::Move, true).unwrap();
        }
        // Also if all have only just begun, and later when they have thought for long.
        for wait in [10, 3000, 20_000] {
            play(&mut turns, wait, &mut now);
            let short = turns.add("ann", Purpose::Move, false).unwrap();
            play(&mut turns, 60, &mut now);
            let used = turns.task(short).unwrap().used;
            assert!(used >= 15 * MS, "{used:?} after {wait}");
            turns.remove(short, now);
        }
    }

    #[test]
    fn whoever_has_used_much_still_gets_a_short_answer_first() {
        let mut turns = Turns::new(1);
        let mut now = Instant::now();
        let long = turns.add("ann", Purpose::Move, true).unwrap();
        play(&mut turns, 60_000, &mut now);
        turns.remove(long, now);
        for n in 0..20 {
            turns.add(&n.to_string(), Purpose::Move, true).unwrap();
        }
        play(&mut turns, 25_000, &mut now);
        let short = turns.add("ann", Purpose::Move, false).unwrap();
        play(&mut turns, 100, &mut now);
        assert!(turns.task(short).unwrap().used >= 15 * MS);
    }

    #[test]
    fn owners_share_evenly_however_much_each_wants() {
        let mut turns = Turns::new(2);
        let mut now = Instant::now();
        let ann: Vec<u64> = (0..6)
            .map(|_| turns.add("ann", Purpose::Move, true).unwrap())
            .collect();
        let bob = turns.add("bob", Purpose::Move, true).unwrap();
        let eve = turns.add("eve", Purpose::Move, true).unwrap();
        play(&mut turns, 30_000, &mut now);
        let mut used = |number: &u64| turns.task(*number).unwrap().used.as_secs_f64();
        let ann: f64 = ann.iter().map(&mut used).sum();
        for (name, seconds) in [("ann", ann), ("bob", used(&bob)), ("eve", used(&eve))] {
            assert!((seconds - 20.0).abs() < 2.0, "{name} had {seconds} s");
        }
    }

    #[test]
    fn nobody_takes_more_than_there_is() {
        let mut turns = Turns::new(1);
        let ann = (0..100)
            .filter(|_| turns.add("ann", Purpose::Move, false).is_ok())
            .count();
        assert_eq!(ann, MOST_OF_ONE);
        let all = (0..1000)
            .filter(|n| turns.add(&n.to_string(), Purpose::Move, false).is_ok())
            .count();
        assert_eq!(ann + all, MOST_OF_ALL);
        // What is given up does not count, and is not served.
        turns.give_up(1);
        assert!(turns.add("ann", Purpose::Move, false).is_ok());
        turns.deal(Instant::now());
        assert!(!turns.task(1).unwrap().is_thinking());
    }

    #[test]
    fn whoever_counts_orders_elsewhere_is_refused_nothing_here() {
        let mut turns = Turns::new(6);
        turns.takes_all = true;
        let all = (0..1000).filter(|_| turns.add("ann", Purpose::Lines, true).is_ok());
        assert_eq!(all.count(), 1000);
    }

    #[test]
    fn large_tables_are_few_and_keep_nobody_from_a_short_answer() {
        let mut turns = Turns::new(1);
        let mut now = Instant::now();
        for n in 0..MOST_LARGE + 20 {
            turns.add(&n.to_string(), Purpose::Move, true).unwrap();
        }
        play(&mut turns, 10_000, &mut now);
        let begun = turns.tasks.values().filter(|task| task.has_begun).count();
        assert_eq!(begun, MOST_LARGE);
        let short = turns.add("ann", Purpose::Move, false).unwrap();
        play(&mut turns, 60, &mut now);
        assert!(turns.task(short).unwrap().used >= 15 * MS);
        turns.remove(1, now);
        play(&mut turns, 100, &mut now);
        let begun = turns.tasks.values().filter(|task| task.has_begun);
        assert_eq!(begun.count(), MOST_LARGE + 1, "the short one has begun too");
    }

    #[test]
    fn an_owners_inquiries_do_not_keep_their_own_moves_waiting() {
        let mut turns = Turns::new(1);
        let mut now = Instant::now();
        let lines = turns.add("ann", Purpose::Lines, true).unwrap();
        let review = turns.add("ann", Purpose::Answer, true).unwrap();
        play(&mut turns, 4000, &mut now);
        let mut used = |number| turns.task(number).unwrap().used;
        // Each had its first second; then the review goes on alone.
        assert!(used(review) > 2 * used(lines), "{:?}", used(lines));
        let step = turns.add("ann", Purpose::Move, true).unwrap();
        play(&mut turns, 4000, &mut now);
        let used = turns.task(step).unwrap().used;
        assert!(used > Duration::from_millis(3800), "{used:?}");
    }

    #[test]
    fn who_inquires_as_much_as_possible_can_still_play() {
        let mut turns = Turns::new(1);
        let mut add = |purpose| turns.add("ann", purpose, true).is_ok();
        let inquiries = (0..20).filter(|_| add(Purpose::Lines)).count();
        assert_eq!(inquiries, MOST_INQUIRIES);
        assert!(!add(Purpose::Answer));
        assert!(add(Purpose::Move));
    }
}
