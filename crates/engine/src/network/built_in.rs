//! The networks that ship: one row and one file each.

use std::sync::{Arc, OnceLock};

use tablut_rules::{BuiltIn, Rules};

use super::Network;
use crate::built_in_set;

macro_rules! networks {
    ($($set:ident = $file:literal,)*) => {
        /// The file of a set's network.
        const fn file(set: BuiltIn) -> Option<&'static [u8]> {
            match set {
                $(BuiltIn::$set => Some(include_bytes!(concat!("../../networks/", $file)) as &[u8]),)*
                _ => None,
            }
        }
    };
}

networks! {
    Ashton = "ashton.network",
    AshtonSiege = "ashton-siege.network",
    AshtonSplit = "ashton-split.network",
    Berkeley = "berkeley.network",
    Classic = "classic.network",
    Linnaeus = "linnaeus.network",
    Modern = "modern.network",
}

/// How many parameters of a user's own set may differ from the built-in set whose network serves it.
/// In matches a network was better than the evaluation written by hand with one and with four other
/// parameters, and worse with nine and more (docs/engine.md).
const MOST_DIFFERENCES: usize = 4;

/// What makes another board of it, on which a network knows nothing.
const BOARD: [&str; 5] = ["board", "start", "castle", "camps", "end.goals"];

impl Network {
    /// The network that serves rules: the one that ships for them, or for a user's own set that of the
    /// nearest built-in set on the same board, if few parameters differ.
    #[must_use]
    pub fn serving(rules: &Rules) -> Option<Arc<Self>> {
        Self::built_in(rules).or_else(|| {
            let nearest = BuiltIn::ALL.iter().filter_map(|set| {
                file(*set)?;
                let differences = set.rules().set().differences(rules.set());
                let is_near = differences.len() <= MOST_DIFFERENCES
                    && differences.iter().all(|d| !BOARD.contains(&d.key));
                is_near.then_some((differences.len(), set))
            });
            let (_, set) = nearest.min_by_key(|&(count, _)| count)?;
            Self::built_in(&set.rules())
        })
    }

    /// The network that ships for rules; those of a user's own set have none, whatever its name.
    #[must_use]
    pub fn built_in(rules: &Rules) -> Option<Arc<Self>> {
        static READ: [OnceLock<Option<Arc<Network>>>; BuiltIn::ALL.len()] =
            [const { OnceLock::new() }; BuiltIn::ALL.len()];
        let (index, set) = built_in_set(rules)?;
        let network = READ[index].get_or_init(|| {
            let network = Self::read(file(set)?).expect("a network that ships can be read");
            Some(Arc::new(network))
        });
        network.clone()
    }
}
