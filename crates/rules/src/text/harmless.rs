//! Text of others, made fit to be shown.

use alloc::{borrow::Cow, string::String};

/// Whether a character does something to a terminal or page instead of being shown: control
/// characters, and those that turn or hide what stands beside them.
#[must_use]
pub fn is_harmful(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            // Marks, embeddings, overrides and isolates of the direction of writing.
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Ends of lines and paragraphs.
            | '\u{2028}' | '\u{2029}'
            // What is not shown at all: spaces without width, annotations, tags.
            | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// Text that came from outside, with a mark in place of each harmful character. Whatever a
/// peer, a program or a file calls itself goes through here before a person sees it.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_harmful) {
        Cow::Owned(text.replace(is_harmful, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Text of several lines that came from outside, each made [`harmless`].
#[must_use]
pub fn harmless_lines(text: &str) -> String {
    let is_harmful = |letter| letter != '\n' && is_harmful(letter);
    text.replace(is_harmful, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_not_let_through() {
        for (text, shown) in [
            ("Ann È 王 👩‍🚀", "Ann È 王 👩‍🚀"),
            ("\u{1b}[2Jred", "\u{fffd}[2Jred"),
            ("a\r\nb\tc", "a\u{fffd}\u{fffd}b\u{fffd}c"),
            ("\u{9b}31m", "\u{fffd}31m"),
            ("evil\u{202e}txt", "evil\u{fffd}txt"),
            ("two\u{2028}lines", "two\u{fffd}lines"),
        ] {
            assert_eq!(harmless(text), shown);
        }
        assert_eq!(harmless_lines("a\nb\x1b"), "a\nb\u{fffd}");
    }
}
