//! `tablut bench faults`: the program against a script of faults; what was acknowledged, and what is
//! there afterwards.

mod audit;
mod clock;
mod contest;
pub(super) mod database;
mod disk;
mod fault;
mod ledger;
mod lone;
mod player;
mod process;
mod proxy;
mod report;
mod table;
mod world;

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process as system,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use rustix::process::Signal;
use tablut_engine::Control;
use tablut_rules::Random;
use tokio::runtime;

use self::{
    audit::{Scope, audit},
    fault::{Fault, Inflicted},
    process::Program,
    report::FaultReport,
    world::{Allowed, BackEnd, World, wait_for_port},
};
use super::interruptible;
use crate::{Status, output};

/// How long play may take to resume after a fault; on a quiet machine it takes a few seconds.
const GOES_ON: Duration = Duration::from_secs(90);

/// How many games the server is asked for after its last start.
const SHOWN: usize = 40;

/// Inject faults into the server, a tournament and a referee, and check whether anything is lost
#[derive(Args)]
#[command(after_help = "\
Starts real processes of this program, plays against them, and injects every kind of fault once, and
then again until the time is up. After each fault, everything that was acknowledged has to be there,
once, unchanged and in order; nothing may be locked, and play has to resume. docs/reliability.md says
what is guaranteed.

Nothing outside a temporary folder is touched. Full and read-only disks need a mount namespace, clock
jumps need libfaketime (Debian: faketime), postgres needs its server (postgresql). What cannot be tried
here is reported and counts as a failure.

Examples:
  tablut bench faults --minutes 30
  tablut bench faults --store sqlite --only disk-full-2 --only kill-server
  tablut bench faults --list")]
pub(super) struct Arguments {
    /// How many minutes to run; each kind of fault is tried once in any case
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = minutes)]
    minutes: f64,
    /// The store to test: sqlite, postgres, or both at the same time
    #[arg(long, value_enum, default_value_t = Stores::Both)]
    store: Stores,
    /// Try only this fault; may be repeated
    #[arg(long, value_name = "FAULT", value_parser = fault_name)]
    only: Vec<Fault>,
    /// The seed of the order and timing of faults [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Keep the output of the processes, and a journal of all acknowledgements, in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Print the faults and what they do
    #[arg(long)]
    list: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Stores {
    Sqlite,
    Postgres,
    Both,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if (0.0..=10_000.0).contains(&minutes) => Ok(minutes),
        _ => Err("expected a number of minutes between 0 and 10000".into()),
    }
}

fn fault_name(text: &str) -> Result<Fault, String> {
    let found = Fault::ALL.into_iter().find(|fault| fault.name() == text);
    found.ok_or_else(|| "there is no such fault; see --list".into())
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        if self.list {
            for fault in Fault::ALL {
                let (name, what) = fault.describe();
                writeln!(out, "{name:<18} {what}")?;
            }
            return Ok(Status::Good);
        }
        // Before there is a second thread: all of them must see the same disks.
        let allowed = Allowed {
            no_disk: disk::isolate().err().map(|error| error.to_string()),
        };
        let control = interruptible()?;
        let seed = self.seed.unwrap_or_else(moment);
        let folder = env::temp_dir().join(format!("tablut-faults-{}", system::id()));
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(3)
            .enable_all()
            .build()
            .context("cannot start")?;
        let reports = runtime.block_on(self.strike_all(&folder, seed, &allowed, &control));
        // Whatever still waits for an answer need not get it.
        runtime.shutdown_timeout(Duration::from_secs(5));
        if let Some(keep) = &self.keep {
            copy(&folder, keep).with_context(|| format!("cannot write to {}", keep.display()))?;
        }
        let _ = fs::remove_dir_all(&folder);
        let reports = reports?;
        match self.json {
            true => output::json(out, &reports)?,
            false => {
                for report in &reports {
                    report.print(out)?;
                    writeln!(out)?;
                }
            }
        }
        Ok(match reports.iter().all(FaultReport::is_good) {
            true => Status::Good,
            false => Status::Bad,
        })
    }

    /// Strikes the back ends, side by side.
    async fn strike_all(
        &self,
        folder: &Path,
        seed: u64,
        allowed: &Allowed,
        control: &Control,
    ) -> Result<Vec<FaultReport>> {
        let strike = |back_end: BackEnd| async move {
            let folder = folder.join(back_end.name());
            let struck = self.strike(back_end, &folder, seed, allowed, control).await;
            struck.with_context(|| back_end.name())
        };
        Ok(match self.store {
            Stores::Sqlite => vec![strike(BackEnd::Sqlite).await?],
            Stores::Postgres => vec![strike(BackEnd::Postgres).await?],
            Stores::Both => {
                let both = tokio::join!(strike(BackEnd::Sqlite), strike(BackEnd::Postgres));
                vec![both.0?, both.1?]
            }
        })
    }

    async fn strike(
        &self,
        back_end: BackEnd,
        folder: &Path,
        seed: u64,
        allowed: &Allowed,
        control: &Control,
    ) -> Result<FaultReport> {
        let faults: Vec<Fault> = Fault::ALL
            .into_iter()
            .filter(|fault| fault.concerns(back_end))
            .filter(|fault| self.only.is_empty() || self.only.contains(fault))
            .collect();
        let begin = Instant::now();
        let mut report = FaultReport::new(back_end, seed, &faults);
        let mut world = World::start(back_end, folder, seed, allowed, control).await?;
        let mut random = Random::part(seed, back_end as u64);
        let end = begin + Duration::from_secs_f64(60.0 * self.minutes);
        let mut is_first = true;
        while is_first || Instant::now() < end {
            for fault in shuffled(&faults, &mut random) {
                if control.is_stopped() || !is_first && Instant::now() >= end {
                    break;
                }
                round(&world, fault, &mut report, &mut random).await?;
            }
            is_first = false;
            if control.is_stopped() || faults.is_empty() {
                break;
            }
        }
        report.is_interrupted = control.is_stopped();
        finish(&mut world, &mut report).await;
        report.seconds = begin.elapsed().as_secs_f64();
        let book = world.ledger.book();
        report.note(&book.wrong);
        report.refusals.clone_from(&book.words);
        Ok(report)
    }
}

