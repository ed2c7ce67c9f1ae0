//! What a shared link shows: a position with a line of moves, a study, or a game.
//!
//! `/analysis/RULES/SETUP/LINE`, `/study/ID` and `/game/ID` are addresses of the page; behind `/image` and `/embed`
//! they name pictures and boards for other sites. Whatever is shown here anybody may see who has the link.

use std::{borrow::Cow, sync::Arc};

use percent_encoding::percent_decode_str;
use tablut_host::{Host, NodeKey, Study, exchange};
use tablut_rules::{Game, Move, Outcome, Rules, Setup};
use tablut_store::{Entity, StoreError};

/// The most moves of a line in an address.
const LONGEST_LINE: usize = 1000;

/// Why an address shows nothing, in English.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ExhibitError {
    /// It names nothing that is here.
    #[error("{0}")]
    Missing(String),
    /// It cannot be understood.
    #[error("{0}")]
    Faulty(String),
    /// The store failed.
    #[error("the store failed; try again in a moment")]
    Store,
}

/// What an address names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Address {
    /// A position and moves from there on.
    Line {
        /// The id of the rule set.
        rules: String,
        /// The position in one line; nothing for the start.
        setup: Option<String>,
        /// The moves.
        moves: Vec<Move>,
    },
    /// A game that is kept, by its id.
    Game(String),
    /// A study that has a name, by its id.
    Study(String),
}

impl Address {
    /// Reads a path without the slash in front.
    pub(crate) fn read(path: &str) -> Result<Self, ExhibitError> {
        let faulty = |text: &str| ExhibitError::Faulty(text.into());
        let decode = |part| percent_decode_str(part).decode_utf8().ok();
        let parts: Option<Vec<Cow<'_, str>>> = path.split('/').map(decode).collect();
        let parts = parts.ok_or_else(|| faulty("the address is not text"))?;
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        match parts[..] {
            ["game", id] | ["analysis", "game", id, ..] => Ok(Self::Game(id.into())),
            ["study", id] => Ok(Self::Study(id.into())),
            ["analysis", rules] => Self::line(rules, "start", ""),
            ["analysis", rules, setup] => Self::line(rules, setup, ""),
            ["analysis", rules, setup, line] => Self::line(rules, setup, line),
            _ => Err(faulty(
                "pictures and boards are of /game/ID, /study/ID or /analysis/RULES/SETUP/LINE, where SETUP \
                 is `start` or a position with . for / and _ for a blank, and LINE is moves with dots \
                 between them, such as e4d4.d1c1",
            )),
        }
    }

    fn line(rules: &str, setup: &str, line: &str) -> Result<Self, ExhibitError> {
        let words = line.split('.').filter(|word| !word.is_empty());
        let moves: Result<Vec<Move>, ExhibitError> = words
            .take(LONGEST_LINE + 1)
            .map(|word| {
                let step = word.parse();
                step.map_err(|error| {
                    let word: String = word.chars().take(20).collect();
                    ExhibitError::Faulty(format!("{word:?} is not a move: {error}"))
                })
            })
            .collect();
        let moves = moves?;
        if moves.len() > LONGEST_LINE {
            let text = format!("a line has at most {LONGEST_LINE} moves");
            return Err(ExhibitError::Faulty(text));
        }
        Ok(Self::Line {
            rules: rules.into(),
            setup: (setup != "start").then(|| setup.replace('.', "/").replace('_', " ")),
            moves,
        })
    }
}

/// The value of a key in the query of an address.
pub(crate) fn asked<'a>(query: &'a str, key: &str) -> Option<Cow<'a, str>> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut values = pairs.filter_map(|(name, value)| (name == key).then_some(value));
    percent_decode_str(values.next()?).decode_utf8().ok()
}

/// What an address shows.
#[derive(Clone, Debug)]
pub(crate) struct Exhibit {
    pub(crate) rules: Arc<Rules>,
    /// Where it starts: any pieces on a board.
    pub(crate) start: Setup,
    /// The moves; nothing if no game can start there.
    pub(crate) game: Option<Game>,
    /// What a study is called.
    pub(crate) name: Option<String>,
    /// Of a game that is kept: who plays, White first, and how it ended.
    pub(crate) players: Option<[String; 2]>,
    pub(crate) outcome: Option<Outcome>,
    /// Whether it can change.
    pub(crate) is_live: bool,
}

