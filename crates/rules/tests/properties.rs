//! Laws that hold for every rule set and every position.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use tablut_rules::{
    Bitboard, BoardSize, BuiltIn, End, Game, Move, Piece, Position, RuleSet, Rules, Setup, Side,
    Square, Symmetry,
    notation::{Diagram, berkeley::BerkeleyMove},
};

static SETS: LazyLock<Vec<Arc<Rules>>> =
    LazyLock::new(|| BuiltIn::ALL.iter().map(|set| set.rules()).collect());

fn any_rules() -> impl Strategy<Value = Arc<Rules>> {
    (0..SETS.len()).prop_map(|n| SETS[n].clone())
}

/// A game of random moves under a random set.
fn any_game() -> impl Strategy<Value = Game> {
    (any_rules(), prop::collection::vec(any::<u16>(), 0..80)).prop_map(|(rules, choices)| {
        // No law ends the game early, so that long games are seen too.
        let mut laws = rules.laws();
        laws.repetition = None;
        let mut game = Game::from_position(rules.clone(), rules.start(), laws);
        for choice in choices {
            let moves = rules.moves(game.position());
            if game.outcome().is_some() || moves.is_empty() {
                break;
            }
            game.play(moves[usize::from(choice) % moves.len()]).unwrap();
        }
        game
    })
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..Square::COUNT).prop_map(|n| Square::from_index(n).unwrap())
}

/// Any set-up: any pieces anywhere on the board, any side to move.
fn any_setup() -> impl Strategy<Value = Setup> {
    let size = prop_oneof![Just(BoardSize::Seven), Just(BoardSize::Nine)];
    let pieces = prop::collection::vec((any_square(), 0..Piece::ALL.len()), 0..30);
    (size, pieces, any::<bool>(), any::<u16>()).prop_map(|(size, pieces, attackers, quiet)| {
        let side = if attackers {
            Side::Attackers
        } else {
            Side::Defenders
        };
        let mut setup = Setup::empty(size, side).with_quiet(quiet);
        for (square, piece) in pieces {
            if size.squares().contains(square) {
                setup.put(square, Some(Piece::ALL[piece]));
            }
        }
        setup
    })
}

/// Every pair of squares.
fn all_pairs() -> impl Iterator<Item = Move> {
    Square::all().flat_map(|from| Square::all().map(move |to| Move::new(from, to)))
}

