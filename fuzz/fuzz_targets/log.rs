//! Game logs: whatever is read can be played again without a panic.
#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use tablut_challenge::log::Log;
use tablut_rules::Rules;

static RULES: LazyLock<Arc<Rules>> = LazyLock::new(|| Rules::ashton());

fuzz_target!(|text: &str| {
    if let Ok(log) = text.parse::<Log>()
        && let Ok(replayed) = log.replay(&RULES)
    {
        let record = log.record(&replayed);
        assert_eq!(record.to_string().parse(), Ok(record));
    }
});
