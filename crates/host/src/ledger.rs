//! One game as the store has it, for a process that shows it: read again when it has changed, and changed
//! only in the version that was read. Nobody owns the game; whoever was too late reads and judges again.

use std::{sync::Arc, time::Duration};

use tablut_arena::{Clock, Conduct, Match, MatchCourse, MoveNote, Notice, Player, Said};
use tablut_rules::{BySide, Rules, Side};
use tablut_store::{Advanced, Course, Declined, Game, Live, Store, StoreError, StoredMove};
use tokio::time::Instant;

use crate::{
    HostError, Onlookers, Refused, SeatView, Sleeper, View, host::wall_clock_ms,
    progress::progress, seat::hosted_player,
};

/// How often a game that others change at the same time is read until it holds still.
pub(crate) const TRIES: usize = 8;

/// A game, as it was last read or written here.
pub(crate) struct Ledger {
    store: Store,
    /// Shared with the views, as the match is.
    game: Arc<Game>,
    live: Live,
    players: BySide<Player>,
    /// The match; views share it until it goes on. Its time is the database's.
    play: Sleeper,
    conduct: Conduct,
    /// The database's clock at a moment of ours. Only ours is believed from there on, since the other can
    /// be set.
    synced: (i64, Instant),
    /// When the game was last known to stand like this.
    confirmed: Instant,
    /// Whether the store may know more: it did not say what became of a change.
    is_unsure: bool,
}

fn clocks(game: &Game) -> BySide<Clock> {
    game.seats.as_ref().map(|seat| match seat.left_ms {
        Some(left) => Clock::with_left(game.control, left),
        None => Clock::new(game.control),
    })
}

