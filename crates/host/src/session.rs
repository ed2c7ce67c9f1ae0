//! A game that is being watched or played by people of this process: one task for all of them.
//!
//! The game itself is in the store, and other processes may show and change it at the same time; see
//! [`Ledger`]. What only one of them should do, such as letting an engine think, is done by the process by
//! which a player has been there longest. If it dies, its players come back by another.

use std::{future::pending, sync::Arc, time::Duration};

use tablut_arena::{Budget, Choice, Notice, Player, Refusal, Said};
use tablut_engine::evaluate;
use tablut_rules::{BySide, Rules, Side, record::Score};
use tablut_store::{Entity, Store, StoreError};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, sleep_until},
};

use self::alarm::{Alarm, Alarms};
use crate::{
    HostError, Job, Onlookers, Order, Refused, Unanswered, View, Wish,
    engines::Engines,
    ledger::{Ledger, TRIES},
    pool::JobNews,
    room::SessionReceiver,
};

mod alarm;

/// How long a game between people stays when nobody looks, with its clocks running.
const LINGER: Duration = Duration::from_secs(30);

/// How long a move of an engine against another takes at least, so that people can follow.
const PACE: Duration = Duration::from_millis(600);

/// From which ply on an engine agrees to a draw that does not lose it anything.
const LATE: usize = 40;

/// How much worse than equal, in hundredths of a man, an engine has to stand to agree to a draw at any time.
const LOSING: i32 = 300;

/// How long to wait before trying again what the store or the pool refused.
const RETRY: Duration = Duration::from_secs(1);

/// How much later a flag falls here if the player is there by another process, which knows best whether a
/// move came in time.
const COURTESY: Duration = Duration::from_millis(500);

/// How long a match stays awake after something has happened: until all pages have been told of it.
const DOZE: Duration = Duration::from_millis(100);

/// What a session is told.
#[derive(Debug)]
pub(crate) enum SessionCommand {
    /// A visitor comes to watch, and perhaps to play.
    Join {
        seats: BySide<bool>,
        /// Where the visitor comes from.
        address: Arc<str>,
        reply: oneshot::Sender<watch::Receiver<Arc<View>>>,
    },
    /// A visitor leaves.
    Leave { seats: BySide<bool> },
    /// A player wants something.
    Wish {
        seats: BySide<bool>,
        wish: Wish,
        /// How many moves the player knows of, if that matters.
        ply: Option<usize>,
        reply: oneshot::Sender<Result<Vec<Notice>, Refused>>,
    },
    /// The game has this version now, and perhaps is known to have so many moves.
    Look { version: u64, plies: Option<usize> },
    /// The store has forgotten who is there by this process.
    Reseat,
    /// The place is needed: end if nobody is here. What comes with it is kept until then, and
    /// nothing is sent by it.
    MakeRoom(mpsc::UnboundedSender<()>),
}

/// An engine's move under way.
struct Hired {
    job: Job,
    /// For which number of moves.
    plies: usize,
    /// Its answer, once it is there.
    found: Option<Result<Choice, Unanswered>>,
    /// Before this time the move is not shown.
    earliest: Instant,
    /// Whether no engine is there to find it.
    is_unserved: bool,
}

/// A game that lives.
pub(crate) struct Session {
    store: Store,
    engines: Arc<Engines>,
    ledger: Ledger,
    /// The process, as the store names it.
    process: Arc<str>,
    watchers: usize,
    /// Where whoever plays here comes from; the engines work for them.
    address: Arc<str>,
    /// Nobody has joined yet; whoever made the session is about to, and it stays at least until then.
    is_new: bool,
    /// How many places each side is played from.
    places: BySide<usize>,
    /// Who is there by this process as far as the store knows.
    seated: BySide<bool>,
    views: watch::Sender<Arc<View>>,
    hired: Option<Hired>,
    /// Nothing is tried again before this.
    pause: Option<Instant>,
    /// The game is no more.
    is_gone: bool,
    /// Since when no player is there, by any process.
    deserted: Option<Instant>,
    /// Who waits for this session to end.
    hurried: Option<mpsc::UnboundedSender<()>>,
    /// What went wrong with a program.
    trouble: Option<String>,
}

