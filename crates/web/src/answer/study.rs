//! Studies: opened, changed, listed, and as text.

use std::sync::Arc;

use tablut_host::{
    Annotation, Body, Drawing, HostError, NodeKey, OpenedStudy, StudyCommand, exchange,
    speech::{self, Phrase},
};
use tablut_rules::{Square, text::is_harmful};
use tokio::task::spawn_blocking;

use super::{Answered, LIST, ShownStudy, Visit, position_info};
use crate::{
    message::{AnnotationInfo, Answer, DrawingInfo, Problem, StudyEdit, StudyEntry},
    state,
};

/// How long a text may be that holds a game, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;

/// The longest name of a study, in letters.
const LONGEST_NAME: usize = 80;

impl Visit {
    fn shown(&mut self, opened: Result<OpenedStudy, HostError>) -> Answered {
        let opened = self.hosted(opened)?;
        self.study = Some(ShownStudy::show(self.study.take(), &self.host, &opened));
        Ok(Answer::Study(state::study_state(&opened)))
    }

    pub(super) async fn open_study(&mut self, id: Option<&str>, rules: &str) -> Answered {
        let rules = Arc::clone(self.rules(rules)?);
        let opened = self.host.open_study(&self.visitor, id, &rules).await;
        self.shown(opened)
    }

    pub(super) async fn edit_study(
        &mut self,
        id: Option<&str>,
        rules: &str,
        cursor: u32,
        edit: StudyEdit,
    ) -> Answered {
        let command = self.command(edit)?;
        let rules = Arc::clone(self.rules(rules)?);
        self.settle().await?;
        let cursor = Some(NodeKey(cursor));
        let edited = self
            .host
            .edit_study(&self.visitor, id, &rules, cursor, &command)
            .await;
        self.shown(edited)
    }

    fn command(&self, edit: StudyEdit) -> Result<StudyCommand, Problem> {
        Ok(match edit {
            StudyEdit::Play { node, moves } => StudyCommand::Play {
                node: NodeKey(node),
                moves: self.steps(&moves)?,
            },
            StudyEdit::SetUp { place } => StudyCommand::SetUp {
                rules: Arc::clone(self.rules(&place.rules)?),
                setup: self.setup(&place.setup)?,
            },
            StudyEdit::Comment { node, text } => StudyCommand::Comment {
                node: NodeKey(node),
                text: clean(&text),
            },
            StudyEdit::Mark { node, nags } => StudyCommand::Mark {
                node: NodeKey(node),
                nags,
            },
            StudyEdit::Draw { node, drawings } => {
                let drawings = drawings.iter().map(|drawing| self.drawing(drawing));
                StudyCommand::Draw {
                    node: NodeKey(node),
                    drawings: drawings.collect::<Result<_, _>>()?,
                }
            }
            StudyEdit::Promote { node } => StudyCommand::Promote {
                node: NodeKey(node),
            },
            StudyEdit::Delete { node } => StudyCommand::Delete {
                node: NodeKey(node),
            },
            StudyEdit::ByRules { on } => StudyCommand::ByRules(on),
            StudyEdit::Annotate { notes } => {
                let notes = notes.into_iter().map(|note| self.annotation(note));
                StudyCommand::Annotate(notes.collect::<Result<_, _>>()?)
            }
            StudyEdit::Undo => StudyCommand::Undo,
            StudyEdit::Redo => StudyCommand::Redo,
        })
    }

    fn drawing(&self, drawing: &DrawingInfo) -> Result<Drawing, Problem> {
        let square = |text: &str| {
            let square: Result<Square, _> = text.parse();
            square.map_err(|_| speech::say(self.lang, Phrase::NoMove))
        };
        Ok(Drawing {
            from: square(&drawing.from)?,
            to: drawing.to.as_deref().map(square).transpose()?,
        })
    }

