//! `tablut bench library`: how quick lists and the explorer stay with a million games.

use std::{
    env, fs,
    hint::black_box,
    io::Write,
    path::PathBuf,
    process,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tablut_archive::{Ground, Place, Shipped, shipped};
use tablut_rules::{BuiltIn, BySide, Outcome, Position, Random, Reason, Setup, Side};
use tablut_store::{Location, Planted, Planter, Search, Sort, Store, Viewer};
use tokio::runtime::Runtime;

use crate::Status;

/// Measure lists, searches and the explorer over many games
#[derive(Args)]
#[command(after_help = "\
A store is filled with games of random moves that share their openings as people's games do: entries,
players, readers and the places of every move, as filing would leave them, but no moves to replay. Then each
kind of list is asked for many times, from the first page and from a page deep inside.

With a URL the games go into a PostgreSQL database, which has to be empty. Memory is what this process holds at
its end, the games that ship included.

Examples:
  tablut bench library --games 100000
  tablut bench library --games 1000000 --store postgres://tablut@localhost/bench")]
pub(crate) struct Arguments {
    /// How many games
    #[arg(long, short = 'n', default_value_t = 1_000_000)]
    games: usize,
    /// Where the games go: a file that is not there yet, or a URL [default: a file that is deleted afterwards]
    #[arg(long)]
    store: Option<String>,
    /// How often each list is asked for
    #[arg(long, default_value_t = 50)]
    times: usize,
}

/// How many games are written with one transaction: few enough for a busy database to answer in time.
const BATCH: usize = 500;

/// How many players there are; a few play most of the games.
const PLAYERS: usize = 5000;

/// The most plies of a game; half as many on average.
const PLIES: usize = 60;

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let folder = env::temp_dir().join(format!("tablut-bench-{}", process::id()));
        let place = match &self.store {
            None => Location::File(folder.join("games.db")),
            Some(text) if text.starts_with("postgres") => Location::Postgres(text.clone()),
            Some(path) => {
                let path = PathBuf::from(path);
                if path.exists() {
                    bail!("{} is there already; name a new file", path.display());
                }
                Location::File(path)
            }
        };
        let runtime = Runtime::new().context("cannot start")?;
        let measured = runtime.block_on(self.measure(out, &place));
        if self.store.is_none() {
            // What is left in the folder of temporary files is no reason to fail.
            let _ = fs::remove_dir_all(&folder);
        }
        measured
    }

    async fn measure(&self, out: &mut impl Write, place: &Location) -> Result<Status> {
        let store = Store::open(place).await?;
        let begin = Instant::now();
        let places = self.plant(&store).await?;
        writeln!(
            out,
            "{} games planted in {:.0} s",
            self.games,
            begin.elapsed().as_secs_f64()
        )?;
        writeln!(
            out,
            "{:<44} {:>9} {:>9} {:>9}",
            "milliseconds", "median", "95 %", "most"
        )?;
        self.explore(out, &store, &places).await?;
        self.lists(out, &store, &places).await?;
        self.archives(out, &places)?;
        if let Some(kilobytes) = resident_kb() {
            writeln!(out, "memory of this process: {} MiB", kilobytes / 1024)?;
        }
        store.close().await;
        Ok(Status::Good)
    }

    /// Fills the store; gives positions that games came to, from the start on.
    async fn plant(&self, store: &Store) -> Result<Vec<(Position, Place)>> {
        let mut random = Random::new(1);
        let planter = Planter::begin(store).await?;
        let mut places = Vec::new();
        let mut batch = Vec::with_capacity(BATCH);
        for n in 0..self.games {
            let (game, seen) = planted(n, &mut random);
            if n % (self.games / 20).max(1) == 0 {
                places.extend(seen.into_iter().step_by(3));
            }
            batch.push(game);
            if batch.len() == BATCH || n + 1 == self.games {
                planter.add(&batch).await?;
                batch.clear();
            }
        }
        planter.finish().await?;
        Ok(places)
    }

    async fn explore(
        &self,
        out: &mut impl Write,
        store: &Store,
        places: &[(Position, Place)],
    ) -> Result<()> {
        let start = &places[..1];
        for (name, asked) in [
            ("explorer, the start", start),
            ("explorer, any position", places),
        ] {
            let mut times = Vec::new();
            for n in 0..self.times {
                let (position, place) = &asked[n * 7 % asked.len()];
                let begin = Instant::now();
                store.explored(*place, position.side()).await?;
                times.push(begin.elapsed());
            }
            row(out, name, times)?;
        }
        Ok(())
    }

    async fn lists(
        &self,
        out: &mut impl Write,
        store: &Store,
        places: &[(Position, Place)],
    ) -> Result<()> {
        let all = Search::default;
        let deep = places.get(8).map_or(places[0].1, |(_, place)| *place);
        let searches = [
            ("newest", all()),
            (
                "oldest",
                Search {
                    sort: Sort::Oldest,
                    ..all()
                },
            ),
            (
                "longest",
                Search {
                    sort: Sort::Longest,
                    ..all()
                },
            ),
            (
                "shortest",
                Search {
                    sort: Sort::Shortest,
                    ..all()
                },
            ),
            (
                "a player with many games",
                Search {
                    player: Some("player 0".into()),
                    ..all()
                },
            ),
            (
                "a player with few games",
                Search {
                    player: Some("player 4999".into()),
                    ..all()
                },
            ),
            (
                "two players",
                Search {
                    player: Some("player 0".into()),
                    opponent: Some("player 3".into()),
                    ..all()
                },
            ),
            (
                "a player's longest games",
                Search {
                    player: Some("player 0".into()),
                    sort: Sort::Longest,
                    ..all()
                },
            ),
            (
                "a rule set and a result",
                Search {
                    rules: Some("linnaeus".into()),
                    winner: Some(None),
                    ..all()
                },
            ),
            (
                "a rare reason",
                Search {
                    reason: Some(Reason::Decision),
                    ..all()
                },
            ),
            (
                "a reason that never is with its result",
                Search {
                    reason: Some(Reason::KingEscaped),
                    winner: Some(Some(Side::Attackers)),
                    ..all()
                },
            ),
            (
                "a length",
                Search {
                    plies: (Some(50), Some(52)),
                    ..all()
                },
            ),
            (
                "a day",
                Search {
                    ended_ms: (Some(day(500)), Some(day(501))),
                    ..all()
                },
            ),
            (
                "the start position",
                Search {
                    place: Some(places[0].1),
                    ..all()
                },
            ),
            (
                "the start position, a rare reason",
                Search {
                    place: Some(places[0].1),
                    reason: Some(Reason::Decision),
                    ..all()
                },
            ),
            (
                "the start position, longest",
                Search {
                    place: Some(places[0].1),
                    sort: Sort::Longest,
                    ..all()
                },
            ),
            (
                "a later position",
                Search {
                    place: Some(deep),
                    ..all()
                },
            ),
            (
                "a later position, longest",
                Search {
                    place: Some(deep),
                    sort: Sort::Longest,
                    ..all()
                },
            ),
            (
                "one's own games",
                Search {
                    own: Some("visitor 7".into()),
                    ..all()
                },
            ),
        ];
        let viewers = [
            ("all", Viewer::Everything),
            ("visitor", Viewer::Visitor("visitor 7".into())),
        ];
        for (viewer_name, viewer) in &viewers {
            for (name, search) in &searches {
                let mut times = Vec::new();
                let mut cursor = None;
                for _ in 0..self.times {
                    let begin = Instant::now();
                    let found = store.search(viewer, search, cursor, 50).await?;
                    times.push(begin.elapsed());
                    // From page to page, and from the beginning again at the end.
                    cursor = found.next;
                }
                row(out, &format!("{viewer_name}: {name}"), times)?;
            }
        }
        let mut times = Vec::new();
        for n in 0..self.times {
            let begin = Instant::now();
            store.players(&format!("player {}", n % 10), 10).await?;
            times.push(begin.elapsed());
        }
        row(out, "names of players", times)
    }

    /// The games that ship, which are at hand in memory.
    fn archives(&self, out: &mut impl Write, places: &[(Position, Place)]) -> Result<()> {
        for which in Shipped::ALL {
            let begin = Instant::now();
            let archive = shipped(which);
            let read = begin.elapsed();
            let mut times = Vec::new();
            for n in 0..self.times {
                let (position, _) = &places[n * 7 % places.len()];
                let begin = Instant::now();
                black_box(archive.moves_in(position));
                times.push(begin.elapsed());
            }
            let begin = Instant::now();
            black_box(archive.moves_in(&places[0].0));
            times.push(begin.elapsed());
            let name = format!(
                "{}, {} games, read in {:.0} ms",
                which.id(),
                archive.len(),
                read.as_secs_f64() * 1000.0
            );
            row(out, &name, times)?;
        }
        Ok(())
    }
}

