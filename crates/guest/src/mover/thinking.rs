//! Movers that think with our own engine.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tablut_arena::{Budget, Choice, Mover, MoverError, Question, Stop};
use tablut_engine::{
    Book, Control, Engine, EngineOptions, Evaluation, Level, NoMemory, Parameters, Score,
    SearchInfo, SearchLimits, SearchReport, Variation, baseline,
};
use tablut_rules::{Game, Move, Random, Rules, Side, record};

use super::{MoverOptions, no_move};

/// An engine's score, which is for the side to move, from the defenders' point of view as in records.
#[must_use]
pub fn defenders_score(score: Score, side: Side) -> record::Score {
    let score = match side {
        Side::Attackers => -score,
        Side::Defenders => score,
    };
    match score {
        Score::Units(units) => record::Score::Hundredths(units),
        Score::Win(plies) => record::Score::Win(plies),
        Score::Loss(plies) => record::Score::Loss(plies),
    }
}

/// What a budget allows a search.
#[must_use]
pub fn limits(budget: Budget) -> SearchLimits {
    SearchLimits {
        time: budget.time_ms.map(Duration::from_millis),
        soft_time: budget.soft_ms.map(Duration::from_millis),
        nodes: budget.nodes,
        depth: budget.depth,
        lines: 1,
    }
}

/// How the engine should play.
enum Strength {
    /// As well as the budget allows.
    Full,
    /// At a level for people.
    Level(Level),
    /// As well as the budget allows, with variety in the opening.
    Varied,
}

/// In the opening of a varied game the seed chooses among this many moves at most, …
const CHOICES: usize = 4;

/// … none of which looks worse than the best by more than this, in hundredths.
const CHOICE_MARGIN: i32 = 30;

/// How many plies the opening of a varied game has.
const OPENING: usize = 8;

/// Our engine as a player.
pub struct EngineMover {
    engine: Engine,
    uses_book: bool,
    strength: Strength,
    seed: u64,
    stop: Stop,
}

impl EngineMover {
    /// The engine at its best.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(options: &MoverOptions) -> Result<Self, NoMemory> {
        Self::with(options, Strength::Full, Parameters::default())
    }

    /// The engine with another evaluation and other numbers inside, by name; names it does not know
    /// change nothing.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn tuned(
        changes: &[(String, i32)],
        evaluation: Evaluation,
        options: &MoverOptions,
    ) -> Result<Self, NoMemory> {
        let mut parameters = Parameters::default();
        for (name, value) in changes {
            let _ = parameters.set(name, *value);
        }
        let mut mover = Self::with(options, Strength::Full, parameters)?;
        mover.engine = mover.engine.with_evaluation(evaluation);
        Ok(mover)
    }

    /// The engine at a level.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn at_level(level: Level, options: &MoverOptions) -> Result<Self, NoMemory> {
        Self::with(options, Strength::Level(level), Parameters::default())
    }

    /// The engine at its best, but games with different seeds open differently. Within a budget of nodes,
    /// the same seed gives the same game on every machine.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn varied(options: &MoverOptions) -> Result<Self, NoMemory> {
        Self::with(options, Strength::Varied, Parameters::default())
    }

    fn with(
        options: &MoverOptions,
        strength: Strength,
        parameters: Parameters,
    ) -> Result<Self, NoMemory> {
        let (stop, uses_book) = (options.stop.clone(), options.uses_book);
        let options = EngineOptions {
            hash_mb: usize::try_from(options.hash_mb).unwrap_or(usize::MAX),
            threads: options.threads,
        };
        Ok(Self {
            engine: Engine::with_parameters(options, parameters)?,
            uses_book,
            strength,
            seed: 0,
            stop,
        })
    }

    /// Whether it plays as well as it can.
    const fn is_best(&self) -> bool {
        match self.strength {
            Strength::Full => true,
            Strength::Level(level) => level.is_best(),
            Strength::Varied => false,
        }
    }

    /// The book's move for a game, where the mover is to use one. A position that has come again is
    /// thought about: the book knows nothing of repetition.
    fn book_move(&self, game: &Game) -> Option<Choice> {
        let position = game.position();
        let is_new = || game.occurrences() == 1;
        if !self.uses_book || !self.is_best() || !is_new() {
            return None;
        }
        let entry = Book::built_in(game.rules())?.get(position)?;
        let score = Score::Units(entry.score);
        Some(Choice {
            step: entry.step,
            score: Some(defenders_score(score, position.side())),
            nodes: None,
            depth: Some(entry.depth),
            time: None,
            line: vec![entry.step],
        })
    }

    /// Searches within limits, and stops when everything has to stop.
    fn search(
        &mut self,
        game: &Game,
        limits: &SearchLimits,
        question: Question<'_>,
    ) -> SearchReport {
        let (control, mut on_info) = (question.control, question.on_info);
        let mut look = |info: &SearchInfo| {
            if let Some(on_info) = &mut on_info {
                on_info(info);
            }
            // Looked at between iterations; a move takes seconds, not minutes.
            if self.stop.is_abandoned() {
                control.stop();
            }
        };
        self.engine.search(game, limits, &control, &mut look)
    }

    /// Searches several variations in the opening, and lets the seed choose among those that are as good.
    fn vary(&mut self, game: &Game, question: Question<'_>) -> SearchReport {
        let is_opening = game.plies().len() < OPENING;
        let lines = if is_opening { CHOICES } else { 1 };
        let limits = limits(question.budget).with_lines(lines);
        let mut report = self.search(game, &limits, question);
        let Some(Score::Units(best)) = report.lines.first().map(|line| line.score) else {
            return report;
        };
        let is_near = |score: Score| match score {
            Score::Units(units) => best < Score::DECIDED && units >= best - CHOICE_MARGIN,
            Score::Win(_) | Score::Loss(_) => false,
        };
        let near: Vec<Move> = report
            .lines
            .iter()
            .filter(|line| is_near(line.score))
            .filter_map(|line| line.moves.first().copied())
            .collect();
        if !near.is_empty() {
            // Each position of a game has its own stream.
            let step = Random::new(self.seed ^ game.position().key()).pick(&near);
            let chosen = |line: &Variation| line.moves.first() == Some(&step);
            if let Some(index) = report.lines.iter().position(chosen) {
                report.lines.swap(0, index);
            }
            report.best = Some(step);
        }
        report
    }
}

