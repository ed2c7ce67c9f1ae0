//! Games that live: joined, played, left, and brought back.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{sync::Arc, time::Duration};

use tablut_arena::{Player, TimeControl};
use tablut_host::{
    Host, HostError, Limits, Opponent, Refused, Terms, TermsError, Ticket, View, Wish,
};
use tablut_rules::{BySide, Reason, Side};
use tablut_store::{Location, Saved, Store, Visitor};

async fn store() -> Store {
    Store::open(&Location::Memory).await.unwrap()
}

fn host(store: &Store) -> Host {
    let limits = Limits {
        engine_threads: 1,
        engine_hash_mb: 1,
        ..Limits::default()
    };
    Host::new(store.clone(), limits)
}

fn visitor(name: &str) -> Visitor {
    Visitor {
        id: name.into(),
        name: Some(name.into()),
    }
}

fn terms(host: &Host, opponent: Opponent) -> Terms {
    Terms {
        rules: Arc::clone(host.rules("ashton").unwrap()),
        setup: None,
        opponent,
        control: TimeControl::Unlimited,
        take_backs: true,
    }
}

fn against(level: u8) -> Opponent {
    Opponent::Engine {
        side: Side::Defenders,
        engine: Player::Level(level),
    }
}

fn step(text: &str) -> Wish {
    Wish::Move(text.parse().unwrap())
}

/// Waits until the game looks as wanted.
async fn until(ticket: &mut Ticket, wanted: impl Fn(&View) -> bool) -> Arc<View> {
    let view = ticket.views.wait_for(|view| wanted(view));
    let view = tokio::time::timeout(Duration::from_secs(30), view).await;
    Arc::clone(&view.expect("it comes in time").unwrap())
}

fn plies(view: &View) -> usize {
    view.play.game().plies().len()
}

/// Waits until no game is live.
async fn until_idle(host: &Host) {
    let idle = async {
        while host.live_games().await > 0 {
            tokio::task::yield_now().await;
        }
    };
    let idle = tokio::time::timeout(Duration::from_secs(30), idle).await;
    idle.expect("sessions end when nobody looks");
}

#[tokio::test]
async fn an_engine_answers_and_lets_moves_be_taken_back() {
    let store = store().await;
    let host = host(&store);
    let ann = visitor("ann");
    let game = host.create(&ann, &terms(&host, against(1))).await.unwrap();
    let mut ticket = host.join(&game.id, &ann, None).await.unwrap();
    ticket.wish(step("e4d4")).await.unwrap();
    until(&mut ticket, |view| plies(view) == 2).await;
    assert_eq!(store.moves(&game.id).await.unwrap().len(), 2);
    ticket.wish(Wish::TakeBack).await.unwrap();
    until(&mut ticket, |view| plies(view) == 0).await;
    assert!(store.moves(&game.id).await.unwrap().is_empty());
    // Too early for a draw: the engine declines at once.
    ticket.wish(Wish::OfferDraw).await.unwrap();
    let view = until(&mut ticket, |view| view.play.draw_offer().is_none()).await;
    assert_eq!(view.play.outcome(), None);
    assert_eq!(view.declined.draw, Some(Side::Attackers));
    // The next move is another matter.
    ticket.wish(step("e4d4")).await.unwrap();
    until(&mut ticket, |view| {
        plies(view) > 0 && view.declined.draw.is_none()
    })
    .await;
    ticket.wish(Wish::Resign).await.unwrap();
    let outcome = store.game(&game.id).await.unwrap().outcome.unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Side::Attackers), Reason::Resignation)
    );
    drop(ticket);
    until_idle(&host).await;
}

