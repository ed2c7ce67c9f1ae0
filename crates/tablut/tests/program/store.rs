//! Stores that are not what they should be, for the real program: each is told apart, and none is made
//! or changed by a command that only looks.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

#[cfg(target_os = "linux")]
use crate::disk;
use crate::{postgres, server::launch};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, raw_sql, sqlite::SqliteConnectOptions,
};
use tablut_web::{
    client::Client,
    message::{Ask, LangName},
};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tablut");

fn tablut(words: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(words).env_remove("TABLUT_STORE");
    command.output().unwrap()
}

fn talk(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with a store that has a tournament.
fn made() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    add(&folder, store.to_str().unwrap());
    (folder, store)
}

fn add(folder: &TempDir, store: &str) {
    let cup = folder.path().join("cup.toml");
    let team = |name| format!("[[team]]\nname = {name:?}\ngroup = \"all\"\nplays = \"random\"\n");
    let text = format!("name = \"Cup\"\n{}{}", team("A"), team("B"));
    fs::write(&cup, text).unwrap();
    let output = tablut(&["tournament", "add", cup.to_str().unwrap(), "--store", store]);
    assert!(output.status.success(), "{}", talk(&output));
}

/// A server and a command that reads refuse a store with the same words, and say no address.
fn refused(store: &str, words: &[&str]) {
    let serve = ["serve", "--no-open", "--port", "0", "--store", store];
    let status = ["tournament", "status", "--store", store];
    for command in [&serve[..], &status[..]] {
        let output = tablut(command);
        let said = talk(&output);
        assert!(!output.status.success(), "{command:?}: {said}");
        assert!(output.stdout.is_empty(), "{output:?}");
        assert!(!said.contains("ready"), "{said}");
        for word in words {
            assert!(
                said.contains(word),
                "{command:?}: {word:?} is not in {said:?}"
            );
        }
    }
}

#[test]
fn a_store_that_is_not_there_is_made_by_nobody_who_reads() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("new/gmaes.db");
    let name = store.to_str().unwrap();
    for words in [
        &["tournament", "status"][..],
        &["tournament", "table"],
        &["tournament", "crosstable"],
        &["tournament", "export", "--to", "/nowhere"],
        &["tournament", "pause"],
        &["tournament", "resume", "cup"],
        &["ratings"],
        &["worker"],
    ] {
        let output = tablut(&[words, &["--store", name]].concat());
        let said = talk(&output);
        assert!(!output.status.success(), "{words:?}");
        assert!(said.contains("there is no store"), "{words:?}: {said}");
        assert!(
            said.contains("gmaes.db") && said.contains("name right"),
            "{said}"
        );
        assert!(
            !store.parent().unwrap().exists(),
            "{words:?} made something"
        );
    }
    tablut(&["doctor", "--store", name]);
    assert!(
        !store.parent().unwrap().exists(),
        "the doctor made something"
    );
}

#[test]
fn a_variable_names_the_store_for_every_command() {
    let (_folder, store) = made();
    let with = |words: &[&str]| {
        let mut command = Command::new(PROGRAM);
        let output = command.args(words).env("TABLUT_STORE", &store).output();
        let output = output.unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(with(&["tournament", "status"]).contains("Cup"));
    assert!(with(&["doctor"]).contains(store.to_str().unwrap()));
    // A flag is nearer.
    let other = with(&["tournament", "status", "--store", "/nowhere/at/all.db"]);
    assert!(other.is_empty(), "{other}");
    assert!(with(&["serve", "--help"]).contains("TABLUT_STORE"));
}

#[test]
fn what_is_no_store_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_string()
    };
    let letter = file(
        "letter",
        "A letter, and no database at all. ".repeat(200).as_bytes(),
    );
    refused(&letter, &["letter", "another kind of file"]);
    let inside = folder.path().to_str().unwrap();
    refused(inside, &["is a folder", "tablut.db"]);
    let below = format!("{letter}/games.db");
    refused(&below, &["letter"]);
    let foreign = folder.path().join("foreign.db");
    sqlite(
        &foreign,
        "CREATE TABLE song (name TEXT); INSERT INTO song VALUES ('la')",
    );
    let before = fs::read(&foreign).unwrap();
    refused(
        foreign.to_str().unwrap(),
        &["foreign.db", "another program"],
    );
    assert_eq!(
        fs::read(&foreign).unwrap(),
        before,
        "a foreign file is left alone"
    );
}

