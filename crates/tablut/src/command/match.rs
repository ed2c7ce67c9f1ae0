//! `tablut match`: a series of games between two players.

mod progress;
mod report;
mod store;

pub(super) use progress::time;

use std::{io::Write, num::NonZeroUsize, path::PathBuf, sync::Arc};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tablut_arena::{
    Opening, ParsePlayerError, Player, PlayerKind, opening,
    series::{Ended, Entrant, Series, SeriesEvent},
    stats::{self, Sprt},
};
use tablut_guest::{MoverOptions, mover};
use tablut_rules::Rules;

use super::guest;
use crate::{Status, input, live, signal};

/// Play a series of games between two players and say who is stronger
#[derive(Args)]
#[command(after_help = "\
Every opening is played twice, with sides swapped. Figures are from A's point of view.

Players:
  level:1 to level:10   our engine at a level for people
  time:0.1              our engine with 0.1 seconds per move
  nodes:20000           our engine with 20000 positions per move
  random                any legal move
  baseline, baseline:4  a simple search of fixed depth (default 5)
  engine:CMD            a program that speaks docs/engine-protocol.md
  client:CMD            a client of the Tablut Challenge; {side}, {Side},
                        {SIDE}, {seconds}, {ms} and {address} in CMD are
                        filled in; without any of them, side, seconds and
                        address are appended

A player loses the game if its move is illegal or later than its time plus the grace, or if its program
exits. Ctrl-C finishes the games in progress, a second one stops; the exit code is then 130.

Examples:
  tablut match time:0.2 baseline -n 200 --openings openings.txt
  tablut match nodes:20000 'engine:./old --threads 1' --sprt 0,10 --records games.tablut
  tablut match random random -n 20 --seed 7 --json
  tablut match client:./runmyplayer.sh level:7 -t 2 -n 20
  tablut match 'client:java -jar White.jar {SIDE}' random -n 2 -g --log-dir logs")]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: input::RulesFlag,
    /// The first player
    #[arg(value_name = "A", value_parser = program)]
    first: Player,
    /// The second player
    #[arg(value_name = "B", value_parser = program)]
    second: Player,
    /// How many games, rounded up to an even number [default: 100, or at most 20000 with --sprt]
    #[arg(long, short = 'n', value_name = "N")]
    games: Option<usize>,
    /// Seconds per move for players without a limit of their own
    #[arg(long, short, value_name = "SECONDS", default_value = "0.2", value_parser = input::milliseconds)]
    time: u64,
    /// Let our engine think from the first move instead of using its opening book
    #[arg(long)]
    no_book: bool,
    /// Start from the openings in this file: a rule set and moves on each line, # for comments.
    /// Once all are played, they come again with a random ply more, then with two, and so on
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Without a file, start after this many random plies [default: 4, or 0 with client:CMD, since some
    /// clients assume the start position]
    #[arg(long, value_name = "N", conflicts_with = "openings",
          value_parser = clap::value_parser!(u8).range(0..=40))]
    random_plies: Option<u8>,
    /// How many games at once
    #[arg(long, short, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Stop when a sequential test decides whether A is better than B by elo1, or by at most elo0:
    /// elo0,elo1 or elo0,elo1,alpha,beta, where alpha and beta are the error probabilities (0.05)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// What Elo means in --sprt
    #[arg(long, value_enum, default_value_t = Model::Normalized)]
    model: Model,
    /// The seed of random openings and random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,
    /// Append the records of all games to this file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Seconds by which a move may be late
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = input::milliseconds)]
    grace: u64,
    /// Seconds a program may take to start and to get ready for a game
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = input::milliseconds)]
    startup: u64,
    /// Show the board of one game at a time
    #[arg(long, short = 'g')]
    board: bool,
    /// Write each game to this folder as a record, and as a game log like those of the Challenge's Java
    /// server
    #[arg(long, value_name = "FOLDER")]
    log_dir: Option<PathBuf>,
    #[command(flatten)]
    pace: guest::Pace,
    #[command(flatten)]
    clients: guest::Flags,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A player that needs nobody at a board.
