//! Engine work as jobs in the store, from the side of those who wait for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::Duration,
};

use tablut_arena::Choice;
use tablut_store::{NewJob, Store, StoreNotice};
use tokio::{
    sync::{Notify, broadcast::error::RecvError, oneshot, watch},
    task::{AbortHandle, spawn_blocking},
    time::{Instant, interval, sleep},
};

use super::errand::{Errand, MoveFound};
use crate::{
    EnginePool, Finding, Inquiry, InquiryNews, InquiryTask, Job, Order, Unanswered, fresh_id,
    replica::Replica, room::Sessions,
};

/// How long a job may lie there before whoever waits is told that nobody works on it, or it is done here.
const PATIENCE: Duration = Duration::from_secs(2);

/// How many jobs of one owner and of all may be under way, by whatever processes.
const MOST_OF_ONE: u64 = 8;
const MOST_OF_ALL: u64 = 4096;

/// How often what is left in the queue is looked after.
const TIDYING: Duration = Duration::from_secs(10);

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

/// Rung when there is news of a job.
#[derive(Default)]
struct Bells {
    of: Mutex<HashMap<Arc<str>, Arc<Notify>>>,
}

impl Bells {
    fn of(&self) -> MutexGuard<'_, HashMap<Arc<str>, Arc<Notify>>> {
        // The map is whole between any two statements.
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self, job: &str) {
        if let Some(bell) = self.of().get(job) {
            bell.notify_one();
        }
    }

    fn ring_all(&self) {
        self.of().values().for_each(|bell| bell.notify_one());
    }
}

/// The bell of a job, for as long as it is waited for.
struct Bell {
    job: Arc<str>,
    rung: Arc<Notify>,
    bells: Arc<Bells>,
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.bells.of().remove(&self.job);
    }
}

/// What is heard of a job before it has ended.
enum Word<'a> {
    /// What was found so far.
    Found(&'a str),
    /// Nobody works on it, or somebody does again.
    Unserved(bool),
}

/// How a job has ended.
enum JobEnd {
    Found(String),
    Fault(String),
    /// It was not taken, or is no more.
    Lost,
    /// Nobody has begun it: it is to be done here.
    Here,
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
        self.inner.bells.of().len()
    }

    /// Orders a move from whoever takes it.
    pub(super) fn order(&self, order: Order) -> Job {
        let (mut reply, answer) = oneshot::channel();
        let (unserved, is_unserved) = watch::channel(false);
        let errand = Errand::of_move(&order);
        let job = self.job(&errand, &order.owner, &order.address);
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
                (JobEnd::Found(text), _) => read_move(&text),
                (JobEnd::Fault(text), _) => Err(Unanswered::Broken(text)),
                (JobEnd::Here, Some(pool)) => match pool.order(order) {
                    Ok(mut job) => tokio::select! {
                        found = job.found() => found,
                        () = reply.closed() => return,
                    },
                    Err(_) => Err(Unanswered::Stopped),
                },
                (JobEnd::Here | JobEnd::Lost, _) => Err(Unanswered::Stopped),
            };
            let _ = reply.send(found);
        });
        Job::queued(answer, is_unserved)
    }

    /// Lets whoever takes it work on an inquiry.
    pub(super) fn inquire(
        &self,
        owner: &str,
        address: &str,
        task: InquiryTask,
        on_end: OnEnd,
    ) -> Inquiry {
        let (sender, findings) = watch::channel(InquiryNews::default());
        let errand = Errand::Inquiry {
            order: task.order().clone(),
        };
        let job = self.job(&errand, owner, address);
        let queue = self.clone();
        tokio::spawn(async move {
            let mut on_word = |word: Word<'_>| {
                let finding = match word {
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
                }
                // Whoever waits hears the end by the closed channel.
                (JobEnd::Fault(_) | JobEnd::Lost | JobEnd::Here, _) => {}
            }
        });
        Inquiry::queued(findings)
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
        if !self.hand_in(job).await {
            return match helper {
                Some(_) => JobEnd::Here,
                None => JobEnd::Lost,
            };
        }
        let (mut seen, mut idle_since) = (0, Some(Instant::now()));
        let mut is_unserved = false;
        loop {
            tokio::select! {
                () = bell.rung.notified() => {}
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
            if is_idle && helper.is_some() && store.withdraw_job(&job.id).await.unwrap_or(false) {
                return JobEnd::Here;
            }
            if is_idle != is_unserved {
                is_unserved = is_idle;
                on_word(Word::Unserved(is_idle));
            }
        }
    }

    fn bell(&self, job: &str) -> Bell {
        let QueueShared {
            store,
            bells,
            listener,
            ..
        } = &*self.inner;
        listener
            .get_or_init(|| tokio::spawn(listen(store.clone(), Arc::clone(bells))).abort_handle());
        let (job, rung): (Arc<str>, Arc<Notify>) = (job.into(), Arc::default());
        bells.of().insert(Arc::clone(&job), Arc::clone(&rung));
        Bell {
            job,
            rung,
            bells: Arc::clone(bells),
        }
    }

    /// Puts a job into the store; says whether it was taken.
    async fn hand_in(&self, job: &NewJob) -> bool {
        let QueueShared {
            store,
            replica,
            sessions,
            ..
        } = &*self.inner;
        // Jobs of a process that nobody knows are wanted by nobody.
        let Some(sessions) = sessions.upgrade() else {
            return false;
        };
        if replica.appear(store, &sessions).await.is_err() {
            return false;
        }
        drop(sessions);
        let ordered = store.order_job(job, MOST_OF_ONE, MOST_OF_ALL).await;
        if let Err(error) = &ordered {
            tracing::warn!(%error, "engine work could not be ordered");
        }
        ordered.unwrap_or(false)
    }

    async fn give_up(&self, job: &NewJob) {
        // A store that does not hear it forgets the job with this process, or when it has ended.
        let _ = self.inner.store.give_up_job(&job.id).await;
    }
}

fn read_move(text: &str) -> Result<Choice, Unanswered> {
    let found: Result<MoveFound, _> = serde_json::from_str(text);
    let found = found.map_err(|_| Unanswered::Broken("no move".into()))?;
    Ok(found.into())
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

/// Rings the bells of jobs of which there is news, and looks after the queue.
async fn listen(store: Store, bells: Arc<Bells>) {
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
            _ = tidying.tick() => drop(store.tidy_jobs().await),
        }
    }
}
