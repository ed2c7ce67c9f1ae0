//! The one way to write, and the one way to read.

use std::sync::Arc;

use sqlx::{
    Any, Row as _,
    any::{AnyArguments, AnyRow},
    error::ErrorKind,
    query::Query,
};

use crate::{
    Store, StoreError,
    connection::{Backend, Connections, Length, Taken},
};

/// A statement with its values.
pub(crate) type Statement<'q> = Query<'q, Any, AnyArguments>;

/// What became of the statements of a transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Health {
    /// All of them were obeyed.
    Well,
    /// One was refused, because of what it says: it cannot count, but the connection is well.
    Refused,
    /// One failed, because of the database.
    Failed,
}

/// A transaction. What it did counts when [`commit`](Self::commit) says so, and in no other case:
/// dropped, for whatever reason, it leaves nothing behind, and its connection is closed.
#[derive(Debug)]
pub(crate) struct Work {
    taken: Taken,
    health: Health,
}

impl Work {
    /// Begins a transaction on a connection that answers.
    pub(crate) async fn begin(connections: &Arc<Connections>) -> Result<Self, StoreError> {
        loop {
            let mut taken = connections.take().await?;
            match taken.run(connections.backend.begin()).await {
                Ok(()) => {
                    return Ok(Self {
                        taken,
                        health: Health::Well,
                    });
                }
                Err(error) => {
                    // A server that was started again since has closed its old connections.
                    let is_old = !taken.is_new() && is_broken(&error);
                    taken.discard();
                    if !is_old {
                        return Err(error.into());
                    }
                }
            }
        }
    }

    /// Runs a statement; says how many rows it changed.
    pub(crate) async fn run(&mut self, statement: Statement<'_>) -> Result<u64, StoreError> {
        let home = Arc::clone(self.taken.home());
        let done = statement.execute(self.taken.get()?);
        let done = home.in_time(Length::Short, done).await;
        Ok(self.watch(done)?.rows_affected())
    }

    /// Runs a statement that may take long.
    pub(crate) async fn run_long(&mut self, statement: Statement<'_>) -> Result<(), StoreError> {
        // The server gives up sooner than we would.
        let home = Arc::clone(self.taken.home());
        if home.backend == Backend::Postgres {
            self.taken.run("SET LOCAL statement_timeout = 0").await?;
        }
        let done = statement.execute(self.taken.get()?);
        let done = home.in_time(Length::Unlimited, done).await;
        self.watch(done)?;
        Ok(())
    }

    /// The first row that a statement gives.
    pub(crate) async fn row(
        &mut self,
        statement: Statement<'_>,
    ) -> Result<Option<AnyRow>, StoreError> {
        // All rows are taken: whoever stops at the first does not hear of a later failure.
        Ok(self.rows(statement).await?.into_iter().next())
    }

    /// All rows that a statement gives.
    pub(crate) async fn rows(
        &mut self,
        statement: Statement<'_>,
    ) -> Result<Vec<AnyRow>, StoreError> {
        let home = Arc::clone(self.taken.home());
        let rows = statement.fetch_all(self.taken.get()?);
        let rows = home.in_time(Length::Short, rows).await;
        self.watch(rows)
    }

    fn watch<T>(&mut self, done: Result<T, sqlx::Error>) -> Result<T, StoreError> {
        if let Err(error) = &done {
            self.health = match (is_constraint(error), self.health) {
                (true, Health::Well | Health::Refused) => Health::Refused,
                _ => Health::Failed,
            };
        }
        Ok(done?)
    }

    /// Commits what was done, or undoes it and says why it was not.
    ///
    /// # Errors
    /// What was done is an error, or [`commit`](Self::commit) gives one.
    pub(crate) async fn end<T>(self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        match done {
            Ok(value) => self.commit().await.map(|()| value),
            Err(error) => {
                self.undo().await;
                Err(error)
            }
        }
    }

