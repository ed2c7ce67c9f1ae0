//! A game that is played elsewhere: one task that reads it from the store for those who watch.

use std::sync::Arc;

use tablut_arena::{Clock, Conduct, Match, Player, Said};
use tablut_rules::{Rules, Side};
use tablut_store::{Declined, Game, Store};
use tokio::sync::watch;

use crate::{
    HostError, Onlookers, Refused, SeatView, View, room::SessionReceiver, session::SessionCommand,
};

/// A foreign game and those who watch it.
pub(crate) struct Spectator {
    store: Store,
    rules: Arc<Rules>,
    game: Game,
    views: watch::Sender<Arc<View>>,
    watchers: usize,
}

impl Spectator {
    /// Reads a game that is played elsewhere.
    pub(crate) async fn load(
        store: Store,
        game: Game,
        rules: &Arc<Rules>,
    ) -> Result<Self, HostError> {
        let view = read(&store, &game, rules).await?;
        Ok(Self {
            views: watch::Sender::new(Arc::new(view)),
            store,
            rules: Arc::clone(rules),
            game,
            watchers: 0,
        })
    }

    /// Begins to live, as a task of its own.
    pub(crate) fn start(self, commands: SessionReceiver) {
        tokio::spawn(self.run(commands));
    }

    /// Lives until nobody looks.
    async fn run(mut self, mut commands: SessionReceiver) {
        while let Some(command) = commands.recv().await {
            // Word of a change may come before the first who joins.
            let is_leaving = matches!(*command, SessionCommand::Leave { .. });
            self.obey(*command).await;
            if is_leaving && self.watchers == 0 {
                break;
            }
        }
    }

    async fn obey(&mut self, command: SessionCommand) {
        match command {
            SessionCommand::Join { reply, .. } => {
                self.watchers += 1;
                // Whoever does not wait any more has sent word that they leave.
                let _ = reply.send(self.views.subscribe());
            }
            SessionCommand::Leave { .. } => self.watchers = self.watchers.saturating_sub(1),
            SessionCommand::Wish { reply, .. } => drop(reply.send(Err(Refused::Watching))),
            SessionCommand::Look { .. } if self.game.outcome.is_none() => self.look().await,
            SessionCommand::Look { .. } | SessionCommand::Reseat | SessionCommand::MakeRoom(_) => {}
        }
    }

    /// Reads what is new. A store that fails now is asked again; a game whose attempt came to
    /// nothing stays as it was last seen.
    async fn look(&mut self) {
        let Ok(game) = self.store.game(&self.game.id).await else {
            return;
        };
        if (game.plies, game.outcome) == (self.game.plies, self.game.outcome) {
            return;
        }
        if let Ok(view) = read(&self.store, &game, &self.rules).await {
            self.game = game;
            self.views.send_replace(Arc::new(view));
        }
    }
}

/// How a foreign game stands.
async fn read(store: &Store, game: &Game, rules: &Arc<Rules>) -> Result<View, HostError> {
    let clocks = game.seats.as_ref().map(|seat| match seat.left_ms {
        Some(left) => Clock::with_left(game.control, left),
        None => Clock::new(game.control),
    });
    let record = store.record(game).await?;
    let mut play = Match::restore(&record, rules, rules.laws(), clocks, Conduct::default())?;
    for side in Side::ALL {
        play.tell(0, Said::Seated(side));
    }
    // Time has passed since the last move.
    let since = crate::host::wall_clock_ms() - game.changed_ms;
    Ok(View {
        seats: game.seats.as_ref().map(|seat| SeatView {
            // What plays is nobody's business; it goes by its name.
            player: Player::Person,
            name: seat.name.clone(),
            taken: true,
            present: true,
        }),
        game: Arc::new(game.clone()),
        play: play.into(),
        now_ms: u64::try_from(since).unwrap_or(0),
        is_stopped: false,
        trouble: None,
        is_unserved: false,
        declined: Declined::default(),
        onlookers: Onlookers::default(),
    })
}
