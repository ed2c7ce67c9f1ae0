//! `tablut image`: positions and games as pictures.

use std::{fs, io::Write, path::Path, sync::Arc, time::Duration};

use anyhow::{Context, Result, bail};
use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use tablut_challenge::document::{Document, Source};
use tablut_picture::{Arrow, Brightness, Film, Picture, Quarters, Ring, Style, WIDTHS};
use tablut_rules::{Game, Move, Rules, Setup};

use crate::{Status, input, output::counted};

/// Draw a position as SVG or PNG, or a game as an animated GIF
#[derive(Args)]
#[command(after_help = "\
The name of the output decides what is written: .svg, .png or .gif. Of a game, SVG and PNG show the
last position, or the one after --ply moves; a GIF shows all moves up to there. Arrows and marks may have a
colour: blue, green, red or yellow, as in red:d1d4.

Examples:
  tablut image start -o start.png
  tablut image 9/9/1b1K5/9/9/9/9/9/9 b --arrows b3c3,red:d3d1 --marks e5 -o lane.svg
  tablut image game.tablut -o game.gif --delay 0.5
  tablut image game.tablut --ply 12 --theme dark --flip -o after-12.png
  tablut image start -o - --format svg > start.svg")]
pub(crate) struct Arguments {
    /// The rule set of a position: an id or a TOML file [default: ashton; for a game its own]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// The file to write, or - for standard output
    #[arg(long, short, value_name = "FILE")]
    output: String,
    /// What to write [default: what the name of the output ends with]
    #[arg(long)]
    format: Option<ImageFormat>,
    /// The width and height in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 480,
          value_parser = clap::value_parser!(u16).range(i64::from(*WIDTHS.start())..=i64::from(*WIDTHS.end())))]
    size: u16,
    /// Arrows, such as e4e3,red:d1d4
    #[arg(long, value_name = "ARROWS", value_delimiter = ',')]
    arrows: Vec<Arrow>,
    /// Squares to put a ring around, such as e5,green:a4
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    marks: Vec<Ring>,
    /// Turn the board upside down
    #[arg(long, conflicts_with = "turn")]
    flip: bool,
    /// Turn the board clockwise by this many quarters
    #[arg(long, value_name = "QUARTERS", default_value_t = 0,
          value_parser = clap::value_parser!(u8).range(0..=3))]
    turn: u8,
    /// For bright or for dark pages
    #[arg(long, default_value = "light", value_parser = theme_parser())]
    theme: Brightness,
    /// Leave out letters and digits beside the board
    #[arg(long)]
    no_coordinates: bool,
    /// Which game of a file with several, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// Stop after this many moves of a game
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Seconds between the moves of a GIF
    #[arg(long, value_name = "SECONDS", default_value = "0.8", value_parser = input::milliseconds)]
    delay: u64,
    /// A position in any format `tablut show` accepts, or a file with a game: a record, a log of the Java
    /// server, a list of moves
    #[arg(required = true, value_name = "POSITION|FILE")]
    input: Vec<String>,
}

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ImageFormat {
    /// Lines and areas, sharp at any size
    Svg,
    /// Pixels
    Png,
    /// A game, move by move
    Gif,
}

fn theme_parser() -> impl TypedValueParser<Value = Brightness> {
    PossibleValuesParser::new(Brightness::ALL.map(Brightness::word)).try_map(|word| {
        let mut all = Brightness::ALL.into_iter();
        all.find(|brightness| brightness.word() == word)
            .ok_or("there is no such theme")
    })
}

