//! Openings: the first moves of a game, given instead of played.
//!
//! An opening file has one opening on each line: the id of its rule set and its moves. `#` starts a
//! comment; empty lines mean nothing.
//!
//! ```text
//! # balanced within 0.2 at a million nodes
//! ashton e4d4 d1c1 e3c3 f1g1
//! ```

use std::{collections::HashSet, fmt, ops::RangeInclusive, str::FromStr, sync::Arc};

use tablut_engine::{Control, Engine, Score, SearchLimits};
use tablut_rules::{Game, Move, ParseMoveError, PlayError, Random, Rules, Setup, Side, Symmetry};

/// The first moves of a game under a rule set.
///
/// Its text form is one line of an opening file; `Display` and `FromStr` are inverse.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Opening {
    /// The id of the rule set.
    pub rules: String,
    /// The moves from its start position.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The moves of a game.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        Self {
            rules: game.rules().set().id().into(),
            moves: game.plies().iter().map(|ply| ply.step).collect(),
        }
    }

    /// The game with these moves made.
    ///
    /// # Errors
    /// Says which move cannot be made, that the rules are others, or that the game is over.
    pub fn game(&self, rules: &Arc<Rules>) -> Result<Game, OpeningError> {
        let given = rules.set().id();
        if *given != self.rules {
            return Err(OpeningError::OtherRules {
                named: self.rules.clone(),
                given: given.into(),
            });
        }
        let mut game = Game::new(Arc::clone(rules));
        for (n, &step) in self.moves.iter().enumerate() {
            let played = game.play(step);
            played.map_err(|reason| OpeningError::Move {
                ply: n + 1,
                step,
                reason,
            })?;
        }
        match game.outcome() {
            Some(_) => Err(OpeningError::Over),
            None => Ok(game),
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rules)?;
        self.moves.iter().try_for_each(|step| write!(f, " {step}"))
    }
}

impl FromStr for Opening {
    type Err = OpeningError;

    fn from_str(line: &str) -> Result<Self, OpeningError> {
        let mut words = line.split_whitespace();
        let rules = words.next().ok_or(OpeningError::NoRules)?;
        if rules.parse::<Move>().is_ok() {
            return Err(OpeningError::NoRules);
        }
        let moves = words.map(|word| {
            word.parse().map_err(|error| OpeningError::Word {
                word: word.chars().take(40).collect(),
                error,
            })
        });
        Ok(Self {
            rules: rules.to_string(),
            moves: moves.collect::<Result<_, _>>()?,
        })
    }
}

/// What is wrong with an opening.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// The line does not start with a rule set.
    #[error("an opening starts with the id of its rule set, as in: ashton e4d4 d1c1")]
    NoRules,
    /// A word that is not a move.
    #[error("{word:?} is not a move: {error}")]
    Word {
        /// The word.
        word: String,
        /// Why not.
        error: ParseMoveError,
    },
    /// The opening is for another rule set.
    #[error("the opening is for the rule set {named:?}, not {given:?}")]
    OtherRules {
        /// The rule set it names.
        named: String,
        /// The rule set it was to be played under.
        given: String,
    },
    /// A move that cannot be made.
    #[error("move {ply} ({step}) cannot be made: {reason}")]
    Move {
        /// Which move, from 1.
        ply: usize,
        /// The move.
        step: Move,
        /// Why not.
        reason: PlayError,
    },
    /// Nothing is left to play.
    #[error("the game is over after the opening")]
    Over,
}

/// What is wrong with a file of openings, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub error: OpeningError,
}

/// Reads the openings of a file for a rule set, and checks that they can be played; lines for other
/// sets are passed over.
///
/// # Errors
/// Says what is wrong in the first faulty line.
pub fn read(text: &str, rules: &Arc<Rules>) -> Result<Vec<Opening>, ReadError> {
    let mut openings = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |error| ReadError { line: n + 1, error };
        let opening: Opening = line.parse().map_err(wrong)?;
        if opening.rules == rules.set().id() {
            opening.game(rules).map_err(wrong)?;
            openings.push(opening);
        }
    }
    Ok(openings)
}

