//! Draws the terminal game. Nothing is decided here.

mod board;
mod menu;
mod panel;

use ratatui::{
    Frame,
    buffer::{Buffer, Cell},
    layout::Rect,
    text::{Line, Span},
    widgets::{Block, Clear, Paragraph, Wrap},
};

use super::{
    app::App,
    effect::{Place, Tone},
    layout::Layout,
    play::Play,
    prompt::Purpose,
    reading::{self, Reading},
    table::Kind,
    theme::Theme,
};

/// Draws everything.
pub(crate) fn draw(frame: &mut Frame<'_>, app: &App, theme: Theme) {
    let layout = match app.layout() {
        Ok(layout) => layout,
        Err(least) => return draw_too_small(frame, app, least),
    };
    match (app.place, &app.play) {
        (Place::Play, Some(play)) => {
            board::draw(frame.buffer_mut(), &play.face(), &layout, theme);
            panel::draw_play(frame, app, play, layout.panel, theme);
        }
        (Place::Edit, _) => {
            board::draw(frame.buffer_mut(), &app.edit.face(), &layout, theme);
            panel::draw_edit(frame, app, layout.panel, theme);
        }
        (Place::Standing, _) => draw_standing(frame, app, &layout),
        _ => menu::draw(frame, app, theme),
    }
    draw_foot(frame, app, &layout, theme);
    if app.has_help {
        draw_help(frame, app, theme);
    }
    if let Some(reading) = app.reading {
        draw_rules(frame, app, reading, theme);
    }
    if !theme.is_unicode {
        spell_plainly(frame.buffer_mut());
    }
}

/// Replaces letters that a plain terminal does not have.
fn spell_plainly(buffer: &mut Buffer) {
    let wide = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks_mut(wide) {
        for at in 0..row.len() {
            let plain = plain(row[at].symbol());
            if let [first, second] = plain {
                spell_in_two(row, at, [first, second]);
            } else if let [one] = plain {
                row[at].set_symbol(one);
            }
        }
    }
}

/// What stands for a letter where there is ASCII only: nothing for what is ASCII.
fn plain(symbol: &str) -> &'static [&'static str] {
    match symbol {
        symbol if symbol.is_ascii() => &[],
        "à" => &["a"],
        "è" | "é" => &["e"],
        "È" => &["E"],
        "ì" => &["i"],
        "ò" => &["o"],
        "ù" => &["u"],
        "ä" => &["a", "e"],
        "ö" => &["o", "e"],
        "ü" => &["u", "e"],
        "Ä" => &["A", "e"],
        "Ö" => &["O", "e"],
        "Ü" => &["U", "e"],
        "ß" => &["s", "s"],
        "…" | "·" => &["."],
        "•" => &["*"],
        "×" => &["x"],
        "’" => &["'"],
        "„" | "“" | "”" | "«" | "»" => &["\""],
        "–" => &["-"],
        _ => &["?"],
    }
}

/// Writes two letters for one, if what follows can make room where two cells are empty.
fn spell_in_two(row: &mut [Cell], at: usize, [first, second]: [&str; 2]) {
    let is_empty = |n: usize| row.get(n).is_none_or(|cell| cell.symbol() == " ");
    let room = (at + 1..row.len()).find(|&n| is_empty(n) && is_empty(n + 1));
    row[at].set_symbol(first);
    if let Some(room) = room {
        row[at + 1..=room].rotate_right(1);
        row[at + 1] = row[at].clone();
        row[at + 1].set_symbol(second);
    }
}

