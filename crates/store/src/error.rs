//! What can go wrong with a store.

use std::{io, path::PathBuf};

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder for the file cannot be made.
    #[error("cannot make the folder {}: {cause}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The path is no text that a database understands.
    #[error("the path {} has letters that are no Unicode", .0.display())]
    Path(PathBuf),
    /// The database does not open.
    #[error("cannot open the store {place}: {cause}")]
    Connect {
        /// Where, without a password.
        place: String,
        /// Why not.
        cause: sqlx::Error,
    },
    /// The schema cannot be brought up to date.
    #[error("the store {place} was made by another version of this program: {cause}")]
    Migrate {
        /// Where, without a password.
        place: String,
        /// Why not.
        cause: sqlx::migrate::MigrateError,
    },
}

/// Why something was not kept, or not found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database failed.
    #[error("the store failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The database did not say whether it kept what it was told to keep. Whoever asks again must be
    /// ready to find it kept.
    #[error("the store failed, and does not say whether it kept the last change: {0}")]
    InDoubt(sqlx::Error),
    /// There is no such game, or position.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// The game has gone on since it was read: another process plays it.
    #[error("the game has been changed by another process")]
    Stale,
    /// What is stored is not what this program writes.
    #[error("the store holds something that is no {what}: {text:?}")]
    Corrupt {
        /// What it should be.
        what: &'static str,
        /// What it is.
        text: String,
    },
}

impl StoreError {
    /// Whether asking again may help: space may be made, a server may come back. A store that is
    /// read-only or damaged stays so until somebody mends it.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        let (Self::Database(error) | Self::InDoubt(error)) = self else {
            return false;
        };
        let sqlx::Error::Database(error) = error else {
            return !matches!(error, sqlx::Error::PoolClosed);
        };
        let code = error.code().unwrap_or_default();
        match code.parse::<u32>() {
            // SQLITE_ERROR, PERM, READONLY, CORRUPT, CONSTRAINT, NOTADB, without what extends them.
            Ok(number) if code.len() != 5 => ![1, 3, 8, 11, 19, 26].contains(&(number & 0xff)),
            // Read-only, and everything that is wrong with a statement, its rights or its values.
            _ => {
                code != "25006"
                    && !["22", "23", "42"]
                        .iter()
                        .any(|class| code.starts_with(class))
            }
        }
    }

    /// What is stored is not what this program writes.
    pub fn corrupt(what: &'static str, text: impl Into<String>) -> Self {
        Self::Corrupt {
            what,
            text: text.into(),
        }
    }
}
