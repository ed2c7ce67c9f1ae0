//! The fast code held against the oracle. The first difference comes back in words.

use std::{format, string::String, vec, vec::Vec};

use tablut_rules::{
    Applied, BySide, End, Game, Laws, Move, PlayError, Position, Preview, Rules, Setup, Square,
};

use super::{
    Board, Dice, Oracle, Place, Record,
    board::{places, places_in},
    capture::Played,
    movement::Lane,
};

/// What a comparison came across, so that a test can tell whether it tried enough.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub(crate) moves: u32,
    pub(crate) capturing: u32,
    pub(crate) captured: u32,
    pub(crate) escaped: u32,
    pub(crate) two_lanes: u32,
    pub(crate) calls: u32,
}

impl Seen {
    fn count(&mut self, played: &Played) {
        self.moves += 1;
        self.capturing += u32::from(!played.captured.is_empty());
        match played.end {
            None => {}
            Some(End::KingCaptured) => self.captured += 1,
            Some(End::KingEscaped) => self.escaped += 1,
            Some(End::TwoLanes) => self.two_lanes += 1,
        }
    }
}

impl std::ops::AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        self.capturing += other.capturing;
        self.captured += other.captured;
        self.escaped += other.escaped;
        self.two_lanes += other.two_lanes;
        self.calls += other.calls;
    }
}

/// Fails with both values in words unless they are equal.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, fast: &T, oracle: &T) -> Result<(), String> {
    if fast == oracle {
        Ok(())
    } else {
        Err(format!("{what}: {fast:?}, but the oracle says {oracle:?}"))
    }
}

/// Compares the start with the one that the rule set names.
///
/// # Errors
/// Describes the difference.
pub(crate) fn compare_start(rules: &Rules) -> Result<(), String> {
    let (start, set) = (rules.start(), rules.set());
    same("start", &Board::from(&start), &Board::from(&set.start()))?;
    same("first to move", &start.side(), &set.first())?;
    same("quiet moves", &start.quiet(), &0)
}

/// Compares everything about a position: moves, where each leads, calls, key.
///
/// # Errors
/// Describes the first difference.
pub(crate) fn compare_position(rules: &Rules, position: &Position) -> Result<Seen, String> {
    position_differs(rules, position).map_err(|what| format!("{position}: {what}"))
}

fn position_differs(rules: &Rules, position: &Position) -> Result<Seen, String> {
    let oracle = Oracle::new(rules.set());
    let board = Board::from(position);
    let mut seen = Seen::default();
    same("key", &position.key(), &position.fresh_key())?;
    seen.calls = lanes_differ(rules, position, &board)?;

    let mut expected = oracle.moves(&board, position.side());
    expected.sort();
    let list = rules.moves(position);
    let mut found: Vec<_> = list.iter().map(|&step| places(step)).collect();
    found.sort();
    same("moves", &found, &expected)?;
    same(
        "number of moves",
        &rules.count_moves(position),
        &expected.len(),
    )?;
    same(
        "having moves",
        &rules.has_moves(position),
        &!expected.is_empty(),
    )?;

    for &step in &list {
        let (from, to) = places(step);
        let played = oracle.play(&board, from, to);
        let applied = rules.apply_unchecked(position, step);
        applied_differs(position, &applied, &played).map_err(|what| format!("{step}: {what}"))?;
        seen.count(&played);
        if !played.captured.is_empty() || played.end == Some(End::KingCaptured) {
            causes_differ(rules, position, step)?;
        }
    }
    Ok(seen)
}

/// Checks that what is said about a move's captures is true.
fn causes_differ(rules: &Rules, position: &Position, step: Move) -> Result<(), String> {
    let mut moved = Setup::from(position);
    moved.put(step.from(), None);
    moved.put(step.to(), position.piece_at(step.from()));
    let (oracle, moved) = (Oracle::new(rules.set()), Board::from(&moved));
    for capture in rules.explain_captures(position, step).unwrap_or_default() {
        if !oracle.is_cause(&moved, position.side(), &capture) {
            return Err(format!("{step}: {capture:?} is not true"));
        }
    }
    Ok(())
}

