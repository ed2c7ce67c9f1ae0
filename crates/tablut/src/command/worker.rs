//! `tablut worker`: one of many machines that play the games of a tournament.

use anyhow::Result;
use clap::Args;
use tablut_host::tournament::Contest;

use super::tournament::{Play, StoreFlag};
use crate::{Status, output::counted};

/// Play the games of tournaments in a shared database, on any number of machines
#[derive(Args)]
#[command(after_help = "\
A worker claims the next free game, plays it and stores the result. When a worker dies, others play its
games. Programs named in a tournament file are started on this machine, so they have to be installed
here.

Examples:
  tablut worker --store postgres://tablut@db/tablut
  tablut worker spring-cup --store postgres://tablut@db/tablut --concurrency 2")]
pub(crate) struct Arguments {
    /// Play only this tournament, and exit when it is over [default: all, until Ctrl-C]
    #[arg(value_name = "TOURNAMENT")]
    id: Option<String>,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    store: StoreFlag,
    /// A file with flags, as `concurrency = 2`; each is also an environment variable, as TABLUT_CONCURRENCY
    #[arg(long = "config", id = "config", value_name = "FILE")]
    _config: Option<std::path::PathBuf>,
}

impl Arguments {
    pub(crate) fn run(self) -> Result<Status> {
        let (runtime, store) = self.store.open_existing()?;
        let contest = match &self.id {
            Some(id) => Some(runtime.block_on(Contest::load(&store, id))?),
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
        self.play.play(&runner, &runtime, 0, 0)?;
        runtime.block_on(store.close());
        Ok(Status::Good)
    }
}
