//! Ids and secrets: random, short enough for a link, too long to guess.

use data_encoding::Specification;
use subtle::ConstantTimeEq;

/// A random text of 24 letters, 120 bits: an id or a secret.
///
/// # Panics
/// If the operating system gives no random bytes; nothing safe can be done then.
#[must_use]
pub fn fresh_id() -> String {
    let mut bytes = [0; 15];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    let mut specification = Specification::new();
    // No l, 1, o or 0: people read links aloud.
    specification
        .symbols
        .push_str("abcdefghijkmnpqrstuvwxyz23456789");
    let encoding = specification.encoding().expect("32 different letters");
    encoding.encode(&bytes)
}

/// Whether two secrets are the same; the time it takes tells nothing about where they differ. An empty
/// one is none: nothing is the same as it.
#[must_use]
pub fn same_secret(one: &str, other: &str) -> bool {
    !one.is_empty() && one.as_bytes().ct_eq(other.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_long_and_never_the_same() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| fresh_id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 24 && id.is_ascii()));
    }

    #[test]
    fn secrets_are_the_same_or_not() {
        assert!(same_secret("abc", "abc"));
        assert!(!same_secret("", ""));
        assert!(!same_secret("abc", "abd") && !same_secret("abc", "abcd") && !same_secret("", "a"));
    }
}
