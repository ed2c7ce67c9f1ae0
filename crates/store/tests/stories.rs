//! What is kept stays as it was, on every back end: the same stories for a file, for memory and for a
//! PostgreSQL server that the test starts itself (`./test --only database`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod contest;
mod correction;
mod job;
mod learning;
mod library;
mod live;
mod postgres;
mod process;
mod upgrade;

use contest::*;
use correction::*;
use job::*;
use learning::*;
use library::*;
use live::*;
use process::*;
use tablut_arena::TimeControl;
use tablut_rules::{BySide, Outcome, Reason, Rules, Setup, Side, record::Score};
use tablut_store::{
    Entity, Game, GameFilter, GameOwner, Kept, KeptStudy, Location, NamedPosition, Progress, Saved,
    Seat, SeatPlayer, Store, StoreError, StoredMove, StudyTitle,
};

/// Runs each story on each back end; all of them share one PostgreSQL server, a database each.
macro_rules! stories {
    ($($story:ident)*) => {
        mod on_a_file {
            $(#[tokio::test]
            async fn $story() {
                let folder = tempfile::tempdir().unwrap();
                let place = super::Location::File(folder.path().join("a folder/games.db"));
                super::$story(&super::Store::open(&place).await.unwrap()).await;
            })*
        }

        mod in_memory {
            $(#[tokio::test]
            async fn $story() {
                super::$story(&super::Store::open(&super::Location::Memory).await.unwrap()).await;
            })*
        }

        mod beside_the_next_version {
            $(#[tokio::test]
            async fn $story() {
                let folder = tempfile::tempdir().unwrap();
                let place = super::Location::File(folder.path().join("games.db"));
                let store = super::Store::open(&place).await.unwrap();
                super::upgrade::to_next_version(&store, &place).await;
                super::$story(&store).await;
            })*
        }

        #[tokio::test]
        #[ignore = "needs PostgreSQL: ./test --only database"]
        async fn all_stories_hold_on_postgresql() {
            let server = postgres::Server::start();
            $({
                let place = Location::Postgres(server.database(stringify!($story)));
                let store = Store::open(&place).await.unwrap();
                $story(&store).await;
                store.close().await;
                println!("{} ... ok", stringify!($story));
            })*
        }

        #[tokio::test]
        #[ignore = "needs PostgreSQL: ./test --only database"]
        async fn all_stories_hold_on_postgresql_beside_the_next_version() {
            let server = postgres::Server::start();
            $({
                let place = Location::Postgres(server.database(stringify!($story)));
                let store = Store::open(&place).await.unwrap();
                upgrade::to_next_version(&store, &place).await;
                $story(&store).await;
                store.close().await;
            })*
        }
    };
}