#[tokio::test]
async fn a_game_comes_back_after_a_restart_with_the_time_it_had() {
    let store = store().await;
    let first = host(&store);
    let (ann, bob) = (visitor("ann"), visitor("bob"));
    let mut terms = terms(
        &first,
        Opponent::Link {
            side: Side::Defenders,
        },
    );
    terms.control = TimeControl::Total {
        ms: 600_000,
        increment_ms: 0,
    };
    let game = first.create(&ann, &terms).await.unwrap();
    let secret = game.seats[Side::Attackers].secret.clone();
    let white = first.join(&game.id, &ann, None).await.unwrap();
    let early = white.wish(step("e4d4")).await.unwrap_err();
    assert!(early.to_string().contains("not started"), "{early}");
    let black = first.join(&game.id, &bob, Some(&secret)).await.unwrap();
    white.wish(step("e4d4")).await.unwrap();
    black.wish(step("d1c1")).await.unwrap();
    // The server goes down while both are at the board.
    first.close().await;
    drop((white, black, first));

    let second = host(&store);
    let mut white = second.join(&game.id, &ann, None).await.unwrap();
    let view = until(&mut white, |view| plies(view) == 2 && view.is_stopped).await;
    // Bob is not back yet: nobody's clock runs.
    assert!(view.seats.attackers.taken && !view.seats.attackers.present);
    let left = view.left_ms(Side::Defenders).unwrap();
    assert!(left <= 600_000 && left > 500_000);
    let black = second.join(&game.id, &bob, None).await.unwrap();
    assert!(black.holds(Side::Attackers) && !black.holds(Side::Defenders));
    white.wish(step("d4e4")).await.unwrap();
    assert_eq!(store.moves(&game.id).await.unwrap().len(), 3);
}

#[tokio::test]
async fn time_runs_out_and_is_kept() {
    let store = store().await;
    let host = host(&store);
    let ann = visitor("ann");
    let mut terms = terms(&host, Opponent::SameScreen);
    terms.control = TimeControl::PerMove { ms: 1000 };
    let game = host.create(&ann, &terms).await.unwrap();
    let mut ticket = host.join(&game.id, &ann, None).await.unwrap();
    let view = until(&mut ticket, |view| view.play.outcome().is_some()).await;
    let outcome = view.play.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Side::Attackers), Reason::TimeOut)
    );
    assert_eq!(store.game(&game.id).await.unwrap().outcome, Some(outcome));
}

#[tokio::test]
async fn whoever_plays_both_sides_agrees_with_themselves() {
    let store = store().await;
    let host = host(&store);
    let ann = visitor("ann");
    let game = host
        .create(&ann, &terms(&host, Opponent::SameScreen))
        .await
        .unwrap();
    let mut ticket = host.join(&game.id, &ann, None).await.unwrap();
    for text in ["e4d4", "d1c1", "d4e4"] {
        ticket.wish(step(text)).await.unwrap();
    }
    ticket.wish(Wish::TakeBack).await.unwrap();
    until(&mut ticket, |view| plies(view) == 2).await;
    ticket.wish(Wish::OfferDraw).await.unwrap();
    let view = until(&mut ticket, |view| view.play.outcome().is_some()).await;
    assert_eq!(view.play.outcome().unwrap().reason, Reason::Agreement);
    let late = ticket.wish(step("d4e4")).await.unwrap_err();
    assert!(late.to_string().contains("the game is over"), "{late}");
}

#[tokio::test]
async fn two_processes_never_overwrite_each_other() {
    let store = store().await;
    let (one, two) = (host(&store), host(&store));
    let ann = visitor("ann");
    let game = one
        .create(&ann, &terms(&one, Opponent::SameScreen))
        .await
        .unwrap();
    let here = one.join(&game.id, &ann, None).await.unwrap();
    let mut there = two.join(&game.id, &ann, None).await.unwrap();
    here.wish(step("e4d4")).await.unwrap();
    let late = there.play(0, "e4f4".parse().unwrap()).await.unwrap_err();
    assert!(matches!(late, Refused::Behind), "{late}");
    let view = until(&mut there, |view| plies(view) == 1).await;
    assert_eq!(view.play.game().plies()[0].step.to_string(), "e4d4");
}

#[tokio::test]
async fn a_rematch_swaps_the_sides_and_is_the_same_for_both() {
    let store = store().await;
    let host = host(&store);
    let (ann, bob) = (visitor("ann"), visitor("bob"));
    let opponent = Opponent::Link {
        side: Side::Defenders,
    };
    let game = host.create(&ann, &terms(&host, opponent)).await.unwrap();
    let secret = game.seats.attackers.secret.clone();
    let mut white = host.join(&game.id, &ann, None).await.unwrap();
    let black = host.join(&game.id, &bob, Some(&secret)).await.unwrap();
    black.wish(Wish::Resign).await.unwrap();
    let over = store.game(&game.id).await.unwrap();
    let next = host.rematch(&bob, &over).await.unwrap();
    assert_eq!(host.rematch(&ann, &over).await.unwrap(), next);
    let view = until(&mut white, |view| view.game.rematch.is_some()).await;
    assert_eq!(view.game.rematch.as_ref(), Some(&next));
    let ann_again = host.join(&next, &ann, None).await.unwrap();
    let bob_again = host.join(&next, &bob, None).await.unwrap();
    assert!(ann_again.holds(Side::Attackers) && bob_again.holds(Side::Defenders));
}

