//! `tablut man`: the manual, for `man` to show.

use std::{fs, io::Write, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use clap_mangen::Man;

use crate::{Status, help};

/// Print the manual page, or write one for every command
#[derive(Args)]
#[command(after_help = "\
Examples:
  tablut man | man -l -
  tablut man --to ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Write the pages of all commands to this folder instead: tablut.1, tablut-play.1, …
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let mut command = help::command();
        command.set_bin_name("tablut");
        command.build();
        match self.to {
            None => out.write_all(&page(&command)?)?,
            Some(folder) => {
                fs::create_dir_all(&folder)
                    .with_context(|| format!("cannot create the folder {}", folder.display()))?;
                write(&command, "tablut", &folder)?;
            }
        }
        Ok(Status::Good)
    }
}

/// The page of a command.
fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}

/// Writes the page of a command and those of its own commands.
fn write(command: &clap::Command, name: &str, folder: &std::path::Path) -> Result<()> {
    let path = folder.join(format!("{name}.1"));
    // A page says what is typed; its file has hyphens.
    fs::write(&path, page(command)?)
        .with_context(|| format!("cannot write to {}", path.display()))?;
    for inner in command.get_subcommands() {
        if !inner.is_hide_set() && inner.get_name() != "help" {
            write(inner, &format!("{name}-{}", inner.get_name()), folder)?;
        }
    }
    Ok(())
}
