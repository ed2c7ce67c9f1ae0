//! A client's command line with places for what it has to know.

use std::net::Ipv4Addr;

use tablut_arena::words;
use tablut_rules::Side;

/// Words, some with places to be filled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Template {
    words: Vec<String>,
}

/// What is filled in when a command line has no place for anything.
const USUAL: [&str; 3] = ["{side}", "{seconds}", "{address}"];

/// What may be filled in.
const PLACES: [&str; 6] = [
    "{side}",
    "{Side}",
    "{SIDE}",
    "{seconds}",
    "{ms}",
    "{address}",
];

impl Template {
    /// A template from a command line; nothing if that is empty or a quotation has no end.
    #[must_use]
    pub(crate) fn new(command: &str) -> Option<Self> {
        Self::from_words(words::split(command)?)
    }

    /// A template from words; nothing if there are none.
    #[must_use]
    pub(crate) fn from_words(mut words: Vec<String>) -> Option<Self> {
        if words.is_empty() {
            return None;
        }
        let has_place = |word: &String| PLACES.iter().any(|place| word.contains(place));
        if !words.iter().any(has_place) {
            words.extend(USUAL.map(Into::into));
        }
        Some(Self { words })
    }

    /// The command line for a game. Seconds are whole, as clients expect them, and at least one.
    #[must_use]
    pub(crate) fn fill(&self, side: Side, move_ms: u64, address: Ipv4Addr) -> Vec<String> {
        let colour = side.colour();
        let mut title = colour.to_string();
        title[..1].make_ascii_uppercase();
        let values = [
            colour.to_string(),
            title,
            colour.to_uppercase(),
            (move_ms / 1000).max(1).to_string(),
            move_ms.to_string(),
            address.to_string(),
        ];
        let fill = |word: &String| {
            let places = PLACES.iter().zip(&values);
            places.fold(word.clone(), |word, (place, value)| {
                word.replace(place, value)
            })
        };
        self.words.iter().map(fill).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_the_usual_ones_added() {
        for (command, expected) in [
            ("./run.sh", "./run.sh white 2 127.0.0.1"),
            ("./run.sh WHITE", "./run.sh WHITE white 2 127.0.0.1"),
            ("java -jar {Side}.jar {SIDE}", "java -jar White.jar WHITE"),
            (
                "x --time={ms} --to {address}",
                "x --time=2500 --to 127.0.0.1",
            ),
            ("x '{side} {seconds}'", "x white 2"),
        ] {
            let template = Template::new(command).unwrap();
            let words = template.fill(Side::Defenders, 2500, Ipv4Addr::LOCALHOST);
            assert_eq!(words.join(" "), expected);
        }
        assert_eq!(
            Template::new("x {seconds}")
                .unwrap()
                .fill(Side::Attackers, 200, Ipv4Addr::LOCALHOST),
            ["x", "1"]
        );
        assert_eq!(Template::new("  "), None);
        assert_eq!(Template::new("'x"), None);
    }
}
