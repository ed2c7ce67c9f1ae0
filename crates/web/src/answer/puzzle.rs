//! Puzzles: which one is shown, what is tried in it, and help. What is right never leaves the server before
//! it was played or given up.

use std::collections::{BTreeMap, HashMap};

use tablut_host::{
    PuzzleFilter, RunKind, daily_puzzle, puzzle_of,
    speech::{self, Phrase},
};
use tablut_review::puzzle::{
    Judgement, Motif, Puzzle, Refuted, built_in_puzzles, judge, puzzle, refute, words,
};
use tablut_rules::{BuiltIn, Game, Move};
use tablut_store::{PuzzleResult, PuzzleRun};
use tokio::task::spawn_blocking;

use super::{Answered, Visit};
use crate::{
    message::{
        Answer, HelpName, Problem, PuzzleChoice, PuzzleGroup, PuzzleHelp, PuzzleInfo,
        PuzzleTrialInfo, PuzzleTryEntry, PuzzlesInfo, RunInfo, TrialInfo, TrialResult,
    },
    state::{self, Winning},
};

/// How many tries a page shows.
const HISTORY: usize = 30;

/// A rating as people see it.
const fn shown(rating: f64) -> i64 {
    rating.round() as i64
}

/// The puzzles by side, length and motif, and all of each side and length.
fn groups(all: &[Puzzle], is_solved: impl Fn(&&Puzzle) -> bool) -> Vec<PuzzleGroup> {
    let mut groups = BTreeMap::new();
    for puzzle in all {
        let (side, plies) = (puzzle.side(), puzzle.plies());
        let words = puzzle.motifs.iter().map(|motif| Some(motif.word()));
        for motif in words.chain([None]) {
            let key = (side.colour(), plies, motif);
            let group = groups.entry(key).or_insert_with(|| PuzzleGroup {
                side,
                plies,
                motif: motif.map(Into::into),
                count: 0,
                solved: 0,
            });
            group.count += 1;
            group.solved += usize::from(is_solved(&puzzle));
        }
    }
    groups.into_values().collect()
}

impl Visit {
    fn puzzle_set(&self, id: &str) -> Result<BuiltIn, Problem> {
        self.rules(id)?;
        let set = id.parse::<BuiltIn>();
        set.or_else(|_| self.problem(Phrase::NoSuchPuzzle))
    }

    pub(super) async fn puzzles(&self, id: &str) -> Answered {
        self.rules(id)?;
        let Ok(set) = id.parse::<BuiltIn>() else {
            // A set that somebody wrote has lessons, but nobody has made puzzles for it.
            return Ok(Answer::Puzzles(PuzzlesInfo::default()));
        };
        let record = self.host.puzzle_record(&self.visitor.id, set).await;
        let record = self.kept(record)?;
        let results: HashMap<u32, PuzzleResult> = record
            .tries
            .iter()
            .map(|one| (one.number, one.result))
            .collect();
        let is_solved =
            |puzzle: &&Puzzle| results.get(&puzzle.number) == Some(&PuzzleResult::Solved);
        let all = built_in_puzzles(set);
        let motifs = Motif::ALL.into_iter().map(|motif| {
            let name = motif.name(self.lang).to_string();
            (motif.word().to_string(), name)
        });
        let history = record.tries.iter().take(HISTORY);
        let history = history.map(|one| PuzzleTryEntry {
            number: one.number,
            result: one.result.word().into(),
            rating: shown(one.rating),
            gain: shown(one.gain),
            tried_ms: one.tried_ms,
        });
        Ok(Answer::Puzzles(PuzzlesInfo {
            count: all.len(),
            motifs: motifs.collect(),
            groups: groups(all, is_solved),
            rating: shown(record.player.rating),
            error: shown(1.96 * record.player.deviation),
            solved: all.iter().filter(is_solved).count(),
            daily: record.daily.map(|number| {
                let result = results.get(&number).map(|result| result.word().into());
                (number, result)
            }),
            streak: record.best.0,
            rush: record.best.1,
            history: history.collect(),
        }))
    }

