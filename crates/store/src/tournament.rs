//! Tournaments and their fixtures, as they are kept.

use sqlx::{Row, any::AnyRow, query};
use tablut_rules::Outcome;

use crate::{Store, StoreError, game::read_outcome, work::Work};

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tournament {
    /// The id, for links and commands.
    pub id: String,
    /// The tournament file's text.
    pub plan: String,
    /// The rule set: an id, or a text of the user's own.
    pub rules: String,
    /// Whether its games are played now.
    pub state: State,
    /// When it was made.
    pub created_ms: i64,
}

/// Whether a tournament's games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Whoever asks gets a fixture.
    Running,
    /// No game begins.
    Paused,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
        }
    }
}

/// A game that is to be played, is being played, or was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number in the tournament.
    pub number: usize,
    /// The group; nothing for the final.
    pub stage: Option<String>,
    /// The round, from 1.
    pub round: usize,
    /// The number of the team with the defenders.
    pub white: usize,
    /// The number of the team with the attackers.
    pub black: usize,
    /// Whether a team's program connects from elsewhere.
    pub is_remote: bool,
    /// How often somebody began it.
    pub attempt: u64,
    /// Who plays it, or played it last.
    pub worker: Option<String>,
    /// The id of its game.
    pub game: Option<String>,
    /// Whether a worker has it now, by the database's clock.
    pub is_claimed: bool,
    /// How it ended, if it has.
    pub result: Option<FixtureResult>,
}

/// How a fixture ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixtureResult {
    /// Who won, and why it ended.
    pub outcome: Outcome,
    /// Plies played.
    pub plies: u32,
    /// Men captured by white and by black.
    pub captures: [u32; 2],
    /// What a player did wrong, if that ended it.
    pub fault: Option<String>,
}

pub(crate) fn number<T: TryFrom<i64>>(row: &AnyRow, column: &'static str) -> Result<T, StoreError> {
    let number: i64 = row.try_get(column)?;
    T::try_from(number).map_err(|_| StoreError::corrupt(column, number.to_string()))
}

fn read_tournament(row: &AnyRow) -> Result<Tournament, StoreError> {
    let state: String = row.try_get("state")?;
    let state = match state.as_str() {
        "running" => State::Running,
        "paused" => State::Paused,
        _ => return Err(StoreError::corrupt("state of a tournament", state)),
    };
    Ok(Tournament {
        id: row.try_get("id")?,
        plan: row.try_get("plan")?,
        rules: row.try_get("rules")?,
        state,
        created_ms: row.try_get("created_ms")?,
    })
}

fn read_fixture(row: &AnyRow) -> Result<Fixture, StoreError> {
    let result = match read_outcome(row)? {
        None => None,
        Some(outcome) => Some(FixtureResult {
            outcome,
            plies: number(row, "plies")?,
            captures: [
                number(row, "white_captures")?,
                number(row, "black_captures")?,
            ],
            fault: row.try_get("fault")?,
        }),
    };
    let is_claimed: i64 = row.try_get("is_claimed")?;
    let is_remote: i64 = row.try_get("is_remote")?;
    Ok(Fixture {
        number: number(row, "number")?,
        stage: row.try_get("stage")?,
        round: number(row, "round")?,
        white: number(row, "white")?,
        black: number(row, "black")?,
        is_remote: is_remote != 0,
        attempt: number(row, "attempt")?,
        worker: row.try_get("worker")?,
        game: row.try_get("game")?,
        is_claimed: is_claimed != 0 && result.is_none(),
        result,
    })
}

async fn insert_fixtures(
    work: &mut Work,
    tournament: &str,
    fixtures: &[Fixture],
) -> Result<(), StoreError> {
    for fixture in fixtures {
        work.run(query(
            "INSERT INTO fixture (tournament, number, stage, round, white, black, is_remote, attempt)
             VALUES ($1, $2, $3, $4, $5, $6, $7, 0) ON CONFLICT DO NOTHING",
        )
        .bind(tournament)
        .bind(fixture.number as i64)
        .bind(&fixture.stage)
        .bind(fixture.round as i64)
        .bind(fixture.white as i64)
        .bind(fixture.black as i64)
        .bind(i64::from(fixture.is_remote))).await?;
    }
    Ok(())
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
        let made = insert_fixtures(&mut work, &tournament.id, fixtures).await;
        work.end(made).await?;
        Ok(true)
    }

    /// Adds fixtures; those that are there already stay as they are.
    ///
    /// # Errors
    /// The database failed.
    pub async fn add_fixtures(
        &self,
        tournament: &str,
        fixtures: &[Fixture],
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let added = insert_fixtures(&mut work, tournament, fixtures).await;
        work.end(added).await
    }

    /// The tournament with an id.
    ///
    /// # Errors
    /// The database failed, or there is none.
    pub async fn tournament(&self, id: &str) -> Result<Tournament, StoreError> {
        let row = self
            .row(query("SELECT * FROM tournament WHERE id = $1").bind(id))
            .await?;
        read_tournament(&row.ok_or(StoreError::Missing("tournament"))?)
    }

    /// All tournaments, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn tournaments(&self) -> Result<Vec<Tournament>, StoreError> {
        let rows = self
            .rows(query(
                "SELECT * FROM tournament ORDER BY created_ms DESC, id",
            ))
            .await?;
        rows.iter().map(read_tournament).collect()
    }

    /// Lets a tournament go on, or not.
    ///
    /// # Errors
    /// The database failed, or there is no such tournament.
    pub async fn set_tournament_state(&self, id: &str, state: State) -> Result<(), StoreError> {
        let done = self
            .write_one(
                query("UPDATE tournament SET state = $2 WHERE id = $1")
                    .bind(id)
                    .bind(state.word()),
            )
            .await?;
        match done {
            0 => Err(StoreError::Missing("tournament")),
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
            "SELECT *, CASE WHEN lease_ms > {now} THEN 1 ELSE 0 END AS is_claimed
             FROM fixture WHERE tournament = $1 ORDER BY number",
        );
        let rows = self.rows(query(sql).bind(tournament)).await?;
        rows.iter().map(read_fixture).collect()
    }
}
