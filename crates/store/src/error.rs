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
    /// What is stored is not what this program writes.
    pub fn corrupt(what: &'static str, text: impl Into<String>) -> Self {
        Self::Corrupt {
            what,
            text: text.into(),
        }
    }
}