#[tokio::test]
async fn games_that_cannot_be_played_are_not_made() {
    let store = store().await;
    let host = host(&store);
    let ann = visitor("ann");
    let with_setup = |text: &str| Terms {
        setup: Some(text.parse().unwrap()),
        ..terms(&host, against(1))
    };
    for (terms, part) in [
        (with_setup("9/9/9/9/9/9/9/9/9 w"), "there is no king"),
        (with_setup("1K7/9/9/9/9/9/9/9/9 w"), "escaped"),
        (with_setup("9/9/9/4b4/3bKb3/4b4/9/9/1w7 w"), "captured"),
        (
            terms(
                &host,
                Opponent::Engine {
                    side: Side::Defenders,
                    engine: Player::Engine("rm".into()),
                },
            ),
            "cannot play here",
        ),
    ] {
        let error = host.create(&ann, &terms).await.unwrap_err();
        assert!(matches!(
            error,
            HostError::Terms(TermsError::Setup(_) | TermsError::Over(_) | TermsError::Player(_))
        ));
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[tokio::test]
async fn a_room_for_so_many_games_and_no_more() {
    let store = store().await;
    let limits = Limits {
        open_games: 2,
        live_games: 1,
        ..Limits::default()
    };
    let host = Host::new(store.clone(), limits);
    let ann = visitor("ann");
    let terms = terms(&host, Opponent::SameScreen);
    let first = host.create(&ann, &terms).await.unwrap();
    let second = host.create(&ann, &terms).await.unwrap();
    let third = host.create(&ann, &terms).await.unwrap_err();
    assert!(matches!(third, HostError::TooManyGames(2)), "{third}");
    let looking = host.join(&first.id, &ann, None).await.unwrap();
    let full = host.join(&second.id, &ann, None).await.unwrap_err();
    assert!(matches!(full, HostError::Full), "{full}");
    assert!(host.join("nothing", &ann, None).await.is_err());
    // A game between people stays for a while when nobody looks, but not where others need its place.
    drop(looking);
    let again = async {
        // Places are looked for only now and then.
        while host.join(&second.id, &ann, None).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    // Sooner than games go by themselves.
    tokio::time::timeout(Duration::from_secs(20), again)
        .await
        .unwrap();
}

#[tokio::test]
async fn what_strangers_take_leaves_room_for_the_people_at_home() {
    let store = store().await;
    let limits = Limits {
        visitors: 10,
        all_games: 10,
        all_positions: 10,
        ..Limits::default()
    };
    let host = Host::new(store.clone(), limits);
    let home = host.at_home();
    let saved = Saved {
        rules: "ashton".into(),
        setup: "9/9/9/9/4K4/9/9/9/9 w".parse().unwrap(),
    };
    let terms = terms(&host, Opponent::SameScreen);
    for n in 0..12 {
        let one = visitor(&format!("stranger {n}"));
        let is_room = n < 9;
        assert_eq!(host.settle(&one).await.is_ok(), is_room, "{n}");
        assert_eq!(host.create(&one, &terms).await.is_ok(), is_room, "{n}");
        let added = host.add_position(&one, "mine", saved.clone()).await;
        assert_eq!(added.is_ok(), is_room, "{n}");
    }
    let ann = visitor("ann");
    home.settle(&ann).await.unwrap();
    home.create(&ann, &terms).await.unwrap();
    home.add_position(&ann, "mine", saved.clone())
        .await
        .unwrap();
    // Who is kept already needs no room.
    host.settle(&visitor("stranger 0")).await.unwrap();
    let error = home.add_position(&ann, "mine", saved).await.unwrap_err();
    assert!(
        matches!(error, HostError::StoreFull("positions")),
        "{error}"
    );
}

#[tokio::test]
async fn games_of_one_visitor_and_moves_of_one_game_have_an_end() {
    let store = store().await;
    let limits = Limits {
        games: 1,
        plies: 4,
        ..Limits::default()
    };
    let host = Host::new(store.clone(), limits);
    let ann = visitor("ann");
    let terms = terms(&host, Opponent::SameScreen);
    let game = host.create(&ann, &terms).await.unwrap();
    let ticket = host.join(&game.id, &ann, None).await.unwrap();
    for text in ["e4d4", "d1c1", "d4e4", "c1c2"] {
        ticket.wish(step(text)).await.unwrap();
    }
    let outcome = store.game(&game.id).await.unwrap().outcome.unwrap();
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::MoveLimit));
    let second = host.create(&ann, &terms).await.unwrap_err();
    assert!(matches!(second, HostError::TooManyKept(1)), "{second}");
    // It comes back as it ended.
    drop(ticket);
    until_idle(&host).await;
    let mut ticket = host.join(&game.id, &ann, None).await.unwrap();
    until(&mut ticket, |view| view.play.outcome().is_some()).await;
}

#[tokio::test]
async fn an_engine_that_is_losing_accepts_a_draw_at_any_time() {
    let store = store().await;
    let host = host(&store);
    let ann = visitor("ann");
    let mut terms = terms(&host, against(1));
    // The king sees two ways out, and one attacker cannot close them.
    terms.setup = Some("9/9/9/9/1w1K4b/9/2w6/9/5w3 w".parse().unwrap());
    let game = host.create(&ann, &terms).await.unwrap();
    let mut ticket = host.join(&game.id, &ann, None).await.unwrap();
    ticket.wish(Wish::OfferDraw).await.unwrap();
    let view = until(&mut ticket, |view| view.play.outcome().is_some()).await;
    let outcome = view.play.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::Agreement));
}

