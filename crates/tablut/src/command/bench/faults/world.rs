//! Everything under test on one back end: the server and its players, a tournament and its workers,
//! a referee and its clients, and what they stand on.

use std::{
    env, fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tablut_engine::Control;
use tablut_rules::BySide;
use tablut_store::{Location, Store};
use tokio::{
    net::TcpStream,
    sync::RwLock,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    clock::Clock,
    contest::{self, Listener},
    database::Database,
    disk::Disk,
    ledger::{Ledger, Part},
    lone::LonePlayer,
    player::Player,
    process::{Program, Recipe},
    proxy::Proxy,
    table::PlayingPair,
};

/// Games by link at once.
const TABLES: usize = 4;

/// Games against the computer at once.
const LONE_PLAYERS: usize = 2;

/// Teams of each tournament.
const TEAMS: usize = 5;

/// How long the first signs of life may take on a busy machine.
const START: Duration = Duration::from_secs(120);

/// Where things are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum BackEnd {
    Sqlite,
    Postgres,
}

impl BackEnd {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// What the machine allows.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    /// Why no disk can be mounted, if none can.
    pub(super) no_disk: Option<String>,
}

/// The processes and their surroundings. The order of the fields is that of their end.
pub(super) struct World {
    pub(super) back_end: BackEnd,
    pub(super) ledger: Arc<Ledger>,
    /// Closed for players while an audit looks.
    pub(super) gate: Arc<RwLock<()>>,
    players: JoinSet<()>,
    /// On PostgreSQL several, of which none owns a game.
    pub(super) servers: Vec<Program>,
    pub(super) run: Program,
    pub(super) workers: Vec<Program>,
    pub(super) referee: Program,
    pub(super) database: Option<(Database, Program)>,
    /// Between players and servers, one for each.
    pub(super) wires: Vec<Proxy>,
    /// Between all processes and the database.
    pub(super) database_wire: Option<Proxy>,
    pub(super) disk: Option<Disk>,
    pub(super) clock: Option<Clock>,
    pub(super) server_port: u16,
    /// The store, without a wire that may be cut.
    pub(super) place: String,
    pub(super) folder: PathBuf,
    /// Whether a stop was requested.
    pub(super) control: Control,
}

/// A port that is free now.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
    Ok(listener.local_addr()?.port())
}

/// This program with arguments, as a process that ends with the bench and survives a limit of the
/// size of files as a failed write.
pub(super) fn command(clock: Option<&Clock>, arguments: &[&str]) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "env", "--ignore-signal=XFSZ"]);
    command.args(clock.map(Clock::variables).into_iter().flatten());
    command.arg(env::current_exe().unwrap_or_else(|_| "tablut".into()));
    command.args(arguments);
    command
}

impl World {
    /// Starts everything, and waits until all are playing.
    pub(super) async fn start(
        back_end: BackEnd,
        folder: &Path,
        seed: u64,
        allowed: &Allowed,
        control: &Control,
    ) -> Result<Self> {
        let logs = folder.join("logs");
        fs::create_dir_all(&logs)?;
        let ledger = Arc::new(Ledger::new(&logs.join("journal.txt"))?);
        // Its library leaves files in the shared memory of the system, if that is not ours alone.
        let clock = match allowed.no_disk {
            None => Clock::new(&folder.join("clock"))?,
            Some(_) => None,
        };
        let volume = folder.join("disk");
        let disk = match allowed.no_disk {
            None => Some(Disk::mount(&volume, size(back_end))?),
            Some(_) => None,
        };
        fs::create_dir_all(&volume)?;
        let mut database = None;
        let mut database_wire = None;
        let (place, store);
        match back_end {
            BackEnd::Sqlite => {
                place = volume.join("games.db").display().to_string();
                store = place.clone();
            }
            BackEnd::Postgres => {
                let own = Database::create(&volume.join("pg"), &folder.join("run"), free_port()?)?;
                let proxy = Proxy::open(own.port).await?;
                place = Database::url(own.port);
                store = Database::url(proxy.address.port());
                let recipe = database_recipe(&own, clock.clone());
                database = Some((own, Program::start(recipe, &logs)?));
                database_wire = Some(proxy);
                wait_for_store(&place).await?;
            }
        }
        let ports = BySide {
            attackers: free_port()?,
            defenders: free_port()?,
        };
        let contests = volume.join("contests");
        let start = |recipe| Program::start(recipe, &logs);
        let (mut servers, mut wires, mut server_port) = (Vec::new(), Vec::new(), 0);
        for number in 1..=servers_of(back_end) {
            server_port = free_port()?;
            let engines = engines_of(back_end);
            let recipe = server_recipe(number, &store, server_port, engines, clock.clone());
            servers.push(start(recipe)?);
            wires.push(Proxy::open(server_port).await?);
        }
        wait_for_port(server_port).await?;
        let run = start(run_recipe(folder, &store, clock.clone(), &ledger))?;
        let mut workers = Vec::new();
        for number in 1..=2 {
            let jobs = jobs_of(back_end);
            let recipe = worker_recipe(number, &store, jobs, clock.clone(), &ledger);
            workers.push(start(recipe)?);
        }
        let referee = start(referee_recipe(ports, &contests, clock.clone(), &ledger))?;
        let gate = Arc::<RwLock<()>>::default();
        let mut players = JoinSet::new();
        for number in 0..TABLES {
            let table = PlayingPair::new(Player::new(number, seed, &ledger, &gate));
            let addresses = wires.iter().map(|wire| wire.address);
            players.spawn(table.play(addresses.collect()));
        }
        for number in TABLES..TABLES + LONE_PLAYERS {
            let player = LonePlayer::new(Player::new(number, seed, &ledger, &gate));
            let addresses = wires.iter().map(|wire| wire.address);
            players.spawn(player.play(addresses.collect()));
        }
        players.spawn(contest::play(ports, seed));
        let world = Self {
            back_end,
            ledger,
            gate,
            players,
            servers,
            run,
            workers,
            referee,
            database,
            wires,
            database_wire,
            disk,
            clock,
            server_port,
            place,
            folder: folder.into(),
            control: control.clone(),
        };
        let begin = Instant::now();
        if let Err(silent) = world.play_goes_on(begin, START).await {
            bail!("{}: no news of {silent:?}", back_end.name());
        }
        Ok(world)
    }

