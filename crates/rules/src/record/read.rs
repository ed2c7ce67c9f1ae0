//! Reading records.
//!
//! The reader goes through the text once, from its start to its end, and keeps open variations on a
//! stack of its own. It never judges whether a move is legal.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};
use core::str::FromStr;

use super::{
    NodeId, Notes, ParseRecordError, Record, RecordFault, ResultWord, Tree,
    cursor::{Cursor, TextMark, excerpt, is_key_byte},
    value::{Time, digits},
};
use crate::{Move, Outcome, Reason, Setup};

type Result<T> = core::result::Result<T, ParseRecordError>;

/// Reads records that stand one after the other.
///
/// A record ends with its result, or where the next one's headers begin. After a fault, reading
/// goes on with the next line that starts a header behind an empty line. Comments behind the last
/// record belong to none and are left out.
///
/// ```
/// use tablut_rules::record;
/// let text = "[Rules \"ashton\"] 1. e4-d4 *\n\n[Rules \"?]\n\n[Rules \"classic\"] *";
/// let rules: Vec<_> = record::read_all(text).map(|r| r.ok().map(|r| r.rules)).collect();
/// assert_eq!(rules, [Some("ashton".into()), None, Some("classic".into())]);
/// ```
#[must_use]
pub fn read_all(text: &str) -> Records<'_> {
    let cursor = Cursor::new(text);
    Records {
        began: cursor.mark(),
        cursor,
        unclosed: None,
    }
}

/// The records of a text, read one by one; made by [`read_all`].
#[derive(Clone, Debug)]
pub struct Records<'a> {
    cursor: Cursor<'a>,
    /// Where the last record began.
    began: TextMark,
    /// Where a comment began that is never closed. No later one is, so none is read to the end of
    /// the text again.
    unclosed: Option<usize>,
}

impl Iterator for Records<'_> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        let mut reader = RecordReader::new(self);
        match reader.body() {
            Ok(Body::Nothing) => None,
            Ok(Body::Ended(result)) => Some(reader.finish(result)),
            Err(error) => {
                self.cursor.skip_to_header();
                Some(Err(error))
            }
        }
    }
}

impl FromStr for Record {
    type Err = ParseRecordError;

    /// Reads one record. Comments may follow it, nothing else.
    fn from_str(text: &str) -> Result<Self> {
        let mut records = read_all(text);
        let Some(record) = records.next() else {
            let end = records.cursor.mark();
            return Err(records.cursor.error(end, RecordFault::NoRecord));
        };
        let record = record?;
        match records.next() {
            None => Ok(record),
            Some(_) => Err(records.cursor.error(records.began, RecordFault::Follows)),
        }
    }
}

/// A line of moves being read: the main line or a variation.
#[derive(Clone, Copy, Debug)]
struct OpenLine {
    /// The last move read, or the node the line starts from.
    node: NodeId,
    /// Whether the line has a move.
    moved: bool,
    /// Whether the line decides what continues its last node. It does not if another line had that
    /// node before: in `a (a b) c` the move that continues *a* is *c*.
    leads: bool,
    /// Where the variation was opened.
    opened: TextMark,
}

/// The headers with a meaning, as far as they have been read.
#[derive(Default)]
struct TypedHeaders {
    rules: Option<String>,
    setup: Option<Setup>,
    result: Option<(TextMark, ResultWord)>,
    reason: Option<(TextMark, Reason)>,
}

/// What a record was found to be.
enum Body {
    /// Nothing but comments.
    Nothing,
    /// A record, with the result behind its moves, if there is one.
    Ended(Option<(TextMark, ResultWord)>),
}

/// One record being read.
struct RecordReader<'r, 'a> {
    cursor: &'r mut Cursor<'a>,
    began: &'r mut TextMark,
    unclosed: &'r mut Option<usize>,
    keys: BTreeSet<&'a str>,
    typed: TypedHeaders,
    headers: Vec<(String, String)>,
    tree: Tree,
    line: OpenLine,
    /// The lines that wait for the present variation to end.
    outer: Vec<OpenLine>,
    /// What was noted before the first move of the present variation.
    pending: Notes,
}

