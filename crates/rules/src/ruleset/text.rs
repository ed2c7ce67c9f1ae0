//! Reading a rule set from TOML: all faults at once, each with its line.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::str::FromStr;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    RuleSet,
    builtin::BuiltIn,
    fault::{RuleSetError, RuleSetFault, RuleSetProblem},
    field::FIELDS,
    value::{TomlKind, TomlValue},
};

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Reads and checks a rule set: what comes back compiles.
    ///
    /// The id of a built-in set is refused for other rules: records name their rules by id.
    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        let set = Self::read(text)?;
        match set.id.parse::<BuiltIn>() {
            Ok(builtin) if !builtin.set().differences(&set).is_empty() => {
                let problem = RuleSetProblem::TakenId(set.id);
                let line = TomlText::new(text).ok().and_then(|d| d.line_of_key("id"));
                let fault = RuleSetFault::new("id", problem).at(line);
                Err(RuleSetError::new(vec![fault]))
            }
            _ => Ok(set),
        }
    }
}

impl RuleSet {
    /// Reads and checks a rule set, whatever its id.
    pub(super) fn read(text: &str) -> Result<Self, RuleSetError> {
        let document = TomlText::new(text)?;
        let (set, mut faults) = read(&document.entries);
        match set.compile() {
            Err(error) if faults.is_empty() => faults = error.into_faults(),
            _ => faults.extend(set.check()),
        }
        for fault in &mut faults {
            fault.line = fault.line.or_else(|| document.line_of_key(fault.key()));
        }
        if faults.is_empty() {
            Ok(set)
        } else {
            Err(RuleSetError::new(faults))
        }
    }
}

/// A TOML text as entries with their whole keys.
struct TomlText {
    entries: Vec<(String, TomlValue)>,
    /// The line of the last letter.
    last_line: usize,
}

impl TomlText {
    fn new(text: &str) -> Result<Self, RuleSetError> {
        let lines = LineStarts::new(text);
        let (table, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            let faults = errors.iter().map(|error| {
                let line = error.span().map(|span| lines.of(span.start));
                let problem = RuleSetProblem::Syntax(error.message().to_string());
                RuleSetFault::new("", problem).at(line)
            });
            return Err(RuleSetError::new(faults.collect()));
        }
        let mut entries = Vec::new();
        flatten(&lines, "", table.get_ref(), &mut entries);
        Ok(Self {
            entries,
            last_line: text.lines().count().max(1),
        })
    }

    /// The line of a key; of a missing one, the last line of its section, or of the text.
    fn line_of_key(&self, key: &str) -> Option<usize> {
        let section = |key: &str| {
            key.split_once('.')
                .map_or(String::new(), |(s, _)| s.to_string())
        };
        let own = self.entries.iter().find(|(known, _)| known == key);
        let wanted = section(key);
        let neighbours = self
            .entries
            .iter()
            .filter(|(known, _)| section(known) == wanted);
        let last = neighbours.filter_map(|(_, value)| value.line).max();
        own.and_then(|(_, value)| value.line)
            .or(last)
            .or(Some(self.last_line))
    }
}

/// Fills a set from entries.
fn read(entries: &[(String, TomlValue)]) -> (RuleSet, Vec<RuleSetFault>) {
    let mut faults = Vec::new();
    let mut set = RuleSet::blank();
    let find = |key: &str| entries.iter().find(|(k, _)| k == key).map(|(_, v)| v);
    let base = find("base");
    if let Some(value) = base {
        match &value.kind {
            TomlKind::Text(id) => match id.parse::<BuiltIn>() {
                Ok(builtin) => {
                    set = builtin.set().clone();
                    // Another set has another source.
                    set.source.clear();
                }
                Err(error) => {
                    let problem = RuleSetProblem::UnknownBase(error);
                    faults.push(RuleSetFault::new("base", problem).at(value.line));
                }
            },
            _ => {
                let problem = RuleSetProblem::WrongType {
                    expected: "the id of a set",
                    found: value.what(),
                };
                faults.push(RuleSetFault::new("base", problem).at(value.line));
            }
        }
    }
    for field in FIELDS {
        match find(field.key) {
            Some(value) => faults.extend(field.read(&mut set, value)),
            // A set of one's own needs a name of its own.
            None if field.required && (base.is_none() || !field.matters) => {
                faults.push(RuleSetFault::new(field.key, RuleSetProblem::MissingKey));
            }
            None => {}
        }
    }
    for (key, value) in entries {
        if key != "base" && FIELDS.iter().all(|field| field.key != key) {
            faults.push(RuleSetFault::new(key.as_str(), unknown(key)).at(value.line));
        }
    }
    (set, faults)
}

/// What to say of a key that means nothing.
fn unknown(key: &str) -> RuleSetProblem {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_string();
    let nearest = FIELDS
        .iter()
        .map(|field| field.key)
        .filter(|known| !known.starts_with("quirk"))
        .min_by_key(|known| distance(&last(known), &last(key)));
    let meant = nearest.filter(|known| distance(&last(known), &last(key)) <= last(key).len() / 3);
    RuleSetProblem::UnknownKey { meant }
}

/// How many letters have to change to make one word of another (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Parameters that are tables themselves; all other tables are sections.
fn is_section(key: &str) -> bool {
    FIELDS.iter().all(|field| field.key != key)
}

/// Lists the entries of a table and its sections with their whole keys.
fn flatten(
    lines: &LineStarts,
    section: &str,
    table: &DeTable<'_>,
    entries: &mut Vec<(String, TomlValue)>,
) {
    for (key, value) in table.iter() {
        let key = match section {
            "" => key.get_ref().to_string(),
            section => format!("{section}.{}", key.get_ref()),
        };
        match value.get_ref() {
            DeValue::Table(inner) if is_section(&key) && section.is_empty() => {
                flatten(lines, &key, inner, entries);
            }
            _ => entries.push((key, convert(lines, value))),
        }
    }
}

fn convert(lines: &LineStarts, value: &Spanned<DeValue<'_>>) -> TomlValue {
    let kind = match value.get_ref() {
        DeValue::String(text) => TomlKind::Text(text.to_string()),
        DeValue::Boolean(flag) => TomlKind::Flag(*flag),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).map_or(
            TomlKind::Foreign("a number that is too large"),
            TomlKind::Number,
        ),
        DeValue::Float(_) => TomlKind::Foreign("a fraction"),
        DeValue::Datetime(_) => TomlKind::Foreign("a date"),
        DeValue::Array(values) => {
            TomlKind::List(values.iter().map(|v| convert(lines, v)).collect())
        }
        DeValue::Table(table) => TomlKind::Table(
            table
                .iter()
                .map(|(key, v)| (key.get_ref().to_string(), convert(lines, v)))
                .collect(),
        ),
    };
    TomlValue {
        line: Some(lines.of(value.span().start)),
        kind,
    }
}

/// Where the lines of a text begin.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        Self(ends.map(|(place, _)| place).collect())
    }

    /// The line of a byte, from 1.
    fn of(&self, byte: usize) -> usize {
        1 + self.0.partition_point(|&end| end < byte)
    }
}
