//! `tablut bench web`: many games by link at once, against a server of its own.

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use tablut_rules::{BySide, Random, Side};
use tablut_web::{
    client::Client,
    message::{Answer, Ask, NewGame, OpponentName},
};
use tokio::{runtime, sync::watch, task::JoinSet, time::sleep};

use crate::{Status, output};

/// Play many games by link at once against a server: round trips and memory
#[derive(Args)]
#[command(after_help = "\
A round trip is what a player waits for: from sending a move until the server confirms that it is stored.
Each player thinks a moment before moving, as people do; --pause 0 plays as fast as possible.

With --thinkers N, N visitors then let the engine think for a minute each, and another plays against level 1.

Examples:
  tablut bench web --games 50
  tablut bench web --games 1 --thinkers 20")]
pub(crate) struct Arguments {
    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    /// How many moves in each game, both players together
    #[arg(long, value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    moves: u32,
    /// The longest time players think, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pause: u64,
    /// How many visitors let the engine think for a minute while another plays against level 1
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=200))]
    thinkers: u32,
    /// Where to store the games: a file, or a PostgreSQL URL [default: a temporary file]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Figures {
    games: u32,
    moves: usize,
    seconds: f64,
    moves_per_s: f64,
    round_trip_p50_ms: f64,
    round_trip_p99_ms: f64,
    seen_p50_ms: f64,
    seen_p99_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    kb_per_game: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quick: Option<Quick>,
}

/// How long an engine of level 1 takes for a move while others think for long.
#[derive(Serialize)]
struct Quick {
    thinkers: u32,
    p50_ms: f64,
    worst_ms: f64,
}

/// The round trip that is wanted, in milliseconds; ten times as much is a failure.
const TARGET_MS: f64 = 50.0;

/// The time for a move of level 1 that is wanted, in milliseconds; ten times as much is a failure.
const QUICK_MS: f64 = 1000.0;

/// How many moves of level 1 are timed.
const QUICK_MOVES: usize = 10;

/// A server in a process of its own, so that its memory is its own.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(store: &str) -> Result<Self> {
        let program = env::current_exe().context("cannot find this program")?;
        let mut child = Command::new(program)
            .args(["serve", "--no-open", "--port", "0", "--store", store])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the server")?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let address = line.trim().trim_start_matches("http://");
        match address.trim_end_matches('/').parse() {
            Ok(address) => Ok(Self { child, address }),
            Err(_) => bail!("the server did not start; try `tablut serve --store {store}`"),
        }
    }

    /// The memory the server holds, in kilobytes, where the system tells.
    fn memory_kb(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What one game took: for each move, until it was kept, and until the other player saw it.
type Trips = Vec<(Duration, Duration)>;

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
        let folder = env::temp_dir().join(format!("tablut-bench-{}", std::process::id()));
        let file = folder.join("games.db");
        let own = file.display().to_string();
        let server = Server::start(self.store.as_deref().unwrap_or(&own))?;
        let figures = runtime.block_on(self.measure(&server));
        drop(server);
        // Nothing is there if the games went elsewhere.
        let _ = fs::remove_dir_all(&folder);
        let figures = figures?;
        if self.json {
            output::json(out, &figures)?;
        } else {
            figures.print(out)?;
        }
        let is_slow = |quick: &Quick| quick.worst_ms > 10.0 * QUICK_MS;
        let is_bad = figures.quick.as_ref().is_some_and(is_slow);
        Ok(if is_bad || figures.round_trip_p99_ms > 10.0 * TARGET_MS {
            Status::Bad
        } else {
            Status::Good
        })
    }

    async fn measure(&self, server: &Server) -> Result<Figures> {
        let address = server.address;
        // One visitor first, so that what all games share is there.
        let mut first = Client::connect(address, &token('x', 0)).await?;
        first.ask(Ask::Games).await?;
        let before = server.memory_kb();
        let (all_seated, seated) = watch::channel(false);
        let mut games = JoinSet::new();
        for number in 0..self.games {
            let mut table = LinkGame::sit_down(address, number).await?;
            let (mut seated, moves, pause) = (seated.clone(), self.moves, self.pause);
            games.spawn(async move {
                table.wait(&mut seated).await?;
                table.play(moves, pause).await
            });
        }
        let after = server.memory_kb();
        let begin = Instant::now();
        all_seated.send_replace(true);
        let mut trips = Vec::new();
        while let Some(game) = games.join_next().await {
            trips.extend(game.context("a game failed")??);
        }
        let seconds = begin.elapsed().as_secs_f64();
        let memory = before.zip(after.max(server.memory_kb()));
        let (kept, seen): (Vec<_>, Vec<_>) = trips.into_iter().unzip();
        let quick = match self.thinkers {
            0 => None,
            thinkers => Some(Quick::measure(address, thinkers).await?),
        };
        Ok(Figures {
            games: self.games,
            moves: kept.len(),
            seconds,
            moves_per_s: kept.len() as f64 / seconds,
            round_trip_p50_ms: percentile(&kept, 50),
            round_trip_p99_ms: percentile(&kept, 99),
            seen_p50_ms: percentile(&seen, 50),
            seen_p99_ms: percentile(&seen, 99),
            kb_per_game: memory
                .map(|(before, after)| after.saturating_sub(before) / u64::from(self.games)),
            quick,
        })
    }
}

