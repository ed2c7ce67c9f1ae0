use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use tablut_arena::{Choice, Player};
use tablut_host::Wish;
use tablut_rules::{BuiltIn, BySide, Game, Move, Piece, Setup, Side, Square, record::Record};
use tablut_store::Saved;

use super::*;
use crate::tui::effect::Plan;

fn sets() -> Vec<Arc<Rules>> {
    vec![BuiltIn::Ashton.rules(), BuiltIn::Modern.rules()]
}

fn menu() -> App {
    App::new(&sets(), Lang::En, Rect::new(0, 0, 80, 24))
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

/// A game after some moves, in which white is played here.
pub(crate) fn table(moves: &[&str]) -> Table {
    table_from(Game::new(Rules::ashton()), moves)
}

/// A game from somewhere else after some moves.
pub(crate) fn table_from(mut game: Game, moves: &[&str]) -> Table {
    for step in moves {
        game.play(step.parse().expect("a move")).expect("legal");
    }
    Table {
        id: "game".into(),
        kind: Kind::Played,
        yours: BySide {
            attackers: false,
            defenders: true,
        },
        ..Table::of_record(Record::from_game(&game), game, Lang::En)
    }
}

pub(crate) fn playing(moves: &[&str]) -> App {
    let mut app = menu();
    app.tell(0, Input::Table(Box::new(table(moves))));
    app
}

/// Presses keys, each a letter or a word.
pub(crate) fn press(app: &mut App, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for key in keys.split(' ') {
        let code = match key {
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "enter" => KeyCode::Enter,
            "esc" => KeyCode::Esc,
            "space" => KeyCode::Char(' '),
            "delete" => KeyCode::Delete,
            "home" => KeyCode::Home,
            "pgdn" => KeyCode::PageDown,
            "end" => KeyCode::End,
            letters => {
                for letter in letters.chars() {
                    let key = KeyCode::Char(letter).into();
                    effects.extend(app.tell(app.now, Input::Key(key)));
                }
                continue;
            }
        };
        effects.extend(app.tell(app.now, Input::Key(code.into())));
    }
    effects
}

fn wishes(effects: &[Effect]) -> Vec<String> {
    let wish = |effect: &Effect| match effect {
        Effect::Wish(Wish::Move(step)) => Some(step.to_string()),
        Effect::Wish(wish) => Some(format!("{wish:?}")),
        _ => None,
    };
    effects.iter().filter_map(wish).collect()
}

fn note(app: &App) -> &str {
    app.note.as_ref().map_or("", |(_, note)| note)
}

fn plan(effects: &[Effect]) -> &Plan {
    let plan = effects.iter().find_map(|effect| match effect {
        Effect::New(plan) => Some(plan),
        _ => None,
    });
    plan.expect("a new game")
}

fn click(app: &mut App, kind: MouseEventKind, at: &str) -> Vec<Effect> {
    let cell = app.layout().expect("enough room").cell(square(at));
    let event = MouseEvent {
        kind,
        column: cell.x + 1,
        row: cell.y,
        modifiers: KeyModifiers::NONE,
    };
    app.tell(app.now, Input::Mouse(event))
}

#[test]
fn a_piece_is_picked_and_moved_with_arrow_keys() {
    let mut app = playing(&[]);
    assert!(wishes(&press(&mut app, "up enter left left")).is_empty());
    assert_eq!(wishes(&press(&mut app, "enter")), ["e4c4"]);
}

#[test]
fn on_a_board_that_is_seen_from_the_other_side_arrow_keys_lead_where_they_point() {
    let mut app = playing(&[]);
    let effects = press(&mut app, "f down enter right enter");
    assert_eq!(wishes(&effects), ["e4d4"]);
}

#[test]
fn a_typed_move_is_made_and_an_illegal_one_is_explained() {
    let mut app = playing(&[]);
    assert_eq!(wishes(&press(&mut app, "/e4d4 enter")), ["e4d4"]);
    for (typed, part) in [
        ("/e5e9", "e6"),
        ("/d1c1", "black"),
        ("/e4", ""),
        ("/c4", ""),
        ("/x", "Type two squares"),
        ("/e9z9", "Type two squares"),
    ] {
        press(&mut app, "esc");
        assert!(note(&app).is_empty());
        press(&mut app, &format!("{typed} enter"));
        assert!(note(&app).contains(part), "{typed}: {}", note(&app));
    }
}

#[test]
fn the_mouse_clicks_and_drags_pieces() {
    let (down, up) = (
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
    );
    let mut app = playing(&[]);
    for kind in [down, up] {
        assert!(click(&mut app, kind, "e4").is_empty());
    }
    assert_eq!(wishes(&click(&mut app, down, "h4")), ["e4h4"]);
    assert!(click(&mut app, up, "h4").is_empty());
    click(&mut app, down, "e3");
    assert_eq!(wishes(&click(&mut app, up, "b3")), ["e3b3"]);
}

#[test]
fn nothing_is_moved_when_it_is_not_our_turn() {
    let mut app = playing(&["e4d4"]);
    assert!(wishes(&press(&mut app, "/d1c1 enter")).is_empty());
    assert_eq!(note(&app), Text::of(Lang::En).not_your_turn);
    let mut watched = table(&[]);
    (watched.kind, watched.yours) = (Kind::Watched, BySide::both(false));
    app.tell(0, Input::Table(Box::new(watched)));
    for keys in ["/e4d4 enter", "u", "d", "R R", "n", "t", "l", "m"] {
        assert!(wishes(&press(&mut app, keys)).is_empty(), "{keys}");
    }
    assert_eq!(app.place, Place::Play);
}

#[test]
fn looking_back_shows_earlier_positions_and_makes_no_move() {
    let mut app = playing(&["e4d4", "d1c1"]);
    press(&mut app, ",");
    let shown = |app: &App| app.play.as_ref().expect("a game").plies();
    assert_eq!(shown(&app), 1);
    press(&mut app, "home");
    assert_eq!(shown(&app), 0);
    assert!(wishes(&press(&mut app, "/e3d3 enter")).is_empty());
    assert_eq!(note(&app), Text::of(Lang::En).looking_back);
    press(&mut app, "end");
    assert_eq!(wishes(&press(&mut app, "/e3d3 enter")), ["e3d3"]);
}

#[test]
fn clocks_run_with_the_time_that_is_told() {
    let mut app = menu();
    let mut table = table(&[]);
    table.left_ms = BySide {
        attackers: Some(60_000),
        defenders: Some(30_000),
    };
    table.running = Some(Side::Defenders);
    app.tell(1000, Input::Table(Box::new(table)));
    app.tell(3500, Input::Tick);
    let play = app.play.as_ref().expect("a game");
    assert_eq!(play.left_ms(Side::Attackers, app.now), Some(60_000));
    assert_eq!(play.left_ms(Side::Defenders, app.now), Some(27_500));
}

#[test]
fn resigning_takes_two_presses_in_a_row() {
    let mut app = playing(&[]);
    assert!(wishes(&press(&mut app, "R up R left")).is_empty());
    assert_eq!(wishes(&press(&mut app, "R R")), ["Resign"]);
    assert_eq!(wishes(&press(&mut app, "u d")), ["TakeBack", "OfferDraw"]);
}

#[test]
fn a_hint_is_shown_until_the_next_move() {
    let mut app = playing(&[]);
    let effects = press(&mut app, "h");
    assert!(matches!(effects[..], [Effect::Hint(_)]));
    let step: Move = "e4d4".parse().expect("a move");
    app.tell(1, Input::Hint(Some(Choice::from(step))));
    assert_eq!(note(&app), "Hint: e4d4");
    app.tell(2, Input::Table(Box::new(table(&["e4d4"]))));
    assert!(app.play.as_ref().expect("a game").hint.is_none());
    // One that comes too late is not shown.
    app.tell(3, Input::Hint(Some(Choice::from(step))));
    assert!(app.play.expect("a game").hint.is_none());
}

#[test]
fn the_engine_thinks_about_what_is_shown_while_that_is_wanted() {
    let thought = |effects: Vec<Effect>| {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Analyse(game) => Some(game.map(|game| game.plies().len())),
            _ => None,
        })
    };
    let mut app = playing(&["e4d4", "d1c1"]);
    assert_eq!(thought(press(&mut app, "e")), Some(Some(2)));
    assert_eq!(thought(press(&mut app, ",")), Some(Some(1)));
    assert_eq!(thought(press(&mut app, "end")), Some(Some(2)));
    let more = table(&["e4d4", "d1c1", "e3d3"]);
    let effects = app.tell(0, Input::Table(Box::new(more)));
    assert_eq!(thought(effects), Some(Some(3)));
    assert_eq!(thought(press(&mut app, "e")), Some(None));
}

