//! Stories of tournaments: fixtures are claimed, played and counted once.

use std::collections::BTreeSet;

use tablut_rules::{BySide, Outcome, Reason, Side};
use tablut_store::{
    Claim, Entity, Fixture, FixtureResult, Progress, State, Store, StoreError, Tournament,
};

use super::{game, made, progress};

pub(crate) const MINUTE: i64 = 60_000;

pub(crate) fn fixture(number: usize, white: usize, black: usize) -> Fixture {
    Fixture {
        number,
        stage: Some("1".into()),
        round: 1,
        teams: BySide {
            attackers: black,
            defenders: white,
        },
        ..Fixture::default()
    }
}

pub(crate) async fn make(store: &Store, id: &str, fixtures: &[Fixture]) -> bool {
    let tournament = Tournament {
        id: id.into(),
        plan: format!("name = {id:?}"),
        rules: "ashton".into(),
        state: State::Running,
        created_ms: 5,
        version: 0,
        corrections: Vec::new(),
    };
    store
        .create_tournament(&tournament, fixtures)
        .await
        .unwrap()
}

pub(crate) fn three() -> [Fixture; 3] {
    [fixture(0, 0, 1), fixture(1, 2, 3), fixture(2, 1, 0)]
}

pub(crate) async fn claim(store: &Store, worker: &str, lease_ms: i64) -> Option<Claim> {
    let claim = store.claim(Some("cup"), &[], worker, lease_ms, false).await;
    claim.unwrap()
}

pub(crate) fn won() -> FixtureResult {
    FixtureResult {
        outcome: Outcome {
            winner: Some(Side::Defenders),
            reason: Reason::KingEscaped,
        },
        plies: 1,
        captures: BySide {
            attackers: 3,
            defenders: 2,
        },
        fault: Some("black: late".into()),
    }
}

pub(crate) fn last_move() -> Progress {
    Progress {
        outcome: Some(won().outcome),
        ..progress(0, 0, &[made("e4-f4", None, None)])
    }
}

pub(crate) async fn a_tournament_is_made_once(store: &Store) {
    assert!(make(store, "cup", &three()).await);
    assert!(!make(store, "cup", &three()[..1]).await);
    store
        .add_fixtures("cup", 0, &[fixture(2, 7, 8), fixture(3, 2, 0)])
        .await
        .unwrap();
    let fixtures = store.fixtures("cup").await.unwrap();
    let mut expected = three().to_vec();
    expected.push(fixture(3, 2, 0));
    assert_eq!(fixtures, expected);
    assert_eq!(store.tournaments().await.unwrap().len(), 1);
    assert_eq!(store.tournament("cup").await.unwrap().created_ms, 5);
    let missing = store.tournament("cap").await;
    assert!(matches!(
        missing,
        Err(StoreError::Missing(Entity::Tournament))
    ));
    let missing = store.set_tournament_state("cap", State::Paused).await;
    assert!(matches!(
        missing,
        Err(StoreError::Missing(Entity::Tournament))
    ));
}

pub(crate) async fn workers_that_ask_at_once_get_different_fixtures(store: &Store) {
    let many: Vec<Fixture> = (0..24).map(|n| fixture(n, 0, 1)).collect();
    make(store, "cup", &many).await;
    let tasks = (0..24).map(|n| {
        let store = store.clone();
        tokio::spawn(async move { claim(&store, &format!("worker {n}"), MINUTE).await })
    });
    let mut claimed = BTreeSet::new();
    for task in tasks.collect::<Vec<_>>() {
        // Who finds all rows looked at by others asks again.
        match task.await.unwrap() {
            Some(claim) => assert!(claimed.insert(claim.number), "{claim:?}"),
            None => continue,
        }
    }
    while let Some(claim) = claim(store, "late", MINUTE).await {
        assert!(claimed.insert(claim.number), "{claim:?}");
    }
    assert_eq!(claimed, (0..24).collect());
    let fixtures = store.fixtures("cup").await.unwrap();
    assert!(
        fixtures
            .iter()
            .all(|one| one.is_claimed && one.attempt == 1)
    );
}

