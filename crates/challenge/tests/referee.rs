//! The contest's server with real sockets: every kind of bad peer once. The same rows with told
//! times are in `src/referee/tests.rs`.
#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a test is a failed test"
)]

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use tablut_challenge::{
    Dismissal, Effect, Options, Referee,
    frame::{LONGEST, frame},
    message::State,
    server::{RefereePorts, play},
};
use tablut_rules::{BySide, Outcome, Reason, Rules, Side};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    runtime,
};

const MOVE: &str = r#"{"from":"e4","to":"d4","turn":"WHITE"}"#;
const ANSWER: &str = r#"{"from":"d1","to":"c1","turn":"BLACK"}"#;

fn options() -> Options {
    Options::new(Rules::ashton())
}

/// A client that does what a test wants.
struct Peer(TcpStream);

impl Peer {
    async fn connect(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    async fn send(&mut self, bytes: &[u8]) {
        // The server may have closed; what it said is read later.
        drop(self.0.write_all(bytes).await);
    }

    async fn say(&mut self, text: &str) {
        self.send(&frame(text.as_bytes())).await;
    }

    /// The turn of the next state; nothing at the end of the connection.
    async fn hear(&mut self) -> Option<&'static str> {
        let length = self.0.read_u32().await.ok()?;
        let mut payload = vec![0; length as usize];
        self.0.read_exact(&mut payload).await.unwrap();
        Some(State::read(&payload).unwrap().turn.word())
    }

    /// Checks the next turns, and that nothing comes after them if the last is an end.
    async fn hears(&mut self, turns: &[&str]) {
        for turn in turns {
            assert_eq!(self.hear().await, Some(*turn));
        }
        if turns
            .last()
            .is_some_and(|turn| turn.len() > 5 || *turn == "DRAW")
        {
            assert_eq!(self.hear().await, None);
        }
    }
}

fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(test)
}

async fn table() -> (RefereePorts, BySide<SocketAddr>) {
    let listeners = BySide {
        attackers: TcpListener::bind("127.0.0.1:0").await.unwrap(),
        defenders: TcpListener::bind("127.0.0.1:0").await.unwrap(),
    };
    let addresses = listeners.as_ref();
    let addresses = addresses.map(|listener| listener.local_addr().unwrap());
    (RefereePorts::new(listeners), addresses)
}

/// The server's part of a game.
async fn referee(table: &RefereePorts, options: Options) -> Referee {
    play(table, options, &mut |_, _, _| {}).await
}

/// Plays a game with two peers that have said their names and seen the first state.
fn game(options: Options, script: impl AsyncFnOnce(Peer, Peer)) -> Referee {
    run(async {
        let (table, addresses) = table().await;
        let peers = async {
            let mut white = Peer::connect(addresses.defenders).await;
            let mut black = Peer::connect(addresses.attackers).await;
            white.say("\"alpha\"").await;
            black.say("\"beta\"").await;
            white.hears(&["WHITE"]).await;
            black.hears(&["WHITE"]).await;
            script(white, black).await;
        };
        let (played, ()) = tokio::join!(referee(&table, options), peers);
        played
    })
}

fn ends(referee: &Referee, winner: Side, reason: Reason) {
    let outcome = Outcome::win(winner, reason);
    assert_eq!(referee.contest().outcome(), Some(outcome));
}

