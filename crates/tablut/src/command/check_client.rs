//! `tablut check-client`: what a foreign client does right and wrong, in plain words.

use std::{io::Write, num::NonZeroUsize};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use tablut_guest::{
    MoverOptions,
    compliance::{Check, ComplianceReport, Finding, Mark, ProbeVerdict},
};

use super::guest;
use crate::{Status, input, signal};

/// Check a client of the Tablut Challenge step by step
#[derive(Args)]
#[command(after_help = "\
The client is started several times, as White and as Black. First come scripted games from the
start: normal moves, a slow opponent, two states in one segment, and games won, lost and drawn.
Then the rules are tested, one position for each: camps, castle, pieces in the way, captures
against camps and castle, capture and escape of the king, repetition. A client that ignores the
first state it receives plays a game from the start instead. If a client hangs, it gets states at a
slower pace, and the report says whether that helps.

In the command, {side}, {Side}, {SIDE}, {seconds}, {ms} and {address} are filled in; if it has none of
them, side, seconds and address are appended, as in the Challenge.

Examples:
  tablut check-client -- ./runmyplayer.sh
  tablut check-client -t 5 --json -- java -jar Player.jar {SIDE} {seconds} {address}")]
pub(crate) struct Arguments {
    /// Seconds for a move
    #[arg(long, short, value_name = "SECONDS", default_value = "3", value_parser = input::milliseconds)]
    time: u64,
    /// Seconds the client may take to start and connect
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = input::milliseconds)]
    startup: u64,
    /// Shortest time between two states, in milliseconds [default: 0, and if the client hangs, 1000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=60_000))]
    pace: Option<u64>,
    /// How many games at once
    #[arg(long, short, value_name = "N", default_value = "4")]
    concurrency: NonZeroUsize,
    #[command(flatten)]
    clients: guest::Flags,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The client and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    words: Vec<String>,
}

/// The Java server looks for moves once a second, so a move that comes less than that too late
/// counts there.
const GRACE_MS: u64 = 1000;

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let options = MoverOptions {
            startup_ms: self.startup,
            move_ms: self.time,
            grace_ms: GRACE_MS,
            stop: signal::stop("stopping after these games; Ctrl-C again stops at once")?,
            ..MoverOptions::default()
        };
        let mut at_once = self.concurrency;
        let options = self.clients.prepare(options, &mut at_once, None)?;
        let mut findings = Vec::new();
        let mut broken = None;
        let check = Check {
            words: self.words,
            pace_ms: self.pace,
            at_once,
        };
        let report = check.run(&options, &mut |finding| {
            if !self.json {
                let written = writeln!(out, "{}", line(&finding)).and_then(|()| out.flush());
                broken = broken.take().or(written.err());
            }
            findings.push(finding);
        });
        if let Some(error) = broken {
            return Err(error.into());
        }
        let count = |mark: Mark| findings.iter().filter(|found| found.mark == mark).count();
        let (right, wrong) = (count(Mark::Good), count(Mark::Bad));
        let is_stopped = options.stop.is_finishing();
        if self.json {
            let document = document(&report, &findings, is_stopped);
            serde_json::to_writer_pretty(&mut *out, &document)?;
            writeln!(out)?;
        } else if is_stopped {
            writeln!(out, "stopped before the end")?;
        } else {
            writeln!(out, "{right} right, {wrong} wrong")?;
        }
        Ok(match wrong == 0 && !is_stopped {
            true => Status::Good,
            false => Status::Bad,
        })
    }
}

fn line(finding: &Finding) -> String {
    let mark = match finding.mark {
        Mark::Title => "",
        Mark::Good => "  ok    ",
        Mark::Note => "  note  ",
        Mark::Bad => "  WRONG ",
    };
    format!("{mark}{}", finding.text)
}

/// Everything that was found, for other programs.
fn document(report: &ComplianceReport, findings: &[Finding], is_stopped: bool) -> Value {
    let mut title = "";
    let mut list = Vec::new();
    for finding in findings {
        let mark = match finding.mark {
            Mark::Title => {
                title = &finding.text;
                continue;
            }
            Mark::Good => "ok",
            Mark::Note => "note",
            Mark::Bad => "wrong",
        };
        list.push(json!({"game": title, "mark": mark, "text": finding.text}));
    }
    let rules = report.rules.iter().map(|judgement| {
        let (verdict, text) = match &judgement.verdict {
            ProbeVerdict::Passed(text) => ("passed", text),
            ProbeVerdict::Wrong(text) => ("wrong", text),
            ProbeVerdict::NotProbed(text) => ("not probed", text),
        };
        json!({
            "side": judgement.side.colour(),
            "rule": judgement.rule.to_string(),
            "verdict": verdict,
            "text": text,
        })
    });
    let first_state = report.honours_first_state.white_first();
    let first_state =
        first_state.map(|(side, honours)| (side.colour().to_string(), honours.into()));
    let count = |mark: Mark| findings.iter().filter(|found| found.mark == mark).count();
    json!({
        "findings": list,
        "needs_pace_ms": report.pace_ms,
        "honours_first_state": Value::Object(first_state.collect()),
        "rules": rules.collect::<Vec<_>>(),
        "right": count(Mark::Good),
        "wrong": count(Mark::Bad),
        "stopped": is_stopped,
    })
}
