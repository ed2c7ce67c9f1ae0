//! A drawing as SVG. Everything is said by attributes, so that it may stand in any page.

use std::fmt::{self, Write as _};

use crate::drawing::{Drawing, Figure, Fill, Ink, LIGHT_REACH, LIGHT_X, LIGHT_Y, Spot};

/// The drawing as a document of some width, with a title for those who cannot see it.
pub(crate) fn write(drawing: &Drawing, width: u16, title: &str) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = document(&mut text, drawing, width, title);
    text
}

/// A number without digits that say nothing.
struct Short(f32);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.3}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

fn document(text: &mut String, drawing: &Drawing, width: u16, title: &str) -> fmt::Result {
    let [left, top, side] = [drawing.left, drawing.top, drawing.side].map(Short);
    write!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {side} {side}\" \
         width=\"{width}\" height=\"{width}\" role=\"img\"><title>{}</title>",
        title.replace('&', "&amp;").replace('<', "&lt;")
    )?;
    gradients(text, drawing)?;
    let mut figures = drawing.figures.iter().peekable();
    while let Some((figure, ink)) = figures.next() {
        let mut alike = vec![figure];
        while let Some((figure, _)) = figures.next_if(|(_, next)| next == ink) {
            alike.push(figure);
        }
        // What is faint is so by itself: in a group, figures would not show through each other.
        text.push_str("\n<g");
        attributes(text, ink)?;
        text.push('>');
        for figure in alike {
            write_figure(text, figure, ink)?;
        }
        text.push_str("</g>");
    }
    text.push_str("\n</svg>\n");
    Ok(())
}

fn gradients(text: &mut String, drawing: &Drawing) -> fmt::Result {
    let mut known = Vec::new();
    for (_, ink) in &drawing.figures {
        let Fill::Lit { name, light, dark } = ink.fill else {
            continue;
        };
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        let open = if known.len() == 1 { "\n<defs>" } else { "" };
        let [x, y, reach] = [LIGHT_X, LIGHT_Y, LIGHT_REACH].map(Short);
        write!(
            text,
            "{open}<radialGradient id=\"{name}\" cx=\"{x}\" cy=\"{y}\" r=\"{reach}\">\
             <stop offset=\"0\" stop-color=\"{light}\"/><stop offset=\"1\" stop-color=\"{dark}\"/>\
             </radialGradient>"
        )?;
    }
    if !known.is_empty() {
        text.push_str("</defs>");
    }
    Ok(())
}

fn attributes(text: &mut String, ink: &Ink) -> fmt::Result {
    match ink.fill {
        Fill::Nothing => write!(text, " fill=\"none\"")?,
        Fill::Flat(colour) => write!(text, " fill=\"{colour}\"")?,
        Fill::Lit { name, .. } => write!(text, " fill=\"url(#{name})\"")?,
    }
    if let Some(line) = ink.line {
        let width = Short(line.width);
        write!(text, " stroke=\"{}\" stroke-width=\"{width}\"", line.colour)?;
        if line.is_round {
            text.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
        }
    }
    Ok(())
}

fn write_figure(text: &mut String, figure: &Figure, ink: &Ink) -> fmt::Result {
    match figure {
        Figure::Rect {
            x,
            y,
            width,
            height,
            radius,
        } => {
            let [x, y, width, height] = [*x, *y, *width, *height].map(Short);
            write!(
                text,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\""
            )?;
            if *radius > 0.0 {
                write!(text, " rx=\"{}\"", Short(*radius))?;
            }
        }
        Figure::Disc { x, y, radius } => {
            let [x, y, radius] = [*x, *y, *radius].map(Short);
            write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")?;
        }
        Figure::Path { data, at } => {
            write!(text, "<path d=\"{data}\"")?;
            if *at != Spot::new(0.0, 0.0) {
                let [x, y, scale] = [at.x, at.y, at.scale].map(Short);
                write!(text, " transform=\"translate({x} {y})")?;
                if at.angle != 0 {
                    write!(text, "rotate({})", at.angle)?;
                }
                if at.scale != 1.0 {
                    write!(text, "scale({scale})")?;
                }
                text.push('"');
            }
        }
    }
    if ink.opacity < 1.0 {
        write!(text, " opacity=\"{}\"", Short(ink.opacity))?;
    }
    text.push_str("/>");
    Ok(())
}
