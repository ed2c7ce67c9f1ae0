//! Inquiries in the pool: they take turns like moves, and tell what they find while they think.

use std::{convert::Infallible, fmt, future::pending, sync::Arc, time::Duration};

use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::{Busy, Claim, EnginePool, Purpose, Thinker, spawn};
use crate::inquiry::{Finding, InquiryTask, engine};

/// How often news of an inquiry is told at most.
const PACE: Duration = Duration::from_millis(60);

/// An inquiry under way. Dropping it stops the work.
pub struct Inquiry {
    /// Nothing if the answer was known, or if it is looked for elsewhere.
    _claim: Option<Claim>,
    findings: watch::Receiver<InquiryNews>,
    /// Before this nothing more is told.
    next: Instant,
    is_over: bool,
}

/// How far an inquiry has come.
#[derive(Clone, Debug, Default)]
pub struct InquiryNews {
    /// What was found so far; nothing if the work has ended without a result, or if no engine is there to
    /// begin it.
    pub finding: Option<Arc<Finding>>,
    /// Whether this is all.
    pub is_done: bool,
}

impl Inquiry {
    /// An inquiry whose answer is known, or of which it is known that there is none.
    pub(crate) fn answered(finding: Option<Finding>) -> Self {
        let (_, mut findings) = watch::channel(InquiryNews {
            finding: finding.map(Arc::new),
            is_done: true,
        });
        findings.mark_changed();
        Self::new(None, findings)
    }

    /// An inquiry that a worker works on, until nobody hears of it any more.
    pub(crate) fn queued(findings: watch::Receiver<InquiryNews>) -> Self {
        Self::new(None, findings)
    }

    fn new(claim: Option<Claim>, findings: watch::Receiver<InquiryNews>) -> Self {
        Self {
            _claim: claim,
            findings,
            next: Instant::now(),
            is_over: false,
        }
    }

    /// Waits for what was found since the last time, the newest only. After the end there is nothing to
    /// wait for. Whoever gives up waiting loses nothing and may wait again.
    pub async fn news(&mut self) -> InquiryNews {
        if self.is_over {
            pending::<()>().await;
        }
        sleep_until(self.next).await;
        let news = match self.findings.changed().await {
            Ok(()) => self.findings.borrow_and_update().clone(),
            Err(_) => InquiryNews {
                finding: None,
                is_done: true,
            },
        };
        self.is_over = news.is_done;
        self.next = Instant::now() + PACE;
        news
    }
}

impl fmt::Debug for Inquiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inquiry").finish_non_exhaustive()
    }
}

impl EnginePool {
    /// Lets an engine work on an inquiry. What it finds in the end is given to `on_end`, on the thread
    /// of the engine, before it is told.
    ///
    /// # Errors
    /// Too much is asked already.
    pub fn inquire(
        &self,
        owner: &str,
        task: InquiryTask,
        on_end: impl FnOnce(&Finding) + Send + 'static,
    ) -> Result<Inquiry, Busy> {
        let purpose = match task.is_endless() {
            true => Purpose::Lines,
            false => Purpose::Answer,
        };
        let number = self.shared.turns().add(owner, purpose, true)?;
        let (claim, thinker) = self.take_on(number, None);
        let (sender, findings) = watch::channel(InquiryNews::default());
        let owner = owner.to_string();
        spawn(move || {
            let found = thinker.inquire(&owner, &task, &mut |finding| {
                sender.send_replace(InquiryNews {
                    finding: Some(Arc::new(finding)),
                    is_done: false,
                });
            });
            // Whoever comes next need not wait until this thread has ended.
            drop(thinker);
            if let Some(found) = found {
                on_end(&found);
                sender.send_replace(InquiryNews {
                    finding: Some(Arc::new(found)),
                    is_done: true,
                });
            }
        })?;
        Ok(Inquiry::new(Some(claim), findings))
    }
}

impl Thinker {
    fn inquire(
        &self,
        owner: &str,
        task: &InquiryTask,
        on_finding: &mut dyn FnMut(Finding),
    ) -> Option<Finding> {
        if !self.shared.wait(self.number, None) {
            return None;
        }
        let control = self.control()?;
        if !task.is_endless() {
            let mut engine = engine(task.hash_mb());
            return task.perform(&mut engine, &control, on_finding);
        }
        // Whoever steps through a game looks at positions that the engine has seen before.
        let shelf = &self.shared.engines;
        let made = shelf.take(owner, |hash_mb| {
            Ok::<_, Infallible>(engine(usize::try_from(hash_mb).unwrap_or(usize::MAX)))
        });
        let Ok(mut borrowed) = made;
        let found = task.perform(&mut borrowed.engine, &control, on_finding);
        shelf.put(owner, borrowed);
        found
    }
}
