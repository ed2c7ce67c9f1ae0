//! Every language has its own words for every fact.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::collections::BTreeSet;

use tablut_review::{BoardLine, Deed, Fact, MoveMark, Prospect, RetryRating};
use tablut_rules::{Capture, Move, Outcome, Reason, Rules, Setup, Side, Square, text::Lang};

fn squares(names: &[&str]) -> Vec<Square> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn step(text: &str) -> Move {
    text.parse().unwrap()
}

/// The capture of a move, with its reason.
fn capture(position: &str, by: &str) -> Capture {
    let rules = Rules::ashton();
    let position = rules.position(&position.parse::<Setup>().unwrap()).unwrap();
    let captures = rules.explain_captures(&position, step(by)).unwrap();
    captures.into_iter().next().unwrap()
}

fn deeds() -> Vec<Deed> {
    let win = Outcome::win(Side::Defenders, Reason::KingEscaped);
    vec![
        Deed::Ends { outcome: win },
        Deed::Captures {
            squares: squares(&["d4"]),
        },
        Deed::Captures {
            squares: squares(&["d4", "e3"]),
        },
        Deed::OpensLanes {
            goals: squares(&["i3"]),
        },
        Deed::OpensLanes {
            goals: squares(&["a3", "i3"]),
        },
        Deed::ClosesLanes {
            goals: squares(&["i3"]),
        },
        Deed::ClosesLanes {
            goals: squares(&["a3", "i3"]),
        },
        Deed::ClosesCorners {
            corners: squares(&["a1"]),
            is_last: false,
        },
        Deed::ClosesCorners {
            corners: squares(&["a1", "i9"]),
            is_last: true,
        },
        Deed::OpensCorners {
            corners: squares(&["i9"]),
        },
        Deed::BlocksKing,
        Deed::ThreatensKing { by: step("e3e4") },
    ]
}

fn facts() -> Vec<Fact> {
    let camp = capture("9/9/9/3b5/2w6/9/9/6K2/9 b", "d4d5");
    let man = capture("9/9/2b6/4w4/4K4/9/9/9/9 b", "c3e3");
    let king = capture("9/9/5Kb2/4b4/9/9/9/9/9 b", "e4e3");
    let lost = Outcome::win(Side::Attackers, Reason::Repetition);
    let draw = Outcome::draw(Reason::Repetition);
    let mut facts: Vec<Fact> = deeds()
        .into_iter()
        .map(|deed| Fact::Does { deed })
        .collect();
    facts.extend(deeds().into_iter().map(|deed| Fact::Reply {
        reply: step("e5e3"),
        deeds: vec![deed],
    }));
    for outcome in [lost, draw] {
        for prospect in [Prospect::Winning, Prospect::Level, Prospect::Losing] {
            facts.push(Fact::Repeats { outcome, prospect });
        }
    }
    for line in [BoardLine::Row(3), BoardLine::Column('c')] {
        facts.push(Fact::NeededOn { line });
        for goals in [&["i3"][..], &["a3", "i3"]] {
            let goals = squares(goals);
            facts.push(Fact::LeavesLine { line, goals });
        }
    }
    for capture in [camp, man, king] {
        let by = step("d4d5");
        facts.push(Fact::Exposes {
            by,
            capture: capture.clone(),
        });
        facts.push(Fact::LeavesBetween { by, capture });
    }
    facts.extend([
        Fact::MissesWin { plies: 5 },
        Fact::AllowsWin { plies: 4 },
        Fact::AllowsRepetition {
            reply: step("e5e3"),
        },
        Fact::LeavesLanes {
            goals: squares(&["a3", "i3"]),
        },
        Fact::GivesUp {
            square: square("d4"),
            reply: step("d6d3"),
        },
        Fact::LeavesKing {
            square: square("e4"),
        },
        Fact::OnlyMove { others_lose: true },
        Fact::OnlyMove { others_lose: false },
    ]);
    facts
}

#[test]
fn every_language_has_its_own_words_for_every_fact() {
    for fact in facts() {
        let said: BTreeSet<String> = Lang::ALL.iter().map(|&lang| fact.sentence(lang)).collect();
        assert_eq!(said.len(), Lang::ALL.len(), "{said:?}");
        for sentence in &said {
            assert!(
                !sentence.is_empty() && !sentence.contains("  "),
                "{sentence}"
            );
            assert!(!sentence.ends_with('.'), "{sentence}");
        }
    }
    for mark in MoveMark::ALL {
        let names: BTreeSet<&str> = Lang::ALL.iter().map(|&lang| mark.name(lang)).collect();
        assert_eq!(names.len(), Lang::ALL.len());
    }
    for rating in [RetryRating::AsGood, RetryRating::Better] {
        let said: BTreeSet<&str> = Lang::ALL.iter().map(|&l| rating.sentence(l)).collect();
        assert_eq!(said.len(), Lang::ALL.len());
    }
}

#[test]
fn facts_are_said_as_people_say_them() {
    for (fact, lang, said) in [
        (
            Fact::LeavesLine {
                line: BoardLine::Row(3),
                goals: squares(&["a3", "i3"]),
            },
            Lang::En,
            "leaves row 3: the king now has two lanes, to a3 and i3",
        ),
        (
            Fact::Exposes {
                by: step("d4d5"),
                capture: capture("9/9/9/3b5/2w6/9/9/6K2/9 b", "d4d5"),
            },
            Lang::En,
            "the man on c5 can be captured between d5 and the camp square b5",
        ),
        (
            Fact::Reply {
                reply: step("e5e3"),
                deeds: vec![Deed::OpensLanes {
                    goals: squares(&["a3", "i3"]),
                }],
            },
            Lang::De,
            "die Antwort e5–e3 öffnet zwei Wege, nach a3 und i3",
        ),
        (
            Fact::NeededOn {
                line: BoardLine::Column('c'),
            },
            Lang::It,
            "la pedina serviva sulla colonna c",
        ),
    ] {
        assert_eq!(fact.sentence(lang), said);
    }
}
