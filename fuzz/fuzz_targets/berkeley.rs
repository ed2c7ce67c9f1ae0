//! Berkeley move text: whatever is read is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_rules::notation::berkeley::BerkeleyMove;

fuzz_target!(|text: &str| {
    if let Ok(step) = text.parse::<BerkeleyMove>() {
        assert_eq!(step.to_string(), text);
    }
});
