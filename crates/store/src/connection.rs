//! Connections to the database, none of which is used again after anything on it has failed.
//!
//! A connection that failed may be in the middle of a transaction that nobody knows of, and what is
//! written through it afterwards may never be committed. So a connection comes back here only when it is
//! known to be well; in every other case, also when its user was cancelled, it is closed.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use sqlx::{
    AnyConnection, ConnectOptions as _, Connection as _, Executor as _, any::AnyConnectOptions,
    raw_sql,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::StoreError;

/// How long to wait for one of the connections that others use.
const QUEUE: Duration = Duration::from_secs(6);

/// How long a PostgreSQL server may take to greet, and to answer what is not known to take long. A file
/// has no limit: its system answers or fails.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long one that did not answer last time may take to greet: nobody waits long for a server that is
/// known to be silent.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);

/// How long a PostgreSQL server may take for a question about all games.
const LONG_PATIENCE: Duration = Duration::from_secs(60);

/// How long after its last answer a connection is taken to be well.
const BELIEVED: Duration = Duration::from_secs(1);

/// What a store is kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Backend {
    File,
    Memory,
    Postgres,
}

impl Backend {
    /// Begins a transaction that writes. SQLite takes its lock here: who has to wait waits before
    /// anything is done.
    pub(crate) const fn begin(self) -> &'static str {
        match self {
            Self::File | Self::Memory => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN",
        }
    }

    /// Fails if the connection is inside a transaction. SQLite refuses to begin a second one; in
    /// PostgreSQL, a transaction that has written has a number, and one that was aborted refuses all.
    pub(crate) const fn check(self) -> &'static str {
        match self {
            Self::File | Self::Memory => "BEGIN; ROLLBACK",
            Self::Postgres => {
                "SELECT 1 / CASE WHEN txid_current_if_assigned() IS NULL THEN 1 ELSE 0 END"
            }
        }
    }

    /// Fails if nothing can be written.
    pub(crate) const fn trial(self) -> &'static str {
        match self {
            // Of a file that can only be read, SQLite begins such a transaction too, and lets it read.
            Self::File | Self::Memory => {
                "BEGIN IMMEDIATE; UPDATE setting SET value = value WHERE owner = ''; ROLLBACK"
            }
            Self::Postgres => "BEGIN; UPDATE setting SET value = value WHERE owner = ''; ROLLBACK",
        }
    }

    /// Ends a transaction and checks that it is over, in one message.
    pub(crate) const fn commit(self) -> &'static str {
        match self {
            Self::File | Self::Memory => "COMMIT; BEGIN; ROLLBACK",
            Self::Postgres => {
                "COMMIT; SELECT 1 / CASE WHEN txid_current_if_assigned() IS NULL THEN 1 ELSE 0 END"
            }
        }
    }
}

/// How long a question may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    Greeting,
    Short,
    Long,
    /// As long as it takes: work that somebody watches and can end.
    Unlimited,
}

/// Connections of one kind: those that are free, and how many there may be.
#[derive(Debug)]
pub(crate) struct Connections {
    options: AnyConnectOptions,
    pub(crate) backend: Backend,
    /// What a new connection is told first.
    setup: &'static str,
    permits: Arc<Semaphore>,
    most: u32,
    /// With when each was last known to be well.
    free: Mutex<Vec<(AnyConnection, Instant)>>,
    /// A store in memory whose connection is not outside a transaction cannot be mended.
    is_lost: AtomicBool,
    /// Whether a server did not answer the last time.
    is_silent: AtomicBool,
    /// How many answers were waited for, and how long in all, in microseconds.
    usage: [AtomicU64; 2],
}

impl Connections {
    pub(crate) fn new(
        options: AnyConnectOptions,
        backend: Backend,
        setup: &'static str,
        most: u32,
    ) -> Arc<Self> {
        Arc::new(Self {
            options,
            backend,
            setup,
            permits: Arc::new(Semaphore::new(most as usize)),
            most,
            free: Mutex::default(),
            is_lost: AtomicBool::new(false),
            is_silent: AtomicBool::new(false),
            usage: Default::default(),
        })
    }

