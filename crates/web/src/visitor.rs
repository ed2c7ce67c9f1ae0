//! Visitors are known by a cookie that only their browser and this server see.

use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};
use tablut_host::fresh_id;

const COOKIE: &str = "tablut_visitor";

/// A year, in seconds.
const AGE: u32 = 365 * 24 * 3600;

/// The token of a visitor, as their browser keeps it.
pub(crate) fn token(headers: &HeaderMap) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, value)| *name == COOKIE && is_token(value))
        .map(|(_, value)| value.to_string())
}

fn is_token(text: &str) -> bool {
    text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A cookie for a new visitor; one that came encrypted is never sent in the clear.
pub(crate) fn cookie(is_encrypted: bool) -> Option<HeaderValue> {
    let token = fresh_id();
    let secure = if is_encrypted { "; Secure" } else { "" };
    let text = format!("{COOKIE}={token}; Path=/; Max-Age={AGE}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).ok()
}

/// The id of the visitor with a token. It cannot be turned back, so that who reads the store cannot
/// come as somebody else.
pub(crate) fn id(token: &str) -> String {
    let hash = Sha256::digest(token.as_bytes());
    data_encoding::HEXLOWER.encode(&hash[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_is_known_by_the_cookie_alone() {
        let cookie = cookie(false).expect("a header");
        let text = cookie.to_str().expect("text");
        assert!(text.contains("HttpOnly") && text.contains("SameSite=Lax"));
        assert!(!text.contains("Secure"));
        let encrypted = super::cookie(true).expect("a header");
        assert!(encrypted.to_str().expect("text").ends_with("; Secure"));
        let pair = text.split(';').next().expect("a pair");
        let mut headers = HeaderMap::new();
        let sent = HeaderValue::from_str(&format!("other=1; {pair}")).expect("a header");
        headers.insert(header::COOKIE, sent);
        let token = token(&headers).expect("a token");
        assert!(pair.ends_with(&token) && !id(&token).contains(&token));
        assert_eq!(id(&token), id(&token));
    }

    #[test]
    fn what_is_no_token_is_no_visitor() {
        for value in [
            "",
            "tablut_visitor=",
            "tablut_visitor=abc",
            "tablut_visitor=../../../../../etc/passwd1",
        ] {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_str(value).expect("a header");
            headers.insert(header::COOKIE, value);
            assert_eq!(token(&headers), None);
        }
    }
}
