//! A value of a rule set's text form, apart from any reader or writer of TOML.

use alloc::{string::String, vec::Vec};
use core::fmt;

/// A value, and the line it came from if it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TomlValue {
    pub(crate) line: Option<usize>,
    pub(crate) kind: TomlKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TomlKind {
    Text(String),
    Number(i64),
    Flag(bool),
    List(Vec<TomlValue>),
    Table(Vec<(String, TomlValue)>),
    /// Something no parameter takes: its name.
    #[cfg(feature = "toml")]
    Foreign(&'static str),
}

impl From<TomlKind> for TomlValue {
    fn from(kind: TomlKind) -> Self {
        Self { line: None, kind }
    }
}

impl TomlValue {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        TomlKind::Text(text.into()).into()
    }

    pub(crate) fn texts<T: fmt::Display>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|t| Self::text(alloc::format!("{t}")));
        TomlKind::List(texts.collect()).into()
    }

    /// The entry of a table.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            TomlKind::Table(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// What kind of value it is, with its article.
    pub(crate) const fn what(&self) -> &'static str {
        match self.kind {
            TomlKind::Text(_) => "a text",
            TomlKind::Number(_) => "a number",
            TomlKind::Flag(_) => "true or false",
            TomlKind::List(_) => "a list",
            TomlKind::Table(_) => "a table",
            #[cfg(feature = "toml")]
            TomlKind::Foreign(name) => name,
        }
    }
}

impl fmt::Display for TomlValue {
    /// Writes it as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TomlKind::Text(text) => {
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
            TomlKind::Number(number) => write!(f, "{number}"),
            TomlKind::Flag(flag) => write!(f, "{flag}"),
            TomlKind::List(values) => {
                f.write_str("[")?;
                for (n, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if n == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            TomlKind::Table(entries) => {
                f.write_str("{")?;
                for (n, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{} {key} = {value}", if n == 0 { "" } else { "," })?;
                }
                f.write_str(" }")
            }
            #[cfg(feature = "toml")]
            TomlKind::Foreign(name) => f.write_str(name),
        }
    }
}
