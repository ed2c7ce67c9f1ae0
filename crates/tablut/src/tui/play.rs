//! A game on the screen: picking and moving, looking back, asking the engine.

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use tablut_host::{Wish, speech::sentence};
use tablut_rules::{Bitboard, Calls, Game, Move, Side, Square};

use super::{
    cursor,
    effect::{Analysis, Effect, Place},
    face::{self, Face},
    layout::Layout,
    prompt::{Prompt, Purpose},
    table::{Kind, Table},
    text::Text,
};

/// A game on the screen.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) table: Table,
    /// When it stood like this.
    at: u64,
    pub(crate) cursor: Square,
    pub(crate) picked: Option<Square>,
    /// The move after which the game is shown, if not the last.
    pub(crate) shown: Option<usize>,
    pub(crate) flipped: bool,
    /// Whether the engine's opinion is wanted.
    pub(crate) is_evaluating: bool,
    pub(crate) analysis: Option<Analysis>,
    pub(crate) hint: Option<Move>,
    is_resigning: bool,
}

impl Play {
    /// A game that has just come to the screen.
    pub(crate) fn new(table: Table, now: u64) -> Self {
        Self {
            // Whoever plays white only, sees the king in the middle and black's first move.
            cursor: table.game.rules().castle(),
            // A game that was read is seen from its start.
            shown: (table.kind == Kind::Read).then_some(0),
            table,
            at: now,
            picked: None,
            flipped: false,
            is_evaluating: false,
            analysis: None,
            hint: None,
            is_resigning: false,
        }
    }

    /// The game stands differently now.
    pub(crate) fn update(&mut self, table: Table, now: u64) -> Vec<Effect> {
        let is_news =
            table.len() != self.table.len() || table.game.position() != self.table.game.position();
        let was_over = self.table.outcome.is_some();
        self.table = table;
        self.at = now;
        let mut effects = Vec::new();
        if is_news {
            self.picked = None;
            self.hint = None;
            self.shown = self.shown.filter(|&shown| shown < self.table.len());
            effects.extend(self.analyse());
        }
        if let (Some(outcome), false) = (&self.table.outcome, was_over) {
            effects.push(match &self.table.trouble {
                Some(trouble) => Effect::complain(trouble.clone()),
                None => Effect::say(outcome.clone()),
            });
        }
        effects
    }

    /// How many moves are shown.
    pub(crate) fn plies(&self) -> usize {
        self.shown.unwrap_or(self.table.len())
    }

    /// What a side has left on its clock now.
    pub(crate) fn left_ms(&self, side: Side, now: u64) -> Option<u64> {
        let left = self.table.left_ms[side]?;
        let gone = match self.table.running == Some(side) {
            true => now.saturating_sub(self.at),
            false => 0,
        };
        Some(left.saturating_sub(gone))
    }

    /// The game up to the move that is shown.
    pub(crate) fn shown_game(&self) -> Game {
        let mut game = self.table.game.clone();
        while game.plies().len() > self.plies() && game.undo() {}
        game
    }

    /// Whether a move can be made now.
    fn can_move(&self) -> bool {
        let turn = self.table.game.position().side();
        self.shown.is_none()
            && self.table.outcome.is_none()
            && !self.table.is_waiting
            && self.table.yours[turn]
    }

