//! Positions for tasks: looked for among many, and kept only if the task can be done in them and can be
//! missed.

use std::sync::Arc;

use tablut_rules::{Bitboard, Direction, Game, Move, Piece, Random, Rules, Setup, Side, Square};

use crate::{Step, StepTopic, Task};

/// How many places of the king are tried for a sketch.
const KINGS: usize = 12;

/// A workshop for the positions of one rule set.
pub(crate) struct Scenes<'a> {
    pub(crate) rules: &'a Arc<Rules>,
    /// Squares of the board, those near its middle first.
    pub(crate) squares: Vec<Square>,
}

/// Some pieces that a task needs.
#[derive(Clone)]
pub(crate) struct Sketch {
    pub(crate) pieces: Vec<(Square, Piece)>,
    /// Squares that must stay empty.
    pub(crate) empty: Bitboard,
    pub(crate) side: Side,
}

impl<'a> Scenes<'a> {
    pub(crate) fn new(rules: &'a Arc<Rules>) -> Self {
        let middle = i32::from(rules.size().rows()) / 2;
        let mut squares: Vec<Square> = rules.size().squares().iter().collect();
        squares.sort_by_key(|square| {
            let distance = |place: u8| (i32::from(place) - middle).abs();
            (distance(square.column()) + distance(square.row()), *square)
        });
        Self { rules, squares }
    }

    /// Squares without any special rule that men of both sides may stand on, away from the edge.
    pub(crate) fn plain(&self) -> Bitboard {
        let set = self.rules.set();
        let special = set.camp_squares().with(set.castle()) | self.rules.goals();
        set.size().squares() & !set.size().edge() & !special
    }

