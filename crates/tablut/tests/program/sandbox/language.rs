//! Clients in several languages play inside the sandbox as they do outside.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use serde_json::Value;

use super::world::{PROGRAM, World, faults, has, text};

/// The same client in three languages: it plays e4d4 and d4e4, or d1c1 and c1b1.
const PYTHON: &str = include_str!("player.py");

const JAVA: &str = include_str!("Player.java");

const CPP: &str = include_str!("player.cpp");

/// Lets a client play both sides.
fn assert_plays(world: &World, client: &str) {
    let client = format!("client:{client}");
    let output = world
        .tablut(&[
            "match",
            &client,
            &client,
            "-n",
            "2",
            "-t",
            "60",
            "--startup",
            "120",
        ])
        .args(["--random-plies", "0", "--max-plies", "4", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(faults(&summary), ["", ""], "{client}: {summary}");
}

#[test]
fn a_client_in_python_plays() {
    let world = World::new();
    if has("python3") {
        let path = world.program.path().join("player.py");
        fs::write(&path, PYTHON).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        assert_plays(&world, &format!("python3 {}", path.display()));
        // Found by its first line, and in a script of the Challenge's manner.
        assert_plays(&world, &path.display().to_string());
        let run = "cd \"$(dirname \"$0\")\" && exec python3 player.py \"$@\"";
        assert_plays(&world, &world.script("runmyplayer.sh", run));
    }
}

#[test]
fn a_client_in_java_plays() {
    let world = World::new();
    if has("java") && has("javac") {
        let path = world.program.path().join("Player.java");
        fs::write(&path, JAVA).unwrap();
        let made = Command::new("javac").arg(&path).status().unwrap();
        assert!(made.success());
        assert_plays(
            &world,
            &format!("java -cp {} Player", world.program.path().display()),
        );
    }
}

#[test]
fn a_client_in_cpp_plays() {
    let world = World::new();
    if has("g++") {
        let [source, program] =
            ["player.cpp", "player"].map(|name| world.program.path().join(name));
        fs::write(&source, CPP).unwrap();
        let mut compile = Command::new("g++");
        compile.args(["-pthread", "-o"]).args([&program, &source]);
        assert!(compile.status().unwrap().success());
        assert_plays(&world, &program.display().to_string());
    }
}

#[test]
fn the_example_of_the_guide_plays() {
    let world = World::new();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runmyplayer.sh");
    // It looks for the program beside it, or where it is installed.
    let folder = Path::new(PROGRAM).parent().unwrap().display().to_string();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let client = format!("client:{}", docs.display());
    let output = world
        .tablut(&["match", &client, &client, "-n", "2", "-t", "2", "--json"])
        .args(["--max-plies", "2", "--random-plies", "0", "--grace", "60"])
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(faults(&summary), ["", ""], "{summary}");
}
