//! What the processes of a sandbox use, counted by its first process.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use super::super::Confinement;

/// How often is counted.
const OFTEN: Duration = Duration::from_millis(50);

/// How many counts in a row have to find too much memory.
const SURE: u32 = 3;

/// How many mappings all processes may have together: to read more would take too long.
const MAPPINGS: usize = 1 << 18;

/// How many pieces of shared memory a program may have before its word is not taken for their sizes.
const FEW: usize = 16;

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
        let mut everybody = Everybody::default();
        let mut over = 0;
        loop {
            let census = Census::take();
            if census.threads > self.threads {
                return format!("killed: it had more than {} processes", self.threads);
            }
            if census.shared.mappings > MAPPINGS {
                return format!("killed: it had more than {MAPPINGS} mappings of memory");
            }
            let shared_kb = census.shared.kb(everybody.growth_kb());
            // What processes share since they were forked is counted for each of them at first: to
            // count it once, the kernel has to look at every page, which takes its time.
            let is_too_much =
                |own: fn(&Process) -> u64| census.own_kb(own) + shared_kb > self.memory_kb;
            if !is_too_much(Process::written_kb) || !is_too_much(Process::share_kb) {
                over = 0;
                thread::sleep(OFTEN);
                continue;
            }
            // While processes end, what they shared may be counted for those that are left too.
            over += 1;
            if over == SURE {
                let limit_mb = self.memory_kb / 1024;
                return format!("killed: it used more than {limit_mb} MiB of memory");
            }
        }
    }
}

/// The shared memory of the whole machine.
#[derive(Debug, Default)]
struct Everybody {
    least_kb: Option<u64>,
}

impl Everybody {
    /// By how much it has grown since it was looked at first.
    fn growth_kb(&mut self) -> u64 {
        let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let now_kb = value_or_0(&text, "Shmem:");
        let least_kb = self.least_kb.get_or_insert(now_kb);
        *least_kb = now_kb.min(*least_kb);
        now_kb - *least_kb
    }
}

/// All processes but ourselves.
#[derive(Debug, Default)]
struct Census {
    processes: Vec<Process>,
    threads: u64,
    shared: Shared,
}

impl Census {
    fn take() -> Self {
        let mut census = Self::default();
        let folders = fs::read_dir("/proc").into_iter().flatten().flatten();
        for folder in folders {
            let name = folder.file_name();
            let is_other = name
                .to_str()
                .is_some_and(|name| name != "1" && name.bytes().all(|byte| byte.is_ascii_digit()));
            if is_other && let Some(process) = Process::look(folder.path()) {
                census.threads += process.status.threads;
                if census.shared.mappings <= MAPPINGS {
                    census.shared.add(&process);
                }
                census.processes.push(process);
            }
        }
        census
    }

    /// What the processes have of their own, counted in one way or another.
    fn own_kb(&self, own: fn(&Process) -> u64) -> u64 {
        self.processes.iter().map(own).sum()
    }
}

/// A process that runs.
#[derive(Debug)]
struct Process {
    folder: PathBuf,
    status: Status,
}

impl Process {
    /// Nothing if it has ended.
    fn look(process: PathBuf) -> Option<Self> {
        let read = |folder: &Path| fs::read_to_string(folder.join("status")).ok();
        let status = Status::read(&read(&process)?);
        if status.has_memory {
            return Some(Self {
                folder: process,
                status,
            });
        }
        // The memory of a process whose first thread has ended is told of by its others.
        let threads = fs::read_dir(process.join("task")).into_iter().flatten();
        let others = threads.flatten().filter_map(|thread| {
            let status = Status::read(&read(&thread.path())?);
            status.has_memory.then_some(Self {
                folder: thread.path(),
                status,
            })
        });
        // What has ended for good still has its number.
        let ended = || Self {
            folder: process.clone(),
            status,
        };
        Some(others.into_iter().next().unwrap_or_else(ended))
    }

    /// Private memory it has written to, shared by forks or not.
    const fn written_kb(&self) -> u64 {
        self.status.private_kb + self.status.tables_kb
    }

    /// Its share of that.
    fn share_kb(&self) -> u64 {
        let text = match fs::read_to_string(self.folder.join("smaps_rollup")) {
            Ok(text) => text,
            // It lets nobody look.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return self.written_kb();
            }
            // This kernel cannot tell.
            Err(_) if !Path::new("/proc/self/smaps_rollup").exists() => return self.written_kb(),
            // It has ended meanwhile.
            Err(_) => return 0,
        };
        let share = value(&text, "Pss_Anon:").map(|share| share + value_or_0(&text, "SwapPss:"));
        share.map_or_else(|| self.written_kb(), |share| share + self.status.tables_kb)
    }
}

