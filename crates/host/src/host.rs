//! Makes games, and lets people join them.

use std::{
    sync::Arc,
    thread::available_parallelism,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use tablut_arena::Clock;
use tablut_guest::MoverOptions;
use tablut_rules::{BuiltIn, BySide, Rules, Side};
use tablut_store::{
    Game, GameOwner, Kept, NamedPosition, Saved, Seat, SeatPlayer, Store, StoreError, StoredMove,
    Viewer, Visitor,
};
use tokio::{
    sync::{Mutex, mpsc},
    time::{sleep, timeout},
};

use crate::{
    EnginePool, EngineSource, HostError, Ratings, Spotlight, StudyWatch, Terms, Ticket,
    census::Census,
    engines::Engines,
    fresh_id,
    lessons::{LessonShelf, Lessons},
    organiser::Organiser,
    replica::{PageCount, Replica},
    room::{Room, Sessions, ask},
    same_secret,
    seat::seat_player,
    session::{Session, SessionCommand},
    spectator::Spectator,
    study::StudyListeners,
    tournament::{Author, ContestError, Corrected, CorrectionWish, Scene},
};

/// How much a host takes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Visitors that are kept, each with ten slots and a few settings at most.
    pub visitors: u64,
    /// Games of one visitor that are not over.
    pub open_games: u64,
    /// Games of one visitor that are kept, over or not.
    pub games: u64,
    /// Games that are kept, of all visitors.
    pub all_games: u64,
    /// Plies after which a game between visitors or engines is drawn.
    pub plies: u32,
    /// Games that are being watched or played, of all visitors.
    pub live_games: usize,
    /// Positions in one visitor's library.
    pub positions: u64,
    /// Positions in all libraries.
    pub all_positions: u64,
    /// Studies of one visitor, the board included.
    pub studies: u64,
    /// Studies of all visitors.
    pub all_studies: u64,
    /// Who thinks for visitors.
    pub engines: EngineSource,
    /// Threads that think.
    pub engine_threads: usize,
    /// Megabytes for each of them.
    pub engine_hash_mb: u64,
}

impl Default for Limits {
    fn default() -> Self {
        // One core is left for those who move.
        let cores = available_parallelism().map_or(1, usize::from);
        Self {
            visitors: 100_000,
            open_games: 300,
            games: 10_000,
            all_games: 500_000,
            plies: 2000,
            // More than there may be pages, so that pages are what is short.
            live_games: 5000,
            positions: 2000,
            all_positions: 200_000,
            studies: 200,
            all_studies: 50_000,
            engines: EngineSource::Own,
            engine_threads: cores.saturating_sub(1).max(1),
            engine_hash_mb: 32,
        }
    }
}

/// How often sessions that are idle are asked to make room, and how long that may take.
const CLEARING_EVERY: Duration = Duration::from_millis(100);
const CLEARING: Duration = Duration::from_secs(1);

/// How old what the watch page shows may be.
const FRESH_SPOTLIGHT: Duration = Duration::from_secs(1);

/// How often it is looked for games to file, and how many are filed before others get a turn.
const FILING: Duration = Duration::from_secs(1);
const FILED_AT_ONCE: u32 = 50;

/// The one who makes games and lets people join. Clones are the same host.
#[derive(Clone)]
pub struct Host {
    inner: Arc<HostShared>,
    /// The rule sets that can be played, the default first.
    rules: Arc<[Arc<Rules>]>,
    /// Whether it works for the people at this machine, for whom a tenth of everything is kept free.
    is_home: bool,
    /// Where the people come from for whom it works; empty if that does not matter.
    address: Arc<str>,
}

/// What was worth watching, and when that was found.
type Lit = (Instant, Arc<Spotlight>);

struct HostShared {
    store: Store,
    engines: Arc<Engines>,
    limits: Limits,
    /// Whether programs may play in games here.
    has_programs: bool,
    sessions: Arc<Sessions>,
    replica: Arc<Replica>,
    organiser: Organiser,
    lessons: LessonShelf,
    census: Census,
    /// Who watches which game.
    /// Who looks at whose studies.
    listeners: StudyListeners,
    /// What the watch page shows, for those who see everything and for the others.
    spotlights: [Mutex<Option<Lit>>; 2],
    /// When idle sessions were last asked to go.
    cleared: Mutex<Option<Instant>>,
}

/// Milliseconds since 1970.
pub(crate) fn wall_clock_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

impl Host {
    /// A host over a store.
    #[must_use]
    pub fn new(store: Store, limits: Limits) -> Self {
        Self::with_players(store, limits, MoverOptions::default())
    }

