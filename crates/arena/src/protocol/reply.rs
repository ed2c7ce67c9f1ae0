//! What an engine says.

use std::{fmt, str::FromStr};

use tablut_rules::{Move, record::Score};

use super::number;

/// A line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineReply {
    /// `id name NAME`: what the engine is called.
    Name(String),
    /// `id author NAME`: who wrote it.
    Author(String),
    /// `option NAME KIND …`: something that can be set.
    Option(OptionOffer),
    /// `tablutok`: the end of the answer to the greeting.
    TablutOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`: how a search stands.
    Info(Info),
    /// `bestmove MOVE|none`: the end of a search.
    BestMove(Option<Move>),
    /// `error TEXT`: a command could not be obeyed.
    Error(String),
}

/// An option an engine offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionOffer {
    /// Its name, one word.
    pub name: String,
    /// What values it takes.
    pub kind: OptionKind,
}

/// What values an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// `number DEFAULT LEAST MOST`.
    Number {
        /// The value if none is set.
        default: u64,
        /// The least value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// `switch on|off`.
    Switch {
        /// Whether it is on if nothing is set.
        default: bool,
    },
    /// `text DEFAULT`, which may be empty.
    Text {
        /// The value if none is set.
        default: String,
    },
}

/// How a search stands; everything may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// Which line this is, from 1, if several are shown.
    pub rank: Option<u32>,
    /// What the position is worth, from the defenders' (white's) point of view as in records.
    pub score: Option<Score>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Milliseconds spent.
    pub time_ms: Option<u64>,
    /// The moves that are expected.
    pub line: Vec<Move>,
}

impl fmt::Display for EngineReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {}", OneLine(name)),
            Self::Author(name) => write!(f, "id author {}", OneLine(name)),
            Self::Option(offer) => write!(f, "option {offer}"),
            Self::TablutOk => f.write_str("tablutok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => write!(f, "info{info}"),
            Self::BestMove(Some(step)) => write!(f, "bestmove {step}"),
            Self::BestMove(None) => f.write_str("bestmove none"),
            Self::Error(text) => write!(f, "error {}", OneLine(text)),
        }
    }
}

/// Text that cannot break its line.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.0.split(['\n', '\r']);
        f.write_str(words.next().unwrap_or_default())?;
        words.try_for_each(|word| write!(f, " {word}"))
    }
}

impl fmt::Display for OptionOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.kind {
            OptionKind::Number {
                default,
                least,
                most,
            } => write!(f, "{name} number {default} {least} {most}"),
            OptionKind::Switch { default: true } => write!(f, "{name} switch on"),
            OptionKind::Switch { default: false } => write!(f, "{name} switch off"),
            OptionKind::Text { default } if default.is_empty() => write!(f, "{name} text"),
            OptionKind::Text { default } => write!(f, "{name} text {}", OneLine(default)),
        }
    }
}

impl fmt::Display for Info {
    /// Writes what follows `info`, with a blank before each word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(depth) = self.depth {
            write!(f, " depth {depth}")?;
        }
        if let Some(rank) = self.rank {
            write!(f, " rank {rank}")?;
        }
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(ms) = self.time_ms {
            write!(f, " time {ms}")?;
        }
        if !self.line.is_empty() {
            f.write_str(" line")?;
        }
        self.line.iter().try_for_each(|step| write!(f, " {step}"))
    }
}

impl FromStr for EngineReply {
    type Err = ParseReplyError;

    fn from_str(line: &str) -> Result<Self, ParseReplyError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("id", _) => match rest.split_once(char::is_whitespace) {
                Some(("name", name)) => Ok(Self::Name(name.trim().to_string())),
                Some(("author", name)) => Ok(Self::Author(name.trim().to_string())),
                _ => Err(ParseReplyError::Form("id name|author TEXT")),
            },
            ("option", _) => rest.parse().map(Self::Option),
            ("tablutok", "") => Ok(Self::TablutOk),
            ("readyok", "") => Ok(Self::ReadyOk),
            ("info", _) => rest.parse().map(Self::Info),
            ("bestmove", "none") => Ok(Self::BestMove(None)),
            ("bestmove", _) => {
                let step = rest.parse().map(|step| Self::BestMove(Some(step)));
                step.map_err(|_| ParseReplyError::Form("bestmove MOVE|none"))
            }
            ("error", _) => Ok(Self::Error(rest.to_string())),
            _ => Err(ParseReplyError::Unknown(word.chars().take(40).collect())),
        }
    }
}

impl FromStr for OptionOffer {
    type Err = ParseReplyError;

    fn from_str(text: &str) -> Result<Self, ParseReplyError> {
        const FORM: ParseReplyError = ParseReplyError::Form(
            "option NAME number DEFAULT LEAST MOST, or switch on|off, or text DEFAULT",
        );
        let mut words = text.split_whitespace();
        let (name, kind) = (words.next().ok_or(FORM)?, words.next().ok_or(FORM)?);
        let kind = match kind {
            "number" => OptionKind::Number {
                default: number(words.next()).ok_or(FORM)?,
                least: number(words.next()).ok_or(FORM)?,
                most: number(words.next()).ok_or(FORM)?,
            },
            "switch" => OptionKind::Switch {
                default: match words.next() {
                    Some("on") => true,
                    Some("off") => false,
                    _ => return Err(FORM),
                },
            },
            "text" => OptionKind::Text {
                default: words.by_ref().collect::<Vec<_>>().join(" "),
            },
            _ => return Err(FORM),
        };
        match words.next() {
            None => Ok(Self {
                name: name.to_string(),
                kind,
            }),
            Some(_) => Err(FORM),
        }
    }
}

impl FromStr for Info {
    type Err = ParseReplyError;

    /// Words that mean nothing here are passed over, each with one value: later versions may have
    /// more to say.
    fn from_str(text: &str) -> Result<Self, ParseReplyError> {
        const FORM: ParseReplyError = ParseReplyError::Form(
            "info [depth N] [rank N] [score S] [nodes N] [time MS] [line MOVE…]",
        );
        let mut info = Self::default();
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = Some(number(words.next()).ok_or(FORM)?),
                "rank" => info.rank = Some(number(words.next()).ok_or(FORM)?),
                "score" => {
                    let score = words.next().and_then(|word| word.parse().ok());
                    info.score = Some(score.ok_or(FORM)?);
                }
                "nodes" => info.nodes = Some(number(words.next()).ok_or(FORM)?),
                "time" => info.time_ms = Some(number(words.next()).ok_or(FORM)?),
                "line" => {
                    let line: Result<_, _> = words.by_ref().map(str::parse).collect();
                    info.line = line.map_err(|_| FORM)?;
                }
                _ => drop(words.next()),
            }
        }
        Ok(info)
    }
}

/// A line that is not a reply.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseReplyError {
    /// The first word is unknown.
    #[error("unknown reply {0:?}")]
    Unknown(String),
    /// The reply has another form.
    #[error("expected: {0}")]
    Form(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_as_they_are_written() {
        for text in [
            "id name Tablut 0.1",
            "id author somebody",
            "option Hash number 64 1 65536",
            "option Ponder switch on",
            "option Ponder switch off",
            "option Book text",
            "option Book text a book.bin",
            "tablutok",
            "readyok",
            "info depth 8 score 0.25 nodes 1234 time 100 line e4d4 d1c1",
            "info depth 3 rank 2 score #-5",
            "info",
            "bestmove e4d4",
            "bestmove none",
            "error unknown command \"hello\"",
        ] {
            let reply: EngineReply = text.parse().unwrap();
            assert_eq!(reply.to_string(), text);
        }
    }

    #[test]
    fn text_cannot_break_its_line() {
        let reply = EngineReply::Error("one\nbestmove e4d4\r\n".into());
        assert_eq!(reply.to_string(), "error one bestmove e4d4  ");
    }

    #[test]
    fn words_of_later_versions_are_passed_over() {
        let info: Info = "depth 3 tbhits 7 nodes 5".parse().unwrap();
        assert_eq!((info.depth, info.nodes), (Some(3), Some(5)));
    }

    #[test]
    fn what_is_no_reply_is_refused() {
        for text in [
            "",
            "hello",
            "bestmove",
            "bestmove e4",
            "bestmove e4d4 ponder d1c1",
            "readyok now",
            "id",
            "id name",
            "option Hash",
            "option Hash number 1 2",
            "option Hash number 1 2 3 4",
            "option Ponder switch maybe",
            "info depth x",
            "info score ten",
            "info line e4d4 x",
        ] {
            assert!(text.parse::<EngineReply>().is_err(), "{text}");
        }
    }
}
