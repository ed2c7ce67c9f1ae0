//! `tablut eval`: what a position is worth without search, term by term.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tablut_engine::{Term, evaluate};
use tablut_rules::{Setup, Side};

use crate::{Status, input, output};

/// Print the evaluation of a position, term by term, without search
#[derive(Args)]
#[command(after_help = "\
Figures are in units of an attacking man; the last column is white's points minus black's.

Example:
  tablut eval start")]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: input::RulesFlag,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The position, in any format `tablut show` accepts
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    term: String,
    black: i32,
    white: i32,
}

#[derive(Serialize)]
struct EvaluationReport {
    position: String,
    rules: String,
    terms: Vec<Row>,
    /// White's points less black's, in hundredths.
    white: i32,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let setup = input::setup(&self.position, &rules)?;
        let position = input::position(&setup, &rules)?;
        let breakdown = evaluate(&rules, &position);
        if !self.json {
            writeln!(
                out,
                "{:<12} {:>10} {:>10} {:>10}",
                "", "black", "white", "white"
            )?;
            writeln!(out, "{breakdown}")?;
            return Ok(Status::Good);
        }
        let points = |term, side| breakdown.points(term, side);
        let report = EvaluationReport {
            position: Setup::from(&position).to_string(),
            rules: rules.set().id().into(),
            terms: Term::ALL
                .iter()
                .map(|&term| Row {
                    term: term.to_string(),
                    black: points(term, Side::Attackers),
                    white: points(term, Side::Defenders),
                })
                .collect(),
            white: breakdown.sum(Side::Defenders) - breakdown.sum(Side::Attackers),
        };
        output::json(out, &report)?;
        Ok(Status::Good)
    }
}