    fn free(&self) -> MutexGuard<'_, Vec<(AnyConnection, Instant)>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection that is free, or a new one.
    pub(crate) async fn take(self: &Arc<Self>) -> Result<Taken, StoreError> {
        let permit = timeout(QUEUE, Arc::clone(&self.permits).acquire_owned()).await;
        let permit = match permit {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) => return Err(StoreError::Database(sqlx::Error::PoolClosed)),
            Err(_) => return Err(StoreError::Database(sqlx::Error::PoolTimedOut)),
        };
        let (free, well) = self.free().pop().unzip();
        let mut taken = Taken {
            well,
            connection: free,
            home: Arc::clone(self),
            _permit: permit,
        };
        if taken.connection.is_none() {
            taken.connection = Some(self.connect().await?);
        } else if self.backend == Backend::Memory {
            taken.mend().await?;
        }
        Ok(taken)
    }

    /// A new connection, ready for use.
    pub(crate) async fn connect(&self) -> Result<AnyConnection, sqlx::Error> {
        if self.is_lost.load(Ordering::Acquire) {
            return Err(sqlx::Error::Io(std::io::Error::other(
                "what was in memory is lost; start again",
            )));
        }
        let mut connection = self.reach().await?;
        self.set_up(&mut connection).await?;
        Ok(connection)
    }

    /// A new connection as the database gives it.
    pub(crate) async fn reach(&self) -> Result<AnyConnection, sqlx::Error> {
        self.in_time(Length::Greeting, self.options.connect()).await
    }

    /// Tells a new connection how to work.
    pub(crate) async fn set_up(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        let told = connection.execute(raw_sql(self.setup));
        self.in_time(Length::Short, told).await?;
        Ok(())
    }

    /// Waits for an answer, but for a server not forever.
    pub(crate) async fn in_time<T>(
        &self,
        length: Length,
        answer: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, sqlx::Error> {
        let begin = Instant::now();
        let answer = self.limited(length, answer).await;
        let waited = u64::try_from(begin.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.usage[0].fetch_add(1, Ordering::Relaxed);
        self.usage[1].fetch_add(waited, Ordering::Relaxed);
        answer?
    }

    /// How many answers were waited for, and how long in all.
    pub(crate) fn usage(&self) -> (u64, Duration) {
        let [count, waited] = [0, 1].map(|n| self.usage[n].load(Ordering::Relaxed));
        (count, Duration::from_micros(waited))
    }

    /// The same for what has errors of its own.
    pub(crate) async fn limited<T>(
        &self,
        length: Length,
        answer: impl Future<Output = T>,
    ) -> Result<T, sqlx::Error> {
        if self.backend != Backend::Postgres || length == Length::Unlimited {
            return Ok(answer.await);
        }
        let limit = match length {
            Length::Greeting if self.is_silent.load(Ordering::Relaxed) => SHORT_PATIENCE,
            Length::Greeting | Length::Short => PATIENCE,
            Length::Long | Length::Unlimited => LONG_PATIENCE,
        };
        let answer = timeout(limit, answer).await;
        self.is_silent.store(answer.is_err(), Ordering::Relaxed);
        answer.map_err(|_| {
            sqlx::Error::Io(std::io::Error::new(
                std::io::ErrorKind::TimedOut,
                format!("no answer for {} s", limit.as_secs()),
            ))
        })
    }

    /// Keeps a connection that is known to be well.
    pub(crate) fn keep(&self, connection: AnyConnection) {
        if !self.permits.is_closed() {
            self.free().push((connection, Instant::now()));
        }
    }

    /// Waits until nobody uses a connection any more, and closes all of them.
    pub(crate) async fn close(&self) {
        // Who hangs is not waited for: what was not committed was not acknowledged.
        let all = timeout(QUEUE, self.permits.acquire_many(self.most)).await;
        self.permits.close();
        drop(all);
        let free = std::mem::take(&mut *self.free());
        for (connection, _) in free {
            // A connection that does not close is closed by being dropped.
            let _ = self.in_time(Length::Short, connection.close()).await;
        }
    }
}

/// A connection in use. Dropped, it is closed, unless it was given back.
#[derive(Debug)]
pub(crate) struct Taken {
    connection: Option<AnyConnection>,
    home: Arc<Connections>,
    /// When it was last known to be well; never if nobody has used it before.
    well: Option<Instant>,
    _permit: OwnedSemaphorePermit,
}

impl Taken {
    /// The connection itself.
    pub(crate) fn get(&mut self) -> Result<&mut AnyConnection, sqlx::Error> {
        self.connection.as_mut().ok_or(sqlx::Error::PoolClosed)
    }

    pub(crate) fn home(&self) -> &Arc<Connections> {
        &self.home
    }

    /// Runs statements without values.
    pub(crate) async fn run(&mut self, sql: &'static str) -> Result<(), sqlx::Error> {
        let home = Arc::clone(&self.home);
        let connection = self.get()?;
        let done = connection.execute(raw_sql(sql));
        home.in_time(Length::Short, done).await?;
        Ok(())
    }

    /// Whether nobody has used it before.
    pub(crate) const fn is_new(&self) -> bool {
        self.well.is_none()
    }

    /// Whether the other end is still there. A file always is; of a server that answered a moment ago it is
    /// believed, since to ask would take as long as most questions.
    pub(crate) async fn answers(&mut self) -> bool {
        if self.well.is_none_or(|well| well.elapsed() < BELIEVED) {
            return true;
        }
        let home = Arc::clone(&self.home);
        match (home.backend, self.get()) {
            (Backend::File | Backend::Memory, Ok(_)) => true,
            (Backend::Postgres, Ok(connection)) => {
                let pong = home.in_time(Length::Greeting, connection.ping()).await;
                pong.is_ok()
            }
            (_, Err(_)) => false,
        }
    }

    /// Gives back a connection that is known to be well.
    pub(crate) fn give_back(mut self) {
        if let Some(connection) = self.connection.take() {
            self.home.keep(connection);
        }
    }

    /// Closes a connection on which something failed. Others that were opened before are likely to be
    /// no better.
    pub(crate) fn discard(self) {
        if self.home.backend == Backend::Postgres {
            self.home.free().clear();
        }
    }

    /// A store in memory is gone with its connection, so that one is used again: after a rollback, and
    /// only if it is outside a transaction then.
    async fn mend(&mut self) -> Result<(), sqlx::Error> {
        if self.run(self.home.backend.check()).await.is_ok() {
            return Ok(());
        }
        // It fails when the database has rolled back by itself; the check decides.
        let _ = self.run("ROLLBACK").await;
        let checked = self.run(self.home.backend.check()).await;
        if checked.is_err() {
            self.home.is_lost.store(true, Ordering::Release);
            self.connection = None;
        }
        checked
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        if self.home.backend == Backend::Memory
            && let Some(connection) = self.connection.take()
        {
            // The next one mends it.
            self.home.keep(connection);
        }
    }
}
