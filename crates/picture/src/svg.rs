//! A drawing as SVG. Everything is said by attributes, so that it may stand in any page.

use std::fmt::{self, Write as _};

use crate::{
    colour::Colour,
    drawing::{Drawing, Figure, Fill, Ink, LIGHT_REACH, LIGHT_X, LIGHT_Y, Spot},
};

/// Where an SVG stands, which decides how colours are said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// By itself, with some width.
    Alone(u16),
    /// In the page, whose style has the colours by their names.
    InPage,
}

impl Standing {
    fn colour(self, colour: Colour) -> String {
        match self {
            Self::Alone(_) => colour.to_string(),
            Self::InPage => format!("var(--{})", colour.name),
        }
    }
}

/// The drawing as SVG, with a title for those who cannot see it.
pub(crate) fn write(drawing: &Drawing, standing: Standing, title: &str) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = document(&mut text, drawing, standing, title);
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

fn document(text: &mut String, drawing: &Drawing, standing: Standing, title: &str) -> fmt::Result {
    let [left, top, side] = [drawing.left, drawing.top, drawing.side].map(Short);
    let size = match standing {
        Standing::Alone(width) => format!("width=\"{width}\" height=\"{width}\""),
        Standing::InPage => "class=\"board\"".into(),
    };
    write!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left} {top} {side} {side}\" \
         {size} role=\"img\"><title>{}</title>",
        title.replace('&', "&amp;").replace('<', "&lt;")
    )?;
    gradients(text, drawing, standing)?;
    let mut figures = drawing.figures.iter().peekable();
    while let Some((figure, ink)) = figures.next() {
        let mut alike = vec![figure];
        while let Some((figure, _)) = figures.next_if(|(_, next)| next == ink) {
            alike.push(figure);
        }
        // What is faint is so by itself: in a group, figures would not show through each other.
        text.push_str("\n<g");
        attributes(text, ink, standing)?;
        text.push('>');
        for figure in alike {
            write_figure(text, figure, opacity(ink, standing))?;
        }
        text.push_str("</g>");
    }
    text.push_str("\n</svg>\n");
    Ok(())
}

fn gradients(text: &mut String, drawing: &Drawing, standing: Standing) -> fmt::Result {
    let mut known = Vec::new();
    for (_, ink) in &drawing.figures {
        let Fill::Lit { name, light, dark } = ink.fill else {
            continue;
        };
        if known.contains(&name) {
            continue;
        }
        known.push(name);
        let [light, dark] = [light, dark].map(|colour| standing.colour(colour));
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

fn attributes(text: &mut String, ink: &Ink, standing: Standing) -> fmt::Result {
    match ink.fill {
        Fill::Nothing => write!(text, " fill=\"none\"")?,
        Fill::Flat(colour) => write!(text, " fill=\"{}\"", standing.colour(colour))?,
        Fill::Lit { name, .. } => write!(text, " fill=\"url(#{name})\"")?,
    }
    if let Some(line) = ink.line {
        let width = Short(line.width);
        let colour = standing.colour(line.colour);
        write!(text, " stroke=\"{colour}\" stroke-width=\"{width}\"")?;
        if line.is_round {
            text.push_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
        }
    }
    Ok(())
}

/// How faint an ink is, besides what its colour in the page's style says.
fn opacity(ink: &Ink, standing: Standing) -> f32 {
    match ink.fill {
        Fill::Flat(colour) if standing == Standing::InPage => ink.opacity / colour.cover,
        _ => ink.opacity,
    }
}

fn write_figure(text: &mut String, figure: &Figure, opacity: f32) -> fmt::Result {
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
    if opacity < 1.0 {
        write!(text, " opacity=\"{}\"", Short(opacity))?;
    }
    text.push_str("/>");
    Ok(())
}
