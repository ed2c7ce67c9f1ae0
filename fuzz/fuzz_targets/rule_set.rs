//! Rule set text: whatever is read compiles, and is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_rules::{RuleSet, text::Lang};

fuzz_target!(|text: &str| {
    match text.parse::<RuleSet>() {
        Ok(set) => {
            assert_eq!(set.to_string().parse::<RuleSet>().as_ref(), Ok(&set));
            let rules = set.compile().expect("what was read is sound");
            let _ = rules.perft(&rules.start(), 2);
            for &lang in Lang::ALL {
                assert!(!set.describe(lang).is_empty());
            }
        }
        Err(error) => assert!(!error.faults().is_empty()),
    }
});