impl Session {
    /// Reads a game from the store.
    pub(crate) async fn load(
        (store, process): (Store, Arc<str>),
        engines: Arc<Engines>,
        id: &str,
        rules: &Arc<Rules>,
        max_plies: u32,
    ) -> Result<Self, HostError> {
        let ledger = Ledger::load(store.clone(), id, rules, max_plies).await?;
        Ok(Self {
            views: watch::Sender::new(Arc::new(ledger.view())),
            store,
            engines,
            ledger,
            process,
            watchers: 0,
            address: "".into(),
            is_new: true,
            places: BySide::default(),
            seated: BySide::default(),
            hired: None,
            pause: None,
            is_gone: false,
            deserted: None,
            hurried: None,
            trouble: None,
        })
    }

    /// Begins to live, as a task of its own.
    pub(crate) fn start(self, commands: SessionReceiver) {
        tokio::spawn(Box::new(self).run(commands));
    }

    /// Lives until nobody looks. What is done from time to time is boxed: there are thousands of sessions, most of
    /// which wait.
    async fn run(mut self: Box<Self>, mut commands: SessionReceiver) {
        let mut idle_since = None;
        while !self.is_gone {
            if self.pause.is_none() {
                Box::pin(self.catch_up()).await;
            }
            self.hire();
            self.note_desertion();
            // Whoever is there elsewhere moves or runs out of time there.
            let courtesy = match self.is_first() {
                true => Duration::ZERO,
                false => COURTESY,
            };
            let flag = self.ledger.deadline().map(|flag| flag + courtesy);
            let wake = flag.map(|flag| self.pause.map_or(flag, |pause| pause.max(flag)));
            let linger = self.linger();
            let end = match (self.watchers, idle_since) {
                (0, Some(since)) => Some(since + linger),
                _ => None,
            };
            let stop = self.deserted.map(|since| since + linger);
            let mut alarms = Alarms {
                flag: wake,
                pause: self.pause,
                end,
                stop: stop.filter(|_| self.pause.is_none()),
                doze: Some(Instant::now() + DOZE),
            };
            let event = loop {
                let event = tokio::select! {
                    command = commands.recv() => SessionEvent::Command(command),
                    found = answer(self.hired.as_mut()) => SessionEvent::Answer(found),
                    alarm = alarms.ring() => SessionEvent::Alarm(alarm),
                };
                match event {
                    SessionEvent::Alarm(Alarm::Doze) => {
                        alarms.doze = None;
                        self.doze();
                    }
                    event => break event,
                }
            };
            match event {
                SessionEvent::Command(Some(command)) => Box::pin(self.obey(*command)).await,
                SessionEvent::Command(None) | SessionEvent::Alarm(Alarm::End) => break,
                SessionEvent::Answer(Some(found)) => {
                    self.hired = None;
                    Box::pin(self.play_found(found)).await;
                }
                SessionEvent::Answer(None) => self.publish(),
                SessionEvent::Alarm(Alarm::Flag) => {
                    let _ = Box::pin(self.tell(&[Said::Nothing])).await;
                }
                SessionEvent::Alarm(Alarm::Pause) => self.pause = None,
                SessionEvent::Alarm(Alarm::Stop) => Box::pin(self.stop_clock()).await,
                SessionEvent::Alarm(Alarm::Doze) => {}
            }
            idle_since = match self.watchers {
                0 if !self.is_new => idle_since.or_else(|| Some(Instant::now())),
                _ => None,
            };
        }
        // Whoever joined too late is told so by the closed channel, and joins the next session. Meanwhile
        // nobody is kept waiting by what is left to do.
        drop(commands);
        self.places = BySide::default();
        self.watchers = 0;
        Box::pin(self.settle()).await;
        if self.ledger.runs() && !self.is_gone {
            // Only where no player is left, by whatever process.
            let _ = Box::pin(self.store.stop_clock(&self.ledger.game().id)).await;
        }
    }

