//! Runs the terminal game: keys, clocks, games and files around the state machine.

use std::{
    collections::VecDeque,
    fs::File,
    future::pending,
    io::{self, Write},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Error, Result};
use crossterm::event::{self, Event};
use tablut_arena::{Notice, Player};
use tablut_host::{Host, HostError, Job, Order, Ticket, Wish};
use tablut_rules::{Game, Rules, Side, record::Record, text::Lang};
use tablut_store::{GameFilter, Saved, Visitor};
use tablut_web::{exchange, speech};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver, UnboundedSender},
    time::{MissedTickBehavior, interval},
};

use super::{
    analyst::Analyst,
    app::App,
    draw::draw,
    effect::{Content, Effect, Input, Plan, Tone},
    screen::Screen,
    table::Table,
    text::Text,
    theme::Theme,
};

/// How often clocks are drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// How long an engine thinks about a hint, in milliseconds.
const HINT_MS: u64 = 1000;

/// Where games are played and kept.
pub(crate) struct Desk {
    pub(crate) host: Host,
    pub(crate) visitor: Visitor,
    ticket: Option<Ticket>,
    hint: Option<Job>,
}

impl Desk {
    pub(crate) const fn new(host: Host, visitor: Visitor) -> Self {
        Self {
            host,
            visitor,
            ticket: None,
            hint: None,
        }
    }
}

/// What comes from outside: keys, the mouse, signals.
pub(crate) fn feed() -> Result<(UnboundedSender<Input>, UnboundedReceiver<Input>)> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let stop = sender.clone();
    ctrlc::set_handler(move || {
        if stop.send(Input::Stop).is_err() {
            std::process::exit(130);
        }
    })
    .context("cannot listen to Ctrl-C")?;
    Ok((sender, receiver))
}

/// Reads keys and the mouse until nobody wants them.
fn read_events(sender: &UnboundedSender<Input>) {
    loop {
        let input = match event::read() {
            Ok(Event::Key(key)) => Input::Key(key),
            Ok(Event::Mouse(event)) => Input::Mouse(event),
            Ok(Event::Resize(wide, high)) => Input::Resize(wide, high),
            Ok(_) => continue,
            // The terminal is gone.
            Err(_) => Input::Stop,
        };
        let is_end = matches!(input, Input::Stop);
        if sender.send(input).is_err() || is_end {
            return;
        }
    }
}

/// Runs the terminal game until it is left.
pub(crate) async fn run(
    mut app: App,
    desk: Option<Desk>,
    (sender, mut feed): (UnboundedSender<Input>, UnboundedReceiver<Input>),
    theme: Theme,
    first: Vec<Effect>,
) -> Result<()> {
    let begin = Instant::now();
    let now = || u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut driver = Driver {
        lang: app.text.lang,
        desk,
        analyst: Analyst::default(),
    };
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut screen = Screen::open().context("cannot take the terminal")?;
    thread::spawn(move || read_events(&sender));
    let mut queue = VecDeque::from(first);
    for input in driver.slots().await {
        queue.extend(app.tell(now(), input));
    }
    let mut has_changed = true;
    loop {
        while let Some(effect) = queue.pop_front() {
            if matches!(effect, Effect::Quit) {
                return Ok(());
            }
            for input in driver.perform(effect).await {
                queue.extend(app.tell(now(), input));
            }
        }
        // Between moves, only a clock that runs changes; over a slow line, nothing else is sent.
        if has_changed {
            screen
                .terminal
                .draw(|frame| draw(frame, &app, theme))
                .context("cannot draw on the terminal")?;
        }
        let input = tokio::select! {
            input = feed.recv() => input.unwrap_or(Input::Stop),
            input = driver.news() => input,
            _ = ticks.tick() => Input::Tick,
        };
        has_changed = !matches!(input, Input::Tick) || app.has_running_clock();
        queue.extend(app.tell(now(), input));
    }
}

/// Does what the state machine wants done.
struct Driver {
    lang: Lang,
    desk: Option<Desk>,
    analyst: Analyst,
}

fn good(text: impl Into<String>) -> Input {
    Input::Said(Tone::Good, text.into())
}