    /// A host for the person at this machine, who may also let programs play.
    #[must_use]
    pub fn for_one(store: Store, limits: Limits, programs: MoverOptions) -> Self {
        Self::build(store, limits, programs.clone(), Some(programs)).at_home()
    }

    /// A host that can also play tournaments, with what their programs need.
    #[must_use]
    pub fn with_players(store: Store, limits: Limits, players: MoverOptions) -> Self {
        Self::build(store, limits, players, None)
    }

    fn build(
        store: Store,
        limits: Limits,
        players: MoverOptions,
        programs: Option<MoverOptions>,
    ) -> Self {
        let rules = BuiltIn::LISTED.iter().map(|set| set.rules());
        let (sessions, replica) = (Arc::<Sessions>::default(), Arc::new(Replica::new()));
        let pool = EnginePool::new(
            limits.engine_threads,
            limits.engine_hash_mb,
            programs.clone(),
        );
        let engines = Engines::new(
            limits.engines,
            Arc::new(pool),
            &store,
            &replica,
            Arc::downgrade(&sessions),
        );
        let engines = Arc::new(engines);
        let own_engines = match limits.engines {
            EngineSource::Workers => 0,
            EngineSource::Own | EngineSource::Queue => limits.engine_threads,
        };
        replica.set_engines(&engines, own_engines);
        Self {
            inner: Arc::new(HostShared {
                organiser: Organiser::new(store.clone(), players),
                store,
                engines,
                has_programs: programs.is_some(),
                limits,
                sessions,
                replica,
                lessons: LessonShelf::default(),
                census: Census::default(),
                listeners: StudyListeners::default(),
                spotlights: Default::default(),
                cleared: Mutex::default(),
            }),
            rules: rules.collect(),
            is_home: false,
            address: "".into(),
        }
    }

    /// The same host with more rule sets, which people wrote themselves. One that has the id of another is left
    /// out: what is kept under that id belongs to the other.
    #[must_use]
    pub fn with_rules(&self, own: &[Arc<Rules>]) -> Self {
        let mut rules = self.rules.to_vec();
        for set in own {
            if rules.iter().all(|known| known.set().id() != set.set().id()) {
                rules.push(Arc::clone(set));
            }
        }
        Self {
            rules: rules.into(),
            ..self.clone()
        }
    }

    /// The same host, as the people at this machine have it: what strangers take does not keep them
    /// from anything.
    #[must_use]
    pub fn at_home(&self) -> Self {
        Self {
            is_home: true,
            ..self.clone()
        }
    }

    /// The same host, as the people from an address have it: what engines do for them counts for all of them.
    #[must_use]
    pub fn for_address(&self, address: &str) -> Self {
        Self {
            address: address.into(),
            ..self.clone()
        }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// How much of a limit is there for whoever this host works for.
    const fn share(&self, most: u64) -> u64 {
        if self.is_home { most } else { most - most / 10 }
    }

    /// Word of every change of an owner's studies, from now on.
    #[must_use]
    pub fn watch_studies(&self, owner: &str) -> StudyWatch {
        self.inner.listeners.watch(&self.inner.store, owner)
    }

    /// Keeps a visitor who has something to be kept.
    ///
    /// # Errors
    /// The store failed, or keeps no more visitors.
    pub async fn settle(&self, visitor: &Visitor) -> Result<(), HostError> {
        let store = &self.inner.store;
        if store.visitor(&visitor.id).await?.is_none() {
            self.keep_one_more(Kept::Visitors, self.inner.limits.visitors)
                .await?;
            store.keep_visitor(&visitor.id, wall_clock_ms()).await?;
        }
        Ok(())
    }

    /// Puts a position into a visitor's library.
    ///
    /// # Errors
    /// The store failed, or keeps no more positions.
    pub async fn add_position(
        &self,
        visitor: &Visitor,
        name: &str,
        saved: Saved,
    ) -> Result<(), HostError> {
        let (store, limits) = (&self.inner.store, &self.inner.limits);
        if store.count_positions(&visitor.id).await? >= limits.positions {
            return Err(HostError::LibraryFull);
        }
        self.keep_one_more(Kept::Positions, limits.all_positions)
            .await?;
        let position = NamedPosition {
            id: fresh_id(),
            name: name.into(),
            saved,
            saved_ms: wall_clock_ms(),
        };
        Ok(store.add_position(&visitor.id, &position).await?)
    }

    pub(crate) async fn keep_one_more(&self, what: Kept, most: u64) -> Result<(), HostError> {
        let census = &self.inner.census;
        let most = self.share(most);
        if census.has_room(&self.inner.store, what, most).await? {
            return Ok(());
        }
        Err(HostError::StoreFull(match what {
            Kept::Visitors => "visitors",
            Kept::Games => "games",
            Kept::Positions => "positions",
            Kept::Studies => "studies",
        }))
    }

    /// What is kept.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// How much is taken on.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    pub(crate) fn engines(&self) -> &Engines {
        &self.inner.engines
    }

