//! Checks a foreign client: leads it through scripted games and says what it does right and wrong.

use std::time::{Duration, Instant};

use tablut_rules::{Game, Laws, Outcome, Random, Reason, Rules, Side, text::harmless};

use super::{
    frame::Frame,
    message::{Action, Malformed, read_name, word},
    port,
};
use crate::{
    MoverError, MoverOptions,
    guest::{
        Template,
        client::{Guest, state},
    },
};

/// What a finding is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// A heading: what is tried next.
    Title,
    /// As it should be.
    Good,
    /// Works, but could be better.
    Note,
    /// Wrong: it loses games, or fails with some server.
    Bad,
}

/// Something that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What it is.
    pub mark: Mark,
    /// In plain words.
    pub text: String,
}

/// A scripted game.
struct Script {
    title: &'static str,
    /// How many moves the client makes before the end.
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

const SCRIPTS: [Script; 3] = [
    Script {
        title: "normal moves, then it wins",
        moves: 4,
        manner: Manner::Quick,
        end: End::Win,
    },
    Script {
        title: "a slow opponent, then it loses",
        moves: 2,
        manner: Manner::Slow,
        end: End::Loss,
    },
    Script {
        title: "two states in one segment, then a draw",
        moves: 3,
        manner: Manner::Joined,
        end: End::Draw,
    },
];

/// How long a slow opponent thinks at most; less if the time for a move is less.
const SLOW: Duration = Duration::from_secs(3);

/// How long a client may take to end after the last state.
const END: Duration = Duration::from_secs(5);

/// How long to listen for something that should not come.
const HUSH: Duration = Duration::from_millis(100);

/// Checks a client by its command line. Everything is told to `watch` as it is found.
pub fn check(words: Vec<String>, options: &MoverOptions, watch: &mut dyn FnMut(Finding)) {
    let Some(template) = Template::from_words(words) else {
        watch(Finding {
            mark: Mark::Bad,
            text: "there is no command to start".into(),
        });
        return;
    };
    for side in super::WHITE_FIRST {
        for script in &SCRIPTS {
            if options.stop.is_finishing() {
                return;
            }
            watch(Finding {
                mark: Mark::Title,
                text: format!("{}: {}", word(side), script.title),
            });
            let mut run = Run {
                side,
                options,
                watch,
                random: Random::new(side.index() as u64 + 1),
            };
            // What went wrong has been told.
            if let Err(Stopped::Everything) = run.play(&template, script) {
                return;
            }
        }
    }
}

/// Why a scripted game cannot go on.
enum Stopped {
    /// The client did something wrong in it.
    Game,
    /// The client cannot even be started.
    Everything,
}

/// A scripted game under way.
struct Run<'a> {
    side: Side,
    options: &'a MoverOptions,
    watch: &'a mut dyn FnMut(Finding),
    random: Random,
}

