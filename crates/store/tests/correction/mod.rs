//! Stories of corrections: logged, undone, and never overtaken by what was played before.

use tablut_rules::{Outcome, Reason, Side};
use tablut_store::{
    Amendment, Claim, Entity, Fixture, LogEntry, Note, Ruling, State, Store, StoreError,
};

use super::{
    contest::{MINUTE, claim, fixture, last_move, make, three, won},
    game,
};

fn note(why: &str) -> Note {
    Note {
        at_ms: 7,
        by: "ann".into(),
        why: why.into(),
    }
}

fn amendment(version: u64, entry: LogEntry) -> Amendment {
    Amendment {
        version,
        note: note("a reason"),
        entry,
        state: None,
        rulings: Vec::new(),
        remote: Vec::new(),
        restart: Vec::new(),
        replay: None,
        remove: Vec::new(),
        add: Vec::new(),
    }
}

fn new(version: u64) -> Amendment {
    amendment(version, LogEntry::New("something".into()))
}

fn undo(version: u64, number: u64) -> Amendment {
    amendment(version, LogEntry::Undo(number))
}

async fn fixtures(store: &Store) -> Vec<Fixture> {
    store.fixtures("cup").await.unwrap()
}

/// Claims a fixture and begins its game.
async fn begin(store: &Store, id: &str) -> Claim {
    let claim = claim(store, "ann", MINUTE).await.unwrap();
    store.begin_fixture(&claim, &game(id, "cup")).await.unwrap();
    claim
}

async fn finish(store: &Store, claim: &Claim, id: &str) -> Result<(), StoreError> {
    let (last, won) = (last_move(), won());
    store.finish_fixture(claim, id, &last, &won, 99).await
}

pub(crate) async fn a_correction_is_kept_with_its_reason_and_can_be_undone(store: &Store) {
    make(store, "cup", &three()).await;
    make(store, "other", &three()).await;
    let mut decide = new(0);
    decide.rulings = vec![
        (0, Some(Ruling::Decided(Some(Side::Attackers)))),
        (1, Some(Ruling::Annulled)),
    ];
    decide.remote = vec![(2, true)];
    decide.add = vec![fixture(3, 2, 0)];
    assert_eq!(store.amend("cup", &decide).await.unwrap(), 1);
    assert_eq!(store.amend("cup", &new(1)).await.unwrap(), 2);
    let all = fixtures(store).await;
    let outcome = Outcome::win(Side::Attackers, Reason::Decision);
    assert_eq!(all[0].result.as_ref().unwrap().outcome, outcome);
    assert!(all[0].is_settled() && all[0].counts());
    assert!(all[1].is_settled() && !all[1].counts());
    assert!(all[2].is_remote && !all[2].is_settled());
    assert_eq!((all[3].added_by, all.len()), (Some(1), 4));
    // Neither is played.
    assert_eq!(claim(store, "ann", MINUTE).await.unwrap().number, 3);

    let mut back = undo(2, 1);
    back.note.why = "a mistake".into();
    back.rulings = vec![(0, None), (1, None)];
    back.remote = vec![(2, false)];
    back.remove = vec![3];
    assert_eq!(store.amend("cup", &back).await.unwrap(), 1);
    assert_eq!(fixtures(store).await, three());
    let kept = store.tournament("cup").await.unwrap();
    assert_eq!((kept.version, kept.corrections.len()), (3, 2));
    assert_eq!(kept.corrections[0].note, note("a reason"));
    assert_eq!(kept.corrections[0].change, "something");
    assert_eq!(kept.corrections[0].undone, Some(note("a mistake")));
    assert_eq!(kept.corrections[1].undone, None);
    let again = store.amend("cup", &undo(3, 1)).await;
    assert!(matches!(again, Err(StoreError::Stale)));
    let all = store.tournaments().await.unwrap();
    let other = all.iter().find(|one| one.id == "other").unwrap();
    assert!(other.corrections.is_empty());
    assert!(all.contains(&kept));
}

