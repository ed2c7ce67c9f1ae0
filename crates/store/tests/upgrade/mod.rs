//! Two versions of the program on one store: each migration only adds, so whoever runs already goes on.
//!
//! There is no older program in a test. So this one is the older one: all stories are told again on a store
//! that a version of tomorrow has changed after it was opened, in every way that a migration may. And what the
//! version before this one says to the tables that this one has changed is said as it said it.

use std::{fs, path::Path};

use sqlx::{
    AnyConnection, AssertSqlSafe, Connection as _, Executor as _, Row as _, migrate::Migrator,
    query, raw_sql,
};
use tablut_store::{JobKind, OpenError, ProcessReport};

use super::*;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations")
}

async fn connect(place: &Location) -> AnyConnection {
    sqlx::any::install_default_drivers();
    let url = match place {
        Location::Postgres(url) => url.clone(),
        Location::File(path) => format!("sqlite://{}?mode=rwc", path.display()),
        Location::Memory => panic!("nobody else comes to a store in memory"),
    };
    AnyConnection::connect(&url).await.unwrap()
}

/// Changes a store that is in use as a version of tomorrow may: every table has more columns, and there are
/// more tables.
pub(crate) async fn to_next_version(store: &Store, place: &Location) {
    // What was prepared before has to work afterwards too.
    let report = ProcessReport::default();
    store.beat("here", &report).await.unwrap();
    store.count_jobs().await.unwrap();
    store.processes().await.unwrap();
    store.bury("here", true).await.unwrap();
    let mut other = connect(place).await;
    let (tables, checksum) = match place {
        Location::Postgres(_) => (
            "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'",
            "'\\x00'",
        ),
        _ => (
            "SELECT name FROM sqlite_master WHERE type = 'table'",
            "x'00'",
        ),
    };
    let tables = query(tables).fetch_all(&mut other).await.unwrap();
    let tables = tables.iter().map(|row| row.get::<String, _>(0));
    for table in tables.filter(|table| !table.starts_with("_sqlx") && !table.starts_with("sqlite"))
    {
        let sql = format!(
            "ALTER TABLE {table} ADD COLUMN tomorrow BIGINT NOT NULL DEFAULT 7;
             ALTER TABLE {table} ADD COLUMN perhaps TEXT"
        );
        other.execute(raw_sql(AssertSqlSafe(sql))).await.unwrap();
    }
    let sql = format!(
        "CREATE TABLE of_tomorrow (id TEXT NOT NULL PRIMARY KEY);
         INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9999, 'of tomorrow', TRUE, {checksum}, 0)"
    );
    other.execute(raw_sql(AssertSqlSafe(sql))).await.unwrap();
    other.close().await.unwrap();
    // Whoever comes now has to be of tomorrow.
    let late = Store::open_existing(place).await;
    assert!(matches!(late, Err(OpenError::Newer { .. })));
}

/// What the version before this one says about jobs, to whose table this version has added a column.
async fn the_version_before_goes_on(place: &Location) {
    let mut before = connect(place).await;
    let all = Migrator::new(folder()).await.unwrap();
    let known = all.iter().filter(|migration| migration.version < 12);
    let known = Migrator::with_migrations(known.cloned().collect());
    known.run(&mut before).await.unwrap();
    async fn say(before: &mut AnyConnection, sql: &'static str, id: &str) -> Vec<i64> {
        let rows = query(sql).bind(id).fetch_all(before).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }
    let order = "INSERT INTO job (id, kind, priority, owner, address, process, parameters, limit_ms, created_ms)
        VALUES ($1, 'games', 0, 'ann', '', 'server', '', 1000, 1) RETURNING created_ms";
    let claim = "UPDATE job SET attempt = attempt + 1, worker = 'w', begun_ms = 1, lease_ms = 0
        WHERE id = $1 AND ended_ms IS NULL AND attempt < 5 RETURNING attempt";
    let end = "UPDATE job SET found = 'all', version = version + 1, ended_ms = 2
        WHERE id = $1 AND ended_ms IS NULL RETURNING version";
    assert_eq!(say(&mut before, order, "first").await, [1]);
    assert_eq!(say(&mut before, claim, "first").await, [1]);
    // This version comes, and both serve the same jobs.
    let store = Store::open_existing(place).await.unwrap();
    let report = ProcessReport::default();
    store.beat("server", &report).await.unwrap();
    assert_eq!(say(&mut before, end, "first").await, [1]);
    assert!(store.job("first").await.unwrap().unwrap().has_ended);
    assert_eq!(say(&mut before, order, "second").await, [1]);
    assert_eq!(say(&mut before, claim, "second").await, [1]);
    let ours = store.claim_job(&JobKind::ALL, "w", 60_000).await.unwrap();
    let ours = ours.unwrap();
    assert_eq!((ours.id.as_str(), ours.attempt), ("second", 2));
    store.end_job(&ours, Ok("all")).await.unwrap();
    assert_eq!(say(&mut before, end, "second").await, [0_i64; 0]);
    // Work of a kind that only a version of tomorrow knows is shown to the administrator, and left alone.
    let tomorrow = "INSERT INTO job (id, kind, priority, owner, address, process, parameters, limit_ms, created_ms)
        VALUES ($1, 'dreams', 0, 'ann', '', 'server', '', 1000, 1) RETURNING created_ms";
    assert_eq!(say(&mut before, tomorrow, "third").await, [1]);
    let counts = store.count_jobs().await.unwrap();
    let counts: Vec<_> = counts.iter().map(|of| (&*of.kind, of.waiting)).collect();
    let known = [("games", 0), ("analysis", 0), ("puzzles", 0)];
    assert_eq!(counts, [&known[..], &[("dreams", 1)]].concat());
    let theirs = store.claim_job(&JobKind::ALL, "w", 60_000).await.unwrap();
    assert_eq!(theirs, None);
    before.close().await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn the_version_before_goes_on_with_a_file_that_this_one_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let place = Location::File(folder.path().join("games.db"));
    the_version_before_goes_on(&place).await;
}

