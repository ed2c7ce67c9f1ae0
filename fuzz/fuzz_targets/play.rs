//! Random play under every set: the first byte chooses a set, each other one a move; the laws of play hold.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use tablut_rules::{BuiltIn, Game, Rules, Setup};

static SETS: OnceLock<Vec<Arc<Rules>>> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let sets = SETS.get_or_init(|| BuiltIn::ALL.iter().map(|set| set.rules()).collect());
    let Some((&first, choices)) = bytes.split_first() else {
        return;
    };
    let rules = &sets[usize::from(first) % sets.len()];
    let mut game = Game::new(rules.clone());
    for &choice in choices {
        let before = *game.position();
        if game.outcome().is_some() {
            break;
        }
        let moves = rules.moves(&before);
        let Some(&step) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            break;
        };
        assert_eq!(rules.explain(&before, step), Ok(()));
        let preview = rules
            .view(&Setup::from(&before))
            .preview(step)
            .expect("it is legal");
        let applied = game.play(step).expect("it is legal");
        let after = game.position();
        assert_eq!(after.key(), after.fresh_key());
        assert_eq!(preview.setup, Setup::from(after));
        assert_eq!(preview.captured, applied.captured);
        assert_eq!(preview.end, applied.end);
        assert_eq!(
            rules
                .explain_captures(&before, step)
                .expect("it is legal")
                .len() as u32,
            applied.captured.len()
                + u32::from(applied.end == Some(tablut_rules::End::KingCaptured)),
        );
    }
    let (end, outcome) = (*game.position(), game.outcome());
    let mut back = 0;
    while game.undo() {
        back += 1;
    }
    for _ in 0..back {
        assert!(game.redo());
    }
    assert_eq!((*game.position(), game.outcome()), (end, outcome));
});
