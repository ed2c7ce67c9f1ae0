//! Games from files into a visitor's library, with a report of what was wrong.

use std::sync::Arc;

use data_encoding::BASE32_NOPAD;
use tablut_arena::TimeControl;
use tablut_challenge::document::{
    self, Document, GameFault, Played, ReadError, RuleSets, Source, TextFormat,
};
use tablut_rules::{
    BySide, Outcome, Rules, Setup, Side,
    record::{self, ParseRecordError},
    text::harmless,
};
use tablut_store::{Entity, Game, GameOwner, Seat, SeatPlayer, StoreError, StoredMove, Visitor};
use tokio::task::spawn_blocking;

use crate::{Host, HostError, host::wall_clock_ms};

/// The most games that are taken from one text.
const MOST_GAMES: usize = 2000;

/// The longest name of a player that is kept, in letters.
const LONGEST_NAME: usize = 40;

/// What came of a text.
#[derive(Debug, Default)]
pub struct ImportReport {
    /// How many games are in the library now.
    pub imported: usize,
    /// What was wrong, game by game.
    pub faults: Vec<ImportFault>,
}

/// Why a game of a text was not taken.
#[derive(Debug)]
pub struct ImportFault {
    /// Its number in the text, from 1; nothing if the whole text is meant.
    pub game: Option<usize>,
    /// Why.
    pub problem: ImportProblem,
}

/// Why a text or a game is not taken.
#[derive(Debug)]
pub enum ImportProblem {
    /// The text cannot be read.
    Unreadable(ReadError),
    /// The record cannot be read.
    Record(ParseRecordError),
    /// It is a position and no game.
    NotAGame,
    /// There is no such rule set.
    NoRules(String),
    /// The rules do not allow it.
    Illegal(GameFault),
    /// It has no result.
    Unfinished,
    /// It is in the library already.
    Known,
    /// There are more games than are taken at once.
    TooMany(usize),
    /// It could not be kept.
    Kept(HostError),
}

/// A game that can be kept.
struct Candidate {
    game: Game,
    moves: Vec<StoredMove>,
}

impl Host {
    /// Takes the games of a text into a visitor's library: records, logs of the Java server, lists of moves
    /// with a result on the board. What cannot be taken is reported, and the rest is taken.
    pub async fn import(
        &self,
        visitor: &Visitor,
        rules: &Arc<Rules>,
        text: String,
    ) -> ImportReport {
        let (host, rules, owner) = (self.clone(), Arc::clone(rules), visitor.id.clone());
        // A long text takes a while; other visitors do not wait for it.
        let read = spawn_blocking(move || host.candidates(&rules, &text, &owner)).await;
        let mut report = ImportReport::default();
        let Ok(candidates) = read else {
            return report;
        };
        for (game, candidate) in candidates {
            let problem = match candidate {
                Err(problem) => problem,
                Ok(candidate) => match self.take_in(visitor, &candidate).await {
                    Ok(()) => {
                        report.imported += 1;
                        continue;
                    }
                    Err(problem) => problem,
                },
            };
            let is_full = matches!(&problem, ImportProblem::Kept(_));
            report.faults.push(ImportFault { game, problem });
            if is_full {
                // What keeps one out keeps the others out.
                break;
            }
        }
        // Whoever imports games wants to see them in the library; if that fails now, they are filed later.
        let _ = self.store().file_games(report.imported as u32).await;
        report
    }

    async fn take_in(&self, visitor: &Visitor, candidate: &Candidate) -> Result<(), ImportProblem> {
        let Candidate { game, moves } = candidate;
        match self.store().game(&game.id).await {
            Ok(_) => return Err(ImportProblem::Known),
            Err(StoreError::Missing(Entity::Game)) => {}
            Err(error) => return Err(ImportProblem::Kept(error.into())),
        }
        let kept = self.keep_import(visitor, game, moves).await;
        kept.map_err(ImportProblem::Kept)
    }

    /// The games of a text, each with its number.
    fn candidates(
        &self,
        rules: &Arc<Rules>,
        text: &str,
        owner: &str,
    ) -> Vec<(Option<usize>, Result<Candidate, ImportProblem>)> {
        let sets = RuleSets {
            asked: None,
            usual: Some(Arc::clone(rules)),
            find: &|id| self.rules(id).cloned(),
        };
        let mut found = Vec::new();
        for (number, source) in sources(text, rules.set().first()) {
            if found.len() == MOST_GAMES {
                found.push((None, Err(ImportProblem::TooMany(MOST_GAMES))));
                break;
            }
            found.push((
                number,
                source.and_then(|source| candidate(&source, &sets, owner)),
            ));
        }
        found
    }
}

