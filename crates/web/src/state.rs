//! Games, positions and rules as messages.

use tablut_host::{Study, View, speech::sentence};
use tablut_rules::{Bitboard, BySide, Calls, Outcome, Rules, Setup, Side, Square, text::Lang};
use tablut_store::{Game, SeatPlayer};

use crate::message::{
    GameEntry, GameState, LaneInfo, OutcomeInfo, SeatInfo, SetInfo, StudyInfo, TargetInfo,
};

fn names(squares: Bitboard) -> Vec<String> {
    squares.iter().map(|square| square.to_string()).collect()
}

/// A rule set and its board.
pub(crate) fn set_info(rules: &Rules, lang: Lang) -> SetInfo {
    SetInfo {
        id: rules.set().id().into(),
        name: rules.set().name_in(lang).to_string(),
        size: rules.size().rows(),
        start: Setup::from(&rules.start()).to_string(),
        castle: rules.castle().to_string(),
        camps: names(rules.camps()),
        escapes: names(rules.escapes()),
    }
}

fn lanes(king: Square, calls: &Calls) -> impl Iterator<Item = LaneInfo> + '_ {
    calls.lanes().map(move |lane| LaneInfo {
        king: king.to_string(),
        goal: lane.goal.to_string(),
    })
}

pub(crate) fn outcome_info(outcome: Outcome, lang: Lang) -> OutcomeInfo {
    OutcomeInfo {
        winner: outcome.winner,
        text: sentence(&outcome.sentence(lang)),
    }
}

/// What is known of a position.
pub(crate) fn study_info(study: &Study, lang: Lang) -> StudyInfo {
    let all_lanes: Vec<LaneInfo> = study
        .calls
        .iter()
        .flat_map(|(king, calls)| lanes(*king, calls))
        .collect();
    let call = study.calls.iter().find_map(|(_, calls)| calls.word());
    StudyInfo {
        setup: study.setup.to_string(),
        faults: study
            .faults
            .iter()
            .map(|fault| sentence(&fault.sentence(lang)))
            .collect(),
        targets: study
            .targets
            .iter()
            .map(|target| TargetInfo {
                from: target.from.to_string(),
                to: target.to.to_string(),
                takes: names(target.captured),
                wins: target.end.is_some(),
            })
            .collect(),
        call: call.map(Into::into),
        lanes: all_lanes,
        capturable: BySide::from_fn(|side| names(study.capturable[side])),
        hostile: BySide::from_fn(|side| names(study.hostile[side])),
        outcome: study
            .outcome
            .map(|outcome| outcome_info(outcome, lang).text),
        captures: study
            .captures
            .iter()
            .map(|&squares| names(squares))
            .collect(),
    }
}

/// A game as the player of some sides sees it.
pub(crate) fn game_state(view: &View, seats: BySide<bool>, visitor: &str, lang: Lang) -> GameState {
    let game = view.play.game();
    let (rules, position) = (view.rules(), game.position());
    let turn = position.side();
    let outcome = view.play.outcome();
    let can_move = outcome.is_none() && view.play.has_started() && seats[turn];
    let calls = rules.calls(position);
    let open_seat = Side::ALL
        .into_iter()
        .find(|&side| !view.seats[side].taken && view.game.owner.is_visitor(visitor));
    GameState {
        game: view.game.id.clone(),
        rules: view.game.rules.clone(),
        start: Setup::from(game.start()).to_string(),
        plies: game
            .plies()
            .iter()
            .map(|ply| (ply.step.to_string(), names(ply.captured)))
            .collect(),
        setup: Setup::from(position).to_string(),
        turn,
        yours: yours(seats),
        seats: BySide::from_fn(|side| {
            let seat = &view.seats[side];
            SeatInfo {
                player: seat.player.to_string(),
                name: seat.name.clone(),
                taken: seat.taken,
                present: seat.present,
                men: position.pieces(side).len(),
                left: view.left_ms(side),
            }
        }),
        running: Side::ALL.into_iter().find(|&side| view.runs(side)),
        control: view.game.control.to_string(),
        started: view.play.has_started() || outcome.is_some(),
        targets: if can_move {
            targets(rules, position)
        } else {
            Vec::new()
        },
        call: calls.word().filter(|_| outcome.is_none()).map(Into::into),
        lanes: if outcome.is_none() {
            lanes(position.king(), &calls).collect()
        } else {
            Vec::new()
        },
        draw_offer: view.play.draw_offer(),
        draw_declined: view.declined,
        take_back: view.play.take_back(),
        take_backs: view.game.take_backs,
        outcome: outcome.map(|outcome| outcome_info(outcome, lang)),
        rematch: view.game.rematch.clone(),
        invitation: open_seat.map(|side| view.game.seats[side].secret.clone()),
    }
}

fn targets(rules: &Rules, position: &tablut_rules::Position) -> Vec<TargetInfo> {
    let moves = rules.moves(position);
    let target = |&step: &tablut_rules::Move| {
        let applied = rules.apply_unchecked(position, step);
        TargetInfo {
            from: step.from().to_string(),
            to: step.to().to_string(),
            takes: names(applied.captured),
            wins: applied.end.is_some(),
        }
    };
    moves.iter().map(target).collect()
}

fn yours(seats: BySide<bool>) -> Vec<Side> {
    let held = Side::ALL.into_iter().filter(|&side| seats[side]);
    held.collect()
}

/// A game in a visitor's list.
pub(crate) fn game_entry(game: &Game, visitor: &str, lang: Lang) -> GameEntry {
    let seats = game.seats.as_ref();
    let held = seats.map(|seat| seat.holder.as_deref() == Some(visitor));
    GameEntry {
        game: game.id.clone(),
        rules: game.rules.clone(),
        seats: BySide::from_fn(|side| {
            let seat = &game.seats[side];
            SeatInfo {
                player: seat.player.to_string(),
                name: seat.name.clone(),
                taken: seat.holder.is_some() || seat.player != SeatPlayer::Person,
                present: false,
                men: 0,
                left: seat.left_ms,
            }
        }),
        yours: yours(held),
        plies: game.plies,
        outcome: game.outcome.map(|outcome| outcome_info(outcome, lang)),
        changed_ms: game.changed_ms,
    }
}