    /// How long a game that nobody plays goes on. An engine whose opponent has left does not think.
    fn linger(&self) -> Duration {
        let is_idle = self.has_engine() || self.ledger.play().outcome().is_some();
        match is_idle || self.hurried.is_some() {
            true => Duration::ZERO,
            false => LINGER,
        }
    }

    fn has_engine(&self) -> bool {
        let mut players = self.ledger.players().values();
        players.any(|player| !player.is_person())
    }

    /// Whether engines play each other, and people only watch.
    fn is_show(&self) -> bool {
        !self.ledger.players().values().any(Player::is_person)
    }

    /// Whether this process should be the first to do what has to be done in the game.
    fn is_first(&self) -> bool {
        let (present, turn) = (&self.ledger.live().present, self.turn());
        // Beside an engine sits its opponent; beside two, whoever came first.
        let side = match self.ledger.players()[turn].is_person() {
            true => turn,
            false if self.is_show() => Side::Attackers,
            false => turn.opponent(),
        };
        present[side].as_deref() == Some(&*self.process)
    }

    fn turn(&self) -> Side {
        self.ledger.play().game().position().side()
    }

    /// Notes since when no player is there although the clock runs.
    fn note_desertion(&mut self) {
        let is_empty = self.ledger.live().present == BySide::both(None);
        let is_deserted = is_empty && self.ledger.runs();
        let since = self.deserted.unwrap_or_else(Instant::now);
        self.deserted = is_deserted.then_some(since);
    }

    async fn stop_clock(&mut self) {
        let stopped = self.store.stop_clock(&self.ledger.game().id).await;
        let read = match stopped {
            Ok(()) => self.refresh().await,
            Err(error) => Err(error.into()),
        };
        if read.is_err() || self.deserted.is_some() && self.ledger.runs() {
            self.pause = Some(Instant::now() + RETRY);
        }
    }

    /// Does what could not be done before.
    async fn catch_up(&mut self) {
        let is_behind = self.ledger.is_unsure() && self.refresh().await.is_err();
        if self.settle().await || is_behind {
            self.pause = Some(Instant::now() + RETRY);
        }
    }

    /// Reads the game, and shows it.
    async fn refresh(&mut self) -> Result<(), HostError> {
        let read = self.ledger.refresh().await;
        match &read {
            Ok(()) => self.publish(),
            // Whoever is here finds out by joining again.
            Err(HostError::Store(StoreError::Missing(Entity::Game))) => self.is_gone = true,
            Err(_) => {}
        }
        read
    }

    async fn obey(&mut self, command: SessionCommand) {
        match command {
            SessionCommand::Join {
                seats,
                address,
                reply,
            } => {
                if seats != BySide::both(false) || self.is_new {
                    self.address = address;
                }
                self.watchers += 1;
                self.is_new = false;
                self.hurried = None;
                self.change_places(seats, |places| places + 1).await;
                // Whoever does not wait any more has sent word that they leave.
                let _ = reply.send(self.views.subscribe());
            }
            SessionCommand::Leave { seats } => {
                self.watchers = self.watchers.saturating_sub(1);
                self.change_places(seats, |places| places.saturating_sub(1))
                    .await;
                if self.watchers == 0 {
                    self.hired = None;
                }
            }
            SessionCommand::Wish {
                seats,
                wish,
                ply,
                reply,
            } => drop(reply.send(self.fulfil(seats, wish, ply).await)),
            SessionCommand::Look { version, plies } => {
                if self.ledger.is_behind(version, plies) && self.refresh().await.is_err() {
                    self.pause = Some(Instant::now() + RETRY);
                }
            }
            SessionCommand::Reseat => {
                self.seated = BySide::default();
                self.settle().await;
            }
            SessionCommand::MakeRoom(waiting) => {
                self.hurried = Some(waiting).filter(|_| self.watchers == 0);
            }
        }
    }

