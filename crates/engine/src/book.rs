//! The opening book: positions that were searched long before they are asked for.
//!
//! A book is a text, one position a line, turned and mirrored positions folded into one:
//!
//! ```text
//! POSITION MOVE SCORE DEPTH NODES OTHER=SCORE OTHER=SCORE …
//! ```
//!
//! POSITION is a one-line board and the side to move, SCORE hundredths for the side to move; the others
//! are what a shorter search thought of other moves.

use std::{
    collections::HashMap,
    fmt,
    str::FromStr,
    sync::{Arc, OnceLock},
};

use tablut_rules::{BuiltIn, Move, Position, Rules, Setup, Symmetry};

/// What a book knows about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The best move.
    pub step: Move,
    /// Its score for the side to move, in hundredths; a decided one is beyond the range of others.
    pub score: i32,
    /// How deep it was searched.
    pub depth: u32,
    /// With how many nodes.
    pub nodes: u64,
    /// Other moves with their scores.
    pub others: Vec<(Move, i32)>,
}

/// The positions of a book.
#[derive(Clone, Debug)]
pub struct Book {
    symmetries: Vec<Symmetry>,
    entries: HashMap<Setup, BookEntry>,
}

/// The file of a set's book.
const fn file(set: BuiltIn) -> Option<&'static str> {
    match set {
        BuiltIn::Ashton => Some(include_str!("../books/ashton.txt")),
        _ => None,
    }
}

impl Book {
    /// The book that ships for rules, if there is one.
    #[must_use]
    pub fn built_in(rules: &Rules) -> Option<Arc<Self>> {
        static READ: [OnceLock<Option<Arc<Book>>>; BuiltIn::ALL.len()] =
            [const { OnceLock::new() }; BuiltIn::ALL.len()];
        let (index, set) = crate::built_in_set(rules)?;
        let book = READ[index].get_or_init(|| {
            let book = Self::read(rules, file(set)?).expect("a book that ships can be read");
            Some(Arc::new(book))
        });
        book.clone()
    }

    /// A book without positions.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            symmetries: rules.set().symmetries(),
            entries: HashMap::new(),
        }
    }

    /// Reads a book.
    ///
    /// # Errors
    /// Says which line is wrong.
    pub fn read(rules: &Rules, text: &str) -> Result<Self, BookError> {
        let mut book = Self::new(rules);
        for (number, line) in text.lines().enumerate() {
            let wrong = |reason: String| BookError {
                line: number + 1,
                reason,
            };
            let (setup, entry) = read_line(line).map_err(wrong)?;
            let position = rules.position(&setup).map_err(|e| wrong(e.to_string()))?;
            if !rules.is_legal(&position, entry.step) {
                return Err(wrong(format!("{} is not a legal move", entry.step)));
            }
            book.insert(&position, entry);
        }
        Ok(book)
    }

    /// How many positions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds a position.
    pub fn insert(&mut self, position: &Position, entry: BookEntry) {
        let (board, symmetry) = self.fold(position);
        self.entries.insert(board, entry.turned(position, symmetry));
    }

    /// What it knows about a position, as the position stands.
    #[must_use]
    pub fn get(&self, position: &Position) -> Option<BookEntry> {
        let (board, symmetry) = self.fold(position);
        let entry = self.entries.get(&board)?;
        Some(entry.clone().turned(position, symmetry.inverse()))
    }

    /// The line of a position.
    #[must_use]
    pub fn line(position: &Position, entry: &BookEntry) -> String {
        let board = Setup::from(position).with_quiet(0);
        let mut line = format!(
            "{board} {} {} {} {}",
            entry.step, entry.score, entry.depth, entry.nodes
        );
        for (step, score) in &entry.others {
            line += &format!(" {step}={score}");
        }
        line
    }

    /// The first of a position's images, and what turns the position into it.
    fn fold(&self, position: &Position) -> (Setup, Symmetry) {
        let board = Setup::from(position).with_quiet(0);
        let images = self
            .symmetries
            .iter()
            .map(|turn| (turn.setup(&board), *turn));
        images
            .min_by_key(|(image, _)| image.to_string())
            .unwrap_or((board, Symmetry::IDENTITY))
    }
}

impl BookEntry {
    /// All moves with their scores, the best first. The others were searched for a shorter time: they are as much worse
    /// than the best as that search thought.
    #[must_use]
    pub fn ranked(&self) -> Vec<(Move, i32)> {
        let top = self.others.iter().map(|&(_, score)| score).max();
        let less = |score| top.unwrap_or(score) - score;
        let others = self.others.iter().filter(|(step, _)| *step != self.step);
        let mut moves = vec![(self.step, self.score)];
        moves.extend(others.map(|&(step, score)| (step, self.score - less(score))));
        moves[1..].sort_by_key(|&(_, score)| -score);
        moves
    }

