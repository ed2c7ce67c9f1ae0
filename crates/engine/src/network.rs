//! The network: a small number of integers that tell what a position is worth.
//!
//! One hidden layer over (piece, square) of the board as [`View`] turns it, and one head per side to move,
//! since the sides are not alike. A hidden unit is clipped to 0…1 and squared. Integers only: every machine
//! computes the same.
//!
//! `tablut-train` makes networks; the file is described in [`file`].

mod accumulator;
mod built_in;
mod file;
mod view;

use std::sync::Arc;

use tablut_rules::{Bitboard, BySide, Piece, Position, Side, Square};
use wide::{i16x8, i32x4};

use crate::score::value;

pub(crate) use accumulator::NetworkEvaluator;
pub use file::NetworkError;
pub use view::{INPUTS, PLACES, REGIONS, View, place};

/// Units of the hidden layer.
pub const HIDDEN: usize = 256;

const _: () = assert!(HIDDEN.is_multiple_of(8), "units are worked on in eights");

/// What one is in a hidden unit.
const UNIT: i16 = 255;

/// What one is in the weights of a head.
const HEAD_UNIT: i32 = 64;

/// The largest weight that training may use, either way: what a head's weights can hold.
pub const LARGEST_WEIGHT: f32 = 127.0 / HEAD_UNIT as f32;

/// Units in which the odds of a win grow by a factor of e.
pub const SCALE: i32 = 350;

/// The sums of the hidden layer, or the weights that lead to it from one input.
pub(crate) type Row = [i16; HIDDEN];

/// A network for one rule set.
///
/// ```
/// use tablut_engine::Network;
/// use tablut_rules::Rules;
/// let rules = Rules::ashton();
/// let network = Network::built_in(&rules).expect("it ships");
/// println!("{}", network.evaluate(&rules.start()));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    rules: String,
    /// Per input: its weights to the hidden layer.
    rows: Arc<[Row; INPUTS]>,
    /// What the hidden layer is without a piece.
    bias: Row,
    heads: BySide<Head>,
    rescue: Option<Rescue>,
}

/// Other heads, for a side that stands worse and hopes for mistakes: they tell how games against a weaker opponent
/// end, not what positions are worth.
#[derive(Clone, PartialEq, Eq)]
struct Rescue {
    side: Side,
    heads: BySide<Head>,
}

/// From the hidden layer to a value, for one side to move.
#[derive(Clone, PartialEq, Eq)]
struct Head {
    weights: Row,
    /// In units of a hidden unit times a head's weight.
    bias: i32,
}

/// A network in real numbers, as training makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct RealNetwork {
    /// Per input, [`HIDDEN`] weights; inputs are numbered by [`View`].
    pub rows: Vec<f32>,
    /// One for each hidden unit.
    pub bias: Vec<f32>,
    /// One for each hidden unit.
    pub heads: BySide<Vec<f32>>,
    /// One for each head.
    pub head_bias: BySide<f32>,
}

/// The pieces of a position, the king last.
pub fn pieces(position: &Position) -> impl Iterator<Item = (Piece, Square)> {
    let of = |piece, squares: Bitboard| squares.iter().map(move |square| (piece, square));
    of(Piece::Attacker, position.men(Side::Attackers))
        .chain(of(Piece::Defender, position.men(Side::Defenders)))
        .chain([(Piece::King, position.king())])
}

/// Rows that networks with other heads can share.
fn shared(rows: Vec<Row>) -> Option<Arc<[Row; INPUTS]>> {
    Arc::<[Row]>::from(rows).try_into().ok()
}

/// The inputs of a position.
fn inputs(position: &Position) -> impl Iterator<Item = usize> {
    let view = View::of(position.king());
    pieces(position).map(move |(piece, square)| view.input(place(piece, square)))
}

impl Network {
    /// Rounds a network to integers.
    ///
    /// # Panics
    /// If the parts do not have the right lengths.
    #[must_use]
    pub fn round(rules: &str, real: &RealNetwork) -> Self {
        let largest = LARGEST_WEIGHT;
        let round = |weight: f32, unit: f32| (weight.clamp(-largest, largest) * unit).round();
        let row = |weights: &[f32], unit: f32| -> Row {
            assert_eq!(weights.len(), HIDDEN, "one weight for each hidden unit");
            std::array::from_fn(|index| round(weights[index], unit) as i16)
        };
        assert_eq!(real.rows.len(), INPUTS * HIDDEN, "a row for each input");
        let rows = real.rows.chunks_exact(HIDDEN);
        let rows: Vec<Row> = rows.map(|weights| row(weights, UNIT.into())).collect();
        let head = |side: Side| Head {
            weights: row(&real.heads[side], HEAD_UNIT as f32),
            bias: (real.head_bias[side] * f32::from(UNIT) * HEAD_UNIT as f32).round() as i32,
        };
        Self {
            rules: rules.into(),
            rows: shared(rows).expect("a row for each input"),
            bias: row(&real.bias, UNIT.into()),
            heads: BySide::from_fn(head),
            rescue: None,
        }
    }

