//! The start menu: rule set, players, side and time; and the ways on from there.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use tablut_arena::{Player, TimeControl};
use tablut_rules::{BySide, Rules, Side};

use super::{
    effect::{Effect, Place, Plan},
    prompt::{Prompt, Purpose},
    text::Text,
};

/// A row of the menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    Rules,
    Side,
    You,
    Opponent,
    Clock,
    Start,
    Resume,
    SetUp,
    Load,
    Quit,
}

impl Row {
    pub(crate) const ALL: [Self; 10] = [
        Self::Rules,
        Self::Side,
        Self::You,
        Self::Opponent,
        Self::Clock,
        Self::Start,
        Self::Resume,
        Self::SetUp,
        Self::Load,
        Self::Quit,
    ];

    /// Whether it holds a value that can be changed.
    pub(crate) const fn is_choice(self) -> bool {
        matches!(
            self,
            Self::Rules | Self::Side | Self::You | Self::Opponent | Self::Clock
        )
    }
}

/// The start menu.
#[derive(Clone, Debug)]
pub(crate) struct Menu {
    /// The rule sets, the default first.
    pub(crate) sets: Vec<Arc<Rules>>,
    /// The rule set that is chosen.
    pub(crate) set: usize,
    pub(crate) side: Side,
    /// Who plays that side.
    pub(crate) you: Player,
    pub(crate) opponent: Player,
    pub(crate) control: TimeControl,
    /// Where the cursor is.
    pub(crate) row: usize,
}

/// The clocks that the arrow keys go through.
const CLOCKS: [&str; 6] = [
    "none",
    "move:60",
    "total:180+2",
    "total:300+0",
    "total:600+5",
    "total:1800+0",
];

impl Menu {
    pub(crate) fn new(sets: &[Arc<Rules>]) -> Self {
        Self {
            sets: sets.to_vec(),
            set: 0,
            side: Side::Defenders,
            you: Player::Person,
            opponent: Player::Level(3),
            control: TimeControl::Unlimited,
            row: Row::ALL
                .iter()
                .position(|row| *row == Row::Start)
                .unwrap_or(0),
        }
    }

    /// The rule set that is chosen.
    pub(crate) fn rules(&self) -> &Arc<Rules> {
        &self.sets[self.set]
    }

    /// What was agreed.
    pub(crate) fn plan(&self) -> Plan {
        let mut players = BySide::both(self.you.clone());
        players[self.side.opponent()] = self.opponent.clone();
        Plan {
            rules: Arc::clone(self.rules()),
            setup: None,
            players,
            control: self.control,
        }
    }

    /// The row under the cursor.
    pub(crate) fn chosen(&self) -> Row {
        Row::ALL[self.row % Row::ALL.len()]
    }

    /// Takes in a key.
    pub(crate) fn key(&mut self, key: &KeyEvent) -> Vec<Effect> {
        let last = Row::ALL.len() - 1;
        match key.code {
            KeyCode::Up => self.row = self.row.checked_sub(1).unwrap_or(last),
            KeyCode::Down | KeyCode::Tab => self.row = (self.row + 1) % Row::ALL.len(),
            KeyCode::Home => self.row = 0,
            KeyCode::End => self.row = last,
            KeyCode::Left => self.change(false),
            KeyCode::Right => self.change(true),
            KeyCode::Enter | KeyCode::Char(' ') => return self.enter(),
            KeyCode::Char('l') => return vec![Effect::Ask(Prompt::new(Purpose::Load, ""))],
            KeyCode::Char('t') => return vec![Effect::Open(Place::Edit)],
            _ => {}
        }
        Vec::new()
    }

    /// What Enter does on the row under the cursor.
    fn enter(&mut self) -> Vec<Effect> {
        let ask = |purpose, text: String| vec![Effect::Ask(Prompt::new(purpose, &text))];
        match self.chosen() {
            Row::Rules | Row::Side => self.change(true),
            Row::You => return ask(Purpose::Player(2), self.you.to_string()),
            Row::Opponent => return ask(Purpose::Player(3), self.opponent.to_string()),
            Row::Clock => return ask(Purpose::Clock, self.control.in_seconds()),
            Row::Start => return vec![Effect::New(Box::new(self.plan()))],
            Row::Resume => return vec![Effect::Resume],
            Row::SetUp => return vec![Effect::Open(Place::Edit)],
            Row::Load => return ask(Purpose::Load, String::new()),
            Row::Quit => return vec![Effect::Quit],
        }
        Vec::new()
    }

