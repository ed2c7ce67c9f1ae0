//! Tournaments run themselves: through kills, with many workers, and with programs that misbehave.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tablut_web::{
    client::Client,
    message::{Answer, Ask},
};
use tempfile::TempDir;

use crate::postgres;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tablut");

/// A tournament file in a folder of its own.
struct Cup {
    folder: TempDir,
    store: String,
}

impl Cup {
    fn new(settings: &str, teams: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut text = format!("name = \"Cup\"\n{settings}\n");
        for (name, plays) in teams {
            text += &format!("[[team]]\nname = {name:?}\ngroup = \"all\"\nplays = {plays:?}\n");
        }
        fs::write(folder.path().join("cup.toml"), text).unwrap();
        let store = folder.path().join("games.db").display().to_string();
        Self { folder, store }
    }

    fn tablut(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(words)
            .args(["--store", &self.store])
            .current_dir(self.folder.path());
        command
    }

    /// Starts something that plays, with claims that end soon; gives what it says, line by line.
    fn start(&self, words: &[&str]) -> (Child, impl Iterator<Item = String> + use<>) {
        self.start_with(words, "1")
    }

    fn start_with(
        &self,
        words: &[&str],
        lease: &str,
    ) -> (Child, impl Iterator<Item = String> + use<>) {
        let mut child = self
            .tablut(words)
            .args(["--lease", lease])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        (child, lines.map_while(Result::ok))
    }

