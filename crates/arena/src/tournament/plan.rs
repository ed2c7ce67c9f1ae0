//! The tournament file.

use std::{collections::BTreeSet, fmt, path::PathBuf};

use serde::{Deserialize, de::DeserializeOwned};
use tablut_rules::text::is_harmful;
use toml::{Table, Value};

use crate::Player;

/// A tournament as its file describes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What it is called.
    pub name: String,
    /// The rule set: an id or a file.
    pub rules: String,
    /// The time for a move, in milliseconds.
    pub move_ms: u64,
    /// How often teams of a group meet.
    pub format: Format,
    /// Whether the winners of the groups play a final round.
    pub finals: bool,
    /// A game is a draw after this many plies.
    pub max_plies: Option<u32>,
    /// How far two states for the same client of the Challenge are apart at least, in milliseconds;
    /// by default, as the program that plays the games decides.
    pub pace_ms: Option<u64>,
    /// What started programs may use.
    pub limits: ProgramLimits,
    /// The teams in the order of the file, each with its group.
    pub teams: Vec<Team>,
}

/// How often two teams of a group meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Twice, once with each colour.
    #[default]
    Double,
    /// Once.
    Single,
}

/// What each started program may use.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramLimits {
    /// Memory, in mebibytes.
    pub memory_mb: Option<u64>,
    /// Cores.
    pub cores: Option<u32>,
    /// Processes and threads.
    pub processes: Option<u64>,
    /// What it may write, in mebibytes.
    pub disk_mb: Option<u64>,
    /// Whether it may write to its own folder.
    #[serde(default)]
    pub writable: bool,
    /// What it may read besides its own folder and the system's.
    #[serde(default)]
    pub read: Vec<PathBuf>,
}

impl ProgramLimits {
    /// Whether a limit leaves nothing to run with.
    fn is_nothing(&self) -> bool {
        let sizes = [self.memory_mb, self.processes, self.disk_mb];
        self.cores == Some(0) || sizes.contains(&Some(0))
    }
}

/// A team.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Team {
    /// Its name, unlike all others.
    pub name: String,
    /// Who is in it.
    pub members: Vec<String>,
    /// Its group.
    pub group: String,
    /// How it plays.
    pub plays: Entry,
}

/// How a team plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A player that is started here.
    Player(Player),
    /// A program that connects from elsewhere and knows the secret.
    Remote {
        /// What it has to say.
        secret: String,
    },
}

/// What is wrong with one part of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanFault {
    /// Where, as a person would say it: `team "Alpha"`.
    pub place: String,
    /// What, and what to do.
    pub what: String,
}

impl fmt::Display for PlanFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// Why a file is not a plan.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is not TOML, or has fields of the wrong kind.
    #[error(transparent)]
    Text(#[from] toml::de::Error),
    /// All that is wrong with what it says.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Faults(Vec<PlanFault>),
}

/// A table of a file, taken apart key by key, so that one bad key does not hide the next fault.
struct Keys<'a> {
    /// Where it is, for faults; nothing for the file itself.
    place: Option<String>,
    table: Table,
    known: Vec<&'static str>,
    faults: &'a mut Vec<PlanFault>,
}

impl<'a> Keys<'a> {
    const fn new(place: Option<String>, table: Table, faults: &'a mut Vec<PlanFault>) -> Self {
        Self {
            place,
            table,
            known: Vec::new(),
            faults,
        }
    }

    fn fault(&mut self, key: &str, what: impl fmt::Display) {
        self.faults.push(match &self.place {
            None => PlanFault {
                place: key.into(),
                what: what.to_string(),
            },
            Some(place) => PlanFault {
                place: place.clone(),
                what: format!("`{key}`: {what}"),
            },
        });
    }

    /// The value of a key, if it is there and of the right kind.
    fn take<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        self.known.push(key);
        let value = self.table.remove(key)?;
        match value.try_into() {
            Ok(value) => Some(value),
            Err(error) => {
                self.fault(key, error.message().trim());
                None
            }
        }
    }

    /// Tells of every key that nobody asked for.
    fn finish(mut self) {
        let unknown: Vec<String> = self.table.keys().cloned().collect();
        let known = self.known.join(", ");
        for key in unknown {
            let what = format!("there is no such key; there are {known}");
            self.fault(&key, what);
        }
    }
}

/// The Challenge gives a minute for a move.
const MINUTE: f64 = 60.0;

impl Plan {
    /// The most teams of a file.
    const MOST_TEAMS: usize = 1000;

    /// The longest pause between two states for a client, in milliseconds.
    const MOST_PACE: u64 = 60_000;

