//! Writes a game down with names, a comment and a variation, then reads and replays it.
//!
//! `cargo run --example write_record`

use std::{
    error::Error,
    io::{self, Write},
};

use tablut_rules::{Game, Rules, record::Record};

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut io::stdout())
}

/// Writes the record, and what came of reading it.
pub(crate) fn run(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let rules = Rules::ashton();
    let mut game = Game::new(rules.clone());
    for step in [
        "e4-f4", "d9-c9", "e5-e4", "c9-c8", "e4-b4", "c8-c7", "b4-b1",
    ] {
        game.play(step.parse()?)?;
    }

    let mut record = Record::from_game(&game);
    record.set_header("White", "Linnaeus")?;
    record.set_header("Black", "A Sámi player")?;
    let tree = record.tree_mut();
    let before_last = tree.main_line().nth(5).ok_or("the game has seven moves")?;
    tree.notes_mut(before_last).comment = "nobody closes the lanes".into();
    // Black could have played elsewhere.
    let parent = tree.parent(before_last).ok_or("it is not the start")?;
    tree.add_move(parent, "c8-b8".parse()?);

    let text = record.to_string();
    write!(out, "{text}")?;

    let read: Record = text.parse()?;
    assert_eq!(read, record, "what was written is read back");
    let replayed = read.replay(&rules)?;
    if let Some(outcome) = replayed.outcome() {
        writeln!(out, "\nreplayed: {outcome}")?;
    }
    Ok(())
}
