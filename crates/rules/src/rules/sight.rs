//! What a search asks before it makes a move: open lanes, the king's fall, who reaches a square.
//!
//! Everything here is answered from the tables with a few words of bits. Each function has a slow
//! twin in the tests below that says the same by making moves.

use super::{End, Rules};
use crate::{
    Bitboard, Move, Piece, Position, Side, Square,
    line::{self, COLUMN},
};

impl Rules {
    /// The squares the king can move to, whoever is to move.
    #[must_use]
    #[inline]
    pub fn king_reach(&self, position: &Position) -> Bitboard {
        self.slide_targets(Piece::King, position.king, position.occupied())
    }

    /// The squares a piece of a kind on a square could move to, given the occupied squares.
    #[must_use]
    #[inline]
    pub fn targets(&self, piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
        self.slide_targets(piece, from, occupied)
    }

    /// The goals the king can reach with one move, whoever is to move.
    #[must_use]
    #[inline]
    pub fn open_goals(&self, position: &Position) -> Bitboard {
        self.king_reach(position) & self.goals
    }

    /// The empty squares on which an attacker, if one could arrive there now, would capture the king.
    ///
    /// Sieges that quirks count from afar are not among them.
    #[must_use]
    #[inline]
    pub fn king_threats(&self, position: &Position) -> Bitboard {
        let king = position.king;
        let [attackers, _] = position.pieces;
        let occupied = position.occupied();
        let beside = self.touch[king.index() & 127];
        let hostile = attackers | self.king.anvils | self.closed_to_king(attackers, occupied);
        // A king falls only beside something hostile; most have nothing there.
        if beside.is_disjoint(hostile) {
            return Bitboard::EMPTY;
        }
        let tables = &self.king;
        let mut squares = Bitboard::EMPTY;
        // Between two hostile squares: what lies straight across from one of them.
        let k = Bitboard::of(king).0;
        let near = (beside & (attackers | tables.anvils)).0;
        let across = (near & k >> 1) << 2
            | (near & k << 1) >> 2
            | (near & k >> 9) << 18
            | (near & k << 9) >> 18;
        for to in Bitboard(across) & beside & !occupied {
            if tables.custodial_from[to.index()].contains(king) {
                squares |= Bitboard::of(to);
            }
        }
        // On all sides: the last one that is open.
        let closed = self.closed_to_king(attackers, occupied);
        let open = Bitboard(tables.siege[king.index()].0 & !closed.0);
        if open.0 & open.0.wrapping_sub(1) == 0 && open.is_subset(beside) {
            for to in beside & !occupied {
                if open.is_subset(Bitboard::of(to)) && tables.siege_from[to.index()].contains(king)
                {
                    squares |= Bitboard::of(to);
                }
            }
        }
        squares
    }

    /// The pieces of a side that can move to a square, whoever is to move.
    #[must_use]
    #[inline]
    pub fn reaching(&self, position: &Position, side: Side, to: Square) -> Bitboard {
        let occupied = position.occupied();
        if occupied.contains(to) {
            return Bitboard::EMPTY;
        }
        let near = line::nearest(to, occupied) & position.pieces(side);
        let place = to.index() & 127;
        let men = self.into[Piece::man(side).index()][place];
        if side == Side::Attackers || !near.contains(position.king) {
            return near & men;
        }
        let king = Bitboard::of(position.king);
        near & men & !king | king & self.into[Piece::King.index()][place]
    }

    /// A move with which a side, were it to move now, wins by the king's fate.
    ///
    /// Wins that need a rare law ([`End::TwoLanes`], sieges that quirks count from afar) are not
    /// looked for.
    #[must_use]
    #[inline]
    pub fn winning_move(&self, position: &Position, side: Side) -> Option<Move> {
        match side {
            Side::Defenders => {
                let goal = self.open_goals(position).first()?;
                Some(Move::new(position.king, goal))
            }
            Side::Attackers => self.king_threats(position).iter().find_map(|to| {
                let from = self.reaching(position, Side::Attackers, to).first()?;
                Some(Move::new(from, to))
            }),
        }
    }