impl<'r, 'a> RecordReader<'r, 'a> {
    fn new(records: &'r mut Records<'a>) -> Self {
        let tree = Tree::new();
        let line = OpenLine {
            node: tree.root(),
            moved: false,
            leads: true,
            opened: records.cursor.mark(),
        };
        Self {
            cursor: &mut records.cursor,
            began: &mut records.began,
            unclosed: &mut records.unclosed,
            keys: BTreeSet::new(),
            typed: TypedHeaders::default(),
            headers: Vec::new(),
            tree,
            line,
            outer: Vec::new(),
            pending: Notes::default(),
        }
    }

    /// Reads headers, moves and notes up to the result, to the next record, or to the end.
    fn body(&mut self) -> Result<Body> {
        let mut is_blank = true;
        loop {
            self.cursor.skip_space();
            let mark = self.cursor.mark();
            let Some(letter) = self.cursor.peek() else {
                let ended = Body::Ended(None);
                return Ok(if is_blank { Body::Nothing } else { ended });
            };
            if is_blank {
                *self.began = mark;
            }
            is_blank &= matches!(letter, '{' | ';');
            match letter {
                '{' => self.comment(mark)?,
                ';' => self.line_comment(),
                '[' if self.line.moved || !self.outer.is_empty() => return Ok(Body::Ended(None)),
                '[' => self.header(mark)?,
                '(' => self.open(mark)?,
                ')' => self.close(mark)?,
                ']' | '}' => return Err(self.error(mark, RecordFault::Unopened(letter))),
                '$' => self.nag(mark)?,
                '*' => {
                    self.cursor.next();
                    return self.result(mark, ResultWord::Open);
                }
                _ => {
                    let word = self.cursor.take(is_word);
                    match ResultWord::read(word) {
                        Some(verdict) => return self.result(mark, verdict),
                        None => self.word(mark, word)?,
                    }
                }
            }
        }
    }

    /// Ends the record with a result.
    fn result(&self, mark: TextMark, verdict: ResultWord) -> Result<Body> {
        if self.outer.is_empty() {
            Ok(Body::Ended(Some((mark, verdict))))
        } else {
            Err(self.error(mark, RecordFault::ResultInVariation))
        }
    }

    /// Puts together what was read.
    fn finish(self, result: Option<(TextMark, ResultWord)>) -> Result<Record> {
        if !self.outer.is_empty() {
            return Err(self.error(self.line.opened, RecordFault::UnclosedVariation));
        }
        let outcome = self.outcome(result)?;
        let Some(rules) = self.typed.rules else {
            return Err(self.cursor.error(*self.began, RecordFault::NoRules));
        };
        Ok(Record {
            rules,
            setup: self.typed.setup,
            outcome,
            headers: self.headers,
            tree: self.tree,
        })
    }

    /// The outcome of the headers and of the result behind the moves.
    fn outcome(&self, result: Option<(TextMark, ResultWord)>) -> Result<Option<Outcome>> {
        match (result, self.typed.result) {
            (Some((mark, moves)), Some((_, header))) if moves != header => {
                let (header, moves) = (header.word(), moves.word());
                return Err(self.error(mark, RecordFault::ResultDiffers { header, moves }));
            }
            _ => {}
        }
        let result = self.typed.result.or(result);
        let verdict = result.map_or(ResultWord::Open, |(_, verdict)| verdict);
        match (verdict.winner(), self.typed.reason) {
            (Some(winner), Some((_, reason))) => Ok(Some(Outcome { winner, reason })),
            (None, None) => Ok(None),
            (Some(_), None) => {
                let mark = result.map_or(*self.began, |(mark, _)| mark);
                let fault = RecordFault::ResultWithoutReason(verdict.word());
                Err(self.error(mark, fault))
            }
            (None, Some((mark, _))) => Err(self.error(mark, RecordFault::ReasonWithoutResult)),
        }
    }

    fn error(&self, mark: TextMark, fault: RecordFault) -> ParseRecordError {
        self.cursor.error(mark, fault)
    }