/// What the kernel says of a process or thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Status {
    has_memory: bool,
    private_kb: u64,
    tables_kb: u64,
    /// All that could be mapped, used or not.
    mapped_kb: u64,
    threads: u64,
}

impl Status {
    fn read(text: &str) -> Self {
        Self {
            has_memory: value(text, "RssAnon:").is_some(),
            private_kb: value_or_0(text, "RssAnon:") + value_or_0(text, "VmSwap:"),
            tables_kb: value_or_0(text, "VmPTE:"),
            mapped_kb: value_or_0(text, "VmSize:"),
            threads: value_or_0(text, "Threads:"),
        }
    }
}

/// The number after a name, at the start of a line.
fn value(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn value_or_0(text: &str, name: &str) -> u64 {
    value(text, name).unwrap_or(0)
}

/// Memory that belongs to no single process: shared and without a file. It stays when a process
/// drops its own view of the pages, so what is mapped counts, used or not. Files in memory count as
/// files.
#[derive(Debug, Default)]
struct Shared {
    /// The size of each by its number; several processes may have it.
    sizes: HashMap<u64, u64>,
    /// What is mapped by processes that let nobody look.
    unseen_kb: u64,
    /// How many mappings of all kinds there are.
    mappings: usize,
}

impl Shared {
    fn add(&mut self, process: &Process) {
        match fs::read_to_string(process.folder.join("maps")) {
            Ok(maps) => self.read(&maps),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                self.unseen_kb += process.status.mapped_kb;
            }
            // It has ended meanwhile.
            Err(_) => {}
        }
    }

    fn read(&mut self, maps: &str) {
        for line in maps.lines() {
            self.mappings += 1;
            if !line.ends_with("/dev/zero (deleted)") {
                continue;
            }
            let mut words = line.split_whitespace();
            let (range, _, offset) = (words.next(), words.next(), words.next());
            let inode = words.nth(1).and_then(|inode| inode.parse().ok());
            let hex = |text: &str| u64::from_str_radix(text, 16).ok();
            let range = range.and_then(|range| range.split_once('-'));
            let range = range.and_then(|(start, end)| Some((hex(start)?, hex(end)?)));
            if let (Some((start, end)), Some(offset), Some(inode)) =
                (range, offset.and_then(hex), inode)
            {
                let size = self.sizes.entry(inode).or_default();
                *size = (*size).max(offset.saturating_add(end.saturating_sub(start)));
            }
        }
    }

    /// How much it is; `growth_kb` is that of the whole machine since the program was started.
    ///
    /// A piece of which only a page is still mapped is as large as it ever was, and nobody can see that.
    /// A few such pieces cannot have grown large between two looks; who has many has to answer for
    /// everybody's.
    fn kb(&self, growth_kb: u64) -> u64 {
        let seen_kb = self.sizes.values().sum::<u64>() / 1024 + self.unseen_kb;
        match self.sizes.len() > FEW {
            true => seen_kb.max(growth_kb),
            false => seen_kb,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_only_mapped_does_not_count() {
        let status = "Name:\tjava\nVmSize:\t 9000000 kB\nVmRSS:\t   60 kB\nRssAnon:\t   10 kB\n\
                      RssFile:\t   40 kB\nRssShmem:\t   10 kB\nVmPTE:\t 3 kB\nVmSwap:\t 5 kB\n\
                      Threads:\t7\n";
        let process = Process {
            folder: "/nowhere".into(),
            status: Status::read(status),
        };
        assert_eq!((process.written_kb(), process.status.threads), (18, 7));
    }

    #[test]
    fn memory_that_processes_share_counts_once_and_whole() {
        let mut shared = Shared::default();
        for maps in [
            "7f0000000000-7f0000100000 rw-s 00000000 00:01 77     /dev/zero (deleted)\n\
             7f1000000000-7f1000900000 rw-p 00000000 00:00 0 \n",
            // A part of the same, and another.
            "7f0000000000-7f0000001000 rw-s 00080000 00:01 77     /dev/zero (deleted)\n\
             7f2000000000-7f2000100000 rw-s 00000000 00:01 78     /dev/zero (deleted)\n\
             7f3000000000-7f3000900000 r-xp 00000000 08:01 79     /usr/lib/libc.so\n",
        ] {
            shared.read(maps);
        }
        assert_eq!((shared.kb(9000), shared.mappings), (2048, 5));
        for inode in 100..=100 + FEW {
            shared.read(&format!(
                "1000-2000 rw-s 00000000 00:01 {inode} /dev/zero (deleted)\n"
            ));
        }
        assert_eq!(shared.kb(9000), 9000);
    }
}
