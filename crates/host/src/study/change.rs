//! Changes of a study. Each has an inverse, so that undoing is reading the journal backwards.

use serde::{Deserialize, Serialize};
use tablut_rules::{Outcome, Setup};

use super::{Branch, NodeKey, Remarks, StudyTree};

/// All that a new root replaces: rules, set-up, moves, and what was said about the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Body {
    /// The id of the rule set.
    pub rules: String,
    /// The root: where the moves start, sound or not.
    pub setup: Setup,
    /// Of a game that was read: who played, where and when.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// Of a game that was read: how it ended, and at which node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<(NodeKey, Outcome)>,
    /// The moves.
    pub tree: StudyTree,
}

impl Body {
    /// A root without moves.
    #[must_use]
    pub fn new(rules: &str, setup: Setup) -> Self {
        Self {
            rules: rules.into(),
            setup,
            headers: Vec::new(),
            outcome: None,
            tree: StudyTree::new(),
        }
    }
}

/// What a study shows, and what can be undone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scene {
    pub(super) body: Body,
    pub(super) by_rules: bool,
}

/// One small change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Change {
    /// A branch comes into the tree; its first node becomes a child with this index.
    Graft { index: usize, branch: Branch },
    /// A node goes, with all behind it.
    Prune { node: NodeKey },
    /// A node gets another place among its siblings.
    Order { node: NodeKey, index: usize },
    /// Something else is written at a node.
    Remark { node: NodeKey, remarks: Remarks },
    /// There is another root, with other moves.
    Replace(Box<Body>),
    /// Moves follow the rules, or do not.
    ByRules(bool),
}

/// A change that does not fit: the journal is of another study.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Misfit;

impl Scene {
    /// Makes a change, and gives the one that undoes it. A change that does not fit changes nothing.
    pub(super) fn make(&mut self, change: Change) -> Result<Change, Misfit> {
        let tree = &mut self.body.tree;
        Ok(match change {
            Change::Graft { index, branch } => {
                let node = branch.first().ok_or(Misfit)?.key;
                if !tree.graft(branch, index) {
                    return Err(Misfit);
                }
                Change::Prune { node }
            }
            Change::Prune { node } => {
                let (index, branch) = tree.prune(node).ok_or(Misfit)?;
                Change::Graft { index, branch }
            }
            Change::Order { node, index } => Change::Order {
                node,
                index: tree.order(node, index).ok_or(Misfit)?,
            },
            Change::Remark { node, remarks } => Change::Remark {
                node,
                remarks: tree.remark(node, remarks).ok_or(Misfit)?,
            },
            Change::Replace(body) => {
                let before = std::mem::replace(&mut self.body, *body);
                self.body.tree.skip_keys_of(&before.tree);
                Change::Replace(Box::new(before))
            }
            Change::ByRules(by_rules) => {
                Change::ByRules(std::mem::replace(&mut self.by_rules, by_rules))
            }
        })
    }
}

/// What one command did: the changes to make in order to go back, or to do it again, and where one was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) changes: Vec<Change>,
    pub(super) cursor: NodeKey,
}
