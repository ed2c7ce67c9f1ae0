//! `tablut puzzles make`: looks for puzzles in games.
//!
//! It saves as it goes: each puzzle is added to the file at once, and a second file beside it says how
//! many games of each source are done, so that the same command goes on where it was stopped.

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use flate2::read::MultiGzDecoder;
use tablut_arena::opening;
use tablut_challenge::document::{Document, RuleSets, Source};
use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_host::{PlayLine, PuzzleFinding, PuzzleOrder};
use tablut_review::puzzle::{self, Effort, Puzzle, PuzzleGoal};
use tablut_rules::{BuiltIn, Game, Random, Rules};

use super::{check::read_file, crew::Crew};
use crate::{Status, command::tournament::StoreFlag, input, signal};

/// After how many plies a self-played game is given up.
const MOST_PLIES: usize = 200;

/// Look for puzzles in games and add them to a file
#[derive(Args)]
#[command(after_help = "\
Takes records, logs and lists of moves (also compressed with gzip), the games of a store, and games that
the engine plays against itself. From each game at most one win and one save are kept, none that is a
reflection of one that is there. Stop it at any time; the same command goes on where it stopped (FILE.progress).

With --queue each game is a job for workers of that store (tablut worker --jobs puzzles), on any number of
machines. The file becomes the same as without.

Examples:
  tablut puzzles make --to mine.txt games/challenge-won.tablut games/levels.tablut.gz
  nice -n 15 tablut puzzles make --rules modern --to modern.txt --self-play 2000 --goal 100
  tablut puzzles make --to mine.txt --store tablut.db
  tablut puzzles make --to mine.txt --self-play 2000 --queue postgres://tablut@db/tablut")]
pub(super) struct Arguments {
    /// The rule set; games under others are left out
    #[arg(long, short, value_name = "ID", default_value = "ashton")]
    rules: BuiltIn,
    /// The file of puzzles, which is made or added to
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Let the engine play this many games against itself
    #[arg(long, value_name = "N", default_value_t = 0)]
    self_play: u64,
    /// Positions for each move of a self-played game, on average
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// What self-played games depend on
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop when the file has this many wins
    #[arg(long, value_name = "N")]
    goal: Option<usize>,
    /// The longest win, in plies
    #[arg(long, value_name = "N", default_value_t = 9,
          value_parser = clap::value_parser!(u32).range(3..=21))]
    max_plies: u32,
    /// Positions the solver may look at for each question
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    effort: u64,
    /// Take the finished games of this store: a file, or a PostgreSQL URL
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// Let the workers of this store do it: a file, or a PostgreSQL URL
    #[arg(long, value_name = "FILE|URL")]
    queue: Option<String>,
    /// Files with games
    #[arg(value_name = "FILE")]
    games: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let stop = signal::stop("Stopping after this game.")?;
        let mut mine = Mine::open(&self)?;
        let pieces = self.pieces(&mine);
        match &self.queue {
            Some(place) => {
                let crew = Crew::open(place)?;
                let orders = pieces.map(|piece| {
                    let (source, game) = piece?;
                    let order = is_ours(&game, self.rules).then(|| mine_order(&game, &self));
                    Ok((source, order))
                });
                crew.run(orders, &stop, |source, found| {
                    let puzzles = match found {
                        Ok(Some(PuzzleFinding::Mined(puzzles))) => puzzles,
                        Ok(_) => Vec::new(),
                        Err(fault) => {
                            eprintln!("a game of {source} was left out: {fault}");
                            Vec::new()
                        }
                    };
                    let puzzles = puzzles.iter().map(|text| Ok(text.parse()?));
                    mine.add(&source, puzzles.collect::<Result<_>>()?)
                })?;
            }
            None => {
                let effort = Effort {
                    plies: self.max_plies,
                    nodes: self.effort,
                    ..Effort::default()
                };
                for piece in pieces {
                    let (source, game) = piece?;
                    let puzzles = match is_ours(&game, self.rules) {
                        true => puzzle::mine(&game, &effort),
                        false => Vec::new(),
                    };
                    if mine.add(&source, puzzles)? || stop.is_finishing() {
                        break;
                    }
                }
            }
        }
        mine.report(out)
    }

    /// The games that have not been looked at, each with the name of its source.
    fn pieces(&self, mine: &Mine) -> impl Iterator<Item = Result<(String, Game)>> + use<'_> {
        let (rules, done) = (Arc::clone(&mine.rules), mine.done.clone());
        let seen = move |name: &str| done.get(name).copied().unwrap_or(0);
        let name = format!("self-play {} {}", self.seed, self.nodes);
        let first = seen(&name);
        let mut engine = Engine::new(EngineOptions {
            hash_mb: 8,
            threads: 1,
        });
        let own = Arc::clone(&rules);
        let played = (first..self.self_play).map(move |number| {
            let game = self_play(&mut engine, &own, self, number);
            Ok((name.clone(), game))
        });
        let files = self.games.iter().map(|name| (name.as_str(), None));
        let store = self.store.iter().map(|place| ("the store", Some(place)));
        let read = files.chain(store).flat_map(move |(name, place)| {
            let games = match place {
                Some(place) => stored(place, &rules),
                None => games(name, &rules),
            };
            let games = games.unwrap_or_else(|error| vec![Err(error)]);
            let unseen = games.into_iter().skip(seen(name) as usize);
            unseen.map(|game| Ok((name.to_string(), game?)))
        });
        read.chain(played)
    }
}

