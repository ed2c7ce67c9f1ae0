//! What users name: rule sets, positions, files.

use std::{
    fs,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use tablut_rules::{
    Position, RuleSet, Rules, Setup, SetupError, notation::Diagram, record::Record,
};

/// The flag that chooses the rule set.
#[derive(Args)]
pub(crate) struct RulesFlag {
    /// The rule set: an id of `tablut rules`, or a TOML file
    #[arg(long, short, value_name = "ID|FILE", default_value = "ashton")]
    rules: String,
}

impl RulesFlag {
    /// The rule set, compiled.
    pub(crate) fn load(&self) -> Result<Arc<Rules>> {
        Ok(Arc::new(rules(&self.rules)?))
    }
}

/// A rule set by its id, or from a file.
pub(crate) fn rule_set(name: &str) -> Result<RuleSet> {
    if let Some(set) = RuleSet::builtin(name) {
        return Ok(set);
    }
    if !name.ends_with(".toml") && !Path::new(name).exists() {
        let ids: Vec<String> = RuleSet::listed().map(|set| set.id).collect();
        bail!(
            "there is no rule set {name:?}; there are {}, or name a TOML file",
            ids.join(", ")
        );
    }
    let text = read(name)?;
    text.parse().map_err(|error: tablut_rules::RuleSetError| {
        let mut message = format!("{name} is not a sound rule set:");
        for fault in error.faults() {
            message.push_str(&format!("\n  {fault}"));
        }
        anyhow!(message)
    })
}

/// A compiled rule set by its id, or from a file.
pub(crate) fn rules(name: &str) -> Result<Rules> {
    let set = rule_set(name)?;
    set.compile()
        .with_context(|| format!("{name} is not a sound rule set"))
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(name: &str) -> Result<String> {
    if name == "-" {
        let mut text = String::new();
        let read = io::stdin().read_to_string(&mut text);
        read.context("cannot read standard input")?;
        return Ok(text);
    }
    let text = fs::read_to_string(name).with_context(|| format!("cannot read {name}"))?;
    // Some editors put a byte order mark in front.
    Ok(text
        .strip_prefix('\u{feff}')
        .map_or(text.clone(), Into::into))
}

/// Whether a word names something that can be read.
pub(crate) fn is_file(word: &str) -> bool {
    word == "-" || Path::new(word).exists()
}

/// A set-up from what was typed: `start`, a position in one line, or a file with one.
pub(crate) fn setup(words: &[String], rules: &Rules) -> Result<Setup> {
    match words {
        [word] if word == "start" => Ok(Setup::from(&rules.start())),
        [word] if is_file(word) => {
            let text = read(word)?;
            parse_setup(&text, rules).with_context(|| format!("{word} holds no position"))
        }
        words => parse_setup(&words.join(" "), rules).with_context(|| {
            let words = words.join(" ");
            format!("{words:?} is neither a position nor a file (or say start)")
        }),
    }
}

/// The position of a set-up from which a game can go on, faults aside.
pub(crate) fn position(setup: &Setup, rules: &Rules) -> Result<Position> {
    rules
        .position(setup)
        .or_else(SetupError::playable)
        .context("no game can go on from this position")
}

/// A set-up from text in any form; a missing side to move is the one that moves first.
pub(crate) fn parse_setup(text: &str, rules: &Rules) -> Result<Setup> {
    let text = text.trim();
    if text.contains('\n') {
        return Ok(*text.parse::<Diagram>()?.setup());
    }
    if !text.contains(char::is_whitespace) && text.contains('/') {
        return Ok(Setup::from_board(text, rules.set().first)?);
    }
    Ok(text.parse()?)
}

/// The rules a record names. Only sets that ship: a record may come from anywhere, and must not
/// name files to be opened.
pub(crate) fn record_rules(record: &Record) -> Result<Arc<Rules>> {
    match Rules::builtin(&record.rules) {
        Some(rules) => Ok(Arc::new(rules)),
        None => bail!(
            "the record is of a game under {:?}, which is no built-in set; name its file with --rules",
            record.rules
        ),
    }
}

/// The ports of White and Black.
pub(crate) fn ports(text: &str) -> Result<[u16; 2], String> {
    let ports = text
        .split_once(',')
        .and_then(|(white, black)| Some([white.trim().parse().ok()?, black.trim().parse().ok()?]));
    ports.ok_or_else(|| "two ports are needed, White's and Black's, as in 5800,5801".into())
}

/// Seconds with a point, in milliseconds.
pub(crate) fn milliseconds(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => {
            Ok((seconds * 1000.0).round() as u64)
        }
        _ => Err("expected a number of seconds between 0.001 and 86400".into()),
    }
}