/// A day of the years in which the games were played, in milliseconds since 1970.
const fn day(number: i64) -> i64 {
    1_700_000_000_000 + number * 86_400_000
}

/// A number below a bound, small ones far more often than large ones.
fn skewed(random: &mut Random, bound: usize) -> usize {
    let fraction = random.fraction();
    ((fraction * fraction * fraction * bound as f64) as usize).min(bound - 1)
}

fn planted(n: usize, random: &mut Random) -> (Planted, Vec<(Position, Place)>) {
    let set = [
        BuiltIn::Ashton,
        BuiltIn::Ashton,
        BuiltIn::Ashton,
        BuiltIn::Linnaeus,
    ][n % 4];
    let Ground { rules, tracker } = Ground::of(set);
    let (mut position, mut path, mut seen) = (rules.start(), Vec::new(), Vec::new());
    let length = 1 + random.below(PLIES);
    let mut end = None;
    while path.len() < length && end.is_none() {
        let moves = rules.moves(&position);
        if moves.is_empty() {
            break;
        }
        // Openings are shared: their first moves are few, as with people.
        let among = if path.len() < 12 {
            moves.len().min(12)
        } else {
            moves.len()
        };
        let step = moves[skewed(random, among)];
        let print = tracker.footprint(&position, step);
        seen.push((position, print.place));
        path.push(print);
        let applied = rules.apply_unchecked(&position, step);
        position = applied.position;
        end = applied.end;
    }
    let outcome = end.map_or_else(
        || match random.below(1000) {
            0 => Outcome::draw(Reason::Decision),
            1..=300 => Outcome::draw(Reason::Repetition),
            301..=700 => Outcome::win(Side::Attackers, Reason::Resignation),
            _ => Outcome::win(Side::Defenders, Reason::TimeOut),
        },
        Outcome::from,
    );
    let name = |random: &mut Random| format!("Player {}", skewed(random, PLAYERS));
    let mut visited = std::collections::HashSet::new();
    path.retain(|print: &tablut_archive::Footprint| visited.insert(print.place));
    let game = Planted {
        game: format!("{n:024}"),
        rules: set.id().into(),
        players: BySide {
            attackers: name(random),
            defenders: name(random),
        },
        outcome,
        // A game every minute and a half.
        ended_ms: day(0) + n as i64 * 90_000,
        path,
        last: Setup::from(&position),
        reader: n.is_multiple_of(3).then(|| format!("visitor {}", n % 300)),
    };
    (game, seen)
}

fn row(out: &mut impl Write, name: &str, mut times: Vec<Duration>) -> Result<()> {
    times.sort_unstable();
    let at = |part: f64| {
        let index = (part * (times.len() - 1) as f64).round() as usize;
        times
            .get(index)
            .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    writeln!(
        out,
        "{name:<44} {:>9.1} {:>9.1} {:>9.1}",
        at(0.5),
        at(0.95),
        at(1.0)
    )?;
    out.flush()?;
    Ok(())
}

/// What this process holds in memory, where the system tells.
fn resident_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
