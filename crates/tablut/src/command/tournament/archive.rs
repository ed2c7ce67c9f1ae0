//! Tournaments that are put away, brought back or deleted.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use tablut_arena::tournament::Change;
use tablut_host::tournament::CorrectionWish;

use super::{Named, StoreFlag, correct::make};
use crate::Status;

#[derive(Args)]
#[command(after_help = "\
It is no longer listed, and its games are not played; `tournament restore` brings it back. Games in
progress are abandoned.

Examples:
  tablut tournament archive spring-cup
  tablut tournament archive spring-cup --why 'last year'")]
pub(super) struct Archive {
    #[command(flatten)]
    tournament: Named,
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT", default_value = "put away")]
    why: String,
}

impl Archive {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let standing = self.tournament.load()?;
        make(&standing, &Change::Archive.into(), self.why)?;
        let id = &standing.contest.id;
        writeln!(
            out,
            "{id} is archived; bring it back with: tablut tournament restore {id}"
        )?;
        standing.runtime.block_on(standing.store.close());
        Ok(Status::Good)
    }
}

#[derive(Args)]
#[command(after_help = "\
It stays paused until someone starts it.

Examples:
  tablut tournament restore spring-cup")]
pub(super) struct Restore {
    /// The tournament: its id, as `tablut tournament status --archived` lists it
    #[arg(value_name = "TOURNAMENT")]
    id: String,
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT", default_value = "wanted again")]
    why: String,
    #[command(flatten)]
    store: StoreFlag,
}

impl Restore {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let store_too = self.store.reminder();
        let named = Named {
            id: Some(self.id),
            store: self.store,
        };
        let standing = named.load()?;
        make(&standing, &CorrectionWish::Restore, self.why)?;
        let id = &standing.contest.id;
        writeln!(
            out,
            "{id} is restored and paused; start it with: tablut tournament resume {id}{store_too}"
        )?;
        standing.runtime.block_on(standing.store.close());
        Ok(Status::Good)
    }
}

#[derive(Args)]
#[command(after_help = "\
Deletes all its games, results and corrections for good: this cannot be undone. Only an archived
tournament is deleted, unless you add --yes. `tournament export` saves what matters first.

Examples:
  tablut tournament export spring-cup --to kept && tablut tournament archive spring-cup
  tablut tournament delete spring-cup")]
pub(super) struct Delete {
    /// The tournament: its id
    #[arg(value_name = "TOURNAMENT")]
    id: String,
    /// Delete it even if it is not archived
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    store: StoreFlag,
}

impl Delete {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let named = Named {
            id: Some(self.id),
            store: self.store,
        };
        let standing = named.load()?;
        let contest = &standing.contest;
        let id = &contest.id;
        if !contest.is_archived() && !self.yes {
            bail!(
                "{id} is not archived, and deleting cannot be undone; archive it first, or add --yes"
            );
        }
        let deleted = standing.store.delete_tournament(id);
        standing.runtime.block_on(deleted)?;
        let games = standing.fixtures.len();
        writeln!(out, "{id} is deleted, with {games} games")?;
        standing.runtime.block_on(standing.store.close());
        Ok(Status::Good)
    }
}
