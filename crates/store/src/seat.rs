//! Who sits at a game, and whose it is.

use std::fmt;

use sqlx::{Row, any::AnyRow};
use tablut_rules::Side;

use crate::{Game, StoreError};

/// One side's place in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Who plays.
    pub player: SeatPlayer,
    /// What a person has to know to sit here. It is kept for as long as it admits a player:
    /// empty when the seat is taken, or never was to be taken here.
    pub secret: String,
    /// The visitor who sits here.
    pub holder: Option<String>,
    /// The name of the visitor when they sat down.
    pub name: Option<String>,
    /// What was left on the clock after the side's last move.
    pub left_ms: Option<u64>,
}

impl Seat {
    /// The secret, if it still lets a visitor sit down.
    pub(crate) fn secret_to_keep(&self, game: &Game) -> &str {
        let is_open = self.holder.is_none() && self.player == SeatPlayer::Person;
        match is_open && !game.owner.is_foreign() {
            true => &self.secret,
            false => "",
        }
    }

    /// Whether it is a person's seat at which nobody sat down here, nor can.
    pub(crate) fn is_nobodys(&self) -> bool {
        self.player == SeatPlayer::Person && self.holder.is_none() && self.secret.is_empty()
    }

    /// The seat of a side in a row of a game with both its seats.
    pub(crate) fn read(row: &AnyRow, side: Side) -> Result<Self, StoreError> {
        let columns = match side {
            Side::Attackers => ["a_player", "a_secret", "a_holder", "a_name", "a_left_ms"],
            Side::Defenders => ["d_player", "d_secret", "d_holder", "d_name", "d_left_ms"],
        };
        let [player, secret, holder, name, left_ms] = columns;
        let player: Option<String> = row.try_get(player)?;
        let Some(player) = player else {
            let id: String = row.try_get("id")?;
            return Err(StoreError::corrupt("game with two seats", id));
        };
        let left_ms: Option<i64> = row.try_get(left_ms)?;
        Ok(Self {
            player: SeatPlayer::from_text(player),
            secret: row.try_get(secret)?,
            holder: row.try_get(holder)?,
            name: row.try_get(name)?,
            left_ms: left_ms.map(i64::unsigned_abs),
        })
    }
}

/// Who plays a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatPlayer {
    /// A visitor, who needs to sit down.
    Person,
    /// A program that has connected from elsewhere.
    Remote,
    /// A program, by the name that whoever runs it gives it: `level:3`, `client`.
    Program(String),
}

impl SeatPlayer {
    fn from_text(text: String) -> Self {
        match text.as_str() {
            "person" => Self::Person,
            "remote" => Self::Remote,
            _ => Self::Program(text),
        }
    }
}

impl fmt::Display for SeatPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Person => "person",
            Self::Remote => "remote",
            Self::Program(name) => name,
        })
    }
}

/// Whose a game is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameOwner {
    /// The visitor with an id, who made it.
    Visitor(String),
    /// A tournament, which plays it.
    Tournament,
    /// The referee's ports, where clients of the Challenge came by themselves.
    Referee,
}

impl GameOwner {
    /// Whether the game is played elsewhere, so that here one can only watch.
    #[must_use]
    pub const fn is_foreign(&self) -> bool {
        match self {
            Self::Visitor(_) => false,
            Self::Tournament | Self::Referee => true,
        }
    }

    /// Whether it is the visitor with an id.
    #[must_use]
    pub fn is_visitor(&self, id: &str) -> bool {
        matches!(self, Self::Visitor(own) if own == id)
    }

    pub(crate) fn from_text(text: String) -> Self {
        match text.as_str() {
            "tournament" => Self::Tournament,
            "referee" => Self::Referee,
            _ => Self::Visitor(text),
        }
    }
}

impl fmt::Display for GameOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Visitor(id) => id,
            Self::Tournament => "tournament",
            Self::Referee => "referee",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stores of all versions hold.
    #[test]
    fn words_in_stores_stay_as_they_are() {
        let players = [
            ("person", SeatPlayer::Person),
            ("remote", SeatPlayer::Remote),
            ("level:3", SeatPlayer::Program("level:3".into())),
            ("client", SeatPlayer::Program("client".into())),
        ];
        for (word, player) in players {
            assert_eq!(SeatPlayer::from_text(word.into()), player);
            assert_eq!(player.to_string(), word);
        }
        let owners = [
            ("tournament", GameOwner::Tournament),
            ("referee", GameOwner::Referee),
            ("ann", GameOwner::Visitor("ann".into())),
        ];
        for (word, owner) in owners {
            assert_eq!(GameOwner::from_text(word.into()), owner);
            assert_eq!(owner.to_string(), word);
        }
    }
}
