//! The tournament file.

use std::{collections::BTreeSet, fmt, path::PathBuf};

use serde::Deserialize;

use tablut_rules::text::is_harmful;

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
    /// A game with so many plies is a draw.
    pub max_plies: Option<u32>,
    /// How far two states for the same client of the Challenge are apart at least, in milliseconds;
    /// if nothing is said, as whoever plays the games thinks fit.
    pub pace_ms: Option<u64>,
    /// What started programs may use.
    pub limits: Limits,
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
pub struct Limits {
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

impl Limits {
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
pub struct Fault {
    /// Where, as a person would say it: `team "Alpha"`.
    pub place: String,
    /// What, and what to do.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// Why a file is no plan.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is no TOML, or has fields of the wrong kind.
    #[error("{0}")]
    Text(#[from] toml::de::Error),
    /// All that is wrong with what it says.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Faults(Vec<Fault>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanText {
    name: String,
    #[serde(default = "ashton")]
    rules: String,
    #[serde(default = "minute")]
    seconds: f64,
    #[serde(default)]
    format: Format,
    #[serde(default)]
    finals: bool,
    max_plies: Option<u32>,
    pace_ms: Option<u64>,
    #[serde(default)]
    limits: Limits,
    #[serde(default, rename = "team")]
    teams: Vec<TeamText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TeamText {
    name: String,
    #[serde(default)]
    members: Vec<String>,
    group: Option<String>,
    plays: String,
    secret: Option<String>,
}

fn ashton() -> String {
    "ashton".into()
}

/// The Challenge gives a minute for a move.
const fn minute() -> f64 {
    60.0
}

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
        let text: PlanText = toml::from_str(text)?;
        let mut faults = Vec::new();
        let mut fault = |place: &str, what: String| {
            faults.push(Fault {
                place: place.into(),
                what,
            });
        };
        if text.name.trim().is_empty() {
            fault("name", "a tournament needs a name".into());
        } else if text.name.chars().any(is_harmful) {
            fault("name", "it has characters that cannot be seen".into());
        }
        if !(0.001..=86_400.0).contains(&text.seconds) {
            let what = "expected a time from 0.001 to 86400 for a move";
            fault("seconds", what.into());
        }
        if text.max_plies == Some(0) {
            fault("max_plies", "a game has at least one ply".into());
        }
        if text.pace_ms.is_some_and(|ms| ms > Self::MOST_PACE) {
            let what = format!("expected 0 to {} milliseconds", Self::MOST_PACE);
            fault("pace_ms", what);
        }
        if text.limits.is_nothing() {
            fault(
                "limits",
                "nothing runs with nothing; leave the limit out".into(),
            );
        }
        if !(2..=Self::MOST_TEAMS).contains(&text.teams.len()) {
            let what = format!(
                "expected 2 to {} teams, found {}",
                Self::MOST_TEAMS,
                text.teams.len()
            );
            fault("team", what);
        }
        let (mut names, mut secrets) = (BTreeSet::new(), BTreeSet::new());
        let mut teams = Vec::new();
        for (index, team) in text.teams.into_iter().enumerate() {
            let place = match team.name.trim() {
                "" => format!("team {}", index + 1),
                name => format!("team {name:?}"),
            };
            if team.name.trim().is_empty() {
                fault(&place, "a team needs a name".into());
            } else if team.name.chars().any(is_harmful) {
                fault(&place, "its name has characters that cannot be seen".into());
            } else if !names.insert(team.name.to_lowercase()) {
                fault(&place, "there is another team of this name".into());
            }
            let group = match (team.group, team.members.len()) {
                (Some(group), _) if !group.trim().is_empty() => group,
                (_, size @ 1..=4) => size.to_string(),
                (_, size) => {
                    let what = format!(
                        "say its group: groups by team size are for 1 to 4 members, found {size}"
                    );
                    fault(&place, what);
                    continue;
                }
            };
            let plays = match (team.plays.as_str(), team.secret) {
                ("remote", Some(secret)) if secret.len() >= 8 => {
                    if !secrets.insert(secret.clone()) {
                        fault(&place, "another team has the same secret".into());
                    }
                    Entry::Remote { secret }
                }
                ("remote", _) => {
                    fault(
                        &place,
                        "`remote` needs a `secret` of at least 8 characters".into(),
                    );
                    continue;
                }
                (_, Some(_)) => {
                    fault(&place, "only `remote` has a secret".into());
                    continue;
                }
                (player, None) => match player.parse() {
                    Ok(Player::Person) => {
                        fault(
                            &place,
                            "a person does not play by itself; take `remote`".into(),
                        );
                        continue;
                    }
                    Ok(player) => Entry::Player(player),
                    Err(error) => {
                        fault(&place, error.to_string());
                        continue;
                    }
                },
            };
            teams.push(Team {
                name: team.name,
                members: team.members,
                group,
                plays,
            });
        }
        let mut plan = Self {
            name: text.name,
            rules: text.rules,
            move_ms: (text.seconds * 1000.0).round() as u64,
            format: text.format,
            finals: text.finals,
            max_plies: text.max_plies,
            pace_ms: text.pace_ms,
            limits: text.limits,
            teams,
        };
        for group in plan.groups() {
            if plan.group(&group).count() < 2 {
                let place = format!("group {group:?}");
                let what = "has one team only; put it into another with `group = …`".into();
                faults.push(Fault { place, what });
            }
        }
        if plan.finals && plan.groups().len() < 2 {
            faults.push(Fault {
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
            "team \"Alpha\": \"30\" does not fit",
            "team \"alpha\": there is another",
            "team \"alpha\": `remote` needs",
            "team \"Beta\": say its group",
            "team \"Gamma\": a person",
            "group \"lonely\": has one team",
            "its name has characters that cannot be seen",
        ] {
            assert!(error.contains(part), "{part} in:\n{error}");
        }
    }

    #[test]
    fn an_unknown_field_is_named() {
        let error = Plan::read("name = \"x\"\nsecnds = 3").unwrap_err();
        assert!(error.to_string().contains("secnds"), "{error}");
    }
}
