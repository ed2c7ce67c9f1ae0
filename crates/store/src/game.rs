//! Games: what was agreed, who sits where, how they stand.

use sqlx::{Row, any::AnyRow, query};
use tablut_rules::{BySide, Outcome, Setup, Side};

use crate::{Store, StoreError, library::parse_setup, work::Work};

/// A game without its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The id.
    pub id: String,
    /// The visitor who made it.
    pub owner: String,
    /// The id of the rule set.
    pub rules: String,
    /// Where it starts, if not from the rule set's own start.
    pub setup: Option<Setup>,
    /// How time is counted, in the words of whoever counts it.
    pub control: String,
    /// Whether moves may be taken back.
    pub take_backs: bool,
    /// Who plays.
    pub seats: BySide<Seat>,
    /// How many moves have been made.
    pub plies: usize,
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
    /// The game that follows this one with sides swapped.
    pub rematch: Option<String>,
    /// When it was made.
    pub created_ms: i64,
    /// When something last happened.
    pub changed_ms: i64,
}

/// One side's place in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Who plays, in the words of whoever plays: `person`, `level:3`.
    pub player: String,
    /// What a person has to know to sit here. It is kept for as long as somebody can sit down with it:
    /// empty when the seat is taken, or never was to be taken here.
    pub secret: String,
    /// The visitor who sits here.
    pub holder: Option<String>,
    /// The name of the visitor when they sat down.
    pub name: Option<String>,
    /// What was left on the clock after the side's last move.
    pub left_ms: Option<u64>,
}

impl Seat {
    fn secret_to_keep(&self, game: &Game) -> &str {
        match self.holder.is_none() && self.player == "person" && !game.is_foreign() {
            true => &self.secret,
            false => "",
        }
    }
}

impl Game {
    /// The owner of games that a tournament plays.
    pub const OF_TOURNAMENT: &str = "tournament";
    /// The owner of games between clients of the Challenge that come by themselves.
    pub const OF_REFEREE: &str = "referee";

    /// Whether somebody else plays it, so that here one can only watch.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        [Self::OF_TOURNAMENT, Self::OF_REFEREE].contains(&self.owner.as_str())
    }
}

/// Which of somebody's games are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameFilter {
    /// All of them.
    All,
    /// Those that are not over.
    Open,
}

pub(crate) const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Attackers => "attackers",
        Side::Defenders => "defenders",
    }
}

/// The word for who won a game that is over.
pub(crate) fn winner_word(outcome: Outcome) -> &'static str {
    outcome.winner.map_or("nobody", side_word)
}

pub(crate) fn read_outcome(row: &AnyRow) -> Result<Option<Outcome>, StoreError> {
    let winner: Option<String> = row.try_get("winner")?;
    let Some(winner) = winner else {
        return Ok(None);
    };
    let winner = match winner.as_str() {
        "attackers" => Some(Side::Attackers),
        "defenders" => Some(Side::Defenders),
        "nobody" => None,
        _ => return Err(StoreError::corrupt("winner", winner)),
    };
    let reason: String = row.try_get("reason")?;
    let reason = reason
        .parse()
        .map_err(|_| StoreError::corrupt("reason for the end of a game", reason))?;
    Ok(Some(Outcome { winner, reason }))
}

pub(crate) fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

fn read_seat(row: &AnyRow) -> Result<Seat, StoreError> {
    let left_ms: Option<i64> = row.try_get("left_ms")?;
    Ok(Seat {
        player: row.try_get("player")?,
        secret: row.try_get("secret")?,
        holder: row.try_get("holder")?,
        name: row.try_get("name")?,
        left_ms: left_ms.map(i64::unsigned_abs),
    })
}

pub(crate) async fn insert(work: &mut Work, game: &Game) -> Result<(), StoreError> {
    work.run(
        query(
            "INSERT INTO game (id, owner, rules, setup, control, take_backs, plies, created_ms,
         changed_ms) VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7)",
        )
        .bind(&game.id)
        .bind(&game.owner)
        .bind(&game.rules)
        .bind(game.setup.map(|setup| setup.to_string()))
        .bind(&game.control)
        .bind(i64::from(game.take_backs))
        .bind(game.created_ms),
    )
    .await?;
    for (side, seat) in &game.seats {
        work.run(
            query(
                "INSERT INTO seat (game, side, player, secret, holder, name, left_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(&game.id)
            .bind(side_word(side))
            .bind(&seat.player)
            .bind(seat.secret_to_keep(game))
            .bind(&seat.holder)
            .bind(&seat.name)
            .bind(seat.left_ms.map(signed)),
        )
        .await?;
    }
    Ok(())
}

