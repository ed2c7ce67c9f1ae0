//! What the engine is asked: lines, proofs, reviews, retries; and what a position is worth without search.

use std::{collections::BTreeMap, future::pending};

use futures_util::future::select_all;
use tablut_host::{
    Finding, Inquiry, InquiryNews, InquiryOrder, KnownWin, PlayLine, speech, speech::Phrase, weigh,
};

use super::{Answered, Visit};
use crate::{
    finding::{self, Sent},
    message::{Answer, FoundInfo, InquiryAsk, PositionInfo, Problem, ServerEvent},
};

/// How many inquiries a page may have under way.
const MOST: usize = 5;

/// The inquiries of a page, by the numbers it gave them.
#[derive(Default)]
pub(crate) struct Inquiries {
    under_way: BTreeMap<u32, (Inquiry, Sent)>,
}

impl Inquiries {
    /// Waits for something that was found, and for which inquiry. Whoever gives up waiting loses nothing
    /// and may wait again.
    pub(crate) async fn news(&mut self) -> (u32, InquiryNews) {
        let waits = self
            .under_way
            .iter_mut()
            .map(|(&number, (inquiry, _))| Box::pin(async move { (number, inquiry.news().await) }));
        let waits: Vec<_> = waits.collect();
        if waits.is_empty() {
            return pending().await;
        }
        let ((number, news), _, _) = select_all(waits).await;
        (number, news)
    }
}

impl Visit {
    /// Begins an inquiry; what is found are events. One with the same number ends.
    pub(super) async fn inquire(&mut self, number: u32, ask: InquiryAsk) -> Answered {
        // First, so that it does not count any more.
        self.inquiries.under_way.remove(&number);
        if self.inquiries.under_way.len() >= MOST {
            return self.problem(Phrase::Busy);
        }
        let only_kept = matches!(ask, InquiryAsk::Review { kept: true, .. });
        let order = self.order(ask).await?;
        let inquiry = match only_kept {
            true => self.host.recall(order).await,
            false => self.host.inquire(&self.visitor, order).await,
        };
        let inquiry = inquiry.map_err(|error| speech::inquiry(self.lang, &error))?;
        let entry = (inquiry, Sent::default());
        self.inquiries.under_way.insert(number, entry);
        Ok(Answer::Done)
    }

    /// Ends an inquiry, if it is under way.
    pub(super) fn dismiss(&mut self, number: u32) -> Answered {
        self.inquiries.under_way.remove(&number);
        Ok(Answer::Done)
    }

    async fn order(&self, ask: InquiryAsk) -> Result<InquiryOrder, Problem> {
        let line = |place: &PositionInfo, moves: &[String]| -> Result<PlayLine, Problem> {
            let (rules, setup, moves) = self.line(place, moves)?;
            let rules = rules.set().id().to_string();
            Ok(PlayLine {
                rules,
                setup,
                moves,
            })
        };
        Ok(match ask {
            InquiryAsk::Lines {
                place,
                moves,
                lines,
                pass,
            } => InquiryOrder::Lines {
                line: line(&place, &moves)?,
                count: lines,
                pass,
            },
            InquiryAsk::Proof {
                place,
                moves,
                known,
            } => InquiryOrder::Proof {
                line: line(&place, &moves)?,
                known: known.map(|known| KnownWin {
                    winner: known.winner,
                    plies: known.plies,
                }),
            },
            InquiryAsk::Review { place, moves, .. } => InquiryOrder::Review {
                line: line(&place, &moves)?,
            },
            InquiryAsk::Retry {
                place,
                moves,
                ply,
                step,
            } => {
                let (line, step) = (line(&place, &moves)?, self.step(&step)?);
                let order = self.host.retry_order(line, ply, step).await;
                order.map_err(|error| speech::inquiry(self.lang, &error))?
            }
        })
    }

    /// News of an inquiry as the page hears it.
    pub(super) fn found(&mut self, number: u32, news: InquiryNews) -> ServerEvent {
        let lang = self.lang;
        let found = match (
            news.finding.as_deref(),
            self.inquiries.under_way.get_mut(&number),
        ) {
            (Some(Finding::Lines(found)), _) => FoundInfo::Lines(finding::lines_info(found)),
            (Some(Finding::Proof(found)), _) => FoundInfo::Proof(finding::proof_info(found)),
            (Some(Finding::Review(review)), Some((_, sent))) => {
                FoundInfo::Review(finding::review_info(review, sent, lang))
            }
            (Some(Finding::Retry { side, retry }), _) => {
                FoundInfo::Retry(finding::retry_info(retry, *side, lang))
            }
            (None, _) if !news.is_done => FoundInfo::Waiting,
            (Some(Finding::Review(_)) | None, _) => FoundInfo::Nothing,
        };
        if news.is_done {
            self.inquiries.under_way.remove(&number);
        }
        ServerEvent::Found {
            number,
            done: news.is_done,
            found,
        }
    }

    pub(super) fn weigh(&self, place: &PositionInfo, moves: &[String]) -> Answered {
        let (rules, setup, moves) = self.line(place, moves)?;
        let weights = weigh(rules, &setup, &moves);
        let weights = weights.map_err(|error| speech::exchange(self.lang, &error))?;
        Ok(Answer::Weights(finding::weights_info(&weights)))
    }
}
