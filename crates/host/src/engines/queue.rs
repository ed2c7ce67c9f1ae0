//! Engine work as jobs in the store, from the side of those who wait for it.

use std::{
    sync::{Arc, OnceLock, Weak},
    time::Duration,
};

use serde::de::DeserializeOwned;
use tablut_store::{JobKind, JobLimits, NewJob, Store, StoreNotice};
use tokio::{
    sync::{broadcast::error::RecvError, oneshot, watch},
    task::{AbortHandle, spawn_blocking},
    time::{Instant, interval, sleep},
};

use super::{
    bells::{Bell, Bells},
    errand::{Errand, MoveFound},
};
use crate::{
    Busy, EnginePool, Finding, Inquiry, InquiryNews, InquiryTask, Job, MOST_PUZZLE_ORDERS, Order,
    PuzzleFinding, Unanswered, fresh_id,
    mining::PuzzleTask,
    pool::{MOST_INQUIRIES, MOST_OF_ONE},
    replica::Replica,
    room::Sessions,
};

/// How long a job may lie there before whoever waits is told that nobody works on it, or it is done here.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many jobs of all owners may be under way, by whatever processes.
const MOST_OF_ALL: u64 = 4096;

/// How often what is left in the queue is looked after, and for how long nobody else begins what is done here.
const TIDYING: Duration = Duration::from_secs(10);
const LEASE_MS: i64 = 60_000;

/// What is done with a finding in the end.
pub(super) type OnEnd = Box<dyn FnOnce(&Finding) + Send>;

/// The way to the workers. Clones are the same.
#[derive(Clone)]
pub(super) struct Queue {
    inner: Arc<QueueShared>,
}

struct QueueShared {
    store: Store,
    replica: Arc<Replica>,
    sessions: Weak<Sessions>,
    /// Who does what no worker has begun.
    helper: Option<Arc<EnginePool>>,
    bells: Arc<Bells>,
    listener: OnceLock<AbortHandle>,
}

impl Drop for QueueShared {
    fn drop(&mut self) {
        if let Some(listener) = self.listener.get() {
            listener.abort();
        }
    }
}

/// What is heard of a job before it has ended.
enum Word<'a> {
    /// It was not refused.
    Accepted,
    /// What was found so far.
    Found(&'a str),
    /// Nobody works on it, or somebody does again.
    Unserved(bool),
}

/// How a job has ended.
enum JobEnd {
    Found(String),
    Fault(String),
    /// It was not heard of, or is no more.
    Lost,
    /// Its owner or all together have as much under way as they may.
    Refused,
    /// Nobody has begun it: it is to be done here.
    Here,
}

/// Whether the store has a new job.
enum HandedIn {
    Taken,
    Refused,
    /// It could not be asked.
    Failed,
}

/// How much one owner may have under way, at all processes together: as much as at one that does it itself.
fn limits(kind: JobKind) -> JobLimits {
    let (of_kind, of_one) = match kind {
        JobKind::Games => (MOST_OF_ONE, MOST_OF_ONE),
        JobKind::Analysis => (MOST_INQUIRIES, MOST_OF_ONE),
        JobKind::Puzzles => (MOST_PUZZLE_ORDERS, MOST_PUZZLE_ORDERS),
    };
    JobLimits {
        of_kind: of_kind as u64,
        of_one: of_one as u64,
        of_all: MOST_OF_ALL,
    }
}

impl Queue {
    pub(super) fn new(
        store: Store,
        replica: Arc<Replica>,
        sessions: Weak<Sessions>,
        helper: Option<Arc<EnginePool>>,
    ) -> Self {
        Self {
            inner: Arc::new(QueueShared {
                store,
                replica,
                sessions,
                helper,
                bells: Arc::default(),
                listener: OnceLock::new(),
            }),
        }
    }

    /// How many jobs are waited for here.
    pub(super) fn load(&self) -> usize {
        self.inner.bells.count()
    }

    /// Orders a move from whoever takes it.
    pub(super) fn order(&self, order: Order) -> Job {
        let job = self.job(&Errand::of_move(&order), &order.owner, &order.address);
        self.send::<_, MoveFound>(job, |pool| pool.order(order))
    }

    /// Lets whoever takes it look for puzzles, or prove them.
    pub(super) fn mine(&self, owner: &str, task: PuzzleTask) -> Job<PuzzleFinding> {
        let order = task.order().clone();
        let job = self.job(&Errand::Puzzles { order }, owner, "");
        let owner = owner.to_string();
        self.send::<_, PuzzleFinding>(job, move |pool| pool.mine(&owner, task))
    }

