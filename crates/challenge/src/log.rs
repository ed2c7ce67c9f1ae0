//! Game logs in the reference server's own form, so that existing log readers work: written line by
//! line as a game goes on, and read back.
//!
//! A record is a line with date, class and method, then a line with level and message; a state
//! follows as rows of letters, `-`, and the letters of the turn. The words are those of an English
//! machine; the messages are the reference server's, partly Italian.

mod read;
mod replay;
mod warning;

pub use read::{Attempt, Entry, Log, ParseLogError, Shown, read_state};
pub use replay::{Disagreement, Forbidden, Replayed};

use jiff::civil::DateTime;
use tablut_rules::{
    Bitboard, BySide, Direction, Game, Outcome, Position, Reason, Setup, Side, Square,
};

use super::{
    Effect, Farewell, Fault, Referee,
    message::{Action, State, Turn},
};

const CLASS: &str = "it.unibo.ai.didattica.competition.tablut.domain.GameAshtonTablut";

/// The order in which the reference server looks for captured men, with its names.
const MEN: [(Direction, &str); 4] = [
    (Direction::Right, "Right"),
    (Direction::Left, "Left"),
    (Direction::Up, "Up"),
    (Direction::Down, "Down"),
];

/// The name of a log, as the reference server names it.
#[must_use]
pub fn file_name(names: BySide<&str>, ms_since_epoch: i64) -> String {
    let (white, black) = (names.defenders, names.attackers);
    format!("_{white}_vs_{black}_{ms_since_epoch}_gameLog.txt")
}

/// The log of a game that is being played.
#[derive(Clone, Debug)]
pub struct Writer {
    text: String,
    /// What the reference server keeps to find repetitions.
    stored: Vec<Position>,
}

impl Writer {
    /// The log of a game that starts now.
    #[must_use]
    pub fn new(time: DateTime, names: BySide<&str>, game: &Game) -> Self {
        let mut log = Self {
            text: String::new(),
            stored: Vec::new(),
        };
        let laws = game.laws();
        let cache = laws.memory.map_or(-1, i64::from);
        let (white, black) = (names.defenders, names.attackers);
        log.fine(time, "<init>", &format!("Players:\t{white}\tvs\t{black}"));
        log.fine(
            time,
            "<init>",
            &format!(
                "Repeated moves allowed:\t{}\tCache:\t{cache}",
                allowed(game)
            ),
        );
        log.fine(time, "<init>", "Inizio partita");
        log.state(time, "<init>", game.start(), Turn::Of(game.start().side()));
        log
    }

    /// Takes the text written so far.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Writes what an effect of the referee means for the log, if anything.
    pub fn follow(&mut self, time: DateTime, referee: &Referee, effect: &Effect) {
        let game = referee.contest().game();
        match effect {
            Effect::Moved { ply, action, .. } => self.moved(time, game, *ply, action),
            // The reference server cannot be flooded; there is no line for it.
            Effect::Refused {
                fault: Fault::Flood,
                ..
            } => {}
            Effect::Refused {
                side,
                action,
                plies,
                ..
            } => self.refused(time, game, *plies, *side, action),
            Effect::Over { outcome, farewell } => self.over(time, game, *outcome, *farewell),
            _ => {}
        }
    }

    /// Writes a move that was made after this many plies, as it was sent.
    pub fn moved(&mut self, time: DateTime, game: &Game, ply: usize, action: &Action) {
        let Some(made) = game.plies().get(ply) else {
            return;
        };
        let before = position_at(game, ply);
        let side = before.side();
        let end = game.rules().apply_unchecked(before, made.step).end;
        self.attempt(time, side, action);
        self.fine(time, "movePawn", "Movimento pedina");
        for (direction, name) in MEN {
            let taken = made.step.to().step(direction);
            let Some(taken) = taken.filter(|&square| made.captured.contains(square)) else {
                continue;
            };
            match side {
                Side::Defenders => {
                    let text = format!("Pedina nera rimossa in: {taken}");
                    self.fine(time, "checkCaptureWhite", &text);
                }
                Side::Attackers => {
                    let times = match direction {
                        Direction::Right => reasons(game, &made.position, taken),
                        _ => 1,
                    };
                    let method = format!("checkCaptureBlackPawn{name}");
                    for _ in 0..times {
                        let text = format!("Pedina bianca rimossa in: {taken}");
                        self.fine(time, &method, &text);
                    }
                }
            }
        }
        match end.map(tablut_rules::End::winner) {
            Some(Side::Defenders) => {
                let to = action.to.as_deref().unwrap_or("null");
                let text = format!("Bianco vince con re in {to}");
                self.fine(time, "checkCaptureWhite", &text);
            }
            Some(Side::Attackers) => {
                let king = made.position.king();
                let beside = |(direction, _): &&(Direction, &str)| {
                    made.step.to().step(*direction) == Some(king)
                };
                let name = MEN.iter().find(beside).map_or("", |(_, name)| name);
                let method = format!("checkCaptureBlackKing{name}");
                let text = format!("Nero vince con re catturato in: {king}");
                self.fine(time, &method, &text);
            }
            None => {}
        }
        self.store(time, game, &made.position, made.captured);
        let is_last = ply + 1 == game.plies().len();
        let outcome = game
            .outcome()
            .filter(|end| is_last && end.reason.is_on_board());
        self.state(
            time,
            "checkMove",
            &made.position,
            Turn::new(made.position.side(), outcome),
        );
    }

