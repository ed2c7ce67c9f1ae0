//! Tournaments and ratings.

use tablut_host::{
    speech,
    tournament::{Contest, ContestError},
};

use super::{Answered, Visit};
use crate::{
    message::{Answer, Problem},
    tournament,
};

/// How many games of the contest's ports are shown.
const REFEREED: u32 = 20;

impl Visit {
    pub(super) fn contest<T>(&self, result: Result<T, ContestError>) -> Result<T, Problem> {
        result.map_err(|error| speech::contest(self.lang, &error).into())
    }

    pub(super) async fn tournaments(&self) -> Answered {
        let (mut entries, mut archived) = (Vec::new(), Vec::new());
        for kept in self.kept(self.host.store().tournaments().await)? {
            // One that another version made does not hide the others.
            let Ok(contest) = Contest::new(&kept) else {
                continue;
            };
            let fixtures = self.kept(self.host.store().fixtures(&kept.id).await)?;
            let entry = tournament::entry(&contest, kept.state, &fixtures);
            match contest.is_archived() {
                false => entries.push(entry),
                true if self.is_organiser() => archived.push(entry),
                true => (),
            }
        }
        let store = self.host.store();
        let games = self.kept(store.refereed_games(REFEREED).await)?;
        Ok(Answer::Tournaments {
            list: entries,
            archived,
            refereed: self.entries(&games).await?,
        })
    }

    pub(super) async fn tournament(&self, id: &str) -> Answered {
        let scene = self.contest(self.host.scene(id).await)?;
        let mut info = tournament::info(&scene, self.lang, self.is_organiser());
        info.token = self.token.is_some();
        Ok(Answer::Tournament(info))
    }

    pub(super) async fn ratings(&self) -> Answered {
        let ratings = self.kept(self.host.ratings().await)?;
        Ok(Answer::Ratings(tournament::ratings(&ratings)))
    }
}
