//! Checks a foreign client: leads it through scripted games, puts the questions of the rules to it,
//! and says what it does right and wrong.

mod probe;
mod script;
mod session;

use std::{
    collections::BTreeMap,
    fmt,
    num::NonZeroUsize,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use tablut_challenge::message::word;
use tablut_rules::{BySide, Side, text::harmless};

use self::{
    probe::{FirstState, PROBES, Probe},
    script::{SCRIPTS, Script},
    session::Failure,
};
use crate::{MoverOptions, template::Template};

/// What a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// A heading: what is tried next.
    Title,
    /// As it should be.
    Good,
    /// Works, but could be better.
    Note,
    /// Wrong: it loses games, or fails with some server.
    Bad,
}

/// Something that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub mark: Mark,
    /// In plain words.
    pub text: String,
}

impl Finding {
    fn new(mark: Mark, text: impl Into<String>) -> Self {
        // What a client sends must not command the terminal.
        let text = harmless(&text.into()).into_owned();
        Self { mark, text }
    }
}

/// A part of the rules that a client is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Camps are walls to who does not start from them.
    Camps,
    /// Nobody stops on the empty castle or crosses it.
    Castle,
    /// Nobody passes over another piece.
    Pieces,
    /// Camps and castle help to capture.
    Anvils,
    /// How the king is captured.
    KingCapture,
    /// How the king escapes.
    Escape,
    /// A repeated position is a draw.
    Repetition,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Camps,
        Self::Castle,
        Self::Pieces,
        Self::Anvils,
        Self::KingCapture,
        Self::Escape,
        Self::Repetition,
    ];
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Camps => "camps",
            Self::Castle => "castle",
            Self::Pieces => "pieces in the way",
            Self::Anvils => "captures against camps and castle",
            Self::KingCapture => "capture of the king",
            Self::Escape => "escape of the king",
            Self::Repetition => "repetition",
        })
    }
}

/// What a client made of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProbeVerdict {
    /// It did nothing against the rule, in these words.
    Passed(String),
    /// It did something wrong, in these words.
    Wrong(String),
    /// It was not asked, for this reason.
    NotProbed(String),
}

/// What a client of some colour made of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleJudgement {
    /// Its colour.
    pub side: Side,
    /// The rule.
    pub rule: Rule,
    /// What came of it.
    pub verdict: ProbeVerdict,
}

/// What was found out about a client.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComplianceReport {
    /// How far apart its states have to be, in milliseconds, if it needs that.
    pub pace_ms: Option<u64>,
    /// Whether it plays from the first state that it is sent; nothing if that could not be found
    /// out.
    pub honours_first_state: BySide<Option<bool>>,
    /// The rules it was asked about, White first.
    pub rules: Vec<RuleJudgement>,
}

/// A client to be checked, and how.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its command line.
    pub words: Vec<String>,
    /// How far its states are apart, in milliseconds; by default as close as possible, and
    /// the check finds out whether that is too close.
    pub pace_ms: Option<u64>,
    /// How many games may be played at once.
    pub at_once: NonZeroUsize,
}

impl Check {
    /// Checks the client. Everything is reported to `watch` as it is found.
    pub fn run(&self, options: &MoverOptions, watch: &mut dyn FnMut(Finding)) -> ComplianceReport {
        let mut report = ComplianceReport::default();
        let Some(template) = Template::from_words(self.words.clone()) else {
            watch(Finding::new(Mark::Bad, "there is no command to start"));
            return report;
        };
        let mut inquiry = Inquiry {
            template,
            options: MoverOptions {
                pace_ms: self.pace_ms.unwrap_or(0),
                ..options.clone()
            },
            may_slow_down: self.pace_ms.is_none(),
            at_once: self.at_once.get(),
            report: &mut report,
            watch,
        };
        // A client that cannot be started, or was stopped, has been reported.
        let _ = inquiry.games();
        report
    }
}

/// Nothing more can be found out.
struct Halt;

/// A check under way.
struct Inquiry<'a> {
    template: Template,
    options: MoverOptions,
    /// Whether a client that fails may be tried again with states farther apart.
    may_slow_down: bool,
    at_once: usize,
    report: &'a mut ComplianceReport,
    watch: &'a mut dyn FnMut(Finding),
}

