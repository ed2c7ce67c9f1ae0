//! Corrections: what an organiser changes in a tournament that is kept.
//!
//! The plan stays as it was made. Each correction is a [`Change`]; [`Amended`] is what the plan and all
//! changes that stand come to. Changes edit the tournament file's own table, which is then read like any
//! file: a correction can say what a file can say, and is checked by the same code. Teams and games go by
//! their numbers, which never change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tablut_rules::{BySide, Side};
use toml::{Table, Value};

use super::{Misfit, Plan, PlanError, is_sealed, seal_secret};

/// The value that takes a setting away.
const NONE: &str = "none";

/// One correction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Change {
    /// A team comes late.
    AddTeam {
        /// The number it gets.
        number: usize,
        /// What a file would say of it.
        team: Table,
    },
    /// A team withdraws: what it has not played is not played any more.
    Withdraw {
        /// Its number.
        team: usize,
        /// Whether its games do not count any more; otherwise those that were played do.
        annul: bool,
    },
    /// A team has another name, other members, another program or another secret.
    ChangeTeam {
        /// Its number.
        team: usize,
        /// What a file would say now: `name`, `members`, `plays`, `secret`.
        to: Table,
    },
    /// Games that have not begun have another time or other limits.
    Set {
        /// What a file would say now: `seconds`, `max_plies`, `[limits]`; `"none"` takes one away.
        to: Table,
    },
    /// The result of a game is set aside, and the game is played again.
    Replay {
        /// Its number.
        game: usize,
    },
    /// The organiser says how a game ended.
    Result {
        /// Its number.
        game: usize,
        /// Who wins.
        winner: Winner,
    },
    /// The tournament is put away: not listed, not played.
    Archive,
}

/// Who wins by decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The defenders.
    White,
    /// The attackers.
    Black,
    /// Nobody.
    Draw,
}

impl Winner {
    /// The side that wins.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::Defenders),
            Self::Black => Some(Side::Attackers),
            Self::Draw => None,
        }
    }
}

impl std::str::FromStr for Winner {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "white" => Ok(Self::White),
            "black" => Ok(Self::Black),
            "draw" => Ok(Self::Draw),
            _ => Err("expected white, black or draw".into()),
        }
    }
}

/// Why a correction cannot be made, or not be undone.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// What is stored is not a change.
    #[error("the store holds a correction that this version does not know: {0}")]
    Text(String),
    /// The plan would not be sound with it.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// It does not fit what there is.
    #[error(transparent)]
    Unfit(#[from] Misfit),
    /// Another correction rests on what would be undone.
    #[error("correction {by} depends on it ({why}); undo that one first")]
    NeededBy {
        /// The number of the other one.
        by: u64,
        /// What would be wrong with it.
        why: Misfit,
    },
}

impl Change {
    /// A change as it is kept.
    ///
    /// # Errors
    /// It holds what has no text.
    pub fn to_text(&self) -> Result<String, ChangeError> {
        toml::to_string(self).map_err(|error| ChangeError::Text(error.to_string()))
    }

    /// A change as it was kept.
    ///
    /// # Errors
    /// It is none.
    pub fn from_text(text: &str) -> Result<Self, ChangeError> {
        toml::from_str(text).map_err(|error| ChangeError::Text(error.message().into()))
    }
}

impl Change {
    /// The number of the team that it is about, if there was such a team before.
    #[must_use]
    pub const fn team(&self) -> Option<usize> {
        match self {
            Self::Withdraw { team, .. } | Self::ChangeTeam { team, .. } => Some(*team),
            _ => None,
        }
    }

    /// The name that a team gets by it.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::AddTeam { team: table, .. } | Self::ChangeTeam { to: table, .. } => {
                table.get("name").and_then(Value::as_str)
            }
            _ => None,
        }
    }

    /// The same with a secret that can be checked, but not read; `salt` is the tournament's own.
    #[must_use]
    pub fn sealed(&self, salt: &str) -> Self {
        let mut change = self.clone();
        if let Self::AddTeam { team: table, .. } | Self::ChangeTeam { to: table, .. } = &mut change
            && let Some(Value::String(secret)) = table.get_mut("secret")
            && !is_sealed(secret)
        {
            *secret = seal_secret(secret, salt);
        }
        change
    }
}

/// What a correction says of a single game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// This side has won it, or nobody, whatever was played.
    Decided(Option<Side>),
    /// It does not count, whether it was played or not.
    Annulled,
    /// It counts if it was played; it is not played any more.
    Withdrawn,
}

