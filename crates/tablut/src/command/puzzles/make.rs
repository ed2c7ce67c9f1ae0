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
use tablut_arena::{Stop, opening};
use tablut_challenge::document::{Document, RuleSets, Source};
use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_review::puzzle::{self, Effort, Puzzle, PuzzleGoal};
use tablut_rules::{BuiltIn, Game, Random, Rules, Side};

use super::check::read_file;
use crate::{Status, command::tournament::StoreFlag, input, signal};

/// The most positions the engine looks at to find out how hard a puzzle is.
const DIFFICULTY_NODES: u64 = 100_000;

/// After how many plies a self-played game is given up.
const MOST_PLIES: usize = 200;

/// Look for puzzles in games and add them to a file
#[derive(Args)]
#[command(after_help = "\
Takes records, logs and lists of moves (also compressed with gzip), the games of a store, and games that
the engine plays against itself. From each game at most one win and one save are kept, none that is a
reflection of one that is there. Stop it at any time; the same command goes on where it stopped (FILE.progress).

Examples:
  tablut puzzles make --to mine.txt games/challenge-won.tablut games/levels.tablut.gz
  nice -n 15 tablut puzzles make --rules modern --to modern.txt --self-play 2000 --goal 100
  tablut puzzles make --to mine.txt --store tablut.db")]
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
    /// Files with games
    #[arg(value_name = "FILE")]
    games: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let stop = signal::stop("Stopping after this game.")?;
        let mut mine = Mine::open(&self, stop)?;
        for name in &self.games {
            for game in mine.unseen(name, games(name, &mine.rules)?) {
                if mine.look(name, &game?)? {
                    return mine.report(out);
                }
            }
        }
        if let Some(place) = &self.store {
            let name = "the store";
            for game in mine.unseen(name, stored(place, &mine.rules)?) {
                if mine.look(name, &game?)? {
                    return mine.report(out);
                }
            }
        }
        let name = format!("self-play {} {}", self.seed, self.nodes);
        let first = mine.done.get(&name).copied().unwrap_or(0);
        for number in first..self.self_play {
            let game = self_play(&mut mine.engine, &mine.rules, &self, number);
            if mine.look(&name, &game)? {
                break;
            }
        }
        mine.report(out)
    }
}

/// The work on one file.
struct Mine {
    rules: Arc<Rules>,
    stop: Stop,
    engine: Engine,
    effort: Effort,
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
    fn open(asked: &Arguments, stop: Stop) -> Result<Self> {
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
            stop,
            engine: Engine::new(EngineOptions {
                hash_mb: 8,
                threads: 1,
            }),
            effort: Effort {
                plies: asked.max_plies,
                nodes: asked.effort,
            },
            goal: asked.goal.unwrap_or(usize::MAX),
            file: file.with_context(|| format!("cannot write {name}"))?,
            progress,
            shapes,
            puzzles,
        })
    }

    /// The games of a source that have not been looked at.
    fn unseen(
        &self,
        name: &str,
        games: Vec<Result<Game>>,
    ) -> impl Iterator<Item = Result<Game>> + use<> {
        let done = self.done.get(name).copied().unwrap_or(0);
        games.into_iter().skip(done as usize)
    }

    /// Looks for puzzles in a game; true if there is nothing more to do.
    fn look(&mut self, source: &str, game: &Game) -> Result<bool> {
        let is_ours = game.rules().set().id() == self.rules.set().id();
        if is_ours && let Some(outcome) = game.outcome() {
            let mut game = game.clone();
            match outcome.winner {
                Some(winner) => self.look_at_win(&mut game, winner)?,
                // Who drew by repetition may have had nothing else.
                None => {
                    game.undo();
                    self.look_for_save(&game)?;
                }
            }
        }
        *self.done.entry(source.into()).or_default() += 1;
        write_progress(&self.progress, &self.done)?;
        Ok(self.stop.is_finishing() || self.wins() >= self.goal)
    }

    /// Looks for puzzles in a game that a side won: back from the end, as far as the win is proved.
    fn look_at_win(&mut self, game: &mut Game, winner: Side) -> Result<()> {
        // For each length the win that came first: it has most pieces to look at.
        let mut won = BTreeMap::new();
        while game.undo() {
            if game.position().side() != winner {
                continue;
            }
            match puzzle::distance(game, self.effort) {
                Some(plies) => won.insert(plies, game.clone()),
                None => break,
            };
        }
        // The longest wins first: the others are parts of them most often.
        for (&plies, game) in won.iter().rev() {
            if let Some(found) = puzzle::find_win(game, plies, self.effort) {
                self.keep(found, game)?;
                break;
            }
        }
        // Where the loser had the last chance.
        for _ in 0..2 {
            if game.position().side() != winner {
                self.look_for_save(game)?;
                break;
            }
            if !game.undo() {
                break;
            }
        }
        Ok(())
    }

    fn look_for_save(&mut self, game: &Game) -> Result<()> {
        let effort = Effort {
            nodes: self.effort.nodes / 4,
            ..self.effort
        };
        match puzzle::find_save(game, effort) {
            Some(found) => self.keep(found, game),
            None => Ok(()),
        }
    }

    fn wins(&self) -> usize {
        let wins = self.puzzles.iter();
        wins.filter(|puzzle| puzzle.goal == PuzzleGoal::Win).count()
    }

    /// Adds a puzzle, unless its like is there.
    fn keep(&mut self, mut found: Puzzle, game: &Game) -> Result<()> {
        if !self.shapes.insert(found.shape(&self.rules, game)) {
            return Ok(());
        }
        let last = self.puzzles.last().map_or(0, |puzzle| puzzle.number);
        found.number = last + 1;
        found.nodes = puzzle::difficulty(&mut self.engine, game, &found, DIFFICULTY_NODES);
        writeln!(self.file, "{found}").context("cannot add a puzzle")?;
        self.puzzles.push(found);
        Ok(())
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
