//! A terminal that a test looks at and types on.

use std::{
    io::{Read, Write},
    num::NonZero,
    path::Path,
    process::{Child, ExitStatus},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use pty_process::{
    Size,
    blocking::{Command, Pty},
};
use rustix::{
    process::{Pid, Signal, kill_process},
    termios::{LocalModes, tcgetattr},
};
use vt100::Parser;

/// After so long without what a test waits for, it has failed. Nothing waits so long that works.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a program in it.
pub(crate) struct Terminal {
    pty: Arc<Pty>,
    pub(crate) child: Child,
    output: mpsc::Receiver<Vec<u8>>,
    parser: Parser,
    /// Everything that was written.
    pub(crate) raw: Vec<u8>,
    /// How much of it is on the screen.
    drawn: usize,
    modes: LocalModes,
}

fn some(number: u16) -> NonZero<u16> {
    NonZero::new(number).unwrap()
}

/// The user whose games are kept.
pub(crate) const OWNER: &str = "terminal-tester";

/// A command in a folder of its own, in English on a good terminal.
pub(crate) fn tablut(folder: &Path, arguments: &[&str]) -> Command {
    Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(arguments)
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "en_GB.UTF-8")
        .env("USER", "tester")
        .env("XDG_DATA_HOME", folder)
        .env_remove("NO_COLOR")
}

impl Terminal {
    /// Starts a program in a terminal of 80 columns and 24 lines.
    pub(crate) fn start(command: Command) -> Self {
        let (pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(Size::new(24, 80)).unwrap();
        let pty = Arc::new(pty);
        let modes = tcgetattr(&*pty).unwrap().local_modes;
        let child = command.spawn(pts).unwrap();
        let (sender, output) = mpsc::channel();
        let reader = Arc::clone(&pty);
        thread::spawn(move || {
            let mut bytes = [0; 8192];
            // The end of the program is an error of the terminal.
            while let Ok(count @ 1..) = (&*reader).read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            pty,
            child,
            output,
            parser: Parser::new(some(24), some(80), 0),
            raw: Vec::new(),
            drawn: 0,
            modes,
        }
    }

    /// What is on the screen.
    pub(crate) fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    /// Waits until the screen is as wanted, and gives it.
    pub(crate) fn until(&mut self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => {
                    self.raw.extend(bytes);
                    self.draw(self.whole());
                }
                Err(error) => panic!("waiting for {what}: {error}\n{screen}"),
            }
        }
    }

    /// Waits until a text is on the screen.
    pub(crate) fn see(&mut self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// The end of the last picture that is whole: with its last letters the cursor is hidden or
    /// shown. What is drawn in parts must not be read in between.
    fn whole(&self) -> usize {
        let mark = b"\x1b[?25";
        let last = self.raw.windows(mark.len()).rposition(|part| part == mark);
        let end = last.map_or(0, |last| last + mark.len() + 1);
        if end <= self.raw.len() {
            end
        } else {
            self.drawn
        }
    }

    fn draw(&mut self, end: usize) {
        if end > self.drawn {
            self.parser.process(&self.raw[self.drawn..end]);
            self.drawn = end;
        }
    }

    /// Types.
    pub(crate) fn press(&mut self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, columns: u16, lines: u16) {
        self.parser
            .screen_mut()
            .set_size(some(lines), some(columns));
        self.pty.resize(Size::new(lines, columns)).unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).unwrap();
    }

    /// Waits for the end of the program, and for all that it has written.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.raw.extend(bytes);
        }
        self.draw(self.raw.len());
        status
    }

    /// The terminal is as it was before the program.
    pub(crate) fn assert_clean(&self) {
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "on the other screen");
        assert!(!screen.hide_cursor(), "without a cursor");
        let mouse = screen.mouse_protocol_mode();
        assert_eq!(mouse, vt100::MouseProtocolMode::None);
        assert_eq!(tcgetattr(&*self.pty).unwrap().local_modes, self.modes);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a test that has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
