//! Corrections of tournaments: what an organiser changed, when and why, and what it does to the fixtures.

use std::collections::BTreeMap;

use sqlx::{Row, any::AnyRow, query};
use tablut_arena::tournament::Ruling;
use tablut_rules::Side;

use crate::{
    Entity, Fixture, FixtureResult, State, Store, StoreError,
    filing::unfile,
    game::side_word,
    tournament::{insert_fixtures, number, read_result},
    work::Work,
};

/// A correction as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// Its number in the tournament, from 1.
    pub number: u64,
    /// When, who and why.
    pub note: Note,
    /// What was changed, in the words of whoever understands it.
    pub change: String,
    /// When, by whom and why it was undone, if it was.
    pub undone: Option<Note>,
}

/// When something was done, by whom, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// When.
    pub at_ms: i64,
    /// Who, and from where.
    pub by: String,
    /// Why.
    pub why: String,
}

/// A ruling as it is kept.
pub(crate) fn ruling_word(ruling: Ruling) -> String {
    match ruling {
        Ruling::Decided(winner) => format!("decided:{}", winner.map_or("nobody", side_word)),
        Ruling::Annulled => "annulled".into(),
        Ruling::Withdrawn => "withdrawn".into(),
    }
}

/// The ruling that a word stands for.
pub(crate) fn read_ruling(word: &str) -> Result<Ruling, StoreError> {
    Ok(match word {
        "decided:attackers" => Ruling::Decided(Some(Side::Attackers)),
        "decided:defenders" => Ruling::Decided(Some(Side::Defenders)),
        "decided:nobody" => Ruling::Decided(None),
        "annulled" => Ruling::Annulled,
        "withdrawn" => Ruling::Withdrawn,
        _ => return Err(StoreError::corrupt("ruling", word)),
    })
}

/// A correction that is to be kept, or undone, with all it does to the fixtures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Amendment {
    /// The version of the tournament that it was made for; with another one it is refused.
    pub version: u64,
    /// When, who and why.
    pub note: Note,
    /// What is changed, or which correction is undone.
    pub entry: LogEntry,
    /// The state that the tournament gets, if another.
    pub state: Option<State>,
    /// Fixtures that get a ruling, or lose one.
    pub rulings: Vec<(usize, Option<Ruling>)>,
    /// Fixtures with a team that connects from elsewhere, or without one from now on.
    pub remote: Vec<(usize, bool)>,
    /// Fixtures that nobody may bring a result of who has them now.
    pub restart: Vec<usize>,
    /// The fixture whose result is set aside, or comes back when that is undone.
    pub replay: Option<usize>,
    /// Fixtures that are gone; they must not have been played.
    pub remove: Vec<usize>,
    /// Fixtures that are new.
    pub add: Vec<Fixture>,
}

/// A line of the log of corrections.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogEntry {
    /// A new correction, in the words of whoever understands it.
    New(String),
    /// The number of a correction that is undone.
    Undo(u64),
}

fn read_correction(row: &AnyRow) -> Result<Correction, StoreError> {
    let undone: Option<i64> = row.try_get("undone_ms")?;
    let undone = match undone {
        None => None,
        Some(at_ms) => Some(Note {
            at_ms,
            by: row.try_get("undone_by")?,
            why: row.try_get("undone_why")?,
        }),
    };
    Ok(Correction {
        number: number(row, "number")?,
        note: Note {
            at_ms: row.try_get("at_ms")?,
            by: row.try_get("author")?,
            why: row.try_get("why")?,
        },
        change: row.try_get("change")?,
        undone,
    })
}

impl Store {
    /// The corrections of a tournament, or of all; by tournament, in their order.
    pub(crate) async fn corrections(
        &self,
        tournament: Option<&str>,
    ) -> Result<BTreeMap<String, Vec<Correction>>, StoreError> {
        let all = query(
            "SELECT tournament, number, at_ms, author, why, change, undone_ms, undone_by, undone_why
             FROM correction WHERE $1 = '' OR tournament = $1 ORDER BY tournament, number",
        );
        let rows = self.rows(all.bind(tournament.unwrap_or_default())).await?;
        let mut all: BTreeMap<String, Vec<Correction>> = BTreeMap::new();
        for row in &rows {
            let tournament = row.try_get("tournament")?;
            all.entry(tournament)
                .or_default()
                .push(read_correction(row)?);
        }
        Ok(all)
    }

