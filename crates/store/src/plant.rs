//! Many filed games at once, for benchmarks: what filing them one by one would leave, but for their moves.

use sqlx::{AssertSqlSafe, query};
use tablut_archive::Footprint;
use tablut_rules::{BySide, Outcome, Setup};

use crate::{
    Store, StoreError,
    filing::{EXPLORE, OPENING_PLIES, number, write_rows},
    game::winner_word,
    work::Work,
};

/// A game to plant.
#[derive(Clone, Debug)]
pub struct Planted {
    /// Its id.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Who played.
    pub players: BySide<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// When.
    pub ended_ms: i64,
    /// Where it passed, with the moves made there.
    pub path: Vec<Footprint>,
    /// What was on the board at the end.
    pub last: Setup,
    /// Who may see it besides those who may see everything; nobody means everybody.
    pub reader: Option<String>,
}

/// Puts many games into a store, and builds the indexes over passages at the end.
#[derive(Debug)]
pub struct Planter {
    store: Store,
}

impl Planter {
    /// Begins: what is slow with an index in place is done without it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn begin(store: &Store) -> Result<Self, StoreError> {
        store
            .write_one(query("DROP INDEX passage_by_place"))
            .await?;
        Ok(Self {
            store: store.clone(),
        })
    }

    /// Adds games.
    ///
    /// # Errors
    /// The database failed.
    pub async fn add(&self, games: &[Planted]) -> Result<(), StoreError> {
        let mut work = self.store.write().await?;
        let added = add(&mut work, games).await;
        work.end(added).await
    }

    /// Counts the openings, and builds the index.
    ///
    /// # Errors
    /// The database failed.
    pub async fn finish(self) -> Result<(), StoreError> {
        let count = format!(
            "{EXPLORE} SELECT p.place, p.step, count(CASE WHEN e.winner = 'defenders' THEN 1 END),
                 count(CASE WHEN e.winner = 'attackers' THEN 1 END),
                 count(CASE WHEN e.winner = 'nobody' THEN 1 END), 0, 0
             FROM passage p JOIN entry e ON e.number = p.number
             WHERE p.is_late = 0 GROUP BY p.place, p.step"
        );
        let players = "INSERT INTO player (name, shown, games)
             SELECT name, name, count(*) FROM participant GROUP BY name";
        for sql in [
            count,
            players.into(),
            "CREATE INDEX passage_by_place ON passage (place, number)".into(),
            "ANALYZE".into(),
        ] {
            self.store.write_long(query(AssertSqlSafe(sql))).await?;
        }
        Ok(())
    }
}

async fn add(work: &mut Work, games: &[Planted]) -> Result<(), StoreError> {
    let mut passages = Vec::new();
    let (mut rows, mut who, mut readers, mut kept, mut seats) =
        <(Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    for game in games {
        let number = number(&game.game, game.ended_ms);
        let text = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let (id, rules) = (text(&game.game), text(&game.rules));
        let (winner, reason) = (winner_word(game.outcome), game.outcome.reason);
        let BySide {
            attackers,
            defenders,
        } = &game.players;
        let (plies, ended_ms, is_public) = (
            game.path.len(),
            game.ended_ms,
            i32::from(game.reader.is_none()),
        );
        rows.push(format!(
            "({number}, {id}, {rules}, '{winner}', '{reason}', {plies}, {ended_ms}, {is_public}, {}, {}, NULL, NULL, {})",
            text(defenders), text(attackers), text(&game.last.to_string())
        ));
        let owner = text(game.reader.as_deref().unwrap_or("tournament"));
        kept.push(format!(
            "({id}, {owner}, {rules}, 'none', 0, {plies}, '{winner}', '{reason}', {ended_ms}, {ended_ms}, {number})"
        ));
        for (side, name) in [("attackers", attackers), ("defenders", defenders)] {
            who.push(format!(
                "({}, {number}, '{side}')",
                text(&name.to_lowercase())
            ));
            seats.push(format!("({id}, '{side}', {}, '')", text(name)));
        }
        if let Some(reader) = &game.reader {
            readers.push(format!("({}, {number})", text(reader)));
        }
        for (ply, print) in game.path.iter().enumerate() {
            let late = i64::from(ply >= OPENING_PLIES);
            passages.push(vec![
                print.place.0.cast_signed(),
                number,
                i64::from(print.step.bits()),
                late,
            ]);
        }
    }
    for (head, rows) in [
        (
            "INSERT INTO game (id, owner, rules, control, take_backs, plies, winner, reason, created_ms, changed_ms, filed)",
            kept,
        ),
        ("INSERT INTO seat (game, side, player, secret)", seats),
        (
            "INSERT INTO entry (number, game, rules, winner, reason, plies, ended_ms, is_public, white, black, white_rating, black_rating, last)",
            rows,
        ),
        ("INSERT INTO participant (name, number, side)", who),
        ("INSERT INTO reader (visitor, number)", readers),
    ] {
        if !rows.is_empty() {
            let sql = format!("{head} VALUES {}", rows.join(", "));
            work.run(query(AssertSqlSafe(sql))).await?;
        }
    }
    write_rows(
        work,
        "INSERT INTO passage (place, number, step, is_late)",
        "",
        &passages,
    )
    .await
}
