//! What a position is worth without search: named terms, integers only.
//!
//! Positive points are good for the side they are given to. Terms that depend on the attackers' men
//! alone are kept in a small table, since most positions of a search share them.

use tablut_rules::{Bitboard, Position, Rules, Side};

use crate::{
    parameter::Parameters,
    score::value,
    search::Sight,
    shape::{Shape, beside, flood, runs, runs_and_step},
};

/// One reason for a side's points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// Men on the board.
    Material,
    /// Corners closed to the king.
    Walls,
    /// Men on the diagonals that close corners (the rhombus).
    Chains,
    /// Open lanes of the king, now and after one more move.
    Lanes,
    /// Lanes that no attacker is in time to block.
    Blockers,
    /// The king's distance to a goal in moves.
    Distance,
    /// Squares the king can roam.
    Freedom,
    /// Hostile squares beside the king, and squares from which he would fall.
    Safety,
    /// Room beside the men.
    Mobility,
    /// Men that are still in their camps.
    Camps,
    /// The right to move.
    Tempo,
}

impl Term {
    /// All terms.
    pub const ALL: [Self; 11] = [
        Self::Material,
        Self::Walls,
        Self::Chains,
        Self::Lanes,
        Self::Blockers,
        Self::Distance,
        Self::Freedom,
        Self::Safety,
        Self::Mobility,
        Self::Camps,
        Self::Tempo,
    ];
}

/// What the attackers' men alone make of the board.
#[derive(Clone, Copy, Default)]
struct Wall {
    attackers: u128,
    /// Per corner: the squares connected with its escapes.
    regions: [u128; 4],
    /// How many attackers there are.
    count: i32,
    /// Squares beside attackers that no attacker stands on.
    room: i32,
    /// Attackers on chains.
    chain: i32,
    /// Attackers in camps.
    home: i32,
}

const WALLS: usize = 4096;

/// Evaluates positions under one rule set. Each thread has its own.
pub(crate) struct Evaluator {
    pub(crate) shape: Shape,
    walls: Vec<Wall>,
    /// The last sight, and the pieces it was of.
    seen: (u128, u128, KingSight),
}

/// What the evaluation found on its way and the search can use.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct KingSight {
    /// Squares from which the king would have an open lane.
    pub(crate) open: u128,
    /// Squares from which he would have two.
    pub(crate) forks: u128,
}

/// How many squares a small set has. The plain x86-64 instruction set cannot count bits, and
/// counting them all costs more than taking a few away.
#[inline(always)]
fn few(mut set: u128) -> i32 {
    let mut count = 0;
    while set != 0 {
        set &= set - 1;
        count += 1;
    }
    count
}

