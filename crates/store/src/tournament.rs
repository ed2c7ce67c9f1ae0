//! Tournaments and their fixtures, as they are kept.

use sqlx::{AssertSqlSafe, Row, any::AnyRow, query};
use tablut_rules::{BySide, Outcome, Reason};

use crate::{
    Correction, Entity, Ruling, Store, StoreError,
    correction::{read_ruling, ruling_word},
    game::read_outcome,
    work::Work,
};

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// The id, for links and commands.
    pub id: String,
    /// The tournament file's text, as it was when the tournament was made.
    pub plan: String,
    /// The rule set: an id, or a text of the user's own.
    pub rules: String,
    /// Whether its games are played now.
    pub state: State,
    /// When it was made.
    pub created_ms: i64,
    /// How many corrections were made and undone.
    pub version: u64,
    /// What was corrected, in its order, also what was undone.
    pub corrections: Vec<Correction>,
}

/// Whether a tournament's games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Whoever asks gets a fixture.
    Running,
    /// No game begins.
    Paused,
    /// It is put away: no game begins, and only a correction brings it back.
    Archived,
}

impl State {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Archived => "archived",
        }
    }
}

/// A game that is to be played, is being played, or was.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fixture {
    /// Its number in the tournament.
    pub number: usize,
    /// The group; nothing for the final.
    pub stage: Option<String>,
    /// The round, from 1.
    pub round: usize,
    /// The numbers of the teams.
    pub teams: BySide<usize>,
    /// Whether a team's program connects from elsewhere.
    pub is_remote: bool,
    /// How often it was begun.
    pub attempt: u64,
    /// Who plays it, or played it last.
    pub worker: Option<String>,
    /// The id of its game.
    pub game: Option<String>,
    /// Whether a worker has it now, by the database's clock.
    pub is_claimed: bool,
    /// When its game was begun.
    pub begun_ms: Option<i64>,
    /// When its game ended.
    pub ended_ms: Option<i64>,
    /// The correction that added it, if one did.
    pub added_by: Option<u64>,
    /// What a correction says of it; such a fixture is not played.
    pub ruling: Option<Ruling>,
    /// How its game ended, whether that counts or not.
    pub played: Option<FixtureResult>,
    /// How it ended, as far as that counts.
    pub result: Option<FixtureResult>,
}

impl Fixture {
    /// Whether it counts, or will: all but those that a correction has taken out.
    #[must_use]
    pub const fn counts(&self) -> bool {
        self.result.is_some() || self.ruling.is_none()
    }

    /// Whether nobody has to play it any more.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.result.is_some() || self.ruling.is_some()
    }
}

impl FixtureResult {
    /// What counts of a game that was played or not, with what a correction says of it.
    #[must_use]
    pub fn counting(played: Option<&Self>, ruling: Option<Ruling>) -> Option<Self> {
        match ruling {
            None | Some(Ruling::Withdrawn) => played.cloned(),
            Some(Ruling::Annulled) => None,
            Some(Ruling::Decided(winner)) => Some(Self {
                outcome: Outcome {
                    winner,
                    reason: Reason::Decision,
                },
                plies: played.map_or(0, |played| played.plies),
                captures: played.map_or_else(BySide::default, |played| played.captures),
                fault: None,
            }),
        }
    }
}

/// How a fixture ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixtureResult {
    /// Who won, and why it ended.
    pub outcome: Outcome,
    /// Plies played.
    pub plies: u32,
    /// Men captured by each side.
    pub captures: BySide<u32>,
    /// What a player did wrong, if that ended it.
    pub fault: Option<String>,
}

pub(crate) fn number<T: TryFrom<i64>>(row: &AnyRow, column: &'static str) -> Result<T, StoreError> {
    let number: i64 = row.try_get(column)?;
    T::try_from(number).map_err(|_| StoreError::corrupt(column, number.to_string()))
}

/// Tournaments, for [`read_tournament`].
const TOURNAMENT: &str = "SELECT id, plan, rules, state, created_ms, version FROM tournament";

