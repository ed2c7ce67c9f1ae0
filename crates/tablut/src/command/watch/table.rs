//! A game of a server on the screen of the terminal game.

use anyhow::{Context, Result};
use tablut_host::exchange;
use tablut_rules::{BuiltIn, BySide, Move, Setup, record::Record, text::Lang};
use tablut_web::message::GameState;

use crate::tui::{
    table::{HEADERS, Kind, Table},
    text::Text,
};

/// A game of a server, as the terminal shows it.
pub(super) fn table(state: &GameState, lang: Lang) -> Result<Table> {
    let set: Option<BuiltIn> = state.rules.parse().ok();
    let rules = set.map(BuiltIn::rules).with_context(|| {
        format!(
            "the game is played by {:?}, a rule set this program does not have; use the program \
             of the server's version",
            state.rules
        )
    })?;
    let start: Setup = state.start.parse().context("the server sent no position")?;
    let moves = state.plies.iter().map(|(step, _)| step.parse());
    let moves: Vec<Move> = moves.collect::<Result<_, _>>().context("no move")?;
    let game = exchange::play(&rules, &start, &moves)?;
    let seats = BySide {
        attackers: &state.seats.attackers,
        defenders: &state.seats.defenders,
    };
    let names = seats.map(|seat| {
        let (name, text) = (seat.name.clone(), Text::of(lang));
        let name = name.unwrap_or_else(|| seat.player.clone());
        match seat.present {
            true => name,
            false => format!("{name} ({})", text.away),
        }
    });
    let mut record = Record::from_game(&game);
    for (side, key) in HEADERS {
        let seat = seats[side];
        let name = seat.name.clone().unwrap_or_else(|| seat.player.clone());
        let _ = record.set_header(key, name);
    }
    Ok(Table {
        id: state.game.clone(),
        kind: Kind::Watched,
        names,
        yours: BySide::both(false),
        left_ms: seats.map(|seat| seat.left),
        running: state.running,
        is_waiting: !state.started,
        outcome: state.outcome.as_ref().map(|outcome| outcome.text.clone()),
        trouble: None,
        draw_offer: state.draw_offer,
        record,
        game,
    })
}
