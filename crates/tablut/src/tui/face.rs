//! What a board shows: pieces, and what is marked on it.

use tablut_rules::{Bitboard, Move, Rules, Setup, Square};

use super::theme::{Ground, Promise, Shade};

/// A square a picked piece can go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub(crate) to: Square,
    pub(crate) promise: Promise,
    /// What would be captured.
    pub(crate) captured: Bitboard,
}

/// What a board shows.
#[derive(Clone, Debug)]
pub(crate) struct Face<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) setup: Setup,
    pub(crate) cursor: Option<Square>,
    pub(crate) picked: Option<Square>,
    pub(crate) targets: Vec<Target>,
    pub(crate) last: Option<Move>,
    pub(crate) hint: Option<Move>,
    /// Squares of the king's ways out.
    pub(crate) lanes: Bitboard,
}

impl Face<'_> {
    /// What a square is.
    pub(crate) fn ground(&self, square: Square) -> Ground {
        if square == self.rules.castle() {
            Ground::Castle
        } else if self.rules.camps().contains(square) {
            Ground::Camp
        } else if self.rules.escapes().contains(square) {
            Ground::Escape
        } else {
            Ground::Plain
        }
    }

    /// What a move to a square would do.
    pub(crate) fn promise(&self, square: Square) -> Option<Promise> {
        let target = self.targets.iter().find(|target| target.to == square);
        target.map(|target| target.promise)
    }

    /// Why a square has its background; what matters most comes first.
    pub(crate) fn shade(&self, square: Square) -> Shade {
        let of = |step: Option<Move>| {
            step.is_some_and(|step| step.from() == square || step.to() == square)
        };
        let aimed = self
            .targets
            .iter()
            .find(|target| Some(target.to) == self.cursor);
        if self.cursor == Some(square) {
            Shade::Cursor
        } else if self.picked == Some(square) {
            Shade::Picked
        } else if aimed.is_some_and(|target| target.captured.contains(square)) {
            Shade::Prey
        } else if of(self.hint) {
            Shade::Hint
        } else if of(self.last) {
            Shade::Last
        } else if self.lanes.contains(square) {
            Shade::Lane
        } else {
            Shade::Ground(self.ground(square))
        }
    }
}

/// Where a piece can go, and what that would do, whoever is to move.
pub(crate) fn targets(rules: &Rules, setup: &Setup, from: Square) -> Vec<Target> {
    let target = |to: Square| {
        let preview = rules.view(setup).preview(Move::new(from, to))?;
        Some(Target {
            to,
            promise: match (preview.end, preview.captured.is_empty()) {
                (Some(_), _) => Promise::Win,
                (None, false) => Promise::Capture,
                (None, true) => Promise::Move,
            },
            captured: preview.captured,
        })
    };
    rules
        .view(setup)
        .targets(from)
        .iter()
        .filter_map(target)
        .collect()
}
