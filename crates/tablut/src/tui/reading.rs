//! The rules of a set in sentences, to be read in the terminal.

use crossterm::event::KeyCode;
use tablut_rules::{Rules, text::Lang};

use crate::output;

/// The rules on the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading {
    /// The first line that is shown.
    pub(crate) first: usize,
}

impl Reading {
    /// Takes in a key, with room for this many of the lines; nothing if it ends the reading.
    pub(crate) fn key(self, key: KeyCode, lines: usize, room: usize) -> Option<Self> {
        let page = room.saturating_sub(1).max(1);
        let first = match key {
            KeyCode::Up => self.first.saturating_sub(1),
            KeyCode::Down => self.first + 1,
            KeyCode::PageUp => self.first.saturating_sub(page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.first + page,
            KeyCode::Home => 0,
            KeyCode::End => lines,
            _ => return None,
        };
        Some(Self {
            first: first.min(lines.saturating_sub(room)),
        })
    }
}

/// The rules as lines of at most this many letters.
pub(crate) fn lines(rules: &Rules, lang: Lang, wide: usize) -> Vec<String> {
    let set = rules.set();
    let mut lines: Vec<String> = output::wrap(set.source(), wide).collect();
    for section in set.describe(lang) {
        lines.extend([String::new(), section.title.to_string()]);
        for sentence in section.sentences {
            let parts = output::wrap(&sentence, wide.saturating_sub(4));
            lines.extend(parts.enumerate().map(|(n, part)| match n {
                0 => format!("  • {part}"),
                _ => format!("    {part}"),
            }));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_fit_the_width_in_every_language() {
        for &lang in Lang::ALL {
            for wide in [40, 76] {
                let lines = lines(&Rules::ashton(), lang, wide);
                assert!(lines.len() > 20);
                assert!(lines.iter().all(|line| line.chars().count() <= wide));
            }
        }
    }

    #[test]
    fn keys_scroll_within_the_rules_and_others_end_the_reading() {
        let mut reading = Reading::default();
        for (key, first) in [
            (KeyCode::Up, 0),
            (KeyCode::Down, 1),
            (KeyCode::PageDown, 10),
            (KeyCode::End, 20),
            (KeyCode::PageDown, 20),
            (KeyCode::PageUp, 11),
            (KeyCode::Home, 0),
        ] {
            reading = reading.key(key, 30, 10).expect("still reading");
            assert_eq!(reading.first, first, "{key:?}");
        }
        // What fits needs no scrolling.
        assert_eq!(reading.key(KeyCode::Down, 5, 10), Some(Reading::default()));
        assert_eq!(reading.key(KeyCode::Esc, 30, 10), None);
    }
}
