//! A process under test, started again whenever it ends, as a service manager does.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};

/// How often a process is checked.
const LOOK: Duration = Duration::from_millis(20);

/// How long after its end a process is started again.
const AGAIN: Duration = Duration::from_millis(100);

/// What to run, and who hears what it prints and how it ends.
pub(super) struct Recipe {
    pub(super) name: String,
    /// Asked for each start, so that each may differ.
    pub(super) command: Box<dyn Fn() -> Command + Send + Sync>,
    pub(super) hear: Box<dyn Fn(&str) + Send + Sync>,
    pub(super) ended: Box<dyn Fn(ExitStatus) + Send + Sync>,
}

struct Shared {
    recipe: Recipe,
    child: Mutex<Option<Child>>,
    log: Mutex<File>,
    /// Not to be started for now.
    is_held: AtomicBool,
    /// Not to be started ever again.
    is_over: AtomicBool,
    starts: AtomicUsize,
}

/// A process under test. Dropping it kills the process.
pub(super) struct Program {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Program {
    /// Starts a process and goes on starting it; what it prints is also written to a log.
    pub(super) fn start(recipe: Recipe, logs: &Path) -> Result<Self> {
        let path = logs.join(format!("{}.log", recipe.name));
        let log = File::create(&path);
        let log = log.with_context(|| format!("cannot write to {}", path.display()))?;
        let shared = Arc::new(Shared {
            recipe,
            child: Mutex::default(),
            log: Mutex::new(log),
            is_held: AtomicBool::default(),
            is_over: AtomicBool::default(),
            starts: AtomicUsize::default(),
        });
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().spawn(move || own.supervise());
        Ok(Self {
            shared,
            thread: Some(thread.context("cannot start a thread")?),
        })
    }

    pub(super) fn starts(&self) -> usize {
        self.shared.starts.load(Ordering::Relaxed)
    }

    /// Sends a signal to the process, if it runs.
    pub(super) fn signal(&self, signal: Signal) -> bool {
        let child = self.shared.child();
        child
            .as_ref()
            .is_some_and(|child| kill_process(Pid::from_child(child), signal).is_ok())
    }

    /// Lets every write to a file fail, or not any more.
    pub(super) fn fail_writes(&self, fail: bool) -> bool {
        let usual = getrlimit(Resource::Fsize);
        let limit = Rlimit {
            current: if fail { Some(0) } else { usual.current },
            maximum: usual.maximum,
        };
        let child = self.shared.child();
        let pid = child.as_ref().map(Pid::from_child);
        pid.is_some_and(|pid| prlimit(Some(pid), Resource::Fsize, limit).is_ok())
    }

    /// Kills the process and does not start it until [`Program::release`].
    pub(super) fn hold(&self) {
        self.shared.is_held.store(true, Ordering::Relaxed);
        self.signal(Signal::KILL);
        let begin = Instant::now();
        while self.shared.child().is_some() && begin.elapsed() < Duration::from_secs(30) {
            thread::sleep(LOOK);
        }
    }

    pub(super) fn release(&self) {
        self.shared.is_held.store(false, Ordering::Relaxed);
    }

    /// Ends the process by a signal and waits; what does not end in time is killed.
    pub(super) fn end(&mut self, signal: Signal, patience: Duration) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        // A stopped process hears nothing else.
        self.signal(Signal::CONT);
        self.signal(signal);
        let begin = Instant::now();
        while self.shared.child().is_some() && begin.elapsed() < patience {
            thread::sleep(LOOK);
        }
        if let Some(thread) = self.thread.take() {
            // It may have been started just now.
            while !thread.is_finished() {
                self.signal(Signal::KILL);
                thread::sleep(LOOK);
            }
            let _ = thread.join();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end(Signal::KILL, Duration::ZERO);
    }
}

impl Shared {
    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, line: &str) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        // A failure to write the log does not stop anything.
        let _ = writeln!(log, "{line}");
    }

    fn supervise(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            if self.is_held.load(Ordering::Relaxed) {
                thread::sleep(LOOK);
                continue;
            }
            match self.run() {
                Ok(status) => {
                    self.say(&format!("-- ended: {status}"));
                    (self.recipe.ended)(status);
                }
                Err(error) => self.say(&format!("-- cannot start: {error:#}")),
            }
            thread::sleep(AGAIN);
        }
    }

    /// Runs the process once.
    fn run(&self) -> Result<ExitStatus> {
        let mut child = (self.recipe.command)()
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for the bench, which ends its processes itself.
            .process_group(0)
            .spawn()?;
        let (out, talk) = (child.stdout.take(), child.stderr.take());
        self.starts.fetch_add(1, Ordering::Relaxed);
        self.say(&format!("-- started as {}", child.id()));
        *self.child() = Some(child);
        thread::scope(|scope| {
            if let Some(out) = out {
                scope.spawn(|| self.listen(out));
            }
            if let Some(talk) = talk {
                scope.spawn(|| self.listen(talk));
            }
            loop {
                let mut child = self.child();
                let ended = child.as_mut().map(Child::try_wait).transpose()?.flatten();
                if let Some(status) = ended {
                    *child = None;
                    return Ok(status);
                }
                // It may have been started just when nobody wanted it any more.
                if self.is_held.load(Ordering::Relaxed)
                    && let Some(child) = child.as_mut()
                {
                    child.kill()?;
                }
                drop(child);
                thread::sleep(LOOK);
            }
        })
    }

    fn listen(&self, from: impl Read) {
        for line in BufReader::new(from).split(b'\n') {
            let Ok(line) = line else { return };
            let line = String::from_utf8_lossy(&line);
            self.say(&line);
            (self.recipe.hear)(&line);
        }
    }
}
