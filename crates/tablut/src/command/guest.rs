//! Flags of the commands that start programs of others.

use std::{env, num::NonZeroUsize, path::PathBuf, process, thread};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tablut_guest::{
    MoverOptions,
    supervise::{Confinement, Isolation, Supervised},
};
use tablut_store::Location;

/// Under which help lists the flags of all commands that start programs.
const HEADING: &str = "Programs started by tablut";

/// What started programs may see and use.
#[derive(Args, Default)]
pub(crate) struct Programs {
    /// Start programs without a sandbox: they can see and do whatever you can
    #[arg(long, help_heading = HEADING)]
    trust_programs: bool,
    /// Mebibytes of memory for a program and all it starts [default: 2048]
    #[arg(long, help_heading = HEADING, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    memory: Option<u64>,
    /// Processes and threads of a program [default: 512]
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    processes: Option<u64>,
    /// Mebibytes for its temporary files, and for each file it writes [default: 256]
    #[arg(long, help_heading = HEADING, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    disk: Option<u64>,
    /// Let programs write to their own folder
    #[arg(long, help_heading = HEADING)]
    writable: bool,
    /// Let programs read this file or folder too; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "PATH")]
    allow_read: Vec<PathBuf>,
}

impl Programs {
    /// What programs may see and use; never the store, wherever it is.
    fn confinement(&self, store: Option<&Location>) -> Confinement {
        let file = match store {
            Some(Location::File(file)) => Some(file.clone()),
            _ => None,
        };
        Confinement {
            is_trusted: self.trust_programs,
            memory_mb: self.memory,
            processes: self.processes,
            disk_mb: self.disk,
            writable: self.writable,
            read: self.allow_read.clone(),
            hidden: file.into_iter().collect(),
        }
    }

    /// The options for programs started with nobody at a terminal.
    pub(crate) fn unattended(&self, store: &Location) -> MoverOptions {
        MoverOptions {
            output: Some(temporary()),
            supervisor: env::current_exe().ok(),
            confinement: self.confinement(Some(store)),
            ..MoverOptions::default()
        }
    }

    /// Checks in the background whether programs can be started as configured, and warns if not.
    pub(crate) fn warn(&self) {
        let programs = Self {
            trust_programs: self.trust_programs,
            ..Self::default()
        };
        thread::spawn(move || {
            if let Err(error) = programs.check() {
                eprintln!("tablut: no tournament with programs can be started: {error:#}");
            }
        });
    }

    /// Whether programs can be started as configured.
    ///
    /// # Errors
    /// Says why not, and what to do.
    pub(crate) fn check(&self) -> Result<()> {
        let program = env::current_exe().context("cannot find this program")?;
        if self.trust_programs {
            return Ok(());
        }
        match Supervised::try_sandbox(&program) {
            Err(error) => bail!(
                "this system cannot run programs in a sandbox: {error}; see `tablut doctor`. If you \
                 trust them with everything you can see and do, add --trust-programs"
            ),
            Ok(()) => Ok(()),
        }
    }
}

/// How programs are kept apart, and where their output goes.
#[derive(Args)]
pub(crate) struct Flags {
    /// How to keep games of client:CMD apart when programs are trusted, since clients use fixed ports
    #[arg(long, value_enum, default_value_t = Isolate::Auto)]
    isolate: Isolate,
    /// Keep what programs print in this folder [default: not kept]
    #[arg(long, value_name = "FOLDER")]
    client_output: Option<PathBuf>,
    #[command(flatten)]
    programs: Programs,
}

/// How quickly clients get states.
#[derive(Args)]
pub(crate) struct Pace {
    /// Shortest time between two states for the same client, in milliseconds; it counts on neither clock.
    /// 0 is quicker, and enough for clients that read exactly as many bytes as a frame announces
    #[arg(long, value_name = "MS", default_value_t = MoverOptions::PACE_MS,
          value_parser = clap::value_parser!(u64).range(..=60_000))]
    pub(crate) pace: u64,
}

/// How clients are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Isolate {
    /// The best method that this system allows
    Auto,
    /// A network namespace for each client
    Namespace,
    /// A loopback address for each client
    Address,
    /// Not at all: one game at a time
    None,
}

impl Flags {
    /// The options for programs that may be needed later: nothing is printed, and a program that
    /// cannot run in a sandbox is not started.
    pub(crate) fn provide(&self, options: MoverOptions, store: &Location) -> MoverOptions {
        let MoverOptions {
            output,
            supervisor,
            confinement,
            ..
        } = self.programs.unattended(store);
        let isolation = supervisor.as_deref();
        let isolation = isolation.map(|program| confinement.isolation(program));
        MoverOptions {
            isolation: isolation.unwrap_or(options.isolation),
            keeps_output: self.client_output.is_some(),
            output: self.client_output.clone().or(output),
            supervisor,
            confinement,
            ..options
        }
    }

    /// The options with what programs need, and how many games can be played at once.
    pub(crate) fn prepare(
        &self,
        mut options: MoverOptions,
        concurrency: &mut NonZeroUsize,
        store: Option<&Location>,
    ) -> Result<MoverOptions> {
        self.programs.check()?;
        let program = env::current_exe().context("cannot find this program")?;
        options.confinement = self.programs.confinement(store);
        let is_trusted = options.confinement.is_trusted;
        let best = || options.confinement.isolation(&program);
        options.isolation = match self.isolate {
            Isolate::Auto => best(),
            Isolate::Namespace if best() == Isolation::Namespace => Isolation::Namespace,
            Isolate::Namespace => {
                bail!("this system does not allow network namespaces here: try --isolate address")
            }
            _ if !is_trusted => bail!(
                "in a sandbox each program has its own network: leave --isolate out, or trust the \
                 programs with --trust-programs"
            ),
            Isolate::Address => Isolation::Address,
            Isolate::None => Isolation::Shared,
        };
        if options.isolation == Isolation::Shared {
            *concurrency = NonZeroUsize::MIN;
        }
        match is_trusted {
            true => eprintln!(
                "programs are trusted with everything you can see and do; {}",
                options.isolation
            ),
            false => {
                eprintln!("each program runs in a sandbox: its own processes, files and network")
            }
        }
        if let Some(folder) = &self.client_output {
            eprintln!("their output is in {}", folder.display());
        }
        options.keeps_output = self.client_output.is_some();
        options.output = Some(self.client_output.clone().unwrap_or_else(temporary));
        options.supervisor = Some(program);
        Ok(options)
    }
}

/// A folder for output that is not kept; it is removed once the output has been reported.
fn temporary() -> PathBuf {
    env::temp_dir().join(format!("tablut-clients-{}", process::id()))
}
