//! A value of a rule set's text form, apart from any reader or writer of TOML.

use alloc::{string::String, vec::Vec};
use core::fmt;

/// A value, and the line it came from if it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Value {
    pub(crate) line: Option<usize>,
    pub(crate) kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Text(String),
    Number(i64),
    Flag(bool),
    List(Vec<Value>),
    Table(Vec<(String, Value)>),
    /// Something no parameter takes: its name.
    #[cfg(feature = "toml")]
    Foreign(&'static str),
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Self {
        Self { line: None, kind }
    }
}

impl Value {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Kind::Text(text.into()).into()
    }

    pub(crate) fn texts<T: fmt::Display>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|t| Self::text(alloc::format!("{t}")));
        Kind::List(texts.collect()).into()
    }

    /// The entry of a table.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Table(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// What kind of value it is, with its article.
    pub(crate) const fn what(&self) -> &'static str {
        match self.kind {
            Kind::Text(_) => "a text",
            Kind::Number(_) => "a number",
            Kind::Flag(_) => "true or false",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
            #[cfg(feature = "toml")]
            Kind::Foreign(name) => name,
        }
    }
}

impl fmt::Display for Value {
    /// Writes it as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Text(text) => {
                f.write_str("\"")?;
                for letter in text.chars() {
                    match letter {
                        '"' | '\\' => write!(f, "\\{letter}")?,
                        _ if letter.is_control() => write!(f, "\\u{:04x}", u32::from(letter))?,
                        _ => write!(f, "{letter}")?,
                    }
                }
                f.write_str("\"")
            }
            Kind::Number(number) => write!(f, "{number}"),
            Kind::Flag(flag) => write!(f, "{flag}"),
            Kind::List(values) => {
                f.write_str("[")?;
                for (n, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if n == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Kind::Table(entries) => {
                f.write_str("{")?;
                for (n, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{} {key} = {value}", if n == 0 { "" } else { "," })?;
                }
                f.write_str(" }")
            }
            #[cfg(feature = "toml")]
            Kind::Foreign(name) => f.write_str(name),
        }
    }
}