    pub(super) async fn puzzle(&mut self, id: &str, choice: &PuzzleChoice) -> Answered {
        let set = self.puzzle_set(id)?;
        let visitor = self.visitor.id.clone();
        let mut run = None;
        let found = match choice {
            PuzzleChoice::Number { number } => puzzle(set, *number),
            PuzzleChoice::Daily => {
                let number = daily_puzzle(set, self.host.now_ms());
                number.and_then(|number| puzzle(set, number))
            }
            PuzzleChoice::Next {
                motif,
                side,
                plies,
                after,
            } => {
                let filter = PuzzleFilter {
                    motif: motif.as_deref().and_then(Motif::from_word),
                    side: *side,
                    plies: *plies,
                    after: *after,
                };
                self.kept(self.host.next_puzzle(&visitor, set, filter).await)?
            }
            PuzzleChoice::Begin { run: kind } => {
                let Some(kind) = RunKind::from_word(kind) else {
                    return self.problem(Phrase::NoSuchPuzzle);
                };
                self.settle().await?;
                run = self.kept(self.host.begin_run(&visitor, set, kind).await)?;
                run.as_ref().and_then(|run| puzzle(set, run.puzzle))
            }
            PuzzleChoice::Run { run: id } => {
                let own = self.kept(self.host.puzzle_run(&visitor, id).await)?;
                if own.ended_ms.is_some() {
                    return self.problem(Phrase::RunOver);
                }
                let found = puzzle(set, own.puzzle);
                run = Some(own);
                found
            }
        };
        let Some(found) = found else {
            return self.problem(Phrase::NoSuchPuzzle);
        };
        let game = self.puzzle_game(set, found)?;
        let tries = self.kept(self.host.store().puzzle_tries(&visitor, id).await)?;
        let tried = tries.iter().find(|one| one.number == found.number);
        let rating = self.kept(self.host.puzzle_rating(set, found).await)?;
        let motifs = found.motifs.iter();
        Ok(Answer::Puzzle(PuzzleInfo {
            number: found.number,
            task: found.task(self.lang),
            motifs: motifs.map(|motif| motif.name(self.lang).into()).collect(),
            rating: shown(rating),
            tried: tried.map(|one| one.result.word().into()),
            run: run.map(|run| self.run_info(&run)),
            board: state::task_board(&game, Winning::Hidden),
        }))
    }

    fn puzzle_game(&self, set: BuiltIn, puzzle: &Puzzle) -> Result<Game, Problem> {
        let game = puzzle.game(&set.rules());
        game.or_else(|_| self.problem(Phrase::NoSuchPuzzle))
    }

    fn run_info(&self, run: &PuzzleRun) -> RunInfo {
        RunInfo {
            id: run.id.clone(),
            kind: run.kind.clone(),
            score: run.score,
            misses: run.misses,
            left_ms: self.host.run_left_ms(run),
            over: run.ended_ms.is_some(),
        }
    }

    /// The puzzle that a request is about, and its game after the first moves of the solution, of both
    /// sides.
    fn line_of(
        &self,
        id: &str,
        number: u32,
        made: &[String],
    ) -> Result<(BuiltIn, &'static Puzzle, Game), Problem> {
        self.puzzle_set(id)?;
        let Some((set, found)) = puzzle_of(id, number) else {
            return self.problem(Phrase::NoSuchPuzzle);
        };
        let made = self.steps(made)?;
        let mut game = self.puzzle_game(set, found)?;
        let is_own = found.solution.starts_with(&made) && made.len() < found.solution.len();
        if !is_own || made.iter().any(|&step| game.play(step).is_err()) {
            return self.problem(Phrase::NotThatLine);
        }
        Ok((set, found, game))
    }

    pub(super) async fn try_puzzle(
        &mut self,
        (id, number): (&str, u32),
        made: &[String],
        tried: &str,
        run: Option<&str>,
    ) -> Answered {
        let (set, found, mut game) = self.line_of(id, number, made)?;
        let tried = self.step(tried)?;
        let run = match run {
            None => None,
            Some(run) => {
                let own = self.host.puzzle_run(&self.visitor.id, run).await;
                let own = self.kept(own)?;
                if own.ended_ms.is_some() || own.puzzle != number || own.rules != id {
                    return self.problem(Phrase::RunOver);
                }
                Some(own)
            }
        };
        let Ok(judged) = judge(found, &game, made.len(), tried) else {
            return self.problem(Phrase::NotThatLine);
        };
        let before = *game.position();
        let (result, text, reply) = match judged {
            Judgement::Illegal(reason) => {
                return Err(speech::illegal(self.lang, &reason).into());
            }
            Judgement::Right { reply } => {
                let is_last = reply.is_none();
                let text = words::praise(game.rules(), &before, tried, is_last, self.lang);
                let result = if is_last {
                    TrialResult::Done
                } else {
                    TrialResult::Right
                };
                (result, text, reply)
            }
            Judgement::Wrong => self.refuted(found, &game, made.len(), tried).await?,
        };
        for step in [Some(tried), reply].into_iter().flatten() {
            if game.play(step).is_err() {
                return self.problem(Phrase::NotThatLine);
            }
        }
        let (rating, run) = self.count_trial(set, found, result, run).await?;
        let mut board = state::task_board(&game, Winning::Hidden);
        if result != TrialResult::Right {
            board.targets.clear();
        }
        Ok(Answer::PuzzleTrial(PuzzleTrialInfo {
            trial: TrialInfo {
                result,
                text,
                reply: reply.map(|reply| reply.to_string()),
                board,
            },
            rating,
            run: run.map(|run| self.run_info(&run)),
        }))
    }

