//! `tablut bench referee`: many games at once on one server, played by another process.

use std::{
    env, fs,
    io::{self, Read, Write},
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use tablut_challenge::{
    Effect, Options, Referee,
    frame::frame,
    message::{Action, name_payload},
    server::{Moment, RefereePorts, play},
};
use tablut_rules::{BySide, Repetition, RepetitionResult, Rules, Side};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    runtime::{self, Runtime},
    task::JoinSet,
    time::{self, Instant as Later},
};

use crate::{Status, descriptor, output};

/// The contest server under load: from a move to both states, memory per game, errors
#[derive(Args)]
#[command(after_help = "\
Example:
  tablut bench referee --games 500")]
pub(super) struct Arguments {
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    games: u32,
    /// How long to play, in seconds; each player moves once a second
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is sent to the clients' process.
#[derive(Serialize, Deserialize)]
struct Task {
    /// The ports of each game.
    ports: Vec<BySide<u16>>,
    seconds: u32,
}

/// What the server found.
struct Served {
    /// The memory the games took, in bytes.
    memory: Option<f64>,
    /// Microseconds from a frame that was read to both states handed to the system.
    times: Vec<u32>,
    /// What the clients found.
    found: ClientFindings,
}

/// What the clients found.
#[derive(Serialize, Deserialize)]
struct ClientFindings {
    /// Microseconds from a move to both states, in order.
    latencies_us: Vec<u32>,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct Figures {
    games: u32,
    moves: usize,
    moves_per_s: f64,
    /// From a frame that was read to both states handed to the system.
    server_ms: Spread,
    /// From a move sent to both states received, on a machine that also runs the clients.
    client_ms: Spread,
    memory_per_game_kib: Option<f64>,
    errors: usize,
    descriptors: u64,
}

/// How times are spread, in milliseconds.
#[derive(Serialize)]
struct Spread {
    p50: f64,
    p99: f64,
    longest: f64,
}

impl Spread {
    fn new(mut times_us: Vec<u32>) -> Self {
        times_us.sort_unstable();
        let at = |part: f64| {
            let index = (times_us.len() as f64 * part) as usize;
            let index = index.min(times_us.len().saturating_sub(1));
            times_us
                .get(index)
                .map_or(0.0, |us| f64::from(*us) / 1000.0)
        };
        Self {
            p50: at(0.5),
            p99: at(0.99),
            longest: at(1.0),
        }
    }
}

/// The latency that is aimed at is a tenth of this, which a busy machine may need.
const SLOW_MS: f64 = 50.0;

/// Pause of a player: two players, each once a second.
const PAUSE: Duration = Duration::from_millis(500);

/// Descriptors that a process needs besides those of the games.
const OTHERS: u64 = 64;

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        // Two listeners and two connections for each game.
        let descriptors = descriptor::raise(4 * u64::from(self.games) + OTHERS)?;
        let served = runtime()?.block_on(self.serve())?;
        let found = served.found;
        for error in found.errors.iter().take(10) {
            eprintln!("{error}");
        }
        let figures = Figures {
            games: self.games,
            moves: found.latencies_us.len(),
            moves_per_s: found.latencies_us.len() as f64 / f64::from(self.seconds),
            server_ms: Spread::new(served.times),
            client_ms: Spread::new(found.latencies_us),
            memory_per_game_kib: served
                .memory
                .map(|bytes| bytes / 1024.0 / f64::from(self.games)),
            errors: found.errors.len(),
            descriptors,
        };
        if self.json {
            output::json(out, &figures)?;
        } else {
            print(out, &figures)?;
        }
        let is_bad = figures.errors > 0 || figures.moves == 0 || figures.server_ms.p99 > SLOW_MS;
        Ok(if is_bad { Status::Bad } else { Status::Good })
    }