/// Checks that what is said against a move that cannot be made is true.
fn reason_differs(rules: &Rules, setup: &Setup, board: &Board, step: Move) -> Result<(), String> {
    // Of moves that could never be, and of empty squares, a few are enough.
    let is_straight = step.from().direction_to(step.to()).is_some();
    let is_piece = setup.piece_at(step.from()).is_some();
    if !(is_straight && is_piece) && step.to().index() % 16 > 0 {
        return Ok(());
    }
    let oracle = Oracle::new(rules.set());
    match rules.view(setup).explain(step) {
        Err(reason) if oracle.is_reason(board, places(step), reason) => Ok(()),
        reason => Err(format!("{reason:?} is not true of {step}")),
    }
}

/// Compares what a move leads to.
fn applied_differs(before: &Position, applied: &Applied, played: &Played) -> Result<(), String> {
    let after = &applied.position;
    same("captured", &places_in(applied.captured), &played.captured)?;
    same("end", &applied.end, &played.end)?;
    same("board after", &Board::from(after), &played.board)?;
    let pieces = BySide::from_fn(|side| after.pieces(side));
    same(
        "piece of both sides",
        &pieces.attackers.is_disjoint(pieces.defenders),
        &true,
    )?;
    same("side to move", &after.side(), &before.side().opponent())?;
    let king = Place::from(after.king());
    same("kings", &vec![king], &played.board.kings())?;
    let quiet = if played.captured.is_empty() {
        before.quiet().saturating_add(1)
    } else {
        0
    };
    same("quiet moves", &after.quiet(), &quiet)?;
    same("key after", &after.key(), &after.fresh_key())
}

/// Compares the king's open lanes and counts them.
fn lanes_differ(rules: &Rules, position: &Position, board: &Board) -> Result<u32, String> {
    let king = Place::from(position.king());
    let expected = Oracle::new(rules.set()).lanes(board, king);
    let mut found: [Option<Lane>; 4] = [const { None }; 4];
    for lane in rules.calls(position).lanes() {
        // Directions come in the order up, down, left, right, as the oracle's ways do.
        found[lane.direction as usize] = Some(Lane {
            goal: Place::from(lane.goal),
            path: places_in(lane.path),
        });
    }
    same("lanes", &found, &expected)?;
    Ok(expected.iter().flatten().count() as u32)
}

/// Compares where every piece of a set-up can go and what it would capture there, whoever is to
/// move and however many kings there are.
///
/// # Errors
/// Describes the first difference.
pub(crate) fn compare_setup(rules: &Rules, setup: &Setup) -> Result<Seen, String> {
    setup_differs(rules, setup).map_err(|what| format!("{setup}: {what}"))
}

fn setup_differs(rules: &Rules, setup: &Setup) -> Result<Seen, String> {
    let oracle = Oracle::new(rules.set());
    let board = Board::from(setup);
    let mut seen = Seen::default();
    for from in (0..Square::COUNT).filter_map(Square::from_index) {
        let place = Place::from(from);
        let mut targets = oracle.targets(&board, place);
        targets.sort();
        let reach = places_in(rules.view(setup).targets(from));
        same(&format!("reach of {from}"), &reach, &targets)?;
        for to in (0..Square::COUNT).filter_map(Square::from_index) {
            let step = Move::new(from, to);
            let preview = rules.view(setup).preview(step);
            let expected = targets
                .contains(&Place::from(to))
                .then(|| match board.kings()[..] {
                    // With one king there is a game, and two lanes may win it.
                    [_] => oracle.play(&board, place, Place::from(to)),
                    _ => oracle.shift(&board, place, Place::from(to)),
                });
            match (preview, expected) {
                (None, None) => reason_differs(rules, setup, &board, step)?,
                (Some(preview), Some(played)) => {
                    preview_differs(setup, step, &preview, &played)
                        .map_err(|what| format!("preview of {step}: {what}"))?;
                    seen.count(&played);
                }
                (preview, expected) => {
                    let what = format!("preview of {step}");
                    same(&what, &preview.is_some(), &expected.is_some())?;
                }
            }
        }
    }
    Ok(seen)
}

/// Compares what a move on a set-up would do.
fn preview_differs(
    before: &Setup,
    step: Move,
    preview: &Preview,
    played: &Played,
) -> Result<(), String> {
    same("captured", &places_in(preview.captured), &played.captured)?;
    same("end", &preview.end, &played.end)?;
    same("board after", &Board::from(&preview.setup), &played.board)?;
    let mover = before.piece_at(step.from()).map(|piece| piece.side());
    let side = preview.setup.side();
    same("side to move", &Some(side.opponent()), &mover)?;
    let quiet = if played.captured.is_empty() {
        before.quiet().saturating_add(1)
    } else {
        0
    };
    same("quiet moves", &preview.setup.quiet(), &quiet)
}

