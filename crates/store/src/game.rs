//! Games: what was agreed, who sits where, how they stand.

use sqlx::{AssertSqlSafe, Row, any::AnyRow, query};
use tablut_arena::TimeControl;
use tablut_rules::{BySide, Outcome, Setup, Side};

use crate::{
    Entity, GameOwner, Progress, Seat, SeatPlayer, Store, StoreError, StoredMove, Viewer,
    correction::delete_game, library::parse_setup, live::touch, work::Work,
};

/// A game without its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The id.
    pub id: String,
    /// Whose it is.
    pub owner: GameOwner,
    /// The id of the rule set.
    pub rules: String,
    /// Where it starts, if not from the rule set's own start.
    pub setup: Option<Setup>,
    /// How time is counted.
    pub control: TimeControl,
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

impl Game {
    /// A game without moves, from the start of its rule set, without take-backs.
    #[must_use]
    pub fn new(
        id: String,
        owner: GameOwner,
        rules: &str,
        control: TimeControl,
        seats: BySide<Seat>,
        now_ms: i64,
    ) -> Self {
        Self {
            id,
            owner,
            rules: rules.into(),
            setup: None,
            control,
            take_backs: false,
            seats,
            plies: 0,
            outcome: None,
            rematch: None,
            created_ms: now_ms,
            changed_ms: now_ms,
        }
    }

    /// Whether the game was played elsewhere and brought in by a visitor: nobody sat at its board here, and
    /// nobody could have. `IS_IMPORTED` says the same to the database.
    #[must_use]
    pub fn is_imported(&self) -> bool {
        !self.owner.is_foreign() && self.seats.values().all(Seat::is_nobodys)
    }
}

/// [`Game::is_imported`] for a game `g` with its seats `a` and `d`.
pub(crate) const IS_IMPORTED: &str = "g.owner NOT IN ('tournament', 'referee')
    AND a.player = 'person' AND a.holder IS NULL AND a.secret = ''
    AND d.player = 'person' AND d.holder IS NULL AND d.secret = ''";

/// Which of a visitor's games are wanted.
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

/// A game with both its seats in one row, for [`read_game`], and what else is wanted of it. Columns are named, here
/// and everywhere: a later version may add some while this one runs.
pub(crate) fn select(more: &str, which: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!(
        "SELECT g.id, g.owner, g.rules, g.setup, g.control, g.take_backs, g.plies, g.winner, g.reason,
             g.rematch, g.created_ms, g.changed_ms, g.version, g.undone, g.turn_ms, g.stopped_ms,
             g.draw_offer, g.take_back, g.declined, g.take_back_declined, g.filed, a.player AS a_player, a.secret AS a_secret, a.holder AS a_holder,
             a.name AS a_name, a.left_ms AS a_left_ms, d.player AS d_player, d.secret AS d_secret,
             d.holder AS d_holder, d.name AS d_name, d.left_ms AS d_left_ms {more}
         FROM game g
         LEFT JOIN seat a ON a.game = g.id AND a.side = 'attackers'
         LEFT JOIN seat d ON d.game = g.id AND d.side = 'defenders'
         {which}"
    ))
}

pub(crate) fn read_game(row: &AnyRow) -> Result<Game, StoreError> {
    let setup: Option<String> = row.try_get("setup")?;
    let control: String = row.try_get("control")?;
    let plies: i64 = row.try_get("plies")?;
    let take_backs: i64 = row.try_get("take_backs")?;
    Ok(Game {
        id: row.try_get("id")?,
        owner: GameOwner::from_text(row.try_get("owner")?),
        rules: row.try_get("rules")?,
        setup: setup.as_deref().map(parse_setup).transpose()?,
        control: control
            .parse()
            .map_err(|_| StoreError::corrupt("time control", control))?,
        take_backs: take_backs != 0,
        seats: BySide {
            attackers: Seat::read(row, Side::Attackers)?,
            defenders: Seat::read(row, Side::Defenders)?,
        },
        plies: usize::try_from(plies)
            .map_err(|_| StoreError::corrupt("number of moves", plies.to_string()))?,
        outcome: read_outcome(row)?,
        rematch: row.try_get("rematch")?,
        created_ms: row.try_get("created_ms")?,
        changed_ms: row.try_get("changed_ms")?,
    })
}

