//! Engines at work for visitors: a few places to think, fair turns, and an end to work nobody waits for.

mod shelf;
mod turns;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tablut_arena::{Player, Stop};
use tablut_engine::{Control, Engine, Level, SearchLimits, SearchReport};
use tablut_guest::{MoverOptions, defenders_score};
use tablut_rules::{Game, Move, Random, record::Score};
use tokio::sync::oneshot;

use crate::troupe::Troupe;
use shelf::{Shelf, fresh};
use turns::Turns;

/// What an engine is asked.
#[derive(Clone, Debug)]
pub struct Order {
    /// Who asks; those who have used least lately come first.
    pub owner: String,
    /// The id of the game; a program plays in it from move to move.
    pub id: String,
    /// The game to find a move in.
    pub game: Game,
    /// Who plays.
    pub player: Player,
    /// Makes the choices of a level.
    pub seed: u64,
    /// The time after which an answer has to be there, counted from the order, whoever else thinks.
    pub most: Option<Duration>,
}

/// What an engine found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The move.
    pub step: Move,
    /// What the position is worth, from the defenders' point of view.
    pub score: Option<Score>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unanswered {
    /// The work was given up.
    #[error("the engine was stopped")]
    Stopped,
    /// The player cannot play, or not any more.
    #[error("{0}")]
    Broken(String),
}

/// Work that was ordered. Dropping it stops the work, also that of a program.
pub struct Job {
    number: u64,
    shared: Arc<Shared>,
    answer: oneshot::Receiver<Result<Found, Unanswered>>,
}

impl Job {
    /// Waits for the answer.
    ///
    /// # Errors
    /// Says why there is none.
    pub async fn found(&mut self) -> Result<Found, Unanswered> {
        let answer = (&mut self.answer).await;
        answer.unwrap_or(Err(Unanswered::Stopped))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.shared.turns().give_up(self.number);
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}

/// Somebody waits for so many answers already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engines are busy; try again in a moment")]
pub struct Busy;

/// The table of a search that is limited by nodes, in megabytes: for a few thousand, and for more.
/// It is made for each search, so that a level finds the same whatever was thought before.
const SMALL_MB: usize = 2;
const MEDIUM_MB: usize = 8;

/// The highest level for which the small table is enough.
const EASY: u8 = 8;

/// What is searched for somebody whose time was over before there was a place to think, in nodes.
const IN_PASSING: u64 = 2000;

struct Shared {
    turns: Mutex<Turns>,
    shelf: Shelf,
}

impl Shared {
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

/// Threads that think for whoever asks, at most so many at a time. Each order has a thread of its own,
/// which mostly waits.
pub struct EnginePool {
    shared: Arc<Shared>,
    troupe: Option<Arc<Troupe>>,
}

impl EnginePool {
    /// A pool in which so many think at a time, with a table of so many megabytes for each, and for a
    /// few who pause. Programs are only started with what they need; nobody else's wish starts one.
    #[must_use]
    pub fn new(threads: usize, hash_mb: usize, programs: Option<MoverOptions>) -> Self {
        let shelf = Shelf::new(threads.max(1) + 3, hash_mb);
        let turns = Mutex::new(Turns::new(threads));
        Self {
            shared: Arc::new(Shared { turns, shelf }),
            // One for all games: a program plays its whole game.
            troupe: programs.map(|options| Arc::new(Troupe::new(options))),
        }
    }

