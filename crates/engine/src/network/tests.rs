//! The network against its slow twin, and its file.

use std::sync::Arc;

use tablut_rules::{BoardSize, BuiltIn, BySide, Game, Random, Symmetry};

use super::*;
use crate::{
    evaluation::{BoardView, Evaluator},
    king::KingView,
    shape::Shape,
};

/// A network of random weights, small enough that units are neither all shut nor all open.
fn random_network(seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut weight = |size: f64| ((random.fraction() - 0.5) * size) as f32;
    let mut weights =
        |count: usize, size: f64| -> Vec<f32> { (0..count).map(|_| weight(size)).collect() };
    Network::round(
        "ashton",
        &RealNetwork {
            rows: weights(INPUTS * HIDDEN, 0.8),
            bias: weights(HIDDEN, 1.0),
            heads: BySide::from_fn(|_| weights(HIDDEN, 4.0)),
            head_bias: BySide::both(0.25),
        },
    )
}

/// The pieces of a board, turned by hand until the king stands right of the centre and below it, and rather
/// right than below.
fn slow_view(position: &Position) -> Vec<(Piece, Square)> {
    let see = |turn: Symmetry| {
        let seen = |square| turn.square(BoardSize::Nine, square);
        let king = seen(position.king());
        let stands_right = king.column() >= king.row() && king.row() >= 4;
        let on = |square| Some((position.piece_at(square)?, seen(square)));
        stands_right.then(|| Square::all().filter_map(on).collect())
    };
    let mut seen = Symmetry::ALL.into_iter().filter_map(see);
    seen.next().expect("some turn does it")
}

/// The region of the king: 0 in the centre, then one more for each ring, but the third and the fourth are one.
fn slow_region(position: &Position) -> usize {
    let king = position.king();
    let ring = king.column().abs_diff(4).max(king.row().abs_diff(4));
    [0, 1, 2, 3, 3][usize::from(ring)]
}

/// The value in plain arithmetic on numbers that cannot overflow.
fn slow_twin(network: &Network, position: &Position) -> i32 {
    let head = &network.heads[position.side()];
    let region = 243 * slow_region(position);
    let mut sum = 0_i128;
    for unit in 0..HIDDEN {
        let mut hidden = i128::from(network.bias[unit]);
        for (piece, square) in slow_view(position) {
            hidden += i128::from(network.rows[region + place(piece, square)][unit]);
        }
        let clipped = hidden.clamp(0, 255);
        sum += clipped * clipped * i128::from(head.weights[unit]);
    }
    let value = (sum / 255 + i128::from(head.bias)) * 350 / (255 * 64);
    let flat = match value {
        801.. => 800 + (value - 800) / 2,
        ..-800 => -800 + (value + 800) / 2,
        _ => value,
    };
    flat.clamp(-9_999, 9_999) as i32
}

#[test]
fn the_accumulator_and_its_slow_twin_agree_over_random_play() {
    let mut values = std::collections::HashSet::new();
    for (seed, set) in BuiltIn::ALL.iter().enumerate() {
        let rules = set.rules();
        let shape = Shape::new(&rules);
        let network = Arc::new(random_network(seed as u64));
        let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
        let mut random = Random::new(seed as u64);
        for _ in 0..5 {
            let mut game = Game::new(rules.clone());
            let mut ply = 0;
            while game.outcome().is_none() && game.plies().len() < 100 {
                let moves = rules.moves(game.position());
                game.play(random.pick(&moves)).unwrap();
                let position = game.position();
                let expected = slow_twin(&network, position);
                assert_eq!(network.evaluate(position), expected);
                // As in a search: plies are left out, and come again with other boards.
                ply = (ply + random.below(4)).saturating_sub(1) % crate::search::MAX_PLY;
                let view = BoardView {
                    rules: &rules,
                    shape: &shape,
                    position,
                };
                let mut king = KingView::UNSEEN;
                assert_eq!(evaluator.evaluate(&view, &mut king, ply), expected);
                values.insert(expected);
            }
        }
    }
    assert!(values.len() > 500, "{}", values.len());
}

#[test]
fn the_largest_weights_do_not_overflow() {
    let rules = tablut_rules::Rules::ashton();
    for sign in [1.0, -1.0] {
        let network = Network::round(
            "ashton",
            &RealNetwork {
                rows: vec![9.0; INPUTS * HIDDEN],
                bias: vec![9.0; HIDDEN],
                heads: BySide::from_fn(|_| vec![9.0 * sign; HIDDEN]),
                head_bias: BySide::both(9.0 * sign),
            },
        );
        let start = rules.start();
        assert_eq!(network.evaluate(&start), slow_twin(&network, &start));
        assert_eq!(network.evaluate(&start), 9_999 * sign as i32);
    }
}

