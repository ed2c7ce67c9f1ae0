//! A drawing as pixels, and pixels as PNG.

use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Point,
    RadialGradient, Rect, Shader, SpreadMode, Stroke, Transform,
};

use crate::{
    colour::Colour,
    drawing::{Drawing, Figure, Fill, Ink, LIGHT_REACH, LIGHT_X, LIGHT_Y},
    picture::PictureError,
};

/// How far a cubic curve's handles are from its ends if it is to be a quarter of a circle.
const QUARTER: f32 = 0.552_28;

/// Pixels that figures are painted on.
#[derive(Clone)]
pub(crate) struct Canvas {
    pixels: Pixmap,
    to_pixels: Transform,
}

impl Canvas {
    /// An empty canvas for what is in a drawing's part of the plane.
    pub(crate) fn new(drawing: &Drawing, width: u16) -> Result<Self, PictureError> {
        let pixels = Pixmap::new(width.into(), width.into());
        let scale = f32::from(width) / drawing.side;
        Ok(Self {
            pixels: pixels.ok_or(PictureError::Width(width))?,
            to_pixels: Transform::from_translate(-drawing.left, -drawing.top)
                .post_scale(scale, scale),
        })
    }

    /// Paints all figures of a drawing.
    pub(crate) fn paint(&mut self, drawing: &Drawing) {
        for (figure, ink) in &drawing.figures {
            // A figure that covers no area leaves no trace.
            if let Some((path, transform)) = outline(figure) {
                let transform = transform.post_concat(self.to_pixels);
                self.draw(&path, ink, transform);
            }
        }
    }

    fn draw(&mut self, path: &Path, ink: &Ink, transform: Transform) {
        let mut paint = Paint {
            anti_alias: true,
            ..Paint::default()
        };
        if let Some(shader) = shader(ink, path.bounds()) {
            paint.shader = shader;
            let rule = FillRule::Winding;
            self.pixels.fill_path(path, &paint, rule, transform, None);
        }
        if let Some(line) = ink.line {
            paint.shader = Shader::SolidColor(colour(line.colour, ink.opacity));
            let stroke = Stroke {
                width: line.width,
                line_cap: match line.is_round {
                    true => LineCap::Round,
                    false => LineCap::Butt,
                },
                line_join: match line.is_round {
                    true => LineJoin::Round,
                    false => LineJoin::Miter,
                },
                ..Stroke::default()
            };
            self.pixels
                .stroke_path(path, &paint, &stroke, transform, None);
        }
    }

    pub(crate) fn width(&self) -> u32 {
        self.pixels.width()
    }

    /// Red, green and blue of each pixel, row by row. The ground covers everything, so none is transparent.
    pub(crate) fn colours(&self) -> impl Iterator<Item = [u8; 3]> + '_ {
        let pixels = self.pixels.pixels().iter();
        pixels.map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
    }

    /// The picture as PNG.
    pub(crate) fn png(&self) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width(), self.pixels.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let colours: Vec<u8> = self.colours().flatten().collect();
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&colours)?;
            writer.finish()
        });
        written.map_err(|error| PictureError::Encoding(error.to_string()))?;
        Ok(bytes)
    }
}

fn colour(colour: Colour, opacity: f32) -> Color {
    let mut made = Color::from_rgba8(colour.red, colour.green, colour.blue, 255);
    made.apply_opacity(opacity);
    made
}

/// How an area with these bounds is filled; nothing if it is not.
fn shader(ink: &Ink, bounds: Rect) -> Option<Shader<'static>> {
    match ink.fill {
        Fill::Nothing => None,
        Fill::Flat(flat) => Some(Shader::SolidColor(colour(flat, ink.opacity))),
        Fill::Lit { light, dark, .. } => {
            let middle = Point::from_xy(
                bounds.left() + LIGHT_X * bounds.width(),
                bounds.top() + LIGHT_Y * bounds.height(),
            );
            RadialGradient::new(
                middle,
                0.0,
                middle,
                LIGHT_REACH * bounds.width(),
                vec![
                    GradientStop::new(0.0, colour(light, ink.opacity)),
                    GradientStop::new(1.0, colour(dark, ink.opacity)),
                ],
                SpreadMode::Pad,
                Transform::identity(),
            )
        }
    }
}

