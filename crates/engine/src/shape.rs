//! The board as the evaluation sees it, from the compiled rules: ground, goals, corners and chains.
//!
//! Nothing here asks for a set's name. A corner's *chain* is the shortest diagonal that cuts all its
//! escape squares off: in the Challenge's rules b3 c2 and its images, the "rhombus".

use tablut_rules::{Bitboard, Piece, Rules, Square, Symmetry};

/// Column a.
pub(crate) const COLUMN_A: u128 = 0x0100_8040_2010_0804_0201;
/// Column i.
pub(crate) const COLUMN_I: u128 = COLUMN_A << 8;

/// One quarter of the board.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Corner {
    /// The goals of this quarter that a king can arrive on.
    pub(crate) escapes: u128,
    /// The diagonal that cuts them off; empty if there is none inside the quarter.
    pub(crate) chain: u128,
}

/// What the evaluation needs to know of the rules.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Squares the king can stop on.
    pub(crate) ground: u128,
    /// Squares an attacker outside the camps can move to.
    pub(crate) field: u128,
    /// Goals the king can arrive on.
    pub(crate) goals: u128,
    /// Squares beside the castle, from where a flood is short.
    pub(crate) middle: u128,
    /// All squares of the board.
    pub(crate) board: u128,
    pub(crate) camps: u128,
    pub(crate) corners: [Corner; 4],
    /// All chains together.
    pub(crate) chains: u128,
}

impl Shape {
    pub(crate) fn new(rules: &Rules) -> Self {
        let ground = rules.ground(Piece::King);
        let goals = rules.escapes();
        let corners = [0, 1, 2, 3].map(|turns| corner(rules, turns, goals));
        Self {
            ground: ground.bits(),
            field: rules.ground(Piece::Attacker).bits(),
            goals: goals.bits(),
            middle: beside(Bitboard::from(rules.castle()).bits()),
            board: rules.size().squares().bits(),
            camps: rules.camps().bits(),
            corners,
            chains: corners.iter().fold(0, |all, corner| all | corner.chain),
        }
    }
}

/// The corner that so many quarter turns bring the top left one to.
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
        squares.collect::<Bitboard>().bits()
    };
    Corner {
        escapes: set(&escapes),
        chain: if useful { set(&chain) } else { 0 },
    }
}

/// Squares reached from a set by steps of one direction through empty squares, the set included.
#[inline(always)]
fn run<const SHIFT: u32, const UP: bool>(from: u128, empty: u128) -> u128 {
    let shift = |set: u128, by: u32| if UP { set << by } else { set >> by };
    let (mut set, mut open) = (from, empty);
    set |= open & shift(set, SHIFT);
    open &= shift(open, SHIFT);
    set |= open & shift(set, 2 * SHIFT);
    open &= shift(open, 2 * SHIFT);
    set |= open & shift(set, 4 * SHIFT);
    set
}

/// The squares from which a set is reached by one slide, per direction, through empty squares.
#[inline(always)]
pub(crate) fn runs(from: u128, empty: u128) -> [u128; 4] {
    [
        run::<1, true>(from, empty & !COLUMN_A),
        run::<1, false>(from, empty & !COLUMN_I),
        run::<9, true>(from, empty),
        run::<9, false>(from, empty),
    ]
}

/// As [`runs`], and one step further where `beyond` allows it.
#[inline(always)]
pub(crate) fn runs_and_step(from: u128, empty: u128, beyond: u128) -> u128 {
    let [right, left, down, up] = runs(from, empty);
    let ends = (right & !COLUMN_I) << 1 | (left & !COLUMN_A) >> 1 | down << 9 | up >> 9;
    right | left | down | up | ends & beyond
}

/// The squares beside a set.
#[inline(always)]
pub(crate) fn beside(set: u128) -> u128 {
    (set & !COLUMN_I) << 1 | (set & !COLUMN_A) >> 1 | set << 9 | set >> 9
}

/// All squares connected with a set through open ones, the set included.
///
/// Single steps: they are so cheap that more of them beat fewer long ones.
#[inline(always)]
pub(crate) fn flood(from: u128, open: u128) -> u128 {
    let mut region = from & open;
    loop {
        let once = region | beside(region) & open;
        let next = once | beside(once) & open;
        if next == region {
            return region;
        }
        region = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablut_rules::{BuiltIn, Rules};

    fn set(text: &str) -> u128 {
        let squares = text.split(' ').map(|name| name.parse::<Square>().unwrap());
        squares.collect::<Bitboard>().bits()
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

    #[test]
    fn a_flood_stops_at_walls() {
        let shape = Shape::new(&Rules::ashton());
        let wall = set("b3 c2");
        let region = flood(shape.corners[0].escapes, shape.ground & !wall);
        assert_eq!(region, set("a1 a2 a3 b1 b2 c1"));
    }

    #[test]
    fn runs_do_not_cross_the_rim() {
        let [right, left, down, up] = runs(set("a5"), Bitboard::ALL.bits());
        assert_eq!(
            right,
            set("a5 b5 c5 d5 e5 f5 g5 h5"),
            "eight squares are enough"
        );
        assert_eq!(left, set("a5"));
        assert_eq!(down, set("a5 a6 a7 a8 a9"));
        assert_eq!(up, set("a5 a4 a3 a2 a1"));
    }
}
