//! Which clauses describe a rule set: the decisions, shared by all languages.
//!
//! Everything comes from the data, never from a set's name. What follows from several parameters
//! together, and every example, is taken from the compiled tables; a set that does not compile is
//! described without them.

use alloc::{vec, vec::Vec};

use super::{
    clause::{BoardClause, CallClause, Clauses, EndClause, KingClause, Law, ManClause, MoveClause},
    example::Board,
};
use crate::{
    Bitboard, CampClosed, CastleCross, CastleKing, CastleStop, KingFall, NoMove, Piece, PieceSet,
    RepetitionResult, RuleSet, Side, Square, TwoLanes,
};

/// The clauses of a rule set.
pub(super) fn clauses(set: &RuleSet) -> Clauses {
    let board = Board::new(set);
    Clauses {
        board: board_clauses(set, &board),
        moves: move_clauses(set, &board),
        men: man_clauses(set, &board),
        king: king_clauses(set, &board),
        end: end_clauses(set),
        calls: call_clauses(set),
    }
}

/// The men of both sides among the kinds of a set.
fn men(pieces: PieceSet) -> PieceSet {
    pieces.iter().filter(|&p| p != Piece::King).collect()
}

fn board_clauses(set: &RuleSet, board: &Board<'_>) -> Vec<BoardClause> {
    let start = |piece| set.start.pieces(piece);
    let mut clauses = vec![
        BoardClause::Board(set.size),
        BoardClause::Sides {
            white: start(Piece::Defender).len(),
            black: start(Piece::Attacker).len(),
        },
        BoardClause::Aims,
        BoardClause::Castle(set.castle),
    ];
    let camps: Vec<Bitboard> = set
        .camps
        .iter()
        .copied()
        .filter(|c| !c.is_empty())
        .collect();
    clauses.push(if camps.is_empty() {
        BoardClause::NoCamps
    } else {
        BoardClause::Camps(camps)
    });
    let goals = set.goals.squares(set.size);
    clauses.push(BoardClause::Goals {
        goals: set.goals,
        squares: goals,
    });
    clauses.extend(
        board
            .escapes()
            .filter(|&escapes| escapes != goals)
            .map(BoardClause::Escapes),
    );
    clauses.push(BoardClause::PlainGoals {
        in_camps: !(goals | set.size.corners()).is_disjoint(set.camp_squares()),
    });
    for piece in [Piece::King, Piece::Defender, Piece::Attacker] {
        let squares = start(piece);
        if !squares.is_empty() {
            clauses.push(BoardClause::Start { piece, squares });
        }
    }
    clauses.push(BoardClause::First(set.first));
    clauses
}

fn move_clauses(set: &RuleSet, board: &Board<'_>) -> Vec<MoveClause> {
    let home = set.start.pieces(Piece::King).contains(set.castle);
    let mut clauses = vec![
        MoveClause::Straight,
        MoveClause::NoJump,
        MoveClause::CastleMoves {
            castle: set.castle,
            stop: set.castle_stop,
            cross: set.castle_cross,
            home,
        },
    ];
    if set.castle_cross == CastleCross::Everyone && set.quirk.castle_column_only {
        clauses.push(MoveClause::CastleColumnOnly {
            castle: set.castle,
            stop: set.castle_stop,
        });
    }
    clauses.extend(board.cross_examples());
    if set.camp_squares().is_empty() {
        return clauses;
    }
    clauses.push(MoveClause::CampMoves(set.camp_closed_to));
    if set.camp_closed_to == CampClosed::Outsiders {
        clauses.push(MoveClause::OwnCamp);
        clauses.extend(board.own_camp_example());
        clauses.extend(board.other_camp_example());
        if !white_enters_camps(set) {
            clauses.push(MoveClause::NoWhiteInCamps);
        }
    }
    clauses
}

fn man_clauses(set: &RuleSet, board: &Board<'_>) -> Vec<ManClause> {
    let mut clauses = vec![ManClause::Custodial, ManClause::EnemyHostile];
    let between = board.between_example();
    if let Some((man, one, other, _)) = between {
        clauses.push(ManClause::BetweenExample { man, one, other });
    }
    clauses.push(ManClause::Active);
    if let Some((man, one, other, side)) = between {
        clauses.push(ManClause::SideExample {
            man,
            one,
            other,
            side,
        });
    }
    clauses.extend([ManClause::SafeBetween, ManClause::Several, ManClause::Edge]);
    clauses.push(ManClause::CastleEmpty {
        castle: set.castle,
        to: men(set.castle_empty_to),
    });
    clauses.extend(board.castle_empty_example());
    clauses.push(ManClause::CastleKing {
        castle: set.castle,
        when: set.castle_king_to_defenders,
    });
    clauses.extend(board.castle_king_example());
    let camps = set.camp_squares();
    if camps.is_empty() {
        return clauses;
    }
    let white_inside = white_enters_camps(set);
    clauses.push(ManClause::CampHostile {
        to: men(set.camp_to),
        white_inside,
    });
    clauses.extend(board.camp_hostile_example(Piece::Defender));
    clauses.extend(board.camp_hostile_example(Piece::Attacker));
    if set.camp_to.contains(Piece::Attacker) && !set.camp_not_to_attackers.is_empty() {
        clauses.push(ManClause::CampExempt {
            squares: set.camp_not_to_attackers,
            white_inside,
        });
    }
    clauses.extend(board.shield());
    clauses
}

