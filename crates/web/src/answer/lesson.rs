//! Lessons: what a step is, and what is tried in it.

use std::sync::Arc;

use tablut_host::speech::{self, Phrase};
use tablut_learn::{Judgement, Step, Task, text};
use tablut_rules::{Game, Move, Rules};
use tokio::task::spawn_blocking;

use super::{Answered, Visit};
use crate::{
    message::{Answer, LessonEntry, LessonName, LessonStepInfo, Problem, TrialInfo, TrialResult},
    state,
};

impl Visit {
    pub(super) async fn lessons(&self, id: &str) -> Answered {
        let rules = self.rules(id)?;
        let Some(lessons) = self.host.lessons(rules).await else {
            return self.problem(Phrase::NoSuchLesson);
        };
        let done = self.host.store().lesson_steps(&self.visitor.id, id).await;
        let done = self.kept(done)?;
        let entry = |lesson: LessonName| {
            let steps = lessons.steps(lesson.word()).unwrap_or_default();
            let steps = steps.iter().enumerate().map(|(number, step)| {
                let is_done = done
                    .iter()
                    .any(|(name, step)| name == lesson.word() && *step as usize == number);
                (step.topic.title(self.lang).to_string(), is_done)
            });
            LessonEntry {
                lesson,
                steps: steps.collect(),
            }
        };
        let list = [LessonName::Rules, LessonName::Plans].map(entry);
        Ok(Answer::Lessons(list.into()))
    }

    /// The rules and the step that a request is about.
    async fn find_step(
        &self,
        id: &str,
        lesson: LessonName,
        number: u32,
    ) -> Result<(Arc<Rules>, Step, Game), Problem> {
        let rules = Arc::clone(self.rules(id)?);
        let lessons = self.host.lessons(&rules).await;
        let found = lessons.and_then(|lessons| {
            let step = lessons.steps(lesson.word())?.get(number as usize)?.clone();
            let game = step.game(&rules)?;
            Some((step, game))
        });
        match found {
            Some((step, game)) => Ok((rules, step, game)),
            None => self.problem(Phrase::NoSuchLesson),
        }
    }

    pub(super) async fn lesson_step(&self, id: &str, lesson: LessonName, number: u32) -> Answered {
        let (rules, step, game) = self.find_step(id, lesson, number).await?;
        let side = game.position().side();
        Ok(Answer::LessonStep(LessonStepInfo {
            title: step.topic.title(self.lang).into(),
            sentences: step.sentences(rules.set(), self.lang),
            task: step.task_sentence(side, self.lang),
            marks: marks(&step.task),
            board: state::task_board(&game, state::Winning::Shown),
        }))
    }

    pub(super) async fn try_lesson(
        &mut self,
        (id, lesson, number): (&str, LessonName, u32),
        made: &[String],
        tried: &str,
    ) -> Answered {
        let (rules, step, mut game) = self.find_step(id, lesson, number).await?;
        let made = self.steps(made)?;
        let tried = self.step(tried)?;
        let (judge, line) = (step.clone(), made.clone());
        let judged = spawn_blocking(move || judge.judge(&rules, &line, tried)).await;
        let Ok(Ok(judged)) = judged else {
            return self.problem(Phrase::NotThatLine);
        };
        for &own in &made {
            if game.play(own).is_err() {
                return self.problem(Phrase::NotThatLine);
            }
        }
        let before = *game.position();
        let trial = |result, text, reply: Option<Move>, game: &Game| {
            Answer::Trial(TrialInfo {
                result,
                text,
                reply: reply.map(|reply| reply.to_string()),
                board: state::task_board(game, state::Winning::Shown),
            })
        };
        let praise = |game: &Game, is_done: bool| {
            let outcome = game.outcome();
            text::praise(game.rules(), &before, tried, outcome, is_done, self.lang)
        };
        match judged {
            Judgement::Illegal(reason) => Err(speech::illegal(self.lang, &reason).into()),
            Judgement::Wrong(refusal) => {
                let text = refusal.sentence(self.lang);
                Ok(trial(TrialResult::Wrong, text, None, &game))
            }
            Judgement::GoOn { reply } => {
                let played = game.play(tried).is_ok();
                let text = praise(&game, false);
                match played && game.play(reply).is_ok() {
                    true => Ok(trial(TrialResult::Right, text, Some(reply), &game)),
                    false => self.problem(Phrase::NotThatLine),
                }
            }
            Judgement::Done => {
                if game.play(tried).is_err() {
                    return self.problem(Phrase::NotThatLine);
                }
                let answer = trial(TrialResult::Done, praise(&game, true), None, &game);
                self.settle().await?;
                let (store, now) = (self.host.store(), self.host.now_ms());
                let owner = &self.visitor.id;
                let kept = store.keep_lesson_step(owner, id, lesson.word(), number, now);
                self.kept(kept.await)?;
                Ok(answer)
            }
        }
    }
}

/// The squares that a task is about.
fn marks(task: &Task) -> Vec<String> {
    let squares = match *task {
        Task::Go { from, to } => vec![from, to],
        Task::GoFar { from, .. } => vec![from],
        Task::Capture { square } => vec![square],
        Task::CloseCorner { corner } => vec![corner],
        Task::Any
        | Task::CaptureKing
        | Task::Escape
        | Task::OpenLanes { .. }
        | Task::CloseLanes
        | Task::Repeat
        | Task::Vary
        | Task::Win { .. } => Vec::new(),
    };
    squares.iter().map(ToString::to_string).collect()
}
