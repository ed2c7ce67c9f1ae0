//! Recorded behaviour of other programs, and whether these rules agree with it.
//!
//! The types read the JSON lines of the conformance data (feature `conformance`); whoever has the lines
//! hands them over, and gets back every difference. Used by `tablut conformance` and by the tests.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use serde::Deserialize;

use crate::{
    Applied, BuiltIn, Game, Laws, Move, NoMove, Outcome, Perft, Position, Repetition,
    RepetitionResult, Rules, Setup, Side, StartCounts, notation::Diagram,
};

/// One recorded case: a line of a conformance file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Case {
    /// All legal moves of a position, and what some of them lead to.
    Position(PositionCase),
    /// A sequence of moves and the state of the game after each.
    Sequence(SequenceCase),
    /// Counts of move sequences.
    Perft(PerftCase),
}

/// All legal moves of a position, and what some of them lead to.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct PositionCase {
    /// The recorded variant.
    pub variant: String,
    /// The board.
    pub board: String,
    /// The side to move.
    pub turn: String,
    /// Every legal move.
    pub legal: Vec<String>,
    /// Board and state after some of the moves.
    pub after: BTreeMap<String, (String, String)>,
    /// Moves on which the referee fails; to be accepted as plain moves.
    #[serde(default)]
    pub faults: BTreeMap<String, (String, String)>,
}

/// A sequence of moves and the state of the game after each.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct SequenceCase {
    /// The recorded variant.
    pub variant: String,
    /// The board at the start.
    pub start_board: String,
    /// The side to move at the start.
    pub start_turn: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The state after each move.
    pub result_after_each: Vec<String>,
    /// The board at the end.
    pub final_board: String,
    /// How many earlier occurrences are allowed.
    pub repeated_allowed: Option<u32>,
    /// How many earlier positions are kept, besides one; all if negative.
    pub cache_size: Option<i64>,
    /// The draw by moves without a capture.
    pub moves_draw: Option<i64>,
}

/// Counts of move sequences.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct PerftCase {
    /// The recorded variant.
    pub variant: String,
    /// The board.
    pub board: String,
    /// The side to move.
    pub turn: String,
    /// The counts of each depth.
    pub perft: Vec<PerftCounts>,
}

/// The counts of one depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct PerftCounts {
    /// The length of the sequences.
    pub depth: u32,
    /// How many there are.
    pub nodes: u64,
    /// How many end with a capture.
    pub capture_moves: u64,
    /// How many men these capture.
    pub captured_pieces: u64,
    /// How many end with a win of the defenders.
    pub white_wins: u64,
    /// How many end with a win of the attackers.
    pub black_wins: u64,
}

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Positions whose whole list of moves was compared.
    pub positions: u64,
    /// Results of moves that were compared.
    pub results: u64,
    /// Sequences of moves that were replayed.
    pub sequences: u64,
    /// Counts of sequences that were made again.
    pub counts: u64,
}

impl core::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.results += other.results;
        self.sequences += other.sequences;
        self.counts += other.counts;
    }
}

/// A difference between a recorded case and these rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The position in which it shows.
    pub position: Option<Setup>,
    /// The move on which it shows.
    pub step: Option<Move>,
    /// What differs.
    pub what: String,
}

impl Difference {
    fn new(position: &Position, step: Option<Move>, what: String) -> Self {
        Self {
            position: Some(Setup::from(position)),
            step,
            what,
        }
    }

