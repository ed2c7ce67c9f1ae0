//! Move text: whatever is read is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_rules::Move;

fuzz_target!(|text: &str| {
    if let Ok(step) = text.parse::<Move>() {
        assert_eq!(step.to_string().parse(), Ok(step));
    }
});
