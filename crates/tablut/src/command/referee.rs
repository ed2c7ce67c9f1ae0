//! `tablut referee`: the contest server.

mod event;
mod files;
mod screen;

use std::{
    io::Write,
    net::IpAddr,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use tablut_arena::Stop;
use tablut_challenge::{
    Effect, Options, Referee,
    server::{Moment, RefereePorts, play},
};
use tablut_rules::{BySide, Repetition, RepetitionResult, Rules, Side};
use tokio::{runtime, time::interval};

use super::{guest, replay};
use crate::{Status, input, signal};

/// Run the contest server of the Tablut Challenge
#[derive(Args)]
#[command(after_help = "\
Every client of the Tablut Challenge can play here unchanged: White connects to port 5800, Black to
port 5801. docs/challenge.md describes the protocol, and where we do better than the Java server.
A client that connects but sends no name blocks nobody: 64 connections at each port are read concurrently.

Examples:
  tablut referee                            one game, 60 seconds for a move, on this machine only
  tablut referee -t 10 -g --log-dir logs    with a board, and logs as the Java server writes them
  tablut referee --bind 0.0.0.0 --forever   a contest: players reconnect for the next game")]
pub(crate) struct Arguments {
    /// Seconds for a move
    #[arg(long, short, value_name = "SECONDS", default_value = "60", value_parser = input::milliseconds)]
    time: u64,
    /// Illegal moves that each player may make; one more loses
    #[arg(
        long,
        short,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    errors: i64,
    /// How often a position may repeat before the game is a draw [default: from the rules]
    #[arg(long, short = 's', alias = "repeatedState", value_name = "N")]
    repetitions: Option<u32>,
    /// Compare with this many earlier positions plus one to detect repetitions; negative means all
    #[arg(
        long,
        short,
        value_name = "N",
        default_value_t = -1,
        allow_negative_numbers = true
    )]
    cache: i64,
    /// The rules: 1 classic, 2 modern, 3 brandub, 4 ashton, or an id or TOML file
    #[arg(long, short, value_name = "1|2|3|4|ID|FILE", default_value = "4")]
    rules: String,
    /// Show the board during a game
    #[arg(long, short = 'g', alias = "enableGUI")]
    board: bool,
    /// Replay a game log instead, as `tablut replay` does
    #[arg(long, short = 'R', value_name = "LOG")]
    replay: Option<String>,
    /// The address to listen on; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The ports of White and Black
    #[arg(
        long,
        value_name = "WHITE,BLACK",
        value_parser = input::ports,
        default_value = "5800,5801"
    )]
    ports: BySide<u16>,
    /// How many games to play, one after another
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "forever",
          value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Play one game after another until Ctrl-C
    #[arg(long)]
    forever: bool,
    /// Seconds to wait for the players of a game [default: forever; 300 with --strict-reference]
    #[arg(long, value_name = "SECONDS", value_parser = input::milliseconds)]
    wait: Option<u64>,
    /// Seconds a client may take to send its name [default: 10; as for a move with --strict-reference]
    #[arg(long, value_name = "SECONDS", value_parser = input::milliseconds)]
    name_time: Option<u64>,
    #[command(flatten)]
    pace: guest::Pace,
    /// Write each game to this folder as a record, and as a game log like those of the Java server
    #[arg(long, value_name = "FOLDER")]
    log_dir: Option<PathBuf>,
    /// Behave like the Java server, as far as a client can tell
    #[arg(long)]
    strict_reference: bool,
    /// Print events as JSON, one per line
    #[arg(long)]
    json: bool,
}

