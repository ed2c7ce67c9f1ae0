//! Opening a store and bringing its schema up to date.

use std::{fs, time::Duration};

use sqlx::{
    AnyConnection, AnyPool, AssertSqlSafe, ConnectOptions as _, Connection as _, Executor,
    SqlSafeStr,
    any::{AnyConnectOptions, AnyPoolOptions},
    migrate::{Migration, MigrationType, Migrator},
    sqlite::SqliteConnectOptions,
};

use crate::{OpenError, Place};

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

/// Everything that is kept. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) pool: AnyPool,
    is_file: bool,
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
        let is_file = !matches!(place, Place::Postgres(_));
        // A pool tries again and again; a first connection says at once what is wrong.
        let mut first = AnyConnection::connect_with(&options)
            .await
            .map_err(failed)?;
        prepare(&mut first, is_file).await.map_err(failed)?;
        first.close().await.map_err(failed)?;
        // SQLite has one writer; with one connection, those who write queue here instead of there.
        // A store in memory lives as long as its connection.
        let pool = AnyPoolOptions::new()
            .max_connections(if is_file { 1 } else { CONNECTIONS })
            .min_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .acquire_timeout(Duration::from_secs(10))
            .after_connect(move |connection, _| Box::pin(prepare(connection, is_file)))
            .connect_with(options)
            .await
            .map_err(failed)?;
        let store = Self { pool, is_file };
        let migrated = migrator().run(&store.pool).await;
        migrated.map_err(|cause| OpenError::Migrate {
            place: place.to_string(),
            cause,
        })?;
        Ok(store)
    }

    /// A statement in the words of the back end: `{now}` is its clock in milliseconds since 1970,
    /// `{lock}` passes over rows that another worker looks at (a file has one writer anyway).
    pub(crate) fn dialect(&self, sql: &'static str) -> AssertSqlSafe<String> {
        let (now, lock) = match self.is_file {
            true => ("CAST(unixepoch('subsec') * 1000 AS BIGINT)", ""),
            false => (
                "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
                "FOR UPDATE OF f SKIP LOCKED",
            ),
        };
        AssertSqlSafe(sql.replace("{now}", now).replace("{lock}", lock))
    }

    /// Waits until everything is written, and closes.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// Sets how a connection works.
async fn prepare(connection: &mut AnyConnection, is_file: bool) -> Result<(), sqlx::Error> {
    if is_file {
        // A killed process loses nothing with these; only a power cut may lose the last moves,
        // never the file.
        connection
            .execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
            .await?;
    }
    Ok(())
}

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
