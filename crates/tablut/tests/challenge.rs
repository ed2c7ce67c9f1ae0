//! The contest as a user meets it: the real program as server, players, supervisor and checker.
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]
#![cfg(unix)]

mod double;

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
};

use serde_json::Value;
use tablut_rules::BySide;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tablut");

fn tablut(words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// A folder that is not there yet and no other test has.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("challenge-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&path));
    drop(fs::remove_file(&path));
    path
}

/// A server on ports of its own, and what it says.
struct Server {
    process: Child,
    lines: Box<dyn Iterator<Item = Value>>,
    ports: BySide<String>,
}

impl Server {
    fn start(words: &[&str]) -> Self {
        Self::launch(tablut(&[]), words)
    }

    /// The same with another command that ends in starting the program.
    fn launch(mut command: Command, words: &[&str]) -> Self {
        let mut process = command
            .args(["referee", "--json", "--ports", "0,0", "--pace", "0"])
            .args(words)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut lines =
            Box::new(lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap()));
        let listening = lines.next().unwrap();
        let ports = BySide::from_fn(|side| listening[side.colour()].to_string());
        Self {
            process,
            lines,
            ports,
        }
    }

    /// The next event of a kind.
    fn event(&mut self, kind: &str) -> Value {
        self.lines.find(|event| event["event"] == kind).unwrap()
    }

    fn player(&self, side: &str, words: &[&str]) -> Command {
        let port = &self.ports[side.parse().unwrap()];
        let mut command = tablut(&["player", side]);
        command.args(words).args(["--port", port]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A person with white, at a keyboard that the test has.
    fn person(&self) -> Child {
        let mut command = self.player("WHITE", &["--human"]);
        command.stdin(Stdio::piped()).spawn().unwrap()
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_referee_that_runs_out_of_descriptors_goes_on_when_it_has_some() {
    const MOST: usize = 40;
    let mut command = Command::new("sh");
    let limit = format!("ulimit -n {MOST} && exec \"$0\" \"$@\"");
    command.args(["-c", &limit, PROGRAM]);
    let mut server = Server::launch(command, &["-t", "20"]);
    let port: u16 = server.ports.defenders.parse().unwrap();
    let connect = || std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let crowd: Vec<_> = (0..MOST * 2).map(|_| connect()).collect();
    let folder = format!("/proc/{}/fd", server.process.id());
    let open = || fs::read_dir(&folder).map(Iterator::count);
    while open().is_ok_and(|open| open < MOST) {
        thread::yield_now();
    }
    drop(crowd);
    let play = |side| server.player(side, &["20", "--random"]).spawn().unwrap();
    let players = ["WHITE", "BLACK"].map(play);
    assert_eq!(server.event("over")["game"], 1);
    for player in players {
        good(&player.wait_with_output().unwrap());
    }
    assert!(server.process.wait().unwrap().success());
}

#[test]
fn a_referee_and_two_players_give_a_game_with_its_log() {
    let logs = fresh("logs");
    let folder = logs.to_str().unwrap();
    let mut server = Server::start(&["-t", "20", "--games", "2", "--log-dir", folder]);
    for game in 1..=2 {
        let white = server
            .player(
                "WHITE",
                &[
                    "20",
                    "127.0.0.1",
                    "--level",
                    "3",
                    "--hash",
                    "1",
                    "--name",
                    "alpha",
                ],
            )
            .spawn()
            .unwrap();
        let seed = game.to_string();
        let black = server
            .player("black", &["--random", "--seed", &seed, "--name", "beta"])
            .spawn()
            .unwrap();
        let over = server.event("over");
        assert_eq!(over["game"], game);
        assert_eq!(over["told"], true);
        assert_eq!(
            (&over["white"]["name"], &over["black"]["name"]),
            (&"alpha".into(), &"beta".into())
        );
        let white = good(&white.wait_with_output().unwrap());
        assert!(white.contains("depth"), "{white}");
        for said in [white, good(&black.wait_with_output().unwrap())] {
            assert!(said.contains("the game is "), "{said}");
        }
    }
    assert!(server.process.wait().unwrap().success());
    let mut files: Vec<PathBuf> = fs::read_dir(&logs)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 4);
    for file in files {
        let name = file.to_str().unwrap();
        assert!(name.contains("_alpha_vs_beta_"), "{name}");
        let checked = tablut(&["replay", name, "--check"]).output().unwrap();
        assert!(
            good(&checked).contains("all as the rules require"),
            "{name}"
        );
        let shown = good(&tablut(&["replay", name]).output().unwrap());
        assert!(shown.contains("1. "), "{shown}");
        let record = good(
            &tablut(&["replay", name, "--to", "record"])
                .output()
                .unwrap(),
        );
        assert!(record.contains("[White \"alpha\"]"), "{record}");
        let log = good(&tablut(&["replay", name, "--to", "log"]).output().unwrap());
        assert!(log.contains("Players:\talpha\tvs\tbeta"), "{log}");
    }
}

#[test]
fn a_player_that_comes_first_waits_for_the_server() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let port = port.to_string();
    let mut white = tablut(&["player", "White", "--random", "--port", &port])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(white.stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(
        first.contains("no server at 127.0.0.1") && first.contains("waiting"),
        "{first}"
    );
    let mut server = tablut(&["referee", "--json", "--ports", &format!("{port},0")])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let events = BufReader::new(server.stdout.take().unwrap()).lines();
    let seated = events
        .map(Result::unwrap)
        .find(|line| line.contains("seated"))
        .unwrap();
    assert!(seated.contains("white"), "{seated}");
    for mut process in [white, server] {
        process.kill().unwrap();
        process.wait().unwrap();
    }
}

#[test]
fn a_killed_player_loses_and_the_other_hears_it() {
    let mut server = Server::start(&[]);
    let mut white = server.person();
    let black = server.player("BLACK", &["--random"]).spawn().unwrap();
    server.event("started");
    white.kill().unwrap();
    let over = server.event("over");
    assert_eq!(
        (&over["winner"], &over["reason"]),
        (&"black".into(), &"connection lost".into())
    );
    assert!(good(&black.wait_with_output().unwrap()).contains("the game is won"));
    white.wait().unwrap();
    server.process.wait().unwrap();
}

#[test]
fn a_person_plays_by_typing_moves() {
    let mut server = Server::start(&[]);
    let mut white = server.person();
    let mut black = server.player("BLACK", &["--random"]).spawn().unwrap();
    std::io::Write::write_all(&mut white.stdin.take().unwrap(), b"e4 e1\n\ne4 d4\n").unwrap();
    let moved = server.event("moved");
    assert_eq!(moved["move"], "e4d4");
    // There is no more to be typed.
    let said = white.wait_with_output().unwrap();
    assert!(
        text(&said.stdout).contains("is in the way"),
        "{}",
        text(&said.stdout)
    );
    assert!(
        text(&said.stderr).contains("giving up the game"),
        "{}",
        text(&said.stderr)
    );
    black.wait().unwrap();
    server.process.wait().unwrap();
}

#[test]
fn what_cannot_be_served_is_refused_with_a_reason() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    for (words, part) in [
        (vec!["--ports", "1"], "two ports are needed"),
        (
            vec!["--ports", &format!("{port},0")],
            "is another server running?",
        ),
        (vec!["-r", "9"], "there is no rule set"),
        (vec!["-t", "0"], "number of seconds"),
        (vec!["-R", "nothing.txt"], "cannot read nothing.txt"),
    ] {
        let output = tablut(&["referee"]).args(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(
            text(&output.stderr).contains(part),
            "{}",
            text(&output.stderr)
        );
    }
    for words in [
        &["player", "red"][..],
        &["player", "white", "60", "x", "y"],
        &["player"],
    ] {
        let output = tablut(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

/// A client as a shell command: our own player, after something has been left behind in the
/// background by a process that has ended, in a session of its own.
fn littering(pids: &Path) -> String {
    let pids = pids.display();
    format!(
        "bash -c '(setsid bash -c \"echo \\$\\$ >>{pids}; exec sleep 1000\" & ) ; echo $$ >>{pids}; \
         exec {PROGRAM} player {{side}} 20 {{address}} --random'"
    )
}

fn assert_gone(pids: &Path) {
    let ids = fs::read_to_string(pids).unwrap();
    assert!(ids.lines().count() >= 2, "{ids}");
    for id in ids.lines() {
        for turn in 0.. {
            if !Path::new(&format!("/proc/{id}")).exists() {
                break;
            }
            assert!(turn < 10_000_000, "process {id} lives");
            thread::yield_now();
        }
    }
}

#[test]
fn clients_play_matches_and_leave_nothing_behind() {
    for isolate in ["auto", "address"] {
        let pids = fresh(isolate);
        let output = fresh("output");
        let logs = fresh("match-logs");
        let client = format!("client:{}", littering(&pids));
        let played = tablut(&[
            "match", &client, "random", "-n", "4", "-c", "2", "-t", "20", "--json",
        ])
        .args([
            "--trust-programs",
            "--isolate",
            isolate,
            "--client-output",
            output.to_str().unwrap(),
        ])
        .args(["--log-dir", logs.to_str().unwrap(), "--max-plies", "60"])
        .args(["--pace", "0"])
        .output()
        .unwrap();
        let summary: Value = serde_json::from_str(&good(&played)).unwrap();
        assert_eq!(summary["total"]["games"], 4);
        for game in summary["games"].as_array().unwrap() {
            assert_eq!(game["fault"], Value::Null, "{game}");
        }
        assert_gone(&pids);
        assert_eq!(fs::read_dir(&output).unwrap().count(), 4);
        for file in fs::read_dir(&output).unwrap() {
            let said = fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(said.contains("connected to"), "{said}");
        }
        assert_eq!(fs::read_dir(&logs).unwrap().count(), 8);
    }
}

#[test]
fn a_client_dies_with_us_however_we_die() {
    let pids = fresh("orphans");
    let client = format!("client:{}", littering(&pids).replace("{side}", "neither"));
    let mut series = tablut(&["match", &client, "random", "-n", "2", "--startup", "600"])
        .arg("--trust-programs")
        .args(["--client-output", fresh("orphan-output").to_str().unwrap()])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Both processes have begun.
    for turn in 0.. {
        let ids = fs::read_to_string(&pids).unwrap_or_default();
        if ids.lines().count() >= 2 && ids.ends_with('\n') {
            break;
        }
        assert!(series.try_wait().unwrap().is_none(), "the match has ended");
        assert!(turn < 100_000_000);
        thread::yield_now();
    }
    series.kill().unwrap();
    series.wait().unwrap();
    assert_gone(&pids);
}

#[test]
fn a_client_that_cannot_be_started_or_fails_is_named() {
    for (client, part) in [
        ("client:./not-there", "cannot start ./not-there"),
        ("client:'", "command line is incomplete"),
    ] {
        let output = tablut(&["match", client, "random", "-n", "2"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(part),
            "{}",
            text(&output.stderr)
        );
    }
    let output = tablut(&["match", "client:false", "random", "-n", "2"])
        .output()
        .unwrap();
    assert!(text(&output.stderr).contains("ended before it connected (exit status: 1)"));
}

#[test]
fn our_own_player_passes_the_check() {
    let output = tablut(&[
        "check-client",
        "-t",
        "0.4",
        "--",
        PROGRAM,
        "player",
        "{SIDE}",
        "20",
    ])
    .args(["{address}", "--random"])
    .output()
    .unwrap();
    let said = good(&output);
    assert!(said.contains("59 right, 0 wrong"), "{said}");
}

#[test]
fn double() {
    double::play();
}

/// What `check-client` finds out about a double, and its exit code.
fn checked(kind: &str, words: &[&str]) -> (Value, Option<i32>) {
    let output = tablut(&["check-client", "--json", "--startup", "60", "-c", "8"])
        .args(words)
        .args(["--client-output", fresh(kind).to_str().unwrap(), "--"])
        .args(double::command(kind))
        .output()
        .unwrap();
    let found = serde_json::from_slice(&output.stdout);
    let found = found.unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    (found, output.status.code())
}

/// What a client made of the rules: side, rule, verdict and what was said.
fn verdicts(found: &Value) -> Vec<[String; 4]> {
    let rules = found["rules"].as_array().unwrap().iter();
    rules
        .map(|rule| {
            ["side", "rule", "verdict", "text"].map(|key| rule[key].as_str().unwrap().into())
        })
        .collect()
}

#[test]
fn a_good_client_passes_every_question() {
    let (found, code) = checked("good", &["-t", "20"]);
    assert_eq!(code, Some(0), "{found:#}");
    assert_eq!(found["needs_pace_ms"], Value::Null);
    assert_eq!(
        found["honours_first_state"],
        serde_json::json!({"white": true, "black": true})
    );
    let verdicts = verdicts(&found);
    assert_eq!(verdicts.len(), 14);
    for [side, rule, verdict, text] in verdicts {
        assert_eq!(verdict, "passed", "{side}, {rule}: {text}");
    }
}

#[test]
fn a_client_that_breaks_a_rule_is_told_which_and_why() {
    for (kind, rule, part) in [
        ("camps", "camps", "camp"),
        ("castle", "castle", "castle"),
        ("through", "pieces in the way", "in the way"),
    ] {
        let (found, code) = checked(kind, &["-t", "20"]);
        assert_eq!(code, Some(1), "{kind}");
        let verdicts = verdicts(&found);
        for colour in ["white", "black"] {
            let [.., verdict, text] = verdicts
                .iter()
                .find(|[side, about, ..]| side == colour && about == rule)
                .unwrap();
            assert_eq!(verdict, "wrong", "{kind}, {colour}: {text}");
            let is_told = text.contains("makes the illegal move") && text.contains(part);
            assert!(is_told, "{kind}, {colour}: {text}");
        }
    }
}

#[test]
fn a_client_that_reads_without_framing_is_found_out_and_plays_at_a_pace() {
    let (found, code) = checked("unframed", &["-t", "2"]);
    assert_eq!(code, Some(1), "{found:#}");
    assert_eq!(found["needs_pace_ms"], 1000, "{found:#}");
    let findings = found["findings"].as_array().unwrap();
    let wrong: Vec<&str> = findings
        .iter()
        .filter(|finding| finding["mark"] == "wrong")
        .map(|finding| finding["text"].as_str().unwrap())
        .collect();
    let is_framing = |text: &&str| text.starts_with("your client reads without framing");
    assert!(
        !wrong.is_empty() && wrong.iter().all(is_framing),
        "{wrong:?}"
    );
    // Nobody has to know: at the usual pace it plays, against a quick player too.
    let client = double::command("unframed").join("' '");
    let client = format!("client:'{client}'");
    let play = |pace: &[&str]| {
        let played = tablut(&["match", &client, "random", "-n", "2", "-c", "2", "--json"])
            .args(["-t", "2", "--max-plies", "6", "--startup", "60"])
            .args(["--client-output", fresh("paced").to_str().unwrap()])
            .args(pace)
            .output()
            .unwrap();
        let summary: Value = serde_json::from_str(&good(&played)).unwrap();
        let games = summary["games"].as_array().unwrap().iter();
        games.filter(|game| game["fault"] != Value::Null).count()
    };
    assert_eq!(play(&[]), 0, "games lost at the usual pace");
    assert_eq!(play(&["--pace", "0"]), 2, "games lost without a pause");
}

#[test]
fn a_client_that_ignores_the_first_state_plays_from_the_start() {
    for kind in ["deaf", "deaf-camps"] {
        let (found, code) = checked(kind, &["-t", "20"]);
        assert_eq!(found["honours_first_state"]["white"], false, "{found:#}");
        let is_white = |judged: &[String; 4]| judged[0] == "white";
        let mut white = verdicts(&found).into_iter().filter(is_white);
        if kind == "deaf" {
            assert_eq!(code, Some(0), "{found:#}");
            assert!(white.all(|[.., verdict, _]| verdict == "not probed"));
        } else {
            assert_eq!(code, Some(1), "{found:#}");
        }
    }
    let client = format!("client:'{}'", double::command("deaf").join("' '"));
    let play = |more: &[&str]| {
        let played = tablut(&["match", &client, "random", "-n", "2", "-c", "2", "--json"])
            .args(["-t", "20", "--max-plies", "10", "--pace", "0"])
            .args(["--client-output", fresh("deaf-output").to_str().unwrap()])
            .args(more)
            .output()
            .unwrap();
        let summary: Value = serde_json::from_str(&good(&played)).unwrap();
        let games = summary["games"].as_array().unwrap().iter();
        let faults = games.filter(|game| game["fault"] != Value::Null).count();
        (faults, text(&played.stderr))
    };
    let (faults, said) = play(&[]);
    assert_eq!(faults, 0, "{said}");
    assert!(!said.contains("ignores the first state"), "{said}");
    let (_, said) = play(&["--random-plies", "4"]);
    assert!(said.contains("ignores the first state"), "{said}");
}

#[test]
fn a_client_with_faults_is_told_what_they_are() {
    // Speaks the wire format with nothing but a shell, on White's port only.
    let shell =
        |script: &str| format!("exec 3<>/dev/tcp/$1/5800 || exit; {script}; cat <&3 >/dev/null");
    let name = r#"printf '\000\000\000\007"alpha"' >&3"#;
    for (script, part) in [
        ("true".to_string(), "does not send its name in time"),
        (
            r#"printf '{"name":"alpha"}' >&3"#.to_string(),
            "a frame is a four-byte length",
        ),
        (
            r#"printf '\000\000\000\002{}' >&3"#.to_string(),
            "the first frame should be the name",
        ),
        (name.to_string(), "does not move within"),
        (
            format!(r#"{name}; printf '\000\000\000\002{{}}' >&3"#),
            "from and to should be two squares",
        ),
        (
            format!(r#"{name}; printf '\000\000\000\003foo' >&3"#),
            "a move should be like",
        ),
        (
            format!(r#"{name}; printf '\000\000\000\026{{from:"e4",to:"e1"}}   ' >&3"#),
            "makes the illegal move e4e1: ",
        ),
        (format!("{name}; exit"), "the client closed the connection"),
    ] {
        // Little time where nothing will come, much where a busy machine may need it.
        let is_in_vain = part.contains("does not");
        let (time, startup) = if is_in_vain {
            ("0.2", "1")
        } else {
            ("20", "20")
        };
        let output = tablut(&["check-client", "-t", time, "--startup", startup, "--"])
            .args(["bash", "-c", &shell(&script), "client", "{address}"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{script}");
        let said = text(&output.stdout);
        assert!(said.contains(part), "{script}: {said}");
        assert!(
            said.contains("BLACK: "),
            "the others are tried as well: {said}"
        );
    }
}

#[test]
fn keys_step_through_a_log_in_a_terminal() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let log = fresh("stepped.txt");
    let whole = tablut(&["replay", "-", "--to", "log"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut whole = whole.unwrap();
    let record = b"[Rules \"ashton\"]\n\n1. e4-d4 d1-c1 2. d4-d2 *\n";
    std::io::Write::write_all(&mut whole.stdin.take().unwrap(), record).unwrap();
    fs::write(&log, good(&whole.wait_with_output().unwrap())).unwrap();

    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = fs::File::options()
        .read(true)
        .write(true)
        .open(name)
        .unwrap();
    let mut process = tablut(&["replay", log.to_str().unwrap()])
        .stdin(theirs.try_clone().unwrap())
        .stdout(theirs.try_clone().unwrap())
        .spawn()
        .unwrap();
    let mut terminal = fs::File::from(ours);
    let mut seen = String::new();
    let mut hear = |terminal: &mut fs::File, part: &str| {
        while !seen.contains(part) {
            let mut bytes = [0; 4096];
            match std::io::Read::read(terminal, &mut bytes) {
                Ok(count @ 1..) => seen += &String::from_utf8_lossy(&bytes[..count]),
                _ => panic!("{part} is not shown: {seen}"),
            }
        }
        seen.clear();
    };
    let mut press = |keys: &[u8], part: &str| {
        std::io::Write::write_all(&mut terminal, keys).unwrap();
        hear(&mut terminal, part);
    };
    press(b"", "step 0 of 3");
    press(b"\x1b[C", "step 1 of 3");
    press(b"G", "step 3 of 3");
    press(b"\x1b[D", "step 2 of 3");
    // The terminal is as it was before. It stays open here: a terminal that nobody has open may lose what was written last.
    press(b"q", "\x1b[?1049l");
    drop(theirs);
    assert!(process.wait().unwrap().success());
}
