//! The file of records: what is in it stays, games are added as they end, and in the end they are
//! in order.

use std::{
    fs::File,
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result};
use jiff::Zoned;
use tablut_arena::series::PlayedGame;
use tablut_challenge::{Names, log};
use tablut_rules::{BySide, Rules, record::Record};

use crate::output;

/// Writes a game's log and its record to files of their own.
pub(super) fn log(folder: &Path, record: &Record, rules: &Arc<Rules>) -> Result<()> {
    let name = |key: &str| Names::Long.keep(record.header(key).unwrap_or_default());
    let names = BySide {
        attackers: name("Black"),
        defenders: name("White"),
    };
    let names = names.as_ref().map(String::as_str);
    // Games may be cut off by a limit that the rules do not have, so the moves alone are played.
    let mut moves = record.clone();
    moves.outcome = None;
    let mut game = moves.replay(rules).context("a game cannot be replayed")?;
    if let Some(outcome) = record.outcome {
        game.finish(outcome);
    }
    let now = Zoned::now();
    let text = log::whole(now.datetime(), names, &game);
    let (mut file, path) = output::create_log(folder, names, &now)?;
    let written = file.write_all(text.as_bytes());
    written.with_context(|| format!("cannot write to {}", path.display()))?;
    output::record_beside(&path, record)
}

/// A file that records are added to.
pub(super) struct Store {
    file: File,
    path: PathBuf,
    /// How long the file was before.
    start: u64,
}

impl Store {
    /// Opens a file, or makes one.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let opened = || -> std::io::Result<Self> {
            let mut file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)?;
            let start = file.seek(SeekFrom::End(0))?;
            let path = path.to_path_buf();
            Ok(Self { file, path, start })
        };
        opened().with_context(|| format!("cannot write to {}", path.display()))
    }

    /// Adds a game that has ended, so that it is there whatever happens to the others.
    pub(super) fn add(&mut self, record: &Record) -> Result<()> {
        // A record ends its last line; an empty one parts it from the next.
        let written = self.file.write_all(format!("{record}\n").as_bytes());
        written.with_context(|| format!("cannot write to {}", self.path.display()))
    }

    /// Puts the games that count in their order.
    pub(super) fn finish(&mut self, games: &[PlayedGame]) -> Result<()> {
        let mut text = String::new();
        for game in games {
            text += &format!("{}\n", game.record);
        }
        let mut written = || -> std::io::Result<()> {
            self.file.set_len(self.start)?;
            self.file.seek(SeekFrom::Start(self.start))?;
            self.file.write_all(text.as_bytes())?;
            self.file.flush()
        };
        written().with_context(|| format!("cannot write to {}", self.path.display()))
    }
}