    /// Somebody comes to seats, or leaves them.
    async fn change_places(&mut self, seats: BySide<bool>, change: fn(usize) -> usize) {
        for side in Side::ALL.into_iter().filter(|&side| seats[side]) {
            self.places[side] = change(self.places[side]);
        }
        if self.settle().await {
            self.pause = Some(Instant::now() + RETRY);
        }
    }

    /// Lets the store know who is there by this process. True if it has to be tried again.
    async fn settle(&mut self) -> bool {
        let is_show = self.is_show();
        let wanted = BySide::from_fn(|side| {
            self.places[side] > 0 || is_show && side == Side::Attackers && self.watchers > 0
        });
        if wanted == self.seated || self.is_gone {
            return false;
        }
        let id = self.ledger.game().id.clone();
        let sits = BySide::from_fn(|side| wanted[side] && !self.seated[side]);
        let rises = BySide::from_fn(|side| !wanted[side] && self.seated[side]);
        let mut settled = Ok(());
        if sits != BySide::both(false) {
            settled = self.store.sit(&id, sits, &self.process).await;
        }
        if settled.is_ok() && rises != BySide::both(false) {
            settled = self.store.rise(&id, rises, &self.process).await;
        }
        match settled {
            Ok(()) => {
                self.seated = wanted;
                self.refresh().await.is_err()
            }
            Err(StoreError::Missing(_)) => {
                self.is_gone = true;
                false
            }
            Err(_) => true,
        }
    }

    /// Whether the game has changed since it was last read; if so, it is read.
    async fn has_news(&mut self) -> bool {
        let version = self.ledger.live().version;
        self.refresh().await.is_ok() && self.ledger.live().version != version
    }

    /// Does what a player wants. Whoever was too late because of another process is judged again.
    async fn fulfil(
        &mut self,
        seats: BySide<bool>,
        wish: Wish,
        ply: Option<usize>,
    ) -> Result<Vec<Notice>, Refused> {
        for _ in 0..TRIES {
            if self.ledger.is_unsure() {
                self.refresh().await.map_err(|error| match error {
                    HostError::Store(error) => Refused::Store(error),
                    _ => Refused::Gone,
                })?;
            }
            let granted = match self.is_made(seats, wish, ply) {
                Ok(true) => Ok(Vec::new()),
                Ok(false) => self.grant(seats, wish).await,
                Err(refused) => Err(refused),
            };
            match granted {
                Err(Refused::Store(StoreError::Stale)) => {}
                // Perhaps only because the game has gone on elsewhere, and word of it is on its way.
                Err(Refused::Rules(_) | Refused::Behind) if self.has_news().await => {}
                granted => return granted,
            }
        }
        Err(Refused::Store(StoreError::Stale))
    }

    /// Whether a move that should follow this many plies was made already, as when it is asked for again
    /// after a broken connection. A move for another position is refused.
    fn is_made(
        &self,
        seats: BySide<bool>,
        wish: Wish,
        ply: Option<usize>,
    ) -> Result<bool, Refused> {
        let (Wish::Move(step), Some(ply)) = (wish, ply) else {
            return Ok(false);
        };
        let game = self.ledger.play().game();
        if game.plies().len() == ply {
            return Ok(false);
        }
        // Sides take turns.
        let turn = game.position().side();
        let mover = match (game.plies().len() + ply).is_multiple_of(2) {
            true => turn,
            false => turn.opponent(),
        };
        match game.plies().get(ply) {
            Some(made) if made.step == step && seats[mover] => Ok(true),
            _ => Err(Refused::Behind),
        }
    }

