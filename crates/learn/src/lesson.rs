//! A lesson: steps, each with a task on a board.

use std::sync::Arc;

use tablut_rules::{Game, Move, Rules, Setup, Side, text::Topic};

use crate::{Judgement, MadeError, Task, Theme, compose};

/// What a step of a lesson is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepTopic {
    /// Rules.
    Rules(Topic),
    /// A win of one's own, for a side.
    FirstWin(Side),
    /// A plan.
    Plan(Theme),
}

/// A position and what is to be done in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What it is about.
    pub topic: StepTopic,
    /// Where it begins.
    pub start: Setup,
    /// The moves up to the position with the task; repetition needs them.
    pub history: Vec<Move>,
    /// What is to be done.
    pub task: Task,
    /// The topics whose rules are told here: its own at the first step about it, and those that have no
    /// step.
    pub told: Vec<Topic>,
}

/// Steps that follow each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// The steps; none if nothing can be taught.
    pub steps: Vec<Step>,
}

impl Lesson {
    /// The lesson that teaches a set's rules.
    ///
    /// Every position is looked for among many, always in the same order, so a set's lesson is always
    /// the same. That takes some tenths of a second: keep it.
    #[must_use]
    pub fn of_rules(rules: &Arc<Rules>) -> Self {
        Self {
            steps: compose::steps(rules),
        }
    }
}

impl Step {
    /// The game up to the task; nothing if the step is of other rules.
    #[must_use]
    pub fn game(&self, rules: &Arc<Rules>) -> Option<Game> {
        let start = rules.position(&self.start).ok()?;
        let mut game = Game::from_position(rules.clone(), start, rules.laws());
        for &step in &self.history {
            game.play(step).ok()?;
        }
        Some(game)
    }

    /// The last move of the side that is to repeat a position, or not to, and how often that position
    /// occurs if it is taken back.
    pub(crate) fn way_back(&self) -> Option<(Move, usize)> {
        let there = *self.history.iter().rev().nth(1)?;
        // Every round left the position once.
        let rounds = self.history.iter().filter(|&&step| step == there).count();
        Some((there, rounds + 1))
    }

    /// The game after moves that were made in the step, by both sides.
    fn after(&self, rules: &Arc<Rules>, made: &[Move]) -> Result<Game, MadeError> {
        let mut game = self.game(rules).ok_or(MadeError)?;
        for (n, pair) in made.chunks(2).enumerate() {
            let &[own, reply] = pair else {
                return Err(MadeError);
            };
            match self.task.judge(&game, n, own) {
                Judgement::GoOn { reply: expected } if expected == reply => {}
                _ => return Err(MadeError),
            }
            for step in [own, reply] {
                game.play(step).map_err(|_| MadeError)?;
            }
        }
        Ok(game)
    }

    /// Judges a move after those that were made in the step, by both sides.
    ///
    /// # Errors
    /// The moves before it are not what this step led to.
    pub fn judge(
        &self,
        rules: &Arc<Rules>,
        made: &[Move],
        step: Move,
    ) -> Result<Judgement, MadeError> {
        let game = self.after(rules, made)?;
        Ok(self.task.judge(&game, made.len() / 2, step))
    }

    /// Moves of both sides that do the task; nothing if it cannot be done.
    #[must_use]
    pub fn solution(&self, rules: &Arc<Rules>) -> Option<Vec<Move>> {
        let mut made = Vec::new();
        loop {
            let game = self.after(rules, &made).ok()?;
            let judged = game
                .legal_moves()
                .iter()
                .map(|&step| (step, self.task.judge(&game, made.len() / 2, step)))
                .find(|(_, judgement)| judgement.is_right())?;
            made.push(judged.0);
            match judged.1 {
                Judgement::GoOn { reply } => made.push(reply),
                _ => return Some(made),
            }
        }
    }
}
