//! Who may talk to us: requests that name us, from pages that are ours.
//!
//! A page of another site can make a browser send requests here, and can point a name of its own at
//! this machine. So every request must be addressed to a name we answer to, and what comes from a page
//! must come from our own.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Once,
};

use axum::http::{HeaderMap, HeaderName, header};
use tablut_guest::throttle::Source;

use crate::crowd::Origin;

/// A proxy in front of this server that says whom it brings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proxy {
    /// The header in which it says so: addresses with commas between them, its own entry the last.
    pub header: HeaderName,
    /// Where it may be, besides on this machine. What others say in that header is not believed.
    pub from: Vec<IpAddr>,
}

/// The names this server answers to, and the proxies it believes.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Whether any address of this machine will do, or only its loopback.
    pub(crate) lan: bool,
    /// Names of its own.
    pub(crate) names: Vec<String>,
    /// Who brings visitors from elsewhere.
    pub(crate) proxy: Option<Proxy>,
}

/// Headers that only proxies send, besides all that begin with `x-forwarded`.
const FORWARDING: &[&str] = &[
    "forwarded",
    "forwarded-for",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "x-original-host",
    "x-envoy-external-address",
    "x-proxyuser-ip",
    "cf-connecting-ip",
    "cf-ray",
    "cdn-loop",
    "fastly-client-ip",
    "fly-client-ip",
    "true-client-ip",
    "client-ip",
];

/// Whether a request came through a proxy, as far as one can see.
fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| {
        let name = name.as_str();
        name.starts_with("x-forwarded") || FORWARDING.contains(&name)
    })
}

/// Whether a request comes from a program on this machine, as far as one can see: a proxy here that says
/// nothing of itself must not pass on what is only for this machine.
pub(crate) fn is_from_machine(peer: IpAddr, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok());
    peer.to_canonical().is_loopback() && !is_forwarded(headers) && host.is_some_and(is_loopback)
}

impl Guard {
    /// Whether connections from an address bring more people than one.
    pub(crate) fn is_proxy(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        let is_known = |proxy: &Proxy| proxy.from.iter().any(|ip| ip.to_canonical() == peer);
        peer.is_loopback() || self.proxy.as_ref().is_some_and(is_known)
    }

    /// Whether people can reach this server in ways that hide where they are: something on this machine
    /// that forwards connections need not say so, and names are whatever the other end wrote. Then nobody
    /// is taken for a person at this machine.
    fn is_fronted(&self) -> bool {
        self.proxy.is_some() || !self.names.is_empty()
    }

