//! The library of games: searches, tags, import and export.

use std::collections::HashMap;

use tablut_archive::Ground;
use tablut_host::{
    exchange,
    speech::{self, Phrase},
};
use tablut_rules::{BySide, Outcome, Setup, Side, text::is_harmful};
use tablut_store::{Cursor, Entry, Found, Search, Sort, Viewer};

use super::{Answered, Visit};
use crate::{
    message::{Answer, FoundGame, ImportInfo, PlayerInfo, Problem, SearchAsk},
    state,
};

/// How many games one answer has.
const PAGE: u32 = 50;

/// How many games are exported at once, and how many windows are looked at for them.
const MOST_EXPORTED: usize = 500;
const EXPORT_WINDOWS: usize = 20;

/// How many names are suggested.
const NAMES: u32 = 10;

/// The longest tag, in letters, and how many one visitor has.
const LONGEST_TAG: usize = 30;
const MOST_TAGS: u64 = 20_000;

/// How long a text may be that is imported, in bytes.
const LONGEST_IMPORT: usize = 1024 * 1024;

impl Visit {
    /// What the visitor may see: everything at the server's own machine.
    pub(super) fn viewer(&self) -> Viewer {
        match self.origin.is_local {
            true => Viewer::Everything,
            false => Viewer::Visitor(self.visitor.id.clone()),
        }
    }

