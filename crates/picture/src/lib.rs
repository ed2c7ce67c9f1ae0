//! Positions and games as pictures, in the style of the page: SVG, PNG and animated GIF.
//!
//! A [`Picture`] shows a position, with arrows and rings if wanted; a [`Film`] shows a game. Both are pure:
//! they need no fonts, no files and no clock, and the same input gives the same bytes.
//!
//! ```
//! use tablut_picture::{Picture, Style};
//! use tablut_rules::{Rules, Setup};
//! let rules = Rules::ashton();
//! let picture = Picture::new(&rules, Setup::from(&rules.start()))?
//!     .with_arrows(vec!["e4e3".parse()?, "red:d1d4".parse()?]);
//! assert!(picture.svg(480)?.starts_with("<svg"));
//! assert!(picture.png(480)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod brush;
mod colour;
mod drawing;
mod film;
mod glyph;
mod paint;
mod picture;
mod shape;
mod svg;

pub use brush::{Arrow, Brush, ParseArrowError, ParseRingError, Ring};
pub use colour::Brightness;
pub use film::Film;
pub use picture::{Picture, PictureError, Quarters, Style, WIDTHS};
