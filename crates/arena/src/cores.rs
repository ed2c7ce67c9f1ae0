//! Cores, so that games played at the same time do not take them from each other.

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

/// Keeps this thread, and every thread and program it starts from now on, to some cores; says
/// whether the system did.
#[must_use]
pub fn keep_to(cores: &[usize]) -> bool {
    #[cfg(target_os = "linux")]
    {
        let mut set = nix::sched::CpuSet::new();
        return cores.iter().all(|&core| set.set(core).is_ok())
            && nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &set).is_ok();
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
