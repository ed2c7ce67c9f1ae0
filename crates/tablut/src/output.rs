//! What programs read: JSON, and files of games.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use jiff::Zoned;
use serde::Serialize;
use tablut_arena::challenge::log::file_name;
use tablut_rules::record::Record;

/// Makes a new file for the log of a game that began at a time, named as the Java server names it.
pub(crate) fn create_log(
    folder: &Path,
    white: &str,
    black: &str,
    began: &Zoned,
) -> anyhow::Result<(File, PathBuf)> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut ms = began.timestamp().as_millisecond();
    loop {
        let path = folder.join(file_name(white, black, ms));
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

/// Prints a value as JSON for people and programs alike.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    // As an error of the output, so that a reader who has left is recognised.
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