    /// Has a job done whose result `T` is written as `W`, by a worker or `here`.
    fn send<T, W>(
        &self,
        job: NewJob,
        here: impl FnOnce(&EnginePool) -> Result<Job<T>, Busy> + Send + 'static,
    ) -> Job<T>
    where
        T: From<W> + Send + 'static,
        W: DeserializeOwned,
    {
        let (mut reply, answer) = oneshot::channel();
        let (unserved, is_unserved) = watch::channel(false);
        let queue = self.clone();
        tokio::spawn(async move {
            let mut on_word = |word: Word<'_>| {
                if let Word::Unserved(is_unserved) = word {
                    unserved.send_replace(is_unserved);
                }
            };
            let end = tokio::select! {
                end = queue.follow(&job, &mut on_word) => end,
                // Nobody waits any more.
                () = reply.closed() => return queue.give_up(&job).await,
            };
            let found = match (end, &queue.inner.helper) {
                (JobEnd::Found(text), _) => read::<W>(&text).map(T::from),
                (JobEnd::Fault(text), _) => Err(Unanswered::Broken(text)),
                (JobEnd::Refused, _) => Err(Busy.into()),
                (JobEnd::Here, Some(pool)) => {
                    let found = match here(pool) {
                        Ok(mut job) => tokio::select! {
                            found = job.found() => found,
                            () = reply.closed() => Err(Unanswered::Stopped),
                        },
                        Err(busy) => Err(busy.into()),
                    };
                    queue.give_up(&job).await;
                    found
                }
                (JobEnd::Here | JobEnd::Lost, _) => Err(Unanswered::Stopped),
            };
            let _ = reply.send(found);
        });
        Job::queued(answer, is_unserved)
    }

    /// Lets whoever takes it work on an inquiry.
    ///
    /// # Errors
    /// Too much is asked already.
    pub(super) async fn inquire(
        &self,
        owner: &str,
        address: &str,
        task: InquiryTask,
        on_end: OnEnd,
    ) -> Result<Inquiry, Busy> {
        let (sender, findings) = watch::channel(InquiryNews::default());
        let (accept, is_accepted) = oneshot::channel();
        let errand = Errand::Inquiry {
            order: task.order().clone(),
        };
        let job = self.job(&errand, owner, address);
        let queue = self.clone();
        tokio::spawn(async move {
            let mut accept = Some(accept);
            let mut on_word = |word: Word<'_>| {
                let finding = match word {
                    Word::Accepted => {
                        // If nobody waits for it any more, the inquiry ends too.
                        let _ = accept.take().map(|accept| accept.send(()));
                        return;
                    }
                    Word::Found(text) => serde_json::from_str(text).ok().map(Arc::new),
                    Word::Unserved(true) => None,
                    Word::Unserved(false) => return,
                };
                sender.send_replace(InquiryNews {
                    finding,
                    is_done: false,
                });
            };
            let end = tokio::select! {
                end = queue.follow(&job, &mut on_word) => end,
                () = sender.closed() => return queue.give_up(&job).await,
            };
            match (end, &queue.inner.helper) {
                (JobEnd::Found(text), _) => finish(&sender, &text, on_end).await,
                (JobEnd::Here, Some(pool)) => {
                    if let Ok(inquiry) = pool.inquire(&job.owner, task, on_end) {
                        pass_on(inquiry, &sender).await;
                    }
                    queue.give_up(&job).await;
                }
                // Whoever waits hears the end by the closed channels.
                (JobEnd::Refused | JobEnd::Fault(_) | JobEnd::Lost | JobEnd::Here, _) => {}
            }
        });
        is_accepted.await.map_err(|_| Busy)?;
        Ok(Inquiry::queued(findings))
    }

    fn job(&self, errand: &Errand, owner: &str, address: &str) -> NewJob {
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        NewJob {
            id: fresh_id(),
            kind: errand.kind(),
            priority_ms: ms(errand.priority()),
            owner: owner.into(),
            address: address.into(),
            process: self.inner.replica.id().to_string(),
            // Plain data can always be written.
            parameters: serde_json::to_string(errand).unwrap_or_default(),
            limit_ms: ms(errand.limit()),
        }
    }

    /// Orders a job and hears of it until it has ended.
    async fn follow(&self, job: &NewJob, on_word: &mut (dyn FnMut(Word<'_>) + Send)) -> JobEnd {
        let QueueShared { store, helper, .. } = &*self.inner;
        // Before there can be news.
        let bell = self.bell(&job.id);
        let handed_in = self.hand_in(job).await;
        if matches!(handed_in, HandedIn::Refused) {
            return JobEnd::Refused;
        }
        on_word(Word::Accepted);
        if matches!(handed_in, HandedIn::Failed) {
            return match helper {
                Some(_) => JobEnd::Here,
                None => JobEnd::Lost,
            };
        }
        let (mut seen, mut idle_since) = (0, Some(Instant::now()));
        let mut is_unserved = false;
        loop {
            tokio::select! {
                () = bell.rung() => {}
                () = sleep(store.look_every()) => {}
            }
            let Ok(stored) = store.job(&job.id).await else {
                continue;
            };
            let Some(stored) = stored else {
                return JobEnd::Lost;
            };
            if stored.has_ended {
                return match (stored.found, stored.fault) {
                    (_, Some(fault)) => JobEnd::Fault(fault),
                    (Some(found), None) => JobEnd::Found(found),
                    (None, None) => JobEnd::Lost,
                };
            }
            if let Some(found) = stored.found.filter(|_| stored.version > seen) {
                on_word(Word::Found(&found));
            }
            seen = stored.version;
            idle_since = match stored.is_leased {
                true => None,
                false => idle_since.or_else(|| Some(Instant::now())),
            };
            let is_idle = idle_since.is_some_and(|since| since.elapsed() >= PATIENCE);
            if is_idle && helper.is_some() {
                let taken = store.take_job(&job.id, &job.process, LEASE_MS).await;
                if taken.unwrap_or(false) {
                    return JobEnd::Here;
                }
            }
            if is_idle != is_unserved {
                is_unserved = is_idle;
                on_word(Word::Unserved(is_idle));
            }
        }
    }

    fn bell(&self, job: &str) -> Bell {
        let inner = &*self.inner;
        inner.listener.get_or_init(|| {
            let process = inner.helper.as_ref().map(|_| inner.replica.id());
            let listening = listen(inner.store.clone(), Arc::clone(&inner.bells), process);
            tokio::spawn(listening).abort_handle()
        });
        inner.bells.hang(job)
    }

    /// Puts a job into the store.
    async fn hand_in(&self, job: &NewJob) -> HandedIn {
        let QueueShared {
            store,
            replica,
            sessions,
            ..
        } = &*self.inner;
        // Jobs of a process that nobody knows are wanted by nobody.
        let Some(sessions) = sessions.upgrade() else {
            return HandedIn::Failed;
        };
        if replica.appear(store, &sessions).await.is_err() {
            return HandedIn::Failed;
        }
        drop(sessions);
        match store.order_job(job, limits(job.kind)).await {
            Ok(true) => HandedIn::Taken,
            Ok(false) => HandedIn::Refused,
            Err(error) => {
                tracing::warn!(%error, "engine work could not be ordered");
                HandedIn::Failed
            }
        }
    }

    async fn give_up(&self, job: &NewJob) {
        // A store that does not hear it forgets the job with this process, or when it has ended.
        let _ = self.inner.store.give_up_job(&job.id).await;
    }
}

fn read<W: DeserializeOwned>(text: &str) -> Result<W, Unanswered> {
    serde_json::from_str(text).map_err(|error| Unanswered::Broken(error.to_string()))
}

/// Tells what was found in the end, once it was dealt with.
async fn finish(sender: &watch::Sender<InquiryNews>, text: &str, on_end: OnEnd) {
    let Ok(finding) = serde_json::from_str::<Finding>(text) else {
        return;
    };
    let finding = Arc::new(finding);
    let found = Arc::clone(&finding);
    let _ = spawn_blocking(move || on_end(&found)).await;
    sender.send_replace(InquiryNews {
        finding: Some(finding),
        is_done: true,
    });
}

/// Tells what an inquiry of this process finds.
async fn pass_on(mut inquiry: Inquiry, sender: &watch::Sender<InquiryNews>) {
    loop {
        let news = tokio::select! {
            news = inquiry.news() => news,
            () = sender.closed() => return,
        };
        let is_done = news.is_done;
        if is_done && news.finding.is_none() {
            return;
        }
        sender.send_replace(news);
        if is_done {
            return;
        }
    }
}

/// Rings the bells of jobs of which there is news, and looks after the queue: also after the jobs that a
/// process with engines does itself.
async fn listen(store: Store, bells: Arc<Bells>, process: Option<Arc<str>>) {
    let mut notices = store.notices();
    let mut tidying = interval(TIDYING);
    loop {
        tokio::select! {
            notice = notices.recv() => match notice {
                Ok(StoreNotice::Job(job)) => bells.ring(&job),
                Ok(StoreNotice::Game(..) | StoreNotice::Study(_) | StoreNotice::Jobs) => {}
                Ok(StoreNotice::Missed) | Err(RecvError::Lagged(_)) => bells.ring_all(),
                Err(RecvError::Closed) => return,
            },
            // What fails is done the next time, or by another process.
            _ = tidying.tick() => {
                if let Some(process) = &process {
                    drop(store.renew_jobs(process, LEASE_MS).await);
                }
                drop(store.tidy_jobs().await);
            }
        }
    }
}