impl Mover for EngineMover {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        self.engine.clear();
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &Game, question: Question<'_>) -> Result<Choice, MoverError> {
        if let Some(choice) = self.book_move(game) {
            return Ok(choice);
        }
        let side = game.position().side();
        self.engine.play_side(self.is_best().then_some(side));
        let report = match self.strength {
            Strength::Full => self.search(game, &limits(question.budget), question),
            Strength::Varied => self.vary(game, question),
            Strength::Level(level) => {
                let control = question.control;
                // A level has a limit of its own, but must not be late on a slow machine.
                if let Some(budget) = limits(question.budget).budget() {
                    control.set_deadline(Instant::now() + budget);
                }
                level.choose(&mut self.engine, game, self.seed, &control)
            }
        };
        if self.stop.is_abandoned() {
            return Err(MoverError::Stopped);
        }
        choice(report, game)
    }

    fn ponder(&mut self, game: &Game, control: &Control) {
        match self.strength {
            Strength::Full | Strength::Varied => {
                let side = game.position().side().opponent();
                self.engine.play_side(self.is_best().then_some(side));
                let question = Question {
                    control: control.clone(),
                    ..Question::default()
                };
                self.search(game, &SearchLimits::default(), question);
            }
            // What a level finds must not depend on how long its opponent thinks.
            Strength::Level(_) => {}
        }
    }
}

/// What a search found, as a choice.
fn choice(report: SearchReport, game: &Game) -> Result<Choice, MoverError> {
    let step = report.best.ok_or_else(no_move)?;
    let side = game.position().side();
    let line = report.lines.into_iter().next();
    Ok(Choice {
        step,
        score: line.as_ref().map(|line| defenders_score(line.score, side)),
        nodes: Some(report.nodes),
        depth: Some(report.depth),
        time: Some(report.time),
        line: line.map(|line| line.moves).unwrap_or_default(),
    })
}

/// The plain rival that stands for the programs of the field.
#[derive(Clone, Debug, Default)]
pub struct BaselineMover {
    seed: u64,
}

