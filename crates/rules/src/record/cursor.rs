//! A place in a text, and the small pieces a record is made of.

use alloc::string::String;

use super::{ParseRecordError, RecordFault};

/// A place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextMark {
    /// The byte.
    pub(super) at: usize,
    /// The line, from 1.
    line: usize,
    /// The byte the line starts at.
    line_start: usize,
}

/// A text, read from its start to its end.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    mark: TextMark,
}

/// How many characters of an unfit text an error repeats.
const EXCERPT: usize = 40;

/// The start of a text, short enough for an error.
pub(super) fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(EXCERPT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl<'a> Cursor<'a> {
    /// The start of a text. A byte order mark is not part of it.
    pub(super) fn new(text: &'a str) -> Self {
        let mark = TextMark {
            at: 0,
            line: 1,
            line_start: 0,
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { text, mark }
    }

    /// Where the cursor is.
    pub(super) const fn mark(&self) -> TextMark {
        self.mark
    }

    /// Goes back to where the cursor was.
    pub(super) const fn reset(&mut self, mark: TextMark) {
        self.mark = mark;
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.mark.at..]
    }

    /// The next character, which stays.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads a character.
    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.mark.at += letter.len_utf8();
        if letter == '\n' {
            self.mark.line += 1;
            self.mark.line_start = self.mark.at;
        }
        Some(letter)
    }

    /// Reads a character if it is the one expected.
    pub(super) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.next();
        }
        found
    }

    /// Reads as long as characters fit.
    pub(super) fn take(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        while self.peek().is_some_and(&fits) {
            self.next();
        }
        &rest[..rest.len() - self.rest().len()]
    }

    /// Reads over white space.
    pub(super) fn skip_space(&mut self) {
        self.take(|letter| letter.is_ascii_whitespace());
    }

    /// Reads over white space up to the end of the line.
    pub(super) fn skip_blanks(&mut self) {
        self.take(|letter| letter.is_ascii_whitespace() && letter != '\n');
    }

    /// Goes to the next line that starts a header behind an empty line, or to the end.
    pub(super) fn skip_to_header(&mut self) {
        let mut behind_empty = false;
        loop {
            self.take(|letter| letter != '\n');
            if self.next().is_none() {
                return;
            }
            let rest = self.rest();
            let mut start = rest.bytes();
            let bracket = start.next() == Some(b'[');
            if behind_empty && bracket && start.next().is_some_and(is_key_byte) {
                return;
            }
            let mut line = rest.bytes().take_while(|&byte| byte != b'\n');
            behind_empty = line.all(|byte| byte.is_ascii_whitespace());
        }
    }

    /// Reads what follows a backslash.
    pub(super) fn escape(&mut self) -> Result<char, RecordFault> {
        let letter = self.next().ok_or(RecordFault::Escape(None))?;
        match letter {
            '\\' | '"' | '{' | '}' | '[' | ']' => Ok(letter),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            's' => Ok(' '),
            'u' => self.number().ok_or(RecordFault::Escape(Some('u'))),
            _ => Err(RecordFault::Escape(Some(letter))),
        }
    }

    /// Reads a character given by its number: `{1b}`.
    fn number(&mut self) -> Option<char> {
        if !self.eat('{') {
            return None;
        }
        let mut number = 0_u32;
        let mut count = 0;
        while let Some(digit) = self.peek().and_then(|letter| letter.to_digit(16)) {
            self.next();
            count += 1;
            number = number << 4 | digit;
            if count > 6 {
                return None;
            }
        }
        let letter = char::from_u32(number)?;
        (count > 0 && self.eat('}')).then_some(letter)
    }

    /// What is wrong at a place.
    pub(super) fn error(&self, mark: TextMark, fault: RecordFault) -> ParseRecordError {
        let before = &self.text[mark.line_start..mark.at];
        ParseRecordError {
            line: mark.line,
            column: before.chars().count() + 1,
            fault,
        }
    }
}

/// Whether a byte may stand in the key of a header.
pub(super) const fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}
