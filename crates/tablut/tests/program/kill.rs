//! A server that is killed in the middle of games loses nothing that it has acknowledged.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{net::SocketAddr, path::Path, process::Child};

use crate::server::launch;
use tablut_rules::{BySide, Random};
use tablut_web::{
    client::{Client, ClientError},
    message::{Answer, Ask, LangName, NewGame, PositionInfo, WishName},
};
use tokio::sync::mpsc;

const KILLS: usize = 20;
const GAMES: usize = 4;

fn start(store: &Path) -> (Child, SocketAddr) {
    let (child, url) = launch(store, "0");
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    (child, address.parse().unwrap())
}

/// Two players, their game, and what they were promised.
struct Table {
    /// The players' tokens.
    tokens: BySide<String>,
    game: Option<String>,
    /// Black's way into the game.
    secret: Option<String>,
    moves: Vec<String>,
    is_over: bool,
    slot: Option<String>,
    /// What the slot may hold without a promise.
    maybe: Option<String>,
    finished: usize,
    random: Random,
}

impl Table {
    fn new(number: usize) -> Self {
        Self {
            tokens: BySide::from_fn(|side| format!("{side}{number:0>19}")),
            game: None,
            secret: None,
            moves: Vec::new(),
            is_over: false,
            slot: None,
            maybe: None,
            finished: 0,
            random: Random::new(number as u64),
        }
    }

    /// Plays until the server is gone; tells of each promise.
    async fn play(&mut self, address: SocketAddr, promised: &mpsc::UnboundedSender<()>) {
        match self.try_play(address, promised).await {
            Err(ClientError::Refused(problem)) => panic!("refused: {}", problem.text),
            Err(_) => {}
            Ok(()) => unreachable!("a table plays until its server is gone"),
        }
    }

    async fn try_play(
        &mut self,
        address: SocketAddr,
        promised: &mpsc::UnboundedSender<()>,
    ) -> Result<(), ClientError> {
        let mut white = Client::connect(address, &self.tokens.defenders).await?;
        let mut black = Client::connect(address, &self.tokens.attackers).await?;
        self.check_slot(&mut white).await?;
        loop {
            self.sit_down(&mut white, &mut black).await?;
            while !self.is_over {
                let ply = self.moves.len();
                let mover = if ply.is_multiple_of(2) {
                    &mut white
                } else {
                    &mut black
                };
                let state = mover.until_ply(ply).await?;
                if state.outcome.is_some() {
                    break;
                }
                let target = &state.targets[self.random.below(state.targets.len())];
                let step = format!("{}{}", target.from, target.to);
                // Some games end by resignation, so that ends are promised too.
                if ply > 30 && self.random.below(20) == 0 {
                    let wish = WishName::Resign;
                    mover.ask(Ask::Wish { wish }).await?;
                    self.is_over = true;
                } else {
                    let asked = step.clone();
                    mover.ask(Ask::Move { ply, step: asked }).await?;
                    self.moves.push(step);
                }
                let _ = promised.send(());
            }
            self.finished += 1;
            self.game = None;
        }
    }

    /// Goes on with the game, in which nothing may be missing, or makes another.
    async fn sit_down(
        &mut self,
        white: &mut Client,
        black: &mut Client,
    ) -> Result<(), ClientError> {
        if self.game.is_none() {
            self.moves.clear();
            self.is_over = false;
            self.secret = None;
            let new = NewGame::by_link("total:600000+0");
            let Answer::Game { game } = white.ask(Ask::NewGame(new)).await? else {
                panic!("a new game was answered with something else");
            };
            self.game = Some(game);
        }
        let game = self.game.clone().unwrap();
        let join = |secret| Ask::Join {
            game: game.clone(),
            secret,
        };
        white.ask(join(None)).await?;
        let state = white.next_state().await?;
        self.secret = state.invitation.clone().or(self.secret.take());
        black.ask(join(self.secret.clone())).await?;
        while !black.state.as_ref().is_some_and(|state| state.started) {
            black.next_state().await?;
        }
        while !white.state.as_ref().is_some_and(|state| state.started) {
            white.next_state().await?;
        }
        let state = black.state.as_ref().unwrap();
        let kept: Vec<String> = state.plies.iter().map(|ply| ply.0.clone()).collect();
        assert!(
            kept.starts_with(&self.moves),
            "{kept:?} lacks of {:?}",
            self.moves
        );
        // A move may have been kept whose promise was lost on the way; no more than one.
        assert!(
            kept.len() <= self.moves.len() + 1,
            "{kept:?}, {:?}",
            self.moves
        );
        assert!(
            !self.is_over || state.outcome.is_some(),
            "an end is missing"
        );
        self.moves = kept;
        self.is_over = state.outcome.is_some();
        Ok(())
    }

    /// The slot holds what it was said to hold; then it gets something new.
    async fn check_slot(&mut self, client: &mut Client) -> Result<(), ClientError> {
        client
            .ask(Ask::Hello {
                lang: LangName::default(),
            })
            .await?;
        let Answer::Slots(slots) = client.ask(Ask::Slots).await? else {
            panic!("unexpected answer to a request for slots");
        };
        let kept = slots.first().map(|(_, place)| place.setup.clone());
        assert!(
            kept == self.slot || kept == self.maybe,
            "{kept:?}, {:?}",
            self.slot
        );
        let setup = format!("9/9/9/9/4K4/9/9/9/9 w {}", self.random.below(1000));
        let place = Some(PositionInfo {
            rules: "ashton".into(),
            setup: setup.clone(),
        });
        self.maybe = Some(setup.clone());
        client.ask(Ask::SaveSlot { number: 4, place }).await?;
        self.slot = Some(setup);
        Ok(())
    }
}

#[tokio::test]
async fn twenty_kills_in_the_middle_of_games_lose_nothing_that_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let mut tables: Vec<Table> = (0..GAMES).map(Table::new).collect();
    let mut promises = 0;
    for kill in 0..KILLS {
        let (mut child, address) = start(&store);
        let (promised, mut hear) = mpsc::unbounded_channel();
        let playing = tables.into_iter().map(|mut table| {
            let promised = promised.clone();
            tokio::spawn(async move {
                table.play(address, &promised).await;
                table
            })
        });
        let playing: Vec<_> = playing.collect();
        drop(promised);
        // Each time at another moment, while other moves are on their way.
        for _ in 0..20 + 7 * (kill % 5) {
            let heard = hear.recv().await;
            heard.expect("the tables play until their server is gone");
            promises += 1;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        tables = Vec::new();
        for table in playing {
            tables.push(table.await.unwrap());
        }
    }
    let finished: usize = tables.iter().map(|table| table.finished).sum();
    assert!(promises >= 400 && finished > 0, "{promises} {finished}");
}