    /// Squares in an order, those of a set only.
    pub(crate) fn those_of(&self, set: Bitboard) -> impl Iterator<Item = Square> + '_ {
        self.squares
            .iter()
            .copied()
            .filter(move |&square| set.contains(square))
    }

    /// The step of a sketch, with a king and a man of each side where they are not in the way, if the
    /// task can be done there and can be missed.
    pub(crate) fn step(&self, topic: StepTopic, sketch: &Sketch, task: Task) -> Option<Step> {
        let size = self.rules.size();
        let mut setup = Setup::empty(size, sketch.side);
        for &(square, piece) in &sketch.pieces {
            if !size.squares().contains(square) || setup.piece_at(square).is_some() {
                return None;
            }
            setup.put(square, Some(piece));
        }
        let mut near = sketch.empty;
        for &(square, _) in &sketch.pieces {
            near |= Bitboard::beside(square).with(square);
        }
        let (with_king, free) = match setup.pieces(Piece::King).is_empty() {
            true => (self.with_king(setup, near), near),
            false => (vec![setup], near),
        };
        let setups = with_king.into_iter();
        let mut setups: Vec<Setup> = setups
            .map(|setup| self.with_bystanders(setup, free))
            .collect();
        // Who can win at once would rather do that than the task.
        setups.sort_by_key(|setup| self.can_win(setup));
        setups
            .into_iter()
            .take(KINGS)
            .find_map(|setup| self.good(topic, setup, Vec::new(), task))
    }

    /// Whether the side to move can win at once.
    fn can_win(&self, setup: &Setup) -> bool {
        self.rules.position(setup).is_ok_and(|position| {
            self.rules
                .scan(&position)
                .winning_move(position.side())
                .is_some()
        })
    }

    /// A set-up with the king wherever he is away from other pieces: the castle first.
    fn with_king(&self, setup: Setup, near: Bitboard) -> Vec<Setup> {
        let castle = self.rules.castle();
        let places = [castle]
            .into_iter()
            .chain(self.squares.iter().rev().copied());
        places
            .filter(|&square| !near.contains(square) && setup.piece_at(square).is_none())
            .map(|square| {
                let mut setup = setup;
                setup.put(square, Some(Piece::King));
                setup
            })
            .filter(|setup| self.rules.position(setup).is_ok())
            .collect()
    }

    /// A set-up with a man of each side more, so that nobody is without a move.
    fn with_bystanders(&self, mut setup: Setup, near: Bitboard) -> Setup {
        let plain = self.plain();
        for piece in [Piece::Attacker, Piece::Defender] {
            let square = self.squares.iter().rev().copied().find(|&square| {
                let around = Bitboard::beside(square).with(square);
                plain.contains(square)
                    && !near.contains(square)
                    && around.is_disjoint(setup.occupied())
            });
            if let Some(square) = square
                && setup.pieces(piece).len() < 2
            {
                setup.put(square, Some(piece));
            }
        }
        setup
    }

    /// A step, if its position is sound, its task can be done there, and can be missed.
    pub(crate) fn good(
        &self,
        topic: StepTopic,
        start: Setup,
        history: Vec<Move>,
        task: Task,
    ) -> Option<Step> {
        let step = Step {
            topic,
            start,
            history,
            task,
            told: Vec::new(),
        };
        let game = step.game(self.rules)?;
        if game.outcome().is_some() {
            return None;
        }
        let moves = game.legal_moves();
        let right = moves
            .iter()
            .filter(|&&one| task.judge(&game, 0, one).is_right())
            .count();
        let is_good = match task {
            Task::Any => right > 0,
            // Most moves do not repeat.
            Task::Vary => right > 0 && right < moves.len(),
            _ => right > 0 && right * 3 <= moves.len().max(3) && right < moves.len(),
        };
        (is_good && step.solution(self.rules).is_some()).then_some(step)
    }

    /// Squares from which a piece that stands there alone among these pieces can go to a square, the
    /// nearest first, but none beside it if there is another.
    pub(crate) fn sources(
        &self,
        pieces: &[(Square, Piece)],
        piece: Piece,
        to: Square,
    ) -> Vec<Square> {
        let mut setup = Setup::empty(self.rules.size(), piece.side());
        for &(square, other) in pieces {
            setup.put(square, Some(other));
        }
        let ground = self.rules.ground(piece) & !setup.occupied();
        let mut found: Vec<Square> = ground
            .iter()
            .filter(|&from| {
                let mut setup = setup;
                setup.put(from, Some(piece));
                self.rules.view(&setup).targets(from).contains(to)
            })
            .collect();
        found.sort_by_key(|&from| {
            let distance = from.between(to).count();
            (distance == 0, distance.abs_diff(2), from)
        });
        found
    }

    /// Random positions with a few men around a king, always the same ones.
    pub(crate) fn random(&self, seed: u64, side: Side) -> impl Iterator<Item = Setup> + '_ {
        let all: Vec<Square> = self.rules.size().squares().iter().collect();
        let size = self.rules.size();
        (0..).map(move |number| {
            let mut random = Random::part(seed, number);
            let mut setup = Setup::empty(size, side);
            let start = self.rules.set().start();
            let king = random.pick(&all);
            setup.put(king, Some(Piece::King));
            let few = |men: u32, random: &mut Random| 2 + random.below((men as usize / 2).max(1));
            for piece in [Piece::Attacker, Piece::Defender] {
                let men = start.pieces(piece).len();
                let ground: Vec<Square> = self.rules.ground(piece).iter().collect();
                if ground.is_empty() {
                    continue;
                }
                for _ in 0..few(men, &mut random).min(men as usize) {
                    let square = random.pick(&ground);
                    if setup.piece_at(square).is_none() {
                        setup.put(square, Some(piece));
                    }
                }
            }
            setup
        })
    }

    /// The first of many random positions in which a task is good.
    pub(crate) fn search(
        &self,
        topic: StepTopic,
        side: Side,
        task: Task,
        tries: usize,
        fits: impl Fn(&Game) -> bool,
    ) -> Option<Step> {
        // A seed of its own for each task: their positions should differ.
        let seed = topic_seed(topic, task);
        self.random(seed, side).take(tries).find_map(|setup| {
            let position = self.rules.position(&setup).ok()?;
            let game = Game::from_position(self.rules.clone(), position, self.rules.laws());
            (game.outcome().is_none() && fits(&game))
                .then(|| self.good(topic, setup, Vec::new(), task))?
        })
    }
}

fn topic_seed(topic: StepTopic, task: Task) -> u64 {
    let text = format!("{topic:?} {task:?}");
    text.bytes().fold(7, |sum: u64, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(byte))
    })
}

/// The square a number of steps away.
pub(crate) fn away(from: Square, direction: Direction, steps: usize) -> Option<Square> {
    (0..steps).try_fold(from, |square, _| square.step(direction))
}
