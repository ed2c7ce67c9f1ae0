//! JSON as the reference server reads it: forgiving.
//!
//! Names and words need no quotation marks, single ones will do, comments are passed over, `=` and
//! `;` stand for `:` and `,`. What lies deeper than the members of one object is passed over without
//! recursion, so no depth of brackets does harm.

/// A value, as far as the contest needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// `null`, or nothing at all.
    Null,
    /// A text, a number or a truth value: all are texts here.
    Text(String),
    /// An object with its members in order.
    Object(Vec<(String, Value)>),
    /// An array, or an object inside an object.
    Other,
}

/// A text that is not even forgiving JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotJson;

/// Reads a whole text as one value.
///
/// # Errors
/// It is not even forgiving JSON.
pub fn read(text: &str) -> Result<Value, NotJson> {
    let mut reader = Reader { rest: text };
    let value = match reader.peek()? {
        None => return Ok(Value::Null),
        Some('{') => reader.object()?,
        Some('[') => {
            reader.pass_over()?;
            Value::Other
        }
        Some(_) => reader.scalar()?,
    };
    match reader.peek()? {
        None => Ok(value),
        Some(_) => Err(NotJson),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// The next character that is neither a blank nor in a comment.
    fn peek(&mut self) -> Result<Option<char>, NotJson> {
        loop {
            self.rest = self
                .rest
                .trim_start_matches([' ', '\t', '\n', '\r', '\u{feff}']);
            if self.rest.starts_with("//") || self.rest.starts_with('#') {
                let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
                self.rest = &self.rest[end..];
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                let (_, rest) = comment.split_once("*/").ok_or(NotJson)?;
                self.rest = rest;
            } else {
                return Ok(self.rest.chars().next());
            }
        }
    }

    /// Takes a character that has been looked at.
    fn take(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let first = letters.next();
        self.rest = letters.as_str();
        first
    }

    fn object(&mut self) -> Result<Value, NotJson> {
        self.take();
        let mut members = Vec::new();
        if self.peek()? == Some('}') {
            self.take();
            return Ok(Value::Object(members));
        }
        loop {
            let key = match self.peek()? {
                Some('"' | '\'') => self.quoted()?,
                _ => self.word()?.to_string(),
            };
            match self.peek()? {
                Some(':') => drop(self.take()),
                Some('=') => {
                    self.take();
                    self.rest = self.rest.strip_prefix('>').unwrap_or(self.rest);
                }
                _ => return Err(NotJson),
            }
            let value = match self.peek()? {
                Some('{' | '[') => {
                    self.pass_over()?;
                    Value::Other
                }
                _ => self.scalar()?,
            };
            members.push((key, value));
            match self.peek()? {
                Some(',' | ';') => drop(self.take()),
                Some('}') => {
                    self.take();
                    return Ok(Value::Object(members));
                }
                _ => return Err(NotJson),
            }
        }
    }

    fn scalar(&mut self) -> Result<Value, NotJson> {
        if let Some('"' | '\'') = self.peek()? {
            return self.quoted().map(Value::Text);
        }
        let word = self.word()?;
        Ok(match word.eq_ignore_ascii_case("null") {
            true => Value::Null,
            false => Value::Text(word.to_string()),
        })
    }

    /// A word without quotation marks.
    fn word(&mut self) -> Result<&str, NotJson> {
        let is_end = |letter: char| {
            matches!(
                letter,
                '/' | '\\' | ';' | '#' | '=' | '{' | '}' | '[' | ']' | ':' | ','
            ) || matches!(letter, ' ' | '\t' | '\u{c}' | '\r' | '\n')
        };
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "" => Err(NotJson),
            word => Ok(word),
        }
    }

    fn quoted(&mut self) -> Result<String, NotJson> {
        let mark = self.take();
        let mut text = String::new();
        // Halves of characters beyond the first plane, as `\ud83d\ude00` has them.
        let mut half = None;
        loop {
            let letter = self.take().ok_or(NotJson)?;
            if Some(letter) == mark {
                return Ok(text);
            }
            let letter = match letter {
                '\\' => match self.take().ok_or(NotJson)? {
                    'u' => {
                        let digits = self.rest.get(..4).ok_or(NotJson)?;
                        let unit = u16::from_str_radix(digits, 16).map_err(|_| NotJson)?;
                        self.rest = &self.rest[4..];
                        let units = [half.take().unwrap_or(unit), unit];
                        let whole = char::decode_utf16(units).next();
                        match (whole, (0xd800..0xdc00).contains(&unit)) {
                            (_, true) => {
                                half = Some(unit);
                                continue;
                            }
                            (Some(Ok(letter)), false) => letter,
                            _ => char::REPLACEMENT_CHARACTER,
                        }
                    }
                    't' => '\t',
                    'b' => '\u{8}',
                    'n' => '\n',
                    'r' => '\r',
                    'f' => '\u{c}',
                    other @ ('\n' | '\'' | '"' | '\\' | '/') => other,
                    _ => return Err(NotJson),
                },
                letter => letter,
            };
            text.push(letter);
        }
    }

    /// Passes over an object or array with all that is in it.
    fn pass_over(&mut self) -> Result<(), NotJson> {
        let mut open = Vec::new();
        loop {
            match self.peek()?.ok_or(NotJson)? {
                bracket @ ('{' | '[') => {
                    self.take();
                    open.push(if bracket == '{' { '}' } else { ']' });
                }
                bracket @ ('}' | ']') => {
                    self.take();
                    if open.pop() != Some(bracket) {
                        return Err(NotJson);
                    }
                }
                ',' | ';' | ':' | '=' | '>' => drop(self.take()),
                '"' | '\'' => drop(self.quoted()?),
                _ => drop(self.word()?),
            }
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn forgiving_forms_are_read() {
        for (source, value) in [
            ("", Value::Null),
            (" null ", Value::Null),
            ("alpha", text("alpha")),
            ("'be\"ta'", text("be\"ta")),
            ("\"a\\u0062\\n\\ud83d\\ude00\"", text("ab\n😀")),
            ("42", text("42")),
            ("[1,[2]]", Value::Other),
            ("{}", Value::Object(vec![])),
            (
                "/* x */ {from:'E4', # why\n \"to\"=>d4; turn:null}\n",
                Value::Object(vec![
                    ("from".into(), text("E4")),
                    ("to".into(), text("d4")),
                    ("turn".into(), Value::Null),
                ]),
            ),
            (
                "{\"a\":{\"b\":[1,{}]},\"c\":true}",
                Value::Object(vec![("a".into(), Value::Other), ("c".into(), text("true"))]),
            ),
        ] {
            assert_eq!(read(source), Ok(value), "{source}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for source in [
            "a b", "{", "{from}", "{from:", "{from:'a", "'", "{} x", "{a:1}}", "[", "[}", "{a:[}",
            "/* x", "{,}", "\"\\u12", "\"\\x\"", "}", ":",
        ] {
            assert_eq!(read(source), Err(NotJson), "{source}");
        }
    }

    #[test]
    fn depth_does_no_harm() {
        let deep = "[".repeat(60_000);
        assert_eq!(read(&deep), Err(NotJson));
        let closed = format!("{{\"a\":{deep}{}}}", "]".repeat(60_000));
        assert!(read(&closed).is_ok());
    }
}
