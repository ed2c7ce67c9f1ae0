//! The root of a search: iterative deepening, aspiration windows, several lines, and what is told
//! about them.

use tablut_rules::{Game, Move, Position};

use crate::{
    Score, SearchLimits, Variation,
    claim::Claims,
    score::value,
    search::{MAX_PLY, Searcher, Window},
};

/// A variation found at the root with its unchecked value.
#[derive(Clone, Debug)]
struct RootVariation {
    value: i32,
    moves: Vec<Move>,
    score: Score,
}

/// The state of the root of one thread.
pub(crate) struct Root<'a> {
    pub(crate) searcher: Searcher<'a>,
    game: &'a Game,
    /// All legal moves; the best of the last iteration come first.
    moves: Vec<Move>,
    variations: Vec<RootVariation>,
    /// The last finished iteration.
    pub(crate) depth: u32,
    /// How the best move has developed over the iterations.
    trend: Trend,
    claims: Claims<'a>,
}

/// Is called with the depth, the number and the moves of each variation of a finished iteration.
pub(crate) type OnVariation<'n> = dyn FnMut(&Searcher<'_>, u32, usize, &Variation) + 'n;

impl<'a> Root<'a> {
    /// The root of a game that is not over.
    pub(crate) fn new(searcher: Searcher<'a>, game: &'a Game) -> Self {
        // A win at once comes first: it must not be missed however small the limits.
        let position = game.position();
        let mut moves = game.rules().moves(position).to_vec();
        let win = game.rules().scan(position).winning_move(position.side());
        moves.sort_by_key(|&step| Some(step) != win);
        Self {
            claims: Claims::new(searcher.context, game),
            searcher,
            game,
            moves,
            variations: Vec::new(),
            depth: 0,
            trend: Trend::default(),
        }
    }

