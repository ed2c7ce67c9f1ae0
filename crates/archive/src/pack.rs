//! Games in few bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TABLUTGA` |
//! | 2 | version of the format, 1 |
//! | … | the rest, as one zlib stream |
//!
//! The stream holds
//!
//! | bytes | what |
//! |---|---|
//! | 1 + n | length and id of the rule set, from whose start all games begin |
//! | 2 | how many players there are |
//! | 1 + n each | length and name of a player |
//! | 4 | how many games there are |
//! | 7 each | white's and black's number among the players (2 each), how many moves (2), the result (1) |
//! | 1 a move | which of the side's pieces, counted in the order of squares, times four, plus the direction: up, right, down, left |
//! | 1 a move | how many squares far |
//!
//! The result is a number of the reason times three, plus 0 if the attackers won, 1 if nobody did, 2 if the
//! defenders won. Numbers are little-endian. Compressed, a move takes about a byte.

use std::{
    io::{Read, Write},
    str::from_utf8,
    sync::Arc,
};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use tablut_rules::{BuiltIn, BySide, Direction, Move, Outcome, Position, Reason, Rules, Side};

const MAGIC: &[u8; 8] = b"TABLUTGA";
const VERSION: u16 = 1;

/// The most bytes that the stream of an archive may have.
const MOST: u64 = 256 * 1024 * 1024;

/// A game of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Who played.
    pub players: BySide<String>,
    /// The moves from the rule set's start.
    pub moves: Vec<Move>,
    /// How it ended.
    pub outcome: Outcome,
}

/// Why an archive cannot be read or made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// It begins otherwise.
    #[error("this is not an archive of games")]
    NotOne,
    /// A format of another version.
    #[error("its format is {0}; this program reads {VERSION}")]
    Version(u16),
    /// The stream is damaged or too long.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// A rule set that is not here.
    #[error("there is no rule set {0:?}")]
    Rules(String),
    /// A game that cannot be played so.
    #[error("game {game}, move {ply}: {why}")]
    Game {
        /// Its number, from 1.
        game: usize,
        /// The number of the move, from 1.
        ply: usize,
        /// What is wrong.
        why: String,
    },
    /// More than the format can hold.
    #[error("an archive has room for 65535 players, and a game for 65535 moves")]
    Large,
}

/// The number of a reason; those of files never change.
const fn code(reason: Reason) -> u8 {
    match reason {
        Reason::KingEscaped => 0,
        Reason::KingCaptured => 1,
        Reason::TwoLanes => 2,
        Reason::NoMove => 3,
        Reason::Repetition => 4,
        Reason::CapturelessLimit => 5,
        Reason::MoveLimit => 6,
        Reason::TimeOut => 7,
        Reason::IllegalMove => 8,
        Reason::Resignation => 9,
        Reason::Agreement => 10,
        Reason::ConnectionLost => 11,
        Reason::Decision => 12,
    }
}

const fn direction_code(direction: Direction) -> u8 {
    match direction {
        Direction::Up => 0,
        Direction::Right => 1,
        Direction::Down => 2,
        Direction::Left => 3,
    }
}

fn read_outcome(byte: u8) -> Option<Outcome> {
    let reason = Reason::ALL
        .into_iter()
        .find(|&reason| code(reason) == byte / 3)?;
    let winner = [Some(Side::Attackers), None, Some(Side::Defenders)][usize::from(byte % 3)];
    Some(Outcome { winner, reason })
}

fn write_outcome(outcome: Outcome) -> u8 {
    let winner = match outcome.winner {
        Some(Side::Attackers) => 0,
        None => 1,
        Some(Side::Defenders) => 2,
    };
    code(outcome.reason) * 3 + winner
}

