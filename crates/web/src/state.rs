//! Games, positions and rules as messages.

use tablut_host::{Drawing, NodeView, OpenedStudy, Survey, View, speech::sentence};
use tablut_rules::{Bitboard, BySide, Calls, Outcome, Rules, Setup, Side, Square, text::Lang};
use tablut_store::{Game, SeatPlayer};

use crate::message::{
    DrawingInfo, GameEntry, GameState, LaneInfo, NodeInfo, OutcomeInfo, PositionInfo, SeatInfo,
    SetInfo, StudyState, SurveyInfo, TargetInfo, TaskBoard,
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
pub(crate) fn survey_info(survey: &Survey, lang: Lang) -> SurveyInfo {
    let all_lanes: Vec<LaneInfo> = survey
        .calls
        .iter()
        .flat_map(|(king, calls)| lanes(*king, calls))
        .collect();
    let call = survey.calls.iter().find_map(|(_, calls)| calls.word());
    SurveyInfo {
        setup: survey.setup.to_string(),
        faults: survey
            .faults
            .iter()
            .map(|fault| sentence(&fault.sentence(lang)))
            .collect(),
        targets: survey
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
        capturable: BySide::from_fn(|side| names(survey.capturable[side])),
        hostile: BySide::from_fn(|side| names(survey.hostile[side])),
        outcome: survey
            .outcome
            .map(|outcome| outcome_info(outcome, lang).text),
        captures: survey
            .captures
            .iter()
            .map(|&squares| names(squares))
            .collect(),
    }
}

/// A study as a visitor sees it.
pub(crate) fn study_state(opened: &OpenedStudy) -> StudyState {
    let study = &opened.study;
    let body = study.body();
    let (undo, redo) = study.can_undo_redo();
    let nodes = study.view(&opened.rules).into_iter();
    StudyState {
        study: opened.id.clone(),
        name: opened.name.clone(),
        version: opened.version,
        own: opened.is_own,
        place: PositionInfo {
            rules: body.rules.clone(),
            setup: body.setup.to_string(),
        },
        by_rules: study.by_rules(),
        cursor: study.cursor().0,
        nodes: nodes.map(|view| node_info(&view)).collect(),
        undo,
        redo,
        headers: body.headers.clone(),
    }
}

fn node_info(view: &NodeView<'_>) -> NodeInfo {
    let remarks = &view.node.remarks;
    let drawing = |drawing: &Drawing| DrawingInfo {
        from: drawing.from.to_string(),
        to: drawing.to.map(|to| to.to_string()),
    };
    NodeInfo {
        node: view.key.0,
        parent: view.node.parent().0,
        step: view.node.step().map(|step| step.to_string()),
        takes: names(view.captured),
        ends: view.end.is_some(),
        nags: remarks.nags.clone(),
        comment: remarks.comment.clone(),
        score: remarks.score.map(|score| score.to_string()),
        clock: remarks.clock_ms,
        drawings: remarks.drawings.iter().map(drawing).collect(),
    }
}

/// Whether a board tells which moves win at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Winning {
    /// It does.
    Shown,
    /// It does not: that is for the visitor to find out.
    Hidden,
}

/// A game in which something is to be done.
pub(crate) fn task_board(game: &tablut_rules::Game, winning: Winning) -> TaskBoard {
    let position = game.position();
    let is_over = game.outcome().is_some();
    let mut open = match is_over {
        true => Vec::new(),
        false => targets(game.rules(), position),
    };
    if winning == Winning::Hidden {
        open.iter_mut().for_each(|target| target.wins = false);
    }
    let calls = game.rules().calls(position);
    TaskBoard {
        setup: Setup::from(position).to_string(),
        turn: position.side(),
        targets: open,
        lanes: match is_over {
            true => Vec::new(),
            false => lanes(position.king(), &calls).collect(),
        },
        last: game.plies().last().map(|ply| ply.step.to_string()),
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
        unserved: view.is_unserved,
        draw_declined: view.declined.draw,
        take_back: view.play.take_back(),
        take_back_declined: view.declined.take_back,
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

/// A game in a visitor's list, and what is on its board if that is wanted.
pub(crate) fn game_entry(
    game: &Game,
    board: Option<Setup>,
    visitor: &str,
    lang: Lang,
) -> GameEntry {
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
        setup: board.map(|setup| setup.to_string()),
        outcome: game.outcome.map(|outcome| outcome_info(outcome, lang)),
        changed_ms: game.changed_ms,
    }
}