impl Exhibit {
    /// Finds what an address names.
    pub(crate) async fn find(host: &Host, address: &Address) -> Result<Self, ExhibitError> {
        match address {
            Address::Line {
                rules,
                setup,
                moves,
            } => Self::of_line(host, rules, setup.as_deref(), moves),
            Address::Game(id) => Self::of_game(host, id).await,
            Address::Study(id) => Self::of_study(host, id).await,
        }
    }

    fn of_line(
        host: &Host,
        id: &str,
        setup: Option<&str>,
        moves: &[Move],
    ) -> Result<Self, ExhibitError> {
        let faulty = |text: String| ExhibitError::Faulty(text);
        let rules = rules(host, id)?;
        let first = rules.set().first();
        let start = match setup {
            None => Setup::from(&rules.start()),
            Some(text) if text.contains(' ') => text
                .parse()
                .map_err(|error| faulty(no_setup(text, error)))?,
            Some(text) => {
                Setup::from_board(text, first).map_err(|error| faulty(no_setup(text, error)))?
            }
        };
        if start.size() != rules.size() {
            let (rows, wanted) = (start.size().rows(), rules.size().rows());
            let text = format!("this position has {rows} rows, but the board of {id} has {wanted}");
            return Err(ExhibitError::Faulty(text));
        }
        let game = match exchange::play(&rules, &start, moves) {
            Ok(game) => Some(game),
            // Any pieces on a board can be looked at.
            Err(_) if moves.is_empty() => None,
            Err(error) => return Err(faulty(format!("the line cannot be played: {error}"))),
        };
        Ok(Self {
            rules,
            start,
            game,
            name: None,
            players: None,
            outcome: None,
            is_live: false,
        })
    }

    /// The main line of a study that has a name.
    async fn of_study(host: &Host, id: &str) -> Result<Self, ExhibitError> {
        let missing = || ExhibitError::Missing("there is no such study here".into());
        let kept = host.store().study(id).await.map_err(|error| match error {
            StoreError::Missing(_) => missing(),
            _ => ExhibitError::Store,
        })?;
        let name = kept.title.name.ok_or_else(missing)?;
        let study = Study::read(&kept.body, "", NodeKey::ROOT);
        let study = study.map_err(|error| ExhibitError::Faulty(error.to_string()))?;
        let body = study.body();
        let line = body.tree.path(body.after(usize::MAX));
        let rules = rules(host, &body.rules)?;
        let mut game = exchange::play(&rules, &body.setup, &[]).ok();
        for &step in game.is_some().then_some(&line).into_iter().flatten() {
            // A line may go on where a law ended the game; it is shown up to there.
            if game.as_mut().is_none_or(|game| game.play(step).is_err()) {
                break;
            }
        }
        Ok(Self {
            rules,
            start: body.setup,
            game,
            name: Some(name),
            players: None,
            outcome: None,
            is_live: true,
        })
    }

    async fn of_game(host: &Host, id: &str) -> Result<Self, ExhibitError> {
        let missing = |error| match error {
            StoreError::Missing(Entity::Game) => {
                ExhibitError::Missing("there is no such game here".into())
            }
            _ => ExhibitError::Store,
        };
        let kept = host.store().game(id).await.map_err(missing)?;
        let record = host.store().record(&kept).await.map_err(missing)?;
        let rules = rules(host, &kept.rules)?;
        let start = kept.setup.unwrap_or_else(|| Setup::from(&rules.start()));
        let game = exchange::play(&rules, &start, &[]);
        let mut game = game.map_err(|error| ExhibitError::Faulty(error.to_string()))?;
        let tree = record.tree();
        // A contest may go on where our laws end a game; it is shown up to there.
        for step in tree.main_line().filter_map(|node| tree.step(node)) {
            if game.play(step).is_err() {
                break;
            }
        }
        let player = |key: &str| record.header(key).unwrap_or_default().to_string();
        Ok(Self {
            rules,
            start,
            game: Some(game),
            name: None,
            players: Some(["White", "Black"].map(player)),
            outcome: kept.outcome,
            is_live: kept.outcome.is_none(),
        })
    }

