//! Serde for the types that people read as text: one text each, the same as in every other format.

use core::{fmt, marker::PhantomData, str::FromStr};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Visitor},
};

use crate::{Move, Piece, Reason, Setup, Side, Square};

/// Reads a value from its text; holds what is expected, for messages.
struct TextOf<T>(&'static str, PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty: $what:literal),+ $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(TextOf($what, PhantomData))
            }
        }
    )+};
}

as_text! {
    Side: "white or black",
    Piece: "the letter of a piece",
    Square: "a square such as e5",
    Move: "a move such as e3e7",
    Reason: "a reason for the end of a game",
    Setup: "a position in one line",
}

#[cfg(feature = "toml")]
as_text! {
    crate::BuiltIn: "the id of a built-in rule set",
}

#[cfg(test)]
mod tests {
    use std::{fmt::Debug, string::ToString};

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::{BySide, Outcome};

    /// Checks that a value is written as some JSON, and that it comes back from it.
    fn is_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values_are_the_texts_that_people_read() {
        is_json(Side::Attackers, r#""black""#);
        is_json(Piece::King, r#""K""#);
        is_json("e5".parse::<Square>().unwrap(), r#""e5""#);
        is_json("e3-e7".parse::<Move>().unwrap(), r#""e3e7""#);
        is_json(Reason::KingEscaped, r#""king escaped""#);
        let line = "9/9/9/9/4K4/9/9/9/4b4 w 3";
        is_json(line.parse::<Setup>().unwrap(), &std::format!("{line:?}"));
        let won = Outcome::win(Side::Defenders, Reason::KingEscaped);
        is_json(won, r#"{"winner":"white","reason":"king escaped"}"#);
        let drawn = Outcome::draw(Reason::Agreement);
        is_json(drawn, r#"{"winner":null,"reason":"agreement"}"#);
        let men = BySide {
            attackers: 16,
            defenders: 8,
        };
        is_json(men, r#"{"black":16,"white":8}"#);
    }

    #[test]
    fn a_text_that_is_none_says_what_would_be_one() {
        let wrong = serde_json::from_str::<Square>(r#""z0""#).unwrap_err();
        let right = "a square is a letter a to i and a digit 1 to 9, as in e5";
        assert!(wrong.to_string().starts_with(right), "{wrong}");
        let wrong = serde_json::from_str::<Side>("1").unwrap_err();
        assert!(
            wrong.to_string().contains("expected white or black"),
            "{wrong}"
        );
    }
}
