//! The root of a search: iterations, windows, several lines, and what is told about them.

use tablut_rules::{Game, Move, Position};

use crate::{
    Score, SearchLimits, Variation,
    order::MAX_PLY,
    path::Path,
    prover::Prover,
    score::value::{self, INFINITY},
    search::Searcher,
};

/// Nodes a check of a claimed win may visit.
const PROOF_BUDGET: u32 = 60_000;

/// A line found at the root with its unchecked value.
#[derive(Clone, Debug)]
struct Finding {
    value: i32,
    moves: Vec<Move>,
    score: Score,
}

/// The state of the root of one thread.
pub(crate) struct Root<'a, 'g> {
    pub(crate) searcher: Searcher<'a>,
    game: &'g Game,
    /// All legal moves; the best of the last iteration come first.
    moves: Vec<Move>,
    findings: Vec<Finding>,
    /// The last finished iteration.
    pub(crate) depth: u32,
    /// The claim that was last checked, and the result.
    checked: Option<(i32, Move, bool)>,
}

/// A line to be told: its number and itself.
pub(crate) type News<'n> = dyn FnMut(&Searcher<'_>, u32, usize, &Variation) + 'n;

impl<'a, 'g> Root<'a, 'g> {
    pub(crate) fn new(searcher: Searcher<'a>, game: &'g Game, mut moves: Vec<Move>) -> Self {
        // A win at once comes first: it must not be missed however small the limits.
        let position = game.position();
        let win = game.rules().scan(position).winning_move(position.side());
        moves.sort_by_key(|&step| Some(step) != win);
        Self {
            searcher,
            game,
            moves,
            findings: Vec::new(),
            depth: 0,
            checked: None,
        }
    }

