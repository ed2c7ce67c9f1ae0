//! What visitors have saved, as the server tells them.

use std::{
    collections::BTreeSet,
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use tablut_web::{
    client::Client,
    message::{Answer, Ask, LangName},
};
use tokio::time::timeout;

use super::{Count, Scope};
use crate::command::bench::faults::{
    ledger::{KnownPlace, Ledger},
    world::World,
};

/// How long the server may take for an answer.
const ANSWER: Duration = Duration::from_secs(30);

async fn connect(world: &World, token: &str) -> Result<Client> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, world.server_port));
    let client = timeout(ANSWER, Client::connect(address, token)).await;
    let mut client = client.context("the server does not answer")??;
    ask(
        &mut client,
        Ask::Hello {
            lang: LangName::default(),
        },
    )
    .await?;
    Ok(client)
}

async fn ask(client: &mut Client, ask: Ask) -> Result<Answer> {
    let answer = timeout(ANSWER, client.ask(ask)).await;
    Ok(answer.context("the server does not answer")??)
}

/// Slots and libraries of all visitors.
pub(super) async fn places(world: &World, scope: Scope) -> Result<Count> {
    let tokens: BTreeSet<String> = {
        let book = world.ledger.book();
        let keys = book.slots.keys().map(|(token, _)| token);
        keys.chain(book.positions.keys().map(|(token, _)| token))
            .cloned()
            .collect()
    };
    let mut count = Count::default();
    for token in tokens {
        let mut client = connect(world, &token).await?;
        let Answer::Slots(slots) = ask(&mut client, Ask::Slots).await? else {
            bail!("unexpected answer to a request for slots");
        };
        let search = String::new();
        let Answer::Library(library) = ask(&mut client, Ask::Library { search }).await? else {
            bail!("unexpected answer to a request for a library");
        };
        let mut book = world.ledger.book();
        let (mut lost, mut doubled, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        for ((of, number), place) in &mut book.slots {
            if *of != token {
                continue;
            }
            let found = slots.iter().find(|(slot, _)| slot == number);
            let found = found.map(|(_, place)| place.setup.as_str());
            let what = format!("slot {number} of {token}");
            count += judge(place, found, scope, what, &mut lost, &mut changed);
        }
        for ((of, name), place) in &mut book.positions {
            if *of != token {
                continue;
            }
            let mut found = library.iter().filter(|entry| entry.name == *name);
            let first = found.next().map(|entry| entry.place.setup.as_str());
            let what = format!("position {name:?} of {token}");
            if found.next().is_some() {
                doubled.push(what.clone());
            }
            count += judge(place, first, scope, what, &mut lost, &mut changed);
        }
        book.wrong.lost.extend(lost);
        book.wrong.doubled.extend(doubled);
        book.wrong.changed.extend(changed);
    }
    Ok(count)
}

/// Compares what was found at a place with what was acknowledged.
fn judge(
    place: &mut KnownPlace,
    found: Option<&str>,
    scope: Scope,
    what: String,
    lost: &mut Vec<String>,
    changed: &mut Vec<String>,
) -> Count {
    let fresh = std::mem::take(&mut place.fresh);
    let is_kept = place.kept.as_deref() == found;
    let is_maybe = found.is_some_and(|found| place.maybe.iter().any(|maybe| maybe == found));
    let is_there = is_kept || is_maybe;
    match found {
        _ if is_there => {}
        None => lost.push(what),
        Some(found) => changed.push(format!("{what}: {found}, not {:?}", place.kept)),
    }
    // Earlier contents were there until they were overwritten; only the last one can be missing.
    let acknowledged = match scope {
        Scope::New => fresh,
        Scope::All => usize::from(place.kept.is_some()),
    };
    Count {
        acknowledged,
        present: acknowledged.saturating_sub(usize::from(!is_there)),
    }
}

/// Whether the server shows the latest games as they were acknowledged.
pub(in crate::command::bench::faults) async fn shown_games(
    world: &World,
    most: usize,
) -> Result<()> {
    let mut known: Vec<(String, String, Vec<String>)> = {
        let book = world.ledger.book();
        let games = book.games.iter();
        games
            .map(|(id, game)| (game.maker.clone(), id.clone(), game.moves.clone()))
            .collect()
    };
    known.sort();
    known.truncate(most);
    for (maker, game, moves) in &known {
        let mut client = connect(world, maker).await?;
        let join = Ask::Join {
            game: game.clone(),
            secret: None,
        };
        let joined = ask(&mut client, join).await;
        let shown = match joined {
            Err(_) => Vec::new(),
            Ok(_) => {
                let state = timeout(ANSWER, client.next_state()).await;
                let state = state.context("the server does not show a game")??;
                state.plies.iter().map(|ply| ply.0.clone()).collect()
            }
        };
        note(&world.ledger, game, moves, &shown);
    }
    Ok(())
}

fn note(ledger: &Ledger, game: &str, moves: &[String], shown: &[String]) {
    if !shown.starts_with(moves) {
        let what = format!(
            "game {game}: after a restart the server shows {} moves, {} were acknowledged",
            shown.len(),
            moves.len()
        );
        ledger.book().wrong.lost.insert(what);
    }
}
