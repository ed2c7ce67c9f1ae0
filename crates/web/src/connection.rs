//! One open page: its WebSocket, from greeting to goodbye.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tablut_guest::throttle::Bucket;
use tablut_host::speech::{self, Phrase};
use tokio::{
    sync::watch,
    time::{Instant as TokioInstant, MissedTickBehavior, interval_at, timeout},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Bytes, Message,
        protocol::{
            CloseFrame, Role, WebSocketConfig,
            frame::{
                Frame,
                coding::{CloseCode, Data, OpCode},
            },
        },
    },
};

use crate::{
    answer::{PageNews, Visit},
    health::Health,
    message::{
        Answer, Ask, Problem, Request, Response, ResponseResult, ServerEvent, ServerMessage,
    },
};

/// The largest message a page may send, in bytes, unless it asks to read a text.
const LARGEST: usize = 64 * 1024;

/// The largest message that is taken at all, so that whoever sends too much can be told. The longest text
/// that is read fits, with whatever JSON adds to it.
pub(crate) const LARGEST_FRAME: usize = 4 * 1024 * 1024;

/// What is read from a page at once, in bytes: its requests are small, and each open page has such a buffer.
const SMALL: usize = 512;

/// What is sent to a page at once, in bytes: a longer message goes in pieces. A socket never gives back the room for the
/// longest that it has sent at once.
const PIECE: usize = 1000;

/// What may wait to be sent to a page, in bytes: a piece, and answers to pings.
const UNSENT: usize = 64 * 1024;

/// How often pages may ask: requests at once, requests per second.
const BURST: u32 = 120;
const PER_SECOND: f64 = 40.0;

/// A message counts for one more request with each of this many bytes.
const LONG: usize = 64 * 1024;

/// How many requests too many end the connection.
const PATIENCE: u32 = 200;

/// How often a page is asked whether it is still there, and how often it may fail to answer. Browsers
/// answer by themselves, also for pages that nobody sees, whose own clocks they slow down. Questions are
/// counted, not seconds: who stood still together with the server has missed none.
const PING: Duration = Duration::from_secs(2);
const UNANSWERED: u32 = 3;

/// Of how many such questions only one is asked of a page at which nobody waits for a player: it may be gone
/// for a while before anybody minds.
const IDLE: u32 = 10;

/// How long a page may take to accept a message.
const SLOW: Duration = Duration::from_secs(20);

/// A page's connection, once it is a socket.
pub(crate) type PageSocket = WebSocketStream<TokioIo<Upgraded>>;

/// Takes over a connection on which page and server have agreed.
pub(crate) async fn take_over(connection: Upgraded) -> PageSocket {
    let config = WebSocketConfig::default()
        .read_buffer_size(SMALL)
        // Each piece is sent at once.
        .write_buffer_size(0)
        .max_write_buffer_size(UNSENT)
        .max_message_size(Some(LARGEST_FRAME))
        .max_frame_size(Some(LARGEST_FRAME));
    WebSocketStream::from_raw_socket(TokioIo::new(connection), Role::Server, Some(config)).await
}

