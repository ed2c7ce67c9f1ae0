//! Stories of games that are over: filed, found, explored.

use tablut_archive::{Ground, Place};
use tablut_arena::TimeControl;
use tablut_rules::{BuiltIn, BySide, Move, Outcome, Position, Reason, Setup, Side};
use tablut_store::{
    Cursor, Entity, Game, GameOwner, Progress, Search, Seat, SeatPlayer, Sort, Store, StoreError,
    StoredMove, Viewer,
};

fn seat(player: &str, holder: Option<&str>, name: Option<&str>) -> Seat {
    Seat {
        player: match player {
            "person" => SeatPlayer::Person,
            "remote" => SeatPlayer::Remote,
            program => SeatPlayer::Program(program.into()),
        },
        secret: String::new(),
        holder: holder.map(Into::into),
        name: name.map(Into::into),
        left_ms: None,
    }
}

fn steps(moves: &str) -> Vec<Move> {
    moves
        .split_whitespace()
        .map(|step| step.parse().unwrap())
        .collect()
}

/// A game of two people; the owner is white.
fn game(id: &str, white: &str, black: &str) -> Game {
    let seats = BySide {
        attackers: seat("person", Some(black), Some(black)),
        defenders: seat("person", Some(white), Some(white)),
    };
    Game::new(
        id.into(),
        GameOwner::Visitor(white.into()),
        "ashton",
        TimeControl::Unlimited,
        seats,
        1000,
    )
}

/// Plays a game to an end that is not on the board, at a time.
async fn finish(store: &Store, game: &Game, moves: &str, winner: Option<Side>, at_ms: i64) {
    store.create_game(game).await.unwrap();
    let progress = Progress {
        before: 0,
        keep: 0,
        moves: steps(moves)
            .into_iter()
            .map(|step| StoredMove {
                step,
                spent_ms: None,
                clock_ms: None,
                score: None,
            })
            .collect(),
        left_ms: BySide::both(None),
        outcome: Some(Outcome {
            winner,
            reason: match winner {
                Some(_) => Reason::Resignation,
                None => Reason::Agreement,
            },
        }),
        course: None,
    };
    store.advance(&game.id, &progress, at_ms).await.unwrap();
}

async fn file_all(store: &Store) {
    while store.file_games(2).await.unwrap() == 2 {}
}

async fn ids(store: &Store, search: Search) -> Vec<String> {
    let found = store
        .search(&Viewer::Everything, &search, None, 100)
        .await
        .unwrap();
    assert_eq!(found.next, None);
    found.entries.into_iter().map(|entry| entry.game).collect()
}

fn after(moves: &str) -> Position {
    let rules = BuiltIn::Ashton.rules();
    let mut position = rules.start();
    for step in steps(moves) {
        position = rules.apply(&position, step).unwrap().position;
    }
    position
}

fn place(moves: &str) -> Place {
    Ground::of(BuiltIn::Ashton).tracker.place(&after(moves))
}

/// Three games; the second begins as the mirror image of the first.
async fn three(store: &Store) {
    finish(
        store,
        &game("one", "Ann", "Bob"),
        "e4d4 d1c1 e5e4",
        Some(Side::Defenders),
        5000,
    )
    .await;
    finish(
        store,
        &game("two", "Carl", "Ann"),
        "e4f4 f1g1",
        Some(Side::Attackers),
        6000,
    )
    .await;
    let mut third = game("three", "Bob", "Carl");
    third.rules = "linnaeus".into();
    finish(store, &third, "e4d4", None, 7000).await;
    file_all(store).await;
}

