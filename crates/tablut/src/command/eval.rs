//! `tablut eval`: what a position is worth without search: term by term, and to the network.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tablut_engine::{Network, Score, Term, evaluate};
use tablut_rules::{Position, Rules, Setup, Side, Square};

use crate::{Status, input, output};

/// Print the evaluation of a position without search: term by term, and by the network
#[derive(Args)]
#[command(after_help = "\
Figures are in units of an attacking man; the last column is white's points minus black's. The engine plays
by the network's number where a network ships for the rule set; the terms explain. The picture shows what
each man is worth to its own side: what the number would lose without it.

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
    /// Nothing if no network ships for the rule set.
    network: Option<NetworkReport>,
}

#[derive(Serialize)]
struct NetworkReport {
    /// The network's number for white, in hundredths.
    white: i32,
    men: Vec<ManReport>,
}

#[derive(Serialize)]
struct ManReport {
    square: String,
    side: &'static str,
    /// What it is worth to its own side, in hundredths.
    worth: i32,
}

impl NetworkReport {
    fn new(network: &Network, position: &Position) -> Self {
        let sign = |side: Side| if side == position.side() { 1 } else { -1 };
        let men = network.worth(position).map(|(square, worth)| {
            let is_black = position.men(Side::Attackers).contains(square);
            let (side, name) = if is_black {
                (Side::Attackers, "black")
            } else {
                (Side::Defenders, "white")
            };
            ManReport {
                square: square.to_string(),
                side: name,
                worth: sign(side) * worth,
            }
        });
        Self {
            white: sign(Side::Defenders) * network.evaluate(position),
            men: men.collect(),
        }
    }

    /// A picture of the board with what each man is worth.
    fn write(&self, rules: &Rules, out: &mut impl Write) -> Result<()> {
        let rows = rules.size().rows();
        writeln!(out, "what each man is worth to its own side:")?;
        for row in 0..rows {
            write!(out, "{:>3} ", row + 1)?;
            for column in 0..rows {
                let name = Square::new(column, row).map(|square| square.to_string());
                match self
                    .men
                    .iter()
                    .find(|man| Some(&man.square) == name.as_ref())
                {
                    Some(man) => write!(out, "{:>7}", Score::Units(man.worth))?,
                    None => write!(out, "{:>7}", ".")?,
                }
            }
            writeln!(out)?;
        }
        write!(out, "    ")?;
        for column in 0..rows {
            write!(out, "{:>7}", char::from(b'a' + column))?;
        }
        writeln!(out)?;
        Ok(())
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let setup = input::setup(&self.position, &rules)?;
        let position = input::position(&setup, &rules)?;
        let breakdown = evaluate(&rules, &position);
        let network = Network::serving(&rules).map(|net| NetworkReport::new(&net, &position));
        if !self.json {
            writeln!(
                out,
                "{:<12} {:>10} {:>10} {:>10}",
                "", "black", "white", "white"
            )?;
            writeln!(out, "{breakdown}")?;
            match &network {
                Some(network) => {
                    let white = Score::Units(network.white);
                    writeln!(out, "\nthe network, for white: {white}")?;
                    network.write(&rules, out)?;
                }
                None => writeln!(out, "\nno network serves this rule set")?,
            }
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
            network,
        };
        output::json(out, &report)?;
        Ok(Status::Good)
    }
}
