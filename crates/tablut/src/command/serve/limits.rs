//! The flags of `serve` for what visitors may take.

use std::net::IpAddr;

use anyhow::{Result, bail};
use clap::Args;
use tablut_host::Limits;
use tablut_web::{HeaderName, Proxy, Traffic};

use crate::descriptor;

/// After how long a visitor is forgotten who has left nothing, in milliseconds: a day.
pub(super) const FORGOTTEN_MS: i64 = 24 * 3600 * 1000;

#[derive(Args, Default)]
#[command(next_help_heading = "Limits (docs/board.md lists all of them)")]
pub(super) struct Flags {
    /// Visitors with something saved [default: 100000]
    #[arg(long, value_name = "N")]
    max_visitors: Option<u64>,
    /// Stored games, finished or not [default: 500000]
    #[arg(long, value_name = "N")]
    max_games: Option<u64>,
    /// Positions in all libraries together [default: 200000]
    #[arg(long, value_name = "N")]
    max_positions: Option<u64>,
    /// Studies of all visitors together [default: 50000]
    #[arg(long, value_name = "N")]
    max_studies: Option<u64>,
    /// Pages open at once [default: 4000, or fewer if the system allows fewer open files]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_pages: Option<u32>,
    /// Pages open at once at all servers on one store together [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_pages_of_all: Option<u32>,
    /// Pages open at once from one address other than this machine, at all servers on one store together
    /// [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_pages_per_address: Option<u32>,
    /// The header in which a proxy in front of the server passes the visitor's address, such as
    /// X-Real-IP or X-Forwarded-For (only its last entry counts)
    #[arg(long, value_name = "HEADER", value_parser = header)]
    proxy_header: Option<HeaderName>,
    /// An address that proxy may have, besides this machine's own
    #[arg(long, value_name = "ADDRESS", requires = "proxy_header")]
    proxy: Vec<IpAddr>,
}

impl Flags {
    /// What is kept for visitors.
    pub(super) fn kept(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            visitors: self.max_visitors.unwrap_or(usual.visitors),
            all_games: self.max_games.unwrap_or(usual.all_games),
            all_positions: self.max_positions.unwrap_or(usual.all_positions),
            all_studies: self.max_studies.unwrap_or(usual.all_studies),
            live_games: usual.live_games.max(self.pages() + self.pages() / 4),
            ..usual
        }
    }

    fn pages(&self) -> usize {
        self.max_pages
            .map_or(Traffic::default().pages, |pages| pages as usize)
    }

    /// Who may come, within what the system allows.
    pub(super) fn traffic(&self) -> Traffic {
        let usual = Traffic::default();
        let traffic = Traffic {
            pages: self.pages(),
            pages_per_address: self
                .max_pages_per_address
                .map_or(usual.pages_per_address, |pages| pages as usize),
            all_pages: self.max_pages_of_all.map(|pages| pages as usize),
            ..usual
        };
        let wanted = traffic.descriptors();
        traffic.within(descriptor::raise_towards(wanted))
    }

    pub(super) fn proxy(&self) -> Option<Proxy> {
        self.proxy_header.clone().map(|header| Proxy {
            header,
            from: self.proxy.clone(),
        })
    }
}

/// The name of a header that holds addresses.
fn header(text: &str) -> Result<HeaderName> {
    match HeaderName::from_bytes(text.as_bytes()) {
        Ok(name) if name.as_str() == "forwarded" => {
            bail!("Forwarded is not supported; have the proxy set X-Real-IP or X-Forwarded-For")
        }
        Ok(name) => Ok(name),
        Err(_) => bail!("expected the name of a header, such as X-Real-IP"),
    }
}
