//! A client that is being checked: what it sends, and what the report says about it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tablut_arena::MoverError;
use tablut_challenge::{
    PORTS,
    frame::Frame,
    json::{self, Value},
    message::{Action, Malformed, read_name, word},
};
use tablut_rules::{Game, IllegalMove, Move, Position, Rules, Side};

use super::{Finding, Mark};
use crate::{
    MoverOptions,
    client::{Guest, state},
    template::Template,
};

/// How long a client may take to end after the last state.
const END: Duration = Duration::from_secs(5);

/// How long to listen for something that should not come.
pub(super) const HUSH: Duration = Duration::from_millis(100);

/// Why a game with a client cannot go on.
#[derive(Default)]
pub(super) struct Failure {
    /// In plain words.
    pub(super) text: String,
    /// How many states it had been sent.
    pub(super) states: usize,
    /// Whether it cannot even be started.
    pub(super) is_everything: bool,
    /// The move, if it was an illegal one.
    pub(super) illegal: Option<(Move, IllegalMove)>,
}

/// A client in a game.
pub(super) struct Session<'a> {
    pub(super) side: Side,
    options: &'a MoverOptions,
    guest: Guest,
    states: usize,
    /// How long the slowest move took.
    pub(super) slowest: Duration,
    /// What was found so far.
    pub(super) findings: Vec<Finding>,
}

impl<'a> Session<'a> {
    /// Starts a client and hears its name.
    pub(super) fn start(
        template: &Template,
        side: Side,
        options: &'a MoverOptions,
    ) -> Result<Self, Failure> {
        let guest = Guest::start(template, side, options).map_err(|error| Failure {
            text: error.to_string(),
            states: 0,
            is_everything: matches!(error, MoverError::Unfit { .. } | MoverError::Stopped),
            illegal: None,
        })?;
        let mut session = Self {
            side,
            options,
            guest,
            states: 0,
            slowest: Duration::ZERO,
            findings: Vec::new(),
        };
        session.say(Mark::Good, format!("connects to port {}", PORTS[side]));
        session.name()?;
        Ok(session)
    }

    pub(super) fn say(&mut self, mark: Mark, text: impl Into<String>) {
        self.findings.push(Finding::new(mark, text));
    }

    fn failure(&self, text: impl Into<String>) -> Failure {
        Failure {
            text: text.into(),
            states: self.states,
            is_everything: false,
            illegal: None,
        }
    }

    fn stop<T>(&self, text: impl Into<String>) -> Result<T, Failure> {
        Err(self.failure(text))
    }

    /// The name, which comes first.
    fn name(&mut self) -> Result<(), Failure> {
        let patience = Duration::from_millis(self.options.startup_ms);
        let payload = match self.guest.hear(Some(patience), self.options) {
            Ok(Frame::Payload(payload)) => payload,
            Ok(frame) => return self.length(&frame),
            Err(error) => return self.silent("its name", &error),
        };
        let text = String::from_utf8_lossy(&payload).into_owned();
        match read_name(&payload) {
            Ok(name) if text.starts_with('"') => {
                self.say(Mark::Good, format!("sends its name: {name}"));
                Ok(())
            }
            Ok(name) => {
                self.say(
                    Mark::Note,
                    format!("sends its name without quotation marks, which servers accept: {name}"),
                );
                Ok(())
            }
            Err(Malformed) => self.stop(format!(
                "the first frame should be the name as a JSON string like \"alpha\", but is {text:?}"
            )),
        }
    }

    fn length<T>(&self, frame: &Frame) -> Result<T, Failure> {
        let text = match frame {
            Frame::TooLong(length) => format!("announces {length} bytes"),
            _ => "announces a negative length".into(),
        };
        self.stop(format!(
            "{text}: a frame is a four-byte length, most significant byte first, then the text in UTF-8"
        ))
    }

    fn silent<T>(&self, what: &str, error: &MoverError) -> Result<T, Failure> {
        self.stop(match error {
            MoverError::Late => format!("does not send {what} in time"),
            error => format!("does not send {what}: {error}"),
        })
    }

    /// Sends a state.
    pub(super) fn show(&mut self, game: &Game) {
        self.send(&state(game));
        self.states += 1;
    }

    /// Sends two states in one segment.
    pub(super) fn show_both(&mut self, first: &Game, second: &Game) {
        self.send(&[state(first), state(second)].concat());
        self.states += 2;
    }

    fn send(&mut self, bytes: &[u8]) {
        self.guest.send(bytes, self.options);
    }

    /// Makes sure that nothing comes for a while.
    pub(super) fn quiet(&mut self, time: Duration, when: &str) -> Result<(), Failure> {
        match self.guest.hear(Some(time), self.options) {
            Err(MoverError::Late) => Ok(()),
            Err(error) => self.stop(format!("{error}, {when}")),
            Ok(_) => self.stop(format!(
                "sends something {when}: it should wait for a state with \"turn\":\"{}\"",
                word(self.side)
            )),
        }
    }

    /// Hears the client's move and makes it.
    pub(super) fn play(&mut self, game: &mut Game) -> Result<Move, Failure> {
        let asked = Instant::now();
        let payload = self.action()?;
        self.slowest = self.slowest.max(asked.elapsed());
        let text: String = String::from_utf8_lossy(&payload)
            .chars()
            .take(120)
            .collect();
        let Ok(action) = Action::read(&payload) else {
            return self.stop(format!(
                "a move should be like {}, but is {text:?}, which crashes the Java server",
                r#"{"from":"e4","to":"d4","turn":"WHITE"}"#
            ));
        };
        let Some(step) = action.step() else {
            return self.stop(format!(
                "from and to should be two squares like e4, but it sends {text}"
            ));
        };
        if let Err(reason) = game.rules().explain(game.position(), step) {
            return Err(Failure {
                illegal: Some((step, reason)),
                ..self.failure(format!("makes the illegal move {step}: {reason}"))
            });
        }
        if game.made_by(self.side) == 0 {
            self.form(&text, &action, step);
        }
        // It is legal, and the game is not over.
        let _ = game.play(step);
        Ok(step)
    }

