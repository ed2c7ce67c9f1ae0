//! Pictures are what they say they are: they decode, and things are where they should be.

use std::{sync::Arc, time::Duration};

use tablut_picture::{Brightness, Film, Picture, PictureError, Quarters, Style};
use tablut_rules::{BuiltIn, Game, Rules, Setup};

fn rules(id: &str) -> Arc<Rules> {
    id.parse::<BuiltIn>().expect(id).rules()
}

fn start(rules: &Rules) -> Picture<'_> {
    Picture::new(rules, Setup::from(&rules.start())).expect("a picture")
}

/// Width, height, and the colours of all pixels.
fn decode(png: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("pixels");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let colours = bytes.chunks(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]);
    (info.width, info.height, colours.collect())
}

/// The colour in the middle of a square, a bit off so that rings and crowns do not hide it.
fn at(png: &[u8], column: f32, row: f32) -> [u8; 3] {
    let (width, _, colours) = decode(png);
    let scale = width as f32 / 95.8;
    let pixel = |place: f32, margin: f32| ((place * 10.0 + margin) * scale) as usize;
    colours[pixel(row, 1.2) * width as usize + pixel(column, 4.6)]
}

#[test]
fn every_rule_set_has_a_picture_of_any_width_in_both_brightnesses() {
    for set in BuiltIn::LISTED {
        let rules = set.rules();
        for brightness in Brightness::ALL {
            for (width, has_coordinates) in [(32, true), (480, false)] {
                let style = Style {
                    brightness,
                    has_coordinates,
                    quarters: Quarters::default(),
                };
                let picture = start(&rules).with_style(style);
                let (wide, high, colours) = decode(&picture.png(width).expect("a picture"));
                assert_eq!((wide, high), (width.into(), width.into()));
                assert_eq!(colours.len(), usize::from(width).pow(2));
                let svg = picture.svg(width).expect("a picture");
                assert!(svg.contains(&format!("width=\"{width}\"")));
            }
        }
    }
}

#[test]
fn pieces_stand_on_their_squares() {
    let rules = rules("ashton");
    let setup = "9/9/1b1K5/9/9/9/9/9/8w b".parse().expect("a position");
    let picture = Picture::new(&rules, setup).expect("a picture");
    let png = picture.png(958).expect("a picture");
    let is_dark = |[red, ..]: [u8; 3]| red < 0x60;
    let is_white = |[red, green, blue]: [u8; 3]| red.min(green).min(blue) > 0xd0;
    assert!(is_dark(at(&png, 1.35, 2.35)), "b3 is black");
    assert!(is_white(at(&png, 3.2, 2.3)), "d3 is white");
    assert!(is_white(at(&png, 8.35, 8.35)), "i9 is white");
    assert!(!is_dark(at(&png, 2.35, 2.35)), "c3 is empty");
    let turned = picture.with_style(Style {
        quarters: Quarters::HALF,
        ..Style::default()
    });
    let png = turned.png(958).expect("a picture");
    assert!(is_dark(at(&png, 7.35, 6.35)), "b3 is below at the right");
    assert!(is_white(at(&png, 0.35, 0.35)), "i9 is at the top left");
}

#[test]
fn an_arrow_leads_from_square_to_square() {
    let rules = rules("ashton");
    let empty = || Picture::new(&rules, "9/9/9/9/9/9/9/9/9 w".parse().expect("a position"));
    let arrow = vec!["green:c3g3".parse().expect("an arrow")];
    let with = empty().expect("a picture").with_arrows(arrow);
    let without = empty().expect("a picture");
    let (with, without) = (
        with.png(958).expect("pixels"),
        without.png(958).expect("pixels"),
    );
    let differs = |column, row| at(&with, column, row) != at(&without, column, row);
    for column in [2.55, 3.5, 4.5, 5.5, 6.3] {
        assert!(differs(column, 2.5), "{column}");
    }
    for (column, row) in [(1.9, 2.5), (6.8, 2.5), (4.5, 2.9), (4.5, 1.5)] {
        assert!(!differs(column, row), "{column} {row}");
    }
}

