//! Files of self-played games: the data that networks learn from.
//!
//! A file is a *piece*: it depends on nothing but what stands in its header, so any number of machines
//! can make different pieces side by side, and one that was interrupted goes on where it stopped.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TABLUTSP` |
//! | 2 | version of the format, 1 |
//! | 4 + n | length and text of the header, JSON with the fields of [`Header`] |
//! | … | games, one after the other |
//!
//! A game is
//!
//! | bytes | what |
//! |---|---|
//! | 2 | n, the number of its moves |
//! | 1 | how many of them are the opening, which nothing is learnt from |
//! | 1 | who won: 0 attackers, 1 nobody, 2 defenders |
//! | n × 4 | the move ([`Move::bits`]), and what the search thought of it: hundredths for the side to move, ±30,000 for a win or loss, −32,768 for nothing |
//! | 4 | a check sum over all of the game before it (FNV-1a) |
//!
//! Numbers are little-endian. Games start at the rule set's start position, so a position costs four
//! bytes.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use tablut_rules::{Move, Side};

const MAGIC: &[u8; 8] = b"TABLUTSP";
const VERSION: u16 = 1;

/// A win or loss, proved or not, as a score in a file.
pub const DECIDED: i16 = 30_000;

/// No score.
const NONE: i16 = i16::MIN;

/// What a piece was made with: all that its games depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The id of the rule set.
    pub rules: String,
    /// What evaluated: `hand`, or the name of a network with a sum of its bytes.
    pub evaluation: String,
    /// What chance depends on.
    pub seed: u64,
    /// The number of the piece.
    pub piece: u32,
    /// Positions for a move, on average.
    pub nodes: u64,
    /// The least and the most random plies of an opening.
    pub random_plies: (u8, u8),
    /// Openings that look better for one side than this, in hundredths, are not played; 0 for all openings as
    /// they come.
    pub balance: i32,
    /// The most plies that are added to an opening until it favours the side that it should.
    #[serde(default)]
    pub balancing_plies: u8,
    /// What its opponent evaluates by, if the engine does not play itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// The side that the engine always has against it, if not both in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// After how many plies a game is drawn.
    pub max_plies: u16,
    /// How many openings stand in the opening file, if there is one, and a sum of them.
    pub openings: Option<(usize, u64)>,
    /// The program's version, and the signature of its search.
    pub program: String,
}

/// A self-played game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// How many of the moves are the opening.
    pub opening: u8,
    /// The moves, each with what the search thought of it, for the side that made it.
    pub moves: Vec<(Move, Option<i16>)>,
    /// Who won.
    pub winner: Option<Side>,
}

impl SelfPlay {
    fn write(&self) -> Vec<u8> {
        let mut bytes = (self.moves.len() as u16).to_le_bytes().to_vec();
        bytes.push(self.opening);
        bytes.push(match self.winner {
            Some(Side::Attackers) => 0,
            None => 1,
            Some(Side::Defenders) => 2,
        });
        for (step, score) in &self.moves {
            bytes.extend(step.bits().to_le_bytes());
            bytes.extend(score.unwrap_or(NONE).to_le_bytes());
        }
        bytes.extend(check_sum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the next game; nothing at the end, or where the last game was torn.
    fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; 4];
        if !fill(from, &mut head)? {
            return Ok(None);
        }
        let count = usize::from(u16::from_le_bytes([head[0], head[1]]));
        let mut body = vec![0; count * 4 + 4];
        if !fill(from, &mut body)? {
            return Ok(None);
        }
        let (body, sum) = body.split_at(count * 4);
        if check_sum(&[&head, body].concat()).to_le_bytes() != sum {
            return Ok(None);
        }
        let moves = body.chunks_exact(4).map(|ply| {
            let step = Move::from_bits(u16::from_le_bytes([ply[0], ply[1]]))?;
            let score = i16::from_le_bytes([ply[2], ply[3]]);
            Some((step, (score != NONE).then_some(score)))
        });
        let Some(moves) = moves.collect() else {
            return Ok(None);
        };
        let winner = match head[3] {
            0 => Some(Side::Attackers),
            2 => Some(Side::Defenders),
            _ => None,
        };
        Ok(Some(Self {
            opening: head[2],
            moves,
            winner,
        }))
    }

    fn size(&self) -> u64 {
        8 + 4 * self.moves.len() as u64
    }
}

