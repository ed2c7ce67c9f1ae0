//! A game that is being watched or played: one task owns it until the last one leaves.

use std::{future::pending, sync::Arc, time::Duration};

use tablut_arena::{Budget, Choice, Clock, Conduct, Match, Notice, Player, Said, TimeControl};
use tablut_engine::evaluate;
use tablut_rules::{BySide, Rules, Side, record::Score};
use tablut_store::{Game, Seat, Store, StoreError};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, sleep_until},
};

use crate::{
    EnginePool, HostError, Job, Order, Refused, SeatView, Unanswered, View, Wish,
    host::wall_clock_ms, progress::progress, seat::hosted_player,
};

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

/// What a session is told.
#[derive(Debug)]
pub(crate) enum SessionCommand {
    /// A visitor comes to watch, and perhaps to play.
    Join {
        seats: BySide<bool>,
        /// The seats as they are kept now.
        kept: Box<BySide<Seat>>,
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
    /// A game follows this one.
    Rematch(String),
    /// The game was deleted before it began.
    Cancelled,
    /// The place is needed: end if nobody is here. What comes with it is kept until then, and
    /// nothing is sent by it.
    MakeRoom(mpsc::UnboundedSender<()>),
}

/// An engine's move under way.
struct Hired {
    job: Job,
    /// Its answer, once it is there.
    found: Option<Result<Choice, Unanswered>>,
    /// Before this time the move is not shown.
    earliest: Instant,
}

/// A game that lives.
pub(crate) struct Session {
    store: Store,
    pool: Arc<EnginePool>,
    game: Game,
    players: BySide<Player>,
    /// The match; views share it until it goes on.
    play: Arc<Match>,
    /// When the match's clock showed nothing.
    zero: Instant,
    watchers: usize,
    /// How many places each side is played from.
    places: BySide<usize>,
    views: watch::Sender<Arc<View>>,
    hired: Option<Hired>,
    /// What an engine last thought of the game.
    score: Option<Score>,
    /// Nothing is tried again before this.
    pause: Option<Instant>,
    /// Another process has changed the game.
    is_stale: bool,
    /// Who waits for this session to end.
    hurried: Option<mpsc::UnboundedSender<()>>,
    /// What went wrong with a program.
    trouble: Option<String>,
    /// Who has declined a draw, until something else happens.
    declined: Option<Side>,
}

impl Session {
    /// Brings a game back from the store.
    pub(crate) async fn load(
        store: Store,
        pool: Arc<EnginePool>,
        game: Game,
        rules: &Arc<Rules>,
        max_plies: u32,
    ) -> Result<Self, HostError> {
        let control = game.control;
        let players = game
            .seats
            .as_ref()
            .try_map(|seat| hosted_player(&seat.player))?;
        let clocks = game.seats.as_ref().map(|seat| match seat.left_ms {
            Some(left) => Clock::with_left(control, left),
            None => Clock::new(control),
        });
        let record = store.record(&game).await?;
        let conduct = Conduct {
            max_plies: Some(max_plies),
            ..Conduct::default()
        };
        let play = Match::restore(&record, rules, rules.laws(), clocks, conduct)?;
        let play = Arc::new(play);
        let mut session = Self {
            views: watch::Sender::new(Arc::new(view(&game, &players, BySide::default(), &play, 0))),
            store,
            pool,
            game,
            players,
            play,
            zero: Instant::now(),
            watchers: 0,
            places: BySide::default(),
            hired: None,
            score: None,
            pause: None,
            is_stale: false,
            hurried: None,
            trouble: None,
            declined: None,
        };
        session.seat_the_absent();
        Ok(session)
    }

