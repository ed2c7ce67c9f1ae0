//! What programs read: JSON, and files of games.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use jiff::Zoned;
use serde::Serialize;
use tablut_challenge::log::file_name;
use tablut_engine::Score;
use tablut_rules::{BySide, record::Record};

/// Makes a new file for the log of a game that began at a time, named as the Java server names it.
pub(crate) fn create_log(
    folder: &Path,
    names: BySide<&str>,
    began: &Zoned,
) -> anyhow::Result<(File, PathBuf)> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let mut ms = began.timestamp().as_millisecond();
    loop {
        let path = folder.join(file_name(names, ms));
        match File::create_new(&path) {
            Ok(file) => return Ok((file, path)),
            // Two games of the same players may begin in the same millisecond.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => ms += 1,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot write to {}", path.display()));
            }
        }
    }
}

/// Writes the record of a game beside its log.
pub(crate) fn record_beside(log: &Path, record: &Record) -> anyhow::Result<()> {
    let path = log.with_extension("tablut");
    fs::write(&path, record.to_string())
        .with_context(|| format!("cannot write to {}", path.display()))
}

/// Breaks a text into lines of at most this many characters.
pub(crate) fn wrap(text: &str, width: usize) -> impl Iterator<Item = String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines.into_iter()
}

/// A number of things, with the word for one or for many.
pub(crate) fn counted(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// Prints a value as JSON for people and programs alike.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    // As an error of the output, so that a reader who has left is recognised.
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// A score as JSON: `{"kind":"units","value":1.25}`, `{"kind":"win","in":5}`, `{"kind":"loss","in":4}`.
/// A win or loss without `in` is seen by the search, but not proved.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Worth {
    Units {
        value: f64,
    },
    Win {
        #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
        plies: Option<u32>,
    },
    Loss {
        #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
        plies: Option<u32>,
    },
}

impl From<Score> for Worth {
    fn from(score: Score) -> Self {
        match score {
            Score::Win(plies) => Self::Win { plies: Some(plies) },
            Score::Loss(plies) => Self::Loss { plies: Some(plies) },
            score if score.is_winning() => Self::Win { plies: None },
            score if score.is_losing() => Self::Loss { plies: None },
            Score::Units(units) => Self::Units {
                value: f64::from(units) / 100.0,
            },
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Units { value } => write!(f, "{value:+.2}"),
            Self::Win { plies: None } => f.write_str("winning"),
            Self::Loss { plies: None } => f.write_str("losing"),
            Self::Win { plies: Some(plies) } => write!(f, "win in {plies}"),
            Self::Loss { plies: Some(plies) } => write!(f, "loss in {plies}"),
        }
    }
}