stories! {
    a_visitor_is_new_once_and_keeps_a_name
    visitors_who_left_nothing_are_forgotten
    settings_belong_to_their_owner
    a_slot_gives_back_what_it_held
    slots_of_two_owners_do_not_mix
    a_library_is_searched_by_name
    nobody_changes_the_position_of_another
    a_review_is_found_again_and_the_oldest_go
    an_owner_has_one_board_and_studies_by_name
    a_study_that_was_changed_elsewhere_is_not_overwritten
    a_game_comes_back_with_every_move
    moves_taken_back_are_gone
    the_moves_of_several_games_come_at_once
    a_game_that_went_on_elsewhere_is_not_overwritten
    the_first_to_sit_keeps_the_seat
    of_all_who_have_an_invitation_one_sits_down
    nobody_sits_on_both_sides_of_a_game_for_two
    who_plays_alone_is_not_rated
    games_are_listed_for_owner_and_guest
    a_rematch_is_made_once
    what_is_missing_is_said_to_be_missing
    a_tournament_is_made_once
    workers_that_ask_at_once_get_different_fixtures
    what_is_given_back_or_paused_is_not_lost
    a_result_counts_once_and_for_the_latest_attempt
    an_old_attempt_and_a_new_one_never_wait_for_each_other
    a_remote_team_plays_one_game_at_a_time
    a_correction_is_kept_with_its_reason_and_can_be_undone
    a_result_of_a_corrected_game_is_refused
    a_game_played_again_can_have_its_first_result_back
    what_was_read_before_a_correction_changes_nothing
    steps_of_lessons_are_kept_for_their_owner
    the_first_try_at_a_puzzle_counts_and_no_other
    a_run_goes_on_once_and_the_best_one_stays
    what_is_archived_waits_and_what_is_deleted_is_gone
    a_late_team_does_not_lose_its_games_to_a_final
    a_tournament_is_deleted_whatever_is_played_meanwhile
    a_game_that_is_over_is_filed_once_and_found_by_everything_about_it
    a_position_finds_its_games_and_so_does_each_image
    the_explorer_counts_what_games_did_and_forgets_deleted_ones
    nobody_lists_the_games_of_others
    lists_go_on_where_they_stopped
    tags_belong_to_who_gave_them
    players_get_ratings_by_rule_set_and_side
    what_is_played_now_is_live_for_those_who_may_see_it
    what_was_played_elsewhere_is_kept_whole
    what_was_played_elsewhere_rates_nobody
    the_clock_runs_when_both_are_there
    whoever_writes_to_another_version_is_refused
    a_process_that_died_charges_nobody
    nobody_is_buried_who_is_alive
    everybody_hears_what_changes
    workers_that_ask_at_once_get_different_jobs
    a_job_is_done_once_and_by_the_latest_attempt
    short_work_goes_first_and_each_worker_takes_its_kinds
    what_nobody_waits_for_is_not_done
    a_job_that_ends_its_workers_is_given_up
    a_job_that_is_given_back_willingly_was_not_tried
    whoever_waits_may_begin_a_job_that_no_worker_has
    an_owner_and_all_together_order_so_much_and_no_more
    everybody_hears_of_jobs
    processes_tell_of_themselves_and_hear_when_they_should_end
    pages_of_an_address_are_counted_over_all_processes
    spectators_of_a_game_are_counted_over_all_living_processes
}

fn start() -> Saved {
    Saved {
        rules: "ashton".into(),
        setup: Setup::from(&Rules::ashton().start()),
    }
}

fn lone_king() -> Saved {
    Saved {
        rules: "linnaeus".into(),
        setup: "9/9/9/9/4K4/9/9/9/9 b 7".parse().unwrap(),
    }
}

fn seat(holder: Option<&str>) -> Seat {
    Seat {
        player: SeatPlayer::Person,
        secret: match holder {
            Some(_) => String::new(),
            None => "secret of person".into(),
        },
        holder: holder.map(Into::into),
        name: None,
        left_ms: Some(60_000),
    }
}

fn game(id: &str, owner: &str) -> Game {
    Game {
        id: id.into(),
        owner: GameOwner::Visitor(owner.into()),
        rules: "ashton".into(),
        setup: None,
        control: TimeControl::PerMove { ms: 60_000 },
        take_backs: true,
        seats: BySide {
            attackers: seat(None),
            defenders: seat(Some(owner)),
        },
        plies: 0,
        outcome: None,
        rematch: None,
        created_ms: 1000,
        changed_ms: 1000,
    }
}

fn made(step: &str, spent_ms: Option<u64>, score: Option<Score>) -> StoredMove {
    StoredMove {
        step: step.parse().unwrap(),
        spent_ms,
        clock_ms: spent_ms.map(|ms| 60_000 - ms),
        score,
    }
}

fn progress(before: usize, keep: usize, moves: &[StoredMove]) -> Progress {
    Progress {
        before,
        keep,
        moves: moves.to_vec(),
        left_ms: BySide {
            attackers: Some(41),
            defenders: None,
        },
        outcome: None,
        course: None,
    }
}

