//! The set-up board: any piece anywhere, slots, undo, and a game from there on.

use std::{collections::BTreeMap, sync::Arc};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use tablut_rules::{Calls, Move, Piece, Rules, Setup, Square};
use tablut_store::Saved;

use super::{
    cursor,
    effect::{Effect, Place},
    face::{self, Face},
    layout::Layout,
    prompt::{Prompt, Purpose},
    text::Text,
};

/// What undo brings back.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Before {
    Board(Arc<str>, Setup),
    Slot(u8, Option<Saved>),
}

/// The brushes, in the order of the wheel.
pub(crate) const BRUSHES: [Option<Piece>; 4] = [
    None,
    Some(Piece::Attacker),
    Some(Piece::Defender),
    Some(Piece::King),
];

/// The set-up board.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) rules: Arc<Rules>,
    /// The rule sets that there are.
    sets: Vec<Arc<Rules>>,
    pub(crate) setup: Setup,
    pub(crate) cursor: Square,
    pub(crate) picked: Option<Square>,
    /// An index of [`BRUSHES`].
    pub(crate) brush: usize,
    pub(crate) slots: BTreeMap<u8, Saved>,
    /// The slot that was last loaded.
    pub(crate) slot: Option<u8>,
    pub(crate) flipped: bool,
    undo: Vec<Before>,
    redo: Vec<Before>,
}

impl Edit {
    pub(crate) fn new(sets: &[Arc<Rules>], rules: &Arc<Rules>) -> Self {
        Self {
            rules: Arc::clone(rules),
            sets: sets.to_vec(),
            setup: Setup::from(&rules.start()),
            cursor: rules.castle(),
            picked: None,
            brush: 0,
            slots: BTreeMap::new(),
            slot: None,
            flipped: false,
            undo: Vec::new(),
            redo: Vec::new(),
        }
    }

    /// Puts another position on the board; undo brings the old one back.
    pub(crate) fn show(&mut self, rules: &Arc<Rules>, setup: &Setup) {
        if rules.set().id() == self.rules.set().id() && *setup == self.setup {
            return;
        }
        self.undo.push(self.board());
        self.redo.clear();
        self.put_board(rules, setup);
    }

    fn put_board(&mut self, rules: &Arc<Rules>, setup: &Setup) {
        self.rules = Arc::clone(rules);
        self.setup = *setup;
        self.picked = None;
        if !setup.size().squares().contains(self.cursor) {
            self.cursor = rules.castle();
        }
    }

    fn board(&self) -> Before {
        Before::Board(self.rules.set().id().into(), self.setup)
    }

    /// Changes the board; undo takes it back.
    fn change(&mut self, change: impl FnOnce(&mut Setup)) {
        let mut setup = self.setup;
        change(&mut setup);
        let rules = Arc::clone(&self.rules);
        self.show(&rules, &setup);
    }

    /// Undoes or redoes what was done last.
    fn restore(&mut self, is_undo: bool) -> Vec<Effect> {
        let before = match is_undo {
            true => self.undo.pop(),
            false => self.redo.pop(),
        };
        let (now, effects) = match before {
            None => return Vec::new(),
            Some(Before::Board(id, setup)) => {
                let now = self.board();
                let rules = self.sets.iter().find(|rules| rules.set().id() == &*id);
                let rules = rules.unwrap_or(&self.rules).clone();
                self.put_board(&rules, &setup);
                (now, Vec::new())
            }
            Some(Before::Slot(number, saved)) => {
                let now = Before::Slot(number, self.slots.get(&number).cloned());
                (now, vec![Effect::SaveSlot(number, saved)])
            }
        };
        match is_undo {
            true => self.redo.push(now),
            false => self.undo.push(now),
        }
        effects
    }

