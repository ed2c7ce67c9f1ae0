//! What can be done to a study.

use std::sync::Arc;

use tablut_rules::{
    Move, Rules, Setup,
    record::{Record, Score},
};

use super::{
    Body, Drawing, Entry, LONGEST_COMMENT, LONGEST_LINE, MOST_DRAWINGS, MOST_MARKS, MOST_MOVES,
    NodeKey, Remarks, Study, StudyError, advance, change::Change, journal::Way, tree::Twig,
};

/// What can be done to a study. Each command is one entry of the journal: undone and redone as a whole.
#[derive(Clone, Debug)]
pub enum StudyCommand {
    /// Plays moves from a node, and looks at the last one. Moves that are there already are not added again.
    Play {
        /// From where.
        node: NodeKey,
        /// The moves.
        moves: Vec<Move>,
    },
    /// A new root: any set-up, without moves.
    SetUp {
        /// Its rules.
        rules: Arc<Rules>,
        /// The set-up.
        setup: Setup,
    },
    /// A new root with moves: what a text or a game holds.
    Open {
        /// The board.
        body: Box<Body>,
        /// Where to look.
        cursor: NodeKey,
    },
    /// Writes a comment at a node.
    Comment {
        /// Where.
        node: NodeKey,
        /// The text; empty for none.
        text: String,
    },
    /// Marks a move.
    Mark {
        /// The node it leads to.
        node: NodeKey,
        /// All its marks.
        nags: Vec<u8>,
    },
    /// Draws arrows and circles at a node.
    Draw {
        /// Where.
        node: NodeKey,
        /// All that is drawn there.
        drawings: Vec<Drawing>,
    },
    /// Makes the line of a node the main one where it branches off.
    Promote {
        /// The node.
        node: NodeKey,
    },
    /// Takes a node out, with all behind it.
    Delete {
        /// The node.
        node: NodeKey,
    },
    /// From now on moves follow the rules, or do not.
    ByRules(bool),
    /// Writes at many nodes at once.
    Annotate(Vec<Annotation>),
    /// Adds the moves and notes of a record that starts from the same root.
    Merge(Box<Record>),
    /// Undoes the last command that is not undone.
    Undo,
    /// Redoes what was undone last.
    Redo,
}

/// What is written at a node together with others; what is nothing stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// Where.
    pub node: NodeKey,
    /// A comment.
    pub comment: Option<String>,
    /// Marks.
    pub nags: Option<Vec<u8>>,
    /// What the position is worth for white.
    pub score: Option<Score>,
    /// Lines that start here, added behind those that are there.
    pub lines: Vec<Vec<Move>>,
}

impl Study {
    /// Obeys a command. The rules are those of the study as it is.
    ///
    /// # Errors
    /// Says why not; the study is as it was.
    pub fn obey(&mut self, rules: &Arc<Rules>, command: StudyCommand) -> Result<(), StudyError> {
        match command {
            StudyCommand::Undo => self.turn(Way::Back),
            StudyCommand::Redo => self.turn(Way::Forth),
            command => {
                let mut draft = Draft {
                    study: self.clone(),
                    undo: Vec::new(),
                };
                draft.obey(rules, command)?;
                draft.finish(self);
            }
        }
        Ok(())
    }
}

/// A study that is being changed: nobody sees it if something goes wrong.
struct Draft {
    study: Study,
    undo: Vec<Change>,
}

impl Draft {
    fn obey(&mut self, rules: &Arc<Rules>, command: StudyCommand) -> Result<(), StudyError> {
        match command {
            StudyCommand::Play { node, moves } => {
                self.study.cursor = self.play(rules, node, &moves)?;
            }
            StudyCommand::SetUp { rules, setup } => {
                if setup.size() != rules.size() {
                    return Err(StudyError::OtherBoard);
                }
                self.replace(Body::new(rules.set().id(), setup))?;
            }
            StudyCommand::Open { body, cursor } => {
                if body.tree.len() > MOST_MOVES {
                    return Err(StudyError::TooManyMoves);
                }
                self.replace(*body)?;
                self.study.go(cursor)?;
                if !self.study.by_rules() && !self.study.tree().is_empty() {
                    self.change(Change::ByRules(true))?;
                }
            }
            StudyCommand::Comment { node, text } => {
                self.remark(node, |remarks| remarks.comment = text)?;
            }
            StudyCommand::Mark { node, nags } => {
                self.remark(node, |remarks| remarks.nags = nags)?;
            }
            StudyCommand::Draw { node, drawings } => {
                self.remark(node, |remarks| remarks.drawings = drawings)?;
            }
            StudyCommand::Promote { node } => self.promote(node)?,
            StudyCommand::Delete { node } => self.delete(node)?,
            StudyCommand::ByRules(by_rules) => self.change(Change::ByRules(by_rules))?,
            StudyCommand::Annotate(annotations) => {
                for annotation in annotations {
                    self.annotate(rules, annotation)?;
                }
            }
            StudyCommand::Merge(record) => self.merge(rules, &record)?,
            StudyCommand::Undo | StudyCommand::Redo => {}
        }
        Ok(())
    }