    /// Looks for repetitions as the reference server does, and says what it says.
    fn store(&mut self, time: DateTime, game: &Game, position: &Position, captured: Bitboard) {
        if !captured.is_empty() {
            self.stored.clear();
            self.fine(time, "checkMove", "Capture! Draw cache cleared!");
        }
        let allowed = allowed(game);
        let equal = self.stored.iter().filter(|stored| stored.repeats(position));
        let equal = i64::try_from(equal.count()).unwrap_or(i64::MAX);
        if allowed >= 0 && equal > allowed {
            let text = "Partita terminata in pareggio per numero di stati ripetuti";
            self.fine(time, "checkMove", text);
        }
        if equal > 0 {
            let text = format!("Equal states found: {equal}");
            self.fine(time, "checkMove", &text);
        }
        let memory = game.laws().memory.map_or(usize::MAX, |n| n as usize);
        if self.stored.len() > memory {
            self.stored.remove(0);
        }
        self.stored.push(*position);
        let size = self.stored.len();
        let text = format!("Current draw cache size: {size}");
        self.fine(time, "checkMove", &text);
    }

    /// Writes an attempt that was refused after this many plies.
    pub fn refused(
        &mut self,
        time: DateTime,
        game: &Game,
        plies: usize,
        side: Side,
        action: &Action,
    ) {
        self.attempt(time, side, action);
        let setup = Setup::from(position_at(game, plies));
        if let Some(text) = warning::warning(game.rules(), &setup, side, action) {
            self.write(time, "checkMove", "WARNING", &text);
        }
    }

    /// Writes the end as often as the reference server does.
    pub fn over(&mut self, time: DateTime, game: &Game, outcome: Outcome, farewell: Farewell) {
        let times = match (outcome.reason, farewell) {
            (Reason::IllegalMove, Farewell::Told) => 2,
            (Reason::TimeOut | Reason::IllegalMove, Farewell::Silent) => 0,
            _ => 1,
        };
        let position = game.position();
        for _ in 0..times {
            let turn = Turn::new(position.side(), Some(outcome));
            self.state(time, "endGame", position, turn);
        }
    }

    fn attempt(&mut self, time: DateTime, side: Side, action: &Action) {
        let square = |sent: &Option<String>| match sent {
            // What was sent must not make lines of its own.
            Some(text) => text.replace(char::is_control, " "),
            None => "null".into(),
        };
        let (from, to) = (square(&action.from), square(&action.to));
        let turn = Turn::Of(side).letters();
        let text = format!("Turn: {turn} Pawn from {from} to {to}");
        self.fine(time, "checkMove", &text);
    }

    fn state(&mut self, time: DateTime, method: &str, position: &Position, turn: Turn) {
        let state = State {
            setup: Setup::from(position),
            turn,
        };
        let text = format!("Stato:\n{}", state.letters());
        self.fine(time, method, &text);
    }

    fn fine(&mut self, time: DateTime, method: &str, message: &str) {
        self.write(time, method, "FINE", message);
    }

    fn write(&mut self, time: DateTime, method: &str, level: &str, message: &str) {
        let time = time.strftime("%b %-d, %Y %-I:%M:%S %p");
        let record = format!("{time} {CLASS} {method}\n{level}: {message}\n");
        self.text.push_str(&record);
    }
}

/// The whole log of a game, as if all of it had happened at one time.
#[must_use]
pub fn whole(time: DateTime, names: BySide<&str>, game: &Game) -> String {
    let mut log = Writer::new(time, names, game);
    for (ply, made) in game.plies().iter().enumerate() {
        log.moved(time, game, ply, &Action::from(made.step));
    }
    if let Some(outcome) = game.outcome() {
        log.over(time, game, outcome, Farewell::Told);
    }
    log.take()
}

/// How often a position may repeat without a draw; -1 if that is not counted.
fn allowed(game: &Game) -> i64 {
    let law = game.laws().repetition;
    law.map_or(-1, |law| i64::from(law.occurrence) - 2)
}

fn position_at(game: &Game, plies: usize) -> &Position {
    match plies.checked_sub(1).and_then(|n| game.plies().get(n)) {
        Some(ply) => &ply.position,
        None => game.start(),
    }
}

/// For how many reasons the reference server removes a white man to the right of the black one: it
/// says so for each.
fn reasons(game: &Game, after: &Position, taken: Square) -> usize {
    let Some(beyond) = taken.step(Direction::Right) else {
        return 1;
    };
    let castle = game.rules().castle();
    let reasons = [
        after.men(Side::Attackers).contains(beyond),
        beyond == castle && after.piece_at(beyond).is_none(),
        game.rules().camps().contains(beyond),
        beyond == castle,
    ];
    reasons.into_iter().filter(|holds| *holds).count().max(1)
}
