//! What the administrator sees and does: processes, queues and limits, and draining one process.

use tablut_host::{same_secret, speech::Phrase};
use tablut_store::{JobCount, Kept, Process, StoreError};

use super::{Answered, Visit};
use crate::{
    crowd::{Deed, Holding},
    message::{AdminInfo, Answer, LimitInfo, LimitName, Problem, ProcessInfo, QueueInfo},
};

impl Visit {
    /// How everything is, for whoever knows the administrator's token.
    pub(super) async fn administer(&self, token: &str) -> Answered {
        self.check_administrator(token)?;
        let info = self.kept(self.admin_info().await)?;
        Ok(Answer::Admin(info))
    }

    /// Lets the pages of a process move elsewhere, and the process end.
    pub(super) async fn drain(&self, token: &str, process: &str) -> Answered {
        self.check_administrator(token)?;
        match self.kept(self.host.store().drain(process).await)? {
            true => Ok(Answer::Done),
            false => self.problem(Phrase::NoProcess),
        }
    }

    /// The token is found out by no one who tries many. Being at the server's machine is not enough: whoever
    /// may use that machine need not run the site.
    fn check_administrator(&self, said: &str) -> Result<(), Problem> {
        if !self.crowd.allows(self.origin, Deed::Guess) {
            return self.problem(Phrase::TooManyGuesses);
        }
        let token = self.admin.as_deref();
        if !token.is_some_and(|token| same_secret(token, said)) {
            tracing::warn!("somebody tried a wrong administrator's token");
            return self.problem(Phrase::BadAdminToken);
        }
        self.crowd.forgive(self.origin, Deed::Guess);
        Ok(())
    }

    async fn admin_info(&self) -> Result<AdminInfo, StoreError> {
        let (store, limits) = (self.host.store(), self.host.limits());
        let here = self.host.process();
        let processes = store.processes().await?;
        let traffic = self.crowd.traffic();
        let pages = self.crowd.count(Holding::Page) as u64;
        let mut rows = Vec::new();
        for (limit, kept, most) in [
            (LimitName::Visitors, Kept::Visitors, limits.visitors),
            (LimitName::Games, Kept::Games, limits.all_games),
            (LimitName::Positions, Kept::Positions, limits.all_positions),
            (LimitName::Studies, Kept::Studies, limits.all_studies),
        ] {
            rows.push(LimitInfo {
                limit,
                used: store.count_kept(kept).await?,
                most: Some(most),
            });
        }
        rows.push(LimitInfo {
            limit: LimitName::Pages,
            used: pages,
            most: Some(traffic.pages as u64),
        });
        rows.push(LimitInfo {
            limit: LimitName::AllPages,
            used: pages + self.crowd.elsewhere() as u64,
            most: traffic.all_pages.map(|most| most as u64),
        });
        let jobs = store.count_jobs().await?;
        Ok(AdminInfo {
            processes: processes
                .into_iter()
                .map(|process| process_info(process, &here))
                .collect(),
            queues: jobs.iter().map(queue_info).collect(),
            limits: rows,
        })
    }
}

fn process_info(process: Process, here: &str) -> ProcessInfo {
    let report = process.report;
    ProcessInfo {
        here: process.id == here,
        process: process.id,
        name: report.name,
        worker: report.is_worker,
        jobs: report.jobs,
        engines: report.engines,
        orders: report.orders,
        pages: report.pages,
        games: report.games,
        age_ms: process.age_ms,
        silent_ms: process.silent_ms,
        draining: process.drains,
    }
}

fn queue_info(count: &JobCount) -> QueueInfo {
    QueueInfo {
        kind: count.kind.clone(),
        waiting: count.waiting,
        under_way: count.under_way,
        ended: count.ended,
        longest_ms: count.longest_ms,
    }
}