fn king_clauses(set: &RuleSet, board: &Board<'_>) -> Vec<KingClause> {
    let squares = set.size.squares();
    let camps = set.camp_squares();
    let closing = if set.camp_closes {
        camps
    } else {
        Bitboard::EMPTY
    };
    let any_camps = |count: bool| (!camps.is_empty()).then_some(count);
    let beside = Bitboard::beside(set.castle) & squares;
    let mut clauses = vec![
        KingClause::KingActive {
            idle: set.quirk.idle_siege,
        },
        KingClause::OpenSides,
        KingClause::KingOnCastle {
            castle: set.castle,
            only: set.king_elsewhere == KingFall::Siege || !set.quirk.middle_row,
            sides: beside,
            camps: beside & closing,
        },
    ];
    if set.quirk.idle_siege {
        clauses.push(KingClause::IdleSiege(set.castle));
    }
    let open = beside & set.size.edge();
    let around = (beside & !open)
        .iter()
        .fold(Bitboard::EMPTY, |all, s| all | Bitboard::beside(s));
    clauses.push(KingClause::KingBesideCastle {
        squares: beside,
        camps: around & closing,
        open,
    });
    clauses.extend(board.beside_castle_example());
    match set.king_elsewhere {
        KingFall::Custodial => {
            clauses.push(KingClause::KingBetween {
                camps: any_camps(set.camp_to.contains(Piece::King)),
            });
            clauses.extend(board.king_between_example());
            clauses.extend(board.king_camp_example());
            if set.quirk.middle_row {
                clauses.push(KingClause::MiddleRow(set.castle));
            }
        }
        KingFall::Siege => {
            clauses.push(KingClause::KingSiege {
                camps: any_camps(set.camp_closes),
            });
            clauses.extend(board.king_siege_example());
            clauses.extend(board.king_camp_siege_example());
        }
    }
    if board.king_stands_on_edge() {
        clauses.push(KingClause::KingOnEdge {
            between: set.king_elsewhere == KingFall::Custodial,
        });
    }
    clauses.push(KingClause::KingAndMen);
    clauses
}

fn end_clauses(set: &RuleSet) -> Vec<EndClause> {
    let mut clauses = vec![
        EndClause::GoalWins {
            crossing: king_crosses_goals(set),
        },
        EndClause::CaptureWins,
    ];
    let mut order = vec![Law::King];
    if set.two_lanes == TwoLanes::Wins {
        clauses.push(EndClause::TwoLanesWin);
        order.push(Law::TwoLanes);
    }
    clauses.push(EndClause::NoMove(set.no_move));
    if set.no_move != NoMove::Ignored {
        order.push(Law::NoMove);
    }
    match set.repetition {
        Some(law) => {
            clauses.extend([EndClause::SamePosition, EndClause::Repetition(law)]);
            order.push(Law::Repetition);
        }
        None => clauses.push(EndClause::NoRepetition),
    }
    clauses.push(EndClause::CapturelessLimit(set.captureless_limit));
    if set.captureless_limit.is_some() {
        order.push(Law::CapturelessLimit);
    }
    let repetition_draws = set
        .repetition
        .is_some_and(|law| law.result == RepetitionResult::Draw);
    if !repetition_draws && set.no_move != NoMove::Draws && set.captureless_limit.is_none() {
        clauses.push(EndClause::NoDraw);
    }
    if order.len() > 1 {
        clauses.push(EndClause::Order(order));
    }
    clauses.push(EndClause::Options);
    clauses
}

fn call_clauses(set: &RuleSet) -> Vec<CallClause> {
    vec![
        CallClause::Lane,
        CallClause::CallWords,
        CallClause::CallEffect(set.two_lanes),
    ]
}

/// Whether a white piece can ever stand in a camp: where camps are closed to those outside, only if one starts there.
fn white_enters_camps(set: &RuleSet) -> bool {
    let white = set.start.of_side(Side::Defenders);
    set.camp_closed_to != CampClosed::Outsiders || !white.is_disjoint(set.camp_squares())
}

/// Whether some goal lies between squares that are none, so that the king can pass over it. On the edge he
/// cannot: whoever moves along goals has stopped on one before.
fn king_crosses_goals(set: &RuleSet) -> bool {
    let goals = set.goals.squares(set.size);
    let others = set.size.squares() & !goals;
    goals.iter().any(|goal| {
        let in_row = others.iter().filter(|s| s.row() == goal.row());
        let in_column = others.iter().filter(|s| s.column() == goal.column());
        lies_between(goal.column(), in_row.map(Square::column))
            || lies_between(goal.row(), in_column.map(Square::row))
    })
}

/// Whether there are numbers on both sides of one.
fn lies_between(one: u8, others: impl Iterator<Item = u8>) -> bool {
    let (mut below, mut above) = (false, false);
    for other in others {
        below |= other < one;
        above |= other > one;
    }
    below && above
}

/// Whether the king can ever stand on the castle.
pub(super) fn king_uses_castle(set: &RuleSet) -> bool {
    set.castle_stop == CastleStop::King || set.start.pieces(Piece::King).contains(set.castle)
}

/// The black men that must stand beside the castle for it to be hostile with the king on it.
pub(super) fn castle_guards(set: &RuleSet, man: Square) -> Bitboard {
    match set.castle_king_to_defenders {
        CastleKing::Besieged => Bitboard::beside(set.castle).without(man),
        CastleKing::Never | CastleKing::Always => Bitboard::EMPTY,
    }
}
