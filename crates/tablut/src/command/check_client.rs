//! `tablut check-client`: what a foreign client does right and wrong, in plain words.

use std::{io::Write, num::NonZeroUsize};

use anyhow::Result;
use clap::Args;
use tablut_arena::{
    MoverOptions,
    challenge::compliance::{Mark, check},
};

use super::guest;
use crate::{Status, input, signal};

/// Check a client of the Tablut Challenge step by step
#[derive(Args)]
#[command(after_help = "\
The client is started several times, as White and as Black, and led through scripted games: normal
moves, a slow opponent, two states in one segment, and the ends won, lost and drawn. In the command
{side}, {Side}, {SIDE}, {seconds}, {ms} and {address} are filled in; without any of them side,
seconds and address are added behind it, as in the Challenge.

Examples:
  tablut check-client -- ./runmyplayer.sh
  tablut check-client -t 5 -- java -jar Player.jar {SIDE} {seconds} {address}")]
pub(crate) struct Arguments {
    /// Seconds for a move
    #[arg(long, short, value_name = "SECONDS", default_value = "5", value_parser = input::milliseconds)]
    time: u64,
    /// Seconds the client may take to start and connect
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = input::milliseconds)]
    startup: u64,
    #[command(flatten)]
    clients: guest::Flags,
    /// The client and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    words: Vec<String>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let options = MoverOptions {
            startup_ms: self.startup,
            move_ms: self.time,
            stop: signal::stop("stopping after this game; Ctrl-C again stops at once")?,
            ..MoverOptions::default()
        };
        let mut at_once = NonZeroUsize::MIN;
        let options = self.clients.prepare(options, &mut at_once, None)?;
        let (mut good, mut bad) = (0, 0);
        let mut broken = None;
        check(self.words, &options, &mut |finding| {
            let mark = match finding.mark {
                Mark::Title => "",
                Mark::Good => "  ok    ",
                Mark::Note => "  note  ",
                Mark::Bad => "  WRONG ",
            };
            good += u32::from(finding.mark == Mark::Good);
            bad += u32::from(finding.mark == Mark::Bad);
            let written = writeln!(out, "{mark}{}", finding.text).and_then(|()| out.flush());
            broken = broken.take().or(written.err());
        });
        if let Some(error) = broken {
            return Err(error.into());
        }
        if options.stop.is_finishing() {
            writeln!(out, "stopped before the end")?;
            return Ok(Status::Bad);
        }
        writeln!(out, "{good} right, {bad} wrong")?;
        Ok(if bad == 0 { Status::Good } else { Status::Bad })
    }
}
