//! A game as an animated GIF.

use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use tablut_rules::{Game, Setup};

use crate::{
    drawing::Drawing,
    paint::Canvas,
    picture::{Picture, PictureError, Style, WIDTHS},
};

/// How long the last position stays, in delays between moves.
const PAUSE: u32 = 4;

/// Colours of a GIF.
const COLOURS: usize = 256;

/// How many positions at most the colours of a film are taken from, besides the last.
const SAMPLES: usize = 12;

/// A game, move by move.
#[derive(Clone, Debug)]
pub struct Film<'a> {
    game: &'a Game,
    style: Style,
    delay: Duration,
}

impl<'a> Film<'a> {
    /// A film of all moves of a game, with some time between them.
    #[must_use]
    pub const fn new(game: &'a Game, style: Style, delay: Duration) -> Self {
        Self { game, style, delay }
    }

    /// The film as a GIF that starts again after its end: a frame for the start and one for each move.
    ///
    /// # Errors
    /// It would be too small or too large.
    pub fn gif(&self, width: u16) -> Result<Vec<u8>, PictureError> {
        if !WIDTHS.contains(&width) {
            return Err(PictureError::Width(width));
        }
        let ground = self.position(0)?.ground();
        let mut canvas = Canvas::new(&ground, width)?;
        canvas.paint(&ground);
        let blank = Drawing {
            figures: Vec::new(),
            ..ground
        };
        let paint = |number: usize| {
            let mut drawing = blank.clone();
            self.position(number)?.draw_position(&mut drawing);
            let mut frame = canvas.clone();
            frame.paint(&drawing);
            Ok(frame)
        };
        let last = self.game.plies().len();
        // Colours hardly differ between positions, so that a few stand for all.
        let samples = (0..=last).step_by(last / SAMPLES + 1).chain([last]);
        let table = ColourTable::of(samples.map(paint))?;
        self.encode(width, &table, (0..=last).map(paint))
    }

    /// The picture after a number of moves.
    fn position(&self, number: usize) -> Result<Picture<'_>, PictureError> {
        let ply = number.checked_sub(1).and_then(|n| self.game.plies().get(n));
        let position = ply.map_or(self.game.start(), |ply| &ply.position);
        let picture = Picture::new(self.game.rules(), Setup::from(position))?;
        Ok(picture
            .with_style(self.style)
            .with_last(ply.map(|ply| ply.step)))
    }

    fn encode(
        &self,
        width: u16,
        table: &ColourTable,
        frames: impl Iterator<Item = Result<Canvas, PictureError>>,
    ) -> Result<Vec<u8>, PictureError> {
        let failed = |error: gif::EncodingError| PictureError::Encoding(error.to_string());
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, width, &table.colours).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        let delay = self.hundredths(1);
        let mut before: Option<Vec<u8>> = None;
        let mut left = self.game.plies().len();
        for frame in frames {
            let pixels = table.indices(&frame?);
            let area = match &before {
                Some(before) => Area::changed(before, &pixels, width.into()),
                None => Area::whole(width.into()),
            };
            let delay = if left == 0 {
                self.hundredths(PAUSE)
            } else {
                delay
            };
            left = left.saturating_sub(1);
            encoder
                .write_frame(&area.frame(&pixels, width.into(), delay))
                .map_err(failed)?;
            before = Some(pixels);
        }
        drop(encoder);
        Ok(bytes)
    }

    /// A number of delays in the units of GIF. Browsers take anything shorter than two for ten.
    fn hundredths(&self, delays: u32) -> u16 {
        let hundredths = self.delay.saturating_mul(delays).as_millis() / 10;
        u16::try_from(hundredths).unwrap_or(u16::MAX).max(2)
    }
}