    /// The empty squares on which a piece of a side, arriving there, may capture a man.
    ///
    /// Every capturing move ends on one of them. A move to one of them captures, unless it opens
    /// what helped (a man beside the castle that guarded it) or the man that helps is the one moved.
    #[must_use]
    #[inline]
    pub fn capture_squares(&self, position: &Position, side: Side) -> Bitboard {
        let [attackers, defenders] = position.pieces;
        let occupied = attackers | defenders;
        let hostile = &self.hostile[side.opponent().index()];
        let when_empty = hostile.when_empty & !occupied;
        let (men, helpers) = match side {
            Side::Defenders => (attackers, defenders | hostile.always | when_empty),
            Side::Attackers => {
                let mut helpers = attackers | hostile.always | when_empty;
                if position.king == self.castle {
                    helpers |= Bitboard::of(self.castle);
                }
                (position.men(Side::Defenders), helpers)
            }
        };
        // A man with a helper on one side is taken from the other.
        let (right, left) = (!(COLUMN << 8), !COLUMN);
        let (m, h) = (men.0, helpers.0);
        let squares = ((m & h >> 1 & right) & left) >> 1
            | ((m & h << 1 & left) & right) << 1
            | (m & h >> 9) >> 9
            | (m & h << 9) << 9;
        Bitboard::from_bits(squares) & !occupied
    }

    /// How many different directions lead the king to a goal with one move.
    #[must_use]
    #[inline]
    pub fn open_lanes(&self, position: &Position) -> u32 {
        let goals = self.open_goals(position);
        if goals.is_empty() {
            return 0;
        }
        let king = position.king;
        let bit = Bitboard::of(king).0;
        let row = line::ROW << (9 * u32::from(king.row()));
        let (before, after) = (bit - 1, !(bit | (bit - 1)));
        [before & row, after & row, before & !row, after & !row]
            .iter()
            .filter(|&&part| goals.0 & part != 0)
            .count() as u32
    }

    /// The squares a king outside the camps can ever enter.
    #[must_use]
    pub fn king_ground(&self) -> Bitboard {
        let outside = self.size().squares() & !self.camps();
        outside.iter().fold(Bitboard::EMPTY, |all, from| {
            all | self.slide_targets(Piece::King, from, Bitboard::EMPTY)
        })
    }

    /// How many sides of the king are closed by attackers or by squares hostile to him.
    #[must_use]
    #[inline]
    pub fn closed_sides(&self, position: &Position) -> u32 {
        let [attackers, _] = position.pieces;
        let closed = self.closed_to_king(attackers, position.occupied()) | self.king.anvils;
        // At most four: cheaper to take away one by one than to count.
        let mut sides = (self.touch[position.king.index() & 127] & closed).0;
        let mut count = 0;
        while sides != 0 {
            sides &= sides - 1;
            count += 1;
        }
        count
    }
}