/// What is to be seen.
enum Subject {
    Position(Arc<Rules>, Setup),
    Game(Box<Game>),
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let format = self.format()?;
        let subject = self.subject()?;
        let bytes = match (format, &subject) {
            (ImageFormat::Gif, Subject::Position(..)) => {
                bail!("a position does not move: write a .png or .svg file, or give a game")
            }
            (ImageFormat::Gif, Subject::Game(_)) if self.has_drawings() => {
                bail!("arrows and marks belong to one position: write a .png or .svg file")
            }
            (ImageFormat::Gif, Subject::Game(game)) => {
                Film::new(game, self.style(), Duration::from_millis(self.delay)).gif(self.size)?
            }
            (format, subject) => self.picture(format, subject)?,
        };
        if self.output == "-" {
            out.write_all(&bytes)?;
        } else {
            let written = fs::write(&self.output, bytes);
            written.with_context(|| format!("cannot write to {}", self.output))?;
        }
        Ok(Status::Good)
    }

    fn format(&self) -> Result<ImageFormat> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let ending = Path::new(&self.output).extension();
        let ending = ending.map(|ending| ending.to_string_lossy().to_lowercase());
        let named = ending.and_then(|ending| ImageFormat::from_str(&ending, false).ok());
        named.with_context(|| {
            format!(
                "{} names no format: let it end with .svg, .png or .gif, or add --format",
                self.output
            )
        })
    }

    const fn style(&self) -> Style {
        Style {
            brightness: self.theme,
            quarters: match self.flip {
                true => Quarters::HALF,
                false => Quarters::new(self.turn),
            },
            has_coordinates: !self.no_coordinates,
        }
    }

    const fn has_drawings(&self) -> bool {
        !self.arrows.is_empty() || !self.marks.is_empty()
    }

    fn subject(&self) -> Result<Subject> {
        let sets = input::sets(self.rules.as_deref())?;
        let rules = sets.unnamed("ashton")?;
        let sources = match input::document(&self.input, &rules)? {
            Document::Position(setup) => {
                self.refuse_game_flags()?;
                return Ok(Subject::Position(rules, setup));
            }
            Document::Games(sources) => sources,
        };
        let source = self.choose(&sources)?;
        if let Some((id, setup)) = source.position() {
            self.refuse_game_flags()?;
            let rules = match self.rules {
                Some(_) => rules,
                None => input::rules(id)?,
            };
            return Ok(Subject::Position(rules, *setup));
        }
        let played = source.play_whole(&sets)?;
        for disagreement in &played.disagreements {
            eprintln!("{disagreement}");
        }
        let mut game = played.game;
        if let Some(ply) = self.ply {
            let count = game.plies().len();
            if ply > count {
                let moves = counted(count, "move", "moves");
                bail!("the game has only {moves}; --ply {ply} is behind its end");
            }
            while game.plies().len() > ply && game.undo() {}
        }
        Ok(Subject::Game(Box::new(game)))
    }

    fn choose<'a>(&self, sources: &'a [Source]) -> Result<&'a Source> {
        let count = sources.len();
        let wanted = match (self.game, count) {
            (Some(number), _) => number as usize,
            (None, 1) => 1,
            (None, _) => bail!("there are {count} games in this file; choose one with --game N"),
        };
        let games = counted(count, "game", "games");
        let chosen = wanted.checked_sub(1).and_then(|n| sources.get(n));
        chosen.with_context(|| format!("there is no game {wanted}: the file has {games}"))
    }

    fn refuse_game_flags(&self) -> Result<()> {
        if self.ply.is_some() || self.game.is_some() {
            bail!("--ply and --game are for games, and this is a position");
        }
        Ok(())
    }

    /// The picture of a position, or of the last one of a game.
    fn picture(&self, format: ImageFormat, subject: &Subject) -> Result<Vec<u8>> {
        let (rules, setup, last): (&Rules, Setup, Option<Move>) = match subject {
            Subject::Position(rules, setup) => (rules, *setup, None),
            Subject::Game(game) => {
                let last = game.plies().last().map(|ply| ply.step);
                (game.rules(), Setup::from(game.position()), last)
            }
        };
        let picture = Picture::new(rules, setup)?
            .with_style(self.style())
            .with_last(last)
            .with_arrows(self.arrows.clone())
            .with_rings(self.marks.clone());
        Ok(match format {
            ImageFormat::Svg => picture.svg(self.size)?.into_bytes(),
            _ => picture.png(self.size)?,
        })
    }
}