    /// Takes in a player that was typed.
    pub(crate) fn type_player(&mut self, row: usize, line: &str) -> Vec<Effect> {
        match line.parse::<Player>() {
            Ok(player) => {
                match Row::ALL[row % Row::ALL.len()] {
                    Row::You => self.you = player,
                    _ => self.opponent = player,
                }
                Vec::new()
            }
            Err(error) => vec![Effect::complain(error.to_string())],
        }
    }

    /// Takes in a clock that was typed.
    pub(crate) fn type_clock(&mut self, line: &str, text: &Text) -> Vec<Effect> {
        match parse_clock(line) {
            Some(control) => self.control = control,
            None => return vec![Effect::complain(text.no_clock_text)],
        }
        Vec::new()
    }

    /// The next or previous value of the row under the cursor.
    fn change(&mut self, is_next: bool) {
        let step = |index: Option<usize>, count: usize| match (index, is_next) {
            (None, _) => 0,
            (Some(index), true) => (index + 1) % count,
            (Some(index), false) => (index + count - 1) % count,
        };
        match self.chosen() {
            Row::Rules => self.set = step(Some(self.set), self.sets.len()),
            Row::Side => self.side = self.side.opponent(),
            row @ (Row::You | Row::Opponent) => {
                let player = match row {
                    Row::You => &mut self.you,
                    _ => &mut self.opponent,
                };
                let players = players();
                let now = players.iter().position(|known| known == player);
                *player = players[step(now, players.len())].clone();
            }
            Row::Clock => {
                let now = self.control.in_seconds();
                let now = CLOCKS.iter().position(|known| *known == now);
                let next = parse_clock(CLOCKS[step(now, CLOCKS.len())]);
                self.control = next.unwrap_or(TimeControl::Unlimited);
            }
            _ => {}
        }
    }
}

/// The players that the arrow keys go through.
fn players() -> Vec<Player> {
    let levels = (1..=Player::HIGHEST_LEVEL).map(Player::Level);
    let times = [1000, 5000].map(Player::Time);
    [Player::Person]
        .into_iter()
        .chain(levels)
        .chain(times)
        .chain([Player::Random])
        .collect()
}

/// A clock as people write it: `none`, `move:60`, `total:300+2`, in seconds.
pub(crate) fn parse_clock(text: &str) -> Option<TimeControl> {
    TimeControl::from_seconds(text.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_they_are_written() {
        for text in CLOCKS {
            let control = parse_clock(text).expect("a clock");
            assert_eq!(control.in_seconds(), text);
        }
        assert_eq!(parse_clock("total:300"), parse_clock("total:300+0"));
        for text in [
            "",
            "60",
            "move:",
            "move:x",
            "move:-1",
            "total:",
            "total:5+x",
            "each:5",
        ] {
            assert_eq!(parse_clock(text), None, "{text}");
        }
    }

    #[test]
    fn arrow_keys_go_through_all_values_and_round() {
        let sets = [Rules::ashton()];
        let mut menu = Menu::new(&sets);
        let before = format!("{menu:?}");
        for (row, count) in [
            (Row::Rules, 1),
            (Row::Side, 2),
            (Row::You, players().len()),
            (Row::Opponent, players().len()),
            (Row::Clock, CLOCKS.len()),
        ] {
            let start = menu.row;
            menu.row = Row::ALL
                .iter()
                .position(|known| *known == row)
                .expect("a row");
            for _ in 0..count {
                assert!(menu.key(&KeyCode::Right.into()).is_empty());
            }
            menu.key(&KeyCode::Right.into());
            menu.key(&KeyCode::Left.into());
            menu.row = start;
            assert_eq!(format!("{menu:?}"), before, "{row:?}");
        }
    }

    #[test]
    fn your_side_is_played_by_you() {
        let sets = [Rules::ashton()];
        let mut menu = Menu::new(&sets);
        assert_eq!(menu.side, Side::Defenders);
        for side in Side::ALL {
            menu.side = side;
            let players = menu.plan().players;
            assert_eq!(players[side], Player::Person);
            assert_eq!(players[side.opponent()], Player::Level(3));
        }
    }
}