async fn a_visitor_is_new_once_and_keeps_a_name(store: &Store) {
    assert_eq!(store.visitor("ann").await.unwrap(), None);
    assert!(store.name_visitor("ann", Some("Ann")).await.is_err());
    store.keep_visitor("ann", 1).await.unwrap();
    store.name_visitor("ann", Some("Ann È 王")).await.unwrap();
    store.keep_visitor("ann", 2).await.unwrap();
    let again = store.visitor("ann").await.unwrap().unwrap();
    assert_eq!(again.name.as_deref(), Some("Ann È 王"));
    store.name_visitor("ann", None).await.unwrap();
    assert_eq!(store.visitor("ann").await.unwrap().unwrap().name, None);
}

async fn visitors_who_left_nothing_are_forgotten(store: &Store) {
    for name in ["idle", "new", "named", "set", "slotted", "owner", "holder"] {
        let came = if name == "new" { 100 } else { 1 };
        store.keep_visitor(name, came).await.unwrap();
    }
    store.name_visitor("named", Some("N")).await.unwrap();
    store.set_setting("set", "theme", "dark").await.unwrap();
    let saved = Saved {
        rules: "ashton".into(),
        setup: "9/9/9/9/4K4/9/9/9/9 w".parse().unwrap(),
    };
    store
        .save_slot("slotted", 1, Some(&saved), 1)
        .await
        .unwrap();
    store
        .create_game(&game("forgetting", "owner"))
        .await
        .unwrap();
    assert!(
        store
            .take_seat("forgetting", Side::Attackers, "holder", None)
            .await
            .unwrap()
    );
    let before = store.count_kept(Kept::Visitors).await.unwrap();
    assert!(store.forget_visitors(50).await.unwrap() >= 1);
    assert!(store.count_kept(Kept::Visitors).await.unwrap() < before);
    assert_eq!(store.visitor("idle").await.unwrap(), None);
    for name in ["new", "named", "set", "slotted", "owner", "holder"] {
        assert!(store.visitor(name).await.unwrap().is_some(), "{name}");
    }
}

async fn settings_belong_to_their_owner(store: &Store) {
    store.set_setting("ann", "theme", "dark").await.unwrap();
    store.set_setting("bob", "theme", "light").await.unwrap();
    store.set_setting("ann", "lang", "it").await.unwrap();
    store.set_setting("ann", "theme", "auto").await.unwrap();
    let ann = store.settings("ann").await.unwrap();
    assert_eq!(
        ann,
        [
            ("lang".into(), "it".into()),
            ("theme".into(), "auto".into())
        ]
    );
    assert_eq!(store.settings("bob").await.unwrap().len(), 1);
    assert!(store.settings("eve").await.unwrap().is_empty());
}

async fn a_slot_gives_back_what_it_held(store: &Store) {
    for (content, before) in [
        (Some(start()), None),
        (Some(lone_king()), Some(start())),
        (None, Some(lone_king())),
    ] {
        let given = store.save_slot("ann", 3, content.as_ref(), 5).await;
        assert_eq!(given.unwrap(), before);
        let kept = content.map(|content| (3, content));
        assert_eq!(store.slots("ann").await.unwrap(), Vec::from_iter(kept));
    }
}

async fn slots_of_two_owners_do_not_mix(store: &Store) {
    for (owner, number, content) in [("ann", 0, start()), ("bob", 0, lone_king())] {
        let before = store.save_slot(owner, number, Some(&content), 5).await;
        assert_eq!(before.unwrap(), None);
    }
    assert_eq!(store.slots("ann").await.unwrap(), [(0, start())]);
    assert_eq!(store.slots("bob").await.unwrap(), [(0, lone_king())]);
}

fn named(id: &str, name: &str, saved_ms: i64) -> NamedPosition {
    NamedPosition {
        id: id.into(),
        name: name.into(),
        saved: start(),
        saved_ms,
    }
}

