//! Engines at work for visitors: a few places to think, fair turns, and an end to work nobody waits for.
//!
//! Every player becomes a mover by [`tablut_guest::mover`]. What is decided here is whose turn it is to think,
//! how large its table is, and which mover is kept for the next move.

mod inquire;
mod mine;
mod shelf;
mod troupe;
mod turns;

use std::{
    future::pending,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tablut_arena::{Budget, Choice, Mover, MoverError, Player, Question, Stop};
use tablut_engine::{Control, Engine};
use tablut_guest::MoverOptions;
use tablut_rules::Game;
use tokio::sync::{oneshot, watch};

pub use inquire::{Inquiry, InquiryNews};
use shelf::{Shelf, fresh};
use troupe::Troupe;
pub(crate) use turns::{MOST_INQUIRIES, MOST_OF_ONE};
use turns::{Purpose, Turns};

/// What an engine is asked.
#[derive(Clone, Debug)]
pub struct Order {
    /// Who asks; those who have used least lately come first.
    pub owner: String,
    /// Where whoever asks comes from; empty if that does not matter.
    pub address: String,
    /// The id of the game; a program plays in it from move to move.
    pub id: String,
    /// The game to find a move in.
    pub game: Game,
    /// Who plays.
    pub player: Player,
    /// Makes the choices of a level.
    pub seed: u64,
    /// What its clock allows, counted from the order, whoever else thinks.
    pub clock: Budget,
}

impl Order {
    /// Whether an engine of another machine can do it. A program is on this one, and who does not think need
    /// not be sent for.
    pub(crate) const fn can_travel(&self) -> bool {
        matches!(
            Workplace::of(&self.player),
            Workplace::Fresh(_) | Workplace::Shelf
        )
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unanswered {
    /// The work was given up.
    #[error("the engine was stopped")]
    Stopped,
    /// The work was refused after it had been asked for.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The player cannot play, or not any more.
    #[error("{0}")]
    Broken(String),
}

/// Work that was ordered. Dropping it stops the work, also that of a program.
pub struct Job<T = Choice> {
    /// Nothing if it is done elsewhere; then the closed channel is what ends it.
    _claim: Option<Claim>,
    answer: oneshot::Receiver<Result<T, Unanswered>>,
    /// Whether no worker does it, if it is done elsewhere.
    unserved: Option<watch::Receiver<bool>>,
}

impl<T> Job<T> {
    /// Work that is done here.
    fn taken_on(claim: Claim, answer: oneshot::Receiver<Result<T, Unanswered>>) -> Self {
        Self {
            _claim: Some(claim),
            answer,
            unserved: None,
        }
    }

    /// Work that a worker does, or nobody yet.
    pub(crate) fn queued(
        answer: oneshot::Receiver<Result<T, Unanswered>>,
        unserved: watch::Receiver<bool>,
    ) -> Self {
        Self {
            _claim: None,
            answer,
            unserved: Some(unserved),
        }
    }

    /// Waits for the answer, or for word whether there is a worker to find it. Whoever gives up waiting loses
    /// nothing.
    pub(crate) async fn news(&mut self) -> JobNews<T> {
        let unserved = async {
            let Some(unserved) = &mut self.unserved else {
                return pending().await;
            };
            match unserved.changed().await {
                Ok(()) => *unserved.borrow_and_update(),
                Err(_) => pending().await,
            }
        };
        tokio::select! {
            answer = &mut self.answer => JobNews::Found(answer.unwrap_or(Err(Unanswered::Stopped))),
            is_unserved = unserved => JobNews::Unserved(is_unserved),
        }
    }

    /// Waits for the answer.
    ///
    /// # Errors
    /// Says why there is none.
    pub async fn found(&mut self) -> Result<T, Unanswered> {
        let answer = (&mut self.answer).await;
        answer.unwrap_or(Err(Unanswered::Stopped))
    }
}

/// What is heard of a job.
pub(crate) enum JobNews<T = Choice> {
    /// Its answer.
    Found(Result<T, Unanswered>),
    /// No worker is there to find it, or one is again.
    Unserved(bool),
}

/// Somebody's interest in work; without it the work is given up.
struct Claim {
    number: u64,
    shared: Arc<PoolShared>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.shared.turns().give_up(self.number);
    }
}

impl<T> std::fmt::Debug for Job<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}

/// Too many answers are waited for already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engines are busy; try again in a moment")]
pub struct Busy;

/// The table of a search that is limited by nodes, in megabytes: for a few thousand, and for more.
/// It is made for each search, so that a level finds the same whatever was thought before.
const SMALL_MB: u64 = 2;
const MEDIUM_MB: u64 = 8;

/// The highest level for which the small table is enough.
const EASY: u8 = 8;

/// Who plays for a player whose time was over before there was a place to think.
const IN_PASSING: Player = Player::Nodes(2000);

/// How a player works here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Workplace {
    /// It does not: a person moves by itself.
    None,
    /// It moves without thinking.
    AtOnce,
    /// A search with a table of its own for each move, of this many megabytes.
    Fresh(u64),
    /// A search by the engine that knows its game.
    Shelf,
    /// It plays its game from move to move in a process of its own, or without pauses, and only where
    /// programs may be started.
    Troupe,
}

