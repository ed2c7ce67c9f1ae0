//! The numbers that make up a position's key.
//!
//! The key is the exclusive or of one number per piece and square and, with the defenders to move,
//! of one more. The numbers come from SplitMix64 with a fixed seed, so keys are the same everywhere
//! and may be stored in books and tables.

use crate::{Piece, Square};

pub(crate) const fn splitmix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const SEED: u64 = 0x7461_626c_7574;
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number per kind of piece and square; 128 squares, so that a masked index needs no check.
static PIECES: [[u64; 128]; 3] = {
    let mut table = [[0; 128]; 3];
    let mut state = SEED;
    let mut piece = 0;
    while piece < 3 {
        let mut square = 0;
        while square < 128 {
            state = state.wrapping_add(STEP);
            table[piece][square] = splitmix(state);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// Set while the defenders are to move, and flipped by every move.
pub(crate) const DEFENDERS_TO_MOVE: u64 = splitmix(SEED);

/// The number of a piece on a square.
#[inline(always)]
pub(crate) fn of(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index() & 127]
}
