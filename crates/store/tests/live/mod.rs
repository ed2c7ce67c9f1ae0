//! Games that several processes show: who is there, whose clock runs, who hears of it.

use tablut_store::{Course, Declined, Live, ProcessReport, StoreNotice};

use super::*;

const WHITE: BySide<bool> = BySide {
    attackers: false,
    defenders: true,
};
const BLACK: BySide<bool> = BySide {
    attackers: true,
    defenders: false,
};

/// A process says that it is alive; gives whether it was known.
async fn beat(store: &Store, process: &str) -> bool {
    let heard = store.beat(process, &ProcessReport::default()).await;
    heard.unwrap().is_known
}

async fn live(store: &Store, id: &str) -> Live {
    store.live_game(id).await.unwrap().1
}

/// A game whose players are there by two processes.
async fn begun(store: &Store) -> Live {
    store.create_game(&game("g", "ann")).await.unwrap();
    for (process, sides) in [("one", WHITE), ("two", BLACK)] {
        beat(store, process).await;
        store.sit("g", sides, process).await.unwrap();
    }
    live(store, "g").await
}

const DECLINED: Declined = Declined {
    draw: Some(Side::Defenders),
    take_back: Some(Side::Attackers),
};

/// The change that a move makes, for a version.
fn one_move(version: u64) -> Progress {
    let course = Course {
        version,
        thought_ms: Some(1234),
        draw_offer: Some(Side::Attackers),
        take_back: None,
        declined: DECLINED,
    };
    Progress {
        course: Some(course),
        ..progress(0, 0, &[made("e4-f4", None, None)])
    }
}

pub(crate) async fn the_clock_runs_when_both_are_there(store: &Store) {
    store.create_game(&game("g", "ann")).await.unwrap();
    store.sit("g", WHITE, "one").await.unwrap();
    let waits = live(store, "g").await;
    assert_eq!((waits.turn_ms, waits.present.attackers), (None, None));
    assert_eq!(waits.present.defenders.as_deref(), Some("one"));
    store.sit("g", BLACK, "two").await.unwrap();
    let runs = live(store, "g").await;
    let turn_ms = runs.turn_ms.expect("both are there");
    assert!(turn_ms <= runs.now_ms && runs.version > waits.version);
    // Whoever leaves loses no place in the order, and no clock is stopped while one of them is there.
    store.sit("g", WHITE, "three").await.unwrap();
    store.rise("g", BLACK, "two").await.unwrap();
    store.stop_clock("g").await.unwrap();
    let alone = live(store, "g").await;
    assert_eq!((alone.turn_ms, alone.stopped_ms), (Some(turn_ms), None));
    assert_eq!(alone.present.defenders.as_deref(), Some("one"));
    for process in ["one", "three"] {
        store.rise("g", WHITE, process).await.unwrap();
    }
    store.stop_clock("g").await.unwrap();
    let stopped = live(store, "g").await.stopped_ms.expect("nobody is there");
    // It runs again when both are back, and the time between counts for nobody.
    store.sit("g", WHITE, "one").await.unwrap();
    assert_eq!(live(store, "g").await.stopped_ms, Some(stopped));
    store.sit("g", BLACK, "one").await.unwrap();
    let again = live(store, "g").await;
    assert_eq!(again.stopped_ms, None);
    let thought = stopped - turn_ms;
    assert!(again.now_ms - again.turn_ms.unwrap() >= thought && again.turn_ms.unwrap() >= turn_ms);
    store.rise("nothing", WHITE, "one").await.unwrap();
    assert!(store.sit("nothing", WHITE, "one").await.is_err());
}

pub(crate) async fn whoever_writes_to_another_version_is_refused(store: &Store) {
    let before = begun(store).await;
    let late = store.advance("g", &one_move(before.version - 1), 5).await;
    assert!(matches!(late, Err(StoreError::Stale)), "{late:?}");
    store
        .advance("g", &one_move(before.version), 5)
        .await
        .unwrap();
    let after = live(store, "g").await;
    assert_eq!(after.version, before.version + 1);
    let thought = after.now_ms - after.turn_ms.unwrap();
    assert!((1234..60_000).contains(&thought), "{thought}");
    assert_eq!(
        (after.draw_offer, after.take_back, after.declined),
        (Some(Side::Attackers), None, DECLINED)
    );
    let back = Progress {
        course: one_move(after.version).course,
        ..progress(1, 0, &[])
    };
    store.advance("g", &back, 6).await.unwrap();
    assert_eq!(live(store, "g").await.undone, 1);
    let ids = ["g", "nothing"].map(String::from);
    let versions = store.versions(&ids).await.unwrap();
    assert_eq!(versions, [("g".to_string(), after.version + 1, 0)]);
}

pub(crate) async fn a_process_that_died_charges_nobody(store: &Store) {
    let before = begun(store).await;
    store.bury("one", true).await.unwrap();
    let stopped = live(store, "g").await;
    assert_eq!(stopped.present.defenders, None);
    assert!(stopped.stopped_ms >= before.turn_ms && stopped.turn_ms == before.turn_ms);
    // The other one comes and goes; the clock waits for whoever lost the place.
    store.rise("g", BLACK, "two").await.unwrap();
    store.sit("g", BLACK, "two").await.unwrap();
    assert_eq!(live(store, "g").await.stopped_ms, stopped.stopped_ms);
    store.sit("g", WHITE, "two").await.unwrap();
    let runs = live(store, "g").await;
    assert_eq!(runs.stopped_ms, None);
    assert!(runs.turn_ms >= before.turn_ms);
    // Of two places of one player, losing one loses nothing.
    beat(store, "three").await;
    store.sit("g", WHITE, "three").await.unwrap();
    store.bury("three", true).await.unwrap();
    let same = live(store, "g").await;
    assert_eq!((same.stopped_ms, same.present), (None, runs.present));
}

pub(crate) async fn nobody_is_buried_who_is_alive(store: &Store) {
    let before = begun(store).await;
    assert!(beat(store, "one").await);
    assert!(store.silent_processes().await.unwrap().is_empty());
    store.bury("one", false).await.unwrap();
    assert_eq!(live(store, "g").await.version, before.version);
    store.bury("one", true).await.unwrap();
    // It is told that it was taken for dead.
    assert!(!beat(store, "one").await);
}

pub(crate) async fn everybody_hears_what_changes(store: &Store) {
    let mut notices = store.notices();
    store.create_game(&game("g", "ann")).await.unwrap();
    let mut heard = async |version: u64| {
        let hear = async {
            loop {
                match notices.recv().await.unwrap() {
                    StoreNotice::Game(id, heard) => {
                        assert_eq!(&*id, "g");
                        if heard == version {
                            break;
                        }
                    }
                    other @ (StoreNotice::Study(_) | StoreNotice::Job(_) | StoreNotice::Jobs) => {
                        panic!("{other:?}")
                    }
                    StoreNotice::Missed => {}
                }
            }
        };
        let hear = tokio::time::timeout(std::time::Duration::from_secs(30), hear).await;
        hear.expect("it is heard");
    };
    store.sit("g", WHITE, "one").await.unwrap();
    heard(1).await;
    store.advance("g", &one_move(1), 5).await.unwrap();
    heard(2).await;
    assert!(
        store
            .take_seat("g", Side::Attackers, "bob", None)
            .await
            .unwrap()
    );
    heard(3).await;
    store
        .create_rematch("g", &game("next", "ann"))
        .await
        .unwrap();
    heard(4).await;
}
