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
}

impl Network {
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