    /// How much engine work is under way for those who are here.
    #[must_use]
    pub fn engine_load(&self) -> usize {
        self.inner.engines.load()
    }

    /// The time, in milliseconds since 1970.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        wall_clock_ms()
    }

    /// The rule sets that can be played, the default first.
    #[must_use]
    pub fn rule_sets(&self) -> &[Arc<Rules>] {
        &self.rules
    }

    /// The lessons of a rule set; nothing if they could not be made.
    pub async fn lessons(&self, rules: &Arc<Rules>) -> Option<Arc<Lessons>> {
        self.inner.lessons.get(rules).await
    }

    /// The rule set with an id.
    #[must_use]
    pub fn rules(&self, id: &str) -> Option<&Arc<Rules>> {
        self.rules.iter().find(|rules| rules.set().id() == id)
    }

    /// Makes a game, and gives it as it is kept.
    ///
    /// # Errors
    /// Says why it cannot be made.
    pub async fn create(&self, visitor: &Visitor, terms: &Terms) -> Result<Game, HostError> {
        terms.check(self.inner.has_programs)?;
        self.check_room(visitor).await?;
        let players = terms.players();
        let seat = |side: Side| {
            let own = terms.holds(side).then_some(visitor);
            Seat {
                player: seat_player(&players[side]),
                secret: fresh_id(),
                holder: own.map(|visitor| visitor.id.clone()),
                name: own.and_then(|visitor| visitor.name.clone()),
                left_ms: Clock::new(terms.control).left_ms(),
            }
        };
        let game = Game {
            setup: terms.setup,
            take_backs: terms.take_backs,
            ..Game::new(
                fresh_id(),
                GameOwner::Visitor(visitor.id.clone()),
                terms.rules.set().id(),
                terms.control,
                BySide::from_fn(seat),
                wall_clock_ms(),
            )
        };
        self.inner.store.create_game(&game).await?;
        Ok(game)
    }

    async fn check_room(&self, visitor: &Visitor) -> Result<(), HostError> {
        let open = self.inner.store.count_open_games(Some(&visitor.id)).await?;
        let limits = &self.inner.limits;
        if open >= limits.open_games {
            return Err(HostError::TooManyGames(open));
        }
        if self.inner.store.count_games(&visitor.id).await? >= limits.games {
            return Err(HostError::TooManyKept(limits.games));
        }
        self.keep_one_more(Kept::Games, limits.all_games).await
    }

    /// Makes the game that follows another with sides swapped, unless there is one; gives its id.
    ///
    /// # Errors
    /// Says why it cannot be made.
    pub async fn rematch(&self, visitor: &Visitor, before: &Game) -> Result<String, HostError> {
        self.check_room(visitor).await?;
        let seat = |side: Side| {
            let old = &before.seats[side.opponent()];
            Seat {
                secret: fresh_id(),
                left_ms: Clock::new(before.control).left_ms(),
                ..old.clone()
            }
        };
        let game = Game {
            setup: before.setup,
            take_backs: before.take_backs,
            ..Game::new(
                fresh_id(),
                GameOwner::Visitor(visitor.id.clone()),
                &before.rules,
                before.control,
                BySide::from_fn(seat),
                wall_clock_ms(),
            )
        };
        Ok(self.inner.store.create_rematch(&before.id, &game).await?)
    }

    /// Cancels a game of the visitor that still waits for its second player. Whoever looks at it is told
    /// that it is gone.
    ///
    /// # Errors
    /// The store failed, or the game is not the visitor's or has its players.
    pub async fn cancel(&self, visitor: &Visitor, id: &str) -> Result<(), HostError> {
        if !self.inner.store.cancel_game(id, &visitor.id).await? {
            return Err(HostError::Begun);
        }
        Ok(())
    }

    /// Gives a visitor a place at a game: on the seats that are theirs, on a free seat whose secret
    /// they know, or among the watchers. The secret of a seat that is taken gives nothing.
    ///
    /// # Errors
    /// Says why there is none.
    pub async fn join(
        &self,
        id: &str,
        visitor: &Visitor,
        secret: Option<&str>,
    ) -> Result<Ticket, HostError> {
        // Those who join one game do so one after another; other games do not wait for them.
        let room = self.inner.sessions.room(id);
        let gate = room.gate.lock().await;
        let mut joined = self.enter(id, visitor, secret, &room).await;
        drop(gate);
        if let Ok(ticket) = &mut joined
            && !Side::ALL.into_iter().any(|side| ticket.holds(side))
        {
            ticket.spectating = Some(self.inner.replica.audience().enter(id));
        }
        if joined.is_err() {
            drop(room);
            self.inner.sessions.count();
        }
        joined
    }

    /// Whether a secret is that of a free seat of a game.
    ///
    /// # Errors
    /// The store failed, or there is no such game.
    pub async fn is_invited(&self, id: &str, secret: &str) -> Result<bool, HostError> {
        let game = self.inner.store.game(id).await?;
        let mut free = game.seats.values().filter(|seat| seat.holder.is_none());
        Ok(!game.owner.is_foreign() && free.any(|seat| same_secret(secret, &seat.secret)))
    }

    /// Joins a game whose room nobody else is in.
    async fn enter(
        &self,
        id: &str,
        visitor: &Visitor,
        secret: Option<&str>,
        room: &Room,
    ) -> Result<Ticket, HostError> {
        let store = &self.inner.store;
        let mut game = store.game(id).await?;
        let mut seats = BySide::both(false);
        let is_foreign = game.owner.is_foreign();
        let is_own = |seat: &Seat| seat.holder.as_deref() == Some(visitor.id.as_str());
        let is_seated = game.seats.values().any(is_own);
        for (side, seat) in &mut game.seats {
            // Who plays elsewhere has no seat here.
            if is_foreign || seat.player != SeatPlayer::Person {
                continue;
            }
            let is_holder = is_own(seat);
            let is_invited = seat.holder.is_none()
                && secret.is_some_and(|secret| same_secret(secret, &seat.secret));
            if is_invited && is_seated {
                return Err(HostError::OwnInvitation);
            }
            seats[side] = is_holder;
            if is_invited || is_holder && seat.name != visitor.name {
                let name = visitor.name.as_deref();
                // Of several with the same invitation, the store lets one sit down.
                if store.take_seat(id, side, &visitor.id, name).await? {
                    seats[side] = true;
                    seat.holder = Some(visitor.id.clone());
                    seat.name = visitor.name.clone();
                }
            }
        }
        if let Some(session) = room.session()
            && let Some(ticket) = ask(&session, seats, &self.address).await
        {
            return Ok(ticket);
        }
        room.set(None);
        if !self.has_place() {
            self.clear().await;
            if !self.has_place() {
                return Err(HostError::Full);
            }
        }
        let rules = self
            .rules(&game.rules)
            .ok_or_else(|| HostError::Unknown(game.rules.clone()))?;
        let replica = &self.inner.replica;
        replica.appear(store, &self.inner.sessions).await?;
        let (sender, commands) = mpsc::unbounded_channel();
        // Before the game is read, so that no later change goes unnoticed.
        room.set(Some(sender.clone()));
        if game.owner.is_foreign() {
            let game = store.game(id).await?;
            let spectator = Spectator::load(store.clone(), game, rules).await?;
            spectator.start(commands);
        } else {
            let engines = Arc::clone(&self.inner.engines);
            let here = (store.clone(), replica.id());
            let plies = self.inner.limits.plies;
            let session = Session::load(here, engines, id, rules, plies).await?;
            session.start(commands);
        }
        let ticket = ask(&sender, seats, &self.address).await;
        ticket.ok_or_else(|| HostError::Unknown("a session that stays".into()))
    }

    /// Whether there is a place for one more game to live, which is counted already.
    fn has_place(&self) -> bool {
        let most = self.inner.limits.live_games;
        let most = if self.is_home { most } else { most - most / 10 };
        self.inner.sessions.count() <= most
    }

    /// Ends the sessions of games that nobody looks at and that stay for those who may come back; they
    /// lose nothing but their place.
    async fn clear(&self) {
        let mut cleared = self.inner.cleared.lock().await;
        if cleared.is_some_and(|at| at.elapsed() < CLEARING_EVERY) {
            return;
        }
        let (sender, mut all_asked) = mpsc::unbounded_channel();
        self.inner
            .sessions
            .tell_all(|| SessionCommand::MakeRoom(sender.clone()));
        drop(sender);
        // Nothing is sent: the channel closes when all who stay have heard and the others are gone.
        let _ = timeout(CLEARING, all_asked.recv()).await;
        *cleared = Some(Instant::now());
    }

    /// A tournament as it stands.
    ///
    /// # Errors
    /// The store failed or has none.
    pub async fn scene(&self, tournament: &str) -> Result<Arc<Scene>, ContestError> {
        self.inner.organiser.scene(tournament).await
    }

    /// What all games that are kept say about players and rule sets, a moment ago at most.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ratings(&self) -> Result<Arc<Ratings>, StoreError> {
        self.inner.organiser.ratings().await
    }

    /// Lets a tournament go on, and plays its games here too.
    ///
    /// # Errors
    /// The store failed or has none.
    pub async fn start_tournament(&self, id: &str) -> Result<(), ContestError> {
        self.inner.organiser.start(id).await
    }

    /// Makes a correction of a tournament, or undoes one.
    ///
    /// # Errors
    /// The store failed, or the correction does not fit.
    pub async fn correct_tournament(
        &self,
        id: &str,
        wish: &CorrectionWish,
        author: &Author,
    ) -> Result<Corrected, ContestError> {
        self.inner.organiser.correct(id, wish, author).await
    }

    /// Deletes a tournament that was put away, with all its games, for good.
    ///
    /// # Errors
    /// The store failed, or the tournament was not put away.
    pub async fn delete_tournament(&self, id: &str) -> Result<(), ContestError> {
        self.inner.organiser.delete(id).await
    }

    /// Lets no more games of a tournament begin, wherever they are played.
    ///
    /// # Errors
    /// The store failed or has none.
    pub async fn pause_tournament(&self, id: &str) -> Result<(), ContestError> {
        self.inner.organiser.pause(id).await
    }

    /// Makes this process known to the others and to the administrator, by a name for people. Without this
    /// it is known from its first game on.
    ///
    /// # Errors
    /// The store failed.
    pub async fn appear(&self, name: String) -> Result<(), StoreError> {
        let HostShared {
            replica,
            store,
            sessions,
            ..
        } = &*self.inner;
        replica.set_name(name);
        replica.appear(store, sessions).await
    }

    /// Lets the pages that are open here count together with those of other processes.
    pub fn count_pages(&self, pages: Arc<dyn PageCount>) {
        self.inner.replica.set_pages(pages);
    }

    /// This process, as the store names it.
    #[must_use]
    pub fn process(&self) -> Arc<str> {
        self.inner.replica.id()
    }

    /// Waits until an administrator wants this process to end, as a signal would.
    pub async fn drained(&self) {
        self.inner.replica.drained().await;
    }

    /// Takes leave of those who play by this process, before their connections are closed: nobody's clock
    /// runs until they are back, here or by another process.
    pub async fn retire(&self) {
        self.inner.replica.retire(&self.inner.store).await;
    }

    /// Ends what is played here without anybody looking.
    pub async fn close(&self) {
        self.retire().await;
        self.inner.organiser.close().await;
    }

    /// What is worth watching now, a moment ago at most.
    ///
    /// # Errors
    /// The store failed.
    pub async fn spotlight(&self, viewer: &Viewer) -> Result<Arc<Spotlight>, StoreError> {
        let slot = usize::from(*viewer == Viewer::Everything);
        let mut known = self.inner.spotlights[slot].lock().await;
        if let Some((at, spotlight)) = known.as_ref()
            && at.elapsed() < FRESH_SPOTLIGHT
        {
            return Ok(Arc::clone(spotlight));
        }
        let spotlight = Spotlight::load(self, viewer, &self.inner.replica).await?;
        let spotlight = Arc::new(spotlight);
        *known = Some((Instant::now(), Arc::clone(&spotlight)));
        Ok(spotlight)
    }

    /// Keeps a game that was played elsewhere, as one of a visitor's.
    pub(crate) async fn keep_import(
        &self,
        visitor: &Visitor,
        game: &Game,
        moves: &[StoredMove],
    ) -> Result<(), HostError> {
        if self.inner.store.count_games(&visitor.id).await? >= self.inner.limits.games {
            return Err(HostError::TooManyKept(self.inner.limits.games));
        }
        self.keep_one_more(Kept::Games, self.inner.limits.all_games)
            .await?;
        Ok(self.inner.store.import_game(game, moves).await?)
    }

    /// Files games that are over, now and as long as the host lives. Ends when it is dropped.
    pub async fn file_games(self) {
        loop {
            let pause = match self.inner.store.file_games(FILED_AT_ONCE).await {
                Ok(filed) if filed == FILED_AT_ONCE as usize => continue,
                Ok(_) => FILING,
                // Whatever is wrong with the store is said to those who need it; this goes on when it is back.
                Err(_) => 10 * FILING,
            };
            sleep(pause).await;
        }
    }

    /// How many games are being watched or played.
    pub async fn live_games(&self) -> usize {
        self.inner.sessions.count()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
