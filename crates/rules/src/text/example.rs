//! Where pieces can ever stand under a rule set, and examples that hold under it.
//!
//! Every example is tried out on the compiled rules before it is given.

use alloc::vec::Vec;

use super::{
    clause::{Closed, KingClause, ManClause, MoveClause},
    describe::{castle_guards, king_uses_castle},
};
use crate::{
    Bitboard, CampClosed, CastleKing, Direction, End, Move, Piece, PieceSet, RuleSet, Rules, Setup,
    Square,
};

/// A rule set's board with what can happen on it.
pub(super) struct Board<'a> {
    set: &'a RuleSet,
    /// Nothing if the set does not compile.
    rules: Option<Rules>,
    /// Per kind of piece: the squares on which it can ever stand while the game goes on.
    stands: [Bitboard; 3],
    /// The goals the king can arrive on.
    escapes: Bitboard,
}

impl<'a> Board<'a> {
    pub(super) fn new(set: &'a RuleSet) -> Self {
        let mut board = Self {
            set,
            rules: set.compile().ok(),
            stands: [Bitboard::EMPTY; 3],
            escapes: Bitboard::EMPTY,
        };
        for piece in Piece::ALL {
            let range = board
                .rules
                .as_ref()
                .map(|rules| rules.reachable_from_start(piece));
            let seen = range.unwrap_or_default();
            let goals = match piece {
                Piece::King => set.goals.squares(set.size),
                Piece::Attacker | Piece::Defender => Bitboard::EMPTY,
            };
            board.stands[piece.index()] = seen & !goals;
            board.escapes |= seen & goals;
        }
        board
    }

    fn stands(&self, piece: Piece) -> Bitboard {
        self.stands[piece.index()]
    }

    /// The goals the king can arrive on, if that can be told.
    pub(super) fn escapes(&self) -> Option<Bitboard> {
        self.rules.as_ref().map(|_| self.escapes)
    }

    /// Whether the king can stand on the edge without having won.
    pub(super) fn king_stands_on_edge(&self) -> bool {
        let edge = self.set.size.edge();
        match self.rules {
            Some(_) => !edge.is_disjoint(self.stands(Piece::King)),
            None => !edge.is_subset(self.set.goals.squares(self.set.size)),
        }
    }

    /// Whether the piece on `prey` falls when a piece of a kind moves to `to` among these pieces;
    /// nothing if it cannot move there.
    fn falls(
        &self,
        others: &[(Square, Piece)],
        mover: Piece,
        to: Square,
        prey: Square,
    ) -> Option<bool> {
        let rules = self.rules.as_ref()?;
        let mut setup = Setup::empty(self.set.size, mover.side());
        for &(square, piece) in others {
            setup.put(square, Some(piece));
        }
        let free = self.stands(mover) & !setup.occupied();
        let preview = free.iter().find_map(|from| {
            let mut setup = setup;
            setup.put(from, Some(mover));
            rules.view(&setup).preview(Move::new(from, to))
        })?;
        let taken = preview.captured.contains(prey);
        Some(taken || preview.end == Some(End::KingCaptured))
    }

    /// Squares without any special rule, away from the edge and from the castle.
    fn plain(&self) -> Bitboard {
        let set = self.set;
        let castle = Bitboard::beside(set.castle).with(set.castle);
        set.size.squares() & !set.size.edge() & !set.camp_squares() & !castle
    }

    /// Pieces before and behind the castle, along its column and, if it differs, along its row.
    pub(super) fn cross_examples(&self) -> Vec<MoveClause> {
        let mut examples = Vec::new();
        let mut known = None;
        for direction in [Direction::Up, Direction::Left] {
            let castle = self.set.castle;
            let (Some(from), Some(to), Some(rules)) = (
                castle.step(direction),
                castle.step(direction.opposite()),
                self.rules.as_ref(),
            ) else {
                continue;
            };
            let may = |piece| {
                let there = rules.slide_targets(piece, from, Bitboard::EMPTY);
                there.contains(to)
            };
            let [black, white, king] = Piece::ALL.map(may);
            let plain = Bitboard::from(from).with(to);
            if black == white
                && black == king
                && known != Some(black)
                && plain.is_disjoint(self.set.camp_squares())
            {
                known = Some(black);
                examples.push(MoveClause::CrossExample {
                    from,
                    to,
                    allowed: black,
                });
            }
        }
        examples
    }

    /// A man in a camp that is closed to outsiders: what it may do.
    pub(super) fn own_camp_example(&self) -> Option<MoveClause> {
        let rules = self.rules.as_ref()?;
        let targets = |from| rules.slide_targets(Piece::Attacker, from, Bitboard::EMPTY);
        let all = self.set.camp_squares();
        self.set.camps.iter().find_map(|&camp| {
            camp.iter().find_map(|from| {
                let reach = targets(from);
                let mut outside = (reach & Bitboard::beside(from) & !all).iter();
                let out = outside.find(|&out| !targets(out).contains(from))?;
                let within = (reach & camp).first();
                Some(MoveClause::OwnCampExample { from, within, out })
            })
        })
    }

