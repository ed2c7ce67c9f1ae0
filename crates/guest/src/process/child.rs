//! A started program with its two threads.

use std::{
    io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe},
    process::{self, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::{Duration, Instant},
};

use tablut_arena::{Absence, Unfit};

#[cfg(unix)]
use crate::supervise::{Supervised, SupervisorOrder};
use crate::{
    MoverOptions,
    supervise::{Printed, is_shortage},
};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 64 * 1024;

/// How many lines may wait to be read; then the program has to wait.
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
    program: Program,
    /// What it prints besides its answers.
    errors: Option<Printed>,
    /// Taken away when the program is to hear no more.
    input: Option<SyncSender<String>>,
    output: Receiver<Heard>,
}

/// Who keeps the program.
#[derive(Debug)]
enum Program {
    /// We do: it is trusted, and there is nobody else.
    Own(process::Child),
    /// A supervisor.
    #[cfg(unix)]
    Supervised(Supervised),
}

impl Child {
    /// Starts a program with its arguments, under a supervisor if there is one.
    pub(super) fn start(words: &[String], options: &MoverOptions) -> Result<Self, Unfit> {
        let (stdin, to_program) = pipe().map_err(Unfit::Machine)?;
        let (from_program, stdout) = pipe().map_err(Unfit::Machine)?;
        let (program, errors) = launch(words, options, stdin, stdout)?;
        let (input, lines) = sync_channel(UNSAID);
        let (heard, output) = sync_channel(UNHEARD);
        // From here on, dropping ends the program, also if a thread cannot be started.
        let child = Self {
            program,
            errors,
            input: Some(input),
            output,
        };
        let named = |name: &str| thread::Builder::new().name(name.into());
        let writes = named("to program").spawn(move || write(to_program, &lines));
        let reads = named("from program").spawn(move || read(from_program, &heard));
        writes.and(reads).map_err(Unfit::Machine)?;
        Ok(child)
    }

    /// The process id of the program, or of its supervisor.
    pub(super) fn id(&self) -> u32 {
        match &self.program {
            Program::Own(process) => process.id(),
            #[cfg(unix)]
            Program::Supervised(supervised) => supervised.id(),
        }
    }

    /// What to report of a program that no longer answers: how it ended if it has, and the last lines it
    /// printed.
    pub(super) fn describe(&mut self, text: &str) -> Absence {
        let how = match &mut self.program {
            Program::Own(process) => {
                let status = process.try_wait().ok().flatten();
                status.map(|status| status.to_string())
            }
            #[cfg(unix)]
            Program::Supervised(supervised) => {
                // Its output ends a moment before its supervisor does.
                supervised.ends_within(FAREWELL);
                supervised.ended()
            }
        };
        let text = how.map_or_else(|| text.to_string(), |how| format!("{text} ({how})"));
        match &self.errors {
            Some(errors) => errors.describe(&text),
            None => text.into(),
        }
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

    /// Forgets the lines that have arrived so far.
    pub(super) fn forget(&self) {
        // No more than the queue holds, or a flood would never end.
        for _ in 0..UNHEARD {
            if !matches!(self.output.try_recv(), Ok(Heard::Line(_))) {
                break;
            }
        }
    }

    /// Kills the program and everything in its process group; a supervisor does that and more.
    fn kill(&mut self) {
        let process = match &mut self.program {
            Program::Own(process) => process,
            #[cfg(unix)]
            Program::Supervised(_) => return,
        };
        // The process has not been waited for, so its id still names it and its group.
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let group = Pid::from_child(process);
            // It fails if no process is left, which is fine.
            let _ = kill_process_group(group, Signal::KILL);
        }
        drop(process.kill());
        drop(process.wait());
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // A good program exits when asked to, and its output ends with it.
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
    }
}

/// Starts a program with the ends of its pipes.
fn launch(
    words: &[String],
    options: &MoverOptions,
    stdin: PipeReader,
    stdout: PipeWriter,
) -> Result<(Program, Option<Printed>), Unfit> {
    #[cfg(unix)]
    if let Some(supervisor) = &options.supervisor {
        let printed = options.output.as_deref();
        let printed = printed.map(|folder| Printed::create(folder, options.keeps_output));
        let (printed, file) = printed.transpose().map_err(Unfit::Machine)?.unzip();
        let order = SupervisorOrder {
            input: Some(stdin.into()),
            output: Stdio::from(stdout),
            errors: file.map_or_else(Stdio::null, Stdio::from),
            startup: Duration::from_millis(options.startup_ms),
            ..SupervisorOrder::new(supervisor, &options.confinement, words)
        };
        let (program, _) = Supervised::start(order)?;
        return Ok((Program::Supervised(program), printed));
    }
    let (program, arguments) = words.split_first().ok_or(Unfit::CommandLine)?;
    let mut command = process::Command::new(program);
    command
        .args(arguments)
        .stdin(stdin)
        .stdout(stdout)
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let program = command.spawn().map_err(|error| match is_shortage(&error) {
        true => Unfit::Machine(error),
        false => Unfit::Start(error),
    })?;
    Ok((Program::Own(program), None))
}

/// Writes lines until there are no more, or the program does not read them.
fn write(mut stdin: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).is_err() || stdin.flush().is_err() {
            break;
        }
    }
}

/// Reads lines until there are no more, or the receiver is gone.
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
            // It fails if the receiver is gone, which is fine.
            drop(heard.send(Heard::TooLong));
            break;
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_string();
        if heard.send(Heard::Line(text)).is_err() {
            return;
        }
    }
}
