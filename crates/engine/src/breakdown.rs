//! The evaluation for people: every term with the points of both sides.

use std::fmt;

use tablut_rules::{BySide, Position, Rules, Side};

use crate::{
    Score, Term,
    evaluation::{BoardView, WallCache, breakdown},
    parameter::Parameters,
    shape::Shape,
};

/// The points of both sides, term by term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakdown {
    points: [BySide<i32>; Term::ALL.len()],
    side: Side,
}

/// Evaluates a position without search.
///
/// ```
/// use tablut_engine::{Term, evaluate};
/// use tablut_rules::{Rules, Side};
/// let rules = Rules::ashton();
/// let breakdown = evaluate(&rules, &rules.start());
/// assert!(breakdown.points(Term::Material, Side::Attackers) > 0);
/// println!("{breakdown}");
/// ```
#[must_use]
pub fn evaluate(rules: &Rules, position: &Position) -> Breakdown {
    let shape = Shape::new(rules);
    let view = BoardView {
        rules,
        shape: &shape,
        position,
    };
    Breakdown::new(&mut WallCache::new(), &Parameters::default(), &view)
}

impl Breakdown {
    fn new(walls: &mut WallCache, parameters: &Parameters, view: &BoardView<'_>) -> Self {
        Self {
            points: breakdown(walls, parameters, view),
            side: view.position.side(),
        }
    }

    /// A side's points for a term.
    #[must_use]
    pub const fn points(&self, term: Term, side: Side) -> i32 {
        *self.points[term as usize].get(side)
    }

    /// A side's points for all terms.
    #[must_use]
    pub fn sum(&self, side: Side) -> i32 {
        self.points.iter().map(|term| term[side]).sum()
    }

    /// The worth of the position for the side to move.
    #[must_use]
    pub fn score(&self) -> Score {
        Score::Units(self.sum(self.side) - self.sum(self.side.opponent()))
    }

    /// The side to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, attackers: i32, defenders: i32| {
            writeln!(
                f,
                "{name:<12} {:>10} {:>10} {:>10}",
                Score::Units(attackers),
                Score::Units(defenders),
                Score::Units(defenders - attackers)
            )
        };
        for term in Term::ALL {
            let BySide {
                attackers,
                defenders,
            } = self.points[term as usize];
            row(&term.to_string(), attackers, defenders)?;
        }
        row("sum", self.sum(Side::Attackers), self.sum(Side::Defenders))?;
        write!(f, "for the side to move: {}", self.score())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Material => "material",
            Self::Walls => "walls",
            Self::Chains => "chains",
            Self::Lanes => "lanes",
            Self::Blockers => "blockers",
            Self::Distance => "distance",
            Self::Freedom => "freedom",
            Self::Safety => "safety",
            Self::Mobility => "mobility",
            Self::Camps => "camps",
            Self::Tempo => "tempo",
        })
    }
}
