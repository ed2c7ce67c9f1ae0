//! `tablut rules`: list, show, compare and check rule sets.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde::Serialize;
use tablut_rules::{RuleSet, Rules, Setup, Witness, WitnessSearch, notation::Diagram, text::Lang};

use crate::{Status, input, output};

/// List, show, compare and check rule sets
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  tablut rules
  tablut rules show ashton --lang it
  tablut rules diff ashton ashton-siege
  tablut rules check mine.toml"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Also list the twins of the reference referee's variants, mistakes included
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Action {
    /// Print the board and the rules in sentences
    #[command(after_help = "\
Examples:
  tablut rules show ashton

To make a set of your own, start from another one:
  tablut rules show ashton --toml > mine.toml
  tablut rules check mine.toml")]
    Show {
        /// The rule set: an id or a TOML file
        #[arg(value_name = "ID|FILE")]
        rules: String,
        /// The language: en or it
        #[arg(long, default_value_t)]
        lang: Lang,
        /// Print the set as a TOML file instead
        #[arg(long)]
        toml: bool,
    },
    /// Print where two sets differ, and positions that prove it
    #[command(after_help = "\
Examples:
  tablut rules diff ashton ashton-siege
  tablut rules diff ashton mine.toml --lang it")]
    Diff {
        /// The first rule set: an id or a TOML file
        #[arg(value_name = "A")]
        first: String,
        /// The second rule set
        #[arg(value_name = "B")]
        second: String,
        /// The language: en or it
        #[arg(long, default_value_t)]
        lang: Lang,
        /// How many random positions to try for proofs
        #[arg(long, default_value_t = 100_000)]
        tries: usize,
        /// Another seed finds other positions
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Check a rule set file and report all its faults
    #[command(after_help = "\
Examples:
  tablut rules check mine.toml")]
    Check {
        /// The TOML file
        file: String,
    },
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        match self.action {
            None => list(out, self.all, self.json),
            Some(Action::Show { rules, lang, toml }) => {
                let set = input::rule_set(&rules)?;
                if toml {
                    write!(out, "{set}")?;
                    return Ok(Status::Good);
                }
                show(out, &set, lang)
            }
            Some(Action::Diff {
                first,
                second,
                lang,
                tries,
                seed,
            }) => {
                let (first, second) = (input::rules(&first)?, input::rules(&second)?);
                let search = WitnessSearch::new(&first, &second, seed);
                diff(out, [&first, &second], search, tries, lang)
            }
            Some(Action::Check { file }) => check(out, &file),
        }
    }
}

fn list(out: &mut impl Write, all: bool, json: bool) -> Result<Status> {
    #[derive(Serialize)]
    struct Row {
        id: String,
        name: String,
        source: String,
        first: &'static str,
        board: u8,
    }
    let hidden = RuleSet::hidden().filter(|_| all);
    let rows: Vec<Row> = RuleSet::listed()
        .chain(hidden)
        .map(|set| Row {
            first: set.first.colour(),
            board: set.size.rows(),
            id: set.id,
            name: set.name.en,
            source: set.source,
        })
        .collect();
    if json {
        output::json(out, &rows)?;
        return Ok(Status::Good);
    }
    let width = rows.iter().map(|row| row.id.len()).max().unwrap_or(0);
    for row in rows {
        writeln!(out, "{:width$}  {}", row.id, row.name)?;
        writeln!(out, "{:width$}  {}", "", row.source)?;
    }
    Ok(Status::Good)
}