/// Whether there can be puzzles of a rule set in a game.
fn is_ours(game: &Game, rules: BuiltIn) -> bool {
    game.rules().set().id() == rules.rules().set().id() && game.outcome().is_some()
}

/// The order for a worker to look at a game.
fn mine_order(game: &Game, asked: &Arguments) -> PuzzleOrder {
    PuzzleOrder::Mine {
        line: PlayLine::from(game),
        plies: asked.max_plies,
        nodes: asked.effort,
    }
}

/// The work on one file.
struct Mine {
    rules: Arc<Rules>,
    goal: usize,
    file: File,
    progress: PathBuf,
    /// Games looked at, by source.
    done: BTreeMap<String, u64>,
    /// The shapes of the puzzles there are.
    shapes: HashSet<String>,
    puzzles: Vec<Puzzle>,
}

impl Mine {
    fn open(asked: &Arguments) -> Result<Self> {
        let rules = asked.rules.rules();
        let name = asked.to.display().to_string();
        let puzzles = match asked.to.exists() {
            true => read_file(&name)?,
            false => Vec::new(),
        };
        let mut shapes = HashSet::new();
        for puzzle in &puzzles {
            let game = puzzle.game(&rules);
            let game = game.with_context(|| {
                format!(
                    "puzzle {} of {name} is not one under {}",
                    puzzle.number, asked.rules
                )
            })?;
            shapes.insert(puzzle.shape(&rules, &game));
        }
        let file = OpenOptions::new().append(true).create(true).open(&asked.to);
        let mut progress = asked.to.clone().into_os_string();
        progress.push(".progress");
        let progress = PathBuf::from(progress);
        Ok(Self {
            done: read_progress(&progress)?,
            rules,
            goal: asked.goal.unwrap_or(usize::MAX),
            file: file.with_context(|| format!("cannot write {name}"))?,
            progress,
            shapes,
            puzzles,
        })
    }

    /// Adds what the next game of a source has, unless its like is there; true if that is enough.
    fn add(&mut self, source: &str, found: Vec<Puzzle>) -> Result<bool> {
        for mut puzzle in found {
            let game = puzzle.game(&self.rules)?;
            if !self.shapes.insert(puzzle.shape(&self.rules, &game)) {
                continue;
            }
            let last = self.puzzles.last().map_or(0, |puzzle| puzzle.number);
            puzzle.number = last + 1;
            writeln!(self.file, "{puzzle}").context("cannot add a puzzle")?;
            self.puzzles.push(puzzle);
        }
        *self.done.entry(source.into()).or_default() += 1;
        write_progress(&self.progress, &self.done)?;
        Ok(self.wins() >= self.goal)
    }

