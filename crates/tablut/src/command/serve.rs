//! `tablut serve`: the board in the browser.

mod limits;
mod referee;

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::{
    env, fs,
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket},
    path::PathBuf,
    time::Instant,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tablut_challenge::{Options, PORTS, server::RefereePorts};
use tablut_guest::MoverOptions;
use tablut_host::{EngineSource, Host, Limits};
use tablut_rules::{BySide, Rules};
use tablut_store::{Location, Store};
use tablut_web::{Config, ServeError, serve};
use tokio::{runtime, sync::mpsc};

use super::guest;
use crate::{Status, input, log::LogFlags};

/// The port that is tried first.
pub(super) const PORT: u16 = 5880;

/// How many characters an organiser's token must have; it opens much and may be tried by all.
const SHORTEST_TOKEN: usize = 16;

/// How many ports after it are tried when it is taken.
pub(super) const MORE_PORTS: u16 = 20;

/// Open the board in the browser: set up positions, play against anyone (the default)
#[derive(Args, Default)]
#[command(after_help = "\
Only this machine can reach the page, unless --lan or --bind says otherwise. Ctrl-C stops the server;
games resume when you start it again.

Examples:
  tablut serve
  tablut serve --lan --no-open
  tablut serve --lan --referee
  tablut serve --name tablut.example.org --proxy-header X-Real-IP
  tablut serve --store postgres://tablut@localhost/tablut
  tablut serve --config /etc/tablut.toml --log info --log-json")]
pub(crate) struct Arguments {
    /// Let others on the network join: listen on all interfaces, and print the link for them
    #[arg(long)]
    lan: bool,
    /// The address to listen on [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "lan")]
    bind: Option<IpAddr>,
    /// The port; 0 means any free port [default: 5880, or the next free port]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Accept this host name for the server, besides localhost and addresses
    #[arg(long, value_name = "NAME", value_parser = input::host_name)]
    name: Vec<String>,
    /// Where games and positions are stored: a file, or a PostgreSQL URL [default: $TABLUT_STORE, or
    /// tablut.db in the user's data folder]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// Also offer the rule set in this TOML file; may be given several times
    #[arg(long, short, value_name = "FILE")]
    rules: Vec<String>,
    /// Also open the ports of the Tablut Challenge, 5800 for White and 5801 for Black, on the same
    /// address: any two clients can play, and be watched
    #[arg(long)]
    referee: bool,
    /// The ports of White and Black for --referee
    #[arg(long, value_name = "WHITE,BLACK", value_parser = input::ports, requires = "referee")]
    ports: Option<BySide<u16>>,
    /// Seconds for a move in games of --referee
    #[arg(long, value_name = "SECONDS", value_parser = input::milliseconds, requires = "referee")]
    time: Option<u64>,
    /// Shortest time between two states for the same client of --referee, in milliseconds; it counts on
    /// neither clock [default: 1000]
    #[arg(long, value_name = "MS", requires = "referee",
          value_parser = clap::value_parser!(u64).range(..=60_000))]
    pace: Option<u64>,
    /// A file with a token for organisers who are not at this machine: whoever enters it on the page may
    /// correct, start and pause tournaments [default: the environment variable TABLUT_ORGANISER_TOKEN]
    #[arg(long, value_name = "FILE")]
    organiser_token_file: Option<PathBuf>,
    /// The administrator's token, which opens #admin on the page; for the configuration file or
    /// TABLUT_ADMIN_TOKEN, since others can see command lines
    #[arg(long, value_name = "TOKEN")]
    admin_token: Option<String>,
    /// Who thinks for visitors: this server; `queue`, workers (`tablut worker --jobs games,analysis`), or
    /// this server if none has begun after two seconds; `none`, workers only
    #[arg(long, value_name = "WHO", default_value = "own")]
    engines: Engines,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// A file with flags, as `max-pages = 500`; each is also an environment variable, as TABLUT_MAX_PAGES
    #[arg(long = "config", id = "config", value_name = "FILE")]
    _config: Option<PathBuf>,
    #[command(flatten)]
    log: LogFlags,
    #[command(flatten)]
    limits: limits::Flags,
    #[command(flatten)]
    programs: guest::Programs,
}