#[tokio::test]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn the_version_before_goes_on_with_a_database_that_this_one_has_changed() {
    let server = postgres::Server::start();
    let place = Location::Postgres(server.database("games"));
    the_version_before_goes_on(&place).await;
}

/// What a statement of a migration does that a program of the version before could not stand, given the tables
/// that are new with it.
fn harm(statement: &str, new: &[&str]) -> Option<&'static str> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let has = |wanted: &[&str]| words.windows(wanted.len()).any(|part| part == wanted);
    match words[..] {
        ["CREATE", "TABLE", ..] | ["CREATE", "INDEX", ..] => None,
        // What was there twice is refused from now on.
        ["CREATE", "UNIQUE", "INDEX", _, "ON", table, ..] if new.contains(&table) => None,
        ["ALTER", "TABLE", _, "ADD", "COLUMN", ..] => {
            if has(&["NOT", "NULL"]) && !has(&["DEFAULT"]) {
                return Some("what an older program puts in has no value here");
            }
            let limits = ["CHECK", "REFERENCES", "UNIQUE"];
            let is_limited = limits.iter().any(|word| has(&[word]));
            is_limited.then_some("what an older program puts in may be refused")
        }
        _ => Some("it does not only add"),
    }
}

fn statements(sql: &str) -> Vec<String> {
    let lines = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or(""));
    let sql = lines.collect::<Vec<_>>().join("\n");
    let all = sql.split(';').map(str::trim);
    all.filter(|one| !one.is_empty()).map(Into::into).collect()
}

#[test]
fn statements_name_their_columns() {
    // A statement that was prepared with all columns fails once there are more.
    for file in fs::read_dir(folder().join("../src")).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap().replace("count(*)", "");
        for (n, line) in text.lines().enumerate() {
            let takes_all = ["SELECT *", ".*, ", ".* FROM", "RETURNING *"];
            let takes_all = takes_all.iter().any(|part| line.contains(part));
            assert!(!takes_all, "{}:{}: {line}", path.display(), n + 1);
        }
    }
}

#[test]
fn migrations_only_add() {
    for file in fs::read_dir(folder()).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // It empties secrets that open nothing; at that time no two versions ran side by side.
        if name == "0003_secret.sql" {
            continue;
        }
        let all = statements(&fs::read_to_string(&path).unwrap());
        let new = all
            .iter()
            .filter_map(|one| one.strip_prefix("CREATE TABLE "));
        let new: Vec<&str> = new
            .filter_map(|rest| rest.split_whitespace().next())
            .collect();
        for statement in &all {
            let harm = harm(statement, &new);
            assert_eq!(harm, None, "{name}: {statement}");
        }
    }
    for bad in [
        "DROP TABLE game",
        "ALTER TABLE game RENAME COLUMN plies TO moves",
        "ALTER TABLE game DROP COLUMN plies",
        "ALTER TABLE game ADD COLUMN colour TEXT NOT NULL",
        "ALTER TABLE game ADD COLUMN colour TEXT UNIQUE",
        "CREATE UNIQUE INDEX game_owner ON game (owner)",
        "UPDATE game SET plies = 0",
    ] {
        assert!(harm(bad, &[]).is_some(), "{bad}");
    }
}