fn read_tournament(row: &AnyRow, corrections: Vec<Correction>) -> Result<Tournament, StoreError> {
    let state: String = row.try_get("state")?;
    let state = match state.as_str() {
        "running" => State::Running,
        "paused" => State::Paused,
        "archived" => State::Archived,
        _ => return Err(StoreError::corrupt("state of a tournament", state)),
    };
    Ok(Tournament {
        id: row.try_get("id")?,
        plan: row.try_get("plan")?,
        rules: row.try_get("rules")?,
        state,
        created_ms: row.try_get("created_ms")?,
        version: number(row, "version")?,
        corrections,
    })
}

pub(crate) fn read_result(row: &AnyRow) -> Result<Option<FixtureResult>, StoreError> {
    let Some(outcome) = read_outcome(row)? else {
        return Ok(None);
    };
    Ok(Some(FixtureResult {
        outcome,
        plies: number(row, "plies")?,
        captures: BySide {
            attackers: number(row, "black_captures")?,
            defenders: number(row, "white_captures")?,
        },
        fault: row.try_get("fault")?,
    }))
}

pub(crate) fn read_teams(row: &AnyRow) -> Result<BySide<usize>, StoreError> {
    Ok(BySide {
        attackers: number(row, "black")?,
        defenders: number(row, "white")?,
    })
}

fn read_fixture(row: &AnyRow) -> Result<Fixture, StoreError> {
    let played = read_result(row)?;
    let ruling: Option<String> = row.try_get("ruling")?;
    let ruling = ruling.as_deref().map(read_ruling).transpose()?;
    let added_by: Option<i64> = row.try_get("added_by")?;
    let is_claimed: i64 = row.try_get("is_claimed")?;
    let is_remote: i64 = row.try_get("is_remote")?;
    Ok(Fixture {
        number: number(row, "number")?,
        stage: row.try_get("stage")?,
        round: number(row, "round")?,
        teams: read_teams(row)?,
        is_remote: is_remote != 0,
        attempt: number(row, "attempt")?,
        worker: row.try_get("worker")?,
        game: row.try_get("game")?,
        is_claimed: is_claimed != 0 && played.is_none() && ruling.is_none(),
        begun_ms: row.try_get("begun_ms")?,
        ended_ms: row.try_get("ended_ms")?,
        added_by: added_by.map(i64::unsigned_abs),
        result: FixtureResult::counting(played.as_ref(), ruling),
        ruling,
        played,
    })
}

/// Adds fixtures; says how many, since those that are there already stay as they are.
pub(crate) async fn insert_fixtures(
    work: &mut Work,
    tournament: &str,
    fixtures: &[Fixture],
    added_by: Option<u64>,
) -> Result<u64, StoreError> {
    let mut added = 0;
    for fixture in fixtures {
        added += work.run(query(
            "INSERT INTO fixture (tournament, number, stage, round, white, black, is_remote, attempt,
                 added_by, ruling)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9) ON CONFLICT DO NOTHING",
        )
        .bind(tournament)
        .bind(fixture.number as i64)
        .bind(&fixture.stage)
        .bind(fixture.round as i64)
        .bind(fixture.teams.defenders as i64)
        .bind(fixture.teams.attackers as i64)
        .bind(i64::from(fixture.is_remote))
        .bind(added_by.map(|number| number as i64))
        .bind(fixture.ruling.map(ruling_word))).await?;
    }
    Ok(added)
}

