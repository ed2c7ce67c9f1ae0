//! Inquiries of visitors, and reviews that are kept for whoever asks again.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use tablut_review::Review;
use tablut_rules::{Move, Rules};
use tablut_store::{Store, Visitor};
use tokio::{runtime::Handle, sync::oneshot};

use crate::{
    Finding, Host, Inquiry, InquiryError, InquiryOrder, InquiryTask, PlayLine, host::wall_clock_ms,
};

/// How reviews are made and written. Another number lets those that are kept be made again: it is to be
/// raised when marks, facts or the engine change so much that old reviews would mislead.
const MANNER: u32 = 1;

/// How many reviews are kept. One of a long game has about a hundred kilobytes.
const MOST_KEPT: u32 = 2000;

/// What a review is kept under: everything that it depends on.
fn review_id(rules: &Rules, line: &PlayLine) -> String {
    let moves = line.moves.iter().map(Move::to_string);
    let moves = moves.collect::<Vec<_>>().join(" ");
    let (set, setup) = (rules.set(), &line.setup);
    let text = format!("{MANNER}\n{set}\n{setup}\n{moves}");
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

/// The review that is kept under an id. What the store cannot give or nobody can read is made again.
async fn kept(store: &Store, id: &str) -> Option<Review> {
    let text = store.review(id).await.ok()??;
    serde_json::from_str(&text).ok()
}

impl Host {
    /// Lets an engine work for a visitor, until the inquiry is dropped. A review that is kept is there at
    /// once.
    ///
    /// # Errors
    /// Says why there is nothing to find.
    pub async fn inquire(
        &self,
        visitor: &Visitor,
        order: InquiryOrder,
    ) -> Result<Inquiry, InquiryError> {
        let id = &order.line().rules;
        let rules = self.rules(id);
        let rules = rules.ok_or_else(|| InquiryError::Rules(id.clone()))?;
        let task = InquiryTask::new(order, rules)?;
        let InquiryOrder::Review { line } = task.order() else {
            let engines = self.engines();
            let inquiry = engines.inquire(&visitor.id, self.address(), task, |_| {});
            return Ok(inquiry.await?);
        };
        let id = review_id(rules, line);
        if let Some(review) = kept(self.store(), &id).await {
            return Ok(Inquiry::answered(Some(Finding::Review(review))));
        }
        let (store, runtime) = (self.store().clone(), Handle::current());
        let keep = move |finding: &Finding| keep(&store, &runtime, id, finding);
        let engines = self.engines();
        let inquiry = engines.inquire(&visitor.id, self.address(), task, keep);
        Ok(inquiry.await?)
    }

    /// The same for a review that is kept; if none is, nothing is found.
    ///
    /// # Errors
    /// There is no such rule set.
    pub async fn recall(&self, order: InquiryOrder) -> Result<Inquiry, InquiryError> {
        let line = order.line();
        let rules = self.rules(&line.rules);
        let rules = rules.ok_or_else(|| InquiryError::Rules(line.rules.clone()))?;
        let review = kept(self.store(), &review_id(rules, line)).await;
        Ok(Inquiry::answered(review.map(Finding::Review)))
    }

    /// The order for a move that is tried instead of the one with a number in a reviewed game.
    ///
    /// # Errors
    /// There is no finished review of the game, or no such move in it.
    pub async fn retry_order(
        &self,
        mut line: PlayLine,
        ply: usize,
        step: Move,
    ) -> Result<InquiryOrder, InquiryError> {
        let rules = self.rules(&line.rules);
        let rules = rules.ok_or_else(|| InquiryError::Rules(line.rules.clone()))?;
        let review = kept(self.store(), &review_id(rules, &line)).await;
        let played = review.and_then(|review| review.at(ply).cloned());
        let played = played.ok_or(InquiryError::NoReview)?;
        line.moves.truncate(ply.saturating_sub(1));
        Ok(InquiryOrder::Retry {
            line,
            played: Box::new(played),
            step,
        })
    }
}

/// Keeps a review, from the thread of an engine; returns when it is kept. If the store fails, whoever
/// asked has their review all the same, and the next one makes it again.
fn keep(store: &Store, runtime: &Handle, id: String, finding: &Finding) {
    let Finding::Review(review) = finding else {
        return;
    };
    let Ok(text) = serde_json::to_string(review) else {
        return;
    };
    let store = store.clone();
    let (done, is_done) = oneshot::channel();
    runtime.spawn(async move {
        let kept = store.keep_review(&id, &text, wall_clock_ms(), MOST_KEPT);
        let _ = done.send(kept.await.is_ok());
    });
    let _ = is_done.blocking_recv();
}
