//! Rule sets shown: in positions that can be played, and one beside another.

use std::sync::Arc;

use tablut_host::speech::{Phrase, sentence};
use tablut_rules::{Rules, WitnessSearch};
use tokio::task::spawn_blocking;

use super::{Answered, Visit};
use crate::message::{Answer, ComparisonInfo, ContrastInfo, DemonstrationInfo};

/// How many random positions are tried for proofs, and what chance depends on.
const TRIES: usize = 40_000;
const SEED: u64 = 1;

impl Visit {
    pub(super) async fn demonstrate(&self, id: &str) -> Answered {
        let rules = Arc::clone(self.rules(id)?);
        // Some thousand positions are tried; nobody else waits for that.
        let Ok(shown) = spawn_blocking(move || rules.demonstrations()).await else {
            return self.problem(Phrase::NoSuchRules);
        };
        let shown = shown.iter().map(|one| DemonstrationInfo {
            topic: one.topic.title(self.lang).into(),
            setup: one.setup.to_string(),
            moves: one.moves.iter().map(ToString::to_string).collect(),
            text: sentence(&one.sentence(self.lang)),
        });
        Ok(Answer::Demonstrations(shown.collect()))
    }

    pub(super) async fn compare_rules(&self, first: &str, second: &str) -> Answered {
        let sets = [
            Arc::clone(self.rules(first)?),
            Arc::clone(self.rules(second)?),
        ];
        let [a, b] = sets.each_ref().map(|rules| sentences(rules, self));
        let only = |own: &[String], other: &[String]| -> Vec<String> {
            own.iter()
                .filter(|one| !other.contains(one))
                .cloned()
                .collect()
        };
        let (first, second) = (only(&a, &b), only(&b, &a));
        let search = spawn_blocking(move || {
            let [first, second] = &sets;
            WitnessSearch::new(first, second, SEED).run(TRIES)
        });
        let witnesses = search.await.unwrap_or_default();
        let proof = |one: &tablut_rules::Witness| {
            let [first, second] = one
                .verdicts
                .each_ref()
                .map(|verdict| sentence(&verdict.sentence(self.lang)));
            ContrastInfo {
                setup: one.setup.to_string(),
                step: one.step.to_string(),
                first,
                second,
            }
        };
        Ok(Answer::Comparison(ComparisonInfo {
            first,
            second,
            proofs: witnesses.iter().map(proof).collect(),
        }))
    }
}

fn sentences(rules: &Rules, visit: &Visit) -> Vec<String> {
    let sections = rules.set().describe(visit.lang).into_iter();
    sections.flat_map(|section| section.sentences).collect()
}
