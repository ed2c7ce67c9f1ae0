//! Programs as players: started, spoken to in the line protocol, and gone without a trace.
//!
//! A program runs under a supervisor ([`crate::supervise`]), in a sandbox unless it is trusted. Without a
//! supervisor, in other people's programs, it runs in a process group of its own: Ctrl-C in a terminal
//! does not reach it, it is killed with that group, and if we die it finds its standard input closed.
//! Its output is read by a thread into a bounded queue, its input written by another, so that neither a
//! flood nor a deaf program can hold us up.

mod child;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tablut_arena::{
    Budget, Choice, Mover, MoverError, Question, Unfit,
    protocol::{EngineCommand, EngineReply, Go, Info, Mode, OptionKind, ProtocolPosition, VERSION},
    words,
};
use tablut_rules::{Game, Rules, Side};

use crate::MoverOptions;
use child::{Child, Heard};

/// How often a wait checks the stop signal.
const LOOK: Duration = Duration::from_millis(50);

/// A program that plays by the line protocol.
///
/// It is started for the first game, and again for the game after one in which it failed. Dropping
/// this ends it.
#[derive(Debug)]
pub struct ProcessMover {
    command: String,
    words: Vec<String>,
    options: MoverOptions,
    child: Option<Child>,
    /// The least and the largest seed the program takes, if it takes any.
    seeds: Option<(u64, u64)>,
    name: Option<String>,
}

impl ProcessMover {
    /// A player for a command line: a program and its arguments, with quotation marks where words
    /// have blanks. Nothing is started yet.
    ///
    /// # Errors
    /// Says that the command line is not complete.
    pub fn new(command: &str, options: &MoverOptions) -> Result<Self, MoverError> {
        let words = words::split(command).filter(|words| !words.is_empty());
        Ok(Self {
            command: command.to_string(),
            words: words.ok_or_else(|| unfit(command, Unfit::CommandLine))?,
            options: options.clone(),
            child: None,
            seeds: None,
            name: None,
        })
    }

    /// What the program calls itself, once it has said so.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The process id of the program, or of its supervisor, while it runs.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Starts the program and greets it, unless it runs.
    fn start(&mut self) -> Result<(), MoverError> {
        if self.child.is_some() {
            return Ok(());
        }
        let child = Child::start(&self.words, &self.options);
        self.child = Some(child.map_err(|cause| unfit(&self.command, cause))?);
        self.seeds = None;
        self.say(&EngineCommand::Tablut(VERSION))?;
        let deadline = self.startup();
        loop {
            match self.hear(deadline)? {
                EngineReply::Name(name) => self.name = Some(name),
                EngineReply::Option(offer) if offer.name == "Seed" => {
                    if let OptionKind::Number { least, most, .. } = offer.kind {
                        self.seeds = Some((least, most));
                    }
                }
                EngineReply::TablutOk => return Ok(()),
                _ => {}
            }
        }
    }

    fn startup(&self) -> Option<Instant> {
        Instant::now().checked_add(Duration::from_millis(self.options.startup_ms))
    }

    fn say(&mut self, command: &EngineCommand) -> Result<(), MoverError> {
        match &self.child {
            Some(child) if child.say(&command.to_string()) => Ok(()),
            _ => Err(self.gone("the program does not read its input")),
        }
    }

    /// The program is gone: with how it ended, if it has.
    fn gone(&mut self, text: &str) -> MoverError {
        MoverError::Gone(match &mut self.child {
            Some(child) => child.describe(text),
            None => text.into(),
        })
    }