async fn a_library_is_searched_by_name(store: &Store) {
    for position in [
        named("1", "Opening/Two lanes", 10),
        named("2", "opening 100% fork_1", 20),
        named("3", "Endgame", 30),
    ] {
        store.add_position("ann", &position).await.unwrap();
    }
    for (text, ids) in [
        ("", &["3", "2", "1"][..]),
        ("OPENING", &["2", "1"]),
        ("0%", &["2"]),
        ("k_", &["2"]),
        ("d_m", &[]),
        ("\\", &[]),
    ] {
        let found = store.positions("ann", text, 10).await.unwrap();
        let found: Vec<&str> = found.iter().map(|position| position.id.as_str()).collect();
        assert_eq!(found, ids, "{text}");
    }
    assert_eq!(store.positions("ann", "", 2).await.unwrap().len(), 2);
    assert_eq!(store.count_positions("ann").await.unwrap(), 3);
    assert!(store.positions("bob", "", 10).await.unwrap().is_empty());
}

async fn nobody_changes_the_position_of_another(store: &Store) {
    let unknown = store.change_position("ann", &named("1", "mine", 1)).await;
    assert!(matches!(
        unknown,
        Err(StoreError::Missing(Entity::Position))
    ));
    store
        .add_position("ann", &named("1", "mine", 1))
        .await
        .unwrap();
    let taken = store.change_position("bob", &named("1", "yours", 2)).await;
    assert!(matches!(taken, Err(StoreError::Missing(_))));
    let taken = store.add_position("bob", &named("1", "yours", 2)).await;
    assert!(taken.is_err());
    assert!(store.delete_position("bob", "1").await.is_err());
    store
        .change_position("ann", &named("1", "renamed", 3))
        .await
        .unwrap();
    let all = store.positions("ann", "", 10).await.unwrap();
    assert_eq!(all, [named("1", "renamed", 3)]);
    store.delete_position("ann", "1").await.unwrap();
    assert_eq!(store.count_positions("ann").await.unwrap(), 0);
}

async fn a_review_is_found_again_and_the_oldest_go(store: &Store) {
    let keep = async |id: &str, text: &str, now_ms| {
        store.keep_review(id, text, now_ms, 2).await.unwrap();
    };
    assert_eq!(store.review("one").await.unwrap(), None);
    keep("one", "first", 10).await;
    keep("two", "second", 20).await;
    keep("one", "first, made again", 30).await;
    let found = store.review("one").await.unwrap();
    assert_eq!(found.as_deref(), Some("first, made again"));
    keep("three", "third", 40).await;
    let mut left = Vec::new();
    for id in ["one", "two", "three"] {
        left.push(store.review(id).await.unwrap().is_some());
    }
    assert_eq!(left, [true, false, true]);
}

fn board(id: &str, owner: &str) -> KeptStudy {
    KeptStudy {
        title: StudyTitle {
            id: id.into(),
            name: None,
            root: start(),
            moves: 2,
            changed_ms: 5,
        },
        owner: owner.into(),
        version: 0,
        cursor: 1,
        body: "{\"tree\": \"‘any’ text\"}".into(),
        journal: "[]".into(),
    }
}

async fn an_owner_has_one_board_and_studies_by_name(store: &Store) {
    assert_eq!(store.board_of("ann").await.unwrap(), None);
    let first = board("one", "ann");
    store.create_study(&first).await.unwrap();
    assert_eq!(store.study("one").await.unwrap(), first);
    assert_eq!(store.board_of("ann").await.unwrap(), Some(first.clone()));
    // Whoever makes another board at the same time is told.
    let second = store.create_study(&board("two", "ann")).await;
    assert!(matches!(second, Err(StoreError::Stale)), "{second:?}");
    store.create_study(&board("two", "bob")).await.unwrap();
    assert!(store.studies_of("ann", 10).await.unwrap().is_empty());

    // A board that gets a name makes room for another.
    let mut named = first;
    named.title.name = Some("A fork".into());
    named.version += 1;
    store.save_study(&named).await.unwrap();
    assert_eq!(store.board_of("ann").await.unwrap(), None);
    store.create_study(&board("three", "ann")).await.unwrap();
    let studies = store.studies_of("ann", 10).await.unwrap();
    assert_eq!(studies.len(), 1);
    assert_eq!(studies[0].name.as_deref(), Some("A fork"));
    assert_eq!(store.count_studies("ann").await.unwrap(), 2);
    assert_eq!(store.count_kept(Kept::Studies).await.unwrap(), 3);

    // Nobody changes what is another's.
    let missing =
        |done: Result<(), StoreError>| matches!(done, Err(StoreError::Missing(Entity::Study)));
    assert!(missing(store.move_cursor("bob", "one", 7).await));
    assert!(missing(store.delete_study("bob", "one").await));
    store.move_cursor("ann", "one", 7).await.unwrap();
    assert_eq!(store.study("one").await.unwrap().cursor, 7);
    store.delete_study("ann", "one").await.unwrap();
    assert!(missing(store.study("one").await.map(|_| ())));
    // Who has a board has left something.
    store.keep_visitor("ann", 0).await.unwrap();
    assert_eq!(store.forget_visitors(10).await.unwrap(), 0);
}

