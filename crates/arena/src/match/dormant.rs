//! A match in few bytes, for as long as nobody asks about it.

use tablut_rules::{Game, Move, Outcome, record::Score};

use super::{Match, MoveNote};

/// A match of which only the moves are kept, not the positions they led to; it can be made again from them.
#[derive(Clone, Debug)]
pub struct DormantMatch {
    /// All that is no list.
    rest: Match,
    moves: Box<[Move]>,
    spent_ms: Column<u64>,
    clock_ms: Column<u64>,
    scores: Column<Score>,
    outcome: Option<Outcome>,
}

/// One thing about each move; nothing if it is known of none.
type Column<T> = Option<Box<[Option<T>]>>;

fn column<T>(notes: &[MoveNote], of: fn(&MoveNote) -> Option<T>) -> Column<T> {
    let is_known = notes.iter().any(|note| of(note).is_some());
    is_known.then(|| notes.iter().map(of).collect())
}

fn at<T: Copy>(column: &Column<T>, ply: usize) -> Option<T> {
    column.as_ref()?.get(ply).copied()?
}

impl DormantMatch {
    /// The match as it was.
    #[must_use]
    pub fn wake(&self) -> Match {
        let mut awake = self.rest.clone();
        for (ply, &step) in self.moves.iter().enumerate() {
            // They were all made once, from the same start under the same rules.
            if awake.game.play(step).is_err() {
                break;
            }
            awake.notes.push(MoveNote {
                spent_ms: at(&self.spent_ms, ply),
                clock_ms: at(&self.clock_ms, ply),
                score: at(&self.scores, ply),
            });
        }
        if let Some(outcome) = self.outcome {
            // False if it is over by the same moves.
            awake.game.finish(outcome);
        }
        awake
    }
}

impl Match {
    /// This match in few bytes.
    #[must_use]
    pub fn dormant(&self) -> DormantMatch {
        let game = &self.game;
        let start = &Game::from_position(game.rules().clone(), *game.start(), *game.laws());
        DormantMatch {
            rest: Self {
                // A copy has no room for moves to come.
                game: start.clone(),
                clocks: self.clocks,
                conduct: self.conduct,
                notes: Vec::new(),
                given: self.given,
                seated: self.seated,
                left_at: self.left_at,
                turn_since: self.turn_since,
                draw_offer: self.draw_offer,
                take_back: self.take_back,
                errors: self.errors,
                now: self.now,
            },
            moves: game.plies().iter().map(|ply| ply.step).collect(),
            spent_ms: column(&self.notes, |note| note.spent_ms),
            clock_ms: column(&self.notes, |note| note.clock_ms),
            scores: column(&self.notes, |note| note.score),
            outcome: self.outcome(),
        }
    }
}
