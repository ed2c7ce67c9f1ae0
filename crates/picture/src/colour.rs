//! The colours of the page's board, in light and in dark.

use std::fmt;

/// A colour and how much of it covers what is below.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Colour {
    pub(crate) red: u8,
    pub(crate) green: u8,
    pub(crate) blue: u8,
    pub(crate) cover: f32,
    /// What it is called in the page's style.
    pub(crate) name: &'static str,
}

impl Colour {
    const fn new(name: &'static str, rgb: u32) -> Self {
        Self::covering(name, rgb, 1.0)
    }

    const fn covering(name: &'static str, rgb: u32, cover: f32) -> Self {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Self {
            red,
            green,
            blue,
            cover,
            name,
        }
    }
}

impl fmt::Display for Colour {
    /// As in SVG and CSS, without the cover.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// Whether the board is made for a bright or a dark room.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Brightness {
    /// Birch and wool.
    #[default]
    Light,
    /// Slate.
    Dark,
}

impl Brightness {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// The word for it on a command line and in a link.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) const fn palette(self) -> &'static Palette {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

macro_rules! palettes {
    ($($field:ident $name:literal $light:literal $dark:literal;)*) => {
        /// The colours of a board, by the names they have in the page's style.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub(crate) struct Palette {
            $(pub(crate) $field: Colour,)*
            pub(crate) shade: Colour,
        }

        const LIGHT: Palette = Palette {
            $($field: Colour::new($name, $light),)*
            shade: Colour::covering("shade", 0x28_19_05, 0.30),
        };

        const DARK: Palette = Palette {
            $($field: Colour::new($name, $dark),)*
            shade: Colour::covering("shade", 0x00_00_00, 0.45),
        };

        /// Every flat colour: its name in the page's style, light and dark.
        #[cfg(test)]
        const NAMED: &[(&str, Colour, Colour)] = &[$(($name, LIGHT.$field, DARK.$field),)*];
    };
}

palettes! {
    page "page" 0xf4efe6 0x1d1f22;
    muted "muted" 0x6f675d 0xa8a195;
    square "square" 0xead9b7 0x5b5245;
    square_odd "square-odd" 0xe4d1aa 0x554c40;
    frame "frame" 0xb89f74 0x3c352b;
    grid "grid" 0xcdb88c 0x463e33;
    camp "camp" 0x8d7a63 0x3b352d;
    hatch "hatch" 0x6d5c48 0x8a7a63;
    castle "castle" 0xc98f4a 0x8f6430;
    castle_mark "castle-mark" 0x6d4517 0xe2bd83;
    escape "escape" 0xcfe0d8 0x3d554e;
    chevron "chevron" 0x4f8f7b 0x8cc7b5;
    attacker_light "attacker-light" 0x55514e 0x3b3835;
    attacker "attacker" 0x232120 0x100f0e;
    attacker_ring "attacker-ring" 0x7a746f 0x857e76;
    defender_light "defender-light" 0xffffff 0xfffaf0;
    defender "defender" 0xefe7d4 0xe2d7bf;
    defender_ring "defender-ring" 0x9c8a6a 0x7d6e55;
    defender_edge "defender-edge" 0x8f7f63 0x6d5f48;
    gold "gold" 0xb07d1e 0xc4912f;
    accent "accent" 0x27705f 0x5cb8a4;
    last "last" 0xf2c96b 0x9a7a2f;
    warning "warning" 0xb3472e 0xe88a70;
    start "start" 0xa08553 0x93856c;
    draw "draw" 0x3b6fb5 0x7fb0ee;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colours_are_those_of_the_page() {
        let style = include_str!("../../web/page/style/page.css");
        for (name, light, dark) in NAMED {
            let wanted = format!("--{name}: light-dark({light}, {dark});");
            assert!(style.contains(&wanted), "page.css lacks {wanted}");
        }
    }
}
