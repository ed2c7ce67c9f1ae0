//! `tablut image` writes pictures that decode.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs::File,
    io::BufReader,
    path::Path,
    process::{Command, Output},
};

fn image(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tablut"));
    let output = command.arg("image").args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    output
}

fn png_size(path: &Path) -> (u32, u32) {
    let file = BufReader::new(File::open(path).unwrap());
    let reader = png::Decoder::new(file).read_info().unwrap();
    (reader.info().width, reader.info().height)
}

#[test]
fn the_name_of_the_output_decides_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let name = |name: &str| path(name).to_str().unwrap().to_string();
    let games = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../games/challenge-won.tablut"
    );
    image(&["start", "--size", "100", "-o", &name("start.PNG")]);
    assert_eq!(png_size(&path("start.PNG")), (100, 100));
    image(&[
        "9/9/1b1K5/9/9/9/9/9/9",
        "b",
        "--arrows",
        "b3c3,red:d3d1",
        "--marks",
        "e5",
        "--flip",
        "-o",
        &name("lane.svg"),
    ]);
    let svg = std::fs::read_to_string(path("lane.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("9/9/1b1K5/9/9/9/9/9/9 b"));
    image(&[
        games,
        "--game",
        "1",
        "--ply",
        "3",
        "--size",
        "64",
        "-o",
        &name("game.gif"),
    ]);
    let gif = File::open(path("game.gif")).unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(gif).unwrap();
    let mut frames = 0;
    while decoder.read_next_frame().unwrap().is_some() {
        frames += 1;
    }
    assert_eq!((decoder.width(), frames), (64, 4));
    image(&[
        games,
        "--game",
        "2",
        "--theme",
        "dark",
        "-o",
        &name("end.png"),
    ]);
    assert_eq!(png_size(&path("end.png")), (480, 480));
}

#[test]
fn a_picture_can_be_piped() {
    let output = image(&["start", "-o", "-", "--format", "svg", "--no-coordinates"]);
    assert!(output.stdout.starts_with(b"<svg"));
}