#[test]
fn the_last_move_is_marked_on_both_squares() {
    let rules = rules("ashton");
    let plain = start(&rules).png(480).expect("a picture");
    let marked = start(&rules).with_last(Some("c2d2".parse().expect("a move")));
    let marked = marked.png(480).expect("a picture");
    for (column, changes) in [(2.5, true), (3.5, true), (1.5, false)] {
        let differs = at(&plain, column, 1.5) != at(&marked, column, 1.5);
        assert_eq!(differs, changes, "{column}");
    }
}

/// A picture with one of everything, as it was looked at.
#[test]
fn the_svg_is_the_one_that_was_looked_at() {
    let nine = rules("ashton");
    let one = Picture::new(
        &nine,
        "9/9/1b1K5/9/9/4w4/9/9/9 b".parse().expect("a position"),
    )
    .expect("a picture")
    .with_last(Some("d5d3".parse().expect("a move")))
    .with_arrows(vec![
        "b3c3".parse().expect("an arrow"),
        "red:d3d1".parse().expect("an arrow"),
    ])
    .with_rings(vec!["yellow:e6".parse().expect("a mark")]);
    let seven = rules("referee-brandub");
    let other = start(&seven).with_style(Style {
        brightness: Brightness::Dark,
        quarters: Quarters::new(1),
        has_coordinates: true,
    });
    for (picture, golden, name) in [
        (one, include_str!("golden/light.svg"), "light"),
        (other, include_str!("golden/dark-turned.svg"), "dark-turned"),
    ] {
        let svg = picture.svg(480).expect("a picture");
        if std::env::var_os("GOLDEN").is_some_and(|value| value == "overwrite") {
            let path = format!("{}/tests/golden/{name}.svg", env!("CARGO_MANIFEST_DIR"));
            std::fs::write(path, &svg).expect("a file");
            continue;
        }
        assert!(
            svg == golden,
            "{name}.svg has changed; look at it, then set GOLDEN=overwrite"
        );
    }
}

#[test]
fn in_the_page_colours_are_those_of_its_style() {
    let rules = rules("ashton");
    let svg = start(&rules).page_svg().expect("a picture");
    assert!(svg.contains("fill=\"var(--square-odd)\"") && svg.contains("class=\"board\""));
    // A page without inline styles, and with no colour of its own.
    assert!(!svg.contains("style=") && !svg.contains("=\"#"), "{svg}");
}

#[test]
fn a_film_has_a_frame_for_each_position() {
    let mut game = Game::new(rules("ashton"));
    for step in ["e4d4", "d1c1", "d4c4", "c1c2"] {
        let step = step.parse().expect("a move");
        game.play(step).expect("a legal move");
    }
    let film = Film::new(&game, Style::default(), Duration::from_millis(500));
    let gif = film.gif(240).expect("a film");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&gif[..]).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), (240, 240));
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        delays.push(frame.delay);
        let is_whole = (frame.width, frame.height) == (240, 240);
        assert_eq!(is_whole, delays.len() == 1, "only the first frame is whole");
    }
    assert_eq!(delays, [50, 50, 50, 50, 200]);
}

#[test]
fn what_cannot_be_drawn_is_refused_in_words() {
    let nine = rules("ashton");
    let seven = rules("referee-brandub");
    let wrong = Picture::new(&seven, Setup::from(&nine.start())).expect_err("another board");
    assert_eq!(wrong, PictureError::Board(9, 7));
    for width in [0, 31, 4097] {
        assert_eq!(
            start(&nine).png(width).expect_err("a width"),
            PictureError::Width(width)
        );
        assert_eq!(
            start(&nine).svg(width).expect_err("a width"),
            PictureError::Width(width)
        );
    }
    let beside = start(&seven).with_arrows(vec!["e4i4".parse().expect("an arrow")]);
    let error = beside.svg(300).expect_err("an arrow beside the board");
    assert_eq!(error.to_string(), "i4 is not on the board");
    assert!(beside.png(300).is_err());
}
