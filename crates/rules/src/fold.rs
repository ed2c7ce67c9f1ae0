//! Positions that are the same but for a turn or a mirror of the board, folded into one.

use alloc::{boxed::Box, vec::Vec};

use crate::{Bitboard, BoardSize, Move, Piece, Position, RuleSet, Side, Square, Symmetry, zobrist};

/// One symmetry with where it takes each square.
struct Turn {
    symmetry: Symmetry,
    squares: [Square; 81],
}

/// What folds the positions of a rule set: its symmetries, ready for use.
pub struct Fold {
    size: BoardSize,
    turns: Box<[Turn]>,
}

/// A position, folded: what it has in common with its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Folded {
    /// The least key of all images.
    pub key: u64,
    /// A symmetry that turns the position into the image with that key.
    pub symmetry: Symmetry,
}

impl Fold {
    /// What folds the positions of a rule set.
    #[must_use]
    pub fn new(set: &RuleSet) -> Self {
        let size = set.size;
        let turn = |symmetry: Symmetry| {
            let mut squares = [Square::from_index_unchecked(0); 81];
            for square in Square::all() {
                squares[square.index()] = symmetry.square(size, square);
            }
            Turn { symmetry, squares }
        };
        Self {
            size,
            turns: set.symmetries().into_iter().map(turn).collect(),
        }
    }

    /// The position folded.
    #[must_use]
    pub fn position(&self, position: &Position) -> Folded {
        let images = self.turns.iter().map(|turn| Folded {
            key: turn.key(position),
            symmetry: turn.symmetry,
        });
        images.min_by_key(|image| image.key).unwrap_or(Folded {
            key: position.key(),
            symmetry: Symmetry::IDENTITY,
        })
    }

    /// The position and a move in it, folded together: images of one move in images of one position are
    /// the same move. A position that is its own image has fewer moves folded than it has.
    #[must_use]
    pub fn step(&self, position: &Position, step: Move) -> (Folded, Move) {
        let folded = self.position(position);
        let images = self
            .turns
            .iter()
            .filter(|turn| turn.key(position) == folded.key);
        let image = images
            .map(|turn| turn.step(step))
            .min_by_key(|image| image.bits());
        (folded, image.unwrap_or(step))
    }

    /// A folded move as it stands in the position that was folded.
    #[must_use]
    pub fn unfold(&self, folded: Folded, step: Move) -> Move {
        folded.symmetry.inverse().step(self.size, step)
    }

    /// All moves of a position that fold into one.
    #[must_use]
    pub fn images(&self, position: &Position, step: Move) -> Vec<Move> {
        let (_, image) = self.step(position, step);
        let own = position.key();
        let mut moves: Vec<Move> = self
            .turns
            .iter()
            .filter(|turn| turn.key(position) == own)
            .map(|turn| turn.step(step))
            .filter(|&other| self.step(position, other).1 == image)
            .collect();
        moves.sort_unstable_by_key(|other| other.bits());
        moves.dedup();
        moves
    }
}

impl Turn {
    /// The key of a position's image.
    fn key(&self, position: &Position) -> u64 {
        let mut key = match position.side() {
            Side::Attackers => 0,
            Side::Defenders => zobrist::DEFENDERS_TO_MOVE,
        };
        let mut add = |squares: Bitboard, piece| {
            for square in squares {
                key ^= zobrist::of(piece, self.squares[square.index()]);
            }
        };
        add(position.men(Side::Attackers), Piece::Attacker);
        add(position.men(Side::Defenders), Piece::Defender);
        add(Bitboard::of(position.king()), Piece::King);
        key
    }

    fn step(&self, step: Move) -> Move {
        Move::new(
            self.squares[step.from().index()],
            self.squares[step.to().index()],
        )
    }
}

#[cfg(all(test, feature = "toml"))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::{BuiltIn, Random, Setup};

    /// The slow twin: every image as a set-up, and the key of the position it makes.
    fn slow(rules: &crate::Rules, position: &Position) -> u64 {
        let setup = Setup::from(position);
        let images = rules.set().symmetries().into_iter();
        let keys = images.map(|symmetry| {
            let image = rules.position(&symmetry.setup(&setup)).unwrap();
            image.fresh_key()
        });
        keys.min().unwrap()
    }

    #[test]
    fn images_fold_into_one_place_and_their_moves_into_one_move() {
        for set in BuiltIn::ALL {
            let rules = set.rules();
            let fold = Fold::new(rules.set());
            let mut random = Random::new(7);
            let mut position = rules.start();
            for _ in 0..40 {
                let moves = rules.moves(&position);
                if moves.is_empty() {
                    break;
                }
                let step = moves[random.below(moves.len())];
                let (folded, image) = fold.step(&position, step);
                assert_eq!(folded.key, slow(&rules, &position));
                assert_eq!(folded, fold.position(&position));
                for symmetry in rules.set().symmetries() {
                    let turned = symmetry.setup(&Setup::from(&position));
                    let turned = rules.position(&turned).unwrap();
                    let other = fold.step(&turned, symmetry.step(rules.size(), step));
                    assert_eq!((other.0.key, other.1), (folded.key, image));
                    // What comes back is a legal move here, and folds into the same.
                    let back = fold.unfold(other.0, other.1);
                    assert!(rules.is_legal(&turned, back));
                    assert_eq!(fold.step(&turned, back).1, image);
                    assert!(fold.images(&turned, back).contains(&back));
                }
                let applied = rules.apply_unchecked(&position, step);
                if applied.end.is_some() {
                    break;
                }
                position = applied.position;
            }
        }
    }

    #[test]
    fn the_start_has_a_quarter_or_an_eighth_of_its_moves() {
        let rules = crate::Rules::ashton();
        let fold = Fold::new(rules.set());
        let start = rules.start();
        let moves = rules.moves(&start);
        let mut folded: Vec<u16> = moves
            .iter()
            .map(|&step| fold.step(&start, step).1.bits())
            .collect();
        folded.sort_unstable();
        folded.dedup();
        assert_eq!(moves.len(), 56);
        assert_eq!(folded.len(), 7);
        let step = "e4d4".parse().unwrap();
        assert_eq!(fold.images(&start, step).len(), 8);
    }
}
