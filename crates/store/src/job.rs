//! Jobs: work of engines that waits for a worker, of whichever machine.
//!
//! A job is claimed by one statement and leased by the database's clock. Whoever has a lease that ended may
//! still bring the result, as long as nobody else has the job; a result comes in once.

use std::fmt::{self, Display, Formatter};

use sqlx::{Row, any::AnyRow, query};

use crate::{Store, StoreError, claim::LONGEST_LEASE_MS, live::count};

/// How often a job is tried. One that ends a worker each time is not to end them all.
const MOST_ATTEMPTS: i64 = 5;

/// For how long what an owner has used makes others go first, and how long ended jobs are kept for that.
const LATELY_MS: i64 = 60_000;

/// What kind of work a worker takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JobKind {
    /// Moves in games, and hints.
    Games,
    /// Lines, proofs, reviews, retries.
    Analysis,
    /// Puzzles that are looked for in games, and proved.
    Puzzles,
}

impl JobKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Games, Self::Analysis, Self::Puzzles];

    /// Its word, in the store and on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Analysis => "analysis",
            Self::Puzzles => "puzzles",
        }
    }
}

impl Display for JobKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Work that is ordered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewJob {
    /// A name of its own.
    pub id: String,
    /// What kind of work it is.
    pub kind: JobKind,
    /// By how many milliseconds it lets others go first.
    pub priority_ms: i64,
    /// Who wants it.
    pub owner: String,
    /// Where the owner comes from; empty if that does not matter.
    pub address: String,
    /// The process in which somebody waits for it. It has to be known by its heartbeat.
    pub process: String,
    /// What is to be done, as text that only worker and process understand.
    pub parameters: String,
    /// How long an attempt may take, in milliseconds.
    pub limit_ms: i64,
}

/// How many jobs may be under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JobLimits {
    /// Of the same kind and owner.
    pub of_kind: u64,
    /// Of the same owner.
    pub of_one: u64,
    /// Of all together.
    pub of_all: u64,
}

/// Why a job goes back unfinished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Release {
    /// The worker ends, or has no place for it: this was no attempt.
    Willing,
    /// It was tried, and came to nothing.
    Failed,
}

/// A job that is ours to do until the lease ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobClaim {
    /// The job.
    pub id: String,
    /// What kind of work it is.
    pub kind: JobKind,
    /// Who wants it.
    pub owner: String,
    /// What is to be done.
    pub parameters: String,
    /// Which attempt this is, from 1: only the latest one counts.
    pub attempt: u64,
    /// How long it may take, in milliseconds.
    pub limit_ms: u64,
    /// How long it has waited, in milliseconds.
    pub waited_ms: u64,
}

/// How far a job has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredJob {
    /// How often it was begun.
    pub attempts: u64,
    /// Whether a worker has it now.
    pub is_leased: bool,
    /// Raised by everything that is found.
    pub version: u64,
    /// What was found so far.
    pub found: Option<String>,
    /// Why nothing will be found.
    pub fault: Option<String>,
    /// Whether this is all.
    pub has_ended: bool,
}

/// How much work of a kind there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobCount {
    /// The kind as a word: one of ours, or of a newer version that serves the same store.
    pub kind: String,
    /// Jobs that nobody works on.
    pub waiting: u64,
    /// Jobs under way.
    pub under_way: u64,
    /// Jobs that have ended within the last minute.
    pub ended: u64,
    /// How long the oldest that nobody works on has waited, in milliseconds.
    pub longest_ms: u64,
}

fn kind(row: &AnyRow) -> Result<JobKind, StoreError> {
    let word: String = row.try_get("kind")?;
    let found = JobKind::ALL.into_iter().find(|kind| kind.word() == word);
    found.ok_or_else(|| StoreError::corrupt("job", &word))
}

/// What a job may not have been tried more often than. Given back willingly, it was not tried.
fn is_tried_out(job: &str) -> String {
    format!("{job}attempt - {job}released >= {MOST_ATTEMPTS}")
}

/// Kinds as a list of SQL. Their words are ours.
fn words(kinds: &[JobKind]) -> String {
    let words = kinds.iter().map(|kind| format!("'{kind}'"));
    words.collect::<Vec<_>>().join(", ")
}

