//! Questions about rules and positions, texts, and hints.

use std::sync::Arc;

use tablut_host::{
    Study, exchange,
    speech::{self, Phrase},
    study,
};
use tablut_rules::{IllegalMove, Move, Rules, Setup};
use tokio::task::spawn_blocking;

use super::{Answered, Visit, position_info};
use crate::{
    message::{Answer, PositionInfo, Problem, RulesInfo, SectionInfo},
    state,
};

/// How long a text may be that holds a game, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;

/// How many moves a line may have; each question plays it through.
const LONGEST_LINE: usize = 1000;

impl Visit {
    pub(super) fn rules(&self, id: &str) -> Result<&Arc<Rules>, Problem> {
        let rules = self.host.rules(id);
        rules.ok_or_else(|| speech::say(self.lang, Phrase::NoSuchRules).into())
    }

    pub(super) fn setup(&self, text: &str) -> Result<Setup, Problem> {
        let setup = text.parse();
        setup.map_err(|_| speech::say(self.lang, Phrase::NoPosition).into())
    }

    pub(super) fn step(&self, text: &str) -> Result<Move, Problem> {
        let step = text.parse();
        step.map_err(|_| speech::say(self.lang, Phrase::NoMove).into())
    }

    fn steps(&self, texts: &[String]) -> Result<Vec<Move>, Problem> {
        if texts.len() > LONGEST_LINE {
            return self.problem(Phrase::TooManyMoves);
        }
        texts.iter().map(|text| self.step(text)).collect()
    }

    /// The rules, the position and the moves that a question is about.
    fn line(
        &self,
        place: &PositionInfo,
        moves: &[String],
    ) -> Result<(&Arc<Rules>, Setup, Vec<Move>), Problem> {
        let (rules, setup) = (self.rules(&place.rules)?, self.setup(&place.setup)?);
        Ok((rules, setup, self.steps(moves)?))
    }

    pub(super) fn describe(&self, id: &str) -> Answered {
        let set = self.rules(id)?.set();
        let sections = set.describe(self.lang).into_iter();
        let first = self.host.rule_sets().first();
        let differences = first.map(|first| first.set().differences(set));
        Ok(Answer::Rules(RulesInfo {
            sections: sections
                .map(|section| SectionInfo {
                    title: section.title.into(),
                    sentences: section.sentences,
                })
                .collect(),
            differences: differences
                .unwrap_or_default()
                .into_iter()
                .map(|parameter| (parameter.key.into(), parameter.first, parameter.second))
                .collect(),
        }))
    }

    fn look(&self, place: &PositionInfo, moves: &[String]) -> Result<Study, Problem> {
        let (rules, setup, moves) = self.line(place, moves)?;
        study(rules, &setup, &moves).map_err(|error| speech::study(self.lang, &error).into())
    }

    pub(super) fn study(&self, place: &PositionInfo, moves: &[String]) -> Answered {
        let study = self.look(place, moves)?;
        Ok(Answer::Study(state::study_info(&study, self.lang)))
    }

    pub(super) fn explain(
        &self,
        place: &PositionInfo,
        moves: &[String],
        step: &str,
        turns: bool,
    ) -> Answered {
        let (rules, step) = (self.rules(&place.rules)?, self.step(step)?);
        let study = self.look(place, moves)?;
        if let (true, Some(outcome)) = (turns, study.outcome) {
            return Err(speech::plain(&outcome.sentence(self.lang)).into());
        }
        let piece = study.setup.piece_at(step.from());
        let wrong_turn = piece.filter(|piece| turns && piece.side() != study.setup.side());
        let reason = match wrong_turn {
            Some(piece) => Err(IllegalMove::NotYours {
                square: step.from(),
                piece,
            }),
            None => rules.view(&study.setup).explain(step),
        };
        match reason {
            Ok(()) => Ok(Answer::Done),
            Err(reason) => Err(speech::illegal(self.lang, &reason).into()),
        }
    }

    pub(super) async fn read(&self, text: String, rules: &str) -> Answered {
        let (host, rules) = (self.host.clone(), Arc::clone(self.rules(rules)?));
        if text.len() > LONGEST_TEXT {
            return self.problem(Phrase::TooLong);
        }
        // A long game takes a while; other visitors do not wait for it.
        let read = move || exchange::read(&host, &rules, &text);
        let Ok(content) = spawn_blocking(read).await else {
            return self.problem(Phrase::NoPosition);
        };
        let content = content.map_err(|error| speech::exchange(self.lang, &error))?;
        Ok(Answer::Read {
            place: position_info(content.rules.set().id(), &content.setup),
            moves: content.moves.iter().map(Move::to_string).collect(),
        })
    }

    pub(super) fn write(&self, place: &PositionInfo, moves: &[String]) -> Answered {
        let (rules, setup, moves) = self.line(place, moves)?;
        let texts = exchange::write(rules, &setup, &moves);
        let texts = texts.map_err(|error| speech::exchange(self.lang, &error))?;
        Ok(Answer::Texts(texts))
    }

    /// Lets the engine think about a position; [`Visit::news`] has what it finds.
    pub(super) fn order_hint(
        &mut self,
        id: u32,
        place: &PositionInfo,
        moves: &[String],
    ) -> Result<(), Problem> {
        let (rules, setup, moves) = self.line(place, moves)?;
        let game = exchange::play(rules, &setup, &moves);
        let game = game.map_err(|error| speech::exchange(self.lang, &error))?;
        if game.outcome().is_some() {
            return self.problem(Phrase::Over);
        }
        if self.attendance.awaits_hint() {
            return self.problem(Phrase::Busy);
        }
        if self.attendance.ask_hint(&self.visitor, game).is_err() {
            return self.problem(Phrase::Busy);
        }
        self.hint = id;
        Ok(())
    }
}