    /// Makes the draft the study. What changed nothing is not noted, so that undo always does something.
    fn finish(self, study: &mut Study) {
        let cursor = study.cursor;
        let is_same = self.study.scene == study.scene;
        *study = self.study;
        study.steady();
        if !is_same {
            let mut changes = self.undo;
            changes.reverse();
            study.journal.note(Entry { changes, cursor });
        }
    }

    fn change(&mut self, change: Change) -> Result<(), StudyError> {
        let inverse = self.study.scene.make(change);
        self.undo.push(inverse.map_err(|_| StudyError::NoNode)?);
        Ok(())
    }

    fn replace(&mut self, mut body: Body) -> Result<(), StudyError> {
        body.tree.skip_keys_of(self.study.tree());
        self.change(Change::Replace(Box::new(body)))?;
        self.study.cursor = NodeKey::ROOT;
        Ok(())
    }

    /// Adds moves from a node on, and gives the last.
    fn play(
        &mut self,
        rules: &Arc<Rules>,
        node: NodeKey,
        moves: &[Move],
    ) -> Result<NodeKey, StudyError> {
        let depth = self.study.tree().ancestors(node).count();
        if depth + moves.len() > LONGEST_LINE + 1 {
            return Err(StudyError::TooManyMoves);
        }
        let (mut position, mut end) = self.study.position(rules, node)?;
        let mut at = node;
        for &step in moves {
            (position, end) = advance(rules, &position, end, step)?;
            at = match self.study.tree().child(at, step) {
                Some(child) => child,
                None => self.add(at, step)?,
            };
        }
        Ok(at)
    }

    /// Adds a node behind all others of its parent.
    fn add(&mut self, parent: NodeKey, step: Move) -> Result<NodeKey, StudyError> {
        if self.study.tree().len() >= MOST_MOVES {
            return Err(StudyError::TooManyMoves);
        }
        let key = self.study.scene.body.tree.fresh_key();
        let twig = Twig {
            key,
            parent,
            step,
            remarks: Remarks::default(),
        };
        self.change(Change::Graft {
            index: usize::MAX,
            branch: vec![twig],
        })?;
        Ok(key)
    }

    fn remark(
        &mut self,
        node: NodeKey,
        write: impl FnOnce(&mut Remarks),
    ) -> Result<(), StudyError> {
        let old = &self
            .study
            .tree()
            .get(node)
            .ok_or(StudyError::NoNode)?
            .remarks;
        let mut remarks = old.clone();
        write(&mut remarks);
        if remarks.comment.chars().count() > LONGEST_COMMENT {
            return Err(StudyError::TooLong);
        }
        if remarks.nags.len() > MOST_MARKS || remarks.drawings.len() > MOST_DRAWINGS {
            return Err(StudyError::TooManyMarks);
        }
        if remarks != *old {
            self.change(Change::Remark { node, remarks })?;
        }
        Ok(())
    }

    fn promote(&mut self, node: NodeKey) -> Result<(), StudyError> {
        let tree = self.study.tree();
        tree.get(node).ok_or(StudyError::NoNode)?;
        let branching = {
            let mut line = tree.ancestors(node);
            line.find(|&key| tree.index(key).is_some_and(|index| index > 0))
        };
        if let Some(node) = branching {
            self.change(Change::Order { node, index: 0 })?;
        }
        Ok(())
    }

    fn delete(&mut self, node: NodeKey) -> Result<(), StudyError> {
        let tree = self.study.tree();
        let parent = tree.get(node).ok_or(StudyError::NoNode)?.parent();
        let is_behind = tree.ancestors(self.study.cursor).any(|key| key == node);
        self.change(Change::Prune { node })?;
        if is_behind {
            self.study.cursor = parent;
        }
        Ok(())
    }

    fn annotate(&mut self, rules: &Arc<Rules>, annotation: Annotation) -> Result<(), StudyError> {
        let Annotation {
            node,
            comment,
            nags,
            score,
            lines,
        } = annotation;
        self.remark(node, |remarks| {
            if let Some(comment) = comment {
                remarks.comment = comment;
            }
            if let Some(nags) = nags {
                remarks.nags = nags;
            }
            remarks.score = score.or(remarks.score);
        })?;
        for line in lines {
            self.play(rules, node, &line)?;
        }
        Ok(())
    }

    /// Adds what a record has: moves that are missing, and its notes where it has any.
    fn merge(&mut self, rules: &Arc<Rules>, record: &Record) -> Result<(), StudyError> {
        let tree = record.tree();
        // Where the record's nodes are here; a parent comes before its children.
        let mut places = std::collections::HashMap::new();
        for node in tree.nodes() {
            let place = match (tree.parent(node), tree.step(node)) {
                (Some(parent), Some(step)) => match places.get(&parent) {
                    Some(&place) => self.play(rules, place, &[step])?,
                    None => continue,
                },
                _ => NodeKey::ROOT,
            };
            places.insert(node, place);
            let notes = Remarks::of_notes(tree.notes(node));
            if notes != Remarks::default() {
                self.remark(place, |remarks| {
                    *remarks = Remarks {
                        clock_ms: notes.clock_ms.or(remarks.clock_ms),
                        spent_ms: notes.spent_ms.or(remarks.spent_ms),
                        score: notes.score.or(remarks.score),
                        ..notes
                    }
                })?;
            }
        }
        Ok(())
    }
}
