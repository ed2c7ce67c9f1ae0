//! The engine: its transposition table and histories, kept between moves, and its threads.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

use tablut_rules::{Game, Laws, Rules, Side};

use crate::{
    Control, Score, SearchInfo, SearchLimits, SearchReport, Variation,
    evaluation::HandEvaluator,
    memory::{NoMemory, as_large_as_possible},
    network::{Network, NetworkEvaluator},
    parameter::Parameters,
    path::Path,
    root::{OnVariation, Root},
    search::{Reductions, SearchContext, Searcher, ThreadState},
    shape::Shape,
    transposition::TranspositionTable,
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

/// How an engine evaluates positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// By the network that serves the rule set ([`Network::serving`]); by hand if there is none.
    #[default]
    BuiltIn,
    /// By the terms that are written by hand.
    Hand,
    /// By this network, under every rule set.
    Network(Arc<Network>),
}

impl Evaluation {
    /// The network it evaluates with; none if by hand.
    fn network(&self, rules: &Rules) -> Option<Arc<Network>> {
        match self {
            Self::BuiltIn => Network::serving(rules),
            Self::Hand => None,
            Self::Network(network) => Some(Arc::clone(network)),
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
    evaluation: Evaluation,
    reductions: Reductions,
    table: TranspositionTable,
    threads: Vec<ThreadState>,
    /// The side it plays in a game.
    plays: Option<Side>,
    /// Whether table and threads are those of a side that stands worse ([`Network::rescuing`]).
    rescues: bool,
    /// What table and threads were filled under.
    known: Option<KnownRules>,
}

/// The rules and laws of the games an engine knows something about.
struct KnownRules {
    rules: Arc<Rules>,
    laws: Laws,
    shape: Shape,
}

impl Engine {
    /// An engine that knows nothing yet.
    ///
    /// Where memory is short, its table is as large as can be had; [`Engine::try_new`] tells instead.
    ///
    /// # Panics
    /// There is no memory for the smallest table either.
    #[must_use]
    pub fn new(options: EngineOptions) -> Self {
        as_large_as_possible(options.hash_mb, |hash_mb| {
            Self::try_new(EngineOptions { hash_mb, ..options })
        })
    }

    /// An engine that knows nothing yet, with a table of exactly the size that was asked for.
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
            table: TranspositionTable::new(options.hash_mb)?,
            reductions: Reductions::new(&parameters),
            options,
            parameters,
            evaluation: Evaluation::BuiltIn,
            threads: Vec::new(),
            plays: None,
            rescues: false,
            known: None,
        })
    }

    /// The same engine with another way to evaluate.
    #[must_use]
    pub fn with_evaluation(mut self, evaluation: Evaluation) -> Self {
        self.clear();
        self.evaluation = evaluation;
        self
    }

    /// Says which side the engine plays in a game against somebody, or that it plays none. For its own side, if that
    /// stands worse, it counts on mistakes of its opponent, and its scores do as well: analysis has none.
    pub const fn play_side(&mut self, side: Option<Side>) {
        self.plays = side;
    }

    /// What the engine was made with.
    #[must_use]
    pub const fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Forgets everything, as before a new game that has nothing to do with the last.
    pub fn clear(&mut self) {
        // A table that no search has used is blank.
        if self.known.take().is_some() {
            self.table.clear();
        }
        self.threads.clear();
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
        let moves = game.rules().moves(game.position());
        let Some(&first) = moves.first().filter(|_| game.outcome().is_none()) else {
            return SearchReport::default();
        };
        self.prepare(game);
        let known = self.known.get_or_insert_with(|| KnownRules::of(game));
        let context = SearchContext {
            rules: game.rules(),
            shape: &known.shape,
            parameters: &self.parameters,
            table: self.table.open(),
            control,
            reductions: &self.reductions,
            stopped: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: limits.nodes,
            begin,
            deadline: limits.budget().map(|budget| begin + budget),
        };
        let mut on_variation =
            |searcher: &Searcher<'_>, depth: u32, index: usize, line: &Variation| {
                on_info(&SearchInfo {
                    depth,
                    selective: searcher.selective_depth as u32,
                    nodes: searcher.nodes_of_all(),
                    time: begin.elapsed(),
                    index,
                    line: line.clone(),
                    hash_full: context.table.fullness(),
                });
            };
        let threads = &mut self.threads;
        let mut report = search_threads(&context, threads, game, limits, &mut on_variation);
        if report.lines.is_empty() {
            // Stopped before anything was known: any legal move is better than none.
            report.lines.push(Variation {
                score: Score::Units(0),
                moves: vec![first],
            });
        }
        report.best = report.lines[0].moves.first().copied();
        report.time = begin.elapsed();
        report
    }

    /// Makes table and threads ready for a search.
    fn prepare(&mut self, game: &Game) {
        if self.known.as_ref().is_some_and(|known| !known.has(game)) {
            self.clear();
        }
        let mut network = self.evaluation.network(game.rules());
        let rescues = network.as_ref().is_some_and(|n| self.is_to_rescue(n, game));
        if rescues != self.rescues {
            // Values of the two kinds mean different things.
            self.clear();
            self.rescues = rescues;
        }
        if rescues {
            network = network.and_then(|network| network.rescuing().map(Arc::new));
        }
        for thread in &mut self.threads {
            thread.histories.fade();
        }
        self.threads.resize_with(self.options.threads.max(1), || {
            ThreadState::new(match &network {
                Some(network) => Box::new(NetworkEvaluator::new(Arc::clone(network))),
                None => Box::new(HandEvaluator::new(&self.parameters)),
            })
        });
    }

    /// Whether the engine's side stands so much worse that it should hope for mistakes, until it stands better again.
    fn is_to_rescue(&self, network: &Network, game: &Game) -> bool {
        let (p, position) = (&self.parameters, game.position());
        if p.rescue == 0 || self.plays.is_none() || network.rescued_side() != self.plays {
            return false;
        }
        let value = network.evaluate(position);
        let own = if self.plays == Some(position.side()) {
            value
        } else {
            -value
        };
        own < if self.rescues { p.rescued } else { -p.rescue }
    }
}