/// Writes a file of openings.
#[must_use]
pub fn write(openings: &[Opening]) -> String {
    let lines = openings.iter().map(|opening| format!("{opening}\n"));
    lines.collect()
}

/// A set of positions that knows those it has seen, also turned or mirrored.
#[derive(Clone, Debug)]
pub struct Seen {
    symmetries: Vec<Symmetry>,
    boards: HashSet<Setup>,
}

impl Seen {
    /// An empty set for positions under a rule set.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            symmetries: rules.set().symmetries(),
            boards: HashSet::new(),
        }
    }

    /// Adds the present position of a game; false if it, or one like it, was there already.
    ///
    /// Only pieces and the side to move count.
    pub fn insert(&mut self, game: &Game) -> bool {
        let board = Setup::from(game.position()).with_quiet(0);
        let mut turned = self.symmetries.iter().map(|turn| turn.setup(&board));
        if turned.any(|board| self.boards.contains(&board)) {
            return false;
        }
        self.boards.insert(board)
    }
}

/// The openings that lead to different positions, the first of each kind; turned and mirrored
/// positions are not different if the rules do not tell them apart.
///
/// # Errors
/// Gives the first opening that cannot be played, with the reason.
pub fn distinct(
    openings: Vec<Opening>,
    rules: &Arc<Rules>,
) -> Result<Vec<Opening>, (Opening, OpeningError)> {
    let mut seen = Seen::new(rules);
    let mut kept = Vec::new();
    for opening in openings {
        match opening.game(rules) {
            Ok(game) if seen.insert(&game) => kept.push(opening),
            Ok(_) => {}
            Err(error) => return Err((opening, error)),
        }
    }
    Ok(kept)
}

/// Random openings of `plies` plies, all distinct, in which nobody can win at once.
///
/// There may be fewer than asked for if there are not that many, or they are hard to find.
#[must_use]
pub fn random(rules: &Arc<Rules>, plies: usize, count: usize, seed: u64) -> Vec<Opening> {
    let mut random = Random::new(seed);
    let mut seen = Seen::new(rules);
    let mut openings = Vec::new();
    // Most tries succeed; after this many failures in a row, there are hardly any left.
    let mut failures = 0;
    while openings.len() < count && failures < 1000 {
        failures += 1;
        let start = Game::new(Arc::clone(rules));
        if let Some(game) = play_on(start, plies, &mut random)
            && seen.insert(&game)
        {
            failures = 0;
            openings.push(Opening::of(&game));
        }
    }
    openings
}

/// At least `count` openings, so that players who always choose the same moves never play the same
/// game twice: after those given come the same ones with a random ply more, then with two, and so on.
///
/// There may be fewer if that many are hard to find.
#[must_use]
pub fn enough(
    mut openings: Vec<Opening>,
    rules: &Arc<Rules>,
    count: usize,
    seed: u64,
) -> Vec<Opening> {
    let mut random = Random::new(seed);
    let mut seen = Seen::new(rules);
    let given: Vec<Game> = openings.iter().filter_map(|o| o.game(rules).ok()).collect();
    for game in &given {
        seen.insert(game);
    }
    for plies in 1.. {
        let before = openings.len();
        for game in &given {
            if openings.len() >= count {
                return openings;
            }
            if let Some(game) = play_on(game.clone(), plies, &mut random)
                && seen.insert(&game)
            {
                openings.push(Opening::of(&game));
            }
        }
        if openings.len() == before {
            break;
        }
    }
    openings
}

/// How a game that favours one side is made even.
///
/// Under some rule sets hardly any random opening is even. So whoever has too much plays at random
/// and the other side plays well, until a search finds the balance that is wanted.
#[derive(Clone, Debug)]
pub struct Balancing {
    /// What the game should be worth to black in the end, in hundredths of an attacking man.
    pub wanted: RangeInclusive<i32>,
    /// Positions to search before each ply.
    pub nodes: u64,
    /// The most plies to add.
    pub plies: usize,
}