fn bad(text: impl Into<String>) -> Input {
    Input::Said(Tone::Bad, text.into())
}

impl Driver {
    const fn text(&self) -> &'static Text {
        Text::of(self.lang)
    }

    /// Does something, and gives what came of it.
    async fn perform(&mut self, effect: Effect) -> Vec<Input> {
        match effect {
            Effect::New(plan) => self.new_game(&plan).await,
            Effect::Resume => self.resume().await,
            Effect::Rematch => self.rematch().await,
            Effect::Leave => {
                self.analyst.think(None);
                if let Some(desk) = &mut self.desk {
                    (desk.ticket, desk.hint) = (None, None);
                }
                Vec::new()
            }
            Effect::Wish(wish) => self.wish(wish).await,
            Effect::Hint(game) => self.hint(*game),
            Effect::Analyse(game) => {
                self.analyst.think(game.map(|game| *game));
                Vec::new()
            }
            Effect::SaveSlot(number, saved) => self.save_slot(number, saved.as_ref()).await,
            Effect::Write { path, text } => vec![self.write(&path, &text)],
            Effect::Read { path, rules } => vec![self.read(&path, &rules)],
            // The state machine has done these itself.
            Effect::Say(..)
            | Effect::Ask(_)
            | Effect::Open(_)
            | Effect::SetUp(..)
            | Effect::GameOn
            | Effect::Quit => Vec::new(),
        }
    }

    /// Waits for something that nobody typed: a move, a thought, a hint.
    async fn news(&mut self) -> Input {
        let Self {
            lang,
            desk,
            analyst,
        } = self;
        let desk = async {
            match desk {
                Some(desk) => desk.news(*lang).await,
                None => pending().await,
            }
        };
        tokio::select! {
            input = desk => input,
            analysis = analyst.next() => Input::Analysis(analysis),
        }
    }

    async fn new_game(&mut self, plan: &Plan) -> Vec<Input> {
        let Some(desk) = &mut self.desk else {
            return Vec::new();
        };
        match desk.host.create(&desk.visitor, &plan.terms()).await {
            Ok(game) => desk.join(&game.id, self.lang).await,
            Err(error) => vec![refused(self.lang, &error)],
        }
    }

    async fn resume(&mut self) -> Vec<Input> {
        let none = self.text().no_game_to_resume;
        let Some(desk) = &mut self.desk else {
            return Vec::new();
        };
        let store = desk.host.store();
        let games = store.games_of(&desk.visitor.id, GameFilter::Open, 1).await;
        match games.as_deref() {
            Ok([game, ..]) => {
                let id = game.id.clone();
                desk.join(&id, self.lang).await
            }
            Ok([]) => vec![bad(none)],
            Err(error) => vec![bad(speech::store(self.lang, error).text)],
        }
    }

    async fn rematch(&mut self) -> Vec<Input> {
        let Some(desk) = &mut self.desk else {
            return Vec::new();
        };
        let Some(before) = desk.ticket.as_ref() else {
            return Vec::new();
        };
        let before = before.views.borrow().game.clone();
        match desk.host.rematch(&desk.visitor, &before).await {
            Ok(id) => desk.join(&id, self.lang).await,
            Err(error) => vec![refused(self.lang, &error)],
        }
    }

    async fn wish(&mut self, wish: Wish) -> Vec<Input> {
        let ticket = self.desk.as_ref().and_then(|desk| desk.ticket.as_ref());
        let Some(ticket) = ticket else {
            return vec![bad(self.text().watching)];
        };
        match ticket.wish(wish).await {
            Ok(notices) => {
                let declined = |notice: &Notice| matches!(notice, Notice::DrawDeclined(_));
                let is_declined = notices.iter().any(declined);
                is_declined
                    .then(|| bad(self.text().draw_declined))
                    .into_iter()
                    .collect()
            }
            Err(error) => vec![bad(speech::refused(self.lang, &error).text)],
        }
    }

    fn hint(&mut self, game: Game) -> Vec<Input> {
        let Some(desk) = &mut self.desk else {
            return Vec::new();
        };
        let order = Order {
            owner: desk.visitor.id.clone(),
            game,
            player: Player::Time(HINT_MS),
            seed: 0,
            most: None,
        };
        match desk.host.pool().order(order) {
            Ok(job) => {
                desk.hint = Some(job);
                Vec::new()
            }
            Err(busy) => vec![bad(speech::sentence(&busy.to_string()))],
        }
    }

    /// The slots as they are kept.
    async fn slots(&self) -> Vec<Input> {
        let Some(desk) = &self.desk else {
            return Vec::new();
        };
        match desk.host.store().slots(&desk.visitor.id).await {
            Ok(slots) => vec![Input::Slots(slots)],
            Err(error) => vec![bad(speech::store(self.lang, &error).text)],
        }
    }

    async fn save_slot(&mut self, number: u8, saved: Option<&Saved>) -> Vec<Input> {
        let Some(desk) = &self.desk else {
            return Vec::new();
        };
        let (store, now) = (desk.host.store(), desk.host.now_ms());
        let kept = store.save_slot(&desk.visitor.id, number, saved, now).await;
        match kept {
            Ok(_) => self.slots().await,
            Err(error) => vec![bad(speech::store(self.lang, &error).text)],
        }
    }

    fn write(&self, path: &str, text: &str) -> Input {
        let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
        match written {
            Ok(()) => good(format!("{} {path}", self.text().saved_to)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                bad(format!("{path} {}", self.text().exists))
            }
            Err(error) => bad(format!("{path}: {error}")),
        }
    }

    fn read(&self, path: &str, rules: &Arc<Rules>) -> Input {
        let Some(desk) = &self.desk else {
            return bad(self.text().watching);
        };
        match load(&desk.host, path, rules, self.lang) {
            Ok(content) => Input::Content(content),
            Err(error) => bad(format!("{error:#}")),
        }
    }
}

