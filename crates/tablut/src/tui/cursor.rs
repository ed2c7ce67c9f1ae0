//! Moving over the board with keys.

use crossterm::event::KeyCode;
use tablut_rules::{BoardSize, Direction, Square};

/// Where an arrow key leads from a square; nothing if it is no arrow key.
pub(crate) fn follow(from: Square, key: KeyCode, size: BoardSize, flipped: bool) -> Option<Square> {
    let direction = match key {
        KeyCode::Up => Direction::Up,
        KeyCode::Down => Direction::Down,
        KeyCode::Left => Direction::Left,
        KeyCode::Right => Direction::Right,
        _ => return None,
    };
    let direction = if flipped {
        direction.opposite()
    } else {
        direction
    };
    let next = from.step(direction);
    // At the edge, the key has no effect.
    Some(
        next.filter(|&next| size.squares().contains(next))
            .unwrap_or(from),
    )
}
