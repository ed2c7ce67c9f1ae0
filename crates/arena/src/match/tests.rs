//! A match is told times; no test waits.

use tablut_rules::{BuiltIn, Side::Attackers, Side::Defenders};

use super::*;

const PER_MOVE: TimeControl = TimeControl::PerMove { ms: 1000 };
const TOTAL: TimeControl = TimeControl::Total {
    ms: 1000,
    increment_ms: 100,
};

fn new(control: TimeControl, conduct: Conduct) -> Match {
    Match::new(Game::new(Rules::ashton()), BySide::both(control), conduct)
}

/// A match that started at time 0; the defenders (white) are to move.
fn started(control: TimeControl, conduct: Conduct) -> Match {
    let mut game = new(control, conduct);
    assert_eq!(game.tell(0, Said::Seated(Defenders)), []);
    assert_eq!(game.tell(0, Said::Seated(Attackers)), [Notice::Started]);
    game
}

fn step(text: &str) -> Move {
    text.parse().unwrap()
}

fn says(side: Side, text: &str) -> Said {
    Said::Move {
        side,
        step: step(text),
        score: None,
    }
}

fn over(winner: Option<Side>, reason: Reason) -> Vec<Notice> {
    vec![Notice::Over(Outcome { winner, reason })]
}

fn no(side: Side, refusal: Refusal) -> Vec<Notice> {
    vec![Notice::Refused { side, refusal }]
}

fn is_played(notices: &[Notice]) -> bool {
    matches!(notices, [Notice::Played { .. }])
}

#[test]
fn nothing_runs_before_both_are_there() {
    let mut game = new(PER_MOVE, Conduct::default());
    assert_eq!(game.deadline(), None);
    game.tell(0, Said::Seated(Defenders));
    let early = game.tell(50_000, says(Defenders, "e4d4"));
    assert_eq!(early, no(Defenders, Refusal::NotStarted));
    assert_eq!(
        game.tell(60_000, Said::Seated(Attackers)),
        [Notice::Started]
    );
    assert_eq!(game.deadline(), Some(61_000));
}

#[test]
fn a_move_at_the_deadline_is_in_time_and_one_later_is_not() {
    let mut game = started(PER_MOVE, Conduct::default());
    assert!(is_played(&game.tell(1000, says(Defenders, "e4d4"))));
    assert_eq!(game.deadline(), Some(2000));
    let late = game.tell(2001, says(Attackers, "d1c1"));
    assert_eq!(late, over(Some(Defenders), Reason::TimeOut));
    assert_eq!((game.deadline(), game.game().plies().len()), (None, 1));
}

#[test]
fn time_that_passes_without_a_word_ends_the_game_at_the_deadline() {
    let mut game = started(PER_MOVE, Conduct::default());
    assert_eq!(game.tell(999, Said::Nothing), []);
    let late = over(Some(Attackers), Reason::TimeOut);
    assert_eq!(game.tell(1000, Said::Nothing), late);
    assert_eq!(game.tell(5000, Said::Nothing), []);
}

#[test]
fn an_illegal_move_that_is_late_is_late() {
    let conduct = Conduct {
        illegal: IllegalMoves::Lose,
        ..Conduct::default()
    };
    let mut game = started(PER_MOVE, conduct);
    let late = game.tell(1001, says(Defenders, "a1a2"));
    assert_eq!(late, over(Some(Attackers), Reason::TimeOut));
}

#[test]
fn a_total_clock_runs_down_and_gains() {
    let mut game = started(TOTAL, Conduct::default());
    game.tell(400, says(Defenders, "e4d4"));
    assert_eq!(game.clock(Defenders).left_ms(), Some(700));
    game.tell(500, says(Attackers, "d1c1"));
    assert_eq!(game.left_ms(Defenders, 650), Some(550));
    assert_eq!(game.left_ms(Attackers, 650), Some(1000));
    assert_eq!(game.deadline(), Some(1200));
    assert_eq!(
        game.tell(1200, Said::Nothing),
        over(Some(Attackers), Reason::TimeOut)
    );
}

#[test]
fn the_sides_may_have_different_clocks() {
    let controls = BySide {
        attackers: TimeControl::Unlimited,
        defenders: PER_MOVE,
    };
    let mut game = Match::new(Game::new(Rules::ashton()), controls, Conduct::default());
    game.tell(0, Said::Seated(Attackers));
    game.tell(0, Said::Seated(Defenders));
    assert_eq!(game.deadline(), Some(1000));
    game.tell(10, says(Defenders, "e4d4"));
    assert_eq!(game.deadline(), None);
    assert!(is_played(&game.tell(1_000_000, says(Attackers, "d1c1"))));
}