    fn unreadable(what: String) -> Self {
        Self {
            position: None,
            step: None,
            what,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(setup) = self.position {
            writeln!(f, "{}", Diagram::from(setup))?;
        }
        if let Some(step) = self.step {
            write!(f, "{step}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// The deepest count that is made again. Nobody can wait for more, and each depth costs stack.
const DEEPEST: u32 = 20;

impl Case {
    /// The built-in set that stands for the recorded variant.
    #[must_use]
    pub fn built_in(&self) -> Option<BuiltIn> {
        let variant = match self {
            Self::Position(case) => &case.variant,
            Self::Sequence(case) => &case.variant,
            Self::Perft(case) => &case.variant,
        };
        match variant.as_str() {
            "ashton" => Some(BuiltIn::Ashton),
            "berkeley" => Some(BuiltIn::Berkeley),
            "classic" => Some(BuiltIn::RefereeClassic),
            "modern" => Some(BuiltIn::RefereeModern),
            "brandub" => Some(BuiltIn::RefereeBrandub),
            _ => None,
        }
    }

    /// Compares the case with rules: how much was compared, and every difference.
    #[must_use]
    pub fn compare(&self, rules: &alloc::sync::Arc<Rules>) -> (Compared, Vec<Difference>) {
        match self {
            Self::Position(case) => case.compare(rules),
            Self::Sequence(case) => case.compare(rules),
            Self::Perft(case) => case.compare(rules),
        }
    }
}

/// Reads a board and a side as a position, faults of the set-up aside.
fn place(rules: &Rules, board: &str, turn: &str) -> Result<Position, Difference> {
    let unreadable = |why: String| Difference::unreadable(format!("{board} {turn}: {why}"));
    let setup: Setup = format!("{board} {turn}")
        .parse()
        .map_err(|error: crate::ParseBoardError| unreadable(error.to_string()))?;
    rules
        .position(&setup)
        .or_else(crate::SetupError::playable)
        .map_err(|error| unreadable(error.to_string()))
}

/// The state of a game as the recorded data names it.
fn state(side: Side, outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.winner) {
        Some(Some(Side::Defenders)) => "WHITEWIN",
        Some(Some(Side::Attackers)) => "BLACKWIN",
        Some(None) => "DRAW",
        None if side == Side::Defenders => "WHITE",
        None => "BLACK",
    }
}

/// Whether the pieces of a position are those of a recorded board.
fn same_board(position: &Position, board: &str) -> bool {
    let recorded = Setup::from_board(board, position.side());
    recorded.is_ok_and(|setup| setup.with_quiet(position.quiet()) == Setup::from(position))
}

impl PositionCase {
    /// The recorded position under some rules, faults of the set-up aside.
    ///
    /// # Errors
    /// It is no position, or no game can be played from it.
    pub fn position(&self, rules: &Rules) -> Result<Position, Difference> {
        place(rules, &self.board, &self.turn)
    }

    fn compare(&self, rules: &Rules) -> (Compared, Vec<Difference>) {
        let mut compared = Compared::default();
        let position = match self.position(rules) {
            Ok(position) => position,
            Err(difference) => return (compared, alloc::vec![difference]),
        };
        let mut differences = Vec::new();
        compared.positions = 1;
        let ours: Vec<String> = rules.moves(&position).iter().map(Move::to_string).collect();
        let recorded = || self.legal.iter().chain(self.faults.keys());
        let missing: Vec<&str> = recorded()
            .filter(|step| !ours.contains(step))
            .map(String::as_str)
            .collect();
        let extra: Vec<&str> = ours
            .iter()
            .filter(|step| !recorded().any(|r| r == *step))
            .map(String::as_str)
            .collect();
        for (steps, what) in [
            (missing, "recorded as legal, illegal here"),
            (extra, "legal here, not recorded"),
        ] {
            if !steps.is_empty() {
                let what = format!("{what}: {}", steps.join(" "));
                differences.push(Difference::new(&position, None, what));
            }
        }
        for (step, (board, turn)) in self.after.iter().chain(&self.faults) {
            let Some(step) = step.parse().ok().filter(|&s| rules.is_legal(&position, s)) else {
                if !recorded().any(|legal| legal == step) {
                    let what = format!("{step}: a result is recorded, but no such move");
                    differences.push(Difference::new(&position, None, what));
                }
                continue;
            };
            compared.results += 1;
            let Applied {
                position: after,
                end,
                ..
            } = rules.apply_unchecked(&position, step);
            let state = state(after.side(), end.map(Outcome::from));
            if state != turn || !same_board(&after, board) {
                let what = format!(
                    "recorded {turn} {board}\n      here     {state} {}",
                    Setup::from(&after)
                );
                differences.push(Difference::new(&position, Some(step), what));
            }
        }
        (compared, differences)
    }
}

impl SequenceCase {
    /// The laws under which the sequence was recorded.
    fn laws(&self, rules: &Rules) -> Laws {
        let Laws {
            mut repetition,
            mut start_counts,
            mut memory,
            no_move: _,
            mut captureless_limit,
            move_limit,
        } = rules.laws();
        if let Some(allowed) = self.repeated_allowed {
            start_counts = StartCounts::No;
            repetition = Some(Repetition {
                occurrence: allowed.saturating_add(2),
                result: RepetitionResult::Draw,
            });
            memory = self.cache_size.and_then(|size| u32::try_from(size).ok());
        }
        if let Some(limit) = self.moves_draw {
            start_counts = StartCounts::No;
            captureless_limit = u32::try_from(limit.saturating_add(1)).ok();
        }
        Laws {
            repetition,
            start_counts,
            memory,
            // No recorded program noticed a side without moves in these sequences.
            no_move: NoMove::Ignored,
            captureless_limit,
            move_limit,
        }
    }

    fn compare(&self, rules: &alloc::sync::Arc<Rules>) -> (Compared, Vec<Difference>) {
        let mut compared = Compared::default();
        let start = match place(rules, &self.start_board, &self.start_turn) {
            Ok(position) => position,
            Err(difference) => return (compared, alloc::vec![difference]),
        };
        if self.moves.len() != self.result_after_each.len() {
            let (moves, results) = (self.moves.len(), self.result_after_each.len());
            let what = format!("{moves} moves, but {results} results");
            return (compared, alloc::vec![Difference::new(&start, None, what)]);
        }
        compared.sequences = 1;
        let mut game = Game::from_position(rules.clone(), start, self.laws(rules));
        for (ply, (step, recorded)) in self.moves.iter().zip(&self.result_after_each).enumerate() {
            let before = *game.position();
            let parsed = step.parse::<Move>().ok();
            let played = parsed.map(|step| game.play(step));
            let problem = match played {
                None => Some("this is no move".to_string()),
                Some(Err(error)) => Some(error.to_string()),
                Some(Ok(_)) => {
                    let here = state(game.position().side(), game.outcome());
                    (here != recorded).then(|| {
                        let ply = ply + 1;
                        format!("ply {ply}: recorded {recorded}, here {here}")
                    })
                }
            };
            if let Some(what) = problem {
                let difference = Difference::new(&before, parsed, what);
                return (compared, alloc::vec![difference]);
            }
            compared.results += 1;
        }
        let mut differences = Vec::new();
        if !same_board(game.position(), &self.final_board) {
            let what = format!("recorded final board {}", self.final_board);
            differences.push(Difference::new(game.position(), None, what));
        }
        (compared, differences)
    }
}

impl PerftCase {
    fn compare(&self, rules: &Rules) -> (Compared, Vec<Difference>) {
        let mut compared = Compared::default();
        let position = match place(rules, &self.board, &self.turn) {
            Ok(position) => position,
            Err(difference) => return (compared, alloc::vec![difference]),
        };
        let mut differences = Vec::new();
        for recorded in &self.perft {
            if recorded.depth > DEEPEST {
                let what = format!("perft {} is deeper than {DEEPEST}", recorded.depth);
                differences.push(Difference::new(&position, None, what));
                continue;
            }
            compared.counts += 1;
            let here = rules.perft_made(&position, recorded.depth);
            let expected = Perft {
                nodes: recorded.nodes,
                capture_moves: recorded.capture_moves,
                captured_men: recorded.captured_pieces,
                defender_wins: recorded.white_wins,
                attacker_wins: recorded.black_wins,
            };
            if here != expected {
                let depth = recorded.depth;
                let what = format!("perft {depth}: recorded {expected:?}, here {here:?}");
                differences.push(Difference::new(&position, None, what));
            }
        }
        (compared, differences)
    }
}
