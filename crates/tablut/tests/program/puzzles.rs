//! Puzzles at the command line: solved by typing, made from games, proved.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use tablut_review::puzzle::{Puzzle, PuzzleGoal, built_in_puzzles};
use tablut_rules::BuiltIn;
use tablut_store::{JobCount, JobKind, Location, Store};

/// A command in a folder of its own.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablut"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "en_GB.UTF-8")
        .env("USER", "tester")
        .env("XDG_DATA_HOME", folder);
    command
}

/// Runs a command in a folder of its own, with something to read.
fn tablut(folder: &Path, arguments: &[&str], typed: &str) -> Output {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn short_win() -> &'static Puzzle {
    let all = built_in_puzzles(BuiltIn::Ashton).iter();
    let mut wins = all.filter(|one| one.goal == PuzzleGoal::Win && one.plies() == 3);
    wins.next().unwrap()
}

#[test]
fn a_puzzle_is_solved_by_typing_and_the_rating_rises() {
    let folder = tempfile::tempdir().unwrap();
    let puzzle = short_win();
    let (number, solution) = (puzzle.number.to_string(), &puzzle.solution);
    let typed = format!("{}\n{}\nq\n", solution[0], solution[2]);
    let output = tablut(folder.path(), &["puzzles", "-n", &number], &typed);
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains(&format!("Puzzle {number}")), "{said}");
    assert!(
        said.contains("in 2 moves") && said.contains("Solved."),
        "{said}"
    );
    assert!(
        said.contains("Your rating: 1") && said.contains("(+"),
        "{said}"
    );
    // The second time it does not count, and wrong moves are refuted.
    let game = puzzle.game(&BuiltIn::Ashton.rules()).unwrap();
    let wrong = *game
        .legal_moves()
        .iter()
        .find(|&&step| step != solution[0])
        .unwrap();
    let typed = format!("e9e9\nnonsense\n{wrong}\nh\nh\nh\ns\nq\n");
    let said = text(&tablut(folder.path(), &["puzzles", "-n", &number], &typed));
    assert!(
        said.contains("No: ") && said.contains("Try again."),
        "{said}"
    );
    assert!(said.contains("The solution:"), "{said}");
    assert!(!said.contains("Your rating"), "{said}");
}

#[test]
fn puzzles_are_made_from_games_and_the_work_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let make = |games: &str| {
        let arguments = [
            "puzzles",
            "make",
            "--to",
            "mine.txt",
            "--max-plies",
            "5",
            "--effort",
            "2000",
            "--nodes",
            "100",
            "--self-play",
            games,
        ];
        text(&tablut(folder.path(), &arguments, ""))
    };
    assert!(make("6").starts_with("6 games: "));
    let first = fs::read_to_string(folder.path().join("mine.txt")).unwrap();
    assert!(make("12").starts_with("12 games: "));
    let all = fs::read_to_string(folder.path().join("mine.txt")).unwrap();
    assert!(all.starts_with(&first));
    let output = tablut(
        folder.path(),
        &["puzzles", "check", "--rules", "ashton", "mine.txt"],
        "",
    );
    assert!(output.status.success(), "{}", text(&output));
    // One that is none is found.
    let good = short_win().to_string();
    let solution = short_win().solution[0].to_string();
    let game = short_win().game(&BuiltIn::Ashton.rules()).unwrap();
    let moves = game.legal_moves();
    let other = moves
        .iter()
        .find(|step| step.to_string() != solution)
        .unwrap();
    let bad = good.replacen(&format!("; {solution} "), &format!("; {other} "), 1);
    assert_ne!(bad, good);
    fs::write(folder.path().join("bad.txt"), format!("{bad}\n")).unwrap();
    let output = tablut(
        folder.path(),
        &["puzzles", "check", "--rules", "ashton", "bad.txt"],
        "",
    );
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
}

/// A worker that does puzzles, with its log in a file, until the test ends.
struct Worker(Child);

