//! The numbers that can be tuned, in one table: weights of the evaluation, margins and depths of the
//! search.
//!
//! A normal engine uses the defaults. Match programs may set numbers by name to compare two versions.
//! What other numbers depend on stays a constant where it is used: the ranks of the move picker and
//! the largest history, the range of values, sizes of tables, how often the clock is read.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        /// The numbers an engine plays by. All are integers: every machine searches the same tree.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Self {
                Self { $($name: $value,)* }
            }
        }

        impl Parameters {
            /// Name and value of each number.
            #[must_use]
            pub fn list(&self) -> Vec<(&'static str, i32)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            /// Sets a number by its name; false if there is none of that name.
            #[must_use]
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

parameters! {
    /// Worth of an attacker.
    man_attacker = 100;
    /// Worth of a defender.
    man_defender = 200;
    /// One corner closed to the king.
    wall_1 = 25;
    /// Two corners closed to the king.
    wall_2 = 60;
    /// Three corners closed to the king.
    wall_3 = 110;
    /// No corner left: the king is shut in.
    wall_4 = 260;
    /// What a closed corner is worth, in per cent, while a defender is behind the wall.
    wall_broken = 30;
    /// An attacker on a square of a corner's chain (the rhombus).
    chain_attacker = 16;
    /// A defender on a square of a corner's chain.
    chain_defender = 12;
    /// A lane is open and the attackers have to answer.
    lane = 25;
    /// The king can move to a square with one open lane (up to four counted).
    lane_next = 12;
    /// The king, to move, can go to a square with two open lanes.
    fork_now = 250;
    /// The king could go to a square with two open lanes if he were to move.
    fork_later = 60;
    /// The king, to move, can go to a square with a lane that no attacker can block at once.
    free_now = 150;
    /// The king could do so if he were to move.
    free_later = 30;
    /// A square the king reaches with one move.
    king_step = 0;
    /// A square the king reaches with two moves.
    king_roam = 3;
    /// The king is two moves from a goal.
    distance_2 = 15;
    /// The king is three moves from a goal.
    distance_3 = 5;
    /// A side of the king that is closed, for every one beyond the first.
    king_side = 12;
    /// A square on which an attacker would capture the king.
    king_threat = 25;
    /// An empty square beside a defender.
    room_defender = 0;
    /// An empty square beside an attacker.
    room_attacker = 1;
    /// An attacker still at home in a camp.
    camp_attacker = 3;
    /// The side to move.
    tempo = 10;

    /// Most depth at which a good evaluation alone refutes.
    reverse_depth = 6;
    /// What it has to exceed per ply.
    reverse_margin = 60;
    /// Most depth at which quiet moves without hope are left out.
    futility_depth = 5;
    /// What a quiet move may gain, base.
    futility_base = 80;
    /// And per ply.
    futility_margin = 60;
    /// Most depth at which late quiet moves are left out.
    late_depth = 5;
    /// How many quiet moves are looked at, base; the square of the depth comes on top.
    late_base = 6;
    /// Late-move reductions: hundredths, base.
    reduction_base = 60;
    /// Late-move reductions: divisor of the product of logarithms, hundredths.
    reduction_divisor = 220;
    /// Least depth of a late-move reduction.
    reduction_depth = 3;
    /// How many moves of a node are not reduced.
    reduction_after = 2;
    /// History that changes a reduction by one ply.
    reduction_history = 8000;
    /// Least depth at which the root reduces late moves by one ply.
    root_reduction_depth = 4;
    /// How many moves of the root are not late.
    root_reduction_after = 6;
    /// Least depth at which the root reduces very late moves by one more ply.
    root_reduction_depth_2 = 7;
    /// How many moves of the root are not very late.
    root_reduction_after_2 = 20;
    /// What a quiet move that refutes gains in the histories: per square of the depth.
    history_square = 12;
    /// And per depth.
    history_depth = 40;
    /// And at most.
    history_most = 1800;
    /// Least depth at which the only good move is searched deeper.
    singular_depth = 7;
    /// How much worse the others are then, in sixteenths, per ply.
    singular_margin = 32;
    /// Whether quiet moves are also ranked by the side's own last move.
    plan_history = 1;
    /// What the history of captures is divided by to rank them.
    capture_history = 8;
    /// How much of what was learnt about the evaluation's errors counts, in per cent.
    correction = 100;
    /// Least depth at which a node without a move from the table is searched one ply less deep.
    unknown_depth = 5;
    /// Plies added when the side to move is threatened with immediate loss.
    extension = 1;
    /// Plies of quiescence in which an open lane is answered.
    answer_length = 6;
    /// Plies of quiescence in which a king about to fall looks for every way out.
    evasion_length = 1;
    /// Plies of quiescence in which the king may go to squares with a lane that no attacker blocks in
    /// time.
    free_length = 4;
    /// What a capture in quiescence may gain besides the men.
    capture_margin = 120;
    /// How much a draw is disliked by the side that stands better, in per cent of its advantage.
    draw_share = 20;
    /// And at most.
    draw_most = 30;
    /// How much a draw is disliked by the engine's own side besides: what an opponent is thought to
    /// be weaker.
    contempt = 0;
    /// How much worse the side that an engine plays has to stand before it plays for mistakes of its opponent; 0 is
    /// never.
    rescue = 100;
    /// And how much better when that is over.
    rescued = 400;
    /// First aspiration window around the last value.
    window = 25;
    /// How many times wider the aspiration window is after each failure.
    window_growth = 3;
    /// The widest aspiration window; after it comes the full one.
    window_most = 400;
    /// Plies beyond its depth that a search may see: so near a limit of moves, stored values do not
    /// count.
    limit_margin = 8;
    /// Thousands of nodes that the check of a claimed win or loss may visit.
    proof_nodes = 60;
}