pub(crate) async fn insert(work: &mut Work, game: &Game) -> Result<(), StoreError> {
    work.run(
        query(
            "INSERT INTO game (id, owner, rules, setup, control, take_backs, plies, created_ms,
         changed_ms) VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7)",
        )
        .bind(&game.id)
        .bind(game.owner.to_string())
        .bind(&game.rules)
        .bind(game.setup.map(|setup| setup.to_string()))
        .bind(game.control.to_string())
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
            .bind(seat.player.to_string())
            .bind(seat.secret_to_keep(game))
            .bind(&seat.holder)
            .bind(&seat.name)
            .bind(seat.left_ms.map(signed)),
        )
        .await?;
    }
    Ok(())
}

impl Store {
    async fn import(
        &self,
        work: &mut Work,
        game: &Game,
        moves: &[StoredMove],
    ) -> Result<(), StoreError> {
        insert(work, game).await?;
        let progress = Progress {
            before: 0,
            keep: 0,
            moves: moves.to_vec(),
            left_ms: BySide::both(None),
            outcome: game.outcome,
            course: None,
        };
        self.advance_in(work, &game.id, &progress, game.changed_ms)
            .await?;
        Ok(())
    }
}

/// Keeps the game that follows another, unless one does already; gives the id of the one that follows.
/// Says also which version the game before has, if it was changed.
async fn follow(
    work: &mut Work,
    before: &str,
    game: &Game,
) -> Result<(String, Option<u64>), StoreError> {
    let set = query("UPDATE game SET rematch = $2 WHERE id = $1 AND rematch IS NULL");
    if work.run(set.bind(before).bind(&game.id)).await? > 0 {
        insert(work, game).await?;
        return Ok((game.id.clone(), Some(touch(work, before).await?)));
    }
    let row = query("SELECT rematch FROM game WHERE id = $1").bind(before);
    let row = work
        .row(row)
        .await?
        .ok_or(StoreError::Missing(Entity::Game))?;
    Ok((row.try_get(0)?, None))
}

/// Deletes a game unless it has begun.
async fn cancel(work: &mut Work, id: &str, owner: &str) -> Result<bool, StoreError> {
    // The free seat is closed first, so that whoever wants to sit down at the same moment comes before
    // this or finds no seat.
    let close = query(
        "UPDATE seat SET secret = '' WHERE game = $1 AND holder IS NULL AND player = $3
         AND EXISTS (SELECT 1 FROM game WHERE id = $1 AND owner = $2 AND plies = 0 AND winner IS NULL)",
    );
    let person = SeatPlayer::Person.to_string();
    let closed = work.run(close.bind(id).bind(owner).bind(person)).await?;
    if closed > 0 {
        delete_game(work, id).await?;
    }
    Ok(closed > 0)
}

