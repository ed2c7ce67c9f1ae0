//! What a position is worth without search: named terms, integers only.
//!
//! Positive points are good for the side they are given to. What depends on the attackers' men alone
//! is kept in a small table, since most positions of a search share it.
//!
//! There are two ways to evaluate: by hand-written terms, which are here, and by a network. Which of
//! them an engine uses is settled before a search, and the search asks in one place
//! (`Searcher::evaluate`).

use tablut_rules::{Bitboard, BySide, Direction, Position, Rules, Side};

use crate::{
    king::KingView,
    parameter::Parameters,
    score::value,
    shape::{Shape, fills, union},
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

/// A position with what is needed to evaluate it.
#[derive(Clone, Copy)]
pub(crate) struct BoardView<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) shape: &'a Shape,
    pub(crate) position: &'a Position,
}

/// A way to evaluate positions. Each thread of a search has one.
pub(crate) trait Evaluator: Send {
    /// The worth of a position for the side to move; `ply` is where it stands in the line searched.
    fn evaluate(&mut self, view: &BoardView<'_>, king: &mut KingView, ply: usize) -> i32;
}

/// Evaluates by the terms below, with the parameters it is made with.
pub(crate) struct HandEvaluator {
    parameters: Parameters,
    walls: WallCache,
}

impl HandEvaluator {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        Self {
            parameters: parameters.clone(),
            walls: WallCache::new(),
        }
    }
}

impl Evaluator for HandEvaluator {
    fn evaluate(&mut self, view: &BoardView<'_>, king: &mut KingView, _: usize) -> i32 {
        let mut points = BySide::both(0);
        let (walls, p) = (&mut self.walls, &self.parameters);
        terms(walls, p, view, king, |_, side, value| {
            points[side] += value;
        });
        let side = view.position.side();
        let sum = points[side] - points[side.opponent()];
        sum.clamp(-value::MOST, value::MOST)
    }
}

/// The points of every term for both sides.
pub(crate) fn breakdown(
    walls: &mut WallCache,
    p: &Parameters,
    view: &BoardView<'_>,
) -> [BySide<i32>; Term::ALL.len()] {
    let mut points = [BySide::both(0); Term::ALL.len()];
    let mut king = KingView::new(view.rules, view.position);
    terms(walls, p, view, &mut king, |term, side, value| {
        points[term as usize][side] += value;
    });
    points
}

/// What the attackers' men alone make of the board.
#[derive(Clone, Copy, Default)]
struct Wall {
    attackers: Bitboard,
    /// Per corner: the squares connected with its escapes.
    regions: [Bitboard; 4],
    /// How many attackers there are.
    count: i32,
    /// Squares beside attackers that no attacker stands on.
    room: i32,
    /// Attackers on chains.
    chain: i32,
    /// Attackers in camps.
    home: i32,
}

impl Wall {
    #[inline(never)]
    fn new(shape: &Shape, attackers: Bitboard) -> Self {
        let open = shape.ground & !attackers;
        // Most corners are connected with the middle, from where the way is short to all of them.
        let middle = spread((shape.middle & open).first_only(), open).flood(open);
        let regions = shape.corners.map(|corner| {
            let escapes = corner.escapes & open;
            if escapes.is_subset(middle) && !escapes.is_empty() {
                middle
            } else {
                escapes.flood(open)
            }
        });
        Self {
            attackers,
            regions,
            count: attackers.len() as i32,
            room: (attackers.neighbours() & shape.board & !attackers).len() as i32,
            chain: (attackers & shape.chains).len_of_few() as i32,
            home: (attackers & shape.camps).len() as i32,
        }
    }
}

/// The squares that a slide along the row and one along the column after it reach: nearly all there
/// are, so that a flood from them is short.
#[inline(always)]
fn spread(from: Bitboard, open: Bitboard) -> Bitboard {
    let row = from.fill(Direction::Left, open) | from.fill(Direction::Right, open);
    row.fill(Direction::Up, open) | row.fill(Direction::Down, open)
}

const WALLS: usize = 4096;

/// The walls of the attackers' men that were looked at last.
pub(crate) struct WallCache(Vec<Wall>);

impl WallCache {
    pub(crate) fn new() -> Self {
        // No position has attackers everywhere: it has a king.
        let none = Wall {
            attackers: Bitboard::ALL,
            ..Wall::default()
        };
        Self(vec![none; WALLS])
    }

    #[inline]
    fn get(&mut self, shape: &Shape, attackers: Bitboard) -> &Wall {
        let wall = &mut self.0[(attackers.mix() >> 40) as usize % WALLS];
        if wall.attackers != attackers {
            *wall = Wall::new(shape, attackers);
        }
        wall
    }
}