/// Fills a buffer; false if the input ends before it is full.
fn fill(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn check_sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// The games of a file, one after the other.
pub struct Piece {
    /// What it was made with.
    pub header: Header,
    from: BufReader<File>,
    /// Where the last whole game ends.
    end: u64,
}

impl Piece {
    /// Opens a file.
    ///
    /// # Errors
    /// It cannot be read, or is no piece.
    pub fn open(path: &Path) -> Result<Self> {
        let context = || format!("cannot read {}", path.display());
        let file = File::open(path).with_context(context)?;
        Self::read(BufReader::new(file)).with_context(context)
    }

    fn read(mut from: BufReader<File>) -> Result<Self> {
        let mut head = [0; 14];
        ensure!(
            fill(&mut from, &mut head)? && head.starts_with(MAGIC),
            "this is not a file of tablut-train play"
        );
        let version = u16::from_le_bytes([head[8], head[9]]);
        if version != VERSION {
            bail!("its format is {version}; this program reads {VERSION}");
        }
        let length = u32::from_le_bytes([head[10], head[11], head[12], head[13]]);
        ensure!(length < 1 << 16, "its header is damaged");
        let mut text = vec![0; length as usize];
        ensure!(fill(&mut from, &mut text)?, "its header is damaged");
        let header = serde_json::from_slice(&text).context("its header is damaged")?;
        Ok(Self {
            header,
            from,
            end: 14 + u64::from(length),
        })
    }
}

impl Iterator for Piece {
    type Item = Result<SelfPlay>;

    fn next(&mut self) -> Option<Result<SelfPlay>> {
        match SelfPlay::read(&mut self.from) {
            Ok(game) => {
                let game = game?;
                self.end += game.size();
                Some(Ok(game))
            }
            Err(error) => Some(Err(error.into())),
        }
    }
}

/// Adds games to a piece.
pub struct PieceWriter {
    file: File,
}

impl PieceWriter {
    /// Makes a piece, or goes on with one that was interrupted: `on_game` gets the games it has. A
    /// game that was torn at the end is cut off.
    ///
    /// # Errors
    /// The file cannot be written, or holds a piece that was made with something else.
    pub fn open(path: &Path, header: &Header, mut on_game: impl FnMut(SelfPlay)) -> Result<Self> {
        let context = || format!("cannot write {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(context)?;
        if file.metadata().with_context(context)?.len() == 0 {
            let text = serde_json::to_vec(header)?;
            let length = (text.len() as u32).to_le_bytes();
            let head = [&MAGIC[..], &VERSION.to_le_bytes(), &length, &text].concat();
            file.write_all(&head).with_context(context)?;
            return Ok(Self { file });
        }
        let mut piece = Piece::read(BufReader::new(file.try_clone()?)).with_context(context)?;
        ensure!(
            piece.header == *header,
            "{} was made with something else: {:?} instead of {:?}; name another file or piece",
            path.display(),
            piece.header,
            header
        );
        for game in &mut piece {
            on_game(game.with_context(context)?);
        }
        file.set_len(piece.end).with_context(context)?;
        file.seek(SeekFrom::Start(piece.end))
            .with_context(context)?;
        Ok(Self { file })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, game: &SelfPlay) -> Result<()> {
        self.file
            .write_all(&game.write())
            .context("cannot keep a game")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            rules: "ashton".into(),
            evaluation: "hand".into(),
            seed: 1,
            piece: 2,
            nodes: 3,
            random_plies: (4, 5),
            balance: 600,
            balancing_plies: 12,
            opponent: None,
            side: None,
            max_plies: 300,
            openings: None,
            program: "test".into(),
        }
    }

    fn game(plies: usize) -> SelfPlay {
        let step: Move = "e4f4".parse().unwrap();
        SelfPlay {
            opening: 1,
            moves: (0..plies)
                .map(|n| (step, (n > 0).then_some(n as i16 - 3)))
                .collect(),
            winner: [None, Some(Side::Attackers), Some(Side::Defenders)][plies % 3],
        }
    }

    #[test]
    fn an_interrupted_piece_goes_on_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let games: Vec<SelfPlay> = (1..8).map(game).collect();
        let mut writer = PieceWriter::open(&path, &header(), |_| panic!("it is empty")).unwrap();
        for game in &games[..4] {
            writer.add(game).unwrap();
        }
        // The last game is torn, as by a power cut.
        let length = writer.file.metadata().unwrap().len();
        writer.file.set_len(length - 3).unwrap();
        let mut found = Vec::new();
        let mut writer = PieceWriter::open(&path, &header(), |game| found.push(game)).unwrap();
        assert_eq!(found, games[..3]);
        for game in &games[3..] {
            writer.add(game).unwrap();
        }
        let all: Result<Vec<SelfPlay>> = Piece::open(&path).unwrap().collect();
        assert_eq!(all.unwrap(), games);
    }

    #[test]
    fn a_piece_of_other_games_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        PieceWriter::open(&path, &header(), |_| {}).unwrap();
        let other = Header {
            seed: 9,
            ..header()
        };
        let error = PieceWriter::open(&path, &other, |_| {}).err().unwrap();
        assert!(error.to_string().contains("name another file"), "{error}");
        std::fs::write(&path, "hello, hello, hello").unwrap();
        let error = Piece::open(&path).err().unwrap();
        assert!(format!("{error:#}").contains("not a file of tablut-train play"));
    }
}
