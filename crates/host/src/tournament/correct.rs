//! Corrections of a tournament that is kept: what each does to the fixtures, and whether it can be undone.

use std::collections::BTreeSet;

use tablut_arena::tournament::{Amended, Change, ChangeError, Misfit};
use tablut_store::{
    Amendment, Fixture, FixtureResult, LogEntry, Note, Ruling, State, Store, StoreError, Tournament,
};

use super::{Contest, ContestError, Logged};
use crate::host::wall_clock_ms;

/// How often a correction is tried while games end and other corrections come between.
const TRIES: usize = 50;

/// The longest reason, in characters.
const LONGEST: usize = 500;

/// Who makes a correction, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Author {
    /// Who, and from where.
    pub by: String,
    /// Why.
    pub why: String,
}

/// A correction that was made, or undone.
#[derive(Clone, PartialEq, Debug)]
pub struct Corrected {
    /// Its number in the log.
    pub number: u64,
    /// What it changed, or had changed.
    pub change: Change,
    /// What the team was called that it is about.
    pub team: Option<String>,
    /// What else the organiser has to know.
    pub notices: Vec<Notice>,
}

/// What follows from a correction besides what was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// How many games in progress are dropped.
    Dropped(usize),
    /// The final does not follow from the tables any more; it has not been played and is made anew.
    FinalAnew,
    /// The final does not follow from the tables any more, but it has been played.
    FinalPlayed,
}

/// What an organiser asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum CorrectionWish {
    /// A correction.
    Make(Change),
    /// That the correction with a number is undone, or the last one that stands.
    Undo(Option<u64>),
    /// That the tournament is brought back that was put away.
    Restore,
}

impl From<Change> for CorrectionWish {
    fn from(change: Change) -> Self {
        Self::Make(change)
    }
}

impl Contest {
    /// Makes a correction, or undoes one.
    ///
    /// # Errors
    /// The store failed, the correction does not fit, or it cannot be undone any more.
    pub async fn correct(
        store: &Store,
        id: &str,
        wish: &CorrectionWish,
        author: &Author,
    ) -> Result<Corrected, ContestError> {
        amend(store, id, wish, author).await
    }
}

fn unfit(misfit: Misfit) -> ContestError {
    ChangeError::Unfit(misfit).into()
}

async fn amend(
    store: &Store,
    id: &str,
    wish: &CorrectionWish,
    author: &Author,
) -> Result<Corrected, ContestError> {
    let why = author.why.trim();
    if why.is_empty() {
        return Err(unfit(Misfit::NoReason));
    }
    if why.chars().count() > LONGEST || why.chars().any(char::is_control) {
        return Err(unfit(Misfit::LongReason(LONGEST)));
    }
    let note = Note {
        at_ms: wall_clock_ms(),
        by: author.by.clone(),
        why: why.into(),
    };
    let mut tries = 0;
    loop {
        let kept = Contest::sealed(store, id).await?;
        let draft = Correcting {
            before: Contest::new(&kept)?,
            fixtures: store.fixtures(id).await?,
            aside: store.results_set_aside(id).await?,
            kept,
        };
        let (amendment, mut corrected) = draft.plan(wish, &note)?;
        match store.amend(id, &amendment).await {
            Ok(number) => {
                corrected.number = number;
                return Ok(corrected);
            }
            // A game has ended, or another correction came between: it is looked at anew.
            Err(StoreError::Stale) if tries < TRIES => tries += 1,
            Err(error) => return Err(error.into()),
        }
    }
}

/// A tournament that is to be corrected.
struct Correcting {
    kept: Tournament,
    before: Contest,
    fixtures: Vec<Fixture>,
    aside: std::collections::BTreeMap<u64, FixtureResult>,
}

impl Correcting {
    fn fixture(&self, number: usize) -> Result<&Fixture, ContestError> {
        let found = self.fixtures.iter().find(|one| one.number == number);
        found.ok_or_else(|| unfit(Misfit::NoGame(number + 1)))
    }

