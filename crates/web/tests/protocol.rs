//! The samples of the protocol are what the types say.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;
use tablut_web::message::{Ask, Request, ServerMessage};

#[test]
fn every_sample_is_read_and_written_as_it_is() {
    let requests: Vec<Value> =
        serde_json::from_str(include_str!("../protocol/requests.json")).unwrap();
    for sample in requests {
        let request: Request = serde_json::from_value(sample.clone()).unwrap();
        assert_eq!(serde_json::to_value(&request).unwrap(), sample);
    }
    let messages: Vec<Value> =
        serde_json::from_str(include_str!("../protocol/messages.json")).unwrap();
    for sample in messages {
        let message: ServerMessage = serde_json::from_value(sample.clone()).unwrap();
        assert_eq!(serde_json::to_value(&message).unwrap(), sample);
    }
}

/// The number of an ask; a new kind does not compile without a line here and a sample.
const fn number(ask: &Ask) -> usize {
    match ask {
        Ask::Hello { .. } => 0,
        Ask::Name { .. } => 1,
        Ask::Setting { .. } => 2,
        Ask::ServerSetting { .. } => 3,
        Ask::Rules { .. } => 4,
        Ask::Study { .. } => 5,
        Ask::Explain { .. } => 6,
        Ask::Read { .. } => 7,
        Ask::Write { .. } => 8,
        Ask::Slots => 9,
        Ask::SaveSlot { .. } => 10,
        Ask::Library { .. } => 11,
        Ask::SavePosition { .. } => 12,
        Ask::DeletePosition { .. } => 13,
        Ask::NewGame(_) => 14,
        Ask::Games => 15,
        Ask::Join { .. } => 16,
        Ask::Leave => 17,
        Ask::Move { .. } => 18,
        Ask::Wish { .. } => 19,
        Ask::Rematch => 20,
        Ask::Record => 21,
        Ask::Hint { .. } => 22,
        Ask::Tournaments => 23,
        Ask::Tournament { .. } => 24,
        Ask::RunTournament { .. } => 25,
        Ask::Ratings => 26,
        Ask::Ping => 27,
        Ask::CorrectTournament { .. } => 28,
        Ask::Organise { .. } => 29,
    }
}

#[test]
fn every_request_has_a_sample() {
    let requests: Vec<Request> =
        serde_json::from_str(include_str!("../protocol/requests.json")).unwrap();
    let mut seen = [false; 30];
    for request in &requests {
        seen[number(&request.ask)] = true;
    }
    assert_eq!(seen, [true; 30]);
}