/// Serves one page until it goes or the server ends. Dropping the visit then gives up its seat at a game and all
/// that engines do for it.
pub(crate) async fn converse(
    socket: &mut PageSocket,
    visit: &mut Visit,
    health: &Health,
    closing: &mut watch::Receiver<bool>,
) {
    let mut bucket = Bucket::new(BURST, PER_SECOND, Instant::now());
    let mut excess = 0;
    let mut unanswered = 0;
    let mut ticks = 0_u32;
    let mut ping = interval_at(TokioInstant::now() + PING, PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let farewell = loop {
        let next = tokio::select! {
            message = socket.next() => {
                unanswered = 0;
                // Pings count too: each is answered, and a flood of them is a flood.
                let is_calm = bucket.take_many(cost(&message), Instant::now());
                excess = if is_calm { 0 } else { excess + 1 };
                if excess > PATIENCE {
                    break None;
                }
                match message {
                    Some(Ok(Message::Text(text))) => {
                        let begin = Instant::now();
                        // What answers is large, and most of the time there is nothing to answer.
                        let reply = Box::pin(respond(visit, &text, is_calm)).await;
                        health.note(begin);
                        match reply {
                            Some(reply) => written(&reply),
                            None => continue,
                        }
                    }
                    // Perhaps it sent too much at once; whoever is gone does not hear this.
                    Some(Err(_)) => {
                        let reason = "the message is too large, or is none".into();
                        let code = CloseCode::Size;
                        break Some((Message::Close(Some(CloseFrame { code, reason })), PING));
                    }
                    Some(Ok(Message::Close(_))) | None => break None,
                    Some(Ok(_)) => continue,
                }
            }
            news = visit.news() => told(news),
            _ = ping.tick() => {
                ticks = ticks.wrapping_add(1);
                if !visit.attendance.plays() && !ticks.is_multiple_of(IDLE) {
                    continue;
                }
                if unanswered >= UNANSWERED {
                    break None;
                }
                unanswered += 1;
                Some(Message::Ping(Vec::new().into()))
            }
            () = ended(closing) => {
                let closing = written(&ServerMessage::Event(ServerEvent::Closing));
                break closing.map(|closing| (closing, SLOW));
            }
        };
        // Everything is sent here: each place that sends takes room in every connection for as long as it is open.
        let Some(message) = next else { break None };
        if !Box::pin(send(socket, message, SLOW)).await {
            break None;
        }
    };
    if let Some((message, patience)) = farewell {
        Box::pin(send(socket, message, patience)).await;
    }
}

/// The message that tells a page some news; none if it cannot be written.
fn told(news: PageNews) -> Option<Message> {
    let message = match news {
        PageNews::Onlooker(text) => return Some(Message::Text((&*text).into())),
        PageNews::Hint(re, result) => reply(re, *result),
        PageNews::Lost(game, problem) => ServerMessage::Event(ServerEvent::Lost {
            game,
            text: problem.text,
        }),
        PageNews::State(state) => ServerMessage::Event(ServerEvent::State(state)),
        PageNews::Study(state) => ServerMessage::Event(ServerEvent::Study(state)),
        PageNews::Found(event) => ServerMessage::Event(*event),
    };
    written(&message)
}

/// How many requests a message counts for: the longer it is, the more work it makes.
fn cost<E>(message: &Option<Result<Message, E>>) -> u32 {
    let length = match message {
        Some(Ok(Message::Text(text))) => text.len(),
        Some(Ok(Message::Binary(bytes))) => bytes.len(),
        _ => 0,
    };
    let more = u32::try_from(length / LONG).unwrap_or(BURST);
    // A few of the longest may come at once.
    (1 + more).min(BURST / 8)
}

/// Waits until the server ends.
pub(crate) async fn ended(closing: &mut watch::Receiver<bool>) {
    // A server that is gone has ended too.
    let _ = closing.wait_for(|closing| *closing).await;
}

/// The answer to one message of a page; none if it comes later.
async fn respond(visit: &mut Visit, text: &str, is_calm: bool) -> Option<ServerMessage> {
    let request: Result<Request, _> = serde_json::from_str(text);
    let (re, result) = match request {
        Ok(Request { id, ask }) if text.len() > LARGEST && !matches!(ask, Ask::Read { .. }) => {
            (id, Err(speech::say(visit.lang, Phrase::TooLong).into()))
        }
        Ok(request) if is_calm => (request.id, visit.answer(request).await?),
        Ok(request) => (
            request.id,
            Err(speech::say(visit.lang, Phrase::TooFast).into()),
        ),
        Err(_) => (0, Err(speech::say(visit.lang, Phrase::BadMessage).into())),
    };
    Some(reply(re, result))
}

fn reply(re: u32, result: Result<Answer, Problem>) -> ServerMessage {
    ServerMessage::Response(Response {
        re,
        result: match result {
            Ok(answer) => ResponseResult::Ok(Box::new(answer)),
            Err(problem) => ResponseResult::Error(problem),
        },
    })
}

fn written(message: &ServerMessage) -> Option<Message> {
    let text = serde_json::to_string(message).ok()?;
    Some(Message::Text(text.into()))
}

/// Sends a message, and says whether the page has taken it in time.
async fn send(socket: &mut PageSocket, message: Message, patience: Duration) -> bool {
    let sending = async {
        for piece in pieces(message) {
            socket.feed(piece).await?;
        }
        socket.flush().await
    };
    let sent = timeout(patience, sending).await;
    sent.is_ok_and(|sent| sent.is_ok())
}

/// A message, or the pieces of a long text.
fn pieces(message: Message) -> Vec<Message> {
    let text: Bytes = match message {
        Message::Text(text) if text.len() > PIECE => text.into(),
        message => return vec![message],
    };
    let starts = (0..text.len()).step_by(PIECE);
    let piece = |start: usize| {
        let end = (start + PIECE).min(text.len());
        let data = if start == 0 {
            Data::Text
        } else {
            Data::Continue
        };
        let (part, is_last) = (text.slice(start..end), end == text.len());
        Message::Frame(Frame::message(part, OpCode::Data(data), is_last))
    };
    starts.map(piece).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_host::{Host, Limits};
    use tablut_rules::Random;
    use tablut_store::{Location, Store};

    use super::*;

    #[test]
    fn long_texts_go_in_pieces_that_are_the_text() {
        for length in [0, 1, PIECE, PIECE + 1, 5 * PIECE, 5 * PIECE + 7] {
            // Pieces may end within a letter.
            let text = "ü".repeat(length / 2) + &"x".repeat(length % 2);
            let pieces = pieces(Message::text(text.clone()));
            assert_eq!(pieces.len(), length.div_ceil(PIECE).max(1));
            assert!(pieces.iter().all(|piece| piece.len() <= PIECE + 16));
            let joined: Vec<u8> = pieces.into_iter().flat_map(Message::into_data).collect();
            assert_eq!(joined, text.as_bytes());
        }
    }

    /// Any text at all gets an answer, and the next visitor does not notice.
    #[tokio::test]
    async fn nothing_a_page_sends_breaks_the_server() {
        let store = Store::open(&Location::Memory).await.unwrap();
        let host = Host::new(store, Limits::default());
        let mut visit = Visit::of_ann(&host);
        let samples: Vec<serde_json::Value> =
            serde_json::from_str(include_str!("../protocol/requests.json")).unwrap();
        let mut random = Random::new(5);
        let (mut good, mut bad) = (0, 0);
        for n in 0..4000 {
            let mut bytes = samples[n % samples.len()].to_string().into_bytes();
            for _ in 0..random.below(4) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b"0/9-\"{}[]k"[random.below(10)]),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            match respond(&mut visit, &text, true).await {
                Some(ServerMessage::Response(Response {
                    result: ResponseResult::Error(problem),
                    ..
                })) => {
                    assert!(!problem.text.is_empty(), "{text}");
                    bad += 1;
                }
                _ => good += 1,
            }
            // Hints are for those who wait.
            visit.attendance.drop_hint();
        }
        assert!(good > 100 && bad > 1000, "{good} {bad}");
    }
}