    /// The results that were set aside, by the number of the correction that did so.
    ///
    /// # Errors
    /// The database failed.
    pub async fn results_set_aside(
        &self,
        tournament: &str,
    ) -> Result<BTreeMap<u64, FixtureResult>, StoreError> {
        let all = query(
            "SELECT correction, winner, reason, plies, white_captures, black_captures, fault
             FROM set_aside WHERE tournament = $1",
        );
        let rows = self.rows(all.bind(tournament)).await?;
        let mut results = BTreeMap::new();
        for row in &rows {
            if let Some(result) = read_result(row)? {
                results.insert(number(row, "correction")?, result);
            }
        }
        Ok(results)
    }

    /// Keeps a correction, or that one is undone, with all it does, or nothing of it; gives its number.
    ///
    /// # Errors
    /// The database failed, there is no such tournament, or it has changed since it was read.
    pub async fn amend(&self, tournament: &str, amendment: &Amendment) -> Result<u64, StoreError> {
        let mut work = self.write().await?;
        let amended = apply(&mut work, tournament, amendment).await;
        match work.end(amended).await {
            Err(StoreError::Stale) => {
                // What is not there is no other version.
                self.tournament(tournament).await?;
                Err(StoreError::Stale)
            }
            amended => amended,
        }
    }

    /// Deletes a tournament with its games and corrections, for good.
    ///
    /// # Errors
    /// The database failed, or there is no such tournament.
    pub async fn delete_tournament(&self, id: &str) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let deleted = delete(&mut work, id).await;
        work.end(deleted).await
    }
}

/// Does all that an amendment says; gives the number of the correction.
async fn apply(
    work: &mut Work,
    tournament: &str,
    amendment: &Amendment,
) -> Result<u64, StoreError> {
    // The row is ours from here on: corrections of a tournament come one after the other.
    let own = query("UPDATE tournament SET version = version + 1 WHERE id = $1 AND version = $2")
        .bind(tournament)
        .bind(amendment.version as i64);
    if work.run(own).await? == 0 {
        return Err(StoreError::Stale);
    }
    if let Some(state) = amendment.state {
        let set = query("UPDATE tournament SET state = $2 WHERE id = $1");
        work.run(set.bind(tournament).bind(state.word())).await?;
    }
    let number = log(work, tournament, amendment).await?;
    for &fixture in &amendment.restart {
        restart(work, tournament, fixture).await?;
    }
    if let Some(fixture) = amendment.replay {
        match amendment.entry {
            LogEntry::New(_) => set_aside(work, tournament, number, fixture).await?,
            LogEntry::Undo(_) => bring_back(work, tournament, number, fixture).await?,
        }
    }
    for &fixture in &amendment.remove {
        remove(work, tournament, fixture).await?;
    }
    for &(fixture, ruling) in &amendment.rulings {
        let rule = query("UPDATE fixture SET ruling = $3 WHERE tournament = $1 AND number = $2")
            .bind(tournament)
            .bind(fixture as i64)
            .bind(ruling.map(ruling_word));
        work.run(rule).await?;
    }
    for &(fixture, is_remote) in &amendment.remote {
        let set = query("UPDATE fixture SET is_remote = $3 WHERE tournament = $1 AND number = $2")
            .bind(tournament)
            .bind(fixture as i64)
            .bind(i64::from(is_remote));
        work.run(set).await?;
    }
    let added = insert_fixtures(work, tournament, &amendment.add, Some(number)).await?;
    // A final may have taken their numbers since they were planned.
    match added == amendment.add.len() as u64 {
        true => Ok(number),
        false => Err(StoreError::Stale),
    }
}