    /// Searches deeper and deeper; `first` is the depth of the first iteration. Without a listener,
    /// as in a helper thread, no claim is checked.
    pub(crate) fn deepen(
        &mut self,
        limits: &SearchLimits,
        first: u32,
        mut on_variation: Option<&mut OnVariation<'_>>,
    ) {
        let last = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 8);
        let wanted = limits.lines.clamp(1, self.moves.len());
        for depth in first.max(1)..=last.max(1) {
            self.searcher.root_depth = depth as i32;
            let value = self.variations.first().map_or(0, |best| best.value);
            let side = self.game.position().side();
            self.searcher.settle_draws(side, value);
            for index in 0..wanted {
                self.search_variation(depth as i32, index);
                if self.searcher.is_stopped() {
                    return;
                }
            }
            self.depth = depth;
            self.sort();
            if let Some(on_variation) = &mut on_variation {
                self.tell(*on_variation);
            }
            self.searcher.thread.gap.resume();
            // Whoever listens may have heard enough; the next iteration may be over before the control is looked at.
            let is_stopped = self.searcher.context.control.is_stopped();
            if is_stopped || self.is_decided(depth, limits, wanted) || self.is_enough(limits) {
                return;
            }
        }
    }

    /// Whether enough time was spent, by how the best move has developed.
    fn is_enough(&mut self, limits: &SearchLimits) -> bool {
        let (Some(soft), Some(best)) = (limits.soft_time, self.variations.first()) else {
            return false;
        };
        self.trend.add(best.moves[0], best.value);
        self.searcher.context.begin.elapsed() >= soft * self.trend.share() / 100
    }

    /// Sorts variations and moves: later variations may turn out better than earlier ones.
    fn sort(&mut self) {
        self.variations.sort_by_key(|variation| -variation.value);
        let order: Vec<Move> = self.variations.iter().map(|v| v.moves[0]).collect();
        self.moves.sort_by_key(|step| {
            order
                .iter()
                .position(|other| other == step)
                .unwrap_or(usize::MAX)
        });
    }

    /// Tells all variations, with claims of wins and losses checked.
    fn tell(&mut self, on_variation: &mut OnVariation<'_>) {
        for index in 0..self.variations.len() {
            let variation = &self.variations[index];
            let (value, step) = (self.told(variation.value), variation.moves[0]);
            self.variations[index].score = self.claims.score(value, step, index);
            let told = self.variation(index);
            on_variation(&self.searcher, self.depth, index, &told);
        }
    }

    /// A value as it is told: a draw is one, however much a side dislikes it.
    fn told(&self, value: i32) -> i32 {
        let draw = self.searcher.draw_value(self.game.position().side());
        if value == draw { 0 } else { value }
    }

    /// Whether more depth would change nothing.
    fn is_decided(&self, depth: u32, limits: &SearchLimits, wanted: usize) -> bool {
        if self.moves.len() == 1 && limits.depth.is_none() && depth >= 4 {
            return true;
        }
        wanted == 1
            && match self.variations.first().map(|variation| variation.score) {
                Some(Score::Win(plies)) => depth >= plies,
                Some(Score::Loss(plies)) => depth >= plies + 2,
                _ => false,
            }
    }

    /// The variation with a number as it can be told.
    pub(crate) fn variation(&self, index: usize) -> Variation {
        let variation = &self.variations[index];
        Variation {
            score: variation.score,
            moves: variation.moves.clone(),
        }
    }

    /// All variations.
    pub(crate) fn variations(&self) -> Vec<Variation> {
        (0..self.variations.len())
            .map(|index| self.variation(index))
            .collect()
    }

    /// What the thread would play, after how many iterations; nothing if none was finished.
    pub(crate) fn ballot(&self) -> Option<Ballot> {
        let best = self.variations.first().filter(|_| self.depth > 0)?;
        Some(Ballot {
            depth: self.depth,
            value: best.value,
            moves: best.moves.clone(),
        })
    }

    /// Takes the move that most threads are for: deep searches and good values count more. What is
    /// decided here stays, since only this thread checks what it claims.
    pub(crate) fn vote(&mut self, mut ballots: Vec<Ballot>) {
        let Some(own) = self.ballot().filter(|own| !value::is_decided(own.value)) else {
            return;
        };
        ballots.retain(|ballot| !value::is_decided(ballot.value));
        ballots.push(own);
        let worst = ballots.iter().map(|ballot| ballot.value).min().unwrap_or(0);
        let weight =
            |ballot: &Ballot| i64::from(ballot.value - worst + 20) * i64::from(ballot.depth);
        let votes = |step: Move| -> i64 {
            let same = ballots.iter().filter(|ballot| ballot.moves[0] == step);
            same.map(weight).sum()
        };
        // Of ballots for the same move the deepest; of equal ones the last, which is our own.
        let chosen = ballots
            .iter()
            .max_by_key(|ballot| (votes(ballot.moves[0]), ballot.depth))
            .expect("our own is among them");
        if chosen.moves[0] != self.variations[0].moves[0] {
            self.variations[0] = RootVariation {
                value: chosen.value,
                moves: chosen.moves.clone(),
                score: value::unproved(self.told(chosen.value)),
            };
        }
    }

    /// Searches the best move besides those of earlier variations, with an aspiration window around
    /// its last value.
    fn search_variation(&mut self, depth: i32, index: usize) {
        let before = self.variations.get(index).map(|variation| variation.value);
        let p = self.searcher.context.parameters;
        let mut margin = p.window;
        let mut window = match before {
            Some(value) if depth >= 4 && !value::is_decided(value) => {
                Window::new(value - margin, value + margin)
            }
            _ => Window::FULL,
        };
        loop {
            let value = self.search_moves(window, depth, index);
            if self.searcher.is_stopped() {
                return;
            }
            margin *= p.window_growth.max(2);
            if value <= window.alpha {
                window.alpha = (value - margin).max(Window::FULL.alpha);
            } else if value >= window.beta {
                window.beta = (value + margin).min(Window::FULL.beta);
            } else {
                return;
            }
            if margin > p.window_most {
                window = Window::FULL;
            }
        }
    }

    /// One pass over the moves of the root from the given variation on.
    fn search_moves(&mut self, mut window: Window, depth: i32, index: usize) -> i32 {
        let position = *self.game.position();
        let rules = self.searcher.context.rules;
        let mut best = -value::INFINITY;
        let low = window.alpha;
        for place in index..self.moves.len() {
            let step = self.moves[place];
            let applied = rules.apply_unchecked(&position, step);
            let number = place - index;
            let value = self.searcher.make(step, &applied, 0, |searcher, after| {
                search_child(searcher, after, window, depth, number)
            });
            if self.searcher.is_stopped() {
                return best;
            }
            if value > best {
                best = value;
                if value > window.alpha {
                    self.searcher.variations.set(0, step);
                    self.keep(index, value, step);
                    // The best move comes first in the next pass.
                    self.moves[index..=place].rotate_right(1);
                    // Nothing beats a win with the next move.
                    if value >= window.beta || value >= value::WIN - 1 {
                        return value;
                    }
                    window.alpha = value;
                } else if place == index && low == window.alpha && self.variations.len() <= index {
                    self.keep(index, value, step);
                }
            }
        }
        best
    }

    /// Keeps a variation as the best with a number.
    fn keep(&mut self, index: usize, value: i32, step: Move) {
        let line = self.searcher.variations.get(0);
        let moves = match line.first() {
            Some(&first) if first == step => line.to_vec(),
            _ => vec![step],
        };
        let score = match index {
            0 => self.claims.known_score(self.told(value), step),
            _ => value::unproved(self.told(value)),
        };
        let variation = RootVariation {
            value,
            moves,
            score,
        };
        if index < self.variations.len() {
            self.variations[index] = variation;
        } else {
            self.variations.push(variation);
        }
    }
}