/// A plan with all corrections that stand.
#[derive(Clone, PartialEq, Debug)]
pub struct Amended {
    /// The plan as it is now; teams keep their numbers, late ones follow.
    pub plan: Plan,
    /// The teams that have withdrawn, and whether their games are annulled.
    pub withdrawn: BTreeMap<usize, bool>,
    /// The games that were decided, and who won.
    pub decided: BTreeMap<usize, Option<Side>>,
    /// Whether it was put away.
    pub is_archived: bool,
}

impl Amended {
    /// What a tournament file and changes in their order, each with its number, come to.
    ///
    /// # Errors
    /// A change does not fit what was before it, or the plan is not sound with all of them.
    pub fn read<'a>(
        plan: &str,
        changes: impl IntoIterator<Item = (u64, &'a Change)>,
    ) -> Result<Self, ChangeError> {
        let table: Table = plan.parse().map_err(PlanError::from)?;
        let mut amended = Draft {
            table,
            withdrawn: BTreeMap::new(),
            decided: BTreeMap::new(),
            is_archived: false,
        };
        for (number, change) in changes {
            amended
                .apply(change)
                .map_err(|why| ChangeError::NeededBy { by: number, why })?;
        }
        Ok(Self {
            plan: Plan::from_table(amended.table)?,
            withdrawn: amended.withdrawn,
            decided: amended.decided,
            is_archived: amended.is_archived,
        })
    }

    /// What is to be said of a game between two teams.
    #[must_use]
    pub fn ruling(&self, game: usize, teams: BySide<usize>) -> Option<Ruling> {
        let withdrawn = teams.map(|team| self.withdrawn.get(&team).copied());
        if withdrawn.values().any(|annuls| *annuls == Some(true)) {
            return Some(Ruling::Annulled);
        }
        if let Some(winner) = self.decided.get(&game) {
            return Some(Ruling::Decided(*winner));
        }
        withdrawn
            .values()
            .any(Option::is_some)
            .then_some(Ruling::Withdrawn)
    }

    /// Those that a late team plays against; also who has withdrawn, for that may be undone.
    #[must_use]
    pub fn opponents(&self, team: usize) -> Vec<usize> {
        let others = self.plan.group(&self.plan.teams[team].group);
        others.filter(|&other| other != team).collect()
    }
}

/// A plan while corrections are made to it.
struct Draft {
    table: Table,
    withdrawn: BTreeMap<usize, bool>,
    decided: BTreeMap<usize, Option<Side>>,
    is_archived: bool,
}

impl Draft {
    fn apply(&mut self, change: &Change) -> Result<(), Misfit> {
        match change {
            Change::AddTeam { number, team } => {
                let teams = self.teams()?;
                if teams.len() != *number {
                    return Err(Misfit::OtherNumber);
                }
                teams.push(Value::Table(team.clone()));
            }
            Change::Withdraw { team, annul } => {
                self.team(*team)?;
                if self.withdrawn.insert(*team, *annul).is_some() {
                    return Err(Misfit::WithdrawnAlready);
                }
            }
            Change::ChangeTeam { team, to } => change_team(self.team(*team)?, to)?,
            Change::Set { to } => set(&mut self.table, to)?,
            Change::Replay { game } => {
                self.decided.remove(game);
            }
            Change::Result { game, winner } => {
                self.decided.insert(*game, winner.side());
            }
            Change::Archive if self.is_archived => return Err(Misfit::ArchivedAlready),
            Change::Archive => self.is_archived = true,
        }
        Ok(())
    }

    fn teams(&mut self) -> Result<&mut Vec<Value>, Misfit> {
        let teams = self.table.get_mut("team").and_then(Value::as_array_mut);
        teams.ok_or(Misfit::NoTeams)
    }

    fn team(&mut self, number: usize) -> Result<&mut Table, Misfit> {
        let team = self.teams()?.get_mut(number).and_then(Value::as_table_mut);
        team.ok_or(Misfit::NoTeam)
    }
}

fn change_team(team: &mut Table, to: &Table) -> Result<(), Misfit> {
    for (key, value) in to {
        match key.as_str() {
            // A team stays in its group, though it may be named after the number of members.
            "members" if !team.contains_key("group") => {
                let members = team.get("members").and_then(Value::as_array);
                let size = members.map_or(0, Vec::len);
                team.insert("group".into(), size.to_string().into());
            }
            // Only teams that connect from elsewhere have a secret.
            "plays" if value.as_str() != Some("remote") => {
                team.remove("secret");
            }
            "name" | "members" | "plays" | "secret" => (),
            _ => return Err(Misfit::FixedTeamKey(key.clone())),
        }
        team.insert(key.clone(), value.clone());
    }
    Ok(())
}

