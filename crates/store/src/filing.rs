//! Filing games that are over: what lists, searches and the explorer need of them.
//!
//! A game is filed once, in one transaction, by whoever finds it: it is over and has no number. So nothing
//! has to be remembered between the end of a game and its filing, a store of an older version is filed the
//! same way, and several processes may file side by side.

use std::collections::HashSet;

use sqlx::{AssertSqlSafe, Row, query};
use tablut_archive::{Footprint, Ground, Tally};
use tablut_arena::stats::rating::{Strength, rate};
use tablut_rules::{BuiltIn, BySide, Outcome, Position, Rules, Setup, Side};

use crate::{
    Game, Seat, SeatPlayer, Store, StoreError,
    correction::delete_game,
    game::{read_game, select, side_word, winner_word},
    progress::read_moves,
    work::Work,
};

/// For how many moves of a game its visits are counted ahead of time: places that many games share.
pub const OPENING_PLIES: usize = 16;

/// A game that ends away from the board before so many plies says nothing about strength.
const PLAY: usize = 10;

/// How many rows one statement writes; SQLite takes 32,766 values, PostgreSQL 65,535.
pub(crate) const ROWS: usize = 500;

/// What stands for the number of a game that cannot be read.
const UNREADABLE: i64 = -1;

/// The number of a game that ended at a time.
pub(crate) fn number(game: &str, ended_ms: i64) -> i64 {
    let sum = game.bytes().fold(0x811c_9dc5_u32, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (ended_ms.clamp(0, 1 << 42) << 20) | i64::from((sum ^ (sum >> 12)) & 0xf_ffff)
}

/// What people call the player of a seat; empty for a person without a name.
pub(crate) fn label(seat: &Seat) -> String {
    match (&seat.name, &seat.player) {
        (Some(name), _) => name.clone(),
        (None, SeatPlayer::Person) => String::new(),
        (None, player) => player.to_string(),
    }
}

/// Where a game passes, each place once, and what is on the board at its end.
struct Course {
    /// With the ply, from 0.
    visits: Vec<(usize, Footprint)>,
    last: Setup,
}

async fn course(work: &mut Work, game: &Game) -> Result<Course, StoreError> {
    let fallback = || {
        game.setup
            .unwrap_or_else(|| Setup::from(&Rules::ashton().start()))
    };
    let Some(Ground { rules, tracker }) = Ground::named(&game.rules) else {
        // A set that is not ours: there is a result, but nothing to look at.
        return Ok(Course {
            visits: Vec::new(),
            last: fallback(),
        });
    };
    let start = match &game.setup {
        None => Some(rules.start()),
        Some(setup) => rules.position(setup).ok(),
    };
    let Some(start) = start else {
        return Ok(Course {
            visits: Vec::new(),
            last: fallback(),
        });
    };
    let moves =
        query("SELECT step, spent_ms, clock_ms, score FROM move WHERE game = $1 ORDER BY ply");
    let rows = work.rows(moves.bind(&game.id)).await?;
    let steps = read_moves(&rows)?.into_iter().map(|one| one.step);
    let steps: Vec<_> = steps.collect();
    let mut seen = HashSet::new();
    let path = tracker
        .path(rules, start, steps.iter().copied())
        .enumerate();
    let visits = path.filter(|(_, print)| seen.insert(print.place)).collect();
    Ok(Course {
        visits,
        last: Setup::from(&end(rules, start, &steps)),
    })
}

/// The last position of a game, as far as its moves are legal.
fn end(rules: &Rules, start: Position, steps: &[tablut_rules::Move]) -> Position {
    let mut position = start;
    for &step in steps {
        match rules.apply(&position, step) {
            Ok(applied) => position = applied.position,
            Err(_) => break,
        }
    }
    position
}

/// Whether a game says something about the strength of its players.
fn is_rated(game: &Game, outcome: Outcome, names: &BySide<String>) -> bool {
    let BySide {
        attackers,
        defenders,
    } = &game.seats;
    let is_alone = attackers.holder.is_some() && attackers.holder == defenders.holder;
    let is_played = outcome.reason.is_on_board() || game.plies >= PLAY;
    is_played
        && !is_alone
        // Whoever brings a file could make anybody strong.
        && !game.is_imported()
        && names.values().all(|name| !name.is_empty())
        && names.attackers != names.defenders
}

/// Brings the players' strengths up to date; gives what they were before.
async fn strengths(
    work: &mut Work,
    game: &Game,
    outcome: Outcome,
    shown: &BySide<String>,
) -> Result<BySide<Option<u64>>, StoreError> {
    let names = shown.as_ref().map(|name| name.to_lowercase());
    if !is_rated(game, outcome, &names) {
        return Ok(BySide::both(None));
    }
    let mut before = BySide::both(Strength::default());
    for side in Side::ALL {
        let known = query(
            "SELECT rating, deviation, volatility, games FROM strength
             WHERE rules = $1 AND name = $2 AND side = $3",
        );
        let known = known
            .bind(&game.rules)
            .bind(&names[side])
            .bind(side_word(side));
        if let Some(row) = work.row(known).await? {
            let games: i64 = row.try_get("games")?;
            before[side] = Strength {
                rating: row.try_get("rating")?,
                deviation: row.try_get("deviation")?,
                volatility: row.try_get("volatility")?,
                games: u32::try_from(games).unwrap_or(u32::MAX),
            };
        }
    }
    for (side, after) in rate(&before, outcome.winner) {
        work.run(
            query(
                "INSERT INTO strength (rules, name, side, shown, rating, deviation, volatility, games)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                 ON CONFLICT (rules, name, side) DO UPDATE SET shown = excluded.shown,
                     rating = excluded.rating, deviation = excluded.deviation,
                     volatility = excluded.volatility, games = excluded.games",
            )
            .bind(&game.rules)
            .bind(&names[side])
            .bind(side_word(side))
            .bind(&shown[side])
            .bind(after.rating)
            .bind(after.deviation)
            .bind(after.volatility)
            .bind(i64::from(after.games)),
        )
        .await?;
    }
    let rating =
        |strength: Strength| (strength.games > 0).then(|| strength.rating.max(0.0).round() as u64);
    Ok(before.map(rating))
}

/// Writes `count` rows with one statement for each few hundred: `head` with the columns, then rows of
/// placeholders, then `tail`.
pub(crate) async fn write_rows(
    work: &mut Work,
    head: &str,
    tail: &str,
    rows: &[Vec<i64>],
) -> Result<(), StoreError> {
    for part in rows.chunks(ROWS) {
        let mut at = 0;
        let row = |row: &Vec<i64>| {
            let places: Vec<String> = row
                .iter()
                .map(|_| {
                    at += 1;
                    format!("${at}")
                })
                .collect();
            format!("({})", places.join(", "))
        };
        let values: Vec<String> = part.iter().map(row).collect();
        let sql = format!("{head} VALUES {} {tail}", values.join(", "));
        let mut statement = query(AssertSqlSafe(sql));
        for &value in part.iter().flatten() {
            statement = statement.bind(value);
        }
        work.run(statement).await?;
    }
    Ok(())
}

/// The rows of `explored` that a game counts in.
fn counted(
    visits: &[(usize, Footprint)],
    start: Side,
    tally: impl Fn(Side) -> Tally,
) -> Vec<Vec<i64>> {
    let early = visits.iter().filter(|(ply, _)| *ply < OPENING_PLIES);
    let mut rows: Vec<Vec<i64>> = early
        .map(|(ply, print)| {
            let mover = if ply % 2 == 0 {
                start
            } else {
                start.opponent()
            };
            let tally = tally(mover);
            let count = |number: u64| number.cast_signed();
            vec![
                print.place.0.cast_signed(),
                i64::from(print.step.bits()),
                count(tally.wins.defenders),
                count(tally.wins.attackers),
                count(tally.draws),
                count(tally.rated),
                count(tally.ratings),
            ]
        })
        .collect();
    // One order for all who write: nobody waits for another who waits for them.
    rows.sort_unstable();
    rows
}

async fn file(work: &mut Work, id: &str) -> Result<bool, StoreError> {
    let row = work
        .row(query(select("", "WHERE g.id = $1")).bind(id))
        .await?;
    let Some(game) = row.as_ref().map(read_game).transpose()? else {
        return Ok(false);
    };
    let Some(outcome) = game.outcome else {
        return Ok(false);
    };
    let mut number = number(&game.id, game.changed_ms);
    while work
        .row(query("SELECT 1 FROM entry WHERE number = $1").bind(number))
        .await?
        .is_some()
    {
        number += 1;
    }
    // Of several who file a game at once, one goes on.
    let mine =
        query("UPDATE game SET filed = $2 WHERE id = $1 AND filed IS NULL AND winner IS NOT NULL");
    if work.run(mine.bind(&game.id).bind(number)).await? == 0 {
        return Ok(false);
    }
    let shown = game.seats.as_ref().map(label);
    let ratings = strengths(work, &game, outcome, &shown).await?;
    let Course { visits, last } = course(work, &game).await?;
    let is_engines = game
        .seats
        .values()
        .all(|seat| matches!(seat.player, SeatPlayer::Program(_)));
    work.run(
        query(
            "INSERT INTO entry (number, game, rules, winner, reason, plies, ended_ms, is_public,
                 white, black, white_rating, black_rating, last)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        )
        .bind(number)
        .bind(&game.id)
        .bind(&game.rules)
        .bind(winner_word(outcome))
        .bind(outcome.reason.to_string())
        .bind(game.plies as i64)
        .bind(game.changed_ms)
        .bind(i64::from(game.owner.is_foreign() || is_engines))
        .bind(&shown.defenders)
        .bind(&shown.attackers)
        .bind(ratings.defenders.map(u64::cast_signed))
        .bind(ratings.attackers.map(u64::cast_signed))
        .bind(last.to_string()),
    )
    .await?;
    let mut readers: Vec<String> = game
        .seats
        .values()
        .filter_map(|seat| seat.holder.clone())
        .collect();
    if !game.owner.is_foreign() {
        readers.push(game.owner.to_string());
    }
    readers.sort_unstable();
    readers.dedup();
    for reader in readers {
        let may = query("INSERT INTO reader (visitor, number) VALUES ($1, $2)");
        work.run(may.bind(reader).bind(number)).await?;
    }
    let mut players: Vec<(String, Side, String)> = shown
        .into_iter()
        .filter(|(_, name)| !name.is_empty())
        .map(|(side, name)| (name.to_lowercase(), side, name))
        .collect();
    players.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    for (name, side, shown) in players {
        let took_part = query("INSERT INTO participant (name, number, side) VALUES ($1, $2, $3)");
        work.run(took_part.bind(&name).bind(number).bind(side_word(side)))
            .await?;
        let player = query(
            "INSERT INTO player (name, shown, games) VALUES ($1, $2, 1)
             ON CONFLICT (name) DO UPDATE SET shown = excluded.shown, games = player.games + 1",
        );
        work.run(player.bind(name).bind(shown)).await?;
    }
    let passages: Vec<Vec<i64>> = visits
        .iter()
        .map(|(ply, print)| {
            let late = i64::from(*ply >= OPENING_PLIES);
            vec![
                print.place.0.cast_signed(),
                number,
                i64::from(print.step.bits()),
                late,
            ]
        })
        .collect();
    write_rows(
        work,
        "INSERT INTO passage (place, number, step, is_late)",
        "",
        &passages,
    )
    .await?;
    let start = start_side(&game);
    let rows = counted(&visits, start, |mover| {
        Tally::of(outcome.winner, ratings[mover])
    });
    write_rows(work, EXPLORE, EXPLORE_MORE, &rows).await?;
    Ok(true)
}