/// What a file holds: a position, or a game.
pub(crate) fn load(host: &Host, path: &str, rules: &Arc<Rules>, lang: Lang) -> Result<Content> {
    let text = crate::input::read(path)?;
    let content = exchange::read(host, rules, &text);
    let content = content.map_err(|error| Error::msg(format!("{path}: {error}")))?;
    if content.moves.is_empty() {
        return Ok(Content::Position(content.rules, content.setup));
    }
    let game =
        exchange::play(&content.rules, &content.setup, &content.moves).map_err(Error::msg)?;
    let record = text.parse::<Record>();
    let record = record.unwrap_or_else(|_| Record::from_game(&game));
    Ok(Content::Game(Box::new(Table::of_record(
        record, game, lang,
    ))))
}

fn refused(lang: Lang, error: &HostError) -> Input {
    bad(speech::host(lang, error).text)
}

impl Desk {
    /// Sits down at a game.
    async fn join(&mut self, id: &str, lang: Lang) -> Vec<Input> {
        (self.ticket, self.hint) = (None, None);
        match self.host.join(id, &self.visitor, None).await {
            Ok(ticket) => vec![self.sit(ticket, lang)],
            Err(error) => vec![refused(lang, &error)],
        }
    }

    fn sit(&mut self, mut ticket: Ticket, lang: Lang) -> Input {
        let table = look(&mut ticket, lang);
        self.ticket = Some(ticket);
        table
    }

    /// Waits for a change of the game, or for a hint.
    async fn news(&mut self, lang: Lang) -> Input {
        let hint = async {
            match &mut self.hint {
                Some(job) => job.found().await,
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
                    return look(ticket, lang);
                }
                ticket.views.borrow().game.id.clone()
            }
        };
        // The session has ended, as when another process has changed the game: come again.
        self.ticket = None;
        match self.host.join(&lost, &self.visitor, None).await {
            Ok(ticket) => self.sit(ticket, lang),
            Err(error) => refused(lang, &error),
        }
    }
}

/// How the game of a ticket stands.
fn look(ticket: &mut Ticket, lang: Lang) -> Input {
    let view = Arc::clone(&ticket.views.borrow_and_update());
    let yours = Side::ALL.map(|side| ticket.holds(side));
    Input::Table(Box::new(Table::of_view(&view, yours, lang)))
}
