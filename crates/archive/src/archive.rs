//! A collection of games that answers which moves were played in a position.

use std::{collections::HashMap, sync::Arc};

use tablut_rules::{BySide, Move, Outcome, Position, Rules};

use crate::{ArchiveError, Packed, Place, Tally, Tracker, Trodden, unpack};

/// How many bits of an entry of the index are the number of a ply; the others are the beginning of its place.
const PLY_BITS: u32 = 24;

/// Games that are all at hand: about fourteen bytes a move in memory.
pub struct Archive {
    rules: Arc<Rules>,
    tracker: Tracker,
    names: Vec<String>,
    games: Vec<Head>,
    /// The moves of all games, one after the other.
    moves: Vec<Move>,
    /// The same moves, each folded together with its position.
    folded: Vec<Move>,
    /// The beginnings of the places before each move with the number of the move, sorted. So short a place can be
    /// another one by chance, once in a million; its move is then hardly ever legal, and what is not is not shown.
    index: Vec<u64>,
}

/// A game, without its moves.
struct Head {
    players: BySide<u16>,
    outcome: Outcome,
    /// Where its moves end; they begin where those of the game before end.
    end: u32,
}

impl Archive {
    /// Reads packed games.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<Self, ArchiveError> {
        let (rules, packed) = unpack(bytes)?;
        if packed.iter().map(|game| game.moves.len()).sum::<usize>() >= 1 << PLY_BITS {
            return Err(ArchiveError::Large);
        }
        let mut archive = Self::empty(rules);
        let mut known: HashMap<String, u16> = HashMap::new();
        for game in packed {
            let players = game.players.map(|name| {
                let names = &mut archive.names;
                *known.entry(name).or_insert_with_key(|name| {
                    names.push(name.clone());
                    (names.len() - 1) as u16
                })
            });
            let mut position = archive.rules.start();
            for step in game.moves {
                let print = archive.tracker.footprint(&position, step);
                archive.index.push(entry(print.place, archive.moves.len()));
                archive.moves.push(step);
                archive.folded.push(print.step);
                position = archive.rules.apply_unchecked(&position, step).position;
            }
            archive.games.push(Head {
                players,
                outcome: game.outcome,
                end: archive.moves.len() as u32,
            });
        }
        archive.index.sort_unstable();
        Ok(archive)
    }

    /// An archive without games.
    #[must_use]
    pub fn empty(rules: Arc<Rules>) -> Self {
        Self {
            tracker: Tracker::new(&rules),
            rules,
            names: Vec::new(),
            games: Vec::new(),
            moves: Vec::new(),
            folded: Vec::new(),
            index: Vec::new(),
        }
    }

    /// The rules of all its games.
    #[must_use]
    pub const fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// How many games it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The game with a number, from 0.
    #[must_use]
    pub fn game(&self, number: usize) -> Option<Packed> {
        let head = self.games.get(number)?;
        Some(Packed {
            players: head
                .players
                .map(|name| self.names[usize::from(name)].clone()),
            moves: self.moves[self.plies(number)].to_vec(),
            outcome: head.outcome,
        })
    }

    /// Where the moves of a game are.
    fn plies(&self, number: usize) -> std::ops::Range<usize> {
        let begin = match number {
            0 => 0,
            n => self.games[n - 1].end,
        };
        begin as usize..self.games[number].end as usize
    }

    /// The plies at which games were in a position, by number.
    fn visits(&self, position: &Position) -> impl Iterator<Item = usize> + '_ {
        let place = self.tracker.place(position);
        let first = self.index.partition_point(|&one| one < entry(place, 0));
        let same = move |one: &&u64| **one >> PLY_BITS == place.0 >> PLY_BITS;
        let found = self.index[first..].iter().take_while(same);
        found.map(|&one| (one & ((1 << PLY_BITS) - 1)) as usize)
    }

    /// The number of the game that a ply belongs to.
    fn game_of(&self, ply: usize) -> usize {
        self.games.partition_point(|game| game.end as usize <= ply)
    }

    /// The moves that were played in a position, as they stand there, the most played first. A game that
    /// came there several times counts once, with what it played first.
    #[must_use]
    pub fn moves_in(&self, position: &Position) -> Vec<Trodden> {
        let mut list: Vec<Trodden> = Vec::new();
        let mut last = None;
        for ply in self.visits(position) {
            let game = self.game_of(ply);
            // The plies of a game follow one another.
            if last.replace(game) != Some(game) {
                let tally = Tally::of(self.games[game].outcome.winner, None);
                Trodden::count(&mut list, self.folded[ply], &tally);
            }
        }
        list.retain_mut(|one| {
            one.step = self.tracker.unfold(position, one.step);
            self.rules.is_legal(position, one.step)
        });
        Trodden::sort(&mut list);
        list
    }

    /// The numbers of games that came to a position, and if one is named made this move or an image of it there.
    #[must_use]
    pub fn games_at(&self, position: &Position, step: Option<Move>, most: usize) -> Vec<usize> {
        let step = step.map(|step| self.tracker.footprint(position, step).step);
        let wanted = self
            .visits(position)
            .filter(|&ply| step.is_none_or(|step| step == self.folded[ply]));
        let mut games: Vec<usize> = Vec::new();
        for game in wanted.map(|ply| self.game_of(ply)) {
            if games.last() != Some(&game) {
                games.push(game);
            }
            if games.len() == most {
                break;
            }
        }
        games
    }
}

