//! The processes that serve a store: what each tells of itself with its heartbeat, and what is told to it.

use std::collections::HashMap;

use sqlx::{AssertSqlSafe, Row, query};

use crate::{Store, StoreError, job::is_set, live::count, work::Work};

/// What a process tells of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProcessReport {
    /// Its machine and number there, for people.
    pub name: String,
    /// Whether it only works, and serves no pages.
    pub is_worker: bool,
    /// The kinds of jobs it does, as words with commas between them.
    pub jobs: String,
    /// How many of its engines may think at once.
    pub engines: u64,
    /// Engine work that is under way or waits in it.
    pub orders: u64,
    /// Its open pages.
    pub pages: u64,
    /// The games it shows.
    pub games: u64,
}

/// What a process hears when it reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heard {
    /// Whether it was known; not the first time, and not after it was taken for dead: then nobody is known
    /// to be there by it.
    pub is_known: bool,
    /// Whether it should let its pages move elsewhere, and end.
    pub drains: bool,
}

/// A process that is alive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name in the store.
    pub id: String,
    /// What it told last.
    pub report: ProcessReport,
    /// How long it has been there, in milliseconds.
    pub age_ms: u64,
    /// How long it has been silent, in milliseconds.
    pub silent_ms: u64,
    /// Whether it was told to end.
    pub drains: bool,
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Store {
    /// A process says that it is alive, and how it is.
    ///
    /// # Errors
    /// The database failed.
    pub async fn beat(&self, process: &str, report: &ProcessReport) -> Result<Heard, StoreError> {
        let values = "beat_ms = {now}, name = $2, is_worker = $3, jobs = $4, engines = $5,
             orders = $6, pages = $7, games = $8";
        let update = self.dialect_of(&format!(
            "UPDATE process SET {values} WHERE id = $1 RETURNING drains"
        ));
        let insert = self.dialect(
            "INSERT INTO process (id, since_ms, beat_ms, name, is_worker, jobs, engines, orders, pages, games)
             VALUES ($1, {now}, {now}, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (id) DO UPDATE SET beat_ms = excluded.beat_ms RETURNING drains",
        );
        for (sql, is_known) in [(update, true), (insert, false)] {
            let beat = query(sql)
                .bind(process)
                .bind(&report.name)
                .bind(i64::from(report.is_worker))
                .bind(&report.jobs)
                .bind(whole(report.engines))
                .bind(whole(report.orders))
                .bind(whole(report.pages))
                .bind(whole(report.games));
            if let Some(row) = self.write_row(beat).await? {
                let drains = is_set(&row, "drains")?;
                return Ok(Heard { is_known, drains });
            }
        }
        Err(StoreError::Stale)
    }

    /// The processes that serve the store, the oldest first; of one millisecond, by name.
    ///
    /// # Errors
    /// The database failed.
    pub async fn processes(&self) -> Result<Vec<Process>, StoreError> {
        let sql = self.dialect(
            "SELECT id, name, is_worker, jobs, engines, orders, pages, games, drains,
                 {now} - since_ms AS age_ms, {now} - beat_ms AS silent_ms
             FROM process ORDER BY since_ms, name, id",
        );
        let rows = self.rows(query(sql)).await?;
        let rows = rows.iter();
        rows.map(|row| {
            Ok(Process {
                id: row.try_get("id")?,
                report: ProcessReport {
                    name: row.try_get("name")?,
                    is_worker: is_set(row, "is_worker")?,
                    jobs: row.try_get("jobs")?,
                    engines: count(row, "engines")?,
                    orders: count(row, "orders")?,
                    pages: count(row, "pages")?,
                    games: count(row, "games")?,
                },
                age_ms: count(row, "age_ms")?,
                silent_ms: count(row, "silent_ms")?,
                drains: is_set(row, "drains")?,
            })
        })
        .collect()
    }

    /// Tells a process to let its pages move elsewhere, and to end; it hears so with its next heartbeat.
    /// Says whether there is such a process.
    ///
    /// # Errors
    /// The database failed.
    pub async fn drain(&self, process: &str) -> Result<bool, StoreError> {
        let drain = query("UPDATE process SET drains = 1 WHERE id = $1");
        Ok(self.write_one(drain.bind(process)).await? > 0)
    }

    /// Notes from which addresses how many pages of a process are open, in place of what was noted before.
    ///
    /// # Errors
    /// The database failed.
    pub async fn note_crowd(
        &self,
        process: &str,
        crowd: &[(String, u64)],
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let noted = note(&mut work, process, crowd).await;
        work.end(noted).await
    }

    /// How many pages of other processes are open, in all and by address as far as these note it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn crowd_elsewhere(
        &self,
        process: &str,
    ) -> Result<(u64, Vec<(String, u64)>), StoreError> {
        let sql = "SELECT CAST(coalesce(sum(pages), 0) AS BIGINT) FROM process WHERE id <> $1";
        let all = self.count(query(sql).bind(process)).await?;
        let sql = "SELECT c.address AS address, CAST(sum(c.pages) AS BIGINT) AS pages FROM crowd c
             JOIN process p ON p.id = c.process WHERE c.process <> $1 GROUP BY c.address";
        let rows = self.rows(query(sql).bind(process)).await?;
        let by_address: Result<Vec<_>, StoreError> = rows
            .iter()
            .map(|row| Ok((row.try_get("address")?, count(row, "pages")?)))
            .collect();
        Ok((all, by_address?))
    }

    /// Notes how many watch games at a process; what is not named stays as it was.
    ///
    /// # Errors
    /// The database failed.
    pub async fn note_spectators(
        &self,
        process: &str,
        games: &[(impl AsRef<str>, u64)],
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let noted = note_spectators(&mut work, process, games).await;
        work.end(noted).await
    }

    /// How many watch games at other processes that are alive, as far as anybody does.
    ///
    /// # Errors
    /// The database failed.
    pub async fn spectators_elsewhere(
        &self,
        process: &str,
        games: &[&str],
    ) -> Result<HashMap<String, u64>, StoreError> {
        if games.is_empty() {
            return Ok(HashMap::new());
        }
        let places: Vec<String> = (2..games.len() + 2).map(|n| format!("${n}")).collect();
        let sql = format!(
            "SELECT a.game AS game, CAST(sum(a.spectators) AS BIGINT) AS spectators FROM audience a
             JOIN process p ON p.id = a.process
             WHERE a.process <> $1 AND a.game IN ({}) GROUP BY a.game",
            places.join(", ")
        );
        let question = query(AssertSqlSafe(sql)).bind(process);
        let question = games.iter().fold(question, |all, &game| all.bind(game));
        let rows = self.rows(question).await?;
        rows.iter()
            .map(|row| Ok((row.try_get("game")?, count(row, "spectators")?)))
            .collect()
    }
}

