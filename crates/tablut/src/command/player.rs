//! `tablut player`: a client of the Tablut Challenge.

mod brain;

use std::{
    io::Write,
    net::TcpStream,
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};
use brain::Brain;
use clap::Args;
use tablut_arena::Player;
use tablut_challenge::{
    PORTS,
    client::{Follower, Heard, Incoming, News, connect, say_move, say_name},
    frame::Frame,
    message::Turn,
};
use tablut_engine::Level;
use tablut_guest::MoverOptions;
use tablut_rules::{Game, Move, Rules, Side, notation::Diagram};

use crate::{Status, input, output::counted};

/// Play in the Tablut Challenge with our engine, against any server
#[derive(Args)]
#[command(after_help = "\
The four arguments are those of the Challenge, in any letter case. The player waits for a server that
starts late. It keeps part of each move's time in reserve for the network and for the Java server,
which looks at its clock once a second: one second, but never more than a quarter of the time.

Examples:
  tablut player WHITE 60 192.168.20.254     as the Challenge starts it
  tablut player black --ponder --threads 2  thinks on the opponent's time too
  tablut player white --human               you play, in this terminal")]
pub(crate) struct Arguments {
    /// The side to play: WHITE or BLACK
    #[arg(value_name = "WHITE|BLACK")]
    side: Colour,
    /// Seconds for a move, as the server counts them
    #[arg(value_name = "SECONDS", default_value = "60", value_parser = input::milliseconds)]
    time: u64,
    /// The server's address
    #[arg(value_name = "SERVER", default_value = "127.0.0.1")]
    server: String,
    /// Add `debug` to see every board and every depth
    #[arg(value_name = "debug")]
    debug: Option<Debug>,
    /// The name to play under
    #[arg(long, default_value = "tablut")]
    name: String,
    /// The server's port [default: 5800 for White, 5801 for Black]
    #[arg(long)]
    port: Option<u16>,
    #[command(flatten)]
    rules: input::RulesFlag,
    /// Threads for the search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory for the search, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Think from the first move instead of using the opening book
    #[arg(long)]
    no_book: bool,
    /// Play at a level from 1 to 10 instead of as well as possible
    #[arg(long, conflicts_with_all = ["random", "human", "ponder"])]
    level: Option<Level>,
    /// Think on the opponent's time too
    #[arg(long)]
    ponder: bool,
    /// Seconds of each move's time to keep in reserve [default: 1, at most a quarter of the time]
    #[arg(long, value_name = "SECONDS", value_parser = input::milliseconds)]
    margin: Option<u64>,
    /// Play random legal moves
    #[arg(long, conflicts_with = "human")]
    random: bool,
    /// Ask you for the moves
    #[arg(long)]
    human: bool,
    /// The random seed [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// A side by its colour, in any letter case.
#[derive(Clone, Copy)]
struct Colour(Side);

impl FromStr for Colour {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "white" => Ok(Self(Side::Defenders)),
            "black" => Ok(Self(Side::Attackers)),
            _ => Err("expected WHITE or BLACK"),
        }
    }
}

/// The word `debug`.
#[derive(Clone, Copy)]
struct Debug;

impl FromStr for Debug {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.eq_ignore_ascii_case("debug") {
            true => Ok(Self),
            false => Err("expected debug, or nothing"),
        }
    }
}

/// How long one wait for the server is, between looks at other things.
const LOOK: Duration = Duration::from_secs(3600);

/// The margin, unless another is asked for.
const MARGIN_MS: u64 = 1000;

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        // Its memory takes a moment, which no clock should count.
        let brain = self.brain(&rules)?;
        let server = (self.server.as_str(), self.port());
        let stream = self.connect(server)?;
        say_name(&stream, &self.name).context("the server closed the connection")?;
        eprintln!(
            "connected to {}:{} as {}",
            server.0,
            server.1,
            self.side.0.colour()
        );
        let states = Incoming::new(&stream).context("cannot read from the server")?;
        let mut play = Play {
            brain,
            follower: Follower::new(Arc::clone(&rules)),
            arguments: &self,
            stream,
            states,
            refused: Vec::new(),
            out,
        };
        play.run()
    }

    fn port(&self) -> u16 {
        self.port.unwrap_or(PORTS[self.side.0])
    }

    fn connect(&self, server: (&str, u16)) -> Result<TcpStream> {
        let mut waiting = || {
            let (address, port) = server;
            eprintln!("no server at {address}:{port} yet; waiting for it (Ctrl-C to give up)");
        };
        connect(server, &mut waiting, &|| true)
            .with_context(|| format!("cannot connect to {}:{}", server.0, server.1))
    }

    fn brain(&self, rules: &Arc<Rules>) -> Result<Brain> {
        let seed = self.seed.unwrap_or_else(|| {
            let since = std::time::UNIX_EPOCH.elapsed();
            since.map_or(0, |since| since.as_nanos() as u64)
        });
        let player = match self.level {
            _ if self.human => return Ok(Brain::Person),
            _ if self.random => Player::Random,
            Some(level) => Player::Level(level.number()),
            None => Player::Time(self.time),
        };
        let options = MoverOptions {
            hash_mb: self.hash.into(),
            threads: self.threads.into(),
            uses_book: !self.no_book,
            ..MoverOptions::default()
        };
        let brain = Brain::of(player, &options, (rules, self.side.0), seed);
        brain.map_err(Into::into)
    }

    /// The time for a move that the player gives itself, from the moment the state was there.
    fn budget(&self) -> Duration {
        let margin = self.margin.unwrap_or(MARGIN_MS.min(self.time / 4));
        Duration::from_millis(self.time.saturating_sub(margin).max(1))
    }
}