/// Keeps the game that follows another, unless one does already; gives the id of the one that follows.
async fn follow(work: &mut Work, before: &str, game: &Game) -> Result<String, StoreError> {
    let set = query("UPDATE game SET rematch = $2 WHERE id = $1 AND rematch IS NULL");
    if work.run(set.bind(before).bind(&game.id)).await? > 0 {
        insert(work, game).await?;
        return Ok(game.id.clone());
    }
    let row = query("SELECT rematch FROM game WHERE id = $1").bind(before);
    let row = work.row(row).await?.ok_or(StoreError::Missing("game"))?;
    Ok(row.try_get(0)?)
}

impl Store {
    /// Keeps a new game, which has no moves yet.
    ///
    /// # Errors
    /// The database failed.
    pub async fn create_game(&self, game: &Game) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let made = insert(&mut work, game).await;
        work.end(made).await
    }

    /// Keeps a new game that follows another, unless one does already; gives the id of the one that
    /// follows.
    ///
    /// # Errors
    /// The database failed, or there is no game before.
    pub async fn create_rematch(&self, before: &str, game: &Game) -> Result<String, StoreError> {
        let mut work = self.write().await?;
        let follows = follow(&mut work, before, game).await;
        work.end(follows).await
    }

    /// The game with an id.
    ///
    /// # Errors
    /// The database failed, or there is no such game.
    pub async fn game(&self, id: &str) -> Result<Game, StoreError> {
        let row = self
            .row(query("SELECT * FROM game WHERE id = $1").bind(id))
            .await?;
        let row = row.ok_or(StoreError::Missing("game"))?;
        self.read_game(&row).await
    }

    async fn read_game(&self, row: &AnyRow) -> Result<Game, StoreError> {
        let id: String = row.try_get("id")?;
        let seat = async |side| {
            let seat = self
                .row(
                    query("SELECT * FROM seat WHERE game = $1 AND side = $2")
                        .bind(&id)
                        .bind(side_word(side)),
                )
                .await?;
            match seat {
                Some(seat) => read_seat(&seat),
                None => Err(StoreError::corrupt("game with two seats", &id)),
            }
        };
        let seats = BySide {
            attackers: seat(Side::Attackers).await?,
            defenders: seat(Side::Defenders).await?,
        };
        let setup: Option<String> = row.try_get("setup")?;
        let plies: i64 = row.try_get("plies")?;
        let take_backs: i64 = row.try_get("take_backs")?;
        Ok(Game {
            owner: row.try_get("owner")?,
            rules: row.try_get("rules")?,
            setup: setup.as_deref().map(parse_setup).transpose()?,
            control: row.try_get("control")?,
            take_backs: take_backs != 0,
            seats,
            plies: usize::try_from(plies)
                .map_err(|_| StoreError::corrupt("number of moves", plies.to_string()))?,
            outcome: read_outcome(row)?,
            rematch: row.try_get("rematch")?,
            created_ms: row.try_get("created_ms")?,
            changed_ms: row.try_get("changed_ms")?,
            id,
        })
    }

    /// The games that a visitor made or sits in, those that changed last first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn games_of(
        &self,
        visitor: &str,
        filter: GameFilter,
        most: u32,
    ) -> Result<Vec<Game>, StoreError> {
        let rows = self
            .rows(
                query(
                    "SELECT * FROM game WHERE (owner = $1
                 OR id IN (SELECT game FROM seat WHERE holder = $1))
                 AND ($2 = 0 OR winner IS NULL)
             ORDER BY changed_ms DESC, id LIMIT $3",
                )
                .bind(visitor)
                .bind(i64::from(filter == GameFilter::Open))
                .bind(i64::from(most)),
            )
            .await?;
        let mut games = Vec::with_capacity(rows.len());
        for row in &rows {
            games.push(self.read_game(row).await?);
        }
        Ok(games)
    }

    /// How many games are not over: those made by a visitor, or all.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_open_games(&self, owner: Option<&str>) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM game WHERE winner IS NULL AND ($1 = '' OR owner = $1)";
        self.count(query(sql).bind(owner.unwrap_or_default())).await
    }

    /// How many games a visitor made that are kept, over or not.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_games(&self, owner: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM game WHERE owner = $1";
        self.count(query(sql).bind(owner)).await
    }

    /// Seats a visitor, unless somebody sits there or the visitor sits on the other side; says whether
    /// the visitor sits there now. Of several who try at once, one does.
    ///
    /// # Errors
    /// The database failed, or there is no such game.
    pub async fn take_seat(
        &self,
        game: &str,
        side: Side,
        visitor: &str,
        name: Option<&str>,
    ) -> Result<bool, StoreError> {
        let done = self
            .write_one(
                query(
                    "UPDATE seat SET holder = $3, name = $4, secret = ''
             WHERE game = $1 AND side = $2 AND (holder = $3 OR holder IS NULL AND NOT EXISTS
                 (SELECT 1 FROM seat other
                  WHERE other.game = $1 AND other.side <> $2 AND other.holder = $3))",
                )
                .bind(game)
                .bind(side_word(side))
                .bind(visitor)
                .bind(name),
            )
            .await?;
        Ok(done > 0)
    }
}