    fn action(&mut self) -> Result<Vec<u8>, Failure> {
        let time = Duration::from_millis(self.options.move_ms + self.options.grace_ms);
        match self.guest.hear(Some(time), self.options) {
            Ok(Frame::Payload(payload)) => Ok(payload),
            Ok(frame) => self.length(&frame),
            Err(MoverError::Late) => {
                let seconds = time.as_secs_f64();
                self.stop(format!(
                    "does not move within {seconds:.1} s: it would lose on time"
                ))
            }
            Err(error) => self.silent("its move", &error),
        }
    }

    /// Says something about the form of a move.
    fn form(&mut self, text: &str, action: &Action, step: Move) {
        let usual = Action::payload(step, self.side);
        if text == usual {
            return self.say(Mark::Good, format!("sends moves in the usual form: {text}"));
        }
        let forgiven = liberties(text, action, self.side).join(", ");
        self.say(
            Mark::Note,
            format!("sends moves with {forgiven}, which servers accept: {text} instead of {usual}"),
        );
    }

    /// After the last state a client should say nothing and end.
    pub(super) fn ending(mut self) -> Vec<Finding> {
        self.is_silent_after_the_end();
        match self.guest.farewell(END) {
            true => self
                .findings
                .push(Finding::new(Mark::Good, "ends by itself")),
            false => self.findings.push(Finding::new(
                Mark::Note,
                format!(
                    "still runs {} s after the end and has to be killed",
                    END.as_secs()
                ),
            )),
        }
        self.findings
    }

    /// Finds out whether the client understands that the game is over.
    pub(super) fn is_silent_after_the_end(&mut self) -> bool {
        let said = self.guest.hear(Some(HUSH), self.options);
        let is_silent = !matches!(said, Ok(Frame::Payload(_)));
        match is_silent {
            true => self.say(Mark::Good, "understands that the game is over"),
            false => self.say(Mark::Bad, "still sends something after the end of the game"),
        }
        is_silent
    }
}

/// What a move does not have of the usual form, in words.
fn liberties(text: &str, action: &Action, side: Side) -> Vec<String> {
    let mut liberties: Vec<String> = Vec::new();
    let members = match json::read(text) {
        Ok(Value::Object(members)) => members,
        _ => Vec::new(),
    };
    let find = |key: &str| members.iter().position(|(name, _)| name == key);
    if text.contains('\'') {
        liberties.push("single quotation marks".into());
    } else if text.matches('"').count() < 4 * members.len() {
        liberties.push("words without quotation marks".into());
    }
    let squares = [&action.from, &action.to].into_iter().flatten();
    if squares.clone().any(|square| !square.is_ascii()) {
        liberties.push("digits of another script".into());
    } else if squares
        .clone()
        .any(|square| square.contains(char::is_uppercase))
    {
        liberties.push("squares in upper case".into());
    }
    if find("to") < find("from") {
        liberties.push("\"to\" before \"from\"".into());
    }
    match find("turn").map(|at| &members[at].1) {
        Some(Value::Text(turn)) if turn == word(side) => {}
        Some(Value::Text(turn)) => liberties.push(format!("the turn {turn:?}")),
        Some(_) => liberties.push("a turn that is not a string".into()),
        None => liberties.push("no turn".into()),
    }
    let known = ["from", "to", "turn"];
    let more = members.iter().map(|(name, _)| name.as_str());
    let more: Vec<&str> = more.filter(|name| !known.contains(name)).collect();
    if !more.is_empty() {
        liberties.push(format!("extra members ({})", more.join(", ")));
    }
    if text.contains(char::is_whitespace) {
        liberties.push("blanks".into());
    }
    if liberties.is_empty() {
        liberties.push("another order or other characters".into());
    }
    liberties
}

/// A game from a position in which only the script ends it, as far as laws above the board go.
pub(super) fn lawless(rules: &Arc<Rules>, position: Position) -> Game {
    Game::from_position(Arc::clone(rules), position, rules.laws().endless())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_forgive_is_named() {
        for (text, expected) in [
            (
                r#"{"from":"E4","to":"D4","turn":"WHITE"}"#,
                "squares in upper case",
            ),
            ("{from:'e4',to:'d4',turn:'WHITE'}", "single quotation marks"),
            (
                r#"{from:"e4",to:"d4",turn:"WHITE"}"#,
                "words without quotation marks",
            ),
            (
                r#"{"to":"d4","from":"e4","turn":"WHITE"}"#,
                "\"to\" before \"from\"",
            ),
            (r#"{"from":"e4","to":"d4","turn":"W"}"#, "the turn \"W\""),
            (r#"{"from":"e4","to":"d4"}"#, "no turn"),
            (
                r#"{"from": "e4", "to": "d4", "turn": "WHITE", "x": "1"}"#,
                "extra members (x), blanks",
            ),
            (
                r#"{"turn":"WHITE","from":"e4","to":"d4"}"#,
                "another order or other characters",
            ),
        ] {
            let action = Action::read(text.as_bytes()).unwrap();
            let found = liberties(text, &action, Side::Defenders).join(", ");
            assert_eq!(found, expected, "{text}");
        }
    }
}