#[tokio::test]
async fn a_game_that_waits_for_a_player_can_be_cancelled_by_whoever_made_it() {
    let store = store().await;
    let host = host(&store);
    let (ann, bob) = (visitor("ann"), visitor("bob"));
    let side = Side::Defenders;
    let terms = terms(&host, Opponent::Link { side });
    let game = host.create(&ann, &terms).await.unwrap();
    let ticket = host.join(&game.id, &ann, None).await.unwrap();
    let other = host.cancel(&bob, &game.id).await.unwrap_err();
    assert!(matches!(other, HostError::Begun), "{other}");
    host.cancel(&ann, &game.id).await.unwrap();
    assert!(store.game(&game.id).await.is_err());
    assert!(host.join(&game.id, &ann, None).await.is_err());
    drop(ticket);
    until_idle(&host).await;

    // Once somebody has joined, it is a game.
    let game = host.create(&ann, &terms).await.unwrap();
    let secret = game.seats[Side::Attackers].secret.clone();
    let _bobs = host.join(&game.id, &bob, Some(&secret)).await.unwrap();
    let begun = host.cancel(&ann, &game.id).await.unwrap_err();
    assert!(matches!(begun, HostError::Begun), "{begun}");
    assert!(store.game(&game.id).await.is_ok());
}

#[tokio::test]
async fn an_invitation_is_used_up_by_the_first_who_sits() {
    let store = store().await;
    let host = host(&store);
    let (ann, bob, eve) = (visitor("ann"), visitor("bob"), visitor("eve"));
    let side = Side::Defenders;
    let terms = terms(&host, Opponent::Link { side });
    let game = host.create(&ann, &terms).await.unwrap();
    let secret = game.seats[Side::Attackers].secret.clone();
    let own_secret = game.seats[Side::Defenders].secret.clone();

    let own = host.join(&game.id, &ann, Some(&secret)).await.unwrap_err();
    assert!(matches!(own, HostError::OwnInvitation), "{own}");
    let bobs = host.join(&game.id, &bob, Some(&secret)).await.unwrap();
    assert!(bobs.holds(Side::Attackers));
    for (who, secret, sides) in [
        (
            &ann,
            Some(&secret),
            BySide {
                attackers: false,
                defenders: true,
            },
        ),
        (&eve, Some(&secret), BySide::both(false)),
        (&eve, Some(&own_secret), BySide::both(false)),
        (
            &bob,
            Some(&own_secret),
            BySide {
                attackers: true,
                defenders: false,
            },
        ),
        (
            &bob,
            None,
            BySide {
                attackers: true,
                defenders: false,
            },
        ),
    ] {
        let secret = secret.map(String::as_str);
        let ticket = host.join(&game.id, who, secret).await.unwrap();
        assert_eq!(BySide::from_fn(|side| ticket.holds(side)), sides, "{who:?}");
    }
    // After a restart all is as before.
    let host = self::host(&store);
    let bobs = host.join(&game.id, &bob, None).await.unwrap();
    let anns = host.join(&game.id, &ann, Some(&secret)).await.unwrap();
    assert!(bobs.holds(Side::Attackers) && !bobs.holds(Side::Defenders));
    assert!(!anns.holds(Side::Attackers) && anns.holds(Side::Defenders));
}
