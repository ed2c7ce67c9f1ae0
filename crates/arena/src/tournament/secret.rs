//! Secrets of teams that connect from elsewhere, in a form that may be kept: whoever reads it cannot
//! say them.

use pbkdf2::pbkdf2_hmac_array;
use serde::Deserialize;
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use toml::Spanned;

use super::PlanError;

/// What a sealed secret begins with.
const SEALED: &str = "sealed:";

/// How often a secret is hashed: people choose secrets that can be guessed, so guessing costs something.
/// A program that connects costs us one of these, some ten milliseconds.
const ROUNDS: u32 = 20_000;

#[derive(Deserialize)]
struct Teams {
    #[serde(default, rename = "team")]
    teams: Vec<Team>,
}

#[derive(Deserialize)]
struct Team {
    secret: Option<Spanned<String>>,
}

/// A tournament file in which no secret can be read any more. `salt` is the tournament's own, so that the
/// same secret looks different in every tournament.
///
/// # Errors
/// The text is not a tournament file.
pub fn seal(text: &str, salt: &str) -> Result<String, PlanError> {
    let Teams { teams } = toml::from_str(text)?;
    let mut sealed = text.to_string();
    // From the end, so that places before stay where they are.
    for secret in teams.iter().rev().filter_map(|team| team.secret.as_ref()) {
        if !is_sealed(secret.as_ref()) {
            let kept = format!("{:?}", seal_secret(secret.as_ref(), salt));
            sealed.replace_range(secret.span(), &kept);
        }
    }
    Ok(sealed)
}

/// A secret that can be checked, but not read.
#[must_use]
pub fn seal_secret(secret: &str, salt: &str) -> String {
    let hash: [u8; 32] =
        pbkdf2_hmac_array::<Sha256, 32>(secret.as_bytes(), salt.as_bytes(), ROUNDS);
    format!("{SEALED}{salt}:{}", data_encoding::HEXLOWER.encode(&hash))
}

/// Whether a secret is in the form that can be kept.
#[must_use]
pub fn is_sealed(secret: &str) -> bool {
    secret.starts_with(SEALED)
}

/// The secret, sealed or not, that matches what was sent.
#[must_use]
pub fn known_secret<'a>(secrets: &'a [String], said: &str) -> Option<&'a String> {
    // Secrets of one tournament have one salt, so that what was said is hashed once.
    let mut hashed: Option<(&str, String)> = None;
    secrets.iter().find(|kept| {
        let Some((salt, _)) = kept
            .strip_prefix(SEALED)
            .and_then(|rest| rest.rsplit_once(':'))
        else {
            return !is_sealed(kept) && kept.as_bytes().ct_eq(said.as_bytes()).into();
        };
        if hashed.as_ref().is_none_or(|(known, _)| *known != salt) {
            hashed = Some((salt, seal_secret(said, salt)));
        }
        let sealed = hashed.as_ref().map_or("", |(_, sealed)| sealed);
        sealed.as_bytes().ct_eq(kept.as_bytes()).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::{Entry, Plan};

    const FILE: &str = r#"
        name = "Cup"
        # The secret of A is open-sesame.
        [[team]]
        name = "A"
        group = "all"
        plays = "remote"
        secret = 'open-"sesame"'
        [[team]]
        secret = "another\u0020one"
        name = "B"
        group = "all"
        plays = "remote"
        [[team]]
        name = "secret = 'open'"
        group = "all"
        plays = "random"
    "#;

    #[test]
    fn a_sealed_plan_is_the_same_plan_without_its_secrets() {
        let sealed = seal(FILE, "cup").unwrap();
        assert!(!sealed.contains("open-\"") && !sealed.contains("another"));
        // What is sealed stays as it is.
        assert_eq!(seal(&sealed, "cup").unwrap(), sealed);
        let (before, after) = (Plan::read(FILE).unwrap(), Plan::read(&sealed).unwrap());
        assert_eq!(before.teams[2], after.teams[2]);
        let secrets = |plan: &Plan| -> Vec<String> {
            let secret = |team: &crate::tournament::Team| match &team.plays {
                Entry::Remote { secret } => Some(secret.clone()),
                Entry::Player(_) => None,
            };
            plan.teams.iter().filter_map(secret).collect()
        };
        let (said, kept) = (secrets(&before), secrets(&after));
        for n in 0..2 {
            assert_eq!(known_secret(&kept, &said[n]), Some(&kept[n]));
            assert_eq!(known_secret(&said, &said[n]), Some(&said[n]));
            // Who has read the store knows nothing that opens.
            assert_eq!(known_secret(&kept, &kept[n]), None);
        }
        assert_eq!(known_secret(&kept, "open"), None);
        assert_ne!(seal(FILE, "other").unwrap(), sealed);
    }
}
