//! The moves of a record: a tree in one flat vector.
//!
//! Nodes know each other by index, so that cloning, dropping, comparing and walking never recurse,
//! however deep the tree is.
//!
//! Invariants: node 0 is the root, which no move leads to and which is nobody's child, so an index
//! of 0 among the links means "none". No two children of a node have the same move. The first child
//! continues the line; the others are variations.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use super::Score;
use crate::Move;

/// What is noted at a move, or, at the root, before the first one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Notes {
    /// The time the mover had left after the move, in milliseconds.
    pub clock_ms: Option<u64>,
    /// The time the mover spent on the move, in milliseconds.
    pub spent_ms: Option<u64>,
    /// What the position after the move was thought to be worth.
    pub score: Option<Score>,
    /// Numeric glyphs as in PGN: 1 is a good move (`!`), 2 a mistake (`?`).
    pub nags: Vec<u8>,
    /// Any text; empty for none.
    pub comment: String,
}

impl Notes {
    /// Whether nothing is noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nags.is_empty() && !self.has_comment()
    }

    /// Whether something is noted that is written inside braces.
    pub(super) fn has_comment(&self) -> bool {
        self.clock_ms.is_some()
            || self.spent_ms.is_some()
            || self.score.is_some()
            || !self.comment.is_empty()
    }

    /// Adds later notes: values replace, glyphs follow, comments go on a new line.
    pub(super) fn merge(&mut self, later: Self) {
        self.clock_ms = later.clock_ms.or(self.clock_ms);
        self.spent_ms = later.spent_ms.or(self.spent_ms);
        self.score = later.score.or(self.score);
        self.nags.extend(later.nags);
        if self.comment.is_empty() {
            self.comment = later.comment;
        } else if !later.comment.is_empty() {
            self.comment.push('\n');
            self.comment.push_str(&later.comment);
        }
    }
}

/// A node of a [`Tree`]: the position after a move, or the start.
///
/// It means something only to the tree it comes from and to that tree's clones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(usize);

impl NodeId {
    /// The node a link leads to.
    const fn linked(index: usize) -> Option<Self> {
        match index {
            0 => None,
            _ => Some(Self(index)),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct TreeNode {
    /// The move that leads here; none only at the root.
    step: Option<Move>,
    ply: usize,
    parent: usize,
    first_child: usize,
    last_child: usize,
    previous: usize,
    next: usize,
    notes: Notes,
}

/// The moves of a game with variations, and what is noted at them.
///
/// Methods panic when given a node of another tree that this one does not have. Two trees are equal
/// if they have the same moves in the same order with the same notes, however they were made.
///
/// ```
/// use tablut_rules::record::Tree;
/// let mut tree = Tree::new();
/// let main = tree.add_move(tree.root(), "e4d4".parse()?);
/// let other = tree.add_move(tree.root(), "e4c4".parse()?);
/// assert_eq!(tree.children(tree.root()).collect::<Vec<_>>(), [main, other]);
/// assert_eq!(tree.main_line().collect::<Vec<_>>(), [main]);
/// # Ok::<(), tablut_rules::ParseMoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    /// Where a parent's move leads, for every child but the first: most nodes need no entry, and
    /// a node with thousands of children is not searched in line.
    variations: BTreeMap<(usize, Move), usize>,
}

impl Tree {
    /// A tree without moves.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: vec![TreeNode::default()],
            variations: BTreeMap::new(),
        }
    }

    /// The start.
    #[must_use]
    pub const fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// How many moves the tree has, variations included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The move that leads to a node; none leads to the root.
    #[must_use]
    pub fn step(&self, node: NodeId) -> Option<Move> {
        self.nodes[node.0].step
    }

    /// How many moves lead to a node.
    #[must_use]
    pub fn ply(&self, node: NodeId) -> usize {
        self.nodes[node.0].ply
    }

