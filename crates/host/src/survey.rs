//! What can be said of any position, sound or not: for set-up boards.

use std::sync::Arc;

use tablut_rules::{
    Bitboard, BySide, Calls, End, Game, IllegalMove, Move, Outcome, Piece, PlayError, Reason,
    Rules, Setup, SetupError, SetupFault, Square,
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
pub struct Survey {
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
pub enum SurveyError {
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

/// Surveys a set-up, or the position after some moves of a game that starts from it.
///
/// # Errors
/// Says why the moves cannot be made. Without moves there is no error: any set-up can be surveyed.
pub fn survey(rules: &Arc<Rules>, setup: &Setup, moves: &[Move]) -> Result<Survey, SurveyError> {
    if moves.is_empty() {
        return Ok(look(rules, setup));
    }
    let position = rules
        .position(setup)
        .or_else(SetupError::playable)
        .map_err(SurveyError::Setup)?;
    let mut game = Game::from_position(Arc::clone(rules), position, rules.laws());
    let (mut last, mut outcome) = (*game.position(), None);
    let mut captures = Vec::with_capacity(moves.len());
    for &step in moves {
        match game.play(step) {
            Ok(applied) => {
                (last, outcome) = (applied.position, game.outcome());
                captures.push(applied.captured);
            }
            Err(PlayError::Illegal(reason)) => return Err(SurveyError::Illegal(reason)),
            // Where only a law ended the game, a line may go on: for looking at what could be.
            Err(PlayError::Over(over)) => {
                if outcome.is_some_and(|outcome| is_on_board(outcome.reason)) {
                    return Err(SurveyError::Over(over));
                }
                let applied = rules.apply(&last, step).map_err(SurveyError::Illegal)?;
                (last, outcome) = (applied.position, applied.end.map(Outcome::from));
                captures.push(applied.captured);
            }
        }
    }
    let mut survey = look(rules, &Setup::from(&last));
    survey.outcome = outcome;
    survey.captures = captures;
    Ok(survey)
}

/// Whether a game is over because of what is on the board, and not of a law that counts.
const fn is_on_board(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::KingEscaped | Reason::KingCaptured | Reason::TwoLanes
    )
}

fn look(rules: &Rules, setup: &Setup) -> Survey {
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
    Survey {
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
