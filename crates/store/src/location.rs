//! Where a store is.

use std::{convert::Infallible, fmt, path::PathBuf, str::FromStr};

/// Where a store is: a file, a PostgreSQL server, or nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// An SQLite file, made if it is not there, with its folder.
    File(PathBuf),
    /// A PostgreSQL database, as `postgres://user:password@host:port/database`.
    Postgres(String),
    /// Memory: gone with the process. For tests.
    Memory,
}

impl FromStr for Location {
    type Err = Infallible;

    /// A URL of PostgreSQL, or else the path of a file.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let is_url = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| text.starts_with(scheme));
        Ok(if is_url {
            Self::Postgres(text.into())
        } else {
            Self::File(text.into())
        })
    }
}

impl fmt::Display for Location {
    /// Names the place without a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Postgres(url) => {
                let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
                let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
                let host = host.split('?').next().unwrap_or(host);
                write!(f, "{scheme}://{host}")
            }
            Self::Memory => f.write_str("memory"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_a_server_and_everything_else_a_file() {
        for (text, shown) in [
            ("games.db", "games.db"),
            ("/tmp/a b/games.db", "/tmp/a b/games.db"),
            (
                "postgres://me:secret@host:5432/db",
                "postgres://host:5432/db",
            ),
            (
                "postgresql://host/db?password=secret",
                "postgresql://host/db",
            ),
        ] {
            let Ok(place) = text.parse::<Location>();
            assert_eq!(place.to_string(), shown);
            assert_eq!(matches!(place, Location::File(_)), !text.contains("://"));
        }
    }
}