    /// A man in a camp and the first square of another camp on its way.
    pub(super) fn other_camp_example(&self) -> Option<MoveClause> {
        let rules = self.rules.as_ref()?;
        let all = self.set.camp_squares();
        self.set.camps.iter().find_map(|&camp| {
            camp.iter().find_map(|from| {
                let reach = rules.slide_targets(Piece::Attacker, from, Bitboard::EMPTY);
                Direction::ALL.into_iter().find_map(|direction| {
                    let ahead = (reach & !camp)
                        .iter()
                        .filter(|&to| from.direction_to(to) == Some(direction));
                    let to = ahead.max_by_key(|&to| from.between(to).count())?;
                    let barred = to.step(direction)?;
                    let foreign = all.contains(barred) && !camp.contains(barred);
                    foreign.then_some(MoveClause::OtherCampExample { from, to, barred })
                })
            })
        })
    }

    /// A black man, the two squares it is captured between, and a third one beside it.
    pub(super) fn between_example(&self) -> Option<(Square, Square, Square, Square)> {
        let plain = self.plain();
        // A small board may have no such place away from the castle and the edge.
        let ordinary = self.set.size.squares() & !self.set.camp_squares();
        self.between_within(plain)
            .or_else(|| self.between_within(ordinary.without(self.set.castle)))
    }

    fn between_within(&self, area: Bitboard) -> Option<(Square, Square, Square, Square)> {
        (area & self.stands(Piece::Attacker))
            .iter()
            .find_map(|man| {
                let one = man.step(Direction::Left)?;
                let other = man.step(Direction::Right)?;
                let side = man.step(Direction::Up)?;
                let prey = (man, Piece::Attacker);
                let (left, right) = ((one, Piece::Defender), (other, Piece::Defender));
                let falls = |others: &[_], to| self.falls(others, Piece::Defender, to, man);
                let sound = Bitboard::beside(man).is_subset(area)
                    && falls(&[prey, left], other) == Some(true)
                    && falls(&[prey, right], one) == Some(true)
                    && falls(&[prey, left, right], side) == Some(false);
                sound.then_some((man, one, other, side))
            })
    }

