//! Two visitors who play by link through everything, and note what they were promised.

use std::{net::SocketAddr, sync::Arc};

use tablut_rules::BySide;
use tablut_web::{
    client::Client,
    message::{Answer, Ask, LangName, NewGame, PositionInfo, WishName},
};

use super::player::{Player, Trouble, soon};

/// The plies before which no move ends a game, so that games are not made too fast.
const EARLY: usize = 50;

/// How many positions a visitor saves.
const POSITIONS: usize = 40;

/// A table and its two players.
pub(super) struct PlayingPair {
    player: Player,
    /// The players' tokens.
    tokens: BySide<String>,
    /// The game that is played, and black's way into it.
    game: Option<String>,
    secret: Option<String>,
    positions: usize,
}

impl PlayingPair {
    pub(super) fn new(player: Player) -> Self {
        let number = player.number;
        Self {
            player,
            tokens: BySide::from_fn(|side| format!("{side}{number:0>19}")),
            game: None,
            secret: None,
            positions: 0,
        }
    }

    /// Plays for as long as it is not dropped, each player by another of several servers where there are
    /// such, and by the next one after each trouble.
    pub(super) async fn play(mut self, addresses: Vec<SocketAddr>) {
        for first in self.player.number.. {
            let address = |n: usize| addresses[n % addresses.len()];
            let trouble = self.visit(address(first), address(first + 1)).await;
            self.player.recover(trouble).await;
        }
    }

    /// Plays until something goes wrong.
    async fn visit(&mut self, here: SocketAddr, there: SocketAddr) -> Result<(), Trouble> {
        let mut white = soon(Client::connect(here, &self.tokens.defenders)).await?;
        let mut black = soon(Client::connect(there, &self.tokens.attackers)).await?;
        soon(white.ask(Ask::Hello {
            lang: LangName::default(),
        }))
        .await?;
        loop {
            self.save(&mut white).await?;
            let Some(game) = self.sit_down(&mut white, &mut black).await? else {
                self.game = None;
                continue;
            };
            while self.step(&game, &mut white, &mut black).await? {
                self.player.think().await;
            }
            self.game = None;
        }
    }

    /// Goes on with the game, or makes another; nothing if it is not as it was promised.
    async fn sit_down(
        &mut self,
        white: &mut Client,
        black: &mut Client,
    ) -> Result<Option<String>, Trouble> {
        let gate = Arc::clone(&self.player.gate);
        let _open = gate.read().await;
        let game = match &self.game {
            Some(game) => game.clone(),
            None => {
                let new = NewGame::by_link("total:600000+0");
                let Answer::Game { game } = soon(white.ask(Ask::NewGame(new))).await? else {
                    return Err(Trouble::Silence);
                };
                self.player
                    .ledger
                    .game_made(self.player.number, &game, &self.tokens.defenders);
                self.secret = None;
                self.game = Some(game.clone());
                game
            }
        };
        let join = |secret| Ask::Join {
            game: game.clone(),
            secret,
        };
        soon(white.ask(join(None))).await?;
        let state = soon(white.next_state()).await?;
        self.secret = state.invitation.clone().or(self.secret.take());
        soon(black.ask(join(self.secret.clone()))).await?;
        for player in [white, &mut *black] {
            while !player.state.as_ref().is_some_and(|state| state.started) {
                soon(player.next_state()).await?;
            }
        }
        let shown = black.state.as_ref().map(|state| &state.plies);
        let shown: Vec<String> = shown
            .into_iter()
            .flatten()
            .map(|ply| ply.0.clone())
            .collect();
        let known = self.player.ledger.book().games.get(&game).cloned();
        let known = known.map(|known| known.moves).unwrap_or_default();
        // A move may have been kept whose acknowledgement was lost on the way; no more than one.
        if shown.starts_with(&known) && shown.len() <= known.len() + 1 {
            for step in &shown[known.len()..] {
                self.player.ledger.shown(&game, step);
            }
            return Ok(Some(game));
        }
        let what = format!(
            "game {game}: the server shows {} moves, {} were acknowledged",
            shown.len(),
            known.len()
        );
        let mut book = self.player.ledger.book();
        if shown.len() > known.len() {
            book.wrong.doubled.insert(what);
        } else {
            // What is missing in the store is counted by the audit.
            book.wrong.changed.insert(what);
        }
        Ok(None)
    }

    /// Makes a move; false if the game is over.
    async fn step(
        &mut self,
        game: &str,
        white: &mut Client,
        black: &mut Client,
    ) -> Result<bool, Trouble> {
        let gate = Arc::clone(&self.player.gate);
        let _open = gate.read().await;
        let ply = {
            let book = self.player.ledger.book();
            book.games.get(game).map_or(0, |known| known.moves.len())
        };
        let mover = match ply.is_multiple_of(2) {
            true => white,
            false => black,
        };
        let state = soon(mover.until_ply(ply)).await?;
        let quiet: Vec<_> = state
            .targets
            .iter()
            .filter(|target| ply >= EARLY || !target.wins)
            .collect();
        if state.outcome.is_some() || quiet.is_empty() {
            return Ok(false);
        }
        let target = quiet[self.player.random.below(quiet.len())];
        let step = format!("{}{}", target.from, target.to);
        // Some games end by resignation, so that ends are promised too.
        if ply > EARLY && self.player.random.below(15) == 0 {
            self.player.ledger.resigning(game);
            let wish = WishName::Resign;
            soon(mover.ask(Ask::Wish { wish })).await?;
            self.player.ledger.resigned(self.player.number, game);
            return Ok(false);
        }
        let asked = step.clone();
        soon(mover.ask(Ask::Move { ply, step: asked })).await?;
        self.player.ledger.moved(self.player.number, game, &step);
        Ok(true)
    }

    /// Fills a slot, and puts a position into the library now and then.
    async fn save(&mut self, white: &mut Client) -> Result<(), Trouble> {
        let gate = Arc::clone(&self.player.gate);
        let _open = gate.read().await;
        let token = self.tokens.defenders.clone();
        let setup = format!(
            "9/9/9/9/4K4/9/9/9/9 w {}",
            1 + self.player.random.below(999)
        );
        let place = PositionInfo {
            rules: "ashton".into(),
            setup: setup.clone(),
        };
        let number = self.player.random.below(10) as u8;
        self.player.ledger.saving_slot(&token, number, &setup);
        let slot = Ask::SaveSlot {
            number,
            place: Some(place.clone()),
        };
        soon(white.ask(slot)).await?;
        self.player
            .ledger
            .saved_slot(self.player.number, &token, number, &setup);
        if self.positions < POSITIONS {
            // A name is used once, so that one stored without acknowledgement is not taken for another.
            self.positions += 1;
            let name = format!("position {}", self.positions);
            let position = Ask::SavePosition {
                position: None,
                name: name.clone(),
                place,
            };
            soon(white.ask(position)).await?;
            self.player
                .ledger
                .saved_position(self.player.number, &token, &name, &setup);
        }
        Ok(())
    }
}
