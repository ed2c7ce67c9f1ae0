//! The sentences: complete, well formed, and the same in every language.
#![cfg(feature = "toml")]

use std::{collections::BTreeSet, path::Path};

use tablut_rules::{
    BuiltIn, Direction, Move, Outcome, Piece, Reason, RuleSet, Rules, Setup, Side, Square,
    text::Lang,
};

fn sets() -> impl Iterator<Item = RuleSet> {
    BuiltIn::ALL.iter().map(|set| set.set().clone())
}

fn builtin(id: &str) -> RuleSet {
    let set: BuiltIn = id.parse().expect("a built-in set");
    set.set().clone()
}

/// Every language but English.
fn others() -> impl Iterator<Item = Lang> {
    Lang::ALL.iter().copied().filter(|&lang| lang != Lang::En)
}

/// The description as one text.
fn whole(set: &RuleSet, lang: Lang) -> String {
    let mut text = String::new();
    for section in set.describe(lang) {
        text += &format!("# {}\n{}\n", section.title, section.sentences.join("\n"));
    }
    text
}

/// A set whose text form has one line or part changed.
fn changed(id: &str, from: &str, to: &str) -> RuleSet {
    let text = builtin(id).to_string();
    assert_eq!(text.matches(from).count(), 1, "{from} in {text}");
    read(&text.replace(from, to))
}

/// A changed set, with another id: that of a built-in one is refused for other rules.
fn read(text: &str) -> RuleSet {
    let text = text.replacen("id = \"", "id = \"changed-", 1);
    let set: RuleSet = text.parse().expect("it reads");
    set.compile().expect("it is sound");
    set
}

#[test]
fn every_set_is_described_alike_in_every_language() {
    for set in sets().chain(odd_sets()) {
        let english = set.describe(Lang::En);
        assert_eq!(english.len(), 6);
        for lang in others() {
            let described = set.describe(lang);
            assert_eq!(english.len(), described.len());
            for (en, other) in english.iter().zip(&described) {
                assert!(!en.sentences.is_empty());
                assert_eq!(en.sentences.len(), other.sentences.len());
                assert_ne!(en.title, other.title);
                for (en, other) in en.sentences.iter().zip(&other.sentences) {
                    assert_ne!(en, other);
                    assert_eq!(squares(en), squares(other), "{en}\n{other}");
                }
            }
        }
    }
}

/// The squares a sentence names.
fn squares(sentence: &str) -> BTreeSet<String> {
    sentence
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() == 2 && word.parse::<Square>().is_ok())
        .map(String::from)
        .collect()
}

