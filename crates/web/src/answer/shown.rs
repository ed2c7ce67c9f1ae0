//! The study that a page shows, and what becomes of it on other pages.

use std::sync::Arc;

use tablut_host::{Host, OpenedStudy, StudyWatch};
use tablut_rules::Rules;
use tablut_store::Visitor;

/// A study as a page was shown it last.
pub(crate) struct ShownStudy {
    /// Its id; nothing for a board that was not kept yet.
    id: Option<String>,
    version: u64,
    rules: Arc<Rules>,
    watch: StudyWatch,
    /// Whether it may have been changed elsewhere.
    may_be_behind: bool,
}

impl ShownStudy {
    /// The page is shown a study, after what it was shown before.
    pub(super) fn show(before: Option<Self>, host: &Host, opened: &OpenedStudy) -> Self {
        let before = before.filter(|before| before.watch.owner() == opened.owner);
        // Who has just begun to listen may have missed a change.
        let (watch, may_be_behind) = match before {
            Some(before) => (before.watch, before.may_be_behind),
            None => (host.watch_studies(&opened.owner), true),
        };
        Self {
            id: opened.id.clone(),
            version: opened.version,
            rules: Arc::clone(&opened.rules),
            watch,
            may_be_behind,
        }
    }

    /// Waits until the study is not what the page shows any more. Whoever gives up waiting loses nothing and may
    /// wait again.
    pub(super) async fn news(&mut self, host: &Host, visitor: &Visitor) -> OpenedStudy {
        loop {
            if !self.may_be_behind {
                let notice = self.watch.changed().await;
                // The page's own changes are announced, too. Of several changes the last one is told, so a
                // change of another study may stand for one of this.
                self.may_be_behind = notice.is_none_or(|notice| {
                    Some(&*notice.study) != self.id.as_deref() || notice.version > self.version
                });
                continue;
            }
            let id = self.id.as_deref();
            let opened = host.open_study(visitor, id, &self.rules).await;
            self.may_be_behind = false;
            // One that cannot be read, or was deleted, stays on the page until somebody changes it there.
            if let Ok(opened) = opened
                && (opened.id != self.id || opened.version > self.version)
            {
                self.id.clone_from(&opened.id);
                self.version = opened.version;
                return opened;
            }
        }
    }
}
