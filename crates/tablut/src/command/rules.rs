//! `tablut rules`: list, show, compare and check rule sets.

mod html;

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::{Value, json};
use tablut_rules::{
    Bitboard, BuiltIn, Parameter, RuleSet, RuleSetError, Rules, Setup, Witness, WitnessSearch,
    notation::Diagram,
    text::{Lang, Section},
};

use crate::{
    Status, input,
    output::{self, counted},
};

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
    /// Also list the reference referee's variants, mistakes included
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
  tablut rules show ashton --html > ashton.html

To make your own set, start from another one:
  tablut rules show ashton --toml > mine.toml
  tablut rules check mine.toml")]
    Show {
        /// The rule set: an id or a TOML file
        #[arg(value_name = "ID|FILE")]
        rules: String,
        /// The language [default: from LANG]
        #[arg(long, value_parser = input::lang_parser())]
        lang: Option<Lang>,
        /// Print the set as a TOML file instead
        #[arg(long)]
        toml: bool,
        /// Print a page of HTML with pictures instead, for a site or a printer
        #[arg(long, conflicts_with = "toml")]
        html: bool,
        /// Print JSON
        #[arg(long, conflicts_with_all = ["toml", "html"])]
        json: bool,
    },
    /// Print where two sets differ, with example positions
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
        /// The language [default: from LANG]
        #[arg(long, value_parser = input::lang_parser())]
        lang: Option<Lang>,
        /// How many random positions to try when looking for examples
        #[arg(long, default_value_t = 100_000)]
        tries: usize,
        /// Another seed finds other positions
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check a rule set file and report all its faults
    #[command(after_help = "\
