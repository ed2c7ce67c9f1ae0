//! Random rule sets, set-ups and laws: anything that is playable, with a taste for trouble.

use std::{num::NonZero, vec::Vec};

use tablut_rules::{
    Bitboard, BoardSize, CampClosed, CastleCross, CastleKing, CastleStop, Goals, KingFall, Laws,
    Name, NoMove, Piece, PieceSet, Quirk, Repetition, RepetitionResult, RuleSet, Setup, Side,
    Square, StartCounts, TwoLanes, text::Lang,
};

use super::{Dice, Oracle, Place};

/// A random square of a board, near another one half the time.
fn random_square(rows: u8, near: Option<Square>, dice: &mut Dice) -> Square {
    let last = usize::from(rows) - 1;
    let (row, column) = match near {
        Some(near) if dice.once_in(2) => {
            let (row, column) = (usize::from(near.row()), usize::from(near.column()));
            (
                dice.range(row.saturating_sub(2), (row + 2).min(last)),
                dice.range(column.saturating_sub(2), (column + 2).min(last)),
            )
        }
        _ => (dice.range(0, last), dice.range(0, last)),
    };
    let [row, column] = [row, column].map(|n| n as i32);
    Place { row, column }.square()
}

/// A random set-up with a number of kings; everything may stand everywhere.
///
/// Half the pieces stand near a king, who often stands on the castle or beside it, because that is
/// where the rules are difficult.
pub(crate) fn random_setup(set: &RuleSet, kings: usize, dice: &mut Dice) -> Setup {
    let rows = set.size().rows();
    let mut setup = Setup::empty(set.size(), dice.pick(&Side::ALL));
    while setup.pieces(Piece::King).len() < kings as u32 {
        let king = match dice.below(6) {
            0 => set.castle(),
            1 => dice.pick(&Place::from(set.castle()).sides()).square(),
            _ => random_square(rows, Some(set.castle()), dice),
        };
        setup.put(king, Some(Piece::King));
    }
    let centre = setup.pieces(Piece::King).first().unwrap_or(set.castle());
    let most = if set.size() == BoardSize::Seven {
        12
    } else {
        20
    };
    let attackers = dice.range(0, most);
    let defenders = dice.range(0, most / 2);
    for n in 0..attackers + defenders {
        let square = random_square(rows, Some(centre), dice);
        let piece = if n < attackers {
            Piece::Attacker
        } else {
            Piece::Defender
        };
        if setup.piece_at(square) != Some(Piece::King) {
            setup.put(square, Some(piece));
        }
    }
    if dice.once_in(2) {
        surround(&mut setup, centre, dice);
    }
    let quiet = dice.pick(&[0, 0, 0, 1, 7, u16::MAX - 3]);
    setup.with_quiet(quiet)
}

/// Puts attackers on most of the squares beside a square, but for one: a siege to be completed.
fn surround(setup: &mut Setup, centre: Square, dice: &mut Dice) {
    let rows = i32::from(setup.size().rows());
    let open = dice.below(4);
    for (n, side) in Place::from(centre).sides().into_iter().enumerate() {
        let on_board = (0..rows).contains(&side.row) && (0..rows).contains(&side.column);
        if n == open || !on_board || setup.piece_at(side.square()) == Some(Piece::King) {
            continue;
        }
        let piece = match dice.below(12) {
            0 => None,
            1 => Some(Piece::Defender),
            _ => Some(Piece::Attacker),
        };
        setup.put(side.square(), piece);
    }
}

/// A random set of kinds of piece.
fn random_kinds(dice: &mut Dice) -> PieceSet {
    Piece::ALL.into_iter().filter(|_| dice.once_in(2)).collect()
}

/// Up to four groups of squares that are neither the castle nor in two groups.
fn random_camps(size: BoardSize, castle: Square, dice: &mut Dice) -> Vec<Bitboard> {
    let mut taken = Bitboard::EMPTY.with(castle);
    let mut camps = Vec::new();
    for _ in 0..dice.below(5) {
        let centre = random_square(size.rows(), None, dice);
        let mut camp = Bitboard::EMPTY;
        for _ in 0..dice.range(1, 6) {
            let square = random_square(size.rows(), Some(centre), dice);
            if !taken.contains(square) {
                camp.insert(square);
                taken.insert(square);
            }
        }
        camps.push(camp);
    }
    camps
}

