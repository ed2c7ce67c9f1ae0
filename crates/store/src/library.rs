//! Positions that were saved: ten quick slots, and a library by name.

use sqlx::{Row, any::AnyRow, query};
use tablut_rules::Setup;

use crate::{
    Entity, Store, StoreError,
    work::{Statement, Work},
};

/// A position with the rule set it was made under.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// The id of the rule set.
    pub rules: String,
    /// The pieces.
    pub setup: Setup,
}

/// A position of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedPosition {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The position.
    pub saved: Saved,
    /// When it was saved.
    pub saved_ms: i64,
}

fn saved(row: &AnyRow) -> Result<Saved, StoreError> {
    let setup: String = row.try_get("setup")?;
    Ok(Saved {
        rules: row.try_get("rules")?,
        setup: parse_setup(&setup)?,
    })
}

pub(crate) fn parse_setup(text: &str) -> Result<Setup, StoreError> {
    text.parse()
        .map_err(|_| StoreError::corrupt("position", text))
}

/// A text as it stands in a pattern of `LIKE`, with a backslash as the escape.
pub(crate) fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}

/// Puts something into a slot, or empties it, and gives what was in it.
async fn exchange(
    work: &mut Work,
    owner: &str,
    number: u8,
    content: Option<&Saved>,
    now_ms: i64,
) -> Result<Option<Saved>, StoreError> {
    let before = query("SELECT rules, setup FROM slot WHERE owner = $1 AND number = $2")
        .bind(owner)
        .bind(i64::from(number));
    let before = work.row(before).await?;
    let before = before.as_ref().map(saved).transpose()?;
    let change = match content {
        Some(Saved { rules, setup }) => query(
            "INSERT INTO slot (owner, number, rules, setup, saved_ms)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (owner, number) DO UPDATE SET rules = excluded.rules,
                 setup = excluded.setup, saved_ms = excluded.saved_ms",
        )
        .bind(owner)
        .bind(i64::from(number))
        .bind(rules)
        .bind(setup.to_string())
        .bind(now_ms),
        None => query("DELETE FROM slot WHERE owner = $1 AND number = $2")
            .bind(owner)
            .bind(i64::from(number)),
    };
    work.run(change).await?;
    Ok(before)
}

impl Store {
    /// The filled slots of an owner, by number.
    ///
    /// # Errors
    /// The database failed.
    pub async fn slots(&self, owner: &str) -> Result<Vec<(u8, Saved)>, StoreError> {
        let rows = self
            .rows(
                query("SELECT number, rules, setup FROM slot WHERE owner = $1 ORDER BY number")
                    .bind(owner),
            )
            .await?;
        rows.iter()
            .map(|row| {
                let number: i64 = row.try_get("number")?;
                let number = u8::try_from(number)
                    .map_err(|_| StoreError::corrupt("number of a slot", number.to_string()))?;
                Ok((number, saved(row)?))
            })
            .collect()
    }

    /// Fills or empties a slot of an owner, and gives what was in it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn save_slot(
        &self,
        owner: &str,
        number: u8,
        content: Option<&Saved>,
        now_ms: i64,
    ) -> Result<Option<Saved>, StoreError> {
        let mut work = self.write().await?;
        let before = exchange(&mut work, owner, number, content, now_ms).await;
        work.end(before).await
    }

    /// The positions of an owner's library whose names hold some text, in any letter case; the
    /// newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn positions(
        &self,
        owner: &str,
        text: &str,
        most: u32,
    ) -> Result<Vec<NamedPosition>, StoreError> {
        let escaped = escape_like(&text.to_lowercase());
        let rows = self
            .rows(
                query(
                    "SELECT id, name, rules, setup, saved_ms FROM position
             WHERE owner = $1 AND lower(name) LIKE $2 ESCAPE '\\'
             ORDER BY saved_ms DESC, id LIMIT $3",
                )
                .bind(owner)
                .bind(format!("%{escaped}%"))
                .bind(i64::from(most)),
            )
            .await?;
        rows.iter()
            .map(|row| {
                Ok(NamedPosition {
                    id: row.try_get("id")?,
                    name: row.try_get("name")?,
                    saved: saved(row)?,
                    saved_ms: row.try_get("saved_ms")?,
                })
            })
            .collect()
    }

    /// How many positions an owner's library has.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_positions(&self, owner: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM position WHERE owner = $1";
        self.count(query(sql).bind(owner)).await
    }

    /// Puts a new position into an owner's library.
    ///
    /// # Errors
    /// The database failed, or a position has this id.
    pub async fn add_position(
        &self,
        owner: &str,
        position: &NamedPosition,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO position (id, owner, name, rules, setup, saved_ms)
             VALUES ($1, $2, $3, $4, $5, $6)";
        self.write_one(bind(sql, owner, position)).await?;
        Ok(())
    }

    /// Changes a position of an owner's library.
    ///
    /// # Errors
    /// The database failed, or the owner has no such position.
    pub async fn change_position(
        &self,
        owner: &str,
        position: &NamedPosition,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE position SET name = $3, rules = $4, setup = $5, saved_ms = $6
             WHERE id = $1 AND owner = $2";
        self.write_own(bind(sql, owner, position)).await
    }

    /// Takes a position out of an owner's library.
    ///
    /// # Errors
    /// The database failed, or the owner has no such position.
    pub async fn delete_position(&self, owner: &str, id: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM position WHERE owner = $1 AND id = $2";
        self.write_own(query(sql).bind(owner).bind(id)).await
    }

    /// Writes to a position that an owner is said to have.
    async fn write_own(&self, statement: Statement<'_>) -> Result<(), StoreError> {
        match self.write_one(statement).await? {
            0 => Err(StoreError::Missing(Entity::Position)),
            _ => Ok(()),
        }
    }
}

/// A statement about all of a position: `$1` is its id, `$2` the owner, then name, rules, set-up, time.
fn bind<'q>(sql: &'static str, owner: &'q str, position: &'q NamedPosition) -> Statement<'q> {
    query(sql)
        .bind(&position.id)
        .bind(owner)
        .bind(&position.name)
        .bind(&position.saved.rules)
        .bind(position.saved.setup.to_string())
        .bind(position.saved_ms)
}
