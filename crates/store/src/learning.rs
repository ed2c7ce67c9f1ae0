//! What visitors have learnt: steps of lessons, puzzles they tried, runs of puzzles, and ratings.

use sqlx::{Row, any::AnyRow, query};

use crate::{
    Entity, Store, StoreError,
    work::{Statement, Work},
};

/// A Glicko-2 rating, of a visitor or of a puzzle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StoredRating {
    /// The rating.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// How much it varies.
    pub volatility: f64,
}

impl StoredRating {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        let part = |name: &str| row.try_get::<i64, _>(name).map(|value| value as f64);
        Ok(Self {
            rating: part("rating")? / 1e3,
            deviation: part("deviation")? / 1e3,
            volatility: part("volatility")? / 1e6,
        })
    }

    fn bind<'q>(self, statement: Statement<'q>) -> Statement<'q> {
        statement
            .bind((self.rating * 1e3).round() as i64)
            .bind((self.deviation * 1e3).round() as i64)
            .bind((self.volatility * 1e6).round() as i64)
    }
}

/// How a visitor's first try at a puzzle ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleResult {
    /// With the solution.
    Solved,
    /// With a wrong move, or by giving up.
    Failed,
    /// With the solution, after a hint; it counts for no rating.
    Helped,
}

impl PuzzleResult {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Failed => "failed",
            Self::Helped => "helped",
        }
    }

    fn read(text: &str) -> Result<Self, StoreError> {
        [Self::Solved, Self::Failed, Self::Helped]
            .into_iter()
            .find(|result| result.word() == text)
            .ok_or_else(|| StoreError::corrupt("result of a puzzle", text))
    }
}

/// A visitor's first try at a puzzle.
#[derive(Clone, PartialEq, Debug)]
pub struct PuzzleTry {
    /// The id of the rule set.
    pub rules: String,
    /// The number of the puzzle.
    pub number: u32,
    /// How it ended.
    pub result: PuzzleResult,
    /// The visitor's rating after it.
    pub rating: f64,
    /// What it changed.
    pub gain: f64,
    /// When.
    pub tried_ms: i64,
}

/// A streak or a rush of puzzles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleRun {
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub owner: String,
    /// The id of the rule set.
    pub rules: String,
    /// What kind of run.
    pub kind: String,
    /// Puzzles solved.
    pub score: u32,
    /// Puzzles missed.
    pub misses: u32,
    /// The number of the puzzle that is to be solved now.
    pub puzzle: u32,
    /// When it began.
    pub began_ms: i64,
    /// When it ended, if it has.
    pub ended_ms: Option<i64>,
}

fn unsigned(row: &AnyRow, name: &'static str) -> Result<u32, StoreError> {
    let number: i64 = row.try_get(name)?;
    u32::try_from(number).map_err(|_| StoreError::corrupt(name, number.to_string()))
}

impl PuzzleRun {
    fn read(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.try_get("id")?,
            owner: row.try_get("owner")?,
            rules: row.try_get("rules")?,
            kind: row.try_get("kind")?,
            score: unsigned(row, "score")?,
            misses: unsigned(row, "misses")?,
            puzzle: unsigned(row, "puzzle")?,
            began_ms: row.try_get("began_ms")?,
            ended_ms: row.try_get("ended_ms")?,
        })
    }
}

/// What a first try at a puzzle changes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PuzzleSettlement {
    /// How it ended.
    pub result: PuzzleResult,
    /// The visitor's rating before and after.
    pub player: (StoredRating, StoredRating),
    /// The puzzle's rating after.
    pub puzzle: StoredRating,
}

impl Store {
    /// The steps of lessons that an owner has done under a rule set: the lesson and the step.
    ///
    /// # Errors
    /// The database failed.
    pub async fn lesson_steps(
        &self,
        owner: &str,
        rules: &str,
    ) -> Result<Vec<(String, u32)>, StoreError> {
        let sql = "SELECT lesson, step FROM lesson_step WHERE owner = $1 AND rules = $2
             ORDER BY lesson, step";
        let rows = self.rows(query(sql).bind(owner).bind(rules)).await?;
        rows.iter()
            .map(|row| Ok((row.try_get("lesson")?, unsigned(row, "step")?)))
            .collect()
    }