type Read = (Option<usize>, Result<Source, ImportProblem>);

/// The games of a text; a record that cannot be read does not hide the others.
fn sources(text: &str, first: Side) -> Vec<Read> {
    if TextFormat::of(text) == Some(TextFormat::Record) {
        let records = record::read_all(text).enumerate();
        let records = records.map(|(n, record)| {
            let source = record.map(|record| Source::Record(Box::new(record)));
            (Some(n + 1), source.map_err(ImportProblem::Record))
        });
        let records: Vec<Read> = records.take(MOST_GAMES + 1).collect();
        if !records.is_empty() {
            return records;
        }
    }
    match Document::read(text, first) {
        Ok(Document::Position(_)) => vec![(None, Err(ImportProblem::NotAGame))],
        Ok(Document::Games(games)) => {
            let number = |n| (games.len() > 1).then_some(n + 1);
            let numbers: Vec<_> = (0..games.len()).map(number).collect();
            numbers.into_iter().zip(games.into_iter().map(Ok)).collect()
        }
        Err(error) => vec![(None, Err(ImportProblem::Unreadable(error)))],
    }
}

fn candidate(
    source: &Source,
    sets: &RuleSets<'_>,
    owner: &str,
) -> Result<Candidate, ImportProblem> {
    if source.position().is_some() {
        return Err(ImportProblem::NotAGame);
    }
    let played = source.play_whole(sets).map_err(|error| match error {
        document::PlayError::Rules(id) => ImportProblem::NoRules(id),
        document::PlayError::Game(fault) => ImportProblem::Illegal(fault),
    })?;
    let outcome = played.record.outcome.or_else(|| played.game.outcome());
    let outcome = outcome.ok_or(ImportProblem::Unfinished)?;
    Ok(kept(&played, outcome, owner))
}

fn kept(played: &Played, outcome: Outcome, owner: &str) -> Candidate {
    let Played { game, record, .. } = played;
    let tree = record.tree();
    let mut node = tree.root();
    let mut moves = Vec::new();
    for ply in game.plies() {
        // What was written about the move, if the record has it where the game does.
        let next = tree.child(node, ply.step);
        let notes = next.map(|next| tree.notes(next));
        moves.push(StoredMove {
            step: ply.step,
            spent_ms: notes.and_then(|notes| notes.spent_ms),
            clock_ms: notes.and_then(|notes| notes.clock_ms),
            score: notes.and_then(|notes| notes.score),
        });
        node = next.unwrap_or(node);
    }
    let name = |key| {
        let name = harmless(record.header(key)?.trim());
        let name: String = name.chars().take(LONGEST_NAME).collect();
        (!name.is_empty() && name != "?").then_some(name)
    };
    let seat = |key| Seat {
        player: SeatPlayer::Person,
        // Nobody can sit down in a game that is over.
        secret: String::new(),
        holder: None,
        name: name(key),
        left_ms: None,
    };
    let seats = BySide {
        attackers: seat("Black"),
        defenders: seat("White"),
    };
    let rules = game.rules().set().id();
    let setup = Setup::from(game.start());
    let is_usual = *game.start() == game.rules().start();
    let names = seats
        .as_ref()
        .map(|seat| seat.name.clone().unwrap_or_default());
    let steps: Vec<String> = moves.iter().map(|one| one.step.to_string()).collect();
    let content = format!(
        "{owner}\n{rules}\n{setup}\n{}\n{}\n{outcome}\n{}",
        names.defenders,
        names.attackers,
        steps.join(" ")
    );
    let now = wall_clock_ms();
    let ended = record
        .header("Date")
        .and_then(read_date)
        .map_or(now, |date| date.min(now));
    let game = Game {
        setup: (!is_usual).then_some(setup),
        outcome: Some(outcome),
        ..Game::new(
            id_of(&content),
            GameOwner::Visitor(owner.into()),
            rules,
            TimeControl::Unlimited,
            seats,
            ended,
        )
    };
    Candidate { game, moves }
}

