//! What was played in a position by the games that are kept, and who plays best.

use sqlx::{Row, any::AnyRow, query};
use tablut_archive::{Place, Tally, Trodden};
use tablut_arena::stats::rating::Strength;
use tablut_rules::{BySide, Move, Side};

use crate::{
    Store, StoreError,
    game::{read_outcome, side_word},
};

/// How many of the last games at a place are looked at for visits behind the opening.
const LATE_VISITS: i64 = 500;

/// A player with one side, and how strong.
#[derive(Clone, PartialEq, Debug)]
pub struct TopPlayer {
    /// The name.
    pub name: String,
    /// How strong.
    pub strength: Strength,
}

fn step(row: &AnyRow) -> Result<Move, StoreError> {
    let bits: i64 = row.try_get("step")?;
    let step = u16::try_from(bits).ok().and_then(Move::from_bits);
    step.ok_or_else(|| StoreError::corrupt("move", bits.to_string()))
}

fn count(row: &AnyRow, name: &str) -> Result<u64, StoreError> {
    let count: i64 = row.try_get(name)?;
    Ok(count.unsigned_abs())
}

impl Store {
    /// The moves that games made at a place, folded, and what came of them, the most played first. Visits of
    /// the opening are all counted; later ones as far as they are among the last five hundred games there.
    ///
    /// `mover` is who moves there.
    ///
    /// # Errors
    /// The database failed.
    pub async fn explored(&self, place: Place, mover: Side) -> Result<Vec<Trodden>, StoreError> {
        let place = place.0.cast_signed();
        let early = query(
            "SELECT step, white, black, draws, rated, ratings FROM explored WHERE place = $1",
        );
        let mut list = Vec::new();
        for row in self.rows(early.bind(place)).await? {
            let tally = Tally {
                wins: BySide {
                    attackers: count(&row, "black")?,
                    defenders: count(&row, "white")?,
                },
                draws: count(&row, "draws")?,
                rated: count(&row, "rated")?,
                ratings: count(&row, "ratings")?,
            };
            Trodden::count(&mut list, step(&row)?, &tally);
        }
        let late = query(
            "SELECT p.step, e.winner, e.reason, e.white_rating, e.black_rating
             FROM (SELECT number, step, is_late FROM passage WHERE place = $1 ORDER BY number DESC LIMIT $2) p
             JOIN entry e ON e.number = p.number WHERE p.is_late = 1",
        );
        for row in self.rows(late.bind(place).bind(LATE_VISITS)).await? {
            let winner = read_outcome(&row)?.and_then(|outcome| outcome.winner);
            let rating = match mover {
                Side::Attackers => "black_rating",
                Side::Defenders => "white_rating",
            };
            let rating: Option<i64> = row.try_get(rating)?;
            let tally = Tally::of(winner, rating.map(i64::unsigned_abs));
            Trodden::count(&mut list, step(&row)?, &tally);
        }
        Trodden::sort(&mut list);
        Ok(list)
    }

    /// How strong players are under a rule set with a side; nothing for those without rated games.
    ///
    /// # Errors
    /// The database failed.
    pub async fn rating_of(
        &self,
        rules: &str,
        name: &str,
        side: Side,
    ) -> Result<Option<u64>, StoreError> {
        let known =
            query("SELECT rating FROM strength WHERE rules = $1 AND name = $2 AND side = $3");
        let known = known
            .bind(rules)
            .bind(name.to_lowercase())
            .bind(side_word(side));
        let Some(row) = self.row(known).await? else {
            return Ok(None);
        };
        let rating: f64 = row.try_get("rating")?;
        Ok(Some(rating.max(0.0).round() as u64))
    }

    /// The strongest players of a rule set with a side, among those with some games.
    ///
    /// # Errors
    /// The database failed.
    pub async fn top_players(
        &self,
        rules: &str,
        side: Side,
        least_games: u32,
        most: u32,
    ) -> Result<Vec<TopPlayer>, StoreError> {
        let top = query(
            "SELECT shown, rating, deviation, volatility, games FROM strength
             WHERE rules = $1 AND side = $2 AND games >= $3 ORDER BY rating DESC LIMIT $4",
        );
        let top = top.bind(rules).bind(side_word(side));
        let rows = self
            .rows(top.bind(i64::from(least_games)).bind(i64::from(most)))
            .await?;
        rows.iter()
            .map(|row| {
                Ok(TopPlayer {
                    name: row.try_get("shown")?,
                    strength: Strength {
                        rating: row.try_get("rating")?,
                        deviation: row.try_get("deviation")?,
                        volatility: row.try_get("volatility")?,
                        games: u32::try_from(count(row, "games")?).unwrap_or(u32::MAX),
                    },
                })
            })
            .collect()
    }
}