/// Who makes the first move of a game.
fn start_side(game: &Game) -> Side {
    let first = || {
        game.rules
            .parse::<BuiltIn>()
            .map_or(Side::Defenders, |set| set.rules().start().side())
    };
    game.setup.map_or_else(first, |setup| setup.side())
}

/// Counts moves of openings.
pub(crate) const EXPLORE: &str =
    "INSERT INTO explored (place, step, white, black, draws, rated, ratings)";
const EXPLORE_MORE: &str =
    "ON CONFLICT (place, step) DO UPDATE SET white = explored.white + excluded.white,
    black = explored.black + excluded.black, draws = explored.draws + excluded.draws,
    rated = explored.rated + excluded.rated, ratings = explored.ratings + excluded.ratings";

/// Takes a game out of the library, within the transaction that deletes it. What it told of the strength
/// of its players stays.
pub(crate) async fn unfile(work: &mut Work, id: &str) -> Result<(), StoreError> {
    let row = work
        .row(query(select("", "WHERE g.id = $1")).bind(id))
        .await?;
    let Some(row) = row else {
        return Ok(());
    };
    let number: Option<i64> = row.try_get("filed")?;
    let (Some(number), game) = (number, read_game(&row)?) else {
        return Ok(());
    };
    let entry =
        query("SELECT white, black, white_rating, black_rating FROM entry WHERE number = $1");
    let Some(entry) = work.row(entry.bind(number)).await? else {
        return Ok(());
    };
    let rating = |name| {
        Ok::<_, StoreError>(
            entry
                .try_get::<Option<i64>, _>(name)?
                .map(i64::unsigned_abs),
        )
    };
    let ratings = BySide {
        attackers: rating("black_rating")?,
        defenders: rating("white_rating")?,
    };
    let Course { visits, .. } = course(work, &game).await?;
    for (_, print) in &visits {
        let gone = query("DELETE FROM passage WHERE place = $1 AND number = $2");
        work.run(gone.bind(print.place.0.cast_signed()).bind(number))
            .await?;
    }
    let winner = game.outcome.and_then(|outcome| outcome.winner);
    let rows = counted(&visits, start_side(&game), |mover| {
        Tally::of(winner, ratings[mover])
    });
    for row in rows {
        let less = "UPDATE explored SET white = white - $3, black = black - $4, draws = draws - $5,
                 rated = rated - $6, ratings = ratings - $7 WHERE place = $1 AND step = $2";
        let mut less = query(less);
        for &value in &row {
            less = less.bind(value);
        }
        work.run(less).await?;
        let none =
            "DELETE FROM explored WHERE place = $1 AND step = $2 AND white + black + draws = 0";
        work.run(query(none).bind(row[0]).bind(row[1])).await?;
    }
    for column in ["white", "black"] {
        let name = entry.try_get::<String, _>(column)?.to_lowercase();
        let gone = query("DELETE FROM participant WHERE name = $1 AND number = $2");
        let played = work.run(gone.bind(&name).bind(number)).await?;
        let less = query("UPDATE player SET games = games - $2 WHERE name = $1");
        work.run(less.bind(&name).bind(played.cast_signed()))
            .await?;
        work.run(query("DELETE FROM player WHERE name = $1 AND games <= 0").bind(name))
            .await?;
    }
    let readers = game.seats.values().filter_map(|seat| seat.holder.clone());
    for reader in readers.chain([game.owner.to_string()]) {
        let gone = query("DELETE FROM reader WHERE visitor = $1 AND number = $2");
        work.run(gone.bind(reader).bind(number)).await?;
    }
    for sql in [
        "DELETE FROM tag WHERE number = $1",
        "DELETE FROM entry WHERE number = $1",
    ] {
        work.run(query(sql).bind(number)).await?;
    }
    Ok(())
}

