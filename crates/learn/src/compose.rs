//! Which steps teach a rule set. Everything comes from the rules, never from a set's name.

mod ways;

use std::sync::Arc;

use tablut_engine::{
    Control,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{
    Anvil, Bitboard, CaptureCause, Direction, Game, Move, Piece, RepetitionResult, Rules, Setup,
    Side, Square, text::Topic,
};

use crate::{
    Step, StepTopic, Task,
    scene::{Scenes, Sketch},
};

/// How many random positions are tried for a task: some are cheap to refuse, some are not.
const TRIES: usize = 30_000;
const WIN_TRIES: usize = 3_000;

/// The steps of a set's lesson.
pub(crate) fn steps(rules: &Arc<Rules>) -> Vec<Step> {
    let scenes = Scenes::new(rules);
    let mut steps = Vec::new();
    steps.extend(aims(&scenes));
    steps.extend(ways::moves(&scenes));
    steps.extend(ways::castle(&scenes));
    steps.extend(ways::camps(&scenes));
    steps.extend(ways::leaving(&scenes));
    steps.extend(men(&scenes, Side::Defenders));
    steps.extend(hostile(&scenes));
    steps.extend(king(&scenes));
    steps.extend(escape(&scenes));
    steps.extend(calls(&scenes));
    steps.extend(ends(&scenes));
    for side in Side::WHITE_FIRST {
        steps.extend(first_win(&scenes, side));
    }
    tell(&mut steps);
    steps
}

/// Gives each topic to the first step about it, or else to the step before.
fn tell(steps: &mut [Step]) {
    let mut last = 0;
    for about in Topic::ALL {
        let own = steps.iter().position(|step| step.topic == topic(about));
        last = own.unwrap_or(last);
        if let Some(step) = steps.get_mut(last) {
            step.told.push(about);
        }
    }
}

const fn topic(topic: Topic) -> StepTopic {
    StepTopic::Rules(topic)
}

/// The start, and any move.
fn aims(scenes: &Scenes<'_>) -> Option<Step> {
    let start = scenes.rules.start();
    scenes.good(
        topic(Topic::Aims),
        Setup::from(&start),
        Vec::new(),
        Task::Any,
    )
}

/// A man between two enemies.
fn men(scenes: &Scenes<'_>, side: Side) -> Option<Step> {
    let (own, prey) = (Piece::man(side), Piece::man(side.opponent()));
    let plain = scenes.plain();
    scenes.those_of(plain).skip(6).find_map(|square| {
        Direction::ALL.into_iter().find_map(|direction| {
            let to = square.step(direction).filter(|&to| plain.contains(to))?;
            let anvil = square.step(direction.opposite());
            let anvil = anvil.filter(|&anvil| plain.contains(anvil))?;
            capture(
                scenes,
                Topic::Men,
                (own, to),
                vec![(square, prey), (anvil, own)],
                square,
            )
        })
    })
}

/// A step in which a piece that comes to a square captures the man on another.
fn capture(
    scenes: &Scenes<'_>,
    about: Topic,
    (own, to): (Piece, Square),
    pieces: Vec<(Square, Piece)>,
    square: Square,
) -> Option<Step> {
    scenes
        .sources(&pieces, own, to)
        .into_iter()
        .take(6)
        .find_map(|from| {
            let mut pieces = pieces.clone();
            pieces.push((from, own));
            let sketch = Sketch {
                pieces,
                empty: from.between(to).collect::<Bitboard>().with(to),
                side: own.side(),
            };
            scenes.step(topic(about), &sketch, Task::Capture { square })
        })
}

/// Men that fall against each kind of hostile square there is.
fn hostile(scenes: &Scenes<'_>) -> Vec<Step> {
    let rules = scenes.rules;
    let castle = rules.castle();
    let camps = rules.set().camp_squares();
    let kinds: [(Anvil, Piece, Vec<Square>); 3] = [
        (Anvil::EmptyCastle, Piece::Defender, vec![castle]),
        (Anvil::CastleWithKing, Piece::Attacker, vec![castle]),
        (Anvil::Camp, Piece::Attacker, camps.iter().collect()),
    ];
    let found = kinds.into_iter().filter_map(|(kind, own, anvils)| {
        anvils
            .into_iter()
            .find_map(|anvil| against(scenes, kind, own, anvil))
    });
    found.collect()
}

/// A man beside a hostile square that falls against it.
fn against(scenes: &Scenes<'_>, kind: Anvil, own: Piece, anvil: Square) -> Option<Step> {
    let prey = Piece::man(own.side().opponent());
    Direction::ALL.into_iter().find_map(|direction| {
        let square = anvil.step(direction)?;
        let to = square.step(direction)?;
        let mut pieces = vec![(square, prey)];
        if kind == Anvil::CastleWithKing {
            pieces.push((anvil, Piece::King));
        }
        let step = capture(scenes, Topic::Hostile, (own, to), pieces, square)?;
        let game = step.game(scenes.rules)?;
        let right = step.solution(scenes.rules)?;
        let captures = scenes.rules.explain_captures(game.position(), *right.first()?);
        let is_so = captures.ok()?.iter().any(|capture| {
            capture.square == square
                && matches!(&capture.cause, CaptureCause::Between { kind: found, .. } if *found == kind)
        });
        is_so.then_some(step)
    })
}

/// The king's fall on the castle, beside it, elsewhere, and against a camp if that takes fewer men.
fn king(scenes: &Scenes<'_>) -> Vec<Step> {
    let castle = scenes.rules.castle();
    let beside = Bitboard::beside(castle);
    let elsewhere = scenes.plain() & !beside;
    let camps = scenes.rules.set().camp_squares();
    let at_camp: Bitboard = elsewhere
        .iter()
        .filter(|&square| !Bitboard::beside(square).is_disjoint(camps))
        .collect();
    let places = [
        Bitboard::from(castle),
        beside & scenes.plain(),
        elsewhere & !at_camp,
    ];
    let first = |places: Bitboard| scenes.those_of(places).find_map(|king| fall(scenes, king));
    let men = |step: &Step| {
        let kings = step.start.pieces(Piece::King).iter();
        let beside = kings.fold(Bitboard::EMPTY, |all, king| all | Bitboard::beside(king));
        (step.start.pieces(Piece::Attacker) & beside).len()
    };
    let mut steps: Vec<Step> = places.into_iter().filter_map(first).collect();
    let in_the_open = steps.last().map_or(0, men);
    steps.extend(first(at_camp).filter(|step| men(step) < in_the_open));
    steps
}

/// A king on a square whom one more man captures, with as few as possible.
fn fall(scenes: &Scenes<'_>, king: Square) -> Option<Step> {
    let sides: Vec<Square> = Direction::ALL
        .into_iter()
        .filter_map(|direction| king.step(direction))
        .filter(|&side| scenes.rules.ground(Piece::Attacker).contains(side))
        .collect();
    // All groups of men beside him, the small ones first.
    let mut groups: Vec<Vec<Square>> = (0..1_usize << sides.len())
        .map(|bits| {
            let chosen = sides.iter().enumerate();
            let chosen = chosen.filter(|(n, _)| bits >> n & 1 == 1);
            chosen.map(|(_, &side)| side).collect()
        })
        .collect();
    groups.sort_by_key(Vec::len);
    groups.into_iter().find_map(|group| {
        let mut pieces = vec![(king, Piece::King)];
        pieces.extend(group.iter().map(|&side| (side, Piece::Attacker)));
        sides
            .iter()
            .filter(|side| !group.contains(side))
            .find_map(|&to| {
                let sources = scenes.sources(&pieces, Piece::Attacker, to);
                sources.into_iter().take(4).find_map(|from| {
                    let mut pieces = pieces.clone();
                    pieces.push((from, Piece::Attacker));
                    let sketch = Sketch {
                        pieces,
                        empty: from.between(to).collect::<Bitboard>().with(to),
                        side: Side::Attackers,
                    };
                    scenes.step(topic(Topic::King), &sketch, Task::CaptureKing)
                })
            })
    })
}

/// A king who sees a goal.
fn escape(scenes: &Scenes<'_>) -> Option<Step> {
    let about = topic(Topic::Escapes);
    let one_lane = |game: &Game| game.rules().calls(game.position()).is_raichi();
    scenes.search(about, Side::Defenders, Task::Escape, TRIES, one_lane)
}

/// Two lanes to open, and one to close.
fn calls(scenes: &Scenes<'_>) -> Vec<Step> {
    let about = topic(Topic::Calls);
    let lanes = |game: &Game| game.rules().calls(game.position()).count();
    let open = Task::OpenLanes { lanes: 2 };
    let mut steps = Vec::new();
    steps.extend(scenes.search(about, Side::Defenders, open, TRIES, |game| lanes(game) == 0));
    steps.extend(
        scenes.search(about, Side::Attackers, Task::CloseLanes, TRIES, |game| {
            lanes(game) == 1
        }),
    );
    steps
}

/// A position to be repeated, or not.
fn ends(scenes: &Scenes<'_>) -> Option<Step> {
    let about = topic(Topic::Ends);
    match scenes.rules.set().repetition() {
        Some(_) => repetitions(scenes, about).next(),
        None => {
            let start = Setup::from(&scenes.rules.start());
            scenes.good(about, start, Vec::new(), Task::Any)
        }
    }
}

/// Positions that the next move can repeat so often that the game ends.
pub(crate) fn repetitions<'a>(
    scenes: &'a Scenes<'a>,
    about: StepTopic,
) -> impl Iterator<Item = Step> + 'a {
    let rules = scenes.rules;
    let law = rules.set().repetition();
    let tries = if law.is_some() { TRIES } else { 0 };
    // A plan shows another position than the lesson.
    let seed = match about {
        StepTopic::Plan(_) => 78,
        _ => 77,
    };
    let setups = scenes.random(seed, Side::Defenders).take(tries);
    setups.filter_map(move |setup| {
        let law = law?;
        let task = match law.result {
            RepetitionResult::MoverLoses => Task::Vary,
            _ => Task::Repeat,
        };
        let position = rules.position(&setup).ok()?;
        let round = there_and_back(rules, &position)?;
        // Three plies of the last round: the fourth one repeats. Some laws count otherwise.
        let rounds = law.occurrence as usize;
        [rounds - 1, rounds].into_iter().find_map(|rounds| {
            let mut history = round.repeat(rounds);
            history.pop();
            scenes.good(about, setup, history, task)
        })
    })
}

