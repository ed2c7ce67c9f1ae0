//! A worker: does the jobs that are in the store, for visitors of whichever process.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use serde::Serialize;
use tablut_store::{Heard, JobClaim, JobKind, ProcessReport, Release, Store, StoreNotice};
use tokio::{
    sync::broadcast::error::RecvError,
    task::{AbortHandle, JoinSet},
    time::{Instant, sleep, sleep_until, timeout},
};

use super::errand::{Errand, MoveFound, Work};
use crate::{Busy, EnginePool, Inquiry, Job, Unanswered, fresh_id, replica::ticks};

/// How long nobody else begins a job of a worker of which nothing is heard, and how often something is.
const LEASE_MS: i64 = 5000;
const RENEWAL: Duration = Duration::from_millis(1500);

/// How often what was found so far is told at most.
const TELLING: Duration = Duration::from_millis(200);

/// How often it is tried to bring a result to a store that fails, and how long to wait before that.
const TRIES: usize = 20;
const AGAIN: Duration = Duration::from_millis(500);

/// How many moves a worker takes for each core: most are short, and take turns.
const MOVES_PER_CORE: usize = 4;

/// Does jobs until it is told to stop.
pub struct Worker {
    desk: WorkerDesk,
    kinds: Vec<JobKind>,
    cores: usize,
    /// Itself, as the store names it.
    id: String,
    /// Itself, as people name it.
    name: String,
}

/// What a job is done with.
#[derive(Clone)]
struct WorkerDesk {
    store: Store,
    pool: Arc<EnginePool>,
}

/// What became of a job here.
enum Performed {
    /// What it found, or why it cannot be done by anybody.
    Done(Result<String, String>),
    /// Nothing, since this machine has no place for it now.
    NoPlace,
    /// Nothing, though it was tried.
    Failed,
}

impl Performed {
    /// For the log.
    const fn word(&self) -> &'static str {
        match self {
            Self::Done(Ok(_)) => "done",
            Self::Done(Err(_)) => "impossible",
            Self::NoPlace => "no place",
            Self::Failed => "failed",
        }
    }
}

/// A job under way here.
struct UnderWay {
    claim: JobClaim,
    task: AbortHandle,
}

/// All of them, by their ids.
type Jobs = HashMap<String, UnderWay>;

impl Worker {
    /// A worker for some kinds of jobs, with so many engines that think at once and a table of `hash_mb`
    /// megabytes for each.
    #[must_use]
    pub fn new(
        store: Store,
        kinds: Vec<JobKind>,
        cores: usize,
        hash_mb: u64,
        name: String,
    ) -> Self {
        // Orders were counted before they came here.
        let pool = Arc::new(EnginePool::new(cores, hash_mb, None).taking_all());
        Self {
            desk: WorkerDesk { store, pool },
            kinds,
            cores: cores.max(1),
            id: fresh_id(),
            name,
        }
    }

    /// Works until `stop` comes, or an administrator ends it. What is under way then goes back at once, to be
    /// begun by another.
    pub async fn run(&self, stop: impl Future<Output = ()>) {
        tokio::pin!(stop);
        let store = &self.desk.store;
        let mut notices = store.notices();
        let (mut tasks, mut jobs) = (JoinSet::new(), Jobs::new());
        let [mut renewal, mut beat, mut look] =
            [RENEWAL, store.beat_every(), store.look_every()].map(ticks);
        loop {
            tokio::select! {
                () = &mut stop => break,
                _ = beat.tick() => {
                    if self.beat(jobs.len()).await {
                        break;
                    }
                }
                _ = renewal.tick() => self.renew(&mut jobs).await,
                Some(_) = tasks.join_next() => jobs.retain(|_, job| !job.task.is_finished()),
                notice = notices.recv() => match notice {
                    Ok(StoreNotice::Job(id)) => self.check(&id, &mut jobs).await,
                    Ok(StoreNotice::Game(..) | StoreNotice::Study(_)) => continue,
                    Ok(StoreNotice::Jobs | StoreNotice::Missed) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => break,
                },
                _ = look.tick() => {}
            }
            self.fill(&mut tasks, &mut jobs).await;
        }
        for job in jobs.into_values() {
            job.task.abort();
            // If nobody hears it, the lease ends soon.
            let _ = store.release_job(&job.claim, Release::Willing).await;
        }
        let _ = store.bury(&self.id, true).await;
    }

    /// Says that it is alive; true if it is told to end.
    async fn beat(&self, orders: usize) -> bool {
        let words: Vec<&str> = self.kinds.iter().map(|kind| kind.word()).collect();
        let report = ProcessReport {
            name: self.name.clone(),
            is_worker: true,
            jobs: words.join(","),
            engines: self.cores as u64,
            orders: orders as u64,
            ..ProcessReport::default()
        };
        match self.desk.store.beat(&self.id, &report).await {
            Ok(Heard { drains, .. }) => drains,
            Err(error) => {
                tracing::warn!(%error, "the store does not hear that this worker is alive");
                false
            }
        }
    }

