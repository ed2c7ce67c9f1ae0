//! A started program with its two threads.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    process::{self, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 64 * 1024;

/// How many lines wait to be heard; then the program has to wait.
const UNHEARD: usize = 1024;

/// How many lines wait to be written; then the program is deaf.
const UNSAID: usize = 64;

/// How long a program may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(200);

/// What came from a program.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line.
    Line(String),
    /// Nothing in the time given.
    Nothing,
    /// A line without end.
    TooLong,
    /// The end of its output.
    End,
}

/// A program that runs. Dropping it ends the program and all it has started.
#[derive(Debug)]
pub(super) struct Child {
    process: process::Child,
    /// Taken away when the program is to hear no more.
    input: Option<SyncSender<String>>,
    output: Receiver<Heard>,
}

impl Child {
    /// Starts a program with its arguments.
    pub(super) fn start(words: &[String]) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = process::Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let (input, lines) = sync_channel(UNSAID);
        let (heard, output) = sync_channel(UNHEARD);
        let (stdin, stdout) = (process.stdin.take(), process.stdout.take());
        // From here on, dropping ends the program, also if a thread cannot be started.
        let child = Self {
            process,
            input: Some(input),
            output,
        };
        let named = |name: &str| thread::Builder::new().name(name.into());
        if let Some(stdin) = stdin {
            named("to program").spawn(move || write(stdin, &lines))?;
        }
        if let Some(stdout) = stdout {
            named("from program").spawn(move || read(stdout, &heard))?;
        }
        Ok(child)
    }

    /// The process id.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Says a line; false if the program cannot hear it.
    pub(super) fn say(&self, line: &str) -> bool {
        let input = self.input.as_ref();
        input.is_some_and(|input| input.try_send(format!("{line}\n")).is_ok())
    }

    /// Waits for a line.
    pub(super) fn hear(&self, time: Duration) -> Heard {
        match self.output.recv_timeout(time) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Forgets what has been said so far, as far as it was heard.
    pub(super) fn forget(&self) {
        // No more than the queue holds, or a flood would never end.
        for _ in 0..UNHEARD {
            if !matches!(self.output.try_recv(), Ok(Heard::Line(_))) {
                break;
            }
        }
    }

    /// Kills the program and everything in its process group.
    fn kill(&mut self) {
        // The process has not been waited for, so its id still names it and its group.
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let group = Pid::from_child(&self.process);
            // There may be nobody left to kill, which is just as well.
            let _ = kill_process_group(group, Signal::KILL);
        }
        drop(self.process.kill());
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // A good program ends when it is told to, and its output with it.
        let told = self.say("quit");
        self.input = None;
        let start = Instant::now();
        while told && let Some(left) = FAREWELL.checked_sub(start.elapsed()) {
            match self.hear(left) {
                Heard::Line(_) => {}
                Heard::Nothing | Heard::TooLong | Heard::End => break,
            }
        }
        self.kill();
        drop(self.process.wait());
    }
}

/// Writes lines until there are no more, or the program does not read them.
fn write(mut stdin: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).is_err() || stdin.flush().is_err() {
            break;
        }
    }
}

/// Reads lines until there are no more, or nobody wants them.
fn read(stdout: impl Read, heard: &SyncSender<Heard>) {
    let mut stdout = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match stdout.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let ended = line.last() == Some(&b'\n');
        if !ended && line.len() as u64 >= LONGEST {
            // Nobody to be told is nobody to be told.
            drop(heard.send(Heard::TooLong));
            break;
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_string();
        if heard.send(Heard::Line(text)).is_err() {
            return;
        }
    }
}