/// A move of each side and their ways back: quiet moves that end nothing.
fn there_and_back(rules: &Arc<Rules>, start: &tablut_rules::Position) -> Option<Vec<Move>> {
    let mut game = Game::from_position(rules.clone(), *start, rules.laws());
    let mut there = Vec::new();
    for _ in 0..2 {
        let step = *game.legal_moves().iter().find(|&&step| {
            let mut after = game.clone();
            let quiet = after
                .play(step)
                .is_ok_and(|applied| applied.captured.is_empty());
            let back = Move::new(step.to(), step.from());
            quiet && after.outcome().is_none() && rules.is_legal(&after.position().pass(), back)
        })?;
        game.play(step).ok()?;
        there.push(step);
    }
    let back = there.iter().map(|step| Move::new(step.to(), step.from()));
    Some(there.iter().copied().chain(back).collect())
}

/// A win in three plies.
fn first_win(scenes: &Scenes<'_>, side: Side) -> Option<Step> {
    let about = StepTopic::FirstWin(side);
    let task = Task::Win { plies: 3 };
    scenes.search(about, side, task, WIN_TRIES, |game| {
        let limits = SolveLimits {
            plies: 3,
            nodes: 20_000,
        };
        let mut solver = Solver::new(game, side, 1, Control::new());
        matches!(
            solver.solve(limits, &mut |_| {}),
            Solution::Won { plies: 3, .. }
        )
    })
}
