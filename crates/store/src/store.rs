//! Opening a store and bringing its schema up to date.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use sqlx::{
    AnyConnection, AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, SqlSafeStr,
    any::AnyConnectOptions,
    migrate::{Migration, MigrationType, Migrator},
    raw_sql,
    sqlite::SqliteConnectOptions,
};
use tokio::time::sleep;

use crate::{
    Location, OpenError,
    claim::LONGEST_LEASE_MS,
    connection::{Backend, Connections, Length},
    notice::Notices,
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
    (
        4,
        "correction",
        include_str!("../migrations/0004_correction.sql"),
    ),
    (5, "study", include_str!("../migrations/0005_study.sql")),
    (6, "review", include_str!("../migrations/0006_review.sql")),
    (
        7,
        "learning",
        include_str!("../migrations/0007_learning.sql"),
    ),
    (8, "library", include_str!("../migrations/0008_library.sql")),
    (
        9,
        "replicas",
        include_str!("../migrations/0009_replicas.sql"),
    ),
    (10, "jobs", include_str!("../migrations/0010_jobs.sql")),
    (
        11,
        "declined",
        include_str!("../migrations/0011_declined.sql"),
    ),
    (
        12,
        "released",
        include_str!("../migrations/0012_released.sql"),
    ),
    (
        13,
        "audience",
        include_str!("../migrations/0013_audience.sql"),
    ),
];

/// How many connections to a PostgreSQL server are kept at most.
const CONNECTIONS: u32 = 8;

/// How long to wait for another process that has locked a new file.
const BUSY: Duration = Duration::from_secs(5);

/// How many may read a file at the same time, beside the one who writes.
const READERS: u32 = 4;

/// Everything that is kept. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) writers: Arc<Connections>,
    pub(crate) readers: Arc<Connections>,
    pub(crate) notices: Arc<Notices>,
    /// The place as the database driver names it.
    pub(crate) url: Arc<str>,
}

impl Store {
    /// Opens a store, made if it is not there, and brings its schema up to date.
    ///
    /// # Errors
    /// Says what is wrong with the place.
    pub async fn open(place: &Location) -> Result<Self, OpenError> {
        Self::open_by(place, Way::Make).await
    }

    /// Opens a store that must be there, for those who have nothing to put into it.
    ///
    /// # Errors
    /// Says what is wrong with the place.
    pub async fn open_existing(place: &Location) -> Result<Self, OpenError> {
        Self::open_by(place, Way::Existing).await
    }

    async fn open_by(place: &Location, way: Way) -> Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let failed = |cause| open::explain(place, cause);
        if let Location::File(path) = place {
            open::prepare_file(path, way)?;
        }
        let options: AnyConnectOptions = url(place).parse().map_err(failed)?;
        let (backend, setup, most) = match place {
            // SQLite has one writer; with one connection, those who write queue here instead of there.
            Location::File(_) => (Backend::File, WRITES_FILE, 1),
            // A store in memory lives as long as its connection.
            Location::Memory => (Backend::Memory, WRITES_FILE, 1),
            Location::Postgres(_) => (Backend::Postgres, USES_SERVER, CONNECTIONS),
        };
        let writers = Connections::new(options.clone(), backend, setup, most);
        let first = begin(&writers, place, way).await?;
        writers.keep(first);
        let readers = match backend {
            Backend::File => Connections::new(options, backend, READS_FILE, READERS),
            Backend::Memory | Backend::Postgres => Arc::clone(&writers),
        };
        Ok(Self {
            writers,
            readers,
            notices: Arc::default(),
            url: url(place).into(),
        })
    }

    /// A statement in the words of the back end: `{now}` is its clock in milliseconds since 1970,
    /// `{leased}` is a range in which a lease is held now, `{lock}` passes over rows that another
    /// worker looks at (a file has one writer anyway).
    pub(crate) fn dialect(&self, sql: &'static str) -> AssertSqlSafe<String> {
        self.dialect_of(sql)
    }

    /// The same for a statement that was put together.
    pub(crate) fn dialect_of(&self, sql: &str) -> AssertSqlSafe<String> {
        let (now, lock) = match self.writers.backend {
            Backend::File | Backend::Memory => ("CAST(unixepoch('subsec') * 1000 AS BIGINT)", ""),
            Backend::Postgres => (
                "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
                "FOR UPDATE OF f SKIP LOCKED",
            ),
        };
        let leased = format!("BETWEEN {now} + 1 AND {now} + {LONGEST_LEASE_MS}");
        let sql = sql.replace("{leased}", &leased).replace("{now}", now);
        AssertSqlSafe(sql.replace("{lock}", lock))
    }

    /// How many statements were sent to the database since the store was opened, and how long their answers
    /// took in all.
    #[must_use]
    pub fn usage(&self) -> (u64, Duration) {
        let (count, waited) = self.writers.usage();
        match Arc::ptr_eq(&self.writers, &self.readers) {
            true => (count, waited),
            false => {
                let (more, longer) = self.readers.usage();
                (count + more, waited + longer)
            }
        }
    }

    /// Waits until everything is written, and closes.
    pub async fn close(&self) {
        self.tell_others().await;
        self.notices.close();
        self.readers.close().await;
        self.writers.close().await;
    }
}

/// How a file is written: what is committed is on the disk, also after a power cut, and what is replaced
/// does not stay readable in a corner of it.
const WRITES_FILE: &str = "\
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST";

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

