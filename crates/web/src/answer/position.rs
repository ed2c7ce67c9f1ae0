//! Questions about rules and positions, texts, and hints.

use std::sync::Arc;

use tablut_arena::Player;
use tablut_host::{Order, Study, study};
use tablut_rules::{IllegalMove, Move, Rules, Setup};
use tokio::task::spawn_blocking;

use super::{Answered, Visit, position_info};
use crate::{
    exchange,
    message::{Answer, PositionInfo, Problem, RulesInfo, SectionInfo},
    speech::{self, Line, problem},
    state,
};

/// How long a text may be that holds a game, in bytes.
const LONGEST_TEXT: usize = 1024 * 1024;

/// How many moves a line may have; each question plays it through.
const LONGEST_LINE: usize = 1000;

/// How long the engine thinks about a hint, in milliseconds.
const HINT_MS: u64 = 700;

impl Visit {
    pub(super) fn rules(&self, id: &str) -> Result<&Arc<Rules>, Problem> {
        let rules = self.host.rules(id);
        rules.ok_or_else(|| problem(self.lang, Line::NoSuchRules))
    }

    pub(super) fn setup(&self, text: &str) -> Result<Setup, Problem> {
        let setup = text.parse();
        setup.map_err(|_| problem(self.lang, Line::NoPosition))
    }

    pub(super) fn step(&self, text: &str) -> Result<Move, Problem> {
        let step = text.parse();
        step.map_err(|_| problem(self.lang, Line::NoMove))
    }

    fn steps(&self, texts: &[String]) -> Result<Vec<Move>, Problem> {
        if texts.len() > LONGEST_LINE {
            return self.problem(Line::TooManyMoves);
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
        study(rules, &setup, &moves).map_err(|error| speech::study(self.lang, &error))
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
            return Err(speech::plain(&outcome.sentence(self.lang)));
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
            Err(reason) => Err(speech::illegal(self.lang, &reason)),
        }
    }

    pub(super) async fn read(&self, text: String, rules: &str) -> Answered {
        let (host, rules) = (self.host.clone(), Arc::clone(self.rules(rules)?));
        if text.len() > LONGEST_TEXT {
            return self.problem(Line::TooLong);
        }
        // A long game takes a while; other visitors do not wait for it.
        let read = move || exchange::read(&host, &rules, &text);
        let Ok(content) = spawn_blocking(read).await else {
            return self.problem(Line::NoPosition);
        };
        let content = content.map_err(|text| speech::plain(&text))?;
        Ok(Answer::Read {
            place: position_info(content.rules.set().id(), &content.setup),
            moves: content.moves.iter().map(Move::to_string).collect(),
        })
    }

    pub(super) fn write(&self, place: &PositionInfo, moves: &[String]) -> Answered {
        let (rules, setup, moves) = self.line(place, moves)?;
        let texts = exchange::write(rules, &setup, &moves);
        Ok(Answer::Texts(texts.map_err(|text| speech::plain(&text))?))
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
        let game = game.map_err(|text| speech::plain(&text))?;
        if game.outcome().is_some() {
            return self.problem(Line::Over);
        }
        if self.hint.is_some() {
            return self.problem(Line::Busy);
        }
        let job = self.host.pool().order(Order {
            owner: self.visitor.id.clone(),
            id: String::new(),
            game,
            player: Player::Time(HINT_MS),
            seed: 0,
            most: None,
        });
        self.hint = Some((id, job.map_err(|_| problem(self.lang, Line::Busy))?));
        Ok(())
    }
}
