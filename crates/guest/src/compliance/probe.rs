//! Questions of the rules, put as positions: each allows few moves, and tempts who does not know the
//! rule to make another.

use std::sync::Arc;

use tablut_rules::{
    Anvil, BySide, CaptureCause, Game, IllegalMove, Move, Rules, Setup, SetupError, Side, Square,
};

use super::{
    Finding, Mark, ProbeVerdict, Rule,
    session::{Failure, Session, lawless},
};
use crate::{MoverOptions, template::Template};

/// A question to a client of some colour.
pub(super) struct Probe {
    pub(super) rule: Rule,
    pub(super) side: Side,
    /// The first state, in which White is to move: Black waits for a move in every real game.
    start: &'static str,
    /// White's first move, if the client is Black.
    opening: Option<&'static str>,
    /// How the client's moves are answered before it is asked again.
    replies: &'static [Reply],
}

/// An answer to a client's move.
enum Reply {
    /// This move.
    Move(&'static str),
    /// A move that captures with the help of a camp or the castle.
    AnvilCapture,
    /// A move after which the rule forbids much and little is legal: who was lucky is asked again.
    Tempting,
}

const WHITE: Side = Side::Defenders;
const BLACK: Side = Side::Attackers;

const fn white(rule: Rule, start: &'static str, replies: &'static [Reply]) -> Probe {
    Probe {
        rule,
        side: WHITE,
        start,
        opening: None,
        replies,
    }
}

const fn black(
    rule: Rule,
    start: &'static str,
    opening: &'static str,
    replies: &'static [Reply],
) -> Probe {
    Probe {
        rule,
        side: BLACK,
        start,
        opening: Some(opening),
        replies,
    }
}

/// The questions, White's first.
pub(super) static PROBES: [Probe; 14] = [
    // Across an empty camp lies the edge, for the king and for a man.
    white(
        Rule::Camps,
        "wb7/7b1/3bKb3/4b4/9/9/9/9/6bb1 w",
        &[Reply::Tempting],
    ),
    // King and man stand beside the empty castle, and nothing else saves the king.
    white(
        Rule::Castle,
        "9/4b3b/9/2bbKb3/1bw4b1/2b6/9/9/b8 w",
        &[Reply::Tempting],
    ),
    // One man on each side is between the king and the edge.
    white(
        Rule::Pieces,
        "9/7b1/6b2/9/9/2b6/1bKb5/1bb6/1wb6 w",
        &[Reply::Tempting],
    ),
    // Whichever of two men moves, the other falls against a camp: who does not see that moves it.
    white(
        Rule::Anvils,
        "2w6/2b3b2/4b3w/1b1bwb3/3bKb3/4b4/9/9/9 w",
        &[Reply::AnvilCapture],
    ),
    // A single attacker threatens a king that has a camp behind him.
    white(Rule::KingCapture, "9/6b2/9/2b6/2K6/2b6/9/3b3b1/6bw1 w", &[]),
    white(Rule::Escape, "9/2b3b2/1bKb5/9/9/9/9/7b1/6bw1 w", &[]),
    // The only man that can move has one square to go to and one to come back to.
    white(
        Rule::Repetition,
        "2b6/1bw6/2bbb4/3bwb3/3bKb3/4b4/9/9/8b w",
        &[Reply::Move("i9i8"), Reply::Move("i8i9")],
    ),
    // On the nearest camp square a man would take the king, from outside and across the camp.
    black(
        Rule::Camps,
        "1wb6/2wK5/2wbw4/3w5/9/9/7w1/9/8b w",
        "h7h9",
        &[Reply::Tempting],
    ),
    // Across the castle a man would take the king.
    black(
        Rule::Castle,
        "9/2w6/1wbK5/2w2w3/5bw2/3wbw1w1/4w4/9/7wb w",
        "h6h7",
        &[Reply::Tempting],
    ),
    // Behind a white man a man would take the king.
    black(
        Rule::Pieces,
        "9/1w3w3/wbK1wbw2/1w3w3/9/9/7w1/9/8b w",
        "h7h9",
        &[Reply::Tempting],
    ),
    // White's move takes a man against a camp: who does not see that moves it.
    black(Rule::Anvils, "7wb/3b4w/9/9/9/6K2/3w5/9/7wb w", "d7d3", &[]),
    // A single attacker takes the king, who has a camp behind him.
    black(
        Rule::KingCapture,
        "9/3K2w2/6bw1/6w2/9/9/7w1/9/8b w",
        "h7h9",
        &[],
    ),
    // One way to the edge is open, and can be closed.
    black(Rule::Escape, "9/2b6/1bKb5/9/9/6b2/7w1/9/8b w", "h7h9", &[]),
    black(
        Rule::Repetition,
        "2w4wb/1wb5w/2ww5/4w4/4K4/9/6w2/w8/bw7 w",
        "g7g6",
        &[Reply::Move("g6g7")],
    ),
];

/// A first state in which no piece of the side that is asked stands where it stands at the start, so
/// that whoever takes the start for granted makes an illegal move.
const ELSEWHERE: BySide<Probe> = BySide {
    attackers: black(
        Rule::Pieces,
        "9/2b3b2/1b5b1/4w1w2/3wKw3/4w4/1b5b1/2b3b2/9 w",
        "g4g6",
        &[],
    ),
    defenders: white(
        Rule::Pieces,
        "3bbb3/4b4/2w3w2/b2K4b/bb5bb/b4w2b/2ww2w2/4b4/3bbb3 w",
        &[],
    ),
};

/// What a client made of a question.
pub(super) struct Answer {
    pub(super) findings: Vec<Finding>,
    pub(super) verdict: ProbeVerdict,
}

/// What is known of a client and first states.
pub(super) struct FirstState {
    pub(super) honours: Option<bool>,
    pub(super) finding: Finding,
}

impl Probe {
    /// The game as it begins.
    fn game(&self, rules: &Arc<Rules>) -> Game {
        let setup: Setup = self.start.parse().expect("the position can be read");
        let position = rules.position(&setup).or_else(SetupError::playable);
        let position = position.expect("the position can be played");
        Game::from_position(Arc::clone(rules), position, rules.laws())
    }

