//! Jobs of engines: who gets which, and whose result counts.

use tablut_store::{JobClaim, JobKind, JobLimits, NewJob, ProcessReport, Release, StoreNotice};

use super::*;

/// A lease that holds for as long as a story takes, and one that has ended at once, as of a worker that died.
const HELD: i64 = 600_000;
const LOST: i64 = 0;

const MANY: JobLimits = JobLimits {
    of_kind: 100,
    of_one: 100,
    of_all: 100,
};

fn job(id: &str, owner: &str) -> NewJob {
    NewJob {
        id: id.into(),
        kind: JobKind::Games,
        priority_ms: 0,
        owner: owner.into(),
        address: "10.0.0.1".into(),
        process: "server".into(),
        parameters: format!("what {owner} wants"),
        limit_ms: 1000,
    }
}

async fn order(store: &Store, job: &NewJob) {
    let report = ProcessReport::default();
    store.beat(&job.process, &report).await.unwrap();
    assert!(store.order_job(job, MANY).await.unwrap());
}

async fn claim(store: &Store, worker: &str, lease_ms: i64) -> Option<JobClaim> {
    let claim = store.claim_job(&JobKind::ALL, worker, lease_ms);
    claim.await.unwrap()
}

pub(crate) async fn workers_that_ask_at_once_get_different_jobs(store: &Store) {
    for n in 0..20 {
        order(store, &job(&format!("j{n}"), &format!("v{n}"))).await;
    }
    let claims: Vec<_> = (0..30)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move { claim(&store, &format!("w{n}"), HELD).await })
        })
        .collect();
    let mut ids = Vec::new();
    for claim in claims {
        ids.extend(claim.await.unwrap().map(|claim| claim.id));
    }
    // Whoever passes over what another looks at may find nothing; then it asks again.
    while let Some(claim) = claim(store, "late", HELD).await {
        ids.push(claim.id);
    }
    ids.sort();
    let all = ids.len();
    ids.dedup();
    assert_eq!((all, ids.len()), (20, 20));
}

pub(crate) async fn a_job_is_done_once_and_by_the_latest_attempt(store: &Store) {
    order(store, &job("j", "ann")).await;
    let dead = claim(store, "dead", LOST).await.unwrap();
    assert_eq!((dead.attempt, dead.limit_ms), (1, 1000));
    assert_eq!(dead.parameters, "what ann wants");
    let next = claim(store, "next", HELD).await.unwrap();
    assert_eq!((next.id.as_str(), next.attempt), ("j", 2));
    assert_eq!(claim(store, "third", HELD).await, None);
    // The one that was taken for dead is not heard any more.
    assert!(!store.tell_job(&dead, "half").await.unwrap());
    let late = store.end_job(&dead, Ok("late")).await.unwrap_err();
    assert!(matches!(late, StoreError::Stale));
    assert_eq!(store.renew_jobs("dead", HELD).await.unwrap(), []);
    let own = store.renew_jobs("next", HELD).await.unwrap();
    assert_eq!(own, [("j".to_string(), 2)]);
    assert!(store.tell_job(&next, "half").await.unwrap());
    store.end_job(&next, Ok("all")).await.unwrap();
    let twice = store.end_job(&next, Ok("again")).await.unwrap_err();
    assert!(matches!(twice, StoreError::Stale));
    let done = store.job("j").await.unwrap().unwrap();
    assert_eq!((done.has_ended, done.attempts, done.version), (true, 2, 2));
    assert_eq!(done.found.as_deref(), Some("all"));
    assert_eq!(claim(store, "third", HELD).await, None);
}

pub(crate) async fn short_work_goes_first_and_each_worker_takes_its_kinds(store: &Store) {
    let long = NewJob {
        kind: JobKind::Analysis,
        priority_ms: 60_000,
        ..job("long", "ann")
    };
    order(store, &long).await;
    order(store, &job("short", "bob")).await;
    assert_eq!(store.claim_job(&[], "w", HELD).await.unwrap(), None);
    let counts = store.count_jobs().await.unwrap();
    assert_eq!(
        counts.iter().map(|of| of.waiting).collect::<Vec<_>>(),
        [1, 1, 0]
    );
    assert_eq!(claim(store, "w", HELD).await.unwrap().id, "short");
    let games = store.claim_job(&[JobKind::Games], "w", HELD).await.unwrap();
    assert_eq!(games, None);
    let first = claim(store, "w", HELD).await.unwrap();
    assert_eq!((first.id.as_str(), first.kind), ("long", JobKind::Analysis));
    // Given back, it is there for others at once.
    store.release_job(&first, Release::Willing).await.unwrap();
    let counts = store.count_jobs().await.unwrap();
    let counts: Vec<_> = counts.iter().map(|of| (of.waiting, of.under_way)).collect();
    assert_eq!(counts, [(0, 1), (1, 0), (0, 0)]);
    assert_eq!(claim(store, "other", HELD).await.unwrap().attempt, 2);
}