fn program(text: &str) -> Result<Player, String> {
    match text.parse() {
        Ok(Player::Person) => Err("people play with `tablut play`, or on the page".into()),
        Ok(player) => Ok(player),
        Err(ParsePlayerError::Unknown(_)) => Err(format!(
            "there is no player {text:?}; there are {}",
            Player::PROGRAMS
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// What Elo means in a test.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// The mean score of a pair divided by its deviation
    Normalized,
    /// From the expected score
    Logistic,
}

/// Games at most when a test decides.
const MOST_WITH_TEST: usize = 20_000;

/// Random openings at most; longer series play them again.
const MOST_RANDOM: usize = 10_000;

/// Random plies before a game between players that can start from any position.
const RANDOM_PLIES: u8 = 4;

/// Games otherwise.
const USUAL: usize = 100;

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let mut series = self.series()?;
        let starts_later = |opening: &Opening| !opening.moves.is_empty();
        if self.has_clients() && series.openings.iter().any(starts_later) {
            eprintln!(
                "these games start after an opening: a client that ignores the first state it receives \
                 loses them at once; `tablut check-client` says whether yours does"
            );
        }
        let mut store = self
            .records
            .as_deref()
            .map(store::Store::open)
            .transpose()?;
        let options = MoverOptions {
            startup_ms: self.startup,
            grace_ms: self.grace,
            stop: signal::stop("finishing the games in progress; Ctrl-C again stops them")?,
            move_ms: self.time,
            pace_ms: self.pace.pace,
            uses_book: !self.no_book,
            ..MoverOptions::default()
        };
        let options = match self.first.is_started() || self.second.is_started() {
            true => self
                .clients
                .prepare(options, &mut series.concurrency, None)?,
            false => options,
        };
        let mut live = live::Live::default();
        let mut progress = progress::Progress::new(2 * series.pairs);
        let mut unwritten = None;
        let rules = Arc::clone(&series.rules);
        let played = series.run(
            &|player| mover(player, &options),
            &options.stop,
            &mut |event| {
                if let SeriesEvent::Moved { record, game } = event {
                    live.show(&live::game(record, game));
                    return;
                }
                live.end();
                progress.show(&event);
                let SeriesEvent::Finished { game, .. } = event else {
                    return;
                };
                let kept = store
                    .as_mut()
                    .map_or(Ok(()), |store| store.add(&game.record));
                let logged = self
                    .log_dir
                    .as_deref()
                    .map_or(Ok(()), |folder| store::log(folder, &game.record, &rules));
                if let Err(error) = kept.and(logged) {
                    // Games that cannot be kept are not worth playing.
                    options.stop.finish();
                    unwritten.get_or_insert(error);
                }
            },
        );
        progress.end();
        let report = played?;
        if let (Some(store), None) = (&mut store, &unwritten) {
            unwritten = store.finish(&report.games).err();
        }
        if self.json {
            report::json(out, &series, &report)?;
        } else {
            report::text(out, &series, &report)?;
        }
        match unwritten {
            None if report.ended == Ended::Stopped => Ok(Status::Stopped),
            None => Ok(Status::Good),
            Some(error) => {
                out.flush()?;
                Err(error)
            }
        }
    }

    /// What is to be played.
    fn series(&self) -> Result<Series> {
        let rules = self.rules.load()?;
        let usual = self.sprt.map_or(USUAL, |_| MOST_WITH_TEST);
        let pairs = self.games.unwrap_or(usual).div_ceil(2);
        if pairs == 0 {
            bail!("at least one game is needed, as in -n 2");
        }
        let model = match self.model {
            Model::Normalized => stats::Model::Normalized,
            Model::Logistic => stats::Model::Logistic,
        };
        let entrant = |player: &Player| Entrant {
            player: player.clone(),
            budget: player.budget(Some(self.time)),
        };
        Ok(Series {
            openings: self.openings(&rules, pairs)?,
            entrants: [entrant(&self.first), entrant(&self.second)],
            rules,
            pairs,
            concurrency: self.concurrency,
            seed: self.seed,
            max_plies: Some(self.max_plies),
            grace_ms: self.grace,
            sprt: self.sprt.map(|sprt| sprt.with_model(model)),
            is_live: self.board,
        })
    }

    /// Whether a client of the Challenge plays.
    fn has_clients(&self) -> bool {
        let is_client = |player: &Player| player.kind() == PlayerKind::Client;
        [&self.first, &self.second].into_iter().any(is_client)
    }

    fn openings(&self, rules: &Arc<Rules>, pairs: usize) -> Result<Vec<Opening>> {
        let Some(path) = &self.openings else {
            let usual = if self.has_clients() { 0 } else { RANDOM_PLIES };
            let plies = usize::from(self.random_plies.unwrap_or(usual));
            let count = pairs.min(MOST_RANDOM);
            return Ok(opening::random(rules, plies, count, self.seed));
        };
        let name = path.display();
        let text = input::read(&path.to_string_lossy())?;
        let openings = opening::read(&text, rules).with_context(|| format!("{name}"))?;
        if openings.is_empty() {
            let id = rules.set().id();
            bail!("{name} has no opening for the rule set {id}; lines start with its id");
        }
        Ok(opening::enough(openings, rules, pairs, self.seed))
    }
}
