//! Playing fixtures, for a person who waits.

use std::{
    env, fs,
    io::{self, IsTerminal, Write},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tablut_arena::tournament::{Entry, Team};
use tablut_challenge::PORTS;
use tablut_guest::{Lobby, MoverOptions};
use tablut_host::tournament::{
    Contest, ContestError, FixtureEvent, Prepared, Runner, Slots, counting, played,
};
use tablut_rules::{BuiltIn, BySide, Outcome, Side, text::harmless_lines};
use tablut_store::{Location, State, Store};
use tokio::runtime::Runtime;

use super::{StoreFlag, table};
use crate::{
    Status,
    command::{guest, r#match::time, serve::process_name},
    input,
    output::counted,
    signal,
};

/// How games are played here.
#[derive(Args)]
pub(crate) struct Play {
    /// How many games to play at once [default: as many as the cores allow]
    #[arg(long, short, value_name = "N")]
    concurrency: Option<std::num::NonZeroUsize>,
    /// Let concurrent games share cores
    #[arg(long)]
    share_cores: bool,
    /// Seconds without news of a worker after which another plays its game again (at most 600)
    #[arg(long, value_name = "SECONDS", default_value = "15", value_parser = input::milliseconds)]
    lease: u64,
    /// Seconds to keep retrying when the store fails or programs cannot be started, before giving up
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = input::milliseconds)]
    patience: u64,
    /// Seconds by which a move may be late
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = input::milliseconds)]
    grace: u64,
    /// Seconds a program may take to start and to get ready for a game
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = input::milliseconds)]
    startup: u64,
    /// The address that programs of `remote` teams connect to; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// The ports of White and Black for `remote` teams [default: 5800,5801 if there is such a team]
    #[arg(long, value_name = "WHITE,BLACK", value_parser = input::ports)]
    ports: Option<BySide<u16>>,
    #[command(flatten)]
    pace: guest::Pace,
    #[command(flatten)]
    clients: guest::Flags,
}

impl Play {
    /// What plays the games of a tournament, or of all.
    pub(crate) fn runner(
        &self,
        store: Store,
        place: &Location,
        contest: Option<&Contest>,
    ) -> Result<Runner> {
        let limits = contest
            .map(|contest| contest.plan.limits.clone())
            .unwrap_or_default();
        let cores = limits.cores.map_or(1, |cores| cores as usize);
        let wanted = self.concurrency.map(std::num::NonZeroUsize::get);
        let mut slots = match self.share_cores {
            true => Slots::sharing(wanted),
            false => Slots::new(wanted, cores),
        };
        if !self.share_cores && !slots.is_exclusive() {
            eprintln!("no core is free; playing one game at a time on shared cores");
        }
        let options = MoverOptions {
            startup_ms: self.startup,
            grace_ms: self.grace,
            stop: signal::stop("finishing the games in progress; Ctrl-C again abandons them")?,
            move_ms: contest.map_or(60_000, |contest| contest.plan.move_ms),
            pace_ms: self.pace.pace,
            ..MoverOptions::default()
        };
        let options = match contest.is_none_or(Contest::has_programs) {
            // A correction may bring one.
            false => self.clients.provide(options, place),
            true => {
                let count = std::num::NonZeroUsize::new(slots.count());
                let mut count = count.unwrap_or(std::num::NonZeroUsize::MIN);
                let options = self.clients.prepare(options, &mut count, Some(place))?;
                slots = slots.at_most(count.get());
                options
            }
        };
        let lobby = self.lobby(contest)?;
        Ok(Runner {
            store,
            tournament: contest.map(|contest| contest.id.clone()),
            worker: process_name(),
            lease: Duration::from_millis(self.lease),
            patience: Duration::from_millis(self.patience),
            slots,
            lobby,
            options,
        })
    }

    /// The open ports, if a team's program connects by itself.
    fn lobby(&self, contest: Option<&Contest>) -> Result<Option<Lobby>> {
        let teams = contest.iter().flat_map(|contest| &contest.plan.teams);
        let secrets: Vec<String> = teams
            .filter_map(|team| match &team.plays {
                Entry::Remote { secret } => Some(secret.clone()),
                Entry::Player(_) => None,
            })
            .collect();
        if secrets.is_empty() {
            if self.ports.is_some() {
                bail!("--ports needs a tournament with `remote` teams, named on the command line");
            }
            return Ok(None);
        }
        let lobby = Lobby::open(self.bind, self.ports.unwrap_or(PORTS), secrets)
            .context("cannot open the ports for remote teams; choose others with --ports")?;
        let addresses = lobby.addresses();
        let (white, black) = (addresses.defenders, addresses.attackers);
        eprintln!("remote teams: White at {white}, Black at {black}");
        Ok(Some(lobby))
    }

