//! Where pieces can go, in few bytes. Legal moves were two thirds of what a player is told after each move.
//!
//! For each piece that can move there is a text: its square, and where it can go, with blanks between them. Behind an `x`
//! each stands what a move captures, and `!` ends a move that wins: `e2 d2xd3! e1`.

use serde::{Deserialize, Deserializer, Serializer, de::Error};

use super::TargetInfo;

pub(super) fn serialize<S: Serializer>(
    targets: &[TargetInfo],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut pieces: Vec<(&str, String)> = Vec::new();
    for TargetInfo {
        from,
        to,
        takes,
        wins,
    } in targets
    {
        let at = pieces.iter().position(|(square, _)| square == from);
        let at = at.unwrap_or_else(|| {
            pieces.push((from, from.clone()));
            pieces.len() - 1
        });
        let text = &mut pieces[at].1;
        for part in [" ", to] {
            text.push_str(part);
        }
        for square in takes {
            text.push('x');
            text.push_str(square);
        }
        if *wins {
            text.push('!');
        }
    }
    serializer.collect_seq(pieces.iter().map(|(_, text)| text))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<TargetInfo>, D::Error> {
    let pieces = Vec::<String>::deserialize(deserializer)?;
    let mut targets = Vec::new();
    for piece in &pieces {
        let mut words = piece.split(' ');
        let from = words.next().filter(|from| !from.is_empty());
        let from = from.ok_or_else(|| D::Error::custom("a piece has no square"))?;
        for word in words {
            let (squares, wins) = match word.strip_suffix('!') {
                Some(squares) => (squares, true),
                None => (word, false),
            };
            let mut squares = squares.split('x').map(String::from);
            targets.push(TargetInfo {
                from: from.into(),
                to: squares.next().unwrap_or_default(),
                takes: squares.collect(),
                wins,
            });
        }
    }
    Ok(targets)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[derive(PartialEq, Debug, serde::Serialize, serde::Deserialize)]
    struct Reach(#[serde(with = "super")] Vec<TargetInfo>);

    #[test]
    fn targets_are_short_and_come_back_as_they_were() {
        let target = |from: &str, to: &str, takes: &[&str], wins| TargetInfo {
            from: from.into(),
            to: to.into(),
            takes: takes.iter().map(|&square| square.into()).collect(),
            wins,
        };
        let reach = Reach(vec![
            target("e2", "d2", &["d3", "c2"], false),
            target("e2", "e1", &[], true),
            target("k11", "k10", &["j10"], true),
        ]);
        let text = serde_json::to_string(&reach).unwrap();
        assert_eq!(text, r#"["e2 d2xd3xc2 e1!","k11 k10xj10!"]"#);
        assert_eq!(serde_json::from_str::<Reach>(&text).unwrap(), reach);
        assert!(serde_json::from_str::<Reach>(r#"[""]"#).is_err());
    }
}
