//! Lists of games that are over: by who played, how it ended, when, and where the game passed.
//!
//! Every list is quick, however many games there are, because it never looks at more than a window of them:
//! whoever asks gets what was found there and a cursor from which to go on. The window runs along the index
//! that narrows the search most: a tag, a place, a player, a reader, or all entries.

use sqlx::{AssertSqlSafe, Row, any::AnyRow, query};
use tablut_archive::Place;
use tablut_rules::{BySide, Move, Outcome, Reason, Setup, Side};

use crate::{
    Store, StoreError,
    filing::number,
    game::{read_outcome, side_word},
    library::{escape_like, parse_setup},
    work::Statement,
};

/// How many games one list looks at.
const WINDOW: i64 = 10_000;

/// How many it looks at if each has to be looked up elsewhere too.
const SHORT_WINDOW: i64 = 2_500;

/// Who looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// Someone who may see everything.
    Everything,
    /// The visitor with an id: public games, and those they made or sat in.
    Visitor(String),
}

/// In which order games are listed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Sort {
    /// The last to end first.
    #[default]
    Newest,
    /// The first to end first.
    Oldest,
    /// The longest first.
    Longest,
    /// The shortest first.
    Shortest,
}

/// Where a list goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// How long the last game was.
    pub plies: i64,
    /// Its number.
    pub number: i64,
}

/// Which games are wanted; what is not said does not matter.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Search {
    /// Only games that this visitor made or sat in.
    pub own: Option<String>,
    /// Someone who played, by name.
    pub player: Option<String>,
    /// Which side they had.
    pub side: Option<Side>,
    /// Someone else who played.
    pub opponent: Option<String>,
    /// The id of the rule set.
    pub rules: Option<String>,
    /// Who won; inside, nobody in a draw.
    pub winner: Option<Option<Side>>,
    /// Why it ended.
    pub reason: Option<Reason>,
    /// The least and the most plies.
    pub plies: (Option<u64>, Option<u64>),
    /// The first and the last moment of the end, in milliseconds since 1970.
    pub ended_ms: (Option<i64>, Option<i64>),
    /// Where the game passed.
    pub place: Option<Place>,
    /// The move it made there, folded.
    pub step: Option<Move>,
    /// What a visitor calls it: whose word, and the word.
    pub tag: Option<(String, String)>,
    /// The order.
    pub sort: Sort,
}

/// A game of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number in the library.
    pub number: i64,
    /// Its id.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// How it ended.
    pub outcome: Outcome,
    /// After how many plies.
    pub plies: u64,
    /// When.
    pub ended_ms: i64,
    /// Who played; empty for a person without a name.
    pub players: BySide<String>,
    /// How strong they were before it.
    pub ratings: BySide<Option<u64>>,
    /// What was on the board at the end.
    pub last: Setup,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The games.
    pub entries: Vec<Entry>,
    /// Where to go on; nothing at the end. There may be games behind it even if none was found before.
    pub next: Option<Cursor>,
}

/// A value of a statement.
#[derive(Clone)]
enum Value {
    Text(String),
    Number(i64),
}

/// A condition that grows, with its values.
#[derive(Clone, Default)]
struct Conditions {
    sql: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition in which `?` stands for its values.
    fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        let mut parts = sql.split('?');
        let mut text = parts.next().unwrap_or_default().to_string();
        for (value, part) in values.into_iter().zip(parts) {
            self.values.push(value);
            text += &format!("${}{part}", self.values.len());
        }
        self.sql.push(text);
    }

    fn text(&self) -> String {
        match self.sql.is_empty() {
            true => "1 = 1".into(),
            false => self.sql.join(" AND "),
        }
    }

    fn statement(&self, sql: String) -> Statement<'static> {
        let mut statement = query(AssertSqlSafe(sql));
        for value in self.values.clone() {
            statement = match value {
                Value::Text(text) => statement.bind(text),
                Value::Number(number) => statement.bind(number),
            };
        }
        statement
    }
}