    /// Keeps that an owner has done a step of a lesson; nothing changes if that is kept already.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_lesson_step(
        &self,
        owner: &str,
        rules: &str,
        lesson: &str,
        step: u32,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO lesson_step (owner, rules, lesson, step, done_ms)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (owner, rules, lesson, step) DO NOTHING";
        let statement = query(sql).bind(owner).bind(rules).bind(lesson);
        self.write_one(statement.bind(i64::from(step)).bind(now_ms))
            .await?;
        Ok(())
    }

    /// How strong an owner is at puzzles; nothing before the first try.
    ///
    /// # Errors
    /// The database failed.
    pub async fn puzzle_player(&self, owner: &str) -> Result<Option<StoredRating>, StoreError> {
        let sql = "SELECT rating, deviation, volatility FROM puzzle_player WHERE owner = $1";
        let row = self.row(query(sql).bind(owner)).await?;
        row.as_ref().map(StoredRating::read).transpose()
    }

    /// The ratings of the puzzles of a rule set that somebody has tried, by number.
    ///
    /// # Errors
    /// The database failed.
    pub async fn puzzle_ratings(
        &self,
        rules: &str,
    ) -> Result<Vec<(u32, StoredRating)>, StoreError> {
        let sql = "SELECT number, rating, deviation, volatility FROM puzzle_rating
             WHERE rules = $1 ORDER BY number";
        let rows = self.rows(query(sql).bind(rules)).await?;
        rows.iter()
            .map(|row| Ok((unsigned(row, "number")?, StoredRating::read(row)?)))
            .collect()
    }

    /// The first tries of an owner at puzzles of a rule set, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn puzzle_tries(
        &self,
        owner: &str,
        rules: &str,
    ) -> Result<Vec<PuzzleTry>, StoreError> {
        let sql = "SELECT rules, number, result, rating, gain, tried_ms FROM puzzle_try
             WHERE owner = $1 AND rules = $2 ORDER BY tried_ms DESC, number DESC";
        let rows = self.rows(query(sql).bind(owner).bind(rules)).await?;
        let thousandths = |row: &AnyRow, name: &str| {
            let value: i64 = row.try_get(name)?;
            Ok::<f64, StoreError>(value as f64 / 1e3)
        };
        rows.iter()
            .map(|row| {
                Ok(PuzzleTry {
                    rules: row.try_get("rules")?,
                    number: unsigned(row, "number")?,
                    result: PuzzleResult::read(row.try_get("result")?)?,
                    rating: thousandths(row, "rating")?,
                    gain: thousandths(row, "gain")?,
                    tried_ms: row.try_get("tried_ms")?,
                })
            })
            .collect()
    }

    /// Keeps an owner's first try at a puzzle with what it changes; `rate` is given the ratings there
    /// are, of the owner and of the puzzle. Gives nothing if there was a try before.
    ///
    /// # Errors
    /// The database failed.
    pub async fn settle_puzzle(
        &self,
        owner: &str,
        rules: &str,
        number: u32,
        now_ms: i64,
        rate: impl FnOnce(Option<StoredRating>, Option<StoredRating>) -> PuzzleSettlement + Send,
    ) -> Result<Option<PuzzleSettlement>, StoreError> {
        let mut work = self.write().await?;
        let settled = settle(&mut work, owner, rules, number, now_ms, rate).await;
        work.end(settled).await
    }

    /// Keeps a new run. Of the owner's earlier ones of its kind only the best stays.
    ///
    /// # Errors
    /// The database failed.
    pub async fn begin_puzzle_run(&self, run: &PuzzleRun) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let begun = begin_run(&mut work, run).await;
        work.end(begun).await
    }

    /// A run of an owner.
    ///
    /// # Errors
    /// The database failed, or there is no such run.
    pub async fn puzzle_run(&self, owner: &str, id: &str) -> Result<PuzzleRun, StoreError> {
        let sql = "SELECT id, owner, rules, kind, score, misses, puzzle, began_ms, ended_ms
             FROM puzzle_run WHERE owner = $1 AND id = $2";
        let row = self.row(query(sql).bind(owner).bind(id)).await?;
        let row = row.ok_or(StoreError::Missing(Entity::Run))?;
        PuzzleRun::read(&row)
    }

    /// Keeps how a run has gone on since it was as `before`; false if it has gone on otherwise.
    ///
    /// # Errors
    /// The database failed.
    pub async fn advance_puzzle_run(
        &self,
        before: &PuzzleRun,
        after: &PuzzleRun,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE puzzle_run SET score = $1, misses = $2, puzzle = $3, ended_ms = $4
             WHERE id = $5 AND score = $6 AND misses = $7 AND puzzle = $8 AND ended_ms IS NULL";
        let statement = query(sql)
            .bind(i64::from(after.score))
            .bind(i64::from(after.misses))
            .bind(i64::from(after.puzzle))
            .bind(after.ended_ms)
            .bind(&before.id)
            .bind(i64::from(before.score))
            .bind(i64::from(before.misses))
            .bind(i64::from(before.puzzle));
        Ok(self.write_one(statement).await? == 1)
    }

    /// The best score of an owner's runs of a kind under a rule set.
    ///
    /// # Errors
    /// The database failed.
    pub async fn best_puzzle_run(
        &self,
        owner: &str,
        rules: &str,
        kind: &str,
    ) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(max(score), 0) FROM puzzle_run
             WHERE owner = $1 AND rules = $2 AND kind = $3";
        self.count(query(sql).bind(owner).bind(rules).bind(kind))
            .await
    }
}

