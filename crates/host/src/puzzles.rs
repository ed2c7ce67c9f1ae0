//! Puzzles for visitors: which one comes next, what a try changes, streaks and rushes.
//!
//! What is right is in `tablut_review::puzzle`; here are ratings and what is kept.

use std::collections::HashMap;

use tablut_arena::stats::rating::Strength;
use tablut_review::puzzle::{Motif, Puzzle, PuzzleGoal, built_in_puzzles, puzzle};
use tablut_rules::{BuiltIn, Random, Side};
use tablut_store::{
    PuzzleResult, PuzzleRun, PuzzleSettlement, PuzzleTry, StoreError, StoredRating,
};

use crate::{Host, fresh_id};

/// How long a rush lasts, in milliseconds.
pub const RUSH_MS: i64 = 180_000;

/// How many puzzles may be missed in a rush: with so many it is over.
pub const RUSH_MISSES: u32 = 3;

/// Of so many puzzles near a visitor's rating one is chosen.
const NEAREST: usize = 8;

/// How many steps the difficulty of a run has.
const RUN_STEPS: usize = 40;

/// The deviation of a puzzle's first rating: a guess, but not a blind one.
const FIRST_DEVIATION: f64 = 200.0;

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// What kind of run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunKind {
    /// Until the first miss.
    Streak,
    /// Against the clock.
    Rush,
}

impl RunKind {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Streak => "streak",
            Self::Rush => "rush",
        }
    }

    /// The kind with a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Streak, Self::Rush]
            .into_iter()
            .find(|kind| kind.word() == word)
    }

    /// How many puzzles may be missed.
    const fn misses(self) -> u32 {
        match self {
            Self::Streak => 1,
            Self::Rush => RUSH_MISSES,
        }
    }
}

/// Which puzzles somebody wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PuzzleFilter {
    /// About this.
    pub motif: Option<Motif>,
    /// For this side to solve.
    pub side: Option<Side>,
    /// With a solution of this many plies.
    pub plies: Option<u32>,
    /// Another one than that with this number, which they have before them.
    pub after: Option<u32>,
}

impl PuzzleFilter {
    /// Whether a puzzle is wanted.
    #[must_use]
    pub fn fits(&self, puzzle: &Puzzle) -> bool {
        self.motif
            .is_none_or(|motif| puzzle.motifs.contains(&motif))
            && self.side.is_none_or(|side| puzzle.side() == side)
            && self.plies.is_none_or(|plies| puzzle.plies() == plies)
            && self.after != Some(puzzle.number)
    }
}

/// How a visitor stands.
#[derive(Clone, PartialEq, Debug)]
pub struct PuzzleRecord {
    /// Their rating.
    pub player: Strength,
    /// Their first tries, the newest first.
    pub tries: Vec<PuzzleTry>,
    /// Their best streak and rush.
    pub best: (u64, u64),
    /// The number of today's puzzle.
    pub daily: Option<u32>,
}

fn strength(stored: StoredRating) -> Strength {
    Strength {
        rating: stored.rating,
        deviation: stored.deviation,
        volatility: stored.volatility,
        ..Strength::default()
    }
}

fn stored(strength: Strength) -> StoredRating {
    StoredRating {
        rating: strength.rating,
        deviation: strength.deviation,
        volatility: strength.volatility,
    }
}

/// How hard a puzzle is thought to be before anybody has tried it.
fn first_strength(puzzle: &Puzzle) -> Strength {
    Strength {
        rating: puzzle.first_rating(),
        deviation: FIRST_DEVIATION,
        ..Strength::default()
    }
}

/// The number of the puzzle of a day: each day another one, the same for all.
#[must_use]
pub fn daily_puzzle(set: BuiltIn, now_ms: i64) -> Option<u32> {
    let puzzles = built_in_puzzles(set);
    let day = now_ms.div_euclid(DAY_MS).unsigned_abs();
    let index = Random::part(0x7ab1, day).below(puzzles.len());
    puzzles.get(index).map(|puzzle| puzzle.number)
}

