//! Where games are played and kept: this terminal's place at a host.

use std::{future::pending, sync::Arc};

use anyhow::{Error, Result};
use tablut_arena::{Notice, Player};
use tablut_host::{Host, HostError, Job, Order, Ticket, Wish};
use tablut_rules::{Game, Rules, Side, text::Lang};
use tablut_store::{GameFilter, Saved, StoreError, Visitor};
use tablut_web::{exchange, speech};

use super::{
    effect::{Content, Effect, Input, Plan},
    table::Table,
    text::Text,
};

/// How long an engine thinks about a hint, in milliseconds.
const HINT_MS: u64 = 1000;

/// This terminal's place at a host.
pub(crate) struct Desk {
    host: Host,
    visitor: Visitor,
    lang: Lang,
    /// The game on the screen.
    ticket: Option<Ticket>,
    hint: Option<Job>,
}

impl Desk {
    /// A place for somebody.
    pub(crate) const fn new(host: Host, visitor: Visitor, lang: Lang) -> Self {
        Self {
            host,
            visitor,
            lang,
            ticket: None,
            hint: None,
        }
    }

    /// Does something, and gives what came of it.
    pub(crate) async fn perform(&mut self, effect: Effect) -> Vec<Input> {
        match effect {
            Effect::New(plan) => self.new_game(&plan).await,
            Effect::Resume => self.resume().await,
            Effect::Rematch => self.rematch().await,
            Effect::Leave => {
                (self.ticket, self.hint) = (None, None);
                Vec::new()
            }
            Effect::Wish(wish) => self.wish(wish).await,
            Effect::Hint(game) => self.ask_hint(*game),
            Effect::SaveSlot(number, saved) => self.save_slot(number, saved.as_ref()).await,
            Effect::Read { path, rules } => {
                let content = load(&self.host, &path, &rules, self.lang);
                vec![content.map_or_else(|error| Input::bad(format!("{error:#}")), Input::Content)]
            }
            _ => Vec::new(),
        }
    }

    /// Waits for a change of the game, or for a hint.
    pub(crate) async fn news(&mut self) -> Input {
        let hint = async {
            match &mut self.hint {
                Some(job) => job.found().await.ok(),
                None => pending().await,
            }
        };
        let change = async {
            match &mut self.ticket {
                Some(ticket) => (ticket.views.changed().await.is_ok(), ticket),
                None => pending().await,
            }
        };
        let lost = tokio::select! {
            found = hint => {
                self.hint = None;
                return Input::Hint(found);
            }
            (is_alive, ticket) = change => {
                if is_alive {
                    return look(ticket, self.lang);
                }
                ticket.views.borrow().game.id.clone()
            }
        };
        // The session has ended, as when another process has changed the game: come again.
        self.join(&lost).await
    }

    async fn new_game(&mut self, plan: &Plan) -> Vec<Input> {
        match self.host.create(&self.visitor, &plan.terms()).await {
            Ok(game) => vec![self.join(&game.id).await],
            Err(error) => vec![self.refused(&error)],
        }
    }

    async fn resume(&mut self) -> Vec<Input> {
        let store = self.host.store();
        let games = store.games_of(&self.visitor.id, GameFilter::Open, 1).await;
        match games.as_deref() {
            Ok([game, ..]) => {
                let id = game.id.clone();
                vec![self.join(&id).await]
            }
            Ok([]) => vec![Input::bad(self.text().no_game_to_resume)],
            Err(error) => vec![self.not_kept(error)],
        }
    }

    async fn rematch(&mut self) -> Vec<Input> {
        let Some(ticket) = &self.ticket else {
            return Vec::new();
        };
        let before = ticket.views.borrow().game.clone();
        match self.host.rematch(&self.visitor, &before).await {
            Ok(id) => vec![self.join(&id).await],
            Err(error) => vec![self.refused(&error)],
        }
    }

    /// Sits down at a game.
    async fn join(&mut self, id: &str) -> Input {
        (self.ticket, self.hint) = (None, None);
        match self.host.join(id, &self.visitor, None).await {
            Ok(mut ticket) => {
                let table = look(&mut ticket, self.lang);
                self.ticket = Some(ticket);
                table
            }
            Err(error) => self.refused(&error),
        }
    }

    async fn wish(&mut self, wish: Wish) -> Vec<Input> {
        // Whoever goes on needs no hint any more.
        self.hint = None;
        let Some(ticket) = &self.ticket else {
            return Vec::new();
        };
        match ticket.wish(wish).await {
            Ok(notices) => {
                let is_no = |notice: &Notice| matches!(notice, Notice::DrawDeclined(_));
                let is_declined = notices.iter().any(is_no);
                let declined = is_declined.then(|| Input::bad(self.text().draw_declined));
                declined.into_iter().collect()
            }
            Err(error) => vec![Input::bad(speech::refused(self.lang, &error).text)],
        }
    }

    fn ask_hint(&mut self, game: Game) -> Vec<Input> {
        let order = Order {
            owner: self.visitor.id.clone(),
            id: String::new(),
            game,
            player: Player::Time(HINT_MS),
            seed: 0,
            most: None,
        };
        match self.host.pool().order(order) {
            Ok(job) => {
                self.hint = Some(job);
                Vec::new()
            }
            Err(busy) => vec![Input::bad(speech::sentence(&busy.to_string()))],
        }
    }

    /// The slots as they are kept.
    pub(crate) async fn slots(&self) -> Vec<Input> {
        match self.host.store().slots(&self.visitor.id).await {
            Ok(slots) => vec![Input::Slots(slots)],
            Err(error) => vec![self.not_kept(&error)],
        }
    }

    async fn save_slot(&mut self, number: u8, saved: Option<&Saved>) -> Vec<Input> {
        let (store, now) = (self.host.store(), self.host.now_ms());
        let kept = store.save_slot(&self.visitor.id, number, saved, now).await;
        match kept {
            Ok(_) => self.slots().await,
            Err(error) => vec![self.not_kept(&error)],
        }
    }

    const fn text(&self) -> &'static Text {
        Text::of(self.lang)
    }

    fn refused(&self, error: &HostError) -> Input {
        Input::bad(speech::host(self.lang, error).text)
    }

    fn not_kept(&self, error: &StoreError) -> Input {
        Input::bad(speech::store(self.lang, error).text)
    }
}

/// How the game of a ticket stands.
fn look(ticket: &mut Ticket, lang: Lang) -> Input {
    let view = Arc::clone(&ticket.views.borrow_and_update());
    let yours = Side::ALL.map(|side| ticket.holds(side));
    Input::Table(Box::new(Table::of_view(&view, yours, lang)))
}

/// What a file holds: a position, or a game.
pub(crate) fn load(host: &Host, path: &str, rules: &Arc<Rules>, lang: Lang) -> Result<Content> {
    let text = crate::input::read(path)?;
    let content = exchange::read(host, rules, &text);
    let content = content.map_err(|error| Error::msg(format!("{path}: {error}")))?;
    Ok(match content.record {
        None => Content::Position(content.rules, content.setup),
        Some((game, record)) => Content::Game(Box::new(Table::of_record(record, game, lang))),
    })
}