    /// Claims what there is room for.
    async fn fill(&self, tasks: &mut JoinSet<()>, jobs: &mut Jobs) {
        loop {
            let has_room = |&&kind: &&JobKind| {
                let most = match kind {
                    JobKind::Games => MOVES_PER_CORE * self.cores,
                    JobKind::Analysis | JobKind::Puzzles => self.cores,
                };
                jobs.values().filter(|job| job.claim.kind == kind).count() < most
            };
            let kinds: Vec<JobKind> = self.kinds.iter().filter(has_room).copied().collect();
            let claim = self.desk.store.claim_job(&kinds, &self.id, LEASE_MS).await;
            let claim = match claim {
                Ok(Some(claim)) => claim,
                Ok(None) => return,
                Err(error) => {
                    tracing::warn!(%error, "no job can be claimed");
                    return;
                }
            };
            let task = self.desk.start(claim.clone(), tasks);
            jobs.insert(claim.id.clone(), UnderWay { claim, task });
        }
    }

    /// Makes leases longer, and stops what is not ours any more.
    async fn renew(&self, jobs: &mut Jobs) {
        let store = &self.desk.store;
        // What fails is done the next time, or by another.
        let _ = store.tidy_jobs().await;
        let Ok(own) = store.renew_jobs(&self.id, LEASE_MS).await else {
            return;
        };
        jobs.retain(|id, job| {
            let mut own = own.iter();
            let is_ours = own.any(|(own, attempt)| own == id && *attempt == job.claim.attempt);
            if !is_ours {
                job.task.abort();
            }
            is_ours
        });
    }

    /// Stops a job that nobody wants any more.
    async fn check(&self, id: &str, jobs: &mut Jobs) {
        if !jobs.contains_key(id) {
            return;
        }
        let is_over = match self.desk.store.job(id).await {
            Ok(stored) => stored.is_none_or(|stored| stored.has_ended),
            Err(_) => false,
        };
        if is_over && let Some(job) = jobs.remove(id) {
            job.task.abort();
        }
    }
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").finish_non_exhaustive()
    }
}

impl WorkerDesk {
    /// Begins a job, as one of the tasks.
    fn start(&self, claim: JobClaim, tasks: &mut JoinSet<()>) -> AbortHandle {
        tasks.spawn(self.clone().serve(claim))
    }

    /// Does a job and brings what it found. One that could not be done here goes back.
    async fn serve(self, claim: JobClaim) {
        let limit = Duration::from_millis(claim.limit_ms);
        let begun = Instant::now();
        let done = match timeout(limit, self.perform(&claim)).await {
            Ok(done) => done,
            Err(_) => Performed::Done(Err("it took too long".into())),
        };
        tracing::info!(
            job = claim.id,
            kind = %claim.kind,
            attempt = claim.attempt,
            waited_ms = claim.waited_ms,
            took_ms = begun.elapsed().as_millis() as u64,
            outcome = done.word(),
            "job"
        );
        let found = match done {
            Performed::Done(found) => found,
            Performed::NoPlace => {
                let _ = self.store.release_job(&claim, Release::Willing).await;
                // Another worker may be quicker now; this one would have no place for it again.
                return sleep(AGAIN).await;
            }
            Performed::Failed => {
                let _ = self.store.release_job(&claim, Release::Failed).await;
                return;
            }
        };
        let found = found.as_deref().map_err(String::as_str);
        for _ in 0..TRIES {
            match self.store.end_job(&claim, found).await {
                Err(error) if error.may_pass() => sleep(AGAIN).await,
                // It is there, or nobody wants it from us any more.
                _ => return,
            }
        }
        let _ = self.store.release_job(&claim, Release::Failed).await;
    }

    /// Does a job.
    async fn perform(&self, claim: &JobClaim) -> Performed {
        let errand: Result<Errand, _> = serde_json::from_str(&claim.parameters);
        let work = errand
            .map_err(|error| error.to_string())
            .and_then(|errand| errand.prepare(&claim.owner, claim.waited_ms));
        match work {
            Ok(Work::Move(order)) => answer(self.pool.order(*order), MoveFound::from).await,
            Ok(Work::Puzzles(task)) => {
                answer(self.pool.mine(&claim.owner, *task), |found| found).await
            }
            Ok(Work::Inquiry(task)) => match self.pool.inquire(&claim.owner, *task, |_| {}) {
                Ok(inquiry) => self.inquire(claim, inquiry).await,
                Err(_) => Performed::NoPlace,
            },
            Err(fault) => Performed::Done(Err(fault)),
        }
    }

    /// Tells what an inquiry finds, until it is done.
    async fn inquire(&self, claim: &JobClaim, mut inquiry: Inquiry) -> Performed {
        loop {
            let news = inquiry.news().await;
            let told_at = Instant::now();
            let finding = news.finding.as_deref().map(write);
            match finding {
                None if news.is_done => return Performed::Failed,
                Some(found) if news.is_done => return Performed::Done(found),
                Some(Ok(found)) => match self.store.tell_job(claim, &found).await {
                    Ok(true) => {}
                    // Nobody wants it from us any more; it does no harm to say that it is given back.
                    Ok(false) => return Performed::Failed,
                    // The next finding tells more.
                    Err(_) => {}
                },
                Some(Err(_)) | None => {}
            }
            sleep_until(told_at + TELLING).await;
        }
    }
}

/// What comes of work in the pool, in the form in which it is written.
async fn answer<T, W: Serialize>(job: Result<Job<T>, Busy>, form: impl Fn(T) -> W) -> Performed {
    let Ok(mut job) = job else {
        return Performed::NoPlace;
    };
    match job.found().await {
        Ok(found) => Performed::Done(write(&form(found))),
        Err(Unanswered::Broken(fault)) => Performed::Done(Err(fault)),
        Err(Unanswered::Busy(_)) => Performed::NoPlace,
        Err(Unanswered::Stopped) => Performed::Failed,
    }
}

fn write(found: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(found).map_err(|error| error.to_string())
}
