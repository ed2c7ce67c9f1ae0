//! Games that are being played: who is there, whose clock runs, what was offered; and the processes that
//! serve them.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Row, any::AnyRow, query};
use tablut_rules::{BySide, Side};

use crate::{
    Entity, Game, Store, StoreError, StoredMove,
    connection::Backend,
    game::{read_game, select, side_word},
    progress::read_move,
    work::Work,
};

/// How many beats a process may miss before it counts as dead.
const MISSED_BEATS: u32 = 4;

/// Who has said no just now, to what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Declined {
    /// To a draw.
    pub draw: Option<Side>,
    /// To taking a move back.
    pub take_back: Option<Side>,
}

/// How a game stands besides its moves, by the database's clock.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Live {
    /// Raised by every change that can be seen.
    pub version: u64,
    /// How often moves were taken back: while this stays the same, so do the moves that were made.
    pub undone: u64,
    /// Since when the side to move has been thinking.
    pub turn_ms: Option<i64>,
    /// Since when the clock stands still for those who are awaited.
    pub stopped_ms: Option<i64>,
    /// Who has offered a draw.
    pub draw_offer: Option<Side>,
    /// Who wants to take a move back.
    pub take_back: Option<Side>,
    /// Who has said no just now.
    pub declined: Declined,
    /// For each side, the process by which its player has been there longest.
    pub present: BySide<Option<String>>,
    /// The last move, if this was read with it: most changes are one more move, for which nothing else need be
    /// read.
    pub last: Option<StoredMove>,
    /// The database's clock when this was read.
    pub now_ms: i64,
}

/// A change in the course of a game, which is refused unless the game still has the version it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Course {
    /// The version that was seen.
    pub version: u64,
    /// How long the side to move has been thinking. The store counts it back from its own clock, the only
    /// one that all processes share.
    pub thought_ms: Option<i64>,
    /// Who offers a draw.
    pub draw_offer: Option<Side>,
    /// Who wants to take a move back.
    pub take_back: Option<Side>,
    /// Who has said no.
    pub declined: Declined,
}

/// How a game stands after a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advanced {
    /// Its version.
    pub version: u64,
    /// Since when the side to move has been thinking.
    pub turn_ms: Option<i64>,
    /// The database's clock.
    pub now_ms: i64,
}

fn side(row: &AnyRow, name: &'static str) -> Result<Option<Side>, StoreError> {
    let word: Option<String> = row.try_get(name)?;
    match word.as_deref() {
        None => Ok(None),
        Some("attackers") => Ok(Some(Side::Attackers)),
        Some("defenders") => Ok(Some(Side::Defenders)),
        Some(other) => Err(StoreError::corrupt("side", other)),
    }
}

pub(crate) fn count(row: &AnyRow, name: &str) -> Result<u64, StoreError> {
    let number: i64 = row.try_get(name)?;
    Ok(number.unsigned_abs())
}

fn read_live(row: &AnyRow) -> Result<Live, StoreError> {
    Ok(Live {
        version: count(row, "version")?,
        undone: count(row, "undone")?,
        turn_ms: row.try_get("turn_ms")?,
        stopped_ms: row.try_get("stopped_ms")?,
        draw_offer: side(row, "draw_offer")?,
        take_back: side(row, "take_back")?,
        declined: Declined {
            draw: side(row, "declined")?,
            take_back: side(row, "take_back_declined")?,
        },
        present: BySide {
            attackers: row.try_get("a_present")?,
            defenders: row.try_get("d_present")?,
        },
        last: read_move(row)?,
        now_ms: row.try_get("now_ms")?,
    })
}

/// Raises the version of a game, which keeps everybody else from it until the end of the transaction.
pub(crate) async fn touch(work: &mut Work, game: &str) -> Result<u64, StoreError> {
    let raise = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version");
    let row = work.row(raise.bind(game)).await?;
    let row = row.ok_or(StoreError::Missing(Entity::Game))?;
    count(&row, "version")
}

