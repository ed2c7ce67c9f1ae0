//! Positions to learn from.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, ensure};
use tablut_engine::network::{PLACES, View, pieces, place};
use tablut_rules::{Piece, Rules, Side, Square};

use crate::data::{self, DECIDED, SelfPlay};

/// A board of nine by nine has at most this many pieces that a sample keeps.
const MOST_PIECES: usize = 40;

/// A quiet position with what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The places of its pieces, the king's last.
    places: [u8; MOST_PIECES],
    count: u8,
    /// The side to move.
    pub side: Side,
    /// What the search thought of it for the side to move, in hundredths.
    pub score: i16,
    /// What the game gave the side to move: 0, ½ or 1.
    pub result: f32,
    /// How many plies later the game was over.
    pub plies_left: u16,
}

const _: () = assert!(PLACES <= 256, "places fit bytes");

/// What takes each place elsewhere: a symmetry.
pub type Turned = [u8; PLACES];

impl Sample {
    /// The inputs of the position, or of its image under a symmetry.
    pub fn inputs(&self, symmetry: Option<&Turned>) -> impl Iterator<Item = usize> + Clone {
        let places = &self.places[..usize::from(self.count)];
        let turn = move |&place: &u8| {
            usize::from(symmetry.map_or(place, |turned| turned[usize::from(place)]))
        };
        let king = places.last().map_or(0, turn) % Square::COUNT;
        let view = View::of(Square::from_index(king).expect("it is on the board"));
        places.iter().map(move |place| view.input(turn(place)))
    }
}

/// Samples to learn from, and samples of other games to test with.
pub struct SampleSet {
    /// Most of them.
    pub learn: Vec<Sample>,
    /// Those of every twenty-first game: an odd number, since openings favour the sides in turn.
    pub test: Vec<Sample>,
    /// How many games they are from.
    pub games: usize,
    /// The symmetries of the rules.
    pub symmetries: Vec<Turned>,
    /// The id of the rules.
    pub rules: Arc<Rules>,
}

impl SampleSet {
    /// Reads pieces, all of one rule set.
    ///
    /// # Errors
    /// One cannot be read, or does not belong to the others.
    pub fn read(paths: &[impl AsRef<Path>]) -> Result<Self> {
        let mut set: Option<Self> = None;
        for path in paths {
            let path = path.as_ref();
            let piece = data::Piece::open(path)?;
            let id = piece.header.rules.clone();
            if set.is_none() {
                let built_in: tablut_rules::BuiltIn = id.parse()?;
                set = Some(Self::empty(built_in.rules()));
            }
            let set = set.as_mut().expect("it was just made");
            ensure!(
                set.rules.set().id() == id,
                "{} holds games under {id}, the files before it under {}",
                path.display(),
                set.rules.set().id()
            );
            for game in piece {
                let game = game.with_context(|| format!("cannot read {}", path.display()))?;
                set.add(&game)
                    .with_context(|| format!("in {}", path.display()))?;
            }
        }
        set.context("name at least one file")
    }

    fn empty(rules: Arc<Rules>) -> Self {
        let size = rules.size();
        let symmetries = rules.set().symmetries();
        let symmetries = symmetries.iter().map(|symmetry| {
            let mut turned = [0; PLACES];
            for piece in Piece::ALL {
                for square in Square::all() {
                    turned[place(piece, square)] =
                        place(piece, symmetry.square(size, square)) as u8;
                }
            }
            turned
        });
        Self {
            learn: Vec::new(),
            test: Vec::new(),
            games: 0,
            symmetries: symmetries.collect(),
            rules,
        }
    }

    /// Adds the quiet positions of a game: no capture follows, and nothing is decided.
    fn add(&mut self, game: &SelfPlay) -> Result<()> {
        self.games += 1;
        let samples = if self.games.is_multiple_of(21) {
            &mut self.test
        } else {
            &mut self.learn
        };
        // What an opponent thought is not kept: its position is worth what we thought of the next one.
        let after = |number: usize| game.moves.get(number + 1)?.1.map(|score| -score);
        let mut position = self.rules.start();
        for (number, &(step, score)) in game.moves.iter().enumerate() {
            let applied = self
                .rules
                .apply(&position, step)
                .with_context(|| format!("game {} is not played by the rules", self.games))?;
            let quiet = applied.captured.is_empty() && applied.end.is_none();
            if let Some(score) = score.or_else(|| after(number))
                && quiet
                && number >= usize::from(game.opening)
                && score.abs() < DECIDED
            {
                let mut sample = Sample {
                    places: [0; MOST_PIECES],
                    count: 0,
                    side: position.side(),
                    score,
                    result: match game.winner {
                        None => 0.5,
                        Some(winner) => f32::from(u8::from(winner == position.side())),
                    },
                    plies_left: (game.moves.len() - number) as u16,
                };
                for (slot, (piece, square)) in sample.places.iter_mut().zip(pieces(&position)) {
                    *slot = place(piece, square) as u8;
                    sample.count += 1;
                }
                samples.push(sample);
            }
            position = applied.position;
        }
        Ok(())
    }
}