    /// The node before the move that leads here.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.0].step?;
        Some(NodeId(self.nodes[node.0].parent))
    }

    /// The node after the move that continues the line.
    #[must_use]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        NodeId::linked(self.nodes[node.0].first_child)
    }

    /// The next alternative to the move that leads here.
    #[must_use]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        NodeId::linked(self.nodes[node.0].next)
    }

    /// The nodes one move on: first the one that continues the line, then the variations.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// Where a move leads from a node, if it has been added.
    #[must_use]
    pub fn child(&self, node: NodeId, step: Move) -> Option<NodeId> {
        self.first_child(node)
            .filter(|&first| self.step(first) == Some(step))
            .or_else(|| self.variations.get(&(node.0, step)).copied().map(NodeId))
    }

    /// The nodes of the main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line_from(self.root())
    }

    /// The nodes of the line that goes on from a node, without that node.
    pub fn line_from(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(self.first_child(node), |&node| self.first_child(node))
    }

    /// The moves that lead to a node from the start.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<Move> {
        let nodes = core::iter::successors(Some(node), |&node| self.parent(node));
        let mut path: Vec<Move> = nodes.filter_map(|node| self.step(node)).collect();
        path.reverse();
        path
    }

    /// All nodes from the root: each before its children, the children of the first one first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        core::iter::successors(Some(self.root()), |&node| {
            self.first_child(node).or_else(|| {
                core::iter::successors(Some(node), |&node| self.parent(node))
                    .find_map(|node| self.next_sibling(node))
            })
        })
    }

    /// What is noted at a node.
    #[must_use]
    pub fn notes(&self, node: NodeId) -> &Notes {
        &self.nodes[node.0].notes
    }

    /// What is noted at a node, to be changed.
    pub fn notes_mut(&mut self, node: NodeId) -> &mut Notes {
        &mut self.nodes[node.0].notes
    }

    /// Adds a move behind all others of its parent, or finds it there.
    pub fn add_move(&mut self, parent: NodeId, step: Move) -> NodeId {
        if let Some(child) = self.child(parent, step) {
            return child;
        }
        let (index, parent) = (self.nodes.len(), parent.0);
        let previous = self.nodes[parent].last_child;
        self.nodes.push(TreeNode {
            step: Some(step),
            ply: self.nodes[parent].ply + 1,
            parent,
            previous,
            ..TreeNode::default()
        });
        self.nodes[parent].last_child = index;
        if previous == 0 {
            self.nodes[parent].first_child = index;
        } else {
            self.nodes[previous].next = index;
            self.variations.insert((parent, step), index);
        }
        NodeId(index)
    }

    /// Makes a move the one that continues its line, before all its alternatives.
    pub fn promote(&mut self, node: NodeId) {
        let TreeNode {
            step,
            parent,
            previous,
            next,
            ..
        } = self.nodes[node.0];
        let Some(step) = step.filter(|_| previous != 0) else {
            return;
        };
        self.nodes[previous].next = next;
        match next {
            0 => self.nodes[parent].last_child = previous,
            next => self.nodes[next].previous = previous,
        }
        let first = core::mem::replace(&mut self.nodes[parent].first_child, node.0);
        self.nodes[first].previous = node.0;
        self.nodes[node.0].previous = 0;
        self.nodes[node.0].next = first;
        self.variations.remove(&(parent, step));
        if let Some(step) = self.nodes[first].step {
            self.variations.insert((parent, step), first);
        }
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        // The order of the walk with the depth of each node is the shape of the tree.
        let same = |(a, b)| {
            let (a, b): (&TreeNode, &TreeNode) = (&self.nodes[a], &other.nodes[b]);
            a.ply == b.ply && a.step == b.step && a.notes == b.notes
        };
        let ids = self.nodes().map(|id| id.0);
        self.len() == other.len() && ids.zip(other.nodes().map(|id| id.0)).all(same)
    }
}

impl Eq for Tree {}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn steps(tree: &Tree, node: NodeId) -> Vec<Move> {
        let children = tree.children(node);
        children.filter_map(|child| tree.step(child)).collect()
    }

    #[test]
    fn a_move_added_twice_is_one_child() {
        let mut tree = Tree::new();
        let first = tree.add_move(tree.root(), step("a1a2"));
        let second = tree.add_move(tree.root(), step("a1a3"));
        assert_eq!(tree.add_move(tree.root(), step("a1a2")), first);
        assert_eq!(tree.add_move(tree.root(), step("a1a3")), second);
        assert_eq!(tree.len(), 2);
        assert_eq!(tree.parent(second), Some(tree.root()));
        assert_eq!(tree.parent(tree.root()), None);
        assert_eq!(tree.path(second), [step("a1a3")]);
    }

    #[test]
    fn a_promoted_move_comes_first_and_all_are_still_found() {
        let moves = ["a1a2", "a1a3", "a1a4", "a1a5"].map(step);
        for promoted in 0..moves.len() {
            let mut tree = Tree::new();
            let root = tree.root();
            let ids = moves.map(|step| tree.add_move(root, step));
            tree.promote(ids[promoted]);
            let mut expected = Vec::from(moves);
            let it = expected.remove(promoted);
            expected.insert(0, it);
            assert_eq!(steps(&tree, root), expected);
            for (id, step) in ids.into_iter().zip(moves) {
                assert_eq!(tree.child(root, step), Some(id));
            }
            let last = tree.add_move(root, step("a1a6"));
            assert_eq!(tree.children(root).last(), Some(last));
        }
        let mut tree = Tree::new();
        tree.promote(tree.root());
        assert_eq!(tree, Tree::new());
    }

    #[test]
    fn trees_are_compared_by_shape_and_not_by_the_order_of_making() {
        let build = |order: [(&[&str], &str); 4]| {
            let mut tree = Tree::new();
            for (path, last) in order {
                let mut node = tree.root();
                for text in path {
                    node = tree.child(node, step(text)).unwrap();
                }
                tree.add_move(node, step(last));
            }
            tree
        };
        let one = build([
            (&[], "a1a2"),
            (&[], "a1a3"),
            (&["a1a2"], "b1b2"),
            (&["a1a3"], "b1b2"),
        ]);
        let same = build([
            (&[], "a1a2"),
            (&["a1a2"], "b1b2"),
            (&[], "a1a3"),
            (&["a1a3"], "b1b2"),
        ]);
        let other = build([
            (&[], "a1a2"),
            (&["a1a2"], "b1b2"),
            (&[], "a1a3"),
            (&["a1a2"], "b1b3"),
        ]);
        assert_eq!(one, same);
        assert_ne!(one, other);
        let mut noted = one.clone();
        let root = noted.root();
        noted.notes_mut(root).comment.push('x');
        assert_ne!(one, noted);
    }
}
