//! How time is counted, as the store keeps it: `none`, `move:60000`, `total:300000+2000`.

use tablut_arena::TimeControl;

/// The longest time that can be given, for a move or a game: a day.
const LONGEST: u64 = 24 * 3600 * 1000;

/// The text of a time control.
#[must_use]
pub fn write_control(control: TimeControl) -> String {
    match control {
        TimeControl::Unlimited => "none".into(),
        TimeControl::PerMove { ms } => format!("move:{ms}"),
        TimeControl::Total { ms, increment_ms } => format!("total:{ms}+{increment_ms}"),
    }
}

/// The time control of a text; nothing if it is none, or gives no time or more than a day. Games of
/// programs may have a few milliseconds a move; what people may agree on, `Terms` says.
#[must_use]
pub fn read_control(text: &str) -> Option<TimeControl> {
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse::<u64>().ok()).flatten()
    };
    let in_range = |ms: &u64| (1..=LONGEST).contains(ms);
    match text.split_once(':') {
        None => (text == "none").then_some(TimeControl::Unlimited),
        Some(("move", ms)) => {
            let ms = number(ms).filter(in_range)?;
            Some(TimeControl::PerMove { ms })
        }
        Some(("total", text)) => {
            let (ms, increment) = text.split_once('+')?;
            let ms = number(ms).filter(in_range)?;
            let increment_ms = number(increment).filter(|&ms| ms <= LONGEST)?;
            Some(TimeControl::Total { ms, increment_ms })
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read_as_they_are_written() {
        for control in [
            TimeControl::Unlimited,
            TimeControl::PerMove { ms: 60_000 },
            // The demonstration cup of docs/tournament.md.
            TimeControl::PerMove { ms: 50 },
            TimeControl::Total {
                ms: 300_000,
                increment_ms: 0,
            },
        ] {
            assert_eq!(read_control(&write_control(control)), Some(control));
        }
    }

    #[test]
    fn what_is_no_control_is_refused() {
        for text in [
            "",
            "x",
            "none:",
            "move",
            "move:",
            "move:0",
            "move:+5000",
            "move:86400001",
            "total:5000",
            "total:5000+",
            "total:5000+-1",
            "total:99999999999999999999+0",
        ] {
            assert_eq!(read_control(text), None, "{text}");
        }
    }
}
