//! Whether everything that was acknowledged is there: once, unchanged, in order, and not locked.

mod visitor;

pub(super) use visitor::shown_games;

use std::{collections::BTreeSet, fs, ops::AddAssign, sync::Arc, time::Duration};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use tablut_rules::{Game, Reason, Rules, Side, record};
use tablut_store::{Fixture, Store, StoreError, StoredMove};
use tokio::time::timeout;

use super::{
    ledger::{Book, KnownContest, KnownGame, Part},
    world::{World, command},
};
use crate::command::tournament::outcome;

/// How long a write by a new writer may take.
const WRITE: Duration = Duration::from_secs(30);

/// What an audit looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// What was acknowledged since the last audit, and whatever is in the same place.
    New,
    /// Everything that was ever acknowledged.
    All,
}

impl Scope {
    /// The first of a row of acknowledgements that is counted.
    const fn first(self, audited: usize) -> usize {
        match self {
            Self::New => audited,
            Self::All => 0,
        }
    }
}

/// What an audit has counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Count {
    pub(super) acknowledged: usize,
    pub(super) present: usize,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.acknowledged += other.acknowledged;
        self.present += other.present;
    }
}

/// Looks into the store and asks the server, while no player asks for anything; gives how many things
/// were acknowledged, and how many of them are there. What is wrong goes to the ledger.
pub(super) async fn audit(world: &World, scope: Scope) -> Count {
    let gate = Arc::clone(&world.gate);
    let _closed = gate.write().await;
    let mut count = Count::default();
    let looked = async {
        let store = world.open_store().await.context("cannot open the store")?;
        count += games(world, &store, scope).await?;
        count += results(world, &store, scope).await?;
        write(&store).await?;
        timeout(WRITE, store.close())
            .await
            .context("cannot close the store")?;
        count += contests(world, scope)?;
        count += visitor::places(world, scope).await?;
        anyhow::Ok(())
    };
    if let Err(error) = looked.await {
        let what = format!("{}: {error:#}", world.back_end.name());
        world.ledger.book().wrong.locked.insert(what);
    }
    count
}

/// A new visitor writes something and finds it again.
async fn write(store: &Store) -> Result<()> {
    let written = timeout(WRITE, async {
        let (owner, name) = ("bench", "audit");
        let before = store.settings(owner).await?;
        let number = before
            .first()
            .and_then(|(_, value)| value.parse::<u64>().ok());
        let number = (number.unwrap_or(0) + 1).to_string();
        store.set_setting(owner, name, &number).await?;
        let after = store.settings(owner).await?;
        Ok::<_, StoreError>(after == [(name.to_string(), number)])
    });
    match written.await.context("a new writer waits forever")? {
        Ok(true) => Ok(()),
        Ok(false) => bail!("what a new writer wrote is missing"),
        Err(error) => Err(error).context("a new writer is refused"),
    }
}

async fn games(world: &World, store: &Store, scope: Scope) -> Result<Count> {
    let rules = Rules::ashton();
    let known: Vec<(String, KnownGame)> = {
        let book = world.ledger.book();
        let wanted = |known: &KnownGame| scope == Scope::All || known.items() > known.audited;
        let games = book.games.iter().filter(|(_, known)| wanted(known));
        games
            .map(|(id, known)| (id.clone(), known.clone()))
            .collect()
    };
    let mut count = Count::default();
    for (id, known) in known {
        let first = scope.first(known.audited);
        let (mut kept, mut moves) = read(store, &id).await?;
        // The computer may have moved between the two looks.
        if known.plays_computer && kept.as_ref().is_some_and(|kept| kept.plies != moves.len()) {
            (kept, moves) = read(store, &id).await?;
        }
        let steps: Vec<String> = moves.iter().map(|one| one.step.to_string()).collect();
        let played = match &kept {
            Some(game) => store
                .record(game)
                .await?
                .replay(&rules)
                .map_err(|error| error.to_string()),
            None => Err("it is missing".into()),
        };
        let mut book = world.ledger.book();
        count += Count {
            acknowledged: known.items() - first,
            present: count_game(&mut book, &id, &known, kept.as_ref(), &steps, first),
        };
        if let Some(game) = &kept {
            judge_game(&mut book, &id, &known, game, &played, steps.len());
        }
        if let Some(entry) = book.games.get_mut(&id) {
            entry.audited = known.items();
        }
    }
    Ok(count)
}

/// A game, if it is there, and its moves.
async fn read(store: &Store, id: &str) -> Result<(Option<tablut_store::Game>, Vec<StoredMove>)> {
    let moves = store.moves(id).await.context("cannot read the moves")?;
    match store.game(id).await {
        Ok(game) => Ok((Some(game), moves)),
        Err(StoreError::Missing(_)) => Ok((None, moves)),
        Err(error) => Err(error).context("cannot read a game"),
    }
}

