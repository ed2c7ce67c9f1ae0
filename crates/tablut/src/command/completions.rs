//! `tablut completions`: what a shell needs to complete commands and flags.

use std::io::Write;

use anyhow::Result;
use clap::{Args, ValueEnum};
use clap_complete::{
    Generator,
    shells::{Bash, Fish, Zsh},
};

use crate::{Status, help};

/// Print the completions of commands and flags for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  tablut completions bash > ~/.local/share/bash-completion/completions/tablut
  tablut completions zsh > ~/.zfunc/_tablut      (with fpath+=~/.zfunc before compinit in ~/.zshrc)
  tablut completions fish > ~/.config/fish/completions/tablut.fish")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let mut command = help::command();
        command.set_bin_name("tablut");
        command.build();
        // Whole before it is written: the generators panic when their output fails.
        let mut text = Vec::new();
        match self.shell {
            Shell::Bash => Bash.generate(&command, &mut text),
            Shell::Zsh => Zsh.generate(&command, &mut text),
            Shell::Fish => Fish.generate(&command, &mut text),
        }
        out.write_all(&text)?;
        Ok(Status::Good)
    }
}
