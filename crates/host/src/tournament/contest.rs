//! A tournament with its plan, rules and tables.

use std::{collections::HashMap, sync::Arc};

use tablut_arena::{
    Player,
    tournament::{Entry, Fixture, Plan, PlanError, Score, Stage, Standings, Team, seal},
};
use tablut_rules::{RuleSet, Rules, Side};
use tablut_store::{self as store, State, Store, StoreError, Tournament};

use crate::host::wall_clock_ms;

/// Why there is no such tournament, or why it cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContestError {
    /// The store failed, or has no such tournament.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan is none.
    #[error("{0}")]
    Plan(#[from] PlanError),
    /// The rule set is none.
    #[error("the rule set of the tournament is not sound: {0}")]
    Rules(String),
    /// The name has no letter or digit, of which an id could be made.
    #[error("the name {0:?} has no letter or digit")]
    Name(String),
    /// There is one of this name with another plan.
    #[error(
        "the store has a tournament {0:?} with another plan; give yours another name, or undo the change to its file"
    )]
    Different(String),
    /// Its programs cannot be shut in.
    #[error(
        "programs cannot be shut in on this system: {0}; to trust them, start the server with --trust-programs"
    )]
    Programs(String),
}

/// A tournament as it is kept, ready for use. Clones are cheap.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The id, for links and commands.
    pub id: String,
    /// What its file says.
    pub plan: Arc<Plan>,
    /// The rules.
    pub rules: Arc<Rules>,
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
    /// `½`, `.` if they have not played yet, nothing if they never will, `-` for a team and itself.
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
        };
        let contest = Self::new(&tournament)?;
        let fixtures = contest.to_store(&plan.fixtures());
        let is_new = store.create_tournament(&tournament, &fixtures).await?;
        if !is_new {
            let kept = Self::sealed(store, &tournament.id).await?;
            if Plan::read(&kept.plan)? != plan || kept.rules != rules {
                return Err(ContestError::Different(plan.name));
            }
        }
        Ok(Prepared { contest, is_new })
    }

    /// Whether a team's player is a program that is started here.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        let is_program = |team: &Team| {
            let player = match &team.plays {
                Entry::Player(player) => player,
                Entry::Remote { .. } => return false,
            };
            matches!(player, Player::Client(_) | Player::Engine(_))
        };
        self.plan.teams.iter().any(is_program)
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
    async fn sealed(store: &Store, id: &str) -> Result<Tournament, ContestError> {
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
        let set = match RuleSet::builtin(&kept.rules) {
            Some(set) => set,
            None => kept
                .rules
                .parse()
                .map_err(|error: tablut_rules::RuleSetError| {
                    ContestError::Rules(error.to_string())
                })?,
        };
        let rules = set
            .compile()
            .map_err(|error| ContestError::Rules(error.to_string()))?;
        Ok(Self {
            id: kept.id.clone(),
            plan: Arc::new(Plan::read(&kept.plan)?),
            rules: Arc::new(rules),
        })
    }

    /// The name of a team.
    #[must_use]
    pub fn team(&self, number: usize) -> &str {
        self.plan.teams.get(number).map_or("?", |team| &team.name)
    }

    fn to_store(&self, fixtures: &[Fixture]) -> Vec<store::Fixture> {
        let is_remote = |team: usize| matches!(self.plan.teams[team].plays, Entry::Remote { .. });
        let one = |fixture: &Fixture| store::Fixture {
            number: fixture.number,
            stage: match &fixture.stage {
                Stage::Group(name) => Some(name.clone()),
                Stage::Final => None,
            },
            round: fixture.round,
            white: fixture.white,
            black: fixture.black,
            is_remote: is_remote(fixture.white) || is_remote(fixture.black),
            attempt: 0,
            worker: None,
            game: None,
            is_claimed: false,
            result: None,
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
            let scores: Vec<Score> = games.iter().filter_map(|one| score(one)).collect();
            let standings = Standings::new(&teams, &scores);
            let marks: HashMap<(usize, usize), &str> = games
                .iter()
                .map(|one| ((one.white, one.black), mark(one)))
                .collect();
            let cell = |white: usize, black: usize| match white == black {
                true => "-",
                false => marks.get(&(white, black)).copied().unwrap_or(""),
            };
            let rows = &standings.rows;
            let cross = rows.iter().map(|white| {
                let cells = rows.iter().map(|black| cell(white.team, black.team));
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
        let mut teams: Vec<usize> = finals.flat_map(|one| [one.white, one.black]).collect();
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
        (has_final || !self.plan.finals) && fixtures.iter().all(|one| one.result.is_some())
    }

    /// Whether every game has been played. When the groups are done and there is to be a final, this
    /// adds it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn is_over(&self, store: &Store) -> Result<bool, StoreError> {
        let fixtures = store.fixtures(&self.id).await?;
        if self.is_done(&fixtures) || fixtures.iter().any(|one| one.result.is_none()) {
            return Ok(self.is_done(&fixtures));
        }
        let groups = self.groups(&fixtures);
        let winners: Vec<usize> = groups
            .iter()
            .filter_map(|one| one.standings.winner())
            .collect();
        let finals = self.to_store(&self.plan.final_fixtures(&winners));
        store.add_fixtures(&self.id, &finals).await?;
        Ok(false)
    }
}

fn score(fixture: &store::Fixture) -> Option<Score> {
    let result = fixture.result.as_ref()?;
    Some(Score {
        white: fixture.white,
        black: fixture.black,
        winner: result.outcome.winner,
        plies: result.plies,
        captures: result.captures,
    })
}

/// How many games have been played.
#[must_use]
pub fn played(fixtures: &[store::Fixture]) -> usize {
    fixtures.iter().filter(|one| one.result.is_some()).count()
}

/// What white got of a fixture: `1`, `0`, `½`, or `.` if it has not been played.
fn mark(fixture: &store::Fixture) -> &'static str {
    match fixture.result.as_ref().map(|result| result.outcome.winner) {
        None => ".",
        Some(None) => "½",
        Some(Some(Side::Defenders)) => "1",
        Some(Some(Side::Attackers)) => "0",
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