async fn a_study_that_was_changed_elsewhere_is_not_overwritten(store: &Store) {
    let first = board("one", "ann");
    store.create_study(&first).await.unwrap();
    let changed = |text: &str| KeptStudy {
        version: 1,
        body: text.into(),
        ..first.clone()
    };
    store.save_study(&changed("here")).await.unwrap();
    let late = store.save_study(&changed("there")).await;
    assert!(matches!(late, Err(StoreError::Stale)), "{late:?}");
    assert_eq!(store.study("one").await.unwrap().body, "here");
    let other = KeptStudy {
        owner: "bob".into(),
        version: 2,
        ..first.clone()
    };
    let other = store.save_study(&other).await;
    assert!(matches!(other, Err(StoreError::Stale)), "{other:?}");
}

async fn a_game_comes_back_with_every_move(store: &Store) {
    let mut expected = game("g", "ann");
    expected.setup = Some(lone_king().setup);
    expected.seats.defenders.name = Some("Ann".into());
    store.create_game(&expected).await.unwrap();
    assert_eq!(store.game("g").await.unwrap(), expected);

    let moves = [
        made("e4e3", Some(1500), Some(Score::Hundredths(-25))),
        made("d1c1", None, Some(Score::Win(3))),
    ];
    store
        .advance("g", &progress(0, 0, &moves[..1]), 2000)
        .await
        .unwrap();
    let mut last = progress(1, 1, &moves[1..]);
    last.outcome = Some(Outcome::win(Side::Attackers, Reason::TimeOut));
    store.advance("g", &last, 3000).await.unwrap();

    expected.plies = 2;
    expected.outcome = last.outcome;
    expected.changed_ms = 3000;
    expected.seats.attackers.left_ms = Some(41);
    assert_eq!(store.game("g").await.unwrap(), expected);
    assert_eq!(store.moves("g").await.unwrap(), moves);
    let record = store.record(&expected).await.unwrap();
    assert_eq!(record.header("White"), Some("Ann"));
    assert_eq!(record.to_string().parse(), Ok(record));
}

async fn moves_taken_back_are_gone(store: &Store) {
    store.create_game(&game("g", "ann")).await.unwrap();
    let moves = ["e4d4", "d1c1", "d4e4"].map(|step| made(step, Some(9), None));
    store
        .advance("g", &progress(0, 0, &moves), 2)
        .await
        .unwrap();
    let other = [made("d4d3", None, None)];
    store
        .advance("g", &progress(3, 2, &other), 3)
        .await
        .unwrap();
    let expected = [moves[0], moves[1], other[0]];
    assert_eq!(store.moves("g").await.unwrap(), expected);
    store.advance("g", &progress(3, 0, &[]), 4).await.unwrap();
    assert!(store.moves("g").await.unwrap().is_empty());
}

async fn the_moves_of_several_games_come_at_once(store: &Store) {
    for id in ["one", "two", "three"] {
        store.create_game(&game(id, "ann")).await.unwrap();
    }
    let steps = ["e4-d4", "d1-c1", "e3-d3"];
    let moves = steps.map(|step| made(step, None, None));
    for (id, count) in [("one", 3), ("two", 1)] {
        let played = progress(0, 0, &moves[..count]);
        store.advance(id, &played, 5).await.unwrap();
    }
    let found = store.steps_of(&["two", "three", "nothing"]).await.unwrap();
    assert_eq!(found["two"], [moves[0].step]);
    assert!(found["three"].is_empty() && !found.contains_key("one"));
    let found = store.steps_of(&["one"]).await.unwrap();
    assert_eq!(found["one"], moves.map(|one| one.step));
    assert!(store.steps_of(&[]).await.unwrap().is_empty());
}