impl Mover for BaselineMover {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &Game, question: Question<'_>) -> Result<Choice, MoverError> {
        let depth = question.budget.depth.unwrap_or(baseline::DEPTH);
        // Each position of a game has its own stream.
        let seed = self.seed ^ game.position().key();
        let time = question.budget.time_ms.map(Duration::from_millis);
        let step = baseline::choose(game, depth, seed, time).ok_or_else(no_move)?;
        Ok(step.into())
    }
}

#[cfg(test)]
mod tests {
    use tablut_engine::Network;

    use super::*;

    fn options() -> MoverOptions {
        MoverOptions {
            hash_mb: 1,
            uses_book: false,
            ..MoverOptions::default()
        }
    }

    #[test]
    fn varied_games_open_differently_and_each_seed_has_its_game() {
        let rules = Rules::ashton();
        let game = Game::new(Arc::clone(&rules));
        let mut mover = EngineMover::varied(&options()).unwrap();
        let mut first = |seed: u64| {
            mover.new_game(&rules, Side::Defenders, seed).unwrap();
            let choice = mover.choose(&game, Budget::nodes(2_000).into()).unwrap();
            assert_eq!(choice.line.first(), Some(&choice.step));
            choice.step
        };
        let moves: Vec<Move> = (0..20).map(&mut first).collect();
        assert!(moves.iter().any(|step| *step != moves[0]), "{moves:?}");
        assert_eq!(first(7), moves[7]);
    }

    #[test]
    fn the_book_answers_the_full_engine_where_it_knows_the_position_and_is_wanted() {
        let game = Game::new(Rules::ashton());
        let known = Book::built_in(game.rules()).unwrap();
        let known = known.get(game.position()).unwrap();
        for (uses_book, level, answers) in [
            (true, None, true),
            (true, Some(10), true),
            (true, Some(9), false),
            (false, None, false),
        ] {
            let options = MoverOptions {
                uses_book,
                ..options()
            };
            let mover = match level {
                None => EngineMover::new(&options),
                Some(level) => EngineMover::at_level(Level::new(level).unwrap(), &options),
            };
            let choice = mover.unwrap().choose(&game, Budget::nodes(500).into());
            let choice = choice.unwrap();
            assert_eq!(choice.nodes.is_none(), answers, "{uses_book} {level:?}");
            assert!(!answers || choice.step == known.step, "{choice:?}");
        }
    }

    #[test]
    fn whoever_stands_worse_plays_for_mistakes_at_full_strength_only() {
        let mut game = Game::new(Rules::ashton());
        for step in ["c5c8", "f1f2", "e3i3", "a6d6", "e4h4", "e8i8"] {
            game.play(step.parse().unwrap()).unwrap();
        }
        let network = Network::built_in(game.rules()).unwrap();
        assert!(network.evaluate(game.position()) < -100, "white is behind");
        let score = |level: Option<u8>, changes: &[(String, i32)]| {
            let mover = match level {
                None => EngineMover::tuned(changes, Evaluation::BuiltIn, &options()),
                Some(level) => EngineMover::at_level(Level::new(level).unwrap(), &options()),
            };
            let choice = mover.unwrap().choose(&game, Budget::nodes(3_000).into());
            choice.unwrap().score.unwrap()
        };
        let plain = score(None, &[("rescue".into(), 0)]);
        assert_ne!(score(None, &[]), plain);
        assert_ne!(score(Some(10), &[]), score(Some(9), &[]));
    }

    #[test]
    fn whoever_asks_sees_every_iteration_and_can_stop_a_search_without_limits() {
        let game = Game::new(Rules::ashton());
        let mut mover = EngineMover::new(&options()).unwrap();
        let (control, mut depths) = (Control::new(), Vec::new());
        let mut on_info = |info: &SearchInfo| {
            depths.push(info.depth);
            if info.depth == 3 {
                control.stop();
            }
        };
        let question = Question {
            control: control.clone(),
            on_info: Some(&mut on_info),
            ..Question::default()
        };
        let choice = mover.choose(&game, question).unwrap();
        assert_eq!(depths, [1, 2, 3]);
        assert!(game.rules().is_legal(game.position(), choice.step));
        // Stopped already, so it returns.
        mover.ponder(&game, &control);
    }
}