    /// What a wish means, said to the match by those who sit on the given seats.
    async fn grant(&mut self, seats: BySide<bool>, wish: Wish) -> Result<Vec<Notice>, Refused> {
        let turn = self.turn();
        let side = match (seats.attackers, seats.defenders) {
            (true, false) => Side::Attackers,
            (false, true) => Side::Defenders,
            _ => turn,
        };
        let other = side.opponent();
        // Whoever plays both sides agrees with themselves; an engine agrees to take back.
        let is_alone = seats == BySide::both(true);
        let is_engine = !self.ledger.players()[other].is_person();
        let said = match wish {
            Wish::Move(step) => vec![Said::Move {
                side,
                step,
                score: None,
            }],
            Wish::Resign => vec![Said::Resign(side)],
            Wish::OfferDraw if is_alone => vec![Said::OfferDraw(side), Said::OfferDraw(other)],
            Wish::OfferDraw if is_engine && self.engine_wants_draw(other) => {
                vec![Said::OfferDraw(side), Said::OfferDraw(other)]
            }
            Wish::OfferDraw if is_engine => vec![Said::OfferDraw(side), Said::DeclineDraw(other)],
            Wish::OfferDraw => vec![Said::OfferDraw(side)],
            Wish::DeclineDraw => vec![Said::DeclineDraw(side)],
            Wish::TakeBack if !self.ledger.game().take_backs => return Err(Refused::NoTakeBacks),
            Wish::TakeBack if is_alone => vec![Said::TakeBack(other), Said::TakeBack(side)],
            Wish::TakeBack if is_engine => vec![Said::TakeBack(side), Said::TakeBack(other)],
            Wish::TakeBack => vec![Said::TakeBack(side)],
            Wish::DeclineTakeBack => vec![Said::DeclineTakeBack(side)],
        };
        let notices = self.tell(&said).await?;
        let is_played = |notice: &Notice| matches!(notice, Notice::Played { .. });
        match (wish, self.ledger.play().outcome()) {
            // The flag fell first: nobody is told that a move was made which was not.
            (Wish::Move(_), Some(outcome)) if !notices.iter().any(is_played) => {
                Err(Refusal::Over(outcome).into())
            }
            _ => Ok(notices),
        }
    }

    /// Whether an engine agrees to a draw: if it thinks that it loses, or late in a game in which it does
    /// not think to win.
    fn engine_wants_draw(&self, side: Side) -> bool {
        let play = self.ledger.play();
        let is_late = play.game().plies().len() >= LATE;
        let score = play.notes().iter().rev().find_map(|note| note.score);
        // An engine that has not thought yet looks at the position as it is.
        let hundredths = match score {
            Some(Score::Hundredths(units)) => units,
            Some(Score::Win(_)) => i32::MAX,
            Some(Score::Loss(_)) => i32::MIN,
            None => {
                let points = evaluate(play.game().rules(), play.game().position());
                points.sum(Side::Defenders) - points.sum(Side::Attackers)
            }
        };
        // Scores are white's.
        match side {
            Side::Defenders => hundredths <= -LOSING || is_late && hundredths <= 0,
            Side::Attackers => hundredths >= LOSING || is_late && hundredths >= 0,
        }
    }

    /// Tells the match what happened, keeps what came of it, then shows it.
    async fn tell(&mut self, said: &[Said]) -> Result<Vec<Notice>, Refused> {
        let told = self.ledger.tell(said).await;
        match &told {
            Ok(_) => self.publish(),
            Err(Refused::Store(StoreError::Stale)) => {}
            Err(Refused::Store(_)) => self.pause = Some(Instant::now() + RETRY),
            Err(_) => {}
        }
        told
    }

