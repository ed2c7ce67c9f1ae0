//! The languages there are: the one registry of them.
//!
//! A row of `languages!` below is all that says that a language exists. Every place with words for
//! people has a module for each language and picks from them with [`in_language!`](crate::in_language),
//! so a row without its module, or a module without one of its sentences, does not compile.
//! `docs/languages.md` tells how to add one.

use alloc::{string::String, vec::Vec};
use core::{fmt, str::FromStr};

/// Makes [`Lang`] and [`in_language!`](crate::in_language) from the rows of the registry: the variant,
/// the module and two-letter code, and what the language calls itself. `$` is a dollar sign for the
/// macro inside.
macro_rules! languages {
    ($d:tt; $($(#[$doc:meta])* $variant:ident $code:ident $name:literal,)+) => {
        /// A language.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[non_exhaustive]
        pub enum Lang {
            $($(#[$doc])* $variant,)+
        }

        impl Lang {
            /// Every language, the default first.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The two-letter code of ISO 639.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($code),)+
                }
            }

            /// What the language calls itself.
            #[must_use]
            pub const fn native_name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        /// A reference to what the module of a language has under a name: with German,
        /// `in_language!(lang, TEXT)` is `&de::TEXT`. Whoever calls it needs a module for each
        /// language in scope, and in each a constant of that name and of one type.
        #[macro_export]
        macro_rules! in_language {
            ($d lang:expr, $d item:ident) => {
                [$(&$code::$d item),+][$crate::text::Lang::index($d lang)]
            };
        }
    };
}

languages! { $;
    /// English.
    #[default]
    En en "English",
    /// Italian.
    It it "Italiano",
    /// German.
    De de "Deutsch",
}

impl Lang {
    /// The place in [`Lang::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The language of a locale or a language tag, whatever its country: `it_IT.UTF-8`, `de-AT`.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        let code = tag.trim().split(['_', '-', '.', '@']).next()?;
        code.parse().ok()
    }

    /// The language that the value of an `Accept-Language` header likes best among those there are.
    #[must_use]
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best: Option<(f32, Self)> = None;
        for range in header.split(',') {
            let mut parts = range.split(';');
            let Some(lang) = parts.next().and_then(Self::of_tag) else {
                continue;
            };
            let quality = parts
                .find_map(|part| part.trim().strip_prefix("q="))
                .map_or(1.0, |quality| quality.parse().unwrap_or(0.0));
            // Of equals the first counts; a quality of 0 means "not this one".
            if quality > best.map_or(0.0, |(quality, _)| quality) {
                best = Some((quality, lang));
            }
        }
        best.map(|(_, lang)| lang)
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Lang {
    type Err = ParseLangError;

    fn from_str(text: &str) -> Result<Self, ParseLangError> {
        let mut all = Self::ALL.iter().copied();
        all.find(|lang| lang.code().eq_ignore_ascii_case(text))
            .ok_or(ParseLangError)
    }
}

/// A text that names no language we speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLangError;

impl fmt::Display for ParseLangError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<String> = Lang::ALL.iter().map(|lang| lang.code().into()).collect();
        let codes = super::clause::list(&codes, "and");
        write!(f, "the languages are {codes}")
    }
}

impl core::error::Error for ParseLangError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        for &lang in Lang::ALL {
            assert_eq!(lang.code().parse(), Ok(lang));
            assert_eq!(Lang::ALL[lang.index()], lang);
            assert_eq!(lang.code().len(), 2);
            assert!(!lang.native_name().is_empty());
        }
        assert_eq!("xx".parse::<Lang>(), Err(ParseLangError));
        assert_eq!(Lang::default(), Lang::ALL[0]);
    }

    #[test]
    fn the_language_of_a_locale_is_found_whatever_its_country() {
        for (tag, lang) in [
            ("it_IT.UTF-8", Some(Lang::It)),
            ("de-AT", Some(Lang::De)),
            ("DE", Some(Lang::De)),
            ("en@euro", Some(Lang::En)),
            ("C.UTF-8", None),
            ("", None),
        ] {
            assert_eq!(Lang::of_tag(tag), lang, "{tag}");
        }
    }

    #[test]
    fn a_browser_gets_the_language_it_likes_best() {
        for (header, lang) in [
            ("de-CH, de;q=0.9, en;q=0.8", Some(Lang::De)),
            ("xx, it;q=0.5, en;q=0.7", Some(Lang::En)),
            ("xx;q=0.9, it; q=0.2", Some(Lang::It)),
            ("en;q=0, it;q=0.1", Some(Lang::It)),
            ("xx, *;q=0.5", None),
            ("de;q=nonsense", None),
            ("", None),
        ] {
            assert_eq!(Lang::accepted(header), lang, "{header}");
        }
    }
}
