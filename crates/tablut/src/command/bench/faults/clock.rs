//! A wall clock for the processes under test that can jump; the machine's own is left alone.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

/// Where Debian and others keep libfaketime, for programs with threads.
const LIBRARIES: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib64/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
];

/// A clock that all processes of a world read.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    library: &'static str,
    file: PathBuf,
}

impl Clock {
    /// A clock that goes right; nothing if the library is not installed.
    pub(super) fn new(file: &Path) -> Result<Option<Self>> {
        let library = LIBRARIES.iter().find(|path| Path::new(path).exists());
        let Some(library) = library else {
            return Ok(None);
        };
        let clock = Self {
            library,
            file: file.into(),
        };
        clock.set(0)?;
        Ok(Some(clock))
    }

    /// Sets the clock ahead by this many seconds, or back if negative.
    pub(super) fn set(&self, seconds: i32) -> Result<()> {
        // In one step, so that nobody reads half of it.
        let new = self.file.with_extension("new");
        fs::write(&new, format!("{seconds:+}\n")).context("cannot set the clock")?;
        fs::rename(&new, &self.file).context("cannot set the clock")
    }

    /// The arguments of `env` for a process with this clock.
    pub(super) fn variables(&self) -> [String; 5] {
        [
            format!("LD_PRELOAD={}", self.library),
            format!("FAKETIME_TIMESTAMP_FILE={}", self.file.display()),
            "FAKETIME_CACHE_DURATION=1".into(),
            // A real jump leaves the clock alone that measures how long something takes. Two names,
            // for old and new libraries.
            "DONT_FAKE_MONOTONIC=1".into(),
            "FAKETIME_DONT_FAKE_MONOTONIC=1".into(),
        ]
    }
}
