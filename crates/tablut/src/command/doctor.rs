//! `tablut doctor`: whether this machine has what the program needs, and what to do if not.

use std::{
    fmt, fs,
    io::{self, IsTerminal, Write},
    net::{Ipv4Addr, TcpListener},
    path::Path,
};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tablut_guest::supervise::Supervised;
use tablut_store::{Location, OpenError, Store};
use tokio::runtime;

use super::serve;
use crate::{
    Status,
    output::{self, counted},
};

/// Check that this machine has what the program needs, and say what to fix
#[derive(Args)]
#[command(after_help = "\
Exit code 1 means that something the program needs is missing. A line with `note` concerns something that
only some commands use.

Examples:
  tablut doctor
  tablut doctor --json
  tablut doctor --store postgres://tablut@localhost/tablut")]
pub(crate) struct Arguments {
    /// Where games and positions are stored: a file, or a PostgreSQL URL [default: $TABLUT_STORE, or
    /// tablut.db in the user's data folder]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a check found.
#[derive(Serialize)]
struct Diagnosis {
    #[serde(rename = "check")]
    what: &'static str,
    verdict: Severity,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    /// As it should be.
    #[serde(rename = "ok")]
    Good,
    /// Something that only some commands need is missing.
    Note,
    /// Something that is needed is missing.
    Fix,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict {
            Severity::Good => "ok  ",
            Severity::Note => "note",
            Severity::Fix => "FIX ",
        };
        write!(f, "{verdict}  {:<11} {}", self.what, self.text)
    }
}

const fn found(what: &'static str, verdict: Severity, text: String) -> Diagnosis {
    Diagnosis {
        what,
        verdict,
        text,
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let place = serve::place(self.store.as_deref());
        let mut findings = vec![ports()];
        match place {
            Err(error) => findings.push(found("data folder", Severity::Fix, error.to_string())),
            Ok(place) => {
                findings.extend(folder(&place));
                findings.push(database(&place)?);
            }
        }
        findings.extend([browser(), sandbox(), terminal()]);
        let is_bad = findings
            .iter()
            .any(|finding| finding.verdict == Severity::Fix);
        if self.json {
            output::json(out, &findings)?;
        } else {
            for finding in findings {
                writeln!(out, "{finding}")?;
            }
        }
        Ok(if is_bad { Status::Bad } else { Status::Good })
    }
}

/// Whether the page finds a port on loopback.
fn ports() -> Diagnosis {
    let last = serve::PORT + serve::MORE_PORTS;
    let free =
        (serve::PORT..=last).find(|&port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok());
    match free {
        Some(serve::PORT) => found("ports", Severity::Good, format!("{} is free", serve::PORT)),
        Some(port) => found(
            "ports",
            Severity::Good,
            format!(
                "{} is taken (is `tablut serve` running?); the next page will use {port}",
                serve::PORT
            ),
        ),
        None => found(
            "ports",
            Severity::Fix,
            format!(
                "{} to {last} are taken: choose one with `tablut serve --port`",
                serve::PORT
            ),
        ),
    }
}

/// Whether files can be made where the store is.
fn folder(place: &Location) -> Option<Diagnosis> {
    let Location::File(file) = place else {
        return None;
    };
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // What is not there yet is made where something is.
    let is_there = |folder: &&Path| folder.exists();
    let there = folder.ancestors().find(is_there).unwrap_or(Path::new("."));
    let probe = there.join(format!(".tablut-doctor-{}", std::process::id()));
    let written = fs::write(&probe, b"?");
    // If it could not be written, there is nothing to remove.
    let _ = fs::remove_file(&probe);
    let name = folder.display();
    Some(match written {
        Ok(()) if there == folder => found("data folder", Severity::Good, format!("{name}")),
        Ok(()) => {
            let text = format!("{name}, which is created when needed");
            found("data folder", Severity::Good, text)
        }
        Err(error) => found(
            "data folder",
            Severity::Fix,
            format!(
                "cannot write to {name}: {error}; make it writable, or name a file with --store"
            ),
        ),
    })
}

/// Whether the store opens and can be read.
fn database(place: &Location) -> Result<Diagnosis> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let opened = runtime.block_on(async {
        let store = match Store::open_existing(place).await {
            Ok(store) => store,
            Err(OpenError::Missing(_)) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let games = store.count_open_games(None).await;
        store.close().await;
        games.map(Some).map_err(|error| error.to_string())
    });
    Ok(match opened {
        Ok(None) => found(
            "database",
            Severity::Good,
            format!("{place} does not exist yet; the first game creates it"),
        ),
        Ok(Some(games)) => found(
            "database",
            Severity::Good,
            format!("{place}, {} in progress", counted(games, "game", "games")),
        ),
        Err(error) => found(
            "database",
            Severity::Fix,
            format!("{error} (choose another with --store)"),
        ),
    })
}

/// Whether something can open the page. Only a screen of this machine counts.
fn browser() -> Diagnosis {
    let has_screen = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]
            .iter()
            .any(|name| std::env::var_os(name).is_some());
    if has_screen {
        return found("browser", Severity::Good, "a screen is available".into());
    }
    found(
        "browser",
        Severity::Note,
        "no screen here: play with `tablut console`, or open the page elsewhere with `tablut serve \
         --lan --no-open`"
            .into(),
    )
}

/// Whether other people's programs can run in a sandbox, found by shutting one in.
fn sandbox() -> Diagnosis {
    let tried = std::env::current_exe()
        .map_err(|error| error.to_string())
        .and_then(|program| Supervised::try_sandbox(&program).map_err(|error| error.to_string()));
    match tried {
        Ok(()) => found(
            "sandbox",
            Severity::Good,
            "other people's programs can run in a sandbox".into(),
        ),
        Err(error) => found(
            "sandbox",
            Severity::Note,
            format!(
                "{error}; client:CMD and engine:CMD run only with --trust-programs. Linux with \
                 user namespaces is needed: see `sysctl user.max_user_namespaces \
                 kernel.unprivileged_userns_clone kernel.apparmor_restrict_unprivileged_userns`"
            ),
        ),
    }
}

/// Whether output goes to a terminal, and in colours.
fn terminal() -> Diagnosis {
    let text = if !io::stdout().is_terminal() {
        "output goes to a file or pipe: no colours"
    } else if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        "colours are off, because NO_COLOR is set"
    } else {
        "colours are on; NO_COLOR=1 turns them off"
    };
    found("terminal", Severity::Good, text.into())
}