    /// What is said of a wrong move, and what the opponent answers.
    async fn refuted(
        &self,
        found: &'static Puzzle,
        game: &Game,
        made: usize,
        tried: Move,
    ) -> Result<(TrialResult, String, Option<Move>), Problem> {
        let game = game.clone();
        let refuted = spawn_blocking(move || refute(found, &game, made, tried)).await;
        let Ok(Ok(refuted)) = refuted else {
            return self.problem(Phrase::NotThatLine);
        };
        Ok(match refuted {
            Refuted::By(reply) => {
                let text = words::blame(Some(reply), self.lang);
                (TrialResult::Wrong, text, Some(reply))
            }
            Refuted::AtOnce => (TrialResult::Wrong, words::blame(None, self.lang), None),
            Refuted::Slower => (TrialResult::Slower, words::slower(self.lang).into(), None),
        })
    }

    /// Keeps what a trial changes: a rating, or a run.
    async fn count_trial(
        &mut self,
        set: BuiltIn,
        found: &Puzzle,
        result: TrialResult,
        run: Option<PuzzleRun>,
    ) -> Result<(Option<(i64, i64)>, Option<PuzzleRun>), Problem> {
        let is_solved = match result {
            TrialResult::Done => true,
            TrialResult::Wrong => false,
            TrialResult::Right | TrialResult::Slower => return Ok((None, run)),
        };
        self.settle().await?;
        if let Some(run) = run {
            let advanced = self.host.advance_run(&run, is_solved).await;
            return match self.kept(advanced)? {
                Some(after) => Ok((None, Some(after))),
                None => self.problem(Phrase::RunOver),
            };
        }
        let result = match is_solved {
            true => PuzzleResult::Solved,
            false => PuzzleResult::Failed,
        };
        Ok((self.settle_trial(set, found, result).await?, None))
    }

    async fn settle_trial(
        &self,
        set: BuiltIn,
        found: &Puzzle,
        result: PuzzleResult,
    ) -> Result<Option<(i64, i64)>, Problem> {
        let settled = self
            .host
            .settle_puzzle(&self.visitor.id, set, found, result);
        let settled = self.kept(settled.await)?;
        Ok(settled.map(|(before, after)| (shown(before), shown(after))))
    }

    pub(super) async fn puzzle_help(
        &mut self,
        id: &str,
        number: u32,
        made: &[String],
        help: HelpName,
    ) -> Answered {
        let (set, found, _) = self.line_of(id, number, made)?;
        let left = &found.solution[made.len()..];
        let Some(&right) = left.first() else {
            return self.problem(Phrase::NotThatLine);
        };
        let (from, to) = (right.from().to_string(), right.to().to_string());
        let (text, squares) = match help {
            HelpName::Motif => {
                let names = found.motifs.iter().map(|motif| motif.name(self.lang));
                (names.collect::<Vec<_>>().join(", "), Vec::new())
            }
            HelpName::Piece => (words::hint(right.from(), self.lang), vec![from]),
            HelpName::Move => (words::solution(&[right], self.lang), vec![from, to]),
            HelpName::Solution => (words::solution(left, self.lang), vec![from, to]),
        };
        self.settle().await?;
        let result = match help {
            HelpName::Solution => PuzzleResult::Failed,
            HelpName::Motif | HelpName::Piece | HelpName::Move => PuzzleResult::Helped,
        };
        let rating = self.settle_trial(set, found, result).await?;
        let moves = match help {
            HelpName::Solution => left.iter().map(Move::to_string).collect(),
            HelpName::Motif | HelpName::Piece | HelpName::Move => Vec::new(),
        };
        Ok(Answer::PuzzleHelp(PuzzleHelp {
            text,
            squares,
            moves,
            rating,
        }))
    }
}
