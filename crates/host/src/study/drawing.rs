//! Arrows and circles in the comments of records: `[%cal Ge3e7] [%csl Ge5]`, as other programs write them.

use tablut_rules::{Move, Square};

use super::Drawing;

/// The colour that is written; all are read.
const COLOUR: char = 'B';

/// Takes what is drawn out of a comment.
pub(super) fn split(comment: &str) -> (String, Vec<Drawing>) {
    let (mut text, mut drawings) = (String::new(), Vec::new());
    let mut rest = comment;
    while let Some(at) = rest.find("[%c") {
        let (before, command) = rest.split_at(at);
        let found = command
            .find(']')
            .and_then(|end| Some((read(&command[..end])?, end)));
        let Some((found, end)) = found else {
            let (kept, later) = command.split_at(3);
            text.push_str(before);
            text.push_str(kept);
            rest = later;
            continue;
        };
        text.push_str(before.trim_end_matches(' '));
        drawings.extend(found);
        rest = &command[end + 1..];
        if text.is_empty() {
            rest = rest.trim_start_matches(' ');
        }
    }
    text.push_str(rest);
    (text, drawings)
}

/// What a command draws, from `[%cal` or `[%csl` up to its bracket; nothing if it is another.
fn read(command: &str) -> Option<Vec<Drawing>> {
    let (name, list) = command.strip_prefix("[%")?.split_once(' ')?;
    let drawing = |word: &str| {
        let place = word.trim().get(1..)?;
        Some(match name {
            "cal" => {
                let step: Move = place.parse().ok()?;
                Drawing {
                    from: step.from(),
                    to: Some(step.to()),
                }
            }
            "csl" => Drawing {
                from: place.parse::<Square>().ok()?,
                to: None,
            },
            _ => return None,
        })
    };
    list.split(',').map(drawing).collect()
}

/// Adds what is drawn to a comment.
pub(super) fn join(comment: &str, drawings: &[Drawing]) -> String {
    let words = |is_arrow: bool| {
        let drawings = drawings
            .iter()
            .filter(|drawing| drawing.to.is_some() == is_arrow);
        let words = drawings.map(|drawing| {
            let to = drawing.to.map(|to| to.to_string());
            format!("{COLOUR}{}{}", drawing.from, to.unwrap_or_default())
        });
        words.collect::<Vec<_>>().join(",")
    };
    let mut parts = Vec::new();
    for (name, list) in [("cal", words(true)), ("csl", words(false))] {
        if !list.is_empty() {
            parts.push(format!("[%{name} {list}]"));
        }
    }
    if !comment.is_empty() {
        parts.push(comment.into());
    }
    parts.join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn drawing(text: &str) -> Drawing {
        let (from, to) = text.split_at(2);
        Drawing {
            from: from.parse().unwrap(),
            to: to.parse().ok(),
        }
    }

    #[test]
    fn what_is_drawn_goes_into_a_comment_and_out_again() {
        for (comment, drawings) in [
            ("", vec![]),
            (
                "a plan",
                vec![drawing("e3e7"), drawing("a1i1"), drawing("e5")],
            ),
            ("", vec![drawing("e5")]),
            ("[%eval] is text", vec![drawing("e3e7")]),
        ] {
            assert_eq!(
                split(&join(comment, &drawings)),
                (comment.to_string(), drawings)
            );
        }
    }

    #[test]
    fn what_others_write_is_read_and_what_is_no_drawing_stays() {
        let (text, drawings) = split("Look [%csl Re5,Ga1] here [%cal Ge3e7]");
        assert_eq!(text, "Look here");
        assert_eq!(drawings, ["e5", "a1", "e3e7"].map(drawing));
        for text in ["[%cal", "[%cal Gz9]", "[%csl ]", "[%cxx Ge5]", "[%c[%c]"] {
            assert_eq!(split(text), (text.to_string(), vec![]), "{text}");
        }
    }
}