/// The outline of a figure, and what brings it to its place.
fn outline(figure: &Figure) -> Option<(Path, Transform)> {
    match *figure {
        Figure::Rect {
            x,
            y,
            width,
            height,
            radius,
        } => {
            let rect = Rect::from_xywh(x, y, width, height)?;
            let path = match radius > 0.0 {
                true => rounded(rect, radius)?,
                false => PathBuilder::from_rect(rect),
            };
            Some((path, Transform::identity()))
        }
        Figure::Disc { x, y, radius } => {
            let path = PathBuilder::from_circle(x, y, radius)?;
            Some((path, Transform::identity()))
        }
        Figure::Path { ref data, at } => {
            let transform = Transform::from_rotate(at.angle.into())
                .pre_scale(at.scale, at.scale)
                .post_translate(at.x, at.y);
            Some((read_path(data)?, transform))
        }
    }
}

fn rounded(rect: Rect, radius: f32) -> Option<Path> {
    let (left, top, right, bottom) = (rect.left(), rect.top(), rect.right(), rect.bottom());
    let handle = radius * (1.0 - QUARTER);
    let mut path = PathBuilder::new();
    path.move_to(left + radius, top);
    path.line_to(right - radius, top);
    path.cubic_to(
        right - handle,
        top,
        right,
        top + handle,
        right,
        top + radius,
    );
    path.line_to(right, bottom - radius);
    path.cubic_to(
        right,
        bottom - handle,
        right - handle,
        bottom,
        right - radius,
        bottom,
    );
    path.line_to(left + radius, bottom);
    path.cubic_to(
        left + handle,
        bottom,
        left,
        bottom - handle,
        left,
        bottom - radius,
    );
    path.line_to(left, top + radius);
    path.cubic_to(left, top + handle, left + handle, top, left + radius, top);
    path.close();
    path.finish()
}

/// Reads a path of the commands that a [`Figure::Path`] may have; nothing if it is faulty.
fn read_path(data: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (mut command, mut rest) = (b'M', data.trim_start());
    while let Some(&first) = rest.as_bytes().first() {
        if first.is_ascii_alphabetic() {
            command = first;
            rest = rest[1..].trim_start();
            if command.eq_ignore_ascii_case(&b'Z') {
                path.close();
                continue;
            }
        }
        let count = match command {
            b'H' | b'V' => 1,
            b'M' | b'L' => 2,
            b'C' => 6,
            _ => return None,
        };
        let mut numbers = [0.0; 6];
        for number in &mut numbers[..count] {
            (*number, rest) = read_number(rest)?;
        }
        let [a, b, c, d, e, f] = numbers;
        let last = path.last_point().unwrap_or_default();
        match command {
            b'M' => {
                path.move_to(a, b);
                // More points after the first are lines.
                command = b'L';
            }
            b'L' => path.line_to(a, b),
            b'H' => path.line_to(a, last.y),
            b'V' => path.line_to(last.x, a),
            _ => path.cubic_to(a, b, c, d, e, f),
        }
    }
    path.finish()
}

/// The number a text starts with, and what follows it.
fn read_number(text: &str) -> Option<(f32, &str)> {
    let text = text.trim_start_matches([' ', ',']);
    let mut has_point = false;
    let end = text
        .char_indices()
        .position(|(n, letter)| match letter {
            '0'..='9' => false,
            '-' => n > 0,
            '.' => std::mem::replace(&mut has_point, true),
            _ => true,
        })
        .unwrap_or(text.len());
    let number = text.get(..end)?.parse().ok()?;
    Some((number, text.get(end..)?.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_browsers_read_them() {
        let bounds = |data| {
            let path = read_path(data).expect(data);
            let rect = path.bounds();
            (rect.left(), rect.top(), rect.right(), rect.bottom())
        };
        assert_eq!(bounds("M-1.5-.5 2.5-1.5.5.25z"), (-1.5, -1.5, 2.5, 0.25));
        assert_eq!(bounds("M0 0H4V-3"), (0.0, -3.0, 4.0, 0.0));
        assert_eq!(bounds("M0 0L1 1 2 0"), (0.0, 0.0, 2.0, 1.0));
        for faulty in ["M", "M1", "M0 0A1 1", "M0 0L1 x"] {
            assert!(read_path(faulty).is_none(), "{faulty}");
        }
    }
}
