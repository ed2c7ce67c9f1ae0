//! Where two rule sets differ: which parameters, and positions that prove it.

use alloc::{format, string::String, string::ToString, vec::Vec};

use super::{RuleSet, field::FIELDS};
use crate::{
    Bitboard, Direction, End, Move, Piece, Position, Rules, Setup, Side, Square, Verdict,
    random::Random,
};

/// A parameter that two rule sets fill differently.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// The key in the text form, such as `king.elsewhere`.
    pub key: &'static str,
    /// The value in the first set, as TOML.
    pub first: String,
    /// The value in the second set, as TOML.
    pub second: String,
}

/// A position and a move that has different results under two rule sets.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Witness {
    /// The keys of the parameters that make the difference, each by itself.
    pub keys: Vec<&'static str>,
    /// The position, sound under both sets.
    pub setup: Setup,
    /// The move.
    pub step: Move,
    /// What happens under the first and under the second set.
    pub verdicts: [Verdict; 2],
}

impl RuleSet {
    /// The keys of the parameters that change play, in the order of the text form.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        let matters = FIELDS.iter().filter(|field| field.matters);
        matters.map(|field| field.key)
    }

    /// The parameters that change play and differ between two sets.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Parameter> {
        let text = |set: &Self, write: fn(&Self) -> Option<super::value::TomlValue>| {
            write(set).map_or_else(|| "false".to_string(), |value| format!("{value}"))
        };
        FIELDS
            .iter()
            .filter(|field| field.matters)
            .map(|field| Parameter {
                key: field.key,
                first: text(self, field.write),
                second: text(other, field.write),
            })
            .filter(|parameter| parameter.first != parameter.second)
            .collect()
    }

    /// This set with one parameter of another, and those that make no sense without it.
    fn with_parameter(&self, key: &str, other: &Self) -> Option<Self> {
        let mut set = self.with_field(key, other)?;
        if key == "camps" {
            set = set.with_field("hostile.camp_not_to_attackers", other)?;
        }
        Some(set)
    }

    fn with_field(&self, key: &str, other: &Self) -> Option<Self> {
        let field = FIELDS.iter().find(|field| field.key == key)?;
        let mut set = self.clone();
        match (field.write)(other) {
            Some(value) => field.read(&mut set, &value).is_empty().then_some(set),
            // Only mistakes of the referee need not be written: this set makes it, the other not.
            None => {
                let off = super::value::TomlKind::Flag(false).into();
                field.read(&mut set, &off).is_empty().then_some(set)
            }
        }
    }
}

/// The quick form of a verdict: what is compared.
type MoveResult = Option<(Bitboard, Option<End>)>;

fn result(rules: &Rules, position: &Position, step: Move) -> MoveResult {
    rules.is_legal(position, step).then(|| {
        let applied = rules.apply_unchecked(position, step);
        (applied.captured, applied.end)
    })
}

/// A parameter that may make a difference, changed by itself in either set.
struct LoneChange {
    key: &'static str,
    /// Per set: its tables with only that parameter from the other, where this makes a sound set
    /// and changes what moves do.
    changed: [Option<Rules>; 2],
}

/// A search for positions that prove how two rule sets differ.
///
/// It draws random positions that are sound under both sets, tries all moves, and finds for each
/// differing parameter a move that has different results, and another result under one of the sets
/// when only that parameter is changed. Pieces that do not matter are then taken off the board.
pub struct WitnessSearch<'r> {
    rules: [&'r Rules; 2],
    /// The parameters still without a witness.
    open: Vec<LoneChange>,
    /// The parameters that no single move can show.
    silent: Vec<&'static str>,
    random: Random,
}

impl<'r> WitnessSearch<'r> {
    /// A search over two rule sets; the same seed finds the same witnesses.
    #[must_use]
    pub fn new(first: &'r Rules, second: &'r Rules, seed: u64) -> Self {
        let (a, b) = (first.set(), second.set());
        let (mut open, mut silent) = (Vec::new(), Vec::new());
        for Parameter { key, .. } in a.differences(b) {
            let change = |set: &RuleSet, other: &RuleSet, rules: &Rules| {
                let changed = set.with_parameter(key, other)?.compile().ok()?;
                (!changed.moves_alike(rules)).then_some(changed)
            };
            let changed = [change(a, b, first), change(b, a, second)];
            if changed.iter().all(Option::is_none) {
                // Who moves first, for instance, or what a repetition means.
                silent.push(key);
            } else {
                open.push(LoneChange { key, changed });
            }
        }
        Self {
            rules: [first, second],
            open,
            silent,
            random: Random::new(seed),
        }
    }

