//! The terminal game as a state machine: what arrives goes in, what has to be done comes out.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use tablut_arena::Choice;
use tablut_rules::{BoardSize, Rules, record::Record, text::Lang};

use super::{
    edit::Edit,
    effect::{Content, Effect, Input, Place, Tone},
    layout::Layout,
    menu::Menu,
    play::Play,
    prompt::{Prompt, Purpose, Typed},
    reading::{self, Reading},
    standing::Standing,
    table::{Kind, Table},
    text::Text,
};

/// The terminal game.
#[derive(Clone, Debug)]
pub(crate) struct App {
    pub(crate) text: &'static Text,
    pub(crate) area: Rect,
    /// Milliseconds since some moment.
    pub(crate) now: u64,
    pub(crate) place: Place,
    pub(crate) menu: Menu,
    pub(crate) edit: Edit,
    pub(crate) play: Option<Play>,
    pub(crate) standing: Option<Standing>,
    pub(crate) prompt: Option<Prompt>,
    pub(crate) has_help: bool,
    /// The rules, while they are read.
    pub(crate) reading: Option<Reading>,
    /// What is said below the board.
    pub(crate) note: Option<(Tone, String)>,
}

impl App {
    /// A start menu over some rule sets, the default first.
    pub(crate) fn new(sets: &[Arc<Rules>], lang: Lang, area: Rect) -> Self {
        let menu = Menu::new(sets);
        Self {
            text: Text::of(lang),
            area,
            now: 0,
            place: Place::Menu,
            edit: Edit::new(sets, menu.rules()),
            menu,
            play: None,
            standing: None,
            prompt: None,
            has_help: false,
            reading: None,
            note: None,
        }
    }

    /// The board on the screen, and whether it is seen from the other side.
    fn board(&self) -> (BoardSize, bool) {
        match (self.place, &self.play) {
            (Place::Play, Some(play)) => (play.table.game.rules().size(), play.flipped),
            (Place::Edit, _) => (self.edit.setup.size(), self.edit.flipped),
            _ => (self.menu.rules().size(), false),
        }
    }

    /// The rules of what is on the screen.
    pub(crate) fn rules(&self) -> &Rules {
        match (self.place, &self.play) {
            (Place::Play, Some(play)) => play.table.game.rules(),
            (Place::Edit, _) => &self.edit.rules,
            _ => self.menu.rules(),
        }
    }

    /// How wide lines of the rules may be, and how many there is room for.
    pub(crate) fn reading_room(&self) -> (usize, usize) {
        let Rect { width, height, .. } = self.area;
        let wide = usize::from(width).saturating_sub(4).min(96);
        (wide, usize::from(height).saturating_sub(2))
    }

    /// Whether the screen changes with time alone.
    pub(crate) fn has_running_clock(&self) -> bool {
        let table = self.play.as_ref().map(|play| &play.table);
        let is_limited = |table: &Table| {
            let side = table.running;
            side.is_some_and(|side| table.left_ms[side].is_some())
        };
        self.place == Place::Play && table.is_some_and(is_limited)
    }

    /// Where things are on the screen; what is needed if it is too small.
    pub(crate) fn layout(&self) -> Result<Layout, (u16, u16)> {
        let (size, flipped) = self.board();
        Layout::of(self.area, size, flipped).ok_or_else(|| Layout::least(size))
    }