    fn publish(&mut self) {
        let play = self.ledger.play();
        let (plies, is_over) = (play.game().plies().len(), play.outcome().is_some());
        // What was asked about another position is of no use.
        self.hired = self
            .hired
            .take()
            .filter(|hired| hired.plies == plies && !is_over);
        let is_unserved = self.hired.as_ref().is_some_and(|hired| hired.is_unserved);
        self.views.send_replace(Arc::new(View {
            trouble: self.trouble.clone(),
            is_unserved,
            ..self.ledger.view()
        }));
    }

    /// Forgets what can be found again, until something happens; nobody is told.
    fn doze(&mut self) {
        let play = self.ledger.sleep();
        self.views.send_if_modified(|view| {
            *view = Arc::new(View {
                play,
                onlookers: Onlookers::default(),
                ..View::clone(view)
            });
            false
        });
    }

    /// Lets an engine think if it is its turn, a player waits for it, and nobody else does it.
    fn hire(&mut self) {
        let side = self.turn();
        let player = &self.ledger.players()[side];
        let is_wanted = !player.is_person()
            && self.hired.is_none()
            && self.pause.is_none()
            && self.watchers > 0
            && self.ledger.runs()
            && self.is_first();
        if !is_wanted {
            return;
        }
        let (now, game) = (Instant::now(), self.ledger.game());
        let play = self.ledger.play();
        let order = Order {
            owner: game.owner.to_string(),
            address: self.address.to_string(),
            id: game.id.clone(),
            game: play.game().clone(),
            player: player.clone(),
            seed: seed(&game.id),
            clock: self.time_to_think(side),
        };
        let plies = play.game().plies().len();
        let is_show = self.is_show();
        match self.engines.order(order) {
            Ok(job) => {
                self.hired = Some(Hired {
                    job,
                    plies,
                    found: None,
                    earliest: if is_show { now + PACE } else { now },
                    is_unserved: false,
                });
            }
            Err(_) => self.pause = Some(now + RETRY),
        }
    }

    /// What an engine may spend on a move so that its clock does not run out.
    fn time_to_think(&self, side: Side) -> Budget {
        let play = self.ledger.play();
        match play.left_ms(side, self.ledger.now()) {
            Some(left) => play.clock(side).control().budget(left),
            None => Budget::default(),
        }
    }

    async fn play_found(&mut self, found: Result<Choice, Unanswered>) {
        let side = self.turn();
        let Choice { step, score, .. } = match found {
            Ok(found) => found,
            // Not a resignation: nobody wanted this.
            Err(Unanswered::Broken(why)) => {
                self.trouble = Some(why);
                let _ = self.tell(&[Said::Broken(side)]).await;
                return;
            }
            Err(Unanswered::Stopped | Unanswered::Busy(_)) => {
                self.pause = Some(Instant::now() + RETRY);
                return;
            }
        };
        // A move that could not be stored is thought of again.
        let _ = self.tell(&[Said::Move { side, step, score }]).await;
    }
}

/// A number that is the same for the same game.
fn seed(id: &str) -> u64 {
    id.bytes()
        .fold(0, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte))
}

/// Waits for an engine's answer and for the time to show it; forever if none was asked. Nothing if it only
/// turns out that nobody thinks about it, or somebody does after all.
async fn answer(hired: Option<&mut Hired>) -> Option<Result<Choice, Unanswered>> {
    let Some(hired) = hired else {
        return pending().await;
    };
    let found = match &hired.found {
        Some(found) => found.clone(),
        None => match hired.job.news().await {
            JobNews::Found(found) => hired.found.insert(found).clone(),
            JobNews::Unserved(is_unserved) => {
                hired.is_unserved = is_unserved;
                return None;
            }
        },
    };
    sleep_until(hired.earliest).await;
    Some(found)
}

/// Something that a session has to do something about.
enum SessionEvent {
    Command(Option<Box<SessionCommand>>),
    Answer(Option<Result<Choice, Unanswered>>),
    Alarm(Alarm),
}