#[test]
fn control_c_quits_from_everywhere() {
    for keys in ["up", "?", "/", "t", "e"] {
        for mut app in [menu(), playing(&[])] {
            press(&mut app, keys);
            let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
            let effects = app.tell(0, Input::Key(key));
            assert!(matches!(effects[..], [Effect::Quit]), "{keys}");
        }
    }
}

#[test]
fn the_menu_starts_the_game_that_was_chosen() {
    let mut app = menu();
    let effects = press(&mut app, "home right down right down down enter");
    assert!(effects.is_empty());
    // The opponent is typed over.
    for _ in 0.."level:3".len() {
        app.tell(0, Input::Key(KeyCode::Backspace.into()));
    }
    press(&mut app, "time:0.5 enter down right");
    let effects = press(&mut app, "down enter");
    let plan = plan(&effects);
    assert_eq!(plan.rules.set().id(), "modern");
    assert_eq!(plan.players.attackers, Player::Person);
    assert_eq!(plan.players.defenders, Player::Time(500));
    assert_ne!(plan.control, tablut_arena::TimeControl::Unlimited);
}

#[test]
fn what_is_no_player_is_refused_with_what_is_known() {
    let mut app = menu();
    for (typed, part) in [
        ("x", "there is no player"),
        ("level:99", "1 to 10"),
        ("engine:", "engine:./my-engine"),
    ] {
        press(&mut app, "home down down down enter");
        let erase = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
        app.tell(0, Input::Key(erase));
        press(&mut app, &format!("{typed} enter"));
        assert!(note(&app).contains(part), "{typed}: {}", note(&app));
        assert_eq!(app.menu.opponent, Player::Level(3));
    }
}