impl Store {
    /// Files games that are over and are not filed yet, the first to end first; says how many it found. Fewer
    /// than asked for means that all are filed.
    ///
    /// # Errors
    /// The database failed; what was filed before stays filed.
    pub async fn file_games(&self, most: u32) -> Result<usize, StoreError> {
        let found = query(
            "SELECT id FROM game WHERE winner IS NOT NULL AND filed IS NULL ORDER BY changed_ms LIMIT $1",
        );
        let rows = self.rows(found.bind(i64::from(most))).await?;
        for row in &rows {
            let id: String = row.try_get(0)?;
            let mut work = self.write().await?;
            let filed = file(&mut work, &id).await;
            match work.end(filed).await {
                // It cannot be read later either, and others wait behind it.
                Err(StoreError::Corrupt { .. }) => {
                    let never = query("UPDATE game SET filed = $2 WHERE id = $1");
                    self.write_one(never.bind(id).bind(UNREADABLE)).await?;
                }
                filed => drop(filed?),
            }
        }
        Ok(rows.len())
    }
}

impl Store {
    /// Deletes a game that is over, and all that the library knows of it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn delete_filed_game(&self, id: &str) -> Result<(), StoreError> {
        let mut work = self.write().await?;
        let deleted = delete_game(&mut work, id).await;
        work.end(deleted).await
    }
}

