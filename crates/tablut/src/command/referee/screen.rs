//! A game as a person at the terminal sees it.

use std::io::Write;

use anyhow::Result;
use tablut_challenge::Referee;
use tablut_rules::{Outcome, Side, notation::Diagram};

use super::sides;
use crate::{live::Live, output::counted};

/// What is drawn while a game runs, on standard error.
pub(super) struct Screen {
    board: bool,
    is_quiet: bool,
    live: Live,
}

impl Screen {
    pub(super) fn new(board: bool, is_quiet: bool) -> Self {
        Self {
            board,
            is_quiet,
            live: Live::default(),
        }
    }

    /// Says something that stays.
    pub(super) fn say(&mut self, text: &str) {
        if !self.is_quiet {
            self.end();
            eprintln!("{text}");
        }
    }

    /// Shows the game after a move.
    pub(super) fn show(&mut self, referee: &Referee, now: u64) {
        if !self.is_quiet && (self.board || self.live.is_terminal()) {
            self.live.show(&self.lines(referee, now));
        }
    }

    /// Shows how the clocks run.
    pub(super) fn clock(&mut self, referee: &Referee, now: u64) {
        if self.live.is_terminal() && !self.is_quiet && !referee.is_over() {
            self.live.show(&self.lines(referee, now));
        }
    }

    /// Leaves what is drawn as it is.
    pub(super) fn end(&mut self) {
        self.live.end();
    }

    fn lines(&self, referee: &Referee, now: u64) -> String {
        let game = referee.contest().game();
        let mut text = String::new();
        if self.board {
            let diagram = Diagram::from(game.position()).marked(game.rules());
            text += &format!("{diagram}\n");
        }
        let last = match game.plies().last() {
            Some(ply) => format!("move {} {}", game.plies().len(), ply.step),
            None => "no move yet".into(),
        };
        let players = sides().map(|(side, colour)| {
            let clock = match referee.contest().left_ms(side, now) {
                Some(left) if !referee.is_over() && game.position().side() == side => {
                    format!(" {}", seconds(left))
                }
                _ => String::new(),
            };
            format!("{} ({colour}){clock}", referee.name(side))
        });
        text + &format!("{}, {last}", players.join(" – "))
    }
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}

/// The result with its reason and figures.
pub(super) fn result(out: &mut impl Write, number: u64, referee: &Referee) -> Result<()> {
    let Some(outcome) = referee.contest().outcome() else {
        return Ok(());
    };
    let plies = counted(referee.contest().game().plies().len(), "move", "moves");
    let name = |side: Side| format!("{} ({})", referee.name(side), side.colour());
    let Outcome { winner, reason } = outcome;
    match winner {
        Some(side) => writeln!(
            out,
            "game {number}: {} beats {} after {plies}: {reason}",
            name(side),
            name(side.opponent())
        )?,
        None => writeln!(
            out,
            "game {number}: {} and {} draw after {plies}: {reason}",
            name(Side::Defenders),
            name(Side::Attackers)
        )?,
    }
    writeln!(
        out,
        "{:<7} {:>6} {:>9} {:>7} {:>11} {:>11} {:>11}",
        "", "moves", "captures", "errors", "time", "mean", "longest"
    )?;
    for (side, colour) in sides() {
        let tally = referee.tally(side);
        writeln!(
            out,
            "{colour:<7} {:>6} {:>9} {:>7} {:>11} {:>11} {:>11}",
            tally.moves,
            tally.captured,
            tally.errors,
            seconds(tally.spent_ms),
            seconds(tally.mean_ms()),
            seconds(tally.longest_ms)
        )?;
    }
    Ok(())
}
