//! What visitors have learnt stays, and counts once.

use tablut_store::{
    Entity, PuzzleResult, PuzzleRun, PuzzleSettlement, Store, StoreError, StoredRating,
};

const BEFORE: StoredRating = StoredRating {
    rating: 1500.0,
    deviation: 350.0,
    volatility: 0.06,
};

pub(crate) async fn steps_of_lessons_are_kept_for_their_owner(store: &Store) {
    for step in [2, 0, 2] {
        store
            .keep_lesson_step("ann", "ashton", "rules", step, 5)
            .await
            .unwrap();
    }
    store
        .keep_lesson_step("ann", "linnaeus", "plans", 1, 6)
        .await
        .unwrap();
    let steps = store.lesson_steps("ann", "ashton").await.unwrap();
    assert_eq!(steps, [("rules".into(), 0), ("rules".into(), 2)]);
    assert!(
        store
            .lesson_steps("bob", "ashton")
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn the_first_try_at_a_puzzle_counts_and_no_other(store: &Store) {
    let rate = |by: f64, result| {
        move |player: Option<StoredRating>, puzzle: Option<StoredRating>| {
            let player = player.unwrap_or(BEFORE);
            let puzzle = puzzle.unwrap_or(BEFORE);
            PuzzleSettlement {
                result,
                player: (
                    player,
                    StoredRating {
                        rating: player.rating + by,
                        ..player
                    },
                ),
                puzzle: StoredRating {
                    rating: puzzle.rating - by,
                    ..puzzle
                },
            }
        }
    };
    assert_eq!(store.puzzle_player("ann").await.unwrap(), None);
    let solved = rate(112.5, PuzzleResult::Solved);
    let settled = store.settle_puzzle("ann", "ashton", 7, 10, solved).await;
    assert_eq!(settled.unwrap().unwrap().player.1.rating, 1612.5);
    let again = rate(100.0, PuzzleResult::Solved);
    let settled = store.settle_puzzle("ann", "ashton", 7, 11, again).await;
    assert_eq!(settled.unwrap(), None);
    let failed = rate(-80.0, PuzzleResult::Failed);
    store
        .settle_puzzle("ann", "ashton", 9, 12, failed)
        .await
        .unwrap()
        .unwrap();
    let player = store.puzzle_player("ann").await.unwrap().unwrap();
    assert_eq!(player.rating, 1532.5);
    assert_eq!((player.deviation, player.volatility), (350.0, 0.06));
    let ratings = store.puzzle_ratings("ashton").await.unwrap();
    let ratings: Vec<(u32, f64)> = ratings.iter().map(|(n, one)| (*n, one.rating)).collect();
    assert_eq!(ratings, [(7, 1387.5), (9, 1580.0)]);
    let tries = store.puzzle_tries("ann", "ashton").await.unwrap();
    let tries: Vec<_> = tries
        .iter()
        .map(|one| (one.number, one.result, one.rating, one.gain))
        .collect();
    assert_eq!(
        tries,
        [
            (9, PuzzleResult::Failed, 1532.5, -80.0),
            (7, PuzzleResult::Solved, 1612.5, 112.5)
        ]
    );
    assert!(
        store
            .puzzle_tries("bob", "ashton")
            .await
            .unwrap()
            .is_empty()
    );
}

pub(crate) async fn a_run_goes_on_once_and_the_best_one_stays(store: &Store) {
    let run = |id: &str| PuzzleRun {
        id: id.into(),
        owner: "ann".into(),
        rules: "ashton".into(),
        kind: "streak".into(),
        score: 0,
        misses: 0,
        puzzle: 3,
        began_ms: 100,
        ended_ms: None,
    };
    let first = run("one");
    store.begin_puzzle_run(&first).await.unwrap();
    let further = PuzzleRun {
        score: 1,
        puzzle: 8,
        ..first.clone()
    };
    assert!(store.advance_puzzle_run(&first, &further).await.unwrap());
    // What was read before it went on changes nothing.
    assert!(!store.advance_puzzle_run(&first, &further).await.unwrap());
    let over = PuzzleRun {
        misses: 1,
        ended_ms: Some(200),
        ..further.clone()
    };
    assert!(store.advance_puzzle_run(&further, &over).await.unwrap());
    assert!(!store.advance_puzzle_run(&over, &over).await.unwrap());
    assert_eq!(store.puzzle_run("ann", "one").await.unwrap(), over);
    for id in ["two", "three"] {
        store.begin_puzzle_run(&run(id)).await.unwrap();
    }
    assert_eq!(
        store
            .best_puzzle_run("ann", "ashton", "streak")
            .await
            .unwrap(),
        1
    );
    assert_eq!(
        store
            .best_puzzle_run("ann", "ashton", "rush")
            .await
            .unwrap(),
        0
    );
    let missing = |id: &'static str, owner: &'static str| async move {
        let run = store.puzzle_run(owner, id).await;
        matches!(run, Err(StoreError::Missing(Entity::Run)))
    };
    assert!(
        missing("two", "ann").await,
        "it was neither the best nor the last"
    );
    assert!(missing("one", "bob").await);
    store.puzzle_run("ann", "one").await.unwrap();
}
