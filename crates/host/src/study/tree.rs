//! The moves of a study: a tree whose nodes keep their names while others come and go.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter::successors,
};

use serde::{Deserialize, Serialize};
use tablut_rules::{
    Move, Square,
    record::{Notes, Score},
};

/// The name of a node of a study. No name is given twice as long as the study lives, so that whoever holds
/// one never means another node by it.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct NodeKey(pub u32);

impl NodeKey {
    /// The root: the set-up from which all moves start.
    pub const ROOT: Self = Self(0);
}

/// An arrow, or a circle around a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawing {
    /// Where it begins.
    pub from: Square,
    /// Where the arrow points; nothing for a circle.
    pub to: Option<Square>,
}

/// What was written and drawn at a node.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Remarks {
    /// Any text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Marks, as numbers of PGN: 1 is a good move, 2 a mistake.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u8>,
    /// What the position was thought to be worth, for white.
    #[serde(with = "score_text", skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// What the mover had left after the move, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// What the mover spent on the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent_ms: Option<u64>,
    /// Arrows and circles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drawings: Vec<Drawing>,
}

impl Remarks {
    /// What a record notes at a node; what is drawn comes apart from the comment.
    #[must_use]
    pub fn of_notes(notes: &Notes) -> Self {
        let (comment, drawings) = super::drawing::split(&notes.comment);
        Self {
            comment,
            nags: notes.nags.clone(),
            score: notes.score,
            clock_ms: notes.clock_ms,
            spent_ms: notes.spent_ms,
            drawings,
        }
    }

    /// The same as a record notes it.
    #[must_use]
    pub fn notes(&self) -> Notes {
        Notes {
            clock_ms: self.clock_ms,
            spent_ms: self.spent_ms,
            score: self.score,
            nags: self.nags.clone(),
            comment: super::drawing::join(&self.comment, &self.drawings),
        }
    }
}

/// Scores as records write them.
mod score_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tablut_rules::record::Score;

    #[allow(clippy::ref_option, reason = "serde asks for it")]
    pub(super) fn serialize<S: Serializer>(
        score: &Option<Score>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match score {
            Some(score) => serializer.collect_str(score),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Score>, D::Error> {
        let text: Option<String> = Option::deserialize(deserializer)?;
        let read = |text: String| text.parse().map_err(D::Error::custom);
        text.map(read).transpose()
    }
}

/// A node of a study: the position after a move, or the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyNode {
    step: Option<Move>,
    parent: NodeKey,
    children: Vec<NodeKey>,
    /// What was written and drawn here.
    pub remarks: Remarks,
}

impl StudyNode {
    /// The move that leads here; none leads to the root.
    #[must_use]
    pub const fn step(&self) -> Option<Move> {
        self.step
    }

    /// The node before that move; the root is its own.
    #[must_use]
    pub const fn parent(&self) -> NodeKey {
        self.parent
    }

    /// The nodes one move on: first the one that continues the line, then its variations.
    #[must_use]
    pub fn children(&self) -> &[NodeKey] {
        &self.children
    }
}

/// A node apart from its tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Twig {
    pub(super) key: NodeKey,
    pub(super) parent: NodeKey,
    pub(super) step: Move,
    #[serde(default)]
    pub(super) remarks: Remarks,
}

/// A node and all behind it, apart from its tree: each after its parent, siblings in their order.
pub(super) type Branch = Vec<Twig>;

/// The moves of a study. The first child of a node continues its line; the others are variations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "Flat", into = "Flat")]
pub struct StudyTree {
    nodes: BTreeMap<NodeKey, StudyNode>,
    next: u32,
}

/// A tree as it is kept.
#[derive(Serialize, Deserialize)]
struct Flat {
    next: u32,
    root: Remarks,
    twigs: Branch,
}

impl From<Flat> for StudyTree {
    fn from(flat: Flat) -> Self {
        let mut tree = Self::new();
        tree.root_mut().remarks = flat.root;
        for twig in flat.twigs {
            tree.put(twig, usize::MAX);
        }
        tree.next = tree.next.max(flat.next);
        tree
    }
}

impl From<StudyTree> for Flat {
    fn from(tree: StudyTree) -> Self {
        let keys: Vec<NodeKey> = tree.walk().skip(1).collect();
        Self {
            next: tree.next,
            twigs: keys.into_iter().filter_map(|key| tree.twig(key)).collect(),
            root: tree.root().remarks.clone(),
        }
    }
}

impl StudyTree {
    /// A tree without moves.
    #[must_use]
    pub fn new() -> Self {
        let root = StudyNode {
            step: None,
            parent: NodeKey::ROOT,
            children: Vec::new(),
            remarks: Remarks::default(),
        };
        Self {
            nodes: BTreeMap::from([(NodeKey::ROOT, root)]),
            next: 1,
        }
    }

