//! A PostgreSQL server of the bench's own: in its folder, on loopback, gone with the bench.

use std::{
    env, fs,
    os::unix::fs::chown,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context, Result, bail};
use rustix::process::geteuid;

use super::clock::Clock;

/// The server's programs, and where its data are.
pub(crate) struct Database {
    programs: PathBuf,
    data: PathBuf,
    sockets: PathBuf,
    pub(crate) port: u16,
}

impl Database {
    /// Makes an empty database in a folder of its own.
    pub(crate) fn create(folder: &Path, sockets: &Path, port: u16) -> Result<Self> {
        let Some(programs) = programs() else {
            bail!("PostgreSQL's server is missing: apt-get install postgresql");
        };
        for path in [folder, sockets] {
            fs::create_dir_all(path)?;
            if geteuid().is_root() {
                // The server refuses to run as root.
                let user = user()?;
                chown(path, Some(user), None).context("cannot give a folder to postgres")?;
            }
        }
        let database = Self {
            programs,
            data: folder.join("data"),
            sockets: sockets.into(),
            port,
        };
        let made = database
            .program("initdb")
            .args(["-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync", "-D"])
            .arg(&database.data)
            .stdout(Stdio::null())
            .output()
            .context("cannot start initdb")?;
        if !made.status.success() {
            bail!("initdb: {}", String::from_utf8_lossy(&made.stderr).trim());
        }
        Ok(database)
    }

    /// How to reach it at a port.
    pub(crate) fn url(port: u16) -> String {
        format!("postgres://test@127.0.0.1:{port}/postgres")
    }

    /// Starts the server for a bench that does nothing to it.
    pub(crate) fn start(&self) -> Result<Child> {
        let mut command = self.recipe()(None);
        command.args(["-c", "max_connections=200", "-c", "shared_buffers=256MB"]);
        command.args(["-c", "max_wal_size=1GB"]);
        let started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        started.context("cannot start the database")
    }

    /// How the server is started, in the foreground.
    pub(super) fn recipe(&self) -> impl Fn(Option<&Clock>) -> Command + Send + Sync + 'static {
        let (program, port) = (self.programs.join("postgres"), self.port.to_string());
        let (data, sockets) = (self.data.clone(), self.sockets.clone());
        move |clock| {
            let mut command = privileged(Path::new("env"));
            command.args(clock.map(Clock::variables).into_iter().flatten());
            command.arg(&program);
            command.arg("-D").arg(&data).arg("-k").arg(&sockets);
            command.args(["-h", "127.0.0.1", "-p", &port]);
            command.args(["-c", "min_wal_size=32MB", "-c", "max_wal_size=48MB"]);
            command
        }
    }

    /// Ends all sessions, as an administrator may.
    pub(super) fn terminate(&self) -> Result<()> {
        self.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        )
    }

    /// Lets it begin a new file of its log, and so use up what it has in hand.
    pub(super) fn use_up(&self) {
        // On a full disk it may end by this; that is what is wanted.
        let _ = self.ask("SELECT pg_switch_wal()");
    }

    /// Asks as an administrator, who does not wait long.
    fn ask(&self, sql: &str) -> Result<()> {
        let asked = privileged(Path::new("timeout"))
            .arg("10")
            .arg(self.programs.join("psql"))
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-U", "test", "-qAtc", sql, "postgres"])
            .output()
            .context("psql cannot be started")?;
        if !asked.status.success() {
            bail!("psql: {}", String::from_utf8_lossy(&asked.stderr).trim());
        }
        Ok(())
    }

    fn program(&self, name: &str) -> Command {
        privileged(&self.programs.join(name))
    }
}

/// A program of PostgreSQL, as the user it wants; it goes with the bench, however that ends.
fn privileged(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    if geteuid().is_root() {
        command.args([
            "--reuid",
            "postgres",
            "--regid",
            "postgres",
            "--init-groups",
        ]);
    }
    command.args(["--pdeathsig", "KILL"]).arg(program);
    command.current_dir("/");
    command
}

/// The user that PostgreSQL runs as where root may not.
fn user() -> Result<u32> {
    let output = Command::new("id").args(["-u", "postgres"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().context("there is no user postgres")
}

/// Where Debian and others keep the server's programs.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut folders: Vec<PathBuf> = versions
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("initdb").exists())
        .collect();
    folders.sort();
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).find(|folder| folder.join("initdb").exists());
    folders.pop().or(on_path)
}
