//! What lessons say, in every language: each is a module with one `Words`; a missing sentence does not
//! compile. The rules themselves are said by [`tablut_rules::text`].

mod de;
mod en;
mod it;
mod praise;

pub use praise::praise;

use tablut_rules::{
    Move, RuleSet, Side, in_language,
    text::{Lang, Topic},
};

use crate::{Refusal, Step, StepTopic, Task, Theme};

/// What each language says in lessons. Sentences are whole.
struct Words {
    topic: fn(Topic) -> &'static str,
    first_win: &'static str,
    theme: fn(Theme) -> &'static str,
    /// What a plan is, in a few sentences.
    plan: fn(Theme) -> &'static str,
    /// What is said before a first win.
    win: &'static str,
    task: fn(&Task, Side) -> String,
    /// That the last move can be taken back, and how often the position occurs then.
    back: fn(Move, usize) -> String,
    refusal: fn(&Refusal) -> String,
    right: &'static str,
    go_on: &'static str,
    /// What a move does, from a predicate.
    deed: fn(&str) -> String,
    /// A man has left its camp, where there is no way back.
    left_camp: &'static str,
    /// A piece has crossed the castle.
    crossed: &'static str,
    /// Nothing was in the way.
    way: &'static str,
}

const fn words(lang: Lang) -> &'static Words {
    in_language!(lang, WORDS)
}

impl StepTopic {
    /// What the step is called.
    #[must_use]
    pub fn title(self, lang: Lang) -> &'static str {
        let words = words(lang);
        match self {
            Self::Rules(topic) => (words.topic)(topic),
            Self::FirstWin(_) => words.first_win,
            Self::Plan(theme) => (words.theme)(theme),
        }
    }
}

impl Step {
    /// What is to be known, in sentences.
    #[must_use]
    pub fn sentences(&self, set: &RuleSet, lang: Lang) -> Vec<String> {
        let words = words(lang);
        match self.topic {
            StepTopic::Rules(_) => {
                let told = self.told.iter();
                told.flat_map(|&topic| set.describe_topic(topic, lang))
                    .collect()
            }
            StepTopic::FirstWin(_) => vec![words.win.into()],
            StepTopic::Plan(theme) => vec![(words.plan)(theme).into()],
        }
    }

    /// What is to be done by a side, as a sentence.
    #[must_use]
    pub fn task_sentence(&self, side: Side, lang: Lang) -> String {
        let words = words(lang);
        let task = (words.task)(&self.task, side);
        match (self.task, self.way_back()) {
            // The board shows no more than the opponent's last move.
            (Task::Repeat | Task::Vary, Some((there, times))) => {
                format!("{task} {}", (words.back)(there, times))
            }
            _ => task,
        }
    }
}

impl Refusal {
    /// Why a move does not do the task, as a sentence.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        (words(lang).refusal)(self)
    }
}

/// A sentence with capital and full stop.
fn whole(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
