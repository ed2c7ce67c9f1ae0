//! A game as it is shown, wherever it comes from: played here, watched elsewhere, or read from a file.

use tablut_host::{View, speech::sentence};
use tablut_rules::{
    BySide, Game, Setup, Side,
    record::Record,
    text::{Lang, harmless},
};

use super::text::Text;

/// Whether moves can be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The game is played here.
    Played,
    /// The game is played elsewhere.
    Watched,
    /// The game was read from a file.
    Read,
}

/// A game as it is shown.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// The id of a game that is kept.
    pub(crate) id: String,
    /// Where the game comes from.
    pub(crate) kind: Kind,
    /// Its moves.
    pub(crate) game: Game,
    /// Who plays.
    pub(crate) names: BySide<String>,
    /// Whether each side is played from this keyboard.
    pub(crate) yours: BySide<bool>,
    /// What each side has left on its clock, in milliseconds.
    pub(crate) left_ms: BySide<Option<u64>>,
    /// Whose clock runs.
    pub(crate) running: Option<Side>,
    /// Whether a person has to come before moves can be made.
    pub(crate) is_waiting: bool,
    /// How it ended, as a sentence.
    pub(crate) outcome: Option<String>,
    /// What went wrong with a program that plays.
    pub(crate) trouble: Option<String>,
    /// Who offers a draw.
    pub(crate) draw_offer: Option<Side>,
    /// The game as it would be saved.
    pub(crate) record: Record,
}

impl Table {
    /// A game that is played here from some seats.
    pub(crate) fn of_view(view: &View, yours: BySide<bool>, lang: Lang) -> Self {
        let name = |side: Side| {
            let seat = &view.seats[side];
            match &seat.name {
                Some(name) => name.clone(),
                None if seat.player.is_person() && yours[side] => Text::of(lang).you.to_string(),
                None => seat.player.to_string(),
            }
        };
        let outcome = view.play.outcome();
        let mut record = view.play.record();
        record.outcome = outcome;
        for (side, key) in HEADERS {
            let seat = &view.seats[side];
            let name = seat.name.clone().unwrap_or_else(|| seat.player.to_string());
            // A name that is no header is left out.
            let _ = record.set_header(key, name);
        }
        Self {
            id: view.game.id.clone(),
            kind: Kind::Played,
            game: view.play.game().clone(),
            names: BySide::from_fn(name),
            yours,
            left_ms: BySide::from_fn(|side| view.left_ms(side)),
            running: Side::ALL.into_iter().find(|&side| view.runs(side)),
            is_waiting: !view.play.has_started() && outcome.is_none(),
            outcome: outcome.map(|outcome| sentence(&outcome.sentence(lang))),
            trouble: view.trouble.clone(),
            draw_offer: view.play.draw_offer(),
            record,
        }
    }

    /// A game that was read from a file.
    pub(crate) fn of_record(record: Record, game: Game, lang: Lang) -> Self {
        let header = |key: &str| harmless(record.header(key).unwrap_or("?")).into_owned();
        let outcome = record.outcome.or(game.outcome());
        Self {
            id: String::new(),
            kind: Kind::Read,
            names: HEADERS.map(header),
            yours: BySide::both(false),
            left_ms: BySide::both(None),
            running: None,
            is_waiting: false,
            outcome: outcome.map(|outcome| sentence(&outcome.sentence(lang))),
            trouble: None,
            draw_offer: None,
            record,
            game,
        }
    }

    /// How the game stood after this many moves.
    pub(crate) fn setup_after(&self, plies: usize) -> Setup {
        let position = match plies.checked_sub(1) {
            Some(last) => self.game.plies().get(last).map(|ply| &ply.position),
            None => Some(self.game.start()),
        };
        Setup::from(position.unwrap_or_else(|| self.game.position()))
    }

    /// How many moves were made.
    pub(crate) fn len(&self) -> usize {
        self.game.plies().len()
    }
}

/// The header of a record that names each side's player.
pub(crate) const HEADERS: BySide<&str> = BySide {
    attackers: "Black",
    defenders: "White",
};
