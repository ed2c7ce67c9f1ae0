//! Who a visitor is: names, settings, and what the page is told first.

use tablut_host::{Host, speech::Phrase};
use tablut_rules::text::{Lang, is_harmful};
use tablut_store::{StoreError, Visitor};

use super::{Answered, Visit};
use crate::{
    crowd::Deed,
    message::{Answer, LangName, Problem, Welcome},
    state,
};

/// The settings a visitor may have, and the longest value.
const SETTINGS: &[&str] = &[
    "lang",
    "theme",
    "study",
    "overlays",
    "new",
    "rules",
    "boardTheme",
    "pieces",
    "sound",
    "coordinates",
    "engine",
];
const LONGEST_VALUE: usize = 500;

/// Whose settings are the server's own.
const SERVER: &str = "server";

/// The longest name of a visitor, in letters.
const LONGEST_NAME: usize = 40;

/// What a page is told first.
pub(crate) async fn welcome(
    host: &Host,
    visitor: &Visitor,
    lang: Lang,
    is_local: bool,
) -> Result<Welcome, StoreError> {
    let (store, sets) = (host.store(), host.rule_sets());
    let server = store.settings(SERVER).await?;
    let default_rules = server
        .into_iter()
        .find_map(|(name, value)| (name == "rules").then_some(value))
        .filter(|id| host.rules(id).is_some())
        .or_else(|| sets.first().map(|rules| rules.set().id().to_string()));
    let sets = sets.iter().map(|rules| state::set_info(rules, lang));
    Ok(Welcome {
        name: visitor.name.clone(),
        settings: store.settings(&visitor.id).await?,
        sets: sets.collect(),
        default_rules: default_rules.unwrap_or_default(),
        local: is_local,
        public: None,
    })
}

impl Visit {
    /// Tells who the visitor is and what is here, from now on in a language.
    pub(super) async fn hello(&mut self, lang: LangName) -> Answered {
        self.lang = lang.into();
        let visitor = &self.visitor;
        let welcome = welcome(&self.host, visitor, self.lang, self.origin.is_local).await;
        Ok(Answer::Welcome(Welcome {
            public: self.public.as_deref().map(Into::into),
            ..self.kept(welcome)?
        }))
    }

    /// Sees that the visitor is kept before something of theirs is.
    pub(super) async fn settle(&mut self) -> Result<(), Problem> {
        if self.is_known {
            return Ok(());
        }
        if !self.crowd.allows(self.origin, Deed::Settle) {
            return self.problem(Phrase::TooManyVisitors);
        }
        self.hosted(self.host.settle(&self.visitor).await)?;
        self.is_known = true;
        Ok(())
    }

    pub(super) async fn name(&mut self, name: &str) -> Answered {
        let name = name.trim();
        if name.chars().count() > LONGEST_NAME || name.chars().any(is_harmful) {
            return self.problem(Phrase::BadName);
        }
        self.settle().await?;
        let name = (!name.is_empty()).then_some(name);
        let named = self.host.store().name_visitor(&self.visitor.id, name).await;
        self.kept(named)?;
        self.visitor.name = name.map(Into::into);
        Ok(Answer::Done)
    }

    pub(super) async fn setting(&mut self, name: &str, value: &str) -> Answered {
        if !SETTINGS.contains(&name) || value.len() > LONGEST_VALUE {
            return self.problem(Phrase::BadSetting);
        }
        self.settle().await?;
        let store = self.host.store();
        self.kept(store.set_setting(&self.visitor.id, name, value).await)?;
        Ok(Answer::Done)
    }

    pub(super) async fn server_setting(&self, name: &str, value: &str) -> Answered {
        if !self.origin.is_local {
            return self.problem(Phrase::NotLocal);
        }
        if name != "rules" || self.host.rules(value).is_none() {
            return self.problem(Phrase::BadSetting);
        }
        self.kept(self.host.store().set_setting(SERVER, name, value).await)?;
        Ok(Answer::Done)
    }
}