    /// Where a request comes from. People at this machine call it by its loopback's names and without a
    /// proxy; else a proxy on this machine would make everybody one of them.
    pub(crate) fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> Origin {
        let brought = self
            .proxy
            .as_ref()
            .filter(|_| self.is_proxy(peer))
            .and_then(|proxy| last_address(headers, &proxy.header));
        if let Some(address) = brought {
            return Origin {
                source: Source::of(address),
                is_local: false,
            };
        }
        self.warn_of_unnamed_proxy(peer, headers);
        let source = Source::of(peer);
        let host = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok());
        Origin {
            source,
            is_local: source.is_here()
                && !self.is_fronted()
                && !is_forwarded(headers)
                && host.is_some_and(is_loopback),
        }
    }

    /// A proxy that was forgotten, or has another address than was thought, makes all its visitors one:
    /// the log says so once.
    fn warn_of_unnamed_proxy(&self, peer: IpAddr, headers: &HeaderMap) {
        static SAID: Once = Once::new();
        let Some(proxy) = self.proxy.as_ref().filter(|_| !self.is_proxy(peer)) else {
            return;
        };
        if headers.contains_key(&proxy.header) {
            SAID.call_once(|| {
                let header = proxy.header.as_str();
                tracing::warn!(
                    "{peer} sends {header}, but --proxy does not name it: its visitors count as one address"
                );
            });
        }
    }

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

    /// Where a request reached this server, as in `https://tablut.example`: what links for others begin
    /// with. Only a proxy that is believed can say that it was asked over HTTPS.
    pub(crate) fn site(&self, peer: IpAddr, headers: &HeaderMap) -> String {
        let host = headers.get(header::HOST);
        let host = host.and_then(|host| host.to_str().ok());
        let is_encrypted = self.is_encrypted(peer, headers);
        let scheme = if is_encrypted { "https" } else { "http" };
        format!("{scheme}://{}", host.unwrap_or("localhost"))
    }

    /// Whether a visitor's way to our proxy is encrypted.
    pub(crate) fn is_encrypted(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let proto = headers.get("x-forwarded-proto");
        self.proxy.is_some() && self.is_proxy(peer) && proto.is_some_and(|proto| proto == "https")
    }

    /// Whether a request may open a WebSocket: a browser always says which page wants it.
    pub(crate) fn admits_socket(&self, headers: &HeaderMap) -> bool {
        headers.contains_key(header::ORIGIN) && self.admits(headers)
    }

    /// Whether a name with an optional port is ours. An address cannot be pointed elsewhere, so any
    /// will do where the server listens to all.
    fn knows(&self, authority: &str) -> bool {
        let name = name(authority);
        is_loopback(authority)
            || self.lan && address(name).is_some()
            || self
                .names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// Whether a name with an optional port is that of the machine for itself.
fn is_loopback(authority: &str) -> bool {
    let name = name(authority);
    name.eq_ignore_ascii_case("localhost") || address(name).is_some_and(|ip| ip.is_loopback())
}

/// An address, IPv6 in brackets or not.
fn address(text: &str) -> Option<IpAddr> {
    text.trim_matches(['[', ']']).parse().ok()
}

/// The last address in a header: what the proxy itself has seen. Those before it anybody can claim.
fn last_address(headers: &HeaderMap, name: &HeaderName) -> Option<IpAddr> {
    let last = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    let last = last.rsplit(',').next()?.trim();
    address(last).or_else(|| last.parse::<SocketAddr>().ok().map(|last| last.ip()))
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
            proxy: None,
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
            proxy: None,
        };
        let mut headers = HeaderMap::new();
        assert!(!guard.admits(&headers));
        headers.insert(header::HOST, HeaderValue::from_static("localhost"));
        assert!(guard.admits(&headers) && !guard.admits_socket(&headers));
        headers.append(header::HOST, HeaderValue::from_static("localhost"));
        assert!(!guard.admits(&headers));
    }

    /// A server that only people at this machine and in its network reach.
    const OPEN: Guard = Guard {
        lan: true,
        names: Vec::new(),
        proxy: None,
    };

    /// A server with proxies at the loopback and at 10.0.0.9.
    fn fronted() -> Guard {
        Guard {
            proxy: Some(Proxy {
                header: HeaderName::from_static("x-forwarded-for"),
                from: vec!["10.0.0.9".parse().expect("an address")],
            }),
            ..OPEN
        }
    }

    /// The origin of a request from a peer with the given headers.
    fn origin(guard: &Guard, peer: &str, more: &[(&str, &str)]) -> Origin {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost:5880"));
        for (name, value) in more {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            let value = HeaderValue::from_str(value).expect("a value");
            if name == header::HOST {
                headers.remove(&name);
            }
            headers.append(name, value);
        }
        guard.origin(peer.parse().expect("an address"), &headers)
    }

    #[test]
    fn only_a_known_proxy_is_believed_and_only_its_own_entry() {
        let forwarded = "x-forwarded-for";
        for (peer, headers, source) in [
            ("192.0.2.1", vec![], "192.0.2.1"),
            ("192.0.2.1", vec![(forwarded, "198.51.100.1")], "192.0.2.1"),
            (
                "127.0.0.1",
                vec![(forwarded, "198.51.100.1")],
                "198.51.100.1",
            ),
            (
                "10.0.0.9",
                vec![(forwarded, "198.51.100.1")],
                "198.51.100.1",
            ),
            (
                "::1",
                vec![(forwarded, "1.1.1.1, 198.51.100.1")],
                "198.51.100.1",
            ),
            (
                "::1",
                vec![(forwarded, "1.1.1.1"), (forwarded, "198.51.100.1")],
                "198.51.100.1",
            ),
            (
                "::1",
                vec![(forwarded, "198.51.100.1:4711")],
                "198.51.100.1",
            ),
            (
                "::1",
                vec![(forwarded, "[2001:db8::1]:4711")],
                "2001:db8::1",
            ),
            ("::1", vec![(forwarded, "127.0.0.1")], "127.0.0.1"),
            ("10.0.0.9", vec![(forwarded, "nonsense")], "10.0.0.9"),
        ] {
            let found = origin(&fronted(), peer, &headers);
            let wanted = Source::of(source.parse().expect("an address"));
            assert_eq!(found.source, wanted, "{peer} {headers:?}");
            assert!(!found.is_local, "{peer} {headers:?}");
        }
    }

    #[test]
    fn whoever_comes_through_a_proxy_is_not_at_this_machine() {
        let origin = |peer, more: &[_]| origin(&OPEN, peer, more);
        assert!(origin("127.0.0.1", &[]).is_local && origin("::1", &[]).is_local);
        assert!(origin("::ffff:127.0.0.1", &[("host", "127.0.0.1:5880")]).is_local);
        for header in FORWARDING {
            let found = origin("127.0.0.1", &[(header, "198.51.100.1")]);
            assert!(!found.is_local, "{header}");
        }
        for (header, value) in [
            ("x-forwarded-for", "nonsense"),
            ("x-forwarded-host", "tablut.example"),
            ("x-forwarded-proto", "https"),
            ("host", "tablut.example"),
            ("host", "192.168.1.5:5880"),
        ] {
            let found = origin("127.0.0.1", &[(header, value)]);
            assert!(!found.is_local, "{header}");
        }
    }

    #[test]
    fn behind_a_name_or_a_proxy_nobody_is_at_this_machine() {
        let named = Guard {
            names: vec!["tablut.example".into()],
            ..OPEN
        };
        // What comes through a forwarder that adds no header looks just like this.
        let quiet = [("host", "localhost"), ("origin", "http://localhost")];
        assert!(origin(&OPEN, "127.0.0.1", &quiet).is_local);
        for guard in [named, fronted()] {
            assert!(!origin(&guard, "127.0.0.1", &quiet).is_local, "{guard:?}");
        }
    }
}