    /// Everything that a wish does.
    fn plan(
        &self,
        wish: &CorrectionWish,
        note: &Note,
    ) -> Result<(Amendment, Corrected), ContestError> {
        let log = &self.before.log;
        let standing = || log.iter().filter(|one| one.undone.is_none());
        match wish {
            CorrectionWish::Make(change) => {
                let number = log.len() as u64 + 1;
                self.check(change)?;
                let with = |change| {
                    let changes = standing().map(|one| (one.number, &one.change));
                    changes.chain([(number, change)]).collect::<Vec<_>>()
                };
                let read = |changes: &[(u64, &Change)]| {
                    let after = Amended::read(&self.kept.plan, changes.iter().copied());
                    after.map_err(|error| match error {
                        // Nothing rests on what is not there yet.
                        ChangeError::NeededBy { by, why } if by == number => {
                            ChangeError::Unfit(why)
                        }
                        error => error,
                    })
                };
                // A secret is looked at as it is said, and kept so that nobody can read it.
                read(&with(change))?;
                let change = &change.sealed(&self.kept.id);
                let changes = with(change);
                let after = read(&changes)?;
                let entry = LogEntry::New(change.to_text()?);
                self.compare(change, entry, after, &changes, note)
            }
            CorrectionWish::Undo(_) | CorrectionWish::Restore => {
                let undone = match wish {
                    CorrectionWish::Undo(Some(number)) => {
                        standing().find(|one| one.number == *number)
                    }
                    CorrectionWish::Undo(None) => standing().next_back(),
                    _ => standing().find(|one| one.change == Change::Archive),
                };
                let undone = undone.ok_or_else(|| unfit(missing(log, wish)))?;
                if self.before.is_archived() && undone.change != Change::Archive {
                    return Err(ContestError::Archived(self.kept.id.clone()));
                }
                let left = standing().filter(|one| one.number != undone.number);
                let changes: Vec<_> = left.map(|one| (one.number, &one.change)).collect();
                if let Change::Replay { game } = undone.change {
                    let later = changes.iter().find(|(number, change)| {
                        *number > undone.number && **change == Change::Replay { game }
                    });
                    if let Some((by, _)) = later {
                        let (by, why) = (*by, Misfit::SameGame);
                        return Err(ChangeError::NeededBy { by, why }.into());
                    }
                }
                let after = Amended::read(&self.kept.plan, changes.iter().copied())?;
                let entry = LogEntry::Undo(undone.number);
                self.compare(&undone.change, entry, after, &changes, note)
            }
        }
    }

    /// Whether a new correction is about something that is there.
    fn check(&self, change: &Change) -> Result<(), ContestError> {
        if self.before.is_archived() {
            return Err(ContestError::Archived(self.kept.id.clone()));
        }
        let (Change::Replay { game } | Change::Result { game, .. }) = change else {
            return Ok(());
        };
        let fixture = self.fixture(*game)?;
        let is_replay = matches!(change, Change::Replay { .. });
        match fixture.ruling {
            Some(Ruling::Annulled) => Err(unfit(Misfit::Annulled)),
            Some(Ruling::Withdrawn) if is_replay => Err(unfit(Misfit::Withdrawn)),
            _ if is_replay && fixture.result.is_none() => Err(unfit(Misfit::NoResult(game + 1))),
            _ => Ok(()),
        }
    }

    /// What has to be done to the fixtures so that they are as the corrections say.
    fn compare(
        &self,
        change: &Change,
        entry: LogEntry,
        amended: Amended,
        changes: &[(u64, &Change)],
        note: &Note,
    ) -> Result<(Amendment, Corrected), ContestError> {
        let after = self.before.with(amended);
        let replay = match change {
            Change::Replay { game } => match entry {
                LogEntry::New(_) => self.fixture(*game)?.played.is_some().then_some(*game),
                LogEntry::Undo(_) => Some(*game),
            },
            _ => None,
        };
        let mut notices = Vec::new();
        let mut remove: BTreeSet<usize> = match entry {
            LogEntry::Undo(number) => self.added_by(number)?,
            LogEntry::New(_) => BTreeSet::new(),
        };
        let mut left = self.fixtures_after(&after, &entry, replay, &remove);
        let late = match (change, &entry) {
            (Change::AddTeam { number, .. }, LogEntry::New(_)) => Some(*number),
            _ => None,
        };
        let judged = self.judge_final(&after, &left, late.is_some(), changes);
        notices.extend(judged);
        if judged == Some(Notice::FinalAnew) {
            let finals = left.iter().filter(|one| one.stage.is_none());
            remove.extend(finals.map(|one| one.number));
            left.retain(|one| one.stage.is_some());
        }
        let add = late.map_or(Vec::new(), |team| after.late(team, &left));
        for (number, change) in changes {
            if let Change::Replay { game } | Change::Result { game, .. } = change
                && remove.contains(game)
            {
                let (by, why) = (*number, Misfit::AboutGame(game + 1));
                return Err(ChangeError::NeededBy { by, why }.into());
            }
        }
        let restart = self.to_restart(&after, &remove);
        let dropped = restart.iter().filter(|number| {
            let fixture = self.fixtures.iter().find(|one| one.number == **number);
            fixture.is_some_and(|one| one.is_claimed)
        });
        match dropped.count() {
            0 => (),
            count => notices.push(Notice::Dropped(count)),
        }
        let stays = |one: &&Fixture| !remove.contains(&one.number);
        let kept = || self.fixtures.iter().filter(stays);
        let remote = |one: &Fixture| one.teams.values().any(|&team| after.is_remote(team));
        let amendment = Amendment {
            version: self.kept.version,
            note: note.clone(),
            state: match (self.before.is_archived(), after.is_archived()) {
                (false, true) => Some(State::Archived),
                (true, false) => Some(State::Paused),
                _ => None,
            },
            rulings: kept()
                .map(|one| (one, after.ruling(one)))
                .filter(|(one, ruling)| one.ruling != *ruling)
                .map(|(one, ruling)| (one.number, ruling))
                .collect(),
            remote: kept()
                .filter(|one| one.is_remote != remote(one))
                .map(|one| (one.number, remote(one)))
                .collect(),
            restart,
            replay,
            remove: remove.into_iter().collect(),
            add,
            entry,
        };
        let corrected = Corrected {
            number: 0,
            change: change.clone(),
            team: change
                .team()
                .map(|number| self.before.team(number).to_string()),
            notices,
        };
        Ok((amendment, corrected))
    }