/// The part of a frame that differs from the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Area {
    const fn whole(width: usize) -> Self {
        Self {
            left: 0,
            top: 0,
            right: width,
            bottom: width,
        }
    }

    /// The smallest area with all changes; a single pixel if there are none.
    fn changed(before: &[u8], now: &[u8], width: usize) -> Self {
        let mut area: Option<Self> = None;
        let rows = before.chunks(width).zip(now.chunks(width));
        for (y, (before, now)) in rows.enumerate() {
            let differs = |&x: &usize| before[x] != now[x];
            let Some(first) = (0..width).find(differs) else {
                continue;
            };
            let last = (first..width).rev().find(differs).unwrap_or(first);
            let known = area.unwrap_or(Self {
                left: first,
                top: y,
                right: last + 1,
                bottom: y + 1,
            });
            area = Some(Self {
                left: known.left.min(first),
                right: known.right.max(last + 1),
                bottom: y + 1,
                ..known
            });
        }
        area.unwrap_or(Self::whole(1))
    }

    fn frame(self, pixels: &[u8], width: usize, delay: u16) -> Frame<'static> {
        let rows = (self.top..self.bottom).flat_map(|y| {
            let row = &pixels[y * width..(y + 1) * width];
            row[self.left..self.right].iter().copied()
        });
        // No side is longer than a picture's width, which fits.
        let short = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
        Frame {
            delay,
            dispose: DisposalMethod::Keep,
            left: short(self.left),
            top: short(self.top),
            width: short(self.right - self.left),
            height: short(self.bottom - self.top),
            buffer: rows.collect(),
            ..Frame::default()
        }
    }
}

/// The colours of a film, and which of them is nearest to any colour.
struct ColourTable {
    /// Red, green and blue of each.
    colours: Vec<u8>,
    /// For each colour in five bits a channel the index of the nearest.
    nearest: Vec<u8>,
}

/// A colour in five bits a channel.
const fn coarse([red, green, blue]: [u8; 3]) -> usize {
    ((red as usize) >> 3) << 10 | ((green as usize) >> 3) << 5 | (blue as usize) >> 3
}

impl ColourTable {
    /// The most frequent colours of some frames.
    fn of(
        frames: impl Iterator<Item = Result<Canvas, PictureError>>,
    ) -> Result<Self, PictureError> {
        // Sums of red, green and blue, and how many there are, of the colours that are alike.
        let mut alike = vec![[0u64; 4]; 1 << 15];
        for frame in frames {
            for colour in frame?.colours() {
                let sums = &mut alike[coarse(colour)];
                for (sum, channel) in sums.iter_mut().zip(colour) {
                    *sum += u64::from(channel);
                }
                sums[3] += 1;
            }
        }
        let mut found: Vec<[u64; 4]> = alike.into_iter().filter(|sums| sums[3] > 0).collect();
        found.sort_by_key(|sums| std::cmp::Reverse(sums[3]));
        found.truncate(COLOURS);
        let mean = |sums: &[u64; 4]| {
            let [red, green, blue, count] = *sums;
            [red, green, blue].map(|sum| u8::try_from(sum / count).unwrap_or(u8::MAX))
        };
        let colours: Vec<[u8; 3]> = found.iter().map(mean).collect();
        let nearest = (0..1usize << 15).map(|coarse| {
            let channel = |shift: u32| ((coarse >> shift & 31) << 3 | 4) as i32;
            let wanted = [channel(10), channel(5), channel(0)];
            let distance = |colour: &[u8; 3]| -> i32 {
                let channels = colour.iter().zip(wanted);
                channels
                    .map(|(have, want)| (i32::from(*have) - want).pow(2))
                    .sum()
            };
            let nearest = (0..colours.len()).min_by_key(|n| distance(&colours[*n]));
            // There are no more than 256.
            nearest.map_or(0, |n| n as u8)
        });
        Ok(Self {
            nearest: nearest.collect(),
            colours: colours.into_iter().flatten().collect(),
        })
    }

    fn indices(&self, canvas: &Canvas) -> Vec<u8> {
        let colours = canvas.colours();
        colours.map(|colour| self.nearest[coarse(colour)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_stored() {
        let before = [0u8; 16];
        let mut now = before;
        now[5] = 1;
        now[10] = 1;
        let area = Area::changed(&before, &now, 4);
        assert_eq!(
            area,
            Area {
                left: 1,
                top: 1,
                right: 3,
                bottom: 3
            }
        );
        assert_eq!(Area::changed(&before, &before, 4), Area::whole(1));
    }
}