    /// The same with its moves turned.
    fn turned(mut self, position: &Position, symmetry: Symmetry) -> Self {
        let size = position.size();
        self.step = symmetry.step(size, self.step);
        for (step, _) in &mut self.others {
            *step = symmetry.step(size, *step);
        }
        self
    }
}

fn read_line(line: &str) -> Result<(Setup, BookEntry), String> {
    let mut words = line.split_whitespace();
    let mut next = |what: &str| words.next().ok_or_else(|| format!("{what} is missing"));
    let (board, side) = (next("the board")?, next("the side to move")?);
    let setup: Setup = format!("{board} {side}")
        .parse()
        .map_err(|error| format!("{error}"))?;
    let mut entry = BookEntry {
        step: parse(next("the move")?)?,
        score: parse(next("the score")?)?,
        depth: parse(next("the depth")?)?,
        nodes: parse(next("the number of nodes")?)?,
        others: Vec::new(),
    };
    for word in words {
        let (step, score) = word
            .split_once('=')
            .ok_or_else(|| format!("{word:?} is not MOVE=SCORE"))?;
        entry.others.push((parse(step)?, parse(score)?));
    }
    Ok((setup, entry))
}

fn parse<T: FromStr>(word: &str) -> Result<T, String>
where
    T::Err: fmt::Display,
{
    word.parse().map_err(|error| format!("{word:?}: {error}"))
}

/// A line of a book that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookError {
    line: usize,
    reason: String,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the book: {}", self.line, self.reason)
    }
}

impl std::error::Error for BookError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(step: &str) -> BookEntry {
        BookEntry {
            step: step.parse().unwrap(),
            score: -12,
            depth: 9,
            nodes: 1000,
            others: vec![("e4f4".parse().unwrap(), -30)],
        }
    }

    #[test]
    fn turned_positions_get_turned_moves() {
        let rules = Rules::ashton();
        let mut book = Book::new(&rules);
        let after = |first: &str| {
            let step = first.parse().unwrap();
            rules.apply(&rules.start(), step).unwrap().position
        };
        book.insert(&after("e4f4"), entry("d1c1"));
        assert_eq!(
            book.get(&after("e4f4")),
            Some(entry("d1c1")).map(|e| BookEntry { ..e })
        );
        // The mirror image of e4f4 is e4d4, that of d1c1 is f1g1.
        let mirrored = book.get(&after("e4d4")).unwrap();
        assert_eq!(mirrored.step.to_string(), "f1g1");
        assert_eq!(mirrored.others[0].0.to_string(), "e4d4");
        assert_eq!(book.get(&after("e4g4")), None);
        assert_eq!(book.len(), 1);
    }

    #[test]
    fn a_book_is_read_as_it_was_written_and_faults_name_their_line() {
        let rules = Rules::ashton();
        let start = rules.start();
        let line = Book::line(&start, &entry("e4d4"));
        let book = Book::read(&rules, &line).unwrap();
        assert!(book.get(&start).is_some());
        for (text, part) in [
            ("9/9 w", "line 1"),
            (&line.replace("e4d4", "e4e3"), "not a legal move"),
            (&line.replace("-12", "x"), "\"x\""),
            (&line.replace('=', "-"), "MOVE=SCORE"),
            (line.split(" 9").next().unwrap(), "depth is missing"),
        ] {
            let error = Book::read(&rules, text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn no_move_stands_twice_or_above_the_best() {
        let entry = BookEntry {
            others: ["d5d4 -71", "c5c4 -78", "e3h3 -69"]
                .map(|other| other.split_once(' ').unwrap())
                .map(|(step, score)| (step.parse().unwrap(), score.parse().unwrap()))
                .to_vec(),
            ..entry("c5c4")
        };
        let told = entry.ranked().into_iter();
        let told: Vec<String> = told
            .map(|(step, score)| format!("{step} {score}"))
            .collect();
        assert_eq!(told, ["c5c4 -12", "e3h3 -12", "d5d4 -14"]);
    }

    #[test]
    fn the_book_that_ships_knows_the_start() {
        let book = Book::built_in(&Rules::ashton()).unwrap();
        assert!(book.get(&Rules::ashton().start()).is_some());
    }
}