#[test]
fn a_clock_that_runs_backwards_does_no_harm() {
    let mut game = started(TOTAL, Conduct::default());
    game.tell(500, says(Defenders, "e4d4"));
    game.tell(300, says(Attackers, "d1c1"));
    assert_eq!(game.clock(Attackers).left_ms(), Some(1100));
}

#[test]
fn illegal_moves_are_refused_or_lose_as_agreed() {
    let mut game = started(PER_MOVE, Conduct::default());
    let answer = game.tell(1, says(Defenders, "e4e5"));
    assert!(matches!(
        answer[..],
        [Notice::Refused {
            side: Defenders,
            refusal: Refusal::Illegal(_)
        }]
    ));
    assert_eq!(
        game.tell(2, Said::Illegal(Defenders)),
        no(Defenders, Refusal::NoMove)
    );
    let turn = game.tell(3, says(Attackers, "d1c1"));
    assert_eq!(turn, no(Attackers, Refusal::NotYourTurn));
    assert!(is_played(&game.tell(4, says(Defenders, "e4d4"))));

    let strict = Conduct {
        illegal: IllegalMoves::Lose,
        ..Conduct::default()
    };
    for said in [says(Defenders, "e4e5"), Said::Illegal(Defenders)] {
        let mut game = started(PER_MOVE, strict);
        let answer = game.tell(1, said);
        assert!(matches!(
            answer[0],
            Notice::Refused {
                side: Defenders,
                ..
            }
        ));
        assert_eq!(answer[1..], over(Some(Attackers), Reason::IllegalMove));
    }
}

#[test]
fn a_draw_needs_both() {
    let mut game = started(PER_MOVE, Conduct::default());
    let nothing = game.tell(1, Said::DeclineDraw(Attackers));
    assert_eq!(nothing, no(Attackers, Refusal::NoOffer));
    assert_eq!(
        game.tell(2, Said::OfferDraw(Defenders)),
        [Notice::DrawOffered(Defenders)]
    );
    assert_eq!(game.tell(3, Said::OfferDraw(Defenders)), []);
    let own = game.tell(3, Said::DeclineDraw(Defenders));
    assert_eq!(own, no(Defenders, Refusal::NoOffer));
    // The offer stays open over the own move.
    game.tell(4, says(Defenders, "e4d4"));
    assert_eq!(game.draw_offer(), Some(Defenders));
    assert_eq!(
        game.tell(5, Said::OfferDraw(Attackers)),
        over(None, Reason::Agreement)
    );
}

#[test]
fn a_draw_is_declined_by_word_or_by_a_move() {
    let mut game = started(PER_MOVE, Conduct::default());
    game.tell(1, Said::OfferDraw(Attackers));
    assert_eq!(
        game.tell(2, Said::DeclineDraw(Defenders)),
        [Notice::DrawDeclined(Defenders)]
    );
    game.tell(3, Said::OfferDraw(Attackers));
    game.tell(4, says(Defenders, "e4d4"));
    assert_eq!(game.draw_offer(), None);
}

#[test]
fn resignation_is_possible_at_any_time_and_once() {
    let mut game = started(PER_MOVE, Conduct::default());
    let end = Outcome::win(Defenders, Reason::Resignation);
    assert_eq!(game.tell(1, Said::Resign(Attackers)), [Notice::Over(end)]);
    let again = game.tell(2, Said::Resign(Defenders));
    assert_eq!(again, no(Defenders, Refusal::Over(end)));
    assert_eq!(game.outcome(), Some(end));
}

#[test]
fn a_move_is_taken_back_if_the_other_agrees() {
    let mut game = started(TOTAL, Conduct::default());
    let early = game.tell(1, Said::TakeBack(Defenders));
    assert_eq!(early, no(Defenders, Refusal::NothingToTakeBack));
    game.tell(100, says(Defenders, "e4d4"));
    assert_eq!(
        game.tell(150, Said::TakeBack(Defenders)),
        [Notice::TakeBackAsked(Defenders)]
    );
    assert_eq!(
        game.tell(160, Said::DeclineTakeBack(Attackers)),
        [Notice::TakeBackDeclined(Attackers)]
    );
    game.tell(170, Said::TakeBack(Defenders));
    assert_eq!(
        game.tell(200, Said::TakeBack(Attackers)),
        [Notice::TakenBack { plies: 1 }]
    );
    assert_eq!(game.game().plies().len(), 0);
    // Both keep what they have left, also the one who thought about the answer.
    assert_eq!(game.clock(Defenders).left_ms(), Some(1000));
    assert_eq!(game.clock(Attackers).left_ms(), Some(900));
    assert_eq!(game.record().tree().len(), 0);
}

