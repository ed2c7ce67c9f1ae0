//! Lines on a terminal that are drawn over and over, as a game goes on.

use std::io::{self, IsTerminal, Write};

use tablut_rules::{Game, notation::Diagram, record::Record, text::harmless};

/// What is drawn on standard error.
pub(crate) struct Live {
    is_terminal: bool,
    /// How many lines are drawn and to be drawn over.
    drawn: usize,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            is_terminal: io::stderr().is_terminal(),
            drawn: 0,
        }
    }
}

impl Live {
    /// Whether the output is a terminal that can be redrawn.
    pub(crate) const fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Draws a text over the one before, or below it where nothing can be drawn over. That nobody
    /// can see it is no reason to stop a game.
    pub(crate) fn show(&mut self, text: &str) {
        let mut talk = io::stderr();
        if !self.is_terminal {
            drop(writeln!(talk, "{text}\n"));
            return;
        }
        // Lines that are too long are cut, or what is drawn would grow.
        let mut all = String::from("\x1b[?7l");
        if self.drawn > 1 {
            all += &format!("\x1b[{}A", self.drawn - 1);
        }
        for (n, line) in text.lines().enumerate() {
            all += if n == 0 { "\r" } else { "\n" };
            // Names come from files and peers.
            all += &format!("\x1b[K{}", harmless(line));
        }
        // What was longer before leaves nothing below.
        all += "\x1b[J\x1b[?7h";
        self.drawn = text.lines().count();
        drop(write!(talk, "{all}").and_then(|()| talk.flush()));
    }

    /// Leaves what is drawn as it is.
    pub(crate) fn end(&mut self) {
        if self.drawn > 0 {
            drop(writeln!(io::stderr()));
            self.drawn = 0;
        }
    }
}

/// A game of a series: board, players, last move.
pub(crate) fn game(record: &Record, game: &Game) -> String {
    let name = |key: &str| record.header(key).unwrap_or("?");
    let board = Diagram::from(game.position()).marked(game.rules());
    let last = match game.plies().last() {
        Some(ply) => format!("move {} {}", game.plies().len(), ply.step),
        None => "no move yet".into(),
    };
    let end = game
        .outcome()
        .map_or(String::new(), |outcome| format!(", {outcome}"));
    let (round, white, black) = (name("Round"), name("White"), name("Black"));
    format!("{board}\ngame {round}: {white} (white) – {black} (black), {last}{end}")
}