    /// What the board shows.
    pub(crate) fn face(&self) -> Face<'_> {
        let lanes = self.setup.pieces(Piece::King) & self.setup.size().squares();
        let calls = lanes
            .iter()
            .map(|king| self.rules.view(&self.setup).calls(king));
        Face {
            rules: &self.rules,
            setup: self.setup,
            cursor: Some(self.cursor),
            picked: self.picked,
            targets: self.picked.map_or(Vec::new(), |from| {
                face::targets(&self.rules, &self.setup, from)
            }),
            last: None,
            hint: None,
            lanes: calls
                .flat_map(|calls| calls.lanes().collect::<Vec<_>>())
                .fold(Default::default(), |all, lane| all | lane.path),
        }
    }

    /// The king's open lanes here.
    pub(crate) fn calls(&self) -> Calls {
        let kings = self.setup.pieces(Piece::King);
        let king = kings.first().filter(|_| kings.len() == 1);
        king.map_or_else(Calls::default, |king| {
            self.rules.view(&self.setup).calls(king)
        })
    }

    /// Takes in a key.
    pub(crate) fn key(&mut self, key: &KeyEvent, text: &Text) -> Vec<Effect> {
        if let Some(next) = cursor::follow(self.cursor, key.code, self.setup.size(), self.flipped) {
            self.cursor = next;
            return Vec::new();
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('z') if is_control => return self.restore(true),
            KeyCode::Char('y') if is_control => return self.restore(false),
            KeyCode::Enter => self.press(self.cursor),
            KeyCode::Char(' ') => self.paint(self.cursor),
            KeyCode::Char('e') => self.brush = 0,
            KeyCode::Char('b') => self.brush = 1,
            KeyCode::Char('w') => self.brush = 2,
            KeyCode::Char('k') => self.brush = 3,
            KeyCode::Char('r') => {
                let start = Setup::from(&self.rules.start());
                self.change(|setup| *setup = start);
            }
            KeyCode::Delete | KeyCode::Backspace => {
                let empty = Setup::empty(self.setup.size(), self.setup.side());
                self.change(|setup| *setup = empty);
            }
            KeyCode::Char('t') => {
                self.change(|setup| *setup = setup.with_side(setup.side().opponent()));
            }
            KeyCode::Char('u') => return self.restore(true),
            KeyCode::Char('f') => self.flipped = !self.flipped,
            KeyCode::Char('x') => self.next_rules(),
            KeyCode::Char(digit @ '0'..='9') => return self.save(digit as u8 - b'0', text),
            KeyCode::Char('[') => return self.load(false, text),
            KeyCode::Char(']') => return self.load(true, text),
            KeyCode::Char('g') => return self.game_on(text),
            KeyCode::Char('/') => return vec![Effect::Ask(Prompt::new(Purpose::Command, ""))],
            KeyCode::Char('s') => {
                return vec![Effect::Ask(Prompt::new(Purpose::Save, "position.tablut"))];
            }
            KeyCode::Char('l') => return vec![Effect::Ask(Prompt::new(Purpose::Load, ""))],
            KeyCode::Esc if self.picked.is_some() => self.picked = None,
            KeyCode::Esc | KeyCode::Char('n') => return vec![Effect::Open(Place::Menu)],
            _ => {}
        }
        Vec::new()
    }

    /// Takes in what the mouse did.
    pub(crate) fn mouse(&mut self, event: &MouseEvent, layout: &Layout) {
        let square = layout.square_at(event.column, event.row);
        match (event.kind, square) {
            (MouseEventKind::Down(MouseButton::Left), Some(square)) => {
                self.cursor = square;
                self.press(square);
            }
            (MouseEventKind::Up(MouseButton::Left), Some(square))
                if self.picked.is_some_and(|from| from != square) =>
            {
                self.cursor = square;
                self.press(square);
            }
            // What is dragged off the board is gone.
            (MouseEventKind::Up(MouseButton::Left), None) => {
                if let Some(from) = self.picked.take() {
                    self.change(|setup| setup.put(from, None));
                }
            }
            (
                MouseEventKind::Down(MouseButton::Right) | MouseEventKind::Drag(MouseButton::Right),
                Some(square),
            ) => {
                self.cursor = square;
                self.paint(square);
            }
            (MouseEventKind::ScrollUp, _) => self.brush = self.brush.saturating_sub(1),
            (MouseEventKind::ScrollDown, _) => self.brush = (self.brush + 1).min(3),
            _ => {}
        }
    }

    /// Takes in what was typed after `/`: a square, a move, or what to put on a square.
    pub(crate) fn command(&mut self, line: &str, text: &Text) -> Vec<Effect> {
        let squares = self.setup.size().squares();
        let square = |text: &str| {
            let square = text.trim().parse::<Square>().ok();
            square.filter(|&square| squares.contains(square))
        };
        let piece = |text: &str| match text.trim() {
            "e" | "." | "-" => Some(0),
            "b" | "B" => Some(1),
            "w" | "W" => Some(2),
            "k" | "K" => Some(3),
            _ => None,
        };
        let put = line
            .split_once('=')
            .and_then(|(at, what)| Some((square(at)?, piece(what)?)));
        let step = line.parse::<Move>().ok();
        let step = step.filter(|step| squares.contains(step.from()) && squares.contains(step.to()));
        if let Some((at, brush)) = put {
            self.cursor = at;
            self.change(|setup| setup.put(at, BRUSHES[brush]));
        } else if let Some(at) = square(line) {
            self.cursor = at;
            self.press(at);
        } else if let Some(step) = step {
            self.cursor = step.to();
            self.carry(step.from(), step.to());
        } else {
            return vec![Effect::complain(text.no_put)];
        }
        Vec::new()
    }

    /// Picks the piece on a square, or puts the one that is picked there.
    fn press(&mut self, square: Square) {
        match self.picked.take() {
            Some(from) if from == square => {}
            Some(from) => self.carry(from, square),
            None if self.setup.piece_at(square).is_some() => self.picked = Some(square),
            None => {}
        }
    }

    fn carry(&mut self, from: Square, to: Square) {
        let piece = self.setup.piece_at(from);
        self.change(|setup| {
            setup.put(from, None);
            setup.put(to, piece);
        });
    }

    fn paint(&mut self, square: Square) {
        let piece = BRUSHES[self.brush];
        self.picked = None;
        self.change(|setup| setup.put(square, piece));
    }

    /// The next rule set; a board of another size starts anew.
    fn next_rules(&mut self) {
        let id = self.rules.set().id();
        let now = self.sets.iter().position(|rules| rules.set().id() == id);
        let next = now.map_or(0, |now| (now + 1) % self.sets.len());
        let Some(rules) = self.sets.get(next).cloned() else {
            return;
        };
        let setup = match rules.size() == self.setup.size() {
            true => self.setup,
            false => Setup::from(&rules.start()),
        };
        self.show(&rules, &setup);
    }

    fn save(&mut self, number: u8, text: &Text) -> Vec<Effect> {
        let saved = Saved {
            rules: self.rules.set().id().into(),
            setup: self.setup,
        };
        let before = self.slots.get(&number).cloned();
        self.undo.push(Before::Slot(number, before));
        self.redo.clear();
        vec![
            Effect::SaveSlot(number, Some(saved)),
            Effect::say(format!("{} {number}", text.slot_saved)),
        ]
    }

    /// Loads the filled slot before or after the current one.
    fn load(&mut self, is_next: bool, text: &Text) -> Vec<Effect> {
        let found = match (is_next, self.slot) {
            (true, Some(slot)) => self.slots.range(slot + 1..).next(),
            (true, None) => self.slots.iter().next(),
            (false, Some(slot)) => self.slots.range(..slot).next_back(),
            (false, None) => self.slots.iter().next_back(),
        };
        let Some((&number, saved)) = found else {
            return vec![Effect::complain(text.no_slot)];
        };
        let saved = saved.clone();
        let rules = self
            .sets
            .iter()
            .find(|rules| rules.set().id() == saved.rules);
        let Some(rules) = rules.cloned() else {
            return vec![Effect::complain(text.no_slot)];
        };
        self.slot = Some(number);
        self.show(&rules, &saved.setup);
        vec![Effect::say(format!("{} {number}", text.slot_loaded))]
    }

    /// Starts a game from here, if one can be played.
    fn game_on(&mut self, text: &Text) -> Vec<Effect> {
        let faults = self.rules.faults(&self.setup);
        if let Some(fault) = faults.iter().find(|fault| fault.is_grave()) {
            return vec![Effect::complain(tablut_host::speech::sentence(
                &fault.sentence(text.lang),
            ))];
        }
        vec![Effect::GameOn]
    }
}
