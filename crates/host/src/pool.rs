//! Engines at work for visitors: a few threads, a fair queue, and an end to work nobody waits for.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use tablut_arena::{MoverOptions, Player, defenders_score};
use tablut_engine::{Control, Engine, Level, Limits, Options};
use tablut_rules::{Game, Move, Random, record::Score};
use tokio::sync::oneshot;

use crate::troupe::Troupe;

/// What an engine is asked.
#[derive(Clone, Debug)]
pub struct Order {
    /// Who asks; turns go round among those who do.
    pub owner: String,
    /// The id of the game; a program plays in it from move to move.
    pub id: String,
    /// The game to find a move in.
    pub game: Game,
    /// Who plays.
    pub player: Player,
    /// Makes the choices of a level.
    pub seed: u64,
    /// The time after which the search has to end, counted from its start.
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

/// Work that was ordered. Dropping it stops the work.
#[derive(Debug)]
pub struct Job {
    control: Control,
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
        self.control.stop();
    }
}

/// Somebody waits for so many answers already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the engines are busy; try again in a moment")]
pub struct Busy;

/// How many orders may wait: of one owner, and of all.
const MOST_OF_ONE: usize = 8;
const MOST_OF_ALL: usize = 512;

struct Waiting {
    order: Order,
    control: Control,
    reply: oneshot::Sender<Result<Found, Unanswered>>,
}

/// Those who wait, one line for each owner; owners take turns.
#[derive(Default)]
struct Queue {
    lines: VecDeque<(String, VecDeque<Waiting>)>,
    closed: bool,
}

impl Queue {
    fn push(&mut self, waiting: Waiting) -> Result<(), Busy> {
        let all: usize = self.lines.iter().map(|(_, line)| line.len()).sum();
        if all >= MOST_OF_ALL {
            return Err(Busy);
        }
        let owner = &waiting.order.owner;
        match self.lines.iter_mut().find(|(known, _)| known == owner) {
            Some((_, line)) if line.len() >= MOST_OF_ONE => return Err(Busy),
            Some((_, line)) => line.push_back(waiting),
            None => self
                .lines
                .push_back((owner.clone(), VecDeque::from([waiting]))),
        }
        Ok(())
    }

    /// The next to be served; its owner goes to the end.
    fn pop(&mut self) -> Option<Waiting> {
        let (owner, mut line) = self.lines.pop_front()?;
        let next = line.pop_front();
        if !line.is_empty() {
            self.lines.push_back((owner, line));
        }
        next
    }
}

struct Shared {
    queue: Mutex<Queue>,
    more: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A queue is whole between any two statements.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Threads that think for whoever asks.
pub struct EnginePool {
    shared: Arc<Shared>,
}

impl EnginePool {
    /// A pool of so many threads, each with a table of so many megabytes. Programs are only started
    /// with what they need; nobody else's wish starts one.
    #[must_use]
    pub fn new(threads: usize, hash_mb: usize, programs: Option<MoverOptions>) -> Self {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            more: Condvar::new(),
        });
        // One for all threads: a program plays its whole game.
        let troupe = programs.map(|options| Arc::new(Mutex::new(Troupe::new(options))));
        for _ in 0..threads.max(1) {
            let shared = Arc::clone(&shared);
            let troupe = troupe.clone();
            thread::spawn(move || work(&shared, hash_mb, troupe.as_deref()));
        }
        Self { shared }
    }

    /// Orders a move.
    ///
    /// # Errors
    /// Too much is ordered already.
    pub fn order(&self, order: Order) -> Result<Job, Busy> {
        let (reply, answer) = oneshot::channel();
        let control = Control::new();
        self.shared.queue().push(Waiting {
            order,
            control: control.clone(),
            reply,
        })?;
        self.shared.more.notify_one();
        Ok(Job { control, answer })
    }
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        self.shared.queue().closed = true;
        self.shared.more.notify_all();
    }
}