impl End {
    /// Whether this end is a win of a side.
    #[must_use]
    pub fn wins(self, side: Side) -> bool {
        self.winner() == side
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;
    use crate::{Direction, RuleSet, random::Random};

    /// Calls `check` with the positions of random games under every set.
    fn for_each_position(games: u64, mut check: impl FnMut(&Rules, &Position)) {
        for set in RuleSet::listed().chain(RuleSet::hidden()) {
            let rules = set.compile().expect("a built-in set is sound");
            let mut random = Random::new(7);
            for _ in 0..games {
                let mut position = rules.start();
                for _ in 0..80 {
                    check(&rules, &position);
                    check(&rules, &rules.pass(&position));
                    let moves = rules.moves(&position);
                    if moves.is_empty() {
                        break;
                    }
                    let applied = rules.apply(&position, random.pick(&moves));
                    if applied.end.is_some() {
                        break;
                    }
                    position = applied.position;
                }
            }
        }
    }

    #[test]
    fn a_winning_move_is_found_if_and_only_if_a_made_move_wins() {
        let mut found = [0; 2];
        for_each_position(60, |rules, position| {
            let side = position.side();
            let wins = |step: Move| {
                let end = rules.apply(position, step).end;
                end.is_some_and(|end| end != End::TwoLanes && end.wins(side))
            };
            if rules.set().quirk.idle_siege && side == Side::Attackers {
                return;
            }
            let slow = rules.moves(position).iter().copied().find(|&m| wins(m));
            let fast = rules.winning_move(position, side);
            assert_eq!(
                slow.is_some(),
                fast.is_some(),
                "{position} {}",
                rules.set().id
            );
            if let Some(step) = fast {
                assert!(
                    rules.is_legal(position, step) && wins(step),
                    "{position} {step}"
                );
                found[side.index()] += 1;
            }
        });
        assert!(found[0] > 20 && found[1] > 20, "{found:?}");
    }

    #[test]
    fn threats_to_the_king_are_the_squares_where_an_attacker_would_take_him() {
        let mut found = 0;
        for_each_position(60, |rules, position| {
            let attackers = position.pieces(Side::Attackers);
            let occupied = position.occupied();
            let slow: Bitboard =
                (Bitboard::beside(position.king) & rules.size().squares() & !occupied)
                    .iter()
                    .filter(|&to| {
                        let of = Bitboard::of(to);
                        rules.king_falls(position.king, to, attackers | of, occupied | of)
                    })
                    .collect();
            assert_eq!(
                rules.king_threats(position),
                slow,
                "{position} {}",
                rules.set().id
            );
            found += slow.len();
        });
        assert!(found > 100, "{found}");
    }

    #[test]
    fn captures_end_on_capture_squares() {
        let (mut captures, mut idle) = (0, 0);
        for_each_position(60, |rules, position| {
            let squares = rules.capture_squares(position, position.side());
            for &step in &rules.moves(position) {
                let captured = rules.apply(position, step).captured;
                if !captured.is_empty() {
                    assert!(squares.contains(step.to()), "{position} {step}");
                    captures += 1;
                } else if squares.contains(step.to()) {
                    idle += 1;
                }
            }
        });
        assert!(captures > 1000 && idle * 5 < captures, "{captures} {idle}");
    }

    #[test]
    fn the_pieces_that_reach_a_square_are_those_with_a_move_to_it() {
        for_each_position(4, |rules, position| {
            let moves = rules.moves(position);
            for to in Square::all() {
                let slow: Bitboard = moves
                    .iter()
                    .filter(|m| m.to() == to)
                    .map(|m| m.from())
                    .collect();
                assert_eq!(rules.reaching(position, position.side(), to), slow);
            }
        });
    }

    #[test]
    fn open_lanes_are_the_directions_of_the_calls() {
        for_each_position(30, |rules, position| {
            let calls = rules.calls(position);
            assert_eq!(
                rules.open_lanes(position),
                calls.count() as u32,
                "{position}"
            );
        });
    }

    #[test]
    fn closed_sides_are_counted_one_by_one() {
        let rules = Rules::ashton();
        for_each_position(4, |other, position| {
            if other.set().id != "ashton" {
                return;
            }
            let mut closed = 0;
            for square in Direction::ALL
                .iter()
                .filter_map(|&d| position.king().step(d))
            {
                let attacker = position.piece_at(square) == Some(Piece::Attacker);
                let camp = rules.camps().contains(square);
                let castle = square == rules.castle() && position.piece_at(square).is_none();
                closed += u32::from(attacker || camp || castle);
            }
            assert_eq!(rules.closed_sides(position), closed, "{position}");
        });
    }

    #[test]
    fn a_king_of_the_challenge_never_enters_camps_or_castle() {
        let rules = Rules::ashton();
        let closed = rules.camps().with(rules.castle());
        assert_eq!(rules.king_ground(), Bitboard::ALL & !closed);
    }
}