/// Who thinks for visitors.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Engines {
    #[default]
    Own,
    Queue,
    None,
}

impl From<Engines> for EngineSource {
    fn from(engines: Engines) -> Self {
        match engines {
            Engines::Own => Self::Own,
            Engines::Queue => Self::Queue,
            Engines::None => Self::Workers,
        }
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let runtime = runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.context("cannot start the server's threads")?;
        runtime.block_on(self.serve(out))
    }

    async fn serve(self, out: &mut impl Write) -> Result<Status> {
        let begin = Instant::now();
        self.log.start();
        let own_rules = input::own_rules(&self.rules)?;
        let place = place(self.store.as_deref())?;
        let store = Store::open(&place).await?;
        let limits = Limits {
            engines: self.engines.into(),
            ..self.limits.kept()
        };
        let host = Host::with_players(store.clone(), limits, self.programs.unattended(&place))
            .with_rules(&own_rules);
        let now = host.now_ms();
        if let Err(error) = store.forget_visitors(now - limits::FORGOTTEN_MS).await {
            eprintln!("tablut: cannot remove visitors with nothing saved: {error}");
        }
        let running = serve(self.config(self.organiser()?, self.admin()?), host.clone()).await;
        let running = running.map_err(|error| {
            let advice = self.advice(&error);
            anyhow::Error::new(error).context(advice)
        })?;
        let address = running.address();
        let contest = match self.referee {
            true => Some(self.open_contest(address.ip(), store.clone()).await?),
            false => None,
        };
        // A file on one machine has a single server, which needs no heartbeat before its first game.
        let has_others = matches!(place, Location::Postgres(_));
        if has_others || self.admin_token.is_some() || self.engines != Engines::Own {
            let appeared = host.appear(process_name()).await;
            appeared.context("the store does not hear that this server is there")?;
        }
        // Whoever reads where it is may stop it at once.
        let mut interrupts = interrupts()?;
        let here = format!("http://{}/", local(address));
        writeln!(out, "{here}")?;
        if let Some(own) = self.public() {
            let own = SocketAddr::new(own, address.port());
            writeln!(out, "http://{own}/   for others on your network")?;
        } else if !address.ip().is_loopback() {
            writeln!(out, "others reach it at this machine's address")?;
        }
        out.flush()?;
        eprintln!(
            "tablut: ready in {} ms; games are kept in {place}; Ctrl-C stops",
            begin.elapsed().as_millis()
        );
        self.programs.warn();
        if !self.no_open && webbrowser::open(&here).is_err() {
            eprintln!("tablut: cannot open a browser; open the address above yourself");
        }
        tokio::select! {
            _ = interrupts.recv() => {}
            () = host.drained() => eprintln!("tablut: the administrator ends this server"),
        }
        // From now on the next one ends it where it is.
        drop(interrupts);
        eprintln!("tablut: stopping; games resume at the next start");
        if let Some(contest) = contest {
            contest.close().await;
        }
        // Nobody's clock runs while pages look for another server, or wait for this one.
        host.retire().await;
        running.stop().await;
        host.close().await;
        store.close().await;
        Ok(Status::Good)
    }

    /// What to do when nobody can listen at the address.
    fn advice(&self, error: &ServeError) -> String {
        let ServeError::Listen { address, cause } = error else {
            return "cannot start the server".into();
        };
        let (ip, port) = (address.ip(), address.port());
        match cause.kind() {
            io::ErrorKind::AddrNotAvailable => format!(
                "{ip} is not an address of this machine; give one of its own with --bind, or use --lan"
            ),
            io::ErrorKind::PermissionDenied => {
                format!(
                    "port {port} needs administrator rights; choose one from 1024 up with --port"
                )
            }
            _ if self.port.is_some() => {
                format!("is another program on port {port}? Choose another with --port")
            }
            _ => "choose another port with --port".into(),
        }
    }