#[test]
fn who_is_to_move_takes_back_two_plies() {
    let mut game = started(PER_MOVE, Conduct::default());
    game.tell(1, says(Defenders, "e4d4"));
    game.tell(2, says(Attackers, "d1c1"));
    game.tell(3, Said::TakeBack(Defenders));
    assert_eq!(
        game.tell(4, Said::TakeBack(Attackers)),
        [Notice::TakenBack { plies: 2 }]
    );
}

#[test]
fn moves_of_the_opening_stay() {
    let mut opening = Game::new(Rules::ashton());
    opening.play(step("e4d4")).unwrap();
    opening.play(step("d1c1")).unwrap();
    let mut game = Match::new(opening, BySide::both(PER_MOVE), Conduct::default());
    game.tell(0, Said::Seated(Attackers));
    game.tell(0, Said::Seated(Defenders));
    game.tell(1, says(Defenders, "e3c3"));
    let answer = game.tell(2, Said::TakeBack(Attackers));
    assert_eq!(answer, no(Attackers, Refusal::NothingToTakeBack));
    game.tell(3, Said::TakeBack(Defenders));
    let taken = game.tell(4, Said::TakeBack(Attackers));
    assert_eq!(taken, [Notice::TakenBack { plies: 1 }]);
}

#[test]
fn who_leaves_loses_at_once_or_later_or_only_by_the_clock() {
    let conduct = |gone| Conduct {
        gone,
        ..Conduct::default()
    };
    let lost = over(Some(Defenders), Reason::ConnectionLost);

    let mut game = started(PER_MOVE, conduct(Gone::Loses));
    assert_eq!(game.tell(1, Said::Gone(Attackers)), lost);

    let mut game = started(TimeControl::Unlimited, conduct(Gone::Expected { ms: 500 }));
    assert_eq!(
        game.tell(10, Said::Gone(Attackers)),
        [Notice::Left(Attackers)]
    );
    assert_eq!(game.tell(20, Said::Gone(Attackers)), []);
    assert_eq!(game.deadline(), Some(510));
    assert_eq!(
        game.tell(510, Said::Seated(Attackers)),
        [Notice::Returned(Attackers)]
    );
    assert_eq!(game.deadline(), None);
    game.tell(600, Said::Gone(Attackers));
    assert_eq!(game.tell(1100, Said::Nothing), lost);

    let mut game = started(PER_MOVE, conduct(Gone::Waits));
    assert_eq!(
        game.tell(1, Said::Gone(Attackers)),
        [Notice::Left(Attackers)]
    );
    assert_eq!(game.deadline(), Some(1000));
}

#[test]
fn of_two_ends_the_earlier_one_counts() {
    let conduct = Conduct {
        gone: Gone::Expected { ms: 500 },
        ..Conduct::default()
    };
    let mut game = started(PER_MOVE, conduct);
    game.tell(100, Said::Gone(Attackers));
    // Told late: the attackers were missed at 600, before the defenders' time was over at 1000.
    assert_eq!(
        game.tell(5000, Said::Nothing),
        over(Some(Defenders), Reason::ConnectionLost)
    );
}

#[test]
fn a_game_that_is_too_long_is_drawn() {
    let conduct = Conduct {
        max_plies: Some(2),
        ..Conduct::default()
    };
    let mut game = started(PER_MOVE, conduct);
    game.tell(1, says(Defenders, "e4d4"));
    let notices = game.tell(2, says(Attackers, "d1c1"));
    assert!(notices.ends_with(&over(None, Reason::MoveLimit)));
    let rules = Rules::ashton();
    assert!(game.record().replay(&rules).is_ok());
}

#[test]
fn the_end_on_the_board_is_announced_with_the_move() {
    let rules = Rules::ashton();
    let setup = "9/9/1b1K5/9/9/9/9/9/9 w".parse().unwrap();
    let start = rules.position(&setup).unwrap();
    let laws = rules.laws();
    let game = Game::from_position(rules, start, laws);
    let mut game = Match::new(game, BySide::both(PER_MOVE), Conduct::default());
    game.tell(0, Said::Seated(Attackers));
    game.tell(0, Said::Seated(Defenders));
    let notices = game.tell(7, says(Defenders, "d3i3"));
    assert!(matches!(notices[0], Notice::Played { spent_ms: 7, .. }));
    assert_eq!(notices[1..], over(Some(Defenders), Reason::KingEscaped));
    assert_eq!(game.deadline(), None);
}