fn draw_too_small(frame: &mut Frame<'_>, app: &App, (wide, high): (u16, u16)) {
    let area = frame.area();
    let text = format!(
        "{}: {} x {} (min. {wide} x {high})",
        app.text.too_small, area.width, area.height
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// How a tournament stands.
fn draw_standing(frame: &mut Frame<'_>, app: &App, layout: &Layout) {
    let Some(standing) = &app.standing else {
        return;
    };
    let mut area = frame.area();
    area.height = layout.note.y;
    let lines = standing.lines.iter().skip(standing.first);
    let lines: Vec<Line<'_>> = lines.map(|line| Line::from(line.as_str())).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// What is said or typed, and the keys.
fn draw_foot(frame: &mut Frame<'_>, app: &App, layout: &Layout, theme: Theme) {
    let text = app.text;
    if let Some(prompt) = &app.prompt {
        let label = match prompt.purpose {
            Purpose::Command => text.typed,
            Purpose::Save => text.save_as,
            Purpose::Load => text.load_from,
            Purpose::Player(_) => text.player_ask,
            Purpose::Clock => text.clock_ask,
        };
        let label = format!("{label}: ");
        let line = Line::from(vec![
            Span::styled(label, theme.loud()),
            Span::raw(&prompt.text),
        ]);
        let wide = u16::try_from(line.width()).unwrap_or(u16::MAX);
        // Of a line that is too long, the end is seen.
        let hidden = (wide + 1).saturating_sub(layout.note.width);
        frame.render_widget(Paragraph::new(line).scroll((0, hidden)), layout.note);
        frame.set_cursor_position((layout.note.x + wide - hidden, layout.note.y));
    } else if let Some((tone, note)) = &app.note {
        let style = match tone {
            Tone::Good => theme.loud(),
            Tone::Bad => theme.bad(),
        };
        let note = Paragraph::new(Span::styled(note, style)).wrap(Wrap { trim: true });
        frame.render_widget(note, layout.note);
    }
    let keys = match (app.place, &app.play) {
        (Place::Play, Some(play)) if play.table.kind == Kind::Watched => text.keys_watch,
        (Place::Play, Some(play)) if play.table.kind == Kind::Read => text.keys_read,
        (Place::Play, Some(play)) if play.table.outcome.is_some() => text.keys_over,
        (Place::Play, _) => text.keys_play,
        (Place::Edit, _) => text.keys_edit,
        (Place::Menu, _) => text.keys_menu,
        (Place::Standing, _) => text.keys_standing,
    };
    let keys = fitting(keys, usize::from(layout.keys.width));
    frame.render_widget(
        Paragraph::new(Span::styled(keys, theme.quiet())),
        layout.keys,
    );
}

/// As many keys, each with what it does, as fit a line.
fn fitting(keys: &str, wide: usize) -> String {
    let mut line = String::new();
    for key in keys.split("  ") {
        let blanks = if line.is_empty() { "" } else { "  " };
        if line.chars().count() + blanks.len() + key.chars().count() > wide {
            break;
        }
        line = line + blanks + key;
    }
    line
}

/// The rules in sentences.
fn draw_rules(frame: &mut Frame<'_>, app: &App, reading: Reading, theme: Theme) {
    let (wide, room) = app.reading_room();
    let lines = reading::lines(app.rules(), app.text.lang, wide);
    // The terminal may have grown since.
    let first = reading.first.min(lines.len().saturating_sub(room));
    let more = match lines.len() > room {
        true => app.text.rules_scroll,
        false => app.text.help_close,
    };
    let high = u16::try_from(lines.len().min(room) + 2).unwrap_or(u16::MAX);
    let area = middle(
        frame.area(),
        u16::try_from(wide + 4).unwrap_or(u16::MAX),
        high,
    );
    let name = app.rules().set().name_in(app.text.lang);
    let block = theme
        .block()
        .title(format!(" {name} "))
        .title_bottom(format!(" {more} "));
    let lines = lines.into_iter().skip(first).take(room);
    let lines: Vec<Line<'_>> = lines.map(|line| Line::from(format!(" {line}"))).collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// All keys of the screen.
fn draw_help(frame: &mut Frame<'_>, app: &App, theme: Theme) {
    let is_watched = |play: &Play| play.table.kind == Kind::Watched;
    let keys = match app.place {
        Place::Edit => app.text.help_edit,
        Place::Play if app.play.as_ref().is_some_and(is_watched) => app.text.help_watch,
        Place::Menu | Place::Play | Place::Standing => app.text.help_play,
    };
    let widest = keys.iter().map(|(key, _)| key.chars().count()).max();
    let widest = widest.unwrap_or(0);
    let lines: Vec<Line<'_>> = keys
        .iter()
        .map(|(key, what)| {
            Line::from(vec![
                Span::styled(format!(" {key:widest$}  "), theme.loud()),
                Span::raw(*what),
            ])
        })
        .collect();
    let wide = lines.iter().map(Line::width).max().unwrap_or(0) + 3;
    let area = middle(
        frame.area(),
        u16::try_from(wide).unwrap_or(u16::MAX),
        u16::try_from(lines.len() + 2).unwrap_or(u16::MAX),
    );
    let block = theme
        .block()
        .title(format!(" {} ", app.text.keys))
        .title_bottom(format!(" {} ", app.text.help_more));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// A part of an area in its middle.
fn middle(area: Rect, wide: u16, high: u16) -> Rect {
    let (wide, high) = (wide.min(area.width), high.min(area.height));
    Rect::new(
        area.x + (area.width - wide) / 2,
        area.y + (area.height - high) / 2,
        wide,
        high,
    )
}

impl Theme {
    /// A frame.
    fn block(self) -> Block<'static> {
        use ratatui::symbols::border::{PLAIN, Set};
        const ASCII: Set<'static> = Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        };
        let set = if self.is_unicode { PLAIN } else { ASCII };
        Block::bordered().border_set(set)
    }
}

#[cfg(test)]
mod tests;