pub(crate) async fn a_result_of_a_corrected_game_is_refused(store: &Store) {
    make(store, "cup", &three()).await;
    let decided = begin(store, "decided").await;
    let changed = begin(store, "changed").await;
    let untouched = begin(store, "untouched").await;
    let mut correction = new(0);
    correction.rulings = vec![(decided.number, Some(Ruling::Decided(None)))];
    correction.restart = vec![decided.number, changed.number];
    store.amend("cup", &correction).await.unwrap();
    for (claim, id) in [(&decided, "decided"), (&changed, "changed")] {
        assert!(!store.renew(claim, MINUTE).await.unwrap());
        let late = finish(store, claim, id).await;
        assert!(matches!(late, Err(StoreError::Stale)), "{id}");
        // What was played of it is gone.
        assert!(matches!(store.game(id).await, Err(StoreError::Missing(_))));
    }
    finish(store, &untouched, "untouched").await.unwrap();
    let again = claim(store, "bob", MINUTE).await.unwrap();
    assert_eq!((again.number, again.attempt, again.version), (1, 3, 1));
    assert_eq!(claim(store, "bob", MINUTE).await, None);
}

pub(crate) async fn a_game_played_again_can_have_its_first_result_back(store: &Store) {
    make(store, "cup", &three()[..1]).await;
    let first = begin(store, "first").await;
    finish(store, &first, "first").await.unwrap();
    let mut replay = new(0);
    replay.replay = Some(0);
    store.amend("cup", &replay).await.unwrap();
    assert_eq!(fixtures(store).await[0].played, None);
    let late = finish(store, &first, "first").await;
    assert!(matches!(late, Err(StoreError::Stale)));

    // Before the new game is over, and after.
    let mut back = undo(1, 1);
    back.replay = Some(0);
    let second = begin(store, "second").await;
    store.amend("cup", &back).await.unwrap();
    let one = fixtures(store).await.remove(0);
    assert_eq!(
        (one.result, one.game.as_deref()),
        (Some(won()), Some("first"))
    );
    assert!(store.game("second").await.is_err());
    let late = finish(store, &second, "second").await;
    assert!(matches!(late, Err(StoreError::Stale)));

    replay.version = 2;
    assert_eq!(store.amend("cup", &replay).await.unwrap(), 2);
    let third = begin(store, "third").await;
    finish(store, &third, "third").await.unwrap();
    back = undo(3, 2);
    back.replay = Some(0);
    store.amend("cup", &back).await.unwrap();
    let one = fixtures(store).await.remove(0);
    assert_eq!(
        (one.result, one.game.as_deref()),
        (Some(won()), Some("first"))
    );
    assert_eq!(store.moves("third").await.unwrap().len(), 1);
    // A game without a result cannot be set aside.
    make(store, "new", &three()).await;
    replay.version = 0;
    let early = store.amend("new", &replay).await;
    assert!(matches!(early, Err(StoreError::Stale)));
    assert!(
        store
            .tournament("new")
            .await
            .unwrap()
            .corrections
            .is_empty()
    );
}

pub(crate) async fn what_was_read_before_a_correction_changes_nothing(store: &Store) {
    make(store, "cup", &three()).await;
    let early = claim(store, "ann", MINUTE).await.unwrap();
    store.amend("cup", &new(0)).await.unwrap();
    let begun = store.begin_fixture(&early, &game("early", "cup")).await;
    assert!(matches!(begun, Err(StoreError::Stale)));
    let final_round = [fixture(3, 0, 1)];
    let added = store.add_fixtures("cup", 0, &final_round).await;
    assert!(matches!(added, Err(StoreError::Stale)));
    let twice = store.amend("cup", &new(0)).await;
    assert!(matches!(twice, Err(StoreError::Stale)));
    assert_eq!(fixtures(store).await.len(), 3);
    // A fixture with a result is not removed, and then nothing is done.
    store.release(&early).await.unwrap();
    let first = begin(store, "first").await;
    finish(store, &first, "first").await.unwrap();
    let mut remove = new(1);
    remove.rulings = vec![(1, Some(Ruling::Annulled))];
    remove.remove = vec![0];
    let refused = store.amend("cup", &remove).await;
    assert!(matches!(refused, Err(StoreError::Stale)));
    assert_eq!(fixtures(store).await[1].ruling, None);
    let missing = store.amend("cap", &new(0)).await;
    assert!(matches!(
        missing,
        Err(StoreError::Missing(Entity::Tournament))
    ));
}

