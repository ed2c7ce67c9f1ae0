//! The engine protocol and the names of players: whatever is read is written and read back the same,
//! and no script of lines can make a session panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_arena::{
    Player,
    protocol::{EngineCommand, EngineReply, EngineSession},
};

fuzz_target!(|text: &str| {
    let mut session = EngineSession::new("fuzz", "nobody", Vec::new());
    for line in text.lines() {
        if let Ok(command) = line.parse::<EngineCommand>() {
            assert_eq!(command.to_string().parse(), Ok(command));
        }
        if let Ok(reply) = line.parse::<EngineReply>() {
            assert_eq!(reply.to_string().parse(), Ok(reply));
        }
        if let Ok(player) = line.parse::<Player>() {
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        let _ = session.told(line);
    }
});