    /// Searches deeper and deeper; `first` is the depth of the first iteration. Where nobody wants
    /// news, as of a helper, no claim is checked.
    pub(crate) fn deepen(
        &mut self,
        limits: &SearchLimits,
        first: u32,
        mut news: Option<&mut News<'_>>,
    ) {
        let last = limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 8);
        let wanted = limits.lines.clamp(1, self.moves.len());
        for depth in first.max(1)..=last.max(1) {
            self.searcher.root_depth = depth as i32;
            for index in 0..wanted {
                self.search_line(depth as i32, index);
                if self.searcher.is_stopped() {
                    return;
                }
            }
            self.depth = depth;
            // Later lines may turn out better than earlier ones.
            self.findings.sort_by_key(|finding| -finding.value);
            let order: Vec<Move> = self.findings.iter().map(|f| f.moves[0]).collect();
            self.moves.sort_by_key(|step| {
                order
                    .iter()
                    .position(|other| other == step)
                    .unwrap_or(usize::MAX)
            });
            if let Some(news) = &mut news {
                for index in 0..self.findings.len() {
                    let score = self.score_of(index);
                    self.findings[index].score = score;
                    let line = self.line(index);
                    news(&self.searcher, depth, index, &line);
                }
            }
            self.searcher.memory.pause.resume();
            if self.is_decided(depth, limits, wanted) {
                return;
            }
        }
    }

    /// Whether more depth would change nothing.
    fn is_decided(&self, depth: u32, limits: &SearchLimits, wanted: usize) -> bool {
        if self.moves.len() == 1 && limits.depth.is_none() && depth >= 4 {
            return true;
        }
        wanted == 1
            && match self.findings.first().map(|finding| finding.score) {
                Some(Score::Win(plies)) => depth >= plies,
                Some(Score::Loss(plies)) => depth >= plies + 2,
                _ => false,
            }
    }

    /// The line with a number as it can be told.
    pub(crate) fn line(&self, index: usize) -> Variation {
        let finding = &self.findings[index];
        Variation {
            score: finding.score,
            moves: finding.moves.clone(),
        }
    }

    /// All lines.
    pub(crate) fn lines(&self) -> Vec<Variation> {
        (0..self.findings.len())
            .map(|index| self.line(index))
            .collect()
    }

    /// Searches the best move besides those of earlier lines.
    fn search_line(&mut self, depth: i32, index: usize) {
        let before = self.findings.get(index).map(|finding| finding.value);
        let p = self.searcher.shared.parameters;
        let mut margin = p.window;
        let (mut alpha, mut beta) = match before {
            Some(value) if depth >= 4 && !value::is_decided(value) => {
                (value - margin, value + margin)
            }
            _ => (-INFINITY, INFINITY),
        };
        loop {
            let value = self.search_moves(alpha, beta, depth, index);
            if self.searcher.is_stopped() {
                return;
            }
            margin *= 3;
            if value <= alpha {
                alpha = (value - margin).max(-INFINITY);
            } else if value >= beta {
                beta = (value + margin).min(INFINITY);
            } else {
                return;
            }
            if margin > 400 {
                (alpha, beta) = (-INFINITY, INFINITY);
            }
        }
    }

    /// One pass over the moves of the root from the given line on.
    fn search_moves(&mut self, mut alpha: i32, beta: i32, depth: i32, index: usize) -> i32 {
        let position = *self.game.position();
        let rules = self.searcher.shared.rules;
        let mut best = -INFINITY;
        let low = alpha;
        for place in index..self.moves.len() {
            let step = self.moves[place];
            let applied = rules.apply_unchecked(&position, step);
            let value = match applied.end {
                Some(end) => {
                    self.searcher.lines.clear(1);
                    let wins = end.wins(position.side());
                    if wins { value::WIN - 1 } else { 1 - value::WIN }
                }
                None => {
                    self.searcher.path.push(applied.position.key());
                    let number = place - index;
                    let value =
                        self.try_move(&applied.position, step, (alpha, beta), depth, number);
                    self.searcher.path.pop();
                    value
                }
            };
            if self.searcher.is_stopped() {
                return best;
            }
            if value > best {
                best = value;
                if value > alpha {
                    self.searcher.lines.set(0, step);
                    self.keep(index, value, step);
                    // The best move comes first in the next pass.
                    self.moves[index..=place].rotate_right(1);
                    // Nothing beats a win with the next move.
                    if value >= beta || value >= value::WIN - 1 {
                        return value;
                    }
                    alpha = value;
                } else if place == index && low == alpha && self.findings.len() <= index {
                    self.keep(index, value, step);
                }
            }
        }
        best
    }

    fn try_move(
        &mut self,
        after: &Position,
        step: Move,
        (alpha, beta): (i32, i32),
        depth: i32,
        number: usize,
    ) -> i32 {
        let searcher = &mut self.searcher;
        let (to_go, last) = (depth - 1, Some(step));
        if number == 0 {
            return -searcher.visit::<true>(after, -beta, -alpha, to_go, 1, last, true);
        }
        let less = i32::from(depth >= 4 && number >= 6) + i32::from(depth >= 7 && number >= 20);
        let mut value =
            -searcher.visit::<false>(after, -alpha - 1, -alpha, to_go - less, 1, last, true);
        if value > alpha && less > 0 && !searcher.is_stopped() {
            value = -searcher.visit::<false>(after, -alpha - 1, -alpha, to_go, 1, last, true);
        }
        if value > alpha && !searcher.is_stopped() {
            value = -searcher.visit::<true>(after, -beta, -alpha, to_go, 1, last, true);
        }
        value
    }

    /// Keeps a line as the best with a number.
    fn keep(&mut self, index: usize, value: i32, step: Move) {
        let line = self.searcher.lines.get(0);
        let moves = match line.first() {
            Some(&first) if first == step => line.to_vec(),
            _ => vec![step],
        };
        // A claim that has been checked stays one when an iteration is not finished: a win within
        // so many plies is one even if a shorter one has been seen since.
        let score = match self.checked {
            Some((known, first, true))
                if index == 0
                    && first == step
                    && (known == value || known > 0 && known < value) =>
            {
                value::proved(known)
            }
            _ => value::unproved(value),
        };
        let finding = Finding {
            value,
            moves,
            score,
        };
        if index < self.findings.len() {
            self.findings[index] = finding;
        } else {
            self.findings.push(finding);
        }
    }

    /// The score of a line: a win or loss only if a check confirms it.
    fn score_of(&mut self, index: usize) -> Score {
        let (value, step) = (self.findings[index].value, self.findings[index].moves[0]);
        if !value::is_decided(value) {
            return value::unproved(value);
        }
        let proved = match self.checked {
            Some((known, first, result)) if (known, first) == (value, step) && index == 0 => result,
            _ => self.check(value, step, index),
        };
        if index == 0 {
            self.checked = Some((value, step, proved));
        }
        if proved {
            value::proved(value)
        } else {
            value::unproved(value)
        }
    }

    fn check(&self, value: i32, step: Move, index: usize) -> bool {
        let position = self.game.position();
        let shared = self.searcher.shared;
        let path = Path::new(self.game);
        let plies = value::plies(value);
        if value > 0 {
            Prover::new(shared, path, position.side(), PROOF_BUDGET)
                .wins_with(position, step, plies)
        } else if index == 0 {
            let winner = position.side().opponent();
            Prover::new(shared, path, winner, PROOF_BUDGET).loses(position, plies)
        } else {
            // Of later lines, only this move is said to lose.
            let winner = position.side().opponent();
            Prover::new(shared, path, winner, PROOF_BUDGET).loses_after(position, step, plies)
        }
    }
}
