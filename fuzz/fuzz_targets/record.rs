//! Game records: whatever is read is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_rules::record::Record;

fuzz_target!(|text: &str| {
    if let Ok(record) = text.parse::<Record>() {
        assert_eq!(record.to_string().parse(), Ok(record));
    }
});
