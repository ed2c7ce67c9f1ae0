//! `tablut show`: a position as a person wants to see it.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tablut_rules::{
    Direction, Move, Piece, Rules, Setup, SetupError, Verdict, notation::Diagram, text::Lang,
};

use crate::{Status, input, output};

/// Show a position: board, legal moves, calls, faults
#[derive(Args)]
#[command(after_help = "\
A position is its rows from the top, with a digit for that many empty squares, and the side to move.
It may also be `start`, the name of a file with a position in any format, or - for standard input.

Examples:
  tablut show start
  tablut show 9/9/1b1K5/9/9/9/9/9/9 b
  tablut show start --move c5a5")]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: input::RulesFlag,
    /// Explain this move: why it is illegal, or what it captures and why
    #[arg(
        long = "move",
        short = 'm',
        value_name = "MOVE",
        conflicts_with = "json"
    )]
    step: Option<Move>,
    /// The language of explanations [default: from LANG]
    #[arg(long, value_parser = input::lang_parser())]
    lang: Option<Lang>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The position
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
}

/// All there is to say about a position.
#[derive(Serialize)]
struct PositionReport {
    position: String,
    rules: String,
    faults: Vec<String>,
    /// Per square with a piece of the side to move: where it can go.
    moves: Vec<Moves>,
    call: Option<&'static str>,
    lanes: Vec<Lane>,
}

#[derive(Serialize)]
struct Moves {
    from: String,
    to: Vec<String>,
}

#[derive(Serialize)]
struct Lane {
    direction: &'static str,
    goal: String,
}

impl PositionReport {
    fn new(rules: &Rules, setup: &Setup) -> Self {
        let fits = setup.size() == rules.size();
        let movers = setup.of_side(setup.side()).iter().filter(|_| fits);
        let moves = movers.map(|from| Moves {
            from: from.to_string(),
            to: rules
                .view(setup)
                .targets(from)
                .iter()
                .map(|to| to.to_string())
                .collect(),
        });
        let kings = setup.pieces(Piece::King);
        let calls = match kings.first() {
            Some(king) if kings.len() == 1 && fits => rules.view(setup).calls(king),
            _ => Default::default(),
        };
        Self {
            position: setup.to_string(),
            rules: rules.set().id().into(),
            faults: rules
                .faults(setup)
                .iter()
                .map(ToString::to_string)
                .collect(),
            moves: moves.filter(|moves| !moves.to.is_empty()).collect(),
            call: calls.word(),
            lanes: calls
                .lanes()
                .map(|lane| Lane {
                    direction: match lane.direction {
                        Direction::Up => "up",
                        Direction::Down => "down",
                        Direction::Left => "left",
                        Direction::Right => "right",
                    },
                    goal: lane.goal.to_string(),
                })
                .collect(),
        }
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let setup = input::setup(&self.position, &rules)?;
        if let Some(step) = self.step {
            let (text, status) = explain(&rules, &setup, step, input::lang(self.lang));
            writeln!(out, "{step}: {text}")?;
            return Ok(status);
        }
        let report = PositionReport::new(&rules, &setup);
        if self.json {
            output::json(out, &report)?;
        } else {
            print(out, &rules, &setup, &report)?;
        }
        Ok(Status::Good)
    }
}

fn print(
    out: &mut impl Write,
    rules: &Rules,
    setup: &Setup,
    report: &PositionReport,
) -> Result<()> {
    let mut diagram = Diagram::from(*setup);
    if setup.size() == rules.size() {
        diagram = diagram.marked(rules);
    }
    writeln!(out, "{diagram}\n")?;
    writeln!(out, "position  {}", report.position)?;
    writeln!(out, "rules     {}", report.rules)?;
    for fault in &report.faults {
        writeln!(out, "fault     {fault}")?;
    }
    if let Some(call) = report.call {
        let lanes: Vec<String> = report
            .lanes
            .iter()
            .map(|lane| format!("{} to {}", lane.direction, lane.goal))
            .collect();
        writeln!(out, "call      {call}: {}", lanes.join(", "))?;
    }
    let count: usize = report.moves.iter().map(|moves| moves.to.len()).sum();
    writeln!(out, "moves     {count}")?;
    for moves in &report.moves {
        writeln!(out, "  {}  {}", moves.from, moves.to.join(" "))?;
    }
    Ok(())
}

/// What a move does, or why it cannot be made; bad if it cannot.
fn explain(rules: &Rules, setup: &Setup, step: Move, lang: Lang) -> (String, Status) {
    let position = rules.position(setup).or_else(SetupError::playable);
    let verdict = match position {
        Ok(position) => rules.verdict(&position, step),
        // Without exactly one king there is no game, but pieces still move and capture.
        Err(_) => match rules.view(setup).explain(step) {
            Err(reason) => Verdict::Illegal(reason),
            Ok(()) => {
                let after = rules.view(setup).preview(step).map(|after| after.setup);
                return (after.unwrap_or(*setup).to_string(), Status::Good);
            }
        },
    };
    let status = match verdict {
        Verdict::Illegal(_) => Status::Bad,
        Verdict::Made { .. } => Status::Good,
    };
    (verdict.sentence(lang), status)
}
