//! What was acknowledged: in memory, and line by line in a journal that survives the bench.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::File,
    io::{BufWriter, Write},
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use anyhow::{Context, Result};

/// A game, as acknowledged to its players.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownGame {
    /// The token of the one who made it.
    pub(super) maker: String,
    /// The moves that were acknowledged, in their order.
    pub(super) moves: Vec<String>,
    /// Whether a resignation was acknowledged.
    pub(super) is_resigned: bool,
    /// Whether a resignation was asked for, whatever came of it.
    pub(super) may_be_resigned: bool,
    /// Whether the other side is the computer, which asks nobody before it moves.
    pub(super) plays_computer: bool,
    /// Acknowledgements that the last audit has seen.
    pub(super) audited: usize,
}

impl KnownGame {
    /// The game itself, its moves, and its end.
    pub(super) fn items(&self) -> usize {
        1 + self.moves.len() + usize::from(self.is_resigned)
    }

    /// How many moves may have been kept that nobody has heard of: one whose acknowledgement did not
    /// arrive, and the computer's answer to it.
    pub(super) fn unseen(&self) -> usize {
        1 + usize::from(self.plays_computer)
    }
}

/// What a place that can be overwritten holds: the last content that was acknowledged, and what was
/// asked for since without an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownPlace {
    pub(super) kept: Option<String>,
    pub(super) maybe: Vec<String>,
    /// Acknowledgements since the last audit.
    pub(super) fresh: usize,
}

/// A result that a worker or a run printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KnownResult {
    /// Who won and why, in the words of the program.
    pub(super) outcome: String,
    pub(super) plies: u32,
    pub(super) is_audited: bool,
}

/// A game that the referee said is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KnownContest {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) moves: Vec<String>,
    pub(super) winner: Option<String>,
    pub(super) reason: String,
    pub(super) is_audited: bool,
}

/// Who plays: those whose play has to go on after a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// A game by link or against the computer, by the number of its table.
    Table(usize),
    Tournament,
    Referee,
}

/// What is wrong: each thing once, however often it is seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Wrong {
    pub(super) lost: BTreeSet<String>,
    pub(super) doubled: BTreeSet<String>,
    pub(super) changed: BTreeSet<String>,
    pub(super) locked: BTreeSet<String>,
}

impl Wrong {
    pub(super) fn counts(&self) -> [usize; 4] {
        [
            self.lost.len(),
            self.doubled.len(),
            self.changed.len(),
            self.locked.len(),
        ]
    }
}

/// Everything that is known.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub(super) games: HashMap<String, KnownGame>,
    /// By token and number.
    pub(super) slots: BTreeMap<(String, u8), KnownPlace>,
    /// By token and name.
    pub(super) positions: BTreeMap<(String, String), KnownPlace>,
    /// By tournament and number of the game, from 1.
    pub(super) results: BTreeMap<(String, usize), KnownResult>,
    /// Tournaments that a run has called finished.
    pub(super) finished: BTreeSet<String>,
    pub(super) contests: Vec<KnownContest>,
    pub(super) wrong: Wrong,
    /// Acknowledgements of any kind.
    pub(super) acknowledged: usize,
    /// Writes that were refused or failed, as reported to players and workers.
    pub(super) refused: usize,
    /// The refusals that players received, and how often.
    pub(super) words: BTreeMap<String, usize>,
    last: BTreeMap<Part, Instant>,
}

#[derive(Debug)]
pub(super) struct Ledger {
    book: Mutex<Book>,
    journal: Mutex<BufWriter<File>>,
}

impl Ledger {
    pub(super) fn new(journal: &Path) -> Result<Self> {
        let file = File::create(journal)
            .with_context(|| format!("cannot write to {}", journal.display()))?;
        Ok(Self {
            book: Mutex::default(),
            journal: Mutex::new(BufWriter::new(file)),
        })
    }

    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an acknowledgement: what it was for the journal, who got it, and what it changes.
    fn note(&self, part: Part, line: &str, change: impl FnOnce(&mut Book)) {
        let mut book = self.book();
        change(&mut book);
        book.acknowledged += 1;
        book.last.insert(part, Instant::now());
        drop(book);
        self.write(line);
    }