async fn begin_run(work: &mut Work, run: &PuzzleRun) -> Result<(), StoreError> {
    let sql = "DELETE FROM puzzle_run WHERE owner = $1 AND rules = $2 AND kind = $3 AND id NOT IN
         (SELECT id FROM puzzle_run WHERE owner = $1 AND rules = $2 AND kind = $3
          ORDER BY score DESC, id LIMIT 1)";
    let statement = query(sql).bind(&run.owner).bind(&run.rules).bind(&run.kind);
    work.run(statement).await?;
    let sql = "INSERT INTO puzzle_run
         (id, owner, rules, kind, score, misses, puzzle, began_ms, ended_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let statement = query(sql)
        .bind(&run.id)
        .bind(&run.owner)
        .bind(&run.rules)
        .bind(&run.kind)
        .bind(i64::from(run.score))
        .bind(i64::from(run.misses))
        .bind(i64::from(run.puzzle))
        .bind(run.began_ms)
        .bind(run.ended_ms);
    work.run(statement).await?;
    Ok(())
}

async fn settle(
    work: &mut Work,
    owner: &str,
    rules: &str,
    number: u32,
    now_ms: i64,
    rate: impl FnOnce(Option<StoredRating>, Option<StoredRating>) -> PuzzleSettlement + Send,
) -> Result<Option<PuzzleSettlement>, StoreError> {
    // Taken first, so that of two tries at once one waits and is then refused.
    let sql = "INSERT INTO puzzle_try (owner, rules, number, result, rating, gain, tried_ms)
         VALUES ($1, $2, $3, 'failed', 0, 0, $4) ON CONFLICT (owner, rules, number) DO NOTHING";
    let statement = query(sql).bind(owner).bind(rules).bind(i64::from(number));
    if work.run(statement.bind(now_ms)).await? == 0 {
        return Ok(None);
    }
    let sql = "SELECT rating, deviation, volatility FROM puzzle_player WHERE owner = $1";
    let player = work.row(query(sql).bind(owner)).await?;
    let player = player.as_ref().map(StoredRating::read).transpose()?;
    let sql = "SELECT rating, deviation, volatility FROM puzzle_rating
         WHERE rules = $1 AND number = $2";
    let puzzle = work
        .row(query(sql).bind(rules).bind(i64::from(number)))
        .await?;
    let puzzle = puzzle.as_ref().map(StoredRating::read).transpose()?;
    let settled = rate(player, puzzle);
    let (before, after) = settled.player;
    let sql = "INSERT INTO puzzle_player (owner, rating, deviation, volatility)
         VALUES ($1, $2, $3, $4) ON CONFLICT (owner) DO UPDATE SET rating = excluded.rating,
             deviation = excluded.deviation, volatility = excluded.volatility";
    work.run(after.bind(query(sql).bind(owner))).await?;
    let sql = "INSERT INTO puzzle_rating (rules, number, rating, deviation, volatility)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (rules, number) DO UPDATE SET
             rating = excluded.rating, deviation = excluded.deviation,
             volatility = excluded.volatility";
    let statement = query(sql).bind(rules).bind(i64::from(number));
    work.run(settled.puzzle.bind(statement)).await?;
    let sql = "UPDATE puzzle_try SET result = $1, rating = $2, gain = $3
         WHERE owner = $4 AND rules = $5 AND number = $6";
    let thousandths = |value: f64| (value * 1e3).round() as i64;
    let statement = query(sql)
        .bind(settled.result.word())
        .bind(thousandths(after.rating))
        .bind(thousandths(after.rating - before.rating))
        .bind(owner)
        .bind(rules)
        .bind(i64::from(number));
    work.run(statement).await?;
    Ok(Some(settled))
}