/// A game under way.
struct Play<'a, W> {
    arguments: &'a Arguments,
    brain: Brain,
    follower: Follower,
    stream: TcpStream,
    states: Incoming,
    /// What the server refused in the present position.
    refused: Vec<Move>,
    out: &'a mut W,
}

impl<W: Write> Play<'_, W> {
    fn run(&mut self) -> Result<Status> {
        let side = self.arguments.side.0;
        let mut sent = None;
        let mut heard = self.states.next(LOOK);
        loop {
            let (at, payload) = match heard {
                Heard::Frame(at, Frame::Payload(payload)) => (at, payload),
                Heard::Frame(..) => bail!("the server sent a frame with an impossible length"),
                Heard::Nothing => {
                    heard = self.states.next(LOOK);
                    continue;
                }
                Heard::End => return self.cut_off(),
            };
            let news = self.follower.tell(&payload)?;
            if self.arguments.debug.is_some() || self.arguments.human {
                self.board()?;
            }
            match news {
                News::Over(turn) => return self.over(turn),
                News::Again => self.refused.extend(sent.take()),
                News::Fresh | News::Played { .. } => self.refused.clear(),
            }
            if let News::Played { side: by, step } = news
                && by != side
            {
                writeln!(self.out, "{}. {step} ({})", self.number(), by.colour())?;
            }
            self.out.flush()?;
            // What is already there is newer: think about that.
            heard = self.states.next(Duration::ZERO);
            if heard != Heard::Nothing {
                continue;
            }
            if self.follower.turn() == Turn::Of(side) {
                sent = self.move_once(at)?;
                heard = self.states.next(LOOK);
            } else {
                heard = self.wait();
            }
        }
    }

    /// Chooses a move and sends it.
    fn move_once(&mut self, at: Instant) -> Result<Option<Move>> {
        let game = self.follower.game().context("there is no game")?;
        let rules = Arc::clone(game.rules());
        let deadline = at + self.arguments.budget();
        let mut legal = rules.moves(game.position()).to_vec();
        legal.retain(|step| !self.refused.contains(step));
        if legal.is_empty() {
            writeln!(self.out, "no legal move is left; the server has to decide")?;
            self.out.flush()?;
            return Ok(None);
        }
        let thought = if self.refused.is_empty() {
            let debug = self.arguments.debug.is_some();
            self.brain.choose(game, deadline, debug, self.out)?
        } else {
            // The server sees other rules than we do: whatever it has not refused.
            eprintln!(
                "the server refused {}; trying another move",
                words(&self.refused)
            );
            brain::Thought::plain(legal[0])
        };
        say_move(&self.stream, thought.step, self.arguments.side.0)
            .context("the server closed the connection")?;
        let (number, colour) = (self.number() + 1, self.arguments.side.0.colour());
        writeln!(
            self.out,
            "{number}. {} ({colour}){}",
            thought.step, thought.note
        )?;
        self.out.flush()?;
        Ok(Some(thought.step))
    }

    /// Waits for the opponent, thinking or not.
    fn wait(&mut self) -> Heard {
        match self.follower.game() {
            Some(game) if self.arguments.ponder => {
                let states = &self.states;
                self.brain.ponder(game, || states.next(LOOK))
            }
            _ => self.states.next(LOOK),
        }
    }

    fn number(&self) -> usize {
        self.follower.game().map_or(0, |game| game.plies().len())
    }

    fn board(&mut self) -> Result<()> {
        if let Some(game) = self.follower.game() {
            writeln!(self.out, "{}", board(game))?;
        }
        Ok(())
    }

    fn over(&mut self, turn: Turn) -> Result<Status> {
        let text = match turn {
            Turn::Won(side) if side == self.arguments.side.0 => "won",
            Turn::Won(_) => "lost",
            _ => "drawn",
        };
        let moves = counted(self.number(), "move", "moves");
        writeln!(self.out, "the game is {text} after {moves}")?;
        Ok(Status::Good)
    }

    fn cut_off(&mut self) -> Result<Status> {
        if self.follower.game().is_none() {
            bail!("the server closed the connection before the game (is it full?)");
        }
        writeln!(
            self.out,
            "the server closed the connection without a result, as the Java server does after a time-out"
        )?;
        Ok(Status::Bad)
    }
}

fn words(moves: &[Move]) -> String {
    let words: Vec<String> = moves.iter().map(ToString::to_string).collect();
    words.join(", ")
}

/// A board as text.
fn board(game: &Game) -> Diagram {
    Diagram::from(game.position()).marked(game.rules())
}

/// A move as a person types it: `e4d4`, `e4-d4` or `e4 d4`.
fn read_move(text: &str, rules: &Rules, game: &Game) -> Result<Move> {
    let joined: String = text.split_whitespace().collect();
    let step: Move = joined.parse()?;
    match rules.explain(game.position(), step) {
        Ok(()) => Ok(step),
        Err(reason) => Err(anyhow!("{reason}")),
    }
}
