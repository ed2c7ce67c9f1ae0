//! Draws a board: grid, squares, pieces, marks.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use tablut_rules::{Piece, Square};

use crate::tui::{
    face::Face,
    layout::{Layout, Scale},
    theme::{Shade, Theme},
};

/// Draws a board.
pub(super) fn draw(buffer: &mut Buffer, face: &Face<'_>, layout: &Layout, theme: Theme) {
    draw_grid(buffer, layout, theme);
    draw_names(buffer, layout, theme);
    for square in face.setup.size().squares() {
        draw_square(
            buffer,
            face,
            square,
            layout.cell(square),
            layout.scale,
            theme,
        );
    }
}

/// The lines between squares.
fn draw_grid(buffer: &mut Buffer, layout: &Layout, theme: Theme) {
    let Rect { x, y, .. } = layout.board;
    buffer.set_style(layout.board, theme.grid());
    if layout.scale == Scale::Small {
        return;
    }
    let wide = layout.board.width / layout.rows;
    let high = layout.board.height / layout.rows;
    let last = layout.rows;
    let joint = |column: u16, row: u16| {
        let unicode = match (row, column) {
            (0, 0) => "┌",
            (0, column) if column == last => "┐",
            (0, _) => "┬",
            (row, 0) if row == last => "└",
            (row, column) if row == last && column == last => "┘",
            (row, _) if row == last => "┴",
            (_, 0) => "├",
            (_, column) if column == last => "┤",
            _ => "┼",
        };
        theme.text(unicode, "+")
    };
    for line in 0..layout.board.height {
        for column in 0..layout.board.width {
            let letter = match (column % wide, line % high) {
                (0, 0) => joint(column / wide, line / high),
                (_, 0) => theme.text("─", "-"),
                (0, _) => theme.text("│", "|"),
                _ => continue,
            };
            buffer.set_string(x + column, y + line, letter, theme.grid());
        }
    }
}

/// Letters above the columns, numbers beside the rows.
fn draw_names(buffer: &mut Buffer, layout: &Layout, theme: Theme) {
    for n in 0..u8::try_from(layout.rows).unwrap_or(0) {
        let Some(square) = Square::new(n, n) else {
            continue;
        };
        let cell = layout.cell(square);
        let name = square.to_string();
        let (column, row) = name.split_at(1);
        let middle = (cell.x + cell.width / 2, cell.y + cell.height / 2);
        buffer.set_string(middle.0, layout.board.y - 1, column, theme.quiet());
        buffer.set_string(layout.board.x - 2, middle.1, row, theme.quiet());
    }
}

fn draw_square(
    buffer: &mut Buffer,
    face: &Face<'_>,
    square: Square,
    cell: Rect,
    scale: Scale,
    theme: Theme,
) {
    let shade = face.shade(square);
    let back = theme.shade(shade);
    buffer.set_style(cell, back);
    let (x, y) = (cell.x + cell.width / 2, cell.y + cell.height / 2);
    let promise = face.promise(square);
    let piece = face.setup.piece_at(square);
    let (letter, style) = match (promise, piece) {
        (Some(promise), _) => (theme.promise(promise), theme.target(promise)),
        (None, Some(piece)) => {
            let style = theme.side(piece.side());
            if scale == Scale::Large {
                draw_large(buffer, piece, (x, y), style.patch(back), theme);
            }
            (theme.piece(piece), style)
        }
        (None, None) => {
            // What a square is stays visible below marks.
            let letter = match shade {
                Shade::Lane => theme.text("·", "."),
                _ => theme.ground(face.ground(square)),
            };
            (letter, theme.faint())
        }
    };
    if scale != Scale::Large || promise.is_some() || piece.is_none() {
        buffer.set_string(x, y, letter, style.patch(back));
    }
    let braces = theme.braces(shade);
    if braces != (" ", " ") {
        let style = theme.brace().patch(back);
        buffer.set_string(cell.x, y, braces.0, style);
        buffer.set_string(cell.right() - 1, y, braces.1, style);
    }
}

/// A piece of three lines.
fn draw_large(buffer: &mut Buffer, piece: Piece, (x, y): (u16, u16), style: Style, theme: Theme) {
    let shape = match (piece, theme.is_unicode) {
        (Piece::King, true) => ["▙▟█▙▟", "█████", "▀▀▀▀▀"],
        (Piece::King, false) => ["\\/^\\/", "| K |", "'---'"],
        (Piece::Defender, true) if !theme.has_colours => ["╭───╮", "│   │", "╰───╯"],
        (Piece::Attacker | Piece::Defender, true) => ["▗███▖", "█████", "▝███▘"],
        (Piece::Attacker, false) => [".---.", "| b |", "'---'"],
        (Piece::Defender, false) => [".---.", "| w |", "'---'"],
    };
    for (n, line) in (0..).zip(shape) {
        buffer.set_string(x - 2, y - 1 + n, line, style);
    }
}
