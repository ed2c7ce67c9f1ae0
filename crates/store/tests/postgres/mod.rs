//! A PostgreSQL server of the test's own: in a temporary folder, on loopback, gone with the test.

use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// How long a server may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Server {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
}

impl Server {
    pub(crate) fn start() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("tablut-postgres-")
            .tempdir_in("/tmp")
            .unwrap();
        let server = Self {
            folder,
            programs: programs(),
            port: free_port(),
        };
        let path = server.folder.path();
        if is_root() {
            // The server refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(path));
        }
        let data = path.join("data");
        run(server
            .program("initdb")
            .args(["-U", "test", "-A", "trust", "-E", "UTF8", "-D"])
            .arg(&data));
        server.resume();
        server
    }

    /// Starts the server after a stop.
    pub(crate) fn resume(&self) {
        let path = self.folder.path();
        let port = self.port.to_string();
        let mut command = self.program("postgres");
        command
            .args(["-h", "127.0.0.1", "-p", &port, "-c", "fsync=off", "-k"])
            .arg(path)
            .arg("-D")
            .arg(path.join("data"))
            .stdout(Stdio::null())
            .stderr(File::create(path.join("log")).unwrap());
        // The kernel ends a program with the thread that started it: this one lives as long as the server.
        thread::spawn(move || command.status());
        let mut ready = self.program("pg_isready");
        ready.args(["-q", "-h", "127.0.0.1", "-p", &port]);
        let end = Instant::now() + PATIENCE;
        while !ready.status().unwrap().success() {
            let log = fs::read_to_string(path.join("log"));
            assert!(Instant::now() < end, "no PostgreSQL server: {log:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops the server as a failure would.
    pub(crate) fn stop(&self) -> bool {
        let stopped = self
            .program("pg_ctl")
            .args(["stop", "-w", "-m", "immediate", "-D"])
            .arg(self.folder.path().join("data"))
            .stdout(Stdio::null())
            .status();
        stopped.is_ok_and(|status| status.success())
    }

    /// Cuts every connection to a database.
    #[allow(dead_code, reason = "each test uses what it needs")]
    pub(crate) fn cut(&self, url: &str) {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        run(self.program("psql").args(["-q", "-c", sql, url]));
    }

    /// Lets nobody in without a password.
    #[allow(dead_code, reason = "each test uses what it needs")]
    pub(crate) fn demand_passwords(&self) {
        let data = self.folder.path().join("data");
        let rule = "host all all 127.0.0.1/32 scram-sha-256\n";
        fs::write(data.join("pg_hba.conf"), rule).unwrap();
        run(self.program("pg_ctl").args(["reload", "-D"]).arg(&data));
    }

    /// Sends a signal to the server and everything it has started: `STOP` makes it silent, `CONT` lets it
    /// go on.
    #[allow(dead_code, reason = "each test uses what it needs")]
    pub(crate) fn signal(&self, name: &str) {
        let file = self.folder.path().join("data/postmaster.pid");
        let text = fs::read_to_string(file).unwrap();
        let server = text.lines().next().unwrap().to_string();
        let children = format!("/proc/{server}/task/{server}/children");
        let children = fs::read_to_string(children).unwrap_or_default();
        let processes = children.split_whitespace().chain([server.as_str()]);
        // One that has ended meanwhile is no loss.
        let _ = Command::new("kill")
            .arg(format!("-{name}"))
            .args(processes)
            .stderr(Stdio::null())
            .status();
    }

    /// Copies a database into an empty one, as docs/hosting.md says.
    #[allow(dead_code, reason = "each test uses what it needs")]
    pub(crate) fn back_up(&self, from: &str, to: &str) {
        let file = self.folder.path().join("tablut.dump");
        let dump = ["--format=custom", "--file"];
        run(self.program("pg_dump").args(dump).arg(&file).arg(from));
        let restore = [
            "--no-owner",
            "--exit-on-error",
            "--single-transaction",
            "--dbname",
            to,
        ];
        run(self.program("pg_restore").args(restore).arg(&file));
    }

    /// The URL of a new database.
    pub(crate) fn database(&self, name: &str) -> String {
        // Names of databases have at most 63 letters.
        let name = &name[..name.len().min(60)];
        let port = self.port.to_string();
        run(self
            .program("createdb")
            .args(["-h", "127.0.0.1", "-p", &port, "-U", "test", name]));
        format!("postgres://test@127.0.0.1:{port}/{name}")
    }

    /// A program of PostgreSQL, as the user it wants. It goes with the test, also when that is killed.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new("setpriv");
        if is_root() {
            command.args(["--reuid", "postgres", "--regid", "postgres"]);
            command.arg("--init-groups");
        }
        command.args(["--pdeathsig", "KILL"]);
        command.arg(self.programs.join(name));
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !self.stop() {
            eprintln!("the PostgreSQL server of the test could not be stopped");
        }
    }
}

/// Where Debian and others keep the server's programs.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut folders: Vec<PathBuf> = versions
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("initdb").exists())
        .collect();
    folders.sort();
    let on_path = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .find(|folder| Path::new(folder).join("initdb").exists());
    folders
        .pop()
        .or(on_path)
        .expect("PostgreSQL's server is missing: apt-get install postgresql")
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout == b"0\n"
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn run(command: &mut Command) {
    let status = command.stdout(Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}
