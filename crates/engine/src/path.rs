//! The way from the game's first position to the one being searched, and what its laws make of it.
//!
//! The judgement is that of [`tablut_rules::History`] by keys; a test compares both. Besides the
//! outcome it tells how far back the outcome reaches: a value that depends on positions before a
//! node is not a value of that node's position alone, and is not kept in the table.

use tablut_rules::{Game, Laws, Outcome, Position, Rules, Side, StartCounts};

/// Slots that tell at once that a key has not occurred.
const SLOTS: usize = 4096;

/// The earliest ply a value depends on: none.
pub(crate) const FREE: usize = usize::MAX;

/// The keys of a game and of the line being searched.
pub(crate) struct Path {
    keys: Vec<u64>,
    /// How many keys fall into a slot.
    seen: Box<[u8; SLOTS]>,
    /// Positions before this one are not compared: a null move lies between.
    floor: usize,
    laws: Laws,
    needed: u32,
    first: Side,
}

impl Path {
    /// The path of a game up to its present position.
    pub(crate) fn new(game: &Game) -> Self {
        let laws = *game.laws();
        let mut path = Self {
            keys: Vec::with_capacity(game.plies().len() + 512),
            seen: Box::new([0; SLOTS]),
            floor: usize::from(laws.start_counts == StartCounts::No),
            laws,
            needed: laws.repetition.map_or(u32::MAX, |law| law.occurrence),
            first: game.start().side(),
        };
        path.push(game.start().key());
        for ply in game.plies() {
            path.push(ply.position.key());
        }
        path
    }

    /// The number of the present position: how many moves were made.
    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        self.keys.len() - 1
    }

    /// Whether limits of moves are in force.
    pub(crate) fn is_limited(&self) -> bool {
        self.laws.captureless_limit.is_some() || self.laws.move_limit.is_some()
    }

    /// Adds the position after a move.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        let slot = &mut self.seen[key as usize % SLOTS];
        *slot = slot.saturating_add(1);
        self.keys.push(key);
    }

    /// Takes the last position back.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let slot = &mut self.seen[key as usize % SLOTS];
            // A slot that was full once stays full: it only costs time.
            if *slot < u8::MAX {
                *slot -= 1;
            }
        }
    }

    /// Positions before the present one are no longer compared; gives what to restore.
    pub(crate) fn raise_floor(&mut self) -> usize {
        let present = self.index();
        std::mem::replace(&mut self.floor, present)
    }

    /// Restores what [`Path::raise_floor`] gave.
    pub(crate) fn restore_floor(&mut self, floor: usize) {
        self.floor = floor;
    }

    /// How the present position, just arrived at, ends the game by a law above the board, and the
    /// earliest position that says so. A side without moves is not looked at.
    #[inline]
    pub(crate) fn judge(&self, rules: &Rules, position: &Position) -> Option<(Outcome, usize)> {
        if self.seen[position.key() as usize % SLOTS] > 1
            && let Some(ended) = self.judge_repetition(position)
        {
            return Some(ended);
        }
        if self.is_limited() {
            return self.judge_limits(rules, position);
        }
        None
    }

    #[inline(never)]
    fn judge_repetition(&self, position: &Position) -> Option<(Outcome, usize)> {
        let present = self.index();
        let since_capture = match position.quiet() {
            u16::MAX => usize::MAX,
            quiet => usize::from(quiet),
        };
        let remembered = self.laws.memory.map_or(usize::MAX, |n| n as usize + 1);
        let oldest = present
            .saturating_sub(since_capture.min(remembered))
            .max(self.floor);
        let mut occurrence = 1;
        let mut index = present;
        // The same side is to move every second ply.
        while index >= oldest + 2 {
            index -= 2;
            if self.keys[index] == position.key() {
                occurrence += 1;
                if occurrence >= self.needed {
                    let mover = position.side().opponent();
                    let outcome = self.laws.repeated(mover, occurrence)?;
                    return Some((outcome, index));
                }
            }
        }
        None
    }

    #[cold]
    fn judge_limits(&self, rules: &Rules, position: &Position) -> Option<(Outcome, usize)> {
        let side = position.side();
        let ended = if let Some(outcome) = self.laws.captureless(position.quiet()) {
            let since = self.index().saturating_sub(usize::from(position.quiet()));
            (outcome, since)
        } else {
            (self.laws.out_of_moves(side, self.made_by(side))?, 0)
        };
        // A side without moves ends the game before a limit does.
        match self.laws.without_move(side) {
            Some(outcome) if !rules.has_moves(position) => Some((outcome, FREE)),
            _ => Some(ended),
        }
    }

    fn made_by(&self, side: Side) -> u32 {
        let plies = self.index() as u32;
        if side == self.first {
            plies.div_ceil(2)
        } else {
            plies / 2
        }
    }

    /// Whether a limit could end the game within so many plies.
    #[inline(always)]
    pub(crate) fn is_near_limit(&self, position: &Position, plies: i32) -> bool {
        self.is_limited() && self.limit_within(position, plies)
    }

    #[cold]
    fn limit_within(&self, position: &Position, plies: i32) -> bool {
        let plies = plies.max(0) as u32;
        let quiet = u32::from(position.quiet()) + plies;
        let made = self.index() as u32 / 2 + plies;
        self.laws.captureless_limit.is_some_and(|n| quiet >= n)
            || self.laws.move_limit.is_some_and(|n| made >= n)
    }

    /// The laws in force.
    pub(crate) const fn laws(&self) -> &Laws {
        &self.laws
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablut_rules::{BuiltIn, Random};

    #[test]
    fn the_path_judges_as_the_game_does() {
        let mut ends = 0;
        for set in BuiltIn::LISTED {
            let rules = set.rules();
            for seed in 0..200 {
                let mut random = Random::new(seed);
                let mut laws = rules.laws();
                match seed % 4 {
                    1 => laws.captureless_limit = Some(9),
                    2 => laws.move_limit = Some(12),
                    3 => laws = laws.challenge(),
                    _ => {}
                }
                let mut game = Game::from_position(rules.clone(), rules.start(), laws);
                let mut path = Path::new(&game);
                while game.outcome().is_none() && game.plies().len() < 60 {
                    // Few different moves, so that positions repeat.
                    let moves = rules.moves(game.position());
                    let back = game.plies().iter().rev().nth(1).map(|ply| ply.step);
                    let back = back.map(|m| tablut_rules::Move::new(m.to(), m.from()));
                    let step = match back {
                        Some(back) if random.below(3) > 0 && moves.contains(&back) => back,
                        _ => moves[random.below(moves.len())],
                    };
                    let applied = game.play(step).unwrap();
                    path.push(applied.position.key());
                    if applied.end.is_some() {
                        break;
                    }
                    let judged = path
                        .judge(&rules, game.position())
                        .map(|(outcome, _)| outcome);
                    assert_eq!(judged, game.outcome(), "{set} {seed}");
                    ends += u32::from(judged.is_some());
                }
            }
        }
        assert!(ends > 300, "{ends}");
    }
}
