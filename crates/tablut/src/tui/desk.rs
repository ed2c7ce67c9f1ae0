//! Where games are played and kept: this terminal's place at a host.

use std::{future::pending, pin::Pin, sync::Arc};

use anyhow::{Error, Result};
use tablut_arena::Notice;
use tablut_host::{Host, HostError, Job, Order, Ticket, Wish};
use tablut_rules::{Game, Rules, Side, text::Lang};
use tablut_store::{GameFilter, Saved, StoreError, Visitor};
use tablut_web::{exchange, speech};

use super::{
    effect::{Content, Effect, Input, Plan},
    table::Table,
    text::Text,
};

/// This terminal's place at a host.
pub(crate) struct Desk {
    host: Host,
    visitor: Visitor,
    lang: Lang,
    /// The game on the screen.
    ticket: Option<Ticket>,
    /// The way back to it when its session has ended, kept until it is at its end.
    back: Option<Joining>,
    /// The id of the game on the screen, if it could not be joined again.
    lost: Option<String>,
    hint: Option<Job>,
}

type Joining = Pin<Box<dyn Future<Output = Joined>>>;

/// The id of a game that was joined again, and what came of it.
type Joined = (String, Result<Ticket, HostError>);

impl Desk {
    /// A place for somebody.
    pub(crate) const fn new(host: Host, visitor: Visitor, lang: Lang) -> Self {
        Self {
            host,
            visitor,
            lang,
            ticket: None,
            back: None,
            lost: None,
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
                self.leave();
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

    /// Waits for a change of the game, or for a hint. Whoever gives up waiting loses nothing and may
    /// wait again.
    pub(crate) async fn news(&mut self) -> Input {
        loop {
            let hint = async {
                match &mut self.hint {
                    Some(job) => job.found().await.ok(),
                    None => pending().await,
                }
            };
            let change = async {
                match (&mut self.ticket, &mut self.back) {
                    (Some(ticket), _) => match ticket.views.changed().await {
                        Ok(()) => Change::View(look(ticket, self.lang)),
                        Err(_) => Change::Ended(ticket.views.borrow().game.id.clone()),
                    },
                    (None, Some(back)) => Change::Joined(back.await),
                    (None, None) => pending().await,
                }
            };
            let change = tokio::select! {
                found = hint => {
                    self.hint = None;
                    return Input::Hint(found);
                }
                change = change => change,
            };
            match change {
                Change::View(table) => return table,
                // The session has ended, as when another process has changed the game: come again.
                Change::Ended(id) => self.turn_back(id),
                Change::Joined(joined) => return self.arrive(joined),
            }
        }
    }

    fn leave(&mut self) {
        (self.ticket, self.back, self.lost, self.hint) = (None, None, None, None);
    }

    /// Begins to join a game again.
    fn turn_back(&mut self, id: String) {
        self.leave();
        let (host, visitor) = (self.host.clone(), self.visitor.clone());
        self.back = Some(Box::pin(async move {
            let joined = host.join(&id, &visitor, None).await;
            (id, joined)
        }));
    }

    fn arrive(&mut self, (id, joined): Joined) -> Input {
        self.back = None;
        match joined {
            Ok(mut ticket) => {
                let table = look(&mut ticket, self.lang);
                self.ticket = Some(ticket);
                table
            }
            Err(error) => {
                self.lost = Some(id);
                self.refused(&error)
            }
        }
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
        self.leave();
        let joined = self.host.join(id, &self.visitor, None).await;
        self.arrive((id.into(), joined))
    }

    /// Comes back to a game that was lost, or waits until the way back is at its end.
    async fn come_back(&mut self) -> Option<Input> {
        if let Some(id) = self.lost.take() {
            self.turn_back(id);
        }
        let joined = self.back.as_mut()?.await;
        Some(self.arrive(joined))
    }

    async fn wish(&mut self, wish: Wish) -> Vec<Input> {
        // Whoever goes on needs no hint any more.
        self.hint = None;
        if let Some(table) = self.come_back().await {
            // What was wished for was meant for another table.
            return vec![table];
        }
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
        match self.host.pool().order(Order::hint(&self.visitor.id, game)) {
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

/// What became of the game on the screen.
enum Change {
    /// Its session has something new.
    View(Input),
    /// The session of the game with an id has ended.
    Ended(String),
    /// It was joined again, or not.
    Joined(Joined),
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::{
        future::poll_fn,
        task::Poll,
        time::{Duration, Instant},
    };

    use tablut_arena::TimeControl;
    use tablut_host::{Limits, Opponent, Terms};
    use tablut_store::{Place, Store};

    use super::*;

    /// Looks for news once, as when a key or the clock comes first.
    async fn glance(desk: &mut Desk) -> Option<Input> {
        let mut news = Box::pin(desk.news());
        let polled = poll_fn(|context| Poll::Ready(news.as_mut().poll(context)));
        match polled.await {
            Poll::Ready(input) => Some(input),
            Poll::Pending => None,
        }
    }

    #[tokio::test]
    async fn a_game_is_joined_again_however_many_keys_are_pressed() {
        let store = Store::open(&Place::Memory).await.unwrap();
        let [here, there] = [(); 2].map(|()| Host::new(store.clone(), Limits::default()));
        let ann = Visitor::new("ann");
        let terms = Terms {
            rules: Arc::clone(here.rules("ashton").unwrap()),
            setup: None,
            opponent: Opponent::SameScreen,
            control: TimeControl::Unlimited,
            take_backs: true,
        };
        let game = here.create(&ann, &terms).await.unwrap();
        let mut desk = Desk::new(here, ann.clone(), Lang::En);
        desk.perform(Effect::Resume).await;
        // Another process goes on with the game; the next move here finds that out.
        let other = there.join(&game.id, &ann, None).await.unwrap();
        let step = |text: &str| Wish::Move(text.parse().unwrap());
        other.wish(step("e4d4")).await.unwrap();
        desk.perform(Effect::Wish(step("e4f4"))).await;
        let begin = Instant::now();
        loop {
            match glance(&mut desk).await {
                Some(Input::Table(table)) if table.game.plies().len() == 1 => break,
                _ => assert!(begin.elapsed() < Duration::from_secs(30), "it is lost"),
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        desk.perform(Effect::Wish(step("d1c1"))).await;
        assert_eq!(store.moves(&game.id).await.unwrap().len(), 2);
    }
}
