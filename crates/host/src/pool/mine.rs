//! Puzzles in the pool: looked for and proved in turns with moves and inquiries.

use tokio::sync::oneshot;

use super::{Busy, EnginePool, Job, Purpose, Thinker, Unanswered, spawn};
use crate::mining::{PuzzleFinding, PuzzleTask};

impl EnginePool {
    /// Lets puzzles be looked for, or proved.
    ///
    /// # Errors
    /// Too much is asked already.
    pub(crate) fn mine(&self, owner: &str, task: PuzzleTask) -> Result<Job<PuzzleFinding>, Busy> {
        let number = self.shared.turns().add(owner, Purpose::Answer, true)?;
        let (claim, thinker) = self.take_on(number, None);
        let (reply, answer) = oneshot::channel();
        spawn(move || {
            let found = thinker.mine(&task).ok_or(Unanswered::Stopped);
            // Whoever comes next need not wait until this thread has ended.
            drop(thinker);
            // Whoever asked may be gone.
            let _ = reply.send(found);
        })?;
        Ok(Job::taken_on(claim, answer))
    }
}

impl Thinker {
    fn mine(&self, task: &PuzzleTask) -> Option<PuzzleFinding> {
        if !self.shared.wait(self.number, None) {
            return None;
        }
        let found = task.perform(&self.control()?);
        // What a search says that was stopped means nothing.
        (!self.is_given_up()).then_some(found)
    }
}
