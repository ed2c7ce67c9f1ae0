//! A disk that is full loses nothing that was acknowledged, and stops nobody for longer than
//! it lasts.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeSet,
    fs,
    net::SocketAddr,
    process::{Child, Output, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use crate::disk::{Disk, lines};
use serde_json::Value;
use tablut_rules::{BySide, Side};
use tablut_web::{
    client::{Client, ClientError},
    message::{Answer, Ask, NewGame},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tablut");

fn serve(disk: &Disk) -> (Child, SocketAddr) {
    let mut child = disk
        .command(PROGRAM)
        .args(["serve", "--no-open", "--port", "0", "--store"])
        .arg(disk.path("games.db"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let line = lines(child.stdout.take().unwrap()).next().unwrap();
    let address = line.trim_start_matches("http://").trim_end_matches('/');
    (child, address.parse().unwrap())
}

/// Two players at one game.
struct Table {
    players: BySide<Client>,
    game: String,
    /// The moves that were acknowledged.
    moves: Vec<String>,
}

async fn connect(address: SocketAddr) -> BySide<Client> {
    let connect = async |side: Side| Client::connect(address, &format!("{side}{:0>19}", 1)).await;
    BySide {
        attackers: connect(Side::Attackers).await.unwrap(),
        defenders: connect(Side::Defenders).await.unwrap(),
    }
}

impl Table {
    async fn new(address: SocketAddr) -> Self {
        let mut players = connect(address).await;
        let new = NewGame::by_link("total:600000+0");
        let made = players.defenders.ask(Ask::NewGame(new)).await.unwrap();
        let Answer::Game { game } = made else {
            panic!("a new game was answered with something else");
        };
        let mut table = Self {
            players,
            game,
            moves: Vec::new(),
        };
        table.sit_down().await;
        table
    }

    async fn sit_down(&mut self) {
        let game = self.game.clone();
        let BySide {
            attackers: black,
            defenders: white,
        } = &mut self.players;
        let join = |secret| Ask::Join {
            game: game.clone(),
            secret,
        };
        white.ask(join(None)).await.unwrap();
        let secret = white.next_state().await.unwrap().invitation.clone();
        black.ask(join(secret)).await.unwrap();
        for (_, player) in &mut self.players {
            while !player.state.as_ref().is_some_and(|state| state.started) {
                player.next_state().await.unwrap();
            }
        }
    }

    /// Makes a move; says whether it was acknowledged.
    async fn play(&mut self) -> bool {
        let ply = self.moves.len();
        let mover = &mut self.players[Side::WHITE_FIRST[ply % 2]];
        let state = mover.until_ply(ply).await.unwrap();
        assert!(state.outcome.is_none(), "the game is over too soon");
        // Always forth and back with a man that nobody is near to.
        let step = [
            "e4f4", "d1c1", "f4e4", "c1d1", "e3f3", "e2d2", "f3e3", "d2e2",
        ][ply % 8];
        let step = match state
            .targets
            .iter()
            .any(|one| format!("{}{}", one.from, one.to) == step)
        {
            true => step.to_string(),
            false => {
                let one = &state.targets[ply % state.targets.len()];
                format!("{}{}", one.from, one.to)
            }
        };
        let asked = step.clone();
        match mover.ask(Ask::Move { ply, step: asked }).await {
            Ok(_) => {
                self.moves.push(step);
                true
            }
            Err(ClientError::Refused(problem)) => {
                assert!(!problem.text.is_empty());
                false
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn kept(&self) -> Vec<String> {
        let state = self.players.defenders.state.as_ref().unwrap();
        state.plies.iter().map(|ply| ply.0.clone()).collect()
    }
}

async fn a_server_through_failures(failures: usize) {
    let Some(disk) = Disk::new() else {
        return;
    };
    let (mut child, address) = serve(&disk);
    let mut table = Table::new(address).await;
    for _ in 0..4 {
        assert!(table.play().await);
    }
    disk.fill();
    let mut refused = 0;
    while refused < failures {
        // As long as there is room in the log, moves are kept.
        refused += usize::from(!table.play().await);
    }
    disk.free();
    for _ in 0..4 {
        assert!(table.play().await, "there is room, but a move is refused");
    }
    // Nothing is locked for others, who see everything.
    let other = disk
        .command(PROGRAM)
        .args(["tournament", "status", "--store"])
        .arg(disk.path("games.db"))
        .output()
        .unwrap();
    assert!(other.status.success(), "{other:?}");
    for _ in 0..4 {
        assert!(table.play().await);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (mut child, address) = serve(&disk);
    table.players = connect(address).await;
    table.sit_down().await;
    assert_eq!(table.kept(), table.moves);
    assert!(table.play().await);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test]
async fn a_full_disk_loses_no_move_that_a_server_acknowledged() {
    for failures in [1, 2, 10] {
        a_server_through_failures(failures).await;
    }
}

/// Six quick teams that play thirty games.
fn cup(disk: &Disk) {
    let mut text = "name = \"Cup\"\nseconds = 0.05\nmax_plies = 30\n".to_string();
    for team in 1..=6 {
        text += &format!("[[team]]\nname = \"T{team}\"\ngroup = \"all\"\nplays = \"random\"\n");
    }
    fs::write(disk.seen("cup.toml"), text).unwrap();
}

fn run(disk: &Disk, patience: &str) -> Child {
    disk.command(PROGRAM)
        .args(["tournament", "run"])
        .arg(disk.path("cup.toml"))
        .args([
            "--share-cores",
            "--concurrency",
            "2",
            "--patience",
            patience,
        ])
        .arg("--store")
        .arg(disk.path("games.db"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The number of a game whose result is reported.
fn reported(line: &str) -> Option<usize> {
    let (number, rest) = line.strip_prefix("game ")?.split_once(": ")?;
    (!rest.starts_with("abandoned")).then_some(number.parse().ok()?)
}

/// The numbers of the games that the store has results of.
fn kept(disk: &Disk) -> BTreeSet<usize> {
    let export = disk
        .command(PROGRAM)
        .args(["tournament", "export", "--to"])
        .arg(disk.path("out"))
        .arg("--store")
        .arg(disk.path("games.db"))
        .output()
        .unwrap();
    assert!(export.status.success(), "{export:?}");
    let json = fs::read_to_string(disk.seen("out/results.json")).unwrap();
    let json: Value = serde_json::from_str(&json).unwrap();
    let games = json["games"].as_array().unwrap();
    let played = games.iter().filter(|game| !game["result"].is_null());
    played
        .map(|game| game["game"].as_u64().unwrap() as usize)
        .collect()
}

#[test]
fn a_full_disk_loses_no_result_that_a_tournament_reported() {
    for failures in [1, 2, 10] {
        let Some(disk) = Disk::new() else {
            return;
        };
        cup(&disk);
        let mut child = run(&disk, "60");
        let (sender, talk) = mpsc::channel();
        let heard = lines(child.stderr.take().unwrap());
        thread::spawn(move || heard.for_each(|line| drop(sender.send(line))));
        let mut told = BTreeSet::new();
        let (mut all, mut faults, mut fills, mut is_full) = (0, 0, 0, false);
        // A claim or a result is tried again twice a second without a word.
        let quiet = Duration::from_millis(600) * failures;
        loop {
            let line = match talk.recv_timeout(quiet) {
                Ok(line) => Some(line),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let number = line.as_deref().and_then(reported);
            if let Some(number) = number {
                assert!(told.insert(number), "game {number} was played twice");
            }
            let is_trouble = line
                .as_ref()
                .is_some_and(|line| line.contains("trying again"));
            faults += u32::from(is_full && is_trouble);
            all += u32::from(is_trouble);
            if is_full && (line.is_none() || faults >= failures) {
                disk.free();
                is_full = false;
            } else if number.is_some() && !is_full && fills < 2 {
                disk.fill();
                (is_full, faults, fills) = (true, 0, fills + 1);
            }
        }
        if is_full {
            disk.free();
        }
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        assert!(all > 0, "nothing failed");
        assert_eq!(told, (1..=30).collect());
        assert_eq!(kept(&disk), told);
    }
}

/// A tournament that meets a fault after its first result: what it printed, and what it had reported.
fn stopped(disk: &Disk, fault: impl Fn()) -> (Output, BTreeSet<usize>) {
    cup(disk);
    let mut child = run(disk, "1");
    let mut told = BTreeSet::new();
    let mut talk = String::new();
    for line in lines(child.stderr.take().unwrap()) {
        told.extend(reported(&line));
        if told.len() == 1 && reported(&line).is_some() {
            fault();
        }
        talk += &line;
        talk.push('\n');
    }
    let mut output = child.wait_with_output().unwrap();
    output.stderr = talk.into_bytes();
    (output, told)
}

#[test]
fn a_tournament_that_cannot_keep_results_stops_with_an_error() {
    let Some(disk) = Disk::new() else {
        return;
    };
    let (output, told) = stopped(&disk, || disk.fill());
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{talk}");
    assert!(output.stdout.is_empty(), "a table of what is not kept");
    assert!(talk.contains("results cannot be saved"), "{talk}");
    assert!(talk.contains("full"), "{talk}");
    disk.free();
    assert_eq!(kept(&disk), told);
    // The same command goes on where it stopped.
    let mut again = run(&disk, "60");
    let later: BTreeSet<usize> = lines(again.stderr.take().unwrap())
        .filter_map(|line| reported(&line))
        .collect();
    assert!(again.wait().unwrap().success());
    assert!(later.is_disjoint(&told));
    assert_eq!(kept(&disk).len(), 30);
}
