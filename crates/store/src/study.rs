//! Studies: a visitor's board, and those that were given a name.

use sqlx::{AssertSqlSafe, Row, any::AnyRow, query};
use tablut_rules::Setup;

use crate::{
    Entity, Saved, Store, StoreError,
    library::parse_setup,
    work::{Statement, Work},
};

/// A study as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptStudy {
    /// What lists show.
    pub title: StudyTitle,
    /// Whose it is.
    pub owner: String,
    /// How often it was changed.
    pub version: u64,
    /// The node that is looked at.
    pub cursor: u32,
    /// The board; this crate does not read it.
    pub body: String,
    /// What can be undone; this crate does not read it.
    pub journal: String,
}

/// What lists show of a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyTitle {
    /// Its id.
    pub id: String,
    /// Its name; nothing for a visitor's board.
    pub name: Option<String>,
    /// Its root.
    pub root: Saved,
    /// How many moves it has.
    pub moves: u64,
    /// When it was changed last.
    pub changed_ms: i64,
}

const TITLE: &str = "id, name, rules, setup, moves, changed_ms";

fn title(row: &AnyRow) -> Result<StudyTitle, StoreError> {
    let setup: String = row.try_get("setup")?;
    Ok(StudyTitle {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        root: Saved {
            rules: row.try_get("rules")?,
            setup: parse_setup(&setup)?,
        },
        moves: number(row, "moves")?,
        changed_ms: row.try_get("changed_ms")?,
    })
}

fn number<T: TryFrom<i64>>(row: &AnyRow, column: &str) -> Result<T, StoreError> {
    let number: i64 = row.try_get(column)?;
    let corrupt = |_| StoreError::corrupt("number of a study", number.to_string());
    T::try_from(number).map_err(corrupt)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn study(row: &AnyRow) -> Result<KeptStudy, StoreError> {
    Ok(KeptStudy {
        title: title(row)?,
        owner: row.try_get("owner")?,
        version: number(row, "version")?,
        cursor: number(row, "cursor_node")?,
        body: row.try_get("body")?,
        journal: row.try_get("journal")?,
    })
}

/// A statement about all of a study: `$1` is its id, `$2` the owner, then the rest in the order of the table.
fn bind<'q>(sql: &'static str, study: &'q KeptStudy, setup: &Setup) -> Statement<'q> {
    query(sql)
        .bind(&study.title.id)
        .bind(&study.owner)
        .bind(&study.title.name)
        .bind(signed(study.version))
        .bind(i64::from(study.cursor))
        .bind(&study.title.root.rules)
        .bind(setup.to_string())
        .bind(signed(study.title.moves))
        .bind(&study.body)
        .bind(&study.journal)
        .bind(study.title.changed_ms)
}

/// Adds a study; a board makes way for none that is there already.
async fn insert(work: &mut Work, study: &KeptStudy) -> Result<(), StoreError> {
    let sql = "INSERT INTO study (id, owner, name, version, cursor_node, rules, setup, moves, body, journal,
             changed_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING";
    match work.run(bind(sql, study, &study.title.root.setup)).await? {
        0 => Err(StoreError::Stale),
        _ => Ok(()),
    }
}

impl Store {
    /// A study, whoever's it is.
    ///
    /// # Errors
    /// The database failed, or there is none.
    pub async fn study(&self, id: &str) -> Result<KeptStudy, StoreError> {
        let sql = format!(
            "SELECT {TITLE}, owner, version, cursor_node, body, journal FROM study WHERE id = $1"
        );
        let row = self.row(query(AssertSqlSafe(sql)).bind(id)).await?;
        let row = row.ok_or(StoreError::Missing(Entity::Study))?;
        study(&row)
    }

    /// The board of an owner, if they have one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn board_of(&self, owner: &str) -> Result<Option<KeptStudy>, StoreError> {
        let sql = format!(
            "SELECT {TITLE}, owner, version, cursor_node, body, journal FROM study
             WHERE owner = $1 AND name IS NULL"
        );
        let row = self.row(query(AssertSqlSafe(sql)).bind(owner)).await?;
        row.as_ref().map(study).transpose()
    }

    /// The studies of an owner that have a name, the newest first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn studies_of(&self, owner: &str, most: u32) -> Result<Vec<StudyTitle>, StoreError> {
        let sql = format!(
            "SELECT {TITLE} FROM study WHERE owner = $1 AND name IS NOT NULL
             ORDER BY changed_ms DESC, id LIMIT $2"
        );
        let statement = query(AssertSqlSafe(sql)).bind(owner).bind(i64::from(most));
        self.rows(statement).await?.iter().map(title).collect()
    }

    /// How many studies an owner has, the board included.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_studies(&self, owner: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM study WHERE owner = $1";
        self.count(query(sql).bind(owner)).await
    }

    /// Keeps a new study.
    ///
    /// # Errors
    /// The database failed, or [`StoreError::Stale`]: the owner has a board already.
    pub async fn create_study(&self, study: &KeptStudy) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let done = insert(&mut work, study).await;
        work.end(done).await?;
        self.announce_study(&study.owner, &study.title.id, study.version);
        Ok(())
    }

    /// Keeps a study that was changed once since it was read: its version is one more than it was.
    ///
    /// # Errors
    /// The database failed, or [`StoreError::Stale`]: it is gone, or was changed elsewhere.
    pub async fn save_study(&self, study: &KeptStudy) -> Result<(), StoreError> {
        let sql =
            "UPDATE study SET name = $3, version = $4, cursor_node = $5, rules = $6, setup = $7,
             moves = $8, body = $9, journal = $10, changed_ms = $11
             WHERE id = $1 AND owner = $2 AND version = $4 - 1";
        match self
            .write_one(bind(sql, study, &study.title.root.setup))
            .await?
        {
            0 => Err(StoreError::Stale),
            _ => {
                self.announce_study(&study.owner, &study.title.id, study.version);
                Ok(())
            }
        }
    }

    /// Keeps where an owner looks in a study.
    ///
    /// # Errors
    /// The database failed, or the owner has no such study.
    pub async fn move_cursor(&self, owner: &str, id: &str, cursor: u32) -> Result<(), StoreError> {
        let sql = "UPDATE study SET cursor_node = $3 WHERE id = $1 AND owner = $2";
        let statement = query(sql).bind(id).bind(owner).bind(i64::from(cursor));
        self.write_study(statement).await
    }

    /// Deletes a study of an owner for good.
    ///
    /// # Errors
    /// The database failed, or the owner has no such study.
    pub async fn delete_study(&self, owner: &str, id: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM study WHERE id = $1 AND owner = $2";
        self.write_study(query(sql).bind(id).bind(owner)).await
    }

    /// Writes to a study that an owner is said to have.
    async fn write_study(&self, statement: Statement<'_>) -> Result<(), StoreError> {
        match self.write_one(statement).await? {
            0 => Err(StoreError::Missing(Entity::Study)),
            _ => Ok(()),
        }
    }
}
