//! The contest's wire: however bytes are cut, the same frames come out, and nothing that is in them
//! can make a reader or a referee panic.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use tablut_challenge::{
    Heard, Options, Referee,
    frame::{Frame, Frames, LONGEST},
    message::{Action, State, read_name},
};
use tablut_rules::{Rules, Side};

static RULES: LazyLock<Arc<Rules>> = LazyLock::new(|| Rules::ashton());

fn frames(pieces: impl Iterator<Item = impl AsRef<[u8]>>) -> Vec<Frame> {
    let mut reader = Frames::default();
    let mut found = Vec::new();
    for piece in pieces {
        reader.push(piece.as_ref());
        while let Some(frame) = reader.pull() {
            found.push(frame);
        }
        assert!(reader.waiting() <= LONGEST + 4);
    }
    found
}

fuzz_target!(|bytes: &[u8]| {
    let whole = frames([bytes].iter());
    assert_eq!(whole, frames(bytes.chunks(1)));
    assert_eq!(whole, frames(bytes.chunks(7)));
    for options in [
        Options::new(RULES.clone()),
        Options::reference(RULES.clone()),
    ] {
        let mut referee = Referee::new(options);
        for side in Side::ALL {
            referee.tell(0, side, Heard::Connected);
        }
        for (n, frame) in whole.iter().enumerate() {
            let side = Side::ALL[n % 2];
            if referee.wants(side) {
                referee.tell(n as u64, side, Heard::Frame(frame.clone()));
            }
        }
    }
    let _ = read_name(bytes);
    if let Ok(action) = Action::read(bytes) {
        let _ = action.step();
    }
    if let Ok(state) = State::read(bytes) {
        let text = state.payload(&RULES);
        assert_eq!(State::read(text.as_bytes()), Ok(state));
    }
});