async fn a_game_that_went_on_elsewhere_is_not_overwritten(store: &Store) {
    store.create_game(&game("g", "ann")).await.unwrap();
    let here = [made("e4d4", None, None)];
    let there = [made("e6d6", None, None)];
    store.advance("g", &progress(0, 0, &here), 2).await.unwrap();
    let late = store.advance("g", &progress(0, 0, &there), 3).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    assert_eq!(store.moves("g").await.unwrap(), here);
    assert_eq!(store.game("g").await.unwrap().changed_ms, 2);
}

async fn the_first_to_sit_keeps_the_seat(store: &Store) {
    store.create_game(&game("g", "ann")).await.unwrap();
    for (visitor, name, sits) in [
        ("bob", Some("Bob"), true),
        ("eve", Some("Eve"), false),
        ("bob", Some("Bobby"), true),
    ] {
        let taken = store.take_seat("g", Side::Attackers, visitor, name).await;
        assert_eq!(taken.unwrap(), sits, "{visitor}");
    }
    let seat = store.game("g").await.unwrap().seats.attackers;
    assert_eq!(seat.secret, "", "the invitation is used up");
    assert_eq!(seat.holder.as_deref(), Some("bob"));
    assert_eq!(seat.name.as_deref(), Some("Bobby"));
}

async fn of_all_who_have_an_invitation_one_sits_down(store: &Store) {
    store.create_game(&game("g", "ann")).await.unwrap();
    let mut takers = tokio::task::JoinSet::new();
    for n in 0..20 {
        let store = store.clone();
        takers.spawn(async move {
            let name = format!("visitor {n}");
            let taken = store.take_seat("g", Side::Attackers, &name, None).await;
            taken.unwrap().then_some(name)
        });
    }
    let sat: Vec<String> = takers.join_all().await.into_iter().flatten().collect();
    let seat = store.game("g").await.unwrap().seats.attackers;
    assert_eq!(sat, seat.holder.into_iter().collect::<Vec<_>>());
    assert_eq!(sat.len(), 1);
}

async fn nobody_sits_on_both_sides_of_a_game_for_two(store: &Store) {
    store.create_game(&game("g", "ann")).await.unwrap();
    let taken = store.take_seat("g", Side::Attackers, "ann", None).await;
    assert!(!taken.unwrap());
    assert!(
        store
            .take_seat("g", Side::Defenders, "ann", Some("Ann"))
            .await
            .unwrap()
    );
    let seats = store.game("g").await.unwrap().seats;
    assert_eq!(
        (
            seats.attackers.holder.as_deref(),
            seats.defenders.name.as_deref()
        ),
        (None, Some("Ann"))
    );
}

async fn who_plays_alone_is_not_rated(store: &Store) {
    for (id, guest) in [("alone", "ann"), ("two", "bob")] {
        let mut game = game(id, "ann");
        game.seats.attackers.holder = Some(guest.into());
        store.create_game(&game).await.unwrap();
        let mut end = progress(0, 0, &[]);
        end.outcome = Some(Outcome::win(Side::Attackers, Reason::Resignation));
        store.advance(id, &end, 9000).await.unwrap();
    }
    let finished = store.finished_games().await.unwrap();
    let ids: Vec<&str> = finished.iter().map(|game| game.game.as_str()).collect();
    assert_eq!(ids, ["two"]);
}

