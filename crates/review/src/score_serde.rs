//! Scores as they are kept: `{"units":125}`, `{"win":5}`, `{"loss":4}`. For `serde(with)`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tablut_engine::Score;

/// A score with names for serde.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KeptScore {
    Units(i32),
    Win(u32),
    Loss(u32),
}

/// Writes a score.
///
/// # Errors
/// The serializer failed.
pub fn serialize<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    let kept = match *score {
        Score::Units(units) => KeptScore::Units(units),
        Score::Win(plies) => KeptScore::Win(plies),
        Score::Loss(plies) => KeptScore::Loss(plies),
    };
    kept.serialize(serializer)
}

/// Reads a score.
///
/// # Errors
/// It is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Score, D::Error> {
    KeptScore::deserialize(deserializer).map(|kept| match kept {
        KeptScore::Units(units) => Score::Units(units),
        KeptScore::Win(plies) => Score::Win(plies),
        KeptScore::Loss(plies) => Score::Loss(plies),
    })
}
