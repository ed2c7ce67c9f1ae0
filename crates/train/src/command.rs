//! The commands: what they are told, and what they print.

use std::{
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use tablut_arena::{
    Opening, Player, Stop, Tuning, TuningLimit, opening,
    series::{Entrant, PlayedGame, Series},
};
use tablut_engine::{Evaluation, Network};
use tablut_guest::{MoverOptions, mover};
use tablut_rules::{BuiltIn, Rules, Side};
use tablut_train::{
    archive,
    book::{self, BookPlan},
    cycle::{BALANCE, BALANCING_PLIES, Cycle, PlayTerms, header, read_network},
    fit::{Course, fit, loss_of},
    inspect::inspect,
    play::{SelfPlayPlan, play},
    sample::SampleSet,
    spsa::{Number, Spsa},
};

fn rules(id: &str) -> Result<Arc<Rules>> {
    Ok(id.parse::<BuiltIn>()?.rules())
}

/// Ends work at the next good moment after Ctrl-C.
fn stop() -> Result<Stop> {
    let stop = Stop::default();
    let wish = stop.clone();
    ctrlc::set_handler(move || wish.finish()).context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn read_openings(path: Option<&Path>, rules: &Arc<Rules>) -> Result<Vec<Opening>> {
    let Some(path) = path else {
        return Ok(Vec::new());
    };
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let openings = opening::read(&text, rules)?;
    ensure!(!openings.is_empty(), "{} has no opening", path.display());
    Ok(openings)
}

/// What is named by a word or a file.
fn evaluation_of(name: &str) -> Result<Evaluation> {
    Ok(match name {
        "built-in" => Evaluation::BuiltIn,
        "hand" => Evaluation::Hand,
        file => Evaluation::Network(Arc::new(read_network(Path::new(file))?)),
    })
}

/// Play games to learn from
///
/// The file goes on where it stopped. Other machines make other pieces of the same games with another
/// `--piece`, and all files can be learnt from together.
#[derive(Args)]
pub(crate) struct Play {
    /// The file of games
    file: PathBuf,
    /// The rule set
    #[arg(long, short, default_value = "ashton")]
    rules: String,
    /// What evaluates: `built-in`, `hand` or the file of a network
    #[arg(long, default_value = "built-in")]
    eval: String,
    /// Play against another evaluation, named in the same way, instead of against itself
    #[arg(long, value_name = "EVAL")]
    against: Option<String>,
    /// Have always this side against it, `white` or `black`, instead of both in turn
    #[arg(long, requires = "against")]
    side: Option<Side>,
    /// How many games the file has in the end
    #[arg(long, short = 'n', default_value_t = 5_000)]
    games: usize,
    /// Positions for a move, on average
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Begin every other pair of games with one of these openings
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Begin every game with one of the openings, whoever it favours
    #[arg(long, requires = "openings")]
    any: bool,
    /// Play openings that favour the wrong side on for at most this many plies; 0 draws others instead
    #[arg(long, value_name = "N", default_value_t = BALANCING_PLIES)]
    play_on: u8,
    /// What chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the piece
    #[arg(long, default_value_t = 1)]
    piece: u32,
    /// How many games at once [default: all cores]
    #[arg(long, short = 'c')]
    concurrency: Option<usize>,
}

impl Play {
    pub(crate) fn run(self) -> Result<()> {
        let rules = rules(&self.rules)?;
        let evaluation = evaluation_of(&self.eval)?;
        let opponent = self.against.as_deref().map(evaluation_of).transpose()?;
        ensure!(self.nodes > 0, "a search needs at least one position");
        let openings = read_openings(self.openings.as_deref(), &rules)?;
        let terms = PlayTerms {
            nodes: self.nodes,
            balance: if self.any { 0 } else { BALANCE },
            balancing_plies: self.play_on,
            side: self.side,
            seed: self.seed,
            piece: self.piece,
        };
        let plan = SelfPlayPlan {
            header: header(&rules, &evaluation, opponent.as_ref(), &terms, &openings),
            rules,
            evaluation,
            opponent,
            openings,
            games: self.games,
            threads: self.concurrency.unwrap_or_else(cores),
        };
        play(&plan, &self.file, &stop()?, &mut |figures| {
            eprintln!("{figures}")
        })?;
        Ok(())
    }
}

#[derive(Args, Clone)]
struct CourseArguments {
    /// How often each position is learnt [default: 40, or 5 for a network that learns on]
    #[arg(long)]
    passes: Option<usize>,
    /// How much the game's result counts beside the search's score, from 0 to 1
    #[arg(long, default_value_t = Course::default().result)]
    result: f32,
    /// The same for games that were drawn
    #[arg(long, default_value_t = Course::default().drawn)]
    drawn: f32,
    /// What is left of a result for each ply until the end of the game, from 0 to 1
    #[arg(long, default_value_t = Course::default().fading)]
    fading: f32,
    /// Learn the same for every region that the king may stand in
    #[arg(long)]
    one_region: bool,
    /// The length of the first steps [default: 0.002, or 0.001 for a network that learns on]
    #[arg(long)]
    rate: Option<f32>,
    /// What chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl CourseArguments {
    fn course(&self) -> Result<Course> {
        let shares = [
            ("result", self.result),
            ("drawn", self.drawn),
            ("fading", self.fading),
        ];
        for (name, share) in shares {
            ensure!(
                (0.0..=1.0).contains(&share),
                "--{name} is a share from 0 to 1"
            );
        }
        Ok(Course {
            passes: self.passes.map(|passes| passes.max(1)),
            result: self.result,
            drawn: self.drawn,
            fading: self.fading,
            is_one_region: self.one_region,
            rate: self.rate,
            seed: self.seed,
            threads: cores(),
            ..Course::default()
        })
    }
}

/// Learn a network from files of games
#[derive(Args)]
pub(crate) struct Fit {
    /// Files made by `tablut-train play`, all under the same rule set
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the network
    #[arg(long, short)]
    out: PathBuf,
    /// Learn on from this network instead of from random numbers
    #[arg(long, value_name = "NETWORK")]
    from: Option<PathBuf>,
    /// Learn only the heads by which this side, `white` or `black`, plays when it stands worse, and add them to the
    /// network: from games against a weaker opponent, of which the result alone counts
    #[arg(long, value_name = "SIDE", requires = "from")]
    rescue: Option<Side>,
    #[command(flatten)]
    course: CourseArguments,
}

impl Fit {
    pub(crate) fn run(self) -> Result<()> {
        let mut course = self.course.course()?;
        if self.rescue.is_some() {
            course = course.for_rescue();
        }
        let samples = SampleSet::read(&self.files)?;
        if samples.learn.len() < 1000 || samples.test.is_empty() {
            bail!(
                "{} games with {} quiet positions are too few: a thousand positions is the least",
                samples.games,
                samples.learn.len()
            );
        }
        eprintln!(
            "{} games, {} positions to learn from, {} held out",
            samples.games,
            samples.learn.len(),
            samples.test.len()
        );
        let from = self.from.as_deref().map(read_network).transpose()?;
        let stop = stop()?;
        let network = fit(&samples, &course, from.as_ref(), &mut |progress| {
            eprintln!("{progress}");
            !stop.is_finishing()
        });
        let written = match (self.rescue, &from) {
            (Some(side), Some(from)) => from.clone().with_rescue(side, &network),
            _ => Some(network.clone()),
        };
        let written =
            written.context("the hidden layer has changed; this is a mistake of the program")?;
        fs::write(&self.out, written.write())
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        println!(
            "{}: loss in integers {:.5}",
            self.out.display(),
            loss_of(&network, &samples, &course)
        );
        Ok(())
    }
}

/// Show what a network has learnt: what men are worth on each square
#[derive(Args)]
pub(crate) struct Inspect {
    /// The file of a network, or the id of a rule set for the one that ships
    network: String,
}

impl Inspect {
    pub(crate) fn run(self) -> Result<()> {
        let shipped = self.network.parse::<BuiltIn>().ok();
        let network = match shipped.map(BuiltIn::rules) {
            Some(rules) => Network::built_in(&rules)
                .with_context(|| format!("no network ships for {}", self.network))?,
            None => Arc::new(read_network(Path::new(&self.network))?),
        };
        print!("{}", inspect(&network)?);
        Ok(())
    }
}

/// Play, learn and judge by matches, generation after generation
///
/// Goes on where it stopped. The best network and the lineage stand in the folder.
#[derive(Args)]
pub(crate) struct CycleArguments {
    /// The rule set
    #[arg(long, short, default_value = "ashton")]
    rules: String,
    /// How many hours to work at most
    #[arg(long, default_value_t = 8.0)]
    hours: f64,
    /// Where everything is kept [default: training/ID]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// A network to begin with, such as that of a similar rule set [default: the hand-written evaluation]
    #[arg(long, value_name = "NETWORK")]
    from: Option<PathBuf>,
    /// Games for each generation
    #[arg(long, short = 'n', default_value_t = 8_000)]
    games: usize,
    /// Positions for a move in them
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// How many generations of games to learn from
    #[arg(long, default_value_t = 4)]
    window: usize,
    /// What both networks may spend on a move when they are judged
    #[arg(long, default_value = "nodes:6000")]
    limit: Player,
    /// The most games of a match
    #[arg(long, default_value_t = 800)]
    match_games: usize,
    /// Openings for the matches and every other game [default: openings/ID.txt if there is one]
    #[arg(long)]
    openings: Option<PathBuf>,
    /// End after this many generations in a row that gain less than 10 Elo
    #[arg(long, default_value_t = 3)]
    patience: usize,
    /// How many games at once [default: all cores]
    #[arg(long, short = 'c')]
    concurrency: Option<usize>,
    #[command(flatten)]
    course: CourseArguments,
}

impl CycleArguments {
    pub(crate) fn run(self) -> Result<()> {
        let rules = rules(&self.rules)?;
        let usual = PathBuf::from(format!("openings/{}.txt", self.rules));
        let openings = self.openings.or_else(|| usual.exists().then_some(usual));
        let mut openings = read_openings(openings.as_deref(), &rules)?;
        if openings.is_empty() {
            openings = opening::random(&rules, 6, 400, self.course.seed);
        }
        let limit = match self.limit {
            Player::Time(ms) => TuningLimit::Time(ms),
            Player::Nodes(nodes) => TuningLimit::Nodes(nodes),
            other => bail!("{other} is no limit: name time:SECONDS or nodes:N"),
        };
        let threads = self.concurrency.unwrap_or_else(cores);
        let cycle = Cycle {
            folder: self
                .folder
                .unwrap_or_else(|| Path::new("training").join(&self.rules)),
            from: self.from,
            rules,
            time: Duration::try_from_secs_f64(self.hours * 3600.0)
                .context("--hours is a number above 0")?,
            games: self.games,
            nodes: self.nodes.max(1),
            window: self.window.max(1),
            course: self.course.course()?,
            limit,
            pairs: self.match_games.div_ceil(2).max(1),
            openings,
            threads,
            patience: self.patience.max(1),
        };
        cycle.run(&stop()?, &mut |line| eprintln!("{line}"))?;
        if let Some(best) = cycle.best()? {
            println!("{}", best.display());
        }
        Ok(())
    }
}

/// Search openings for long and keep what was found
///
/// Goes on where it stopped. A book is made anew when the network or the search has become better.
#[derive(Args)]
pub(crate) struct BookArguments {
    /// The file of the book
    file: PathBuf,
    /// The rule set
    #[arg(long, short, default_value = "ashton")]
    rules: String,
    /// Nodes for each position
    #[arg(long, default_value_t = 20_000_000)]
    nodes: u64,
    /// How many positions the book has in the end
    #[arg(long, short = 'n', default_value_t = 2_000)]
    positions: usize,
    /// Memory for each search's table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: usize,
    /// How many positions to search at once [default: all cores]
    #[arg(long, short = 'c')]
    concurrency: Option<usize>,
}

impl BookArguments {
    pub(crate) fn run(self) -> Result<()> {
        let plan = BookPlan {
            rules: rules(&self.rules)?,
            nodes: self.nodes.max(1),
            positions: self.positions,
            threads: self.concurrency.unwrap_or_else(cores),
            hash_mb: self.hash.max(1),
        };
        book::make(&plan, &self.file, &stop()?, &|line| eprintln!("{line}"))
    }
}

/// Adjust numbers of the search by playing pairs of games
#[derive(Args)]
pub(crate) struct SpsaArguments {
    /// Numbers with the distance the players keep from them, as in reverse_margin=60~12
    #[arg(required = true, value_name = "NAME=VALUE~REACH")]
    numbers: Vec<Number>,
    /// Positions for a move
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Pairs of games
    #[arg(long, default_value_t = 1_000)]
    steps: u32,
    /// The rule set
    #[arg(long, short, default_value = "ashton")]
    rules: String,
    /// Start from the openings in this file
    #[arg(long)]
    openings: PathBuf,
    /// What chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Pairs of games at once [default: all cores]
    #[arg(long, short = 'c')]
    concurrency: Option<usize>,
}

impl SpsaArguments {
    pub(crate) fn run(self) -> Result<()> {
        let rules = rules(&self.rules)?;
        let openings = read_openings(Some(&self.openings), &rules)?;
        let mut spsa = Spsa::new(self.numbers, self.steps, self.seed);
        let options = MoverOptions {
            uses_book: false,
            ..MoverOptions::default()
        };
        let stop = stop()?;
        let pairs = self.concurrency.unwrap_or_else(cores).max(1);
        let mut step = 0;
        while let Some(trial) = spsa.propose() {
            let entrant = |changes: &Vec<(String, i32)>| {
                let player = Player::Tuned(Tuning {
                    limit: TuningLimit::Nodes(self.nodes.max(1)),
                    evaluation: None,
                    changes: changes.clone(),
                });
                let budget = player.budget(None);
                Entrant { player, budget }
            };
            let some = (0..pairs).map(|n| openings[(step + n) % openings.len()].clone());
            let series = Series {
                rules: Arc::clone(&rules),
                entrants: [entrant(&trial.players[0]), entrant(&trial.players[1])],
                openings: some.collect(),
                pairs,
                concurrency: NonZeroUsize::new(pairs).unwrap_or(NonZeroUsize::MIN),
                seed: step as u64,
                max_plies: Some(200),
                grace_ms: options.grace_ms,
                sprt: None,
                is_live: false,
            };
            let report = series.run(&|player| mover(player, &options), &stop, &mut |_| {})?;
            let halves = |game: &PlayedGame| f64::from(game.points.halves());
            let points = report.games.iter().map(halves).sum::<f64>() / 2.0;
            spsa.learn(&trial, points - pairs as f64);
            step += pairs;
            if step % (20 * pairs) == 0 || stop.is_finishing() {
                let texts: Vec<String> = spsa.numbers.iter().map(ToString::to_string).collect();
                println!("{step} pairs: {}", texts.join(" "));
            }
            if stop.is_finishing() {
                break;
            }
        }
        Ok(())
    }
}

/// Pack games for the explorer: self-played ones, or games of other programs
///
/// Self-played games come from files of `play`, the last named first, without those that were played
/// before; files that end in `.jsonl` or `.jsonl.gz` hold a game a line (`white`, `black`, `moves`,
/// `result`, `reason`).
#[derive(Args)]
pub(crate) struct ArchiveArguments {
    /// The archive to write
    out: PathBuf,
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The rule set
    #[arg(long, short, default_value = "ashton")]
    rules: String,
    /// How many games at most
    #[arg(long, short = 'n', default_value_t = 20_000)]
    games: usize,
}

impl ArchiveArguments {
    pub(crate) fn run(self) -> Result<()> {
        let rules = rules(&self.rules)?;
        let games = archive::collect(&rules, &self.files, self.games)?;
        let bytes = tablut_archive::pack(&rules, &games)?;
        fs::write(&self.out, &bytes)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        let moves: usize = games.iter().map(|game| game.moves.len()).sum();
        println!(
            "{} games, {moves} moves, {} bytes",
            games.len(),
            bytes.len()
        );
        Ok(())
    }
}
