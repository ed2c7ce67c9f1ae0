//! What cannot be seen from outside of a search.

use tablut_rules::Game;

use super::*;
use crate::{
    Score, SearchLimits, Variation,
    evaluation::HandEvaluator,
    root::Root,
    solve::Solver,
    transposition::{Bound, TranspositionTable},
};

/// What a search shares, for one test.
struct Bed {
    game: Game,
    shape: Shape,
    parameters: Parameters,
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
            shape: Shape::new(&rules),
            game: Game::from_position(rules, position, laws),
            reductions: Reductions::new(&parameters),
            parameters,
            control: Control::new(),
        }
    }

    fn context<'a>(&'a self, table: &'a mut TranspositionTable) -> SearchContext<'a> {
        SearchContext {
            rules: self.game.rules(),
            shape: &self.shape,
            parameters: &self.parameters,
            table: table.open(),
            control: &self.control,
            reductions: &self.reductions,
            stopped: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            node_limit: None,
            begin: Instant::now(),
            deadline: None,
        }
    }

    fn thread(&self) -> ThreadState {
        ThreadState::new(Box::new(HandEvaluator::new(&self.parameters)))
    }
}

const START: &str = "3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w";
/// The king escapes by force in three.
const WON: &str = "9/9/3b5/9/1b1K4b/9/9/9/b8 w";

#[test]
fn a_bound_is_never_lower_than_what_was_hoped_of_moves_not_tried() {
    let bed = Bed::new(START);
    let mut table = TranspositionTable::new(1).unwrap();
    let context = bed.context(&mut table);
    let position = *bed.game.position();
    let mut thread = bed.thread();
    let mut searcher = Searcher::new(&context, &mut thread, Path::new(&bed.game));
    let mut king = KingView::new(context.rules, &position);
    let evaluation = searcher.evaluate(&position, &mut king, 0);
    let p = context.parameters;
    let hope = evaluation + p.futility_base + p.futility_margin;
    let alpha = hope + 500;
    searcher.root_depth = 1;
    let window = Window::new(alpha, alpha + 1);
    let value = searcher.visit::<false>(&position, window, 1, 1);
    assert!((hope..=alpha).contains(&value), "{value}, hope {hope}");
    let stored = context.table.probe(position.key()).unwrap();
    assert_eq!((stored.bound, stored.value), (Bound::Upper, value));
}

#[test]
fn quiescence_is_never_lower_than_what_was_hoped_of_a_capture_not_tried() {
    // d8 to d7 captures the man on c7.
    let bed = Bed::new("9/9/9/4w4/3wKw3/4w4/1bw6/3b5/9 b");
    let mut table = TranspositionTable::new(1).unwrap();
    let context = bed.context(&mut table);
    let position = *bed.game.position();
    let mut thread = bed.thread();
    let mut searcher = Searcher::new(&context, &mut thread, Path::new(&bed.game));
    let mut king = KingView::new(context.rules, &position);
    let p = context.parameters;
    let hope = searcher.evaluate(&position, &mut king, 0) + p.man_defender + p.capture_margin;
    let window = Window::new(hope + 100, hope + 101);
    assert_eq!(searcher.quiesce::<false>(&position, window, 1, 0), hope);
    let stored = context.table.probe(position.key());
    assert_eq!(stored, None, "quiescence leaves the table alone");
}

#[test]
fn a_proof_ends_at_once_when_the_search_is_stopped() {
    let bed = Bed::new(WON);
    let mut table = TranspositionTable::new(1).unwrap();
    let context = bed.context(&mut table);
    let side = bed.game.position().side();
    let solver = || Solver::beside_search(&bed.game, side, 1, &context);
    let moves = context.rules.moves(bed.game.position());
    let wins = |step: &Move| solver().proves(Some(*step), 3, 60_000);
    let win = *moves.iter().find(|step| wins(step)).unwrap();
    context.stopped.store(true, Relaxed);
    let mut stopped = solver();
    assert!(!stopped.proves(Some(win), 3, 60_000));
    assert_eq!(stopped.nodes(), 0);
}

#[test]
fn a_helper_checks_no_claim() {
    let bed = Bed::new(WON);
    let mut table = TranspositionTable::new(1).unwrap();
    let context = bed.context(&mut table);
    let limits = SearchLimits::depth(6);
    let score = |is_told: bool| {
        let mut thread = bed.thread();
        let searcher = Searcher::new(&context, &mut thread, Path::new(&bed.game));
        let mut root = Root::new(searcher, &bed.game);
        let mut listener = |_: &Searcher<'_>, _: u32, _: usize, _: &Variation| {};
        root.deepen(&limits, 1, is_told.then_some(&mut listener as _));
        root.variation(0).score
    };
    assert_eq!(score(true), Score::Win(3));
    assert!(matches!(score(false), Score::Units(_)));
}