    /// Makes everything count, and gives the connection back when it is outside a transaction.
    ///
    /// # Errors
    /// [`StoreError::InDoubt`] if nobody knows whether it counts; in every other case it does not.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        if self.health != Health::Well {
            // PostgreSQL answers such a commit with a rollback, which is no error to it.
            self.undo().await;
            return Err(StoreError::corrupt("valid change", "one that was refused"));
        }
        match self.taken.run(self.taken.home().backend.commit()).await {
            Ok(()) => {
                self.taken.give_back();
                Ok(())
            }
            Err(error) => {
                self.taken.discard();
                Err(match is_refusal(&error) {
                    true => StoreError::Database(error),
                    false => StoreError::InDoubt(error),
                })
            }
        }
    }

    /// Ends a transaction that is to leave nothing behind, and keeps the connection if that is sure.
    pub(crate) async fn undo(mut self) {
        if self.health == Health::Failed {
            return self.taken.discard();
        }
        let check = self.taken.home().backend.check();
        let mut undone = self.taken.run("ROLLBACK").await;
        if undone.is_ok() {
            undone = self.taken.run(check).await;
        }
        match undone {
            Ok(()) => self.taken.give_back(),
            // Nothing was committed either way.
            Err(_) => self.taken.discard(),
        }
    }
}

/// Whether a connection is gone, rather than a statement refused.
fn is_broken(error: &sqlx::Error) -> bool {
    match error {
        // Shut down by an operator, or crashed.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| code.starts_with("57P")),
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_) => true,
        _ => false,
    }
}

/// Whether a statement was refused because of its values.
fn is_constraint(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(error) = error else {
        return false;
    };
    error.kind() != ErrorKind::Other
}

/// Whether the database says that a transaction does not count: a constraint does not hold, it is in
/// the way of another, or there is no room for it.
fn is_refusal(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(error) = error else {
        return false;
    };
    is_refused(&error.code().unwrap_or_default())
}

/// The same for the code of an error.
fn is_refused(code: &str) -> bool {
    let postgres = ["23", "40", "53"];
    // SQLITE_BUSY, SQLITE_READONLY, SQLITE_FULL and SQLITE_CONSTRAINT, without what extends them.
    let sqlite = [5, 8, 13, 19];
    match code.parse::<u32>() {
        Ok(number) if code.len() != 5 => sqlite.contains(&(number & 0xff)),
        // Of the class of rollbacks, one says that nobody knows whether there was one.
        _ => code != "40003" && postgres.iter().any(|class| code.starts_with(class)),
    }
}

impl Store {
    /// Begins to write. Every write goes through this: [`Work::run`] and [`Work::row`] for its
    /// statements, then [`Work::commit`], or [`Work::end`] with what came of them.
    pub(crate) async fn write(&self) -> Result<Work, StoreError> {
        Work::begin(&self.writers).await
    }

    /// Writes with one statement; says how many rows it changed.
    pub(crate) async fn write_one(&self, statement: Statement<'_>) -> Result<u64, StoreError> {
        let mut work = self.write().await?;
        let done = work.run(statement).await;
        work.end(done).await
    }

    /// Writes with one statement that may take long.
    pub(crate) async fn write_long(&self, statement: Statement<'_>) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let done = work.run_long(statement).await;
        work.end(done).await
    }

    /// Writes with one statement that gives a row.
    pub(crate) async fn write_row(
        &self,
        statement: Statement<'_>,
    ) -> Result<Option<AnyRow>, StoreError> {
        let mut work = self.write().await?;
        let done = work.row(statement).await;
        work.end(done).await
    }

    /// A connection to read from, which answers.
    async fn reader(&self) -> Result<Taken, StoreError> {
        loop {
            let mut taken = self.readers.take().await?;
            if taken.answers().await {
                return Ok(taken);
            }
            taken.discard();
        }
    }

