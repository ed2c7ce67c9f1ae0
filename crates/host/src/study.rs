//! A board with a tree of moves, which remembers how it came to be.
//!
//! A [`Study`] is a root set-up, the moves from there on with variations, comments, marks and drawings, a
//! cursor, and a journal of changes, each with its inverse. It is pure: [`StudyCommand`]s go in, and
//! [`Study::text`] is what is kept of it. [`Host::edit_study`](crate::Host::edit_study) keeps it after each
//! change.

mod change;
mod command;
mod desk;
mod drawing;
mod journal;
mod listeners;
mod record;
mod tree;

use std::sync::Arc;

use tablut_rules::{Bitboard, End, IllegalMove, Move, Outcome, Position, Rules, Setup, SetupError};

pub(crate) use self::listeners::StudyListeners;
pub use self::{
    change::Body,
    command::{Annotation, StudyCommand},
    desk::OpenedStudy,
    listeners::StudyWatch,
    tree::{Drawing, NodeKey, Remarks, StudyNode, StudyTree},
};
use self::{
    change::{Entry, Scene},
    journal::Journal,
    tree::Branch,
};

/// The most moves of a study, variations included.
pub(crate) const MOST_MOVES: usize = 5000;

/// The most moves of one line of a study.
pub(crate) const LONGEST_LINE: usize = 1000;

/// The longest comment, in letters.
pub(crate) const LONGEST_COMMENT: usize = 4000;

/// The most marks at a move, and the most drawings at a position.
const MOST_MARKS: usize = 8;
const MOST_DRAWINGS: usize = 100;

/// Why a command is not obeyed; the study is as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The node is not there, or not any more.
    #[error("this move is not there any more; look again")]
    NoNode,
    /// The set-up cannot be played.
    #[error("no game can continue from this position: {0}")]
    Setup(SetupError),
    /// A move is illegal.
    #[error("{0}")]
    Illegal(Move, IllegalMove),
    /// The game is over before a move.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The set-up is of another board than the rules.
    #[error("this position does not fit on the board of this rule set")]
    OtherBoard,
    /// There are as many moves as there may be.
    #[error("a study has at most {MOST_MOVES} moves, and a line at most {LONGEST_LINE}")]
    TooManyMoves,
    /// A comment is too long.
    #[error("a comment has at most {LONGEST_COMMENT} letters")]
    TooLong,
    /// All texts together are too long.
    #[error("this study is too large to be kept; shorten comments or delete lines")]
    TooLarge,
    /// There are too many marks or drawings, or there is no such mark.
    #[error("there are too many marks or drawings here")]
    TooManyMarks,
    /// What was kept is no study.
    #[error("the stored study cannot be read: {0}")]
    Unreadable(String),
}

/// A board with a tree of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Study {
    scene: Scene,
    cursor: NodeKey,
    journal: Journal,
}

/// A node as it is shown.
#[derive(Clone, Debug)]
pub struct NodeView<'a> {
    /// Its name.
    pub key: NodeKey,
    /// The node.
    pub node: &'a StudyNode,
    /// What the move captured.
    pub captured: Bitboard,
    /// How the move ended the game on the board.
    pub end: Option<End>,
}

impl Study {
    /// A board with the start of a rule set.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self::of_body(Body::new(rules.set().id(), Setup::from(&rules.start())))
    }

    fn of_body(body: Body) -> Self {
        Self {
            scene: Scene {
                body,
                by_rules: true,
            },
            cursor: NodeKey::ROOT,
            journal: Journal::default(),
        }
    }

    /// Rules, root and moves.
    #[must_use]
    pub const fn body(&self) -> &Body {
        &self.scene.body
    }

    /// The moves.
    #[must_use]
    pub const fn tree(&self) -> &StudyTree {
        &self.scene.body.tree
    }

    /// Whether moves follow the rules, as opposed to moving pieces freely.
    #[must_use]
    pub const fn by_rules(&self) -> bool {
        self.scene.by_rules
    }

    /// The node that is looked at.
    #[must_use]
    pub const fn cursor(&self) -> NodeKey {
        self.cursor
    }

    /// Whether there is something to undo, and something to redo.
    #[must_use]
    pub fn can_undo_redo(&self) -> (bool, bool) {
        (self.journal.has_past(), self.journal.has_future())
    }

    /// Looks at a node. That is no change: it is not undone.
    ///
    /// # Errors
    /// There is no such node.
    pub fn go(&mut self, node: NodeKey) -> Result<(), StudyError> {
        self.tree().get(node).ok_or(StudyError::NoNode)?;
        self.cursor = node;
        Ok(())
    }

    /// Where the moves start, if games can.
    fn start(&self, rules: &Rules) -> Result<Position, StudyError> {
        let position = rules.position(&self.body().setup);
        position
            .or_else(SetupError::playable)
            .map_err(StudyError::Setup)
    }

    /// The position at a node, and how the last move ended the game.
    ///
    /// # Errors
    /// There is no such node, or its moves cannot be made.
    pub fn position(
        &self,
        rules: &Arc<Rules>,
        node: NodeKey,
    ) -> Result<(Position, Option<End>), StudyError> {
        self.tree().get(node).ok_or(StudyError::NoNode)?;
        let (mut position, mut end) = (self.start(rules)?, None);
        for step in self.tree().path(node) {
            (position, end) = advance(rules, &position, end, step)?;
        }
        Ok((position, end))
    }

    /// All nodes in the order of a walk, with what their moves do. The rules are those of the study.
    #[must_use]
    pub fn view(&self, rules: &Rules) -> Vec<NodeView<'_>> {
        let tree = self.tree();
        let start = self.start(rules).ok();
        // The positions of the line that is being walked; a node is one deeper than its parent.
        let mut line: Vec<(NodeKey, Option<Position>)> = vec![(NodeKey::ROOT, start)];
        let mut views = Vec::with_capacity(tree.len() + 1);
        for key in tree.walk() {
            let Some(node) = tree.get(key) else { continue };
            let mut view = NodeView {
                key,
                node,
                captured: Bitboard::EMPTY,
                end: None,
            };
            if let Some(step) = node.step() {
                while line.last().is_some_and(|(key, _)| *key != node.parent()) {
                    line.pop();
                }
                let before = line.last().and_then(|(_, position)| position.as_ref());
                let applied = before.and_then(|position| rules.apply(position, step).ok());
                if let Some(applied) = &applied {
                    (view.captured, view.end) = (applied.captured, applied.end);
                }
                line.push((key, applied.map(|applied| applied.position)));
            }
            views.push(view);
        }
        views
    }
}

/// One move further, unless the board has ended the game. Laws (repetition, limits) do not end a line of a
/// study: it is for looking at what could be.
fn advance(
    rules: &Rules,
    position: &Position,
    end: Option<End>,
    step: Move,
) -> Result<(Position, Option<End>), StudyError> {
    if let Some(end) = end {
        return Err(StudyError::Over(end.into()));
    }
    let applied = rules.apply(position, step);
    let applied = applied.map_err(|reason| StudyError::Illegal(step, reason))?;
    Ok((applied.position, applied.end))
}

#[cfg(test)]
mod tests;
