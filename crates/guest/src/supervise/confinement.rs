//! What a started program may see and use.

use std::path::{Path, PathBuf};

use tablut_arena::tournament::ProgramLimits;

use super::Isolation;

/// How a program that is started here is confined, and what it may use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Confinement {
    /// Whether it runs as one of the user's own programs, with all that the user may see and do.
    pub is_trusted: bool,
    /// Memory for all its processes together, in mebibytes. A trusted program has no limit by
    /// default, and a limit applies to each of its processes.
    pub memory_mb: Option<u64>,
    /// How many processes and threads it may have.
    pub processes: Option<u64>,
    /// What it may keep in its temporary folder and home, and in each file it writes, in mebibytes.
    pub disk_mb: Option<u64>,
    /// Whether it may write to its own folder.
    pub writable: bool,
    /// Files and folders it may read besides its own and the system's.
    pub read: Vec<PathBuf>,
    /// Files that it does not see even in its own folder: the store.
    pub hidden: Vec<PathBuf>,
}

impl Confinement {
    /// The default for memory, in mebibytes.
    pub const MEMORY_MB: u64 = 2048;
    /// The default for processes and threads. A virtual machine with many cores has some hundred.
    pub const PROCESSES: u64 = 512;
    /// The default for written files, in mebibytes.
    pub const DISK_MB: u64 = 256;

    /// Everything as the user may, for programs that are trusted.
    #[must_use]
    pub fn trusted() -> Self {
        Self {
            is_trusted: true,
            ..Self::default()
        }
    }

    /// With the limits of a tournament's file where none are set yet.
    #[must_use]
    pub fn within(mut self, limits: &ProgramLimits) -> Self {
        self.memory_mb = self.memory_mb.or(limits.memory_mb);
        self.processes = self.processes.or(limits.processes);
        self.disk_mb = self.disk_mb.or(limits.disk_mb);
        self.writable |= limits.writable;
        self.read.extend(limits.read.iter().cloned());
        self
    }

    /// How games of clients are kept apart: a sandboxed program has its own network.
    #[must_use]
    pub fn isolation(&self, supervisor: &Path) -> Isolation {
        match self.is_trusted {
            true => Isolation::best(supervisor),
            false => Isolation::Namespace,
        }
    }
}
