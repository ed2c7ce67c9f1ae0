//! Questions about rules and positions, and hints.

use std::sync::Arc;

use tablut_host::{
    Survey, exchange,
    speech::{self, Phrase},
    survey,
};
use tablut_rules::{IllegalMove, Move, Rules, Setup};

use super::{Answered, Visit};
use crate::{
    message::{Answer, PositionInfo, Problem, RulesInfo, SectionInfo},
    state,
};

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

    pub(super) fn steps(&self, texts: &[String]) -> Result<Vec<Move>, Problem> {
        if texts.len() > LONGEST_LINE {
            return self.problem(Phrase::TooManyMoves);
        }
        texts.iter().map(|text| self.step(text)).collect()
    }

    /// The rules, the position and the moves that a question is about.
    pub(super) fn line(
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
        Ok(Answer::Rules(RulesInfo {
            sections: sections
                .map(|section| SectionInfo {
                    title: section.title.into(),
                    sentences: section.sentences,
                })
                .collect(),
        }))
    }

    fn look(&self, place: &PositionInfo, moves: &[String]) -> Result<Survey, Problem> {
        let (rules, setup, moves) = self.line(place, moves)?;
        survey(rules, &setup, &moves).map_err(|error| speech::survey(self.lang, &error).into())
    }

    pub(super) fn survey(&self, place: &PositionInfo, moves: &[String]) -> Answered {
        let survey = self.look(place, moves)?;
        Ok(Answer::Survey(state::survey_info(&survey, self.lang)))
    }

    pub(super) fn explain(
        &self,
        place: &PositionInfo,
        moves: &[String],
        step: &str,
        turns: bool,
    ) -> Answered {
        let (rules, step) = (self.rules(&place.rules)?, self.step(step)?);
        let survey = self.look(place, moves)?;
        if let (true, Some(outcome)) = (turns, survey.outcome) {
            return Err(speech::plain(&outcome.sentence(self.lang)).into());
        }
        let piece = survey.setup.piece_at(step.from());
        let wrong_turn = piece.filter(|piece| turns && piece.side() != survey.setup.side());
        let reason = match wrong_turn {
            Some(piece) => Err(IllegalMove::NotYours {
                square: step.from(),
                piece,
            }),
            None => rules.view(&survey.setup).explain(step),
        };
        match reason {
            Ok(()) => Ok(Answer::Done),
            Err(reason) => Err(speech::illegal(self.lang, &reason).into()),
        }
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
