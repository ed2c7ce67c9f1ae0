//! Cores, so that games played at the same time do not take them from each other.

use std::{env, fs::File, path::Path};

/// The cores this thread may use; nothing where the system does not say.
#[must_use]
pub fn available() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0)) {
        let is_set = |core: &usize| set.is_set(*core).unwrap_or(false);
        return (0..nix::sched::CpuSet::count()).filter(is_set).collect();
    }
    Vec::new()
}

/// Cores that nobody else on this machine has, for as long as this lives.
#[derive(Debug)]
pub struct Reserved {
    /// The cores.
    pub cores: Vec<usize>,
    /// Locks end with the process, however it ends.
    _locks: Vec<File>,
}

/// Reserves free cores in lots of `each`, at most `most` lots.
#[must_use]
pub fn reserve(each: usize, most: usize) -> Vec<Reserved> {
    reserve_in(&env::temp_dir(), each, most)
}

/// Reserves cores by locks in a folder.
fn reserve_in(folder: &Path, each: usize, most: usize) -> Vec<Reserved> {
    let mut lots = Vec::new();
    let (mut cores, mut locks) = (Vec::new(), Vec::new());
    for core in available() {
        if lots.len() == most {
            break;
        }
        let Some(lock) = lock(folder, core) else {
            continue;
        };
        cores.push(core);
        locks.push(lock);
        if cores.len() == each.max(1) {
            lots.push(Reserved {
                cores: std::mem::take(&mut cores),
                _locks: std::mem::take(&mut locks),
            });
        }
    }
    lots
}

/// The lock of a core; `None` if it is taken.
fn lock(folder: &Path, core: usize) -> Option<File> {
    let path = folder.join(format!("tablut-core-{core}.lock"));
    // Another user's file can still be read, and that is enough to lock it.
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .or_else(|_| File::open(&path))
        .ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Keeps this thread, and every thread and program it starts from now on, to some cores; says
/// whether the system did.
#[must_use]
pub fn keep_to(cores: &[usize]) -> bool {
    #[cfg(target_os = "linux")]
    {
        let mut set = nix::sched::CpuSet::new();
        cores.iter().all(|&core| set.set(core).is_ok())
            && nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &set).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cores;
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_reserved_once_and_free_again_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let reserve = || {
            let lots = reserve_in(folder.path(), 1, usize::MAX);
            let cores: Vec<usize> = lots.iter().flat_map(|lot| lot.cores.clone()).collect();
            (lots, cores)
        };
        let (mine, cores) = reserve();
        assert_eq!(cores, available());
        assert!(reserve().1.is_empty());
        drop(mine);
        assert_eq!(reserve().1, cores);
    }

    #[test]
    fn a_thread_and_what_it_starts_stay_on_their_cores() {
        let all = available();
        let kept = std::thread::spawn(move || {
            assert!(keep_to(&all[..1]));
            let child = std::thread::spawn(available).join().unwrap();
            (all, child)
        });
        let (all, child) = kept.join().unwrap();
        assert_eq!(child, all[..1]);
        // Others are where they were.
        assert_eq!(available(), all);
    }
}