    /// Reads a tournament file.
    ///
    /// # Errors
    /// Says all that is wrong at once.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        Self::from_table(text.parse()?)
    }

    /// Reads a tournament file that is a table already.
    ///
    /// # Errors
    /// Says all that is wrong at once.
    pub(super) fn from_table(table: Table) -> Result<Self, PlanError> {
        let mut faults = Vec::new();
        let mut keys = Keys::new(None, table, &mut faults);
        let name: String = keys.take("name").unwrap_or_default();
        let rules = keys.take("rules").unwrap_or_else(|| "ashton".into());
        let seconds = keys.take("seconds").unwrap_or(MINUTE);
        let format = keys.take("format").unwrap_or_default();
        let finals = keys.take("finals").unwrap_or(false);
        let max_plies = keys.take("max_plies");
        let pace_ms: Option<u64> = keys.take("pace_ms");
        let limits: ProgramLimits = keys.take("limits").unwrap_or_default();
        let texts: Vec<Table> = keys.take("team").unwrap_or_default();
        if name.trim().is_empty() {
            keys.fault("name", "a tournament needs a name");
        } else if name.chars().any(is_harmful) {
            keys.fault("name", "it has invisible characters");
        }
        if !(0.001..=86_400.0).contains(&seconds) {
            keys.fault("seconds", "expected a time from 0.001 to 86400 for a move");
        }
        if max_plies == Some(0) {
            keys.fault("max_plies", "a game has at least one ply");
        }
        if pace_ms.is_some_and(|ms| ms > Self::MOST_PACE) {
            let what = format!("expected 0 to {} milliseconds", Self::MOST_PACE);
            keys.fault("pace_ms", what);
        }
        if limits.is_nothing() {
            keys.fault("limits", "nothing can run with 0; leave the limit out");
        }
        if !(2..=Self::MOST_TEAMS).contains(&texts.len()) {
            let (most, found) = (Self::MOST_TEAMS, texts.len());
            keys.fault("team", format!("expected 2 to {most} teams, found {found}"));
        }
        keys.finish();
        let mut plan = Self {
            name,
            rules,
            move_ms: (seconds * 1000.0).round() as u64,
            format,
            finals,
            max_plies,
            pace_ms,
            limits,
            teams: Vec::new(),
        };
        let mut seen = Seen::default();
        for (index, text) in texts.into_iter().enumerate() {
            plan.teams.extend(team(index, text, &mut seen, &mut faults));
        }
        for group in plan.groups() {
            if plan.group(&group).count() < 2 {
                let place = format!("group {group:?}");
                let what = "has only one team; put it into another group with `group = …`".into();
                faults.push(PlanFault { place, what });
            }
        }
        if plan.finals && plan.groups().len() < 2 {
            faults.push(PlanFault {
                place: "finals".into(),
                what: "a final is between the winners of at least two groups".into(),
            });
        }
        if faults.is_empty() {
            plan.teams.shrink_to_fit();
            Ok(plan)
        } else {
            Err(PlanError::Faults(faults))
        }
    }

    /// The names of the groups, sorted.
    #[must_use]
    pub fn groups(&self) -> Vec<String> {
        let groups: BTreeSet<&String> = self.teams.iter().map(|team| &team.group).collect();
        groups.into_iter().cloned().collect()
    }

    /// The numbers of a group's teams.
    pub fn group<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let all = self.teams.iter().enumerate();
        all.filter(move |(_, team)| team.group == name)
            .map(|(index, _)| index)
    }
}

/// What no two teams may share.
#[derive(Default)]
struct Seen {
    names: BTreeSet<String>,
    secrets: BTreeSet<String>,
}

/// Reads a team; `None` if it is not one.
fn team(index: usize, text: Table, seen: &mut Seen, faults: &mut Vec<PlanFault>) -> Option<Team> {
    let name = text.get("name").and_then(Value::as_str).unwrap_or_default();
    let place = match name.trim() {
        "" => format!("team {}", index + 1),
        name => format!("team {name:?}"),
    };
    let mut keys = Keys::new(Some(place.clone()), text, faults);
    let name: String = keys.take("name").unwrap_or_default();
    let members: Vec<String> = keys.take("members").unwrap_or_default();
    let group: Option<String> = keys.take("group");
    let plays: String = keys.take("plays").unwrap_or_default();
    let secret = keys.take("secret");
    keys.finish();
    let mut fault = |what: &str| {
        let (place, what) = (place.clone(), what.into());
        faults.push(PlanFault { place, what });
    };
    if name.trim().is_empty() {
        fault("a team needs a name");
    } else if name.chars().any(is_harmful) {
        fault("its name has invisible characters");
    } else if !seen.names.insert(name.to_lowercase()) {
        fault("another team has this name");
    }
    let group = match (group, members.len()) {
        (Some(group), _) if !group.trim().is_empty() => Some(group),
        (_, size @ 1..=4) => Some(size.to_string()),
        (_, size) => {
            fault(&format!(
                "add its `group`: teams are grouped by size only with 1 to 4 members, found {size}"
            ));
            None
        }
    };
    let plays = entry(&plays, secret, seen).map_err(|what| fault(&what));
    Some(Team {
        name,
        members,
        group: group?,
        plays: plays.ok()?,
    })
}

