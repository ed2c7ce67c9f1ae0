//! Studies and records: the same tree, on the board and as text.

use std::{collections::HashMap, sync::Arc};

use tablut_rules::{Outcome, Rules, Setup, SetupError, record::Record};

use super::{
    Body, LONGEST_COMMENT, LONGEST_LINE, MOST_MOVES, NodeKey, Remarks, StudyError, advance,
    tree::Twig,
};
use crate::exchange;

impl Body {
    /// The board of a record: all its moves, variations and notes.
    ///
    /// # Errors
    /// The record has a move that cannot be made, or is too large.
    pub fn of_record(rules: &Arc<Rules>, record: &Record) -> Result<Self, StudyError> {
        let tree = record.tree();
        if tree.len() > MOST_MOVES {
            return Err(StudyError::TooManyMoves);
        }
        let start = Setup::from(&rules.start());
        let setup = record.setup.unwrap_or(start);
        let mut body = Self::new(rules.set().id(), setup);
        body.headers = record
            .headers()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        if body.setup.size() != rules.size() {
            return Err(StudyError::OtherBoard);
        }
        let start = rules.position(&setup).or_else(SetupError::playable);
        let mut places = HashMap::new();
        for node in tree.nodes() {
            let remarks = Remarks::of_notes(tree.notes(node));
            if remarks.comment.chars().count() > LONGEST_COMMENT {
                return Err(StudyError::TooLong);
            }
            let (Some(parent), Some(step)) = (tree.parent(node), tree.step(node)) else {
                body.tree.remark(NodeKey::ROOT, remarks);
                if !tree.is_empty() {
                    let start = start.clone().map_err(StudyError::Setup)?;
                    places.insert(node, (NodeKey::ROOT, start, None));
                }
                continue;
            };
            if tree.ply(node) > LONGEST_LINE {
                return Err(StudyError::TooManyMoves);
            }
            let Some((parent, position, end)) = places.get(&parent).cloned() else {
                continue;
            };
            let (position, end) = advance(rules, &position, end, step)?;
            let key = body.tree.fresh_key();
            let twig = Twig {
                key,
                parent,
                step,
                remarks,
            };
            body.tree.graft(vec![twig], usize::MAX);
            places.insert(node, (key, position, end));
        }
        body.outcome = record.outcome.map(|outcome| (body.last(), outcome));
        Ok(body)
    }

    /// The last node of the main line.
    fn last(&self) -> NodeKey {
        self.after(usize::MAX)
    }

    /// How the main line ends: as the rules say, or else as was written of the game that was read, if that
    /// is still its line.
    fn outcome(&self, rules: &Arc<Rules>) -> Option<Outcome> {
        let last = self.last();
        let game = exchange::play(rules, &self.setup, &self.tree.path(last));
        let known = self.outcome.filter(|&(node, _)| node == last);
        match game.map(|game| game.outcome()) {
            Ok(Some(outcome)) => Some(outcome),
            // A contest may end, or go on, where our laws do not let it.
            _ => known.map(|(_, outcome)| outcome),
        }
    }

    /// The record of the board, with everything that is written and drawn on it.
    #[must_use]
    pub fn record(&self, rules: &Arc<Rules>) -> Record {
        let mut record = Record::new(self.rules.as_str());
        record.setup = (self.setup != Setup::from(&rules.start())).then_some(self.setup);
        record.outcome = self.outcome(rules);
        for (key, value) in &self.headers {
            // They were headers of a record before.
            let _ = record.set_header(key, value.as_str());
        }
        let tree = record.tree_mut();
        let mut places = HashMap::new();
        for key in self.tree.walk() {
            let Some(node) = self.tree.get(key) else {
                continue;
            };
            let place = match (places.get(&node.parent()), node.step()) {
                (Some(&parent), Some(step)) => tree.add_move(parent, step),
                _ => tree.root(),
            };
            places.insert(key, place);
            *tree.notes_mut(place) = node.remarks.notes();
        }
        record
    }
}