    fn wins(&self) -> usize {
        let wins = self.puzzles.iter();
        wins.filter(|puzzle| puzzle.goal == PuzzleGoal::Win).count()
    }

    fn report(&self, out: &mut impl Write) -> Result<Status> {
        let looked: u64 = self.done.values().sum();
        let wins = self.wins();
        let saves = self.puzzles.len() - wins;
        writeln!(out, "{looked} games: {wins} wins, {saves} saves")?;
        Ok(Status::Good)
    }
}

/// How many games of each source are done.
fn read_progress(path: &Path) -> Result<BTreeMap<String, u64>> {
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let entry = |line: &str| {
        let (count, name) = line.split_once(' ')?;
        Some((name.to_string(), count.parse().ok()?))
    };
    let done = text.lines().map(entry).collect::<Option<_>>();
    done.with_context(|| format!("{} is damaged; delete it to begin anew", path.display()))
}

fn write_progress(path: &Path, done: &BTreeMap<String, u64>) -> Result<()> {
    let lines = done.iter().map(|(name, count)| format!("{count} {name}\n"));
    fs::write(path, lines.collect::<String>())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The games of a file.
fn games(name: &str, rules: &Arc<Rules>) -> Result<Vec<Result<Game>>> {
    let text = match name.ends_with(".gz") {
        true => {
            let file = File::open(name).with_context(|| format!("cannot read {name}"))?;
            let mut text = String::new();
            let read = MultiGzDecoder::new(file).read_to_string(&mut text);
            read.with_context(|| format!("cannot read {name}"))?;
            text
        }
        false => input::read(name)?,
    };
    let document = Document::read(&text, rules.set().first());
    let sources = match document.with_context(|| format!("cannot read {name}"))? {
        Document::Games(sources) => sources,
        Document::Position(_) => bail!("{name} holds a position, but games are needed"),
    };
    let sets = RuleSets {
        asked: None,
        usual: Some(rules.clone()),
        find: &|id| id.parse::<BuiltIn>().ok().map(BuiltIn::rules),
    };
    let game = |(number, source): (usize, &Source)| {
        let played = source.play(&sets);
        let played = played.with_context(|| format!("{name}, game {}", number + 1))?;
        Ok(played.game)
    };
    Ok(sources.iter().enumerate().map(game).collect())
}

/// The finished games of a store.
fn stored(place: &str, rules: &Arc<Rules>) -> Result<Vec<Result<Game>>> {
    let (runtime, store) = StoreFlag::named(place).open_existing()?;
    runtime.block_on(async {
        let mut games = Vec::new();
        for finished in store.finished_games().await? {
            if finished.rules != rules.set().id() {
                continue;
            }
            let record = store.record(&store.game(&finished.game).await?).await?;
            let source = Source::Record(Box::new(record));
            let sets = RuleSets {
                asked: Some(rules.clone()),
                usual: None,
                find: &|_| None,
            };
            games.push(
                source
                    .play(&sets)
                    .map(|played| played.game)
                    .map_err(Into::into),
            );
        }
        Ok(games)
    })
}

/// A game of the engine against itself after a random opening, with moves that differ in depth, so
/// that there is something to find.
fn self_play(engine: &mut Engine, rules: &Arc<Rules>, asked: &Arguments, number: u64) -> Game {
    let mut random = Random::part(asked.seed, number);
    let plies = 2 + random.below(7);
    let opening = opening::random(rules, plies, 1, random.next());
    let mut game = match opening.first().map(|opening| opening.game(rules)) {
        Some(Ok(game)) => game,
        _ => Game::new(rules.clone()),
    };
    engine.clear();
    while game.outcome().is_none() && game.plies().len() < MOST_PLIES {
        let nodes = (asked.nodes as f64 * (0.25 + 1.5 * random.fraction())) as u64;
        let limits = SearchLimits::nodes(nodes.max(1));
        let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
        if report.best.is_none_or(|step| game.play(step).is_err()) {
            break;
        }
    }
    game
}