    /// Plays until there is nothing more to play, and shows the progress.
    ///
    /// # Errors
    /// The store failed for too long, or this machine cannot start programs.
    pub(crate) fn play(
        &self,
        runner: &Runner,
        runtime: &Runtime,
        games: usize,
        done: usize,
    ) -> Result<()> {
        let progress = Mutex::new(Progress::new(games, done));
        let played = runner.run(runtime.handle(), &|event| {
            if let Ok(mut progress) = progress.lock() {
                progress.show(&event);
            }
        });
        if let Ok(progress) = progress.into_inner() {
            progress.clear();
        }
        played.map_err(|gave_up| {
            let hint = match gave_up.is_of_store {
                true => "results cannot be saved; repair the store, then run this again",
                false => "games cannot be played here; repair that, then run this again",
            };
            anyhow::Error::new(gave_up).context(hint)
        })
    }
}

#[derive(Args)]
#[command(after_help = "\
Every move and every result is saved at once: after any interruption, the same command resumes where it
stopped, and no game counts twice. Ctrl-C finishes the games in progress; a second one abandons them,
to be played again next time.

Examples:
  tablut tournament run cup.toml
  tablut tournament run cup.toml --concurrency 4 --share-cores
  tablut tournament run cup.toml --store postgres://tablut@db/tablut")]
pub(super) struct Run {
    /// The tournament file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    store: StoreFlag,
}

impl Run {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let (runtime, store) = self.store.open()?;
        let prepared = prepare(&self.file, &runtime, &store, State::Running)?;
        let contest = prepared.contest;
        if contest.is_archived() {
            return Err(ContestError::Archived(contest.id).into());
        }
        for fault in missing_programs(&contest.plan.teams) {
            eprintln!("warning: {fault}");
        }
        let fixtures = runtime.block_on(store.fixtures(&contest.id))?;
        let done = played(&fixtures);
        let runner = self
            .play
            .runner(store.clone(), &self.store.place()?, Some(&contest))?;
        // Whoever runs a tournament wants it to go on.
        runtime.block_on(store.set_tournament_state(&contest.id, State::Running))?;
        eprintln!(
            "{}: {} of {} games played, {} at a time; the table: tablut tournament table {}",
            contest.plan.name,
            done,
            counting(&fixtures),
            runner.slots.count(),
            contest.id
        );
        self.play
            .play(&runner, &runtime, counting(&fixtures), done)?;
        // It may have been corrected meanwhile.
        let contest = runtime.block_on(Contest::load(&store, &contest.id))?;
        let fixtures = runtime.block_on(store.fixtures(&contest.id))?;
        table::standings(out, &contest, &fixtures)?;
        runtime.block_on(store.close());
        Ok(Status::Good)
    }
}

#[derive(Args)]
#[command(after_help = "\
It stays paused until someone starts it: on the page of `tablut serve`, or with `tournament resume` when
workers are waiting for it.

Examples:
  tablut tournament add cup.toml
  tablut tournament add cup.toml --check")]
pub(super) struct Add {
    /// The tournament file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only check the file
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    store: StoreFlag,
}

impl Add {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        if self.check {
            let (text, _) = read(&self.file)?;
            let plan = plan(&self.file, &text)?;
            let missing = missing_programs(&plan.teams);
            if !missing.is_empty() {
                bail!(
                    "{} names programs that cannot be started from here:\n{}",
                    self.file.display(),
                    missing.join("\n")
                );
            }
            let games = plan.fixtures().len();
            let (teams, groups) = (plan.teams.len(), plan.groups().len());
            let name = &plan.name;
            writeln!(
                out,
                "{name}: {teams} teams, groups: {groups}, games: {games}"
            )?;
            return Ok(Status::Good);
        }
        let (runtime, store) = self.store.open()?;
        let prepared = prepare(&self.file, &runtime, &store, State::Paused)?;
        let contest = prepared.contest;
        if contest.is_archived() {
            return Err(ContestError::Archived(contest.id).into());
        }
        for fault in missing_programs(&contest.plan.teams) {
            eprintln!("warning: {fault}");
        }
        let (id, store_too) = (contest.id, self.store.reminder());
        match prepared.is_new {
            true => writeln!(
                out,
                "{id} is stored; start it with: tablut tournament resume {id}{store_too}"
            )?,
            false => writeln!(out, "{id} already exists")?,
        }
        runtime.block_on(store.close());
        Ok(Status::Good)
    }
}

fn plan(file: &Path, text: &str) -> Result<tablut_arena::tournament::Plan> {
    tablut_arena::tournament::Plan::read(text)
        .with_context(|| format!("{} is not a valid tournament file", file.display()))
}

/// The text of a tournament file, and its rule set: an id, or a text.
fn read(file: &Path) -> Result<(String, String)> {
    let text = input::read(&file.to_string_lossy())?;
    let rules = plan(file, &text)?.rules;
    if rules.parse::<BuiltIn>().is_ok() {
        return Ok((text, rules));
    }
    // A file is meant as seen from the tournament file.
    let path = file.parent().unwrap_or(Path::new("")).join(&rules);
    let path = path.to_string_lossy();
    input::rule_set(&path)?;
    let rules = input::read(&path)?;
    Ok((text, rules))
}

