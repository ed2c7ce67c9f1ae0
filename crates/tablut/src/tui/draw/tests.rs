//! Screens as people see them, held in `screens/`.
//!
//! `SNAPSHOTS=overwrite cargo test --release -p tablut screens` writes them anew; then read the diff.

use ratatui::{Terminal, backend::TestBackend, layout::Rect, style::Color};
use tablut_rules::{BySide, Game, Rules, Setup, record::Score, text::Lang};

use super::*;
use crate::tui::{
    app::tests::{playing, press, table, table_from},
    effect::{Analysis, Input},
    table::Table,
};

const COLOUR: Theme = Theme {
    is_unicode: true,
    has_colours: true,
};

const PLAIN: Theme = Theme {
    is_unicode: false,
    has_colours: false,
};

/// The letters of a screen.
fn screen(app: &mut App, wide: u16, high: u16, theme: Theme) -> Buffer {
    app.tell(app.now, Input::Resize(wide, high));
    let mut terminal = Terminal::new(TestBackend::new(wide, high)).expect("a terminal");
    terminal
        .draw(|frame| draw(frame, app, theme))
        .expect("drawn");
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let Rect { width, height, .. } = buffer.area;
    let line = |y| {
        let letters = (0..width).map(|x| buffer[(x, y)].symbol());
        let line: String = letters.collect();
        line.trim_end().to_string() + "\n"
    };
    (0..height).map(line).collect()
}

fn game_at(setup: &str) -> Game {
    let setup: Setup = setup.parse().expect("a position");
    tablut_host::exchange::play(&Rules::ashton(), &setup, &[]).expect("sound")
}

/// The king has a way out, and can capture the man on d5 from d4.
fn tactical() -> App {
    let game = game_at("9/9/1b2K4/9/3b5/3w5/9/9/b8 w");
    let mut app = playing(&[]);
    let table = Table {
        id: "another".into(),
        left_ms: BySide {
            attackers: Some(299_001),
            defenders: Some(59_000),
        },
        ..table_from(game, &["e3d3", "a9a8"])
    };
    app.tell(0, Input::Table(Box::new(table)));
    press(&mut app, "up up left enter down");
    app
}

#[test]
fn screens_look_as_they_did() {
    for (name, mut app, (wide, high), theme) in [
        ("play-80x24", tactical(), (80, 24), COLOUR),
        ("play-80x24-ascii", tactical(), (80, 24), PLAIN),
        ("play-120x40", tactical(), (120, 40), COLOUR),
        ("play-120x40-ascii", tactical(), (120, 40), PLAIN),
        ("play-60x16", tactical(), (60, 16), COLOUR),
        ("too-small", tactical(), (40, 10), COLOUR),
        ("help", with(tactical(), "esc ?"), (80, 24), COLOUR),
        ("rules", with(tactical(), "esc ? ? pgdn"), (80, 24), COLOUR),
        (
            "rules-italian",
            with(speaking(Lang::It), "? ?"),
            (60, 16),
            PLAIN,
        ),
        ("set-up-call", with(tactical(), "esc t"), (80, 24), COLOUR),
        ("evaluation", evaluated(), (80, 24), COLOUR),
        ("menu", with(playing(&[]), "n"), (80, 24), COLOUR),
        ("set-up", with(playing(&[]), "t e space"), (80, 24), COLOUR),
        ("typing", with(playing(&[]), "/e4"), (80, 24), COLOUR),
        ("italian-ascii", speaking(Lang::It), (80, 24), PLAIN),
        ("german-ascii", speaking(Lang::De), (80, 24), PLAIN),
        (
            "german-help",
            with(speaking(Lang::De), "?"),
            (80, 24),
            COLOUR,
        ),
    ] {
        let path = format!(
            "{}/src/tui/draw/screens/{name}.txt",
            env!("CARGO_MANIFEST_DIR")
        );
        let shown = text(&screen(&mut app, wide, high, theme));
        let expected = snapbox::Data::read_from(path.as_ref(), None);
        snapbox::Assert::new()
            .action_env("SNAPSHOTS")
            .eq(shown, expected.raw());
    }
}

fn with(mut app: App, keys: &str) -> App {
    press(&mut app, keys);
    app
}

fn evaluated() -> App {
    let mut app = with(playing(&["e4d4"]), "e");
    let line = ["d1c1", "e3d3"].map(|step| step.parse().expect("a move"));
    app.tell(
        1,
        Input::Analysis(Analysis {
            depth: 9,
            score: Score::Hundredths(-125),
            line: line.to_vec(),
        }),
    );
    app
}

/// An empty board to set up, in a language.
fn speaking(lang: Lang) -> App {
    let rules = table(&[]).game.rules().clone();
    with(
        App::new(&[rules], lang, Rect::new(0, 0, 80, 24)),
        "t delete",
    )
}

#[test]
fn the_ways_out_are_counted() {
    for (setup, words) in [
        ("9/9/9/9/2b6/9/1bK1b4/9/8b w", "Raichi! One way out"),
        ("9/9/9/9/9/9/1bK1b4/9/8b w", "Tuichu! Two ways out"),
        ("9/9/9/9/9/9/1bK6/9/8b w", "Tuichu! 3 ways out"),
        ("9/9/9/9/9/9/2K6/9/8b w", "Tuichu! 4 ways out"),
    ] {
        let mut app = playing(&[]);
        let table = table_from(game_at(setup), &[]);
        app.tell(0, Input::Table(Box::new(table)));
        let shown = text(&screen(&mut app, 80, 24, COLOUR));
        assert!(shown.contains(words), "{setup}: {shown}");
    }
}

#[test]
fn plain_terminals_get_ascii_and_no_colours() {
    let mut apps = vec![tactical(), evaluated(), with(tactical(), "?")];
    for &lang in Lang::ALL {
        apps.extend(["", "?", "? ?", "? ? pgdn", "? ? end"].map(|keys| with(speaking(lang), keys)));
    }
    for mut app in apps {
        let buffer = screen(&mut app, 80, 24, PLAIN);
        for cell in &buffer.content {
            assert!(cell.symbol().is_ascii(), "{}", cell.symbol());
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
        }
        // A letter without a plain form is shown as a question mark; a real one stands before "keys".
        let shown = text(&buffer);
        let marks = shown.matches('?').count() - shown.matches("? ").count();
        assert_eq!(marks, 0, "{shown}");
    }
}

#[test]
fn marks_differ_by_letter_and_not_by_colour_alone() {
    let mut app = tactical();
    let plain = text(&screen(&mut app, 80, 24, PLAIN));
    for mark in ["<K>", "[x]", "{b}", "(b)", " ! ", " o "] {
        assert!(plain.contains(mark), "{mark}: {plain}");
    }
}