impl std::fmt::Debug for EnginePool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EnginePool").finish_non_exhaustive()
    }
}

/// What one thread does all day.
fn work(shared: &Shared, hash_mb: usize, troupe: Option<&Mutex<Troupe>>) {
    // Made with the first order: most servers never need all their threads.
    let mut engine = None;
    loop {
        let waiting = {
            let mut queue = shared.queue();
            loop {
                if queue.closed {
                    return;
                }
                if let Some(next) = queue.pop() {
                    break next;
                }
                queue = shared
                    .more
                    .wait(queue)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        };
        if waiting.control.is_stopped() {
            continue;
        }
        let engine = engine.get_or_insert_with(|| {
            Engine::new(Options {
                hash_mb,
                threads: 1,
            })
        });
        let order = &waiting.order;
        let found = match (is_own(&order.player), troupe) {
            (true, _) => think(engine, order, &waiting.control).ok_or(Unanswered::Stopped),
            (false, Some(troupe)) => troupe
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .choose(order)
                .map_err(|error| Unanswered::Broken(error.to_string())),
            (false, None) => Err(Unanswered::Broken(format!(
                "{} cannot play here",
                order.player
            ))),
        };
        // Whoever asked may be gone.
        let _ = waiting.reply.send(found);
    }
}

/// Whether a player is our own engine.
pub(crate) const fn is_own(player: &Player) -> bool {
    matches!(
        player,
        Player::Level(_) | Player::Time(_) | Player::Nodes(_) | Player::Random
    )
}

fn think(engine: &mut Engine, order: &Order, control: &Control) -> Option<Found> {
    let Order { game, player, .. } = order;
    if let Some(most) = order.most {
        control.set_deadline(std::time::Instant::now() + most);
    }
    let report = match *player {
        Player::Level(number) => {
            let level = Level::new(number)?;
            level.choose(engine, game, order.seed, control)
        }
        Player::Time(ms) => {
            let limits = Limits::time(Duration::from_millis(ms));
            engine.search(game, &limits, control, &mut |_| {})
        }
        Player::Nodes(nodes) => {
            let limits = Limits::nodes(nodes);
            engine.search(game, &limits, control, &mut |_| {})
        }
        Player::Random => {
            let moves = game.rules().moves(game.position());
            let mut random = Random::new(order.seed ^ game.position().key());
            let step = (!moves.is_empty()).then(|| random.pick(&moves))?;
            return Some(Found { step, score: None });
        }
        _ => return None,
    };
    let side = game.position().side();
    let score = report.lines.first().map(|line| line.score);
    Some(Found {
        step: report.best?,
        score: score.map(|score| defenders_score(score, side)),
    })
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

    #[test]
    fn owners_take_turns() {
        let mut queue = Queue::default();
        for owner in ["ann", "ann", "ann", "bob", "eve", "bob"] {
            let (reply, _) = oneshot::channel();
            let pushed = queue.push(Waiting {
                order: order(owner, Player::Random),
                control: Control::new(),
                reply,
            });
            assert_eq!(pushed, Ok(()));
        }
        let served: Vec<String> = std::iter::from_fn(|| queue.pop())
            .map(|waiting| waiting.order.owner)
            .collect();
        assert_eq!(served, ["ann", "bob", "eve", "ann", "bob", "ann"]);
    }

    #[test]
    fn nobody_orders_without_end() {
        let mut queue = Queue::default();
        let mut push = |owner: String| {
            let (reply, _) = oneshot::channel();
            queue.push(Waiting {
                order: order(&owner, Player::Random),
                control: Control::new(),
                reply,
            })
        };
        let ann = (0..100).filter(|_| push("ann".into()).is_ok()).count();
        assert_eq!(ann, MOST_OF_ONE);
        let all = (0..1000).filter(|n| push(n.to_string()).is_ok()).count();
        assert_eq!(ann + all, MOST_OF_ALL);
    }
}