/// What one of several threads would play.
#[derive(Clone, Debug)]
pub(crate) struct Ballot {
    depth: u32,
    value: i32,
    moves: Vec<Move>,
}

/// How the best move has developed over the iterations.
#[derive(Default)]
struct Trend {
    best: Option<(Move, i32)>,
    /// Iterations since it changed.
    stable: usize,
    /// By how much its value fell with the last iteration.
    fall: i32,
}

impl Trend {
    fn add(&mut self, step: Move, value: i32) {
        let before = self.best.replace((step, value));
        let is_same = before.is_some_and(|(last, _)| last == step);
        self.stable = if is_same { self.stable + 1 } else { 0 };
        self.fall = before.map_or(0, |(_, last)| last - value);
    }

    /// The share of the usual time to spend, in per cent.
    fn share(&self) -> u32 {
        let calm = [150, 120, 100, 85, 75, 65, 55];
        let share = calm[self.stable.min(calm.len() - 1)];
        share + if self.fall > 40 { 50 } else { 0 }
    }
}

/// The value of a move of the root; `number` counts the moves of the pass before it.
fn search_child(
    searcher: &mut Searcher<'_>,
    after: &Position,
    window: Window,
    depth: i32,
    number: usize,
) -> i32 {
    if number == 0 {
        return -searcher.visit::<true>(after, window.flipped(), depth - 1, 1);
    }
    let p = searcher.context.parameters;
    let late = |least: i32, after: i32| depth >= least && number >= after.max(1) as usize;
    searcher.thread.stack[1].reduction =
        i32::from(late(p.root_reduction_depth, p.root_reduction_after))
            + i32::from(late(p.root_reduction_depth_2, p.root_reduction_after_2));
    searcher.scout::<true>(after, window, depth - 1, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calm_search_ends_early_and_a_troubled_one_late() {
        let (one, other): (Move, Move) = ("e4f4".parse().unwrap(), "e4d4".parse().unwrap());
        let mut trend = Trend::default();
        trend.add(one, 10);
        assert!(trend.share() > 100, "the first move is new");
        for _ in 0..9 {
            trend.add(one, 12);
        }
        let calm = trend.share();
        assert!(calm < 80);
        trend.add(one, -60);
        assert!(trend.share() > calm, "its value fell");
        trend.add(other, 0);
        assert!(trend.share() > 100, "another move is best");
    }
}