pub(crate) async fn a_game_that_is_over_is_filed_once_and_found_by_everything_about_it(
    store: &Store,
) {
    three(store).await;
    store
        .create_game(&game("open", "Ann", "Bob"))
        .await
        .unwrap();
    assert_eq!(store.file_games(10).await.unwrap(), 0);
    let all = Search::default();
    assert_eq!(ids(store, all.clone()).await, ["three", "two", "one"]);
    let found = store
        .search(&Viewer::Everything, &all, None, 100)
        .await
        .unwrap();
    let last = &found.entries[2];
    assert_eq!(
        (last.plies, last.ended_ms, last.rules.as_str()),
        (3, 5000, "ashton")
    );
    assert_eq!(
        last.outcome,
        Outcome::win(Side::Defenders, Reason::Resignation)
    );
    assert_eq!(
        (
            last.players.defenders.as_str(),
            last.players.attackers.as_str()
        ),
        ("Ann", "Bob")
    );
    assert_eq!(last.last, Setup::from(&after("e4d4 d1c1 e5e4")));
    let ann = |side| Search {
        player: Some("ann".into()),
        side,
        ..Search::default()
    };
    assert_eq!(ids(store, ann(None)).await, ["two", "one"]);
    assert_eq!(ids(store, ann(Some(Side::Attackers))).await, ["two"]);
    let both = Search {
        opponent: Some("BOB".into()),
        ..ann(None)
    };
    assert_eq!(ids(store, both.clone()).await, ["one"]);
    assert_eq!(
        ids(
            store,
            Search {
                sort: Sort::Longest,
                ..both
            }
        )
        .await,
        ["one"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                rules: Some("linnaeus".into()),
                ..all.clone()
            }
        )
        .await,
        ["three"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                winner: Some(None),
                ..all.clone()
            }
        )
        .await,
        ["three"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                winner: Some(Some(Side::Attackers)),
                ..all.clone()
            }
        )
        .await,
        ["two"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                reason: Some(Reason::Agreement),
                ..all.clone()
            }
        )
        .await,
        ["three"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                reason: Some(Reason::KingEscaped),
                ..all.clone()
            }
        )
        .await,
        [""; 0]
    );
    assert_eq!(
        ids(
            store,
            Search {
                plies: (Some(2), Some(2)),
                ..all.clone()
            }
        )
        .await,
        ["two"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                ended_ms: (Some(6000), Some(6000)),
                ..all.clone()
            }
        )
        .await,
        ["two"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                ended_ms: (None, Some(6999)),
                sort: Sort::Oldest,
                ..all.clone()
            }
        )
        .await,
        ["one", "two"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                sort: Sort::Shortest,
                ..all.clone()
            }
        )
        .await,
        ["three", "two", "one"]
    );
    assert_eq!(
        ids(
            store,
            Search {
                own: Some("Bob".into()),
                ..all
            }
        )
        .await,
        ["three", "one"]
    );
    assert_eq!(store.players("A", 5).await.unwrap(), [("Ann".into(), 2)]);
    assert_eq!(store.players("%", 5).await.unwrap(), []);
}

pub(crate) async fn a_position_finds_its_games_and_so_does_each_image(store: &Store) {
    three(store).await;
    // Under other rules the same board is another place.
    let start = Search {
        place: Some(place("")),
        ..Search::default()
    };
    assert_eq!(ids(store, start.clone()).await, ["two", "one"]);
    for first in ["e4d4", "e4f4", "d5d4", "e6d6"] {
        let wanted = Search {
            place: Some(place(first)),
            ..Search::default()
        };
        assert_eq!(ids(store, wanted).await, ["two", "one"], "{first}");
    }
    let deep = Search {
        place: Some(place("e4f4 f1g1")),
        ..Search::default()
    };
    // The game that ended there was not asked to move any more.
    assert_eq!(ids(store, deep).await, ["one"]);
    let shortest = Search {
        sort: Sort::Shortest,
        ..start.clone()
    };
    assert_eq!(ids(store, shortest).await, ["two", "one"]);
    let by_ann = Search {
        player: Some("Ann".into()),
        side: Some(Side::Defenders),
        ..start
    };
    assert_eq!(ids(store, by_ann).await, ["one"]);
}

