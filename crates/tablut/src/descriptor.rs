//! How many files and connections this process may have open.

use anyhow::{Context, Result, bail};

/// Raises the limit of open descriptors as far as needed, and gives it.
#[cfg(unix)]
pub(crate) fn raise(needed: u64) -> Result<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current.unwrap_or(u64::MAX);
    if current >= needed {
        return Ok(current);
    }
    let most = limit.maximum.unwrap_or(u64::MAX);
    if most < needed {
        bail!(
            "{needed} open descriptors are needed and the system allows {most}: play fewer --games, or raise the limit (ulimit -Hn)"
        );
    }
    let wanted = Rlimit {
        current: Some(needed),
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, wanted).context("cannot raise the limit of descriptors")?;
    Ok(needed)
}

#[cfg(not(unix))]
pub(crate) fn raise(needed: u64) -> Result<u64> {
    Ok(needed)
}

/// Raises the limit of open descriptors to what is wanted, or as far towards it as the system lets us;
/// gives what it is then.
#[cfg(unix)]
pub(crate) fn raise_towards(wanted: u64) -> u64 {
    use rustix::process::{Resource, getrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current.unwrap_or(u64::MAX);
    raise(wanted.min(limit.maximum.unwrap_or(u64::MAX))).unwrap_or(current)
}

#[cfg(not(unix))]
pub(crate) fn raise_towards(wanted: u64) -> u64 {
    wanted
}