/// Counts the game, its moves and its end, from the first that is asked for.
fn count_game(
    book: &mut Book,
    id: &str,
    known: &KnownGame,
    kept: Option<&tablut_store::Game>,
    steps: &[String],
    first: usize,
) -> usize {
    let mut present = 0;
    let mut item = 0;
    let mut count = |is_there: bool| {
        present += usize::from(is_there && item >= first);
        item += 1;
    };
    count(kept.is_some());
    if kept.is_none() {
        book.wrong.lost.insert(format!("game {id}"));
    }
    for (n, step) in known.moves.iter().enumerate() {
        let what = format!("game {id}, move {}", n + 1);
        match steps.get(n) {
            Some(found) if found == step => count(true),
            Some(found) => {
                count(false);
                book.wrong
                    .changed
                    .insert(format!("{what}: {found}, not {step}"));
            }
            None => {
                count(false);
                book.wrong.lost.insert(what);
            }
        }
    }
    if known.is_resigned {
        let is_there = kept.is_some_and(|game| game.outcome.is_some());
        count(is_there);
        if !is_there {
            book.wrong
                .lost
                .insert(format!("game {id}, the resignation"));
        }
    }
    present
}

/// Whether a game is whole, has nothing that nobody asked for, and ended for a reason.
fn judge_game(
    book: &mut Book,
    id: &str,
    known: &KnownGame,
    kept: &tablut_store::Game,
    played: &Result<Game, String>,
    moves: usize,
) {
    if kept.plies != moves {
        let what = format!("game {id}: {moves} moves are kept, {} counted", kept.plies);
        book.wrong.changed.insert(what);
    }
    if moves > known.moves.len() + known.unseen() {
        let what = format!(
            "game {id}: {moves} moves, {} acknowledged",
            known.moves.len()
        );
        book.wrong.doubled.insert(what);
    }
    match played {
        Err(error) => {
            book.wrong.changed.insert(format!("game {id}: {error}"));
        }
        Ok(game) => {
            let by_rules = game.outcome();
            let is_right = match kept.outcome {
                Some(end) if end.reason == Reason::Resignation => known.may_be_resigned,
                end => end == by_rules,
            };
            if !is_right {
                let end = kept.outcome.map(outcome);
                let what = format!("game {id}: ended by {end:?}, by the rules {by_rules:?}");
                book.wrong.changed.insert(what);
            }
        }
    }
}

async fn results(world: &World, store: &Store, scope: Scope) -> Result<Count> {
    let (known, finished) = {
        let book = world.ledger.book();
        let wanted = |audited: bool| scope == Scope::All || !audited;
        let known: Vec<_> = book
            .results
            .iter()
            .filter(|(_, known)| wanted(known.is_audited))
            .map(|(key, known)| (key.clone(), known.clone()))
            .collect();
        (known, book.finished.clone())
    };
    let cups: BTreeSet<&String> = known.iter().map(|((cup, _), _)| cup).collect();
    let mut count = Count {
        acknowledged: known.len(),
        present: 0,
    };
    for cup in cups {
        let fixtures = store
            .fixtures(cup)
            .await
            .context("cannot read the results")?;
        for ((_, number), known) in known.iter().filter(|((of, _), _)| of == cup) {
            let fixture = number
                .checked_sub(1)
                .and_then(|number| fixtures.get(number));
            let result = fixture.and_then(|fixture| fixture.result.as_ref());
            let what = format!("{cup}, game {number}");
            let whole = match fixture {
                Some(fixture) if result.is_some() => is_whole(store, fixture).await?,
                _ => Ok(()),
            };
            let mut book = world.ledger.book();
            match result {
                None => {
                    book.wrong.lost.insert(what.clone());
                }
                Some(result)
                    if outcome(result.outcome) != known.outcome || result.plies != known.plies =>
                {
                    let found = outcome(result.outcome);
                    let what = format!("{what}: {found}, not {}", known.outcome);
                    book.wrong.changed.insert(what);
                }
                Some(_) => count.present += 1,
            }
            if let Err(fault) = whole {
                book.wrong.changed.insert(format!("{what}: {fault}"));
            }
            if let Some(entry) = book.results.get_mut(&(cup.clone(), *number)) {
                entry.is_audited = true;
            }
        }
        // A run that ended without an error has said that all is played.
        let open = fixtures.iter().filter(|one| one.result.is_none()).count();
        if finished.contains(cup) && open > 0 {
            let what = format!("{cup}: called finished, but {open} results are missing");
            world.ledger.book().wrong.lost.insert(what);
        }
    }
    Ok(count)
}

/// Whether the game of a fixture has all its moves.
async fn is_whole(store: &Store, fixture: &Fixture) -> Result<Result<(), String>> {
    let (Some(id), Some(result)) = (&fixture.game, &fixture.result) else {
        return Ok(Err("it has a result but no game".into()));
    };
    let moves = store.moves(id).await?.len();
    let game = match store.game(id).await {
        Ok(game) => game,
        Err(StoreError::Missing(_)) => return Ok(Err("its game is missing".into())),
        Err(error) => return Err(error.into()),
    };
    let plies = result.plies as usize;
    Ok(
        match game.plies == plies && moves == plies && game.outcome == Some(result.outcome) {
            true => Ok(()),
            false => Err(format!(
                "the result has {plies} moves, the game {}, of which {moves} are kept",
                game.plies
            )),
        },
    )
}

