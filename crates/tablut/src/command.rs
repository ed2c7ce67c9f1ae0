//! The subcommands, one file each.

mod analyse;
mod bench;
#[cfg(unix)]
mod check_client;
mod completions;
mod conformance;
mod console;
mod convert;
mod doctor;
mod engine;
mod eval;
mod guest;
mod image;
mod lessons;
mod man;
mod r#match;
mod openings;
mod perft;
mod play;
mod player;
mod puzzles;
mod ratings;
mod referee;
mod replay;
mod rules;
pub(crate) mod serve;
mod show;
mod solve;
#[cfg(unix)]
mod supervise;
mod tournament;
mod typed;
mod watch;
mod worker;

use std::io::Write;

use clap::Subcommand;

use crate::Status;

/// What the program can do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Open the board in the browser: set up positions, play against anyone (the default)
    Serve(serve::Arguments),
    /// Play in the terminal: against the engine or a friend, or set up positions
    Play(play::Arguments),
    /// Watch a game or tournament on a `tablut serve` server in the terminal
    Watch(watch::Arguments),
    /// List, show, compare and check rule sets
    Rules(rules::Arguments),
    /// Show a position: board, legal moves, calls, faults
    Show(show::Arguments),
    /// Convert positions and games between text formats
    Convert(convert::Arguments),
    /// Draw a position as SVG or PNG, or a game as an animated GIF
    Image(image::Arguments),
    /// Count the positions after a number of moves
    Perft(perft::Arguments),
    /// Analyse a position, or find the mistakes in a game
    Analyse(analyse::Arguments),
    /// Learn the rules of a set step by step, or first plans
    Lessons(lessons::Arguments),
    /// Solve puzzles, make new ones from games, or prove those that ship
    Puzzles(puzzles::Arguments),
    /// Prove or refute a forced win
    Solve(solve::Arguments),
    /// Print the evaluation of a position, term by term, without search
    Eval(eval::Arguments),
    /// Play a series of games between two players and say who is stronger
    Match(r#match::Arguments),
    /// Run the contest server of the Tablut Challenge
    Referee(referee::Arguments),
    /// Play in the Tablut Challenge with our engine, against any server
    Player(player::Arguments),
    /// Check a client of the Tablut Challenge step by step
    #[cfg(unix)]
    CheckClient(check_client::Arguments),
    /// Step through a game log, record or list of moves; check it or convert it
    Replay(replay::Arguments),
    /// Run a tournament between many players, and see the standings
    Tournament(tournament::Arguments),
    /// Play the games of tournaments in a shared database and think for visitors, on any number of machines
    Worker(worker::Arguments),
    /// Print how strong players are over all stored games, and how fair the rule sets are
    Ratings(ratings::Arguments),
    /// Make a file of balanced openings for matches
    Openings(openings::Arguments),
    /// Speak the engine protocol on standard input and output, for other programs
    Engine(engine::Arguments),
    /// Play by text commands, like the programs of Berkeley's CS 61B
    Console(console::Arguments),
    /// Replay the recorded behaviour of other programs and report differences
    Conformance(conformance::Arguments),
    /// Measure the speed of this machine
    Bench(bench::Arguments),
    /// Run a program for another process and clean up after it
    #[cfg(unix)]
    #[command(hide = true)]
    Supervise(supervise::Arguments),
    /// Check that this machine has what the program needs, and say what to fix
    Doctor(doctor::Arguments),
    /// Print the completions of commands and flags for a shell
    Completions(completions::Arguments),
    /// Print the manual page, or write one for every command
    Man(man::Arguments),
}

impl Command {
    /// Runs the command; data goes to `out`.
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<Status> {
        match self {
            Self::Serve(arguments) => arguments.run(out),
            Self::Play(arguments) => arguments.run(),
            Self::Watch(arguments) => arguments.run(out),
            Self::Rules(arguments) => arguments.run(out),
            Self::Show(arguments) => arguments.run(out),
            Self::Convert(arguments) => arguments.run(out),
            Self::Image(arguments) => arguments.run(out),
            Self::Perft(arguments) => arguments.run(out),
            Self::Analyse(arguments) => arguments.run(out),
            Self::Lessons(arguments) => arguments.run(out),
            Self::Puzzles(arguments) => arguments.run(out),
            Self::Solve(arguments) => arguments.run(out),
            Self::Eval(arguments) => arguments.run(out),
            Self::Match(arguments) => arguments.run(out),
            Self::Referee(arguments) => arguments.run(out),
            Self::Player(arguments) => arguments.run(out),
            #[cfg(unix)]
            Self::CheckClient(arguments) => arguments.run(out),
            Self::Replay(arguments) => arguments.run(out),
            Self::Tournament(arguments) => arguments.run(out),
            Self::Worker(arguments) => arguments.run(),
            Self::Ratings(arguments) => arguments.run(out),
            Self::Openings(arguments) => arguments.run(out),
            Self::Engine(arguments) => arguments.run(out),
            Self::Console(arguments) => arguments.run(out),
            Self::Conformance(arguments) => arguments.run(out),
            Self::Bench(arguments) => arguments.run(out),
            #[cfg(unix)]
            Self::Supervise(arguments) => arguments.run(),
            Self::Doctor(arguments) => arguments.run(out),
            Self::Completions(arguments) => arguments.run(out),
            Self::Man(arguments) => arguments.run(out),
        }
    }
}