    fn annotation(&self, note: AnnotationInfo) -> Result<Annotation, Problem> {
        let lines = note.lines.iter().map(|line| self.steps(line));
        let score = note.score.map(|score| score.parse());
        let score = score.transpose();
        Ok(Annotation {
            node: NodeKey(note.node),
            comment: note.comment.as_deref().map(clean),
            nags: note.nags,
            score: score.map_err(|_| speech::say(self.lang, Phrase::BadMessage))?,
            lines: lines.collect::<Result<_, _>>()?,
        })
    }

    pub(super) async fn step_study(&self, id: &str, node: u32) -> Answered {
        let stepped = self.host.step_study(&self.visitor, id, NodeKey(node));
        self.hosted(stepped.await)?;
        Ok(Answer::Done)
    }

    pub(super) async fn copy_study(&mut self, id: &str) -> Answered {
        self.settle().await?;
        let copied = self.host.copy_study(&self.visitor, id).await;
        self.shown(copied)
    }

    pub(super) async fn study_game(&mut self, game: &str, ply: usize) -> Answered {
        self.settle().await?;
        let opened = self.host.study_game(&self.visitor, game, ply).await;
        self.shown(opened)
    }

    pub(super) async fn studies(&self) -> Answered {
        let store = self.host.store();
        let studies = self.kept(store.studies_of(&self.visitor.id, LIST).await)?;
        let entries = studies.into_iter().map(|title| StudyEntry {
            study: title.id,
            name: title.name.unwrap_or_default(),
            place: position_info(&title.root.rules, &title.root.setup),
            moves: title.moves,
            changed_ms: title.changed_ms,
        });
        Ok(Answer::Studies(entries.collect()))
    }

    pub(super) async fn name_study(
        &mut self,
        id: Option<&str>,
        rules: &str,
        name: &str,
    ) -> Answered {
        let name = name.trim();
        let letters = name.chars().count();
        if !(1..=LONGEST_NAME).contains(&letters) || name.chars().any(is_harmful) {
            return self.problem(Phrase::BadStudyName);
        }
        let rules = Arc::clone(self.rules(rules)?);
        self.settle().await?;
        let named = self.host.name_study(&self.visitor, id, &rules, name);
        let named = named.await;
        self.shown(named)
    }

    pub(super) async fn delete_study(&self, id: &str) -> Answered {
        let store = self.host.store();
        self.kept(store.delete_study(&self.visitor.id, id).await)?;
        Ok(Answer::Done)
    }

    /// Reads a text onto the visitor's board.
    pub(super) async fn read(&mut self, text: String, rules: &str) -> Answered {
        let (host, rules) = (self.host.clone(), Arc::clone(self.rules(rules)?));
        if text.len() > LONGEST_TEXT {
            return self.problem(Phrase::TooLong);
        }
        // A long game takes a while; other visitors do not wait for it.
        let read = move || {
            let content = exchange::read(&host, &rules, &text)?;
            let body = content.body()?;
            Ok((content.rules, body))
        };
        let Ok(read) = spawn_blocking(read).await else {
            return self.problem(Phrase::NoPosition);
        };
        let read: Result<(_, Body), exchange::ExchangeError> = read;
        let (rules, body) = read.map_err(|error| speech::exchange(self.lang, &error))?;
        self.settle().await?;
        let cursor = body.after(usize::MAX);
        let body = Box::new(body);
        let command = StudyCommand::Open { body, cursor };
        let opened = self
            .host
            .edit_study(&self.visitor, None, &rules, None, &command)
            .await;
        self.shown(opened)
    }

    pub(super) async fn write(&self, id: Option<&str>, rules: &str, node: u32) -> Answered {
        let rules = self.rules(rules)?;
        let opened = self.hosted(self.host.open_study(&self.visitor, id, rules).await)?;
        let texts = exchange::write_study(&opened.rules, &opened.study, NodeKey(node));
        let texts = texts.map_err(|error| speech::study(self.lang, &error))?;
        Ok(Answer::Texts(texts))
    }
}

/// A comment without what could harm a reader: lines and tabs stay.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let letters = text.trim().chars();
    letters
        .filter(|&letter| matches!(letter, '\n' | '\t') || !is_harmful(letter))
        .collect()
}