    fn good(&self, words: &[&str]) -> String {
        let output = self.tablut(words).output().unwrap();
        let (said, talk) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words:?}: {said}{talk}");
        said
    }

    /// Everything that is known when it is over.
    fn results(&self) -> Value {
        self.good(&["tournament", "export", "--to", "out"]);
        let json = fs::read_to_string(self.path("out/results.json")).unwrap();
        serde_json::from_str(&json).unwrap()
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Eight players that are quick, and differ.
const EIGHT: [(&str, &str); 8] = [
    ("One", "level:1"),
    ("Two", "level:2"),
    ("Three", "level:3"),
    ("Random", "random"),
    ("Nodes", "nodes:300"),
    ("Time", "time:0.01"),
    ("Base", "baseline:1"),
    ("Deep", "baseline:2"),
];

/// The number of a finished game and what is said of it.
fn finished(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix("game ")?.split_once(": ")?;
    (!rest.starts_with("abandoned")).then_some((number.parse().ok()?, rest))
}

#[test]
fn ten_kills_lose_no_game_and_double_none() {
    let cup = Cup::new("seconds = 0.05\nmax_plies = 60", &EIGHT);
    let mut told = BTreeMap::new();
    let mut tell = |line: &str| {
        if let Some((number, said)) = finished(line) {
            let before = told.insert(number, said.to_string());
            assert_eq!(before, None, "game {number} was played twice");
        }
    };
    for kill in 0..10 {
        let (mut child, lines) = cup.start(&["tournament", "run", "cup.toml"]);
        // Each time after another number of games, in the middle of others.
        let mut games = 0;
        for line in lines {
            tell(&line);
            games += usize::from(finished(&line).is_some());
            if games > kill % 4 {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let (mut child, lines) = cup.start(&["tournament", "run", "cup.toml"]);
    lines.for_each(|line| tell(&line));
    assert!(child.wait().unwrap().success());
    let results = cup.results();
    let games = results["games"].as_array().unwrap();
    assert_eq!(games.len(), 56);
    for game in games {
        let number = game["game"].as_u64().unwrap() as usize;
        let result = &game["result"];
        assert!(result.is_object(), "{game}");
        // A kill may come between the result and the word of it, never before.
        if let Some(said) = told.get(&number) {
            let moves = format!("{} moves", result["moves"]);
            assert!(said.ends_with(&moves), "game {number}: {said}, now {game}");
        }
    }
    assert!(told.len() >= 20, "{} games were told of", told.len());
    // Every game that is kept is one that counts, with all its moves.
    let records = fs::read_to_string(cup.path("out/games.tablut")).unwrap();
    assert_eq!(records.matches("[White ").count(), 56);
    // Starting it once more plays nothing.
    let (mut child, lines) = cup.start(&["tournament", "run", "cup.toml"]);
    assert!(!lines.into_iter().any(|line| finished(&line).is_some()));
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_report_needs_nothing_else_and_holds_every_game() {
    let cup = Cup::new("seconds = 0.05\nmax_plies = 20", &EIGHT[..3]);
    let table = cup.good(&["tournament", "run", "cup.toml"]);
    assert!(table.contains("Group all") && table.contains("6 of 6 games played"));
    let cross = cup.good(&["tournament", "crosstable"]);
    assert_eq!(cross.lines().count(), 6, "{cross}");
    cup.results();
    let page = fs::read_to_string(cup.path("out/report.html")).unwrap();
    assert!(
        !page.contains("http:") && !page.contains("https:") || page.matches("http").count() == 1
    );
    assert!(!page.contains("\"DATA\"") && page.matches("\"plies\"").count() == 6);
}

#[test]
fn a_final_between_the_winners_of_the_groups_follows() {
    let cup = Cup::new("seconds = 5\nmax_plies = 40\nfinals = true", &[]);
    let mut file = fs::read_to_string(cup.path("cup.toml")).unwrap();
    for (name, group, plays) in [
        ("A1", "A", "random"),
        ("A2", "A", "nodes:300"),
        ("B1", "B", "nodes:300"),
        ("B2", "B", "random"),
    ] {
        file += &format!("[[team]]\nname = {name:?}\ngroup = {group:?}\nplays = {plays:?}\n");
    }
    fs::write(cup.path("cup.toml"), file).unwrap();
    let table = cup.good(&["tournament", "run", "cup.toml"]);
    let last = table.split("Final").nth(1).unwrap();
    assert!(last.contains("A2") && last.contains("B1"), "{table}");
    assert!(table.contains("6 of 6 games played"), "{table}");
}

#[test]
fn a_plan_that_changed_is_another_tournament() {
    let cup = Cup::new("seconds = 0.05\nmax_plies = 4", &EIGHT[..2]);
    cup.good(&["tournament", "run", "cup.toml"]);
    let file = fs::read_to_string(cup.path("cup.toml")).unwrap();
    fs::write(cup.path("cup.toml"), file.replace("0.05", "0.06")).unwrap();
    let output = cup.tablut(&["tournament", "run", "cup.toml"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("another plan"));
}

#[test]
fn a_paused_tournament_waits_and_goes_on() {
    let cup = Cup::new("seconds = 0.05\nmax_plies = 10", &EIGHT[..2]);
    let said = cup.good(&["tournament", "add", "cup.toml"]);
    assert!(said.contains("cup is stored"), "{said}");
    let (mut child, mut lines) = cup.start(&["worker", "cup"]);
    assert!(lines.any(|line| line.starts_with("waiting")));
    assert!(
        cup.good(&["tournament", "status"])
            .contains("0 of 2 games played, paused")
    );
    cup.good(&["tournament", "resume", "cup"]);
    assert_eq!(lines.filter(|line| finished(line).is_some()).count(), 2);
    assert!(child.wait().unwrap().success());
    assert!(
        cup.good(&["tournament", "status"])
            .contains("2 of 2 games played, over")
    );
    for word in ["pause", "resume"] {
        let output = cup.tablut(&["tournament", word, "cup"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{word}");
        assert!(text(&output.stderr).contains("cup is over"), "{word}");
    }
}

/// A program that does something wrong once its white or black player is connected; it says who it
/// is before, and writes down its process.
fn rogue(folder: &Path, name: &str, deed: &str) -> String {
    let script = folder.join(name);
    let body = format!(
        "#!/bin/bash\necho $$ >>{pids}\ncase $1 in white) port=5800;; *) port=5801;; esac\n\
         exec 3<>/dev/tcp/$3/$port\nprintf '\\000\\000\\000\\007\"rogue\"' >&3\n{deed}\n",
        pids = folder.join("pids").display()
    );
    fs::write(&script, body).unwrap();
    format!("client:bash {}", script.display())
}

#[test]
fn programs_that_misbehave_lose_and_disturb_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let rogue = |name: &str, deed: &str| rogue(folder.path(), name, deed);
    let pids = folder.path().join("pids");
    let escape = format!(
        "setsid bash -c 'echo $$ >>{}; exec sleep 1000' & disown; sleep 1000",
        pids.display()
    );
    let teams = [
        ("Fair", "random".to_string()),
        ("Good", "random".to_string()),
        ("Hangs", rogue("hangs", "sleep 1000")),
        ("Crashes", rogue("crashes", "kill -9 $$")),
        ("Floods", rogue("floods", "exec cat /dev/zero >&3")),
        (
            "Prints",
            rogue("prints", "yes 'so much to say' & sleep 1000"),
        ),
        ("Escapes", rogue("escapes", &escape)),
        (
            "Garbage",
            rogue(
                "garbage",
                "printf '\\000\\000\\000\\004move' >&3; sleep 1000",
            ),
        ),
        ("Missing", "client:./is-not-there".to_string()),
    ];
    let teams: Vec<(&str, &str)> = teams
        .iter()
        .map(|(name, plays)| (*name, plays.as_str()))
        .collect();
    let cup = Cup::new(
        "seconds = 0.5\nmax_plies = 10\npace_ms = 0\n[limits]\nmemory_mb = 256",
        &teams,
    );
    let output = folder.path().join("output").display().to_string();
    let run = ["tournament", "run", "cup.toml", "--client-output", &output];
    // Trusted, so that they can write their processes down; most games wait for a limit.
    let at_once = ["--trust-programs", "--concurrency", "6", "--share-cores"];
    cup.good(&[&run[..], &at_once].concat());
    let results = cup.results();
    let games = results["games"].as_array().unwrap();
    assert_eq!(games.len(), 72);
    for game in games {
        let (white, black) = (&game["white"], &game["black"]);
        let is_fair = |team: &Value| team == "Fair" || team == "Good";
        let (result, fault) = (&game["result"], &game["result"]["fault"]);
        match (is_fair(white), is_fair(black)) {
            (true, true) => assert_eq!(fault, &Value::Null, "{game}"),
            (true, false) => assert_eq!(result["winner"], "white", "{game}"),
            (false, true) => assert_eq!(result["winner"], "black", "{game}"),
            (false, false) => assert!(result["winner"].is_string(), "{game}"),
        }
    }
    for pid in fs::read_to_string(&pids).unwrap().lines() {
        assert!(
            !Path::new(&format!("/proc/{pid}")).exists(),
            "process {pid} lives"
        );
    }
}

/// A random player that connects to a port by itself.
fn visitor(side: &str, port: &str, name: &str) -> Child {
    Command::new(PROGRAM)
        .args([
            "player",
            side,
            "20",
            "127.0.0.1",
            "--port",
            port,
            "--name",
            name,
        ])
        .arg("--random")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_remote_team_plays_with_its_secret_and_nobody_without() {
    let cup = Cup::new(
        "seconds = 20\nmax_plies = 20\npace_ms = 0",
        &[("Here", "random")],
    );
    let file = fs::read_to_string(cup.path("cup.toml")).unwrap();
    let team = "[[team]]\nname = \"There\"\ngroup = \"all\"\nplays = \"remote\"\nsecret = \"open-sesame\"\n";
    fs::write(cup.path("cup.toml"), file + team).unwrap();
    let (mut child, mut lines) = cup.start(&["tournament", "run", "cup.toml", "--ports", "0,0"]);
    let said = lines
        .find_map(|line| line.strip_prefix("remote teams: ").map(String::from))
        .unwrap();
    let ports: Vec<&str> = said
        .split(", ")
        .map(|part| part.rsplit(':').next().unwrap())
        .collect();
    let mut stranger = visitor("white", ports[0], "open-window");
    let mut players = [
        visitor("white", ports[0], "open-sesame"),
        visitor("black", ports[1], "open-sesame"),
    ];
    let games: Vec<String> = lines.filter(|line| finished(line).is_some()).collect();
    assert_eq!(games.len(), 2, "{games:?}");
    assert!(child.wait().unwrap().success());
    for player in &mut players {
        player.wait().unwrap();
    }
    stranger.kill().unwrap();
    stranger.wait().unwrap();
    for game in cup.results()["games"].as_array().unwrap() {
        assert_eq!(game["result"]["fault"], Value::Null, "{game}");
    }
}

#[tokio::test]
async fn games_at_the_ports_beside_the_page_are_kept_and_watched() {
    let cup = Cup::new("", &[]);
    let mut server = cup
        .tablut(&[
            "serve",
            "--no-open",
            "--port",
            "0",
            "--referee",
            "--ports",
            "0,0",
            "--pace",
            "0",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    let said = lines.find_map(|line| {
        line.unwrap()
            .split_once("at ports ")
            .map(|(_, rest)| rest.to_string())
    });
    let said = said.unwrap();
    let ports: Vec<&str> = said
        .split(' ')
        .filter(|word| word.parse::<u16>().is_ok())
        .collect();
    let mut url = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut url)
        .unwrap();
    let address = url
        .trim()
        .trim_start_matches("http://")
        .trim_end_matches('/');
    let mut page = Client::connect(address.parse().unwrap(), &"t".repeat(24))
        .await
        .unwrap();
    let mut players = [
        visitor("white", ports[0], "Ada"),
        visitor("black", ports[1], "Bea"),
    ];
    for player in &mut players {
        player.wait().unwrap();
    }
    // The last state is sent before it is kept.
    let game = loop {
        let Answer::Tournaments { refereed, .. } = page.ask(Ask::Tournaments).await.unwrap() else {
            panic!("tournaments were answered with something else");
        };
        match refereed.into_iter().find(|game| game.outcome.is_some()) {
            Some(game) => break game,
            // Who asks too often is not answered.
            None => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    assert_eq!(game.seats.defenders.name.as_deref(), Some("Ada"));
    assert_eq!(game.seats.attackers.name.as_deref(), Some("Bea"));
    let (id, secret) = (game.game.clone(), None);
    page.ask(Ask::Join { game: id, secret }).await.unwrap();
    let state = page.next_state().await.unwrap();
    assert_eq!(state.plies.len(), game.plies);
    assert!(state.outcome.is_some() && state.yours.is_empty());
    server.kill().unwrap();
    server.wait().unwrap();
    let ratings = cup.good(&["ratings"]);
    assert!(
        ratings.contains("Ada") && ratings.contains("ashton"),
        "{ratings}"
    );
}

#[test]
#[ignore = "needs PostgreSQL: ./test --only database"]
fn four_workers_of_which_two_are_killed_play_every_game_once() {
    let server = postgres::Server::start();
    let cup = Cup {
        store: server.database("cup"),
        ..Cup::new("seconds = 0.05\nmax_plies = 60", &EIGHT)
    };
    cup.good(&["tournament", "add", "cup.toml"]);
    cup.good(&["tournament", "resume", "cup"]);
    let worker = || cup.start(&["worker", "cup", "--share-cores", "--concurrency", "1"]);
    let mut told = Vec::new();
    let mut workers: Vec<_> = (0..4).map(|_| worker()).collect();
    // Two die after their third game, in the middle of another.
    for (mut child, lines) in workers.drain(..2) {
        let mut games = lines.filter_map(|line| finished(&line).map(|(number, _)| number));
        told.extend(games.by_ref().take(3));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for (mut child, lines) in workers {
        told.extend(lines.filter_map(|line| finished(&line).map(|(number, _)| number)));
        assert!(child.wait().unwrap().success());
    }
    told.sort_unstable();
    let count = told.len();
    told.dedup();
    assert_eq!(told.len(), count, "a game was played twice: {told:?}");
    let results = cup.results();
    let games = results["games"].as_array().unwrap();
    assert_eq!(games.len(), 56);
    assert!(games.iter().all(|game| game["result"].is_object()));
    let table = cup.good(&["tournament", "table"]);
    assert!(table.contains("56 of 56 games played"), "{table}");
}

#[test]
#[ignore = "needs PostgreSQL: ./test --only database"]
fn a_database_that_is_lost_for_a_while_loses_no_game() {
    let server = postgres::Server::start();
    let cup = Cup {
        store: server.database("cup"),
        ..Cup::new("seconds = 0.05\nmax_plies = 60", &EIGHT[..4])
    };
    // A claim lasts longer than the database is away.
    let (mut child, mut lines) = cup.start_with(&["tournament", "run", "cup.toml"], "60");
    let mut told = BTreeMap::new();
    let mut tell = |line: &str| {
        assert!(!line.contains("abandoned"), "{line}");
        if let Some((number, said)) = finished(line) {
            assert_eq!(told.insert(number, said.to_string()), None, "{line}");
        }
        told.len()
    };
    while tell(&lines.next().unwrap()) < 3 {}
    assert!(server.stop());
    loop {
        let line = lines.next().unwrap();
        tell(&line);
        if line.ends_with("trying again") {
            break;
        }
    }
    server.resume();
    for line in lines {
        tell(&line);
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(told.len(), 12, "{told:?}");
    for game in cup.results()["games"].as_array().unwrap() {
        let number = game["game"].as_u64().unwrap() as usize;
        let moves = format!("{} moves", game["result"]["moves"]);
        assert!(told[&number].ends_with(&moves), "{game}: {}", told[&number]);
    }
}

#[test]
#[ignore = "needs PostgreSQL: ./test --only database"]
fn a_worker_without_a_game_ends_at_once_though_the_database_is_away() {
    let server = postgres::Server::start();
    let cup = Cup {
        store: server.database("cup"),
        ..Cup::new("max_plies = 4", &[("One", "random"), ("Two", "random")])
    };
    cup.good(&["tournament", "add", "cup.toml"]);
    let (mut child, mut lines) = cup.start(&["worker", "--patience", "3600"]);
    assert!(lines.any(|line| line.contains("waiting")));
    assert!(server.stop());
    assert!(lines.any(|line| line.ends_with("trying again")));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_worker_skips_a_tournament_it_cannot_read_and_plays_the_others() {
    let cup = Cup::new("max_plies = 4", &[("One", "random"), ("Two", "random")]);
    let plan = fs::read_to_string(cup.path("cup.toml")).unwrap();
    fs::write(cup.path("old.toml"), plan.replace("\"Cup\"", "\"Old\"")).unwrap();
    // The one that cannot be read comes first.
    for name in ["old", "cup"] {
        cup.good(&["tournament", "add", &format!("{name}.toml")]);
        cup.good(&["tournament", "resume", name]);
    }
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let place = tablut_store::Location::File((&cup.store).into());
        let store = tablut_store::Store::open(&place).await.unwrap();
        let kept = store.tournament("old").await.unwrap();
        let newer = "something of a newer version";
        store.replace_plan("old", &kept.plan, newer).await.unwrap();
        store.close().await;
    });
    let (mut child, mut lines) = cup.start(&["worker"]);
    let skipped = lines.find(|line| line.contains("skipped")).unwrap();
    assert!(
        skipped.contains("tournament old cannot be read"),
        "{skipped}"
    );
    assert_eq!(
        lines
            .filter_map(|line| Some(finished(&line)?.0))
            .take(2)
            .count(),
        2
    );
    child.kill().unwrap();
    child.wait().unwrap();
    // Who wants just that one is told, and it is no success.
    let (mut child, _) = cup.start(&["worker", "old"]);
    assert!(!child.wait().unwrap().success());
}

#[test]
fn who_waits_for_remote_teams_without_a_port_is_told_so() {
    let cup = Cup::new("max_plies = 4", &[("One", "random"), ("Two", "random")]);
    cup.good(&["tournament", "add", "cup.toml"]);
    let (mut child, mut lines) = cup.start(&["worker", "cup"]);
    assert!(lines.any(|line| line.contains("paused")));
    let remote = [
        "--plays",
        "remote",
        "--secret",
        "open-sesame",
        "--why",
        "away",
    ];
    let change = ["tournament", "correct", "change-team", "One"];
    cup.good(&[&change[..], &remote].concat());
    cup.good(&["tournament", "resume", "cup"]);
    assert!(lines.any(|line| line.contains("no port is open for its program here")));
    child.kill().unwrap();
    child.wait().unwrap();
}
