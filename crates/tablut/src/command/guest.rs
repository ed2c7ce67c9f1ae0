//! Flags of the commands that start clients of the Tablut Challenge.

use std::{env, num::NonZeroUsize, path::PathBuf, process};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tablut_arena::{MoverOptions, supervise::Isolation};

/// How clients are kept apart, and where their output goes.
#[derive(Args)]
pub(crate) struct Flags {
    /// How games of client:CMD are kept apart: they know only their fixed ports
    #[arg(long, value_enum, default_value_t = Isolate::Auto)]
    isolate: Isolate,
    /// The folder for what clients print [default: one in the folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    client_output: Option<PathBuf>,
}

/// How clients are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Isolate {
    /// The best of the others that this system allows
    Auto,
    /// A network namespace for each client
    Namespace,
    /// A loopback address for each client
    Address,
    /// Not at all: one game at a time
    None,
}

impl Flags {
    /// The options with what clients need, and how many games can be played at once.
    pub(crate) fn prepare(
        &self,
        mut options: MoverOptions,
        concurrency: &mut NonZeroUsize,
    ) -> Result<MoverOptions> {
        let program = env::current_exe().context("cannot find this program")?;
        let best = || Isolation::best(&program);
        options.isolation = match self.isolate {
            Isolate::Auto => best(),
            Isolate::Namespace if best() == Isolation::Namespace => Isolation::Namespace,
            Isolate::Namespace => {
                bail!("this system does not allow network namespaces here: try --isolate address")
            }
            Isolate::Address => Isolation::Address,
            Isolate::None => Isolation::Shared,
        };
        if options.isolation == Isolation::Shared {
            *concurrency = NonZeroUsize::MIN;
        }
        let folder = self
            .client_output
            .clone()
            .unwrap_or_else(|| env::temp_dir().join(format!("tablut-clients-{}", process::id())));
        eprintln!(
            "{}; their output is in {}",
            options.isolation,
            folder.display()
        );
        options.output = Some(folder);
        options.supervisor = Some(program);
        Ok(options)
    }
}

/// What programs of tournaments need that are started without anybody at a terminal.
pub(crate) fn unattended() -> MoverOptions {
    let program = env::current_exe().ok();
    MoverOptions {
        output: Some(env::temp_dir().join(format!("tablut-clients-{}", process::id()))),
        supervisor: program,
        ..MoverOptions::default()
    }
}
