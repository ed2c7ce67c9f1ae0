//! Steps about how pieces move: straight, up to the castle, up to camps and out of them.

use tablut_rules::{Bitboard, CampClosed, Direction, Piece, Setup, Side, Square, text::Topic};

use super::topic;
use crate::{
    Step, Task,
    scene::{Scenes, Sketch, away},
};

/// A man that goes straight to a square.
pub(super) fn moves(scenes: &Scenes<'_>) -> Option<Step> {
    let plain = scenes.plain();
    scenes.those_of(plain).skip(4).find_map(|from| {
        Direction::ALL.into_iter().find_map(|direction| {
            let to = [4, 3, 2]
                .into_iter()
                .find_map(|steps| away(from, direction, steps).filter(|&to| plain.contains(to)))?;
            let sketch = Sketch {
                pieces: vec![(from, Piece::Defender)],
                empty: from.between(to).collect::<Bitboard>().with(to),
                side: Side::Defenders,
            };
            scenes.step(topic(Topic::Moves), &sketch, Task::Go { from, to })
        })
    })
}

/// A man before the castle.
pub(super) fn castle(scenes: &Scenes<'_>) -> Option<Step> {
    let castle = scenes.rules.castle();
    before(scenes, Topic::Castle, Piece::Attacker, castle)
}

/// A man before a camp.
pub(super) fn camps(scenes: &Scenes<'_>) -> Option<Step> {
    let camps = scenes.rules.set().camp_squares();
    camps
        .iter()
        .find_map(|camp| before(scenes, Topic::Camps, Piece::Defender, camp))
}

/// A man that leaves its camp, where camps are closed to those outside: up to another camp, if one is in
/// its way.
pub(super) fn leaving(scenes: &Scenes<'_>) -> Option<Step> {
    let set = scenes.rules.set();
    if set.camp_closed_to() != CampClosed::Outsiders {
        return None;
    }
    let step = |camp: Bitboard, from: Square, direction: Direction, is_barred: bool| {
        let way = Way::new(scenes, Piece::Attacker, from, direction)?;
        let next = way.to.step(direction);
        let fits = !camp.contains(way.to)
            && next.is_some_and(|next| set.camp_squares().contains(next)) == is_barred;
        fits.then(|| way.step(scenes, Topic::Camps))?
    };
    [true, false].into_iter().find_map(|is_barred| {
        set.camps().iter().find_map(|&camp| {
            let squares = camp & scenes.rules.reachable_from_start(Piece::Attacker);
            squares.iter().find_map(|from| {
                Direction::ALL
                    .into_iter()
                    .find_map(|direction| step(camp, from, direction, is_barred))
            })
        })
    })
}

/// A piece that goes as far towards a special square as it may.
fn before(scenes: &Scenes<'_>, about: Topic, piece: Piece, special: Square) -> Option<Step> {
    Direction::ALL.into_iter().find_map(|direction| {
        [3, 2, 4].into_iter().find_map(|steps| {
            let from = away(special, direction, steps)?;
            if !scenes.plain().contains(from) {
                return None;
            }
            Way::new(scenes, piece, from, direction.opposite())?.step(scenes, about)
        })
    })
}

/// How far a piece may go in a direction on an empty board.
struct Way {
    piece: Piece,
    from: Square,
    to: Square,
    /// All squares up to the end of the board.
    squares: Vec<Square>,
}

impl Way {
    fn new(scenes: &Scenes<'_>, piece: Piece, from: Square, direction: Direction) -> Option<Self> {
        let mut setup = Setup::empty(scenes.rules.size(), piece.side());
        setup.put(from, Some(piece));
        let targets = scenes.rules.view(&setup).targets(from);
        let board = scenes.rules.size().squares();
        let squares: Vec<Square> = (1..9)
            .map_while(|steps| away(from, direction, steps))
            .filter(|&square| board.contains(square))
            .collect();
        let to = *squares
            .iter()
            .rev()
            .find(|&&square| targets.contains(square))?;
        Some(Self {
            piece,
            from,
            to,
            squares,
        })
    }

    fn step(self, scenes: &Scenes<'_>, about: Topic) -> Option<Step> {
        let (from, to, towards) = (self.from, self.to, *self.squares.last()?);
        let sketch = Sketch {
            pieces: vec![(from, self.piece)],
            empty: self.squares.into_iter().collect(),
            side: self.piece.side(),
        };
        scenes.step(topic(about), &sketch, Task::GoFar { from, towards, to })
    }
}
