//! Word of what has changed, for everybody who shows it.
//!
//! Whoever changes a game or a study that others may look at announces it here, after the change is committed.
//! Inside the process the word spreads at once; between processes it is a `NOTIFY` of PostgreSQL. Notices may get
//! lost: those of games only save time, since whoever shows a game also looks from time to time
//! ([`Store::look_every`]); a study that nobody heard of is found changed when it is opened again.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sqlx::{postgres::PgListener, query};
use tokio::{sync::broadcast, task::JoinHandle, time::sleep};

use crate::{Store, connection::Backend};

/// The channel of all processes on one database.
const CHANNEL: &str = "tablut";

/// How many letters fit into one message of PostgreSQL.
const LONGEST: usize = 7900;

/// How many notices wait for a slow listener before it has to look at everything.
const QUEUE: usize = 4096;

/// How long to wait before the server is asked again to tell what happens.
const RETRY: Duration = Duration::from_secs(1);

/// Something has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreNotice {
    /// The game with an id now has a version.
    Game(Arc<str>, u64),
    /// A study now has a version.
    Study(StudyNotice),
    /// The job with an id has found something, has ended, or is wanted by nobody any more.
    Job(Arc<str>),
    /// There are jobs that nobody has begun.
    Jobs,
    /// Some notices may have been missed.
    Missed,
}

/// A study now has a version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyNotice {
    /// Whose it is.
    pub owner: Arc<str>,
    /// Its id.
    pub study: Arc<str>,
    /// How often it was changed.
    pub version: u64,
}

/// What is announced, and to whom.
#[derive(Debug)]
pub(crate) struct Notices {
    here: broadcast::Sender<StoreNotice>,
    out: Mutex<Outgoing>,
    listener: Mutex<Option<JoinHandle<()>>>,
}

/// What other processes have yet to be told.
#[derive(Debug, Default)]
struct Outgoing {
    texts: Vec<String>,
    /// Whether somebody is sending.
    is_sending: bool,
}

impl Default for Notices {
    fn default() -> Self {
        Self {
            here: broadcast::Sender::new(QUEUE),
            out: Mutex::default(),
            listener: Mutex::default(),
        }
    }
}

impl Notices {
    fn out(&self) -> std::sync::MutexGuard<'_, Outgoing> {
        // It is whole between any two statements.
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What fits into the next message; nothing if all is said.
    fn next(&self) -> Option<String> {
        let mut out = self.out();
        let mut length = 0;
        let fits = out.texts.iter().take_while(|text| {
            length += text.len() + 1;
            length <= LONGEST
        });
        let count = fits.count();
        let batch: Vec<String> = out.texts.drain(..count).collect();
        out.is_sending = !batch.is_empty();
        out.is_sending.then(|| batch.join(" "))
    }

    /// Ends what listens.
    pub(crate) fn close(&self) {
        let listener = self.listener.lock();
        let listener = listener.unwrap_or_else(PoisonError::into_inner).take();
        if let Some(listener) = listener {
            listener.abort();
        }
    }
}

impl Store {
    /// How often to look for changes that no notice told of. Other processes that use the same file cannot
    /// be heard at all.
    #[must_use]
    pub fn look_every(&self) -> Duration {
        match self.writers.backend {
            Backend::Postgres => Duration::from_secs(2),
            Backend::File | Backend::Memory => Duration::from_millis(300),
        }
    }

    /// Everything that is announced from now on, by this process and by others.
    #[must_use]
    pub fn notices(&self) -> broadcast::Receiver<StoreNotice> {
        let receiver = self.notices.here.subscribe();
        if self.writers.backend == Backend::Postgres {
            let listener = self.notices.listener.lock();
            let mut listener = listener.unwrap_or_else(PoisonError::into_inner);
            if listener.is_none() {
                let (url, here) = (self.url.to_string(), self.notices.here.clone());
                *listener = Some(tokio::spawn(listen(url, here)));
            }
        }
        receiver
    }

    /// Tells everybody that a game has a new version.
    pub(crate) fn announce(&self, game: &str, version: u64) {
        self.spread(StoreNotice::Game(game.into(), version));
    }

    /// Tells everybody that a study has a new version.
    pub(crate) fn announce_study(&self, owner: &str, study: &str, version: u64) {
        self.spread(StoreNotice::Study(StudyNotice {
            owner: owner.into(),
            study: study.into(),
            version,
        }));
    }