/// Takes a tournament out with everything that belongs to it.
async fn delete(work: &mut Work, id: &str) -> Result<(), StoreError> {
    // Its row first and its fixtures next, as everybody who writes to them does: in another order, each
    // would wait for the other.
    let own = query("UPDATE tournament SET version = version + 1 WHERE id = $1");
    if work.run(own.bind(id)).await? == 0 {
        return Err(StoreError::Missing(Entity::Tournament));
    }
    // Whoever plays one of its games has it no more, and begins no other.
    let taken = query("UPDATE fixture SET attempt = attempt + 1 WHERE tournament = $1");
    work.run(taken.bind(id)).await?;
    let games = query(
        "SELECT game FROM fixture WHERE tournament = $1 AND game IS NOT NULL
         UNION SELECT game FROM set_aside WHERE tournament = $1 AND game IS NOT NULL",
    );
    for row in work.rows(games.bind(id)).await? {
        // One by one: a statement about the moves of all of them could take too long.
        delete_game(work, row.try_get(0)?).await?;
    }
    for sql in [
        "DELETE FROM set_aside WHERE tournament = $1",
        "DELETE FROM correction WHERE tournament = $1",
        "DELETE FROM fixture WHERE tournament = $1",
        "DELETE FROM tournament WHERE id = $1",
    ] {
        work.run(query(sql).bind(id)).await?;
    }
    Ok(())
}

/// Writes the log; gives the number of the correction.
async fn log(work: &mut Work, tournament: &str, amendment: &Amendment) -> Result<u64, StoreError> {
    let Note { at_ms, by, why } = &amendment.note;
    match &amendment.entry {
        LogEntry::New(change) => {
            let made = query(
                "INSERT INTO correction (tournament, number, at_ms, author, why, change)
                 SELECT $1, COALESCE(MAX(number), 0) + 1, CAST($2 AS BIGINT), $3, $4, $5
                 FROM correction WHERE tournament = $1 RETURNING number",
            )
            .bind(tournament)
            .bind(at_ms)
            .bind(by)
            .bind(why)
            .bind(change);
            let row = work.row(made).await?.ok_or(StoreError::Stale)?;
            number(&row, "number")
        }
        LogEntry::Undo(correction) => {
            let done = query(
                "UPDATE correction SET undone_ms = $3, undone_by = $4, undone_why = $5
                 WHERE tournament = $1 AND number = $2 AND undone_ms IS NULL",
            )
            .bind(tournament)
            .bind(*correction as i64)
            .bind(at_ms)
            .bind(by)
            .bind(why);
            let done = work.run(done).await?;
            match done {
                0 => Err(StoreError::Stale),
                _ => Ok(*correction),
            }
        }
    }
}

/// Ends the claim of a fixture that has no result, and drops what was played of it.
async fn restart(work: &mut Work, tournament: &str, fixture: usize) -> Result<(), StoreError> {
    let found = query(
        "UPDATE fixture SET attempt = attempt + 1, lease_ms = NULL
         WHERE tournament = $1 AND number = $2 AND ended_ms IS NULL RETURNING game",
    )
    .bind(tournament)
    .bind(fixture as i64);
    let row = work.row(found).await?;
    // A result that came in meanwhile stays.
    let Some(row) = row else { return Ok(()) };
    let game: Option<String> = row.try_get(0)?;
    if let Some(game) = game {
        work.run(
            query("UPDATE fixture SET game = NULL WHERE tournament = $1 AND number = $2")
                .bind(tournament)
                .bind(fixture as i64),
        )
        .await?;
        delete_game(work, &game).await?;
    }
    Ok(())
}

/// Deletes a game with its moves.
pub(crate) async fn delete_game(work: &mut Work, game: &str) -> Result<(), StoreError> {
    // Whoever still plays it writes to the game first and to its moves and seats later: in another
    // order, each would wait for the other.
    let first = query("UPDATE game SET plies = plies WHERE id = $1");
    work.run(first.bind(game)).await?;
    unfile(work, game).await?;
    for sql in [
        "DELETE FROM move WHERE game = $1",
        "DELETE FROM seat WHERE game = $1",
        "DELETE FROM presence WHERE game = $1",
        "DELETE FROM game WHERE id = $1",
    ] {
        work.run(query(sql).bind(game)).await?;
    }
    Ok(())
}

