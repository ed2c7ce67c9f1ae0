//! The lessons of the rule sets here. They are looked for once and kept.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tablut_learn::{Lesson, Step, plans};
use tablut_review::puzzle::built_in_puzzles;
use tablut_rules::{BuiltIn, Rules};
use tokio::task::spawn_blocking;

/// The lessons of one rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lessons {
    /// How the rules are learnt.
    pub rules: Vec<Step>,
    /// First plans.
    pub plans: Vec<Step>,
}

impl Lessons {
    /// The lessons of some rules; takes a second.
    #[must_use]
    pub fn new(rules: &Arc<Rules>) -> Self {
        let set = rules.set().id().parse::<BuiltIn>().ok();
        let is_own = |set: &BuiltIn| set.set() == rules.set();
        let puzzles = set.filter(is_own).map_or(&[][..], built_in_puzzles);
        Self {
            rules: Lesson::of_rules(rules).steps,
            plans: plans(rules, puzzles),
        }
    }

    /// The steps of a lesson by its name: `rules` or `plans`.
    #[must_use]
    pub fn steps(&self, lesson: &str) -> Option<&[Step]> {
        match lesson {
            "rules" => Some(&self.rules),
            "plans" => Some(&self.plans),
            _ => None,
        }
    }
}

/// Lessons that are known, by the id of their rule set.
#[derive(Default)]
pub(crate) struct LessonShelf(Mutex<HashMap<String, Arc<Lessons>>>);

impl LessonShelf {
    /// The lessons of some rules; nothing if they could not be made.
    pub(crate) async fn get(&self, rules: &Arc<Rules>) -> Option<Arc<Lessons>> {
        let id = rules.set().id();
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lessons) = known().get(id) {
            return Some(Arc::clone(lessons));
        }
        let rules = Arc::clone(rules);
        let made = spawn_blocking(move || Lessons::new(&rules)).await.ok()?;
        let made = Arc::new(made);
        known().insert(id.into(), Arc::clone(&made));
        Some(made)
    }
}