impl Workplace {
    const fn of(player: &Player) -> Self {
        match player {
            Player::Person => Self::None,
            Player::Random => Self::AtOnce,
            Player::Level(number) if *number <= EASY => Self::Fresh(SMALL_MB),
            Player::Level(_) | Player::Nodes(_) | Player::Tuned(_) => Self::Fresh(MEDIUM_MB),
            Player::Time(_) => Self::Shelf,
            Player::Baseline { .. } | Player::Engine(_) | Player::Client(_) => Self::Troupe,
        }
    }

    /// Whether it needs much memory.
    const fn is_large(self) -> bool {
        match self {
            Self::Shelf => true,
            Self::Fresh(hash_mb) => hash_mb > SMALL_MB,
            Self::None | Self::AtOnce | Self::Troupe => false,
        }
    }
}

struct PoolShared {
    turns: Mutex<Turns>,
    /// Players that know a game.
    shelf: Shelf<Box<dyn Mover>>,
    /// Engines that know what a visitor looked at.
    engines: Shelf<Engine>,
}

impl PoolShared {
    fn turns(&self) -> MutexGuard<'_, Turns> {
        // Turns are whole between any two statements.
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place to think; false if the work is given up or its time is over.
    fn wait(&self, number: u64, end: Option<Instant>) -> bool {
        let mut turns = self.turns();
        loop {
            let now = Instant::now();
            turns.deal(now);
            let Some(task) = turns.task(number) else {
                return false;
            };
            if task.is_thinking() {
                return true;
            }
            let is_late = end.is_some_and(|end| end <= now);
            if task.is_given_up || is_late {
                turns.set_aside(number, now);
                return false;
            }
            let bell = Arc::clone(&task.bell);
            turns = match end {
                None => bell.wait(turns).unwrap_or_else(PoisonError::into_inner),
                Some(end) => {
                    let waited = bell.wait_timeout(turns, end - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Passes on, after others have thought if it is their turn.
    fn pass(&self, number: u64, end: Option<Instant>) {
        let makes_room = self.turns().makes_room(number, Instant::now());
        if makes_room {
            self.wait(number, end);
        }
    }
}

/// Threads that think for whoever asks, a limited number at a time. Each order has a thread of its own,
/// which mostly waits.
pub struct EnginePool {
    shared: Arc<PoolShared>,
    troupe: Option<Arc<Troupe>>,
}

impl EnginePool {
    /// A pool in which `threads` think at a time, with a table of `hash_mb` megabytes for each, and for a
    /// few who pause. Without options for programs, none is started.
    #[must_use]
    pub fn new(threads: usize, hash_mb: u64, programs: Option<MoverOptions>) -> Self {
        Self {
            shared: Arc::new(PoolShared {
                turns: Mutex::new(Turns::new(threads)),
                shelf: Shelf::new(threads.max(1) + 3, hash_mb),
                engines: Shelf::new(threads.max(1) + 3, hash_mb),
            }),
            // One for all games: a program plays its whole game.
            troupe: programs.map(|options| Arc::new(Troupe::new(options))),
        }
    }

    /// The same pool for whoever counts orders before they come: it refuses none.
    #[must_use]
    pub(crate) fn taking_all(self) -> Self {
        self.shared.turns().takes_all = true;
        self
    }

    /// How many orders are under way.
    #[must_use]
    pub fn load(&self) -> usize {
        self.shared.turns().count()
    }

    /// Orders a move.
    ///
    /// # Errors
    /// Too much is ordered already.
    pub fn order(&self, order: Order) -> Result<Job, Busy> {
        let begin = Instant::now();
        let own = order.player.budget(None).time_ms.map(Duration::from_millis);
        let most = match (own, order.clock.time_ms.map(Duration::from_millis)) {
            (Some(own), Some(most)) => Some(own.min(most)),
            (own, most) => own.or(most),
        };
        // A time beyond all clocks is none.
        let end = most.and_then(|most| begin.checked_add(most));
        let (reply, answer) = oneshot::channel();
        let number = self.shared.turns().add(
            &order.owner,
            Purpose::Move,
            Workplace::of(&order.player).is_large(),
        )?;
        let (claim, thinker) = self.take_on(number, end);
        let job = Job::taken_on(claim, answer);
        let troupe = self.troupe.clone();
        spawn(move || {
            let found = thinker.serve(&order, troupe.as_deref());
            // Whoever comes next need not wait until this thread has ended.
            drop(thinker);
            // Whoever asked may be gone.
            let _ = reply.send(found);
        })?;
        Ok(job)
    }

    /// The two ends of work with a number: from here on, dropping them ends what has begun.
    fn take_on(&self, number: u64, end: Option<Instant>) -> (Claim, Thinker) {
        let claim = Claim {
            number,
            shared: Arc::clone(&self.shared),
        };
        let thinker = Thinker {
            number,
            shared: Arc::clone(&self.shared),
            end,
        };
        (claim, thinker)
    }
}

/// Starts a thread that thinks. If there is none left, the closure is gone and the thinker in it.
fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Busy> {
    let thread = thread::Builder::new().name("engine".into());
    thread.spawn(work).map(|_| ()).map_err(|_| Busy)
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        self.shared.turns().give_all_up();
    }
}

impl std::fmt::Debug for EnginePool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EnginePool").finish_non_exhaustive()
    }
}

/// The one who works on an order; its place is free when it is dropped.
struct Thinker {
    number: u64,
    shared: Arc<PoolShared>,
    /// When the answer has to be there.
    end: Option<Instant>,
}

impl Drop for Thinker {
    fn drop(&mut self) {
        let mut turns = self.shared.turns();
        let now = Instant::now();
        turns.remove(self.number, now);
        turns.deal(now);
    }
}

impl Thinker {
    fn serve(&self, order: &Order, troupe: Option<&Troupe>) -> Result<Choice, Unanswered> {
        let chosen = match (Workplace::of(&order.player), troupe) {
            (Workplace::AtOnce, _) => {
                self.set_aside();
                ask_fresh(&order.player, 0, order, Question::default())
            }
            (Workplace::Fresh(hash_mb), _) => self.think(order, |question| {
                ask_fresh(&order.player, hash_mb, order, question)
            }),
            (Workplace::Shelf, _) => self.think(order, |question| self.ask_shelf(order, question)),
            (Workplace::Troupe, Some(troupe)) => {
                self.set_aside();
                troupe.choose(order, &|stop: &Stop| self.may_start(stop))
            }
            (Workplace::Troupe | Workplace::None, _) => {
                let text = format!("{} cannot play here", order.player);
                return Err(Unanswered::Broken(text));
            }
        };
        chosen.map_err(|error| match error {
            MoverError::Stopped => Unanswered::Stopped,
            _ if self.is_given_up() => Unanswered::Stopped,
            error => Unanswered::Broken(error.to_string()),
        })
    }

    fn set_aside(&self) {
        self.shared.turns().set_aside(self.number, Instant::now());
    }

    fn is_given_up(&self) -> bool {
        let mut turns = self.shared.turns();
        turns.task(self.number).is_none_or(|task| task.is_given_up)
    }

    /// Says how the program of this work is ended; false if nobody wants it any more.
    fn may_start(&self, stop: &Stop) -> bool {
        let mut turns = self.shared.turns();
        let task = turns.task(self.number).filter(|task| !task.is_given_up);
        task.map(|task| task.program = Some(stop.clone())).is_some()
    }

    /// A search with pauses in which others think.
    fn think(
        &self,
        order: &Order,
        ask: impl FnOnce(Question<'_>) -> Result<Choice, MoverError>,
    ) -> Result<Choice, MoverError> {
        let has_place = self.shared.wait(self.number, self.end);
        if self.is_given_up() {
            return Err(MoverError::Stopped);
        }
        if !has_place {
            return ask_fresh(&IN_PASSING, 1, order, IN_PASSING.budget(None).into());
        }
        let control = self.control().ok_or(MoverError::Stopped)?;
        let left = self
            .end
            .map(|end| end.saturating_duration_since(Instant::now()).as_millis() as u64);
        let budget = order.player.budget(left);
        ask(Question {
            budget: Budget {
                soft_ms: order.clock.soft_ms,
                ..left.map_or(budget, |ms| budget.within(ms))
            },
            control,
            on_info: None,
        })
    }

    /// Makes the search of this work pause for others, and stop with the work; nothing if nobody wants
    /// it any more.
    fn control(&self) -> Option<Control> {
        let (shared, number, end) = (Arc::clone(&self.shared), self.number, self.end);
        let control = Control::with_gate(move || shared.pass(number, end));
        if let Some(end) = self.end {
            control.set_deadline(end);
        }
        let mut turns = self.shared.turns();
        let task = turns.task(self.number).filter(|task| !task.is_given_up)?;
        task.control = Some(control.clone());
        Some(control)
    }

    /// Asks the engine that knows the game of an order, or another that gets to know it.
    fn ask_shelf(&self, order: &Order, question: Question<'_>) -> Result<Choice, MoverError> {
        let shelf = &self.shared.shelf;
        let mut borrowed = shelf.take(&order.id, |hash_mb| fresh(&order.player, hash_mb))?;
        let begun = match borrowed.is_new {
            true => begin(&mut *borrowed.engine, order),
            false => Ok(()),
        };
        let chosen = begun.and_then(|()| borrowed.engine.choose(&order.game, question));
        shelf.put(&order.id, borrowed);
        chosen
    }
}

/// Makes a mover for one move only.
fn ask_fresh(
    player: &Player,
    hash_mb: u64,
    order: &Order,
    question: Question<'_>,
) -> Result<Choice, MoverError> {
    let mut mover = fresh(player, hash_mb)?;
    begin(&mut *mover, order)?;
    mover.choose(&order.game, question)
}

/// Tells a mover which game it plays.
fn begin(mover: &mut dyn Mover, order: &Order) -> Result<(), MoverError> {
    let game = &order.game;
    mover.new_game(game.rules(), game.position().side(), order.seed)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_rules::BuiltIn;

    use super::*;

    fn order(owner: &str, player: Player) -> Order {
        Order {
            owner: owner.into(),
            address: String::new(),
            id: "game".into(),
            // Without a book, so that whoever is to think does.
            game: Game::new(BuiltIn::AshtonSiege.rules()),
            player,
            seed: 1,
            clock: Budget::default(),
        }
    }

    #[tokio::test]
    async fn every_kind_of_player_finds_a_legal_move() {
        let pool = EnginePool::new(2, 1, None);
        for player in ["level:1", "time:0.005", "nodes:50", "random"] {
            let player = player.parse().unwrap();
            let order = order("ann", player);
            let game = order.game.clone();
            let found = pool.order(order).unwrap().found().await.expect("a move");
            assert!(game.rules().is_legal(game.position(), found.step));
        }
        let program = order("ann", Player::Engine("true".into()));
        let refused = pool.order(program).unwrap().found().await;
        assert!(matches!(refused, Err(Unanswered::Broken(_))), "{refused:?}");
    }

    #[tokio::test]
    async fn programs_play_where_they_may_and_a_broken_one_says_why() {
        let pool = EnginePool::new(1, 1, Some(MoverOptions::default()));
        let baseline = order("ann", "baseline:1".parse().unwrap());
        let game = baseline.game.clone();
        let found = pool.order(baseline).unwrap().found().await.unwrap();
        assert!(game.rules().is_legal(game.position(), found.step));
        // Its move is made, and answered.
        let mut next = order("ann", "baseline:1".parse().unwrap());
        next.game.play(found.step).unwrap();
        let answer = next.game.rules().moves(next.game.position())[0];
        next.game.play(answer).unwrap();
        assert!(pool.order(next).unwrap().found().await.is_ok());
        let broken = order("ann", Player::Engine("./not-there".into()));
        let refused = pool.order(broken).unwrap().found().await;
        assert!(matches!(refused, Err(Unanswered::Broken(_))), "{refused:?}");
    }

    #[tokio::test]
    async fn a_dropped_job_makes_room_for_the_next() {
        let pool = EnginePool::new(1, 1, None);
        // Both would take a day.
        let day = Player::Time(24 * 3600 * 1000);
        drop(pool.order(order("ann", day.clone())));
        drop(pool.order(order("ann", day)));
        let found = pool
            .order(order("bob", Player::Random))
            .unwrap()
            .found()
            .await;
        assert!(found.is_ok());
    }

    /// Waits for an answer, but not for ever.
    async fn answer(job: &mut Job) -> Result<Choice, Unanswered> {
        let found = tokio::time::timeout(Duration::from_secs(60), job.found());
        found.await.expect("an answer")
    }

    #[tokio::test]
    async fn a_level_finds_the_same_however_often_it_has_to_pause() {
        let calm = EnginePool::new(1, 1, None);
        let level = || order("ann", Player::Level(8));
        let expected = answer(&mut calm.order(level()).unwrap()).await.unwrap();
        let known = |choice: Choice| (choice.step, choice.score, choice.nodes);
        let busy = EnginePool::new(1, 1, None);
        let minute = Player::Time(60_000);
        let names = ["bob", "eve", "kim"];
        let others = names.map(|name| busy.order(order(name, minute.clone())).unwrap());
        // What the pool thought about before does not matter either.
        for _ in 0..3 {
            let found = answer(&mut busy.order(level()).unwrap()).await;
            assert_eq!(found.map(known), Ok(known(expected.clone())));
        }
        drop(others);
    }

    #[tokio::test]
    async fn twenty_who_think_for_a_minute_keep_nobody_from_a_quick_move() {
        let pool = EnginePool::new(1, 1, None);
        let others: Vec<Job> = (0..20)
            .map(|n| order(&n.to_string(), Player::Time(60_000)))
            .map(|order| pool.order(order).unwrap())
            .collect();
        let begin = Instant::now();
        for _ in 0..5 {
            let quick = order("ann", Player::Level(1));
            assert!(answer(&mut pool.order(quick).unwrap()).await.is_ok());
        }
        assert!(begin.elapsed() < Duration::from_secs(50), "ten times 1 s");
        drop(others);
    }

    #[tokio::test]
    async fn an_answer_comes_in_time_also_to_those_who_hardly_get_to_think() {
        let pool = EnginePool::new(1, 1, None);
        let orders: Vec<Job> = (0..60)
            .map(|n| order(&n.to_string(), Player::Time(1000)))
            .map(|order| pool.order(order).unwrap())
            .collect();
        let begin = Instant::now();
        for mut job in orders {
            assert!(answer(&mut job).await.is_ok());
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "1 s is meant");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn programs_do_not_wait_for_each_other_and_stop_when_nobody_waits() {
        let folder = tempfile::tempdir().unwrap();
        let pool = EnginePool::new(1, 1, Some(MoverOptions::default()));
        // It answers nothing, tells where it runs, and lives until it is ended.
        let note = folder.path().join("silent");
        let command = format!("sh -c 'echo $$ > {}; exec sleep 600'", note.display());
        let silent = pool.order(order("ann", Player::Engine(command))).unwrap();
        let pid = loop {
            let text = std::fs::read_to_string(&note).unwrap_or_default();
            if text.ends_with('\n') {
                break text.trim().to_string();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        let mut other = order("ann", "baseline:1".parse().unwrap());
        other.id = "another game".into();
        assert!(answer(&mut pool.order(other).unwrap()).await.is_ok());
        let is_there = || std::path::Path::new("/proc").join(&pid).exists();
        assert!(is_there(), "it still thinks");
        drop(silent);
        let begin = Instant::now();
        while is_there() {
            assert!(begin.elapsed() < Duration::from_secs(5), "it is ended");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}