    /// The side that can play by [`Network::rescuing`] when it stands worse.
    #[must_use]
    pub fn rescued_side(&self) -> Option<Side> {
        self.rescue.as_ref().map(|rescue| rescue.side)
    }

    /// The same network with the heads for the side that stands worse.
    #[must_use]
    pub fn rescuing(&self) -> Option<Self> {
        let rescue = self.rescue.as_ref()?;
        Some(Self {
            heads: rescue.heads.clone(),
            rescue: None,
            ..self.clone()
        })
    }

    /// Takes the heads of another network for a side that stands worse. Nothing if the hidden layers are not the same.
    #[must_use]
    pub fn with_rescue(self, side: Side, other: &Self) -> Option<Self> {
        let is_same = self.rows == other.rows && self.bias == other.bias;
        let heads = other.heads.clone();
        is_same.then_some(Self {
            rescue: Some(Rescue { side, heads }),
            ..self
        })
    }

    /// The network in real numbers, to learn on from; rounding gives the network again.
    #[must_use]
    pub fn real(&self) -> RealNetwork {
        let of =
            |weights: &[i16], unit: f32| weights.iter().map(|&w| f32::from(w) / unit).collect();
        RealNetwork {
            rows: of(self.rows.as_flattened(), UNIT.into()),
            bias: of(&self.bias, UNIT.into()),
            heads: BySide::from_fn(|side| of(&self.heads[side].weights, HEAD_UNIT as f32)),
            head_bias: BySide::from_fn(|side| {
                self.heads[side].bias as f32 / (f32::from(UNIT) * HEAD_UNIT as f32)
            }),
        }
    }

    /// The id of the rule set it was made for.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The worth of a position for the side to move, in hundredths, computed from nothing.
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.value_of(inputs(position), position.side())
    }

    /// The worth of some inputs for the side to move, in hundredths.
    #[must_use]
    pub fn value_of(&self, inputs: impl Iterator<Item = usize>, side: Side) -> i32 {
        self.value(&self.sums(inputs), side)
    }

    /// The hidden layer for some inputs.
    fn sums(&self, inputs: impl Iterator<Item = usize>) -> Row {
        let mut sums = self.bias;
        for input in inputs {
            for (sum, weight) in sums.iter_mut().zip(&self.rows[input]) {
                *sum += weight;
            }
        }
        sums
    }

    /// What each piece on the board is worth to the side to move: the value less what it would be
    /// without the piece. The king, without whom there is no position, is left out.
    pub fn worth(&self, position: &Position) -> impl Iterator<Item = (Square, i32)> {
        let all = self.sums(inputs(position));
        let side = position.side();
        let value = self.value(&all, side);
        let view = View::of(position.king());
        pieces(position)
            .filter(|&(piece, _)| piece != Piece::King)
            .map(move |(piece, square)| {
                let mut sums = all;
                let row = &self.rows[view.input(place(piece, square))];
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum -= weight;
                }
                (square, value - self.value(&sums, side))
            })
    }

    /// The value of a hidden layer for the side to move.
    #[inline(always)]
    fn value(&self, sums: &Row, side: Side) -> i32 {
        let head = &self.heads[side];
        let (zero, top) = (i16x8::splat(0), i16x8::splat(UNIT));
        let (sums, _) = sums.as_chunks::<8>();
        let (weights, _) = head.weights.as_chunks::<8>();
        let mut parts = i32x4::splat(0);
        for (units, weights) in sums.iter().zip(weights) {
            let clipped = i16x8::new(*units).max(zero).min(top);
            // At most 255 · 127, so that both factors of the second product fit sixteen bits: one
            // instruction multiplies them and adds pairs.
            parts += (clipped * i16x8::new(*weights)).dot(clipped);
        }
        let sum = parts.reduce_add();
        let unit = i32::from(UNIT);
        let whole = i64::from(sum / unit + head.bias) * i64::from(SCALE);
        flatten(whole / i64::from(unit * HEAD_UNIT))
    }
}

/// Up to this a value is told as it is.
const SURE: i64 = 800;

/// Beyond it, what so much would add adds one.
const FLATTENING: i64 = 2;

/// A value for the search. Whoever stands to win should look for the end, not for more of the same: where
/// men differ by hundreds, the search would leave out every move that does not gain as much.
#[inline(always)]
fn flatten(worth: i64) -> i32 {
    let over = (worth.abs() - SURE).max(0);
    let flat = worth.signum() * (worth.abs().min(SURE) + over / FLATTENING);
    flat.clamp((-value::MOST).into(), value::MOST.into()) as i32
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
