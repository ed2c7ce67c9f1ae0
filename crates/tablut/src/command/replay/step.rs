//! A game as steps: a board, and what led to it.

use std::fmt;

use tablut_challenge::{
    log::{Attempt, Entry, Log},
    message::Turn,
};
use tablut_rules::{
    Game, Outcome, Rules, Setup, Side, notation::Diagram, record::Record, text::harmless,
};

/// One step of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step {
    /// What led here.
    pub(super) title: String,
    /// The board.
    pub(super) board: Diagram,
    /// How the game stands.
    pub(super) status: String,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board.to_string();
        // The last line says whose turn it is, which the status says better.
        let board = board
            .rsplit_once('\n')
            .map_or(board.as_str(), |(rows, _)| rows);
        // What comes from a file must not command the terminal.
        let title = harmless(&self.title);
        write!(f, "{title}\n{board}\n{}", self.status)
    }
}

/// The number of a move, as in `3.` and `3...`, and its squares.
fn title(ply: usize, side: Side, text: &str) -> String {
    let dots = if side == Side::Defenders { "." } else { "..." };
    format!("{}{dots} {text}", ply.div_ceil(2))
}

/// The steps of a log, as it shows them.
pub(super) fn of_log(log: &Log, rules: &Rules) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut last: Option<&Attempt> = None;
    let mut plies = 0;
    let mut shown: Option<(Setup, Turn)> = None;
    for entry in &log.entries {
        match entry {
            Entry::Attempt(attempt) => {
                if attempt.is_made {
                    plies += 1;
                    last = Some(attempt);
                    continue;
                }
                let Some(step) = steps.last().cloned() else {
                    continue;
                };
                let why = attempt.warning.as_deref().unwrap_or("no reason is given");
                let text = squares(attempt);
                steps.push(Step {
                    title: format!("{} tried {text}, refused: {why}", attempt.side.colour()),
                    ..step
                });
            }
            // The last state is there twice.
            Entry::State(state) if shown == Some((state.setup, state.turn)) => {}
            Entry::State(state) => {
                let heading = match last.take() {
                    None if steps.is_empty() => {
                        format!(
                            "{} (white) against {} (black), {}",
                            log.names.defenders, log.names.attackers, log.date
                        )
                    }
                    None => "the end".into(),
                    Some(attempt) => {
                        let mut text = squares(attempt);
                        if !attempt.removed.is_empty() {
                            text += &format!(" takes {}", attempt.removed.join(", "));
                        }
                        title(plies, attempt.side, &text)
                    }
                };
                shown = Some((state.setup, state.turn));
                steps.push(Step {
                    title: heading,
                    board: Diagram::from(state.setup).marked(rules),
                    status: match state.turn {
                        Turn::Of(side) => format!("{} to move", side.colour()),
                        Turn::Won(side) => format!("{} wins", side.colour()),
                        Turn::Draw => "draw".into(),
                    },
                });
            }
        }
    }
    if let Some(step) = steps.last_mut()
        && let Some(Turn::Of(side)) = log.last().map(|state| state.turn)
    {
        let colour = side.colour();
        step.status =
            format!("{colour} to move; the log ends here, as after a time-out of {colour}");
    }
    steps
}

fn squares(attempt: &Attempt) -> String {
    let square = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".into());
    format!(
        "{}-{}",
        square(&attempt.action.from),
        square(&attempt.action.to)
    )
}

/// The steps of a game.
pub(super) fn of_game(game: &Game, record: &Record) -> Vec<Step> {
    let name = |key: &str| record.header(key).unwrap_or("unknown");
    let board = |position| Diagram::from(position).marked(game.rules());
    let to_move = |side: Side| format!("{} to move", side.colour());
    let mut steps = vec![Step {
        title: format!(
            "{} (white) against {} (black)",
            name("White"),
            name("Black")
        ),
        board: board(game.start()),
        status: to_move(game.start().side()),
    }];
    let nodes = record.tree().main_line();
    for ((n, ply), node) in game.plies().iter().enumerate().zip(nodes) {
        let side = ply.position.side().opponent();
        let mut text = format!("{}-{}", ply.step.from(), ply.step.to());
        if !ply.captured.is_empty() {
            let captured: Vec<String> = ply.captured.iter().map(|s| s.to_string()).collect();
            text += &format!(" takes {}", captured.join(", "));
        }
        let notes = record.tree().notes(node);
        if let Some(ms) = notes.spent_ms {
            text += &format!(", {}.{} s", ms / 1000, ms % 1000 / 100);
        }
        if let Some(score) = notes.score {
            text += &format!(", score {score}");
        }
        if !notes.comment.is_empty() {
            text += &format!(" ({})", notes.comment);
        }
        steps.push(Step {
            title: title(n + 1, side, &text),
            board: board(&ply.position),
            status: to_move(ply.position.side()),
        });
    }
    if let (Some(step), Some(outcome)) = (steps.last_mut(), game.outcome()) {
        let Outcome { winner, reason } = outcome;
        step.status = match winner {
            Some(side) => format!("{} wins: {reason}", side.colour()),
            None => format!("draw: {reason}"),
        };
    }
    steps
}