    /// Opens the contest's ports, and plays there.
    async fn open_contest(&self, ip: IpAddr, store: Store) -> Result<referee::OpenContest> {
        let table = RefereePorts::bind(ip, self.ports.unwrap_or(PORTS)).await;
        let table = table.context("is a referee running? choose other --ports")?;
        let ports = table.ports();
        let (white, black) = (ports.defenders, ports.attackers);
        eprintln!(
            "tablut: Challenge clients can connect at ports {white} (White) and {black} (Black)"
        );
        let mut options = Options::new(Rules::ashton());
        options.time_ms = self.time.unwrap_or(options.time_ms);
        options.pace_ms = self.pace.unwrap_or(MoverOptions::PACE_MS);
        Ok(referee::OpenContest::start(table, options, store))
    }

    /// The token for organisers who are not at this machine.
    fn organiser(&self) -> Result<Option<String>> {
        let token = match &self.organiser_token_file {
            Some(file) => {
                let text = fs::read_to_string(file);
                let text = text.with_context(|| format!("cannot read {}", file.display()))?;
                text.trim().to_string()
            }
            None => match env::var("TABLUT_ORGANISER_TOKEN") {
                Ok(token) => token.trim().to_string(),
                Err(_) => return Ok(None),
            },
        };
        if token.chars().count() < SHORTEST_TOKEN {
            bail!(
                "the organiser's token has fewer than {SHORTEST_TOKEN} characters; make one with: openssl rand -hex 16"
            );
        }
        Ok(Some(token))
    }

    /// The administrator's token.
    fn admin(&self) -> Result<Option<String>> {
        let token = self.admin_token.as_deref().map(str::trim);
        if token.is_some_and(|token| token.chars().count() < SHORTEST_TOKEN) {
            bail!(
                "the administrator's token has fewer than {SHORTEST_TOKEN} characters; make one with: openssl rand -hex 16"
            );
        }
        Ok(token.map(Into::into))
    }

    fn config(&self, organiser: Option<String>, admin: Option<String>) -> Config {
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let everywhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let usual = if self.lan { everywhere } else { loopback };
        Config {
            address: SocketAddr::new(self.bind.unwrap_or(usual), self.port.unwrap_or(PORT)),
            more_ports: if self.port.is_some() { 0 } else { MORE_PORTS },
            names: self.name.clone(),
            public: self.public(),
            proxy: self.limits.proxy(),
            traffic: self.limits.traffic(),
            organiser,
            admin,
        }
    }

    /// The address by which others reach the server, if they may.
    fn public(&self) -> Option<IpAddr> {
        match self.bind {
            None if self.lan => own_address(),
            Some(ip) if ip.is_unspecified() => own_address(),
            Some(ip) if !ip.is_loopback() => Some(ip),
            _ => None,
        }
    }
}

/// This process, for people: its machine and its number there.
pub(super) fn process_name() -> String {
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format!("{}:{}", machine.trim(), std::process::id())
}

/// The variable that names the store where no flag does.
const STORE: &str = "TABLUT_STORE";

/// Where games are kept: the place that was named by a flag or else by `TABLUT_STORE`, or the user's own
/// file.
pub(super) fn place(named: Option<&str>) -> Result<Location> {
    let variable = std::env::var(STORE).ok().filter(|text| !text.is_empty());
    if let Some(text) = named.or(variable.as_deref()) {
        let Ok(place) = text.parse();
        return Ok(place);
    }
    match data_folder() {
        Some(folder) => {
            // The folder is the program's own, and of nobody else's concern. Where it is not there yet,
            // or does not belong to us, there is nothing to do.
            #[cfg(unix)]
            let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700));
            Ok(Location::File(folder.join("tablut.db")))
        }
        None => bail!("there is no data folder for this user; name a file with --store"),
    }
}

/// Where the user's own data are kept.
fn data_folder() -> Option<PathBuf> {
    Some(dirs::data_dir()?.join("tablut"))
}

/// Listens for Ctrl-C and other requests to stop.
fn interrupts() -> Result<mpsc::UnboundedReceiver<()>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    ctrlc::set_handler(move || {
        // Whoever asks twice does not want to wait.
        if sender.send(()).is_err() {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(receiver)
}

/// The address by which this machine itself reaches the server.
fn local(address: SocketAddr) -> SocketAddr {
    let mut local = address;
    if address.ip().is_unspecified() {
        local.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    local
}

/// This machine's address in its network, as the routing table has it. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // An address for documentation: a datagram socket only looks up the way to it.
    socket.connect("192.0.2.1:9").ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified()).then_some(own)
}
