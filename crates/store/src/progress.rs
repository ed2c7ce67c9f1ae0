//! How games go on: moves made and taken back, clocks, the end.

use std::collections::HashMap;

use sqlx::{AssertSqlSafe, Row, any::AnyRow, query};
use tablut_rules::{
    BySide, Move, Outcome, Side,
    record::{Record, Score},
};

use crate::{
    Advanced, Course, Game, Store, StoreError,
    game::{side_word, signed, winner_word},
    live::count,
    work::Work,
};

/// A move that is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredMove {
    /// The move.
    pub step: Move,
    /// Milliseconds it took.
    pub spent_ms: Option<u64>,
    /// Milliseconds left on the clock after it.
    pub clock_ms: Option<u64>,
    /// What its player thought of the position.
    pub score: Option<Score>,
}

/// What happened in a game since it was last kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How many moves the game had.
    pub before: usize,
    /// How many of them still stand.
    pub keep: usize,
    /// The moves after those.
    pub moves: Vec<StoredMove>,
    /// What is left on the clocks.
    pub left_ms: BySide<Option<u64>>,
    /// How the game has ended.
    pub outcome: Option<Outcome>,
    /// What else has changed, where several may play the game; nothing where one process does alone.
    pub course: Option<Course>,
}

impl Store {
    /// Keeps what happened in a game, all of it or nothing.
    ///
    /// # Errors
    /// The database failed, or the game does not have the version or as many moves as was thought.
    pub async fn advance(
        &self,
        game: &str,
        progress: &Progress,
        now_ms: i64,
    ) -> Result<Advanced, StoreError> {
        let mut work = self.write().await?;
        let kept = self.advance_in(&mut work, game, progress, now_ms).await;
        let advanced = work.end(kept).await?;
        self.announce(game, advanced.version);
        Ok(advanced)
    }