impl Store {
    /// Orders work, unless its owner or all together have as much under way as they may. Says whether it
    /// was taken.
    ///
    /// # Errors
    /// The database failed.
    pub async fn order_job(&self, job: &NewJob, limits: JobLimits) -> Result<bool, StoreError> {
        let sql = self.dialect(
            "INSERT INTO job (id, kind, priority, owner, address, process, parameters, limit_ms, created_ms)
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, {now}
             WHERE (SELECT count(*) FROM job WHERE owner = $4 AND kind = $2 AND ended_ms IS NULL) < $9
               AND (SELECT count(*) FROM job WHERE owner = $4 AND ended_ms IS NULL) < $10
               AND (SELECT count(*) FROM job WHERE ended_ms IS NULL) < $11",
        );
        let most = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let order = query(sql)
            .bind(&job.id)
            .bind(job.kind.word())
            .bind(job.priority_ms)
            .bind(&job.owner)
            .bind(&job.address)
            .bind(&job.process)
            .bind(&job.parameters)
            .bind(job.limit_ms)
            .bind(most(limits.of_kind))
            .bind(most(limits.of_one))
            .bind(most(limits.of_all));
        let is_taken = self.write_one(order).await? > 0;
        if is_taken {
            self.announce_jobs();
        }
        Ok(is_taken)
    }

