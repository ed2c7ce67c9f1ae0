//! What an organiser does on the page: corrections of tournaments, from the server's own machine or with
//! the organiser's token.

use tablut_arena::tournament::{Change, Table, Value, Winner};
use tablut_host::{
    same_secret,
    speech::{self, Phrase, sentence},
    tournament::{Author, CorrectionWish},
};
use tablut_rules::Side;

use super::{Answered, Visit};
use crate::{
    crowd::Deed,
    message::{Answer, CorrectionAsk, TeamText, TournamentWish},
};

/// The longest text of a form, in bytes.
const LONGEST: usize = 1000;

impl Visit {
    /// Whether the visitor may correct, start and pause tournaments.
    pub(super) const fn is_organiser(&self) -> bool {
        self.origin.is_local || self.knows_token
    }

    /// Takes the organiser's token. It is found out by no one who tries many.
    pub(super) fn organise(&mut self, said: &str) -> Answered {
        if !self.crowd.allows(self.origin, Deed::Guess) {
            return self.problem(Phrase::TooManyGuesses);
        }
        let token = self.token.as_deref();
        if !token.is_some_and(|token| same_secret(token, said)) {
            return self.problem(Phrase::BadToken);
        }
        self.crowd.forgive(self.origin, Deed::Guess);
        self.knows_token = true;
        Ok(Answer::Done)
    }

    pub(super) async fn run_tournament(&self, id: &str, wish: TournamentWish) -> Answered {
        if !self.is_organiser() {
            return self.problem(Phrase::NotOrganiser);
        }
        let done = match wish {
            TournamentWish::Start => self.host.start_tournament(id).await,
            TournamentWish::Pause => self.host.pause_tournament(id).await,
            TournamentWish::Delete => self.host.delete_tournament(id).await,
        };
        self.contest(done)?;
        Ok(Answer::Done)
    }

    pub(super) async fn correct_tournament(
        &self,
        id: &str,
        ask: CorrectionAsk,
        why: String,
    ) -> Answered {
        if !self.is_organiser() {
            return self.problem(Phrase::NotOrganiser);
        }
        let before = self.contest(self.host.scene(id).await)?;
        let Some(wish) = wish(ask, before.contest.plan.teams.len()) else {
            return self.problem(Phrase::BadMessage);
        };
        // Whoever names a program has it started on this machine.
        if !self.origin.is_local && names_program(&wish) {
            return self.problem(Phrase::ProgramsFromHere);
        }
        // It is kept and shown in every language.
        let place = match self.origin.is_local {
            true => "localhost",
            false => "token",
        };
        let by = match &self.visitor.name {
            Some(name) => format!("{name}, {place}"),
            None => place.to_string(),
        };
        let author = Author { by, why };
        let made = self.host.correct_tournament(id, &wish, &author).await;
        let made = self.contest(made)?;
        let notices = made.notices.iter();
        Ok(Answer::Corrected {
            number: made.number,
            text: sentence(&speech::change(
                self.lang,
                made.team.as_deref(),
                &made.change,
            )),
            notices: notices
                .map(|&one| sentence(&speech::notice(self.lang, one)))
                .collect(),
        })
    }
}

/// A team as a file would have it.
fn team(text: TeamText) -> Option<Table> {
    let mut table = Table::new();
    let fields = [
        ("name", text.name),
        ("group", text.group),
        ("plays", text.plays),
        ("secret", text.secret),
    ];
    for (key, value) in fields {
        if let Some(value) = value {
            let value = value.trim();
            is_plain(value).then_some(())?;
            table.insert(key.into(), value.into());
        }
    }
    if let Some(members) = text.members {
        let members = members.iter().map(|name| name.trim());
        let members: Vec<&str> = members.filter(|name| !name.is_empty()).collect();
        members.iter().all(|name| is_plain(name)).then_some(())?;
        let members = members.into_iter().map(Value::from);
        table.insert("members".into(), Value::Array(members.collect()));
    }
    Some(table)
}

fn is_plain(text: &str) -> bool {
    text.len() <= LONGEST && !text.chars().any(char::is_control)
}

/// What is asked for; nothing if it cannot be.
fn wish(ask: CorrectionAsk, teams: usize) -> Option<CorrectionWish> {
    let change = match ask {
        CorrectionAsk::AddTeam(text) => Change::AddTeam {
            number: teams,
            team: team(text)?,
        },
        CorrectionAsk::Withdraw { team, annul } => Change::Withdraw { team, annul },
        CorrectionAsk::ChangeTeam { team: number, to } => Change::ChangeTeam {
            team: number,
            to: team(to)?,
        },
        CorrectionAsk::Set {
            seconds,
            max_plies,
            memory_mb,
        } => {
            let limit = |limit: u64| match i64::try_from(limit) {
                Ok(0) => Some(Value::from("none")),
                Ok(limit) => Some(Value::from(limit)),
                Err(_) => None,
            };
            let mut to = Table::new();
            if let Some(seconds) = seconds {
                to.insert("seconds".into(), seconds.into());
            }
            if let Some(plies) = max_plies {
                to.insert("max_plies".into(), limit(plies)?);
            }
            if let Some(memory) = memory_mb {
                let mut limits = Table::new();
                limits.insert("memory_mb".into(), limit(memory)?);
                to.insert("limits".into(), limits.into());
            }
            Change::Set { to }
        }
        CorrectionAsk::Replay { game } => Change::Replay {
            game: game.checked_sub(1)?,
        },
        CorrectionAsk::Result { game, winner } => Change::Result {
            game: game.checked_sub(1)?,
            winner: match winner {
                Some(Side::Defenders) => Winner::White,
                Some(Side::Attackers) => Winner::Black,
                None => Winner::Draw,
            },
        },
        CorrectionAsk::Archive => Change::Archive,
        CorrectionAsk::Restore => return Some(CorrectionWish::Restore),
        CorrectionAsk::Undo { number } => return Some(CorrectionWish::Undo(Some(number))),
    };
    Some(CorrectionWish::Make(change))
}

/// Whether a correction says which program is started.
fn names_program(wish: &CorrectionWish) -> bool {
    let CorrectionWish::Make(
        Change::AddTeam { team: table, .. } | Change::ChangeTeam { to: table, .. },
    ) = wish
    else {
        return false;
    };
    let plays = table.get("plays").and_then(Value::as_str);
    let kinds = ["client", "engine"];
    plays.is_some_and(|plays| kinds.iter().any(|kind| plays.starts_with(kind)))
}
