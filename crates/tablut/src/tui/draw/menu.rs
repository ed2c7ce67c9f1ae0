//! Draws the start menu.

use ratatui::{
    Frame,
    style::{Modifier, Style},
    text::{Line, Span},
    widgets::Paragraph,
};
use tablut_rules::Side;

use crate::tui::{app::App, menu::Row, theme::Theme};

/// Draws the start menu.
pub(super) fn draw(frame: &mut Frame<'_>, app: &App, theme: Theme) {
    let (menu, text) = (&app.menu, app.text);
    let mut lines = vec![
        Line::from(Span::styled("TABLUT", theme.loud())),
        Line::default(),
    ];
    for row in Row::ALL {
        let side = match menu.side {
            Side::Attackers => text.black,
            Side::Defenders => text.white,
        };
        let (label, value) = match row {
            Row::Rules => (
                text.rules,
                menu.rules().set().name_in(text.lang).to_string(),
            ),
            Row::Side => (text.side, side.to_string()),
            Row::You => (text.player, menu.you.to_string()),
            Row::Opponent => (text.opponent, menu.opponent.to_string()),
            Row::Clock => (text.clock, menu.control.in_seconds()),
            Row::Start => (text.start, String::new()),
            Row::Resume => (text.resume, String::new()),
            Row::SetUp => (text.set_up, String::new()),
            Row::Load => (text.load, String::new()),
            Row::Quit => (text.quit, String::new()),
        };
        if row == Row::Start {
            lines.push(Line::default());
        }
        let is_chosen = menu.chosen() == row;
        let mark = if is_chosen { "> " } else { "  " };
        let value = match row.is_choice() {
            true => format!(
                "{label:17} {} {} {}",
                theme.text("◂", "<"),
                value,
                theme.text("▸", ">")
            ),
            false => label.to_string(),
        };
        let style = match is_chosen {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        lines.push(Line::from(vec![
            Span::raw(mark),
            Span::styled(value, style),
        ]));
    }
    let area = super::middle(frame.area(), 52, 15);
    frame.render_widget(Paragraph::new(lines), area);
}