    /// Orders a move.
    ///
    /// # Errors
    /// Too much is ordered already.
    pub fn order(&self, order: Order) -> Result<Job, Busy> {
        let begin = Instant::now();
        let own = match order.player {
            Player::Time(ms) => Some(Duration::from_millis(ms)),
            _ => None,
        };
        let most = match (own, order.most) {
            (Some(own), Some(most)) => Some(own.min(most)),
            (own, most) => own.or(most),
        };
        // A time beyond all clocks is none.
        let end = most.and_then(|most| begin.checked_add(most));
        let (reply, answer) = oneshot::channel();
        let number = self
            .shared
            .turns()
            .add(&order.owner, is_large(&order.player))?;
        // From here on the job ends what has begun.
        let job = Job {
            number,
            shared: Arc::clone(&self.shared),
            answer,
        };
        let thinker = Thinker {
            number,
            shared: Arc::clone(&self.shared),
            end,
        };
        let troupe = self.troupe.clone();
        let thread = thread::Builder::new().name("engine".into());
        let started = thread.spawn(move || {
            let found = thinker.serve(&order, troupe.as_deref());
            // Whoever comes next need not wait until this thread has ended.
            drop(thinker);
            // Whoever asked may be gone.
            let _ = reply.send(found);
        });
        match started {
            Ok(_) => Ok(job),
            // The closure is gone, and the thinker in it.
            Err(_) => Err(Busy),
        }
    }
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
    shared: Arc<Shared>,
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
    fn serve(&self, order: &Order, troupe: Option<&Troupe>) -> Result<Found, Unanswered> {
        match (&order.player, troupe) {
            (Player::Random, _) => {
                self.set_aside();
                pick_any(order).ok_or(Unanswered::Stopped)
            }
            (player, _) if is_own(player) => self.think(order).ok_or(Unanswered::Stopped),
            (_, Some(troupe)) => {
                // A program thinks in a process of its own.
                self.set_aside();
                let allow = |stop: &Stop| self.may_start(stop);
                let chosen = troupe.choose(order, &allow);
                chosen.map_err(|error| match self.is_given_up() {
                    true => Unanswered::Stopped,
                    false => Unanswered::Broken(error.to_string()),
                })
            }
            (player, None) => Err(Unanswered::Broken(format!("{player} cannot play here"))),
        }
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
    fn think(&self, order: &Order) -> Option<Found> {
        let has_place = self.shared.wait(self.number, self.end);
        if self.is_given_up() {
            return None;
        }
        if !has_place {
            let limits = SearchLimits::nodes(IN_PASSING);
            let mut engine = fresh(1);
            let report = engine.search(&order.game, &limits, &Control::new(), &mut |_| {});
            return found(&report, &order.game);
        }
        let (shared, number, end) = (Arc::clone(&self.shared), self.number, self.end);
        let control = Control::with_gate(move || shared.pass(number, end));
        if let Some(end) = self.end {
            control.set_deadline(end);
        }
        {
            let mut turns = self.shared.turns();
            let task = turns.task(self.number)?;
            task.control = Some(control.clone());
            if task.is_given_up {
                return None;
            }
        }
        match order.player {
            Player::Level(number) => {
                let hash_mb = if number <= EASY { SMALL_MB } else { MEDIUM_MB };
                search(&mut fresh(hash_mb), order, &control, self.end)
            }
            Player::Nodes(_) => search(&mut fresh(MEDIUM_MB), order, &control, self.end),
            _ => {
                let mut borrowed = self.shared.shelf.take(&order.id);
                let found = search(&mut borrowed.engine, order, &control, self.end);
                self.shared.shelf.put(&order.id, borrowed);
                found
            }
        }
    }
}

/// Whether a player is our own engine.
pub(crate) const fn is_own(player: &Player) -> bool {
    matches!(
        player,
        Player::Level(_) | Player::Time(_) | Player::Nodes(_) | Player::Random
    )
}

/// Whether a player's search needs much memory.
const fn is_large(player: &Player) -> bool {
    match player {
        Player::Level(number) => *number > EASY,
        Player::Time(_) | Player::Nodes(_) => true,
        _ => false,
    }
}

fn search(
    engine: &mut Engine,
    order: &Order,
    control: &Control,
    end: Option<Instant>,
) -> Option<Found> {
    let game = &order.game;
    let report = match order.player {
        Player::Level(number) => {
            let level = Level::new(number)?;
            level.choose(engine, game, order.seed, control)
        }
        Player::Nodes(nodes) => {
            let limits = SearchLimits::nodes(nodes);
            engine.search(game, &limits, control, &mut |_| {})
        }
        _ => {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            let limits = left.map_or_else(SearchLimits::default, SearchLimits::time);
            engine.search(game, &limits, control, &mut |_| {})
        }
    };
    found(&report, game)
}

fn found(report: &SearchReport, game: &Game) -> Option<Found> {
    let side = game.position().side();
    let score = report.lines.first().map(|line| line.score);
    Some(Found {
        step: report.best?,
        score: score.map(|score| defenders_score(score, side)),
    })
}

fn pick_any(order: &Order) -> Option<Found> {
    let game = &order.game;
    let moves = game.rules().moves(game.position());
    let mut random = Random::new(order.seed ^ game.position().key());
    let step = (!moves.is_empty()).then(|| random.pick(&moves))?;
    Some(Found { step, score: None })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_rules::Rules;

    use super::*;

    fn order(owner: &str, player: Player) -> Order {
        Order {
            owner: owner.into(),
            id: "game".into(),
            game: Game::new(Rules::ashton()),
            player,
            seed: 1,
            most: None,
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
    async fn answer(job: &mut Job) -> Result<Found, Unanswered> {
        let found = tokio::time::timeout(Duration::from_secs(60), job.found());
        found.await.expect("an answer")
    }

    #[tokio::test]
    async fn a_level_finds_the_same_however_often_it_has_to_pause() {
        let calm = EnginePool::new(1, 1, None);
        let level = || order("ann", Player::Level(8));
        let expected = answer(&mut calm.order(level()).unwrap()).await.unwrap();
        let busy = EnginePool::new(1, 1, None);
        let minute = Player::Time(60_000);
        let names = ["bob", "eve", "kim"];
        let others = names.map(|name| busy.order(order(name, minute.clone())).unwrap());
        // What the pool thought about before does not matter either.
        for _ in 0..3 {
            let found = answer(&mut busy.order(level()).unwrap()).await;
            assert_eq!(found, Ok(expected));
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
