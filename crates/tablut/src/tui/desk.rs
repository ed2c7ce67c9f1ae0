//! Where games are played and kept: this terminal's place at a host.

use std::sync::Arc;

use anyhow::{Error, Result};
use tablut_arena::Notice;
use tablut_host::{
    Absent, Attendance, Denied, Host, HostError, Sight, Tidings, Wish, exchange,
    speech::{self, Phrase},
};
use tablut_rules::{Rules, text::Lang};
use tablut_store::{GameFilter, Saved, StoreError, Visitor};

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
    attendance: Attendance,
}

impl Desk {
    /// A place for a visitor.
    pub(crate) fn new(host: Host, visitor: Visitor, lang: Lang) -> Self {
        Self {
            attendance: Attendance::new(host.clone()),
            host,
            visitor,
            lang,
        }
    }

    /// Does something, and gives what came of it.
    pub(crate) async fn perform(&mut self, effect: Effect) -> Vec<Input> {
        match effect {
            Effect::New(plan) => self.new_game(&plan).await,
            Effect::Resume => self.resume().await,
            Effect::Rematch => self.rematch().await,
            Effect::Leave => {
                self.attendance.leave();
                self.attendance.drop_hint();
                Vec::new()
            }
            Effect::Wish(wish) => self.wish(wish).await,
            Effect::Hint(game) => match self.attendance.ask_hint(&self.visitor, *game) {
                Ok(()) => Vec::new(),
                Err(_) => vec![Input::bad(speech::say(self.lang, Phrase::Busy).text)],
            },
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
        match self.attendance.news().await {
            Tidings::Game(sight) => self.table(&sight),
            Tidings::Lost(_, error) => Input::bad(speech::lost(self.lang, &error).text),
            Tidings::Hint(found) => Input::Hint(found),
            // The desk thinks for itself, so this is not heard.
            Tidings::Unserved => Input::Hint(None),
        }
    }

    async fn new_game(&mut self, plan: &Plan) -> Vec<Input> {
        match self.host.create(&self.visitor, &plan.terms()).await {
            Ok(game) => self.join(&game.id).await,
            Err(error) => vec![self.refused(&error)],
        }
    }

    async fn resume(&mut self) -> Vec<Input> {
        let store = self.host.store();
        let games = store.games_of(&self.visitor.id, GameFilter::Open, 1).await;
        match games.as_deref() {
            Ok([game, ..]) => self.join(&game.id).await,
            Ok([]) => vec![Input::bad(self.text().no_game_to_resume)],
            Err(error) => vec![self.not_kept(error)],
        }
    }

    async fn rematch(&mut self) -> Vec<Input> {
        let Ok(ticket) = self.attendance.ticket().await else {
            return Vec::new();
        };
        let before = ticket.views.borrow().game.clone();
        match self.host.rematch(&self.visitor, &before).await {
            Ok(id) => self.join(&id).await,
            Err(error) => vec![self.refused(&error)],
        }
    }

    /// Sits down at a game.
    async fn join(&mut self, id: &str) -> Vec<Input> {
        self.attendance.drop_hint();
        match self.attendance.join(&self.visitor, id, None).await {
            Ok(_) => self.look(),
            Err(error) => vec![self.refused(&error)],
        }
    }

    async fn wish(&mut self, wish: Wish) -> Vec<Input> {
        // Whoever goes on needs no hint any more.
        self.attendance.drop_hint();
        if self.attendance.come_back().await {
            // What was wished for was meant for another table; why there is none is news.
            return self.look();
        }
        match self.attendance.wish(wish).await {
            Ok(notices) => {
                let is_no = |notice: &Notice| matches!(notice, Notice::DrawDeclined(_));
                let is_declined = notices.iter().any(is_no);
                let declined = is_declined.then(|| Input::bad(self.text().draw_declined));
                declined.into_iter().collect()
            }
            Err(Denied::Absent(Absent::NoGame)) => Vec::new(),
            Err(denied) => vec![Input::bad(speech::denied(self.lang, &denied).text)],
        }
    }

    /// The game on the screen as it stands, if there is one.
    fn look(&mut self) -> Vec<Input> {
        let sight = self.attendance.look();
        sight.iter().map(|sight| self.table(sight)).collect()
    }

    fn table(&self, sight: &Sight) -> Input {
        let table = Table::of_view(&sight.view, sight.seats, self.lang);
        Input::Table(Box::new(table))
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

/// What a file holds: a position, or a game.
pub(crate) fn load(host: &Host, path: &str, rules: &Arc<Rules>, lang: Lang) -> Result<Content> {
    let text = crate::input::read(path)?;
    let content = exchange::read(host, rules, &text);
    let content = content.map_err(|error| {
        let why = speech::exchange(lang, &error).text;
        Error::msg(format!("{path}: {why}"))
    })?;
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
    use tablut_store::{Location, Store};

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
        let store = Store::open(&Location::Memory).await.unwrap();
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
