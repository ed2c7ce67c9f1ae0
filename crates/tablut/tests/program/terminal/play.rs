//! Games from the first key to the record in the store.

use std::path::Path;

use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_rules::{Game, Move, Rules, Setup, Square, record::Record};
use tablut_store::{GameFilter, Location, Store};

use super::harness::{OWNER, Terminal, tablut};

/// The moves of a numbered line of the list, as `12. e4d4 d1c1×1`.
fn moves_of(screen: &str, number: usize) -> Vec<Move> {
    let label = format!("{number}. ");
    let mut rows = screen.lines().filter_map(|line| {
        let (before, rest) = line.split_once(&label)?;
        let is_label = before.ends_with(' ') && !before.ends_with(|c: char| c.is_ascii_digit());
        is_label.then_some(rest)
    });
    let words = rows.next_back().unwrap_or_default().split_whitespace();
    words
        .filter_map(|word| word.get(..4)?.parse().ok())
        .collect()
}

/// The arrow keys from one square to another.
fn way(from: Square, to: Square) -> String {
    let along = |from: u8, to: u8, back: &str, on: &str| match from.cmp(&to) {
        std::cmp::Ordering::Less => on.repeat((to - from).into()),
        _ => back.repeat((from - to).into()),
    };
    along(from.column(), to.column(), "\x1b[D", "\x1b[C")
        + &along(from.row(), to.row(), "\x1b[A", "\x1b[B")
}

fn kept(store: &Path) -> Vec<(tablut_store::Game, Record)> {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(&Location::File(store.into())).await.unwrap();
        let games = store.games_of(OWNER, GameFilter::All, 10).await.unwrap();
        let mut kept = Vec::new();
        for game in games {
            let record = store.record(&game).await.unwrap();
            kept.push((game, record));
        }
        store.close().await;
        kept
    })
}

fn main_line(record: &Record) -> Vec<Move> {
    let tree = record.tree();
    tree.main_line()
        .filter_map(|node| tree.step(node))
        .collect()
}

#[test]
fn a_whole_game_is_played_with_keys_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let arguments = ["play", "--store", store.to_str().unwrap()];
    let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
    terminal.see("Start the game");
    // Up to the opponent, and from level 3 to level 1.
    terminal.press("\x1b[A\x1b[A\x1b[D\x1b[D");
    terminal.see("level:1");
    terminal.press("\x1b[B\x1b[B\r");
    terminal.see("Your turn");

    let mut game = Game::new(Rules::ashton());
    let mut engine = Engine::new(EngineOptions {
        hash_mb: 8,
        threads: 1,
    });
    let mut cursor = game.rules().castle();
    for number in 1.. {
        let report = engine.search(
            &game,
            &SearchLimits::nodes(30_000),
            &Control::new(),
            &mut |_| {},
        );
        let step = report.best.unwrap();
        // Every second move is typed, the others are made with the arrow keys.
        if number % 2 == 0 {
            terminal.press(&format!("/{step}\r"));
        } else {
            let (to_piece, to_target) = (way(cursor, step.from()), way(step.from(), step.to()));
            terminal.press(&format!("{to_piece}\r{to_target}\r"));
        }
        cursor = step.to();
        game.play(step).unwrap();
        if game.outcome().is_some() {
            break;
        }
        let screen = terminal.until("the reply", |screen| moves_of(screen, number).len() == 2);
        game.play(moves_of(&screen, number)[1]).unwrap();
        if game.outcome().is_some() {
            break;
        }
        match number {
            3 => {
                terminal.resize(120, 40);
                terminal.see("┌───────┬");
            }
            5 => {
                terminal.resize(30, 8);
                terminal.see("too small");
                terminal.resize(80, 24);
                terminal.see("┌───┬");
            }
            _ => {}
        }
        terminal.see("Your turn");
    }
    let outcome = game.outcome().unwrap();
    terminal.see("m rematch");
    let end: String = outcome.to_string().chars().skip(1).take(20).collect();
    terminal.see(&end);
    terminal.press("s\r");
    terminal.see("Saved to game.tablut");
    terminal.press("q");
    assert!(terminal.end().success());
    terminal.assert_clean();

    let moves: Vec<Move> = game.plies().iter().map(|ply| ply.step).collect();
    let kept = kept(&store);
    let [(stored, record)] = &kept[..] else {
        panic!("{kept:?}");
    };
    assert_eq!(stored.outcome, Some(outcome));
    assert_eq!(main_line(record), moves);
    let file = std::fs::read_to_string(folder.path().join("game.tablut")).unwrap();
    let saved: Record = file.parse().unwrap();
    assert_eq!((main_line(&saved), saved.outcome), (moves, Some(outcome)));
    assert_eq!(saved.header("Black"), Some("level:1"));
}