    /// Claims the job of some kinds whose turn it is: the one that has waited longest, after what it lets go
    /// first, what its owner has used lately, and a quarter of what its address has. Nothing if there is none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn claim_job(
        &self,
        kinds: &[JobKind],
        worker: &str,
        lease_ms: i64,
    ) -> Result<Option<JobClaim>, StoreError> {
        if kinds.is_empty() {
            return Ok(None);
        }
        let used = |who: &str| {
            format!(
                "coalesce((SELECT sum(coalesce(o.ended_ms, {{now}}) - o.begun_ms) FROM job o
                 WHERE o.{who} = f.{who} AND o.begun_ms > {{now}} - {LATELY_MS}), 0)"
            )
        };
        let (by_owner, by_address) = (used("owner"), used("address"));
        let sql = self.dialect_of(&format!(
            "WITH next AS MATERIALIZED (
                 SELECT f.id FROM job f
                 WHERE f.ended_ms IS NULL AND f.kind IN ({}) AND NOT ({})
                   AND (f.lease_ms IS NULL OR f.lease_ms NOT {{leased}})
                 ORDER BY f.created_ms + f.priority + {by_owner}
                     + CASE WHEN f.address = '' THEN 0 ELSE {by_address} / 4 END, f.id
                 LIMIT 1 {{lock}})
             UPDATE job SET attempt = attempt + 1, worker = $1, begun_ms = {{now}}, lease_ms = {{now}} + $2
             WHERE id IN (SELECT id FROM next)
             RETURNING id, kind, owner, parameters, attempt, limit_ms, {{now}} - created_ms AS waited_ms",
            words(kinds),
            is_tried_out("f.")
        ));
        let claim = query(sql).bind(worker);
        let row = self
            .write_row(claim.bind(lease_ms.min(LONGEST_LEASE_MS)))
            .await?;
        row.map(|row| {
            Ok(JobClaim {
                id: row.try_get("id")?,
                kind: kind(&row)?,
                owner: row.try_get("owner")?,
                parameters: row.try_get("parameters")?,
                attempt: count(&row, "attempt")?,
                limit_ms: count(&row, "limit_ms")?,
                waited_ms: count(&row, "waited_ms")?,
            })
        })
        .transpose()
    }

    /// Makes the leases of a worker's jobs longer. Gives those that are still its own, each with its attempt.
    ///
    /// # Errors
    /// The database failed.
    pub async fn renew_jobs(
        &self,
        worker: &str,
        lease_ms: i64,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = self.dialect(
            "UPDATE job SET lease_ms = {now} + $2 WHERE worker = $1 AND ended_ms IS NULL
             RETURNING id, attempt",
        );
        let mut work = self.write().await?;
        let renewed = query(sql).bind(worker);
        let rows = work
            .rows(renewed.bind(lease_ms.min(LONGEST_LEASE_MS)))
            .await;
        let rows = work.end(rows).await?;
        let rows = rows.iter();
        rows.map(|row| Ok((row.try_get("id")?, count(row, "attempt")?)))
            .collect()
    }

    /// Tells what a job has found so far, in place of what was told before. Says whether it is still ours.
    ///
    /// # Errors
    /// The database failed.
    pub async fn tell_job(&self, claim: &JobClaim, found: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE job SET found = $3, version = version + 1
             WHERE id = $1 AND attempt = $2 AND ended_ms IS NULL";
        let tell = query(sql).bind(&claim.id).bind(claim.attempt as i64);
        let is_ours = self.write_one(tell.bind(found)).await? > 0;
        if is_ours {
            self.announce_job(&claim.id);
        }
        Ok(is_ours)
    }

    /// Ends a job with what was found, or with the reason why nothing was.
    ///
    /// # Errors
    /// The database failed, nobody wants it any more, or another worker has it.
    pub async fn end_job(
        &self,
        claim: &JobClaim,
        found: Result<&str, &str>,
    ) -> Result<(), StoreError> {
        let sql = self.dialect(
            "UPDATE job SET found = $3, fault = $4, version = version + 1, ended_ms = {now}
             WHERE id = $1 AND attempt = $2 AND ended_ms IS NULL",
        );
        let end = query(sql).bind(&claim.id).bind(claim.attempt as i64);
        let end = end.bind(found.ok()).bind(found.err());
        if self.write_one(end).await? == 0 {
            return Err(StoreError::Stale);
        }
        self.announce_job(&claim.id);
        Ok(())
    }

    /// Gives a job back unfinished: another worker may begin it at once.
    ///
    /// # Errors
    /// The database failed.
    pub async fn release_job(&self, claim: &JobClaim, why: Release) -> Result<(), StoreError> {
        let sql = "UPDATE job SET lease_ms = NULL, worker = NULL, released = released + $3
             WHERE id = $1 AND attempt = $2 AND ended_ms IS NULL AND worker IS NOT NULL";
        let release = query(sql).bind(&claim.id).bind(claim.attempt as i64);
        let release = release.bind(i64::from(why == Release::Willing));
        if self.write_one(release).await? > 0 {
            self.announce_jobs();
        }
        Ok(())
    }

    /// Begins a certain job that no worker has, for whoever waits for it. Says whether that was so.
    ///
    /// # Errors
    /// The database failed.
    pub async fn take_job(
        &self,
        id: &str,
        worker: &str,
        lease_ms: i64,
    ) -> Result<bool, StoreError> {
        let sql = self.dialect(
            "UPDATE job SET attempt = attempt + 1, worker = $2, begun_ms = {now}, lease_ms = {now} + $3
             WHERE id = $1 AND ended_ms IS NULL AND (lease_ms IS NULL OR lease_ms NOT {leased})",
        );
        let take = query(sql).bind(id).bind(worker);
        let take = take.bind(lease_ms.min(LONGEST_LEASE_MS));
        Ok(self.write_one(take).await? > 0)
    }

    /// Nobody waits for a job any more. A worker that is at it hears so, and stops.
    ///
    /// # Errors
    /// The database failed.
    pub async fn give_up_job(&self, id: &str) -> Result<(), StoreError> {
        let unbegun = self.dialect(
            "DELETE FROM job WHERE id = $1 AND ended_ms IS NULL
               AND (lease_ms IS NULL OR lease_ms NOT {leased})",
        );
        if self.write_one(query(unbegun).bind(id)).await? > 0 {
            return Ok(());
        }
        let begun = self.dialect(
            "UPDATE job SET version = version + 1, ended_ms = {now}
             WHERE id = $1 AND ended_ms IS NULL",
        );
        if self.write_one(query(begun).bind(id)).await? > 0 {
            self.announce_job(id);
        }
        Ok(())
    }

    /// How far a job has come; nothing if it is no more.
    ///
    /// # Errors
    /// The database failed.
    pub async fn job(&self, id: &str) -> Result<Option<StoredJob>, StoreError> {
        let sql = self.dialect(
            "SELECT attempt, version, found, fault,
                 CASE WHEN lease_ms {leased} THEN 1 ELSE 0 END AS is_leased,
                 CASE WHEN ended_ms IS NULL THEN 0 ELSE 1 END AS has_ended
             FROM job WHERE id = $1",
        );
        let row = self.row(query(sql).bind(id)).await?;
        row.map(|row| {
            Ok(StoredJob {
                attempts: count(&row, "attempt")?,
                is_leased: is_set(&row, "is_leased")?,
                version: count(&row, "version")?,
                found: row.try_get("found")?,
                fault: row.try_get("fault")?,
                has_ended: is_set(&row, "has_ended")?,
            })
        })
        .transpose()
    }

    /// How much work there is of each kind.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_jobs(&self) -> Result<Vec<JobCount>, StoreError> {
        let sql = self.dialect(
            "SELECT f.kind AS kind,
                 count(CASE WHEN f.ended_ms IS NULL AND (f.lease_ms IS NULL OR f.lease_ms NOT {leased})
                       THEN 1 END) AS waiting,
                 count(CASE WHEN f.ended_ms IS NULL AND f.lease_ms {leased} THEN 1 END) AS under_way,
                 count(CASE WHEN f.ended_ms > {now} - $1 THEN 1 END) AS ended,
                 coalesce({now} - min(CASE WHEN f.ended_ms IS NULL
                     AND (f.lease_ms IS NULL OR f.lease_ms NOT {leased}) THEN f.created_ms END), 0) AS longest_ms
             FROM job f GROUP BY f.kind ORDER BY f.kind",
        );
        let rows = self.rows(query(sql).bind(LATELY_MS)).await?;
        let none = |kind: JobKind| JobCount {
            kind: kind.word().into(),
            waiting: 0,
            under_way: 0,
            ended: 0,
            longest_ms: 0,
        };
        let mut counts: Vec<JobCount> = JobKind::ALL.map(none).into();
        for row in &rows {
            let counted = JobCount {
                kind: row.try_get("kind")?,
                waiting: count(row, "waiting")?,
                under_way: count(row, "under_way")?,
                ended: count(row, "ended")?,
                longest_ms: count(row, "longest_ms")?,
            };
            match counts.iter_mut().find(|one| one.kind == counted.kind) {
                Some(own) => *own = counted,
                None => counts.push(counted),
            }
        }
        Ok(counts)
    }

    /// Ends jobs that were tried too often, and forgets those of processes that are no more and those that
    /// ended long ago. Of several who do it at once, one does it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn tidy_jobs(&self) -> Result<(), StoreError> {
        let fault = self.dialect_of(&format!(
            "UPDATE job SET version = version + 1, ended_ms = {{now}},
                 fault = 'every worker that began it was lost'
             WHERE ended_ms IS NULL AND {}
               AND (lease_ms IS NULL OR lease_ms NOT {{leased}})
             RETURNING id",
            is_tried_out("")
        ));
        let forget = self.dialect_of(&format!(
            "DELETE FROM job WHERE ended_ms NOT BETWEEN {{now}} - {LATELY_MS} AND {{now}} + {LATELY_MS}
               OR process NOT IN (SELECT p.id FROM process p)"
        ));
        let mut work = self.write().await?;
        let tidied = async {
            let lost = work.rows(query(fault)).await?;
            work.run(query(forget)).await?;
            Ok(lost)
        };
        let tidied = tidied.await;
        for row in work.end(tidied).await? {
            let id: String = row.try_get("id")?;
            self.announce_job(&id);
        }
        Ok(())
    }
}