#[test]
fn a_match_goes_on_from_its_record_and_clocks() {
    let mut game = started(TOTAL, Conduct::default());
    game.tell(
        400,
        Said::Move {
            side: Defenders,
            step: step("e4d4"),
            score: Some(Score::Hundredths(12)),
        },
    );
    game.tell(450, says(Attackers, "d1c1"));
    let record: Record = game.record().to_string().parse().unwrap();
    let clocks = BySide::from_fn(|side| *game.clock(side));
    let rules = Arc::clone(game.game().rules());
    let laws = *game.game().laws();
    let restored = Match::restore(&record, &rules, laws, clocks, Conduct::default());
    let mut restored = restored.unwrap();
    assert_eq!(restored.record(), record);
    assert_eq!(restored.deadline(), None);
    // Another clock, another day: the defenders still have the 700 ms of their last move.
    restored.tell(9_000_000, Said::Seated(Defenders));
    restored.tell(9_000_100, Said::Seated(Attackers));
    assert_eq!(restored.deadline(), Some(9_000_800));
    assert!(is_played(
        &restored.tell(9_000_200, says(Defenders, "e3c3"))
    ));
    assert_eq!(restored.clock(Defenders).left_ms(), Some(700));

    let other = BuiltIn::Berkeley.rules();
    let wrong = Match::restore(&record, &other, laws, clocks, Conduct::default());
    assert!(wrong.is_err());
}

#[test]
fn no_sequence_of_words_does_harm() {
    let mut random = tablut_rules::Random::new(1);
    let conducts = [
        Conduct::default(),
        Conduct {
            illegal: IllegalMoves::Lose,
            gone: Gone::Expected { ms: 300 },
            max_plies: Some(30),
        },
        Conduct {
            illegal: IllegalMoves::Tolerated { errors: 2 },
            gone: Gone::Loses,
            max_plies: None,
        },
    ];
    for round in 0..300 {
        let control = [PER_MOVE, TOTAL, TimeControl::Unlimited][round % 3];
        let mut game = new(control, conducts[round / 3 % 3]);
        let mut now = 0;
        let mut end = None;
        for _ in 0..100 {
            now += random.below(40) as u64;
            let side = Side::ALL[random.below(2)];
            let moves = game.game().rules().moves(game.game().position());
            let said = match random.below(40) {
                0 => Said::Gone(side),
                1 => Said::Illegal(side),
                14 if round % 7 == 0 => Said::Disqualified(side),
                2 => Said::OfferDraw(side),
                3 => Said::DeclineDraw(side),
                4..7 => Said::TakeBack(side),
                7 => Said::DeclineTakeBack(side),
                8 if round % 5 == 0 => Said::Resign(side),
                9 => Said::Nothing,
                10 => says(side, "a1a1"),
                11..14 => Said::Seated(side),
                _ if moves.is_empty() => Said::Nothing,
                _ => Said::Move {
                    side,
                    step: moves[random.below(moves.len())],
                    score: None,
                },
            };
            let notices = game.tell(now, said);
            let over = notices
                .iter()
                .filter(|notice| matches!(notice, Notice::Over(_)));
            let expected = end.is_none() && game.outcome().is_some();
            assert_eq!(over.count(), usize::from(expected), "the end is told once");
            assert!(end.is_none() || game.outcome() == end, "an end is final");
            assert!(game.deadline().is_none_or(|at| at >= now));
            end = game.outcome();
            if now % 7 == 0 {
                assert_same(&game.dormant().wake(), &game);
            }
        }
        assert_same(&game.dormant().wake(), &game);
        let record = game.record();
        assert_eq!(record.tree().len(), game.game().plies().len());
        assert!(record.replay(game.game().rules()).is_ok());
    }
}

/// Two matches that go on in the same way.
fn assert_same(one: &Match, other: &Match) {
    assert_eq!(one.game().plies(), other.game().plies());
    assert_eq!(one.game().occurrences(), other.game().occurrences());
    assert_eq!(one.notes(), other.notes());
    assert_eq!(one.course(), other.course());
    assert_eq!(one.outcome(), other.outcome());
    assert_eq!(one.deadline(), other.deadline());
    assert_eq!((one.given, one.now), (other.given, other.now));
    assert_eq!((one.seated, one.left_at), (other.seated, other.left_at));
    for side in Side::ALL {
        assert_eq!(one.clock(side), other.clock(side));
        assert_eq!(one.errors(side), other.errors(side));
    }
}

#[test]
fn a_match_that_slept_knows_times_and_scores_and_how_it_ended() {
    let mut game = started(TOTAL, Conduct::default());
    let score = Some(Score::Hundredths(-20));
    for (now, side, text, score) in [
        (10, Defenders, "e4d4", None),
        (30, Attackers, "d1c1", score),
    ] {
        let step = step(text);
        assert!(is_played(&game.tell(now, Said::Move { side, step, score })));
    }
    assert_same(&game.dormant().wake(), &game);
    game.tell(50, Said::Resign(Defenders));
    let woken = game.dormant().wake();
    assert_same(&woken, &game);
    assert_eq!(woken.notes()[1].score, score);
    assert!(woken.outcome().is_some());
}