    /// Asks a client.
    pub(super) fn ask(&self, template: &Template, options: &MoverOptions) -> Answer {
        let rule = self.rule;
        let started = Session::start(template, self.side, options);
        let put = started.and_then(|mut session| {
            session.findings.clear();
            let mut course = self.put(&mut session)?;
            if course.is_over && !session.is_silent_after_the_end() {
                let text = "still sends something after the end of the game";
                return Err(Failure {
                    text: text.into(),
                    ..Failure::default()
                });
            }
            if course.is_over {
                course.text += ", and understands that the game is over";
            }
            Ok(course)
        });
        match put {
            Err(failure) => Answer {
                findings: vec![Finding::new(Mark::Bad, format!("{rule}: {}", failure.text))],
                verdict: ProbeVerdict::Wrong(failure.text),
            },
            Ok(course) => {
                let good = Finding::new(Mark::Good, format!("{rule}: {}", course.text));
                let notes = course.notes.iter();
                let notes = notes.map(|note| Finding::new(Mark::Note, format!("{rule}: {note}")));
                Answer {
                    findings: std::iter::once(good).chain(notes).collect(),
                    verdict: ProbeVerdict::Passed(course.text),
                }
            }
        }
    }

    /// Puts the question, and hears all moves.
    fn put(&self, session: &mut Session<'_>) -> Result<Course, Failure> {
        let mut game = self.game(&Rules::ashton());
        session.show(&game);
        if let Some(step) = self.opening.and_then(|text| text.parse().ok()) {
            let _ = game.play(step);
            session.show(&game);
        }
        let mut moves = Vec::new();
        let mut notes = Vec::new();
        let mut replies = self.replies.iter();
        while game.outcome().is_none() {
            let before = game.clone();
            let step = session.play(&mut game)?;
            moves.push(step.to_string());
            notes.extend(missed(&before, step));
            session.show(&game);
            let reply = replies
                .next()
                .and_then(|reply| reply.step(&game, self.rule));
            let Some(reply) = reply.filter(|_| game.outcome().is_none()) else {
                break;
            };
            let _ = game.play(reply);
            session.show(&game);
        }
        Ok(Course {
            text: format!("plays {}", moves.join(", ")),
            notes,
            is_over: game.outcome().is_some(),
        })
    }
}

/// How a client answered without breaking a rule.
struct Course {
    text: String,
    /// What could have been better.
    notes: Vec<String>,
    is_over: bool,
}

impl Reply {
    fn step(&self, game: &Game, rule: Rule) -> Option<Move> {
        let (rules, position) = (game.rules(), game.position());
        match self {
            Self::Tempting => best_reply(game, |after| {
                let legal = after.rules().moves(after.position()).len();
                forbidden(after, rule) as i64 - 4 * legal as i64
            }),
            Self::Move(text) => {
                let step = text.parse().ok()?;
                rules.explain(position, step).is_ok().then_some(step)
            }
            Self::AnvilCapture => {
                let by_anvil = |step: &&Move| {
                    rules
                        .explain_captures(position, **step)
                        .unwrap_or_default()
                        .iter()
                        .any(|capture| {
                            matches!(
                                capture.cause,
                                CaptureCause::Between {
                                    kind: Anvil::Camp | Anvil::EmptyCastle | Anvil::CastleWithKing,
                                    ..
                                }
                            )
                        })
                };
                rules.moves(position).iter().find(by_anvil).copied()
            }
        }
    }
}

/// The moves of the side to move that win at once.
fn wins(game: &Game) -> Vec<Move> {
    let side = game.position().side();
    let moves = game.rules().moves(game.position());
    let is_win = |step: &&Move| {
        let mut after = game.clone();
        let is_played = after.play(**step).is_ok();
        is_played
            && after
                .outcome()
                .is_some_and(|outcome| outcome.winner == Some(side))
    };
    moves.iter().filter(is_win).copied().collect()
}

/// What a legal move has left undone, if it is plain to see: such a client may not know the rule.
fn missed(before: &Game, step: Move) -> Option<String> {
    let wins_now = wins(before);
    if let Some(better) = wins_now.first() {
        let has_won = wins_now.contains(&step);
        return (!has_won).then(|| format!("{better} would have won at once"));
    }
    let threat = |step: Move| {
        let mut after = before.clone();
        after.play(step).ok()?;
        wins(&after).first().copied()
    };
    let threat_now = threat(step)?;
    let moves = before.rules().moves(before.position());
    let better = moves.iter().find(|other| threat(**other).is_none())?;
    Some(format!(
        "after {step} the opponent wins at once by {threat_now}; {better} prevents that"
    ))
}

/// Finds out whether a client plays from the first state that it is sent.
pub(super) fn first_state(template: &Template, side: Side, options: &MoverOptions) -> FirstState {
    let probe = &ELSEWHERE[side];
    let started = Session::start(template, side, options);
    let put = started.and_then(|mut session| probe.put(&mut session));
    let from_the_start = "Matches with such a client have to begin at the start, as in the contest and, \
                          by default, in `tablut match` with client:CMD";
    match put {
        Ok(course) => FirstState {
            honours: Some(true),
            finding: Finding::new(
                Mark::Good,
                format!("plays from the first state it receives: {}", course.text),
            ),
        },
        Err(failure) => match failure.illegal {
            // Another mistake than this one.
            Some((_, reason)) if rule_of(&reason).is_some() => FirstState {
                honours: Some(true),
                finding: Finding::new(Mark::Bad, failure.text),
            },
            Some((step, _)) => FirstState {
                honours: Some(false),
                finding: Finding::new(
                    Mark::Note,
                    format!(
                        "ignores the first state it receives, and plays {step} from the start. \
                         {from_the_start}"
                    ),
                ),
            },
            None => FirstState {
                honours: None,
                finding: Finding::new(
                    Mark::Note,
                    format!(
                        "does not play from a given first state: {}. {from_the_start}",
                        failure.text
                    ),
                ),
            },
        },
    }
}

/// The rule that a move breaks, if it is one that is asked about.
const fn rule_of(reason: &IllegalMove) -> Option<Rule> {
    match reason {
        IllegalMove::CampStop { .. } | IllegalMove::CampInTheWay { .. } => Some(Rule::Camps),
        IllegalMove::CastleStop(_) | IllegalMove::CastleInTheWay(_) => Some(Rule::Castle),
        IllegalMove::PieceInTheWay { .. } | IllegalMove::Occupied { .. } => Some(Rule::Pieces),
        _ => None,
    }
}

/// How many moves a client that knows no other position makes in a game from the start.
const TEMPTED: usize = 8;

/// What a client made of a game that tempts it.
pub(super) struct Tempted {
    pub(super) finding: Finding,
    pub(super) verdicts: Vec<(Rule, ProbeVerdict)>,
}

/// Plays from the start against a client, so that camps and castle lie in its way.
pub(super) fn tempt(template: &Template, side: Side, options: &MoverOptions) -> Tempted {
    let why = "it does not play from given positions";
    let started = Session::start(template, side, options);
    let played = started.and_then(|mut session| play_on(&mut session));
    let (finding, wrong) = match played {
        Ok(moves) => {
            let text = format!(
                "makes {moves} legal moves where camps and castle were in its way; {why}, so the rules \
                 could not be tested one by one"
            );
            (Finding::new(Mark::Good, text), None)
        }
        Err(failure) => {
            let rule = failure.illegal.and_then(|(_, reason)| rule_of(&reason));
            let text = failure.text;
            let wrong = rule.map(|rule| (rule, text.clone()));
            (Finding::new(Mark::Bad, text), wrong)
        }
    };
    let verdicts = Rule::ALL.map(|rule| match &wrong {
        Some((broken, text)) if *broken == rule => (rule, ProbeVerdict::Wrong(text.clone())),
        _ => (rule, ProbeVerdict::NotProbed(why.into())),
    });
    Tempted {
        finding,
        verdicts: verdicts.into(),
    }
}

/// How many moves the client made.
fn play_on(session: &mut Session<'_>) -> Result<usize, Failure> {
    let rules = Rules::ashton();
    let mut game = lawless(&rules, rules.start());
    session.show(&game);
    for made in 0..TEMPTED {
        if game.position().side() != session.side {
            let tempting = |after: &Game| {
                let count = forbidden(after, Rule::Camps) + forbidden(after, Rule::Castle);
                count as i64
            };
            let Some(reply) = best_reply(&game, tempting) else {
                return Ok(made);
            };
            let _ = game.play(reply);
            session.show(&game);
        }
        session.play(&mut game)?;
        session.show(&game);
        if game.outcome().is_some() {
            return Ok(made + 1);
        }
    }
    Ok(TEMPTED)
}

/// The best move of those that do not end the game.
fn best_reply(game: &Game, worth: impl Fn(&Game) -> i64) -> Option<Move> {
    let moves = game.rules().moves(game.position());
    let rate = |step: &Move| {
        let mut after = game.clone();
        after.play(*step).ok()?;
        after.outcome().is_none().then(|| (worth(&after), *step))
    };
    // The first of the best, so that every run of a check is the same.
    let rated = moves.iter().rev().filter_map(rate);
    rated.max_by_key(|(worth, _)| *worth).map(|(_, step)| step)
}

/// How many moves of the side to move a rule forbids.
fn forbidden(game: &Game, rule: Rule) -> usize {
    let (rules, position) = (game.rules(), game.position());
    let squares =
        || (0..9).flat_map(|row| (0..9).filter_map(move |column| Square::new(column, row)));
    let breaks = |from: Square, to: Square| {
        let judged = rules.explain(position, Move::new(from, to));
        judged.is_err_and(|reason| rule_of(&reason) == Some(rule))
    };
    let own = position.pieces(position.side());
    let count = |from: Square| squares().filter(|to| breaks(from, *to)).count();
    own.into_iter().map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The game in which a client is to move.
    fn asked(probe: &Probe) -> Game {
        let mut game = probe.game(&Rules::ashton());
        if let Some(opening) = probe.opening {
            game.play(opening.parse().unwrap()).unwrap();
        }
        assert_eq!(game.position().side(), probe.side);
        assert_eq!(game.outcome(), None);
        game
    }

    fn legal(game: &Game) -> Vec<Move> {
        game.rules().moves(game.position()).to_vec()
    }

    #[test]
    fn every_rule_is_asked_of_both_sides() {
        for side in Side::ALL {
            let asked = PROBES.iter().filter(|probe| probe.side == side);
            let rules: Vec<Rule> = asked.map(|probe| probe.rule).collect();
            assert_eq!(rules, Rule::ALL);
        }
    }

    #[test]
    fn who_does_not_know_a_rule_has_more_wrong_moves_than_right_ones() {
        for probe in &PROBES[..] {
            let game = asked(probe);
            if matches!(probe.rule, Rule::Camps | Rule::Castle | Rule::Pieces) {
                let (legal, wrong) = (legal(&game).len(), forbidden(&game, probe.rule));
                let name = (probe.rule, probe.side);
                assert!((1..=2).contains(&legal), "{name:?}: {legal} legal moves");
                assert!(wrong >= 3 * legal, "{name:?}: {wrong} forbidden moves");
                for step in self::legal(&game) {
                    let mut again = game.clone();
                    again.play(step).unwrap();
                    let reply = Reply::Tempting.step(&again, probe.rule).unwrap();
                    again.play(reply).unwrap();
                    let (legal, wrong) = (self::legal(&again).len(), forbidden(&again, probe.rule));
                    assert!(
                        legal <= 6 && wrong >= legal,
                        "{name:?} {step} {reply}: {wrong} of {legal}"
                    );
                }
            }
        }
    }

    #[test]
    fn questions_about_kings_have_an_answer() {
        for probe in PROBES
            .iter()
            .filter(|probe| probe.rule == Rule::KingCapture || probe.rule == Rule::Escape)
        {
            let game = asked(probe);
            let (good, bad): (Vec<_>, Vec<_>) = legal(&game)
                .into_iter()
                .partition(|step| missed(&game, *step).is_none());
            assert_eq!(good.len(), 1, "{:?} {:?}: {good:?}", probe.rule, probe.side);
            assert!(!bad.is_empty());
        }
    }

    #[test]
    fn a_forced_shuffle_is_drawn() {
        for probe in PROBES.iter().filter(|probe| probe.rule == Rule::Repetition) {
            let mut game = asked(probe);
            let mut replies = probe.replies.iter();
            while game.outcome().is_none() {
                let moves = legal(&game);
                let &[only] = &moves[..] else {
                    panic!("{moves:?} are legal");
                };
                game.play(only).unwrap();
                if let Some(reply) = replies.next() {
                    let step = reply.step(&game, probe.rule).unwrap();
                    game.play(step).unwrap();
                }
            }
            assert_eq!(game.outcome().unwrap().winner, None);
        }
    }

    #[test]
    fn a_man_falls_against_an_anvil_whatever_the_client_does() {
        for probe in PROBES.iter().filter(|probe| probe.rule == Rule::Anvils) {
            let game = asked(probe);
            if probe.side == BLACK {
                assert_eq!(game.plies().last().unwrap().captured.len(), 1);
                continue;
            }
            for step in legal(&game) {
                let mut after = game.clone();
                after.play(step).unwrap();
                let reply = Reply::AnvilCapture.step(&after, probe.rule);
                assert!(reply.is_some(), "{step}");
            }
        }
    }

    #[test]
    fn no_move_of_the_start_is_legal_in_the_given_first_states() {
        let rules = Rules::ashton();
        for (_, probe) in &ELSEWHERE {
            let game = asked(probe);
            let start = lawless(&rules, rules.start());
            let own = |game: &Game| game.position().pieces(probe.side);
            assert!(own(&game).is_disjoint(own(&start)));
        }
    }
}
