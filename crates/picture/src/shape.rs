//! The shapes of pieces and of squares' marks: those of the page (`crates/web/page/board/shapes.js`).

use std::borrow::Cow;

use tablut_rules::Piece;

use crate::{
    colour::{Colour, Palette},
    drawing::{Drawing, Figure, Fill, Ink, Spot},
};

const CROWN: &str = "M-2.1 1.2 -2.5-1.5-1.1-.5 0-2.4 1.1-.5 2.5-1.5 2.1 1.2z";
const CROWN_BAND: &str = "M-2.1 2.1H2.1";
const CASTLE_CROSS: &str = "M-2.8-2.8 2.8 2.8M2.8-2.8-2.8 2.8";
const CHEVRON: &str = "M-1.7 1.4 0-.3 1.7 1.4";
const CHEVRON_FAINT: &str = "M-1.7-.4 0-2.1 1.7-.4";
const HATCHING: &str =
    "M-5-3 -3-5M-5-1 -1-5M-5 1 1-5M-5 3 3-5M-5 5 5-5M-3 5 5-3M-1 5 5-1M1 5 5 1M3 5 5 3";

/// How far before the middle of its target an arrow's shaft ends on the page, and the size of its head.
const CUT: f32 = 2.4;
const HEAD_BACK: f32 = 1.815;
const HEAD_TIP: f32 = 1.485;
const HEAD_HALF: f32 = 1.65;
const SHAFT_HALF: f32 = 0.55;

/// Draws a piece.
pub(crate) fn piece(drawing: &mut Drawing, palette: &Palette, piece: Piece, (x, y): (f32, f32)) {
    let lit = |name, light, dark| Ink {
        fill: Fill::Lit { name, light, dark },
        line: None,
        opacity: 1.0,
    };
    let black = lit("attacker-fill", palette.attacker_light, palette.attacker);
    let white = lit("defender-fill", palette.defender_light, palette.defender);
    let shade = Ink::filled(palette.shade);
    match piece {
        Piece::King => {
            drawing.add(Figure::disc(x + 0.2, y + 0.5, 4.2), shade);
            drawing.add(Figure::disc(x, y, 4.0), white.with_line(palette.gold, 0.6));
            let crown = Ink::filled(palette.gold).with_line(palette.gold, 0.3);
            drawing.add(Figure::path(CROWN, x, y), crown.round());
            let band = Ink::lined(palette.gold, 0.7).round();
            drawing.add(Figure::path(CROWN_BAND, x, y), band);
        }
        man => {
            let (body, ring) = match man {
                Piece::Attacker => (black, palette.attacker_ring),
                _ => (
                    white.with_line(palette.defender_edge, 0.22),
                    palette.defender_ring,
                ),
            };
            drawing.add(Figure::disc(x + 0.2, y + 0.45, 3.6), shade);
            drawing.add(Figure::disc(x, y, 3.5), body);
            drawing.add(Figure::disc(x, y, 2.4), Ink::lined(ring, 0.26));
        }
    }
}

/// Engraves the castle.
pub(crate) fn castle(drawing: &mut Drawing, palette: &Palette, (x, y): (f32, f32)) {
    let ink = Ink::lined(palette.castle_mark, 0.4).round();
    let border = Figure::Rect {
        x: x - 2.8,
        y: y - 2.8,
        width: 5.6,
        height: 5.6,
        radius: 0.3,
    };
    drawing.add(border, ink);
    drawing.add(Figure::path(CASTLE_CROSS, x, y), ink);
}

/// Chevrons on an escape square that point outwards.
pub(crate) fn escape(drawing: &mut Drawing, palette: &Palette, (x, y): (f32, f32), angle: u16) {
    let ink = Ink::lined(palette.chevron, 0.5).round();
    for (data, ink) in [(CHEVRON, ink), (CHEVRON_FAINT, ink.faint(0.5))] {
        let at = Spot {
            angle,
            ..Spot::new(x, y)
        };
        let data = Cow::Borrowed(data);
        drawing.add(Figure::Path { data, at }, ink);
    }
}

/// Hatching over a camp square.
pub(crate) fn camp(drawing: &mut Drawing, palette: &Palette, (x, y): (f32, f32)) {
    let ink = Ink::lined(palette.hatch, 0.28);
    drawing.add(Figure::path(HATCHING, x, y), ink);
}

/// A small ring: a white man starts here.
pub(crate) fn start(drawing: &mut Drawing, palette: &Palette, (x, y): (f32, f32)) {
    drawing.add(Figure::disc(x, y, 1.1), Ink::lined(palette.start, 0.3));
}

/// A ring around a square.
pub(crate) fn ring(drawing: &mut Drawing, colour: Colour, (x, y): (f32, f32)) {
    let ink = Ink::lined(colour, 0.6).faint(0.9);
    drawing.add(Figure::disc(x, y, 4.5), ink);
}

/// An arrow from the middle of a square towards that of another, as one area: its parts would show
/// through each other.
pub(crate) fn arrow(
    drawing: &mut Drawing,
    colour: Colour,
    (x1, y1): (f32, f32),
    (x2, y2): (f32, f32),
) {
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (along, across) = ((x2 - x1) / length, (y2 - y1) / length);
    let end = length - CUT;
    let point = |forward: f32, aside: f32| {
        let x = x1 + along * forward - across * aside;
        let y = y1 + across * forward + along * aside;
        format!("{x:.2} {y:.2}")
    };
    let corners = [
        point(0.0, SHAFT_HALF),
        point(end - HEAD_BACK, SHAFT_HALF),
        point(end - HEAD_BACK, HEAD_HALF),
        point(end + HEAD_TIP, 0.0),
        point(end - HEAD_BACK, -HEAD_HALF),
        point(end - HEAD_BACK, -SHAFT_HALF),
        point(0.0, -SHAFT_HALF),
    ];
    let data = format!("M{}Z", corners.join("L"));
    let figure = Figure::Path {
        data: data.into(),
        at: Spot::new(0.0, 0.0),
    };
    drawing.add(figure, Ink::filled(colour).faint(0.85));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_are_those_of_the_page() {
        let page = include_str!("../../web/page/board/shapes.js");
        for path in [
            CROWN,
            CROWN_BAND,
            CASTLE_CROSS,
            CHEVRON,
            CHEVRON_FAINT,
            HATCHING,
        ] {
            assert!(
                page.contains(&format!("'{path}'")),
                "shapes.js lacks {path}"
            );
        }
    }
}
