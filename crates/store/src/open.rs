//! What is looked at before a store is opened, and what is said when it does not open.

use std::{
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use sqlx::{AnyConnection, Row as _, migrate::MigrateError, query};

use crate::{
    Location, OpenError,
    connection::{Backend, Connections, Length},
};

/// Whether a store that is not there is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// It may be made.
    Make,
    /// It must be there.
    Existing,
}

/// Looks at a file, and makes it and its folder if that is wanted: for nobody but their owner, since a
/// store holds what lets people into games.
pub(crate) fn prepare_file(path: &Path, way: Way) -> Result<(), OpenError> {
    if path.to_str().is_none() {
        return Err(OpenError::Path(path.into()));
    }
    match fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(OpenError::IsFolder(path.into())),
        // The file itself is opened by the database alone: closing it would let go of all locks that
        // this process has on it.
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match way {
            Way::Existing => Err(OpenError::Missing(path.display().to_string())),
            Way::Make => make(path),
        },
        Err(cause) if cause.kind() == io::ErrorKind::NotADirectory => Err(OpenError::Folder {
            folder: folder_of(path).unwrap_or(path).into(),
            cause,
        }),
        Err(cause) => Err(denied(path, cause)),
    }
}

fn make(path: &Path) -> Result<(), OpenError> {
    if let Some(folder) = folder_of(path) {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let made = builder.create(folder);
        made.map_err(|cause| OpenError::Folder {
            folder: folder.into(),
            cause,
        })?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // Another process was quicker.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(cause) => Err(denied(path, cause)),
    }
}

fn folder_of(path: &Path) -> Option<&Path> {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
}

/// Takes everybody else's rights to a file that is known to be ours, and to what SQLite keeps beside it.
pub(crate) fn protect(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let own = rustix::process::geteuid().as_raw();
        for end in ["", "-wal", "-shm"] {
            let mut file = path.as_os_str().to_owned();
            file.push(end);
            let file = PathBuf::from(file);
            let Ok(about) = fs::metadata(&file) else {
                continue;
            };
            if about.uid() == own && about.mode() & 0o077 != 0 {
                // A file system without rights refuses; the store works all the same.
                let _ = fs::set_permissions(&file, fs::Permissions::from_mode(0o600));
            }
        }
    }
}

fn denied(path: &Path, cause: io::Error) -> OpenError {
    let place = path.display().to_string();
    match cause.kind() {
        io::ErrorKind::ReadOnlyFilesystem => OpenError::ReadOnly(place),
        _ => OpenError::Denied { place, cause },
    }
}

/// Whether a file that does not open and its folder can be written, as far as the system tells.
fn probe(path: &Path) -> Result<(), OpenError> {
    is_writable(path).map_err(|cause| denied(path, cause))?;
    let folder = folder_of(path).unwrap_or(Path::new("."));
    let name = folder.join(format!(".tablut-{}", std::process::id()));
    let made = OpenOptions::new().write(true).create_new(true).open(&name);
    let made = made.map_err(|cause| denied(folder, cause));
    // If it could not be made, there is nothing to remove.
    let _ = fs::remove_file(&name);
    made.map(drop)
}

/// Whether a file can be written, found without opening it: to close it again would let go of all locks
/// that this process has on it.
#[cfg(unix)]
fn is_writable(path: &Path) -> io::Result<()> {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).map_err(io::Error::from)
}

/// The same where there are no such locks.
#[cfg(not(unix))]
fn is_writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.permissions().readonly() {
        true => Err(io::ErrorKind::PermissionDenied.into()),
        false => Ok(()),
    }
}

/// Whether the tables of a database are ours, or there are none yet.
pub(crate) async fn look_at_tables(
    connection: &mut AnyConnection,
    connections: &Connections,
    place: &Location,
    way: Way,
) -> Result<(), OpenError> {
    let backend = connections.backend;
    let sql = match backend {
        Backend::File | Backend::Memory => "SELECT name FROM sqlite_master WHERE type = 'table'",
        Backend::Postgres => {
            "SELECT CAST(tablename AS TEXT) FROM pg_tables
             WHERE schemaname = ANY (current_schemas(false))"
        }
    };
    let rows = query(sql).fetch_all(connection);
    let rows = connections.in_time(Length::Short, rows).await;
    let rows = rows.map_err(|cause| explain(place, cause))?;
    let names: Vec<String> = rows.iter().filter_map(|row| row.try_get(0).ok()).collect();
    let has = |name: &str| names.iter().any(|one| one == name);
    // A database server may hold more than our tables; a file is ours or not.
    let has_others = match backend {
        Backend::Postgres => has("game") || has("visitor"),
        Backend::File | Backend::Memory => !names.is_empty(),
    };
    match (has("_sqlx_migrations"), has("game"), has_others) {
        (true, true, _) => Ok(()),
        (true, false, false) | (false, _, false) if way == Way::Make => Ok(()),
        (true, false, false) | (false, _, false) => Err(OpenError::Missing(place.to_string())),
        // An interrupted first start leaves the list of migrations alone.
        (true, false, true) if names.len() == 1 => Ok(()),
        _ => Err(OpenError::Foreign(place.to_string())),
    }
}

/// What a failure to connect means.
pub(crate) fn explain(place: &Location, cause: sqlx::Error) -> OpenError {
    let name = place.to_string();
    let code = match &cause {
        sqlx::Error::Database(error) => error.code().unwrap_or_default().into_owned(),
        sqlx::Error::Io(_) => return OpenError::Unreachable { place: name, cause },
        _ => String::new(),
    };
    match place {
        Location::Postgres(_) => match code.as_str() {
            "28P01" | "28000" => OpenError::Login { place: name, cause },
            "3D000" => OpenError::NoSuchDatabase(name),
            "42501" | "25006" => OpenError::NoRights { place: name, cause },
            "57P03" | "53300" => OpenError::Unreachable { place: name, cause },
            _ => OpenError::Connect { place: name, cause },
        },
        Location::Memory => OpenError::Connect { place: name, cause },
        Location::File(path) => match code.parse::<u32>().map(|code| code & 0xff) {
            Ok(5 | 6) => OpenError::Busy(name),
            // Read-only, an input/output error, full, or not to be opened.
            Ok(8 | 10 | 13 | 14) => match probe(path) {
                Err(error) => error,
                Ok(()) if code == "8" => OpenError::ReadOnly(name),
                Ok(()) => OpenError::Connect { place: name, cause },
            },
            Ok(11) => OpenError::Damaged { place: name, cause },
            Ok(26) => OpenError::NoDatabase(path.clone()),
            _ => OpenError::Connect { place: name, cause },
        },
    }
}

/// What a failure to bring the schema up to date means; `newest` is the last change we know.
pub(crate) fn explain_migration(place: &Location, cause: MigrateError, newest: i64) -> OpenError {
    let name = place.to_string();
    match cause {
        MigrateError::VersionMissing(version) if version > newest => OpenError::Newer {
            place: name,
            version,
            newest,
        },
        MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_) => {
            OpenError::Foreign(name)
        }
        MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _) => {
            explain(place, cause)
        }
        cause => OpenError::Migrate { place: name, cause },
    }
}