/// A number that nobody can foresee.
fn chance() -> u64 {
    fresh_id().bytes().fold(0, |sum: u64, byte| {
        sum.wrapping_mul(31).wrapping_add(u64::from(byte))
    })
}

/// The puzzle of a run after some were done: harder and harder.
fn run_puzzle(set: BuiltIn, done: u32) -> Option<u32> {
    let mut wins: Vec<&Puzzle> = built_in_puzzles(set)
        .iter()
        .filter(|puzzle| puzzle.goal == PuzzleGoal::Win)
        .collect();
    wins.sort_by(|a, b| a.first_rating().total_cmp(&b.first_rating()));
    let step = (wins.len() / RUN_STEPS).max(1);
    let first = (done as usize * step).min(wins.len().saturating_sub(step));
    let index = first + Random::new(chance()).below(step);
    wins.get(index).map(|puzzle| puzzle.number)
}

impl Host {
    /// How a visitor stands under a rule set.
    ///
    /// # Errors
    /// The store failed.
    pub async fn puzzle_record(
        &self,
        visitor: &str,
        set: BuiltIn,
    ) -> Result<PuzzleRecord, StoreError> {
        let store = self.store();
        let best = |kind: RunKind| store.best_puzzle_run(visitor, set.id(), kind.word());
        let player = store.puzzle_player(visitor).await?;
        Ok(PuzzleRecord {
            player: player.map_or_else(Strength::default, strength),
            tries: store.puzzle_tries(visitor, set.id()).await?,
            best: (best(RunKind::Streak).await?, best(RunKind::Rush).await?),
            daily: daily_puzzle(set, self.now_ms()),
        })
    }

    /// The rating of a puzzle now.
    ///
    /// # Errors
    /// The store failed.
    pub async fn puzzle_rating(&self, set: BuiltIn, puzzle: &Puzzle) -> Result<f64, StoreError> {
        let known = self.store().puzzle_ratings(set.id()).await?;
        let known = known
            .into_iter()
            .find(|(number, _)| *number == puzzle.number);
        Ok(known.map_or_else(|| puzzle.first_rating(), |(_, rating)| rating.rating))
    }

