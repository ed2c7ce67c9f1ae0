//! What the terminal game says, in every language. A text that one of them lacks does not compile.

mod de;
mod en;
mod it;

use tablut_rules::{in_language, text::Lang};

/// Everything that is said.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) lang: Lang,
    pub(crate) white: &'static str,
    pub(crate) black: &'static str,
    pub(crate) you: &'static str,
    pub(crate) away: &'static str,
    pub(crate) rules: &'static str,
    pub(crate) side: &'static str,
    pub(crate) player: &'static str,
    pub(crate) opponent: &'static str,
    pub(crate) clock: &'static str,
    pub(crate) start: &'static str,
    pub(crate) resume: &'static str,
    pub(crate) set_up: &'static str,
    pub(crate) load: &'static str,
    pub(crate) quit: &'static str,
    pub(crate) typed: &'static str,
    pub(crate) save_as: &'static str,
    pub(crate) load_from: &'static str,
    pub(crate) player_ask: &'static str,
    pub(crate) clock_ask: &'static str,
    pub(crate) to_move: &'static str,
    pub(crate) your_turn: &'static str,
    pub(crate) thinking: &'static str,
    pub(crate) waiting: &'static str,
    pub(crate) raichi: &'static str,
    pub(crate) tuichu: &'static str,
    /// With `{n}` for their number.
    pub(crate) more_ways: &'static str,
    pub(crate) moves: &'static str,
    pub(crate) after_move: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) no_hint: &'static str,
    pub(crate) evaluation: &'static str,
    pub(crate) depth: &'static str,
    pub(crate) draw_offered: &'static str,
    pub(crate) draw_declined: &'static str,
    pub(crate) brush: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) king: &'static str,
    pub(crate) slots: &'static str,
    pub(crate) faults: &'static str,
    pub(crate) sound: &'static str,
    pub(crate) slot_saved: &'static str,
    pub(crate) slot_loaded: &'static str,
    pub(crate) no_slot: &'static str,
    pub(crate) saved_to: &'static str,
    pub(crate) exists: &'static str,
    pub(crate) no_game_to_resume: &'static str,
    pub(crate) no_command: &'static str,
    pub(crate) no_put: &'static str,
    pub(crate) no_clock_text: &'static str,
    pub(crate) pick_own: &'static str,
    pub(crate) watching: &'static str,
    pub(crate) lost: &'static str,
    pub(crate) found_again: &'static str,
    pub(crate) only_read: &'static str,
    pub(crate) looking_back: &'static str,
    pub(crate) over: &'static str,
    pub(crate) not_your_turn: &'static str,
    pub(crate) really_resign: &'static str,
    pub(crate) too_small: &'static str,
    pub(crate) running: &'static str,
    pub(crate) paused: &'static str,
    pub(crate) finished: &'static str,
    pub(crate) group: &'static str,
    pub(crate) final_group: &'static str,
    pub(crate) points: &'static str,
    pub(crate) playing_now: &'static str,
    pub(crate) results: &'static str,
    pub(crate) keys: &'static str,
    pub(crate) keys_standing: &'static str,
    pub(crate) keys_menu: &'static str,
    pub(crate) keys_play: &'static str,
    pub(crate) keys_over: &'static str,
    pub(crate) keys_watch: &'static str,
    pub(crate) keys_read: &'static str,
    pub(crate) keys_edit: &'static str,
    pub(crate) help_close: &'static str,
    pub(crate) help_more: &'static str,
    pub(crate) rules_scroll: &'static str,
    pub(crate) help_play: &'static [(&'static str, &'static str)],
    pub(crate) help_watch: &'static [(&'static str, &'static str)],
    pub(crate) help_edit: &'static [(&'static str, &'static str)],
}

impl Text {
    /// The texts of a language.
    pub(crate) const fn of(lang: Lang) -> &'static Self {
        in_language!(lang, TEXT)
    }
}