pub(crate) async fn what_is_archived_waits_and_what_is_deleted_is_gone(store: &Store) {
    make(store, "cup", &three()).await;
    let first = begin(store, "first").await;
    finish(store, &first, "first").await.unwrap();
    let mut archive = new(0);
    archive.state = Some(State::Archived);
    store.amend("cup", &archive).await.unwrap();
    assert_eq!(claim(store, "ann", MINUTE).await, None);
    store
        .set_tournament_state("cup", State::Running)
        .await
        .unwrap();
    let kept = store.tournament("cup").await.unwrap();
    assert_eq!(kept.state, State::Archived);

    let mut replay = new(1);
    replay.replay = Some(0);
    store.amend("cup", &replay).await.unwrap();
    let mut restore = undo(2, 1);
    restore.state = Some(State::Running);
    store.amend("cup", &restore).await.unwrap();
    let second = begin(store, "second").await;
    store.delete_tournament("cup").await.unwrap();
    let late = finish(store, &second, "second").await;
    assert!(matches!(late, Err(StoreError::Stale)));
    for id in ["first", "second"] {
        assert!(store.game(id).await.is_err() && store.moves(id).await.unwrap().is_empty());
    }
    assert!(fixtures(store).await.is_empty());
    let gone = store.delete_tournament("cup").await;
    assert!(matches!(gone, Err(StoreError::Missing(Entity::Tournament))));
    // Its id is free, and nothing of it is left.
    assert!(make(store, "cup", &three()).await);
    let kept = store.tournament("cup").await.unwrap();
    assert!(kept.corrections.is_empty() && kept.version == 0);
}

pub(crate) async fn a_late_team_does_not_lose_its_games_to_a_final(store: &Store) {
    make(store, "cup", &three()).await;
    let mut late = new(0);
    late.add = vec![fixture(3, 2, 0), fixture(4, 0, 2)];
    // The last game of the groups ends while the correction is planned.
    store
        .add_fixtures("cup", 0, &[fixture(3, 0, 1)])
        .await
        .unwrap();
    let refused = store.amend("cup", &late).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    let kept = store.tournament("cup").await.unwrap();
    assert!(kept.corrections.is_empty() && kept.version == 0);
    assert_eq!(fixtures(store).await.len(), 4);
    // Planned anew, they come after it.
    late.add = vec![fixture(4, 2, 0), fixture(5, 0, 2)];
    store.amend("cup", &late).await.unwrap();
    assert_eq!(fixtures(store).await.len(), 6);
}

pub(crate) async fn a_tournament_is_deleted_whatever_is_played_meanwhile(store: &Store) {
    for round in 0..40 {
        make(store, "cup", &three()[..1]).await;
        let [old, new] = ["old", "new"].map(|name| game(&format!("{name} {round}"), "cup"));
        let slow = claim(store, "slow", -1).await.unwrap();
        store.begin_fixture(&slow, &old).await.unwrap();
        let quick = claim(store, "quick", -1).await.unwrap();
        let last = last_move();
        let (moved, begun, deleted) = tokio::join!(
            store.advance(&old.id, &last, 99),
            store.begin_fixture(&quick, &new),
            store.delete_tournament("cup")
        );
        for done in [moved.map(drop), begun] {
            assert!(
                matches!(done, Ok(()) | Err(StoreError::Stale)),
                "round {round}: {done:?}"
            );
        }
        deleted.unwrap();
        for game in [old, new] {
            let gone = store.game(&game.id).await;
            assert!(
                matches!(gone, Err(StoreError::Missing(Entity::Game))),
                "round {round}: {gone:?}"
            );
            assert_eq!(store.moves(&game.id).await.unwrap(), []);
        }
    }
}
