//! How games go on: moves made and taken back, clocks, the end.

use sqlx::{Row, query};
use tablut_rules::{
    BySide, Move, Outcome, Side,
    record::{Record, Score},
};

use crate::{
    Game, Store, StoreError,
    game::{side_word, signed, winner_word},
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
}

impl Store {
    /// Keeps what happened in a game, all of it or nothing.
    ///
    /// # Errors
    /// The database failed, or the game does not have as many moves as was thought.
    pub async fn advance(
        &self,
        game: &str,
        progress: &Progress,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let kept = advance(&mut work, game, progress, now_ms).await;
        work.end(kept).await
    }

    /// The moves of a game.
    ///
    /// # Errors
    /// The database failed.
    pub async fn moves(&self, game: &str) -> Result<Vec<StoredMove>, StoreError> {
        let rows = self
            .rows(
                query(
                    "SELECT step, spent_ms, clock_ms, score FROM move WHERE game = $1 ORDER BY ply",
                )
                .bind(game),
            )
            .await?;
        rows.iter()
            .map(|row| {
                let step: String = row.try_get("step")?;
                let score: Option<String> = row.try_get("score")?;
                let ms = |name| {
                    let ms: Option<i64> = row.try_get(name)?;
                    Ok::<_, StoreError>(ms.map(i64::unsigned_abs))
                };
                Ok(StoredMove {
                    step: step
                        .parse()
                        .map_err(|_| StoreError::corrupt("move", &step))?,
                    spent_ms: ms("spent_ms")?,
                    clock_ms: ms("clock_ms")?,
                    score: score
                        .map(|text| text.parse().map_err(|_| StoreError::corrupt("score", text)))
                        .transpose()?,
                })
            })
            .collect()
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
        for one in moves {
            node = tree.add_move(node, one.step);
            let notes = tree.notes_mut(node);
            notes.spent_ms = one.spent_ms;
            notes.clock_ms = one.clock_ms;
            notes.score = one.score;
        }
        Ok(record)
    }
}

/// Stores the progress of a game within a larger transaction.
pub(crate) async fn advance(
    work: &mut Work,
    game: &str,
    progress: &Progress,
    now_ms: i64,
) -> Result<(), StoreError> {
    let Progress {
        before,
        keep,
        moves,
        left_ms,
        outcome,
    } = progress;
    let done = work
        .run(
            query(
                "UPDATE game SET plies = $3, winner = $4, reason = $5, changed_ms = $6
         WHERE id = $1 AND plies = $2",
            )
            .bind(game)
            .bind(*before as i64)
            .bind((keep + moves.len()) as i64)
            .bind(outcome.map(winner_word))
            .bind(outcome.map(|outcome| outcome.reason.to_string()))
            .bind(now_ms),
        )
        .await?;
    if done == 0 {
        return Err(StoreError::Stale);
    }
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
    for (side, left) in left_ms {
        if let Some(left) = *left {
            work.run(
                query("UPDATE seat SET left_ms = $3 WHERE game = $1 AND side = $2")
                    .bind(game)
                    .bind(side_word(side))
                    .bind(signed(left)),
            )
            .await?;
        }
    }
    Ok(())
}
