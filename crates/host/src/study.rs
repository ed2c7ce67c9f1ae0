//! What can be said of any position, sound or not: for set-up boards.

use std::sync::Arc;

use tablut_rules::{
    Bitboard, BySide, Calls, End, Game, IllegalMove, Move, Outcome, Piece, PlayError, Rules, Setup,
    SetupError, SetupFault, Square,
};

/// Where a piece can go, and what that would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The piece's square.
    pub from: Square,
    /// Where it can go.
    pub to: Square,
    /// The men it would capture.
    pub captured: Bitboard,
    /// How it would end the game.
    pub end: Option<End>,
}

/// Everything a board shows of a position.
#[derive(Clone, Debug)]
pub struct Study {
    /// The position.
    pub setup: Setup,
    /// What is wrong with it.
    pub faults: Vec<SetupFault>,
    /// Where each piece of either side can go, whoever is to move.
    pub targets: Vec<Target>,
    /// The open lanes of each king.
    pub calls: Vec<(Square, Calls)>,
    /// Each side's pieces that the next move could capture.
    pub capturable: BySide<Bitboard>,
    /// The squares that help to capture each side's men.
    pub hostile: BySide<Bitboard>,
    /// How a line of moves has ended the game.
    pub outcome: Option<Outcome>,
    /// What each move of a line captured.
    pub captures: Vec<Bitboard>,
}

/// Why a line of moves cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The set-up cannot be played.
    #[error("no game can continue from this position: {0}")]
    Setup(SetupError),
    /// A move is illegal.
    #[error("{0}")]
    Illegal(IllegalMove),
    /// The game is over before a move.
    #[error("the game is over: {0}")]
    Over(Outcome),
}

/// Studies a set-up, or the position after some moves of a game that starts from it.
///
/// # Errors
/// Says why the moves cannot be made. Without moves there is no error: any set-up can be studied.
pub fn study(rules: &Arc<Rules>, setup: &Setup, moves: &[Move]) -> Result<Study, StudyError> {
    if moves.is_empty() {
        return Ok(look(rules, setup));
    }
    let position = rules
        .position(setup)
        .or_else(SetupError::playable)
        .map_err(StudyError::Setup)?;
    let mut game = Game::from_position(Arc::clone(rules), position, rules.laws());
    for &step in moves {
        game.play(step).map_err(|error| match error {
            PlayError::Illegal(reason) => StudyError::Illegal(reason),
            PlayError::Over(outcome) => StudyError::Over(outcome),
        })?;
    }
    let mut study = look(rules, &Setup::from(game.position()));
    study.outcome = game.outcome();
    study.captures = game.plies().iter().map(|ply| ply.captured).collect();
    Ok(study)
}

fn look(rules: &Rules, setup: &Setup) -> Study {
    let mut targets = Vec::new();
    let mut capturable = BySide::both(Bitboard::EMPTY);
    let kings = setup.pieces(Piece::King);
    for from in setup.occupied() {
        for to in rules.view(setup).targets(from) {
            let Some(preview) = rules.view(setup).preview(Move::new(from, to)) else {
                continue;
            };
            let (captured, end) = (preview.captured, preview.end);
            for (side, capturable) in &mut capturable {
                *capturable |= captured & setup.of_side(side);
            }
            if end == Some(End::KingCaptured) {
                // With several kings, it is not said which one falls.
                capturable.defenders |= kings;
            }
            targets.push(Target {
                from,
                to,
                captured,
                end,
            });
        }
    }
    let calls = kings & rules.size().squares();
    Study {
        setup: *setup,
        faults: rules.faults(setup),
        targets,
        calls: calls
            .iter()
            .map(|king| (king, rules.view(setup).calls(king)))
            .collect(),
        capturable,
        hostile: BySide::from_fn(|side| rules.view(setup).hostile_to(side)),
        outcome: None,
        captures: Vec::new(),
    }
}
