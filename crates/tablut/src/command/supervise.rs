//! `tablut supervise`: the other role of this program, for `client:CMD`, `engine:CMD` and `check-client`.

use std::{net::SocketAddr, path::PathBuf, process};

use anyhow::{Context, Result};
use clap::Args;
use tablut_guest::supervise::{Confinement, inside};

use crate::Status;

/// Run a program for another process and clean up after it
#[derive(Args)]
pub(crate) struct Arguments {
    /// Shut the program in
    #[arg(long)]
    sandbox: bool,
    /// As the first process of namespaces that exist
    #[arg(long, requires = "sandbox")]
    first: bool,
    /// In a network namespace of its own
    #[arg(long)]
    namespace: bool,
    /// An address to listen on and hand over
    #[arg(long)]
    listen: Vec<SocketAddr>,
    /// The program's input comes over the socket
    #[arg(long)]
    input: bool,
    /// Mebibytes of memory
    #[arg(long)]
    memory: Option<u64>,
    /// How many processes
    #[arg(long)]
    processes: Option<u64>,
    /// Mebibytes to write
    #[arg(long)]
    disk: Option<u64>,
    /// The program may write to its folder
    #[arg(long)]
    writable: bool,
    /// What else it may read
    #[arg(long)]
    read: Vec<PathBuf>,
    /// What it does not see
    #[arg(long)]
    hide: Vec<PathBuf>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    words: Vec<String>,
}

impl Arguments {
    pub(crate) fn run(self) -> Result<Status> {
        let task = inside::InsideTask {
            confinement: Confinement {
                is_trusted: !self.sandbox,
                memory_mb: self.memory,
                processes: self.processes,
                disk_mb: self.disk,
                writable: self.writable,
                read: self.read,
                hidden: self.hide,
            },
            is_first: self.first,
            namespace: self.namespace,
            addresses: self.listen,
            has_input: self.input,
            words: self.words,
        };
        let code = inside::run(&task)
            .context("this is for tablut itself, with a socket as standard input")?;
        process::exit(code.into());
    }
}