fn set(table: &mut Table, to: &Table) -> Result<(), Misfit> {
    for (key, value) in to {
        match (key.as_str(), value) {
            ("limits", Value::Table(limits)) => {
                let kept = table
                    .entry("limits")
                    .or_insert_with(|| Value::Table(Table::new()));
                let kept = kept.as_table_mut().ok_or(Misfit::NoLimits)?;
                for (key, value) in limits {
                    put(kept, key, value);
                }
            }
            ("name" | "seconds" | "max_plies", value) => put(table, key, value),
            _ => return Err(Misfit::FixedKey(key.clone())),
        }
    }
    Ok(())
}

fn put(table: &mut Table, key: &str, value: &Value) {
    match value.as_str() {
        Some(NONE) => table.remove(key),
        _ => table.insert(key.into(), value.clone()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{Entry, Format};

    const fn teams(white: usize, black: usize) -> BySide<usize> {
        BySide {
            attackers: black,
            defenders: white,
        }
    }

    const PLAN: &str = r#"
        name = "Cup"
        seconds = 2
        [limits]
        memory_mb = 512
        [[team]]
        name = "Alpha"
        members = ["Ada"]
        plays = "random"
        [[team]]
        name = "Beta"
        members = ["Bea"]
        plays = "level:2"
        [[team]]
        name = "Gamma"
        group = "1"
        plays = "remote"
        secret = "open-sesame"
    "#;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    fn amend(changes: &[Change]) -> Result<Amended, ChangeError> {
        // Each goes through the text that is kept.
        let kept: Vec<Change> = changes
            .iter()
            .map(|one| Change::from_text(&one.to_text().unwrap()).unwrap())
            .collect();
        assert_eq!(kept, changes);
        Amended::read(PLAN, (1..).zip(&kept))
    }

    fn late(number: usize) -> Change {
        let team = format!("name = \"Late {number}\"\nmembers = [\"Lea\"]\nplays = \"random\"");
        Change::AddTeam {
            number,
            team: table(&team),
        }
    }

    #[test]
    fn without_changes_the_plan_is_what_the_file_says() {
        let amended = amend(&[]).unwrap();
        assert_eq!(amended.plan, Plan::read(PLAN).unwrap());
        assert_eq!(amended.ruling(0, teams(0, 1)), None);
    }

    #[test]
    fn a_late_team_follows_the_others_and_meets_each_of_its_group() {
        let amended = amend(&[late(3)]).unwrap();
        assert_eq!(amended.plan.teams[3].name, "Late 3");
        assert_eq!(amended.opponents(3), [0, 1, 2]);
        let fixtures = amended.plan.late_fixtures(3, &[0, 1, 2], 6, 4);
        assert_eq!(fixtures.len(), 6);
        let numbers: Vec<usize> = fixtures.iter().map(|one| one.number).collect();
        assert_eq!(numbers, [6, 7, 8, 9, 10, 11]);
        let mut rounds: Vec<usize> = fixtures.iter().map(|one| one.round).collect();
        rounds.dedup();
        assert_eq!(rounds, [5, 6, 7, 8, 9, 10]);
        let mut single = amended.plan;
        single.format = Format::Single;
        let once = single.late_fixtures(3, &[0, 1, 2], 0, 0);
        let whites = once.iter().filter(|one| one.teams.defenders == 3).count();
        assert_eq!((once.len(), whites), (3, 2));
    }

    #[test]
    fn a_withdrawn_team_leaves_its_games_counted_or_annulled() {
        for (annul, ruling) in [(false, Ruling::Withdrawn), (true, Ruling::Annulled)] {
            let amended = amend(&[Change::Withdraw { team: 1, annul }, late(3)]).unwrap();
            assert_eq!(amended.ruling(0, teams(1, 0)), Some(ruling));
            assert_eq!(amended.ruling(0, teams(2, 0)), None);
            assert_eq!(amended.ruling(9, teams(3, 1)), Some(ruling));
            assert_eq!(amended.opponents(3), [0, 1, 2]);
        }
        let twice = [(); 2].map(|()| Change::Withdraw {
            team: 1,
            annul: false,
        });
        let error = amend(&twice).unwrap_err().to_string();
        assert!(error.contains("has already withdrawn"), "{error}");
    }

    #[test]
    fn a_decision_counts_until_the_game_is_replayed_and_not_for_the_annulled() {
        let decide = |winner| Change::Result { game: 4, winner };
        let mut changes = vec![decide(Winner::Black)];
        let ruling = |changes: &[Change]| amend(changes).unwrap().ruling(4, teams(0, 1));
        let black = Some(Ruling::Decided(Some(Side::Attackers)));
        assert_eq!(ruling(&changes), black);
        changes.push(Change::Withdraw {
            team: 0,
            annul: false,
        });
        assert_eq!(ruling(&changes), black);
        changes[1] = Change::Withdraw {
            team: 0,
            annul: true,
        };
        assert_eq!(ruling(&changes), Some(Ruling::Annulled));
        changes[1] = Change::Replay { game: 4 };
        assert_eq!(ruling(&changes), None);
        changes.push(decide(Winner::Draw));
        assert_eq!(ruling(&changes), Some(Ruling::Decided(None)));
    }

    #[test]
    fn names_programs_and_secrets_change_and_groups_stay() {
        let to = table("name = \"Beta 2\"\nmembers = [\"Bea\", \"Ben\"]\nplays = \"random\"");
        let amended = amend(&[
            Change::ChangeTeam { team: 1, to },
            Change::ChangeTeam {
                team: 2,
                to: table("plays = \"level:3\""),
            },
        ]);
        let plan = amended.unwrap().plan;
        assert_eq!(
            (plan.teams[1].name.as_str(), plan.teams[1].members.len()),
            ("Beta 2", 2)
        );
        assert_eq!(plan.groups(), ["1"]);
        assert!(matches!(&plan.teams[2].plays, Entry::Player(_)));
        let to = table("secret = \"another-one\"");
        let plan = amend(&[Change::ChangeTeam { team: 2, to }]).unwrap().plan;
        let secret = "another-one".into();
        assert_eq!(plan.teams[2].plays, Entry::Remote { secret });
        // What is kept of it cannot be read.
        let to = table("secret = \"another-one\"");
        let sealed = Change::ChangeTeam { team: 2, to }.sealed("cup");
        assert!(!sealed.to_text().unwrap().contains("another-one"));
        assert_eq!(sealed.sealed("cup"), sealed);
    }

    #[test]
    fn times_and_limits_change_and_can_be_taken_away() {
        let set = |text: &str| Change::Set { to: table(text) };
        let changes = [
            set("seconds = 0.5\nmax_plies = 9\n[limits]\ncores = 2"),
            set("max_plies = \"none\"\n[limits]\nmemory_mb = \"none\""),
        ];
        let first = amend(&changes[..1]).unwrap().plan;
        assert_eq!((first.move_ms, first.max_plies), (500, Some(9)));
        assert_eq!(
            (first.limits.memory_mb, first.limits.cores),
            (Some(512), Some(2))
        );
        let both = amend(&changes).unwrap().plan;
        assert_eq!((both.move_ms, both.max_plies), (500, None));
        assert_eq!((both.limits.memory_mb, both.limits.cores), (None, Some(2)));
    }

    #[test]
    fn what_makes_no_sound_plan_is_refused_with_the_words_of_the_file() {
        let set = |text: &str| Change::Set { to: table(text) };
        for (change, part) in [
            (set("seconds = 0"), "seconds: expected a time"),
            (set("limits.memry_mb = 5"), "unknown field `memry_mb`"),
            (set("format = \"single\""), "format cannot be changed"),
            (
                Change::ChangeTeam {
                    team: 0,
                    to: table("name = \"beta\""),
                },
                "another team has this name",
            ),
            (
                Change::AddTeam {
                    number: 3,
                    team: table("name = \"x\"\ngroup = \"new\"\nplays = \"random\""),
                },
                "has one team only",
            ),
            (
                Change::Withdraw {
                    team: 9,
                    annul: false,
                },
                "no such team",
            ),
        ] {
            let error = amend(&[change]).unwrap_err().to_string();
            assert!(error.contains(part), "{part} in: {error}");
        }
    }

    #[test]
    fn what_others_rest_on_is_named() {
        let both = [late(3), late(4)];
        assert!(amend(&both).is_ok());
        let error = Amended::read(PLAN, [(2, &both[1])]).unwrap_err();
        assert!(matches!(error, ChangeError::NeededBy { by: 2, .. }));
        let error = Change::from_text("change = \"burn\"").unwrap_err();
        assert!(error.to_string().contains("does not know"), "{error}");
    }
}
