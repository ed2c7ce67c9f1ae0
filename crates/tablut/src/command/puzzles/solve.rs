//! `tablut puzzles`: solving them in the terminal, line by line.

use std::{
    io::{self, BufRead, Write},
    sync::Arc,
};

use anyhow::{Result, bail};
use clap::Args;
use tablut_host::{Host, Limits, PuzzleFilter, daily_puzzle, speech::sentence};
use tablut_review::puzzle::{self, Judgement, Motif, Puzzle, Refuted, words as said};
use tablut_rules::{BuiltIn, Game, Move, Rules, text::Lang};
use tablut_store::{PuzzleResult, Store};
use tokio::runtime::{self, Runtime};

use super::words::{Words, words};
use crate::{
    Status,
    command::{
        play::{Colour, owner},
        serve,
        typed::{self, Word},
    },
    input,
};

/// What is solved, and how.
#[derive(Args)]
pub(super) struct Arguments {
    /// The rule set
    #[arg(long, short, value_name = "ID", default_value = "ashton")]
    rules: BuiltIn,
    /// Only puzzles about this
    #[arg(long, value_name = "MOTIF", value_parser = motif)]
    motif: Option<Motif>,
    /// Only puzzles for this side
    #[arg(long, value_name = "COLOUR")]
    side: Option<Colour>,
    /// Only puzzles whose solution has this many moves of both sides together: 1 to save a game, 3, 5, 7 or
    /// 9 to win
    #[arg(long, value_name = "N")]
    length: Option<u32>,
    /// The puzzle of the day first
    #[arg(long, conflicts_with = "number")]
    daily: bool,
    /// The puzzle with this number first
    #[arg(long, short = 'n', value_name = "N")]
    number: Option<u32>,
    /// Where ratings are kept: a file, or a PostgreSQL URL [default: $TABLUT_STORE, or tablut.db in the
    /// user's data folder]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    /// The language [default: from LANG]
    #[arg(long, alias = "language", value_parser = input::lang_parser())]
    lang: Option<Lang>,
}

fn motif(text: &str) -> Result<Motif, String> {
    let known = || Motif::ALL.map(Motif::word).join(", ");
    Motif::from_word(text).ok_or_else(|| format!("the motifs are {}", known()))
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let place = serve::place(self.store.as_deref())?;
        let store = runtime.block_on(Store::open(&place))?;
        let lang = input::lang(self.lang);
        let mut desk = PuzzleDesk {
            runtime,
            host: Host::new(store, Limits::default()),
            owner: owner(),
            set: self.rules,
            rules: self.rules.rules(),
            lang,
            words: words(lang),
        };
        let first = match (self.number, self.daily) {
            (Some(number), _) => match puzzle::puzzle(self.rules, number) {
                Some(found) => Some(found),
                None => bail!("there is no puzzle {number} under {}", self.rules),
            },
            (None, true) => {
                let number = daily_puzzle(self.rules, desk.host.now_ms());
                number.and_then(|number| puzzle::puzzle(self.rules, number))
            }
            (None, false) => None,
        };
        let filter = PuzzleFilter {
            after: None,
            motif: self.motif,
            side: self.side.map(Into::into),
            plies: self.length,
        };
        desk.run(out, &mut io::stdin().lock(), first, filter)
    }
}

/// What came of a puzzle.
enum Next {
    /// Another one is wanted.
    Another,
    /// That was all.
    Stop,
}

/// One person at a terminal.
struct PuzzleDesk {
    runtime: Runtime,
    host: Host,
    owner: String,
    set: BuiltIn,
    rules: Arc<Rules>,
    lang: Lang,
    words: &'static Words,
}

impl PuzzleDesk {
    fn run(
        &mut self,
        out: &mut impl Write,
        lines: &mut impl BufRead,
        first: Option<&'static Puzzle>,
        mut filter: PuzzleFilter,
    ) -> Result<Status> {
        let mut next = first;
        loop {
            let found = match next.take() {
                Some(found) => Some(found),
                None => {
                    let asked = self.host.next_puzzle(&self.owner, self.set, filter);
                    self.runtime.block_on(asked)?
                }
            };
            let Some(found) = found else {
                bail!("there is no such puzzle under {}; ask for less", self.set);
            };
            filter.after = Some(found.number);
            if let Next::Stop = self.solve(out, lines, found)? {
                return Ok(Status::Good);
            }
        }
    }

