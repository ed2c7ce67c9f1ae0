//! A tournament with its plan, rules and tables.

use std::{collections::HashMap, sync::Arc};

use tablut_arena::tournament::{
    Amended, Change, ChangeError, CountedGame, Entry, Fixture, Plan, PlanError, Stage, Standings,
    Team, seal,
};
use tablut_rules::{BuiltIn, BySide, RuleSet, RuleSetError, Rules, Side};
use tablut_store::{self as store, Note, Ruling, State, Store, StoreError, Tournament};

use crate::host::wall_clock_ms;

/// Why there is no such tournament, or why it cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContestError {
    /// The store failed, or has no such tournament.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan is none.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A correction does not fit.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// It was put away.
    #[error("{0:?} is archived; bring it back with: tablut tournament restore {0}")]
    Archived(String),
    /// It was not put away before.
    #[error("{0:?} is not archived; only an archived tournament can be deleted")]
    NotArchived(String),
    /// The rule set is none.
    #[error("the rule set of the tournament is not valid: {0}")]
    Rules(String),
    /// The name has no letter or digit, of which an id could be made.
    #[error("the name {0:?} has no letter or digit")]
    Name(String),
    /// There is one of this name with another plan.
    #[error(
        "the store has a tournament {0:?} with another plan; give yours another name, undo the change to its file, or correct the stored one with `tablut tournament correct`"
    )]
    Different(String),
    /// Its programs cannot run in a sandbox.
    #[error(
        "this system cannot run programs in a sandbox: {0}; to trust them, start the server with --trust-programs"
    )]
    Programs(String),
}

/// A tournament as it is kept, ready for use. Clones are cheap.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The id, for links and commands.
    pub id: String,
    /// What its file says, with all corrections.
    pub plan: Arc<Plan>,
    /// The rules.
    pub rules: Arc<Rules>,
    /// When it was made.
    pub created_ms: i64,
    /// How many corrections were made and undone.
    pub version: u64,
    /// All corrections in their order, also those that were undone.
    pub log: Arc<[Logged]>,
    pub(super) amended: Arc<Amended>,
}

/// A correction in the log.
#[derive(Clone, PartialEq, Debug)]
pub struct Logged {
    /// Its number, from 1.
    pub number: u64,
    /// What was changed.
    pub change: Change,
    /// What the team was called that it is about.
    pub team: Option<String>,
    /// When, who and why.
    pub note: Note,
    /// When, by whom and why it was undone.
    pub undone: Option<Note>,
}

impl Logged {
    /// The log of a tournament.
    pub(super) fn read(kept: &Tournament) -> Result<Vec<Self>, ChangeError> {
        let teams = Plan::read(&kept.plan)?.teams.into_iter();
        let mut names: Vec<String> = teams.map(|team| team.name).collect();
        let one = |kept: &store::Correction| {
            let change = Change::from_text(&kept.change)?;
            let team = change.team().and_then(|number| names.get(number).cloned());
            if let (None, Some(name)) = (&kept.undone, change.name()) {
                match change.team().and_then(|number| names.get_mut(number)) {
                    Some(before) => *before = name.into(),
                    None => names.push(name.into()),
                }
            }
            Ok(Self {
                number: kept.number,
                change,
                team,
                note: kept.note.clone(),
                undone: kept.undone.clone(),
            })
        };
        kept.corrections.iter().map(one).collect()
    }
}

/// A tournament that was just made, or was there already.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The tournament.
    pub contest: Contest,
    /// Whether it is new.
    pub is_new: bool,
}

/// A group, or the final, with its table.
#[derive(Clone, Debug)]
pub struct Group {
    /// Which.
    pub stage: Stage,
    /// How they stand.
    pub standings: Standings,
    /// What each got with white against each with black, both in the order of the standings: `1`, `0`,
    /// `½`, each with a `*` if the organiser decided so, `.` if they have not played yet, `×` if the game
    /// does not count, nothing if there is none, `-` for a team and itself.
    pub cross: Vec<Vec<&'static str>>,
}

impl Contest {
    /// Keeps a tournament and its fixtures, or finds the one that was made from the same plan.
    /// `rules` is the id of a rule set, or the text of one.
    ///
    /// # Errors
    /// Says why it cannot be made.
    pub async fn prepare(
        store: &Store,
        text: &str,
        rules: &str,
        state: State,
    ) -> Result<Prepared, ContestError> {
        let id = id(&Plan::read(text)?.name)?;
        let text = seal(text, &id)?;
        let plan = Plan::read(&text)?;
        let tournament = Tournament {
            id,
            plan: text,
            rules: rules.into(),
            state,
            created_ms: wall_clock_ms(),
            version: 0,
            corrections: Vec::new(),
        };
        let mut contest = Self::new(&tournament)?;
        let fixtures = contest.to_store(&plan.fixtures());
        let is_new = store.create_tournament(&tournament, &fixtures).await?;
        if !is_new {
            let kept = Self::sealed(store, &tournament.id).await?;
            if Plan::read(&kept.plan)? != plan || kept.rules != rules {
                return Err(ContestError::Different(plan.name));
            }
            contest = Self::new(&kept)?;
        }
        Ok(Prepared { contest, is_new })
    }

