//! Flags that are not on the command line: from environment variables and from a configuration file.
//!
//! Every flag of `serve` and `worker` has the same name everywhere: `--max-pages 500` is
//! `TABLUT_MAX_PAGES=500` and `max-pages = 500`. The command line goes first, then the environment, then
//! the file.

use std::{env, ffi::OsString, fs, path::PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, parser::ValueSource};
use toml::{Table, Value};

/// The commands that run for long, and have a configuration.
const CONFIGURED: [&str; 2] = ["serve", "worker"];

/// The flag that names the file.
const FILE: &str = "config";

/// What the command line says, with what the environment and the file add to it.
///
/// # Errors
/// The file cannot be read, or says what no flag understands.
pub(crate) fn matches(command: Command) -> Result<ArgMatches> {
    let words: Vec<OsString> = env::args_os().collect();
    // What is wrong is said when everything is there.
    let first = command.clone().ignore_errors(true);
    let first = first.try_get_matches_from(&words);
    let more = match first.as_ref().ok().and_then(ArgMatches::subcommand) {
        Some((name, given)) if CONFIGURED.contains(&name) => {
            let flags = command.find_subcommand(name);
            let flags: Vec<&Arg> = flags.into_iter().flat_map(Command::get_arguments).collect();
            more(&flags, given, |name| env::var(name).ok())?
        }
        _ => Vec::new(),
    };
    Ok(command.get_matches_from(words.into_iter().chain(more)))
}

/// The variable of a flag.
fn variable_of(flag: &str) -> String {
    format!("TABLUT_{}", flag.replace('-', "_").to_uppercase())
}

/// The words that environment and file add to a command line.
fn more(
    flags: &[&Arg],
    given: &ArgMatches,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Vec<OsString>> {
    let file = match given.try_get_one::<PathBuf>(FILE) {
        Ok(Some(path)) => Some(path.clone()),
        _ => variable(&variable_of(FILE)).map(PathBuf::from),
    };
    let mut table = file
        .map(|path| read(&path))
        .transpose()?
        .unwrap_or_default();
    let mut words = Vec::new();
    for &flag in flags {
        let Some(name) = flag.get_long().filter(|&name| name != FILE) else {
            continue;
        };
        let kept = table.remove(name);
        if given.value_source(flag.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        let named = variable(&variable_of(name)).filter(|text| !text.is_empty());
        match (named, kept) {
            (Some(text), _) => add(&mut words, flag, name, Value::String(text))?,
            (None, Some(value)) => add(&mut words, flag, name, value)?,
            (None, None) => {}
        }
    }
    if let Some(name) = table.keys().next() {
        bail!("the configuration file says {name:?}, which is no flag of this command: see --help");
    }
    Ok(words)
}

fn read(path: &PathBuf) -> Result<Table> {
    let text = fs::read_to_string(path);
    let text = text.with_context(|| format!("cannot read the configuration {}", path.display()))?;
    let table = text.parse();
    table.with_context(|| format!("the configuration {} is not TOML", path.display()))
}

/// Adds a flag with its value, or several times with each of several.
fn add(words: &mut Vec<OsString>, flag: &Arg, name: &str, value: Value) -> Result<()> {
    let is_switch = matches!(flag.get_action(), ArgAction::SetTrue);
    match value {
        Value::Boolean(is_on) if is_switch => {
            words.extend(is_on.then(|| format!("--{name}").into()));
        }
        Value::String(text) if is_switch => match text.as_str() {
            "1" | "true" | "yes" => words.push(format!("--{name}").into()),
            "0" | "false" | "no" => {}
            _ => bail!("{} is {text:?}; say 1 or 0", variable_of(name)),
        },
        other if is_switch => {
            bail!("the configuration file says {name} = {other}; --{name} is true or false")
        }
        Value::String(text) => words.push(format!("--{name}={text}").into()),
        Value::Integer(number) => words.push(format!("--{name}={number}").into()),
        Value::Float(number) => words.push(format!("--{name}={number}").into()),
        Value::Array(values) => {
            for value in values {
                add(words, flag, name, value)?;
            }
        }
        other => bail!(
            "the configuration file says {name} = {other}, which --{name} does not understand"
        ),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn said(line: &[&str], file: &str, variables: &[(&str, &str)]) -> Result<Vec<String>> {
        let command = crate::help::command();
        let mut config = tempfile::NamedTempFile::new()?;
        config.write_all(file.as_bytes())?;
        let path = config.path().display().to_string();
        let mut words = vec!["tablut", "serve", "--config", &path];
        words.extend(line);
        let matches = command.clone().try_get_matches_from(words)?;
        let (_, given) = matches.subcommand().expect("a command");
        let serve = command.find_subcommand("serve").expect("a command");
        let flags: Vec<&Arg> = serve.get_arguments().collect();
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_string())
        };
        let words = more(&flags, given, variable)?;
        let mut words: Vec<String> = words
            .into_iter()
            .map(|word| word.into_string().expect("text"))
            .collect();
        words.sort();
        Ok(words)
    }

    #[test]
    fn the_line_goes_before_the_environment_and_that_before_the_file() {
        let file = "port = 1000\nmax-pages = 7\nname = [\"a.org\", \"b.org\"]\nlan = true\nno-open = false";
        let words = said(&["--port", "3000"], file, &[("TABLUT_MAX_PAGES", "9")]);
        let wanted = ["--lan", "--max-pages=9", "--name=a.org", "--name=b.org"];
        assert_eq!(words.expect("it is understood"), wanted);
        let words = said(&[], "", &[("TABLUT_NO_OPEN", "1"), ("TABLUT_LAN", "0")]);
        assert_eq!(words.expect("it is understood"), ["--no-open"]);
    }

    #[test]
    fn what_no_flag_understands_is_said() {
        for (file, part) in [
            ("ports", "not TOML"),
            ("colour = 1", "\"colour\", which is no flag"),
            ("port = { a = 1 }", "--port does not understand"),
            ("lan = 7", "--lan"),
        ] {
            let error = said(&[], file, &[]).expect_err(file);
            assert!(format!("{error:#}").contains(part), "{error:#}");
        }
    }
}