    /// Writes to the journal; if that fails, the memory still knows.
    pub(super) fn write(&self, line: &str) {
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(journal, "{line}").and_then(|()| journal.flush());
    }

    pub(super) fn game_made(&self, table: usize, game: &str, maker: &str) {
        self.note(Part::Table(table), &format!("game {game}"), |book| {
            let known = KnownGame {
                maker: maker.into(),
                ..KnownGame::default()
            };
            book.games.insert(game.into(), known);
        });
    }

    pub(super) fn plays_computer(&self, game: &str) {
        if let Some(known) = self.book().games.get_mut(game) {
            known.plays_computer = true;
        }
    }

    pub(super) fn moved(&self, table: usize, game: &str, step: &str) {
        let line = format!("move {game} {step}");
        self.note(Part::Table(table), &line, |book| {
            if let Some(known) = book.games.get_mut(game) {
                known.moves.push(step.into());
            }
        });
    }

    /// A move that was kept without an acknowledgement that arrived: it counts from now on, because
    /// the server has shown it.
    pub(super) fn shown(&self, game: &str, step: &str) {
        let mut book = self.book();
        if let Some(known) = book.games.get_mut(game) {
            known.moves.push(step.into());
        }
        book.acknowledged += 1;
        drop(book);
        self.write(&format!("shown {game} {step}"));
    }

    pub(super) fn resigning(&self, game: &str) {
        if let Some(known) = self.book().games.get_mut(game) {
            known.may_be_resigned = true;
        }
    }

    pub(super) fn resigned(&self, table: usize, game: &str) {
        self.note(Part::Table(table), &format!("resigned {game}"), |book| {
            if let Some(known) = book.games.get_mut(game) {
                known.is_resigned = true;
            }
        });
    }

    pub(super) fn saving_slot(&self, token: &str, number: u8, content: &str) {
        let mut book = self.book();
        let place = book.slots.entry((token.into(), number)).or_default();
        place.maybe.push(content.into());
    }

    pub(super) fn saved_slot(&self, table: usize, token: &str, number: u8, content: &str) {
        let line = format!("slot {token} {number} {content}");
        self.note(Part::Table(table), &line, |book| {
            let place = book.slots.entry((token.into(), number)).or_default();
            *place = KnownPlace {
                kept: Some(content.into()),
                maybe: Vec::new(),
                fresh: place.fresh + 1,
            };
        });
    }

    pub(super) fn saved_position(&self, table: usize, token: &str, name: &str, content: &str) {
        let line = format!("position {token} {name} {content}");
        self.note(Part::Table(table), &line, |book| {
            let key = (token.into(), name.into());
            let place = book.positions.entry(key).or_default();
            place.kept = Some(content.into());
            place.fresh += 1;
        });
    }

    pub(super) fn result(&self, tournament: &str, number: usize, outcome: &str, plies: u32) {
        let line = format!("result {tournament} {number} {outcome} {plies}");
        self.note(Part::Tournament, &line, |book| {
            let known = KnownResult {
                outcome: outcome.into(),
                plies,
                is_audited: false,
            };
            let key = (tournament.into(), number);
            if book.results.insert(key, known).is_some() {
                let what = format!("{tournament}, game {number}: acknowledged twice");
                book.wrong.doubled.insert(what);
            }
        });
    }

    pub(super) fn tournament_over(&self, tournament: &str) {
        self.book().finished.insert(tournament.into());
        self.write(&format!("over {tournament}"));
    }

    pub(super) fn contest_over(&self, contest: KnownContest) {
        let line = format!("contest {} {}", contest.white, contest.black);
        self.note(Part::Referee, &line, |book| book.contests.push(contest));
    }

    pub(super) fn refused(&self, why: &str) {
        let mut book = self.book();
        book.refused += 1;
        *book.words.entry(why.into()).or_default() += 1;
    }

    /// The parts that have had no acknowledgement since a moment.
    pub(super) fn silent_since(&self, parts: &[Part], moment: Instant) -> Vec<Part> {
        let book = self.book();
        let is_silent = |part: &&Part| book.last.get(part).is_none_or(|last| *last <= moment);
        parts.iter().filter(is_silent).copied().collect()
    }
}
