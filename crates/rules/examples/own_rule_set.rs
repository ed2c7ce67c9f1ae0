//! Makes a rule set, says where it differs from the one it is based on, and proves it.
//!
//! `cargo run --example own_rule_set -- my-rules.toml`

use std::{
    env,
    error::Error,
    fs,
    io::{self, Write},
};

use tablut_rules::{RuleSet, Rules, WitnessSearch, text::Lang};

/// A set of one's own says only what is different.
const MINE: &str = r#"
base = "ashton"
id = "mine"
name = "Mine"

[king]
elsewhere = "siege"

[end]
no_move = "draws"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    match env::args().nth(1) {
        None => run(MINE, &mut io::stdout()),
        Some(file) => run(&fs::read_to_string(file)?, &mut io::stdout()),
    }
}

/// Reads a rule set and compares it with the Challenge's.
pub(crate) fn run(text: &str, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let set: RuleSet = text.parse()?;
    let (mine, usual) = (set.compile()?, Rules::ashton());
    writeln!(out, "{}", set.name_in(Lang::En))?;
    for parameter in usual.set().differences(&set) {
        let (key, first, second) = (parameter.key, parameter.first, parameter.second);
        writeln!(out, "  {key}: {second} instead of {first}")?;
    }
    let mut search = WitnessSearch::new(&usual, &mine, 1);
    for witness in search.run(10_000) {
        let keys = witness.keys.join(", ");
        writeln!(out, "{keys}: play {} in {}", witness.step, witness.setup)?;
        for (id, verdict) in ["ashton", set.id()].iter().zip(&witness.verdicts) {
            writeln!(out, "  {id}: {}", verdict.sentence(Lang::En))?;
        }
    }
    Ok(())
}
