//! Times and scores as text.

use core::{fmt, str::FromStr};

/// What a position is worth, from the defenders' (white's) point of view as in PGN.
///
/// Its text form is `1.25`, `-0.50`, `#5` or `#-3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// An estimate in hundredths of a unit; above zero is good for the defenders.
    Hundredths(i32),
    /// The defenders win in this many plies.
    Win(u32),
    /// The defenders lose in this many plies.
    Loss(u32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Hundredths(value) => {
                let (sign, value) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
                write!(f, "{sign}{}.{:02}", value / 100, value % 100)
            }
            Self::Win(plies) => write!(f, "#{plies}"),
            Self::Loss(plies) => write!(f, "#-{plies}"),
        }
    }
}

impl FromStr for Score {
    type Err = ParseScoreError;

    /// Reads `1.25`, `+1.2`, `-1`, `#5` or `#-3`.
    fn from_str(text: &str) -> Result<Self, ParseScoreError> {
        let plies = |text| digits(text).and_then(|n| u32::try_from(n).ok());
        let score = match text.strip_prefix('#') {
            Some(text) => match text.strip_prefix('-') {
                Some(text) => plies(text).map(Self::Loss),
                None => plies(text).map(Self::Win),
            },
            None => hundredths(text).map(Self::Hundredths),
        };
        score.ok_or(ParseScoreError)
    }
}

/// A text that is no score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseScoreError;

impl fmt::Display for ParseScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a score is a number with up to two decimals, or # and the plies to a win, as in 1.25, \
             #5 or #-3",
        )
    }
}

impl core::error::Error for ParseScoreError {}

/// A number made of nothing but digits.
pub(super) fn digits(text: &str) -> Option<u64> {
    let sound = text.bytes().all(|byte| byte.is_ascii_digit());
    sound.then(|| text.parse().ok()).flatten()
}

/// A decimal number with up to two decimals, times a hundred.
fn hundredths(text: &str) -> Option<i32> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, part) = match text.split_once('.') {
        Some((whole, part)) => (whole, decimals(part, 2)?),
        None => (text, 0),
    };
    let whole = i64::try_from(digits(whole)?).ok()?;
    let value = whole.checked_mul(100)?.checked_add(i64::from(part))?;
    i32::try_from(if negative { -value } else { value }).ok()
}

/// The digits behind a point, at least one, as if there were `places` of them.
fn decimals(text: &str, places: u32) -> Option<u32> {
    let missing = places.checked_sub(u32::try_from(text.len()).ok()?)?;
    let value = u32::try_from(digits(text)?).ok()?;
    Some(value * 10_u32.pow(missing))
}

/// Milliseconds, written as hours, minutes and seconds: `0:00:59.500`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Time(pub(super) u64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, thousandths) = (self.0 / 1000, self.0 % 1000);
        let (minutes, hours) = (seconds / 60 % 60, seconds / 3600);
        write!(f, "{hours}:{minutes:02}:{:02}", seconds % 60)?;
        if thousandths > 0 {
            write!(f, ".{thousandths:03}")?;
        }
        Ok(())
    }
}

impl Time {
    /// Reads hours, minutes and seconds, with up to three decimals.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (whole, thousandths) = match text.split_once('.') {
            Some((whole, part)) => (whole, decimals(part, 3)?),
            None => (text, 0),
        };
        let (hours, rest) = whole.split_once(':')?;
        let (minutes, seconds) = rest.split_once(':')?;
        let below_sixty = |text: &str| digits(text).filter(|&n| n < 60 && text.len() == 2);
        let seconds = digits(hours)?
            .checked_mul(3600)?
            .checked_add(below_sixty(minutes)? * 60 + below_sixty(seconds)?)?;
        seconds
            .checked_mul(1000)?
            .checked_add(u64::from(thousandths))
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn scores_are_read_as_they_are_written() {
        for (score, text) in [
            (Score::Hundredths(125), "1.25"),
            (Score::Hundredths(0), "0.00"),
            (Score::Hundredths(-5), "-0.05"),
            (Score::Hundredths(i32::MIN), "-21474836.48"),
            (Score::Hundredths(i32::MAX), "21474836.47"),
            (Score::Win(0), "#0"),
            (Score::Loss(0), "#-0"),
            (Score::Win(5), "#5"),
            (Score::Loss(u32::MAX), "#-4294967295"),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(text.parse(), Ok(score));
        }
        for (text, hundredths) in [("+1.2", 120), ("-1", -100), ("-0", 0), ("00012.30", 1230)] {
            assert_eq!(text.parse(), Ok(Score::Hundredths(hundredths)), "{text}");
        }
    }

    #[test]
    fn what_is_no_score_is_refused() {
        for text in [
            "",
            "#",
            "#-",
            "#+5",
            "#--5",
            "-",
            ".5",
            "1.",
            "1.234",
            "1,25",
            "1.-5",
            "١",
            "+-1",
            "21474836.48",
            "#4294967296",
            "99999999999999999999",
            "1.²",
        ] {
            assert_eq!(text.parse::<Score>(), Err(ParseScoreError), "{text}");
        }
    }

    #[test]
    fn times_are_read_as_they_are_written() {
        for (time, text) in [
            (0, "0:00:00"),
            (59_500, "0:00:59.500"),
            (60_000, "0:01:00"),
            (3_599_999, "0:59:59.999"),
            (360_000_001, "100:00:00.001"),
            (u64::MAX, "5124095576030:25:51.615"),
        ] {
            assert_eq!(Time(time).to_string(), text);
            assert_eq!(Time::read(text), Some(Time(time)));
        }
        assert_eq!(Time::read("0:00:01.5"), Some(Time(1500)));
        assert_eq!(Time::read("00:00:01"), Some(Time(1000)));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "1",
            "1:00",
            "0:60:00",
            "0:00:60",
            "0:0:01",
            "-1:00:00",
            "0:00:01.",
            "0:00:01.1234",
            "5124095576030:25:51.616",
            "99999999999999999999:00:00",
            "0:00:00:00",
            ":00:00",
        ] {
            assert_eq!(Time::read(text), None, "{text}");
        }
    }
}