fn show(out: &mut impl Write, set: &RuleSet, lang: Lang) -> Result<Status> {
    writeln!(out, "{} ({})", set.name_in(lang), set.id)?;
    if !set.source.is_empty() {
        writeln!(out, "{}", set.source)?;
    }
    let rules = set.compile()?;
    let start = board(&Diagram::from(&rules.start()));
    let empty = Setup::empty(set.size, set.first);
    let squares = board(&Diagram::from(empty).marked(&rules).with_escapes(&rules));
    writeln!(out)?;
    for (pieces, squares) in start.lines().zip(squares.lines()) {
        writeln!(out, "{pieces}   {squares}")?;
    }
    let width = start.lines().map(str::len).max().unwrap_or(0);
    writeln!(out, "{:width$}      {}", "", lang.legend())?;
    for section in set.describe(lang) {
        writeln!(out, "\n{}", section.title)?;
        for sentence in section.sentences {
            for (n, line) in wrap(&sentence, 94).enumerate() {
                writeln!(out, "{}{line}", if n == 0 { "  • " } else { "    " })?;
            }
        }
    }
    Ok(Status::Good)
}

/// A diagram without its last line, which names the side to move in English.
fn board(diagram: &Diagram) -> String {
    let text = diagram.to_string();
    match text.rsplit_once('\n') {
        Some((rows, _)) => rows.to_string(),
        None => text,
    }
}

/// Breaks a text into lines of at most so many letters.
fn wrap(text: &str, width: usize) -> impl Iterator<Item = String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines.into_iter()
}

fn diff(
    out: &mut impl Write,
    [first, second]: [&Rules; 2],
    mut search: WitnessSearch<'_>,
    tries: usize,
    lang: Lang,
) -> Result<Status> {
    let (a, b) = (&first.set().id, &second.set().id);
    let parameters = first.set().differences(second.set());
    if parameters.is_empty() {
        writeln!(out, "{a} and {b} play the same.")?;
        return Ok(Status::Good);
    }
    let width = a.len().max(b.len());
    for parameter in &parameters {
        writeln!(out, "{}", parameter.key)?;
        writeln!(out, "  {a:width$}  {}", parameter.first)?;
        writeln!(out, "  {b:width$}  {}", parameter.second)?;
    }
    if first.size() != second.size() {
        writeln!(
            out,
            "\nThe boards differ in size, so no position fits both."
        )?;
        return Ok(Status::Good);
    }
    let witnesses = search.run(tries);
    let unproved: Vec<&str> = search.open().collect();
    let silent = search.silent().join(", ");
    for Witness {
        keys,
        setup,
        step,
        verdicts,
    } in witnesses
    {
        let diagram = Diagram::from(setup).marked(first);
        let keys = keys.join(", ");
        writeln!(out, "\n{keys}: {step}, {setup}\n\n{diagram}\n")?;
        for (id, verdict) in [a, b].into_iter().zip(verdicts) {
            writeln!(out, "  {id:width$}  {}", verdict.sentence(lang))?;
        }
    }
    if !silent.is_empty() {
        writeln!(out, "\nNo single move shows: {silent}.")?;
    }
    if !unproved.is_empty() {
        let keys = unproved.join(", ");
        writeln!(out, "\nNo position found in {tries} tries for: {keys}.")?;
    }
    Ok(Status::Good)
}

fn check(out: &mut impl Write, file: &str) -> Result<Status> {
    let text = input::read(file)?;
    match text.parse::<RuleSet>() {
        Ok(set) => {
            let rules = set.compile()?;
            let moves = rules.moves(&rules.start()).len();
            let start = Setup::from(&rules.start());
            writeln!(out, "{file}: {} is a sound rule set.", set.id)?;
            writeln!(out, "It starts from {start} with {moves} legal moves.")?;
            if rules.escapes().is_empty() {
                writeln!(out, "Note: the king can never reach a goal.")?;
            }
            Ok(Status::Good)
        }
        Err(error) => {
            for fault in error.faults() {
                match fault.line() {
                    Some(line) => write!(out, "{file}:{line}: ")?,
                    None => write!(out, "{file}: ")?,
                }
                match fault.key() {
                    "" => writeln!(out, "{}", fault.message())?,
                    key => writeln!(out, "{key}: {}", fault.message())?,
                }
            }
            Ok(Status::Bad)
        }
    }
}
