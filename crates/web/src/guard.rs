//! Who may talk to us: requests that name us, from pages that are ours.
//!
//! A page of another site can make a browser send requests here, and can point a name of its own at
//! this machine. So every request must be addressed to a name we answer to, and what comes from a page
//! must come from our own.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

/// The names this server answers to.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Whether any address of this machine will do, or only its loopback.
    pub(crate) lan: bool,
    /// Names of its own.
    pub(crate) names: Vec<String>,
}

impl Guard {
    /// Whether a request may be answered.
    pub(crate) fn admits(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return false;
        };
        let Ok(host) = host.to_str() else {
            return false;
        };
        self.knows(host)
            && match headers.get(header::ORIGIN) {
                None => true,
                Some(origin) => is_own(origin.to_str().unwrap_or_default(), host),
            }
    }

    /// Whether a request may open a WebSocket: a browser always says which page wants it.
    pub(crate) fn admits_socket(&self, headers: &HeaderMap) -> bool {
        headers.contains_key(header::ORIGIN) && self.admits(headers)
    }

    /// Whether a name with an optional port is ours. An address cannot be pointed elsewhere, so any
    /// will do where the server listens to all.
    fn knows(&self, authority: &str) -> bool {
        let name = name(authority);
        if let Ok(address) = name.trim_matches(['[', ']']).parse::<IpAddr>() {
            return self.lan || address.is_loopback();
        }
        name.eq_ignore_ascii_case("localhost")
            || self
                .names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// A host without its port.
fn name(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => authority,
    }
}

/// Whether a page's origin is the host itself.
fn is_own(origin: &str, host: &str) -> bool {
    let authority = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn admits(lan: bool, host: &str, origin: Option<&str>) -> bool {
        let guard = Guard {
            lan,
            names: vec!["tablut.example".into()],
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).expect("a value"));
        if let Some(origin) = origin {
            let origin = HeaderValue::from_str(origin).expect("a value");
            headers.insert(header::ORIGIN, origin);
        }
        guard.admits(&headers)
    }

    #[test]
    fn only_our_own_names_are_answered() {
        for (host, here, lan) in [
            ("localhost:5000", true, true),
            ("LocalHost", true, true),
            ("127.0.0.1:5000", true, true),
            ("[::1]:5000", true, true),
            ("tablut.example", true, true),
            ("192.168.1.5:5000", false, true),
            ("[fe80::1]:5000", false, true),
            ("evil.example:5000", false, false),
            ("localhost.evil.example", false, false),
            ("127.0.0.1.evil.example", false, false),
            ("", false, false),
        ] {
            assert_eq!(admits(false, host, None), here, "{host}");
            assert_eq!(admits(true, host, None), lan, "{host}");
        }
    }

    #[test]
    fn only_our_own_pages_may_ask() {
        for (origin, good) in [
            ("http://localhost:5000", true),
            ("https://localhost:5000", true),
            ("http://localhost:5001", false),
            ("http://localhost", false),
            ("http://127.0.0.1:5000", false),
            ("http://evil.example", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(
                admits(false, "localhost:5000", Some(origin)),
                good,
                "{origin}"
            );
        }
    }

    #[test]
    fn a_socket_needs_an_origin_and_every_request_one_host() {
        let guard = Guard {
            lan: false,
            names: Vec::new(),
        };
        let mut headers = HeaderMap::new();
        assert!(!guard.admits(&headers));
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        assert!(guard.admits(&headers) && !guard.admits_socket(&headers));
        headers.append(header::HOST, HeaderValue::from_static("localhost"));
        assert!(!guard.admits(&headers));
    }
}
