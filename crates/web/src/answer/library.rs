//! A visitor's slots and library of positions.

use tablut_host::speech::Phrase;
use tablut_rules::text::is_harmful;
use tablut_store::{NamedPosition, Saved};

use super::{Answered, LIST, Visit, position_info};
use crate::message::{Answer, LibraryEntry, PositionInfo, Problem};

/// The longest name of a position, in letters.
const LONGEST_TITLE: usize = 80;

impl Visit {
    pub(super) async fn slots(&self) -> Answered {
        let slots = self.kept(self.host.store().slots(&self.visitor.id).await)?;
        let slots = slots.into_iter();
        let slots = slots.map(|(number, saved)| (number, info(&saved)));
        Ok(Answer::Slots(slots.collect()))
    }

    pub(super) async fn save_slot(&mut self, number: u8, place: Option<PositionInfo>) -> Answered {
        if number > 9 {
            return self.problem(Phrase::NoSlot);
        }
        let saved = match &place {
            Some(place) => Some(self.saved(place)?),
            None => None,
        };
        self.settle().await?;
        let (store, now) = (self.host.store(), self.host.now_ms());
        let before = store
            .save_slot(&self.visitor.id, number, saved.as_ref(), now)
            .await;
        let before = self.kept(before)?;
        Ok(Answer::Before(before.as_ref().map(info)))
    }

    fn saved(&self, place: &PositionInfo) -> Result<Saved, Problem> {
        Ok(Saved {
            rules: self.rules(&place.rules)?.set().id().into(),
            setup: self.setup(&place.setup)?,
        })
    }

    pub(super) async fn library(&self, search: &str) -> Answered {
        if search.chars().count() > LONGEST_TITLE {
            return self.problem(Phrase::BadTitle);
        }
        let store = self.host.store();
        let positions = store.positions(&self.visitor.id, search, LIST).await;
        let entries = self.kept(positions)?.into_iter();
        let entries = entries.map(|position| LibraryEntry {
            place: info(&position.saved),
            id: position.id,
            name: position.name,
            saved_ms: position.saved_ms,
        });
        Ok(Answer::Library(entries.collect()))
    }

    pub(super) async fn save_position(
        &mut self,
        id: Option<String>,
        name: &str,
        place: &PositionInfo,
    ) -> Answered {
        let name = name.trim();
        let letters = name.chars().count();
        if !(1..=LONGEST_TITLE).contains(&letters) || name.chars().any(is_harmful) {
            return self.problem(Phrase::BadTitle);
        }
        let saved = self.saved(place)?;
        self.settle().await?;
        // Ids are given here; one that is not in the visitor's library is nobody's.
        match id {
            None => {
                let added = self.host.add_position(&self.visitor, name, saved).await;
                self.hosted(added)?;
            }
            Some(id) => {
                let position = NamedPosition {
                    id,
                    name: name.into(),
                    saved,
                    saved_ms: self.host.now_ms(),
                };
                let store = self.host.store();
                self.kept(store.change_position(&self.visitor.id, &position).await)?;
            }
        }
        Ok(Answer::Done)
    }

    pub(super) async fn delete_position(&self, id: &str) -> Answered {
        let store = self.host.store();
        self.kept(store.delete_position(&self.visitor.id, id).await)?;
        Ok(Answer::Done)
    }
}

fn info(saved: &Saved) -> PositionInfo {
    position_info(&saved.rules, &saved.setup)
}
