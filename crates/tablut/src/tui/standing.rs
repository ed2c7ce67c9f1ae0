//! A tournament on the screen: lines to scroll through.

use crossterm::event::KeyCode;

/// A tournament on the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    pub(crate) lines: Vec<String>,
    /// The first line that is shown.
    pub(crate) first: usize,
}

impl Standing {
    /// Takes in a key.
    pub(crate) fn key(&mut self, key: KeyCode) {
        self.first = match key {
            KeyCode::Up => self.first.saturating_sub(1),
            KeyCode::Down => self.first + 1,
            KeyCode::PageUp => self.first.saturating_sub(10),
            KeyCode::PageDown => self.first + 10,
            KeyCode::Home => 0,
            _ => self.first,
        }
        .min(self.lines.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_scroll_and_stay_within_the_lines() {
        let mut standing = Standing {
            lines: vec![String::new(); 15],
            first: 0,
        };
        for (key, first) in [
            (KeyCode::Up, 0),
            (KeyCode::Down, 1),
            (KeyCode::PageDown, 11),
            (KeyCode::PageDown, 14),
            (KeyCode::PageUp, 4),
            (KeyCode::Home, 0),
        ] {
            standing.key(key);
            assert_eq!(standing.first, first, "{key:?}");
        }
    }
}
