//! Games for the explorer, from files of self-play and of other programs.

use std::{
    collections::HashSet,
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::GzDecoder;
use serde::Deserialize;
use tablut_archive::Packed;
use tablut_rules::{BySide, Game, Move, Outcome, Reason, Rules, Side};

use crate::data::Piece;

/// A game of other programs, one line of a file.
#[derive(Deserialize)]
struct Line {
    white: String,
    black: String,
    moves: Vec<String>,
    result: String,
    reason: String,
}

/// The games of files, those of the last file first and at most so many; of self-played ones that are the
/// same, one.
///
/// # Errors
/// A file cannot be read, or a game not played.
pub fn collect(rules: &Arc<Rules>, files: &[PathBuf], most: usize) -> Result<Vec<Packed>> {
    let mut games = Vec::new();
    let mut known: HashSet<Vec<Move>> = HashSet::new();
    for path in files.iter().rev() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_lines = name.ends_with(".jsonl") || name.ends_with(".jsonl.gz");
        let found = match is_lines {
            true => read_lines(rules, path),
            false => read_piece(rules, path),
        };
        for game in found.with_context(|| format!("cannot use {}", path.display()))? {
            if games.len() < most && (is_lines || known.insert(game.moves.clone())) {
                games.push(game);
            }
        }
    }
    Ok(games)
}

fn read_lines(rules: &Arc<Rules>, path: &Path) -> Result<Vec<Packed>> {
    let file = File::open(path)?;
    let text: Box<dyn Read> = match path.extension().is_some_and(|ending| ending == "gz") {
        true => Box::new(GzDecoder::new(file)),
        false => Box::new(file),
    };
    let mut games = Vec::new();
    for (n, line) in BufReader::new(text).lines().enumerate() {
        let game = read_line(rules, &line?);
        games.push(game.with_context(|| format!("line {}", n + 1))?);
    }
    Ok(games)
}

fn read_line(rules: &Arc<Rules>, line: &str) -> Result<Packed> {
    let line: Line = serde_json::from_str(line)?;
    let moves = line.moves.iter().map(|step| step.parse());
    let moves: Vec<Move> = moves.collect::<Result<_, _>>()?;
    let winner = match line.result.as_str() {
        "WHITEWIN" => Some(Side::Defenders),
        "BLACKWIN" => Some(Side::Attackers),
        "DRAW" => None,
        other => bail!("{other:?} is no result"),
    };
    // What the rules do not end was ended by whoever ran the games.
    let reason = match winner {
        Some(_) => Reason::ConnectionLost,
        None => Reason::Decision,
    };
    let outcome = Outcome { winner, reason };
    let played = play(rules, &moves)?.unwrap_or(outcome);
    ensure!(
        played.winner == winner,
        "the moves end otherwise than {:?} says",
        line.reason
    );
    Ok(Packed {
        players: BySide {
            attackers: line.black,
            defenders: line.white,
        },
        moves,
        outcome: played,
    })
}

/// The games of a piece; the engine's name stands on both sides.
fn read_piece(rules: &Arc<Rules>, path: &Path) -> Result<Vec<Packed>> {
    let piece = Piece::open(path)?;
    ensure!(
        piece.header.rules == rules.set().id(),
        "its games are of {}",
        piece.header.rules
    );
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("Tablut, generation {name}");
    let mut games = Vec::new();
    for game in piece {
        let game = game?;
        let moves: Vec<Move> = game.moves.iter().map(|(step, _)| *step).collect();
        let outcome = Outcome {
            winner: game.winner,
            // A game that the rules do not end was cut off where its result was clear, or too long.
            reason: Reason::Decision,
        };
        games.push(Packed {
            players: BySide::both(name.clone()),
            outcome: play(rules, &moves)?.unwrap_or(outcome),
            moves,
        });
    }
    Ok(games)
}

/// How the rules end a game, if they do.
fn play(rules: &Arc<Rules>, moves: &[Move]) -> Result<Option<Outcome>> {
    let mut game = Game::new(Arc::clone(rules));
    for (n, &step) in moves.iter().enumerate() {
        game.play(step)
            .with_context(|| format!("move {}: {step}", n + 1))?;
    }
    Ok(game.outcome())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_played_and_their_results_checked() {
        let rules = Rules::ashton();
        let line = |result: &str, moves: &str| {
            format!(
                r#"{{"white":"a","black":"b","seconds_per_move":1,"result":"{result}","reason":"x","moves":[{moves}]}}"#
            )
        };
        let game = read_line(&rules, &line("BLACKWIN", r#""e4d4","d1c1""#)).unwrap();
        assert_eq!(game.outcome.reason, Reason::ConnectionLost);
        assert_eq!(game.players.defenders, "a");
        assert!(read_line(&rules, &line("DRAW", r#""e4d4","e4e3""#)).is_err());
        assert!(read_line(&rules, &line("LOST", "")).is_err());
        let escape = line("DRAW", r#""e4c4","b5b4","e5e4","a6a7","e4e1""#);
        assert!(read_line(&rules, &escape).is_err());
    }
}