impl Worker {
    fn start(folder: &Path, log: &str) -> Self {
        let arguments = [
            "worker", "--jobs", "puzzles", "--cores", "1", "--log", "info",
        ];
        let mut command = command(folder, &arguments);
        command.args(["--log-json", "--store", "queue.db"]);
        command.stderr(File::create(folder.join(log)).unwrap());
        Self(command.spawn().unwrap())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn workers_find_the_same_puzzles_as_one_program_alone_though_one_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let place = Location::File(folder.path().join("queue.db"));
    let store = Store::open(&place).await.unwrap();
    let make = ["puzzles", "make", "--max-plies", "7", "--effort", "20000"];
    let make = [&make[..], &["--nodes", "100", "--self-play", "24", "--to"]].concat();
    let mut killed = Worker::start(folder.path(), "killed.log");
    let queued = [&make[..], &["queued.txt", "--queue", "queue.db"]].concat();
    let queued = command(folder.path(), &queued)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let is_begun =
        |of: &JobCount| of.kind == JobKind::Puzzles.word() && of.ended + of.under_way > 2;
    while !store.count_jobs().await.unwrap().iter().any(is_begun) {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "nothing is begun"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    killed.0.kill().unwrap();
    let _other = Worker::start(folder.path(), "other.log");
    assert!(queued.wait_with_output().unwrap().status.success());
    let alone = [&make[..], &["alone.txt"]].concat();
    assert!(tablut(folder.path(), &alone, "").status.success());
    for end in ["", ".progress"] {
        let [queued, alone] = ["queued.txt", "alone.txt"]
            .map(|name| fs::read_to_string(folder.path().join(format!("{name}{end}"))).unwrap());
        assert!(!queued.is_empty());
        assert_eq!(queued, alone);
    }
    // What they prove is the same too; a puzzle that is none is named.
    let proved = fs::read_to_string(folder.path().join("alone.txt")).unwrap();
    let wrong = Puzzle {
        number: 99,
        solution: vec![short_win().solution[0]],
        ..short_win().clone()
    };
    fs::write(folder.path().join("all.txt"), format!("{proved}{wrong}\n")).unwrap();
    let check = ["puzzles", "check", "--rules", "ashton", "all.txt"];
    let queued = [&check[..], &["--queue", "queue.db"]].concat();
    let [queued, alone] = [&queued[..], &check[..]].map(|check| tablut(folder.path(), check, ""));
    assert_eq!(text(&queued), text(&alone));
    assert!(text(&queued).contains("ashton 99: "), "{}", text(&queued));
    assert_eq!(queued.status.code(), Some(1));
    // The worker has logged what it did, an object in each line but the one that greets.
    let log = fs::read_to_string(folder.path().join("other.log")).unwrap();
    let objects = log
        .lines()
        .filter(|line| !line.starts_with("worker "))
        .map(serde_json::from_str::<serde_json::Value>);
    let objects: Vec<_> = objects.collect::<Result<_, _>>().unwrap();
    let done = |line: &&serde_json::Value| line["message"] == "job" && line["outcome"] == "done";
    let done = objects.iter().find(done).unwrap();
    assert!(
        done["kind"] == "puzzles" && done["took_ms"].is_u64(),
        "{done}"
    );
    // Nothing is left in the queue.
    store.tidy_jobs().await.unwrap();
    let left = store.count_jobs().await.unwrap();
    assert!(left.iter().all(|of| (of.waiting, of.under_way) == (0, 0)));
}

#[test]
fn puzzles_are_chosen_by_side_and_length() {
    let folder = tempfile::tempdir().unwrap();
    for (side, length, task) in [
        ("black", "3", "Black to move: capture the king in 2 moves"),
        ("white", "5", "White to move: escape in 3 moves"),
    ] {
        let arguments = ["puzzles", "--side", side, "--length", length];
        let output = tablut(folder.path(), &arguments, "n\nn\nq\n");
        let said = text(&output);
        assert!(output.status.success(), "{said}");
        assert_eq!(said.matches(task).count(), 3, "{said}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        (
            &["puzzles", "--motif", "magic"][..],
            "the motifs are two-lanes",
        ),
        (
            &["puzzles", "-n", "999999"][..],
            "there is no puzzle 999999",
        ),
        (&["puzzles", "--rules", "chess"][..], "chess"),
        (
            &["puzzles", "--length", "2"][..],
            "there is no such puzzle under ashton",
        ),
        (
            &["puzzles", "check", "--rules", "ashton", "nowhere.txt"][..],
            "cannot read nowhere.txt",
        ),
    ] {
        let output = tablut(folder.path(), arguments, "");
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(part), "{said}");
    }
}
