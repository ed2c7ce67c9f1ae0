//! `tablut tournament`: contests that run themselves.

mod archive;
mod correct;
mod export;
mod html;
mod run;
mod table;
mod words;

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use tablut_host::tournament::{Contest, ContestError};
use tablut_store::{Fixture, Location, State, Store};
use tokio::runtime::Runtime;

pub(super) use run::{Play, outcome};

use super::serve;
use crate::Status;

/// Run a tournament between many players, and see the standings
#[derive(Args)]
#[command(after_help = "\
docs/tournament.md describes the file. An interrupted run resumes where it stopped.

Examples:
  tablut tournament run cup.toml
  tablut tournament table
  tablut tournament export spring-cup --to results")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play the games of a tournament file, resuming where it stopped
    Run(run::Run),
    /// Check a tournament file and store it without playing
    Add(run::Add),
    /// Print the progress of tournaments
    Status(table::Status),
    /// Print the standings
    Table(table::ShowTable),
    /// Print who beat whom
    Crosstable(table::Crosstable),
    /// Write tables, records and a report that opens in any browser
    Export(export::Export),
    /// Stop new games from starting
    Pause(Pause),
    /// Let games start again
    Resume(Resume),
    /// Correct a stored tournament (teams, times, results), or undo a correction
    Correct(correct::Correct),
    /// Archive a tournament: it is not listed and not played
    Archive(archive::Archive),
    /// Bring an archived tournament back
    Restore(archive::Restore),
    /// Delete a tournament for good
    Delete(archive::Delete),
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        match self.command {
            Command::Run(run) => run.run(out),
            Command::Add(add) => add.run(out),
            Command::Status(status) => status.run(out),
            Command::Table(table) => table.run(out),
            Command::Crosstable(table) => table.run(out),
            Command::Export(export) => export.run(out),
            Command::Pause(pause) => pause.tournament.set(out, State::Paused),
            Command::Resume(resume) => resume.tournament.set(out, State::Running),
            Command::Correct(correct) => correct.run(out),
            Command::Archive(archive) => archive.run(out),
            Command::Restore(restore) => restore.run(out),
            Command::Delete(delete) => delete.run(out),
        }
    }
}

#[derive(Args)]
#[command(after_help = "\
Games in progress are finished. Workers and `tournament run` wait until it is resumed.

Examples:
  tablut tournament pause spring-cup")]
struct Pause {
    #[command(flatten)]
    tournament: Named,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  tablut tournament resume spring-cup")]
struct Resume {
    #[command(flatten)]
    tournament: Named,
}

/// Where tournaments are kept.
#[derive(Args)]
pub(super) struct StoreFlag {
    /// Where tournaments are stored: a file, or a PostgreSQL URL [default: $TABLUT_STORE, or tablut.db
    /// in the user's data folder]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
}

impl StoreFlag {
    /// The store at a place that another flag names.
    pub(super) fn named(place: &str) -> Self {
        Self {
            store: Some(place.into()),
        }
    }

    /// What to add to a command that we tell people to type. The URL itself may have a password.
    pub(super) const fn reminder(&self) -> &'static str {
        match self.store {
            Some(_) => ", with the same --store",
            None => "",
        }
    }

    /// Opens the store, made if it is not there, with threads to ask it.
    pub(super) fn open(&self) -> Result<(Runtime, Store)> {
        let (runtime, place) = self.prepare()?;
        let store = runtime.block_on(Store::open(&place))?;
        Ok((runtime, store))
    }

    /// Opens the store for a command that has nothing to put into a new one.
    pub(super) fn open_existing(&self) -> Result<(Runtime, Store)> {
        let (runtime, place) = self.prepare()?;
        let store = runtime.block_on(Store::open_existing(&place))?;
        Ok((runtime, store))
    }

    fn prepare(&self) -> Result<(Runtime, Location)> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("cannot start threads")?;
        Ok((runtime, self.place()?))
    }

    /// Where the store is.
    pub(super) fn place(&self) -> Result<Location> {
        serve::place(self.store.as_deref())
    }
}

/// One of the tournaments of a store.
#[derive(Args)]
struct Named {
    /// The tournament: its id, as `tablut tournament status` lists it [default: the newest]
    #[arg(value_name = "TOURNAMENT")]
    id: Option<String>,
    #[command(flatten)]
    store: StoreFlag,
}

/// A tournament as it stands.
struct Standing {
    contest: Contest,
    fixtures: Vec<Fixture>,
    runtime: Runtime,
    store: Store,
}

impl Named {
    fn load(&self) -> Result<Standing> {
        let (runtime, store) = self.store.open_existing()?;
        let tournaments = runtime.block_on(store.tournaments())?;
        let found = match &self.id {
            Some(id) => tournaments.iter().find(|one| one.id == *id),
            None => tournaments.iter().find(|one| one.state != State::Archived),
        };
        let Some(found) = found else {
            match (&self.id, tournaments.is_empty()) {
                (Some(id), false) => {
                    let ids: Vec<&str> = tournaments.iter().map(|one| one.id.as_str()).collect();
                    bail!(
                        "there is no tournament {id:?}; there are {}",
                        ids.join(", ")
                    )
                }
                _ => bail!("there is no tournament yet: try `tablut tournament run FILE`"),
            }
        };
        let fixtures = runtime.block_on(store.fixtures(&found.id))?;
        Ok(Standing {
            contest: Contest::new(found)?,
            fixtures,
            runtime,
            store,
        })
    }

    fn set(&self, out: &mut impl Write, state: State) -> Result<Status> {
        let standing = self.load()?;
        let id = &standing.contest.id;
        if standing.contest.is_archived() {
            return Err(ContestError::Archived(id.clone()).into());
        }
        let is_over = standing.contest.is_over(&standing.store);
        if standing.runtime.block_on(is_over)? {
            bail!("{id} is over; there is nothing to pause or resume");
        }
        let set = standing.store.set_tournament_state(id, state);
        standing.runtime.block_on(set)?;
        let word = match state {
            State::Running => "is running",
            _ => "is paused; games in progress will be finished",
        };
        writeln!(out, "{id} {word}")?;
        Ok(Status::Good)
    }
}
