//! The terminal as we want it, and given back as it was, whatever happens.

use std::{
    io::{self, Stdout},
    panic,
    sync::Once,
    thread,
};

use crossterm::{
    cursor,
    event::{DisableMouseCapture, EnableMouseCapture},
    execute, terminal,
};
use ratatui::{Terminal, backend::CrosstermBackend};

/// Whether the mouse is ours too, or still selects text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mouse {
    Ours,
    Theirs,
}

/// The whole terminal, without echo and lines; dropping this gives it back as it was.
pub(crate) struct Lent(());

impl Lent {
    /// Takes the terminal.
    pub(crate) fn take(mouse: Mouse) -> io::Result<Self> {
        restore_after_panics();
        terminal::enable_raw_mode()?;
        let lent = Self(());
        execute!(
            io::stdout(),
            terminal::EnterAlternateScreen,
            terminal::DisableLineWrap,
            cursor::Hide
        )?;
        if mouse == Mouse::Ours {
            execute!(io::stdout(), EnableMouseCapture)?;
        }
        Ok(lent)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        restore();
    }
}

/// The terminal as the game draws on it.
pub(crate) struct Screen {
    pub(crate) terminal: Terminal<CrosstermBackend<Stdout>>,
    _lent: Lent,
}

impl Screen {
    /// Takes the terminal to draw on it.
    pub(crate) fn open() -> io::Result<Self> {
        Ok(Self {
            _lent: Lent::take(Mouse::Ours)?,
            terminal: Terminal::new(CrosstermBackend::new(io::stdout()))?,
        })
    }
}

/// Gives the terminal back as it was. What fails here cannot be told to anybody.
fn restore() {
    drop(execute!(
        io::stdout(),
        DisableMouseCapture,
        cursor::Show,
        terminal::EnableLineWrap,
        terminal::LeaveAlternateScreen
    ));
    drop(terminal::disable_raw_mode());
}

/// A panic is seen on the terminal as it was before. One in another thread ends the program: nobody
/// could see why the game stands still.
fn restore_after_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let (main, before) = (thread::current().id(), panic::take_hook());
        panic::set_hook(Box::new(move |info| {
            restore();
            before(info);
            if thread::current().id() != main {
                std::process::exit(101);
            }
        }));
    });
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::{env, io::Read};

    use super::*;

    /// Runs in the terminal of the test below.
    #[test]
    #[ignore = "needs a terminal"]
    fn panics_on_its_screen() {
        let mut screen = Screen::open().unwrap();
        screen.terminal.draw(|_| {}).unwrap();
        panic!("something is broken");
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_is_told() {
        let (mut pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(pty_process::Size::new(24, 80)).unwrap();
        let before = rustix::termios::tcgetattr(&pty).unwrap();
        let test = concat!(module_path!(), "::panics_on_its_screen");
        let test = test.split_once("::").unwrap().1;
        let mut child = pty_process::blocking::Command::new(env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", test])
            .spawn(pts)
            .unwrap();
        let (mut written, mut bytes) = (String::new(), [0; 4096]);
        // The end of the program is an error of the terminal.
        while let Ok(count @ 1..) = pty.read(&mut bytes) {
            written += &String::from_utf8_lossy(&bytes[..count]);
        }
        assert!(!child.wait().unwrap().success());
        let (_, after) = written.split_once("\u{1b}[?1049h").unwrap();
        let (_, after) = after.split_once("\u{1b}[?1049l").expect(&written);
        assert!(after.contains("something is broken"), "{written}");
        let now = rustix::termios::tcgetattr(&pty).unwrap();
        assert_eq!(now.local_modes, before.local_modes);
    }
}
