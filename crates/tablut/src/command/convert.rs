//! `tablut convert`: positions and games from one text format to another.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use jiff::Zoned;
use tablut_challenge::{
    document::{Document, Played, Source, TextFormat},
    log,
    message::{State, Turn},
};
use tablut_rules::{
    BoardSize, BySide, Rules, Setup,
    notation::{Diagram, berkeley::BerkeleyMove},
    record::Record,
};

use crate::{Status, input};

/// Convert positions and games between text formats
#[derive(Args)]
#[command(after_help = "\
The input format is detected: positions in one line, as a board, a diagram, the referee's JSON or the
Java server's letters; games as records, logs of the Java server or lists of moves. Converting a game to a
position gives its last position.

Examples:
  tablut convert --to diagram '9/9/1b1K5/9/9/9/9/9/9 b'
  tablut convert --to record moves.txt
  tablut convert --to record logs/_alpha_vs_beta_1794787326964_gameLog.txt
  tablut convert --to moves game.tablut")]
pub(crate) struct Arguments {
    /// The rule set of moves and positions: an id or a TOML file [default: the record's or log's
    /// own; berkeley for Berkeley moves; otherwise ashton]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// The format of the input
    #[arg(long, value_parser = format_parser(&TextFormat::ALL))]
    from: Option<TextFormat>,
    /// The format to write
    #[arg(long, value_parser = format_parser(&TextFormat::ALL))]
    to: TextFormat,
    /// A file, - for standard input, or the text of a position itself
    #[arg(required = true, value_name = "INPUT")]
    input: Vec<String>,
}

/// A parser of formats that offers these.
pub(super) fn format_parser(
    formats: &'static [TextFormat],
) -> impl TypedValueParser<Value = TextFormat> {
    let values = formats.iter().map(|format| {
        let (word, help) = format.word();
        PossibleValue::new(word).help(help)
    });
    PossibleValuesParser::new(values).try_map(move |word| {
        let named = formats.iter().find(|format| format.word().0 == word);
        named.copied().ok_or("there is no such format")
    })
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let sets = input::sets(self.rules.as_deref())?;
        let rules = sets.unnamed("ashton")?;
        let document = match self.from {
            None => input::document(&self.input, &rules)?,
            Some(from) => {
                let text = match &self.input[..] {
                    [name] if input::is_file(name) => input::read(name)?,
                    words => words.join(" "),
                };
                Document::read_as(&text, from, rules.set().first())?
            }
        };
        let sources = match document {
            Document::Position(setup) => {
                self.position(out, &rules, &setup)?;
                return Ok(Status::Good);
            }
            Document::Games(sources) => sources,
        };
        let mut status = Status::Good;
        for (n, source) in sources.iter().enumerate() {
            if n > 0 {
                writeln!(out)?;
            }
            // A record stays what it is, whatever rules it names.
            if let (Source::Record(record), TextFormat::Record) = (source, self.to) {
                write!(out, "{record}")?;
                continue;
            }
            let played = source.play_whole(&sets);
            let played = played.with_context(|| format!("game {}", n + 1))?;
            write_game(out, self.to, &played)?;
            out.flush()?;
            for disagreement in &played.disagreements {
                eprintln!("game {}: {disagreement}", n + 1);
                status = Status::Bad;
            }
        }
        Ok(status)
    }

    fn position(&self, out: &mut impl Write, rules: &Rules, setup: &Setup) -> Result<()> {
        match self.to {
            TextFormat::Record => {
                let mut record = Record::new(rules.set().id());
                record.setup = Some(*setup);
                write!(out, "{record}")?;
            }
            TextFormat::Moves | TextFormat::Berkeley | TextFormat::Log => {
                bail!("a position has no moves to write");
            }
            to => write_position(out, to, rules, setup)?,
        }
        Ok(())
    }
}

/// Writes a game, or its last position.
pub(super) fn write_game(out: &mut impl Write, to: TextFormat, played: &Played) -> Result<()> {
    let (game, record) = (&played.game, &played.record);
    match to {
        TextFormat::Record => write!(out, "{record}")?,
        TextFormat::Log => {
            let name = |key: &str| record.header(key).unwrap_or("unknown");
            let time = Zoned::now().datetime();
            let names = BySide {
                attackers: name("Black"),
                defenders: name("White"),
            };
            let text = log::whole(time, names, game);
            write!(out, "{text}")?;
        }
        TextFormat::Moves => {
            for ply in game.plies() {
                writeln!(out, "{}", ply.step)?;
            }
        }
        TextFormat::Berkeley if game.rules().size() != BoardSize::Nine => {
            bail!("the Berkeley format is for boards of 9×9 squares");
        }
        TextFormat::Berkeley => {
            for ply in game.plies() {
                writeln!(out, "{}", BerkeleyMove(ply.step))?;
            }
        }
        TextFormat::Json | TextFormat::Java => {
            let setup = Setup::from(game.position());
            let turn = Turn::new(setup.side(), game.outcome());
            write_state(out, to, game.rules(), State { setup, turn })?;
        }
        to => write_position(out, to, game.rules(), &Setup::from(game.position()))?,
    }
    Ok(())
}

fn write_position(
    out: &mut impl Write,
    to: TextFormat,
    rules: &Rules,
    setup: &Setup,
) -> Result<()> {
    let diagram = || Diagram::from(*setup).marked(rules);
    match to {
        TextFormat::Diagram => writeln!(out, "{}", diagram())?,
        TextFormat::Board => writeln!(out, "{}", diagram().board())?,
        TextFormat::Json | TextFormat::Java => {
            let turn = Turn::Of(setup.side());
            write_state(
                out,
                to,
                rules,
                State {
                    setup: *setup,
                    turn,
                },
            )?;
        }
        _ => writeln!(out, "{setup}")?,
    }
    Ok(())
}

fn write_state(out: &mut impl Write, to: TextFormat, rules: &Rules, state: State) -> Result<()> {
    match to {
        TextFormat::Json => writeln!(out, "{}", state.payload(rules))?,
        _ => writeln!(out, "{}", state.letters())?,
    }
    Ok(())
}