#[test]
fn a_position_is_painted_and_played_on_from() {
    let mut app = menu();
    press(&mut app, "t delete k space up b space /a9=w enter t");
    let expected: Setup = "9/9/9/4b4/4K4/9/9/9/w8 b".parse().expect("a position");
    assert_eq!(app.edit.setup, expected);
    let effects = press(&mut app, "g");
    assert_eq!(plan(&effects).setup, Some(expected));
    press(&mut app, "u u");
    assert_eq!(app.edit.setup.piece_at(square("a9")), None);
    let again = KeyEvent::new(KeyCode::Char('y'), KeyModifiers::CONTROL);
    app.tell(0, Input::Key(again));
    let piece = app.edit.setup.piece_at(square("a9"));
    assert_eq!(piece, Some(Piece::Defender));
    press(&mut app, "e /a9 enter up enter");
    let piece = app.edit.setup.piece_at(square("a8"));
    assert_eq!(piece, Some(Piece::Defender));
    press(&mut app, "delete g");
    assert!(note(&app).contains("king"), "{}", note(&app));
    press(&mut app, "r");
    assert_eq!(app.edit.setup, Setup::from(&app.edit.rules.start()));
}

#[test]
fn slots_are_saved_found_and_brought_back_by_undo() {
    let mut app = menu();
    let keep = |app: &mut App, effects: Vec<Effect>| {
        for effect in effects {
            if let Effect::SaveSlot(number, saved) = effect {
                let mut slots = app.edit.slots.clone();
                match saved {
                    Some(saved) => drop(slots.insert(number, saved)),
                    None => drop(slots.remove(&number)),
                }
                let slots: Vec<(u8, Saved)> = slots.into_iter().collect();
                app.tell(0, Input::Slots(slots));
            }
        }
    };
    let effects = press(&mut app, "t ]");
    assert!(effects.is_empty() && note(&app).contains("no other filled slot"));
    let effects = press(&mut app, "3");
    keep(&mut app, effects);
    let effects = press(&mut app, "delete 7");
    keep(&mut app, effects);
    let empty = app.edit.setup;
    press(&mut app, "[");
    assert_eq!((app.edit.setup, app.edit.slot), (empty, Some(7)));
    press(&mut app, "[");
    assert_eq!(app.edit.setup, Setup::from(&app.edit.rules.start()));
    press(&mut app, "[");
    assert_eq!(app.edit.slot, Some(3), "there is none before");
    press(&mut app, "]");
    assert_eq!((app.edit.setup, app.edit.slot), (empty, Some(7)));
    // Two loads that changed the board, and the save, are undone.
    let effects = press(&mut app, "u u u");
    keep(&mut app, effects);
    assert_eq!(app.edit.slots.keys().collect::<Vec<_>>(), [&3]);
}

