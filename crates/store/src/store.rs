//! Opening a store and bringing its schema up to date.

use std::{fs, sync::Arc};

use sqlx::{
    AssertSqlSafe, ConnectOptions as _, SqlSafeStr,
    any::AnyConnectOptions,
    migrate::{Migration, MigrationType, Migrator},
    sqlite::SqliteConnectOptions,
};

use crate::{
    OpenError, Place,
    connection::{Backend, Connections},
};

/// Version, name and text of each migration. They are never edited.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "start", include_str!("../migrations/0001_start.sql")),
    (
        2,
        "tournament",
        include_str!("../migrations/0002_tournament.sql"),
    ),
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
    /// Opens a store and brings its schema up to date.
    ///
    /// # Errors
    /// Says what is wrong with the place.
    pub async fn open(place: &Place) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let failed = |cause| OpenError::Connect {
            place: place.to_string(),
            cause,
        };
        let url = url(place)?;
        let options: AnyConnectOptions = url.parse().map_err(failed)?;
        let (backend, setup, most) = match place {
            // SQLite has one writer; with one connection, those who write queue here instead of there.
            Place::File(_) => (Backend::File, WRITES_FILE, 1),
            // A store in memory lives as long as its connection.
            Place::Memory => (Backend::Memory, WRITES_FILE, 1),
            Place::Postgres(_) => (Backend::Postgres, USES_SERVER, CONNECTIONS),
        };
        let writers = Connections::new(options.clone(), backend, setup, most);
        let mut first = writers.connect().await.map_err(failed)?;
        let migrated = migrator().run(&mut first).await;
        migrated.map_err(|cause| OpenError::Migrate {
            place: place.to_string(),
            cause,
        })?;
        writers.keep(first);
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

/// The place as the database driver names it; makes the folder of a file.
fn url(place: &Place) -> Result<String, OpenError> {
    match place {
        Place::Postgres(url) => Ok(url.clone()),
        Place::Memory => Ok("sqlite::memory:".into()),
        Place::File(path) => {
            if path.to_str().is_none() {
                return Err(OpenError::Path(path.clone()));
            }
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder {
                fs::create_dir_all(folder).map_err(|cause| OpenError::Folder {
                    folder: folder.into(),
                    cause,
                })?;
            }
            let options = SqliteConnectOptions::new().filename(path);
            Ok(options.create_if_missing(true).to_url_lossy().into())
        }
    }
}
