//! Reading a rule set from TOML: all faults at once, each with its line.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::str::FromStr;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    RuleSet,
    check::{RuleSetError, RuleSetFault},
    field::FIELDS,
    value::{Kind, Value},
};

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Reads and checks a rule set: what comes back compiles.
    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        let (table, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            let faults = errors.iter().map(|error| {
                let line = error.span().map(|span| line_of(text, span.start));
                RuleSetFault::new("", error.message().to_string()).at(line)
            });
            return Err(RuleSetError::new(faults.collect()));
        }
        let mut entries = Vec::new();
        flatten(text, "", table.get_ref(), &mut entries);
        let (set, mut faults) = read(&entries);
        if faults.is_empty()
            && let Err(error) = set.compile()
        {
            faults = error.into_faults();
        } else {
            faults.extend(set.check());
        }
        for fault in &mut faults {
            fault.line = fault
                .line
                .or_else(|| line_of_key(text, &entries, fault.key()));
        }
        if faults.is_empty() {
            Ok(set)
        } else {
            Err(RuleSetError::new(faults))
        }
    }
}

/// The line of a key; of a missing one, the last line of its section, or of the text.
fn line_of_key(text: &str, entries: &[(String, Value)], key: &str) -> Option<usize> {
    let section = |key: &str| {
        key.split_once('.')
            .map_or(String::new(), |(s, _)| s.to_string())
    };
    let own = entries.iter().find(|(known, _)| known == key);
    let neighbours = entries
        .iter()
        .filter(|(known, _)| section(known) == section(key));
    let last = neighbours.filter_map(|(_, value)| value.line).max();
    own.and_then(|(_, value)| value.line)
        .or(last)
        .or_else(|| Some(text.lines().count().max(1)))
}

/// Fills a set from entries.
fn read(entries: &[(String, Value)]) -> (RuleSet, Vec<RuleSetFault>) {
    let mut faults = Vec::new();
    let mut set = RuleSet::blank();
    let find = |key: &str| entries.iter().find(|(k, _)| k == key).map(|(_, v)| v);
    let base = find("base");
    if let Some(value) = base {
        match &value.kind {
            Kind::Text(id) => match RuleSet::builtin(id) {
                Some(builtin) => set = builtin,
                None => {
                    let ids: Vec<String> = RuleSet::listed().map(|set| set.id).collect();
                    let ids = ids.join(", ");
                    let message = format!("there is no built-in set {id:?}; there are {ids}");
                    faults.push(RuleSetFault::new("base", message).at(value.line));
                }
            },
            _ => {
                let message = format!("expected the id of a set, found {}", value.what());
                faults.push(RuleSetFault::new("base", message).at(value.line));
            }
        }
    }
    for field in FIELDS {
        match find(field.key) {
            Some(value) => faults.extend(field.read(&mut set, value)),
            // A set of one's own needs a name of its own.
            None if field.required && (base.is_none() || !field.matters) => {
                let message = "this key is missing".to_string();
                faults.push(RuleSetFault::new(field.key, message));
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
fn unknown(key: &str) -> String {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_string();
    let nearest = FIELDS
        .iter()
        .map(|field| field.key)
        .filter(|known| !known.starts_with("quirk"))
        .min_by_key(|known| distance(&last(known), &last(key)));
    match nearest {
        Some(known) if distance(&last(known), &last(key)) <= 3 => {
            format!("this key is unknown; did you mean {known}?")
        }
        _ => "this key is unknown".to_string(),
    }
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
fn flatten(text: &str, section: &str, table: &DeTable<'_>, entries: &mut Vec<(String, Value)>) {
    for (key, value) in table.iter() {
        let key = match section {
            "" => key.get_ref().to_string(),
            section => format!("{section}.{}", key.get_ref()),
        };
        match value.get_ref() {
            DeValue::Table(inner) if is_section(&key) && section.is_empty() => {
                flatten(text, &key, inner, entries);
            }
            _ => entries.push((key, convert(text, value))),
        }
    }
}

fn convert(text: &str, value: &Spanned<DeValue<'_>>) -> Value {
    let kind = match value.get_ref() {
        DeValue::String(text) => Kind::Text(text.to_string()),
        DeValue::Boolean(flag) => Kind::Flag(*flag),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or(Kind::Foreign("a number that is too large"), Kind::Number),
        DeValue::Float(_) => Kind::Foreign("a fraction"),
        DeValue::Datetime(_) => Kind::Foreign("a date"),
        DeValue::Array(values) => Kind::List(values.iter().map(|v| convert(text, v)).collect()),
        DeValue::Table(table) => Kind::Table(
            table
                .iter()
                .map(|(key, v)| (key.get_ref().to_string(), convert(text, v)))
                .collect(),
        ),
    };
    Value {
        line: Some(line_of(text, value.span().start)),
        kind,
    }
}

/// The line of a byte, from 1.
fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|&&b| b == b'\n').count()
}