/// Packs games of a rule set.
///
/// # Errors
/// A move is illegal, or there are too many players or moves.
pub fn pack(rules: &Rules, games: &[Packed]) -> Result<Vec<u8>, ArchiveError> {
    let mut names: Vec<&str> = games
        .iter()
        .flat_map(|game| game.players.values())
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names.dedup();
    let short = |number: usize| u16::try_from(number).map_err(|_| ArchiveError::Large);
    let mut body = Vec::new();
    let text = |body: &mut Vec<u8>, text: &str| {
        let length = u8::try_from(text.len()).map_err(|_| ArchiveError::Large)?;
        body.push(length);
        body.extend(text.as_bytes());
        Ok::<_, ArchiveError>(())
    };
    text(&mut body, rules.set().id())?;
    body.extend(short(names.len())?.to_le_bytes());
    for name in &names {
        text(&mut body, name)?;
    }
    let count = u32::try_from(games.len()).map_err(|_| ArchiveError::Large)?;
    body.extend(count.to_le_bytes());
    let (mut pieces, mut distances) = (Vec::new(), Vec::new());
    for (n, game) in games.iter().enumerate() {
        let number = |side: Side| {
            let at = names.binary_search(&game.players[side].as_str());
            short(at.unwrap_or_default())
        };
        body.extend(number(Side::Defenders)?.to_le_bytes());
        body.extend(number(Side::Attackers)?.to_le_bytes());
        body.extend(short(game.moves.len())?.to_le_bytes());
        body.push(write_outcome(game.outcome));
        let mut position = rules.start();
        for (ply, &step) in game.moves.iter().enumerate() {
            let wrong = |why: String| ArchiveError::Game {
                game: n + 1,
                ply: ply + 1,
                why,
            };
            let applied = rules
                .apply(&position, step)
                .map_err(|error| wrong(error.to_string()))?;
            let (piece, distance) =
                write_step(&position, step).ok_or_else(|| wrong("no line".into()))?;
            pieces.push(piece);
            distances.push(distance);
            position = applied.position;
        }
    }
    body.extend(pieces);
    body.extend(distances);
    let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
    let mut encoder = ZlibEncoder::new(&mut bytes, Compression::best());
    let written = encoder
        .write_all(&body)
        .and_then(|()| encoder.finish().map(drop));
    written.map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    Ok(bytes)
}

fn write_step(position: &Position, step: Move) -> Option<(u8, u8)> {
    let own = position.pieces(position.side());
    let piece = own.iter().position(|square| square == step.from())?;
    let direction = step.from().direction_to(step.to())?;
    let distance = step.from().between(step.to()).count() + 1;
    Some((piece as u8 * 4 + direction_code(direction), distance as u8))
}

fn read_step(position: &Position, piece: u8, distance: u8) -> Option<Move> {
    let own = position.pieces(position.side());
    let from = own.iter().nth(usize::from(piece / 4))?;
    let direction = [
        Direction::Up,
        Direction::Right,
        Direction::Down,
        Direction::Left,
    ][usize::from(piece % 4)];
    let mut to = from;
    for _ in 0..distance.clamp(1, 8) {
        to = to.step(direction)?;
    }
    Some(Move::new(from, to))
}

/// What is left of a stream.
struct Stream<'a>(&'a [u8]);

impl<'a> Stream<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], ArchiveError> {
        let Some((taken, rest)) = self.0.split_at_checked(count) else {
            return Err(ArchiveError::Damaged("it ends too early".into()));
        };
        self.0 = rest;
        Ok(taken)
    }

    fn short(&mut self) -> Result<usize, ArchiveError> {
        let bytes = self.take(2)?;
        Ok(usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    fn text(&mut self) -> Result<&'a str, ArchiveError> {
        let length = usize::from(self.take(1)?[0]);
        let damaged = |_| ArchiveError::Damaged("a name is no text".into());
        from_utf8(self.take(length)?).map_err(damaged)
    }
}

