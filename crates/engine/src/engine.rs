//! The engine: its table and experience, kept between moves, and its threads.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

use tablut_rules::{Game, Laws, Move, Rules};

use crate::{
    Control, Score, SearchInfo, SearchLimits, SearchReport, Variation,
    parameter::Parameters,
    path::Path,
    root::Root,
    search::{Memory, Reductions, Searcher, Shared},
    table::{NoMemory, Table},
};

/// What an engine is made with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOptions {
    /// Size of the transposition table in megabytes.
    pub hash_mb: usize,
    /// Threads of a search. Only with one is a search the same every time.
    pub threads: usize,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash_mb: 64,
            threads: 1,
        }
    }
}

/// A player that thinks: finds moves, and says what positions are worth.
///
/// Between the moves of a game it keeps what it has learnt.
///
/// ```
/// use tablut_engine::{Control, Engine, SearchLimits, EngineOptions};
/// use tablut_rules::{Game, Rules};
/// let mut engine = Engine::new(EngineOptions { hash_mb: 1, threads: 1 });
/// let game = Game::new(Rules::ashton());
/// let report = engine.search(&game, &SearchLimits::nodes(5_000), &Control::new(), &mut |_| {});
/// assert!(game.rules().is_legal(game.position(), report.best.expect("the game is not over")));
/// ```
pub struct Engine {
    options: EngineOptions,
    parameters: Parameters,
    reductions: Reductions,
    table: Table,
    memories: Vec<Memory>,
    /// What the table and the memories were filled under.
    world: Option<(Arc<Rules>, Laws)>,
}

impl Engine {
    /// An engine that knows nothing yet.
    ///
    /// Where memory is short, its table is as large as can be had; [`Engine::try_new`] tells instead.
    ///
    /// # Panics
    /// There is no memory for the smallest table either.
    #[must_use]
    pub fn new(mut options: EngineOptions) -> Self {
        loop {
            match Self::try_new(options.clone()) {
                Ok(engine) => return engine,
                Err(error) => {
                    assert!(options.hash_mb > 0, "{error}");
                    options.hash_mb /= 2;
                }
            }
        }
    }

    /// An engine that knows nothing yet, with a table of just the size that was asked for.
    ///
    /// # Errors
    /// There is not that much memory.
    pub fn try_new(options: EngineOptions) -> Result<Self, NoMemory> {
        Self::with_parameters(options, Parameters::default())
    }

    /// An engine that plays by other numbers: for tuning and for matches between versions.
    ///
    /// # Errors
    /// There is not that much memory.
    pub fn with_parameters(
        options: EngineOptions,
        parameters: Parameters,
    ) -> Result<Self, NoMemory> {
        Ok(Self {
            table: Table::new(options.hash_mb)?,
            reductions: Reductions::new(&parameters),
            options,
            parameters,
            memories: Vec::new(),
            world: None,
        })
    }

    /// What the engine was made with.
    #[must_use]
    pub const fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Forgets everything, as before a new game that has nothing to do with the last.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.clear();
        self.world = None;
    }

    /// Finds the best move in the present position of a game.
    ///
    /// `on_info` is called for every line of every finished iteration. The report always has a legal
    /// move, unless the game is over.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        control: &Control,
        on_info: &mut dyn FnMut(&SearchInfo),
    ) -> SearchReport {
        let begin = Instant::now();
        let rules = game.rules();
        let moves: Vec<Move> = if game.outcome().is_some() {
            Vec::new()
        } else {
            rules.moves(game.position()).to_vec()
        };
        let Some(&first) = moves.first() else {
            return SearchReport {
                best: None,
                lines: Vec::new(),
                depth: 0,
                nodes: 0,
                time: begin.elapsed(),
            };
        };
        self.prepare(game);
        let shared = Shared {
            rules,
            parameters: &self.parameters,
            table: &self.table,
            control,
            reductions: &self.reductions,
            stopped: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: limits.nodes,
            deadline: limits.budget().map(|budget| begin + budget),
        };
        let (main, helpers) = self
            .memories
            .split_first_mut()
            .expect("there is at least one thread");
        let nodes = |searcher: &Searcher<'_>| {
            let own = searcher.nodes;
            shared.nodes.load(Relaxed).max(own)
        };
        let mut told: Vec<Variation> = Vec::new();
        let report = thread::scope(|scope| {
            for (number, memory) in helpers.iter_mut().enumerate() {
                let (shared, moves) = (&shared, moves.clone());
                scope.spawn(move || {
                    let searcher = Searcher::new(shared, memory, Path::new(game), first);
                    let mut root = Root::new(searcher, game, moves);
                    let limits = SearchLimits::default();
                    root.deepen(&limits, 1 + number as u32 % 2, None);
                });
            }
            let searcher = Searcher::new(&shared, main, Path::new(game), first);
            let mut root = Root::new(searcher, game, moves.clone());
            let mut news = |searcher: &Searcher<'_>, depth: u32, index: usize, line: &Variation| {
                on_info(&SearchInfo {
                    depth,
                    selective: searcher.selective as u32,
                    nodes: nodes(searcher),
                    time: begin.elapsed(),
                    index,
                    line: line.clone(),
                    hash_full: shared.table.fullness(),
                });
            };
            root.deepen(limits, 1, Some(&mut news));
            shared.stopped.store(true, Relaxed);
            told.extend(root.lines());
            (root.depth, nodes(&root.searcher))
        });
        let (depth, nodes) = report;
        if told.is_empty() {
            // Stopped before anything was known: any legal move is better than none.
            told.push(Variation {
                score: Score::Units(0),
                moves: vec![first],
            });
        }
        SearchReport {
            best: told[0].moves.first().copied(),
            lines: told,
            depth,
            nodes,
            time: begin.elapsed(),
        }
    }

    /// Makes table and memories ready for a game.
    fn prepare(&mut self, game: &Game) {
        let same = self.world.as_ref().is_some_and(|(rules, laws)| {
            laws == game.laws() && (Arc::ptr_eq(rules, game.rules()) || rules == game.rules())
        });
        if !same {
            if self.world.is_some() {
                self.clear();
            }
            self.world = Some((game.rules().clone(), *game.laws()));
        }
        self.table.age();
        for memory in &mut self.memories {
            memory.experience.fade();
        }
        let threads = self.options.threads.max(1);
        self.memories
            .resize_with(threads, || Memory::new(game.rules()));
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
