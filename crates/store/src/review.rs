//! Reviews of games, as texts that only their makers understand.

use sqlx::{Row, query};

use crate::{Store, StoreError, work::Work};

/// Puts a review in, and takes out those that are older than the newest `most`.
async fn keep(
    work: &mut Work,
    id: &str,
    text: &str,
    now_ms: i64,
    most: u32,
) -> Result<(), StoreError> {
    let put = query(
        "INSERT INTO review (id, text, made_ms) VALUES ($1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET text = excluded.text, made_ms = excluded.made_ms",
    );
    work.run(put.bind(id).bind(text).bind(now_ms)).await?;
    let thin_out = query(
        "DELETE FROM review WHERE made_ms <=
             (SELECT made_ms FROM review ORDER BY made_ms DESC LIMIT 1 OFFSET $1)",
    );
    work.run(thin_out.bind(i64::from(most))).await?;
    Ok(())
}

impl Store {
    /// The review with an id.
    ///
    /// # Errors
    /// The database failed.
    pub async fn review(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row = query("SELECT text FROM review WHERE id = $1").bind(id);
        let row = self.row(row).await?;
        row.map(|row| Ok(row.try_get(0)?)).transpose()
    }

    /// Keeps a review; of all, only the newest `most` stay.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep_review(
        &self,
        id: &str,
        text: &str,
        now_ms: i64,
        most: u32,
    ) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let kept = keep(&mut work, id, text, now_ms, most).await;
        work.end(kept).await
    }
}
