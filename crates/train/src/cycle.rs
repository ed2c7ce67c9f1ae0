//! Generations: play, learn, and let the new network play the last one; the better one goes on.
//!
//! Everything stands in a folder: `N.games` are games of the best network before candidate N,
//! `N.network` is what was learnt from the last few of them, `lineage.jsonl` has a line for each
//! candidate that was judged. Whoever stops a cycle loses at most the game being played.

use std::{
    fs,
    io::Write,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tablut_arena::{
    Opening, Player, Stop, Tuning, TuningEvaluation, TuningLimit, opening,
    series::{Entrant, Series, SeriesEvent, SeriesStanding},
    stats::{Sprt, Tally},
};
use tablut_engine::{Evaluation, Network};
use tablut_guest::{MoverOptions, mover};
use tablut_rules::{Rules, Side};

use crate::{
    data::Header,
    fit::{Course, fit, loss_of},
    play::{SelfPlayPlan, play},
    sample::SampleSet,
};

/// What a cycle works with.
pub struct Cycle {
    /// The rules.
    pub rules: Arc<Rules>,
    /// Where everything is kept.
    pub folder: PathBuf,
    /// The network that plays the first games and has to be beaten first, such as that of a similar
    /// rule set; without one, the evaluation written by hand.
    pub from: Option<PathBuf>,
    /// When to end.
    pub time: Duration,
    /// Games for each candidate.
    pub games: usize,
    /// Positions for a move in them.
    pub nodes: u64,
    /// How many files of games a candidate learns from.
    pub window: usize,
    /// How to learn.
    pub course: Course,
    /// What both players may spend on a move of the match.
    pub limit: TuningLimit,
    /// The most pairs of games of the match.
    pub pairs: usize,
    /// The openings of the match, and of every other game of self-play.
    pub openings: Vec<Opening>,
    /// How many games at once.
    pub threads: usize,
    /// How many candidates in a row may gain less than ten points before the cycle ends.
    pub patience: usize,
}

/// A candidate that was judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judged {
    /// The number of the candidate.
    pub candidate: u32,
    /// The candidate it had to beat; 0 is what the cycle began with.
    pub before: u32,
    /// The files of games it learnt from.
    pub data: Vec<u32>,
    /// Games in them.
    pub games: usize,
    /// Positions in them that were learnt from.
    pub positions: usize,
    /// Nodes for a move in the last of them.
    pub nodes: u64,
    /// Passes over the data.
    pub passes: usize,
    /// The loss of the rounded network on games that were not learnt from.
    pub loss: f64,
    /// What both players had for a move.
    pub limit: String,
    /// Won, drawn and lost with black, then with white.
    pub black: (u64, u64, u64),
    /// The same with white.
    pub white: (u64, u64, u64),
    /// The gain with its error.
    pub elo: Option<(f64, Option<f64>)>,
    /// Whether it was kept.
    pub kept: bool,
}

impl Judged {
    /// What it gained, in Elo points.
    #[must_use]
    pub fn gain(&self) -> String {
        match self.elo {
            None => "no result".into(),
            Some((elo, None)) => format!("{elo:+.0}"),
            Some((elo, Some(margin))) => format!("{elo:+.0} ± {margin:.0}"),
        }
    }
}

impl Cycle {
    /// Runs until the time is up, nothing is gained any more, or it is stopped.
    ///
    /// # Errors
    /// Something cannot be read, written or played.
    pub fn run(&self, stop: &Stop, say: &mut dyn FnMut(&str)) -> Result<()> {
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        let end = Instant::now() + self.time;
        let mut judged = self.lineage()?;
        while Instant::now() < end && !stop.is_finishing() {
            let last = judged.iter().rev().take(self.patience);
            let idle = last.filter(|j| !j.kept || j.elo.is_some_and(|(elo, _)| elo < 10.0));
            if idle.count() >= self.patience {
                say("nothing has been gained for a while: the end");
                break;
            }
            let best = judged
                .iter()
                .rev()
                .find(|j| j.kept)
                .map_or(0, |j| j.candidate);
            let next = judged.last().map_or(0, |j| j.candidate) + 1;
            let Some(new) = self.generation(next, best, stop, say)? else {
                break;
            };
            self.keep(&new)?;
            say(&format!(
                "candidate {next} against {best}: {}; {}",
                new.gain(),
                if new.kept { "kept" } else { "dropped" }
            ));
            judged.push(new);
        }
        Ok(())
    }