/// Unpacks games: the rules they were played under, and the games.
///
/// # Errors
/// Says what is wrong.
pub fn unpack(bytes: &[u8]) -> Result<(Arc<Rules>, Vec<Packed>), ArchiveError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(ArchiveError::NotOne)?;
    let (version, stream) = rest.split_at_checked(2).ok_or(ArchiveError::NotOne)?;
    let version = u16::from_le_bytes([version[0], version[1]]);
    if version != VERSION {
        return Err(ArchiveError::Version(version));
    }
    let mut body = Vec::new();
    let read = ZlibDecoder::new(stream).take(MOST).read_to_end(&mut body);
    read.map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    let mut stream = Stream(&body);
    let id = stream.text()?;
    let set: BuiltIn = id.parse().map_err(|_| ArchiveError::Rules(id.into()))?;
    let rules = set.rules();
    let names = (0..stream.short()?).map(|_| stream.text().map(str::to_string));
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    let count = stream.take(4)?;
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize;
    let heads = stream.take(count.checked_mul(7).ok_or(ArchiveError::Large)?)?;
    let heads = heads.as_chunks::<7>().0;
    let plies = heads
        .iter()
        .map(|head| usize::from(u16::from_le_bytes([head[4], head[5]])))
        .sum();
    let (mut pieces, mut distances) = (Stream(stream.take(plies)?), Stream(stream.take(plies)?));
    let mut games = Vec::with_capacity(count);
    for (n, head) in heads.iter().enumerate() {
        let name = |at: usize| {
            let name = names.get(usize::from(u16::from_le_bytes([head[at], head[at + 1]])));
            name.cloned()
                .ok_or_else(|| ArchiveError::Damaged("a player is missing".into()))
        };
        let outcome = read_outcome(head[6])
            .ok_or_else(|| ArchiveError::Damaged("a result is unknown".into()))?;
        let length = usize::from(u16::from_le_bytes([head[4], head[5]]));
        let (pieces, distances) = (pieces.take(length)?, distances.take(length)?);
        let mut moves = Vec::with_capacity(length);
        let mut position = rules.start();
        for (ply, (&piece, &distance)) in pieces.iter().zip(distances).enumerate() {
            let wrong = |why: String| ArchiveError::Game {
                game: n + 1,
                ply: ply + 1,
                why,
            };
            let step = read_step(&position, piece, distance)
                .ok_or_else(|| wrong("there is no such piece".into()))?;
            let applied = rules
                .apply(&position, step)
                .map_err(|error| wrong(error.to_string()))?;
            moves.push(step);
            position = applied.position;
        }
        let players = BySide {
            attackers: name(2)?,
            defenders: name(0)?,
        };
        games.push(Packed {
            players,
            moves,
            outcome,
        });
    }
    Ok((rules, games))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn games() -> Vec<Packed> {
        let game = |white: &str, black: &str, moves: &str, outcome| Packed {
            players: BySide {
                attackers: black.into(),
                defenders: white.into(),
            },
            moves: moves
                .split_whitespace()
                .map(|step| step.parse().unwrap())
                .collect(),
            outcome,
        };
        vec![
            game(
                "ann",
                "bob",
                "e4f4 d1c1 e5e4",
                Outcome::win(Side::Defenders, Reason::Resignation),
            ),
            game("bob", "ann", "", Outcome::draw(Reason::Agreement)),
            game(
                "bob",
                "carl",
                "e4d4",
                Outcome::win(Side::Attackers, Reason::TimeOut),
            ),
        ]
    }

    #[test]
    fn games_come_back_as_they_were_packed() {
        let rules = Rules::ashton();
        let bytes = pack(&rules, &games()).unwrap();
        let (read, back) = unpack(&bytes).unwrap();
        assert_eq!(read.set().id(), "ashton");
        assert_eq!(back, games());
        for reason in Reason::ALL {
            let outcome = Outcome::win(Side::Defenders, reason);
            assert_eq!(read_outcome(write_outcome(outcome)), Some(outcome));
        }
    }

    #[test]
    fn what_is_damaged_is_refused() {
        let rules = Rules::ashton();
        let bytes = pack(&rules, &games()).unwrap();
        assert_eq!(unpack(b"hello"), Err(ArchiveError::NotOne));
        assert_eq!(unpack(MAGIC), Err(ArchiveError::NotOne));
        let newer = [&MAGIC[..], &[9, 0]].concat();
        assert_eq!(unpack(&newer), Err(ArchiveError::Version(9)));
        for end in 10..bytes.len() {
            unpack(&bytes[..end]).unwrap_err();
        }
        // Any byte of the stream may be any other: nothing but an error or games come of it.
        let mut body = Vec::new();
        ZlibDecoder::new(&bytes[10..])
            .read_to_end(&mut body)
            .unwrap();
        for at in 0..body.len() {
            for value in [0, 1, 77, 255] {
                let mut body = body.clone();
                body[at] = value;
                let mut broken = bytes[..10].to_vec();
                let mut encoder = ZlibEncoder::new(&mut broken, Compression::fast());
                encoder.write_all(&body).unwrap();
                encoder.finish().unwrap();
                let _ = unpack(&broken);
            }
        }
        let mut illegal = games();
        illegal[0].moves[0] = "e4e3".parse().unwrap();
        assert!(matches!(
            pack(&rules, &illegal),
            Err(ArchiveError::Game {
                game: 1,
                ply: 1,
                ..
            })
        ));
    }
}
