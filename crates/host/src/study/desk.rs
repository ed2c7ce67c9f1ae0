//! Studies in the store: opened, changed and kept, one change after another.

use std::sync::Arc;

use tablut_rules::Rules;
use tablut_store::{Entity, Kept, KeptStudy, Saved, StoreError, StudyTitle, Visitor};

use super::{Body, NodeKey, Study, StudyCommand};
use crate::{Host, HostError, fresh_id};

/// How often a change is tried again that somebody else's came before.
const TRIES: usize = 5;

/// A study as somebody sees it.
#[derive(Clone, Debug)]
pub struct OpenedStudy {
    /// The study.
    pub study: Study,
    /// Its rules.
    pub rules: Arc<Rules>,
    /// Its id; nothing for a board that is not kept yet.
    pub id: Option<String>,
    /// Its name; nothing for the visitor's board.
    pub name: Option<String>,
    /// Whether it is the visitor's own, to be changed.
    pub is_own: bool,
    /// Whose it is.
    pub owner: String,
    /// How often it was changed since it is kept.
    pub version: u64,
}

impl Host {
    /// Opens a study of anybody, or the visitor's own board. Nothing is kept by looking: who has no board
    /// sees the start of a rule set.
    ///
    /// # Errors
    /// The store failed, or there is no such study.
    pub async fn open_study(
        &self,
        visitor: &Visitor,
        id: Option<&str>,
        rules: &Arc<Rules>,
    ) -> Result<OpenedStudy, HostError> {
        let kept = self.find_study(visitor, id).await?;
        self.unpack(visitor, kept.as_ref(), rules)
    }

    async fn find_study(
        &self,
        visitor: &Visitor,
        id: Option<&str>,
    ) -> Result<Option<KeptStudy>, HostError> {
        Ok(match id {
            Some(id) => {
                let kept = self.store().study(id).await?;
                // A board is for its owner; what is given a name can be shown to others.
                if kept.title.name.is_none() && kept.owner != visitor.id {
                    return Err(StoreError::Missing(Entity::Study).into());
                }
                Some(kept)
            }
            None => self.store().board_of(&visitor.id).await?,
        })
    }

    fn unpack(
        &self,
        visitor: &Visitor,
        kept: Option<&KeptStudy>,
        rules: &Arc<Rules>,
    ) -> Result<OpenedStudy, HostError> {
        let Some(kept) = kept else {
            return Ok(OpenedStudy {
                study: Study::new(rules),
                rules: Arc::clone(rules),
                id: None,
                name: None,
                is_own: true,
                owner: visitor.id.clone(),
                version: 0,
            });
        };
        let study = Study::read(&kept.body, &kept.journal, NodeKey(kept.cursor))?;
        Ok(OpenedStudy {
            rules: self.rules_of(&study)?,
            study,
            id: Some(kept.title.id.clone()),
            name: kept.title.name.clone(),
            is_own: kept.owner == visitor.id,
            owner: kept.owner.clone(),
            version: kept.version,
        })
    }

    fn rules_of(&self, study: &Study) -> Result<Arc<Rules>, HostError> {
        let id = &study.body().rules;
        let rules = self.rules(id).cloned();
        rules.ok_or_else(|| HostError::Unknown(id.clone()))
    }

    /// Changes a study of the visitor, or their board, which begins with the start of a rule set; it is kept
    /// when this returns. A change that was made elsewhere in between is not lost. The cursor says where the
    /// visitor looked, so that undoing leads back there.
    ///
    /// # Errors
    /// Says why nothing was changed.
    pub async fn edit_study(
        &self,
        visitor: &Visitor,
        id: Option<&str>,
        rules: &Arc<Rules>,
        cursor: Option<NodeKey>,
        command: &StudyCommand,
    ) -> Result<OpenedStudy, HostError> {
        let mut tried = 0;
        loop {
            let kept = self.find_study(visitor, id).await?;
            let mut opened = self.unpack(visitor, kept.as_ref(), rules)?;
            if !opened.is_own {
                return Err(HostError::NotYourStudy);
            }
            let before = opened.study.clone();
            if let Some(cursor) = cursor {
                // It may be gone; then nobody can go back to it.
                let _ = opened.study.go(cursor);
            }
            opened.study.obey(&opened.rules, command.clone())?;
            opened.rules = self.rules_of(&opened.study)?;
            if opened.study == before {
                return Ok(opened);
            }
            match self.keep_study(visitor, kept, &mut opened).await {
                Err(HostError::Store(StoreError::Stale)) if tried < TRIES => tried += 1,
                kept => return kept.map(|()| opened),
            }
        }
    }

