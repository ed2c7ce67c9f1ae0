//! Started programs that see little and leave nothing behind.
//!
//! A program is started by a supervisor, which is our own program in another role
//! ([`inside::run`]). The two are joined by a socket: when our end closes, because we want it so or
//! because we died, everything that descends from the program is killed, orphans and double forks
//! too. The supervisor also opens the listeners the program will connect to, and hands them over.
//!
//! A program that is not trusted runs in a sandbox. Its supervisor makes namespaces and starts itself
//! once more as their first process, which prepares what the program will see, starts it, and counts
//! what it uses. The kernel ends a process namespace with its first process, so whatever ends one of
//! the three ends everything; and the program sees none of them but the first, which it cannot signal.

mod confinement;
#[cfg(unix)]
pub mod inside;
#[cfg(target_os = "linux")]
mod namespace;
#[cfg(unix)]
mod outside;
mod printed;

#[cfg(target_os = "linux")]
mod sandbox;

pub use confinement::Confinement;
#[cfg(unix)]
pub use outside::{StartError, Supervised, SupervisorOrder};
pub(crate) use printed::Printed;

use std::{
    fmt, io,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

/// Whether an error is about something that this machine is short of, as memory, processes or
/// descriptors, so that it says nothing about who met with it.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    use io::ErrorKind::{OutOfMemory, QuotaExceeded, StorageFull, WouldBlock};
    // Only the system knows some of them by name.
    #[cfg(unix)]
    let is_of_system = {
        use rustix::io::Errno;
        let errno = Errno::from_io_error(error);
        errno.is_some_and(|errno| {
            [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::IO].contains(&errno)
        })
    };
    #[cfg(not(unix))]
    let is_of_system = false;
    is_of_system
        || matches!(
            error.kind(),
            OutOfMemory | QuotaExceeded | StorageFull | WouldBlock
        )
}

/// How games of programs that know only fixed ports are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Isolation {
    /// Each has a network of its own.
    Namespace,
    /// Each has a loopback address of its own, 127.0.0.2 and so on.
    Address,
    /// All share this machine's address: one game at a time.
    #[default]
    Shared,
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Namespace => "each client has its own network namespace",
            Self::Address => "each client has its own loopback address",
            Self::Shared => "clients share 127.0.0.1, so one game is played at a time",
        })
    }
}

impl Isolation {
    /// The best that this system allows, found by trying; `supervisor` is the program.
    #[must_use]
    pub fn best(supervisor: &Path) -> Self {
        #[cfg(unix)]
        if Supervised::can_isolate(supervisor) {
            return Self::Namespace;
        }
        let _ = supervisor;
        // Some systems have only 127.0.0.1.
        match TcpListener::bind((Ipv4Addr::new(127, 0, 0, 2), 0)) {
            Ok(_) => Self::Address,
            Err(_) => Self::Shared,
        }
    }

    /// An address for a game that nobody else has.
    #[must_use]
    pub fn address(self) -> Ipv4Addr {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        match self {
            Self::Namespace | Self::Shared => Ipv4Addr::LOCALHOST,
            Self::Address => {
                let n = NEXT.fetch_add(1, Ordering::Relaxed);
                let [_, _, high, low] = (n % 65_000 + 2).to_be_bytes();
                Ipv4Addr::new(127, 0, high, low)
            }
        }
    }
}
