//! `tablut lessons`: the rules of a set learnt step by step in the terminal, of a user's own set too.

mod words;

use std::{
    io::{self, BufRead, Write},
    sync::Arc,
};

use anyhow::{Result, bail};
use clap::Args;
use tablut_host::{Host, Lessons, Limits, speech::sentence};
use tablut_learn::{Judgement, Step, text};
use tablut_rules::{Game, Move, Rules, text::Lang};
use tablut_store::Store;
use tokio::runtime::{self, Runtime};

use self::words::{Words, words};
use crate::{
    Status,
    command::{
        play::owner,
        serve,
        typed::{self, Word},
    },
    input::{self, RulesFlag},
};

/// Learn the rules of a set step by step, or first plans
#[derive(Args)]
#[command(after_help = "\
Each step says a few rules and shows a position with a small task; type a move, and the rules judge it. Lessons are
made from the data of the rule set, so your own file has them too. What you have done is kept.

Examples:
  tablut lessons
  tablut lessons --plans
  tablut lessons --rules mine.toml
  tablut lessons --rules linnaeus --print > linnaeus.txt")]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: RulesFlag,
    /// First plans instead of the rules
    #[arg(long)]
    plans: bool,
    /// Begin with this step [default: the first that is not done]
    #[arg(long, value_name = "N", conflicts_with = "print",
          value_parser = clap::value_parser!(u32).range(1..))]
    step: Option<u32>,
    /// Print all steps with their solutions, and ask nothing
    #[arg(long)]
    print: bool,
    /// Where it is kept what you have done: a file, or a PostgreSQL URL [default: $TABLUT_STORE, or
    /// tablut.db in the user's data folder]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// The language [default: from LANG]
    #[arg(long, alias = "language", value_parser = input::lang_parser())]
    lang: Option<Lang>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let lang = input::lang(self.lang);
        let lesson = if self.plans { "plans" } else { "rules" };
        let lessons = Lessons::new(&rules);
        let steps = lessons.steps(lesson).unwrap_or_default();
        if steps.is_empty() {
            bail!("there is no such lesson under {}", rules.set().id());
        }
        let course = Course {
            rules,
            steps,
            lang,
            words: words(lang),
        };
        if self.print {
            return course.print(out);
        }
        let first = match self.step.map(|step| step as usize - 1) {
            Some(first) if first >= steps.len() => {
                bail!("there are {} steps", steps.len());
            }
            first => first,
        };
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let place = serve::place(self.store.as_deref())?;
        let store = runtime.block_on(Store::open(&place))?;
        let progress = StepProgress {
            runtime,
            host: Host::new(store, Limits::default()),
            owner: owner(),
            rules: course.rules.set().id().into(),
            lesson,
        };
        course.run(out, &mut io::stdin().lock(), &progress, first)
    }
}

/// The steps of a lesson, and how they are told.
struct Course<'a> {
    rules: Arc<Rules>,
    steps: &'a [Step],
    lang: Lang,
    words: &'static Words,
}

/// Which steps somebody has done.
struct StepProgress {
    runtime: Runtime,
    host: Host,
    owner: String,
    rules: String,
    lesson: &'static str,
}

impl StepProgress {
    /// The first step that is not done; the first of all if all are.
    fn next(&self, count: usize) -> Result<usize> {
        let store = self.host.store();
        let done = store.lesson_steps(&self.owner, &self.rules);
        let done = self.runtime.block_on(done)?;
        let is_done = |number: &usize| {
            let mut own = done.iter().filter(|(lesson, _)| lesson == self.lesson);
            own.any(|(_, step)| *step as usize == *number)
        };
        Ok((0..count)
            .find(|number| !is_done(number))
            .unwrap_or_default())
    }

    fn keep(&self, number: usize) -> Result<()> {
        let (store, now) = (self.host.store(), self.host.now_ms());
        let kept =
            store.keep_lesson_step(&self.owner, &self.rules, self.lesson, number as u32, now);
        Ok(self.runtime.block_on(kept)?)
    }
}

/// Where to go after a step.
enum Next {
    Forward,
    Back,
    Stop,
}