impl Balancing {
    /// Plays a game on until it is balanced; nothing if it is decided or takes too many plies.
    #[must_use]
    pub fn play_on(
        &self,
        mut game: Game,
        engine: &mut Engine,
        random: &mut Random,
    ) -> Option<Game> {
        for plies_left in (0..=self.plies).rev() {
            if game.outcome().is_some() {
                return None;
            }
            let limits = SearchLimits::nodes(self.nodes);
            let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
            let Score::Units(units) = report.lines.first()?.score else {
                return None;
            };
            let side = game.position().side();
            let for_black = if side == Side::Attackers {
                units
            } else {
                -units
            };
            if self.wanted.contains(&for_black) {
                return Some(game);
            }
            if plies_left == 0 {
                break;
            }
            let has_too_much = if for_black > *self.wanted.end() {
                Side::Attackers
            } else {
                Side::Defenders
            };
            let step = if side == has_too_much {
                random.pick(&game.rules().moves(game.position()))
            } else {
                report.best?
            };
            game.play(step).ok()?;
        }
        None
    }
}

/// A game with random plies more, if it is open then and nobody can win at once.
fn play_on(mut game: Game, plies: usize, random: &mut Random) -> Option<Game> {
    for _ in 0..plies {
        let moves = game.rules().moves(game.position());
        if game.outcome().is_some() || moves.is_empty() {
            return None;
        }
        game.play(moves[random.below(moves.len())]).ok()?;
    }
    (game.outcome().is_none() && !wins_at_once(&game)).then_some(game)
}

/// Whether the side to move has a move that wins.
fn wins_at_once(game: &Game) -> bool {
    let (rules, position) = (game.rules(), game.position());
    let mut moves = rules.moves(position).to_vec();
    moves.retain(|&step| {
        let end = rules.apply_unchecked(position, step).end;
        end.is_some_and(|end| end.winner() == position.side())
    });
    !moves.is_empty()
}

#[cfg(test)]
mod tests {
    use tablut_rules::BuiltIn;

    use super::*;

    fn ashton() -> Arc<Rules> {
        Rules::ashton()
    }

    #[test]
    fn a_file_is_read_as_it_is_written() {
        let rules = ashton();
        let openings = random(&rules, 5, 20, 7);
        assert_eq!(openings.len(), 20);
        let text = write(&openings);
        assert_eq!(read(&text, &rules), Ok(openings));
    }