    /// The parameters that no single move can show, such as who moves first.
    #[must_use]
    pub fn silent(&self) -> &[&'static str] {
        &self.silent
    }

    /// The parameters for which no position has been found yet.
    pub fn open(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.open.iter().map(|change| change.key)
    }

    /// Looks at a number of random positions and returns what they prove.
    pub fn run(&mut self, positions: usize) -> Vec<Witness> {
        let mut witnesses = Vec::new();
        if self.rules[0].size() != self.rules[1].size() {
            return witnesses;
        }
        for _ in 0..positions {
            if self.open.is_empty() {
                break;
            }
            let setup = self.draw();
            if self.places(&setup).is_some() {
                self.examine(&setup, &mut witnesses);
            }
        }
        let place = |w: &Witness| FIELDS.iter().position(|field| w.keys.contains(&field.key));
        witnesses.sort_by_key(place);
        witnesses
    }

    /// The set-up as a position under both sets, if it is sound under both.
    fn places(&self, setup: &Setup) -> Option<[Position; 2]> {
        let [first, second] = self.rules;
        Some([first.position(setup).ok()?, second.position(setup).ok()?])
    }

    /// Tries all moves of a set-up and keeps what they prove.
    fn examine(&mut self, setup: &Setup, witnesses: &mut Vec<Witness>) {
        for from in setup.of_side(setup.side()) {
            let [first, second] = self.rules;
            for to in first.view(setup).targets(from) | second.view(setup).targets(from) {
                let step = Move::new(from, to);
                let proved = (0..self.open.len())
                    .rev()
                    .filter(|&n| self.proves(n, setup, step))
                    .collect::<Vec<_>>();
                for n in proved {
                    let setup = self.reduce(n, *setup, step);
                    let LoneChange { key, .. } = self.open.remove(n);
                    let same = |w: &&mut Witness| w.setup == setup && w.step == step;
                    if let Some(witness) = witnesses.iter_mut().find(same) {
                        witness.keys.insert(0, key);
                        continue;
                    }
                    let Some(places) = self.places(&setup) else {
                        continue;
                    };
                    witnesses.push(Witness {
                        keys: alloc::vec![key],
                        setup,
                        step,
                        verdicts: [
                            first.verdict(&places[0], step),
                            second.verdict(&places[1], step),
                        ],
                    });
                }
            }
        }
    }

    /// Whether a move has another result under the second set, and a parameter alone changes it too.
    fn proves(&self, open: usize, setup: &Setup, step: Move) -> bool {
        let Some(places) = self.places(setup) else {
            return false;
        };
        let first = result(self.rules[0], &places[0], step);
        let second = result(self.rules[1], &places[1], step);
        if first == second {
            return false;
        }
        let changes = self.open[open].changed.iter().zip([first, second]);
        changes
            .filter_map(|(changed, unchanged)| Some((changed.as_ref()?, unchanged)))
            .any(|(changed, unchanged)| {
                let position = changed.position(setup);
                position.is_ok_and(|position| result(changed, &position, step) != unchanged)
            })
    }

    /// Takes off every piece that the proof does not need.
    fn reduce(&self, open: usize, mut setup: Setup, step: Move) -> Setup {
        for square in setup.occupied() {
            let mut fewer = setup;
            fewer.put(square, None);
            if square != step.from() && self.proves(open, &fewer, step) {
                setup = fewer;
            }
        }
        setup
    }

    /// A random set-up: a king, and men of both sides, most of them near him or the castle.
    fn draw(&mut self) -> Setup {
        let rules = self.rules[0];
        let board: Vec<Square> = rules.size().squares().iter().collect();
        let side = self.random.pick(&Side::ALL);
        let mut setup = Setup::empty(rules.size(), side);
        let king = if self.random.below(3) == 0 {
            rules.castle()
        } else {
            self.random.pick(&board)
        };
        setup.put(king, Some(Piece::King));
        let men = 2 + self.random.below(10);
        for _ in 0..men {
            let centre = match self.random.below(3) {
                0 => king,
                1 => rules.castle(),
                _ => self.random.pick(&board),
            };
            let square = (0..self.random.below(4)).fold(centre, |square, _| {
                let direction = self.random.pick(&Direction::ALL);
                square.step(direction).unwrap_or(square)
            });
            if setup.piece_at(square).is_none() && rules.size().squares().contains(square) {
                let piece = self
                    .random
                    .pick(&[Piece::Attacker, Piece::Attacker, Piece::Defender]);
                setup.put(square, Some(piece));
            }
        }
        setup
    }
}