fn text(value: &str) -> Value {
    Value::Text(value.into())
}

/// That a column is one of our own words. It stands in the statement, because some are rare: PostgreSQL makes one plan for
/// all values that are bound, and that one would run along all games.
fn word_is(column: &str, word: &str) -> String {
    format!("{column} = '{word}'")
}

/// What a window runs along: a table with numbers, called `d`, or the entries themselves, called `e`.
struct Driver {
    table: &'static str,
    alias: &'static str,
    conditions: Conditions,
}

/// What a list looks at, and where that ends if there is more.
struct Window {
    driver: Driver,
    bound: Option<i64>,
}

impl Search {
    /// The games that ended for the wanted reason.
    fn reason_driver(&self) -> Option<Driver> {
        let reason = self.reason?;
        let mut conditions = Conditions::default();
        conditions.add(&word_is("e.reason", &reason.to_string()), []);
        Some(Driver {
            table: "entry",
            alias: "e",
            conditions,
        })
    }

    /// The index that narrows this search most. The condition it stands for is not tested again.
    fn driver(&self, viewer: &Viewer) -> (Driver, Option<Given>) {
        let mut conditions = Conditions::default();
        let (table, given) = if let Some((owner, word)) = &self.tag {
            conditions.add("d.owner = ? AND d.word = ?", [text(owner), text(word)]);
            ("tag", Some(Given::Tag))
        } else if let Some(place) = self.place {
            conditions.add("d.place = ?", [Value::Number(place.0.cast_signed())]);
            if let Some(step) = self.step {
                conditions.add("d.step = ?", [Value::Number(step.bits().into())]);
            }
            ("passage", Some(Given::Place))
        } else if let Some(name) = &self.player {
            conditions.add("d.name = ?", [text(&name.to_lowercase())]);
            if let Some(side) = self.side {
                conditions.add("d.side = ?", [text(side_word(side))]);
            }
            ("participant", Some(Given::Player))
        } else if let Some(own) = &self.own {
            conditions.add("d.visitor = ?", [text(own)]);
            ("reader", Some(Given::Own))
        } else {
            if let (Viewer::Visitor(_), None) = (viewer, &self.own) {
                // Their own games are few and are looked for by themselves.
                conditions.add("e.is_public = ?", [Value::Number(1)]);
            }
            if let Some(reason) = self.reason {
                conditions.add(&word_is("e.reason", &reason.to_string()), []);
            } else if let Some(rules) = &self.rules {
                conditions.add("e.rules = ?", [text(rules)]);
            }
            ("entry", Some(Given::Public))
        };
        let alias = if table == "entry" { "e" } else { "d" };
        (
            Driver {
                table,
                alias,
                conditions,
            },
            given,
        )
    }

