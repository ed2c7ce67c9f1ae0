//! Commands that show a board and wait for what is typed, line by line.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;
use tablut_rules::{Game, Move, Setup, notation::Diagram};

/// What somebody typed.
pub(super) enum Word {
    /// That was all; also at the end of the input.
    Stop,
    Next,
    Back,
    Hint,
    Solution,
    Move(Move),
    Unknown,
}

/// What is typed next, lines with nothing on them left out.
pub(super) fn word(out: &mut impl Write, lines: &mut impl BufRead) -> Result<Word> {
    loop {
        let Some(line) = line(out, lines)? else {
            return Ok(Word::Stop);
        };
        return Ok(match line.as_str() {
            "" => continue,
            "q" | "quit" => Word::Stop,
            "n" | "next" => Word::Next,
            "b" | "back" => Word::Back,
            "h" | "hint" => Word::Hint,
            "s" | "solution" => Word::Solution,
            text => text.parse().map_or(Word::Unknown, Word::Move),
        });
    }
}

/// The next line without the space around it, asked for where somebody types; nothing at the end.
fn line(out: &mut impl Write, lines: &mut impl BufRead) -> Result<Option<String>> {
    if io::stdin().is_terminal() {
        write!(out, "> ")?;
    }
    out.flush()?;
    let mut line = String::new();
    let read = lines.read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().into()))
}

/// Shows what is on the board of a game.
pub(super) fn board(out: &mut impl Write, game: &Game) -> Result<()> {
    let setup = Setup::from(game.position()).with_quiet(0);
    let diagram = Diagram::from(setup).marked(game.rules());
    writeln!(out, "\n{diagram}")?;
    Ok(())
}
