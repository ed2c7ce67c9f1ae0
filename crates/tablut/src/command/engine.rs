//! `tablut engine`: our engine behind the line protocol of docs/engine-protocol.md.

use std::{
    io::{self, BufRead, Write},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use tablut_arena::protocol::{
    EngineAction, EngineReply, EngineSession, Go, Info, Mode, OptionKind, OptionOffer,
};
use tablut_arena::{Budget, Mover, Question};
use tablut_engine::{Control, NoMemory, SearchInfo};
use tablut_guest::{EngineMover, MoverOptions, defenders_score};
use tablut_rules::{Game, Move, Side};

use crate::Status;

/// Speak the engine protocol on standard input and output, for other programs
#[derive(Args)]
#[command(after_help = "\
docs/engine-protocol.md describes the protocol.

Example:
  printf 'tablut 1\\nposition start\\ngo time 500\\n' | tablut engine")]
pub(crate) struct Arguments {
    /// Memory for the transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u64).range(1..=MOST_HASH))]
    hash: u64,
    /// Threads for a search
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=MOST_THREADS))]
    threads: u64,
}

const MOST_HASH: u64 = 65_536;
const MOST_THREADS: u64 = 256;

/// What happens to the driver.
enum DriverEvent {
    Line(String),
    End,
    Info(Info),
    Found(Option<Move>, Box<EngineMover>),
}

/// The driver of a session: reads lines, runs searches, writes replies.
struct Driver<'w, W> {
    out: &'w mut W,
    session: EngineSession,
    options: MoverOptions,
    /// The engine, unless a search has it.
    engine: Option<Box<EngineMover>>,
    control: Control,
    /// What a search that ponders may use once its clock runs.
    held_time: Option<Duration>,
    /// Whether the search under way ends by itself.
    is_limited: bool,
    events: Sender<DriverEvent>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let (events, inbox) = mpsc::channel();
        let number = |name: &str, default, most| OptionOffer {
            name: name.into(),
            kind: OptionKind::Number {
                default,
                least: 1,
                most,
            },
        };
        let offers = vec![
            number("Hash", self.hash, MOST_HASH),
            number("Threads", self.threads, MOST_THREADS),
            OptionOffer {
                name: "Book".into(),
                kind: OptionKind::Switch { default: false },
            },
        ];
        let options = MoverOptions {
            hash_mb: self.hash,
            threads: self.threads as usize,
            uses_book: false,
            ..MoverOptions::default()
        };
        let engine = engine(&options)?;
        let name = concat!("Tablut ", env!("CARGO_PKG_VERSION"));
        let reader = events.clone();
        thread::spawn(move || read_lines(&reader));
        Driver {
            out,
            session: EngineSession::new(name, "The Tablut developers", offers),
            options,
            engine: Some(engine),
            control: Control::new(),
            held_time: None,
            is_limited: true,
            events,
        }
        .run(&inbox)?;
        Ok(Status::Good)
    }
}

/// The engine at its best: what it may spend comes with each question.
fn engine(options: &MoverOptions) -> Result<Box<EngineMover>, NoMemory> {
    EngineMover::new(options).map(Box::new)
}

/// Passes on the lines of standard input, and its end.
fn read_lines(events: &Sender<DriverEvent>) {
    for line in io::stdin().lock().lines() {
        // Bytes that are not text make a line that is refused as unknown.
        let line = line.unwrap_or_else(|error| error.to_string());
        if events.send(DriverEvent::Line(line)).is_err() {
            return;
        }
    }
    // The driver may be gone already.
    let _ = events.send(DriverEvent::End);
}

