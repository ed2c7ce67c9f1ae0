//! Writing records.
//!
//! The writer keeps what is left to write on a stack of its own, so that no depth of variations
//! is too much for it.

use alloc::{string::String, vec, vec::Vec};
use core::fmt::{self, Write};

use super::{COMMANDS, NodeId, Notes, Record, ResultWord, Tree, value::Time};

/// The length at which lines are broken.
const WIDTH: usize = 100;

impl fmt::Display for Record {
    /// Writes the text form, which ends with a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in self.headers() {
            header(f, key, value)?;
        }
        header(f, "Rules", &self.rules)?;
        if let Some(setup) = &self.setup {
            header(f, "Setup", setup)?;
        }
        let result = ResultWord::of(self.outcome).word();
        header(f, "Result", result)?;
        if let Some(outcome) = self.outcome {
            header(f, "Reason", outcome.reason)?;
        }
        f.write_char('\n')?;
        let mut writer = RecordWriter::new(f);
        writer.tree(&self.tree)?;
        writer.word(result)?;
        f.write_char('\n')
    }
}

/// Writes `[Key "value"]` and a line break.
fn header(f: &mut fmt::Formatter<'_>, key: &str, value: impl fmt::Display) -> fmt::Result {
    write!(f, "[{key} \"")?;
    write!(Quoted(f), "{value}")?;
    f.write_str("\"]\n")
}

/// Writes text as it stands between quotation marks.
struct Quoted<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Quoted<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            match letter {
                '"' => self.0.write_str("\\\"")?,
                _ => escaped(self.0, letter)?,
            }
        }
        Ok(())
    }
}

/// Writes a character that has no meaning of its own where it stands.
fn escaped(f: &mut impl Write, letter: char) -> fmt::Result {
    match letter {
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        _ if letter.is_control() => write!(f, "\\u{{{:x}}}", u32::from(letter)),
        _ => f.write_char(letter),
    }
}

/// The text of a comment as it stands between braces: what the reader would take for something
/// else, or drop, has a backslash. Lines can be broken at every blank.
fn comment_text(comment: &str) -> Result<String, fmt::Error> {
    let mut text = String::with_capacity(comment.len());
    let mut is_after_blank = true;
    for (at, letter) in comment.char_indices() {
        let rest = &comment[at..];
        let is_blank = letter == ' ' && !is_after_blank && rest.len() > 1;
        match letter {
            ' ' if is_blank => text.push(' '),
            ' ' => text.push_str("\\s"),
            '{' => text.push_str("\\{"),
            '}' => text.push_str("\\}"),
            '[' if is_command(rest) => text.push_str("\\["),
            _ => escaped(&mut text, letter)?,
        }
        is_after_blank = is_blank;
    }
    Ok(text)
}

/// Whether a text starts like a command.
fn is_command(text: &str) -> bool {
    let name = text.strip_prefix("[%");
    name.is_some_and(|name| COMMANDS.iter().any(|known| name.starts_with(known)))
}

/// What is left to write.
enum WriteTask {
    /// The line that goes on from a node.
    Line(NodeId),
    /// A move as a variation, its line, and then its further siblings.
    Variation(NodeId),
    /// The end of a variation.
    Close,
}

/// Writes words with blanks and line breaks between them.
struct RecordWriter<'a, W> {
    out: &'a mut W,
    /// How many characters the line has.
    column: usize,
    /// Opening brackets that stand before the next word without a blank.
    open: String,
    /// Whether a move needs its number, whoever made it.
    is_number_due: bool,
}

impl<'a, W: Write> RecordWriter<'a, W> {
    fn new(out: &'a mut W) -> Self {
        Self {
            out,
            column: 0,
            open: String::new(),
            is_number_due: true,
        }
    }

    /// Writes all moves and notes.
    fn tree(&mut self, tree: &Tree) -> fmt::Result {
        self.notes(tree.notes(tree.root()))?;
        let mut tasks: Vec<WriteTask> = vec![WriteTask::Line(tree.root())];
        while let Some(task) = tasks.pop() {
            match task {
                WriteTask::Line(node) => {
                    let Some(child) = tree.first_child(node) else {
                        continue;
                    };
                    self.step(tree, child)?;
                    tasks.push(WriteTask::Line(child));
                    tasks.extend(tree.next_sibling(child).map(WriteTask::Variation));
                }
                WriteTask::Variation(node) => {
                    self.open.push('(');
                    self.is_number_due = true;
                    self.step(tree, node)?;
                    tasks.extend(tree.next_sibling(node).map(WriteTask::Variation));
                    tasks.push(WriteTask::Close);
                    tasks.push(WriteTask::Line(node));
                }
                WriteTask::Close => {
                    self.close(')')?;
                    self.is_number_due = true;
                }
            }
        }
        Ok(())
    }

    /// Writes a move with its number, if it needs one, and what is noted at it.
    fn step(&mut self, tree: &Tree, node: NodeId) -> fmt::Result {
        let Some(step) = tree.step(node) else {
            return Ok(());
        };
        let ply = tree.ply(node);
        let mut word = String::new();
        if ply % 2 == 1 {
            write!(word, "{}. ", ply.div_ceil(2))?;
        } else if self.is_number_due {
            write!(word, "{}... ", ply / 2)?;
        }
        self.is_number_due = false;
        write!(word, "{}", super::Hyphenated(step))?;
        self.word(&word)?;
        self.notes(tree.notes(node))
    }

    fn notes(&mut self, notes: &Notes) -> fmt::Result {
        for nag in &notes.nags {
            self.word(&alloc::format!("${nag}"))?;
        }
        if !notes.has_comment() {
            return Ok(());
        }
        self.open.push('{');
        if let Some(time) = notes.clock_ms {
            self.word(&alloc::format!("[%clk {}]", Time(time)))?;
        }
        if let Some(time) = notes.spent_ms {
            self.word(&alloc::format!("[%emt {}]", Time(time)))?;
        }
        if let Some(score) = notes.score {
            self.word(&alloc::format!("[%eval {score}]"))?;
        }
        if !notes.comment.is_empty() {
            for word in comment_text(&notes.comment)?.split(' ') {
                self.word(word)?;
            }
        }
        self.is_number_due = true;
        self.close('}')
    }

    /// Writes a word on this line or the next.
    fn word(&mut self, word: &str) -> fmt::Result {
        let length = self.open.len() + word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= WIDTH;
            self.out.write_char(if fits { ' ' } else { '\n' })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.out.write_str(&self.open)?;
        self.out.write_str(word)?;
        self.open.clear();
        self.column += length;
        Ok(())
    }

    /// Writes a closing bracket behind the last word.
    fn close(&mut self, bracket: char) -> fmt::Result {
        if self.column >= WIDTH {
            self.out.write_char('\n')?;
            self.column = 0;
        }
        self.out.write_char(bracket)?;
        self.column += 1;
        Ok(())
    }
}
