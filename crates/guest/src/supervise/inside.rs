//! The supervisor itself: what our program does when it is started as one.

use std::{
    fs, io,
    io::Read,
    mem::MaybeUninit,
    net::{SocketAddr, TcpListener},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{net::UnixStream, process::ExitStatusExt},
    },
    process::{self, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

use rustix::{
    io::Errno,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    },
    process::{Pid, Resource, Rlimit, Signal, WaitOptions, getpid, kill_process, setrlimit, wait},
};

use super::{Confinement, is_shortage, outside::LISTENERS};

/// What a supervisor says when the program runs.
pub(super) const READY: &str = "ready";

/// How it begins to say that the program cannot be executed; of other words, the program is innocent.
pub(super) const UNFIT: &str = "unfit: ";

/// What a supervisor is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InsideTask {
    /// What the program may see and use.
    pub confinement: Confinement,
    /// Whether this is the first process of namespaces that exist.
    pub is_first: bool,
    /// Whether a trusted program has a network namespace of its own.
    pub namespace: bool,
    /// Addresses to listen on and hand over.
    pub addresses: Vec<SocketAddr>,
    /// Whether the program's input comes over the socket.
    pub has_input: bool,
    /// The program and its arguments.
    pub words: Vec<String>,
}

/// Starts a program and ends with all its descendants, or kills them when standard input, which is a
/// socket, is closed by the other end. Gives the exit code of the program.
///
/// # Errors
/// Standard input is not a connected socket. Other failures are reported to the other end.
pub fn run(task: &InsideTask) -> io::Result<u8> {
    close_inherited();
    let control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let told = |error: String| tell(&control, &error, &[]).map(|()| 1);
    match (task.confinement.is_trusted, task.is_first) {
        (true, _) => match start(task, &control) {
            Ok((listeners, child)) => watch(control, listeners, child, |_| {}, kill_all),
            Err(error) => told(error),
        },
        (false, false) => enter_sandbox().or_else(told),
        (false, true) => match first(task, &control) {
            // With the first process of a namespace all others end.
            Ok((listeners, child)) => {
                let count = |control: UnixStream| end_excess(task, control);
                watch(control, listeners, child, count, || {})
            }
            Err(error) => told(error),
        },
    }
}

/// Closes what whoever started us left open, lest the program inherit a way out.
fn close_inherited() {
    #[cfg(target_os = "linux")]
    {
        let open = fs::read_dir("/proc/self/fd")
            .into_iter()
            .flatten()
            .flatten();
        let open = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let open: Vec<i32> = open.collect();
        for descriptor in open.into_iter().filter(|&descriptor| descriptor > 2) {
            // One of them was the list's own.
            let _ = nix::unistd::close(descriptor);
        }
    }
}

/// Hands the listeners over, and waits for the end of the program or of the other end.
fn watch(
    control: UnixStream,
    listeners: Vec<TcpListener>,
    child: Pid,
    begin: impl FnOnce(UnixStream),
    end: fn(),
) -> io::Result<u8> {
    let descriptors: Vec<BorrowedFd<'_>> = listeners.iter().map(AsFd::as_fd).collect();
    let told = tell(&control, READY, &descriptors);
    let others = told.and_then(|()| Ok((control.try_clone()?, control.try_clone()?)));
    // Without anybody who waits for it, the program must not go on.
    let (mut other, another) = others.inspect_err(|_| end())?;
    begin(another);
    // From here on only the other end listens.
    drop(listeners);
    thread::spawn(move || {
        // Nothing is ever said; the end is what is waited for.
        while let Ok(1..) = other.read(&mut [0; 64]) {}
        end();
        process::exit(0);
    });
    let status = reap(child);
    // Whoever asked may be gone.
    let _ = tell(&control, &status.to_string(), &[]);
    let killed = status.signal().map(|signal| 128 + signal);
    let code = status.code().or(killed).unwrap_or(1);
    Ok(u8::try_from(code).unwrap_or(u8::MAX))
}

