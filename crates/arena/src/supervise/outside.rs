//! Our end: starts a supervisor and holds the socket that keeps it alive.

use std::{
    fs::File,
    io,
    mem::MaybeUninit,
    net::{Ipv4Addr, TcpListener},
    os::{fd::OwnedFd, unix::net::UnixStream, unix::process::CommandExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, recvmsg};

/// How long a supervisor may take to get ready, and to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most listeners for one program.
pub(super) const LISTENERS: usize = 2;

/// What is to be started.
#[derive(Debug)]
pub struct Order<'a> {
    /// Our own program, which has the command `supervise`.
    pub supervisor: &'a Path,
    /// Whether the program gets a network of its own.
    pub namespace: bool,
    /// The address to listen on.
    pub address: Ipv4Addr,
    /// The ports to listen on, two at most.
    pub ports: &'a [u16],
    /// The program and its arguments.
    pub words: &'a [String],
    /// How much memory each of its processes may have, in mebibytes.
    pub memory_mb: Option<u64>,
    /// Where its output goes; nowhere if nothing is said.
    pub output: Option<File>,
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The system said no.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The supervisor could not do it.
    #[error("{0}")]
    Supervisor(String),
}

/// A program under its supervisor. Dropping this ends everything it started.
#[derive(Debug)]
pub struct Supervised {
    process: Child,
    /// Closing it ends the supervisor.
    control: Option<UnixStream>,
}

impl Supervised {
    /// Starts a program. Gives it, and the listeners in the order of their ports.
    ///
    /// # Errors
    /// Says why it could not be started; then nothing was.
    pub fn start(order: Order<'_>) -> Result<(Self, Vec<TcpListener>), StartError> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(order.supervisor);
        command.arg("supervise");
        if order.namespace {
            command.arg("--namespace");
        }
        if let Some(memory_mb) = order.memory_mb {
            command.arg(format!("--memory={memory_mb}"));
        }
        for port in order.ports {
            command.arg(format!("--listen={}:{port}", order.address));
        }
        command.arg("--").args(order.words);
        command.stdin(Stdio::from(OwnedFd::from(theirs)));
        match order.output {
            Some(file) => command.stdout(file.try_clone()?).stderr(file),
            None => command.stdout(Stdio::null()).stderr(Stdio::null()),
        };
        // Ctrl-C in a terminal is for us, not for it.
        command.process_group(0);
        let supervised = Self {
            process: command.spawn()?,
            control: Some(ours),
        };
        // Our copy of the other end would keep it open.
        drop(command);
        let listeners = supervised.receive()?;
        Ok((supervised, listeners))
    }

    /// Whether this system gives a program a network of its own.
    #[must_use]
    pub fn can_isolate(supervisor: &Path) -> bool {
        let order = Order {
            supervisor,
            namespace: true,
            address: Ipv4Addr::LOCALHOST,
            ports: &[0],
            words: &["true".to_string()],
            memory_mb: None,
            output: None,
        };
        Self::start(order).is_ok()
    }

    /// Waits for the listeners.
    fn receive(&self) -> Result<Vec<TcpListener>, StartError> {
        let ended = || StartError::Supervisor("the supervisor ended at once".into());
        let control = self.control.as_ref().ok_or_else(ended)?;
        control.set_read_timeout(Some(PATIENCE))?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(LISTENERS))];
        let mut rights = RecvAncillaryBuffer::new(&mut space);
        let mut text = [0; 1024];
        let mut parts = [io::IoSliceMut::new(&mut text)];
        let flags = RecvFlags::CMSG_CLOEXEC;
        let received = recvmsg(control, &mut parts, &mut rights, flags).map_err(io::Error::from)?;
        if received.flags.contains(ReturnFlags::CTRUNC) || received.bytes == 0 {
            return Err(ended());
        }
        let text = String::from_utf8_lossy(&text[..received.bytes]).into_owned();
        if text != super::inside::READY {
            return Err(StartError::Supervisor(text));
        }
        let mut listeners = Vec::new();
        for message in rights.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                listeners.extend(descriptors.map(TcpListener::from));
            }
        }
        Ok(listeners)
    }

    /// How it ended, if the program and all it started have.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.try_wait().ok().flatten()
    }

    /// Waits for a while until it has ended; whether it did.
    pub(crate) fn ends_within(&mut self, patience: Duration) -> bool {
        let start = Instant::now();
        while self.ended().is_none() {
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