Examples:
  tablut rules check mine.toml")]
    Check {
        /// The TOML file
        file: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        match self.action {
            None => list(out, self.all, self.json),
            Some(Action::Show {
                rules,
                lang,
                toml,
                html,
                json,
            }) => {
                let (set, lang) = (input::rule_set(&rules)?, input::lang(lang));
                match (toml, html, json) {
                    (true, ..) => write!(out, "{set}")?,
                    (_, true, _) => write!(out, "{}", html::page(&set, lang)?)?,
                    (.., true) => output::json(out, &shown(&set, lang)?)?,
                    _ => show(out, &set, lang)?,
                }
                Ok(Status::Good)
            }
            Some(Action::Diff {
                first,
                second,
                lang,
                tries,
                seed,
                json,
            }) => {
                let (first, second) = (input::rules(&first)?, input::rules(&second)?);
                let comparison = Comparison::new([&first, &second], tries, seed);
                let lang = input::lang(lang);
                match json {
                    true => output::json(out, &comparison.as_json(lang))?,
                    false => comparison.print(out, tries, lang)?,
                }
                Ok(Status::Good)
            }
            Some(Action::Check { file, json }) => check(out, &file, json),
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
    let sets = if all { BuiltIn::ALL } else { BuiltIn::LISTED };
    let rows: Vec<Row> = sets
        .iter()
        .map(|set| set.set())
        .map(|set| Row {
            first: set.first().colour(),
            board: set.size().rows(),
            id: set.id().into(),
            name: set.name_in(Lang::En).into(),
            source: set.source().into(),
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

fn show(out: &mut impl Write, set: &RuleSet, lang: Lang) -> Result<()> {
    writeln!(out, "{} ({})", set.name_in(lang), set.id())?;
    if !set.source().is_empty() {
        writeln!(out, "{}", set.source())?;
    }
    let rules = set.compile()?;
    let start = board(&Diagram::from(&rules.start()));
    let empty = Setup::empty(set.size(), set.first());
    let squares = board(&Diagram::from(empty).marked(&rules).with_escapes(&rules));
    writeln!(out)?;
    for (pieces, squares) in start.lines().zip(squares.lines()) {
        writeln!(out, "{pieces}   {squares}")?;
    }
    let width = start.lines().map(str::len).max().unwrap_or(0);
    writeln!(out, "{:width$}      {}", "", lang.legend(&rules))?;
    for section in set.describe(lang) {
        writeln!(out, "\n{}", section.title)?;
        for sentence in section.sentences {
            for (n, line) in output::wrap(&sentence, 94).enumerate() {
                writeln!(out, "{}{line}", if n == 0 { "  • " } else { "    " })?;
            }
        }
    }
    Ok(())
}

/// A rule set for programs.
fn shown(set: &RuleSet, lang: Lang) -> Result<Value> {
    let rules = set.compile()?;
    let squares = |squares: Bitboard| -> Vec<String> {
        let names = squares.iter().map(|square| square.to_string());
        names.collect()
    };
    let section = |section: Section| json!({"title": section.title, "rules": section.sentences});
    let sections: Vec<Value> = set.describe(lang).into_iter().map(section).collect();
    Ok(json!({
        "id": set.id(),
        "name": set.name_in(lang),
        "source": set.source(),
        "board": set.size().rows(),
        "first": set.first().colour(),
        "start": Setup::from(&rules.start()).to_string(),
        "castle": rules.castle().to_string(),
        "camps": squares(rules.camps()),
        "escapes": squares(rules.escapes()),
        "sections": sections,
    }))
}

/// A diagram without its last line, which names the side to move in English.
fn board(diagram: &Diagram) -> String {
    let text = diagram.to_string();
    match text.rsplit_once('\n') {
        Some((rows, _)) => rows.to_string(),
        None => text,
    }
}

/// Where two rule sets differ, and positions that prove it.
struct Comparison<'r> {
    sets: [&'r Rules; 2],
    parameters: Vec<Parameter>,
    witnesses: Vec<Witness>,
    /// What no single move shows.
    silent: Vec<&'static str>,
    /// What no position was found for.
    unproved: Vec<&'static str>,
}

impl<'r> Comparison<'r> {
    fn new(sets: [&'r Rules; 2], tries: usize, seed: u64) -> Self {
        let [first, second] = sets;
        let mut comparison = Self {
            sets,
            parameters: first.set().differences(second.set()),
            witnesses: Vec::new(),
            silent: Vec::new(),
            unproved: Vec::new(),
        };
        if first.size() == second.size() && !comparison.parameters.is_empty() {
            let mut search = WitnessSearch::new(first, second, seed);
            comparison.witnesses = search.run(tries);
            comparison.silent = search.silent().to_vec();
            comparison.unproved = search.open().collect();
        }
        comparison
    }

    fn print(&self, out: &mut impl Write, tries: usize, lang: Lang) -> Result<()> {
        let [first, second] = self.sets;
        let (a, b) = (first.set().id(), second.set().id());
        if self.parameters.is_empty() {
            writeln!(out, "{a} and {b} play the same.")?;
            return Ok(());
        }
        let width = a.len().max(b.len());
        for parameter in &self.parameters {
            writeln!(out, "{}", parameter.key)?;
            writeln!(out, "  {a:width$}  {}", parameter.first)?;
            writeln!(out, "  {b:width$}  {}", parameter.second)?;
        }
        if first.size() != second.size() {
            writeln!(
                out,
                "\nThe boards differ in size, so no position fits both."
            )?;
            return Ok(());
        }
        for Witness {
            keys,
            setup,
            step,
            verdicts,
            ..
        } in &self.witnesses
        {
            let diagram = Diagram::from(*setup).marked(first);
            let keys = keys.join(", ");
            writeln!(out, "\n{keys}: {step}, {setup}\n\n{diagram}\n")?;
            for (id, verdict) in [a, b].into_iter().zip(verdicts) {
                writeln!(out, "  {id:width$}  {}", verdict.sentence(lang))?;
            }
        }
        if !self.silent.is_empty() {
            let keys = self.silent.join(", ");
            writeln!(out, "\nNo single move shows the difference in: {keys}.")?;
        }
        if !self.unproved.is_empty() {
            let keys = self.unproved.join(", ");
            writeln!(out, "\nNo example found in {tries} tries for: {keys}.")?;
        }
        Ok(())
    }

    fn as_json(&self, lang: Lang) -> Value {
        let parameter =
            |one: &Parameter| json!({"key": one.key, "first": one.first, "second": one.second});
        let witness = |one: &Witness| {
            let [first, second] = one
                .verdicts
                .each_ref()
                .map(|verdict| verdict.sentence(lang));
            json!({
                "keys": one.keys,
                "position": one.setup.to_string(),
                "move": one.step.to_string(),
                "first": first,
                "second": second,
            })
        };
        let [first, second] = self.sets.map(|rules| rules.set().id());
        json!({
            "first": first,
            "second": second,
            "differences": self.parameters.iter().map(parameter).collect::<Vec<_>>(),
            "proofs": self.witnesses.iter().map(witness).collect::<Vec<_>>(),
            "no_single_move": self.silent,
            "not_found": self.unproved,
        })
    }
}

fn check(out: &mut impl Write, file: &str, json: bool) -> Result<Status> {
    let text = input::read(file)?;
    if json {
        return check_json(out, file, text.parse());
    }
    match text.parse::<RuleSet>() {
        Ok(set) => {
            let rules = set.compile()?;
            let moves = rules.moves(&rules.start()).len();
            let start = Setup::from(&rules.start());
            writeln!(out, "{file}: {} is a valid rule set.", set.id())?;
            let moves = counted(moves, "legal move", "legal moves");
            writeln!(out, "It starts from {start} with {moves}.")?;
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
                    "" => writeln!(out, "{}", fault.problem())?,
                    key => writeln!(out, "{key}: {}", fault.problem())?,
                }
            }
            Ok(Status::Bad)
        }
    }
}

/// What there is to say about a rule set file, for programs.
fn check_json(
    out: &mut impl Write,
    file: &str,
    read: Result<RuleSet, RuleSetError>,
) -> Result<Status> {
    match read {
        Ok(set) => {
            let rules = set.compile()?;
            let report = json!({
                "file": file,
                "is_sound": true,
                "id": set.id(),
                "start": Setup::from(&rules.start()).to_string(),
                "moves": rules.moves(&rules.start()).len(),
                "king_can_escape": !rules.escapes().is_empty(),
                "faults": [],
            });
            output::json(out, &report)?;
            Ok(Status::Good)
        }
        Err(error) => {
            let faults: Vec<Value> = error
                .faults()
                .iter()
                .map(|fault| {
                    json!({"line": fault.line(), "key": fault.key(), "message": fault.problem().to_string()})
                })
                .collect();
            let report = json!({"file": file, "is_sound": false, "faults": faults});
            output::json(out, &report)?;
            Ok(Status::Bad)
        }
    }
}