/// Says a line to the other end, with descriptors.
pub(super) fn tell(
    control: &UnixStream,
    text: &str,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(LISTENERS))];
    let mut rights = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() && !rights.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(io::Error::other("too many listeners"));
    }
    let line = format!("{}\n", text.replace('\n', " "));
    let parts = [io::IoSlice::new(line.as_bytes())];
    sendmsg(control, &parts, &mut rights, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// The descriptor that the other end sends for the program's input.
fn input(task: &InsideTask, control: &UnixStream) -> Result<Stdio, String> {
    if !task.has_input {
        return Ok(Stdio::null());
    }
    let failed = |error: Errno| format!("no input came: {error}");
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut rights = RecvAncillaryBuffer::new(&mut space);
    let mut text = [0; 64];
    let mut parts = [io::IoSliceMut::new(&mut text)];
    recvmsg(control, &mut parts, &mut rights, RecvFlags::CMSG_CLOEXEC).map_err(failed)?;
    let descriptor = rights.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    let descriptor: OwnedFd = descriptor.ok_or("no input came")?;
    Ok(Stdio::from(descriptor))
}

fn listen(task: &InsideTask) -> Result<Vec<TcpListener>, String> {
    let bind = |address: &SocketAddr| {
        TcpListener::bind(address).map_err(|error| format!("cannot listen on {address}: {error}"))
    };
    task.addresses.iter().map(bind).collect()
}

/// The program, to be started.
fn command(task: &InsideTask, input: Stdio) -> Result<Command, String> {
    let (program, arguments) = task
        .words
        .split_first()
        .ok_or("there is no program to start")?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(input);
    Ok(command)
}

/// Starts a trusted program.
fn start(task: &InsideTask, control: &UnixStream) -> Result<(Vec<TcpListener>, Pid), String> {
    let input = input(task, control)?;
    if task.namespace {
        enter_network().map_err(|error| format!("no network namespace: {error}"))?;
    }
    let listeners = listen(task)?;
    // Orphans become our children.
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(getpid()))
        .map_err(|error| format!("cannot supervise: {error}"))?;
    if let Some(memory_mb) = task.confinement.memory_mb {
        limit_mb(Resource::Data, memory_mb)?;
    }
    let disk_mb = task.confinement.disk_mb.unwrap_or(Confinement::DISK_MB);
    limit_mb(Resource::Fsize, disk_mb)?;
    let child = command(task, input)?.spawn();
    let child = child.map_err(|error| {
        let text = format!("cannot start {}: {error}", task.words[0]);
        blame(&error, text)
    })?;
    Ok((listeners, Pid::from_child(&child)))
}

#[cfg(target_os = "linux")]
fn enter_network() -> io::Result<()> {
    super::namespace::enter_network()
}

#[cfg(not(target_os = "linux"))]
fn enter_network() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Makes the namespaces of a sandbox and starts ourselves once more as their first process. Gives the
/// exit code of that.
#[cfg(target_os = "linux")]
fn enter_sandbox() -> Result<u8, String> {
    super::namespace::enter_all().map_err(|error| match error.kind() {
        // The kernel has no better word for a limit of its own.
        io::ErrorKind::StorageFull => {
            "the system refuses namespaces: no more than user.max_user_namespaces".to_string()
        }
        _ => format!("the system refuses namespaces: {error}"),
    })?;
    // When memory is short, the kernel should look here first.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let failed = |error: io::Error| format!("cannot start the supervisor: {error}");
    let program = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(program);
    command.arg("supervise").arg("--first");
    command.args(std::env::args_os().skip(2));
    let status = command.status().map_err(failed)?;
    Ok(status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(137))
}

#[cfg(not(target_os = "linux"))]
fn enter_sandbox() -> Result<u8, String> {
    Err("sandboxes work only on Linux".into())
}

/// What the first process of a sandbox does until the program runs.
#[cfg(target_os = "linux")]
fn first(task: &InsideTask, control: &UnixStream) -> Result<(Vec<TcpListener>, Pid), String> {
    use super::{namespace, sandbox};
    let input = input(task, control)?;
    namespace::turn_loopback_on().map_err(|error| format!("cannot set up its network: {error}"))?;
    let listeners = listen(task)?;
    let mut command = command(task, input)?;
    let view = sandbox::enter(task, &mut command)?;
    let child = command
        .spawn()
        .map_err(|error| blame(&error, view.cannot_start(&task.words[0], &error)))?;
    Ok((listeners, Pid::from_child(&child)))
}

/// Ends everything, with a reason, when the program uses more than it may.
#[cfg(target_os = "linux")]
fn end_excess(task: &InsideTask, control: UnixStream) {
    let limits = super::sandbox::Usage::of(&task.confinement);
    thread::spawn(move || {
        let excess = limits.wait_for_excess();
        // Whoever asked may be gone.
        let _ = tell(&control, &excess, &[]);
        process::exit(137);
    });
}

#[cfg(not(target_os = "linux"))]
fn end_excess(_: &InsideTask, _: UnixStream) {}

#[cfg(not(target_os = "linux"))]
fn first(_: &InsideTask, _: &UnixStream) -> Result<(Vec<TcpListener>, Pid), String> {
    enter_sandbox().map(|_| unreachable!())
}

/// Says whether a program that does not start is to blame for that, or this machine.
fn blame(error: &io::Error, text: String) -> String {
    match is_shortage(error) {
        true => text,
        false => format!("{UNFIT}{text}"),
    }
}

/// Limits what a process may use; we are limited with it, but need next to nothing. Of memory, address
/// space that is only reserved, as Java does in plenty, does not count.
fn limit_mb(what: Resource, mb: u64) -> Result<(), String> {
    limit(what, mb.saturating_mul(1024 * 1024))
}

/// Limits what a process may use.
pub(super) fn limit(what: Resource, most: u64) -> Result<(), String> {
    // Nobody may raise what others have lowered.
    let most = rustix::process::getrlimit(what)
        .maximum
        .map_or(most, |maximum| maximum.min(most));
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(what, limit).map_err(|error| format!("cannot limit {what:?}: {error}"))
}

/// Waits for the program and all its descendants; gives how the program ended.
fn reap(program: Pid) -> ExitStatus {
    let mut ended = ExitStatus::default();
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => {
                ended = ExitStatus::from_raw(status.as_raw());
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return ended,
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