/// Keeps the result of a fixture elsewhere; the fixture is to be played again.
async fn set_aside(
    work: &mut Work,
    tournament: &str,
    correction: u64,
    fixture: usize,
) -> Result<(), StoreError> {
    let done = query(
        "INSERT INTO set_aside (tournament, correction, number, worker, game, winner, reason, plies,
             white_captures, black_captures, fault, ended_ms)
         SELECT tournament, CAST($3 AS BIGINT), number, worker, game, winner, reason, plies,
             white_captures, black_captures, fault, ended_ms
         FROM fixture WHERE tournament = $1 AND number = $2 AND ended_ms IS NOT NULL",
    )
    .bind(tournament)
    .bind(fixture as i64)
    .bind(correction as i64);
    let done = work.run(done).await?;
    if done == 0 {
        return Err(StoreError::Stale);
    }
    work.run(
        query(
            "UPDATE fixture SET attempt = attempt + 1, worker = NULL, lease_ms = NULL, game = NULL,
             winner = NULL, reason = NULL, plies = NULL, white_captures = NULL,
             black_captures = NULL, fault = NULL, ended_ms = NULL
         WHERE tournament = $1 AND number = $2",
        )
        .bind(tournament)
        .bind(fixture as i64),
    )
    .await?;
    Ok(())
}

/// Gives a fixture the result back that was set aside; one that came since is set aside in its place.
async fn bring_back(
    work: &mut Work,
    tournament: &str,
    correction: u64,
    fixture: usize,
) -> Result<(), StoreError> {
    let found = query(
        "SELECT worker, game, winner, reason, plies, white_captures, black_captures, fault, ended_ms
         FROM set_aside WHERE tournament = $1 AND correction = $2",
    )
    .bind(tournament)
    .bind(correction as i64);
    let row = work.row(found).await?;
    // A game that had been decided without being played left nothing.
    let Some(row) = row else { return Ok(()) };
    restart(work, tournament, fixture).await?;
    work.run(
        query("DELETE FROM set_aside WHERE tournament = $1 AND correction = $2")
            .bind(tournament)
            .bind(correction as i64),
    )
    .await?;
    // With no result since, there is nothing to set aside.
    match set_aside(work, tournament, correction, fixture).await {
        Ok(()) | Err(StoreError::Stale) => (),
        Err(error) => return Err(error),
    }
    let text = |column: &'static str| row.try_get::<Option<String>, _>(column);
    let figure = |column: &'static str| row.try_get::<i64, _>(column);
    work.run(
        query(
            "UPDATE fixture SET attempt = attempt + 1, lease_ms = NULL, worker = $3, game = $4,
             winner = $5, reason = $6, plies = $7, white_captures = $8, black_captures = $9,
             fault = $10, ended_ms = $11
         WHERE tournament = $1 AND number = $2",
        )
        .bind(tournament)
        .bind(fixture as i64)
        .bind(text("worker")?)
        .bind(text("game")?)
        .bind(text("winner")?)
        .bind(text("reason")?)
        .bind(figure("plies")?)
        .bind(figure("white_captures")?)
        .bind(figure("black_captures")?)
        .bind(text("fault")?)
        .bind(figure("ended_ms")?),
    )
    .await?;
    Ok(())
}

/// Takes out a fixture that has not been played.
async fn remove(work: &mut Work, tournament: &str, fixture: usize) -> Result<(), StoreError> {
    let found = query(
        "DELETE FROM fixture WHERE tournament = $1 AND number = $2 AND ended_ms IS NULL
         RETURNING game",
    )
    .bind(tournament)
    .bind(fixture as i64);
    let row = work.row(found).await?;
    let game: Option<String> = row.ok_or(StoreError::Stale)?.try_get(0)?;
    match game {
        Some(game) => delete_game(work, &game).await,
        None => Ok(()),
    }
}