    fn wanted(&self, ask: &SearchAsk) -> Result<(Search, Option<Cursor>), Problem> {
        let bad = || Problem::from(speech::say(self.lang, Phrase::BadSearch));
        let some = |text: &Option<String>| {
            text.as_deref()
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_string)
        };
        let mut search = Search {
            own: ask.mine.then(|| self.visitor.id.clone()),
            player: some(&ask.player),
            side: ask.side,
            opponent: some(&ask.opponent),
            plies: (ask.least, ask.most),
            ended_ms: (ask.from_ms, ask.until_ms),
            ..Search::default()
        };
        if let Some(rules) = &ask.rules {
            search.rules = Some(self.rules(rules)?.set().id().into());
        }
        search.winner = match ask.result.as_deref() {
            None => None,
            Some("white") => Some(Some(Side::Defenders)),
            Some("black") => Some(Some(Side::Attackers)),
            Some("draw") => Some(None),
            Some(_) => return Err(bad()),
        };
        if let Some(reason) = &ask.reason {
            search.reason = Some(reason.parse().map_err(|_| bad())?);
        }
        search.sort = match ask.sort.as_deref() {
            None | Some("newest") => Sort::Newest,
            Some("oldest") => Sort::Oldest,
            Some("longest") => Sort::Longest,
            Some("shortest") => Sort::Shortest,
            Some(_) => return Err(bad()),
        };
        if let Some(word) = some(&ask.tag) {
            search.tag = Some((self.visitor.id.clone(), word));
        }
        if ask.place.is_some() || !ask.moves.is_empty() {
            search.place = Some(self.place(ask)?);
        }
        let cursor = ask
            .cursor
            .as_deref()
            .map(|text| read_cursor(text).ok_or_else(bad));
        Ok((search, cursor.transpose()?))
    }

    /// The place that a search names.
    fn place(&self, ask: &SearchAsk) -> Result<tablut_archive::Place, Problem> {
        let id = ask
            .place
            .as_ref()
            .map(|place| &place.rules)
            .or(ask.rules.as_ref());
        let first = self
            .host
            .rule_sets()
            .first()
            .map(|rules| rules.set().id().to_string());
        let id = id.cloned().or(first).unwrap_or_default();
        let rules = self.rules(&id)?;
        let setup = match &ask.place {
            Some(place) => self.setup(&place.setup)?,
            None => Setup::from(&rules.start()),
        };
        let game = exchange::play(rules, &setup, &self.steps(&ask.moves)?);
        let game = game.map_err(|error| speech::exchange(self.lang, &error))?;
        let ground =
            Ground::named(&id).ok_or_else(|| speech::say(self.lang, Phrase::NoSuchRules))?;
        Ok(ground.tracker.place(game.position()))
    }

    pub(super) async fn search(&self, ask: &SearchAsk) -> Answered {
        let (search, cursor) = self.wanted(ask)?;
        let found = self
            .host
            .store()
            .search(&self.viewer(), &search, cursor, PAGE)
            .await;
        let found = self.kept(found)?;
        self.found_games(&found).await
    }

    /// What was found, with the visitor's own words for it.
    pub(super) async fn found_games(&self, found: &Found) -> Answered {
        let numbers: Vec<i64> = found.entries.iter().map(|entry| entry.number).collect();
        let tags = self.kept(self.host.store().tags_of(&self.visitor.id, &numbers).await)?;
        let mut by_number: HashMap<i64, Vec<String>> = HashMap::new();
        for (number, word) in tags {
            by_number.entry(number).or_default().push(word);
        }
        let games = found.entries.iter().map(|entry| FoundGame {
            tags: by_number.remove(&entry.number).unwrap_or_default(),
            ..self.found_game(entry)
        });
        Ok(Answer::Found {
            games: games.collect(),
            next: found.next.map(write_cursor),
        })
    }

    pub(super) fn found_game(&self, entry: &Entry) -> FoundGame {
        FoundGame {
            number: entry.number.to_string(),
            game: entry.game.clone(),
            rules: entry.rules.clone(),
            players: BySide::from_fn(|side| PlayerInfo {
                name: entry.players[side].clone(),
                rating: entry.ratings[side],
            }),
            outcome: self.outcome(entry.outcome),
            plies: entry.plies,
            ended_ms: Some(entry.ended_ms),
            last: entry.last.to_string(),
            moves: Vec::new(),
            tags: Vec::new(),
        }
    }

    pub(super) fn outcome(&self, outcome: Outcome) -> crate::message::OutcomeInfo {
        state::outcome_info(outcome, self.lang)
    }

    pub(super) async fn players(&self, beginning: &str) -> Answered {
        if beginning.chars().count() > 80 {
            return self.problem(Phrase::BadSearch);
        }
        let names = self.kept(self.host.store().players(beginning.trim(), NAMES).await)?;
        Ok(Answer::Names(names))
    }

    pub(super) async fn tags(&self) -> Answered {
        let tags = self.kept(self.host.store().tags(&self.visitor.id).await)?;
        Ok(Answer::Names(tags))
    }

    pub(super) async fn tag_game(&mut self, number: &str, word: &str, is_on: bool) -> Answered {
        let word = word.trim();
        let letters = word.chars().count();
        let Ok(number) = number.parse::<i64>() else {
            return self.problem(Phrase::NoSuchGame);
        };
        if !(1..=LONGEST_TAG).contains(&letters) || word.chars().any(is_harmful) {
            return self.problem(Phrase::BadTag);
        }
        self.settle().await?;
        let store = self.host.store();
        let count = self.kept(store.count_tags(&self.visitor.id).await)?;
        if is_on && count >= MOST_TAGS {
            return self.problem(Phrase::LibraryFull);
        }
        let tagged = store
            .tag_game(&self.viewer(), &self.visitor.id, number, word, is_on)
            .await;
        self.kept(tagged)?;
        Ok(Answer::Done)
    }

    pub(super) async fn import(&mut self, text: String, rules: &str) -> Answered {
        if text.len() > LONGEST_IMPORT {
            return self.problem(Phrase::TooLong);
        }
        let rules = self.rules(rules)?.clone();
        self.settle().await?;
        let report = self.host.import(&self.visitor, &rules, text).await;
        let faults = report
            .faults
            .iter()
            .map(|fault| (fault.game, speech::import(self.lang, &fault.problem).text));
        Ok(Answer::Imported(ImportInfo {
            imported: report.imported,
            faults: faults.collect(),
        }))
    }

    /// The games of a search as one text of records.
    pub(super) async fn export(&self, ask: &SearchAsk) -> Answered {
        let (search, mut cursor) = self.wanted(ask)?;
        let (store, viewer) = (self.host.store(), self.viewer());
        let mut text = String::new();
        let mut count = 0;
        for _ in 0..EXPORT_WINDOWS {
            let found = self.kept(store.search(&viewer, &search, cursor, PAGE).await)?;
            for entry in found.entries {
                let game = self.kept(store.game(&entry.game).await)?;
                let record = self.kept(store.record(&game).await)?;
                text += &record.to_string();
                text.push('\n');
                count += 1;
            }
            cursor = found.next;
            if cursor.is_none() || count >= MOST_EXPORTED {
                break;
            }
        }
        Ok(Answer::Text(text))
    }
}

fn write_cursor(cursor: Cursor) -> String {
    format!("{}.{}", cursor.plies, cursor.number)
}

fn read_cursor(text: &str) -> Option<Cursor> {
    let (plies, number) = text.split_once('.')?;
    Some(Cursor {
        plies: plies.parse().ok()?,
        number: number.parse().ok()?,
    })
}