    /// Reads `[Key "value"]`, which stands on one line.
    fn header(&mut self, mark: TextMark) -> Result<()> {
        self.cursor.next();
        self.cursor.skip_blanks();
        let key_mark = self.cursor.mark();
        let key = self
            .cursor
            .take(|letter| u8::try_from(letter).is_ok_and(is_key_byte));
        self.cursor.skip_blanks();
        if key.is_empty() || self.cursor.peek() != Some('"') {
            return Err(self.error(mark, RecordFault::HeaderForm));
        }
        let value_mark = self.cursor.mark();
        let value = self.value(value_mark)?;
        self.cursor.skip_blanks();
        if !self.cursor.eat(']') {
            return Err(self.error(mark, RecordFault::HeaderForm));
        }
        if !self.keys.insert(key) {
            return Err(self.error(key_mark, RecordFault::HeaderRepeated(excerpt(key))));
        }
        let fault = match key {
            "Rules" => {
                self.typed.rules = Some(value);
                return Ok(());
            }
            "Setup" => match value.parse() {
                Ok(setup) => {
                    self.typed.setup = Some(setup);
                    return Ok(());
                }
                Err(error) => RecordFault::Setup(error),
            },
            "Result" => match ResultWord::read(&value) {
                Some(verdict) => {
                    self.typed.result = Some((value_mark, verdict));
                    return Ok(());
                }
                None => RecordFault::Result(excerpt(&value)),
            },
            "Reason" => match value.parse() {
                Ok(reason) => {
                    self.typed.reason = Some((value_mark, reason));
                    return Ok(());
                }
                Err(_) => RecordFault::Reason(excerpt(&value)),
            },
            _ => {
                self.headers.push((key.to_string(), value));
                return Ok(());
            }
        };
        Err(self.error(value_mark, fault))
    }

    /// Reads a value in quotation marks.
    fn value(&mut self, mark: TextMark) -> Result<String> {
        self.cursor.next();
        let mut value = String::new();
        loop {
            let here = self.cursor.mark();
            if matches!(self.cursor.peek(), None | Some('\n' | '\r')) {
                return Err(self.error(mark, RecordFault::UnclosedValue));
            }
            match self.cursor.next() {
                None | Some('"') => return Ok(value),
                Some('\\') => value.push(self.escape(here)?),
                Some(letter) => value.push(letter),
            }
        }
    }

    /// Reads what follows the backslash at a mark.
    fn escape(&mut self, mark: TextMark) -> Result<char> {
        let letter = self.cursor.escape();
        letter.map_err(|fault| self.error(mark, fault))
    }

    /// What the next notes belong to.
    fn note(&mut self, notes: Notes) {
        if self.line.moved || self.outer.is_empty() {
            self.tree.notes_mut(self.line.node).merge(notes);
        } else {
            self.pending.merge(notes);
        }
    }

    /// Reads a comment in braces.
    fn comment(&mut self, mark: TextMark) -> Result<()> {
        let mut notes = Notes::default();
        // White space and commands part words; they are one blank, and none at the ends.
        let mut is_parted = false;
        self.cursor.next();
        loop {
            let here = self.cursor.mark();
            let is_known_unclosed = self.unclosed.is_some_and(|unclosed| mark.at >= unclosed);
            let letter = self.cursor.next().filter(|_| !is_known_unclosed);
            let letter = match letter {
                None => {
                    *self.unclosed = Some(self.unclosed.unwrap_or(mark.at));
                    self.cursor.reset(mark);
                    return Err(self.error(mark, RecordFault::UnclosedComment));
                }
                Some('}') => break,
                Some(letter) if letter.is_ascii_whitespace() => {
                    is_parted = true;
                    continue;
                }
                Some('[') if self.command(here, &mut notes)? => {
                    is_parted = true;
                    continue;
                }
                Some('\\') => self.escape(here)?,
                Some(letter) => letter,
            };
            if is_parted && !notes.comment.is_empty() {
                notes.comment.push(' ');
            }
            is_parted = false;
            notes.comment.push(letter);
        }
        self.note(notes);
        Ok(())
    }