fn prepare(file: &Path, runtime: &Runtime, store: &Store, state: State) -> Result<Prepared> {
    let (text, rules) = read(file)?;
    Ok(runtime.block_on(Contest::prepare(store, &text, &rules, state))?)
}

/// What teams play with that cannot be started from this folder, as far as a look at the files tells.
pub(super) fn missing_programs<'a>(teams: impl IntoIterator<Item = &'a Team>) -> Vec<String> {
    let fault = |team: &Team| {
        let player = match &team.plays {
            Entry::Player(player) if player.is_started() => player,
            Entry::Player(_) | Entry::Remote { .. } => return None,
        };
        let name = &team.name;
        match player.program() {
            None => Some(format!("team {name:?}: {player} is not a command")),
            Some(program) => {
                let why = not_executable(&program)?;
                Some(format!("team {name:?}: {program} {why}"))
            }
        }
    };
    teams.into_iter().filter_map(fault).collect()
}

/// Why a program cannot be started; nothing if it can.
fn not_executable(program: &str) -> Option<&'static str> {
    let is_executable = |path: &Path| {
        #[cfg(unix)]
        let may = |file: &fs::Metadata| {
            use std::os::unix::fs::PermissionsExt;
            file.permissions().mode() & 0o111 != 0
        };
        #[cfg(not(unix))]
        let may = |_: &fs::Metadata| true;
        fs::metadata(path).is_ok_and(|file| file.is_file() && may(&file))
    };
    // As the system looks for it: a path from this folder, or a name in one of the usual folders.
    if program.contains('/') {
        let path = Path::new(program);
        return match path.exists() {
            _ if is_executable(path) => None,
            true => Some("is not executable; try chmod +x"),
            false => Some("does not exist"),
        };
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&folders);
    match folders.any(|folder| is_executable(&folder.join(program))) {
        true => None,
        false => Some("is not in PATH; give its path, as in ./program"),
    }
}

/// How a game ended, in a few words.
pub(crate) fn outcome(outcome: Outcome) -> String {
    let who = match outcome.winner {
        Some(Side::Defenders) => "white wins",
        Some(Side::Attackers) => "black wins",
        None => "draw",
    };
    format!("{who} ({})", outcome.reason)
}

/// How games come along.
struct Progress {
    is_terminal: bool,
    games: usize,
    /// Those played before, and those played since.
    before: usize,
    done: usize,
    running: usize,
    start: Instant,
}

impl Progress {
    fn new(games: usize, before: usize) -> Self {
        Self {
            is_terminal: io::stderr().is_terminal(),
            games,
            before,
            done: 0,
            running: 0,
            start: Instant::now(),
        }
    }

    fn show(&mut self, event: &FixtureEvent) {
        self.clear();
        match event {
            FixtureEvent::Started { .. } => self.running += 1,
            FixtureEvent::Finished {
                contest,
                claim,
                result,
            } => {
                self.running = self.running.saturating_sub(1);
                self.done += 1;
                eprintln!(
                    "game {}: {} – {}: {}, {}",
                    claim.number + 1,
                    contest.team(claim.teams.defenders),
                    contest.team(claim.teams.attackers),
                    outcome(result.outcome),
                    counted(result.plies, "move", "moves")
                );
                if let Some(fault) = &result.fault {
                    eprintln!("  {}", harmless_lines(fault));
                }
            }
            FixtureEvent::Dropped { claim } => {
                self.running = self.running.saturating_sub(1);
                eprintln!("game {}: abandoned, to be played again", claim.number + 1);
            }
            FixtureEvent::Waiting { needs_ports: false } => {
                eprintln!(
                    "waiting: all remaining games are being played, or the tournament is paused"
                )
            }
            FixtureEvent::Waiting { needs_ports: true } => eprintln!(
                "waiting: a team is `remote` since a correction, and no port is open for its program \
                 here; stop this with Ctrl-C and start it again to open the ports"
            ),
            FixtureEvent::Skipped { tournament, why } => {
                eprintln!("tournament {tournament} cannot be read here and is skipped: {why}")
            }
            FixtureEvent::Trouble(text) => eprintln!("{text}; trying again"),
        }
        if !self.is_terminal {
            return;
        }
        let played = self.before + self.done;
        // A final may have been added.
        let total = self.games.max(played + self.running);
        let filled = 30 * played / total.max(1);
        let mut line = format!(
            "[{}{}] {played} of {total} games, {} in progress",
            "#".repeat(filled),
            "-".repeat(30 - filled),
            self.running
        );
        if self.done > 0 && self.games > 0 {
            let left = (total - played) as f64 / self.done as f64;
            line += &format!(", about {} left", time(self.start.elapsed().mul_f64(left)));
        }
        let mut talk = io::stderr();
        drop(write!(talk, "{line}").and_then(|()| talk.flush()));
    }

    fn clear(&self) {
        if self.is_terminal {
            eprint!("\r\x1b[K");
        }
    }
}
