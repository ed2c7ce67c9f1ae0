//! What is agreed before a game.

use std::sync::Arc;

use tablut_arena::{Player, TimeControl};
use tablut_rules::{BySide, Game, Rules, Setup, SetupError, Side};

/// Who plays the two sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// The visitor plays one side, an engine the other.
    Engine {
        /// The visitor's side.
        side: Side,
        /// The engine.
        engine: Player,
    },
    /// Both sides are played on the visitor's screen.
    SameScreen,
    /// The visitor plays one side, whoever gets the link the other.
    Link {
        /// The visitor's side.
        side: Side,
    },
    /// Two engines play, the visitor watches.
    Engines(BySide<Player>),
}

/// What is agreed before a game.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The rule set.
    pub rules: Arc<Rules>,
    /// Where the game starts, if not at the rule set's start.
    pub setup: Option<Setup>,
    /// Who plays.
    pub opponent: Opponent,
    /// How time is counted, for both.
    pub control: TimeControl,
    /// Whether moves may be taken back.
    pub take_backs: bool,
}

/// Why terms make no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TermsError {
    /// The set-up cannot be played.
    #[error("no game can start from this position: {0}")]
    Setup(SetupError),
    /// The game is over before it starts.
    #[error("no game can start from this position: {0}")]
    Over(tablut_rules::Outcome),
    /// A player that cannot be hosted.
    #[error("{0} cannot play here")]
    Player(Player),
    /// A time in which nobody can move.
    #[error("a player needs at least a second")]
    TooShort,
}

/// The longest time for a move that a visitor may give an engine, in milliseconds.
const LONGEST_THOUGHT: u64 = 60_000;

/// The shortest time for a move or a game between those who meet here, in milliseconds.
const SHORTEST: u64 = 1000;

impl Terms {
    /// The players.
    pub(crate) fn players(&self) -> BySide<Player> {
        match &self.opponent {
            Opponent::Engine { side, engine } => {
                let mut players = BySide::both(Player::Person);
                players[side.opponent()] = engine.clone();
                players
            }
            Opponent::SameScreen | Opponent::Link { .. } => BySide::both(Player::Person),
            Opponent::Engines(players) => players.clone(),
        }
    }

    /// Whether the visitor who makes the game sits on a side.
    pub(crate) fn holds(&self, side: Side) -> bool {
        match &self.opponent {
            Opponent::Engine { side: own, .. } | Opponent::Link { side: own } => *own == side,
            Opponent::SameScreen => true,
            Opponent::Engines(_) => false,
        }
    }

    /// Checks that a game can be played on these terms.
    pub(crate) fn check(&self, has_programs: bool) -> Result<(), TermsError> {
        for (_, player) in self.players() {
            let is_fit = match player {
                Player::Person | Player::Level(_) | Player::Random => true,
                Player::Time(ms) => ms <= LONGEST_THOUGHT,
                // Without a limit in time that fits visitors, or started for whoever asks.
                Player::Nodes(_)
                | Player::Tuned(_)
                | Player::Baseline { .. }
                | Player::Engine(_)
                | Player::Client(_) => has_programs,
            };
            if !is_fit {
                return Err(TermsError::Player(player));
            }
        }
        match self.control {
            TimeControl::PerMove { ms } | TimeControl::Total { ms, .. } if ms < SHORTEST => {
                return Err(TermsError::TooShort);
            }
            _ => {}
        }
        let Some(setup) = &self.setup else {
            return Ok(());
        };
        let position = self
            .rules
            .position(setup)
            .or_else(SetupError::playable)
            .map_err(TermsError::Setup)?;
        let game = Game::from_position(Arc::clone(&self.rules), position, self.rules.laws());
        if let Some(outcome) = game.outcome() {
            return Err(TermsError::Over(outcome));
        }
        // A king on a goal, or besieged, has already decided the game.
        let faults = self.rules.faults(setup);
        let decided = faults.into_iter().find_map(|fault| {
            use tablut_rules::{Outcome, Reason, SetupFault};
            match fault {
                SetupFault::KingEscaped(_) => {
                    Some(Outcome::win(Side::Defenders, Reason::KingEscaped))
                }
                SetupFault::KingCaptured(_) => {
                    Some(Outcome::win(Side::Attackers, Reason::KingCaptured))
                }
                _ => None,
            }
        });
        decided.map_or(Ok(()), |outcome| Err(TermsError::Over(outcome)))
    }
}