/// Random goals, never the castle.
fn random_goals(size: BoardSize, castle: Square, dice: &mut Dice) -> Goals {
    match dice.below(4) {
        0 => Goals::Corners,
        1 => {
            let squares = (0..dice.range(2, 12)).map(|_| random_square(size.rows(), None, dice));
            Goals::Squares(squares.filter(|&square| square != castle).collect())
        }
        _ => Goals::Edge,
    }
}

/// When a repeated position ends the game, if ever.
fn random_repetition(dice: &mut Dice) -> Option<Repetition> {
    let occurrence = dice.range(2, 4) as u32;
    let result = dice.pick(RepetitionResult::ALL);
    (!dice.once_in(4)).then_some(Repetition { occurrence, result })
}

/// Random laws for a game.
pub(crate) fn random_laws(dice: &mut Dice) -> Laws {
    let mut laws = Laws::default();
    laws.repetition = random_repetition(dice);
    laws.start_counts = dice.pick(&[StartCounts::Yes, StartCounts::No]);
    laws.memory = dice.once_in(2).then(|| dice.below(10) as u32);
    laws.no_move = dice.pick(NoMove::ALL);
    laws.captureless_limit = dice.once_in(3).then(|| dice.below(16) as u32);
    laws.move_limit = dice.once_in(3).then(|| dice.range(1, 20) as u32);
    laws
}

/// A random rule set. Nearly all of them compile.
pub(crate) fn random_set(dice: &mut Dice) -> RuleSet {
    let size = dice.pick(&[BoardSize::Seven, BoardSize::Nine, BoardSize::Nine]);
    let last = i32::from(size.rows()) - 1;
    let middle = last / 2;
    let inside = |dice: &mut Dice| dice.range(1, last as usize - 1) as i32;
    let castle = if dice.once_in(2) {
        let (row, column) = (inside(dice), inside(dice));
        Place { row, column }.square()
    } else {
        let (row, column) = (middle, middle);
        Place { row, column }.square()
    };
    let camps = random_camps(size, castle, dice);
    let all_camps: Bitboard = camps.iter().copied().flatten().collect();
    let exempt: Bitboard = all_camps.iter().filter(|_| dice.once_in(4)).collect();
    let mut quirk = Quirk::default();
    quirk.castle_column_only = dice.once_in(4);
    quirk.middle_row = dice.once_in(4);
    quirk.idle_siege = dice.once_in(4);
    let set = RuleSet::new("random")
        .with_name(Name::new("Random").with(Lang::It, "Casuale"))
        .with_source("dice")
        .with_size(size)
        .with_first(dice.pick(&Side::ALL))
        .with_start(Setup::empty(size, Side::Attackers))
        .with_castle(castle)
        .with_camp_not_to_attackers(exempt)
        .with_camps(camps)
        .with_castle_stop(dice.pick(CastleStop::ALL))
        .with_castle_cross(dice.pick(CastleCross::ALL))
        .with_camp_closed_to(dice.pick(CampClosed::ALL))
        .with_castle_empty_to(random_kinds(dice))
        .with_castle_king_to_defenders(dice.pick(CastleKing::ALL))
        .with_camp_to(random_kinds(dice))
        .with_king_elsewhere(dice.pick(KingFall::ALL))
        .with_camp_closes(dice.once_in(2))
        .with_goals(random_goals(size, castle, dice))
        .with_repetition(random_repetition(dice))
        .with_no_move(dice.pick(NoMove::ALL))
        .with_two_lanes(dice.pick(&[TwoLanes::Call, TwoLanes::Call, TwoLanes::Wins]))
        .with_captureless_limit(NonZero::new(dice.pick(&[0, 0, 1, 5, 20])))
        .with_quirk(quirk);
    let start = random_start(&set, dice);
    set.with_start(start)
}

/// A start: a king who has not escaped, and no man on the castle.
fn random_start(set: &RuleSet, dice: &mut Dice) -> Setup {
    loop {
        let mut start = random_setup(set, 1, dice).with_quiet(0);
        let king = start.pieces(Piece::King).first().expect("one king");
        if Oracle::new(set).is_goal(Place::from(king)) {
            continue;
        }
        if king != set.castle() {
            start.put(set.castle(), None);
        }
        return start;
    }
}
