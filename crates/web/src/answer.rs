//! What is done for each request of a page.

mod admin;
mod catalogue;
mod explorer;
mod game;
mod inquiry;
mod lesson;
mod library;
mod news;
mod organiser;
mod position;
mod profile;
mod puzzle;
mod rules;
mod shown;
mod study;
#[cfg(test)]
mod tests;
mod tournament;

use std::sync::Arc;

use tablut_guest::throttle::Bucket;
use tablut_host::{
    Attendance, Host, HostError,
    speech::{self, Phrase},
};
use tablut_rules::{Setup, text::Lang};
use tablut_store::{StoreError, Visitor};

pub(crate) use self::{inquiry::Inquiries, news::PageNews, profile::welcome, shown::ShownStudy};
use crate::{
    crowd::{Crowd, Origin},
    message::{Answer, Ask, PositionInfo, Problem, Request},
};

/// How many games and positions a list shows.
const LIST: u32 = 100;

/// A visitor on one open page.
pub(crate) struct Visit {
    pub(crate) host: Host,
    pub(crate) visitor: Visitor,
    /// Whether the visitor is kept in the store; who leaves nothing is not.
    pub(crate) is_known: bool,
    pub(crate) lang: Lang,
    /// Where the visitor comes from.
    pub(crate) origin: Origin,
    pub(crate) crowd: Crowd,
    /// What an organiser has to know who is elsewhere.
    pub(crate) token: Option<Arc<str>>,
    /// Whether the visitor has said it.
    pub(crate) knows_token: bool,
    /// What the administrator has to know.
    pub(crate) admin: Option<Arc<str>>,
    /// The beginning of links that others can open.
    pub(crate) public: Option<Arc<str>>,
    /// The game they look at, and the hint they wait for.
    pub(crate) attendance: Attendance,
    /// The number of the request for that hint.
    pub(crate) hint: u32,
    /// What the engine works on for them.
    pub(crate) inquiries: Inquiries,
    /// The study on the page.
    pub(crate) study: Option<ShownStudy>,
    /// How often they may make games.
    pub(crate) game_pace: Bucket,
}

pub(crate) type Answered = Result<Answer, Problem>;

impl Visit {
    pub(crate) fn problem<T>(&self, phrase: Phrase) -> Result<T, Problem> {
        Err(speech::say(self.lang, phrase).into())
    }

    fn kept<T>(&self, result: Result<T, StoreError>) -> Result<T, Problem> {
        result.map_err(|error| speech::store(self.lang, &error).into())
    }

    fn hosted<T>(&self, result: Result<T, HostError>) -> Result<T, Problem> {
        result.map_err(|error| speech::host(self.lang, &error).into())
    }