pub(crate) async fn the_explorer_counts_what_games_did_and_forgets_deleted_ones(store: &Store) {
    three(store).await;
    let here = store.explored(place(""), Side::Defenders).await.unwrap();
    assert_eq!(here.len(), 1, "images are one move");
    assert_eq!(
        here[0].tally.wins,
        BySide {
            attackers: 1,
            defenders: 1
        }
    );
    assert_eq!(here[0].tally.draws, 0);
    // Behind the opening, visits are counted one by one: twice to and fro, then on.
    let shuffle = "e4d4 d1c1 d4e4 c1d1 ".repeat(5) + "e4f4 f1g1";
    finish(store, &game("long", "Ann", "Bob"), &shuffle, None, 8000).await;
    file_all(store).await;
    let late = store
        .explored(place("e4f4"), Side::Attackers)
        .await
        .unwrap();
    assert_eq!(
        late.iter().map(|one| one.tally.games()).sum::<u64>(),
        3,
        "each game once"
    );
    let moves = "e4d4 i4e4 f5f4 e2e4 e5f5 a4c4 f5f8 h5h8 f8f7 h8h7 d5d4 a6c6 f4f2 i5i3 f7f3 b5b3 f2i2 i6i3 f3g3 f1g1";
    finish(store, &game("deep", "Ann", "Bob"), moves, None, 9000).await;
    file_all(store).await;
    let rest: Vec<&str> = moves.split_whitespace().collect();
    let deep = store
        .explored(place(&rest[..17].join(" ")), Side::Attackers)
        .await
        .unwrap();
    assert_eq!(deep[0].tally.draws, 1, "also behind the opening");
    // Deleted with its tournament or cancelled, a game is counted no more.
    let mut cup = game("cup", "x", "y");
    cup.owner = GameOwner::Tournament;
    finish(store, &cup, "e4d4", Some(Side::Attackers), 9500).await;
    file_all(store).await;
    assert_eq!(
        store.explored(place(""), Side::Defenders).await.unwrap()[0]
            .tally
            .games(),
        5
    );
    store.delete_filed_game("cup").await.unwrap();
    let start = store.explored(place(""), Side::Defenders).await.unwrap();
    assert_eq!(start.iter().map(|one| one.tally.games()).sum::<u64>(), 4);
    let gone = Search {
        player: Some("x".into()),
        ..Search::default()
    };
    assert_eq!(ids(store, gone).await, [""; 0]);
    assert!(store.players("x", 5).await.unwrap().is_empty());
}

pub(crate) async fn nobody_lists_the_games_of_others(store: &Store) {
    three(store).await;
    let mut cup = game("cup", "x", "y");
    cup.owner = GameOwner::Tournament;
    finish(store, &cup, "e4d4", Some(Side::Attackers), 8000).await;
    let mut engines = game("engines", "owner", "z");
    engines.seats = BySide::both(seat("level:3", None, None));
    finish(store, &engines, "e4d4", Some(Side::Attackers), 9000).await;
    file_all(store).await;
    let list = |visitor: &str, search: Search| {
        let (store, viewer) = (store.clone(), Viewer::Visitor(visitor.into()));
        async move {
            let found = store.search(&viewer, &search, None, 100).await.unwrap();
            found
                .entries
                .into_iter()
                .map(|entry| entry.game)
                .collect::<Vec<_>>()
        }
    };
    // What everybody may see, whoever asks; and one's own games among them.
    assert_eq!(
        list("stranger", Search::default()).await,
        ["engines", "cup"]
    );
    let everything = ["engines", "cup", "two", "one"];
    assert_eq!(list("Ann", Search::default()).await, everything);
    for sort in [Sort::Newest, Sort::Oldest] {
        let search = Search {
            sort,
            ..Search::default()
        };
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let ann = Viewer::Visitor("Ann".into());
            let found = store.search(&ann, &search, cursor, 1).await.unwrap();
            pages.extend(found.entries.into_iter().map(|entry| entry.game));
            cursor = found.next;
            if cursor.is_none() {
                break;
            }
        }
        if sort == Sort::Oldest {
            pages.reverse();
        }
        assert_eq!(pages, everything, "{sort:?}");
    }
    let by_place = Search {
        place: Some(place("")),
        ..Search::default()
    };
    assert_eq!(list("stranger", by_place.clone()).await, ["engines", "cup"]);
    assert_eq!(
        list("Ann", by_place).await,
        ["engines", "cup", "two", "one"]
    );
    let by_player = Search {
        player: Some("Bob".into()),
        ..Search::default()
    };
    assert_eq!(list("stranger", by_player.clone()).await, [""; 0]);
    assert_eq!(list("Ann", by_player).await, ["one"]);
    for sort in [Sort::Longest, Sort::Shortest, Sort::Oldest] {
        let all = list(
            "stranger",
            Search {
                sort,
                ..Search::default()
            },
        )
        .await;
        assert_eq!(all.len(), 2, "{sort:?}");
    }
    let own = Search {
        own: Some("Carl".into()),
        ..Search::default()
    };
    assert_eq!(list("Carl", own).await, ["three", "two"]);
}