impl Course<'_> {
    /// Everything, one step after the other.
    fn print(&self, out: &mut impl Write) -> Result<Status> {
        self.explain_letters(out)?;
        for number in 0..self.steps.len() {
            let (step, mut game) = self.tell(out, number)?;
            let solution = step.solution(&self.rules).unwrap_or_default();
            let mut rest = solution.as_slice();
            while let Some((&own, left)) = rest.split_first() {
                let before = *game.position();
                game.play(own)?;
                let said = self.praise(&game, &before, own, left.is_empty());
                writeln!(out, "{}", (self.words.right_move)(own, &said))?;
                rest = left;
                if let Some((&reply, left)) = left.split_first() {
                    game.play(reply)?;
                    writeln!(out, "{}", (self.words.reply)(reply))?;
                    rest = left;
                }
            }
            writeln!(out)?;
        }
        Ok(Status::Good)
    }

    fn run(
        &self,
        out: &mut impl Write,
        lines: &mut impl BufRead,
        progress: &StepProgress,
        first: Option<usize>,
    ) -> Result<Status> {
        let mut number = match first {
            Some(first) => first,
            None => progress.next(self.steps.len())?,
        };
        writeln!(out, "{}", self.words.help)?;
        self.explain_letters(out)?;
        while number < self.steps.len() {
            match self.solve(out, lines, progress, number)? {
                Next::Forward => number += 1,
                Next::Back => number = number.saturating_sub(1),
                Next::Stop => return Ok(Status::Good),
            }
        }
        writeln!(out, "{}", self.words.end)?;
        Ok(Status::Good)
    }

    /// Says what the letters on the boards are.
    fn explain_letters(&self, out: &mut impl Write) -> Result<()> {
        let has_camps = !self.rules.set().camp_squares().is_empty();
        writeln!(out, "{}\n", (self.words.letters)(has_camps))?;
        Ok(())
    }

    /// Says what a step says, and gives its game.
    fn tell(&self, out: &mut impl Write, number: usize) -> Result<(&Step, Game)> {
        let step = &self.steps[number];
        let Some(game) = step.game(&self.rules) else {
            bail!("step {} cannot be set up", number + 1);
        };
        let title = step.topic.title(self.lang);
        let head = (self.words.step)(number + 1, self.steps.len(), title);
        writeln!(out, "{head}")?;
        // Only the first step about a topic says something.
        let said = step.sentences(self.rules.set(), self.lang);
        if !said.is_empty() {
            writeln!(out, "\n{}", said.join("\n"))?;
        }
        typed::board(out, &game)?;
        let task = step.task_sentence(game.position().side(), self.lang);
        writeln!(out, "{task}")?;
        Ok((step, game))
    }

    fn praise(
        &self,
        after: &Game,
        before: &tablut_rules::Position,
        step: Move,
        is_done: bool,
    ) -> String {
        text::praise(
            &self.rules,
            before,
            step,
            after.outcome(),
            is_done,
            self.lang,
        )
    }

    /// Shows a step until it is done or left.
    fn solve(
        &self,
        out: &mut impl Write,
        lines: &mut impl BufRead,
        progress: &StepProgress,
        number: usize,
    ) -> Result<Next> {
        let (step, mut game) = self.tell(out, number)?;
        let mut made = Vec::new();
        loop {
            match typed::word(out, lines)? {
                Word::Stop => return Ok(Next::Stop),
                Word::Next => return Ok(Next::Forward),
                Word::Back => return Ok(Next::Back),
                Word::Hint => {
                    let solution = step.solution(&self.rules).unwrap_or_default();
                    if let Some(&right) = solution.get(made.len()) {
                        writeln!(out, "{}", (self.words.right_move)(right, ""))?;
                    }
                }
                Word::Move(tried) => {
                    if self.attempt(out, step, (&mut game, &mut made), tried)? {
                        progress.keep(number)?;
                        writeln!(out)?;
                        return Ok(Next::Forward);
                    }
                }
                Word::Solution | Word::Unknown => writeln!(out, "{}", self.words.help)?,
            }
        }
    }

    /// Tries a move after those that were made; true if the task is done.
    fn attempt(
        &self,
        out: &mut impl Write,
        step: &Step,
        (game, made): (&mut Game, &mut Vec<Move>),
        tried: Move,
    ) -> Result<bool> {
        let before = *game.position();
        match step.judge(&self.rules, made, tried)? {
            Judgement::Illegal(reason) => {
                writeln!(out, "{}", sentence(&reason.sentence(self.lang)))?
            }
            Judgement::Wrong(refusal) => writeln!(out, "{}", refusal.sentence(self.lang))?,
            Judgement::GoOn { reply } => {
                game.play(tried)?;
                writeln!(out, "{}", self.praise(game, &before, tried, false))?;
                game.play(reply)?;
                made.extend([tried, reply]);
                writeln!(out, "{}", (self.words.reply)(reply))?;
                typed::board(out, game)?;
            }
            Judgement::Done => {
                game.play(tried)?;
                writeln!(out, "{}", self.praise(game, &before, tried, true))?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