#[test]
fn a_network_is_read_as_it_was_written() {
    let network = random_network(1);
    let bytes = network.write();
    assert_eq!(Network::read(&bytes), Ok(network));
}

#[test]
fn a_rescue_has_the_same_hidden_layer_and_heads_of_its_own() {
    let (network, mut real) = (random_network(1), random_network(1).real());
    assert!(network.rescuing().is_none());
    real.heads = random_network(2).real().heads;
    let other = Network::round("ashton", &real);
    let both = network.clone().with_rescue(Side::Defenders, &other);
    let both = both.expect("the hidden layers are the same");
    assert_eq!(both.rescued_side(), Some(Side::Defenders));
    let start = tablut_rules::Rules::ashton().start();
    let rescuing = both.rescuing().expect("it has a rescue");
    assert_eq!(both.evaluate(&start), network.evaluate(&start));
    assert_eq!(rescuing.evaluate(&start), slow_twin(&other, &start));
    let bytes = both.write();
    assert_eq!(Network::read(&bytes), Ok(both));
    for length in [bytes.len() - 1, network.write().len()] {
        let cut = Network::read(&bytes[..length]).unwrap_err();
        assert_eq!(cut, NetworkError::Damaged);
    }
    let foreign = network.with_rescue(Side::Defenders, &random_network(3));
    assert!(foreign.is_none(), "another hidden layer");
}

#[test]
fn a_network_that_treats_all_regions_alike_is_written_once() {
    let mut real = random_network(2).real();
    for region in 1..REGIONS {
        let (first, rest) = real.rows.split_at_mut(region * PLACES * HIDDEN);
        rest[..PLACES * HIDDEN].copy_from_slice(&first[..PLACES * HIDDEN]);
    }
    let network = Network::round("ashton", &real);
    let bytes = network.write();
    assert!(bytes.len() * 3 < random_network(2).write().len());
    assert_eq!(Network::read(&bytes), Ok(network));
}

#[test]
fn a_network_in_real_numbers_is_rounded_to_itself() {
    let network = random_network(5);
    assert_eq!(Network::round("ashton", &network.real()), network);
}

#[test]
fn what_is_no_network_is_refused_with_a_reason() {
    let bytes = random_network(1).write();
    let with = |index: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[index] = byte;
        Network::read(&changed).unwrap_err()
    };
    assert_eq!(Network::read(b"hello").unwrap_err(), NetworkError::Foreign);
    assert_eq!(with(0, b'X'), NetworkError::Foreign);
    assert_eq!(with(8, 9), NetworkError::Version(9));
    assert_eq!(with(11, 2), NetworkError::Hidden(512));
    assert_eq!(with(500, bytes[500] ^ 1), NetworkError::Damaged);
    for length in [9, 11, 13, 100, bytes.len() - 1] {
        assert_eq!(
            Network::read(&bytes[..length]).unwrap_err(),
            NetworkError::Damaged
        );
    }
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(Network::read(&longer).unwrap_err(), NetworkError::Damaged);
}

#[test]
fn a_man_is_worth_what_is_lost_without_it() {
    let network = random_network(3);
    let start = tablut_rules::Rules::ashton().start();
    let worth: Vec<_> = network.worth(&start).collect();
    assert_eq!(worth.len(), 24);
    for (square, worth) in worth {
        let mut setup = tablut_rules::Setup::from(&start);
        setup.put(square, None);
        let rules = tablut_rules::Rules::ashton();
        let without = rules.position(&setup).unwrap();
        assert_eq!(worth, network.evaluate(&start) - network.evaluate(&without));
    }
}

#[test]
fn a_set_of_ones_own_is_served_by_the_network_of_a_set_on_the_same_board_with_few_other_laws() {
    use tablut_rules::RuleSet;
    let ashton = BuiltIn::Ashton.text();
    let serving = |from: &str, to: &str| {
        let text = ashton
            .replace(from, to)
            .replace("id = \"ashton\"", "id = \"mine\"");
        let set: RuleSet = text.parse().unwrap();
        Network::serving(&set.compile().unwrap())
    };
    let own = Network::built_in(&tablut_rules::Rules::ashton());
    assert!(own.is_some());
    assert_eq!(serving("no_move = \"loses\"", "no_move = \"draws\""), own);
    // Another board, and too many other laws.
    assert_eq!(serving("goals = \"edge\"", "goals = \"corners\""), None);
    assert_eq!(serving("\"....b....\"", "\".........\""), None);
}