    /// The network of the best candidate so far.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn best(&self) -> Result<Option<PathBuf>> {
        let best = self.lineage()?.into_iter().rev().find(|j| j.kept);
        Ok(best.map(|j| self.made(j.candidate)))
    }

    /// All candidates that were judged.
    ///
    /// # Errors
    /// The lineage cannot be read.
    pub fn lineage(&self) -> Result<Vec<Judged>> {
        let path = self.folder.join("lineage.jsonl");
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = fs::read_to_string(&path)?;
        let lines = text.lines().map(serde_json::from_str);
        lines
            .collect::<Result<_, _>>()
            .with_context(|| format!("{} is damaged", path.display()))
    }

    fn keep(&self, judged: &Judged) -> Result<()> {
        let path = self.folder.join("lineage.jsonl");
        let mut file = fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)?;
        writeln!(file, "{}", serde_json::to_string(judged)?)?;
        Ok(())
    }

    fn data(&self, candidate: u32) -> PathBuf {
        self.folder.join(format!("{candidate}.games"))
    }

    /// Where a candidate's network is written.
    fn made(&self, candidate: u32) -> PathBuf {
        self.folder.join(format!("{candidate}.network"))
    }

    /// The network of a candidate, or of what the cycle began with.
    fn network(&self, candidate: u32) -> Option<PathBuf> {
        match candidate {
            0 => self.from.clone(),
            _ => Some(self.made(candidate)),
        }
    }

    /// Makes and judges a candidate; nothing if it was stopped.
    fn generation(
        &self,
        candidate: u32,
        best: u32,
        stop: &Stop,
        say: &mut dyn FnMut(&str),
    ) -> Result<Option<Judged>> {
        let before = match self.network(best) {
            None => None,
            Some(path) => Some(Arc::new(read_network(&path)?)),
        };
        let evaluation = before.clone().map_or(Evaluation::Hand, Evaluation::Network);
        let plan = SelfPlayPlan {
            rules: Arc::clone(&self.rules),
            header: header(
                &self.rules,
                &evaluation,
                None,
                &PlayTerms {
                    nodes: self.nodes,
                    balance: BALANCE,
                    balancing_plies: BALANCING_PLIES,
                    side: None,
                    seed: self.course.seed,
                    piece: candidate,
                },
                &self.openings,
            ),
            evaluation,
            opponent: None,
            openings: self.openings.clone(),
            games: self.games,
            threads: self.threads,
        };
        play(&plan, &self.data(candidate), stop, &mut |figures| {
            say(&format!("candidate {candidate}: {figures}"));
        })?;
        if stop.is_finishing() {
            return Ok(None);
        }
        let first = (candidate + 1).saturating_sub(self.window as u32).max(1);
        // Networks go from machine to machine, their games do not: what is here is learnt from.
        let files: Vec<u32> = (first..=candidate)
            .filter(|&file| self.data(file).exists())
            .collect();
        let paths: Vec<PathBuf> = files.iter().map(|&file| self.data(file)).collect();
        let samples = SampleSet::read(&paths)?;
        let passes = self.course.passes(before.is_some());
        let network = fit(&samples, &self.course, before.as_deref(), &mut |progress| {
            if progress.pass % 5 == 0 || progress.pass == passes {
                say(&format!("candidate {candidate}: {progress}"));
            }
            !stop.is_finishing()
        });
        if stop.is_finishing() {
            return Ok(None);
        }
        let path = self.made(candidate);
        fs::write(&path, network.write())
            .with_context(|| format!("cannot write {}", path.display()))?;
        let Some(standing) = self.judge(candidate, best, stop, say)? else {
            return Ok(None);
        };
        let tally = |t: Tally| (t.wins, t.draws, t.losses);
        let elo = standing.pairs().elo();
        Ok(Some(Judged {
            candidate,
            before: best,
            data: files,
            games: samples.games,
            positions: samples.learn.len(),
            nodes: self.nodes,
            passes,
            loss: loss_of(&network, &samples, &self.course),
            limit: self.limit.to_string(),
            black: tally(standing.side(Side::Attackers)),
            white: tally(standing.side(Side::Defenders)),
            elo: elo.map(|elo| (elo.logistic.clamp(-2000.0, 2000.0), elo.logistic_margin)),
            kept: standing.total().score().is_some_and(|score| score > 0.5),
        }))
    }

    /// Lets a candidate play the best one before it.
    fn judge(
        &self,
        candidate: u32,
        best: u32,
        stop: &Stop,
        say: &mut dyn FnMut(&str),
    ) -> Result<Option<SeriesStanding>> {
        let entrant = |number: u32| {
            let evaluation = match self.network(number) {
                None => TuningEvaluation::Hand,
                Some(path) => TuningEvaluation::File(path.display().to_string()),
            };
            let player = Player::Tuned(Tuning {
                limit: self.limit,
                evaluation: Some(evaluation),
                changes: Vec::new(),
            });
            let budget = player.budget(None);
            Entrant { player, budget }
        };
        let options = MoverOptions {
            uses_book: false,
            ..MoverOptions::default()
        };
        let series = Series {
            rules: Arc::clone(&self.rules),
            entrants: [entrant(candidate), entrant(best)],
            openings: opening::enough(self.openings.clone(), &self.rules, self.pairs, 1),
            pairs: self.pairs,
            concurrency: NonZeroUsize::new(self.threads).unwrap_or(NonZeroUsize::MIN),
            seed: u64::from(candidate),
            max_plies: Some(300),
            grace_ms: options.grace_ms,
            sprt: Some(Sprt::new(0.0, 10.0, 0.05, 0.05)?),
            is_live: false,
        };
        let report = series.run(&|player| mover(player, &options), stop, &mut |event| {
            if let SeriesEvent::Finished { standing, .. } = event
                && standing.games() % 100 == 0
            {
                let score = standing.total().score().unwrap_or_default();
                say(&format!(
                    "candidate {candidate}: {} games, {:.1} %",
                    standing.games(),
                    100.0 * score
                ));
            }
        })?;
        Ok((!stop.is_finishing()).then_some(report.standing))
    }
}

