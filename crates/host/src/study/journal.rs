//! The journal of a study: what can be undone and redone, and what is kept of it.

use serde::{Deserialize, Serialize};

use super::{Body, Entry, NodeKey, Scene, Study, StudyError};

/// How many commands can be undone.
const MOST_ENTRIES: usize = 200;

/// How long the text of a board may be, in bytes.
const LARGEST_BODY: usize = 256 * 1024;

/// How much of the journal is kept, in bytes of text; the oldest go first. The largest board that a new root
/// replaces has room in it.
const LARGEST_JOURNAL: usize = LARGEST_BODY + 64 * 1024;

/// What was done, the latest last, and what was undone, the next to redo last.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    past: Vec<Entry>,
    future: Vec<Entry>,
}

impl Journal {
    pub(super) fn has_past(&self) -> bool {
        !self.past.is_empty()
    }

    pub(super) fn has_future(&self) -> bool {
        !self.future.is_empty()
    }

    /// Notes how to undo what was done just now.
    pub(super) fn note(&mut self, entry: Entry) {
        self.future.clear();
        self.past.push(entry);
        if self.past.len() > MOST_ENTRIES {
            self.past.remove(0);
        }
    }
}

/// Which way the journal is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Back,
    Forth,
}

impl Study {
    /// Goes one entry back or forth; nothing happens if there is none. An entry that does not fit, which
    /// only a damaged store can hold, is given up with all behind it.
    pub(super) fn turn(&mut self, way: Way) {
        let Journal { past, future } = &mut self.journal;
        let (from, to) = match way {
            Way::Back => (past, future),
            Way::Forth => (future, past),
        };
        let Some(entry) = from.pop() else { return };
        let before = self.scene.clone();
        let mut inverse = Vec::with_capacity(entry.changes.len());
        for change in entry.changes {
            let Ok(back) = self.scene.make(change) else {
                self.scene = before;
                from.clear();
                return;
            };
            inverse.push(back);
        }
        inverse.reverse();
        to.push(Entry {
            changes: inverse,
            cursor: self.cursor,
        });
        self.cursor = entry.cursor;
        self.steady();
    }

    /// The cursor is at a node that is there.
    pub(super) fn steady(&mut self) {
        if self.tree().get(self.cursor).is_none() {
            self.cursor = NodeKey::ROOT;
        }
    }

    /// What is kept: the board, and the journal as far as there is room for it.
    ///
    /// # Errors
    /// The board is too large to be kept.
    pub fn text(&self) -> Result<(String, String), StudyError> {
        let unreadable = |error: serde_json::Error| StudyError::Unreadable(error.to_string());
        let kept = KeptScene {
            by_rules: self.scene.by_rules,
            body: self.scene.body.clone(),
        };
        let body = serde_json::to_string(&kept).map_err(unreadable)?;
        if body.len() > LARGEST_BODY {
            return Err(StudyError::TooLarge);
        }
        let mut journal = self.journal.clone();
        let mut text = serde_json::to_string(&journal).map_err(unreadable)?;
        while text.len() > LARGEST_JOURNAL && (journal.has_past() || journal.has_future()) {
            // What can be redone matters less than what can be undone.
            match journal.has_future() {
                true => journal.future.clear(),
                false => drop(journal.past.drain(..journal.past.len().div_ceil(4))),
            }
            text = serde_json::to_string(&journal).map_err(unreadable)?;
        }
        Ok((body, text))
    }

    /// A study from what was kept of it.
    ///
    /// # Errors
    /// The text of the board is none. A journal that cannot be read is as good as an empty one.
    pub fn read(body: &str, journal: &str, cursor: NodeKey) -> Result<Self, StudyError> {
        let kept: KeptScene = serde_json::from_str(body)
            .map_err(|error| StudyError::Unreadable(error.to_string()))?;
        let mut study = Self {
            scene: Scene {
                by_rules: kept.by_rules,
                body: kept.body,
            },
            cursor,
            journal: serde_json::from_str(journal).unwrap_or_default(),
        };
        study.steady();
        Ok(study)
    }
}

/// A board as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptScene {
    by_rules: bool,
    #[serde(flatten)]
    body: Body,
}