/// The id of a game that is imported: the same game of the same visitor has the same one, so that it is kept
/// once however often its file is read.
fn id_of(content: &str) -> String {
    let sum = |seed: u64| {
        content.bytes().fold(seed, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let bytes = [
        sum(0xcbf2_9ce4_8422_2325).to_be_bytes(),
        sum(0x9e37_79b9_7f4a_7c15).to_be_bytes(),
    ]
    .concat();
    BASE32_NOPAD.encode(&bytes[..15]).to_lowercase()
}

/// The noon of a day, as `2026.11.17` or `2026-11-17`, in milliseconds since 1970.
fn read_date(text: &str) -> Option<i64> {
    let day = text.split([' ', 'T']).next()?;
    let mut parts = day.split(['.', '-']).map(str::parse::<i64>);
    let (year, month, day) = (
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    );
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Days since 1970 in the calendar of today, with the year beginning in March.
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let days =
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some(days * 86_400_000 + 43_200_000)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_store::{Location, Search, Store, Viewer};

    use super::*;
    use crate::{Limits, Ratings};

    const TWO: &str = "[Rules \"ashton\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Date \"2024.02.29\"]\n[Reason \"resignation\"]\n\n1. e4-d4 d1-c1 1-0\n\n\
        [Rules \"ashton\"]\n[Reason \"resignation\"]\n\n1. e4-e3 0-1\n\n[Rules \"ashton\"]\n\n1. e4-d4 *\n\n[Rules \"nowhere\"]\n[Reason \"resignation\"]\n\n1. e4-d4 1-0\n";

    #[tokio::test]
    async fn what_can_be_taken_is_taken_once_and_the_rest_is_reported() {
        let store = Store::open(&Location::Memory).await.unwrap();
        let host = Host::new(store.clone(), Limits::default());
        let rules = host.rules("ashton").unwrap().clone();
        let ann = Visitor::new("ann");
        let report = host.import(&ann, &rules, TWO.into()).await;
        assert_eq!(report.imported, 1, "{:?}", report.faults);
        let numbers: Vec<_> = report.faults.iter().map(|fault| fault.game).collect();
        assert_eq!(numbers, [Some(2), Some(3), Some(4)]);
        assert!(matches!(
            report.faults[0].problem,
            ImportProblem::Illegal(_)
        ));
        assert!(matches!(
            report.faults[1].problem,
            ImportProblem::Unfinished
        ));
        assert!(matches!(
            report.faults[2].problem,
            ImportProblem::NoRules(_)
        ));
        let again = host.import(&ann, &rules, TWO.into()).await;
        assert_eq!(again.imported, 0);
        assert!(matches!(again.faults[0].problem, ImportProblem::Known));
        store.file_games(10).await.unwrap();
        let own = Search {
            own: Some("ann".into()),
            ..Search::default()
        };
        let found = store
            .search(&Viewer::Visitor("ann".into()), &own, None, 10)
            .await
            .unwrap();
        assert_eq!(found.entries[0].players.defenders, "Ann");
        assert_eq!(found.entries[0].ended_ms, 1_709_208_000_000);
        let others = store
            .search(&Viewer::Visitor("bob".into()), &Search::default(), None, 10)
            .await
            .unwrap();
        assert!(others.entries.is_empty());
    }

    #[tokio::test]
    async fn imported_games_change_no_ratings() {
        let store = Store::open(&Location::Memory).await.unwrap();
        let host = Host::new(store.clone(), Limits::default());
        let rules = host.rules("ashton").unwrap().clone();
        let games = include_str!("../../../games/challenge-won.tablut");
        let report = host
            .import(&Visitor::new("ann"), &rules, games.into())
            .await;
        assert!(report.imported > 0, "{:?}", report.faults);
        let known = store.rating_of("ashton", "weakmind", Side::Defenders).await;
        assert_eq!(known.unwrap(), None);
        let ratings = Ratings::load(&store).await.unwrap();
        assert_eq!((ratings.players.len(), ratings.left_out), (0, 0));
        assert!(ratings.sets.is_empty());
    }

    #[tokio::test]
    async fn texts_without_games_are_reported_whole() {
        let host = Host::new(
            Store::open(&Location::Memory).await.unwrap(),
            Limits::default(),
        );
        let rules = host.rules("ashton").unwrap().clone();
        for (text, is_position) in [
            ("", false),
            ("hello", false),
            ("9/9/9/9/4K4/9/9/9/9 w", true),
            ("[Rules \"x", false),
        ] {
            let report = host.import(&Visitor::new("ann"), &rules, text.into()).await;
            assert_eq!((report.imported, report.faults.len()), (0, 1), "{text}");
            assert_eq!(
                matches!(report.faults[0].problem, ImportProblem::NotAGame),
                is_position,
                "{text}"
            );
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(read_date("1970-01-01"), Some(43_200_000));
        assert_eq!(read_date("2000.03.01 10:00"), Some(951_912_000_000));
        for text in ["", "????.??.??", "2024-13-01", "yesterday", "1492-01-01"] {
            assert_eq!(read_date(text), None, "{text}");
        }
    }
}
