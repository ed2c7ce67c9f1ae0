//! The progress of a series, for a person who waits.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use tablut_arena::series::SeriesEvent;
use tablut_rules::text::harmless_lines;

/// How many faults of players are shown one by one.
const FAULTS: usize = 10;

/// How often the line changes.
const PAUSE: Duration = Duration::from_millis(100);

/// A line on a terminal that is written again and again.
pub(super) struct Progress {
    is_terminal: bool,
    games: usize,
    faults: usize,
    start: Instant,
    shown: Option<Instant>,
}

impl Progress {
    /// The progress of a series of at most this many games.
    pub(super) fn new(games: usize) -> Self {
        Self {
            is_terminal: io::stderr().is_terminal(),
            games,
            faults: 0,
            start: Instant::now(),
            shown: None,
        }
    }

    /// Shows what happened. A failure to print does not stop a series.
    pub(super) fn show(&mut self, event: &SeriesEvent<'_>) {
        let SeriesEvent::Finished { game, standing } = event else {
            return;
        };
        if let Some(fault) = &game.fault {
            self.faults += 1;
            if self.faults <= FAULTS {
                self.end();
                eprintln!(
                    "game {}: {}",
                    game.number + 1,
                    harmless_lines(&fault.to_string())
                );
            } else if self.faults == FAULTS + 1 {
                self.end();
                eprintln!("further messages like this are not shown");
            }
        }
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() >= PAUSE);
        if !self.is_terminal || !is_due {
            return;
        }
        self.shown = Some(Instant::now());
        let (done, total) = (standing.games(), standing.total());
        let left = self.games.saturating_sub(done) as f64 / done.max(1) as f64;
        let left = self.start.elapsed().mul_f64(left);
        let mut line = format!(
            "\r\x1b[K{done} of {} games: won {}, drawn {}, lost {}",
            self.games, total.wins, total.draws, total.losses
        );
        if let Some(elo) = standing.pairs().elo()
            && let Some(margin) = elo.logistic_margin
        {
            line += &format!(", Elo {:+.0} ± {margin:.0}", elo.logistic);
        }
        line += &format!(", at most {} left", time(left));
        let mut talk = io::stderr();
        drop(write!(talk, "{line}").and_then(|()| talk.flush()));
    }

    /// Takes the line away.
    pub(super) fn end(&mut self) {
        if self.shown.take().is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

/// A time as a person says it.
pub(in crate::command) fn time(left: Duration) -> String {
    let seconds = left.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_two_units_at_most() {
        for (seconds, text) in [
            (0, "0 s"),
            (59, "59 s"),
            (61, "1 min 1 s"),
            (7322, "2 h 2 min"),
        ] {
            assert_eq!(time(Duration::from_secs(seconds)), text);
        }
    }
}
