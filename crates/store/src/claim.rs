//! Claims: who plays a fixture, and who may bring its result.

use sqlx::{AssertSqlSafe, Row, query};
use tablut_rules::BySide;

use crate::{
    FixtureResult, Game, Progress, Store, StoreError,
    correction::delete_game,
    game::{insert, winner_word},
    tournament::{number, read_teams},
    work::Work,
};

/// No claim lasts longer without being renewed. A lease that ends later was written before a clock
/// jumped back, and holds nothing.
pub const LONGEST_LEASE_MS: i64 = 600_000;

/// A fixture that is ours to play until the lease ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The tournament.
    pub tournament: String,
    /// The fixture's number.
    pub number: usize,
    /// Which attempt this is, from 1: only the latest one counts.
    pub attempt: u64,
    /// The numbers of the teams.
    pub teams: BySide<usize>,
    /// The version of the tournament that it belongs to.
    pub version: u64,
}

impl Store {
    /// Claims the first fixture of a running tournament that nobody has; of all running tournaments
    /// but those that are `skipped`, if none is named. Nothing if there is none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn claim(
        &self,
        tournament: Option<&str>,
        skipped: &[String],
        worker: &str,
        lease_ms: i64,
        takes_remote: bool,
    ) -> Result<Option<Claim>, StoreError> {
        // A team that connects from elsewhere plays one game at a time.
        let sql = self.dialect(
            "WITH next AS MATERIALIZED (
                 SELECT f.tournament, f.number FROM fixture f
                 JOIN tournament t ON t.id = f.tournament
                 WHERE t.state = 'running' AND ($1 = '' OR t.id = $1) {skipped}
                   AND f.ended_ms IS NULL AND f.ruling IS NULL AND (f.lease_ms IS NULL OR f.lease_ms NOT {leased})
                   AND (f.is_remote = 0 OR $4 = 1 AND NOT EXISTS (
                       SELECT 1 FROM fixture o WHERE o.tournament = f.tournament
                         AND o.is_remote = 1 AND o.ended_ms IS NULL AND o.lease_ms {leased}
                         AND (o.white IN (f.white, f.black) OR o.black IN (f.white, f.black))))
                 ORDER BY t.created_ms, f.tournament, f.number LIMIT 1 {lock})
             UPDATE fixture SET attempt = attempt + 1, worker = $2, lease_ms = {now} + $3
             WHERE (tournament, number) IN (SELECT tournament, number FROM next)
             RETURNING tournament, number, attempt, white, black,
                 (SELECT t.version FROM tournament t WHERE t.id = fixture.tournament) AS version",
        );
        // Their places come after the other values.
        let places: Vec<String> = (0..skipped.len()).map(|n| format!("${}", n + 5)).collect();
        let others = match places.is_empty() {
            true => String::new(),
            false => format!("AND t.id NOT IN ({})", places.join(", ")),
        };
        let sql = AssertSqlSafe(sql.0.replace("{skipped}", &others));
        let claim = query(sql)
            .bind(tournament.unwrap_or_default())
            .bind(worker)
            .bind(lease_ms.min(LONGEST_LEASE_MS))
            .bind(i64::from(takes_remote));
        let claim = skipped.iter().fold(claim, |claim, id| claim.bind(id));
        let row = self.write_row(claim).await?;
        row.map(|row| {
            Ok(Claim {
                tournament: row.try_get("tournament")?,
                number: number(&row, "number")?,
                attempt: number(&row, "attempt")?,
                teams: read_teams(&row)?,
                version: number(&row, "version")?,
            })
        })
        .transpose()
    }

    /// Keeps the game of a claim; what an earlier attempt left of its own is gone.
    ///
    /// # Errors
    /// The database failed, another worker has the fixture now, or the tournament was corrected.
    pub async fn begin_fixture(&self, claim: &Claim, game: &Game) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let begun = begin(&mut work, claim, game).await;
        work.end(begun).await
    }

    /// Makes a lease longer; says whether the fixture is still ours.
    ///
    /// # Errors
    /// The database failed.
    pub async fn renew(&self, claim: &Claim, lease_ms: i64) -> Result<bool, StoreError> {
        let sql = self.dialect(
            "UPDATE fixture SET lease_ms = {now} + $4
             WHERE tournament = $1 AND number = $2 AND attempt = $3 AND ended_ms IS NULL",
        );
        let done = self
            .write_one(
                query(sql)
                    .bind(&claim.tournament)
                    .bind(claim.number as i64)
                    .bind(claim.attempt as i64)
                    .bind(lease_ms.min(LONGEST_LEASE_MS)),
            )
            .await?;
        Ok(done > 0)
    }

    /// Gives a fixture back unplayed.
    ///
    /// # Errors
    /// The database failed.
    pub async fn release(&self, claim: &Claim) -> Result<(), StoreError> {
        self.write_one(
            query(
                "UPDATE fixture SET lease_ms = NULL
             WHERE tournament = $1 AND number = $2 AND attempt = $3 AND ended_ms IS NULL",
            )
            .bind(&claim.tournament)
            .bind(claim.number as i64)
            .bind(claim.attempt as i64),
        )
        .await?;
        Ok(())
    }

    /// Keeps the end of a claim's game and the fixture's result, both or neither.
    ///
    /// # Errors
    /// The database failed, or the fixture has a result or another attempt already.
    pub async fn finish_fixture(
        &self,
        claim: &Claim,
        game: &str,
        progress: &Progress,
        result: &FixtureResult,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let finished = finish(&mut work, claim, game, result, now_ms).await;
        let finished = match finished {
            Ok(()) => self.advance_in(&mut work, game, progress, now_ms).await,
            Err(stale) => Err(stale),
        };
        let advanced = work.end(finished).await?;
        self.announce(game, advanced.version);
        Ok(())
    }
}