impl Figures {
    fn print(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "games at once       {}", self.games)?;
        writeln!(
            out,
            "moves               {} in {:.1} s, {:.0} a second",
            self.moves, self.seconds, self.moves_per_s
        )?;
        writeln!(
            out,
            "round trip          p50 {:.1} ms, p99 {:.1} ms (target {TARGET_MS:.0} ms)",
            self.round_trip_p50_ms, self.round_trip_p99_ms
        )?;
        writeln!(
            out,
            "seen by opponent    p50 {:.1} ms, p99 {:.1} ms",
            self.seen_p50_ms, self.seen_p99_ms
        )?;
        match self.kb_per_game {
            Some(kb) => writeln!(out, "memory per game     {kb} KB")?,
            None => writeln!(out, "memory per game     not known on this system")?,
        }
        if let Some(quick) = &self.quick {
            writeln!(
                out,
                "move of level 1     p50 {:.0} ms, worst {:.0} ms while {} visitors think (target {QUICK_MS:.0} ms)",
                quick.p50_ms, quick.worst_ms, quick.thinkers
            )?;
        }
        Ok(())
    }
}

/// Comes to a new game against an engine, which has the first move.
async fn against(address: SocketAddr, token: &str, engine: &str) -> Result<Client> {
    let mut client = Client::connect(address, token).await?;
    let new = NewGame {
        opponent: OpponentName::Engine,
        side: Side::Attackers,
        engine: engine.into(),
        ..NewGame::by_link("none")
    };
    let Answer::Game { game } = client.ask(Ask::NewGame(new)).await? else {
        bail!("the server created no game");
    };
    client.ask(Ask::Join { game, secret: None }).await?;
    Ok(client)
}

impl Quick {
    async fn measure(address: SocketAddr, thinkers: u32) -> Result<Self> {
        let mut others = JoinSet::new();
        for number in 0..thinkers {
            let mut other = against(address, &token('t', number), "time:60").await?;
            others.spawn(async move {
                // Stays until the measurement is over.
                while other.next_state().await.is_ok() {}
            });
        }
        let mut random = Random::new(1);
        let mut times = Vec::new();
        let mut begin = Instant::now();
        let mut client = against(address, &token('q', 0), "level:1").await?;
        for ply in (0..2 * QUICK_MOVES).step_by(2) {
            let state = client.until_ply(ply + 1).await?;
            times.push(begin.elapsed());
            let quiet: Vec<_> = state.targets.iter().filter(|one| !one.wins).collect();
            if state.outcome.is_some() || quiet.is_empty() {
                break;
            }
            let target = quiet[random.below(quiet.len())];
            let step = format!("{}{}", target.from, target.to);
            begin = Instant::now();
            client.ask(Ask::Move { ply: ply + 1, step }).await?;
        }
        Ok(Self {
            thinkers,
            p50_ms: percentile(&times, 50),
            worst_ms: percentile(&times, 100),
        })
    }
}

/// The given percentile, in milliseconds.
fn percentile(times: &[Duration], percent: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times
        .get(index)
        .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

/// The token of a visitor.
fn token(side: char, number: u32) -> String {
    format!("{side}{number:0>23}")
}

/// A game by link and its two players.
struct LinkGame {
    players: BySide<Client>,
    random: Random,
}

impl LinkGame {
    async fn sit_down(address: SocketAddr, number: u32) -> Result<Self> {
        let mut white = Client::connect(address, &token('w', number)).await?;
        let mut black = Client::connect(address, &token('b', number)).await?;
        let new = NewGame::by_link("move:60000");
        let Answer::Game { game } = white.ask(Ask::NewGame(new)).await? else {
            bail!("the server created no game");
        };
        let join = |secret| Ask::Join {
            game: game.clone(),
            secret,
        };
        white.ask(join(None)).await?;
        let secret = white.next_state().await?.invitation.clone();
        black.ask(join(secret)).await?;
        for player in [&mut white, &mut black] {
            while !player.state.as_ref().is_some_and(|state| state.started) {
                player.next_state().await?;
            }
        }
        Ok(Self {
            players: BySide {
                attackers: black,
                defenders: white,
            },
            random: Random::new(u64::from(number)),
        })
    }

    /// Waits until all have sat down. Both players listen meanwhile: who does not answer the server's
    /// pings is taken for gone.
    async fn wait(&mut self, seated: &mut watch::Receiver<bool>) -> Result<()> {
        let players = &mut self.players;
        loop {
            tokio::select! {
                _ = seated.wait_for(|seated| *seated) => return Ok(()),
                state = players.defenders.next_state() => drop(state?),
                state = players.attackers.next_state() => drop(state?),
            }
        }
    }

    async fn play(mut self, moves: u32, pause: u64) -> Result<Trips> {
        let mut trips = Vec::new();
        for ply in 0..moves as usize {
            let BySide {
                attackers,
                defenders,
            } = &mut self.players;
            let (mover, other) = if ply.is_multiple_of(2) {
                (defenders, attackers)
            } else {
                (attackers, defenders)
            };
            let state = mover.until_ply(ply).await?;
            // A move that ends the game would end the measurement.
            let quiet: Vec<_> = state.targets.iter().filter(|one| !one.wins).collect();
            if state.outcome.is_some() || quiet.is_empty() {
                break;
            }
            let target = quiet[self.random.below(quiet.len())];
            let step = format!("{}{}", target.from, target.to);
            let think = self.random.below(usize::try_from(pause)?.max(1));
            sleep(Duration::from_millis(think as u64)).await;
            let begin = Instant::now();
            let (kept, seen) = tokio::join!(
                async {
                    let asked = mover.ask(Ask::Move { ply, step }).await;
                    asked.map(|_| begin.elapsed())
                },
                async {
                    let seen = other.until_ply(ply + 1).await;
                    seen.map(|_| begin.elapsed())
                }
            );
            trips.push((kept?, seen?));
        }
        Ok(trips)
    }
}