    /// Everything else that a game has to fulfil; `e` is its entry, and `alias` what the window runs along: what is asked of
    /// that need not look at entries of games that are not wanted.
    ///
    /// What is looked up in other tables is a subquery with one row, which is asked for each game of the window. Both
    /// databases make a join of `EXISTS`, and may then run along the other table, which can have a million rows for
    /// one place.
    fn filter(&self, viewer: &Viewer, given: Option<Given>, alias: &str, to: &mut Conditions) {
        let is_given = |what| given == Some(what);
        if let (Some((owner, word)), false) = (&self.tag, is_given(Given::Tag)) {
            to.add(
                &format!("(SELECT 1 FROM tag t WHERE t.owner = ? AND t.word = ? AND t.number = {alias}.number LIMIT 1) = 1"),
                [text(owner), text(word)],
            );
        }
        if let (Some(place), false) = (self.place, is_given(Given::Place)) {
            to.add(
                &format!("(SELECT 1 FROM passage p WHERE p.place = ? AND p.number = {alias}.number LIMIT 1) = 1"),
                [Value::Number(place.0.cast_signed())],
            );
        }
        let took_part =
            format!("(SELECT 1 FROM participant p WHERE p.name = ? AND p.number = {alias}.number");
        if let (Some(name), false) = (&self.player, is_given(Given::Player)) {
            let name = text(&name.to_lowercase());
            match self.side {
                Some(side) => to.add(
                    &format!("{took_part} AND p.side = ? LIMIT 1) = 1"),
                    [name, text(side_word(side))],
                ),
                None => to.add(&format!("{took_part} LIMIT 1) = 1"), [name]),
            }
        }
        if let Some(name) = &self.opponent {
            to.add(
                &format!("{took_part} LIMIT 1) = 1"),
                [text(&name.to_lowercase())],
            );
        }
        let may_read = format!(
            "(SELECT 1 FROM reader r WHERE r.visitor = ? AND r.number = {alias}.number LIMIT 1) = 1"
        );
        if let (Some(own), false) = (&self.own, is_given(Given::Own)) {
            to.add(&may_read, [text(own)]);
        } else if let (Viewer::Visitor(id), None) = (viewer, &self.own)
            && !is_given(Given::Public)
        {
            to.add(&format!("(e.is_public = 1 OR {may_read})"), [text(id)]);
        }
        if let Some(rules) = &self.rules {
            to.add("e.rules = ?", [text(rules)]);
        }
        if let Some(winner) = self.winner {
            let word = winner.map_or("nobody", side_word);
            to.add(&word_is("e.winner", word), []);
        }
        if let Some(reason) = self.reason {
            to.add(&word_is("e.reason", &reason.to_string()), []);
        }
        let (least, most) = self.plies;
        if let Some(least) = least {
            to.add("e.plies >= ?", [Value::Number(least.cast_signed())]);
        }
        if let Some(most) = most {
            to.add("e.plies <= ?", [Value::Number(most.cast_signed())]);
        }
    }

    /// The numbers between which games ended in the wanted time.
    fn numbers(&self) -> (Option<i64>, Option<i64>) {
        let (from, until) = self.ended_ms;
        let first = |ms: i64| number("", ms) >> 20 << 20;
        (
            from.map(first),
            until.map(|ms| first(ms.saturating_add(1)) - 1),
        )
    }
}

/// What a driver stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Tag,
    Place,
    Player,
    Own,
    /// What everybody may see, or everything for who may see everything.
    Public,
}

const COLUMNS: &str =
    "e.number, e.game, e.rules, e.winner, e.reason, e.plies, e.ended_ms, e.white, e.black,
    e.white_rating, e.black_rating, e.last";

fn read(row: &AnyRow) -> Result<Entry, StoreError> {
    let last: String = row.try_get("last")?;
    let plies: i64 = row.try_get("plies")?;
    let game: String = row.try_get("game")?;
    let rating =
        |name| Ok::<_, StoreError>(row.try_get::<Option<i64>, _>(name)?.map(i64::unsigned_abs));
    Ok(Entry {
        number: row.try_get("number")?,
        outcome: read_outcome(row)?.ok_or_else(|| StoreError::corrupt("finished game", &game))?,
        game,
        rules: row.try_get("rules")?,
        plies: plies.unsigned_abs(),
        ended_ms: row.try_get("ended_ms")?,
        players: BySide {
            attackers: row.try_get("black")?,
            defenders: row.try_get("white")?,
        },
        ratings: BySide {
            attackers: rating("black_rating")?,
            defenders: rating("white_rating")?,
        },
        last: parse_setup(&last)?,
    })
}

impl Store {
    /// Games that are over and that someone may see, from a cursor on.
    ///
    /// # Errors
    /// The database failed.
    pub async fn search(
        &self,
        viewer: &Viewer,
        search: &Search,
        from: Option<Cursor>,
        most: u32,
    ) -> Result<Found, StoreError> {
        let is_down = matches!(search.sort, Sort::Newest | Sort::Longest);
        if matches!(search.sort, Sort::Longest | Sort::Shortest) {
            return self.by_length(viewer, search, from, most, is_down).await;
        }
        let found = self.by_time(viewer, search, from, most, is_down).await?;
        let (Viewer::Visitor(id), (_, Some(Given::Public))) = (viewer, search.driver(viewer))
        else {
            return Ok(found);
        };
        // What everybody may see and what is their own are two lists, each along its index.
        let own = Search {
            own: Some(id.clone()),
            ..search.clone()
        };
        let own = self.by_time(viewer, &own, from, most, is_down).await?;
        Ok(merged(found, own, most as usize, is_down))
    }

