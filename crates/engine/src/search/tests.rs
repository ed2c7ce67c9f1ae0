//! What cannot be seen from outside of a search.

use tablut_rules::Game;

use super::*;
use crate::{SearchLimits, prover::Prover, root::Root};

/// What a search shares, for one test.
struct Bed {
    game: Game,
    parameters: Parameters,
    table: Table,
    control: Control,
    reductions: Reductions,
}

impl Bed {
    fn new(setup: &str) -> Self {
        let rules = Rules::ashton();
        let setup: tablut_rules::Setup = setup.parse().unwrap();
        let position = rules.position(&setup).unwrap();
        let laws = rules.laws();
        let parameters = Parameters::default();
        Self {
            game: Game::from_position(rules, position, laws),
            reductions: Reductions::new(&parameters),
            parameters,
            table: Table::new(1).unwrap(),
            control: Control::new(),
        }
    }

    fn shared(&self) -> Shared<'_> {
        Shared {
            rules: self.game.rules(),
            parameters: &self.parameters,
            table: &self.table,
            control: &self.control,
            reductions: &self.reductions,
            stopped: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: None,
            deadline: None,
        }
    }
}

const START: &str = "3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w";
/// The king escapes by force in three.
const WON: &str = "9/9/3b5/9/1b1K4b/9/9/9/b8 w";

#[test]
fn a_bound_is_never_lower_than_what_was_hoped_of_moves_not_tried() {
    let bed = Bed::new(START);
    let shared = bed.shared();
    let position = *bed.game.position();
    let mut memory = Memory::new(shared.rules);
    let filler = shared.rules.moves(&position)[0];
    let mut searcher = Searcher::new(&shared, &mut memory, Path::new(&bed.game), filler);
    let sight = Sight::new(shared.rules, &position);
    let guess = searcher.evaluate(&position, &sight);
    let p = shared.parameters;
    let hope = guess + p.futility_base + p.futility_margin;
    let alpha = hope + 500;
    searcher.root_depth = 1;
    let value = searcher.visit::<false>(&position, alpha, alpha + 1, 1, 1, None, false);
    assert!((hope..=alpha).contains(&value), "{value}, hope {hope}");
    let found = shared.table.probe(position.key()).unwrap();
    assert_eq!((found.bound, found.value), (Bound::Upper, value));
}

#[test]
fn a_proof_ends_when_the_search_is_stopped() {
    let bed = Bed::new(WON);
    let shared = bed.shared();
    let position = *bed.game.position();
    let side = position.side();
    let prover = || Prover::new(&shared, Path::new(&bed.game), side, 60_000);
    let moves = shared.rules.moves(&position);
    let wins = |step: &Move| prover().wins_with(&position, *step, 3);
    let win = *moves.iter().find(|step| wins(step)).unwrap();
    shared.stopped.store(true, Relaxed);
    // A budget that is a multiple of the interval looks at once.
    let prover = Prover::new(&shared, Path::new(&bed.game), side, 61_440);
    assert!(!prover.wins_with(&position, win, 3));
}

#[test]
fn a_helper_checks_no_claim() {
    let bed = Bed::new(WON);
    let shared = bed.shared();
    let limits = SearchLimits::depth(6);
    let moves = shared.rules.moves(bed.game.position()).to_vec();
    let score = |is_told: bool| {
        let mut memory = Memory::new(shared.rules);
        let searcher = Searcher::new(&shared, &mut memory, Path::new(&bed.game), moves[0]);
        let mut root = Root::new(searcher, &bed.game, moves.clone());
        let mut news = |_: &Searcher<'_>, _: u32, _: usize, _: &crate::Variation| {};
        root.deepen(&limits, 1, is_told.then_some(&mut news as _));
        root.line(0).score
    };
    assert_eq!(score(true), crate::Score::Win(3));
    assert!(matches!(score(false), crate::Score::Units(_)));
}