    /// Waits for the next reply; lines that are none are passed over.
    fn hear(&mut self, deadline: Option<Instant>) -> Result<EngineReply, MoverError> {
        loop {
            let Some(child) = &self.child else {
                return Err(self.gone("the program is not running"));
            };
            if self.options.stop.is_abandoned() {
                return Err(MoverError::Stopped);
            }
            // Looked at before every line, so that a flood of lines cannot hide the time.
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Err(MoverError::Late);
            }
            match child.hear(left.unwrap_or(LOOK).min(LOOK)) {
                Heard::Line(line) => {
                    if let Some(reply) = reply(&line)? {
                        return Ok(reply);
                    }
                }
                Heard::Nothing => {}
                Heard::TooLong => return Err(self.gone("the program wrote an endless line")),
                Heard::End => return Err(self.gone("the program has ended")),
            }
        }
    }

    fn prepare(&mut self, rules: &Rules, seed: u64) -> Result<(), MoverError> {
        self.start()?;
        if let Some((least, most)) = self.seeds {
            let count = most.saturating_sub(least).saturating_add(1);
            let value = least.saturating_add(seed % count);
            self.say(&EngineCommand::Option {
                name: "Seed".into(),
                value: value.to_string(),
            })?;
        }
        self.say(&EngineCommand::NewGame(rules.set().id().into()))?;
        self.say(&EngineCommand::IsReady)?;
        let deadline = self.startup();
        loop {
            match self.hear(deadline)? {
                EngineReply::ReadyOk => return Ok(()),
                EngineReply::Error(text) => return Err(unfit(&self.command, Unfit::Refused(text))),
                _ => {}
            }
        }
    }

    fn think(&mut self, game: &Game, budget: Budget) -> Result<Choice, MoverError> {
        // Whatever was printed before the question is not an answer to it.
        if let Some(child) = &self.child {
            child.forget();
        }
        let allowed = |ms: u64| Duration::from_millis(ms.saturating_add(self.options.grace_ms));
        let deadline = budget
            .time_ms
            .and_then(|ms| Instant::now().checked_add(allowed(ms)));
        self.say(&EngineCommand::Position(ProtocolPosition::of(game)))?;
        self.say(&EngineCommand::Go(Go {
            mode: Mode::Normal,
            budget,
        }))?;
        let mut known = Info::default();
        loop {
            match self.hear(deadline)? {
                EngineReply::Info(info) if info.rank.is_none_or(|rank| rank == 1) => {
                    known.score = info.score.or(known.score);
                    known.nodes = info.nodes.or(known.nodes);
                    known.depth = info.depth.or(known.depth);
                    known.time_ms = info.time_ms.or(known.time_ms);
                    if !info.line.is_empty() {
                        known.line = info.line;
                    }
                }
                EngineReply::BestMove(Some(step)) => {
                    return Ok(Choice {
                        step,
                        score: known.score,
                        nodes: known.nodes,
                        depth: known.depth,
                        time: known.time_ms.map(Duration::from_millis),
                        line: known.line,
                    });
                }
                EngineReply::BestMove(None) => {
                    return Err(MoverError::Illegal("the program found no move".into()));
                }
                EngineReply::Error(text) => return Err(MoverError::Illegal(text)),
                _ => {}
            }
        }
    }
}

impl Mover for ProcessMover {
    fn new_game(&mut self, rules: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        let ready = self.prepare(rules, seed);
        ready.map_err(|error| {
            self.child = None;
            match error {
                // There is no clock yet: a late program counts as gone.
                MoverError::Late => MoverError::Gone("the program did not get ready".into()),
                error => error,
            }
        })
    }

    fn choose(&mut self, game: &Game, question: Question<'_>) -> Result<Choice, MoverError> {
        let chosen = self.think(game, question.budget);
        if chosen.is_err() {
            self.child = None;
        }
        chosen
    }
}

/// What a line says. A best move that cannot be read is an answer all the same.
fn reply(line: &str) -> Result<Option<EngineReply>, MoverError> {
    match line.parse() {
        Ok(reply) => Ok(Some(reply)),
        Err(_) if line.trim_start().starts_with("bestmove") => {
            let line: String = line.trim().chars().take(80).collect();
            Err(MoverError::Illegal(format!("{line:?} names no move")))
        }
        Err(_) => Ok(None),
    }
}

fn unfit(command: &str, cause: Unfit) -> MoverError {
    MoverError::Unfit {
        player: format!("engine:{command}"),
        cause,
    }
}
