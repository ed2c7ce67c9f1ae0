//! Opening a store and bringing its schema up to date.

use std::sync::Arc;

use sqlx::{
    AnyConnection, AssertSqlSafe, ConnectOptions as _, Executor as _, SqlSafeStr,
    any::AnyConnectOptions,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    raw_sql,
    sqlite::SqliteConnectOptions,
};

use crate::{
    OpenError, Place,
    connection::{Backend, Connections},
    open::{self, Way},
};

/// Version, name and text of each migration. They are never edited.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "start", include_str!("../migrations/0001_start.sql")),
    (
        2,
        "tournament",
        include_str!("../migrations/0002_tournament.sql"),
    ),
    (3, "secret", include_str!("../migrations/0003_secret.sql")),
];

/// How many connections to a PostgreSQL server are kept at most.
const CONNECTIONS: u32 = 8;

/// How many may read a file at the same time, beside the one who writes.
const READERS: u32 = 4;

/// Everything that is kept. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) writers: Arc<Connections>,
    pub(crate) readers: Arc<Connections>,
}

impl Store {
    /// Opens a store, made if it is not there, and brings its schema up to date.
    ///
    /// # Errors
    /// Says what is wrong with the place.
    pub async fn open(place: &Place) -> Result<Self, OpenError> {
        Self::open_by(place, Way::Make).await
    }

    /// Opens a store that must be there, for those who have nothing to put into it.
    ///
    /// # Errors
    /// Says what is wrong with the place.
    pub async fn open_existing(place: &Place) -> Result<Self, OpenError> {
        Self::open_by(place, Way::Existing).await
    }

    async fn open_by(place: &Place, way: Way) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let failed = |cause| open::explain(place, cause);
        if let Place::File(path) = place {
            open::prepare_file(path, way)?;
        }
        let options: AnyConnectOptions = url(place).parse().map_err(failed)?;
        let (backend, setup, most) = match place {
            // SQLite has one writer; with one connection, those who write queue here instead of there.
            Place::File(_) => (Backend::File, WRITES_FILE, 1),
            // A store in memory lives as long as its connection.
            Place::Memory => (Backend::Memory, WRITES_FILE, 1),
            Place::Postgres(_) => (Backend::Postgres, USES_SERVER, CONNECTIONS),
        };
        let writers = Connections::new(options.clone(), backend, setup, most);
        let first = async {
            let mut first = writers.reach().await.map_err(failed)?;
            // Before anything is changed.
            open::look_at_tables(&mut first, backend, place, way).await?;
            writers.set_up(&mut first).await.map_err(failed)?;
            migrate(&mut first, place).await?;
            // What cannot be written is no store to start with.
            let written = first.execute(raw_sql(backend.trial())).await;
            written.map_err(failed)?;
            Ok(first)
        };
        writers.keep(first.await?);
        let readers = match backend {
            Backend::File => Connections::new(options, backend, READS_FILE, READERS),
            Backend::Memory | Backend::Postgres => Arc::clone(&writers),
        };
        Ok(Self { writers, readers })
    }

    /// A statement in the words of the back end: `{now}` is its clock in milliseconds since 1970,
    /// `{lock}` passes over rows that another worker looks at (a file has one writer anyway).
    pub(crate) fn dialect(&self, sql: &'static str) -> AssertSqlSafe<String> {
        let (now, lock) = match self.writers.backend {
            Backend::File | Backend::Memory => ("CAST(unixepoch('subsec') * 1000 AS BIGINT)", ""),
            Backend::Postgres => (
                "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
                "FOR UPDATE OF f SKIP LOCKED",
            ),
        };
        AssertSqlSafe(sql.replace("{now}", now).replace("{lock}", lock))
    }

    /// Waits until everything is written, and closes.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writers.close().await;
    }
}

/// How a file is written: what is committed is on the disk, also after a power cut.
const WRITES_FILE: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL";

/// How a file is read.
const READS_FILE: &str = "PRAGMA query_only = ON";

/// How a server is used: what is committed is on its disk, nobody waits long for a lock, and a client
/// that hangs in the middle of a transaction or has vanished holds up nobody.
const USES_SERVER: &str = "\
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off';
    SET lock_timeout = '3s'; SET statement_timeout = '60s';
    SET idle_in_transaction_session_timeout = '15s';
    SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

fn migrator() -> Migrator {
    let migrations = MIGRATIONS.iter().map(|&(version, name, sql)| {
        let sql = sql.into_sql_str();
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// Brings the schema up to date.
async fn migrate(connection: &mut AnyConnection, place: &Place) -> Result<(), OpenError> {
    let newest = MIGRATIONS.last().map_or(0, |last| last.0);
    let mut migrated = migrator().run(&mut *connection).await;
    if matches!(migrated, Err(MigrateError::ExecuteMigration(..))) {
        // Another process has done the same at this moment.
        let _ = connection.execute(raw_sql("ROLLBACK")).await;
        migrated = migrator().run(&mut *connection).await;
    }
    migrated.map_err(|cause| open::explain_migration(place, cause, newest))
}

/// The place as the database driver names it.
fn url(place: &Place) -> String {
    match place {
        Place::Postgres(url) => url.clone(),
        Place::Memory => "sqlite::memory:".into(),
        // A file that vanishes while it is used is not made anew.
        Place::File(path) => {
            let options = SqliteConnectOptions::new().filename(path);
            options.create_if_missing(false).to_url_lossy().into()
        }
    }
}