/// Seats a visitor, by id and name; gives the game's version unless the seat is not free.
async fn seat(
    work: &mut Work,
    game: &str,
    side: Side,
    (visitor, name): (&str, Option<&str>),
) -> Result<Option<u64>, StoreError> {
    let version = touch(work, game).await?;
    let sit = query(
        "UPDATE seat SET holder = $3, name = $4, secret = ''
         WHERE game = $1 AND side = $2 AND (holder = $3 OR holder IS NULL AND NOT EXISTS
             (SELECT 1 FROM seat other
              WHERE other.game = $1 AND other.side <> $2 AND other.holder = $3))",
    );
    let sit = sit
        .bind(game)
        .bind(side_word(side))
        .bind(visitor)
        .bind(name);
    Ok((work.run(sit).await? > 0).then_some(version))
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

    /// Keeps a game that was played elsewhere and is over, with all its moves.
    ///
    /// # Errors
    /// The database failed, or there is a game with this id.
    pub async fn import_game(&self, game: &Game, moves: &[StoredMove]) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let kept = self.import(&mut work, game, moves).await;
        work.end(kept).await
    }

    /// Keeps a new game that follows another, unless one does already; gives the id of the one that
    /// follows.
    ///
    /// # Errors
    /// The database failed, or there is no game before.
    pub async fn create_rematch(&self, before: &str, game: &Game) -> Result<String, StoreError> {
        let mut work = self.write().await?;
        let follows = follow(&mut work, before, game).await;
        let (id, version) = work.end(follows).await?;
        if let Some(version) = version {
            self.announce(before, version);
        }
        Ok(id)
    }

    /// The game with an id.
    ///
    /// # Errors
    /// The database failed, or there is no such game.
    pub async fn game(&self, id: &str) -> Result<Game, StoreError> {
        let row = self
            .row(query(select("", "WHERE g.id = $1")).bind(id))
            .await?;
        let row = row.ok_or(StoreError::Missing(Entity::Game))?;
        read_game(&row)
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
        let games = query(select(
            "",
            "WHERE (g.owner = $1 OR g.id IN (SELECT game FROM seat WHERE holder = $1))
                 AND ($2 = 0 OR g.winner IS NULL)
             ORDER BY g.changed_ms DESC, g.id LIMIT $3",
        ))
        .bind(visitor)
        .bind(i64::from(filter == GameFilter::Open))
        .bind(i64::from(most));
        self.rows(games).await?.iter().map(read_game).collect()
    }

    /// Games that are being played: something happened since a time, and it is not their end. Those that
    /// everybody may see, or all; the last to change first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn live_games(
        &self,
        viewer: &Viewer,
        since_ms: i64,
        most: u32,
    ) -> Result<Vec<Game>, StoreError> {
        let games = query(select(
            "",
            "WHERE g.winner IS NULL AND g.plies > 0 AND g.changed_ms > $1
                 AND ($2 = 1 OR g.owner IN ('tournament', 'referee')
                     OR a.player NOT IN ('person', 'remote') AND d.player NOT IN ('person', 'remote'))
             ORDER BY g.changed_ms DESC LIMIT $3",
        ));
        let games = games
            .bind(since_ms)
            .bind(i64::from(*viewer == Viewer::Everything))
            .bind(i64::from(most));
        self.rows(games).await?.iter().map(read_game).collect()
    }

    /// The games at the referee's ports, those that changed last first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn refereed_games(&self, most: u32) -> Result<Vec<Game>, StoreError> {
        let which = "WHERE g.owner = $1 ORDER BY g.changed_ms DESC, g.id LIMIT $2";
        let games = query(select("", which))
            .bind(GameOwner::Referee.to_string())
            .bind(i64::from(most));
        self.rows(games).await?.iter().map(read_game).collect()
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

    /// Deletes a game that its owner made and that still waits for a player, and says whether it did: one
    /// that somebody has joined, or in which a move was made, stays.
    ///
    /// # Errors
    /// The database failed.
    pub async fn cancel_game(&self, id: &str, owner: &str) -> Result<bool, StoreError> {
        let mut work = self.write().await?;
        let cancelled = cancel(&mut work, id, owner).await;
        let is_gone = work.end(cancelled).await?;
        if is_gone {
            // Whoever shows it has seen no such version, looks, and finds nothing.
            self.announce(id, u64::MAX);
        }
        Ok(is_gone)
    }

    /// Seats a visitor, unless the seat is taken or the visitor sits on the other side; says whether
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
        let mut work = self.write().await?;
        let seated = seat(&mut work, game, side, (visitor, name)).await;
        let version = work.end(seated).await?;
        if let Some(version) = version {
            self.announce(game, version);
        }
        Ok(version.is_some())
    }
}