/// The position of a set-up, faults aside.
fn place(rules: &Rules, setup: &Setup) -> Option<Position> {
    let position = rules.position(setup);
    position.or_else(tablut_rules::SetupError::playable).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn listed_moves_are_the_accepted_ones_and_all_others_have_a_reason(game in any_game()) {
        let (rules, position) = (game.rules(), game.position());
        let mut listed = rules.moves(position).to_vec();
        prop_assert_eq!(rules.count_moves(position), listed.len());
        prop_assert_eq!(rules.has_moves(position), !listed.is_empty());
        listed.sort_unstable();
        let mut accepted: Vec<Move> = all_pairs().filter(|&m| rules.is_legal(position, m)).collect();
        accepted.sort_unstable();
        prop_assert_eq!(&listed, &accepted);
        for step in all_pairs() {
            let listed = listed.binary_search(&step).is_ok();
            prop_assert_eq!(rules.explain(position, step).is_ok(), listed);
        }
    }

    #[test]
    fn the_key_kept_by_moves_is_the_key_of_the_position(game in any_game()) {
        for ply in game.plies() {
            prop_assert_eq!(ply.position.key(), ply.position.fresh_key());
        }
    }

    #[test]
    fn captures_take_only_men_of_the_other_side_and_each_has_a_reason(game in any_game()) {
        let mut before = *game.start();
        for ply in game.plies() {
            let enemy = before.side().opponent();
            prop_assert!(ply.captured.is_subset(before.men(enemy)));
            prop_assert_eq!(ply.position.men(enemy), before.men(enemy) ^ ply.captured);
            let moved = Bitboard::from(ply.step.from()) | Bitboard::from(ply.step.to());
            prop_assert_eq!(
                ply.position.pieces(before.side()),
                before.pieces(before.side()) ^ moved
            );
            let applied = game.rules().apply_unchecked(&before, ply.step);
            let king = u32::from(applied.end == Some(End::KingCaptured));
            let reasons = game.rules().explain_captures(&before, ply.step).unwrap();
            prop_assert_eq!(reasons.len() as u32, ply.captured.len() + king);
            before = ply.position;
        }
    }

    #[test]
    fn a_preview_of_a_set_up_is_what_the_move_does(game in any_game()) {
        let mut before = *game.start();
        for ply in game.plies() {
            let applied = game.rules().apply_unchecked(&before, ply.step);
            let preview = game.rules().view(&Setup::from(&before)).preview(ply.step).unwrap();
            prop_assert_eq!(preview.setup, Setup::from(&applied.position));
            prop_assert_eq!(preview.captured, applied.captured);
            prop_assert_eq!(preview.end, applied.end);
            before = ply.position;
        }
    }

    #[test]
    fn undo_leads_back_and_redo_forth(game in any_game()) {
        let (plies, outcome) = (game.plies().to_vec(), game.outcome());
        let mut game = game;
        for n in (0..plies.len()).rev() {
            prop_assert!(game.undo());
            let before = if n == 0 { *game.start() } else { plies[n - 1].position };
            prop_assert_eq!(*game.position(), before);
            prop_assert_eq!(game.outcome(), None);
        }
        prop_assert!(!game.undo());
        for ply in &plies {
            prop_assert!(game.redo());
            prop_assert_eq!(*game.position(), ply.position);
        }
        prop_assert!(!game.redo());
        prop_assert_eq!(game.outcome(), outcome);
    }

    #[test]
    fn symmetric_rules_judge_symmetric_positions_alike(game in any_game(), n in any::<usize>()) {
        let (rules, size) = (game.rules(), game.rules().size());
        let symmetries = rules.set().symmetries();
        let symmetry = symmetries[n % symmetries.len()];
        let mut before = *game.start();
        for ply in game.plies() {
            let turned = place(rules, &symmetry.setup(&Setup::from(&before))).unwrap();
            let mut ours: Vec<Move> = rules.moves(&before).iter().map(|&m| symmetry.step(size, m)).collect();
            let mut theirs = rules.moves(&turned).to_vec();
            ours.sort_unstable();
            theirs.sort_unstable();
            prop_assert_eq!(ours, theirs);
            let applied = rules.apply_unchecked(&before, ply.step);
            let mirrored = rules.apply_unchecked(&turned, symmetry.step(size, ply.step));
            prop_assert_eq!(symmetry.squares(size, applied.captured), mirrored.captured);
            prop_assert_eq!(applied.end, mirrored.end);
            prop_assert_eq!(
                symmetry.setup(&Setup::from(&applied.position)),
                Setup::from(&mirrored.position)
            );
            before = ply.position;
        }
    }

    #[test]
    fn a_symmetry_and_its_inverse_change_nothing(setup in any_setup(), n in 0..8_usize) {
        let symmetry = Symmetry::ALL[n];
        prop_assert_eq!(symmetry.inverse().setup(&symmetry.setup(&setup)), setup);
    }

    #[test]
    fn positions_as_text_come_back(setup in any_setup(), rules in any_rules()) {
        prop_assert_eq!(setup.to_string().parse(), Ok(setup));
        let diagram = Diagram::from(setup);
        prop_assert_eq!(diagram.to_string().parse(), Ok(diagram));
        let marked: Diagram = diagram.marked(&rules).to_string().parse().unwrap();
        prop_assert_eq!(*marked.setup(), setup);
    }

    #[test]
    fn moves_as_text_come_back(from in any_square(), to in any_square()) {
        let step = Move::new(from, to);
        prop_assert_eq!(step.to_string().parse(), Ok(step));
        prop_assert_eq!(format!("{from}-{to}").parse(), Ok(step));
        if from.direction_to(to).is_some() {
            let berkeley = BerkeleyMove(step);
            prop_assert_eq!(berkeley.to_string().parse(), Ok(berkeley));
        }
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_sentence(text in ".{0,60}") {
        if let Err(error) = text.parse::<Setup>() {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Err(error) = text.parse::<Move>() {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Err(error) = text.parse::<RuleSet>() {
            prop_assert!(!error.faults().is_empty());
        }
    }

    #[test]
    fn any_set_up_can_be_asked_anything(setup in any_setup(), rules in any_rules()) {
        let sound = rules.faults(&setup).is_empty();
        prop_assert_eq!(rules.position(&setup).is_ok(), sound);
        for step in all_pairs() {
            let reachable = rules.view(&setup).targets(step.from()).contains(step.to());
            prop_assert_eq!(rules.view(&setup).explain(step).is_ok(), reachable);
            prop_assert_eq!(rules.view(&setup).preview(step).is_some(), reachable);
        }
    }

    #[test]
    fn no_position_has_more_moves_than_a_list_can_hold(setup in any_setup(), rules in any_rules()) {
        if let Some(position) = place(&rules, &setup) {
            prop_assert_eq!(rules.moves(&position).len(), rules.count_moves(&position));
        }
    }
}

#[test]
fn rule_sets_as_text_come_back() {
    for rules in SETS.iter() {
        let text = rules.set().to_string();
        assert_eq!(text.parse::<RuleSet>().as_ref(), Ok(rules.set()), "{text}");
    }
}

#[test]
fn the_large_boards_have_all_symmetries_and_the_twins_four() {
    for rules in SETS.iter() {
        let quirk = rules.set().quirk();
        let expected = if quirk.middle_row { 4 } else { 8 };
        assert_eq!(
            rules.set().symmetries().len(),
            expected,
            "{}",
            rules.set().id()
        );
    }
}