pub(crate) fn is_set(row: &AnyRow, name: &str) -> Result<bool, StoreError> {
    Ok(count(row, name)? > 0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use sqlx::AssertSqlSafe;

    use super::*;
    use crate::Location;

    async fn order(store: &Store, id: &str, owner: &str, address: &str) {
        let job = NewJob {
            id: id.into(),
            kind: JobKind::Games,
            priority_ms: 0,
            owner: owner.into(),
            address: address.into(),
            process: "server".into(),
            parameters: String::new(),
            limit_ms: 1000,
        };
        let limits = JobLimits {
            of_kind: 100,
            of_one: 100,
            of_all: 100,
        };
        assert!(store.order_job(&job, limits).await.unwrap());
    }

    async fn next(store: &Store) -> String {
        let claim = store.claim_job(&JobKind::ALL, "w", 60_000).await.unwrap();
        claim.unwrap().id
    }

    #[tokio::test]
    async fn whoever_has_used_little_lately_goes_first() {
        let store = Store::open(&Location::Memory).await.unwrap();
        // Ann has thought for ten seconds until now, and Bob for a second; Cy comes from Ann's address.
        for (id, owner, seconds) in [("a", "ann", 10), ("b", "bob", 1)] {
            let address = if owner == "ann" { "here" } else { "there" };
            order(&store, id, owner, address).await;
            next(&store).await;
            let sql =
                format!("UPDATE job SET begun_ms = begun_ms - 1000 * {seconds} WHERE id = '{id}'");
            store.write_one(query(AssertSqlSafe(sql))).await.unwrap();
        }
        for (id, owner, address) in [
            ("of ann", "ann", "here"),
            ("of cy", "cy", "here"),
            ("of bob", "bob", "there"),
            ("of dan", "dan", ""),
        ] {
            order(&store, id, owner, address).await;
        }
        for id in ["of dan", "of bob", "of cy", "of ann"] {
            assert_eq!(next(&store).await, id);
        }
    }

    #[tokio::test]
    async fn what_was_used_long_ago_is_forgotten() {
        let store = Store::open(&Location::Memory).await.unwrap();
        order(&store, "a", "ann", "").await;
        next(&store).await;
        let sql = "UPDATE job SET begun_ms = begun_ms - 100000, ended_ms = begun_ms - 90000";
        store.write_one(query(sql)).await.unwrap();
        order(&store, "of ann", "ann", "").await;
        order(&store, "of bob", "bob", "").await;
        let later = "UPDATE job SET created_ms = created_ms + 5 WHERE id = 'of bob'";
        store.write_one(query(later)).await.unwrap();
        assert_eq!(next(&store).await, "of ann");
    }
}
