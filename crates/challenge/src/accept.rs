//! What a port does when a connection cannot be accepted.

use std::{io, time::Duration};

/// How long to wait when the system gives out no connections, as when it has no descriptors left.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a port waits after a connection could not be accepted, before it accepts the next one: it
/// never gives up. If only that one connection was lost, others are accepted at once.
#[must_use]
pub fn pause_after(error: &io::Error) -> Duration {
    match error.kind() {
        io::ErrorKind::ConnectionAborted
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionRefused
        | io::ErrorKind::Interrupted => Duration::ZERO,
        _ => PAUSE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_concerns_all_connections_is_waited_for() {
        let lost = io::Error::from(io::ErrorKind::ConnectionAborted);
        assert_eq!(pause_after(&lost), Duration::ZERO);
        assert_eq!(pause_after(&io::Error::other("no descriptors")), PAUSE);
    }
}