#[test]
fn a_position_is_edited_kept_in_a_slot_and_played_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let arguments = ["play", "--store", store.to_str().unwrap()];
    let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
    terminal.see("Set up a position");
    // The empty board, a king beside the castle, men typed and painted.
    terminal.press("t\x1b[3~k\x1b[A ");
    terminal.see("♚");
    terminal.press("/a3=b\r/i3=b\r");
    terminal.press("b/e9\r\x1b[A ");
    terminal.press("4");
    terminal.see("Saved into slot 4");
    terminal.press("r/a1=k\r");
    terminal.see("Faults");
    terminal.press("[");
    terminal.see("Loaded slot 4");
    let setup: Setup = "9/9/b7b/4K4/9/9/9/4b4/9 w".parse().unwrap();
    terminal.press("g");
    terminal.see("Your turn");
    terminal.press("/e4d4\r");
    terminal.until("the reply", |screen| moves_of(screen, 1).len() == 2);
    terminal.press("\x03");
    assert!(terminal.end().success());
    terminal.assert_clean();

    let kept = kept(&store);
    let [(game, record)] = &kept[..] else {
        panic!("{kept:?}");
    };
    assert_eq!(
        (game.setup, game.plies, game.outcome),
        (Some(setup), 2, None)
    );
    assert_eq!(main_line(record)[0].to_string(), "e4d4");

    // The game goes on where it was left.
    let arguments = ["play", "--resume", "--store", store.to_str().unwrap()];
    let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
    terminal.until("its moves", |screen| {
        moves_of(screen, 1) == main_line(record)
    });
    terminal.see("Your turn");
    terminal.press("q");
    assert!(terminal.end().success());
}

/// A press and a release of the left button on a square of the board at 80 × 24.
fn click(square: &str) -> String {
    let square: Square = square.parse().unwrap();
    let (column, line) = (6 + 4 * square.column(), 3 + 2 * square.row());
    format!("\x1b[<0;{column};{line}M\x1b[<0;{column};{line}m")
}

#[test]
fn a_click_picks_a_piece_and_another_moves_it() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "--against", "random", "--store", "games.db"];
    let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
    terminal.see("Your turn");
    terminal.press(&click("e4"));
    terminal.see("•");
    terminal.press(&click("c4"));
    let screen = terminal.until("the reply", |screen| moves_of(screen, 1).len() == 2);
    assert_eq!(moves_of(&screen, 1)[0].to_string(), "e4c4");
    terminal.see("Your turn");
    terminal.press("u");
    terminal.until("no move", |screen| moves_of(screen, 1).is_empty());
    terminal.press("/e5a5\r");
    terminal.see("e5a5: A white man on d5 is in the way.");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn the_engine_is_asked_for_a_hint_and_for_its_opinion() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "--against", "person", "--store", "games.db"];
    let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
    terminal.see("White to move");
    terminal.press("e");
    terminal.see("(depth ");
    terminal.press("eh");
    terminal.see("Hint: ");
    terminal.press("q");
    assert!(terminal.end().success());
}

#[test]
fn a_game_from_a_file_is_played_on_from_any_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.tablut");
    let text = "[Rules \"ashton\"]\n[White \"Ann\"]\n\n1. e4-d4 d1-c1 2. d4-d2 *\n";
    std::fs::write(&file, text).unwrap();
    let store = folder.path().join("games.db");
    let arguments = ["play", "old.tablut", "--store", "games.db"];
    let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
    let screen = terminal.see("After move 0/3");
    assert!(screen.contains("Ann"), "{screen}");
    terminal.press("..");
    terminal.see("After move 2/3");
    terminal.press("g");
    terminal.see("Your turn");
    terminal.press("q");
    assert!(terminal.end().success());
    let record: Record = text.parse().unwrap();
    let game = record.replay(&Rules::ashton()).unwrap();
    let there = Setup::from(&game.plies()[1].position);
    assert_eq!(kept(&store)[0].0.setup, Some(there));
}

#[test]
fn ones_own_program_plays_from_move_to_move_and_a_broken_one_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_tablut");
    let client = format!("client:{program} player {{side}} 20 {{address}} --random");
    let arguments = ["play", "--against", &client, "--store", "games.db"];
    let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
    terminal.see("Your turn");
    terminal.press("/e4d4\r");
    terminal.until("its answer", |screen| moves_of(screen, 1).len() == 2);
    // Whatever it did, one of the two is possible.
    terminal.press("/e6d6\r/e6f6\r");
    terminal.until("another answer", |screen| moves_of(screen, 2).len() == 2);
    terminal.press("\x03");
    assert!(terminal.end().success());

    let script = "#!/bin/sh\necho out of ideas >&2\nexit 3\n";
    std::fs::write(folder.path().join("crash.sh"), script).unwrap();
    for (player, part) in [
        ("engine:false", "(exit status: 1)"),
        ("client:sh crash.sh", "(exit status: 3)"),
    ] {
        let arguments = ["play", "--against", player, "--store", "games.db"];
        let mut terminal = Terminal::start(tablut(folder.path(), &arguments));
        terminal.see("Your turn");
        terminal.press("/e4d4\r");
        let screen = terminal.see(part);
        assert_eq!(
            player.starts_with("client"),
            screen.contains("ideas"),
            "{screen}"
        );
        assert!(!screen.contains("resigned"), "{screen}");
        terminal.press("\x03");
        assert!(terminal.end().success());
    }
}
