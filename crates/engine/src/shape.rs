//! The board as the evaluation sees it, from the compiled rules: ground, goals, corners and chains.
//!
//! Nothing here asks for a set's name. A corner's *chain* is the shortest diagonal that cuts all its
//! escape squares off: in the Challenge's rules b3 c2 and its images, the "rhombus".

use tablut_rules::{Bitboard, Direction, Piece, Rules, Square, Symmetry};

/// One quarter of the board.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Corner {
    /// The goals of this quarter that a king can arrive on.
    pub(crate) escapes: Bitboard,
    /// The diagonal that cuts them off; empty if there is none inside the quarter.
    pub(crate) chain: Bitboard,
}

/// What the evaluation needs to know of the rules.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Squares the king can stop on.
    pub(crate) ground: Bitboard,
    /// Squares an attacker outside the camps can move to.
    pub(crate) field: Bitboard,
    /// Goals the king can arrive on.
    pub(crate) goals: Bitboard,
    /// Squares beside the castle, from where a flood is short.
    pub(crate) middle: Bitboard,
    /// All squares of the board.
    pub(crate) board: Bitboard,
    pub(crate) camps: Bitboard,
    pub(crate) corners: [Corner; 4],
    /// All chains together.
    pub(crate) chains: Bitboard,
}

impl Shape {
    pub(crate) fn new(rules: &Rules) -> Self {
        let ground = rules.ground(Piece::King);
        let goals = rules.escapes();
        let corners = [0, 1, 2, 3].map(|turns| corner(rules, turns, goals));
        Self {
            ground,
            field: rules.ground(Piece::Attacker),
            goals,
            middle: Bitboard::beside(rules.castle()),
            board: rules.size().squares(),
            camps: rules.camps(),
            chains: union(corners.map(|corner| corner.chain)),
            corners,
        }
    }
}

/// The corner that a number of quarter turns bring the top left one to.
fn corner(rules: &Rules, turns: usize, goals: Bitboard) -> Corner {
    let size = rules.size();
    let turn = Symmetry::ALL[turns];
    let half = size.rows().div_ceil(2);
    let squares =
        || (0..size.rows()).flat_map(move |row| (0..size.rows()).map(move |column| (column, row)));
    let image =
        |(column, row): (u8, u8)| Square::new(column, row).map(|square| turn.square(size, square));
    let own = |&(column, row): &(u8, u8)| column < half && row < half;
    let escapes: Vec<(u8, u8)> = squares()
        .filter(own)
        .filter(|&place| image(place).is_some_and(|square| goals.contains(square)))
        .collect();
    let farthest = escapes.iter().map(|(column, row)| column + row).max();
    let chain: Vec<(u8, u8)> = farthest.map_or(Vec::new(), |sum| {
        squares()
            .filter(|(column, row)| column + row == sum + 1)
            .filter(|&place| {
                image(place).is_some_and(|square| rules.ground(Piece::King).contains(square))
            })
            .collect()
    });
    // A chain that leaves the quarter or needs many men is no wall.
    let useful = chain.len() <= 4 && chain.iter().all(own);
    let set = |places: &[(u8, u8)]| {
        let squares = places.iter().filter_map(|&place| image(place));
        squares.collect::<Bitboard>()
    };
    Corner {
        escapes: set(&escapes),
        chain: if useful { set(&chain) } else { Bitboard::EMPTY },
    }
}

/// The squares of all sets.
#[inline(always)]
pub(crate) fn union(sets: [Bitboard; 4]) -> Bitboard {
    let [a, b, c, d] = sets;
    a | b | c | d
}

/// The squares that slides of up to seven steps through open squares reach from a set, per direction
/// in the order of [`Direction::ALL`].
#[inline(always)]
pub(crate) fn fills(from: Bitboard, open: Bitboard) -> [Bitboard; 4] {
    Direction::ALL.map(|direction| from.fill(direction, open))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablut_rules::{BuiltIn, Rules};

    fn set(text: &str) -> Bitboard {
        let squares = text.split(' ').map(|name| name.parse::<Square>().unwrap());
        squares.collect()
    }

    #[test]
    fn the_chains_of_the_challenge_are_the_rhombus() {
        let shape = Shape::new(&Rules::ashton());
        assert_eq!(shape.chains, set("b3 c2 g2 h3 h7 g8 c8 b7"));
        assert_eq!(shape.corners[0].chain, set("b3 c2"));
        assert_eq!(shape.corners[0].escapes, set("a2 a3 b1 c1"));
    }

    #[test]
    fn corners_as_goals_have_short_chains() {
        let shape = Shape::new(&BuiltIn::Modern.rules());
        assert_eq!(shape.corners[0].chain, set("a2 b1"));
    }
}
