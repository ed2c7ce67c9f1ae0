//! What chooses the moves of a player: a mover, or the person at the terminal.

use std::{
    io::{self, BufRead, Write},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tablut_arena::{Choice, Mover, MoverError, Player, Question};
use tablut_engine::{Control, SearchInfo};
use tablut_guest::{MoverOptions, defenders_score, mover};
use tablut_rules::{Game, Move, Rules, Side};

use super::read_move;

/// What chooses the moves.
pub(super) enum Brain {
    /// A mover, and the player it plays for.
    Mover {
        player: Player,
        mover: Box<dyn Mover>,
    },
    /// The person at the terminal.
    Person,
}

/// A move, and what is to be said about it.
pub(super) struct Thought {
    pub(super) step: Move,
    pub(super) note: String,
}

impl Thought {
    /// A move without a word.
    pub(super) const fn plain(step: Move) -> Self {
        Self {
            step,
            note: String::new(),
        }
    }
}

impl Brain {
    /// The brain of a player that is not a person, ready for its game.
    pub(super) fn of(
        player: Player,
        options: &MoverOptions,
        (rules, side): (&Arc<Rules>, Side),
        seed: u64,
    ) -> Result<Self, MoverError> {
        let mut mover = mover(&player, options)?;
        mover.new_game(rules, side, seed)?;
        Ok(Self::Mover { player, mover })
    }

    /// Chooses a move before a time.
    pub(super) fn choose(
        &mut self,
        game: &Game,
        deadline: Instant,
        debug: bool,
        out: &mut impl Write,
    ) -> Result<Thought> {
        let Self::Mover { player, mover } = self else {
            return ask(game, out);
        };
        let control = Control::new();
        control.set_deadline(deadline);
        let left = deadline.saturating_duration_since(Instant::now());
        let left_ms = (left.as_millis() as u64).max(1);
        let mut on_info = |info: &SearchInfo| {
            // A reader that has gone is no reason to lose.
            drop(writeln!(out, "  {}", depth(info, game)).and_then(|()| out.flush()));
        };
        let question = Question {
            budget: player.budget(Some(left_ms)).within(left_ms),
            control,
            on_info: debug.then_some(&mut on_info),
        };
        let choice = mover.choose(game, question)?;
        Ok(Thought {
            step: choice.step,
            note: note(&choice),
        })
    }

    /// Thinks about a position until `wait` has waited, if this brain can.
    pub(super) fn ponder<T>(&mut self, game: &Game, wait: impl FnOnce() -> T) -> T {
        let Self::Mover { mover, .. } = self else {
            return wait();
        };
        let control = Control::new();
        thread::scope(|scope| {
            scope.spawn(|| mover.ponder(game, &control));
            let waited = wait();
            control.stop();
            waited
        })
    }
}

fn depth(info: &SearchInfo, game: &Game) -> String {
    let score = defenders_score(info.line.score, game.position().side());
    format!(
        "depth {:>2}, score {score}, line {}",
        info.depth,
        beginning(&info.line.moves)
    )
}

/// Depth, score, speed and line, as far as they are known. Scores are White's.
fn note(choice: &Choice) -> String {
    let (Some(depth), Some(score), Some(nodes)) = (choice.depth, choice.score, choice.nodes) else {
        return String::new();
    };
    let seconds = choice.time.unwrap_or(Duration::ZERO).as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-6) / 1e6;
    format!(
        ": depth {depth}, score {score}, {:.2} million nodes at {speed:.2} million/s in {seconds:.2} s, line {}",
        nodes as f64 / 1e6,
        beginning(&choice.line)
    )
}

/// The first moves of a line.
fn beginning(line: &[Move]) -> String {
    let words: Vec<String> = line.iter().take(8).map(Move::to_string).collect();
    words.join(" ")
}

/// Asks a person, until there is a legal move.
fn ask(game: &Game, out: &mut impl Write) -> Result<Thought> {
    loop {
        write!(out, "your move (as in e4d4): ")?;
        out.flush()?;
        let mut line = String::new();
        if io::stdin()
            .lock()
            .read_line(&mut line)
            .context("cannot read your move")?
            == 0
        {
            bail!("no more input; giving up the game");
        }
        if line.trim().is_empty() {
            continue;
        }
        match read_move(&line, game.rules(), game) {
            Ok(step) => return Ok(Thought::plain(step)),
            Err(error) => writeln!(out, "{error}")?,
        }
    }
}