async fn note(work: &mut Work, process: &str, crowd: &[(String, u64)]) -> Result<(), StoreError> {
    let forget = query("DELETE FROM crowd WHERE process = $1");
    work.run(forget.bind(process)).await?;
    for (address, pages) in crowd {
        let sql = "INSERT INTO crowd (process, address, pages) VALUES ($1, $2, $3)";
        let insert = query(sql).bind(process).bind(address);
        work.run(insert.bind(whole(*pages))).await?;
    }
    Ok(())
}

/// How many rows are written by one statement.
const ROWS: usize = 200;

async fn note_spectators(
    work: &mut Work,
    process: &str,
    games: &[(impl AsRef<str>, u64)],
) -> Result<(), StoreError> {
    // In one order, as all who write several rows at once should.
    let mut games: Vec<(&str, u64)> = games.iter().map(|(id, n)| (id.as_ref(), *n)).collect();
    games.sort_unstable();
    for games in games.chunks(ROWS) {
        let rows: Vec<String> = (0..games.len())
            .map(|n| format!("($1, ${}, ${})", 2 * n + 2, 2 * n + 3))
            .collect();
        let sql = format!(
            "INSERT INTO audience (process, game, spectators) VALUES {}
             ON CONFLICT (game, process) DO UPDATE SET spectators = excluded.spectators",
            rows.join(", ")
        );
        let insert = query(AssertSqlSafe(sql)).bind(process);
        let insert = games.iter().fold(insert, |all, &(game, spectators)| {
            all.bind(game).bind(whole(spectators))
        });
        work.run(insert).await?;
    }
    let forget = query("DELETE FROM audience WHERE process = $1 AND spectators = 0");
    work.run(forget.bind(process)).await.map(drop)
}