#[test]
fn a_newer_or_damaged_store_is_told_apart() {
    let (_folder, store) = made();
    let name = store.to_str().unwrap();
    sqlite(
        &store,
        "INSERT INTO _sqlx_migrations VALUES (9999, 'later', CURRENT_TIMESTAMP, 1, x'00', 1)",
    );
    refused(name, &["games.db", "newer", "update"]);

    let (_folder, store) = made();
    // Everything is in one file, whose list of tables is then overwritten.
    sqlite(&store, "PRAGMA wal_checkpoint(TRUNCATE)");
    let mut bytes = fs::read(&store).unwrap();
    bytes[100..4096].fill(0xa5);
    fs::write(&store, &bytes).unwrap();
    refused(store.to_str().unwrap(), &["games.db", "damaged", "backup"]);
    assert_eq!(fs::read(&store).unwrap(), bytes);
}

/// Runs statements with the very library that the program uses.
fn sqlite(file: &Path, sql: &str) {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(file);
        let mut connection = options.create_if_missing(true).connect().await.unwrap();
        let sql = AssertSqlSafe(sql.to_string());
        raw_sql(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

#[test]
fn a_store_is_nobody_elses_business() {
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("new/games.db");
    let (mut child, _) = launch(&store, "0");
    let beside = |end: &str| PathBuf::from(format!("{}{end}", store.display()));
    assert_eq!(mode(store.parent().unwrap()), 0o700);
    for end in ["", "-wal", "-shm"] {
        assert_eq!(mode(&beside(end)), 0o600, "{end}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // One that an older version has made.
    for end in ["", "-wal", "-shm"] {
        fs::set_permissions(beside(end), fs::Permissions::from_mode(0o644)).unwrap();
    }
    let (mut child, _) = launch(&store, "0");
    for end in ["", "-wal", "-shm"] {
        assert_eq!(mode(&beside(end)), 0o600, "{end}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_store_does_not_start() {
    let Some(disk) = disk::Disk::new() else {
        return;
    };
    let (_folder, store) = made();
    // What was written last may be in the log.
    sqlite(&store, "PRAGMA wal_checkpoint(TRUNCATE)");
    fs::copy(&store, disk.seen("games.db")).unwrap();
    // One that was killed leaves its log and the log's index, with which SQLite can read at least.
    let mut killed = disk.command(PROGRAM);
    killed.args(["serve", "--no-open", "--port", "0", "--store"]);
    killed.arg(disk.path("killed.db")).stderr(Stdio::null());
    let mut killed = killed.stdout(Stdio::piped()).spawn().unwrap();
    disk::lines(killed.stdout.take().unwrap()).next().unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(disk.seen("killed.db-shm").exists());
    assert!(disk.remount("ro"));
    for name in ["games.db", "new.db", "killed.db"] {
        // One that starts would go on for ever.
        let mut command = disk.command("timeout");
        command.args(["60", PROGRAM]);
        command.args(["serve", "--no-open", "--port", "0", "--store"]);
        let output = command.arg(disk.path(name)).output().unwrap();
        let said = talk(&output);
        assert!(!output.status.success(), "{said}");
        assert!(
            output.stdout.is_empty() && !said.contains("ready"),
            "{output:?}"
        );
        assert!(
            said.contains("read-only") && said.contains("writable"),
            "{said}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_store_without_the_right_to_it_is_told() {
    let (folder, store) = made();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new("setpriv");
    // Root may do everything, other users may not. Without root, the file's own rights are enough.
    let is_root = fs::metadata("/proc/self").is_ok_and(|about| {
        use std::os::unix::fs::MetadataExt as _;
        about.uid() == 0
    });
    let mut command = match is_root {
        true => {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", PROGRAM]);
            command
        }
        false => {
            fs::set_permissions(&store, fs::Permissions::from_mode(0o000)).unwrap();
            Command::new(PROGRAM)
        }
    };
    command.args(["ratings", "--store"]).arg(&store);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = talk(&output);
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("no access") && said.contains("owner"),
        "{said}"
    );
}

#[test]
fn a_database_that_does_not_answer_is_told() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    let url = format!("postgres://me:secret@127.0.0.1:{port}/games");
    let output = tablut(&["ratings", "--store", &url]);
    let said = talk(&output);
    assert!(
        !output.status.success() && !said.contains("secret"),
        "{said}"
    );
    assert!(
        said.contains("no database answers") && said.contains("running"),
        "{said}"
    );
}

#[test]
fn secrets_of_teams_cannot_be_read_from_a_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let cup = folder.path().join("cup.toml");
    let team = |name, secret| {
        format!(
            "[[team]]\nname = {name:?}\ngroup = \"all\"\nplays = \"remote\"\nsecret = {secret:?}\n"
        )
    };
    let text = format!(
        "name = \"Cup\"\n{}{}",
        team("A", "open-sesame"),
        team("B", "simsalabim")
    );
    fs::write(&cup, text).unwrap();
    let words = [
        "tournament",
        "add",
        cup.to_str().unwrap(),
        "--store",
        store.to_str().unwrap(),
    ];
    for said in ["is stored", "already exists"] {
        let output = tablut(&words);
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(out.contains(said), "{out}{}", talk(&output));
    }
    for entry in folder.path().read_dir().unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let has = |secret: &[u8]| bytes.windows(secret.len()).any(|part| part == secret);
        let is_readable = has(b"open-sesame") || has(b"simsalabim");
        assert_eq!(is_readable, path == cup, "{}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn a_server_says_soon_that_its_database_is_silent_and_goes_on_with_it() {
    let database = postgres::Server::start();
    let url = database.database("silent");
    let (mut child, page) = launch(Path::new(&url), "0");
    let address = page.trim_start_matches("http://").trim_end_matches('/');
    let address = address.parse().unwrap();
    let token = "white0000000000000000001";
    let mut client = Client::connect(address, token).await.unwrap();
    client
        .ask(Ask::Hello {
            lang: LangName::default(),
        })
        .await
        .unwrap();
    let place = tablut_web::message::PositionInfo {
        rules: "ashton".into(),
        setup: "9/9/9/9/4K4/9/9/9/9 w 1".into(),
    };
    let save = || Ask::SaveSlot {
        number: 4,
        place: Some(place.clone()),
    };
    client.ask(save()).await.unwrap();
    database.signal("STOP");
    let begin = Instant::now();
    for _ in 0..3 {
        client.ask(save()).await.unwrap_err();
    }
    let told = begin.elapsed() / 3;
    database.signal("CONT");
    let begin = Instant::now();
    client.ask(save()).await.unwrap();
    let back = begin.elapsed();
    println!("silence is told after {told:?}, writing goes on {back:?} after it");
    // Targets are five seconds and one.
    assert!(told < Duration::from_secs(50), "{told:?}");
    assert!(back < Duration::from_secs(10), "{back:?}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
#[ignore = "needs PostgreSQL: ./test --only database"]
fn what_is_wrong_with_a_database_server_is_told_apart() {
    let server = postgres::Server::start();
    let url = server.database("empty");
    let missing = url.replace("/empty", "/nowhere");
    refused(&missing, &["no database", "createdb"]);
    let output = tablut(&["ratings", "--store", &url]);
    assert!(
        talk(&output).contains("there is no store"),
        "{}",
        talk(&output)
    );
    server.demand_passwords();
    let wrong = url.replace("test@", "test:wrong@");
    refused(&wrong, &["refuses the login", "password"]);
}