    /// What the board shows.
    pub(crate) fn face(&self) -> Face<'_> {
        let rules = self.table.game.rules();
        let setup = self.table.setup_after(self.plies());
        let last = self.plies().checked_sub(1);
        let is_open = self.shown.is_some() || self.table.outcome.is_none();
        let king = setup.pieces(tablut_rules::Piece::King).first();
        let calls = king.map(|king| rules.view(&setup).calls(king));
        let lanes = calls.iter().flat_map(|calls| calls.lanes());
        Face {
            rules,
            cursor: Some(self.cursor),
            picked: self.picked,
            targets: self
                .picked
                .map_or(Vec::new(), |from| face::targets(rules, &setup, from)),
            last: last.and_then(|last| Some(self.table.game.plies().get(last)?.step)),
            hint: self.hint,
            lanes: match is_open {
                true => lanes.fold(Bitboard::EMPTY, |all, lane| all | lane.path),
                false => Bitboard::EMPTY,
            },
            setup,
        }
    }

    /// The king's open lanes in the position that is shown, while the game goes on.
    pub(crate) fn calls(&self) -> Calls {
        let game = self.shown_game();
        let is_over = self.shown.is_none() && self.table.outcome.is_some();
        match is_over || game.outcome().is_some() {
            true => Calls::default(),
            false => game.rules().calls(game.position()),
        }
    }

    /// Takes in a key.
    pub(crate) fn key(&mut self, key: &KeyEvent, text: &Text) -> Vec<Effect> {
        let was_resigning = std::mem::take(&mut self.is_resigning);
        let size = self.table.game.rules().size();
        if let Some(next) = cursor::follow(self.cursor, key.code, size, self.flipped) {
            self.cursor = next;
            return Vec::new();
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ') => self.press(self.cursor, text),
            KeyCode::Esc => {
                self.picked = None;
                self.hint = None;
                Vec::new()
            }
            KeyCode::Char('/') => vec![Effect::Ask(Prompt::new(Purpose::Command, ""))],
            KeyCode::Char('s') => {
                vec![Effect::Ask(Prompt::new(Purpose::Save, "game.tablut"))]
            }
            KeyCode::Char('f') => {
                self.flipped = !self.flipped;
                Vec::new()
            }
            KeyCode::Char('e') => {
                self.is_evaluating = !self.is_evaluating;
                self.analyse()
            }
            KeyCode::Char(',' | '<') | KeyCode::PageUp => self.look(self.plies().checked_sub(1)),
            KeyCode::Char('.' | '>') | KeyCode::PageDown => self.look(Some(self.plies() + 1)),
            KeyCode::Home => self.look(Some(0)),
            KeyCode::End => self.look(Some(usize::MAX)),
            _ if self.table.kind == Kind::Watched => Vec::new(),
            KeyCode::Char('h') if self.shown_game().outcome().is_none() => {
                vec![
                    Effect::Hint(Box::new(self.shown_game())),
                    Effect::say(text.thinking),
                ]
            }
            KeyCode::Char('t') => {
                let setup = self.table.setup_after(self.plies());
                vec![Effect::SetUp(self.table.game.rules().clone(), setup)]
            }
            KeyCode::Char('l') => vec![Effect::Ask(Prompt::new(Purpose::Load, ""))],
            KeyCode::Char('n') => vec![Effect::Leave, Effect::Open(Place::Menu)],
            KeyCode::Char('g') if self.table.kind == Kind::Read => {
                let setup = self.table.setup_after(self.plies());
                let rules = self.table.game.rules().clone();
                vec![Effect::SetUp(rules, setup), Effect::GameOn]
            }
            _ if self.table.kind == Kind::Read => Vec::new(),
            KeyCode::Char('u') => vec![Effect::Wish(Wish::TakeBack)],
            KeyCode::Char('d') => vec![Effect::Wish(Wish::OfferDraw)],
            KeyCode::Char('m') if self.table.outcome.is_some() => vec![Effect::Rematch],
            KeyCode::Char('R') if was_resigning => vec![Effect::Wish(Wish::Resign)],
            KeyCode::Char('R') if self.table.outcome.is_none() => {
                self.is_resigning = true;
                vec![Effect::say(text.really_resign)]
            }
            _ => Vec::new(),
        }
    }

    /// Takes in what the mouse did.
    pub(crate) fn mouse(
        &mut self,
        event: &MouseEvent,
        layout: &Layout,
        text: &Text,
    ) -> Vec<Effect> {
        let square = layout.square_at(event.column, event.row);
        match (event.kind, square) {
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => {
                self.cursor = square;
                self.press(square, text)
            }
            (MouseEventKind::Down(MouseButton::Right), _) => {
                self.picked = None;
                Vec::new()
            }
            // A piece that was dragged is dropped; one that was clicked stays picked.
            (MouseEventKind::Up(MouseButton::Left), Some(square)) => match self.picked {
                Some(from) if from != square => {
                    self.cursor = square;
                    self.press(square, text)
                }
                _ => Vec::new(),
            },
            (MouseEventKind::ScrollUp, _) => self.look(self.plies().checked_sub(1)),
            (MouseEventKind::ScrollDown, _) => self.look(Some(self.plies() + 1)),
            _ => Vec::new(),
        }
    }

    /// Takes in what was typed after `/`.
    pub(crate) fn command(&mut self, line: &str, text: &Text) -> Vec<Effect> {
        if let Ok(square) = line.parse::<Square>() {
            if self.table.game.rules().size().squares().contains(square) {
                self.cursor = square;
                return self.press(square, text);
            }
        } else if let Ok(step) = line.parse::<Move>() {
            return self.make(step, text);
        }
        vec![Effect::complain(text.no_command)]
    }

    /// Picks the piece on a square, or moves the one that is picked there.
    fn press(&mut self, square: Square, text: &Text) -> Vec<Effect> {
        if let Err(refusal) = self.ready(text) {
            return refusal;
        }
        let position = self.table.game.position();
        let piece = position.piece_at(square);
        let is_own = piece.is_some_and(|piece| piece.side() == position.side());
        match self.picked {
            Some(from) if from == square => self.picked = None,
            _ if is_own => self.picked = Some(square),
            Some(from) => return self.make(Move::new(from, square), text),
            None => return vec![Effect::complain(text.pick_own)],
        }
        Vec::new()
    }

    /// Makes a move, or says why it cannot be made.
    fn make(&mut self, step: Move, text: &Text) -> Vec<Effect> {
        if let Err(refusal) = self.ready(text) {
            return refusal;
        }
        let game = &self.table.game;
        match game.rules().explain(game.position(), step) {
            Ok(()) => {
                self.picked = None;
                self.cursor = step.to();
                vec![Effect::Wish(Wish::Move(step))]
            }
            Err(reason) => {
                let reason = sentence(&reason.sentence(text.lang));
                vec![Effect::complain(format!("{step}: {reason}"))]
            }
        }
    }

    /// Whether a move can be made now, or why not.
    fn ready(&self, text: &Text) -> Result<(), Vec<Effect>> {
        if self.can_move() {
            return Ok(());
        }
        let why = match self.table.kind {
            Kind::Watched => text.watching,
            Kind::Read => text.only_read,
            Kind::Played if self.shown.is_some() => text.looking_back,
            Kind::Played if self.table.outcome.is_some() => text.over,
            Kind::Played => text.not_your_turn,
        };
        Err(vec![Effect::complain(why)])
    }

    /// Shows the game after this many moves.
    fn look(&mut self, plies: Option<usize>) -> Vec<Effect> {
        let plies = plies.unwrap_or(0);
        let before = self.plies();
        let is_last = plies >= self.table.len();
        self.shown = (!is_last).then_some(plies);
        self.picked = None;
        self.hint = None;
        match before == self.plies() {
            true => Vec::new(),
            false => self.analyse(),
        }
    }

    /// Lets the engine think about what is shown, if that is wanted.
    pub(crate) fn analyse(&mut self) -> Vec<Effect> {
        self.analysis = None;
        let game = self.is_evaluating.then(|| Box::new(self.shown_game()));
        vec![Effect::Analyse(game)]
    }
}
