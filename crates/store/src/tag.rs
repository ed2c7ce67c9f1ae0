//! What visitors call games for themselves.

use sqlx::{Row, query};

use crate::{Entity, Store, StoreError, Viewer};

impl Store {
    /// Calls a game by a word, or no longer, for one visitor.
    ///
    /// # Errors
    /// The database failed, or there is no such game that the visitor may see.
    pub async fn tag_game(
        &self,
        viewer: &Viewer,
        owner: &str,
        number: i64,
        word: &str,
        is_on: bool,
    ) -> Result<(), StoreError> {
        let seen = match viewer {
            Viewer::Everything => query("SELECT 1 FROM entry WHERE number = $1").bind(number),
            Viewer::Visitor(id) => query(
                "SELECT 1 FROM entry WHERE number = $1 AND (is_public = 1
                     OR EXISTS (SELECT 1 FROM reader WHERE visitor = $2 AND number = $1))",
            )
            .bind(number)
            .bind(id),
        };
        if self.row(seen).await?.is_none() {
            return Err(StoreError::Missing(Entity::Game));
        }
        let sql = match is_on {
            true => {
                "INSERT INTO tag (owner, word, number) VALUES ($1, $2, $3)
                 ON CONFLICT (owner, word, number) DO NOTHING"
            }
            false => "DELETE FROM tag WHERE owner = $1 AND word = $2 AND number = $3",
        };
        self.write_one(query(sql).bind(owner).bind(word).bind(number))
            .await?;
        Ok(())
    }

    /// The words of a visitor, with how many games have them.
    ///
    /// # Errors
    /// The database failed.
    pub async fn tags(&self, owner: &str) -> Result<Vec<(String, u64)>, StoreError> {
        let sql =
            "SELECT word, count(*) AS games FROM tag WHERE owner = $1 GROUP BY word ORDER BY word";
        let rows = self.rows(query(sql).bind(owner)).await?;
        rows.iter()
            .map(|row| {
                let games: i64 = row.try_get("games")?;
                Ok((row.try_get("word")?, games.unsigned_abs()))
            })
            .collect()
    }

    /// What a visitor calls games: their numbers with the words.
    ///
    /// # Errors
    /// The database failed.
    pub async fn tags_of(
        &self,
        owner: &str,
        numbers: &[i64],
    ) -> Result<Vec<(i64, String)>, StoreError> {
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let places: Vec<String> = (2..).take(numbers.len()).map(|n| format!("${n}")).collect();
        let sql = format!(
            "SELECT number, word FROM tag WHERE owner = $1 AND number IN ({}) ORDER BY number, word",
            places.join(", ")
        );
        let mut statement = query(sqlx::AssertSqlSafe(sql)).bind(owner);
        for &number in numbers {
            statement = statement.bind(number);
        }
        let rows = self.rows(statement).await?;
        rows.iter()
            .map(|row| Ok((row.try_get("number")?, row.try_get("word")?)))
            .collect()
    }

    /// How many tags a visitor has.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_tags(&self, owner: &str) -> Result<u64, StoreError> {
        self.count(query("SELECT count(*) FROM tag WHERE owner = $1").bind(owner))
            .await
    }
}