    async fn by_time(
        &self,
        viewer: &Viewer,
        search: &Search,
        from: Option<Cursor>,
        most: u32,
        is_down: bool,
    ) -> Result<Found, StoreError> {
        let (driver, mut given) = search.driver(viewer);
        let mut window = self.window(search, driver, from, is_down).await?;
        // A reason may be rarer than all else; if all games with it are in a window, nothing has to be asked twice.
        if window.bound.is_some()
            && given != Some(Given::Public)
            && let Some(driver) = search.reason_driver()
        {
            let rare = self.window(search, driver, from, is_down).await?;
            if rare.bound.is_none() {
                (window, given) = (rare, None);
            }
        }
        let Window {
            driver:
                Driver {
                    table,
                    alias,
                    mut conditions,
                },
            bound,
        } = window;
        let order = if is_down { "DESC" } else { "ASC" };
        let join = match table {
            "entry" => "entry e".to_string(),
            table => format!("{table} d JOIN entry e ON e.number = d.number"),
        };
        search.filter(viewer, given, alias, &mut conditions);
        let rows = format!(
            "SELECT {COLUMNS} FROM {join} WHERE {} ORDER BY {alias}.number {order} LIMIT {}",
            conditions.text(),
            most + 1
        );
        let rows = self.rows(conditions.statement(rows)).await?;
        let bound = bound.map(|number| Cursor { plies: 0, number });
        found(&rows, most, bound)
    }

    /// What a list looks at along an index, and where that ends if there is more.
    async fn window(
        &self,
        search: &Search,
        driver: Driver,
        from: Option<Cursor>,
        is_down: bool,
    ) -> Result<Window, StoreError> {
        let Driver {
            table,
            alias,
            mut conditions,
        } = driver;
        let (least, greatest) = search.numbers();
        if let Some(least) = least {
            conditions.add(&format!("{alias}.number >= ?"), [Value::Number(least)]);
        }
        if let Some(greatest) = greatest {
            conditions.add(&format!("{alias}.number <= ?"), [Value::Number(greatest)]);
        }
        let (order, after, until) = match is_down {
            true => ("DESC", "<", ">"),
            false => ("ASC", ">", "<"),
        };
        if let Some(cursor) = from {
            conditions.add(
                &format!("{alias}.number {after} ?"),
                [Value::Number(cursor.number)],
            );
        }
        let within = conditions.text();
        let bound = format!(
            "SELECT {alias}.number FROM {table} {alias} WHERE {within}
             ORDER BY {alias}.number {order} LIMIT 1 OFFSET {WINDOW}"
        );
        let bound = self.row(conditions.statement(bound)).await?;
        let bound: Option<i64> = bound.map(|row| row.try_get(0)).transpose()?;
        if let Some(bound) = bound {
            conditions.add(
                &format!("{alias}.number {until}= ?"),
                [Value::Number(bound)],
            );
        }
        let driver = Driver {
            table,
            alias,
            conditions,
        };
        Ok(Window { driver, bound })
    }

