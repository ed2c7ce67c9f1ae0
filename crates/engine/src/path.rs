//! The line of positions from the start of the game to the node being searched, and what the laws
//! make of its end.
//!
//! [`History`] judges; this adds what makes it quick enough for every node. Besides an outcome it
//! tells how far back the outcome reaches: a value that depends on positions before a node is not a
//! value of that node's position alone, and is not kept in the transposition table.

use tablut_rules::{Game, History, Judgement, Laws, Position, Rules};

/// Counters of keys: a key whose counter is zero has not occurred.
const COUNTERS: usize = 4096;

/// The earliest ply a value depends on: none.
pub(crate) const FREE: usize = usize::MAX;

/// The history of a game and of the line being searched.
pub(crate) struct Path {
    history: History,
    /// How many keys of the history share a counter.
    counters: Box<[u8; COUNTERS]>,
    laws: Laws,
    /// The laws without the one about repetition, for positions that have not occurred before.
    limits: Laws,
}

impl Path {
    /// The path of a game up to its present position.
    pub(crate) fn new(game: &Game) -> Self {
        let laws = *game.laws();
        let mut limits = laws;
        limits.repetition = None;
        let mut path = Self {
            history: History::new(game.start()),
            counters: Box::new([0; COUNTERS]),
            laws,
            limits,
        };
        path.counters[Self::counter(game.start().key())] = 1;
        for ply in game.plies() {
            path.push(&ply.position);
        }
        path
    }

    const fn counter(key: u64) -> usize {
        key as usize % COUNTERS
    }

    /// The ply of the present position: how many moves were made in game and line.
    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        self.history.plies()
    }

    /// Adds the position after a move.
    #[inline(always)]
    pub(crate) fn push(&mut self, position: &Position) {
        let counter = &mut self.counters[Self::counter(position.key())];
        *counter = counter.saturating_add(1);
        self.history.push(position);
    }

    /// Takes the last position back.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.history.pop() {
            let counter = &mut self.counters[Self::counter(key)];
            // A counter that was at its largest value once stays there: that only costs time.
            if *counter < u8::MAX {
                *counter -= 1;
            }
        }
    }

    /// How the present position, just reached, ends the game by a law above the board. A side
    /// without moves is noticed only where a limit is reached, since it comes before limits.
    #[inline(always)]
    pub(crate) fn judge(&self, rules: &Rules, position: &Position) -> Option<Judgement> {
        if !self.may_repeat(position) && !self.laws.is_limited() {
            return None;
        }
        self.judge_closely(rules, position)
    }

    #[inline(never)]
    fn judge_closely(&self, rules: &Rules, position: &Position) -> Option<Judgement> {
        self.judge_with(
            position,
            |_| true,
            |over| over && !rules.has_moves(position),
        )
    }

    /// As [`History::judge`], with its questions: which earlier plies count as occurrences, and
    /// whether the side to move is without a move.
    pub(crate) fn judge_with(
        &self,
        position: &Position,
        counts: impl Fn(usize) -> bool,
        is_stuck: impl FnOnce(bool) -> bool,
    ) -> Option<Judgement> {
        let laws = if self.may_repeat(position) {
            &self.laws
        } else {
            &self.limits
        };
        self.history.judge(laws, position, counts, is_stuck)
    }

    /// Whether the present position may have occurred before.
    #[inline(always)]
    fn may_repeat(&self, position: &Position) -> bool {
        self.counters[Self::counter(position.key())] > 1
    }

    /// Whether a limit could end the game within a number of plies.
    #[inline(always)]
    pub(crate) fn is_near_limit(&self, position: &Position, plies: i32) -> bool {
        self.laws.is_limited() && self.limit_within(position, plies)
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
                    path.push(&applied.position);
                    if applied.end.is_some() {
                        break;
                    }
                    let judged = path
                        .judge(&rules, game.position())
                        .map(|judgement| judgement.outcome);
                    assert_eq!(judged, game.outcome(), "{set} {seed}");
                    ends += u32::from(judged.is_some());
                }
            }
        }
        assert!(ends > 300, "{ends}");
    }
}
