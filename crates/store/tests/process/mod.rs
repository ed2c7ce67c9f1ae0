//! What processes tell of themselves, and what they are told.

use tablut_store::ProcessReport;

use super::*;

pub(crate) async fn processes_tell_of_themselves_and_hear_when_they_should_end(store: &Store) {
    let report = ProcessReport {
        name: "board:1".into(),
        is_worker: true,
        jobs: "games,analysis".into(),
        engines: 2,
        orders: 3,
        pages: 4,
        games: 5,
    };
    assert!(!store.beat("one", &report).await.unwrap().is_known);
    store.beat("two", &ProcessReport::default()).await.unwrap();
    let all = store.processes().await.unwrap();
    let told = all.iter().find(|process| process.id == "one").unwrap();
    assert_eq!((all.len(), &told.report, told.drains), (2, &report, false));
    assert!(store.drain("one").await.unwrap());
    assert!(!store.drain("three").await.unwrap());
    let heard = store.beat("one", &report).await.unwrap();
    assert!(heard.is_known && heard.drains);
    let other = store.beat("two", &report).await.unwrap();
    assert!(other.is_known && !other.drains);
}

pub(crate) async fn pages_of_an_address_are_counted_over_all_processes(store: &Store) {
    for (process, pages) in [("one", 3), ("two", 4), ("dead", 9)] {
        let report = ProcessReport {
            pages,
            ..ProcessReport::default()
        };
        store.beat(process, &report).await.unwrap();
        let crowd = [("10.0.0.1".to_string(), pages), (process.into(), 1)];
        store.note_crowd(process, &crowd).await.unwrap();
    }
    store.bury("dead", true).await.unwrap();
    let (all, mut elsewhere) = store.crowd_elsewhere("three").await.unwrap();
    assert_eq!(all, 7);
    elsewhere.sort();
    let wanted = [("10.0.0.1", 7), ("one", 1), ("two", 1)];
    assert_eq!(
        elsewhere,
        wanted.map(|(address, pages)| (address.to_string(), pages))
    );
    store.note_crowd("one", &[]).await.unwrap();
    let elsewhere = store.crowd_elsewhere("two").await.unwrap();
    assert_eq!(elsewhere, (3, Vec::new()));
}

pub(crate) async fn spectators_of_a_game_are_counted_over_all_living_processes(store: &Store) {
    for (process, watched) in [
        ("one", vec![("chess", 2), ("go", 1)]),
        ("two", vec![("chess", 3)]),
        ("dead", vec![("chess", 9)]),
    ] {
        let report = ProcessReport::default();
        store.beat(process, &report).await.unwrap();
        store.note_spectators(process, &watched).await.unwrap();
    }
    store.bury("dead", true).await.unwrap();
    // One that was never there, or was buried by a version that does not know of spectators.
    let forgotten = [("chess", 50)];
    store.note_spectators("unknown", &forgotten).await.unwrap();
    let games = ["chess", "go", "draughts"];
    let count = async |process| store.spectators_elsewhere(process, &games).await.unwrap();
    let here = count("three").await;
    assert_eq!((here["chess"], here["go"], here.len()), (5, 1, 2));
    assert_eq!(count("one").await, [("chess".to_string(), 3)].into());
    // What is not named stays; who has left is gone.
    store.note_spectators("one", &[("chess", 0)]).await.unwrap();
    let here = count("three").await;
    assert_eq!((here["chess"], here["go"]), (3, 1));
    assert!(
        store
            .spectators_elsewhere("one", &[])
            .await
            .unwrap()
            .is_empty()
    );
}
