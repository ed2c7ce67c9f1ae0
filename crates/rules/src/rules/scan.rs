//! What a search asks before it makes a move: open lanes, the king's fall, who can get to a square.
//!
//! Everything here is answered from the tables with a few words of bits. Each function has a slow
//! twin in the tests below that says the same by making moves.

use super::Rules;
use crate::{
    Bitboard, BySide, Move, Piece, Position, Side, Square,
    line::{self, COLUMN},
};

/// A position as a search looks at it: what could happen next, without making a move.
///
/// Made by [`Rules::scan`]; two references, so it costs nothing. Questions that name a side answer
/// as if that side were to move.
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use tablut_rules::{Rules, Side};
/// let rules = Rules::ashton();
/// let position = rules.position(&"9/9/1b1K5/9/9/9/9/9/9 w".parse().expect("a position")).expect("sound");
/// let scan = rules.scan(&position);
/// assert_eq!(scan.open_lanes(), 1);
/// let win = scan.winning_move(Side::Defenders).expect("the lane is open");
/// assert_eq!(win.to_string(), "d3i3");
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    rules: &'a Rules,
    position: &'a Position,
}

impl Rules {
    /// A position as a search looks at it.
    #[must_use]
    #[inline(always)]
    pub const fn scan<'a>(&'a self, position: &'a Position) -> Scan<'a> {
        Scan {
            rules: self,
            position,
        }
    }
}

