//! `tablut supervise`: the other role of this program, for `client:CMD` and `check-client`.

use std::{net::SocketAddr, process};

use anyhow::{Context, Result};
use clap::Args;
use tablut_arena::supervise::inside;

use crate::Status;

/// Run a program for another process and leave nothing of it behind
#[derive(Args)]
pub(crate) struct Arguments {
    /// In a network namespace of its own
    #[arg(long)]
    namespace: bool,
    /// An address to listen on and hand over
    #[arg(long)]
    listen: Vec<SocketAddr>,
    /// Mebibytes of memory for each process
    #[arg(long)]
    memory: Option<u64>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    words: Vec<String>,
}

impl Arguments {
    pub(crate) fn run(self) -> Result<Status> {
        let task = inside::Task {
            namespace: self.namespace,
            addresses: self.listen,
            memory_mb: self.memory,
            words: self.words,
        };
        let code = inside::run(&task)
            .context("this is for tablut itself, with a socket as standard input")?;
        process::exit(code.into());
    }
}
