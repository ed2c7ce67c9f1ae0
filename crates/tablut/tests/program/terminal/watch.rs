//! A game of a server, watched in a terminal and through a pipe.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Output, Stdio},
};

use tablut_web::{
    client::Client,
    message::{Answer, Ask, NewGame, OpponentName, WishName},
};

use super::harness::{Terminal, tablut};
use crate::server::launch;

/// A server that ends with its test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn watch(url: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(["watch", url])
        .output()
        .unwrap()
}

#[tokio::test]
async fn a_game_is_watched_live_in_a_terminal_and_as_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (child, url) = launch(&folder.path().join("server.db"), "0");
    let _server = Server(child);
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let mut player = Client::call(address, "player0123456789abcdefgh")
        .await
        .unwrap();
    let new = NewGame {
        opponent: OpponentName::Screen,
        ..NewGame::by_link("none")
    };
    let Answer::Game { game } = player.ask(Ask::NewGame(new)).await.unwrap() else {
        panic!("no game");
    };
    let join = Ask::Join {
        game: game.clone(),
        secret: None,
    };
    player.ask(join).await.unwrap();
    player.until_ply(0).await.unwrap();
    let link = format!("{url}#game/{game}");

    let mut terminal = Terminal::start(tablut(folder.path(), &["watch", &link]));
    terminal.see("White to move");
    let piped = Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(["watch", &link])
        .stdout(Stdio::piped())
        .spawn();
    let mut piped = piped.unwrap();
    let mut lines = BufReader::new(piped.stdout.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    assert!(line().starts_with("ashton: "));

    for (ply, step) in ["e4d4", "d1c1"].into_iter().enumerate() {
        let step = step.to_string();
        let ask = Ask::Move {
            ply,
            step: step.clone(),
        };
        player.ask(ask).await.unwrap();
        terminal.see(&step);
        assert_eq!(line(), format!("{} {step}", ply + 1));
    }
    // Nobody who watches plays.
    terminal.press("/e3d3\r");
    terminal.see("You are watching this game.");
    let wish = WishName::Resign;
    player.ask(Ask::Wish { wish }).await.unwrap();
    terminal.see("Black wins");
    assert!(line().contains("Black wins"));
    assert!(piped.wait().unwrap().success());
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_clean();

    let output = watch(&format!("{url}#game/nothing"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no such game"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_tournament_is_watched_in_a_terminal_and_as_lines() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let mut cup = String::from("name = \"Spring Cup\"\nseconds = 1\n");
    for team in ["Alpha", "Beta"] {
        cup += &format!("[[team]]\nname = {team:?}\ngroup = \"all\"\nplays = \"random\"\n");
    }
    std::fs::write(folder.path().join("cup.toml"), cup).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(["tournament", "run", "cup.toml", "--store", "games.db"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let (child, url) = launch(&store, "0");
    let _server = Server(child);
    let link = format!("{url}#tournament/spring-cup");
    let mut terminal = Terminal::start(tablut(folder.path(), &["watch", &link]));
    let screen = terminal.see("Spring Cup: over, 2/2");
    for part in ["Group all", "Alpha", "Beta", "Results"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_clean();
    let output = watch(&link);
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(
        lines.starts_with("1. ") && lines.contains("Spring Cup: over, 2/2"),
        "{lines}"
    );
}

#[test]
fn a_server_that_is_not_there_is_said_to_be_so() {
    // A port that nobody listens on: it was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = port.local_addr().unwrap();
    drop(port);
    for (url, part) in [
        (
            format!("http://{address}/#game/x"),
            "is `tablut serve` running",
        ),
        (format!("http://{address}/"), "names no game"),
        ("https://localhost/#game/x".into(), "only http"),
    ] {
        let output = watch(&url);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{url}");
        assert!(said.contains(part), "{url}: {said}");
    }
}