    /// The squares beside the castle with the square farther out, where that is ordinary.
    fn castle_lines(&self) -> impl Iterator<Item = (Square, Square)> + '_ {
        let (castle, camps) = (self.set.castle, self.set.camp_squares());
        let board = self.set.size.squares();
        Direction::ALL.into_iter().filter_map(move |direction| {
            let man = castle.step(direction)?;
            let to = man.step(direction)?;
            let ordinary = board.contains(to) && !camps.contains(man) && !camps.contains(to);
            ordinary.then_some((man, to))
        })
    }

    pub(super) fn castle_empty_example(&self) -> Option<ManClause> {
        self.castle_lines().find_map(|(man, to)| {
            let mut falls = PieceSet::NONE;
            for piece in [Piece::Attacker, Piece::Defender] {
                let mover = Piece::man(piece.side().opponent());
                if self.falls(&[(man, piece)], mover, to, man)? {
                    falls = falls.with(piece);
                }
            }
            Some(ManClause::CastleEmptyExample { man, to, falls })
        })
    }

    pub(super) fn castle_king_example(&self) -> Option<ManClause> {
        let (castle, when) = (self.set.castle, self.set.castle_king_to_defenders);
        if !king_uses_castle(self.set) {
            return None;
        }
        self.castle_lines().find_map(|(man, to)| {
            let guards = castle_guards(self.set, man);
            let mut pieces = Vec::from([(castle, Piece::King), (man, Piece::Defender)]);
            pieces.extend(guards.iter().map(|guard| (guard, Piece::Attacker)));
            let falls = self.falls(&pieces, Piece::Attacker, to, man)?;
            // Without one of the guards it must not fall.
            let spared = guards.is_empty() || {
                pieces.pop();
                !self.falls(&pieces, Piece::Attacker, to, man)?
            };
            (falls == (when != CastleKing::Never) && spared).then_some(
                ManClause::CastleKingExample {
                    castle,
                    when,
                    man,
                    to,
                    guards,
                },
            )
        })
    }

    /// A man of a side beside a camp square and an enemy that takes it against that square.
    pub(super) fn camp_hostile_example(&self, piece: Piece) -> Option<ManClause> {
        let camps = self.set.camp_squares();
        let mover = Piece::man(piece.side().opponent());
        camps.iter().find_map(|camp| {
            Direction::ALL.into_iter().find_map(|direction| {
                let man = camp.step(direction)?;
                let to = man.step(direction)?;
                let sound = !camps.contains(man)
                    && man != self.set.castle
                    && self.stands(piece).contains(man)
                    && self.falls(&[(man, piece)], mover, to, man)?;
                sound.then_some(ManClause::CampHostileExample {
                    piece,
                    man,
                    to,
                    camp,
                })
            })
        })
    }

    /// What black men in camps have to fear, where camps are closed to white.
    pub(super) fn shield(&self) -> Vec<ManClause> {
        let set = self.set;
        if self.rules.is_none() || set.camp_closed_to != CampClosed::Outsiders {
            return Vec::new();
        }
        let white = self.stands(Piece::Defender) | self.stands(Piece::King) | self.escapes;
        let mut hostile = Bitboard::EMPTY;
        if set.camp_to.contains(Piece::Attacker) {
            hostile |= set.camp_squares() & !set.camp_not_to_attackers;
        }
        if set.castle_empty_to.contains(Piece::Attacker) {
            hostile.insert(set.castle);
        }
        let mut always = Bitboard::EMPTY;
        let mut between = Vec::new();
        for man in set.camp_squares() & self.stands(Piece::Attacker) {
            let mut ways = Vec::new();
            for direction in [Direction::Left, Direction::Up] {
                let ends = (man.step(direction), man.step(direction.opposite()));
                let (Some(one), Some(other)) = ends else {
                    continue;
                };
                let can = |to, beyond| {
                    white.contains(to) && (white.contains(beyond) || hostile.contains(beyond))
                };
                if can(one, other) || can(other, one) {
                    let plain = !hostile.contains(one) && !hostile.contains(other);
                    ways.push((man, one, other, plain));
                }
            }
            match ways[..] {
                [] => always.insert(man),
                [(man, one, other, true)] => between.push((man, one, other)),
                _ => {}
            }
        }
        let mut clauses = Vec::new();
        if !always.is_empty() {
            clauses.push(ManClause::ShieldedAlways(always));
        }
        if !between.is_empty() {
            clauses.push(ManClause::ShieldedButBetween(between));
        }
        clauses
    }

    /// Whether a king falls when these black men stand around him, whichever came last, and does
    /// not fall when one of them is missing.
    fn besieged(&self, king: Square, black: Bitboard) -> bool {
        black.iter().all(|to| {
            let mut pieces = Vec::from([(king, Piece::King)]);
            let others = black.without(to);
            pieces.extend(others.iter().map(|square| (square, Piece::Attacker)));
            let closed = self.falls(&pieces, Piece::Attacker, to, king) == Some(true);
            let spared = others.first().is_none_or(|missing| {
                pieces.retain(|&(square, _)| square != missing);
                self.falls(&pieces, Piece::Attacker, to, king) == Some(false)
            });
            closed && spared
        })
    }

    pub(super) fn beside_castle_example(&self) -> Option<KingClause> {
        let castle = self.set.castle;
        let sides = Bitboard::beside(castle) & self.stands(Piece::King);
        sides.iter().find_map(|king| {
            let black = Bitboard::beside(king).without(castle);
            (black.len() == 3 && self.besieged(king, black)).then_some(KingClause::SiegeExample {
                king,
                black,
                closed: Some(Closed::Castle(castle)),
            })
        })
    }

    pub(super) fn king_between_example(&self) -> Option<KingClause> {
        let plain = self.plain();
        (plain & self.stands(Piece::King)).iter().find_map(|king| {
            let to = king.step(Direction::Down)?;
            let beyond = king.step(Direction::Up)?;
            let black = Bitboard::from(to).with(beyond);
            (black.is_subset(plain) && self.besieged(king, black)).then_some(
                KingClause::KingBetweenExample {
                    king,
                    to,
                    beyond,
                    camp: false,
                },
            )
        })
    }

    pub(super) fn king_camp_example(&self) -> Option<KingClause> {
        let plain = self.plain();
        self.set.camp_squares().iter().find_map(|beyond| {
            Direction::ALL.into_iter().find_map(|direction| {
                let king = beyond.step(direction)?;
                let to = king.step(direction)?;
                let sound = plain.contains(king)
                    && plain.contains(to)
                    && self.stands(Piece::King).contains(king)
                    && self.falls(&[(king, Piece::King)], Piece::Attacker, to, king)?;
                sound.then_some(KingClause::KingBetweenExample {
                    king,
                    to,
                    beyond,
                    camp: true,
                })
            })
        })
    }

    pub(super) fn king_siege_example(&self) -> Option<KingClause> {
        let plain = self.plain();
        (plain & self.stands(Piece::King)).iter().find_map(|king| {
            let black = Bitboard::beside(king);
            (black.is_subset(plain) && self.besieged(king, black)).then_some(
                KingClause::SiegeExample {
                    king,
                    black,
                    closed: None,
                },
            )
        })
    }

    pub(super) fn king_camp_siege_example(&self) -> Option<KingClause> {
        let plain = self.plain();
        (plain & self.stands(Piece::King)).iter().find_map(|king| {
            let sides = Bitboard::beside(king);
            let camp = (sides & self.set.camp_squares()).first()?;
            let black = sides.without(camp);
            (black.is_disjoint(self.set.camp_squares()) && self.besieged(king, black)).then_some(
                KingClause::SiegeExample {
                    king,
                    black,
                    closed: Some(Closed::Camp(camp)),
                },
            )
        })
    }
}