/// One fault, until play has gone on and all was counted.
async fn round(
    world: &World,
    fault: Fault,
    report: &mut FaultReport,
    random: &mut Random,
) -> Result<()> {
    let before = world.ledger.book().wrong.counts();
    world.ledger.write(&format!("fault {}", fault.name()));
    let inflicted = fault.inflict(world, random).await?;
    let lifted = Instant::now();
    let went_on = world.play_goes_on(lifted, GOES_ON).await;
    if let Err(silent) = &went_on {
        audit::stuck(world, silent, fault.name());
        // What an operator would do now; the next fault should find the players at play.
        for program in world.programs() {
            program.signal(Signal::KILL);
        }
        let _ = world.play_goes_on(Instant::now(), GOES_ON).await;
    }
    let count = audit(world, Scope::New).await;
    let after = world.ledger.book().wrong.counts();
    let Some(row) = report.rows.iter_mut().find(|row| row.fault == fault.name()) else {
        return Ok(());
    };
    row.add(count, before, after);
    row.rounds += usize::from(matches!(inflicted, Inflicted::Done));
    row.took(*went_on.as_ref().unwrap_or(&GOES_ON));
    eprintln!(
        "{:<8} {:<18} {:>6} acknowledged, {:>6} present, {}",
        world.back_end.name(),
        fault.name(),
        count.acknowledged,
        count.present,
        match (&inflicted, went_on) {
            (Inflicted::NotTried(why), _) => format!("not tried: {why}"),
            (_, Ok(time)) => format!("play resumed after {:.1} s", time.as_secs_f64()),
            (_, Err(silent)) => format!("NO PLAY from {silent:?}"),
        }
    );
    if let Inflicted::NotTried(why) = inflicted {
        row.not_tried = Some(why);
    }
    Ok(())
}

/// Disconnects the players, restarts the server, and checks everything once more.
async fn finish(world: &mut World, report: &mut FaultReport) {
    world.send_players_away().await;
    let before = world.ledger.book().wrong.counts();
    let starts: Vec<_> = world.servers.iter().map(|server| server.starts()).collect();
    for program in world.programs() {
        program.signal(Signal::KILL);
    }
    let begin = Instant::now();
    let is_down = |(server, &before): (&Program, &_)| server.starts() == before;
    while world.servers.iter().zip(&starts).any(is_down) && begin.elapsed() < GOES_ON {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let looked = async {
        wait_for_port(world.server_port).await?;
        audit::shown_games(world, SHOWN).await?;
        audit::exports(world)
    };
    if let Err(error) = looked.await {
        let what = format!("{}, at the end: {error:#}", world.back_end.name());
        world.ledger.book().wrong.locked.insert(what);
    }
    let count = audit(world, Scope::All).await;
    let after = world.ledger.book().wrong.counts();
    report.end.add(count, before, after);
}

fn shuffled(faults: &[Fault], random: &mut Random) -> Vec<Fault> {
    let mut faults = faults.to_vec();
    for last in (1..faults.len()).rev() {
        faults.swap(last, random.below(last + 1));
    }
    faults
}

/// A seed that is another one each time.
fn moment() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_millis() as u64 % 1_000_000)
}

/// Copies what the processes printed.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for back_end in fs::read_dir(from)? {
        let back_end = back_end?;
        let logs = back_end.path().join("logs");
        let to = to.join(back_end.file_name());
        fs::create_dir_all(&to)?;
        for log in fs::read_dir(logs)? {
            let log = log?;
            fs::copy(log.path(), to.join(log.file_name()))?;
        }
    }
    Ok(())
}