/// Keeps everybody else from a game until the end of the transaction. What is asked after this sees all
/// that others have done to it; a statement that had to wait by itself would not.
async fn hold(work: &mut Work, game: &str) -> Result<(), StoreError> {
    let hold = query("UPDATE game SET plies = plies WHERE id = $1").bind(game);
    work.run(hold).await.map(drop)
}

impl Store {
    /// The game with an id as it is being played.
    ///
    /// # Errors
    /// The database failed, or there is no such game.
    pub async fn live_game(&self, id: &str) -> Result<(Game, Live), StoreError> {
        let present = |side: Side| {
            format!(
                "(SELECT p.process FROM presence p WHERE p.game = g.id AND p.side = '{}'
                  ORDER BY p.since_ms, p.process LIMIT 1)",
                side_word(side)
            )
        };
        let more = format!(
            ", m.step, m.spent_ms, m.clock_ms, m.score, {} AS a_present, {} AS d_present,
               {{now}} AS now_ms",
            present(Side::Attackers),
            present(Side::Defenders)
        );
        let which = "LEFT JOIN move m ON m.game = g.id AND m.ply = g.plies WHERE g.id = $1";
        let sql = self.dialect_of(&select(&more, which).0);
        let row = self.row(query(sql).bind(id)).await?;
        let row = row.ok_or(StoreError::Missing(Entity::Game))?;
        Ok((read_game(&row)?, read_live(&row)?))
    }

    /// Version and number of moves of games, as far as they are there.
    ///
    /// # Errors
    /// The database failed.
    pub async fn versions(
        &self,
        games: &[String],
    ) -> Result<Vec<(String, u64, usize)>, StoreError> {
        let places: Vec<String> = (1..=games.len()).map(|n| format!("${n}")).collect();
        let sql = format!(
            "SELECT id, version, plies FROM game WHERE id IN ({})",
            places.join(", ")
        );
        let question = query(AssertSqlSafe(sql));
        let question = games.iter().fold(question, |all, id| all.bind(id));
        let rows = self.rows(question).await?;
        rows.iter()
            .map(|row| {
                let plies = count(row, "plies")? as usize;
                Ok((row.try_get("id")?, count(row, "version")?, plies))
            })
            .collect()
    }

    /// The players of some sides of a game are there, by a process. When nobody is missing any more, the
    /// clock runs; time in which somebody was awaited counts for nobody.
    ///
    /// # Errors
    /// The database failed, or there is no such game.
    pub async fn sit(
        &self,
        game: &str,
        sides: BySide<bool>,
        process: &str,
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let sat = self.sit_down(&mut work, game, sides, process).await;
        let version = work.end(sat).await?;
        self.announce(game, version);
        Ok(())
    }

    async fn sit_down(
        &self,
        work: &mut Work,
        game: &str,
        sides: BySide<bool>,
        process: &str,
    ) -> Result<u64, StoreError> {
        // First, so that of two who come at once the later one sees the earlier.
        let version = touch(work, game).await?;
        for (side, _) in sides.iter().filter(|&(_, &sits)| sits) {
            let side = side_word(side);
            let sql = self.dialect(
                "INSERT INTO presence (game, side, process, since_ms) VALUES ($1, $2, $3, {now})
                 ON CONFLICT (game, side, process) DO NOTHING",
            );
            work.run(query(sql).bind(game).bind(side).bind(process))
                .await?;
            let here = query("UPDATE seat SET awaited = 0 WHERE game = $1 AND side = $2");
            work.run(here.bind(game).bind(side)).await?;
        }
        // Without a clock, whoever once took a seat need not be there.
        let sql = self.dialect(
            "UPDATE game SET turn_ms = CASE
                 WHEN turn_ms IS NOT NULL AND stopped_ms IS NOT NULL THEN turn_ms + {now} - stopped_ms
                 WHEN turn_ms IS NOT NULL THEN turn_ms
                 WHEN NOT EXISTS (SELECT 1 FROM seat s WHERE s.game = game.id AND s.player = 'person'
                     AND (s.holder IS NULL OR game.control <> 'none')
                     AND NOT EXISTS (SELECT 1 FROM presence p
                                     WHERE p.game = s.game AND p.side = s.side)) THEN {now}
                 END, stopped_ms = NULL
             WHERE id = $1 AND winner IS NULL
               AND NOT EXISTS (SELECT 1 FROM seat s WHERE s.game = game.id AND s.awaited = 1)",
        );
        work.run(query(sql).bind(game)).await?;
        Ok(version)
    }

    /// The players of some sides of a game are no longer there by a process. Their clocks run on.
    ///
    /// # Errors
    /// The database failed.
    pub async fn rise(
        &self,
        game: &str,
        sides: BySide<bool>,
        process: &str,
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let version = match touch(&mut work, game).await {
            Ok(version) => version,
            // There is nothing left to rise from.
            Err(StoreError::Missing(_)) => {
                work.undo().await;
                return Ok(());
            }
            Err(error) => return work.end(Err(error)).await,
        };
        let mut gone = Ok(0);
        for (side, _) in sides.iter().filter(|&(_, &rises)| rises) {
            let sql = "DELETE FROM presence WHERE game = $1 AND side = $2 AND process = $3";
            let leave = query(sql).bind(game).bind(side_word(side)).bind(process);
            gone = work.run(leave).await;
            if gone.is_err() {
                break;
            }
        }
        work.end(gone).await?;
        self.announce(game, version);
        Ok(())
    }

    /// Stops the clock of a game at which no player is any more, until all of them are back.
    ///
    /// # Errors
    /// The database failed.
    pub async fn stop_clock(&self, game: &str) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let stopped = self.stop(&mut work, game).await;
        if let Some(version) = work.end(stopped).await? {
            self.announce(game, version);
        }
        Ok(())
    }

    async fn stop(&self, work: &mut Work, game: &str) -> Result<Option<u64>, StoreError> {
        hold(work, game).await?;
        let sql = self.dialect(
            "UPDATE game SET version = version + 1, stopped_ms = {now}
             WHERE id = $1 AND turn_ms IS NOT NULL AND stopped_ms IS NULL AND winner IS NULL
               AND NOT EXISTS (SELECT 1 FROM presence p WHERE p.game = game.id)
             RETURNING version",
        );
        let Some(row) = work.row(query(sql).bind(game)).await? else {
            return Ok(None);
        };
        let wait = "UPDATE seat SET awaited = 1 WHERE game = $1 AND player = 'person'";
        work.run(query(wait).bind(game)).await?;
        Ok(Some(count(&row, "version")?))
    }

    /// How often a process says that it is alive.
    #[must_use]
    pub fn beat_every(&self) -> Duration {
        Duration::from_secs(match self.writers.backend {
            Backend::Postgres => 1,
            // Few share a file, and each beat is written to the disk.
            Backend::File | Backend::Memory => 5,
        })
    }

    /// After how long without a word a process counts as dead.
    #[must_use]
    pub fn silence(&self) -> Duration {
        self.beat_every() * MISSED_BEATS
    }

    fn silence_ms(&self) -> i64 {
        i64::try_from(self.silence().as_millis()).unwrap_or(i64::MAX)
    }

    /// The processes that have been silent for too long.
    ///
    /// # Errors
    /// The database failed.
    pub async fn silent_processes(&self) -> Result<Vec<String>, StoreError> {
        let sql = self.dialect(
            "SELECT id FROM process WHERE beat_ms NOT BETWEEN {now} - $1 AND {now} + $1 ORDER BY id",
        );
        let rows = self.rows(query(sql).bind(self.silence_ms())).await?;
        rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
    }

    /// Buries a process that has been silent for too long, or one that ends (`is_own`). The clocks of its
    /// players stand still from its last word until they are back, wherever that is; if they are back
    /// already, the time between counts for nobody. Of several who try at once, one does it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn bury(&self, process: &str, is_own: bool) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let buried = self.bury_one(&mut work, process, is_own).await;
        for (game, version) in work.end(buried).await? {
            self.announce(&game, version);
        }
        Ok(())
    }

    async fn bury_one(
        &self,
        work: &mut Work,
        process: &str,
        is_own: bool,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = self.dialect(
            "DELETE FROM process WHERE id = $1
               AND ($3 = 1 OR beat_ms NOT BETWEEN {now} - $2 AND {now} + $2)
             RETURNING CASE WHEN $3 = 1 THEN {now} ELSE beat_ms END AS last_ms",
        );
        let dead = query(sql).bind(process).bind(self.silence_ms());
        let Some(row) = work.row(dead.bind(i64::from(is_own))).await? else {
            return Ok(Vec::new());
        };
        let last_ms: i64 = row.try_get("last_ms")?;
        // Games first, as everybody does who writes to them: nobody sits down meanwhile.
        let games = query(
            "UPDATE game SET version = version + 1
             WHERE winner IS NULL AND id IN (SELECT game FROM presence WHERE process = $1)
             RETURNING id, version",
        );
        let games = work.rows(games.bind(process)).await?;
        let lost = "EXISTS (SELECT 1 FROM presence p WHERE p.process = $1 AND p.game = game.id
             AND NOT EXISTS (SELECT 1 FROM presence o WHERE o.game = p.game AND o.side = p.side
                             AND o.process <> $1))";
        let back = "(SELECT max(o.since_ms) FROM presence p
             JOIN presence o ON o.game = p.game AND o.side = p.side AND o.process <> $1
             WHERE p.process = $1 AND p.game = game.id)";
        for sql in [
            &format!(
                "UPDATE game SET stopped_ms = CASE WHEN turn_ms > $2 THEN turn_ms ELSE $2 END
                 WHERE id IN (SELECT game FROM presence WHERE process = $1) AND winner IS NULL
                   AND turn_ms IS NOT NULL AND stopped_ms IS NULL AND {lost}"
            ),
            &format!(
                "UPDATE game SET turn_ms = turn_ms + {back} - $2
                 WHERE id IN (SELECT game FROM presence WHERE process = $1) AND winner IS NULL
                   AND turn_ms <= $2 AND stopped_ms IS NULL AND {back} > $2"
            ),
        ] {
            let clocks = query(AssertSqlSafe(sql.as_str())).bind(process);
            work.run(clocks.bind(last_ms)).await?;
        }
        for sql in [
            "UPDATE seat SET awaited = 1
             WHERE player = 'person' AND EXISTS (
                     SELECT 1 FROM game g WHERE g.id = seat.game AND g.stopped_ms IS NOT NULL)
               AND EXISTS (SELECT 1 FROM presence p
                           WHERE p.process = $1 AND p.game = seat.game AND p.side = seat.side)
               AND NOT EXISTS (SELECT 1 FROM presence o WHERE o.game = seat.game
                               AND o.side = seat.side AND o.process <> $1)",
            "DELETE FROM presence WHERE process = $1",
            // Whoever waited for its jobs is gone, or asks again elsewhere.
            "UPDATE job SET ended_ms = {now}, version = version + 1
             WHERE process = $1 AND ended_ms IS NULL",
            "DELETE FROM crowd WHERE process = $1",
            "DELETE FROM audience WHERE process = $1",
        ] {
            let sql = self.dialect(sql);
            work.run(query(sql).bind(process)).await?;
        }
        let games = games.iter();
        games
            .map(|row| Ok((row.try_get("id")?, count(row, "version")?)))
            .collect()
    }
}
