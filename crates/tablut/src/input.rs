//! What users name: rule sets, positions, files.

use std::{
    env, fs,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use tablut_challenge::{
    document::{Document, ReadError, RuleSets},
    log::Log,
};
use tablut_rules::{BuiltIn, BySide, Position, RuleSet, Rules, Setup, SetupError, text::Lang};

/// A host name, for a flag: what browsers show between `https://` and the next `/`.
pub(crate) fn host_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || "-._".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Ok(text.into()),
        false => Err("a host name, as in tablut.example.org, without https:// and a port".into()),
    }
}

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
        rules(&self.rules)
    }
}

/// A rule set by its id, or from a file.
pub(crate) fn rule_set(name: &str) -> Result<RuleSet> {
    if let Ok(set) = name.parse::<BuiltIn>() {
        return Ok(set.set().clone());
    }
    if !name.ends_with(".toml") && !Path::new(name).exists() {
        let ids: Vec<&str> = BuiltIn::LISTED.iter().map(|set| set.id()).collect();
        bail!(
            "there is no rule set {name:?}; there are {}, or name a TOML file",
            ids.join(", ")
        );
    }
    let text = read(name)?;
    text.parse().map_err(|error: tablut_rules::RuleSetError| {
        let mut message = format!("{name} is not a valid rule set:");
        for fault in error.faults() {
            message.push_str(&format!("\n  {fault}"));
        }
        anyhow!(message)
    })
}

/// Rule sets from files, to be offered besides the built-in ones.
pub(crate) fn own_rules(names: &[String]) -> Result<Vec<Arc<Rules>>> {
    let mut own: Vec<Arc<Rules>> = Vec::new();
    for name in names {
        let rules = rules(name)?;
        let id = rules.set().id();
        if id.parse::<BuiltIn>().is_ok() || own.iter().any(|known| known.set().id() == id) {
            bail!("there is another rule set with the id {id:?}; give the one in {name} its own");
        }
        own.push(rules);
    }
    Ok(own)
}

/// A compiled rule set by its id, or from a file.
pub(crate) fn rules(name: &str) -> Result<Arc<Rules>> {
    if let Ok(set) = name.parse::<BuiltIn>() {
        return Ok(set.rules());
    }
    let rules = rule_set(name)?
        .compile()
        .with_context(|| format!("{name} is not a valid rule set"))?;
    Ok(Arc::new(rules))
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(name: &str) -> Result<String> {
    if name == "-" {
        let mut text = String::new();
        let read = io::stdin().read_to_string(&mut text);
        read.context("cannot read standard input")?;
        return Ok(text);
    }
    let bytes = fs::read(name).with_context(|| format!("cannot read {name}"))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            // Logs are written in the machine's own encoding, which months and names may need.
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            if !Log::is_log(&text) {
                bail!("cannot read {name}: it is not text in UTF-8");
            }
            text
        }
    };
    // Some editors put a byte order mark in front.
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.into(),
        None => text,
    })
}

/// Whether a word names something that can be read.
pub(crate) fn is_file(word: &str) -> bool {
    word == "-" || Path::new(word).exists()
}

/// What was typed, or is in the file that was named, in any format.
pub(crate) fn document(words: &[String], rules: &Rules) -> Result<Document> {
    let first = rules.set().first();
    match words {
        [word] if word == "start" => Ok(Document::Position(Setup::from(&rules.start()))),
        [word] if is_file(word) => {
            Document::read(&read(word)?, first).with_context(|| format!("cannot read {word}"))
        }
        words => {
            let text = words.join(" ");
            Document::read(&text, first).map_err(|error| match error {
                ReadError::Unknown(_) | ReadError::Empty => {
                    anyhow!("{text:?} is neither a file nor a position (or `start`)")
                }
                error => anyhow!("{text:?} cannot be read: {error}"),
            })
        }
    }
}

/// A set-up from what was typed: `start`, a position in any form, or a file with one.
pub(crate) fn setup(words: &[String], rules: &Rules) -> Result<Setup> {
    match document(words, rules)? {
        Document::Position(setup) => Ok(setup),
        Document::Games(sources) => {
            if let [source] = &sources[..]
                && let Some((id, setup)) = source.position()
            {
                return match id == rules.set().id() {
                    true => Ok(*setup),
                    false => bail!("this is a position under {id}; add --rules {id}"),
                };
            }
            let words = words.join(" ");
            bail!(
                "{words} holds a game, but a position is needed; `tablut convert --to line` gives the \
                 last position of a game"
            )
        }
    }
}

/// The rule sets that games are read under: the one asked for, or else those that ship. A text may
/// come from anywhere, and must not name files to be opened.
pub(crate) fn sets(asked: Option<&str>) -> Result<RuleSets<'static>> {
    Ok(RuleSets {
        asked: asked.map(rules).transpose()?,
        usual: None,
        find: &|id| id.parse::<BuiltIn>().ok().map(BuiltIn::rules),
    })
}

/// The position of a set-up from which a game can go on, faults aside.
pub(crate) fn position(setup: &Setup, rules: &Rules) -> Result<Position> {
    rules
        .position(setup)
        .or_else(SetupError::playable)
        .context("no game can continue from this position")
}

/// Reads the code of a language; help and completions list those there are.
pub(crate) fn lang_parser() -> impl TypedValueParser<Value = Lang> {
    let codes = Lang::ALL.iter().map(|lang| lang.code());
    PossibleValuesParser::new(codes).try_map(|code| code.parse::<Lang>())
}

/// The language that was asked for, or else the one of the surroundings, or English.
pub(crate) fn lang(asked: Option<Lang>) -> Lang {
    asked.unwrap_or_else(|| {
        let set = |name: &&str| env::var(name).is_ok_and(|value| !value.is_empty());
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find(set);
        let value = name.and_then(|name| env::var(name).ok());
        let lang = value.as_deref().and_then(Lang::of_tag);
        lang.unwrap_or_default()
    })
}

/// The ports of both sides, written with White's first.
pub(crate) fn ports(text: &str) -> Result<BySide<u16>, String> {
    let ports = text.split_once(',').and_then(|(white, black)| {
        Some(BySide {
            attackers: black.trim().parse().ok()?,
            defenders: white.trim().parse().ok()?,
        })
    });
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
