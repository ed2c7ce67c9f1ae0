//! The archives that ship.

use std::sync::OnceLock;

use crate::Archive;

/// A collection of games that ships.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shipped {
    /// Games that our engine played against itself, made by `tablut-train archive`.
    SelfPlay,
    /// Games that programs written for the Challenge played against each other.
    Rivals,
}

impl Shipped {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::SelfPlay, Self::Rivals];

    /// What addresses and messages call it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::SelfPlay => "self-play",
            Self::Rivals => "rivals",
        }
    }

    /// The one with an id.
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.id() == id)
    }

    const fn bytes(self) -> &'static [u8] {
        match self {
            Self::SelfPlay => include_bytes!("../games/ashton-self-play.archive"),
            Self::Rivals => include_bytes!("../games/ashton-rivals.archive"),
        }
    }
}

/// A collection that ships. It is read when it is first asked for, which takes a moment, and kept.
#[must_use]
pub fn shipped(which: Shipped) -> &'static Archive {
    static READ: [OnceLock<Archive>; Shipped::ALL.len()] =
        [const { OnceLock::new() }; Shipped::ALL.len()];
    READ[which as usize]
        .get_or_init(|| Archive::read(which.bytes()).expect("an archive that ships can be read"))
}

#[cfg(test)]
mod tests {
    use tablut_rules::{Outcome, Rules};

    use super::*;

    #[test]
    fn what_ships_can_be_read_and_has_games() {
        let start = Rules::ashton().start();
        for which in Shipped::ALL {
            let archive = shipped(which);
            assert_eq!(Shipped::of(which.id()), Some(which));
            let played = archive.moves_in(&start);
            let games: u64 = played.iter().map(|one| one.tally.games()).sum();
            assert_eq!(games, archive.len() as u64, "{}", which.id());
        }
        assert_eq!(shipped(Shipped::Rivals).len(), 85);
        assert!(shipped(Shipped::SelfPlay).len() >= 20_000);
    }

    #[test]
    fn results_of_shipped_games_are_those_of_the_rules() {
        for which in Shipped::ALL {
            let archive = shipped(which);
            for number in (0..archive.len()).step_by(17) {
                let packed = archive.game(number).expect("it is there");
                let mut game = tablut_rules::Game::new(archive.rules().clone());
                for &step in &packed.moves {
                    assert!(game.play(step).is_ok(), "{} {number}", which.id());
                }
                match packed.outcome {
                    Outcome { reason, .. } if reason.is_on_board() => {
                        assert_eq!(
                            game.outcome(),
                            Some(packed.outcome),
                            "{} {number}",
                            which.id()
                        );
                    }
                    _ => assert_eq!(game.outcome(), None),
                }
            }
        }
    }
}
