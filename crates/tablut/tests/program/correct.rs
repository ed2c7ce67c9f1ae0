//! A kept tournament is corrected, before, while and after it is played.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;
use tablut_rules::text::Lang;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tablut");

/// Under rules without a book, so that `time:100` thinks for as long as it says.
const SLOW: &str = "rules = \"classic\"\nseconds = 300";

/// A tournament in a folder of its own.
struct Cup {
    folder: TempDir,
}

impl Cup {
    fn new(settings: &str, teams: &[(&str, &str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut text = format!("name = \"Cup\"\n{settings}\n");
        for (name, group, plays) in teams {
            text += &format!("[[team]]\nname = {name:?}\ngroup = {group:?}\nplays = {plays:?}\n");
        }
        fs::write(folder.path().join("cup.toml"), text).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn tablut(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(words)
            .args(["--store", "games.db"])
            .current_dir(self.folder.path());
        command
    }

    fn output(&self, words: &[&str]) -> Output {
        self.tablut(words).output().unwrap()
    }

    fn good(&self, words: &[&str]) -> String {
        let output = self.output(words);
        let (said, talk) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words:?}: {said}{talk}");
        said
    }

    /// What is said when a command is refused.
    fn refused(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        text(&output.stderr)
    }

    /// A correction, with a reason.
    fn correct(&self, words: &[&str]) -> String {
        self.good(&[&["tournament", "correct"], words, &["--why", "a test"]].concat())
    }

    fn refuse(&self, words: &[&str]) -> String {
        self.refused(&[&["tournament", "correct"], words, &["--why", "a test"]].concat())
    }

    fn run(&self) -> String {
        self.good(&["tournament", "run", "cup.toml"])
    }

    fn table(&self) -> Value {
        serde_json::from_str(&self.good(&["tournament", "table", "--json"])).unwrap()
    }

    fn results(&self) -> Value {
        self.good(&["tournament", "export", "--to", "out"]);
        let json = fs::read_to_string(self.path("out/results.json")).unwrap();
        serde_json::from_str(&json).unwrap()
    }

    /// Starts something that plays; gives what it says, line by line.
    fn start(&self, words: &[&str]) -> (Child, impl Iterator<Item = String> + use<>) {
        let mut child = self
            .tablut(words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        (child, lines.map_while(Result::ok))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The points of a team in a table.
fn points(table: &Value, team: &str) -> Option<u64> {
    let groups = table["groups"].as_array().unwrap().iter();
    let mut rows = groups.flat_map(|group| group["table"].as_array().unwrap());
    rows.find(|row| row["team"] == team)?["points"].as_u64()
}

fn game(results: &Value, number: u64) -> Value {
    let games = results["games"].as_array().unwrap();
    let found = games.iter().find(|game| game["game"] == number);
    found.unwrap().clone()
}

const THREE: [(&str, &str, &str); 3] = [
    ("Random", "all", "random"),
    ("Nodes", "all", "nodes:50"),
    ("Base", "all", "baseline:1"),
];

const QUICK: &str = "seconds = 20\nmax_plies = 6";

#[test]
fn every_correction_changes_the_table_and_undoing_it_restores_exactly() {
    let cup = Cup::new(QUICK, &THREE);
    cup.run();
    let (before, table) = (cup.results(), cup.table());
    for words in [
        &["withdraw", "nodes"][..],
        &["withdraw", "Nodes", "--annul"],
        &["result", "1", "white"],
        &["result", "2", "black"],
        &["replay", "3"],
        &[
            "add-team", "Late", "--member", "Lea", "--group", "all", "--plays", "random",
        ],
        &["change-team", "Base", "--name", "Other", "--member", "Bo"],
    ] {
        cup.correct(words);
        assert_ne!(
            cup.results()["games"].to_string() + &cup.table().to_string(),
            before["games"].to_string() + &table.to_string(),
            "{words:?}"
        );
        let said = cup.good(&["tournament", "correct", "undo"]);
        assert!(said.contains("is undone"), "{said}");
        let after = cup.results();
        assert_eq!(after["games"], before["games"], "{words:?}");
        assert_eq!(after["groups"], before["groups"], "{words:?}");
        assert_eq!(cup.table(), table, "{words:?}");
    }
    let log = cup.good(&["tournament", "correct", "log", "--json"]);
    let log: Value = serde_json::from_str(&log).unwrap();
    assert_eq!(log.as_array().unwrap().len(), 7);
    // Teams are called as they were then.
    assert_eq!(log[6]["what"], "“Base”: members: Bo; now called Other");
    for one in log.as_array().unwrap() {
        assert_eq!(one["made"]["why"], "a test");
        assert_eq!(one["undone"]["why"], "a mistake");
        assert!(one["made"]["at_ms"].as_i64() <= one["undone"]["at_ms"].as_i64());
        assert!(!one["made"]["by"].as_str().unwrap().is_empty());
    }
}

#[test]
fn a_late_team_plays_against_everyone_and_what_was_played_stays() {
    let cup = Cup::new(QUICK, &THREE);
    cup.run();
    let before = cup.results();
    cup.correct(&["add-team", "Late", "--group", "all", "--plays", "random"]);
    let status = cup.good(&["tournament", "status"]);
    assert!(status.contains("4 teams, 6 of 12 games"), "{status}");
    assert!(
        status.contains("correction 1. “Late” joins late"),
        "{status}"
    );
    let table = cup.run();
    assert!(table.contains("12 of 12 games played"), "{table}");
    let after = cup.results();
    for number in 1..=6 {
        assert_eq!(game(&after, number), game(&before, number));
    }
    for number in 7..=12 {
        let one = game(&after, number);
        let teams = [&one["white"], &one["black"]];
        assert!(teams.iter().any(|team| **team == "Late"), "{one}");
        assert!(one["result"].is_object(), "{one}");
    }
    // It has played, so it cannot be as if it had never come.
    let error = cup.refused(&["tournament", "correct", "undo", "1"]);
    assert!(error.contains("withdraw the team instead"), "{error}");
    cup.correct(&["withdraw", "Late", "--annul"]);
    assert_eq!(points(&cup.table(), "Late"), Some(0));
    assert_eq!(points(&cup.table(), "Base"), points(&before, "Base"));
}

#[test]
fn a_withdrawn_team_does_not_play_and_its_games_count_or_not() {
    let cup = Cup::new(QUICK, &THREE);
    cup.good(&["tournament", "add", "cup.toml"]);
    cup.correct(&["result", "1", "white"]);
    let first = game(&cup.results(), 1);
    let winner = first["white"].as_str().unwrap().to_string();
    cup.correct(&["withdraw", &winner]);
    let table = cup.run();
    assert!(table.contains("3 of 3 games played"), "{table}");
    assert!(table.contains(&format!("{winner} (withdrawn)")), "{table}");
    assert_eq!(points(&cup.table(), &winner), Some(3));
    cup.good(&["tournament", "correct", "undo", "2"]);
    cup.correct(&["withdraw", &winner, "--annul"]);
    assert_eq!(points(&cup.table(), &winner), Some(0));
    let cross = cup.good(&["tournament", "crosstable"]);
    assert!(cross.contains('×'), "{cross}");
    for (words, part) in [
        (&["result", "1", "draw"][..], "annulled"),
        (&["replay", "1"], "annulled"),
        (&["withdraw", &winner], "already withdrawn"),
        (&["withdraw", "Nobody"], "there are Random, Nodes, Base"),
        (&["replay", "77"], "no game 77"),
        (&["result", "0", "draw"], "from 1"),
        (&["set", "seconds=0"], "from 0.001"),
        (&["set", "format=single"], "cannot be changed"),
        (
            &["change-team", "Base", "--name", "random"],
            "another team has this name",
        ),
        (
            &["add-team", "Late", "--plays", "level:77", "--group", "all"],
            "is not valid",
        ),
    ] {
        let error = cup.refuse(words);
        assert!(error.contains(part), "{words:?}: {error}");
    }
}

/// A file that a team's program waits for, so that a test knows where a game is.
fn waiting_program(cup: &Cup) {
    let body = "#!/bin/sh\ntouch started\nwhile [ ! -e go ]; do sleep 0.05; done\n";
    let path = cup.path("waits");
    fs::write(&path, body).unwrap();
    let mut mode = fs::metadata(&path).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    fs::set_permissions(&path, mode).unwrap();
}

#[test]
fn a_running_tournament_is_corrected_and_no_stale_result_comes_in() {
    let cup = Cup::new(
        &format!("{SLOW}\nmax_plies = 4"),
        &[
            ("Slow", "all", "time:100"),
            ("Random", "all", "random"),
            ("Base", "all", "baseline:1"),
        ],
    );
    cup.good(&["tournament", "add", "cup.toml"]);
    // Games of the slow one would take minutes.
    let words = [
        "tournament",
        "run",
        "cup.toml",
        "--concurrency",
        "1",
        "--lease",
        "1",
    ];
    let (mut child, mut lines) = cup.start(&words);
    let status = || cup.good(&["tournament", "status", "--json"]);
    let live = |status: &str| -> Vec<String> {
        let all: Value = serde_json::from_str(status).unwrap();
        let running = all[0]["running"].as_array().unwrap();
        running
            .iter()
            .map(|one| one.as_str().unwrap().to_string())
            .collect()
    };
    let of_slow = loop {
        let found = live(&status()).into_iter().find(|one| one.contains("Slow"));
        if let Some(found) = found {
            break found;
        }
    };
    let number: u64 = of_slow.split(':').next().unwrap().parse().unwrap();
    // A program comes to a tournament that had none.
    let client = format!("client:{PROGRAM} player {{side}} {{seconds}} {{address}} --random");
    let said = cup.correct(&["change-team", "Slow", "--plays", &client]);
    assert!(said.contains("a game in progress is abandoned"), "{said}");
    // The same process drops it and plays all games with the new program.
    assert!(lines.any(|line| line.contains(&format!("game {number}: abandoned"))));
    let finished = lines.filter(|line| line.starts_with("game ") && !line.contains("abandoned"));
    assert!(finished.count() >= 4);
    assert!(child.wait().unwrap().success());
    let results = cup.results();
    for one in results["games"].as_array().unwrap() {
        assert!(one["result"].is_object(), "{one}");
        assert_eq!(one["result"]["fault"], Value::Null, "{one}");
    }
    assert!(game(&results, number)["result"]["moves"].as_u64().unwrap() > 0);
}

#[test]
fn a_game_decided_while_it_is_played_keeps_the_decision() {
    let cup = Cup::new(
        &format!("{SLOW}\nmax_plies = 4"),
        &[("Slow", "all", "time:100"), ("Random", "all", "random")],
    );
    cup.good(&["tournament", "add", "cup.toml"]);
    let words = [
        "tournament",
        "run",
        "cup.toml",
        "--concurrency",
        "1",
        "--lease",
        "1",
    ];
    let (mut child, mut lines) = cup.start(&words);
    let status = || cup.good(&["tournament", "status"]);
    while !status().contains("game 1: ") {}
    cup.correct(&["result", "1", "draw"]);
    cup.correct(&["set", "seconds=0.05"]);
    assert!(lines.any(|line| line.contains("game 1: abandoned")));
    // The other one is played with the new time.
    assert!(lines.any(|line| line.starts_with("game 2: ")));
    assert!(child.wait().unwrap().success());
    let results = cup.results();
    assert_eq!(game(&results, 1)["ruling"], "decided");
    assert_eq!(game(&results, 1)["result"]["reason"], "decision");
    assert_eq!(game(&results, 1)["result"]["winner"], Value::Null);
    assert_eq!(game(&results, 2)["result"]["reason"], "move limit");
}

#[test]
fn the_final_follows_the_tables_until_it_is_played() {
    let cup = Cup::new(
        "seconds = 20\nmax_plies = 2\nfinals = true",
        &[
            ("A1", "A", "random"),
            ("A2", "A", "random"),
            ("B1", "B", "random"),
            ("B2", "B", "random"),
        ],
    );
    cup.good(&["tournament", "add", "cup.toml"]);
    // All draws by the limit; these decide who wins the groups.
    let decide = |team: &str| {
        for one in cup.results()["games"].as_array().unwrap() {
            if one["white"] == team && one["stage"] != "Final" {
                cup.correct(&["result", &one["game"].to_string(), "white"]);
            }
        }
    };
    decide("A1");
    decide("B1");
    let table = cup.run();
    let last = table.split("Final").nth(1).unwrap();
    assert!(last.contains("A1") && last.contains("B1"), "{table}");
    // It has been played, so the organiser is told.
    let said = cup.correct(&["withdraw", "A1"]);
    assert!(said.contains("has been played"), "{said}");
    cup.good(&["tournament", "correct", "undo"]);
    for number in [5, 6] {
        assert_eq!(game(&cup.results(), number)["stage"], "Final");
        cup.correct(&["replay", &number.to_string()]);
    }
    let error = cup.output(&[
        "tournament",
        "correct",
        "withdraw",
        "A1",
        "--why",
        "x",
        "--json",
    ]);
    let told: Value = serde_json::from_slice(&error.stdout).unwrap();
    assert!(
        told["notices"][0]
            .as_str()
            .unwrap()
            .contains("has been played"),
        "{told}"
    );
}

#[test]
fn a_final_that_was_not_played_is_made_anew() {
    let cup = Cup::new(
        &format!("{SLOW}\nmax_plies = 2\nfinals = true"),
        &[
            ("A1", "A", "time:100"),
            ("A2", "A", "random"),
            ("B1", "B", "time:100"),
            ("B2", "B", "random"),
        ],
    );
    cup.good(&["tournament", "add", "cup.toml"]);
    for one in cup.results()["games"].as_array().unwrap() {
        let number = one["game"].to_string();
        let white = one["white"].as_str().unwrap();
        cup.correct(&[
            "result",
            &number,
            if white.ends_with('1') {
                "white"
            } else {
                "draw"
            },
        ]);
    }
    cup.good(&["tournament", "resume"]);
    let (mut child, mut lines) =
        cup.start(&["worker", "cup", "--concurrency", "1", "--lease", "1"]);
    while !cup.good(&["tournament", "status"]).contains("A1 – B1") {}
    let said = cup.correct(&["withdraw", "A1"]);
    assert!(said.contains("drawn up again"), "{said}");
    cup.correct(&["change-team", "B1", "--plays", "random"]);
    assert!(lines.any(|line| line.starts_with("game ") && line.contains("A2")));
    lines.for_each(drop);
    assert!(child.wait().unwrap().success());
    let results = cup.results();
    let finals = results["games"].as_array().unwrap().iter();
    let finals: Vec<&Value> = finals.filter(|one| one["stage"] == "Final").collect();
    assert_eq!(finals.len(), 2);
    for one in finals {
        assert!(
            one["result"].is_object() && one["white"] != "A1" && one["black"] != "A1",
            "{one}"
        );
    }
}

#[test]
fn an_archived_tournament_is_not_played_and_comes_back() {
    let cup = Cup::new(QUICK, &THREE[..2]);
    cup.run();
    let before = cup.table();
    cup.good(&["tournament", "archive", "cup", "--why", "last year"]);
    assert!(!cup.good(&["tournament", "status"]).contains("cup"));
    assert!(
        cup.good(&["tournament", "status", "--archived"])
            .contains("cup: Cup")
    );
    for words in [
        &["tournament", "run", "cup.toml"][..],
        &["tournament", "resume", "cup"],
        &["tournament", "pause", "cup"],
        &[
            "tournament",
            "correct",
            "replay",
            "1",
            "--of",
            "cup",
            "--why",
            "x",
        ],
        &["tournament", "archive", "cup"],
    ] {
        let error = cup.refused(words);
        assert!(error.contains("is archived"), "{words:?}: {error}");
    }
    cup.good(&["tournament", "restore", "cup"]);
    assert_eq!(cup.table(), before);
    assert!(
        cup.refused(&["tournament", "restore", "cup"])
            .contains("not archived")
    );
    let error = cup.refused(&["tournament", "delete", "cup"]);
    assert!(error.contains("--yes"), "{error}");
    cup.good(&["tournament", "archive", "cup"]);
    cup.good(&["tournament", "delete", "cup"]);
    assert!(
        cup.good(&["tournament", "status"])
            .contains("no tournament yet")
    );
    assert!(cup.good(&["ratings"]).contains("no game"));
    // The name is free again.
    cup.run();
}

#[test]
fn the_report_tells_who_when_and_why_in_every_language() {
    let cup = Cup::new(QUICK, &[]);
    let file = fs::read_to_string(cup.path("cup.toml")).unwrap();
    let teams = "[[team]]\nname = \"=1+2\"\nmembers = [\"Ada\"]\nplays = \"random\"\n\
                 [[team]]\nname = \"Beta\"\nmembers = [\"Bea\"]\nplays = \"nodes:50\"\n";
    fs::write(cup.path("cup.toml"), file + teams).unwrap();
    cup.run();
    cup.correct(&["result", "1", "black"]);
    let reports = [
        (
            "en",
            [
                "Corrections",
                "Game 1 by decision: black wins.",
                "Prizes",
                "Ada",
                "by decision",
            ],
        ),
        (
            "it",
            [
                "Correzioni",
                "Partita 1 per decisione: vince il nero.",
                "Premi",
                "Bea",
                "decisione",
            ],
        ),
        (
            "de",
            [
                "Korrekturen",
                "Partie 1 durch Entscheidung: Schwarz gewinnt.",
                "Preise",
                "Gruppe 1",
                "(Entscheidung)",
            ],
        ),
    ];
    let tried = reports.map(|(lang, _)| lang);
    let spoken: Vec<&str> = Lang::ALL.iter().map(|lang| lang.code()).collect();
    assert_eq!(&tried[..], spoken, "a language is not tried");
    for (lang, parts) in reports {
        cup.good(&["tournament", "export", "--to", "out", "--lang", lang]);
        let page = fs::read_to_string(cup.path("out/report.html")).unwrap();
        for part in parts.iter().chain(&["a test"]) {
            assert!(page.contains(part), "{lang}: {part}");
        }
    }
    let standings = fs::read_to_string(cup.path("out/standings.csv")).unwrap();
    let mut lines = standings.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert!(columns[7..10] == ["won", "drawn", "lost"], "{columns:?}");
    for line in lines {
        assert_eq!(line.split(',').count(), columns.len(), "{line}");
        assert!(!line.contains('/') && !line.contains(",="), "{line}");
    }
    assert!(standings.contains(",'=1+2,"), "{standings}");
}

#[test]
fn a_tournament_file_is_told_all_its_faults_once() {
    let cup = Cup::new(
        "secnds = 3",
        &[
            ("One", "all", "client:./is-not-there"),
            ("Two", "all", "level:77"),
        ],
    );
    let error = cup.refused(&["tournament", "add", "cup.toml", "--check"]);
    for part in [
        "secnds: there is no such key",
        "team \"Two\": \"77\" is not valid",
    ] {
        assert_eq!(error.matches(part).count(), 1, "{part} in: {error}");
    }
    fs::write(cup.path("cup.toml"), "name = \"x\"\n[[team]\n").unwrap();
    let error = cup.refused(&["tournament", "add", "cup.toml", "--check"]);
    assert_eq!(error.matches("TOML parse error").count(), 1, "{error}");
}

#[test]
fn a_program_that_cannot_be_started_is_found_by_the_check() {
    let cup = Cup::new(
        "",
        &[
            ("Gone", "all", "client:./is-not-there {side}"),
            ("Plain", "all", "engine:./cup.toml"),
            ("Unknown", "all", "client:no-such-program-anywhere"),
            ("Good", "all", "client:./waits"),
            ("Shell", "all", "engine:sh -c true"),
        ],
    );
    waiting_program(&cup);
    let error = cup.refused(&["tournament", "add", "cup.toml", "--check"]);
    for part in [
        "team \"Gone\": ./is-not-there does not exist",
        "team \"Plain\": ./cup.toml is not executable",
        "team \"Unknown\": no-such-program-anywhere is not in PATH",
    ] {
        assert!(error.contains(part), "{part} in: {error}");
    }
    assert!(
        !error.contains("Good") && !error.contains("Shell"),
        "{error}"
    );
    // Workers elsewhere may have them, so it is kept with a warning.
    let output = cup.output(&["tournament", "add", "cup.toml"]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("warning: team \"Gone\""));
}
