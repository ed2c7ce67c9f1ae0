//! What a program that is not trusted finds around itself.
//!
//! All this is done by the first process of the namespaces before it starts the program, since nothing
//! can be done between `fork` and `exec`; so it is confined with the program, which does it no harm.

mod filter;
mod mount;
mod usage;
mod view;

use std::{env, fs, os::fd::AsRawFd, path::PathBuf, process::Command};

use rustix::process::{
    DumpableBehavior, Resource, Signal, set_dumpable_behavior, set_parent_process_death_signal,
    setsid,
};

use super::{
    Confinement,
    inside::{InsideTask, limit},
    namespace,
};
pub(super) use usage::Usage;
use view::View;

/// How many files a process may have open.
const OPEN_FILES: u64 = 1024;

/// Variables that a program gets as they are; others may have secrets in them.
const VARIABLES: [&str; 12] = [
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "JAVA_HOME",
    "CLASSPATH",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "OMP_NUM_THREADS",
    "CARGO_TARGET_DIR",
    "TERM",
];

/// The same by how their names start.
const KINDS: [&str; 3] = ["LC_", "PYENV_", "SDKMAN_"];

/// Shuts this process and all it will start in. Gives what can be seen from inside.
pub(super) fn enter(task: &InsideTask, command: &mut Command) -> Result<View, String> {
    let Confinement {
        memory_mb,
        processes,
        disk_mb,
        ..
    } = task.confinement;
    let memory_mb = memory_mb.unwrap_or(Confinement::MEMORY_MB);
    let processes = processes.unwrap_or(Confinement::PROCESSES);
    let disk_mb = disk_mb.unwrap_or(Confinement::DISK_MB);
    let (user, group) = (ordinary("uid_map"), ordinary("gid_map"));
    let view = View::of(task)?;
    let outer = mount::enter(&view, disk_mb, [user, group])?;
    cap_processes(processes);
    mount::close_proc()?;
    let process = PathBuf::from(format!("/proc/self/fd/{}/self", outer.as_raw_fd()));
    namespace::become_ordinary(&process, user, group)
        .map_err(|error| format!("cannot drop privileges: {error}"))?;
    drop(outer);
    // More than may really be used, which is counted: what is only asked for harms nobody, and Java
    // asks for much.
    let mebibyte = 1024 * 1024;
    limit(Resource::Data, memory_mb.saturating_mul(2 * mebibyte))?;
    limit(Resource::Fsize, disk_mb.saturating_mul(mebibyte))?;
    limit(Resource::Nofile, OPEN_FILES)?;
    limit(Resource::Core, 0)?;
    // Who has more than it may is ended as a whole; this only keeps a bomb from outrunning that.
    limit(Resource::Nproc, processes.saturating_mul(2))?;
    let failed = |error: rustix::io::Errno| format!("cannot drop privileges: {error}");
    // A session has its own share of the processor where the kernel groups by session.
    setsid().map_err(failed)?;
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(failed)?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(failed)?;
    rustix::thread::set_no_new_privs(true).map_err(failed)?;
    filter::apply()?;
    let is_kept =
        |name: &str| VARIABLES.contains(&name) || KINDS.iter().any(|start| name.starts_with(start));
    let kept = env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_kept));
    command.env_clear().envs(kept);
    command.env("HOME", &view.home).env("USER", mount::USER);
    command.env("TMPDIR", "/tmp").current_dir(&view.current);
    Ok(view)
}

/// The user or group we were outside; a thousand for root, which is nobody special in there.
fn ordinary(map: &str) -> u32 {
    let text = fs::read_to_string(PathBuf::from("/proc/self").join(map)).unwrap_or_default();
    let outside = text.split_whitespace().nth(1);
    match outside.and_then(|outside| outside.parse().ok()) {
        None | Some(0) => 1000,
        Some(outside) => outside,
    }
}

/// Limits the numbers of a process namespace, where the kernel has such a limit for each: the limit of
/// processes does not hold for root. Older kernels would change that of the whole system.
fn cap_processes(most: u64) {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut parts = release.split(|letter: char| !letter.is_ascii_digit());
    let mut part = || parts.next()?.parse::<u32>().ok();
    if (part(), part()) >= (Some(6), Some(14)) {
        // Numbers below 300 are not given again, so they do not count.
        let most = most.saturating_mul(2).saturating_add(400);
        let _ = fs::write("/proc/sys/kernel/pid_max", most.to_string());
    }
}
