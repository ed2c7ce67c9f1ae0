//! Who plays: one grammar for players everywhere.

use std::{fmt, str::FromStr};

use tablut_engine::Parameters;

use crate::{Budget, words};

/// A player, as a person names it.
///
/// | text | plays |
/// |---|---|
/// | `person` | a human being |
/// | `level:5` | our engine at a level from 1 to 10 |
/// | `time:0.1` | our engine with a number of seconds for a move |
/// | `nodes:20000` | our engine with a number of positions for a move |
/// | `nodes:20000,eval=hand,late_depth=0` | the same with another evaluation or other numbers inside, for tests of the engine; `time:0.1,eval=my.network` too |
/// | `random` | any legal move |
/// | `baseline`, `baseline:4` | a plain alpha-beta search of fixed depth |
/// | `engine:CMD` | a program that speaks the protocol of `docs/engine-protocol.md` |
/// | `client:CMD` | a client of the Tablut Challenge, as `docs/challenge.md` describes |
///
/// `Display` and `FromStr` are inverse. The enum is exhaustive on purpose: a new kind of player does not
/// compile until every place that has to know it does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// A human being.
    Person,
    /// Our engine at a level for people.
    Level(u8),
    /// Our engine with a time for each move, in milliseconds.
    Time(u64),
    /// Our engine with a number of positions for each move.
    Nodes(u64),
    /// Our engine with a limit for each move, and an evaluation or numbers of its own.
    Tuned(Tuning),
    /// Any legal move, each as likely as the others.
    Random,
    /// A plain alpha-beta search of fixed depth.
    Baseline {
        /// The depth in plies.
        depth: u32,
    },
    /// A program that speaks the line protocol, with its arguments.
    Engine(String),
    /// A client of the Tablut Challenge, with a template of its arguments.
    Client(String),
}

/// Our engine with something changed inside.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tuning {
    /// What it may spend on a move.
    pub limit: TuningLimit,
    /// How it evaluates, unless as always.
    pub evaluation: Option<TuningEvaluation>,
    /// What differs from [`Parameters`]' defaults, by name.
    pub changes: Vec<(String, i32)>,
}

/// What a tuned engine may spend on a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TuningLimit {
    /// Milliseconds.
    Time(u64),
    /// Positions.
    Nodes(u64),
}

/// How a tuned engine evaluates.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TuningEvaluation {
    /// By the terms that are written by hand.
    Hand,
    /// By the network in a file.
    File(String),
}

/// What stands behind a player. Code that treats players differently asks for this, or matches on the
/// [`Player`] itself, without an arm for the rest: a new kind does not compile until it is answered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerKind {
    /// A human being at a board.
    Person,
    /// A search of our engine, which can be paused and stopped.
    Search,
    /// A move that is found in this process, without pauses.
    Simple,
    /// A program that speaks the engine protocol, started by us.
    Program,
    /// A program that connects to a server of the Tablut Challenge, started by us.
    Client,
}

impl Player {
    /// What stands behind the player.
    #[must_use]
    pub const fn kind(&self) -> PlayerKind {
        match self {
            Self::Person => PlayerKind::Person,
            Self::Level(_) | Self::Time(_) | Self::Nodes(_) | Self::Tuned(_) => PlayerKind::Search,
            Self::Random | Self::Baseline { .. } => PlayerKind::Simple,
            Self::Engine(_) => PlayerKind::Program,
            Self::Client(_) => PlayerKind::Client,
        }
    }

    /// The first word of the player's name in the grammar.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Level(_) => "level",
            Self::Time(_) => "time",
            Self::Nodes(_) => "nodes",
            Self::Tuned(tuning) => match tuning.limit {
                TuningLimit::Time(_) => "time",
                TuningLimit::Nodes(_) => "nodes",
            },
            Self::Random => "random",
            Self::Baseline { .. } => "baseline",
            Self::Engine(_) => "engine",
            Self::Client(_) => "client",
        }
    }

    /// The names of the players that need no person at a board, for errors and help.
    pub const PROGRAMS: &str = "level:1 to level:10, time:SECONDS, nodes:N, random, baseline, \
        baseline:DEPTH, engine:CMD, client:CMD";

    /// Whether a human being plays, who needs a board and cannot be asked for a move.
    #[must_use]
    pub const fn is_person(&self) -> bool {
        matches!(self.kind(), PlayerKind::Person)
    }

    /// Whether a program has to be started, which needs a supervisor and a sandbox.
    #[must_use]
    pub const fn is_started(&self) -> bool {
        self.command().is_some()
    }

    /// The command line of the program that it starts; nothing if it starts none.
    #[must_use]
    pub const fn command(&self) -> Option<&String> {
        match self {
            Self::Engine(command) | Self::Client(command) => Some(command),
            Self::Person
            | Self::Level(_)
            | Self::Time(_)
            | Self::Nodes(_)
            | Self::Tuned(_)
            | Self::Random
            | Self::Baseline { .. } => None,
        }
    }

    /// The program that it starts, as its command names it; nothing if it starts none.
    #[must_use]
    pub fn program(&self) -> Option<String> {
        words::split(self.command()?)?.into_iter().next()
    }

    /// The highest level; the lowest is 1.
    pub const HIGHEST_LEVEL: u8 = 10;

    /// How deep `baseline` searches by default.
    pub const BASELINE_DEPTH: u32 = 5;

    /// The deepest `baseline`.
    const DEEPEST: u32 = 64;

    /// The longest time for a move, in milliseconds: a day.
    const LONGEST: u64 = 24 * 3600 * 1000;
}