/// The match of a game, with all its moves.
async fn restore(
    store: &Store,
    game: &Game,
    rules: &Arc<Rules>,
    conduct: Conduct,
) -> Result<Match, HostError> {
    let record = store.record(game).await?;
    let play = Match::restore(&record, rules, rules.laws(), clocks(game), conduct)?;
    Ok(play)
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn unsigned(ms: i64) -> u64 {
    u64::try_from(ms).unwrap_or(0)
}

impl Ledger {
    /// Reads a game.
    pub(crate) async fn load(
        store: Store,
        id: &str,
        rules: &Arc<Rules>,
        max_plies: u32,
    ) -> Result<Self, HostError> {
        let confirmed = Instant::now();
        let (game, live) = store.live_game(id).await?;
        let seats = game.seats.as_ref();
        let players = seats.try_map(|seat| hosted_player(&seat.player))?;
        let conduct = Conduct {
            max_plies: Some(max_plies),
            ..Conduct::default()
        };
        let mut play = restore(&store, &game, rules, conduct).await?;
        play.resume(course(&live), clocks(&game));
        Ok(Self {
            store,
            synced: (live.now_ms, Instant::now()),
            game: Arc::new(game),
            live,
            players,
            play: play.into(),
            conduct,
            confirmed,
            is_unsure: false,
        })
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) const fn live(&self) -> &Live {
        &self.live
    }

    pub(crate) fn play(&self) -> &Match {
        &self.play
    }

    /// Lets the match sleep until it is asked something, and gives it as it sleeps.
    pub(crate) fn sleep(&mut self) -> Sleeper {
        self.play = self.play.asleep();
        self.play.clone()
    }

    pub(crate) const fn players(&self) -> &BySide<Player> {
        &self.players
    }

    pub(crate) const fn is_unsure(&self) -> bool {
        self.is_unsure
    }

    /// Whether the clock of the side to move runs.
    pub(crate) fn runs(&self) -> bool {
        self.play.has_started() && self.play.outcome().is_none() && self.live.stopped_ms.is_none()
    }

    /// The time of the match, in milliseconds: the database's clock, or when it was stopped.
    pub(crate) fn now(&self) -> u64 {
        let (then_ms, then) = self.synced;
        unsigned(match self.live.stopped_ms {
            Some(stopped_ms) => stopped_ms,
            None => then_ms.saturating_add(millis(then.elapsed())),
        })
    }

    /// When the match wants to hear that time has passed.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let (then_ms, then) = self.synced;
        let end = self.play.deadline().filter(|_| self.runs())?;
        then.checked_add(Duration::from_millis(end.saturating_sub(unsigned(then_ms))))
    }

    /// Somebody says which version the game has, and perhaps how many moves. Gives whether it has to be read.
    pub(crate) fn is_behind(&mut self, version: u64, plies: Option<usize>) -> bool {
        let is_known = plies.is_none_or(|plies| plies == self.game.plies);
        if version == self.live.version && is_known {
            self.confirmed = Instant::now();
        }
        version > self.live.version || !is_known
    }

    /// Reads what is new.
    pub(crate) async fn refresh(&mut self) -> Result<(), HostError> {
        for _ in 0..TRIES {
            let asked = Instant::now();
            let (game, live) = self.store.live_game(&self.game.id).await?;
            let is_same = live.version == self.live.version && game.plies == self.game.plies;
            // Moves are read after the game, and may have been taken back meanwhile.
            let Some(mut play) = self.follow(&game, &live).await? else {
                continue;
            };
            play.resume(course(&live), clocks(&game));
            if !is_same {
                self.synced = (self.plausible(&game, &live), Instant::now());
            }
            self.confirmed = asked;
            self.play = play.into();
            self.game = Arc::new(game);
            self.live = live;
            self.is_unsure = false;
            return Ok(());
        }
        Err(StoreError::Stale.into())
    }

    /// The match as it has gone on; nothing if it changes while it is read.
    async fn follow(&self, game: &Game, live: &Live) -> Result<Option<Match>, HostError> {
        let known = self.game.plies;
        let is_ahead = live.undone == self.live.undone
            && game.plies >= known
            && (self.game.outcome.is_none() || game.outcome == self.game.outcome);
        if !is_ahead {
            return match restore(&self.store, game, self.play.game().rules(), self.conduct).await {
                Ok(play) => Ok(Some(play)),
                Err(error) if self.store.live_game(&game.id).await?.1.version == live.version => {
                    Err(error)
                }
                Err(_) => Ok(None),
            };
        }
        let new = match (game.plies - known, live.last) {
            (0, _) => Vec::new(),
            (1, Some(last)) => vec![last],
            _ => self.store.moves_after(&game.id, known).await?,
        };
        if new.len() < game.plies - known {
            return Ok(None);
        }
        let mut play = Match::clone(&self.play);
        for one in new.into_iter().take(game.plies - known) {
            let StoredMove {
                step,
                spent_ms,
                clock_ms,
                score,
            } = one;
            let note = MoveNote {
                spent_ms,
                clock_ms,
                score,
            };
            if play.follow(step, note).is_err() {
                return Ok(None);
            }
        }
        if let Some(outcome) = game.outcome {
            play.follow_end(outcome);
        }
        Ok(Some(play))
    }

    /// The database's clock, as far as it can be right: nobody thinks longer than since the turn was first
    /// seen here, or else since the game was last seen without it.
    fn plausible(&self, game: &Game, live: &Live) -> i64 {
        let (Some(turn_ms), None) = (live.turn_ms, live.stopped_ms) else {
            return live.now_ms;
        };
        let longest = match self.live.turn_ms {
            // Up to when the clock was stopped, if it was.
            Some(before_ms) if game.plies == self.game.plies => {
                i64::try_from(self.now()).unwrap_or(i64::MAX) - before_ms
            }
            _ => millis(self.confirmed.elapsed()),
        };
        live.now_ms
            .clamp(turn_ms, turn_ms.saturating_add(longest.max(0)))
    }

    /// Tells the match what happened, and keeps what came of it. If that cannot be kept, nothing happened.
    pub(crate) async fn tell(&mut self, said: &[Said]) -> Result<Vec<Notice>, Refused> {
        // The last view shows the match as it was.
        let before = self.play.clone();
        let now = self.now();
        let notices: Vec<Notice> = self.play.change(|play| {
            let told = said.iter().flat_map(|&said| play.tell(now, said));
            told.collect()
        });
        let is_new = |notice: &Notice| match notice {
            Notice::Refused { .. } | Notice::Started | Notice::Left(_) | Notice::Returned(_) => {
                false
            }
            Notice::Played { .. }
            | Notice::DrawOffered(_)
            | Notice::DrawDeclined(_)
            | Notice::TakeBackAsked(_)
            | Notice::TakeBackDeclined(_)
            | Notice::TakenBack { .. }
            | Notice::Over(_) => true,
        };
        if !notices.iter().any(is_new) {
            self.play = before;
        } else if let Err(error) = self.keep(before.game().plies().len(), &notices).await {
            self.play = before;
            // Who does not know how the game stands reads it again.
            self.is_unsure = matches!(error, StoreError::Stale | StoreError::InDoubt(_));
            return Err(error.into());
        }
        let refused = notices.iter().find_map(|notice| match notice {
            Notice::Refused { refusal, .. } => Some(*refusal),
            _ => None,
        });
        match refused {
            Some(refusal) => Err(refusal.into()),
            None => Ok(notices),
        }
    }

    /// Keeps what the match has become.
    async fn keep(&mut self, before: usize, notices: &[Notice]) -> Result<(), StoreError> {
        let taken = notices.iter().find_map(|notice| match notice {
            Notice::TakenBack { plies } => Some(*plies),
            _ => None,
        });
        let keep = before - taken.unwrap_or(0).min(before);
        let MatchCourse {
            turn_since,
            draw_offer,
            take_back,
        } = self.play.course();
        let change = Course {
            version: self.live.version,
            thought_ms: turn_since
                .map(|since| i64::try_from(self.now().saturating_sub(since)).unwrap_or(0)),
            draw_offer,
            take_back,
            declined: declined(self.live.declined, notices),
        };
        let mut news = progress(&self.play, before, keep);
        news.course = Some(change);
        let now_ms = wall_clock_ms();
        let advanced = match self.store.advance(&self.game.id, &news, now_ms).await {
            Err(StoreError::InDoubt(problem)) => match self.found_kept(now_ms).await {
                Some(advanced) => advanced,
                None => return Err(StoreError::InDoubt(problem)),
            },
            kept => kept?,
        };
        self.confirmed = Instant::now();
        self.synced = (advanced.now_ms, self.confirmed);
        self.live = Live {
            version: advanced.version,
            undone: self.live.undone + (before - keep) as u64,
            turn_ms: advanced.turn_ms,
            draw_offer,
            take_back,
            declined: change.declined,
            last: None,
            ..self.live.clone()
        };
        let clocks = BySide::from_fn(|side| *self.play.clock(side));
        let course = course(&self.live);
        self.play.change(|play| play.resume(course, clocks));
        let game = Arc::make_mut(&mut self.game);
        game.plies = self.play.game().plies().len();
        game.outcome = self.play.outcome();
        game.changed_ms = now_ms;
        for (side, seat) in &mut game.seats {
            seat.left_ms = self.play.clock(side).left_ms();
        }
        Ok(())
    }

    /// How the store has the match, if it is as it is here and was kept by us at a time.
    async fn found_kept(&self, at_ms: i64) -> Option<Advanced> {
        let (game, live) = self.store.live_game(&self.game.id).await.ok()?;
        let is_ours = game.plies == self.play.game().plies().len()
            && game.outcome == self.play.outcome()
            && game.changed_ms == at_ms
            && live.version > self.live.version;
        is_ours.then_some(Advanced {
            version: live.version,
            turn_ms: live.turn_ms,
            now_ms: live.now_ms,
        })
    }

    /// How the game stands.
    pub(crate) fn view(&self) -> View {
        let seat = |side: Side| {
            let is_engine = !self.players[side].is_person();
            let seat = &self.game.seats[side];
            SeatView {
                player: self.players[side].clone(),
                name: seat.name.clone(),
                taken: is_engine || seat.holder.is_some(),
                present: is_engine || self.live.present[side].is_some(),
            }
        };
        View {
            seats: BySide::from_fn(seat),
            game: Arc::clone(&self.game),
            play: self.play.clone(),
            now_ms: self.now(),
            is_stopped: self.live.stopped_ms.is_some(),
            trouble: None,
            is_unserved: false,
            declined: self.live.declined,
            onlookers: Onlookers::default(),
        }
    }
}

/// What is going on in a match that is kept.
fn course(live: &Live) -> MatchCourse {
    MatchCourse {
        turn_since: live.turn_ms.map(unsigned),
        draw_offer: live.draw_offer,
        take_back: live.take_back,
    }
}

/// Who has said no: until it is asked again, a move is made or taken back, or the game ends.
fn declined(before: Declined, notices: &[Notice]) -> Declined {
    notices
        .iter()
        .fold(before, |declined, notice| match notice {
            Notice::DrawDeclined(side) => Declined {
                draw: Some(*side),
                ..declined
            },
            Notice::DrawOffered(_) => Declined {
                draw: None,
                ..declined
            },
            Notice::TakeBackDeclined(side) => Declined {
                take_back: Some(*side),
                ..declined
            },
            Notice::TakeBackAsked(_) => Declined {
                take_back: None,
                ..declined
            },
            Notice::Played { .. } | Notice::TakenBack { .. } | Notice::Over(_) => {
                Declined::default()
            }
            _ => declined,
        })
}