    #[test]
    fn comments_blank_lines_and_other_rule_sets_are_passed_over() {
        let text = "# title\n\nashton e4d4 d1c1 # good\nberkeley e4d4\n  ashton\n";
        let openings = read(text, &ashton()).unwrap();
        let lines: Vec<String> = openings.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["ashton e4d4 d1c1", "ashton"]);
    }

    #[test]
    fn faults_are_found_with_their_line() {
        for (text, line, part) in [
            ("e4d4", 1, "id of its rule set"),
            ("\nashton e4d4 x", 2, "\"x\" is not a move"),
            ("ashton e4e5", 1, "move 1 (e4e5) cannot be made"),
        ] {
            let error = read(text, &ashton()).unwrap_err();
            assert_eq!(error.line, line);
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn turned_and_mirrored_openings_are_doubles() {
        let rules = ashton();
        let size = rules.size();
        let first: Opening = "ashton e4d4 d1c1 e3c3".parse().unwrap();
        let doubles = rules.set().symmetries().into_iter().map(|turn| Opening {
            rules: first.rules.clone(),
            moves: first
                .moves
                .iter()
                .map(|&step| turn.step(size, step))
                .collect(),
        });
        let mut all: Vec<Opening> = doubles.collect();
        assert_eq!(all.len(), 8);
        all.push("ashton e3c3 d1c1 e4d4".parse().unwrap());
        all.push("ashton e4d4 d1c1 e3b3".parse().unwrap());
        let kept = distinct(all, &rules).unwrap();
        let last: Vec<String> = kept.iter().map(ToString::to_string).collect();
        // Another order of moves leads to the same position.
        assert_eq!(last, ["ashton e4d4 d1c1 e3c3", "ashton e4d4 d1c1 e3b3"]);
    }

    #[test]
    fn random_openings_depend_on_the_seed_alone_and_are_open() {
        for id in [BuiltIn::Ashton, BuiltIn::Berkeley, BuiltIn::RefereeBrandub] {
            let rules = id.rules();
            let openings = random(&rules, 4, 30, 3);
            assert_eq!(openings.len(), 30, "{id}");
            assert_eq!(openings, random(&rules, 4, 30, 3));
            assert_ne!(openings, random(&rules, 4, 30, 4));
            for opening in &openings {
                let game = opening.game(&rules).unwrap();
                assert!(!wins_at_once(&game), "{opening}");
            }
        }
    }

    #[test]
    fn enough_openings_are_those_given_and_then_the_same_with_random_plies() {
        let rules = ashton();
        let given = random(&rules, 4, 5, 1);
        assert_eq!(enough(given.clone(), &rules, 3, 1), given);
        let openings = enough(given.clone(), &rules, 12, 1);
        assert_eq!(openings.len(), 12);
        assert_eq!(openings[..5], given);
        assert_eq!(distinct(openings.clone(), &rules).unwrap(), openings);
        for opening in &openings[5..] {
            let begin = given.iter().find(|g| opening.moves.starts_with(&g.moves));
            assert!(begin.is_some(), "{opening}");
        }
        assert_eq!(openings, enough(given.clone(), &rules, 12, 1));
        assert_ne!(openings, enough(given, &rules, 12, 2));
        assert_eq!(enough(Vec::new(), &rules, 3, 1), Vec::new());
    }

    #[test]
    fn a_game_that_favours_a_side_is_played_on_until_it_does_not() {
        let rules = BuiltIn::Linnaeus.rules();
        let mut engine = Engine::new(tablut_engine::EngineOptions {
            hash_mb: 1,
            threads: 1,
        });
        // Whatever the start is worth, less than that is not it.
        let limits = SearchLimits::nodes(500);
        let start = Game::new(Arc::clone(&rules));
        let report = engine.search(&start, &limits, &Control::new(), &mut |_| {});
        let Score::Units(units) = report.lines[0].score else {
            panic!("the start is decided");
        };
        for wanted in [units - 400..=units - 100, units + 100..=units + 400] {
            let balancing = Balancing {
                wanted: wanted.clone(),
                nodes: 500,
                plies: 30,
            };
            let mut found = 0;
            for seed in 0..8 {
                let play_on = |engine: &mut Engine| {
                    engine.clear();
                    balancing.play_on(start.clone(), engine, &mut Random::new(seed))
                };
                let Some(game) = play_on(&mut engine) else {
                    continue;
                };
                found += 1;
                assert!((1..=30).contains(&game.plies().len()));
                assert_eq!(game.plies(), play_on(&mut engine).unwrap().plies());
                let none = Balancing {
                    plies: 0,
                    ..balancing.clone()
                };
                engine.clear();
                assert!(
                    none.play_on(start.clone(), &mut engine, &mut Random::new(seed))
                        .is_none()
                );
            }
            assert!(found > 0, "{wanted:?}");
        }
    }

    #[test]
    fn asking_for_more_openings_than_there_are_ends() {
        let rules = ashton();
        let first = |&step: &Move| Opening {
            rules: "ashton".into(),
            moves: vec![step],
        };
        let all = rules.moves(&rules.start()).iter().map(first).collect();
        let kept = distinct(all, &rules).unwrap();
        assert!(kept.len() < 56 / 4, "{}", kept.len());
        assert_eq!(random(&rules, 1, 1000, 1).len(), kept.len());
        assert_eq!(random(&rules, 0, 5, 1).len(), 1);
    }
}