impl Store {
    /// Keeps a new tournament with its fixtures, unless there is one with its id; says whether it is
    /// new.
    ///
    /// # Errors
    /// The database failed.
    pub async fn create_tournament(
        &self,
        tournament: &Tournament,
        fixtures: &[Fixture],
    ) -> Result<bool, StoreError> {
        let mut work = self.write().await?;
        let made = work
            .run(
                query(
                    "INSERT INTO tournament (id, plan, rules, state, created_ms)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                )
                .bind(&tournament.id)
                .bind(&tournament.plan)
                .bind(&tournament.rules)
                .bind(tournament.state.word())
                .bind(tournament.created_ms),
            )
            .await?;
        if made == 0 {
            work.undo().await;
            return Ok(false);
        }
        let made = insert_fixtures(&mut work, &tournament.id, fixtures, None).await;
        work.end(made).await?;
        Ok(true)
    }

    /// Adds fixtures to a version of a tournament; those that are there already stay as they are.
    ///
    /// # Errors
    /// The database failed, or the tournament was corrected since.
    pub async fn add_fixtures(
        &self,
        tournament: &str,
        version: u64,
        fixtures: &[Fixture],
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        // Takes the row, so that no correction comes between.
        let same = query("UPDATE tournament SET version = version WHERE id = $1 AND version = $2")
            .bind(tournament)
            .bind(version as i64);
        let added = match work.run(same).await {
            Ok(0) => Err(StoreError::Stale),
            Ok(_) => insert_fixtures(&mut work, tournament, fixtures, None).await,
            Err(error) => Err(error),
        };
        work.end(added.map(drop)).await
    }

    /// The tournament with an id.
    ///
    /// # Errors
    /// The database failed, or there is none.
    pub async fn tournament(&self, id: &str) -> Result<Tournament, StoreError> {
        let row = self
            .row(query(AssertSqlSafe(format!("{TOURNAMENT} WHERE id = $1"))).bind(id))
            .await?;
        let row = row.ok_or(StoreError::Missing(Entity::Tournament))?;
        let mut corrections = self.corrections(Some(id)).await?;
        read_tournament(&row, corrections.remove(id).unwrap_or_default())
    }

    /// All tournaments, those that were put away too, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn tournaments(&self) -> Result<Vec<Tournament>, StoreError> {
        let rows = self
            .rows(query(AssertSqlSafe(format!(
                "{TOURNAMENT} ORDER BY created_ms DESC, id"
            ))))
            .await?;
        let mut corrections = self.corrections(None).await?;
        let one = |row: &AnyRow| {
            let id: String = row.try_get("id")?;
            read_tournament(row, corrections.remove(&id).unwrap_or_default())
        };
        rows.iter().map(one).collect()
    }

    /// Lets a tournament go on, or not; one that was put away stays so.
    ///
    /// # Errors
    /// The database failed, or there is no such tournament.
    pub async fn set_tournament_state(&self, id: &str, state: State) -> Result<(), StoreError> {
        let done = self
            .write_one(
                query(
                    "UPDATE tournament
                     SET state = CASE WHEN state = 'archived' THEN state ELSE $2 END WHERE id = $1",
                )
                .bind(id)
                .bind(state.word()),
            )
            .await?;
        match done {
            0 => Err(StoreError::Missing(Entity::Tournament)),
            _ => Ok(()),
        }
    }

    /// Puts another text of a tournament's plan in the place of one, unless it has another already.
    ///
    /// # Errors
    /// The database failed.
    pub async fn replace_plan(
        &self,
        id: &str,
        before: &str,
        after: &str,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE tournament SET plan = $3 WHERE id = $1 AND plan = $2";
        self.write_one(query(sql).bind(id).bind(before).bind(after))
            .await?;
        Ok(())
    }

    /// The fixtures of a tournament, in their order.
    ///
    /// # Errors
    /// The database failed.
    pub async fn fixtures(&self, tournament: &str) -> Result<Vec<Fixture>, StoreError> {
        let sql = self.dialect(
            "SELECT f.number, f.stage, f.round, f.white, f.black, f.is_remote, f.attempt, f.worker, f.game,
                 f.winner, f.reason, f.plies, f.white_captures, f.black_captures, f.fault, f.ended_ms,
                 f.ruling, f.added_by, g.created_ms AS begun_ms,
                 CASE WHEN f.lease_ms {leased} THEN 1 ELSE 0 END AS is_claimed
             FROM fixture f LEFT JOIN game g ON g.id = f.game
             WHERE f.tournament = $1 ORDER BY f.number",
        );
        let rows = self.rows(query(sql).bind(tournament)).await?;
        rows.iter().map(read_fixture).collect()
    }
}