    /// Where the referee writes.
    pub(super) fn contests(&self) -> PathBuf {
        self.folder.join("disk/contests")
    }

    /// The processes under test, without the database.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Program> {
        [&self.run, &self.referee]
            .into_iter()
            .chain(&self.servers)
            .chain(&self.workers)
    }

    /// Waits until all have a new acknowledgement after a moment; gives how long that took, or who
    /// was silent for too long.
    pub(super) async fn play_goes_on(
        &self,
        moment: Instant,
        patience: Duration,
    ) -> Result<Duration, Vec<Part>> {
        let mut parts: Vec<Part> = (0..TABLES + LONE_PLAYERS).map(Part::Table).collect();
        parts.extend([Part::Tournament, Part::Referee]);
        let begin = Instant::now();
        loop {
            let silent = self.ledger.silent_since(&parts, moment);
            if silent.is_empty() || self.control.is_stopped() {
                return Ok(moment.elapsed());
            }
            if begin.elapsed() > patience {
                return Err(silent);
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Opens the store over a new connection.
    pub(super) async fn open_store(&self) -> Result<Store> {
        let Ok(place) = self.place.parse::<Location>();
        let opened = timeout(Duration::from_secs(60), Store::open(&place)).await;
        Ok(opened.context("it takes more than a minute")??)
    }

    /// Sends the players away.
    pub(super) async fn send_players_away(&mut self) {
        self.players.shutdown().await;
    }
}

/// How many servers share a store.
const fn servers_of(back_end: BackEnd) -> usize {
    match back_end {
        BackEnd::Sqlite => 1,
        BackEnd::Postgres => 3,
    }
}

/// Who thinks for visitors, as the server's `--engines`: the server itself, or on PostgreSQL the workers alone.
const fn engines_of(back_end: BackEnd) -> &'static str {
    match back_end {
        BackEnd::Sqlite => "own",
        BackEnd::Postgres => "none",
    }
}

/// What the workers do, as their `--jobs`.
const fn jobs_of(back_end: BackEnd) -> &'static str {
    match back_end {
        BackEnd::Sqlite => "tournaments",
        BackEnd::Postgres => "games,analysis,tournaments",
    }
}

/// Megabytes of the disk: half an hour of play fits.
const fn size(back_end: BackEnd) -> u32 {
    match back_end {
        BackEnd::Sqlite => 256,
        BackEnd::Postgres => 512,
    }
}

async fn wait_for_store(place: &str) -> Result<()> {
    let Ok(place) = place.parse::<Location>();
    let begin = Instant::now();
    loop {
        match Store::open(&place).await {
            Ok(store) => {
                store.close().await;
                return Ok(());
            }
            Err(error) if begin.elapsed() > START => return Err(error.into()),
            Err(_) => sleep(Duration::from_millis(50)).await,
        }
    }
}