#[cfg(test)]
mod tests {
    use tablut_arena::TimeControl;
    use tablut_rules::Reason;

    use super::*;
    use crate::{GameOwner, Location, Search, StoredMove, Viewer};

    #[tokio::test]
    async fn a_game_that_cannot_be_read_keeps_no_other_from_being_filed() {
        let store = Store::open(&Location::Memory).await.unwrap();
        let seat = Seat {
            player: SeatPlayer::Remote,
            secret: String::new(),
            holder: None,
            name: Some("Ada".into()),
            left_ms: None,
        };
        for (id, at_ms) in [("damaged", 1), ("whole", 2)] {
            let control = TimeControl::Unlimited;
            let seats = BySide::both(seat.clone());
            let owner = GameOwner::Referee;
            let mut game = Game::new(id.into(), owner, "ashton", control, seats, at_ms);
            game.outcome = Some(Outcome {
                winner: None,
                reason: Reason::Agreement,
            });
            game.plies = 1;
            let moves = [StoredMove {
                step: "e4d4".parse().unwrap(),
                spent_ms: None,
                clock_ms: None,
                score: None,
            }];
            store.import_game(&game, &moves).await.unwrap();
        }
        let damage = query("UPDATE move SET step = 'e4' WHERE game = 'damaged'");
        store.write_one(damage).await.unwrap();
        assert_eq!(store.file_games(1).await.unwrap(), 1);
        assert_eq!(store.file_games(10).await.unwrap(), 1);
        assert_eq!(store.file_games(10).await.unwrap(), 0);
        let search = Search::default();
        let found = store.search(&Viewer::Everything, &search, None, 10).await;
        let found = found.unwrap().entries;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].game, "whole");
    }

    #[test]
    fn later_games_have_larger_numbers_that_no_page_rounds_away() {
        let early = number("zzz", 1_700_000_000_000);
        let late = number("aaa", 1_700_000_000_001);
        assert!(early < late);
        assert!(number("abc", i64::MAX) > 0 && number("abc", -5) >= 0);
        assert_ne!(number("abc", 5), number("abd", 5));
    }
}
