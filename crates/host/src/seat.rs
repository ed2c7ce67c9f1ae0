//! Players of a host, as the store names them.

use tablut_arena::Player;
use tablut_store::SeatPlayer;

use crate::HostError;

/// A player as it is kept.
pub(crate) fn seat_player(player: &Player) -> SeatPlayer {
    match player {
        Player::Person => SeatPlayer::Person,
        program => SeatPlayer::Program(program.to_string()),
    }
}

/// The player that a host seats for what is kept.
pub(crate) fn hosted_player(kept: &SeatPlayer) -> Result<Player, HostError> {
    let unknown = || HostError::Unknown(kept.to_string());
    match kept {
        SeatPlayer::Person => Ok(Player::Person),
        SeatPlayer::Remote => Err(unknown()),
        SeatPlayer::Program(name) => name.parse().map_err(|_| unknown()),
    }
}
