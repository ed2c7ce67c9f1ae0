//! What can go wrong with a store.

use std::{fmt, io, path::PathBuf};

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder for the file cannot be made.
    #[error("cannot create the folder {}: {cause}; name another place", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// The path is not text that a database understands.
    #[error("the path {} has characters that are not Unicode; name another file", .0.display())]
    Path(PathBuf),
    /// There is no store where one should be.
    #[error(
        "there is no store {0}: is the name right? A game of `tablut serve` or `tablut play`, or \
         `tablut tournament run FILE`, creates one"
    )]
    Missing(String),
    /// There is a folder where a file should be.
    #[error("{} is a folder; name a file in it, such as {}", .0.display(), .0.join("tablut.db").display())]
    IsFolder(PathBuf),
    /// The file is something else.
    #[error("{} is not a store but another kind of file; name another file", .0.display())]
    NoDatabase(PathBuf),
    /// The tables are not ours.
    #[error(
        "{0} is a database of another program, and is left alone; name another file or database"
    )]
    Foreign(String),
    /// A later version of this program made it.
    #[error(
        "the store {place} was made by a newer tablut (it has change {version}, this program knows \
         {newest}): update this program; `tablut --version` tells which one it is"
    )]
    Newer {
        /// Where, without a password.
        place: String,
        /// The change that is not known here.
        version: i64,
        /// The last one that is.
        newest: i64,
    },
    /// Nobody can write there.
    #[error(
        "the store {0} is read-only; make the file and its folder writable, or name a copy elsewhere"
    )]
    ReadOnly(String),
    /// The system does not let us.
    #[error(
        "no access to the store {place}: {cause}; ask its owner for permission to read and write it and \
         its folder, or name another"
    )]
    Denied {
        /// Where.
        place: String,
        /// Why not.
        cause: io::Error,
    },
    /// Another program does not let go of it.
    #[error("another program has locked the store {0}; stop it, or try again when it is done")]
    Busy(String),
    /// The file is damaged.
    #[error(
        "the store {place} is damaged ({cause}): restore a backup, or save what can be read with \
         `sqlite3 FILE .recover`"
    )]
    Damaged {
        /// Where.
        place: String,
        /// What was found.
        cause: sqlx::Error,
    },
    /// No server answers.
    #[error("no database answers at {place}: {cause}; is it running, and are host and port right?")]
    Unreachable {
        /// Where, without a password.
        place: String,
        /// Why not.
        cause: sqlx::Error,
    },
    /// The server does not know us.
    #[error(
        "the server of {place} refuses the login: {cause}; check user and password of the URL, and whether its pg_hba.conf lets this machine in"
    )]
    Login {
        /// Where, without a password.
        place: String,
        /// Why not.
        cause: sqlx::Error,
    },
    /// The server has no such database.
    #[error(
        "the server has no database {0}; create it with `createdb`, or check the name in the URL"
    )]
    NoSuchDatabase(String),
    /// The user may not do what is needed.
    #[error(
        "the user of {place} lacks the necessary rights: {cause}; let it make and change tables in its \
         database, or name another user in the URL"
    )]
    NoRights {
        /// Where, without a password.
        place: String,
        /// Why not.
        cause: sqlx::Error,
    },
    /// The database does not open, for another reason.
    #[error("cannot open the store {place}: {cause}; repair that, or name another place")]
    Connect {
        /// Where, without a password.
        place: String,
        /// Why not.
        cause: sqlx::Error,
    },
    /// The schema cannot be brought up to date.
    #[error(
        "the store {place} cannot be brought up to date: {cause}; what it held is still there: try again, \
         or go back to the program that made it"
    )]
    Migrate {
        /// Where, without a password.
        place: String,
        /// Why not.
        cause: sqlx::migrate::MigrateError,
    },
}

/// What the store keeps under an id, and can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entity {
    /// A game.
    Game,
    /// A position in a visitor's library.
    Position,
    /// A study.
    Study,
    /// A run of puzzles.
    Run,
    /// A tournament.
    Tournament,
    /// A visitor.
    Visitor,
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game => "game",
            Self::Position => "position",
            Self::Study => "study",
            Self::Run => "run of puzzles",
            Self::Tournament => "tournament",
            Self::Visitor => "visitor",
        })
    }
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
    #[error("the store failed, and did not say whether it saved the last change: {0}")]
    InDoubt(sqlx::Error),
    /// There is no such thing.
    #[error("there is no {0}")]
    Missing(Entity),
    /// The game or tournament has been changed since it was read: by another process, perhaps.
    #[error(
        "it has been changed elsewhere since it was read; look at it as it is now, and try again"
    )]
    Stale,
    /// What is stored is not what this program writes.
    #[error("the store holds something that is not a {what}: {text:?}")]
    Corrupt {
        /// What it should be.
        what: &'static str,
        /// What it is.
        text: String,
    },
}

impl StoreError {
    /// Whether asking again may help: space may be made, a server may come back. A store that is
    /// read-only or damaged stays so until it is repaired.
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

    /// Whether the database answers but does not have our tables: it was made anew and is not restored yet.
    #[must_use]
    pub fn lacks_tables(&self) -> bool {
        let Self::Database(sqlx::Error::Database(error)) = self else {
            return false;
        };
        // SQLite has no code of its own for it.
        error.code().as_deref() == Some("42P01") || error.message().starts_with("no such table")
    }

    /// What is stored is not what this program writes.
    pub fn corrupt(what: &'static str, text: impl Into<String>) -> Self {
        Self::Corrupt {
            what,
            text: text.into(),
        }
    }
}