pub(crate) async fn what_is_given_back_or_paused_is_not_lost(store: &Store) {
    make(store, "cup", &three()).await;
    let first = claim(store, "ann", MINUTE).await.unwrap();
    assert_eq!((first.number, first.attempt), (0, 1));
    store.release(&first).await.unwrap();
    store
        .set_tournament_state("cup", State::Paused)
        .await
        .unwrap();
    assert_eq!(claim(store, "ann", MINUTE).await, None);
    store
        .set_tournament_state("cup", State::Running)
        .await
        .unwrap();
    let again = claim(store, "bob", MINUTE).await.unwrap();
    assert_eq!((again.number, again.attempt), (0, 2));
    // What was given back is no longer ours to give back.
    store.release(&first).await.unwrap();
    assert!(store.fixtures("cup").await.unwrap()[0].is_claimed);
    assert!(!store.renew(&first, MINUTE).await.unwrap());
    assert!(store.renew(&again, MINUTE).await.unwrap());
}

pub(crate) async fn a_result_counts_once_and_for_the_latest_attempt(store: &Store) {
    make(store, "cup", &three()[..1]).await;
    // The first worker's lease is over before it begins.
    let slow = claim(store, "slow", -1).await.unwrap();
    store
        .begin_fixture(&slow, &game("one", "cup"))
        .await
        .unwrap();
    let quick = claim(store, "quick", MINUTE).await.unwrap();
    assert_eq!((quick.number, quick.attempt), (0, 2));
    store
        .begin_fixture(&quick, &game("two", "cup"))
        .await
        .unwrap();
    let late = store.begin_fixture(&slow, &game("three", "cup")).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    let finish = async |claim, id| {
        let (last, won) = (last_move(), won());
        store.finish_fixture(claim, id, &last, &won, 99).await
    };
    assert!(matches!(finish(&slow, "one").await, Err(StoreError::Stale)));
    finish(&quick, "two").await.unwrap();
    assert!(matches!(
        finish(&quick, "two").await,
        Err(StoreError::Stale)
    ));
    assert_eq!(claim(store, "next", MINUTE).await, None);
    let fixtures = store.fixtures("cup").await.unwrap();
    assert_eq!(fixtures[0].result, Some(won()));
    assert_eq!(fixtures[0].game.as_deref(), Some("two"));
    // The game of the attempt that came to nothing is gone.
    let gone = store.game("one").await;
    assert!(matches!(gone, Err(StoreError::Missing(Entity::Game))));
    assert_eq!(store.moves("two").await.unwrap().len(), 1);
    let finished = store.finished_games().await.unwrap();
    assert_eq!(finished.len(), 1);
    assert_eq!(finished[0].outcome, won().outcome);
    // Persons without a name.
    assert_eq!(finished[0].players, BySide::both(None));
}

pub(crate) async fn an_old_attempt_and_a_new_one_never_wait_for_each_other(store: &Store) {
    make(store, "cup", &three()[..1]).await;
    for round in 0..60 {
        let [old, new] = ["old", "new"].map(|name| game(&format!("{name} {round}"), "cup"));
        let slow = claim(store, "slow", -1).await.unwrap();
        store.begin_fixture(&slow, &old).await.unwrap();
        let quick = claim(store, "quick", -1).await.unwrap();
        // Both write to the old game, with its clocks: one adds a move, the other takes it away.
        let last = Progress {
            left_ms: BySide {
                attackers: Some(1),
                defenders: Some(2),
            },
            ..progress(0, 0, &[made("e4-f4", None, None)])
        };
        let (moved, begun) = tokio::join!(
            store.advance(&old.id, &last, 99),
            store.begin_fixture(&quick, &new)
        );
        assert!(
            matches!(moved, Ok(_) | Err(StoreError::Stale)),
            "round {round}: {moved:?}"
        );
        begun.unwrap();
        let gone = store.game(&old.id).await;
        assert!(matches!(gone, Err(StoreError::Missing(Entity::Game))));
        assert_eq!(store.moves(&old.id).await.unwrap(), []);
    }
}

pub(crate) async fn a_remote_team_plays_one_game_at_a_time(store: &Store) {
    let remote = three().map(|fixture| Fixture {
        is_remote: true,
        ..fixture
    });
    make(store, "cup", &remote).await;
    assert_eq!(claim(store, "no ports", MINUTE).await, None);
    let with_ports = async || store.claim(None, &[], "ports", MINUTE, true).await.unwrap();
    let first = with_ports().await.unwrap();
    assert_eq!(first.number, 0);
    assert_eq!(with_ports().await.unwrap().number, 1);
    let skipped = ["other".to_string(), "cup".to_string()];
    let other = store.claim(None, &skipped, "ports", MINUTE, true).await;
    assert_eq!(other.unwrap(), None);
    // Teams 0 and 1 play already.
    assert_eq!(with_ports().await, None);
    store.release(&first).await.unwrap();
    assert_eq!(with_ports().await.unwrap().number, 0);
}
