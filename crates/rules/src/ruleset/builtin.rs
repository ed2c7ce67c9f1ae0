//! The sets that ship. Each is a text in `sets/` and one row here.

use alloc::{boxed::Box, string::String, sync::Arc};
use core::{fmt, str::FromStr};

use once_cell::race::OnceBox;

use super::RuleSet;
use crate::Rules;

macro_rules! built_in {
    (
        listed { $($(#[$listed_doc:meta])* $listed:ident = $listed_id:literal,)+ }
        hidden { $($(#[$hidden_doc:meta])* $hidden:ident = $hidden_id:literal,)+ }
    ) => {
        /// A rule set that ships.
        ///
        /// Its rules are compiled when they are first asked for, and shared from then on. A text
        /// from outside, such as a header of a record, becomes one by `FromStr`.
        ///
        /// ```
        /// use tablut_rules::BuiltIn;
        /// let set: BuiltIn = "berkeley".parse()?;
        /// assert_eq!(set, BuiltIn::Berkeley);
        /// assert_eq!(set.rules().moves(&set.rules().start()).len(), 80);
        /// # Ok::<(), tablut_rules::ParseBuiltInError>(())
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[non_exhaustive]
        pub enum BuiltIn {
            $($(#[$listed_doc])* $listed,)+
            $($(#[$hidden_doc])* $hidden,)+
        }

        impl BuiltIn {
            /// Every set that ships, the hidden ones last.
            pub const ALL: &[Self] = &[$(Self::$listed,)+ $(Self::$hidden,)+];

            /// The sets that users are offered, the default first.
            pub const LISTED: &[Self] = &[$(Self::$listed,)+];

            /// The twins of the reference referee's variants, with its mistakes: for checks, not for
            /// play.
            pub const HIDDEN: &[Self] = &[$(Self::$hidden,)+];

            /// What commands and files call it.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$listed => $listed_id,)+
                    $(Self::$hidden => $hidden_id,)+
                }
            }

            /// Its text form, as it ships.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$listed => include_str!(concat!("../sets/", $listed_id, ".toml")),)+
                    $(Self::$hidden => include_str!(concat!("../sets/", $hidden_id, ".toml")),)+
                }
            }
        }
    };
}

built_in! {
    listed {
        /// The Tablut Challenge's rules.
        #[default]
        Ashton = "ashton",
        /// The Challenge's rules, with a king that must be surrounded everywhere.
        AshtonSiege = "ashton-siege",
        /// The Challenge's rules, with an empty castle that is not hostile to white men.
        AshtonSplit = "ashton-split",
        /// The rules of Berkeley's CS 61B.
        Berkeley = "berkeley",
        /// The rules as Linnaeus wrote them down.
        Linnaeus = "linnaeus",
        /// The referee's variant "classic", without its mistakes.
        Classic = "classic",
        /// The referee's variant "modern", without its mistakes.
        Modern = "modern",
    }
    hidden {
        /// The referee's variant "classic".
        RefereeClassic = "referee-classic",
        /// The referee's variant "modern".
        RefereeModern = "referee-modern",
        /// The referee's variant "brandub", on a board of 7×7.
        RefereeBrandub = "referee-brandub",
    }
}

impl BuiltIn {
    /// The compiled rules.
    #[must_use]
    pub fn rules(self) -> Arc<Rules> {
        Arc::clone(self.shared())
    }

    /// The rule set in words.
    #[must_use]
    pub fn set(self) -> &'static RuleSet {
        self.shared().set()
    }

    fn shared(self) -> &'static Arc<Rules> {
        /// A box each. Threads that ask for the first time at once may all compile a set; they share
        /// what the first of them made. So there is no lock, and nothing that needs `std`.
        static SHARED: [OnceBox<Arc<Rules>>; BuiltIn::ALL.len()] =
            [const { OnceBox::new() }; BuiltIn::ALL.len()];
        SHARED[self as usize].get_or_init(|| {
            let set = RuleSet::read(self.text()).expect("a built-in set is sound");
            let rules = set.compile().expect("a built-in set is sound");
            Box::new(Arc::new(rules))
        })
    }
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for BuiltIn {
    type Err = ParseBuiltInError;

    /// Reads an id, that of a hidden set too.
    fn from_str(id: &str) -> Result<Self, ParseBuiltInError> {
        let named = Self::ALL.iter().find(|set| set.id() == id);
        named.copied().ok_or_else(|| ParseBuiltInError(id.into()))
    }
}

/// An id that no built-in set has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseBuiltInError(String);

impl fmt::Display for ParseBuiltInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no built-in set {:?}; there are ", self.0)?;
        for (n, set) in BuiltIn::LISTED.iter().enumerate() {
            write!(f, "{}{set}", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseBuiltInError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_the_id_of_its_set() {
        for &set in BuiltIn::ALL {
            assert_eq!(set.set().id, set.id());
            assert_eq!(set.id().parse(), Ok(set));
        }
        assert!(
            "Ashton".parse::<BuiltIn>().is_err(),
            "ids are small letters"
        );
    }

    #[test]
    fn rules_are_compiled_once_and_shared() {
        let (first, second) = (BuiltIn::Linnaeus.rules(), BuiltIn::Linnaeus.rules());
        assert!(Arc::ptr_eq(&first, &second));
    }
}