impl<W: Write> Driver<'_, W> {
    fn run(&mut self, inbox: &Receiver<DriverEvent>) -> Result<()> {
        for event in inbox {
            let actions = match event {
                DriverEvent::Line(line) => self.session.told(&line),
                DriverEvent::Info(info) => self.session.info(info).into_iter().collect(),
                DriverEvent::Found(best, engine) => {
                    self.engine = Some(engine);
                    self.session.found(best)
                }
                // Whoever pipes in a script wants the answer to its last `go`.
                DriverEvent::End if self.session.is_searching() => {
                    self.finish(inbox)?;
                    return Ok(());
                }
                DriverEvent::End => return Ok(()),
            };
            for action in actions {
                if !self.act(action)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Waits for the search under way; stops it if nothing else would end it.
    fn finish(&mut self, inbox: &Receiver<DriverEvent>) -> Result<()> {
        if !self.is_limited {
            self.control.stop();
        }
        for action in self.session.told("ponderhit") {
            if let EngineAction::StartClock = action {
                self.act(action)?;
            }
        }
        for event in inbox {
            match event {
                DriverEvent::Info(info) => {
                    if let Some(action) = self.session.info(info) {
                        self.act(action)?;
                    }
                }
                DriverEvent::Found(best, _) => {
                    let mut actions = self.session.found(best);
                    actions.extend(self.session.told("stop"));
                    for action in actions {
                        self.act(action)?;
                    }
                    return Ok(());
                }
                DriverEvent::Line(_) | DriverEvent::End => {}
            }
        }
        Ok(())
    }

    /// Does what the session asks for; false to end.
    fn act(&mut self, action: EngineAction) -> Result<bool> {
        match action {
            EngineAction::Say(reply) => {
                writeln!(self.out, "{reply}").context("cannot write")?;
                self.out.flush()?;
            }
            EngineAction::NewGame(rules) => {
                if let Some(engine) = &mut self.engine {
                    // It plays either side of a game, and leaves nothing to chance.
                    engine.new_game(&rules, Side::Defenders, 0)?;
                }
            }
            EngineAction::SetOption { name, value } => {
                let number: u64 = value.parse().unwrap_or(1);
                let mut options = self.options.clone();
                match name.as_str() {
                    "Hash" => options.hash_mb = number,
                    "Book" => options.uses_book = value == "on",
                    _ => options.threads = number as usize,
                }
                // The old table goes before the new one comes.
                self.engine = None;
                match engine(&options) {
                    Ok(engine) => (self.options, self.engine) = (options, Some(engine)),
                    Err(error) => {
                        return self.act(EngineAction::Say(EngineReply::Error(error.to_string())));
                    }
                }
            }
            EngineAction::Search { game, go } => self.search(*game, go)?,
            EngineAction::StartClock => {
                if let Some(time) = self.held_time.take() {
                    self.control.set_deadline(Instant::now() + time);
                }
            }
            EngineAction::Stop => self.control.stop(),
            EngineAction::Quit => {
                self.control.stop();
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Starts a search in a thread of its own.
    fn search(&mut self, game: Game, go: Go) -> Result<()> {
        let mut budget: Budget = go.budget;
        self.is_limited = go.mode != Mode::Infinite && !budget.is_unlimited();
        self.held_time = match go.mode {
            Mode::Normal => None,
            Mode::Ponder | Mode::Infinite => budget.time_ms.take().map(Duration::from_millis),
        };
        self.control = Control::new();
        let control = self.control.clone();
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            // An option that asked for too much memory has left none.
            None => engine(&self.options)?,
        };
        let events = self.events.clone();
        thread::spawn(move || {
            let side = game.position().side();
            let mut on_info = |info: &SearchInfo| {
                let info = Info {
                    depth: Some(info.depth),
                    rank: u32::try_from(info.index + 1).ok(),
                    score: Some(defenders_score(info.line.score, side)),
                    nodes: Some(info.nodes),
                    time_ms: u64::try_from(info.time.as_millis()).ok(),
                    line: info.line.moves.clone(),
                };
                // The driver may be gone; the search ends by itself then.
                let _ = events.send(DriverEvent::Info(info));
            };
            let question = Question {
                budget,
                control,
                on_info: Some(&mut on_info),
            };
            // Where no move is legal, there is none to tell.
            let best = engine.choose(&game, question).ok();
            let best = best.map(|choice| choice.step);
            let _ = events.send(DriverEvent::Found(best, engine));
        });
        Ok(())
    }
}