/// Changes of one parameter each, in sets where it matters: set, text, new text.
const CHANGES: &[(&str, &str, &str)] = &[
    ("ashton", "first = \"defenders\"", "first = \"attackers\""),
    ("ashton", r#""bbwwKwwbb""#, r#""bbw.Kwwbb""#),
    ("berkeley", "castle = \"e5\"", "castle = \"c3\""),
    ("linnaeus", r#"["d1", "e1", "f1", "e2"], "#, ""),
    (
        "ashton",
        r#"["d1", "e1", "f1", "e2"]"#,
        r#"["d1", "e1", "f1"], ["e2"]"#,
    ),
    (
        "ashton",
        "castle_stop = \"nobody\"",
        "castle_stop = \"king\"",
    ),
    (
        "classic",
        "castle_stop = \"nobody\"",
        "castle_stop = \"king\"",
    ),
    (
        "ashton",
        "castle_cross = \"nobody\"",
        "castle_cross = \"everyone\"",
    ),
    (
        "berkeley",
        "castle_cross = \"everyone\"",
        "castle_cross = \"nobody\"",
    ),
    (
        "ashton",
        "camp_closed_to = \"outsiders\"",
        "camp_closed_to = \"king\"",
    ),
    (
        "ashton",
        "camp_closed_to = \"outsiders\"",
        "camp_closed_to = \"nobody\"",
    ),
    (
        "ashton",
        r#"castle_empty_to = ["attackers", "defenders"]"#,
        r#"castle_empty_to = ["attackers"]"#,
    ),
    (
        "ashton",
        r#"castle_empty_to = ["attackers", "defenders"]"#,
        r#"castle_empty_to = ["defenders"]"#,
    ),
    (
        "ashton",
        r#"castle_empty_to = ["attackers", "defenders"]"#,
        "castle_empty_to = []",
    ),
    (
        "ashton",
        "castle_king_to_defenders = \"always\"",
        "castle_king_to_defenders = \"never\"",
    ),
    (
        "ashton",
        "castle_king_to_defenders = \"always\"",
        "castle_king_to_defenders = \"besieged\"",
    ),
    (
        "ashton",
        r#"camp_to = ["attackers", "defenders", "king"]"#,
        r#"camp_to = ["attackers", "defenders"]"#,
    ),
    (
        "ashton",
        r#"camp_to = ["attackers", "defenders", "king"]"#,
        r#"camp_to = ["attackers", "king"]"#,
    ),
    (
        "ashton",
        r#"camp_to = ["attackers", "defenders", "king"]"#,
        r#"camp_to = ["defenders", "king"]"#,
    ),
    (
        "ashton",
        r#"camp_to = ["attackers", "defenders", "king"]"#,
        r#"camp_to = ["king"]"#,
    ),
    (
        "ashton",
        r#"camp_not_to_attackers = ["e1", "#,
        "camp_not_to_attackers = [",
    ),
    (
        "ashton",
        "elsewhere = \"custodial\"",
        "elsewhere = \"siege\"",
    ),
    ("ashton-siege", "camp_closes = true", "camp_closes = false"),
    ("ashton", "goals = \"edge\"", "goals = \"corners\""),
    ("ashton", "goals = \"edge\"", r#"goals = ["a1", "c3"]"#),
    ("ashton", "occurrence = 2", "occurrence = 3"),
    ("ashton", "result = \"draw\"", "result = \"mover-loses\""),
    (
        "ashton",
        r#"{ occurrence = 2, result = "draw" }"#,
        "\"never\"",
    ),
    ("ashton", "no_move = \"loses\"", "no_move = \"draws\""),
    ("ashton", "no_move = \"loses\"", "no_move = \"ignored\""),
    ("ashton", "two_lanes = \"call\"", "two_lanes = \"wins\""),
    (
        "ashton",
        "captureless_limit = \"never\"",
        "captureless_limit = 100",
    ),
    ("referee-classic", "castle_column_only = true\n", ""),
    ("referee-classic", "middle_row = true\n", ""),
    ("referee-classic", "idle_siege = true\n", ""),
];

/// Sets that a user could make.
fn odd_sets() -> Vec<RuleSet> {
    let mut sets: Vec<RuleSet> = CHANGES
        .iter()
        .map(|(id, from, to)| changed(id, from, to))
        .collect();
    let camp = r#"[["d4", "e4"]]"#;
    let crowded = builtin("berkeley")
        .to_string()
        .replace("camps = []", &format!("camps = {camp}"))
        .replace("camp_closes = false", "camp_closes = true")
        .replace("occurrence = 2", "occurrence = 21");
    let rim = builtin("modern")
        .to_string()
        .replace("castle = \"e5\"", "castle = \"b2\"")
        .replace("\"corners\"", "[\"i9\"]");
    let small = builtin("referee-brandub")
        .to_string()
        .replace("\"edge\"", "\"corners\"")
        .replace("captureless_limit = \"never\"", "captureless_limit = 1");
    sets.extend([crowded, rim, small].map(|text| read(&text)));
    sets
}

#[test]
fn sentences_are_well_formed() {
    for set in sets().chain(odd_sets()) {
        for &lang in Lang::ALL {
            for section in set.describe(lang) {
                assert!(section.title.starts_with(char::is_uppercase));
                for sentence in &section.sentences {
                    assert!(sentence.starts_with(char::is_uppercase), "{sentence}");
                    assert!(sentence.ends_with('.'), "{sentence}");
                    for wrong in ["  ", " .", " ,", "..", "{", "}", " ;", " :"] {
                        assert!(!sentence.contains(wrong), "{wrong:?} in {sentence}");
                    }
                }
            }
        }
    }
}

#[test]
fn sets_that_ship_have_a_name_in_every_language() {
    for set in sets() {
        for &lang in Lang::ALL {
            assert!(
                set.name().given(lang).is_some(),
                "{}: {lang} is missing",
                set.id()
            );
        }
    }
}

#[test]
fn a_set_without_a_name_in_a_language_has_one_all_the_same() {
    let named = |name: &str| {
        let mut text = builtin("ashton").to_string();
        let line = text.lines().find(|line| line.starts_with("name = "));
        text = text.replace(line.expect("a name"), &format!("name = {name}"));
        text.replace("id = \"ashton\"", "id = \"mine\"")
            .parse::<RuleSet>()
    };
    for (name, english, german) in [
        ("\"Mine\"", "Mine", "Mine"),
        ("{ en = \"Mine\", de = \"Meins\" }", "Mine", "Meins"),
        ("{ de = \"Meins\" }", "Meins", "Meins"),
    ] {
        let set = named(name).expect("it reads");
        assert_eq!(set.name_in(Lang::En), english, "{name}");
        assert_eq!(set.name_in(Lang::De), german, "{name}");
        assert_eq!(set.to_string().parse(), Ok(set), "{name}");
    }
    for (name, fault) in [
        ("{}", "the name is missing"),
        ("{ en = \"\" }", "the name in en is empty"),
        (
            "{ en = \"Mine\", xx = \"?\" }",
            "xx is unknown; there are en, it, de",
        ),
    ] {
        let error = named(name).expect_err("a fault").to_string();
        assert!(error.contains(fault), "{name}: {error}");
    }
}

#[test]
fn other_languages_have_no_english_words() {
    let english = [
        "the", "king", "men", "black", "white", "castle", "camp", "goal", "captured", "and", "or",
        "is", "are", "of", "with", "move", "square", "squares", "wins", "draw",
    ];
    let check = |text: &str| {
        for word in text.split(|c: char| !c.is_alphabetic()) {
            assert!(
                !english.contains(&word.to_lowercase().as_str()),
                "{word} in {text}"
            );
        }
    };
    for lang in others() {
        for set in sets().chain(odd_sets()) {
            check(&whole(&set, lang));
        }
        for reason in Reason::ALL {
            for outcome in [Outcome::win(Side::Attackers, reason), Outcome::draw(reason)] {
                check(&outcome.sentence(lang));
            }
        }
    }
}

#[test]
fn every_parameter_shows_in_the_text() {
    for &lang in Lang::ALL {
        let mut seen = BTreeSet::new();
        for &(id, from, to) in CHANGES {
            let text = whole(&changed(id, from, to), lang);
            assert_ne!(
                text,
                whole(&builtin(id), lang),
                "{lang}: {id}: {from} -> {to}"
            );
            assert!(
                seen.insert((id, text)),
                "{lang}: {id}: {from} -> {to} reads like another"
            );
        }
    }
    // Every parameter that changes play is among them; the board's size has sets of its own.
    let text = builtin("referee-classic").to_string();
    for line in text.lines().filter(|line| line.contains(" = ")) {
        let key = line.split(" = ").next().unwrap();
        let tried = CHANGES.iter().any(|(_, from, _)| from.contains(key));
        let other = [
            "id",
            "name",
            "source",
            "board",
            "start",
            "camps",
            "repetition",
        ];
        assert!(tried || other.contains(&key), "{key} is not tried");
    }
}

#[test]
fn sets_that_differ_in_play_differ_in_words() {
    for &lang in Lang::ALL {
        let texts: BTreeSet<String> = sets().map(|set| whole(&set, lang)).collect();
        assert_eq!(texts.len(), sets().count());
    }
}

#[test]
fn a_set_that_does_not_compile_is_described_all_the_same() {
    let set = builtin("ashton");
    let empty = Setup::empty(set.size(), Side::Attackers);
    let set = set.with_start(empty);
    assert!(set.compile().is_err());
    for &lang in Lang::ALL {
        assert_eq!(set.describe(lang).len(), 6);
    }
}

#[test]
fn shielded_men_are_never_captured() {
    for id in ["ashton", "ashton-siege", "ashton-split"] {
        let rules = id.parse::<BuiltIn>().unwrap().rules();
        let text = whole(rules.set(), Lang::En);
        let line = |start: &str| squares(text.lines().find(|l| l.starts_with(start)).unwrap());
        let safe = line("It follows that a black man on");
        let camps = rules.camps();
        assert_eq!(safe.len(), 12, "{id}");
        for man in camps {
            for direction in Direction::ALL {
                let (Some(to), Some(beyond)) =
                    (man.step(direction), man.step(direction.opposite()))
                else {
                    continue;
                };
                if camps.contains(to) {
                    continue;
                }
                // With a white man beyond, if it could get there.
                for from in Square::all().filter(|s| !camps.contains(*s) && *s != beyond) {
                    let mut setup = Setup::empty(rules.size(), Side::Defenders);
                    setup.put(man, Some(Piece::Attacker));
                    if !camps.contains(beyond) {
                        setup.put(beyond, Some(Piece::Defender));
                    }
                    setup.put(from, Some(Piece::Defender));
                    let Some(after) = rules.view(&setup).preview(Move::new(from, to)) else {
                        continue;
                    };
                    let falls = after.captured.contains(man);
                    // Only between two squares outside the camps, as the text says.
                    assert_eq!(falls, !camps.contains(beyond), "{id}: {man} from {to}");
                    assert!(!falls || !safe.contains(&man.to_string()), "{id}: {man}");
                }
            }
        }
    }
}

/// What is said of an obstacle, of a result, of a siege, and of a draw and a loss by the limit of moves.
const SHORT: &[(Lang, [&str; 5])] = &[
    (
        Lang::En,
        [
            "the castle e5 is in the way",
            "black wins: the king was captured",
            "the king on e4 is captured, closed in by the man on e3, the empty castle e5, the man \
             on d4 and the man on f4",
            "draw: the limit of moves was reached",
            "black wins: white has used up its moves",
        ],
    ),
    (
        Lang::It,
        [
            "il castello e5 sbarra la strada",
            "vince il nero: il re è stato catturato",
            "il re su e4 è catturato, chiuso tra la pedina su e3, il castello vuoto e5, la pedina \
             su d4 e la pedina su f4",
            "patta: è stato raggiunto il limite di mosse",
            "vince il nero: il bianco ha esaurito le sue mosse",
        ],
    ),
    (
        Lang::De,
        [
            "der Thron e5 liegt im Weg",
            "Schwarz gewinnt: Der König wurde gefangen",
            "der König auf e4 wird gefangen, eingeschlossen von dem Stein auf e3, dem leeren Thron \
             e5, dem Stein auf d4 und dem Stein auf f4",
            "Remis: Die Höchstzahl der Züge ist erreicht",
            "Schwarz gewinnt: Weiß hat keine Züge mehr übrig",
        ],
    ),
];

#[test]
fn short_sentences_read_well_in_every_language() {
    let rules = Rules::ashton();
    let barred: Setup = "9/9/9/4w4/9/9/9/9/3K5 w".parse().unwrap();
    let barred = rules.view(&barred).explain("e4-e6".parse().unwrap());
    let besieged: Setup = "9/9/3b5/3bKb3/9/9/9/9/9 b".parse().unwrap();
    let besieged = rules.position(&besieged).unwrap();
    let captures = rules.explain_captures(&besieged, "d3-e3".parse().unwrap());
    let captures = captures.unwrap();
    assert_eq!(SHORT.len(), Lang::ALL.len(), "a language is not tried");
    for &(lang, expected) in SHORT {
        let said = [
            barred.unwrap_err().sentence(lang),
            Outcome::win(Side::Attackers, Reason::KingCaptured).sentence(lang),
            captures[0].sentence(lang),
            Outcome::draw(Reason::MoveLimit).sentence(lang),
            Outcome::win(Side::Attackers, Reason::MoveLimit).sentence(lang),
        ];
        assert_eq!(said, expected);
    }
}

#[test]
fn what_cannot_happen_is_not_told() {
    let crossing = "crossing one is not enough";
    for set in sets() {
        assert!(!whole(&set, Lang::En).contains(crossing), "{}", set.id());
    }
    let inside = changed("ashton", "goals = \"edge\"", r#"goals = ["a1", "c3"]"#);
    assert!(whole(&inside, Lang::En).contains(crossing));
    // White never enters a camp of these sets, but does where camps are closed to the king alone.
    for id in ["ashton", "ashton-siege", "ashton-split"] {
        let text = whole(&builtin(id), Lang::En);
        assert!(!text.contains("unless a white piece stands on"), "{id}");
        assert!(!text.contains("only with a white piece on it"), "{id}");
    }
    let open = changed(
        "ashton",
        "closed_to = \"outsiders\"",
        "closed_to = \"king\"",
    );
    assert!(whole(&open, Lang::En).contains("unless a white piece stands on them"));
}

#[test]
fn a_legend_lists_the_marks_that_a_board_has() {
    for set in sets() {
        let rules = set.compile().expect("a sound set");
        for &lang in Lang::ALL {
            let legend = lang.legend(&rules);
            assert!(legend.starts_with("T "), "{legend}");
            assert_eq!(
                legend.contains(": "),
                !rules.camps().is_empty(),
                "{}",
                set.id()
            );
            assert_eq!(
                legend.contains("* "),
                !rules.escapes().is_empty(),
                "{}",
                set.id()
            );
        }
    }
}

#[test]
fn the_manual_has_a_line_for_every_parameter() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    // The referee's mistakes are not offered to users.
    for key in RuleSet::keys().filter(|key| !key.starts_with("quirk.")) {
        assert!(
            manual.contains(&format!("\n| `{key}` |")),
            "{key} is missing"
        );
    }
}