    /// Shows a puzzle until it is solved or left.
    fn solve(
        &mut self,
        out: &mut impl Write,
        lines: &mut impl BufRead,
        found: &'static Puzzle,
    ) -> Result<Next> {
        let Ok(mut game) = found.game(&self.rules) else {
            bail!("puzzle {} cannot be set up", found.number);
        };
        let (mut made, mut hints) = (0, 0);
        let title = format!("{} {}", self.words.puzzle, found.number);
        writeln!(out, "\n{title} ({:.0})", found.first_rating())?;
        typed::board(out, &game)?;
        writeln!(out, "{}", found.task(self.lang))?;
        writeln!(out, "{}", self.words.help)?;
        loop {
            match typed::word(out, lines)? {
                Word::Stop => return Ok(Next::Stop),
                Word::Next => return Ok(Next::Another),
                Word::Hint => {
                    self.count(out, found, PuzzleResult::Helped)?;
                    self.hint(out, found, made, hints)?;
                    hints += 1;
                }
                Word::Solution => {
                    self.count(out, found, PuzzleResult::Failed)?;
                    let left = &found.solution[made..];
                    writeln!(out, "{}", said::solution(left, self.lang))?;
                    return Ok(Next::Another);
                }
                Word::Move(step) => {
                    if self.attempt(out, found, &mut game, &mut made, step)? {
                        return Ok(Next::Another);
                    }
                }
                Word::Back | Word::Unknown => writeln!(out, "{}", self.words.help)?,
            }
        }
    }

    /// Tries a move; true if the puzzle is solved.
    fn attempt(
        &mut self,
        out: &mut impl Write,
        found: &'static Puzzle,
        game: &mut Game,
        made: &mut usize,
        step: Move,
    ) -> Result<bool> {
        let before = *game.position();
        match puzzle::judge(found, game, *made, step)? {
            Judgement::Illegal(reason) => {
                writeln!(out, "{}", sentence(&reason.sentence(self.lang)))?;
                Ok(false)
            }
            Judgement::Right { reply } => {
                let is_last = reply.is_none();
                let text = said::praise(&self.rules, &before, step, is_last, self.lang);
                writeln!(out, "{text}")?;
                for played in [Some(step), reply].into_iter().flatten() {
                    game.play(played)?;
                    *made += 1;
                }
                if is_last {
                    self.count(out, found, PuzzleResult::Solved)?;
                } else {
                    typed::board(out, game)?;
                }
                Ok(is_last)
            }
            Judgement::Wrong => {
                let refuted = puzzle::refute(found, game, *made, step)?;
                let text = match refuted {
                    Refuted::By(reply) => {
                        self.count(out, found, PuzzleResult::Failed)?;
                        // The refutation is shown, and then the position as it was.
                        let mut shown = game.clone();
                        shown.play(step)?;
                        shown.play(reply)?;
                        typed::board(out, &shown)?;
                        said::blame(Some(reply), self.lang)
                    }
                    Refuted::AtOnce => {
                        self.count(out, found, PuzzleResult::Failed)?;
                        said::blame(None, self.lang)
                    }
                    Refuted::Slower => said::slower(self.lang).into(),
                };
                writeln!(out, "{text} {}", self.words.again)?;
                Ok(false)
            }
        }
    }

    /// Help in steps: what it is about, which piece moves, where it goes.
    fn hint(&self, out: &mut impl Write, found: &Puzzle, made: usize, hints: usize) -> Result<()> {
        let right = found.solution[made];
        let names = || {
            let names = found.motifs.iter().map(|motif| motif.name(self.lang));
            names.collect::<Vec<_>>().join(", ")
        };
        let text = match hints {
            0 if !found.motifs.is_empty() => names(),
            0 | 1 => said::hint(right.from(), self.lang),
            _ => said::solution(&[right], self.lang),
        };
        writeln!(out, "{text}")?;
        Ok(())
    }

    /// Keeps the first result of a puzzle, and says what it changes.
    fn count(&self, out: &mut impl Write, found: &Puzzle, result: PuzzleResult) -> Result<()> {
        let settled = self
            .host
            .settle_puzzle(&self.owner, self.set, found, result);
        if let Some((before, after)) = self.runtime.block_on(settled)? {
            let rating = self.words.rating;
            writeln!(out, "{rating} {after:.0} ({:+.0})", after - before)?;
        }
        Ok(())
    }
}
