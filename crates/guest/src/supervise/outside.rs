//! Our end: starts a supervisor and holds the socket that keeps it alive.

use std::{
    io::{self, Read},
    mem::MaybeUninit,
    net::{Ipv4Addr, TcpListener},
    os::{
        fd::{AsFd, OwnedFd},
        unix::{net::UnixStream, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, recvmsg};

use tablut_arena::Unfit;

use super::{Confinement, inside};

/// How long a supervisor may take to get ready if nothing is said, and to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most listeners for one program.
pub(super) const LISTENERS: usize = 2;

/// What is to be started.
#[derive(Debug)]
pub struct SupervisorOrder<'a> {
    /// Our own program, which has the command `supervise`.
    pub supervisor: &'a Path,
    /// What the program may see and use.
    pub confinement: &'a Confinement,
    /// Whether a trusted program gets a network of its own; others have one anyway.
    pub namespace: bool,
    /// The address to listen on.
    pub address: Ipv4Addr,
    /// The ports to listen on, two at most.
    pub ports: &'a [u16],
    /// The program and its arguments.
    pub words: &'a [String],
    /// Where its input comes from; by default there is none.
    pub input: Option<OwnedFd>,
    /// Where its output goes.
    pub output: Stdio,
    /// Where its error output goes.
    pub errors: Stdio,
    /// How long its supervisor may take to start it.
    pub startup: Duration,
}

impl<'a> SupervisorOrder<'a> {
    /// A program without input, output and listeners.
    #[must_use]
    pub fn new(supervisor: &'a Path, confinement: &'a Confinement, words: &'a [String]) -> Self {
        Self {
            supervisor,
            confinement,
            namespace: false,
            address: Ipv4Addr::LOCALHOST,
            ports: &[],
            words,
            input: None,
            output: Stdio::null(),
            errors: Stdio::null(),
            startup: PATIENCE,
        }
    }

    /// The command line of the supervisor.
    fn command(&self) -> Command {
        let mut command = Command::new(self.supervisor);
        command.arg("supervise");
        let Confinement {
            is_trusted,
            memory_mb,
            processes,
            disk_mb,
            writable,
            read,
            hidden,
        } = self.confinement;
        let flag = |command: &mut Command, is_set: bool, name: &str| {
            if is_set {
                command.arg(name);
            }
        };
        flag(&mut command, !is_trusted, "--sandbox");
        flag(&mut command, *is_trusted && self.namespace, "--namespace");
        flag(&mut command, self.input.is_some(), "--input");
        flag(&mut command, *writable, "--writable");
        let numbers = [
            ("memory", memory_mb),
            ("processes", processes),
            ("disk", disk_mb),
        ];
        for (name, number) in numbers {
            command.args(number.map(|number| format!("--{name}={number}")));
        }
        let paths = |command: &mut Command, name: &str, paths: &[PathBuf]| {
            for path in paths {
                command.arg(name).arg(path);
            }
        };
        paths(&mut command, "--read", read);
        paths(&mut command, "--hide", hidden);
        for port in self.ports {
            command.arg(format!("--listen={}:{port}", self.address));
        }
        command.arg("--").args(self.words);
        command
    }
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The system said no.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The supervisor could not start anything.
    #[error("{0}")]
    Supervisor(String),
    /// The program itself cannot be executed.
    #[error("{0}")]
    Program(String),
}

impl From<StartError> for Unfit {
    fn from(error: StartError) -> Self {
        match error {
            StartError::System(error) => Self::Machine(error),
            StartError::Supervisor(text) => Self::Machine(io::Error::other(text)),
            StartError::Program(text) => Self::Start(io::Error::other(text)),
        }
    }
}

/// A program under its supervisor. Dropping this ends everything it started.
#[derive(Debug)]
pub struct Supervised {
    process: Child,
    /// Closing it ends the supervisor.
    control: Option<UnixStream>,
    /// What the supervisor has said so far.
    said: String,
}

impl Supervised {
    /// Starts a program. Gives it, and the listeners in the order of their ports.
    ///
    /// # Errors
    /// Says why it could not be started; then nothing was.
    pub fn start(order: SupervisorOrder<'_>) -> Result<(Self, Vec<TcpListener>), StartError> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = order.command();
        command.stdin(Stdio::from(OwnedFd::from(theirs)));
        command.stdout(order.output).stderr(order.errors);
        // Ctrl-C in a terminal is for us, not for it.
        command.process_group(0);
        let mut supervised = Self {
            process: command.spawn()?,
            control: None,
            said: String::new(),
        };
        // Our copies of what it has would keep them open.
        drop(command);
        if let Some(input) = order.input {
            inside::tell(&ours, "input", &[input.as_fd()])?;
        }
        supervised.control = Some(ours);
        let listeners = supervised.receive(order.startup)?;
        Ok((supervised, listeners))
    }

    /// Whether this system gives a program a network of its own.
    #[must_use]
    pub fn can_isolate(supervisor: &Path) -> bool {
        let (confinement, words) = (Confinement::trusted(), ["true".to_string()]);
        let order = SupervisorOrder {
            namespace: true,
            ports: &[0],
            ..SupervisorOrder::new(supervisor, &confinement, &words)
        };
        Self::start(order).is_ok()
    }

    /// Whether this system can run programs in a sandbox, found by trying.
    ///
    /// # Errors
    /// Says why not.
    pub fn try_sandbox(supervisor: &Path) -> Result<(), StartError> {
        let (confinement, words) = (Confinement::default(), ["true".to_string()]);
        let order = SupervisorOrder {
            ports: &[0],
            ..SupervisorOrder::new(supervisor, &confinement, &words)
        };
        Self::start(order).map(drop)
    }

    /// Waits for the listeners.
    fn receive(&mut self, startup: Duration) -> Result<Vec<TcpListener>, StartError> {
        let ended = || StartError::Supervisor("the supervisor ended at once".into());
        let control = self.control.as_ref().ok_or_else(ended)?;
        // A time of zero would be for ever.
        control.set_read_timeout(Some(startup.max(Duration::from_millis(1))))?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(LISTENERS))];
        let mut rights = RecvAncillaryBuffer::new(&mut space);
        let mut text = [0; 1024];
        let mut parts = [io::IoSliceMut::new(&mut text)];
        let flags = RecvFlags::CMSG_CLOEXEC;
        let received = recvmsg(control, &mut parts, &mut rights, flags);
        let received = received.map_err(|error| match error {
            Errno::AGAIN => StartError::Supervisor(format!(
                "the supervisor was not ready in {} s; --startup gives it more time",
                startup.as_secs_f64()
            )),
            error => StartError::System(error.into()),
        })?;
        if received.flags.contains(ReturnFlags::CTRUNC) || received.bytes == 0 {
            return Err(ended());
        }
        let text = String::from_utf8_lossy(&text[..received.bytes]).into_owned();
        // If the program has already ended, that may be reported in the same message.
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        if let Some(text) = first.strip_prefix(inside::UNFIT) {
            return Err(StartError::Program(text.into()));
        }
        if first != inside::READY {
            return Err(StartError::Supervisor(first.into()));
        }
        self.said = rest.into();
        let mut listeners = Vec::new();
        for message in rights.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                listeners.extend(descriptors.map(TcpListener::from));
            }
        }
        Ok(listeners)
    }

    /// How it ended, if the program and all it started have.
    pub fn ended(&mut self) -> Option<String> {
        let status = self.process.try_wait().ok().flatten()?;
        // The last words are there before the supervisor is not.
        if let Some(control) = self.control.as_mut() {
            let mut rest = Vec::new();
            let wait = control.set_read_timeout(Some(Duration::from_millis(1)));
            // A part is better than nothing.
            let _ = wait.and_then(|()| control.read_to_end(&mut rest));
            self.said.push_str(&String::from_utf8_lossy(&rest));
        }
        match self.said.lines().next() {
            Some(how) if !how.is_empty() => Some(how.into()),
            _ => Some(status.to_string()),
        }
    }

    /// Waits for a while until it has ended; whether it did.
    pub(crate) fn ends_within(&mut self, patience: Duration) -> bool {
        let start = Instant::now();
        while !matches!(self.process.try_wait(), Ok(Some(_))) {
            if start.elapsed() > patience {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// The process id of the supervisor.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        self.control = None;
        if !self.ends_within(PATIENCE) {
            drop(self.process.kill());
            drop(self.process.wait());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_supervisor_that_is_not_ready_in_time_is_no_fault_of_the_program() {
        // It waits for the end of its input and says nothing.
        let supervisor = Path::new("xargs");
        let (confinement, words) = (Confinement::trusted(), ["true".to_string()]);
        let order = SupervisorOrder {
            startup: Duration::from_millis(1),
            ..SupervisorOrder::new(supervisor, &confinement, &words)
        };
        let error = Supervised::start(order).unwrap_err();
        let part = "the supervisor was not ready in 0.001 s";
        assert!(error.to_string().contains(part), "{error}");
        assert!(matches!(error.into(), Unfit::Machine(_)));
    }
}