    async fn by_length(
        &self,
        viewer: &Viewer,
        search: &Search,
        from: Option<Cursor>,
        most: u32,
        is_down: bool,
    ) -> Result<Found, StoreError> {
        let mut conditions = Conditions::default();
        let (order, after, until) = match is_down {
            true => ("DESC", "<", ">"),
            false => ("ASC", ">", "<"),
        };
        let place = |cursor: Cursor| [Value::Number(cursor.plies), Value::Number(cursor.number)];
        if let Some(cursor) = from {
            conditions.add(
                &format!("(e.plies, e.number) {after} (?, ?)"),
                place(cursor),
            );
        }
        let (least, most_plies) = search.plies;
        if let Some(least) = least {
            conditions.add("e.plies >= ?", [Value::Number(least.cast_signed())]);
        }
        if let Some(most) = most_plies {
            conditions.add("e.plies <= ?", [Value::Number(most.cast_signed())]);
        }
        let bound = format!(
            "SELECT e.plies, e.number FROM entry e WHERE {} ORDER BY e.plies {order}, e.number {order}
             LIMIT 1 OFFSET {SHORT_WINDOW}",
            conditions.text()
        );
        let bound = match self.row(conditions.statement(bound)).await? {
            None => None,
            Some(row) => Some(Cursor {
                plies: row.try_get(0)?,
                number: row.try_get(1)?,
            }),
        };
        if let Some(bound) = bound {
            conditions.add(
                &format!("(e.plies, e.number) {until}= (?, ?)"),
                place(bound),
            );
        }
        let (least, greatest) = search.numbers();
        if let Some(least) = least {
            conditions.add("e.number >= ?", [Value::Number(least)]);
        }
        if let Some(greatest) = greatest {
            conditions.add("e.number <= ?", [Value::Number(greatest)]);
        }
        let unbounded = Search {
            plies: (None, None),
            ..search.clone()
        };
        unbounded.filter(viewer, None, "e", &mut conditions);
        let rows = format!(
            "SELECT {COLUMNS} FROM entry e WHERE {} ORDER BY e.plies {order}, e.number {order} LIMIT {}",
            conditions.text(),
            most + 1
        );
        let rows = self.rows(conditions.statement(rows)).await?;
        found(&rows, most, bound)
    }

    /// The names of players that begin with a text, whatever the case, those with the most games first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn players(
        &self,
        beginning: &str,
        most: u32,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let beginning = escape_like(&beginning.to_lowercase());
        let rows = query(
            "SELECT shown, games FROM player WHERE name LIKE $1 ESCAPE '\\'
             ORDER BY games DESC, name LIMIT $2",
        );
        let rows = self
            .rows(rows.bind(format!("{beginning}%")).bind(i64::from(most)))
            .await?;
        rows.iter()
            .map(|row| {
                let games: i64 = row.try_get("games")?;
                Ok((row.try_get("shown")?, games.unsigned_abs()))
            })
            .collect()
    }
}

/// Two lists by time as one.
fn merged(one: Found, other: Found, most: usize, is_down: bool) -> Found {
    let order = |a: i64, b: i64| match is_down {
        true => b.cmp(&a),
        false => a.cmp(&b),
    };
    // Behind the nearer of the two cursors only one of the lists is whole.
    let nexts = [one.next, other.next].into_iter().flatten();
    let whole = nexts.min_by(|a, b| order(a.number, b.number));
    let mut entries = one.entries;
    entries.extend(other.entries);
    entries.retain(|entry| whole.is_none_or(|end| order(entry.number, end.number).is_le()));
    entries.sort_by(|a, b| order(a.number, b.number));
    entries.dedup_by_key(|entry| entry.number);
    let is_more = entries.len() > most;
    entries.truncate(most);
    let last = entries.last().filter(|_| is_more);
    let last = last.map(|last| Cursor {
        plies: last.plies.cast_signed(),
        number: last.number,
    });
    Found {
        entries,
        next: last.or(whole),
    }
}

/// What rows say, and where to go on: behind the last of them if there are more, or else behind the window.
fn found(rows: &[AnyRow], most: u32, bound: Option<Cursor>) -> Result<Found, StoreError> {
    let most = most as usize;
    let entries = rows.iter().take(most).map(read);
    let entries: Vec<Entry> = entries.collect::<Result<_, _>>()?;
    let next = match (rows.len() > most, entries.last()) {
        (true, Some(last)) => Some(Cursor {
            plies: last.plies.cast_signed(),
            number: last.number,
        }),
        _ => bound,
    };
    Ok(Found { entries, next })
}