/// Takes a fixture for a game, in place of what an earlier attempt left.
async fn begin(work: &mut Work, claim: &Claim, game: &Game) -> Result<(), StoreError> {
    let taken = query(
        "UPDATE fixture SET round = round
         WHERE tournament = $1 AND number = $2 AND attempt = $3 AND ended_ms IS NULL
           AND ruling IS NULL
           AND EXISTS (SELECT 1 FROM tournament t WHERE t.id = $1 AND t.version = $4)
         RETURNING game",
    );
    let row = work
        .row(
            taken
                .bind(&claim.tournament)
                .bind(claim.number as i64)
                .bind(claim.attempt as i64)
                .bind(claim.version as i64),
        )
        .await?;
    let before: Option<String> = row.ok_or(StoreError::Stale)?.try_get(0)?;
    if before.as_ref() == Some(&game.id) {
        // It was kept, although nobody said so.
        return Ok(());
    }
    if let Some(before) = before {
        delete_game(work, &before).await?;
    }
    insert(work, game).await?;
    let named = query("UPDATE fixture SET game = $3 WHERE tournament = $1 AND number = $2")
        .bind(&claim.tournament)
        .bind(claim.number as i64)
        .bind(&game.id);
    work.run(named).await?;
    Ok(())
}

/// Gives a fixture its result.
async fn finish(
    work: &mut Work,
    claim: &Claim,
    game: &str,
    result: &FixtureResult,
    now_ms: i64,
) -> Result<(), StoreError> {
    let done = query(
        "UPDATE fixture SET lease_ms = NULL, winner = $5, reason = $6, plies = $7,
             white_captures = $8, black_captures = $9, fault = $10, ended_ms = $11
         WHERE tournament = $1 AND number = $2 AND attempt = $3 AND game = $4
           AND ended_ms IS NULL AND ruling IS NULL",
    )
    .bind(&claim.tournament)
    .bind(claim.number as i64)
    .bind(claim.attempt as i64)
    .bind(game)
    .bind(winner_word(result.outcome))
    .bind(result.outcome.reason.to_string())
    .bind(i64::from(result.plies))
    .bind(i64::from(result.captures.defenders))
    .bind(i64::from(result.captures.attackers))
    .bind(&result.fault)
    .bind(now_ms);
    match work.run(done).await? {
        0 => Err(StoreError::Stale),
        _ => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::Location;

    #[tokio::test]
    async fn a_lease_from_before_a_clock_jumped_back_holds_nothing() {
        let store = Store::open(&Location::Memory).await.unwrap();
        for sql in [
            "INSERT INTO tournament (id, plan, rules, state, created_ms)
             VALUES ('cup', '', 'ashton', 'running', 0)",
            "INSERT INTO fixture (tournament, number, round, white, black, is_remote, attempt)
             VALUES ('cup', 0, 1, 0, 1, 0, 0)",
        ] {
            store.write_one(query(sql)).await.unwrap();
        }
        let claim = || store.claim(Some("cup"), &[], "ann", 60_000, false);
        assert!(claim().await.unwrap().is_some());
        assert!(claim().await.unwrap().is_none());
        let sql = store.dialect("UPDATE fixture SET lease_ms = {now} + 3600000");
        store.write_one(query(sql)).await.unwrap();
        assert!(!store.fixtures("cup").await.unwrap()[0].is_claimed);
        assert_eq!(claim().await.unwrap().unwrap().attempt, 2);
    }
}