async fn games_are_listed_for_owner_and_guest(store: &Store) {
    store.create_game(&game("old", "ann")).await.unwrap();
    store.create_game(&game("new", "ann")).await.unwrap();
    store.create_game(&game("other", "eve")).await.unwrap();
    store
        .take_seat("new", Side::Attackers, "bob", None)
        .await
        .unwrap();
    let mut end = progress(0, 0, &[]);
    end.outcome = Some(Outcome::draw(Reason::Agreement));
    store.advance("old", &end, 9000).await.unwrap();

    let ids = async |visitor, filter, most| {
        let games = store.games_of(visitor, filter, most).await.unwrap();
        games.into_iter().map(|game| game.id).collect::<Vec<_>>()
    };
    assert_eq!(ids("ann", GameFilter::All, 9).await, ["old", "new"]);
    assert_eq!(ids("ann", GameFilter::Open, 9).await, ["new"]);
    assert_eq!(ids("ann", GameFilter::All, 1).await, ["old"]);
    assert_eq!(ids("bob", GameFilter::All, 9).await, ["new"]);
    assert_eq!(store.count_open_games(Some("ann")).await.unwrap(), 1);
    assert_eq!(store.count_open_games(None).await.unwrap(), 2);
}

async fn a_rematch_is_made_once(store: &Store) {
    store.create_game(&game("g", "ann")).await.unwrap();
    for next in ["h", "i"] {
        let follows = store.create_rematch("g", &game(next, "bob")).await;
        assert_eq!(follows.unwrap(), "h");
    }
    assert!(store.game("h").await.is_ok() && store.game("i").await.is_err());
    assert_eq!(store.game("g").await.unwrap().rematch.as_deref(), Some("h"));
}

async fn what_is_missing_is_said_to_be_missing(store: &Store) {
    let missing = [
        store.game("x").await.map(|_| ()).unwrap_err(),
        store.name_visitor("x", None).await.unwrap_err(),
        store
            .create_rematch("x", &game("y", "ann"))
            .await
            .map(|_| ())
            .unwrap_err(),
        store.delete_position("x", "y").await.unwrap_err(),
    ];
    for error in missing {
        assert!(matches!(error, StoreError::Missing(_)), "{error}");
    }
    let nowhere = store.take_seat("x", Side::Attackers, "a", None).await;
    assert!(matches!(nowhere, Err(StoreError::Missing(Entity::Game))));
}

#[tokio::test]
async fn a_file_is_read_again_by_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let place = Location::File(folder.path().join("games.db"));
    for round in 0..3 {
        let store = Store::open(&place).await.unwrap();
        assert_eq!(store.slots("ann").await.unwrap().len(), round);
        let saved = store.save_slot("ann", round as u8, Some(&start()), 1).await;
        saved.unwrap();
        if round == 0 {
            store.close().await;
        }
    }
}

#[tokio::test]
async fn what_is_no_store_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(
        &file,
        "this is no database, but long enough to look at".repeat(50),
    )
    .unwrap();
    let all = || std::fs::metadata(&file).unwrap().permissions();
    let before = all();
    for place in [
        Location::File(file.clone()),
        Location::File(file.join("below")),
    ] {
        let error = Store::open(&place).await.unwrap_err().to_string();
        assert!(error.contains("notes.txt"), "{error}");
    }
    // What is not ours stays as it is, for everybody who may read it too.
    assert_eq!(all(), before);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: ./test --only database"]
async fn a_backup_that_is_restored_is_a_whole_store() {
    let server = postgres::Server::start();
    let [here, there] = ["here", "there"].map(|name| server.database(name));
    let open = async |url: &str| Store::open(&Location::Postgres(url.into())).await.unwrap();
    let store = open(&here).await;
    store.create_game(&game("g", "ann")).await.unwrap();
    let moves = [made("e4-f4", Some(7), None)];
    store
        .advance("g", &progress(0, 0, &moves), 5)
        .await
        .unwrap();
    // While it is used.
    server.back_up(&here, &there);
    let copy = open(&there).await;
    assert_eq!(
        copy.game("g").await.unwrap(),
        store.game("g").await.unwrap()
    );
    assert_eq!(copy.moves("g").await.unwrap(), moves);
    copy.advance("g", &progress(1, 1, &moves), 6).await.unwrap();
    assert_eq!(store.game("g").await.unwrap().plies, 1);
    store.close().await;
    copy.close().await;
}
