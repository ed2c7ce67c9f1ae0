//! A puzzle in one line of text.
//!
//! `NUMBER; win|save; POSITION; HISTORY; SOLUTION; MOTIFS; NODES`, as in
//! `17; win; 9/…/9 b; e4e5; f3f4 g4g5 f4f9; two-lanes; 5321`.

use std::{fmt, str::FromStr};

use tablut_rules::Move;

use super::{Motif, Puzzle, PuzzleGoal};

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = match self.goal {
            PuzzleGoal::Win => "win",
            PuzzleGoal::Save => "save",
        };
        let moves = |moves: &[Move]| words(moves.iter().map(Move::to_string));
        write!(
            f,
            "{}; {goal}; {}; {}; {}; {}; {}",
            self.number,
            self.start,
            moves(&self.history),
            moves(&self.solution),
            words(self.motifs.iter().map(|motif| motif.word().to_string())),
            self.nodes
        )
    }
}

fn words(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// What is wrong with the text of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleTextError(String);

impl fmt::Display for PuzzleTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PuzzleTextError {}

impl FromStr for Puzzle {
    type Err = PuzzleTextError;

    fn from_str(text: &str) -> Result<Self, PuzzleTextError> {
        let fault = |what: String| PuzzleTextError(what);
        let fields: Vec<&str> = text.split(';').map(str::trim).collect();
        let &[number, goal, start, history, solution, motifs, nodes] = &fields[..] else {
            return Err(fault(format!(
                "a puzzle has seven fields with semicolons between them; this line has {}",
                fields.len()
            )));
        };
        let moves = |text: &str| {
            let moves = text.split_whitespace().map(|word| {
                let step = word.parse::<Move>();
                step.map_err(|error| fault(format!("{word:?} is not a move: {error}")))
            });
            moves.collect::<Result<Vec<Move>, _>>()
        };
        let puzzle = Self {
            number: number
                .parse()
                .map_err(|_| fault(format!("{number:?} is not a number")))?,
            goal: match goal {
                "win" => PuzzleGoal::Win,
                "save" => PuzzleGoal::Save,
                other => {
                    return Err(fault(format!("{other:?} is neither `win` nor `save`")));
                }
            },
            start: start
                .parse()
                .map_err(|error| fault(format!("{start:?} is not a position: {error}")))?,
            history: moves(history)?,
            solution: moves(solution)?,
            motifs: motifs
                .split_whitespace()
                .map(|word| {
                    let motif = Motif::from_word(word);
                    motif.ok_or_else(|| fault(format!("there is no motif {word:?}")))
                })
                .collect::<Result<_, _>>()?,
            nodes: nodes
                .parse()
                .map_err(|_| fault(format!("{nodes:?} is not a number of nodes")))?,
        };
        match puzzle.solution.len() % 2 {
            0 => Err(fault("a solution begins and ends with the solver".into())),
            _ => Ok(puzzle),
        }
    }
}