/// How a team plays.
fn entry(plays: &str, secret: Option<String>, seen: &mut Seen) -> Result<Entry, String> {
    match (plays, secret) {
        ("", _) => Err("add what it plays with: `plays = \"client:./runmyplayer.sh\"`".into()),
        ("remote", Some(secret)) if secret.len() >= 8 => {
            if !seen.secrets.insert(secret.clone()) {
                return Err("another team has the same secret".into());
            }
            Ok(Entry::Remote { secret })
        }
        ("remote", _) => Err("`remote` needs a `secret` of at least 8 characters".into()),
        (_, Some(_)) => Err("only `remote` has a secret".into()),
        (player, None) => match player.parse() {
            Ok(Player::Person) => Err("a person cannot play unattended; use `remote`".into()),
            Ok(player) => Ok(Entry::Player(player)),
            Err(error) => Err(error.to_string()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        name = "Spring"
        seconds = 0.05
        finals = true
        [limits]
        memory_mb = 512
        processes = 64
        writable = true
        read = ["/opt/jdk"]
        [[team]]
        name = "Alpha"
        members = ["Ada"]
        plays = "level:3"
        [[team]]
        name = "Beta"
        members = ["Bea"]
        plays = "client:./beta.sh {side}"
        [[team]]
        name = "Gamma"
        members = ["Gus", "Gil"]
        plays = "remote"
        secret = "long enough"
        [[team]]
        name = "Delta"
        group = "2"
        plays = "random"
    "#;

    #[test]
    fn teams_are_grouped_by_size_unless_told() {
        let plan = Plan::read(&GOOD.replace("client:", "engine:")).unwrap();
        assert_eq!(plan.groups(), ["1", "2"]);
        assert_eq!(plan.group("2").collect::<Vec<_>>(), [2, 3]);
        assert_eq!((plan.move_ms, plan.format), (50, Format::Double));
        assert_eq!(plan.limits.memory_mb, Some(512));
        assert_eq!(
            (plan.limits.processes, plan.limits.disk_mb),
            (Some(64), None)
        );
        assert!(plan.limits.writable && plan.limits.read == [PathBuf::from("/opt/jdk")]);
    }

    #[test]
    fn all_faults_are_told_at_once() {
        let text = r#"
            name = " "
            seconds = 0
            [[team]]
            name = "Alpha"
            members = ["Ada"]
            plays = "level:30"
            [[team]]
            name = "alpha"
            members = ["Ada"]
            plays = "remote"
            [[team]]
            name = "Beta"
            plays = "random"
            [[team]]
            name = "Gamma"
            group = "lonely"
            plays = "person"
            [[team]]
            name = "Delta"
            group = "lonely"
            plays = "random"
            [[team]]
            name = "Ep\u001bsilon"
            group = "lonely"
            plays = "person"
        "#;
        let error = Plan::read(text).unwrap_err().to_string();
        for part in [
            "name: a tournament needs",
            "seconds: expected",
            "team \"Alpha\": \"30\" is not valid",
            "team \"alpha\": another team has",
            "team \"alpha\": `remote` needs",
            "team \"Beta\": add its `group`",
            "team \"Gamma\": a person",
            "group \"lonely\": has only one team",
            "its name has invisible characters",
        ] {
            assert!(error.contains(part), "{part} in:\n{error}");
        }
    }

    #[test]
    fn an_unknown_key_or_a_wrong_kind_hides_no_other_fault() {
        let text = r#"
            name = "x"
            secnds = 3
            max_plies = "many"
            [limits]
            memory = 5
            [[team]]
            name = "Alpha"
            members = ["Ada"]
            play = "random"
            [[team]]
            name = "Beta"
            members = "Bea"
            plays = "nonsense"
        "#;
        let error = Plan::read(text).unwrap_err().to_string();
        for part in [
            "secnds: there is no such key; there are name, rules, seconds",
            "max_plies: invalid type",
            "limits: unknown field `memory`",
            "team \"Alpha\": `play`: there is no such key",
            "team \"Alpha\": add what it plays with",
            "team \"Beta\": `members`: invalid type",
            "team \"Beta\": there is no player \"nonsense\"",
        ] {
            assert!(error.contains(part), "{part} in:\n{error}");
        }
    }
}