    /// Tells everybody that there is something new about a job.
    pub(crate) fn announce_job(&self, job: &str) {
        self.spread(StoreNotice::Job(job.into()));
    }

    /// Tells everybody that there is work to be done.
    pub(crate) fn announce_jobs(&self) {
        self.spread(StoreNotice::Jobs);
    }

    fn spread(&self, notice: StoreNotice) {
        let text = notice.text();
        // Nobody may be listening.
        let _ = self.notices.here.send(notice);
        let (Backend::Postgres, Some(text)) = (self.writers.backend, text) else {
            return;
        };
        let mut out = self.notices.out();
        // What is waiting to be said already need not be said twice.
        if out.texts.last() != Some(&text) {
            out.texts.push(text);
        }
        if !out.is_sending {
            out.is_sending = true;
            let store = self.clone();
            tokio::spawn(async move { store.tell_others().await });
        }
    }

    /// Sends what has gathered, many at once: a `NOTIFY` within each transaction would make them wait for
    /// one another.
    pub(crate) async fn tell_others(&self) {
        while let Some(text) = self.notices.next() {
            let notify = query("SELECT count(pg_notify($1, $2))");
            // Who is not told looks from time to time.
            let _ = self.row(notify.bind(CHANNEL).bind(text)).await;
        }
    }
}

/// Passes on what other processes announce.
async fn listen(url: String, here: broadcast::Sender<StoreNotice>) {
    loop {
        if let Ok(mut listener) = PgListener::connect(&url).await
            && listener.listen(CHANNEL).await.is_ok()
        {
            // What happened before is not heard of any more.
            let _ = here.send(StoreNotice::Missed);
            loop {
                match listener.try_recv().await {
                    Ok(Some(notice)) => {
                        for text in notice.payload().split(' ') {
                            if let Some(notice) = parse(text) {
                                let _ = here.send(notice);
                            }
                        }
                    }
                    // The connection broke and is there again.
                    Ok(None) => drop(here.send(StoreNotice::Missed)),
                    Err(_) => break,
                }
            }
        }
        sleep(RETRY).await;
    }
}

impl StoreNotice {
    /// As other processes read it; nothing if it is not for them. Games have longer names than the words of
    /// jobs. A process of an older version takes every notice for a game's: it knows no game with a stroke in its
    /// name, and passes over what has no number.
    fn text(&self) -> Option<String> {
        match self {
            Self::Game(game, version) => Some(format!("{game}:{version}")),
            Self::Study(StudyNotice {
                owner,
                study,
                version,
            }) => Some(format!("{owner}/{study}:{version}")),
            Self::Job(job) => Some(format!("job:{job}")),
            Self::Jobs => Some("jobs:".into()),
            Self::Missed => None,
        }
    }
}

fn parse(text: &str) -> Option<StoreNotice> {
    let (name, rest) = text.split_once(':')?;
    Some(match (name, name.split_once('/')) {
        ("jobs", _) => StoreNotice::Jobs,
        ("job", _) => StoreNotice::Job(rest.into()),
        (_, Some((owner, study))) => StoreNotice::Study(StudyNotice {
            owner: owner.into(),
            study: study.into(),
            version: rest.parse().ok()?,
        }),
        (game, None) => StoreNotice::Game(game.into(), rest.parse().ok()?),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn notices_are_sent_in_messages_that_fit() {
        let notices = Notices::default();
        let texts: Vec<String> = (0..1000).map(|n| format!("game{n}:{n}")).collect();
        notices.out().texts = texts.clone();
        let mut sent = Vec::new();
        while let Some(text) = notices.next() {
            assert!(text.len() <= LONGEST && notices.out().is_sending);
            sent.extend(text.split(' ').map(String::from));
        }
        assert_eq!(sent, texts);
        assert!(!notices.out().is_sending);
    }

    #[test]
    fn notices_are_read_as_they_were_written_and_nonsense_is_passed_over() {
        let study = StudyNotice {
            owner: "ann".into(),
            study: "cd".into(),
            version: 3,
        };
        for notice in [
            StoreNotice::Game("ab".into(), 7),
            StoreNotice::Study(study),
            StoreNotice::Job("cd".into()),
            StoreNotice::Jobs,
        ] {
            let text = notice.text().unwrap();
            assert_eq!(parse(&text), Some(notice), "{text}");
        }
        for text in ["", "ab", "ab:", "ab:x", "ab:-1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
