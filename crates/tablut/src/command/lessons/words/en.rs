//! English.

use super::Words;

pub(super) const WORDS: Words = Words {
    step: |number, all, title| format!("Step {number} of {all}: {title}"),
    letters: |has_camps| {
        let camps = if has_camps {
            "; : is an empty camp square"
        } else {
            ""
        };
        format!(
            "On the boards, w and b are white and black men, K is the king, T the empty castle and . an empty square{camps}."
        )
    },
    help: "Type a move such as e3e7; h for a move that is right, n for the next step, b for the one before, q to stop.",
    right_move: |step, said| format!("A right move: {step}. {said}").trim_end().into(),
    reply: |step| format!("The answer: {step}."),
    end: "That was the last step.",
};