/// One of the games that are played beside others.
#[derive(Clone, Copy)]
enum CheckJob {
    Script(Side, &'static Script),
    FirstState(Side),
    Probe(&'static Probe),
    /// A game from the start, for who knows no other.
    Tempting(Side),
}

/// What came of a game.
enum Done {
    Script(script::Played),
    FirstState(FirstState),
    Probe(probe::Answer),
    Tempting(probe::Tempted),
}

impl CheckJob {
    const fn side(self) -> Side {
        match self {
            Self::Script(side, _) | Self::FirstState(side) | Self::Tempting(side) => side,
            Self::Probe(probe) => probe.side,
        }
    }
}

impl Inquiry<'_> {
    fn say(&mut self, mark: Mark, text: impl Into<String>) {
        (self.watch)(Finding::new(mark, text));
    }

    /// All games. Those that others depend on come first.
    fn games(&mut self) -> Result<(), Halt> {
        let normal = Side::WHITE_FIRST.map(|side| CheckJob::Script(side, &SCRIPTS[0]));
        let mut can_play = BySide::both(false);
        self.play(&normal, |_, job, can| can_play[job.side()] = can)?;
        let able = Side::WHITE_FIRST.into_iter().filter(|&side| can_play[side]);
        let mut jobs = Vec::new();
        for side in able.clone() {
            let rest = SCRIPTS[1..].iter().filter(|script| {
                // Who needs a pause has shown what it makes of that.
                !(script.is_joined() && self.options.pace_ms > 0)
            });
            jobs.extend(rest.map(|script| CheckJob::Script(side, script)));
            jobs.push(CheckJob::FirstState(side));
        }
        self.play(&jobs, |_, _, _| {})?;
        let mut jobs = Vec::new();
        for side in Side::WHITE_FIRST {
            let honours = self.report.honours_first_state[side];
            let all = PROBES.iter().filter(|probe| probe.side == side);
            match (can_play[side], honours) {
                (true, Some(true)) => jobs.extend(all.map(CheckJob::Probe)),
                (true, _) => jobs.push(CheckJob::Tempting(side)),
                (false, _) => {
                    let why = "it does not finish a normal game";
                    self.leave_out(side, why);
                }
            }
        }
        let mut titled = BySide::both(false);
        self.play(&jobs, |inquiry, job, _| {
            let is_first = !std::mem::replace(&mut titled[job.side()], true);
            if is_first && matches!(job, CheckJob::Probe(_)) {
                let title = format!("{}: rules, from given positions", word(job.side()));
                inquiry.say(Mark::Title, title);
            }
        })
    }

    /// Notes that a client of some colour was asked about no rule.
    fn leave_out(&mut self, side: Side, why: &str) {
        let verdict = ProbeVerdict::NotProbed(why.into());
        self.report
            .rules
            .extend(Rule::ALL.map(|rule| RuleJudgement {
                side,
                rule,
                verdict: verdict.clone(),
            }));
        self.say(Mark::Title, format!("{}: rules", word(side)));
        self.say(Mark::Note, format!("not probed: {why}"));
    }

    /// Plays games side by side, and tells of each in its order. `done` hears whether more can be found
    /// out, before it is reported.
    fn play(
        &mut self,
        jobs: &[CheckJob],
        mut done: impl FnMut(&mut Self, CheckJob, bool),
    ) -> Result<(), Halt> {
        let (template, options) = (self.template.clone(), self.options.clone());
        let run = |job: &CheckJob| run(*job, &template, &options);
        let stop = options.stop.clone();
        let mut halted = Ok(());
        side_by_side(jobs, self.at_once, &run, &mut |job, played| {
            if halted.is_err() || stop.is_finishing() {
                halted = Err(Halt);
                return false;
            }
            // A client that needs a pause between states plays well enough with it, and one that
            // made an illegal move can be asked which others it would make.
            let played = self.mend(*job, played);
            let is_well = match &played {
                Done::Script(script::Played { failure, .. }) => failure
                    .as_ref()
                    .is_none_or(|failure| failure.illegal.is_some()),
                _ => true,
            };
            done(self, *job, is_well);
            halted = self.tell(*job, played);
            halted.is_ok()
        });
        if stop.is_finishing() {
            return Err(Halt);
        }
        halted
    }

    /// Plays a scripted game that failed once more with states farther apart, if that may be why.
    fn mend(&mut self, job: CheckJob, done: Done) -> Done {
        let (CheckJob::Script(side, script), Done::Script(played)) = (job, &done) else {
            return done;
        };
        let may_be_why = |failure: &Failure| failure.states > 1 && !failure.is_everything;
        if !self.may_slow_down || !played.failure.as_ref().is_some_and(may_be_why) {
            return done;
        }
        let slower = MoverOptions {
            pace_ms: MoverOptions::PACE_MS,
            ..self.options.clone()
        };
        let mut again = script::play(&self.template, side, script, &slower);
        if again.failure.is_some() {
            return done;
        }
        self.options.pace_ms = slower.pace_ms;
        self.report.pace_ms = Some(slower.pace_ms);
        let ms = slower.pace_ms;
        again.findings.push(Finding::new(
            Mark::Bad,
            format!(
                "your client reads without framing: when two states come in quick succession, \
                 it treats them as one and waits for a state that it has already read. The mistake is \
                 where it reads from the socket: it has to read the four bytes of the length, then exactly \
                 that many bytes, in a loop until all have arrived, and leave the rest for the \
                 next time (Java: readInt and readFully of DataInputStream). With states {ms} ms apart, \
                 as the Java server sends them, it played this game: `--pace {ms}` makes our \
                 server do the same, and is the default"
            ),
        ));
        Done::Script(again)
    }

    /// Tells what came of a game, and keeps what the report wants to know.
    fn tell(&mut self, job: CheckJob, done: Done) -> Result<(), Halt> {
        let side = job.side();
        match (job, done) {
            (CheckJob::Script(_, script), Done::Script(played)) => {
                self.say(Mark::Title, format!("{}: {}", word(side), script.title));
                played.findings.into_iter().for_each(&mut *self.watch);
                if let Some(failure) = played.failure {
                    self.say(Mark::Bad, failure.text);
                    if failure.is_everything {
                        return Err(Halt);
                    }
                }
            }
            (_, Done::FirstState(found)) => {
                self.report.honours_first_state[side] = found.honours;
                self.say(Mark::Title, format!("{}: a given first state", word(side)));
                (self.watch)(found.finding);
            }
            (CheckJob::Probe(probe), Done::Probe(answer)) => {
                answer.findings.into_iter().for_each(&mut *self.watch);
                self.report.rules.push(RuleJudgement {
                    side,
                    rule: probe.rule,
                    verdict: answer.verdict,
                });
            }
            (_, Done::Tempting(tempted)) => {
                let title = format!("{}: rules, in a game from the start", word(side));
                self.say(Mark::Title, title);
                (self.watch)(tempted.finding);
                let judgements = tempted.verdicts.into_iter();
                let judgement = |(rule, verdict)| RuleJudgement {
                    side,
                    rule,
                    verdict,
                };
                self.report.rules.extend(judgements.map(judgement));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Plays a game.
fn run(job: CheckJob, template: &Template, options: &MoverOptions) -> Done {
    match job {
        CheckJob::Script(side, script) => {
            Done::Script(script::play(template, side, script, options))
        }
        CheckJob::FirstState(side) => Done::FirstState(probe::first_state(template, side, options)),
        CheckJob::Probe(probe) => Done::Probe(probe.ask(template, options)),
        CheckJob::Tempting(side) => Done::Tempting(probe::tempt(template, side, options)),
    }
}

/// Does jobs on several threads, and hands over what comes of them in their order until nobody wants
/// more.
fn side_by_side<J: Sync, T: Send>(
    jobs: &[J],
    at_once: usize,
    run: &(dyn Fn(&J) -> T + Sync),
    take: &mut dyn FnMut(&J, T) -> bool,
) {
    let next = AtomicUsize::new(0);
    let (sender, done) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((n, job)) = {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    jobs.get(n).map(|job| (n, job))
                } {
                    if sender.send((n, run(job))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (n, result) in done {
            early.insert(n, result);
            while let Some(result) = early.remove(&wanted) {
                if !take(&jobs[wanted], result) {
                    // Those under way end by themselves; no more begin.
                    next.store(jobs.len(), Ordering::Relaxed);
                    return;
                }
                wanted += 1;
            }
        }
    });
}
