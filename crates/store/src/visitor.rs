//! Visitors and their settings.

use sqlx::{Row, query};

use crate::{Store, StoreError};

/// Somebody who came by: known by an id that only their browser has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// The id.
    pub id: String,
    /// The name they chose.
    pub name: Option<String>,
}

impl Store {
    /// The visitor with an id, who is new if nobody has it yet.
    ///
    /// # Errors
    /// The database failed.
    pub async fn visitor(&self, id: &str, now_ms: i64) -> Result<Visitor, StoreError> {
        query("INSERT INTO visitor (id, created_ms) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING")
            .bind(id)
            .bind(now_ms)
            .execute(&self.pool)
            .await?;
        let row = query("SELECT name FROM visitor WHERE id = $1")
            .bind(id)
            .fetch_one(&self.pool)
            .await?;
        Ok(Visitor {
            id: id.into(),
            name: row.try_get(0)?,
        })
    }

    /// Gives a visitor a name, or none.
    ///
    /// # Errors
    /// The database failed, or there is no such visitor.
    pub async fn name_visitor(&self, id: &str, name: Option<&str>) -> Result<(), StoreError> {
        let done = query("UPDATE visitor SET name = $2 WHERE id = $1")
            .bind(id)
            .bind(name)
            .execute(&self.pool)
            .await?;
        match done.rows_affected() {
            0 => Err(StoreError::Missing("visitor")),
            _ => Ok(()),
        }
    }

    /// All settings of an owner, by name.
    ///
    /// # Errors
    /// The database failed.
    pub async fn settings(&self, owner: &str) -> Result<Vec<(String, String)>, StoreError> {
        let rows = query("SELECT name, value FROM setting WHERE owner = $1 ORDER BY name")
            .bind(owner)
            .fetch_all(&self.pool)
            .await?;
        rows.iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
            .collect()
    }

    /// Keeps a setting of an owner.
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_setting(
        &self,
        owner: &str,
        name: &str,
        value: &str,
    ) -> Result<(), StoreError> {
        query(
            "INSERT INTO setting (owner, name, value) VALUES ($1, $2, $3)
             ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value",
        )
        .bind(owner)
        .bind(name)
        .bind(value)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
