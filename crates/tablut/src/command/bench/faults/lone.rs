//! A visitor who plays the computer through everything. Where there are workers, its moves come from them.

use std::{net::SocketAddr, sync::Arc};

use tablut_web::{
    client::Client,
    message::{Answer, Ask, LangName, NewGame, OpponentName},
};

use super::player::{Player, Trouble, soon};

/// After how many plies another game is begun.
const LONG: usize = 40;

/// A visitor with white, and the game against the computer.
pub(super) struct LonePlayer {
    player: Player,
    token: String,
    game: Option<String>,
}

impl LonePlayer {
    pub(super) fn new(player: Player) -> Self {
        let number = player.number;
        Self {
            player,
            token: format!("alone{number:0>19}"),
            game: None,
        }
    }

    /// Plays for as long as it is not dropped, by the next server after each trouble.
    pub(super) async fn play(mut self, addresses: Vec<SocketAddr>) {
        for address in addresses.iter().cycle().skip(self.player.number) {
            let trouble = self.visit(*address).await;
            self.player.recover(trouble).await;
        }
    }

    /// Plays until something goes wrong.
    async fn visit(&mut self, address: SocketAddr) -> Result<(), Trouble> {
        let mut client = soon(Client::connect(address, &self.token)).await?;
        let lang = LangName::default();
        soon(client.ask(Ask::Hello { lang })).await?;
        loop {
            let game = self.sit_down(&mut client).await?;
            while let Some(game) = &game
                && self.step(game, &mut client).await?
            {
                self.player.think().await;
            }
            self.game = None;
        }
    }

    /// Goes on with the game, or makes another; nothing if it is not as it was promised.
    async fn sit_down(&mut self, client: &mut Client) -> Result<Option<String>, Trouble> {
        let gate = Arc::clone(&self.player.gate);
        let _open = gate.read().await;
        let game = match &self.game {
            Some(game) => game.clone(),
            None => {
                let new = NewGame {
                    opponent: OpponentName::Engine,
                    engine: "level:1".into(),
                    ..NewGame::by_link("total:600000+0")
                };
                let Answer::Game { game } = soon(client.ask(Ask::NewGame(new))).await? else {
                    return Err(Trouble::Silence);
                };
                self.player
                    .ledger
                    .game_made(self.player.number, &game, &self.token);
                self.player.ledger.plays_computer(&game);
                self.game = Some(game.clone());
                game
            }
        };
        let join = Ask::Join {
            game: game.clone(),
            secret: None,
        };
        soon(client.ask(join)).await?;
        let state = soon(client.next_state()).await?;
        let shown: Vec<String> = state.plies.iter().map(|ply| ply.0.clone()).collect();
        let known = self.player.ledger.book().games.get(&game).cloned();
        let known = known.unwrap_or_default();
        // A move of ours whose acknowledgement was lost on the way, and the answer to it.
        if shown.starts_with(&known.moves) && shown.len() <= known.moves.len() + known.unseen() {
            for step in &shown[known.moves.len()..] {
                self.player.ledger.shown(&game, step);
            }
            return Ok(Some(game));
        }
        let what = format!(
            "game {game}: the server shows {} moves, {} were acknowledged",
            shown.len(),
            known.moves.len()
        );
        self.player.ledger.book().wrong.changed.insert(what);
        Ok(None)
    }

    /// Makes a move and waits for the answer; false if the game is over or long enough.
    async fn step(&mut self, game: &str, client: &mut Client) -> Result<bool, Trouble> {
        let gate = Arc::clone(&self.player.gate);
        let _open = gate.read().await;
        let ply = {
            let book = self.player.ledger.book();
            book.games.get(game).map_or(0, |known| known.moves.len())
        };
        let state = soon(client.until_ply(ply)).await?;
        if state.outcome.is_some() || ply >= LONG {
            return Ok(false);
        }
        // White begins, and the visitor has white.
        if ply.is_multiple_of(2) {
            if state.targets.is_empty() {
                return Ok(false);
            }
            let target = &state.targets[self.player.random.below(state.targets.len())];
            let step = format!("{}{}", target.from, target.to);
            let asked = step.clone();
            soon(client.ask(Ask::Move { ply, step: asked })).await?;
            self.player.ledger.moved(self.player.number, game, &step);
            return Ok(true);
        }
        let state = soon(client.until_ply(ply + 1)).await?;
        if let Some(answer) = state.plies.get(ply) {
            let step = answer.0.clone();
            self.player.ledger.moved(self.player.number, game, &step);
        }
        Ok(true)
    }
}
