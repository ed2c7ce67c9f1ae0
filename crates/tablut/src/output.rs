//! What programs read: JSON.

use std::io::{self, Write};

use serde::Serialize;

/// Prints a value as JSON for people and programs alike.
pub(crate) fn json(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    // As an error of the output, so that a reader who has left is recognised.
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
