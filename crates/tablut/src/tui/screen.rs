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

/// The terminal as we want it; dropping this gives it back as it was.
pub(crate) struct Screen {
    pub(crate) terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the whole terminal.
    pub(crate) fn open() -> io::Result<Self> {
        restore_after_panics();
        terminal::enable_raw_mode()?;
        // From here on, dropping gives everything back.
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        let screen = terminal.map(|terminal| Self { terminal });
        if screen.is_err() {
            restore();
        }
        let screen = screen?;
        execute!(
            io::stdout(),
            terminal::EnterAlternateScreen,
            EnableMouseCapture,
            cursor::Hide
        )?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back as it was. What fails here cannot be told to anybody.
fn restore() {
    drop(execute!(
        io::stdout(),
        DisableMouseCapture,
        cursor::Show,
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
