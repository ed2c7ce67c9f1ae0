//! `tablut bench host`: many games by link at once, against servers of its own that share one store.

use std::{
    env, fs,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use futures_util::stream::{self, StreamExt as _};
use serde::Serialize;
use tablut_rules::{BySide, Random, Side};
use tablut_web::{
    client::{Client, ClientError},
    message::{Answer, Ask, LangName, NewGame, OpponentName},
};
use tokio::{runtime, sync::watch, task::JoinSet, time::sleep};

use crate::{Status, descriptor, output};

/// Play many games by link at once against servers that share a store: latency, memory, processor time
#[derive(Args)]
#[command(after_help = "\
A round trip is what a player waits for: from sending a move until the server confirms that it is stored.
Each player thinks a moment before moving, as people do; --pause 0 plays as fast as possible. The players
of a game, and its spectators, are at different servers where there are several.

Several servers need PostgreSQL: a database named by --store, or one that the bench starts (Debian:
postgresql). Several numbers of games give a line each.

Servers that are running already, on other machines or watched by other programs, are named by --server; what
they need is not known then.

With --thinkers N, N visitors then let the engine think for a minute each, and another plays against level 1.

Examples:
  tablut bench host --games 50
  tablut bench host --games 100,500,1000 --replicas 3 --spectators 2000 --minutes 2 --pause 10000
  tablut bench host --games 50 --server 10.0.0.1:8080 --server 10.0.0.2:8080
  tablut bench host --games 1 --thinkers 20")]
pub(crate) struct Arguments {
    /// How many games to play at once; several numbers are tried one after another
    #[arg(long, value_name = "N", default_value = "200", value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: Vec<u32>,
    /// How many servers share the store
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=64))]
    replicas: u32,
    /// How many pages watch, over all games
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    spectators: u32,
    /// How many moves in each game, both players together
    #[arg(long, value_name = "N", default_value_t = 40, conflicts_with = "minutes",
          value_parser = clap::value_parser!(u32).range(1..=2000))]
    moves: u32,
    /// How long to play, instead of a number of moves
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// The longest time players think, in milliseconds; half of it on average
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pause: u64,
    /// How many visitors let the engine think for a minute while another plays against level 1
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=200))]
    thinkers: u32,
    /// Where to store the games: a file, or a PostgreSQL URL [default: a temporary file, or a database of
    /// the bench's own for several servers]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// Servers that are running already, with their ports, in place of the bench's own
    #[arg(long = "server", value_name = "ADDRESS", conflicts_with_all = ["replicas", "store"])]
    servers: Vec<SocketAddr>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Figures {
    games: u32,
    replicas: u32,
    spectators: u32,
    moves: usize,
    seconds: f64,
    moves_per_s: f64,
    round_trip: Times,
    seen: Times,
    #[serde(skip_serializing_if = "Option::is_none")]
    watched: Option<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kb_per_game: Option<u64>,
    /// What all servers hold at the end, games and all else.
    #[serde(skip_serializing_if = "Option::is_none")]
    kb_in_all: Option<u64>,
    /// Processor time for each move, in milliseconds: of all servers, and of the bench's own database.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_cpu_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    database_cpu_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    quick: Option<Quick>,
}

/// Times in milliseconds, by percentile.
#[derive(Serialize)]
struct Times {
    p50: f64,
    p99: f64,
    p999: f64,
}

impl Times {
    fn of(times: &[Duration]) -> Self {
        Self {
            p50: percentile(times, 500),
            p99: percentile(times, 990),
            p999: percentile(times, 999),
        }
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { p50, p99, p999 } = self;
        write!(f, "p50 {p50:.1} ms, p99 {p99:.1} ms, p99.9 {p999:.1} ms")
    }
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

/// How many come at once, before the measurement.
const AT_ONCE: usize = 16;

/// How many moves of level 1 are timed.
const QUICK_MOVES: usize = 10;

/// A server in a process of its own, so that its memory is its own; or one that somebody else has started.
struct Server {
    child: Option<Child>,
    address: SocketAddr,
}

impl Server {
    fn start(store: &str) -> Result<Self> {
        let program = env::current_exe().context("cannot find this program")?;
        let mut child = Command::new(program)
            .args(["serve", "--no-open", "--port", "0", "--store", store])
            .args(["--max-pages", "100000"])
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
            Ok(address) => Ok(Self {
                child: Some(child),
                address,
            }),
            Err(_) => bail!("the server did not start; try `tablut serve --store {store}`"),
        }
    }

