//! From a rule set in words to the tables.

use super::{Barriers, Hostile, IMPOSSIBLE, KingTables, Rules, Slide};
use crate::{
    Bitboard, BySide, CampClosed, CastleCross, CastleKing, CastleStop, Direction, KingFall, Laws,
    Piece, Quirk, RuleSet, RuleSetError, RuleSetFault, RuleSetProblem, Setup, Square, TwoLanes,
    line::{column_of, row_of},
};

impl RuleSet {
    /// Checks the set and compiles it into tables.
    ///
    /// # Errors
    /// Reports *all* faults of meaning.
    pub fn compile(&self) -> Result<Rules, RuleSetError> {
        let mut faults = self.check();
        if !faults.is_empty() {
            return Err(RuleSetError::new(faults));
        }
        let mut rules = self.tables();
        let start = self.start.with_side(self.first);
        let unsound = rules.faults(&start);
        if unsound.is_empty() {
            rules.start = rules.place(&start);
            if rules.has_moves(&rules.start) {
                return Ok(rules);
            }
            faults.push(RuleSetFault::new("start", RuleSetProblem::NoFirstMove));
        }
        faults.extend(
            unsound
                .iter()
                .map(|&fault| RuleSetFault::new("start", RuleSetProblem::UnsoundStart(fault))),
        );
        Err(RuleSetError::new(faults))
    }

    /// The tables of a checked set; the start position is still to be placed.
    fn tables(&self) -> Rules {
        // Without `..`: a new parameter does not compile until it has its place in a table, or has
        // been found to need none.
        let Self {
            // Not of play.
            id: _,
            name: _,
            source: _,
            // The start position.
            first: _,
            start: _,
            // Movement: `barriers`.
            size: _,
            castle: _,
            camps: _,
            castle_stop: _,
            castle_cross: _,
            camp_closed_to: _,
            // Captures of men: `hostile_to`, and `castle_guard` in `king_tables`.
            castle_empty_to: _,
            castle_king_to_defenders: _,
            camp_to: _,
            camp_not_to_attackers: _,
            // The king: `king_tables`.
            king_elsewhere: _,
            camp_closes: _,
            // Ends: goals, `Laws`, rare laws.
            goals: _,
            repetition: _,
            no_move: _,
            two_lanes: _,
            captureless_limit: _,
            quirk:
                Quirk {
                    castle_column_only: _,
                    middle_row: _,
                    idle_siege: _,
                },
        } = self;
        let mut slides = [[Slide::default(); 128]; 3];
        for piece in Piece::ALL {
            for from in self.size.squares() {
                slides[piece.index()][from.index()] = self.slide(piece, from);
            }
        }
        let king = self.king_tables();
        let mut touch = [Bitboard::EMPTY; 128];
        for to in self.size.squares() {
            touch[to.index()] = Bitboard::beside(to);
        }
        // A stand-in until the start has been checked against these very tables.
        let castle_only = {
            let mut setup = Setup::empty(self.size, self.first);
            setup.put(self.castle, Some(Piece::King));
            setup
        };
        let mut rules = Rules {
            slides,
            into: [[Bitboard::EMPTY; 128]; 3],
            touch,
            hostile: BySide::from_fn(|side| self.hostile_to(Piece::man(side))),
            goals: self.goals.squares(self.size),
            castle: self.castle,
            rare_when: match self.two_lanes {
                TwoLanes::Wins => Bitboard::EMPTY,
                TwoLanes::Call if self.quirk.idle_siege => {
                    Bitboard::beside(self.castle) & !king.closes.always
                }
                TwoLanes::Call => IMPOSSIBLE,
            },
            king,
            laws: Laws::of(self),
            start: crate::position::Position {
                pieces: BySide::default(),
                key: 0,
                king: self.castle,
                side: self.first,
                size: self.size,
                quiet: 0,
            },
            set: self.clone(),
        };
        for piece in Piece::ALL {
            for from in self.size.squares() {
                for to in rules.slide_targets(piece, from, Bitboard::EMPTY) {
                    rules.into[piece.index()][to.index()].insert(from);
                }
            }
        }
        rules.start = rules.place(&castle_only);
        rules
    }

    /// What closes squares to a kind of piece that starts on a square, each by its name.
    ///
    /// The tables of movement are made of this, and illegal moves are explained by it.
    pub(crate) fn barriers(&self, piece: Piece, from: Square) -> Barriers {
        let camps = match self.camp_closed_to {
            CampClosed::Nobody => Bitboard::EMPTY,
            CampClosed::King if piece != Piece::King => Bitboard::EMPTY,
            CampClosed::King => self.camp_squares(),
            // Seen from a camp square, its own camp is open.
            CampClosed::Outsiders => {
                let foreign = self.camps.iter().filter(|camp| !camp.contains(from));
                foreign.fold(Bitboard::EMPTY, |all, &camp| all | camp)
            }
        };
        let may_stop = piece == Piece::King && self.castle_stop == CastleStop::King;
        // Who may stop on the castle is stopped by the square behind it, everyone else by itself.
        let castle = if may_stop {
            from.direction_to(self.castle)
                .and_then(|direction| self.castle.step(direction))
                .map_or(Bitboard::EMPTY, Bitboard::from)
        } else {
            Bitboard::from(self.castle)
        };
        let (castle_in_row, castle_in_column) = match self.castle_cross {
            CastleCross::Everyone if self.quirk.castle_column_only => (castle, Bitboard::EMPTY),
            CastleCross::Everyone => (Bitboard::EMPTY, Bitboard::EMPTY),
            CastleCross::Nobody => (castle, castle),
        };
        Barriers {
            outside: !self.size.squares(),
            camps,
            castle_in_row,
            castle_in_column,
            castle_stop: if may_stop {
                Bitboard::EMPTY
            } else {
                Bitboard::from(self.castle)
            },
        }
    }

