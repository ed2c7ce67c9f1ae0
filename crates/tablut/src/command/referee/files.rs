//! The files of a game: its log in the reference server's form, and its record.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use jiff::Zoned;
use tablut_challenge::{Effect, Referee, log::Writer};
use tablut_rules::BySide;

use crate::output;

/// The folder, and the log once a game has begun.
pub(super) struct Files {
    folder: PathBuf,
    log: Option<(Writer, File, PathBuf)>,
    began: String,
}

impl Files {
    pub(super) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            log: None,
            began: String::new(),
        }
    }

    /// The log, once there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        self.log.as_ref().map(|(_, _, path)| path.as_path())
    }

    /// Writes what an effect means for the files.
    pub(super) fn follow(&mut self, referee: &Referee, effect: &Effect) -> Result<()> {
        let now = Zoned::now();
        let time = now.datetime();
        let names = BySide::from_fn(|side| referee.name(side));
        let game = referee.contest().game();
        if *effect == Effect::Started {
            let (file, path) = output::create_log(&self.folder, names, &now)?;
            self.log = Some((Writer::new(time, names, game), file, path));
            self.began = now.strftime("%Y.%m.%d").to_string();
        }
        let Some((log, file, path)) = &mut self.log else {
            return Ok(());
        };
        log.follow(time, referee, effect);
        let written = file.write_all(log.take().as_bytes());
        written.with_context(|| format!("cannot write to {}", path.display()))?;
        if let Effect::Over { .. } = effect {
            let mut record = referee.contest().record();
            for (key, value) in [
                ("Event", "Tablut Challenge"),
                ("Date", &self.began),
                ("White", names.defenders),
                ("Black", names.attackers),
            ] {
                record.set_header(key, value)?;
            }
            output::record_beside(path, &record)?;
        }
        Ok(())
    }
}