    /// Whether a team's player is a program that is started here.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        let is_started = |team: &Team| match &team.plays {
            Entry::Player(player) => player.is_started(),
            Entry::Remote { .. } => false,
        };
        self.plan.teams.iter().any(is_started)
    }

    /// The tournament with an id.
    ///
    /// # Errors
    /// The store failed or has none, or holds what is none.
    pub async fn load(store: &Store, id: &str) -> Result<Self, ContestError> {
        Self::new(&Self::sealed(store, id).await?)
    }

    /// What is kept of a tournament. Secrets of teams that an older version kept as they are said are
    /// sealed now.
    pub(super) async fn sealed(store: &Store, id: &str) -> Result<Tournament, ContestError> {
        let mut kept = store.tournament(id).await?;
        let text = seal(&kept.plan, id)?;
        if text != kept.plan {
            store.replace_plan(id, &kept.plan, &text).await?;
            kept.plan = text;
        }
        Ok(kept)
    }

    /// A tournament from what is kept.
    ///
    /// # Errors
    /// What is kept is none.
    pub fn new(kept: &Tournament) -> Result<Self, ContestError> {
        let unsound = |error: RuleSetError| ContestError::Rules(error.to_string());
        let rules = match kept.rules.parse::<BuiltIn>() {
            Ok(set) => set.rules(),
            Err(_) => {
                let set: RuleSet = kept.rules.parse().map_err(unsound)?;
                Arc::new(set.compile().map_err(unsound)?)
            }
        };
        let log = Logged::read(kept)?;
        let standing = log.iter().filter(|one| one.undone.is_none());
        let amended = Amended::read(&kept.plan, standing.map(|one| (one.number, &one.change)))?;
        Ok(Self {
            id: kept.id.clone(),
            plan: Arc::new(amended.plan.clone()),
            rules,
            created_ms: kept.created_ms,
            version: kept.version,
            log: log.into(),
            amended: Arc::new(amended),
        })
    }

    /// The name of a team.
    #[must_use]
    pub fn team(&self, number: usize) -> &str {
        self.plan.teams.get(number).map_or("?", |team| &team.name)
    }

    /// Whether a team has withdrawn.
    #[must_use]
    pub fn has_withdrawn(&self, team: usize) -> bool {
        self.amended.withdrawn.contains_key(&team)
    }

    /// Whether it was put away.
    #[must_use]
    pub fn is_archived(&self) -> bool {
        self.amended.is_archived
    }

    /// Whether a team's program connects from elsewhere.
    pub(super) fn is_remote(&self, team: usize) -> bool {
        matches!(self.plan.teams[team].plays, Entry::Remote { .. })
    }

    pub(super) fn to_store(&self, fixtures: &[Fixture]) -> Vec<store::Fixture> {
        let one = |fixture: &Fixture| store::Fixture {
            number: fixture.number,
            stage: match &fixture.stage {
                Stage::Group(name) => Some(name.clone()),
                Stage::Final => None,
            },
            round: fixture.round,
            teams: fixture.teams,
            is_remote: fixture.teams.values().any(|&team| self.is_remote(team)),
            ..store::Fixture::default()
        };
        fixtures.iter().map(one).collect()
    }

    /// The tables of the groups, and of the final if there is one yet.
    #[must_use]
    pub fn groups(&self, fixtures: &[store::Fixture]) -> Vec<Group> {
        let group = |stage: Stage, teams: Vec<usize>| {
            let name = match &stage {
                Stage::Group(name) => Some(name),
                Stage::Final => None,
            };
            let games: Vec<&store::Fixture> = fixtures
                .iter()
                .filter(|one| one.stage.as_ref() == name)
                .collect();
            let scores: Vec<CountedGame> = games.iter().filter_map(|one| score(one)).collect();
            let standings = Standings::new(&teams, &scores);
            let marks: HashMap<BySide<usize>, &str> =
                games.iter().map(|one| (one.teams, mark(one))).collect();
            let cell = |teams: BySide<usize>| match teams.attackers == teams.defenders {
                true => "-",
                false => marks.get(&teams).copied().unwrap_or(""),
            };
            let rows = &standings.rows;
            let cross = rows.iter().map(|white| {
                let cells = rows.iter().map(|black| {
                    cell(BySide {
                        attackers: black.team,
                        defenders: white.team,
                    })
                });
                cells.collect()
            });
            Group {
                cross: cross.collect(),
                standings,
                stage,
            }
        };
        let mut groups: Vec<Group> = self
            .plan
            .groups()
            .into_iter()
            .map(|name| {
                let teams = self.plan.group(&name).collect();
                group(Stage::Group(name), teams)
            })
            .collect();
        let finals = fixtures.iter().filter(|one| one.stage.is_none());
        let mut teams: Vec<usize> = finals.flat_map(|one| one.teams.values()).copied().collect();
        teams.sort_unstable();
        teams.dedup();
        if !teams.is_empty() {
            groups.push(group(Stage::Final, teams));
        }
        groups
    }

    /// Whether nothing is left to be played, as far as these fixtures tell.
    #[must_use]
    pub fn is_done(&self, fixtures: &[store::Fixture]) -> bool {
        let has_final = fixtures.iter().any(|one| one.stage.is_none());
        (has_final || !self.plan.finals) && fixtures.iter().all(store::Fixture::is_settled)
    }

    /// Whether nothing is left to be played. When the groups are done and there is to be a final, this
    /// adds it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_over(&self, store: &Store) -> Result<bool, StoreError> {
        let fixtures = store.fixtures(&self.id).await?;
        if self.is_done(&fixtures) || fixtures.iter().any(|one| !one.is_settled()) {
            return Ok(self.is_done(&fixtures));
        }
        let winners = self.winners(&fixtures);
        if winners.len() < 2 {
            // Too many have withdrawn for a final.
            return Ok(true);
        }
        let first = fixtures.iter().map(|one| one.number + 1).max().unwrap_or(0);
        let finals = self.to_store(&self.plan.final_fixtures(&winners, first));
        match store.add_fixtures(&self.id, self.version, &finals).await {
            // It was corrected meanwhile; the next look shows it as it is now.
            Ok(()) | Err(StoreError::Stale) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The winners of the groups, who play the final.
    pub(super) fn winners(&self, fixtures: &[store::Fixture]) -> Vec<usize> {
        let groups = self.groups(fixtures);
        groups
            .iter()
            .filter(|one| one.stage != Stage::Final)
            .filter_map(|one| one.standings.winner(|team| self.has_withdrawn(team)))
            .collect()
    }
}