/// An entry of the index.
const fn entry(place: Place, ply: usize) -> u64 {
    place.0 >> PLY_BITS << PLY_BITS | ply as u64
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_rules::{Random, Reason, Setup, Side};

    use super::*;
    use crate::pack;

    /// Games of random moves.
    fn games(rules: &Rules, count: usize) -> Vec<Packed> {
        let mut random = Random::new(3);
        let game = |n: usize| {
            let (mut position, mut moves) = (rules.start(), Vec::new());
            while moves.len() < 12 {
                let legal = rules.moves(&position);
                // Few first moves, so that games meet.
                let step = legal[random.below(if moves.len() < 3 { 6 } else { legal.len() })];
                let applied = rules.apply_unchecked(&position, step);
                moves.push(step);
                position = applied.position;
                if applied.end.is_some() {
                    break;
                }
            }
            let winner = [None, Some(Side::Attackers), Some(Side::Defenders)][n % 3];
            Packed {
                players: BySide {
                    attackers: format!("a{}", n % 5),
                    defenders: "d".into(),
                },
                moves,
                outcome: Outcome {
                    winner,
                    reason: Reason::Decision,
                },
            }
        };
        (0..count).map(game).collect()
    }

    /// The slow twin: plays all games and compares positions image by image.
    fn slow(rules: &Rules, games: &[Packed], wanted: &Position) -> Vec<usize> {
        let images: Vec<Setup> = rules
            .set()
            .symmetries()
            .iter()
            .map(|turn| turn.setup(&Setup::from(wanted).with_quiet(0)))
            .collect();
        let mut found = Vec::new();
        for (n, game) in games.iter().enumerate() {
            let mut position = rules.start();
            for &step in &game.moves {
                let is_here = images.contains(&Setup::from(&position).with_quiet(0));
                if is_here && found.last() != Some(&n) {
                    found.push(n);
                }
                position = rules.apply_unchecked(&position, step).position;
            }
        }
        found
    }

    #[test]
    fn every_game_is_found_at_its_places_and_their_images() {
        let rules = Rules::ashton();
        let games = games(&rules, 300);
        let archive = Archive::read(&pack(&rules, &games).unwrap()).unwrap();
        assert_eq!(archive.len(), 300);
        assert_eq!(archive.game(7).unwrap(), games[7]);
        assert!(archive.game(300).is_none());
        for game in games.iter().step_by(29) {
            let mut position = rules.start();
            for &step in &game.moves {
                let found = slow(&rules, &games, &position);
                let here = archive.moves_in(&position);
                assert_eq!(
                    here.iter().map(|one| one.tally.games()).sum::<u64>(),
                    found.len() as u64
                );
                assert_eq!(archive.games_at(&position, None, 1000), found);
                assert!(
                    archive
                        .games_at(&position, Some(step), 1000)
                        .iter()
                        .all(|n| found.contains(n))
                );
                for symmetry in rules.set().symmetries() {
                    let image = symmetry.setup(&Setup::from(&position));
                    let image = rules.position(&image).unwrap();
                    let there = archive.moves_in(&image);
                    let tallies = |list: &[Trodden]| {
                        list.iter().map(|one| one.tally.games()).collect::<Vec<_>>()
                    };
                    assert_eq!(tallies(&here), tallies(&there));
                }
                position = rules.apply_unchecked(&position, step).position;
            }
        }
    }
}