    const fn elsewhere(address: SocketAddr) -> Self {
        Self {
            child: None,
            address,
        }
    }

    /// The number of its process, if it was started here.
    fn process(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }
}

/// The memory that processes hold, in kilobytes, where the system tells.
fn memory_kb(servers: &[Server]) -> Option<u64> {
    let one = |server: &Server| {
        let status = fs::read_to_string(format!("/proc/{}/status", server.process()?)).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    servers.iter().map(one).sum()
}

/// The processor time that a process has used, with that of children that have ended if wanted, in
/// milliseconds, where the system tells.
fn cpu_ms(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut times = fields.split(' ').skip(11).take(2);
    let used: u64 = times.next()?.parse::<u64>().ok()? + times.next()?.parse::<u64>().ok()?;
    // The system counts hundredths of a second.
    Some(used as f64 * 10.0)
}

/// The same for a process and its children.
fn family_cpu_ms(process: u32) -> Option<f64> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    let children = children.split_whitespace().filter_map(|id| id.parse().ok());
    Some(cpu_ms(process)? + children.filter_map(cpu_ms).sum::<f64>())
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What one game took: for each move, until it was kept, and until the other player saw it.
type Trips = Vec<(Duration, Duration)>;

/// A database of the bench's own, gone with it.
#[cfg(target_os = "linux")]
struct OwnDatabase {
    child: Child,
    url: String,
}

#[cfg(target_os = "linux")]
impl OwnDatabase {
    fn start(folder: &std::path::Path) -> Result<Self> {
        use super::faults::database::Database;
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
        let port = listener.local_addr()?.port();
        drop(listener);
        let database = Database::create(&folder.join("pg"), &folder.join("run"), port)?;
        let own = Self {
            child: database.start()?,
            url: Database::url(port),
        };
        // It takes a moment to recover what a database has to.
        let begin = Instant::now();
        while let Err(error) = Server::start(&own.url) {
            if begin.elapsed() > Duration::from_secs(60) {
                return Err(error.context("the database did not start"));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(own)
    }
}

#[cfg(target_os = "linux")]
impl Drop for OwnDatabase {
    fn drop(&mut self) {
        let id = i32::try_from(self.child.id()).ok();
        if let Some(id) = id.and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
        }
        let _ = self.child.wait();
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
        let folder = env::temp_dir().join(format!("tablut-bench-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let most = self.games.iter().max().copied().unwrap_or_default();
        descriptor::raise_towards(u64::from(2 * most) + u64::from(self.spectators) + 1000);
        let done = self.run_in(&folder, &runtime, out);
        let _ = fs::remove_dir_all(&folder);
        done
    }

    fn run_in(
        &self,
        folder: &std::path::Path,
        runtime: &runtime::Runtime,
        out: &mut impl Write,
    ) -> Result<Status> {
        let file = folder.join("games.db").display().to_string();
        #[cfg(target_os = "linux")]
        let own = match (self.replicas, &self.store, &self.servers[..]) {
            (2.., None, []) => Some(OwnDatabase::start(folder)?),
            _ => None,
        };
        #[cfg(target_os = "linux")]
        let (own_url, database) = match &own {
            Some(own) => (Some(own.url.as_str()), Some(own.child.id())),
            None => (None, None),
        };
        #[cfg(not(target_os = "linux"))]
        let (own_url, database) = (None, None);
        let store = self.store.as_deref().or(own_url).unwrap_or(&file);
        let mut is_bad = false;
        for &games in &self.games {
            let mut servers: Vec<Server> = self
                .servers
                .iter()
                .copied()
                .map(Server::elsewhere)
                .collect();
            while self.servers.is_empty() && servers.len() < self.replicas as usize {
                servers.push(Server::start(store)?);
            }
            let figures = runtime.block_on(self.measure(games, &servers, database))?;
            drop(servers);
            match self.json {
                true => output::json(out, &figures)?,
                false => figures.print(out)?,
            }
            out.flush()?;
            let is_slow = |quick: &Quick| quick.worst_ms > 10.0 * QUICK_MS;
            is_bad |= figures.quick.as_ref().is_some_and(is_slow);
            is_bad |= figures.round_trip.p99 > 10.0 * TARGET_MS;
        }
        Ok(if is_bad { Status::Bad } else { Status::Good })
    }

    async fn measure(
        &self,
        games: u32,
        servers: &[Server],
        database: Option<u32>,
    ) -> Result<Figures> {
        let at = |number: u32| servers[number as usize % servers.len()].address;
        // One visitor first, so that what all games share is there.
        for server in servers {
            let mut first = Client::connect(server.address, &token('x', 0)).await?;
            first.ask(Ask::Games).await?;
        }
        let before = memory_kb(servers);
        let (all_seated, seated) = watch::channel(false);
        let end = Arc::new(Mutex::new(None));
        let mut tables = JoinSet::new();
        let mut marks = Vec::new();
        let sitting = stream::iter(0..games)
            .map(|number| LinkGame::sit_down([at(number), at(number + 1)], number));
        let mut sitting = std::pin::pin!(sitting.buffered(AT_ONCE));
        while let Some(table) = sitting.next().await {
            let mut table = table?;
            marks.push((table.game.clone(), Arc::clone(&table.sent)));
            let (mut seated, moves, pause) = (seated.clone(), self.moves, self.pause);
            let is_timed = self.minutes.is_some();
            let end = Arc::clone(&end);
            tables.spawn(async move {
                table.wait(&mut seated).await?;
                let end = *end.lock().unwrap_or_else(PoisonError::into_inner);
                let moves = if is_timed { u32::MAX } else { moves };
                table.play(moves, pause, end).await
            });
        }
        let mut watchers = JoinSet::new();
        let coming = stream::iter(0..self.spectators).map(async |number| {
            let (game, sent) = marks[(number % games) as usize].clone();
            let mut client = open(at(number % games + 2), &token('s', number)).await?;
            client.ask(Ask::Join { game, secret: None }).await?;
            Ok::<_, ClientError>((client, sent))
        });
        let mut coming = std::pin::pin!(coming.buffer_unordered(AT_ONCE));
        while let Some(come) = coming.next().await {
            let (mut client, sent) = come?;
            let mut seated = seated.clone();
            watchers.spawn(async move { watch(&mut client, &sent, &mut seated).await });
        }
        let after = memory_kb(servers);
        let cpu = || {
            servers
                .iter()
                .map(|server| cpu_ms(server.process()?))
                .sum::<Option<f64>>()
        };
        let database_cpu = || database.and_then(family_cpu_ms);
        let used = (cpu(), database_cpu());
        let begin = Instant::now();
        if let Some(minutes) = self.minutes {
            let length = Duration::from_secs_f64(minutes.clamp(0.01, 10_000.0) * 60.0);
            *end.lock().unwrap_or_else(PoisonError::into_inner) = Some(begin + length);
        }
        all_seated.send_replace(true);
        let mut trips = Vec::new();
        while let Some(game) = tables.join_next().await {
            trips.extend(game.context("a game failed")??);
        }
        let seconds = begin.elapsed().as_secs_f64();
        let memory = before.zip(after.max(memory_kb(servers)));
        let moves = trips.len();
        let each = |before: Option<f64>, after: Option<f64>| {
            Some((after? - before?) / (moves.max(1) as f64))
        };
        let cpus = (each(used.0, cpu()), each(used.1, database_cpu()));
        drop(all_seated);
        let mut watched = Vec::new();
        while let Some(watcher) = watchers.join_next().await {
            watched.extend(watcher.context("a spectator failed")??);
        }
        let (kept, seen): (Vec<_>, Vec<_>) = trips.into_iter().unzip();
        let quick = match self.thinkers {
            0 => None,
            thinkers => Some(Quick::measure(at(0), thinkers).await?),
        };
        Ok(Figures {
            games,
            replicas: u32::try_from(servers.len())?,
            spectators: self.spectators,
            moves,
            seconds,
            moves_per_s: moves as f64 / seconds,
            round_trip: Times::of(&kept),
            seen: Times::of(&seen),
            watched: (!watched.is_empty()).then(|| Times::of(&watched)),
            kb_per_game: memory
                .map(|(before, after)| after.saturating_sub(before) / u64::from(games)),
            kb_in_all: memory.map(|(_, after)| after),
            server_cpu_ms: cpus.0,
            database_cpu_ms: cpus.1,
            quick,
        })
    }
}

/// Opens a connection and says hello, as every page does first.
async fn open(address: SocketAddr, token: &str) -> Result<Client, ClientError> {
    let mut client = Client::connect(address, token).await?;
    let lang = LangName::default();
    client.ask(Ask::Hello { lang }).await?;
    Ok(client)
}

/// When each move of a game was sent.
type Sent = Arc<Mutex<Vec<Instant>>>;

fn sent_at(sent: &Sent, ply: usize) -> Option<Instant> {
    let sent = sent.lock().unwrap_or_else(PoisonError::into_inner);
    sent.get(ply.checked_sub(1)?).copied()
}

/// Watches a game until the measurement is over; gives how long after it was sent each move was seen.
async fn watch(
    client: &mut Client,
    sent: &Sent,
    seated: &mut watch::Receiver<bool>,
) -> Result<Vec<Duration>, ClientError> {
    let (mut times, mut known) = (Vec::new(), 0);
    loop {
        let plies = tokio::select! {
            plies = client.next_plies() => plies?,
            () = over(seated) => return Ok(times),
        };
        if plies > known {
            known = plies;
            times.extend(sent_at(sent, plies).map(|sent| sent.elapsed()));
        }
    }
}

/// Waits until the measurement is over.
async fn over(seated: &mut watch::Receiver<bool>) {
    while seated.changed().await.is_ok() {}
}

impl Figures {
    fn print(&self, out: &mut impl Write) -> Result<()> {
        let Self {
            games,
            replicas,
            spectators,
            ..
        } = self;
        writeln!(
            out,
            "games at once       {games} at {replicas} servers, {spectators} spectators"
        )?;
        writeln!(
            out,
            "moves               {} in {:.1} s, {:.0} a second",
            self.moves, self.seconds, self.moves_per_s
        )?;
        let trip = &self.round_trip;
        writeln!(out, "round trip          {trip} (target {TARGET_MS:.0} ms)")?;
        writeln!(out, "seen by opponent    {}", self.seen)?;
        if let Some(watched) = &self.watched {
            writeln!(out, "seen by spectators  {watched}")?;
        }
        match self.kb_per_game.zip(self.kb_in_all) {
            Some((kb, all)) => writeln!(
                out,
                "memory per game     {kb} KB more than without games, of {} MB in all servers",
                all / 1024
            )?,
            None => writeln!(out, "memory per game     not known on this system")?,
        }
        if let Some(ms) = self.server_cpu_ms {
            writeln!(out, "processor per move  {ms:.2} ms in all servers")?;
        }
        if let Some(ms) = self.database_cpu_ms {
            writeln!(out, "                    {ms:.2} ms in the database")?;
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
        // They have no book, so that an engine thinks.
        rules: "ashton-siege".into(),
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
            p50_ms: percentile(&times, 500),
            worst_ms: percentile(&times, 1000),
        })
    }
}

/// The time below which so many thousandths of all are, in milliseconds.
fn percentile(times: &[Duration], thousandths: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    let index = (times.len() * thousandths / 1000).min(times.len().saturating_sub(1));
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
    game: String,
    players: BySide<Client>,
    random: Random,
    sent: Sent,
}

impl LinkGame {
    async fn sit_down([here, there]: [SocketAddr; 2], number: u32) -> Result<Self> {
        let mut white = open(here, &token('w', number)).await?;
        let mut black = open(there, &token('b', number)).await?;
        // Nobody's time runs out before all have sat down.
        let new = NewGame::by_link("move:3600000");
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
            game,
            sent: Sent::default(),
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

    async fn play(mut self, moves: u32, pause: u64, end: Option<Instant>) -> Result<Trips> {
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
            think_for(Duration::from_millis(think as u64), mover, other).await?;
            let begin = Instant::now();
            if end.is_some_and(|end| begin >= end) {
                break;
            }
            let sent = self.sent.lock();
            sent.unwrap_or_else(PoisonError::into_inner).push(begin);
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

/// Thinks for a while. Both players listen meanwhile.
async fn think_for(time: Duration, one: &mut Client, other: &mut Client) -> Result<()> {
    let end = sleep(time);
    tokio::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => return Ok(()),
            state = one.next_state() => drop(state?),
            state = other.next_state() => drop(state?),
        }
    }
}