/// How often clocks are redrawn and the stop signal is checked.
const TICK: Duration = Duration::from_millis(100);

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        if let Some(log) = &self.replay {
            return replay::show(log, out);
        }
        let options = self.options()?;
        let stop = signal::stop("finishing the game in progress; Ctrl-C again stops it")?;
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start")?;
        runtime.block_on(self.serve(&options, &stop, out))?;
        Ok(Status::Good)
    }

    /// What is played.
    fn options(&self) -> Result<Options> {
        let strict = self.strict_reference;
        let id = match (self.rules.as_str(), strict) {
            ("1", false) => "classic",
            ("2", false) => "modern",
            ("1" | "classic", true) => "referee-classic",
            ("2" | "modern", true) => "referee-modern",
            ("3" | "brandub", _) => "referee-brandub",
            ("4", _) => "ashton",
            (id, _) => id,
        };
        let rules = input::rules(id)?;
        let mut options = match strict {
            true => Options::reference(rules),
            false => Options::new(rules),
        };
        options.time_ms = self.time;
        // Below zero means zero, as in the reference server.
        options.errors = u32::try_from(self.errors.max(0)).context("too many --errors")?;
        options.name_ms = self.name_time.or(options.name_ms);
        options.pace_ms = self.pace.pace;
        options.wait_ms = self.wait.or(options.wait_ms);
        options.laws.memory = u32::try_from(self.cache).ok();
        match self.repetitions {
            Some(_) if strict => eprintln!("-s has no effect with --strict-reference"),
            Some(allowed) => {
                options.laws.repetition = Some(Repetition {
                    occurrence: allowed.saturating_add(2),
                    result: RepetitionResult::Draw,
                });
            }
            None => {}
        }
        Ok(options)
    }

    async fn serve(&self, options: &Options, stop: &Stop, out: &mut impl Write) -> Result<()> {
        let table = RefereePorts::bind(self.bind, self.ports).await;
        let table = table.context("is another server running? choose other --ports")?;
        let ports = table.ports();
        if self.json {
            event::listening(out, self.bind, ports)?;
        } else {
            let (white, black) = (ports.defenders, ports.attackers);
            eprintln!(
                "waiting for players: White at {}:{white}, Black at {}:{black}",
                self.bind, self.bind
            );
        }
        for number in 1.. {
            self.play(number, &table, options, stop, out).await?;
            if stop.is_finishing() || !self.forever && number >= self.games {
                break;
            }
        }
        Ok(())
    }

    /// Plays one game.
    async fn play(
        &self,
        number: u64,
        table: &RefereePorts,
        options: &Options,
        stop: &Stop,
        out: &mut impl Write,
    ) -> Result<()> {
        let view = Mutex::new(View {
            screen: screen::Screen::new(self.board, self.json),
            files: self.log_dir.as_deref().map(files::Files::new),
            events: Vec::new(),
            failure: None,
            snapshot: None,
            aside: 0,
        });
        let lock = || view.lock().unwrap_or_else(PoisonError::into_inner);
        let start = Instant::now();
        let now = || start.elapsed().as_millis() as u64;
        let mut watch = |moment: Moment, referee: &Referee, effect: &Effect| {
            let mut view = lock();
            view.follow(number, moment.ms, referee, effect, self.json);
            view.aside = now().saturating_sub(moment.ms);
        };
        let game = play(table, options.clone(), &mut watch);
        tokio::pin!(game);
        let mut ticks = interval(TICK);
        let played = loop {
            tokio::select! {
                played = &mut game => break Some(played),
                _ = ticks.tick() => {
                    let mut view = lock();
                    let aside = view.aside;
                    view.tick(now().saturating_sub(aside));
                    let is_running = view.snapshot.is_some();
                    if stop.is_abandoned() || stop.is_finishing() && !is_running || view.failure.is_some() {
                        break None;
                    }
                    write_all(out, &mut view.events)?;
                }
            }
        };
        let mut view = lock();
        view.screen.end();
        write_all(out, &mut view.events)?;
        if let Some(error) = view.failure.take() {
            return Err(error);
        }
        if let Some(referee) = played
            && !self.json
        {
            match referee.contest().outcome() {
                Some(_) => screen::result(out, number, &referee)?,
                None => eprintln!("game {number}: the players did not connect"),
            }
            if let Some(path) = view.files.as_ref().and_then(files::Files::path) {
                eprintln!("log: {}", path.display());
            }
        }
        out.flush()?;
        Ok(())
    }
}

fn write_all(out: &mut impl Write, events: &mut Vec<String>) -> Result<()> {
    if !events.is_empty() {
        for event in events.drain(..) {
            writeln!(out, "{event}")?;
        }
        out.flush()?;
    }
    Ok(())
}

/// What is shown and kept of a game.
struct View {
    screen: screen::Screen,
    files: Option<files::Files>,
    events: Vec<String>,
    /// Why it cannot go on.
    failure: Option<anyhow::Error>,
    /// The game as it stood at the last event, once it has begun.
    snapshot: Option<Referee>,
    /// How long the referee's clock has stood still, in milliseconds.
    aside: u64,
}

impl View {
    fn follow(&mut self, number: u64, now: u64, referee: &Referee, effect: &Effect, json: bool) {
        if let Some(files) = &mut self.files
            && let Err(error) = files.follow(referee, effect)
        {
            self.failure.get_or_insert(error);
        }
        // Whoever hears that a game is over finds its files.
        if json && self.failure.is_none() {
            self.events.extend(event::line(number, referee, effect));
        }
        if let Effect::Dismissed { side, why } = effect {
            self.screen
                .say(&format!("{} was disconnected: {why}", side.colour()));
        }
        if let Effect::Seated { side, name } = effect {
            self.screen.say(&format!("{name} plays {}", side.colour()));
        }
        if let Effect::Refused {
            side,
            fault,
            errors,
            ..
        } = effect
        {
            let name = referee.name(*side);
            let colour = side.colour();
            // What ends the game at once is not counted.
            self.screen.say(&match errors {
                0 => format!("{name} ({colour}): {fault}"),
                _ => format!("{name} ({colour}) made error {errors}: {fault}"),
            });
        }
        match effect {
            Effect::Started => self.snapshot = Some(referee.clone()),
            Effect::Moved { .. } | Effect::Over { .. } => {
                self.snapshot = Some(referee.clone());
                self.screen.show(referee, now);
            }
            _ => {}
        }
    }

    fn tick(&mut self, now: u64) {
        if let Some(referee) = &self.snapshot {
            self.screen.clock(referee, now);
        }
    }
}

/// The sides with the words people use, White first.
fn sides() -> [(Side, &'static str); 2] {
    Side::WHITE_FIRST.map(|side| (side, side.colour()))
}

/// The rules' id for people.
fn rules_id(rules: &Rules) -> &str {
    rules.set().id()
}