impl Scan<'_> {
    /// The squares the king can move to.
    #[must_use]
    #[inline]
    pub fn king_targets(self) -> Bitboard {
        let Self { rules, position } = self;
        rules.slide_targets(Piece::King, position.king, position.occupied())
    }

    /// The goals the king can move to.
    #[must_use]
    #[inline]
    pub fn open_goals(self) -> Bitboard {
        self.king_targets() & self.rules.goals
    }

    /// In how many different directions the king can move to a goal.
    #[must_use]
    #[inline]
    pub fn open_lanes(self) -> u32 {
        let goals = self.open_goals();
        if goals.is_empty() {
            return 0;
        }
        let king = self.position.king;
        let bit = Bitboard::of(king).0;
        let row = line::ROW << (9 * u32::from(king.row()));
        let (before, after) = (bit - 1, !(bit | (bit - 1)));
        [before & row, after & row, before & !row, after & !row]
            .iter()
            .filter(|&&part| goals.0 & part != 0)
            .count() as u32
    }

    /// How many sides of the king are closed by attackers or by squares hostile to him.
    #[must_use]
    #[inline]
    pub fn closed_sides(self) -> u32 {
        let Self { rules, position } = self;
        let attackers = position.pieces.attackers;
        let closed = rules.closed_to_king(attackers, position.occupied()) | rules.king.anvils;
        (rules.touch[position.king.index() & 127] & closed).len_of_few()
    }

    /// The empty squares on which an attacker, if one could arrive there now, would capture the king.
    ///
    /// Sieges that quirks count from afar are not among them.
    #[must_use]
    #[inline]
    pub fn king_threats(self) -> Bitboard {
        let Self { rules, position } = self;
        let king = position.king;
        let attackers = position.pieces.attackers;
        let occupied = position.occupied();
        let beside = rules.touch[king.index() & 127];
        let hostile = attackers | rules.king.anvils | rules.closed_to_king(attackers, occupied);
        // A king falls only beside something hostile; most have nothing there.
        if beside.is_disjoint(hostile) {
            return Bitboard::EMPTY;
        }
        let tables = &rules.king;
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
        let closed = rules.closed_to_king(attackers, occupied);
        let open = tables.siege[king.index()] - closed;
        if !open.has_several() && open.is_subset(beside) {
            for to in beside & !occupied {
                if open.is_subset(Bitboard::of(to)) && tables.siege_from[to.index()].contains(king)
                {
                    squares |= Bitboard::of(to);
                }
            }
        }
        squares
    }

    /// The pieces of a side that can move to a square.
    #[must_use]
    #[inline]
    pub fn movers_to(self, side: Side, to: Square) -> Bitboard {
        let Self { rules, position } = self;
        let occupied = position.occupied();
        if occupied.contains(to) {
            return Bitboard::EMPTY;
        }
        let near = line::nearest(to, occupied) & position.pieces(side);
        let place = to.index() & 127;
        let men = rules.into[Piece::man(side).index()][place];
        if side == Side::Attackers || !near.contains(position.king) {
            return near & men;
        }
        let king = Bitboard::of(position.king);
        near & men & !king | king & rules.into[Piece::King.index()][place]
    }

    /// A move with which a side wins by the king's fate.
    ///
    /// Wins that need a rare law ([`End::TwoLanes`](crate::End::TwoLanes), sieges that quirks count
    /// from afar) are not looked for.
    #[must_use]
    #[inline]
    pub fn winning_move(self, side: Side) -> Option<Move> {
        match side {
            Side::Defenders => {
                let goal = self.open_goals().first()?;
                Some(Move::new(self.position.king, goal))
            }
            Side::Attackers => self.king_threats().iter().find_map(|to| {
                let from = self.movers_to(Side::Attackers, to).first()?;
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
    pub fn capture_squares(self, side: Side) -> Bitboard {
        let Self { rules, position } = self;
        let BySide {
            attackers,
            defenders,
        } = position.pieces;
        let occupied = attackers | defenders;
        let hostile = &rules.hostile[side.opponent()];
        let when_empty = hostile.when_empty & !occupied;
        let (men, helpers) = match side {
            Side::Defenders => (attackers, defenders | hostile.always | when_empty),
            Side::Attackers => {
                let mut helpers = attackers | hostile.always | when_empty;
                if position.king == rules.castle {
                    helpers |= Bitboard::of(rules.castle);
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
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;
    use crate::{BuiltIn, Direction, End, random::Random};

    /// Calls `check` with the positions of random games under every set.
    fn for_each_position(games: u64, mut check: impl FnMut(&Rules, &Position)) {
        for set in BuiltIn::ALL {
            let rules = set.rules();
            let mut random = Random::new(7);
            for _ in 0..games {
                let mut position = rules.start();
                for _ in 0..80 {
                    check(&rules, &position);
                    check(&rules, &position.pass());
                    let moves = rules.moves(&position);
                    if moves.is_empty() {
                        break;
                    }
                    let applied = rules.apply_unchecked(&position, random.pick(&moves));
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
        let mut found = BySide::both(0);
        for_each_position(60, |rules, position| {
            let side = position.side();
            let wins = |step: Move| {
                let end = rules.apply_unchecked(position, step).end;
                end.is_some_and(|end| end != End::TwoLanes && end.wins(side))
            };
            if rules.set().quirk.idle_siege && side == Side::Attackers {
                return;
            }
            let slow = rules.moves(position).iter().copied().find(|&m| wins(m));
            let fast = rules.scan(position).winning_move(side);
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
                found[side] += 1;
            }
        });
        assert!(found.values().all(|&n| n > 20), "{found:?}");
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
                rules.scan(position).king_threats(),
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
            let squares = rules.scan(position).capture_squares(position.side());
            for &step in &rules.moves(position) {
                let captured = rules.apply_unchecked(position, step).captured;
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
                assert_eq!(rules.scan(position).movers_to(position.side(), to), slow);
            }
        });
    }

    #[test]
    fn open_lanes_are_the_directions_of_the_calls() {
        for_each_position(30, |rules, position| {
            let calls = rules.calls(position);
            assert_eq!(
                rules.scan(position).open_lanes(),
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
            assert_eq!(rules.scan(position).closed_sides(), closed, "{position}");
        });
    }

    #[test]
    fn a_king_of_the_challenge_never_enters_camps_or_castle() {
        let rules = Rules::ashton();
        let closed = rules.camps().with(rules.castle());
        assert_eq!(rules.ground(Piece::King), Bitboard::ALL & !closed);
    }
}