pub(crate) async fn lists_go_on_where_they_stopped(store: &Store) {
    for n in 0..7_i64 {
        let line = ["e4d4", "e4d4 d1c1", "e4d4 d1c1 d4e4"][n as usize % 3];
        // Two of them end in the same millisecond.
        finish(
            store,
            &game(&format!("g{n}"), "Ann", "Bob"),
            line,
            None,
            5000 + n / 2,
        )
        .await;
    }
    file_all(store).await;
    for sort in [Sort::Newest, Sort::Oldest, Sort::Longest, Sort::Shortest] {
        for player in [None, Some("Ann".to_string())] {
            let search = Search {
                sort,
                player,
                ..Search::default()
            };
            let whole = ids(store, search.clone()).await;
            let (mut parts, mut cursor): (Vec<String>, Option<Cursor>) = (Vec::new(), None);
            loop {
                let found = store
                    .search(&Viewer::Everything, &search, cursor, 2)
                    .await
                    .unwrap();
                parts.extend(found.entries.into_iter().map(|entry| entry.game));
                cursor = found.next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(parts, whole, "{sort:?}");
            assert_eq!(whole.len(), 7);
        }
    }
}

pub(crate) async fn tags_belong_to_who_gave_them(store: &Store) {
    three(store).await;
    let found = store
        .search(&Viewer::Everything, &Search::default(), None, 10)
        .await
        .unwrap();
    let number = |id: &str| {
        found
            .entries
            .iter()
            .find(|entry| entry.game == id)
            .unwrap()
            .number
    };
    let ann = Viewer::Visitor("Ann".into());
    for _ in 0..2 {
        store
            .tag_game(&ann, "Ann", number("one"), "fine", true)
            .await
            .unwrap();
    }
    store
        .tag_game(&ann, "Ann", number("two"), "fine", true)
        .await
        .unwrap();
    let hidden = store
        .tag_game(&ann, "Ann", number("three"), "fine", true)
        .await;
    assert!(matches!(hidden, Err(StoreError::Missing(Entity::Game))));
    assert_eq!(store.tags("Ann").await.unwrap(), [("fine".into(), 2)]);
    assert_eq!(store.tags("Bob").await.unwrap(), []);
    assert_eq!(store.count_tags("Ann").await.unwrap(), 2);
    let fine = Search {
        tag: Some(("Ann".into(), "fine".into())),
        ..Search::default()
    };
    assert_eq!(ids(store, fine.clone()).await, ["two", "one"]);
    assert_eq!(
        ids(
            store,
            Search {
                sort: Sort::Longest,
                ..fine
            }
        )
        .await,
        ["one", "two"]
    );
    let of = store
        .tags_of("Ann", &[number("one"), number("three")])
        .await
        .unwrap();
    assert_eq!(of, [(number("one"), "fine".to_string())]);
    store
        .tag_game(&ann, "Ann", number("one"), "fine", false)
        .await
        .unwrap();
    assert_eq!(store.tags("Ann").await.unwrap(), [("fine".into(), 1)]);
}

pub(crate) async fn players_get_ratings_by_rule_set_and_side(store: &Store) {
    let moves = "e4d4 d1c1 d4e4 c1d1 ".repeat(3);
    for n in 0..6 {
        finish(
            store,
            &game(&format!("g{n}"), "Ann", "Bob"),
            &moves,
            Some(Side::Defenders),
            5000 + n,
        )
        .await;
    }
    // Decided without play: it says nothing.
    finish(
        store,
        &game("short", "Bob", "Ann"),
        "e4d4",
        Some(Side::Attackers),
        6000,
    )
    .await;
    file_all(store).await;
    let best = store
        .top_players("ashton", Side::Defenders, 1, 5)
        .await
        .unwrap();
    assert_eq!(best.len(), 1);
    assert_eq!((best[0].name.as_str(), best[0].strength.games), ("Ann", 6));
    assert!(best[0].strength.rating > 1550.0);
    assert!(
        store
            .top_players("ashton", Side::Defenders, 7, 5)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .top_players("linnaeus", Side::Defenders, 1, 5)
            .await
            .unwrap()
            .is_empty()
    );
    let bob = store
        .rating_of("ashton", "bob", Side::Attackers)
        .await
        .unwrap()
        .unwrap();
    assert!(bob < 1450, "{bob}");
    assert_eq!(
        store
            .rating_of("ashton", "bob", Side::Defenders)
            .await
            .unwrap(),
        None
    );
    // The first game was played without a rating, the last one with it.
    let found = store
        .search(&Viewer::Everything, &Search::default(), None, 10)
        .await
        .unwrap();
    assert_eq!(found.entries.last().unwrap().ratings, BySide::both(None));
    assert!(found.entries[1].ratings.defenders.unwrap() > 1550);
    let start = store.explored(place(""), Side::Defenders).await.unwrap();
    assert_eq!((start[0].tally.rated, start[0].tally.games()), (5, 7));
    assert!(start[0].tally.mean_rating().unwrap() > 1550);
}

pub(crate) async fn what_is_played_now_is_live_for_those_who_may_see_it(store: &Store) {
    let go = |id: &str, owner: GameOwner, seats: BySide<Seat>, at_ms: i64| {
        let game = Game {
            owner,
            seats,
            ..game(id, "Ann", "Bob")
        };
        let store = store.clone();
        async move {
            store.create_game(&game).await.unwrap();
            let step = StoredMove {
                step: "e4d4".parse().unwrap(),
                spent_ms: None,
                clock_ms: None,
                score: None,
            };
            let progress = Progress {
                before: 0,
                keep: 0,
                moves: vec![step],
                left_ms: BySide::both(None),
                outcome: None,
                course: None,
            };
            store.advance(&game.id, &progress, at_ms).await.unwrap();
        }
    };
    let people = || game("", "Ann", "Bob").seats;
    go("people", GameOwner::Visitor("Ann".into()), people(), 9000).await;
    go(
        "cup",
        GameOwner::Tournament,
        BySide::both(seat("remote", None, Some("team"))),
        8000,
    )
    .await;
    go(
        "engines",
        GameOwner::Visitor("Ann".into()),
        BySide::both(seat("level:2", None, None)),
        7000,
    )
    .await;
    go("old", GameOwner::Tournament, people(), 100).await;
    let live = |viewer: Viewer| {
        let store = store.clone();
        async move {
            let games = store.live_games(&viewer, 1000, 10).await.unwrap();
            games.into_iter().map(|game| game.id).collect::<Vec<_>>()
        }
    };
    assert_eq!(live(Viewer::Everything).await, ["people", "cup", "engines"]);
    assert_eq!(
        live(Viewer::Visitor("stranger".into())).await,
        ["cup", "engines"]
    );
}

/// A game that Ann won elsewhere, as a visitor brings it in.
fn imported(id: &str) -> (Game, Vec<StoredMove>) {
    let at = |name: &str| seat("person", None, Some(name));
    let seats = BySide {
        attackers: at("Bob"),
        defenders: at("Ann"),
    };
    let outcome = Some(Outcome::win(Side::Defenders, Reason::KingEscaped));
    let game = Game {
        outcome,
        seats,
        ..game(id, "visitor", "")
    };
    let moves = steps("e4d4 d1c1").into_iter().map(|step| StoredMove {
        step,
        spent_ms: Some(7),
        clock_ms: None,
        score: None,
    });
    (game, moves.collect())
}

pub(crate) async fn what_was_played_elsewhere_is_kept_whole(store: &Store) {
    let (imported, moves) = imported("import");
    store.import_game(&imported, &moves).await.unwrap();
    store.import_game(&imported, &moves).await.unwrap_err();
    let kept = store.game("import").await.unwrap();
    assert_eq!((kept.plies, kept.outcome), (2, imported.outcome));
    assert_eq!(store.moves("import").await.unwrap(), moves);
    file_all(store).await;
    assert_eq!(ids(store, Search::default()).await, ["import"]);
}

pub(crate) async fn what_was_played_elsewhere_rates_nobody(store: &Store) {
    let (brought, moves) = imported("import");
    store.import_game(&brought, &moves).await.unwrap();
    finish(
        store,
        &game("here", "Carl", "Dora"),
        "e4d4 d1c1",
        Some(Side::Defenders),
        9000,
    )
    .await;
    file_all(store).await;
    assert!(store.game("import").await.unwrap().is_imported());
    assert!(!store.game("here").await.unwrap().is_imported());
    let top = store.top_players("ashton", Side::Defenders, 1, 5).await;
    assert_eq!(top.unwrap(), []);
    let finished = store.finished_games().await.unwrap().into_iter();
    let finished: Vec<_> = finished.map(|one| (one.game, one.is_imported)).collect();
    assert_eq!(finished, [("import".into(), true), ("here".into(), false)]);
}