    /// The moves.
    pub(crate) fn steps(&self) -> Vec<Move> {
        let plies = self.game.as_ref().map_or(&[][..], |game| game.plies());
        plies.iter().map(|ply| ply.step).collect()
    }

    /// How many moves there are.
    pub(crate) fn plies(&self) -> usize {
        self.game.as_ref().map_or(0, |game| game.plies().len())
    }

    /// The position after some moves, and the move that led there.
    pub(crate) fn at(&self, ply: usize) -> (Setup, Option<Move>) {
        let plies = self.game.as_ref().map_or(&[][..], |game| game.plies());
        match ply.checked_sub(1).and_then(|n| plies.get(n)) {
            Some(ply) => (Setup::from(&ply.position), Some(ply.step)),
            None => (self.start, None),
        }
    }

    /// What it is, in a few words that every language has: who plays, or what is on the board.
    pub(crate) fn title(&self) -> String {
        match &self.players {
            // Colours as signs; a person without a name is known by the colour.
            Some(players) => {
                let [white, black] = players.each_ref().map(|player| match player.as_str() {
                    "person" => String::new(),
                    player => format!(" {player}"),
                });
                format!("○{white} – ●{black}")
            }
            None => self.name.clone().unwrap_or_else(|| "Tablut".into()),
        }
    }
}

fn rules(host: &Host, id: &str) -> Result<Arc<Rules>, ExhibitError> {
    host.rules(id).cloned().ok_or_else(|| {
        let ids: Vec<&str> = host
            .rule_sets()
            .iter()
            .map(|rules| rules.set().id())
            .collect();
        let id: String = id.chars().take(40).collect();
        let ids = ids.join(", ");
        ExhibitError::Missing(format!("there is no rule set {id:?} here; there are {ids}"))
    })
}

fn no_setup(text: &str, error: impl std::fmt::Display) -> String {
    let text: String = text.chars().take(120).collect();
    format!("{text:?} is not a position: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_game_or_a_line() {
        let address = Address::read("game/abc").expect("an address");
        assert_eq!(address, Address::Game("abc".into()));
        let address = Address::read("study/abc").expect("an address");
        assert_eq!(address, Address::Study("abc".into()));
        let address = Address::read("analysis/ashton/9.9.1b1K5.9.9.9.9.9.9_b/b3c3.d3d1");
        let Ok(Address::Line {
            rules,
            setup,
            moves,
        }) = address
        else {
            panic!("{address:?}");
        };
        assert_eq!(rules, "ashton");
        assert_eq!(setup.as_deref(), Some("9/9/1b1K5/9/9/9/9/9/9 b"));
        assert_eq!(moves.len(), 2);
        // Whoever writes slashes and blanks as they are in addresses is understood too.
        let same =
            Address::read("analysis/ashton/9%2F9%2F1b1K5%2F9%2F9%2F9%2F9%2F9%2F9%20b/b3c3.d3d1");
        assert_eq!(
            same,
            Address::read("analysis/ashton/9.9.1b1K5.9.9.9.9.9.9_b/b3c3.d3d1")
        );
    }

    #[test]
    fn what_is_no_address_is_refused_in_words() {
        let long = format!("analysis/ashton/start/{}", "e4e3.".repeat(1001));
        for path in [
            "",
            "game",
            "game/a/b",
            "analysis",
            "analysis/a/b/c/d",
            "analysis/ashton/start/e4e4e4",
            "analysis/ashton/%ff",
            &long,
        ] {
            let error = Address::read(path).expect_err(path);
            assert!(error.to_string().len() > 15, "{error}");
        }
    }

    #[test]
    fn a_query_has_keys_and_values() {
        let query = "turn=2&arrows=red%3Ae4e3&turn=3&flag";
        assert_eq!(asked(query, "turn").as_deref(), Some("2"));
        assert_eq!(asked(query, "arrows").as_deref(), Some("red:e4e3"));
        assert_eq!(asked(query, "flag"), None);
        assert_eq!(asked("", "turn"), None);
    }
}
