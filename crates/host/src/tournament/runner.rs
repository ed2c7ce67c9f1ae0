//! Plays fixtures: claims one, plays it, brings its result, claims the next.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use tablut_arena::{Match, MoverError, Stop};
use tablut_guest::{
    Lobby, MoverOptions,
    cores::{self, Reserved},
};
use tablut_store::{Claim, Fixture, FixtureResult, Store, StoreError};
use tokio::{runtime::Handle, task::JoinHandle};

use super::{Contest, ContestError, fixture};
use crate::{host::wall_clock_ms, progress::progress};

/// How long to wait before the store is asked again.
const AGAIN: Duration = Duration::from_millis(500);

/// How often a wait checks whether it should stop.
const LOOK: Duration = Duration::from_millis(50);

/// Where games are played at the same time: each on cores of its own, or wherever there is room.
#[derive(Clone, Debug)]
pub struct Slots(Vec<Option<Arc<Reserved>>>);

impl Slots {
    /// This many games at once, or as many as fit: each on as many cores as it needs, which no other game
    /// on this machine has. Without free cores, one game is played wherever there is room.
    #[must_use]
    pub fn new(wanted: Option<usize>, cores_each: usize) -> Self {
        let lots = cores::reserve(cores_each, wanted.unwrap_or(usize::MAX));
        let mut slots: Vec<_> = lots.into_iter().map(|lot| Some(Arc::new(lot))).collect();
        if slots.is_empty() {
            slots.push(None);
        }
        Self(slots)
    }

    /// This many games at once that share all cores.
    #[must_use]
    pub fn sharing(wanted: Option<usize>) -> Self {
        Self(vec![
            None;
            wanted
                .unwrap_or_else(|| cores::available().len())
                .max(1)
        ])
    }

    /// Whether every game has cores of its own.
    #[must_use]
    pub fn is_exclusive(&self) -> bool {
        self.0.iter().all(Option::is_some)
    }

    /// The same, but with a limit on the number of games.
    #[must_use]
    pub fn at_most(mut self, count: usize) -> Self {
        self.0.truncate(count.max(1));
        self
    }

    /// How many games are played at the same time.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.0.len()
    }
}

/// What happens while fixtures are played.
#[derive(Clone, Debug)]
pub enum FixtureEvent {
    /// A game begins.
    Started {
        /// The tournament.
        contest: Contest,
        /// The fixture.
        claim: Claim,
    },
    /// A game is over and its result is kept.
    Finished {
        /// The tournament.
        contest: Contest,
        /// The fixture.
        claim: Claim,
        /// How it ended.
        result: FixtureResult,
    },
    /// A game came to nothing: it was stopped, or another worker has the fixture now.
    Dropped {
        /// The fixture.
        claim: Claim,
    },
    /// There is nothing to play at the moment.
    Waiting {
        /// Whether there are games of teams that connect from elsewhere, and no port is open for them.
        needs_ports: bool,
    },
    /// A tournament that this program cannot read is left to others.
    Skipped {
        /// Its id.
        tournament: String,
        /// Why.
        why: String,
    },
    /// The store failed, or programs cannot be started here; it is tried again, for as long as the
    /// runner is patient.
    Trouble(String),
}

/// Why a runner gave up: the store failed for too long, or in a way that does not pass, or this machine
/// could not start programs for too long.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}{}", lost(.unkept))]
pub struct GaveUp {
    /// What was said last.
    pub why: String,
    /// Whether it was the store, or else this machine.
    pub is_of_store: bool,
    /// The numbers of fixtures that were played to their end here and have no result in the store.
    pub unkept: Vec<usize>,
}

/// What is and what is not kept, in words.
fn lost(unkept: &[usize]) -> String {
    let kept = "every result reported before is saved";
    match unkept {
        [] => format!("; {kept}"),
        unkept => {
            let numbers: Vec<String> = unkept.iter().map(|n| (n + 1).to_string()).collect();
            format!(
                "; not saved, and to be played again: game {}; {kept}",
                numbers.join(", ")
            )
        }
    }
}