impl Player {
    /// What the player may spend on a move in a match that allows `match_ms` milliseconds for one, or does
    /// not limit the time.
    #[must_use]
    pub const fn budget(&self, match_ms: Option<u64>) -> Budget {
        match self {
            Self::Level(_) | Self::Engine(_) | Self::Client(_) => Budget {
                time_ms: match_ms,
                soft_ms: None,
                nodes: None,
                depth: None,
            },
            Self::Time(ms) => Budget::time(*ms),
            Self::Nodes(nodes) => Budget::nodes(*nodes),
            Self::Tuned(tuning) => match tuning.limit {
                TuningLimit::Time(ms) => Budget::time(ms),
                TuningLimit::Nodes(nodes) => Budget::nodes(nodes),
            },
            Self::Baseline { depth } => Budget::depth(*depth),
            Self::Person | Self::Random => Budget {
                time_ms: None,
                soft_ms: None,
                nodes: None,
                depth: None,
            },
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => f.write_str("person"),
            Self::Level(level) => write!(f, "level:{level}"),
            Self::Time(ms) => TuningLimit::Time(*ms).fmt(f),
            Self::Nodes(nodes) => TuningLimit::Nodes(*nodes).fmt(f),
            Self::Tuned(tuning) => {
                tuning.limit.fmt(f)?;
                match &tuning.evaluation {
                    None => {}
                    Some(TuningEvaluation::Hand) => f.write_str(",eval=hand")?,
                    Some(TuningEvaluation::File(file)) => write!(f, ",eval={file}")?,
                }
                let changes = &mut tuning.changes.iter();
                changes.try_for_each(|(name, value)| write!(f, ",{name}={value}"))
            }
            Self::Random => f.write_str("random"),
            Self::Baseline { depth } if *depth == Self::BASELINE_DEPTH => f.write_str("baseline"),
            Self::Baseline { depth } => write!(f, "baseline:{depth}"),
            Self::Engine(command) => write!(f, "engine:{command}"),
            Self::Client(command) => write!(f, "client:{command}"),
        }
    }
}

impl fmt::Display for TuningLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(ms) => {
                let text = format!("{}.{:03}", ms / 1000, ms % 1000);
                let text = text.trim_end_matches('0').trim_end_matches('.');
                write!(f, "time:{text}")
            }
            Self::Nodes(nodes) => write!(f, "nodes:{nodes}"),
        }
    }
}

impl TuningLimit {
    /// The player with this limit that has something else changed, if anything is named.
    fn player(self, rest: Option<&str>) -> Result<Player, ParsePlayerError> {
        let Some(rest) = rest else {
            return Ok(match self {
                Self::Time(ms) => Player::Time(ms),
                Self::Nodes(nodes) => Player::Nodes(nodes),
            });
        };
        let mut tuning = Tuning {
            limit: self,
            evaluation: None,
            changes: Vec::new(),
        };
        for part in rest.split(',') {
            match part.strip_prefix("eval=") {
                Some("hand") => tuning.evaluation = Some(TuningEvaluation::Hand),
                Some(file) if !file.is_empty() => {
                    tuning.evaluation = Some(TuningEvaluation::File(file.to_string()));
                }
                _ => tuning
                    .changes
                    .push(change(part).ok_or_else(|| ParsePlayerError::Value {
                        value: rest.to_string(),
                        expected: "eval=hand, eval=FILE or NAME=NUMBER, with a name from \
                                   docs/engine.md",
                    })?),
            }
        }
        Ok(Player::Tuned(tuning))
    }
}

