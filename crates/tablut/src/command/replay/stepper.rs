//! Stepping through a game in the terminal with keys.

use std::io::{self, Write};

use crossterm::{
    cursor,
    event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    queue,
    style::Print,
    terminal::{self, ClearType},
};

use super::Step;
use crate::tui::screen::{Lent, Mouse};

/// Where a person is in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StepCursor {
    index: usize,
    last: usize,
}

impl StepCursor {
    /// Where a key leads; nothing if it ends the stepping.
    fn follow(self, key: &KeyEvent) -> Option<Self> {
        let index = match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return None,
            KeyCode::Char('q') | KeyCode::Esc => return None,
            KeyCode::Right
            | KeyCode::Down
            | KeyCode::Enter
            | KeyCode::Char(' ' | 'n' | 'j' | 'l') => self.index + 1,
            KeyCode::Left | KeyCode::Up | KeyCode::Backspace | KeyCode::Char('p' | 'k' | 'h') => {
                self.index.saturating_sub(1)
            }
            KeyCode::PageDown => self.index + 10,
            KeyCode::PageUp => self.index.saturating_sub(10),
            KeyCode::Home | KeyCode::Char('g') => 0,
            KeyCode::End | KeyCode::Char('G') => self.last,
            _ => self.index,
        };
        Some(Self {
            index: index.min(self.last),
            ..self
        })
    }
}

/// Steps through a game until a person has seen enough.
pub(super) fn run(steps: &[Step]) -> io::Result<()> {
    let Some(last) = steps.len().checked_sub(1) else {
        return Ok(());
    };
    let mut place = StepCursor { index: 0, last };
    let lent = Lent::take(Mouse::Theirs)?;
    loop {
        draw(&mut io::stdout(), steps, place)?;
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
        {
            match place.follow(&key) {
                Some(next) => place = next,
                None => break,
            }
        }
    }
    drop(lent);
    Ok(())
}

fn draw(out: &mut impl Write, steps: &[Step], place: StepCursor) -> io::Result<()> {
    let StepCursor { index, last } = place;
    queue!(out, cursor::MoveTo(0, 0), terminal::Clear(ClearType::All))?;
    let text = format!(
        "{}\n\nstep {index} of {last}   ← → step   home end   PgUp PgDn ten   q quit",
        steps[index]
    );
    for (row, line) in text.lines().enumerate() {
        queue!(out, cursor::MoveTo(0, row as u16), Print(line))?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lead_where_they_should() {
        let mut place = StepCursor { index: 0, last: 12 };
        for (code, index) in [
            (KeyCode::Left, 0),
            (KeyCode::Right, 1),
            (KeyCode::Char(' '), 2),
            (KeyCode::Char('x'), 2),
            (KeyCode::PageDown, 12),
            (KeyCode::Right, 12),
            (KeyCode::Left, 11),
            (KeyCode::PageUp, 1),
            (KeyCode::End, 12),
            (KeyCode::Home, 0),
        ] {
            place = place.follow(&code.into()).unwrap();
            assert_eq!(place.index, index, "{code:?}");
        }
        assert_eq!(place.follow(&KeyCode::Char('q').into()), None);
        let stop = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(place.follow(&stop), None);
    }
}