/// Plays the fixtures of one tournament, or of all that run.
#[derive(Clone, Debug)]
pub struct Runner {
    /// Where they are kept.
    pub store: Store,
    /// The tournament; without one, all, for as long as nobody stops it.
    pub tournament: Option<String>,
    /// What this worker is called.
    pub worker: String,
    /// How long a claim lasts when nothing is heard of its worker.
    pub lease: Duration,
    /// How long a store that fails is asked again, and a machine that cannot start programs is tried.
    pub patience: Duration,
    /// Where games are played.
    pub slots: Slots,
    /// Where programs wait that connect from elsewhere; without it, their games are left to others.
    pub lobby: Option<Lobby>,
    /// What players need. Its wish to stop is this runner's.
    pub options: MoverOptions,
}

type Watch<'a> = dyn Fn(FixtureEvent) + Sync + 'a;

/// What came of a claim.
enum Played {
    /// It was played, or is not ours any more; on to the next.
    Done,
    /// The wait for the store was given up.
    Stopped,
    /// This program does not understand the tournament, and why.
    Unreadable(String),
    /// Programs cannot be started here at the moment, and why.
    Unable(String),
}

/// What the slots of a runner share.
struct SlotWork<'a> {
    runner: &'a Runner,
    runtime: &'a Handle,
    watch: &'a Watch<'a>,
    contests: Mutex<HashMap<String, Contest>>,
    /// The ids of tournaments that this program cannot read.
    skipped: Mutex<Vec<String>>,
    gave_up: Mutex<Option<GaveUp>>,
}

impl Runner {
    /// Plays until the tournament is over, or it is stopped. Blocks; not to be called by a task.
    ///
    /// # Errors
    /// The store failed for longer than [`patience`](Self::patience), or in a way that does not pass; or
    /// this machine could not start programs for that long.
    pub fn run(&self, runtime: &Handle, watch: &Watch<'_>) -> Result<(), GaveUp> {
        let work = SlotWork {
            runner: self,
            runtime,
            watch,
            contests: Mutex::default(),
            skipped: Mutex::default(),
            gave_up: Mutex::default(),
        };
        thread::scope(|scope| {
            for place in &self.slots.0 {
                let work = &work;
                scope.spawn(move || {
                    // Where the system refuses, games share what there is.
                    let _ = place.as_ref().is_some_and(|lot| cores::keep_to(&lot.cores));
                    work.play_all();
                });
            }
        });
        let gave_up = work.gave_up.into_inner();
        match gave_up.unwrap_or_else(PoisonError::into_inner) {
            Some(gave_up) => Err(gave_up),
            None => Ok(()),
        }
    }

    fn lease_ms(&self) -> i64 {
        i64::try_from(self.lease.as_millis()).unwrap_or(i64::MAX)
    }
}

