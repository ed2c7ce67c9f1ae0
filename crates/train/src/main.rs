//! `tablut-train`: see `--help`, and "The network" in docs/engine.md.

mod command;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Make networks for the engine, and find better numbers for its search
#[derive(Parser)]
#[command(after_help = "\
A network from nothing, in one command:
  tablut-train cycle --rules ashton --hours 8
The same in steps:
  tablut-train play games/1.games --games 5000
  tablut-train fit games/1.games --out my.network
  tablut match time:0.1,eval=my.network time:0.1 --sprt 0,10 --openings openings/ashton.txt")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Play(command::Play),
    Fit(command::Fit),
    Inspect(command::Inspect),
    Cycle(command::CycleArguments),
    Book(command::BookArguments),
    Archive(command::ArchiveArguments),
    Spsa(command::SpsaArguments),
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Play(arguments) => arguments.run(),
        Task::Fit(arguments) => arguments.run(),
        Task::Inspect(arguments) => arguments.run(),
        Task::Cycle(arguments) => arguments.run(),
        Task::Book(arguments) => arguments.run(),
        Task::Archive(arguments) => arguments.run(),
        Task::Spsa(arguments) => arguments.run(),
    }
}
