//! What a rule set is called, by language.

use alloc::{collections::BTreeMap, string::String};

use crate::text::Lang;

/// The name of a rule set. The sets that ship have one in every language; others in as many as their
/// author gave them.
///
/// ```
/// use tablut_rules::{Name, text::Lang};
/// let name = Name::new("Mine").with(Lang::De, "Meins");
/// assert_eq!(name.in_language(Lang::De), "Meins");
/// assert_eq!(name.in_language(Lang::It), "Mine");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Name(BTreeMap<Lang, String>);

impl Name {
    /// A name in English, which serves for all languages that have none of their own.
    #[must_use]
    pub fn new(english: impl Into<String>) -> Self {
        Self::default().with(Lang::En, english)
    }

    /// The same with a name in one more language.
    #[must_use]
    pub fn with(mut self, lang: Lang, name: impl Into<String>) -> Self {
        self.0.insert(lang, name.into());
        self
    }

    /// The name that was given in a language, if one was.
    #[must_use]
    pub fn given(&self, lang: Lang) -> Option<&str> {
        self.0.get(&lang).map(String::as_str)
    }

    /// The name for people who speak a language: that of the language, or else the English one, or else
    /// whichever there is.
    #[must_use]
    pub fn in_language(&self, lang: Lang) -> &str {
        let own = self.given(lang).or_else(|| self.given(Lang::En));
        let any = || self.0.values().next().map(String::as_str);
        own.or_else(any).unwrap_or_default()
    }

    /// Each language with a name, and the name.
    pub fn iter(&self) -> impl Iterator<Item = (Lang, &str)> {
        self.0.iter().map(|(&lang, name)| (lang, name.as_str()))
    }
}