    /// The fixtures that a correction added, which must not have been played if it is to be undone.
    fn added_by(&self, correction: u64) -> Result<BTreeSet<usize>, ContestError> {
        let added = || {
            let all = self.fixtures.iter();
            all.filter(|one| one.added_by == Some(correction))
        };
        match added().find(|one| one.played.is_some()) {
            Some(one) => Err(unfit(Misfit::LatePlayed(one.number + 1))),
            None => Ok(added().map(|one| one.number).collect()),
        }
    }

    /// The fixtures as they will be.
    fn fixtures_after(
        &self,
        after: &Contest,
        entry: &LogEntry,
        replay: Option<usize>,
        removed: &BTreeSet<usize>,
    ) -> Vec<Fixture> {
        let stays = |one: &&Fixture| !removed.contains(&one.number);
        let amended = |one: &Fixture| {
            let mut one = one.clone();
            if replay == Some(one.number) {
                one.played = match entry {
                    LogEntry::New(_) => None,
                    LogEntry::Undo(number) => self.aside.get(number).cloned().or(one.played),
                };
            }
            one.ruling = after.ruling(&one);
            one.result = FixtureResult::counting(one.played.as_ref(), one.ruling);
            one
        };
        self.fixtures.iter().filter(stays).map(amended).collect()
    }

    /// Whether there is a final that does not follow from the tables as they will be.
    fn judge_final(
        &self,
        after: &Contest,
        left: &[Fixture],
        has_more: bool,
        changes: &[(u64, &Change)],
    ) -> Option<Notice> {
        let finals: Vec<&Fixture> = left.iter().filter(|one| one.stage.is_none()).collect();
        if finals.is_empty() {
            return None;
        }
        let teams: BTreeSet<usize> = finals
            .iter()
            .flat_map(|one| one.teams.values())
            .copied()
            .collect();
        let groups = || left.iter().filter(|one| one.stage.is_some());
        let is_open = has_more || groups().any(|one| !one.is_settled());
        if !is_open && after.winners(left).into_iter().collect::<BTreeSet<_>>() == teams {
            return None;
        }
        let is_named = |one: &Fixture| {
            changes.iter().any(|(_, change)| {
                matches!(change, Change::Replay { game } | Change::Result { game, .. } if *game == one.number)
            })
        };
        let is_touched = finals
            .iter()
            .any(|one| one.played.is_some() || is_named(one));
        Some(match is_touched {
            true => Notice::FinalPlayed,
            false => Notice::FinalAnew,
        })
    }

    /// The fixtures without a result that nobody may go on with who plays them now.
    fn to_restart(&self, after: &Contest, removed: &BTreeSet<usize>) -> Vec<usize> {
        let archives = after.is_archived() && !self.before.is_archived();
        let is_other = |team: usize| {
            let plays = |contest: &Contest| Some(contest.plan.teams.get(team)?.plays.clone());
            plays(&self.before) != plays(after)
        };
        let concerned = |one: &&Fixture| {
            one.played.is_none()
                && !removed.contains(&one.number)
                && (archives && one.is_claimed
                    || one.ruling != after.ruling(one)
                    || one.teams.values().any(|&team| is_other(team)))
        };
        let all = self.fixtures.iter().filter(concerned);
        all.map(|one| one.number).collect()
    }
}

impl Contest {
    /// The same tournament with other corrections.
    fn with(&self, amended: Amended) -> Self {
        Self {
            plan: amended.plan.clone().into(),
            amended: amended.into(),
            ..self.clone()
        }
    }

    /// What the corrections say of a fixture.
    fn ruling(&self, fixture: &Fixture) -> Option<Ruling> {
        self.amended.ruling(fixture.number, fixture.teams)
    }

    /// The fixtures of a late team, behind those that there are.
    fn late(&self, team: usize, fixtures: &[Fixture]) -> Vec<Fixture> {
        let group = &self.plan.teams[team].group;
        let ours = fixtures
            .iter()
            .filter(|one| one.stage.as_ref() == Some(group));
        let round = ours.map(|one| one.round).max().unwrap_or(0);
        let first = fixtures.iter().map(|one| one.number + 1).max().unwrap_or(0);
        let others = self.amended.opponents(team);
        let late = self.to_store(&self.plan.late_fixtures(team, &others, first, round));
        let ruled = late.into_iter().map(|one| Fixture {
            ruling: self.ruling(&one),
            ..one
        });
        ruled.collect()
    }
}

/// Why there is nothing to undo.
fn missing(log: &[Logged], wish: &CorrectionWish) -> Misfit {
    match wish {
        CorrectionWish::Undo(Some(number)) if log.iter().any(|one| one.number == *number) => {
            Misfit::UndoneAlready(*number)
        }
        CorrectionWish::Undo(Some(number)) => Misfit::NoCorrection(*number),
        CorrectionWish::Restore => Misfit::NotArchived,
        _ => Misfit::NothingToUndo,
    }
}
