//! A series of games between two players: every opening twice, with sides swapped.
//!
//! Several games are played at once, on threads. What a game depends on (its opening, its seed)
//! follows from its number, and a test for the better player looks at pairs in their order: the
//! same series gives the same result however many games are played at once, as long as the players
//! themselves depend on nothing but the seed.

mod game;
mod standing;

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use tablut_rules::{Game, Rules, Side, record::Record};

use crate::{
    Budget, Mover, MoverError, Opening, Player, Stop,
    opening::OpeningError,
    stats::{Points, Sprt, SprtVerdict},
};
pub use standing::SeriesStanding;

/// One of the two players of a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// The player.
    pub player: Player,
    /// What the player may spend on a move. A move later than its time and the grace loses.
    pub budget: Budget,
}

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Series {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The players; figures are from the first one's point of view.
    pub entrants: [Entrant; 2],
    /// The openings, for one pair each, from the first again when there are more pairs. Without
    /// any, all games start from the start position.
    pub openings: Vec<Opening>,
    /// How many pairs of games at most.
    pub pairs: usize,
    /// How many games at once.
    pub concurrency: NonZeroUsize,
    /// What chance depends on.
    pub seed: u64,
    /// After how many plies, those of the opening included, a game is drawn.
    pub max_plies: Option<u32>,
    /// How much later than its time a move may come, in milliseconds.
    pub grace_ms: u64,
    /// A test that ends the series when it is decided.
    pub sprt: Option<Sprt>,
    /// Whether every move is reported.
    pub is_live: bool,
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Its number, from 0; games 2n and 2n + 1 are a pair.
    pub number: usize,
    /// The side of the first player.
    pub side: Side,
    /// The result for the first player.
    pub points: Points,
    /// The game with its outcome.
    pub record: Record,
    /// What a player did wrong that ended the game, if that was it.
    pub fault: Option<String>,
}

impl PlayedGame {
    /// The number of the game's pair, from 0.
    #[must_use]
    pub const fn pair(&self) -> usize {
        self.number / 2
    }
}

/// What happens during a series.
#[derive(Debug)]
pub enum SeriesEvent<'a> {
    /// A game has started.
    Started {
        /// Its number, from 0.
        number: usize,
    },
    /// A game has begun or a move was made, if the series is live.
    Moved {
        /// The game so far, with the names of the players.
        record: &'a Record,
        /// The game so far.
        game: &'a Game,
    },
    /// A game has ended.
    Finished {
        /// The game.
        game: &'a PlayedGame,
        /// How the series stands.
        standing: &'a SeriesStanding,
    },
}

/// Why a series ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ended {
    /// All games were played.
    Complete,
    /// The test was decided.
    Decided(SprtVerdict),
    /// It was stopped.
    Stopped,
}

/// What came out of a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeriesReport {
    /// The games in the order of their numbers.
    pub games: Vec<PlayedGame>,
    /// What they add up to.
    pub standing: SeriesStanding,
    /// Why there are no more.
    pub ended: Ended,
}

/// Why a series could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// An opening cannot be played.
    #[error("the opening \"{opening}\" cannot be played: {error}")]
    Opening {
        /// The opening.
        opening: Opening,
        /// Why not.
        error: OpeningError,
    },
    /// A player cannot play at all.
    #[error(transparent)]
    Player(#[from] MoverError),
}

/// Makes what plays for a player.
pub type Factory<'a> = dyn Fn(&Player) -> Result<Box<dyn Mover>, MoverError> + Sync + 'a;

/// What a worker reports.
enum Message {
    Started(usize),
    Moved(Box<Record>, Box<Game>),
    Finished(Box<PlayedGame>),
    Failed(MoverError),
}

