//! Visitors and their settings.

use sqlx::{Row, any::AnyRow, query};

use crate::{Entity, Store, StoreError};

/// A visitor, known by an id that only their browser has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visitor {
    /// The id.
    pub id: String,
    /// The name they chose.
    pub name: Option<String>,
}

impl Visitor {
    /// A visitor who has chosen no name.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: None,
        }
    }
}

/// What visitors make more of, and what therefore has a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Visitors themselves; each has at most ten slots and a few settings.
    Visitors,
    /// Games, whoever plays them.
    Games,
    /// Positions in libraries.
    Positions,
    /// Studies: boards, and those with a name.
    Studies,
}

impl Store {
    /// The visitor with an id, if one is kept.
    ///
    /// # Errors
    /// The database failed.
    pub async fn visitor(&self, id: &str) -> Result<Option<Visitor>, StoreError> {
        let row = query("SELECT name FROM visitor WHERE id = $1").bind(id);
        let visitor = |row: AnyRow| {
            Ok(Visitor {
                id: id.into(),
                name: row.try_get(0)?,
            })
        };
        self.row(row).await?.map(visitor).transpose()
    }

    /// Keeps a visitor who has something to be kept; nothing changes if they are kept already.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_visitor(&self, id: &str, now_ms: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO visitor (id, created_ms) VALUES ($1, $2)
             ON CONFLICT (id) DO NOTHING";
        self.write_one(query(sql).bind(id).bind(now_ms)).await?;
        Ok(())
    }

    /// Forgets visitors who came before a time and left nothing: no name, setting, slot, position,
    /// study, game, lesson or puzzle. Says how many.
    ///
    /// # Errors
    /// The database failed.
    pub async fn forget_visitors(&self, before_ms: i64) -> Result<u64, StoreError> {
        let sql = "DELETE FROM visitor WHERE created_ms < $1 AND name IS NULL
             AND NOT EXISTS (SELECT 1 FROM setting WHERE owner = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM slot WHERE owner = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM position WHERE owner = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM study WHERE owner = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM game WHERE owner = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM seat WHERE holder = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM lesson_step WHERE owner = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM puzzle_try WHERE owner = visitor.id)
             AND NOT EXISTS (SELECT 1 FROM puzzle_run WHERE owner = visitor.id)";
        self.write_one(query(sql).bind(before_ms)).await
    }

    /// How many of something are kept, for all visitors together.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_kept(&self, what: Kept) -> Result<u64, StoreError> {
        self.count(query(match what {
            Kept::Visitors => "SELECT count(*) FROM visitor",
            Kept::Games => "SELECT count(*) FROM game",
            Kept::Positions => "SELECT count(*) FROM position",
            Kept::Studies => "SELECT count(*) FROM study",
        }))
        .await
    }

    /// Gives a visitor a name, or none.
    ///
    /// # Errors
    /// The database failed, or there is no such visitor.
    pub async fn name_visitor(&self, id: &str, name: Option<&str>) -> Result<(), StoreError> {
        let sql = "UPDATE visitor SET name = $2 WHERE id = $1";
        match self.write_one(query(sql).bind(id).bind(name)).await? {
            0 => Err(StoreError::Missing(Entity::Visitor)),
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