impl Run<'_> {
    fn say(&mut self, mark: Mark, text: impl Into<String>) {
        // What a client sends must not command the terminal.
        let text = harmless(&text.into()).into_owned();
        (self.watch)(Finding { mark, text });
    }

    fn stop<T>(&mut self, text: impl Into<String>) -> Result<T, Stopped> {
        self.say(Mark::Bad, text);
        Err(Stopped::Game)
    }

    fn play(&mut self, template: &Template, script: &Script) -> Result<(), Stopped> {
        let mut guest = match Guest::start(template, self.side, self.options) {
            Ok(guest) => guest,
            Err(error @ (MoverError::Unfit { .. } | MoverError::Stopped)) => {
                self.say(Mark::Bad, error.to_string());
                return Err(Stopped::Everything);
            }
            Err(error) => return self.stop(error.to_string()),
        };
        let port = port(self.side);
        self.say(Mark::Good, format!("connects to port {port}"));
        self.name(&mut guest)?;
        let rules = std::sync::Arc::new(Rules::ashton());
        // The script decides when the game ends.
        let laws = Laws {
            repetition: None,
            ..rules.laws()
        };
        let mut game = Game::from_position(rules.clone(), rules.start(), laws);
        let mut unsent = state(&game);
        if self.side == Side::Attackers {
            guest.send(&unsent);
            self.hush(&mut guest, "before White has moved")?;
            self.answer(&mut game);
            unsent = state(&game);
        }
        let mut slowest = Duration::ZERO;
        for n in 0..script.moves {
            guest.send(&unsent);
            let asked = Instant::now();
            let action = self.action(&mut guest)?;
            slowest = slowest.max(asked.elapsed());
            self.make(&mut game, &action, n == 0)?;
            if game.outcome().is_some() {
                guest.send(&state(&game));
                self.say(
                    Mark::Note,
                    "it ended the game on the board before the script did",
                );
                return self.ending(guest);
            }
            let own = state(&game);
            self.answer(&mut game);
            unsent = state(&game);
            match script.manner {
                Manner::Joined => unsent = [own, unsent].concat(),
                Manner::Quick => guest.send(&own),
                Manner::Slow => {
                    guest.send(&own);
                    let slow = Duration::from_millis(self.options.move_ms).min(SLOW);
                    self.quiet(&mut guest, slow, "while its opponent thinks")?;
                }
            }
        }
        let seconds = slowest.as_secs_f64();
        self.say(
            Mark::Good,
            format!(
                "makes {} legal moves, the slowest in {seconds:.1} s",
                script.moves
            ),
        );
        match script.manner {
            Manner::Quick => {}
            Manner::Slow => self.say(Mark::Good, "waits for a slow opponent without a word"),
            Manner::Joined => self.say(Mark::Good, "copes with two states in one segment"),
        }
        let outcome = match script.end {
            End::Win => Outcome::win(self.side, Reason::Resignation),
            End::Loss => Outcome::win(self.side.opponent(), Reason::Resignation),
            End::Draw => Outcome::draw(Reason::Agreement),
        };
        game.finish(outcome);
        guest.send(&state(&game));
        self.ending(guest)
    }

    /// The name, which comes first.
    fn name(&mut self, guest: &mut Guest) -> Result<(), Stopped> {
        let patience = Duration::from_millis(self.options.startup_ms);
        let payload = match guest.hear(Some(patience), self.options) {
            Ok(Frame::Payload(payload)) => payload,
            Ok(frame) => return self.length(&frame),
            Err(error) => return self.silent("its name", &error),
        };
        let text = String::from_utf8_lossy(&payload).into_owned();
        match read_name(&payload) {
            Ok(name) if text.starts_with('"') => {
                self.say(Mark::Good, format!("says its name: {name}"));
                Ok(())
            }
            Ok(name) => {
                self.say(
                    Mark::Note,
                    format!("says its name without quotation marks, which servers forgive: {name}"),
                );
                Ok(())
            }
            Err(Malformed) => self.stop(format!(
                "the first frame should be the name as a JSON text like \"alpha\", but is {text:?}"
            )),
        }
    }

    fn length<T>(&mut self, frame: &Frame) -> Result<T, Stopped> {
        let text = match frame {
            Frame::TooLong(length) => format!("announces {length} bytes"),
            _ => "announces a negative length".into(),
        };
        self.stop(format!(
            "{text}: a frame starts with its length in four bytes, the highest first, then the text in UTF-8"
        ))
    }

    fn silent<T>(&mut self, what: &str, error: &MoverError) -> Result<T, Stopped> {
        let text = match error {
            MoverError::Late => format!("does not send {what} in time"),
            error => format!("does not send {what}: {error}"),
        };
        self.stop(text)
    }

    /// Makes sure that nothing comes for a moment.
    fn hush(&mut self, guest: &mut Guest, when: &str) -> Result<(), Stopped> {
        self.quiet(guest, HUSH, when)?;
        self.say(Mark::Good, format!("is silent {when}"));
        Ok(())
    }

    fn quiet(&mut self, guest: &mut Guest, time: Duration, when: &str) -> Result<(), Stopped> {
        match guest.hear(Some(time), self.options) {
            Err(MoverError::Late) => Ok(()),
            Err(error) => self.stop(format!("{error}, {when}")),
            Ok(_) => self.stop(format!(
                "sends something {when}: it should wait for a state with \"turn\":\"{}\"",
                word(self.side)
            )),
        }
    }

    /// The client's move.
    fn action(&mut self, guest: &mut Guest) -> Result<Vec<u8>, Stopped> {
        let time = Duration::from_millis(self.options.move_ms + self.options.grace_ms);
        match guest.hear(Some(time), self.options) {
            Ok(Frame::Payload(payload)) => Ok(payload),
            Ok(frame) => self.length(&frame),
            Err(MoverError::Late) => {
                let seconds = time.as_secs_f64();
                self.stop(format!(
                    "does not move within {seconds:.1} s: it would lose by time"
                ))
            }
            Err(error) => self.silent("its move", &error),
        }
    }

    /// Makes the client's move; what is said about its form is said once.
    fn make(&mut self, game: &mut Game, payload: &[u8], is_first: bool) -> Result<(), Stopped> {
        let text: String = String::from_utf8_lossy(payload).chars().take(120).collect();
        let Ok(action) = Action::read(payload) else {
            return self.stop(format!(
                "a move should be like {}, but is {text:?}; the Java server dies of it",
                r#"{"from":"e4","to":"d4","turn":"WHITE"}"#
            ));
        };
        let Some(step) = action.step() else {
            return self.stop(format!(
                "from and to should be two squares like e4, but it sends {text}"
            ));
        };
        if let Err(reason) = game.rules().explain(game.position(), step) {
            return self.stop(format!("makes the illegal move {step}: {reason}"));
        }
        if is_first {
            if text == Action::payload(step, self.side) {
                self.say(Mark::Good, format!("sends moves in the usual form: {text}"));
            } else {
                self.say(
                    Mark::Note,
                    format!("sends moves in a form that servers forgive: {text}"),
                );
            }
        }
        // It is legal, and the game is not over.
        let _ = game.play(step);
        Ok(())
    }

    /// Any move of the opponent that does not end the game.
    fn answer(&mut self, game: &mut Game) {
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
            let _ = game.play(calm[self.random.below(calm.len())]);
        }
    }

    /// After the last state a client should say nothing and end.
    fn ending(&mut self, mut guest: Guest) -> Result<(), Stopped> {
        if let Ok(Frame::Payload(_)) = guest.hear(Some(HUSH), self.options) {
            self.say(Mark::Bad, "still sends something after the end of the game");
        } else {
            self.say(Mark::Good, "understands that the game is over");
        }
        match guest.farewell(END) {
            true => self.say(Mark::Good, "ends by itself"),
            false => self.say(
                Mark::Note,
                format!(
                    "still runs {} s after the end and has to be killed",
                    END.as_secs()
                ),
            ),
        }
        Ok(())
    }
}