/// Plays a game at random, with many moves back and forth, and compares how it stands after every
/// move. Without laws of its own the game is played under those of the rule set.
///
/// # Errors
/// Describes the first difference.
pub(crate) fn compare_game(
    rules: &Rules,
    start: &Position,
    laws: Option<Laws>,
    plies: usize,
    dice: &mut Dice,
) -> Result<Option<tablut_rules::Outcome>, String> {
    let oracle = Oracle::new(rules.set());
    let board = (Board::from(start), start.side());
    let expected = laws.unwrap_or_else(|| Record::laws_of(rules.set()));
    let mut record = Record::new(oracle, expected, board, start.quiet());
    let laws = laws.unwrap_or_else(|| rules.laws());
    let mut game = Game::from_position(rules.clone(), *start, laws);
    let context = |what: String, game: &Game| {
        let moves: Vec<_> = game.plies().iter().map(|ply| ply.step).collect();
        format!("{start} {moves:?} under {laws:?}: {what}")
    };
    game_differs(&game, &record).map_err(|what| context(what, &game))?;
    for _ in 0..plies {
        let Some(step) = next_step(&oracle, &game, &record, dice) else {
            break;
        };
        if let Err(error) = game.play(step) {
            return Err(context(format!("{step} is refused: {error}"), &game));
        }
        let (from, to) = places(step);
        record.play(from, to);
        let compared = game_differs(&game, &record)
            .and_then(|()| redo_differs(&mut game, &record, dice))
            .and_then(|()| refusal_differs(&mut game, &oracle, &record, dice));
        compared.map_err(|what| context(what, &game))?;
    }
    Ok(record.outcome())
}

/// The next move of a random game: half the time a piece goes back where it came from.
fn next_step(
    oracle: &Oracle<'_>,
    game: &Game,
    record: &Record<'_>,
    dice: &mut Dice,
) -> Option<Move> {
    let (board, side) = record.present();
    let moves = oracle.moves(&board, side);
    if record.outcome().is_some() || moves.is_empty() {
        return None;
    }
    let last = game.plies().iter().rev().nth(1).map(|ply| places(ply.step));
    let back = last.map(|(from, to)| (to, from));
    let (from, to) = match back {
        Some(back) if moves.contains(&back) && dice.once_in(2) => back,
        _ => dice.pick(&moves),
    };
    Some(Move::new(from.square(), to.square()))
}

/// Compares how a game stands.
fn game_differs(game: &Game, record: &Record<'_>) -> Result<(), String> {
    let (board, side) = record.present();
    same("board", &Board::from(game.position()), &board)?;
    same("side to move", &game.position().side(), &side)?;
    same("outcome", &game.outcome(), &record.outcome())?;
    let expected = record.occurrences();
    same("occurrences", &game.occurrences(), &expected)?;
    let by_key = game.history().occurrences(game.laws(), game.position());
    same("occurrences by key", &by_key, &expected)
}

/// Takes a move back and makes it again now and then; nothing may have changed.
fn redo_differs(game: &mut Game, record: &Record<'_>, dice: &mut Dice) -> Result<(), String> {
    if dice.once_in(8) {
        same("undo", &game.undo(), &true)?;
        same("outcome after undo", &game.outcome(), &None)?;
        same("redo", &game.redo(), &true)?;
        game_differs(game, record)?;
    }
    Ok(())
}

/// Tries any two squares as a move now and then: only a legal one may be accepted, and none once
/// the game is over.
fn refusal_differs(
    game: &mut Game,
    oracle: &Oracle<'_>,
    record: &Record<'_>,
    dice: &mut Dice,
) -> Result<(), String> {
    let (board, side) = record.present();
    let [from, to] = [(); 2].map(|()| {
        let square = Square::from_index(dice.below(Square::COUNT));
        square.expect("a number below 81 is a square")
    });
    let step = Move::new(from, to);
    let is_legal = oracle.moves(&board, side).contains(&places(step));
    match game.clone().play(step) {
        Ok(_) => same(&format!("{step} is accepted"), &true, &is_legal)?,
        Err(error) => match error {
            PlayError::Over(outcome) => same("outcome", &Some(outcome), &record.outcome())?,
            refused => same(&format!("{step} is legal ({refused})"), &false, &is_legal)?,
        },
    }
    if record.outcome().is_some() {
        let over = matches!(game.play(step), Err(PlayError::Over(_)));
        same("refusal after the end", &over, &true)?;
    }
    Ok(())
}