impl FromStr for Player {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Self, ParsePlayerError> {
        let (kind, value) = match text.split_once(':') {
            Some((kind, value)) => (kind, Some(value)),
            None => (text, None),
        };
        let needs = |value: Option<&str>, form: &'static str| match value {
            Some(value) if !value.trim().is_empty() => Ok(value.to_string()),
            _ => Err(ParsePlayerError::Missing { form }),
        };
        let wrong = |value: &str, expected: &'static str| ParsePlayerError::Value {
            value: value.to_string(),
            expected,
        };
        match (kind, value) {
            ("person", None) => Ok(Self::Person),
            ("random", None) => Ok(Self::Random),
            ("person" | "random", Some(value)) => Err(wrong(value, "nothing after this player")),
            ("level", value) => {
                let value = needs(value, "level:5")?;
                let level = whole(&value).filter(|level| (1..=10).contains(level));
                level
                    .and_then(|level| u8::try_from(level).ok())
                    .map(Self::Level)
                    .ok_or_else(|| wrong(&value, "a level from 1 to 10"))
            }
            ("time", value) => {
                let value = needs(value, "time:0.1")?;
                let (time, rest) = limit_and_rest(&value);
                let ms = milliseconds(time).filter(|ms| (1..=Self::LONGEST).contains(ms));
                let ms = ms.ok_or_else(|| wrong(&value, "seconds from 0.001 to 86400"))?;
                TuningLimit::Time(ms).player(rest)
            }
            ("nodes", value) => {
                let value = needs(value, "nodes:20000")?;
                let (nodes, rest) = limit_and_rest(&value);
                let nodes = whole(nodes).filter(|&nodes| nodes > 0);
                let nodes = nodes.ok_or_else(|| wrong(&value, "a number of positions above 0"))?;
                TuningLimit::Nodes(nodes).player(rest)
            }
            ("baseline", None) => Ok(Self::Baseline {
                depth: Self::BASELINE_DEPTH,
            }),
            ("baseline", Some(value)) => {
                let depth = whole(value).and_then(|depth| u32::try_from(depth).ok());
                depth
                    .filter(|depth| (1..=Self::DEEPEST).contains(depth))
                    .map(|depth| Self::Baseline { depth })
                    .ok_or_else(|| wrong(value, "a depth from 1 to 64"))
            }
            ("engine", value) => Ok(Self::Engine(needs(value, "engine:./my-engine --fast")?)),
            ("client", value) => Ok(Self::Client(needs(value, "client:./runmyplayer.sh")?)),
            _ => Err(ParsePlayerError::Unknown(text.to_string())),
        }
    }
}

/// What stands before the first comma, and what comes after it.
fn limit_and_rest(text: &str) -> (&str, Option<&str>) {
    match text.split_once(',') {
        Some((limit, rest)) => (limit, Some(rest)),
        None => (text, None),
    }
}