impl Series {
    /// Plays the series with movers from a factory until it is complete, decided or stopped. Every game's
    /// start and end is reported to `watch`, in the order in which they happen.
    ///
    /// # Errors
    /// Says why it cannot be played. A player's fault *in* a game is not an error: it loses that game.
    pub fn run(
        &self,
        factory: &Factory<'_>,
        stop: &Stop,
        watch: &mut dyn FnMut(SeriesEvent<'_>),
    ) -> Result<SeriesReport, SeriesError> {
        for opening in &self.openings {
            if let Err(error) = opening.game(&self.rules) {
                let opening = opening.clone();
                return Err(SeriesError::Opening { opening, error });
            }
        }
        let shared = Shared {
            series: self,
            factory,
            stop,
            next: AtomicUsize::new(0),
            halt: Stop::default(),
        };
        let (sender, messages) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.get().min(2 * self.pairs) {
                let sender = sender.clone();
                scope.spawn(|| shared.work(sender));
            }
            // The workers hold the other ends; the loop ends when the last of them does.
            drop(sender);
            let collected = self.collect(&messages, &shared.halt, watch);
            shared.halt.abandon();
            collected
        })
    }

    /// Takes in games until all are there or enough is known.
    fn collect(
        &self,
        messages: &mpsc::Receiver<Message>,
        halt: &Stop,
        watch: &mut dyn FnMut(SeriesEvent<'_>),
    ) -> Result<SeriesReport, SeriesError> {
        let mut games = BTreeMap::new();
        let mut standing = SeriesStanding::default();
        // The games up to the first one that is missing, which the test has seen.
        let mut tested = SeriesStanding::default();
        for message in messages {
            let game = match message {
                Message::Started(number) => {
                    watch(SeriesEvent::Started { number });
                    continue;
                }
                Message::Moved(record, game) => {
                    watch(SeriesEvent::Moved {
                        record: &record,
                        game: &game,
                    });
                    continue;
                }
                Message::Failed(error) => return Err(error.into()),
                Message::Finished(game) => game,
            };
            standing.add(&game);
            watch(SeriesEvent::Finished {
                game: &game,
                standing: &standing,
            });
            games.insert(game.number, *game);
            while let Some(game) = games.get(&tested.games()) {
                tested.add(game);
                let verdict = self.sprt.map(|sprt| sprt.verdict(tested.pairs()));
                if let Some(verdict @ (SprtVerdict::Better | SprtVerdict::NotBetter)) = verdict {
                    halt.abandon();
                    // What was played beyond the decision has no part in it.
                    games.retain(|&number, _| number < tested.games());
                    return Ok(report(games, tested, Ended::Decided(verdict)));
                }
            }
        }
        let ended = match games.len() == 2 * self.pairs {
            true => Ended::Complete,
            false => Ended::Stopped,
        };
        Ok(report(games, standing, ended))
    }

    fn opening(&self, number: usize) -> Option<&Opening> {
        let count = self.openings.len();
        (count > 0).then(|| &self.openings[number / 2 % count])
    }
}

fn report(
    games: BTreeMap<usize, PlayedGame>,
    standing: SeriesStanding,
    ended: Ended,
) -> SeriesReport {
    SeriesReport {
        games: games.into_values().collect(),
        standing,
        ended,
    }
}

/// What the workers share.
struct Shared<'a> {
    series: &'a Series,
    factory: &'a Factory<'a>,
    stop: &'a Stop,
    /// The next game.
    next: AtomicUsize,
    /// Set when enough is known.
    halt: Stop,
}

impl Shared<'_> {
    /// Plays one game after the other until there are no more.
    fn work(&self, sender: mpsc::Sender<Message>) {
        // Nobody listens any more if enough is known; then nothing is left to be said.
        let say = |message| drop(sender.send(message));
        let make = |n: usize| (self.factory)(&self.series.entrants[n].player);
        let mut movers = match (make(0), make(1)) {
            (Ok(first), Ok(second)) => [first, second],
            (Err(error), _) | (_, Err(error)) => return say(Message::Failed(error)),
        };
        while !self.stop.is_finishing() && !self.halt.is_finishing() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= 2 * self.series.pairs {
                break;
            }
            say(Message::Started(number));
            match self.play(number, &mut movers, &say) {
                Ok(game) => say(Message::Finished(Box::new(game))),
                Err(MoverError::Stopped) => break,
                Err(error) => return say(Message::Failed(error)),
            }
        }
    }
}
