//! `tablut convert`: positions and games from one text format to another.

use std::{io::Write, sync::Arc};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use tablut_rules::{
    BoardSize, Game, Move, Rules, Setup,
    notation::{Diagram, berkeley::BerkeleyMove},
    record::{self, Record},
};

use crate::{Status, input};

/// Convert positions and games between text formats
#[derive(Args)]
#[command(after_help = "\
The format of the input is recognised. From a game to a position gives its last position.

Examples:
  tablut convert --to diagram '9/9/1b1K5/9/9/9/9/9/9 b'
  tablut convert --to record moves.txt
  tablut convert --to moves game.tablut")]
pub(crate) struct Arguments {
    /// The rule set of moves and positions: an id or a TOML file [default: the record's own;
    /// berkeley for Berkeley moves; else ashton]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// The format of the input
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// The format to write
    #[arg(long, value_enum)]
    to: Format,
    /// A file, - for standard input, or the text of a position itself
    #[arg(required = true, value_name = "INPUT")]
    input: Vec<String>,
}

/// A text format; docs/notation.md describes them.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A position in one line
    Line,
    /// A position in one line with a letter for every square
    Board,
    /// A position as a board of several lines
    Diagram,
    /// A game with headers, comments and variations
    Record,
    /// A game as its moves
    Moves,
    /// A game as its moves in the Berkeley form, rows from the bottom
    Berkeley,
}

/// What was read.
enum Content {
    Position(Arc<Rules>, Setup),
    /// A game, and the rules that were asked for; else it is played by its own.
    Game(Option<Arc<Rules>>, Box<Record>),
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let text = match &self.input[..] {
            [name] if input::is_file(name) => input::read(name)?,
            [word] if word == "start" => self.rules_or("ashton")?.start().to_string(),
            words => words.join(" "),
        };
        let from = self.from.map_or_else(|| recognise(&text), Ok)?;
        for (n, content) in self.read(&text, from)?.iter().enumerate() {
            if n > 0 {
                writeln!(out)?;
            }
            content.write(out, self.to)?;
        }
        Ok(Status::Good)
    }

    /// The rule set that was asked for, or another.
    fn rules_or(&self, other: &str) -> Result<Arc<Rules>> {
        let name = self.rules.as_deref().unwrap_or(other);
        Ok(Arc::new(input::rules(name)?))
    }

    fn read(&self, text: &str, from: Format) -> Result<Vec<Content>> {
        match from {
            Format::Line | Format::Board | Format::Diagram => {
                let rules = self.rules_or("ashton")?;
                let setup = input::parse_setup(text, &rules).context("this is no position")?;
                Ok(vec![Content::Position(rules, setup)])
            }
            Format::Record => self.records(text),
            Format::Moves => {
                let moves = words(text, |word| Ok(word.parse::<Move>()?))?;
                self.game("ashton", &moves)
            }
            Format::Berkeley => {
                let moves = words(text, |word| Ok(word.parse::<BerkeleyMove>()?.0))?;
                self.game("berkeley", &moves)
            }
        }
    }

    fn records(&self, text: &str) -> Result<Vec<Content>> {
        let rules = self.rules.as_deref().map(input::rules).transpose()?;
        let rules = rules.map(Arc::new);
        let mut games = Vec::new();
        for (n, record) in record::read_all(text).enumerate() {
            let record = record.with_context(|| format!("record {}", n + 1))?;
            games.push(Content::Game(rules.clone(), Box::new(record)));
        }
        if games.is_empty() {
            bail!("there is no record in the input");
        }
        Ok(games)
    }

    /// The game of a list of moves from the start.
    fn game(&self, default_rules: &str, moves: &[Move]) -> Result<Vec<Content>> {
        let rules = self.rules_or(default_rules)?;
        let mut game = Game::new(rules.clone());
        for (n, &step) in moves.iter().enumerate() {
            let played = game.play(step);
            played.with_context(|| format!("move {} ({step}) cannot be made", n + 1))?;
        }
        let record = Box::new(Record::from_game(&game));
        Ok(vec![Content::Game(Some(rules), record)])
    }
}

/// Reads every word; `#` starts a comment.
fn words(text: &str, read: impl Fn(&str) -> Result<Move>) -> Result<Vec<Move>> {
    let mut moves = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        for word in line.split_whitespace() {
            let step = read(word).with_context(|| format!("line {}: {word:?}", n + 1))?;
            moves.push(step);
        }
    }
    Ok(moves)
}

/// Whether a word starts with a move number, as in `1.` or `12.e4-d4`.
fn is_numbered(word: &str) -> bool {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < word.len() && rest.starts_with('.')
}

/// Guesses the format of a text.
fn recognise(text: &str) -> Result<Format> {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.is_empty() {
        bail!("the input is empty");
    }
    if first.contains('/') {
        Ok(Format::Line)
    } else if text.contains("to move") {
        Ok(Format::Diagram)
    } else if first.starts_with(['[', '{', ';']) || first.contains('.') && is_numbered(first) {
        Ok(Format::Record)
    } else if first.parse::<Move>().is_ok() {
        Ok(Format::Moves)
    } else if first.parse::<BerkeleyMove>().is_ok() {
        Ok(Format::Berkeley)
    } else {
        bail!("{first:?} starts no known format, and there is no such file; say which with --from")
    }
}

impl Content {
    fn write(&self, out: &mut impl Write, to: Format) -> Result<()> {
        match (self, to) {
            (Self::Position(rules, setup), Format::Record) => {
                let mut record = Record::new(rules.set().id.as_str());
                record.setup = Some(*setup);
                write!(out, "{record}")?;
            }
            (Self::Position(..), Format::Moves | Format::Berkeley) => {
                bail!("a position has no moves to write");
            }
            (Self::Position(rules, setup), to) => write_position(out, rules, setup, to)?,
            (Self::Game(_, record), Format::Record) => write!(out, "{record}")?,
            (Self::Game(rules, record), to) => {
                let rules = &match rules {
                    Some(rules) => rules.clone(),
                    None => input::record_rules(record)?,
                };
                let game = record
                    .replay(rules)
                    .context("the game cannot be replayed")?;
                match to {
                    Format::Moves => {
                        for ply in game.plies() {
                            writeln!(out, "{}", ply.step)?;
                        }
                    }
                    Format::Berkeley if rules.size() != BoardSize::Nine => {
                        bail!("the Berkeley form is for boards of 9×9 squares");
                    }
                    Format::Berkeley => {
                        for ply in game.plies() {
                            writeln!(out, "{}", BerkeleyMove(ply.step))?;
                        }
                    }
                    to => write_position(out, rules, &Setup::from(game.position()), to)?,
                }
            }
        }
        Ok(())
    }
}

fn write_position(out: &mut impl Write, rules: &Rules, setup: &Setup, to: Format) -> Result<()> {
    let diagram = Diagram::from(*setup).marked(rules);
    match to {
        Format::Diagram => writeln!(out, "{diagram}")?,
        Format::Board => writeln!(out, "{}", diagram.board())?,
        _ => writeln!(out, "{setup}")?,
    }
    Ok(())
}