impl Evaluator {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            shape: Shape::new(rules),
            walls: vec![Wall::default(); WALLS],
            seen: (0, 0, KingSight::default()),
        }
    }

    /// The worth of a position for the side to move.
    #[inline]
    pub(crate) fn evaluate(
        &mut self,
        rules: &Rules,
        p: &Parameters,
        position: &Position,
        sight: &Sight,
    ) -> i32 {
        let mut points = [0; 2];
        self.terms(rules, p, position, sight, |_, side, value| {
            points[side.index()] += value
        });
        let side = position.side();
        let sum = points[side.index()] - points[side.opponent().index()];
        sum.clamp(-value::MOST, value::MOST)
    }

    /// From where the king would have open lanes.
    #[inline]
    pub(crate) fn king_sight(&mut self, position: &Position) -> KingSight {
        let shape = &self.shape;
        let king = Bitboard::from(position.king()).bits();
        let occupied = position.occupied().bits();
        if (occupied, king) == (self.seen.0, self.seen.1) {
            return self.seen.2;
        }
        let empty = shape.ground & (!occupied | king);
        let [a, b, c, d] = runs(shape.goals & empty, empty);
        let (ab, abc) = (a | b, a | b | c);
        let sight = KingSight {
            open: (abc | d) & !shape.goals,
            forks: (a & b | ab & c | abc & d) & !shape.goals,
        };
        self.seen = (occupied, king, sight);
        sight
    }

    /// The squares the king can move to from which he has a lane that no attacker reaches in one
    /// move; `reach` are the squares he can move to.
    #[inline]
    pub(crate) fn free_lanes(&self, position: &Position, reach: u128) -> u128 {
        let shape = &self.shape;
        let king = Bitboard::from(position.king()).bits();
        let occupied = position.occupied().bits();
        let attackers = position.pieces(Side::Attackers).bits();
        let blocked = runs(attackers, shape.field & !occupied)
            .iter()
            .fold(0, |all, set| all | set);
        let empty = shape.ground & (!occupied | king);
        let calm = empty & !blocked;
        reach & runs_and_step(shape.goals & calm, calm, empty) & !shape.goals
    }

    #[inline]
    fn wall(&mut self, attackers: u128) -> &Wall {
        let folded = (attackers as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ ((attackers >> 64) as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let place = (folded >> 40) as usize % WALLS;
        if self.walls[place].attackers != attackers {
            self.walls[place] = self.build(attackers);
        }
        &self.walls[place]
    }

    #[inline(never)]
    fn build(&self, attackers: u128) -> Wall {
        let shape = &self.shape;
        let open = shape.ground & !attackers;
        // Most corners are connected with the middle, from where the way is short to all of them.
        let middle = shape.middle & open;
        let middle = flood(middle & middle.wrapping_neg(), open);
        let regions = shape.corners.map(|corner| {
            let escapes = corner.escapes & open;
            if escapes & !middle == 0 && escapes != 0 {
                middle
            } else {
                flood(escapes, open)
            }
        });
        Wall {
            attackers,
            regions,
            count: attackers.count_ones() as i32,
            room: (beside(attackers) & shape.board & !attackers).count_ones() as i32,
            chain: few(attackers & shape.chains),
            home: (attackers & shape.camps).count_ones() as i32,
        }
    }

    /// Calls `give` with the points of every term.
    #[inline(always)]
    fn terms(
        &mut self,
        rules: &Rules,
        p: &Parameters,
        position: &Position,
        king_seen: &Sight,
        mut give: impl FnMut(Term, Side, i32),
    ) {
        use Side::{Attackers, Defenders};
        let side = position.side();
        let attackers = position.pieces(Attackers).bits();
        let men = position.men(Defenders).bits();
        let king = Bitboard::from(position.king()).bits();
        let occupied = position.occupied().bits();

        give(
            Term::Material,
            Defenders,
            men.count_ones() as i32 * p.man_defender,
        );

        let steps = [0, p.wall_1, p.wall_2, p.wall_3, p.wall_4];
        let broken_percent = p.wall_broken;
        let Wall {
            regions,
            count,
            room,
            chain,
            home,
            ..
        } = *self.wall(attackers);
        give(Term::Material, Attackers, count * p.man_attacker);
        give(Term::Mobility, Attackers, room * p.room_attacker);
        let (mut closed, mut broken) = (0, 0);
        // On a square he cannot come back to (the castle), his neighbours count.
        let stand = if king & self.shape.ground == 0 {
            beside(king)
        } else {
            king
        };
        for region in regions {
            if region & stand == 0 {
                closed += 1;
                broken += usize::from(region & men != 0);
            }
        }
        let whole = steps[closed - broken];
        let wall = whole + (steps[closed] - whole) * broken_percent / 100;
        give(Term::Walls, Attackers, wall);
        give(Term::Chains, Attackers, chain * p.chain_attacker);
        let own = men & self.shape.chains;
        if own != 0 {
            give(Term::Chains, Defenders, few(own) * p.chain_defender);
        }
        give(Term::Camps, Attackers, -home * p.camp_attacker);

        let reach = king_seen.reach.bits();
        let sight = self.king_sight(position);
        if reach & self.shape.goals != 0 {
            give(Term::Lanes, Defenders, p.lane);
        }
        let next = few(reach & sight.open).min(4);
        give(Term::Lanes, Defenders, next * p.lane_next);
        if reach & sight.forks != 0 {
            let worth = if side == Defenders {
                p.fork_now
            } else {
                p.fork_later
            };
            give(Term::Lanes, Defenders, worth);
        }
        if reach & sight.open != 0 && self.free_lanes(position, reach) != 0 {
            let worth = if side == Defenders {
                p.free_now
            } else {
                p.free_later
            };
            give(Term::Blockers, Defenders, worth);
        }
        let empty = self.shape.ground & !occupied;
        let roam = runs(reach, empty).iter().fold(reach, |all, set| all | set);
        if p.king_step != 0 {
            let steps = reach.count_ones() as i32;
            give(Term::Freedom, Defenders, steps * p.king_step);
        }
        give(
            Term::Freedom,
            Defenders,
            roam.count_ones() as i32 * p.king_roam,
        );
        if reach & sight.open != 0 {
            give(Term::Distance, Defenders, p.distance_2);
        } else if roam & sight.open != 0 {
            give(Term::Distance, Defenders, p.distance_3);
        }

        let sides = rules.scan(position).closed_sides() as i32;
        give(Term::Safety, Attackers, (sides - 1).max(0) * p.king_side);
        if sides > 0 {
            let threats = few(king_seen.threats.bits());
            give(Term::Safety, Attackers, threats * p.king_threat);
        }

        if p.room_defender != 0 {
            let free = self.shape.board & !occupied;
            let room = (beside(men) & free).count_ones() as i32;
            give(Term::Mobility, Defenders, room * p.room_defender);
        }
        give(Term::Tempo, side, p.tempo);
    }

    /// The points of every term.
    pub(crate) fn breakdown(
        &mut self,
        rules: &Rules,
        p: &Parameters,
        position: &Position,
    ) -> [[i32; 2]; Term::ALL.len()] {
        let mut points = [[0; 2]; Term::ALL.len()];
        let sight = Sight::new(rules, position);
        self.terms(rules, p, position, &sight, |term, side, value| {
            points[term as usize][side.index()] += value;
        });
        points
    }
}
