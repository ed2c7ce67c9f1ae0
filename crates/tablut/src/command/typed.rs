//! Commands that show a board and wait for what is typed, line by line.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;
use tablut_rules::{Game, Setup, notation::Diagram};

/// The next line without the space around it, asked for where somebody types; nothing at the end.
pub(super) fn line(out: &mut impl Write, lines: &mut impl BufRead) -> Result<Option<String>> {
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