impl SlotWork<'_> {
    fn play_all(&self) {
        let Runner { store, options, .. } = self.runner;
        // What is waited for, if anything is.
        let mut waiting = None;
        // Since when no program could be started in this slot.
        let mut ailing: Option<Instant> = None;
        while !options.stop.is_finishing() {
            let skipped = self.skipped().clone();
            let claim = self.ask_between_games(|| {
                let tournament = self.runner.tournament.as_deref();
                store.claim(
                    tournament,
                    &skipped,
                    &self.runner.worker,
                    self.runner.lease_ms(),
                    self.runner.lobby.is_some(),
                )
            });
            match claim {
                None => break,
                Some(Some(claim)) => {
                    waiting = None;
                    match self.play(&claim) {
                        Played::Done => ailing = None,
                        Played::Stopped => break,
                        Played::Unreadable(why) => {
                            if self.runner.tournament.is_some() {
                                self.give_up(why, true);
                                break;
                            }
                            self.skip(&claim.tournament, why);
                        }
                        Played::Unable(why) => {
                            let since = *ailing.get_or_insert_with(Instant::now);
                            if since.elapsed() >= self.runner.patience {
                                self.give_up(why, false);
                                break;
                            }
                            (self.watch)(FixtureEvent::Trouble(why));
                            self.sleep(AGAIN);
                        }
                    }
                }
                Some(None) => {
                    if self.is_over() {
                        break;
                    }
                    let needs_ports = self.needs_ports();
                    if waiting.replace(needs_ports) != Some(needs_ports) {
                        (self.watch)(FixtureEvent::Waiting { needs_ports });
                    }
                    self.sleep(AGAIN);
                }
            }
        }
    }

    /// Whether there will be nothing more to play.
    fn is_over(&self) -> bool {
        let Some(id) = &self.runner.tournament else {
            return false;
        };
        let contest = self.ask_between_games(|| self.load(id));
        if contest.as_ref().is_some_and(Contest::is_archived) {
            return true;
        }
        let over = contest.and_then(|contest| {
            self.ask_between_games(|| {
                let contest = contest.clone();
                async move { contest.is_over(&self.runner.store).await }
            })
        });
        over.unwrap_or(true)
    }

    fn skipped(&self) -> MutexGuard<'_, Vec<String>> {
        self.skipped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a tournament to others.
    fn skip(&self, tournament: &str, why: String) {
        let mut skipped = self.skipped();
        if skipped.iter().any(|id| id == tournament) {
            return;
        }
        skipped.push(tournament.into());
        drop(skipped);
        (self.watch)(FixtureEvent::Skipped {
            tournament: tournament.into(),
            why,
        });
    }

    /// Whether the tournament waits for teams that cannot connect here.
    fn needs_ports(&self) -> bool {
        let Runner {
            store, tournament, ..
        } = self.runner;
        let (None, Some(id)) = (&self.runner.lobby, tournament) else {
            return false;
        };
        let fixtures = self.runtime.block_on(store.fixtures(id));
        let waits = |one: &Fixture| one.is_remote && !one.is_settled() && !one.is_claimed;
        fixtures.is_ok_and(|fixtures| fixtures.iter().any(waits))
    }

    /// The tournament of a claim, as it was when the claim was made.
    async fn contest(&self, claim: &Claim) -> Result<Contest, StoreError> {
        let id = &claim.tournament;
        let known = self.contests.lock().map(|known| known.get(id).cloned());
        match known {
            Ok(Some(contest)) if contest.version == claim.version => Ok(contest),
            _ => self.load(id).await,
        }
    }

    async fn load(&self, id: &str) -> Result<Contest, StoreError> {
        let contest = Contest::load(&self.runner.store, id).await;
        let contest = contest.map_err(|error| match error {
            ContestError::Store(error) => error,
            // It was sound when it was made; another version of this program may have made it.
            error => StoreError::corrupt("tournament", error.to_string()),
        })?;
        if let Some(lobby) = &self.runner.lobby {
            lobby.expect(contest.secrets());
        }
        if let Ok(mut known) = self.contests.lock() {
            known.insert(id.into(), contest.clone());
        }
        Ok(contest)
    }

    /// Plays a claim.
    fn play(&self, claim: &Claim) -> Played {
        let Runner { store, .. } = self.runner;
        let dropped = || {
            (self.watch)(FixtureEvent::Dropped {
                claim: claim.clone(),
            })
        };
        let contest = self.insist(|| async {
            match self.contest(claim).await {
                // Asking again is no use.
                Err(error @ (StoreError::Missing(_) | StoreError::Corrupt { .. })) => {
                    Ok(Err(error))
                }
                loaded => loaded.map(Ok),
            }
        });
        let Some(contest) = contest else {
            dropped();
            return Played::Stopped;
        };
        let contest = match contest {
            Ok(contest) if contest.fits(claim) => contest,
            unfit => {
                // Others may understand it. If this fails, the lease ends by itself.
                let _ = self.runtime.block_on(store.release(claim));
                dropped();
                return match unfit {
                    // A team was undone or all was deleted since it was claimed.
                    Ok(contest) if contest.version != claim.version => Played::Done,
                    Err(StoreError::Missing(_)) => Played::Done,
                    Ok(_) => Played::Unreadable("its fixtures name teams that it has not".into()),
                    Err(error) => Played::Unreadable(error.to_string()),
                };
            }
        };
        let game = contest.new_game(claim);
        if self.insist(|| ours(store.begin_fixture(claim, &game))) != Some(true) {
            // A correction came between; with it, the game may be ours again.
            let _ = self.runtime.block_on(store.release(claim));
            dropped();
            return Played::Done;
        }
        (self.watch)(FixtureEvent::Started {
            contest: contest.clone(),
            claim: claim.clone(),
        });
        // Set when the fixture is not ours any more.
        let lost = self.runner.options.stop.part();
        let heart = Heart(self.runtime.spawn(beat(
            store.clone(),
            claim.clone(),
            self.runner.lease,
            lost.clone(),
        )));
        let result = self.play_game(&contest, claim, &game.id, &lost);
        drop(heart);
        match result {
            Ok(Some(result)) => {
                // A final may follow from it.
                let _ = self.insist(|| contest.is_over(store));
                (self.watch)(FixtureEvent::Finished {
                    contest,
                    claim: claim.clone(),
                    result,
                });
            }
            other => {
                // If this fails, the lease ends by itself.
                let _ = self.runtime.block_on(store.release(claim));
                dropped();
                if let Err(error) = other {
                    return Played::Unable(error.to_string());
                }
            }
        }
        Played::Done
    }

    /// Plays the game of a claim and keeps its result; nothing if it came to none.
    ///
    /// # Errors
    /// It could not be played, and none of the players is to blame.
    fn play_game(
        &self,
        contest: &Contest,
        claim: &Claim,
        game: &str,
        lost: &Stop,
    ) -> Result<Option<FixtureResult>, MoverError> {
        let Runner { store, lobby, .. } = self.runner;
        // A worker of all tournaments learns only now what this one allows.
        let options = self.runner.options.clone();
        let options = MoverOptions {
            move_ms: contest.plan.move_ms,
            // Whoever thinks about a move stops at once.
            stop: lost.clone(),
            confinement: options.confinement.within(&contest.plan.limits),
            pace_ms: contest.plan.pace_ms.unwrap_or(options.pace_ms),
            ..options
        };
        let mut kept = 0;
        let played = contest.play(
            claim,
            &options,
            lobby.as_ref(),
            lost,
            &mut |play: &Match| {
                // The end is kept with the result.
                if play.outcome().is_some() || play.game().plies().len() == kept {
                    return;
                }
                let news = progress(play, kept, kept);
                let stored = store.advance(game, &news, wall_clock_ms());
                match self.runtime.block_on(stored) {
                    Ok(_) => kept = play.game().plies().len(),
                    // The game goes on; what is missing is kept with the next move, or with the end.
                    // If the fixture is not ours any more, the heart finds out.
                    Err(StoreError::Stale) => kept = self.plies(game).unwrap_or(kept),
                    Err(error) => (self.watch)(FixtureEvent::Trouble(error.to_string())),
                }
            },
        );
        let over = match played {
            Ok(over) => over,
            Err(MoverError::Stopped) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(result) = fixture::result(&over) else {
            return Ok(None);
        };
        let finished = self.insist(|| async {
            let kept = match store.game(game).await {
                Ok(game) => game.plies,
                // Another worker has the fixture, and made the game anew.
                Err(StoreError::Missing(_)) => return Ok(false),
                Err(error) => return Err(error),
            };
            let news = progress(&over.contest, kept, kept);
            let now = wall_clock_ms();
            match ours(store.finish_fixture(claim, game, &news, &result, now)).await {
                // It may have been kept although nobody told us so.
                Ok(false) => {
                    let fixtures = store.fixtures(&claim.tournament).await?;
                    let kept = fixtures.iter().find(|one| one.number == claim.number);
                    Ok(kept.is_some_and(|kept| {
                        kept.played.is_some() && kept.game.as_deref() == Some(game)
                    }))
                }
                done => done,
            }
        });
        if finished.is_none()
            && let Some(gave_up) = &mut *self.gave_up()
        {
            gave_up.unkept.push(claim.number);
        }
        Ok((finished == Some(true)).then_some(result))
    }

    fn gave_up(&self) -> MutexGuard<'_, Option<GaveUp>> {
        self.gave_up.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends everything, because of the store or of this machine.
    fn give_up(&self, why: String, is_of_store: bool) {
        self.gave_up().get_or_insert_with(|| GaveUp {
            why,
            is_of_store,
            unkept: Vec::new(),
        });
        self.runner.options.stop.abandon();
    }

    /// How many plies of a game are kept.
    fn plies(&self, game: &str) -> Option<usize> {
        let kept = self.runtime.block_on(self.runner.store.game(game));
        kept.ok().map(|game| game.plies)
    }

    /// Asks the store until it answers, for a game that is being played: only who abandons it ends
    /// that.
    fn insist<T, F>(&self, ask: impl Fn() -> F) -> Option<T>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        self.ask_until(Stop::is_abandoned, ask)
    }

    /// Asks the store while no game is played: then there is nothing to finish.
    fn ask_between_games<T, F>(&self, ask: impl Fn() -> F) -> Option<T>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        self.ask_until(Stop::is_finishing, ask)
    }

    /// Asks the store until it answers; nothing if that is stopped, or asking again is no use. A
    /// store that fails for good, or for too long, ends the run.
    fn ask_until<T, F>(&self, is_over: fn(&Stop) -> bool, ask: impl Fn() -> F) -> Option<T>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let mut said = None;
        let begin = Instant::now();
        loop {
            match self.runtime.block_on(ask()) {
                Ok(answer) => return Some(answer),
                Err(error) => {
                    let text = error.to_string();
                    if !matches!(error, StoreError::Database(_) | StoreError::InDoubt(_)) {
                        (self.watch)(FixtureEvent::Trouble(text));
                        return None;
                    }
                    if !error.may_pass() || begin.elapsed() >= self.runner.patience {
                        self.give_up(text, true);
                        return None;
                    }
                    if said.as_ref() != Some(&text) {
                        (self.watch)(FixtureEvent::Trouble(text.clone()));
                        said = Some(text);
                    }
                }
            }
            if is_over(&self.runner.options.stop) {
                return None;
            }
            self.sleep(AGAIN);
        }
    }

    fn sleep(&self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && !self.runner.options.stop.is_abandoned() {
            thread::sleep(LOOK);
        }
    }
}

/// Whether something was ours to do.
async fn ours(done: impl Future<Output = Result<(), StoreError>>) -> Result<bool, StoreError> {
    match done.await {
        Err(StoreError::Stale) => Ok(false),
        done => done.map(|()| true),
    }
}

/// Beats until it is dropped, however that comes.
struct Heart(JoinHandle<()>);

impl Drop for Heart {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Keeps a claim alive until it is aborted, or another worker has the fixture.
async fn beat(store: Store, claim: Claim, lease: Duration, lost: Stop) {
    let lease_ms = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
    loop {
        tokio::time::sleep(lease / 3).await;
        // A store that fails is asked again; the one who plays tells of it.
        if let Ok(false) = store.renew(&claim, lease_ms).await {
            return lost.abandon();
        }
    }
}
