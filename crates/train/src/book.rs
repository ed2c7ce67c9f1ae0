//! Makes an opening book: long searches of the positions that are likeliest to be reached by good play.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashSet},
    fs,
    io::Write,
    path::Path,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
};

use anyhow::{Context, Result};
use tablut_arena::Stop;
use tablut_engine::{Book, BookEntry, Control, Engine, EngineOptions, Score, SearchLimits};
use tablut_rules::{Game, Move, Rules, Setup, Symmetry};

/// What a book is made with.
pub struct BookPlan {
    /// The rules.
    pub rules: Arc<Rules>,
    /// Nodes for the best move of a position.
    pub nodes: u64,
    /// How many positions it has in the end.
    pub positions: usize,
    /// How many positions are searched at once.
    pub threads: usize,
    /// Megabytes of each search's table.
    pub hash_mb: usize,
}

/// Moves that are looked at besides the best, …
const OTHERS: usize = 5;

/// … by a search that is this much shorter, …
const SHORTER: u64 = 10;

/// … if they are not worse than the best by more than this, in hundredths.
const MARGIN: i32 = 80;

/// Positions that are decided by more than this are not continued, in hundredths. Under `ashton` the network gives
/// black 8.83 at the start.
const DECIDED: i32 = 1_300;

/// A position that is waiting.
struct Waiting {
    /// How likely it is to be reached, roughly.
    weight: f64,
    game: Game,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |waiting: &Self| waiting.game.position().key();
        self.weight
            .total_cmp(&other.weight)
            .then_with(|| key(self).cmp(&key(other)))
    }
}

/// What the threads share.
struct Making {
    book: Book,
    queue: BinaryHeap<Waiting>,
    /// Boards that are or were in the queue, in every symmetry.
    seen: HashSet<Setup>,
    symmetries: Vec<Symmetry>,
    /// Searches under way.
    busy: usize,
    file: fs::File,
}

impl Making {
    fn push(&mut self, weight: f64, game: Game) {
        let board = Setup::from(game.position()).with_quiet(0);
        if game.outcome().is_some() || self.seen.contains(&board) {
            return;
        }
        for symmetry in &self.symmetries {
            self.seen.insert(symmetry.setup(&board));
        }
        self.queue.push(Waiting { weight, game });
    }

    /// Lets the moves of a position wait that good play may choose.
    fn expand(&mut self, waiting: &Waiting, entry: &BookEntry) {
        if entry.score.abs() > DECIDED {
            return;
        }
        let other = |(step, score): &(Move, i32)| {
            let less = (entry.score - score).max(0);
            (*step != entry.step && less <= MARGIN)
                .then(|| (*step, 0.5 * f64::from(-less).exp2().powf(1.0 / 40.0)))
        };
        let mut shares: Vec<(Move, f64)> = entry.others.iter().filter_map(other).collect();
        shares.push((entry.step, 1.0));
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        for (step, share) in shares {
            let mut game = waiting.game.clone();
            if game.play(step).is_ok() {
                self.push(waiting.weight * share / sum, game);
            }
        }
    }

    /// The likeliest position that has not been searched; those that have been are passed.
    fn next(&mut self) -> Option<Waiting> {
        while let Some(waiting) = self.queue.pop() {
            match self.book.get(waiting.game.position()) {
                Some(entry) => self.expand(&waiting, &entry),
                None => return Some(waiting),
            }
        }
        None
    }
}

/// Makes a book, or goes on with it; every position is kept as soon as it is searched.
///
/// # Errors
/// The file cannot be read or written.
pub fn make(plan: &BookPlan, path: &Path, stop: &Stop, say: &(dyn Fn(&str) + Sync)) -> Result<()> {
    let context = || format!("cannot use {}", path.display());
    let text = if path.exists() {
        fs::read_to_string(path).with_context(context)?
    } else {
        String::new()
    };
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    let mut making = Making {
        book: Book::read(&plan.rules, &text).with_context(context)?,
        queue: BinaryHeap::new(),
        seen: HashSet::new(),
        symmetries: plan.rules.set().symmetries(),
        busy: 0,
        file: file.with_context(context)?,
    };
    making.push(1.0, Game::new(Arc::clone(&plan.rules)));
    let (making, changed) = (Mutex::new(making), Condvar::new());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads.max(1))
            .map(|_| scope.spawn(|| work(plan, &making, &changed, stop, say)))
            .collect();
        for worker in workers {
            worker.join().expect("no thread panics")?;
        }
        Ok(())
    })
}

fn work(
    plan: &BookPlan,
    making: &Mutex<Making>,
    changed: &Condvar,
    stop: &Stop,
    say: &(dyn Fn(&str) + Sync),
) -> Result<()> {
    let mut engine = Engine::try_new(EngineOptions {
        hash_mb: plan.hash_mb,
        threads: 1,
    })?;
    loop {
        let mut shared = making.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = loop {
            if stop.is_finishing() || shared.book.len() + shared.busy >= plan.positions {
                return Ok(());
            }
            match shared.next() {
                Some(waiting) => break waiting,
                None if shared.busy == 0 => return Ok(()),
                // What others are searching may be continued.
                None => shared = changed.wait(shared).unwrap_or_else(PoisonError::into_inner),
            }
        };
        shared.busy += 1;
        drop(shared);
        let entry = search(plan, &mut engine, &waiting.game, stop);
        let mut shared = making.lock().unwrap_or_else(PoisonError::into_inner);
        shared.busy -= 1;
        changed.notify_all();
        let Some(entry) = entry else {
            return Ok(());
        };
        let position = waiting.game.position();
        writeln!(shared.file, "{}", Book::line(position, &entry))
            .context("cannot keep a position")?;
        shared.book.insert(position, entry.clone());
        shared.expand(&waiting, &entry);
        let moves: Vec<String> = waiting
            .game
            .plies()
            .iter()
            .map(|ply| ply.step.to_string())
            .collect();
        say(&format!(
            "{}: {} {} depth {} after {}",
            shared.book.len(),
            entry.step,
            Score::Units(entry.score),
            entry.depth,
            if moves.is_empty() {
                "no move".into()
            } else {
                moves.join(" ")
            }
        ));
    }
}

/// What a book says of a score.
fn hundredths(score: Score) -> i32 {
    match score {
        Score::Units(units) => units,
        Score::Win(_) => Score::DECIDED,
        Score::Loss(_) => -Score::DECIDED,
    }
}

fn search(plan: &BookPlan, engine: &mut Engine, game: &Game, stop: &Stop) -> Option<BookEntry> {
    let control = Control::new();
    let mut look = |_: &tablut_engine::SearchInfo| {
        if stop.is_finishing() {
            control.stop();
        }
    };
    engine.clear();
    let long = engine.search(game, &SearchLimits::nodes(plan.nodes), &control, &mut look);
    let short = SearchLimits::nodes(plan.nodes / SHORTER).with_lines(OTHERS);
    let short = engine.search(game, &short, &control, &mut look);
    if stop.is_finishing() {
        return None;
    }
    let first = long.lines.first()?;
    let others = short.lines.iter().filter_map(|line| {
        let &step = line.moves.first()?;
        Some((step, hundredths(line.score)))
    });
    Some(BookEntry {
        step: long.best?,
        score: hundredths(first.score),
        depth: long.depth,
        nodes: long.nodes,
        others: others.collect(),
    })
}