/// Searches with all threads until the first one ends.
fn search_threads(
    context: &SearchContext<'_>,
    threads: &mut [ThreadState],
    game: &Game,
    limits: &SearchLimits,
    on_variation: &mut OnVariation<'_>,
) -> SearchReport {
    let (main, helpers) = threads
        .split_first_mut()
        .expect("there is at least one thread");
    thread::scope(|scope| {
        let helpers: Vec<_> = helpers
            .iter_mut()
            .enumerate()
            .map(|(number, thread)| {
                scope.spawn(move || {
                    let searcher = Searcher::new(context, thread, Path::new(game));
                    let unlimited = SearchLimits::default();
                    let mut root = Root::new(searcher, game);
                    root.deepen(&unlimited, 1 + number as u32 % 2, None);
                    root.ballot()
                })
            })
            .collect();
        let searcher = Searcher::new(context, main, Path::new(game));
        let mut root = Root::new(searcher, game);
        root.deepen(limits, 1, Some(on_variation));
        context.stopped.store(true, Relaxed);
        let ballots = helpers.into_iter().filter_map(|helper| helper.join().ok()?);
        if limits.lines <= 1 {
            root.vote(ballots.collect());
        }
        SearchReport {
            lines: root.variations(),
            depth: root.depth,
            nodes: root.searcher.nodes_of_all(),
            ..SearchReport::default()
        }
    })
}

impl KnownRules {
    fn of(game: &Game) -> Self {
        Self {
            rules: game.rules().clone(),
            laws: *game.laws(),
            shape: Shape::new(game.rules()),
        }
    }

    /// Whether a game is played under these rules and laws.
    fn has(&self, game: &Game) -> bool {
        let (rules, laws) = (game.rules(), game.laws());
        self.laws == *laws && (Arc::ptr_eq(&self.rules, rules) || self.rules == *rules)
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