fn score(fixture: &store::Fixture) -> Option<CountedGame> {
    let result = fixture.result.as_ref()?;
    Some(CountedGame {
        teams: fixture.teams,
        winner: result.outcome.winner,
        plies: result.plies,
        captures: result.captures,
    })
}

/// How many games count, or will.
#[must_use]
pub fn counting(fixtures: &[store::Fixture]) -> usize {
    fixtures.iter().filter(|one| one.counts()).count()
}

/// How many of them have a result.
#[must_use]
pub fn played(fixtures: &[store::Fixture]) -> usize {
    fixtures.iter().filter(|one| one.result.is_some()).count()
}

/// What white got of a fixture, as in [`Group::cross`].
fn mark(fixture: &store::Fixture) -> &'static str {
    let winner = fixture.result.as_ref().map(|result| result.outcome.winner);
    match (winner, fixture.ruling) {
        (None, None) => ".",
        (None, Some(_)) => "×",
        (Some(None), Some(Ruling::Decided(_))) => "½*",
        (Some(Some(Side::Defenders)), Some(Ruling::Decided(_))) => "1*",
        (Some(Some(Side::Attackers)), Some(Ruling::Decided(_))) => "0*",
        (Some(None), _) => "½",
        (Some(Some(Side::Defenders)), _) => "1",
        (Some(Some(Side::Attackers)), _) => "0",
    }
}

/// An id made from a name: its letters and digits, with lines between the words.
fn id(name: &str) -> Result<String, ContestError> {
    let letters = name.chars().map(|letter| match letter.is_alphanumeric() {
        true => letter.to_lowercase().to_string(),
        false => "-".into(),
    });
    let id: String = letters.collect();
    let words: Vec<&str> = id.split('-').filter(|word| !word.is_empty()).collect();
    match words.is_empty() {
        true => Err(ContestError::Name(name.into())),
        false => Ok(words.join("-")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_made_of_the_words_of_a_name() {
        assert_eq!(id("Spring Cup, 2026!").unwrap(), "spring-cup-2026");
        assert_eq!(id(" È qui ").unwrap(), "è-qui");
        assert!(id("…").is_err());
    }
}
