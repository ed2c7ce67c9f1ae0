//! `tablut worker`: one of many machines that play the games of a tournament.

use anyhow::Result;
use clap::Args;
use tablut_host::tournament::Contest;

use super::tournament::{Play, StoreFlag};
use crate::{Status, output::counted};

/// Play games of tournaments that are kept in a shared database, on any number of machines
#[derive(Args)]
#[command(after_help = "\
A worker takes the next game that nobody has, plays it and brings the result. When a worker dies, its
games are played by others. Programs named in a tournament file are started on this machine: they have
to be there.

Examples:
  tablut worker --store postgres://tablut@db/tablut
  tablut worker spring-cup --store postgres://tablut@db/tablut --concurrency 2")]
pub(crate) struct Arguments {
    /// Only this tournament, and end with it [default: all, until Ctrl-C]
    #[arg(value_name = "TOURNAMENT")]
    id: Option<String>,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    store: StoreFlag,
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