    /// Engines are always there; without clocks, so is everybody who ever took a seat.
    fn seat_the_absent(&mut self) {
        for side in Side::ALL {
            let is_engine = !self.players[side].is_person();
            let is_patient = self.play.clock(side).control() == TimeControl::Unlimited;
            let is_taken = self.game.seats[side].holder.is_some();
            if is_engine || is_patient && is_taken {
                let now = self.now();
                Arc::make_mut(&mut self.play).tell(now, Said::Seated(side));
            }
        }
    }

    /// Lives until nobody looks.
    pub(crate) async fn run(mut self, mut commands: mpsc::UnboundedReceiver<SessionCommand>) {
        let mut idle_since = None;
        while !self.is_stale {
            self.hire();
            let flag = self
                .play
                .deadline()
                .map(|ms| self.zero + Duration::from_millis(ms));
            let wake = flag.map(|flag| self.pause.map_or(flag, |pause| pause.max(flag)));
            // An engine whose opponent has left does not think.
            let is_idle = self.has_engine() || self.play.outcome().is_some();
            let linger = if is_idle || self.hurried.is_some() {
                Duration::ZERO
            } else {
                LINGER
            };
            let end = match (self.watchers, idle_since) {
                (0, Some(since)) => Some(since + linger),
                _ => None,
            };
            tokio::select! {
                command = commands.recv() => match command {
                    Some(command) => self.obey(command).await,
                    None => break,
                },
                found = answer(self.hired.as_mut()) => {
                    self.hired = None;
                    self.play_found(found).await;
                }
                () = at(wake) => {
                    let _ = self.tell(&[Said::Nothing]).await;
                }
                () = at(self.pause) => self.pause = None,
                () = at(end) => break,
            }
            idle_since = match self.watchers {
                0 => idle_since.or_else(|| Some(Instant::now())),
                _ => None,
            };
        }
        // Whoever joined too late is told so by the closed channel, and joins the next session.
    }

