//! Studies in the store: kept after each change, whoever else is changing them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use tablut_host::{Host, HostError, Limits, NodeKey, OpenedStudy, StudyCommand, StudyError};
use tablut_rules::{Move, Rules};
use tablut_store::{Entity, Location, Store, StoreError, Visitor};

fn play(node: u32, moves: &str) -> StudyCommand {
    StudyCommand::Play {
        node: NodeKey(node),
        moves: moves
            .split_whitespace()
            .map(|step| step.parse::<Move>().unwrap())
            .collect(),
    }
}

async fn edit(
    host: &Host,
    visitor: &Visitor,
    id: Option<&str>,
    command: StudyCommand,
) -> Result<OpenedStudy, HostError> {
    let rules = host.rules("ashton").unwrap();
    host.edit_study(visitor, id, rules, None, &command).await
}

async fn host(limits: Limits) -> (Host, Arc<Rules>, Visitor) {
    let store = Store::open(&Location::Memory).await.unwrap();
    let host = Host::new(store, limits);
    let rules = Arc::clone(host.rules("ashton").unwrap());
    (host, rules, Visitor::new("ann"))
}

#[tokio::test]
async fn a_board_is_kept_from_its_first_change_on_and_found_by_another_host() {
    let (host, rules, ann) = host(Limits::default()).await;
    let fresh = host.open_study(&ann, None, &rules).await.unwrap();
    assert_eq!((fresh.id, fresh.is_own), (None, true));
    let edited = edit(&host, &ann, None, play(0, "e4d4 d1c1"));
    let edited = edited.await.unwrap();
    let undo = StudyCommand::Undo;
    edit(&host, &ann, None, undo).await.unwrap();

    // As after a restart: another host over the same store.
    let again = Host::new(host.store().clone(), Limits::default());
    let opened = again.open_study(&ann, None, &rules).await.unwrap();
    assert_eq!(opened.id, edited.id);
    assert!(opened.study.tree().is_empty());
    let redone = edit(&again, &ann, None, StudyCommand::Redo);
    let redone = redone.await.unwrap();
    assert_eq!(redone.study.tree().len(), 2);
    assert_eq!(redone.study.cursor(), edited.study.cursor());
    let id = redone.id.unwrap();
    again.step_study(&ann, &id, NodeKey(1)).await.unwrap();
    let opened = host.open_study(&ann, Some(&id), &rules).await.unwrap();
    assert_eq!(opened.study.cursor(), NodeKey(1));
}

#[tokio::test]
async fn changes_made_at_once_are_all_made() {
    let (host, rules, ann) = host(Limits::default()).await;
    edit(&host, &ann, None, play(0, "e4d4")).await.unwrap();
    let edits = ["d1c1", "f1g1", "e2d2", "d9c9"].map(|step| {
        let (host, ann) = (host.clone(), ann.clone());
        tokio::spawn(async move { edit(&host, &ann, None, play(1, step)).await.map(drop) })
    });
    for edit in edits {
        edit.await.unwrap().unwrap();
    }
    let opened = host.open_study(&ann, None, &rules).await.unwrap();
    assert_eq!(opened.study.tree().len(), 5);
}

#[tokio::test]
async fn others_see_what_has_a_name_and_change_a_copy() {
    let (host, rules, ann) = host(Limits::default()).await;
    let bob = Visitor::new("bob");
    let opened = edit(&host, &ann, None, play(0, "e4d4 d1c1"));
    let id = opened.await.unwrap().id.unwrap();
    // A board is for its owner.
    let refused = host.open_study(&bob, Some(&id), &rules).await;
    assert!(matches!(
        refused.map(drop),
        Err(HostError::Store(StoreError::Missing(Entity::Study)))
    ));
    host.name_study(&ann, Some(&id), &rules, "A fork")
        .await
        .unwrap();
    let seen = host.open_study(&bob, Some(&id), &rules).await.unwrap();
    assert!(!seen.is_own);
    let refused = edit(&host, &bob, Some(&id), play(0, "e4f4"));
    assert!(matches!(refused.await, Err(HostError::NotYourStudy)));
    let copy = host.copy_study(&bob, &id).await.unwrap();
    assert_eq!(copy.study.cursor(), seen.study.cursor());
    edit(&host, &bob, None, play(0, "e4f4")).await.unwrap();
    let seen = host.open_study(&bob, Some(&id), &rules).await.unwrap();
    assert_eq!(seen.study.tree().len(), 2);
}

#[tokio::test]
async fn no_visitor_keeps_more_than_the_limit_and_all_together_no_more_than_theirs() {
    let limits = Limits {
        studies: 2,
        all_studies: 4,
        ..Limits::default()
    };
    let (host, rules, ann) = host(limits).await;
    for name in ["one", "two"] {
        edit(&host, &ann, None, play(0, "e4d4")).await.unwrap();
        host.name_study(&ann, None, &rules, name).await.unwrap();
    }
    let third = edit(&host, &ann, None, play(0, "e4d4"));
    assert!(matches!(third.await, Err(HostError::TooManyStudies(2))));
    let bob = Visitor::new("bob");
    let host = host.at_home();
    for name in ["one", "two"] {
        edit(&host, &bob, None, play(0, "e4d4")).await.unwrap();
        host.name_study(&bob, None, &rules, name).await.unwrap();
    }
    let cid = Visitor::new("cid");
    let full = edit(&host, &cid, None, play(0, "e4d4"));
    assert!(matches!(full.await, Err(HostError::StoreFull("studies"))));
}

#[tokio::test]
async fn what_cannot_be_done_changes_nothing() {
    let (host, _, ann) = host(Limits::default()).await;
    let illegal = edit(&host, &ann, None, play(0, "e4e9"));
    assert!(matches!(
        illegal.await,
        Err(HostError::Study(StudyError::Illegal(..)))
    ));
    assert_eq!(host.store().board_of("ann").await.unwrap(), None);
}