pub(super) async fn wait_for_port(port: u16) -> Result<()> {
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        if begin.elapsed() > START {
            bail!("the server did not start");
        }
        sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

fn database_recipe(database: &Database, clock: Option<Clock>) -> Recipe {
    let serve = database.recipe();
    Recipe {
        name: "database".into(),
        command: Box::new(move || serve(clock.as_ref())),
        hear: Box::new(|_| {}),
        ended: Box::new(|_| {}),
    }
}

fn server_recipe(
    number: usize,
    store: &str,
    port: u16,
    engines: &'static str,
    clock: Option<Clock>,
) -> Recipe {
    let (store, port) = (store.to_string(), port.to_string());
    Recipe {
        name: format!("server-{number}"),
        command: Box::new(move || {
            let mut arguments = vec!["serve", "--no-open", "--port", &port, "--store", &store];
            arguments.extend(["--engines", engines]);
            command(clock.as_ref(), &arguments)
        }),
        hear: Box::new(|_| {}),
        ended: Box::new(|_| {}),
    }
}

/// How a run and a worker play: a short lease, so that what a dead one had is soon played again.
const PLAY: [&str; 5] = ["--lease", "2", "--share-cores", "--concurrency", "1"];

fn run_recipe(folder: &Path, store: &str, clock: Option<Clock>, ledger: &Arc<Ledger>) -> Recipe {
    let (folder, store) = (folder.to_path_buf(), store.to_string());
    let cup = Arc::new(AtomicUsize::new(1));
    let (hearing, ending) = (Arc::clone(ledger), Arc::clone(ledger));
    let next = Arc::clone(&cup);
    Recipe {
        name: "run".into(),
        command: Box::new(move || {
            let number = cup.load(Ordering::Relaxed);
            let file = folder.join(format!("cup-{number}.toml"));
            // If it cannot be written, the run says that it is not there.
            let _ = fs::write(&file, plan(number));
            let file = file.display().to_string();
            let mut arguments = vec!["tournament", "run", &file, "--store", &store];
            arguments.extend(PLAY);
            command(clock.as_ref(), &arguments)
        }),
        hear: Box::new(move |line| hear_result(line, &hearing)),
        ended: Box::new(move |status| {
            if status.success() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                ending.tournament_over(&format!("cup-{number}"));
            }
        }),
    }
}

fn worker_recipe(
    number: usize,
    store: &str,
    jobs: &'static str,
    clock: Option<Clock>,
    ledger: &Arc<Ledger>,
) -> Recipe {
    let (store, ledger) = (store.to_string(), Arc::clone(ledger));
    Recipe {
        name: format!("worker-{number}"),
        command: Box::new(move || {
            let mut arguments = vec!["worker", "--store", &store];
            arguments.extend(["--jobs", jobs]);
            arguments.extend(PLAY);
            command(clock.as_ref(), &arguments)
        }),
        hear: Box::new(move |line| hear_result(line, &ledger)),
        ended: Box::new(|_| {}),
    }
}

fn referee_recipe(
    ports: BySide<u16>,
    contests: &Path,
    clock: Option<Clock>,
    ledger: &Arc<Ledger>,
) -> Recipe {
    let ports = format!("{},{}", ports.defenders, ports.attackers);
    let contests = contests.display().to_string();
    let ledger = Arc::clone(ledger);
    let listener = Arc::new(Listener::default());
    let hearing = Arc::clone(&listener);
    Recipe {
        name: "referee".into(),
        command: Box::new(move || {
            let mut arguments = vec!["referee", "--forever", "--json", "--ports", &ports];
            arguments.extend(["--log-dir", &contests, "--pace", "0"]);
            command(clock.as_ref(), &arguments)
        }),
        hear: Box::new(move |line| hearing.hear(line, &ledger)),
        ended: Box::new(move |_| listener.forget()),
    }
}

/// A tournament of short games between teams whose names say which tournament it is.
fn plan(number: usize) -> String {
    let mut text = format!("name = \"Cup {number}\"\nseconds = 60\nmax_plies = 14\n");
    for team in 1..=TEAMS {
        text += &format!(
            "\n[[team]]\nname = \"cup-{number}-team-{team}\"\nmembers = [\"x\"]\nplays = \"time:0.01\"\n"
        );
    }
    text
}

/// Notes a result that a run or a worker says it has kept:
/// `game 3: cup-1-team-1 – cup-1-team-4: white wins (the king escaped), 12 moves`.
fn hear_result(line: &str, ledger: &Ledger) {
    if line.contains("trying again") {
        ledger.refused(line);
    }
    if let Some((cup, number, outcome, plies)) = read_result(line) {
        ledger.result(&cup, number, &outcome, plies);
    }
}

fn read_result(line: &str) -> Option<(String, usize, String, u32)> {
    let (number, rest) = line.strip_prefix("game ")?.split_once(": ")?;
    let (teams, rest) = rest.split_once(": ")?;
    let (outcome, plies) = rest.rsplit_once(", ")?;
    let (plies, _) = plies.split_once(" move")?;
    let (cup, _) = teams.split_once("-team-")?;
    Some((
        cup.into(),
        number.parse().ok()?,
        outcome.into(),
        plies.parse().ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_kept_result_is_read() {
        let line = "game 3: cup-1-team-1 – cup-1-team-4: white wins (king-escaped), 12 moves";
        let read = read_result(line)
            .map(|(cup, number, outcome, plies)| format!("{cup} {number} {outcome} {plies}"));
        assert_eq!(
            read.as_deref(),
            Some("cup-1 3 white wins (king-escaped) 12")
        );
        assert_eq!(read_result("game 3: abandoned, to be played again"), None);
    }
}
