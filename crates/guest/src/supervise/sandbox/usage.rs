//! What the processes of a sandbox use, counted by its first process.

use std::{fs, thread, time::Duration};

use super::super::Confinement;

/// How often is counted.
const OFTEN: Duration = Duration::from_millis(50);

/// What all processes of a namespace may use together. A limit of the kernel for each of them says
/// little about many of them, and not every user may create control groups.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Usage {
    memory_kb: u64,
    threads: u64,
}

impl Usage {
    /// What a program may use.
    pub(in super::super) fn of(confinement: &Confinement) -> Self {
        let memory_mb = confinement.memory_mb.unwrap_or(Confinement::MEMORY_MB);
        Self {
            memory_kb: memory_mb.saturating_mul(1024),
            threads: confinement.processes.unwrap_or(Confinement::PROCESSES),
        }
    }

    /// Waits until something is used too much; says what.
    pub(in super::super) fn wait_for_excess(&self) -> String {
        loop {
            let used = Self::now();
            if used.memory_kb > self.memory_kb {
                let limit_mb = self.memory_kb / 1024;
                return format!("killed: it used more than {limit_mb} MiB of memory");
            }
            if used.threads > self.threads {
                return format!("killed: it had more than {} processes", self.threads);
            }
            thread::sleep(OFTEN);
        }
    }

    /// What is used now by all but ourselves.
    fn now() -> Self {
        let mut used = Self {
            memory_kb: 0,
            threads: 0,
        };
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        for process in processes {
            let name = process.file_name();
            let is_other = name
                .to_str()
                .is_some_and(|name| name != "1" && name.bytes().all(|byte| byte.is_ascii_digit()));
            if is_other && let Ok(status) = fs::read_to_string(process.path().join("status")) {
                let one = Self::read(&status);
                used.memory_kb += one.memory_kb;
                used.threads += one.threads;
            }
        }
        used
    }

    /// What one process uses: what it has written to, whether it is shared or was put aside.
    fn read(status: &str) -> Self {
        let value = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            number.and_then(|number| number.parse().ok()).unwrap_or(0)
        };
        Self {
            memory_kb: value("RssAnon:") + value("RssShmem:") + value("VmSwap:"),
            threads: value("Threads:"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_only_mapped_does_not_count() {
        let status = "Name:\tjava\nVmSize:\t 9000000 kB\nVmRSS:\t   60 kB\nRssAnon:\t   10 kB\n\
                      RssFile:\t   40 kB\nRssShmem:\t   10 kB\nVmSwap:\t 5 kB\nThreads:\t7\n";
        let used = Usage::read(status);
        assert_eq!((used.memory_kb, used.threads), (25, 7));
    }
}