pub(crate) async fn what_nobody_waits_for_is_not_done(store: &Store) {
    order(store, &job("new", "ann")).await;
    store.give_up_job("new").await.unwrap();
    assert_eq!(store.job("new").await.unwrap(), None);
    assert_eq!(claim(store, "w", HELD).await, None);
    order(store, &job("begun", "ann")).await;
    let begun = claim(store, "w", HELD).await.unwrap();
    store.give_up_job("begun").await.unwrap();
    assert_eq!(store.renew_jobs("w", HELD).await.unwrap(), []);
    let ended = store.end_job(&begun, Ok("all")).await.unwrap_err();
    assert!(matches!(ended, StoreError::Stale));
    // Neither is what a process wanted that is no more.
    order(store, &job("lost", "ann")).await;
    store.bury("server", true).await.unwrap();
    assert_eq!(claim(store, "w", HELD).await, None);
    store.tidy_jobs().await.unwrap();
    assert_eq!(store.job("lost").await.unwrap(), None);
}

pub(crate) async fn a_job_that_ends_its_workers_is_given_up(store: &Store) {
    order(store, &job("j", "ann")).await;
    for attempt in 1..=5 {
        store.tidy_jobs().await.unwrap();
        assert_eq!(claim(store, "w", LOST).await.unwrap().attempt, attempt);
    }
    assert_eq!(claim(store, "w", LOST).await, None);
    store.tidy_jobs().await.unwrap();
    let lost = store.job("j").await.unwrap().unwrap();
    assert!(lost.has_ended && lost.fault.unwrap().contains("lost"));
}

pub(crate) async fn a_job_that_is_given_back_willingly_was_not_tried(store: &Store) {
    order(store, &job("j", "ann")).await;
    for attempt in 1..=20 {
        let claim = claim(store, "full", HELD).await.unwrap();
        assert_eq!(claim.attempt, attempt);
        store.release_job(&claim, Release::Willing).await.unwrap();
        // Who says it twice gives nothing back.
        store.release_job(&claim, Release::Willing).await.unwrap();
        store.tidy_jobs().await.unwrap();
    }
    // What came to nothing was tried.
    for _ in 0..5 {
        let claim = claim(store, "unlucky", HELD).await.unwrap();
        store.release_job(&claim, Release::Failed).await.unwrap();
    }
    assert_eq!(claim(store, "w", HELD).await, None);
    store.tidy_jobs().await.unwrap();
    assert!(store.job("j").await.unwrap().unwrap().fault.is_some());
}

pub(crate) async fn whoever_waits_may_begin_a_job_that_no_worker_has(store: &Store) {
    order(store, &job("j", "ann")).await;
    assert!(store.take_job("j", "server", HELD).await.unwrap());
    assert!(!store.take_job("j", "server", HELD).await.unwrap());
    assert_eq!(claim(store, "w", HELD).await, None);
    // It counts for its owner until it has ended.
    let one = JobLimits { of_one: 1, ..MANY };
    assert!(!store.order_job(&job("k", "ann"), one).await.unwrap());
    store.give_up_job("j").await.unwrap();
    assert!(store.order_job(&job("k", "ann"), one).await.unwrap());
    assert!(!store.take_job("j", "server", HELD).await.unwrap());
}

pub(crate) async fn an_owner_and_all_together_order_so_much_and_no_more(store: &Store) {
    store
        .beat("server", &ProcessReport::default())
        .await
        .unwrap();
    let few = JobLimits {
        of_kind: 1,
        of_one: 2,
        of_all: 3,
    };
    let (games, analysis, puzzles) = (JobKind::Games, JobKind::Analysis, JobKind::Puzzles);
    let mut taken = Vec::new();
    for (id, owner, kind) in [
        ("a", "ann", games),
        ("b", "ann", games),
        ("c", "ann", analysis),
        ("d", "ann", puzzles),
        ("e", "bob", games),
        ("f", "cy", games),
    ] {
        let job = NewJob {
            kind,
            ..job(id, owner)
        };
        taken.push(store.order_job(&job, few).await.unwrap());
    }
    assert_eq!(taken, [true, false, true, false, true, false]);
    // What has ended does not count.
    store.give_up_job("a").await.unwrap();
    assert!(store.order_job(&job("g", "ann"), few).await.unwrap());
}

pub(crate) async fn everybody_hears_of_jobs(store: &Store) {
    let mut notices = store.notices();
    let mut heard = async |wanted: StoreNotice| {
        let hear = async { while notices.recv().await.unwrap() != wanted {} };
        let hear = tokio::time::timeout(std::time::Duration::from_secs(30), hear).await;
        hear.expect("it is heard");
    };
    order(store, &job("j", "ann")).await;
    heard(StoreNotice::Jobs).await;
    let claim = claim(store, "w", HELD).await.unwrap();
    store.tell_job(&claim, "half").await.unwrap();
    heard(StoreNotice::Job("j".into())).await;
    store.end_job(&claim, Err("no move")).await.unwrap();
    heard(StoreNotice::Job("j".into())).await;
    let ended = store.job("j").await.unwrap().unwrap();
    assert_eq!(ended.fault.as_deref(), Some("no move"));
}
