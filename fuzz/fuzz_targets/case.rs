//! Lines of the conformance format: no case, however broken, may panic.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use tablut_rules::{Rules, conformance::Case};

static RULES: OnceLock<Arc<Rules>> = OnceLock::new();

fuzz_target!(|text: &str| {
    let Ok(mut case) = serde_json::from_str::<Case>(text) else {
        return;
    };
    if let Case::Perft(case) = &mut case {
        // A deep count would take for ever, and rightly so.
        case.perft
            .retain(|counts| counts.depth <= 2 || counts.depth > 20);
    }
    let rules = RULES.get_or_init(|| Rules::ashton());
    let _ = case.compare(rules);
});
