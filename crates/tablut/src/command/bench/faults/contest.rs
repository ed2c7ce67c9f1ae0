//! The referee's clients, and what the referee says became of their games.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context, Result};
use serde_json::Value;
use tablut_challenge::{
    client::{Follower, News},
    frame::frame,
    message::{Action, Turn, name_payload},
};
use tablut_rules::{BySide, Random, Rules, Side};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{sleep, timeout},
};

use super::ledger::{KnownContest, Ledger};

/// How long a client waits for a state before it reconnects.
const PATIENCE: Duration = Duration::from_secs(8);

/// Plays one game after the other at a referee's ports, for as long as it is not dropped.
pub(super) async fn play(ports: BySide<u16>, seed: u64) {
    let rules = Rules::ashton();
    let mut random = Random::part(seed, u64::MAX);
    for number in 0_u64.. {
        // A referee that is gone comes back.
        let _ = game(ports, number, &rules, &mut random).await;
        sleep(Duration::from_millis(50)).await;
    }
}

async fn game(
    ports: BySide<u16>,
    number: u64,
    rules: &Arc<Rules>,
    random: &mut Random,
) -> Result<()> {
    let connect = async |side: Side, letter: &str| -> Result<TcpStream> {
        let mut peer = TcpStream::connect(("127.0.0.1", ports[side])).await?;
        peer.set_nodelay(true)?;
        let name = name_payload(&format!("{letter}{number}"));
        peer.write_all(&frame(name.as_bytes())).await?;
        Ok(peer)
    };
    let mut peers = BySide {
        defenders: connect(Side::Defenders, "w").await?,
        attackers: connect(Side::Attackers, "b").await?,
    };
    let mut follower = Follower::new(Arc::clone(rules));
    loop {
        let mut payload = Vec::new();
        for (_, peer) in peers.as_mut().white_first() {
            payload = timeout(PATIENCE, state(peer)).await.context("silence")??;
        }
        if let News::Over(_) = follower.tell(&payload)? {
            return Ok(());
        }
        let (Turn::Of(side), Some(game)) = (follower.turn(), follower.game()) else {
            return Ok(());
        };
        let moves = rules.moves(game.position());
        // Games should not take long.
        let wins = |step: &&_| rules.apply_unchecked(game.position(), **step).end.is_some();
        let step = match moves.iter().find(wins) {
            Some(step) => *step,
            None => *moves.get(random.below(moves.len())).context("no move")?,
        };
        sleep(Duration::from_millis(3)).await;
        let payload = frame(Action::payload(step, side).as_bytes());
        peers[side].write_all(&payload).await?;
    }
}

async fn state(peer: &mut TcpStream) -> Result<Vec<u8>> {
    let length = peer.read_u32().await?;
    let mut payload = vec![0; usize::try_from(length)?];
    peer.read_exact(&mut payload).await?;
    Ok(payload)
}

/// Reads the events that a referee prints.
#[derive(Default)]
pub(super) struct Listener {
    under_way: Mutex<Option<KnownContest>>,
}

impl Listener {
    pub(super) fn hear(&self, line: &str, ledger: &Ledger) {
        let Ok(event) = serde_json::from_str::<Value>(line) else {
            return;
        };
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_string();
        let mut under_way = self.lock();
        match event["event"].as_str() {
            Some("started") => {
                *under_way = Some(KnownContest {
                    white: text("white"),
                    black: text("black"),
                    moves: Vec::new(),
                    winner: None,
                    reason: String::new(),
                    is_audited: false,
                });
            }
            Some("moved") => {
                if let Some(contest) = under_way.as_mut() {
                    contest.moves.push(text("move"));
                }
            }
            Some("over") => {
                if let Some(mut contest) = under_way.take() {
                    contest.winner = event["winner"].as_str().map(Into::into);
                    contest.reason = text("reason");
                    ledger.contest_over(contest);
                }
            }
            _ => {}
        }
    }

    /// The referee is gone, and with it the game under way.
    pub(super) fn forget(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<KnownContest>> {
        self.under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