    fn now(&self) -> u64 {
        u64::try_from(self.zero.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn has_engine(&self) -> bool {
        self.players.values().any(|player| !player.is_person())
    }

    async fn obey(&mut self, command: SessionCommand) {
        match command {
            SessionCommand::Join { seats, kept, reply } => {
                self.game.seats = *kept;
                self.watchers += 1;
                self.hurried = None;
                let mut said = Vec::new();
                for side in Side::ALL.into_iter().filter(|&side| seats[side]) {
                    self.places[side] += 1;
                    if self.places[side] == 1 {
                        said.push(Said::Seated(side));
                    }
                }
                // Sitting down changes nothing that is kept.
                let _ = self.tell(&said).await;
                // Whoever does not wait any more has sent word that they leave.
                let _ = reply.send(self.views.subscribe());
            }
            SessionCommand::Leave { seats } => self.leave(seats).await,
            SessionCommand::Wish {
                seats,
                wish,
                ply,
                reply,
            } => {
                let result = match self.is_made(seats, wish, ply) {
                    Ok(true) => Ok(Vec::new()),
                    Ok(false) => self.grant(seats, wish).await,
                    Err(refused) => Err(refused),
                };
                let _ = reply.send(result);
            }
            SessionCommand::MakeRoom(waiting) => {
                self.hurried = Some(waiting).filter(|_| self.watchers == 0);
            }
            SessionCommand::Rematch(id) => {
                self.game.rematch = Some(id);
                self.publish();
            }
            // Nothing is left to be kept; whoever is here finds out by joining again.
            SessionCommand::Cancelled => self.is_stale = true,
        }
    }

    async fn leave(&mut self, seats: BySide<bool>) {
        self.watchers = self.watchers.saturating_sub(1);
        let mut said = Vec::new();
        for side in Side::ALL.into_iter().filter(|&side| seats[side]) {
            let places = &mut self.places[side];
            *places = places.saturating_sub(1);
            if *places == 0 {
                said.push(Said::Gone(side));
            }
        }
        let _ = self.tell(&said).await;
        if self.watchers == 0 {
            self.hired = None;
        }
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
        let game = self.play.game();
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
        let turn = self.play.game().position().side();
        let side = match (seats.attackers, seats.defenders) {
            (true, false) => Side::Attackers,
            (false, true) => Side::Defenders,
            _ => turn,
        };
        let other = side.opponent();
        // Whoever plays both sides agrees with themselves; an engine agrees to take back.
        let is_alone = seats == BySide::both(true);
        let is_engine = !self.players[other].is_person();
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
            Wish::TakeBack if !self.game.take_backs => return Err(Refused::NoTakeBacks),
            Wish::TakeBack if is_alone => vec![Said::TakeBack(other), Said::TakeBack(side)],
            Wish::TakeBack if is_engine => vec![Said::TakeBack(side), Said::TakeBack(other)],
            Wish::TakeBack => vec![Said::TakeBack(side)],
            Wish::DeclineTakeBack => vec![Said::DeclineTakeBack(side)],
        };
        self.tell(&said).await
    }

    /// Whether an engine agrees to a draw: if it thinks that it loses, or late in a game in which it does
    /// not think to win.
    fn engine_wants_draw(&self, side: Side) -> bool {
        let is_late = self.play.game().plies().len() >= LATE;
        let position = self.play.game().position();
        // An engine that has not thought yet, as after a restart, looks at the position as it is.
        let hundredths = match self.score {
            Some(Score::Hundredths(units)) => units,
            Some(Score::Win(_)) => i32::MAX,
            Some(Score::Loss(_)) => i32::MIN,
            None => {
                let points = evaluate(self.play.game().rules(), position);
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
        // The match is copied once, when it is first told something: the last view shows it as it was.
        let before = Arc::clone(&self.play);
        let now = self.now();
        let notices: Vec<Notice> = said
            .iter()
            .flat_map(|&said| Arc::make_mut(&mut self.play).tell(now, said))
            .collect();
        let is_new = |notice: &Notice| {
            matches!(
                notice,
                Notice::Played { .. } | Notice::TakenBack { .. } | Notice::Over(_)
            )
        };
        if notices.iter().any(is_new) {
            self.hired = None;
            if let Err(error) = self.keep(before.game().plies().len(), &notices).await {
                self.play = before;
                // Who does not know how the game stands reads it again.
                self.is_stale = matches!(error, StoreError::Stale | StoreError::InDoubt(_));
                self.pause = Some(Instant::now() + RETRY);
                return Err(error.into());
            }
        }
        self.note_answer(&notices);
        self.publish();
        let refused = notices.iter().find_map(|notice| match notice {
            Notice::Refused { refusal, .. } => Some(*refusal),
            _ => None,
        });
        match refused {
            Some(refusal) => Err(refusal.into()),
            None => Ok(notices),
        }
    }

    /// Remembers that a draw was declined, until the next move, offer or end.
    fn note_answer(&mut self, notices: &[Notice]) {
        for notice in notices {
            match notice {
                Notice::DrawDeclined(side) => self.declined = Some(*side),
                Notice::DrawOffered(_)
                | Notice::Played { .. }
                | Notice::TakenBack { .. }
                | Notice::Over(_) => self.declined = None,
                _ => {}
            }
        }
    }

    /// Keeps what the match has become.
    async fn keep(&mut self, before: usize, notices: &[Notice]) -> Result<(), StoreError> {
        let taken = notices.iter().find_map(|notice| match notice {
            Notice::TakenBack { plies } => Some(*plies),
            _ => None,
        });
        let keep = before - taken.unwrap_or(0).min(before);
        let progress = progress(&self.play, before, keep);
        let now_ms = wall_clock_ms();
        match self.store.advance(&self.game.id, &progress, now_ms).await {
            Err(StoreError::InDoubt(_)) if self.is_kept(now_ms).await => {}
            kept => kept?,
        }
        self.game.plies = self.play.game().plies().len();
        self.game.outcome = self.play.outcome();
        self.game.changed_ms = now_ms;
        Ok(())
    }

    /// Whether the store has the match as it is, kept by us at a time.
    async fn is_kept(&self, at_ms: i64) -> bool {
        let kept = self.store.game(&self.game.id).await;
        kept.is_ok_and(|kept| {
            kept.plies == self.play.game().plies().len()
                && kept.outcome == self.play.outcome()
                && kept.changed_ms == at_ms
        })
    }

    fn publish(&self) {
        let view = view(
            &self.game,
            &self.players,
            self.places,
            &self.play,
            self.now(),
        );
        self.views.send_replace(Arc::new(View {
            trouble: self.trouble.clone(),
            declined: self.declined,
            ..view
        }));
    }

    /// Lets an engine think if it is its turn and a player waits for it.
    fn hire(&mut self) {
        let side = self.play.game().position().side();
        let player = &self.players[side];
        let is_wanted = !player.is_person()
            && self.hired.is_none()
            && self.pause.is_none()
            && self.watchers > 0
            && self.play.has_started()
            && self.play.outcome().is_none();
        if !is_wanted {
            return;
        }
        let now = Instant::now();
        let is_show = !self.players.values().any(Player::is_person);
        let order = Order {
            owner: self.game.owner.to_string(),
            id: self.game.id.clone(),
            game: self.play.game().clone(),
            player: player.clone(),
            seed: seed(&self.game.id),
            clock: self.time_to_think(side),
        };
        match self.pool.order(order) {
            Ok(job) => {
                self.hired = Some(Hired {
                    job,
                    found: None,
                    earliest: if is_show { now + PACE } else { now },
                });
            }
            Err(_) => self.pause = Some(now + RETRY),
        }
    }

    /// What an engine may spend on a move so that its clock does not run out.
    fn time_to_think(&self, side: Side) -> Budget {
        match self.play.left_ms(side, self.now()) {
            Some(left) => self.play.clock(side).control().budget(left),
            None => Budget::default(),
        }
    }

    async fn play_found(&mut self, found: Result<Choice, Unanswered>) {
        let side = self.play.game().position().side();
        let Choice { step, score, .. } = match found {
            Ok(found) => found,
            // Not a resignation: nobody wanted this.
            Err(Unanswered::Broken(why)) => {
                self.trouble = Some(why);
                let _ = self.tell(&[Said::Broken(side)]).await;
                return;
            }
            Err(Unanswered::Stopped) => {
                self.pause = Some(Instant::now() + RETRY);
                return;
            }
        };
        self.score = score;
        // A move that could not be stored is thought of again.
        let _ = self.tell(&[Said::Move { side, step, score }]).await;
    }
}

fn view(
    game: &Game,
    players: &BySide<Player>,
    places: BySide<usize>,
    play: &Arc<Match>,
    now: u64,
) -> View {
    let seat = |side: Side| {
        let is_engine = !players[side].is_person();
        let seat = &game.seats[side];
        SeatView {
            player: players[side].clone(),
            name: seat.name.clone(),
            taken: is_engine || seat.holder.is_some(),
            present: is_engine || places[side] > 0,
        }
    };
    View {
        seats: BySide::from_fn(seat),
        game: game.clone(),
        play: Arc::clone(play),
        now_ms: now,
        trouble: None,
        declined: None,
    }
}

/// A number that is the same for the same game.
fn seed(id: &str) -> u64 {
    id.bytes()
        .fold(0, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte))
}

/// Waits for an engine's answer and for the time to show it; forever if none was asked.
async fn answer(hired: Option<&mut Hired>) -> Result<Choice, Unanswered> {
    let Some(hired) = hired else {
        return pending().await;
    };
    let found = match &hired.found {
        Some(found) => found.clone(),
        None => hired.found.insert(hired.job.found().await).clone(),
    };
    sleep_until(hired.earliest).await;
    found
}

/// Waits until a time; forever if there is none.
async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}
