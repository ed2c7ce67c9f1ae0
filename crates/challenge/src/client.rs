//! A client's side of the contest: what a player knows of the game from the states it is sent.
//!
//! [`Follower`] is pure: it receives states and derives moves, history and whose turn it is.
//! [`connect`] and [`Incoming`] are the driver: a thread reads what the server sends, so that a player
//! may think meanwhile.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpStream, ToSocketAddrs},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use tablut_rules::{Game, Laws, Move, Position, Rules, Setup, SetupError, Side};

use super::{
    frame::{Frame, Frames, frame},
    message::{Action, State, StateError, Turn, name_payload},
};

/// What a new state means for a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// A move was made.
    Played {
        /// By whom.
        side: Side,
        /// The move.
        step: Move,
    },
    /// The first state, or one that no move leads to: the game goes on from it without a past.
    Fresh,
    /// The same state again: what was sent was refused.
    Again,
    /// The game is over.
    Over(Turn),
}

/// A game as one follows it from states.
#[derive(Clone, Debug)]
pub struct Follower {
    rules: Arc<Rules>,
    laws: Laws,
    game: Option<Game>,
    turn: Turn,
}

impl Follower {
    /// A follower of a game that has not begun.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> Self {
        Self {
            laws: rules.laws().challenge(),
            rules,
            game: None,
            turn: Turn::Draw,
        }
    }

    /// The game as far as it is known, once there is a state. It has its history, so whoever looks
    /// for a move knows which positions would repeat.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Whose turn the last state shows.
    #[must_use]
    pub const fn turn(&self) -> Turn {
        self.turn
    }

    /// Takes in a state.
    ///
    /// # Errors
    /// It is not a state, or not one of a game under these rules.
    pub fn tell(&mut self, payload: &[u8]) -> Result<News, FollowError> {
        let state = State::read(payload)?;
        let before = self.turn;
        self.turn = state.turn;
        let played = self.derive(&state);
        if let Some((side, step, game)) = played {
            self.game = Some(game);
            return Ok(match state.turn {
                Turn::Of(_) => News::Played { side, step },
                over => News::Over(over),
            });
        }
        let Turn::Of(side) = state.turn else {
            return Ok(News::Over(state.turn));
        };
        let is_same =
            |game: &Game| before == state.turn && same_pieces(game.position(), &state.setup);
        if self.game.as_ref().is_some_and(is_same) {
            return Ok(News::Again);
        }
        let found = self.rules.position(&state.setup.with_side(side));
        let position = found.or_else(SetupError::playable)?;
        self.game = Some(self.begin(position));
        Ok(News::Fresh)
    }

    /// A game that starts from a position, and is not over there whatever the laws say.
    fn begin(&self, position: Position) -> Game {
        let game = Game::from_position(Arc::clone(&self.rules), position, self.laws);
        match game.outcome() {
            None => game,
            Some(_) => self.lawless(position),
        }
    }

    fn lawless(&self, position: Position) -> Game {
        Game::from_position(Arc::clone(&self.rules), position, self.laws.endless())
    }

    /// The move that leads to a state, with the game after it.
    fn derive(&self, state: &State) -> Option<(Side, Move, Game)> {
        let game = self.game.as_ref()?;
        let position = game.position();
        let side = position.side();
        let moves = self.rules.moves(position);
        let leads = |step: &&Move| {
            same_pieces(
                &self.rules.apply_unchecked(position, **step).position,
                &state.setup,
            )
        };
        let step = *moves.iter().find(leads)?;
        let mut after = game.clone();
        let is_played = after.play(step).is_ok();
        // The server may know other laws: it goes on where ours would stop.
        if matches!(state.turn, Turn::Of(_)) && (!is_played || after.outcome().is_some()) {
            after = self.lawless(self.rules.apply_unchecked(position, step).position);
        }
        Some((side, step, after))
    }
}

fn same_pieces(position: &Position, setup: &Setup) -> bool {
    let here = Setup::from(position);
    here.size() == setup.size()
        && tablut_rules::Piece::ALL
            .iter()
            .all(|&piece| here.pieces(piece) == setup.pieces(piece))
}

