//! The supervisor itself: what our program does when it is started as one.

use std::{
    fs, io,
    io::Read,
    mem::MaybeUninit,
    net::{SocketAddr, TcpListener},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    process::{self, Command, Stdio},
    thread,
    time::Duration,
};

use rustix::{
    io::Errno,
    net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg},
    process::{Pid, Resource, Rlimit, Signal, WaitOptions, getpid, kill_process, setrlimit, wait},
};

use super::outside::LISTENERS;

/// What a supervisor says when the program runs.
pub(super) const READY: &str = "ready";

/// What a supervisor is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Whether in a network namespace of its own.
    pub namespace: bool,
    /// Addresses to listen on and hand over.
    pub addresses: Vec<SocketAddr>,
    /// How much memory each process may have, in mebibytes.
    pub memory_mb: Option<u64>,
    /// The program and its arguments.
    pub words: Vec<String>,
}

/// Starts a program and ends with all its descendants, or kills them when standard input, which is a
/// socket, is closed by the other end. Gives the exit code of the program.
///
/// # Errors
/// Standard input is no socket of somebody who waits. Other failures are told to the other end.
pub fn run(task: &Task) -> io::Result<u8> {
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    match start(task) {
        Ok((listeners, child)) => {
            let descriptors: Vec<BorrowedFd<'_>> = listeners.iter().map(AsFd::as_fd).collect();
            tell(&control, READY, &descriptors)?;
            // From here on only the other end listens.
            drop(listeners);
            thread::spawn(move || {
                let mut control = control;
                // Nothing is ever said; the end is what is waited for.
                while let Ok(1..) = control.read(&mut [0; 64]) {}
                kill_all();
                process::exit(0);
            });
            Ok(reap(child))
        }
        Err(error) => {
            tell(&control, &error, &[])?;
            Ok(1)
        }
    }
}

/// Says something to the other end, with descriptors.
fn tell(control: &UnixStream, text: &str, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(LISTENERS))];
    let mut rights = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !rights.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("too many listeners"));
    }
    let parts = [io::IoSlice::new(text.as_bytes())];
    sendmsg(control, &parts, &mut rights, SendFlags::empty())?;
    Ok(())
}

fn start(task: &Task) -> Result<(Vec<TcpListener>, Pid), String> {
    if task.namespace {
        enter_namespace().map_err(|error| format!("no network namespace: {error}"))?;
    }
    let bind = |address: &SocketAddr| {
        TcpListener::bind(address).map_err(|error| format!("cannot listen on {address}: {error}"))
    };
    let listeners: Vec<TcpListener> = task.addresses.iter().map(bind).collect::<Result<_, _>>()?;
    // Orphans become our children.
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(getpid()))
        .map_err(|error| format!("cannot supervise: {error}"))?;
    if let Some(memory_mb) = task.memory_mb {
        limit(Resource::Data, memory_mb)
            .map_err(|error| format!("cannot limit memory: {error}"))?;
    }
    limit(Resource::Fsize, LARGEST_FILE_MB)
        .map_err(|error| format!("cannot limit files: {error}"))?;
    let (program, arguments) = task
        .words
        .split_first()
        .ok_or("there is no program to start")?;
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start {program}: {error}"))?;
    Ok((listeners, Pid::from_child(&child)))
}

/// How large a file may become that a program writes, its output among them.
const LARGEST_FILE_MB: u64 = 256;

/// Limits what a process may use; we are limited with it, but need next to nothing. Of memory, address
/// space that is only reserved, as Java does in plenty, does not count.
fn limit(what: Resource, mb: u64) -> io::Result<()> {
    let bytes = Some(mb.saturating_mul(1024 * 1024));
    let limit = Rlimit {
        current: bytes,
        maximum: bytes,
    };
    Ok(setrlimit(what, limit)?)
}

#[cfg(target_os = "linux")]
fn enter_namespace() -> io::Result<()> {
    super::namespace::enter()
}

#[cfg(not(target_os = "linux"))]
fn enter_namespace() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Waits for the program and all its descendants; gives the exit code of the program.
fn reap(program: Pid) -> u8 {
    let mut code = 0;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => {
                let ended = status.exit_status();
                let killed = status.terminating_signal().map(|signal| 128 + signal);
                code = ended.or(killed).unwrap_or(1);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return u8::try_from(code).unwrap_or(u8::MAX),
        }
    }
}

/// Kills all descendants. Who loses its parent becomes our child, so in the end all are.
fn kill_all() {
    loop {
        let children = children();
        if children.is_empty() {
            return;
        }
        for child in children {
            // It may have ended by now.
            let _ = kill_process(child, Signal::KILL);
        }
        // The other thread collects them.
        thread::sleep(Duration::from_millis(1));
    }
}

/// The processes whose parent we are.
#[cfg(target_os = "linux")]
fn children() -> Vec<Pid> {
    let me = getpid().as_raw_nonzero().get();
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let parent = |pid: &i32| -> Option<i32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in brackets may have anything in it.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut words = rest.split_whitespace();
        let state = words.next()?;
        // The dead only wait to be collected.
        let parent = words.next()?.parse().ok()?;
        (state != "Z").then_some(parent)
    };
    let pids = processes.flatten().filter_map(|entry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        (parent(&pid)? == me).then(|| Pid::from_raw(pid)).flatten()
    });
    pids.collect()
}

/// Without a list of processes there is only the group, ourselves included.
#[cfg(not(target_os = "linux"))]
fn children() -> Vec<Pid> {
    let _ = rustix::process::kill_current_process_group(Signal::KILL);
    Vec::new()
}