/// Calls `give` with the points of every term.
#[inline(always)]
fn terms(
    walls: &mut WallCache,
    p: &Parameters,
    view: &BoardView<'_>,
    king: &mut KingView,
    mut give: impl FnMut(Term, Side, i32),
) {
    let wall = walls.get(view.shape, view.position.pieces(Side::Attackers));
    give_men(wall, p, view, &mut give);
    give_walls(wall, p, view, &mut give);
    give_king(king, p, view, &mut give);
    give(Term::Tempo, view.position.side(), p.tempo);
}

/// Material, mobility, chains and camps.
#[inline(always)]
fn give_men(
    wall: &Wall,
    p: &Parameters,
    view: &BoardView<'_>,
    give: &mut impl FnMut(Term, Side, i32),
) {
    use Side::{Attackers, Defenders};
    let men = view.position.men(Defenders);
    let count = men.len() as i32;
    give(Term::Material, Defenders, count * p.man_defender);
    give(Term::Material, Attackers, wall.count * p.man_attacker);
    give(Term::Mobility, Attackers, wall.room * p.room_attacker);
    if p.room_defender != 0 {
        let free = view.shape.board & !view.position.occupied();
        let room = (men.neighbours() & free).len() as i32;
        give(Term::Mobility, Defenders, room * p.room_defender);
    }
    give(Term::Chains, Attackers, wall.chain * p.chain_attacker);
    let own = (men & view.shape.chains).len_of_few() as i32;
    give(Term::Chains, Defenders, own * p.chain_defender);
    give(Term::Camps, Attackers, -wall.home * p.camp_attacker);
}

/// Corners that the attackers have closed to the king.
#[inline(always)]
fn give_walls(
    wall: &Wall,
    p: &Parameters,
    view: &BoardView<'_>,
    give: &mut impl FnMut(Term, Side, i32),
) {
    let men = view.position.men(Side::Defenders);
    let king = Bitboard::from(view.position.king());
    // On a square he cannot come back to (the castle), his neighbours count.
    let stand = if king.is_disjoint(view.shape.ground) {
        king.neighbours()
    } else {
        king
    };
    let (mut closed, mut broken) = (0, 0);
    for region in wall.regions {
        if region.is_disjoint(stand) {
            closed += 1;
            broken += usize::from(!region.is_disjoint(men));
        }
    }
    let steps = [0, p.wall_1, p.wall_2, p.wall_3, p.wall_4];
    let whole = steps[closed - broken];
    let points = whole + (steps[closed] - whole) * p.wall_broken / 100;
    give(Term::Walls, Side::Attackers, points);
}

/// The king's lanes, his freedom and his safety.
#[inline(always)]
fn give_king(
    king: &mut KingView,
    p: &Parameters,
    view: &BoardView<'_>,
    give: &mut impl FnMut(Term, Side, i32),
) {
    use Side::{Attackers, Defenders};
    let BoardView {
        rules,
        shape,
        position,
    } = *view;
    let to_move = |now: i32, later: i32| match position.side() {
        Defenders => now,
        Attackers => later,
    };
    let reach = king.reach;
    let lanes = king.lanes(shape, position);
    if !reach.is_disjoint(shape.goals) {
        give(Term::Lanes, Defenders, p.lane);
    }
    let next = (reach & lanes.open).len_of_few().min(4) as i32;
    give(Term::Lanes, Defenders, next * p.lane_next);
    if !reach.is_disjoint(lanes.forks) {
        let worth = to_move(p.fork_now, p.fork_later);
        give(Term::Lanes, Defenders, worth);
    }
    if next > 0 && !king.free_lanes(shape, position).is_empty() {
        let worth = to_move(p.free_now, p.free_later);
        give(Term::Blockers, Defenders, worth);
    }
    let empty = shape.ground & !position.occupied();
    let roam = reach | union(fills(reach, empty));
    if p.king_step != 0 {
        let steps = reach.len() as i32;
        give(Term::Freedom, Defenders, steps * p.king_step);
    }
    let squares = roam.len() as i32;
    give(Term::Freedom, Defenders, squares * p.king_roam);
    if next > 0 {
        give(Term::Distance, Defenders, p.distance_2);
    } else if !roam.is_disjoint(lanes.open) {
        give(Term::Distance, Defenders, p.distance_3);
    }
    let sides = rules.scan(position).closed_sides() as i32;
    give(Term::Safety, Attackers, (sides - 1).max(0) * p.king_side);
    if sides > 0 {
        let threats = king.threats.len_of_few() as i32;
        give(Term::Safety, Attackers, threats * p.king_threat);
    }
}