/// The first connection to a store, which is ours, up to date, and can be written.
async fn begin(
    writers: &Connections,
    place: &Location,
    way: Way,
) -> Result<AnyConnection, OpenError> {
    let failed = |cause| open::explain(place, cause);
    let mut first = writers.reach().await.map_err(failed)?;
    // Before anything is changed.
    open::look_at_tables(&mut first, writers, place, way).await?;
    if let Location::File(path) = place {
        open::protect(path);
    }
    set_up(writers, &mut first).await.map_err(failed)?;
    let migrated = migrate(&mut first, writers.backend, place);
    let migrated = writers.limited(Length::Long, migrated).await;
    migrated.map_err(failed)??;
    // What cannot be written is no store to start with.
    let written = first.execute(raw_sql(writers.backend.trial()));
    let written = writers.in_time(Length::Short, written).await;
    written.map_err(failed)?;
    Ok(first)
}

/// Tells the first connection how to work. A new file becomes one with a log ahead of it; while another
/// process does the same to it, SQLite refuses that without waiting.
async fn set_up(writers: &Connections, first: &mut AnyConnection) -> Result<(), sqlx::Error> {
    let end = Instant::now() + BUSY;
    loop {
        match writers.set_up(first).await {
            Err(sqlx::Error::Database(error))
                if error.code().as_deref() == Some("5") && Instant::now() < end =>
            {
                sleep(BUSY / 100).await;
            }
            done => return done,
        }
    }
}

/// Brings the schema up to date. A file is locked meanwhile: of several who open it at once, one does it;
/// a server has a lock for this.
async fn migrate(
    connection: &mut AnyConnection,
    backend: Backend,
    place: &Location,
) -> Result<(), OpenError> {
    let newest = MIGRATIONS.last().map_or(0, |last| last.0);
    let failed = |cause| open::explain_migration(place, cause, newest);
    if backend == Backend::Postgres {
        let migrated = migrator().run_direct(None, connection, false).await;
        return migrated.map_err(failed);
    }
    let begun = connection.begin_with(backend.begin()).await;
    let mut work = begun.map_err(|cause| open::explain(place, cause))?;
    let migrated = migrator().run_direct(None, &mut *work, false).await;
    migrated.map_err(failed)?;
    let done = work.commit().await;
    done.map_err(|cause| open::explain(place, cause))
}

/// The place as the database driver names it.
fn url(place: &Location) -> String {
    match place {
        Location::Postgres(url) => url.clone(),
        Location::Memory => "sqlite::memory:".into(),
        // A file that vanishes while it is used is not made anew.
        Location::File(path) => {
            let options = SqliteConnectOptions::new().filename(path);
            options.create_if_missing(false).to_url_lossy().into()
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// A store as the first version with tournaments left it.
    async fn old(path: &std::path::Path) {
        sqlx::any::install_default_drivers();
        open::prepare_file(path, Way::Make).unwrap();
        let options: AnyConnectOptions = url(&Location::File(path.into())).parse().unwrap();
        let mut connection = options.connect().await.unwrap();
        let old = migrator().iter().take(2).cloned().collect();
        let old = Migrator::with_migrations(old);
        old.run(&mut connection).await.unwrap();
        let rows = "
            INSERT INTO game (id, owner, rules, control, take_backs, plies, created_ms, changed_ms)
            VALUES ('open', 'ann', 'ashton', 'none', 1, 1, 1, 1),
                   ('cup', 'tournament', 'ashton', 'none', 0, 0, 1, 1);
            INSERT INTO seat (game, side, player, secret, holder)
            VALUES ('open', 'attackers', 'person', 'invitation', NULL),
                   ('open', 'defenders', 'person', 'used', 'ann'),
                   ('cup', 'attackers', 'level:1', 'idle', NULL),
                   ('cup', 'defenders', 'remote', 'idle', NULL);
            INSERT INTO move (game, ply, step) VALUES ('open', 1, 'e4f4')";
        connection.execute(raw_sql(rows)).await.unwrap();
    }

    #[test]
    fn every_file_of_migrations_is_run_in_its_order() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        let files = std::fs::read_dir(&folder).unwrap();
        let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut files: Vec<_> = files.collect();
        files.sort();
        let name = |&(version, name, _): &_| format!("{version:04}_{name}.sql");
        let listed: Vec<_> = MIGRATIONS.iter().map(name).collect();
        assert_eq!(listed, files);
        for (name, (.., sql)) in listed.iter().zip(MIGRATIONS) {
            let text = std::fs::read_to_string(folder.join(name)).unwrap();
            assert_eq!(*sql, text, "{name} holds the text of another file");
        }
    }

    #[tokio::test]
    async fn an_old_store_is_upgraded_and_loses_only_secrets_that_open_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.db");
        old(&path).await;
        let place = Location::File(path);
        // Twice: what is up to date stays as it is.
        for _ in 0..2 {
            let store = Store::open(&place).await.unwrap();
            let game = store.game("open").await.unwrap();
            assert_eq!(game.plies, 1);
            assert_eq!(game.seats.attackers.secret, "invitation");
            assert_eq!(game.seats.defenders.secret, "");
            assert_eq!(game.seats.defenders.holder.as_deref(), Some("ann"));
            assert_eq!(store.moves("open").await.unwrap().len(), 1);
            let cup = store.game("cup").await.unwrap();
            assert!(cup.seats.values().all(|seat| seat.secret.is_empty()));
            store.close().await;
        }
    }

    #[tokio::test]
    async fn two_who_make_a_store_at_once_both_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = Location::File(folder.path().join("new/games.db"));
        let opening = (0..4).map(|_| {
            let place = place.clone();
            tokio::spawn(async move { Store::open(&place).await.map(drop) })
        });
        for opened in opening.collect::<Vec<_>>() {
            opened.await.unwrap().unwrap();
        }
    }
}