#[test]
fn the_right_button_paints_and_the_wheel_changes_the_brush() {
    let mut app = menu();
    press(&mut app, "t");
    click(&mut app, MouseEventKind::ScrollDown, "a1");
    click(&mut app, MouseEventKind::Down(MouseButton::Right), "b2");
    click(&mut app, MouseEventKind::Drag(MouseButton::Right), "b3");
    for at in ["b2", "b3"] {
        let piece = app.edit.setup.piece_at(square(at));
        assert_eq!(piece, Some(Piece::Attacker));
    }
    for _ in 0..9 {
        click(&mut app, MouseEventKind::ScrollUp, "a1");
    }
    click(&mut app, MouseEventKind::Down(MouseButton::Right), "b2");
    assert_eq!(app.edit.setup.piece_at(square("b2")), None);
}

#[test]
fn a_game_that_was_read_is_looked_at_and_played_on_from_any_move() {
    let mut app = menu();
    let mut read = table(&["e4d4", "d1c1"]);
    (read.kind, read.yours) = (Kind::Read, BySide::both(false));
    let content = Content::Game(Box::new(read.clone()));
    app.tell(0, Input::Content(content));
    assert_eq!(app.play.as_ref().expect("a game").plies(), 0);
    press(&mut app, ".");
    let effects = press(&mut app, "g");
    assert_eq!(plan(&effects).setup, Some(read.setup_after(1)));
}

#[test]
fn games_and_positions_are_saved_and_loaded_by_name() {
    let mut app = playing(&["e4d4"]);
    let effects = press(&mut app, "s enter");
    let [Effect::Write { path, text }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert!(path == "game.tablut" && text.contains("e4-d4"), "{text}");
    let effects = press(&mut app, "l/tmp/x enter");
    assert!(matches!(&effects[..], [Effect::Read { path, .. }] if path == "/tmp/x"));
    press(&mut app, "n t");
    let effects = press(&mut app, "s enter");
    let [Effect::Write { path, text }] = &effects[..] else {
        panic!("{effects:?}");
    };
    let record: Record = text.parse().expect("a record");
    assert_eq!(record.rules, app.edit.rules.set().id());
    assert!(path == "position.tablut" && record.setup == Some(app.edit.setup));
}

#[test]
fn every_rule_set_has_room_on_a_usual_terminal() {
    for set in BuiltIn::LISTED {
        let app = App::new(&[set.rules()], Lang::En, Rect::new(0, 0, 80, 24));
        assert!(app.layout().is_ok());
    }
}