    /// A puzzle for a visitor: one that they have not tried, near their rating; nothing if none fits.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next_puzzle(
        &self,
        visitor: &str,
        set: BuiltIn,
        filter: PuzzleFilter,
    ) -> Result<Option<&'static Puzzle>, StoreError> {
        let store = self.store();
        let player = store.puzzle_player(visitor).await?;
        let rating = player.map_or(Strength::default().rating, |player| player.rating);
        let tried: HashMap<u32, i64> = store
            .puzzle_tries(visitor, set.id())
            .await?
            .into_iter()
            .map(|one| (one.number, one.tried_ms))
            .collect();
        let known: HashMap<u32, StoredRating> =
            store.puzzle_ratings(set.id()).await?.into_iter().collect();
        let fitting = || {
            built_in_puzzles(set)
                .iter()
                .filter(|puzzle| filter.fits(puzzle))
        };
        let mut new: Vec<(f64, &Puzzle)> = fitting()
            .filter(|puzzle| !tried.contains_key(&puzzle.number))
            .map(|puzzle| {
                let own = known.get(&puzzle.number);
                let own = own.map_or_else(|| puzzle.first_rating(), |own| own.rating);
                ((own - rating).abs(), puzzle)
            })
            .collect();
        new.sort_by(|a, b| a.0.total_cmp(&b.0));
        new.truncate(NEAREST);
        if new.is_empty() {
            // All of them are known: the one that was tried longest ago, or the only one again.
            let oldest = fitting().min_by_key(|puzzle| tried.get(&puzzle.number));
            return Ok(oldest.or_else(|| puzzle(set, filter.after?)));
        }
        let index = Random::new(chance()).below(new.len());
        Ok(Some(new[index].1))
    }

    /// Keeps the first try of a visitor at a puzzle: their rating before and after; nothing if they had
    /// tried it before.
    ///
    /// # Errors
    /// The store failed.
    pub async fn settle_puzzle(
        &self,
        visitor: &str,
        set: BuiltIn,
        puzzle: &Puzzle,
        result: PuzzleResult,
    ) -> Result<Option<(f64, f64)>, StoreError> {
        let first = first_strength(puzzle);
        let rate = move |player: Option<StoredRating>, known: Option<StoredRating>| {
            let player = player.map_or_else(Strength::default, strength);
            let known = known.map_or(first, strength);
            let (after, known) = match result {
                PuzzleResult::Helped => (player, known),
                PuzzleResult::Solved => player.after(known, true),
                PuzzleResult::Failed => player.after(known, false),
            };
            PuzzleSettlement {
                result,
                player: (stored(player), stored(after)),
                puzzle: stored(known),
            }
        };
        let (number, now) = (puzzle.number, self.now_ms());
        let settled = self
            .store()
            .settle_puzzle(visitor, set.id(), number, now, rate)
            .await?;
        Ok(settled.map(|settled| (settled.player.0.rating, settled.player.1.rating)))
    }

    /// Begins a run of a visitor; nothing if there are no puzzles.
    ///
    /// # Errors
    /// The store failed.
    pub async fn begin_run(
        &self,
        visitor: &str,
        set: BuiltIn,
        kind: RunKind,
    ) -> Result<Option<PuzzleRun>, StoreError> {
        let Some(puzzle) = run_puzzle(set, 0) else {
            return Ok(None);
        };
        let run = PuzzleRun {
            id: fresh_id(),
            owner: visitor.into(),
            rules: set.id().into(),
            kind: kind.word().into(),
            score: 0,
            misses: 0,
            puzzle,
            began_ms: self.now_ms(),
            ended_ms: None,
        };
        self.store().begin_puzzle_run(&run).await?;
        Ok(Some(run))
    }

    /// A run of a visitor as it stands: one whose time is up is over.
    ///
    /// # Errors
    /// The store failed, or there is no such run.
    pub async fn puzzle_run(&self, visitor: &str, id: &str) -> Result<PuzzleRun, StoreError> {
        let mut run = self.store().puzzle_run(visitor, id).await?;
        if run.ended_ms.is_none() && self.run_left_ms(&run) == Some(0) {
            let before = run.clone();
            run.ended_ms = Some(run.began_ms + RUSH_MS);
            self.store().advance_puzzle_run(&before, &run).await?;
        }
        Ok(run)
    }

    /// The milliseconds that a run has left, if it is against the clock.
    #[must_use]
    pub fn run_left_ms(&self, run: &PuzzleRun) -> Option<i64> {
        let is_rush = RunKind::from_word(&run.kind) == Some(RunKind::Rush);
        is_rush.then(|| (run.began_ms + RUSH_MS - self.now_ms()).max(0))
    }

    /// A run after its puzzle was solved or missed; nothing if it has gone on meanwhile, or is over.
    ///
    /// # Errors
    /// The store failed.
    pub async fn advance_run(
        &self,
        run: &PuzzleRun,
        is_solved: bool,
    ) -> Result<Option<PuzzleRun>, StoreError> {
        let (Some(kind), Ok(set)) = (RunKind::from_word(&run.kind), run.rules.parse::<BuiltIn>())
        else {
            return Ok(None);
        };
        let mut after = run.clone();
        match is_solved {
            true => after.score += 1,
            false => after.misses += 1,
        }
        let done = after.score + after.misses;
        after.puzzle = run_puzzle(set, done).unwrap_or(run.puzzle);
        if after.misses >= kind.misses() {
            after.ended_ms = Some(self.now_ms());
        }
        let kept = self.store().advance_puzzle_run(run, &after).await?;
        Ok(kept.then_some(after))
    }
}

/// A puzzle that ships under a rule set, by the texts of a request.
#[must_use]
pub fn puzzle_of(rules: &str, number: u32) -> Option<(BuiltIn, &'static Puzzle)> {
    let set = rules.parse::<BuiltIn>().ok()?;
    Some((set, puzzle(set, number)?))
}