    /// What stops a kind of piece on its way from a square.
    fn slide(&self, piece: Piece, from: Square) -> Slide {
        let Barriers {
            outside,
            camps,
            castle_in_row,
            castle_in_column,
            castle_stop,
        } = self.barriers(piece, from);
        let stop = Bitboard::ALL - castle_stop;
        Slide {
            row_barrier: row_of(outside | camps | castle_in_row, from.row()),
            column_barrier: column_of(outside | camps | castle_in_column, from.column()),
            row_stop: row_of(stop, from.row()),
            column_stop: column_of(stop, from.column()),
        }
    }

    /// What is hostile to a side's men, besides enemy pieces and the castle with the king on it.
    fn hostile_to(&self, piece: Piece) -> Hostile {
        let mut always = Bitboard::EMPTY;
        if self.camp_to.contains(piece) {
            always = self.camp_squares();
            if piece == Piece::Attacker {
                always &= !self.camp_not_to_attackers;
            }
        }
        let castle = Bitboard::from(self.castle);
        Hostile {
            always,
            when_empty: if self.castle_empty_to.contains(piece) {
                castle
            } else {
                Bitboard::EMPTY
            },
        }
    }

    fn king_tables(&self) -> KingTables {
        let board = self.size.squares();
        let beside_castle = Bitboard::beside(self.castle);
        let camps = self.camp_squares();
        let mut tables = KingTables {
            siege_from: [Bitboard::EMPTY; Square::COUNT],
            custodial_from: [Bitboard::EMPTY; Square::COUNT],
            siege: [IMPOSSIBLE; Square::COUNT],
            anvils: Bitboard::EMPTY,
            closes: Hostile {
                always: Bitboard::EMPTY,
                when_empty: Bitboard::from(self.castle),
            },
            castle_guard: [IMPOSSIBLE; Square::COUNT],
        };
        if self.camp_to.contains(Piece::King) {
            tables.anvils = camps;
        }
        if self.camp_closes {
            tables.closes.always = camps;
        }
        for king in board {
            let near_castle = king == self.castle || beside_castle.contains(king);
            let sides = Bitboard::beside(king) & board;
            if near_castle || self.king_elsewhere == KingFall::Siege {
                // A king on the edge has a side that nothing can close.
                if sides.len() == 4 {
                    tables.siege[king.index()] = sides;
                }
                let idle = king == self.castle && self.quirk.idle_siege;
                for to in if idle { board } else { sides } {
                    tables.siege_from[to.index()].insert(king);
                }
            }
            let on_castle_too = king == self.castle && self.quirk.middle_row;
            if self.king_elsewhere == KingFall::Custodial && (!near_castle || on_castle_too) {
                for direction in Direction::ALL {
                    let (Some(to), Some(beyond)) =
                        (king.step(direction), king.step(direction.opposite()))
                    else {
                        continue;
                    };
                    let excused = self.quirk.middle_row && to.row() == self.castle.row();
                    if board.contains(to) && board.contains(beyond) && !excused {
                        tables.custodial_from[to.index()].insert(king);
                    }
                }
            }
        }
        for direction in Direction::ALL {
            let man = self.castle.step(direction);
            let Some((man, to)) = man.and_then(|man| Some((man, man.step(direction)?))) else {
                continue;
            };
            tables.castle_guard[to.index()] = match self.castle_king_to_defenders {
                CastleKing::Never => IMPOSSIBLE,
                CastleKing::Always => Bitboard::EMPTY,
                CastleKing::Besieged => beside_castle.without(man),
            };
        }
        tables
    }
}

impl Laws {
    /// The laws of a rule set.
    fn of(set: &RuleSet) -> Self {
        Self {
            repetition: set.repetition,
            start_counts: crate::StartCounts::Yes,
            memory: None,
            no_move: set.no_move,
            captureless_limit: set.captureless_limit.map(|limit| limit.get().into()),
            move_limit: None,
        }
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;

    #[test]
    fn a_king_who_may_not_cross_the_castle_along_its_row_may_still_stop_on_it() {
        let mut set = crate::BuiltIn::Berkeley.set().clone();
        set.quirk.castle_column_only = true;
        let rules = set.compile().unwrap();
        for (setup, from, castle, behind) in [
            ("9/9/9/9/2K6/9/9/9/9 w", "c5", true, false),
            ("9/9/9/9/2w6/9/9/9/9 w", "c5", false, false),
            ("9/9/4K4/9/9/9/9/9/9 w", "e3", true, true),
            ("9/9/4w4/9/9/9/9/9/9 w", "e3", false, true),
        ] {
            let from: Square = from.parse().unwrap();
            let reach = rules.view(&setup.parse().unwrap()).targets(from);
            let beyond = set.castle.step(from.direction_to(set.castle).unwrap());
            assert_eq!(reach.contains(set.castle), castle, "{setup}");
            assert_eq!(reach.contains(beyond.unwrap()), behind, "{setup}");
        }
    }
}