/// A number made of nothing but digits.
fn whole(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// A number of the engine with another value.
fn change(text: &str) -> Option<(String, i32)> {
    let (name, value) = text.split_once('=')?;
    let value = value.parse().ok()?;
    Parameters::default()
        .set(name, value)
        .then(|| (name.to_string(), value))
}

/// Seconds with up to three decimals, in milliseconds.
fn milliseconds(text: &str) -> Option<u64> {
    let (seconds, part) = text.split_once('.').unwrap_or((text, "0"));
    if part.is_empty() || part.len() > 3 || seconds.is_empty() {
        return None;
    }
    let thousandths = whole(&format!("{part:0<3}"))?;
    whole(seconds)?.checked_mul(1000)?.checked_add(thousandths)
}

/// A text that names no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePlayerError {
    /// There is no such kind of player.
    #[error("there is no player {0:?}; there are person, {programs}", programs = Player::PROGRAMS)]
    Unknown(String),
    /// Something has to follow.
    #[error("this player needs a value, as in {form}")]
    Missing {
        /// An example.
        form: &'static str,
    },
    /// What follows does not fit.
    #[error("{value:?} is not valid: expected {expected}")]
    Value {
        /// What was written.
        value: String,
        /// What would fit.
        expected: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_as_they_are_written() {
        for (text, player) in [
            ("person", Player::Person),
            ("level:1", Player::Level(1)),
            ("level:10", Player::Level(10)),
            ("time:0.1", Player::Time(100)),
            ("time:0.001", Player::Time(1)),
            ("time:60", Player::Time(60_000)),
            ("time:1.25", Player::Time(1250)),
            ("nodes:20000", Player::Nodes(20_000)),
            (
                "nodes:500,late_depth=0,tempo=-3",
                Player::Tuned(Tuning {
                    limit: TuningLimit::Nodes(500),
                    evaluation: None,
                    changes: vec![("late_depth".into(), 0), ("tempo".into(), -3)],
                }),
            ),
            (
                "time:0.1,eval=hand",
                Player::Tuned(Tuning {
                    limit: TuningLimit::Time(100),
                    evaluation: Some(TuningEvaluation::Hand),
                    changes: Vec::new(),
                }),
            ),
            (
                "nodes:7,eval=a/b.network,tempo=1",
                Player::Tuned(Tuning {
                    limit: TuningLimit::Nodes(7),
                    evaluation: Some(TuningEvaluation::File("a/b.network".into())),
                    changes: vec![("tempo".into(), 1)],
                }),
            ),
            ("random", Player::Random),
            ("baseline", Player::Baseline { depth: 5 }),
            ("baseline:4", Player::Baseline { depth: 4 }),
            (
                "engine:./a b:c 'd e'",
                Player::Engine("./a b:c 'd e'".into()),
            ),
            (
                "client:./run {SIDE} {seconds}",
                Player::Client("./run {SIDE} {seconds}".into()),
            ),
        ] {
            assert_eq!(text.parse(), Ok(player.clone()), "{text}");
            assert_eq!(player.to_string(), text);
        }
        assert_eq!("baseline:5".parse(), Ok(Player::Baseline { depth: 5 }));
        assert_eq!("time:2.500".parse(), Ok(Player::Time(2500)));
    }

    /// Lists the kinds of players, each with a text that names one, and makes a match of the list that
    /// knows no other kind: a new one does not compile until it is listed, and so has a text.
    macro_rules! kinds {
        ($($kind:pat => $text:literal),* $(,)?) => {
            const TEXTS: &[&str] = &[$($text),*];

            fn text(player: &Player) -> &'static str {
                match player {
                    $($kind => $text),*
                }
            }
        };
    }

    kinds! {
        Player::Person => "person",
        Player::Level(_) => "level:5",
        Player::Time(_) => "time:1",
        Player::Nodes(_) => "nodes:1",
        Player::Tuned(_) => "nodes:1,tempo=0",
        Player::Random => "random",
        Player::Baseline { .. } => "baseline",
        Player::Engine(_) => "engine:x",
        Player::Client(_) => "client:x",
    }

    #[test]
    fn every_kind_of_player_can_be_named_and_is_offered() {
        for &named in TEXTS {
            let player: Player = named.parse().unwrap();
            assert_eq!(text(&player), named, "it names another kind");
            assert_eq!(player.to_string(), named);
            let mut offered = Player::PROGRAMS.split(", ");
            let is_offered = offered.any(|form| form.split(':').next() == Some(player.word()));
            assert_eq!(is_offered, !player.is_person(), "{named}");
            assert_eq!(player.program().is_some(), player.is_started(), "{named}");
        }
    }

    #[test]
    fn what_is_no_player_is_refused_with_what_is_known() {
        for (text, part) in [
            ("", "engine:CMD"),
            ("human", "person, level:1"),
            ("Random", "random"),
            ("level", "level:5"),
            ("level:", "level:5"),
            ("level:0", "from 1 to 10"),
            ("level:11", "from 1 to 10"),
            ("level:266", "from 1 to 10"),
            ("time", "time:0.1"),
            ("time:0", "seconds"),
            ("time:-1", "seconds"),
            ("time:0.0001", "seconds"),
            ("time:.5", "seconds"),
            ("time:1.", "seconds"),
            ("time:1e3", "seconds"),
            ("time:99999999999999999999", "seconds"),
            ("nodes:0", "above 0"),
            ("nodes:+5", "above 0"),
            ("nodes:5,", "NAME=NUMBER"),
            ("nodes:5,nothing=3", "NAME=NUMBER"),
            ("nodes:5,tempo=x", "NAME=NUMBER"),
            ("nodes:5,eval=", "eval=FILE"),
            ("time:5,tempo=x", "NAME=NUMBER"),
            ("random:5", "nothing after"),
            ("baseline:0", "1 to 64"),
            ("baseline:", "1 to 64"),
            ("engine", "engine:./my-engine"),
            ("engine: ", "engine:./my-engine"),
            ("client:", "client:./runmyplayer.sh"),
        ] {
            let error = text.parse::<Player>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_budget_is_the_players_own_or_that_of_the_match() {
        for (text, budget) in [
            ("time:0.5", Budget::time(500)),
            ("nodes:7", Budget::nodes(7)),
            ("baseline:3", Budget::depth(3)),
            ("random", Budget::default()),
            ("level:2", Budget::time(200)),
            ("engine:x", Budget::time(200)),
        ] {
            let player: Player = text.parse().unwrap();
            assert_eq!(player.budget(Some(200)), budget, "{text}");
        }
    }
}
