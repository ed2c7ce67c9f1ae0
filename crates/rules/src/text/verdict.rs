//! What a move does, in one line put together from its reasons.

use alloc::{format, string::String, vec::Vec};

use super::Lang;
use crate::{Outcome, Verdict};

impl Verdict {
    /// What the move does, or why it is not allowed, without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        match self {
            Self::Illegal(reason) => {
                format!("{}: {}", lang.words().not_allowed, reason.sentence(lang))
            }
            Self::Made { captures, end } => {
                let captures = captures.iter().map(|capture| capture.sentence(lang));
                let end = end.map(|end| Outcome::from(end).sentence(lang));
                let parts: Vec<String> = captures.chain(end).collect();
                if parts.is_empty() {
                    return lang.words().no_capture.into();
                }
                parts.join("; ")
            }
        }
    }
}
