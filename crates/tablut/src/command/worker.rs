//! `tablut worker`: one of many machines that play the games of tournaments and think for visitors.

use std::{num::NonZeroUsize, path::PathBuf, thread::available_parallelism};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use tablut_arena::Stop;
use tablut_host::{Limits, Worker, tournament::Contest};
use tablut_store::{JobKind, Store};
use tokio::{runtime::Runtime, task::JoinHandle};

use super::{
    serve::process_name,
    tournament::{Play, StoreFlag},
};
use crate::{Status, log::LogFlags, output::counted, signal};

/// Play the games of tournaments in a shared database and think for visitors, on any number of machines
#[derive(Args)]
#[command(after_help = "\
A worker claims the next free game, plays it and stores the result. When a worker dies, others play its
games. Programs named in a tournament file are started on this machine, so they have to be installed
here.

With --jobs games,analysis it thinks for the visitors of servers that were started with --engines queue or
--engines none: moves and hints, lines, proofs, reviews. With --jobs puzzles it looks for puzzles and proves
them, for `tablut puzzles make --queue` and `check --queue`. When a worker dies, another begins its work anew.

Examples:
  tablut worker --store postgres://tablut@db/tablut
  tablut worker spring-cup --store postgres://tablut@db/tablut --concurrency 2
  tablut worker --jobs games,analysis --cores 4 --nice 10 --store postgres://tablut@db/tablut")]
pub(crate) struct Arguments {
    /// Play only this tournament, and exit when it is over [default: all, until Ctrl-C]
    #[arg(value_name = "TOURNAMENT")]
    id: Option<String>,
    /// What to do, with commas between
    #[arg(
        long,
        value_name = "KINDS",
        value_delimiter = ',',
        default_value = "tournaments"
    )]
    jobs: Vec<Work>,
    /// How many engines may think at once, but for tournaments [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    cores: Option<NonZeroUsize>,
    /// Let other programs of this machine go first: 1 a little, 19 always
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=19))]
    nice: Option<u8>,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    store: StoreFlag,
    #[command(flatten)]
    log: LogFlags,
    /// A file with flags, as `concurrency = 2`; each is also an environment variable, as TABLUT_CONCURRENCY
    #[arg(long = "config", id = "config", value_name = "FILE")]
    _config: Option<PathBuf>,
}

/// What a worker does.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Work {
    /// Moves and hints for visitors
    Games,
    /// Lines, proofs, reviews and retries for visitors
    Analysis,
    /// Puzzles that `tablut puzzles make` and `check` order with --queue
    Puzzles,
    /// Games of tournaments
    Tournaments,
}

impl Work {
    const fn kind(self) -> Option<JobKind> {
        match self {
            Self::Games => Some(JobKind::Games),
            Self::Analysis => Some(JobKind::Analysis),
            Self::Puzzles => Some(JobKind::Puzzles),
            Self::Tournaments => None,
        }
    }
}

impl Arguments {
    pub(crate) fn run(self) -> Result<Status> {
        self.log.start();
        let plays = self.jobs.contains(&Work::Tournaments);
        if let Some(id) = &self.id
            && !plays
        {
            bail!("{id} is a tournament, but --jobs does not name tournaments");
        }
        if let Some(nice) = self.nice {
            make_room(nice)?;
        }
        let (runtime, store) = self.store.open_existing()?;
        match plays {
            true => self.play_tournaments(&runtime, &store)?,
            false => {
                let stop = signal::stop("giving back what is under way")?;
                if let Some(serving) = self.serve_jobs(&runtime, &store, stop) {
                    runtime.block_on(serving)?;
                }
            }
        }
        runtime.block_on(store.close());
        Ok(Status::Good)
    }

    /// Plays games of tournaments, and does jobs beside that.
    fn play_tournaments(&self, runtime: &Runtime, store: &Store) -> Result<()> {
        let contest = match &self.id {
            Some(id) => Some(runtime.block_on(Contest::load(store, id))?),
            None => None,
        };
        let runner = self
            .play
            .runner(store.clone(), &self.store.place()?, contest.as_ref())?;
        eprintln!(
            "worker {}: {} at a time; Ctrl-C stops",
            runner.worker,
            counted(runner.slots.count(), "game", "games")
        );
        let stop = runner.options.stop.clone();
        let serving = self.serve_jobs(runtime, store, stop.clone());
        let played = self.play.play(&runner, runtime, 0, 0);
        if let Some(serving) = serving {
            stop.finish();
            runtime.block_on(serving)?;
        }
        played
    }

    /// Begins to do jobs until it is told to stop; nothing if there are none to do.
    fn serve_jobs(&self, runtime: &Runtime, store: &Store, stop: Stop) -> Option<JoinHandle<()>> {
        let mut kinds: Vec<JobKind> = Vec::new();
        for kind in self.jobs.iter().filter_map(|work| work.kind()) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() {
            return None;
        }
        let cores = self.cores.or_else(|| available_parallelism().ok());
        let cores = cores.map_or(1, NonZeroUsize::get);
        let name = process_name();
        let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
        eprintln!(
            "worker {name}: {} for {}; Ctrl-C stops",
            counted(cores, "engine", "engines"),
            words.join(", ")
        );
        let hash_mb = Limits::default().engine_hash_mb;
        let worker = Worker::new(store.clone(), kinds, cores, hash_mb, name);
        Some(runtime.spawn(async move {
            worker.run(signal::finishing(&stop)).await;
        }))
    }
}

/// Lets other programs go first.
#[cfg(unix)]
fn make_room(nice: u8) -> Result<()> {
    use anyhow::Context as _;

    let made = rustix::process::nice(i32::from(nice));
    made.map(drop).context("--nice is not possible here")
}

#[cfg(not(unix))]
fn make_room(_nice: u8) -> Result<()> {
    bail!("--nice is not possible on this system")
}
