//! Letters and colours of the board: Unicode or ASCII, with colours or without.

use std::env;

use ratatui::style::{Color, Modifier, Style};
use tablut_rules::{Piece, Side};

/// How the board looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Theme {
    /// Whether other letters than ASCII may be used.
    pub(crate) is_unicode: bool,
    /// Whether colours may be used.
    pub(crate) has_colours: bool,
}

/// What a square is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ground {
    Plain,
    Camp,
    Castle,
    Escape,
}

/// What a move to a square would do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Promise {
    Move,
    Capture,
    Win,
}

/// Why a square has another background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shade {
    Ground(Ground),
    Last,
    Lane,
    Prey,
    Picked,
    Hint,
    Cursor,
}

impl Theme {
    /// What this terminal can show.
    pub(crate) fn of_terminal(ascii: bool) -> Self {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let locale = set("LC_ALL")
            .or_else(|| set("LC_CTYPE"))
            .or_else(|| set("LANG"))
            .unwrap_or_default()
            .to_lowercase();
        let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
        // The console of Linux has the letters of its font only.
        let is_plain = matches!(set("TERM").as_deref(), None | Some("linux" | "dumb"));
        Self {
            is_unicode: !ascii && is_utf8 && !is_plain,
            has_colours: set("NO_COLOR").is_none(),
        }
    }

    /// One of two texts.
    pub(crate) const fn text(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.is_unicode { unicode } else { ascii }
    }

    /// The letter of a piece.
    pub(crate) const fn piece(self, piece: Piece) -> &'static str {
        match (piece, self.has_colours) {
            (Piece::Attacker, _) => self.text("●", "b"),
            // The colour says whose it is; without one, the shape does.
            (Piece::Defender, true) => self.text("●", "w"),
            (Piece::Defender, false) => self.text("○", "w"),
            (Piece::King, true) => self.text("♚", "K"),
            (Piece::King, false) => self.text("♔", "K"),
        }
    }

    /// The letter of an empty square.
    pub(crate) const fn ground(self, ground: Ground) -> &'static str {
        match ground {
            Ground::Plain => self.text(" ", " "),
            Ground::Camp => ":",
            Ground::Castle => self.text("◇", "T"),
            Ground::Escape => self.text("·", "*"),
        }
    }

    /// The letter of a target.
    pub(crate) const fn promise(self, promise: Promise) -> &'static str {
        match promise {
            Promise::Move => self.text("•", "o"),
            Promise::Capture => self.text("×", "x"),
            Promise::Win => self.text("★", "!"),
        }
    }

    /// What stands on both sides of a square.
    pub(crate) const fn braces(self, shade: Shade) -> (&'static str, &'static str) {
        match shade {
            Shade::Cursor => ("[", "]"),
            Shade::Picked if self.is_unicode => ("‹", "›"),
            Shade::Picked => ("<", ">"),
            Shade::Prey => ("{", "}"),
            Shade::Hint => ("?", "?"),
            Shade::Last if !self.has_colours => ("(", ")"),
            _ => (" ", " "),
        }
    }

    /// A colour, if there are any.
    fn colour(self, style: Style, make: impl FnOnce(Style) -> Style) -> Style {
        if self.has_colours { make(style) } else { style }
    }

    /// The background of a square.
    pub(crate) fn shade(self, shade: Shade) -> Style {
        let colour = match shade {
            Shade::Ground(Ground::Plain) => 137,
            Shade::Ground(Ground::Camp) => 95,
            Shade::Ground(Ground::Castle) => 130,
            Shade::Ground(Ground::Escape) => 108,
            Shade::Last => 143,
            Shade::Lane => 174,
            Shade::Prey => 160,
            Shade::Picked => 214,
            Shade::Hint => 140,
            Shade::Cursor => 32,
        };
        self.colour(Style::new(), |style| style.bg(Color::Indexed(colour)))
    }

    /// The grid, and letters of empty squares.
    pub(crate) fn faint(self) -> Style {
        self.colour(Style::new(), |style| style.fg(Color::Indexed(236)))
    }

    /// The grid.
    pub(crate) fn grid(self) -> Style {
        self.colour(Style::new(), |style| {
            style.fg(Color::Indexed(94)).bg(Color::Indexed(137))
        })
    }

    /// A side's pieces.
    pub(crate) fn side(self, side: Side) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.colour(style, |style| {
            style.fg(Color::Indexed(match side {
                Side::Attackers => 16,
                Side::Defenders => 231,
            }))
        })
    }

    /// A target.
    pub(crate) fn target(self, promise: Promise) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.colour(style, |style| {
            style.fg(Color::Indexed(match promise {
                Promise::Move => 22,
                Promise::Capture => 88,
                Promise::Win => 226,
            }))
        })
    }

    /// Something that must be seen.
    pub(crate) fn loud(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.colour(style, |style| style.fg(Color::Yellow))
    }

    /// Something that went wrong.
    pub(crate) fn bad(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.colour(style, |style| style.fg(Color::LightRed))
    }

    /// Something that need not be seen.
    pub(crate) fn quiet(self) -> Style {
        self.colour(Style::new(), |style| style.fg(Color::DarkGray))
    }
}

impl Theme {
    /// What stands on both sides of a marked square.
    pub(crate) fn brace(self) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        self.colour(style, |style| style.fg(Color::Indexed(231)))
    }
}
