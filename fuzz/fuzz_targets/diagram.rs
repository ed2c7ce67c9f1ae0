//! Boards of several lines: whatever is read is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_rules::notation::Diagram;

fuzz_target!(|text: &str| {
    if let Ok(diagram) = text.parse::<Diagram>() {
        assert_eq!(diagram.to_string().parse(), Ok(diagram));
    }
});