/// The files of games that the referee has called over.
fn contests(world: &World, scope: Scope) -> Result<Count> {
    let known: Vec<(usize, KnownContest)> = {
        let book = world.ledger.book();
        let wanted = |known: &KnownContest| scope == Scope::All || !known.is_audited;
        let contests = book.contests.iter().enumerate();
        contests
            .filter(|(_, known)| wanted(known))
            .map(|(n, known)| (n, known.clone()))
            .collect()
    };
    if known.is_empty() {
        return Ok(Count::default());
    }
    let entries = fs::read_dir(world.contests()).context("cannot read the referee's folder")?;
    let names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let mut count = Count {
        acknowledged: known.len(),
        present: 0,
    };
    for (index, known) in known {
        let begin = format!("_{}_vs_{}_", known.white, known.black);
        let of = |end: &str| -> Vec<&String> {
            let is_it = |name: &&String| name.starts_with(&begin) && name.ends_with(end);
            names.iter().filter(is_it).collect()
        };
        let (records, logs) = (of(".tablut"), of(".txt"));
        let what = format!("contest {} against {}", known.white, known.black);
        let read = records.first().map(|name| {
            let text = fs::read_to_string(world.contests().join(name))?;
            is_same(&text, &known)
        });
        let mut book = world.ledger.book();
        match read {
            _ if records.len() > 1 || logs.len() > 1 => {
                book.wrong.doubled.insert(what);
            }
            Some(Ok(true)) if !logs.is_empty() => count.present += 1,
            Some(Ok(true)) | None => {
                book.wrong.lost.insert(what);
            }
            Some(Ok(false)) => {
                book.wrong.changed.insert(what);
            }
            Some(Err(error)) => {
                book.wrong.changed.insert(format!("{what}: {error:#}"));
            }
        }
        if let Some(entry) = book.contests.get_mut(index) {
            entry.is_audited = true;
        }
    }
    Ok(count)
}

/// Whether a record tells the game as the referee did.
fn is_same(text: &str, known: &KnownContest) -> Result<bool> {
    let record = record::read_all(text)
        .next()
        .context("the record is empty")??;
    let rules = Rules::ashton();
    let game = record.replay_under(&rules, rules.laws().challenge())?;
    let steps: Vec<String> = game
        .plies()
        .iter()
        .map(|ply| ply.step.to_string())
        .collect();
    let end = record.outcome.context("the record has no end")?;
    Ok(steps == known.moves
        && end.winner.map(Side::colour) == known.winner.as_deref()
        && end.reason.to_string() == known.reason)
}

/// What the program itself says of its tournaments; called when nobody plays any more.
pub(super) fn exports(world: &World) -> Result<()> {
    let known = world.ledger.book().results.clone();
    let cups: BTreeSet<&String> = known.keys().map(|(cup, _)| cup).collect();
    for cup in cups {
        let folder = world.folder.join("export").join(cup);
        let to = folder.display().to_string();
        let arguments = [
            "tournament",
            "export",
            cup,
            "--store",
            &world.place,
            "--to",
            &to,
        ];
        let made = command(None, &arguments)
            .output()
            .context("cannot export")?;
        if !made.status.success() {
            bail!(
                "{cup} cannot be exported: {}",
                String::from_utf8_lossy(&made.stderr).trim()
            );
        }
        let results: Value = serde_json::from_slice(&fs::read(folder.join("results.json"))?)?;
        let records = fs::read_to_string(folder.join("games.tablut"))?;
        let mut book = world.ledger.book();
        let games = results["games"].as_array().cloned().unwrap_or_default();
        let played = games
            .iter()
            .filter(|game| !game["result"].is_null())
            .count();
        let records = record::read_all(&records).filter(Result::is_ok).count();
        if records != played {
            let what = format!("{cup}: {played} results are exported, and {records} records");
            book.wrong.changed.insert(what);
        }
        for ((of, number), known) in &known {
            let game = games
                .iter()
                .find(|game| game["game"].as_u64() == Some(*number as u64));
            let moves = game.and_then(|game| game["result"]["moves"].as_u64());
            if of == cup && moves != Some(u64::from(known.plies)) {
                book.wrong.lost.insert(format!("{cup}, game {number}"));
            }
        }
    }
    Ok(())
}

/// Notes who did not resume.
pub(super) fn stuck(world: &World, silent: &[Part], fault: &str) {
    let what = format!(
        "{}, after {fault}: no more play from {silent:?}",
        world.back_end.name()
    );
    world.ledger.book().wrong.locked.insert(what);
}