    /// The first row that a question finds.
    pub(crate) async fn row(&self, question: Statement<'_>) -> Result<Option<AnyRow>, StoreError> {
        // All rows are taken: whoever stops at the first does not hear of a later failure.
        Ok(self.rows(question).await?.into_iter().next())
    }

    /// The number that a question finds.
    pub(crate) async fn count(&self, question: Statement<'_>) -> Result<u64, StoreError> {
        let row = self.row(question).await?;
        let count: i64 = row.ok_or(sqlx::Error::RowNotFound)?.try_get(0)?;
        Ok(count.unsigned_abs())
    }

    /// All rows that a question finds.
    pub(crate) async fn rows(&self, question: Statement<'_>) -> Result<Vec<AnyRow>, StoreError> {
        self.rows_of(question, Length::Short).await
    }

    /// All rows that a question finds which may take long.
    pub(crate) async fn many_rows(
        &self,
        question: Statement<'_>,
    ) -> Result<Vec<AnyRow>, StoreError> {
        self.rows_of(question, Length::Long).await
    }

    async fn rows_of(
        &self,
        question: Statement<'_>,
        length: Length,
    ) -> Result<Vec<AnyRow>, StoreError> {
        let mut taken = self.reader().await?;
        let connections = Arc::clone(taken.home());
        let rows = question.fetch_all(taken.get()?);
        match connections.in_time(length, rows).await {
            Ok(rows) => {
                taken.give_back();
                Ok(rows)
            }
            Err(error) => {
                taken.discard();
                Err(error.into())
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use sqlx::query;

    use super::*;
    use crate::Location;

    async fn open() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let place = Location::File(folder.path().join("games.db"));
        (folder, Store::open(&place).await.unwrap())
    }

    fn insert(name: &str) -> Statement<'_> {
        query("INSERT INTO setting (owner, name, value) VALUES ('ann', $1, $2)")
            .bind(name)
            .bind("x".repeat(20_000))
    }

    /// Something that only this connection knows.
    async fn mark(taken: &mut Taken) {
        taken.run("PRAGMA cache_size = 1234").await.unwrap();
    }

    async fn is_marked(store: &Store) -> bool {
        let mut taken = store.writers.take().await.unwrap();
        let row = query("PRAGMA cache_size").fetch_one(taken.get().unwrap());
        let size: i64 = row.await.unwrap().try_get(0).unwrap();
        taken.give_back();
        size == 1234
    }

    async fn names(store: &Store) -> Vec<String> {
        let all = store.settings("ann").await.unwrap();
        all.into_iter().map(|(name, _)| name).collect()
    }

    /// A connection whose file has no room for another page.
    async fn fill(work: &mut Work) {
        mark(&mut work.taken).await;
        let pages = work.row(query("PRAGMA page_count")).await.unwrap();
        let pages: i64 = pages.unwrap().try_get(0).unwrap();
        let full = format!("PRAGMA max_page_count = {pages}");
        work.row(query(sqlx::AssertSqlSafe(full))).await.unwrap();
    }

    #[tokio::test]
    async fn what_is_acknowledged_after_failures_is_kept() {
        for failures in [1, 2, 10] {
            let (folder, store) = open().await;
            store.set_setting("ann", "before", "1").await.unwrap();
            for _ in 0..failures {
                let mut work = store.write().await.unwrap();
                fill(&mut work).await;
                let refused = work.run(insert("full")).await;
                assert!(refused.as_ref().is_err_and(StoreError::may_pass));
                work.end(refused).await.unwrap_err();
                assert!(
                    !is_marked(&store).await,
                    "a failed connection is used again"
                );
            }
            store.set_setting("ann", "later", "1").await.unwrap();
            // Another process sees it while this one has the store open.
            let place = Location::File(folder.path().join("games.db"));
            let other = Store::open(&place).await.unwrap();
            assert_eq!(names(&other).await, ["before", "later"]);
            other.set_setting("ann", "other", "1").await.unwrap();
            assert_eq!(names(&store).await.len(), 3);
        }
    }

    #[tokio::test]
    async fn a_transaction_that_was_dropped_leaves_nothing() {
        let (_folder, store) = open().await;
        let memory = Store::open(&Location::Memory).await.unwrap();
        for store in [store, memory] {
            let mut work = store.write().await.unwrap();
            mark(&mut work.taken).await;
            work.run(insert("dropped")).await.unwrap();
            drop(work);
            // Memory has one connection, which is mended.
            let is_memory = store.writers.backend == Backend::Memory;
            assert_eq!(is_marked(&store).await, is_memory);
            store.set_setting("ann", "later", "1").await.unwrap();
            assert_eq!(names(&store).await, ["later"]);
        }
    }

    #[tokio::test]
    async fn a_refused_value_costs_no_connection() {
        let (_folder, store) = open().await;
        let mut work = store.write().await.unwrap();
        mark(&mut work.taken).await;
        work.run(insert("one")).await.unwrap();
        let refused = work.run(insert("one")).await.unwrap_err();
        assert!(!refused.may_pass(), "{refused}");
        // Who forgets the refusal does not get half of a change.
        work.commit().await.unwrap_err();
        assert!(is_marked(&store).await);
        assert!(names(&store).await.is_empty());
    }

    #[test]
    fn only_what_does_surely_not_count_is_refused() {
        // A constraint, a deadlock, no room; SQLite: busy, full.
        for code in ["23505", "40P01", "40001", "53100", "5", "13"] {
            assert!(is_refused(code), "{code}");
        }
        // Completion unknown, a cut connection, shut down; SQLite: an input/output error.
        for code in ["40003", "08006", "57P01", "10", ""] {
            assert!(!is_refused(code), "{code}");
        }
    }

    #[tokio::test]
    async fn the_check_fails_inside_a_transaction() {
        let (_folder, store) = open().await;
        let mut work = store.write().await.unwrap();
        work.taken.run(Backend::File.check()).await.unwrap_err();
        work.run(insert("lost")).await.unwrap();
        work.taken.run(Backend::File.check()).await.unwrap_err();
        drop(work);
        assert!(names(&store).await.is_empty());
    }

    #[tokio::test]
    async fn every_commit_leaves_its_connection_outside_a_transaction() {
        let (_folder, store) = open().await;
        for n in 0..20 {
            store.set_setting("ann", &n.to_string(), "1").await.unwrap();
            let mut taken = store.writers.take().await.unwrap();
            taken.run(Backend::File.check()).await.unwrap();
            taken.give_back();
        }
    }

    #[tokio::test]
    async fn who_is_busy_refuses_before_anything_is_done() {
        let (folder, store) = open().await;
        let place = Location::File(folder.path().join("games.db"));
        let other = Store::open(&place).await.unwrap();
        let mut held = other.write().await.unwrap();
        held.run(insert("held")).await.unwrap();
        // The readers of both go on meanwhile.
        assert!(names(&store).await.is_empty());
        let waiting = tokio::spawn(async move {
            store.set_setting("ann", "waiting", "1").await.unwrap();
            names(&store).await
        });
        held.commit().await.unwrap();
        assert_eq!(waiting.await.unwrap(), ["held", "waiting"]);
    }

    #[tokio::test]
    async fn a_long_question_holds_up_nobody() {
        let (_folder, store) = open().await;
        let long = tokio::spawn({
            let store = store.clone();
            // As long as it is asked: it ends when its connection is closed.
            let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
                       WHERE i < 1000000000000) SELECT count(*) FROM n";
            async move { store.count(query(sql)).await }
        });
        for n in 0..20 {
            store.set_setting("ann", &n.to_string(), "1").await.unwrap();
            assert_eq!(names(&store).await.len(), n + 1);
        }
        assert!(!long.is_finished());
        long.abort();
    }
}
