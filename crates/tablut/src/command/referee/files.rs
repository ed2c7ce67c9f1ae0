//! The files of a game: its log in the reference server's form, and its record.

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use jiff::Zoned;
use tablut_arena::challenge::{
    Effect, Referee,
    log::{Writer, file_name},
};
use tablut_rules::Side;

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
        let [white, black] = [Side::Defenders, Side::Attackers].map(|side| referee.name(side));
        let game = referee.contest().game();
        if *effect == Effect::Started {
            fs::create_dir_all(&self.folder)
                .with_context(|| format!("cannot make the folder {}", self.folder.display()))?;
            // Two games of the same players may begin in the same millisecond.
            let mut ms = now.timestamp().as_millisecond();
            let (file, path) = loop {
                let path = self.folder.join(file_name(white, black, ms));
                match File::create_new(&path) {
                    Ok(file) => break (file, path),
                    Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => ms += 1,
                    Err(error) => {
                        return Err(error)
                            .with_context(|| format!("cannot write to {}", path.display()));
                    }
                }
            };
            self.log = Some((Writer::new(time, white, black, game), file, path));
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
                ("White", white),
                ("Black", black),
            ] {
                record.set_header(key, value)?;
            }
            let beside = path.with_extension("tablut");
            fs::write(&beside, record.to_string())
                .with_context(|| format!("cannot write to {}", beside.display()))?;
        }
        Ok(())
    }
}