    /// Stores the progress of a game within a larger transaction.
    pub(crate) async fn advance_in(
        &self,
        work: &mut Work,
        game: &str,
        progress: &Progress,
        now_ms: i64,
    ) -> Result<Advanced, StoreError> {
        let Progress {
            before,
            keep,
            moves,
            left_ms,
            outcome,
            course,
        } = progress;
        let version = course.map(|course| course.version as i64);
        let side =
            |pick: fn(&Course) -> Option<Side>| course.as_ref().and_then(pick).map(side_word);
        let row = work
        .row(
            query(self.dialect(
                "UPDATE game SET plies = $3, winner = $4, reason = $5, changed_ms = $6,
             version = version + 1, undone = undone + $7, turn_ms = COALESCE(stopped_ms, {now}) - $8, draw_offer = $9,
             take_back = $10, declined = $11, take_back_declined = $12
         WHERE id = $1 AND plies = $2 AND version = COALESCE($13, version)
         RETURNING version, turn_ms, {now} AS now_ms",
            ))
            .bind(game)
            .bind(*before as i64)
            .bind((keep + moves.len()) as i64)
            .bind(outcome.map(winner_word))
            .bind(outcome.map(|outcome| outcome.reason.to_string()))
            .bind(now_ms)
            .bind((before - keep.min(before)) as i64)
            .bind(course.and_then(|course| course.thought_ms))
            .bind(side(|course| course.draw_offer))
            .bind(side(|course| course.take_back))
            .bind(side(|course| course.declined.draw))
            .bind(side(|course| course.declined.take_back))
            .bind(version),
        )
        .await?;
        let row = row.ok_or(StoreError::Stale)?;
        let advanced = Advanced {
            version: count(&row, "version")?,
            turn_ms: row.try_get("turn_ms")?,
            now_ms: row.try_get("now_ms")?,
        };
        if keep < before {
            work.run(
                query("DELETE FROM move WHERE game = $1 AND ply > $2")
                    .bind(game)
                    .bind(*keep as i64),
            )
            .await?;
        }
        for (n, one) in moves.iter().enumerate() {
            work.run(
                query(
                    "INSERT INTO move (game, ply, step, spent_ms, clock_ms, score)
             VALUES ($1, $2, $3, $4, $5, $6)",
                )
                .bind(game)
                .bind((keep + n + 1) as i64)
                .bind(one.step.to_string())
                .bind(one.spent_ms.map(signed))
                .bind(one.clock_ms.map(signed))
                .bind(one.score.map(|score| score.to_string())),
            )
            .await?;
        }
        if left_ms.values().any(Option::is_some) {
            let sql =
                "UPDATE seat SET left_ms = COALESCE(CASE side WHEN 'attackers' THEN $2 ELSE $3 END,
             left_ms) WHERE game = $1";
            let left = left_ms.map(|left| left.map(signed));
            let left = query(sql)
                .bind(game)
                .bind(left.attackers)
                .bind(left.defenders);
            work.run(left).await?;
        }
        Ok(advanced)
    }

    /// The moves of a game.
    ///
    /// # Errors
    /// The database failed.
    pub async fn moves(&self, game: &str) -> Result<Vec<StoredMove>, StoreError> {
        self.moves_after(game, 0).await
    }

    /// The moves of a game after the first so many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn moves_after(
        &self,
        game: &str,
        plies: usize,
    ) -> Result<Vec<StoredMove>, StoreError> {
        let sql = "SELECT step, spent_ms, clock_ms, score FROM move
             WHERE game = $1 AND ply > $2 ORDER BY ply";
        let rows = self.rows(query(sql).bind(game).bind(plies as i64)).await?;
        read_moves(&rows)
    }

    /// The moves of several games, by id, with one question. A game with a move that cannot be read is
    /// left out.
    ///
    /// # Errors
    /// The database failed.
    pub async fn steps_of(&self, games: &[&str]) -> Result<HashMap<String, Vec<Move>>, StoreError> {
        if games.is_empty() {
            return Ok(HashMap::new());
        }
        let places: Vec<String> = (1..=games.len()).map(|n| format!("${n}")).collect();
        let sql = format!(
            "SELECT game, step FROM move WHERE game IN ({}) ORDER BY game, ply",
            places.join(", ")
        );
        let question = query(AssertSqlSafe(sql));
        let question = games.iter().fold(question, |all, &id| all.bind(id));
        let mut steps: HashMap<String, Option<Vec<Move>>> = games
            .iter()
            .map(|&id| (id.into(), Some(Vec::new())))
            .collect();
        for row in self.rows(question).await? {
            let (game, step): (String, String) = (row.try_get("game")?, row.try_get("step")?);
            let known = steps.remove(&game).flatten();
            let longer = known.zip(step.parse().ok()).map(|(mut known, step)| {
                known.push(step);
                known
            });
            steps.insert(game, longer);
        }
        let readable = steps.into_iter();
        Ok(readable
            .filter_map(|(game, steps)| Some((game, steps?)))
            .collect())
    }

    /// A game as a record, with its moves, times and scores.
    ///
    /// # Errors
    /// The database failed.
    pub async fn record(&self, game: &Game) -> Result<Record, StoreError> {
        let mut record = Record::new(game.rules.as_str());
        record.setup = game.setup;
        record.outcome = game.outcome;
        for (key, side) in [("White", Side::Defenders), ("Black", Side::Attackers)] {
            let seat = &game.seats[side];
            let name = seat.name.clone().unwrap_or_else(|| seat.player.to_string());
            let set = record.set_header(key, name);
            set.map_err(|_| StoreError::corrupt("header", key))?;
        }
        let moves = self.moves(&game.id).await?;
        let tree = record.tree_mut();
        let mut node = tree.root();
        // Whoever plays it may have gone on since it was read.
        for one in moves.into_iter().take(game.plies) {
            node = tree.add_move(node, one.step);
            let notes = tree.notes_mut(node);
            notes.spent_ms = one.spent_ms;
            notes.clock_ms = one.clock_ms;
            notes.score = one.score;
        }
        Ok(record)
    }
}

/// The moves of rows.
pub(crate) fn read_moves(rows: &[AnyRow]) -> Result<Vec<StoredMove>, StoreError> {
    let all: Option<Vec<StoredMove>> = rows.iter().map(read_move).collect::<Result<_, _>>()?;
    all.ok_or_else(|| StoreError::corrupt("move", "none"))
}

/// The move of a row, if there is one.
pub(crate) fn read_move(row: &AnyRow) -> Result<Option<StoredMove>, StoreError> {
    let Some(step) = row.try_get::<Option<String>, _>("step")? else {
        return Ok(None);
    };
    let score: Option<String> = row.try_get("score")?;
    let ms = |name| {
        let ms: Option<i64> = row.try_get(name)?;
        Ok::<_, StoreError>(ms.map(i64::unsigned_abs))
    };
    Ok(Some(StoredMove {
        step: step
            .parse()
            .map_err(|_| StoreError::corrupt("move", &step))?,
        spent_ms: ms("spent_ms")?,
        clock_ms: ms("clock_ms")?,
        score: score
            .map(|text| text.parse().map_err(|_| StoreError::corrupt("score", text)))
            .transpose()?,
    }))
}