/// How much an opening may favour a side, in hundredths, unless told otherwise.
pub const BALANCE: i32 = 600;

/// How many plies an opening is played on, unless told otherwise, until it favours the side it should.
pub const BALANCING_PLIES: u8 = 12;

/// What self-play may spend, how it opens, and what chance depends on.
pub struct PlayTerms {
    /// Positions for a move.
    pub nodes: u64,
    /// How much an opening may favour a side, in hundredths; 0 takes openings as they come.
    pub balance: i32,
    /// How many plies an opening is played on until it favours the side it should.
    pub balancing_plies: u8,
    /// The side that is always had against an opponent, if not both in turn.
    pub side: Option<Side>,
    /// What chance depends on.
    pub seed: u64,
    /// The number of the piece.
    pub piece: u32,
}

/// The header of a piece.
#[must_use]
pub fn header(
    rules: &Rules,
    evaluation: &Evaluation,
    opponent: Option<&Evaluation>,
    terms: &PlayTerms,
    openings: &[Opening],
) -> Header {
    let sum = |bytes: &[u8]| {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let network = |network: &Network| format!("network {:016x}", sum(&network.write()));
    let evaluator = |evaluation: &Evaluation| match evaluation {
        Evaluation::BuiltIn => Network::serving(rules).map_or("hand".into(), |n| network(&n)),
        Evaluation::Hand => "hand".into(),
        Evaluation::Network(n) => network(n),
    };
    let texts: String = openings
        .iter()
        .map(|opening| format!("{opening}\n"))
        .collect();
    Header {
        rules: rules.set().id().into(),
        evaluation: evaluator(evaluation),
        opponent: opponent.map(evaluator),
        side: terms.side,
        seed: terms.seed,
        piece: terms.piece,
        nodes: terms.nodes,
        random_plies: (4, 10),
        balance: terms.balance,
        balancing_plies: terms.balancing_plies,
        max_plies: 300,
        openings: (!openings.is_empty()).then(|| (openings.len(), sum(texts.as_bytes()))),
        program: concat!("tablut-train ", env!("CARGO_PKG_VERSION")).into(),
    }
}

/// Reads a network.
///
/// # Errors
/// It cannot be read, or is none.
pub fn read_network(path: &Path) -> Result<Network> {
    let context = || format!("cannot read {}", path.display());
    let bytes = fs::read(path).with_context(context)?;
    Network::read(&bytes).with_context(context)
}