    async fn keep_study(
        &self,
        visitor: &Visitor,
        kept: Option<KeptStudy>,
        opened: &mut OpenedStudy,
    ) -> Result<(), HostError> {
        let (body, journal) = opened.study.text()?;
        let new = KeptStudy {
            title: StudyTitle {
                id: kept
                    .as_ref()
                    .map_or_else(fresh_id, |kept| kept.title.id.clone()),
                name: opened.name.clone(),
                root: Saved {
                    rules: opened.study.body().rules.clone(),
                    setup: opened.study.body().setup,
                },
                moves: opened.study.tree().len() as u64,
                changed_ms: self.now_ms(),
            },
            owner: visitor.id.clone(),
            version: kept.as_ref().map_or(0, |kept| kept.version + 1),
            cursor: opened.study.cursor().0,
            body,
            journal,
        };
        if kept.is_some() {
            self.store().save_study(&new).await?;
        } else {
            let limits = self.limits();
            let count = self.store().count_studies(&visitor.id).await?;
            if count >= limits.studies {
                return Err(HostError::TooManyStudies(count));
            }
            self.keep_one_more(Kept::Studies, limits.all_studies)
                .await?;
            self.store().create_study(&new).await?;
        }
        opened.id = Some(new.title.id);
        opened.version = new.version;
        Ok(())
    }

    /// Puts a copy of any study onto the visitor's board, looking at the same node.
    ///
    /// # Errors
    /// The store failed, or there is no such study.
    pub async fn copy_study(&self, visitor: &Visitor, id: &str) -> Result<OpenedStudy, HostError> {
        let kept = self.find_study(visitor, Some(id)).await?;
        let kept = kept.ok_or(StoreError::Missing(Entity::Study))?;
        let study = Study::read(&kept.body, &kept.journal, NodeKey(kept.cursor))?;
        let rules = self.rules_of(&study)?;
        let command = StudyCommand::Open {
            body: Box::new(study.body().clone()),
            cursor: study.cursor(),
        };
        self.edit_study(visitor, None, &rules, None, &command).await
    }

    /// Puts a game onto the visitor's board, with its clocks and scores, looking at the position after some
    /// of its moves.
    ///
    /// # Errors
    /// The store failed, or there is no such game.
    pub async fn study_game(
        &self,
        visitor: &Visitor,
        game: &str,
        ply: usize,
    ) -> Result<OpenedStudy, HostError> {
        let game = self.store().game(game).await?;
        let record = self.store().record(&game).await?;
        let rules = self.rules(&game.rules);
        let rules = rules.ok_or_else(|| HostError::Unknown(game.rules.clone()))?;
        let body = Body::of_record(rules, &record)?;
        let cursor = body.after(ply);
        let body = Box::new(body);
        let command = StudyCommand::Open { body, cursor };
        self.edit_study(visitor, None, rules, None, &command).await
    }

    /// Keeps where the visitor looks in a study of theirs.
    ///
    /// # Errors
    /// The store failed, or the visitor has no such study.
    pub async fn step_study(
        &self,
        visitor: &Visitor,
        id: &str,
        node: NodeKey,
    ) -> Result<(), HostError> {
        Ok(self.store().move_cursor(&visitor.id, id, node.0).await?)
    }

    /// Gives a study of the visitor a name. A board that gets one is a board no more.
    ///
    /// # Errors
    /// The store failed, or the visitor has no such study.
    pub async fn name_study(
        &self,
        visitor: &Visitor,
        id: Option<&str>,
        rules: &Arc<Rules>,
        name: &str,
    ) -> Result<OpenedStudy, HostError> {
        let mut tried = 0;
        loop {
            let kept = self.find_study(visitor, id).await?;
            let mut opened = self.unpack(visitor, kept.as_ref(), rules)?;
            if !opened.is_own {
                return Err(HostError::NotYourStudy);
            }
            opened.name = Some(name.into());
            match self.keep_study(visitor, kept, &mut opened).await {
                Err(HostError::Store(StoreError::Stale)) if tried < TRIES => tried += 1,
                kept => return kept.map(|()| opened),
            }
        }
    }
}

impl Body {
    /// The node after some moves of the main line, or the last of them.
    #[must_use]
    pub fn after(&self, ply: usize) -> NodeKey {
        let line = self.tree.line_from(NodeKey::ROOT).take(ply);
        line.last().unwrap_or(NodeKey::ROOT)
    }
}