/// Why a state cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// It is not a state.
    #[error(transparent)]
    State(#[from] StateError),
    /// No game can continue from it under these rules.
    #[error("the server sent a position that cannot be played under these rules: {0}")]
    Setup(#[from] SetupError),
}

/// Waits until a server is there, and connects to it. While it waits, it asks `is_wanted`; what it
/// waits for is reported once to `waiting`.
///
/// # Errors
/// The address means nothing, or the wait was given up.
pub fn connect(
    address: (&str, u16),
    waiting: &mut dyn FnMut(),
    is_wanted: &dyn Fn() -> bool,
) -> io::Result<TcpStream> {
    let addresses: Vec<_> = address.to_socket_addrs()?.collect();
    let mut has_waited = false;
    loop {
        for address in &addresses {
            if let Ok(stream) = TcpStream::connect_timeout(address, Duration::from_secs(2)) {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
        }
        if !has_waited {
            waiting();
            has_waited = true;
        }
        if addresses.is_empty() || !is_wanted() {
            return Err(io::ErrorKind::NotConnected.into());
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// Says a name to the server.
///
/// # Errors
/// The connection is lost.
pub fn say_name(mut stream: &TcpStream, name: &str) -> io::Result<()> {
    stream.write_all(&frame(name_payload(name).as_bytes()))
}

/// Sends a move to the server.
///
/// # Errors
/// The connection is lost.
pub fn say_move(mut stream: &TcpStream, step: Move, side: Side) -> io::Result<()> {
    stream.write_all(&frame(Action::payload(step, side).as_bytes()))
}

/// How many frames wait to be taken.
const UNHEARD: usize = 64;

/// What the other end sends, read by a thread of its own; each with the time it was there.
#[derive(Debug)]
pub struct Incoming {
    frames: mpsc::Receiver<(Instant, Frame)>,
    stream: TcpStream,
    is_reading: Arc<AtomicBool>,
}

impl Incoming {
    /// Starts to read.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn new(stream: &TcpStream) -> io::Result<Self> {
        // When nobody takes them, the server has to wait.
        let (sender, frames) = mpsc::sync_channel(UNHEARD);
        let mut source = stream.try_clone()?;
        let is_reading = Arc::new(AtomicBool::new(true));
        let reads = Arc::clone(&is_reading);
        thread::Builder::new()
            .name("from peer".into())
            .spawn(move || {
                let mut frames = Frames::default();
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = source.read(&mut bytes) {
                    let now = Instant::now();
                    frames.push(&bytes[..count]);
                    while let Some(frame) = frames.pull() {
                        if sender.send((now, frame)).is_err() {
                            return;
                        }
                    }
                }
                reads.store(false, Ordering::Relaxed);
            })?;
        Ok(Self {
            is_reading,
            frames,
            stream: stream.try_clone()?,
        })
    }

    /// Whether the other end has not closed, or not yet.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_reading.load(Ordering::Relaxed)
    }

    /// Waits for the next frame.
    pub fn next(&self, patience: Duration) -> Heard {
        match self.frames.recv_timeout(patience) {
            Ok((at, frame)) => Heard::Frame(at, frame),
            Err(mpsc::RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(mpsc::RecvTimeoutError::Disconnected) => Heard::End,
        }
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // The thread reads no more.
        drop(self.stream.shutdown(Shutdown::Both));
    }
}

/// What came from the other end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A frame, and when it was there.
    Frame(Instant, Frame),
    /// Nothing in the time given.
    Nothing,
    /// The end.
    End,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(game: &Game, turn: Turn) -> Vec<u8> {
        let setup = Setup::from(game.position());
        State { setup, turn }.payload(game.rules()).into()
    }

    fn sent(game: &Game) -> Vec<u8> {
        payload(game, Turn::new(game.position().side(), game.outcome()))
    }

    #[test]
    fn moves_and_history_are_derived_from_states() {
        let rules = Rules::ashton();
        let mut random = tablut_rules::Random::new(7);
        for _ in 0..20 {
            let mut game =
                Game::from_position(Arc::clone(&rules), rules.start(), rules.laws().challenge());
            let mut follower = Follower::new(Arc::clone(&rules));
            assert_eq!(follower.tell(&sent(&game)), Ok(News::Fresh));
            while game.outcome().is_none() && game.plies().len() < 200 {
                let moves = rules.moves(game.position());
                let (side, step) = (game.position().side(), moves[random.below(moves.len())]);
                game.play(step).unwrap();
                let news = follower.tell(&sent(&game)).unwrap();
                match game.outcome() {
                    None => assert_eq!(news, News::Played { side, step }),
                    Some(_) => assert!(matches!(news, News::Over(_))),
                }
                assert_eq!(follower.game().unwrap().plies(), game.plies());
            }
            assert_eq!(follower.game().unwrap().outcome(), game.outcome());
        }
    }

    #[test]
    fn a_refused_move_and_a_jump_are_noticed() {
        let rules = Rules::ashton();
        let mut game = Game::new(Arc::clone(&rules));
        let mut follower = Follower::new(Arc::clone(&rules));
        follower.tell(&sent(&game)).unwrap();
        assert_eq!(follower.tell(&sent(&game)), Ok(News::Again));
        for step in ["e4d4", "d1c1", "d4d2"] {
            game.play(step.parse().unwrap()).unwrap();
        }
        assert_eq!(follower.tell(&sent(&game)), Ok(News::Fresh));
        assert_eq!(follower.turn(), Turn::Of(Side::Attackers));
        let won = payload(&game, Turn::Won(Side::Attackers));
        let over = News::Over(Turn::Won(Side::Attackers));
        assert_eq!(
            follower.tell(&won),
            Ok(over),
            "after an illegal move of White"
        );
        assert!(follower.tell(b"{}").is_err());
    }

    #[test]
    fn a_server_with_other_laws_is_followed_beyond_the_end_of_ours() {
        let rules = Rules::ashton();
        let mut laws = rules.laws();
        laws.repetition = None;
        let mut game = Game::from_position(Arc::clone(&rules), rules.start(), laws);
        let mut follower = Follower::new(Arc::clone(&rules));
        follower.tell(&sent(&game)).unwrap();
        let shuffle = ["d4e4", "c1b1", "e4d4", "b1c1"].repeat(3);
        for step in ["e4d4", "d1c1"].into_iter().chain(shuffle) {
            let (side, step) = (game.position().side(), step.parse().unwrap());
            game.play(step).unwrap();
            let news = follower.tell(&sent(&game));
            assert_eq!(news, Ok(News::Played { side, step }));
            assert_eq!(follower.game().unwrap().outcome(), None);
        }
    }
}