    /// Does what is asked. Nothing means that the answer comes later, as [`PageNews::Hint`].
    pub(crate) async fn answer(&mut self, request: Request) -> Option<Answered> {
        let answered = match request.ask {
            Ask::Ping => Ok(Answer::Done),
            Ask::Hello { lang } => self.hello(lang).await,
            Ask::Name { name } => self.name(&name).await,
            Ask::Setting { name, value } => self.setting(&name, &value).await,
            Ask::ServerSetting { name, value } => self.server_setting(&name, &value).await,
            Ask::Rules { rules } => self.describe(&rules),
            Ask::Survey { place, moves } => self.survey(&place, &moves),
            Ask::Explain {
                place,
                moves,
                step,
                turns,
            } => self.explain(&place, &moves, &step, turns),
            Ask::OpenStudy { study, rules } => self.open_study(study.as_deref(), &rules).await,
            Ask::EditStudy {
                study,
                rules,
                cursor,
                edit,
            } => {
                let study = study.as_deref();
                self.edit_study(study, &rules, cursor, edit).await
            }
            Ask::StepStudy { study, node } => self.step_study(&study, node).await,
            Ask::CopyStudy { study } => self.copy_study(&study).await,
            Ask::StudyGame { game, ply } => self.study_game(&game, ply).await,
            Ask::Studies => self.studies().await,
            Ask::NameStudy { study, rules, name } => {
                self.name_study(study.as_deref(), &rules, &name).await
            }
            Ask::DeleteStudy { study } => self.delete_study(&study).await,
            Ask::Read { text, rules } => self.read(text, &rules).await,
            Ask::Write { study, rules, node } => self.write(study.as_deref(), &rules, node).await,
            Ask::Slots => self.slots().await,
            Ask::SaveSlot { number, place } => self.save_slot(number, place).await,
            Ask::Library { search } => self.library(&search).await,
            Ask::SavePosition {
                position,
                name,
                place,
            } => self.save_position(position, &name, &place).await,
            Ask::DeletePosition { position } => self.delete_position(&position).await,
            Ask::NewGame(new) => self.new_game(&new).await,
            Ask::Games => self.games().await,
            Ask::Join { game, secret } => self.join(&game, secret.as_deref()).await,
            Ask::Leave => self.leave(),
            Ask::Move { ply, step } => self.play(ply, &step).await,
            Ask::Wish { wish } => self.wish(wish).await,
            Ask::CancelGame => self.cancel_game().await,
            Ask::Rematch => self.rematch().await,
            Ask::Record => self.record().await,
            Ask::Tournaments => self.tournaments().await,
            Ask::Tournament { tournament } => self.tournament(&tournament).await,
            Ask::RunTournament { tournament, wish } => self.run_tournament(&tournament, wish).await,
            Ask::CorrectTournament {
                tournament,
                correction,
                why,
            } => self.correct_tournament(&tournament, correction, why).await,
            Ask::Organise { token } => self.organise(&token),
            Ask::Admin { token } => self.administer(&token).await,
            Ask::Drain { token, process } => self.drain(&token, &process).await,
            Ask::Ratings => self.ratings().await,
            Ask::Search(ask) => self.search(&ask).await,
            Ask::ExportGames(ask) => self.export(&ask).await,
            Ask::Players { beginning } => self.players(&beginning).await,
            Ask::Tags => self.tags().await,
            Ask::TagGame { number, tag, on } => self.tag_game(&number, &tag, on).await,
            Ask::Import { text, rules } => self.import(text, &rules).await,
            Ask::Explore { place, moves } => self.explore(&place, &moves).await,
            Ask::ExploreGames {
                place,
                moves,
                step,
                source,
            } => {
                self.explore_games(&place, &moves, step.as_deref(), &source)
                    .await
            }
            Ask::Watch => self.watch().await,
            Ask::Demonstrate { rules } => self.demonstrate(&rules).await,
            Ask::CompareRules { first, second } => self.compare_rules(&first, &second).await,
            Ask::Inquire { number, inquiry } => self.inquire(number, inquiry).await,
            Ask::Dismiss { number } => self.dismiss(number),
            Ask::Weigh { place, moves } => self.weigh(&place, &moves),
            Ask::Lessons { rules } => self.lessons(&rules).await,
            Ask::LessonStep {
                rules,
                lesson,
                step,
            } => self.lesson_step(&rules, lesson, step).await,
            Ask::TryLesson {
                rules,
                lesson,
                step,
                made,
                tried,
            } => self.try_lesson((&rules, lesson, step), &made, &tried).await,
            Ask::Puzzles { rules } => self.puzzles(&rules).await,
            Ask::Puzzle { rules, choice } => self.puzzle(&rules, &choice).await,
            Ask::TryPuzzle {
                rules,
                number,
                made,
                tried,
                run,
            } => {
                let run = run.as_deref();
                self.try_puzzle((&rules, number), &made, &tried, run).await
            }
            Ask::PuzzleHelp {
                rules,
                number,
                made,
                help,
            } => self.puzzle_help(&rules, number, &made, help).await,
            Ask::Hint { place, moves } => match self.order_hint(request.id, &place, &moves) {
                Ok(()) => return None,
                Err(problem) => Err(problem),
            },
        };
        Some(answered)
    }
}

fn position_info(rules: &str, setup: &Setup) -> PositionInfo {
    PositionInfo {
        rules: rules.into(),
        setup: setup.to_string(),
    }
}
