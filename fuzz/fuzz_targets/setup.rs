//! Position text: whatever is read is written and read back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tablut_rules::{Rules, Setup};

fuzz_target!(|text: &str| {
    let Ok(setup) = text.parse::<Setup>() else {
        return;
    };
    assert_eq!(setup.to_string().parse(), Ok(setup));
    let rules = Rules::ashton();
    // Nothing an editor can make may panic.
    for square in setup.occupied() {
        for to in rules.view(&setup).targets(square) {
            assert!(
                rules
                    .view(&setup)
                    .preview(tablut_rules::Move::new(square, to))
                    .is_some()
            );
        }
    }
    match rules.position(&setup) {
        Ok(position) => assert_eq!(Setup::from(&position), setup),
        Err(error) => assert!(!error.faults().is_empty()),
    }
});