    /// Takes in what arrived at a time, and gives what has to be done.
    pub(crate) fn tell(&mut self, now: u64, input: Input) -> Vec<Effect> {
        self.now = now;
        let effects = match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(&key),
            Input::Key(_) | Input::Tick => Vec::new(),
            Input::Mouse(event) => match (self.layout(), self.place) {
                _ if self.has_help || self.reading.is_some() || self.prompt.is_some() => Vec::new(),
                (Ok(layout), Place::Edit) => {
                    self.edit.mouse(&event, &layout);
                    Vec::new()
                }
                (Ok(layout), Place::Play) => match &mut self.play {
                    Some(play) => play.mouse(&event, &layout, self.text),
                    None => Vec::new(),
                },
                _ => Vec::new(),
            },
            Input::Resize(wide, high) => {
                self.area = Rect::new(0, 0, wide, high);
                Vec::new()
            }
            Input::Table(table) => self.table(*table),
            Input::Said(tone, text) => vec![Effect::Say(tone, text)],
            Input::Slots(slots) => {
                self.edit.slots = slots.into_iter().collect();
                Vec::new()
            }
            Input::Hint(found) => self.hint(found),
            Input::Analysis(analysis) => {
                if let Some(play) = &mut self.play {
                    play.analysis = Some(analysis);
                }
                Vec::new()
            }
            Input::Content(content) => self.content(content),
            Input::Standing(lines) => {
                let first = self.standing.as_ref().map_or(0, |standing| standing.first);
                self.standing = Some(Standing { lines, first });
                self.place = Place::Standing;
                Vec::new()
            }
            Input::Stop => vec![Effect::Quit],
        };
        effects
            .into_iter()
            .filter_map(|effect| self.perform(effect))
            .collect()
    }

    /// Does what can be done here, and gives back what cannot.
    fn perform(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Say(tone, text) => self.note = Some((tone, text)),
            Effect::Ask(prompt) => self.prompt = Some(prompt),
            Effect::Open(place) => self.place = place,
            Effect::SetUp(rules, setup) => {
                self.edit.show(&rules, &setup);
                self.place = Place::Edit;
                return Some(Effect::Leave);
            }
            Effect::GameOn => {
                let mut plan = self.menu.plan();
                plan.rules = Arc::clone(&self.edit.rules);
                plan.setup = Some(self.edit.setup);
                return Some(Effect::New(Box::new(plan)));
            }
            effect => return Some(effect),
        }
        None
    }

    fn key(&mut self, key: &KeyEvent) -> Vec<Effect> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && key.code == KeyCode::Char('c') {
            return vec![Effect::Quit];
        }
        if let Some(reading) = self.reading.take() {
            let (wide, room) = self.reading_room();
            let lines = reading::lines(self.rules(), self.text.lang, wide).len();
            self.reading = reading.key(key.code, lines, room);
            return Vec::new();
        }
        if std::mem::take(&mut self.has_help) {
            // Behind the keys are the rules.
            self.reading = (key.code == KeyCode::Char('?')).then(Reading::default);
            return Vec::new();
        }
        if let Some(mut prompt) = self.prompt.take() {
            return match prompt.press(key) {
                Typed::More => {
                    self.prompt = Some(prompt);
                    Vec::new()
                }
                Typed::Nothing => Vec::new(),
                Typed::Line(line) => self.line(prompt.purpose, &line),
            };
        }
        self.note = None;
        match key.code {
            KeyCode::Char('?') if self.place != Place::Standing => {
                self.has_help = true;
                return Vec::new();
            }
            KeyCode::Char('q') => return vec![Effect::Quit],
            _ => {}
        }
        match (self.place, &mut self.play) {
            (Place::Play, Some(play)) => play.key(key, self.text),
            (Place::Edit, _) => self.edit.key(key, self.text),
            (Place::Standing, _) => {
                if let Some(standing) = &mut self.standing {
                    standing.key(key.code);
                }
                Vec::new()
            }
            _ => self.menu.key(key),
        }
    }

    /// Takes in a line that was typed.
    fn line(&mut self, purpose: Purpose, line: &str) -> Vec<Effect> {
        if line.is_empty() {
            return Vec::new();
        }
        self.note = None;
        let path = line.to_string();
        match (purpose, self.place, &mut self.play) {
            (Purpose::Command, Place::Play, Some(play)) => play.command(line, self.text),
            (Purpose::Command, ..) => self.edit.command(line, self.text),
            (Purpose::Save, Place::Play, Some(play)) => {
                let text = play.table.record.to_string();
                vec![Effect::Write { path, text }]
            }
            (Purpose::Save, ..) => {
                // As a record without moves, a position keeps its rule set.
                let mut record = Record::new(self.edit.rules.set().id());
                record.setup = Some(self.edit.setup);
                let text = record.to_string();
                vec![Effect::Write { path, text }]
            }
            (Purpose::Load, place, _) => {
                let rules = match place {
                    Place::Edit => &self.edit.rules,
                    Place::Menu | Place::Play | Place::Standing => self.menu.rules(),
                };
                let rules = Arc::clone(rules);
                vec![Effect::Read { path, rules }]
            }
            (Purpose::Player(row), ..) => self.menu.type_player(row, line),
            (Purpose::Clock, ..) => self.menu.type_clock(line, self.text),
        }
    }

    /// The game stands like this.
    fn table(&mut self, table: Table) -> Vec<Effect> {
        match &mut self.play {
            Some(play) if self.place == Place::Play && is_same(&play.table, &table) => {
                play.update(table, self.now)
            }
            _ => {
                self.place = Place::Play;
                self.note = None;
                self.prompt = None;
                let kind = table.kind;
                let mut play = Play::new(table, self.now);
                let effects = play.analyse();
                let is_read = kind == Kind::Read;
                self.play = Some(play);
                match is_read {
                    true => [Effect::Leave].into_iter().chain(effects).collect(),
                    false => effects,
                }
            }
        }
    }

    fn hint(&mut self, found: Option<Choice>) -> Vec<Effect> {
        let Some(play) = &mut self.play else {
            return Vec::new();
        };
        let game = play.shown_game();
        let is_legal = |found: &Choice| game.rules().is_legal(game.position(), found.step);
        if found.as_ref().is_some_and(|found| !is_legal(found)) {
            // The board has changed since it was asked for.
            return Vec::new();
        }
        play.hint = found.as_ref().map(|found| found.step);
        match found {
            Some(found) => {
                let score = found.score.map(|score| format!(" ({score})"));
                let score = score.unwrap_or_default();
                vec![Effect::say(format!(
                    "{}: {}{score}",
                    self.text.hint, found.step
                ))]
            }
            None => vec![Effect::complain(self.text.no_hint)],
        }
    }

    fn content(&mut self, content: Content) -> Vec<Effect> {
        match content {
            Content::Position(rules, setup) => vec![Effect::SetUp(rules, setup)],
            Content::Game(table) => {
                self.place = Place::Menu;
                self.table(*table)
            }
        }
    }
}

/// Whether two tables are of the same game at different times.
fn is_same(one: &Table, other: &Table) -> bool {
    one.kind == other.kind && one.id == other.id
}

#[cfg(test)]
pub(crate) mod tests;