    /// How many moves there are, variations included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> &StudyNode {
        &self.nodes[&NodeKey::ROOT]
    }

    fn root_mut(&mut self) -> &mut StudyNode {
        self.nodes
            .get_mut(&NodeKey::ROOT)
            .expect("a tree has a root")
    }

    /// A node, if it is there.
    #[must_use]
    pub fn get(&self, key: NodeKey) -> Option<&StudyNode> {
        self.nodes.get(&key)
    }

    /// Where a move leads from a node, if that is in the tree.
    #[must_use]
    pub fn child(&self, key: NodeKey, step: Move) -> Option<NodeKey> {
        let mut children = self.get(key)?.children.iter().copied();
        children.find(|child| self.nodes[child].step == Some(step))
    }

    /// A node and all before it, up to the root.
    pub fn ancestors(&self, key: NodeKey) -> impl Iterator<Item = NodeKey> + '_ {
        successors(self.get(key).map(|_| key), |&key| {
            (key != NodeKey::ROOT).then(|| self.nodes[&key].parent)
        })
    }

    /// The moves that lead to a node.
    #[must_use]
    pub fn path(&self, key: NodeKey) -> Vec<Move> {
        let steps = self.ancestors(key).filter_map(|key| self.nodes[&key].step);
        let mut path: Vec<Move> = steps.collect();
        path.reverse();
        path
    }

    /// The nodes of the line that goes on from a node, without that node.
    pub fn line_from(&self, key: NodeKey) -> impl Iterator<Item = NodeKey> + '_ {
        let next = |key: NodeKey| self.get(key)?.children.first().copied();
        successors(next(key), move |&key| next(key))
    }

    /// All nodes: each before its children, the line before its variations.
    pub fn walk(&self) -> impl Iterator<Item = NodeKey> + '_ {
        self.walk_from(NodeKey::ROOT)
    }

    fn walk_from(&self, key: NodeKey) -> impl Iterator<Item = NodeKey> + '_ {
        let mut left = vec![key];
        std::iter::from_fn(move || {
            let key = left.pop()?;
            left.extend(self.get(key)?.children.iter().rev());
            Some(key)
        })
    }

    /// Which child of its parent a node is.
    pub(super) fn index(&self, key: NodeKey) -> Option<usize> {
        let siblings = &self.get(self.get(key)?.parent)?.children;
        siblings.iter().position(|&sibling| sibling == key)
    }

    /// A name that no node has had.
    pub(super) fn fresh_key(&mut self) -> NodeKey {
        self.next += 1;
        NodeKey(self.next - 1)
    }

    fn twig(&self, key: NodeKey) -> Option<Twig> {
        let node = self.get(key)?;
        Some(Twig {
            key,
            parent: node.parent,
            step: node.step?,
            remarks: node.remarks.clone(),
        })
    }

    /// Adds a node as a child of its parent, at an index or behind all others; nothing happens if there is
    /// no such parent, or a node of that name.
    fn put(&mut self, twig: Twig, index: usize) {
        if self.nodes.contains_key(&twig.key) {
            return;
        }
        let Some(parent) = self.nodes.get_mut(&twig.parent) else {
            return;
        };
        let index = index.min(parent.children.len());
        parent.children.insert(index, twig.key);
        self.next = self.next.max(twig.key.0.saturating_add(1));
        let node = StudyNode {
            step: Some(twig.step),
            parent: twig.parent,
            children: Vec::new(),
            remarks: twig.remarks,
        };
        self.nodes.insert(twig.key, node);
    }

    /// Puts a branch into the tree; its first node becomes a child with this index. Says whether it fits; if
    /// not, nothing changes.
    pub(super) fn graft(&mut self, branch: Branch, index: usize) -> bool {
        let mut new = BTreeSet::new();
        let fits = branch.iter().all(|twig| {
            let has_parent = match new.is_empty() {
                true => self.nodes.contains_key(&twig.parent),
                false => new.contains(&twig.parent),
            };
            has_parent && !self.nodes.contains_key(&twig.key) && new.insert(twig.key)
        });
        if fits {
            let mut index = index;
            for twig in branch {
                self.put(twig, std::mem::replace(&mut index, usize::MAX));
            }
        }
        fits
    }

    /// From now on gives only names that the other tree has not given either.
    pub(super) fn skip_keys_of(&mut self, other: &Self) {
        self.next = self.next.max(other.next);
    }

    /// Takes a node and all behind it out of the tree; nothing for the root and for what is not there.
    pub(super) fn prune(&mut self, key: NodeKey) -> Option<(usize, Branch)> {
        self.get(key)?.step?;
        let index = self.index(key)?;
        let keys: Vec<NodeKey> = self.walk_from(key).collect();
        let branch: Branch = keys.iter().filter_map(|&key| self.twig(key)).collect();
        let parent = self.get(key)?.parent;
        self.nodes.get_mut(&parent)?.children.remove(index);
        for key in keys {
            self.nodes.remove(&key);
        }
        Some((index, branch))
    }

    /// Gives a node another place among its siblings, and says which it had.
    pub(super) fn order(&mut self, key: NodeKey, index: usize) -> Option<usize> {
        self.get(key)?.step?;
        let old = self.index(key)?;
        let parent = self.get(key)?.parent;
        let siblings = &mut self.nodes.get_mut(&parent)?.children;
        if index >= siblings.len() {
            return None;
        }
        let it = siblings.remove(old);
        siblings.insert(index, it);
        Some(old)
    }

    /// Writes other remarks to a node, and gives what stood there.
    pub(super) fn remark(&mut self, key: NodeKey, remarks: Remarks) -> Option<Remarks> {
        let node = self.nodes.get_mut(&key)?;
        Some(std::mem::replace(&mut node.remarks, remarks))
    }

    /// Whether two trees have the same moves in the same order with the same remarks, whatever their nodes
    /// are called.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let depth = |tree: &Self, key| tree.ancestors(key).count();
        let shape = |tree: &Self| -> Vec<_> {
            let nodes = tree.walk().map(|key| {
                let node = &tree.nodes[&key];
                (depth(tree, key), node.step, node.remarks.clone())
            });
            nodes.collect()
        };
        shape(self) == shape(other)
    }
}

impl Default for StudyTree {
    fn default() -> Self {
        Self::new()
    }
}