#[test]
fn rubbish_on_its_turn_loses_and_both_are_told() {
    let over = (LONGEST as u32 + 1).to_be_bytes().to_vec();
    for bytes in [
        frame(br#"{"from":"e4","to":"e2"}"#),
        frame(br#"{"from":"e44","to":"d4"}"#),
        frame(b"{}"),
        frame(b"hello world"),
        frame(b"[1,2]"),
        frame(format!("{MOVE} x").as_bytes()),
        frame(b"null"),
        frame(b""),
        frame(b"\xff\xfe"),
        frame("[".repeat(LONGEST).as_bytes()),
        (-1_i32).to_be_bytes().to_vec(),
        i32::MIN.to_be_bytes().to_vec(),
        i32::MAX.to_be_bytes().to_vec(),
        over,
    ] {
        let referee = game(options(), async |mut white, mut black| {
            white.send(&bytes).await;
            white.hears(&["BLACKWIN"]).await;
            black.hears(&["BLACKWIN"]).await;
        });
        ends(&referee, Side::Attackers, Reason::IllegalMove);
    }
}

#[test]
fn a_killed_client_loses_and_the_other_is_told() {
    let referee = game(options(), async |white, mut black| {
        drop(white);
        black.hears(&["BLACKWIN"]).await;
    });
    ends(&referee, Side::Attackers, Reason::ConnectionLost);
    let referee = game(options(), async |mut white, black| {
        drop(black);
        white.hears(&["WHITEWIN"]).await;
    });
    ends(&referee, Side::Defenders, Reason::ConnectionLost);
    let referee = game(options(), async |mut white, mut black| {
        white.say(MOVE).await;
        black.hears(&["BLACK"]).await;
        drop(white);
        black.hears(&["BLACKWIN"]).await;
    });
    ends(&referee, Side::Attackers, Reason::ConnectionLost);
    let referee = game(options(), async |mut white, mut black| {
        white.say(MOVE).await;
        white.hears(&["BLACK"]).await;
        // In the middle of a frame.
        black.send(&frame(ANSWER.as_bytes())[..9]).await;
        drop(black);
        white.hears(&["WHITEWIN"]).await;
    });
    ends(&referee, Side::Defenders, Reason::ConnectionLost);
}

#[test]
fn a_stopped_client_loses_by_time() {
    let quick = || Options {
        time_ms: 30,
        ..options()
    };
    let referee = game(quick(), async |mut white, mut black| {
        black.hears(&["BLACKWIN"]).await;
        white.hears(&["BLACKWIN"]).await;
    });
    ends(&referee, Side::Attackers, Reason::TimeOut);
    // An incomplete frame is no move.
    let referee = game(quick(), async |mut white, mut black| {
        white.send(&frame(MOVE.as_bytes())[..20]).await;
        black.hears(&["BLACKWIN"]).await;
        white.hears(&["BLACKWIN"]).await;
    });
    ends(&referee, Side::Attackers, Reason::TimeOut);
}

#[test]
fn bytes_may_trickle() {
    game(options(), async |mut white, mut black| {
        for byte in frame(MOVE.as_bytes()) {
            white.send(&[byte]).await;
            tokio::task::yield_now().await;
        }
        black.hears(&["BLACK"]).await;
        white.hears(&["BLACK"]).await;
    });
}

#[test]
fn a_half_closed_client_loses_and_still_hears_it() {
    let referee = game(options(), async |mut white, mut black| {
        white.0.shutdown().await.unwrap();
        white.hears(&["BLACKWIN"]).await;
        black.hears(&["BLACKWIN"]).await;
    });
    ends(&referee, Side::Attackers, Reason::ConnectionLost);
}

#[test]
fn a_move_out_of_turn_waits_for_its_turn() {
    game(options(), async |mut white, mut black| {
        black.say(ANSWER).await;
        white.say(MOVE).await;
        white.hears(&["BLACK", "WHITE"]).await;
        black.hears(&["BLACK", "WHITE"]).await;
        // Two moves in one segment: the second is early.
        let second = r#"{"from":"f5","to":"f6"}"#;
        let first = r#"{"from":"e6","to":"d6"}"#;
        white
            .send(&[frame(first.as_bytes()), frame(second.as_bytes())].concat())
            .await;
        white.hears(&["BLACK"]).await;
        black.say(r#"{"from":"c1","to":"b1"}"#).await;
        white.hears(&["WHITE", "BLACK"]).await;
    });
}

#[test]
fn a_flood_loses_at_once() {
    let referee = game(options(), async |mut white, mut black| {
        let flood = frame(ANSWER.as_bytes()).repeat(2_000);
        black.send(&flood).await;
        white.hears(&["WHITEWIN"]).await;
    });
    ends(&referee, Side::Defenders, Reason::IllegalMove);
}

#[test]
fn a_second_client_on_a_port_waits_for_the_next_game() {
    run(async {
        let (table, addresses) = table().await;
        let peers = async {
            let mut white = Peer::connect(addresses.defenders).await;
            white.say("first").await;
            let mut second = Peer::connect(addresses.defenders).await;
            second.say("second").await;
            let mut black = Peer::connect(addresses.attackers).await;
            black.say("black").await;
            white.hears(&["WHITE"]).await;
            black.hears(&["WHITE"]).await;
            drop(white);
            black.hears(&["BLACKWIN"]).await;
            let mut black = Peer::connect(addresses.attackers).await;
            black.say("black").await;
            second.hears(&["WHITE"]).await;
            drop(black);
            second.hears(&["WHITEWIN"]).await;
        };
        let games = async {
            let first = referee(&table, options()).await;
            assert_eq!(first.name(Side::Defenders), "first");
            let second = referee(&table, options()).await;
            assert_eq!(second.name(Side::Defenders), "second");
        };
        tokio::join!(games, peers);
    });
}

#[test]
fn silent_clients_keep_nobody_out() {
    run(async {
        let (table, addresses) = table().await;
        let peers = async {
            let mut silent = Vec::new();
            for (_, address) in addresses.white_first() {
                for _ in 0..100 {
                    silent.push(Peer::connect(address).await);
                }
            }
            let mut white = Peer::connect(addresses.defenders).await;
            let mut black = Peer::connect(addresses.attackers).await;
            white.say("white").await;
            black.say("black").await;
            white.hears(&["WHITE"]).await;
            black.hears(&["WHITE"]).await;
            // There is room for a number of them only: who came first had to go.
            assert_eq!(silent[0].hear().await, None);
            drop(white);
            black.hears(&["BLACKWIN"]).await;
        };
        let (played, ()) = tokio::join!(referee(&table, options()), peers);
        assert_eq!(played.name(Side::Defenders), "white");
    });
}

#[test]
fn who_is_silent_too_long_is_sent_away() {
    run(async {
        let (table, addresses) = table().await;
        let options = Options {
            name_ms: Some(50),
            ..options()
        };
        let peers = async {
            let mut silent = Peer::connect(addresses.defenders).await;
            // Half a name is none.
            silent.send(&frame(b"\"half\"")[..6]).await;
            assert_eq!(silent.hear().await, None);
        };
        let mut dismissed = Vec::new();
        let mut watch = |_, _: &Referee, effect: &Effect| {
            if let Effect::Dismissed { side, why } = effect {
                dismissed.push((*side, *why));
            }
        };
        tokio::select! {
            _ = play(&table, options, &mut watch) => panic!("nobody plays"),
            () = peers => {}
        }
        assert_eq!(dismissed, [(Side::Defenders, Dismissal::Nameless)]);
    });
}

#[test]
fn who_has_said_nothing_when_a_game_begins_may_play_the_next() {
    run(async {
        let (table, addresses) = table().await;
        let peers = async {
            let mut late = Peer::connect(addresses.defenders).await;
            let mut white = Peer::connect(addresses.defenders).await;
            let mut black = Peer::connect(addresses.attackers).await;
            white.say("white").await;
            black.say("black").await;
            white.hears(&["WHITE"]).await;
            black.hears(&["WHITE"]).await;
            late.say("late").await;
            drop(white);
            black.hears(&["BLACKWIN"]).await;
            let mut black = Peer::connect(addresses.attackers).await;
            black.say("black").await;
            late.hears(&["WHITE"]).await;
            drop(black);
            late.hears(&["WHITEWIN"]).await;
        };
        let games = async {
            referee(&table, options()).await;
            let second = referee(&table, options()).await;
            assert_eq!(second.name(Side::Defenders), "late");
        };
        tokio::join!(games, peers);
    });
}

#[test]
fn states_keep_their_distance_on_nobodys_clock() {
    let pace = Duration::from_millis(3_500);
    // Less than the pace: if the pause were on its clock, White would lose by time.
    let options = Options {
        time_ms: 3_000,
        pace_ms: 3_500,
        ..options()
    };
    let begin = Instant::now();
    let referee = game(options, async |mut white, mut black| {
        white.say(MOVE).await;
        black.hears(&["BLACK"]).await;
        white.hears(&["BLACK"]).await;
        assert!(begin.elapsed() >= pace, "{:?}", begin.elapsed());
        black.say(ANSWER).await;
        white.hears(&["WHITE"]).await;
        assert!(begin.elapsed() >= 2 * pace, "{:?}", begin.elapsed());
        drop(white);
        black.hears(&["WHITE", "BLACKWIN"]).await;
    });
    ends(&referee, Side::Attackers, Reason::ConnectionLost);
    assert_eq!(referee.contest().game().plies().len(), 2);
}

#[test]
fn a_client_that_leaves_before_its_name_does_no_harm() {
    run(async {
        let (table, addresses) = table().await;
        let peers = async {
            drop(Peer::connect(addresses.defenders).await);
            let mut white = Peer::connect(addresses.defenders).await;
            white.say("white").await;
            let mut silent = Peer::connect(addresses.attackers).await;
            silent.0.shutdown().await.unwrap();
            assert_eq!(silent.hear().await, None);
            let mut black = Peer::connect(addresses.attackers).await;
            black.say("black").await;
            white.hears(&["WHITE"]).await;
            drop(white);
            black.hears(&["WHITE", "BLACKWIN"]).await;
        };
        let (played, ()) = tokio::join!(referee(&table, options()), peers);
        ends(&played, Side::Attackers, Reason::ConnectionLost);
    });
}

#[test]
fn a_client_that_never_reads_is_gone_when_the_queue_is_full() {
    let shuffle = |from: &str, to: &str| format!(r#"{{"from":"{from}","to":"{to}"}}"#);
    let mut options = options();
    // So that the game goes on as long as it takes.
    options.laws.repetition = None;
    let referee = run(async {
        let (table, addresses) = table().await;
        let peers = async {
            let mut white = Peer::connect(addresses.defenders).await;
            let socket = TcpSocket::new_v4().unwrap();
            socket.set_recv_buffer_size(4096).unwrap();
            let mut black = Peer(socket.connect(addresses.attackers).await.unwrap());
            white.say("white").await;
            black.say("black").await;
            white.hears(&["WHITE"]).await;
            for ply in 0_usize.. {
                let (peer, [from, to]) = match ply % 4 {
                    0 => (&mut white, ["e4", "d4"]),
                    // Nobody comes back into a camp.
                    1 if ply == 1 => (&mut black, ["d1", "c1"]),
                    1 => (&mut black, ["b1", "c1"]),
                    2 => (&mut white, ["d4", "e4"]),
                    _ => (&mut black, ["c1", "b1"]),
                };
                peer.say(&shuffle(from, to)).await;
                if white.hear().await == Some("WHITEWIN") {
                    break;
                }
                assert!(ply < 100_000, "states pile up without end");
            }
        };
        let (played, ()) = tokio::join!(referee(&table, options), peers);
        played
    });
    ends(&referee, Side::Defenders, Reason::ConnectionLost);
}

#[test]
fn a_strict_server_closes_without_a_word_where_the_reference_does() {
    let strict = || Options {
        time_ms: 30,
        ..Options::reference(Rules::ashton())
    };
    // A time-out.
    game(strict(), async |mut white, mut black| {
        assert_eq!(white.hear().await, None);
        assert_eq!(black.hear().await, None);
    });
    let strict = || Options::reference(Rules::ashton());
    // Rubbish.
    game(strict(), async |mut white, mut black| {
        white.say("hello world").await;
        assert_eq!(white.hear().await, None);
        assert_eq!(black.hear().await, None);
    });
    // White gone on its turn.
    game(strict(), async |white, mut black| {
        drop(white);
        assert_eq!(black.hear().await, None);
    });
    // Moves that come early wait in the socket, however many.
    game(strict(), async |mut white, mut black| {
        let flood = [
            ANSWER,
            r#"{"from":"c1","to":"b1"}"#,
            r#"{"from":"b1","to":"a1"}"#,
        ];
        let flood: Vec<u8> = flood
            .iter()
            .flat_map(|text| frame(text.as_bytes()))
            .collect();
        black.send(&flood).await;
        white.say(MOVE).await;
        white.hears(&["BLACK", "WHITE"]).await;
        white.say(r#"{"from":"e6","to":"d6"}"#).await;
        white.hears(&["BLACK", "WHITE"]).await;
    });
}