    /// Serves the games and has them played.
    async fn serve(&self) -> Result<Served> {
        let mut options = Options::new(Rules::ashton());
        // Positions are counted but the games go on: the players only go to and fro.
        options.laws.repetition = Some(Repetition {
            occurrence: u32::MAX,
            result: RepetitionResult::Draw,
        });
        // Room for all of them, so that the bench itself takes no memory later.
        let moves = 2 * self.games as usize * (self.seconds as usize + 1);
        let mut room: Vec<u32> = vec![1; moves];
        room.clear();
        let times = Arc::new(Mutex::new(room));
        let before = resident();
        let mut games = JoinSet::new();
        let mut ports = Vec::new();
        for _ in 0..self.games {
            let bind = async || TcpListener::bind("127.0.0.1:0").await;
            let table = RefereePorts::new(BySide {
                attackers: bind().await.context("cannot listen")?,
                defenders: bind().await.context("cannot listen")?,
            });
            ports.push(table.ports());
            let options = options.clone();
            let times = Arc::clone(&times);
            games.spawn(async move {
                let mut watch = |moment: Moment, referee: &Referee, effect: &Effect| {
                    // Black's is the second of the two states; the first ones answer no move.
                    let is_second =
                        matches!(effect, Effect::Send { side, .. } if *side == Side::Attackers);
                    if is_second && !referee.contest().game().plies().is_empty() {
                        let us = moment.heard.elapsed().as_micros();
                        let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
                        times.push(u32::try_from(us).unwrap_or(u32::MAX));
                    }
                };
                play(&table, options, &mut watch).await
            });
        }
        let task = Task {
            ports,
            seconds: self.seconds,
        };
        let program = env::current_exe().context("cannot find this program")?;
        let mut child = Command::new(program)
            .args(["bench", "referee-load"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the clients")?;
        let mut input = child.stdin.take().context("the clients do not listen")?;
        serde_json::to_writer(&mut input, &task)?;
        drop(input);
        // A thread waits for them, so that the server is undisturbed.
        let clients = std::thread::spawn(move || child.wait_with_output());
        let mut memory = None;
        while !clients.is_finished() {
            time::sleep(Duration::from_millis(100)).await;
            let now = resident();
            let grown = before.zip(now).map(|(before, now)| now - before);
            memory = memory.max(grown.map(|bytes| bytes.max(0)));
        }
        let Ok(waited) = clients.join() else {
            bail!("cannot wait for the clients");
        };
        let said = waited.context("cannot wait for the clients")?;
        let found = serde_json::from_slice(&said.stdout).context("the clients failed")?;
        games.shutdown().await;
        Ok(Served {
            memory: memory.map(|bytes| bytes as f64),
            found,
            times: std::mem::take(&mut *times.lock().unwrap_or_else(PoisonError::into_inner)),
        })
    }
}

fn runtime() -> Result<Runtime> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("cannot start")
}

fn print(out: &mut impl Write, figures: &Figures) -> Result<()> {
    writeln!(out, "games at once    {}", figures.games)?;
    writeln!(
        out,
        "moves            {} ({:.0} a second)",
        figures.moves, figures.moves_per_s
    )?;
    writeln!(
        out,
        "from a move to both states      p50       p99   longest"
    )?;
    for (name, spread) in [
        ("in the server", &figures.server_ms),
        ("as seen by clients", &figures.client_ms),
    ] {
        let Spread { p50, p99, longest } = spread;
        writeln!(
            out,
            "  {name:<24} {p50:>5.2} ms {p99:>6.2} ms {longest:>6.1} ms"
        )?;
    }
    match figures.memory_per_game_kib {
        Some(kib) => writeln!(out, "memory per game  {kib:.1} KiB")?,
        None => writeln!(out, "memory per game  not known on this system")?,
    }
    writeln!(out, "errors           {}", figures.errors)?;
    writeln!(out, "descriptors      {}", figures.descriptors)?;
    Ok(())
}

/// The memory of this process in bytes, where the system tells.
fn resident() -> Option<i64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: i64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib * 1024)
}

/// The clients: reads a task, plays, and writes what it found.
pub(super) fn load(out: &mut impl Write) -> Result<Status> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let task: Task = serde_json::from_str(&text).context("this is for `tablut bench referee`")?;
    descriptor::raise(2 * task.ports.len() as u64 + OTHERS)?;
    let found = runtime()?.block_on(play_all(task));
    serde_json::to_writer(out, &found).map_err(io::Error::from)?;
    Ok(Status::Good)
}

async fn play_all(task: Task) -> ClientFindings {
    let mut games = JoinSet::new();
    let count = task.ports.len() as u32;
    // All are connected before the first moves.
    let begin = Later::now() + Duration::from_secs(2);
    for (n, ports) in task.ports.into_iter().enumerate() {
        // Spread over the pause, so that moves come evenly.
        let start = begin + PAUSE * n as u32 / count;
        let end = begin + Duration::from_secs(u64::from(task.seconds));
        games.spawn(client(ports, start, end));
    }
    let mut found = ClientFindings {
        latencies_us: Vec::new(),
        errors: Vec::new(),
    };
    while let Some(game) = games.join_next().await {
        match game {
            Ok(Ok(latencies)) => found.latencies_us.extend(latencies),
            Ok(Err(error)) => found.errors.push(format!("{error:#}")),
            Err(error) => found.errors.push(error.to_string()),
        }
    }
    found
}

/// Both players of a game, going to and fro.
async fn client(ports: BySide<u16>, start: Later, end: Later) -> Result<Vec<u32>> {
    let connect = async |port: u16| -> Result<TcpStream> {
        let mut peer = TcpStream::connect(("127.0.0.1", port))
            .await
            .context("connecting")?;
        peer.set_nodelay(true)?;
        peer.write_all(&frame(name_payload("load").as_bytes()))
            .await?;
        Ok(peer)
    };
    let mut peers = BySide {
        defenders: connect(ports.defenders).await?,
        attackers: connect(ports.attackers).await?,
    };
    for (_, peer) in peers.as_mut().white_first() {
        state(peer).await.context("the first state")?;
    }
    let mut latencies = Vec::new();
    let mut next = start;
    for ply in 0_usize.. {
        time::sleep_until(next).await;
        if next >= end {
            break;
        }
        let step = match ply % 4 {
            0 => "e4d4",
            1 if ply == 1 => "d1c1",
            1 => "b1c1",
            2 => "d4e4",
            _ => "c1b1",
        };
        let side = Side::WHITE_FIRST[ply % 2];
        let payload = frame(Action::payload(step.parse()?, side).as_bytes());
        let sent = Instant::now();
        peers[side]
            .write_all(&payload)
            .await
            .context("sending a move")?;
        for (_, peer) in peers.as_mut().white_first() {
            let text = state(peer).await.context("a state")?;
            let turn = if ply % 2 == 0 {
                "\"BLACK\"}"
            } else {
                "\"WHITE\"}"
            };
            if !text.ends_with(turn.as_bytes()) {
                bail!("a state with the wrong turn after {step}");
            }
        }
        latencies.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
        next += PAUSE;
    }
    Ok(latencies)
}

/// Reads a state.
async fn state(peer: &mut TcpStream) -> Result<Vec<u8>> {
    let length = peer.read_u32().await?;
    let mut payload = vec![0; length as usize];
    peer.read_exact(&mut payload).await?;
    Ok(payload)
}