    /// Reads what is left of `[%clk …]`, `[%emt …]` or `[%eval …]`; false if it is something else.
    fn command(&mut self, mark: TextMark, notes: &mut Notes) -> Result<bool> {
        let rest = self.cursor.rest();
        let ends = |rest: &str| rest.starts_with(|c: char| c.is_ascii_whitespace() || c == ']');
        let Some((name, rest)) = super::COMMANDS.into_iter().find_map(|name| {
            let rest = rest.strip_prefix('%')?.strip_prefix(name)?;
            ends(rest).then_some((name, rest))
        }) else {
            return Ok(false);
        };
        // The longest time has 23 characters.
        let end = rest.bytes().take(64).position(|byte| byte == b']');
        let value = end.map_or("", |end| rest[..end].trim_ascii());
        let fault = match name {
            "eval" => {
                notes.score = value.parse().ok();
                (notes.score.is_none()).then(|| RecordFault::Score(excerpt(value)))
            }
            _ => {
                let time = Time::read(value);
                let field = match name {
                    "clk" => &mut notes.clock_ms,
                    _ => &mut notes.spent_ms,
                };
                *field = time.map(|time| time.0);
                (time.is_none()).then(|| RecordFault::Time(excerpt(value)))
            }
        };
        if let Some(fault) = fault {
            return Err(self.error(mark, fault));
        }
        self.cursor.take(|letter| letter != ']');
        self.cursor.next();
        Ok(true)
    }

    /// Reads a comment to the end of the line, as it stands.
    fn line_comment(&mut self) {
        self.cursor.next();
        let text = self.cursor.take(|letter| letter != '\n');
        self.note(Notes {
            comment: text.trim_ascii().to_string(),
            ..Notes::default()
        });
    }

    /// Reads the start of a variation.
    fn open(&mut self, mark: TextMark) -> Result<()> {
        self.cursor.next();
        let parent = self.tree.parent(self.line.node);
        let Some(parent) = parent.filter(|_| self.line.moved) else {
            return Err(self.error(mark, RecordFault::VariationBeforeMove));
        };
        self.outer.push(self.line);
        self.line = OpenLine {
            node: parent,
            moved: false,
            leads: false,
            opened: mark,
        };
        Ok(())
    }

    /// Reads the end of a variation.
    fn close(&mut self, mark: TextMark) -> Result<()> {
        self.cursor.next();
        let Some(outer) = self.outer.pop() else {
            return Err(self.error(mark, RecordFault::Unopened(')')));
        };
        if !self.line.moved {
            return Err(self.error(self.line.opened, RecordFault::EmptyVariation));
        }
        self.line = outer;
        Ok(())
    }

    /// Reads `$n`.
    fn nag(&mut self, mark: TextMark) -> Result<()> {
        self.cursor.next();
        let text = self.cursor.take(is_word);
        let nag = digits(text).and_then(|nag| u8::try_from(nag).ok());
        let Some(nag) = nag else {
            let text = alloc::format!("${}", excerpt(text));
            return Err(self.error(mark, RecordFault::Nag(text)));
        };
        self.note_nag(nag);
        Ok(())
    }

    fn note_nag(&mut self, nag: u8) {
        self.note(Notes {
            nags: alloc::vec![nag],
            ..Notes::default()
        });
    }

    /// Reads a move number, a move, a glyph, or any of them together.
    fn word(&mut self, mark: TextMark, word: &str) -> Result<()> {
        let rest = without_number(word);
        let (text, glyph) = rest.split_at(rest.find(['!', '?']).unwrap_or(rest.len()));
        if !text.is_empty() {
            let step = text.parse().map_err(|error| {
                let text = excerpt(text);
                self.error(mark, RecordFault::Move { text, error })
            })?;
            self.step(step);
        }
        if !glyph.is_empty() {
            let known = GLYPHS.iter().position(|&known| known == glyph);
            let Some(index) = known else {
                return Err(self.error(mark, RecordFault::Nag(excerpt(glyph))));
            };
            self.note_nag(index as u8 + 1);
        }
        Ok(())
    }

    /// Adds a move to the present line.
    fn step(&mut self, step: Move) {
        let before = self.tree.len();
        let node = self.tree.add_move(self.line.node, step);
        if self.line.leads {
            self.tree.promote(node);
        }
        self.line.leads |= self.tree.len() > before;
        self.line.node = node;
        self.line.moved = true;
        if !self.pending.is_empty() {
            let pending = core::mem::take(&mut self.pending);
            self.tree.notes_mut(node).merge(pending);
        }
    }
}

/// The glyphs with signs of their own; the first one has number 1.
const GLYPHS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Whether a character can stand in a word.
fn is_word(letter: char) -> bool {
    !letter.is_ascii_whitespace() && !"[]{}();$*".contains(letter)
}

/// What follows a move number such as `12.` or `12...`, which need not be there.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}
