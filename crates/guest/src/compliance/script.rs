//! Scripted games from the start: what is on the wire, whatever the moves are.

use std::time::Duration;

use tablut_rules::{BySide, Game, Outcome, Random, Reason, Rules, Side};

use super::{
    Finding, Mark,
    session::{Failure, HUSH, Session, lawless},
};
use crate::{MoverOptions, template::Template};

/// A scripted game.
pub(super) struct Script {
    pub(super) title: &'static str,
    /// How many of the client's moves the opponent answers.
    moves: usize,
    /// How the opponent answers.
    manner: Manner,
    /// How the game ends for the client.
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// At once.
    Quick,
    /// After a while.
    Slow,
    /// So quickly that both states are in one segment.
    Joined,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Win,
    Loss,
    Draw,
}

/// The first is the one that others are in vain without.
pub(super) const SCRIPTS: [Script; 3] = [
    Script {
        title: "normal moves, then it wins",
        moves: 2,
        manner: Manner::Quick,
        end: End::Win,
    },
    Script {
        title: "a slow opponent, then it loses",
        moves: 1,
        manner: Manner::Slow,
        end: End::Loss,
    },
    Script {
        title: "two states in one segment, then a draw",
        moves: 1,
        manner: Manner::Joined,
        end: End::Draw,
    },
];

impl Script {
    /// Whether it is about states that come together.
    pub(super) fn is_joined(&self) -> bool {
        self.manner == Manner::Joined
    }
}

/// How long a slow opponent thinks at most; less if the time for a move is less.
const SLOW: Duration = Duration::from_secs(3);

/// What came of a scripted game.
pub(super) struct Played {
    pub(super) findings: Vec<Finding>,
    /// Why it did not come to its end.
    pub(super) failure: Option<Failure>,
}

/// Plays a scripted game.
pub(super) fn play(
    template: &Template,
    side: Side,
    script: &Script,
    options: &MoverOptions,
) -> Played {
    let mut session = match Session::start(template, side, options) {
        Ok(session) => session,
        Err(failure) => {
            return Played {
                findings: Vec::new(),
                failure: Some(failure),
            };
        }
    };
    match lead(&mut session, script, options) {
        Ok(()) => Played {
            findings: session.ending(),
            failure: None,
        },
        Err(failure) => Played {
            findings: session.findings,
            failure: Some(failure),
        },
    }
}

/// Leads a client to the end of a scripted game.
fn lead(session: &mut Session<'_>, script: &Script, options: &MoverOptions) -> Result<(), Failure> {
    let rules = Rules::ashton();
    let seeds = BySide {
        attackers: 1,
        defenders: 2,
    };
    let mut random = Random::new(seeds[session.side]);
    let mut game = lawless(&rules, rules.start());
    session.show(&game);
    if session.side == Side::Attackers {
        session.quiet(HUSH, "before White has moved")?;
        session.say(Mark::Good, "is silent before White has moved");
        answer(&mut game, &mut random);
        session.show(&game);
    }
    for _ in 0..script.moves {
        session.play(&mut game)?;
        if game.outcome().is_some() {
            session.show(&game);
            let text = "it ended the game on the board before the script did";
            session.say(Mark::Note, text);
            return Ok(());
        }
        let own = game.clone();
        answer(&mut game, &mut random);
        match script.manner {
            Manner::Joined if options.pace_ms == 0 => session.show_both(&own, &game),
            Manner::Quick | Manner::Joined => {
                session.show(&own);
                session.show(&game);
            }
            Manner::Slow => {
                session.show(&own);
                let slow = Duration::from_millis(options.move_ms).min(SLOW);
                session.quiet(slow, "while its opponent thinks")?;
                session.show(&game);
            }
        }
    }
    // It is its turn again: that it answers shows that it has taken in the last states.
    session.play(&mut game)?;
    let (moves, seconds) = (script.moves + 1, session.slowest.as_secs_f64());
    session.say(
        Mark::Good,
        format!("makes {moves} legal moves, the slowest in {seconds:.1} s"),
    );
    match script.manner {
        Manner::Quick => {}
        Manner::Slow => session.say(Mark::Good, "waits silently for a slow opponent"),
        Manner::Joined if options.pace_ms > 0 => {}
        Manner::Joined => session.say(Mark::Good, "copes with two states in one segment"),
    }
    if game.outcome().is_none() {
        let outcome = match script.end {
            End::Win => Outcome::win(session.side, Reason::Resignation),
            End::Loss => Outcome::win(session.side.opponent(), Reason::Resignation),
            End::Draw => Outcome::draw(Reason::Agreement),
        };
        game.finish(outcome);
    }
    session.show(&game);
    Ok(())
}

/// Any move of the opponent that does not end the game.
fn answer(game: &mut Game, random: &mut Random) {
    let moves = game.rules().moves(game.position());
    let calm: Vec<_> = moves
        .iter()
        .filter(|step| {
            let mut after = game.clone();
            after.play(**step).is_ok() && after.outcome().is_none()
        })
        .copied()
        .collect();
    if !calm.is_empty() {
        let _ = game.play(calm[random.below(calm.len())]);
    }
}
