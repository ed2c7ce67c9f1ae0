//! `tablut conformance`: recorded behaviour of other programs, replayed.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Read, Write},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use flate2::read::MultiGzDecoder;
use tablut_rules::{
    BuiltIn, Rules,
    conformance::{Case, Compared},
};

use crate::{Status, input};

/// Replay the recorded behaviour of other programs and report differences
#[derive(Args)]
#[command(after_help = "\
The files hold JSON lines, plain or gzipped, of positions, move sequences or perft counts; see
docs/testing.md. Exit code 1 means that something differs.

Example:
  tablut conformance crates/rules/tests/conformance/*.gz")]
pub(crate) struct Arguments {
    /// Judge all cases by this rule set instead of the recorded variant's own
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// How many differences to show for each file
    #[arg(long, value_name = "N", default_value_t = 3)]
    show: usize,
    /// The files
    #[arg(required = true, value_name = "FILES")]
    files: Vec<String>,
}

/// The lines of a file, gzipped or not.
fn lines(name: &str) -> Result<impl Iterator<Item = io::Result<String>>> {
    let mut file = BufReader::new(File::open(name)?);
    let is_gzip = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    let reader: Box<dyn Read> = if is_gzip {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    Ok(BufReader::new(reader).lines())
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let mut judges = HashMap::new();
        if let Some(name) = &self.rules {
            judges.insert(name.as_str(), input::rules(name)?);
        }
        let (mut total, mut differing) = (Compared::default(), 0);
        for file in &self.files {
            let (compared, differences) = self
                .replay(out, file, &mut judges)
                .with_context(|| format!("cannot replay {file}"))?;
            writeln!(out, "{file}: {}", summary(&compared, differences))?;
            total += compared;
            differing += differences;
        }
        if self.files.len() > 1 {
            writeln!(out, "total: {}", summary(&total, differing))?;
        }
        Ok(if differing == 0 {
            Status::Good
        } else {
            Status::Bad
        })
    }

    /// Replays one file and prints its first differences.
    fn replay<'n>(
        &'n self,
        out: &mut impl Write,
        file: &str,
        judges: &mut HashMap<&'n str, Arc<Rules>>,
    ) -> Result<(Compared, usize)> {
        let mut talk = io::stderr();
        let (mut total, mut differing) = (Compared::default(), 0);
        for (n, line) in lines(file)?.enumerate() {
            let (line, n) = (line?, n + 1);
            if line.trim().is_empty() {
                continue;
            }
            let case: Case = serde_json::from_str(&line).map_err(|error| {
                if error.is_data() {
                    let kinds = "positions, sequences and perft counts (docs/testing.md)";
                    anyhow!("line {n} lacks the fields of a case; the kinds are {kinds}")
                } else {
                    anyhow!("line {n} is not JSON: {error}")
                }
            })?;
            let Some(id) = self
                .rules
                .as_deref()
                .or_else(|| case.built_in().map(BuiltIn::id))
            else {
                bail!("line {n} names an unknown variant; choose a rule set with --rules");
            };
            let rules = match judges.get(id) {
                Some(rules) => rules,
                None => judges.entry(id).or_insert(input::rules(id)?),
            };
            let (compared, differences) = case.compare(rules);
            total += compared;
            for difference in differences {
                differing += 1;
                if differing <= self.show {
                    writeln!(out, "{file}:{n}: {id}\n{difference}\n")?;
                }
            }
            if n % 1000 == 0 && talk.is_terminal() {
                write!(talk, "\r\x1b[K{file}: {n} cases")?;
            }
        }
        if talk.is_terminal() {
            write!(talk, "\r\x1b[K")?;
        }
        if total == Compared::default() && differing == 0 {
            bail!("it contains no cases");
        }
        Ok((total, differing))
    }
}

fn summary(compared: &Compared, differences: usize) -> String {
    let counts = [
        (compared.positions, "positions"),
        (compared.results, "move results"),
        (compared.sequences, "sequences"),
        (compared.counts, "perft counts"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let all = counts.chain([(differences as u64, "differences")]);
    let words = all.map(|(n, what)| match n {
        1 => format!("1 {}", what.trim_end_matches('s')),
        n => format!("{n} {what}"),
    });
    words.collect::<Vec<_>>().join(", ")
}
