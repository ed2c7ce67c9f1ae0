//! Draws what stands beside the board.

use ratatui::{
    Frame,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};
use tablut_rules::{BySide, Calls, Piece, Side, record::Score};

use crate::tui::{
    app::App,
    edit::BRUSHES,
    play::Play,
    table::Kind,
    text::Text,
    theme::{Ground, Shade, Theme},
};

fn side_name(text: &Text, side: Side) -> &'static str {
    match side {
        Side::Attackers => text.black,
        Side::Defenders => text.white,
    }
}

/// A clock as people read it.
fn clock(ms: u64) -> String {
    // A clock that shows nothing has run out.
    let seconds = ms.div_ceil(1000);
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// What stands beside a game.
pub(super) fn draw_play(frame: &mut Frame<'_>, app: &App, play: &Play, area: Rect, theme: Theme) {
    let (text, table) = (app.text, &play.table);
    let setup = table.setup_after(play.plies());
    let rules = table.game.rules();
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut lines = vec![Line::from(Span::styled(
        rules.set().name_in(text.lang).to_string(),
        theme.quiet(),
    ))];
    for side in Side::ALL {
        let is_turn = setup.side() == side && (table.outcome.is_none() || play.shown.is_some());
        let mark = if is_turn { theme.text("▸", ">") } else { " " };
        let left = play.left_ms(side, app.now).map(clock).unwrap_or_default();
        let name = format!(
            "{} {} {}",
            side_name(text, side),
            table.names[side],
            theme.text("×", "x").to_string() + &setup.of_side(side).len().to_string()
        );
        let piece = match theme.has_colours {
            true => Span::styled(
                format!(" {} ", theme.piece(Piece::man(side))),
                theme
                    .side(side)
                    .patch(theme.shade(Shade::Ground(Ground::Plain))),
            ),
            false => Span::raw(format!(" {} ", theme.piece(Piece::man(side)))),
        };
        let room = usize::from(area.width).saturating_sub(left.len() + 5);
        let style = if is_turn { bold } else { Style::new() };
        lines.push(Line::from(vec![
            Span::styled(mark, theme.loud()),
            piece,
            Span::styled(format!(" {name:room$.room$}"), style),
            Span::styled(left, style),
        ]));
    }
    lines.push(status(app, play, theme));
    lines.extend(call(&play.calls(), text, theme));
    if play.is_evaluating {
        lines.extend(evaluation(play, text, usize::from(area.width), theme));
    }
    lines.push(Line::default());
    lines.push(Line::from(Span::styled(text.moves, theme.quiet())));
    let room = usize::from(area.height).saturating_sub(lines.len());
    lines.extend(moves(play, room, theme));
    frame.render_widget(Paragraph::new(lines), area);
}

/// What white calls out.
fn call<'a>(calls: &Calls, text: &Text, theme: Theme) -> Option<Line<'a>> {
    let call = match calls.count() {
        0 => return None,
        1 => text.raichi.into(),
        2 => text.tuichu.into(),
        more => text.more_ways.replace("{n}", &more.to_string()),
    };
    Some(Line::from(Span::styled(call, theme.loud())))
}

/// Whose turn it is, or how the game ended.
fn status<'a>(app: &App, play: &Play, theme: Theme) -> Line<'a> {
    let (text, table) = (app.text, &play.table);
    let turn = table.game.position().side();
    let line = match (&table.outcome, play.shown) {
        (_, Some(shown)) => format!("{} {shown}/{}", text.after_move, table.len()),
        (Some(outcome), None) => outcome.clone(),
        (None, None) if table.is_waiting => text.waiting.into(),
        (None, None) if table.kind == Kind::Read => String::new(),
        (None, None) => match table.draw_offer {
            Some(side) => format!("{} {}", side_name(text, side), text.draw_offered),
            None if table.yours == BySide::both(true) || table.kind == Kind::Watched => {
                format!("{} {}", side_name(text, turn), text.to_move)
            }
            None if table.yours[turn] => text.your_turn.into(),
            None => text.thinking.into(),
        },
    };
    Line::from(Span::styled(line, theme.loud()))
}

/// What the engine thinks: a bar, a number, the best line.
fn evaluation<'a>(play: &Play, text: &Text, wide: usize, theme: Theme) -> Vec<Line<'a>> {
    let Some(analysis) = &play.analysis else {
        return vec![Line::from(format!(
            "{} {}",
            text.evaluation,
            theme.text("…", "...")
        ))];
    };
    let room = wide.saturating_sub(2).min(24);
    let share = share(analysis.score);
    let white = (share * room as f64).round() as usize;
    let bar =
        theme.text("█", "#").repeat(white) + &theme.text("░", ".").repeat(room - white.min(room));
    let head = format!(
        "{} {} ({} {})",
        text.evaluation, analysis.score, text.depth, analysis.depth
    );
    let mut line = String::new();
    for step in &analysis.line {
        let word = step.to_string();
        if line.len() + word.len() + 1 > wide {
            break;
        }
        line += &word;
        line.push(' ');
    }
    vec![Line::from(head), Line::from(bar), Line::from(line)]
}

/// White's share of the bar.
fn share(score: Score) -> f64 {
    match score {
        Score::Win(_) => 1.0,
        Score::Loss(_) => 0.0,
        Score::Hundredths(units) => 1.0 / (1.0 + (-f64::from(units) / 200.0).exp()),
    }
}

/// The last moves, two to a line; the one that is shown is marked.
fn moves<'a>(play: &Play, room: usize, theme: Theme) -> Vec<Line<'a>> {
    let game = &play.table.game;
    let shown = play.plies();
    let rows = game.plies().chunks(2).enumerate().map(|(n, pair)| {
        let mut spans = vec![Span::raw(format!("{:3}. ", n + 1))];
        for (m, ply) in pair.iter().enumerate() {
            let mut word = ply.step.to_string();
            if !ply.captured.is_empty() {
                word += &format!("{}{}", theme.text("×", "x"), ply.captured.len());
            }
            let style = match n * 2 + m + 1 == shown {
                true => Style::new().add_modifier(Modifier::REVERSED),
                false => Style::new(),
            };
            spans.push(Span::styled(word.clone(), style));
            spans.push(Span::raw(
                " ".repeat(9_usize.saturating_sub(word.chars().count())),
            ));
        }
        Line::from(spans)
    });
    let rows: Vec<Line<'_>> = rows.collect();
    // The move that is shown stays in sight.
    let last = shown.div_ceil(2).max(room).min(rows.len());
    let first = last.saturating_sub(room);
    rows.into_iter().skip(first).take(room).collect()
}

/// What stands beside the set-up board.
pub(super) fn draw_edit(frame: &mut Frame<'_>, app: &App, area: Rect, theme: Theme) {
    let (text, edit) = (app.text, &app.edit);
    let name = |brush: Option<Piece>| match brush {
        None => text.empty,
        Some(Piece::King) => text.king,
        Some(piece) => side_name(text, piece.side()),
    };
    let mut brushes = vec![Span::raw(format!("{}: ", text.brush))];
    for (n, brush) in BRUSHES.into_iter().enumerate() {
        let style = match n == edit.brush {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        brushes.push(Span::styled(name(brush), style));
        brushes.push(Span::raw(" "));
    }
    let mut slots = vec![Span::raw(format!("{}: ", text.slots))];
    for number in 0..=9 {
        let label = match edit.slots.contains_key(&number) {
            true => number.to_string(),
            false => theme.text("·", ".").to_string(),
        };
        let style = match edit.slot == Some(number) {
            true => Style::new().add_modifier(Modifier::REVERSED),
            false => Style::new(),
        };
        slots.push(Span::styled(label, style));
        slots.push(Span::raw(" "));
    }
    let faults = edit.rules.faults(&edit.setup);
    let mut lines = vec![
        Line::from(Span::styled(text.set_up, theme.loud())),
        Line::from(Span::styled(
            edit.rules.set().name_in(text.lang),
            theme.quiet(),
        )),
        Line::default(),
        Line::from(brushes),
        Line::from(format!(
            "{} {}",
            side_name(text, edit.setup.side()),
            text.to_move
        )),
        Line::from(slots),
        Line::default(),
    ];
    lines.extend(call(&edit.calls(), text, theme));
    if faults.is_empty() {
        lines.push(Line::from(text.sound));
    } else {
        lines.push(Line::from(Span::styled(text.faults, theme.bad())));
    }
    for fault in faults {
        let fault = tablut_host::speech::sentence(&fault.sentence(text.lang));
        lines.push(Line::from(format!("- {}", fault)));
    }
    let paragraph = Paragraph::new(lines).wrap(Wrap { trim: true });
    frame.render_widget(paragraph, area);
}
