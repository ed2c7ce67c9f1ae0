//! A line of text that a person types.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What the text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// A square, a move, or what to put on a square.
    Command,
    /// The file to save to.
    Save,
    /// The file to load.
    Load,
    /// A player of the start menu, by its row.
    Player(usize),
    /// The clock of the start menu.
    Clock,
}

/// A line that is being typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Prompt {
    pub(crate) purpose: Purpose,
    pub(crate) text: String,
}

/// What became of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// It is not finished.
    More,
    /// It was given up.
    Nothing,
    /// It is finished.
    Line(String),
}

/// More than any move, player or path needs.
const LONGEST: usize = 1000;

impl Prompt {
    pub(crate) fn new(purpose: Purpose, text: &str) -> Self {
        Self {
            purpose,
            text: text.into(),
        }
    }

    /// Takes in a key.
    pub(crate) fn press(&mut self, key: &KeyEvent) -> Typed {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return Typed::Nothing,
            KeyCode::Enter => return Typed::Line(self.text.trim().to_string()),
            KeyCode::Char('u') if is_control => self.text.clear(),
            KeyCode::Backspace => drop(self.text.pop()),
            KeyCode::Char(letter) if !is_control && self.text.len() < LONGEST => {
                self.text.push(letter);
            }
            _ => {}
        }
        Typed::More
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_typed_corrected_and_finished() {
        let mut prompt = Prompt::new(Purpose::Command, "x");
        let clear = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        assert_eq!(prompt.press(&clear), Typed::More);
        for code in [
            KeyCode::Char('e'),
            KeyCode::Char('5'),
            KeyCode::Backspace,
            KeyCode::Char('4'),
            KeyCode::Left,
            KeyCode::Char(' '),
        ] {
            assert_eq!(prompt.press(&code.into()), Typed::More);
        }
        let finished = prompt.press(&KeyCode::Enter.into());
        assert_eq!(finished, Typed::Line("e4".into()));
        assert_eq!(prompt.press(&KeyCode::Esc.into()), Typed::Nothing);
    }
}
