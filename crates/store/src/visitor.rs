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
        let known = || self.row(query("SELECT name FROM visitor WHERE id = $1").bind(id));
        let name = match known().await? {
            Some(row) => row.try_get(0)?,
            None => {
                let sql = "INSERT INTO visitor (id, created_ms) VALUES ($1, $2)
                     ON CONFLICT (id) DO NOTHING";
                self.write_one(query(sql).bind(id).bind(now_ms)).await?;
                None
            }
        };
        Ok(Visitor {
            id: id.into(),
            name,
        })
    }

    /// Gives a visitor a name, or none.
    ///
    /// # Errors
    /// The database failed, or there is no such visitor.
    pub async fn name_visitor(&self, id: &str, name: Option<&str>) -> Result<(), StoreError> {
        let sql = "UPDATE visitor SET name = $2 WHERE id = $1";
        match self.write_one(query(sql).bind(id).bind(name)).await? {
            0 => Err(StoreError::Missing("visitor")),
            _ => Ok(()),
        }
    }

    /// All settings of an owner, by name.
    ///
    /// # Errors
    /// The database failed.
    pub async fn settings(&self, owner: &str) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT name, value FROM setting WHERE owner = $1 ORDER BY name";
        let rows = self.rows(query(sql).bind(owner)).await?;
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
        let sql = "INSERT INTO setting (owner, name, value) VALUES ($1, $2, $3)
             ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value";
        self.write_one(query(sql).bind(owner).bind(name).bind(value))
            .await?;
        Ok(())
    }
}
