//! What a position is worth without search, and why: for people.

use std::sync::Arc;

use tablut_engine::{Breakdown, Network, Score, Term, evaluate};
use tablut_rules::{BySide, Move, Position, Rules, Setup, Side, Square};

use crate::exchange::{self, ExchangeError};

/// What a position is worth, in hundredths of an attacking man.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Each side's points, term by term.
    pub terms: Vec<(Term, BySide<i32>)>,
    /// White's points less Black's.
    pub hand: i32,
    /// What the network says for White, if one ships for the rule set.
    pub network: Option<i32>,
    /// What each man is worth to its own side: what the number would lose without it. By the network if
    /// there is one, else by the terms.
    pub men: Vec<WeightedMan>,
}

/// A man and what it is worth to its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightedMan {
    /// Where it stands.
    pub square: Square,
    /// Whose it is.
    pub side: Side,
    /// Its worth in hundredths.
    pub worth: i32,
}

/// Weighs the position after some moves.
///
/// # Errors
/// Says why there is no such position.
pub fn weigh(rules: &Arc<Rules>, setup: &Setup, moves: &[Move]) -> Result<Weights, ExchangeError> {
    let game = exchange::play(rules, setup, moves)?;
    let position = game.position();
    let breakdown = evaluate(rules, position);
    let network = Network::serving(rules);
    let sign = |side: Side| if side == position.side() { 1 } else { -1 };
    let man = |square: Square, worth: i32| {
        let side = match position.men(Side::Attackers).contains(square) {
            true => Side::Attackers,
            false => Side::Defenders,
        };
        WeightedMan {
            square,
            side,
            worth: sign(side) * worth,
        }
    };
    let men = match &network {
        Some(network) => network.worth(position).map(|(s, w)| man(s, w)).collect(),
        None => by_hand(rules, position, &breakdown)
            .map(|(s, w)| man(s, w))
            .collect(),
    };
    let points = |term| BySide::from_fn(|side| breakdown.points(term, side));
    Ok(Weights {
        terms: Term::ALL.iter().map(|&term| (term, points(term))).collect(),
        hand: breakdown.sum(Side::Defenders) - breakdown.sum(Side::Attackers),
        network: network.map(|network| sign(Side::Defenders) * network.evaluate(position)),
        men,
    })
}

/// What each man is worth to the side to move by the terms alone. A man without whom there would be no
/// position is left out.
fn by_hand<'a>(
    rules: &'a Rules,
    position: &'a Position,
    breakdown: &Breakdown,
) -> impl Iterator<Item = (Square, i32)> + use<'a> {
    let units = |score: Score| match score {
        Score::Units(units) => units,
        Score::Win(_) | Score::Loss(_) => 0,
    };
    let whole = units(breakdown.score());
    let men = position.men(Side::Attackers) | position.men(Side::Defenders);
    men.iter().filter_map(move |square| {
        let mut without = Setup::from(position);
        without.put(square, None);
        let without = rules.position(&without).or_else(|e| e.playable()).ok()?;
        Some((square, whole - units(evaluate(rules, &without).score())))
    })
}
