//! Game records: whatever is read is written and read back the same.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use tablut_rules::{
    Rules,
    record::{Record, read_all},
};

fuzz_target!(|text: &str| {
    let rules = RULES.get_or_init(|| Rules::ashton());
    for record in read_all(text).flatten() {
        let _ = record.replay(rules);
    }
    if let Ok(record) = text.parse::<Record>() {
        assert_eq!(record.to_string().parse(), Ok(record));
    }
});

static RULES: OnceLock<Arc<Rules>> = OnceLock::new();
